"""What seldom comes up at the table."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.dungeoneers.ready import Ready
from ledger.events import Awaited

from .table import fight, impossible, skeleton, suori, table, ulfarmi

MAUL = 'name = "great maul", category = "cudgel", hit = 6, pierce = 6, wounds = 2, type = "bludgeoning"'


@pytest.mark.parametrize("action", ["disengage", "defend", "sprint", "grapple", "push", "attack", "ATTACK"])
def test_every_action_of_the_list_can_be_readied(action: str):
    told = fight(suori(action_points=2), skeleton()).when(Ready("Suori", action, before="Skeleton"))
    told.then(Awaited("readied", "Suori", action.casefold(), {}, until="before Skeleton"))
    told.refused(Ready("Suori", action + "s", before="Skeleton"), "dungeoneers.ready.actions-only")


@pytest.mark.parametrize("action", ["cast", "spellcast"])
def test_a_spell_can_be_readied_by_two_words(action: str):
    told = fight(ulfarmi(), skeleton()).when(Ready("Ulfarmi", action, before="Skeleton", spell="firebolt"))
    told.then(Awaited("readied", "Ulfarmi", action, {"spell": "firebolt"}, until="before Skeleton"))


def test_what_lies_there_of_one_who_left_is_known_to_nobody():
    told = fight(suori(), skeleton()).when(Adjust("Skeleton", "item", MAUL, "so"))
    told = told.when(Adjust("Skeleton", "dropped", "great", "so")).when(Leave(("Skeleton",)))
    impossible(told, Adjust("Suori", "picked-up", "great", "so"), "Nobody knows any more what great maul is.")


def test_an_effect_gives_a_die_that_there_is():
    impossible(table(), suori(effects={"dodge_die": 5}), "Suori has an effect of a dodge_die of 5.")
    table().when(suori(effects={"dodge_die": 6}))
