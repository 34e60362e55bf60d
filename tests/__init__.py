"""The tests, and helpers for tests of a system."""
