"""The encounter: its beginning, surprise, its end, and rest afterwards."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, says
from commands.action.encounters import close_encounter, require_encounter
from commands.action.opening import Opening, arrive
from commands.action.resolution import STATUS, Remedies, Resolution, joining
from commands.action.resting import Days, note_rest
from ledger import events
from ledger.events import ConditionEnded, ConditionGained, Disengaged, EncounterBegan, HpGained, PhaseBegan, number
from ledger.events.sentences import counted, side_word

from . import actions, checks, falls
from .actions import TURN
from .fighters import FRAIL, HELD, SIDES, STABLE, SURPRISED, able, in_contact, members, other_side, side


class Begin(Opening):
    """Begin an encounter. Next come reaction and surprise, if you want them, and initiative."""


def begin(fight: Resolution, said: Begin) -> None:
    """Anyone who stands takes part; the clocks of the mortally wounded run on."""
    said = arrive(fight, said)
    if not fight.state.roster.order:
        fight.impossible("Nobody is at the table.", joining("adalger"))
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1, said.name))
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            fight.record(events.PointsSet(who, TURN, 0))
        falls.start_clock(fight, who)


class Surprise(Declaration):
    """Roll to see whether one side surprises the other; if so, it has a round to itself."""

    side: Annotated[Literal["pc", "opp"] | None, says("The side that attacks.", positional=True)] = None
    by: Annotated[Fighter, says("Who rolls DEX/Sneak, if not the worst at it.")] = ""
    against: Annotated[Fighter, says("Who rolls WIS/Notice, if not the best at it.")] = ""
    result: Annotated[Literal["yes", "no"], says("Give the result instead of rolling.")] | None = None


def surprise(fight: Resolution, said: Surprise) -> None:
    """Before initiative only: aachen.round.sequence."""
    clause, state = "aachen.round.sequence", fight.state
    require_encounter(fight, actions.onward(state))
    if state.turns.round or state.turns.phase:
        rolled = "Initiative has been rolled; it is too late for surprise."
        message = rolled if state.turns.round else "There has been a surprise round."
        fight.refuse(clause, message, actions.onward(state))
    attackers = _attackers(fight, said)
    defenders = other_side(attackers)
    if said.result or _succeeds(fight, said, attackers, defenders):
        if said.result:
            outcomes = {"yes": f"surprise for the {side_word(attackers)}", "no": "no surprise"}
            fight.rule("aachen.surprise.attempt", outcomes[said.result])
        if said.result != "no":
            _free_round(fight, defenders)


def _attackers(fight: Resolution, said: Surprise) -> str:
    """The side that attacks: the one named, or that of its roller."""
    named = {
        said.side or "",
        side(fight.state, said.by) if said.by else "",
        other_side(side(fight.state, said.against)) if said.against else "",
    } - {""}
    if len(named) != 1:
        ways = [fight.otherwise(side=name, by="", against="") for name in SIDES]
        message = "Which side surprises the other?" if not named else "The two who are named are not on opposite sides."
        fight.impossible(message, [ways, "Say the side that attacks."])
    (attackers,) = named
    for name in (attackers, other_side(attackers)):
        if not members(fight.state, name):
            fight.impossible(f"None of the {side_word(name)} can act.", STATUS)
    return attackers


def _succeeds(fight: Resolution, said: Surprise, attackers: str, defenders: str) -> bool:
    """aachen.surprise.check: DEX/Sneak of the worst attacker against WIS/Notice of the best defender."""
    for named in (said.by, said.against):
        if named:
            actions.check_able(fight, named)
    sneaks = [checks.Try(who, "DEX", "sneak") for who in ([said.by] if said.by else members(fight.state, attackers))]
    eyes = [said.against] if said.against else members(fight.state, defenders)
    notices = [checks.Try(who, "WIS", "notice") for who in eyes]
    sneak = min(sneaks, key=lambda one: checks.bonus(fight, one))
    notice = max(notices, key=lambda one: checks.bonus(fight, one))
    clauses = ("aachen.surprise.check", "aachen.surprise.tie")
    with fight.upon(sneak.who, notice.who):
        return checks.oppose(fight, clauses, sneak, notice, yes="surprise", no="no surprise")


def _free_round(fight: Resolution, defenders: str) -> None:
    """aachen.surprise.free-round; but aachen.watchful.unsurprised: the watchful may act in it too."""
    fight.record(PhaseBegan("surprise"))
    for who in fight.state.roster.order:
        if not fight.state.stands(who):
            continue
        defends = side(fight.state, who) == defenders
        if defends and not fight.sheet(who).watchful:
            fight.record(ConditionGained(who, SURPRISED, "round-end"))
            if fight.state.points.left(who, TURN):
                fight.record(events.PointsSet(who, TURN, 0))
            continue
        if defends:
            fight.rule("aachen.watchful.unsurprised", "not surprised", who=who)
        actions.grant(fight, who)


class End(Declaration):
    """End the encounter."""


def end(fight: Resolution, said: End) -> None:
    """Contact, grapples, held actions and what was to last for a round end with it; nobody's clock runs on."""
    require_encounter(fight, actions.onward(fight.state))
    for waiting in fight.state.pending.waiting:
        fight.settle(waiting.kind, waiting.who, "lost" if waiting.kind == HELD else "lapsed", "the encounter is over")
    for who in fight.state.roster.order:
        falls.stop_clock(fight, who)
        for other in in_contact(fight.state, who):
            fight.record(Disengaged(who, other))
    close_encounter(fight)


class Rest(Declaration):
    """Rest for ten minutes, after which anyone stable revives; or for days. A week (--week) ends frailty."""

    who: Annotated[Fighter, says("Who rests.")]
    week: Annotated[bool, says("A week of bed rest.")] = False
    days: Days | None = None


def rest(fight: Resolution, said: Rest) -> None:
    """aachen.mortal.revive: with 1 hit point, and frail; aachen.mortal.frail-ends."""
    who, clause = said.who, "aachen.mortal.revive"
    down = fight.state.harm.how(who)
    if down and down != "unconscious":
        healers = () if actions.counted(fight.state) else fight.state.roster.order
        ways: Remedies = [*(("heal", {"who": one, "target": who}) for one in healers if able(fight.state, one)), STATUS]
        fight.refuse(clause, f"{who} is {'not stable' if down == 'dying' else 'dead'} and does not revive.", ways)
        fight.impossible(f"Rest does not help {who}.", ways)
    if not down and not said.days and not (said.week and fight.state.conditions.has(who, FRAIL)):
        fight.impossible(f"Rest does nothing for {who} now.")
    if actions.counted(fight.state):
        clause = "aachen.mortal.revive" if down else "aachen.mortal.frail-ends"
        time = counted(said.days, "day") if said.days else "a week" if said.week else "ten minutes"
        fight.refuse(clause, f"Nobody rests for {time} while rounds of six seconds are counted.", [("end", {})])
    if down:
        _revive(fight, who)
    if fight.state.conditions.has(who, FRAIL) and (said.week or _is_week(fight, who, said.days)):
        fight.record(ConditionEnded(who, FRAIL))
    if said.days:
        note_rest(fight, [who], "adjust NAME hp N")


def _is_week(fight: Resolution, who: str, days: int | None) -> bool:
    """Whether so many days of rest end frailty."""
    if not days:
        return False
    clause, rested, week = "aachen.mortal.week", number("days", days, "rested"), number("a week", 7, "days")
    return fight.compare(clause, rested, ">=", week, who, yes="", no="still frail")


def _revive(fight: Resolution, who: str) -> None:
    """Anyone who was only knocked out just wakes up."""
    fight.rule("aachen.mortal.revive", f"{who} revives", who=who)
    wounded, hp = fight.state.conditions.has(who, STABLE), fight.state.harm.hp[who]
    falls.get_up(fight, who)
    if hp.now < 1:
        fight.record(HpGained(who, 1 - hp.now, 1, hp.most))
    fight.record(events.Rose(who))
    if wounded:
        fight.record(ConditionGained(who, FRAIL))
