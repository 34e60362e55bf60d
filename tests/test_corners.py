"""What hardly ever happens: parts that are none, glimpses, dice that are taken back, boards that say less."""

import doctest
import hashlib
import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from msgspec import Raw

from commands.action import names, prepared, rulebook, systems
from commands.action.adjust import Adjust
from commands.action.board import Bar, named_powers
from commands.action.common import Join, Option
from commands.action.declaration import is_entry, read_square, whole
from commands.action.dice_sources import LEFT_OUT, Answer, Dice, Question, stream
from commands.action.mistakes import structs_in
from commands.action.rolling import Roll
from commands.action.values import meant
from commands.rules.freepg.encounter import Begin
from ledger import parts
from ledger.chain import leaf
from ledger.errors import NameUnknown, UsageError
from ledger.events import ConditionGained, Declared, HpLost, HpSet, Joined, Noted, Ruled, Stirred, encode, split
from projections.glimpses import fields, glimpse, known_events, tells
from projections.plain_words import worded
from projections.statistics import median
from tests.kit import KEY, answer, given
from tests.shell import ROOT, Shell
from tests.test_mistakes import Ring, Sheet

BLIND = bytes(range(16))

# Parts


def test_the_leaves_of_an_entry_are_those_of_its_parts_in_order():
    """All open halves, words, counts, and each closed half; of what is hidden the leaf is known already."""
    other = bytes(range(16, 32))
    shown, counts, closed = (BLIND.hex(), "ann", "roll", ""), leaf(other, b"1", b"0"), leaf(other, b"}")
    halves = parts.Halves('{"a"', (other.hex(), "}"))
    whole = parts.Parts(words=shown, counts=counts.hex(), events=(halves,))
    opened = hashlib.sha256(b"\0\0\0\0\0\0\0\x04" + b'{"a"').digest()
    in_order = b"".join([opened, leaf(BLIND, b"ann", b"roll", b""), counts, closed])
    assert whole.leaves() == in_order
    assert parts.decode(parts.encode(whole)) == whole
    sealed = parts.Parts("secret", blind=BLIND.hex(), words=shown, counts=counts.hex(), events=(halves,))
    assert sealed.leaves() == leaf(BLIND, in_order)
    assert parts.Parts("secret", leaf=leaf(BLIND, in_order).hex()).leaves() == leaf(BLIND, in_order)


def test_an_event_of_which_all_is_open_has_no_leaf():
    """It is known as a whole, so the words may be shown beside it; a blind without a text is no closed half."""
    words = (BLIND.hex(), "ann", "roll", "")
    entry = parts.Parts(words=words, counts="00" * 32, events=(parts.Halves("{}", ""),))
    assert len(entry.leaves()) == 3 * 32
    assert entry.events[0].body() == "{}"
    assert parts.Halves("{", (BLIND.hex(), "}")).body() == "{}"
    assert parts.Halves("{", "00" * 32).body() is None
    with pytest.raises(msgspec.ValidationError, match="a blind and a text"):
        parts.Parts(words=words, counts="00" * 32, events=(parts.Halves("{}", (BLIND.hex(), "")),)).leaves()


EVENTS = (parts.Halves("", "00" * 32),)


@pytest.mark.parametrize("part", [
    "00" * 31, "00" * 33, "0g" * 32, "AB" * 32, (), ("00" * 15, "x", "", ""), ("00 " * 16, "x", "", ""),
    ("00" * 16, "a", "b", "c", "d"),
])  # fmt: skip
def test_a_part_that_is_none_has_no_leaf(part: parts.Part):
    """A leaf has 64 small hexadecimal digits, a blind 32; the words are three."""
    with pytest.raises(ValueError, match=r"hexa|words"):
        parts.Parts(words=part, counts="00" * 32, events=EVENTS).leaves()


@pytest.mark.parametrize("wrong", [
    parts.Parts("secret", "00" * 32, counts="00" * 32), parts.Parts("", "00" * 32), parts.Parts("hm", "00" * 32),
    parts.Parts("secret", words="00" * 32, counts="00" * 32, events=EVENTS),
    parts.Parts("", blind="00" * 16, words="00" * 32, counts="00" * 32, events=EVENTS),
    parts.Parts(words=("00" * 16, "", "", ""), counts="00" * 32, events=EVENTS),
    parts.Parts(words="00" * 32, counts="00" * 32), parts.Parts(),
])  # fmt: skip
def test_parts_that_do_not_go_together_are_refused(wrong: parts.Parts):
    """A sealed entry has one leaf or one blind; words are shown with all events; and there are events."""
    with pytest.raises(ValueError, match=r"part|sealed|left out|words"):
        wrong.leaves()


# Glimpses


def opened(event: msgspec.Struct) -> str:
    body = encode(event)
    return body[: split(event, body)].decode()


def test_each_event_of_which_the_open_half_is_known_is_told_by_what_is_in_it():
    stirred = Stirred(2, "boars", 7, ("a", "b"), 4)
    sword = ConditionGained("Orc", "prone")
    for event, says in (
        (Declared("attack", {"who": "Orc", "mod": ["+2:x"]}, allow="late"), Declared("attack", {"who": "Orc"})),
        (Joined("Orc", "foes", Raw(b'{"hp": 9}')), Joined("Orc", "foes", Raw(b"{}"))),
        (Ruled("x.hit", "A", "Orc", "hit", (), ">"), Ruled("x.hit", "A", "Orc", "hit", (), "")),
        (Ruled("x.hit", "A", "Orc", "yes", (), ">"), Ruled("x.hit", "A", "Orc", "", (), "")),
        (Ruled("x.hit", "A", "Orc", "no", (), ">"), Ruled("x.hit", "A", "Orc", "", (), "")),
        (stirred, Stirred(2, "boars", 7, ("a", "b"), 2**53)),
    ):
        assert tells(event) or event is stirred
        assert glimpse(opened(event)) == says
    assert tells(sword)
    assert isinstance(glimpse(opened(sword)), ConditionGained)
    assert not tells(HpSet("Orc", 3, 9))
    assert opened(HpSet("Orc", 3, 9)) == ""
    assert glimpse("") is None
    assert fields(opened(HpLost("Orc", 3, 9))) == {"event": "hp-lost", "who": "Orc"}


def test_an_entry_that_is_left_out_is_told_by_its_seal():
    """The name of a plan is part of the digest; that the entry is one is not proven before it is shown."""
    for seal, says in (("secret", "something happens (unproven)"), ("plan Orc", "Orc decides what to do (unproven)")):
        assert known_events(parts.encode(parts.Parts(seal, leaf="00" * 32))) == [(Noted(says), False)]
    body = encode(Noted("hi")).decode()
    shown = parts.Halves("", (BLIND.hex(), body))
    entry = parts.Parts(words="00" * 32, counts="00" * 32, events=(shown,))
    assert known_events(parts.encode(entry)) == [(Noted("hi"), True)]
    unknown = parts.Halves("", "00" * 32)
    entry = parts.Parts(words="00" * 32, counts="00" * 32, events=(unknown,))
    assert known_events(parts.encode(entry)) == [(Noted("known to the game master (unproven)"), False)]
    for texts in ((), ("{", "}"), ("",)):
        wrong = parts.Halves("", (BLIND.hex(), *texts))
        with pytest.raises(msgspec.ValidationError, match="a blind and a text"):
            known_events(parts.encode(parts.Parts(words="00" * 32, counts="00" * 32, events=(wrong,))))


# Dice


def question(sides: int = 6, die: int = 0) -> Question:
    return Question("Ann", "a roll", "", 0, die, sides)


def test_dice_are_taken_back_to_a_mark():
    """Typed ones, those of the program among them, and those that are asked for: after `back` the same come again."""
    for source in (
        Dice(stream(KEY), faces=(3, None, 5, None)),
        Dice(stream(KEY), ask=lambda pool: [None] * len(pool)),
        Dice(stream(KEY), ask=lambda pool: [(None, 4)[asked.die % 2] for asked in pool]),
    ):
        first = answer(source, question(), False)
        mark = source.mark()
        after = [answer(source, question(die=die), False) for die in (1, 2, 3)]
        source.back(mark)
        assert [answer(source, question(die=die), False) for die in (1, 2, 3)] == after
        assert first


def test_what_was_asked_for_since_a_mark_is_taken_back():
    source = Dice(
        stream(KEY, 4), ask=lambda pool: [asked.die + 1 for asked in pool], by_hand=lambda asked: asked.sides == 6
    )
    answer(source, question(), False)
    mark = source.mark()
    assert answer(source, question(20), False) == answer(Dice(stream(KEY, 4)), question(20), False)
    assert answer(source, question(die=4), False) == Answer(5, 0)
    assert source.as_typed() == (1, None, 5)
    source.back(mark)
    assert source.as_typed() == (1,)
    assert answer(source, question(), True) is LEFT_OUT
    assert answer(source, question(20), True) == answer(Dice(stream(KEY, 4)), question(20), True)


def test_dice_that_were_read_out_and_taken_back_are_not_asked_for_again():
    """They lie on the table: the 4 answers the same question again, whatever is asked for before it."""
    thrown = iter((4, 2, 6))
    source = Dice(stream(KEY), ask=lambda pool: [next(thrown) for _ in pool])
    start = source.mark()
    assert answer(source, question(die=1), False) == Answer(4, 0)
    source.back(start)
    assert answer(source, question(die=2), False) == Answer(2, 0)
    assert answer(source, question(die=1), False) == Answer(4, 0)
    assert answer(source, question(die=1), False) == Answer(6, 0)
    assert source.as_typed() == (2, 4, 6)


def test_a_typed_die_that_is_left_over_may_be_left_out_only_where_that_is_possible():
    source = Dice(faces=(3,))
    assert answer(source, question(), True) == Answer(3, 0)
    assert answer(source, question(), True) is LEFT_OUT
    assert answer(source, question(), False) is None
    assert answer(Dice(faces=(None,)), question(), False) is None
    assert Dice(faces=(1, None, 3, 4, 5, 6)).left_over == "1, -, 3, 4, 5"


# Boards and words


def test_a_board_that_does_not_say_who_may_act_leaves_it_to_the_turn(monkeypatch: pytest.MonkeyPatch):
    """Whose turn is under way; where a window is open, those who may answer; only people at the table."""
    monkeypatch.setattr(rulebook, "of", lambda _: SimpleNamespace(board=rulebook.BoardParts()))

    def asked(window: object, turn: str) -> list[str]:
        return names.acting(
            SimpleNamespace(
                campaign=SimpleNamespace(system="chess"),
                pending=SimpleNamespace(window=window),
                turns=SimpleNamespace(who=turn),
                roster=SimpleNamespace(members={"Ann": 1, "Bob": 2}),
            )
        )  # type: ignore[arg-type]

    assert asked(None, "Ann") == ["Ann"]
    assert asked(None, "Zoe") == []
    assert asked(SimpleNamespace(answerable=("Bob", "Zoe", "Ann")), "Zoe") == ["Bob", "Ann"]


def test_the_tables_within_a_type_are_found_wherever_they_stand():
    assert structs_in(Ring) == [Ring]
    assert structs_in(tuple[Ring, ...]) == [Ring]
    assert structs_in(dict[str, tuple[Ring, Sheet]]) == [Ring, Sheet]
    assert structs_in(Ring | None) == [Ring]
    assert structs_in(dict[str, int]) == []


@pytest.mark.parametrize(
    ("lengths", "middle"), [((), 0), ((5,), 5), ((9, 1), 1), ((3, 9, 1), 3), ((4, 3, 2, 1), 2), ((2, 2, 9, 9, 9), 9)]
)
def test_the_median_of_two_in_the_middle_is_the_shorter(lengths: tuple[int, ...], middle: int):
    assert median(lengths) == middle


def test_a_table_within_a_value_is_told_by_its_fields():
    assert worded(Ring(3)) == "(weight 3)"
    assert worded(True) == "yes"
    assert worded(False) == "no"


def test_a_condition_has_a_name_of_40_characters_at_most():
    told = given("freepg", Join(({"name": "Ann"},)))
    told.when(Adjust("Ann", "condition", "x" * 40, "why")).then(ConditionGained("Ann", "x" * 40))
    told.when(Adjust("Ann", "condition", " wet ", "why")).then(ConditionGained("Ann", "wet"))
    for name in ("x" * 41, " ", "=3", "a\tb"):
        with pytest.raises(UsageError, match="The name of a condition has 1 to 40 characters"):
            told.when(Adjust("Ann", "condition", name, "why"))


# In JSON


def test_a_stat_block_in_json(shell: Shell):
    text = shell("sheet", "boffin", "--json").json
    assert (text["ok"], text["system"], text["sheet"]) == (True, "freepg", "boffin")
    assert 'name = "Boffin"' in text["text"]
    shell.done("init", "Hill", "--system", "freepg")
    made = shell("sheet", "new", "kira.toml", "--json").json
    assert made == {"ok": True, "system": "freepg", "file": "kira.toml"}
    assert Path("kira.toml").exists()


def test_an_export_whose_first_line_holds_a_short_key_is_none(shell: Shell):
    shell.done("init", "Hill", "--system", "freepg")
    shell.done("export", "a.jsonl")
    first, *rest = Path("a.jsonl").read_text(encoding="utf-8").splitlines()
    for key in ("00" * 31, "00" * 33, ""):
        line = json.dumps({**json.loads(first), "key": key}, separators=(",", ":"))
        Path("b.jsonl").write_text("\n".join([line, *rest, ""]), encoding="utf-8")
        shell.refused("import", "b.jsonl", "b.affray", code=2)


# Numbers that are typed


def test_a_number_is_at_most_a_million_and_a_square_has_six_digits():
    assert (whole("1000000"), whole("-1000000")) == (1_000_000, -1_000_000)
    assert (read_square("999999,-999999"), read_square("3,2,999999")) == ((999_999, -999_999, 0), (3, 2, 999_999))
    for read, word in ((whole, "1000001"), (read_square, "1000000,0"), (read_square, "0,0,1000000")):
        with pytest.raises(UsageError):
            read(word)


def test_an_entry_has_twelve_digits_at_the_most():
    assert is_entry("e" + "9" * 12)
    assert not is_entry("e" + "9" * 13)
    assert not is_entry("57")


def test_a_power_is_named_in_45_letters():
    """By what stands before its colon, or its own words; a longer one ends at a blank, or where there is none."""
    fits, long = "x" * 45, "x" * 46
    assert named_powers([f"{fits}: so", fits]) == f"{fits}; {fits}"
    assert named_powers([f"{long}: so", long, f"x {long}"]) == f"{fits}...; {fits}...; x..."


def test_a_house_rule_takes_a_number_of_six_digits():
    told = given("arkm", options={"turn_minutes": 999_999})
    with pytest.raises(UsageError):
        told.when(Option("turn_minutes", "1000000"))


def test_a_bar_says_how_much_is_left_by_halves_and_quarters():
    """Of 20 there is much from 11 on, and some from 6 on; of what harm adds up what is not taken."""
    grades = {left: Bar("hp", left, 20).grade for left in (20, 11, 10, 6, 5, 0)}
    assert grades == {20: "much", 11: "much", 10: "some", 6: "some", 5: "little", 0: "little"}
    assert (Bar("pain", 9, 20, "taken").grade, Bar("pain", 14, 20, "taken").grade) == ("much", "some")
    assert (Bar("hp", 0, 0).grade, Bar("arrows", 1, 20, "stock").grade) == ("much", "stock")


def test_digits_without_a_comma_are_the_dice_of_a_roll_where_each_can_be_one():
    """`roll 2d6 --dice 63`; a 0 is the ten of a d10; 67 is none of two d6, nor 631 of two, nor is a 12 of a d12 two."""
    rolls: list[tuple[str, list[int], int]] = [
        ("2d6", [63], 6 + 3), ("2d10", [30], 3 + 10), ("d12", [12], 12), ("2d10+d10", [306], 3 + 10 + 6),
        ("2d10", [10, 4], 10 + 4), ("3d6", [63, 2], 6 + 3 + 2), ("3d6", [2, 63], 2 + 6 + 3), ("4d6", [2, 63, 5], 16),
    ]  # fmt: skip
    for dice, typed, total in rolls:
        given("freepg").when(Roll(dice), typed).ruled("table.roll", totals=[total])
    for dice, typed in (("2d6", [67]), ("2d6", [631]), ("2d12", [63]), ("2d6", [60])):
        with pytest.raises(UsageError):
            given("freepg").when(Roll(dice), typed)


def test_a_field_within_what_holds_none_is_not_set():
    """`size.x` is no field of a stat block, and `moods.fear` is none."""
    told = given("freepg", Join(({"name": "Ann"},)))
    for field in ("size.x", "hp_max.x", "moods.fear"):
        with pytest.raises(UsageError):
            told.when(Adjust("Ann", field, "3", "why"))


def test_a_prepared_encounter_brings_two_hundred(monkeypatch: pytest.MonkeyPatch):
    """Here two: with a third nobody comes."""
    monkeypatch.setattr(prepared, "_MOST", 2)
    row = {"sheets": [{"name": "Grub", "kind": "enemy"}], "count": 2}
    told = given("freepg").when(Begin(from_={"join": [row]}))
    assert [*told.state.roster.members] == ["Grub-1", "Grub-2"]
    with pytest.raises(UsageError, match="3 combatants are too many at once"):
        given("freepg").when(Begin(from_={"join": [{**row, "count": 3}]}))


@pytest.mark.parametrize(("error", "has"), [
    (ModuleNotFoundError(name="commands.rules.freepg.pasted"), False), (ModuleNotFoundError(name="numpy"), True),
    (SyntaxError(), True),
])  # fmt: skip
def test_a_module_that_cannot_be_imported_is_there(error: Exception, has: bool, monkeypatch: pytest.MonkeyPatch):
    """Its use says what is wrong with it."""
    systems.load("freepg")

    def fails(name: str) -> None:
        raise error

    monkeypatch.setattr(systems, "import_module", fails)
    assert systems.has_module("freepg", "pasted") is has


EXAMPLES = sorted(
    str(path.relative_to(ROOT))
    for room in ("ledger", "projections", "commands")
    for path in (ROOT / room).rglob("*.py")
    if "    >>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("file", EXAMPLES)
def test_the_examples_of_a_docstring_are_true(file: str):
    found = doctest.testmod(import_module(file.removesuffix(".py").replace("/", ".")))
    assert (found.failed, found.attempted > 0) == (0, True)


def test_of_a_word_that_is_no_value_80_letters_are_shown():
    with pytest.raises(NameUnknown) as unknown:
        meant(["Grub.hp"], "x" * 81)
    assert f"{'x' * 80!r}" in unknown.value.message
