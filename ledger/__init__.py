"""What happened: events, dice, the store and its chain. Knows no rule and no command line."""
