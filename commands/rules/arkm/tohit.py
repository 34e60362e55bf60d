"""The to-hit roll: what the die must show, what it showed, and natural 1 and 20."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action.resolution import Resolution
from commands.action.view import View, guarded
from ledger.events import Counted, Number, number, whose

from . import ability, conditions, position, scores
from .conditions import BLOW_DUE, ELEVATION, FLEEING, FLORENTINE, MOUNTED, OFF_BALANCE, PARRYING, PRONE, STRUGGLING
from .flight import pursues
from .hands import has_shield, in_hand
from .order import ATTACK, acted, tied
from .scores import Term
from .stat_block import AttackLine, Sheet, Weapon
from .tables import Armours, Critical, Shields, ToHit, row_of

ROLLS, SHIELD_FOR, SHIELD_USED, ATTACKED_BY = "attacks", "shield for", "shield", "attacked by"
"""What is counted in a round: rolls made against each; whom a shield was chosen for, and served; who attacked."""


class Blow(Struct, frozen=True, kw_only=True):
    """One attack, before it is rolled."""

    who: str
    target: str
    weapon: Weapon | None = None
    line: AttackLine | None = None
    """A natural attack, in place of a weapon."""
    off_hand: Weapon | None = None
    """The second weapon of two."""
    shot: bool = False
    range_: str = ""
    """short, medium or long, of a shot."""
    direction: str = "front"
    """front, flank or rear."""
    surprise: bool = False
    backstab: bool = False
    """The first attack of a round, from behind, on one who does not see it coming."""
    charge: bool = False
    """The first attack of one who charged."""
    charge_bonus: bool = False
    """That attack, on somebody unmounted with nothing but ordinary weapons."""
    lance: bool = False
    """That attack, by a rider: a lance does more."""
    set_: bool = False
    """The first attack with a weapon set against one who charged."""
    free: str = ""
    """A free attack at one who turns his back: why. No shield counts against it."""
    hit_ability: str = ""
    damage_ability: str = ""
    """`dex` in place of STR, where that can be chosen."""
    hit_mods: tuple[Term, ...] = ()
    damage_mods: tuple[Term, ...] = ()
    terms: tuple[Term, ...] = ()
    """Other modifiers of the roll, such as cover."""
    attackers: int | None = None
    """How many attack the target, if the game master says."""
    stationary: bool = False
    sets: int = 1
    """Sets of damage dice by other rules."""
    harmless: bool = False
    """It does no damage: nothing is critical."""
    manner: str = ""
    """empty-hand, pulled or subdued, of a blow whose damage is temporary, wholly or in part."""
    dismount: bool = False
    """It is meant to unhorse a rider."""
    unit: bool = False
    """One throw for many men: nothing is a fumble."""
    also: tuple[str, ...] = ()
    """The clauses by which it is made so: its place in the order, a later blow of one who charged ..."""

    def plain(self, **changes: Any) -> "Blow":
        """The same blow without what the first one of a round has: surprise, a charge, a set weapon."""
        first = dict.fromkeys(("surprise", "backstab", "charge", "charge_bonus", "lance", "set_"), False)
        return replace(self, **{**first, **changes})


class HitRoll(Struct, frozen=True):
    """What came of the to-hit roll."""

    hit: bool
    natural: int
    needed: int
    """The natural roll needed, R."""
    critical: bool = False
    fumble: bool = False

    @property
    def missed(self) -> bool:
        """Whether it went by; what strikes somebody whom it cannot harm has not."""
        return not self.hit and (self.natural == 1 or self.natural < min(self.needed, 20))


def roll(fight: Resolution, blow: Blow) -> HitRoll:
    """arkm.to-hit.formula: a d20 hits when it shows what is needed, or more.

    arkm.natural-1.miss, arkm.natural-20.hit and arkm.natural-20.immune come before; a shield that served, and who
    attacked, are counted.
    """
    need = needed(fight, blow, seen(fight, blow))
    face, also = die(fight, blow), (*blow.also, *_decided(fight, blow, need))
    natural = face.total
    if natural == 1:
        fight.rule("arkm.natural-1.miss", "miss", [face, need], blow.who, blow.target, also)
        return HitRoll(False, natural, need.total, fumble=not blow.unit and fumbles(fight, blow))
    if immune(fight, blow):
        fight.rule("arkm.natural-20.immune", "no effect", [face], blow.who, blow.target)
        return HitRoll(False, natural, need.total)
    if natural == 20 and need.total > 20:
        fight.rule("arkm.natural-20.hit", "hit", [face, need], blow.who, blow.target, also)
        return HitRoll(True, natural, need.total)
    hit = fight.compare("arkm.to-hit.formula", face, ">=", need, blow.who, blow.target, "hit", "miss", also)
    critical = hit and not blow.harmless and _is_critical(fight, blow, natural, need.total)
    return HitRoll(hit, natural, need.total, critical)


def _whose(fight: Resolution, who: str) -> str:
    """What the roll is called: named, when it is not that of the one who declared."""
    return "attack" if getattr(fight.declaration, "who", "") in (who, (who,)) else f"{whose(who)} attack"


class AsItBegan(View):
    """What those who act at the same time see of each other: how it was when their place began."""

    def __init__(self, fight: Resolution) -> None:
        super().__init__(fight.opening)
        self.now = fight.state
        """As it is now: whom the shields have served, and who is down."""


def seen(fight: Resolution, blow: Blow) -> View:
    """arkm.initiative.tie-numbers: what modifiers are read from: for groups that act at the same time, how it was when
    their place began, in whatever order they are typed.
    """
    return AsItBegan(fight) if not blow.free and tied(fight, blow.who, blow.target) else fight


def needed(fight: Resolution, blow: Blow, view: View) -> Number:
    """THAC0, less the armour class, less every modifier of the attacker, as they are `seen`."""
    untrained = scores.is_untrained(fight, blow.who, blow.weapon)
    clause = "arkm.untrained.as-normal-man" if untrained else "arkm.to-hit.table"
    need = scores.plus(number("needed", _thac0(fight, blow), "THAC0", clause), defence(view, blow))
    for term in _offence(view, blow):
        need = need.minus(term.value, term.reason, term.clause)
    return need


def _decided(fight: Resolution, blow: Blow, need: Number) -> list[str]:
    """The clauses that decide about a roll besides those of the terms of the number needed.

    arkm.to-hit.modifiers-add: several modifiers add. Others take away what would be a term.
    """
    modifiers, view = len(need.steps) - 2, seen(fight, blow)  # besides THAC0 and the armour
    found = ["arkm.to-hit.modifiers-add"] if modifiers > 1 else []
    if view is not fight and needed(fight, blow, fight).total != need.total:
        found.append("arkm.initiative.tie-numbers")
    shield, bonus = has_shield(view, blow.target), scores.modifier(view, blow.target, "dex") > 0
    if shield or bonus:
        found += _denied(blow)
    if shield and not _is_denied(blow) and (blow.free or _is_pursued(view, blow)):
        found.append("arkm.retreat.no-shield")
    if bonus and not _is_denied(blow) and (blow.stationary or _is_stationary(view, blow.target)):
        found.append("arkm.ac.dex-stationary")
    if afoot := _mounted_term(view, blow):
        found += ["arkm.mounted.long-weapon-exception"] * _keeps_riders_off(view, blow, afoot)
    if not blow.shot and not blow.free and _has_wall(view, blow.target) and _many(view, blow):
        found.append("arkm.surround.back-to-wall")
    return found


_DENIED = {"flank": "arkm.flank.defences-denied", "rear": "arkm.rear.defences-denied"}


def _denied(blow: Blow) -> list[str]:
    """By what neither shield nor DEX bonus helps against a blow."""
    if blow.backstab:
        return ["arkm.backstab.defences-denied"]
    sides = [_DENIED[blow.direction]] if blow.direction in _DENIED else []
    return [*sides, "arkm.surprise-attack.defences-denied"] if blow.surprise else sides


def _thac0(view: View, blow: Blow) -> int:
    """By class and level, or by Hit Dice; the sheet's own number comes first.

    With a weapon that a player character was not trained with, that of a Normal Man.
    """
    sheet: Sheet = view.sheet(blow.who)
    table = ToHit.used(view.state)
    if scores.is_untrained(view, blow.who, blow.weapon):
        return table.normal_man
    if sheet.thac0 is not None:
        return sheet.thac0
    if sheet.is_kind == "normal-man" or (sheet.class_ and not sheet.level):
        return table.normal_man
    return table.of_class(sheet.class_.lower(), sheet.level) if sheet.class_ else table.of_hd(sheet.hit_dice)


def defence(view: View, blow: Blow) -> list[Term]:
    """The armour class in its parts, each as what it adds to the roll needed."""
    sheet: Sheet = view.sheet(blow.target)
    held = ability.conditions(view, blow.target)
    if sheet.ac is not None:
        base = Term(-sheet.ac, "AC", "arkm.ac.armour")
    else:
        worn = f"{sheet.armour} armour" if sheet.armour != "none" else "no armour"
        base = Term(-Armours.used(view.state).ac(sheet.armour), worn, "arkm.ac.armour")
    terms = [base, Term(sheet.armour_magic, "magical armour", "arkm.ac.armour")]
    if _shielded(view, blow):
        clause, most = "arkm.ranged-hit.shields" if blow.shot else "arkm.ac.shield", Shields.used(view.state)
        terms.append(Term(most.of(sheet.shield).bonus, "shield", clause))
        terms.append(Term(sheet.shield_magic, "magical shield", clause))
    terms.append(Term(_dex_bonus(view, blow), "DEX", "arkm.ac.dex"))
    if conditions.WITHDRAWING in held:
        terms.append(Term(2, "fighting withdrawal", "arkm.withdraw.defence"))
    struggles = STRUGGLING in held and BLOW_DUE not in held  # arkm.grapple.struggling
    armed = not ability.is_helpless(view, blow.target) and not struggles
    if FLORENTINE in held and not blow.shot and armed:
        terms.append(Term(1, "two weapons", "arkm.florentine.ac-bonus"))
    if PARRYING in held and armed and not (blow.shot and view.option("parry_scope") == "melee"):
        terms.append(Term(2, "parry", "arkm.parry.defence"))
    return terms


def armour_class(view: View, who: str) -> int:
    """The armour class against another blow from in front, lower is better."""
    blow = Blow(who="", target=who, surprise=position.is_surprised(view, who))
    return -sum(term.value for term in defence(view, blow))


def _dex_bonus(view: View, blow: Blow) -> int:
    """The defender's DEX modifier. Only a bonus can be lost; a penalty stays."""
    bonus = scores.modifier(view, blow.target, "dex")
    return min(bonus, 0) if _is_denied(blow) or blow.stationary or _is_stationary(view, blow.target) else bonus


def _is_stationary(view: View, who: str) -> bool:
    """Whether somebody stands more or less still, or lies, and can dodge nothing."""
    held = ability.conditions(view, who)
    return conditions.STATIONARY in held or PRONE in held or ability.is_helpless(view, who)


def _is_denied(blow: Blow) -> bool:
    """Whether a blow comes from where neither shield nor DEX bonus helps."""
    return blow.direction != "front" or blow.surprise or blow.backstab


def _is_pursued(view: View, blow: Blow) -> bool:
    """Whether it is a blow or shot at the back of one who flees, by one who is after him."""
    return view.state.conditions.has(blow.target, FLEEING) and pursues(view, blow.who, blow.target)


def _shielded(view: View, blow: Blow) -> bool:
    """Whether the target's shield counts. arkm.shield.two-attackers: against few in a round."""
    target = blow.target
    held = ability.conditions(view, target)
    if not has_shield(view, target) or _is_denied(blow) or blow.free or ability.is_helpless(view, target):
        return False
    if PRONE in held or (blow.shot and not view.option("shield_vs_missiles")):
        return False
    if _is_pursued(view, blow):
        return False
    counts = view.now.counts if isinstance(view, AsItBegan) else view.state.counts
    chosen, used = counts.of(target, SHIELD_FOR), counts.of(target, SHIELD_USED)
    if chosen:
        return blow.who in chosen
    return blow.who in used or len(used) < Shields.used(view.state).of(view.sheet(target).shield).attackers


def _offence(view: View, blow: Blow) -> list[Term]:
    """Every modifier of the attacker."""
    held = ability.conditions(view, blow.who)
    terms = list(_skill(view, blow))
    if blow.weapon:
        terms.append(Term(blow.weapon.magic, "magic"))
    if blow.line:
        terms.append(Term(blow.line.hit_mod, blow.line.name))
    terms += _heights(view, blow)
    terms += _side(blow)
    if blow.charge_bonus:
        terms.append(Term(1, "charge", "arkm.charge.unmounted-bonus"))
    if blow.free:
        terms.append(Term(2, blow.free, "arkm.retreat.parting-shot"))
    elif not blow.shot and pursues(view, blow.who, blow.target):
        terms.append(Term(2, "on the run", "arkm.retreat.faster-pursuer"))
    if not blow.shot and not blow.free and not _has_wall(view, blow.target) and _many(view, blow):
        terms.append(Term(1, "more than two attackers", "arkm.surround.more-than-two"))
    if conditions.WITHDRAWING in held:
        terms.append(Term(-2, "fighting withdrawal", "arkm.withdraw.attack-penalty"))
    if view.state.conditions.has(blow.target, OFF_BALANCE):
        terms.append(Term(2, "off balance", "arkm.fumble.table"))
    return [*terms, *blow.terms, *blow.hit_mods]


def _skill(view: View, blow: Blow) -> list[Term]:
    """What ability and range give."""
    if not blow.shot or blow.weapon is None:
        return [scores.melee_hit(view, blow.who, blow.weapon, blow.hit_ability)]
    near = {
        "short": Term(1, "short range", "arkm.ranged-hit.short-range"),
        "long": Term(-1, "long range", "arkm.ranged-hit.long-range"),
    }
    return [*scores.ranged_hit(view, blow.who, blow.weapon), near.get(blow.range_, Term(0, ""))]


def _heights(view: View, blow: Blow) -> list[Term]:
    """From a steed or at one, uphill or downhill."""
    terms: list[Term] = []
    afoot = _mounted_term(view, blow)
    if afoot and not _keeps_riders_off(view, blow, afoot):
        up, down = Term(1, "mounted", "arkm.mounted.bonus"), Term(-1, "on foot", "arkm.mounted.ground-penalty")
        terms.append(up if afoot == blow.target else down)
    if not blow.shot or view.option("high_ground_missiles"):
        mine, theirs = elevation(view, blow.who), elevation(view, blow.target)
        if mine > theirs:
            terms.append(Term(1, "high ground", "arkm.high-ground.bonus"))
        elif mine < theirs:
            terms.append(Term(-1, "low ground", "arkm.high-ground.penalty"))
    return terms


def _mounted_term(view: View, blow: Blow) -> str:
    """Who of the two is on foot, when the other is mounted and that counts; else ""."""
    lies = not view.state.stands(blow.target) and ability.is_helpless(view, blow.target)
    mounted = is_mounted(view, blow.who), is_mounted(view, blow.target) and not lies
    if mounted[0] == mounted[1] or (blow.shot and not view.option("mounted_missiles")):
        return ""
    return blow.target if mounted[0] else blow.who


def _keeps_riders_off(view: View, blow: Blow, afoot: str) -> bool:
    """Whether it is a spear of 9 feet or more, a pike or a polearm, that keeps riders off."""
    weapons = [blow.weapon] if blow.weapon and afoot == blow.who else in_hand(view, afoot)
    return any({"pike", "polearm"} & {*one.tags} or ("spear" in one.tags and one.length >= 9) for one in weapons)


def is_mounted(view: View, who: str) -> bool:
    """Whether somebody sits on a steed."""
    return view.state.conditions.has(who, MOUNTED)


def elevation(view: View, who: str) -> int:
    """How high somebody stands, in the game master's measure."""
    return view.state.conditions.amount(who, ELEVATION)


def _side(blow: Blow) -> list[Term]:
    """From where it comes, and whether it is seen coming. A backstab's bonus takes the place of the others."""
    if blow.backstab:
        return [Term(4, "backstab", "arkm.backstab.bonus")]
    sides = {"flank": Term(1, "flank", "arkm.flank.bonus"), "rear": Term(2, "rear", "arkm.rear.bonus")}
    terms = [sides[blow.direction]] if blow.direction in sides else []
    return [*terms, Term(2, "surprise", "arkm.surprise-attack.bonus")] if blow.surprise else terms


def _has_wall(view: View, who: str) -> bool:
    """Whether somebody has a wall at his back: nobody gets round him."""
    return view.state.conditions.has(who, conditions.WALL)


def _many(view: View, blow: Blow) -> bool:
    """Whether more than two attack the target at the same time."""
    if blow.attackers is not None:
        return blow.attackers > 2
    return len([foe for foe in position.foes(view, blow.target) if _attacks(view, foe, blow.target)]) > 2


def _attacks(view: View, foe: str, target: str) -> bool:
    """Whether a foe is on somebody: not helpless, and in this round neither on somebody else nor past striking, as by a
    parry. Who goes down leaves the count at once, also for those who act at the same time.
    """
    if (isinstance(view, AsItBegan) and not view.now.stands(foe)) or ability.is_helpless(view, foe):
        return False
    struck = view.state.counts.of(foe, ROLLS)
    return target in struck if struck else acted(view, foe) in ("", ATTACK, "grapple", "disarm")


def note(fight: Resolution, blow: Blow, slots: int) -> None:
    """Counts an attack: the roll, who made it, and the shield if it served."""
    rolls = fight.state.counts.get(blow.who, ROLLS, blow.target)
    if _shielded(seen(fight, blow), blow) and not fight.state.counts.get(blow.target, SHIELD_USED, blow.who):
        fight.record(Counted(blow.target, SHIELD_USED, 1, blow.who))
    if blow.free:
        return
    fight.record(Counted(blow.who, ROLLS, rolls + 1, blow.target))
    if not blow.shot and slots != fight.state.counts.get(blow.target, ATTACKED_BY, blow.who):
        fight.record(Counted(blow.target, ATTACKED_BY, slots, blow.who))


def die(fight: Resolution, blow: Blow) -> Number:
    """The natural roll: a d20; with two weapons the better of two. arkm.florentine.two-dice"""
    if not blow.off_hand:
        return fight.roll(blow.who, "1d20", "attack", about=blow.target).number(_whose(fight, blow.who))
    thrown = fight.roll(blow.who, "2d20", "attack", about=blow.target)
    best = max(thrown.faces) if thrown.known else thrown.total
    fight.rule("arkm.florentine.two-dice", f"{best} counts", who=blow.who, about=blow.target, aside=True)
    return number(_whose(fight, blow.who), best, "d20")


def fumbles(fight: Resolution, blow: Blow) -> bool:
    """arkm.natural-1.fumble-check: a second d20 higher than level and DEX modifier makes a miss a fumble."""
    if not fight.option("fumbles"):
        return False
    sheet = fight.sheet(blow.who)
    again = fight.roll(blow.who, "1d20", "fumble check", about=blow.target).number("fumble check")
    safe, dex = number("safe up to", sheet.experience, "level"), scores.modifier(fight, blow.who, "dex")
    safe, clause = safe.plus(dex, "DEX", "arkm.ability.modifier"), "arkm.natural-1.fumble-check"
    return fight.compare(clause, again, ">", safe, blow.who, blow.target, yes="fumble", no="a plain miss")


def immune(view: View, blow: Blow) -> bool:
    """arkm.natural-20.immune: whether the target is harmed by magic or silver alone, and this is neither."""
    wanted = view.sheet(blow.target).requires
    if not wanted:
        return False
    weapon = blow.weapon
    magic, silver = bool(weapon and weapon.magic), bool(weapon and weapon.silver)
    return not (("magic" in wanted and magic) or ("silver" in wanted and silver))


def _is_critical(fight: Resolution, blow: Blow, natural: int, needed: int) -> bool:
    """arkm.natural-20.critical: a natural 20 that hits; arkm.natural-20.critical-exception: not if 19 was needed."""
    if natural != 20:
        return False
    if needed >= 19:
        fight.rule("arkm.natural-20.critical-exception", "no critical hit", who=blow.who, about=blow.target)
        return False
    if fight.option("special_replaces_critical") and _is_special(blow, natural):
        return False
    fight.rule("arkm.natural-20.critical", "a critical hit", who=blow.who, about=blow.target)
    return True


def effect(fight: Resolution, blow: Blow) -> str:
    """arkm.natural-20.critical-effect: double damage, or what a campaign's own table says: double, triple, max ..."""
    table = Critical.used(fight.state)
    if not table.die:
        return "double"
    thrown = fight.roll(blow.who, table.die, "critical hit", about=blow.target)
    row = row_of(table.rows, thrown.total)
    clause, numbers = "arkm.natural-20.critical-effect", [thrown.number("critical")]
    fight.rule(clause, row.text or row.effect, numbers, blow.who, blow.target)
    return str(row.effect)


def _is_special(blow: Blow, natural: int) -> bool:
    """Whether a monster's special attack comes with this roll."""
    return bool(blow.line and blow.line.special and natural >= blow.line.special_on)


def special(fight: Resolution, blow: Blow, natural: int) -> None:
    """arkm.natural-20.special-attack: what it does is the game master's entry; arkm.natural-20.immune: so is what a hit
    does to one whose powers say in words what alone harms them.
    """
    target = fight.sheet(blow.target)
    if not target.requires and (power := guarded(target.special)):
        fight.rule("arkm.natural-20.immune", power, who=blow.who, about=blow.target)
    if blow.line and _is_special(blow, natural):
        fight.rule("arkm.natural-20.special-attack", blow.line.special, who=blow.who, about=blow.target)
