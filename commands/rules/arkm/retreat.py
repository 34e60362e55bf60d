"""Leaving melee: fighting withdrawal, retreat, passing through, disengaging."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter, Fighters
from commands.action.names import find
from commands.action.resolution import Resolution
from ledger.events import ConditionGained, Counted, Number, number

from . import ability, distance, flight, movement, order, position, scores, ways
from .distance import figure, words
from .groups import group, of_players
from .movement import Feet
from .tohit import Blow


class Withdraw(Declaration):
    """Fighting withdrawal: back away, at most half the Turn movement. Better defence and worse attacks this round."""

    who: Annotated[Fighter, Meta(description="Who withdraws.")]
    feet: Annotated[Feet, Meta(description="How far, feet or yards; else as far as can be.")] | None = None


def withdraw(fight: Resolution, said: Withdraw) -> None:
    """arkm.withdraw.no-free-attack: nobody strikes after; who does not follow is in melee no more.

    arkm.withdraw.half-speed; arkm.withdraw.followed: they may follow at once.
    """
    who = said.who
    check_leaving(fight, who, "withdraw")
    most = movement.half(fight, who, int(fight.option("withdraw_divisor")))
    feet = most if said.feet is None else distance.feet(fight, said.feet)
    check_away(fight, who, feet)
    if feet > most:
        allowed = words(fight, most)
        fight.refuse(
            "arkm.withdraw.half-speed",
            f"{who} backs away {allowed} at most, not {figure(fight, feet)}.",
            f"affray withdraw {who} --feet {figure(fight, most)}",
        )
    flight.turns(fight, who)
    fight.rule("arkm.withdraw.no-free-attack", "no free attacks", who=who)
    foes = position.foes(fight, who)
    movement.go(fight, who, feet, "withdraw")
    movement.leave_all(fight, who, (), feet)
    flight.lets_follow(fight, who, foes)
    fight.record(ConditionGained(who, "withdrawing", "round-end"))


class Retreat(Declaration):
    """Turn and flee, up to the full Turn movement: foes who win the contest strike as you go."""

    who: Annotated[Fighter, Meta(description="Who flees.")]
    feet: Annotated[Feet, Meta(description="How far, feet or yards; else as far as can be.")] | None = None
    from_: Annotated[Fighters, Meta(description="The foes in question, if not all who are free.")] = ()
    past: Annotated[Fighters, Meta(description="Other foes, in no melee, passed within 5 feet.")] = ()
    no_pursuit_roll: Annotated[bool, Meta(description="Nobody thinks of pursuing.")] = False


def retreat(fight: Resolution, said: Retreat) -> None:
    """The contest, the parting shots, those passed, and whether the rest pursue; whoever falls on the way is left."""
    who = said.who
    check_leaving(fight, who, "retreat")
    most = movement.full(fight, who)
    feet = most if said.feet is None else distance.feet(fight, said.feet)
    check_away(fight, who, feet)
    if feet > most:
        fight.refuse(
            "arkm.move.run",
            f"{who} moves {words(fight, most)} in a round at most, not {figure(fight, feet)}.",
            f"affray retreat {who} --feet {figure(fight, most)}",
        )
    check_foes(fight, who, (*said.from_, *said.past))
    order.use_action(fight, who, "retreat")
    foes = list(said.from_) or position.unoccupied(fight, who)
    strikers = contest(fight, who, foes)
    for foe in said.past:
        if position.foes(fight, foe):
            fight.refuse(
                "arkm.retreat.passing-others",
                f"{foe} is in melee, and minds its own foe.",
                "Leave out --past for this one.",
            )
    if said.past and fight.option("passing_contest"):
        strikers += contest(fight, who, list(said.past))
    else:
        strikers += said.past
    flight.begin(fight, who, [*foes, *position.foes(fight, who), *said.past])
    if not free_attacks(fight, who, strikers, said.past):
        return
    if foes and not said.no_pursuit_roll:
        _pursuit(fight, who, foes)
    movement.go(fight, who, feet, "flee")
    movement.leave_all(fight, who, (), feet)


def check_leaving(fight: Resolution, who: str, verb: str) -> None:
    """Who is in no melee simply moves; nobody leaves after moving or acting."""
    order.may_act(fight, who, verb, "movement")
    if not position.foes(fight, who):
        fight.refuse(
            "arkm.in-melee.restricted-movement",
            f"{who} is in melee with nobody.",
            f"{who} can just move: move {who} --feet {figure(fight, movement.half(fight, who))}.",
        )
    movement.check_up(fight, who)
    far = movement.moved(fight, who)
    threatened = fight.state.turns.phase == "magic" and far <= movement.CASTER
    if far and not threatened:
        fight.refuse("arkm.in-melee.restricted-movement", f"{who} has moved in this round.", ways.next_round(fight))
    if done := order.acted(fight, who):
        fight.refuse(
            "arkm.in-melee.restricted-movement", f"{who} has acted in this round ({done}).", ways.next_round(fight)
        )


def check_foes(fight: Resolution, who: str, named: tuple[str, ...]) -> None:
    """Who is named as a foe left or passed is one, and stands."""
    for foe in named:
        if not position.hostile(fight, who, foe):
            fight.impossible(f"{foe} is no foe of {who}.")
        if not fight.state.stands(foe):
            fight.impossible(f"{foe} is down already.")


def check_away(fight: Resolution, who: str, feet: int) -> None:
    """Nobody leaves, or passes, on the spot."""
    if not feet:
        fight.impossible(f"{who} leaves nobody by standing still.", "Say how far: --feet 20.")


def contest(fight: Resolution, who: str, foes: list[str]) -> list[str]:
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
        higher = fight.compare("arkm.retreat.contest", its, sign, mine, foe, who, yes="higher", no="not higher")
        if higher:
            struck.append(foe)
        else:
            fight.rule("arkm.retreat.clean", f"{foe} does not strike", who=foe, about=who)
    return struck


def _footwork(fight: Resolution, who: str) -> Number:
    die = fight.roll(who, "1d6", "footwork")
    return die.number(who).plus(scores.modifier(fight, who, "dex"), "DEX")


def free_attacks(fight: Resolution, who: str, strikers: list[str], passed: tuple[str, ...] = ()) -> bool:
    """arkm.retreat.parting-shot, arkm.retreat.passing-others: one roll each at +2, in order, while the mover stands.

    arkm.retreat.no-shield. Answers whether the mover still stands.
    """
    from . import mass
    from .attack import at_hand, strike

    for foe in strikers:
        held = ability.conditions(fight, foe)
        if not ability.is_able(fight, foe) or "barred from attacking" in held or ability.STRUGGLING in held:
            continue
        if order.acted(fight, foe) in order.SPENT:  # arkm.parry.no-attacks, arkm.reload.takes-one-round
            continue
        arms = at_hand(fight, foe)
        if arms is None:
            continue
        if not mass.may_fight(fight, foe, who):
            fight.rule("arkm.mass.units", f"{foe} does not strike: units fight units", who=foe, about=who)
            continue
        why = "passing shot" if foe in passed else "parting shot"
        fight.rule("arkm.retreat.parting-shot", f"{foe} strikes", who=foe, about=who)
        blow = Blow(who=foe, target=who, weapon=arms.weapon, line=arms.line(0), off_hand=arms.off_hand, free=why)
        strike(fight, blow)
        if not ability.is_able(fight, who) and not fight.state.stands(who):
            return False
    return True


def _pursuit(fight: Resolution, who: str, foes: list[str]) -> None:
    """arkm.retreat.pursuit-roll: once for those left behind, on the reaction table; `pursue` goes by it.

    Players decide for themselves.
    """
    from .reaction import throw

    monsters = [foe for foe in foes if not of_players(fight, group(fight, foe))]
    if not monsters:
        fight.rule("arkm.retreat.pursuit-roll", "their players decide whether they pursue", who=foes[0])
        return
    row = throw(fight, group(fight, monsters[0]), "pursuit", 0)
    fight.rule("arkm.retreat.pursuit-roll", "they pursue" if row.pursues else "they do not pursue", who=monsters[0])
    for name in dict.fromkeys(group(fight, foe) for foe in monsters):
        rolled = flight.PURSUE if row.pursues else flight.STAY
        fight.record(Counted(name, flight.ROLLED, rolled, who, "encounter-end"))
    for foe in monsters if row.pursues else ():
        fight.record(Counted(foe, flight.AFTER, 1, who, "encounter-end"))


def keep_contact(fight: Resolution, pursuer: str, fleer: str, said: str) -> None:
    """arkm.retreat.faster-pursuer: whether a pursuer stays with one who flees: "yes" or "no", as the referee says, or
    by "speed", if its Turn movement is greater.
    """
    pursuer, fleer = find(fight.state, pursuer), find(fight.state, fleer)
    if not flight.flees(fight, fleer):
        fight.impossible(f"{fleer} does not flee.", "Only who has retreated flees.")
    if not position.hostile(fight, pursuer, fleer):
        fight.impossible(f"{pursuer} is no foe of {fleer}.")
    speeds = movement.full(fight, pursuer), movement.full(fight, fleer)
    stays = speeds[0] > speeds[1] if said == "speed" else said == "yes"
    numbers = [number(who, figure(fight, speed)) for who, speed in zip((pursuer, fleer), speeds, strict=True)]
    fight.rule(
        "arkm.retreat.faster-pursuer", "in contact" if stays else "no contact", numbers * (said == "speed"), pursuer
    )
    if stays:
        flight.is_after(fight, pursuer, fleer)
        position.meet(fight, pursuer, fleer)
    else:
        position.part(fight, pursuer, fleer)


def end_flight(fight: Resolution, who: str) -> None:
    """Who runs no more at the end of a round, with nobody in contact, flees no more. arkm.retreat.faster-pursuer"""
    runs = ability.IN_FLIGHT in ability.conditions(fight, group(fight, who))
    if not position.foes(fight, who) and not runs and order.acted(fight, who) not in ("retreat", movement.RUN):
        flight.end(fight, who)


def pass_through(fight: Resolution, who: str, foes: tuple[str, ...], no_space: bool) -> bool:
    """arkm.move-through.free-attacks: every foe passed contests, and may strike. Whether the mover still stands."""
    check_foes(fight, who, foes)
    if no_space:
        fight.refuse(
            "arkm.move-through.allowed",
            "There is no room to pass through.",
            "Where there is room, leave out --no-space.",
        )
    return free_attacks(fight, who, contest(fight, who, list(foes)))


class Disengage(Declaration):
    """Leave melee for nothing: every foe in it has somebody else to mind. Then move."""

    who: Annotated[Fighter, Meta(description="Who leaves.")]


def disengage(fight: Resolution, said: Disengage) -> None:
    """arkm.disengage.free: no dice."""
    who = said.who
    check_leaving(fight, who, "disengage")
    if minding := position.unoccupied(fight, who):
        fight.refuse(
            "arkm.disengage.free",
            f"{', '.join(minding)} has nobody but {who} to mind.",
            f"affray withdraw {who}\naffray retreat {who}",
        )
    fight.rule("arkm.disengage.free", "leaves without a blow", who=who)
    for foe in position.foes(fight, who):
        fight.record(Counted(who, flight.LEAVES, 1, foe))
    movement.leave_all(fight, who, ())
