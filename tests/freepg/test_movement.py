"""Movement, and the terrain that changes rolls."""

from typing import Any

import pytest

from commands.action.adjust import Adjust
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.checks import Check
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.movement import Move, Prone, Stand
from commands.rules.freepg.turns import Done, Initiative
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Felled,
    HpLost,
    Moved,
    Placed,
    PointsSpent,
    Rolled,
    TurnEnded,
)
from tests.kit import Told, no
from tests.shell import Shell

from .table import ALL_ITEMS, SWORD, boffin, brak, fight, grub, impossible, jane, someone, table


def walk(who: str = "Boffin", **options: Any) -> Move:
    return Move(who, **options)


def running(who: str, amount: int = -2, name: str = "running") -> ConditionGained:
    return ConditionGained(who, name, "turn-start", who, amount=amount, modifies="untyped")


def on(ground: dict[str, Any], *joining: Any, **options: Any) -> Told:
    return table(*joining, **options).when(Begin(map=ground, unordered=True))


def test_a_walk_takes_the_speed_and_the_flat_bonus():
    """freepg.move.walk, freepg.enemy.flat-bonus: Brak (flat +2) walks 7; 8 is refused."""
    told = fight(brak(), first="gm")
    told.when(walk("Brak", squares=7)).ruled("freepg.move.walk", "yes", [7, 7]).then(Moved("Brak", "walk", 7))
    told.refused(walk("Brak", squares=8), "freepg.move.walk")
    told.when(walk("Brak", squares=8), allow="downhill").then(Moved("Brak", "walk", 8))
    told.refused(walk("Brak", squares=8, mode="swim"), "freepg.move.walk")


def test_boots_add_to_the_speed():
    """freepg.move.walk: 5 and 2."""
    boots = {"name": "boots", "slot": "feet", "speed": 2}
    told = table(boffin(boots, at=(0, 0)))
    told.when(walk(to=(7, 3, 0))).then(Moved("Boffin", "walk", 7, (7, 3, 0)))
    told.refused(walk(to=(8, 3, 0)), "freepg.move.walk")


def test_a_way_round_costs_what_it_takes():
    """freepg.move.walk: by way of (0,3) to (2,3) it is 3+2."""
    told = table(boffin(at=(0, 0)))
    told.when(walk(to=(2, 3, 0), via=((0, 3, 0),))).then(Moved("Boffin", "walk", 5, (2, 3, 0)))
    told.when(walk(to=(2, 3, 0), squares=4)).then(Moved("Boffin", "walk", 4, (2, 3, 0)))
    impossible(told, walk(to=(4, 0, 0), squares=2), "is at least 4 squares long")
    impossible(told, walk(), "goes nowhere")
    impossible(told, walk(to=(0, 0, 0)), "goes nowhere")
    impossible(told, walk(squares=2), "has a place")
    impossible(table(boffin()), walk(to=(4, 0, 0)), "Where does Boffin come from")


def test_a_run_goes_2_further_and_weakens_every_roll():
    """freepg.move.run: 7 squares, then with the sword 12 is 12 and not 14; a defense of 11 is 9."""
    told = fight(boffin(SWORD), grub(), first="Boffin").when(walk(squares=7, mode="run"))
    told.then(Moved("Boffin", "run", 7), running("Boffin"))
    told = told.when(Attack("Boffin", ("Grub",)), [12, 11]).ruled("freepg.attack.hit-test", "hit", [12, 11])
    told = told.when(Done()).when(Attack("Grub", ("Boffin",)), [10, 11])
    told.ruled("freepg.attack.hit-test", "hit", [10, 9])
    told.when(Done()).then(ConditionEnded("Boffin", "running"))
    fight(boffin(), first="Boffin").refused(walk(squares=8, mode="run"), "freepg.move.run")


def test_running_twice_weakens_once():
    """freepg.move.run"""
    told = fight(boffin(), grub(), first="Boffin").when(walk(squares=7, mode="run"))
    told = told.when(walk(squares=7, mode="run")).then(no(ConditionGained))
    told.when(Done()).when(Attack("Grub", ("Boffin",)), [10, 11]).ruled("freepg.attack.hit-test", "hit", [10, 9])


def test_a_shift_is_one_square():
    """freepg.move.shift"""
    told = table(boffin(at=(0, 0)))
    told.when(walk(to=(1, 1, 0), mode="shift")).ruled("freepg.move.shift", "yes", [1, 1])
    told.refused(walk(to=(2, 0, 0), mode="shift"), "freepg.move.shift")
    told.refused(walk(to=(1, 0, 0), mode="shift", difficult_squares=1), "freepg.move.shift")


def test_flying_counts_height():
    """freepg.move.fly: from (0,0,0) to (3,1,2) it is 3; to height 4 it is too far."""
    told = table(jane(at=(0, 0, 0)))
    told.when(walk("Jane", to=(3, 1, 2), mode="fly")).then(Moved("Jane", "fly", 3, (3, 1, 2)))
    told.refused(walk("Jane", to=(3, 1, 4), mode="fly"), "freepg.move.fly")
    table(brak()).when(walk("Brak", squares=5, mode="fly")).ruled("freepg.move.fly", "yes", [5, 5])


def test_a_shift_in_the_air_is_no_landing():
    """freepg.move.fly-landing: Jane shifts at height 2, and checks against 10 at the end of her turn: 7 costs 3."""
    told = fight(jane(at=(0, 0)), grub(), first="Jane").when(walk("Jane", to=(1, 0, 2), mode="fly"))
    aloft = told.when(walk("Jane", to=(2, 0, 2), mode="shift"))
    aloft.when(Done(), [7]).then(Placed("Jane", (2, 0, 0)), HpLost("Jane", 3, 49))
    told.when(walk("Jane", to=(2, 0, 2))).when(Done(), [7]).then(HpLost("Jane", 3, 49))
    told.when(walk("Jane", to=(2, 0, 2), mode="shift", lands=True)).then(ConditionEnded("Jane", "aloft"))


def test_who_shifts_or_walks_on_something_does_not_hover():
    """freepg.move.fly-landing: on the ground, and on a roof of height 2."""
    table(brak()).when(walk("Brak", squares=1, mode="shift")).then(no(ConditionGained))
    table(jane(at=(1, 0, 2))).when(walk("Jane", to=(2, 0, 2))).then(
        Moved("Jane", "walk", 1, (2, 0, 2)), no(ConditionGained)
    )


def test_a_hovering_flyer_may_fall_at_the_end_of_its_turn():
    """freepg.move.fly-landing: 7 against 10: Jane falls and takes 3."""
    told = fight(jane(at=(0, 0)), grub(at=(9, 9)), first="Jane").when(walk("Jane", to=(2, 0, 3), mode="fly"))
    fell = told.when(Done(), [7]).ruled("freepg.move.fly-landing", "failure", [7, 10])
    fell.then(Placed("Jane", (2, 0, 0)), HpLost("Jane", 3, 49), TurnEnded("Jane"))
    told.when(Done(unharmed=("Jane",)), [7]).then(Placed("Jane", (2, 0, 0)), no(HpLost))
    stays = told.when(Done(), [10]).ruled("freepg.move.fly-landing", "success", [10, 10]).then(no(Placed))
    assert "aloft" in stays.state.conditions.of["Jane"]


def test_anyone_who_lands_needs_no_check():
    """freepg.move.fly-landing: on the ground, or on a roof as the game master says."""
    told = fight(jane(at=(0, 0)), first="Jane")
    told.when(walk("Jane", to=(2, 0, 3), mode="fly", lands=True)).when(Done()).then(no(Rolled))
    up = told.when(walk("Jane", to=(2, 0, 3), mode="fly"))
    up.when(walk("Jane", to=(3, 0, 0), mode="fly")).when(Done()).then(no(Rolled))


def test_a_dive_goes_2_further_downwards():
    """freepg.move.dive: fly 3: 5 squares of which 2 descend; 1 is not enough; -2 as for a run."""
    told = fight(jane(), first="Jane")
    dived = told.when(walk("Jane", squares=5, mode="dive", descend=2)).then(running("Jane", name="diving"))
    dived.ruled("freepg.move.dive", "yes", [5, 5]).ruled("freepg.move.dive", "yes", [2, 2])
    told.refused(walk("Jane", squares=5, mode="dive", descend=1), "freepg.move.dive")
    told.refused(walk("Jane", squares=6, mode="dive", descend=6), "freepg.move.dive")
    told.refused(walk("Jane", squares=4, mode="dive"), "freepg.move.dive")
    placed = table(jane(at=(0, 0, 4)))
    placed.when(walk("Jane", to=(5, 0, 2), mode="dive")).then(Moved("Jane", "dive", 5, (5, 0, 2)))
    placed.refused(walk("Jane", to=(5, 0, 3), mode="dive"), "freepg.move.dive")


def test_a_dive_after_a_run_weakens_no_further():
    """freepg.move.dive"""
    told = fight(jane(), first="Jane").when(walk("Jane", squares=6, mode="run"))
    again = told.when(walk("Jane", squares=3, mode="dive", lands=True)).then(no(ConditionGained))
    assert again.state.conditions.of["Jane"]["running"].amount == -2


def test_anyone_who_is_forced_to_fall_makes_a_check():
    """freepg.move.fall: 9 against 15: falls, 6 damage; on anybody's turn, at no action."""
    told = fight(boffin(at=(3, 3, 4)), jane(), first="Jane").when(Check("Boffin", fall=True), [9])
    told.ruled("freepg.move.fall", "failure", [9, 15]).then(
        Placed("Boffin", (3, 3, 0)), HpLost("Boffin", 6, 49), no(PointsSpent)
    )
    table(boffin(at=(3, 3, 4))).when(Check("Boffin", fall=True), [15]).then(no(Placed), no(HpLost))
    table(boffin(at=(3, 3))).when(Check("Boffin", fall=True), [9]).then(HpLost("Boffin", 6, 49), no(Placed))
    table(boffin(at=(3, 3, 1))).when(Check("Boffin", fall=True), [9]).then(Placed("Boffin", (3, 3, 0)))


def test_the_prone_stand_up_before_they_move():
    """freepg.move.stand: stand, then move, uses both actions; prone changes no roll."""
    told = fight(boffin(), grub(), first="Boffin").when(Prone("Boffin")).then(ConditionGained("Boffin", "prone"))
    told.refused(walk(squares=1), "freepg.move.stand")
    told.when(Attack("Boffin", ("Grub",)), [10, 9]).ruled("freepg.attack.hit-test", "hit", [10, 9])
    impossible(told, Prone("Boffin"), "already")
    told = told.when(Stand("Boffin")).then(ConditionEnded("Boffin", "prone"))
    told = told.when(walk(squares=1)).then(PointsSpent("Boffin", "action", 1, 0))
    impossible(told, Stand("Boffin"), "not prone")
    told = table(boffin(prone=True))
    told.refused(walk(squares=1), "freepg.move.stand")


def test_nobody_ends_on_another():
    """freepg.move.occupied: at the same height; the dead are no hindrance."""
    told = table(boffin(at=(0, 0)), grub(at=(3, 0)), grub(at=(0, 3), name="Orc", hp=0))
    told.refused(walk(to=(3, 0, 0)), "freepg.move.occupied")
    told.when(walk(to=(0, 3, 0))).then(Moved("Boffin", "walk", 3, (0, 3, 0)))
    told.when(walk(to=(3, 0, 1), mode="fly")).then(Moved("Boffin", "fly", 3, (3, 0, 1)))
    big = table(brak(at=(0, 0)), grub(at=(4, 1)))
    big.refused(walk("Brak", to=(3, 0, 0)), "freepg.move.occupied")
    big.when(walk("Brak", to=(1, 0, 0))).then(Moved("Brak", "walk", 1, (1, 0, 0)))


def test_nobody_walks_into_an_obstacle():
    """freepg.move.occupied: named on the way, or at its end; flyers may."""
    told = on({"obstacles": [[1, 0]]}, boffin(at=(0, 0)))
    told.refused(walk(to=(1, 0, 0)), "freepg.move.occupied")
    told.refused(walk(to=(2, 0, 0), via=((1, 0, 0),)), "freepg.move.occupied")
    told.when(walk(to=(1, 0, 2), mode="fly")).then(Moved("Boffin", "fly", 2, (1, 0, 2)))
    told.when(walk(to=(1, 0, 0)), allow="through the window").then(Moved("Boffin", "walk", 1, (1, 0, 0)))


def test_newcomers_need_room():
    """freepg.move.occupied: said with --at; a sheet whose square is taken joins without a place."""
    told = table(boffin(at=(0, 0)))
    told.refused(grub(at=(0, 0)), "freepg.move.occupied")
    told.when(grub(position=[0, 0])).then(no(Placed))
    told.when(grub(position=[1, 0])).then(Placed("Grub", (1, 0, 0)))
    told.when(grub(position=[1, 0, 2])).then(Placed("Grub", (1, 0, 2)))


def test_difficult_squares_cost_double_or_weaken():
    """freepg.terrain.difficult: 3 squares, 2 of them difficult: cost 5, or cost 3 and -4 on all rolls."""
    told = fight(boffin(), grub(), first="Boffin")
    told.when(walk(squares=3, difficult_squares=2)).then(Moved("Boffin", "walk", 5), no(ConditionGained))
    told.refused(walk(squares=4, difficult_squares=2), "freepg.move.walk")
    slow = told.when(walk(squares=3, difficult_squares=2, pay="penalty"))
    slow.then(Moved("Boffin", "walk", 3), running("Boffin", -4, "on difficult ground"))
    slower = slow.when(walk(squares=1, difficult_squares=1, pay="penalty"))
    slower.then(running("Boffin", -6, "on difficult ground"))
    slower.when(Done()).when(Attack("Grub", ("Boffin",)), [10, 11]).ruled("freepg.attack.hit-test", "hit", [10, 5])
    slower.when(Done()).when(Done()).then(ConditionEnded("Boffin", "on difficult ground"))
    impossible(told, walk(squares=1, difficult_squares=2), "cannot be difficult")


def test_the_map_knows_difficult_squares_that_are_named():
    """freepg.terrain.difficult: (1,0) and (2,0) are; flyers pass above."""
    told = on({"difficult": [[1, 0], [2, 0]]}, boffin(at=(0, 0)))
    told.when(walk(to=(2, 0, 0), via=((1, 0, 0),))).then(Moved("Boffin", "walk", 4, (2, 0, 0)))
    told.when(walk(to=(2, 0, 0), mode="fly")).then(Moved("Boffin", "fly", 2, (2, 0, 0)))


def test_a_power_amplifier_strengthens_every_roll():
    """freepg.terrain.amplifier: Grub on one defends with 9: 11."""
    told = on({"amplifiers": [[1, 0]]}, boffin(at=(0, 0)), grub(at=(1, 0)))
    told.when(Attack("Boffin", ("Grub",)), [12, 9]).ruled("freepg.attack.hit-test", "hit", [12, 11])
    told.when(Check("Grub", dt=10), [9]).ruled("freepg.check.skill", "success", [11, 10])
    told.when(walk("Grub", to=(1, 1, 0))).when(Check("Grub", dt=10), [9]).ruled("freepg.check.skill", "failure")


def test_a_power_drain_weakens_every_roll():
    """freepg.terrain.drain: Boffin on one attacks with the sword and 10: 10; in the air he is not on it."""
    told = on({"drains": [[0, 0], [0, 1]]}, boffin(SWORD, at=(0, 0)), grub(at=(1, 0)))
    told.when(Attack("Boffin", ("Grub",)), [10, 9]).ruled("freepg.attack.hit-test", "hit", [10, 9])
    told = told.when(walk(to=(0, 1, 1), mode="fly"))
    told.when(Attack("Boffin", ("Grub",)), [10, 9]).ruled("freepg.attack.hit-test", "hit", [12, 9])


def test_a_big_body_stands_on_all_its_squares():
    """freepg.terrain.drain, freepg.enemy.footprint: 10+2-2."""
    told = on({"drains": [[4, 1]]}, brak(at=(3, 0)), jane(at=(2, 0)))
    told.when(Attack("Brak", ("Jane",)), [10, 11]).ruled("freepg.attack.hit-test", "miss", [10, 11])


def test_a_current_pushes_swimmers_and_flyers():
    """freepg.terrain.current: as far as it is strong."""
    told = table(jane(at=(0, 0)))
    swim = {"to": (2, 0, 0), "mode": "swim", "current": 3}
    told.when(walk("Jane", drift=(5, 0, 0), **swim)).ruled("freepg.terrain.current", "pushed", [3]).then(
        Moved("Jane", "swim", 2, (2, 0, 0)), Placed("Jane", (5, 0, 0))
    )
    told.refused(walk("Jane", drift=(6, 0, 0), **swim), "freepg.terrain.current")
    told.refused(walk("Jane", drift=(4, 0, 0), **swim), "freepg.terrain.current")
    told.refused(walk("Jane", to=(2, 0, 0), current=3), "freepg.terrain.current")


def test_a_current_pushes_to_a_free_place():
    """freepg.terrain.current, freepg.move.occupied: 2 squares on stands Grub; the mat must know where to."""
    told = table(jane(at=(0, 0)), grub(at=(4, 0)))
    told.refused(walk("Jane", to=(2, 0, 0), mode="swim", current=2, drift=(4, 0, 0)), "freepg.move.occupied")
    impossible(told, walk("Jane", to=(2, 0, 0), mode="swim", current=2), "Where does the current push")
    told.when(walk("Jane", to=(4, 0, 0), mode="swim", current=2, drift=(4, 2, 0))).then(Placed("Jane", (4, 2, 0)))


def test_a_current_may_set_a_flyer_down():
    """freepg.move.fly-landing: pushed down to the surface, it does not hover."""
    told = table(jane(at=(0, 0))).when(walk("Jane", to=(2, 0, 1), mode="fly", current=1, drift=(3, 0, 0)))
    assert "aloft" not in told.state.conditions.of.get("Jane", {})
    above = table(jane(at=(0, 0))).when(walk("Jane", to=(2, 0, 1), mode="fly", current=1, drift=(3, 0, 1)))
    assert "aloft" in above.state.conditions.of["Jane"]
    assert "aloft" in above.when(walk("Jane", to=(4, 0, 1))).state.conditions.of["Jane"]  # she hovers


def test_pushed_against_an_obstacle():
    """freepg.terrain.current: strength 5, target 15: 15 escapes harm; 6 takes 9."""
    swim = walk("Jane", squares=2, mode="swim", current=5, against_obstacle=True)
    told = table(jane()).when(swim, [15]).ruled("freepg.terrain.current", "success", [15, 15]).then(no(HpLost))
    told.when(swim, [6]).ruled("freepg.terrain.current", "failure", [6, 15]).then(HpLost("Jane", 9, 43))


def provoked(**options: Any) -> Told:
    return fight(boffin(*ALL_ITEMS, at=(0, 0), **options), grub(at=(1, 0)), first="Boffin", opportunity_attacks=True)


def test_leaving_an_enemys_side_may_be_punished():
    """freepg.opportunity-attack: Grub 14, Boffin 6: defense 7, armored 9, damage 5; then he moves."""
    told = provoked().when(walk(to=(0, 4, 0)), [14, 6]).ruled("freepg.attack.hit-test", "hit", [14, 7])
    told.ruled("freepg.opportunity-attack", "strikes at Boffin")
    told.then(HpLost("Boffin", 5, 50), Moved("Boffin", "walk", 4, (0, 4, 0)))
    assert {event.who for event in told.events if isinstance(event, PointsSpent)} == {"Boffin"}


def test_an_opportunity_is_taken_once_a_turn():
    """freepg.opportunity-attack"""
    told = provoked().when(walk(to=(0, 1, 0)), [14, 6]).when(walk(to=(0, 4, 0))).then(no(Rolled))
    told = told.when(Done()).then(ConditionEnded("Grub", "opportunity taken"))


def test_without_turns_every_move_may_be_punished():
    """freepg.opportunity-attack: there is no turn in which an opportunity could be used up."""
    told = table(boffin(at=(0, 0)), grub(at=(1, 0)), opportunity_attacks=True)
    told = told.when(walk(to=(0, 1, 0)), [2, 9]).when(walk(to=(0, 0, 0)), [2, 9])
    told = told.when(Begin()).when(Initiative(), [19, 2])
    told.when(walk(to=(0, 4, 0)), [14, 6]).then(HpLost("Boffin", 8, 47))


def test_shifts_and_declined_opportunities_provoke_nobody():
    """freepg.opportunity-attack, freepg.move.shift"""
    provoked().when(walk(to=(0, 1, 0), mode="shift")).then(no(Rolled))
    provoked().when(walk(to=(0, 4, 0), decline=("Grub",))).then(no(Rolled))
    fight(boffin(at=(0, 0)), grub(at=(1, 0)), first="Boffin").when(walk(to=(0, 4, 0))).then(no(Rolled))


def test_anyone_who_drops_does_not_move():
    """freepg.opportunity-attack"""
    provoked(hp=3).when(walk(to=(0, 4, 0)), [14, 6]).then(Felled("Boffin", "dying"), no(Moved))


def test_only_living_enemies_beside_the_mover_strike():
    """freepg.opportunity-attack: in roster order; friends and the far do not."""
    others = (grub(at=(1, 0)), jane(at=(0, 1)), grub(at=(3, 0), name="Far"), brak(at=(-2, -2)))
    told = fight(boffin(at=(0, 0)), *others, first="Boffin", opportunity_attacks=True)
    told = told.when(walk(to=(0, 4, 0)), [2, 9, 2, 9])
    assert [event.who for event in told.events if isinstance(event, Rolled)] == ["Grub", "Boffin", "Brak", "Boffin"]


@pytest.mark.parametrize("mode", ["walk", "run", "fly", "dive", "swim"])
def test_traps_stay_where_they_are(mode):
    impossible(table(someone("Pit", kind="trap", trap="single")), Move("Pit", squares=1, mode=mode), "stays")


def test_difficult_ground_on_the_straight_way_is_not_passed_over_in_silence(shell: Shell):
    """freepg.terrain.difficult: nobody has said which way was taken, so it costs nothing; a note says where it lies."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin", "--at", "0,0")
    shell.done("begin", "--unordered")
    shell.done("terrain", "difficult", "1,0/2,0")

    def noted(*words: str) -> str:
        told = shell.done("move", "boffin", *words).splitlines()
        shell.done("undo")
        return told[-1] if "straight way" in told[-1] else ""

    note = "The straight way crosses difficult ground at {}; --difficult-squares counts it."
    assert noted("--to", "3,0") == note.format("1,0 2,0")
    assert noted("--to", "2,0") == note.format("1,0")
    assert noted("--to", "3,0", "--via", "1,1/2,1") == ""
    assert noted("--to", "3,0", "--difficult-squares", "0") == ""
    assert noted("--to", "3,0", "--mode", "fly") == ""


@pytest.mark.parametrize(("how", "dice"), [("dead", []), ("dying", [14])])
def test_the_dead_make_no_landing_check(how, dice):
    """freepg.move.fly-landing: the game master says that Jane is aloft as she lies there."""
    told = fight(jane(), grub(), first="Jane").when(Adjust("Jane", "down", how, "the test"))
    told = told.when(Adjust("Jane", "condition", "aloft", "a spell")).when(Done(), dice)
    assert [event.purpose for event in told.events if isinstance(event, Rolled)] == ["check"] * len(dice)
