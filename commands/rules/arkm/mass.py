"""Mass combat: sets of men that are fought as one man, and how many of them live."""

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.dice import MOST_DICE
from ledger.events import Number, number

from .stat_block import Sheet


def is_unit(view: View, who: str) -> bool:
    """Whether a combatant is a unit of men."""
    return view.sheet(who).men is not None


def form(fight: Resolution, who: str, sheet: Sheet) -> int:
    """arkm.mass.hit-points: the total of a D6 for each man, or for each Hit Die of each, thrown when it is formed."""
    men, dice = sheet.men or 0, max(sheet.hit_dice.whole, 1)
    left, total = men * dice, Number("hit points", (), 0)
    while left:
        now = min(left, MOST_DICE)
        thrown = fight.roll(who, f"{now}d6", "hit points")
        total = total.plus(thrown.total, thrown.named, roll=thrown.nth)
        left -= now
    fight.rule("arkm.mass.hit-points", "", [total], who=who)
    return total.total


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """arkm.mass.units: nonplayer characters, in sets of five or more."""
    clause, fewest = "arkm.mass.units", int(fight.option("mass_min_men"))
    if sheet.pc:
        fight.refuse(clause, f"{who} is a player character, and cannot be a unit.", at=("pc",))
    if (sheet.men or 0) < fewest:
        message = f"{who} has {sheet.men} men; a unit needs {fewest} or more."
        fight.refuse(clause, message, f"Its sheet may say men = {fewest}.", ("men",))


def check_pair(fight: Resolution, who: str, target: str) -> None:
    """arkm.mass.units: units attack units; the option mass_individuals lets them fight single combatants."""
    if may_fight(fight, who, target):
        return
    message = f"{who} and {target} are not both units."
    fight.refuse("arkm.mass.units", message, "By the option mass_individuals a unit fights a single combatant.")


def may_fight(view: View, who: str, target: str) -> bool:
    """Whether units fight units here, and single combatants single combatants; by the option also each other."""
    return is_unit(view, who) == is_unit(view, target) or bool(view.option("mass_individuals"))


def check_single(fight: Resolution, *names: str) -> None:
    """arkm.mass.units: units are struck and shot at, and nothing else is done to them or by them."""
    for who in names:
        if is_unit(fight, who):
            fight.refuse("arkm.mass.units", f"{who} is a unit, and only strikes and shoots as one man.")


def survivors_of(fight: Resolution, who: str) -> Number:
    """arkm.mass.survivors: a man for each share in the points that remain, fractions rounded up.

    A share is the original points divided by the number of men.
    """
    hp, men = fight.state.harm.hp[who], fight.sheet(who).men or 1
    left = number("survivors", hp.now, "hit points left").times(men, "men").over(hp.most, "original", up=True)
    with fight.upon("", who):
        fight.rule("arkm.mass.survivors", f"{left.total} of {men} men left", [left], who=who)
    return left


def count_all(fight: Resolution) -> None:
    """The encounter ends: every unit that has lost something counts its men."""
    for who in fight.state.roster.order:
        if is_unit(fight, who) and fight.state.harm.hp[who].now < fight.state.harm.hp[who].most:
            survivors_of(fight, who)
