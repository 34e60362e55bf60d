"""A hero's evening: what somebody did and suffered since the last long pause, at the prompt and on the page."""

import contextlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.look.heroes import Hero, evening
from ledger.sqlite import SqliteStore
from projections.blows import Blow
from projections.chance import of_more
from projections.persons import persons_of
from tests.reading import parsed
from tests.shell import Shell

Later = Callable[..., None]
BLOW = Blow(6, "Boffin", "Grub", "hp", 11, felled=False)


@pytest.fixture
def fight(later: Later, table: Shell) -> Shell:
    """Boffin hits Grub with 14 against 6, for 11 of its 20 hp (e6); Grub misses with 2 against 12 (e9)."""
    table.done("join", "boffin")
    table.done("join", "grub")
    table.done("begin", "The gate", "--seats", "John,gm")
    table.done("initiative", "--dice", "14,3")
    table.done("attack", "boffin", "grub", "--with", "sword", "--dice", "14,6")
    table.done("done")
    table.done("attack", "grub", "boffin", "--dice", "2,12")
    return table


def lines(shell: Shell, who: str) -> list[str]:
    """What is told of somebody's evening, below the title."""
    return [line.strip() for line in shell.done("show", who, "--evening").splitlines()[1:]]


def hero(who: str) -> Hero | None:
    """What somebody did in the last evening."""
    with contextlib.closing(SqliteStore.open("test.affray")) as store:
        return evening(Book(store), persons_of(store), store.head().entry).heroes.get(who)


def on_the_page(shell: Shell, name: str, *words: str) -> dict[str, list[str]]:
    """What the page has of each hero."""
    pytest.importorskip("jinja2", reason="the page needs the extra `report`")
    shell.done("export", name, *words)
    found = parsed(Path(name).read_text(encoding="utf-8")).all("div")
    heroes = [one for one in found if one.attributes.get("id", "").startswith("hero-")]
    return {one.attributes["id"].removeprefix("hero-"): [item.text for item in one.all("li")] for one in heroes}


def test_blows_moments_and_luck_are_told_with_their_entries(fight: Shell):
    """Boffin's d20s showed 14 and 12, 5 above their average; of two, 105 of 400 ways come to more than 26."""
    assert lines(fight, "boffin") == [
        "Blows: 1 of 1 blow hit, 11 hp in all",
        "Best moment: 11 hp against Grub (e6)",
        "Luck: +5 over 2 dice; fair dice would beat that 26 % of the time",
    ]
    assert lines(fight, "grub")[:3] == [
        "Blows: 0 of 1 blow hit", "Hits taken: 1, 11 hp in all", "Worst moment: 11 hp by Boffin (e6)",
    ]  # fmt: skip
    assert fight.done("show", "boffin", "--evening").startswith("Boffin, the evening of 2026-01-01 (e1 to e8)")


def test_what_was_unlikely_has_its_exact_odds(fight: Shell):
    """With 2 more than a d20 Boffin does not beat another d20 in 171 of 400 ways."""
    fight.done("done")
    fight.done("attack", "boffin", "grub", "--with", "sword", "--dice", "3,15")
    found = fight.facts("show", "boffin", "--evening")
    assert found["name"] == "Boffin"
    (least,) = (one for one in found["lines"] if one["title"] == "Least likely")
    assert (least["text"].partition(":")[0], least["entries"]) == ("43 %", [10])


def test_an_evening_begins_after_a_long_pause(fight: Shell, later: Later):
    """Six hours; a supper is none. --at shows an earlier evening."""
    told = ("show", "boffin", "--evening")
    later(0, hours=5)
    fight.done("note", "after supper")
    assert len(fight.facts(*told)["lines"]) == 3
    later(0, hours=12)
    fight.done("done")
    assert fight.facts(*told)["lines"] == []
    assert len(fight.facts(*told, "--at", "e9")["lines"]) == 3
    fight.done("attack", "boffin", "grub", "--with", "sword", "--dice", "15,6")
    found = fight.facts(*told)
    assert (found["day"], found["first"], found["last"]) == ("2026-01-01", 10, 11)
    assert hero("Boffin").dealt == [Blow(11, "Boffin", "Grub", "hp", 9, felled=True)]


def test_what_is_amended_on_the_next_day_belongs_to_the_evening_when_it_was_played(fight: Shell, later: Later):
    later(0, hours=20)
    fight.done("amend", "e6", "--dice", "16,6", "--because", "misread", "--apply")
    assert hero("Boffin").dealt == [replace(BLOW, entry=10, points=13)]


def test_what_was_taken_back_does_not_count(fight: Shell):
    fight.done("undo", "e6", "--yes")
    assert hero("Boffin") is None
    assert lines(fight, "boffin") == ["Nothing is told of them."]


def test_a_new_name_keeps_the_evening(fight: Shell):
    fight.done("rename", "boffin", "Sir Boffin")
    assert hero("Sir-Boffin").dealt == [replace(BLOW, doer="Sir-Boffin")]


def test_whose_evening_must_be_said(fight: Shell):
    fight.refused("show", "--evening", code=2)
    fight.refused("show", "nobody", "--evening", code=3)


def test_somebody_who_is_down_goes_down_once(shell: Shell):
    """Aachen: Brun falls, and Hedwig makes him stable: she has felled nobody."""
    shell.done("demo", "aachen", "--file", "test.affray")
    assert hero("Hedwig").felled == []
    assert [entry for _, entry in hero("Brun").falls] == [21]


def test_saves_are_counted_with_their_entries(shell: Shell):
    """Dungeoneers: the target of a spell rolls."""
    shell.done("demo", "dungeoneers", "--file", "test.affray")
    assert hero("Ulfarmi").saves == [(False, 18)]
    assert hero("Freya").saves == [(True, 40)]
    assert "Saves: 1 of 1 made (e40)" in lines(shell, "freya")


def test_each_hero_has_a_place_on_the_page_with_links_into_the_log(fight: Shell):
    found = on_the_page(fight, "page.html")
    assert [(name, len(told)) for name, told in found.items()] == [("Boffin", 3)]
    assert '<a href="#e6">e6</a>' in Path("page.html").read_text(encoding="utf-8")


def test_the_page_has_the_last_evening_in_which_anybody_did_anything(fight: Shell, later: Later):
    later(0, hours=24)
    fight.done("note", "we meet again")
    assert "11 hp" in on_the_page(fight, "before.html")["Boffin"][0]
    fight.done("done")
    fight.done("attack", "boffin", "grub", "--with", "sword", "--dice", "15,6")
    assert "9 hp" in on_the_page(fight, "after.html")["Boffin"][0]


def test_players_read_of_their_heroes_what_they_know(fight: Shell):
    """That Boffin hit, and no number of Grub's; the same from their own file."""
    known = on_the_page(fight, "players.html", "--player-safe")["Boffin"]
    assert known[0] == "Blows: 1 of 1 blow hit"
    assert not any("11 hp" in line or "defense" in line for line in known)
    Path("seen").mkdir()
    fight.done("export", "seen/seen.jsonl", "--player-safe")
    fight.done("import", "seen/seen.jsonl", "seen/seen.affray")
    shown = fight.done("--ledger", "seen/seen.affray", "show", "boff", "--evening").splitlines()[1:]
    assert shown[0].strip() == "Blows: 1 of 1 blow hit"
    assert not any("11 hp" in line for line in shown)
    fight.refused("--ledger", "seen/seen.affray", "show", "nobody", "--evening", code=3)


def test_the_live_page_draws_the_heroes_too(fight: Shell):
    pytest.importorskip("jinja2", reason="the page needs the extra `report`")
    from commands.action.book import Book
    from commands.look.filters import Filters
    from commands.seen.page.render import drawings
    from commands.seen.record import Record
    from ledger.sqlite import SqliteStore

    store = SqliteStore.open("test.affray")
    drawn = drawings(Record(Book(store), Filters()))
    store.close()
    assert 'id="hero-Boffin"' in drawn


@pytest.mark.parametrize("sizes", [{6: 2}, {20: 1}, {4: 2, 6: 1}, {3: 3, 2: 2}])
def test_the_chance_of_more_is_that_of_all_ways(sizes: dict[int, int]):
    dice = [range(1, size + 1) for size, times in sizes.items() for _ in range(times)]
    sums = Counter(map(sum, product(*dice)))
    for total in range(sum(sums) + 2):
        more = sum(ways for came, ways in sums.items() if came > total)
        assert of_more(sizes, total) == Fraction(more, sums.total())


def test_who_is_up_again_can_be_felled_again(table: Shell):
    """Grub brings Boffin down, who is let up again, and brings him down once more: two falls by its hand."""
    for line in (
        "join boffin", "join grub", "begin --seats gm,John", "initiative --dice 14,3", "adjust boffin hp 2 x",
        "attack grub boffin --dice 20,12", "adjust boffin down no x", "adjust boffin hp 2 x", "done",
        "done --pass-rest", "attack grub boffin --dice 20,12",
    ):  # fmt: skip
        table.done(*line.split())
    assert hero("Grub").felled == [("Boffin", 7), ("Boffin", 12)]
    assert "Worst moment: felled by Grub, dying (e12)" in lines(table, "boffin")
