"""What-if: fights of the past under another house rule. The numbers were worked out by hand from the rules."""

import contextlib
import gc
import hashlib
import hmac
import io
import json
import os
import shutil
import signal
import subprocess
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.past.processes import ProcessLost, shared
from commands.shell.cli import run
from commands.what_if import tasks
from commands.what_if.house_rule import Wanted
from commands.what_if.what_if import answers
from commands.words.discovery import opened
from ledger.events import decode
from ledger.sqlite import SqliteStore
from ledger.store import Store
from tests.shell import Shell, command, environment, foreign, forge
from tests.test_golden import FIXTURES, STORIES, golden_of

pytestmark = pytest.mark.slow

DEMOS = Path(__file__).parent.parent / "commands" / "rules"


@pytest.fixture(scope="module")
def goldens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every golden ledger, the five demos among them."""
    folder = tmp_path_factory.mktemp("goldens")
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        for story in STORIES:
            path = folder / f"{story.parent.name}-{story.stem}.affray"
            assert run(["import", str(golden_of(story)), str(path)]) == 0
    assert len(STORIES) == len([*FIXTURES.glob("*/*.jsonl")])
    return folder


@pytest.fixture
def demos(shell: Shell, goldens: Path) -> Shell:
    """A shell in a folder with the ledger of each demo, such as `freepg.affray`."""
    for system in systems.SYSTEMS:
        shutil.copy(goldens / f"{system}-demo.affray", f"{system}.affray")
    return shell


def told(shell: Shell, *words: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The summary and the fights, as `--json` gives them."""
    summary, *fights = map(json.loads, shell.done("what-if", *words, "--json").splitlines())
    return summary, fights


def readings(some: list[dict[str, str]]) -> dict[str, tuple[str, str]]:
    return {one["name"]: (one["recorded"], one["what_if"]) for one in some}


# Numbers worked out by hand


def test_freepg_the_least_damage_of_a_hit(demos: Shell):
    """Brak hits Boffin with 11 + 2 - 11 defense - 2 mail = 0 at e24. At least 3: 55 - 3 = 52. Other hits do more."""
    summary, (fight,) = told(demos, "freepg.affray", "--option", "min_hit_damage=3")
    assert (summary["fights"], summary["differ"], summary["changed"], summary["dice"]) == (1, 1, {}, 0)
    assert fight["difference"]["entry"] == 24
    (boffin,) = fight["fighters"]
    assert (boffin["name"], boffin["entry"]) == ("Boffin", 24)
    assert readings(boffin["first"]) == readings(boffin["end"]) == {"hp": ("55", "52")}


def test_aachen_the_least_damage_of_a_hit(demos: Shell):
    """Goblin-2 hits Brun, who has 9, with 6 - 1 STR = 5 at e20, and Goblin-3 with 5 - 1 = 4 at e21. At least 6: 9 - 6 =
    3, and then 0 as before: nothing differs at the end.
    """
    _, (fight,) = told(demos, "aachen.affray", "--option", "min_hit_damage=6")
    (brun,) = fight["fighters"]
    assert (brun["entry"], readings(brun["first"]), brun["end"]) == (20, {"hp": ("4", "3")}, [])
    assert fight["recorded"] == fight["what_if"]


def test_arkm_the_least_damage_of_a_hit(demos: Shell):
    """Arbalist hits Brenna, who has 19, with 3 + 1 crossbow = 4 at e16. At least 5: 14. Corm takes 3 at e23: 5 is 2
    more. In the field a militia of 10 does 2 x 10 and 3 x 10: the least is that of the whole blow, so nothing differs.
    """
    summary, (bridge, field) = told(demos, "arkm.affray", "--option", "minimum_damage=5")
    brenna, corm = bridge["fighters"]
    assert (brenna["entry"], readings(brenna["end"])) == (16, {"hp": ("15", "14")})
    assert (corm["entry"], readings(corm["first"]), readings(corm["end"])) == (
        23, {"hp": ("28", "26")}, {"hp": ("15", "13")}
    )  # fmt: skip
    assert (summary["differ"], field["differs"], field["fighters"]) == (1, False, [])


def test_paraverse_the_pain_of_bleeding(demos: Shell):
    """Reaver has 4 pain and Endurance 6, and bleeds at e17: 4 + 2 pain leave Stamina 0, and it falls; with 1 it stood.
    Ildar has 2 and Endurance 5, and falls of 2 + 1 + 2 at e27. So both armies stand with one less.
    """
    _, (fight,) = told(demos, "paraverse.affray", "--option", "bleeding_pain=2")
    assert fight["difference"]["entry"] == 17
    found = {one["name"]: one for one in fight["fighters"]}
    assert readings(found["Reaver"]["first"]) == {"pain": ("5", "6"), "down": ("-", "unconscious")}
    assert (found["Ildar"]["entry"], readings(found["Ildar"]["end"])["down"]) == (27, ("-", "unconscious"))
    assert set(fight["what_if"]["fell"]) - set(fight["recorded"]["fell"]) == {"Ildar"}


def face(key: bytes, place: int, sides: int) -> int:
    """A die by `docs/proof.md`, worked out by another library."""
    block = hmac.digest(key, place.to_bytes(8, "big") + (0).to_bytes(4, "big"), "sha256")
    word = int.from_bytes(block[:4], "big")
    assert word < 2**32 - 2**32 % sides
    return word % sides + 1


def test_dungeoneers_stress_buys_dice_that_the_record_lacks(demos: Shell):
    """At e33 two dice of prowess show 1 and 2, and four of stress belong to the same roll; as d4s of their own they are
    another one. The record lacks these four: they come from the entry alone, and the sum is 1 + 2 + theirs.
    """
    summary, (fight,) = told(demos, "dungeoneers.affray", "--option", "stress_hit_die=d4")
    assert (summary["dice"], fight["dice"], fight["difference"]["entry"]) == (4, 4, 33)
    with contextlib.closing(foreign("dungeoneers.affray")) as ledger:
        bodies = [body.encode() for (body,) in ledger.execute("SELECT body FROM events WHERE entry = 33 ORDER BY seq")]
    framed = b"".join(len(text).to_bytes(8, "big") + text for text in (b"33", *bodies))
    key = hmac.digest(b"what-if", hashlib.sha256(framed).digest(), "sha256")
    faces = [face(key, place, 4) for place in (1, 2, 3, 4)]
    shown = f"+4d4 [{'+'.join(map(str, faces))}] {sum(faces)} stress"
    assert f"hit {3 + sum(faces)} (2d4 [1*+2*] 3 {shown})" in "\n".join(fight["difference"]["what_if"])
    assert told(demos, "dungeoneers.affray", "--option", "stress_hit_die=d4") == (summary, [fight])


def test_arkm_a_table_of_the_house(demos: Shell):
    """Orc-2 fumbles with a 1 at e22 and drops its sword; in the table of the house it falls."""
    rows = [("1", "1", "fall"), ("2", "6", "drop")]
    text = "".join(f'[[rows]]\nlo = {lo}\nhi = {hi}\neffect = "{effect}"\ntext = "it"\n' for lo, hi, effect in rows)
    Path("my.toml").write_text(f'die = "1d6"\n{text}')
    summary, (bridge, _) = told(demos, "arkm.affray", "--table", "fumble=my.toml")
    assert summary["tables"] == {"fumble": "my.toml"}
    assert bridge["difference"]["entry"] == 22
    (orc,) = [one for one in bridge["fighters"] if one["name"] == "Orc-2"]
    assert "prone" in readings(orc["end"])
    assert "arkm has no option" not in demos.done("what-if", "arkm.affray", "--table", "fumble=my.toml")


# The same rule, and rules that the ledger sets itself


def in_force(store: Store) -> dict[str, str]:
    """The options as they are before the first fight; without those that are set later."""
    (first, _), *_ = store.of_kinds("encounter-began")
    found: dict[str, Any] = {name: one.default for name, one in systems.load(store.system()).options.items()}
    for entry, body in store.of_kinds("option-changed"):
        event = decode(body)
        if entry < first:
            found[event.option] = event.value
        else:
            found.pop(event.option, None)
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in found.items()}


def test_the_rule_that_was_in_force_changes_nothing_in_any_golden_ledger(goldens: Path):
    """All options at once, as they were: every entry of every fight comes out as it was recorded."""
    fights = set_there = 0
    for path in sorted(goldens.glob("*.affray")):
        with contextlib.closing(opened(str(path))) as store:
            options = in_force(store)
            set_there += len(store.of_kinds("option-changed"))
        for answer in answers(Wanted(options), [str(path)], 1):
            assert (answer.failure, answer.unfit) == (None, ())
            for one in answer.compared:
                fights += 1
                assert (one.differs, one.impossible, one.dice, one.fighters) == (False, 0, 0, ())
                assert one.recorded == one.what_if
    assert fights > len(STORIES)
    assert set_there > 10


MILL = (
    "init Mill --system freepg", "join boffin ogre", "begin", "initiative --dice 17,4",
    "option min_hit_damage 2", "attack boffin ogre --dice 16,14", "end",
)  # fmt: skip


def played(shell: Shell, *lines: str) -> None:
    for line in lines:
        shell.done(*line.split())


def test_an_option_that_the_ledger_sets_gives_way(shell: Shell):
    """Under the same value the fight is as it was; under another one the ledger's own `option` changes nothing."""
    played(shell, *MILL)
    _, (same,) = told(shell, "--option", "min_hit_damage=2")
    assert not same["differs"]
    _, (other,) = told(shell, "--option", "min_hit_damage=9")
    (ogre,) = other["fighters"]
    assert (ogre["name"], ogre["entry"], other["difference"]["entry"]) == ("Ogre", 6, 6)
    assert readings(ogre["end"])["hp"][1] == "31"


def test_a_table_that_the_ledger_sets_is_the_same_or_another(shell: Shell):
    """No blow was fumbled, so nothing changes."""
    for name, effect in (("mine", "fall"), ("other", "drop")):
        rows = f'[[rows]]\nlo = 1\nhi = 6\neffect = "{effect}"\ntext = "it"\n'
        Path(f"{name}.toml").write_text(f'die = "1d6"\n{rows}')
    played(shell, "init Mill --system arkm", "table fumble mine.toml", "join orc fighter", "begin", "end")
    for name in ("mine", "other"):
        _, (fight,) = told(shell, "--table", f"fumble={name}.toml")
        assert not fight["differs"]


def test_an_option_that_begin_sets_gives_way(demos: Shell):
    """The rule under which a paraverse fight begins, typed or in its file, is the one that is tried."""
    Path("hall.toml").write_text('areas = ["hall"]\noption = {bleeding_pain = "3"}\n')
    said = ("--ledger", "hall.affray")
    demos.done(*said, "init", "Hall", "--system", "paraverse")
    demos.done(*said, "begin", "--from", "hall.toml")
    demos.done(*said, "end")
    demos.done(*said, "begin", "--option", "bleeding_pain=4")
    _, fights = told(demos, "hall.affray", "--option", "bleeding_pain=2")
    assert [(one["differs"], one["ended"]) for one in fights] == [(False, True), (False, False)]


# Courses


def test_only_the_course_that_stands_counts(shell: Shell):
    """An undone blow is not resolved, an undone fight is no fight, and an amended blow is resolved as amended."""
    played(shell, *MILL[:4], "attack boffin ogre --dice 16,14", "undo",
           "attack boffin ogre --dice 16,13", "end", "begin", "undo",
           "amend e7 --because misread --dice 16,12 --apply")  # fmt: skip
    summary, (fight,) = told(shell, "--option", "min_hit_damage=9")
    assert (summary["fights"], fight["entries"], fight["impossible"]) == (1, 4, 0)
    (ogre,) = fight["fighters"]
    with contextlib.closing(SqliteStore.open("mill.affray")) as store:
        again = [entry for entry, _ in store.resolved_again(store.head().entry)]
    assert (ogre["entry"], fight["difference"]["entry"]) == (again[0], again[0])


def test_each_fight_begins_as_it_was_recorded(shell: Shell):
    """In the first fight the ogre would have died of the rule; in the second it stands again, and loses as much."""
    played(shell, *MILL[:4], "attack boffin ogre --dice 16,14", "end", "begin", "initiative --dice 17,4",
           "attack boffin ogre --dice 2,19", "end")  # fmt: skip
    summary, (first, second) = told(shell, "--option", "min_hit_damage=90")
    assert (first["what_if"]["fell"], first["what_if"]["won"], first["recorded"]["won"]) == (
        ["Ogre"], "party", "undecided"
    )  # fmt: skip
    assert (first["recorded"]["rounds"], first["what_if"]["rounds"]) == (1, 1)
    assert (second["differs"], second["impossible"]) == (False, 0)
    assert summary["changed"] == {"who fell": 1, "who won": 1}
    assert {one["what"]: (one["recorded"], one["what_if"]) for one in summary["outcomes"]} == {
        "party won": (0, 1), "undecided": (2, 1), "foes fell": (0, 1), "rounds": (2, 2)
    }  # fmt: skip


def test_what_is_not_possible_any_more_is_counted_by_its_clause(shell: Shell):
    """The ogre is dead at e5 and cannot strike at e10. What a sheet said, a note and a dispute stand."""
    played(shell, *MILL[:4], "attack boffin ogre --dice 16,14", "assert ogre.hp 39",
           "dispute e5 unfair", "settle e5 stands fair", "note hm", "done",
           "attack ogre boffin --dice 3,4")  # fmt: skip
    _, (fight,) = told(shell, "--option", "min_hit_damage=90")
    assert (fight["impossible"], fight["stuck"], sum(fight["clauses"].values())) == (1, 11, 1)
    assert all(clause.startswith("freepg.") for clause in fight["clauses"])


def test_an_entry_of_older_rules_keeps_its_facts_where_todays_rules_differ(shell: Shell):
    """Older rules took 4 at e7 where today's take 1, and 0 at e9 as today's do: the rule changes only e9, 55 - 9."""
    played(shell, *MILL[:4], "attack boffin ogre --dice 16,14", "undo", "attack boffin ogre --dice 16,14", "done",
           "attack ogre boffin --dice 3,4")  # fmt: skip
    older = "UPDATE entries SET program = 'affray 0.0.1 freepg-0' WHERE entry > 4"
    forge("mill.affray", older, ("UPDATE events SET body = replace(body, ?, ?) WHERE entry = 7",
                                 ('"points":1', '"points":4')))  # fmt: skip
    _, (fight,) = told(shell, "--option", "min_hit_damage=9")
    assert (fight["kept"], fight["difference"]["entry"]) == (1, 9)
    (boffin,) = fight["fighters"]
    assert readings(boffin["end"]) == {"hp": ("55", "46")}


def test_a_script_tries_a_rule_on_its_own_ledger(shell: Shell):
    played(shell, *MILL)
    Path("try.fight").write_text("what-if --option min_hit_damage=9\n")
    os.rename("mill.affray", "other.affray")
    shell.done("init", "Nothing", "--system", "freepg")
    assert "Ogre hp" in shell.done("--ledger", "other.affray", "run", "try.fight")


# The dice, the key and the file


def test_the_key_of_the_campaign_changes_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Two ledgers of one fight with the same typed dice and other keys: the same answer, and nobody reads a key."""
    said = []
    for folder, digit in (("one", "1"), ("two", "2")):
        Path(folder).mkdir()
        monkeypatch.chdir(folder)
        shell.done("--ledger", "crypt.affray", "init", "Crypt", "--system", "dungeoneers", "--key", digit * 64)
        shell.done("--ledger", "crypt.affray", "run", str(DEMOS / "dungeoneers" / "demo.fight"))
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "_key", lambda _: pytest.fail("the key is read"))
            said.append(shell.done("what-if", "crypt.affray", "--option", "stress_hit_die=d4", "--json"))
        monkeypatch.chdir("..")
    assert json.loads(said[0].splitlines()[0])["dice"] == 4
    assert said[0] == said[1]
    assert Path("one/crypt.affray").read_bytes() != Path("two/crypt.affray").read_bytes()


def test_the_ledgers_stay_as_they_are(demos: Shell):
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in Path().iterdir()}
    demos.done("what-if", ".", "--option", "min_hit_damage=3", "--jobs", "2")
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in Path().iterdir()} == before


# Processes


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes share even the shortest work."""
    monkeypatch.setattr("commands.past.processes.ALONE", 0)


def test_one_process_and_eight_give_the_same_answer(demos: Shell, at_once: None):
    """Byte for byte, failures too."""
    Path("junk.affray").write_text("junk")
    files = ("paraverse.affray", "junk.affray", "arkm.affray")
    rule = ("--option", "minimum_damage=5", "--option", "bleeding_pain=2")
    one, eight = (demos("what-if", *files, *rule, "--jobs", jobs, "--json") for jobs in ("1", "8"))
    assert one == eight
    assert (one.code, len(one.out.splitlines())) == (2, 1 + 3 + 1)


def test_a_large_ledger_is_shared_by_its_fights(shell: Shell, monkeypatch: pytest.MonkeyPatch, at_once: None):
    """Several fights of one ledger, each a task of its own, one by one and by two processes."""
    played(shell, *MILL[:4], "attack boffin ogre --dice 16,14", "end")
    for die in ("2", "3", "1"):
        played(shell, "begin", "initiative --dice 17,4", f"attack boffin ogre --dice 16,1{die}", "end")
    whole = shell.done("what-if", "--option", "min_hit_damage=9", "--jobs", "1", "--json")
    monkeypatch.setattr(tasks, "TOGETHER", 1)
    assert len([*answers(Wanted({"min_hit_damage": "9"}), ["mill.affray"], 1)]) == 5
    assert shell.done("what-if", "--option", "min_hit_damage=9", "--jobs", "1", "--json") == whole
    assert shell.done("what-if", "--option", "min_hit_damage=9", "--jobs", "2", "--json") == whole


def test_the_ledger_is_asked_as_often_for_many_fights_as_for_few(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Each question may be a round trip to a server."""
    asked: list[str] = []
    for name in ("entries", "after", "course", "bodies", "checkpoint", "check_unbroken", "of_kinds", "resolved_again"):
        method = getattr(SqliteStore, name)
        monkeypatch.setattr(
            SqliteStore, name, lambda *said, method=method, name=name: (asked.append(name), method(*said))[1]
        )
    played(shell, *MILL[:2])
    counted = []
    for many in (1, 5):
        for _ in range(many):
            played(shell, "begin", "initiative --dice 17,4", "attack boffin ogre --dice 16,14", "end")
        asked.clear()
        assert told(shell, "--option", "min_hit_damage=9")[0]["fights"] == sum((1, 5)[: 1 + len(counted)])
        counted.append(len(asked))
    assert counted[0] == counted[1]


def test_a_process_that_ends_by_itself_is_missed(at_once: None):
    with pytest.raises(ProcessLost, match="has ended"):
        [*shared(os._exit, [1], 2)]  # type: ignore[arg-type]


def _again(task: bytes) -> tuple[bytes, tuple[bytes, ...]]:
    return task[::-1], ()


def test_no_process_waits_for_another_whatever_goes_through_the_pipes(at_once: None):
    """Tasks and answers of a megabyte, and small ones between them."""
    tasks = [bytes([nth]) * (1_000_000 if nth % 3 else 7) for nth in range(30)]
    assert [*shared(_again, tasks, 3)] == tasks


@pytest.mark.parametrize("whole", [True, False], ids=["group", "alone"])
def test_ctrl_c_ends_every_process(whole: bool, goldens: Path, tmp_path: Path):
    """Whether the terminal tells all of them or only the first one: a sentence, and nothing is left."""
    for story in goldens.glob("paraverse-*.affray"):
        for nth in range(25):
            shutil.copy(story, tmp_path / f"{story.stem}-{nth}.affray")
    words = command("what-if", ".", "--option", "bleeding_pain=2", "--jobs", "2")
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        while not (started := children(process.pid)):
            assert process.poll() is None
            time.sleep(0.01)
        (os.killpg if whole else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (130, "", "Interrupted. Nothing was recorded.")
    assert not [child for child in started if alive(child)]


def test_a_process_whose_parent_is_killed_ends(goldens: Path, tmp_path: Path):
    for story in goldens.glob("paraverse-*.affray"):
        for nth in range(25):
            shutil.copy(story, tmp_path / f"{story.stem}-{nth}.affray")
    words = command("what-if", ".", "--option", "bleeding_pain=2", "--jobs", "3")
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while len(started := children(process.pid)) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert not [child for child in started if alive(child)]


def children(process: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    return []


def alive(process: int) -> bool:
    """Whether a process still runs, a moment later at the latest."""
    for _ in range(500):
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
        except OSError:
            return False
        time.sleep(0.02)
    return True


def test_nobody_reads_the_answer(demos: Shell):
    words = command("what-if", "freepg.affray", "--option", "min_hit_damage=3")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(words, env=environment(), stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_memory_does_not_grow_with_the_ledgers(goldens: Path):
    path = str(goldens / "freepg-demo.affray")

    def kept(times: int) -> int:
        """The bytes that are in use when the last answer has come."""
        for answer in answers(Wanted({"min_hit_damage": "3"}), [path] * times, 1):
            assert answer.failure is None
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        kept(1)
        assert kept(6) - kept(2) < 10_000
    finally:
        tracemalloc.stop()


# What is said wrong


def test_what_is_said_wrong_is_answered_in_a_sentence(demos: Shell):
    refused = demos.refused
    refused("what-if", code=2)
    refused("what-if", "--option", "min_hit_damage", code=2)
    refused("what-if", "freepg.affray", "--option", "fumbles=no", code=2)
    refused("what-if", "freepg.affray", "--option", "min_hit_damage=x", code=2)
    refused("what-if", "freepg.affray", "--table", "fumble=none.toml", code=2)
    refused("what-if", "--option", "fumbles=no", code=2)
    refused("what-if", ".", "--option", "fumbles=no", "--system", "chess", code=2)
    refused("what-if", "arkm.affray", "--option", "fumbles=no", "--system", "freepg", code=2)
    Path("none").mkdir()
    refused("what-if", "none", "--option", "fumbles=no", code=2)
    refused("what-if", "gone.affray", "--option", "fumbles=no", code=2)
    Path("table.toml").write_text("rows = 1\n")
    refused("what-if", "arkm.affray", "--table", "fumble=table.toml", code=2)
    refused("what-if", "freepg.affray", "--table", "fumble=table.toml", code=2)


def test_an_option_that_a_rule_system_lacks_is_said_once(demos: Shell):
    """The others are resolved, and a rule of several parts holds where a rule system has one of them."""
    shutil.copy("arkm.affray", "again.affray")
    said = demos.done("what-if", ".", "--option", "min_hit_damage=3")
    assert said.count("arkm has no option min_hit_damage. 2 ledgers were left out.") == 1
    assert said.startswith("What if min_hit_damage=3? 2 fights of 2 ledgers, ")
    summary, _ = told(demos, ".", "--option", "min_hit_damage=3", "--option", "minimum_damage=5")
    assert summary["ledgers"] == 4
    assert {one["system"]: one["left_out"] for one in summary["unfit"]} == {
        "aachen": 0, "arkm": 0, "dungeoneers": 1, "freepg": 0, "paraverse": 1
    }  # fmt: skip
    assert told(demos, ".", "--option", "min_hit_damage=3", "--system", "aachen")[0]["ledgers"] == 1


def test_a_ledger_that_cannot_be_resolved_is_named_and_the_others_are_answered(demos: Shell):
    demos.done("--ledger", "freepg.affray", "export", "seen.jsonl", "--player-safe")
    demos.done("import", "seen.jsonl", "seen.affray")
    shutil.copy("freepg.affray", "struck.affray")
    forge("struck.affray", "UPDATE events SET body = '{}' WHERE entry = 24")
    files = ("freepg.affray", "seen.affray", "struck.affray", "gone.affray")
    answer = demos("what-if", *files, "--option", "min_hit_damage=3")
    assert answer.code == 5
    assert answer.out.startswith("What if min_hit_damage=3? 1 fight of 2 ledgers, 27 entries")
    lines = answer.err.splitlines()
    assert [line for line in lines if line.startswith("Error: ")] == [
        "Error: seen.affray holds only what the players see; its fights cannot be resolved again.",
        next(line for line in lines if line.startswith("Error: struck.affray, fight 1: e24 holds an event that ")),
        "Error: There is no ledger at gone.affray.",
    ]
    objects = [*map(json.loads, demos("what-if", *files, "--option", "min_hit_damage=3", "--json").out.splitlines())]
    assert [one["ok"] for one in objects] == [False, True, False, False, False]
    assert [one.get("ledger") for one in objects[2:]] == ["seen.affray", "struck.affray", "gone.affray"]


def test_a_fault_in_a_rule_is_no_traceback(demos: Shell, monkeypatch: pytest.MonkeyPatch):
    """Of a sound ledger it is ours; of a damaged one the damage is named."""
    monkeypatch.setattr("commands.what_if.fights.Course", lambda *_: 1 // 0)
    answer = demos("what-if", "freepg.affray", "--option", "min_hit_damage=3")
    assert answer.code == 70
    assert "freepg.affray, fight 1: this is a fault of Affray, not yours: ZeroDivisionError" in answer.err
    forge("freepg.affray", "UPDATE events SET body = replace(body, 'Boffin', 'Bobbin') WHERE entry = 24")
    demos.refused("what-if", "freepg.affray", "--option", "min_hit_damage=3", code=5)


def test_lines_fit_a_narrow_terminal(demos: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    said = demos.done("what-if", "paraverse.affray", "--option", "bleeding_pain=2")
    assert not [line for line in said.splitlines() if len(line) > 40]


def test_places_are_shown_only_when_asked(demos: Shell):
    said, full = (
        demos.done("what-if", "paraverse.affray", "--option", "bleeding_pain=2", *more) for more in ((), ("--full",))
    )
    assert ("Hakon area" in said, "Hakon area" in full) == (False, True)


# A database


def test_a_database_is_resolved_like_a_folder(demos: Shell):
    """Every campaign of it, or one by its address."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    from tests.engines import Postgres

    club = Postgres()
    places = [club.place(), club.place()]
    for name, place in zip(("freepg", "aachen"), places, strict=True):
        demos.done("copy", f"{name}.affray", place)
    _, (file,) = told(demos, "freepg.affray", "--option", "min_hit_damage=3")
    _, (one,) = told(demos, places[0], "--option", "min_hit_damage=3")
    assert {**one, "ledger": ""} == {**file, "ledger": ""}
    summary, fights = told(demos, places[0].partition("#")[0], "--option", "min_hit_damage=3", "--jobs", "2")
    assert summary["ledgers"] == 2
    assert fights[0] == one


def test_who_decides_the_same_makes_no_difference(shell: Shell):
    """Adalger's natural 20 is 26 against 14, and Guard's natural 1 is 2 against 15: the totals hit and miss as well."""
    shell.done("init", "test", "--system", "aachen")
    for line in ("join adalger guard", "begin", "initiative --dice 8,1", "attack adalger guard --dice 20,1", "done"):
        shell.done(*line.split())
    shell.done("attack", "guard", "adalger", "--dice", "1")
    assert [fight["differs"] for fight in told(shell, "--option", "naturals=false")[1]] == [False]
    shell.done("round")
    shell.done("attack", "adalger", "guard", "--mod", "30:blessed", "--dice", "1")
    assert [fight["differs"] for fight in told(shell, "--option", "naturals=false")[1]] == [True]
