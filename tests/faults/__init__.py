"""Faults: file calls that fail, processes that are killed, and power that goes. `docs/promises.md` says what holds."""
