"""Random fights: whatever is said, nothing breaks, and everything resolves again to the same bytes."""

from random import Random

import pytest
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st

from commands.action.common import Leave, Option
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, answers, of_record
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.rules.paraverse import SYSTEM
from commands.rules.paraverse.combat import Attack, Check, Declare, Disengage, Misc, Move, Pass, Shoot, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.encounter import Begin, End
from commands.rules.paraverse.healing import Heal, Rest, Save
from commands.rules.paraverse.magic import Cast, Effect, Pray
from commands.rules.paraverse.phases import Phase, Round
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import AffrayError
from ledger.events import PainSuffered, Rolled, Ruled, encode
from projections.changes import values
from projections.state import State, decode
from tests import hints, losses
from tests.courses import drawn, first_dice, recorded
from tests.gm import correction
from tests.kit import Told, given, lines, total, verb_of
from tests.sample import FIGHTS

from .table import ildar, reaver, sigrun, someone, vasko

WEAPONS = ("broadsword", "knives", "dagger", "short bow", "greataxe", "club", "crossbow")
SKILLS = ("acrobatics", "evasion", "wil", "lock-picking")
AREAS = ("hall", "yard", "wall")
LINKS = ("hall:yard", "yard:wall:check=acrobatics", "wall:hall:oneway")


class Fight:
    """A fight that a seed plays."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.drawn = self.hidden = 0
        choose = self.random.choice
        options = {
            name: choose(option.choices or (0, 1, 2))
            for name, option in SYSTEM.options.items()
            if choose((0, 0, 0, 1)) and not option.hands
        }
        names = list(options)
        self.random.shuffle(names)
        options = {name: options[name] for name in names}
        joining = [
            sigrun(),
            ildar(),
            reaver(),
            vasko(),
            someone("Ulf", "foes", 2),
            someone("Ada", "party", 3, player=True),
        ]
        some = self.random.sample(joining, self.random.randint(2, 6))
        areas = choose(({}, {"areas": AREAS, "link": LINKS}))
        self.told = given("paraverse", *some, options=options).when(Begin(**areas)).when(Round())
        self.names = [join.sheets[0]["name"] for join in some]
        chosen = [Option(name, str(value).lower()) for name, value in options.items()]
        self.said: list[tuple[Declaration, str]] = [(one, "") for one in (*chosen, *some, Begin(**areas), Round())]
        """Everything that was recorded, with what was allowed."""

    def say(self, declaration: Declaration, allow: str = "") -> bool:
        """Says something; whether it was recorded. What was, resolves again, from a checkpoint, to the same bytes."""
        before, verb = self.told.state, verb_of(declaration)
        try:
            said = resolve_names(before, declaration)
            fight = resolve(Resolution(before, verb, said, dice := first_dice(self.drawn, self.hidden), allow))
        except AffrayError as error:
            self.refused(error)
            return False
        self.drawn, self.hidden = drawn(dice, (self.drawn, self.hidden))
        rolls = [event for event in fight.events if isinstance(event, Rolled)]
        again = Dice(of_record(rolls))
        retold = resolve(Resolution(decode(before.encoded()), verb, said, again, allow))
        assert [*map(encode, retold.events)] == [*map(encode, fight.events)]
        assert len(again.given()) == len([*answers(rolls)])
        losses.check(before, fight.events, fight.state)
        self.told = Told(fight.state, fight.events)
        self.said.append((declaration, allow))
        self.check()
        return True

    @property
    def state(self) -> State:
        """What is so."""
        return self.told.state

    def refused(self, error: AffrayError) -> None:
        """What is done about a refusal: nothing."""

    def check(self) -> None:
        """Every sum adds up, every event is told, and the state is the same after a checkpoint."""
        state = self.told.state
        for event in self.told.events:
            if isinstance(event, Ruled):
                assert all(total(number) == number.total for number in event.numbers)
            if isinstance(event, PainSuffered):
                assert event.points >= 1
        assert all(lines([event]) is not None for event in self.told.events)
        assert values(state)
        assert decode(state.encoded()) == state

    def anybody(self) -> str:
        """The name of somebody."""
        return self.random.choice(self.names)

    def anything(self) -> Declaration:
        """Something that can be said in planning, or at the wrong time."""
        who, other, choose = self.anybody(), self.anybody(), self.random.choice
        return choose(
            (
                Attack(who, other), Attack(who, other), Attack(who), Shoot(who, other), Shoot(who, other), Shoot(who),
                Move(who, choose(AREAS), choose(("ranged", "melee", "misc")), choose(("", other))), Disengage(who),
                Check(who, choose(SKILLS), to=choose(("", "", *AREAS))), Check(who), Misc(who, "waits"),
                Cast(who, "Spark"), Pray(who, "Mercy"), Pass(who), Draw(who, choose(WEAPONS)),
                Declare(who, "attack", (other,)), Skirmish(who, other), Resolve(who), Round(),
            )
        )  # fmt: skip

    def happening(self) -> Declaration:
        """Something that the game master records at any time."""
        who, choose = self.anybody(), self.random.choice
        return choose(
            (
                Effect((who,), damage=self.random.randint(1, 30), location=choose(("none", "roll", "head", "legs"))),
                Effect((who,), name="burning", each=1, rounds=self.random.randint(0, 2), attack=True),
                Effect((who,), name="dazed", gives=("all:dis",), rounds=1),
                Effect((who,), name="blessed", gives=("melee:adv", "evasion:adv", "all:+1",)),
                *(correction(self.random, "paraverse", who, self.names) for _ in range(6)),
                Heal(who, pain=self.random.randint(1, 4)), Heal(who, wound="bleeder"), Save(who), Rest(),
                *([Leave((who,))] if self.random.random() < 0.1 else []),
            )
        )  # fmt: skip

    def play(self, rounds: int) -> None:
        """Rounds from planning to the end phase, with things said at the wrong time and let through between."""
        for _ in range(rounds):
            for _ in range(2 * len(self.names)):
                self.say(self.anything(), self.random.choice(("", "", "", "because")))
            while self.told.state.turns.phase != "end":
                self.act()
                if not self.say(Phase(pass_rest=True)):
                    assert self.say(Phase(pass_rest=True), "because")
            assert self.say(Round())
        for declaration in (End(), *(Save(who) for who in self.names), Rest(watches=2), Begin()):
            self.say(declaration)

    def act(self) -> None:
        """What a phase brings."""
        for _ in range(self.random.randint(0, 2)):
            self.say(self.random.choice((self.happening, self.anything))())
        if self.told.state.turns.phase == "melee":
            for _ in range(2):
                self.say(Skirmish(self.anybody(), self.anybody()), self.random.choice(("", "", "because")))
        if self.told.state.turns.phase == "magic":
            for who in self.names:
                for cast in (Cast, Pray):
                    self.say(cast(who=who, target=(self.anybody(),), damage=self.random.randint(0, 9), location="roll"))
                    self.say(cast(who=who))
        if not self.say(Resolve()):
            self.say(Resolve(), "because")


@pytest.mark.slow
@any_of(st.integers(0, 2**32))
@settings(max_examples=1 * FIGHTS, deadline=None)
def test_any_fight_in_a_ledger_is_sound(seed):
    """Everything that was said in a random fight, recorded in a file: `verify` passes on it."""
    fight = Fight(seed)
    fight.play(10)
    assert recorded("paraverse", fight.said, fight.random).pain == fight.state.pain


@pytest.mark.slow
@any_of(st.integers(0, 2**32))
@settings(max_examples=5 * FIGHTS, deadline=None)
def test_any_fight_runs_to_the_end_of_ten_rounds(seed):
    """paraverse.phase.snapshot and everything else, resolved again with its own dice."""
    fight = Fight(seed)
    fight.play(10)
    assert fight.told.state.turns.round == 0


class Listening(hints.Listening, Fight):
    """A fight in which every hint is typed."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 11])
def test_every_hint_can_be_typed_and_is_not_refused_in_turn(seed):
    """After each refusal of a random fight."""
    fight = Listening(seed)
    fight.play(6)
    assert fight.typed > 50
