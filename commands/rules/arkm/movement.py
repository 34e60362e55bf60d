"""The verbs of movement: moving, fighting withdrawal, retreat, passing through, disengaging."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.resolution import Remedies, Remedy, Resolution
from ledger.events import ConditionGained, Counted, Number

from . import ability, acting, distance, flight, mass, order, pace, position, scores, ways
from .aim import at_hand
from .blows import strike
from .conditions import BARRED, CASTING, ELEVATION, STRUGGLING, WITHDRAWING
from .distance import MELEE, figure, words
from .groups import group, of_players
from .morale import throw
from .order import RUN
from .pace import CASTER, Feet, arrive, check_free, check_up, full, go, half, is_running, leave_all, moved
from .tohit import Blow


class Move(Declaration):
    """Move, or run (more than half their movement per Turn), in the movement phase. Feet indoors, yards outdoors.

    Use --to to name everyone the mover ends up within 5 feet of; nobody else will be that close. Leave out --feet to
    move as far as necessary, if the distance is known. Those in melee cannot just move: see withdraw, retreat,
    disengage and --through.
    """

    who: Annotated[Fighter, says("Who moves.")]
    feet: Annotated[Feet, says("How far: feet indoors, yards outdoors.", players=True)] | None = None
    to: Annotated[Fighters, says("Whom the mover ends up next to.")] = ()
    within: Annotated[Feet, says("How near, in feet.")] = 5
    obstacle: Annotated[bool, says("There is something between them, so no melee.")] = False
    run: Annotated[bool, says("Run: no other action this round.")] = False
    casting: Annotated[bool, says("The mover will cast this round: not to heal a comrade, no Power Word.")] = False
    elevation: Annotated[int, says("The mover's height at the end of the move.", ge=-1000, le=1000)] | None = None
    to_flank: Annotated[Fighters, says("Whose flank the mover ends up on.")] = ()
    to_rear: Annotated[Fighters, says("Whom the mover ends up behind.")] = ()
    through: Annotated[Fighters, says("Foes whose line the mover goes through.")] = ()
    no_space: Annotated[bool, says("There is no room to pass through.")] = False


def move(fight: Resolution, said: Move) -> None:
    """Checks the figures, then records where the mover comes to."""
    who, near = said.who, tuple(dict.fromkeys((*said.to, *said.to_flank, *said.to_rear)))
    _check_words(fight, said, near)
    acting.may_act(fight, who, "move", "movement", at_once=flight.follows(fight, who, said.to))
    check_up(fight, who)
    if not said.through and not (said.run and flight.runs_on(fight, who)):
        check_free(fight, who, said.run)
    feet = _how_far(fight, said, near)
    for other in near:
        distance.check_covers(fight, who, other, feet, said.within, full(fight, who) - moved(fight, who))
    _check_far(fight, said, feet)
    if said.through:
        _check_away(fight, who, feet)
        if not _pass_through(fight, who, said.through, said.no_space):
            return
    behind = {} if near else flight.left_behind(fight, who)
    go(fight, who, feet, "run" if is_running(fight, who, feet, said.run) else "move")
    leave_all(fight, who, near if said.within <= MELEE and not said.obstacle else ())
    for foe, far in behind.items():
        if foe not in fight.state.engagement.of(who):
            distance.apart(fight, who, foe, far + feet)
    arrive(fight, who, near, said.within, said.obstacle)
    for direction, whom in (("flank", said.to_flank), ("rear", said.to_rear)):
        for foe in whom:
            position.comes_from(fight, who, foe, direction)
    if said.elevation:
        fight.record(ConditionGained(who, ELEVATION, amount=said.elevation))
    elif said.elevation == 0:
        fight.no_longer(who, ELEVATION)
    if said.casting and not fight.state.conditions.has(who, CASTING):
        fight.record(ConditionGained(who, CASTING, "round-end"))


def _check_words(fight: Resolution, said: Move, near: tuple[str, ...]) -> None:
    """Refuses words that make no sense together."""
    who = said.who
    if who in (*near, *said.through):
        fight.impossible(f"{who} cannot move to themselves.")
    if said.run and said.through:
        message = "Nobody can run through a line; half the Turn movement is the most."
        fight.impossible(message, [fight.otherwise(run=False, feet=figure(fight, half(fight, who)))])
    if said.within != MELEE and len(near) != 1:
        fight.impossible("--within takes the distance to one combatant.", "Say to whom: --to, and one name.")


def _how_far(fight: Resolution, said: Move, near: tuple[str, ...]) -> int:
    """In feet: as said, or what is between the mover and the one to whom he moves; outdoors whole yards."""
    if said.feet is not None:
        return distance.feet(fight, said.feet)
    known = distance.known(fight, said.who, near[0]) if near else 0
    if known and known >= said.within:
        return distance.feet(fight, figure(fight, known - said.within))
    if said.elevation is not None and not near:
        return 0
    most = figure(fight, half(fight, said.who))
    return fight.impossible(f"How far does {said.who} move?", [fight.otherwise(feet=most)])


def _check_far(fight: Resolution, said: Move, feet: int) -> None:
    """arkm.move.run: the full Turn movement at most, and nothing else then; arkm.move.half-and-attack: half with an
    action; arkm.move.caster-10ft.
    """
    who = said.who
    total = moved(fight, who) + feet
    if total > full(fight, who):
        most = words(fight, full(fight, who))
        left = figure(fight, full(fight, who) - moved(fight, who))
        less: list[Remedy] = [fight.otherwise(feet=left)] if left > 0 else []
        message = f"{who} moves at most {most} in a round, not {figure(fight, total)}."
        fight.refuse("arkm.move.run", message, [*less, ways.LATER])
    few = [fight.otherwise(run=False, feet=max(CASTER - moved(fight, who), 0) // distance.scale(fight))]
    if feet and said.run and (said.casting or fight.state.conditions.has(who, CASTING)):
        fight.refuse("arkm.move.caster-10ft", f"{who} casts, and cannot run.", few)
    if (said.casting or fight.state.conditions.has(who, CASTING)) and total > CASTER:
        message = f"{who} casts this round, and moves at most 10 feet."
        fight.refuse("arkm.phase.caster-ten-feet" if not said.casting else "arkm.move.caster-10ft", message, few)
    done = order.acted(fight, who)
    if said.through and total > half(fight, who):
        most = words(fight, half(fight, who))
        fight.refuse("arkm.move-through.allowed", f"{who} passes through with at most {most}.")
    elif is_running(fight, who, feet, said.run) and not said.through:
        if done and done != RUN:
            fight.refuse("arkm.move.run", f"{who} has already acted this round ({done}), and cannot run.")
        elif not done:
            acting.use_action(fight, who, RUN)
    elif done == order.SPELL and total > CASTER:
        fight.refuse("arkm.move.caster-10ft", f"{who} has already cast this round, and moves at most 10 feet.")


class Withdraw(Declaration):
    """Fighting withdrawal: back away, at most half the Turn movement. Better defence and worse attacks this round."""

    who: Annotated[Fighter, says("Who withdraws.")]
    feet: Annotated[Feet, says("How far, in feet or yards; otherwise as far as possible.", players=True)] | None = None


def withdraw(fight: Resolution, said: Withdraw) -> None:
    """arkm.withdraw.no-free-attack: nobody strikes after; anyone who does not follow is no longer in melee.

    arkm.withdraw.half-speed; arkm.withdraw.followed: they may follow at once.
    """
    who = said.who
    _check_leaving(fight, who, "withdraw")
    most = pace.half(fight, who, int(fight.option("withdraw_divisor")))
    feet = _gets_away(fight, said, most, "arkm.withdraw.half-speed", f"backs away at most {words(fight, most)}")
    flight.turns(fight, who)
    fight.rule("arkm.withdraw.no-free-attack", "no free attacks", who=who)
    foes = position.foes(fight, who)
    pace.go(fight, who, feet, "withdraw")
    pace.leave_all(fight, who, (), feet)
    for foe in foes:
        fight.record(Counted(foe, flight.FOLLOWS, 1, who))
    fight.record(ConditionGained(who, WITHDRAWING, "round-end"))


class Retreat(Declaration):
    """Turn and flee, up to the full Turn movement: foes who win the contest strike as you go."""

    who: Annotated[Fighter, says("Who flees.")]
    feet: Annotated[Feet, says("How far, in feet or yards; otherwise as far as possible.", players=True)] | None = None
    foes: Annotated[Fighters, says("The foes left behind, if not all who are free.")] = ()
    passing: Annotated[Fighters, says("Other foes, not in melee, passed within 5 feet.")] = ()
    no_pursuit_roll: Annotated[bool, says("No pursuit roll is made.")] = False


def retreat(fight: Resolution, said: Retreat) -> None:
    """The contest, the parting shots, those passed, and whether the rest pursue; the fallen are left."""
    who = said.who
    _check_leaving(fight, who, "retreat")
    most = pace.full(fight, who)
    feet = _gets_away(fight, said, most, "arkm.move.run", f"moves at most {words(fight, most)} in a round")
    _check_foes(fight, who, (*said.foes, *said.passing))
    acting.use_action(fight, who, "retreat")
    foes = list(said.foes) or position.unoccupied(fight, who)
    strikers = contest(fight, who, foes)
    for foe in said.passing:
        if position.foes(fight, foe):
            message = f"{foe} is in melee with a foe of their own."
            fight.refuse("arkm.retreat.passing-others", message, "Leave this one out of --passing.")
    if said.passing and fight.option("passing_contest"):
        strikers += contest(fight, who, list(said.passing))
    else:
        strikers += said.passing
    flight.begin(fight, who, [*foes, *position.foes(fight, who), *said.passing])
    if not free_attacks(fight, who, strikers, said.passing):
        return
    if foes and not said.no_pursuit_roll:
        _pursuit(fight, who, foes)
    pace.go(fight, who, feet, "flee")
    pace.leave_all(fight, who, (), feet)


def _gets_away(fight: Resolution, said: Withdraw | Retreat, most: int, clause: str, can: str) -> int:
    """How far somebody leaves melee: as far as possible, where that is not said. A clause says how far they `can`."""
    feet = most if said.feet is None else distance.feet(fight, said.feet)
    _check_away(fight, said.who, feet)
    if feet > most:
        message = f"{said.who} {can}, not {figure(fight, feet)}."
        fight.refuse(clause, message, [fight.otherwise(feet=figure(fight, most))])
    return feet


def _check_leaving(fight: Resolution, who: str, verb: str) -> None:
    """Who is in no melee simply moves; nobody leaves after moving or acting."""
    acting.may_act(fight, who, verb, "movement")
    if not position.foes(fight, who):
        said, half = getattr(fight.declaration, "feet", None), figure(fight, pace.half(fight, who))
        moves: Remedies = [("move", {"who": who, "feet": one}) for one in (said, half) if one]
        hint = [*moves, f"{who} can just move."]
        fight.refuse("arkm.in-melee.restricted-movement", f"{who} is in melee with nobody.", hint)
    pace.check_up(fight, who)
    far = pace.moved(fight, who)
    if far and not (fight.state.turns.phase == "magic" and far <= pace.CASTER):
        message = f"{who} has already moved this round."
        fight.refuse("arkm.in-melee.restricted-movement", message, ways.next_round(fight))
    if done := order.acted(fight, who):
        message = f"{who} has already acted this round ({done})."
        fight.refuse("arkm.in-melee.restricted-movement", message, ways.next_round(fight))


def _check_foes(fight: Resolution, who: str, named: tuple[str, ...]) -> None:
    """Anyone who is named as a foe left or passed is one, and stands."""
    for foe in named:
        if not fight.hostile(who, foe):
            fight.impossible(f"{foe} is not a foe of {who}.")
        if not fight.state.stands(foe):
            fight.impossible(f"{foe} is already down.")


def _check_away(fight: Resolution, who: str, feet: int) -> None:
    """Nobody leaves, or passes, on the spot."""
    if not feet:
        fight.impossible(f"{who} must move to get away.", "Say how far: --feet 20.")


def contest(fight: Resolution, who: str, foes: list[str], also: tuple[str, ...] = ()) -> list[str]:
    """arkm.retreat.contest: one D6 and DEX each; those foes who are higher strike; without foes nobody throws.

    arkm.retreat.clean: the others, equal ones too, do not.
    """
    if not foes:
        return []
    mine = _footwork(fight, who)
    theirs = [_footwork(fight, foe) for foe in foes]
    struck = []
    for foe, its in zip(foes, theirs, strict=True):
        sign = ">=" if fight.option("retreat_tie") == "struck" else ">"
        with fight.upon(foe, who):
            if fight.compare(
                "arkm.retreat.contest", its, sign, mine, foe, who, "higher", "not higher", also, aside=True
            ):
                struck.append(foe)
            else:
                fight.rule("arkm.retreat.clean", f"{foe} does not strike at {who}", who=foe, about=who)
    return struck


def _footwork(fight: Resolution, who: str) -> Number:
    die = fight.roll(who, "1d6", "footwork")
    return die.number(who).plus(scores.modifier(fight, who, "dex"), "DEX", "arkm.ability.modifier")


def free_attacks(fight: Resolution, who: str, strikers: list[str], passed: tuple[str, ...] = ()) -> bool:
    """arkm.retreat.parting-shot, arkm.retreat.passing-others: one roll each at +2, in order, while the mover stands.

    arkm.retreat.no-shield. Answers whether the mover still stands.
    """
    for foe in strikers:
        held = ability.conditions(fight, foe)
        arms = at_hand(fight, foe)
        if arms is None or not ability.is_able(fight, foe) or BARRED in held or STRUGGLING in held:
            continue
        if order.acted(fight, foe) in order.SPENT:  # arkm.parry.no-attacks, arkm.reload.takes-one-round
            continue
        if not mass.may_fight(fight, foe, who):
            with fight.upon(foe, who):
                fight.rule("arkm.mass.units", f"{foe} does not strike: units fight units", who=foe, about=who)
            continue
        why = "passing shot" if foe in passed else "parting shot"
        with fight.upon(foe, who):
            fight.rule("arkm.retreat.parting-shot", f"{foe} strikes at {who}", who=foe, about=who)
            line, off_hand = arms.line(0), arms.off_hand
            strike(fight, Blow(who=foe, target=who, weapon=arms.weapon, line=line, off_hand=off_hand, free=why))
        if not ability.is_able(fight, who) and not fight.state.stands(who):
            return False
    return True


def _pursuit(fight: Resolution, who: str, foes: list[str]) -> None:
    """arkm.retreat.pursuit-roll: once for those left behind, on the reaction table; `pursue` goes by it.

    Players decide for themselves.
    """
    monsters = [foe for foe in foes if not of_players(fight, group(fight, foe))]
    if not monsters:
        fight.rule("arkm.retreat.pursuit-roll", "their players decide whether they pursue", who=foes[0])
        return
    row = throw(fight, group(fight, monsters[0]), "pursuit")
    fight.rule("arkm.retreat.pursuit-roll", "they pursue" if row.pursues else "they do not pursue", who=monsters[0])
    for name in dict.fromkeys(group(fight, foe) for foe in monsters):
        fight.record(Counted(name, flight.ROLLED, flight.PURSUE if row.pursues else flight.STAY, who, "encounter-end"))
    for foe in monsters if row.pursues else ():
        fight.record(Counted(foe, flight.AFTER, 1, who, "encounter-end"))


def _pass_through(fight: Resolution, who: str, foes: tuple[str, ...], no_space: bool) -> bool:
    """Every foe passed contests, and may strike. Whether the mover still stands."""
    _check_foes(fight, who, foes)
    if no_space:
        message = "There is no room to pass through."
        fight.refuse("arkm.move-through.allowed", message, "Where there is room, leave out --no-space.")
    return free_attacks(fight, who, contest(fight, who, list(foes), ("arkm.move-through.free-attacks",)))


class Disengage(Declaration):
    """Leave melee without a blow, when every foe in it has somebody else to fight. Then move."""

    who: Annotated[Fighter, says("Who leaves.")]


def disengage(fight: Resolution, said: Disengage) -> None:
    """arkm.disengage.free: no dice."""
    who = said.who
    _check_leaving(fight, who, "disengage")
    if minding := position.unoccupied(fight, who):
        message = f"{', '.join(minding)} {'have' if minding[1:] else 'has'} nobody but {who} to fight."
        fight.refuse("arkm.disengage.free", message, ways.get_away(fight, who))
    fight.rule("arkm.disengage.free", "leaves without a blow", who=who, also=("arkm.in-melee.engaged",))
    for foe in position.foes(fight, who):
        fight.record(Counted(who, flight.LEAVES, 1, foe))
    pace.leave_all(fight, who, ())
