"""Opportune strikes: who may strike, and the window that stays open until that is answered."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from commands.action import modifiers
from commands.action.declaration import Words, says
from commands.action.grid import Square, gap
from commands.action.names import find
from commands.action.resolution import Resolution
from ledger.errors import UsageError

from . import gear, points, threat
from .bodies import body, tiles_at
from .chain import Blow, pools_of, strike
from .tables import WINDOW

Opportune = Annotated[
    Words,
    says(
        "Who takes the opportunity to strike: A,B, or none. Without it the action waits for an answer.",
        names="()(?!none$)(.+)",
    ),
]
LEAVE_RANGE = "dungeoneers.opportune.leave-range"
RANGED_USE = "dungeoneers.opportune.ranged-use"
FORCED_MOVE = "dungeoneers.opportune.forced-move"
"""The clauses that give an opportunity."""
Strikers = dict[str, str]
"""Those who may strike, each with the one that it may strike."""
_ALL_POOLS = ("hit", "dodge", "pierce", "armor", "wounds", "mind", "save")
"""What the game master can change of any action that strikes may answer."""


def named(fight: Resolution, words: tuple[str, ...]) -> tuple[str, ...] | None:
    """What `--opportune` says: who strikes, nobody, or (none) that nothing is said."""
    if not words:
        return None
    if any(name.casefold() == "none" for name in words):
        if len(words) > 1:
            raise UsageError("--opportune names strikers, or it is none.")
        return ()
    return tuple(dict.fromkeys(find(fight.state, name) for name in words))


def pools(strikers: Iterable[str] | None, targets: Iterable[str]) -> set[tuple[str, str]]:
    """What the game master can change of the strikes that are named, each with its name."""
    return {pool for target in targets for striker in strikers or () for pool in pools_of(striker, target).items()}


def blow(fight: Resolution, words: Sequence[str], striker: str, target: str, nameless: bool = False) -> Blow:
    """The strike of one with what the game master says of it, and where no other roll has it with what names nobody."""
    own, kept = pools_of(striker, target).items(), []
    for word in words:
        (one,) = modifiers.read(fight, (word,), _ALL_POOLS)
        if (one.what, one.who) in own or (nameless and not one.who):
            kept.append(word)
    return Blow(mod=tuple(kept))


def can_strike(fight: Resolution, striker: str) -> bool:
    """It takes a reaction point; without one nobody is asked."""
    return fight.state.stands(striker) and fight.state.points.left(striker, "reaction") >= 1


def left_behind(fight: Resolution, who: str, to: Square, along: tuple[str, ...] = ()) -> list[str]:
    """Those who threaten a creature, and whose threat range it would leave; but nobody who comes along."""
    there = tiles_at(fight, who, to)
    return [one for one in threatening(fight, who) if one not in along and leaves(fight, one, there)]


def threatening(fight: Resolution, who: str) -> list[str]:
    """The hostile by whom a creature is threatened, and who reach it with what they hold now.

    Equipping and turning work no threat out anew: somebody who has put a long weapon away threatens, and reaches no
    more.
    """
    foes = [one for one in threat.threatened_by(fight, who) if fight.hostile(who, one)]
    return [striker for striker in foes if not leaves(fight, striker, body(fight, who))]


def leaves(fight: Resolution, striker: str, there: tuple[Square, ...]) -> bool:
    """Whether a place is beyond the striker's threat range."""
    return gap(there, body(fight, striker)) > threat.threat_range(fight, striker).total


def check_named(
    fight: Resolution, names: tuple[str, ...], possible: list[str], clause: str, others: tuple[str, ...] = ()
) -> list[str]:
    """Refuses strikers who have no opportunity, by the clause that would give them one, or no point to take it; gives
    those whom the game master lets strike all the same.

    `others` could strike if forced moves gave an opportunity.
    """
    for name in names:
        if name not in possible:
            refuse_named(fight, name, FORCED_MOVE if name in others else clause)
        elif not can_strike(fight, name):
            fight.refuse("dungeoneers.opportune.cost", f"{name} has no reaction point left this round.")
    return [name for name in names if fight.state.stands(name) and not (name in possible and can_strike(fight, name))]


def refuse_named(fight: Resolution, name: str, clause: str) -> None:
    """Refuses a striker who was named and has no opportunity."""
    fight.refuse(clause, f"{name} has no opportunity to strike.", [fight.otherwise(opportune=["none"])])


def open_window(
    fight: Resolution, who: str, verb: str, strikers: Strikers, rest: dict[str, Any], clauses: Sequence[str]
) -> None:
    """dungeoneers.opportune.window: what is left to do waits until it is said who strikes.

    `clauses` are those that give the opportunity.
    """
    fight.rule("dungeoneers.opportune.window", f"waits for {', '.join(strikers)}", who=who, also=clauses)
    fight.wait(WINDOW, who, verb, {**rest, "strikers": strikers, "struck": []}, tuple(strikers))


def take(fight: Resolution, striker: str, target: str, said: Blow, given: str) -> None:
    """dungeoneers.opportune.resolution: a whole attack with a melee weapon, without turning to the target.

    `given` is the clause that gives the opportunity; "" when the game master does.
    """
    clause = "dungeoneers.opportune.resolution"
    weapon = gear.for_melee(fight, striker, said.with_, clause)
    points.react(fight, striker, "dungeoneers.reaction.points")
    also = [given] if given else []
    if fight.state.turns.who not in ("", striker):
        also.append("dungeoneers.reaction.any-turn")
    with fight.upon(striker, target):
        fight.rule(clause, f"strikes at {target}", who=striker, also=also)
        strike(fight, striker, target, weapon, said)


def provoked(fight: Resolution, who: str, ranged: bool, words: tuple[str, ...]) -> tuple[list[str], Any]:
    """Who may strike one that shoots or casts from afar, and who of them was named; none if nothing was said.

    Every hostile creature by which it is threatened.
    """
    possible = threatening(fight, who) if ranged else []
    names = named(fight, words)
    allowed = check_named(fight, names or (), possible, RANGED_USE)
    return [*(striker for striker in possible if can_strike(fight, striker)), *allowed], names


def after_ranged(
    fight: Resolution, who: str, verb: str, strikers: list[str], names: tuple[str, ...] | None, mod: Sequence[str]
) -> None:
    """The strikes that a ranged action provokes come after it, if both still live."""
    able = [striker for striker in strikers if fight.state.stands(striker)]
    if names is None:
        if able and fight.state.stands(who):
            open_window(fight, who, verb, dict.fromkeys(able, who), {}, (RANGED_USE,))
        return
    for striker in names:
        if fight.state.stands(who) and striker in able:
            take(fight, striker, who, blow(fight, mod, striker, who), RANGED_USE)
