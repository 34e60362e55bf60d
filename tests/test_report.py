"""The page: a whole ledger in one HTML file that uses no network and runs none of its text."""

import base64
import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.action.common import Note
from ledger.sqlite import SqliteStore
from tests.reading import HOSTILE, forged, packed, page_of, parsed
from tests.shell import ROOT, Shell, affray, environment, say

pytest.importorskip("jinja2", reason="the page needs the extra `report`")

from commands.seen import page as report

CSS = Path(report.__file__).parent / "page.css"


@pytest.fixture
def fight(table: Shell) -> Shell:
    """Boffin takes 11 hp of Grub's 20 in the first round, and all that is left is taken back; then Grub leaves."""
    table.done("join", "boffin", "grub")
    table.done("begin", "The <gate>", "--seats", "John,gm")
    table.done("initiative", "--dice", "14,3")
    table.done("attack", "boffin", "grub", "--with", "sword", "--dice", "14,6")
    table.done("adjust", "grub", "hp", "1", "he fell")
    table.done("undo")
    table.done("done")
    table.done("done")
    table.done("leave", "grub")
    return table


def page(shell: Shell, *words: str) -> str:
    """The page of the ledger in this folder."""
    shell.done("export", "page.html", *words)
    return Path("page.html").read_text(encoding="utf-8")


def test_the_log_says_what_affray_log_says_and_strikes_through_what_was_taken_back(fight: Shell):
    items = parsed(page(fight, "--arithmetic")).one("section", id="log").all("li")
    shown: list[str] = []
    for item in (one for one in items if "id" in one.attributes):
        told = [span for span in item.all("span") if {"line", "step"} & {*str(span.attributes["class"]).split()}]
        for at, span in enumerate(told):
            indent = "    " if span.attributes["class"] == "step" else ""
            text = f"~~{span.text}~~" if item.all("del") and not indent else span.text
            shown.append(indent + text + (f"  {item.attributes['id']}" if at == 0 else ""))
    assert shown == fight.done("log", "--last", "0").splitlines()
    assert [item.attributes["id"] for item in items if "id" in item.attributes and item.all("del")] == ["e6"]


def test_the_log_has_encounters_and_rounds_as_headings(fight: Shell):
    log = parsed(page(fight)).one("section", id="log")
    told = [(one.name, one.text) for one in log.all("*") if one.name in ("h3", "h4")]
    assert told == [
        ("h3", "Before the first encounter"), ("h3", "Encounter 1: The <gate>"), ("h4", "Round 1"), ("h4", "Round 2"),
    ]  # fmt: skip


def test_the_last_board_stands_on_the_page_without_its_script(fight: Shell):
    fight.done("undo")
    root = parsed(page(fight))
    header, boffin, grub = root.one("table", id="table").rows()
    assert (header[:3], boffin[:3], grub[:3]) == (
        ["Name", "side", "hp"], ["Boffin", "party", "55/55"], ["Grub", "foes", "9/20"],
    )  # fmt: skip
    assert root.one("div", id="above").text.strip().startswith("Encounter 1: The <gate>, round 2")


def test_the_page_uses_no_network(fight: Shell):
    """Its policy forbids everything but its own style and script, which it names by their digests."""
    text = page(fight)
    root = parsed(text)
    policy = root.all("meta")[1].attributes["content"] or ""
    (script,) = (one for one in root.all("script") if one.attributes.get("type") != "text/plain")
    own = {
        name: base64.b64encode(hashlib.sha256(one.text.encode()).digest()).decode()
        for name, one in (("script", script), ("style", root.one("style")))
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{own['script']}'; style-src 'sha256-{own['style']}';"
        " base-uri 'none'; form-action 'none'"
    )
    for one in root.all("*"):
        assert one.name not in ("link", "img", "iframe", "object", "base", "form")
        assert not {"src", "srcset", "action", "style"} & set(one.attributes)
        assert not [name for name in one.attributes if name.startswith("on")]
        assert (one.attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|eval\(", text)


def test_the_parts_of_the_page_have_names_and_headings(fight: Shell):
    root = parsed(page(fight))
    ids = [one.attributes["id"] for one in root.all("*") if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    labelled = {one.attributes["for"] for one in root.all("label")}
    assert {one.attributes["id"] for one in root.all("input")} == labelled
    for button in root.all("button"):
        assert button.attributes["aria-label"]
    for table in root.all("table"):
        assert all(cell.text for cell in table.all("th", scope="col"))
        assert all(len(row.all("th", scope="row")) == 1 for row in table.one("tbody").all("tr"))


def test_hostile_names_are_escaped(tmp_path: Path):
    """Nothing that a name holds becomes an element or an attribute; what a terminal might obey is written out."""
    book = forged(tmp_path / "forged.affray")
    text = page_of(book)
    book.store.close()
    root = parsed(text)
    assert len(root.all("script")) == 3
    assert not root.all("img")
    rows = [row[0] for row in root.one("table", id="table").rows()[1:]]
    assert rows[:4] == list(HOSTILE[:4])
    assert rows[4:7] == ["\\u202egnol\\u200f", "__proto__", "a\\x00b\\r\\nc"]
    assert rows[7] == "X" * 10_000
    assert not re.search(r"[\x00\r\u202e\u200f]", text)


def test_the_same_ledger_gives_the_same_page(fight: Shell):
    assert page(fight) == page(fight)


def test_a_page_of_some_entries_says_so(fight: Shell):
    """The record has the digest before each run of entries, so that each entry can still be checked by itself."""
    fight.done("export", "page.html", "--name", "Grub")
    text = Path("page.html").read_text(encoding="utf-8")
    book = Book(SqliteStore.open("test.affray"))
    digests = {entry.entry: digest for entry, digest in book.store.entries(1, 11)}
    book.store.close()
    assert "6 of 10 entries" in parsed(text).one("header").text
    record = packed(text, "record")
    assert record["head"] == "10"
    runs = [(run["previous"], run["before"], len(run["lines"])) for run in record["runs"]]
    assert runs == [(digests[1], 1, 1), (digests[4], 4, 2), (digests[7], 7, 3)]
    shown = [json.loads(line) for run in record["runs"] for line in run["lines"]]
    assert [(line["entry"], line["digest"]) for line in shown] == [(at, digests[at]) for at in (2, 5, 6, 8, 9, 10)]
    assert parsed(text).one("div", id="check").attributes["data-kind"] == "part"


def test_a_page_of_all_entries_says_so(fight: Shell):
    """Its script asks for every entry from e1 to the last."""
    root = parsed(page(fight))
    assert root.one("div", id="check").attributes["data-kind"] == "whole"
    assert "10 entries" in root.one("header").text


def test_a_page_of_nothing_is_refused(fight: Shell):
    fight.refused("export", "page.html", "--encounter", "7", code=2)
    assert not Path("page.html").exists()


def test_a_page_for_the_players_holds_no_number_of_the_foes(fight: Shell):
    """Neither in sight nor in its data: 20 hit points, of which 9 are left after 11. Its record is their JSON Lines."""
    fight.done("export", "players.jsonl", "--player-safe")
    fight.done("export", "page.html", "--player-safe")
    text = Path("page.html").read_text(encoding="utf-8")
    root = parsed(text)
    record = packed(text, "record")
    assert root.one("div", id="check").attributes["data-kind"] == "veiled"
    assert [(run["previous"], run["before"]) for run in record["runs"]] == [("0" * 64, 0)]
    assert record["runs"][0]["lines"] == Path("players.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    data = packed(text, "boards")
    grub = [card for board in data["boards"] for who, card in board.get("r", []) if who == "Grub"]
    assert grub == [{"c": {"side": "foes"}, "w": "unhurt", "s": "foes"}, {"w": "hurt"}]
    plain = re.sub(r"<svg.*?</svg>|(?<=id=\"(?:boards|record)\">)[^<]*", "", text, flags=re.S)
    told = plain + str(data) + str(record)
    for secret in ("9/20", "20/20", "20 of 20", "11 hp", "9 left", "he fell", "test.affray", bytes(range(32)).hex()):
        assert secret not in told, secret
    assert "Grub loses hp" in root.one("section", id="log").text or "loses hp" in root.one("section", id="log").text


@pytest.fixture
def ended(fight: Shell) -> Shell:
    """Grub is back and falls in the third round; the encounter ends, and a die is rolled since."""
    fight.done("undo")
    fight.done("attack", "boffin", "grub", "--with", "sword", "--dice", "20,2")
    fight.done("end")
    fight.done("roll", "2d6", "--why", "silver", "--dice", "3,4")
    return fight


def story(text: str) -> dict[str, list[str]]:
    """What the story of a page says under each of its titles."""
    section = parsed(text).one("section", id="story")
    parts = [part for part in section.all("div") if len(part.all("h3")) == 1]
    found = {part.one("h3").text: [line.text for line in part.all("li")] for part in parts}
    return {"": [section.one("h2").text, *(said.text for said in section.all("p"))], **found}


def test_an_ended_fight_opens_with_its_story(ended: Shell):
    """With 2 more than the other, a d20 is higher in 229 of 400 ways. A d20 shows 10.5 on average: Boffin's dice 14 and
    20, Grub's 6 and 2; those for the order are the seats' own.
    """
    assert story(page(ended)) == {
        "": ["Encounter 1: The <gate>", "party won after 2 rounds", "Who stands: party 1 of 1, foes 0 of 1."],
        "Fell": ["Grub by Boffin, dead e12"],
        "Greatest blows": ["Boffin against Grub, 11 hp e5", "Boffin against Grub, 9 hp, who fell e12"],
        "Least likely rolls": ["57 %: Boffin against Grub: attack 16 (d20 14 +2 sword) > defense 6 (d20): hit e5"],
        "Luck: the sum of the dice against their average": ["Boffin: +13 over 2 dice", "Grub: -13 over 2 dice"],
    }  # fmt: skip


def test_players_read_a_story_without_the_numbers_of_foes(ended: Shell):
    """Neither a blow that Grub took nor a roll against his dice: only who fell, and the dice that they saw."""
    assert story(page(ended, "--player-safe")) == {
        "": ["Encounter 1: The <gate>", "party won after 2 rounds", "Who stands: party 1 of 1, foes 0 of 1."],
        "Fell": ["Grub by Boffin, dead e12"],
        "Luck: the sum of the dice against their average": ["Boffin: +13 over 2 dice"],
    }  # fmt: skip


def test_who_stops_the_bleeding_of_somebody_did_not_fell_them(shell: Shell):
    """Goblin-3 felled Brun, who was dying; Hedwig stabilized him, so that he is unconscious."""
    shell.done("import", str(ROOT / "fixtures" / "aachen" / "demo.jsonl"), "demo.affray")
    shell.done("export", "page.html")
    fell = story(Path("page.html").read_text(encoding="utf-8"))["Fell"]
    assert "Brun by Goblin-3, unconscious e21" in fell
    assert not any("by Hedwig" in line for line in fell)


def test_a_fight_that_goes_on_has_no_story(fight: Shell):
    assert not parsed(page(fight)).all("section", id="story")


def test_a_missing_package_is_named_with_the_way_to_get_it(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    table.refused("export", "page.html", code=2)
    assert not Path("page.html").exists()


def test_text_on_the_page_has_contrast_in_light_and_dark():
    """WCAG 2.2, 1.4.3 and 1.4.11: letters 4.5 to 1, curves 3 to 1."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS.read_text(encoding="utf-8"), re.S)
    for theme in (light, dark):
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", theme))
        for ground in ("paper", "panel", "mark"):
            assert contrast(colours["ink"], colours[ground]) >= 7
        for words in ("soft", "accent", "good", "bad"):
            for ground in ("paper", "panel", *(("mark",) if words in ("soft", "accent") else ())):
                assert contrast(colours[words], colours[ground]) >= 4.5, (words, ground)
        assert contrast(colours["side-0"], colours["band"]) >= 3
        for nth in range(6):
            assert contrast(colours[f"side-{nth}"], colours["on-side"]) >= 4.5, nth
            for ground in ("paper", "panel", "mark"):
                assert contrast(colours[f"side-{nth}"], colours[ground]) >= 4.5, (nth, ground)
        for fill in ("good", "some", "bad", "accent"):
            assert contrast(colours[fill], colours["paper"]) >= 3, fill


def contrast(one: str, other: str) -> float:
    """The ratio of the luminance of two colours, as WCAG defines it."""
    lights = []
    for colour in (one, other):
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    return max(lights) / min(lights)


@pytest.mark.slow
def test_a_page_is_written_by_a_process_of_its_own(table: Shell, tmp_path: Path):
    """Without a word on standard error but how much was written."""
    answer = affray("export", "page.html", cwd=tmp_path, env=environment())
    assert (answer.code, answer.out, answer.err[:44]) == (0, "", "page.html is written: html, as of affray e1 ")


def test_a_note_with_markup_in_it_is_a_note(book: Book):
    say(book, Note("<b>& 'so' \"on\"</b>"))
    (line,) = parsed(page_of(book)).one("li", id="e2").all("span", **{"class": "line"})
    assert line.text == "<b>& 'so' \"on\"</b>"
