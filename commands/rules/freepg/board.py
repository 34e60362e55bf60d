"""The board: how everybody is, at a glance. Adds nothing and judges nothing."""

from commands.action import grid
from commands.action.board import Bar, Label
from commands.action.view import View
from ledger.events import DROPPED, Number, lasting

from . import actions, bonus

GLANCE = ("hp", "at")
"""The columns of the board at a glance, those that have a bar with it."""
STATE = {"actions": "actions left: {}", "conditions": "{}"}
"""What it says of the state of somebody: from which columns, and in which words."""
HARM = {"hp": "left"}
"""The columns that say how badly somebody is hurt: by what is left, or by what was taken."""
SEEN = ("side", "down", "at")
"""The columns that everybody at the table sees of everybody."""


def header(view: View) -> list[str]:
    """Encounter and round."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not state.encounter.ordered:
        return [f"{title}, without turns"]
    if not turns.round:
        return [f"{title}, before initiative"]
    return [f"{title}, round {turns.round}"]


def turn(view: View) -> str:
    """The seat whose turn is under way."""
    return view.state.turns.who


def seats(view: View) -> dict[str, list[str]]:
    """Whom each seat plays: in the order of turns, or of joining, with the game master's last."""
    own = [(view.sheet(who).seat_of(who), who) for who in view.state.roster.order]
    named = [*view.state.turns.order, *(seat for seat, _ in own if seat != actions.GM), *(seat for seat, _ in own)]
    return {seat: [who for mine, who in own if mine == seat] for seat in dict.fromkeys(named)}


def stand_for(view: View, seat: str) -> list[str]:
    """Whom a seat plays: its die of initiative is theirs."""
    return seats(view).get(seat, [])


def order(view: View) -> list[str]:
    """Everybody in the order of the seats, once turns go around the table."""
    return [who for mine in seats(view).values() for who in mine] if view.state.turns.round else []


def following(view: View) -> list[str]:
    """The seat whose turn is next; before the first round initiative."""
    turns = view.state.turns
    if not actions.counted(view.state):
        return []
    if not turns.round:
        return ["initiative"]
    if turns.who not in turns.order:
        return []
    after = turns.order.index(turns.who) + 1
    return [seat for seat in (*turns.order[after:], *turns.order[:after]) if actions.taken(view, seat)][:1]


def acting(view: View) -> list[str]:
    """Who may act now: those of the seat whose turn it is who have an action left; if nobody has, all of them who can
    act.
    """
    able = _able(view)
    return [who for who in able if view.state.points.left(who, "action")] or able


def done(view: View) -> list[str]:
    """Those of the seats whose turn of this round is over, and of the seat whose turn it is who have no action left."""
    turns, now = view.state.turns, acting(view)
    if turns.who not in turns.order or not actions.counted(view.state):
        return []
    over = turns.order[: turns.order.index(turns.who)]
    able = _able(view)
    seats = {who: view.sheet(who).seat_of(who) for who in view.state.roster.order}
    return [who for who, seat in seats.items() if seat in over or (who in able and who not in now)]


def _able(view: View) -> list[str]:
    """Those of the seat whose turn it is who can act."""
    state = view.state
    if not actions.counted(state) or not state.turns.who:
        return []
    seat = [who for who in state.roster.order if view.sheet(who).seat_of(who) == state.turns.who]
    return [who for who in seat if actions.has_turn(view, who)]


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one combatant: side, health, actions, what counts for its defense, place, gear and conditions."""
    state = view.state
    hp = state.harm.hp.get(who)
    at = state.positions.at.get(who)
    return {
        "side": state.roster.members[who].side,
        "hp": f"{hp.now}/{hp.most}" if hp else "",
        "down": state.harm.how(who),
        "actions": _actions(view, who),
        "defense": _signed(bonus.plus_defense(view, who, Number("defense", (), 0)).total) if hp else "",
        "armor": str(bonus.armor(view, who).total or "") if hp else "",
        "at": ",".join(map(str, at if at[2] else at[:2])) if at else "",
        "equipped": ", ".join(state.gear.equipped.get(who, ())),
        "conditions": ", ".join(one.told for one in labels(view, who)),
    }


def bars(view: View, who: str) -> list[Bar]:
    """Health."""
    hp = view.state.harm.hp.get(who)
    return [Bar("hp", hp.now, hp.most)] if hp else []


def _signed(points: int) -> str:
    return f"{points:+d}" if points else ""


def _actions(view: View, who: str) -> str:
    """What is left of the turn: actions, and whether one of them may be an attack."""
    state = view.state
    sheet = view.sheet(who)
    if state.turns.who != sheet.seat_of(who) or not state.stands(who) or sheet.trap == "single":
        return ""
    left = state.points.left(who, "action")
    return f"{left}{' (1 attack)' if left and state.points.left(who, 'attack') else ''}"


LABELLED = "conditions"
"""The column that says what `labels` gives."""


def labels(view: View, who: str) -> list[Label]:
    """Each condition with its amount, who is still to go before somebody dies, and its end."""
    found = []
    for name, held in sorted(view.state.conditions.of.get(who, {}).items()):
        if name.startswith(DROPPED):
            continue
        ends = lasting(held.until, held.whose, held.round, held.whom, name)
        amount = f"{held.amount:+} {held.modifies}" if held.amount else ""
        found.append(Label(" ".join(filter(None, (name, amount))), ends))
    return found


def body(view: View, who: str) -> list[tuple[int, int]]:
    """The squares that a combatant covers, seen from above; none for the dead and those without a place."""
    state = view.state
    at = state.positions.at.get(who)
    if at is None or state.harm.how(who) == "dead":
        return []
    return [(x, y) for x, y, _ in grid.body(at, view.sheet(who).across)]


def chances(view: View) -> dict[str, tuple[str, ...]]:
    """What the seat whose turn it is can still do on it."""
    able = [who for who in _able(view) if view.state.points.left(who, "action")]
    return {who: ("turn",) if actions.untouched(view, who) else ("action",) for who in able}
