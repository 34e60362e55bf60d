"""Sides, rounds, reaction, surprise and initiative."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join, Leave
from commands.rules.aachen.deeds import Act, Cast
from commands.rules.aachen.encounter import Begin, End, Surprise
from commands.rules.aachen.hands import Draw, Stow
from commands.rules.aachen.instants import Defend, Ready
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Prone, Retreat, Stand
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rolls import Check, Reaction
from commands.rules.aachen.rounds import Done, Initiative, Pass, Round, Turn
from ledger.errors import UsageError
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Equipped,
    InitiativeSet,
    OrderSet,
    PhaseBegan,
    PointsSet,
    PointsSpent,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from tests.kit import no
from tests.shell import Shell

from .table import (
    SWORD,
    adalger,
    adjusted,
    begun,
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
    table,
    waiting,
    wolf,
)

PARTY = (adalger(), gerlind())
TWO_GUARDS = (*PARTY, guard("Guard-1"), guard("Guard-2"))
BOLD = {"DEX": 15, "CHA": 14}


# Rounds


def test_nobody_attacks_before_initiative():
    """aachen.round.sequence: begin, then initiative, then rounds; surprise only before."""
    told = begun(*PARTY, guard())
    told.refused(Attack("Adalger", "Guard"), "aachen.round.sequence")
    told.refused(Defend("Adalger"), "aachen.round.sequence")
    told.refused(Round(), "aachen.round.sequence")
    rolled = told.when(Initiative(), dice=[4, 5])
    rolled.refused(Surprise("opp"), "aachen.round.sequence")
    impossible(table(*PARTY), Initiative(), "No encounter")
    table(*PARTY).refused(Attack("Adalger", "Gerlind"), "aachen.round.sequence")
    impossible(table(*PARTY), Surprise("pc"), "No encounter")


def test_the_reaction_roll_is_never_too_late():
    """aachen.round.sequence: it binds nothing."""
    fight(*PARTY, guard()).when(Reaction(), dice=[4, 5])


def test_checks_before_initiative_cost_nothing():
    """aachen.round.sequence is about combat actions."""
    begun(*PARTY, guard()).when(Check("Gerlind", "DEX", "shoot", difficulty=8), dice=[4, 4])


def test_what_is_no_combat_action_needs_no_initiative():
    """aachen.round.sequence, aachen.actions.other, aachen.actions.items"""
    told = begun(*PARTY, guard()).when(Act("Adalger", "bars the door")).when(Cast("Gerlind", "a light"))
    told.when(Stow("Adalger", "sword")).when(Draw("Adalger", "sword", at_hand=True)).then(
        Equipped("Adalger", "sword", drawn=True), no(PointsSpent)
    )
    told.when(Prone("Adalger")).when(Stand("Adalger")).then(ConditionEnded("Adalger", "prone"), no(PointsSpent))


def test_everybody_has_one_turn_in_a_round():
    """aachen.round.one-turn-each: Adalger attacks, Gerlind shoots, Adalger wants to move."""
    told = fight(*PARTY, guard()).when(Attack("Adalger", "Guard"), dice=[2])
    told = told.when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told.then(TurnEnded("Adalger"), TurnBegan("Gerlind"))
    told.refused(Move("Adalger", 10), "aachen.round.one-turn-each")
    told.refused(Turn("Adalger"), "aachen.round.one-turn-each")
    told.when(Done()).then(TurnEnded("Gerlind")).refused(Move("Gerlind", 10), "aachen.round.one-turn-each")


def test_a_turn_that_somebody_elses_action_ends_without_a_main_action_is_told(shell: Shell):
    """aachen.round.one-turn-each: Thug-1 has only moved when Thug-2 acts. Who has struck loses nothing worth a line."""
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger")
    shell.done("join", "guard", "--called", "Thug", "--count", "3")
    for line in ("begin", "initiative --dice 1,7", "move thug-1 30 adalger"):
        shell.done(*line.split())
    assert "Thug-1's turn is over, without a main action." in shell.done("attack", "thug-2", "adalger", "--dice", "2")
    assert "without a main action" not in shell.done("attack", "thug-3", "adalger", "--dice", "2")


def test_turn_ends_the_turn_under_way_where_no_action_of_it_is_left():
    """aachen.actions.budget: the next turn begins by the same word; of several who may be next one is named."""
    told = fight(*PARTY, guard()).when(Attack("Adalger", "Guard"), dice=[2])
    told.refused(Turn("Gerlind"), "aachen.actions.budget")
    told.refused(Turn(), "aachen.actions.budget")
    told = told.when(Move("Adalger", 10, leave=("all",)), dice=[2])
    told = told.when(Turn()).then(TurnEnded("Adalger"), TurnBegan("Gerlind"))
    told = passed(told, "Gerlind").when(Turn()).then(TurnBegan("Guard"))
    impossible(passed(told, "Guard"), Turn(), "Everybody has had a turn this round.")
    impossible(fight(*PARTY, guard()), Turn(), "Adalger or Gerlind may be next.")
    impossible(begun(*PARTY, guard()), Turn(), "No round is under way.")


def test_the_next_round_waits_for_everybody():
    """aachen.round.next: Guard has not acted."""
    told = passed(fight(*PARTY, guard()), "Adalger", "Gerlind")
    told.refused(Round(), "aachen.round.next")
    told.when(Round(), allow="so").ruled("aachen.round.next", "Guard loses their turn")
    told = passed(told, "Guard").when(Round()).then(RoundBegan(2))
    assert left(told, "Guard") == (1, 1)


def test_the_turn_that_is_under_way_ends_with_the_round():
    """aachen.round.next: who has begun its turn has had it."""
    told = passed(fight(*PARTY, guard()), "Adalger", "Gerlind").when(Turn("Guard"))
    told.when(Round()).then(TurnEnded("Guard"), RoundBegan(2))


def test_the_fallen_and_gone_hold_up_nobody():
    """aachen.round.next: only those able to act; aachen.damage.out-of-action."""
    told = adjusted(fight(*PARTY, guard(), wolf()), "Guard", "down", "unconscious")
    told = adjusted(told, "Wolf", "condition", "surrendered")
    passed(told, "Adalger", "Gerlind").when(Round()).then(RoundBegan(2))


def test_turns_pass_in_the_order_in_which_they_come():
    """aachen.round.next: whatever the order of the names; also with somebody who delays."""
    told = opposed(*PARTY, guard(), wolf()).when(Turn("Guard", after="Adalger"))
    told.when(Pass(("Adalger", "Gerlind", "Guard", "Wolf"))).when(Round()).then(RoundBegan(2))


def test_the_turn_that_is_under_way_passes_first():
    """aachen.round.next: before all others in the list."""
    told = fight(*PARTY, guard()).when(Turn("Gerlind")).when(Pass(("Adalger", "Gerlind")))
    told.then(TurnEnded("Gerlind"), TurnBegan("Adalger"), TurnEnded("Adalger"))
    assert waiting(told) == ["Guard"]


def test_what_lasts_for_a_round_ends_with_it():
    """aachen.round.next"""
    told = fight(*PARTY, guard()).when(Defend("Gerlind"))
    next_round(told).then(ConditionEnded("Gerlind", "total defense"), RoundBegan(2))


def test_what_is_left_of_a_move_is_lost_with_the_round():
    """aachen.round.next: Adalger has gone 10 feet of 30; in the next round he has gone none."""
    told = passed(fight(*PARTY, guard()).when(Move("Adalger", 10)), "Adalger", "Gerlind", "Guard")
    assert told.state.points.left("Adalger", "feet") == 20
    told.when(Round()).then(PointsSet("Adalger", "feet", 0))


def test_the_game_master_may_let_somebody_act_again():
    """aachen.round.one-turn-each, overruled: an action that is gone is not spent."""
    told = passed(fight(*PARTY, guard()), "Adalger")
    told = told.when(Move("Adalger", 30), allow="haste")
    assert left(told, "Adalger") == (1, 0)


def test_words_that_make_no_sense():
    """There is always a next step."""
    told = table(*PARTY, guard())
    impossible(told, End(), "No encounter")
    impossible(told, Done(), "No encounter")
    impossible(told.when(Begin()), Done(), "No turn")
    impossible(table(), Begin(), "Nobody")
    impossible(told.when(Begin()), Begin(), "under way")
    begun(*PARTY).refused(Initiative(), "aachen.initiative.side-roll")
    impossible(fight(*PARTY, guard()).when(Turn("Gerlind")), Turn("Gerlind"), "already")
    impossible(table(), Join(({"name": "opp"},)), "name of a side")
    impossible(table(), Join(({"name": "Bo"},), side="foes"), "pc (the party) and opp")


# Reaction


def test_reaction():
    """aachen.reaction.roll: 4, 5 is 9."""
    table().when(Reaction(), dice=[4, 5]).ruled("aachen.reaction.roll", "indifferent, uninterested", [9])
    table().when(Reaction(), dice=[1, 1]).ruled("aachen.reaction.roll", "hostile: attacks if it can", [2])
    table().when(Reaction(), dice=[1, 2]).ruled("aachen.reaction.roll", "unfriendly: may hinder or harm", [3])
    table().when(Reaction(), dice=[3, 5]).ruled("aachen.reaction.roll", "wary, neutral", [8])


def test_a_speaker_adds_charisma():
    """aachen.reaction.cha: 6, 5 with CHA 14 is 12."""
    told = table(gerlind(attributes=BOLD)).when(Reaction("Gerlind"), dice=[6, 5])
    told.ruled("aachen.reaction.roll", "friendly, helpful", [12])


# Surprise


def test_surprise_is_an_opposed_check():
    """aachen.surprise.check: Guard 6, 4 unskilled is 9, Gerlind 3, 5 with Notice 0 is 8."""
    told = begun(*PARTY, guard()).when(Surprise("opp"), dice=[6, 4, 3, 5])
    told.ruled("aachen.surprise.check", "surprise", [9, 8])
    told.then(PhaseBegan("surprise"), ConditionGained("Adalger", "surprised", "round-end"))
    told = begun(*PARTY, guard()).when(Surprise(by="Guard"), dice=[3, 4, 3, 5])
    told.ruled("aachen.surprise.check", "no surprise", [6, 8]).then(no(PhaseBegan))


def test_the_worst_sneak_and_the_best_notice_roll():
    """aachen.surprise.check: the lowest modifier of the attackers, the highest of the defenders."""
    sneaky = guard("Sneak", skills={"sneak": 2}, mods={"DEX": 1})
    told = begun(*PARTY, sneaky, guard("Oaf")).when(Surprise("opp"), dice=[1, 1, 6, 6])
    assert [who for who, *_ in rolls(told)] == ["Oaf", "Gerlind"]
    told = begun(*PARTY, sneaky, guard("Oaf")).when(Surprise(by="Sneak", against="Adalger"), dice=[3, 3, 6, 3])
    told.ruled("aachen.surprise.check", "surprise", [9, 8])
    impossible(begun(*PARTY, guard()), Surprise("pc", by="Guard"), "opposite sides")
    impossible(begun(*PARTY, guard()), Surprise(), "Which side")


def test_a_tie_is_the_player_characters():
    """aachen.surprise.tie: Guard 9 against Gerlind 9, and Gerlind 9 sneaking on Guard 9."""
    told = begun(gerlind(), guard()).when(Surprise("opp"), dice=[6, 4, 4, 5])
    told.ruled("aachen.surprise.tie", "no surprise", [9, 9]).then(no(PhaseBegan))
    told = begun(gerlind(), guard()).when(Surprise("pc"), dice=[4, 5, 6, 4])  # DEX 1, no Sneak: 9 + 1 - 1
    told.ruled("aachen.surprise.tie", "surprise", [9, 9]).then(PhaseBegan("surprise"))


def test_a_tie_may_be_rolled_again():
    """aachen.surprise.tie: by the house rule, and when neither is a player character."""
    told = begun(gerlind(), guard(), opposed_ties="reroll").when(Surprise("opp"), dice=[6, 4, 4, 5, 6, 6, 1, 1])
    told.ruled("aachen.surprise.tie", "both roll again", [9, 9]).ruled("aachen.surprise.check", "surprise", [11, 2])
    ally = guard("Ally", side="pc", skills={"notice": 0})
    told = begun(ally, guard()).when(Surprise("opp"), dice=[6, 4, 4, 5, 2, 1, 6, 6])
    told.ruled("aachen.surprise.tie", "both roll again").ruled("aachen.surprise.check", "no surprise", [2, 12])


def test_the_surprised_do_nothing():
    """aachen.surprise.free-round: a full round for the others, in any order, and no instants for the surprised."""
    told = begun(*TWO_GUARDS).when(Surprise("opp", result="yes"))
    told.refused(Attack("Adalger", "Guard-1"), "aachen.surprise.free-round")
    told.refused(Attack("Adalger", "Guard-1", snap=True), "aachen.surprise.free-round")
    told.refused(Defend("Adalger"), "aachen.surprise.free-round")
    told.refused(Pass(("Adalger",)), "aachen.surprise.free-round")
    told = told.when(Attack("Guard-2", "Adalger"), dice=[2]).when(Prone("Guard-1"))
    told.refused(Attack("Guard-2", "Adalger"), "aachen.round.one-turn-each")
    told.refused(Surprise("opp", result="yes"), "aachen.round.sequence")


def test_the_surprised_strike_nobody_who_leaves():
    """aachen.surprise.free-round: no free attacks in round 0."""
    told = begun(*PARTY, guard()).when(Surprise("opp", result="yes")).when(Attack("Guard", "Adalger"), dice=[2])
    assert rolls(told.when(Move("Guard", 30, leave=("all",)))) == []


def test_initiative_comes_after_the_surprise_round():
    """aachen.surprise.initiative-after: two Guards, of whom one has acted."""
    told = passed(begun(*TWO_GUARDS).when(Surprise("opp", result="yes")), "Guard-1")
    told.refused(Initiative(), "aachen.surprise.initiative-after")
    late = told.when(Initiative(), [4, 5], allow="so")
    late.ruled("aachen.surprise.initiative-after", "Guard-2 loses their turn")
    told = passed(told, "Guard-2").when(Initiative(), dice=[4, 5])
    told.then(ConditionEnded("Adalger", "surprised"), RoundBegan(1))
    assert waiting(told) == ["Adalger", "Gerlind", "Guard-1", "Guard-2"]


def test_the_game_master_may_say_whether_there_is_surprise():
    """aachen.surprise.attempt"""
    told = begun(*PARTY, guard()).when(Surprise("opp", result="no"))
    told.ruled("aachen.surprise.attempt", "no surprise").then(no(PhaseBegan))


def test_the_watchful_are_never_surprised():
    """aachen.watchful.unsurprised: Gerlind acts in round 0, Adalger does not."""
    told = begun(adalger(), gerlind(watchful=1), guard()).when(Surprise("opp", result="yes"))
    told.ruled("aachen.watchful.unsurprised", "not surprised").refused(
        Attack("Adalger", "Guard"), "aachen.surprise.free-round"
    )
    told.when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    passed(told, "Guard").refused(Initiative(), "aachen.surprise.initiative-after")


# Initiative


def test_each_side_rolls_once():
    """aachen.initiative.side-roll: 4 and Gerlind's DEX is 5; the Guards' 5 is 5."""
    told = begun(*TWO_GUARDS).when(Initiative(), dice=[4, 5])
    told.ruled("aachen.initiative.side-roll", "", [5]).then(InitiativeSet("pc", 5), InitiativeSet("opp", 5))
    assert rolls(told) == [("pc", "1d8", "initiative"), ("opp", "1d8", "initiative")]


def test_a_tie_is_the_player_sides():
    """aachen.initiative.tie: 5 and 5."""
    told = begun(*TWO_GUARDS).when(Initiative(), dice=[4, 5])
    told.ruled("aachen.initiative.tie", "party first").then(OrderSet(("pc", "opp")), RoundBegan(1))


def test_the_higher_total_goes_first():
    """aachen.initiative.highest-first: 2 + 1 against 5."""
    told = begun(*TWO_GUARDS).when(Initiative(), dice=[2, 5])
    told.ruled("aachen.initiative.highest-first", "opponents first").then(OrderSet(("opp", "pc")))


def test_only_those_able_to_act_lend_their_dexterity():
    """aachen.initiative.side-roll: with Gerlind down the best is Adalger's 0."""
    told = adjusted(begun(*PARTY, guard()), "Gerlind", "down", "unconscious").when(Initiative(), dice=[4, 5])
    told.then(InitiativeSet("pc", 4)).ruled("aachen.initiative.highest-first", "opponents first")


def test_a_side_acts_in_any_order():
    """aachen.initiative.any-order: round 1 Gerlind, Adalger; round 2 Adalger, Gerlind."""
    told = next_round(passed(fight(*PARTY, guard()), "Gerlind", "Adalger"))
    passed(told, "Adalger", "Gerlind")


def test_the_other_side_waits():
    """aachen.initiative.side-completes: only Gerlind has acted."""
    told = passed(fight(*PARTY, guard()), "Gerlind")
    told.refused(Attack("Guard", "Gerlind"), "aachen.initiative.side-completes")
    passed(told, "Adalger").when(Attack("Guard", "Gerlind"), dice=[2])


def test_whom_the_game_master_lets_be_overtaken_still_acts():
    """aachen.initiative.side-completes"""
    told = passed(fight(*PARTY, guard()), "Gerlind").when(Turn("Guard"), allow="too slow")
    told.when(Attack("Adalger", "Guard"), [2]).then(TurnBegan("Adalger"))


def test_initiative_is_kept():
    """aachen.initiative.kept: round 2 opens with the same side, and nothing is rolled again."""
    told = next_round(opposed(*PARTY, guard()))
    told.refused(Initiative(), "aachen.initiative.kept")
    told.refused(Turn("Adalger"), "aachen.initiative.side-completes")
    told.when(Turn("Guard"))


def test_everybody_of_the_player_side_may_roll():
    """aachen.initiative.individual: Adalger 5, Gerlind 3 + 1, the opposition 4."""
    told = begun(*TWO_GUARDS, individual_initiative=True).when(Initiative(), dice=[5, 3, 4])
    told.ruled("aachen.initiative.individual", "", [5]).ruled("aachen.initiative.individual", "", [4])
    assert [who for who, *_ in rolls(told)] == ["Adalger", "Gerlind", "opp"]


def test_slots_follow_each_other():
    """aachen.initiative.sequence: Adalger (5), Gerlind (4), the Guards (4)."""
    told = begun(*TWO_GUARDS, individual_initiative=True).when(Initiative(), dice=[5, 3, 4])
    told.ruled("aachen.initiative.sequence", "Adalger 5, Gerlind 4, opponents 4")
    told.refused(Turn("Gerlind"), "aachen.initiative.side-completes")
    told = passed(told, "Adalger")
    told.refused(Turn("Guard-2"), "aachen.initiative.side-completes")
    told = next_round(passed(told, "Gerlind", "Guard-2", "Guard-1"))
    told.refused(Turn("Gerlind"), "aachen.initiative.side-completes")


def test_equal_members_share_a_slot():
    """aachen.initiative.sequence: Adalger and Gerlind with 5 each act in any order."""
    told = begun(*TWO_GUARDS, individual_initiative=True).when(Initiative(), dice=[5, 4, 7])
    passed(passed(told, "Guard-1", "Guard-2"), "Gerlind", "Adalger")


def test_the_opposition_may_act_between():
    """aachen.initiative.sequence: Gerlind 7, the Guards 4, Adalger 2."""
    told = begun(*TWO_GUARDS, individual_initiative=True).when(Initiative(), dice=[2, 6, 4])
    told = passed(told, "Gerlind")
    told.refused(Turn("Adalger"), "aachen.initiative.side-completes")
    passed(told, "Guard-2", "Guard-1", "Adalger").when(Round())


def test_the_watchful_lend_their_side_one():
    """aachen.watchful.initiative: 4 + 1 + 1, however many; by the option the better of two d8: 6 + 1."""
    told = begun(adalger(watchful=1), gerlind(watchful=2), guard()).when(Initiative(), dice=[4, 1])
    told.ruled("aachen.watchful.initiative", "", [6]).then(InitiativeSet("pc", 6))
    told = begun(adalger(), gerlind(watchful=1), guard(), individual_initiative=True)
    told = told.when(Initiative(), dice=[5, 3, 6, 4])
    told.ruled("aachen.watchful.initiative", "", [6]).then(InitiativeSet("Gerlind", 7))


def test_the_game_master_reorders():
    """aachen.watchful.first: another score, for a side or for one of its members."""
    told = opposed(*TWO_GUARDS).when(Initiative(("gerlind=9",))).then(OrderSet(("Gerlind", "opp", "pc")))
    told.when(Turn("Gerlind")).refused(Turn("Adalger"), "aachen.initiative.side-completes")
    impossible(begun(*TWO_GUARDS), Initiative(("gerlind=9",)), "no order")
    impossible(opposed(*TWO_GUARDS), Initiative(("gerlind",)), "NAME=N")


def test_a_newcomer_has_a_turn_in_the_running_round():
    """aachen.round.one-turn-each: with the actions of a round; the slot of its side waits for it, even a past one."""
    told = fight(*PARTY, guard()).when(wolf("Late"))
    told.refused(Turn("Late"), "aachen.initiative.side-completes")
    told = passed(told, "Adalger", "Gerlind").when(Attack("Guard", "Adalger"), dice=[2])
    told = told.when(adalger("Friend"))
    told.refused(Turn("Late"), "aachen.initiative.side-completes")
    told = told.when(Attack("Friend", "Guard"), dice=[2]).then(TurnEnded("Guard"), TurnBegan("Friend"))
    assert left(told, "Friend") == (0, 1)
    told.refused(Round(), "aachen.round.next")
    passed(told, "Late").when(Round())


def test_a_newcomer_without_a_roll_acts_in_the_last_slot():
    """aachen.initiative.sequence: by the option each of the player side rolls; anyone who joins later has no score."""
    told = begun(*PARTY, guard(), individual_initiative=True).when(Initiative(), dice=[5, 3, 4])
    told = told.when(adalger("Late"))
    told.refused(Turn("Late"), "aachen.initiative.side-completes")
    begun(*PARTY, guard()).when(adalger("Late")).then(PointsSet("Late", "turn", 0))
    passed(told, "Adalger", "Gerlind").when(Turn("Late"))


def test_a_newcomer_on_the_surprised_side_is_surprised():
    """aachen.surprise.free-round: the surprise round is for the attackers alone, and for the watchful."""
    told = begun(*PARTY, guard()).when(Surprise("opp", result="yes")).when(adalger("Late"))
    told.refused(Turn("Late"), "aachen.surprise.free-round")
    told.when(adalger("Awake", watchful=1)).when(Turn("Awake"))
    told.when(wolf("Second")).when(Turn("Second"))


def test_a_side_has_two_names():
    """aachen.sides: the game master may move one to the other."""
    told = adjusted(fight(*PARTY, guard()), "Guard", "side", "pc")
    assert told.state.roster.members["Guard"].side == "pc"
    impossible(told, Adjust("Guard", "side", "foes", "why"), "pc (the party) and opp")


def test_an_encounter_leaves_nothing_behind():
    """Contact, conditions and points end with it."""
    told = fight(*PARTY, guard()).when(Attack("Adalger", "Guard"), dice=[2]).when(Defend("Gerlind")).when(End())
    assert not told.state.engagement.pairs
    assert not told.state.points.of
    assert not has(told, "Gerlind", "total defense")
    told.when(Begin())


def test_anyone_who_leaves_the_table_leaves_nothing_behind():
    """aachen.damage.out-of-action"""
    told = fight(*PARTY, guard(weapons=[SWORD])).when(Attack("Adalger", "Guard"), dice=[2]).when(Leave(("Adalger",)))
    assert not told.state.engagement.pairs
    assert told.state.turns.who == ""


def test_anyone_who_changes_sides_leaves_old_enemies():
    """aachen.melee.contact is between enemies."""
    told = fight(*PARTY, guard()).when(Attack("Adalger", "Guard"), dice=[2])
    assert not adjusted(told, "Guard", "side", "pc").state.engagement.pairs


def test_what_waits_ends_with_the_encounter():
    """Held actions and morale that is due."""
    told = adjusted(fight(*TWO_GUARDS).when(Ready("Adalger", "wait")), "Guard-1", "down", "dead")
    assert len(told.state.pending.waiting) == 2
    assert not told.when(End()).state.pending.waiting


@pytest.mark.parametrize(
    "said",
    [Initiative(), Round(), Surprise("opp"), Ready("Adalger", "wait"), Pass(("Adalger",)), Turn("Adalger"),
     Turn("Adalger", after="Gerlind")],
)  # fmt: skip
def test_what_has_no_meaning_outside_of_an_encounter(said):
    """aachen.round.sequence: whatever the game master allows."""
    with pytest.raises(UsageError):
        table(*PARTY).when(said, allow="because")


def test_an_attack_outside_of_an_encounter():
    """aachen.round.sequence, overruled: no turn and no action is counted."""
    told = table(adalger(), guard()).when(Attack("Adalger", "Guard"), dice=[9, 4], allow="a brawl")
    assert not told.state.points.of
    impossible(told, Retreat("Guard"), "No encounter")


def test_surprise_needs_two_sides():
    """aachen.surprise.check"""
    impossible(begun(*PARTY), Surprise("pc"), "None of the opponents can act")
