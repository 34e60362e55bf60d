"""Seen: what each audience may know (the game master, the players), and the page that shows it."""
