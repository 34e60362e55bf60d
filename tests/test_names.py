"""Each name on the board means one thing."""

from pathlib import Path

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from msgspec import Raw

from ledger.events import (
    AmmunitionSet,
    AreasLaid,
    Awaited,
    ConditionGained,
    Counted,
    Declared,
    Dropped,
    EncounterBegan,
    Equipped,
    Event,
    GroundLaid,
    HpSet,
    Joined,
    LinkLaid,
    OptionChanged,
    PainSuffered,
    PointsSet,
    SkirmishEnded,
    SkirmishJoined,
    StressGained,
    TableSet,
    TruceMade,
    WoundsSustained,
    WoundSuffered,
)
from ledger.sqlite import SqliteStore
from projections.changes import FIELDS, values
from projections.state import State, fold
from tests.shell import Shell, recorded, write

JOINED = Joined("Kira", "party", Raw(b"{}"))
WOUNDED = (WoundsSustained("Kira", 2, 2), WoundSuffered("Kira", "fractured-arm", "arm"), PainSuffered("Kira", 4, 4))
FIXED = (HpSet("Kira", 3, 9), StressGained("Kira", 1, 1), *WOUNDED, Equipped("Kira", "bow"))


def board(*events: Event) -> dict[str, str]:
    return values(fold(State(), [JOINED, *events]))


def test_two_kinds_of_wounds_have_two_names(shell: Shell):
    """The counted ones do not vanish behind the named ones, and `why` tells of one at a time."""
    shell.done("init", "test", "--system", "paraverse")
    shell.done("join", "sigrun")
    store = SqliteStore.open("test.affray")
    write(store, [Declared("note", {"text": "two"}), WoundsSustained("Sigrun", 2, 2)])
    write(store, [Declared("note", {"text": "one"}), WoundSuffered("Sigrun", "fractured-arm", "arms")])
    store.close()
    assert (shell.value("Sigrun.wounds"), shell.value("Sigrun.wound")) == ("2", "fractured-arm (arms)")
    for name, entry, after in (("wounds", 3, "2"), ("wound", 4, "fractured-arm (arms)")):
        changes = shell.facts("why", f"sigrun.{name}")["changes"]
        assert [(one["entry"], one["before"], one["after"]) for one in changes] == [(entry, "-", after)]
        assert shell.facts("find", f"sigrun.{name}")["entry"] == entry


def test_a_condition_called_like_a_number_has_a_name_of_its_own():
    """Whatever a condition or a point is called, hp are the hit points."""
    named = board(*FIXED, ConditionGained("Kira", "HP", amount=2), PointsSet("Kira", "pain", 7))
    assert (named["Kira.hp"], named["Kira.pain"]) == ("3", "4")
    assert named["Kira.condition-HP"].startswith("+2")
    assert named["Kira.points-pain"] == "7"


@pytest.mark.parametrize("word", [
    "side", "hp", "hp-max", "stress", "wounds", "magica", "down", "pain", "wound", "equipped", "initiative", "at",
    "facing", "area", "engaged",
])  # fmt: skip
def test_a_word_of_the_board_is_never_a_condition_even_where_there_is_no_such_number(word):
    """So that a name means the same for everybody, and in every rule system."""
    assert board(ConditionGained("Kira", word.upper()))[f"Kira.condition-{word.upper()}"] == "yes"


def test_points_keep_their_name_when_a_condition_takes_it():
    """So a name does not change its thing while a fight goes on."""
    one = board(PointsSet("Kira", "action", 1))
    both = board(PointsSet("Kira", "action", 1), ConditionGained("Kira", "action"))
    assert one["Kira.action"] == both["Kira.action"] == "1"
    assert "Kira.condition-action" in both


def test_what_is_called_like_something_else_is_called_by_its_sort():
    """Somebody is called like each part of the board, and has a condition called like what stands there."""
    taken = (
        ("ground", "obstacle"), ("lying", "1,2"), ("truce", "a-b"), ("link", "yard-gate"), ("option", "luck"),
        ("table", "mishaps"), ("skirmish", "1"), ("paired-fight", "2"),
    )  # fmt: skip
    events = [Joined(who, "party", Raw(b"{}")) for who, _ in taken]
    events += [ConditionGained(who, what) for who, what in taken]
    events += [
        EncounterBegan(3), GroundLaid("obstacle", ((0, 1), (2, 3))), Dropped("ground", "bow", (1, 2, 0)),
        Dropped("ground", "axe", (1, 2, 0)), TruceMade("a", "b"), LinkLaid("yard", "gate"), OptionChanged("luck", True),
        TableSet("mishaps", "0123456789abcdef", "mishaps.toml"), TableSet("falls", "00", ""),
        SkirmishJoined("lying", 1, 0), SkirmishJoined("truce", 1, 1), SkirmishJoined("table", 1, 1),
        SkirmishJoined("option", 2, 0, lasting=True), SkirmishJoined("link", 2, 1, lasting=True), SkirmishEnded(2),
    ]  # fmt: skip
    named = values(fold(State(), events))
    assert {
        name: value for name, value in named.items() if name.partition(".")[0] in dict(taken) and value != "party"
    } == {
        **{f"{who}.{what}": "yes" for who, what in taken},
        "ground.no-longer-has": "bow, axe",
        "ground.feature-obstacle": "0,1 2,3",
        "lying.items-1,2": "bow, axe",
        "truce.sides-a-b": "yes",
        "link.areas-yard-gate": "open",
        "option.rule-luck": "true",
        "table.rule-mishaps": "mishaps.toml (0123456789ab)",
        "skirmish.fight-1": "lying v truce, table",
        "paired-fight.fight-2": "option v link, done",
    }
    assert [named[name] for name in ("encounter", "round", "phase", "turn", "order")] == [
        "3", "0", "none", "nobody's", "none",
    ]  # fmt: skip


WORDS = st.sampled_from(sorted({*FIELDS, "action", "Action", "arrows", "arrow", "total defense", "total-defense", "a"}))
HEADS = st.sampled_from(["Kira", "option", "truce", "link", "lying", "party"])
OPEN = st.one_of(
    st.builds(ConditionGained, HEADS, WORDS),
    st.builds(PointsSet, HEADS, WORDS, st.just(1)),
    st.builds(Counted, HEADS, WORDS, st.just(1), st.just(""), st.sampled_from(["round-end", "encounter-end"])),
    st.builds(AmmunitionSet, HEADS, st.sampled_from(["arrow", "wound", "action"]), st.just(3)),
    st.builds(Awaited, WORDS.map(lambda word: word), HEADS, st.just("move"), st.just({})),
    st.builds(OptionChanged, WORDS, st.just(1)),
    st.builds(TruceMade, st.sampled_from(["a", "a-b", "hp"]), st.sampled_from(["c", "b-c"])),
    st.builds(LinkLaid, st.sampled_from(["a", "a-b", "hp"]), st.sampled_from(["c", "b-c"])),
    st.builds(Dropped, st.just("Kira"), WORDS, st.sampled_from([(1, 2, 0), (1, 3, 0)])),
)


def things(state: State) -> int:
    """How many things are on the board, counted aspect by aspect."""
    count = sum(len(held) for held in state.conditions.of.values())
    count += sum(len(held) for held in state.points.of.values() if held)
    count += sum(len(held) for who, held in state.ammunition.of.items() if who in state.roster.members)
    for tally in (state.counts.round, state.counts.encounter):
        count += sum(len(mine) for mine in tally.values())
    count += len({(one.who, one.kind) for one in state.pending.waiting})
    count += len(state.campaign.options) + len(state.truces.between) + len(state.areas.links)
    count += len(state.lying.lost) + len(state.lying.found)
    return count + len({one.at for one in state.lying.items})


@for_all(st.lists(OPEN, max_size=14), st.booleans())
def test_no_two_aspects_give_the_same_name(events: list[Event], everybody: bool):
    """Each thing adds one name, whatever the others are called, in any spelling that is typed alike."""
    table = [Joined(who, "party", Raw(b"{}")) for who in ("Kira", "option", "truce", "link", "lying", "party")]
    empty = fold(State(), [*table, *FIXED, AreasLaid(("a", "b"))])
    full = fold(empty, events)
    named = values(full)
    assert len(named) == len(values(empty)) + things(full) - things(empty)
    assert len({name.casefold().replace(" ", "-") for name in named}) == len(named)
    alone = values(full, "Kira")
    assert {name: held for name, held in alone.items() if name.startswith("Kira.")} == {
        name: held for name, held in named.items() if name.startswith("Kira.")
    }


def test_a_name_of_several_words_becomes_one_wherever_it_is_said(shell: Shell):
    """On the command line, in a stat block, in an encounter file, and as a new name; a line says so."""
    shell.done("init", "test", "--system", "freepg")
    says = "is called {} here: a name is one word."
    assert says.format("Hooded-stranger") in shell.done("join", "grub", "--called", "Hooded  stranger")
    Path("ann.toml").write_text('name = "Ann of the Hill"\nkind = "pc"\n', encoding="utf-8")
    assert says.format("Ann-of-the-Hill") in shell.done("join", "ann.toml")
    assert says.format("Black-knight") in shell.done("rename", "stranger", "Black knight")
    Path("come.toml").write_text(
        'party = "party.toml"\n[[join]]\nsheet = "grub"\ncalled = "Old Müller\'s son"\n', encoding="utf-8"
    )
    Path("party.toml").write_text('[[join]]\nsheet = "ann.toml"\n', encoding="utf-8")
    told = shell.done("begin", "--from", "come.toml")
    assert says.format("Old-Müller's-son") in told
    # who is at the table already does not come again
    assert "Ann-of-the-Hill" not in [one.who for one in recorded() if isinstance(one, Joined)]
    shell.done("note", "He is late.", "--about", "mullers son")
    shell.done("verify")


def test_a_true_name_of_several_words_is_not_told_with_spaces_either(shell: Shell):
    """It stands in the stat block with spaces, and in the record with hyphens."""
    shell.done("init", "test", "--system", "freepg")
    Path("foe.toml").write_text('name = "Zarquon the Bold"\nkind = "enemy"\n', encoding="utf-8")
    shell.done("join", "foe.toml", "--seen-as", "Hooded stranger")
    shell.refused("begin", "The lair of zarquon the bold", code=2)
    shell.done("note", "Zarquon  the Bold smiles.")
    shell.done("export", "players.jsonl", "--player-safe")
    assert "zarquon" not in Path("players.jsonl").read_text(encoding="utf-8").casefold()


def test_one_more_of_a_kind_has_the_next_number(shell: Shell):
    """Where none of them has one, nor a name of its own is said, they are called as on the sheet."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "grub")
    assert [one.who for one in recorded() if isinstance(one, Joined)] == ["Grub"]
    shell.done("leave", "grub")
    shell.done("join", "grub", "--count", "2")
    shell.done("join", "grub")
    assert [one.who for one in recorded() if isinstance(one, Joined)] == ["Grub-3"]
    shell.done("join", "grub", "--called", "Grub")
    assert [one.who for one in recorded() if isinstance(one, Joined)] == ["Grub"]
