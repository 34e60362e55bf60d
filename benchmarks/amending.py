"""`affray amend` of an entry after which many others stand: worked out, and appended.

python benchmarks/amending.py [--entries N] [--events N] [--system NAME]
"""

import argparse
import gc
import shutil
import tempfile
import time

import big
from report import Row, show

from commands.action.book import Book, Order
from commands.action.dice_sources import Dice, program
from commands.past.amend_proposal import Amendment, Inserted, propose, record
from commands.past.audit import audit
from commands.past.course import standing, tip
from commands.past.lacking_dice import Fresh, Spoken
from commands.past.undo import Undo
from ledger.sqlite import SqliteStore


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000)
    parser.add_argument("--events", type=int, default=12_000)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(big.ledger(said.events, system), f"{folder}/amended.affray")
        book = Book(SqliteStore.open(path))
        gc.disable()  # as every command does
        began = time.perf_counter()
        found = audit(book)
        verified = (time.perf_counter() - began) / found.entries
        head, _ = book.present()
        entry = standing(book.store, tip(book.store, head.entry))[-said.entries]
        put_in = Inserted("note", {"text": "It was raining."})
        began = time.perf_counter()
        proposal = propose(book, head, Amendment(entry, insert=(put_in,)), Fresh(Spoken(), Dice(faces=())))
        proposed = time.perf_counter() - began
        began = time.perf_counter()
        fresh = Fresh(Spoken(), Dice(program(book.store, head)))
        record(book, proposal, Order("amend", Undo()), lambda: propose(book, head, proposal.amendment, fresh))
        recorded = time.perf_counter() - began
        audit(book)
        show(
            f"{system}: amend e{entry} of {head.entry:,}: {len(proposal.results):,} entries resolved again",
            [
                Row("worked out", f"{proposed * 1000:.0f} ms"),
                Row("an entry worked out, over an entry verified", f"{proposed / said.entries / verified:.2f}"),
                Row("resolved again and appended", f"{recorded * 1000:.0f} ms"),
            ],
        )


if __name__ == "__main__":
    main()
