"""Natural 1 and natural 20: fumbles, critical hits, and what no weapon harms."""

from typing import TYPE_CHECKING

from commands.action.resolution import Resolution
from ledger.events import number

from . import scores
from .tables import critical as critical_table
from .tables import row_of

if TYPE_CHECKING:
    from .tohit import Blow


def die(fight: Resolution, blow: "Blow") -> int:
    """The natural roll: a d20; with two weapons the better of two. arkm.florentine.two-dice"""
    if not blow.off_hand:
        return fight.roll(blow.who, "1d20", "attack", about=blow.target).natural
    thrown = fight.roll(blow.who, "2d20", "attack with two weapons", about=blow.target)
    best = max(thrown.faces) if thrown.known else thrown.total
    fight.rule("arkm.florentine.two-dice", f"{best} counts", who=blow.who, about=blow.target)
    return best


def fumbles(fight: Resolution, blow: "Blow") -> bool:
    """arkm.natural-1.fumble-check: a second d20 higher than level and DEX modifier makes a miss a fumble."""
    if not fight.option("fumbles"):
        return False
    sheet = fight.sheet(blow.who)
    again = fight.roll(blow.who, "1d20", "fumble check", about=blow.target).number("fumble check")
    safe = number("safe up to", sheet.experience, "level").plus(scores.modifier(fight, blow.who, "dex"), "DEX")
    return fight.compare(
        "arkm.natural-1.fumble-check", again, ">", safe, blow.who, blow.target, yes="fumble", no="a plain miss"
    )


def immune(fight: Resolution, blow: "Blow") -> bool:
    """arkm.natural-20.immune: whether the target is harmed by magic or silver alone, and this is neither."""
    wanted = fight.sheet(blow.target).requires
    if not wanted:
        return False
    weapon = blow.weapon
    magic, silver = bool(weapon and weapon.magic), bool(weapon and weapon.silver)
    return not (("magic" in wanted and magic) or ("silver" in wanted and silver))


def is_critical(fight: Resolution, blow: "Blow", natural: int, needed: int) -> bool:
    """arkm.natural-20.critical: a natural 20 that hits; arkm.natural-20.critical-exception: not if 19 was needed."""
    if natural != 20:
        return False
    if needed >= 19:
        fight.rule("arkm.natural-20.critical-exception", "no critical hit", who=blow.who, about=blow.target)
        return False
    if fight.option("special_replaces_critical") and is_special(blow, natural):
        return False
    fight.rule("arkm.natural-20.critical", "a critical hit", who=blow.who, about=blow.target)
    return True


def effect(fight: Resolution, blow: "Blow") -> str:
    """arkm.natural-20.critical-effect: double damage, or what a campaign's own table says: double, triple, max ..."""
    table = critical_table(fight.state)
    if not table.die:
        return "double"
    thrown = fight.roll(blow.who, table.die, "critical hit", about=blow.target)
    row = row_of(table.rows, thrown.total)
    fight.rule(
        "arkm.natural-20.critical-effect", row.text or row.effect, [thrown.number("critical")], blow.who, blow.target
    )
    return str(row.effect)


def is_special(blow: "Blow", natural: int) -> bool:
    """Whether a monster's special attack comes with this roll."""
    return bool(blow.line and blow.line.special and natural >= blow.line.special_on)


def special(fight: Resolution, blow: "Blow", natural: int) -> None:
    """arkm.natural-20.special-attack: what it does is the referee's entry."""
    if blow.line and is_special(blow, natural):
        fight.rule("arkm.natural-20.special-attack", blow.line.special, who=blow.who, about=blow.target)
