"""Stir and reveal: dice that nobody chooses, and what is opened to the players. Every face is computed by the book."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit import KEY
from tests.proof import die, secret_by_the_book
from tests.shell import Shell, chain_anew, forge


def hashed(hidden: bool, epoch: int, before: str = "") -> str:
    """The commitment to the dice of one stream in one epoch, in the entry after a digest."""
    return hashlib.sha256(secret_by_the_book(KEY, hidden, epoch, before)).hexdigest()


def digest(shell: Shell, entry: int) -> str:
    """The digest of an entry."""
    shell.done("export", "record.jsonl")
    held: str = json.loads(Path("record.jsonl").read_text().splitlines()[entry])["digest"]
    return held


def facts(shell: Shell, entry: int) -> list[dict[str, Any]]:
    """The events of an entry."""
    shell.done("export", "record.jsonl")
    events: list[dict[str, Any]] = json.loads(Path("record.jsonl").read_text().splitlines()[entry])["events"]
    return events


def dice(shell: Shell, entry: int) -> list[tuple[int, int]]:
    """The places and the faces of the dice of an entry."""
    rolls = [event for event in facts(shell, entry) if event["event"] == "rolled"]
    return [pair for roll in rolls for pair in zip(roll["places"], roll["faces"], strict=True)]


@pytest.fixture
def three(table: Shell) -> Shell:
    """e2 brings Jane, of the party, and Brak. e3 throws an open die of epoch 0, e4 two hidden ones."""
    Path("jane.toml").write_text('kind = "pc"\nname = "Jane"\nhealth_die = 10\n')
    Path("brak.toml").write_text('kind = "enemy"\nname = "Brak"\nsize = "medium"\n')
    table.done("join", "jane.toml", "brak.toml")
    table.done("roll", "1d20", "--who", "Jane")
    table.done("roll", "2d6", "--why", "weather")
    return table


# Epochs


def test_the_dice_before_the_first_stir_are_those_of_epoch_0(three: Shell):
    """Jane throws openly; what the game master rolls is hidden and has places of its own, told as negative ones."""
    assert dice(three, 3) == [(1, die(1, 20))]
    assert dice(three, 4) == [(-1, die(-1, 6)), (-2, die(-2, 6))]


def test_a_stir_records_where_its_epoch_begins_and_what_the_next_one_will_be(three: Shell):
    three.done("stir", "Dragons & Gold!")
    assert facts(three, 5) == [
        {"event": "declared", "verb": "stir", "said": {"words": "Dragons & Gold!"}},
        {"event": "stirred", "epoch": 1, "words": "dragonsgold", "first": 2,
         "commitments": [hashed(False, 2, digest(three, 4)), hashed(True, 2, digest(three, 4))], "first_hidden": 3},
    ]  # fmt: skip


def test_the_first_entry_commits_to_the_dice_of_epochs_0_and_1(three: Shell):
    began = facts(three, 1)[1]
    assert began["commitments"] == [[hashed(False, 0), hashed(True, 0)], [hashed(False, 1), hashed(True, 1)]]


def test_after_a_stir_the_dice_hang_on_the_words_of_the_players(three: Shell):
    """The places go on; the keys are those of epoch 1 with its words, then of epoch 2 with its own."""
    three.done("stir", "Dragons & Gold!")
    three.done("roll", "3d20", "--who", "Jane")
    three.done("roll", "1d100")
    three.done("stir", "42")
    three.done("roll", "1d20", "--who", "Jane")
    three.done("roll", "1d100")
    assert dice(three, 6) == [(place, die(place, 20, 1, "dragonsgold")) for place in (2, 3, 4)]
    assert dice(three, 7) == [(-3, die(-3, 100, 1, "dragonsgold"))]
    assert dice(three, 9) == [(5, die(5, 20, 2, "42", before=digest(three, 4)))]
    assert dice(three, 10) == [(-4, die(-4, 100, 2, "42", before=digest(three, 4)))]
    three.done("verify")


def test_other_words_give_other_dice(three: Shell):
    """That is the point: 20 dice of 20 sides are all the same for two words once in 20 to the 20th."""
    three.done("stir", "dragons")
    three.done("roll", "20d20", "--who", "Jane")
    shown = [face for _, face in dice(three, 6)]
    assert shown == [die(place, 20, 1, "dragons") for place in range(2, 22)]
    assert shown != [die(place, 20, 1, "dragon") for place in range(2, 22)]
    assert shown != [die(place, 20) for place in range(2, 22)]


@pytest.mark.parametrize(("said", "used"), [
    ("DRAGONS and  gold", "dragonsandgold"), ("Straße 7", "straße7"), ("Ünder-dark", "ünderdark"), ("7", "7"),
    ("İstanbul", "İstanbul"), ("“It’s … × «Gold»”", "its×gold"), ("龍 と 金", "龍と金"), ("ΣΟΦΙΑ 🐉", "ΣΟΦΙΑ🐉"),
])  # fmt: skip
def test_words_are_used_without_blanks_and_signs_and_in_small_letters(table: Shell, said: str, used: str):
    table.done("stir", said)
    assert facts(table, 2)[1]["words"] == used


@pytest.mark.parametrize("said", ["", " ", "!?", "--", "…—"])
def test_words_without_a_letter_or_a_digit_are_refused(table: Shell, said: str):
    table.refused("stir", "--", said, code=2)


def test_a_preview_of_a_stir_records_nothing(table: Shell):
    before = Path("test.affray").read_bytes()
    assert table.facts("stir", "dragons", "--dry-run")["events"][1]["epoch"] == 1
    assert Path("test.affray").read_bytes() == before


def test_a_stir_under_the_same_id_is_recorded_once(table: Shell):
    table.done("stir", "dragons", "--once", "a")
    table.done("stir", "dragons", "--once", "a")
    assert table.done("verify").startswith("Sound: 2 entries")
    table.refused("stir", "gold", "--once", "a", code=2)


# Nothing brings an epoch back


def test_a_stir_is_never_taken_back(table: Shell):
    table.done("stir", "gold")
    table.refused("undo", "e2", code=2)


def test_nothing_is_taken_back_to_a_stir(three: Shell):
    """e5 is no entry of play, and nothing took it away."""
    three.done("stir", "gold")
    assert three("undo", "--to", "e5").err.startswith("Error: e5 does not stand.\n")


def test_undo_and_redo_bring_no_epoch_back(three: Shell):
    """e5 stirs, e6 takes back e4 from before it: the next die is of epoch 1. e8 undoes more, e9 brings it again."""
    three.done("stir", "dragons")
    three.done("undo")
    three.done("roll", "1d20", "--who", "Jane")
    assert dice(three, 7) == [(2, die(2, 20, 1, "dragons"))]
    three.done("undo", "e3")
    three.done("redo")
    three.done("roll", "1d20", "--who", "Jane")
    assert dice(three, 10) == [(3, die(3, 20, 1, "dragons"))]
    three.done("stir", "gold")
    assert facts(three, 11)[1]["epoch"] == 2
    three.done("verify")


def test_an_amendment_keeps_old_dice_and_throws_new_ones_in_the_newest_epoch(three: Shell):
    """Jane shoots Brak on two dice of epoch 0. After the stir her arrow bursts and hits Grub, too: his defense is a die
    of epoch 1, and the others keep their faces.
    """
    Path("grub.toml").write_text('kind = "enemy"\nname = "Grub"\nsize = "small"\n')
    three.done("join", "grub.toml", "--at", "3,2")
    three.done("adjust", "Jane", "at", "0,0", "she stands there")
    three.done("adjust", "Brak", "at", "3,0", "he stands there")
    three.done("begin", "A fight")
    three.done("initiative", "--dice", "20,1")
    three.done("attack", "jane", "brak")
    assert dice(three, 10) == [(2, die(2, 20)), (3, die(3, 20))]
    three.done("stir", "dragons")
    three.done("amend", "e10", "--radius", "4", "--dice", "roll", "--apply")
    assert dice(three, 13) == [(2, die(2, 20)), (3, die(3, 20)), (4, die(4, 20, 1, "dragons"))]
    three.done("verify")


def test_what_an_amendment_puts_in_before_a_stir_is_thrown_after_it(three: Shell):
    """The new action stands before e4, its dice are of the newest epoch; the hidden dice of e4 keep their faces."""
    three.done("stir", "dragons")
    three.done("amend", "e4", "--insert", "roll 2d20 --who Jane", "--dice", "roll", "--apply")
    assert dice(three, 7) == [(2, die(2, 20, 1, "dragons")), (3, die(3, 20, 1, "dragons"))]
    assert dice(three, 8) == [(-1, die(-1, 6)), (-2, die(-2, 6))]
    three.done("verify")


@pytest.mark.parametrize("words", [
    ["e5", "--drop"],
    ["e5", "--words", "gold"],
    ["e6", "--drop"],
    ["e4", "--insert", "stir gold"],
    ["e4", "--insert", "reveal dice"],
])  # fmt: skip
def test_a_stir_and_a_reveal_can_be_neither_dropped_nor_amended_nor_inserted(three: Shell, words: list[str]):
    three.done("stir", "dragons")
    three.done("reveal", "dice")
    three.refused("amend", *words, code=2)
    three.refused("amend", *words, "--apply", code=2)


def test_an_amendment_of_what_stood_before_leaves_the_epoch_as_it_is(three: Shell):
    """e3 is dropped, and with it all after it is resolved anew: the stir among it is no action that could be."""
    three.done("stir", "dragons")
    three.done("amend", "e3", "--drop", "--apply")
    three.done("roll", "1d20", "--who", "Jane")
    number = three.done("verify").split()[1]
    assert dice(three, int(number)) == [(2, die(2, 20, 1, "dragons"))]


# Whoever holds the key could begin an epoch otherwise: an audit finds it, though all is chained anew


def stirred(shell: Shell, field: str, value: object) -> None:
    """Another value in the stir of e5, to which the chain was fitted."""
    said = json.loads(Path("record.jsonl").read_text().splitlines()[5])["events"][1]
    old, new = (json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in (said[field], value))
    body = "UPDATE events SET body = replace(body, ?, ?) WHERE kind = 'stirred' AND entry = 5"
    forge("test.affray", (body, (f'"{field}":{old}', f'"{field}":{new}')))
    chain_anew("test.affray")


FORGED: dict[str, tuple[str, object]] = {
    "an earlier first place": ("first", 1),
    "a later first place": ("first", 3),
    "another hidden place": ("first_hidden", 2),
    "the epoch before": ("epoch", 0),
    "an epoch too far": ("epoch", 2),
    "another commitment": ("commitments", [hashed(False, 2), hashed(True, 3)]),
    "commitments of the wrong streams": ("commitments", [hashed(True, 2), hashed(False, 2)]),
    "no words": ("words", ""),
    "words as they were typed": ("words", "Dragons"),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_stir_is_found_though_all_is_chained_anew(three: Shell, forgery: str):
    field, value = FORGED[forgery]
    three.done("stir", "dragons")
    three.done("export", "record.jsonl")
    stirred(three, field, value)
    assert three("verify", "--check", "chain").code == 0
    three.refused("verify", "--check", "dice", code=5)


def test_words_that_were_not_typed_are_found(three: Shell):
    """With the dice that follow from them: each is as it must be in that epoch."""
    three.done("stir", "dragons")
    three.done("export", "record.jsonl")
    stirred(three, "words", "gold")
    three.refused("verify", code=5)


def test_a_die_of_another_epoch_is_found(three: Shell):
    """A game master who goes on with the dice that they know: those of epoch 0."""
    three.done("stir", "dragons")
    three.done("roll", "1d1000", "--who", "Jane")
    ((_, shown),) = dice(three, 6)
    assert shown != die(2, 1000)
    body = "UPDATE events SET body = replace(body, ?, ?) WHERE kind = 'rolled' AND entry = 6"
    forge("test.affray", (body, (f'"faces":[{shown}]', f'"faces":[{die(2, 1000)}]')))
    chain_anew("test.affray")
    three.refused("verify", "--check", "dice", code=5)


# Reveal the dice


def test_the_dice_of_the_epoch_that_is_played_are_not_revealed(three: Shell):
    """The hint works: after a stir the epoch before is over."""
    three.refused("reveal", "dice", code=2)
    three.refused("reveal", "dice", "--hidden", code=2)


def test_revealed_dice_are_the_open_secrets_of_past_epochs_and_no_others(three: Shell):
    three.done("stir", "dragons")
    three.done("reveal", "dice")
    three.done("stir", "gold")
    three.done("reveal", "dice")
    three.done("reveal", "dice", "--hidden")
    secrets = [[secret_by_the_book(KEY, hidden, epoch).hex() for epoch in (0, 1)] for hidden in (False, True)]
    assert facts(three, 6)[1] == {"event": "dice-revealed", "hidden": False, "secrets": secrets[0][:1]}
    assert facts(three, 8)[1] == {"event": "dice-revealed", "hidden": False, "secrets": secrets[0]}
    assert facts(three, 9)[1] == {"event": "dice-revealed", "hidden": True, "secrets": secrets[1]}
    three.done("verify")


def test_before_hidden_dice_are_revealed_it_is_said_what_players_learn(three: Shell):
    """e4 rolled two of them for the weather; the die of epoch 1 stays hidden."""
    three.done("stir", "dragons")
    three.done("roll", "1d6", "--why", "treason")
    answer = three("reveal", "dice", "--hidden")
    assert answer.code == 0
    assert "The players learn these hidden rolls: the game master for weather." in answer.err
    assert "treason" not in answer.err


def test_hidden_rolls_of_one_purpose_are_counted(three: Shell):
    three.done("roll", "1d6", "--why", "weather", "--secret")
    three.done("stir", "dragons")
    answer = three("reveal", "dice", "--hidden")
    assert "The players learn these hidden rolls: the game master for weather (2)." in answer.err


def test_a_hidden_die_of_the_epoch_that_is_played_stays_hidden_after_a_reveal(three: Shell):
    """e4 rolled two hidden dice of epoch 0, which is revealed; e6 and e7 roll those of epoch 1."""
    three.done("stir", "dragons")
    three.done("roll", "1d6", "--why", "treason")
    three.done("roll", "1d6", "--why", "treason")
    three.done("reveal", "dice", "--hidden")
    three.done("export", "p.jsonl", "--player-safe")
    entries = [json.loads(line) for line in Path("p.jsonl").read_text().splitlines()[1:]]
    shown = {entry["entry"]: "faces" in json.dumps(entry["parts"]) for entry in entries}
    assert (shown[3], shown[4], shown[6], shown[7]) == (True, True, False, False)


@pytest.mark.parametrize("said", [["e9"], ["e0"], ["Nobody"], ["Jane"], ["Jane", "--hidden"], ["dices"]])
def test_what_cannot_be_revealed_is_refused(three: Shell, said: list[str]):
    answer = three("reveal", *said)
    assert answer.code in (2, 3)
    assert answer.err.startswith("Error: ")
    assert three.done("verify").startswith("Sound: 4 entries")


OPEN_0 = secret_by_the_book(KEY, False, 0).hex()
FALSE = {
    "the hidden one": (OPEN_0, secret_by_the_book(KEY, True, 0).hex()),
    "zeros": (OPEN_0, "00" * 32),
    "in capitals": (OPEN_0, OPEN_0.upper()),
    "with a blank": (OPEN_0, f"{OPEN_0[:2]} {OPEN_0[2:]}"),
    "no number": (OPEN_0, "dragons"),
    "nothing": (f'"{OPEN_0}"', ""),
    "the other stream": ('"hidden":false', '"hidden":true'),
    "the epoch that is played": (f'"{OPEN_0}"', f'"{OPEN_0}","{secret_by_the_book(KEY, False, 1).hex()}"'),
}


@pytest.mark.parametrize("false", FALSE)
def test_other_secrets_than_those_of_the_past_epochs_are_found(three: Shell, false: str):
    three.done("stir", "dragons")
    three.done("reveal", "dice")
    body = "UPDATE events SET body = replace(body, ?, ?) WHERE kind = 'dice-revealed'"
    forge("test.affray", (body, FALSE[false]))
    chain_anew("test.affray")
    three.refused("verify", "--check", "dice", code=5)


# Grades


ONCE = {"set_aside": 0, "again": 0, "skipped": 0}
"""Nobody rolled again, and no hidden die was left out between others."""


def grades(shell: Shell, *words: str) -> dict[str, int]:
    """How sure anybody can be of the dice: proven, unstirred, unproven, by hand, again."""
    found: dict[str, int] = shell("verify", *words, "--json").json["grades"]
    return found


def test_verify_grades_the_dice(three: Shell):
    """One open and two hidden dice of epoch 0; no die was thrown by hand. Then one of epoch 1, and three by hand."""
    assert grades(three) == {"proven": 3, "unstirred": 3, "unproven": 0, "by_hand": 0, **ONCE}
    three.done("stir", "dragons")
    three.done("roll", "1d6", "--who", "Jane")
    three.done("roll", "3d6", "--dice", "1,2,3")
    assert grades(three) == {"proven": 4, "unstirred": 3, "unproven": 0, "by_hand": 3, **ONCE}


def test_for_players_dice_are_proven_when_their_secret_is_revealed(three: Shell):
    """The die of Jane is open, those of e4 are not in the file at all; e7 is of epoch 1."""
    three.done("export", "p.jsonl", "--player-safe")
    assert grades(three, "p.jsonl") == {
        "proven": 0,
        "unstirred": 0,
        "unproven": 1,
        "by_hand": 0,
        "set_aside": 0,
        "again": 0,
        "skipped": 0,
    }
    said = three.done("verify", "p.jsonl").splitlines()[1]
    assert said == "Dice: 1 not proven before they are revealed."
    three.done("stir", "dragons")
    three.done("reveal", "dice")
    three.done("roll", "2d6", "--who", "Jane")
    three.done("export", "p.jsonl", "--player-safe")
    assert grades(three, "p.jsonl") == {
        "proven": 1,
        "unstirred": 1,
        "unproven": 2,
        "by_hand": 0,
        "set_aside": 0,
        "again": 0,
        "skipped": 0,
    }
    three.done("reveal", "dice", "--hidden")
    three.done("export", "p.jsonl", "--player-safe")
    assert grades(three, "p.jsonl") == {
        "proven": 3,
        "unstirred": 3,
        "unproven": 2,
        "by_hand": 0,
        "set_aside": 0,
        "again": 0,
        "skipped": 0,
    }


def test_a_die_that_its_secret_does_not_give_is_found_in_the_file_for_players(three: Shell):
    """The game master altered it and chained everything anew; the players recompute it."""
    body = "UPDATE events SET body = replace(body, ?, ?) WHERE kind = 'rolled' AND entry = 3"
    shown = die(1, 20)
    three.done("stir", "dragons")
    three.done("reveal", "dice")
    forge("test.affray", (body, (f'"faces":[{shown}]', f'"faces":[{shown % 20 + 1}]')))
    chain_anew("test.affray")
    three.done("export", "p.jsonl", "--player-safe")
    three.refused("verify", "p.jsonl", code=5)


def test_who_rolls_again_after_an_undo_is_counted(three: Shell):
    """The same verb by the same actor at one place: e5 is undone, e7 is once more, e9 too; e10 is elsewhere."""
    for _ in range(2):
        three.done("roll", "1d20", "--who", "Jane")
        three.done("undo")
    three.done("roll", "1d20", "--who", "Jane")
    three.done("roll", "1d20", "--who", "Jane")
    assert grades(three)["again"] == 2
    three.done("undo")
    three.done("roll", "1d20", "--who", "Brak")
    three.done("note", "Hm.")
    assert grades(three)["again"] == 2, "somebody else rolled"


def test_once_is_said_as_a_word(three: Shell):
    three.done("undo")
    three.done("roll", "1d4")
    assert "Somebody rolled again after an undo once." in three.done("verify")
