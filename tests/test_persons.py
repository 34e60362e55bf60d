"""Persons: who bears which name, through renaming, leaving, undone names and corrected joins."""

import pytest
from msgspec import Raw

from ledger.events import Declared, Event, Joined, Left, Renamed, Ruled, decode, encode, split
from projections.persons import Person, Persons

SHEET = Raw(b"{}")


def joined(who: str, place: int = 0) -> Joined:
    return Joined(who, "foes", SHEET, place)


def persons(*entries: tuple[int, int, list[Event]]) -> Persons:
    """Of entries from the second on, each with what it stands after, its origin, and its events."""
    found = Persons()
    for number, (after, origin, events) in enumerate(entries, 2):
        found.take(number, after, origin, events)
    return found


def test_a_person_is_the_entry_and_place_of_their_first_join_whatever_the_name() -> None:
    found = persons((1, 2, [joined("Grub-1"), joined("Grub-2")]), (2, 3, [Renamed("Grub-2", "Snot")]))
    snot = Person(2, 2)
    assert found.at(2).of == {"Grub-1": Person(2, 1), "Grub-2": snot}
    assert found.at(3).of == {"Grub-1": Person(2, 1), "Snot": snot}
    assert (found.names(snot), found.told(snot), found.name_at(2, snot)) == (("Grub-2", "Snot"), "Snot", "Grub-2")
    assert found.called("grub-2") == found.called("SNOT") == [snot]


def test_who_leaves_and_joins_again_is_somebody_else_and_is_told_apart() -> None:
    found = persons((1, 2, [joined("Ogre")]), (2, 3, [Left("Ogre")]), (3, 4, [joined("Ogre")]))
    assert found.called("Ogre") == [Person(2, 1), Person(4, 1)]
    assert [found.told(one) for one in found.called("Ogre")] == ["Ogre (e2)", "Ogre"]


def test_a_name_that_was_undone_is_nobodys_on_the_course_that_stands() -> None:
    found = persons((1, 2, [joined("Ogre")]), (2, 3, [Renamed("Ogre", "Gnasher")]), (2, 4, []))
    assert found.at(3).of == {"Gnasher": Person(2, 1)}
    assert found.at(4).of == {"Ogre": Person(2, 1)}
    assert found.told(Person(2, 1)) == "Ogre"


def test_a_join_that_is_resolved_again_says_which_person_each_place_is() -> None:
    """Place 2 of the corrected join is the person of place 3 of the first."""
    first = [joined("Grub-1"), joined("Grub-2"), joined("Grub-3")]
    found = persons((1, 2, first), (1, 3, []), (3, 2, [joined("Grub-1"), joined("Grub-2", 3)]))
    assert found.at(2).of["Grub-3"] == found.at(4).of["Grub-2"] == Person(2, 3)


def test_the_place_stands_in_the_open_half_before_the_sheet() -> None:
    event = joined("Grub-2", 3)
    body = encode(event)
    assert body == b'{"event":"joined","who":"Grub-2","side":"foes","place":3,"sheet":{}}'
    assert body[: split(event, body)] == b'{"event":"joined","who":"Grub-2","side":"foes","place":3'
    assert encode(joined("Grub-2")) == b'{"event":"joined","who":"Grub-2","side":"foes","sheet":{}}'
    assert decode(body) == event


def test_a_deed_out_of_order_says_so_in_its_closed_half() -> None:
    event = Declared("pass", {"who": "Bo"}, out_of_order=True)
    body = encode(event)
    assert body == b'{"event":"declared","verb":"pass","said":{"who":"Bo"},"out_of_order":true}'
    assert body[split(event, body) :] == b'},"out_of_order":true}'


@pytest.mark.parametrize("renamed", [False, True])
def test_events_are_told_under_the_last_names_of_those_whom_they_are_about(renamed: bool) -> None:
    table = [(1, 2, [joined("Ogre"), joined("Bo")]), (2, 3, [Renamed("Ogre", "Gnasher")] * renamed)]
    found, last = persons(*table), "Gnasher" if renamed else "Ogre"
    blow = [
        Declared("fight", {"who": "Bo", "target": ["Ogre"], "why": "Ogre"}),
        Ruled("clause", "Ogre", "Bo", "Ogre wins", (), ""),
        Left("Ogre"),
    ]
    assert found.under_told_names(2, 9, blow) == [
        Declared("fight", {"who": "Bo", "target": [last], "why": "Ogre"}),
        Ruled("clause", last, "Bo", f"{last} wins", (), ""),
        Left(last),
    ]
