"""No result depends on the order of typing: options, modifiers, places, scores, and the fields of a file."""

from collections.abc import Iterator
from inspect import get_annotations
from typing import Any

import msgspec
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from commands.action import systems
from commands.action.common import Init, Join
from commands.action.declaration import Declaration, shapes
from commands.action.dice_sources import Dice, of_record, stream
from commands.action.names import check_names, resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.action.rule_tables import Table, shipped
from commands.action.stat_blocks import SheetSet
from ledger.dice import committed
from ledger.errors import UsageError
from ledger.events import Declared, Rolled, decode, encode
from projections.state import State, fold
from projections.state import decode as decode_state
from tests.aachen import table as aachens
from tests.arkm import table as arkms
from tests.dungeoneers import table as creatures
from tests.freepg import table as freepgs
from tests.kit import KEY, Told, given, verb_of
from tests.paraverse import table as paraverses
from tests.sample import sampled
from tests.shell import Shell
from tests.test_golden import STORIES, golden_of, named, recorded


def verb(system: str, name: str) -> Any:
    """The declaration of a verb."""
    return systems.procedure(systems.find_verb(system, name))[1]


def cases() -> Iterator[tuple[Told, Declaration]]:
    """A table, and a declaration with fields whose order means nothing."""
    start = Told(State(), ())
    own = {name: {"file": f"{name}.toml", "content": shipped("arkm", name)[0]} for name in ("fumble", "reaction")}
    house = {"weapon_slots": "1", "critical_ignores_range": "false", "min_hit_damage": "2"}
    yield start, Init("c", "freepg", committed(KEY), house)
    yield start, Init("c", "arkm", committed(KEY), {}, own)
    yield given("arkm"), Table("fumble", own["fumble"])
    yield given("dungeoneers"), creatures.skeleton(ammo={"arrow": 5, "bolt": 3}, slots={"head": 1, "body": 2})
    yield given("paraverse"), paraverses.sigrun()

    grubs = [freepgs.grub(at=(4, y), name=f"Grub-{y}") for y in range(3)]
    told = freepgs.table(freepgs.boffin(freepgs.BOW, at=(0, 0)), *grubs)
    squares = {"obstacles": [[9, 9], [9, 8]], "amplifiers": [[8, 8]], "drains": [[6, 6]], "difficult": [[7, 7]]}
    yield told, verb("freepg", "begin")(map=squares)
    yield told, SheetSet("boffin", dict(freepgs.boffin(freepgs.SWORD, at=(0, 0)).sheets[0]))
    mods = ("hit:+2:scope", "hit:-1:rain", "defense@grub-0:-1:blinded", "damage:+1:luck", "untyped:+1:cheer")
    lines = ("clear", "clear@grub-1", "clear@grub-0")
    yield told, verb("freepg", "attack")("boffin", ("grub-0", "grub-1"), radius=2, los=lines, mod=mods)
    checked = ("2:luck", "-1:rain", "check:+1:cheer")
    yield told, verb("freepg", "check")("boffin", dt=8, mod=checked)
    yield told, verb("freepg", "heal")("boffin", "boffin", mod=checked)

    rows = [{"sheets": [{"name": "Kira", "skill": {"climb": 5}}], "called": "Kia", "at": [[1, 1, 0]]}]
    ground = [["terrain", {"feature": "drain", "at": [[3, 3, 0]]}]]
    encounter = {"file": "e.toml", "begin": {"name": "Hill", "seats": ["gm"]}, "join": rows, "ground": ground}
    party = {"file": "p.toml", "party": [{"sheets": [{"name": "Lio", "fly": 2}], "side": "party"}]}
    yield given("freepg"), verb("freepg", "begin")(from_=encounter, party=party)

    mods = ("+2:height", "-1:rain", "+1:height")
    told = aachens.fight(aachens.adalger(), aachens.gerlind(), aachens.guard("Guard-1"), aachens.guard("Guard-2"))
    yield told, verb("aachen", "initiative")(("pc=3", "opp=9"))
    yield told, verb("aachen", "attack")("adalger", "guard-1", mod=mods)
    yield told, verb("aachen", "check")("adalger", "STR", "stab", difficulty=8, mod=mods)
    yield told, verb("aachen", "save")("adalger", "luck", mod=mods)
    yield told, verb("aachen", "morale")(("guard-1",), mod=mods)
    yield aachens.adjusted(told, "Guard-1", "down", "dying"), verb("aachen", "heal")("adalger", "guard-1", mod=mods)
    for other in ("Guard-1", "Guard-2"):
        told = aachens.adjusted(told, "Adalger", "engaged", other)
    yield told, verb("aachen", "move")("adalger", 10, leave=("guard-2", "guard-1"))

    told = given("arkm", arkms.bran(), arkms.ogre(), Join((arkms.ORC,), side="orcs"))
    yield told, verb("arkm", "begin")(meet=(arkms.TROLL, arkms.AUROCHS))
    yield told, verb("arkm", "begin")(engaged=("bran:ogre", "bran:orc"))
    told = told.when(verb("arkm", "begin")())
    yield told, verb("arkm", "surprise")(aware=("party", "orcs"))
    mods = ("2:height", "-1:rain", "1:height")
    near = arkms.melee(arkms.fighting(arkms.bran(), arkms.orcs()), ("Bran", "Orc"))
    yield near, verb("arkm", "attack")("bran", ("orc",), mod=mods)
    away = arkms.fighting(arkms.elowen(), arkms.orcs(), phase="missile")
    yield away, verb("arkm", "shoot")("elowen", "orc", distance=10, mod=mods)
    yield near, verb("arkm", "disarm")("bran", "orc", mod=mods)
    yield near, verb("arkm", "grapple")(("bran",), "orc", mod=mods)
    yield told, verb("arkm", "save")("bran", "spells", mod=mods)
    yield told, verb("arkm", "reaction")("orc", mod=mods)
    yield told, verb("arkm", "morale")("orc", "upset", mod=mods)
    yield told, verb("arkm", "pursue")(("orc",), ("party",), 60, mod=mods)
    mages = arkms.fighting(arkms.bran(caster=True), arkms.orcs(caster=True), phase="magic")
    yield mages, verb("arkm", "check")("bran", "orc", "golem", mod=mods)
    yield mages, verb("arkm", "cast")("bran", "hold", target=("orc",), save="spells", mod=mods)
    ranges = {"party": "5", "foes": "1", "orcs": "3"}
    yield told, verb("arkm", "surprise")(stealth=ranges, alert={"party": "1", "orcs": "4"})

    told = creatures.table(creatures.suori(), creatures.freya(), creatures.skeleton(), creatures.alberich(side="x"))
    places = ("suori=3,3,E", "freya=3,4", "skeleton=4,3,W", "alberich=9,9,n")
    begin = verb("dungeoneers", "begin")(at=places, truce=("dungeoneers:x", "undead:x"))
    yield told, begin
    scores = ("suori=3", "freya=9", "skeleton=-2", "alberich=4")
    yield told, verb("dungeoneers", "initiative")(scores)
    yield told.when(begin), verb("dungeoneers", "round")(set_=scores)
    struck = verb("dungeoneers", "attack")("suori", "skeleton", mod=("1:rage", "dodge@skel:-1:blind", "wounds:1:oil"))
    fighting = creatures.fight(creatures.suori(), creatures.freya(), creatures.skeleton())
    yield fighting, struck
    told = creatures.table(creatures.suori(equipped=["mace", "shortsword"], carried=["warhammer"]))
    yield told, verb("dungeoneers", "draw")("suori", "warhammer", instead=("shortsword", "mace"))

    told = given("paraverse", *paraverses.ALL)
    yield (
        told,
        verb("paraverse", "begin")(
            areas=("hall", "yard", "wall"),
            link=("hall:yard", "hall:wall:check=athletics", "wall:yard:oneway:see=no"),
            at=("sigrun=yard", "vasko=wall", "ildar=hall", "reaver=wall"),
            option={"tie_multiplier": "2", "engagement": "false"},
        ),
    )
    mods = ("evasion:+1", "athletics:-2", "one-handed:+2", "evasion:adv", "all:adv", "athletics:dis", "one-handed:dis")
    yield told, verb("paraverse", "effect")(("sigrun", "reaver"), name="bless", gives=mods)
    mods = (
        "@sigrun:+2:height",
        "-1:rain",
        "athletics@sigrun:+1",
        "adv:sun",
        "adv:wind",
        "dis:mud",
        "@sigrun:dis:smoke",
    )
    yield told, verb("paraverse", "check")("sigrun", "athletics", mod=mods)


CASES = list(cases())


def unordered(declaration: type[Declaration]) -> set[tuple[type, str]]:
    """The fields whose order means nothing, each with its class."""
    return {
        (next(kind for kind in declaration.__mro__ if field.name in get_annotations(kind)), field.name)
        for field, shape in shapes(declaration)
        if shape.any_order or shape.base is dict or (shape.inner and shape.inner.base is dict)
    }


def everything() -> set[type[Declaration]]:
    """The declarations of all recorded verbs."""
    return {
        systems.procedure(found)[1]
        for system in systems.SYSTEMS
        for found in (*systems.COMMON.values(), *systems.load(system).verbs.values())
        if found.module != "commands.files.init"
    }


def test_all_fields_without_order_are_tried():
    """A new option of this kind needs a case here."""
    said = {field for _, case in CASES for field in unordered(type(case)) if getattr(case, field[1])}
    assert said == {field for declaration in everything() for field in unordered(declaration)}


ORDERED = {
    "seats": "they sit in this order",
    "via": "the way goes along them in this order",
    "directions": "the steps are taken in this order",
    "words": "a sentence",
    "faces": "the dice fell in this order",
    "areas": "who has no place is in the first",
    "opportune": "they strike in this order",
    "at": "each of those who join stands on the next square",
}
"""The lists of words in which the order of typing says something."""


def test_a_list_of_words_has_an_order_only_where_it_says_something():
    """Except names of fighters: they act and roll in the order named."""
    lists = {
        field.name
        for declaration in everything()
        for field, shape in shapes(declaration)
        if shape.many and not shape.any_order and shape.word not in ("fighters", "blows", "groups", "sheet")
    }
    assert lists <= set(ORDERED)


def shuffled(value: Any, draw: Any) -> Any:
    """The value with the keys of its mappings in any order."""
    match value:
        case dict():
            return {key: shuffled(value[key], draw) for key in draw(st.permutations(list(value)))}
        case list() | tuple():
            return type(value)(shuffled(one, draw) for one in value)
    return value


def typed(said: Declaration, draw: Any) -> Declaration:
    """The same declaration, typed in another order."""
    changes: dict[str, Any] = {}
    for field, shape in shapes(type(said)):
        value = getattr(said, field.name)
        changes[field.name] = tuple(draw(st.permutations(value))) if shape.any_order else shuffled(value, draw)
    return replace(said, **changes)


def carried_out(told: Told, said: Declaration) -> list[bytes]:
    """What is recorded of a declaration, and the state that it leads to, byte for byte."""
    fight = resolve(Resolution(told.state, verb_of(said), resolve_names(told.state, said), Dice(stream(KEY))))
    return [*map(encode, fight.events), fight.state.encoded().encode()]


@pytest.mark.parametrize(
    ("told", "said"), sampled(CASES, 4, True), ids=[f"{at}-{verb_of(said)}" for at, (_, said) in enumerate(CASES)]
)
@settings(max_examples=25)
@for_all(data=st.data())
def test_the_order_of_typing_changes_nothing(told: Told, said: Declaration, data: st.DataObject):
    """What is recorded is the same to the byte, and is what an audit makes of the record."""
    events = carried_out(told, said)
    assert carried_out(told, typed(said, data.draw)) == events
    declared = decode(events[0])
    assert isinstance(declared, Declared)
    again = msgspec.convert(declared.said, type(said))
    rolls = Dice(of_record(event for event in map(decode, events[:-1]) if isinstance(event, Rolled)))
    assert [*map(encode, resolve(Resolution(told.state, declared.verb, again, rolls)).events)] == events[:-1]


def test_house_rules_may_be_set_in_any_order(shell: Shell):
    shell.done(
        "init", "c", "--system", "freepg", "--option", "weapon_slots=1", "--option", "critical_ignores_range=false"
    )
    shell.done("verify")


def test_an_encounter_may_set_house_rules_in_any_order(shell: Shell):
    shell.done("init", "c", "--system", "paraverse")
    shell.done("join", "sigrun", "reaver")
    shell.done("begin", "--option", "tie_multiplier=2", "--option", "engagement=false")
    shell.done("verify")


CONTRADICTIONS = [
    ("freepg", ("init", "x", "--system", "freepg", "--option", "weapon_slots=1", "--option", "weapon_slots=2")),
    ("dungeoneers", ("initiative", "suori=4", "suo=3")),
    ("dungeoneers", ("begin", "--at", "suori=2,1", "--at", "s=1,1")),
    ("paraverse", ("begin", "--areas", "a,b", "--at", "sigrun=a", "--at", "sig=b")),
    ("paraverse", ("begin", "--areas", "a,b", "--link", "a:b", "--link", "b:a:see=no")),
]


@pytest.mark.parametrize(("system", "words"), CONTRADICTIONS)
def test_two_values_for_one_name_are_refused(shell: Shell, system: str, words: tuple[str, ...]):
    """Otherwise the order of typing would decide."""
    shell.done("init", "test", "--system", system)
    if system != "freepg":
        shell.done("join", {"dungeoneers": "suori", "paraverse": "sigrun"}[system])
    shell.refused(*words, code=2)


def test_two_words_on_one_line_of_sight_are_a_contradiction():
    told = freepgs.table(freepgs.boffin(freepgs.BOW, at=(0, 0)), freepgs.grub(at=(4, 0)))
    with pytest.raises(UsageError, match="the line is given both 'blocked' and 'clear'"):
        told.when(verb("freepg", "attack")("boffin", ("grub",), los=("clear", "blocked")))


def test_two_scores_or_ranges_of_one_are_a_contradiction():
    told = aachens.fight(aachens.adalger(), aachens.guard())
    with pytest.raises(UsageError, match="pc is given both '3' and '4'"):
        told.when(verb("aachen", "initiative")(("pc=3", "pc=4")))
    told = given("arkm", arkms.bran(), arkms.ogre()).when(verb("arkm", "begin")())
    with pytest.raises(UsageError, match="party is given both '1' and '2'"):
        told.when(verb("arkm", "surprise")(stealth={"party": "2", "par": "1"}))


def backwards(state: State) -> State:
    """The same state, with every mapping in it the other way round."""
    return decode_state(msgspec.json.encode(_backwards(msgspec.json.decode(state.encoded()))).decode())


def _backwards(value: Any) -> Any:
    match value:
        case dict():
            return {key: one if key == "sheet" else _backwards(one) for key, one in reversed(value.items())}
        case list() | tuple():
            return [_backwards(one) for one in value]
    return value


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_no_order_of_a_mapping_in_the_state_matters(story):
    """Whether the state comes from a checkpoint or from the events, an action comes out the same."""
    states, played = {0: State()}, 0
    for number, bodies in enumerate(recorded(golden_of(story)), 1):
        events = [decode(body) for body in bodies]
        declared = events[0]
        if not isinstance(declared, Declared) or declared.verb in ("undo", "redo", "amend") or declared.instant:
            break  # the course jumps: the rest stands on another state
        before = states[number - 1]
        said = msgspec.convert(declared.said, verb(before.campaign.system, declared.verb))
        other = backwards(before)
        assert other.encoded() == before.encoded()
        check_names(other, said)
        rolls = Dice(of_record(event for event in events if isinstance(event, Rolled)))
        assert [
            encode(event).decode()
            for event in resolve(Resolution(other, declared.verb, said, rolls, declared.allow)).events
        ] == bodies
        states[number] = fold(before, events)
        played += 1
    assert played > 5
