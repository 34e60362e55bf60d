"""The server as a phone sees it, and as somebody sees it who means it ill."""

import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.action.book import Book
from commands.action.names import acting
from commands.live.posts import Pace
from commands.seats.trays import tray_at
from commands.words.discovery import opened
from ledger.events import Declared, Rolled
from ledger.tray import PROPOSAL
from tests.engines import Postgres
from tests.sample import WHOLE
from tests.shell import LAUNCH, NOON, ROOT, Shell, environment, recorded
from tests.test_golden import FIXTURES
from tests.test_live import Phone as Stream
from tests.test_live import hidden

pytestmark = pytest.mark.slow
LEDGER = "test.affray"
TRIES = 300 if WHOLE else 6
"""How often the server is killed."""
DIGEST = re.compile(rb"[0-9a-f]{64}")


class Server:
    """A server with seats, of a process of its own."""

    def __init__(self, ledger: str, *words: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "affray", "--ledger", ledger, "serve", "--seats", "--json", *words],
            env=environment({"PYTHONPATH": f"{LAUNCH}{os.pathsep}{ROOT}", **variables}),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.communicate()
        said = json.loads(line)
        self.host = said["players"].removeprefix("http://").rstrip("/")
        self.tokens = {seat: address.partition("#")[2] for seat, address in said["seats"].items()}
        self.tokens["gm"] = said["gm"].partition("#")[2]
        while said["seats"] and self.ask("/form", next(iter(said["seats"])), method="GET")[0] == 503:
            time.sleep(0.02)

    def ask(
        self, path: str, seat: str = "Jane", body: object = None, method: str = "POST", **headers: str | None
    ) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        fields: dict[str, str | None] = {"Authorization": f"Bearer {self.tokens.get(seat, seat)}"}
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        if method == "POST":
            fields |= {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(self.host, timeout=20)) as connected:
            given = {name: value for name, value in fields.items() if value is not None}
            connected.request(method, path, sent if method == "POST" else None, given)
            answer = connected.getresponse()
            return answer.status, answer.read()

    def told(self, path: str, seat: str = "Jane", body: object = None) -> Any:
        """What is answered; asked again when that was too fast, or is not done yet."""
        while True:
            status, said = self.ask(path, seat, body)
            if status not in (429, 503) or b"wait already" in said:
                assert status == 200, said
                answer = json.loads(said)
                if "again" not in answer and answer.get("state") != "under way":
                    return answer
            time.sleep(0.3)

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """A connection, for a stream."""
        host, _, port = self.host.rpartition(":")
        return socket.create_connection((host, int(port)), 10, (source, 0))

    def request(self, path: str, **headers: str) -> bytes:
        """The bytes that ask for a stream."""
        fields = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items() if value}}
        return "\r\n".join(
            [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        ).encode()

    def end(self, how: int = signal.SIGTERM) -> None:
        """Ends it."""
        self.process.send_signal(how)
        self.process.communicate(timeout=20)


@contextmanager
def served(ledger: str, *words: str, **variables: str) -> Iterator[Server]:
    server = Server(ledger, *words, **variables)
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            server.end()


@pytest.fixture
def fight(table: Shell) -> Shell:
    for line in ("join boffin tilda", "join grub --count 2", "seat jane boffin", "seat bob tilda --trusted", "begin"):
        table.done(*line.split())
    table.done("initiative", "--dice", "17,12,4")
    return table


def until(stream: Stream, *kinds: str) -> dict[str, Any]:
    """The next event of some kinds."""
    while (said := stream.next())["event"] not in kinds:
        pass
    return said


def proposals(ledger: str = LEDGER) -> list[tuple[str, str, str]]:
    """The seat, the id and the state of each."""
    with closing(opened(ledger)) as store:
        state = Book(store).present()[1]
    with closing(tray_at(ledger, state)) as tray:
        return [(paper.seat, paper.id, paper.state) for paper in tray.papers(PROPOSAL)]


ATTACK = {"id": "attack-0001", "line": "attack boffin grub-1", "dice": None}


def test_four_requests_make_an_entry(fight: Shell):
    with served(LEDGER) as server:
        needs = server.told("/needs", body={"line": "attack boffin grub-1"})
        assert [(one["who"], one["dice"]) for one in needs["needs"]] == [("Boffin", "1d20")]
        assert server.told("/propose", body={**ATTACK, "dice": [14]})["state"] == "waits"
        assert server.told("/accept", "gm", {"number": 1})["state"] == "recorded"
        again = server.told("/propose", body={**ATTACK, "dice": [14]})
        assert again["state"] == "recorded"
        assert again["entry"]
    assert recorded(again["entry"])[0] == Declared("attack", {"who": "Boffin", "target": ["Grub-1"]})
    fight.done("verify")


def test_a_trusted_seat_acts_at_once_on_its_turn_and_says_no_modifier(fight: Shell):
    strike = {"id": "tilda-0001", "line": "attack tilda grub-1", "dice": None}
    with served(LEDGER) as server:
        assert server.told("/propose", "Bob", strike)["state"] == "waits"
        turn = fight("done", "--json").json["entry"]
        more = {**strike, "id": "tilda-0002", "line": "attack tilda grub-1 --mod +50"}
        assert server.told("/propose", "Bob", more)["state"] == "waits"
        until = time.monotonic() + 20
        while (came := server.told("/propose", "Bob", strike))["state"] == "waits":
            assert time.monotonic() < until
            time.sleep(0.1)
        assert came["state"] == "recorded"
        assert came["entry"] > turn
    with closing(opened(LEDGER)) as store:
        assert store.entry(came["entry"]).by == "Bob, trusted"


def wait_until_out(server: Server, seat: str, line: str) -> None:
    """Until the server has seen the entry by which a link holds no more."""
    until = time.monotonic() + 20
    while server.ask("/needs", seat, {"line": line})[0] != 401:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_an_old_link_and_a_seat_that_is_gone_are_out_at_once(fight: Shell):
    with served(LEDGER) as server:
        assert server.told("/needs", "Jane", {"line": "stand boffin"})["line"] == "stand Boffin"
        fight.done("seat", "jane", "--new-link")
        wait_until_out(server, "Jane", "stand boffin")
        fight.done("seat", "bob", "--nobody")
        wait_until_out(server, "Bob", "stand tilda")
        assert server.ask("/form", "Bob", method="GET")[0] == 401


SCRIPTS = (
    "<script>alert(1)</script>", "'; DROP TABLE desk; --", '" onload="x', "{{7*7}}", "${7*7}", "../../etc/passwd",
    "\x00", "\x1b[2J",
    "javascript:alert(1)", "%00", "\u202e", "\ud83d\ude00", "A" * 3000, "-1", "NaN", "1e999", "null", "__proto__",
    "constructor",
    "<img src=x onerror=y>", "`id`", "$(id)",
)  # fmt: skip
"""22 texts that mean something to some program."""


def forged(host: str) -> Iterator[tuple[str, str, object, str, Mapping[str, str | None]]]:
    """Requests that somebody makes who means it ill: the path, the seat, the body, the method, and other headers."""
    good: dict[str, str | None] = {}
    for path in ("/propose", "/needs", "/answer", "/take-back", "/accept", "/decline"):
        for headers in (
            {"Origin": None}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": f"https://{host}"},
            {"Origin": f"http://{host}/"}, {"Content_Type": None},
             {"Content_Type": "application/x-www-form-urlencoded"},
            {"Content_Type": "text/plain"}, {"Authorization": None}, {"Authorization": "Bearer "},
            {"Authorization": "Basic x"}, {"Host": "evil.example"}, {"Transfer_Encoding": "chunked"},
        ):  # fmt: skip
            yield path, "gm" if path in ("/accept", "/decline") else "Jane", ATTACK, "POST", headers
        for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS"):
            yield path, "Jane", ATTACK, method, good
        yield path, "A" * 32, ATTACK, "POST", good
        yield f"{path}?token=x", "Jane", ATTACK, "POST", good
    for path, seat in (("/propose", "gm"), ("/accept", "Jane"), ("/decline", "Jane"), ("/answer", "gm")):
        yield path, seat, {"number": 1}, "POST", good


def badly(known: str) -> Iterator[object]:
    """Bodies that say what no seat may say."""
    base = {"id": "forged-0001", "dice": None}
    for line in (
        "attack tilda grub-1", "attack grub-1 boffin", "attack boffin grub-1 --allow x",
        "attack boffin grub-1 --secret",
        "undo",
        "adjust boffin hp 99", "amend e2", "option min_hit_damage 9", "join ogre", "seat jane tilda", "round",
        "set-aside boffin 1", "stir x", "reveal dice", "attack boffin stalker", f"attack boffin {known}x",
        "import x", "copy a b",
    ):  # fmt: skip
        yield {**base, "line": line}
    attack = {"verb": "attack", "said": {"who": ["Boffin"], "target": ["Grub-1"]}}
    for more in (
        {"said": {"who": ["Tilda"], "target": ["Grub-1"]}}, {"said": {"who": "Boffin"}},
        {"said": {"who": ["Boffin"], "allow": ["x"]}}, {"said": {"who": ["Boffin"], "target": ["--allow=x"]}},
        {"said": {"who": ["Boffin"], "target": ["Grub-1", "--secret"]}},
        {"verb": "adjust", "said": {"who": ["Boffin"], "field": ["hp"], "value": ["99"]}},
        {"allow": "x"}, {"secret": True},
        {"once": "x"}, {"by": "gm"}, {"state": "recorded"}, {"dice": [0.5]}, {"dice": ["14"]}, {"dice": [True]},
        {"dice": [-1]}, {"dice": [9999]}, {"dice": [1] * 200}, {"id": "short"}, {"id": "x" * 41}, {"id": "a b c d e f"},
        {"id": 12345678}, {"said": []}, {"said": {"who": ["Boffin"], "target": ["Grub-1"], "mod": [["x"]]}},
        {"said": {"who": ["Boffin"], "at": [1e300, 0, 0]}},
    ):  # fmt: skip
        yield {**base, **attack, **more}
    yield from (
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"id":' + b"[" * 2000,
        b"\xff\xfe",
        b'{"id":"forged-0002","dice":null,"line":"attack boffin grub-1 \xff"}',
        b'{"id":"forged-0003","dice":null,"line":"attack boffin grub-1","other":"\xff"}',
        b'{"id":"forged-0004","dice":null,"line":"attack boffin grub-1"}\xff',
        b'{"id":"a","id":"b"}',
        b"id=attack-0001",
    )


def test_forged_requests_have_no_effect(fight: Shell):
    fight.done("join", "ogre", "--called", "Stalker", "--secret")
    before = Path(LEDGER).read_bytes()
    tried = 0
    with served(LEDGER) as server:
        for path, seat, body, method, headers in forged(server.host):
            status, _ = server.ask(path, seat, body, method, **headers)
            assert status in (400, 401, 403, 404, 405, 411, 413, 415, 421, 429), (path, seat, method, headers, status)
            tried += 1
        for body in badly("grub-1"):
            while (answer := server.ask("/propose", "Jane", body))[0] == 429:
                time.sleep(0.25)
            assert answer[0] == 400, (body, answer)
            tried += 1
        too_long = {**ATTACK, "line": "x" * 5000}
        assert server.ask("/propose", "Jane", too_long)[0] == 413
    assert tried >= 100
    assert proposals() == []
    assert Path(LEDGER).read_bytes() == before


def test_a_script_in_any_field_is_only_a_word(fight: Shell):
    """It is refused, or it stands in a proposal as it is: nothing is recorded."""
    before = Path(LEDGER).read_bytes()
    with served(LEDGER) as server:
        fields = ("line", "id", "verb", "who", "target", "with_", "mod")
        for text in SCRIPTS if WHOLE else SCRIPTS[::4]:
            for field in fields:
                body: dict[str, Any] = {"id": f"script-{random.randrange(10**9)}", "dice": None}
                said: dict[str, Any] = {"who": ["Boffin"], "target": ["Grub-1"]}
                if field in ("line", "id", "verb"):
                    body |= {"verb": "attack", "said": said, field: text}
                else:
                    body |= {"verb": "attack", "said": {**said, field: [text]}}
                while (answer := server.ask("/propose", "Jane", body))[0] == 429 and b"already" not in answer[1]:
                    time.sleep(0.25)
                assert answer[0] in (200, 400, 413, 429), (field, text, answer)
                if answer[0] == 200:
                    server.told("/take-back", body={"id": body["id"]})
    assert Path(LEDGER).read_bytes() == before


def test_two_phones_of_one_seat_see_the_same_and_one_of_them_answers(fight: Shell):
    """What one proposes the other takes back; what both are asked is answered by the first."""
    with served(LEDGER) as server:
        phones = [Stream(server, token=server.tokens["Jane"]) for _ in range(2)]
        for phone in phones:
            until(phone, "seat")
        server.told("/propose", body=ATTACK)
        assert [until(one, "seat")["proposals"][0]["state"] for one in phones] == ["waits", "waits"]
        server.told("/take-back", body={"id": ATTACK["id"]})
        assert [until(one, "seat")["proposals"][0]["state"] for one in phones] == ["taken back", "taken back"]
        command = [sys.executable, "-m", "affray", "--ledger", LEDGER, "roll", "1d20", "--who", "boffin"]
        asking = subprocess.Popen(
            [*command, "--dice", "ask:seats"], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        ((asked,), (same,)) = (until(one, "seat")["questions"] for one in phones)
        assert asked == same
        server.told("/answer", body={"id": asked["id"], "faces": [13]})
        assert server.ask("/answer", body={"id": asked["id"], "faces": [2]})[0] == 409
        asking.communicate(timeout=20)
        assert [roll.faces for roll in recorded() if isinstance(roll, Rolled)] == [(13,)]
        assert [until(one, "seat")["questions"] for one in phones] == [[], []]
        for phone in phones:
            phone.close()
    fight.done("verify")


def test_a_damaged_tray_is_told_to_the_seats_and_the_game_master_alone(fight: Shell):
    """Those who look on see the next entry as ever."""
    path = Path(f"{LEDGER}-seats")
    with served(LEDGER) as server:
        seated, gm, watching = (Stream(server, token=server.tokens.get(who, "")) for who in ("Jane", "gm", ""))
        sound = path.read_bytes()
        path.write_bytes(b"no tray" * 2000)
        assert until(seated, "trouble")["text"] == "Your seat cannot be read now: tell the game master."
        assert until(gm, "trouble")["text"].startswith("The seats cannot be read now")
        assert server.ask("/propose", body=ATTACK)[0] == 503
        fight.done("note", "the rain stops")
        assert [until(one, "entry", "trouble")["event"] for one in (watching, gm)] == ["entry", "entry"]
        path.write_bytes(sound)
        assert until(seated, "trouble")["text"] == until(gm, "trouble")["text"] == ""
        assert server.told("/propose", body=ATTACK)["state"] == "waits"
        for phone in (seated, gm, watching):
            phone.close()
        server.process.send_signal(signal.SIGTERM)
        told = server.process.communicate(timeout=20)[1]
    assert told.count("is not a tray of a ledger") == 1, told
    assert "Move it away; the ledger itself is not touched by it." in told


@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
def test_a_tray_that_is_moved_away_is_made_anew_and_everybody_keeps_their_address(damaged: bool, fight: Shell):
    """What waited there is gone; the terminal and the phones use the same new one."""
    path = Path(f"{LEDGER}-seats")
    with served(LEDGER) as server:
        assert server.told("/propose", body=ATTACK)["state"] == "waits"
        addresses = fight.done("seats", "--links")
        seated = Stream(server, token=server.tokens["Jane"])
        while not until(seated, "seat")["proposals"]:
            pass
        if damaged:
            path.write_bytes(b"no tray" * 2000)
        path.rename("away")
        while until(seated, "seat")["proposals"]:
            pass
        assert fight.done("seats", "--links") == addresses
        assert server.told("/propose", body={**ATTACK, "id": "attack-0002"})["state"] == "waits"
        assert proposals() == [("Jane", "attack-0002", "waits")]
        fight.done("accept")
        assert until(seated, "entry")
        seated.close()


def test_five_a_second():
    """Five at once, and then one more each fifth of a second; one seat does not slow another."""
    pace = Pace()
    assert [pace.takes("Jane") for _ in range(7)] == [True] * 5 + [False] * 2
    assert pace.takes("Bob")
    time.sleep(0.25)
    assert [pace.takes("Jane") for _ in range(2)] == [True, False]


def test_twenty_open(fight: Shell):
    with served(LEDGER) as server:
        for nth in range(20):
            assert server.told("/propose", "Jane", {**ATTACK, "id": f"many-{nth:05}"})["state"] == "waits"
        while (answer := server.ask("/propose", "Jane", {**ATTACK, "id": "one-too-many"}))[1].find(b"too fast") > 0:
            time.sleep(0.2)
        assert answer[0] == 429
        assert b"20 proposals wait already" in answer[1]
        assert server.told("/take-back", "Jane", {"id": "many-00003"})["state"] == "taken back"
        assert server.told("/propose", "Jane", {**ATTACK, "id": "one-too-many"})["state"] == "waits"
    assert len([one for one in proposals() if one[2] == "waits"]) == 20


def test_a_server_that_is_killed_records_nothing_twice_and_loses_nothing_that_was_told(fight: Shell):
    """Killed at any moment of the exchange, and started again; the phone sends until it is answered."""
    chance = random.Random(7)
    fight.done("done")
    told: dict[str, int] = {}
    server = Server(LEDGER)
    for nth in range(TRIES):
        body = {
            "id": f"killed-{nth:05}",
            "line": "roll 1d20 --who tilda",
            "dice": [None, [chance.randrange(1, 21)]][nth % 2],
        }
        delay = chance.random() * 0.12
        killer = subprocess.Popen(
            [sys.executable, "-c", f"import os,time; time.sleep({delay}); os.kill({server.process.pid}, 9)"]
        )
        while True:
            try:
                status, said = server.ask("/propose", "Bob", body)
                answer = json.loads(said) if said else {}
                if status == 200 and answer["state"] == "recorded":
                    told[body["id"]] = answer["entry"]
                    break
                if status == 200:
                    time.sleep(0.05)
            except (OSError, http.client.HTTPException, ValueError):
                killer.wait()
                server.end(signal.SIGKILL)  # the next one may live: it resets the connection of what it refuses unread
                server = Server(LEDGER)
        killer.wait()
        if server.process.poll() is not None:
            server.process.communicate()
            server = Server(LEDGER)
    server.end(signal.SIGKILL)
    with closing(opened(LEDGER)) as store:
        by_id = [entry.once for entry, _ in store.entries(1, store.head().entry) if entry.once.startswith("seat Bob")]
        assert sorted(by_id) == sorted(f"seat Bob {id_}" for id_ in told)
        assert all(store.entry(entry).once == f"seat Bob {id_}" for id_, entry in told.items())
    fight.done("verify")


@pytest.mark.parametrize("system", systems.SYSTEMS if WHOLE else ("freepg", "dungeoneers"))
def test_a_phone_gets_equal_bytes_where_only_hidden_values_differ(
    system: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Two ledgers that differ in what Jane may not know: forms, needed dice, refusals and names."""
    monkeypatch.setattr(Book.__init__, "__defaults__", (None, lambda: NOON))
    ledgers = ("0.affray", "1.affray")
    for ledger in ledgers:
        shell.done("import", str(FIXTURES / system / "demo.jsonl"), ledger)
    with closing(opened(ledgers[0])) as store:
        state = Book(store).present()[1]
    ours, members = systems.load(system).players, state.roster.members
    foe = next(who for who in state.roster.order if members[who].side not in ours)
    friend = next((who for who in acting(state) if members[who].side in ours), "") or next(
        who for who in state.roster.order if members[who].side in ours
    )
    for which, ledger in enumerate(ledgers):
        shell.done("--ledger", ledger, "seat", "jane", friend)
        for words in hidden(system, foe, friend, which):
            shell.done("--ledger", ledger, *words)
    with served(ledgers[0]) as one, served(ledgers[1]) as other:
        verbs = [verb["verb"] for verb in json.loads(one.ask("/form", method="GET")[1])["verbs"]]
        lines = [f"{verb} {friend} {foe}" for verb in verbs] + [f"{verb} {friend}" for verb in verbs]
        lines += [f"attack {friend} nobody", f"attack {foe} {friend}", f"attack . {foe}", "attack @due x", "attack"]
        said: list[list[bytes]] = [[], []]
        asked = [("/needs", {"line": line}) for line in lines]
        asked += [("/propose", {"id": f"equal-{at:05}", "line": line}) for at, line in enumerate(lines[:3])]
        for given, server in zip(said, (one, other), strict=True):
            given.append(server.ask("/form", method="GET")[1])
        for path, body in asked:  # of both by turns: each answers five a second
            for given, server in zip(said, (one, other), strict=True):
                while (answer := server.ask(path, "Jane", body))[0] == 429:
                    time.sleep(0.05)
                given.append(b"%d %s" % answer)
    assert said[0] == said[1]


def test_the_game_master_decides_on_another_machine_that_shares_the_database(shell: Shell):
    ledger = Postgres().place()
    shell.done("--ledger", ledger, "init", "Club", "--system", "freepg")
    for line in ("join boffin", "join grub", "seat jane boffin"):
        shell.done("--ledger", ledger, *line.split())
    sent = {"id": "far-00001", "line": "roll 1d20 --who boffin", "dice": [7]}
    with served(ledger) as server:
        server.told("/propose", body=sent)
        assert "1  Jane: roll 1d20 --who Boffin (dice 7)" in shell.done("--ledger", ledger, "proposals")
        shell.done("--ledger", ledger, "accept")
        assert server.told("/propose", body=sent)["state"] == "recorded"
    shell.done("--ledger", ledger, "verify")
