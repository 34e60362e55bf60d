"""A sheet of Aachen from a stat block that was pasted as text.

Aachen counts armour class upwards from 10, movement in feet in a round, and one attack in an action: all attacks of
such a text are weapons, and how many there are of each stays in words.
"""

import re

from commands.action.as_written import Blow, Entry, Question, Written

FIELDS = {one: one for one in ["name", "ac", "hd", "hp_max", "morale"]}
FIELDS |= {"hp": "hp_max", "move": "rate", "bonus": "attack_bonus"}
"""The fields that a question may be about, each as a sheet names it."""
_DESCENDING = 19
"""What a descending and an ascending armour class come to together."""
_LONGEST_POWER = 1000


def sheet_of(written: Written) -> tuple[list[Entry], list[Question], list[str]]:
    """The fields of a sheet in its order, what is open, and words that no field holds."""
    entries: list[Entry] = []
    asked: list[Question] = []
    unread: list[str] = []
    if written.name:
        entries.append(Entry("name", written.name.value, (written.name.words,)))
    entries.append(Entry("side", "opp", (), "not in the text; --side says another"))
    entries.append(Entry("kind", "monster", (), "as all that is read from text"))
    if written.bonus:
        entries.append(Entry("attack_bonus", written.bonus.value, (written.bonus.words,)))
    if written.hd:
        whole = re.match(r"([0-9]+)(?!/)", written.hd.value)
        if whole:
            entries.append(Entry("hd", int(whole[1]), (written.hd.words,)))
        if not whole or whole[0] != written.hd.value:
            unread.append(written.hd.words)
    if written.ac:
        entries.append(Entry("ac", _DESCENDING - written.ac.value, (written.ac.words,)))
    if written.hp:
        entries.append(Entry("hp_max", written.hp.value, (written.hp.words,)))
    elif written.hp_dice:
        asked.append(Question("hp_max", f"hit points: throw {written.hp_dice.value}", written.hp_dice.words))
    if written.move:
        entries.append(Entry("rate", written.move.value // 3, (written.move.words,)))
    if written.morale:
        entries.append(Entry("morale", written.morale.value, (written.morale.words,)))
    _take_weapons(written, entries, asked, unread)
    needs = [f"Requires {' or '.join(written.requires.value)}"] if written.requires else []
    powers = needs + [power for power in written.special if len(power) <= _LONGEST_POWER]
    if powers:
        told = (written.requires.words, *written.lists) if written.requires else written.lists
        entries.append(Entry("special", powers, told))
    return entries, asked, unread


def _take_weapons(written: Written, entries: list[Entry], asked: list[Question], unread: list[str]) -> None:
    """A weapon for each attack that does damage; those of one name are one, and several of it stay in words."""
    blows = list(dict.fromkeys(blow for routine in written.routines for blow in routine))
    named: dict[str, Blow] = {}
    for blow in blows:
        name = blow.name or "attack"
        if not blow.dice:
            told = f"{name} ({blow.besides})" if blow.besides else name
            asked.append(Question("weapons", f"attacks: the damage of {told}?", written.blows))
        elif name in named:
            asked.append(Question("weapons", f"attacks: {name} does {named[name].dice} or {blow.dice}", written.blows))
        else:
            named[name] = blow
    if weapons := [_weapon(name, blow) for name, blow in named.items()]:
        entries.append(Entry("weapons", weapons, (written.blows,)))
    if len(written.routines) > 1 or any(len(routine) > 1 for routine in written.routines):
        unread.append(written.blows)


def _weapon(name: str, blow: Blow) -> dict[str, object]:
    """A weapon, with what a hit does besides."""
    weapon: dict[str, object] = {"name": name, "damage": blow.dice}
    words = re.sub(r"^(?:\+|and\b) ?", "", blow.besides).strip()
    return weapon | ({"special": words[:200]} if words else {})
