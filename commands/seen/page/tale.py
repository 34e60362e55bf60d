"""The story of an ended fight: who stands, who fell by whose hand, what changed most, and what was least likely.

It is made of what the readers see of each entry, and of nothing else.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from markupsafe import Markup
from msgspec import Struct

from commands.action.systems import in_play
from commands.look.heroes import percent
from commands.seen.scenes import Card, Legend
from commands.words.screen import harmless
from ledger.events import EncounterEnded, Felled, Rolled, Rose, RoundBegan, Ruled
from ledger.events.sentences import counted
from ledger.hurting import harm
from projections.blows import Blow, Hands, blows
from projections.chance import chance_of, rolls
from projections.passages import passages
from projections.statistics import Luck, faces_of

from . import plots
from .moments import Moment

_MOST = 3
"""How many blows and rolls are told."""
_MOST_FIGHTERS = 40
"""How many falls, and how many fighters with their luck, are told."""


class Line(Struct, frozen=True):
    """A line of the story, with the entry that it is about; 0 for none."""

    text: str
    entry: int = 0


class Fortune(Struct, frozen=True):
    """Somebody's luck."""

    text: str
    bar: str
    """From the middle to the right for more than the average, to the left for less: a path in a box from -50 to 50."""
    good: bool


class Tale(Struct, frozen=True):
    """The story of an encounter."""

    title: str
    won: str
    """Who won, and after how many rounds."""
    stand: str
    """How many of each side stand."""
    falls: list[Line]
    blows: list[Line]
    """Those that changed most; their numbers stand over the curves."""
    rolls: list[Line]
    luck: list[Fortune]
    measure: str
    """What the curves show."""
    curves: dict[str, plots.Curve]
    """By side."""
    plot: Markup
    partly: bool
    """Whether the readers do not know all numbers."""


def tale(shown: Sequence[Moment], title: str, common: Legend, partly: bool) -> Tale | None:
    """The story of an encounter, from its entries that stand; None while it goes on."""
    if not any(isinstance(event, EncounterEnded) for event in shown[-1].page.events):
        return None
    measure, curves = _curves(shown, common)
    rounds = {at: one.page.chapter.round for at, one in _begins(shown)}
    blows = _greatest(shown)
    places = {moment.page.entry.entry: at for at, moment in enumerate(shown)}
    falls, likely = list(_falls(shown))[:_MOST_FIGHTERS], list(_least_likely(shown))
    told = [Line(harmless(f"{one.line()}{', who fell' if one.felled else ''}"), one.entry) for one in blows]
    plot = plots.curves([*curves.values()], rounds, [places[blow.entry] for blow in blows])
    return Tale(title, *_ended(shown), falls, told, likely, _luck(shown), measure, curves, plot, partly)


def _begins(shown: Sequence[Moment]) -> Iterator[tuple[int, Moment]]:
    """The places where rounds begin."""
    before = 0
    for at, moment in enumerate(shown):
        if moment.page.chapter.round > before:
            before = moment.page.chapter.round
            yield at, moment


def _ended(shown: Sequence[Moment]) -> tuple[str, str]:
    """Who won, if only one side stands, and after how many rounds; and how many of each stand."""
    stand: dict[str, list[bool]] = {}
    for card in shown[-1].scene.cards.values():
        stand.setdefault(card.side, []).append(not card.row.get("down"))
    left = [side for side, standing in stand.items() if any(standing)]
    rounds = max((e.round for one in shown for e in one.page.events if isinstance(e, RoundBegan)), default=0)
    after = f" after {counted(rounds, 'round')}" if rounds else ""
    won = f"{left[0]} won{after}" if len(left) == 1 < len(stand) else f"Over{after}"
    each = ", ".join(f"{side} {sum(standing)} of {len(standing)}" for side, standing in stand.items())
    return won, f"Who stands: {each}." if each else ""


def _struck(shown: Iterable[Moment]) -> Iterator[Blow]:
    """The blows that were suffered in play."""
    for moment in shown:
        if moment.page.events and in_play(moment.page.events[0]):
            yield from blows(moment.page.entry.entry, moment.page.events)


def _greatest(shown: Sequence[Moment]) -> list[Blow]:
    """The blows that changed most: in the worst kind of harm that fell; of equals one that felled, then the first."""
    dealt = (one for one in _struck(shown) if one.doer and one.doer != one.victim and one.points)
    found = sorted(dealt, key=lambda one: one.rank)
    return [blow for blow in found if blow.unit == found[0].unit][:_MOST]


def _falls(shown: Sequence[Moment]) -> Iterator[Line]:
    """Who fell last by whose hand, in the order of falling, and how they are since."""
    fell: dict[str, tuple[str, int]] = {}
    how: dict[str, str] = {}
    hands = Hands()
    for moment in shown:
        for passage, event in passages(moment.page.events):
            hand = hands.of(passage, event, harm(event))
            if isinstance(event, Felled):
                if hand is not None:
                    fell.pop(event.who, None)
                    fell[event.who] = hand, moment.page.entry.entry
                how[event.who] = event.how
            elif isinstance(event, Rose) and event.who in how:
                how[event.who] += ", up again"
    for who, (hand, entry) in fell.items():
        yield Line(harmless(f"{who}{f' by {hand}' if hand else ''}, {how[who]}"), entry)


def _least_likely(shown: Sequence[Moment]) -> Iterator[Line]:
    """The comparisons that were least likely to come out as they did, of those whose two numbers are known."""
    found: list[tuple[Fraction, int, int, Ruled]] = []
    for moment in shown:
        rolled = rolls(moment.known)
        for nth, event in enumerate(moment.known):
            if isinstance(event, Ruled) and (chance := chance_of(event, rolled)) is not None and chance < 1:
                found.append((chance, moment.page.entry.entry, nth, event))
    for chance, entry, _, ruled in sorted(found, key=lambda one: one[:3])[:_MOST]:
        whose = f"{ruled.who}{f' against {ruled.about}' if ruled.about and ruled.about != ruled.who else ''}: "
        yield Line(harmless(f"{percent(chance)}: {whose if ruled.who else ''}{ruled.arithmetic()}"), entry)


def _luck(shown: Sequence[Moment]) -> list[Fortune]:
    """The sum of the dice of every fighter against their average, the luckiest first."""
    fighters = {who for moment in shown for who in moment.scene.cards}
    lucks: dict[str, Luck] = {}
    for moment in shown:
        for event in moment.page.events:
            if isinstance(event, Rolled):
                for sides, face in faces_of(event):
                    lucks.setdefault(event.who, Luck()).add(face, sides)
    known = [(luck.total - luck.halves / 2, who, luck) for who, luck in lucks.items() if harmless(who) in fighters]
    most = max((abs(over) for over, _, _ in known), default=0) or 1
    found = []
    for over, who, luck in sorted(known, key=lambda one: -one[0])[:_MOST_FIGHTERS]:
        dice = "1 die" if luck.dice == 1 else f"{luck.dice} dice"
        bar = f"M0 0H{round(50 * over / most)}V8H0z"
        found.append(Fortune(harmless(f"{who}: {over:+g} over {dice}"), bar, over >= 0))
    return found


def _curves(shown: Sequence[Moment], common: Legend) -> tuple[str, dict[str, plots.Curve]]:
    """A curve for each side: what is left to it in parts of a hundred, where all of it is known; else who stands."""
    cards = [card for moment in shown for card in moment.scene.cards.values()]
    known = all(card.bars and card.bars[0].most > 0 for card in cards)
    sides = [side for side in common.sides if any(card.side == side for card in cards)]
    each = {}
    for side in sides:
        values = [_share(moment.scene.cards.values(), side, known) for moment in shown]
        each[side] = plots.Curve(common.sides.index(side) % plots.SIDES, values)
    return ("what is left, %" if known else "who stands, %"), each


def _share(cards: Iterable[Card], side: str, known: bool) -> int | None:
    members = [card for card in cards if card.side == side]
    if not members:
        return None
    if not known:
        return 100 * sum(not card.row.get("down") for card in members) // len(members)
    bars = [card.bars[0] for card in members]
    left = sum(max(bar.most - bar.now if bar.kind == "taken" else bar.now, 0) for bar in bars)
    return 100 * left // sum(bar.most for bar in bars)
