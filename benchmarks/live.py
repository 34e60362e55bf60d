"""The live page: from a commit to fifty phones, bytes of a page and of an entry, and an action beside a busy server.

With a seat also: from a tap of a player to fifty phones, and from a tap of the game master to fifty pages.

python benchmarks/live.py --affray PATH [--phones 50] [--entries 40] [--strangers 10000]
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import resource
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
            [affray, "--ledger", str(ledger), "serve", "--seats", "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout
        said = json.loads(self.process.stdout.readline())
        self.port = int(said["players"].rstrip("/").rpartition(":")[2])
        self.tokens = {seat: address.partition("#")[2] for seat, address in said["seats"].items()}
        self.tokens["gm"] = said["gm"].partition("#")[2]

    def connect(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 10, (source, 0))

    def ask(self, source: str, path: str, seat: str = "") -> socket.socket:
        asking = self.connect(source)
        link = f"Authorization: Bearer {self.tokens[seat]}\r\n" if seat else ""
        asking.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{link}\r\n".encode())
        return asking

    def post(self, seat: str, path: str, said: dict[str, object]) -> None:
        """A tap on a phone. Raises RuntimeError when it is refused, or still under way after two seconds."""
        body = json.dumps(said).encode()
        fields = {
            "Host": f"127.0.0.1:{self.port}", "Origin": f"http://127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.tokens[seat]}", "Content-Type": "application/json",
        }  # fmt: skip
        connected = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connected):
            connected.request("POST", path, body, fields)
            answer = connected.getresponse()
            told = json.loads(answer.read())
            if answer.status != 200 or told["state"] not in ("waits", "recorded"):
                raise RuntimeError(f"{said}: {told}")

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


def heard(phones: Sequence[socket.socket], sign: bytes) -> float:
    """When the last of some phones has a sign."""
    waiting = dict.fromkeys(phones, b"")
    while waiting:
        ready, _, _ = select.select([*waiting], [], [], 10)
        if not ready:
            raise RuntimeError(f"{sign.decode()} did not reach {len(waiting)} phones")
        for phone in ready:
            waiting[phone] += phone.recv(1 << 16)
            if sign in waiting[phone]:
                del waiting[phone]
    return time.perf_counter()


def head(ledger: Path) -> int:
    with sqlite3.connect(ledger) as db:
        return int(db.execute("SELECT max(entry) FROM entries").fetchone()[0])


def output(affray: str, ledger: Path, *words: str) -> bytes:
    return subprocess.run([affray, "--ledger", str(ledger), *words], check=True, capture_output=True).stdout


def timed(affray: str, ledger: Path, *words: str) -> float:
    began = time.perf_counter()
    subprocess.run([affray, "--ledger", str(ledger), *words], check=True, capture_output=True)
    return time.perf_counter() - began


def strangers(port: int, count: int) -> None:
    """Connections, all of which are held: silent ones, half of a request, garbage, and requests for nothing."""
    os.nice(19)  # it is not the machine of the table that makes them
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    held: list[socket.socket] = []
    for nth in range(count):
        try:
            one = socket.create_connection(("127.0.0.1", port), 10, (f"127.0.1.{nth % 250 + 1}", 0))
            held.append(one)
            one.sendall((b"", b"GET / HT", b"\x16\x03\x01\x00" * 50, b"GET /none HTTP/1.1\r\n\r\n")[nth % 4])
        except OSError:
            pass


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
    from commands.action import systems

    for system in [said.system] if said.system else systems.SYSTEMS:
        with tempfile.TemporaryDirectory() as folder:
            ledger = Path(folder) / "live.affray"
            source = ROOT / "fixtures" / system / "demo.jsonl"
            subprocess.run([said.affray, "import", source, ledger], check=True, capture_output=True)
            ours = systems.load(system).players
            status = subprocess.run(
                [said.affray, "--ledger", ledger, "status", "--json"], check=True, capture_output=True
            )
            rows = json.loads(status.stdout)["rows"]
            said.who = next(who for who, row in rows.items() if row["side"] in ours)
            timed(said.affray, ledger, "seat", "jane", said.who)
            show(f"{system}: {said.phones} phones", measured(said, ledger))


def tapped(
    said: argparse.Namespace, site: Site, ledger: Path, phones: Sequence[socket.socket]
) -> dict[str, list[float]]:
    """Seconds from a tap: until fifty phones of the seat show the proposal, and, when the game master accepts it, until
    fifty pages show the entry.
    """
    found = dict[str, list[float]](proposed=[], accepted=[])
    own = [site.ask(f"127.0.0.{nth % 250 + 2}", "/events", "Jane") for nth in range(said.phones)]
    buffers = [bytearray() for _ in phones]
    try:
        heard(own, b"event: seat")
        for nth in range(-1, 10):  # the first starts the process that records
            id_ = f"proposal-{nth:04}"
            time.sleep(0.25)  # a seat may say five things a second
            began = time.perf_counter()
            site.post("Jane", "/propose", {"id": id_, "line": f"roll 1d20 --who {said.who}", "dice": None})
            proposed = heard(own, id_.encode()) - began
            number = json.loads(output(said.affray, ledger, "proposals", "--json"))["proposals"][0]["number"]
            began = time.perf_counter()
            site.post("gm", "/accept", {"number": number})
            end, _ = arrival(phones, head(ledger), buffers)
            if nth >= 0:
                found["proposed"].append(proposed)
                found["accepted"].append(end - began)
            heard(own, b'"recorded"')
    finally:
        for phone in own:
            phone.close()
    return found


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
        taps = tapped(said, site, ledger, phones)
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
        *(
            Row(
                f"from a tap to the last phone, {what}, s: median, slowest",
                f"{median(one):.3f}, {max(one):.3f}",
                median(one),
                0.5,
            )
            for what, one in taps.items()
        ),
        Row("a page after the first, KiB", f"{page / 1024:.1f}", page / 1024, 64),
        Row("an entry, KiB: the longest", f"{max(sizes) / 1024:.1f}", max(sizes) / 1024, 4),
        Row("an action beside a crowd of strangers, s", f"{median(beside):.3f}", median(beside) / median(alone), 1.1),
    ]


if __name__ == "__main__":
    main()
