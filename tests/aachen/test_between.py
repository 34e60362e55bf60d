"""Between the clauses: surprise that ends a fight, chains of those who wait, blows on the fallen, two who hold one."""

import pytest

from commands.action.view import View
from commands.odds.d20 import Row, row
from commands.odds.d20 import table as odds_table
from commands.rules.aachen.checks import Try, bonus
from commands.rules.aachen.encounter import Begin, End, Surprise
from commands.rules.aachen.healing import Heal
from commands.rules.aachen.instants import Ready, Trigger
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move
from commands.rules.aachen.rolls import Check, Reaction, Save
from commands.rules.aachen.rounds import Done, Initiative, Pass, Round, Turn
from commands.rules.aachen.struggles import Grapple, Push
from ledger.errors import Refused, UsageError
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Felled,
    HpLost,
    Overruled,
    PointsSet,
    PointsSpent,
    RoundBegan,
    TurnBegan,
    TurnEnded,
    WaitingEnded,
)
from tests.hints import commands, offered_by
from tests.kit import Told, no
from tests.shell import Shell

from .table import adalger, adjusted, begun, fight, gerlind, guard, has, next_round, opposed, passed, table, wolf


def hint(told: Told, declaration) -> str:
    """What to type instead of what is refused."""
    with pytest.raises((Refused, UsageError)) as refused:
        told.when(declaration)
    return commands(offered_by(refused.value))


# Odds


def test_the_table_without_naturals_has_100_and_0_percent():
    """aachen.odds.limits: 19 rows as printed, and with naturals=false the targets 1 and 21 besides."""
    rows = odds_table(naturals=False)
    assert rows[1:-1] == odds_table()
    assert (rows[0], rows[-1]) == (Row(1, 400, 400, 400, 0, 0), Row(21, 0, 0, 0, 0, 0))
    assert row(21) == Row(21, 20, 39, 1, 1, -1)


def test_the_verb_hears_the_option_of_the_ledger(shell: Shell):
    """aachen.odds.limits: `odds table 21` is 0% where a natural 20 does not hit."""
    shell.done("init", "Test", "--system", "aachen")
    assert shell.done("odds", "table", "21").splitlines()[1].split()[:2] == ["21", "5%"]
    shell.done("option", "naturals", "false")
    assert shell.done("odds", "table", "21").splitlines()[1].split()[:2] == ["21", "0%"]
    assert shell.done("odds", "table", "--ac", "9", "--bonus", "9").splitlines()[1].split()[:2] == ["0", "100%"]
    assert len(shell.done("odds", "table").splitlines()) == 22


# Surprise


def ambushed(**fields) -> Told:
    """A surprise round in which Adalger has felled the only guard: 12 + 6 is 18 against 14, 8 + 1 of 6."""
    told = begun(adalger(), gerlind(), guard(**fields)).when(Surprise("pc", result="yes"))
    return told.when(Attack("Adalger", "Guard"), [12, 8]).then(Felled("Guard", "dying"))


def test_a_surprise_round_is_left_by_initiative():
    """aachen.round.sequence: `round` says who may still act, then initiative."""
    told = begun(adalger(), gerlind(), guard()).when(Surprise("pc", result="yes"))
    assert hint(told, Round()) == "affray turn Adalger"
    assert hint(passed(told), Round()) == "affray initiative"
    passed(told).when(Initiative(), [4, 4]).then(RoundBegan(1))


def test_a_surprise_round_that_fells_a_whole_side_can_be_ended():
    """aachen.initiative.side-roll, aachen.mortal.stabilise: the clock is kept for the next encounter."""
    told = passed(ambushed())
    assert hint(told, Initiative()) == hint(told, Round()) == "affray end"
    told = told.when(End()).when(Begin())
    assert told.state.conditions.of["Guard"]["mortally wounded"].round == 6


def test_rounds_may_begin_after_it_and_the_clocks_run_on():
    """aachen.mortal.death: at the end of the sixth round after round 0; difficulty 8 + 2 in round 2."""
    told = passed(ambushed()).when(Initiative(), [4], allow="he bleeds").then(RoundBegan(1))
    assert told.state.turns.order == ("pc",)
    second = next_round(told).when(Heal("Gerlind", "Guard"), [5, 5])
    second.ruled("aachen.mortal.stabilise", "stable", [10, 10])  # Heal 0 and INT 12: 5 + 5
    for _ in range(5):
        told = next_round(told).then(no(Felled))
    next_round(told).then(Felled("Guard", "dead"))


# The order


def test_a_side_that_joins_a_fight_of_one_slot_acts_in_it():
    """aachen.initiative.sequence: the only foe fell before initiative; one who joins later waits for nobody."""
    told = passed(ambushed()).when(Initiative(), [4], allow="he bleeds")
    told.when(wolf("Late")).when(Turn("Late")).then(TurnBegan("Late"))


def test_a_chain_of_those_who_wait_names_the_turn_that_comes_next():
    """aachen.actions.delay: Gerlind waits for Adalger, he for Guard, who waits for Other."""
    told = fight(adalger(), gerlind(), guard(), guard("Other"))
    told = told.when(Turn("Adalger", after="Guard")).when(Turn("Gerlind", after="Adalger"))
    told = told.when(Turn("Guard", after="Other"))
    for who in ("Gerlind", "Adalger", "Guard"):
        assert hint(told, Turn(who)) == "affray pass Other"
    told = told.when(Pass(("Other",)))
    for who in ("Guard", "Adalger"):
        assert hint(told, Turn("Gerlind")) == f"affray pass {who}"
        told = told.when(Pass((who,)))
    told.when(Turn("Gerlind"))


def test_a_chain_ends_at_the_side_that_is_to_act():
    """aachen.actions.delay: Guard waits for nobody, and Gerlind's side acts first."""
    told = fight(adalger(), gerlind(), guard()).when(Turn("Adalger", after="Guard"))
    assert hint(told, Turn("Adalger")) == "affray pass Gerlind"
    told = told.when(Pass(("Gerlind",)))
    assert hint(told, Turn("Adalger")) == "affray pass Guard"


def test_those_who_are_overtaken_by_a_later_side_still_have_their_turn():
    """aachen.initiative.side-completes: Gerlind has not acted yet, and does after the Guard."""
    told = fight(adalger(), gerlind(), guard()).when(Pass(("Adalger",)))
    told = told.when(Turn("Guard"), allow="she stares").then(TurnBegan("Guard"), no(PointsSet))
    told.refused(Round(), "aachen.round.next")
    told.when(Attack("Gerlind", "Guard"), [2]).then(TurnEnded("Guard"), TurnBegan("Gerlind"))


def test_one_who_is_interrupted_by_the_game_masters_word_goes_on():
    """aachen.initiative.side-completes: Adalger has moved 10 feet when the Guard strikes, and has his main action."""
    told = fight(adalger(), gerlind(), guard()).when(Move("Adalger", 10))
    told = told.when(Attack("Guard", "Adalger"), [2], allow="quick").then(TurnEnded("Adalger"), TurnBegan("Guard"))
    told = told.when(Attack("Adalger", "Guard"), [2]).then(TurnEnded("Guard"), TurnBegan("Adalger"))
    told.refused(Attack("Adalger", "Guard"), "aachen.actions.budget")
    told.refused(Attack("Guard", "Adalger"), "aachen.round.one-turn-each")


def test_another_turn_by_the_game_masters_word_is_whole():
    """aachen.round.one-turn-each: one thing is overruled, and it strikes again."""
    told = fight(adalger(), guard()).when(Attack("Adalger", "Guard"), [2]).when(Done()).when(Turn("Guard"))
    told.when(Attack("Adalger", "Guard"), [2], allow="aachen.round.one-turn-each: haste").then(
        Overruled(
            "aachen.round.one-turn-each",
            "Adalger has already had their turn and acts again next round. The round is over.",
            "haste",
        ),
        TurnEnded("Guard"), TurnBegan("Adalger"), PointsSpent("Adalger", "main", 1, 0),
    )  # fmt: skip


def test_a_second_turn_by_the_game_masters_word_is_taken():
    """aachen.round.one-turn-each, aachen.actions.delay: after Guard's; its main action is spent already."""
    told = fight(adalger(), guard()).when(Attack("Adalger", "Guard"), [2]).when(Done())
    told = told.when(Turn("Adalger", after="Guard"), allow="a horn blows")
    message = "Adalger has already begun their turn this round."
    told.then(Overruled("aachen.round.one-turn-each", message, "a horn blows"))
    told = told.when(Pass(("Guard",))).when(Turn("Adalger"))
    told.refused(Attack("Adalger", "Guard"), "aachen.actions.budget")


def test_an_action_held_by_the_game_masters_word_is_taken_once():
    """aachen.actions.hold: the main action is gone (a miss, shock 2 of 11); 13 + 1 hits AC 13."""
    told = opposed(gerlind(), guard()).when(Attack("Guard", "Gerlind"), [2])
    told = told.when(Ready("Guard", "another blow"), allow="two weapons")
    told.then(Overruled("aachen.actions.hold", "Guard has no main action left to hold.", "two weapons"))
    told = told.when(Trigger("Guard", "attack", "Gerlind"), [13, 3]).then(
        WaitingEnded("hold", "Guard", "taken", "act:"), no(Overruled), no(PointsSpent), HpLost("Gerlind", 3, 6)
    )
    told.refused(Trigger("Guard", "attack", "Gerlind"), "aachen.actions.hold")


def test_an_action_held_when_the_fight_ends_is_lost():
    """aachen.actions.hold"""
    told = fight(adalger(), guard()).when(Ready("Adalger", "the door opens"))
    told.when(End()).then(WaitingEnded("hold", "Adalger", "lost", "act:", "the encounter is over"))


# The fallen


def fallen() -> Told:
    """Round 1: Guard lies mortally wounded, and Adalger has his second turn before him."""
    told = fight(adalger(), gerlind(), guard()).when(Attack("Adalger", "Guard"), [12, 8])
    return next_round(told)


def test_a_blow_on_the_mortally_wounded_changes_nothing_and_says_so():
    """aachen.attack.legal-target: 6 + 6 and 2 for a prone foe reach AC 14; hp stay 0."""
    told = fallen().when(Attack("Adalger", "Guard"), [6, 4]).ruled("aachen.attack.hit-test", "hit", [14, 14])
    told.ruled("aachen.attack.legal-target", "mortally wounded already").then(no(HpLost), no(Felled))


def test_a_blow_on_somebody_stable_opens_the_wound_again():
    """aachen.mortal.wound: stabilised in round 2, struck in the same round: dead at the end of round 8."""
    told = fallen().when(Heal("Gerlind", "Guard"), [6, 6]).then(Felled("Guard", "unconscious"))
    told = told.when(Attack("Adalger", "Guard"), [6, 4])
    told.then(ConditionEnded("Guard", "stable"), Felled("Guard", "dying"))
    told.then(ConditionGained("Guard", "mortally wounded", "round-end", round=8))
    miss = fallen().when(Heal("Gerlind", "Guard"), [6, 6]).when(Attack("Adalger", "Guard"), [5])
    assert has(miss, "Guard", "stable")  # 5 + 6 + 2 is 13, and the spear has no shock


def test_anyone_who_is_down_resists_nothing():
    """aachen.damage.out-of-action: no shove, no opposed check, no greeting; the dead save against nothing."""
    told = fallen().refused(Push("Adalger", "Guard", result="back"), "aachen.damage.out-of-action")
    told.refused(Check("Adalger", "STR", "exert", against="Guard"), "aachen.damage.out-of-action")
    told.refused(Reaction("Guard"), "aachen.damage.out-of-action")
    with pytest.raises(UsageError, match="Guard is dead"):
        adjusted(told, "Guard", "down", "dead").when(Save("Guard", "luck"))


# Two who hold one


def test_a_throw_ends_only_the_grapple_of_the_two():
    """aachen.grapple.drag: Adalger throws the guard whom Bertram holds too: 9 against 5 + 0 - 1; Bertram holds on."""
    told = fight(adalger(), adalger("Bertram"), guard())
    for who in ("Adalger", "Bertram"):
        told = told.when(Grapple(who, "Guard"), [15, 6, 6, 1, 1])
    told = next_round(told, (1, 1)).when(Grapple("Adalger", drag="throw"), [5, 4, 2, 3])
    assert (has(told, "Guard", "prone"), has(told, "Adalger", "grappling")) == (True, False)
    assert told.state.conditions.of["Guard"]["grappled"].whom == ("Bertram",)
    assert told.state.conditions.of["Bertram"]["grappling"].whom == ("Guard",)


def test_opposed_checks_name_both():
    """aachen.surprise.check: every number says whose it is."""
    told = begun(gerlind(), guard()).when(Surprise("opp"), [6, 4, 3, 5])
    (ruling,) = [event for event in told.events if getattr(event, "clause", "") == "aachen.surprise.check"]
    assert [number.of for number in ruling.numbers] == ["Guard's DEX/Sneak", "Gerlind's WIS/Notice"]
    table(gerlind()).when(Check("Gerlind", "INT", "heal", difficulty=8), [4, 4]).ruled(
        "aachen.check.roll", "success", [8, 8]
    )


def test_what_somebody_adds_to_a_check():
    """aachen.check.unskilled: the wolf its skill bonus of 1; with WIS 11 Gerlind's Notice 0, and nothing is -1."""
    told = table(wolf(), gerlind(), adalger())
    added = [bonus(View(told.state), Try(who, "WIS", "notice")) for who in ("Wolf", "Gerlind", "Adalger")]
    assert added == [1, 0, -1]
