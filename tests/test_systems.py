"""Where rule systems come from: folders, and installed packages; and a ledger whose system is not there."""

import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from commands.action import rulebook, systems
from commands.action.cards import System, Verb
from ledger.errors import RulesMissing
from tests import vocabulary
from tests.conforms import TRAITS
from tests.sample import sampled
from tests.shell import ROOT, Shell, chain_anew, forge

ABSENT = "The rule system 'brawl' of this campaign is not installed. The ledger can be read and exported,"
PLAIN = System(package=__name__, title="Plain", credit="Plain, a test; no more.", verbs={})


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, EntryPoint]]:
    """What packages bring, as a test puts it there."""
    found: dict[str, EntryPoint] = {}
    monkeypatch.setattr(systems, "installed", lambda: found)
    _forget()
    yield found
    _forget()


def _forget() -> None:
    """Systems are looked for anew."""
    for kept in (systems.load, systems.recorded_verbs, systems.procedure, rulebook.of):
        kept.cache_clear()


@pytest.fixture
def orphan(shell: Shell) -> Shell:
    """A fight with program dice and an undone entry, by rules that are not installed."""
    shell.done("demo", "freepg", "--file", "test.affray")
    shell.done("roll", "3d6")
    shell.done("undo")
    forge("test.affray", "UPDATE events SET body = replace(body, '\"freepg\"', '\"brawl\"') WHERE entry = 1")
    chain_anew("test.affray")
    return shell


def test_every_folder_with_rules_is_a_system():
    folders = {page.parent.name for page in (ROOT / "commands" / "rules").glob("*/RULES.md")}
    assert tuple(sorted(folders)) == systems.SYSTEMS


@pytest.mark.parametrize(
    ("name", "title", "players", "window"),
    [
        ("aachen", "Aachen", ("pc",), "table.window"),
        ("arkm", "Arkm", ("party",), "table.window"),
        ("dungeoneers", "Dungeoneers", ("dungeoneers",), "dungeoneers.opportune.window"),
        ("freepg", "FReePG", ("party",), "table.window"),
        ("paraverse", "Paraverse", ("party",), "table.window"),
    ],
)
def test_a_system_says_who_its_players_are_and_what_holds_up_a_window(
    name: str, title: str, players: tuple[str, ...], window: str
):
    system = systems.load(name)
    assert (system.title, system.players, system.window.clause) == (title, players, window)


def test_init_and_demo_without_a_system_list_all_with_a_line_each(shell: Shell, brought: dict[str, EntryPoint]):
    brought["plain"] = EntryPoint("plain", f"{__name__}:PLAIN", systems.GROUP)
    refused = shell.refused("init", "Field", code=2).err
    told = shell.done("demo")
    assert told.startswith("Write the name of a rule system after demo. There are:\n")
    for said in (refused, told):
        assert [line.split()[0] for line in said.splitlines() if line.startswith("  ")] == [*systems.SYSTEMS, "plain"]
        assert said.endswith("  plain        Plain, a test\n")
    assert not [*Path().iterdir()]


def test_a_package_that_cannot_be_imported_hinders_nobody_else(shell: Shell, brought: dict[str, EntryPoint]):
    brought["broken"] = EntryPoint("broken", "no_such_package_anywhere:SYSTEM", systems.GROUP)
    brought["empty"] = EntryPoint("empty", "tests.test_systems:ABSENT", systems.GROUP)
    answer = shell.refused("init", "Field", "--system", "broken", code=2)
    assert "no_such_package_anywhere" in answer.err.splitlines()[-1]
    shell.refused("init", "Field", "--system", "empty", code=2)
    shell.refused("init", "Field", code=2)
    shell.refused("grapple", code=2)
    shell.done("init", "Field", "--system", "freepg")


def test_an_action_of_a_system_with_a_folder_does_not_ask_for_packages(table: Shell, monkeypatch: pytest.MonkeyPatch):
    def asked() -> None:
        raise AssertionError("entry points were read")

    monkeypatch.setattr(systems, "installed", asked)
    for words in (("join", "grub"), ("roll", "1d6"), ("undo",), ("status",), ("verify",), ("export", "x.md")):
        table.done(*words)


def test_packages_that_bring_a_system_are_found_in_every_folder_of_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Where none does, the slow library of entry points is not loaded; in an archive, only it can look."""
    brings = f"[{systems.GROUP}]\nbrawl = brawl:SYSTEM\n"
    for folder, text in (
        ("nothing/other-1.0.dist-info", "[console_scripts]\nother = other:main\n"),
        ("wheel/brawl-1.0.dist-info", brings),
        ("old/brawl.egg-info", brings),
        ("brawl.egg/EGG-INFO", brings),
    ):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "entry_points.txt").write_text(text)
        (tmp_path / folder / "METADATA").write_text("Name: some\nVersion: 1.0\n")
    (tmp_path / "bare" / "bare.dist-info").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("brawl-1.0.dist-info/entry_points.txt", brings)
        archive.writestr("brawl-1.0.dist-info/METADATA", "Name: brawl\nVersion: 1.0\n")
    (tmp_path / "odd" / "odd-1.0.dist-info").mkdir(parents=True)
    names = f"[{systems.GROUP}]\nfreepg = brawl:SYSTEM\nbar-brawl = brawl:SYSTEM\n"
    (tmp_path / "odd" / "odd-1.0.dist-info" / "entry_points.txt").write_text(names)
    (tmp_path / "odd" / "odd-1.0.dist-info" / "METADATA").write_text("Name: odd\nVersion: 1.0\n")
    look: Any = systems.installed
    for folder, found in (
        ("nothing", ()), ("odd", ()), ("bare", ()), ("missing", ()), ("wheel", ("brawl",)), ("old", ("brawl",)),
        ("brawl.egg", ("brawl",)), ("all.zip", ("brawl",)),
    ):  # fmt: skip
        monkeypatch.setattr(sys, "path", [str(tmp_path / folder)])
        assert tuple(look.__wrapped__()) == found, folder


READING = (
    ("status",), ("log",), ("show",), ("show", "e3"), ("show", "boffin"), ("map",), ("replay", "--since", "e1"),
    ("why", "grub-1.hp"), ("stats",), ("disputes",), ("find", "grub-1.hp < 5"), ("diff", "e9..e20"),
    ("export", "x.jsonl"), ("export", "x.md"), ("export", "x.zip", "--format", "csv"), ("export", "x.html"),
    ("export", "p.md", "--player-safe", "--sides", "party"),
    ("copy", "test.affray", "copy.affray"), ("verify", "--check", "chain", "--check", "dice"), ("--help",),
)  # fmt: skip
PLAYING = (
    ("note", "hi"), ("roll", "1d6"), ("attack", "boffin", "grub-1"), ("fly",), ("undo",), ("redo",), ("join", "boffin"),
    ("adjust", "boffin", "hp", "3", "why"), ("amend", "e9", "--drop"), ("odds", "roll", "1d6"), ("rules",),
    ("rules", "options"),
)  # fmt: skip


@pytest.mark.parametrize("words", sampled(READING, 6), ids=" ".join)
def test_a_ledger_without_its_rules_can_be_read_and_exported(words: tuple[str, ...], orphan: Shell):
    orphan.done(*words)


@pytest.mark.parametrize("words", sampled(PLAYING, 6), ids=" ".join)
def test_a_ledger_without_its_rules_cannot_be_played(words: tuple[str, ...], orphan: Shell):
    orphan.refused(*words, code=2, says=ABSENT)


@pytest.mark.slow
def test_the_board_without_rules_is_plain_and_says_why(orphan: Shell):
    header, titles, *rows = orphan.done("status", "--wide").splitlines()
    assert header.startswith(ABSENT)
    assert titles.split() == ["side", "hp", "down"]
    assert rows[0].split()[:2] == ["Boffin", "party"]


@pytest.mark.slow
def test_a_ledger_without_its_rules_is_verified_as_far_as_chain_and_dice_go(orphan: Shell):
    answer = orphan.refused("verify", code=2)
    assert answer.out.splitlines()[0] == "33 entries in one chain, 8 dice where the stream has them."
    assert answer.out.splitlines()[-1].startswith("affray e33 ")
    told = orphan("verify", "--json").json
    assert (told["error"]["reference"], told["missing"]) == ("rules", "brawl")
    assert [(found["sort"], found["check"]) for found in told["findings"]] == [("unchecked", "rules")]


@pytest.mark.slow
def test_a_die_that_was_changed_is_found_without_the_rules(orphan: Shell):
    forge("test.affray", "UPDATE events SET body = replace(body, '\"faces\":[', '\"faces\":[1') WHERE entry = 32")
    chain_anew("test.affray")
    orphan.refused("verify", code=5)


def test_without_rules_the_players_sides_are_those_on_which_somebody_joined_whom_a_player_plays(orphan: Shell):
    orphan.done("export", "p.md", "--player-safe")


def test_no_system_means_its_rules_are_missing():
    with pytest.raises(RulesMissing):
        systems.load("exports")


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_words_of_a_rule_system_lie_beside_its_demo(system: str):
    """`fixtures/SYSTEM/words.json`; a system without such a list, as one of somebody else's, can use any word."""
    assert vocabulary.words(system), f"fixtures/{system}/words.json is missing: a list of the words of {system}"
    assert vocabulary.is_known(system, min(vocabulary.words(system) or ()))
    assert vocabulary.is_known(system, "dead")
    assert not vocabulary.is_known(system, "flabbergasted")
    assert vocabulary.is_known("brawl", "flabbergasted")


def test_a_card_says_little():
    """A verb has at most fifteen traits, and a rule system twelve. Words that exclude each other are one trait."""
    told = {*Verb.__struct_fields__} - {"traits"}
    assert len(told | {*map(sort_of, TRAITS)}) <= 15
    assert len(System.__struct_fields__) <= 12


def sort_of(trait: str) -> str:
    """What a word of a card is about."""
    plain, verb = Verb("a:b", ""), Verb("a:b", "", traits=trait)
    sorts = ("by", "kind", "past", "rank", "role")
    where = "" if verb.has("not-script") or verb.has("not-prompt") or verb.has("not-browser") else trait
    return next((sort for sort in sorts if getattr(verb, sort) != getattr(plain, sort)), where)
