"""Reasons: which entries made a value, with their arithmetic, and which make two boards differ."""

import pytest
from msgspec import Raw

from commands.action.book import Book
from ledger.events import Declared, HpSet, Joined, Retracted
from ledger.sqlite import SqliteStore
from projections.changes import between, values
from tests.shell import Shell, foreign, new_book, write

CHAINS = {
    # 20 hp; an arrow does 16 + 1 bow - 5 for six squares - 8; fire 17 + 1 - 4 for five squares - 1 radius 2 - 5.
    ("freepg", "grub-2.hp"): [(8, "16", "8"), (5, "20", "16"), (2, "-", "20")],
    # A mace is 1 and bones are vulnerable to it; the second blow finds nothing left to wound, and kills.
    ("dungeoneers", "grin.wounds"): [(8, "0", "2"), (2, "-", "0")],
    ("dungeoneers", "grin.down"): [(33, "-", "dead")],
    # 7 bow x 3 - 1 armour is 20, a quarter of it pain; a day's rest takes 1.
    ("paraverse", "vasko.pain"): [(45, "5", "4"), (12, "0", "5"), (2, "-", "0")],
    # 10 are 2 over the orcs' score of 8; the end of the encounter is the end of it.
    ("arkm", "orc.broken"): [(41, "until the end of the encounter", "-"), (27, "-", "until the end of the encounter")],
    ("paraverse", "ildar.down"): [(27, "unconscious", "-"), (13, "-", "unconscious")],
}
"""For values of the demo fights the entries that made them, the newest first, with the value before and after."""


def demo(shell: Shell, system: str) -> Shell:
    """The demo fight of a rule system, in test.affray."""
    shell.done("demo", system, "--file", "test.affray")
    return shell


@pytest.mark.parametrize(("asked", "chain"), CHAINS.items(), ids=[" ".join(asked) for asked in CHAINS])
def test_the_chain_of_entries_that_made_a_value(shell: Shell, asked, chain):
    system, name = asked
    said = demo(shell, system)("why", name, "--json").json
    assert [(one["entry"], one["before"], one["after"]) for one in said["changes"]] == chain


def test_why_shows_the_arithmetic_that_led_there(shell: Shell):
    """Of the fire that burns both grubs only what concerns the second one."""
    told = demo(shell, "freepg").done("why", "grub-2.hp", "--last", "1").splitlines()
    assert told == [
        "Grub-2.hp is 8 after e31.",
        "e8  16 -> 8  Tilda attacks Grub-1 (as a ball of embers, radius 2)",
        "    dice    Tilda 1d20 for attack: 17 (typed)",
        "    dice    Grub-2 1d20 for defense: 5 (typed)",
        "    rule    freepg.range.line-of-sight, freepg.los.geometry: in line of sight",
        "    rule    freepg.range.definition: distance 5: ranged",
        "    rule    freepg.area.everyone: in the area: Grub-1, Grub-2",
        "    rule    freepg.attack.hit-test, freepg.bonus.weapon-must-be-used, freepg.range.penalty: attack 14 (d20 17"
        " +1 staff of embers -4 range 5) > defense 5 (d20): hit",
        "    rule    freepg.attack.damage, freepg.bonus.weapon-must-be-used, freepg.range.penalty,"
        " freepg.attack.radius-penalty: damage 8 (d20 17 +1 staff of embers -4 range 5 -1 radius 2 -5 defense)",
        "    result  Grub-2 loses 8 hp, now 8/20",
        "There are earlier changes: affray why 'Grub-2.hp' --last 0",
    ]


def test_why_of_many_blows_in_one_entry_shows_the_one_that_hurt(shell: Shell):
    """Paraverse resolves a phase at once: Vasko's own shot, in the same entry, is no reason for his pain."""
    (change, *_) = demo(shell, "paraverse")("why", "vasko.pain", "--at", "e19", "--json").json["changes"]
    assert [rule["clause"] for rule in change["rulings"]] == [
        "paraverse.ranged.hit-if-higher",
        "paraverse.hit-location",
        "paraverse.damage.multiplier",
        "paraverse.damage.formula",
        "paraverse.pain.ceiling",
    ]
    assert change["dice"][:2] == ["Ildar 1d20 for attack: 15 (typed)", "Vasko 1d20 for defence: 4 (typed)"]


def test_why_at_an_earlier_entry(shell: Shell):
    told = demo(shell, "freepg").facts("why", "grub-2.hp", "--at", "e6")
    assert (told["value"], told["entry"]) == ("16", 6)
    assert [(one["entry"], one["after"]) for one in told["changes"]] == [(5, "16"), (2, "20")]


def test_a_name_on_the_board_may_be_initials_with_a_number_there_too(shell: Shell):
    told = demo(shell, "freepg").done("why", "g2.hp", "--at", "e6")
    assert told == shell.done("why", "grub-2.hp", "--at", "e6")
    assert shell.done("find", "g2.hp < 10") == shell.done("find", "grub-2.hp < 10")
    shell.refused("why", "g3.hp", code=3)


def test_why_of_a_former_value_and_of_one_that_never_was(shell: Shell):
    demo(shell, "freepg")
    told = shell.facts("why", "tilda.down")
    assert (told["value"], told["entry"]) == ("-", 31)
    assert [(one["entry"], one["before"], one["after"]) for one in told["changes"]] == [
        (16, "dying", "-"), (11, "-", "dying"),
    ]  # fmt: skip
    never = shell.facts("why", "boffin.pain")
    assert (never["value"], never["entry"], never["changes"]) == ("-", 31, [])
    told = shell.done("why", "boffin.down").splitlines()
    assert told == ["Boffin.down is not on the board after e31.", "It has not changed since the start."]


def test_why_ignores_undone_entries(table: Shell):
    table.done("join", "tilda")
    table.done("adjust", "tilda", "hp", "50", "a fall")
    table.done("undo")
    table.done("adjust", "tilda", "hp", "40", "a harder one")
    assert [one["entry"] for one in table("why", "tilda.hp", "--json").json["changes"]] == [5, 2]
    assert [one["entry"] for one in table("why", "tilda.hp", "--at", "e3", "--json").json["changes"]] == [3, 2]


def test_an_unknown_name_is_refused_with_the_nearest(table: Shell):
    table.done("join", "tilda", "jane")
    table.refused("why", "tilda.hq", code=3)
    table.refused("why", "tulda.hp", code=3)
    table.refused("find", "tilda", code=3)
    table.refused("why", "tilda.h", code=3)
    table.refused("why", "zzz", code=3)
    table.refused("why", ".hp", code=3)
    table.refused("why", "tilda.hp", "--at", "e9", code=3)


def test_why_alone_tells_the_arithmetic_of_the_last_action(table: Shell):
    """For a table that was shown the outcome alone."""
    table.done("join", "tilda")
    assert "    health 53 (d20 7 /2 +50 base)" in table.done("why").splitlines()


def test_the_name_of_a_combatant_alone_lists_what_can_be_asked(table: Shell):
    """By any part of the name; the last line is a question that can be typed."""
    table.done("join", "tilda", "--called", "Old Tilda")
    assert table.done("why", "tilda").splitlines()[-1] == "Ask for one of them: affray why Old-Tilda.side"
    values = table.facts("why", "old")["values"]
    assert [*values][:4] == ["Old-Tilda.side", "Old-Tilda.hp", "Old-Tilda.hp-max", "Old-Tilda.equipped"]
    assert values["Old-Tilda.hp"] == "53"
    assert table.done("why", "Old-Tilda.side").startswith("Old-Tilda.side is party after e2.")


@pytest.mark.slow
def test_checkpoints_change_nothing_but_the_time(table: Shell, tmp_path):
    """600 entries, of which two have a checkpoint, an undo between them; and then none has."""
    table.done("join", "tilda")
    lines = [f"note {number}" for number in range(600)]
    lines[100] = "adjust tilda hp 50 'e103'"
    lines[300] = "adjust tilda hp 40 'e303'"
    lines[301:301] = ["undo e290", "adjust tilda hp 30 'e305'"]
    (tmp_path / "many.txt").write_text("\n".join(lines))
    table.done("run", "many.txt")
    found = []
    for _ in range(2):
        changes = table("why", "tilda.hp", "--json").json["changes"]
        found.append([(one["entry"], one["before"], one["after"]) for one in changes])
        foreign("test.affray").execute("DELETE FROM checkpoints")
    assert found == [[(305, "50", "30"), (103, "53", "50"), (2, "-", "53")]] * 2


# diff


def test_two_entries_are_given_in_one_word_or_in_two(shell: Shell):
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin")
    for hp in ("50", "40"):
        shell.done("adjust", "boffin", "hp", hp, "a blow")
    told = shell.facts("diff", "e3..e4")
    assert [(one["name"], one["before"], one["after"]) for one in told["differences"]] == [("Boffin.hp", "50", "40")]
    assert shell.facts("diff", "e3", "e4") == told
    for words in (("e3", "4"), ("e3", "e4", "e5"), ("e3..", "e4"), ("e3",)):
        shell.refused("diff", *words, code=2)


def test_each_difference_names_the_entry_that_made_it(shell: Shell):
    """From e20 to e22 Tilda heals 8 points and strikes in vain."""
    differences = demo(shell, "freepg")("diff", "e20..e22", "--json").json["differences"]
    assert [(one["name"], one["before"], one["after"], one["entry"]) for one in differences] == [
        ("Tilda.hp", "10", "18", 21),
        ("Tilda.action", "2", "0", 22),
        ("Tilda.attack", "1", "0", 22),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("system", ["freepg", "dungeoneers", "paraverse"])
def test_a_diff_of_everything_is_the_whole_board(shell: Shell, system):
    """Every value of the board at the end came onto it by the last entry that `why` names."""
    differences = {one["name"]: one for one in demo(shell, system)("diff", "e1..", "--json").json["differences"]}
    board = shell("status", "--json").json["values"]
    first = shell("status", "--at", "e1", "--json").json["values"]
    assert set(differences) == {name for name, value in board.items() if first.get(name) != value}
    for name in list(differences)[::7]:
        newest = shell("why", name, "--last", "1", "--json").json["changes"][0]
        assert differences[name]["entry"] == newest["entry"]


def test_a_diff_backwards_and_to_the_same_entry(shell: Shell):
    """Backwards the differences lie on the first course."""
    demo(shell, "freepg")
    (hp, *_) = shell("diff", "e22..e20", "--json").json["differences"]
    assert (hp["before"], hp["after"], hp["entry"], hp["course"]) == ("18", "10", 21, "first")
    assert shell.facts("diff", "e22..e22")["differences"] == []


def test_a_diff_of_two_courses_names_entries_of_both(table: Shell):
    """e3 and e4 were undone by e5; e6 stands after that."""
    table.done("join", "tilda", "jane")
    table.done("adjust", "tilda", "hp", "50", "a fall")
    table.done("adjust", "jane", "hp", "20", "a harder one")
    table.done("undo", "--to", "e2")
    table.done("adjust", "tilda", "hp", "40", "a fall")
    told = table.facts("diff", "e4..e6")
    assert told["fork"] == 2
    assert [[one[key] for key in ("name", "before", "after", "entry", "course")] for one in told["differences"]] == [
        ["Tilda.hp", "50", "40", 6, "second"], ["Jane.hp", "20", "52", 4, "first"],
    ]  # fmt: skip


def test_a_diff_of_an_amendment_compares_the_course_before_with_the_course_after(tmp_path, shell: Shell):
    """e5 jumps behind e1, e6 and e7 resolve e2 and e3 again, all by one command; e8 is another."""
    book = new_book(tmp_path / "test.affray")
    hp = lambda who, now: [Declared("adjust", {"who": who}), HpSet(who, now, 60)]  # noqa: E731
    write(book.store, [Declared("join", {}), *(Joined(who, "foes", Raw(b"{}")) for who in ("Bo", "Al"))])
    write(book.store, hp("Bo", 10))
    write(book.store, hp("Al", 20))
    write(book.store, [Declared("amend", {"entry": "e3"}), Retracted((3, 4), (4,))], after=2)
    write(book.store, hp("Bo", 15), command=5, origin=3)
    write(book.store, hp("Al", 20), command=5, origin=4)
    write(book.store, hp("Al", 5))
    book.store.close()
    for entry in ("e5", "e6", "e7"):
        said = shell("diff", "--before-amendment", entry, "--json").json
        assert (said["before"], said["after"], said["fork"]) == (4, 7, 2)
        (one,) = said["differences"]
        assert (one["name"], one["before"], one["after"], one["entry"]) == ("Bo.hp", "10", "15", 6)
    shell.refused("diff", "--before-amendment", "e8", code=2)


def test_a_wrong_diff_is_refused(table: Shell):
    for words in (["e1"], ["1..2"], ["e1..x"], ["..e1"], ["e1..e1..e1"]):
        table.refused("diff", *words, code=2)
    table.refused("diff", "e1..e9", code=3)
    table.refused("diff", code=2)
    table.refused("diff", "e1..", "--before-amendment", "e1", code=2)
    table.refused("diff", "--before-amendment", "first", code=2)
    table.refused("diff", "--before-amendment", "e1", code=2)


def test_the_values_of_one_combatant_are_those_of_the_whole_board(shell: Shell):
    """What is read faster, because only one at the table is looked at, is the same."""
    demo(shell, "dungeoneers")
    book = Book(SqliteStore.open("test.affray"))
    for entry in (13, 33, 48, 70):
        state = book.state_at(entry)
        board = values(state)
        assert between(state, state) == []
        for who in state.roster.order:
            own = {name: value for name, value in values(state, who).items() if name.startswith(f"{who}.")}
            assert own == {name: value for name, value in board.items() if name.startswith(f"{who}.")}
    book.store.close()
