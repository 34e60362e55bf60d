"""Spells and wands, miscasts, and rival casters who would control the same creature or thing."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.encounters import require_encounter
from commands.action.modifiers import Mods
from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained, Counted, Number, number

from . import ability, acting, order, scores, tables, ways
from .concentration import MAINTAINED, MISSILES, closers, interrupt, is_meleed, prevented, spell_of, threats
from .conditions import CONTROLS, DAZED, MAINTAINING
from .damage import take
from .distance import FEET, MELEE, known, words
from .hands import SINCE, in_hand
from .losses import stun
from .pace import CASTER, half
from .saves import Category, saved
from .stat_block import names
from .tables import row_of

_IN_MELEE = ("power-word", "touch", "movement")
"""Kinds of spells that can be used in melee."""
_UNDISTURBED = ("power-word", "touch")
"""Kinds of spells that nothing disturbs."""


class Cast(Declaration):
    """Cast a spell in the magic phase, keep one up (--maintain), or fire a wand (--wand)."""

    who: Annotated[Fighter, says("Who casts.")]
    spell: Annotated[str, says("The spell, or the wand.", max_length=60, positional=True, word="item")] = ""
    kind: Annotated[
        Literal["normal", "healing", "power-word", "touch", "movement"],
        says("What sort of spell; movement is Fly, Teleport and the like."),
    ] = "normal"
    target: Annotated[Fighters, says("The targets.")] = ()
    save: Annotated[Category, says("What the targets save against.")] | None = None
    level: Annotated[int, says("The level of the spell.", ge=1, le=9)] = 1
    concentration: Annotated[bool, says("It lasts while it is maintained.")] = False
    maintain: Annotated[bool, says("Keep up the spell of an earlier round.")] = False
    wand: Annotated[bool, says("It is a wand that is fired.")] = False
    mod: Mods = ()
    near: Annotated[Fighters, says("Who can be hit by a wild miscast; otherwise everybody standing.")] = ()


def cast(fight: Resolution, said: Cast) -> None:
    """The spell works, is lost or is miscast; then the targets save, in the order named."""
    who = said.who
    if said.wand:
        _fire(fight, said)
        return
    if said.maintain:
        _maintain(fight, said)
        return
    if not said.spell:
        fight.impossible("Which spell?", "Say its name after the caster's, in quotes if it has several words.")
    if not fight.sheet(who).caster:
        message = f"{who} is not a spellcaster."
        fight.refuse("arkm.spellcaster.who", message, "The sheet of a spellcaster says caster = true.")
    # arkm.phase.magic-cast
    acting.may_act(fight, who, "melee spell" if said.kind in _IN_MELEE else "cast", "magic")
    _check_feet(fight, said)
    if fight.state.conditions.has(who, DAZED):
        fight.refuse("arkm.miscast.table", f"{who} is dazed, and cannot cast this round.", ways.next_round(fight))
    if said.kind not in _IN_MELEE:
        clause = prevented(fight, who)
        if clause:
            away: list[Remedy] = [(verb, {"who": who}) for verb in ("withdraw", "retreat", "disengage")]
            first = f"{names(threats(fight, who))} came within 5 feet of {who} first."
            why = first if clause == "arkm.phase.threatened-caster" else f"{who} is being meleed."
            fight.refuse(clause, why, [away, f"{who} can fight, or leave the melee."])
    if said.kind == "touch":
        _check_touch(fight, said)
    acting.use_action(fight, who, order.SPELL)
    if _disturbed(fight, who, said.kind):
        _fail(fight, said)
        return
    fight.rule("arkm.phase.magic-cast", f"{said.spell} works", who=who, also=_freedoms(fight, who, said.kind))
    _on_targets(fight, said)
    if said.concentration:
        interrupt(fight, who)
        fight.record(ConditionGained(who, MAINTAINING, "encounter-end", whom=(said.spell,)))
        fight.record(Counted(who, MAINTAINED, 1))


def _on_targets(fight: Resolution, said: Cast) -> None:
    """The targets' saving throws; what the spell does to them is the game master's entry."""
    mods = scores.mods(fight, said.mod, ("save",), said.target)
    for target in said.target if said.save else ():
        with fight.upon(said.who, target):
            saved(fight, target, said.save or "spells", scores.said(mods, "save", target), said.who)


def _check_touch(fight: Resolution, said: Cast) -> None:
    """arkm.cast.power-word-or-touch: a range of touch is no range; nobody is touched who is farther than 5 feet."""
    for target in said.target:
        far = known(fight, said.who, target) if target != said.who else 0
        if far > MELEE:
            message = f"{target} is {words(fight, far)} away, and {said.spell} has a range of touch."
            fight.refuse("arkm.cast.power-word-or-touch", message, ways.come_up(fight, said.who, target))


def _check_feet(fight: Resolution, said: Cast) -> None:
    """arkm.phase.caster-ten-feet; the normal move for a healing spell on a comrade, or a Power Word.

    arkm.cast.healing-or-power-word-move
    """
    who, moved = said.who, fight.state.counts.get(said.who, FEET)
    comrade = said.kind == "healing" and any(one != who and not fight.hostile(who, one) for one in said.target)
    if (comrade or said.kind == "power-word") and not is_meleed(fight, who):
        most = half(fight, who)
        if moved > most:
            why = f"more than the {words(fight, most)} that leave time for this spell"
            fight.refuse("arkm.cast.healing-or-power-word-move", f"{who} has moved {words(fight, moved)}, {why}.")
    elif moved > CASTER:
        why = f"{who} has moved {words(fight, moved)}; a caster moves at most {CASTER} feet."
        fight.refuse("arkm.phase.caster-ten-feet", why)


def _freedoms(view: View, who: str, kind: str) -> list[str]:
    """The clauses by which a kind of spell is cast though foes, or missiles, would prevent or disturb another one."""
    meleed = bool(closers(view, who)) or is_meleed(view, who)
    if kind in _UNDISTURBED and (meleed or view.state.counts.get(who, MISSILES)):
        return ["arkm.cast.power-word-or-touch"]
    return ["arkm.cast.movement-spells"] if kind == "movement" and meleed else []


def _disturbed(fight: Resolution, who: str, kind: str) -> bool:
    """Whether a SPELLS save fails: for a foe of equal initiative who closed in, then for missiles that hurt.

    arkm.concentration.tied-initiative, arkm.concentration.missile-damage. Nothing disturbs a Power
    Word or a touch spell; for spells of movement only missiles count.
    """
    if kind in _UNDISTURBED:
        return False
    tied = [foe for foe in closers(fight, who) if order.before(fight, foe, who) == 0]
    if tied and kind not in _IN_MELEE:
        fight.rule("arkm.concentration.tied-initiative", f"{names(tied)} closed in at the same time", who=who)
        if not saved(fight, who, "spells"):
            return True
    hits = fight.state.counts.get(who, MISSILES)
    for _ in range(hits if fight.option("missile_saves") == "per-hit" else min(hits, 1)):
        fight.rule("arkm.concentration.missile-damage", "hurt by missiles this round", who=who)
        if not saved(fight, who, "spells"):
            return True
    return False


def _maintain(fight: Resolution, said: Cast) -> None:
    """arkm.concentration.maintained: what would prevent or disturb a spell ends this one, without a further die."""
    who, clause = said.who, "arkm.concentration.maintained"
    held = fight.state.conditions.get(who, MAINTAINING)
    if held is None:
        fight.impossible(f"{who} maintains no spell.", "Only a spell cast with --concentration can be maintained.")
    acting.may_act(fight, who, "melee spell" if said.kind in _IN_MELEE else "cast", "magic")
    acting.use_action(fight, who, order.SPELL)
    if said.kind not in _IN_MELEE and prevented(fight, who):
        fight.rule(clause, f"{spell_of(held)} ends, for foes in melee", who=who)
    elif _disturbed(fight, who, said.kind):
        fight.rule(clause, f"{spell_of(held)} ends", who=who)
    else:
        fight.rule(clause, f"{spell_of(held)} goes on", who=who)
        fight.record(Counted(who, MAINTAINED, 1))
        return
    fight.record(ConditionEnded(who, MAINTAINING))


def _fire(fight: Resolution, said: Cast) -> None:
    """A wand: in the missile phase if it was in hand before this round, else in the magic phase.

    arkm.phase.wand-in-hand, arkm.phase.wand-just-drawn. No limit on casters binds it.
    """
    who, now = said.who, fight.state.turns.phase
    wands = [weapon.id for weapon in in_hand(fight, who) if weapon.is_("wand")]
    found = [name for name in wands if name.casefold().startswith(said.spell.casefold())]
    if not found:
        fight.impossible(f"{who} has no such wand in hand.", f"In hand: {names(wands) or 'none'}.")
    fight.write_in_full(said.spell, found[0])
    clause, phase = "arkm.phase.wand-in-hand", "missile"
    if fight.state.counts.get(who, SINCE, found[0]) == fight.state.turns.round:
        clause, phase = "arkm.phase.wand-just-drawn", "magic"
    if now in ("missile", "magic", "melee") and now != phase and not order.pair_of(fight, who):
        fight.refuse(clause, f"{found[0]} fires in the {phase} phase; this is the {now} phase.", ways.next_round(fight))
        phase = now
    acting.may_act(fight, who, "wand", phase)
    acting.use_action(fight, who, "wand")
    fight.rule(clause, f"{found[0]} fires", [number("level", said.level)] if said.level > 1 else (), who=who)
    _on_targets(fight, said)


_LOST = 3
"""A D6 of so much or less loses the spell; more, and it is miscast."""


def _fail(fight: Resolution, said: Cast) -> None:
    """arkm.concentration.lost-or-miscast: used up without effect, or thrown on the miscast table."""
    who = said.who
    die = fight.roll(who, "1d6", "spell lost or miscast")
    clause = "arkm.concentration.lost-or-miscast"
    if fight.compare(clause, die.number("D6"), "<=", number("lost on", _LOST), who, yes="lost", no="miscast"):
        return
    table = tables.effects(fight.state, "miscast")
    rolled = fight.roll(who, table.die, "miscast")
    row = row_of(table.rows, rolled.total)
    told = row.text or row.effect
    fight.rule("arkm.miscast.table", told, [rolled.number()], who=who)
    _apply(fight, said, row.effect)


def _apply(fight: Resolution, said: Cast, effect: str) -> None:
    """What of the effect needs no judgement; the rest is the game master's."""
    who = said.who
    match effect:
        case "dazed":
            fight.record(ConditionGained(who, DAZED, "round-end", round=fight.state.turns.round + 1))
        case "backlash":
            take(fight, who, number("damage", said.level, "level of the spell"), who)
        case "stun":
            stun(fight, who, 1)
        case "wild":
            near = said.near or tuple(filter(fight.state.stands, fight.state.roster.order))
            at = fight.roll(who, f"1d{len(near)}", "wild spell").natural if len(near) > 1 else 1
            with fight.upon(who, near[at - 1]):
                fight.rule("arkm.miscast.table", f"it takes effect on {near[at - 1]}", who=who, about=near[at - 1])


class Check(Declaration):
    """Let two casters contend for control of a creature or thing, once a round."""

    who: Annotated[Fighter, says("One caster.")]
    against: Annotated[Fighter, says("The other.")]
    control: Annotated[str, says("The creature or thing they contend for.", max_length=60)] = ""
    mod: Mods = ()


def check(fight: Resolution, said: Check) -> None:
    """arkm.control-contest.opposed-roll: the higher controls it this round; equal, and it stays as it was."""
    who, other, clause = said.who, said.against, "arkm.control-contest.opposed-roll"
    if not said.control:
        fight.impossible("What do they contend for?", [fight.otherwise(control="elemental")])
    if who == other:
        fight.impossible("A contest needs two casters.")
    require_encounter(fight)
    for one in (who, other):
        ability.check_able(fight, one, struggling=True)
        if not fight.sheet(one).caster:
            fight.refuse(clause, f"{one} is not a spellcaster.", "The sheet of a spellcaster says caster = true.")
    if fight.state.counts.get("encounter", "contest", said.control):
        fight.refuse(clause, f"{said.control} was contended for this round.", ways.next_round(fight))
    fight.record(Counted("encounter", "contest", 1, said.control))
    mods = scores.mods(fight, said.mod, ("check",), (who, other))
    mine = scores.plus(_skill_roll(fight, who, said.control), scores.said(mods, "check", who))
    against = scores.said([one for one in mods if one.who], "check", other)
    theirs = scores.plus(_skill_roll(fight, other, said.control), against)
    winner, sign = (who, ">") if mine.total > theirs.total else (other, "<")
    with fight.upon(who, other):
        if mine.total == theirs.total:
            fight.compare(clause, mine, "=", theirs, who, other, yes="it stays as it was")
            return
        fight.compare(clause, mine, sign, theirs, who, other, yes=f"{winner} controls it")
    for holder in fight.state.roster.order:
        if holder != winner:
            fight.fewer(holder, CONTROLS, said.control)
    things = fight.state.conditions.whom(winner, CONTROLS)
    if said.control not in things:
        fight.record(ConditionGained(winner, CONTROLS, "encounter-end", whom=(*things, said.control)))


def _skill_roll(fight: Resolution, who: str, about: str) -> Number:
    """The die of the option opposed_roll, and the skill: the level, if the sheet says nothing else."""
    sheet = fight.sheet(who)
    skill = sheet.experience if sheet.spell_skill is None else sheet.spell_skill
    dice = "2d6" if fight.option("opposed_roll") == "2d6+skill" else "1d20"
    return fight.roll(who, dice, "control", about).number(who).plus(skill, "skill")
