"""Bonus sources: what items may give, and when."""

from typing import Any

import pytest

from commands.action.common import Option
from commands.action.declaration import Declaration
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.effects import Effect
from commands.rules.freepg.gear import Draw, Stow
from commands.rules.freepg.movement import Move
from commands.rules.freepg.turns import Done
from ledger.errors import Refused
from ledger.events import Equipped, HpLost, Moved, Overruled, PointsSpent, Unequipped
from tests.kit import lines, no

from .table import RING, SWORD, boffin, fight, grub, impossible, jane, someone, table


def item(name: str, slot: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "slot": slot, **fields}


def accepted(*items: dict[str, Any], **options: Any) -> None:
    table(**options).when(boffin(*items)).then(no(Overruled))


def refused(clause: str, *items: dict[str, Any], **options: Any) -> None:
    told = table(**options)
    told.refused(boffin(*items), clause)
    told.when(boffin(*items), allow="a gift of the gods").then(*(Equipped("Boffin", one["name"]) for one in items))


def test_carried_items_give_nothing():
    """freepg.bonus.equipped-only: the ring is in the pack: 9+2 less 5."""
    told = table(boffin(SWORD, {**RING, "equipped": False}), grub())
    told.when(Attack("Boffin", ("Grub",)), [9, 5]).then(HpLost("Grub", 6, 14))


def test_only_a_weapon_in_hand_is_attacked_with():
    """freepg.bonus.equipped-only: the carried spear, the ring and a weapon that is not there are refused."""
    told = table(boffin(SWORD, RING, item("spear", "weapon", attack=4, equipped=False)), grub())
    for weapon in ("spear", "ring of force", "axe"):
        told.refused(Attack("Boffin", ("Grub",), with_=weapon), "freepg.bonus.equipped-only")
    allowed = told.when(Attack("Boffin", ("Grub",), with_="spear"), [9, 5], allow="it leans at the wall")
    allowed.ruled("freepg.attack.hit-test", "hit", [13, 5])


def test_what_was_drawn_last_is_attacked_with():
    """freepg.bonus.equipped-only: the axe gives 4 to the 9, the sword in the other hand nothing."""
    told = table(boffin(SWORD, item("axe", "weapon", attack=4, equipped=False)), grub()).when(Draw("Boffin", "axe"))
    told.when(Attack("Boffin", ("Grub",)), [9, 5]).ruled("freepg.attack.hit-test", "hit", [13, 5])


def test_items_and_untyped_modifiers_add_up():
    """freepg.bonus.stack-with-untyped: sword +2 and blessing +2: 12 against 11."""
    told = table(boffin(SWORD), grub()).when(Effect(("Boffin",), "blessing", amount=2))
    told.when(Attack("Boffin", ("Grub",)), [8, 11]).ruled("freepg.attack.hit-test", "hit", [12, 11])


def test_bonuses_of_one_kind_from_different_slots_add_up():
    """freepg.bonus.stack-with-untyped: helm +2 and pendant +1: 10 against 13."""
    told = table(boffin(item("helm", "head", defense=2), item("locket", "pendant", defense=1)), grub())
    told.when(Attack("Grub", ("Boffin",)), [10, 10]).ruled("freepg.attack.hit-test", "miss", [10, 13])


@pytest.mark.parametrize("kind", ["attack", "damage", "defense", "armor"])
def test_each_kind_of_bonus_has_its_slots(kind):
    """freepg.bonus.slot-kind"""
    right = {
        "attack": {"weapon"}, "damage": {"ring", "hand"}, "defense": {"head", "pendant"}, "armor": {"armor"}
    }[kind]  # fmt: skip
    for slot in ("weapon", "ring", "hand", "head", "pendant", "armor", "belt", "feet"):
        if slot in right:
            accepted(item("thing", slot, **{kind: 1}))
        else:
            refused("freepg.bonus.slot-kind", item("thing", slot, **{kind: 1}))


def test_a_penalty_is_valid_anywhere_and_has_no_floor():
    """freepg.bonus.slot-kind: a crown with defense +2 and attack -1: 12 -1 against 11 misses."""
    crown = item("crown", "head", defense=2, attack=-1)
    told = table(boffin(crown), grub()).when(Attack("Boffin", ("Grub",)), [12, 11])
    told.ruled("freepg.attack.hit-test", "miss", [11, 11])
    accepted(item("shackle", "belt", attack=-40, damage=-9, defense=-9, armor=-9))


@pytest.mark.parametrize(
    ("clause", "slot", "kind", "most"),
    [
        ("freepg.bonus.weapon-cap", "weapon", "attack", 5),
        ("freepg.bonus.damage-cap", "ring", "damage", 2),
        ("freepg.bonus.damage-cap", "hand", "damage", 2),
        ("freepg.bonus.defense-cap", "head", "defense", 2),
        ("freepg.bonus.defense-cap", "pendant", "defense", 2),
        ("freepg.bonus.armor-cap", "armor", "armor", 5),
        ("freepg.bonus.other-slots", "feet", "speed", 5),
    ],
)
def test_a_bonus_has_its_cap(clause, slot, kind, most):
    """freepg.bonus.weapon-cap, freepg.bonus.damage-cap, freepg.bonus.defense-cap, freepg.bonus.armor-cap"""
    accepted(item("thing", slot, **{kind: most}))
    refused(clause, item("thing", slot, **{kind: most + 1}))
    with pytest.raises(Refused) as error:
        table().when(boffin(item("thing", slot, **{kind: most + 1})))
    assert error.value.at[-3:] == ("items", 0, kind)


@pytest.mark.parametrize(("most", "kind"), [({"speed": 6}, "speed"), ({"fly": 6, "skill": {"climb": 1}}, "fly"), (
    {"fly": 1, "skill": {"climb": 6}}, "skill"),
])  # fmt: skip
def test_the_bonus_that_is_too_much_is_the_one_that_is_named(most, kind):
    """freepg.bonus.other-slots: 5 is the most for the feet."""
    with pytest.raises(Refused) as error:
        table().when(boffin(item("thing", "feet", **most)))
    assert error.value.at[-3:] == ("items", 0, kind)


@pytest.mark.parametrize(
    ("clause", "slot", "places"),
    [
        ("freepg.bonus.ring-count", "ring", 2),
        ("freepg.bonus.hand-count", "hand", 1),
        ("freepg.bonus.head-count", "head", 1),
        ("freepg.bonus.pendant-count", "pendant", 1),
        ("freepg.bonus.other-slots", "armor", 1),
        ("freepg.bonus.other-slots", "belt", 1),
        ("freepg.bonus.other-slots", "feet", 1),
        ("freepg.bonus.other-slots", "weapon", 2),
    ],
)
def test_a_slot_has_its_places(clause, slot, places):
    """freepg.bonus.ring-count, freepg.bonus.hand-count, freepg.bonus.head-count, freepg.bonus.pendant-count"""
    full = [item(f"thing {nth}", slot) for nth in range(places)]
    accepted(*full)
    accepted(*full, item("spare", slot, equipped=False))
    refused(clause, *full, item("one more", slot))


def test_two_rings_and_a_gauntlet_give_4_damage():
    """freepg.bonus.ring-count: 10 +1 +1 +2 less 5."""
    rings = [item("red ring", "ring", damage=1), item("blue ring", "ring", damage=1)]
    told = table(boffin(*rings, item("gauntlet", "hand", damage=2)), grub())
    told.when(Attack("Boffin", ("Grub",)), [10, 5]).then(HpLost("Grub", 9, 11))


def test_a_weapon_counts_only_when_it_is_used():
    """freepg.bonus.weapon-must-be-used: a kick with 11 ties, the sword makes it 13."""
    told = table(boffin(SWORD, item("wand", "weapon", attack=5)), grub())
    told.when(Attack("Boffin", ("Grub",), with_="none", as_="a kick"), [11, 11]).ruled(
        "freepg.attack.hit-test", "miss", [11, 11]
    )
    told.when(Attack("Boffin", ("Grub",)), [11, 11]).ruled("freepg.attack.hit-test", "hit", [13, 11])
    told.when(Attack("Boffin", ("Grub",), with_="wand"), [11, 11]).ruled("freepg.attack.hit-test", "hit", [16, 11])


def test_a_weapons_penalty_counts_only_when_it_is_used():
    """freepg.bonus.weapon-must-be-used: a club with -3 damage: 12 less 5 and 3; in the other hand it is harmless."""
    told = table(boffin(item("club", "weapon", damage=-3), item("stick", "weapon")), grub())
    told.when(Attack("Boffin", ("Grub",)), [12, 5]).then(HpLost("Grub", 4, 16))
    told.when(Attack("Boffin", ("Grub",), with_="stick"), [12, 5]).then(HpLost("Grub", 7, 13))


def test_belt_feet_and_head_may_help_skills_and_speed():
    """freepg.bonus.other-slots"""
    for slot in ("belt", "feet", "head"):
        accepted(item("thing", slot, skill={"climb": 5}, speed=5, fly=5))
        refused("freepg.bonus.other-slots", item("thing", slot, skill={"climb": 6}))
    for slot in ("weapon", "ring", "armor"):
        refused("freepg.bonus.other-slots", item("thing", slot, speed=1))
        refused("freepg.bonus.other-slots", item("thing", slot, skill={"climb": 1}))


def test_a_house_rule_leaves_one_hand_for_a_weapon():
    """freepg.bonus.other-slots: the option weapon_slots; a new weapon then takes the place of the old one."""
    refused("freepg.bonus.other-slots", SWORD, item("wand", "weapon"), weapon_slots=1)
    told = table(boffin(SWORD, item("wand", "weapon", equipped=False)), weapon_slots=1)
    told.when(Draw("Boffin", "wand")).then(Unequipped("Boffin", "sword"), Equipped("Boffin", "wand", drawn=True))


def test_a_house_rule_taken_up_later_empties_the_other_hand():
    """freepg.bonus.other-slots: sword and axe in hand when weapon_slots becomes 1; the wand takes the place of both."""
    axe, wand = item("axe", "weapon"), item("wand", "weapon", equipped=False)
    told = table(boffin(SWORD, axe, wand)).when(Option("weapon_slots", "1"))
    told = told.when(Draw("Boffin", "wand", instead="axe"))
    assert told.state.gear.equipped["Boffin"] == ("wand",)


def test_weapons_may_have_other_powers():
    """freepg.bonus.weapon-utility: recorded as an effect that no roll shows."""
    told = table(boffin(SWORD), grub()).when(Effect(("Grub",), "marked by the sword", until="encounter-end"))
    told.when(Attack("Grub", ("Boffin",)), [10, 9]).ruled("freepg.attack.hit-test", "hit", [10, 9])


def test_items_have_names_of_their_own():
    impossible(table(), boffin(SWORD, SWORD), "a name of its own")
    impossible(table(), boffin(item("none", "weapon")), "a name of its own")


CARRIED = [{**one, "equipped": False} for one in (item("axe", "weapon"), item("crown", "head"), item("bola", "weapon"))]
HERO = boffin(SWORD, item("helm", "head"), *CARRIED)


def test_the_first_weapon_change_of_a_turn_is_free():
    """freepg.turn.weapon-swap: the second one leaves one action."""
    told = fight(HERO, first="Boffin").when(Draw("Boffin", "axe", instead="sword"))
    told.ruled("freepg.turn.weapon-swap", "costs nothing", aside=True).then(
        PointsSpent("Boffin", "swap", 1, 0), Unequipped("Boffin", "sword"), Equipped("Boffin", "axe", drawn=True)
    )
    assert told.state.points.left("Boffin", "action") == 2
    told = told.when(Draw("Boffin", "sword", instead="axe")).ruled("freepg.turn.weapon-swap", "costs an action")
    told.ruled("freepg.turn.weapon-swap", "costs an action", aside=True)
    assert told.state.points.left("Boffin", "action") == 1
    assert told.when(Done()).when(Done()).state.points.left("Boffin", "swap") == 1


def test_a_weapon_is_changed_on_ones_own_turn():
    """freepg.turn.weapon-swap"""
    told = fight(HERO, jane(), first="Jane")
    told.refused(Draw("Boffin", "axe"), "freepg.turn.out-of-turn")
    told.when(Draw("Boffin", "axe"), allow="a lull").then(Equipped("Boffin", "axe", drawn=True), no(PointsSpent))


def test_with_both_hands_full_the_weapon_to_go_is_named():
    """freepg.turn.weapon-swap, freepg.bonus.other-slots"""
    told = fight(HERO, first="Boffin").when(Draw("Boffin", "axe"))
    told.refused(Draw("Boffin", "bola"), "freepg.bonus.other-slots")
    told.when(Draw("Boffin", "bola", instead="axe")).then(
        Unequipped("Boffin", "axe"), Equipped("Boffin", "bola", drawn=True)
    )


def test_any_other_item_costs_an_action():
    """freepg.turn.item-swap: changing helms, then a move: no action left."""
    told = fight(HERO, first="Boffin").when(Draw("Boffin", "crown"))
    told.ruled("freepg.turn.item-swap", "costs an action")
    assert lines(told.events)[0] == "Boffin puts the helm away and takes the crown"
    told.then(
        PointsSpent("Boffin", "action", 1, 1), Unequipped("Boffin", "helm"), Equipped("Boffin", "crown", drawn=True)
    )
    told = told.when(Move("Boffin", squares=3)).then(Moved("Boffin", "walk", 3))
    told.refused(Stow("Boffin", "crown"), "freepg.turn.two-actions")


def test_putting_away_costs_as_much():
    """freepg.turn.item-swap, freepg.turn.weapon-swap"""
    told = fight(HERO, first="Boffin").when(Stow("Boffin", "sword")).ruled("freepg.turn.weapon-swap", "costs nothing")
    told.when(Stow("Boffin", "helm")).then(PointsSpent("Boffin", "action", 1, 1), Unequipped("Boffin", "helm"))


@pytest.mark.parametrize(
    "declaration",
    [
        Draw("Boffin", "sword"),
        Draw("Boffin", "crown", instead="sword"),
        Draw("Boffin", "club"),
        Stow("Boffin", "axe"),
    ],
)
def test_what_is_not_there_cannot_be_changed(declaration: Declaration):
    impossible(table(HERO), declaration)


def test_items_are_named_by_their_beginning():
    told = table(boffin(SWORD, item("silver ring", "ring"), item("silver crown", "head")))
    told.when(Stow("Boffin", "SW")).then(Unequipped("Boffin", "sword"))
    impossible(told, Stow("Boffin", "silver"))


def test_only_enemies_have_flat_bonuses():
    """freepg.enemy.flat-bonus: 1, 2 or 3; other values are refused."""
    table(someone("A", kind="enemy", flat_bonus=3))
    for fields in ({"kind": "enemy", "flat_bonus": 4}, {"kind": "enemy", "flat_bonus": -1}, {"flat_bonus": 1}):
        table().refused(someone("A", **fields), "freepg.enemy.flat-bonus")


def test_effects_of_one_name_add_and_last_so_many_rounds():
    """freepg.attack.attack-bonus, freepg.attack.damage-score: 10 + 1 is more than 10; then damage 11 + 2 - 10."""
    told = fight(boffin(), grub(), first="Boffin")
    told = told.when(Effect(("Boffin",), "blessing", 1, "attack", rounds=2))
    told = told.when(Effect(("Boffin",), "blessing", 2, "damage", rounds=2))
    both = {held.modifies: (held.amount, held.until, held.round) for _, held in told.state.conditions.held("Boffin")}
    assert both == {"attack": (1, "round-end", 2), "damage": (2, "round-end", 2)}
    assert not told.when(Effect(("Boffin",), "blessing", end=True)).state.conditions.held("Boffin")
    impossible(told, Effect(("Boffin",), "blessing", kind="attack"), "How much does blessing add to attack?")
    for words in ("hit:2", "attack:2"):
        hit = fight(boffin(), grub(), first="Boffin").when(Attack("Boffin", ("Grub",), mod=(words,)), [11, 12])
        hit.ruled("freepg.attack.hit-test", "hit", [13, 12])
