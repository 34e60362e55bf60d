"""The course of play: record, undo, redo, amend and verify."""
