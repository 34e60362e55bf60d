"""The live page: from a commit to fifty phones, bytes of a page and of an entry, and an action beside a busy server.

python benchmarks/live.py --affray PATH [--phones 50] [--entries 40] [--strangers 10000]
"""

import argparse
import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import Process
from pathlib import Path
from statistics import median

from report import Row, show

ROOT = Path(__file__).resolve().parents[1]
EVENT = re.compile(rb"event: (\w+)\nid: (\d+)-\w+\ndata: .*\n\n")


class Site:
    """A server."""

    def __init__(self, affray: str, ledger: Path) -> None:
        self.process = subprocess.Popen(
            [affray, "--ledger", str(ledger), "serve", "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        )
        assert self.process.stdout
        self.port = int(json.loads(self.process.stdout.readline())["players"].rstrip("/").rpartition(":")[2])

    def connect(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 10, (source, 0))

    def ask(self, source: str, path: str) -> socket.socket:
        asking = self.connect(source)
        asking.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return asking

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def arrival(phones: Sequence[socket.socket], entry: int, last: Sequence[bytearray]) -> tuple[float, int]:
    """When the last of some phones has an entry, and how many bytes came for each."""
    waiting, came = dict(zip(phones, last, strict=True)), 0
    while waiting:
        ready, _, _ = select.select([*waiting], [], [], 10)
        if not ready:
            raise RuntimeError(f"e{entry} did not reach {len(waiting)} phones")
        for phone in ready:
            piece = phone.recv(1 << 16)
            waiting[phone] += piece
            came += len(piece)
            if any(int(found[2]) >= entry for found in EVENT.finditer(waiting[phone])):
                waiting.pop(phone).clear()
    return time.perf_counter(), came // len(phones)


def head(ledger: Path) -> int:
    with sqlite3.connect(ledger) as db:
        return int(db.execute("SELECT max(entry) FROM entries").fetchone()[0])


def timed(affray: str, ledger: Path, *words: str) -> float:
    began = time.perf_counter()
    subprocess.run([affray, "--ledger", str(ledger), *words], check=True, capture_output=True)
    return time.perf_counter() - began


def strangers(port: int, count: int) -> None:
    """Connections in turn: silent ones, half of a request, garbage, and requests for nothing."""
    os.nice(19)  # it is not the machine of the table that makes them
    held: list[socket.socket] = []
    for nth in range(count):
        try:
            one = socket.create_connection(("127.0.0.1", port), 10, (f"127.0.1.{nth % 250 + 1}", 0))
            held.append(one)
            one.sendall((b"", b"GET / HT", b"\x16\x03\x01\x00" * 50, b"GET /none HTTP/1.1\r\n\r\n")[nth % 4])
        except OSError:
            pass
        if len(held) > 100:
            held.pop(0).close()


def held_back(crowd: Process, how: signal.Signals) -> None:
    """Makes the strangers wait, or go on."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(crowd.pid or 0, how)
    time.sleep(0.05)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--affray", default=shutil.which("affray") or "")
    asked.add_argument("--system", default="")
    asked.add_argument("--phones", type=int, default=50)
    asked.add_argument("--entries", type=int, default=40)
    asked.add_argument("--strangers", type=int, default=10_000)
    said = asked.parse_args()
    sys.path.insert(0, str(ROOT))
    from commands.action.systems import SYSTEMS

    for system in [said.system] if said.system else SYSTEMS:
        with tempfile.TemporaryDirectory() as folder:
            ledger = Path(folder) / "live.affray"
            source = ROOT / "fixtures" / system / "demo.jsonl"
            subprocess.run([said.affray, "import", source, ledger], check=True, capture_output=True)
            show(f"{system}: {said.phones} phones", measured(said, ledger))


def measured(said: argparse.Namespace, ledger: Path) -> list[Row]:
    site = Site(said.affray, ledger)
    phones = [site.ask(f"127.0.0.{nth % 250 + 2}", "/events") for nth in range(said.phones)]
    try:
        buffers = [bytearray() for _ in phones]
        first = head(ledger)
        _, page = arrival(phones, first, buffers)
        seconds, sizes = [], []
        for nth in range(said.entries):
            timed(said.affray, ledger, *(("undo",) if nth % 4 == 3 else ("note", f"the {nth}th thing happens")))
            began = time.perf_counter()
            end, size = arrival(phones, first + nth + 1, buffers)
            seconds.append(end - began)
            sizes.append(size)
        alone, beside = [], []
        crowd = Process(target=strangers, args=(site.port, said.strangers))
        crowd.start()
        while crowd.is_alive() or not beside:
            held_back(crowd, signal.SIGSTOP)
            alone.append(timed(said.affray, ledger, "note", "alone"))
            held_back(crowd, signal.SIGCONT)
            beside.append(timed(said.affray, ledger, "note", "beside"))
        crowd.join()
    finally:
        for phone in phones:
            phone.close()
        site.end()
    return [
        Row("from the end of a command to the last phone, s: median", f"{median(seconds):.3f}", median(seconds), 0.5),
        Row("the slowest", f"{max(seconds):.3f}", max(seconds), 0.5),
        Row("a page after the first, KiB", f"{page / 1024:.1f}", page / 1024, 64),
        Row("an entry, KiB: the longest", f"{max(sizes) / 1024:.1f}", max(sizes) / 1024, 4),
        Row("an action beside a crowd of strangers, s", f"{median(beside):.3f}", median(beside) / median(alone), 1.1),
    ]


if __name__ == "__main__":
    main()
