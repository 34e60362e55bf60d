"""The live page: what the server sends, to whom, and that it only reads."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import segno

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.common import Note
from commands.live.door import BURST, PACE, PATIENCE
from commands.live.drawings import Drawings
from commands.live.serve import _drawn
from commands.live.site import PLAYERS
from commands.live.views import CUT, Watched, encode
from commands.look.filters import Filters
from commands.seen.record import Record
from ledger.events.sentences import side_word
from ledger.sqlite import SqliteStore
from projections.narration import told
from tests.engines import Postgres
from tests.shell import LAUNCH, NOON, ROOT, Answer, Shell, affray, clear, environment, foreign, new_book, say
from tests.test_golden import FIXTURES, STORIES, golden_of, named

pytestmark = pytest.mark.slow
HEX = re.compile(rb"[0-9a-f]{64}")
"""A digest: it covers all of an entry, and says nothing of it."""


HURRIED = (
    "import runpy; from commands.live import door; door.PATIENCE = {}; runpy.run_module('affray', None, '__main__')"
)
"""A program that is Affray, but has another patience with those who connect."""


class Site:
    """A server of its own process."""

    def __init__(self, *words: str, patience: float = PATIENCE) -> None:
        program = [sys.executable, "-c", HURRIED.format(patience)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [*program, *words[:2], "serve", "--json", *words[2:]],
            env=environment({"PYTHONPATH": f"{LAUNCH}{os.pathsep}{ROOT}"}),
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
        self.sockets: list[socket.socket] = []
        assert self.process.stdout
        said = json.loads(self.process.stdout.readline())
        self.token = said["gm"].partition("#")[2]
        self.port = int(said["players"].rstrip("/").rpartition(":")[2])

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        self.sockets.append(socket.create_connection(("127.0.0.1", self.port), 10, (source, 0)))
        return self.sockets[-1]

    def request(self, path: str, method: str = "GET", **headers: str) -> bytes:
        fields = {"Host": f"127.0.0.1:{self.port}"}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items() if value)]
        return "\r\n".join([*lines, "", ""]).encode()

    def raw(self, path: str, method: str = "GET", **headers: str) -> bytes:
        """All bytes of an answer."""
        with self.connect() as asking:
            asking.sendall(self.request(path, method, Connection="close", **headers))
            return b"".join(iter(lambda: asking.recv(65536), b""))

    def status(self, path: str, method: str = "GET", **headers: str) -> int:
        return int(self.raw(path, method, **headers).split()[1])

    def end(self) -> tuple[int, str]:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=30)
        for connected in self.sockets:
            connected.close()
        return self.process.returncode, said


class Phone:
    """Reads a stream, and keeps every byte."""

    def __init__(self, site: Site, known: str = "", token: str = "", source: str = "127.0.0.1") -> None:
        self.socket = site.connect(source)
        more = {"Authorization": f"Bearer {token}"} if token else {}
        self.socket.sendall(site.request("/events", Last_Event_ID=known, **more))
        self.bytes = b""
        self._at = 0

    def next(self, seconds: float = 20.0) -> dict[str, Any]:
        """The next event of the stream, as `event`, `id`, and the fields of its data."""
        until = time.monotonic() + seconds
        while not (found := re.compile(rb"event: (\w+)\n(?:id: (\S+)\n)?data: (.*)\n\n").search(self.bytes, self._at)):
            self.socket.settimeout(max(0.01, until - time.monotonic()))
            piece = self.socket.recv(65536)
            assert piece, "the stream has ended"
            self.bytes += piece
        self._at = found.end()
        return {"event": found[1].decode(), "id": (found[2] or b"").decode(), **json.loads(found[3])}

    def silent(self, seconds: float = 0.6) -> bool:
        """Whether nothing comes."""
        try:
            self.next(seconds)
        except TimeoutError:
            return True
        return False

    def close(self) -> None:
        self.socket.close()


@contextmanager
def served(*words: str, patience: float = PATIENCE) -> Iterator[Site]:
    site = Site("--ledger", *words, patience=patience)
    try:
        yield site
    finally:
        site.end()


def follow(board: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The board after a change, as commands/live/PROTOCOL.md says."""
    after = {**board, **change}
    cards = {who: card for who, card in board.get("r", {}).items() if who in after.get("o", ())}
    for who, parts in change.get("r", ()):
        before = cards.get(who, {"c": {}})
        cells = {title: cell for title, cell in {**before["c"], **parts.get("c", {})}.items() if cell}
        cards[who] = {part: held for part, held in {**before, **parts, "c": cells}.items() if held}
    return {**after, "r": cards}


def filled(board: dict[str, Any]) -> dict[str, Any]:
    """The parts of a board that hold something."""
    return {part: held for part, held in board.items() if any(held)}


def cell(phone_says: dict[str, Any], who: str, title: str) -> str:
    """A cell on the board."""
    return str(follow({}, phone_says["board"])["r"][who]["c"].get(title, ""))


def hidden(system: str, foe: str, friend: str, which: int) -> Sequence[tuple[str, ...]]:
    """Commands whose hidden values are short, or long."""
    count = {"dungeoneers": "stress", "paraverse": "pain"}.get(system, "hp-max")
    few, words = (("3", "so"), ("87301", "a reason that is much longer than the other one"))[which]
    if system == "paraverse" and not which:
        few = "703"  # as with more of it, a fighter lies on the ground, which everybody sees
    return (
        ("begin",),
        ("adjust", foe, count, few, words),
        ("note", f"{foe} has {few} left", "--about", foe),
        ("note", words, "--about", foe),
        ("note", words, "--secret"),
        ("roll", f"2d1000+{few}", "--why", words, "--dice", ("1,2", "777,999")[which]),
        ("adjust", friend, count, "7", "a wish"),
        ("adjust", foe, count, (f"{few[:-1]}4", "91919")[which], words),
        ("undo",),
        ("note", f"{foe} laughs", "--once", words.replace(" ", "-")),
    )


ASKED: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("/", "GET", {}), ("/live.js", "GET", {}), ("/live.css", "HEAD", {}), ("/nothing", "GET", {}),
    ("/", "POST", {}), ("/events", "HEAD", {}), ("/events", "GET", {"Authorization": "Bearer wrong"}),
    ("/events?token=x", "GET", {}),
    ("/", "GET", {"Host": "evil.example:80"}), ("/../t.affray", "GET", {}),
)  # fmt: skip


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_all_bytes_are_the_same_where_only_hidden_values_differ(
    system: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Headers, order, lengths, and the pieces in which they come: of a page that watches, one that comes late, and one
    that comes back. Only digests differ, which cover what is hidden and show nothing of it.
    """
    monkeypatch.setattr(Book.__init__, "__defaults__", (None, lambda: NOON))
    ledgers = ("0.affray", "1.affray")
    for ledger in ledgers:
        shell.done("import", str(FIXTURES / system / "demo.jsonl"), ledger)
    book = Book(SqliteStore.open(ledgers[0]))
    state, ours = book.present()[1], systems.load(system).players
    book.store.close()
    foe = next(who for who in state.roster.order if state.roster.members[who].side not in ours)
    friend = next(who for who in state.roster.order if state.roster.members[who].side in ours)
    commands = [hidden(system, foe, friend, which) for which in (0, 1)]
    with served(ledgers[0]) as one, served(ledgers[1]) as other:
        sites = (one, other)
        phones = [Phone(site) for site in sites]
        known = [phone.next()["id"] for phone in phones]
        for both in zip(*commands, strict=True):
            for ledger, words in zip(ledgers, both, strict=True):
                shell.done("--ledger", ledger, *words)
            assert [phone.next()["event"] for phone in phones] == ["entry"] * 2
        bytes_of = []
        for site, phone, id_ in zip(sites, phones, known, strict=True):
            late, back = Phone(site), Phone(site, id_)
            late.next()
            for _ in commands[0]:
                back.next()
            answers = [site.raw(path, method, **headers) for path, method, headers in ASKED]
            bytes_of.append([phone.bytes, late.bytes, back.bytes, *answers])
    for ledger, told_all in zip(ledgers, bytes_of, strict=True):
        told_all.append(asyncio.run(Drawings(ledger, {PLAYERS: ours}).of(PLAYERS, "")).encode())
        assert b'id="heroes"' in told_all[-1]
    for first, second in zip(*bytes_of, strict=True):
        assert HEX.sub(b"#", first) == HEX.sub(b"#", second)


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_both_views_tell_what_the_exports_tell(story: Path, shell: Shell):
    """Each entry tells the same as the chronicle for the players and the whole one; the game master's board is that of
    `status`.
    """
    shell.done("import", str(golden_of(story)), "test.affray")
    book = Book(SqliteStore.open("test.affray"))
    players = systems.load(book.present()[1].campaign.system).players
    for sides in (players, None):
        view, board = Watched(book.store, sides), dict[str, Any]()
        pages = {page.entry.entry: page for page in Record(book, Filters(), sides=sides).pages()}
        for entry, digest in book.store.entries(1, book.store.head().entry):
            view.take(entry, digest, events_of(entry))
            message = view.snapshot().messages[-1]
            assert len(message.sent) <= 4096
            said = json.loads(message.sent.split(b"data: ", 1)[1])
            shown = told(pages[entry.entry].events, pages[entry.entry].verbs) if entry.entry in pages else []
            if "..." not in str(said["told"]):
                assert said["told"] == json.loads(encode(shown))
            elif CUT not in str(said["told"]):
                assert [one["outcome"] for one in said["told"]] == [one.outcome for one in shown]
            board = follow(board, said["board"])
            if sides is not None:
                ours = [side_word(side) for side in sides]
                others = {who for who, card in board.get("r", {}).items() if card["s"] not in ours}
                assert not [
                    who for title, said in board["h"] if title == "Due" for who in others if named_in(said, who)
                ]
                assert not [who for who in others if "b" in board["r"][who]], "no bar of theirs is drawn"
        whole = json.loads(view.snapshot().whole.split(b"data: ", 1)[1])
        assert filled(board) == filled(follow({}, whole["board"]))
        assert len(view.snapshot().whole) <= 65536
        if sides is None:
            status = shell("status", "--json").json["rows"]
            plain = {
                who: {title: cell for title, cell in row.items() if cell and title != "really"}
                for who, row in status.items()
            }
            assert {who: card["c"] for who, card in board["r"].items()} == plain
    book.store.close()


def named_in(line: str, who: str) -> bool:
    """Whether a line names somebody."""
    return re.search(rf"\b{re.escape(who)}\b", line) is not None


def test_a_page_catches_up_from_what_it_knows_also_after_a_restart(table: Shell):
    table.done("join", "boffin", "grub")
    with served("test.affray") as site:
        phone = Phone(site)
        first = phone.next()
        assert (first["event"], first["head"]) == ("whole", 2)
        table.done("note", "one")
        table.done("note", "two")
        assert [phone.next()["told"][0]["outcome"] for _ in range(2)] == ["one", "two"]
        assert site.end()[0] == 0
    table.done("note", "three")
    with served("test.affray") as site:
        back = Phone(site, first["id"])
        found = [back.next() for _ in range(3)]
        assert [(one["event"], one["told"][0]["outcome"]) for one in found] == [
            ("entry", "one"), ("entry", "two"), ("entry", "three")
        ]  # fmt: skip
        assert Phone(site, found[-1]["id"]).silent()
        for foreign_id in ("1-" + "0" * 64, "99" + first["id"], "x", "5-", "²-1", "9" * 30):
            assert Phone(site, foreign_id).next()["event"] == "whole"


def test_a_page_notices_another_ledger_under_the_same_name(table: Shell):
    table.done("note", "here")
    with served("test.affray") as site:
        phone = Phone(site)
        phone.next()
        new_book("other.affray", "Other").store.close()
        Path("other.affray").rename("test.affray")
        assert (whole := phone.next())["event"] == "whole"
        assert (whole["campaign"], whole["head"]) == ("Other", 1)
        Path("test.affray").unlink()
        assert phone.next() == {"event": "trouble", "id": "", "text": GONE, "damaged": False}
        new_book("test.affray", "Third").store.close()
        assert phone.next()["campaign"] == "Third"
        assert phone.next()["text"] == ""


def test_a_damaged_ledger_is_no_end(table: Shell):
    """The pages keep what they show, and go on when the file is sound again. Why is told on the terminal only."""
    sound = Path("test.affray").read_bytes()
    site = Site("--ledger", "test.affray")
    phone = Phone(site)
    phone.next()
    Path("test.affray").write_bytes(b"garbage" * 999)
    assert phone.next()["text"] == DAMAGED
    Path("test.affray").write_bytes(sound)
    assert phone.next()["text"] == ""
    table.done("note", "on we go")
    assert phone.next()["told"][0]["outcome"] == "on we go"
    code, said = site.end()
    assert code == 0
    assert "test.affray is not an Affray ledger." in said or "damaged" in said
    assert "Traceback" not in said
    assert b"garbage" not in phone.bytes
    assert b"is not an Affray ledger" not in phone.bytes


def test_a_ledger_in_a_database_is_served_too(shell: Shell):
    """While another connection writes, and after the database has ended all connections."""
    club = Postgres()
    where = club.place()
    shell.done("--ledger", where, "init", "Club", "--system", "freepg")
    with served(where) as site:
        phone, gm = Phone(site), Phone(site, token=site.token)
        assert phone.next()["campaign"] == gm.next()["campaign"] == "Club"
        shell.done("--ledger", where, "join", "boffin", "grub")
        assert "hp" not in str(phone.next()["board"]["r"][1])
        assert "hp" in str(gm.next()["board"]["r"][1])
        club.server.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{club.database}'")
        shell.done("--ledger", where, "note", "on we go")
        while (said := phone.next())["event"] == "trouble":
            pass
        assert said["told"][0]["outcome"] == "on we go"
        code, said = site.end()
        assert code == 0
        assert "Traceback" not in said


def test_a_changed_byte_is_noticed_at_once(table: Shell):
    """In the newest entry and in the first, while nobody records anything; and that it is well again."""
    table.done("note", "a quiet road")
    sound = Path("test.affray").read_bytes()
    site = Site("--ledger", "test.affray")
    phone = Phone(site)
    phone.next()
    for text in (b"a quiet road", b"Test"):
        Path("test.affray").write_bytes(sound.replace(text, text.upper()))
        assert phone.next() == {"event": "trouble", "id": "", "text": DAMAGED, "damaged": True}
        assert phone.silent(0.3)
        Path("test.affray").write_bytes(sound)
        assert phone.next()["text"] == ""
    code, said = site.end()
    assert (code, said.count("is not what was recorded")) == (0, 2)


GONE = "The ledger cannot be read now; what you see may be old."
DAMAGED = "The ledger is not what was recorded; what you see may be old."


def test_undo_redo_and_amend_change_the_board_and_what_stands(table: Shell):
    table.done("join", "boffin", "grub")
    table.done("adjust", "boffin", "hp", "20", "a fall")
    with served("test.affray") as site:
        phone = Phone(site, token=site.token)
        board = follow({}, phone.next()["board"])
        assert board["r"]["Boffin"]["c"]["hp"].startswith("20/")
        after = []
        for words in (("undo",), ("redo",), ("amend", "e3", "--value", "30", "--because", "it was 30", "--apply")):
            table.done(*words)
            entry = phone.next()
            while entry["entry"] < SqliteStore.open("test.affray").head().entry:
                board, entry = follow(board, entry["board"]), phone.next()
            board = follow(board, entry["board"])
            after.append((entry["after"], board["r"]["Boffin"]["c"]["hp"].partition("/")[0]))
        assert after[0][0] == 2
        assert [number for _, number in after][1:] == ["20", "30"]


def test_what_is_revealed_later_reaches_the_pages(table: Shell):
    table.done("join", "boffin", "grub")
    table.done("note", "the goblin knows the duke", "--secret")
    with served("test.affray") as site:
        phone = Phone(site)
        whole = phone.next()
        assert "duke" not in str(whole)
        table.done("reveal", "e3")
        again = phone.next()
        assert again["event"] == "whole"
        assert "duke" in str(again)
        assert Phone(site, whole["id"]).next()["event"] == "whole"


def test_a_true_name_reaches_the_players_when_it_is_revealed(table: Shell):
    with served("test.affray") as site:
        phone, gm = Phone(site), Phone(site, token=site.token)
        phone.next(), gm.next()
        for words in (("join", "grub", "--seen-as", "Hood"), ("adjust", "Hood", "hp", "3", "Grub stumbles")):
            table.done(*words)
            assert (phone.next()["event"], gm.next()["event"]) == ("entry", "entry")
        assert "Grub" not in phone.bytes.decode()
        assert "Grub" in gm.bytes.decode()
        table.done("unmask", "Hood")
        phone.next()
        assert "Grub" in phone.bytes.decode()
        assert gm.next()["event"] == "entry", "nothing was hidden from this view"


def test_only_the_token_opens_the_game_masters_view(table: Shell):
    table.done("join", "boffin", "grub")
    with served("test.affray") as site:
        with closing(Phone(site)) as phone:
            players = phone.next()
        with closing(Phone(site, token=site.token)) as phone:
            gm = phone.next()
        assert (players["view"], gm["view"]) == ("players", "gm")
        assert cell(players, "Grub", "hp") == ""
        assert cell(gm, "Grub", "hp").endswith("/20")
        for wrong in (
            "Bearer",
            f"Bearer {site.token[:-1]}",
            f"Basic {site.token}",
            site.token,
            "Bearer é",
            "Bearer " + "x" * 999,
        ):
            assert site.status("/events", Authorization=wrong) == 401
            assert site.status("/drawings", Authorization=wrong) == 401
        assert site.status(f"/events?token={site.token}") == 400
        assert site.status(f"/drawings?token={site.token}") == 400
        assert site.token.encode() not in site.raw("/")


def body_of(answer: bytes) -> bytes:
    """What was sent in chunks so far."""
    body, rest = b"", answer.partition(b"\r\n\r\n")[2]
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        body, rest = body + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
    return body


def until_silence(connected: socket.socket) -> bytes:
    """What comes before half a second of silence."""
    connected.settimeout(0.5)
    found = b""
    with contextlib.suppress(TimeoutError):
        while piece := connected.recv(65536):
            found += piece
    return found


def test_a_browser_gets_its_stream_packed_and_can_read_each_entry_when_it_comes(shell: Shell):
    """Twenty fighters who join at once take 7 KiB, and packed no more than the 4 KiB of an entry."""
    shell.done("init", "Test", "--system", "dungeoneers")
    with served("test.affray") as site:
        packed, plain = site.connect(), Phone(site, token=site.token)
        packed.sendall(site.request("/events", Authorization=f"Bearer {site.token}", Accept_Encoding="gzip, br"))
        plain.next()
        begun = until_silence(packed)
        assert b"content-encoding: gzip" in begun
        whole = len(plain.bytes)
        shell.done("join", "freya", "--count", "20")
        plain.next()
        more = until_silence(packed)
        assert len(more) <= 4096 < len(plain.bytes) - whole
        assert zlib.decompressobj(31).decompress(body_of(begun + more)) == body_of(plain.bytes)
        plain.close()


def test_the_digest_of_an_entry_is_told_to_who_asks(table: Shell):
    table.done("note", "one")
    table.done("note", "two")
    head = table("verify", "--json").json["head"].split()
    with served("test.affray") as site:
        page = Phone(site)
        page.next()
        page.close()
        assert site.raw(f"/digests/{head[1][1:]}").endswith(head[2].encode())
        for other in ("0", "999999", "-1", "x", "1/2", "9" * 5000):
            assert site.status(f"/digests/{other}") == 404, other[:10]


def test_only_its_own_names_and_only_reading_are_answered(table: Shell):
    with served("test.affray") as site:
        port = site.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"):
            assert site.status("/", Host=host) == 200
        for host in (
            "evil.example",
            f"evil.example:{port}",
            "127.0.0.1",
            f"127.0.0.1:{port + 1}",
            f"localhost.evil:{port}",
        ):
            assert site.status("/", Host=host) == 421, host
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
            assert site.status("/", method) == 405
        assert site.status("/", Content_Length="0") == 400
        assert site.status("/", X_Long="x" * 7_000) == 200
        with site.connect() as asking:
            asking.sendall(site.request("/", X_Long="x" * 9_000))
            assert gone(asking)
        answer = site.raw("/").decode()
        for header in (
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ):
            assert header in answer
        assert "unsafe" not in answer
        tag = re.search(r'etag: ("\w+")', answer)
        assert tag
        assert site.status("/", If_None_Match=tag[1]) == 304
        for path in ("/", "/live.js", "/live.css"):
            body = site.raw(path).partition(b"\r\n\r\n")[2].replace(b'"http://www.w3.org/2000/svg"', b"")
            assert b"://" not in body, "the page asks nobody else"


def test_connections_are_limited_and_half_open_ones_are_closed(table: Shell):
    with served("test.affray", patience=1.5) as site:
        phones = [Phone(site) for _ in range(20)]
        for phone in phones:
            phone.next()
        assert gone(Phone(site).socket), "there is no room for another one from the same address"
        other = Phone(site, source="127.0.0.2")
        assert other.next()["event"] == "whole"
        phones.pop().close()
        time.sleep(0.2)
        script = len(site.raw("/live.js"))
        slow, deaf = site.connect(), socket.socket()
        slow.sendall(b"GET / HTTP/1.1\r\nHost:")
        began = time.monotonic()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.bind(("127.0.0.3", 0))
        deaf.connect(("127.0.0.1", site.port))
        with closing(deaf):
            for _ in range(100):
                deaf.sendall(site.request("/live.js"))
                time.sleep(0.005)
            slow.settimeout(15)
            assert gone(slow)
            assert time.monotonic() - began > 1
            time.sleep(1)
            assert len(all_of(deaf)) < 100 * script
        table.done("note", "those who watch are still there")
        assert [phone.next()["event"] for phone in phones] == ["entry"] * 19


def test_many_who_come_at_once_are_let_in_at_a_pace(table: Shell):
    with served("test.affray") as site:
        began = time.monotonic()
        callers = [site.connect(f"127.0.2.{nth + 1}") for nth in range(int(BURST) + 40)]
        for caller in callers:
            caller.sendall(site.request("/live.svg"))
        for caller in callers:
            assert caller.recv(12) == b"HTTP/1.1 200"
        assert time.monotonic() - began > 40 / PACE * 0.9


def all_of(connected: socket.socket) -> bytes:
    """What still comes."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connected.recv(65536):
            found += piece
    return found


def gone(connected: socket.socket) -> bool:
    """Whether the other end closes a connection without a word."""
    try:
        return connected.recv(1) == b""
    except ConnectionResetError:
        return True


def test_serving_changes_no_byte_and_blocks_nobody_who_writes(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_WAIT", "0.3")
    before = Path("test.affray").read_bytes()
    with served("test.affray") as site:
        phone = Phone(site)
        phone.next()
        time.sleep(0.5)
        assert Path("test.affray").read_bytes() == before
        assert [path.name for path in Path().iterdir()] == ["test.affray"]
        for nth in range(30):
            table.done("note", f"note {nth}")
        while (said := phone.next()).get("entry", said.get("head")) != 31:
            pass
        with closing(foreign("test.affray")) as db:
            db.execute("BEGIN EXCLUSIVE")
            time.sleep(0.5)
            db.execute("ROLLBACK")
        table.done("note", "after")
        while phone.next()["event"] != "entry":
            pass


def test_an_entry_reaches_the_page_in_half_a_second(table: Shell):
    """The quickest of a few does: another program may have held up the rest."""
    waited = []
    with served("test.affray") as site:
        phone = Phone(site)
        phone.next()
        for nth in range(5):
            table.done("note", f"note {nth}")
            began = time.monotonic()
            phone.next()
            waited.append(time.monotonic() - began)
    assert min(waited) < 0.5


def test_story_and_heroes_are_those_of_the_exported_page(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Drawn when somebody asks, for each view; what was drawn a moment ago will do."""
    shell.done("import", str(FIXTURES / "freepg" / "demo.jsonl"), "test.affray")
    with served("test.affray") as site, closing(Phone(site)) as phone:
        phone.next()
        for token, words in (("", ["--player-safe"]), (f"Bearer {site.token}", [])):
            shell.done("export", "page.html", *words)
            page = Path("page.html").read_text(encoding="utf-8")
            drawn = site.raw("/drawings", Authorization=token).partition(b"\r\n\r\n")[2]
            assert 2_000 < len(drawn) < 65_536
            story, below = drawn.decode().split('<section id="heroes"')
            assert story.strip() in page
            assert f'<section id="heroes"{below}' in page
            shell.done("note", "the fight goes on")
            phone.next()
            assert site.raw("/drawings", Authorization=token).endswith(drawn)
    monkeypatch.setitem(sys.modules, "commands.seen.page.render", None)
    with pytest.raises(ModuleNotFoundError):
        asyncio.run(Drawings("test.affray", {PLAYERS: ()}).of(PLAYERS, ""))


def test_a_long_entry_is_cut(tmp_path: Path):
    book = new_book(tmp_path / "test.affray")
    shown = Watched(book.store, None)
    for text in ("x" * 9000, "\U0001f409" * 9000, "\x1b" * 3000):
        say(book, Note(text))
    for entry, digest in book.store.entries(1, 4):
        shown.take(entry, digest, events_of(entry))
    for message in shown.snapshot().messages[1:]:
        assert len(message.sent) <= 4096
        assert b"the log of the ledger has the rest" in message.sent
    book.store.close()


def test_a_view_is_the_same_however_it_was_made(table: Shell):
    """Entry by entry, or at once with only its end in full, after undos to long ago."""
    table.done("join", "boffin", "grub")
    for nth in range(200):
        table.done("note", f"{nth}", *(["--secret"] if nth % 7 == 0 else []))
    table.done("adjust", "boffin", "hp", "9", "a fall")
    table.done("undo", "e150")
    table.done("note", "again")
    table.done("undo")
    table.done("redo")
    store = SqliteStore.open("test.affray")
    head = store.head().entry
    for sides in (("party",), None):
        one, other = Watched(store, sides), Watched(store, sides)
        for entry, digest in store.entries(1, head):
            one.take(entry, digest, events_of(entry))
            other.take(entry, digest, events_of(entry), in_full=entry.entry > head - 20)
        assert one.snapshot().id == other.snapshot().id
        boards = [json.loads(view.snapshot().whole.split(b"data: ", 1)[1])["board"] for view in (one, other)]
        assert boards[0] == boards[1]
        known = one.snapshot().messages[-5].id
        assert one.snapshot().since(known) == other.snapshot().since(known)
    store.close()


def test_what_cannot_be_served_is_said_in_a_sentence(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    clear(shell("serve"), "There is no ledger in this folder or any folder above it.")
    shell.done("init", "Test", "--system", "freepg")
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        files = [path for path in Path().iterdir() if path.suffix == ".affray"]
        ledger = str(files[0])
        clear(served_badly(ledger, "--port", port), f"Port {port} of 127.0.0.1 is taken by another program.")
    clear(served_badly(ledger, "--host", "nowhere.invalid"), "Affray cannot listen on 'nowhere.invalid', port 0")
    clear(served_badly(ledger, "--lan", "--host", "127.0.0.1"), "--lan listens on every address of this machine")
    clear(served_badly(ledger, "--port", "70000"), "70000")
    clear(served_badly(ledger, "--sides", "party,nobody"), "Nobody at the table is on the side 'nobody'. Sides: party.")
    shell.done("export", "players.jsonl", "--player-safe")
    shell.done("import", "players.jsonl", "players.affray")
    clear(shell("--ledger", "players.affray", "serve"), "holds only what the players see")
    monkeypatch.setitem(sys.modules, "segno", None)
    clear(shell("--ledger", ledger, "serve"), "segno is not installed.")


def served_badly(ledger: str, *words: str) -> Answer:
    return affray("--ledger", ledger, "serve", *words, cwd=Path())


def test_ctrl_c_ends_it_in_a_sentence(table: Shell):
    site = Site("--ledger", "test.affray")
    phone = Phone(site)
    phone.next()
    assert site.end() == (0, "")


def test_the_code_for_phones_holds_the_players_address(shell: Shell):
    matrix = segno.make("http://192.168.1.7:8000/", error="m", micro=False).matrix
    lines = _drawn(matrix)
    assert {len(line) for line in lines} == {len(matrix) + 4}
    read = [[" ▄▀█".index(sign) for sign in line] for line in lines]
    bits = [bit for line in read for bit in ([sign >> 1 for sign in line], [sign & 1 for sign in line])]
    assert [row[2:-2] for row in bits[2 : 2 + len(matrix)]] == [list(row) for row in matrix]
