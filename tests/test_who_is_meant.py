"""Names as they are typed: whole, begun, by initials, by sides, by whose turn it is, and by who may act."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from commands.action import rulebook, systems
from commands.action.book import Book, events_of
from commands.action.common import Join, Leave, read_sheet
from commands.action.damage import Damage
from commands.action.names import check_free, check_once, find, find_all, group, proper, resolve_names
from commands.action.seats import Seat
from commands.action.systems import SYSTEMS
from commands.action.view import View
from commands.look.boards import read_board
from commands.words.sheet_files import example_sheets, read_sheets
from ledger.errors import NameUnknown, UsageError
from ledger.events import Declared, Felled, Joined, Masked
from ledger.sqlite import SqliteStore
from projections.state import State, fold
from tests.kit import given
from tests.sample import sampled
from tests.shell import Shell, write
from tests.tables import Table, deed


def table(*names: str, side: str = "foes") -> State:
    from msgspec import Raw

    return fold(State(), [Joined(name, side, Raw(b"{}")) for name in names])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("g1", "g1"),  # the whole name before all else
        ("G2", "Grub-2"),
        ("dw12", "Dire-Wolf-12"),
        ("dw1", "dw1x"),  # a beginning before initials
        ("o3", "Orc3"),
        ("d12", "Dire-Wolf-12"),  # a beginning and the number
        ("gru", ""),
        ("grub", ""),
        ("zo", "Stranger"),  # the true name
        ("z7", "Stranger"),
        ("h1", ""),  # Hob-1 and Hen-1
    ],
)
def test_a_name_is_whole_or_begun_or_initials_with_a_number(word: str, meant: str):
    state = table("Grub-1", "Grub-2", "g1", "Dire-Wolf-12", "Dire-Wolf-1", "dw1x", "Orc3", "Stranger", "Hob-1", "Hen-1")
    state = fold(state, [Masked("Stranger", "Zora-7")])
    if meant:
        assert find(state, word) == meant
    else:
        with pytest.raises(NameUnknown):
            find(state, word)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("ute", "Gräfin-Ute"),
        ("grafin", "Gräfin-Ute"),
        ("Gräfin Ute", "Gräfin-Ute"),
        ("knecht", "Müller's-Knecht"),
        ("muller\u2019s knecht", "Müller's-Knecht"),
        ("mullersk", ""),
        ("ga", "ghoul-A"),
        ("elodie", "Élodie"),
        ("s", "Sergeant"),  # a beginning of the whole name before one of a part
        ("sword", "Old-Sword-Arm"),
        ("sword arm", "Old-Sword-Arm"),
        ("arm", "Old-Sword-Arm"),
        ("old", ""),  # two begin so
        ("-ute", ""),
        ("'", ""),
    ],
)
def test_a_name_is_found_by_any_of_its_parts_and_without_accents(word: str, meant: str):
    state = table("Gräfin-Ute", "Müller's-Knecht", "ghoul-A", "Élodie", "Sergeant", "Old-Sword-Arm", "Old-Hat")
    if meant:
        assert find(state, word) == meant
    else:
        with pytest.raises(NameUnknown):
            find(state, word)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("@ute", ["Gräfin-Ute", "Ritter-Ute"]),
        ("@grafin", ["Gräfin-Ute"]),
        ("@hooded stranger", ["Hooded-stranger"]),
        ("@foes", ["Gräfin-Ute", "Ritter-Ute", "Hooded-stranger", "Foes-friend"]),  # a side before a part
        ("@r", ["Ritter-Ute"]),  # a beginning of the whole name before one of a part
    ],
)
def test_a_word_with_at_names_all_of_whose_names_a_part_begins_so(word: str, meant: list[str]):
    state = table("Gräfin-Ute", "Ritter-Ute", "Hooded-stranger", "Foes-friend")
    assert group(state, word)[0] == meant


def test_the_names_most_like_a_word_come_nearest_first_and_as_they_are_written():
    with pytest.raises(NameUnknown) as unknown:
        find(table("Grobian", "Gräbin-Ute", "Grub-1", "Ann"), "gräfim")
    assert unknown.value.message == "Nobody at the table is called 'gräfim'."
    assert unknown.value.hint.splitlines()[0] == "Did you mean Gräbin-Ute?"
    with pytest.raises(NameUnknown) as unknown:
        find(table("Adalgart", "Ann", "Adalger"), "adalgerr")
    assert unknown.value.hint.splitlines()[0] == "Did you mean Adalger or Adalgart?"


def test_a_name_is_free_unless_somebody_bears_it_or_is_it_truly():
    """In any case; the one who is left out of it may have it."""
    state = fold(table("x", "Grub-1"), [Masked("Grub-1", "Zora")])
    for name in ("x", "X", "grub-1", "ZORA"):
        with pytest.raises(UsageError, match=f"{name} is already at the table"):
            check_free(state, name)
    check_free(state, "y")
    check_free(state, "zora", but="Grub-1")
    with pytest.raises(UsageError):
        check_free(state, "zora", but="x")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "A name has 1 to 40 characters, not 0."),
        ("a" * 41, "A name has 1 to 40 characters, not 41."),
        ("-a", "cannot be a name"),
        ("'a", "cannot be a name"),
        ("a.b", "cannot be a name"),
    ],
)
def test_a_name_that_no_shell_likes_is_refused(name: str, says: str):
    with pytest.raises(UsageError, match=says):
        proper(name)


@pytest.mark.parametrize(
    ("name", "kept"),
    [("a" * 40, "a" * 40), ("1", "1"), ("O'Neil_2-b", "O'Neil_2-b"), ("E\u0301va", "\u00c9va"),
     (" Hooded  stranger ", "Hooded-stranger"), ("a" * 20 + " " + "b" * 19, "a" * 20 + "-" + "b" * 19)],
)  # fmt: skip
def test_a_name_is_kept_as_one_word_in_composed_form(name: str, kept: str):
    assert proper(name) == kept


def test_the_same_value_may_be_given_twice_and_no_other():
    check_once([("a", "1"), ("b", "2"), ("a", "1")])
    with pytest.raises(UsageError, match="a is given both '1' and '2'; give one of them"):
        check_once([("a", "1"), ("b", "2"), ("a", "2")])


def test_a_word_that_is_too_long_is_shown_in_part():
    """Up to 40 characters."""
    for word, shown in (("y" * 40, "y" * 40), ("y" * 41, "y" * 40 + "...")):
        with pytest.raises(NameUnknown, match=f"Nobody at the table is called '{shown}'"):
            find(table("Grub-1"), word)


def test_those_with_the_same_initials_are_listed():
    with pytest.raises(NameUnknown, match="'h1' could be Hob-1, Hen-1"):
        find(table("Hob-1", "Hen-1"), "h1")


def test_a_word_with_at_is_reserved_or_a_side_or_a_beginning():
    """Somebody whose name begins like a side does not come in by it."""
    state = fold(table("Grub-1", "Grub-2", "Allan"), table_events("Foesmith", "Due-1"))
    assert find_all(state, ("@foes",)) == ("Grub-1", "Grub-2", "Allan")
    assert find_all(state, ("@FOE",)) == ("Foesmith",)
    assert find_all(state, ("@gru", "grub-2", "@party")) == ("Grub-1", "Grub-2", "Foesmith", "Due-1")
    assert find_all(state, ("@all",)) == ("Grub-1", "Grub-2", "Allan", "Foesmith", "Due-1")
    dead = fold(state, [Felled("Grub-1", "dead")])
    assert group(dead, "@gru") == (["Grub-2"], ["Grub-1"])
    with pytest.raises(NameUnknown, match="There is no side '@grab'") as unknown:
        find_all(state, ("@grab",))
    assert unknown.value.hint == "Did you mean Grub-1 or Grub-2?\nSides: @foes, @party."


def test_a_word_with_at_names_the_dead_only_where_a_verb_is_for_them_too():
    """Outside of a fight Grub-1, who is dead, leaves the table with the others, but is played from no seat."""
    told = given("freepg", Join(({"name": "Grub", "kind": "enemy"},), count=2)).when(Damage("Grub-1", 30, "a fall"))
    assert not told.state.stands("Grub-1")
    assert resolve_names(told.state, Seat("gm", ("@foes",))).who == ("Grub-2",)
    assert resolve_names(told.state, Leave(("@foes",))).who == ("Grub-1", "Grub-2")


def table_events(*names: str) -> list[Joined]:
    from msgspec import Raw

    return [Joined(name, "party", Raw(b"{}")) for name in names]


def seated(shell: Shell, system: str) -> tuple[str, str]:
    """Boffin against Grub-1 and Grub-2; gives their sides."""
    shell.done("init", "test", "--system", system)
    rules, sheets = rulebook.of(system).sheet, example_sheets(system)
    sides = {name: rules.side(read_sheet(system, read_sheets(name, system)[0])) for name in sorted(sheets)}
    ours = next(name for name in sides if sides[name] in systems.load(system).players)
    theirs = next(name for name in sides if sides[name] not in systems.load(system).players)
    shell.done("join", ours, "--called", "Boffin")
    shell.done("join", theirs, "--called", "Grub", "--count", "2")
    return sides[ours], sides[theirs]


def said(entry: int = 0) -> dict[str, object]:
    """What was declared by an entry, or by the last one."""
    store = SqliteStore.open("test.affray")
    declared = events_of(store.entry(entry or store.head().entry))[0]
    assert isinstance(declared, Declared)
    return declared.said


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_record_holds_full_names(system: str, shell: Shell):
    ours, theirs = seated(shell, system)
    for word, meant in (("bof", "Boffin"), ("g2", "Grub-2"), (f"@{ours}", "Boffin"), ("@bo", "Boffin")):
        shell.done("note", "here", "--about", word)
        assert said()["about"] == meant
    shell.refused("note", "here", "--about", f"@{theirs}", code=3)
    shell.refused("note", "here", "--about", "boffni", code=3)
    shell.refused("note", "here", "--about", ".", code=3)
    write_felled("Grub-1")
    shell.refused("adjust", "@grub-1", "hp", "3", "x", code=3)
    shell.done("leave", "@all")
    assert said()["who"] == ["Boffin", "Grub-1", "Grub-2"]


def test_the_dead_lie_there_until_the_fight_is_over(shell: Shell):
    """Those who flee leave their dead behind. When nobody else of them is left, the dead are meant, too."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin")
    shell.done("join", "grub", "--count", "3")
    shell.done("begin")
    write_felled("Grub-1")
    assert shell.done("leave", "grub*").endswith("\nGrub-3 leaves\nGrub-1 is skipped: dead.\n")
    assert said()["who"] == ["Grub-2", "Grub-3"]
    shell.done("leave", "@foes")
    assert said()["who"] == ["Grub-1"]
    shell.done("undo", "--times", "2")
    shell.done("end")
    shell.done("leave", "grub*")
    assert said()["who"] == ["Grub-1", "Grub-2", "Grub-3"]


def write_felled(who: str) -> None:
    store = SqliteStore.open("test.affray")
    write(store, [Declared("note", {"text": "slain"}), Felled(who, "dead")])
    store.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_side_is_called_all_or_due(system: str, shell: Shell):
    seated(shell, system)
    sheet = sorted(example_sheets(system))[0]
    for word in ("all", "Due"):
        shell.refused("join", sheet, "--called", "X", "--side", word, code=2)
        shell.refused("adjust", "boffin", "side", word, "x", code=2)


EVENINGS = [(system, seed) for system in SYSTEMS for seed in range(6)]


def demos(system: str) -> Iterator[State]:
    """The state after each entry of the demo."""
    book = Book(SqliteStore.open(f"demo-{system}.affray"))
    for entry in range(1, book.store.head().entry + 1):
        yield book.state_at(entry)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_dot_and_due_are_those_whom_the_board_shows_as_acting(system: str, shell: Shell):
    """In the demo: always people at the table, each once. `@due` names those who may act now, `.` the only one; in Arkm
    also the dead to whom a tie owes a blow.
    """
    shell.done("demo", system)
    some = 0
    for state in demos(system):
        now = read_board(state).now
        assert set(now) <= set(state.roster.order)
        some += bool(now)
        if not state.encounter.running:
            assert not now
        if now:
            assert sorted(find_all(state, ("@due",))) == sorted(now)
        else:
            with pytest.raises(NameUnknown):
                find_all(state, ("@due",))
        if len(now) == 1:
            assert find(state, ".") == now[0]
        else:
            with pytest.raises(NameUnknown):
                find(state, ".")
    assert some
    assert Path(f"demo-{system}.affray").exists()


@pytest.mark.parametrize(("system", "seed"), sampled(EVENINGS, 6, several=True))
def test_those_who_may_act_are_those_who_are_shown(system: str, seed: int):
    """In evenings of chance: who can record a deed in a copy, without taking anything from others, is on the board as
    one who may act; and everybody there can, or has the turn that `done` ends. `@due` names the same, and `.` the only
    one.
    """
    table, dice = Table(system, seed), Random(seed)
    looked_at = 0
    for nth, state in enumerate(table.play(40 if seed else 14)):
        if not state.turns.round or nth % (3 if seed else 7):
            continue
        standing = [who for who in state.roster.order if state.stands(who)]
        dice.shuffle(standing)
        shown = rulebook.of(system).board.acting(View(state))
        assert (sorted(find_all(state, ("@due",))) if shown else []) == sorted(shown)
        assert shown[1:] or not shown or find(state, ".") == shown[0]
        for who in dice.sample(shown, min(2, len(shown))):
            on_turn = system != "arkm" and state.turns.who
            assert deed(state, who, standing) or on_turn, (who, shown, table.said)
        for who in [who for who in standing if who not in shown][:1]:
            assert not (found := deed(state, who, standing)), (found, shown, table.said)
        looked_at += 1
    assert looked_at


def test_those_brought_in_who_cannot_act_are_skipped_with_a_line(shell: Shell):
    """Adalger is a player character and checks no morale. Typed by name, alone or in a list, he is refused."""
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger")
    shell.done("join", "guard", "--called", "Thug", "--count", "2")
    skipped = "Adalger is skipped: Adalger is a player character; the player decides."
    assert shell.done("morale", "@all", "--dice", "3,4").splitlines()[-1] == skipped
    assert said()["who"] == ["Thug-1", "Thug-2"]
    dry = shell("morale", "@all", "--dry-run", "--json").json
    assert (dry["notes"], dry["needs"][0]["dice"]) == ([skipped], "2d6")
    shell.refused("morale", "adalger,@opp", "--dice", "3,4", clause="aachen.morale.npc-only")
    shell.refused("morale", "@pc", "--dice", "3,4", clause="aachen.morale.npc-only")
    shell.done("morale", "@all", "--allow", "his nerve", "--score", "7", "--dice", "3,4")
    assert said()["who"] == ["Adalger", "Thug-1", "Thug-2"]
    odds = shell("odds", "morale", "@all")
    assert (odds.code, odds.err) == (0, skipped + "\n")


def test_those_skipped_are_said_once_each_and_those_typed_are_never_skipped(shell: Shell):
    """The dead come first. Somebody whom a name and a word with @ both bring in counts as typed."""
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger")
    shell.done("join", "guard", "--called", "Thug", "--count", "3")
    write_felled("Thug-2")
    player = "Adalger is a player character; the player decides."
    told = shell.done("morale", "@opp,@all,@th", "--dice", "3,4").splitlines()
    assert told[-2:] == ["Thug-2 is skipped: dead.", f"Adalger is skipped: {player}"]
    assert told[0] == "Thug-1 checks morale: holds  e5"
    assert said()["who"] == ["Thug-1", "Thug-3"]
    shell.refused("morale", "@all,adal", "--dice", "3,4", code=1)
    told = shell.done("morale", "@opp,t1", "--dice", "3,4").splitlines()
    assert told[-1] == "Thug-2 is skipped: dead."
    assert said()["who"] == ["Thug-1", "Thug-3"]
    told = shell.done("morale", "@opp", "--score", "7", "--allow", "they waver", "--dice", "3,4").splitlines()
    assert told[-1] == "Thug-2 is skipped: dead."


def test_a_turn_that_several_may_take_is_refused_with_them(shell: Shell):
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger")
    shell.done("join", "guard", "--called", "Thug", "--count", "2")
    shell.done("begin")
    shell.done("initiative", "--dice", "1,7")
    shell.refused("note", "x", "--about", ".", code=3)
    shell.done("pass", "t2")
    shell.done("note", "x", "--about", ".")
    assert said()["about"] == "Thug-1"
    shell.done("pass", "@due")
    assert said()["who"] == ["Thug-1"]
    shell.done("pass", "@due")
    assert said()["who"] == ["Adalger"]
    shell.refused("pass", "@due", code=3)


def test_who_may_act_in_arkm(shell: Shell):
    """The party is first. Who acted in a round may not act, nor who passed; who owes a morale check is no such one."""
    shell.done("init", "test", "--system", "arkm")
    shell.done("join", "fighter", "--called", "Bran")
    shell.done("join", "orc", "--count", "2", "--dice", "4,4")
    shell.done("begin")
    shell.done("initiative", "--dice", "5,2")
    shell.done("move", ".", "--to", "@orc", "--feet", "30")
    assert (said()["who"], said()["to"]) == ("Bran", ["Orc-1", "Orc-2"])
    shell.done("phase", "melee")
    shell.done("attack", ".", "o1", "--dice", "2")
    assert said()["target"] == ["Orc-1"]
    shell.done("adjust", "orc-2", "down", "dead", "a stray arrow")
    shell.done("pass", ".")
    shell.done("pass", "@orc")
    assert said()["who"] == ["Orc-1"]
    shell.refused("pass", "@due", code=3)
    shell.done("morale", "orc", "--dice", "1,1")
    shell.refused("pass", "@due", code=3)


def test_who_may_act_in_paraverse(shell: Shell):
    """In planning, those who have not declared."""
    shell.done("init", "test", "--system", "paraverse")
    shell.done("join", "sigrun", "thrall")
    shell.done("begin")
    shell.done("round")
    shell.refused("pass", ".", code=3)
    shell.done("pass", "sig")
    shell.done("pass", ".")
    assert said()["who"] == "Thrall"


def test_who_may_act_in_freepg(shell: Shell):
    """Those of the seat whose turn it is who have an action left: talking takes none."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin")
    shell.done("join", "grub", "--count", "2")
    shell.done("begin")
    shell.done("initiative", "--dice", "1,3")
    shell.refused("act", ".", "shouts", code=3)
    shell.done("act", "g1", "shouts")
    shell.refused("act", ".", "waits", code=3)
    shell.done("attack", "g1", "boffin", "--dice", "1,2")
    shell.done("act", "@due", "waits")
    assert said()["who"] == "Grub-2"


def test_who_may_act_in_dungeoneers(shell: Shell):
    """The one whose turn it is, as long as something is left of it; else the next one, who begins it by acting."""
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("join", "suori", "--at", "0,0")
    shell.done("join", "skeleton", "--at", "9,9")
    shell.done("begin")
    shell.done("round", "--set", "Suori=9", "--set", "Skeleton=3")
    for words, who in (("turn", "Suori"), ("defend", "Suori"), ("done", "Skeleton"), ("move e e e", "Skeleton")):
        shell.done(*words.split())
        shell.done("note", "x", "--about", ".")
        assert said()["about"] == who, words
    shell.done("defend")
    shell.refused("note", "x", "--about", "@due", code=3)


def test_somebody_called_by_the_name_of_the_stat_block_is_offered_by_name(shell: Shell):
    """Arkm's stat blocks are classes: Aldric is the fighter, and Marcus the cleric, however like Aldric that sounds."""
    shell.done("init", "Hall", "--system", "arkm")
    shell.done("join", "fighter", "cleric", "thief")
    for word in ("fighter", "Cleric"):
        shell.refused("show", word, code=3, ledger="hall.affray")
    shell.refused("show", "lancer", code=3, ledger="hall.affray")
    shell.refused("show", "../fighter", code=3, ledger="hall.affray")
    shell.done("join", "magic-user")
    answer = shell.refused("show", "magic-user", code=3, ledger="hall.affray")
    assert "Did you mean Wystan?" in answer.err


@pytest.mark.parametrize("name", ["e5", "E12", "all", "All", "none", "dice"])
def test_no_combatant_is_called_by_a_word_that_means_something_else(table: Shell, name: str):
    """`show e5` is the entry: refused wherever a name is given, by stat blocks and encounters too."""
    table.done("join", "boffin")
    Path("one.toml").write_text(f'name = "{name}"\nkind = "enemy"\n', encoding="utf-8")
    Path("fight.toml").write_text(f'[[join]]\nsheet = "boffin"\ncalled = "{name}"\n', encoding="utf-8")
    for words in (
        ("join", "tilda", "--called", name), ("join", "tilda", "--seen-as", name), ("join", "one.toml"),
        ("rename", "boffin", name), ("begin", "--from", "fight.toml"), ("sheet", "new", f"{name}.toml"),
    ):  # fmt: skip
        table.refused(*words, code=2)
    assert not Path(f"{name}.toml").exists()
    table.done("join", "tilda", "--called", "Allan")
    table.done("join", "tilda", "--called", "E-5")


AACHEN_WAVERS = (
    "join adalger", "join guard --count 3", "begin", "initiative --dice 7,1", "attack adalger guard-1 --dice 15,6",
)  # fmt: skip
ARKM_WAVERS = (
    "join fighter", "join goblin --count 2", "begin", "round --dice 6,1", "move aldric --to goblin-1 --feet 30",
    "phase melee --pass-rest", "attack aldric goblin-1 --dice 18,6",
)  # fmt: skip


@pytest.mark.parametrize(("system", "lines", "owing"), [
    ("aachen", AACHEN_WAVERS, ["Guard-2", "Guard-3"]), ("arkm", ARKM_WAVERS, "Goblin"),
])  # fmt: skip
def test_behind_a_verb_that_the_board_says_is_due_those_who_owe_it_are_meant(
    system: str, lines: tuple[str, ...], owing: list[str] | str, shell: Shell
):
    """Not those who may act: they are the players', and check no morale. Behind any other verb it is they."""
    shell.done("init", "test", "--system", system)
    for line in lines:
        shell.done(*line.split())
    assert "Due: " in shell.done("status")
    shell.done("morale", "@due", "--dice", "1,1")
    assert said()["who"] == owing
    assert "Due: " not in shell.done("status")
    assert shell("morale", "@due", "--dice", "1,1").code


def test_where_two_owe_what_one_alone_can_be_said_of_they_are_named(shell: Shell):
    """arkm.morale.roll: the goblins and the orcs have lost one each."""
    shell.done("init", "test", "--system", "arkm", "--key", "00" * 31 + "07")
    for line in (
        "join fighter --called ada", "join fighter --called bo", "join goblin --count 2 --dice 1,3",
        "join orc --count 2 --dice 4,6", "begin", "round --dice 6,1,1", "move ada --to goblin-1 --feet 30",
        "move bo --to orc-1 --feet 30", "phase melee --pass-rest", "attack ada goblin-1 --dice 18,6",
        "attack bo orc-1 --dice 18,6",
    ):  # fmt: skip
        shell.done(*line.split())
    shell.refused("morale", "@due", code=3, says="'@due' could be Goblin, Orc.")


# A list with a name that is absent


def missing(shell: Shell, *words: str) -> str:
    """What is told of a line whose list names somebody who is absent, zilla, and others."""
    told = shell.done(*words)
    assert told.count("called 'zilla': left out.") + told.count("group 'zilla': left out.") == 1, told
    return told


def test_an_absent_name_is_left_out_of_every_list(shell: Shell):
    """Of those who are acted upon, in a word of their own and behind an option, of those who act, and of blows; the
    others are as they would be without it, and the record does not hold it.
    """
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    missing(shell, "damage", "grub,zilla,boffin", "2")
    missing(shell, "adjust", "zilla,grub", "hp", "+1", "a", "draught")
    shell.done("begin")
    missing(shell, "attack", "boffin", "grub,zilla", "--allow", "all: far off")
    told = missing(shell, "attack", "zilla,grub", "boffin", "--allow", "all: far off", "--once", "here")
    assert missing(shell, "attack", "zilla,grub", "boffin", "--allow", "all: far off", "--dry-run")
    assert "Grub attacks Boffin" in told
    assert "zilla" not in shell.done("log", "--json").replace("zilla,", "").replace(",zilla", "")
    again = shell.done("attack", "zilla,grub", "boffin", "--allow", "all: far off", "--once", "here")
    assert again in told


def test_an_absent_name_is_left_out_of_the_blows_and_groups_of_arkm(shell: Shell):
    shell.done("init", "Test", "--system", "arkm")
    shell.done("join", "fighter")
    shell.done("join", "goblin", "--count", "3")
    shell.done("begin")
    shell.done("initiative", "--dice", "5,2")
    missing(shell, "adjust", "goblin-1,zilla,goblin-2", "engaged", "aldric", "close")
    missing(shell, "group", "goblin-3,zilla", "scouts")
    missing(shell, "attack", "aldric", "goblin-1,zilla", "--allow", "all: early")


def test_alone_and_where_dice_were_thrown_an_absent_name_is_an_error(shell: Shell):
    """The dice may be those of the one who is absent. Behind a blank a word may be a weapon that is misspelt."""
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    shell.done("begin")
    shell.refused("damage", "zilla", "2", code=3)
    shell.refused("attack", "boffin", "grub", "zilla", code=3)
    shell.refused("attack", "boffin", "grub,zilla", "--dice", "3", code=3)
    shell.refused("attack", "grub,zilla", "boffin", "--dice", "3", code=3)
    shell.refused("damage", "zilla,zorro", "2", code=3)
