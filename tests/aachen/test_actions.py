"""Actions, morale, checks and saves."""

import pytest

from commands.action.common import Leave
from commands.rules.aachen.actions import up_next
from commands.rules.aachen.attack import Charge
from commands.rules.aachen.deeds import Act, Cast
from commands.rules.aachen.encounter import End
from commands.rules.aachen.falls import must_check
from commands.rules.aachen.instants import Defend, Ready, Trigger
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Prone, Retreat, Stand, Withdraw
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rolls import Check, Morale, Save
from commands.rules.aachen.rounds import Initiative, Pass, Round, Turn
from commands.rules.aachen.struggles import Grapple
from ledger.errors import Refused, UsageError
from ledger.events import (
    Awaited,
    ConditionEnded,
    ConditionGained,
    Engaged,
    HpLost,
    Moved,
    Noted,
    Ruled,
    TurnBegan,
    TurnEnded,
    WaitingEnded,
)
from tests.hints import offered_by
from tests.kit import no

from .table import (
    BOW,
    DAGGER,
    JAVELIN,
    adalger,
    adjusted,
    begun,
    contact,
    fight,
    gerlind,
    guard,
    has,
    impossible,
    left,
    next_round,
    opposed,
    passed,
    rolls,
    someone,
    table,
    wolf,
)

TRIO = (adalger(), gerlind(), guard())
BUDGET = "aachen.actions.budget"
HIT = "aachen.attack.hit-test"


# The budget


def test_one_main_and_one_move_action():
    """aachen.actions.budget: attack, attack is refused; in either order both are there."""
    told = fight(*TRIO).when(Attack("Adalger", "Guard"), dice=[2])
    told.refused(Attack("Adalger", "Guard"), BUDGET)
    told.when(Move("Adalger", 5)).refused(Move("Adalger", 30), BUDGET)
    fight(*TRIO).when(Move("Adalger", 10)).when(Attack("Adalger", "Guard"), dice=[2])


def test_the_main_action_as_a_move():
    """aachen.actions.main-as-move: move 30, move 30; then no attack."""
    told = fight(*TRIO).when(Move("Adalger", 30)).when(Move("Adalger", 30))
    told.ruled("aachen.actions.main-as-move", "a second move action")
    told.refused(Attack("Adalger", "Guard"), BUDGET)


def test_the_movement_rate():
    """aachen.actions.move-rate: 35 feet are refused; the game master may lower it, not raise it."""
    told = fight(*TRIO)
    told.refused(Move("Adalger", 35), "aachen.actions.move-rate")
    told.refused(Move("Adalger", 25, rate=20), "aachen.actions.move-rate")
    told.refused(Move("Adalger", 25, rate=40), "aachen.actions.move-rate")
    told.when(Move("Adalger", 30)).then(Moved("Adalger", "move", 0, measure="30 feet"))
    told.when(Move("Adalger", 0))


def test_a_move_is_not_split():
    """aachen.actions.move-unsplit: 10 feet, shoot, 20 feet."""
    told = fight(*TRIO).when(Move("Gerlind", 10)).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told.refused(Move("Gerlind", 20), "aachen.actions.move-unsplit")
    told.refused(Move("Gerlind", 0), BUDGET)
    told.refused(Move("Gerlind", 25), BUDGET)


def test_crawling():
    """aachen.actions.crawl: prone 15 feet, not 20; over difficult ground likewise."""
    told = adjusted(fight(*TRIO), "Adalger", "condition", "prone")
    crawled = told.when(Move("Adalger", 15)).ruled("aachen.actions.crawl", "", [15])
    told.refused(Move("Adalger", 20), "aachen.actions.crawl")
    slowly = fight(*TRIO).refused(Move("Adalger", 20, difficult=True), "aachen.actions.crawl")
    slowly = slowly.when(Move("Adalger", 15, difficult=True))
    for moved, why in ((crawled, "prone"), (slowly, "difficult ground")):
        (ruling,) = [one for one in moved.events if isinstance(one, Ruled) and one.clause == "aachen.actions.crawl"]
        assert [step.reason for step in ruling.numbers[0].steps][-1] == why


def test_standing_up():
    """aachen.actions.stand: a move action; then move 30 as the main action, and no attack."""
    told = adjusted(fight(*TRIO), "Adalger", "condition", "prone").when(Stand("Adalger"))
    told.then(ConditionEnded("Adalger", "prone"))
    told.when(Move("Adalger", 30)).refused(Attack("Adalger", "Guard"), BUDGET)
    impossible(told, Stand("Adalger"), "not prone")


def test_dropping_prone():
    """aachen.actions.prone: move, shoot, prone."""
    told = fight(*TRIO).when(Move("Gerlind", 10)).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told = told.when(Prone("Gerlind")).then(ConditionGained("Gerlind", "prone"))
    impossible(told, Prone("Gerlind"), "already")


def test_a_check_is_a_main_action():
    """aachen.actions.use-skill: check, then attack; the game master may ask for one that costs nothing."""
    told = fight(*TRIO).when(Check("Gerlind", "WIS", "notice", difficulty=8), dice=[4, 4])
    told.refused(Shoot("Gerlind", "Guard", distance=50), BUDGET)
    told = fight(*TRIO).when(Check("Gerlind", "WIS", "notice", difficulty=8, free=True), dice=[4, 4])
    assert left(told, "Gerlind") == (1, 1)


def test_an_action_is_described_in_words():
    """aachen.actions.cast, aachen.actions.other, aachen.actions.on-turn: the action is spent, the words are kept."""
    told = fight(*TRIO).when(Cast("Gerlind", "a mist")).then(Noted("a mist", "Gerlind"))
    assert left(told, "Gerlind") == (0, 1)
    assert left(fight(*TRIO).when(Act("Gerlind", "screens Adalger", cost="move")), "Gerlind") == (1, 0)
    assert left(fight(*TRIO).when(Act("Gerlind", "shouts", cost="none")), "Gerlind") == (1, 1)


# Total defense, charge, snap attacks


def test_total_defense():
    """aachen.actions.total-defense: an instant for the main action: AC 17 this round, and no attack."""
    told = opposed(*TRIO).when(Defend("Adalger"))
    told.then(ConditionGained("Adalger", "total defense", "round-end", amount=2, modifies="AC"))
    told.when(Attack("Guard", "Adalger"), dice=[15]).ruled(HIT, "miss", [16, 17])
    passed(told, "Guard").refused(Attack("Adalger", "Guard"), BUDGET)
    acted = fight(*TRIO).when(Attack("Adalger", "Guard"), dice=[2])
    acted.refused(Defend("Adalger"), "aachen.actions.total-defense")
    told.refused(Defend("Adalger"), "aachen.actions.total-defense")


def test_a_charge():
    """aachen.actions.charge: 40 feet, spear, 6 + 6 + 2: hit; AC 13 this round."""
    told = fight(*TRIO).when(Charge("Adalger", "Guard", 40), dice=[6, 4]).ruled(HIT, "hit", [14, 14])
    told.then(
        ConditionGained("Adalger", "charging", "round-end", amount=-2, modifies="AC"), Engaged("Adalger", "Guard")
    )
    assert left(told, "Adalger") == (0, 0)
    passed(told, "Adalger", "Gerlind").when(Attack("Guard", "Adalger"), dice=[12, 1]).ruled(HIT, "hit", [13, 13])
    assert not has(next_round(told), "Adalger", "charging")


def test_the_way_of_a_charge():
    """aachen.actions.charge: 30 to 60 feet for a human; from 10 by the house rule; not prone, nor in a grapple."""
    clause = "aachen.actions.charge"
    told = fight(*TRIO)
    told.refused(Charge("Adalger", "Guard", 25), clause)
    told.refused(Charge("Adalger", "Guard", 65), clause)
    fight(*TRIO, charge_min="ten-feet").when(Charge("Adalger", "Guard", 10), dice=[2])
    fight(*TRIO, charge_min="ten-feet").refused(Charge("Adalger", "Guard", 5), clause)
    adjusted(told, "Adalger", "condition", "prone").refused(Charge("Adalger", "Guard", 40), clause)
    adjusted(told, "Adalger", "engaged", "Guard").refused(Charge("Adalger", "Guard", 40), clause)
    told.when(Move("Adalger", 10)).refused(Charge("Adalger", "Guard", 40), BUDGET)
    impossible(told, Charge("Adalger", "Guard"), "How far")


def test_a_charge_out_of_contact():
    """aachen.actions.charge: leaving contact gives free attacks first, and who falls charges nobody."""
    told = adjusted(fight(adalger(), guard(), wolf()), "Adalger", "engaged", "Wolf")
    told.when(Charge("Adalger", "Guard", 40), dice=[15, 4, 2]).then(HpLost("Adalger", 4, 18))
    assert contact(told.when(Charge("Adalger", "Guard", 40, decline=("Wolf",)), dice=[2]), "Adalger") == {"Guard"}
    weak = adjusted(told, "Adalger", "hp", "3")
    weak.when(Charge("Adalger", "Guard", 40), dice=[15, 4]).then(HpLost("Adalger", 3, 0), no(Moved))


def test_a_charge_with_a_thrown_weapon():
    """aachen.actions.charge: javelin from 20 feet: 9 + 3 + 2."""
    told = fight(gerlind(weapons=[JAVELIN]), guard()).when(Charge("Gerlind", "Guard", 40, throw=20), dice=[9, 3])
    told.ruled(HIT, "hit", [14, 14]).then(no(Engaged))


def test_nobody_shoots_in_a_charge():
    """aachen.actions.charge: the thrown weapon in hand is thrown, not the bow before it: 9 + 3 + 2; 1d6, not 1d8."""
    told = fight(*TRIO).when(Charge("Gerlind", "Guard", 40, throw=20), dice=[9, 3])
    assert rolls(told)[1] == ("Gerlind", "1d6", "damage")
    fight(*TRIO).refused(Charge("Gerlind", "Guard", 40, throw=20, with_="large bow"), "aachen.actions.charge")
    impossible(fight(*TRIO), Charge("Adalger", "Guard", 40, throw=20), "nothing in hand to throw")


def test_a_snap_attack():
    """aachen.actions.snap-attack: 12 + 6 - 4, out of turn; on his turn he may still move."""
    told = opposed(*TRIO).when(Attack("Adalger", "Guard", snap=True), dice=[12, 1]).ruled(HIT, "hit", [14, 14])
    told = passed(told, "Guard")
    told.refused(Attack("Adalger", "Guard"), BUDGET)
    told.when(Move("Adalger", 30, engage=("Guard",)))
    opposed(*TRIO).when(Shoot("Gerlind", "Guard", distance=50, snap=True), dice=[15, 1]).ruled(HIT, "hit", [14, 14])


def test_when_there_is_no_snap_attack():
    """aachen.actions.snap-attack: during or after the own turn, or without a main action."""
    clause, snap = "aachen.actions.snap-attack", Attack("Adalger", "Guard", snap=True)
    told = fight(*TRIO).when(Turn("Adalger"))
    told.refused(snap, clause)
    with pytest.raises(Refused) as refused:
        told.when(snap)
    assert offered_by(refused.value) == "affray attack Adalger Guard"
    passed(told, "Adalger").refused(snap, clause)
    opposed(*TRIO).when(Defend("Adalger")).refused(snap, clause)
    begun(*TRIO).refused(snap, "aachen.round.sequence")


# Held and delayed actions


def test_a_held_action():
    """aachen.actions.hold: it costs the move action and ends the turn; the main action is used when Wolf comes."""
    told = fight(gerlind(), wolf()).when(Ready("Gerlind", "shoot the wolf"))
    told.then(Awaited("hold", "Gerlind", "act:", {"text": "shoot the wolf"}, until="until the end of the round"))
    told.then(TurnEnded("Gerlind"))
    assert left(told, "Gerlind") == (1, 0)
    told.refused(Shoot("Gerlind", "Wolf", distance=50), "aachen.round.one-turn-each")
    told = told.when(Trigger("Gerlind", "shoot", "Wolf", distance=50), dice=[9, 3])
    told.then(WaitingEnded("hold", "Gerlind", "taken", "act:")).ruled(HIT, "hit", [12, 12])
    assert left(told, "Gerlind") == (0, 0)
    told.refused(Trigger("Gerlind", "shoot", "Wolf", distance=50), "aachen.actions.hold")


def test_holding_takes_both_actions():
    """aachen.actions.hold: without a hold, without a main action, or without a move action it is refused."""
    told = fight(*TRIO)
    told.refused(Trigger("Gerlind", "shoot", "Guard", distance=50), "aachen.actions.hold")
    shot = told.when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    shot.refused(Ready("Gerlind", "shoot again"), "aachen.actions.hold")
    told.when(Move("Gerlind", 10)).refused(Ready("Gerlind", "shoot"), BUDGET)
    impossible(told.when(Ready("Gerlind", "x")), Trigger("Gerlind"), "Which action")
    for held, offered in (("shoot the wolf", "shoot Wolf 30"), ("attack the wolf", "attack Wolf")):
        with pytest.raises(UsageError) as error:
            fight(gerlind(weapons=[BOW, DAGGER]), wolf()).when(Ready("Gerlind", held)).when(Trigger("Gerlind"))
        assert offered_by(error.value) == f"affray trigger Gerlind {offered}"
    impossible(told.when(Ready("Gerlind", "x")), Trigger("Gerlind", "shoot"), "Who is the target")
    impossible(told, Trigger("Gerlind", "shoot", luck=True), "no held action")
    impossible(told, Trigger("Gerlind", luck=True, distance=4), "and nothing else")


def test_only_a_held_attack_and_a_held_shot_have_a_distance():
    """A number after the target is no magic: the offers leave it out, or heal that many hit points."""
    told = fight(adalger(hp=9), gerlind(), guard()).when(Ready("Gerlind", "help"))
    for action, target, offered in (
        ("heal", "Adalger", "trigger Gerlind heal Adalger --magic 3"),
        ("act", "", "trigger Gerlind act"),
    ):
        said = Trigger("Gerlind", action, target, distance=3)
        impossible(told, said, f"{action} takes no distance")
        with pytest.raises(UsageError) as error:
            told.when(said)
        assert offered_by(error.value) == f"affray {offered}"


def test_an_unused_hold_is_lost():
    """aachen.actions.hold: at the end of the round, or when the holder falls."""
    told = next_round(fight(*TRIO).when(Ready("Gerlind", "shoot"))).then(
        WaitingEnded("hold", "Gerlind", "lost", "act:", "the round is over")
    )
    told.refused(Trigger("Gerlind", "shoot", "Guard", distance=50), "aachen.actions.hold")
    told = adjusted(fight(*TRIO).when(Ready("Gerlind", "shoot")), "Gerlind", "down", "unconscious")
    told.then(WaitingEnded("hold", "Gerlind", "lost", "act:", "Gerlind is unconscious"))


def test_who_waits_for_one_that_did_not_leave_its_slot_goes_on_waiting_for_nobody_else():
    """aachen.actions.delay: Adalger waits for Gerlind of his own slot, and Bero for Adalger."""
    told = fight(adalger(), gerlind(), adalger("Bero"), guard())
    told = told.when(Turn("Adalger", after="Gerlind")).when(Turn("Bero", after="Adalger"))
    told = told.when(Pass(("Gerlind",)))
    told.when(Turn("Adalger")).then(ConditionEnded("Adalger", "waiting"), no(ConditionGained))


def test_a_held_action_is_gone_with_the_main_action():
    """aachen.actions.hold: total defense takes the main action that was held."""
    told = fight(*TRIO).when(Ready("Gerlind", "shoot")).when(Defend("Gerlind"))
    told.then(WaitingEnded("hold", "Gerlind", "lost", "act:", "Gerlind has taken the main action"))
    told.refused(Trigger("Gerlind", "shoot", "Guard", distance=50), "aachen.actions.hold")


@pytest.mark.parametrize(
    ("words", "dice", "kind"),
    [
        ({"action": "attack", "target": "Guard"}, [9, 4], HpLost),
        ({"action": "push", "target": "Guard", "result": "prone"}, [11, 6, 6, 1, 1], ConditionGained),
        ({"action": "grapple", "target": "Guard"}, [11, 6, 6, 1, 1], ConditionGained),
        ({"action": "defend"}, [], ConditionGained),
        ({"action": "act", "text": "cuts the rope"}, [], Noted),
        ({"action": "heal", "target": "Gerlind", "magic": 3}, [], WaitingEnded),
    ],
)
def test_any_main_action_may_be_held(words, dice, kind):
    """aachen.actions.hold"""
    told = fight(*TRIO).when(Ready("Adalger", "wait")).when(Trigger("Adalger", **words), dice=dice)
    assert any(isinstance(event, kind) for event in told.events)
    assert left(told, "Adalger") == (0, 0)


def test_delaying():
    """aachen.actions.delay: Adalger after Guard: not before; he keeps both actions, and the round waits."""
    clause = "aachen.actions.delay"
    told = passed(fight(*TRIO).when(Turn("Adalger", after="Guard")), "Gerlind")
    told.refused(Attack("Adalger", "Guard"), clause)
    told = told.when(Turn("Guard")).refused(Round(), "aachen.round.next")
    told = told.when(Attack("Adalger", "Guard"), dice=[2])
    told.then(TurnEnded("Guard"), ConditionEnded("Adalger", "waiting"), TurnBegan("Adalger"))
    assert left(told, "Adalger") == (0, 1)
    passed(told, "Adalger").when(Round())


def test_a_delay_never_comes_before_the_own_side():
    """aachen.actions.delay: Guard waits for Adalger, and still for Gerlind, who is on the side that goes first."""
    told = passed(fight(*TRIO, wolf()).when(Turn("Guard", after="Adalger")), "Adalger")
    assert up_next(told.state) == ["Gerlind"]
    told.refused(Attack("Guard", "Gerlind"), "aachen.initiative.side-completes")
    told = passed(told, "Gerlind")
    assert up_next(told.state) == ["Guard", "Wolf"]
    told.when(Attack("Guard", "Gerlind"), dice=[2])


def test_names_never_change_places_in_what_is_offered():
    """aachen.initiative.side-completes: it is the turn of Adalger's side, and Guard's attack is not read as his."""
    with pytest.raises(Refused) as refused:
        fight(*TRIO).when(Attack("Guard", "Adalger"))
    assert offered_by(refused.value) == ("affray pass Adalger,Gerlind\n(gives up the turn of Adalger and Gerlind)")


def test_a_delay_within_a_side_holds_up_the_other_side():
    """aachen.initiative.side-completes: Gerlind waits for Adalger, and acts before the other side all the same."""
    told = passed(fight(*TRIO).when(Turn("Gerlind", after="Adalger")), "Adalger")
    told.refused(Attack("Guard", "Gerlind"), "aachen.initiative.side-completes")
    assert up_next(told.state) == ["Gerlind"]


def test_a_delay_keeps_the_order_of_single_initiatives():
    """aachen.initiative.sequence: Adalger 8, the guards 5, Gerlind 3: Gerlind after Adalger still comes last, and
    Adalger after Guard comes before her.
    """
    told = begun(*TRIO, individual_initiative=True).when(Initiative(), dice=[8, 2, 5])
    late = passed(told.when(Turn("Gerlind", after="Adalger")), "Adalger")
    late.refused(Attack("Gerlind", "Guard"), "aachen.initiative.side-completes")
    waits = passed(told.when(Turn("Adalger", after="Guard")), "Guard")
    waits.refused(Turn("Gerlind"), "aachen.initiative.side-completes")
    passed(waits, "Adalger").when(Turn("Gerlind"))


def test_a_chain_of_delays_takes_everybody_into_the_last_slot_of_it():
    """aachen.actions.delay: Gerlind after Adalger after Guard: the wolf need not wait for her then."""
    told = fight(*TRIO, wolf()).when(Turn("Gerlind", after="Adalger")).when(Turn("Adalger", after="Guard"))
    assert up_next(told.state) == ["Guard", "Wolf"]
    told = passed(told, "Guard", "Adalger")
    assert up_next(told.state) == ["Gerlind", "Wolf"]
    passed(told, "Wolf", "Gerlind").when(Round())


def test_nobody_delays_for_ever():
    """aachen.actions.delay: refused if the other has acted, or the own turn has; who falls holds up nobody."""
    told = passed(fight(*TRIO), "Gerlind")
    told.refused(Turn("Adalger", after="Gerlind"), "aachen.actions.delay")
    told.refused(Turn("Gerlind", after="Guard"), "aachen.round.one-turn-each")
    waits = fight(*TRIO).when(Turn("Adalger", after="Gerlind"))
    impossible(waits, Turn("Gerlind", after="Adalger"), "wait for themselves")
    adjusted(waits, "Gerlind", "down", "unconscious").when(Turn("Adalger")).then(TurnBegan("Adalger"))


# Morale


def test_morale_is_due():
    """aachen.morale.triggers: of four Guards at the first and at the second fall, not at the third."""
    four = [guard(f"Guard-{nth}") for nth in (1, 2, 3, 4)]
    told = adjusted(fight(adalger(), *four), "Guard-1", "down", "dead")
    told.ruled("aachen.morale.triggers", "have lost their first", [1, 4])
    told.then(Awaited("morale", "opp", "check morale:", {"text": "Guard-2, Guard-3, Guard-4"}))
    told = adjusted(told, "Guard-2", "down", "dead").ruled("aachen.morale.triggers", "have lost half", [2, 4])
    told = adjusted(told, "Guard-3", "down", "dead")
    assert not [event for event in told.events if getattr(event, "clause", "") == "aachen.morale.triggers"]


def test_one_report_for_both():
    """aachen.morale.triggers: of two Guards the first is half; player characters count, but never check."""
    told = adjusted(fight(adalger(), guard("Guard-1"), guard("Guard-2")), "Guard-1", "down", "dead")
    told.ruled("aachen.morale.triggers", "have lost half", [1, 2])
    told = fight(adalger(), gerlind(), guard("Ally", side="pc"), guard())
    adjusted(told, "Adalger", "down", "dead").ruled("aachen.morale.triggers", "have lost their first", [1, 3])
    told = adjusted(fight(adalger(), gerlind(), guard()), "Adalger", "down", "dead")
    assert not told.state.pending.waiting


def test_morale():
    """aachen.morale.check: 4, 4 holds against 8, 4, 5 does not; one roll for several, each by its own number."""
    told = fight(adalger(), guard(), wolf()).when(Morale(("Guard", "Wolf")), dice=[4, 4])
    told.ruled("aachen.morale.check", "holds", [8, 8]).ruled("aachen.morale.check", "breaks", [8, 7])
    fight(*TRIO).when(Morale(("Guard",)), dice=[4, 5]).ruled("aachen.morale.check", "breaks", [9, 8])
    assert rolls(told) == [("", "2d6", "morale")]


def test_a_check_that_was_due_is_done():
    """aachen.morale.triggers: anyone who has checked is not asked again."""
    three = [guard(f"Guard-{nth}") for nth in (1, 2, 3)]
    told = adjusted(fight(adalger(), *three), "Guard-1", "down", "dead").when(Morale(("Guard-2",)), dice=[1, 1])
    assert told.state.pending.of("morale", "opp").said == {"text": "Guard-3"}
    assert not told.when(Morale(("Guard-3",)), dice=[1, 1]).state.pending.waiting


def test_nobody_who_has_left_owes_a_morale_check():
    """aachen.morale.triggers: of four Guards one has fallen. Who retreats, is gone, surrenders, leaves the table or
    comes over checks nothing any more; the others still do.
    """
    four = [guard(f"Guard-{nth}") for nth in (1, 2, 3, 4)]
    told = adjusted(opposed(adalger(), *four), "Guard-1", "down", "dead")
    for without in (
        told.when(Retreat("Guard-2")),
        told.when(Leave(("Guard-2",))),
        adjusted(told, "Guard-2", "condition", "gone"),
        adjusted(told, "Guard-2", "condition", "surrendered"),
        adjusted(told, "Guard-2", "side", "pc"),
        adjusted(told, "Guard-2", "down", "unconscious"),
    ):
        assert must_check(without.state) == ["Guard-3", "Guard-4"]
    alone = told.when(Leave(("Guard-2", "Guard-3"))).when(Retreat("Guard-4"))
    alone.then(WaitingEnded("morale", "opp", "lapsed", "check morale:", "nobody is left to check"))
    assert must_check(alone.state) == []
    last = told.when(Morale(("Guard-2", "Guard-3", "Guard-4"), result="surrender"), dice=[6, 6])
    last.then(WaitingEnded("morale", "opp", "done"))


def test_the_game_master_changes_the_number():
    """aachen.morale.modifier: goblins 7 with their leader 9: 4, 5 holds; more than 2 is refused."""
    told = fight(adalger(), guard(morale=7))
    told.when(Morale(("Guard",), mod=("2",)), dice=[4, 5]).ruled("aachen.morale.check", "holds", [9, 9])
    told.refused(Morale(("Guard",), mod=("3",)), "aachen.morale.modifier")
    told.refused(Morale(("Guard",), mod=("-3:fire", "-1:rain", "1")), "aachen.morale.modifier")


def test_the_broken_do_not_attack():
    """aachen.morale.failed: attack refused, move accepted, until the game master clears it."""
    told = opposed(*TRIO).when(Morale(("Guard",)), dice=[6, 6]).then(ConditionGained("Guard", "broken"))
    told.refused(Attack("Guard", "Adalger"), "aachen.morale.failed")
    told.when(Move("Guard", 30))
    cleared = adjusted(told, "Guard", "no-condition", "broken")
    cleared.when(Attack("Guard", "Adalger"), dice=[2])


def test_retreat_and_surrender():
    """aachen.morale.failed: as the game master says; anyone who is gone or has surrendered acts no more."""
    told = opposed(*TRIO).when(Morale(("Guard",), result="retreat"), dice=[6, 6])
    told = told.when(Withdraw("Guard")).when(Retreat("Guard")).then(ConditionGained("Guard", "gone", "encounter-end"))
    told.refused(Move("Guard", 30), "aachen.morale.failed")
    passed(told, "Adalger", "Gerlind").when(Round())
    told = opposed(*TRIO).when(Morale(("Guard",), result="surrender"), dice=[6, 6])
    passed(told, "Adalger", "Gerlind").when(Round())
    fought = opposed(*TRIO).when(Attack("Guard", "Adalger"), dice=[2])
    fought.refused(Retreat("Guard"), "aachen.melee.free-attack")
    assert not has(told.when(End()), "Guard", "gone")


@pytest.mark.parametrize("how", ["roll", "word"])
def test_anyone_who_surrenders_lets_go(how):
    """aachen.morale.failed: no part of the fight: out of contact, of the hold, and of the turn; nobody is crushed."""
    told = opposed(*TRIO).when(Grapple("Guard", "Adalger"), dice=[19, 6, 6, 1, 1])
    if how == "roll":
        told = told.when(Morale(("Guard",), result="surrender"), dice=[6, 6])
    else:
        told = adjusted(told, "Guard", "condition", "surrendered")
    assert not has(told, "Adalger", "grappled")
    assert not contact(told, "Adalger")
    assert told.state.turns.who == ""
    assert rolls(next_round(told)) == []


def test_anyone_who_has_left_the_fight_is_no_target():
    """aachen.attack.legal-target: retreated."""
    told = opposed(*TRIO).when(Retreat("Guard"))
    told.refused(Attack("Adalger", "Guard"), "aachen.attack.legal-target")
    told.refused(Shoot("Gerlind", "Guard", distance=50), "aachen.attack.legal-target")


def test_player_characters_never_check():
    """aachen.morale.npc-only"""
    fight(*TRIO).refused(Morale(("Adalger",)), "aachen.morale.npc-only")
    fight(*TRIO).refused(Morale(("Adalger", "Guard")), "aachen.morale.npc-only")


def test_anyone_who_has_no_number_gets_one():
    """aachen.morale.scale: the usual numbers, by the game master's word."""
    told = fight(adalger(), guard(morale=None))
    impossible(told, Morale(("Guard",)), "no morale number")
    told.when(Morale(("Guard",), score=6), dice=[3, 4]).ruled("aachen.morale.check", "breaks", [7, 6])
    adjusted(told, "Guard", "down", "dead").refused(Morale(("Guard",), score=6), "aachen.damage.out-of-action")


# Checks and saves

STRONG = someone("Udo", attributes={"STR": 17}, skills={"exert": 1})
CHECK = "aachen.check.roll"


def test_a_check():
    """aachen.check.roll: STR 17, Exert 1, difficulty 9: 3, 4 + 2; a monster adds its one bonus."""
    told = table(STRONG).when(Check("Udo", "STR", "Exert", difficulty=9), dice=[3, 4])
    told.ruled(CHECK, "success", [9, 9])
    table(wolf()).when(Check("Wolf", "WIS", "notice", difficulty=8), dice=[3, 4]).ruled(CHECK, "success", [8, 8])
    impossible(table(STRONG), Check("Udo", "STR", "exert"), "against a difficulty")
    impossible(table(STRONG), Check("Udo", "STR", "exert", against="Udo"), "another opponent")
    impossible(table(STRONG), Check("Udo", "STR", "exert", difficulty=8, against_skill="notice"), "Nobody opposes")


def test_a_difficulty_of_0_is_0():
    """aachen.check.roll: STR 17, Exert 1: 3, 4 + 2 against 0."""
    table(STRONG).when(Check("Udo", "STR", "exert", difficulty=0), dice=[3, 4]).ruled(CHECK, "success", [9, 0])


def test_an_unskilled_check():
    """aachen.check.unskilled: 3, 4 + 1 - 1 is 7."""
    told = table(someone("Udo", attributes={"STR": 17}))
    told.when(Check("Udo", "STR", "exert", difficulty=9), dice=[3, 4]).ruled(CHECK, "failure", [7, 9])


def test_circumstances():
    """aachen.check.circumstances: 7 - 1 + 3 is 9, with a warning; 2 is usual."""
    told = table(someone("Udo")).when(Check("Udo", "STR", "exert", difficulty=9, mod=("+3:rope",)), dice=[3, 4])
    told.ruled(CHECK, "success", [9, 9]).ruled("aachen.check.circumstances", "+3 is more than the usual 2")
    told = table(someone("Udo")).when(Check("Udo", "STR", "exert", difficulty=9, mod=("2",)), dice=[3, 4])
    told.ruled(CHECK, "failure", [8, 9])
    assert not [one for one in told.events if isinstance(one, Ruled) and one.clause == "aachen.check.circumstances"]


def test_aid():
    """aachen.check.aid: two helpers succeed: +1; they roll first."""
    told = table(someone("Udo"), someone("Ida"), someone("Ute"))
    told = told.when(Check("Udo", "STR", "exert", difficulty=7, aid=("Ida", "Ute")), dice=[4, 4, 5, 5, 3, 4])
    told.ruled("aachen.check.aid", "of help", [7, 7]).ruled(CHECK, "success", [7, 7])
    assert [who for who, *_ in rolls(told)] == ["Ida", "Ute", "Udo"]
    told = table(someone("Udo"), someone("Ida"))
    told = told.when(Check("Udo", "STR", "exert", difficulty=7, aid=("Ida",)), dice=[1, 1, 3, 4])
    told.ruled("aachen.check.aid", "no help", [1, 7]).ruled(CHECK, "failure", [6, 7])
    told = table(someone("Udo"), someone("Ida", attributes={"STR": 14}, skills={"exert": 1}))
    told = told.when(Check("Udo", "STR", "exert", difficulty=7, aid=("Ida",)), dice=[2, 3, 3, 4])
    told.ruled("aachen.check.aid", "of help", [7, 7])  # 5, +1 for her STR, +1 for her skill


def test_opposed_checks():
    """aachen.check.opposed: Guard 8, Gerlind 8: Gerlind; two player characters roll again."""
    told = table(gerlind(), guard()).when(Check("Guard", "WIS", "notice", against="Gerlind"), dice=[4, 5, 4, 4])
    told.ruled("aachen.check.opposed", "failure", [8, 8])
    told = table(gerlind(), adalger()).when(
        Check("Gerlind", "WIS", "notice", against="Adalger", against_attr="DEX", against_skill="sneak"),
        dice=[4, 4, 4, 5, 6, 1, 1, 1],
    )
    told.ruled("aachen.check.opposed", "both roll again", [8, 8]).ruled("aachen.check.opposed", "success", [7, 1])


@pytest.mark.parametrize(
    ("difficulty", "quality"),
    [
        (12, "exceptional failure"), (11, "failure"), (9, "failure"), (8, "marginal failure"),
        (7, "marginal success"), (6, "success"), (3, "success"), (2, "exceptional success"),
    ],
)  # fmt: skip
def test_quality(difficulty, quality):
    """aachen.check.quality: by how much a 7 succeeds or fails."""
    told = table(someone("Udo", skills={"exert": 0}))
    told.when(Check("Udo", "STR", "exert", difficulty=difficulty), dice=[3, 4]).ruled("aachen.check.quality", quality)


def test_a_hopeless_check():
    """aachen.check.quality: however far below, an exceptional failure."""
    told = table(someone("Udo")).when(
        Check("Udo", "STR", "exert", difficulty=8, mod=("-1000:mad", "-1000:blind")), dice=[3, 4]
    )
    told.ruled("aachen.check.quality", "exceptional failure")


def test_save_scores():
    """aachen.save.score: level 2, STR 7, CON 7, DEX 15, INT 9, WIS 14, CHA 7: 15, 13, 13, 14."""
    scores = {"STR": 7, "CON": 7, "DEX": 15, "INT": 9, "WIS": 14, "CHA": 7}
    told = table(someone("Udo", level=2, attributes=scores))
    for kind, score in (("physical", 15), ("evasion", 13), ("mental", 13), ("luck", 14)):
        told.when(Save("Udo", kind), dice=[2]).ruled("aachen.save.roll", "failed", [2, score])


def test_monsters_saves():
    """aachen.save.monster: 1 hit die 15, 14 hit dice 8; an npc's hit dice are its level."""
    told = table(wolf("Cub", hd=1), wolf("Dragon", hd=14), guard(level=6))
    told.when(Save("Cub", "luck"), dice=[15]).ruled("aachen.save.roll", "saved", [15, 15])
    told.when(Save("Dragon", "mental"), dice=[7]).ruled("aachen.save.roll", "failed", [7, 8])
    told.when(Save("Guard", "evasion"), dice=[12]).ruled("aachen.save.roll", "saved", [12, 12])


def test_saves():
    """aachen.save.roll: score 11: 11 succeeds; a 1 fails against 4, a 20 with any penalty succeeds."""
    told = table(someone("Udo", level=5), someone("Old", level=10, attributes={"CON": 18}))
    told.when(Save("Udo", "physical"), dice=[11]).ruled("aachen.save.roll", "saved", [11, 11])
    told.when(Save("Udo", "physical", mod=("-1:rain",)), dice=[11]).ruled("aachen.save.roll", "failed", [10, 11])
    told.when(Save("Old", "physical"), dice=[1]).ruled("aachen.save.roll", "failed", [1, 4])
    told.when(Save("Udo", "physical", mod=("-19:curse",)), dice=[20]).ruled("aachen.save.roll", "saved", [1, 11])


def test_passing_needs_a_round():
    """aachen.round.sequence"""
    begun(*TRIO).refused(Pass(("Adalger",)), "aachen.round.sequence")
    begun(*TRIO).refused(Turn("Adalger"), "aachen.round.sequence")
    begun(*TRIO).refused(Turn("Adalger", after="Guard"), "aachen.round.sequence")
    begun(*TRIO).refused(Ready("Adalger", "wait"), "aachen.round.sequence")
