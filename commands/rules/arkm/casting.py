"""Spells and wands: when they can be cast, what disturbs them, and what keeps them up."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter, Fighters
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Counted, number
from projections.harm import Condition

from . import ability, miscast, order, ways
from .ability import MAINTAINING
from .arms import in_hand
from .distance import words
from .hands import SINCE
from .movement import CASTER, half
from .position import CLOSED, engaged_since_earlier, hostile
from .saves import Category, saved
from .sheet import names
from .tohit import ATTACKED_BY

DAZED = "dazed"
MAINTAINED, MISSILES, FEET = "maintained", "missiles", "feet"
"""What is counted of a round: that a spell was kept up; missiles that hurt; feet moved."""
IN_MELEE = ("power-word", "touch", "movement")
"""Kinds of spells that can be used in melee."""
UNDISTURBED = ("power-word", "touch")
"""Kinds of spells that nothing disturbs."""


class Cast(Declaration):
    """Cast a spell in the magic phase, keep one up (--maintain), or fire a wand (--wand)."""

    who: Annotated[Fighter, Meta(description="Who casts.")]
    spell: Annotated[
        str, Meta(max_length=60, description="The spell, or the wand.", extra={"positional": True, "word": "item"})
    ] = ""
    kind: Annotated[
        Literal["normal", "healing", "power-word", "touch", "movement"],
        Meta(description="What sort of spell; movement is Fly, Teleport and the like."),
    ] = "normal"
    target: Annotated[Fighters, Meta(description="At whom.")] = ()
    save: Annotated[Category, Meta(description="What the targets save against.")] | None = None
    level: Annotated[int, Meta(ge=1, le=9, description="The level of the spell.")] = 1
    concentration: Annotated[bool, Meta(description="It lasts while it is maintained.")] = False
    maintain: Annotated[bool, Meta(description="Keep up the spell of an earlier round.")] = False
    wand: Annotated[bool, Meta(description="It is a wand that is fired.")] = False
    near: Annotated[Fighters, Meta(description="Whom a wild miscast can hit; else everybody standing.")] = ()


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
        fight.refuse(
            "arkm.spellcaster.who", f"{who} is no spellcaster.", "The sheet of a spellcaster says caster = true."
        )
    # arkm.phase.magic-cast
    order.may_act(fight, who, "melee spell" if said.kind in IN_MELEE else "cast", "magic")
    _check_feet(fight, said)
    if DAZED in ability.conditions(fight, who):
        fight.refuse("arkm.miscast.table", f"{who} is dazed, and cannot cast this round.", ways.next_round(fight))
    if said.kind not in IN_MELEE:
        clause = prevented(fight, who)
        if clause:
            fight.refuse(
                clause, _why(fight, who, clause), f"{who} can fight, or leave the melee: withdraw, retreat, disengage."
            )
    order.use_action(fight, who, order.SPELL)
    if disturbed(fight, who, said.kind):
        miscast.fail(fight, said)
        return
    fight.rule("arkm.phase.magic-cast", f"{said.spell} works", who=who)
    _on_targets(fight, said)
    if said.concentration:
        interrupt(fight, who)
        fight.record(ConditionGained(who, MAINTAINING, "encounter-end", whom=(said.spell,)))
        fight.record(Counted(who, MAINTAINED, 1))


def _on_targets(fight: Resolution, said: Cast) -> None:
    """The targets' saving throws; what the spell does to them is the referee's entry."""
    for target in said.target if said.save else ():
        saved(fight, target, said.save or "spells", about=said.who)


def _check_feet(fight: Resolution, said: Cast) -> None:
    """arkm.phase.caster-ten-feet; the normal move for a healing spell on a comrade, or a Power Word.

    arkm.cast.healing-or-power-word-move
    """
    who, moved = said.who, fight.state.counts.get(said.who, FEET)
    comrade = said.kind == "healing" and any(
        target != who and not hostile(fight, who, target) for target in said.target
    )
    if (comrade or said.kind == "power-word") and not is_meleed(fight, who):
        most = half(fight, who)
        if moved > most:
            why = f"more than the {words(fight, most)} that leave time for this spell"
            fight.refuse("arkm.cast.healing-or-power-word-move", f"{who} has moved {words(fight, moved)}, {why}.")
    elif moved > CASTER:
        why = f"{who} has moved {words(fight, moved)}; who casts moves {CASTER} feet at most."
        fight.refuse("arkm.phase.caster-ten-feet", why)


def is_meleed(fight: Resolution, who: str) -> bool:
    """Whether somebody is engaged since an earlier round, or was attacked in melee in this one."""
    return engaged_since_earlier(fight, who) or bool(fight.state.counts.of(who, ATTACKED_BY))


def closers(fight: Resolution, who: str) -> list[str]:
    """The standing foes who came within 5 feet of somebody in this round, and still are."""
    return [
        foe
        for foe in fight.state.engagement.of(who)
        if fight.state.counts.get(foe, CLOSED, who) and hostile(fight, who, foe) and fight.state.stands(foe)
    ]


def threats(fight: Resolution, who: str) -> list[str]:
    """arkm.phase.threatened-caster: those of them who have the better initiative; all, by the option caster_threat."""
    if not fight.sheet(who).caster:
        return []
    every = fight.option("caster_threat") == "any"
    return [foe for foe in closers(fight, who) if every or order.before(fight, foe, who) < 0]


def prevented(fight: Resolution, who: str) -> str:
    """The clause by which somebody cannot cast an ordinary spell, for foes in melee; "" when he can."""
    if is_meleed(fight, who):
        return "arkm.cast.not-while-meleed"
    return "arkm.phase.threatened-caster" if threats(fight, who) else ""


def _why(fight: Resolution, who: str, clause: str) -> str:
    if clause == "arkm.phase.threatened-caster":
        return f"{names(threats(fight, who))} came within 5 feet of {who} first."
    return f"{who} is being meleed."


def disturbed(fight: Resolution, who: str, kind: str) -> bool:
    """Whether a SPELLS save fails: for a foe of equal initiative who closed in, then for missiles that hurt.

    arkm.concentration.tied-initiative, arkm.concentration.missile-damage. Nothing disturbs what
    arkm.cast.power-word-or-touch names; for what arkm.cast.movement-spells names only missiles count.
    """
    if kind in UNDISTURBED:
        return False
    tied = [foe for foe in closers(fight, who) if order.before(fight, foe, who) == 0]
    if tied and kind not in IN_MELEE:
        fight.rule("arkm.concentration.tied-initiative", f"{names(tied)} closed in at the same time", who=who)
        if not saved(fight, who, "spells"):
            return True
    hits = fight.state.counts.get(who, MISSILES)
    saves = hits if fight.option("missile_saves") == "per-hit" else min(hits, 1)
    for _ in range(saves):
        fight.rule("arkm.concentration.missile-damage", "hurt by missiles this round", who=who)
        if not saved(fight, who, "spells"):
            return True
    return False


def shot(fight: Resolution, who: str) -> None:
    """Counts a missile that cost somebody hit points; it may disturb his spell of this round."""
    fight.record(Counted(who, MISSILES, fight.state.counts.get(who, MISSILES) + 1))


def _maintain(fight: Resolution, said: Cast) -> None:
    """arkm.concentration.maintained: what would prevent or disturb a spell ends this one, without a further die."""
    who, clause = said.who, "arkm.concentration.maintained"
    held = fight.state.conditions.get(who, MAINTAINING)
    if held is None:
        fight.impossible(f"{who} maintains no spell.", "One that was cast with --concentration can be maintained.")
    order.may_act(fight, who, "melee spell" if said.kind in IN_MELEE else "cast", "magic")
    order.use_action(fight, who, order.SPELL)
    if said.kind not in IN_MELEE and prevented(fight, who):
        fight.rule(clause, f"{_spell(held)} ends, for foes in melee", who=who)
    elif disturbed(fight, who, said.kind):
        fight.rule(clause, f"{_spell(held)} ends", who=who)
    else:
        fight.rule(clause, f"{_spell(held)} goes on", who=who)
        fight.record(Counted(who, MAINTAINED, 1))
        return
    fight.record(ConditionEnded(who, MAINTAINING))


def _spell(maintaining: Condition) -> str:
    """What is maintained, in words; the referee may not have said."""
    return next(iter(maintaining.whom), "the spell")


def lapse(fight: Resolution, who: str) -> None:
    """The time to maintain a spell is over: it ends if its caster did not, or cannot."""
    helpless = not fight.state.stands(who) or bool(ability.conditions(fight, who) & LOSING)
    if helpless or not fight.state.counts.get(who, MAINTAINED):
        interrupt(fight, who)


LOSING = {ability.STUNNED, ability.PINNED, ability.STRUGGLING}
"""Conditions in which no spell is maintained."""


def interrupt(fight: Resolution, who: str) -> None:
    """A spell that somebody maintains ends."""
    held = fight.state.conditions.get(who, MAINTAINING)
    if held:
        fight.rule("arkm.concentration.maintained", f"{_spell(held)} ends", who=who)
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
    clause, phase = "arkm.phase.wand-in-hand", "missile"
    if fight.state.counts.get(who, SINCE, found[0]) == fight.state.turns.round:
        clause, phase = "arkm.phase.wand-just-drawn", "magic"
    if now in ("missile", "magic", "melee") and now != phase and not order.pair_of(fight, who):
        fight.refuse(clause, f"{found[0]} fires in the {phase} phase; this is the {now} phase.", ways.next_round(fight))
        phase = now
    order.may_act(fight, who, "wand", phase)
    order.use_action(fight, who, "wand")
    fight.rule(clause, f"{found[0]} fires", [number("level", said.level)] if said.level > 1 else (), who=who)
    _on_targets(fight, said)
