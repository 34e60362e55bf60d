"""Random fights: whatever is said, nothing breaks, and everything resolves again to the same bytes."""

import tempfile
from random import Random

import pytest
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st

from commands.action.adjust import Adjust
from commands.action.book import Book, Order
from commands.action.common import Init, Leave, Option
from commands.action.declaration import Declaration
from commands.action.names import resolve_names
from commands.action.resolution import Needed
from commands.action.view import View
from commands.past.audit import audit
from commands.past.perform import perform
from commands.rules.aachen import SYSTEM, board
from commands.rules.aachen.actions import up_next
from commands.rules.aachen.attack import Charge
from commands.rules.aachen.deeds import Act, Cast, Effect
from commands.rules.aachen.encounter import Begin, End, Rest, Surprise
from commands.rules.aachen.hands import Draw, Reload, Stow
from commands.rules.aachen.healing import Heal
from commands.rules.aachen.instants import Defend, Ready, Trigger
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Prone, Retreat, Stand, Withdraw
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rolls import Check, Morale, Reaction, Save
from commands.rules.aachen.rounds import Done, Initiative, Pass, Round, Turn
from commands.rules.aachen.struggles import Grapple, Push
from ledger.dice import committed
from ledger.errors import AffrayError
from ledger.events import HpLost, Ruled
from ledger.sqlite import SqliteStore
from ledger.store import Store
from projections.changes import values
from projections.state import State, decode, fold
from tests import hints, losses
from tests.courses import amended_at_random
from tests.gm import correction
from tests.kit import KEY, lines, total, verb_of
from tests.sample import FIGHTS

from .table import CROSSBOW, DAGGER, JAVELIN, SPEAR, SWORD, adalger, gerlind, guard, wolf

JOINING = (
    adalger(weapons=[{**SPEAR, "range": [20, 60], "thrown": True}, SWORD, DAGGER]),
    gerlind(weapons=[CROSSBOW, JAVELIN], watchful=1),
    adalger("Bero", shield=True, ac=12, frail=True, weapons=[SWORD]),
    guard(luck=True),
    guard("Minor", minor=True, weapons=[{**SWORD, "ready": False}]),
    guard("Tough", hp_max=20, shield=True),
    wolf(),
)
NAMES = ("Adalger", "Gerlind", "Bero", "Guard", "Minor", "Tough", "Wolf")
CONDITIONS = ("unaware", "helpless", "prone", "broken", "grappled", "grappling", "surprised", "stable")


class Fight:
    """A fight in a ledger, which a seed plays."""

    def __init__(self, seed: int, store: Store) -> None:
        self.random = Random(seed)
        self.book = Book(store)
        choose = self.random.choice
        assert self.say(Init("Random", "aachen", committed(KEY)))
        for name, option in self.random.sample(list(SYSTEM.options.items()), len(SYSTEM.options)):
            if choose((0, 0, 1)):
                values = ("none",) if option.hands else option.choices or (0, 1, 2)
                assert self.say(Option(name, str(choose(values)).lower()))
        some = self.random.sample(JOINING, self.random.randint(3, 7))
        self.late = [joining for joining in JOINING if joining not in some]
        assert all(self.say(joining) for joining in some)

    @property
    def state(self) -> State:
        """What is so."""
        return self.book.present()[1]

    def say(self, declaration: Declaration, allow: str = "") -> bool:
        """Says something; whether it was recorded. Nothing but an answer comes of what cannot be said."""
        try:
            done = perform(self.book, Order(verb_of(declaration), declaration, allow=allow))
        except Needed:
            raise
        except AffrayError as error:
            self.refused(error)
            return False
        losses.check(done.before, done.events, done.after if not done.again else fold(done.before, done.events))
        self.check(done.events, allow)
        return True

    def refused(self, error: AffrayError) -> None:
        """What is done about a refusal: nothing."""

    def check(self, events, allow: str) -> None:
        """Sums add up, hit points stay between 0 and the maximum, contact and grapples are mutual, all is told."""
        state = self.state
        for event in events:
            if isinstance(event, Ruled):
                assert all(total(number) == number.total for number in event.numbers)
            if isinstance(event, HpLost):
                assert event.points >= 1
                assert event.left >= 0
        lines(events)
        values(state)
        board.header(View(state))
        assert decode(state.encoded()) == state
        for who in state.roster.order:
            board.row(View(state), who)
            held = state.conditions.of.get(who, {})
            if "grappling" in held:
                assert who in state.conditions.of[held["grappling"].whom[0]]["grappled"].whom
            for holder in held["grappled"].whom if "grappled" in held else ():
                assert state.conditions.of[holder]["grappling"].whom == (who,)
            if not state.stands(who):
                assert not {"grappling", "grappled"} & set(held)
                assert allow or not state.engagement.of(who)
            assert all(left >= 0 for left in state.points.of.get(who, {}).values())

    def anybody(self) -> str:
        """The name of somebody."""
        return self.random.choice(NAMES)

    def anything(self, who: str) -> Declaration:
        """Something that somebody might say, sensible or not."""
        if self.random.random() < 0.15:
            return self.odd(who)
        other, third, choose, some = self.anybody(), self.anybody(), self.random.choice, self.random.randint
        blow = {"mod": choose(((), ("+2:height",), ("-1", "adv"), ("adv:dark",), ("hit:2:height", "armor:-1:dark")))}
        return choose(
            (
                Attack(who, other, **blow), Attack(who, other, with_=choose(("unarmed", "sword", "spear"))),
                Attack(who, other), Attack(who, other), Attack(who, other, snap=True), Attack(who, other, mod=("dis",)),
                Attack(who, other, choose((0, 10, 15))), Attack(who, other, with_="sword", off_hand="dagger"),
                Shoot(who, other, distance=choose((5, 20, 30, 100, 700)), cover=choose(("none", "half", "full"))),
                Shoot(who, other, distance=20, with_=choose(("javelin", "spear"))),
                Shoot(who, other, distance=20, snap=True), Reload(who),
                Charge(who, other, choose((20, 30, 40)), throw=choose((None, None, 20))),
                Move(who, some(0, 35), choose(((), ("all",))), choose(((), (third,))), choose(((), (other,)))),
                Move(who, some(0, 30), ("all",)), Withdraw(who), Stand(who), Prone(who),
                Push(who, other, choose(("back", "prone")), size_penalty=choose((0, 2, 3))),
                Grapple(who, other), Grapple(who, other), Grapple(who, escape=True), Grapple(who, release=True),
                Grapple(who, drag=choose(("back", "throw"))), Defend(who), Ready(who, "strikes"),
                Trigger(other, choose(("attack", "shoot", "push", "grapple", "defend")), who, distance=choose((5, 9)),
                        result="prone"),
                Draw(who, "sword", at_hand=choose((True, False))), Stow(who, choose(("sword", "shield")), drop=True),
                Heal(who, other), Heal(who, other, magic=some(0, 9)), Done(), Turn(who), Turn(who, after=other),
                Cast(who, "a mist"), Act(who, "runs", cost=choose(("main", "move", "none"))), Pass((who,)),
                Check(who, "DEX", "sneak", difficulty=8, aid=choose(((), (other,)))),
                Morale((who,), result=choose((None, "retreat"))),
            )
        )  # fmt: skip

    def odd(self, who: str) -> Declaration:
        """Something that the game master might say, or somebody at the wrong time."""
        other, choose, some = self.anybody(), self.random.choice, self.random.randint
        return choose(
            (
                Attack(who, other, execution=True, prepared=True, nonlethal=choose((True, False))),
                Attack(who, other, execution=True, prepared=True, range_=choose(("close", "extreme"))),
                Adjust((who,), "condition", choose(CONDITIONS), "why"), Rest(who), Rest(who, week=True), Retreat(who),
                Adjust((who,), "no-condition", choose(CONDITIONS), "why"), Save(who, "evasion"), Leave((who,)),
                Adjust((who,), "side", choose(("pc", "opp")), "why"),
                Adjust((who,), "hp", str(some(1, 6)), "why"), Surprise("pc"),
                Adjust((who,), "down", choose(("dying", "unconscious", "no", "no")), "why"), Reaction(),
                Adjust((who,), "engaged", other, "why"), Initiative((f"{who}={some(1, 9)}",)), Initiative(), Round(),
                Check(who, "STR", "exert", against=other, free=True),
                Morale((who, other), mod=choose(((), ("-3",), ("2:leader",)))),
                Effect((who, other), "blessed", 1, "attack"), Effect((who,), "blessed", end=True),
                *(correction(self.random, "aachen", who, NAMES) for _ in range(8)),
            )
        )  # fmt: skip

    def instants(self) -> None:
        """Somebody may answer the dice."""
        for answer in (Trigger(self.anybody(), luck=True), Defend(self.anybody(), after_roll=True)):
            self.say(answer)

    def play(self, rounds: int) -> None:
        """An encounter, with things said at the wrong time and let through between."""
        choose = self.random.choice
        assert self.say(Begin("Random"))
        if choose((True, False)):
            self.say(Surprise(choose(("pc", "opp")), result=choose((None, "yes"))))
            for _ in range(8):
                self.say(self.anything(self.anybody()), choose(("", "", "", "because")))
            self.say(Pass(tuple(self.state.roster.order)), "because")
        self.say(Initiative()) or self.say(Initiative(), "because")
        for _ in range(rounds):
            for _ in range(5 * len(self.state.roster.order)):
                now = self.state.turns.who or choose(up_next(self.state) or NAMES)
                if self.say(self.anything(choose((now, now, self.anybody()))), choose(("", "", "", "", "because"))):
                    self.instants()
            if self.late and choose((True, False)):
                self.say(self.late.pop())
            self.say(Round()) or self.say(Round(), "because")
            if not self.state.roster.order:
                return
        self.say(End())
        self.say(Rest(self.anybody()))


@pytest.mark.slow
@any_of(st.integers(0, 2**32))
@settings(max_examples=2 * FIGHTS, deadline=None)
def test_any_fight_in_a_ledger_is_sound(seed):
    """Ten rounds of anything, instants and all, in a ledger: `verify` passes on it, and on its amendments."""
    with tempfile.TemporaryDirectory() as folder:
        fight = Fight(seed, SqliteStore.create(f"{folder}/fight.affray", KEY))
        fight.play(10)
        assert audit(fight.book).entries > 20
        amended_at_random(fight.book, fight.random, 2)
        fight.book.store.close()


class Listening(hints.Listening, Fight):
    """A fight in which every hint is typed."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 11])
def test_every_hint_can_be_typed_and_is_not_refused_in_turn(seed, tmp_path):
    """After each refusal of a random fight."""
    fight = Listening(seed, SqliteStore.create(str(tmp_path / "fight.affray"), KEY))
    fight.play(6)
    fight.book.store.close()
    assert fight.typed > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7])
def test_two_fights_in_one_file(seed, tmp_path):
    """What one encounter leaves does not disturb the next."""
    fight = Fight(seed, SqliteStore.create(str(tmp_path / "fight.affray"), KEY))
    fight.play(5)
    if fight.state.encounter.running:
        assert fight.say(End())
    if fight.state.roster.order:
        fight.play(5)
    assert audit(fight.book).entries > 20
    fight.book.store.close()


def test_names_are_written_out():
    """The names of the tests are those at the table."""
    assert {joining.sheets[0]["name"] for joining in JOINING} == set(NAMES)
    assert resolve_names(State(), Done()) == Done()
