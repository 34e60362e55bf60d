"""Charges, set spears, and who strikes first."""

import pytest

from commands.action.common import Join
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.charge import Charge, Set
from commands.rules.arkm.gear import Draw, Stow
from commands.rules.arkm.movement import Move
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Pass
from commands.rules.arkm.stances import Mount, Parry
from ledger.errors import Refused
from ledger.events import ConditionGained, Disengaged, Felled, HpLost, OrderSet, Ruled
from tests.hints import offered_by
from tests.kit import Told, no

from .table import (
    aurochs,
    bran,
    conditions,
    damages,
    elowen,
    fighting,
    garrick,
    having,
    hp,
    impossible,
    melee,
    needed,
    ogre,
    orcs,
    said,
    since,
    tessa,
    triceratops,
    troll,
)
from .test_position import LONG, PIKE, SPEAR


def field(*joining: Join, **fields) -> Told:
    """The movement phase of round 2, without initiative."""
    return fighting(*joining, phase="movement", nth=2, **fields)


def charged(*joining: Join, feet: int = 60, setting: bool = False, **options) -> Told:
    """The first charges the second, who may have set what it holds."""
    told = field(*joining, **options)
    first, second, *_ = told.state.roster.order
    if setting:
        told = told.when(Set(second))
    return told.when(Charge(first, second, feet))


def foe_orcs(count: int = 1, **fields) -> Join:
    """Orcs against Garrick, who is a foe of the party."""
    return orcs(count, **{"side": "party", **fields})


def test_who_charges():
    """arkm.charge.who: monsters, beasts and the mounted; the sheet may say otherwise."""
    field(bran(), orcs()).refused(Charge("Bran", "Orc", 60), "arkm.charge.who")
    for charger in (garrick(), aurochs(), ogre()):
        told = field(charger, bran())
        told.when(Charge(told.state.roster.order[0], "Bran", 60))
    field(ogre(can_charge=False), bran()).refused(Charge("Ogre", "Bran", 60), "arkm.charge.who")
    field(bran(can_charge=True), orcs()).when(Charge("Bran", "Orc", 60))
    impossible(field(garrick(), orcs()), Charge("Garrick", "Orc", 60), "side")


@pytest.mark.parametrize(("feet", "clause"), [
    (30, ""), (29, "arkm.charge.distance"), (180, ""), (181, "arkm.charge.max-distance"),
])  # fmt: skip
def test_how_far(feet, clause):
    """arkm.charge.distance: 30 at least; arkm.charge.max-distance: the full Turn movement, and still an attack."""
    told = field(aurochs(), bran())
    charge = Charge("Aurochs", "Bran", feet)
    if clause:
        told.refused(charge, clause)
    else:
        told.when(charge).when(Attack("Aurochs", ("Bran",)), [2])


def test_half_as_far_by_a_house_rule():
    """arkm.charge.max-distance: the option charge_max."""
    told = field(aurochs(), bran(), charge_max="half").refused(
        Charge("Aurochs", "Bran", 91), "arkm.charge.max-distance"
    )
    walked = told.when(Move("Aurochs", feet=40))
    with pytest.raises(Refused) as refused:
        walked.when(Charge("Aurochs", "Bran", 60))
    assert offered_by(refused.value) == "affray charge Aurochs Bran --feet 50"


def test_a_charge_ends_at_its_target():
    """arkm.charge.end-within-5: at 6 feet there is no attack."""
    told = field(aurochs(), bran())
    told.when(Charge("Aurochs", "Bran", 60, ends=5)).when(Attack("Aurochs", ("Bran",)), [2])
    short = told.when(Charge("Aurochs", "Bran", 60, ends=6))
    short.refused(Attack("Aurochs", ("Bran",)), "arkm.charge.end-within-5", [2])


def test_who_is_charged_stays_near_where_the_charge_ends_at_them():
    """arkm.charge.end-within-5: by the game master's leave the ogre goes out of the melee, and comes back to Bran."""
    told = melee(field(ogre(), bran()), ("Ogre", "Bran"))
    told.when(Charge("Ogre", "Bran", 60), allow="a wide circle").then(no(Disengaged))
    told.when(Charge("Ogre", "Bran", 60, ends=20), allow="a wide circle").then(Disengaged("Ogre", "Bran"))


def test_of_two_weapons_in_hand_the_one_that_can_be_set_is_set():
    """arkm.set.declare: the spear, not the dagger."""
    told = field(bran(weapons=["dagger", "spear"], shield="none"), aurochs()).when(Draw("Bran", "spear", beside=True))
    told.when(Set("Bran")).then(ConditionGained("Bran", "set", "round-end", whom=("spear",)))


def test_a_lance_in_a_charge():
    """arkm.charge.lance-double-damage: 2D6 and STR; otherwise 1d6 + 1 + 2."""
    told = charged(garrick(), foe_orcs(hp_max=20)).when(Attack("Garrick", ("Orc",)), [7, 2, 5])
    assert (needed(told), damages(told)) == ([7], [9])
    calm = melee(fighting(garrick(), foe_orcs(hp_max=20)), ("Garrick", "Orc"))
    assert damages(calm.when(Attack("Garrick", ("Orc",)), [8, 2])) == [5]


def test_a_lance_without_a_die_of_its_own_does_not_hurt_who_fumbles():
    """arkm.fumble.table, 5: the 2D6 are for whom it is lowered at."""
    pole = {"id": "pole", "damage": "", "tags": ["lance"]}
    told = charged(garrick(weapons=[pole]), foe_orcs()).when(Attack("Garrick", ("Orc",)), [1, 20, 5])
    told.ruled("arkm.damage.normal-weapon", "no damage of its own").then(no(HpLost))


def test_a_critical_lance():
    """arkm.damage.double: the 2D6 and one set of the lance's own die: 1 + 2 + 3, and STR."""
    told = charged(garrick(), foe_orcs(hp_max=20)).when(Attack("Garrick", ("Orc",)), [20, 1, 2, 3])
    assert damages(told) == [8]


def test_doublings_may_count_once():
    """arkm.damage.double: the option stack_doubling: a critical backstab of a thief of level 5 throws three dice."""
    told = melee(fighting(tessa(), orcs(hp_max=20), stack_doubling="once"), ("Tessa", "Orc"), rounds=0)
    assert damages(told.when(Attack("Tessa", ("Orc",), backstab=True), [20, 1, 2, 4])) == [9]


def test_horns():
    """arkm.charge.horns-double: 3 + 4."""
    told = charged(aurochs(), bran(), feet=180).when(Attack("Aurochs", ("Bran",)), [14, 3, 4])
    assert (needed(told), damages(told)) == ([14], [7])


def test_the_first_attack_alone():
    """arkm.charge.first-attack-only: 7 with 2D6, then 8 with the lance's own die; hit or miss."""
    told = charged(garrick(), foe_orcs(2, hp_max=20))
    told = melee(told, ("Garrick", "Orc-2"), rounds=0)
    both = told.when(Attack("Garrick", ("Orc-1", "Orc-2")), [7, 2, 5, 8, 3])
    assert (needed(both), damages(both)) == ([7, 8], [9, 6])
    missed = told.when(Attack("Garrick", ("Orc-1", "Orc-2")), [2, 8, 3])
    assert damages(missed) == [6]


def test_a_charge_at_the_unmounted():
    """arkm.charge.unmounted-bonus: +1 besides the mounted one; 14 for an aurochs on Bran; none on a rider."""
    assert needed(charged(garrick(), foe_orcs()).when(Attack("Garrick", ("Orc",)), [2])) == [7]
    assert needed(charged(aurochs(), bran()).when(Attack("Aurochs", ("Bran",)), [2])) == [14]
    riders = charged(garrick(), foe_orcs(mounted=True))
    assert needed(riders.when(Attack("Garrick", ("Orc",)), [2])) == [9]


def test_the_charger_strikes_first():
    """arkm.charge.unmounted-first-strike: the orc waits; if it falls, it does not strike back."""
    told = charged(garrick(), foe_orcs())
    told.refused(Attack("Orc", ("Garrick",)), "arkm.charge.unmounted-first-strike", [2])
    told.when(Attack("Garrick", ("Orc",)), [2]).when(Pass(("Garrick",))).when(Attack("Orc", ("Garrick",)), [2])
    fallen = told.when(Attack("Garrick", ("Orc",)), [7, 2, 5]).then(Felled("Orc", "dead"))
    fallen.refused(Attack("Orc", ("Garrick",)), "arkm.damage.zero-hp", [2])


def test_the_bonus_for_lances_alone():
    """arkm.charge.unmounted-bonus, arkm.charge.unmounted-first-strike: the option charge_bonus_for."""
    told = charged(aurochs(), bran(), charge_bonus_for="lance")
    assert needed(told.when(Attack("Bran", ("Aurochs",)), [2])) == [10]
    assert needed(told.when(Attack("Aurochs", ("Bran",)), [2])) == [15]


def lancer(**fields) -> Join:
    """Another lancer, of the party; THAC0 19, STR +2, AC 5."""
    return bran(**{"mounted": True, "shield": "none", "dex": 10, "weapons": ["lance"], "hp_max": 6, **fields})


def test_lancers_meet():
    """arkm.charge.against-lancers: at the same time; 2D6 for whom charged, the lance's die for the other, who falls."""
    told = charged(garrick(), lancer())
    hit = told.when(Attack("Garrick", ("Bran",)), [10, 3, 4])  # 17 - 5 - 2
    assert (needed(hit), damages(hit)) == ([10], [9])
    hit.then(Felled("Bran", "dead"))
    back = hit.when(Attack("Bran", ("Garrick",)), [14, 4])  # 19 - 3 - 2
    assert (needed(back), damages(back)) == ([14], [7])


def test_a_beast_among_lancers():
    """arkm.charge.against-lancers: simultaneous too, without a bonus: 17 - 5 + 1 for a rider."""
    told = charged(aurochs(), lancer())
    assert needed(told.when(Attack("Aurochs", ("Bran",)), [2])) == [13]
    told.when(Attack("Bran", ("Aurochs",)), [2])


def test_who_has_a_lance_on_foot_or_rides_without_one_is_no_lancer():
    """arkm.charge.against-lancers: one on foot is struck first; of a rider with a sword nothing is said of lances."""
    told = charged(garrick(), lancer(mounted=False))
    told.refused(Attack("Bran", ("Garrick",)), "arkm.charge.unmounted-first-strike", [2])
    for told, meets in ((charged(garrick(), lancer()), True), (charged(garrick(), lancer(weapons=["sword"])), False)):
        struck = told.when(Attack("Garrick", ("Bran",)), [2]).events
        named = {clause for event in struck if isinstance(event, Ruled) for clause in event.clauses}
        assert ("arkm.charge.against-lancers" in named) is meets


def test_a_charge_at_set_spears():
    """arkm.charge.against-set: no charge bonus; 9 feet cancel the mounted one: 9; 6 feet: 8."""
    for spear, roll in ((LONG, 9), (SPEAR, 8)):
        told = charged(garrick(), foe_orcs(weapons=[spear]), setting=True)
        assert needed(told.when(Attack("Garrick", ("Orc",)), [2])) == [roll]


def test_a_charger_is_in_the_open():
    """arkm.charge.exposed: it can be shot before its blow, and may not strike any more."""
    told = charged(garrick(hp_max=3), foe_orcs(), elowen())
    shot = told.when(Shoot("Elowen", "Garrick", range_="short"), [13, 5]).then(Felled("Garrick", "dead"))
    shot.refused(Attack("Garrick", ("Orc",)), "arkm.damage.zero-hp", [2])


def test_setting_a_spear():
    """arkm.set.declare: spears, pikes and polearms with a point, on foot, in place of moving."""
    told = field(bran(weapons=["sword", "spear"]), aurochs())
    told.refused(Set("Bran"), "arkm.set.declare")
    ready = told.when(Set("Bran", "spear"))
    assert ready.state.conditions.of["Bran"]["set"].whom == ("spear",)
    ready.refused(Move("Bran", feet=10), "arkm.set.declare")
    field(garrick(weapons=["spear"]), bran()).refused(Set("Garrick"), "arkm.set.declare")
    moved = field(bran(weapons=["spear"]), aurochs()).when(Move("Bran", feet=5))
    moved.refused(Set("Bran"), "arkm.set.declare")
    blunt = {**PIKE, "id": "bill", "tags": ["polearm"]}
    field(bran(weapons=[blunt], shield="none"), aurochs()).refused(Set("Bran"), "arkm.set.declare")
    impossible(field(bran(weapons=[]), aurochs()), Set("Bran"), "nothing in hand")


def test_a_charger_who_has_come_up_does_not_hinder_it():
    """arkm.set.declare, arkm.phase.set-spears-ahead: but an old foe does."""
    told = charged(aurochs(), bran(weapons=["spear"]))
    assert "set" in conditions(told.when(Set("Bran")), "Bran")
    old = melee(field(bran(weapons=["spear"]), orcs()), ("Bran", "Orc"))
    old.refused(Set("Bran"), "arkm.phase.set-spears-ahead")


def test_a_set_spear():
    """arkm.set.damage: 2D6 at one who charged this round, 10 needed; else as ever."""
    told = charged(aurochs(), bran(weapons=["spear"]), setting=True)
    hit = told.when(Attack("Bran", ("Aurochs",)), [10, 5, 6])
    assert (needed(hit), damages(hit)) == ([10], [13])
    calm = field(aurochs(), bran(weapons=["spear"])).when(Set("Bran")).when(Move("Aurochs", feet=60, to=("Bran",)))
    assert damages(calm.when(Attack("Bran", ("Aurochs",)), [10, 5])) == [8]


def test_it_strikes_riders_with_swords_first():
    """arkm.set.first-against-normal-weapons: who falls does not strike back."""
    told = charged(garrick(weapons=["sword"], hp_max=9), foe_orcs(weapons=[SPEAR]), setting=True)
    told.refused(Attack("Garrick", ("Orc",)), "arkm.set.first-against-normal-weapons", [2])
    hit = told.when(Attack("Orc", ("Garrick",)), [17, 5, 6]).then(Felled("Garrick", "dead"))
    assert needed(hit) == [17]
    hit.refused(Attack("Garrick", ("Orc",)), "arkm.damage.zero-hp", [2])


def test_it_strikes_beasts_with_short_horns_first():
    """arkm.set.first-against-monster: 6 feet against 2; the aurochs that lives hits with 15 and both dice."""
    told = charged(aurochs(), bran(weapons=["spear"]), setting=True)
    told.refused(Attack("Aurochs", ("Bran",)), "arkm.set.first-against-monster", [2])
    back = told.when(Attack("Bran", ("Aurochs",)), [2]).when(Attack("Aurochs", ("Bran",)), [15, 3, 4])
    assert (needed(back), damages(back)) == ([15], [7])
    charged(ogre(), bran(weapons=["spear"]), setting=True).refused(
        Attack("Ogre", ("Bran",)), "arkm.set.first-against-monster", [2]
    )


def test_a_lance_strikes_at_the_same_time():
    """arkm.set.simultaneous-lance, arkm.set.both-double: 10 slays the orc, which strikes with 16 for 9: 30 to 21."""
    told = charged(garrick(), foe_orcs(weapons=[{**LONG, "damage": "1d6"}]), setting=True)
    hit = told.when(Attack("Garrick", ("Orc",)), [9, 4, 4])
    assert (needed(hit), damages(hit)) == ([9], [10])
    hit.then(Felled("Orc", "dead"))
    back = hit.when(Attack("Orc", ("Garrick",)), [16, 3, 6])
    assert (needed(back), damages(back)) == ([16], [9])
    assert hp(back, "Garrick") == 21
    other = charged(garrick(), foe_orcs(weapons=[LONG]), setting=True).when(Attack("Orc", ("Garrick",)), [2])
    other.when(Attack("Garrick", ("Orc",)), [2])


def test_long_horns_strike_at_the_same_time():
    """arkm.set.simultaneous-horns, arkm.set.both-double: 7 feet, or just as long; both do double damage."""
    told = charged(triceratops(), bran(weapons=["spear"]), setting=True)
    gored = told.when(Attack("Triceratops", ("Bran",)), [19, 8, 8]).then(HpLost("Bran", 16, 2))
    back = gored.when(Attack("Bran", ("Triceratops",)), [15, 5, 6])  # 19 - 2 - 2
    assert damages(back) == [13]
    equal = [{"name": "horns", "damage": "1d8", "horns": True, "length": 6}]
    same = charged(triceratops(attacks=equal), bran(weapons=["spear"]), setting=True)
    same.when(Attack("Triceratops", ("Bran",)), [2]).when(Attack("Bran", ("Triceratops",)), [2])
    slain = told.when(Attack("Triceratops", ("Bran",)), [20, 8, 8, 8]).then(Felled("Bran", "dead"))
    slain.when(Attack("Bran", ("Triceratops",)), [2])


def test_the_first_line_that_applies():
    """arkm.strike-order.precedence: a charge beats a pike that is not set, and haste; surprise beats all."""
    told = charged(garrick(), foe_orcs(weapons=[PIKE]))
    told.refused(Attack("Orc", ("Garrick",)), "arkm.charge.unmounted-first-strike", [2])
    surprised = having(told, "Garrick", "surprised")
    surprised.when(Attack("Orc", ("Garrick",)), [2])
    hasted = having(told, "Orc", "hasted")
    hasted.refused(Attack("Orc", ("Garrick",)), "arkm.charge.unmounted-first-strike", [2])


def test_a_slain_pair_owes_one_blow_and_no_more():
    """arkm.strike-order.precedence: only at the foe of its pair."""
    told = charged(garrick(), lancer(), orcs())
    fallen = melee(told, ("Bran", "Orc"), rounds=0).when(Attack("Garrick", ("Bran",)), [10, 3, 4])
    fallen.refused(Attack("Bran", ("Orc",)), "arkm.damage.zero-hp", [2])
    fallen.when(Attack("Bran", ("Garrick",)), [2])


def test_a_missed_lance_leaves_all_as_it_is():
    """arkm.set.simultaneous-lance"""
    told = charged(garrick(), foe_orcs(weapons=[LONG]), setting=True).when(Attack("Garrick", ("Orc",)), [2])
    told.then(no(HpLost), no(Felled))
    assert conditions(said(since(told)), "Orc") == {"set"}


def test_what_a_charge_cannot_be():
    """At the slain, after an action, from an unknown distance; --with draws; the known distance is the way."""
    told = field(garrick(), bran())
    impossible(since(told, Felled("Bran", "dead")), Charge("Garrick", "Bran", 60), "already dead")
    out = since(told, Felled("Bran", "unconscious")).when(Charge("Garrick", "Bran", 60))  # arkm.zero-hp.out
    assert out.state.engagement.of("Garrick") == ("Bran",)
    impossible(told, Charge("Garrick", "Bran"), "How far")
    far = told.when(Move("Bran", feet=0, to=("Garrick",), within=65)).when(Charge("Garrick", "Bran", with_="sword"))
    assert far.state.counts.get("Garrick", "feet") == 60
    assert far.state.gear.equipped["Garrick"] == ("sword",)
    tired = told.when(Parry("Garrick"))
    tired.refused(Charge("Garrick", "Bran", 60), "arkm.move.run")
    field(bran(weapons=["spear"]), orcs()).when(Parry("Bran")).refused(Set("Bran"), "arkm.set.declare")


def test_anyone_who_lies_stands_up_first():
    """arkm.whip.result: before any movement."""
    told = having(field(garrick(), bran()), "Garrick", "prone")
    told.refused(Charge("Garrick", "Bran", 60), "arkm.whip.result")
    told.refused(Move("Garrick", 10), "arkm.whip.result")


def test_a_lance_on_foot_is_no_more_than_a_spear():
    """arkm.charge.lance-double-damage: of the mounted; an orc that charges on foot does 1d6+1."""
    told = charged(orcs(weapons=["lance"]), bran())
    assert damages(told.when(Attack("Orc", ("Bran",)), [16, 4])) == [5]  # 19 - 2 - 1


FIST = {"name": "fist", "damage": "1d8"}


def test_two_that_charge_have_no_precedence():
    """arkm.strike-order.precedence: both would strike first, so initiative says."""
    told = having(charged(ogre(attacks=[FIST]), troll(side="party")), "Troll", "charging", whom=("Ogre",), amount=60)
    told = since(told, OrderSet(("Troll", "Ogre")))
    told.refused(Attack("Ogre", ("Troll",)), "arkm.initiative.highest-first", [2])
    told.when(Attack("Ogre", ("Troll",)), [2], allow="both at once").when(Attack("Troll", ("Ogre",)), [2])


def test_a_charge_that_ended_short_has_no_blow():
    """arkm.charge.end-within-5: nor at one who comes up to the charger then."""
    told = field(ogre(), bran()).when(Charge("Ogre", "Bran", feet=60, ends=20))
    told = told.when(Move("Bran", feet=15, to=("Ogre",)))
    told.refused(Attack("Ogre", ("Bran",)), "arkm.charge.end-within-5", [2])
    told.when(Attack("Bran", ("Ogre",)), [2])


def test_what_is_set_is_in_hand():
    """arkm.set.declare: with the spear goes the stance."""
    told = field(bran(weapons=["spear", "sword"]), garrick()).when(Set("Bran", "spear"))
    assert "set" not in conditions(told.when(Draw("Bran", "sword")), "Bran")
    assert "set" not in conditions(told.when(Stow("Bran", "spear")), "Bran")
    assert "set" in conditions(told.when(Stow("Bran", "shield")), "Bran")


def test_nobody_mounts_with_a_weapon_set():
    """arkm.set.declare: a weapon is set on foot, to the end of the round."""
    told = field(bran(weapons=["spear"]), garrick()).when(Set("Bran"))
    told.refused(Mount("Bran"), "arkm.set.declare")
