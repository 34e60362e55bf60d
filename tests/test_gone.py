"""Somebody whom an action names and who is not at the table is told of in a sentence, in any type of field."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from commands.action import systems
from commands.action.declaration import PEOPLE, Declaration, shapes
from commands.action.dice_sources import Dice, of_record
from commands.action.names import check_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from ledger.errors import AffrayError, NameUnknown
from ledger.events import Declared, Rolled, decode
from projections.state import State, fold
from tests.shell import Shell
from tests.test_golden import STORIES, golden_of, named, recorded

OTHERS = frozenset({
    "", "group", "groups", "entry", "square", "words", "places", "text", "toml", "table", "sheet", "encounter", "party",
    "option", "value", "item", "spell", "area", "table-name", "faces", "disputed", "scores",
})  # fmt: skip
"""The words of all other types of fields: they name nobody, or the rules read the names in them."""
EVERY = {
    (system, verb): systems.procedure(found)[1]
    for system in systems.SYSTEMS
    for verb, found in {**systems.COMMON, **systems.load(system).verbs}.items()
}
"""The declaration of each verb."""


def test_each_field_of_each_declaration_is_checked():
    """Every type of field is known here, and one that names people is checked."""
    for kind in EVERY.values():
        for field, shape in shapes(kind):
            assert shape.word in OTHERS or shape.word in PEOPLE, (kind, field.name, shape.word)
            if shape.word in PEOPLE:
                said = msgspec.convert({field.name: ["Gone"] if shape.many else "Gone"}, _alone(kind, field.name))
                with pytest.raises(NameUnknown, match="Gone is not at the table"):
                    check_names(State(), said)


def _alone(kind: type[Declaration], field: str) -> type[Declaration]:
    """A declaration that has one field of another one, and no more."""
    (found,) = [one for one in msgspec.structs.fields(kind) if one.name == field]
    return msgspec.defstruct(kind.__name__, [(field, found.type)], bases=(Declaration,))


def without(value: Any, names: Mapping[str, object]) -> Iterator[Any]:
    """What was said, each time with another name of somebody replaced by one that nobody has."""
    if isinstance(value, str):
        for name in names:
            if name in (value, *re.split("[@=:,]", value)):
                yield value.replace(name, "Gone")
    elif isinstance(value, list):
        for nth, one in enumerate(value):
            for other in without(one, names):
                yield [*value[:nth], other, *value[nth + 1 :]]


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_an_action_of_a_story_that_names_somebody_who_is_gone_is_impossible_or_does_without(story):
    """In any field, and within its words, as `NAME=3` or `@NAME`."""
    states, tried = {0: State()}, 0
    for number, bodies in enumerate(recorded(golden_of(story)), 1):
        events = [decode(body) for body in bodies]
        declared, before = events[0], states[number - 1]
        if not isinstance(declared, Declared) or declared.verb in ("undo", "redo", "amend") or declared.instant:
            break  # the course jumps: the rest stands on another state
        _, kind = systems.procedure(systems.find_verb(before.campaign.system, declared.verb))
        for field, value in declared.said.items():
            for other in without(value, before.roster.members):
                said, tried = msgspec.convert({**declared.said, field: other}, kind), tried + 1
                try:
                    check_names(before, said)
                    dice = Dice(of_record(event for event in events if isinstance(event, Rolled)))
                    resolve(Resolution(before, declared.verb, said, dice, declared.allow))
                except AffrayError:
                    continue
        states[number] = fold(before, events)
    assert tried


def test_the_join_of_somebody_who_is_struck_later_is_left_out(shell: Shell):
    """The blow is impossible then, and the amendment says so; under another name it was struck all the same."""
    shell.done("init", "Test", "--system", "arkm")
    for words in ("fighter --called Hild", "orc --dice 4"):
        shell.done("join", *words.split())
    shell.done("begin")
    shell.done("initiative", "--dice", "6,1")
    shell.done("move", "hild", "--to", "orc", "--feet", "5")
    shell.done("done")
    shell.done("phase", "melee", "--pass-rest")
    shell.done("attack", "hild", "orc", "--dice", "2")
    shell.done("pass", "hild")
    shell.done("attack", "orc", "hild", "--dice", "2")
    assert shell.course("e2", "--drop")[11] == ("no longer possible", None)
    shell.done("amend", "e2", "--called", "Hilda", "--apply")
    entry = shell.facts("log", "--last", "1")
    assert entry["events"][0]["said"] == {"who": "Orc", "target": ["Hilda"]}
