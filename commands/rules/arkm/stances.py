"""Turning to a foe, a wall at one's back, mounting, shields, two weapons, parrying, lying and standing."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Counted, whose

from . import ability, acting, flight, hands, order, pace, position, ways
from .conditions import IN_FLIGHT, MOUNTED, PARRYING, PRONE, WALL
from .distance import FEET
from .flight import over, runs
from .groups import group
from .hands import has_shield, in_hand
from .pace import check_up
from .split import band
from .stat_block import Sheet
from .tables import Shields
from .tohit import ATTACKED_BY, SHIELD_FOR, SHIELD_USED


class Face(Declaration):
    """Turn to face a foe; anyone who flees turns to fight again. --wall: stand with the back to a wall."""

    who: Annotated[Fighter, says("Who turns.")]
    foe: Annotated[Fighter, says("The foe to face.", positional=True)] = ""
    wall: Annotated[bool, says("Stand with the back to a wall.")] = False


def face(fight: Resolution, said: Face) -> None:
    """arkm.flank.until-faced, arkm.surround.back-to-wall, arkm.retreat.turn-and-reengage."""
    who, foe = said.who, said.foe
    if not foe and not said.wall:
        fight.impossible("To whom, or to what?", "Say a foe, or --wall.")
    if foe and not fight.hostile(who, foe):
        fight.impossible(f"{foe} is not a foe of {who}.")
    if position.is_surprised(fight, who):
        fight.refuse("arkm.surprise-attack.until-faced", f"{who} is surprised this round.", ways.next_round(fight))
    _stops(fight, who, foe)
    acting.may_act(fight, who, "face", "movement")
    if foe:
        fight.record(Counted(who, position.FACED, 1, foe, "encounter-end"))
        position.comes_from(fight, foe, who, "front")
        fight.rule("arkm.flank.until-faced", f"faces {foe}", who=who)
        flight.turns(fight, who, foe)
    if said.wall and not fight.state.conditions.has(who, WALL):
        fight.record(ConditionGained(who, WALL))


class Mount(Declaration):
    """Mount, in the movement phase; --off gets down."""

    who: Annotated[Fighter, says("Who mounts.")]
    on: Annotated[str, says("The steed.", max_length=40)] = "a steed"
    speed: Annotated[int, says("The steed's Turn movement, if no sheet gives it.", ge=1, le=600)] | None = None
    off: Annotated[bool, says("Get down.")] = False


def mount(fight: Resolution, said: Mount) -> None:
    """The mounted have their own bonus, and can charge. arkm.set.declare: nobody mounts with a weapon set."""
    who = said.who
    if fight.state.encounter.running:
        acting.may_act(fight, who, "mount", "movement")
        check_up(fight, who)
    up = fight.state.conditions.has(who, MOUNTED)
    if up != said.off:
        fight.impossible(f"{who} is already {'mounted' if up else 'on foot'}.")
    if said.off:
        fight.record(ConditionEnded(who, MOUNTED))
    else:
        fight.record(ConditionGained(who, MOUNTED, amount=said.speed or 0, whom=(said.on,)))


class Defend(Declaration):
    """Choose against whom the shield helps in this round, or fight with two weapons."""

    who: Annotated[Fighter, says("Who defends.")]
    shield_against: Annotated[Fighters, says("Attackers to turn the shield against.")] = ()
    with_: Annotated[str, says("The first of two weapons.")] = ""
    off_hand: Annotated[str, says("A second weapon, in the other hand.", players=True)] = ""


def defend(fight: Resolution, said: Defend) -> None:
    """arkm.shield.two-attackers: as many as the shield allows, at any time before somebody has attacked."""
    who = said.who
    if not (said.shield_against or said.with_ or said.off_hand):
        fight.impossible("How?", "Say --shield-against with the attackers, or --with and --off-hand: two weapons.")
    ability.check(fight, who)
    order.check_decided_or_open(fight)
    if said.with_ or said.off_hand:
        hands.take_two(fight, who, said.with_, said.off_hand)
    if said.shield_against:
        _choose(fight, who, said.shield_against)


def _choose(fight: Resolution, who: str, whom: tuple[str, ...]) -> None:
    sheet: Sheet = fight.sheet(who)
    most = Shields.used(fight.state).of(sheet.shield).attackers
    clause = "arkm.shield.two-attackers"
    if not has_shield(fight, who):
        fight.impossible(f"{who} has no shield in hand.", "A shield that is carried can be drawn.")
    for one in whom:
        if not fight.hostile(who, one):
            fight.impossible(f"{one} is not a foe of {who}.")
    if len(whom) > most:
        fight.refuse(clause, f"The {sheet.shield} shield helps against {most} in a round, not {len(whom)}.")
    counts = fight.state.counts
    if counts.of(who, ATTACKED_BY) or counts.of(who, SHIELD_USED):
        fight.refuse(clause, f"{who} has been attacked this round.", ways.next_round(fight))
    for one in sorted(counts.of(who, SHIELD_FOR)):
        fight.record(Counted(who, SHIELD_FOR, 0, one))
    for one in whom:
        fight.record(Counted(who, SHIELD_FOR, 1, one))
    fight.rule(clause, f"the shield helps against {' and '.join(whom)}", who=who)


class Prone(Declaration):
    """Drop prone, in the movement phase."""

    who: Annotated[Fighter, says("Who drops.")]


def prone(fight: Resolution, said: Prone) -> None:
    """Neither shield nor DEX bonus helps who lies."""
    acting.may_act(fight, said.who, "prone", "movement")
    if fight.state.conditions.has(said.who, PRONE):
        fight.impossible(f"{said.who} is already prone.")
    position.fall(fight, said.who)


class Stand(Declaration):
    """Stand up: the movement of the round."""

    who: Annotated[Fighter, says("Who stands up.")]


def stand(fight: Resolution, said: Stand) -> None:
    """arkm.whip.result: prone ends by standing up, which takes the movement."""
    who = said.who
    acting.may_act(fight, who, "stand", "movement")
    if not fight.state.conditions.has(who, PRONE):
        fight.impossible(f"{who} is not prone.")
    if pace.moved(fight, who):
        fight.refuse("arkm.whip.result", f"{who} has already moved this round.", ways.next_round(fight))
    fight.record(ConditionEnded(who, PRONE))
    fight.record(Counted(who, FEET, pace.half(fight, who)))


class Parry(Declaration):
    """Parry for the rest of the round: attacks on you need 2 more, and you make none."""

    who: Annotated[Fighter, says("Who parries.")]


def parry(fight: Resolution, said: Parry) -> None:
    """arkm.parry.defence: at any time of the round, up to one's own place in the melee phase."""
    who, clause = said.who, "arkm.parry.defence"
    ability.check(fight, who)
    order.check_decided_or_open(fight)
    order.check_not_acted(fight, who, clause)
    weapons = in_hand(fight, who)
    if weapons and not any(weapon.is_("melee") for weapon in weapons):
        fight.refuse(clause, f"{who} has only {weapons[0].id} in hand.", "A melee weapon, or empty hands, can parry.")
    in_order = fight.state.turns.phase == "melee" and not order.pair_of(fight, who)
    if in_order and order.place(fight, who) < order.pointer(fight):
        message = f"{whose(who)} place in the melee phase has passed."
        fight.refuse("arkm.initiative.highest-first", message, ways.next_place(fight))
    acting.use_action(fight, who, order.PARRY)
    late = in_order and order.TIE in fight.state.turns.who and order.place(fight, who) == order.pointer(fight)
    fight.rule(clause, f"attacks need 2 more{', but not those at the same time' if late else ''}", who=who)
    fight.record(ConditionGained(who, PARRYING, "round-end"))


def _stops(fight: Resolution, who: str, foe: str) -> None:
    """arkm.retreat.turn-and-reengage: one who runs from a pursuit turns to face it; the others of his group run on."""
    if foe not in fight.state.roster.members or group(fight, foe) not in runs(fight, group(fight, who), IN_FLIGHT):
        return
    mine = band(fight, (who,))
    fight.rule("arkm.retreat.turn-and-reengage", f"{who} turns to fight {foe}", who=who)
    for hunters in runs(fight, mine, IN_FLIGHT):
        over(fight, hunters, mine)
