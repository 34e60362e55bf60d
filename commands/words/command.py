"""An order from the words of a line."""

from collections.abc import Sequence

from commands.action import systems
from commands.action.book import Order
from ledger.errors import UsageError

from .orders import asks_for_help, order_from, read
from .parameters import FindFile


def whole_verb(word: str, system: str) -> str:
    """The recorded verb that a word stands for, as a beginning of it if need be; else the word. Raises UsageError when
    it could be several.
    """
    loaded = systems.load(system)
    return word if word in loaded.elsewhere else systems.begun(word, {**systems.COMMON, **loaded.verbs}) or word


def order_of(words: Sequence[str], system: str, file: FindFile | None = None) -> Order:
    """The order for the words of another command, without carrying it out. Raises UsageError unless it is a recorded
    verb that does not open a ledger.
    """
    loaded = systems.load(system)
    said = systems.verb_of(words, systems.COMMON) if words else ""
    name = whole_verb(said, system) if words else ""
    if name in loaded.elsewhere:
        raise systems.elsewhere(system, name)
    verbs = {**systems.COMMON, **loaded.verbs}
    if name == "init" or name not in verbs:
        from commands.action.spelling import no_verb

        hint = no_verb(said, verbs).hint if said[4:] else "affray --help"  # a short word may be that of a tool: show
        raise UsageError(f"{' '.join(words)[:40]!r} is not an action that can be recorded.", hint)
    declaration = systems.procedure(systems.find_verb(system, name))[1]
    rest = words[1 if said == words[0] else 2 :]
    if asks_for_help(rest):
        raise UsageError("Say what is to be done.", f"affray {name} --help")
    values = read(name, declaration, rest)
    del values["_json"], values["_brief"]
    return order_from(name, declaration, values, system, file)
