"""Scenes: what a page shows of a state. Cards for the fighters, the map, and what holds for everybody.

For players a scene holds nothing but what their file holds. The bars and cells of the others are left out. In their
place stands a word, which is made of what players saw happen, and of no number.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action import rulebook, systems
from commands.action.board import Bar, Label
from commands.action.rulebook import BoardParts
from commands.action.view import View
from commands.look.boards import Board, board_of, read_board
from commands.look.chapters import changes_course
from commands.words.screen import harmless
from ledger.events import Declared, Event, InitiativeSet, Marked, OrderSet, Passage, Rolled, RoundBegan, side_word
from projections.changes import concerned
from projections.narration import Told
from projections.plan import marks, signs
from projections.state import State, fold
from projections.statistics import faces_of

from .sightings import Sightings

Row = dict[str, str]
"""The cells of one combatant, by the title of their column."""
_MOST_DICE = 24
"""How many dice of an entry are drawn."""


def after(state: State, events: Iterable[Event]) -> State:
    """The state after some events, without those of somebody whom the players do not know to be there."""
    try:
        return fold(state, events)
    except KeyError:
        for event in events:
            with suppress(KeyError):
                state = fold(state, (event,))
        return state


def dice_of(events: Sequence[Event]) -> list[tuple[int, int]]:
    """The dice of an entry, each with its sides and its face, as far as they are drawn."""
    return [die for event in events if isinstance(event, Rolled) for die in faces_of(event)][:_MOST_DICE]


def correction_of(events: Sequence[Event], story: Sequence[Told]) -> str:
    """What an undo, a redo or an amendment did, in words; "" for an entry that is play."""
    if not changes_course(events):
        return ""
    why = str(events[0].said.get("why", "")) if isinstance(events[0], Declared) else ""
    return f"amended: {why}" if why else next((one.outcome for one in story if one.outcome), "taken back")


def is_deed(events: Sequence[Event], story: Sequence[Told], fought: bool) -> bool:
    """Whether the table talks of an entry: somebody acted upon another, was harmed or healed, or rolled in a fight for
    anything but the order of turns.
    """
    if not events or changes_course(events):
        return False
    acted = any(isinstance(event, Passage) and event.who and event.target for event in events)
    hurt = any(one.tone in ("harm", "healing") for one in story)
    ordered = any(isinstance(event, OrderSet | InitiativeSet | RoundBegan) for event in events)
    return acted or hurt or (fought and not ordered and any(isinstance(event, Rolled) for event in events))


def marked_by(events: Sequence[Event]) -> int:
    """The entry at which an entry sets a mark; 0 for none."""
    return next((event.entry for event in events if isinstance(event, Marked)), 0)


class Card(Struct, frozen=True):
    """How one combatant is."""

    side: str
    row: Row
    bars: tuple[Bar, ...] = ()
    labels: tuple[Label, ...] = ()
    word: str = ""
    """In place of numbers that the readers do not know."""


_UNKNOWN = Card("", {})
"""The card of somebody who was not there before."""


class Map(Struct, frozen=True):
    """Where everybody is: on squares, or in areas."""

    ground: tuple[tuple[str, str, tuple[tuple[int, int], ...]], ...] = ()
    """Each feature or item on the ground, with its sign and its squares."""
    bodies: "tuple[_Body, ...]" = ()
    """Each body: its name, its lowest x and y, how many squares it takes from west to east and from south to north, its
    height, and where it looks.
    """
    areas: tuple[str, ...] = ()
    links: tuple[tuple[str, str, str, bool], ...] = ()
    """Two areas, how they are joined, and whether the way leads only to the second."""
    places: tuple[tuple[str, str], ...] = ()
    """The area of each combatant."""


class Scene(Struct, frozen=True):
    """What a page shows of a state."""

    header: list[tuple[str, str]]
    """What holds for everybody: lines, each with its title."""
    now: list[str]
    """Who may act now; those of a seat who are not down in place of the seat."""
    next: list[str]
    """Who is next, likewise, or what."""
    done: list[str]
    """Those of `turns` who have acted in this round and may not act now."""
    turns: list[str]
    """Those who have a turn, in the order of turns; [] outside of an encounter, or where there is no order."""
    cards: dict[str, Card]
    """Those at the table, in the order of the roster; names as `harmless` writes them."""
    map: Map


NOTHING = Scene([], [], [], [], [], {}, Map())
"""The scene before there is any."""


class Legend(Struct, frozen=True):
    """What the cards and the map of scenes have in common."""

    titles: list[str]
    """The columns that are not always empty, in the order of the board."""
    sides: list[str]
    """The sides, those of the readers first."""
    signs: dict[str, str]
    """The sign of everybody on the map."""


def legend(scenes: Sequence[Scene], ours: Sequence[str]) -> Legend:
    """The legend of some scenes, for readers on some sides."""
    found, sides = dict[str, bool](), dict[str, None]()
    cards = {id(card): card for scene in scenes for card in scene.cards.values()}
    for card in cards.values():
        sides[card.side] = None
        for title, cell in card.row.items():
            found[title] = found.get(title, False) or bool(cell)
    names = dict.fromkeys(who for scene in scenes for who in scene.cards)
    first = [side for side in map(harmless, map(side_word, ours)) if side in sides]
    titles = [title for title, used in found.items() if used]
    return Legend(titles, [*first, *(side for side in sides if side not in first)], signs([*names]))


class Differences:
    """Scenes in the order in which they are shown: each as what differs from the one before, for the script."""

    def __init__(self) -> None:
        self._before, self._legend = NOTHING, Legend([], [], {})

    def step(
        self,
        scene: Scene,
        common: Legend,
        arithmetic: Sequence[Sequence[str]] = (),
        dice: Sequence[tuple[int, int]] = (),
    ) -> dict[str, Any]:
        """The next scene with its legend, and with the arithmetic of each outcome of its entry and its dice.

        A difference holds `l`, the legend, `h`, the lines above the board, `t`, who is now, who is next, and who has
        acted, `u`, the order of turns, `o`, who is on it in order, `r`, what changed on each card, `g`, the ground or
        the areas, `p`, where everybody is, `s`, the arithmetic, and `d`, the dice.
        """
        before, plan, old = self._before, scene.map, self._before.map
        changed = [(who, card) for who, card in scene.cards.items() if card is not before.cards.get(who)]
        parts: dict[str, tuple[Any, Any]] = {
            "l": (common, self._legend),
            "h": (scene.header, before.header),
            "t": ((scene.now, scene.next, scene.done), (before.now, before.next, before.done)),
            "u": (scene.turns, before.turns),
            "o": ([*scene.cards], [*before.cards]),
            "r": ([(who, _changes(before.cards.get(who, _UNKNOWN), card)) for who, card in changed], []),
            "g": ((plan.ground, plan.areas, plan.links), (old.ground, old.areas, old.links)),
            "p": ((plan.bodies, plan.places), (old.bodies, old.places)),
            "s": ([*arithmetic] if any(arithmetic) else [], []),
            "d": ([*dice], []),
        }
        self._before, self._legend = scene, common
        return {name: new for name, (new, known) in parts.items() if new != known}


def _changes(before: Card, card: Card) -> dict[str, Any]:
    """What differs on a card: `c`, its cells ("" for one that is gone), `b`, its bars, `l`, its labels, `w`, its word,
    and `s`, its side.
    """
    titles = {**before.row, **card.row}
    cells = {title: now for title in titles if (now := card.row.get(title, "")) != before.row.get(title, "")}
    parts: dict[str, tuple[Any, bool]] = {
        "c": (cells, not cells),
        "b": ([(bar.column, bar.now, bar.most, bar.left, bar.grade) for bar in card.bars], card.bars == before.bars),
        "l": ([(one.what, one.ends) for one in card.labels], card.labels == before.labels),
        "w": (card.word, card.word == before.word),
        "s": (card.side, card.side == before.side),
    }
    return {name: new for name, (new, same) in parts.items() if not same}


_Body = tuple[str, int, int, int, int, int, str]


class _Made(Struct, frozen=True, gc=False):
    """What was made of one combatant."""

    row: Row
    """Its cells, as read."""
    known: bool
    """Whether the readers know its numbers."""
    parts: tuple[Any, ...]
    """What the card was made of."""
    name: str
    """As `harmless` writes it."""
    card: Card
    body: _Body | None
    """Where it is on the map of squares."""


class Eyes:
    """Looks at one state after another, for the players of some sides, for the one who sits in a seat, or for the
    game master. Cards that did not change are the same object.
    """

    def __init__(self, sides: Collection[str] | None, seat: str = "") -> None:
        self._sides, self._seat = sides, seat
        self.board = Board([], "", [], [], [], [], [], {}, [], {})
        """What was read of the last state, as they may read it."""
        self.known: Collection[str] = ()
        """Those of the last state whose numbers they know, in the order of the roster."""
        self._made: dict[str, _Made] = {}
        self._seen = Sightings()
        self._view = View(State())
        """One for all states, so that a stat block is read once."""

    def look(self, state: State, sightings: Sightings) -> Scene:
        """What is shown of a state, of which some things were seen. Only those are looked at anew of whom it holds
        something else than the one before.
        """
        mine: Collection[str] = dict.fromkeys(state.roster.order)
        if self._sides is not None:
            mine = dict.fromkeys(who for who in mine if is_known(state, who, self._sides, self._seat))
            state = _without_scores(state, mine)
        self.known = mine
        kept = self._kept(state, sightings, mine)
        self._view.state, self._seen = state, sightings
        rows = {who: one.row for who, one in kept.items()}
        board, own, view = read_board(state, turns=False, view=self._view, kept=rows), board_of(state), self._view
        able = {*map(harmless, board.now)}
        if self._sides is not None:
            board = _for_players(board, own, view, mine)
        self.board = board
        self._made = {
            who: kept[who] if who in kept else self._make(who, cells, who in mine) for who, cells in board.rows.items()
        }
        cards = {one.name: one.card for one in self._made.values()}
        header = [(title, harmless(said)) for title, said in replace(board, turn="").said(mine)]
        places = _Places(own, view, board.seats, mine)
        now, following = places.standing(board.now), places.standing(board.next, in_order=True)
        bodies = tuple(one.body for one in self._made.values() if one.body)
        turns = places.turns(cards)
        done = places.done(turns, board.done)
        now = [who for who in now if who in able or who not in cards]  # of a seat or a side those who may act
        return Scene(header, now, following, done, turns, cards, _map(view, bodies))

    def _kept(self, state: State, sightings: Sightings, mine: Collection[str]) -> dict[str, _Made]:
        """What was made of those of whom nothing differs."""
        others = concerned(self._view.state, state)
        if others is None:
            return {}
        others |= self._seen.otherwise(sightings) if self._sides is not None else frozenset()
        return {who: one for who, one in self._made.items() if who not in others and one.known == (who in mine)}

    def _make(self, who: str, cells: Row, known: bool) -> _Made:
        own, view, before = board_of(self._view.state), self._view, self._made.get(who)
        side, parts = side_word(view.state.roster.members[who].side), tuple[Any, ...]()
        if known:
            parts = side, cells, own.bars(view, who), own.labels(view, who)
            card = before.card if before and parts == before.parts else _card(*parts)
        else:
            row = {title: harmless(cell) for title, cell in cells.items() if title in own.seen}
            labels = tuple(map(_harmless, self._seen.labels(view.state, who)))
            card = Card(harmless(side), row, (), labels, self._seen.word(view.state, who))
        if before and card == before.card:
            card = before.card
        name = before.name if before else harmless(who)
        return _Made(cells, known, parts, name, card, _body(own, view, who, name))


def labels_of(system: str) -> str:
    """The title of the column whose cells stand as labels on cards; "" where a rule system has none."""
    return rulebook.of(system).board.labelled if systems.is_known(system) else ""


class _Places(Struct, frozen=True):
    """Who has a place in the order of turns: that of a seat or of a group, too."""

    own: BoardParts
    view: View
    seats: Mapping[str, Sequence[str]]
    mine: Collection[str]
    """Those whose numbers the readers know."""

    def _at(self, name: str, seated: bool) -> Sequence[str]:
        """Those of a seat or a group; `seated` where a name is that of a seat, even if a combatant has it, too. Who is
        in a group of others stands on their stat blocks, so its name remains.
        """
        if name in self.view.state.roster.members and not seated:
            return [name]
        if played := self.seats.get(name):
            return played
        if group := self.own.stand_for(self.view, name):
            return [who for who in group if who in self.mine] or [name]
        return [name]

    def _seated(self) -> bool:
        """Whether the order of turns is one of seats."""
        order = self.view.state.turns.order
        return bool(order) and all(name in self.seats for name in order)

    def standing(self, names: Iterable[str], in_order: bool = False) -> list[str]:
        """These names, with those who are not down in place of their seat or group; `in_order` where they stand in the
        order of turns.
        """
        down, seated = self.view.state.harm.down, in_order and self._seated()
        each = (who for name in names for who in self._at(name, seated) if who == name or who not in down)
        return [harmless(side_word(who)) for who in dict.fromkeys(each)]

    def turns(self, cards: Collection[str]) -> list[str]:
        """Those in the order of turns: for a side all who fight for it; of a group of strangers its name."""
        state = self.view.state
        if not state.encounter.running:
            return []
        each: list[str] = []
        seated = self._seated()
        for name in state.turns.order:
            members = self._at(name, seated)
            each += (state.roster.of_side(name) or members) if [*members] == [name] else members
        return [shown for who in dict.fromkeys(each) if (shown := harmless(who)) in cards or self._is_group(who)]

    def done(self, turns: Sequence[str], acted: Collection[str]) -> list[str]:
        """Those in the order of turns who have acted; of a group of strangers, when all of it who stand have."""
        shown = {*map(harmless, acted)}
        return [name for name in turns if name in shown or self._have_all(name, acted)]

    def _have_all(self, name: str, acted: Collection[str]) -> bool:
        """Whether it is a group, and all of it who stand have acted."""
        standing = [who for who in self.own.stand_for(self.view, name) if self.view.state.stands(who)]
        return self._is_group(name) and bool(standing) and all(who in acted for who in standing)

    def _is_group(self, name: str) -> bool:
        """Whether it is the name of a group, which has no card."""
        return name not in self.view.state.roster.members and bool(self.own.stand_for(self.view, name))


def is_known(state: State, who: str, sides: Collection[str] | None, seat: str = "") -> bool:
    """Whether the readers know somebody's numbers: players those of their own sides, the one who sits in a seat also
    of those whom they play, the game master all.
    """
    if sides is None or state.roster.members[who].side in sides:
        return True
    taken = state.seats.named(seat) if seat else None
    return taken is not None and who in taken.plays


def _without_scores(state: State, mine: Collection[str]) -> State:
    """Without the initiative of the others, which their file does not hold; the order stays."""
    known = {who: score for who, score in state.initiative.scores.items() if who in mine}
    return replace(state, initiative=replace(state.initiative, scores=known))


def _for_players(board: Board, own: BoardParts, view: View, mine: Collection[str]) -> Board:
    """What players may read of it: of the others only that it is their turn, which everybody is told. What they owe,
    and what they can still do, rests on their numbers and their plans.
    """
    state, turn = view.state, view.state.turns.who
    told = [] if state.pending.window or "now" in own.untold else [*state.turns.order, turn]

    def opened(who: str) -> str:
        """The name, or the side whose turn everybody is told, or nothing."""
        if who in mine or who in told or who not in state.roster.members:
            return who
        side = state.roster.members[who].side
        return side if side in told else ""

    now, following = ([*dict.fromkeys(filter(None, map(opened, names)))] for names in (board.now, board.next))
    due = [replace(one, who=who) for one in board.due if (who := tuple(name for name in one.who if name in mine))]
    if not now and turn and not {*board.now}.isdisjoint(own.stand_for(view, turn)):
        now = [turn]
    return replace(board, now=now, next=[] if "next" in own.untold else following, due=due)


def _card(side: str, cells: Mapping[str, str], bars: Sequence[Bar], labels: Sequence[Label]) -> Card:
    """The card of somebody whose numbers are known."""
    row = {title: harmless(cell) for title, cell in cells.items()}
    return Card(harmless(side), row, tuple(bars), tuple(map(_harmless, labels)))


def _harmless(label: Label) -> Label:
    return Label(harmless(label.what), harmless(label.ends))


def _body(own: BoardParts, view: View, who: str, name: str) -> _Body | None:
    """Where somebody is, as large as the miniature on the table, which everybody sees; None away from the squares."""
    at = view.state.positions.at.get(who)
    if not at:
        return None
    squares = own.body(view, who) or [at[:2]]
    xs, ys = {x for x, _ in squares}, {y for _, y in squares}
    looks = own.heading(view, who) if who not in view.state.harm.down else ""
    return name, min(xs), min(ys), len(xs), len(ys), at[2], looks


def _map(view: View, bodies: tuple[_Body, ...]) -> Map:
    """Where everybody is."""
    state = view.state
    if state.areas.names:
        areas = state.areas
        links = tuple((harmless(one.one), harmless(one.other), harmless(one.ways()), one.oneway) for one in areas.links)
        places = tuple((harmless(who), harmless(areas.at[who])) for who in state.roster.order if who in areas.at)
        return Map(areas=tuple(map(harmless, areas.names)), links=links, places=places)
    if not bodies:
        return Map()
    ground: dict[str, list[tuple[int, int]]] = {name: [*squares] for name, squares in state.encounter.ground.items()}
    for item in state.lying.items:
        ground.setdefault(item.item, []).append(item.at[:2])
    ground = dict(sorted(ground.items()))
    signed = marks(list(ground))
    return Map(tuple((harmless(name), signed[name], tuple(squares)) for name, squares in ground.items()), bodies)
