"""What is meant by words that are written otherwise: a name and its number apart, a unit at a number, a value in full,
a part of a name. It is offered, and never carried out as something else.
"""

import shlex

import pytest

from commands.action.declaration import Declaration
from commands.words.form import Field, fields_of
from commands.words.meanings import NUMBERS
from tests.shell import Shell, rulings

FREEPG = (
    "init t --system freepg", "join boffin jane", "join grub --count 3", "begin", "initiative --dice 14,12,11",
    "adjust boffin at 0,0 set", "adjust grub-1 at 1,0 set", "adjust grub-2 at 1,1 set", "adjust grub-3 at 0,1 set",
)  # fmt: skip
AACHEN = ("init t --system aachen", "join brun gerlind", "join goblin --count 2", "begin", "initiative --dice 5,1")
DUNGEONEERS = (
    "init t --system dungeoneers", "join suori freya --at 1,1/3,3", "join troll --at 4,4", "begin",
    "initiative suori=9 freya=8 troll=1", "round", "turn suori",
)  # fmt: skip
PARAVERSE = ("init t --system paraverse", "join sigrun ildar", "join thrall --count 2", "begin", "round")
ARKM = (
    "init t --system arkm",
    "join fighter --called Aldric",
    "join goblin --count 2",
    "begin",
    "initiative --dice 6,1",
)


def played(shell: Shell, lines: tuple[str, ...]) -> Shell:
    for line in lines:
        shell.done(*shlex.split(line))
    return shell


def offers(table: Shell, line: str) -> list[str]:
    """What is offered for a line that is refused."""
    answer = table(*shlex.split(line))
    assert answer.code, f"{line} was carried out: {answer.out}"
    said = answer.err.replace("\n  ", " ").splitlines()
    return [one.partition("affray ")[2] for one in said if "Try: affray " in one]


@pytest.mark.parametrize(
    ("fight", "line", "first"),
    [
        (FREEPG, "attack boffin grub 2 14 6", "attack boffin grub-2 --dice 14,6"),
        (FREEPG, "attack boffin grub 3", "attack boffin grub-3"),
        (AACHEN, "shoot gerlind goblin 1 30", "shoot gerlind goblin-1 30"),
        (PARAVERSE, "declare thrall 2 attack sigrun", "declare thrall-2 attack sigrun"),
    ],
)
def test_a_number_behind_a_name_belongs_to_the_name(fight: tuple[str, ...], line: str, first: str, shell: Shell):
    assert offers(played(shell, fight), line)[:1] == [first]


def test_a_number_that_may_be_part_of_a_name_or_a_die_is_neither_in_silence(shell: Shell):
    """Only Grub-3 is left, so that `grub` means him: both are offered."""
    played(shell, FREEPG)
    played(shell, ("leave grub-1", "leave grub-2"))
    assert offers(shell, "attack boffin grub 3") == ["attack boffin grub-3", "attack boffin grub --dice 3,-"]


def test_a_number_behind_a_name_that_is_nobody_s_with_it_is_a_die(shell: Shell):
    played(shell, FREEPG).done("attack", "boffin", "grub-1", "14", "6")
    assert rulings("freepg.attack.hit-test") == [("hit", [14 + 2, 6])]
    assert not any("grub-7" in one for one in offers(shell, "attack boffin grub 7"))


@pytest.mark.parametrize(
    ("fight", "line", "first"),
    [
        (AACHEN, "shoot gerlind goblin-1 30ft", "shoot gerlind goblin-1 30"),
        (AACHEN, "shoot gerlind goblin-1 30 feet", "shoot gerlind goblin-1 30"),
        (AACHEN, "shoot gerlind goblin-1 ninety", "shoot gerlind goblin-1 90"),
        (ARKM, "heal aldric 3hp", "heal aldric 3"),
        (ARKM, "damage goblin-1 twenty-one fire", "damage goblin-1 21 fire"),
        (DUNGEONEERS, "heal freya 1 wound", "heal freya --wounds 1"),
        (DUNGEONEERS, "initiative freya 7", "initiative freya=7"),
        (FREEPG, "move boffin --to -1 0", "move boffin --to -1,0"),
        (FREEPG, "attack boffin grub-1 --dice fourteen,six", "attack boffin grub-1 --dice 14,6"),
        (FREEPG, "check boffin dt 15", "check boffin --dt 15"),
    ],
)
def test_a_number_is_read_with_its_unit_in_words_and_without_its_dashes(
    fight: tuple[str, ...], line: str, first: str, shell: Shell
):
    assert offers(played(shell, fight), line)[:1] == [first]


def test_a_number_in_another_unit_is_not_put_into_a_field(shell: Shell):
    """Stress is no wound."""
    assert not any("--wounds 2" in one for one in offers(played(shell, DUNGEONEERS), "heal freya --wounds 2stress"))


@pytest.mark.parametrize(
    ("fight", "line", "first"),
    [
        (DUNGEONEERS, "move suori north", "move suori N"),
        (DUNGEONEERS, "face suori south-west", "face suori SW"),
        (AACHEN, "check brun dexterity notice --difficulty 8", "check brun DEX notice --difficulty 8"),
        (PARAVERSE, "declare thrall-1 attacks sigrun", "declare thrall-1 attack sigrun"),
        (ARKM, "morale goblins --trigger upset", "morale goblin --trigger upset"),
        (PARAVERSE, "check ildar lockpicking", "check Ildar lock-picking"),
    ],
)
def test_a_value_is_read_in_full_in_the_plural_and_with_other_hyphens(
    fight: tuple[str, ...], line: str, first: str, shell: Shell
):
    assert offers(played(shell, fight), line)[:1] == [first]


def test_a_thing_is_read_by_the_end_of_its_name_and_in_several_words(shell: Shell):
    """Freya's warhammer; nothing of hers ends with `axe`."""
    played(shell, (*DUNGEONEERS, "done", "turn freya"))
    for said in ("hammer", "war hammer", "war-hammer"):
        assert offers(shell, f"draw freya {said} --instead mace") == ["draw freya warhammer --instead mace"]
    assert offers(shell, "draw freya axe --instead mace") == []


@pytest.mark.parametrize(
    ("fight", "line", "first"),
    [
        (AACHEN, "drop brun sword", "stow brun sword --drop"),
        (AACHEN, "parry brun", "defend brun"),
        (FREEPG, "run boffin --to -3,0", "move boffin --to -3,0 --mode run"),
        (FREEPG, "walk boffin --to -1,0", "move boffin --to -1,0"),
        (PARAVERSE, "fight sigrun thrall-1", "attack sigrun thrall-1"),
    ],
)
def test_another_word_for_a_verb_keeps_what_it_says_besides(
    fight: tuple[str, ...], line: str, first: str, shell: Shell
):
    assert offers(played(shell, fight), line)[:1] == [first]


def test_nobody_is_taken_for_who_acts_and_for_whom_it_is_done(shell: Shell):
    """With two words swapped."""
    played(shell, (*DUNGEONEERS, "done", "turn freya"))
    assert offers(shell, "cast blessing freya suori")[:1] == ["cast freya blessing suori"]


@pytest.mark.parametrize("line", ["attack boffin gandalf 14 6", "attack boffin gandalf", "heal gandalf jane 14"])
def test_somebody_who_is_not_there_is_the_reason_whatever_stands_behind(line: str, shell: Shell):
    played(shell, FREEPG).refused(*line.split(), code=3)


def test_a_kind_of_damage_that_nothing_does_is_refused_with_those_there_are(shell: Shell):
    """dungeoneers.wounds.type: a troll burns, but not by `moonlight`."""
    played(shell, DUNGEONEERS)
    shell.refused("damage", "troll", "1", "oil", "--kind", "moonlight", code=2)
    shell.done("damage", "troll", "1", "oil", "--kind", "heat")


def test_a_skill_that_somebody_lacks_adds_nothing_and_says_so(shell: Shell):
    """freepg.check.skill-bonus: any word may be a skill, but not a misspelt one of their own."""
    played(shell, FREEPG)
    assert "Boffin has nothing for 'juggling'" in shell.done("check", "boffin", "--dt", "15", "--skill", "juggling")
    assert offers(shell, "check boffin --dt 15 --skill clmib") == ["check Boffin --dt 15 --skill climb"]


def test_who_joined_in_secret_is_shown_by_their_entry(shell: Shell):
    """And not by that of another, or by another secret of theirs."""
    secrets = ("join skeleton --secret", "join freya --secret", "roll 1d6 --who freya --secret")
    played(shell, ("init t --system dungeoneers", "join suori", *secrets))
    assert offers(shell, "reveal freya") == ["reveal e4"]


@pytest.mark.parametrize(
    ("word", "number"), [("zero", "0"), ("twelve", "12"), ("nineteen", "19"), ("sixty", "60"), ("ninety-nine", "99")]
)
def test_numbers_are_read_as_words_up_to_ninety_nine(word: str, number: str):
    assert NUMBERS[word] == number
    assert len(NUMBERS) == 100


class Measured(Declaration):
    """A verb with a number of each sort."""

    feet: int
    """No explanation."""


@pytest.mark.parametrize(
    ("word", "is_one"), [("feet", True), ("ft", True), ("hp", False), ("pain", False), ("t", False)]
)
def test_a_unit_is_the_name_of_a_field_or_short_for_it(word: str, is_one: bool):
    (field,) = fields_of(Measured)
    assert isinstance(field, Field)
    assert field.is_unit(word) is is_one
