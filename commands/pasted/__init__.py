"""Stat blocks as people write them: a line of an adventure, a block of a rulebook, a table, a note in Obsidian.

`layout` finds lines, tables and YAML; `labels` knows the words before values; `blocks` tells one stat block from the
next; `fields`, `moves` and `attacks` read what stands behind a label; `reading` puts it together.
"""
