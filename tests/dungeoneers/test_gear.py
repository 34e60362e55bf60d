"""Equipment: places, power, and the tables."""

import json
from pathlib import Path

import pytest

from commands.action.adjust import Adjust
from commands.action.view import View
from commands.rules.dungeoneers import tables
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.board import row
from commands.rules.dungeoneers.hands import Draw, Stow
from commands.rules.dungeoneers.spells import Cast
from ledger.errors import UsageError
from ledger.events import Equipped, PickedUp, PointsSpent, Unequipped

from .table import fight, freya, impossible, rolls, skeleton, someone, suori, table, turn_of, ulfarmi


def test_there_are_two_hands():
    """dungeoneers.equipment.slots: dagger and tome leave no room for a wand; one body wears one armor."""
    told = table(ulfarmi(equipped=["dagger", "tome:firebolt"], carried=["wand"]))
    told.refused(Draw("Ulfarmi", "wand"), "dungeoneers.equipment.slots")
    swapped = told.when(Draw("Ulfarmi", "wand", instead=("dagger",)))
    swapped.then(Unequipped("Ulfarmi", "dagger"), Equipped("Ulfarmi", "wand", drawn=True))
    table().refused(suori(equipped=["leather", "plate"]), "dungeoneers.equipment.slots")
    table().refused(suori(equipped=["spangenhelm", "zischagge"]), "dungeoneers.equipment.slots")
    table().refused(suori(equipped=["leather"], slots={"body": 0}), "dungeoneers.equipment.slots")
    table(suori(equipped=["dagger", "mace", "buckler"], slots={"wield": 4}))


def test_some_weapons_take_both_hands():
    """dungeoneers.weapon.two-handed: a buckler leaves no room for a claymore."""
    told = table(suori(equipped=["buckler"], carried=["claymore"]))
    told.refused(Draw("Suori", "claymore"), "dungeoneers.weapon.two-handed")
    told.when(Stow("Suori", "buckler")).when(Draw("Suori", "claymore"))
    table().refused(suori(equipped=["buckler", "claymore"]), "dungeoneers.weapon.two-handed")
    table().refused(suori(equipped=["claymore", "buckler"]), "dungeoneers.equipment.slots")


def test_what_was_drawn_last_is_used_first():
    """dungeoneers.equipment.equipped-only: prowess 2 is 2d8 with the lance, though the warhammer is in hand, too."""
    rows = {"lance": {"hit": 8, "pierce": 6, "wounds": 1, "type": "piercing"}}
    told = fight(suori(carried=["lance"], weapons=rows), skeleton())
    assert rolls(told.when(Attack("Suori", "Skeleton"), [1, 1, 4]))[0] == ("Suori", "2d4", "hit")
    drawn = told.when(Draw("Suori", "lance"))
    assert rolls(drawn.when(Attack("Suori", "Skeleton"), [1, 1, 4]))[0] == ("Suori", "2d8", "hit")


def test_equipping_is_free_unless_the_game_master_says_otherwise():
    told = fight(suori(carried=["dagger"]), skeleton())
    told.when(Draw("Suori", "dagger")).when(Stow("Suori", "dagger"))
    told.when(Draw("Suori", "dagger", ap=1)).then(
        PointsSpent("Suori", "action", 1, 0), Equipped("Suori", "dagger", drawn=True)
    )
    other = turn_of(told, "Skeleton")
    other.refused(Draw("Suori", "dagger"), "dungeoneers.turn.own-turn-only")
    impossible(told, Draw("Suori", "glaive"), "has no")
    impossible(told, Draw("Suori", "warhammer"), "already")
    impossible(told, Stow("Suori", "dagger"), "not equipped")
    impossible(told, Draw("Suori", "dagger", instead=("dagger",)), "not equipped")


@pytest.mark.parametrize(
    ("item", "power", "fewer"),
    [("brigandine", 2, 0), ("laminar", 1, 1), ("hauberk", 2, 1), ("greaves", 2, 1), ("plate", 1, 2)],
)
def test_heavy_armor_takes_power(item, power, fewer):
    """dungeoneers.armor.category-power, dungeoneers.armor.power-penalty: 2 for medium, 3 for heavy; greaves on 2: 1."""
    told = fight(suori(power=power, prowess=3, equipped=[item]), skeleton())
    assert rolls(told.when(Attack("Suori", "Skeleton"), [1] * (3 - fewer) + [4]))[0][1] == f"{3 - fewer}d4"


def test_armor_too_heavy_costs_dice_on_every_roll():
    """dungeoneers.armor.power-penalty: Ulfarmi, power 1, with an item of power 3: 2 fewer on every roll."""
    heavy = {"power": 1, "prowess": 3, "spell": 3, "mind": 3, "resistance": 3}
    row = {"iron hat": {"slot": "head", "power": 3, "av": 1}}
    told = fight(ulfarmi((0, 0), **heavy, equipped=["iron hat"], armor=row), skeleton(prowess=2))
    hit = told.when(Attack("Ulfarmi", "Skeleton"), [4, 1, 1])
    assert [roll[1] for roll in rolls(hit)] == ["1d4", "2d4"]  # and no die to pierce
    cast = told.when(Cast("Ulfarmi", "firebolt", "Skeleton", extra=3), [4, 1, 1, 1])
    assert [roll[1] for roll in rolls(cast)] == ["1d4", "2d4", "1d4"]
    save = told.when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 4])
    assert [roll[1] for roll in rolls(save)] == ["1d4", "1d4"]
    foe = fight(ulfarmi((0, 0), side="rivals"), freya((1, 0), power=1, resistance=3, equipped=["plate"]))
    assert rolls(foe.when(Cast("Ulfarmi", "mage armor", "Freya"), [1, 1, 1, 4]))[1][1] == "1d4"


def test_only_the_heaviest_item_counts():
    """dungeoneers.armor.power-highest: laminar (2) and great helm (3) on power 1: 2 fewer."""
    told = fight(suori(power=1, prowess=3, equipped=["laminar", "great helm"]), skeleton())
    assert rolls(told.when(Attack("Suori", "Skeleton"), [1, 4]))[0][1] == "1d4"


@pytest.mark.parametrize(("equipped", "carried", "at"), [
    (["mace", "mace"], [], ("equipped", 1)), (["mace"], ["mace"], ("carried", 0)),
])  # fmt: skip
def test_the_second_of_two_items_of_one_name_is_the_one_that_is_too_much(equipped, carried, at):
    with pytest.raises(UsageError, match="Two items") as error:
        table(suori(equipped=equipped, carried=carried))
    assert error.value.at[-2:] == at


def test_a_sheet_may_bring_rows_of_its_own():
    sword = {"hit": 12, "pierce": 8, "wounds": 2, "type": "cold", "category": "blade", "rank": "A"}
    told = fight(suori(weapons={"Winter": sword}, equipped=["winter"], ranks={"blade": "A"}), skeleton())
    assert rolls(told.when(Attack("Suori", "Skeleton", with_="winter"), [1, 1, 4]))[0][1] == "2d12"
    impossible(table(), someone("A", equipped=["spoon"]), "no table")
    impossible(table(), someone("A", cantrips=["wish"]), "not a spell")
    impossible(table(), someone("A", equipped=["dagger"], carried=["Dagger"]), "same name")
    impossible(table(), someone("A", carried=["rope"]), "carries 'rope', which is in no table")
    impossible(table(), someone("A", ranks={"spoon": "E"}), "not a category of weapons")
    impossible(table(), someone("A", ammo={"pebble": 3}), "which no weapon shoots")
    sling = {"sling": {"hit": 4, "pierce": 4, "wounds": 1, "type": "bludgeoning", "category": "sling",
                       "rank": "E", "ammunition": "pebble", "range": 6}}  # fmt: skip
    table(someone("A", weapons=sling, carried=["sling"], ranks={"Sling": "E"}, ammo={"pebble": 3}))


def test_the_tables_are_whole():
    assert len(tables.weapons()) == 27
    assert len(tables.armor()) == 19
    assert set(tables.foci()) == {"orb", "wand", "symbol", "staff"}
    assert len(tables.spells()) >= 6
    categories = [row.category for row in tables.weapons().values()]
    assert [categories.count(one) for one in ("blade", "cudgel", "axe", "lance", "bow")] == [7, 6, 4, 4, 5]


def test_the_tables_have_no_row_twice():
    def rows(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len(pairs) == len(dict(pairs)), [name for name, _ in pairs]
        return dict(pairs)

    files = sorted((Path(tables.__file__).parent / "tables").glob("*.json"))
    assert [path.stem for path in files] == ["armor", "foci", "spells", "weapons"]
    for path in files:
        json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=rows)


def test_an_item_is_named_in_full_or_by_a_beginning_that_only_one_has():
    """Maul and maul of doom: the first in full, the second by its beginning; `ma` could be either."""
    rows = {name: {"hit": 6, "pierce": 6, "wounds": 1, "type": "bludgeoning"} for name in ("maul", "maul of doom")}
    told = table(suori(equipped=[], carried=["maul of doom", "maul"], weapons=rows))
    told.when(Draw("Suori", "Maul")).then(Equipped("Suori", "maul", drawn=True))
    told.when(Draw("Suori", "maul o")).then(Equipped("Suori", "maul of doom", drawn=True))
    impossible(told, Draw("Suori", "ma"), "has no 'ma'")


def test_several_items_are_put_away_for_one():
    """dungeoneers.weapon.two-handed: hammer and buckler for the claymore, as A,B."""
    told = table(suori(equipped=["warhammer", "buckler"], carried=["claymore"]))
    told.when(Draw("Suori", "claymore", instead=("warhammer", "buckler"))).then(
        Unequipped("Suori", "buckler"), Unequipped("Suori", "warhammer"), Equipped("Suori", "claymore", drawn=True)
    )


def test_capitals_on_a_sheet_mean_the_same():
    """dungeoneers.weapon.rank-improvised, dungeoneers.trait.vulnerability: rank Cudgel: d8; Bludgeoning 2: 1 + 2."""
    told = fight(suori(ranks={"Cudgel": "D"}), skeleton(vulnerability={"Bludgeoning": 2}, size="large"))
    told = told.when(Attack("Suori", "Skeleton"), [4, 4, 1, 2, 2])
    assert rolls(told)[2][1] == "2d8"
    told.ruled("dungeoneers.wounds.order", "", [3])


def test_a_sheet_denies_what_there_is():
    """dungeoneers.action.basic-list: a misspelt action would deny nothing."""
    impossible(table(), someone("Ooze", denied_actions=["graple"]), "not a basic action")
    table(someone("Ooze", denied_actions=["Grapple", "cast"]))


def test_an_item_may_change_these_and_nothing_else():
    changed = ("armor_value", "spell_resistance", "threat_range", "dodge_dice", "spell_pierce_dice", "resistance",
               "movement_points")  # fmt: skip
    table(suori(effects=dict.fromkeys(changed, 1)), skeleton(effects={"dodge_die": 6, "spell_pierce_die": 8}))
    impossible(table(), suori(effects={"charm": 1}), "effects")


def test_a_weapon_in_hand_is_named_by_a_beginning_that_something_carried_has_too():
    """Mace in hand and maul on the back: `ma` is the mace that is held, and `mau` the maul, which is not."""
    rows = {"maul": {"hit": 6, "pierce": 6, "wounds": 1, "type": "bludgeoning"}}
    told = fight(freya(carried=["maul"], weapons=rows), skeleton((1, 1)))
    struck = told.when(Attack("Freya", "Skeleton", with_="ma"), [1, 1, 4])
    assert struck.events[0].said["with_"] == "mace"
    told.refused(Attack("Freya", "Skeleton", with_="mau"), "dungeoneers.equipment.equipped-only")
    impossible(told, Attack("Freya", "Skeleton", with_="m a"), "no weapon")


def test_what_lies_beside_somebody_can_be_drawn():
    """dungeoneers.equipment.pick-up: Freya's mace on the next tile, for nothing, and for an action point if the
    game master says so; two tiles away it is refused. What Freya dropped is hers no more.
    """
    told = fight(suori((0, 0), equipped=[]), freya((1, 1)), skeleton((9, 9)))
    near = told.when(Adjust("Freya", "dropped", "mace", "she slips"))
    drawn = near.when(Draw("Suori", "mace")).then(
        PickedUp("Suori", "mace", (1, 1, 0)), Equipped("Suori", "mace", drawn=True)
    )
    assert drawn.state.gear.equipped["Suori"] == ("mace",)
    assert row(View(drawn.state), "Freya")["carried"] == ""
    near.when(Draw("Suori", "mace", ap=1)).then(PointsSpent("Suori", "action", 1, 0))
    other = fight(suori((0, 0), equipped=[]), freya((1, 1)), skeleton((9, 9), equipped=["mace"]))
    two = other.when(Adjust("Skeleton", "dropped", "mace", "away")).when(Adjust("Freya", "dropped", "mace", "too"))
    two.when(Draw("Suori", "mace")).then(PickedUp("Suori", "mace", (1, 1, 0)))
    far = told.when(Adjust("Freya", "dropped", "mace@0,2", "it flies"))
    far.refused(Draw("Suori", "mace"), "dungeoneers.equipment.pick-up")
    put = drawn.when(Stow("Suori", "mace"))
    assert row(View(put.state), "Suori")["carried"] == "mace"
