"""Names: finds whom the typed words mean."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from ledger.errors import AffrayError, NameUnknown, UsageError
from projections.state import State

from . import systems
from .declaration import PEOPLE, Declaration, is_entry, shapes
from .spelling import bare, nearest
from .view import View

_LONGEST = 40
"""Characters that a name may have."""
TURN = "."
"""Stands for the one who has the turn."""
ALL, DUE = "all", "due"
"""Words after @ that name everybody, and those who may act now."""
_PARTY, _FOES = "party", "foes"
"""Words after @ that name the players' sides and all others, where no side is called so."""


SEATS = "seats"
"""In place of a side, as in `--dice ask:seats`: everybody who is played from a seat, whose phone is asked."""


class SeveralNamed(NameUnknown):
    """A word names several where one is meant."""

    def __init__(self, word: str, means: str) -> None:
        super().__init__(f"{shortened(word)} {means}; only one can be named here.", "Type a name.")
        self.word = word


class Absent(NameUnknown):
    """A word names nobody at the table."""


_MEANINGS = {ALL: "all of them", "none": "none of them", "dice": "the dice"}
"""What a word means in place of a combatant, as in `--leave all`, `--opportune none` and `reveal dice`."""


def shortened(word: str) -> str:
    """A word that was typed, in quotes, without the end of a very long one."""
    return repr(word if len(word) <= _LONGEST else word[:_LONGEST] + "...")


def one_word(name: str) -> str:
    """A name as one word to type: `Hooded stranger` is Hooded-stranger."""
    return "-".join(name.split())


def proper(name: str) -> str:
    """The name, as one word in composed form, if it is allowed: letters, digits, hyphens, underscores and apostrophes.

    Raises UsageError for any other: every name must be harmless on a terminal.
    """
    composed = _composed(one_word(name))
    if not composed or len(composed) > _LONGEST:
        raise UsageError(f"A name has 1 to {_LONGEST} characters, not {len(composed)}.")
    if not composed[0].isalnum() or not all(sign.isalnum() or sign in "-_'" for sign in composed):
        signs = "letters, digits, hyphens, underscores and apostrophes"
        raise UsageError(f"{name!r} cannot be a name: it may hold {signs}, and begins with a letter or a digit.")
    return composed


def proper_fighter(name: str) -> str:
    """The name of a combatant, if it is allowed. Raises UsageError also for a word that means something else where a
    combatant can be named.
    """
    check_meaning(name)
    return proper(name)


def check_meaning(name: str) -> None:
    """Raises UsageError for the id of an entry, and for a word that stands for something else than one combatant."""
    word = name.casefold()
    means = "an entry" if is_entry(word) else _MEANINGS.get(word)
    if means:
        raise UsageError(f"{name!r} cannot name a combatant: in a command it means {means}.", "Choose another name.")


def _composed(word: str) -> str:
    """The word in Unicode's composed form, in which names are kept."""
    if word.isascii():
        return word
    import unicodedata

    return unicodedata.normalize("NFC", word)


def find(state: State, word: str) -> str:
    """The one at the table whom a word means, in any case: by the whole name, or the true one; by `.`, which is the
    one who has the turn; by `@...`, if it names only one; by a beginning of the name; by initials, as g1 is
    Grub-1; by a beginning and the number, as gr1 and gr-1 are; by the name without its accents, apostrophes and spaces;
    or by a beginning of any part of it, as ute is Gräfin-Ute. Raises NameUnknown when there is nobody, or several.
    """
    sought = _composed(word).casefold()
    names = state.roster.order
    if sought == TURN:
        return _on_turn(state)
    if sought.startswith("@") and "," not in sought:
        found = [*find_all(state, (word,))]
    else:
        known = {name: (name.casefold(), state.roster.members[name].truly.casefold()) for name in names}
        found = _called(known, sought)
    if len(found) == 1:
        return found[0]
    if found and sought.startswith("@"):
        raise SeveralNamed(word, f"is {', '.join(found)}")
    if "," in sought:
        raise SeveralNamed(word, "names several")
    shown = shortened(word)
    if found:
        raise NameUnknown(f"{shown} could be {', '.join(found)}.", "Type more of the name.")
    at_the_table = ", ".join(names) or "nobody yet (affray join SHEET)"
    hint = _meant(of_stat_block(state, sought) or nearest(sought, names))
    raise Absent(f"Nobody at the table is called {shown}.", f"{hint}At the table: {at_the_table}.")


def _called(known: Mapping[str, Sequence[str]], sought: str) -> list[str]:
    """Those whom a word means by one of their names."""
    if not sought:
        return []
    found = _first(known, sought, str.__eq__, str.startswith, lambda name, word: initials(name) == word, _shortened)
    if not found and sought[0].isalpha():
        found = _by_parts({who: [bare(one) for one in names if one] for who, names in known.items()}, bare(sought))
    return found


def _by_parts(names: Mapping[str, Sequence[str]], sought: str) -> list[str]:
    """Those who are called so when accents are left out; else those whose name begins so; else those of whose name a
    later part does.
    """
    return _first(names, sought, str.__eq__, str.startswith, lambda name, word: f"-{word}" in name)


def _first(names: Mapping[str, Sequence[str]], sought: str, *ways: Callable[[str, str], bool]) -> list[str]:
    """Those one of whose names fits a word in the first way in which any does."""
    for fits in ways:
        if found := [who for who, called in names.items() if any(fits(name, sought) for name in called)]:
            return found
    return []


def initials(name: str) -> str:
    """The first letter of each part of a name, and the number at its end: g1 of grub-1, dw12 of dire-wolf-12, ga of
    ghoul-a; "" of a name of one part without a number.
    """
    stem = name.rstrip("0123456789")
    number, parts = name[len(stem) :], stem.replace("_", "-").split("-")
    return "".join(part[:1] for part in parts) + number if number or parts[1:] else ""


def _shortened(name: str, sought: str) -> bool:
    """Whether a word is a beginning of a name and the number at its end: gr1 or gr-1 of grub-1."""
    begun, stem = sought.rstrip("0123456789"), name.rstrip("0123456789")
    letters = begun.rstrip("-")
    return begun != sought and letters != "" and stem.startswith(letters) and name[len(stem) :] == sought[len(begun) :]


def of_stat_block(state: State, sought: str) -> list[str]:
    """Those at the table who came with a stat block of the rules that is called so, as Aldric came with `fighter`."""
    import tomllib

    if not sought or not all(sign.isalnum() or sign == "-" for sign in sought):
        return []
    try:
        name = tomllib.loads(systems.data(state.campaign.system, f"sheets/{sought}.toml").decode()).get("name", "")
    except (OSError, AffrayError, ValueError):
        return []
    return [who for who in state.roster.order if name and who.rstrip("0123456789").rstrip("-") == name]


def _meant(names: Iterable[str]) -> str:
    """A line that offers names; "" when there are none."""
    offered = " or ".join(names)
    return f"Did you mean {offered}?\n" if offered else ""


def _on_turn(state: State) -> str:
    """The one who has the turn. Raises NameUnknown with the candidates when there is nobody, or several."""
    found = acting(state)
    if len(found) == 1:
        return found[0]
    if found:
        raise NameUnknown(f"'.' could be {', '.join(found)}: each of them may act now.", "Type the name.")
    raise NameUnknown("'.' is the one who has the turn, and nobody has it now.", "Type a name.")


def acting(state: State) -> list[str]:
    """Who may act now, as the board of the rule system says. By a system that does not say it, the one whose turn is
    under way, or those who may answer an open window.
    """
    from . import rulebook

    return rulebook.of(state.campaign.system).board.acting(View(state))


def check_free(state: State, name: str, but: str = "", hint: str = "") -> None:
    """Raises UsageError when somebody bears a name, or it is the true name of somebody; `but` is left out of it."""
    for who, member in state.roster.members.items():
        if who != but and name.casefold() in (who.casefold(), member.truly.casefold()):
            raise UsageError(f"{name} is already at the table.", hint)


def find_all(state: State, words: tuple[str, ...], dead: bool = False) -> tuple[str, ...]:
    """Everybody in a list of names and of words with @, each once, in the order named; the `dead` too, once the fight
    is over or nobody else is left. Raises NameUnknown for an unknown one.
    """
    found: list[str] = []
    for word in words:
        if not word.startswith("@"):
            found.append(find(state, word))
            continue
        living, fallen = group(state, word)
        if dead and not (living and state.encounter.running):
            living = [who for who in state.roster.order if who in (*living, *fallen)]
        if not living:
            raise NameUnknown(f"Everybody is dead whom {word[:_LONGEST]!r} names.", "Type a name.")
        found += living
    return tuple(dict.fromkeys(found))


def group(state: State, word: str) -> tuple[list[str], list[str]]:
    """Those whom a word with @ names, the living and the dead: everybody by `@all`, by `@due` those who may act
    now, a side by its name, the players' sides by `@party` and all others by `@foes`, or all whose names begin so, else
    those of whose names a part does. Raises NameUnknown when there is nobody.
    """
    sought, members = _composed(word[1:]).casefold(), state.roster.members
    if sought == DUE:
        found = acting(state)
        if not found:
            raise NameUnknown("'@due' are those who may act now, and nobody may.", "Type a name.")
        return [who for who in state.roster.order if who in found], []  # also the dead, where a blow is still due
    found = _grouped(state, sought)
    if not found:
        named = ", ".join(f"@{side}" for side in state.roster.sides()) or "none yet"
        near = _meant(nearest(sought, (*state.roster.sides(), *members)))
        raise NameUnknown(f"There is no side {word[:_LONGEST]!r}, and no name begins so.", f"{near}Sides: {named}.")
    dead = [who for who in found if who in state.harm.down and state.harm.down[who].how == "dead"]
    return [who for who in state.roster.order if who in found and who not in dead], dead


def _grouped(state: State, sought: str) -> list[str]:
    """Those whom a word means behind @, living or dead."""
    members = state.roster.members
    if found := [who for who, one in members.items() if sought in (ALL, one.side.casefold())]:
        return found
    if sought in (_PARTY, _FOES) and systems.is_known(state.campaign.system):
        ours = systems.players_sides(state)
        if found := [who for who, one in members.items() if (one.side in ours) is (sought == _PARTY)]:
            return found
    if found := [who for who in members if sought and who.casefold().startswith(sought)]:
        return found
    return _by_parts({who: [bare(who)] for who in members}, bare(sought)) if sought[:1].isalpha() else []


def thrower(state: State, word: str, what: str) -> str:
    """Those who throw their dice by hand, as they are called: a side, a seat, or `seats`; "" for nobody. The players'
    side may be named before anybody joins it, and is also `party`. Raises UsageError, which says `what` cannot be so,
    where a word names none of them.
    """
    sought = _composed(word.removeprefix("@")).casefold()
    if sought in ("", "none"):
        return ""
    ours = systems.players_sides(state)
    known = [*dict.fromkeys([*ours, *state.roster.sides(), *(seat.name for seat in state.seats.taken), SEATS])]
    found = [one for one in known if one.casefold() == sought] or list(ours) * (sought == _PARTY)
    if len(found) != 1:
        raise UsageError(f"{what} cannot be {word[:_LONGEST]!r}.", f"It can be: {', '.join(known)}, none.")
    return found[0]


def proper_side(name: str) -> str:
    """The name of a side, if it is allowed. Raises UsageError for a name that means something else after @."""
    side = proper(name)
    if (low := side.casefold()) in (ALL, DUE):
        raise UsageError(f"{side!r} cannot name a side: @{low} has a meaning of its own.", "Choose another.")
    return side


def pair(words: str, form: str, hint: str = "") -> tuple[str, str]:
    """The two halves of what is said as `form`, such as NAME=N. Raises UsageError when it is not."""
    name, equals, value = words.partition("=")
    if not equals:
        raise UsageError(f"{words[:40]!r} is not of the form {form}.", hint)
    return name, value


def check_once(said: Iterable[tuple[str, str]]) -> None:
    """The values by name. Raises UsageError when one name is given two values."""
    values: dict[str, str] = {}
    for name, value in said:
        if values.setdefault(name, value) != value:
            raise UsageError(f"{name} is given both {values[name][:40]!r} and {value[:40]!r}; give one of them.")


def check_names(state: State, declaration: Declaration) -> None:
    """Raises NameUnknown when a declaration names somebody who is not at the table, by the full name. Of what may be a
    group, and of names within words, the rules say so.
    """
    for field, shape in shapes(type(declaration)):
        said = getattr(declaration, field.name)
        if shape.word in PEOPLE and (said or field.required):
            for who in (said,) if isinstance(said, str) else said:
                if who not in state.roster.members and not (shape.takes_all and who == ALL):
                    raise NameUnknown(f"{who} is not at the table.")


def _as_on_the_roster(state: State, word: str) -> str:
    """Somebody's full name from the roster, from the whole of it with or without accents; any other word unchanged."""
    sought = _composed(word.strip()).casefold()
    names = state.roster.order
    found = [name for name in names if name.casefold() == sought]
    found = found or [name for name in names if bare(name) == bare(sought)]
    return found[0] if len(found) == 1 else word


def without_absent(state: State, said: Declaration, typed: str) -> tuple[Declaration, tuple[str, ...]]:
    """The declaration without the names in its lists that are nobody's at the table, where others in the list are; and
    a line about each. Behind a blank a word is in no list: it may be the next word of the verb, or a weapon, misspelt.
    """
    lines, changes = tuple[str, ...](), dict[str, tuple[str, ...]]()
    for field, shape in shapes(type(said)):
        words = getattr(said, field.name)
        if shape.word in ("fighters", "blows") and words and ",".join(words) in typed:
            changes[field.name], more = present(state, words)
            lines += more
    return replace(said, **changes) if lines else said, lines


def present(state: State, words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A list without the names that are nobody's at the table, and a line about each; the list as it is where that
    leaves nobody.
    """
    absent: dict[str, Absent] = {}
    for word in words:
        try:
            if word[:1] not in ("@", TURN):
                find(state, word)
        except Absent as error:
            absent[word] = error
        except NameUnknown:  # it names somebody, and something else is wrong
            pass
    rest = tuple(word for word in words if word not in absent)
    return (rest, left_out(absent.values())) if rest else (words, ())


def left_out(absent: Iterable[AffrayError]) -> tuple[str, ...]:
    """A line about each word of a list that names nobody."""
    return tuple(f"{error.message.rstrip('.')}: left out." for error in absent)


def lists_with_groups(said: Declaration) -> dict[str, tuple[str, ...]]:
    """The lists of names in a declaration that hold a word with @, by the field."""
    lists = ("fighters", "blows", "groups")
    found = {field.name: getattr(said, field.name) for field, shape in shapes(type(said)) if shape.word in lists}
    return {name: words for name, words in found.items() if any(word.startswith("@") for word in words)}


def _group_named(state: State, word: str) -> tuple[str, ...]:
    """What a word in a list of groups and names means, as far as the roster knows it."""
    return find_all(state, (word,)) if word[:1] in ("@", TURN) else (_as_on_the_roster(state, word),)


def _in_full(state: State, found: re.Match[str]) -> str:
    """What stands before a name within a word, and the full name; that of a side, or of nobody or several, as it is."""
    before, name = found.groups()
    with suppress(NameUnknown):
        name = name if name in state.roster.sides() else find(state, name)
    return before + name


def with_owing(state: State, declaration: Declaration) -> Declaration:
    """The declaration with those in place of `@due` who owe the board what is declared, such as a morale check; one
    that nobody can owe is as it is. Raises NameUnknown where nobody owes it, and where several do and only one can be
    named.
    """
    changes: dict[str, object] = {}
    for field, shape in shapes(type(declaration)):
        said = getattr(declaration, field.name)
        words = (said,) if isinstance(said, str) else said
        if shape.word not in (*PEOPLE, "group", "groups") or f"@{DUE}" not in map(str.casefold, words or ()):
            continue
        if not (verb := _owed(state, type(declaration))):
            return declaration
        from . import rulebook

        due = rulebook.of(state.campaign.system).board.demands(View(state))
        owing = [who for one in due if one.verb == verb for who in one.who]
        if owing[1:] and isinstance(said, str):
            raise NameUnknown(f"{said!r} could be {', '.join(owing)}.", "Type the name.")
        if not owing:
            message = f"'@due' behind {verb} are those for whom it is due, and it is due for nobody."
            raise NameUnknown(message, "Type a name.")
        meant = [one for word in words for one in (owing if word.casefold() == f"@{DUE}" else (word,))]
        changes[field.name] = meant[0] if isinstance(said, str) else tuple(dict.fromkeys(meant))
    return replace(declaration, **changes) if changes else declaration


def _owed(state: State, declared: type[Declaration]) -> str:
    """The verb of a declaration, where somebody can owe it; "" for others."""
    owed = {name: verb for name, verb in systems.load(state.campaign.system).verbs.items() if verb.role == "owed"}
    return next((name for name, verb in owed.items() if systems.procedure(verb)[1] is declared), "")


def resolve_names(state: State, declaration: Declaration) -> Declaration:
    """The declaration with every name written in full, as on the roster."""
    declaration = with_owing(state, declaration)
    changes: dict[str, object] = {}
    for field, shape in shapes(type(declaration)):
        said = getattr(declaration, field.name)
        full: object
        if not said and not (shape.word == "fighter" and field.required):
            continue
        match shape.word:
            case "group" if said[:1] not in ("@", TURN):
                full = _as_on_the_roster(state, said)
            case "fighter" | "group":
                full = find(state, said)
            case _ if shape.takes_all and ALL in map(str.casefold, said):
                full = (ALL,)
            case "fighters":
                full = find_all(state, (said,) if isinstance(said, str) else said, shape.dead)
            case "groups":
                full = tuple(name for word in said for name in _group_named(state, word))
            case "blows":
                full = tuple(name for word in said for name in find_all(state, (word,)))
            case _ if shape.names:
                full = tuple(re.sub(shape.names, partial(_in_full, state), word) for word in said)
            case _:
                continue
        changes[field.name] = full
    return replace(declaration, **changes) if changes else declaration
