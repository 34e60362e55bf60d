"""What can be said now: a verb is a form, each field has a kind, and `Table.words` says what may stand in a closed
field, given what is filled already. Grammars read the others: numbers, squares, dice; open fields take any words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from commands.action import rulebook, systems
from commands.action.cards import Verb
from commands.action.declaration import PEOPLE, Declaration, Shape, shapes
from commands.action.names import acting
from ledger.events import Revealed, Stirred
from ledger.store import Store
from projections.changes import values
from projections.state import State

from .parameters import is_option, spelled, takes_many

_THINGS = ("with_", "off_hand", "item", "weapon", "spell", "prayer", "object", "wound")
"""Fields that take a word of a stat block, or a thing that lies about."""
_GROUPS = ("group", "groups")
_OPEN = ("text", "rest", "words", "places", "scores", "toml", "table", "party")
"""Words of types whose values are nobody's to guess."""
UNLISTED = ("thing", "skill", "harm", "group", "hidden")
"""Kinds of which the rules may know more words than a list holds: one may stand in its own place as it is."""
NUMBER, SQUARE, DICE, FLAG, OPEN = "number", "square", "dice", "flag", "open"
"""The kinds that no list is made for."""
_LATEST = 200
"""In how many of the last entries secret ones are sought."""
_HOW_FAR = ("feet", "squares", "distance")
"""What a number without a unit says first."""
GRAMMARS = {
    NUMBER: re.compile(r"[+-]?\d{1,7}"),
    SQUARE: re.compile(r"-?\d+,-?\d+(,-?\d+)?(/-?\d+,-?\d+(,-?\d+)?)*"),
    DICE: re.compile(r"(\d*d\d+([+-]\d+)?)([+-]\d*d\d+)*", re.IGNORECASE),
}
"""How what no list holds is written."""


class Field(NamedTuple):
    """A field of a form."""

    name: str
    shape: Shape
    kind: str
    option: bool
    required: bool
    many: bool
    """Whether it takes all words that are left."""
    default: Any
    hint: Any
    """Its type, as the declaration has it."""

    @property
    def people(self) -> bool:
        """Whether it names those at the table."""
        return self.kind in (*PEOPLE, *_GROUPS)

    @property
    def listed(self) -> list[str]:
        """The words that are listed with it, at whatever moment."""
        shape = self.shape
        return [str(one) for one in shape.choices or (shape.inner or shape).choices or shape.offers]

    @property
    def called(self) -> set[str]:
        """Its names without dashes, each in the singular too."""
        names = {spelled(self.name), *self.shape.also}
        return {*names, *(name.removesuffix("s") for name in names)}

    def is_unit(self, word: str) -> bool:
        """Whether a word is what its number counts: one of its name or explanation, or short for these."""
        about = " ".join((*self.called, self.shape.description.casefold()))
        if len(word) > 3 or word in about.split():
            return word.removesuffix("s") in (one.removesuffix("s") for one in re.findall(r"\w+", about))
        return bool(word[1:] and re.search(r"\b" + "[a-z]* ?[a-z]*?".join(map(re.escape, word)), about))

    @property
    def is_open(self) -> bool:
        """Whether no list says what may stand there."""
        return self.kind in (OPEN, *GRAMMARS)

    @property
    def typed(self) -> str:
        """The option as it is typed."""
        return f"--{'no-' if self.kind == FLAG and self.default else ''}{spelled(self.name)}"


def is_alone(form: Sequence[Field], field: Field) -> bool:
    """Whether a number without a unit may be that of an option: it says how far, or is the only one of the verb."""
    return field.name in _HOW_FAR or [field] == [one for one in form if one.option and one.kind == NUMBER]


@cache
def has(system: str, what: str) -> bool:
    """Whether a rule system has what a field is about; any has where nothing special is, or it is not known."""
    gm = rulebook.of(system).gm if system and what else None
    return gm is None or what in (*systems.stat_block(system).__struct_fields__, *gm.fields, *vars(gm))


@cache
def fields_of(declaration: type[Declaration], system: str = "") -> tuple[Field, ...]:
    """The form of a verb: its arguments in order, then its options, without those that a system has nothing for."""
    found = [
        Field(
            field.name,
            shape,
            _kind_of(field.name, shape),
            is_option(field, shape),
            field.required,
            not is_option(field, shape) and takes_many(declaration, field.name, shape),
            None if field.default is msgspec.NODEFAULT else field.default,
            field.type,
        )
        for field, shape in shapes(declaration)
        if has(system, shape.of)
    ]
    return (*(one for one in found if not one.option), *(one for one in found if one.option))


def _kind_of(name: str, shape: Shape) -> str:
    """The kind of a field: what is chosen, a grammar, what it names, or `open`."""
    inner = shape.inner or shape
    if shape.choices or inner.choices:
        return "choice"
    if shape.base is bool:
        return FLAG
    if shape.word in (*PEOPLE, *_GROUPS, SQUARE):
        return shape.word
    if inner.base is int:
        return NUMBER
    if name in _THINGS:
        return "thing"
    if name == "dice":
        return DICE
    if shape.word in _OPEN or inner.base is dict or not (shape.word or name in _BY_NAME):
        return "sheet" if shape.word == "sheet" else OPEN
    return _BY_NAME.get(name, shape.word) if not shape.word else shape.word


_BY_NAME = {"skill": "skill", "against_skill": "skill", "field": "setting", "kind": "harm"}
"""Fields whose kind only their name says."""


class Table:
    """What may stand in closed fields at one moment of a fight."""

    def __init__(self, state: State, tools: Mapping[str, Verb] | None = None, store: Store | None = None) -> None:
        self.state, self.tools, self.store = state, tools or {}, store
        self.system = state.campaign.system

    @cached_property
    def verbs(self) -> dict[str, Verb]:
        """The verbs that can be said, with their cards: those that record something, and the tools that there are."""
        return {**systems.COMMON, **systems.load(self.system).verbs, **self.tools}

    @cached_property
    def acting(self) -> list[str]:
        """Who may act now."""
        return acting(self.state)

    def form(self, verb: str) -> tuple[Field, ...]:
        """The fields of a verb."""
        return fields_of(systems.procedure(self.verbs[verb])[1], self.system)

    def aims_at(self, verb: str, who: str, other: str) -> bool:
        """Whether somebody may be meant whom nobody named: one who stands, a foe, or a friend where a verb helps."""
        members = self.state.roster.members
        if who not in members or other not in members:
            return False
        helps = self.verbs[verb].role == "helps"
        return self.state.stands(other) and (members[who].side == members[other].side) is helps

    def words(self, field: Field, given: Mapping[str, Sequence[str]]) -> list[str]:
        """What may stand in a closed field, likeliest first; nothing for a field that a grammar reads, or that is
        open. `given` holds the words of the fields that are filled, with names in full.
        """
        if field.many and field.kind == OPEN and given.get("verb"):
            return self._behind(given["verb"][0], given)
        if field.kind in ("choice", OPEN):
            return field.listed
        return self.of_kind(field.kind, "" if field.name == "who" else next(iter(given.get("who", ())), ""))

    def _behind(self, verb: str, given: Mapping[str, Sequence[str]]) -> list[str]:
        """What may stand behind a verb that somebody declares: what its first argument takes."""
        form = self.form(verb) if verb in self.verbs else ()
        first = [field for field in form if not field.option and field.name != "who"][:1]
        return [word for field in first if field.kind != "thing" for word in self.words(field, {**given, "verb": ()})]

    def by_kind(self, verbs: Iterable[str], who: str) -> dict[str, list[str]]:
        """What may stand in the closed fields of some verbs, by their kinds, once it is said who acts."""
        kinds = sorted({field.kind for verb in verbs for field in self.form(verb)})
        return {kind: found for kind in kinds if (found := self.of_kind(kind, who))}

    def of_kind(self, kind: str, who: str = "") -> list[str]:
        """What may stand in a closed field of a kind, once it is said who acts; "" where this is it, or nobody does."""
        if kind in _WHOEVER:
            return list(dict.fromkeys(_WHOEVER[kind](self)))
        found = getattr(self, f"_{kind}", None)
        return list(dict.fromkeys(found(who) if found else ()))

    def _fighter(self, who: str) -> list[str]:
        order, members = self.state.roster.order, self.state.roster.members
        if who not in members:
            return [*self.acting, *order]
        others = [one for one in order if one != who]
        standing = [one for one in others if self.state.stands(one)]
        return [*(one for one in standing if members[one].side != members[who].side), *standing, *others, who]

    def _fighters(self, who: str) -> list[str]:
        return [*self._fighter(who), *(f"@{side}" for side in self.state.roster.sides())]

    _blows, _shown = _fighters, _fighter

    def _group(self, who: str) -> list[str]:
        return [*self.state.roster.sides(), *self._fighter(who)]

    _groups = _group

    def _thing(self, who: str) -> list[str]:
        held = self.state.gear.equipped.get(who, ())
        names = [who] if who in self.state.roster.members else self.state.roster.order
        carried = [text for name in names for _, text in self.held(name)]
        every = [*held, *carried, *(one.item for one in self.state.lying.items)]
        return [one for one in every if one not in self.state.roster.members]

    _item = _spell = _thing

    def _skill(self, who: str) -> list[str]:
        known, members = rulebook.of(self.system).sheet.skills, self.state.roster.members
        sheet = msgspec.json.decode(members[who].sheet) if who in members else {}
        return [*(sheet.get("skills") or sheet.get("skill") or ()), *(known(self.state) if known else ())]

    def held(self, who: str) -> Iterator[tuple[str, str]]:
        """What stands in the stat block of somebody, each with its table, such as `spells`: the names in its lists, and
        those of its tables of tables.
        """
        for table, value in msgspec.json.decode(self.state.roster.members[who].sheet).items():
            for name in value if isinstance(value, list | dict) else ():
                text = name.get("name", name.get("id", "")) if isinstance(name, dict) else name
                if isinstance(text, str) and (isinstance(value, list) or isinstance(value[text], dict)):
                    yield table, text
                    if ":" in text:  # `tome:firebolt`
                        yield text.partition(":")[0], text.partition(":")[2]


def _shipped(kind: str, system: str) -> Iterable[str]:
    from .sheet_files import example_files

    return example_files(kind, system)


def standing(store: Store, most: int) -> list[int]:
    """The last entries that stand, the newest first."""
    course = (entry for first, last in store.course(store.head().entry) for entry in range(last, first - 1, -1))
    return [*islice(course, most)]


def _hidden(table: Table) -> Iterator[str]:
    """What can be opened to the players: secret entries, the newest first, true names, and dice of past epochs."""
    from commands.action.book import events_of
    from ledger.chain import SECRET, sealed

    yield from (who for who, member in table.state.roster.members.items() if member.truly)
    if store := table.store:
        said = [event for nth in store.lasting(0) for event in events_of(store.entry(nth))]
        latest = {*standing(store, _LATEST)} - {event.entry for event in said if isinstance(event, Revealed)}
        found = store.entries(min(latest, default=1), max(latest, default=0))
        secret = [entry.entry for entry, _ in found if entry.entry in latest and sealed(entry.bodies) == SECRET]
        yield from (f"e{entry}" for entry in reversed(secret))
        yield from ["dice"] * any(isinstance(event, Stirred) for event in said)


_WHOEVER: dict[str, Callable[[Table], Iterable[str]]] = {
    "hidden": _hidden,
    "setting": lambda table: rulebook.of(table.system).gm.fields,
    "harm": lambda table: rulebook.of(table.system).gm.kinds(table.state),
    "verb": lambda table: table.verbs,
    "area": lambda table: table.state.areas.names,
    "option": lambda table: systems.load(table.system).options,
    "value": lambda table: values(table.state),
    "disputed": lambda table: [f"e{case.entry}" for case in table.state.disputes.open],
    "table-name": lambda table: systems.load(table.system).tables,
    "sheet": lambda table: _shipped("sheets", table.system),
    "encounter": lambda table: _shipped("encounters", table.system),
}
"""What may stand in a field of each kind for which it is all the same who acts."""
