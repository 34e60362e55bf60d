"""What a field takes, in words: of each type, with the limits that are said of it; and where in a file a fault is."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from commands.action.mistakes import allowed, explained, in_words


class Ring(Struct):
    """A part of a sheet."""

    weight: Annotated[int, Meta(ge=1, le=3)] = 1


class Sheet(Struct, forbid_unknown_fields=True):
    """A sheet with a field of each kind."""

    name: str
    hp: Annotated[int, Meta(ge=0)] = 0
    worn: tuple[Ring, ...] = ()
    place: tuple[int, Annotated[int, Meta(le=9)]] = (0, 0)
    skills: dict[str, Annotated[int, Meta(ge=-2)]] = {}
    best: Ring | None = None


TYPES: list[tuple[Any, str]] = [
    (int, "a whole number"),
    (Annotated[int, Meta(ge=0, le=9)], "a whole number from 0 to 9"),
    (Annotated[int, Meta(ge=1500)], "a whole number of 1,500 or more"),
    (Annotated[int, Meta(le=1500)], "a whole number of 1,500 or less"),
    (Annotated[int, Meta(ge=0)], "a whole number of 0 or more"),
    (Annotated[int, Meta(le=0)], "a whole number of 0 or less"),
    (Annotated[Annotated[int, Meta(ge=2, le=9)], Meta(ge=4, le=7)], "a whole number from 4 to 7"),
    (int | None, "a whole number"),
    (int | str, "a whole number or a text"),
    (bool, "true or false"),
    (str, "a text"),
    (Annotated[str, Meta(max_length=1000)], "a text of at most 1,000 characters"),
    (Annotated[str, Meta(min_length=2)], "a text of 2 or more characters"),
    (Annotated[str, Meta(min_length=1, max_length=20)], "a text of 1 to 20 characters"),
    (Annotated[str, Meta(pattern="^e?[0-9]{1,12}$")], "an entry, such as e12"),
    (Annotated[str, Meta(pattern="^[0-9a-f]{64}$")], "64 hexadecimal digits"),
    (Literal["bow"], "bow"),
    (Literal["", "bow", "fists"], "bow or fists"),
    (Literal["bow", "fists", "sword"], "bow, fists or sword"),
    (Literal[1, 2, True], "1, 2 or true"),
    (tuple[int, int, int], "a list of 3, each of them a whole number"),
    (tuple[int, ...], "a list, each of them a whole number"),
    (list[str], "a list, each of them a text"),
    (Annotated[list[bool], Meta(min_length=1, max_length=4)], "a list of 1 to 4 members, each of them true or false"),
    (frozenset[str], "a list, each of them a text"),
    (list, "a list"),
    (dict[str, int], "names with values, each of them a whole number"),
    (Ring, "a table with the fields weight"),
    (float, "another value"),
    (None, "another value"),
]


@pytest.mark.parametrize(("kind", "words"), TYPES, ids=[words for _, words in TYPES])
def test_a_type_is_said_with_its_limits(kind: Any, words: str):
    assert allowed(kind) == words


@pytest.mark.parametrize(
    ("data", "place", "problem"),
    [
        ({"name": 7}, "name", "it takes a text"),
        ({"name": "x", "hp": -1}, "hp", "it takes a whole number of 0 or more"),
        ({"name": "x", "worn": [{}, {"weight": 4}]}, "worn[1].weight", "it takes a whole number from 1 to 3"),
        ({"name": "x", "worn": [{}, 5]}, "worn[1]", "it takes a table with the fields weight"),
        ({"name": "x", "place": [0, 10]}, "place[1]", "it takes a whole number of 9 or less"),
        ({"name": "x", "place": ["a", 10]}, "place[0]", "it takes a whole number"),
        ({"name": "x", "place": [0]}, "place", "it takes a list of 2"),
        ({"name": "x", "skills": {"sneak": -3}}, "skills[...]", "it takes a whole number of -2 or more"),
        ({"name": "x", "best": {"weight": 0}}, "best.weight", "it takes a whole number from 1 to 3"),
        ({"name": "x", "best": 3}, "best", "it takes a table with the fields weight"),
        ({}, "", "its field name is missing"),
        (
            {"name": "x", "shoes": 2},
            "",
            "it has no field 'shoes'; there are: name, hp, worn, place, skills, best",
        ),
        (
            {"name": "x", "s" * 41: 2},
            "",
            f"it has no field '{'s' * 40}'; there are: name, hp, worn, place, skills, best",
        ),
        (5, "", "it takes a table with the fields name, hp, worn, place, skills, best"),
    ],
)  # fmt: skip
def test_a_fault_is_found_where_it_stands(data: Any, place: str, problem: str):
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(data, Sheet)
    assert explained(error.value, Sheet) == (place, problem)
    assert in_words(error.value, Sheet) == (f"{place} {problem.removeprefix('it ')}" if place else problem)


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        (int, "x", "it takes a whole number"),
        (int | None, "x", "it takes a whole number"),
        (str, 1, "it takes a text"),
        (bool, 1, "it takes true or false"),
        (list, 1, "it takes a list"),
        (dict, 1, "it takes a table"),
        (float, "x", "it takes another value"),
        (Literal["bow"], "axe", "'axe' is unknown"),
        (Literal[3], 4, "4 is unknown"),
        (Literal["bow"], "a" * 40, f"'{'a' * 39} is unknown"),
    ],
)
def test_of_an_unknown_type_the_fault_is_said_in_the_same_words(kind: Any, data: Any, words: str):
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(data, kind)
    assert explained(error.value, None) == ("", words)


def test_an_error_of_another_kind_keeps_its_own_words():
    assert in_words(ValueError("no such day")) == "no such day"
