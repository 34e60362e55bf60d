"""A second program, in JavaScript and written from `docs/store.md`, and `affray verify` come to the same verdict."""

import hashlib
import hmac
import importlib.util
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from commands.action.book import Book
from commands.action.systems import SYSTEMS
from commands.files.transfer import read_file
from commands.past.soundness import examine
from ledger import dice
from ledger.chain import Blinds, Entry, digest, leaf, secret
from ledger.errors import AffrayError
from ledger.events import KINDS, Declared, Event, Joined, Ruled, tag
from ledger.sqlite import SqliteStore
from tests.forgeries import Forger, chained_anew, framed, leaf_of, leaves_of, open_dice, said, say_place, stand
from tests.proof import die
from tests.sample import sampled
from tests.shell import Shell

ROOT = Path(__file__).parent.parent
VERIFIER = [ROOT / "commands" / "seen" / "page" / name for name in ("kinds.js", "verify.js")]
VECTORS = ROOT / "fixtures" / "proof-vectors.json"
NODE = shutil.which("node")
FORGERIES = int(os.environ.get("AFFRAY_FORGERIES", "50"))
"""Of all systems together; `.ci/run` makes 500, and 20,000 were tried."""
LONGEST = 300
"""Seconds for 500 files, of which each takes some ten milliseconds: none keeps the second verifier for ever."""
Verdict = tuple[Any, str]
"""The head line and "sound"; else the first entry that is not, and the check that finds it."""
needs_node = pytest.mark.skipif(not NODE, reason="node is not installed (Debian's nodejs)")


def by_javascript(paths: Iterable[Path]) -> list[Verdict]:
    assert NODE
    words = [NODE, str(ROOT / "tests" / "verdicts.js"), *map(str, VERIFIER)]
    said = "\n".join(map(str, paths))
    done = subprocess.run(words, input=said, capture_output=True, text=True, check=True, timeout=LONGEST)
    return [tuple(one) if isinstance(one, list) else one for one in json.loads(done.stdout)]


def by_affray(path: Path) -> Verdict:
    """What `affray verify FILE --check chain,dice` says."""
    made = path.with_suffix(".affray")
    try:
        read_file(str(path), str(made))
    except AffrayError as error:
        line = re.search(r", line (\d+)", error.message)
        return (int(line[1]) - 1 if line else 0), "chain"
    store = SqliteStore.open(str(made))
    try:
        found = examine(Book(store), ("chain", "dice"))
    finally:
        store.close()
        made.unlink()
    wrong = [one for one in found.findings if one.sort == "damage"]
    return (wrong[0].entry, wrong[0].check) if wrong else (found.head, "sound")


def test_the_second_verifier_stays_small_enough_to_be_read():
    """It reads canonical JSON by itself, because no other reader refuses what is not: the forms take half of it."""
    assert len(VERIFIER[1].read_text(encoding="utf-8").splitlines()) <= 360


def test_the_kinds_of_the_second_verifier_are_those_of_the_program():
    """`python docs/kinds.py > commands/seen/page/kinds.js` makes them anew."""
    spec = importlib.util.spec_from_file_location("kinds", ROOT / "docs" / "kinds.py")
    assert spec
    assert spec.loader
    kinds = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kinds)
    assert VERIFIER[0].read_text(encoding="utf-8") == kinds.page()


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_the_open_fields_of_a_kind_are_its_first(kind: type[Event]):
    """But for those that stand elsewhere in the record: `instant`, and the numbers of a person and of a ruling."""
    if kind not in (Declared, Joined, Ruled):
        assert kind.__struct_fields__[: len(kind.OPEN)] == kind.OPEN


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("system", sampled(SYSTEMS, every=len(SYSTEMS)))
def test_both_find_every_demo_sound(system: str, shell: Shell, tmp_path: Path):
    shell.done("demo", system)
    ledger = f"demo-{system}.affray"
    for words in (["stir", "Wild Boars!"], ["roll", "3d6"], ["stir", "2"], ["reveal", "dice"]):
        shell.done("--ledger", ledger, *words)
    whole, players = tmp_path / "whole.jsonl", tmp_path / "players.jsonl"
    shell.done("--ledger", ledger, "export", str(whole))
    shell.done("--ledger", ledger, "export", str(players), "--player-safe")
    head = shell.done("--ledger", ledger, "verify").splitlines()[-1]
    assert by_javascript([whole, players]) == [(head, "sound")] * 2
    assert [by_affray(whole), by_affray(players)] == [(head, "sound")] * 2


@pytest.fixture
def exports(shell: Shell, tmp_path: Path) -> tuple[Path, Path]:
    """A small ledger with everything that is checked: whole, and for players."""
    shell.done("--ledger", "small.affray", "init", "Small", "--system", "freepg", "--key", "00" * 31 + "07")
    for words in (
        ["join", "boffin", "ogre"],
        ["attack", "ogre", "boffin"],
        ["stir", "Gold & Größe"],
        ["attack", "boffin", "ogre"],
        ["undo"],
        ["attack", "boffin", "ogre"],
        ["roll", "2d6", "--why", "who comes"],
        ["note", "--secret", "The ogre is a spy."],
        ["amend", "e7", "--as", "attack boffin ogre --as 'a blow'", "--because", "a test", "--apply"],
        ["stir", "2"],
        ["stir", "3"],
        ["reveal", "dice"],
        ["reveal", "dice", "--hidden"],
        ["roll", "1d20", "--who", "boffin", "--dice", "3"],
    ):
        shell.done("--ledger", "small.affray", *words)
    whole, players = tmp_path / "whole.jsonl", tmp_path / "players.jsonl"
    shell.done("--ledger", "small.affray", "export", str(whole))
    shell.done("--ledger", "small.affray", "export", str(players), "--player-safe")
    return whole, players


ON_TOP = (
    "note one", "undo", "redo", "amend last --insert 'note two' --apply", "stir 'Gold & Größe'", "roll 3d6",
    "note --secret 'The second is a spy.'", "roll 1d20 --secret", "undo", "roll 2d8", "amend last --because no --apply",
    "stir 2", "reveal dice", "reveal dice --hidden", "roll 1d20 --dice 3", "roll 2d6", "note three",
    "join {foe} --seen-as Stranger --called Baron", "undo", "join {foe} --seen-as Stranger --called Duke",
    "join {foe} --seen-as Stranger --called Duke --allow 'from behind the gate'", "rename Stranger Guest",
)  # fmt: skip
"""What is recorded after the first lines of a demo, so that everything that is checked is there."""
REVEALED = ("reveal Guest", "stir 3", "reveal dice", "reveal dice --hidden", "roll 1d20 --who Duke")
"""What is recorded between the files before a reveal and after it, besides the secret entry."""
FOES = {"freepg": "grub", "aachen": "guard", "arkm": "orc", "dungeoneers": "skeleton", "paraverse": "thrall"}
LINES = 16
"""Of the demo, with the opening."""


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("system", sampled(SYSTEMS, 5))
def test_no_forgery_tells_another_story_under_one_head(system: str, shell: Shell, tmp_path: Path):
    """Whatever is changed in files of one ledger by somebody who holds its key, both verifiers come to one verdict. A
    file that passes under the head line of the ledger contradicts no other; and whatever its head line, a die of the
    program whose secret is open shows the face of its place, and no two actions name one place.
    """
    files = [path.read_text(encoding="utf-8").splitlines() for path in forgeable(system, shell, tmp_path)]
    truth = [said(lines) for lines in files]
    for nth, (one, other) in enumerate(combinations(truth, 2)):
        assert not contradictions(one, other), nth
    key = bytes.fromhex(json.loads(files[0][0])["key"])
    forger = Forger(files, key)
    head = json.loads(files[0][-1])["digest"]
    every = range(max(1, FORGERIES // len(SYSTEMS)))
    for start in every[::500]:
        made = [forger.forge(seed) for seed in every[start : start + 500]]
        paths = [tmp_path / f"forged{nth}.jsonl" for nth in range(len(made))]
        for path, forgery in zip(paths, made, strict=True):
            path.write_text("\n".join(forgery.lines) + "\n", encoding="utf-8", errors="surrogatepass")
        found = by_javascript(paths)
        for nth, (path, forgery, verdict) in enumerate(zip(paths, made, found, strict=True), start):
            found_too = by_affray(path)
            if is_text(path):
                assert found_too == verdict, (nth, forgery.what)
            else:  # one of them reads the whole file first, the other line by line
                assert found_too[1] == verdict[1] == "chain", (nth, forgery.what)
            path.unlink()
            if verdict[1] == "sound":
                actions = dict[int, int]()
                for origin, place, _, _ in open_dice(forgery.lines, key):
                    assert actions.setdefault(place, origin) == origin, (nth, forgery.what)
                if verdict[0].endswith(head):
                    for one in truth:
                        assert not contradictions(said(forgery.lines), one), (nth, forgery.what)


def is_text(path: Path) -> bool:
    """Whether a file is UTF-8."""
    with suppress(UnicodeDecodeError):
        return path.read_text(encoding="utf-8") is not None
    return False


def forgeable(system: str, shell: Shell, tmp_path: Path) -> list[Path]:
    """One ledger of a system, as an exporter may give it: whole; for players of this side or that, or of none; from a
    copy; and before a reveal.
    """
    ledger, begun = ("--ledger", "forged.affray"), tmp_path / "begun.jsonl"
    lines = (ROOT / "fixtures" / system / "demo.jsonl").read_text(encoding="utf-8").splitlines()
    begun.write_text("\n".join(lines[:LINES]) + "\n", encoding="utf-8")
    shell.done("import", str(begun), "forged.affray")
    values = json.loads(shell.done(*ledger, "status", "--json"))["values"]
    sides = {side for name, side in values.items() if name.endswith(".side")}
    for line in ON_TOP:
        shell(*ledger, *shlex.split(line.format(foe=FOES[system])))
    exported = [("--ledger", "copied.affray")]
    exported += [(*ledger, ",".join(some)) for some in ((), *((side,) for side in sorted(sides)), tuple(sorted(sides)))]
    paths = [tmp_path / "whole.jsonl", *(tmp_path / f"players{nth}.jsonl" for nth in range(len(exported)))]
    before = tmp_path / "before.jsonl"
    shell.done(*ledger, "export", str(before), "--player-safe")
    secret_one = where(before.read_text(encoding="utf-8").splitlines(), '"sealed":"secret"')
    for line in (f"reveal e{secret_one}", *REVEALED):
        shell.done(*ledger, *shlex.split(line))
    shell.done("copy", "forged.affray", "copied.affray")
    shell.done(*ledger, "export", str(paths[0]))
    for path, (_, name, *some) in zip(paths[1:], exported, strict=True):
        words = ["--sides", some[0]] if some and some[0] else []
        shell.done("--ledger", name, "export", str(path), "--player-safe", *words)
    return [*paths, before]


def contradictions(one: dict[tuple[Any, ...], str], other: dict[tuple[Any, ...], str]) -> list[tuple[Any, ...]]:
    """Where two files say different things."""
    return [place for place in one.keys() & other.keys() if one[place] != other[place]]


def forged(path: Path, entry: int, old: str, new: str) -> list[str]:
    """A file in which an entry says something else, every digest made to follow."""
    lines = path.read_text(encoding="utf-8").splitlines()
    quoted = ('\\"'.join(word.split('"')) for word in (old, new)) if '"players"' in lines[0] else (old, new)
    was, is_ = quoted
    assert was in lines[entry], (entry, was)
    lines[entry] = lines[entry].replace(was, is_, 1)
    return chained_anew(lines)


def where(lines: list[str], word: str) -> int:
    """The entry whose line first holds a word."""
    return next(at for at, line in enumerate(lines) if word in line)


def rolled(path: Path, entry: int) -> tuple[str, str]:
    """The faces and the places of the first roll of an entry that has dice, as they are written."""
    line = path.read_text(encoding="utf-8").splitlines()[entry].replace('\\"', '"')
    faces = line[line.index('"faces":[') : line.index("]", line.index('"faces":[')) + 1]
    places = line[line.index('"places":[') : line.index("]", line.index('"places":[')) + 1]
    return faces, places


@pytest.fixture
def evening(shell: Shell, tmp_path: Path) -> list[str]:
    """The lines of a players' file: attacks in e3 and e5, secret rolls in e6 to e8 that e9 to e11 reveal, an undo, and
    the secrets of all dice at the end.
    """
    ledger = ("--ledger", "t.affray")
    shell.done(*ledger, "init", "T", "--system", "freepg", "--key", "00" * 31 + "07")
    for words in (
        ["join", "boffin", "ogre"],
        ["attack", "boffin", "ogre"],
        ["note", "The ogre yawns."],
        ["attack", "ogre", "boffin"],
        ["roll", "1d20", "--secret"],
        ["roll", "1d20", "--secret"],
        ["roll", "1d20", "--secret"],
        ["reveal", "e6"],
        ["reveal", "e7"],
        ["reveal", "e8"],
        ["roll", "2d6", "--who", "boffin"],
        ["undo"],
        ["stir", "dragons"],
        ["reveal", "dice"],
        ["reveal", "dice", "--hidden"],
    ):
        shell.done(*ledger, *words)
    shell.done(*ledger, "export", "p.jsonl", "--player-safe", "--sides", "party,foes")
    lines = Path("p.jsonl").read_text(encoding="utf-8").splitlines()
    Path("p.jsonl").unlink()
    return lines


def halves_of(lines: list[dict[str, Any]], entry: int, kind: str) -> list[Any]:
    """The open half of the first event of a kind in an entry, and the closed one: blind and text, or its leaf."""
    events = lines[entry - 1]["parts"]["events"]
    found: list[Any] = next(halves for halves in events if f'"event":"{kind}"' in halves[0] + str(halves[1]))
    return found


def put(lines: list[dict[str, Any]], entry: int, kind: str, old: str, new: str, which: int = 0) -> None:
    """Changes words in a half."""
    halves = halves_of(lines, entry, kind)
    text = halves[1][1] if which else halves[0]
    assert old in text, halves
    halves[which] = [halves[1][0], text.replace(old, new, 1)] if which else text.replace(old, new, 1)


def closed(lines: list[dict[str, Any]], entry: int, nth: int) -> None:
    """Leaves an open half out."""
    events = lines[entry - 1]["parts"]["events"]
    events[nth][0] = hashlib.sha256(framed(events[nth][0].encode())).hexdigest()


def all_open(lines: list[dict[str, Any]], entry: int, kind: str) -> None:
    """Says both halves of an event as its open one."""
    halves = halves_of(lines, entry, kind)
    halves[:] = [halves[0] + halves[1][1], ""]


def open_with(lines: list[dict[str, Any]], closed: Any) -> None:
    """Puts a closed half to an event of which all is open."""
    halves = halves_of(lines, 13, "retracted")
    assert halves[1] == ""
    halves[1] = closed


def divided(lines: list[dict[str, Any]], closed: Any) -> None:
    """Takes the last brace off an event of which all is open, and puts a closed half in its place."""
    open_with(lines, closed)
    halves = halves_of(lines, 13, "retracted")
    halves[0] = halves[0][:-1]


def leave_out(lines: list[dict[str, Any]], entry: int, nth: int) -> None:
    """Shows only the leaf of a closed half."""
    parts = lines[entry - 1]["parts"]
    parts["events"][nth][1] = leaf_of(parts["events"][nth][1]).hex()
    if not isinstance(parts["words"], str):
        parts["words"] = leaf_of(parts["words"]).hex()


def all_closed(lines: list[dict[str, Any]], entry: int) -> None:
    """Hides an entry that a reveal has opened, as though it were still secret."""
    parts = lines[entry - 1]["parts"]
    whole = hashlib.sha256(framed(bytes.fromhex(parts["blind"]), leaves_of(parts))).hexdigest()
    lines[entry - 1]["parts"] = {"sealed": parts["sealed"], "leaf": whole}


def sealed_as(lines: list[dict[str, Any]], entry: int, seal: str) -> None:
    """Seals an entry that is shown."""
    lines[entry - 1]["parts"] = {"sealed": seal, "blind": "00" * 16, **lines[entry - 1]["parts"]}


def left_out_as(lines: list[dict[str, Any]], entry: int, seal: str) -> None:
    """Leaves an entry out, under a seal."""
    sealed_as(lines, entry, seal)
    all_closed(lines, entry)


def again(lines: list[dict[str, Any]], entry: int, **columns: int) -> None:
    """An entry once more, as the last one."""
    last = len(lines)
    copy = json.loads(json.dumps(lines[entry - 1]))
    copy |= {"entry": last + 1, "after": last, "command": last + 1, "origin": last + 1, **columns}
    lines.append(copy)


def ruled_twice(lines: list[dict[str, Any]], entry: int) -> None:
    """A second ruling in an entry, on the same thing."""
    events = lines[entry - 1]["parts"]["events"]
    ruled = next(halves for halves in events if '"event":"ruled"' in halves[0])
    events.append(json.loads(json.dumps(ruled).replace("hit\\", "miss\\")))


def at_place(lines: list[dict[str, Any]], places: tuple[int, int, int]) -> None:
    """The three revealed rolls name these hidden places, and show what these show."""
    key = bytes.fromhex("00" * 31 + "07")
    for entry, place in zip((6, 7, 8), places, strict=True):
        found = halves_of(lines, entry, "rolled")[1]
        found[1] = re.sub(r'"faces":\[\d+\],"places":\[-\d+\]',
                          f'"faces":[{die(-place, 20, key=key)}],"places":[{-place}]', found[1])  # fmt: skip


def secret_as(lines: list[dict[str, Any]], write: Callable[[str], str]) -> None:
    """Writes the last revealed secret in another way."""
    halves = halves_of(lines, 15, "dice-revealed")
    digits = re.findall("[0-9a-f]{64}", halves[0])[-1]
    put(lines, 15, "dice-revealed", digits, write(digits))


def stirred_with(lines: list[dict[str, Any]], words: str) -> None:
    """Says and stirs the same words, which are no words of a stir."""
    put(lines, 14, "declared", '"dragons"', f'"{words}"', 1)
    put(lines, 14, "stirred", '"dragons"', f'"{words}"')


ROLL = '"dice":"1d20"'
FORGED: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "a told sentence": lambda lines: lines[3]["parts"].update(told="Boffin gives the ogre his sword"),
    "a told sentence in a secret entry": lambda lines: all_closed(lines, 6) or lines[5]["parts"].update(told="x"),
    "a field in both halves": lambda lines: put(lines, 3, "ruled", '"}', '","outcome":"hit"}', 1),
    "a field twice": lambda lines: put(lines, 3, "ruled", '"event":"ruled"', '"event":"ruled","event":"ruled"'),
    "a blank": lambda lines: put(lines, 3, "ruled", ":", ": "),
    "an escape that need not be": lambda lines: put(lines, 4, "declared", "note", "n\\u006fte"),
    "an unknown kind": lambda lines: put(lines, 3, "ruled", '"ruled"', '"blessed"'),
    "an unknown field": lambda lines: put(lines, 3, "ruled", '"event":"ruled"', '"event":"ruled","luck":1'),
    "nothing in place of a closed half": lambda lines: halves_of(lines, 3, "rolled").__setitem__(1, ""),
    "all of an event as its open half": lambda lines: all_open(lines, 3, "rolled"),
    "an empty closed half where all is open": lambda lines: open_with(lines, ["00" * 16, ""]),
    "the last brace of an open event as its closed half": lambda lines: divided(lines, ["00" * 16, "}"]),
    "a leaf for the last brace of an open event": lambda lines: divided(lines, leaf_of(["00" * 16, "}"]).hex()),
    "a leaf beside all of an open event": lambda lines: open_with(lines, "00" * 32),
    "no half at all": lambda lines: lines[3]["parts"]["events"].append(["", ""]),
    "what must be open": lambda lines: closed(lines, 3, 3),
    "what a reveal has opened": lambda lines: all_closed(lines, 7),
    "a blow under the seal of a plan": lambda lines: sealed_as(lines, 3, "plan Boffin"),
    "a blow under the seal of a secret": lambda lines: sealed_as(lines, 3, "secret"),
    "a part of a blow under the seal of a plan": lambda lines: (
        sealed_as(lines, 3, "plan Ogre"),
        leave_out(lines, 3, 0),
    ),
    "a secret without a seal": lambda lines: [lines[5]["parts"].pop(name) for name in ("sealed", "blind")],
    "a part of a secret": lambda lines: leave_out(lines, 6, 1),
    "a plan in free words": lambda lines: left_out_as(lines, 3, "plan Boffin gives the ogre his sword and"),
    "a good die again": lambda lines: again(lines, 3, origin=3),
    "a good die again, without a word": lambda lines: again(lines, 3),
    "a jump without an undo": lambda lines: again(lines, 4, after=4),
    "a command and an origin that are nowhere": lambda lines: again(lines, 4, command=500, origin=700),
    "a negative command": lambda lines: again(lines, 4, command=-1),
    "after its own entry": lambda lines: again(lines, 4, after=len(lines) + 1),
    "after a later entry": lambda lines: lines[3].update(after=9),
    "another entry taken back": lambda lines: put(lines, 13, "retracted", "[12]", "[11]"),
    "an undo that takes nothing back": lambda lines: lines[12].update(after=12),
    "an entry that is taken back without a word": lambda lines: lines[12]["parts"]["events"].pop(),
    "after in words": lambda lines: lines[4].update(after="4"),
    "after with a fraction": lambda lines: lines[4].update(after=4.0),
    "another column": lambda lines: lines[4].update(told=True),
    "an entry that stands, as though it did not": lambda lines: lines[4].update(stands=False),
    "an entry that was taken back, as though it stood": lambda lines: lines[11].update(stands=True),
    "whether it stands in words": lambda lines: lines[4].update(stands="true"),
    "two rulings on one thing": lambda lines: ruled_twice(lines, 3),
    "a hidden place thrice": lambda lines: at_place(lines, (198, 198, 198)),
    "hidden places that fall": lambda lines: at_place(lines, (3, 2, 1)),
    "two places for a die": lambda lines: put(lines, 3, "rolled", '"places":[', '"places":[9,', 1),
    "a die without sides": lambda lines: put(lines, 3, "rolled", ROLL, '"dice":"1d0"', 1),
    "no die": lambda lines: put(lines, 3, "rolled", ROLL, '"dice":"0d20"', 1),
    "a die with too many sides": lambda lines: put(lines, 3, "rolled", ROLL, '"dice":"1d8589934592"', 1),
    "the events of an entry gone": lambda lines: lines[3]["parts"].update(events=[]),
    "no entry at all": lambda lines: lines.clear(),
    "a revealed secret in capitals": lambda lines: secret_as(lines, str.upper),
    "a revealed secret with a blank": lambda lines: secret_as(lines, lambda digits: f"{digits[:2]} {digits[2:]}"),
    "a plan with a sign in its name": lambda lines: left_out_as(lines, 3, "plan Boffin&Ogre"),
    "a plan of a name that begins with a sign": lambda lines: left_out_as(lines, 3, "plan -Boffin"),
    "other words than were stirred": lambda lines: put(lines, 14, "declared", '"dragons', '"gold', 1),
    "words that are none": lambda lines: put(lines, 14, "declared", '"words":"dragons"', '"words":null', 1),
    "a sign among the stirred words": lambda lines: stirred_with(lines, "dra gons"),
    "a capital among the stirred words": lambda lines: stirred_with(lines, "\u00c4"),
}
"""What an unfair game master may write into a players' file before every digest is made to follow."""


@pytest.mark.slow
@needs_node
def test_no_forgery_that_was_ever_thought_of_is_sound(evening: list[str], tmp_path: Path):
    """Both verifiers refuse each of them, in the same entry and for the same check."""
    opening, *texts = evening
    paths = []
    for nth, (name, change) in enumerate([("", lambda lines: None), *FORGED.items()]):
        lines = [*map(json.loads, texts)]
        change(lines)
        forger = Forger([], b"")
        with suppress(KeyError, TypeError, ValueError, AttributeError, struct.error):
            forger.chain(lines, whole=False)
            if "stands" not in name and "stood" not in name:
                stand(lines)
        paths.append(tmp_path / f"forged{nth}.jsonl")
        paths[-1].write_text("\n".join([opening, *map(forger.text, lines)]) + "\n", encoding="utf-8")
    heads = (opening.replace("{", '{"key":"' + "0" * 64 + '",', 1), opening.replace(":1", ":1.0", 1), opening[:-1])
    doubled = [line.replace('"events":', '"events":[],"events":', 1) for line in texts]
    for nth, lines in enumerate([*([head, *texts] for head in heads), [opening, *doubled]]):
        paths.append(tmp_path / f"written{nth}.jsonl")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    assert found[0][1] == "sound"
    names = ["the file itself", *FORGED, "another key", "another format", "a cut head", "events twice"]
    assert [name for name, (_, verdict) in zip(names, found, strict=True) if verdict == "sound"] == names[:1]


def event_of(lines: list[dict[str, Any]], entry: int, kind: str) -> dict[str, Any]:
    """The first event of a kind in an entry of a whole file."""
    found: dict[str, Any] = next(one for one in lines[entry - 1]["events"] if one["event"] == kind)
    return found


def once_more(lines: list[dict[str, Any]], entry: int, **columns: int) -> None:
    """An entry of a whole file once more, as the last one, with the dice that it says."""
    again(lines, entry, drawn=lines[-1]["drawn"], hidden=lines[-1]["hidden"])
    lines[-1] |= columns


FORGED_WHOLE: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "halves divided elsewhere": lambda lines: lines[2].update(splits=[1, *lines[2]["splits"][1:]]),
    "halves divided behind the end": lambda lines: lines[2].update(splits=[9999, *lines[2]["splits"][1:]]),
    "a split gone": lambda lines: lines[2]["splits"].pop(),
    "the events of an entry gone": lambda lines: lines[2].update(events=[], splits=[]),
    "no declaration": lambda lines: (lines[2]["events"].pop(0), lines[2]["splits"].pop(0)),
    "an unknown kind": lambda lines: event_of(lines, 3, "ruled").update(event="blessed"),
    "an unknown field": lambda lines: event_of(lines, 3, "ruled").update(luck=1),
    "a number with a fraction": lambda lines: event_of(lines, 3, "rolled").update(faces=[1.0]),
    "two rulings on one thing": lambda lines: [
        lines[2][name].append(lines[2][name][[one["event"] for one in lines[2]["events"]].index("ruled")])
        for name in ("splits", "events")
    ],
    "more dice than fell": lambda lines: lines[2].update(drawn=lines[2]["drawn"] + 1),
    "hidden dice that fell nowhere": lambda lines: lines[2].update(hidden=1),
    "a good die again": lambda lines: once_more(lines, 3, origin=3),
    "a good die again, without a word": lambda lines: once_more(lines, 3),
    "a jump without an undo": lambda lines: once_more(lines, 8, after=4),
    "a command and an origin that are nowhere": lambda lines: once_more(lines, 8, command=500, origin=700),
    "after its own entry": lambda lines: once_more(lines, 8, after=len(lines) + 1),
    "a negative command": lambda lines: once_more(lines, 8, command=-1),
    "another column": lambda lines: lines[4].update(told=True),
    "an entry that stands, as though it did not": lambda lines: lines[0].update(stands=False),
    "a command's id twice": lambda lines: [lines[at].update(once="phone-1") for at in (7, 8)],
    "an epoch without the next secret": lambda lines: event_of(lines, 4, "stirred")["commitments"].reverse(),
    "a secret in another's place": lambda lines: event_of(lines, len(lines) - 2, "dice-revealed")["secrets"].reverse(),
    "two places for a die": lambda lines: event_of(lines, 3, "rolled").update(places=[1, 2]),
    "a die without sides": lambda lines: event_of(lines, 3, "rolled").update(dice="1d0"),
    "a die with too many sides": lambda lines: event_of(lines, 3, "rolled").update(dice="1d8589934592"),
    "the campaign begun again, behind secrets that are revealed": lambda lines: once_more(lines, 1),
    "no entry at all": lambda lines: lines.clear(),
}
"""What may be written into a whole file, with the key, before every digest is made to follow."""


def test_what_is_no_play_is_not_taken_back_in_a_file_for_players(shell: Shell, tmp_path: Path):
    """Neither an undo nor a stir: e2 is taken back over both, brought back, and taken back again."""
    ledger = ("--ledger", "t.affray")
    shell.done(*ledger, "init", "T", "--system", "freepg", "--key", "00" * 31 + "07")
    for words in ("note one", "note two", "undo", "stir dragons", "note three", "undo e2", "redo", "undo e2"):
        shell.done(*ledger, *words.split())
    shell.done(*ledger, "export", "p.jsonl", "--player-safe")
    assert by_affray(Path("p.jsonl"))[1] == "sound"


@pytest.mark.slow
@needs_node
def test_no_forgery_of_a_whole_file_is_sound(exports: tuple[Path, Path], tmp_path: Path):
    """Both verifiers refuse each of them without any rules, in the same entry and for the same check."""
    opening, *texts = exports[0].read_text(encoding="utf-8").splitlines()
    forger, paths = Forger([], bytes.fromhex(json.loads(opening)["key"])), []
    for nth, (name, change) in enumerate([("", lambda lines: None), *FORGED_WHOLE.items()]):
        lines = [*map(json.loads, texts)]
        change(lines)
        with suppress(KeyError, TypeError, ValueError, AttributeError, struct.error):
            forger.chain(lines, whole=True)
            if "stands" not in name and "stood" not in name:
                stand(lines)
        paths.append(tmp_path / f"forged{nth}.jsonl")
        paths[-1].write_text("\n".join([opening, *map(forger.text, lines)]) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    names = ["the file itself", *FORGED_WHOLE]
    assert [name for name, (_, verdict) in zip(names, found, strict=True) if verdict == "sound"] == names[:1]


PLACES = {
    (3, (0, 0, 0)): True,
    (3, (0, 3, 0)): False,  # nobody joined by it before
    (5, (0, 3)): True,
    (5, (3, 0)): True,
    (5, (2, 1)): True,
    (5, (0, 4)): True,  # a fourth person
    (5, (0, 5)): False,  # a fifth, and no fourth
    (5, (2, 0)): False,  # the second twice
    (5, (3, 3)): False,
    (5, (1, 0)): False,  # their own place
    (5, (-1, 0)): False,
}
"""What each who joins may say of the place of their person, where e3 is the join of three and e5 resolves it again as
one of two; whether it is possible.
"""


@pytest.mark.slow
@needs_node
def test_who_joins_again_is_a_person_of_the_action_or_the_next(shell: Shell, tmp_path: Path):
    ledger = ("--ledger", "t.affray")
    shell.done(*ledger, "init", "T", "--system", "freepg", "--key", "00" * 31 + "07")
    for words in (
        ("join", "boffin"),
        ("join", "grub", "--count", "3"),
        ("amend", "e3", "--as", "join grub --count 2", "--because", "two", "--apply"),
    ):
        shell.done(*ledger, *words)
    paths = list[Path]()
    for options in ((), ("--player-safe",)):
        made = tmp_path / f"made{len(options)}.jsonl"
        shell.done(*ledger, "export", str(made), *options)
        opening, *texts = made.read_text(encoding="utf-8").splitlines()
        forger = Forger([], bytes.fromhex("00" * 31 + "07"))
        for nth, (entry, places) in enumerate(PLACES):
            lines = [*map(json.loads, texts)]
            line = lines[entry - 1]
            events = range(len(line["parts"]["events"] if options else line["events"]))
            joins = [at for at in events if say_place(forger, line, at, 0)]
            for at, place in zip(joins, places, strict=True):
                say_place(forger, line, at, place)
            forger.chain(lines, whole=not options)
            paths.append(tmp_path / f"forged{len(options)}-{nth}.jsonl")
            paths[-1].write_text("\n".join([opening, *map(forger.text, lines)]) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    expected = [True if sound else (entry, "chain") for (entry, _), sound in PLACES.items()] * 2
    assert [verdict[1] == "sound" or verdict for verdict in found] == expected


@pytest.mark.slow
@needs_node
def test_a_true_name_that_is_revealed_is_open_where_its_bearer_joined(shell: Shell, tmp_path: Path):
    """Also after an entry that is left out, where somebody else bears the same true name openly, where the name that
    everybody saw was changed, and where an undone join under another true name stays closed.
    """
    ledger = ("--ledger", "t.affray")
    shell.done(*ledger, "init", "T", "--system", "freepg", "--key", "00" * 31 + "07")
    for line in (
        "join boffin",
        "roll 1d20 --secret",
        "join ogre --seen-as Stranger --called Wolf",
        "undo",
        "join ogre --seen-as Stranger --called Baron",
        "join grub --seen-as Baroness --called Anna",
        "rename Stranger Guest",
        "reveal Guest",
        "reveal Anna",
    ):
        shell.done(*ledger, *shlex.split(line))
    sound = tmp_path / "sound.jsonl"
    shell.done(*ledger, "export", str(sound), "--player-safe")
    opening, *texts = sound.read_text(encoding="utf-8").splitlines()
    paths = [sound]
    for entry in (6, 7):
        lines = [*map(json.loads, texts)]
        events = lines[entry - 1]["parts"]["events"]
        nth = next(nth for nth, halves in enumerate(events) if "masked" in str(halves[1]))
        leave_out(lines, entry, nth)
        Forger([], b"").chain(lines, whole=False)
        assert lines[-1]["digest"] == json.loads(texts[-1])["digest"]
        paths.append(tmp_path / f"closed{entry}.jsonl")
        paths[-1].write_text("\n".join([opening, *map(Forger([], b"").text, lines)]) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    assert [verdict for _, verdict in found] == ["sound", "chain", "chain"]
    assert [entry for entry, _ in found[1:]] == [9, 10]


@needs_node
def test_both_know_the_same_names_of_plans(evening: list[str], tmp_path: Path):
    """A letter of any Unicode is one, also where no Python and no browser knows it yet."""
    opening, *texts = evening
    paths = []
    names = {"Boffin": True, "Zoë": True, "\U00016d40": True, "\u1c89": True, "\U000e0100": True, "a²": True,
             "\u0301a": True, "a b": False, "a.b": False, "_a": False, "'a": False, "a_'": True, "7": True}  # fmt: skip
    for nth, name in enumerate(names):
        lines = [*map(json.loads, texts)][:3]
        left_out_as(lines, 3, f"plan {name}")
        Forger([], b"").chain(lines, whole=False)
        paths.append(tmp_path / f"plan{nth}.jsonl")
        paths[-1].write_text("\n".join([opening, *map(Forger([], b"").text, lines)]) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    assert [verdict == "sound" for _, verdict in found] == [*names.values()]


@needs_node
def test_a_correction_of_an_action_that_is_shown_whole_names_its_dice_and_no_others(shell: Shell, tmp_path: Path):
    """e2 to e4 roll the hidden places 1 to 3; e5 puts e6 before e2, which e7 resolves again. e3 stays hidden: its die
    is not that of e7, though nobody could say so if e2 were hidden too.
    """
    ledger = ("--ledger", "t.affray")
    shell.done(*ledger, "init", "T", "--system", "freepg", "--key", "00" * 31 + "07")
    for words in (
        *[["roll", "1d20", "--secret"]] * 3, ["amend", "e2", "--insert", "note hi", "--apply"], ["reveal", "e2"],
        ["reveal", "e4"], ["stir", "dragons"], ["reveal", "dice", "--hidden"],
    ):  # fmt: skip
        shell.done(*ledger, *words)
    shell.done(*ledger, "export", "p.jsonl", "--player-safe")
    opening, *texts = Path("p.jsonl").read_text(encoding="utf-8").splitlines()
    paths, key = [], bytes.fromhex("00" * 31 + "07")
    for nth, place in enumerate((1, 2, 3)):
        lines = [*map(json.loads, texts)]
        half = halves_of(lines, 7, "rolled")[1]
        half[1] = re.sub(r'"faces":.*', f'"faces":[{die(-place, 20, key=key)}],"places":[{-place}]}}', half[1])
        Forger([], b"").chain(lines, whole=False)
        paths.append(tmp_path / f"corrected{nth}.jsonl")
        paths[-1].write_text("\n".join([opening, *map(Forger([], b"").text, lines)]) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    assert found[0][1] == "sound"
    assert found[1:] == [(7, "dice"), (7, "dice")]


@pytest.mark.slow
@needs_node
def test_hidden_dice_that_a_players_file_leaves_out_are_counted(evening: list[str], shell: Shell, tmp_path: Path):
    """Hidden places 3, 7 and 198 leave 195 that nobody has seen: sound, and said."""
    opening, *texts = evening
    lines = [{**line, "stands": True} for line in map(json.loads, texts)][:11]
    at_place(lines, (3, 7, 198))
    Forger([], b"").chain(lines, whole=False)
    path = tmp_path / "skipped.jsonl"
    path.write_text("\n".join([opening, *map(Forger([], b"").text, lines)]) + "\n", encoding="utf-8")
    assert by_javascript([path]) == [by_affray(path)]
    told = shell.done("verify", str(path))
    assert "195 hidden dice before the last one that is shown are sealed." in told


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("which", [0, 1], ids=["whole", "players"])
def test_both_find_a_forged_die_epoch_commitment_and_secret(exports: tuple[Path, Path], tmp_path: Path, which: int):
    """The forger chains everything anew; in the whole file with the key."""
    path = exports[which]
    texts = path.read_text(encoding="utf-8").splitlines()
    forgeries: list[tuple[int, list[str]]] = []
    for entry in (3, 5, 7):
        faces, places = rolled(path, entry)
        face = int(faces[len('"faces":[') : -1].split(",")[0])
        forgeries.append((entry, forged(path, entry, faces, faces.replace(str(face), str(face % 20 + 1), 1))))
        place = places[len('"places":[') : -1].split(",")[0]
        forgeries.append((entry, forged(path, entry, places, places.replace(place, str(int(place) + 1), 1))))
        forgeries.append((entry, forged(path, entry, '"dice":"1d20"', '"dice":"1d1000"')))
    forgeries.append((4, forged(path, 4, '"epoch":1', '"epoch":2')))
    first = re.search('"first":.', texts[4].replace("\\", ""))
    assert first
    forgeries.append((4, forged(path, 4, first.group(), f'"first":{9 - int(first.group()[-1])}')))
    reveal = where(texts, "dice-revealed")
    line = texts[reveal].replace('\\"', '"')
    published = line[line.index('"secrets":["') + len('"secrets":["') :][:64]
    forgeries.append((reveal, forged(path, reveal, published, published[::-1])))
    paths = []
    for nth, (_, lines) in enumerate(forgeries):
        paths.append(tmp_path / f"forged{nth}.jsonl")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = by_javascript(paths)
    assert found == [*map(by_affray, paths)]
    assert found == [(entry, "dice") for entry, _ in forgeries]


@pytest.mark.slow
@needs_node
def test_both_find_another_commitment(exports: tuple[Path, Path], tmp_path: Path):
    """In the whole file at once; in that for players when the secret is revealed."""
    for path, players in zip(exports, (False, True), strict=True):
        texts = path.read_text(encoding="utf-8").splitlines()
        line = texts[1].replace('\\"', '"')
        said = line[line.rindex('"commitments":[["') + len('"commitments":[["') :][:64]
        head, tail = texts[1][: texts[1].rindex(said)], texts[1][texts[1].rindex(said) + 64 :]
        changed = tmp_path / f"changed{players}.jsonl"
        changed.write_text("\n".join(chained_anew([texts[0], head + said[::-1] + tail, *texts[2:]])) + "\n")
        entry = where(texts, "dice-revealed") if players else 1
        assert by_affray(changed) == by_javascript([changed])[0] == (entry, "dice")


def test_the_published_vectors_are_what_the_program_makes():
    held = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert sum(len(value) for value in held.values() if isinstance(value, list)) >= 100
    for key, use, epoch, before, due, committed in held["secrets"]:
        assert secret(bytes.fromhex(key), use, epoch, before).hex() == due
        if use != "blinds":
            assert dice.commitments(bytes.fromhex(key), epoch, before)[use == dice.HIDDEN] == committed
    for key, words, due in held["dice_keys"]:
        assert hmac.digest(bytes.fromhex(key), words.encode(), "sha256").hex() == due
    for key, previous, number, events, (by, typed, once, drawn, hidden), due, of_seal in held["blinds"]:
        bodies, splits = tuple(map("".join, events)), tuple(len(half.encode()) for half, _ in events)
        entry = Entry(number, 0, number, number, int(drawn), int(hidden), "", by, typed, "", once, bodies, splits)
        found = Blinds(bytes.fromhex(key)).of(previous, entry)
        assert [blind.hex() for blind, _ in found.parts()] == due
        assert found.of_seal().hex() == of_seal
    for blind, texts, due in held["leaves"]:
        assert leaf(bytes.fromhex(blind), *map(str.encode, texts)).hex() == due


@needs_node
def test_the_published_vectors_are_what_the_second_program_makes():
    assert by_javascript([VECTORS]) == [0]


def test_a_digest_of_the_vectors_is_that_of_its_entry():
    from ledger.chain import Entry

    for one in json.loads(VECTORS.read_text())["digests"]:
        previous, number, after, command, origin, at, program, seal, leaves, due = one
        entry = Entry(number, after, command, origin, 0, 0, at, "", "", program, "", (), ())
        assert digest(previous, entry, seal, bytes.fromhex("".join(leaves))) == due
