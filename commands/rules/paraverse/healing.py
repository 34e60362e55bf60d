"""Healing, rest, and the death checks of the dying."""

from typing import Annotated, Literal

from commands.action.declaration import Count, Declaration, Fighter, says
from commands.action.resolution import STATUS, Resolution, adjusted
from commands.action.resting import Days, note_rest
from ledger.events import Felled, PointsSet, PointsSpent, WoundTreated, number

from . import actions, harm

_DEATH_TARGET = 15


class Heal(Declaration):
    """Ease somebody's pain, or treat a critical wound."""

    target: Annotated[Fighter, says("Who is healed.")]
    pain: Annotated[Count, says("Points of pain to take away.")] = 0
    wound: Annotated[str, says("The critical wound to treat.")] = ""


def heal(fight: Resolution, said: Heal) -> None:
    """Treatment first: paraverse.magic.effect-heal, paraverse.wound.treatment."""
    who = said.target
    if not said.pain and not said.wound:
        borne = [one for one in fight.state.wounds.names(who) if not harm.is_supercritical(one)]
        message = f"What is healed of {who}? Say --pain and how much, or --wound and its name."
        fight.impossible(message, [[fight.otherwise(wound=one) for one in borne]])
    actions.check_alive(fight, fight.state, who)
    if said.wound:
        _treat(fight, who, _called(fight, who, said.wound))
    if said.pain:
        harm.ease(fight, who, said.pain)


def _called(fight: Resolution, who: str, word: str) -> str:
    """The wound that is meant: its name or the beginning of it, in any case, with spaces or without."""
    sought = "-".join(word.casefold().split())
    found = [wound for wound in fight.state.wounds.names(who) if sought and wound.startswith(sought)]
    return fight.write_in_full(word, sought if sought in found or len(found) != 1 else found[0])


def _treat(fight: Resolution, who: str, wound: str) -> None:
    """A critical wound can be treated, with its effects; a supercritical one is for ever."""
    borne = fight.state.wounds.names(who)
    if wound not in borne:
        ways = [*(fight.otherwise(wound=one) for one in borne), STATUS]
        fight.refuse("paraverse.wound.treatment", f"{who} has no {wound[:40] or 'wound'}.", ways)
        fight.impossible(f"{who} has no {wound[:40]!r} to treat.")
    if harm.is_supercritical(wound):
        fight.refuse("paraverse.wound.treatment", f"A {wound} cannot be treated.", [adjusted(who, "no-wound", wound)])
    bled = harm.is_bleeding(fight.state, who)
    fight.record(WoundTreated(who, wound))
    if bled and not harm.is_bleeding(fight.state, who):
        harm.begin_anew(fight, who)


class Rest(Declaration):
    """Rest for one or more watches, or for days: each watch heals 1 pain for everybody alive and not dying."""

    watches: Annotated[int, says("How many watches.", ge=1, le=1000)] = 1
    days: Days | None = None


def rest(fight: Resolution, said: Rest) -> None:
    """The dead and the dying do not rest."""
    _check_after(fight)
    fallen = fight.state.harm.down
    living = [who for who in fight.state.roster.order if who not in fallen or fallen[who].how != "dead"]
    for who in living:
        if harm.is_dying(fight.state, who) or not fight.state.pain.total(who):
            continue
        if said.days is None:
            fight.rule("paraverse.rest.stamina", "", who=who)
            harm.ease(fight, who, said.watches)
        else:
            each = int(fight.option("watches_a_day"))
            days = "day" if said.days == 1 else "days"
            watches = number("watches", said.days, days).times(each, "watches a day", "paraverse.rest.day")
            fight.rule("paraverse.rest.stamina", "", [watches], who=who)
            harm.ease(fight, who, watches.total)
    if said.days is not None:
        note_rest(fight, living, "adjust NAME pain N", lambda who: _untreated(fight, who))


def _untreated(fight: Resolution, who: str) -> list[str]:
    """What rest does not heal of somebody."""
    pain = fight.state.pain.total(who)
    dying = ["dying, with a death check for each watch"] if harm.is_dying(fight.state, who) else []
    return [*dying, *([f"{pain} pain"] if pain else []), *fight.state.wounds.names(who)]


def _check_after(fight: Resolution) -> None:
    if fight.state.encounter.running:
        fight.refuse("paraverse.rest.after-combat", "Watches pass only when no fight is under way.", [("end", {})])


class Save(Declaration):
    """Roll a death check for somebody who is dying: one a watch, at most three."""

    who: Annotated[Fighter, says("Who is dying.")]
    kind: Annotated[Literal["death"], says("Which check.")] = "death"


def save(fight: Resolution, said: Save) -> None:
    """A d20 and Stamina above 15; a natural 1 or 20 means nothing. Three failures kill; one success survives them."""
    who = said.who
    if not harm.is_dying(fight.state, who):
        others = [*(fight.otherwise(who=one) for one in fight.state.roster.order), STATUS]
        fight.refuse("paraverse.dying.death-check", f"{who} is not dying: that is, incapacitated and bleeding.", others)
        actions.check_alive(fight, fight.state, who)
    _check_after(fight)
    for kind in harm.DYING:
        if kind not in fight.state.points.of.get(who, {}):
            fight.record(PointsSet(who, kind, harm.CHECKS))
    left = fight.state.points.left(who, harm.DEATH_CHECK)
    if not left:
        fight.refuse("paraverse.dying.death-check", f"{who} has already made all three death checks.", STATUS)
    die = fight.roll(who, "1d20", "death check")
    stamina = harm.stamina(fight, fight.state, who).total
    score, target = die.number("death check").plus(stamina, "Stamina"), number("target", _DEATH_TARGET)
    passed = fight.compare("paraverse.dying.death-check", score, ">", target, who=who, yes="passed", no="failed")
    if left:
        fight.record(PointsSpent(who, harm.DEATH_CHECK, 1, left - 1))
    if not passed:
        _fail(fight, who)


def _fail(fight: Resolution, who: str) -> None:
    left = fight.state.points.left(who, harm.DEATH_FAILURE) - 1
    fight.record(PointsSpent(who, harm.DEATH_FAILURE, 1, left))
    if left <= 0:
        fight.rule("paraverse.dying.three-failures", "dead", who=who)
        fight.record(Felled(who, "dead"))
