"""The state: reducers add up events and never judge."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.events import (
    AmmunitionSet,
    AreaEntered,
    Awaited,
    CampaignBegan,
    ConditionEnded,
    ConditionGained,
    Counted,
    EncounterBegan,
    EncounterEnded,
    Engaged,
    Equipped,
    Event,
    Faced,
    Felled,
    GroundCleared,
    GroundLaid,
    HpGained,
    HpLost,
    HpSet,
    InitiativeSet,
    Joined,
    Left,
    MagicaGained,
    Moved,
    OptionChanged,
    OrderSet,
    PainSuffered,
    PhaseBegan,
    Placed,
    PointsSet,
    PointsSpent,
    Rose,
    RoundBegan,
    SideChanged,
    SkirmishJoined,
    StressGained,
    TurnBegan,
    TurnEnded,
    Unequipped,
    WaitingEnded,
    WoundsSustained,
    WoundSuffered,
    decode,
    encode,
)
from ledger.hurting import CHANGES
from projections import changes
from projections.harm import Down, Hp
from projections.state import State, fold
from projections.state import decode as decode_state
from tests.kit import lines
from tests.test_events import ANY, sample

SHEET = msgspec.Raw(b'{"name":"Bob"}')
STORY = st.lists(ANY, max_size=30)


def after(*events: Event) -> State:
    return fold(State(), events)


@pytest.mark.slow
@settings(max_examples=100)
@given(STORY)
def test_reducers_take_any_events_in_any_order(story: list[Event]):
    """And what they make of it can be written, read, and compared."""
    state = fold(State(), story)
    assert decode_state(state.encoded()).encoded() == state.encoded()
    changes.between(State(), state)


@pytest.mark.slow
@given(STORY, st.integers(0, 30))
def test_folding_in_two_parts_is_folding_at_once(story: list[Event], at: int):
    whole = fold(State(), story)
    assert fold(fold(State(), story[:at]), story[at:]) == whole
    step_by_step = State()
    for event in story:
        step_by_step = fold(step_by_step, [event])
    assert step_by_step == whole


@pytest.mark.slow
@given(STORY, st.integers(0, 30))
def test_a_state_that_was_put_away_in_the_middle_goes_on_the_same(story: list[Event], at: int):
    """The digest does not depend on where a checkpoint stood, nor on who had written the events down."""
    middle = decode_state(fold(State(), story[:at]).encoded())
    rest = [decode(encode(event)) for event in story[at:]]
    assert fold(middle, rest).digest() == fold(State(), story).digest()


@pytest.mark.slow
@given(STORY)
def test_a_fold_leaves_the_state_before_it_alone(story: list[Event]):
    before = fold(State(), story[:10])
    written = before.encoded()
    fold(before, story[10:])
    assert before.encoded() == written


@pytest.mark.slow
@given(
    st.lists(
        st.sampled_from(
            [
                PhaseBegan("fire", True),
                PhaseBegan("fire"),
                RoundBegan(1),
                EncounterEnded(1),
                EncounterBegan(2),
                HpSet("Bob", 3, 3),
                TurnBegan("Bob"),
                TurnEnded("Bob"),
            ]
        )
    )
)
def test_the_opening_is_kept_only_while_a_simultaneous_phase_runs(story: list[Event]):
    running = False
    for event in story:
        if isinstance(event, PhaseBegan | TurnBegan):
            running = event.simultaneous
        elif isinstance(event, RoundBegan | EncounterBegan | EncounterEnded):
            running = False
    assert (after(*story).opening is not None) is running


def test_the_opening_is_the_state_as_the_phase_began():
    state = after(HpSet("Bob", 9, 9), PhaseBegan("fire", True), HpLost("Bob", 4, 5))
    assert state.opening
    assert (state.harm.hp["Bob"].now, state.opening.harm.hp["Bob"].now) == (5, 9)
    assert (state.opening.turns.phase, state.opening.opening) == ("fire", None)
    again = fold(state, [PhaseBegan("melee", True)])
    assert again.opening
    assert again.opening.harm.hp["Bob"].now == 5
    assert again.opening.opening is None


# No judgement: nothing is clamped, nothing follows


def test_hit_points_may_fall_below_nothing_and_rise_above_everything():
    """Whether that is death or health is a rule, and a rule's event says so."""
    state = after(HpSet("Bob", 3, 10), HpLost("Bob", 8, -5), HpGained("Bob", 100, 95))
    assert state.harm.hp["Bob"] == Hp(95, 10)
    assert after(HpSet("Bob", 3, 10), HpLost("Bob", 8, -5)).harm.down == {}


def test_somebody_is_down_until_an_event_says_otherwise():
    state = after(HpSet("Bob", 0, 10), Felled("Bob", "dying"), HpGained("Bob", 10, 10))
    assert state.harm.down == {"Bob": Down("dying")}
    assert fold(state, [Rose("Bob")]).harm.down == {}


def test_points_may_be_overspent():
    assert after(PointsSet("Bob", "action", 1), PointsSpent("Bob", "action", 3, 0)).points.left("Bob", "action") == -2
    assert after(PointsSpent("Bob", "action", 3, 0)).points.left("Bob", "action") == -3
    assert after(PointsSet("Bob", "action", 1), EncounterEnded(1)).points.left("Bob", "action") == 0


def test_a_turn_may_begin_for_somebody_whom_nobody_knows():
    state = after(TurnBegan("a stranger"))
    assert state.turns.who == "a stranger"
    assert fold(state, [TurnEnded("a stranger")]).turns.last == "a stranger"


# What each aspect adds up


def test_the_campaign_keeps_its_house_rules():
    state = after(
        CampaignBegan("Keep", "freepg", (("c0", "h0"), ("c1", "h1"))),
        OptionChanged("a", 1),
        OptionChanged("b", True),
        OptionChanged("a", "x"),
    )
    assert (state.campaign.name, state.campaign.system, state.campaign.options) == (
        "Keep",
        "freepg",
        {"a": "x", "b": True},
    )


def test_the_roster_is_in_the_order_of_joining():
    state = after(Joined("Bob", "foes", SHEET), Joined("Ann", "party", SHEET), Joined("Cat", "foes", SHEET))
    assert state.roster.order == ("Bob", "Ann", "Cat")
    assert (state.roster.sides(), state.roster.of_side("foes")) == (["foes", "party"], ["Bob", "Cat"])
    assert fold(state, [SideChanged("Bob", "party")]).roster.of_side("party") == ["Bob", "Ann"]
    assert fold(state, [Left("Bob"), Joined("Bob", "foes", SHEET)]).roster.order == ("Ann", "Cat", "Bob")


def test_those_who_leave_leave_nothing_behind():
    came = after(
        Joined("Bob", "foes", SHEET),
        HpSet("Bob", 1, 2),
        Felled("Bob", "dead"),
        ConditionGained("Bob", "prone"),
        PointsSet("Bob", "action", 1),
        Equipped("Bob", "sword"),
        Placed("Bob", (1, 2, 0)),
        Awaited("ready", "Bob", "hit", {}),
    )
    assert fold(came, [Left("Bob")]) == State()


def test_an_encounter_has_ground_until_it_ends():
    state = after(EncounterBegan(1, "Bridge"), GroundLaid("wall", ((2, 1), (1, 1))), GroundLaid("wall", ((0, 5),)))
    assert state.encounter.ground == {"wall": ((0, 5), (1, 1), (2, 1))}
    assert fold(state, [GroundCleared("wall", ((1, 1), (9, 9)))]).encounter.ground == {"wall": ((0, 5), (2, 1))}
    ended = fold(state, [EncounterEnded(1)])
    assert (ended.encounter.running, ended.encounter.name, ended.encounter.ground) == (False, "Bridge", {})


def test_rounds_phases_and_turns():
    state = after(EncounterBegan(1), OrderSet(("Ann", "gm")), RoundBegan(1), PhaseBegan("fire"), TurnBegan("Ann"))
    assert (state.turns.order, state.turns.round, state.turns.phase, state.turns.who) == (
        ("Ann", "gm"),
        1,
        "fire",
        "Ann",
    )
    following = fold(state, [RoundBegan(2)]).turns
    assert (following.round, following.phase, following.who) == (2, "", "")
    assert fold(state, [EncounterBegan(2)]).turns == State().turns


def test_a_condition_replaces_one_of_the_same_name():
    state = after(ConditionGained("Bob", "aimed", amount=1), ConditionGained("Bob", "aimed", amount=2))
    assert state.conditions.of["Bob"]["aimed"].amount == 2
    assert fold(state, [ConditionEnded("Bob", "aimed"), ConditionEnded("Bob", "never")]).conditions.of == {}


def test_gear_is_in_the_order_of_putting_on():
    state = after(Equipped("Bob", "sword"), Equipped("Bob", "helm"), Equipped("Bob", "sword"), Unequipped("Bob", "bow"))
    assert state.gear.equipped["Bob"] == ("helm", "sword")


def test_a_move_that_nobody_measured_changes_no_place():
    state = after(Placed("Bob", (1, 2, 0)), Moved("Bob", "walk", 3))
    assert state.positions.at == {"Bob": (1, 2, 0)}
    assert fold(state, [Moved("Bob", "walk", 3, (4, 2, 1))]).positions.at == {"Bob": (4, 2, 1)}


def test_one_thing_of_a_kind_waits_for_each():
    state = after(
        Awaited("ready", "Ann", "hit", {}), Awaited("ready", "Bob", "hit", {}), Awaited("ready", "Ann", "run", {"a": 1})
    )
    assert [(one.who, one.verb) for one in state.pending.waiting] == [("Bob", "hit"), ("Ann", "run")]
    assert (
        fold(state, [WaitingEnded("ready", "Bob", "done"), WaitingEnded("ready", "Cat", "done")]).pending.of(
            "ready", "Bob"
        )
        is None
    )


def all_that_is_somebodys(who: str, friend: str) -> list[Event]:
    """One event or more of every kind that says something of one combatant."""
    return [
        Joined(who, f"side of {who}", SHEET), HpSet(who, 9, 12), HpLost(who, 4, 5), Felled(who, "dying"),
        PainSuffered(who, 7, 7), StressGained(who, 2, 2), WoundsSustained(who, 3, 3),
        WoundSuffered(who, "broken arm", "arm"), MagicaGained(who, 6, 6),
        ConditionGained(who, "dazed", amount=-1), Equipped(who, "sword"), AmmunitionSet(who, "arrow", 11),
        PointsSet(who, "action", 2), InitiativeSet(who, 8), Placed(who, (1, 2, 0)), Faced(who, "N"),
        AreaEntered(who, "hall"), Engaged(who, friend), Awaited("ready", who, "hit", {}),
        Awaited("plan", who, "run", {}), WaitingEnded("plan", who, "done"),
        Counted(who, "feet", 30, until="round-end"), Counted(who, "blows", 1, until="encounter-end"),
    ]  # fmt: skip


def test_leaving_removes_everything_of_one_combatant_and_nothing_of_others():
    """The table is then as if Ann had never come; only the skirmish remembers that it was fought."""
    anns, bobs = all_that_is_somebodys("Ann", "Amy"), all_that_is_somebodys("Bob", "Ben")
    without_ann = after(*bobs)
    for story in ([*anns, *bobs], [*bobs, *anns]):
        assert after(*story, Left("Ann")) == without_ann
        assert after(*story, Left("Cat")) == after(*story)
    assert without_ann.pain.of == {"Bob": 7}
    assert without_ann.harm.hp == {"Bob": Hp(5, 12)}
    assert after(*anns, *bobs, Left("Ann"), Left("Bob")) == State()
    skirmish = [SkirmishJoined("Ann", 1, 0), SkirmishJoined("Bob", 1, 0), SkirmishJoined("Cat", 1, 1)]
    (rest,) = after(*skirmish, Left("Ann")).skirmishes.of
    assert rest.sides == (("Bob",), ("Cat",))


def test_the_same_ledger_has_the_same_digest_for_everybody():
    """Whatever the order in which a mapping came to be."""
    one = after(OptionChanged("a", 1), OptionChanged("b", 2))
    other = after(OptionChanged("b", 2), OptionChanged("a", 1))
    assert one.digest() == other.digest()
    assert one.encoded() == '{"campaign":{"options":{"a":1,"b":2}}}'


@pytest.mark.slow
@settings(max_examples=100)
@given(STORY)
def test_any_entry_can_be_told(story: list[Event]):
    """Narration takes everything that is recorded."""
    assert all(isinstance(line, str) for line in lines(story))


def test_the_card_of_a_harm_is_that_of_an_aspect_too():
    """What an event changes is on the board under its word, among the words of harm, and goes when they leave."""
    for kind in CHANGES.values():
        state = after(Joined("x", "party", SHEET), sample(kind))
        if kind.TONE != "healing":
            assert f"x.{kind.WORD}" in changes.values(state)
        assert kind.WORD in changes.HARM
        assert fold(state, [Left("x")]) == State()
