"""Turns the words of a command line into an order, and prints the answer."""
