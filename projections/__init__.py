"""What is so now: folds events into states, lines, boards and maps. Adds up, never judges."""
