"""Tests read aloud: a rule, a file, a shell."""
