"""Nothing lapses silently: a line says whose action, turn, window, check or place in the order is lost, and why."""

import re
import tomllib
from pathlib import Path

import pytest

from commands.action import systems
from commands.action.common import Join, Leave
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from commands.rules.dungeoneers.ready import Ready
from ledger.events import OrderSet, Overruled, Ruled, TurnEnded, WaitingEnded
from tests import losses
from tests.kit import given
from tests.shell import Shell

SUORI, SKELETON = (
    tomllib.loads((Path(systems.folder("dungeoneers")) / "sheets" / f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("suori", "skeleton")
)

FREEPG = ["join jane boffin grub", "begin", "initiative --dice 9,15,2"]
AACHEN = ["join adalger gerlind guard --dice roll", "begin", "initiative --dice 8,1"]
ARKM = ["join fighter", "join orc --count 2 --dice 6,6", "begin", "initiative --dice 6,1"]
DUNGEONEERS = ["join suori --at 0,0", "join skeleton --at 3,0", "join ulfarmi --at 5,5", "begin", "round"]
PARAVERSE = ["join sigrun hakon reaver thrall", "begin", "round"]

CASES = [
    # freepg: the order is rolled anew in the middle of a turn; unused actions at its end
    ("freepg.initiative.roll", FREEPG, "initiative --dice 3,12,9 --allow anew", "John's turn ends"),
    ("freepg.turn.two-actions", FREEPG, "done --pass-rest", "Boffin does nothing"),
    # aachen: held actions
    ("aachen.actions.hold", [*AACHEN, "ready gerlind shoot"], "adjust gerlind down unconscious faint",
     "Gerlind is unconscious; Gerlind's held action is lost"),
    ("aachen.actions.hold", [*AACHEN, "ready gerlind shoot"], "defend gerlind",
     "Gerlind's held action is lost: Gerlind has taken the main action"),
    ("aachen.actions.hold", [*AACHEN, "ready gerlind shoot", "pass adalger,guard"], "round",
     "Gerlind's held action is lost: the round is over"),
    ("aachen.actions.hold", [*AACHEN, "ready gerlind shoot"], "end",
     "Gerlind's held action is lost: the encounter is over"),
    ("aachen.actions.hold", [*AACHEN, "ready gerlind shoot"], "leave gerlind",
     "Gerlind's held action is lost: Gerlind is out of the fight"),
    # aachen: turns
    ("aachen.round.next", [*AACHEN, "turn gerlind", "done"], "round --allow late", "Adalger loses their turn"),
    ("aachen.surprise.initiative-after", ["join adalger guard", "begin", "surprise pc --result yes"],
     "initiative --dice 8,1 --allow hurry", "Adalger loses their turn"),
    ("aachen.damage.out-of-action", [*AACHEN, "turn gerlind"], "adjust gerlind down unconscious faint",
     "Gerlind's turn ends"),
    # aachen: checks of morale
    ("aachen.morale.triggers", ["join adalger", "join guard --count 3", "begin", "initiative --dice 8,1",
     "adjust guard-1 down unconscious asleep"], "end", "opponents' morale check is dropped: the encounter is over"),
    ("aachen.morale.triggers", ["join adalger", "join guard --count 2", "begin", "initiative --dice 8,1",
     "adjust guard-1 down unconscious asleep"], "adjust guard-2 down unconscious asleep",
     "opponents' morale check is dropped: nobody is left to check"),
    ("aachen.morale.triggers", ["join adalger", "join guard --count 2", "begin", "initiative --dice 8,1",
     "adjust guard-1 down unconscious asleep"], "leave guard-2",
     "opponents' morale check is dropped: nobody is left to check"),
    # arkm
    ("arkm.morale.trigger-half", [*ARKM, "adjust orc-1 down dead arrow"], "end",
     "Orc's morale check is dropped: the encounter is over"),
    ("arkm.morale.trigger-half", [*ARKM, "adjust orc-1 down dead arrow"], "adjust orc-2 down dead arrow",
     "Orc's morale check is dropped: nobody is left"),
    ("arkm.morale.trigger-half", [*ARKM, "adjust orc-1 down dead arrow"], "leave orc-2",
     "Orc's morale check is dropped: nobody is left"),
    ("arkm.initiative.group-split", [*ARKM, "group orc-2 scouts"], "group orc-2 orc",
     "the group scouts has no place in the order any more"),
    # dungeoneers: readied actions
    ("dungeoneers.ready.lapse", [*DUNGEONEERS, "turn suori --allow x", "ready suori attack --before skeleton", "done"],
     "turn skeleton --pass-rest --allow x",
     "Suori's readied attack is dropped: it waited for the moment before Skeleton's turn"),
    ("dungeoneers.ready.lapse", [*DUNGEONEERS, "turn suori --allow x", "ready suori attack --before skeleton"],
     "adjust suori down dead dust", "Suori is dead; Suori's readied attack is lost"),
    ("dungeoneers.ready.lapse", [*DUNGEONEERS, "turn suori --allow x", "ready suori attack --before skeleton"],
     "leave suori", "Suori's readied attack is lost: Suori is gone"),
    ("dungeoneers.ready.lapse", [*DUNGEONEERS, "turn suori --allow x", "ready suori attack --before skeleton"],
     "end", "Suori's readied attack is dropped: the encounter is over"),
    ("dungeoneers.ready.lapse", [*DUNGEONEERS, "turn suori --allow x", "ready suori attack --before skeleton"],
     "adjust skeleton down dead dust", "Suori's readied attack is dropped: Skeleton has no turn any more"),
    ("dungeoneers.ready.lapse", [*DUNGEONEERS, "turn suori --allow x", "ready suori attack --before skeleton"],
     "leave skeleton", "Suori's readied attack is dropped: Skeleton has no turn any more"),
    # dungeoneers: turns and windows
    ("dungeoneers.round.complete", [*DUNGEONEERS, "turn suori --allow x", "done"], "round --allow bell",
     "Skeleton loses their turn"),
    ("dungeoneers.turn.order", [*DUNGEONEERS, "turn suori --allow x"], "leave suori", "Suori's turn ends"),
    ("dungeoneers.opportune.window", ["join suori --at 0,0", "join skeleton --at 1,0", "begin", "round",
     "turn suori --allow x", "move suori W"], "resolve",
     "Suori's move is resolved: Skeleton lets the opportunity pass"),
    ("dungeoneers.opportune.window", ["join suori --at 0,0", "join skeleton --at 1,0", "begin", "round",
     "turn suori --allow x", "move suori W"], "adjust suori down dead dust", "Suori is dead; Suori's move is lost"),
    # paraverse: declared actions
    ("paraverse.end-encounter", [*PARAVERSE, "attack sigrun reaver"], "end",
     "Sigrun's declared attack is lost: the encounter is over"),
    ("paraverse.phase.order", [*PARAVERSE, "attack sigrun reaver", "phase melee --pass-rest"],
     "phase magic --allow 'no time'", "Sigrun's declared attack is lost"),
    ("paraverse.join-leave", [*PARAVERSE, "attack sigrun reaver"], "leave sigrun",
     "Sigrun's declared attack is lost: Sigrun leaves"),
    ("paraverse.weapon.start-only", [*PARAVERSE, "attack sigrun reaver"], "adjust sigrun no-equipped broadsword lost",
     "Sigrun's declared attack is withdrawn: what is in hand has changed"),
    ("paraverse.planning.declare", [*PARAVERSE, "attack sigrun reaver"], "pass sigrun",
     "Sigrun takes back: attack Reaver"),
    ("paraverse.phase.earlier-fall", [*PARAVERSE, "attack sigrun reaver", "phase ranged --pass-rest",
     "adjust sigrun down unconscious faint"], "phase melee", "Sigrun's declared attack is lost"),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "before", "words", "line"), CASES, ids=[f"{one[0]}: {one[2]}" for one in CASES])
def test_a_line_says_whose_is_lost(shell: Shell, clause: str, before: list[str], words: str, line: str):
    """The line is printed with the command that brings the loss about, and stands in the log."""
    system = clause.partition(".")[0]
    shell.done("init", "test", "--system", system)
    Path("play.fight").write_text("\n".join([*before, words]) + "\n")
    told = shell.done("run", "play.fight")
    number = shell("status", "--json").json["entry"]
    *_, last = re.split(rf"\n(?=\S.*  e{number}$)", told, flags=re.M)
    assert line in last
    assert line in shell.done("log")
    shell.done("verify")


# The check that all tests and random fights make


def test_the_check_notices_what_lapses_without_a_word():
    """`tests/losses.py` passes on what the rules record, and not on the same without the line that names Suori."""
    fight = given("dungeoneers", Join((SUORI,)), Join((SKELETON,)), Begin(at=("Skeleton=5,5",)), Round())
    told = fight.when(Turn("Suori"), allow="first").when(Ready("Suori", "attack", before="Skeleton"))
    gone = told.when(Leave(("Suori",)))
    losses.check(told.state, gone.events, gone.state)
    for kind in (WaitingEnded, TurnEnded):
        with pytest.raises(AssertionError):
            losses.check(told.state, [one for one in gone.events if not isinstance(one, kind)], gone.state)
    late = told.when(Done()).when(Round(), allow="the bell")
    losses.check(late.before, late.events, late.state)
    silent = [one for one in late.events if not (isinstance(one, Ruled) and "loses their turn" in one.outcome)]
    silent = [one for one in silent if not isinstance(one, Overruled | OrderSet)]
    with pytest.raises(AssertionError):
        losses.check(late.before, silent, late.state)
