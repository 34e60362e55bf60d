"""What ends with a round, and the dice of initiative for the next: of groups, and of paired fights."""

from collections.abc import Sequence

from commands.action.resolution import Resolution, Roll
from commands.action.view import View
from ledger.events import ConditionEnded, InitiativeSet, OrderSet, RoundBegan, SkirmishEnded
from projections.encounter import Skirmish

from . import ability, acting, hands, holding, losses, morale, order, waiting
from .conditions import FLEEING, HASTED, MOUNTED, STUNNED, SURPRISED, UNAWARE
from .flight import end_flight
from .groups import group, standing
from .order import QUICK, TIE

_UNSEEING = (SURPRISED, UNAWARE)
"""Conditions that last until their bearer is able to turn to its foes."""


def go_on(fight: Resolution, pass_rest: bool) -> None:
    """Ends the round that is, if there is one, and begins the next."""
    now = fight.state.turns.round
    if now:
        order.check_decided(fight)
        if not fight.state.turns.phase:
            morale.check_due(fight)
        if order.is_decided(fight):
            waiting.check_round(fight, pass_rest)
        _end_round(fight)
    fight.record(RoundBegan(now + 1))
    roll(fight)


def _end_round(fight: Resolution) -> None:
    """The melee phase closes; deferred effects of tied groups apply, what lasts this round ends, weapons are loaded."""
    now = fight.state.turns
    at = order.PHASES.index(now.phase) if now.phase else 0
    for phase in order.PHASES[at:]:
        acting.leave_phase(fight, phase)
    acting.lapse_unkept(fight, paired=True)
    for who in fight.state.roster.order:
        if fight.state.counts.get(who, order.ATTACKS):
            waiting.lose_attacks(fight, who)
    for who in fight.state.roster.order:
        hands.finish_loading(fight, who)
    for who in fight.state.roster.order:
        _end_round_of(fight, who, now.round)


def _end_round_of(fight: Resolution, who: str, round_: int) -> None:
    """What ends for somebody with the round."""
    stands = fight.state.stands(who)
    losses.drop_late(fight, who)
    for name, held in fight.state.conditions.held(who):
        if held.until == "round-end" and held.round <= round_ and name not in _UNSEEING:
            fight.record(ConditionEnded(who, name))
    if not stands and fight.state.conditions.has(who, MOUNTED):
        fight.record(ConditionEnded(who, MOUNTED))
    if fight.state.conditions.has(who, STUNNED) or not stands:
        holding.let_go(fight, who)  # what a tie had kept back
    if not stands or not ability.is_helpless(fight, who):  # arkm.surprise-attack.until-faced
        there = fight.state.conditions.of.get(who, {})
        for name in _UNSEEING:
            if name in there and there[name].until != "removed":  # what the game master said lasts
                fight.record(ConditionEnded(who, name))
    if fight.state.conditions.has(who, FLEEING):
        end_flight(fight, who)


def roll(fight: Resolution) -> None:
    """arkm.initiative.one-die-per-group: in the order of their entry; then the hasted, then paired fights.

    The numbers last one round.
    """
    rolling: dict[str, bool] = {}
    for who in fight.state.roster.order:
        held = ability.conditions(fight, who)
        if fight.state.stands(who) and SURPRISED not in held and not order.is_apart(fight, who):
            name = group(fight, who)
            rolling[name] = rolling.get(name, False) or HASTED in held
    quick = [name + QUICK for name in rolling if rolling[name]]
    dice = {name: fight.roll(name, "1d6", "initiative") for name in (*rolling, *_contending(fight, quick))}
    apart = _paired_dice(fight)
    also = [*_kinds(fight, [*rolling]), *["arkm.haste.has-initiative"] * (bool(quick) and quick[0] not in dice)]
    common = _ranked(fight, {name: dice[name] for name in rolling}, also)
    if quick and quick[0] in dice:
        fight.rule("arkm.haste.both-sides", "the hasted roll once more")
        first = _ranked(fight, {name: dice[name] for name in quick})
    else:
        first = (TIE.join(quick),) if quick else ()
    fight.record(OrderSet((*first, *common)))
    _settle_pairs(fight, apart)


def _contending(view: View, seats: list[str]) -> list[str]:
    """The hasted of each group, if there are any on more than one side; else nobody, for they are first anyway."""
    roster = view.state.roster
    sides = {roster.members[who].side for who in roster.order if order.seat(view, who) in seats}
    return seats if len(sides) > 1 else []


def _kinds(view: View, names: list[str]) -> list[str]:
    """Different kinds of monsters of one side are different groups."""
    first = [standing(view, name)[0] for name in names]
    monsters = [who for who in first if not (view.sheet(who).class_ or view.sheet(who).pc)]
    sides = [view.state.roster.members[who].side for who in monsters]
    return ["arkm.initiative.monster-groups"] if len(sides) > len({*sides}) else []


def _ranked(fight: Resolution, dice: dict[str, Roll], also: Sequence[str] = ()) -> tuple[str, ...]:
    """The places: the highest number first, equal ones together."""
    if dice:
        fight.rule("arkm.initiative.highest-first", "", [die.number(name) for name, die in dice.items()], also=also)
    totals = sorted({die.total for die in dice.values()}, reverse=True)
    together = [[name for name, die in dice.items() if die.total == total] for total in totals]
    for tie in together:
        if len(tie) > 1:
            fight.rule("arkm.initiative.tie-simultaneous", f"{' and '.join(tie)} at the same time")
    return tuple(map(TIE.join, together))


def _paired_dice(fight: Resolution) -> list[tuple[Skirmish, list[Roll]]]:
    """arkm.paired.initiative: a die for each side of each paired fight, in the order of forming."""
    rolled = []
    for at, one in enumerate(fight.state.skirmishes.of, 1):
        if not order.is_over(fight, at):
            rolled.append((one, [fight.roll(" and ".join(side), "1d6", "initiative") for side in one.sides]))
            continue
        if not one.done:
            fight.record(SkirmishEnded(at))
    return rolled


def _settle_pairs(fight: Resolution, rolled: list[tuple[Skirmish, list[Roll]]]) -> None:
    """Gives each member of a paired fight the number of its side."""
    for one, thrown in rolled:
        numbers = [die.number(die.who) for die in thrown]
        if thrown[0].total == thrown[1].total:
            fight.rule("arkm.paired.tie", "both at the same time", numbers)
        else:
            fight.rule("arkm.paired.initiative", f"{thrown[thrown[0].total < thrown[1].total].who} first", numbers)
        for side, die in zip(one.sides, thrown, strict=True):
            for who in side:
                fight.record(InitiativeSet(who, die.total))
