"""A language model at the table: what it may say, what it is answered, and a client that is broken or means harm."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.agents.table import Answered, Refusal, Table, named
from commands.shell.cli import shell as doors
from commands.shell.group import GROUP
from commands.shell.run import _DEMO_KEY
from commands.shell.tools import TOOLS
from ledger.sqlite import SqliteStore
from tests.sample import WHOLE, sampled
from tests.shell import LAUNCH, Shell, command, environment

DOORS = doors()
POWERS = [
    "adjust jane hp 3 why", "undo", "redo", "amend e2", "option death 1", "stir words", "reveal dice",
    "settle e1 stands why", "join grub", "begin", "end", "note text", "leave jane", "roll 1d6 --allow why",
    "roll 1d6 --dice 3", "roll 1d6 --secret",
    "roll 1d6 --dice=3", "roll 1d6 = 3", "roll 1d6 --dic 3", "damage jane 3 why",
]  # fmt: skip
"""Lines that only the game master may say."""
NEVER = [
    "export x.jsonl", "copy --to x", "import x y", "run x", "demo freepg", "init Other", "serve", "play", "mcp",
    "backup .",
    "archive x", "salvage x y", "completion bash", "sheet new x.toml", "--ledger other.affray status", "--version", "",
]  # fmt: skip
"""Lines that nobody may say who is a program."""


@pytest.fixture
def model(table: Shell) -> Table:
    """A model at a table where two stand in a fight."""
    table.done("join", "jane", "grub", "--at", "0,0/1,0")
    table.done("begin")
    table.done("initiative", "--dice", "9,2")
    return Table(DOORS)


def test_what_can_be_done_is_said_with_its_head_and_on_another_head_it_is_asked_again(model: Table):
    could = model.choices("")
    assert "attack Grub; rolls 1d20, their 1d20" in could.data["choices"]["Jane"]
    head = could.data["head"]
    assert could.text.endswith(f"head: {head}")
    assert model.act(["attack jane grub"], "a", head).data["recorded"] == ["e5"]
    before = bytes_of()
    refused(model.act(["done"], "b", head), "Something else was recorded meanwhile")
    assert bytes_of() == before
    assert "already recorded as e5" in model.act(["attack jane grub"], "a", head).text, "the same call, sent again"
    refused(model.choices("nobody"), "Nobody at the table is called 'nobody'.")


def bytes_of(ledger: str = "test.affray") -> bytes:
    return Path(ledger).read_bytes()


def entries(ledger: str) -> list[Any]:
    """The entries of a ledger, each with who gave it and what it holds."""
    store = SqliteStore.open(ledger)
    found = [entry for entry, _ in store.entries(1, store.head().entry)]
    store.close()
    return found


def refused(answer: Answered, says: str) -> None:
    assert answer.failed
    assert says in answer.text, answer.text
    assert answer.data["ok"] is False
    assert answer.data["error"]["message"] in answer.text.replace("\n", " ")


def test_an_action_answers_with_its_outcome_its_arithmetic_and_what_is_due(model: Table):
    answer = model.act(["attack jane grub"], "a")
    assert not answer.failed
    (told,) = answer.data["entries"]
    assert answer.data["recorded"] == [f"e{told['entry']}"]
    assert told["lines"][0]["outcome"] in answer.text
    assert told["lines"][0]["arithmetic"][0] in answer.text
    assert answer.data["now"] == ["Jane"]
    assert "Now: Jane" in answer.text
    assert model.act(["done"], "b").data["now"] == ["Grub"]


def test_the_same_call_twice_is_recorded_once(model: Table):
    lines = ["roll 1d6", "roll 1d6", "roll 1d8"]
    first, before = model.act(lines, "same"), bytes_of()
    again = model.act(lines, "same")
    assert bytes_of() == before
    assert len(first.data["recorded"]) == 3
    assert "recorded" not in again.data or again.data["recorded"] == []
    assert [one["lines"] for one in again.data["entries"]] == [one["lines"] for one in first.data["entries"]]
    assert all(one["repeated"] for one in again.data["entries"])


def test_lines_go_on_up_to_the_first_that_fails_and_go_on_from_there(model: Table):
    wrong = model.act(["roll 1d6", "attack jane nobody", "roll 1d8"], "x")
    refused(wrong, "Line 2, attack jane nobody: Error: Nobody at the table is called 'nobody'.")
    (recorded,) = wrong.data["recorded"]
    assert f"Recorded before that: {recorded}." in wrong.text
    right = model.act(["roll 1d6", "attack jane grub", "roll 1d8"], "x")
    assert len(right.data["recorded"]) == 2
    assert [one["repeated"] for one in right.data["entries"]] == [True, False, False]


def test_what_somebody_else_records_meanwhile_is_not_told_as_the_models_own(
    model: Table, table: Shell, monkeypatch: pytest.MonkeyPatch
):
    """The numbers are those of what was done, not of all that the ledger holds since."""
    tell = model.tell
    number = 0

    def slowly(done: Any) -> None:
        nonlocal number
        tell(done)
        number += 1
        table.done("note", f"another pen {number}")

    monkeypatch.setattr(model, "tell", slowly)
    answer = model.act(["roll 1d6", "roll 1d8"], "a")
    assert [(entry.entry, entry.typed) for entry in entries("test.affray")[-4:]] == [
        (5, "roll --once a 1d6"), (6, "note 'another pen 1'"), (7, "roll --once a.2 1d8"),
        (8, "note 'another pen 2'"),
    ]  # fmt: skip
    assert answer.data["recorded"] == ["e5", "e7"]
    wrong = model.act(["roll 1d6", "attack jane nobody"], "b")
    assert wrong.data["recorded"] == ["e9"]


def test_an_id_that_another_line_has_is_refused(model: Table):
    model.act(["roll 1d6"], "x")
    refused(model.act(["roll 1d8"], "x"), "The command id 'x' is taken")


def test_a_refusal_has_its_clause_and_hints_that_work(model: Table):
    model.act(["attack jane grub", "done"], "a")
    answer = model.act(["attack jane grub"], "b")
    refused(answer, "Refused by ")
    problem = answer.data["error"]
    assert problem["clause"].startswith("freepg.")
    assert problem["hints"]
    assert not any("--once" in hint or "--ledger" in hint for hint in problem["hints"])


@pytest.mark.parametrize("line", POWERS)
def test_a_model_has_none_of_the_powers_of_a_gm(line: str, model: Table):
    before = bytes_of()
    refused(model.act([line], "a"), "is for the game master at a terminal.")
    assert bytes_of() == before


@pytest.mark.parametrize("line", NEVER)
@pytest.mark.parametrize("gm", [False, True])
def test_a_model_never_reads_or_writes_a_file(line: str, gm: bool, model: Table):
    before, files = bytes_of(), sorted(os.listdir())
    for answer in (Table(DOORS, gm).act([line], "a"), Table(DOORS, gm).look(line)):
        assert answer.failed, answer.text
    assert (bytes_of(), sorted(os.listdir())) == (before, files)


def test_a_look_names_no_path(model: Table):
    assert model.look("sheet /etc/passwd").failed


def test_every_verb_is_for_a_model_by_its_card_alone(model: Table):
    """A verb of a combatant or of the turn may be said, a game master's may not, and one that looks only looks."""
    for name, card in {**systems.COMMON, **systems.load("freepg").verbs, **TOOLS}.items():
        if name == "odds":
            continue
        verb = GROUP.get_command(GROUP.make_context("affray", [], resilient_parsing=True), name)
        model._tool = "act"
        with (
            nullcontext()
            if card.kind == "looks" or card.by != "gm"
            else pytest.raises(Refusal, match="for the game master")
        ):
            model.admit(name, card, verb.about, {})


def test_with_the_powers_of_a_gm_it_brings_in_and_corrects(model: Table):
    gm = Table(DOORS, gm=True)
    for nth, line in enumerate(["join boffin --at 2,2", "attack jane grub --dice 20,7", "undo --yes", "note 'a note'"]):
        answer = gm.act([line], f"r{nth}")
        assert not answer.failed, answer.text
        assert len(answer.data["recorded"]) == 1


def test_sheets_come_from_the_examples_or_from_the_folder(model: Table):
    os.mkdir("hidden")
    for folder in (".", "hidden"):
        Path(folder, "imp.toml").write_text('size = "small"\n', encoding="utf-8")
    gm = Table(DOORS, gm=True)
    for word in ("imp", "imp.toml", "./imp.toml", "hidden/imp.toml", f"{os.getcwd()}/imp.toml", "../x", "hidden"):
        refused(gm.act([f"join {word}"], word[:9]), "There is no sheet ")
    assert not gm.act(["join boffin --at 3,3"], "b").failed
    folder = Table(DOORS, gm=True, folder=os.path.abspath("hidden"))
    assert not folder.act(["join imp --at 4,4"], "i").failed
    refused(folder.act(["join ../imp.toml"], "u"), "There is no sheet ")
    refused(folder.act(["begin --from /etc/passwd"], "p"), "There is no encounter ")


def test_a_look_records_nothing_and_an_action_is_no_look(model: Table):
    before = bytes_of()
    for line in ("status", "affray log --last 3", "why jane.hp", "odds attack jane grub", "help attack", "show grub"):
        answer = model.look(line)
        assert not answer.failed, answer.text
        assert answer.text
    refused(model.look("attack jane grub"), "attack does not only look.")
    assert bytes_of() == before


def test_odds_that_take_long_are_refused_with_an_estimate_that_is_quick(model: Table, monkeypatch: pytest.MonkeyPatch):
    """Nobody is there who could stop them."""
    monkeypatch.setattr("commands.odds.outcomes._SAMPLE", 0)
    monkeypatch.setattr("commands.odds.outcomes.LONG", 0)
    answer = model.look("odds attack jane grub")
    refused(answer, "To count all of about 400 ways takes 0 seconds.")
    (hint,) = answer.data["error"]["hints"]
    assert hint == "affray odds --draws 20000 attack jane grub"
    assert not model.look(hint.replace("20000", "100")).failed


def test_what_dice_an_action_needs_is_told_without_recording(model: Table):
    before = bytes_of()
    (needed,) = model.needs("attack jane grub").data["entries"]
    assert [(one["who"], one["dice"]) for one in needed["needs"]] == [("Jane", "1d20"), ("Grub", "1d20")]
    refused(model.needs("attack jane nobody"), "Nobody at the table is called 'nobody'.")
    assert bytes_of() == before


@pytest.mark.slow
def test_a_very_long_answer_is_cut(model: Table):
    for nth in range(40):
        model.act(["roll 40d20"] * 10, f"n{nth}")
    answer = model.look("log --last 400")
    assert len(answer.text) < 25_000
    assert answer.text.endswith("ask for less, as by log --last 20.")


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("claude-ai", "mcp:claude-ai"), ("", "mcp:unnamed"), (" \n\t ", "mcp:unnamed"),
        ("a\x1b[2Jb\0", "mcp:a\\x1b[2Jb\\x00"),
        ("x" * 1_000_000, f"mcp:{'x' * 60}"), ("gm", "mcp:gm"), ("Nora  Smith", "mcp:Nora Smith"),
    ],
)  # fmt: skip
def test_the_name_of_a_client_is_kept_in_a_form_that_harms_nobody(name: str, by: str):
    assert named(name) == by
    assert by.isprintable()


def test_entries_are_by_the_client_and_its_dice_are_thrown_by_hand(model: Table):
    gm = Table(DOORS, gm=True)
    gm.by = named("storyteller")
    gm.act(["roll 1d6 --dice 5"], "d")
    last = entries("test.affray")[-1]
    assert last.by == "mcp:storyteller"
    rolled = json.loads(last.bodies[1])
    assert (rolled["faces"], rolled["places"]) == ([5], [0])


def script(system: str) -> list[str]:
    """The lines of the demo fight of a rule system."""
    with open(os.path.join(systems.folder(system), "demo.fight"), encoding="utf-8") as demo:
        return [line.strip() for line in demo if line.strip() and not line.startswith("#")]


def told(ledger: str) -> list[tuple[str, ...]]:
    return [entry.bodies for entry in entries(ledger)]


@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_a_fight_by_act_alone_is_the_fight_of_the_shell(system: str, shell: Shell):
    shell.done("demo", system)
    shell.done("--ledger", "other.affray", "init", f"Demo of {system}", "--system", system, "--key", _DEMO_KEY)
    os.environ["AFFRAY_LEDGER"] = "other.affray"
    try:
        answer = Table(DOORS, gm=True).act(script(system), "demo")
    finally:
        del os.environ["AFFRAY_LEDGER"]
    assert not answer.failed, answer.text
    assert told("other.affray") == told(f"demo-{system}.affray")
    assert shell("--ledger", "other.affray", "verify").code == 0


# The real process


@asynccontextmanager
async def client(*words: str, mode: str = "auto", name: str = "tester") -> AsyncIterator[Any]:
    """The official client, with a server of its own."""
    from mcp import Client, Implementation, StdioServerParameters, stdio_client

    program, *rest = command(*words)
    server = StdioServerParameters(command=program, args=rest, env=environment({"PYTHONPATH": str(LAUNCH)}))
    with open(os.devnull, "w") as nowhere:
        transport = stdio_client(server, errlog=nowhere)
        async with Client(transport, mode=mode, client_info=Implementation(name=name, version="1")) as connected:
            yield connected


def meet(talk: Callable[[Any], Coroutine[Any, Any, None]], *words: str, **how: str) -> None:
    async def met() -> None:
        async with client(*words, **how) as connected:
            await talk(connected)

    asyncio.run(met())


async def all_of_it(model: Any) -> None:
    """Asks a server for all that it has, and for what it does not have."""
    assert {tool.name for tool in (await model.list_tools()).tools} == {"look", "act", "choices", "needs"}
    assert [prompt.name for prompt in (await model.list_prompts()).prompts] == ["gm"]
    (message,) = (await model.get_prompt("gm")).messages
    assert "You are the game master" in message.content.text
    rolled = await model.call_tool("act", {"lines": ["roll 1d6"], "once": "r"})
    assert rolled.structured_content["recorded"] == ["e2"]
    looked = await model.call_tool("look", {"line": "log --last 1"})
    assert rolled.structured_content["entries"][0]["lines"][0]["outcome"] in looked.content[0].text
    for tool, said in (("look", {}), ("act", {"lines": [], "once": "x"}), ("needs", {"line": "x", "more": 1})):
        assert (await model.call_tool(tool, said)).is_error
    with pytest.raises(Exception, match="There is no tool"):
        await model.call_tool("export", {"line": "x"})
    with pytest.raises(Exception, match="There is no prompt"):
        await model.get_prompt("other")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_both_eras_of_the_protocol_are_spoken(mode: str, table: Shell):
    """The one that begins with a handshake, and the one in which every request says who sends it."""
    meet(all_of_it, "mcp", mode=mode, name="story\x1bteller")
    assert entries("test.affray")[-1].by == "mcp:story\\x1bteller"


@pytest.mark.slow
def test_the_server_needs_no_process_of_its_own(table: Shell):
    """So the lowest version of the SDK that is allowed is tried, too."""
    from mcp import Client

    from commands.agents.protocol import _server

    async def met() -> None:
        with ThreadPoolExecutor(1) as hands:
            async with Client(_server(Table(DOORS), hands)) as connected:
                await all_of_it(connected)

    asyncio.run(met())


@pytest.mark.slow
@pytest.mark.parametrize("system", systems.SYSTEMS if WHOLE else systems.SYSTEMS[:1])
def test_the_official_client_plays_a_demo_as_the_shell_does(system: str, shell: Shell):
    shell.done("demo", system)
    shell.done("--ledger", "other.affray", "init", f"Demo of {system}", "--system", system, "--key", _DEMO_KEY)

    async def talk(model: Any) -> None:
        for nth, line in enumerate(script(system)):
            answer = await model.call_tool("act", {"lines": [line], "once": f"line {nth}"})
            assert not answer.is_error, answer.content[0].text

    meet(talk, "--ledger", "other.affray", "mcp", "--gm")
    assert told("other.affray") == told(f"demo-{system}.affray")


HELLO = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}  # fmt: skip
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "act", "arguments": {}}}


class Raw:
    """A client that sends what it likes."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.process = subprocess.Popen(
            words or command("mcp"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )

    def send(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def say(self, message: Any) -> None:
        self.send(json.dumps(message).encode())

    def greet(self) -> None:
        self.say(HELLO)
        assert self.hear()["id"] == 0
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def hear(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def hear_of(self, number: int) -> Any:
        """The answer to a request; others may come before it."""
        while (heard := self.hear()).get("id") != number:
            pass
        return heard

    def leave(self) -> str:
        """Goes away, and gives what the server wrote on standard error."""
        _, said = self.process.communicate(timeout=30)
        assert self.process.returncode == 0
        return said.decode()


def hostile(count: int) -> list[bytes]:
    """Messages that no client should send; none of them is an action that the rules allow."""
    rng = random.Random(7)
    values: list[Any] = [
        None, True, -1, 10**400, 1e308, "", "\0", "x" * 100_000, "\ud800", "\x1b[2J", [], [[]], {}, {"": {}},
        ["export x.md"], ["undo"], ["roll 1d6 --dice 3"], ["join /etc/passwd"], ["--ledger x status"], ["' unclosed"],
        ["roll " + "9" * 3000], ["attack jane grub"] * 60, ["roll 1d6\nundo"],
    ]  # fmt: skip
    names: list[Any] = ["act", "look", "needs", "export", "", None, 5, "act\0", {}]
    methods: list[Any] = [
        "tools/call",
        "tools/list",
        "resources/read",
        "prompts/get",
        "initialize",
        "x" * 9999,
        "",
        None,
        4,
    ]
    lines: list[bytes] = [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b"1" * 10_000,
        b"[" * 100_000,
        b'{"jsonrpc":"2.0"}',
        b"\0",
    ]
    while len(lines) < count:
        params: Any = {
            "name": rng.choice(names),
            "arguments": {
                rng.choice(["lines", "line", "once", "what"]): rng.choice(values),
                rng.choice(["lines", "line", "once"]): rng.choice(values),
            },
            "uri": rng.choice(values),
        }
        message = {
            "jsonrpc": rng.choice(["2.0", "2.0", "2.0", "1.0", None]),
            "id": rng.choice([5, "5", None, 10**30, 1.5, [], True]),
            "method": rng.choice(methods),
            "params": rng.choice([params, params, params, rng.choice(values)]),
        }
        line = json.dumps(message).encode()
        lines.append(line if rng.random() < 0.8 else line[: rng.randrange(len(line))].replace(b"\n", b""))
    return lines


@pytest.mark.slow
def test_hostile_messages_harm_nobody(table: Shell):
    """A server that got them goes on, has recorded nothing, and says no more than an error for each."""
    before, files = bytes_of(), sorted(os.listdir())
    raw = Raw()
    raw.greet()
    heard: list[bytes] = []
    assert raw.process.stdout
    ears = threading.Thread(target=lambda: heard.extend(iter(raw.process.stdout.readline, b"")))
    ears.start()
    for line in hostile(500 if WHOLE else 80):
        raw.send(line)
    raw.say({**CALL, "id": 999, "params": {"name": "look", "arguments": {"line": "status"}}})
    while not any(json.loads(line).get("id") == 999 for line in heard):
        assert raw.process.poll() is None
    assert raw.process.stdin
    raw.process.stdin.close()
    ears.join(30)
    assert raw.process.wait(30) == 0
    assert raw.process.stderr
    said = raw.process.stderr.read().decode()
    raw.process.stdout.close()
    raw.process.stderr.close()
    assert "Traceback" not in said, said[:3000]
    answers = [json.loads(line) for line in heard]
    assert not json.loads(json.dumps(answers[-1]))["result"].get("isError")
    assert b"fault of Affray" not in b"".join(heard)
    assert (bytes_of(), sorted(os.listdir())) == (before, files)


@pytest.mark.slow
def test_a_client_that_goes_away_or_cancels_leaves_whole_calls(table: Shell):
    raw = Raw()
    raw.greet()
    act = {"name": "act", "arguments": {"lines": ["roll 1d6"] * 20, "once": "first"}}
    raw.say({**CALL, "id": 1, "params": act})
    raw.say({**CALL, "id": 2, "params": {**act, "arguments": {**act["arguments"], "once": "second"}}})
    raw.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
    assert len(raw.hear_of(1)["result"]["structuredContent"]["recorded"]) == 20
    raw.say({**CALL, "id": 3, "params": {**act, "arguments": {**act["arguments"], "once": "third"}}})
    assert raw.leave() == ""
    assert len(entries("test.affray")) in (21, 41, 61)
    assert table("verify").code == 0


def test_a_busy_ledger_is_one_error_and_the_next_call_succeeds(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_WAIT", "0.2")
    model = Table(DOORS)
    other = SqliteStore.open("test.affray")
    with other.writing():
        refused(model.act(["roll 1d6"], "a"), "busy")
    other.close()
    assert not model.act(["roll 1d6"], "a").failed


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_without_another_word(sign: signal.Signals, table: Shell):
    raw = Raw()
    raw.greet()
    raw.process.send_signal(sign)
    assert raw.leave() == ""


SIGNALLED = """
import concurrent.futures.thread as threads, os, signal, sys

SIGN = getattr(signal, sys.argv.pop())
begin = threads.ThreadPoolExecutor._adjust_thread_count

def at_the_worst(self):
    os.kill(os.getpid(), SIGN)
    begin(self)

threads.ThreadPoolExecutor._adjust_thread_count = at_the_worst
import affray
from commands.shell.main import main
main()
"""
"""A server that gets a signal while the first call is handed over, under the lock of what hands it over."""


@pytest.mark.slow
@pytest.mark.parametrize("sign", ["SIGINT", "SIGTERM"])
def test_a_signal_while_the_first_call_is_handed_over_ends_the_server(sign: str, table: Shell):
    raw = Raw((sys.executable, "-c", SIGNALLED, "mcp", sign))
    raw.greet()
    raw.say({**CALL, "id": 1, "params": {"name": "look", "arguments": {"line": "status"}}})
    assert raw.leave() == ""


def test_without_a_ledger_or_with_json_the_server_does_not_start(shell: Shell):
    shell.refused("mcp", code=2)
    shell.done("init", "Test", "--system", "freepg")
    shell.refused("mcp", "--sheets", "nowhere", code=2, ledger="test.affray")
    assert shell("mcp", "--json").code == 2
