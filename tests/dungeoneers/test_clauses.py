"""Rulings name the clauses that decide them, each only where it decides; and the game master's modifiers."""

from commands.action.adjust import Adjust
from commands.rules.dungeoneers.aid import Heal, Rest
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Disengage, Grapple, Push
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from commands.rules.dungeoneers.movement import Move
from commands.rules.dungeoneers.ready import Ready, Trigger
from commands.rules.dungeoneers.spells import Cast
from ledger.events import ConditionEnded, Ruled, WoundsSustained
from tests.kit import no

from .table import (
    clauses,
    fight,
    freya,
    hint_of,
    impossible,
    rolls,
    skeleton,
    someone,
    suori,
    table,
    turn_of,
    ulfarmi,
)

STRUCK = [4, 4, 1, 4, 4]
"""Suori's hit of 8 against 1, and a pierce of 8."""


def names(told, *ids: str) -> bool:
    """Whether the rulings of the last action name all of these clauses of the book."""
    return {f"dungeoneers.{one}" for one in ids} <= clauses(told)


def terms(told, clause: str) -> list[tuple[str, int, str]]:
    """The terms that come from a clause: sign, value, reason."""
    return [
        (step.op, step.value, step.reason)
        for event in told.events
        if isinstance(event, Ruled)
        for number in event.numbers
        for step in number.steps
        if step.clause == f"dungeoneers.{clause}"
    ]


def rat(**fields):
    return someone("Rat", (1, 0), **{"side": "undead", "endurance": 0, **fields})


def armed(wounds: int):
    """Suori with a thing that inflicts so many wounds."""
    row = {"hit": 4, "pierce": 4, "wounds": wounds, "type": "heat"}
    return suori(equipped=["thing"], weapons={"thing": row})


def test_hit_dice_are_the_weapons_or_those_of_a_fist():
    """dungeoneers.dice.hit-die, dungeoneers.attack.weapon-or-fist, dungeoneers.weapon.rank-improvised: one of them."""
    hammer = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton"), STRUCK)
    assert terms(hammer, "dice.hit-die") == [("+", 8, "2d4 [4+4]")]
    assert not names(hammer, "attack.weapon-or-fist")
    assert not names(hammer, "weapon.rank-improvised")
    fist = fight(suori(equipped=[]), skeleton()).when(Attack("Suori", "Skeleton"), STRUCK)
    assert terms(fist, "attack.weapon-or-fist") == [("+", 8, "2d4 [4+4]")]
    assert not names(fist, "dice.hit-die")
    unskilled = fight(freya((0, 0), equipped=["glaive"]), skeleton()).when(Attack("Freya", "Skeleton"), STRUCK)
    assert terms(unskilled, "weapon.rank-improvised") == [("+", 8, "2d4 [4+4]")]
    assert not names(unskilled, "attack.weapon-or-fist")


def test_a_step_that_fails_ends_the_attack():
    """dungeoneers.attack.sequence: 2 against 4 misses, 2 against 4 is deflected; 8 against 4 goes on to wounds."""
    told = fight(suori(), skeleton())
    assert names(told.when(Attack("Suori", "Skeleton"), [1, 1, 4]), "attack.sequence")
    assert names(told.when(Attack("Suori", "Skeleton"), [4, 4, 1, 1, 1]), "attack.sequence")
    struck = told.when(Attack("Suori", "Skeleton"), STRUCK)
    assert not names(struck, "attack.sequence")
    assert terms(struck, "attack.wounds") == [("+", 1, "warhammer")]
    assert terms(struck, "trait.vulnerability") == [("+", 1, "vulnerability")]


def test_the_capacity_for_stress_decides_when_it_is_full():
    """dungeoneers.stress.capacity, dungeoneers.stress.absorb: of 3 wounds, 1 fits in where 1 of 2 is taken; 3 in 9."""
    full = fight(armed(3), rat(endurance=2, stress=1)).when(Attack("Suori", "Rat"), STRUCK)
    assert terms(full, "stress.absorb") == [("-", 1, "absorbed as stress")]
    assert names(full, "stress.capacity")
    roomy = fight(armed(3), rat(endurance=9)).when(Attack("Suori", "Rat"), STRUCK)
    assert terms(roomy, "stress.absorb") == [("-", 3, "absorbed as stress")]
    assert not names(roomy, "stress.capacity")


def test_wounds_stop_at_the_capacity():
    """dungeoneers.wounds.cap-at-maximum: 1 and 2 are 2 of 2, alive; dungeoneers.death.effects: 2 and 2 kill."""
    hurt = fight(armed(2), rat(wounds=1)).when(Attack("Suori", "Rat"), STRUCK)
    hurt.ruled("dungeoneers.wounds.cap-at-maximum", "", [2]).then(WoundsSustained("Rat", 1, 2, "heat"))
    assert terms(hurt, "wounds.cap-at-maximum") == [("min", 2, "capacity")]
    assert not names(hurt, "death.effects")
    dead = fight(armed(2), rat(wounds=2)).when(Attack("Suori", "Rat"), STRUCK)
    assert names(dead, "death.effects", "wounds.death-at-maximum")
    assert not names(dead, "wounds.cap-at-maximum")
    whole = fight(armed(2), rat()).when(Attack("Suori", "Rat"), STRUCK)
    assert not names(whole, "wounds.cap-at-maximum")
    assert not names(whole, "death.effects")


def test_the_weight_of_armor_names_what_makes_it_heavy():
    """dungeoneers.armor.power-penalty, dungeoneers.armor.category-power, dungeoneers.armor.power-highest.

    Power 2 in plate, which takes 3: one die less, 1d4 against 1d4.
    """
    plate = fight(suori(equipped=["plate"]), skeleton()).when(Attack("Suori", "Skeleton"), [4, 1, 4])
    assert terms(plate, "armor.power-penalty") == [("-", 1, "power 3"), ("-", 1, "power 3")]
    assert names(plate, "armor.category-power")
    assert not names(plate, "armor.power-highest")
    both = fight(suori(equipped=["plate", "gauntlet"]), skeleton()).when(Attack("Suori", "Skeleton"), [4, 1, 4])
    assert terms(both, "armor.power-penalty") == terms(plate, "armor.power-penalty")
    assert names(both, "armor.category-power", "armor.power-highest")
    row = {"category": "light", "slot": "body", "power": 3}
    own = suori(equipped=["lead coat"], armor={"lead coat": row})
    coat = fight(own, skeleton()).when(Attack("Suori", "Skeleton"), [4, 1, 4])
    assert names(coat, "armor.power-penalty")
    assert not names(coat, "armor.category-power")


def test_a_pool_below_none_has_no_dice():
    """dungeoneers.dice.order-of-counting, dungeoneers.dice.empty-pool: 2 less 5 is raised to 0; 2 less 2 is 0."""
    told = fight(suori(), skeleton())
    below = told.when(Attack("Suori", "Skeleton", mod=("-5",)), [1]).ruled(
        "dungeoneers.attack.hit-compare", "miss", [0, 1]
    )
    assert terms(below, "dice.order-of-counting") == [("max", 0, "least")]
    assert terms(below, "dice.empty-pool") == [("+", 0, "no dice")]
    assert terms(below, "dice.modifiers") == [("-", 5, "game master")]
    none = told.when(Attack("Suori", "Skeleton", mod=("-2",)), [1])
    assert not names(none, "dice.order-of-counting")
    assert names(none, "dice.empty-pool")
    granted = fight(suori(), skeleton(), minimum_dice=1).when(Attack("Suori", "Skeleton", mod=("-2",)), [1, 2])
    assert terms(granted, "dice.empty-pool") == [("max", 1, "least")]


def test_a_grapple_that_fails_gives_no_conditions():
    """dungeoneers.grapple.conditions; dungeoneers.grapple.defender-choice where it is not prowess: power 3, 3 dice."""
    told = fight(suori(), skeleton())
    assert not names(told.when(Grapple("Suori", "Skeleton"), [1, 1, 4]), "grapple.conditions")
    seized = told.when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    assert names(seized, "grapple.conditions")
    assert not names(seized, "grapple.defender-choice")
    strong = fight(suori(), skeleton(power=3))
    assert names(strong.when(Grapple("Suori", "Skeleton"), [4, 4, 1, 1, 1]), "grapple.defender-choice")
    pushed = strong.when(Push("Suori", "Skeleton"), [4, 4, 1, 1, 1])
    assert names(pushed, "push.defender-choice")
    assert not names(pushed, "grapple.defender-choice")


def test_the_order_names_what_decided_it():
    """dungeoneers.initiative.order, dungeoneers.initiative.each-round: a tie is rolled anew in the second round."""
    tied = table(suori(initiative=5), skeleton(initiative=5)).when(Begin()).when(Round(), [3, 7])
    assert names(tied, "initiative.tie-d10")
    assert not names(tied, "initiative.each-round")
    assert not names(tied, "initiative.order")
    for _ in range(2):
        tied = tied.when(Turn()).when(Done())
    assert names(tied.when(Round(), [3, 7]), "initiative.tie-d10", "initiative.each-round")
    apart = table(suori(initiative=5), skeleton(initiative=4)).when(Begin()).when(Round())
    assert clauses(apart) == {"dungeoneers.initiative.order"}


def test_anyone_who_disengaged_is_threatened_again_when_anybody_moves():
    """dungeoneers.disengage.threatened-again, dungeoneers.disengage.clear-threatened, dungeoneers.threat.threatened."""
    told = turn_of(fight(skeleton(), suori(), freya((5, 5))), "Suori")
    left = told.when(Disengage("Suori")).then(ConditionEnded("Suori", "threatened"))
    assert names(left, "disengage.clear-threatened")
    again = left.when(Done()).when(Turn()).when(Move("Freya", ("N",)))
    assert names(again, "threat.recalculate", "threat.threatened", "disengage.threatened-again")
    still = told.when(Done()).when(Turn()).when(Move("Freya", ("N",)))
    assert not names(still, "threat.recalculate")
    come = fight(skeleton((3, 0), movement_points=2), suori()).when(Move("Skeleton", ("W", "W")))
    assert names(come, "threat.threatened")
    assert not names(come, "disengage.threatened-again")


def test_a_long_weapon_adds_to_the_reach():
    """dungeoneers.weapon.threat-plus, dungeoneers.threat.range, dungeoneers.grid.distance: 3 tiles; 1 and 1."""
    told = fight(suori(equipped=["glaive"], cantrips=["firebolt"]), skeleton((3, 0)))
    cast = told.when(Cast("Suori", "firebolt", "Skeleton"), [1, 4])
    cast.ruled("dungeoneers.spellcast.melee-or-ranged", "ranged", [3, 2])
    assert terms(cast, "weapon.threat-plus") == [("+", 1, "glaive")]
    assert terms(cast, "threat.range") == [("+", 1, "medium")]
    assert terms(cast, "grid.distance") == [("+", 3, "distance")]


def test_an_opportune_strike_names_what_gives_it():
    """dungeoneers.opportune.leave-range, dungeoneers.opportune.ranged-use, dungeoneers.reaction.any-turn."""
    gone = fight(skeleton(), suori())
    asked = gone.when(Move("Skeleton", ("E",)))
    assert names(asked, "opportune.window", "opportune.leave-range")
    assert not names(asked, "opportune.ranged-use")
    struck = gone.when(Move("Skeleton", ("E",), opportune=("Suori",)), [1, 1, 4, 1])  # It faces E: 4 less 1.
    assert names(struck, "opportune.resolution", "opportune.leave-range", "reaction.any-turn")
    shot = fight(ulfarmi((0, 0)), skeleton(), skeleton((4, 0), "B")).when(Cast("Ulfarmi", "firebolt", "B"), [1, 1, 4])
    assert names(shot, "opportune.window", "opportune.ranged-use")
    assert not names(shot, "opportune.leave-range")


def test_a_target_may_be_chosen_when_the_action_is_taken():
    """dungeoneers.ready.legality-at-trigger: another than the one that was named."""
    told = fight(suori(), skeleton(), skeleton((1, 1), "B"))
    told = told.when(Ready("Suori", "push", before="Skeleton", target="Skeleton")).when(Done())
    assert names(told.when(Trigger("Suori", "B"), [4, 4, 1]), "ready.legality-at-trigger")
    assert not names(told.when(Trigger("Suori"), [4, 4, 1]), "ready.legality-at-trigger")


def test_a_base_below_none_is_named():
    """dungeoneers.movement.negative, dungeoneers.movement.default-point"""
    assert terms(fight(suori(movement_points=-1)), "movement.negative") == [("+", -1, "base")]
    assert not names(fight(suori(movement_points=2)), "movement.negative")


def test_recovery_is_named_where_something_is_healed():
    """dungeoneers.wounds.recovery, dungeoneers.stress.rest"""
    told = table(freya(wounds=1, stress=1))
    assert clauses(told.when(Heal("Freya", wounds=1))) == {"dungeoneers.wounds.recovery"}
    assert clauses(told.when(Heal("Freya", stress=1))) == set()
    assert clauses(told.when(Rest(("Freya",), "short"))) == {"dungeoneers.stress.rest"}
    assert clauses(told.when(Rest(("Freya",), "full"))) == {"dungeoneers.stress.rest", "dungeoneers.wounds.recovery"}


# The game master's modifiers


def test_a_modifier_counts_dice_of_its_pool_and_keeps_its_reason():
    """dungeoneers.dice.modifiers: 3d4 against none, 1d8 to pierce; 1 wound and 1 more, and vulnerability."""
    told = fight(suori(), skeleton()).when(
        Attack("Suori", "Skeleton", mod=("dodge:-1:blind", "pierce@suo:-1:tired", "1:rage")),
        [1, 1, 1, 4],
    )
    assert rolls(told) == [("Suori", "3d4", "hit"), ("Suori", "1d8", "pierce")]
    assert terms(told, "dice.modifiers") == [("+", 1, "rage"), ("-", 1, "blind"), ("-", 1, "tired")]
    oiled = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton", mod=("wounds:-2:padded",)), STRUCK)
    oiled.ruled("dungeoneers.wounds.order", "no wounds", [0]).then(no(WoundsSustained))
    assert terms(oiled, "attack.wounds") == [("+", 1, "warhammer"), ("-", 2, "padded")]
    assert terms(oiled, "wounds.floor-zero") == [("max", 0, "least")]


def test_a_verb_has_the_pools_that_it_rolls():
    told = fight(suori(), skeleton())
    impossible(told, Attack("Suori", "Skeleton", mod=("save:1",)), "attack has no 'save' to modify")
    impossible(told, Grapple("Suori", "Skeleton", mod=("pierce:1",)), "grapple has no 'pierce' to modify")
    impossible(told, Attack("Suori", "Skeleton", mod=("dodge@suori:1:dust",)), "dodge belongs to Skeleton")
    impossible(told, Attack("Suori", "Skeleton", mod=("51",)), "not a modifier")
    impossible(told, Disengage("Suori", mod=("1",)), "Suori is not grappled")
    mage = fight(ulfarmi((0, 0)), skeleton())
    impossible(mage, Cast("Ulfarmi", "firebolt", "Skeleton", mod=("save:1",)), "cast has no 'save' to modify")
    impossible(mage, Cast("Ulfarmi", "mage armor", "Skeleton", mod=("hit:1",)), "cast has no 'hit' to modify")


def test_the_modifiers_of_a_spell():
    """dungeoneers.spell-save.roll: mind 3 and 1 more against resistance 1 and 1 more; 1 spell pierce die."""
    mage = fight(ulfarmi((0, 0)), skeleton())
    cast = Cast("Ulfarmi", "mage armor", "Skeleton", mod=("1:calm", "save:1:stubborn", "pierce:1"))
    told = mage.when(cast, [1, 1, 1, 1, 1, 1, 1])
    assert rolls(told) == [
        ("Ulfarmi", "4d4", "save"), ("Skeleton", "2d4", "save"), ("Ulfarmi", "1d4", "spell-pierce"),
    ]  # fmt: skip
    burnt = mage.when(Cast("Ulfarmi", "firebolt", "Skeleton", mod=("wounds:1",)), [4, 4, 1])
    burnt.ruled("dungeoneers.wounds.order", "", [2])
    assert terms(burnt, "spell.wounds") == [("+", 1, "firebolt")]


def test_anyone_who_breaks_free_modifies_its_own_roll():
    """dungeoneers.grapple.break: 2 dodge dice against 3 hit dice, 5 against 3."""
    held = turn_of(fight(suori(), skeleton()).when(Grapple("Suori", "Skeleton"), [4, 4, 1]), "Skeleton")
    told = held.when(Disengage("Skeleton", mod=("1:oiled", "hit:1")), [1, 1, 1, 2, 3])
    told.ruled("dungeoneers.grapple.break", "broken", [5, 3])
    assert rolls(told) == [("Suori", "3d4", "hit"), ("Skeleton", "2d4", "dodge")]


def test_what_costs_a_point_says_by_which_clause():
    """dungeoneers.attack.cost, dungeoneers.action-points.spend: the way on is to end the turn."""
    told = fight(suori(), skeleton()).when(Adjust("Suori", "action", "0", "stunned"))
    assert hint_of(told, Attack("Suori", "Skeleton")) == "affray done"
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.attack.cost")
    told.refused(Grapple("Suori", "Skeleton"), "dungeoneers.action-points.spend")


def test_a_strike_that_the_game_master_allows_names_no_opportunity():
    """dungeoneers.opportune.leave-range: Freya is far away when the skeleton leaves Suori's reach."""
    asked = fight(skeleton(), suori(), freya((9, 9))).when(Move("Skeleton", ("E",)))
    told = asked.when(Opportune("Freya"), [1, 1, 4], allow="she has a whip")
    assert names(told, "opportune.resolution")
    assert not names(told, "opportune.leave-range")
    assert names(asked.when(Opportune("Suori"), [1, 1, 4, 1]), "opportune.leave-range")
