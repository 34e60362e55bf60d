"""Fighter's luck: once in a fight, a miss becomes a hit or a hit a miss."""

from commands.action.resolution import Resolution
from ledger.events import ConditionGained, Ruled

from . import actions
from .fighters import LUCK, LUCK_SPENT, has

CLAUSES = ("aachen.fighters-luck.miss-to-hit", "aachen.fighters-luck.hit-to-miss")


def call(fight: Resolution, who: str) -> None:
    """An instant on the most recent attack: the fighter's own miss, or a hit on the fighter.

    aachen.fighters-luck.window: that attack and no other is resolved again, as aachen.actions.instant-after-roll says.
    """
    from . import strike

    sheet = fight.sheet(who)
    if not (sheet.luck or (sheet.kind == "pc" and sheet.class_ == "fighter")):
        fight.refuse("aachen.fighters-luck.who", f"{who} is no fighter; only fighters have that luck.")
    if has(fight.state, who, LUCK_SPENT):
        fight.refuse("aachen.fighters-luck.once", f"{who} has used its luck in this fight.")
    attack = next((one for one in strike.answerable(fight) if _turnable(one, who)), None)
    if attack is None:
        message = f"The last action was no miss of {who}, and no hit on {who}."
        fight.refuse("aachen.fighters-luck.window", message, "Luck answers at once: undo what was recorded since.")
        fight.impossible("There is no attack that luck could turn.")
    fight.again()
    actions.check_able(fight, who)
    fight.rule("aachen.fighters-luck.window", f"answers the attack of {attack.who}", who=who)
    fight.record(ConditionGained(who, LUCK_SPENT, "encounter-end"))
    fight.wait(LUCK, who, "be lucky", {"by": attack.who, "on": attack.about})


def _turnable(attack: Ruled, who: str) -> bool:
    """Whether it is the fighter's own miss, or a hit on the fighter."""
    return (
        attack.outcome.endswith("miss") if attack.who == who else attack.about == who and attack.outcome.endswith("hit")
    )


def turned(fight: Resolution, who: str, target: str, hit: bool) -> bool:
    """How an attack comes out with the luck that was called on for it, in the order in which it was called on."""
    for waiting in fight.state.pending.waiting:
        if waiting.kind != LUCK or waiting.said != {"by": who, "on": target}:
            continue
        fight.settle(LUCK, waiting.who, "done")
        if hit == (waiting.who != who):
            fight.rule(CLAUSES[hit], "by luck a miss" if hit else "by luck a hit", who=who, about=target)
            hit = not hit
    return hit
