"""What may be done: decides, and appends. The only place that judges.

The modules here are the machinery that all rule systems share; each folder is one rule system, a rulebook in code.
"""
