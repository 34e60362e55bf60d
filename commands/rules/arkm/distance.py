"""How far it is: between the parties when they meet, and between two combatants from then on.

The record keeps feet, indoors and outdoors. Outdoors yards are said and shown; only how near somebody is (`--within`,
`--ends`, the whip's `--distance`) is feet everywhere, as in the book.
"""

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Counted

from .groups import group

OUTDOORS = "outdoors"
"""What is counted of an encounter outdoors, where figures are yards."""
APART = "apart"
"""What is counted of an encounter: the feet between the parties."""
DISTANCE, LEAST = "distance", "distance at least"
"""What is counted of a pair, once, of the one whose name comes first: the feet between them; or, when one of them has
moved since in a direction that nobody said, what is left of them at least (1: nothing is known any more).
"""
FEET = "feet"
"""What is counted of a round: how far somebody moved, in feet."""
_ROAMED = "moved since they met"
"""What is counted of one since the distance of the parties was said: the feet that he has moved."""
GAP = "gap"
"""What is counted of a group that pursues another: the feet between them."""
MELEE, FEET_A_YARD = 5, 3


def thirds(fight: Resolution) -> None:
    """arkm.distance.surprise: 10, 20 or 30, by thirds of a D6, also when the rolls cancelled each other."""
    rolled = fight.roll("", "1d6", "distance").number().over(2, "thirds", up=True).times(10, measure(fight))
    fight.rule("arkm.distance.surprise", f"{rolled.total} {measure(fight)}", [rolled])
    set_apart(fight, rolled.total)


def fix(fight: Resolution, far: int) -> None:
    """The game master knows how far it is."""
    fight.rule("arkm.distance.normal", f"{far} {measure(fight)}, by the game master")
    set_apart(fight, far)


def set_apart(fight: Resolution, far: int) -> None:
    """The distance of all who are on different sides; what was known of pairs before holds no longer."""
    counts, everybody = fight.state.counts, fight.state.roster.order
    fight.record(Counted("encounter", APART, feet(fight, far), until="encounter-end"))
    for who in everybody:
        if counts.get(who, _ROAMED):
            fight.record(Counted(who, _ROAMED, 0, until="encounter-end"))
        for what in (DISTANCE, LEAST):
            for other in counts.of(who, what):
                fight.record(Counted(who, what, 0, other, "encounter-end"))


def measure(view: View) -> str:
    """feet, or outdoors yards."""
    return "yards" if view.state.counts.get("encounter", OUTDOORS) else "feet"


def scale(view: View) -> int:
    """The feet of one foot, or outdoors of one yard."""
    return FEET_A_YARD if measure(view) == "yards" else 1


def feet(view: View, said: int) -> int:
    """What was said in the measure of the place, in feet."""
    return said * scale(view)


def figure(view: View, far: int) -> int:
    """Feet in the measure of the place; a part of a yard counts as one.

    So a distance is within a range in yards if and only if its figure is.
    """
    return -(-far // scale(view))


def words(view: View, far: int) -> str:
    """Feet as they are shown: 60 feet, or outdoors 20 yards."""
    return f"{figure(view, far)} {measure(view)}"


def known(view: View, one: str, other: str) -> int:
    """The feet between two, if somebody has said it or it follows from what was said; else 0.

    arkm.distance.pair: in melee 5; then the gap of a pursuit, what is known of the pair, the distance of the parties.
    """
    if other in view.state.engagement.of(one):
        return MELEE
    if gap := _gap(view, one, other):
        return gap
    counts, (first, second) = view.state.counts, sorted((one, other))
    if exact := counts.get(first, DISTANCE, second):
        return exact
    if counts.get(first, LEAST, second) or counts.get(one, _ROAMED) or counts.get(other, _ROAMED):
        return 0
    return _of_parties(view, one, other)


def least(view: View, one: str, other: str) -> int:
    """The feet that are between two at least, whatever way they moved; 0 when nothing is known."""
    counts, (first, second) = view.state.counts, sorted((one, other))
    if found := known(view, one, other) or counts.get(first, LEAST, second):
        return found
    return max(_of_parties(view, one, other) - counts.get(one, _ROAMED) - counts.get(other, _ROAMED), 0)


def _of_parties(view: View, one: str, other: str) -> int:
    members = view.state.roster.members
    return view.state.counts.get("encounter", APART) if members[one].side != members[other].side else 0


def _gap(view: View, one: str, other: str) -> int:
    """The gap of a pursuit in which the one runs after the other; 0 without one."""
    mine, theirs = group(view, one), group(view, other)
    return view.state.counts.get(mine, GAP, theirs) or view.state.counts.get(theirs, GAP, mine)


def apart(fight: Resolution, one: str, other: str, far: int) -> None:
    """The feet between two from now on; 0 when they are in melee, or nobody can say it.

    Of a pair of which nobody can say it, the distance of the parties holds no longer, either.
    """
    counts, (first, second) = fight.state.counts, sorted((one, other))
    for what, value in ((DISTANCE, far), (LEAST, 1 if not far and counts.get("encounter", APART) else 0)):
        if counts.get(first, what, second) != value:
            fight.record(Counted(first, what, value, second, "encounter-end"))


def roam(fight: Resolution, who: str, far: int) -> None:
    """Somebody moves so many feet: nearer to the others, or farther from them, except where the way was said."""
    if not far:
        return
    counts = fight.state.counts
    if counts.get("encounter", APART):
        fight.record(Counted(who, _ROAMED, counts.get(who, _ROAMED) + far, until="encounter-end"))
    for other in fight.state.roster.order:
        first, second = sorted((who, other))
        before = counts.get(first, DISTANCE, second) or counts.get(first, LEAST, second)
        if before:
            if counts.get(first, DISTANCE, second):
                fight.record(Counted(first, DISTANCE, 0, second, "encounter-end"))
            fight.record(Counted(first, LEAST, max(before - far, 1), second, "encounter-end"))


def check_covers(
    fight: Resolution, who: str, target: str, far: int, within: int, most: int, near: str = "within"
) -> None:
    """arkm.distance.covered: anyone who comes to within so many feet of another covers what was between them.

    `far` is how far somebody moves, `most` how far he can in this round; all in feet. `near` is the option of the verb
    for how near he comes.
    """
    between = least(fight, who, target)
    if far >= between - within:
        return
    at_least = "" if known(fight, who, target) else "at least "
    way = feet(fight, min(figure(fight, between - within), most // scale(fight)))
    ends = max(between - way, within)
    message = f"{target} is {at_least}{words(fight, between)} from {who}, and {words(fight, far)} are not enough."
    fight.refuse("arkm.distance.covered", message, [fight.otherwise(**{"feet": figure(fight, way), near: ends})])


def newcomer(fight: Resolution, who: str) -> None:
    """Anyone who comes later is at no known distance from anybody."""
    if far := fight.state.counts.get("encounter", APART):
        fight.record(Counted(who, _ROAMED, far, until="encounter-end"))
