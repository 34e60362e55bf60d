"""Resolution: what a procedure sees of the table, and how it rolls, rules, records and refuses.

The same procedure runs live, in a preview and in an audit; only the source of the dice differs. It has no other
inputs: no clock, no randomness, no file.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Literal, NoReturn

import msgspec

from ledger.dice import parse
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Awaited, Declared, Event, Number, Overruled, Passage, Rolled, Ruled, WaitingEnded, number
from ledger.events.harm import ConditionEnded, ConditionGained
from projections.passages import AS_DECLARED
from projections.state import State, follow

from . import systems
from .declaration import Declaration, Mapping, in_order, shapes
from .dice_sources import LEFT_OUT, Dice, Question
from .view import View

_SIGNS = {">": int.__gt__, ">=": int.__ge__, "=": int.__eq__, "<=": int.__le__, "<": int.__lt__}
"""How two totals can be compared."""
Latest = Callable[[], tuple[Event, ...]]
"""Looks up what happened last; only instants ask."""
Remedy = tuple[str, dict[str, Any]] | tuple[str, dict[str, Any], str]
"""A command that a refusal may offer: the verb, the fields of its declaration, and the reason of --allow, if any."""
Remedies = Sequence[Remedy | list[Remedy] | str]
"""The first that works is offered, of several in a list all that work; a text is a sentence, and always works."""
ALL = "all"
"""Stands before the reason of --allow, with a colon, where it overrules every clause that refuses."""
REASON = "the reason"
"""Stands for a reason in a command that is offered, for somebody to replace."""
STATUS, UNDO = "affray status", "affray undo"
"""Commands that are no actions: they are offered as texts, because they always work."""


def joining(words: str) -> str:
    """The command by which stat blocks join: it reads files, so it is offered as a text."""
    return f"affray join {words}"


def adjusted(who: str, field: str, value: object) -> Remedy:
    """The game master's way: `adjust`."""
    return "adjust", {"who": [who], "field": field, "value": str(value), "why": REASON}


@contextmanager
def about(**place: Any) -> Iterator[None]:
    """An error in it says what it is about, as `AffrayError` names that: `sheet=2`, `at=("truce",)`."""
    try:
        yield
    except AffrayError as error:
        for name, value in place.items():
            setattr(error, name, value)
        raise


class Needed(AffrayError):
    """A rule asks for dice that nobody has thrown. `rolls` are all the rolls asked for so far, in order."""

    reference = "dice"

    def __init__(self, rolls: "list[Roll]") -> None:
        self.rolls = rolls
        message = f"More dice are needed than were given; so far, in this order: {listed(rolls)}."
        other = "or have them asked one by one: --dice ask - or rolled: --dice roll."
        super().__init__(message, f"Give them all, as --dice {_some_faces(rolls)} - {other}")


class Again(Exception):
    """An instant changes the last action: both are resolved from the state before that action."""


class Roll:
    """A roll of one or more dice. Reading it before its dice are known raises Needed."""

    of = ""
    """What a rule system adds to it, where that is no part of what the dice are thrown for, as a skill."""

    def __init__(self, fight: "Resolution", who: str, dice: str, purpose: str, about: str) -> None:
        self.who, self.dice, self.purpose, self.about = who, dice, purpose, about
        self.known = False
        self.nth = 0
        """Which roll of the entry it is, 1 for the first; 0 while its dice are not known."""
        self._faces: tuple[int, ...] = ()
        self._fight = fight

    @property
    def faces(self) -> tuple[int, ...]:
        """In the order rolled; empty while they are not known, and when the dice were left out."""
        return self._faces

    @property
    def natural(self) -> int:
        """The face of the only die."""
        (only,) = self._read()
        return only

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return sum(self._read())

    @property
    def highest(self) -> int:
        """The best of the faces."""
        return max(self._read())

    @property
    def lowest(self) -> int:
        """The least of the faces."""
        return min(self._read())

    def shows(self, face: int) -> bool:
        """Whether the only die is known to show this face."""
        return self.faces == (face,)

    def shown(self, between: str) -> str:
        """The faces in words, for the record only. No rule may depend on it."""
        return between.join(map(str, self._read()))

    def number(self, of: str = "", clause: str = "") -> Number:
        """A sum that starts with this roll, whose dice a clause gave."""
        return number(of or self.purpose, self.total, self.named, clause, self.nth)

    @property
    def named(self) -> str:
        """The dice as a term of a sum says them: `d20`, `2d4 [3+4]`."""
        faces = self.shown("+")
        several = f" [{faces}]" if "+" in faces else ""
        return self.dice[self.dice.startswith("1d") :] + several

    def _read(self) -> tuple[int, ...]:
        if not self.known:
            raise Needed(self._fight.asked)
        return self.faces


def listed(rolls: "Sequence[Roll]") -> str:
    """Which dice, whose and for what, in the order in which they are thrown."""
    return ", ".join(
        f"{roll.who or 'the table'} {roll.dice} for {roll.purpose}{f' ({roll.about})' if roll.about else ''}"
        for roll in rolls
    )


def counts(state: State, verb: str) -> Literal["", "at once", "at the end"]:
    """`Declared.counts` of a verb that is said in a state."""
    if state.opening is None:
        return ""
    card = systems.recorded_verbs(state.campaign.system).get(verb)
    return "at once" if card and card.role in ("there", "sets", "harm") else "at the end"


def _some_faces(rolls: "Sequence[Roll]") -> str:
    """Faces as they can be typed for these rolls: those that were typed, and for each other die one that it has. Those
    that were typed with who threw them are no faces in order.
    """
    dice = [(roll, at, sides) for roll in rolls for at, sides in enumerate(parse(roll.dice)[0])]
    some = (((2 * sides - 1) // 3 + 5 * nth) % sides + 1 for nth, (_, _, sides) in enumerate(dice))
    every = [str(roll.faces[at] if roll.known else face) for (roll, at, _), face in zip(dice, some, strict=True)]
    given = [face for roll in rolls[-1:] if not any(roll._fight.dice.owners) for face in roll._fight.dice.faces]
    typed = ["-" if face is None else str(face) for face in given]
    return ",".join([*typed, *every[len(typed) :]] if len(typed) < len(every) else every)


_CORRECTED = "a correction changed the order"
"""Why an act stands that would have to wait."""


class Resolution(View):
    """One action, while it is being resolved."""

    makeshift = False
    """Whether something is done as nobody means it who does not say so: a blow with bare hands, bow in hand."""

    def __init__(
        self,
        state: State,
        verb: str,
        declaration: Declaration,
        dice: Dice,
        allow: str = "",
        latest: Latest = tuple,
        instant: bool = False,
        secret: bool = False,
        recorded: Sequence[Event] = (),
        out_of_order: bool = False,
    ) -> None:
        super().__init__(state)
        self.before = state
        """The state as it was before the action; `state` is the one after everything recorded so far."""
        self.declaration = declaration = in_order(declaration)
        self.verb = verb
        self.events: list[Event] = []
        self._passage = self._told = AS_DECLARED
        """Who acts upon whom; and the same as the record says it so far."""
        self._ruled: dict[tuple[str, str, str], int] = {}
        """How often a clause was ruled by, by the two whom it concerned."""
        self.asked: list[Roll] = []
        self.notes: list[str] = []
        """What somebody who typed the command is told, and no record keeps."""
        self._rolls = 0
        self.allow = allow
        """The game master's reason for allowing what a rule refuses, perhaps behind the clause that it overrules, or
        `all`, and a colon; "" when nothing is allowed.
        """
        self.instant = instant
        """Whether this is said before an action, knowing how that action comes out without it."""
        self.secret = secret
        """Whether the players do not see what comes of this."""
        self.out_of_order = out_of_order
        """Whether this was done in an order that a correction has changed since: it stands all the same."""
        self._latest = latest
        self.dice = dice
        """Where its dice come from."""
        self.recorded = recorded
        """What was recorded of it before: then the reason may not be for what somebody waits for only now."""
        self._meant = {one.clause for one in recorded if isinstance(one, Overruled) and one.reason != _CORRECTED}
        """The clauses that the reason overruled in an entry that was recorded so: for all of them, if they are several.
        """
        self._refusals: list[tuple[Refused, str | Remedies, Sequence[str | int]]] = []
        """What `allow` has overruled so far, the first of each clause."""
        self._times: dict[tuple[str, str, str], int] = {}
        said = msgspec.to_builtins(declaration)
        self.record(Declared(verb, said, allow, instant, secret, counts(state, verb), out_of_order))

    # The state

    @property
    def opening(self) -> State:
        """The state at the start of a simultaneous phase; in any other phase, the present state."""
        return self.state.opening or self.state

    @cached_property
    def latest(self) -> tuple[Event, ...]:
        """The events of the last entry of play, the Declared first; for an instant, of the action that it changes."""
        return self._latest()

    def trial(self, at: State | None = None) -> "Resolution":
        """Another of the same, on which something can be tried from a state, the present one if none is given."""
        tried = Resolution(at or self.state, self.verb, self.declaration, self.dice, self.allow, self._latest)
        tried.state = tried.before
        return tried

    def write_in_full(self, said: str, whole: str) -> str:
        """A word in full, such as a spell of which only the beginning was said: so the declaration records it."""
        if said not in ("", whole):
            fields = [field.name for field, shape in shapes(type(self.declaration)) if not shape.choices]
            changes = {one: whole for one in fields if getattr(self.declaration, one) == said}
            self.declaration = msgspec.structs.replace(self.declaration, **changes)
            self.events[0] = msgspec.structs.replace(self.events[0], said=msgspec.to_builtins(self.declaration))
        return whole

    def means(self, *who: str) -> None:
        """Records whom the words mean that do not name them, such as whose turn ends by `done`."""
        self.events[0] = msgspec.structs.replace(self.events[0], meant=who)

    # What happens

    def again(self) -> None:
        """Makes this an instant: it takes its place before the last action, which is then resolved again on its own
        dice. Call it before anything is rolled or recorded; everything after it starts from the state before that
        action. Raises UsageError when it is said in secret: a file for players shows why an action stands again.
        """
        assert not self.asked, "an instant rolls nothing before it is known to be one"
        if self.secret:
            seen = "This changes a result that everybody has seen, so it cannot be secret."
            raise UsageError(seen, "Say it without --secret.")
        if not self.instant:
            raise Again

    def roll(self, who: str, dice: str, purpose: str, about: str = "", optional: bool = False) -> Roll:
        """Rolls dice, such as `1d20` or `2d6+1d4`, and records them.

        An `optional` roll may be left out when dice are thrown by hand; it then shows nothing.
        """
        sides, _ = parse(dice)
        asked = (who, purpose, about)
        time = self._times[asked] = self._times.get(asked, -1) + 1
        hidden = self._hides(who)
        pool = [Question(*asked, time, die, size) for die, size in enumerate(sides)]
        answers = self.dice.answers(pool, optional, hidden)
        roll = Roll(self, who, dice, purpose, about)
        self.asked.append(roll)
        thrown = [answer for answer in answers if answer and answer is not LEFT_OUT]
        if None not in answers and len(thrown) in (0, len(sides)):
            self._rolls += 1
            roll.known, roll._faces, roll.nth = True, tuple(answer.face for answer in thrown), self._rolls
            self.record(Rolled(who, purpose, about, dice, roll.faces, tuple(answer.place for answer in thrown)))
        return roll

    def _hides(self, who: str) -> bool:
        """Whether nobody but the game master sees these dice fall: those of a secret action, the game master's own,
        those that make a stat block of another side, and by the option `hidden_dice` all of the sides that players do
        not fight for.
        """
        if self.secret or not who:
            return self.secret or self.verb == "roll"
        member = self.state.roster.members.get(who)
        if (member.side if member else who) in systems.players_sides(self.state):
            return False
        return bool(self.option("hidden_dice")) or (member is not None and who not in self.before.roster.members)

    def compare(
        self,
        clause: str,
        left: Number,
        sign: str,
        right: Number,
        who: str = "",
        about: str = "",
        yes: str = "yes",
        no: str = "no",
        also: Sequence[str] = (),
        aside: bool = False,
    ) -> bool:
        """Compares two numbers by a clause, records both with their arithmetic, and answers.

        `yes` and `no` are the table's words for the two outcomes, such as hit and miss; `also` names other clauses that
        this decides too. With `aside` it is only a step on the way to another outcome, and told with the arithmetic.
        """
        holds = _SIGNS[sign](left.total, right.total)
        self.record(Ruled(clause, who, about, yes if holds else no, (left, right), sign, tuple(also), aside))
        return holds

    def no_longer(self, who: str, *conditions: str) -> None:
        """Records that these conditions of somebody end, as far as they hold."""
        for name in conditions:
            if self.state.conditions.has(who, name):
                self.record(ConditionEnded(who, name))

    def fewer(self, who: str, condition: str, whom: str) -> None:
        """Records that a condition concerns one fewer to the end of the encounter; it ends where it concerns nobody."""
        held = self.state.conditions.whom(who, condition)
        rest = tuple(one for one in held if one != whom)
        if rest != held:
            self.record(
                ConditionGained(who, condition, "encounter-end", whom=rest) if rest else ConditionEnded(who, condition)
            )

    def rule(
        self,
        clause: str,
        outcome: str,
        numbers: Sequence[Number] = (),
        who: str = "",
        about: str = "",
        also: Sequence[str] = (),
        aside: bool = False,
    ) -> str:
        """Records the outcome of a clause, with the numbers it computes, and gives that outcome.

        `also` names other clauses that this decides too. With `aside` it is only a step on the way to another outcome,
        and told with the arithmetic.
        """
        self.record(Ruled(clause, who, about, outcome, tuple(numbers), "", tuple(also), aside))
        return outcome

    @contextmanager
    def upon(self, doer: str, target: str) -> Iterator[None]:
        """Whatever is recorded in it is what `doer` does to `target`: a combatant, or a group. Nobody's name is "", as
        where somebody bleeds. Within it may stand others; what is recorded behind one belongs to the outer one again.
        Of one in which nothing is recorded nothing is left.
        """
        outer, self._passage = self._passage, Passage(doer, target)
        try:
            yield
        finally:
            self._passage = outer

    def record(self, event: Event) -> None:
        """Records a fact; it is part of the state at once. The second ruling on the same thing says that it is."""
        if self._passage != self._told:
            self._told = self._passage
            self.events.append(self._told)
        if type(event) is Ruled:
            about = (event.clause, event.who, event.about)
            nth = self._ruled[about] = self._ruled.get(about, 0) + 1
            if nth > 1:
                event = msgspec.structs.replace(event, nth=nth)
        self.events.append(event)
        self.state = follow(self.state, event)

    def wait(
        self,
        kind: str,
        who: str,
        verb: str,
        said: Mapping | None = None,
        answerable: Sequence[str] = (),
        until: str = "",
    ) -> None:
        """Lets an action wait: what is done later, who may answer it while nobody else may act, and when it lapses."""
        self.record(Awaited(kind, who, verb, said or {}, tuple(answerable), until))

    def settle(self, kind: str, who: str, how: str, why: str = "") -> dict[str, Any]:
        """Settles what waits for `who`, if anything of that kind does, and gives the action that waited. `why` is told
        where it was not carried out.
        """
        waiting = self.state.pending.of(kind, who)
        if waiting is None:
            return {}
        self.record(WaitingEnded(kind, who, how, "" if how == "done" else waiting.verb, why))
        return waiting.said

    def refuse(self, clause: str, message: str, hint: str | Remedies = "", at: Sequence[str | int] = ()) -> None:
        """Refuses by a clause: nothing of the action is recorded. Returns only when the game master allows something;
        whether it is this, `check_allowed` says, when it is known what else refuses.

        `at` is where in a stat block the fault is.
        """
        refused = Refused(clause, message)
        if not self.allow:
            raise _with_ways(refused, hint, at)
        if clause not in [other.clause for other, *_ in self._refusals]:
            self._refusals.append((refused, hint, at))
        named, _, reason = self.allow.partition(":")
        self.record(Overruled(clause, message, reason.strip() if named.strip() in (clause, ALL) else self.allow))

    def check_allowed(self) -> None:
        """Refuses an action that several clauses refuse, where the game master's reason does not say which is meant, or
        names one of them only, and one that another clause refuses than the reason names: --allow overrules one thing.
        """
        clauses = [refused.clause for refused, *_ in self._refusals]
        named, sign, reason = self.allow.partition(":")
        named = named.strip()
        if clauses and sign and named.startswith(f"{self.state.campaign.system}.") and named not in clauses:
            refused, hint, at = self._refusals[0]
            anyway = (self.verb, msgspec.to_builtins(self.declaration), f"{clauses[0]}: {reason.strip() or REASON}")
            other = Refused(refused.clause, f"{refused.message} {named} is another clause.")
            raise _with_ways(other, hint if isinstance(hint, str) and hint else [*hint, anyway], at)
        if not clauses[1:] or len(self._meant) > 1 or (sign and named == ALL):
            return
        anyway = (self.verb, msgspec.to_builtins(self.declaration), f"{ALL}: {self.allow}")
        if sign and named in clauses:
            refused, hint, at = self._refusals[clauses[0] == named]
            anyway = (*anyway[:2], f"{ALL}: {reason.strip() or REASON}")
            raise _with_ways(refused, hint if isinstance(hint, str) and hint else [*hint, anyway], at)
        first = self._refusals[0][0]
        others = " ".join(f"{refused.clause} refuses it too: {refused.message}" for refused, *_ in self._refusals[1:])
        refused = Refused(first.clause, f"{first.message} {others} --allow overrules one of them by its name, or all.")
        refused.data = {"clauses": clauses}
        raise _with_ways(refused, [anyway], ())

    def hold(self, clause: str, message: str, ways: Remedies, on: Remedies | None = None) -> None:
        """Refuses to go on, because somebody may still act first, or something must still be done. Returns only when
        the game master allows it.

        `on` are the commands by which the fight goes on without the actions of those who need not act; the ways, if
        none are named. Of these the first that works is done when an earlier entry is corrected and the table had gone
        on. What stands out of the order that a correction changed waits for nobody.
        """
        if self.out_of_order:
            self.record(Overruled(clause, message, _CORRECTED))
            return
        try:
            if self.recorded and clause not in self._meant:
                raise _with_ways(Refused(clause, message), ways, ())
            self.refuse(clause, message, ways)
        except Refused as refused:
            refused.on, refused.held = ways if on is None else on, True
            raise

    def impossible(
        self, message: str, hint: str | Remedies = "", at: Sequence[str | int] = (), on: Remedies = ()
    ) -> NoReturn:
        """Stops an action that makes no sense; the game master cannot allow it. Nothing is recorded.

        `at` is where in a stat block the fault is; `on` are the commands by which the fight goes on, as for `hold`.
        """
        error = _with_ways(UsageError(message), hint, at)
        error.on = on
        raise error

    def otherwise(self, **changes: Any) -> Remedy:
        """The same action with some of its words changed, as a command to offer."""
        return self.verb, {**msgspec.to_builtins(self.declaration), **changes}, self.allow


def _with_ways(error: AffrayError, hint: str | Remedies, at: Sequence[str | int]) -> AffrayError:
    error.at = at
    if isinstance(hint, str):
        error.hint = hint
    else:
        error.ways = hint
    return error
