"""A fight in the address of a page."""

import base64
import json
import zlib

import pytest

from commands.files.link import unfolded
from ledger.errors import UsageError
from tests.shell import Shell

PAGE = "https://example.org/affray/"


@pytest.fixture
def fight(table: Shell) -> Shell:
    table.done("join", "boffin", "--secret")
    table.done("join", "jane")
    return table


def opened(address: str) -> list[dict[str, object]]:
    """The lines of an address, unpacked as the documentation says it."""
    name, _, text = address.rpartition(".")
    assert name == f"{PAGE}#fight=test"
    lines = zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), wbits=-15)
    return [json.loads(line) for line in lines.decode().splitlines()]


def test_a_link_holds_what_the_file_for_players_holds(fight: Shell):
    lines = opened(fight.done("link", "--page", PAGE).strip())
    fight.done("export", "players.jsonl", "--player-safe")
    with open("players.jsonl", encoding="utf-8") as file:
        assert lines == [json.loads(line) for line in file]


def test_only_whole_puts_the_key_into_a_link_and_it_warns(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    key = bytes(range(32)).hex()
    monkeypatch.setenv("AFFRAY_PAGE", PAGE)
    assert key not in json.dumps(opened(fight.done("link").strip()))
    answer = fight("link", "--whole")
    assert opened(answer.out.strip())[0]["key"] == key
    assert "Warning: this address holds the campaign's key and all secrets." in answer.err


def test_a_link_of_a_file_for_players_holds_the_same_file(fight: Shell):
    address = fight.done("--ledger", "test.affray", "link", "--page", PAGE)
    fight.done("export", "players.jsonl", "--player-safe")
    fight.done("import", "players.jsonl", "theirs.affray")
    again = fight.done("--ledger", "theirs.affray", "link", "--page", PAGE)
    assert again == address.replace("#fight=test.", "#fight=theirs.")
    refused = fight("--ledger", "theirs.affray", "link", "--whole", "--page", PAGE)
    assert "holds only what the players see" in refused.err


def test_a_long_address_comes_with_advice_to_send_the_file(fight: Shell):
    for nth in range(40):
        fight.done("note", f"{nth * 7919 % 1000003:x} {nth * 104729 % 15485863:x} of a long evening")
    answer = fight("link", "--page", PAGE)
    assert "some chats cut such a line; a file does as well." in answer.err
    assert "Try: affray export fight.jsonl --player-safe" in answer.err


@pytest.mark.parametrize("page", ["", "example.org", "javascript:alert(1)", "https://a b"])
def test_what_is_no_address_of_a_page_is_refused(page: str, fight: Shell):
    says = "is not an address of a page" if page else "No page is named that opens the link."
    fight.refused("link", *(["--page", page] if page else []), code=2, says=says)


@pytest.mark.parametrize("text", ["", "AAAA", "!", "x" * 5])
def test_a_link_that_was_cut_is_refused(text: str, fight: Shell):
    with pytest.raises(UsageError, match="cut or changed"):
        unfolded(text)


def test_every_shorter_link_is_noticed(fight: Shell):
    text = fight.done("link", "--page", PAGE).strip().rpartition(".")[2]
    for cut in range(1, 40):
        with pytest.raises(UsageError, match="cut or changed"):
            unfolded(text[:-cut])


def test_a_small_link_cannot_unfold_to_more_than_a_page_takes():
    packer = zlib.compressobj(9, wbits=-15)
    packed = b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(65)), packer.flush()])
    with pytest.raises(UsageError, match="cut or changed"):
        unfolded(base64.urlsafe_b64encode(packed).decode().rstrip("="))


def test_link_is_never_meant_by_a_beginning_of_an_action(fight: Shell):
    assert "l could be" in fight("l").err or "link" not in fight("l").err
    assert fight.done("li", "--page", PAGE).startswith(PAGE)
