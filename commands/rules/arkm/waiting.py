"""Who can still act: those who would lose something if the fight went on without them."""

from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.events import Counted, counted, few

from . import ability, mass, order, position
from .concentration import prevented, threats
from .conditions import BARRED, ENTANGLED, HOLDING, IN_FLIGHT, MAINTAINING, PURSUING, SET, STRUGGLING, empty
from .distance import FEET
from .groups import group, while_same
from .hands import FIGHTS_WITH, SINCE, arsenal, in_hand
from .pace import CASTER, fires, half
from .stat_block import Sheet, Weapon, names
from .strike_order import SHORT
from .tohit import ROLLS
from .ways import DONE

_DEED = {"movement": "move", "missile": "shoot", "magic": "cast", "melee": "strike"}
"""What belongs to a phase."""


def can(view: View, who: str, phase: str) -> bool:
    """Whether somebody who has not acted in this round could do what belongs to a phase."""
    return _has_yet_to_act(view, who) and _can(view, who, phase)


def _has_yet_to_act(view: View, who: str) -> bool:
    """Whether somebody who could do something has not acted in this round."""
    if order.acted(view, who) or not ability.is_able(view, who) or _runs(view, who):
        return False
    return view.state.roster.members[who].side in _opposed(view)


def _can(view: View, who: str, phase: str) -> bool:
    if phase != "melee" and (not view.state.stands(who) or order.pair_of(view, who)):
        return False
    return {"movement": _moves, "missile": _shoots, "magic": _casts, "melee": _strikes}[phase](view, who)


def goes_on(view: View, who: str) -> bool:
    """arkm.attacks.all-at-one-time: whether somebody has attacks left in this round, and a foe for them.

    They are lost once somebody else acts.
    """
    return view.state.counts.get(who, order.ATTACKS) > 0 and ability.is_able(view, who) and _has_target(view, who)


def goes_on_apart(view: View, who: str) -> bool:
    """arkm.paired.no-phases: whether somebody in a paired fight may act, as nobody who comes first there still can."""
    at = order.pair_of(view, who)
    if not at or not ability.is_able(view, who) or (order.acted(view, who) and not goes_on(view, who)):
        return False
    foes = next(side for side in view.state.skirmishes.number(at).sides if who not in side)
    able = (foe for foe in foes if ability.is_able(view, foe) and not order.acted(view, foe))
    return not any(order.before_in_pair(view, foe, who) < 0 for foe in able)


def may_still_move(view: View, who: str) -> bool:
    """Whether somebody for whose move nobody waits may move now: in the movement phase those who may leave melee, or
    have chosen to parry; in the magic phase a caster by arkm.phase.threatened-caster-choices.
    """
    state, phase = view.state, view.state.turns.phase or order.PHASES[0]
    if not (state.stands(who) and ability.is_able(view, who)) or order.pair_of(view, who) or _runs(view, who):
        return False
    held = {STRUGGLING, SET, ENTANGLED, HOLDING} & ability.conditions(view, who)
    if held or state.counts.get(who, FEET) or not view.sheet(who).move:
        return False
    if order.acted(view, who):
        return phase == "movement" and order.acted(view, who) == order.PARRY and not position.foes(view, who)
    return bool(position.foes(view, who) if phase == "movement" else phase == "magic" and threats(view, who))


def _has_target(view: View, who: str) -> bool:
    """Whether there is a foe for the attacks that somebody has left: a Normal Man, or any for a routine."""
    made = sum(view.state.counts.of(who, ROLLS).values())
    sheet: Sheet = view.sheet(who)
    for_all = len(sheet.routine(next(iter(view.state.counts.of(who, FIGHTS_WITH)), "")) or sheet.routine()) > made
    return any(for_all or view.sheet(foe).is_normal_man for foe in position.near(view, who))


def _last_chance(view: View, who: str, phase: str) -> bool:
    """Whether somebody can act in a phase, and in none after it; or loses the spell that is kept up in this phase."""
    if not (_has_yet_to_act(view, who) and _can(view, who, phase)):
        return False
    if phase == "magic" and view.state.conditions.has(who, MAINTAINING):
        return True  # arkm.concentration.maintained
    return not any(_can(view, who, later) for later in order.PHASES[order.PHASES.index(phase) + 1 :])


def before(view: View, place: int, phase: str = "") -> list[str]:
    """Those who can act in a phase, by default this one, and whose place is before another one, and not over."""
    now, phase = 0 if phase else order.pointer(view), phase or view.state.turns.phase
    passed = [who for who in view.state.roster.order if now <= order.place(view, who) < place]
    may = [who for who in passed if not order.pair_of(view, who)]
    return [who for who in may if can(view, who, phase) or goes_on(view, who)]


def left(view: View, phases: tuple[str, ...]) -> list[tuple[str, str]]:
    """Those for whom one of these phases is the last in which they can shoot, cast or strike, each with that phase.

    In the phase that is open those whose place has passed have nothing left to lose. Who does not move loses no action.
    """
    now, at = view.state.turns.phase, order.pointer(view)
    return [
        (who, phase)
        for phase in phases
        for who in view.state.roster.order
        if phase != "movement"
        and (_last_chance(view, who, phase) or (phase == now and goes_on(view, who)))
        and (phase != now or order.place(view, who) >= at)
    ]


def check_rest(fight: Resolution) -> None:
    """arkm.initiative.highest-first: refuses to leave a place of several while some of them would lose their action.

    One who has a place alone is done by `done` itself; of several somebody may have been forgotten.
    """
    phase, at = fight.state.turns.phase, order.pointer(fight)
    here = [who for who in fight.state.roster.order if order.place(fight, who) == at and not order.pair_of(fight, who)]
    lost = [who for who, _ in left(fight, (phase,)) if who in here]
    if lost and [who for who in here if ability.is_able(fight, who)][1:]:
        message = f"{few(lost, said=True)} may still act in the {phase} phase, and not later this round."
        fight.hold("arkm.initiative.highest-first", message, [fight.otherwise(pass_rest=True)])


def go_by(fight: Resolution, clause: str, lost: list[tuple[str, str]]) -> None:
    """Records who gives up what belongs to a phase."""
    for who, phase in lost:
        if fight.state.counts.get(who, order.ATTACKS):
            lose_attacks(fight, who)
        else:
            fight.rule(clause, f"does not {_DEED[phase]}", who=who)


def lose_attacks(fight: Resolution, who: str) -> None:
    """arkm.attacks.all-at-one-time: attacks that somebody had left are lost; said so if there is a foe for them."""
    left = fight.state.counts.get(who, order.ATTACKS)
    if _has_target(fight, who):
        fight.rule("arkm.attacks.all-at-one-time", f"{who} loses {counted(left, 'attack')}", who=who)
    fight.record(Counted(who, order.ATTACKS, 0))


def check_place(fight: Resolution, who: str, place: int, pass_rest: bool) -> bool:
    """arkm.initiative.highest-first: refuses to go on past those who are before somebody and can still act.

    In the movement phase only those hold it up who can do nothing later; the others just do not move. False where the
    game master lets somebody act early: that costs nobody else anything, and the order stays where it is.
    """
    passed, phase = before(fight, place), fight.state.turns.phase
    waiting = [one for one in passed if phase != "movement" or _last_chance(fight, one, phase)]
    clause = "arkm.initiative.highest-first"
    if waiting and not pass_rest:
        passing: list[Remedy] = [("pass", {"who": waiting})] if phase == "melee" else []
        on: list[Remedy] = [("phase", {"name": phase, "pass_rest": True}), *DONE]
        message = f"{few(waiting, said=True)} may still act in the {phase} phase, before {who}."
        fight.hold(clause, message, [*passing, _straight(phase, who)], [*passing, *on])
        return False
    go_by(fight, clause, [(one, phase) for one in passed])
    return True


def _straight(phase: str, who: str) -> Remedy:
    """The command that goes on to the place of somebody in a phase."""
    return "phase", {"name": phase, "to": who, "pass_rest": True}


def check_left(fight: Resolution, phases: tuple[str, ...], opening: str, actor: str, pass_rest: bool) -> bool:
    """arkm.phase.order: refuses to leave phases while somebody can still act in them, and not later.

    False where the game master lets an actor act early: then the phase stays as it is, and nobody loses anything.
    """
    lost = [(who, phase) for who, phase in left(fight, phases) if who != actor]
    if lost and not pass_rest:
        phase = lost[0][1]
        several = [one for one, other in lost if other == phase]
        message = f"{few(several, said=True)} may still act in the {phase} phase, and not later this round."
        on: Remedy = ("phase", {"name": opening, "pass_rest": True})
        first = before(fight, order.place(fight, actor), opening) if actor else ()
        one_by_one = [*DONE, on] if actor else [on]
        fight.hold("arkm.phase.order", message, [[on, _straight(opening, actor)] if first else on], one_by_one)
        if actor and fight.state.turns.phase:
            return False
    go_by(fight, "arkm.phase.order", lost)
    return True


def stand_still(fight: Resolution, actor: str) -> None:
    """arkm.phase.order: the movement phase is left; those who could still have moved in it are named in one line."""
    now, at = fight.state.turns.phase, order.pointer(fight)
    due = [who for who in fight.state.roster.order if not now or order.place(fight, who) >= at]
    still = [who for who in due if who != actor and can(fight, who, "movement")]
    if still:
        fight.rule("arkm.phase.order", f"{names(still)} {'do' if still[1:] else 'does'} not move", aside=bool(actor))


def check_round(fight: Resolution, pass_rest: bool) -> None:
    """arkm.phase.next-initiative: refuses to end a round while somebody can still act in it."""
    now = fight.state.turns.phase
    lost = left(fight, order.PHASES[order.PHASES.index(now) if now else 0 :])
    if lost and not pass_rest:
        message = f"{few([who for who, _ in lost], said=True)} may still act in round {fight.state.turns.round}."
        fight.hold("arkm.phase.next-initiative", message, [("round", {"pass_rest": True})])
    if not lost and not pass_rest and not now:
        _check_begun(fight)
    go_by(fight, "arkm.phase.next-initiative", lost)
    if not now:
        stand_still(fight, "")


def _check_begun(fight: Resolution) -> None:
    """arkm.phase.next-initiative: refuses to end a round, such as a free one, in which nobody has done anything yet."""
    members = fight.state.roster.order
    able = [who for who in members if can(fight, who, "movement")]
    if able and not any(order.acted(fight, who) or fight.state.counts.get(who, FEET) for who in members):
        message = f"Nobody has done anything in round {fight.state.turns.round}; {names(able)} may still move."
        fight.hold("arkm.phase.next-initiative", message, [("round", {"pass_rest": True})])


def _runs(view: View, who: str) -> bool:
    held = view.state.conditions.of.get(group(view, who), {})
    return PURSUING in held or IN_FLIGHT in held


@while_same("roster", "harm", "truces")
def _opposed(view: View) -> set[str]:
    """The sides that have a foe who stands."""
    state = view.state
    every = {member.side for member in state.roster.members.values()}
    there = {state.roster.members[who].side for who in state.roster.order if state.stands(who)}
    return {one for one in every if any(one != other and not state.truces.holds(one, other) for other in there)}


def _moves(view: View, who: str) -> bool:
    """Who is in melee with nobody, and has neither moved nor set a weapon."""
    if position.foes(view, who) or view.state.counts.get(who, FEET):
        return False
    return bool(view.sheet(who).move and not {SET, ENTANGLED} & ability.conditions(view, who))


def _shoots(view: View, who: str) -> bool:
    """Who has something loaded in hand to shoot, or a wand, and is not held back by a foe in melee; of those whose
    weapon in hand is empty, also who carries a loaded one.
    """
    if position.engaged_since_earlier(view, who) and not view.option("missiles_in_melee"):
        return False
    sheet: Sheet = view.sheet(who)
    held, near, far = ability.conditions(view, who), position.foes(view, who), view.state.counts.get(who, FEET)
    weapons = in_hand(view, who)
    if any(empty(weapon.id) in held for weapon in weapons):
        weapons = [*arsenal(view, sheet)]
    return any(
        (weapon.is_("wand") and not _just_drawn(view, who, weapon))
        or (weapon.shoots and empty(weapon.id) not in held and (far <= half(view, who) or fires(sheet, weapon)))
        for weapon in weapons
        if not (near and weapon.is_("melee"))
    )


def _casts(view: View, who: str) -> bool:
    """A caster whom no foe prevents, and who has not moved too far or keeps up a spell: arkm.phase.caster-ten-feet;
    and who has just drawn a wand.
    """
    held = view.state.conditions.of.get(who, {})
    if any(weapon.is_("wand") and _just_drawn(view, who, weapon) for weapon in in_hand(view, who)):
        return True
    if STRUGGLING in held or not (view.sheet(who).caster or MAINTAINING in held):
        return False
    return (view.state.counts.get(who, FEET) <= CASTER or MAINTAINING in held) and not prevented(view, who)


def _just_drawn(view: View, who: str, weapon: Weapon) -> bool:
    """arkm.phase.wand-just-drawn: it fires in the magic phase."""
    drawn: int = view.state.counts.get(who, SINCE, weapon.id)
    return drawn == view.state.turns.round


def _strikes(view: View, who: str) -> bool:
    """Anyone in melee with a foe who holds nobody and was not struck from behind; a blow that is owed is at these."""
    held = view.state.conditions.of.get(who, {})
    if BARRED in held or HOLDING in held or view.state.counts.get(who, SHORT):
        return False
    foes = (foe for foe in position.near(view, who) if mass.may_fight(view, who, foe))
    return any(view.state.stands(who) or ability.is_owed(view, who, foe) for foe in foes)
