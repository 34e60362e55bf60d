"""What a model is told that plays: as the game master, and from a seat."""

import os


def guide(role: str) -> str:
    """How to run a fight by the tools, as `gm`, or to play from a seat, as `player`."""
    with open(os.path.join(os.path.dirname(__file__), f"{role}.txt"), encoding="utf-8") as file:
        return file.read().rstrip("\n")
