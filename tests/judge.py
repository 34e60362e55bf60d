"""Judges sheets that were read from text: each value against what a careful reader takes from the same text.

`$AFFRAY_STAT_BLOCKS` may name a folder with more texts, as other people wrote them, and their `facts.jsonl`.
"""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

OWN = Path(__file__).parent / "pasted"
MORE = os.environ.get("AFFRAY_STAT_BLOCKS", "")
SAVES = ("death", "wands", "paralysis", "breath", "spells")


class Verdict(NamedTuple):
    """What became of a value: right, wrong, invented, noted (its words stand there), or silent."""

    file: str
    field: str
    verdict: str
    wanted: Any
    got: Any


def facts() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Each text with its facts: our own, and those of the folder that is named."""
    for folder in (OWN, *([Path(MORE)] if MORE else [])):
        for line in (folder / "facts.jsonl").read_text(encoding="utf-8").splitlines():
            fact = json.loads(line)
            yield folder / fact["file"], fact if folder == OWN else _as_ours(fact)


def _as_ours(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of other texts in the words of our own."""
    hd, saves = fact["hd"], fact["save"] or {}
    more = f"{hd['bonus']:+d}" if hd["bonus"] else ""
    ac = fact["ac_accept"] or [fact["ac_descending"]]
    return {
        "file": fact["file"],
        "name": fact["name"],
        "ac": None if ac == [None] else ac,
        "hd": f"{hd['dice']}{more}" if hd["dice"] else None,
        "hp": fact["hp"],
        "hp_dice": hd.get("hp_dice"),
        "attacks": [[blow[:3] for blow in routine] for routine in fact["attacks"] or []],
        "move": fact["move_turn_feet"],
        "saves": [saves[name] for name in SAVES] if "death" in saves else None,
        "thac0": fact["thac0"],
        "morale": fact["morale"],
        "requires": fact["requires"],
        "unread": fact["unread"],
    }


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"\w+", text.casefold())


def judged(fact: Mapping[str, Any], made: str) -> Iterator[Verdict]:
    """The verdict on each value of a sheet of arkm."""
    sheet = tomllib.loads(made)
    stands = " ".join(words(made))

    def one(field: str, wanted: Any, got: Any, right: bool, source: str) -> Iterator[Verdict]:
        if wanted is None and got is None:
            return
        if got is None:
            verdict = "noted" if " ".join(words(source)) in stands else "silent"
        else:
            verdict = "invented" if wanted is None else "right" if right else "wrong"
        yield Verdict(fact["file"], field, verdict, wanted, got)

    name, got = fact["name"], sheet.get("name")
    named = got is not None and set(words(got.replace("-", " "))) <= set(words(name or ""))
    yield from one("name", name, got, named, name or "")
    yield from one("ac", fact["ac"], sheet.get("ac"), sheet.get("ac") in (fact["ac"] or ()), "")
    saves = sheet.get("saves")
    numbers = [saves[save] for save in SAVES] if saves else None
    yield from one("saves", fact["saves"], numbers, numbers == fact["saves"], "")
    fields = ("hd", "hp_max", "thac0", "move", "morale", "requires")
    for field, wanted in zip(fields, (fact[field.removesuffix("_max")] for field in fields), strict=True):
        yield from one(field, wanted, sheet.get(field), sheet.get(field) == wanted, "")
    if fact.get("hp_dice"):
        yield from one("hp_dice", fact["hp_dice"], sheet.get("hp_dice"), sheet.get("hp_dice") == fact["hp_dice"], "")
    yield from _attacks(fact, sheet, stands)
    for phrase in fact["unread"]:
        if " ".join(words(phrase)) not in stands:
            yield Verdict(fact["file"], "unread", "silent", phrase, None)


def _attacks(fact: Mapping[str, Any], sheet: Mapping[str, Any], stands: str) -> Iterator[Verdict]:
    """The verdict on each attack: its name, its damage, and how many there are in its routine."""
    left = [(line.get("routine", 1), line["name"], line["damage"] or None) for line in sheet.get("attacks", ())]
    for nth, routine in enumerate(fact["attacks"] or [], 1):
        for count, name, damage in routine:
            blow = (nth, "attack" if name == "(unnamed)" else name, damage)
            wanted = [blow] * count if isinstance(count, int) else [blow]
            found = [one for one in left if one[:2] == blow[:2]][: len(wanted)]
            for one in found:
                left.remove(one)
            verdict = "right" if found == wanted else "wrong" if found else "silent"
            if not found and all(word in stands for word in words(name)):
                verdict = "noted"
            yield Verdict(fact["file"], "attacks", verdict, wanted, found)
    if left:
        yield Verdict(fact["file"], "attacks", "invented", None, left)
