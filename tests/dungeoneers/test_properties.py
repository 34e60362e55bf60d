"""What holds for any fight: nothing breaks, sums add up, nobody stands where the book forbids, grapples are mutual."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.action.adjust import Adjust
from commands.action.book import Book, Order
from commands.action.common import Init, Option
from commands.action.dice_sources import Dice, of_record, stream
from commands.action.grid import COMPASS
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Needed, Resolution
from commands.action.view import View
from commands.past.audit import audit
from commands.past.perform import perform as record
from commands.rules.dungeoneers import board, bodies
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack, Shoot
from commands.rules.dungeoneers.basics import Defend, Disengage, Grapple, Push, Sprint
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from commands.rules.dungeoneers.hands import Draw, Stow
from commands.rules.dungeoneers.movement import Face, Move, Prone, Resolve, Stand
from commands.rules.dungeoneers.ready import Ready, Trigger
from commands.rules.dungeoneers.spells import Cast
from ledger.dice import committed
from ledger.errors import AffrayError
from ledger.events import Rolled, Ruled, encode
from ledger.sqlite import SqliteStore
from projections.changes import values
from projections.state import decode
from tests import hints, losses
from tests.courses import amended_at_random
from tests.gm import correction
from tests.kit import KEY, Told, lines, total, verb_of
from tests.sample import FIGHTS

from .table import freya, skeleton, someone, suori, table, ulfarmi

TROLL = {"side": "giants", "size": "large", "power": 3, "endurance": 2, "movement_points": 2, "initiative": 2}
JOINING = (
    suori((0, 0), carried=["dagger"], initiative=2, action_points=2, movement_points=2),
    freya((0, 1), initiative=2),
    ulfarmi((0, 2), equipped=["staff"], cantrips=["firebolt", "mage armor", "wither"]),
    skeleton((2, 0)),
    skeleton((2, 1), "Bones", equipped=["short bow"], ranks={"bow": "D"}, ammo={"arrow": 9}),
    someone("Troll", (3, 3), **TROLL),
    someone("Rat", (1, 3), side="giants", size="tiny", endurance=2),
    someone("Imp", (1, 4), side="giants", size="small", spell=2, mind=2, cantrips=["spark"]),
)
NAMES = ("Suori", "Freya", "Ulfarmi", "Skeleton", "Bones", "Troll", "Rat", "Imp")
DIRECTIONS = tuple(COMPASS)
SPELLS = ("firebolt", "mage armor", "wither", "spark")
CORRECTIONS = (
    ("down", "dead"),
    ("down", "no"),
    ("at", "2,2"),
    ("condition", "grappling"),
    ("condition", "threatened"),
    ("condition", "prone"),
    ("no-equipped", "warhammer"),
)
READY = ("push", "attack", "defend", "grapple", "move")
HOUSE_RULES = {"forced_moves_provoke": True, "rear_arc": "arc", "stress_hit_die": "d4", "minimum_dice": 1}
OPTIONS = ({}, {**HOUSE_RULES, "initiative_ties": "once"})


def perform(told, declaration, allow=""):
    """The action with program dice, if it can be done; and again from its record, byte for byte.

    If it cannot, what the hint offers can.
    """
    said = resolve_names(told.state, declaration)
    try:
        done = resolve(
            Resolution(told.state, verb_of(declaration), said, Dice(stream(KEY, len(told.events) * 7)), allow)
        )
    except Needed:
        raise
    except AffrayError as error:
        hints.check(told.state, error, KEY)
        return None
    rolled = [event for event in done.events if isinstance(event, Rolled)]
    again = resolve(
        Resolution(decode(told.state.encoded()), verb_of(declaration), said, Dice(of_record(rolled)), allow)
    )
    assert [encode(event) for event in again.events] == [encode(event) for event in done.events]
    assert again.state.encoded() == done.state.encoded()
    losses.check(told.state, done.events, done.state)
    return Told(done.state, done.events)


def check(told, allowed=False):
    """The invariants."""
    state, look = told.state, View(told.state)
    for event in told.events:
        if isinstance(event, Ruled):
            assert all(total(number) == number.total for number in event.numbers)
    for who, left in state.points.of.items():
        assert left.get("action", 0) >= 0
        assert left.get("reaction", 0) >= 0
        assert left.get("movement", 0) >= 0 or look.sheet(who).movement_points < 0
    for who in NAMES:
        assert state.magica.left(who) >= 0
        assert state.injuries.total(who) >= 0
        if not allowed:
            assert state.magica.left(who) <= look.sheet(who).magica_capacity
            assert state.injuries.total(who) <= look.sheet(who).wound_capacity
        held = state.conditions.of.get(who, {})
        if "grappling" in held:
            (other,) = held["grappling"].whom
            assert state.conditions.of[other]["grappled"].whom == (who,)
        if "grappled" in held:
            (other,) = held["grappled"].whom
            assert state.conditions.of[other]["grappling"].whom == (who,)
        if state.harm.down.get(who) and state.harm.down[who].how == "dead":
            assert not {"threatened", "grappling", "grappled"} & set(held)
        if not allowed and state.stands(who):
            assert bodies.fits(look, {who: state.positions.at[who]})
        board.row(View(state), who)
    board.header(View(state))
    board.ground(View(state))
    values(state)
    lines(told.events)


def changed(before, told, allowed=False):
    """The table after an action, which is checked; as it was, where the action could not be done."""
    if told is None or told is before:
        return before
    check(told, allowed)
    return told


def random_action(dice, who):
    """Something that somebody might say, sensible or not."""
    target = dice.choice(NAMES)
    answer = dice.choice([(), ("none",), (dice.choice(NAMES),)])
    return dice.choice(
        [
            lambda: Move(who, tuple(dice.choices(DIRECTIONS, k=dice.randint(1, 3))), opportune=answer),
            lambda: Move(who, (dice.choice(DIRECTIONS),)),
            lambda: Attack(who, target, stress=dice.choice([0, 0, 1, 4]), opportune=answer),
            lambda: Attack(who, target, toss=True, hostile=True),
            lambda: Shoot(who, target, opportune=answer),
            lambda: Cast(who, dice.choice(SPELLS), target, extra=dice.randint(0, 2), opportune=answer),
            lambda: Disengage(who),
            lambda: Defend(who),
            lambda: Sprint(who),
            lambda: Grapple(who, target, hostile=dice.random() < 0.3),
            lambda: Grapple(who, release=True),
            lambda: Push(who, target, hostile=dice.random() < 0.3, opportune=answer),
            lambda: Ready(who, dice.choice(READY), **{dice.choice(["before", "after"]): target}),
            lambda: Trigger(target, dice.choice(NAMES)),
            lambda: Face(who, dice.choice(DIRECTIONS)),
            lambda: Prone(who),
            lambda: Stand(who),
            lambda: Draw(who, "dagger", instead=dice.choice([(), ("warhammer",)])),
            lambda: Stow(who, dice.choice(["dagger", "warhammer", "staff"])),
        ]
    )()  # fmt: skip


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.sampled_from(OPTIONS))
@settings(max_examples=3 * FIGHTS, deadline=None)
def test_ten_rounds_of_anything(seed, options):
    dice = random.Random(seed)
    told = table(*JOINING, **options).when(Begin())
    for _ in range(10):
        told = next_round(told)
        check(told)
        while waiting := [
            w for w in told.state.turns.order if told.state.stands(w) and told.state.points.left(w, "turn")
        ]:
            for who in dice.sample(NAMES, 2):
                told = perform(told, Trigger(who, dice.choice(NAMES))) or told
                told = answer(dice, told)
            if not (begun := perform(told, Turn()) or perform(told, Turn(pass_rest=True))):
                assert waiting[0] not in told.state.turns.order or not told.state.stands(waiting[0])
                continue
            told = begun
            for _ in range(3):
                told = changed(told, perform(told, random_action(dice, told.state.turns.who)))
                told = changed(told, answer(dice, told))
            told = perform(told, Done()) or told
            assert not told.state.turns.who


def next_round(told):
    return perform(told, Round()) or perform(told, Round(pass_rest=True)) or told


def answer(dice, told):
    """Answers the window, if one is open."""
    window = told.state.pending.window
    if window and dice.random() < 0.6:
        told = perform(told, Opportune(dice.choice(window.answerable), stress=dice.choice([0, 1]))) or told
    while told.state.pending.window:
        resolved = perform(told, Resolve())
        assert resolved
        told = resolved
    return told


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_game_master_may_allow_anything(seed):
    """With --allow nothing breaks either; and points stay points."""
    dice = random.Random(seed)
    told = perform(next_round(table(*JOINING).when(Begin())), Turn())
    for _ in range(150):
        said = dice.choice(
            [Done(), Turn(dice.choice(NAMES)), Round(), Opportune(dice.choice(NAMES)), Resolve()]
            + [Adjust((dice.choice(NAMES),), *dice.choice(CORRECTIONS), "because")]
            + [correction(dice, "dungeoneers", dice.choice(NAMES), NAMES) for _ in range(3)]
            + [random_action(dice, dice.choice(NAMES)) for _ in range(8)]
        )
        with suppress(AffrayError):
            told = changed(told, perform(told, said, allow=dice.choice(("because", "because", ""))), allowed=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_any_fight_in_a_ledger_is_sound(seed, tmp_path):
    """Ten rounds of anything, recorded in a file: `verify` passes on it."""
    book, dice = Book(SqliteStore.create(str(tmp_path / "fight.affray"), KEY)), random.Random(seed)
    play(book, dice, 10)
    assert audit(book).entries > 100
    amended_at_random(book, dice)
    book.store.close()


def play(book, dice, rounds):
    """Rounds of anything in a ledger without entries, as long as they go on."""

    def say(declaration, allow=""):
        with suppress(AffrayError):
            return record(book, Order(verb_of(declaration), declaration, allow=allow)).entry
        return 0

    assert say(Init("Random", "dungeoneers", committed(KEY)))
    chosen = [Option(name, str(value).lower()) for name, value in HOUSE_RULES.items()]
    dice.shuffle(chosen)
    assert all(say(said) for said in (*chosen[: dice.randint(0, 4)], *JOINING, Begin()))
    for _ in range(300 * rounds):  # what is said at random may hold up a round for ever
        state = book.present()[1]
        if state.turns.round >= rounds:
            break
        if state.pending.window:
            say(Opportune(dice.choice(state.pending.window.answerable)))
            say(Resolve())
        elif state.turns.who:
            for _ in range(3):
                say(random_action(dice, state.turns.who), dice.choice(["", "", "because"]))
                say(correction(dice, "dungeoneers", dice.choice(NAMES), NAMES), dice.choice(["", "because"]))
            say(Done()) or say(Done(), "because")
        else:
            say(Trigger(dice.choice(NAMES), dice.choice(NAMES)))
            say(Turn()) or say(Round()) or say(Round(), "because")
