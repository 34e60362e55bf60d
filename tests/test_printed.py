"""What is printed is what fell, in every system: above all where two totals are equal."""

import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from commands.action import systems
from commands.action.dice_sources import Answer, Dice, Layer, Throw
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from ledger.errors import AffrayError
from ledger.events import Declared, Number, Rolled, Ruled, Step, decode
from projections.narration import told as narrated
from projections.state import State, fold
from tests import printed
from tests.dungeoneers.table import fight, someone
from tests.kit import lines
from tests.sample import sampled
from tests.shell import Shell
from tests.test_golden import STORIES, golden_of, named, recorded


def close(seed: int) -> Dice:
    """Dice that lie so close together that totals are often equal; some thrown by hand, some by the program."""
    chance = random.Random(seed)

    def ask(throw: Throw, used: list[int]) -> None:
        for nth in throw.open:
            face, by_program = min(chance.choice((2, 3)), throw.pool[nth].sides), chance.random() < 0.5
            used += [1] * by_program
            throw.found[nth] = Answer(face, len(used) if by_program else 0)

    return Dice(Layer(ask))


@pytest.mark.parametrize("story", sampled(STORIES, 4), ids=named)
def test_each_die_of_the_arithmetic_is_one_that_fell(story):
    """Each action of a story is resolved again, three times, on dice whose totals are often equal."""
    states, played = {0: State()}, 0
    for number, bodies in enumerate(recorded(golden_of(story)), 1):
        events = [decode(body) for body in bodies]
        declared, before = events[0], states[number - 1]
        if not isinstance(declared, Declared) or declared.verb in ("undo", "redo", "amend") or declared.instant:
            break  # the course jumps: the rest stands on another state
        _, kind = systems.procedure(systems.find_verb(before.campaign.system, declared.verb))
        said = msgspec.convert(declared.said, kind)
        for seed in range(3 * any(isinstance(event, Rolled) for event in events)):
            with suppress(AffrayError):  # other dice, and what the story says of them may be impossible
                fight = resolve(Resolution(before, declared.verb, said, close(seed), declared.allow))
                printed.check(fight.events)
                played += 1
        states[number] = fold(before, events)
    assert played


def test_equal_totals_of_equal_dice_keep_their_own_faces():
    """3+4 against 4+3: the attacker's dice stand on the left, the defender's on the right."""
    both = {"prowess": 2, "ranks": {"blade": "E"}, "equipped": ["dagger"]}
    told = fight(someone("A", (0, 0), side="x", **both), someone("B", (1, 0), side="y", **both))
    said = systems.procedure(systems.find_verb("dungeoneers", "attack"))[1]("a", "b")
    told = told.when(said, [3, 4, 4, 3, 2])
    assert "    hit 7 (2d4 [3*+4*]) >= dodge 7 (2d4 [4*+3*]): hit" in lines(told.events)


def test_the_log_and_the_chronicle_mark_the_dice_that_were_thrown_by_hand_and_no_others(shell: Shell):
    """With this key the first dice of the program are 3 and 4, as those that are thrown by hand."""
    shell.done("init", "test", "--system", "dungeoneers", "--key", "00" * 32)
    for name, side, at in (("A", "x", "0,0"), ("B", "y", "1,0")):
        row = f'name = "{name}"\nside = "{side}"\nprowess = 2\nequipped = ["dagger"]\nranks = {{ blade = "E" }}\n'
        Path(f"{name}.toml").write_text(f"{row}initiative = {90 - ord(name)}\n")
        shell.done("join", f"{name}.toml", "--at", at)
    for words in ("begin", "round", "turn", "attack a b --dice 3,4,-,-,-"):
        shell.done(*words.split())
    chronicle = shell.done("export", "-", "--format", "markdown", "--arithmetic").replace("\\", "")
    for view in (shell.done("log", "--last", "1"), chronicle):
        assert "hit 7 (2d4 [3*+4*]) >= dodge 7 (2d4 [3+4]): hit" in view


def test_a_roll_that_no_number_takes_is_told_though_another_has_its_total():
    """Two d6 that show 3: only that of the sum is left out of the lines."""
    events = [
        Declared("roll", {"who": "A"}),
        Rolled("A", "luck", "", "1d6", (3,), (0,)),
        Rolled("B", "fate", "", "1d6", (3,), (0,)),
        Ruled("table.roll", "A", "", "", (Number("luck", (Step(3, "d6", roll=1),), 3),), ""),
    ]
    told = "\n".join(line for one in narrated(events, {}) for line in one.lines)
    assert "B rolls 1d6 for fate: 3*" in told
    assert "A rolls 1d6" not in told


def test_the_dice_with_which_somebody_dodges_are_told_with_the_blow():
    """Prowess 2 and one more make 3d4: what A does besides stands for itself."""
    both = {"prowess": 2, "ranks": {"blade": "E"}, "equipped": ["dagger"]}
    told = fight(someone("A", (0, 0), side="x", **both), someone("B", (1, 0), side="y", **both))
    said = systems.procedure(systems.find_verb("dungeoneers", "attack"))[1]("a", "b", mod=("dodge:1:wary",))
    assert lines(told.when(said, [1, 1, 1, 1, 1]).events) == [
        "A attacks B (+1 wary to dodge): miss",
        "    dodge dice 3 (2 prowess +1 wary): 3d4",
        "    hit 2 (2d4 [1*+1*]) < dodge 3 (3d4 [1*+1*+1*]): miss",
        "A faces E",
    ]


def test_who_strikes_at_a_mover_has_the_dice_of_both_below_the_strike():
    """The mover's dodge is told with the strike that it meets, and not as something that the mover does."""
    both = {"prowess": 2, "ranks": {"blade": "E"}, "equipped": ["dagger"]}
    told = fight(someone("A", (0, 0), side="x", **both), someone("B", (1, 0), side="y", **both))
    said = systems.procedure(systems.find_verb("dungeoneers", "move"))[1]
    moved = told.when(said("a", ("W",), opportune=("b",), mod=("dodge:-1:mud",), keep_facing=True), [1, 1, 3])
    assert lines(moved.events) == [
        "A moves 1 square to -1,0",
        "B strikes at A: miss",
        "    dodge dice 1 (2 prowess -1 mud): 1d4",
        "    hit 2 (2d4 [1*+1*]) < dodge 3 (d4*): miss",
        "A and B are no longer threatened",
    ]
