"""Spellcasting: magica, then spell attack or spell save, then spell pierce against spell resistance."""

from collections.abc import Sequence
from typing import Annotated

from commands.action.declaration import Fighter, Fighters, says
from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution, Roll
from ledger.events import AmbientMagicaSpent, MagicaSpent, Noted, Number, number

from . import conditions, gear, points, strikes, threat, wounds
from .bodies import distance, turn_to
from .chain import Dice, Dodge, Pools, by_gm, counted, not_below_none, plus, throw, total
from .strikes import Opportune
from .tables import PRONE, Spell
from .threat import check_living


class Cast(Pools):
    """Cast a spell, out of an equipped tome or as a cantrip."""

    who: Annotated[Fighter, says("Who casts it.")]
    spell: Annotated[str, says("Which spell, or the start of its name.", word="spell")]
    target: Annotated[Fighters, says("The targets, with commas between them.")]
    extra: Annotated[int, says("Extra magica: one spell pierce die for each.", ge=0, le=1000)] = 0
    ambient: Annotated[int, says("Ambient magica, towards the base cost.", ge=0, le=1000)] = 0
    fail_save: Annotated[bool, says("Every target fails its save on purpose.")] = False
    let_through: Annotated[bool, says("Every target lets the spell through.")] = False
    effect: Annotated[str, says("Its effect, if not the one the spell states.", max_length=2000)] = ""
    keep_facing: Annotated[bool, says("The caster does not turn to its first target.")] = False
    opportune: Opportune = ()


def cast(fight: Resolution, said: Cast) -> None:
    """dungeoneers.spellcast.cost: the spell's action points, 1 unless it says otherwise."""
    points.act(fight, said.who, "spellcast", gear.known(fight, said.who, said.spell).ap, "dungeoneers.spellcast.cost")
    _carry_out(fight, said)


def _carry_out(fight: Resolution, said: Cast) -> None:
    """What it takes, once for all targets; the two steps, for each; and what a ranged spell provokes."""
    who = said.who
    if not said.target:
        fight.impossible("On whom?", [fight.otherwise(target=[one]) for one in fight.state.roster.order])
    spell = gear.known(fight, who, said.spell)
    extra = {target: _by_gm(fight, said, spell, target) for target in said.target}
    if said.fail_save and spell.kind != "save":
        message = f"{spell.name} asks for an attack and for no save."
        fight.refuse("dungeoneers.spellcast.kind", message, [fight.otherwise(fail_save=False)])
    for target in said.target:
        check_living(fight, target)
    gear.check_source(fight, who, spell, "dungeoneers.spellcast.source")
    mine = _check_magica(fight, said, spell)
    if said.target[1:]:
        fight.rule("dungeoneers.spellcast.several", "", who=who)
    ranged = [target for target in said.target if _is_ranged(fight, who, target)]
    strikers, names = strikes.provoked(fight, who, bool(ranged), said.opportune)
    if who != said.target[0]:
        turn_to(fight, who, said.target[0], said.keep_facing)
    if mine:
        fight.record(MagicaSpent(who, mine, fight.state.magica.left(who) - mine, fight.sheet(who).magica_capacity))
    pool = fight.state.magica.ambient
    if pool is not None and min(said.ambient, pool):
        fight.record(AmbientMagicaSpent(min(said.ambient, pool), pool - min(said.ambient, pool)))
    for target in said.target:
        with fight.upon(who, target):
            _work(fight, said, spell, target, extra[target], target in ranged)
    strikes.after_ranged(fight, who, "cast", strikers, names, said.mod)


def _work(fight: Resolution, said: Cast, spell: Spell, target: str, extra: Dice, ranged: bool) -> None:
    """The spell on one target: a spell attack or a spell save, never both; then its resistance; then the effect."""
    if spell.kind == "attack":
        reached = _hits(fight, said.who, target, spell, extra, ranged)
    else:
        reached = _save_fails(fight, said, target, spell, extra)
    if reached and _overcomes(fight, said, target, spell, extra["pierce"]):
        _take_effect(fight, said, target, spell, extra["wounds"])


def _check_magica(fight: Resolution, said: Cast, spell: Spell) -> int:
    """What the caster pays itself.

    dungeoneers.magica.ambient: the place may pay of the base cost, up to what there is. What a focus counts for pays
    nothing. dungeoneers.magica.base-cost and dungeoneers.magica.extra must be there.
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
        worth = gear.plus_foci(fight, said.who, spell.school, number("foci", 0)).total
        clause = "dungeoneers.focus.not-base" if left + worth >= base else "dungeoneers.magica.base-cost"
        fight.refuse(clause, what, [fight.otherwise(ambient=lent)])
    elif base + said.extra > left:
        what = f"{said.who} has {left} magica; {spell.name} costs {base}, and {said.extra} more were offered."
        fight.refuse("dungeoneers.magica.extra", what, [fight.otherwise(extra=left - base)])
    return min(base + said.extra, left)


def _is_ranged(fight: Resolution, who: str, target: str) -> bool:
    """dungeoneers.spellcast.melee-or-ranged: ranged when the target is beyond the caster's threat range."""
    if who == target:
        return False
    far, reach = distance(fight, who, target), threat.threat_range(fight, who)
    clause = "dungeoneers.spellcast.melee-or-ranged"
    with fight.upon(who, target):
        return fight.compare(clause, far, ">", reach, who, target, yes="ranged", no="melee", aside=True)


def _by_gm(fight: Resolution, said: Cast, spell: Spell, target: str) -> Dice:
    """What the game master adds to the pools that such a spell has, on one of its targets."""
    who = said.who
    against = {"hit": who, "dodge": target} if spell.kind == "attack" else {"mind": who, "save": target}
    what = "dodge" if spell.kind == "attack" else "save"
    others = {(what, other) for other in said.target if other != target}
    names = strikes.named(fight, said.opportune)
    return by_gm(fight, said, {**against, "pierce": who, "wounds": who}, others | strikes.pools(names, (who,)))


def _caster_dice(fight: Resolution, who: str, score: str, extra: Sequence[Modifier]) -> Number:
    return not_below_none(gear.plus_spellcraft(fight, who, counted(fight, who, f"{score} dice", score, extra)))


def _hits(fight: Resolution, who: str, target: str, spell: Spell, extra: Dice, ranged: bool) -> bool:
    """dungeoneers.spell-attack.roll and dungeoneers.spell-attack.compare: a tie hits."""
    clause = "dungeoneers.spell-attack.roll"
    dice = _caster_dice(fight, who, "spell", extra["hit"])
    if ranged and fight.state.conditions.has(target, PRONE):
        dice = dice.at_most(1, PRONE, "dungeoneers.prone.ranged-cap")
    hit = throw(fight, clause, who, "spell-hit", target, dice, spell.hit_die)
    dodge = Dodge(fight, clause, target, who, extra)
    left, right, clause = total(hit, "spell hit"), dodge.number(), "dungeoneers.spell-attack.compare"
    return fight.compare(clause, left, ">=", right, who, target, yes="hit", no="miss", also=dodge.clauses)


def _save_fails(fight: Resolution, said: Cast, target: str, spell: Spell, extra: Dice) -> bool:
    """dungeoneers.spell-save.roll and dungeoneers.spell-save.compare: a tie fails the save.

    The defender rolls the score that the spell names; or it fails on purpose, and nobody rolls:
    dungeoneers.spell-save.intentional-fail.
    """
    who, clause = said.who, "dungeoneers.spell-save.roll"
    if said.fail_save:
        fight.rule("dungeoneers.spell-save.intentional-fail", "failed on purpose", who=who, about=target)
        return True
    dice = _caster_dice(fight, who, "mind", extra["mind"])
    mind = throw(fight, clause, who, "save", target, dice, spell.save_die)
    score = spell.save_score
    dice = not_below_none(counted(fight, target, f"{score} dice", score, extra["save"]))
    if score == "prowess" and fight.state.conditions.has(target, PRONE):
        dice = dice.at_most(1, PRONE, "dungeoneers.prone.save-cap")
    save: Roll | None = throw(fight, clause, target, "save", who, dice, spell.save_die)
    left, right = total(mind, "mind"), total(save, score, "dungeoneers.spell-save.score")
    clause = "dungeoneers.spell-save.compare"
    return fight.compare(clause, left, ">=", right, who, target, yes="save failed", no="saved")


def _overcomes(fight: Resolution, said: Cast, target: str, spell: Spell, extra: Sequence[Modifier]) -> bool:
    """dungeoneers.spell-resistance.roll and dungeoneers.spell-resistance.compare: a tie takes effect.

    dungeoneers.spell-resistance.allow: the defender may let it through, and nobody rolls.
    """
    who, clause = said.who, "dungeoneers.spell-resistance.roll"
    if said.let_through:
        fight.rule("dungeoneers.spell-resistance.allow", "takes effect", who=who, about=target)
        return True
    dice = plus(number("spell pierce dice", said.extra, "extra magica"), extra)
    dice = gear.plus_effects(fight, who, dice, "dungeoneers.dice.modifiers")
    dice = gear.plus_foci(fight, who, spell.school, dice)
    dice = not_below_none(gear.less_weight(fight, who, gear.plus_spellcraft(fight, who, dice)))
    own = fight.sheet(who).spell_pierce_die
    sides = gear.die_size(fight, "dungeoneers.spell-resistance.die-size", who, "spell pierce die", own)
    pierce = throw(fight, clause, who, "spell-pierce", target, dice, sides)
    resisted = gear.spell_resistance(fight, target)
    left, clause = total(pierce, "spell pierce"), "dungeoneers.spell-resistance.compare"
    return fight.compare(clause, left, ">=", resisted, who, target, yes="takes effect", no="resisted")


def _take_effect(fight: Resolution, said: Cast, target: str, spell: Spell, more: Sequence[Modifier]) -> None:
    """dungeoneers.spell.effect: what the spell gives is in force; the game master puts in force what it says in words.

    Its wounds come as of a single attack.
    """
    effect = said.effect or spell.effect
    if effect:
        fight.record(Noted(effect, target))
    if spell.gives and not said.effect:
        fight.rule("dungeoneers.spell.effect", "in force", who=said.who, about=target)
        for kind, amount in spell.gives.items():
            conditions.put_in_force(fight, target, spell.name, kind.replace("_", " "), amount, "removed")
    elif effect:
        told = "the game master puts it in force with effect"
        fight.rule("dungeoneers.spell.effect", told, who=said.who, about=target)
    if spell.wounds:
        listed = number("wounds", spell.wounds, spell.name, "dungeoneers.spell.wounds")
        wounds.suffer(fight, target, listed, spell.type, more, by=said.who)
