"""What programs are told: a page for those that have a shell, and one for a model that is the referee."""

import os


def for_shells() -> str:
    """How to run a fight with a shell, in at most 400 words."""
    return _page("guide.txt")


def for_referees() -> str:
    """How to run a fight by the tools."""
    return _page("referee.txt")


def for_players() -> str:
    """How to play from a seat by the tools."""
    return _page("player.txt")


def _page(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read().rstrip("\n")
