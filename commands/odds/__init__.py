"""How likely each outcome of an action is."""
