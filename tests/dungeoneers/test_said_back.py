"""What is said back to what somebody types at a table of Dungeoneers."""

import shlex
from pathlib import Path

import pytest

from ledger.events import StressEased, WoundsHealed
from tests.shell import Shell, recorded


@pytest.fixture
def four(shell: Shell) -> Shell:
    """Two against two skeletons, beside each other; round 1 is Suori, Freya, Skeleton-2, Skeleton-1."""
    return played(
        shell, "join freya suori --at 0,0/1,0", "join skeleton --count 2 --at 0,1/1,1", "begin", "round --dice 1,2"
    )


@pytest.fixture
def archer(shell: Shell) -> Shell:
    """Ulfarmi has put his tome and his wand away, and holds a bow; a troll is 4 tiles away."""
    return played(
        shell, "join ulfarmi --at 0,0", "join troll --at 0,4", "begin", "round --dice 2,1", "turn",
        "draw ulfarmi 'hunting bow' --instead tome:firebolt --instead wand",
    )  # fmt: skip


def played(shell: Shell, *lines: str) -> Shell:
    """A ledger of Dungeoneers in which these were carried out."""
    shell.done("init", "test", "--system", "dungeoneers")
    for line in lines:
        shell.done(*shlex.split(line))
    return shell


def told(shell: Shell, line: str) -> list[str]:
    """What is said back to a line that fails: each sentence, and each command."""
    answer = shell(*shlex.split(line))
    assert answer.code
    assert not answer.out
    return answer.err.splitlines()


def offered(shell: Shell, line: str) -> list[str]:
    """The commands that are offered for a line that fails."""
    return [one.removeprefix("Try: affray ") for one in told(shell, line) if one.startswith("Try: ")]


def test_a_name_begun_with_its_hyphen_and_number_is_a_name(four: Shell):
    four.refused("turn", "skel-2", clause="dungeoneers.turn.order")
    assert offered(four, "turn skel-2")[0] == "turn"


def test_initials_that_are_a_direction_and_a_number_are_the_one_who_acts(four: Shell):
    """`s1` is Skeleton-1, and no step south of Suori."""
    four.done("turn")
    assert not [line for line in offered(four, "move s1 n") if line.startswith("move Suori")]


def test_the_beginning_of_a_spell_in_a_tome_that_is_put_away_offers_to_draw_it(archer: Shell):
    """dungeoneers.spellcast.source: the bow takes both hands."""
    draw = "draw Ulfarmi tome:firebolt --instead 'hunting bow'"
    for said in ("fire", "firebolt"):
        line = f"cast ulf {said} troll --extra 1 --dice 4,4,3,2,2,2"
        assert told(archer, line)[0].startswith("Refused by dungeoneers.spellcast.source: Ulfarmi has firebolt neither")
        assert offered(archer, line)[0] == draw
    archer.done(*shlex.split(draw))
    archer.done(*shlex.split("cast ulf fire troll --extra 1 --dice 4,4,3,2,2,2 --spare"))


def test_who_would_shoot_with_a_fist_is_offered_the_bow_that_shoots_so_far(archer: Shell):
    archer.done("stow", "ulfarmi", "hunting bow")
    assert offered(archer, "shoot ulf troll")[0] == "draw Ulfarmi 'hunting bow'"
    archer.done("adjust", "ulfarmi", "ammunition", "arrow=0", "lost")
    archer.refused("shoot", "ulf", "troll", clause="dungeoneers.attack.requires-threat")


def test_an_action_to_ready_that_is_misspelt_is_no_matter_of_the_rules(archer: Shell):
    archer.refused("ready", "ulfarmi", "atack", "--before", "troll", code=2)


def test_who_has_had_a_turn_is_told_so_between_two_turns(four: Shell):
    four.done("turn")
    four.done("done")
    had = "Refused by dungeoneers.turn.own-turn-only: {} has already had their turn this round."
    assert told(four, "move suori W")[0] == had.format("Suori")
    four.done("turn")
    four.done("done")
    assert told(four, "move freya W")[0] == had.format("Freya")


def test_what_was_readied_is_taken_by_the_one_who_is_named(four: Shell):
    """dungeoneers.ready.lapse: on the turn of Skeleton-2 a name behind trigger is not whom it acts upon."""
    for line in ("turn", "done", "turn", "done", "turn"):
        four.done(line)
    for who in ("Suori", "Freya"):
        assert "Skeleton-2" not in four.refused("trigger", who, clause="dungeoneers.ready.lapse").err


@pytest.mark.parametrize("dice", ["--dice 3,2,4,4", "3 2 4 4"])
def test_dice_behind_a_deadly_exertion_are_told_who_dies_of_it(four: Shell, dice: str):
    """dungeoneers.stress.triple-wound: endurance 0 bears no stress, and there are 2 of 2 wounds already."""
    for line in ("turn", "done", "turn", "done", "turn", "adjust skeleton-2 wounds 2 hurt"):
        four.done(*line.split())
    four.refused("attack", "skeleton-2", "freya", "--stress", "1", *dice.split(), code=2)


def test_who_has_no_wounds_and_no_stress_is_healed_of_none(four: Shell):
    """dungeoneers.wounds.recovery: not below 0."""
    four.done("heal", "freya", "--wounds", "1", "--stress", "2")
    assert recorded()[-2:] == (WoundsHealed("Freya", 0, 0, 2), StressEased("Freya", 0, 0, 3))
    assert four.facts("why", "freya.wounds")["value"] == "0"


def test_wounds_are_told_to_begin_with_0(four: Shell):
    four.done("attack", "suori", "skeleton-1", "--dice", "2,2,1,3,3")
    (why, *_) = four.facts("why", "skeleton-1.wounds")["changes"]
    (diff,) = [one for one in four.facts("diff", "e4..")["differences"] if one["name"] == "Skeleton-1.wounds"]
    for change in (why, diff):
        assert (change["entry"], change["before"], change["after"]) == (7, "0", "2")


def test_odds_count_from_the_turn_that_an_action_begins(four: Shell):
    """The attack begins the turn of Suori, who is next; nobody else's turn begins so."""
    assert four.done("odds", "attack", "suori", "skeleton-1").startswith(
        "Suori attacks Skeleton-1: 4,096 combinations, exact"
    )
    assert "dungeoneers.turn.own-turn-only" in told(four, "odds attack freya skeleton-1")[0]


def test_an_answer_to_a_window_takes_no_strike_from_another(shell: Shell):
    """dungeoneers.opportune.window: Suori may still strike, or there is nobody left to strike at."""
    table = played(
        shell, "join freya suori --at 1,1/0,1", "join skeleton --at 1,2", "begin", "adjust skeleton wounds 2 hurt",
        "round", "turn", "done", "turn", "done", "move skeleton N",
    )  # fmt: skip
    said = told(table, "done")
    assert said[-3:] == [
        "Try: affray opportune Freya", "Try: affray resolve", "(gives up the strike of Freya and Suori)",
    ]  # fmt: skip


def test_a_move_that_is_held_up_is_interrupted_on_the_board(shell: Shell):
    """dungeoneers.opportune.window: a strike that kills who moves loses the move."""
    table = played(
        shell, "join freya --at 1,1", "join skeleton --at 1,2", "begin", "adjust skeleton wounds 2 hurt", "round",
        "turn", "done", "move skeleton N",
    )  # fmt: skip
    assert table.value("Skeleton.interrupted") == "move"
    table.done("adjust", "skeleton", "down", "dead", "dust")
    assert table.value("Skeleton.interrupted") == "move, lost"


@pytest.mark.parametrize("line", ["init 'The ford' --system dungeon", "rules --system dungeonears"])
def test_a_rule_system_that_is_begun_or_misspelt_is_offered_in_the_same_line(shell: Shell, line: str):
    *words, _ = shlex.split(line)
    assert offered(shell, line) == [shlex.join([*words, "dungeoneers"])]


def test_all_that_must_be_put_away_for_a_weapon_of_two_hands_is_offered(four: Shell):
    """dungeoneers.weapon.two-handed: a glaive takes both places, in which Suori has warhammer and buckler."""
    four.done("turn")
    assert "Try: affray draw Suori glaive --instead buckler --instead warhammer" in told(
        four, "attack suori skeleton-2 --with glaive"
    )


def test_who_does_not_get_free_has_only_tried(shell: Shell):
    """dungeoneers.grapple.break: 2 against 8."""
    table = played(shell, "join suori --at 0,0", "join goblin --at 1,0", "begin", "round")
    table.done("grapple", "suori", "goblin", "--dice", "4,4,1,1")
    table.done("done")
    said = table.done("disengage", "goblin", "--dice", "4,4,1,1").splitlines()
    assert [line.partition("  ")[0] for line in said if "Goblin" in line][2:] == [
        "Goblin does not get free of Suori",
    ]  # fmt: skip


def test_wounds_beyond_the_capacity_are_told_once(shell: Shell):
    """dungeoneers.wounds.cap-at-maximum: 1 of 2, and one more of the two that the hammer does."""
    table = played(
        shell, "join suori --at 0,0", "join skeleton --at 1,0", "adjust skeleton wounds 1 hurt", "begin", "round"
    )
    said = table.done("attack", "suori", "skeleton", "--dice", "4,4,1,8,8")
    assert "Skeleton sustains 1 bludgeoning wound, now 2/2  e8\n" in said.replace("\n  2/2", " 2/2")


def test_an_effect_of_a_sheet_names_once_what_it_changes(shell: Shell):
    Path("tough.toml").write_text("initiative = 1\neffects = { armor_value = 3 }\n", encoding="utf-8")
    table = played(shell, "join tough.toml")
    assert table.done("status", "--wide").splitlines()[-1].endswith("  effect on armor value +3")
