"""What-if: all fights of some ledgers, resolved again under another house rule with the same dice."""

import gc
from collections.abc import Iterator
from itertools import groupby
from typing import Annotated

from commands.action.declaration import Declaration, says
from commands.past.processes import cores, shared
from commands.words.console import Console
from commands.words.discovery import each_ledger, find_ledger, is_address
from commands.words.parameters import read_table
from commands.words.progress import watched
from commands.words.rule_systems import check_system
from ledger.errors import UsageError

from .house_rule import Wanted
from .tasks import Answered, Task, Worker
from .telling import Report

_MOST_JOBS = 256
_LONG = 4
"""Tasks of one ledger from which on other processes are worth their start."""


class WhatIf(Declaration):
    """Try a house rule on fights of the past: resolve every fight of some ledgers again under it, with the same dice,
    and tell what differs. Without a ledger, it takes the one here. Nothing is recorded.
    """

    ledgers: Annotated[
        tuple[str, ...],
        says("Ledgers: files, folders, campaigns of a database, or a whole database by its address.", positional=True),
    ] = ()
    option: Annotated[
        dict[str, str], says("An option of the rules and its value; `affray rules options` lists them.")
    ] = {}
    table: Annotated[dict[str, str], says("A table from a file of your own: fumble=my.toml.")] = {}
    system: Annotated[str, says("Only the ledgers of this rule system.", word="system")] = ""
    jobs: Annotated[int, says("How many processes share the work; by default one per core.", ge=0, le=_MOST_JOBS)] = 0
    full: Annotated[bool, says("Show every value that differs at the end, such as places.")] = False


def what_if(console: Console, said: WhatIf) -> None:
    """Resolves the fights again, and tells what differs. Raises the last failure, with the code of the worst one."""
    if not (said.option or said.table):
        raise UsageError("No house rule is named.", "Name one: --option NAME=VALUE.\naffray what-if --help")
    if said.system:
        check_system(console, said.system)
    wanted = Wanted(said.option, {name: read_table(path) for name, path in said.table.items()}, said.system)
    paths = list(each_ledger(said.ledgers or (_here(console),)))
    with Report(console, wanted, said.full) as report:
        for answer in answers(wanted, paths, said.jobs or cores()):
            if console.interrupted:  # reading a ledger turned it into another error
                raise KeyboardInterrupt
            report.take(answer)
        report.show()


def _here(console: Console) -> str:
    """The ledger of this command: that of the script or the prompt, or the one that is found."""
    if console.opened and not is_address(console.opened.store.path):
        return console.opened.store.path
    return find_ledger(console.ledger)


def answers(wanted: Wanted, paths: list[str], jobs: int) -> Iterator[Answered]:
    """The answers about some ledgers, in their order. Somebody at a terminal sees how far they are."""
    worker, was = Worker(wanted), gc.isenabled()
    gc.enable()  # an action refers to itself; without this, the memory would grow with every entry
    try:
        if len(paths) == 1:
            first, tasks = worker(Task(paths[0]))
            yield first
            yield from watched(shared(worker, tasks, jobs, len(tasks) >= _LONG), len(tasks), "what-if")
            return
        several = groupby(shared(worker, map(Task, paths), jobs), lambda answer: answer.path)
        for _, some in watched(several, len(paths), "what-if"):
            yield from some
    finally:
        worker.close()
        if not was:
            gc.disable()
