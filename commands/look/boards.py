"""The board of a campaign: its rule system's own, or a plain one where that is not installed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from commands.action import rulebook, systems
from commands.action.board import Bar, Due, Lying, Readied
from commands.action.rulebook import BoardParts
from commands.action.view import View
from ledger.errors import RulesMissing
from ledger.events import side_word, spoken
from ledger.events.sentences import own
from projections.state import State


def board_of(state: State) -> BoardParts:
    """The board of the campaign's rule system; where that is not installed, one with the numbers that all keep."""
    system = state.campaign.system
    return rulebook.of(system).board if systems.is_known(system) else _PLAIN


def _why(view: View) -> list[str]:
    """Why the board is a plain one."""
    return [RulesMissing(view.state.campaign.system).message]


def _row(view: View, who: str) -> dict[str, str]:
    """Side, hit points, and whether somebody is down."""
    state = view.state
    hp, down = state.harm.hp.get(who), state.harm.down.get(who)
    row = {"side": state.roster.members[who].side}
    row |= {"hp": f"{hp.now}/{hp.most}"} if hp else {}
    return row | ({"down": down.how} if down else {})


def _bars(view: View, who: str) -> list[Bar]:
    """Hit points."""
    hp = view.state.harm.hp.get(who)
    return [Bar("hp", hp.now, hp.most)] if hp else []


_PLAIN = BoardParts(header=_why, row=_row, bars=_bars, acting=lambda view: [], harm={"hp": "left"}, glance=("hp",))


def friends(state: State) -> Sequence[str]:
    """The sides that players fight for."""
    return systems.players_sides(state) or state.roster.sides()[:1]


class Board(Struct, frozen=True):
    """Everything that a board says."""

    header: list[str]
    """The encounter with its round or phase, then what else holds for everybody."""
    turn: str
    """Whose turn is under way, a combatant or a seat; "" for nobody's."""
    now: list[str]
    """Who may act now."""
    done: list[str]
    """Who has acted in this round and may not act now."""
    next: list[str]
    """What comes next: those whose turn it is then, or in words, such as: the melee phase."""
    due: list[Due]
    readied: list[Readied]
    seats: dict[str, list[str]]
    """For each seat those whom it plays, where players have seats."""
    ground: list[Lying]
    rows: dict[str, dict[str, str]]
    """For each combatant its cells by the title of their column, in the order of turns; last those without a turn."""

    def lines(self, known: Collection[str] | None = None) -> list[str]:
        """What stands above the table, with the actions that those `known` have readied; of everybody by default."""
        return [f"{title}: {said}" if title else said for title, said in self.said(known)]

    def said(self, known: Collection[str] | None = None) -> list[tuple[str, str]]:
        """The same lines, each with its title; "" for one that has none."""
        asked = "; ".join(one.what for one in self.due if one.acting)
        return [
            *(("", line) for line in self.first()),
            *_line("Now", [f"{', '.join(self.now)} ({asked})" if asked else ", ".join(self.now)]),
            *_line("Next", [", ".join(map(side_word, self.next))]),
            *self._waiting(known),
            *(("", line) for line in self.header[1:]),
            *_line("Seats", [_seat(*seat) for seat in self.seats.items()]),
            *_line("On the ground", [f"{one.item} ({one.where})" for one in self.ground]),
        ]

    def first(self) -> list[str]:
        """The first line, which says the encounter and whose turn it is; none where a board says nothing."""
        turn = f", {spoken((self.turn, own(self.turn), 'turn'))}" if self.turn else ""
        return [f"{line}{turn}" for line in self.header[:1]]

    def waiting(self) -> list[str]:
        """What is due besides what is asked of those who may act now, and what is readied."""
        return [f"{title}: {said}" for title, said in self._waiting()]

    def _waiting(self, known: Collection[str] | None = None) -> list[tuple[str, str]]:
        readied = [_readied(one) for one in self.readied if known is None or one.who in known]
        due = [f"{', '.join(one.who)} ({one.what})" for one in self.due if not one.acting]
        return [*_line("Due", due), *_line("Readied", readied)]


def _line(title: str, words: Iterable[str]) -> list[tuple[str, str]]:
    said = "; ".join(filter(None, words))
    return [(title, said)] if said else []


def _readied(one: Readied) -> str:
    return f"{one.who} ({' '.join(filter(None, (one.what, one.target, one.when)))})"


def _seat(seat: str, fighters: list[str]) -> str:
    return f"{side_word(seat)} plays {', '.join(fighters) or 'nobody'}"


_NONE: Mapping[str, dict[str, str]] = MappingProxyType({})


def read_board(
    state: State, turns: bool = True, view: View | None = None, kept: Mapping[str, dict[str, str]] = _NONE
) -> Board:
    """The board of a state, seen by a view of it if there is one. A rule system that does not say one of its parts has
    none of it. Rows are in the order of turns, or in that of joining; those in `kept` are known already.
    """
    board, view = board_of(state), view or View(state)
    order = dict.fromkeys([*(board.order(view) if turns else ()), *state.roster.order])
    rows = {who: kept[who] if who in kept else board.row(view, who) for who in order}
    acts = board.turn(view), board.acting(view), board.done(view), board.following(view)
    rest = board.demands(view), board.readied(view), board.seats(view), board.lying(view)
    return Board(board.header(view), *acts, *rest, rows)
