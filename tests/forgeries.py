"""Forgeries: files of the record that somebody changed who holds the key, and chained anew where that is of use."""

import hashlib
import json
import random
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from tests.proof import die
from tests.shell import digest_by_the_book, seal_by_the_book

Line = dict[str, Any]
HEADING = ("entry", "after", "command", "origin", "drawn", "hidden", "recorded_at", "by", "typed", "program", "once")
ODD: tuple[Any, ...] = (
    -1, 0, 1, 2, 7, 20, 2**31, 2**53 - 1, 2**53, -(2**53), 10**30, 1.0, 0.5, 1e300, True, False, None,
    "", "0", "e1", "10", "all", "Boffin", "amend", "undo", "secret", "plan Boffin", "x" * 5000, "0" * 64, "f" * 64,
    "F" * 64, "f " * 64, "plan \u1c89", "plan a²", "plan a.b", "\u2026", "Dragons", "dragons",
    "0d20", "1d0", "1d8589934592", "100d1000", "d20", "1d20+", "Ä", "A\u0308", "\ud7ff", "\u2028", "\x00", "\x7f", '"',
    "\\", [], {}, [1], [[]], {"event": "noted"}, {"": 0},
)  # fmt: skip
"""Values that stand where others belong."""
RAW = (
    "1.0",
    "1e1",
    "-0",
    "01",
    "+1",
    "1 ",
    " 1",
    "NaN",
    "tru",
    '"\\u0041"',
    '"\\/"',
    "'a'",
    "0x1",
    "9007199254740993",
    '"\ud800"',
)
"""Texts that are no canonical JSON."""
_MARK = "\uf8ff raw "


class Forgery(Struct, frozen=True):
    """A file that was changed."""

    lines: list[str]
    what: str
    """What was changed, such as `entry.after` or `rolled.faces`."""
    chained: bool
    """Whether the digests follow."""


class Forger:
    """Changes files of one ledger: the whole one, and those for players."""

    def __init__(self, files: list[list[str]], key: bytes) -> None:
        """The lines of the files; the first is whole."""
        self.files, self.key = files, key
        self.raw: list[str] = []

    def forge(self, seed: int) -> Forgery:
        """One forgery."""
        chance = random.Random(seed)
        self.raw = []
        opening, *texts = self.files[seed % len(self.files)]
        lines: list[Line] = list(map(json.loads, texts))
        what = chance.choice(CHANGES)(self, lines, chance)
        chained = chance.random() < 0.75
        if chained:
            try:
                self.chain(lines, "key" in opening)
                if "stands" not in what:
                    stand(lines)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, struct.error):
                chained = False
        made = [opening, *map(self.text, lines)]
        if chance.random() < 0.05:
            what, made = _of_the_text(made, chance)
        return Forgery(made, what, chained)

    def text(self, value: Any) -> str:
        """JSON as it stands in the file."""
        made = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        for nth, raw in enumerate(self.raw):
            made = made.replace(f'"{_MARK}{nth}"', raw)
        return made

    def put_raw(self, text: str) -> str:
        """Stands for a text that is no canonical JSON."""
        self.raw.append(text)
        return f"{_MARK}{len(self.raw) - 1}"

    def chain(self, lines: list[Line], whole: bool) -> None:
        """Makes every digest follow, by the book and not by the code."""
        previous = "0" * 64
        for line in lines:
            if whole:
                halves = [
                    (self.text(event), split) for event, split in zip(line["events"], line["splits"], strict=True)
                ]
                previous = digest_by_the_book(self.key, previous, [line[name] for name in HEADING], halves)
            else:
                previous = of_parts(previous, line, line["parts"])
            line["digest"] = previous


def stand(lines: list[Line]) -> None:
    """Makes every line say whether its entry stands, as the course at the last line has it."""
    at, standing = len(lines), set[int]()
    while 0 < at <= len(lines) and at not in standing:
        standing.add(at)
        at = lines[at - 1]["after"]
    for nth, line in enumerate(lines, 1):
        line["stands"] = nth in standing


def framed(*texts: bytes) -> bytes:
    """Texts, each after its length."""
    return b"".join(struct.pack(">Q", len(text)) + text for text in texts)


def of_parts(previous: str, line: Line, parts: dict[str, Any]) -> str:
    """The digest of an entry of a file for players, by the book."""
    seal = parts.get("sealed", "")
    if "leaf" in parts:
        leaves = bytes.fromhex(parts["leaf"])
    else:
        leaves = leaves_of(parts)
        if seal:
            leaves = hashlib.sha256(framed(bytes.fromhex(parts["blind"]), leaves)).digest()
    heading = ["affray entry 1", previous, *(line[name] for name in ("entry", "after", "command", "origin"))]
    texts = [str(text).encode() for text in (*heading, line["recorded_at"], line["program"], seal)]
    return hashlib.sha256(framed(*texts, leaves)).hexdigest()


def leaves_of(parts: dict[str, Any]) -> bytes:
    """The leaves of all parts of an entry of a file for players, by the book."""
    opened = hashlib.sha256(framed(*(event[0].encode() for event in parts["events"]))).digest()
    closed = [event[1] for event in parts["events"] if event[1] != ""]
    return opened + b"".join(map(leaf_of, (parts["words"], parts["counts"], *closed)))


def leaf_of(part: Any) -> bytes:
    """The leaf of a part, shown or not."""
    if isinstance(part, str):
        return bytes.fromhex(part)
    return hashlib.sha256(framed(bytes.fromhex(part[0]), *map(str.encode, part[1:]))).digest()


def said(lines: list[str]) -> dict[tuple[Any, ...], str]:
    """Everything that a sound file says, by where it says it; a closed part is not said."""
    found: dict[tuple[Any, ...], str] = {}
    whole = '"key"' in lines[0]
    for line in map(json.loads, lines[1:]):
        entry = line["entry"]
        for column in ("after", "command", "origin", "recorded_at", "program", "digest", "stands"):
            found[entry, column] = str(line[column])
        if whole:
            found[entry, "seal"] = seal_by_the_book([json.dumps(event) for event in line["events"]])
            found[entry, "words"] = str([line["by"], line["typed"], line["once"]])
            for nth, (event, split) in enumerate(zip(line["events"], line["splits"], strict=True)):
                body = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
                found[entry, nth, 0], found[entry, nth, 1] = body[:split].decode(), body[split:].decode()
            continue
        parts = line["parts"]
        found[entry, "seal"] = parts.get("sealed", "")
        if "leaf" in parts:
            continue
        if not isinstance(parts["words"], str):
            found[entry, "words"] = str(parts["words"][1:])
        for nth, halves in enumerate(parts["events"]):
            found[entry, nth, 0] = halves[0]
            if not isinstance(halves[1], str):
                found[entry, nth, 1] = halves[1][1]
    return found


def chained_anew(lines: list[str]) -> list[str]:
    """The lines with every digest made to follow."""
    opening, *texts = lines
    forger, made = Forger([], bytes.fromhex(json.loads(opening).get("key", ""))), list(map(json.loads, texts))
    forger.chain(made, "key" in opening)
    return [opening, *map(forger.text, made)]


def open_dice(lines: list[str], key: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Of each open die of the program that a sound file shows and whose secret it opens: the action that threw it, its
    place, its sides, and its face. Raises AssertionError for a face that is not the one of its place.
    """
    whole = '"key"' in lines[0]
    epochs, revealed, committed, previous = [(1, "")], 0, ["", ""], ""
    events: list[tuple[int, dict[str, Any]]] = []
    for line in map(json.loads, lines[1:]):
        for event in line["events"] if whole else _shown(line["parts"]):
            events.append((line["origin"], event))
            if event["event"] == "stirred":
                epochs.append((event["first"], event["words"]))
                committed.append(previous)
            elif event["event"] == "dice-revealed" and not event.get("hidden"):
                revealed = max(revealed, len(event["secrets"]))
        previous = line["digest"]
    for origin, event in events:
        if event["event"] != "rolled" or "places" not in event:
            continue
        sizes = [int(size) for times, size in re.findall(r"(\d*)d(\d+)", event["dice"]) for _ in range(int(times or 1))]
        for face, place, sides in zip(event["faces"], event["places"], sizes, strict=False):
            epoch = max((nth for nth, (first, _) in enumerate(epochs) if first <= place), default=0)
            if place > 0 and (whole or epoch < revealed):
                assert face == die(place, sides, epoch, epochs[epoch][1], key, committed[epoch])
                yield origin, place, sides, face


def _shown(parts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of an entry for players of which both halves are shown."""
    for halves in parts.get("events", ()):
        if halves[1] == "" or not isinstance(halves[1], str):
            yield json.loads(halves[0] + "".join(halves[1][1:]))


# What a forger does


def _a_line(_: Forger, lines: list[Line], chance: random.Random) -> str:
    """Drops, doubles or moves an entry, with its number or with one that fits."""
    at = chance.randrange(len(lines))
    taken = json.loads(json.dumps(lines[at]))
    match chance.randrange(4):
        case 0:
            del lines[at]
            what = "the last entry gone" if at == len(lines) else "an entry gone"
        case 1:
            lines.insert(at, taken)
            what = "an entry twice"
        case 2:
            lines.insert(chance.randrange(len(lines)), lines.pop(at))
            what = "an entry moved"
        case _:
            lines.append(taken)
            what = "an entry again at the end"
    if chance.random() < 0.7:
        for nth, line in enumerate(lines, 1):
            shift = nth - line["entry"]
            for name in ("entry", "after", "command", "origin"):
                if name == "entry" or chance.random() < 0.9:
                    line[name] += shift
        what += ", numbered anew"
    return what


def _a_column(forger: Forger, lines: list[Line], chance: random.Random) -> str:
    line = chance.choice(lines)
    column = chance.choice([name for name in line if name not in ("events", "parts")])
    match chance.randrange(5):
        case 0:
            line[column] = chance.choice(lines)[column]
        case 1 if isinstance(line[column], int):
            line[column] += chance.choice((-2, -1, 1, 2))
        case 2:
            line[column] = forger.put_raw(chance.choice(RAW))
        case 3:
            if chance.random() < 0.5:
                del line[column]
            else:
                line[chance.choice(("key", "seal", "x", "stands"))] = chance.choice(ODD)
            return "columns"
        case _:
            line[column] = chance.choice(ODD)
    return f"entry.{column}"


def _an_event(forger: Forger, lines: list[Line], chance: random.Random) -> str:
    """Changes a value of an event, wherever in it, with its halves where they were or elsewhere."""
    line = chance.choice(lines)
    if "parts" not in line:
        at = chance.randrange(len(line["events"]))
        event, split = line["events"][at], line["splits"][at]
        text = forger.text(event)
        kept, is_open = len([*_pieces(text, split)]), split == len(text.encode(errors="surrogatepass"))
        what = _changed(forger, event, chance)
        text = forger.text(event)
        line["splits"][at] = len(_up_to(text, event, kept, is_open, chance).encode(errors="surrogatepass"))
        return what
    shown = line["parts"].get("events", ())
    if not shown:
        return _a_part(forger, lines, chance)
    halves = chance.choice(shown)
    open_, is_open = halves[0], halves[1] == ""
    closed = "" if is_open else None if isinstance(halves[1], str) else halves[1][1]
    text = open_ + (closed if closed is not None else "}}" if '"declared"' in open_ else "}")
    try:
        event = json.loads(text)
    except ValueError:
        return _a_part(forger, lines, chance)
    kept = len([*_pieces(text, len(open_.encode(errors="surrogatepass")))])
    what = _changed(forger, event, chance)
    text = forger.text(event)
    halves[0] = _up_to(text, event, kept, is_open, chance)
    if is_open and halves[0] != text:
        halves[1] = ["00" * 16, text[len(halves[0]) :]]
    elif closed:
        halves[1][1] = text[len(halves[0]) :]
    return what


def _pieces(text: str, split: int) -> Iterator[str]:
    """The fields of an event that begin before a byte of it."""
    opened = text.encode(errors="surrogatepass")[:split].decode(errors="ignore")
    yield from (name for name in json.loads(text) if f'"{name}":' in opened)


def _up_to(text: str, event: Any, kept: int, is_open: bool, chance: random.Random) -> str:
    """The open half: as many fields as before, or some others. `is_open`: all of the event was open."""
    if is_open and chance.random() < 0.85:
        return text
    if not isinstance(event, dict) or kept == 0:
        return ""
    count = kept if chance.random() < 0.85 else chance.randrange(len(event) + 1)
    open_ = json.dumps(dict([*event.items()][:count]), separators=(",", ":"), ensure_ascii=False)[:-1]
    if event.get("event") == "declared" and isinstance(event.get("said"), dict) and count == kept:
        names = {name: value for name, value in event["said"].items() if name in ("who", "target")}
        before = [one for one in event.items() if one[0] != "said"][: kept - 1]
        open_ = json.dumps(dict([*before, ("said", names)]), separators=(",", ":"), ensure_ascii=False)[:-2]
    return open_ if text.startswith(open_) else text[: chance.randrange(len(text) + 1)]


def _changed(forger: Forger, event: Any, chance: random.Random) -> str:
    """Changes something somewhere in a value; gives the kind of the event and the field."""
    kind, path = event.get("event", "?"), []
    holder: Any = event
    while True:
        keys = [*holder] if isinstance(holder, dict) else [*range(len(holder))]
        if not keys:
            break
        key = chance.choice(keys)
        path.append(key)
        if not isinstance(holder[key], dict | list) or not holder[key] or chance.random() < 0.2:
            break
        holder = holder[key]
    what = f"{kind}.{path[0] if path else ''}"
    if not path:
        return what
    match chance.randrange(8):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 0:
            holder.pop(key)
        case 1 if isinstance(holder, dict):
            holder[chance.choice(("x", "who", "secret", "faces", ""))] = chance.choice(ODD)
        case 1:
            holder.insert(key, holder[key])
        case 2 if isinstance(holder, dict):
            first = [*holder.items()]
            chance.shuffle(first)
            holder.clear()
            holder.update(first)
            what = f"{kind} in another order"
        case 2:
            chance.shuffle(holder)
        case 3 if isinstance(holder[key], int):
            holder[key] += chance.choice((-2, -1, 1, 2, 20))
        case 4:
            holder[key] = forger.put_raw(chance.choice(RAW))
        case 5 if isinstance(holder[key], str):
            holder[key] = chance.choice((holder[key] + "x", holder[key].upper(), holder[key][:-1], "Boffin"))
        case _:
            holder[key] = chance.choice(ODD)
    return what


def _an_event_moved(forger: Forger, lines: list[Line], chance: random.Random) -> str:
    """Drops, doubles or moves a whole event, within its entry or to another one."""
    line, other = chance.choice(lines), chance.choice(lines)
    columns = ["events", "splits"] if "parts" not in line else ["events"]
    here, there = (one.get("parts", one) for one in (line, other))
    if "events" not in here or "events" not in there:
        return _a_part(forger, lines, chance)
    at, to = chance.randrange(len(here["events"])), chance.randrange(len(there["events"]) + 1)
    drop = chance.random() < 0.3
    move = chance.random() < 0.5
    what = _kind_of(here["events"][at])
    for column in columns:
        one = here[column][at]
        if drop or move:
            del here[column][at]
        if not drop:
            there[column].insert(to, json.loads(json.dumps(one)))
    return f"{what} {'dropped' if drop else 'moved' if move else 'doubled'}"


def _kind_of(event: Any) -> str:
    if isinstance(event, dict):
        return str(event["event"])
    return event[0][len('{"event":"') :].partition('"')[0] or "closed event"


def _a_part(forger: Forger, lines: list[Line], chance: random.Random) -> str:
    """Closes, opens or changes a part of a file for players; of the whole file the words."""
    line = chance.choice(lines)
    if "parts" not in line:
        column = chance.choice(("by", "typed", "once", "drawn", "hidden"))
        line[column] = chance.choice(ODD)
        return f"entry.{column}"
    parts = line["parts"]
    name = chance.choice([*parts])
    match chance.randrange(6):
        case 0:
            parts[name] = chance.choice(ODD)
        case 1 if isinstance(parts[name], list) and name == "words":
            parts[name] = leaf_of(parts[name]).hex()
            return "words closed"
        case 1 if "events" in parts:
            halves = chance.choice(parts["events"])
            if chance.random() < 0.5:
                halves[0] = ""
                return "open half left out"
            if halves[1] == "":
                halves[1] = chance.choice((["00" * 16, ""], ["00" * 16, "}"], "00" * 32))
                return "a closed half where all is open"
            if not isinstance(halves[1], str):
                halves[1] = leaf_of(halves[1]).hex()
            return "closed half closed"
        case 2 if "events" in parts:
            halves = chance.choice(parts["events"])
            if chance.random() < 0.2:
                halves[1] = ""
                return "closed half taken away"
            side = chance.randrange(2)
            halves[side] = chance.choice(ODD) if chance.random() < 0.5 else [*halves[side], chance.choice(ODD)]
            return "a half"
        case 3:
            del parts[name]
        case 4:
            parts["sealed"] = chance.choice(("secret", "plan Boffin", "plan ", "", "x", parts.get("sealed", "secret")))
            return "parts.sealed"
        case _:
            parts[chance.choice(("leaf", "blind", "x", "sealed"))] = chance.choice(("0" * 64, "0" * 32, "secret", 1))
    return f"parts.{name}"


def _of_the_text(lines: list[str], chance: random.Random) -> tuple[str, list[str]]:
    """A blank, a name twice, a line end, a mark of the byte order, nothing but the opening."""
    at = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            place = lines[at].index(",") if "," in lines[at] else 0
            lines[at] = f"{lines[at][:place]} {lines[at][place:]}"
        case 1:
            lines[at] = lines[at].replace("{", '{"entry":1,', 1)
        case 2:
            lines[at] += "\r"
        case 3:
            lines[0] = "\ufeff" + lines[0]
        case 4:
            lines = lines[:1]
        case _:
            lines.insert(at, "")
    return "the text", lines


def _a_form(_: Forger, lines: list[Line], chance: random.Random) -> str:
    """Writes what has one form in another: digits of hexadecimal numbers, words of a stir, names of a plan, places."""
    line = chance.choice(lines)
    parts = line.get("parts", {})
    texts = [(parts, "sealed")] if "sealed" in parts else []
    texts += [(halves, side) for halves in parts.get("events", ()) for side in (0, 1)]
    forms: list[Callable[[str], str]] = [
        lambda text: re.sub("[0-9a-f]{64}", lambda found: found[0].upper(), text, count=1),
        lambda text: re.sub("[0-9a-f]{64}", lambda found: f"{found[0][:8]} {found[0][8:]}", text, count=1),
        lambda text: re.sub('("words":")([^"]*)', lambda found: found[1] + found[2][::-1], text),
        lambda text: re.sub('("words":")([^"]*)', lambda found: found[1] + found[2].upper(), text),
        lambda text: re.sub("^plan (.*)", lambda found: f"plan {found[1]}{chance.choice(ODD_SIGNS)}", text),
        lambda text: re.sub(
            '("places":.)(-?)[0-9]+', lambda found: f"{found[1]}{found[2]}{chance.randint(1, 9)}", text
        ),
    ]
    change = chance.choice(forms)
    for holder, key in texts:
        whole = isinstance(holder[key], str)
        holder[key] = change(holder[key]) if whole else [holder[key][0], *map(change, holder[key][1:])]
    for event in line.get("events", ()):
        for key in {"words", "secrets", "places", "commitments"} & event.keys():
            event |= json.loads(change(json.dumps({key: event[key]}, separators=(",", ":"))))
    return "a form"


ODD_SIGNS = "\u1c89²\u0301&.\u00a0\U00016d40"
"""Letters that not every Unicode knows, and signs that are none."""
CHANGES: tuple[Callable[[Forger, list[Line], random.Random], str], ...] = (
    _a_line, _a_column, _a_column, _an_event, _an_event, _an_event, _an_event_moved, _a_part, _a_form,
)  # fmt: skip
