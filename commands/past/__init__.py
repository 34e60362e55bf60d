"""The course of play: recording, undo, redo, amend, verify."""
