"""Carrying out one action: what can be said, whose names and dice it takes, and what it comes to."""
