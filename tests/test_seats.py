"""Seats: who plays whom, what they propose, what they are asked, and what the game master does with it."""

import io
import json
import stat
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from msgspec import to_builtins
from prompt_toolkit.application.current import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from commands.action import systems
from commands.action.book import Book
from commands.action.declaration import Declaration
from commands.seats import questions
from commands.seats.proposals import accept, trusts
from commands.seats.sayable import form, is_hers, said, typed_line, verbs
from commands.seats.trays import tray_at
from commands.seen.twin import twin
from commands.shell.prompt import Prompt
from commands.words.console import Console
from commands.words.discovery import opened
from ledger.chain import Entry
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.events import DiceSetAside, Noted, Rolled
from ledger.tray import PROPOSAL, QUESTION, Tray
from projections.state import State
from tests.seats import proposes
from tests.shell import Shell, recorded

LEDGER = "test.affray"
F4, CTRL_C, CTRL_D = "\x1bOS", "\x03", "\x04"


class Terminal(io.StringIO):
    """A terminal, of which the prompt reads the keys."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def fight(table: Shell) -> Shell:
    """Jane plays Boffin, whose turn it is; Bob plays Tilda."""
    for line in ("join boffin tilda", "join grub --count 2", "seat jane boffin", "seat bob tilda", "begin"):
        table.done(*line.split())
    table.done("initiative", "--dice", "17,12,4")
    return table


def state() -> State:
    with closing(opened(LEDGER)) as store:
        return Book(store).present()[1]


@contextmanager
def tray() -> Iterator[Tray]:
    with closing(tray_at(LEDGER, state())) as held:
        yield held


def how(number: int) -> str:
    with tray() as held:
        return next(paper.state for paper in held.papers(PROPOSAL) if paper.nth == number)


def entries(shell: Shell) -> int:
    return int(shell("status", "--json").json["entry"])


# Who plays whom


def test_a_seat_follows_undo_amend_rename_and_leave(fight: Shell):
    fight.done("seat", "jane", "boffin", "grub-1")
    assert state().seats.named("jane").plays == ("Boffin", "Grub-1")
    fight.done("undo")
    assert state().seats.named("Jane").plays == ("Boffin",)
    fight.done("rename", "boffin", "Bo")
    assert state().seats.named("Jane").plays == ("Bo",)
    fight.done("leave", "bo")
    assert state().seats.named("Jane").plays == ()
    fight.done("verify")


def test_a_seat_that_is_amended_is_that_of_somebody_else(table: Shell):
    for line in ("join boffin", "join grub --called Grub-1", "seat jane boffin", "amend e4 --who grub-1 --apply"):
        table.done(*line.split())
    assert state().seats.named("Jane").plays == ("Grub-1",)
    assert state().seats.of("Boffin") is None


def test_who_is_given_to_somebody_else_leaves_the_first_seat(fight: Shell):
    fight.done("seat", "bob", "boffin,tilda")
    assert state().seats.of("Boffin").name == "Bob"
    assert state().seats.named("Jane").plays == ()


def test_a_combatant_with_the_name_of_a_player_may_be_renamed(fight: Shell):
    fight.done("join", "jane")
    fight.done("rename", "jane", "Janet")
    assert state().seats.named("Jane").plays == ("Boffin",)


def test_the_turns_of_freepg_go_by_the_same_seats(fight: Shell):
    assert state().turns.order == ("Jane", "Bob", "gm")
    fight.done("seat", "kim", "boffin")
    assert state().turns.order == ("Kim", "Bob", "gm")
    assert fight("status", "--json").json["now"] == ["Boffin"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("seat gm boffin", 2), ("seat kim", 2), ("seat kim --nobody", 2), ("seat jane --nobody --trusted", 2),
        ("seat jane --trusted --untrusted", 2), ("seat jane nobody-there", 3),
    ],
)  # fmt: skip
def test_a_seat_that_makes_no_sense_is_refused_in_a_sentence(words: str, code: int, fight: Shell):
    before = entries(fight)
    fight.refused(*words.split(), code=code)
    assert entries(fight) == before


def test_the_desk_is_readable_by_its_owner_alone_and_no_copy_takes_it(fight: Shell, tmp_path: Path):
    Path("away").mkdir()
    token = fight("seats", "--links", "--json").json["seats"][0]["address"].rpartition("#")[2]
    assert len(token) == 32
    assert stat.S_IMODE(Path(f"{LEDGER}-seats").stat().st_mode) == 0o600
    fight.done("copy", LEDGER, "away/copy.affray")
    fight.done("export", "all.jsonl")
    fight.done("salvage", LEDGER, "away/saved.affray")
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        if not path.name.endswith("-seats"):
            assert token.encode() not in path.read_bytes()
    assert [path.name for path in tmp_path.rglob("*-seats")] == [f"{LEDGER}-seats"]


def test_a_new_link_and_no_seat_end_the_old_link(fight: Shell):
    def link() -> str:
        return str(fight("seats", "--links", "--json").json["seats"][0]["address"])

    first = link()
    assert link() == first
    fight.done("seat", "jane", "--new-link")
    second = link()
    assert second != first
    fight.done("seat", "jane", "--nobody")
    fight.done("undo")
    fight.done("seats")
    assert link() not in (first, second) or not link()


# What can be said


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_every_action_of_a_combatant_has_a_form(system: str):
    made = {name: form(name, verb, system) for name, verb in verbs(system).items()}
    actions = {name for name, verb in systems.load(system).verbs.items() if verb.by == "combatant"}
    assert made.keys() >= actions
    assert not made.keys() & {"adjust", "undo", "amend", "option", "join", "damage", "begin", "end", "seat"}
    for one in made.values():
        assert all(field["kind"] for field in one["fields"])


def seated(name: str = "Jane") -> tuple[State, State]:
    now = state()
    return now, twin(now, ("party",), now.seats.named(name))


@pytest.mark.parametrize(
    "line",
    [
        "adjust boffin hp 5", "undo", "amend e2", "option min_hit_damage 2", "join ogre", "seat jane grub-1",
        "initiative",
        "attack tilda grub-1", "attack grub-1 boffin", "attack @all grub-1", "attack boffin grub-1 --allow x",
        "attack boffin grub-1 --secret", "attack boffin grub-1 --once x", "attack boffin grub-1 --dry-run",
        "attack boffin grub-1 --spare", "attack boffin nobody", "roll 1d20", "attack", "", "attack 'boffin", "--help",
        "attack --help", "set-aside boffin 20", "stir dragons", "attack boffin grub-1 --dice ask",
        "attack boffin grub-1 --dice grub-1:3", "attack boffin \x1b[31m", "help attack",
    ],
)  # fmt: skip
def test_a_phone_says_nothing_but_actions_of_its_own(line: str, fight: Shell):
    now, reckoned = seated()
    with pytest.raises((UsageError, NameUnknown)):
        typed_line(reckoned, now.seats.named("Jane"), ["Boffin"], line)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("boffin attacks grub-1", ["affray attack boffin grub-1"]),
        ("attakc boffin grub-1", ["affray attack boffin grub-1"]),
        ("attakc grub-1 boffin", []),
        ("adjst boffin hp 5", []),
    ],
)
def test_what_a_phone_may_have_meant_is_offered_as_far_as_it_may_say_it(line: str, offered: list[str], fight: Shell):
    now, reckoned = seated()
    with pytest.raises((UsageError, NameUnknown)) as error:
        typed_line(reckoned, now.seats.named("Jane"), ["Boffin"], line)
    assert [one for one in error.value.hint.splitlines() if one.startswith("affray ")] == offered


def test_a_player_ends_their_own_turn_and_no_other(fight: Shell):
    """The game master cannot end another turn by accepting it late."""
    now, reckoned = seated()
    assert typed_line(reckoned, now.seats.named("Jane"), [], "done").line == "done"
    number = proposes(LEDGER, "Jane", "done")
    fight.done("accept")
    assert state().turns.who == "Bob"
    with pytest.raises(UsageError, match="It is not Jane's turn"):
        proposes(LEDGER, "Jane", "done")
    other = proposes(LEDGER, "Bob", "done")
    assert (how(number), how(other)) == ("recorded", "waits")
    fight.done("done")
    fight.refused("accept", str(other), code=2)


def test_a_trusted_player_ends_their_own_turn_at_once(fight: Shell):
    """Also when all of theirs have acted, but not where somebody gives up a turn by it."""
    fight.done("seat", "jane", "--trusted")
    numbers = [proposes(LEDGER, "Jane", line) for line in ("done", "done --pass-rest")]
    with tray() as held, closing(opened(LEDGER)) as store:
        papers = {paper.nth: paper for paper in held.papers(PROPOSAL)}
        assert [trusts(Book(store), papers[number]) for number in numbers] == [True, False]


@pytest.mark.parametrize("field", ["_allow", "allow", "secret", "once", "dice", "__class__", "why"])
def test_a_form_has_no_hidden_fields(field: str, fight: Shell):
    now, reckoned = seated()
    with pytest.raises(UsageError):
        said(
            reckoned, now.seats.named("Jane"), [], "attack", {"who": ("Boffin",), "target": ("Grub-1",), field: ("x",)}
        )


def test_a_line_and_a_form_say_the_same(fight: Shell):
    now, reckoned = seated()
    seat = now.seats.named("Jane")
    line = typed_line(reckoned, seat, ["Boffin"], "a . g1 --with sword = 14 6")
    filled = said(reckoned, seat, [], "attack", {"who": ("Boffin",), "target": ("Grub-1",), "with_": ("sword",)})
    assert line.declaration == filled.declaration
    assert (line.line, line.dice) == ("attack Boffin Grub-1 --with sword", (14, 6))


@pytest.mark.parametrize(
    ("line", "hers"),
    [
        ("attack boffin grub-1 --with sword", True), ("stand boffin", True), ("move boffin --to 3,3", True),
        ("attack boffin grub-1 --mod +20", False), ("attack boffin grub-1 --distance 1", False),
        ("attack boffin grub-1 --triggered", False), ("check boffin --free", False), ("act boffin sings", True),
    ],
)  # fmt: skip
def test_a_trusted_seat_says_no_modifier_by_itself(line: str, hers: bool, fight: Shell):
    now, reckoned = seated()
    assert is_hers(typed_line(reckoned, now.seats.named("Jane"), [], line).declaration) is hers


# What the game master does


def test_what_is_accepted_is_the_entry_that_the_same_words_would_make(fight: Shell):
    Path("away").mkdir()
    fight.done("copy", LEDGER, "away/other.affray")
    proposes(LEDGER, "Jane", "a . g1 --with sword", (14,))
    fight.done("accept")
    fight.done("--ledger", "away/other.affray", "attack", "boffin", "grub-1", "--with", "sword", "--dice", "14,-")
    with closing(opened(LEDGER)) as one, closing(opened("away/other.affray")) as other:
        last = one.entry(one.head().entry)
        assert last.bodies == other.entry(other.head().entry).bodies
        assert last.by == "Jane, accepted by tester"
        assert last.typed == "attack Boffin Grub-1 --with sword --dice 14"
    fight.done("verify")


def test_what_is_declined_or_taken_back_without_dice_leaves_no_trace(fight: Shell):
    before = Path(LEDGER).read_bytes()
    number = proposes(LEDGER, "Jane", "attack boffin grub-1")
    fight.done("decline", str(number), "too", "far")
    assert Path(LEDGER).read_bytes() == before
    assert how(number) == "declined"
    fight.refused("accept", str(number), code=3)


def test_dice_that_came_with_it_are_recorded_and_counted(fight: Shell):
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", (1, None, 6))
    fight.done("decline", str(number), "too", "far")
    (aside,) = (one for one in recorded() if isinstance(one, DiceSetAside))
    assert (aside.who, aside.faces, aside.purpose) == ("Boffin", (1, 6), "attack")
    assert fight("verify", "--json").json["grades"]["set_aside"] == 2
    fight.done("undo")
    assert fight("verify", "--json").json["grades"]["set_aside"] == 2


def accepted(number: int, face: int) -> Entry:
    """What becomes of a proposal whose player throws this face for every die that they are asked for."""
    with tray() as held, closing(opened(LEDGER)) as store:
        paper = next(paper for paper in held.papers(PROPOSAL) if paper.nth == number)
        return store.entry(accept(Book(store), held, paper, lambda pool: [face] * len(pool), "tester").entry)


def test_the_line_that_is_kept_has_all_dice_that_were_thrown_for_it(fight: Shell):
    """Those that came with the proposal, and those that the player was asked for; not those of the program."""
    assert accepted(proposes(LEDGER, "Jane", "attack boffin grub-1", [14]), 3).typed == "attack Boffin Grub-1 --dice 14"
    fight.done("undo")
    assert accepted(proposes(LEDGER, "Jane", "attack boffin grub-1", []), 3).typed == "attack Boffin Grub-1 --dice 3"
    fight.done("undo")
    assert accepted(proposes(LEDGER, "Jane", "attack boffin grub-1"), 3).typed == "attack Boffin Grub-1"


def test_each_die_counts_only_for_what_it_was_thrown_for(fight: Shell):
    """The player is asked for the attack; the other die is set aside, and counted."""
    other = ("Boffin", "damage", "Grub-1")
    entry = accepted(proposes(LEDGER, "Jane", "attack boffin grub-1", [20], thrown_for=(other,)), 2)
    assert entry.typed == "attack Boffin Grub-1 --dice 2"
    (aside,) = (one for one in recorded() if isinstance(one, DiceSetAside))
    assert (aside.who, aside.faces, aside.purpose) == ("Boffin", (20,), "damage")
    assert fight("verify", "--json").json["grades"]["set_aside"] == 1


def test_another_action_can_be_accepted_in_its_place(fight: Shell):
    number = proposes(LEDGER, "Jane", "attack boffin grub-1")
    fight.done("accept", str(number), "attack", "boffin", "grub-2")
    (declared, *_) = recorded()
    assert (declared.verb, declared.said["target"]) == ("attack", ["Grub-2"])
    assert how(number) == "recorded"


def test_a_proposal_that_the_rules_refuse_goes_on_waiting_and_its_phone_is_told_nothing(fight: Shell):
    number = proposes(LEDGER, "Bob", "attack tilda grub-1", id_="tilda-one")
    fight.refused("accept", str(number), clause="freepg.turn.out-of-turn")
    assert "It is Jane's turn" in fight.done("proposals")
    with tray() as held:
        (paper,) = held.papers(PROPOSAL)
        assert json.loads(paper.body)["say"] == "Ask the game master."
    assert how(number) == "waits"


def test_undo_and_amend_under_an_open_proposal(fight: Shell):
    fight.done("attack", "boffin", "grub-2", "--dice", "14,3")
    number = proposes(LEDGER, "Jane", "attack boffin grub-1")
    fight.refused("accept", code=1)
    fight.done("undo")
    fight.done("accept", str(number))
    fight.done("verify")


def test_what_is_proposed_is_decided_by_the_fight_as_it_was_amended(fight: Shell):
    """An entry is amended while a proposal is open: it goes on waiting, with the dice that were thrown for it."""
    blow = fight.done("attack", "boffin", "grub-2", "--dice", "14,3").split()
    entry = next(word for word in blow if word[0] == "e" and word[1:].isdigit())
    number = proposes(LEDGER, "Bob", "attack tilda grub-1", (15, 2))
    fight.done("amend", entry, "--target", "grub-1", "--apply")
    assert how(number) == "waits"
    hurt = fight("status", "--json").json["rows"]["Grub-1"]["hp"]
    fight.done("done")
    fight.done("accept")
    assert fight("status", "--json").json["rows"]["Grub-1"]["hp"] != hurt
    assert how(number) == "recorded"
    fight.done("verify")


def test_a_target_that_dies_and_a_seat_of_somebody_else(fight: Shell):
    number = proposes(LEDGER, "Jane", "attack boffin grub-1")
    fight.done("leave", "grub-1")
    fight.refused("accept", str(number), code=3)
    other = proposes(LEDGER, "Jane", "attack boffin grub-2")
    fight.done("seat", "bob", "boffin")
    fight.refused("accept", str(other), code=2)
    fight.done("decline", "all")
    assert (how(number), how(other)) == ("declined", "declined")


def test_it_is_recorded_once_whatever_its_paper_says(fight: Shell):
    """A program that was killed after the entry left the paper as it was."""
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", id_="only-once")
    fight.done("accept")
    before = entries(fight)
    with tray() as held:
        paper = held.find(PROPOSAL, "Jane", "only-once")
        assert held.change(paper, "waits")
    fight.refused("accept", str(number), code=2)
    with tray() as held:
        assert held.change(held.find(PROPOSAL, "Jane", "only-once"), "waits")
    fight.refused("decline", str(number), code=2)
    assert entries(fight) == before


def test_those_from_whom_nothing_has_come_are_named(shell: Shell):
    """Paraverse's planning: all declare at once, and the game master opens the phase."""
    shell.done("init", "Test", "--system", "paraverse")
    for line in ("begin --from gatehouse", "seat jane sigrun hakon", "seat bob ildar", "round"):
        shell.done(*line.split())
    proposes("test.affray", "Jane", "attack sigrun reaver")
    assert shell.done("proposals").splitlines()[-1] == "Waiting for: Ildar, Hakon"
    proposes(LEDGER, "Bob", "shoot ildar vasko")
    proposes(LEDGER, "Jane", "attack hakon reaver")
    assert "Nothing yet" not in shell.done("proposals")
    shell.done("accept", "all")
    assert not {"Sigrun", "Hakon", "Ildar"} & {*shell("status", "--json").json["now"]}
    shell.done("phase", "--pass-rest")
    shell.done("verify")


def test_all_phones_declare_at_once_before_the_initiative(shell: Shell):
    """Arkm's declarations: in whatever order they come, one word of the game master records them all."""
    shell.done("init", "Test", "--system", "arkm")
    for line in ("begin --from bridge", "seat jane corm wystan", "seat bob brenna", "seat ann spearman"):
        shell.done(*line.split())
    says = [("Bob", "brenna"), ("Jane", "wystan"), ("Ann", "spearman"), ("Jane", "corm")]
    phones = [threading.Thread(target=proposes, args=(LEDGER, seat, f"declare {who} wait")) for seat, who in says]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert len(shell.done("proposals").splitlines()) == len(says)
    shell.done("accept", "all")
    log = [json.loads(line)["events"][0] for line in shell.done("log", "--last", "4", "--json").splitlines()]
    assert {said["said"]["who"] for said in log if said["verb"] == "declare"} == {who.title() for _, who in says}
    shell.done("initiative")
    shell.done("verify")


# What is asked at once


def answers(faces: Sequence[int | None]) -> threading.Thread:
    """A phone that answers the next question."""

    def phone() -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with tray() as held:
                for paper in held.papers(QUESTION, questions.OPEN):
                    questions.answer(held, paper, faces)
                    return
            time.sleep(0.05)

    thread = threading.Thread(target=phone)
    thread.start()
    return thread


def test_a_player_is_asked_for_their_own_dice_and_nobody_elses(fight: Shell):
    fight.done("done")
    fight.done("done")
    phone = answers((12,))
    told = fight("attack", "grub-1", "boffin", "--dice", "ask:seats", "--allow", "x", "--json").json
    phone.join()
    rolled = {event["who"]: event for event in told["events"] if event["event"] == "rolled"}
    assert rolled["Grub-1"]["places"] != [0]
    if "Boffin" in rolled:
        assert (rolled["Boffin"]["faces"], rolled["Boffin"]["places"]) == ([12], [0])
    with tray() as held:
        assert {paper.state for paper in held.papers(QUESTION)} <= {questions.USED}


def test_an_answer_of_a_command_that_is_refused_is_set_aside(fight: Shell):
    phone = answers((12,))
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", ())
    with tray() as held:
        assert held.papers(PROPOSAL)
    told = fight("accept", str(number))
    phone.join()
    assert told.code == 0
    fight.done("verify")


def test_without_a_terminal_a_phone_is_not_waited_for_for_ever(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    """It ends, says how to go on, and the proposal goes on waiting."""
    monkeypatch.setattr(questions, "PATIENCE", 0.2)
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", ())
    fight.refused("accept", str(number), code=2)
    assert how(number) == "waits"
    with tray() as held:
        assert {paper.state for paper in held.papers(QUESTION)} == {questions.CLOSED}
    phone = answers((12,))
    monkeypatch.setattr(questions, "PATIENCE", 20.0)
    fight.done("accept", str(number))
    phone.join()


def test_a_secret_command_asks_no_phone(fight: Shell):
    fight.refused("attack", "boffin", "grub-1", "--dice", "ask:seats", "--secret", code=2)
    with tray() as held:
        assert held.papers(QUESTION) == []


def test_a_face_that_a_die_does_not_have_is_no_answer(fight: Shell):
    with tray() as held:
        asked = questions.Asked("Boffin", (10, 6), "damage", "Grub-1", "once")
        paper = held.lay(QUESTION, "Jane", "question-1", questions.OPEN, json.dumps(to_builtins(asked)))
        for faces in ((11, 6), (1,), (1, 0), (1, 2, 3)):
            with pytest.raises(UsageError):
                questions.answer(held, paper, faces)
        questions.answer(held, paper, (0, 6))
        now = held.find(QUESTION, "Jane", "question-1")
        assert (questions.asked_of(now).faces, now.state) == ((10, 6), questions.ANSWERED)
        with pytest.raises(UsageError):
            questions.answer(held, paper, (9, 6))
        questions.answer(held, now, (0, 6))


# The prompt


def test_one_key_accepts_at_the_prompt(fight: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", (14,))
    with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
        pipe.send_text(F4 + CTRL_D)
        Prompt(Console(LEDGER)).stay()
    assert how(number) == "recorded"


def test_a_die_that_a_player_is_asked_for_can_be_typed_at_the_prompt(
    fight: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", Terminal())
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", ())
    with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
        pipe.send_text(F4 + "14\r" + CTRL_D)
        Prompt(Console(LEDGER)).stay()
    assert how(number) == "recorded"
    assert (14,) in [one.faces for one in recorded() if isinstance(one, Rolled) and one.places == (0,)]
    with tray() as held:
        assert [paper.state for paper in held.papers(QUESTION)] == [questions.CLOSED]


def test_the_phone_may_be_sooner_than_the_prompt(fight: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", Terminal())
    number = proposes(LEDGER, "Jane", "attack boffin grub-1", ())
    phone = answers((14,))
    with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
        pipe.send_text(F4)
        sender = threading.Thread(target=lambda: (phone.join(), time.sleep(1), pipe.send_text(CTRL_D)))
        sender.start()
        Prompt(Console(LEDGER)).stay()
        sender.join()
    assert how(number) == "recorded"
    assert (14,) in [one.faces for one in recorded() if isinstance(one, Rolled) and one.places == (0,)]


def test_dice_that_are_given_up_at_the_prompt_are_set_aside_when_something_else_is_recorded(
    fight: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """They are offered again as long as nothing is recorded, also after a look."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", Terminal())
    with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
        pipe.send_text("attack boffin grub-1 --dice ask\r" + "3\r" + CTRL_C + "status\r" + "note 'on we go'\r" + CTRL_D)
        Prompt(Console(LEDGER)).stay()
    assert Noted("on we go") in recorded(8)
    (aside,) = (one for one in recorded(9) if isinstance(one, DiceSetAside))
    assert (aside.who, aside.faces, aside.purpose) == ("Boffin", (3,), "attack")
    assert fight("verify", "--json").json["grades"]["set_aside"] == 1


def test_every_verb_that_a_seat_can_say_says_who_acts_or_ends_a_turn():
    for system in systems.SYSTEMS:
        for verb in verbs(system).values():
            kind: type[Declaration] = systems.procedure(verb)[1]
            assert ("who" in kind.__struct_fields__) is not (verb.role == "turn-end")


def test_a_desk_that_is_none_is_said_in_a_sentence(fight: Shell):
    Path(f"{LEDGER}-seats").write_bytes(b"no tray")
    fight.refused("proposals", code=5)
    with pytest.raises(AffrayError), tray():
        pass
