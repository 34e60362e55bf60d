"""How a blow is aimed: with what, from where, and whether it can be made at all."""

from typing import Annotated, Literal

from commands.action.declaration import Blows, Declaration, Fighter, says
from commands.action.modifiers import Mods
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import whose

from . import hands, position, scores, strike_order, temporary, tohit, ways
from .conditions import FLORENTINE, SET
from .distance import known, words
from .hands import fights_with, in_hand
from .holding import Cover, covered
from .stat_block import AttackLine, Sheet, Weapon
from .tables import Surround
from .tohit import ATTACKED_BY, ROLLS, Blow

Ability = Literal["str", "dex"]


class Aim(Declaration, kw_only=True):
    """What matters for any to-hit roll in melee."""

    from_: Annotated[Literal["front", "flank", "rear"], says("Where the attack comes from.")] | None = None
    surprise: Annotated[bool, says("The target does not see it coming.")] = False
    hit_ability: Annotated[Ability, says("To hit; dex only for fighters and pirates in light armour.")] | None = None
    mod: Mods = ()
    attackers: Annotated[int, says("How many are attacking the target.", ge=1, le=50)] | None = None
    slots: Annotated[int, says("Places that the attacker takes up around the target.", ge=0, le=10)] = 1
    stationary: Annotated[bool, says("The target stands more or less still.")] = False
    cover: Annotated[Cover, says("The target's cover: 25, 50 or 75 percent.")] = 0


class Attack(Aim):
    """Strike one or more foes within 5 feet: one roll for each name, in the order named.

    A player character of level 3 gets three attacks against Normal Men: affray attack bran orc-1 orc-1 orc-2. Anyone
    who is out of the fight but not dead can also be attacked.
    """

    who: Annotated[Fighter, says("Who attacks.")]
    target: Annotated[Blows, says("Who is attacked; repeat the name for each extra blow.")]
    with_: Annotated[str, says("The weapon, drawn if need be.")] = ""
    off_hand: Annotated[str, says("A second weapon, in the other hand.", players=True)] = ""
    all_: Annotated[bool, says("All of this round's attacks, working through the targets in turn.")] = False
    backstab: Annotated[bool, says("A backstab: the target does not see it coming.")] = False
    ability: Annotated[Ability, says("For both rolls; dex only for fighters and pirates in light armour.")] | None = (
        None
    )
    damage_ability: Annotated[Ability, says("For the damage alone.")] | None = None
    no_room: Annotated[bool, says("There is no room to swing that weapon.")] = False
    distance: Annotated[int, says("Feet to the target, for a whip.", ge=0, le=1000)] | None = None
    entangle: Annotated[bool, says("Entangle with a whip.")] = False
    part: Annotated[Literal["body", "legs", "arm", "weapon", "item"], says("What to entangle.")] | None = None
    then: Annotated[Literal["prone", "pull", "hold"], says("What to do with what is entangled.")] | None = None
    empty_hand: Annotated[bool, says("With bare hands: D4, most of it temporary.")] = False
    pull: Annotated[bool, says("With pulled punches: all damage is temporary.")] = False
    subdue: Annotated[bool, says("To subdue, with any weapon: all damage is temporary.")] = False
    object: Annotated[str, says("With something that is not a weapon: D4.", max_length=40)] = ""
    dismount: Annotated[bool, says("To unhorse a rider, with a polearm.")] = False
    expected: Annotated[bool, says("No dice: the expected number of Normal Men is slain.")] = False
    rounding: Annotated[Literal["up", "down", "nearest"], says("How that number is rounded.")] | None = None


class Arms:
    """With what somebody attacks."""

    def __init__(self, weapon: Weapon | None, lines: tuple[AttackLine, ...], off_hand: Weapon | None = None) -> None:
        self.weapon, self.lines, self.off_hand = weapon, lines, off_hand

    def line(self, nth: int) -> AttackLine | None:
        """The natural attack of the nth roll of a round, 0 for the first: the routine in its order, and again."""
        return self.lines[nth % len(self.lines)] if self.lines else None

    @property
    def weapons(self) -> list[Weapon]:
        """All weapons in use."""
        return [weapon for weapon in (self.weapon, self.off_hand) if weapon]


def as_attack(said: Aim, who: str, target: str) -> Attack:
    """An attack on one foe, with everything that matters for the to-hit roll of another action."""
    return Attack(who, (target,), **{name: getattr(said, name) for name in Aim.__struct_fields__})


def at_hand(fight: Resolution, who: str) -> Arms | None:
    """With what somebody strikes at once: two weapons in that stance, the first in hand, or the first of nature."""
    held = [weapon for weapon in in_hand(fight, who) if weapon.is_("melee")]
    pair = [weapon for name in fight.state.conditions.whom(who, FLORENTINE) for weapon in held if weapon.id == name]
    if len(pair) == 2:
        return Arms(pair[0], (), pair[1])
    lines = fight.sheet(who).attacks[:1]
    return Arms(held[0], ()) if held else Arms(None, lines) if lines else None


def arms_used(fight: Resolution, who: str, arms: Arms) -> None:
    """Counts with what somebody fights in this round, where that is not all that is in hand; the stance of two weapons
    ends when it is not used.

    arkm.reach.first-strike, arkm.florentine.ac-bonus
    """
    if arms.off_hand is None:
        hands.end_florentine(fight, who)
    used = [*(weapon.id for weapon in arms.weapons), *(line.name for line in arms.lines)]
    held = [weapon.id for weapon in in_hand(fight, who) if weapon.is_("melee")]
    held = held or [line.name for line in fight.sheet(who).routine()]
    fights_with(fight, who, () if used == held else tuple(used) or ("fist",))


def take_up(fight: Resolution, who: str, said: str, off: str = "") -> Arms:
    """With what somebody attacks: as said, as it stands with two weapons, what is in hand, or what nature gave."""
    sheet: Sheet = fight.sheet(who)
    stance = fight.state.conditions.whom(who, FLORENTINE)
    if off or (stance and not said):
        return Arms(*hands.take_two(fight, who, *((said, off) if off else stance)))
    if said:
        if lines := sheet.routine(said):
            return Arms(None, lines)
        return Arms(wield(fight, who, said), ())
    held = [weapon for weapon in in_hand(fight, who) if weapon.is_("melee")]
    if held:
        return Arms(held[0], ())
    if not sheet.attacks:
        carried = [fight.otherwise(with_=weapon.id) for weapon in hands.arsenal(fight, sheet) if weapon.is_("melee")]
        say = "Say with what: --with, and a weapon that is carried, or --empty-hand."
        fight.impossible(f"{who} has no melee weapon in hand.", carried if len(carried) == 1 else say)
    return Arms(None, sheet.routine())


def manner(view: View, said: Attack) -> str:
    """How the damage is done.

    With the option subdue_share `as-empty-hand`, a part of what subdues is actual.
    """
    if said.subdue and view.option("subdue_share") == "as-empty-hand":
        return "empty-hand"
    return "pulled" if said.pull else "subdued" if said.subdue else "empty-hand" if said.empty_hand else ""


def wield(fight: Resolution, who: str, name: str) -> Weapon:
    """A melee weapon, drawn for free if it is not in hand."""
    weapon = hands.own(fight, who, name)
    if not weapon.is_("melee"):
        fight.impossible(f"{weapon.id} is not a melee weapon.", "Use shoot: it is shot or thrown.")
    hands.ready(fight, who, weapon)
    return weapon


def check_ability(fight: Resolution, said: Attack, arms: Arms) -> None:
    """Refuses an ability by which somebody does not fight."""
    who, chosen = said.who, {said.ability, said.hit_ability, said.damage_ability}
    if "str" in chosen and fight.sheet(who).class_.lower() == "thief":
        fight.refuse("arkm.melee-hit.thief-dex", f"{who} is a thief, and fights by DEX.", "Leave out --ability.")
    if "dex" in chosen:
        hit = (said.hit_ability or said.ability) == "dex"
        clause = "arkm.melee-hit.swashbuckler-dex" if hit else "arkm.melee-damage.swashbuckler-dex"
        scores.check_choice(fight, who, arms.weapons, clause)


def check_near(fight: Resolution, who: str, target: str, arms: Arms, distance: int | None = None) -> None:
    """arkm.in-melee.attack-distance: within 5 feet. arkm.whip.reach: a whip reaches 10.

    Before the phase is looked at: the way to the melee phase costs others their movement, and brings nobody nearer.
    """
    if ends := fight.state.counts.get(who, strike_order.SHORT):
        message = f"{whose(who)} charge ended {ends} feet from its target."
        fight.refuse("arkm.charge.end-within-5", message, ways.next_round(fight))
    if target in fight.state.engagement.of(who):
        return
    position.check_hostile(fight, who, target, "arkm.in-melee.attack-distance")
    feet = distance if distance is not None else known(fight, who, target)
    away = f"{words(fight, feet) if feet > 10 else f'{feet} feet'} away" if feet else "not within 5 feet"
    if arms.weapon and "whip" in arms.weapon.tags:
        if not 0 < feet <= 10:
            message = f"{target} is {away}; a whip reaches 10."
            fight.refuse("arkm.whip.reach", message, "Say how far, if it is near enough: --distance 10.")
        return
    message = f"{target} is {away} of {who}." if not feet else f"{target} is {away}."
    fight.refuse("arkm.in-melee.attack-distance", message, ways.come_up(fight, who, target))


def aimed(fight: Resolution, said: Attack, arms: Arms, target: str, what: tuple[str, ...] = ("hit", "damage")) -> Blow:
    """One blow at one who is near, with all that its place and moment give it; refuses what cannot be struck now.

    `what` are the numbers that the game master can modify.
    """
    who = said.who
    mods = scores.mods(fight, said.mod, what, (who, *said.target))
    strike_order.check(fight, who, target, said.surprise or said.backstab)
    made = sum(fight.state.counts.of(who, ROLLS).values())
    _check_room(fight, who, target, said.slots)
    direction, sneaks = _comes_from(fight, said, target)
    charging = not made and strike_order.charges(fight, who)
    how, surprised = manner(fight, said), said.surprise or position.is_surprised(fight, target)
    return Blow(
        who=who,
        target=target,
        weapon=arms.weapon,
        line=arms.line(made),
        off_hand=arms.off_hand,
        direction="front" if sneaks else direction,
        surprise=bool(made) if sneaks else surprised,
        backstab=sneaks and not made,
        charge=charging,
        charge_bonus=charging and _is_plain(fight, who, target),
        lance=charging and tohit.is_mounted(fight, who),
        set_=not made and _meets_charge(fight, who, target, arms.weapon),
        hit_ability="dex" if (said.hit_ability or said.ability) == "dex" else "",
        damage_ability="dex" if (said.damage_ability or said.ability) == "dex" else "",
        hit_mods=scores.said(mods, "hit", who, target),
        damage_mods=scores.said(mods, "damage", who, target),
        attackers=said.attackers,
        stationary=said.stationary,
        terms=covered(fight, said.cover),
        manner=how,
        sets=temporary.sets(surprised or sneaks, sneaks and not made) if how else 1,
        dismount=said.dismount,
        also=_clauses(fight, said, target, bool(made), sneaks),
    )


def _comes_from(fight: Resolution, said: Attack, target: str) -> tuple[str, bool]:
    """From where a blow comes, and whether it is one from behind at somebody who does not see it coming."""
    direction = said.from_ or position.stands_at(fight, said.who, target)
    if said.backstab or (direction == "rear" and (said.surprise or position.is_surprised(fight, target))):
        clause = "arkm.backstab.requirements"
        if said.from_ in ("front", "flank"):
            fight.refuse(clause, f"A backstab comes from behind, not from the {said.from_}.", "Leave out --from.")
        position.check_unaware(fight, said.who, target, clause)
        return direction, True
    position.check_direction(fight, said.who, target, direction)
    if said.surprise:
        position.check_unaware(fight, said.who, target, "arkm.surprise-attack.until-faced")
    return direction, False


def _clauses(fight: Resolution, said: Attack, target: str, later: bool, sneaks: bool) -> tuple[str, ...]:
    """The clauses by which a blow falls when it does, and lacks what only the first of a round has."""
    who, unseen = said.who, said.surprise or said.backstab
    found = strike_order.clauses(fight, who, target, unseen) if fight.state.turns.phase == "melee" else []
    if later and sneaks:
        found.append("arkm.backstab.first-attack-only")
    if later and strike_order.charges(fight, who):
        found.append("arkm.charge.first-attack-only")
    elif strike_order.charges(fight, who) and strike_order.has_set(fight, target):
        found.append("arkm.charge.against-set")
    return tuple(found)


def _is_plain(fight: Resolution, who: str, target: str) -> bool:
    """Whether a charge at somebody has its bonus: unmounted, and nothing set against it."""
    meets = tohit.is_mounted(fight, target) or strike_order.has_set(fight, target)
    return strike_order.has_bonus(fight, who) and not meets


def _meets_charge(view: View, who: str, target: str, weapon: Weapon | None) -> bool:
    """Whether it is the set weapon, and the target charged in this round."""
    if weapon is None or not strike_order.charges(view, target):
        return False
    held = view.state.conditions.get(who, SET)
    return held is not None and weapon.id in held.whom


def _check_room(fight: Resolution, who: str, target: str, slots: int) -> None:
    """arkm.surround.max-six, arkm.surround.larger, arkm.surround.smaller: how many have room around a target."""
    around = fight.state.counts.of(target, ATTACKED_BY)
    if who in around or not slots:
        return
    sheet: Sheet = fight.sheet(target)
    room = sheet.surround_max or Surround.used(fight.state).most(sheet.size)
    clause = {"ogre": "larger", "huge": "larger", "small": "smaller", "tiny": "smaller"}.get(sheet.size, "max-six")
    if sum(around.values()) + slots > room:
        message = f"{target} has room for {room} attackers in a round: {', '.join(sorted(around))}."
        fight.refuse(f"arkm.surround.{clause}", message, "Say --slots 0 if the attacker needs no room.")
