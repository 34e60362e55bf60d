"""Spellcasting."""

import pytest
from msgspec.structs import replace

from commands.action.adjust import Adjust
from commands.rules.dungeoneers.aid import Effect
from commands.rules.dungeoneers.basics import Defend
from commands.rules.dungeoneers.encounter import Begin, Round, Turn
from commands.rules.dungeoneers.spells import Cast
from ledger.events import AmbientMagicaSpent, ConditionGained, MagicaGained, MagicaSpent, Noted, Rolled, StressGained
from tests.kit import lines, no

from .table import ended, facing, fight, freya, hint_of, impossible, points, rolls, skeleton, table, turn_of, ulfarmi

MISS = [1, 1, 4]


def mage(*others, **fields):
    """Ulfarmi at (0,0), the skeleton beside him."""
    return fight(ulfarmi((0, 0), **fields), skeleton(), *others)


def test_a_spell_comes_from_a_tome_or_is_a_cantrip():
    """dungeoneers.spellcast.source: a tome that is held and not equipped does not do."""
    told = mage(cantrips=[], carried=["tome:firebolt"])
    told.refused(Cast("Ulfarmi", "firebolt", "Skeleton"), "dungeoneers.spellcast.source")
    mage(cantrips=[], equipped=["tome:firebolt"]).when(Cast("Ulfarmi", "Firebolt", "Skeleton"), MISS)
    mage(cantrips=["firebolt"]).when(Cast("Ulfarmi", "firebolt", "Skeleton"), MISS)
    impossible(told, Cast("Ulfarmi", "wish", "Skeleton"), "no spell")


def test_a_spell_may_be_named_by_a_beginning():
    """Of the spells that the caster can cast: Ulfarmi knows firebolt, mage armor and spark. It is told in full."""
    told = mage().when(Cast("Ulfarmi", "FIRE", "Skeleton"), MISS).then(MagicaSpent("Ulfarmi", 2, 4, 6))
    assert lines(told.events)[0].startswith("Ulfarmi casts firebolt on Skeleton")
    two = mage(cantrips=["spark", "smite"])
    impossible(two, Cast("Ulfarmi", "s", "Skeleton"), "no spell 's'")
    two.when(Cast("Ulfarmi", "sp", "Skeleton"), MISS).then(MagicaSpent("Ulfarmi", 1, 5, 6))
    impossible(mage(cantrips=["spark"]), Cast("Ulfarmi", "mage", "Skeleton"), "no spell 'mage'")


def test_a_spell_costs_its_action_points():
    """dungeoneers.spellcast.cost, dungeoneers.action.cost-varies: 1, or 2 for the binding ring."""
    assert points(mage().when(Cast("Ulfarmi", "firebolt", "Skeleton"), MISS), "Ulfarmi")[0] == 0
    slow = {"cantrips": ["binding ring"]}
    mage(**slow).refused(Cast("Ulfarmi", "binding ring", "Skeleton"), "dungeoneers.action.cost-varies")
    spent = mage(**slow).when(Defend("Ulfarmi"))
    spent.refused(Cast("Ulfarmi", "binding ring", "Skeleton"), "dungeoneers.spellcast.cost")
    told = mage(**slow, action_points=2).when(Cast("Ulfarmi", "binding ring", "Skeleton"), [1, 1, 1, 6])
    assert points(told, "Ulfarmi")[0] == 0


def test_magica_is_twice_the_mind():
    """dungeoneers.magica.capacity: mind 3 holds 6."""
    table(ulfarmi()).then(MagicaGained("Ulfarmi", 6, 6))


@pytest.mark.parametrize(("before", "after"), [(6, 6), (4, 5)])
def test_magica_comes_back_by_one_a_turn(before, after):
    """dungeoneers.magica.regain"""
    assert fight(ulfarmi(magica=before)).state.magica.left("Ulfarmi") == after


def test_the_base_cost_is_paid_whatever_comes_of_it():
    """dungeoneers.magica.base-cost: base 2 of 3 leaves 1, even on a miss; too little is refused."""
    told = mage(magica=2).when(Cast("Ulfarmi", "firebolt", "Skeleton"), MISS).then(MagicaSpent("Ulfarmi", 2, 1))
    told.ruled("dungeoneers.spell-attack.compare", "miss", [2, 4])
    mage(magica=0).refused(Cast("Ulfarmi", "firebolt", "Skeleton"), "dungeoneers.magica.base-cost")


def test_extra_magica_becomes_dice():
    """dungeoneers.magica.extra: 3 magica, base 2: 2 more are refused; 1 more leaves 0 and gives 1 die."""
    told = mage(magica=2)
    told.refused(Cast("Ulfarmi", "firebolt", "Skeleton", extra=2), "dungeoneers.magica.extra")
    told = told.when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=1), [4, 4, 1, 1]).then(MagicaSpent("Ulfarmi", 3, 0))
    assert rolls(told)[-1] == ("Ulfarmi", "1d4", "spell-pierce")


def test_ambient_magica_pays_of_the_base_cost():
    """dungeoneers.magica.ambient: pool 3, base 2, 2 ambient and 1 extra: he pays 1, the pool has 1 left."""
    told = table(ulfarmi((0, 0), initiative=9), skeleton()).when(Begin(ambient=3)).when(Round()).when(Turn())
    spent = told.when(Cast("Ulfarmi", "firebolt", "Skeleton", ambient=2, extra=1), [4, 4, 1, 1])
    spent.then(MagicaSpent("Ulfarmi", 1, 5), AmbientMagicaSpent(2, 1))
    told.refused(Cast("Ulfarmi", "firebolt", "Skeleton", ambient=3), "dungeoneers.magica.ambient")
    dry = told.when(Adjust("Ulfarmi", "ambient-magica", "1", "a dead place"))
    dry.refused(Cast("Ulfarmi", "firebolt", "Skeleton", ambient=2), "dungeoneers.magica.ambient")


def test_ambient_magica_is_not_counted_unless_it_is_set():
    """dungeoneers.magica.ambient: 0 magica, base 2, all of it ambient."""
    told = mage(magica=0).when(Adjust("Ulfarmi", "magica", "0", "drained"))
    told.when(Cast("Ulfarmi", "firebolt", "Skeleton", ambient=2), MISS).then(no(MagicaSpent), no(AmbientMagicaSpent))


def test_a_spell_is_ranged_beyond_the_threat_range():
    """dungeoneers.spellcast.melee-or-ranged: at 1 tile no opportunity; at 2 one."""
    near = mage().when(Cast("Ulfarmi", "firebolt", "Skeleton"), MISS)
    near.ruled("dungeoneers.spellcast.melee-or-ranged", "melee", [1, 1])
    assert near.state.pending.window is None
    told = fight(ulfarmi((0, 0)), skeleton((2, 0)), skeleton((0, 1), "Bones"))
    far = told.when(Cast("Ulfarmi", "firebolt", "Skeleton"), MISS)
    far.ruled("dungeoneers.spellcast.melee-or-ranged", "ranged", [2, 1])
    assert far.state.pending.window.answerable == ("Bones",)


def test_a_spell_asks_for_an_attack_or_a_save():
    """dungeoneers.spellcast.kind: a save has no dodge; both go on to spell pierce."""
    attacked = mage().when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=1), [4, 4, 1, 1])
    assert [roll[2] for roll in rolls(attacked)] == ["spell-hit", "dodge", "spell-pierce"]
    saved = mage().when(Cast("Ulfarmi", "mage armor", "Skeleton", extra=1), [4, 4, 4, 1, 1])
    assert [roll[2] for roll in rolls(saved)] == ["save", "save", "spell-pierce"]


def test_a_spell_attack_is_rolled_with_spell_against_the_dodge():
    """dungeoneers.spell-attack.roll, dungeoneers.spell-attack.compare: 2d4 against 1d4: 2+1 against 3 hits."""
    told = mage().when(Cast("Ulfarmi", "firebolt", "Skeleton"), [2, 1, 3])
    assert rolls(told) == [("Ulfarmi", "2d4", "spell-hit"), ("Skeleton", "1d4", "dodge")]
    told.ruled("dungeoneers.spell-attack.compare", "hit", [3, 3])
    mage().when(Cast("Ulfarmi", "firebolt", "Skeleton"), [1, 1, 3]).ruled(
        "dungeoneers.spell-attack.compare", "miss", [2, 3]
    )
    smite = mage(cantrips=["smite"]).when(Cast("Ulfarmi", "smite", "Skeleton"), MISS)
    assert rolls(smite)[0][1] == "2d6"


def test_a_spell_save_is_rolled_with_mind_against_the_score():
    """dungeoneers.spell-save.roll, dungeoneers.spell-save.compare: 3d4 against 2d4: 5 against 5 fails the save."""
    told = fight(ulfarmi((0, 0)), skeleton(resistance=2)).when(
        Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 2, 2, 4, 1]
    )
    assert rolls(told)[:2] == [("Ulfarmi", "3d4", "save"), ("Skeleton", "2d4", "save")]
    told.ruled("dungeoneers.spell-save.compare", "save failed", [5, 5])
    saved = mage().when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 1, 1, 4]).then(no(Noted))
    saved.ruled("dungeoneers.spell-save.compare", "saved", [3, 4])


def test_a_spell_names_the_score_of_its_save():
    """dungeoneers.spell-save.score: wither names endurance: 3 dice; resistance if nothing is named."""
    told = fight(ulfarmi((0, 0), cantrips=["wither", "mage armor"]), skeleton(endurance=3))
    assert rolls(told.when(Cast("Ulfarmi", "wither", "Skeleton"), [1, 1, 1, 4, 4, 4]))[1][1] == "3d4"
    assert rolls(told.when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 1, 1, 4]))[1][1] == "1d4"


def test_the_willing_fail_their_save():
    """dungeoneers.spell-save.intentional-fail: nobody rolls; a friend may be chosen, or oneself."""
    told = fight(ulfarmi((0, 0)), freya((0, 1)))
    cast = told.when(Cast("Ulfarmi", "mage armor", "Freya", fail_save=True)).then(
        ConditionGained("Freya", "mage armor", amount=3, modifies="armor value"), no(Rolled), no(Noted)
    )
    cast.ruled("dungeoneers.spell-save.intentional-fail").ruled("dungeoneers.spell.effect", "in force", about="Freya")
    told.when(Cast("Ulfarmi", "mage armor", "Ulfarmi", fail_save=True, effect="a shimmer")).then(
        Noted("a shimmer", "Ulfarmi")
    )
    wrong = Cast("Ulfarmi", "firebolt", "Freya", fail_save=True)
    told.refused(wrong, "dungeoneers.spellcast.kind")
    told.when(wrong, [4, 4, 1, 1, 8], allow="a table rule").ruled("dungeoneers.spell-attack.compare", "hit", [8, -6])


def test_the_effect_of_a_spell_is_the_game_masters():
    told = fight(ulfarmi((0, 0)), freya((0, 1))).when(Effect(("Freya",), "mage armor", 3, until="encounter-end"))
    told.then(ConditionGained("Freya", "mage armor", "encounter-end", amount=3, modifies="armor value"))
    told.when(Effect(("Freya",), "mage armor", end=True)).then(ended("Freya", "mage armor"))
    slow = told.when(Effect(("Freya",), "slow", until="turn-start"))
    turn_of(slow, "Freya").then(ended("Freya", "slow"))
    impossible(told, Effect(("Freya",), "prone"), "The rules use the name")
    impossible(told, Effect(("Freya",), "slow", end=True), "no effect")


def test_spell_pierce_dice_are_the_extra_magica():
    """dungeoneers.spell-resistance.roll, dungeoneers.focus.any: 2 extra and a staff: 3 dice."""
    told = mage(equipped=["staff"]).when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=2), [4, 4, 1, 1, 1, 1])
    assert rolls(told)[-1][1] == "3d4"


def test_effects_add_spell_dice():
    """dungeoneers.dice.modifiers: 1 extra and 1 more: 2 spell pierce dice; the others join their pools."""
    cast = Cast("Ulfarmi", "firebolt", "Skeleton", extra=1, mod=("pierce:1", "1", "dodge:1"))
    told = mage().when(cast, [4, 4, 4, 1, 1, 1, 1])
    assert [roll[1] for roll in rolls(told)] == ["3d4", "2d4", "2d4"]


def test_the_size_of_spell_pierce_dice():
    """dungeoneers.spell-resistance.die-size: 2d6."""
    told = mage(spell_pierce_die=6).when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=2), [4, 4, 1, 1, 1])
    assert rolls(told)[-1][1] == "2d6"


def test_spell_resistance_adds_up():
    """dungeoneers.spell-resistance.value, dungeoneers.spell-resistance.compare: robes 2 and gloves 1: 3 against 3."""
    robed = {"equipped": ["mage robes", "gloves"], "side": "rivals"}
    told = fight(ulfarmi((0, 0)), freya((1, 0), **robed))
    through = told.when(Cast("Ulfarmi", "firebolt", "Freya", extra=1), [4, 4, 1, 1, 3])
    through.ruled("dungeoneers.spell-resistance.compare", "takes effect", [3, 3])
    resisted = told.when(Cast("Ulfarmi", "firebolt", "Freya", extra=1), [4, 4, 1, 1, 2]).then(no(StressGained))
    resisted.ruled("dungeoneers.spell-resistance.compare", "resisted", [2, 3])
    none = fight(ulfarmi((0, 0)), skeleton()).when(Cast("Ulfarmi", "firebolt", "Skeleton"), [4, 4, 1])
    none.ruled("dungeoneers.spell-resistance.compare", "takes effect", [0, 0])


def test_spell_resistance_may_start_from_the_resistance_score():
    """dungeoneers.spell-resistance.value: the house rule; effects count, too."""
    told = fight(
        ulfarmi((0, 0)), skeleton(resistance=2, effects={"spell_resistance": 1}), spell_resistance_base="resistance"
    )
    told.when(Cast("Ulfarmi", "firebolt", "Skeleton"), [4, 4, 1]).ruled(
        "dungeoneers.spell-resistance.compare", "resisted", [0, 3]
    )


def test_the_willing_let_a_spell_through():
    """dungeoneers.spell-resistance.allow: Freya in drakehide (SR 7)."""
    told = fight(ulfarmi((0, 0)), freya((0, 1), equipped=["drakehide"]))
    told.when(Cast("Ulfarmi", "mage armor", "Freya", fail_save=True, let_through=True)).then(no(Rolled)).ruled(
        "dungeoneers.spell-resistance.allow", "takes effect"
    )


def test_the_wounds_of_a_spell_go_the_same_way():
    """dungeoneers.spell.wounds: 1 heat on Freya at 3/3 stress is 1 wound."""
    told = fight(ulfarmi((0, 0)), freya((1, 0), stress=3, side="rivals"))
    told = told.when(Cast("Ulfarmi", "firebolt", "Freya"), [4, 4, 1, 1])
    told.ruled("dungeoneers.wounds.order", "", [1])
    assert told.state.injuries.total("Freya") == 1


def test_spellboon_adds_a_die_to_each_pool():
    """dungeoneers.spellboon.bonus: mage robes: 3d4 to hit, and a spell pierce die with no extra; 4d4 for a save."""
    told = mage(equipped=["mage robes"])
    attacked = told.when(Cast("Ulfarmi", "firebolt", "Skeleton"), [4, 4, 4, 1, 1])
    assert [roll[1] for roll in rolls(attacked)] == ["3d4", "1d4", "1d4"]
    assert rolls(told.when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 1, 1, 1, 4, 1]))[0][1] == "4d4"


def test_spellbane_takes_a_die_from_each_pool():
    """dungeoneers.spellbane.penalty: gloves 2 and spangenhelm 1: 3 fewer: no spell dice, no mind dice, 1 of 4."""
    told = mage(equipped=["gloves", "spangenhelm"])
    cast = told.when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=4), [1])
    cast.ruled("dungeoneers.spell-attack.compare", "miss", [0, 1])
    save = told.when(Cast("Ulfarmi", "mage armor", "Skeleton", extra=4, fail_save=True), [1])
    assert rolls(save) == [("Ulfarmi", "1d4", "spell-pierce")]
    lost = told.when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1])
    lost.ruled("dungeoneers.spell-save.compare", "saved", [0, 1])


def test_a_focus_serves_its_school():
    """dungeoneers.focus.school: a wand and 1 extra: 3 dice for an arcane spell, 1 for a holy one."""
    told = mage(equipped=["wand"], cantrips=["firebolt", "blessing"])
    assert rolls(told.when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=1), [4, 4, 1, 1, 1, 1]))[-1][1] == "3d4"
    assert rolls(told.when(Cast("Ulfarmi", "blessing", "Skeleton", extra=1, fail_save=True), [1]))[-1][1] == "1d4"


def test_foci_add_up():
    """dungeoneers.focus.any: staff and wand, arcane, no extra: 3 dice."""
    told = mage(equipped=["staff", "wand"]).when(Cast("Ulfarmi", "firebolt", "Skeleton"), [4, 4, 1, 1, 1, 1])
    assert rolls(told)[-1][1] == "3d4"


def test_a_focus_pays_no_base_cost():
    """dungeoneers.focus.not-base: base 2, magica 1, and a staff for 1: refused; without it, by the base cost."""
    mage(magica=0, equipped=["staff"]).refused(Cast("Ulfarmi", "firebolt", "Skeleton"), "dungeoneers.focus.not-base")
    mage(magica=0).refused(Cast("Ulfarmi", "firebolt", "Skeleton"), "dungeoneers.magica.base-cost")


def test_what_a_refused_spell_names():
    """The actor, its points, the target, the source, ambient, base cost, extra, strikers."""
    told = mage(magica=2)
    told.refused(Cast("Ulfarmi", "smite", "Skeleton", ambient=9), "dungeoneers.spellcast.source")
    told.refused(Cast("Ulfarmi", "firebolt", "Skeleton", ambient=3, extra=9), "dungeoneers.magica.ambient")
    told.refused(Cast("Ulfarmi", "firebolt", "Skeleton", extra=9, opportune=("Skeleton",)), "dungeoneers.magica.extra")
    told.refused(Cast("Ulfarmi", "firebolt", "Skeleton", opportune=("Skeleton",)), "dungeoneers.opportune.ranged-use")
    denied = mage(denied_actions=["spellcast"])
    denied.refused(Cast("Ulfarmi", "firebolt", "Skeleton"), "dungeoneers.action.basic-list")


def test_the_hint_of_too_little_magica():
    """dungeoneers.magica.base-cost: what the place can lend, if that is enough: base 2; with 0 and a pool of 1, no."""
    cast = "affray cast Ulfarmi firebolt Skeleton"
    assert hint_of(mage(magica=0), Cast("Ulfarmi", "firebolt", "Skeleton")) == f"{cast} --ambient 2"
    for own, pool, hint in ((0, "1", ""), (1, "1", f"{cast} --ambient 1"), (0, "9", f"{cast} --ambient 2")):
        told = mage().when(Adjust("Ulfarmi", "magica", str(own), "drained"))
        told = told.when(Adjust("Ulfarmi", "ambient-magica", pool, "a poor place"))
        assert hint_of(told, Cast("Ulfarmi", "firebolt", "Skeleton")) == hint


def test_a_spell_on_several_is_one_action_paid_once():
    """dungeoneers.spellcast.several: base 2 and 1 extra leave 3 of 6 magica; against each the caster rolls anew, with
    the extra die: 4 against 4, 3 against 6 (two dice by a modifier), 6 against 6 (three). One is out of reach: ranged.
    """
    told = mage(skeleton((3, 1), "Bones"), freya((0, -1)))
    said = Cast("Ulfarmi", "firebolt", ("Skeleton", "Bones", "Freya"), extra=1, mod=("dodge@freya:1", "dodge@bones:1"))
    cast = told.when(said, [2, 2, 4, 1, 1, 2, 3, 3, 3, 3, 2, 2, 2, 1])
    for who, outcome, totals in (("Skeleton", "hit", [4, 4]), ("Bones", "miss", [3, 6]), ("Freya", "hit", [6, 6])):
        cast.ruled("dungeoneers.spell-attack.compare", outcome, totals, about=who)
    cast.then(MagicaSpent("Ulfarmi", 3, 3, 6), StressGained("Freya", 1, 1, 3))
    assert sum(isinstance(event, MagicaSpent) for event in cast.events) == 1
    assert points(cast, "Ulfarmi")[0] == 0
    assert facing(cast, "Ulfarmi") == "E"
    assert cast.state.pending.window.answerable == ("Skeleton",)
    impossible(told, replace(said, mod=("dodge@ulfarmi:1",)), "belongs to Skeleton")
    kept = replace(said, spell="mage armor", mod=(), fail_save=True, let_through=True, opportune=("none",))
    told.when(kept).then(*(ConditionGained(one, "mage armor", amount=3, modifies="armor value") for one in said.target))
