"""What is understood is recorded: a plain `turn`, `done` or `resolve`, a point and a foe left out."""

from contextlib import closing

import pytest

from commands.action.book import events_of
from ledger.events import Declared, TurnBegan, TurnEnded
from ledger.sqlite import SqliteStore
from tests.kit import KEY
from tests.shell import Shell


def declared(path: str) -> dict[int, tuple[Declared, list[str]]]:
    """What was said in each entry of a ledger, with whose turns ended and began by it."""
    found = {}
    with closing(SqliteStore.open(path)) as store:
        for entry, _ in store.entries(1, store.head().entry):
            first, *rest = events_of(entry)
            assert isinstance(first, Declared)
            kind = TurnEnded if first.verb == "done" else TurnBegan
            found[entry.entry] = first, [event.who for event in rest if isinstance(event, kind)]
    return found


@pytest.mark.parametrize("system", ["freepg", "dungeoneers"])
def test_a_plain_turn_and_done_hold_whose_turn_they_begin_and_end(system: str, shell: Shell) -> None:
    """In the example of the system: those that its own events name."""
    shell.done("demo", system)
    plain = [one for one in declared(f"demo-{system}.affray").values() if one[0].verb in ("turn", "done")]
    plain = [(said, turns) for said, turns in plain if not said.said.get("who")]
    assert len(plain) > 6
    assert [[*said.meant] for said, _ in plain] == [turns for _, turns in plain]


def test_aachen_holds_whose_turn_a_plain_turn_begins_and_a_plain_done_ends(shell: Shell) -> None:
    shell.done("init", "Test", "--system", "aachen", "--key", KEY.hex(), "--option", "individual_initiative=true")
    shell.done("join", "brun", "goblin")
    shell.done("begin")
    shell.done("initiative", "--dice", "5,1")
    shell.done("turn")
    shell.done("done")
    shell.done("turn", "goblin")
    said = [one for one, _ in declared("test.affray").values()][-3:]
    assert [(one.verb, one.said, one.meant) for one in said] == [
        ("turn", {}, ("Brun",)), ("done", {}, ("Brun",)), ("turn", {"who": "Goblin"}, ()),
    ]  # fmt: skip


def test_arkm_holds_whose_place_a_plain_done_ends(shell: Shell) -> None:
    """A group that acts alone, and two that share a die."""
    shell.done("demo", "arkm")
    said = declared("demo-arkm.affray")
    assert [(number, one.meant) for number, (one, _) in said.items() if one.verb == "done"] == [
        (7, ("Arbalist",)), (12, ("Orc",)), (14, ("party",)), (30, ("party", "raiders")),
    ]  # fmt: skip


def test_paraverse_holds_whose_actions_a_plain_resolve_resolves(shell: Shell) -> None:
    shell.done("init", "Test", "--system", "paraverse", "--key", KEY.hex())
    shell.done("join", "ildar", "reaver")
    shell.done("begin")
    shell.done("round")
    shell.done("declare", "ildar", "shoot", "reaver")
    shell.done("declare", "reaver", "pass")
    shell.done("phase", "ranged")
    shell.done("resolve")
    said = [one for one, _ in declared("test.affray").values()][-1]
    assert (said.verb, said.said, said.meant) == ("resolve", {}, ("Ildar",))


BLOWS = {
    "freepg": ("boffin ogre", ["begin", "initiative --dice 14,3"], "attack .", ("Boffin", ["Ogre"])),
    "aachen": ("brun goblin", ["begin", "initiative --dice 5,1", "turn"], "attack . 3", ("Brun", "Goblin")),
    "arkm": (
        "crossbowman orc", ["begin", "initiative --dice 6,1", "phase missile"], "shoot . --range short",
        ("Arbalist", "Orc"),
    ),
    "dungeoneers": ("freya goblin --at 1,1/2,1", ["begin", "round", "turn"], "attack .", None),
    "paraverse": ("sigrun reaver", ["begin", "round"], "attack sig", ("Sigrun", "Reaver")),
}  # fmt: skip


@pytest.mark.parametrize("system", BLOWS)
def test_a_point_and_a_foe_that_is_left_out_stand_in_the_entry_in_full(system: str, shell: Shell) -> None:
    """In Dungeoneers either of the two may be first: each has one foe."""
    joins, words, blow, meant = BLOWS[system]
    shell.done("init", "Test", "--system", system, "--key", KEY.hex(), *_OWN.get(system, ()))
    shell.done("join", *joins.split())
    for line in words:
        shell.done(*line.split())
    shell.done(*blow.split())
    [said] = [one for one, _ in declared("test.affray").values() if one.verb == blow.split()[0]]
    found = said.said["who"], said.said["target"]
    assert found == meant or (meant is None and {*found} == {"Freya", "Goblin"})


_OWN = {"aachen": ("--option", "individual_initiative=true")}
