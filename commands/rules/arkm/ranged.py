"""Shooting and throwing, and shots that fly into a melee."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, says
from commands.action.modifiers import Mods
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Counted, number

from . import acting, hands, mass, order, pace, position, scores, strike_order
from .ability import is_dead
from .blows import strike
from .distance import figure, known, measure
from .hands import in_hand
from .holding import Cover, check_may_strike, check_space, covered
from .stat_block import Sheet, Weapon
from .tohit import Blow

Band = Literal["short", "medium", "long"]


class Shoot(Declaration):
    """Shoot or throw at somebody, in the missile phase."""

    who: Annotated[Fighter, says("Who shoots.")]
    target: Annotated[Fighter, says("The target.")]
    with_: Annotated[str, says("The weapon, drawn if need be.")] = ""
    object: Annotated[str, says("Throw something that is not a weapon: D4.", max_length=40)] = ""
    range_: Annotated[Band, says("How far it is.")] | None = None
    distance: Annotated[int, says("The distance in feet, or yards outdoors.", ge=1, le=10_000)] | None = None
    from_: Annotated[Literal["front", "flank", "rear"], says("Where the attack comes from.")] | None = None
    surprise: Annotated[bool, says("The target does not see it coming.")] = False
    backstab: Annotated[bool, says("A backstab; refused unless the house rules let a shot be one.")] = False
    stationary: Annotated[bool, says("The target stands more or less still.")] = False
    mod: Mods = ()
    cover: Annotated[Cover, says("The target's cover: 25, 50 or 75 percent.")] = 0
    reversed_: Annotated[bool, says("Shoot in the movement phase, and move in the missile phase.")] = False
    stray: Annotated[Fighter, says("Whom a miss may hit, where the game master decides.")] = ""


def shoot(fight: Resolution, said: Shoot) -> None:
    """One roll; a miss at one in melee may fly at a friend."""
    who, target = said.who, said.target
    if who == target:
        fight.impossible("Nobody can shoot at themselves.")
    if is_dead(fight, target):
        fight.impossible(f"{target} is already dead.")
    acting.may_act(fight, who, "shoot", "movement" if said.reversed_ else "missile", target)
    check_may_strike(fight, who)
    weapon = _improvised(fight, said) if said.object else _take_up(fight, who, said.with_)
    hands.check_loaded(fight, who, weapon)
    if said.with_:
        hands.ready(fight, who, weapon)
    check_space(fight, who, [weapon])
    pace.check_after(fight, who, "shoot", weapon)
    if position.engaged_since_earlier(fight, who) and not fight.option("missiles_in_melee"):
        message = f"{who} is engaged with {', '.join(position.unoccupied(fight, who))}."
        fight.refuse("arkm.in-melee.no-missiles", message, f"{who} can strike in the melee phase.")
    if said.reversed_:
        _check_reversed(fight, who, weapon)
    acting.use_action(fight, who, order.SHOT)
    with fight.upon(who, target):
        blow = aimed(fight, said, weapon)
    if fight.sheet(who).men or fight.sheet(target).men:
        mass.check_pair(fight, who, target)
    outcome = strike(fight, blow)
    hands.fired(fight, who, weapon)
    if weapon.is_("thrown") and weapon in in_hand(fight, who) and not fight.sheet(who).men:
        hands.drop(fight, who, weapon.id, near=target)
    if outcome.missed and not outcome.fumble and not fight.sheet(who).men:
        stray(fight, blow, said.stray)


_OBJECT = (10, 20, 30)
"""Ranges of a thing that is thrown: those of a dagger."""


def _improvised(fight: Resolution, said: Shoot) -> Weapon:
    """arkm.object-as-weapon.d4: a thing that is no weapon, thrown without training."""
    if said.with_:
        fight.impossible("Say only one of --object and --with.", "Say one of them.")
    return Weapon(said.object, "1d4", "thrown", ranges=_OBJECT, tags=("improvised",))


def _take_up(fight: Resolution, who: str, said: str) -> Weapon:
    """The missile weapon that is named, or the first in hand."""
    if said:
        weapon = hands.own(fight, who, said)
        if not weapon.shoots:
            fight.impossible(f"{weapon.id} is not shot or thrown.", "Use attack: it is a melee weapon.")
        return weapon
    held = [weapon for weapon in in_hand(fight, who) if weapon.shoots]
    if not held:
        message = f"{who} has nothing in hand to shoot or throw."
        fight.impossible(message, "Say what is drawn: --with, and a missile weapon that is carried.")
    return held[0]


def _check_reversed(fight: Resolution, who: str, weapon: Weapon) -> None:
    """arkm.phase.reversed-for-archers: before any movement, and not in melee since an earlier round."""
    if pace.moved(fight, who):
        message = f"{who} has already moved this round."
        fight.refuse("arkm.phase.reversed-for-archers", message, "Shoot without --reversed, in the missile phase.")
    fight.record(Counted(who, order.REVERSED, 1))
    if not pace.fires(fight.sheet(who), weapon):
        fight.record(Counted(who, pace.STANDING, 1))


def aimed(fight: Resolution, said: Shoot, weapon: Weapon) -> Blow:
    """The shot with all that its place and moment give it."""
    who, target = said.who, said.target
    mods = scores.mods(fight, said.mod, ("hit", "damage"), (who, target))
    direction = said.from_ or position.stands_at(fight, who, target)
    surprised = said.surprise or position.is_surprised(fight, target)
    if said.backstab and not fight.option("backstab_ranged"):
        fight.refuse("arkm.backstab.requirements", "A backstab is a melee attack.", "Say --surprise and --from rear.")
    if said.surprise or said.backstab:
        position.check_unaware(fight, who, target, "arkm.surprise-attack.until-faced")
    else:
        position.check_direction(fight, who, target, direction)
    return Blow(
        who=who,
        target=target,
        weapon=weapon,
        shot=True,
        range_=band(fight, who, target, weapon, said.range_, said.distance),
        direction="front" if said.backstab else direction,
        surprise=surprised and not said.backstab,
        backstab=said.backstab,
        stationary=said.stationary,
        hit_mods=scores.said(mods, "hit", who, target),
        damage_mods=scores.said(mods, "damage", who, target),
        terms=covered(fight, said.cover),
        also=_clauses(fight, target),
    )


def _clauses(view: View, target: str) -> tuple[str, ...]:
    """The clauses by which the target is in the open: nobody is in melee with it but since this round; it charges."""
    near = position.foes(view, target)
    open_ = bool(near) and not any(position.since_earlier(view, one, target) for one in near)
    charges = strike_order.charges(view, target)
    return (*["arkm.phase.missile-closing-targets"] * open_, *["arkm.charge.exposed"] * charges)


def band(fight: Resolution, who: str, target: str, weapon: Weapon, said: Band | None, distance: int | None) -> Band:
    """arkm.ranged-hit.range-bands: a boundary belongs to the nearer band; nothing flies beyond the longest."""
    if said and distance:
        fight.impossible("The range is said twice.", "Say --range short, or --distance 60.")
    far = distance or figure(fight, known(fight, who, target))
    if said:
        return said
    if not far:
        bands = [fight.otherwise(range_=one) for one in ("short", "medium", "long")]
        fight.refuse("arkm.ranged-hit.range-bands", f"How far away is {target}?", [bands])
        return "medium"
    short, medium, long_ = weapon.ranges or (0, 0, 0)
    if far > long_:
        reach = f"{long_} {measure(fight)}"
        fight.refuse("arkm.ranged-hit.range-bands", f"{weapon.id} reaches {reach}, not {far}.")
    found: Band = "short" if far <= short else "medium" if far <= medium else "long"
    fight.rule("arkm.ranged-hit.range-bands", f"{found} range", [number("distance", far)], who, target, aside=True)
    return found


def stray(fight: Resolution, blow: Blow, said: str) -> None:
    """arkm.move.fire-into-melee-risk: on 1-2 of a D6 a miss flies at a friend who is in melee with the target since
    an earlier round.

    arkm.move.elf-fire-into-melee, arkm.move.hobbit-fire-into-melee: never a shot of theirs.
    """
    mode, who = fight.option("fire_into_melee"), blow.who
    near = [one for one in position.foes(fight, blow.target) if position.since_earlier(fight, one, blow.target)]
    single = [one for one in near if one != who and not fight.sheet(one).men]
    friends = [one for one in single if not fight.hostile(who, one)]
    if not friends or mode == "off":
        return
    if clause := _is_safe(fight, who, blow.weapon):
        fight.rule(clause, "no risk to friends", who=who)
        return
    if mode == "gm" and not said:
        return
    friend = said
    if mode != "gm":
        clause = "arkm.move.fire-into-melee-risk"
        with fight.upon(who, blow.target):
            die = fight.roll(who, "1d6", "stray shot", about=blow.target).number("stray shot")
            if not fight.compare(clause, die, "<=", number("flies at a friend on", 2), who, yes="stray", no="harmless"):
                return
        friend = friends[0]
        if len(friends) > 1:
            friend = friends[fight.roll(who, f"1d{len(friends)}", "which friend").natural - 1]
    strike(fight, blow.plain(target=friend, direction="front", stationary=False, terms=()))


def _is_safe(view: View, who: str, weapon: Weapon | None) -> str:
    """The clause by which somebody's shots never stray; "" when they may."""
    sheet: Sheet = view.sheet(who)
    if sheet.class_.lower() == "elf":
        return "arkm.move.elf-fire-into-melee"
    if sheet.class_.lower() == "hobbit" and weapon and pace.fires(sheet, weapon):
        return "arkm.move.hobbit-fire-into-melee" if view.option("hobbit_fire_into_melee") else ""
    return ""
