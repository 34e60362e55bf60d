"""Faults: file calls that fail, processes that are killed, and power that goes. `docs/promises.md` lists the
promises.
"""
