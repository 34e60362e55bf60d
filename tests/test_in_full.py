"""What was only begun is recorded in full, so that the record reads well."""

import json
import shlex

import msgspec
import pytest

from commands.words.command import order_of
from commands.words.command_lines import typed
from commands.words.form import fields_of
from ledger.errors import AffrayError
from ledger.events import Declared
from tests import tables
from tests.kit import KEY
from tests.misspelt import Right, right
from tests.shell import Shell

SYSTEMS = ("aachen", "arkm", "dungeoneers", "freepg", "paraverse")
BEGUN = {"thing", "area", "group", "value"}
"""Kinds of fields in which a beginning of a word is taken."""
AS_TYPED = {("cast", "spell"), ("pray", "prayer")}
"""Words of which the rules hold no list, in some systems."""


def recorded(line: Right, words: str) -> tuple[Declared, list[object]] | None:
    """What an entry says was said, and its other events; None for a line that is refused."""
    try:
        said, *events = tables.done(line.state, words, KEY).events
    except AffrayError:
        return None
    assert isinstance(said, Declared)
    return said, [*events]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_thing_an_area_and_a_group_that_are_begun_are_recorded_in_full(system: str):
    """Where the entry comes to the same, it also says the same, with which weapon, of which group and where to."""
    met = 0
    for line in right(system):
        order = order_of(line.words, system)
        said, whole = order.declaration, recorded(line, shlex.join(line.words))
        for field in fields_of(type(said)):
            word = getattr(said, field.name)
            if field.kind not in BEGUN or not isinstance(word, str) or (order.verb, field.name) in AS_TYPED:
                continue
            for length in range(max(len(word) - 3, 2), len(word)):
                short = typed(order.verb, msgspec.structs.replace(said, **{field.name: word[:length]}), order.allow)
                begun = recorded(line, short.removeprefix("affray "))
                if begun and whole and begun[1] == whole[1]:
                    met += 1
                    assert begun[0].said == whole[0].said, short
    assert met > 10 or system == "freepg"


def test_a_weapon_that_is_begun_is_recorded_in_full(shell: Shell):
    """FReePG's kept fights name none: the sword of Boffin."""
    shell.done("init", "test", "--system", "freepg", "--key", KEY.hex())
    shell.done("join", "boffin", "ogre")
    for line in ("begin", "initiative --dice 14,3", "attack boffin ogre 14 6 --with SW", "stow boffin sw"):
        shell.done(*line.split())
    entries = map(json.loads, shell.done("log", "--last", "2", "--json").splitlines())
    said = [one["events"][0]["said"] for one in entries]
    assert [one.get("with_") or one["item"] for one in said] == ["sword", "sword"]


WITHIN = [
    ("aachen", "join adalger guard; begin; initiative --dice 3,5; initiative gua=9,ada=2", "scores",
     ["Adalger=2", "Guard=9"]),
    ("aachen", "join adalger; join guard --called Oppert; begin; initiative --dice 3,5; initiative opp=9", "scores",
     ["opp=9"]),
    ("aachen", "join adalger guard; begin; initiative --dice 3,5; adjust ada engaged gua why", "value", "Guard"),
    ("arkm", "join fighter orc; begin --engaged ald:or", "engaged", ["Aldric:Orc"]),
    ("dungeoneers", "join freya skeleton; begin --at sk=3,1 --at fr=1,1", "at", ["Freya=1,1", "Skeleton=3,1"]),
    ("dungeoneers", "join freya skeleton; begin; initiative sk=3,fr=4", "scores", ["Freya=4", "Skeleton=3"]),
    ("dungeoneers", "join freya skeleton; begin; round --set sk=3,fr=4", "set_", ["Freya=4", "Skeleton=3"]),
    ("freepg", "join boffin --at 0,0; join grub --at 3,0; begin; initiative --dice 14,3; "
     "attack boffin gr 9 3 --los clear@gr", "los", ["clear@Grub"]),
    ("paraverse", "join sigrun reaver; begin --areas hall,yard --at rea=yard", "at", ["Reaver=yard"]),
]  # fmt: skip
"""A system, lines, the field of the last that holds a name within a word, and what is recorded of it."""


@pytest.mark.parametrize(("system", "lines", "field", "recorded"), WITHIN)
def test_a_name_within_a_word_is_recorded_in_full(shell: Shell, system: str, lines: str, field: str, recorded: object):
    """The word of a side stays that, also where the name of somebody begins so."""
    shell.done("init", "test", "--system", system, "--key", KEY.hex())
    for line in lines.split("; "):
        shell.done(*line.split())
    assert json.loads(shell.done("log", "--last", "1", "--json"))["events"][0]["said"][field] == recorded
    shell.done("verify")


def test_a_reason_is_no_name(shell: Shell):
    """freepg.attack.hit-test: what stands behind the colon is free words, also with an @ in it."""
    shell.done("init", "test", "--system", "freepg", "--key", KEY.hex())
    for line in (
        "join boffin grub",
        "begin",
        "initiative --dice 14,3",
        "attack boffin gr 9 3 --mod attack@bof:1:luck@gr",
    ):
        shell.done(*line.split())
    said = json.loads(shell.done("log", "--last", "1", "--json"))["events"][0]["said"]
    assert said["mod"] == ["attack@Boffin:1:luck@gr"]
