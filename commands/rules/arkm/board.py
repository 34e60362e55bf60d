"""The board: how everybody is, and what holds for everybody. Adds nothing and judges nothing."""

from collections.abc import Iterator

from commands.action.board import Bar, Due, Label, Readied, named_powers
from commands.action.view import View
from ledger.events import DROPPED, lasting

from . import order as initiative
from .ability import temporary
from .conditions import BLOW_DUE, CASTING, SET, TEMPORARY
from .distance import FEET, words
from .groups import members
from .morale import DUE
from .order import ACTED, ATTACKS, PHASES, QUICK, SURPRISE_ROLLED, TIE, acted, is_decided, place, places, pointer
from .tohit import armour_class
from .waiting import can, goes_on, goes_on_apart, may_still_move

GLANCE = ("hp",)
"""The columns of the board at a glance, those that have a bar with it."""
STATE = {"temporary": "{} temporary", "in melee with": "in melee with {}", "this round": "{}", "state": "{}"}
"""What it says of the state of somebody: from which columns, and in which words."""
HARM = {"hp": "left", "temporary": "taken"}
"""The columns that say how badly somebody is hurt: by what is left, or by what was taken."""
SEEN = ("side", "down", "in melee with")
"""The columns that everybody at the table sees of everybody."""


UNTOLD = ("now", "next")
"""What players do not learn of the others: who acts now, and which phase is next, tells what they can shoot or cast."""


def header(view: View) -> list[str]:
    """Encounter, round, phase, the order of initiative with the place that acts, and what holds for groups."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not turns.round:
        return [f"{title}, before the first round"]
    lines = [f"{title}, round {turns.round}{f', {turns.phase} phase' if turns.phase else ''}"]
    if turns.order:
        at = pointer(view) if turns.phase else -1
        every = [names if names in turns.order else initiative.who_is_there(view, names) for names in places(view)]
        order = [f"*{names}*" if nth == at else names for nth, names in enumerate(every) if names]
        lines.append(f"Initiative: {', '.join(order)}")
    for number, one in enumerate(state.skirmishes.of, 1):
        if not one.done:
            scores = state.initiative.scores
            sides = [", ".join(f"{who} {scores.get(who) or ''}".rstrip() for who in side) for side in one.sides]
            lines.append(f"Paired fight {number}: {' against '.join(sides)}")
    for name in sorted(state.conditions.of):
        if name not in state.roster.members:
            lines.append(f"{name}: {', '.join(one.what for one in labels(view, name))}")
    return lines


def stand_for(view: View, seat: str) -> list[str]:
    """Those of a group: its dice of initiative, surprise and morale are theirs. Several groups may share a die."""
    return [who for name in seat.split(TIE) for who in members(view, name.removesuffix(QUICK))]


def order(view: View) -> list[str]:
    """Everybody in the order of initiative, once it is rolled."""
    return sorted(view.state.roster.order, key=lambda who: place(view, who)) if is_decided(view) else []


def following(view: View) -> list[str]:
    """What begins the round; in it what comes after those who act now: the next place in which somebody can do what
    belongs to the phase, else the next phase in which somebody can act.
    """
    state, phase = view.state, view.state.turns.phase
    if not state.encounter.running:
        return []
    if not state.turns.round and not state.counts.get("encounter", SURPRISE_ROLLED):
        return ["surprise or initiative"]
    if not state.turns.round or not is_decided(view):
        return ["initiative"]
    first, *later = [*_steps(view), ("", 0, ())]
    if not phase and first[0]:
        return [f"the {first[0]} phase"]
    after, at, _ = later[0] if later else first
    if not after:
        return [f"round {state.turns.round + 1}"]
    return [places(view)[at] if after == first[0] else f"the {after} phase"]


_Step = tuple[str, int, tuple[str, ...]]
"""A phase, a place in it, and those who can do there what belongs to the phase."""


def _steps(view: View) -> Iterator[_Step]:
    """The places of the rest of the round in which somebody can act, in order."""
    now, at = view.state.turns.phase or PHASES[0], pointer(view)
    unpaired = [who for who in view.state.roster.order if not initiative.pair_of(view, who)]
    for phase in PHASES[PHASES.index(now) :]:
        able = [who for who in unpaired if can(view, who, phase) or (phase == now and goes_on(view, who))]
        for nth in range(at if phase == now else 0, len(places(view))):
            if here := tuple(who for who in able if place(view, who) == nth):
                yield phase, nth, here


def _next_to_act(view: View) -> _Step:
    """Where the round goes on: nobody before can act, so that nothing is lost on the way there."""
    return next(_steps(view), ("", 0, ()))


def demands(view: View) -> list[Due]:
    """The morale checks that are due, by group; and the phase of those who act now, where it is a later one."""
    state = view.state
    waits = [one for one in state.pending.waiting if one.kind == DUE]
    found = [Due(f"morale check after {one.said['text']}", (one.who,), verb="morale") for one in waits]
    if state.encounter.running and is_decided(view) and state.turns.phase:
        phase, _, who = _next_to_act(view)
        if phase not in ("", state.turns.phase) and [*who] == acting(view):
            found.append(Due(f"{phase} phase", who, True))
    return found


def readied(view: View) -> list[Readied]:
    """The weapons that are set against a charge, and the spells that were announced."""
    state = view.state
    found = []
    for who in state.roster.order:
        if acted(view, who):
            continue
        if held := state.conditions.get(who, SET):
            found.append(Readied(who, f"{', '.join(held.whom)} set", when="against a charge"))
        if state.conditions.has(who, CASTING):
            found.append(Readied(who, "cast", when="in the magic phase"))
    return found


def acting(view: View) -> list[str]:
    """Who may act now: those of the first place, in this phase or in a later one, who can do there what belongs to the
    phase, or have attacks left; those whose place it is for whose move nobody waits; and those in a paired fight whose
    side is not behind the other, who alone may act before the movement phase while a morale check is due.
    """
    state = view.state
    if not state.encounter.running or not is_decided(view):
        return []
    if not state.turns.phase and any(one.kind == DUE for one in state.pending.waiting):
        return [who for who in state.roster.order if goes_on_apart(view, who)]
    (_, _, now), at = _next_to_act(view), pointer(view)
    return [
        who
        for who in state.roster.order
        if who in now
        or goes_on_apart(view, who)
        or (state.turns.phase and goes_on(view, who))
        or (place(view, who) == at and may_still_move(view, who))
    ]


def done(view: View) -> list[str]:
    """Who has had the action of this round, and may not act now."""
    now = acting(view)
    return [who for who in view.state.roster.order if acted(view, who) and who not in now]


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one combatant: side, both columns of harm, armour, special powers, what is in hand, who is near,
    what it did, and what it is.
    """
    state = view.state
    hp, down = state.harm.hp[who], state.harm.how(who)
    sheet = view.sheet(who)
    men = sheet.men
    return {
        "side": state.roster.members[who].side,
        "hp": f"{hp.now}/{hp.most}{f' ({men} men)' if men else ''}",
        "temporary": str(temporary(view, who) or ""),
        "down": "slain" if down == "dead" else "out" if down else "",
        "AC": str(armour_class(view, who)),
        "resists": f"all but {' and '.join(sheet.requires)} weapons" if sheet.requires else "",
        "special": named_powers(sheet.special),
        "in hand": ", ".join(state.gear.equipped.get(who, ())),
        "in melee with": ", ".join(filter(state.stands, state.engagement.of(who) if state.stands(who) else ())),
        "this round": ", ".join(_deeds(view, who)),
        "state": ", ".join(one.what for one in labels(view, who)),
    }


def bars(view: View, who: str) -> list[Bar]:
    """Hit points, and temporary damage against them."""
    hp, damage = view.state.harm.hp[who], temporary(view, who)
    return [Bar("hp", hp.now, hp.most), *([Bar("temporary", damage, hp.most, "taken")] if damage else [])]


LABELLED = "state"
"""The column that says what `labels` gives."""


def _deeds(view: View, who: str) -> list[str]:
    """What somebody did in this round: how far it moved, and its action."""
    counts = view.state.counts
    feet, left = counts.get(who, FEET), counts.get(who, ATTACKS)
    moved = f"moved {words(view, feet)}" if feet else ""
    did = sorted(_DID.get(done, done) for done in counts.of(who, ACTED))
    return [*filter(None, (moved, *did, initiative.attacks_left(left) if left else ""))]


def labels(view: View, who: str) -> list[Label]:
    """Conditions of somebody or of a group, without what lies on the ground, and without a blow that was struck."""
    told = []
    for name, held in view.state.conditions.held(who):
        if name == TEMPORARY or name.startswith(DROPPED) or (name == BLOW_DUE and not initiative.is_due(view, who)):
            continue
        amount = f" {held.amount}" if held.amount else ""
        whom = f" ({', '.join(held.whom)})" if held.whom else ""
        told.append(Label(f"{name}{amount}{whom}", lasting(held.until, held.whose, held.round)))
    return told


_DID = {"attack": "attacked", "reload": "reloaded", "spell": "cast a spell"}
"""What somebody did, where it is not told as it is counted."""
_BELONGS = {"movement": "movement", "missile": "shot", "magic": "spell", "melee": "blow"}
"""What belongs to a phase, in the word for it."""


def chances(view: View) -> dict[str, tuple[str, ...]]:
    """What everybody can still do in this round: of the phase that is open, and of those that come."""
    state, now, at = view.state, view.state.turns.phase, pointer(view)
    decided, found = state.encounter.running and is_decided(view), dict[str, tuple[str, ...]]()
    open_ = PHASES[PHASES.index(now) if now else 0 :] if decided else ()
    for who in state.roster.order:
        able = [phase for phase in open_ if can(view, who, phase) and (phase != now or place(view, who) >= at)]
        left = ["attacks left"] if state.counts.get(who, ATTACKS) else []
        found[who] = (*(_BELONGS[phase] for phase in able), *left)
    return found
