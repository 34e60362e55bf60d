"""`affray sheet set`: a different stat block in play. Harm, conditions, gear and place stay; what follows is said."""

import json
import tomllib
from pathlib import Path

import pytest

from commands.action import systems
from commands.words.sheet_files import example_sheets
from ledger.events import ConditionEnded, ConditionGained, Declared, HpSet, MagicaSpent, SheetChanged, WoundsHealed
from tests.sample import sampled
from tests.shell import Shell, recorded, rulings, terms


def changed(system: str, name: str, *changes: tuple[str, str], more: str = "") -> None:
    """Writes `new.toml`: a shipped stat block with some changes, and more lines."""
    text = Path(example_sheets(system)[name]).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    Path("new.toml").write_text(f"{text}\n{more}\n", encoding="utf-8")


def values(shell: Shell, who: str) -> dict[str, str]:
    """What the board says of somebody."""
    found: dict[str, str] = json.loads(shell.done("show", who, "--json"))["values"]
    return found


@pytest.fixture
def board(shell: Shell, request: pytest.FixtureRequest) -> Shell:
    """A campaign of the rule system in which the test is."""
    shell.done("init", "Hill", "--system", request.param)
    return shell


freepg, aachen, arkm, dungeoneers, paraverse = (
    pytest.mark.parametrize("board", [system], indirect=True)
    for system in ("freepg", "aachen", "arkm", "dungeoneers", "paraverse")
)
BETTER = (("health_die = 10", "health_die = 20"), ('"weapon", attack = 2', '"weapon", attack = 3'), ("helm", "crown"))


# FReePG


@freepg
def test_a_new_level_raises_the_maximum_and_heals_nobody(board: Shell):
    """A health die of 20: 20/2 + 50 = 60, after 10/2 + 50 = 55."""
    board.done("join", "boffin", "--at", "3,2")
    board.done("adjust", "boffin", "hp", "40", "a fall")
    board.done("adjust", "boffin", "condition", "dazed", "a fall")
    changed("freepg", "boffin", *BETTER)
    board.done("sheet", "set", "boffin", "new.toml")
    now = values(board, "boffin")
    assert (now["hp"], now["hp-max"], now["at"], now["dazed"]) == ("40", "60", "3,2", "yes")
    assert now["equipped"] == "sword, ring of force, mail, crown"
    board.done("join", "grub", "--at", "4,2")
    board.done("attack", "boffin", "grub", "--dice", "10,5", "--allow", "no encounter")
    assert terms("freepg.attack.hit-test")["sword"] == 3, "the better sword counts"


@freepg
def test_hit_points_beyond_the_new_maximum_are_cut(board: Shell):
    board.done("join", "boffin")
    changed("freepg", "boffin", ("health_die = 10", "hp_max = 30"))
    board.done("sheet", "set", "boffin", "new.toml")
    assert HpSet("Boffin", 30, 30) in recorded(3)
    board.done("adjust", "boffin", "hp-max", "44", "a blessing")
    changed("freepg", "boffin", ("health_die = 10", "hp_max = 30"), ("climb", "swim"))
    board.done("sheet", "set", "boffin", "new.toml")
    assert [type(one) for one in recorded(5)] == [Declared, SheetChanged]
    assert values(board, "boffin")["hp-max"] == "44", "the maximum stays where the stat blocks do not differ in it"


ITEMS = {
    "freepg": ("boffin", 'name = "gem ring", slot = "ring"', "gem ring"),
    "aachen": ("adalger", 'name = "sabre", damage = "1d8"', "sabre"),
    "arkm": ("fighter", "battle-axe", "battle-axe"),
    "dungeoneers": ("suori", 'name = "sabre", hit = 6, pierce = 6, wounds = 1, type = "slashing"', "sabre"),
    "paraverse": ("sigrun", 'name = "sabre", use = "melee", base = 8', "sabre"),
}
"""Of each system a stat block, something that is found, and its name."""


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_what_was_won_in_play_stays(system: str, shell: Shell):
    """It is put away, and can be drawn again; so can what another had and the first stat block had."""
    shell.done("init", "Hill", "--system", system)
    sheet, item, name = ITEMS[system]
    who = shell.done("join", sheet).split()[0]
    shell.done("adjust", who, "item", item, "found in the cave")
    old = values(shell, who)["equipped"].split(", ")[0]
    if system == "dungeoneers":
        shell.done("adjust", who, "no-equipped", old, "a free hand")
    shell.done("adjust", who, "equipped", name, "in hand")
    text = Path(example_sheets(system)[sheet]).read_text(encoding="utf-8")
    name_line = next(line for line in text.splitlines() if line.startswith("name = "))
    side = next((line for line in text.splitlines() if line.startswith("side = ")), "")
    Path("new.toml").write_text("\n".join([name_line, side, NEEDED[system]]), encoding="utf-8")
    shell.done("sheet", "set", who, "new.toml")
    assert name not in values(shell, who).get("equipped", "")
    for item in (name, old):
        shell.done("adjust", who, "equipped", item, "again")
        shell.done("adjust", who, "no-equipped", item, "and away")
    shell.refused("sheet", "set", who, "new.toml", code=2)
    shell.done("verify")


NEEDED = {
    "freepg": "",
    "aachen": "hp_max = 9",
    "arkm": 'class = "fighter"\nlevel = 1\nhp_max = 9',
    "dungeoneers": "",
    "paraverse": "",
}
"""What a stat block without things needs besides a name and a side."""


@pytest.mark.parametrize(("system", "arms"), [
    ("aachen", "stow petra spear"), ("dungeoneers", "stow petra warhammer"), ("freepg", "stow petra sword"),
    ("paraverse", "draw petra knives"),
])  # fmt: skip
def test_who_joins_from_a_stat_block_of_somebody_is_hurt_and_armed_as_they_were(system: str, arms: str, shell: Shell):
    shell.done("init", "Hill", "--system", system)
    shell.done("join", ITEMS[system][0], "--called", "Petra")
    shell.done("damage", "petra", "3", "a fall")
    shell.done(*arms.split())
    before = shell.facts("status")["rows"]["Petra"]
    shell.done("sheet", "new", "x.toml", "--like", "petra")
    shell.done("leave", "petra")
    shell.done("join", "x.toml")
    assert shell.facts("status")["rows"]["Petra"] == before


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_a_new_stat_block_begins_with_somebody_as_they_are(system: str, shell: Shell):
    shell.done("init", "Hill", "--system", system)
    sheet, item, name = ITEMS[system]
    who = shell.done("join", sheet, "--called", "Petra").split()[0]
    shell.done("adjust", who, "item", item, "found in the cave")
    shell.done("sheet", "new", "x.toml", "--like", "petra")
    text = Path("x.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["name"] == "Petra"
    assert f'"{name}"' in text or f"{name} = " in text
    shell("sheet", "set", "petra", "x.toml")
    shell.done("leave", "petra")
    shell.done("join", "x.toml")


@freepg
def test_a_new_item_is_carried_where_there_is_no_room(board: Shell):
    board.done("join", "boffin")
    more = '{ name = "hood", slot = "head", defense = 2 },\n    { name = "mail"'
    changed("freepg", "boffin", ('{ name = "mail"', more))
    board.refused("sheet", "set", "boffin", "new.toml", clause="freepg.bonus.head-count")
    changed(
        "freepg",
        "boffin",
        ('{ name = "mail"', more),
        ('"helm", slot = "head"', '"helm", slot = "head", equipped = false'),
    )
    board.done("sheet", "set", "boffin", "new.toml")
    assert [type(one) for one in recorded(3)] == [Declared, SheetChanged]
    assert values(board, "boffin")["equipped"] == "sword, ring of force, helm, mail", "the helm is still worn"


@freepg
def test_one_who_was_dying_is_dead_as_an_enemy(board: Shell):
    board.done("join", "jane", "boffin", "grub")
    board.done("adjust", "boffin", "side", "foes", "bought")
    board.done("adjust", "boffin", "hp", "0", "a fall")
    changed("freepg", "boffin", ('kind = "pc"', 'kind = "enemy"'), ("skill = { climb = 5 }", ""))
    board.done("sheet", "set", "boffin", "new.toml")
    now = values(board, "boffin")
    assert (now["hp"], now["hp-max"], now["down"]) == ("0", "20", "dead")


@freepg
def test_one_who_grows_needs_room(board: Shell):
    board.done("join", "grub", "--at", "0,0")
    board.done("join", "brak", "--at", "1,0")
    changed("freepg", "grub", ('"small"', '"medium"'))
    board.refused("sheet", "set", "grub", "new.toml", clause="freepg.move.occupied")
    board.done("sheet", "set", "grub", "new.toml", "--allow", "they wrestle")
    assert values(board, "grub")["hp-max"] == "30"


@freepg
def test_a_trap_stays_a_trap(board: Shell):
    board.done("join", "darts", "grub")
    board.refused("sheet", "set", "grub", "darts", code=2)
    board.refused("sheet", "set", "darts", "grub", code=2)


@freepg
def test_another_seat_takes_the_place_of_one_that_plays_nobody_any_more(board: Shell):
    board.done("join", "boffin", "grub")
    board.done("begin")
    board.done("initiative", "--dice", "20,1")
    changed("freepg", "boffin", ('"John"', '"Paul"'))
    board.done("sheet", "set", "boffin", "new.toml")
    status = board.facts("status")
    assert (status["now"], status["next"]) == (["Boffin"], ["gm"])
    assert status["seats"] == {"Paul": ["Boffin"], "gm": ["Grub"]}
    board.done("attack", "boffin", "grub", "--distance", "1", "--dice", "10,5")


@freepg
def test_another_seat_beside_one_that_still_plays_somebody_comes_before_the_game_master(board: Shell):
    changed("freepg", "boffin", ('"John"', '"Ann"'))
    board.done("join", "new.toml", "--called", "Ann-1")
    board.done("join", "new.toml", "--called", "Ann-2")
    board.done("join", "grub")
    board.done("begin")
    board.done("initiative", "--dice", "20,1")
    board.done("sheet", "set", "ann-2", "jane")
    assert board.facts("status")["seats"] == {"Ann": ["Ann-1"], "Ann-2": ["Ann-2"], "gm": ["Grub"]}


# Aachen


@aachen
def test_a_weapon_and_a_shield_that_are_gone_are_put_away(board: Shell):
    board.done("join", "sergeant", "goblin")
    changes = (
        ("hp_max = 15", "hp_max = 10"),
        ("shield = true\n", ""),
        ('"mace"', '"axe"'),
        ("level = 3", "frail = true"),
    )
    changed("aachen", "sergeant", *changes)
    board.done("sheet", "set", "sergeant", "new.toml")
    now = values(board, "sergeant")
    assert (now["equipped"], now["frail"], now["hp"], now["hp-max"]) == ("axe", "yes", "10", "10")
    board.done("sheet", "set", "sergeant", "sergeant")
    now = values(board, "sergeant")
    assert ({*now["equipped"].split(", ")} >= {"mace", "shield"}, now["hp"], now["hp-max"]) == (True, "10", "15")
    assert "frail" not in now
    assert values(board, "sergeant")["side"] == "opp"


@aachen
def test_a_weapon_that_is_gone_need_not_be_loaded(board: Shell):
    board.done("join", "sigrid", "goblin")
    board.done("adjust", "sigrid", "condition", "crossbow empty", "a shot")
    changed("aachen", "sigrid", ('"crossbow"', '"arbalest"'))
    board.done("sheet", "set", "sigrid", "new.toml")
    now = values(board, "sigrid")
    assert now["crossbow empty"] == "yes", "it is carried still, and empty"
    assert ("arbalest" in now["equipped"], "crossbow" in now["equipped"]) == (True, False)


# Arkm


@arkm
def test_a_new_weapon_that_the_stat_block_calls_unloaded_is_empty_until_it_is_loaded(board: Shell):
    board.done("join", "fighter", "goblin", "--dice", "4")
    bow = '{ id = "crossbow", kind = "crossbow", ranges = [80, 160, 240], reload_rounds = 1, loaded = false }'
    changed("arkm", "fighter", ('"sword", ', f'"sword", {bow}, '))
    board.done("sheet", "set", "aldric", "new.toml")
    assert values(board, "aldric")["crossbow unloaded"] == "yes"
    board.done("adjust", "aldric", "no-condition", "crossbow unloaded", "an evening at home")
    changed("arkm", "fighter", ('"sword", ', f'"sword", {bow}, '), ("hp_max = 44", "hp_max = 45"))
    board.done("sheet", "set", "aldric", "new.toml")
    assert "crossbow unloaded" not in values(board, "aldric")


@arkm
def test_a_two_handed_weapon_leaves_no_hand_for_the_shield(board: Shell):
    board.done("join", "fighter", "goblin", "--dice", "4")
    claymore = ('"sword", ', '{ id = "claymore", damage = "1d10", hands = 2 }, ')
    changed("arkm", "fighter", claymore, ("hp_max = 44", "hp_max = 30"), more='mounted = true\nsteed = "Bess"')
    board.done("sheet", "set", "aldric", "new.toml")
    now = values(board, "aldric")
    assert (now["equipped"], now["hp"], now["hp-max"]) == ("claymore", "30", "30")
    assert [one.whom for one in recorded() if isinstance(one, ConditionGained)] == [("Bess",)]
    board.done("sheet", "set", "aldric", "fighter")
    now = values(board, "aldric")
    assert ("sword" in now["equipped"], "claymore" in now["equipped"]) == (True, False)
    assert (now["hp"], now["hp-max"], "mounted" in now) == ("30", "44", False)


@arkm
def test_haste_and_a_steed_come_and_go_with_the_stat_block(board: Shell):
    """Said once each; who has the same again is told nothing, and what the game master took stays taken."""
    board.done("join", "fighter")
    changed("arkm", "fighter", more="hasted = true\nmounted = true")
    told = board.done("sheet", "set", "aldric", "new.toml")
    assert told == "Aldric has a different stat block; is mounted; is hasted  e3\n"
    changed("arkm", "fighter", ("str = ", "# \nstr = "), more="hasted = true\nmounted = true\nmorale = 9")
    assert board.done("sheet", "set", "aldric", "new.toml") == "Aldric's morale is now 9  e4\n"
    board.done("adjust", "aldric", "no-condition", "hasted", "it wears off")
    told = board.done("sheet", "set", "aldric", "fighter")
    assert told == "Aldric has a different stat block; is no longer mounted  e6\n"
    changed("arkm", "fighter", more="hasted = true")
    assert board.done("sheet", "set", "aldric", "new.toml").endswith("hasted  e7\n")
    assert board.done("sheet", "set", "aldric", "fighter").endswith("no longer hasted  e8\n")


@arkm
def test_one_whom_temporary_damage_leaves_nothing_of_the_new_maximum_is_out(board: Shell):
    """20 temporary, and a maximum of 18: 18 - 20 is less than 1."""
    board.done("join", "fighter")
    board.done("adjust", "aldric", "temporary", "20", "a brawl")
    changed("arkm", "fighter", ("hp_max = 44", "hp_max = 18"))
    board.done("sheet", "set", "aldric", "new.toml")
    assert values(board, "aldric")["down"] == "unconscious"
    board.done("adjust", "aldric", "temporary", "17", "he comes round")
    assert "down" not in values(board, "aldric")


@arkm
def test_another_group_counts_one_more_and_the_old_one_one_less(board: Shell):
    board.done("join", "orc", "--count", "3", "--dice", "4,4,4")
    board.done("begin")
    changed("arkm", "orc", more='group = "guard"')
    told = json.loads(board.done("sheet", "set", "orc-1", "new.toml", "--json"))["events"]
    counted = [(one["who"], one["count"]) for one in told if one["event"] == "counted"]
    assert counted == [("Orc", 2), ("guard", 1)]
    changed("arkm", "orc", more="men = 5")
    board.refused("sheet", "set", "orc-2", "new.toml", code=2)


# Dungeoneers


@dungeoneers
def test_wounds_and_magica_beyond_the_new_capacity_are_cut(board: Shell):
    """A small creature bears 1 wound, and a mind of 1 holds 2 magica; had 2 wounds, and 6 magica."""
    board.done("join", "ulfarmi", "ogre", "--at", "0,0/3,0")
    board.done("begin")
    board.done("adjust", "ulfarmi", "wounds", "2", "a fall")
    changes = (("mind = 3", "mind = 1"), ('"leather", "tome:firebolt", ', ""), ("arrow = 12", "arrow = 5, bolt = 3"))
    changed("dungeoneers", "ulfarmi", *changes, more='size = "small"\neffects = { dodge_dice = 1 }')
    board.done("sheet", "set", "ulfarmi", "new.toml")
    cut = [one for one in recorded() if isinstance(one, WoundsHealed | MagicaSpent)]
    assert cut == [WoundsHealed("Ulfarmi", 1, 1, 1), MagicaSpent("Ulfarmi", 4, 2, 2)]
    now = values(board, "ulfarmi")
    assert (now["wounds"], now["magica"]) == ("1", "2")
    assert (now["arrows"], now["bolts"], now["equipped"]) == ("12", "3", "wand"), "arrows that were counted stay"
    board.done("sheet", "set", "ulfarmi", "ulfarmi")
    assert [one.who for one in recorded() if isinstance(one, ConditionEnded)] == ["Ulfarmi"]
    assert {"leather", "tome:firebolt"} <= {*values(board, "ulfarmi")["equipped"].split(", ")}


@dungeoneers
def test_what_a_new_sheet_says_again_changes_nothing(board: Shell):
    """Arrows that are spent stay so, and bolts that were found are counted; 2 wounds are not too many, and the effect
    on the dodge dice goes on.
    """
    more = "effects = { dodge_dice = 1 }"
    changed("dungeoneers", "ulfarmi", more=more)
    board.done("join", "new.toml", "--at", "0,0")
    board.done("begin")
    for words in (("wounds", "2"), ("ammunition", "arrow=0"), ("ammunition", "bolt=2")):
        board.done("adjust", "ulfarmi", *words, "a long way")
    changed("dungeoneers", "ulfarmi", ("arrow = 12", "arrow = 5, bolt = 3"), more=more)
    board.done("sheet", "set", "ulfarmi", "new.toml")
    now = values(board, "ulfarmi")
    assert (now.get("arrows", "0"), now["bolts"], now["wounds"]) == ("0", "2", "2")
    assert not any(isinstance(one, ConditionGained | ConditionEnded | WoundsHealed) for one in recorded())
    assert rulings("dungeoneers.wounds.cap-at-maximum") == []


@dungeoneers
def test_who_reaches_less_far_threatens_nobody_any_more(board: Shell):
    """A huge ogre reaches 2 tiles, and one more with its halberd; a goblin reaches 1."""
    board.done("join", "suori", "ogre", "--at", "0,0/3,0")
    board.done("begin")
    assert "threatened" in values(board, "suori")
    board.done("sheet", "set", "ogre", "goblin")
    assert values(board, "ogre")["equipped"] == "dagger, buckler"
    assert "threatened" not in values(board, "suori")


@dungeoneers
def test_who_grows_needs_tiles(board: Shell):
    board.done("join", "suori", "freya", "--at", "0,0/1,0")
    changed("dungeoneers", "suori", more='size = "large"')
    board.refused("sheet", "set", "suori", "new.toml", clause="dungeoneers.movement.occupied")


# Paraverse


@paraverse
def test_less_endurance_than_pain_fells_and_more_wakes(board: Shell):
    """Constitution 10: (10 - 7) / 2 = 1, and 4 is 5; less 6 pain -1. With 14 it is 7, and 1 is left."""
    board.done("join", "hakon", "hound")
    board.done("adjust", "hakon", "pain", "6", "a fall")
    changed(
        "paraverse", "hakon", ("con = 14", "con = 10"), ('hand = "claymore"', 'hand = "sword"\nshield = 2'),
        ('claymore = { use = "melee", hands = 2, base = 10 }', 'sword = { use = "melee", base = 8 }'),
    )  # fmt: skip
    board.done("sheet", "set", "hakon", "new.toml")
    now = values(board, "hakon")
    assert (now["equipped"], now["down"]) == ("sword, shield", "unconscious")
    assert rulings("paraverse.incapacitated.stamina") == [("incapacitated", [5 - 6])]
    board.done("sheet", "set", "hakon", "hakon")
    now = values(board, "hakon")
    assert now["equipped"] == "claymore", "a claymore takes both hands"
    assert "down" not in now
    assert rulings("paraverse.incapacitated.wakes") == [("awake", [7 - 6])]
    changed(
        "paraverse", "hakon", ('hand = "claymore"', 'hand = "sword"\nshield = 2\nshield_up = false'),
        ('claymore = { use = "melee", hands = 2, base = 10 }', 'sword = { use = "melee", base = 8 }'),
    )  # fmt: skip
    board.done("sheet", "set", "hakon", "new.toml")
    assert values(board, "hakon")["equipped"] == "sword", "the new shield is not up"


@paraverse
def test_who_has_a_point_of_stamina_left_stays_up(board: Shell):
    """paraverse.incapacitated.stamina: 7 Endurance less 6 pain."""
    board.done("join", "hakon")
    board.done("adjust", "hakon", "pain", "6", "a fall")
    changed("paraverse", "hakon", ("base = 10", "base = 9"))
    done = board("sheet", "set", "hakon", "new.toml", "--json").json
    assert [event["event"] for event in done["events"]] == ["declared", "sheet-changed"]


@paraverse
def test_an_attack_with_a_weapon_that_is_gone_is_withdrawn(board: Shell):
    board.done("join", "hakon", "hound")
    board.done("begin")
    board.done("round")
    board.done("attack", "hakon", "hound")
    changed("paraverse", "hakon", ("claymore", "sword"))
    told = board.done("sheet", "set", "hakon", "new.toml")
    assert values(board, "hakon")["equipped"] == "sword"
    assert "withdrawn" in told


# All


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_any_shipped_stat_block_can_take_the_place_of_any_other(system: str, shell: Shell):
    """What is refused leaves no trace, and the record stays sound; undo gives the old stat block back."""
    shell.done("init", "Hill", "--system", system)
    names = sorted(example_sheets(system))
    shell.done("join", names[0], "--called", "Kira")
    for name in (*names[1:], names[0]):
        before = shell.done("show", "kira")
        answer = shell("sheet", "set", "kira", name)
        assert answer.code in (0, 1, 2), answer
        if answer.code == 0:
            after = shell.done("show", "kira")
            shell.done("undo")
            assert shell.done("show", "kira") == before
            shell.done("redo")
            assert shell.done("show", "kira") == after
    shell.done("verify")


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_same_stat_block_changes_nothing(system: str, shell: Shell):
    shell.done("init", "Hill", "--system", system)
    name = sorted(example_sheets(system))[0]
    shell.done("join", name, "--called", "Kira")
    shell.refused("sheet", "set", "kira", name, code=2)


@freepg
def test_the_name_and_the_side_stay(board: Shell):
    board.done("join", "grub", "--called", "Gnash", "--side", "party")
    changed("freepg", "grub", ("Grub", "Somebody"), more="flat_bonus = 1")
    board.done("sheet", "set", "gnash", "new.toml")
    assert values(board, "gnash")["side"] == "party"
    board.refused("show", "somebody", code=3)


@freepg
def test_a_stat_block_is_corrected_afterwards_on_the_same_dice(board: Shell):
    """Armor 4 in place of 1 takes three points more off the blow that came later."""
    board.done("join", "boffin", "grub")
    changed("freepg", "boffin", ("armor = 2", "armor = 1"))
    board.done("sheet", "set", "boffin", "new.toml")
    board.done("attack", "grub", "boffin", "--dice", "18,2", "--allow", "no encounter")
    lost = 55 - int(values(board, "boffin")["hp"])
    changed("freepg", "boffin", ("armor = 2", "armor = 4"))
    board.done("amend", "e3", "--sheet", "new.toml", "--apply")
    assert 55 - int(values(board, "boffin")["hp"]) == lost - 3
    board.done("verify")


@freepg
def test_players_see_their_own_new_stat_block_and_none_of_a_foe(board: Shell):
    board.done("join", "boffin", "ogre")
    changed("freepg", "boffin", *BETTER)
    board.done("sheet", "set", "boffin", "new.toml")
    changed("freepg", "ogre", more="hp_max = 77")
    board.done("sheet", "set", "ogre", "new.toml")
    board.done("export", "seen.jsonl", "--player-safe")
    *_, ours, theirs = Path("seen.jsonl").read_text(encoding="utf-8").splitlines()
    assert "crown" in ours
    assert "helm" in ours
    assert "sheet-changed" in theirs, "that it has another one is open"
    told, closed = json.loads(theirs)["parts"]["events"][1]
    assert told == '{"event":"sheet-changed","who":"Ogre"'
    assert len(closed) == 64, "of the new one only its leaf"
    assert "hp_max" not in theirs
    board.done("verify", "seen.jsonl")


@freepg
def test_a_file_with_several_stat_blocks_is_refused(board: Shell):
    board.done("join", "boffin")
    Path("new.toml").write_text("[combatants.Ann]\n[combatants.Bob]\n", encoding="utf-8")
    board.refused("sheet", "set", "boffin", "new.toml", code=2)
    board.refused("sheet", "set", "nobody", "jane", code=3)
    board.refused("sheet", "set", "boffin", code=2)
    Path("new.toml").write_text('name = "Boffin"\nspeed = "fast"\n', encoding="utf-8")
    board.refused("sheet", "set", "boffin", "new.toml", code=2)
