"""What a seat may say: which verbs, for whom, and in which form. Read from the cards and the declarations, so that a
rule system from outside has it too. Depends on nothing that is hidden from the seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs
from msgspec.structs import replace

from commands.action import rulebook, systems
from commands.action.cards import Verb
from commands.action.declaration import PEOPLE, Declaration, shapes
from commands.action.names import ALL, DUE, TURN, find_all, resolve_names
from commands.action.view import View
from commands.words.command import order_of
from commands.words.command_lines import typed, words_of
from commands.words.form import UNLISTED, Field, Table, fields_of
from commands.words.parameters import is_repeated
from commands.words.reading import Reading, Said
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.events import whose
from projections.roster import Seat
from projections.state import State

if TYPE_CHECKING:
    from commands.words.next_steps import Offer

ASK_GM = "Ask the game master."
"""What a phone is told of a refusal that might give something away."""
_WHO = "who"
"""The field that says who acts."""
_GROUPS = ("group", "groups")
FILES = ("toml", "table", "party")
"""Words that name files of the machine: no page makes the server read one."""
_HERS = frozenset({_WHO, "target", "to", "at", "with_"})
"""Fields that mean the same in every rule system, and that a trusted seat may say by itself."""
_TARGET, _WHERE = "target", frozenset({"to", "at"})
"""Those of them that stand in front of a form, also where they are options: the target, and where nothing else is asked
for but who acts, the place.
"""
_PAGES = ("once", "apply", "dry_run", "yes", "full")
"""Options that a page says by itself, where they are to be said."""
_LONGEST_NAME = 80
"""The most characters of what stands for somebody, before anybody is sought who is called so."""
LONGEST = 500
"""The most characters of a line that is typed on a page."""


class Saying(Struct, frozen=True):
    """Something that a seat says, with all names in full."""

    verb: str
    declaration: Declaration
    dice: tuple[int | None, ...] | None = None
    """Dice that stand in a line."""

    @property
    def line(self) -> str:
        """As it is typed, without the name of the program."""
        return typed(self.verb, self.declaration).removeprefix("affray ")


def verbs(system: str) -> dict[str, Verb]:
    """The verbs that are actions of a combatant, or end the turn of one, and that a seat can say; those that are used
    often first.
    """
    every = {**systems.load(system).verbs, **systems.COMMON}
    found = [(name, verb) for name, verb in every.items() if verb.role == "turn-end" or _can_be_said(verb)]
    return dict(sorted(found, key=lambda one: (one[1].rank in ("", "seldom"), one[1].role == "turn-end")))


def _can_be_said(verb: Verb) -> bool:
    """Whether it is of a combatant, says who acts, and names no file."""
    if verb.by != "combatant":
        return False
    fields = shapes(systems.procedure(verb)[1])
    files = (*FILES, "sheet", "encounter")
    return any(field.name == _WHO for field, _ in fields) and not any(shape.word in files for _, shape in fields)


def form(name: str, verb: Verb, system: str) -> dict[str, Any]:
    """A verb as a page makes a form of it, without the fields that name files of the machine."""
    fields = fields_of(systems.procedure(verb)[1], system)
    found = [one for one in fields if one.shape.word not in FILES and one.name not in _PAGES]
    arguments = {field.name for field in found if not field.option}
    encounters = {field.name for field in found if field.shape.word == "encounter"}
    front = {*arguments, *encounters, _TARGET, *(_WHERE if arguments <= {_WHO} else ())}
    return {
        "verb": name,
        "summary": verb.summary,
        "by": verb.by,
        "often": verb.rank in ("often", "listed", "begun"),
        "past": bool(verb.past),
        "fields": [_drawn(field, field.name in front) for field in found],
    }


def _drawn(field: Field, front: bool) -> dict[str, Any]:
    return {
        "name": field.name,
        "kind": "encounter" if field.shape.word == "encounter" else field.kind,
        "front": front,
        "people": field.people,
        "option": field.option,
        "required": field.required,
        "many": field.shape.many or field.many,
        "again": field.kind == "blows" or (field.shape.many and not field.people),
        "free": field.kind in UNLISTED or (field.is_open and field.shape.word != "encounter"),
        "apart": field.option and is_repeated(field.shape),
        "choices": [*(field.shape.choices or (field.shape.inner or field.shape).choices)],
        "offers": [*field.shape.offers, *([ALL] if field.shape.takes_all else [])],
        "help": field.shape.description,
    }


def words_of_form(table: Table, verb: str, fields: Said) -> list[str]:
    """The words of a line that says what a form does. Raises UsageError for a verb or a field that there is not,
    and for a word that is left out before others.
    """
    known = table.form(verb) if verb in table.verbs else ()
    if not known and verb not in table.verbs:
        raise UsageError(f"There is no verb {verb[:40]!r}.")
    if unknown := fields.keys() - {field.name for field in known}:
        raise UsageError(f"{verb} has no field {min(unknown)[:40]!r}.")
    arguments = [field for field in known if not field.option]
    last = max((nth for nth, field in enumerate(arguments) if field.name in fields), default=0)
    for field in arguments[:last]:
        if field.required and field.name not in fields:  # what follows would be taken for it
            raise UsageError(f"Say also: {field.name.replace('_', ' ').strip()}.")
    return Reading(0, verb, fields).line(known)


def words_of_line(line: str) -> list[str]:
    """The words of a line that is typed on a page. Raises UsageError for one that nobody can read."""
    if len(line) > LONGEST or not line.isprintable():
        raise UsageError(f"A line has at most {LONGEST} characters, all of which can be printed.")
    return words_of(line)


@contextmanager
def _reckoning() -> Iterator[None]:
    """Raises UsageError for whatever the rules find in a twin: it is no fight that was fought, and may be what cannot
    be.
    """
    try:
        yield
    except AffrayError:
        raise
    except Exception:
        raise UsageError(ASK_GM) from None


@_reckoning()
def said(known: State, seat: Seat, now: Sequence[str], verb: str, fields: Said) -> Saying:
    """What a seat says with a form. `known` is the twin of the state, and `now` are those of the seat who may act, as
    its page shows them. Raises UsageError and NameUnknown when it cannot be said.
    """
    _kind(known.campaign.system, verb)
    return _read(known, seat, now, words_of_form(Table(known), verb, fields))


@_reckoning()
def typed_line(known: State, seat: Seat, now: Sequence[str], line: str) -> Saying:
    """What a seat says with a line, as it is typed at the prompt. Raises as `said` does; the hint has what the seat may
    have meant.
    """
    words = words_of_line(line)
    try:
        return _read(known, seat, now, words)
    except (UsageError, NameUnknown) as error:
        error.offers = [*_offered(known, seat, now, words, error)]
        error.hint = "\n".join(one.line for one in error.offers) or error.hint
        raise


def _offered(
    known: State, seat: Seat, now: Sequence[str], words: Sequence[str], error: AffrayError
) -> "Iterator[Offer]":
    """What is offered for a line that failed, as far as the seat may say it."""
    from commands.words.next_steps import next_steps

    with suppress(Exception):  # the twin is no fight that was fought: the rules may find what cannot be
        for one in next_steps(Table(known), words, error) if words else ():
            with suppress(AffrayError):
                if one.kind != "advice":
                    _read(known, seat, now, words_of(one.line))
                yield one


def _read(known: State, seat: Seat, now: Sequence[str], words: Sequence[str]) -> Saying:
    if not all(word.isprintable() for word in words):
        raise UsageError("That holds characters that cannot be printed.")
    system = known.campaign.system
    name = systems.begun(words[0], verbs(system)) if words else ""
    _kind(system, name)
    order = order_of([name, *words[1:]], system)
    if order.allow or order.once or order.secret or order.spare or order.dry_run or order.ask or order.owners:
        raise UsageError("Only the game master can say that.")
    return Saying(name, named(known, seat, now, name, order.declaration), order.dice)


def _kind(system: str, verb: str) -> type[Declaration]:
    """The declaration of a verb. Raises UsageError when it is none that a seat can say."""
    found = verbs(system).get(verb)
    if found is None:
        raise UsageError("No action of a combatant is called so.")
    return systems.procedure(found)[1]


def named_in(fields: Mapping[str, object]) -> tuple[str, ...]:
    """Those who act, as the fields of a declaration name them."""
    who = fields.get(_WHO, "")
    return _words(tuple(who) if isinstance(who, list) else who)


def may_act(state: State, seat: Seat, verb: str, fields: Mapping[str, object]) -> bool:
    """Whether those who act by a declaration are played from a seat, or the turn that it ends is theirs."""
    if systems.find_verb(state.campaign.system, verb).role == "turn-end":
        who = state.turns.who
        seats = rulebook.of(state.campaign.system).board.seats(View(state))
        return who == seat.name if who in seats else bool(who) and played(state, seat, who)
    return all(played(state, seat, one) for one in named_in(fields))


def named(known: State, seat: Seat, now: Sequence[str], verb: str, declaration: Declaration) -> Declaration:
    """The declaration with all names in full; `.` and `@due` are of the seat. Raises NameUnknown when somebody is named
    who is not known to be there, UsageError when somebody acts who is not played from the seat.
    """
    changes: dict[str, object] = {}
    for field, shape in shapes(type(declaration)):
        if shape.word in (*PEOPLE, *_GROUPS):
            told = getattr(declaration, field.name)
            meant = [one for word in _words(told) for one in _meant(word, now)]
            if isinstance(told, tuple):
                changes[field.name] = tuple(meant)
            elif meant[1:]:
                raise NameUnknown(f"{told[:_LONGEST_NAME]!r} could be {', '.join(meant)}.", "Type the name.")
            elif meant:
                changes[field.name] = meant[0]
    full = resolve_names(known, replace(declaration, **changes))
    fields = structs.asdict(full)
    ends_turn = systems.find_verb(known.campaign.system, verb).role == "turn-end"
    if not ends_turn and not named_in(fields):
        raise UsageError("Say who acts.")
    if not may_act(known, seat, verb, fields):
        yours = f"{seat.name} plays {', '.join(seat.plays)}, and nobody else."
        raise UsageError(f"It is not {whose(seat.name)} turn." if ends_turn else yours)
    return full


def _meant(word: str, now: Sequence[str]) -> Sequence[str]:
    """The names that a word stands for; a word that only the table's names explain stays as it is."""
    if len(word) > _LONGEST_NAME:
        raise NameUnknown("Nobody at the table is called so.")
    if word not in (TURN, f"@{DUE}"):
        return [word]
    if not now:
        raise NameUnknown(f"{word!r} is the one who may act now, and none of yours may.", "Type a name.")
    return now


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, tuple) else ()


def played(state: State, seat: Seat, name: str) -> bool:
    """Whether a name is of somebody who is played from a seat, or of a group in which nobody else is."""
    if name in state.roster.members:
        return name in seat.plays
    members: list[str] = []
    with suppress(NameUnknown):
        members = [*find_all(state, (name,))] if name.startswith("@") else []
    members = members or rulebook.of(state.campaign.system).board.stand_for(View(state), name)
    return bool(members) and all(who in seat.plays for who in members)


def is_hers(declaration: Declaration) -> bool:
    """Whether a trusted seat may say all of it by itself: no number, and no word that is the game master's."""
    for field, shape in shapes(type(declaration)):
        number = (shape.inner or shape).base is int and shape.word != "square"
        hers = field.name in _HERS or shape.players or (field.required and not number)
        if not hers and getattr(declaration, field.name) != field.default:
            return False
    return True
