"""The vocabulary: every kind has one name, one meaning, and one way to be written."""

import re
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, structs

from ledger.events import (
    KINDS,
    ConditionGained,
    Declared,
    Disengaged,
    Engaged,
    Event,
    Felled,
    HpLost,
    Joined,
    Left,
    Noted,
    Number,
    Passage,
    PhaseBegan,
    Rolled,
    Ruled,
    Step,
    decode,
    encode,
    tag,
)
from projections.narration import Told, told
from tests.kit import total
from tests.shell import ROOT

FILES = sorted((ROOT / "ledger" / "events").glob("*.py"))
NAMES = st.sampled_from(["Ann", "Bob", "Zoë", "", "a-1"])
TEXTS = st.one_of(NAMES, st.text(max_size=8))
NUMBERS = st.integers(-(2**53), 2**53)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=5,
)
st.register_type_strategy(Raw, JSON.map(msgspec.json.encode).map(Raw))


def events(kind: type[Event]) -> st.SearchStrategy[Event]:
    """Any event of a kind, from the types of its fields."""
    fields = {}
    hints = get_type_hints(kind)
    for name in kind.__struct_fields__:
        hint = hints[name]
        if hint is str:
            fields[name] = NAMES if name in ("who", "side", "condition", "kind") else TEXTS
        elif hint is int:
            fields[name] = st.one_of(st.integers(0, 9), NUMBERS)
        elif name in ("said", "content"):
            fields[name] = st.dictionaries(TEXTS, JSON, max_size=3)
        else:
            fields[name] = st.from_type(hint)
    return st.builds(kind, **fields)


ANY = st.one_of(*map(events, KINDS))


def test_every_class_of_the_vocabulary_is_a_kind_or_a_part_of_one():
    """What a file of `ledger/events` defines below `Event` can be recorded; nothing else can."""
    classes = re.findall(
        r"^class (\w+)\(Event, tag=", "".join(path.read_text(encoding="utf-8") for path in FILES), re.M
    )
    assert sorted(classes) == sorted(kind.__name__ for kind in KINDS)
    assert len(KINDS) == len(set(KINDS))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_a_name_a_meaning_and_the_shape_of_all(kind: type[Event]):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", tag(kind))
    assert tag(kind).replace("-", "") == kind.__name__.lower()
    assert kind.__doc__
    assert kind.__doc__.endswith(".")
    config = kind.__struct_config__
    assert (config.frozen, config.forbid_unknown_fields, config.omit_defaults, config.tag_field) == (
        True,
        True,
        True,
        "event",
    )


def test_the_card_of_a_harm_names_its_fields_and_its_word():
    """The view reads the word from the tag, every table the fields from the card."""
    for kind in KINDS:
        said = [kind.UNIT, kind.AMOUNT, kind.NOW]
        assert kind.WORD or not any(said)
        assert tag(kind).startswith(f"{kind.WORD}-" if kind.WORD else "")
        assert {kind.AMOUNT, kind.NOW} - {""} <= {*kind.__struct_fields__}
        assert "who" in kind.__struct_fields__ or not (kind.WORD or kind.SAYS)


def test_no_two_kinds_share_a_name():
    assert len({tag(kind) for kind in KINDS}) == len(KINDS)


def test_no_field_is_a_float():
    """Integers only: no rounding can ever change what happened."""
    for kind in (*KINDS, Number, Step):
        assert "float" not in str(get_type_hints(kind))


@settings(max_examples=300)
@given(ANY)
def test_what_is_written_is_read_back(event: Event):
    """And written again it has the same bytes."""
    body = encode(event)
    read = decode(body)
    assert type(read) is type(event)
    assert encode(read) == body
    assert decode(body.decode()) == read


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_field_is_refused(kind: type[Event]):
    body = msgspec.json.decode(encode(sample(kind)))
    with pytest.raises(msgspec.ValidationError, match="unknown field `zzz`"):
        decode(msgspec.json.encode({**body, "zzz": 1}))


def sample(kind: type[Event]) -> Event:
    """The plainest event of a kind."""
    return kind(**{field.name: plain(field.type) for field in structs.fields(kind) if field.required})


def plain(hint: Any) -> object:
    """The plainest value of a type; of a tuple of any length the empty one."""
    simple = {str: "x", int: 1, bool: True, Raw: Raw(b"{}")}
    if hint in simple:
        return simple[hint]
    parts, text = get_args(hint), str(hint)
    if text.startswith("tuple"):
        return () if Ellipsis in parts else tuple(map(plain, parts))
    return {} if text.startswith("dict") else parts[0] if "Literal" in text else "x"


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_field_is_refused_and_a_default_need_not_be_written(kind: type[Event]):
    body = msgspec.json.decode(encode(sample(kind)))
    required = [field.encode_name for field in structs.fields(kind) if field.required]
    assert list(body) == ["event", *required]
    for name in required:
        with pytest.raises(msgspec.ValidationError, match=f"missing required field `{name}`"):
            decode(msgspec.json.encode({key: value for key, value in body.items() if key != name}))


@pytest.mark.parametrize(
    ("event", "body"),
    [
        (Noted("hi"), '{"event":"noted","text":"hi"}'),
        (Noted("hi", "Zoë"), '{"event":"noted","text":"hi","who":"Zoë"}'),
        (Felled("Bob", "dead"), '{"event":"felled","who":"Bob","how":"dead"}'),
        (PhaseBegan("melee", True), '{"event":"phase-began","phase":"melee","simultaneous":true}'),
        (
            ConditionGained("Bob", "aimed", amount=2),
            '{"event":"condition-gained","who":"Bob","condition":"aimed","amount":2}',
        ),
        (
            Declared("say", {"b": 1, "a": {"d": 2, "c": 3}}),
            '{"event":"declared","verb":"say","said":{"a":{"c":3,"d":2},"b":1}}',
        ),
        (
            Joined("Bob", "foes", Raw(b'{"b":1, "a":2}')),
            '{"event":"joined","who":"Bob","side":"foes","sheet":{"b":1, "a":2}}',
        ),
    ],
)
def test_an_event_is_written_like_this(event: Event, body: str):
    """Fields in their order, mappings sorted, defaults left out; a stat block as it came."""
    assert encode(event).decode() == body


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "{}",
        "3",
        '{"event":"sung"}',
        '{"event":"noted","text":3}',
        '{"event":3}',
        '{"event":"felled","who":"Bob","how":"tired"}',
        '{"event":"noted","text":"a"} x',
    ],
)
def test_a_text_that_is_not_an_event_is_refused(body: str):
    with pytest.raises(msgspec.DecodeError):
        decode(body)


# How it is told


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_tells_itself_with_its_own_fields(kind: type[Event]):
    """A name in braces that is no field would fail; braces in what somebody wrote are left as they are."""
    event = sample(kind)
    assert isinstance(event.told(), str)
    assert event.line() in (event.told(), event.arithmetic(), f"{event.arithmetic()}: {event.told()}")
    assert Left("{who}").told() == "{who} leaves"


def test_the_outcome_is_told_apart_from_the_arithmetic():
    """14 + 2 is more than 8: what came of it can be read without the numbers."""
    attack, defense = Number("attack", (Step(14, "d20"), Step(2, "sword")), 16), Number("defense", (Step(8, "d20"),), 8)
    ruled = Ruled("x.hit", "Ann", "Bob", "hit", (attack, defense), ">")
    assert (ruled.told(), ruled.arithmetic()) == (
        "hit",
        "attack 16 (d20 14 +2 sword) > defense 8 (d20): hit",
    )
    assert ruled.line() == "attack 16 (d20 14 +2 sword) > defense 8 (d20): hit"
    rolled = Rolled("Ann", "luck", "", "2d6", (3, 4), (0, 1))
    assert (rolled.told(), rolled.arithmetic()) == ("", "Ann rolls 2d6 for luck: 3*+4")
    assert (HpLost("Bob", 4, 5).told(), HpLost("Bob", 4, 5).arithmetic()) == ("Bob loses 4 hp, now 5", "")
    assert HpLost("Bob", 4, 5, 9).told() == "Bob loses 4 hp, now 5/9"
    aside = Ruled("x.place", "Ann", "Bob", "arms", (Number("place", (Step(3, "d4"),), 3),), "", aside=True)
    assert (aside.told(), aside.arithmetic()) == ("", "place 3 (d4): arms")
    assert Ruled("x.sees", "Ann", "Bob", "seen", (), "", aside=True).arithmetic() == "seen"


def test_an_entry_is_told_with_its_outcomes_first_and_the_arithmetic_below_each():
    """The deed comes first, though the phase began before it; the roll is seen in the comparison, marked as thrown by
    hand.
    """
    attack, defense = Number("attack", (Step(14, "d20", roll=1),), 14), Number("defense", (Step(8, "book"),), 8)
    entry = [
        Declared("attack", {"who": "Ann", "target": "Bob"}),
        PhaseBegan("melee"),
        Passage("Ann", "Bob"),
        Rolled("Ann", "attack", "Bob", "1d20", (14,), (0,)),
        Ruled("x.hit", "Ann", "Bob", "hit", (attack, defense), ">"),
        HpLost("Bob", 4, 5, 9),
        Passage(),
        Left("Ann"),
    ]
    assert told(entry, {}) == [
        Told("Ann attacks Bob: hit; Bob loses 4 hp, now 5/9", ("attack 14 (d20*) > defense 8 (book): hit",), "harm"),
        Told("melee phase"),
        Told("Ann leaves"),
    ]


def test_the_same_outcome_by_two_rules_is_told_once_and_by_two_tries_twice():
    """A first death that is also the loss of half makes one morale check due; two hits are two hits."""
    attack, hit = Declared("attack", {"who": "Ann", "target": "Bob"}), Ruled("x.hit", "Ann", "Bob", "hit", (), "")
    due = [Ruled(f"x.{rule}", "orcs", "", "a morale check is due", (), "") for rule in ("first", "half")]
    assert [one.outcome for one in told([attack, hit, hit, *due], {})] == [
        "Ann attacks Bob: hit; hit", "the orcs: a morale check is due"
    ]  # fmt: skip


def test_what_somebody_does_not_do_begins_the_line_of_what_befalls_another():
    """Ann declares nothing against Bob; what comes of it for him stands behind."""
    ruled = Ruled("x.unit", "Ann", "Ann", "Ann does not strike", (), "")
    events = [Declared("move", {"who": "Bob"}), Passage("Ann", "Bob"), ruled, HpLost("Bob", 3, 5)]
    assert [one.outcome for one in told(events, {})] == ["Bob moves", "Ann does not strike: Bob loses 3 hp, now 5"]


def test_the_engagements_of_who_falls_are_not_told():
    """Bob falls at the first blow: that he fights nobody any more goes without saying."""
    attack = Declared("attack", {"who": "Ann", "target": "Bob"})
    fall = [Engaged("Ann", "Bob"), Felled("Bob", "dead"), Disengaged("Bob", "Ann"), Disengaged("Bob", "Cat")]
    assert [one.outcome for one in told([attack, *fall], {})] == ["Ann attacks Bob: Bob is dead"]


def test_a_ruling_is_not_told_beside_the_fact_that_says_so():
    """What repeats it is the condition, not a name that happens to end with the same word."""
    attack = [Declared("attack", {"who": "Ann", "target": "Sir Dead"}), Passage("Ann", "Sir Dead")]
    ruled = Ruled("x.dead", "Ann", "Sir Dead", "dead", (), "")
    assert [one.outcome for one in told([*attack, ruled, Felled("Sir Dead", "dead")], {})] == [
        "Ann attacks Sir Dead: Sir Dead is dead"
    ]
    held = Ruled("x.dead", "Ann", "Sir Dead", "Sir Dead is held", (), "")
    assert [one.outcome for one in told([*attack, ruled, held], {})] == ["Ann attacks Sir Dead: dead; Sir Dead is held"]


# Numbers that remember their arithmetic


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["plus", "minus", "times", "over", "at_least", "at_most", "up"]), st.integers(-20, 20)
        )
    )
)
def test_the_steps_of_a_number_come_to_its_total(steps: list[tuple[str, int]]):
    number = Number("x", (Step(7, "die"),), 7)
    for how, value in steps:
        match how:
            case "over" | "up":
                number = number.over(abs(value) or 1, "share", up=how == "up")
            case _:
                number = getattr(number, how)(value, "because")
    assert total(number) == number.total


def test_a_number_reads_like_the_table_says_it():
    """(7 + 4 - 2) x 3 = 27, halved and rounded up 14, at most 10."""
    number = (
        Number("damage", (Step(7, "d8"),), 7).plus(4, "class").plus(-2, "cover").times(3, "crit").plus(0, "nothing")
    )
    number = number.over(2, "half", up=True).at_most(10, "cap").at_least(1, "floor").called("harm")
    assert [(step.op, step.value) for step in number.steps] == [
        ("+", 7), ("+", 4), ("-", 2), ("x", 3), ("/up", 2), ("min", 10)]  # fmt: skip
    assert (number.of, number.total) == ("harm", 10)
