"""Spellcasting: magica, then spell attack or spell save, then spell pierce against spell resistance."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Resolution, Roll
from ledger.events import AmbientMagicaSpent, MagicaSpent, Noted, Number, number

from . import conditions, gear, points, threat, windows, wounds
from .bodies import distance, turn_to
from .chain import Dodge, Pools, counted, throw, total
from .tables import PRONE, Spell, find_spell
from .threat import check_living
from .windows import ANSWER


class Cast(Pools):
    """Cast a spell, out of an equipped tome or as a cantrip."""

    who: Annotated[Fighter, Meta(description="Who casts it.")]
    spell: Annotated[str, Meta(description="Which spell.", extra={"word": "spell"})]
    target: Annotated[Fighter, Meta(description="On whom.")]
    extra: Annotated[int, Meta(ge=0, le=1000, description="Extra magica, a spell pierce die each.")] = 0
    ambient: Annotated[int, Meta(ge=0, le=1000, description="Ambient magica, towards the base cost.")] = 0
    fail_save: Annotated[bool, Meta(description="The target fails its save on purpose.")] = False
    let_through: Annotated[bool, Meta(description="The target lets the spell through.")] = False
    pierce_dice: Annotated[int, Meta(ge=-50, le=50, description="Spell pierce dice more, or fewer.")] = 0
    effect: Annotated[str, Meta(max_length=2000, description="What its effect is, if not as the spell says.")] = ""
    keep_facing: Annotated[bool, Meta(description="The caster does not turn to its target.")] = False
    opportune: Annotated[tuple[str, ...], Meta(description=ANSWER)] = ()


def cast(fight: Resolution, said: Cast) -> None:
    """dungeoneers.spellcast.cost: the spell's action points, 1 unless it says otherwise."""
    spell = known(fight, said.who, said.spell)
    points.act(fight, said.who, "spellcast", spell.ap)
    carry_out(fight, said)


def known(fight: Resolution, who: str, name: str) -> Spell:
    """The row of a spell."""
    spell = find_spell(fight.sheet(who), name)
    if spell is None:
        at_hand = ", ".join(gear.sources(fight, who)) or "none"
        what = f"There is no spell {name[:40]!a}." if name else "Which spell?"
        fight.impossible(what, f"{who} can cast: {at_hand}.")
    return spell


def carry_out(fight: Resolution, said: Cast) -> None:
    """What it takes, the two steps, and what a ranged spell provokes."""
    who, target = said.who, said.target
    spell = known(fight, who, said.spell)
    if said.fail_save and spell.kind != "save":
        fight.impossible(f"{spell.name} asks for no save.")
    check_living(fight, target)
    _check_source(fight, who, spell)
    mine = _check_magica(fight, said, spell)
    ranged = _is_ranged(fight, who, target)
    strikers, names = windows.provoked(fight, who, ranged, said.opportune)
    if who != target:
        turn_to(fight, who, target, said.keep_facing)
    _spend(fight, who, mine, said.ambient)
    if _reaches(fight, said, spell, ranged) and _overcomes(fight, said, spell):
        _take_effect(fight, said, spell)
    windows.after_ranged(fight, who, "cast", strikers, names)


def _check_source(fight: Resolution, who: str, spell: Spell) -> None:
    """dungeoneers.spellcast.source: an equipped tome that holds it, or a cantrip of one's own."""
    at_hand = list(gear.sources(fight, who))
    if spell.name not in at_hand:
        hint = f"{who} can cast: {', '.join(at_hand) or 'nothing'}."
        fight.refuse("dungeoneers.spellcast.source", f"{who} has {spell.name} neither as a tome nor a cantrip.", hint)


def _check_magica(fight: Resolution, said: Cast, spell: Spell) -> int:
    """What the caster pays itself.

    dungeoneers.magica.ambient: the place may pay of the base cost, up to what there is. dungeoneers.focus.not-base:
    what a focus counts for pays nothing. dungeoneers.magica.base-cost and dungeoneers.magica.extra must be there.
    """
    left, pool = fight.state.magica.left(said.who), fight.state.magica.ambient
    if said.ambient > spell.cost or (pool is not None and said.ambient > pool):
        most = spell.cost if pool is None else min(spell.cost, pool)
        what = f"Ambient magica can pay {most} of {spell.name} here."
        fight.refuse("dungeoneers.magica.ambient", what, [fight.otherwise(ambient=most)])
    base = max(spell.cost - said.ambient, 0)
    if base > left:
        what = f"{said.who} has {left} magica, and {spell.name} costs {base}."
        lent = spell.cost if pool is None else min(spell.cost, pool)
        fight.refuse("dungeoneers.magica.base-cost", what, [fight.otherwise(ambient=lent)])
    elif base + said.extra > left:
        what = f"{said.who} has {left} magica; {spell.name} costs {base}, and {said.extra} more were offered."
        fight.refuse("dungeoneers.magica.extra", what, [fight.otherwise(extra=left - base)])
    return min(base + said.extra, left)


def _is_ranged(fight: Resolution, who: str, target: str) -> bool:
    """dungeoneers.spellcast.melee-or-ranged: ranged when the target is beyond the caster's threat range."""
    if who == target:
        return False
    far, reach = number("distance", distance(fight, who, target)), threat.threat_range(fight, who)
    clause = "dungeoneers.spellcast.melee-or-ranged"
    return fight.compare(clause, far, ">", reach, who, target, yes="ranged", no="melee")


def _spend(fight: Resolution, who: str, mine: int, ambient: int) -> None:
    """Magica is spent whatever comes of it."""
    if mine:
        fight.record(MagicaSpent(who, mine, fight.state.magica.left(who) - mine))
    pool = fight.state.magica.ambient
    if pool is not None and min(ambient, pool):
        fight.record(AmbientMagicaSpent(min(ambient, pool), pool - min(ambient, pool)))


def _reaches(fight: Resolution, said: Cast, spell: Spell, ranged: bool) -> bool:
    """dungeoneers.spellcast.kind: a spell attack or a spell save, never both."""
    return _hits(fight, said, spell, ranged) if spell.kind == "attack" else _save_fails(fight, said, spell)


def _caster_dice(fight: Resolution, said: Cast, score: str) -> Number:
    dice = counted(fight, said.who, f"{score} dice", score, said.hit_dice)
    return gear.plus_spellcraft(fight, said.who, dice).at_least(0, "least")


def _hits(fight: Resolution, said: Cast, spell: Spell, ranged: bool) -> bool:
    """dungeoneers.spell-attack.roll and dungeoneers.spell-attack.compare: a tie hits."""
    who, target, clause = said.who, said.target, "dungeoneers.spell-attack.roll"
    dice = _caster_dice(fight, said, "spell")
    if ranged and fight.state.conditions.has(target, PRONE):
        dice = dice.at_most(1, PRONE)  # dungeoneers.prone.ranged-cap
    hit = throw(fight, clause, who, "spell-hit", target, dice, spell.hit_die)
    dodge = Dodge(fight, clause, target, who, extra=said.dodge_dice)
    left, right = total(hit, "spell hit"), dodge.number()
    return fight.compare("dungeoneers.spell-attack.compare", left, ">=", right, who, target, yes="hit", no="miss")


def _save_fails(fight: Resolution, said: Cast, spell: Spell) -> bool:
    """dungeoneers.spell-save.roll and dungeoneers.spell-save.compare: a tie fails the save.

    dungeoneers.spell-save.score: the defender rolls the score that the spell names; or it fails on purpose, and nobody
    rolls: dungeoneers.spell-save.intentional-fail.
    """
    who, target, clause = said.who, said.target, "dungeoneers.spell-save.roll"
    if said.fail_save:
        fight.rule("dungeoneers.spell-save.intentional-fail", "failed on purpose", who=who, about=target)
        return True
    mind = throw(fight, clause, who, "save", target, _caster_dice(fight, said, "mind"), spell.save_die)
    score = spell.save_score
    dice = counted(fight, target, f"{score} dice", score, said.dodge_dice).at_least(0, "least")
    if score == "prowess" and fight.state.conditions.has(target, PRONE):
        dice = dice.at_most(1, PRONE)  # dungeoneers.prone.save-cap
    save: Roll | None = throw(fight, clause, target, "save", who, dice, spell.save_die)
    left, right = total(mind, "mind"), total(save, score)
    clause = "dungeoneers.spell-save.compare"
    return fight.compare(clause, left, ">=", right, who, target, yes="save failed", no="saved")


def _overcomes(fight: Resolution, said: Cast, spell: Spell) -> bool:
    """dungeoneers.spell-resistance.roll and dungeoneers.spell-resistance.compare: a tie takes effect.

    dungeoneers.spell-resistance.allow: the defender may let it through, and nobody rolls.
    """
    who, target, clause = said.who, said.target, "dungeoneers.spell-resistance.roll"
    if said.let_through:
        fight.rule("dungeoneers.spell-resistance.allow", "takes effect", who=who, about=target)
        return True
    dice = number("spell pierce dice", said.extra, "extra magica").plus(said.pierce_dice, "more")
    dice = gear.plus_effects(fight, who, dice)
    dice = gear.plus_foci(fight, who, spell.school, dice)
    dice = gear.less_weight(fight, who, gear.plus_spellcraft(fight, who, dice)).at_least(0, "least")
    own = fight.sheet(who).spell_pierce_die
    sides = gear.die_size(fight, "dungeoneers.spell-resistance.die-size", who, "spell pierce die", own)
    pierce = throw(fight, clause, who, "spell-pierce", target, dice, sides)
    resisted = gear.spell_resistance(fight, target)
    left, clause = total(pierce, "spell pierce"), "dungeoneers.spell-resistance.compare"
    return fight.compare(clause, left, ">=", resisted, who, target, yes="takes effect", no="resisted")


def _take_effect(fight: Resolution, said: Cast, spell: Spell) -> None:
    """dungeoneers.spell.effect: what the spell gives is in force; the referee puts in force what it says in words.

    dungeoneers.spell.wounds: its wounds come as of a single attack.
    """
    effect = said.effect or spell.effect
    if effect:
        fight.record(Noted(effect, said.target))
    if spell.gives and not said.effect:
        fight.rule("dungeoneers.spell.effect", "in force", who=said.who, about=said.target)
        for kind, amount in spell.gives.items():
            conditions.put_in_force(fight, said.target, spell.name, kind.replace("_", " "), amount)
    elif effect:
        word = f"the referee's: affray effect {said.target} '{spell.name}'"
        fight.rule("dungeoneers.spell.effect", word, who=said.who, about=said.target)
    if spell.wounds:
        listed = number("wounds", spell.wounds, spell.name)
        wounds.suffer(fight, said.target, listed, spell.type, by=said.who)
