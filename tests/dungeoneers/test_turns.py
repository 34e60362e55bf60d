"""Rounds, turns, the order, and points."""

from commands.action.adjust import Adjust
from commands.rules.dungeoneers.aid import Rest
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Defend, Disengage, Grapple, Push, Sprint
from commands.rules.dungeoneers.encounter import Begin, Done, End, Initiative, Round, Turn
from commands.rules.dungeoneers.movement import Face, Move, Prone
from commands.rules.dungeoneers.ready import Ready, Trigger
from ledger.events import (
    ConditionEnded,
    InitiativeSet,
    MagicaGained,
    OrderSet,
    PointsSet,
    Rolled,
    RoundBegan,
    Ruled,
    TurnBegan,
    TurnEnded,
    WaitingEnded,
)
from tests.kit import no

from .table import (
    alberich,
    conditions,
    fight,
    freya,
    hint_of,
    impossible,
    points,
    rolls,
    skeleton,
    suori,
    table,
    turn_of,
    ulfarmi,
)


def begun(*joining, **options):
    return table(*joining, **options).when(Begin())


def test_everybody_has_one_turn_a_round():
    """dungeoneers.turn.one-each"""
    told = fight(suori(), skeleton()).when(Done())
    told.refused(Turn("Suori"), "dungeoneers.turn.one-each")
    over = told.when(Turn("Skeleton")).then(TurnBegan("Skeleton")).when(Done())
    over.refused(Turn("Skeleton"), "dungeoneers.turn.one-each")
    over.refused(Turn(), "dungeoneers.turn.one-each")
    told.when(Turn("Suori"), allow="a second wind").then(TurnBegan("Suori"))


def test_the_order_follows_the_scores():
    """dungeoneers.initiative.order: 5, 3, 2; no dice."""
    joining = (ulfarmi(initiative=2), suori(initiative=5), skeleton(initiative=3))
    begun(*joining).when(Round()).then(OrderSet(("Suori", "Skeleton", "Ulfarmi")), no(Rolled))


def test_a_score_can_be_replaced():
    """dungeoneers.initiative.order: from the next round on."""
    told = begun(suori(initiative=5), skeleton(initiative=3))
    told.when(Round(("Skeleton=6",))).then(InitiativeSet("Skeleton", 6), OrderSet(("Skeleton", "Suori")))
    told.when(Initiative(("skel=-2", "suori=-3"))).when(Round()).then(OrderSet(("Skeleton", "Suori")))
    impossible(told, Initiative(("Suori",)), "NAME=N")
    impossible(told, Initiative(("Suori=x",)), "whole number")


def test_a_tie_is_rolled_off():
    """dungeoneers.initiative.tie-d10: 3 and 7: Freya first."""
    told = begun(suori(initiative=4), freya(initiative=4), skeleton(initiative=3)).when(Round(), [3, 7])
    told.then(OrderSet(("Freya", "Suori", "Skeleton")))
    assert rolls(told) == [("Suori", "1d10", "tie"), ("Freya", "1d10", "tie")]


def test_a_tie_die_is_no_pool():
    """dungeoneers.initiative.tie-d10: no weight of armor touches it."""
    told = begun(suori(initiative=4), ulfarmi(initiative=4, equipped=["plate"])).when(Round(), [3, 7])
    told.then(OrderSet(("Ulfarmi", "Suori")))


def test_a_tie_of_the_dice_is_rolled_again():
    """dungeoneers.initiative.tie-reroll: 6, 6, 9; then 2, 8 between the two."""
    three = (suori(initiative=4), freya(initiative=4), ulfarmi(initiative=4))
    begun(*three).when(Round(), [6, 6, 9, 2, 8]).then(OrderSet(("Ulfarmi", "Freya", "Suori")))


def test_a_tie_is_rolled_again_depth_first():
    """dungeoneers.initiative.tie-reroll: 5, 5, 2, 2: the fives again (4, 4; then 1, 9), only then the twos (3, 6)."""
    four = (suori(initiative=4), freya(initiative=4), ulfarmi(initiative=4), skeleton(initiative=4))
    told = begun(*four).when(Round(), [5, 5, 2, 2, 4, 4, 1, 9, 3, 6])
    told.then(OrderSet(("Freya", "Suori", "Skeleton", "Ulfarmi")))
    assert [who for who, _, _ in rolls(told)][4:] == ["Suori", "Freya", "Suori", "Freya", "Ulfarmi", "Skeleton"]


def test_the_order_is_decided_anew_each_round():
    """dungeoneers.initiative.each-round: 3 and 7, then 9 and 1."""
    told = begun(suori(initiative=4), freya(initiative=4)).when(Round(), [3, 7]).then(OrderSet(("Freya", "Suori")))
    told = told.when(Turn()).when(Done()).when(Turn()).when(Done())
    told.when(Round(), [9, 1]).then(OrderSet(("Suori", "Freya")))


def test_a_tie_may_be_rolled_once():
    """dungeoneers.initiative.roll-once: round 2 keeps Freya before Suori; a third one rolls 9, 5 or 2 among 7 and 3."""
    told = begun(suori(initiative=4), freya(initiative=4), skeleton(initiative=3), initiative_ties="once")
    told = told.when(Round(), [3, 7])
    for _ in range(3):
        told = told.when(Turn()).when(Done())
    told.when(Round()).then(OrderSet(("Freya", "Suori", "Skeleton")), no(Rolled))
    told.when(Round(("Skeleton=4",)), [9]).then(OrderSet(("Skeleton", "Freya", "Suori")))
    told.when(Round(("Skeleton=4",)), [5]).then(OrderSet(("Freya", "Skeleton", "Suori")))
    told.when(Round(("Skeleton=4",)), [2]).then(OrderSet(("Freya", "Suori", "Skeleton")))
    told.when(Round(("Suori=5", "Freya=5")), [8, 1]).then(OrderSet(("Suori", "Freya", "Skeleton")))


def test_turns_follow_each_other():
    """dungeoneers.turn.order"""
    told = fight(suori(), skeleton(), ulfarmi())
    told.refused(Turn(), "dungeoneers.turn.order")
    told.refused(Turn("Skeleton"), "dungeoneers.turn.order")
    told = told.when(Done()).refused(Turn("Ulfarmi"), "dungeoneers.turn.order")
    begun(suori()).refused(Turn(), "dungeoneers.turn.order")


def test_turn_ends_the_turn_under_way_where_nothing_of_it_is_left():
    """dungeoneers.turn.order: one attack and one step are all that Suori has; or what is left may lapse by a word."""
    told = fight(suori(), skeleton(), ulfarmi()).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    told.refused(Turn(), "dungeoneers.turn.order")
    told.when(Turn(pass_rest=True)).then(TurnEnded("Suori"), TurnBegan("Skeleton"))
    told = told.when(Face("Suori", "N"))
    told = told.when(Turn()).then(TurnEnded("Suori"), TurnBegan("Skeleton"))
    told.refused(Turn("Suori"), "dungeoneers.turn.one-each")


def test_done_between_two_turns_passes_the_next_one():
    """dungeoneers.turn.pass: the turn begins as any does, 1 magica comes back, and ends; then nobody is left."""
    told = fight(suori(), ulfarmi(magica=0), skeleton()).when(Done())
    told = told.when(Done()).then(TurnBegan("Ulfarmi"), MagicaGained("Ulfarmi", 1, 1, 6), TurnEnded("Ulfarmi"))
    told.ruled("dungeoneers.turn.pass", "Ulfarmi passes their turn")
    told = told.when(Done()).then(TurnBegan("Skeleton"), TurnEnded("Skeleton"))
    impossible(told, Done(), "No turn is under way.")
    told.when(Round())


def test_no_hint_between_two_turns_passes_one():
    """`done` is offered only to end the turn that is under way."""
    told = fight(suori(), freya(), skeleton()).when(Done())
    assert "affray done" not in hint_of(told, Attack("Skeleton", "Suori"))


def test_done_does_not_let_a_readied_action_lapse():
    """dungeoneers.ready.lapse: Suori's blow for the moment before the skeleton's turn can still be taken."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "attack", target="Skeleton", before="Skeleton")).when(Done())
    told.refused(Done(), "dungeoneers.ready.lapse")


def test_turn_leaves_a_gap_for_what_is_readied():
    """dungeoneers.ready.lapse: after Suori's turn, or in any gap; the turn ends first, by `done`."""
    for gap in ("Suori", "Bones"):
        told = fight(suori(), skeleton(), skeleton((9, 9), "Bones")).when(Adjust("Bones", "down", "dead", "crushed"))
        told = told.when(Ready("Suori", "attack", after=gap), allow="" if gap == "Suori" else "whenever")
        told = told.when(Face("Suori", "N"))
        told.refused(Turn(), "dungeoneers.ready.lapse")
        told.when(Turn(pass_rest=True)).then(TurnBegan("Skeleton"))
        told.when(Done()).when(Trigger("Suori", "Skeleton"), [1, 1, 4]).when(Turn()).then(TurnBegan("Skeleton"))


def test_turns_follow_each_other_past_the_dead():
    """dungeoneers.turn.order, dungeoneers.death.effects"""
    told = fight(suori(), skeleton(), ulfarmi()).when(Adjust("Skeleton", "down", "dead", "crushed")).when(Done())
    told.when(Turn()).then(TurnBegan("Ulfarmi"))
    told.refused(Turn("Skeleton"), "dungeoneers.death.no-acting")


def test_a_round_is_over_when_all_have_acted():
    """dungeoneers.round.complete"""
    told = fight(suori(), skeleton())
    told.refused(Round(), "dungeoneers.round.complete")
    told = told.when(Done()).refused(Round(), "dungeoneers.round.complete")
    told.when(Turn()).when(Done()).when(Round()).then(RoundBegan(2), OrderSet(("Suori", "Skeleton")))
    impossible(table(suori()), Round(), "No encounter")


def test_a_round_ends_the_turn_of_which_nothing_is_left():
    """dungeoneers.round.complete, dungeoneers.ready.lapse: but it lets nothing lapse that was readied for its end."""
    last = turn_of(fight(suori(), skeleton((9, 9))), "Skeleton").when(Defend("Skeleton"))
    last.refused(Round(), "dungeoneers.round.complete")
    last.when(Move("Skeleton", ("N",))).when(Round()).then(TurnEnded("Skeleton"), RoundBegan(2))
    readied = fight(suori(), skeleton((1, 0))).when(Ready("Suori", "attack", after="Skeleton", target="Skeleton"))
    spent = turn_of(readied, "Skeleton").when(Defend("Skeleton")).when(Move("Skeleton", ("N",)))
    spent.refused(Round(), "dungeoneers.ready.lapse")
    spent.when(Round(pass_rest=True)).then(TurnEnded("Skeleton"), RoundBegan(2))


def test_the_start_of_a_turn():
    """dungeoneers.turn.start-sequence: readied action, defensive, points, magica 2 to 3."""
    told = fight(ulfarmi(magica=2, action_points=2), skeleton((9, 9)))
    told = told.when(Defend("Ulfarmi")).when(Ready("Ulfarmi", "push", before="Ulfarmi"))
    told = turn_of(told, "Ulfarmi").then(
        WaitingEnded("readied", "Ulfarmi", "lapsed", "push", "it waited for the moment before Ulfarmi's turn"),
        TurnBegan("Ulfarmi"),
        ConditionEnded("Ulfarmi", "defensive"),
        PointsSet("Ulfarmi", "action", 2),
        PointsSet("Ulfarmi", "movement", 1),
        MagicaGained("Ulfarmi", 1, 4),
    )


def test_nothing_is_ruled_of_who_has_no_movement_and_gets_none():
    """dungeoneers.turn.start-sequence: 0 movement points are no sum."""
    told = turn_of(fight(suori(movement_points=0), skeleton((9, 9))), "Suori")
    assert not [event for event in told.last if isinstance(event, Ruled) and "start-sequence" in event.clause]


def test_nobody_acts_on_anothers_turn():
    """dungeoneers.turn.own-turn-only"""
    told = turn_of(fight(suori(), skeleton()), "Skeleton")
    for said in (Move("Suori", ("N",)), Attack("Suori", "Skeleton"), Defend("Suori")):
        told.refused(said, "dungeoneers.turn.own-turn-only")


def test_names_never_change_places_in_what_is_offered():
    """dungeoneers.turn.own-turn-only: it is Skeleton's turn, and `done` would end it."""
    told = turn_of(fight(suori(), skeleton()), "Skeleton")
    assert hint_of(told, Attack("Suori", "Skeleton")) == "affray done"
    assert hint_of(told, Move("Suori", ("N",))) == "affray done"


def test_actions_cost_points():
    """dungeoneers.action-points.spend, dungeoneers.attack.cost: a miss costs as much; then there is none left."""
    told = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    told.ruled("dungeoneers.attack.hit-compare", "miss", [2, 4])
    assert points(told, "Suori") == (0, 1, 1)
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.attack.cost")
    told.refused(Push("Suori", "Skeleton"), "dungeoneers.action-points.spend")
    two = fight(suori(action_points=2), skeleton()).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    assert points(two.when(Attack("Suori", "Skeleton"), [1, 1, 4]), "Suori") == (0, 1, 1)


def test_what_is_not_spent_is_lost():
    told = (
        fight(suori(), skeleton())
        .when(Done())
        .then(TurnEnded("Suori"), PointsSet("Suori", "action", 0), PointsSet("Suori", "movement", 0))
    )
    assert points(told, "Suori") == (0, 0, 1)


def test_everybody_may_take_the_basic_actions():
    """dungeoneers.action.basic-list: all but what a sheet denies."""
    ooze = fight(suori(side="vermin", denied_actions=["grapple", "ready"]), freya((1, 0)))
    ooze.refused(Grapple("Suori", "Freya"), "dungeoneers.action.basic-list")
    ooze.refused(Ready("Suori", "push", before="Freya"), "dungeoneers.action.basic-list")
    ooze.when(Push("Suori", "Freya"), [4, 4, 1, 1])
    for action in (Disengage("Suori"), Defend("Suori"), Sprint("Suori")):
        ooze.when(action)


def test_points_can_be_given_by_the_campaign():
    """The options default_action_points and default_reaction_points; a sheet's own number wins."""
    told = fight(suori(), freya(action_points=1), default_action_points=3, default_reaction_points=2)
    assert points(told, "Suori") == (3, 1, 2)
    assert points(turn_of(told, "Freya"), "Freya") == (1, 1, 2)


def test_reaction_points_come_back_each_round():
    """dungeoneers.reaction.points: a strike in round 1 leaves none; round 2 gives 1."""
    told = turn_of(fight(suori(), freya((2, 0)), skeleton((1, 0))), "Skeleton")
    told = told.when(Move("Skeleton", ("N",), opportune=("none",)))
    left = turn_of(told, "Skeleton").when(Move("Skeleton", ("N",), opportune=("Freya",)), [1, 1, 4])
    assert points(left, "Freya")[2] == 0
    assert points(left.when(Done()).when(Round()), "Freya")[2] == 1


def test_the_end_ends_what_was_for_the_fight():
    """Conditions, readied actions and points; but the prone stay prone."""
    told = fight(suori(action_points=3), skeleton()).when(Defend("Suori")).when(Prone("Suori"))
    told = told.when(Grapple("Suori", "Skeleton"), [4, 4, 1]).when(Ready("Suori", "push", before="Skeleton"))
    told = told.when(End()).then(WaitingEnded("readied", "Suori", "lapsed", "push", "the encounter is over"))
    assert conditions(told, "Suori") == {"prone"}
    assert not told.state.conditions.of.get("Skeleton")
    assert not told.state.pending.waiting
    assert points(told, "Suori") == (0, 0, 0)
    impossible(told, End(), "No encounter")
    told.when(Rest(("Suori",), "short")).when(Begin()).then(no(Rolled))


def test_begin_asks_for_a_table():
    impossible(table(), Begin(), "Nobody")
    impossible(begun(suori()), Begin(), "under way")
    impossible(begun(suori()), Done(), "No turn")


def test_one_who_dies_in_its_turn_still_ends_it():
    """dungeoneers.death.effects"""
    told = fight(alberich(), skeleton()).when(Adjust("Alberich", "down", "dead", "a heart attack"))
    told.when(Done()).then(TurnEnded("Alberich"))


def test_a_kept_tie_outlives_those_who_tied():
    """dungeoneers.initiative.roll-once: 2, 9, 5 among three; one falls, and the other two keep what they rolled.

    Another one comes to tie with them and alone rolls: 5 ties with Ulfarmi, 5 again, then 8 is higher. It leaves again.
    """
    told = begun(suori(initiative=4), freya(initiative=4), ulfarmi(initiative=4), initiative_ties="once")
    told = told.when(Round(), [2, 9, 5]).then(OrderSet(("Freya", "Ulfarmi", "Suori")))
    told = told.when(Adjust("Freya", "down", "dead", "an arrow"))
    for _ in range(2):
        told = told.when(Turn()).when(Done())
    told = told.when(Round()).then(OrderSet(("Ulfarmi", "Suori")), no(Rolled))
    for _ in range(2):
        told = told.when(Turn()).when(Done())
    told = told.when(skeleton((9, 9), initiative=4)).when(Turn()).when(Done())
    told = told.when(Round(), [5, 5, 8]).then(OrderSet(("Skeleton", "Ulfarmi", "Suori")))
    told = told.when(Adjust("Skeleton", "down", "dead", "dust"))
    for _ in range(2):
        told = told.when(Turn()).when(Done())
    told.when(Round()).then(OrderSet(("Ulfarmi", "Suori")), no(Rolled))


def test_a_newcomer_of_the_highest_score_is_first_where_nobody_has_had_a_turn():
    """dungeoneers.turn.one-each"""
    told = begun(suori(initiative=50), freya(initiative=40)).when(Round())
    told.when(skeleton((9, 9), initiative=60)).then(OrderSet(("Skeleton", "Suori", "Freya")))
    told.when(Turn()).when(skeleton((9, 9), initiative=60)).then(OrderSet(("Suori", "Skeleton", "Freya")))


def test_only_a_newcomer_to_a_kept_tie_rolls():
    """dungeoneers.initiative.roll-once, dungeoneers.initiative.tie-reroll: 6, 6 and 9, then 2 and 8 for the two sixes.

    The skeleton's 6 ties with both sixes; its second roll counts against 2 and 8. With 8 it ties with Freya, and the
    next roll against her 8 decides. What they rolled then is kept, without the skeleton too.
    """
    told = begun(suori(initiative=4), freya(initiative=4), ulfarmi(initiative=4), initiative_ties="once")
    told = told.when(Round(), [6, 6, 9, 2, 8]).then(OrderSet(("Ulfarmi", "Freya", "Suori")))
    for _ in range(3):
        told = told.when(Turn()).when(Done())
    told = told.when(skeleton((9, 9), initiative=4)).when(Turn()).when(Done())
    for dice, order in (
        ([10], ("Skeleton", "Ulfarmi", "Freya", "Suori")),
        ([6, 5], ("Ulfarmi", "Freya", "Skeleton", "Suori")),
        ([6, 8, 9], ("Ulfarmi", "Skeleton", "Freya", "Suori")),
        ([6, 8, 8, 1], ("Ulfarmi", "Freya", "Skeleton", "Suori")),
        ([6, 2, 1], ("Ulfarmi", "Freya", "Suori", "Skeleton")),
    ):
        come = told.when(Round(), dice).then(OrderSet(order))
        gone = come.when(Adjust("Skeleton", "down", "dead", "dust"))
        for _ in range(3):
            gone = gone.when(Turn()).when(Done())
        gone.when(Round()).then(OrderSet(("Ulfarmi", "Freya", "Suori")), no(Rolled))


def test_a_round_that_is_allowed_too_early_ends_the_turn_under_way():
    """dungeoneers.round.complete: what was readied for after that turn is lost with it."""
    told = fight(suori(action_points=2), skeleton()).when(Ready("Suori", "defend", after="Suori"))
    told = told.when(Round(), allow="the bell").then(
        TurnEnded("Suori"),
        WaitingEnded("readied", "Suori", "lapsed", "defend", "it waited for the moment after Suori's turn"),
        RoundBegan(2),
    )
    assert told.state.turns.who == ""
    assert points(told, "Suori") == (0, 0, 1)
    told.when(Turn()).then(TurnBegan("Suori"))


def test_there_are_no_turns_without_an_encounter():
    """dungeoneers.turn.order: not even by the game master's word; the hints lead to the first turn."""
    told = table(suori(initiative=1), skeleton())
    impossible(told, Turn("Suori"), "No encounter")
    for ready, hint in ((told, "affray begin"), (told.when(Begin()), "affray round")):
        assert hint_of(ready, Attack("Suori", "Skeleton")) == hint
    assert hint_of(told.when(Begin()).when(Round()), Attack("Suori", "Skeleton")) == "affray turn"
    assert hint_of(fight(suori(), skeleton()), Defend("Skeleton")) == "affray done"
