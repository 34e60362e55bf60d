"""Morale, whose checks hold up the round while they are due; and what else monsters make of the party."""

from collections.abc import Sequence

from commands.action.modifiers import Modifier
from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.dice import parse
from ledger.events import ConditionGained, Counted, Number, number, whose

from . import scores, tables
from .conditions import BROKEN, TO_THE_DEATH
from .groups import group, groups, members, of_players, standing
from .tables import ReactionRow, row_of

DUE = "morale"
"""The kind of what waits: a check that is due."""
NUMBER, MADE, FIRST_DEATH, HALF = "number", "morale made", "first death", "half lost"
"""Counts of a group, for the length of an encounter."""


def check(fight: Resolution, name: str, mods: Sequence[Modifier] = ()) -> None:
    """Whether they fight on is rolled; a group that makes its roll twice in an encounter fights to the death."""
    table = tables.MoraleTable.used(fight.state)
    with fight.upon("", name):
        score = _score_of(fight, name)
        total = fight.roll(name, table.die, "morale").number("morale")
        total = scores.plus(total, scores.said(mods, "morale"))
        holds, breaks = f"{whose(name)} morale holds", f"{whose(name)} morale breaks"
        if not fight.compare("arkm.morale.roll", total, "<=", score, name, yes=holds, no=breaks):
            beyond = number("over", total.total, "roll").minus(score.total, "score")
            row = table.row(beyond.total)
            fight.rule("arkm.morale.roll", row.text or row.effect, [beyond], who=name)
            fight.record(ConditionGained(name, BROKEN, "encounter-end"))
            return
        made = fight.state.counts.get(name, MADE) + 1
        fight.record(Counted(name, MADE, made, until="encounter-end"))
        if made == fight.option("morale_to_death"):
            fight.rule("arkm.morale.twice-to-the-death", f"made {made} times", who=name)
            fight.record(ConditionGained(name, TO_THE_DEATH, "encounter-end"))


def _score_of(fight: Resolution, name: str) -> Number:
    """The best score among those who stand; the table's default for whose sheet has none. It says whose it is, so that
    the players do not read the score of a foe.
    """
    table = tables.MoraleTable.used(fight.state)
    scores: dict[str, int] = {}
    for who in standing(fight, name) or members(fight, name):
        own = fight.sheet(who).morale or table.default
        if isinstance(own, str) and own not in table.scores:
            message = f"The morale table has no {own!r}, as on {whose(who)} sheet."
            fight.impossible(message, f"It has: {', '.join(table.scores)}.")
        scores[who] = table.scores[own] if isinstance(own, str) else own
    best = max(scores, key=scores.__getitem__)
    return number("score", scores[best], best)


def enlist(fight: Resolution, who: str) -> None:
    """Somebody takes part in the encounter: its group is larger by one, or by the men of a unit.

    Reinforcements raise the number, too.
    """
    name = group(fight, who)
    now = fight.state.counts.get(name, NUMBER)
    fight.record(Counted(name, NUMBER, now + (fight.sheet(who).men or 1), until="encounter-end"))


def heads(view: View, who: str) -> int:
    """How many somebody counts as: 1, of a unit the men who live, for each share in its points; 0 of who is down.

    arkm.mass.survivors
    """
    if not view.state.stands(who):
        return 0
    men, hp = view.sheet(who).men, view.state.harm.hp[who]
    return -(-hp.now * men // hp.most) if men else 1


def dismiss(fight: Resolution, who: str) -> None:
    """Somebody leaves the table on its own legs: its group is smaller by one."""
    name = group(fight, who)
    now = fight.state.counts.get(name, NUMBER)
    if now and fight.state.stands(who):
        fight.record(Counted(name, NUMBER, max(now - (fight.sheet(who).men or 1), 0), until="encounter-end"))
    if not [one for one in standing(fight, name) if one != who]:
        fight.settle(DUE, name, "lapsed", "nobody is left")


def loss(fight: Resolution, who: str, how: str) -> None:
    """Somebody went down, or some men of a unit: a check may be due, once an encounter for each reason; one roll
    answers all that is due.
    """
    name = group(fight, who)
    held = fight.state.conditions.of.get(name, {})
    number_ = fight.state.counts.get(name, NUMBER)
    if not number_ or of_players(fight, name):
        return
    left = sum(heads(fight, one) for one in standing(fight, name))
    if not left or TO_THE_DEATH in held or BROKEN in held:
        fight.settle(DUE, name, "lapsed", "nobody is left" if not left else "they do not check again in this encounter")
        return
    with fight.upon("", name):
        reasons = []
        if how == "dead" and number_ > 1 and not fight.state.counts.get(name, FIRST_DEATH):
            fight.record(Counted(name, FIRST_DEATH, 1, until="encounter-end"))
            fight.rule("arkm.morale.trigger-first-death", "a morale check is due", who=name)
            reasons.append("the first death")
        if 2 * (number_ - left) >= number_ and not fight.state.counts.get(name, HALF):
            fight.record(Counted(name, HALF, 1, until="encounter-end"))
            lost = [number("lost", number_ - left), number("of", number_)]
            fight.rule("arkm.morale.trigger-half", "a morale check is due", lost, who=name)
            reasons.append("the loss of half")
        due = fight.state.pending.of(DUE, name)
        if reasons:
            before = [due.said["text"]] if due else []
            fight.wait(DUE, name, "check morale after", {"text": " and ".join([*before, *reasons])})


def check_due(fight: Resolution) -> None:
    """Refuses to begin the movement phase, or a round without one, while a check is due; if the game master lets it,
    the checks are let pass.
    """
    due = [name for name in groups(fight) if fight.state.pending.of(DUE, name)]
    if due:
        ways: list[Remedy] = [("morale", {"who": due[0]}), ("morale", {"who": due[0], "waive": "they do not care"})]
        fight.hold("arkm.morale.before-the-phases", f"Morale is due: {', '.join(due)}.", [ways])
    for name in due:
        fight.settle(DUE, name, "let pass")


def is_intelligent(view: View, name: str) -> bool:
    """Whether a group has wits: the first of its members who stands."""
    return all(view.sheet(who).intelligent for who in standing(view, name)[:1])


def throw(fight: Resolution, name: str, purpose: str, mods: Sequence[Modifier] = ()) -> ReactionRow:
    """arkm.reaction.roll: the row of the reaction table; totals beyond it count as its ends."""
    table = tables.Reactions.used(fight.state)
    sides, _ = parse(table.die)
    total = scores.plus(fight.roll(name, table.die, purpose).number(purpose), scores.said(mods, purpose))
    total = total.at_least(len(sides), "at least").at_most(sum(sides), "at most")
    row: ReactionRow = row_of(table.rows, total.total)
    fight.rule("arkm.reaction.roll", row.effect, [total], who=name)
    return row
