"""What a model is told that plays: as the game master, and from a seat."""

import os


def for_referees() -> str:
    """How to run a fight by the tools."""
    return _page("referee.txt")


def for_players() -> str:
    """How to play from a seat by the tools."""
    return _page("player.txt")


def _page(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read().rstrip("\n")
