"""Prepared encounters: `begin --from` and `--party`."""

import json
from pathlib import Path

import msgspec
import pytest

from commands.action import systems
from commands.action.book import Book
from commands.words.sheet_files import example_files
from ledger.events import Declared, Joined
from ledger.sqlite import SqliteStore
from projections.state import State
from tests.shell import Shell

SHIPPED = [(system, name) for system in systems.SYSTEMS for name in example_files("encounters", system)]
PARTY = '[[join]]\nsheet = ["boffin", "jane"]\nat = "0,0/0,2"\n'
BRIDGE = """\
name = "The bridge"  # in the mist
party = "party.toml"

[[join]]
sheet = "grub"
count = 3
at = "8,8/9,8/10,8"

[[join]]
called = "Gnash"
side = "raiders"
seen_as = "Hooded stranger"
at = "12,8"
[join.sheet]
name = "Brak"
kind = "enemy"
hp_max = 31

[[terrain]]
feature = "obstacle"
at = "5,5"
to = "5,7"

[[terrain]]
feature = "drain"
at = "1,1/2,2"
"""


@pytest.fixture
def freepg(shell: Shell) -> Shell:
    """A FReePG ledger, with the two files beside it."""
    shell.done("init", "Test", "--system", "freepg", "--key", "07" * 32)
    Path("party.toml").write_text(PARTY, encoding="utf-8")
    Path("bridge.toml").write_text(BRIDGE, encoding="utf-8")
    return shell


def state(ledger: str = "test.affray") -> State:
    """The present state of a ledger, without what is the ledger's own: its name and its key."""
    book = Book(SqliteStore.open(ledger))
    found = book.present()[1]
    book.store.close()
    return msgspec.structs.replace(found, campaign=State().campaign)


def entries(ledger: str = "test.affray") -> int:
    book = Book(SqliteStore.open(ledger))
    number = book.present()[0].entry
    book.store.close()
    return number


def begun(board: Shell, text: str, *words: str) -> None:
    Path("e.toml").write_text(text, encoding="utf-8")
    board.done("begin", "--from", "e.toml", *words)


# What happens


def test_an_encounter_from_a_file_is_one_entry(freepg: Shell):
    """All join, each on its square; then the encounter begins, and the ground is laid."""
    told = freepg.done("begin", "--from", "bridge.toml")
    laid = "encounter 1, The bridge; order: John, Jane, GM; obstacle on 5,5 5,6 5,7; drain on 1,1 2,2\n"
    assert told.endswith(f"{laid}Hooded stranger is called Hooded-stranger here: a name is one word.\n")
    now = state()
    assert now.roster.order == ("Boffin", "Jane", "Grub-1", "Grub-2", "Grub-3", "Hooded-stranger")
    assert {who: at[:2] for who, at in now.positions.at.items()} == {
        "Boffin": (0, 0), "Jane": (0, 2), "Grub-1": (8, 8), "Grub-2": (9, 8), "Grub-3": (10, 8),
        "Hooded-stranger": (12, 8),
    }  # fmt: skip
    hooded = now.roster.members["Hooded-stranger"]
    assert (hooded.side, hooded.truly, now.harm.hp["Hooded-stranger"].most) == ("raiders", "Gnash", 31)
    assert entries() == 2
    freepg.done("undo")
    assert state().roster.order == ()


def test_it_does_what_the_single_commands_do(freepg: Shell):
    """The same state as by join, begin and terrain."""
    freepg.done("begin", "--from", "bridge.toml")
    freepg.done("init", "Other", "--system", "freepg")
    other = lambda *words: freepg.done("--ledger", "other.affray", *words)  # noqa: E731
    other("join", "boffin", "--at", "0,0")
    other("join", "jane", "--at", "0,2")
    other("join", "grub", "--count", "3", "--at", "8,8/9,8/10,8")
    Path("brak.toml").write_text('name = "Brak"\nkind = "enemy"\nhp_max = 31\n', encoding="utf-8")
    other("join", "brak.toml", "--called", "Gnash", "--side", "raiders", "--seen-as", "Hooded stranger", "--at", "12,8")
    other("begin", "The bridge")
    other("terrain", "obstacle", "5,5", "--to", "5,7")
    other("terrain", "drain", "1,1/2,2")
    assert state() == state("other.affray")


def test_the_party_stays_as_it_is_and_those_who_are_missing_join(freepg: Shell):
    freepg.done("join", "boffin", "--at", "3,3")
    freepg.done("adjust", "boffin", "hp", "12", "a fall")
    freepg.done("begin", "--from", "bridge.toml")
    now = state()
    assert now.harm.hp["Boffin"].now == 12
    assert now.positions.at["Boffin"] == (3, 3, 0)
    assert now.positions.at["Jane"] == (0, 2, 0), "each has its own place, whoever is there already"
    freepg.done("end")
    freepg.done("leave", "@foes")
    freepg.done("leave", "hooded")
    freepg.done("begin", "--from", "bridge.toml")
    assert list(state().roster.order)[:3] == ["Boffin", "Jane", "Grub-1"]


def test_a_numbered_party_is_filled_up(freepg: Shell):
    Path("hands.toml").write_text('[[join]]\nsheet = { name = "Hand", kind = "ally" }\ncount = 3\n', encoding="utf-8")
    freepg.done("begin", "--party", "hands.toml")
    freepg.done("end")
    freepg.done("leave", "hand-2")
    freepg.done("begin", "--party", "hands.toml")
    assert state().roster.order == ("Hand-1", "Hand-3", "Hand-2")


def test_a_true_name_is_at_the_table_too(freepg: Shell):
    """Somebody of the party whom the players know by another name does not join twice."""
    freepg.done("join", "jane", "--seen-as", "A veiled lady")
    freepg.done("begin", "--from", "bridge.toml")
    assert "Jane" not in state().roster.order


def test_what_is_typed_goes_before_the_file(freepg: Shell):
    Path("others.toml").write_text('[[join]]\nsheet = "tilda"\n', encoding="utf-8")
    freepg.done("begin", "By night", "--from", "bridge.toml", "--party", "others.toml", "--seats", "gm,Tilda")
    now = state()
    assert now.encounter.name == "By night"
    assert now.turns.order == ("gm", "Tilda")
    assert now.roster.order[:2] == ("Tilda", "Grub-1")


@pytest.mark.slow
def test_dice_are_asked_for_in_order(shell: Shell):
    """Arkm: the party first, then the others; an entry with too few dice leaves no trace."""
    shell.done("init", "Test", "--system", "arkm")
    shell.refused("begin", "--from", "bridge", "--dice", "6,5", code=2)
    needs = shell.facts("begin", "--from", "bridge", "--dry-run")["needs"]
    assert {"who": "Spearman", "dice": "1d6", "purpose": "hit points", "about": ""} in needs
    shell.done("begin", "--from", "bridge", "--dice", "6,5,4,6,3,4")
    hp = state().harm.hp
    assert [hp[who].now for who in ("Spearman", "Orc-1", "Orc-2", "Orc-3", "Orc-4", "Arbalist")] == [6, 5, 4, 6, 3, 4]


def test_files_are_looked_for_beside_the_encounter(freepg: Shell):
    """A stat block, a map, a party, from a folder of its own."""
    folder = Path("night")
    folder.mkdir()
    (folder / "kira.toml").write_text('name = "Kira"\nspeed = 7\n', encoding="utf-8")
    (folder / "map.toml").write_text("obstacles = [[1, 1]]\n", encoding="utf-8")
    (folder / "we.toml").write_text('[[join]]\nsheet = "kira.toml"\n', encoding="utf-8")
    (folder / "e.toml").write_text('party = "we.toml"\nmap = "map.toml"\n', encoding="utf-8")
    freepg.done("begin", "--from", "night/e.toml")
    assert state().roster.order == ("Kira",)
    assert state().encounter.ground == {"obstacle": ((1, 1),)}


def test_a_file_may_hold_several_stat_blocks(freepg: Shell):
    Path("two.toml").write_text('[combatants.ann]\n[combatants.bob]\nkind = "enemy"\n', encoding="utf-8")
    begun(freepg, '[[join]]\nsheet = "two.toml"\nat = "1,1/2,2"\n')
    assert state().positions.at == {"ann": (1, 1, 0), "bob": (2, 2, 0)}


def test_groups_areas_and_distances(shell: Shell):
    shell.done("init", "Test", "--system", "arkm")
    begun(shell, 'distance = 60\n[[join]]\nsheet = "ranger"\n[[join]]\nsheet = "wolf"\ncount = 2\ngroup = "pack"\n')
    assert all(json.loads(bytes(state().roster.members[who].sheet))["group"] == "pack" for who in ("Wolf-1", "Wolf-2"))
    assert state().counts.get("encounter", "apart") == 60


def test_an_area_of_the_file_must_be_one_of_the_encounter(shell: Shell):
    """Paraverse: without the check, everybody would quietly begin in the first area."""
    shell.done("init", "Test", "--system", "paraverse")
    Path("e.toml").write_text(
        'areas = ["Yard", "gate"]\n[[join]]\nsheet = "reaver"\narea = "attic"\n', encoding="utf-8"
    )
    shell.refused("begin", "--from", "e.toml", code=2)
    begun(shell, 'areas = ["gate", "Yard"]\n[[join]]\nsheet = "reaver"\narea = "yard"\n')
    assert state().areas.at == {"Reaver": "Yard"}


@pytest.mark.parametrize(("area", "where"), [
    ("yard", ["yard", "yard", "yard"]), ("yard/yard", ["yard", "yard", "gate"]),
    ("yard/gate/yard", ["yard", "gate", "yard"]),
])  # fmt: skip
def test_an_area_of_a_party_is_for_all_and_several_are_for_one_each(area: str, where: list[str], shell: Shell):
    """Who is left over begins in the first of the encounter."""
    shell.done("init", "Test", "--system", "paraverse")
    begun(shell, f'areas = ["gate", "yard"]\n[[party]]\nsheet = "thrall"\ncount = 3\narea = "{area}"\n')
    assert state().areas.at == {f"Thrall-{nth}": at for nth, at in enumerate(where, 1)}


def test_a_party_comes_to_the_areas_of_the_file(shell: Shell):
    """Paraverse: all of a part to the same, or one to each."""
    shell.done("init", "Test", "--system", "paraverse")
    one, each = '[[party]]\nsheet = "sigrun"\narea = "yard"\n', '[[party]]\nsheet = "thrall"\ncount = 2\n'
    begun(shell, f'areas = ["gate", "yard"]\n{one}{each}area = "yard/gate"\n')
    assert state().areas.at == {"Sigrun": "yard", "Thrall-1": "yard", "Thrall-2": "gate"}


# Join


def test_each_of_several_gets_its_own_place(shell: Shell):
    """`join --count 3 --at 8,8/9,8/10,8`, and in Paraverse `--area yard/gate`."""
    shell.done("init", "Squares", "--system", "dungeoneers")
    shell.done("join", "skeleton", "--count", "3", "--at", "8,8/9,8/10,8")
    assert [at[0] for at in state("squares.affray").positions.at.values()] == [8, 9, 10]
    Path("squares.affray").unlink()
    shell.done("init", "Test", "--system", "paraverse")
    shell.done("begin", "--areas", "yard,gate")
    shell.done("join", "thrall", "--count", "2", "--area", "gate/yard")
    shell.done("join", "reaver", "vasko", "--area", "gate")
    assert state().areas.at == {"Thrall-1": "gate", "Thrall-2": "yard", "Reaver": "gate", "Vasko": "gate"}
    shell.refused("join", "hakon", "--area", "gate/yard", code=2)
    shell.refused("join", "hakon", "--group", "us", code=2)


# Errors


@pytest.mark.parametrize(("text", "code"), [
    ('nmae = "x"', 2),
    ("\nname = 5", 2),
    ("seats = 5", 2),
    ("party = 5", 2),
    ('party = "no.toml"', 2),
    ('party = "e.toml"', 2),
    ('map = "no.toml"', 2),
    ("map = 5", 2),
    ('[join]\nsheet = "grub"', 2),
    ('[[join]]\nsheet = "grubb"', 2),
    ('[[join]]\nsheet = ["grub", 5]', 2),
    ("[[join]]\nsheet = []", 2),
    ("\n[[join]]\ncount = 2", 2),
    ('[[join]]\nsheet = "grub"\ncount = "3"', 2),
    ('[[join]]\nsheet = "grub"\ncuont = 3', 2),
    ('[[join]]\nsheet = "grub"\nat = [8, 8]', 2),
    ('[[join]]\nsheet = "grub"\nat = "8;8"', 2),
    ('[[join]]\nsheet = "grub"\nat = "8,8/9,9"', 2),
    ('[[join]]\nsheet = "grub"\narea = "hall"', 2),
    ('[[join]]\nsheet = "grub"\n[[join]]\nsheet = "grub"', 2),
    ('[[join]]\nsheet = { name = "Bo", speed = "x" }', 2),
    ('[[join]]\n[join.sheet]\nname = "Bo"\nflat_bonus = 3', 1),
    ('[[join]]\nsheet = "bad.toml"', 1),
    ('[[party]]\nsheet = ["jane", "bad.toml"]', 1),
    ('[[terrain]]\nfeature = "lava"\nat = "1,1"', 2),
    ('[[terrain]]\nfeature = "drain"', 2),
    ('[[terrain]]\nfeature = "drain"\nat = "1,1"\n[[terrain]]\nfeature = "drain"\nat = "1,1/2,2"\nto = "3,3"', 2),
    ('[[join]]\nsheet = "grub"\ncount = 100\n[[party]]\nsheet = ["ogre", "brak"]\ncount = 100', 2),
    ("name = x", 2),
    ("name = 1.5", 2),
])  # fmt: skip
def test_an_error_says_where_it_is(freepg: Shell, text: str, code: int):
    Path("bad.toml").write_text('name = "Bad"\nflat_bonus = 3\n', encoding="utf-8")
    Path("e.toml").write_text(text + "\n", encoding="utf-8")
    freepg.refused("begin", "--from", "e.toml", code=code)


def test_other_words_that_are_wrong(freepg: Shell):
    freepg.refused("begin", "--from", "nobody", code=2)
    freepg.refused("begin", "--party", "nobody", code=2)
    freepg.refused("begin", "--from", "bridge.toml", "--party", "bridge.toml", code=2)
    freepg.done("begin", "--from", "bridge.toml")
    freepg.refused("begin", "--from", "bridge.toml", code=2)


def test_a_party_file_is_named_in_its_errors(freepg: Shell):
    Path("p.toml").write_text('[[join]]\nsheet = "jane"\n\n[[join]]\nsheet = "ogre"\nat = "1,1"\n', encoding="utf-8")
    freepg.done("join", "grub", "--at", "1,1")
    freepg.refused("begin", "--party", "p.toml", clause="freepg.move.occupied")


@pytest.mark.slow
def test_a_file_is_not_larger_than_a_megabyte(freepg: Shell):
    big = 'name = "Big"\n' + "".join(f"# {'x' * 100}\n" for _ in range(2000))
    Path("big.toml").write_text(
        big + f"skill = {{ {', '.join(f'a{n} = 5' for n in range(40000))} }}\n", encoding="utf-8"
    )
    Path("e.toml").write_text('[[join]]\nsheet = ["big.toml", "big.toml", "big.toml"]\n', encoding="utf-8")
    freepg.refused("begin", "--from", "e.toml", code=2)


def test_a_record_that_no_program_wrote_is_refused(freepg: Shell):
    """What stands in the entry is checked again whenever it is resolved."""
    from commands.action.dice_sources import Dice
    from commands.action.procedures import resolve
    from commands.action.resolution import Resolution
    from commands.rules.freepg.encounter import Begin
    from ledger.errors import UsageError

    book = Book(SqliteStore.open("test.affray"))
    for content in ({"join": 5}, {"begin": {"name": 5}}, {"ground": [["terrain", {}]]}, {"party": [{"sheets": [{}]}]}):
        with pytest.raises(UsageError):
            resolve(Resolution(book.present()[1], "begin", Begin(from_=content), Dice(faces=())))
    book.store.close()


# The record


def test_the_entry_needs_no_file_again(freepg: Shell):
    """Verify and amend read none of the files."""
    freepg.done("begin", "--from", "bridge.toml", "--party", "party.toml")
    freepg.done("note", "a long night")
    for name in ("bridge.toml", "party.toml"):
        Path(name).unlink()
    freepg.done("verify")
    freepg.done("amend", "e2", "--name", "The old mill", "--apply")
    freepg.done("verify")
    assert state().encounter.name == "The old mill"


def test_another_file_can_be_amended_in(freepg: Shell):
    freepg.done("begin", "--from", "bridge.toml")
    Path("fewer.toml").write_text('[[join]]\nsheet = "grub"\n', encoding="utf-8")
    freepg.done("amend", "e2", "--from", "fewer.toml", "--apply")
    assert state().roster.order == ("Grub",)
    freepg.refused("amend", "e4", "--from", "nobody", code=2)


def test_players_do_not_see_the_stat_blocks_of_others(freepg: Shell):
    """Nor the true name of a masked one, nor the file: only who comes, and the ground."""
    freepg.done("begin", "--from", "bridge.toml")
    freepg.done("export", "safe.jsonl", "--player-safe")
    text = Path("safe.jsonl").read_text(encoding="utf-8")
    for hidden in ("Gnash", "Brak", "hp_max", "bridge.toml"):
        assert hidden not in "".join(line for line in text.splitlines(True)[1:] if '"entry":2' in line), hidden
    assert "Hooded-stranger" in text
    assert "mail" in text, "the players know their own stat blocks"
    freepg.done("import", "safe.jsonl", "safe.affray")
    freepg.done("--ledger", "safe.affray", "verify")


def test_odds_of_a_beginning(shell: Shell):
    """Arkm: two dice for hit points; what no die decides is certain."""
    shell.done("init", "Test", "--system", "arkm")
    Path("two.toml").write_text('[[join]]\nsheet = "orc"\ncount = 2\n')
    told = shell.done("odds", "begin", "--from", "two.toml")
    assert told.startswith("begin (from two.toml): 36 combinations, exact")
    assert entries() == 1


# Those that come with the rules


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_the_demo_begins_with_a_shipped_encounter(system: str, name: str):
    demo = (Path(systems.folder(system)) / "demo.fight").read_text(encoding="utf-8")
    assert f"begin --from {name}" in demo


def test_every_system_has_one():
    lacking = {*systems.SYSTEMS} - {system for system, _ in SHIPPED}
    assert not lacking, "a prepared encounter is missing: encounters/NAME.toml in the folder of the system"


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_list_shows_it(system: str, name: str, shell: Shell):
    assert f"begin --from {name}: " in shell.done("sheets", system)


def test_the_record_holds_the_content_of_the_files(freepg: Shell):
    freepg.done("begin", "--from", "bridge.toml")
    book = Book(SqliteStore.open("test.affray"))
    from commands.action.book import events_of

    declared, *facts = events_of(book.store.entry(2))
    book.store.close()
    assert isinstance(declared, Declared)
    content = declared.said["from_"]
    assert content["file"] == "bridge.toml"
    assert [sheet["name"] for row in (*content["party"], *content["join"]) for sheet in row["sheets"]] == [
        "Boffin", "Jane", "Grub", "Brak",
    ]  # fmt: skip
    assert len([fact for fact in facts if isinstance(fact, Joined)]) == 6


@pytest.mark.parametrize("system", ["arkm", "dungeoneers"])
def test_foes_who_are_enemies_of_each_other_are_named(shell: Shell, system: str):
    """Where sides are hostile without a truce, a goblin and a skeleton fight each other unless they are on one side:
    as the encounter begins, or one of them joins it.
    """
    shell.done("init", "test", "--system", system)
    party, one, other = ("fighter", "orc", "ogre") if system == "arkm" else ("freya", "goblin", "skeleton")
    sides = "humanoids and monsters" if system == "arkm" else "goblins and undead"
    note = f"{sides} are each other's enemies too. adjust NAME side SIDE WHY puts somebody on another side."
    shell.done("join", party)
    assert "enemies too" not in shell.done("join", one, other)
    assert note in shell.done("begin")
    shell.done("undo")
    shell.done("adjust", other, "side", sides.partition(" ")[0], "they march together")
    assert "enemies too" not in shell.done("begin")
    shell.done("undo", "--to", "e2")
    assert "enemies too" not in shell.done("join", one) + shell.done("begin")
    assert note in shell.done("join", other)
