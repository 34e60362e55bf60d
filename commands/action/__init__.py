"""Carrying out one action: declarations, names and dice, and the result."""
