"""Random fights: whatever is said, nothing breaks, and everything resolves again to the same bytes."""

from random import Random

import pytest
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st

from commands.action.adjust import Adjust
from commands.action.common import Leave, Option
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, answers, of_record
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.rules.arkm import SYSTEM
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.casting import Cast, Check
from commands.rules.arkm.charge import Charge, Set
from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.formations import Group, Pair, Survivors
from commands.rules.arkm.gear import Draw, Reload, Stow
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.meeting import Declare, Distance, Reaction
from commands.rules.arkm.movement import Disengage, Move, Retreat, Withdraw
from commands.rules.arkm.pursuit import Pursue
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.recovery import Heal, Rest
from commands.rules.arkm.rounds import Done, Initiative, Pass, Phase, Round
from commands.rules.arkm.stances import Defend, Face, Mount, Parry, Prone, Stand
from commands.rules.arkm.surprise import Surprise
from commands.rules.arkm.throws import Morale, Save
from ledger.errors import AffrayError
from ledger.events import HpLost, Rolled, Ruled, encode
from projections.changes import values
from projections.state import State, decode
from tests import hints, losses
from tests.courses import drawn, first_dice, recorded
from tests.gm import correction
from tests.kit import Told, given, lines, total, verb_of
from tests.sample import FIGHTS

from .rounds import goblins, mage, wolves
from .table import aurochs, bran, elowen, garrick, marcus, odo, ogre, orcs, tessa, troll
from .test_mass import unit

WEAPONS = ("sword", "dagger", "spear", "crossbow", "lance", "mace", "whip", "polearm", "wand", "shield", "sling")
CONDITIONS = ("hasted", "stunned", "pinned", "unaware", "confined", "mounted", "prone", "stationary", "holding",
              "maintaining", "struggling", "florentine", "parrying", "set", "charging")  # fmt: skip
LONG = {"weapons": ["polearm", "crossbow"]}


class Fight:
    """A fight that a seed plays."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.drawn = self.hidden = 0
        choose = self.random.choice
        options = {
            name: choose(option.choices or (0, 1, 2, 3))
            for name, option in SYSTEM.options.items()
            if choose((0, 0, 0, 1)) and not isinstance(option.default, str)
        }
        joining = [
            bran(), tessa(), marcus(), elowen(), odo(), mage(), garrick(), orcs(2, **choose(({}, LONG))), ogre(),
            troll(), aurochs(), goblins(2), wolves(2), unit("Troops", "party"), unit("Bandits", "foes"),
        ]  # fmt: skip
        some = self.random.sample(joining, self.random.randint(2, 7))
        chosen = [Option(name, str(value).lower()) for name, value in options.items()]
        self.random.shuffle(chosen)
        self.told = given("arkm")
        self.said: list[tuple[Declaration, str]] = []
        """Everything that was recorded, with what was allowed."""
        for declaration in (*chosen, *some, Begin(outdoors=choose((True, False)))):
            assert self.say(declaration)
        self.names = list(self.told.state.roster.order)

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
        """Every sum adds up, nobody has less than nothing, every event is told, and a checkpoint is the same."""
        state = self.told.state
        for event in self.told.events:
            if isinstance(event, Ruled):
                assert all(total(number) == number.total for number in event.numbers)
            if isinstance(event, HpLost):
                assert event.points >= 1
                assert event.left >= 0
        assert lines(self.told.events)
        assert values(state)
        assert decode(state.encoded()) == state

    def anybody(self) -> str:
        """The name of somebody."""
        return self.random.choice(self.names)

    def fighters(self) -> tuple[str, str]:
        """Two who are in melee with each other, if anybody is; else any two."""
        state = self.told.state
        pairs = [pair for pair in state.engagement.pairs if all(map(state.stands, pair))]
        pair = self.random.choice(pairs) if pairs else (self.anybody(), self.anybody())
        return pair if self.random.random() < 0.5 else pair[::-1]

    def blow(self, who: str, other: str) -> Declaration:
        """A blow, a shot or a hold, in some manner."""
        choose = self.random.choice
        manner = choose(
            ({}, {}, {}, {"all_": True}, {"empty_hand": True}, {"empty_hand": True, "pull": True}, {"subdue": True},
             {"object": "stool"}, {"dismount": True}, {"surprise": True}, {"backstab": True}, {"from_": "flank"},
             {"cover": 50}, {"expected": True}, {"with_": choose(WEAPONS)}, {"entangle": True, "part": "legs"},
             {"entangle": True, "part": choose(("arm", "weapon", "body")), "then": "hold", "with_": "whip"},
             {"mod": ("2:height", "-1"), "stationary": True})
        )  # fmt: skip
        targets = (other, *([self.anybody()] if choose((0, 0, 1)) else []))
        return choose(
            (
                Attack(who, targets, **manner), Attack(who, targets, **manner), Attack(who, (other,)),
                Shoot(who, other, range_=choose(("short", "medium", "long")), reversed_=choose((False, False, True))),
                Grapple((who, self.anybody()), other, cover=choose((0, 25))),
                Shoot(who, other, object="mug", range_="short"),
                Grapple((who,), other, contest=choose((True, False))),
                Grapple((who,), contest=True), Disarm(who, other, surprise=choose((True, False))), Parry(who),
            )
        )  # fmt: skip

    def anything(self) -> Declaration:
        """Something that can be said in some phase, or at the wrong time."""
        who, other, choose = self.anybody(), self.anybody(), self.random.choice
        feet = self.random.randint(0, 130)
        if self.random.random() < (0.7 if self.told.state.turns.phase == "melee" else 0.1):
            return self.blow(*self.fighters())
        return choose(
            (
                Move(who, feet, choose(((), (other,), (other,)))), Move(who, feet, to_rear=(other,)),
                Move(who, feet, through=(other,)), Charge(who, other, feet), Set(who), Withdraw(who, feet),
                Retreat(who, feet), Disengage(who), Face(who, other), Draw(who, choose(WEAPONS)), Stow(who, "sword"),
                Mount(who), Mount(who, speed=180), Mount(who, off=True),
                Defend(who, with_="sword", off_hand="dagger"), Prone(who), Stand(who),
                Cast(who, "web", target=(other,), save="spells"), Cast(who, "fog", concentration=True),
                Cast(who, maintain=True), Cast(who, "harm", "touch", (other,), level=2), Cast(who, "wand", wand=True),
                Reload(who), Pass((who,)), Done(), Phase(), Declare(who, "cast web"), Check(who, other, "golem"),
            )
        )  # fmt: skip

    def happening(self) -> Declaration:
        """Something that the game master says at any time."""
        who, other, choose = self.anybody(), self.anybody(), self.random.choice
        return choose(
            (
                Morale(who, choose((None, "start", "upset"))), Morale(who, waive="why not"), Reaction(who),
                Save(who, choose(("reflex", "spells"))), Heal(who, self.random.randint(1, 9)), Rest((who,)),
                Pair((who,), (other,)), Pair((who,), dissolve=True), Group((who, other)),
                Pursue((who,), (other,), self.random.randint(0, 99)), Survivors(who),
                Pursue((who,), (other,)), Pursue((who,), (other,), past=choose(("door", "secret-door"))),
                Pursue((who,), (other,), bait=choose(("food", "treasure"))), Pursue((who,), (other,), lost_sight=True),
                Pursue((who,), (other,), contact=choose(("yes", "no", "speed"))),
                Group((who,), choose(("", "chasers", other))), Distance(who, other, self.random.randint(0, 99)),
                Adjust((who,), "condition", choose(CONDITIONS), "fate"), Adjust((who,), "engaged", other, "fate"),
                *(correction(self.random, "arkm", who, self.names) for _ in range(8)),
                Adjust((who,), choose(("hp", "hp-max")), "9", "fate"),
                Adjust((who,), "down", choose(("dead", "no")), "fate"),
                *([Leave((who,)), goblins(1, name=f"Snik-{len(self.said)}")] if self.random.random() < 0.1 else []),
            )
        )  # fmt: skip

    def play(self, rounds: int) -> None:
        """Rounds from initiative to melee, with things said at the wrong time and let through between."""
        choose = self.random.choice
        for declaration in (Surprise(aware=choose(((), ("party",)))), Distance(), Initiative()):
            self.say(declaration)
        for _ in range(3):
            self.say(Adjust((self.anybody(),), "engaged", self.anybody(), "they met"))
        for _ in range(rounds):
            for phase in ("movement", "missile", "magic", "melee"):
                self.say(Phase(phase)) or self.say(Phase(phase, pass_rest=choose((True, False))), "because")
                for _ in range(2 * len(self.names)):
                    self.say(self.anything(), choose(("", "", "because")))
                self.say(self.happening(), choose(("", "because")))
                if phase == "movement":
                    self.say(Move(self.anybody(), 30, (self.anybody(),)))
            assert self.say(Round()) or self.say(Round(pass_rest=choose((True, False))), "because")
        for declaration in (End(), Rest(tuple(self.told.state.roster.order), 2), Begin(), Initiative()):
            self.say(declaration)


@pytest.mark.slow
@any_of(st.integers(0, 2**32))
@settings(max_examples=1 * FIGHTS, deadline=None)
def test_any_fight_in_a_ledger_is_sound(seed):
    """Everything that was said in a random fight, recorded in a file: `verify` passes on it."""
    fight = Fight(seed)
    fight.play(10)
    assert recorded("arkm", fight.said, fight.random).harm == fight.state.harm


@pytest.mark.slow
@any_of(st.integers(0, 2**32))
@settings(max_examples=3 * FIGHTS, deadline=None)
def test_any_fight_runs_to_the_end_of_ten_rounds(seed):
    """Ten rounds of whatever is said, resolved again with their own dice."""
    fight = Fight(seed)
    fight.play(10)
    assert fight.told.state.encounter.number == 2


class Listening(hints.Listening, Fight):
    """A fight in which every hint is typed."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 11])
def test_every_hint_can_be_typed_and_is_not_refused_in_turn(seed):
    """After each refusal of a random fight."""
    fight = Listening(seed)
    fight.play(6)
    assert fight.typed > 30
