"""Seen: what each audience may know (the referee, the players), and the page that shows it."""
