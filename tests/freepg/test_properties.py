"""What holds for any attack: nothing breaks, every sum adds up, near and narrow is best."""

from hypothesis import given, settings
from hypothesis import strategies as st

from commands.action.dice_sources import Dice, stream
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.movement import Move
from ledger.errors import AffrayError
from ledger.events import HpLost, Ruled
from tests import hints
from tests.kit import KEY, Told, total, verb_of

from .table import ALL_ITEMS, BOW, boffin, brak, grub, jane, someone, table

NAMES = ("Boffin", "Jane", "Brak", "Grub", "Guard", "Flames")
GROUND = {"obstacles": [[2, 2], [2, 3]], "amplifiers": [[1, 0]], "drains": [[3, 3]], "difficult": [[4, 4]]}
TABLE = table(
    boffin(*ALL_ITEMS, at=(0, 0)),
    jane(BOW, at=(0, 1)),
    brak(at=(5, 0)),
    grub(at=(4, 3)),
    someone("Guard", (1, 4), kind="ally"),
    someone("Flames", kind="trap", trap="continuous"),
).when(Begin(map=GROUND, unordered=True))

SQUARES = st.tuples(st.integers(-2, 8), st.integers(-2, 8), st.integers(0, 2))
ATTACKS = st.builds(
    Attack,
    who=st.sampled_from(NAMES),
    target=st.lists(st.sampled_from(NAMES), max_size=3, unique=True).map(tuple),
    at=st.none() | SQUARES,
    with_=st.sampled_from(["", "none", "sword", "stick"]),
    radius=st.none() | st.integers(-1, 5),
    distance=st.none() | st.integers(0, 9),
    los=st.lists(st.sampled_from(["clear", "blocked", "clear@Grub", "blocked@Brak"]), max_size=2).map(tuple),
    mod=st.lists(st.sampled_from(["hit:+2:scope", "armor@Brak:-3", "untyped:-1"]), max_size=2).map(tuple),
    triggered=st.booleans(),
)
MOVES = st.builds(
    Move,
    who=st.sampled_from(NAMES),
    to=st.none() | SQUARES,
    via=st.lists(SQUARES, max_size=1).map(tuple),
    squares=st.none() | st.integers(0, 9),
    mode=st.sampled_from(["walk", "run", "shift", "fly", "dive", "swim"]),
    pay=st.sampled_from(["squares", "penalty"]),
    lands=st.booleans(),
    current=st.integers(0, 3),
    drift=st.none() | SQUARES,
    against_obstacle=st.booleans(),
)


@given(st.lists(st.tuples(ATTACKS | MOVES, st.sampled_from(["", "because"])), min_size=1, max_size=5))
@settings(max_examples=80, deadline=None)
def test_nothing_that_can_be_said_breaks_and_every_sum_adds_up(said):
    told = TABLE
    for place, (declaration, allow) in enumerate(said):
        try:
            resolved = resolve(
                Resolution(
                    told.state,
                    verb_of(declaration),
                    resolve_names(told.state, declaration),
                    Dice(stream(KEY, place * 100)),
                    allow,
                )
            )
        except AffrayError as error:
            hints.check(told.state, error, KEY)
            continue
        told = Told(resolved.state, resolved.events)
        for event in told.events:
            if isinstance(event, Ruled):
                assert all(total(number) == number.total for number in event.numbers)
            if isinstance(event, HpLost):
                assert event.points >= 1
                assert event.left >= 0


FACES = st.integers(1, 20)


@given(FACES, FACES, st.integers(1, 12), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_near_and_narrow_is_best(strikes, guards, distance, radius):
    """freepg.attack.best-case: distance and radius never raise hit or damage."""
    start = table(boffin(), grub(hp_max=60))

    def lost(**options: int) -> int:
        after = start.when(Attack("Boffin", ("Grub",), **options), [strikes, guards])
        return 60 - after.state.harm.hp["Grub"].now

    assert lost(distance=distance, radius=radius) <= lost()
    assert lost(distance=distance + 1, radius=radius) <= lost(distance=distance, radius=radius)
    assert lost(distance=distance, radius=radius + 1) <= lost(distance=distance, radius=radius)


@given(FACES, FACES)
@settings(max_examples=60, deadline=None)
def test_a_bare_attack_is_the_difference_of_the_dice(strikes, guards):
    """freepg.attack.damage, freepg.attack.hit-test: the eleven steps without any bonus."""
    after = table(boffin(), grub(hp_max=60)).when(Attack("Boffin", ("Grub",)), [strikes, guards])
    lost = 60 - after.state.harm.hp["Grub"].now
    if strikes == 1:
        assert lost == 0
    elif strikes == 20:
        assert lost == 25 - guards
    else:
        assert lost == max(strikes - guards, 0)
