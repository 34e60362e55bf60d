"""Recorded verbs: turns the words of a command line into an order."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from commands.action import systems
from commands.action.book import Order
from commands.action.declaration import Declaration, shapes
from ledger.errors import AffrayError, UsageError

from .dice_words import Hand, by_default, owners_of, read_dice
from .options import brief_option, option
from .parameters import Complete, Spoken, declared, parameters, plain, spoken


def recorded_command(
    system: str, name: str, complete: Complete, carry_out: Callable[[Order, bool, bool], None]
) -> Spoken:
    """A recorded verb as the command line takes it. `carry_out` gets the order, and whether --json and --brief were
    said.
    """
    verb = systems.find_verb(system, name)
    _, declaration = systems.procedure(verb)

    def order(values: dict[str, Any]) -> Order:
        dice, allow, once, dry_run, secret, spare = (
            values.pop(word) for word in ("_dice", "_allow", "_once", "_dry_run", "_secret", "_spare")
        )
        dice, owners = owners_of(dice)
        faces, ask = read_dice(dice)
        return Order(
            verb=name,
            declaration=declared(declaration, values, system),
            dice=faces,
            owners=owners,
            ask=ask,
            side=ask.side if ask else "",
            option=Hand() if by_default(dice) else None,
            allow=plain(allow),
            once=plain(once),
            dry_run=dry_run,
            secret=secret,
            spare=spare,
        )

    def callback(**values: Any) -> None:
        json, brief = values.pop("_json"), values.pop("_brief")
        files = _files(declaration, values)
        try:
            carry_out(order(values), json, brief)
        except AffrayError as error:
            said = error.at and (error.sheet >= 0 or (files["encounter"] and not values.get(str(error.at[0]))))
            if error.row or said:
                from .encounter_files import located

                located(error, files, system)
            raise

    shared = [
        option(
            "--dice",
            "_dice",
            by="referee",
            metavar="FACES|ask|roll",
            help="Dice thrown by hand, such as 14,-,6, in the order needed; the program rolls each dash. Behind the "
            "action = 14 6 is the same. sigrun:6,grum:13 says whose they are; ask:SIDE asks for those of one side.",
        ),
        option(
            "--spare",
            "_spare",
            is_flag=True,
            shared=True,
            help="Set typed dice aside that this could not have needed.",
        ),
        option(
            "--allow",
            "_allow",
            metavar="REASON",
            by="referee",
            shared=True,
            help="Allow what a rule refuses; the reason is recorded.",
        ),
        option("--dry-run", "_dry_run", is_flag=True, shared=True, help="Show what would happen; record nothing."),
        option(
            "--secret",
            "_secret",
            is_flag=True,
            by="referee",
            shared=True,
            help="Hide it from the players, until `affray reveal` opens it.",
        ),
        option("--once", "_once", metavar="ID", shared=True, help="Record this command only once under this id."),
        brief_option(),
    ]
    made = spoken(name, declaration, [*parameters(declaration, complete), *shared], callback)
    made.order, made.card = order, verb
    made.system = "" if name in systems.COMMON else system
    return made


def _files(declaration: type[Declaration], values: dict[str, Any]) -> dict[str, list[str]]:
    """The words that name files with stat blocks, prepared encounters and the party, by the kind of word."""
    files: dict[str, list[str]] = {"sheet": [], "encounter": [], "party": []}
    for field, shape in shapes(declaration):
        if shape.word in files:
            words = values[field.name]
            files[shape.word] += (words,) if isinstance(words, str) else words or ()
    return files


def whole_verb(word: str, system: str) -> str:
    """The recorded verb that a word stands for, as a beginning of it if need be; else the word. Raises UsageError when
    it could be several.
    """
    loaded = systems.load(system)
    verbs = {**systems.COMMON, **loaded.verbs}
    return word if word in verbs or word in loaded.elsewhere else systems.begun(word, verbs.items()) or word


def order_of(words: Sequence[str], system: str) -> Order:
    """The order for the words of another command, without carrying it out. Raises UsageError unless it is a recorded
    verb that does not open a ledger.
    """
    loaded = systems.load(system)
    said = systems.verb_of(words, systems.COMMON) if words else ""
    name = whole_verb(said, system) if words else ""
    if name in loaded.elsewhere:
        raise systems.elsewhere(system, name)
    if name == "init" or name not in {**systems.COMMON, **loaded.verbs}:
        raise UsageError(f"{' '.join(words)[:40]!r} is not an action that can be recorded.", "affray --help")
    command = recorded_command(system, name, lambda *_: [], lambda *_: None)
    root = click.get_current_context().find_root()
    values = command.make_context(name, list(words[1 if said == words[0] else 2 :]), parent=root).params
    del values["_json"], values["_brief"]
    assert command.order
    return command.order(values)
