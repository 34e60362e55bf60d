"""The law of order and of persons: a correction moves acts with their people, and not the people with the acts."""

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.events import Overruled, Rolled
from tests.shell import Shell, recorded, rulings
from tests.test_golden import FIXTURES, tell


def play(shell: Shell, *lines: str) -> None:
    """Types some lines, in one ledger."""
    for line in lines:
        shell.done(*line.split())


ORCS = ("hod", "nar", "rog", "zog")


def now(shell: Shell) -> tuple[list[str], list[str]]:
    """Who may act now, and who or what is next."""
    status = shell.facts("status")
    return status["now"], status["next"]


def declared(shell: Shell) -> list[Any]:
    """What was declared in each entry that stands, in the order of the course."""
    log = shell.done("log", "--last", "0", "--standing", "--json").splitlines()
    return [json.loads(line)["events"][0] for line in log]


def by(shell: Shell, verb: str) -> list[str]:
    """Who do what a verb says, in the order of the course."""
    doers = [said["said"]["who"] for said in declared(shell) if said["verb"] == verb]
    return [name for who in doers for name in ([who] if isinstance(who, str) else who)]


def late(shell: Shell) -> list[tuple[str, str]]:
    """The verbs that stand out of the order as corrected, each with who does it."""
    return [(said["verb"], said["said"].get("who")) for said in declared(shell) if said.get("out_of_order")]


def order(shell: Shell, *words: str) -> list[str]:
    """The first lines of what a correction makes of each entry, in order, up to what differs at the end."""
    told = shell.done("amend", *words, "--full", "--apply").splitlines()
    return [line.partition("  ")[0] for line in told if line.startswith(("e", "new"))]


def fallen(entry: int = 0) -> list[tuple[str, tuple[int, ...]]]:
    """The dice of an entry, of the last without a number: who threw them, and the faces."""
    return [(event.who, event.faces) for event in recorded(entry) if isinstance(event, Rolled)]


@pytest.fixture
def aachen(shell: Shell) -> Shell:
    """Brun 6, the goblin 4, Gerlind 2: each acts once."""
    shell.done("init", "x", "--system", "aachen", "--option", "individual_initiative=true", "--key", "00" * 31 + "07")
    play(
        shell, "join brun gerlind goblin", "begin", "initiative --dice 5,1,3", "attack brun goblin 3",
        "attack goblin brun 15 3", "shoot gerlind goblin 30 = 3",
    )  # fmt: skip
    return shell


def test_an_act_is_taken_forward_where_the_course_waits_for_its_person(aachen: Shell):
    """aachen.initiative.side-completes: with 4 + 1 Gerlind is before the goblin's 3 + 1. It is one round."""
    assert order(aachen, "e4", "--dice", "-,4,-", "--because", "m") == ["e4", "e5", "e7", "e6"]
    assert by(aachen, "pass") == []
    assert aachen.value("round") == "1"
    aachen.done("verify")


def test_what_somebody_did_in_their_turn_stays_in_it(aachen: Shell):
    """aachen.round.one-turn-each: Gerlind steps and shoots; with 8 + 1 she does both before Brun ends her turn."""
    play(aachen, "undo", "move gerlind 10", "shoot gerlind goblin 30 = 3")
    assert order(aachen, "e4", "--dice", "-,8,-", "--because", "m") == ["e4", "e9", "e10", "e5", "e6"]
    aachen.done("verify")


def test_what_is_possible_at_any_time_keeps_its_place(shell: Shell):
    """aachen.actions.total-defense: without the first blow the second ends Brun's turn; he defends after it."""
    shell.done("init", "x", "--system", "aachen", "--option", "individual_initiative=true", "--key", "00" * 31 + "07")
    play(
        shell, "join brun gerlind", "join goblin --count 2", "begin", "initiative --dice 5,1,3", "move brun 5",
        "attack goblin-1 gerlind 3", "attack goblin-2 gerlind 3", "defend brun",
    )  # fmt: skip
    assert order(shell, "e7", "--drop") == ["e7", "e8", "e9"]
    shell.done("verify")


def test_what_changes_somebody_is_taken_forward_with_their_act(aachen: Shell):
    """What is said of Gerlind before her shot stands before it; the note keeps its place."""
    play(aachen, "undo", "note rain", "adjust gerlind hp 9 bruised", "shoot gerlind goblin 30 = 3")
    assert order(aachen, "e4", "--dice", "-,4,-", "--because", "m") == ["e4", "e5", "e10", "e11", "e6", "e9"]
    aachen.done("verify")


def test_what_was_done_behind_the_last_wall_stands_out_of_order(aachen: Shell):
    """Gerlind has not acted when the goblin is before her no more: his blow stands, and she is due."""
    aachen.done("undo")
    aachen.done("amend", "e4", "--dice", "-,4,-", "--because", "m", "--apply")
    assert (late(aachen), by(aachen, "pass")) == ([("attack", "Goblin")], [])
    assert now(aachen) == (["Goblin"], ["Gerlind"])
    play(aachen, "shoot gerlind goblin 30 = 3")
    assert aachen.value("round") == "1"
    aachen.done("verify")


def test_an_act_that_is_moved_behind_the_end_of_its_encounter_is_refused(aachen: Shell):
    """aachen.round.sequence: there is no order behind the end that a correction could overrule."""
    aachen.done("end")
    aachen.refused("amend", "e6", "--after", "e8", "--apply", clause="aachen.round.sequence")
    aachen.done("amend", "e6", "--allow", "a last blow", "--after", "e8", "--apply")
    aachen.done("verify")


def test_what_was_done_before_the_first_round_is_lost_with_its_encounter(shell: Shell):
    """aachen.round.sequence: Brun strikes before anybody has rolled initiative, and outside no blow is so allowed."""
    shell.done("init", "x", "--system", "aachen")
    play(shell, "join brun goblin", "begin", "attack brun goblin --allow surprise --dice 3")
    assert "The encounter is left out." in shell.done("amend", "e3", "--drop")
    shell.done("amend", "e3", "--drop", "--apply", "--lose", "1")
    assert by(shell, "attack") == []
    shell.done("verify")


def test_who_has_no_act_between_two_walls_passes_by_name(aachen: Shell):
    """The first round is over: Gerlind, who had been last and had passed, passes before the goblin strikes."""
    play(aachen, "undo", "pass gerlind", "round")
    assert order(aachen, "e4", "--dice", "-,4,-", "--because", "m") == ["e4", "e5", "e9", "e6", "e10"]
    aachen.done("amend", "e9", "--drop", "--apply")
    aachen.done("verify")


def test_seats_in_another_order_keep_their_rounds_and_lose_nothing(shell: Shell):
    """freepg.initiative.order: Jane 14, gm 2, John 3 in place of John, Jane, gm. There are two rounds before and after,
    `done` is said of the same turns, and 14 + 2 still beat 6.
    """
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub --count 2", "begin --seats John,Jane,gm", "initiative --dice 14,3,2",
        "attack boffin grub-1 --dice 14,6", "done", "attack jane grub-2 --dice 12,4", "done",
        "attack grub-1 boffin --dice 3,3", "done --pass-rest", "attack boffin grub-2 --dice 13,5",
    )  # fmt: skip
    course = shell.course("e5", "--dice", "3,14,2", "--because", "swapped", "--apply")
    assert [*course] == [5, 8, 9, 10, 11, 6, 7, 12]
    assert {outcome for outcome, _ in course.values()} <= {"same", "different"}
    assert shell.value("round") == "2"
    shell.done("verify")


@pytest.fixture
def seated(shell: Shell) -> Shell:
    """Ann, John, Bob, and the game master, who plays nobody; Bob strikes last, and does not say that he is done."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    for name in ("Ann", "Bob"):
        Path(f"{name}.toml").write_text(f'name = "{name}"\nkind = "enemy"\nseat = "{name}"\nhp_max = 20\n')
    play(
        shell, "join boffin", "join Ann.toml Bob.toml", "begin --seats Ann,John,Bob",
        "initiative --dice 15,10,5,9,-,-,-", "attack ann boffin --dice 10,5", "done", "attack boffin ann --dice 20,2",
        "done", "attack bob boffin --dice 12,6",
    )  # fmt: skip
    return shell


def test_the_turn_of_a_seat_that_plays_nobody_is_ended_by_the_course(seated: Shell):
    """freepg.initiative.clockwise: Ann, gm, John, Bob in place of Ann, John, Bob, gm."""
    course = seated.facts("amend", "e4", "--seats", "John,Bob,Ann", "--because", "x", "--apply")["course"]
    assert [one["entry"] for one in course] == [4, 5, 6, 7, None, 8, 9, 10]
    assert {one["outcome"] for one in course} == {"different", "same", "went on"}
    assert seated.value("round") == "1"
    seated.done("verify")


def test_behind_the_last_wall_who_has_struck_does_not_pass(seated: Shell):
    """freepg.initiative.clockwise: Ann, Bob, gm, John in place of Ann, John, Bob, gm. Boffin's blow stands out of the
    order, and Bob has the rest of his turn.
    """
    course = seated.facts("amend", "e4", "--seats", "John,Ann,Bob", "--because", "x", "--apply")["course"]
    assert [one["entry"] for one in course] == [4, 5, 6, 7, 10, 8, 9]
    assert seated.value("turn") == "Bob"
    seated.done("verify")


def test_a_blow_struck_later_in_a_phase_is_not_lost(shell: Shell):
    """arkm.initiative.highest-first: 5 for the orc against 4; its blow comes first, whatever comes of it."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called Bo", "join orc --called Hod", "note rain", "begin",
        "initiative --dice 4,4", "move Bo --feet 45 --to Hod", "attack bo hod --dice 14,1", "pass bo",
        "attack hod bo --dice 16,6",
    )  # fmt: skip
    course = shell.course("e6", "--dice", "4,5", "--because", "x", "--apply")
    assert not any("possible" in outcome for outcome, _ in course.values())
    assert by(shell, "pass") == ["Bo"]
    assert [*course].index(10) < [*course].index(8)
    shell.done("verify")


@pytest.fixture
def answered(shell: Shell) -> Shell:
    """Brun 7, the goblin 5, Gerlind and Adalger 2. The goblin would hit Gerlind with 15 - 1 against 13; she defends
    after the roll (e7), and 15 is not reached (e8).
    """
    shell.done("init", "x", "--system", "aachen", "--option", "individual_initiative=true", "--key", "00" * 31 + "07")
    play(
        shell, "join brun gerlind adalger goblin", "begin", "initiative --dice 6,1,2,4", "attack brun goblin 3",
        "attack goblin gerlind 15 3", "defend gerlind --after-roll",
    )  # fmt: skip
    return shell


EARLIER = ("e4", "--dice", "-,-,7,-", "--because", "m")
"""Adalger has 7, and is before the goblin."""


def test_what_somebody_did_later_is_taken_forward_before_an_act_and_before_what_answers_it(answered: Shell):
    """aachen.initiative.side-completes: Adalger, then the goblin's blow with the defence that answers it."""
    play(answered, "attack adalger goblin = 3")
    assert order(answered, *EARLIER) == ["e4", "e5", "e9", "e7", "e8"]
    assert answered.value("Gerlind.hp") == "11"
    answered.done("verify")


def test_an_act_that_is_answered_stands_out_of_order_with_its_answer(answered: Shell):
    """Adalger has not acted, and no wall says that he passed: the blow stands, and the defence with it."""
    course = answered.course(*EARLIER, "--apply")
    assert [*course] == [4, 5, 7, 8]
    assert course[7][0] == "same"
    allowed = [event for event in recorded(course[8][1] or 0) if isinstance(event, Overruled)]
    assert [event.clause for event in allowed] == ["aachen.initiative.side-completes"]
    assert answered.value("Gerlind.hp") == "11"
    answered.done("verify")


def test_somebody_passes_before_an_act_and_before_what_answers_it(answered: Shell):
    """The next round has come, and Adalger had no act in this one."""
    answered.done("round", "--allow", "time is short")
    course = answered.course(*EARLIER, "--apply")
    assert [*course] == [4, 5, None, 7, 8, 9]
    assert {outcome for entry, (outcome, _) in course.items() if entry} <= {"same", "different"}
    assert answered.value("Gerlind.hp") == "11"
    answered.done("verify")


def test_an_instant_is_not_taken_forward_by_itself(answered: Shell):
    """With 1 Brun is last: the goblin's blow with Gerlind's defence stands before his."""
    play(answered, "attack adalger goblin = 3")
    assert order(answered, "e4", "--dice", "1,-,-,-", "--because", "m") == ["e4", "e7", "e8", "e5", "e9"]
    answered.done("verify")


def test_what_needs_dice_is_put_in_for_each_that_is_lost(aachen: Shell):
    """Without initiative nobody acts: what is rolled for the first of them nobody knows before it is."""
    losses = aachen("amend", "e4", "--drop", "--apply", "--json").json["losses"]
    assert [(loss["entry"], loss["behind"], loss["saved"]) for loss in losses] == [
        (5, 0, True), (6, 0, True), (7, 0, True),
    ]  # fmt: skip


def test_an_entry_is_moved_before_and_after_another_on_its_dice(aachen: Shell):
    """The note e8 is moved before e5, and then after e6; and something is put in place of it."""
    aachen.done("note", "rain")
    assert [*aachen.course("e8", "--before", "e5", "--apply")] == [8, 5, 6, 7]
    aachen.done("amend", "e8", "--after", "e6", "--apply")
    assert [said["verb"] for said in declared(aachen)][-3:] == ["attack", "note", "shoot"]
    aachen.done("amend", "e8", "--drop", "--insert", "note sun", "--apply")
    assert [said["said"]["text"] for said in declared(aachen) if said["verb"] == "note"] == ["sun"]
    aachen.refused("amend", "e5", "--before", "e5", code=2)
    aachen.done("verify")


@pytest.fixture
def grubs(shell: Shell) -> Shell:
    """Two joins of two grubs each."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(shell, "join boffin", "join grub --count 2", "join grub --count 2")
    play(shell, "adjust grub-1 hp 7 x", "adjust grub-3 hp 3 x")
    return shell


@pytest.mark.parametrize(
    ("count", "first", "third"), [("1", "Grub", "Grub-1"), ("3", "Grub-1", "Grub-4"), ("4", "Grub-1", "Grub-5")]
)
def test_a_corrected_join_brings_the_same_persons(grubs: Shell, count: str, first: str, third: str):
    """Grub-1 of the first join is its first, and Grub-3 the first of the second, however many come before."""
    grubs.done("amend", "e3", "--count", count, "--apply")
    assert (grubs.value(f"{first}.hp"), grubs.value(f"{third}.hp")) == ("7", "3")
    grubs.done("verify")


def test_what_was_said_of_who_is_too_many_is_lost_and_counted(grubs: Shell):
    """Grub-2 was not there: another Grub-2, of the second join, is not meant."""
    grubs.done("adjust", "grub-2", "hp", "5", "x")
    said = grubs.facts("amend", "e3", "--count", "1", "--apply", "--lose", "1")
    assert [one["entry"] for one in said["course"] if one["outcome"] == "no longer possible"] == [7]
    assert len(said["losses"]) == 1
    grubs.done("verify")


def test_a_name_that_another_takes_means_whom_it_meant(shell: Shell):
    """Snot is called Grub-2: what was said of Snot is his, and what was said of Grub-2 is that of who is Grub-3."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(shell, "join boffin", "join grub --called Snot", "join grub --count 2")
    play(shell, "adjust snot hp 9 x", "adjust grub-2 hp 5 x")
    shell.done("amend", "e3", "--called", "Grub-2", "--apply")
    assert (shell.value("Grub-2.hp"), shell.value("Grub-3.hp")) == ("9", "5")
    shell.done("verify")


def test_what_is_put_in_again_means_the_person_that_it_meant(shell: Shell):
    """One Grub becomes three: what was said of him is said of the first of them, who is he."""
    shell.done("init", "x", "--system", "freepg")
    play(
        shell, "join boffin", "join grub", "adjust grub hp 5 x", "amend e4 --drop --apply", "amend e3 --count 3 --apply"
    )
    shell.done("amend", "e4", "--apply")
    assert shell.value("Grub-1.hp") == "5"
    shell.done("verify")


def test_who_gives_way_is_the_one_whose_turn_it_was(shell: Shell):
    """arkm.initiative.tie-simultaneous: with 4 and 4 Bo and the wolf act together; the `done` of Bo falls away and
    leaves the wolf its move, which is taken forward before that of Hod.
    """
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called Bo", "join orc --called Hod", "join wolf --side beasts", "begin --distance 60",
        "initiative --dice 5,4,3", "move bo --feet 20", "done", "move hod --feet 10", "done", "move wolf --feet 30",
    )  # fmt: skip
    assert order(shell, "e6", "--dice", "4,3,4", "--because", "x") == ["e6", "e7", "e8", "e11", "e9", "e10"]
    assert by(shell, "move") == ["Bo", "Wolf", "Hod"]
    shell.done("verify")


def test_what_opens_the_turn_of_a_group_in_a_new_round_stands(shell: Shell):
    """arkm.initiative.one-die-per-group: 2 + 2 in place of 3 + 2 leave Orc-2 2 of 6 points; nothing else changes: the
    first `done` of round 2 opens the phase with the turn of the orcs, and the second ends it.
    """
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter thief", "join orc --dice 6 --called Orc-2", "join ogre", "begin --outdoors --distance 10",
        "round 5 3 2", "move tessa --to orc-2", "attack tessa orc-2 13 3", "round --pass-rest --dice 2,6,4", "done",
        "done", "move ogre --feet 20 --to aldric", "attack orc-2 tessa 16 3",
    )  # fmt: skip
    course = shell.course("e8", "--dice", "13,2", "--because", "a 2", "--apply")
    assert {entry: outcome for entry, (outcome, _) in course.items() if outcome != "same"} == {8: "different"}
    assert shell.value("Orc-2.hp") == "2"
    shell.done("verify")


def corrected(shell: Shell, system: str, *lines: str) -> None:
    """A fight of a system in which the last line corrects the order, and something stands out of it."""
    shell.done("init", "x", "--system", system, "--key", "00" * 31 + "07")
    play(shell, *lines[:-1])
    shell.done(*lines[-1].split(), "--because", "m", "--apply")
    assert late(shell)


def test_who_has_struck_before_their_seat_has_one_action_left_on_its_turn(shell: Shell):
    """freepg.turn.one-attack, freepg.turn.two-actions: John, who was first, is last; Boffin's blow is of that turn."""
    corrected(
        shell, "freepg", "join boffin jane", "join grub", "begin --seats John,Jane,gm", "initiative --dice 14,3,2",
        "attack boffin grub --dice 14,6", "amend e5 --dice 3,14,2",
    )  # fmt: skip
    play(shell, "done", "done --pass-rest")
    assert shell.facts("status")["rows"]["Boffin"]["actions"] == "1"
    shell.refused("attack", "boffin", "grub", clause="freepg.turn.one-attack")
    play(shell, "move boffin --squares 3")
    shell.refused("move", "boffin", "--squares", "1", clause="freepg.turn.two-actions")
    play(shell, "done", "done", "done --pass-rest", "attack boffin grub --dice 14,6")
    shell.done("verify")


def test_a_weapon_that_was_changed_before_the_turn_of_its_seat_is_the_free_one_of_that_turn(shell: Shell):
    """freepg.turn.weapon-swap: and of the two actions none is lost."""
    corrected(
        shell, "freepg", "join boffin jane", "join grub", "begin --seats John,Jane,gm", "initiative --dice 14,3,2",
        "stow boffin sword", "amend e5 --dice 3,14,2",
    )  # fmt: skip
    play(shell, "done", "done --pass-rest", "draw boffin sword")
    assert shell.facts("status")["rows"]["Boffin"]["actions"] == "1 (1 attack)"


def test_who_has_struck_before_their_place_does_not_strike_in_it(shell: Shell):
    """aachen.round.one-turn-each: Brun's turn was that of his blow."""
    corrected(
        shell, "aachen", "join brun gerlind goblin", "begin", "initiative --dice 5,3", "attack brun goblin 3",
        "amend e4 --dice 3,5",
    )  # fmt: skip
    shell.refused("attack", "brun", "goblin", "3", clause="aachen.actions.budget")
    play(shell, "attack goblin brun 3")
    shell.refused("attack", "brun", "goblin", "3", clause="aachen.round.one-turn-each")
    assert now(shell) == (["Goblin"], ["Gerlind"])


def test_who_has_begun_their_attacks_before_their_place_makes_them_at_one_time(shell: Shell):
    """arkm.attacks.all-at-one-time: a fighter who needs 7 has 8 attacks at an orc, and no more in his place."""
    corrected(
        shell, "arkm", "join fighter --called Bo", "join orc --called Hod --dice 6", "begin", "initiative --dice 5,4",
        "adjust Bo engaged Hod x", "phase melee --pass-rest", "attack bo hod --dice 2", "amend e5 --dice 3,4",
    )  # fmt: skip
    assert now(shell)[0] == ["Bo", "Hod"]
    shell.refused("attack", "hod", "bo", "--dice", "2", clause="arkm.attacks.all-at-one-time")
    shell.done("attack", "bo", "hod", "--dice", "2")
    assert shell.facts("status")["rows"]["Bo"]["this round"] == "attacked, 6 attacks left"
    play(shell, "pass bo", "attack hod bo --dice 2")
    shell.refused("attack", "bo", "hod", clause="arkm.attacks.all-at-one-time")
    shell.done("verify")


def test_a_turn_that_was_begun_stands_and_the_one_before_it_is_due(shell: Shell):
    """dungeoneers.turn.one-each: 7 for the skeleton against 4; Suori's turn was hers, and the skeleton has its own."""
    corrected(
        shell, "dungeoneers", "join suori --at 0,0", "join skeleton --at 1,0", "begin",
        "round --set skeleton=5 --dice 7,4", "attack suori skeleton --dice 1,1,4", "done", "amend e5 --dice 4,7",
    )  # fmt: skip
    assert now(shell) == (["Skeleton"], ["round 2"])
    shell.refused("attack", "suori", "skeleton", clause="dungeoneers.turn.own-turn-only")
    play(shell, "turn skeleton", "done")
    shell.refused("turn", "suori", clause="dungeoneers.turn.one-each")
    shell.done("verify")


def test_acts_of_a_round_that_is_left_out_are_lost_and_named_with_what_opens_it(aachen: Shell):
    """Brun strikes in round 2, and the note takes nobody's turn: without the round his blow was never struck."""
    play(aachen, "round", "attack brun goblin 4", "note rain")
    way = "affray amend e9 --insert round --apply"
    aachen.refused("amend", "e8", "--drop", "--apply", code=2)
    aachen.done("amend", "e8", "--drop", "--apply", "--lose", "1")
    assert aachen.value("round") == "1"
    assert "rain" in aachen.done("log", "--standing")
    aachen.done(*way.split()[1:])
    assert aachen.value("round") == "2"
    aachen.done("verify")


def test_later_rounds_have_other_numbers_where_one_is_left_out(aachen: Shell):
    """Round 3 is round 2 then, and what was done in it is not lost."""
    play(aachen, "round", "pass brun", "pass goblin", "shoot gerlind goblin 30 = 3", "round", "attack brun goblin 4")
    aachen.refused("amend", "e8", "--drop", "--apply", code=2)
    aachen.done("amend", "e8", "--drop", "--apply", "--lose", "1")
    assert aachen.value("round") == "2"
    assert by(aachen, "attack").count("Brun") == 2
    aachen.done("verify")


def test_a_deed_is_moved_only_where_the_book_allows_it(aachen: Shell):
    """aachen.initiative.side-completes: Brun 6, the goblin 4; so the goblin's blow is not before his."""
    before = aachen.done("status")
    aachen.refused("amend", "e6", "--before", "e5", "--apply", clause="aachen.initiative.side-completes")
    assert aachen.done("status") == before


def test_an_act_that_is_moved_never_takes_others_over_a_wall(shell: Shell):
    """freepg.turn.out-of-turn: John, Jane, gm. Boffin's blow of round 2 cannot stand on Jane's turn of round 1, nor her
    `done` on that of John; neither takes the note of round 1 with it into round 2.
    """
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub", "begin --seats John,Jane,gm", "initiative --dice 14,9,3",
        "attack boffin grub --dice 7,6", "done", "attack jane grub --dice 5,4", "note rain", "done",
        "attack grub boffin --dice 3,5", "done", "attack boffin grub --dice 7,6", "note sun",
    )  # fmt: skip
    before = shell.done("log")
    shell.refused("amend", "e13", "--before", "e8", "--apply", clause="freepg.turn.out-of-turn")
    shell.refused("amend", "e10", "--before", "e6", "--apply", code=2)
    assert shell.done("log") == before
    assert order(shell, "e13", "--after", "e14") == ["e14", "e13"]
    shell.done("verify")


def test_what_is_lost_is_never_put_in_again_in_another_round(shell: Shell):
    """freepg.turn.one-attack: Jane shoots grub-1 first, for 10 + 1 - 4 = 7 of 20. Her next turn is of round 2: her blow
    of round 1 for 15 + 1 - 4 = 12 is put in again in that one, by the game master's word, and round 2 is as it was.
    """
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub --count 2", "begin", "initiative --dice 14,9,3",
        "attack bof grub-1 --with sword --dice 14,6", "done", "attack jane grub-2 --dice 15,4", "done",
        "attack grub-1 bof --dice 12,5", "attack grub-2 jane --dice 18,3", "done", "attack bof grub-1 --dice 2,7",
        "done", "attack jane grub-2 --dice 9,12",
    )  # fmt: skip
    insert = ("amend", "e6", "--insert", "attack jane grub-1", "--dice", "10,4", "--apply", "--lose", "1")
    (lost,) = shell.facts(*insert)["losses"]
    assert (lost["clause"], lost["hint"]) == ("freepg.turn.one-attack", "affray amend e8 --allow 'the reason' --apply")
    shell.done("amend", "e8", "--allow", "the reason", "--apply")
    assert by(shell, "attack") == ["Boffin", "Jane", "Jane", "Grub-1", "Grub-2", "Boffin", "Jane"]
    assert [said["said"]["target"] for said in declared(shell) if said.get("allow")] == [["Grub-2"]]
    assert shell.value("Grub-2.hp") == "8"
    shell.done("verify")


def test_what_is_put_in_never_comes_to_stand_in_another_round(shell: Shell):
    """freepg.turn.out-of-turn: John, Jane, gm. Jane's turn of round 1 is over when the gm's has begun."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub", "begin --seats John,Jane,gm", "initiative --dice 14,9,3", "done",
        "done --pass-rest", "attack grub boffin --dice 3,5", "done", "note rain", "done --pass-rest",
    )  # fmt: skip
    shell.refused(
        "amend", "e8", "--insert", "attack jane grub", "--dice", "9,4", "--apply", clause="freepg.turn.out-of-turn"
    )


def creature(name: str, initiative: int, **more: object) -> str:
    """The file of a tiny creature that any wound kills; who comes first is on the other side."""
    values = {"size": "tiny", "power": 1, "prowess": 1, "endurance": 0, "armor_value": 2, "magica": 0} | more
    lines = [f'name = "{name}"', f'side = "{name}"', f"initiative = {initiative}"]
    Path(f"{name}.toml").write_text("\n".join([*lines, *(f"{key} = {json.dumps(one)}" for key, one in values.items())]))
    return f"{name}.toml"


def test_a_turn_that_falls_away_takes_what_closed_it_with_it(shell: Shell):
    """dungeoneers.death.no-acting: 1 pierces no armour of 2, 2 does, and kills Bee, whose turn and `done` are nobody's.
    Cee has one turn in each of two rounds, and 1 magica from each.
    """
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    shell.done("join", creature("Ada", 3), creature("Bee", 2), creature("Cee", 1, mind=3))
    play(shell, "begin", "round", "turn", "attack ada bee --dice 3,1,1", "done", *["turn", "done"] * 2)
    play(shell, "round", *["turn", "done"] * 3)
    course = shell.course("e6", "--dice", "3,1,2", "--because", "a 2", "--apply")
    assert {entry for entry, (outcome, _) in course.items() if outcome == "falls away"} == {8, 9, 15, 16}
    assert by(shell, "pass") == []
    assert not any(said.get("allow") for said in declared(shell))
    assert shell.value("Cee.magica") == "2"
    assert shell.value("round") == "2"
    shell.done("verify")


def test_a_name_behind_after_corrects_the_turn_and_an_entry_moves_it(shell: Shell):
    """aachen.actions.delay: `--after` of a turn says behind whom it waits; any other verb takes an entry there."""
    shell.done("init", "x", "--system", "aachen", "--option", "individual_initiative=true", "--key", "00" * 31 + "07")
    play(shell, "join brun gerlind goblin", "begin", "initiative --dice 5,1,3", "turn brun --after goblin")
    shell.done("amend", "e5", "--after", "gerlind", "--apply")
    (turn,) = [said["said"] for said in declared(shell) if said["verb"] == "turn"]
    assert turn == {"who": "Brun", "after": "Gerlind"}
    shell.refused("amend", "e4", "--after", "brun", code=2)


def test_the_done_of_who_is_not_there_falls_away_and_nothing_is_taken_before_it(shell: Shell):
    """Without Bee the bell still rings before Cee's turn."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    for name, initiative in (("Ada", 3), ("Bee", 2), ("Cee", 1)):
        shell.done("join", creature(name, initiative))
    play(shell, "begin", "round", "turn", "done", "turn", "done", "note bell", "turn", "done", "round")
    shell.done("amend", "e3", "--drop", "--apply")
    told = [line for line in shell.done("log", "--standing").splitlines() if "bell" in line or "Cee's turn" in line]
    assert ["bell" in line for line in told] == [True, False, False], told


@pytest.fixture
def wolf(shell: Shell) -> Shell:
    """Adalger against the guard and the wolf, with 5 before 3: each strikes in the first round, Adalger in the second,
    when 12 + 4 + 1 + 1 hit 14 for 1 + 1 of the guard's 6 points.
    """
    shell.done("init", "x", "--system", "aachen", "--key", "00" * 31 + "07")
    play(
        shell, "join adalger guard", "join wolf", "begin", "initiative --dice 5,3", "attack adalger guard = 3",
        "attack guard adalger = 3", "attack wolf adalger = 3", "round", "attack adalger guard = 12 1",
    )  # fmt: skip
    return shell


def test_a_round_that_ended_the_turn_of_somebody_who_is_gone_stands(wolf: Shell):
    """Only the act of the wolf is lost: 2 of the guard's 6 points are gone in round 2."""
    course = wolf.course("e3", "--drop", "--apply", "--lose", "1")
    assert [entry for entry, (outcome, _) in course.items() if outcome == "no longer possible"] == [8]
    assert (wolf.value("round"), wolf.value("Guard.hp")) == ("2", "4")
    wolf.done("verify")


def test_what_is_put_in_before_one_that_is_lost_is_there_for_the_others(wolf: Shell):
    """The round is put in once. An undo of what put an entry in again leaves it as it was: lost by the correction."""
    play(wolf, "attack guard adalger = 4")
    losses = wolf.facts("amend", "e9", "--drop", "--apply", "--lose", "2")["losses"]
    assert [(one["entry"], one["hint"], one["behind"]) for one in losses] == [
        (10, "affray amend e10 --insert round --apply", 0), (11, "affray amend e11 --apply", 10),
    ]  # fmt: skip
    wolf.done("amend", "e10", "--insert", "round", "--apply")
    once = wolf.done("status")
    wolf.done("amend", "e11", "--apply")
    both = wolf.done("status")
    assert wolf.value("round") == "2"
    wolf.done("undo")
    assert wolf.done("status") == once
    wolf.done("amend", "e11", "--apply")
    play(wolf, "undo", "undo")
    assert wolf.value("round") == "1"
    wolf.done("amend", "e10", "--insert", "round", "--apply")
    wolf.done("amend", "e11", "--apply")
    assert wolf.done("status") == both
    wolf.done("verify")


def test_what_is_said_between_two_that_are_lost_is_there_for_the_second(wolf: Shell):
    """Nobody needs a round to leave once, or to be given a spear: the guard has it when e16 is put in again."""
    play(
        wolf, "undo", "leave wolf", "attack adalger guard = 3", "adjust guard item spear@adalger found",
        "adjust guard equipped spear found", "attack guard adalger --with spear = 3",
    )  # fmt: skip
    losses = wolf.facts("amend", "e9", "--drop")["losses"]
    assert [(one["entry"], one["behind"]) for one in losses] == [(13, 0), (16, 13)]


def test_what_is_put_in_when_all_have_acted_is_done_in_the_next_round(shell: Shell):
    """aachen.round.one-turn-each: Gerlind has shot, and the goblin has passed."""
    shell.done("init", "x", "--system", "aachen", "--key", "00" * 31 + "07")
    shot = "shoot gerlind goblin 50"
    play(shell, "join gerlind goblin", "begin", "initiative --dice 8,1", f"{shot} = 3", "pass goblin", "note rain")
    shell.done("amend", "e7", "--insert", shot, "--dice", "3", "--apply")
    assert [said["verb"] for said in declared(shell)[4:]] == ["shoot", "pass", "round", "shoot", "note"]


def test_what_is_lost_alone_stands_behind_nothing_else(shell: Shell):
    """aachen.round.one-turn-each: Gerlind moves in a round that is left out, in which she might move twice."""
    shell.done("init", "x", "--system", "aachen", "--key", "00" * 31 + "07")
    play(
        shell, "join gerlind goblin", "begin", "initiative --dice 8,1", "shoot gerlind goblin 50 = 3", "pass goblin",
        "round", "move gerlind 10",
    )  # fmt: skip
    losses = shell.facts("amend", "e7", "--drop")["losses"]
    assert [(one["hint"], one["behind"]) for one in losses] == [("affray amend e8 --insert round --apply", 0)]


def test_what_is_moved_behind_the_death_of_who_did_it_may_be_left_out(grubs: Shell):
    """freepg.dying.no-actions: what is put where it could not be done was not done, or the game master allows it."""
    play(grubs, "adjust boffin hp 40 x", "attack grub-1 boffin --dice 3,3", "damage grub-1 20 x")
    refused = grubs.refused("amend", "e8", "--after", "e9", clause="freepg.dying.no-actions").err
    ways = [line for line in refused.splitlines() if line.startswith("Try: ")]
    assert ways == ["Try: affray amend e8 --drop", "Try: affray amend e8 --allow 'the reason' --after e9"]


def test_the_done_of_a_seat_whose_only_character_has_died_stands(shell: Shell, tmp_path: Path):
    """freepg.initiative.clockwise: with 17 Bran is first and kills Grukk, whose seat still has its turn: one `done`."""
    item = "items = [{ name = 'axe', slot = 'weapon', attack = 3 }]"
    for name, kind, hp in (("Grukk", "enemy", 5), ("Bran", "pc", 24)):
        sheet = f"name = '{name}'\nkind = '{kind}'\nseat = '{name}'\nhp_max = {hp}\n{item}\n"
        (tmp_path / f"{name}.toml").write_text(sheet)
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    shell.done("join", str(tmp_path / "Bran.toml"), str(tmp_path / "Grukk.toml"))
    play(
        shell, "begin --seats Grukk,Bran", "initiative --dice 17,14,3", "attack grukk bran --dice 2,9", "done",
        "attack bran grukk --dice 19,1", "done", "done",
    )  # fmt: skip
    swapped = ("e4", "--dice", "14,17,3", "--because", "m", "--lose", "1", "--full")
    assert order(shell, *swapped)[-5:] == ["e4", "e7", "e8", "e9", "e6"]
    assert (shell.value("round"), shell.value("turn")) == ("2", "Bran")


def test_who_has_acted_in_the_round_does_not_pass(aachen: Shell):
    """aachen.round.next: without Gerlind's shot she passes, and the goblin, whose turn is under way, does not."""
    aachen.done("round")
    aachen.done("amend", "e7", "--drop", "--apply")
    assert by(aachen, "pass") == ["Gerlind"]


def test_it_is_said_where_what_is_put_in_came_to_stand(aachen: Shell):
    """aachen.initiative.side-completes: Gerlind's 2 is behind the goblin's 4, so her second shot is."""
    told = aachen.done("amend", "e6", "--insert", "act gerlind waits", "--apply", "--lose", "1")
    assert "it stands last, and not right before e6" in told


def test_who_comes_back_to_a_seat_passes_in_each_round_that_was_played(shell: Shell):
    """freepg.initiative.clockwise: with Boffin at the table John has a turn in rounds 2 and 3, before Jane's, which is
    under way at the end as it was.
    """
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub", "begin --seats John,Jane,gm", "initiative --dice 14,3,2",
        "leave boffin", "done", *["done --pass-rest"] * 4,
    )  # fmt: skip
    assert "the table went on: done  (It is John's turn)" in shell.done("amend", "e6", "--drop", "--full")
    assert order(shell, "e6", "--drop") == ["e6", "e7", "e8", "e9", "new", "e10", "e11"]
    assert (shell.value("round"), shell.value("turn")) == ("3", "John")
    shell.done("verify")


def test_a_turn_that_is_put_in_ends_on_dice_of_its_own(shell: Shell):
    """freepg.move.fly-landing: had Boffin not left, he would be aloft in round 2, and Jane in her turn after his: each
    rolls at the end.
    """
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub", "begin --seats John,Jane,gm", "initiative --dice 14,3,2",
        "move boffin --squares 1 --mode fly", "leave boffin", "done", "move jane --squares 1 --mode fly",
        "done --pass-rest --dice 15", "done --pass-rest", "done --pass-rest --dice 16", "done --pass-rest",
    )  # fmt: skip
    stands = ["e7", "e8", "e9 to e10", "e11", "new", "e12", "e13"]
    assert order(shell, "e7", "--drop", "--dice", "e8:12,roll") == stands
    assert [who for who, _ in fallen(19)] == ["Boffin"]
    shell.done("verify")


def test_a_plain_phase_opens_the_phase_that_it_opened(shell: Shell):
    """arkm.phase.order: the magic phase is left out, and the last phase of the round is the melee phase as before."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(shell, "join fighter --called bo", "join orc --called hod", "begin", "initiative --dice 5,2")
    for _ in range(4):
        shell.done("phase", "--pass-rest")
    assert shell.value("phase") == "melee"
    shell.done("amend", "e7", "--drop", "--apply")
    assert shell.value("phase") == "melee"
    shell.done("verify")


def test_a_die_that_fell_under_another_name_is_found_two_corrections_later(shell: Shell):
    """aachen.initiative.individual: 1 + 1 for Gerlind, who is Ada before it counts again."""
    shell.done("init", "x", "--system", "aachen", "--key", "00" * 31 + "07")
    play(
        shell, "option individual_initiative true", "join brun", "join gerlind", "join goblin", "begin",
        "initiative --dice 5,1,3", "amend e2 --value false --dice roll --apply", "amend e11 --called Ada --apply",
        "amend e9 --value true --apply",
    )  # fmt: skip
    assert fallen() == [("Brun", (5,)), ("Ada", (1,)), ("opp", (3,))]


def test_what_was_resolved_in_a_phase_comes_before_the_one_that_is_named_instead(shell: Shell):
    """paraverse.phase.order: nobody leaves the melee phase before Sigrun's 12 + 6 and the Reaver's 5 + 4 are told."""
    shell.done("init", "x", "--system", "paraverse", "--key", "00" * 31 + "07")
    play(
        shell, "join sigrun reaver", "begin", "round", "attack sigrun reaver", "attack reaver sigrun", "phase ranged",
        "phase", "resolve --dice 12,5,3", "phase end", "round", "amend e8 --name end --apply",
    )  # fmt: skip
    steps = ("phase", "resolve", "round")
    assert [(one["verb"], one["said"].get("name")) for one in declared(shell) if one["verb"] in steps] == [
        ("round", None), ("phase", "ranged"), ("phase", "melee"), ("resolve", None), ("phase", "end"), ("round", None),
    ]  # fmt: skip
    assert fallen(14) == [("Sigrun", (12,)), ("Reaver", (5,)), ("Sigrun", (3,))]


def test_what_the_game_master_let_be_resolved_comes_before_the_phase_that_is_named_instead(shell: Shell):
    """paraverse.assign.gang-up: a plain `resolve` is refused, as Reaver-2 is free for Ada; nobody passes for that."""
    shell.done("init", "x", "--system", "paraverse", "--key", "00" * 31 + "07")
    play(
        shell, "join sigrun", "join sigrun --called ada", "join reaver --count 2", "begin", "round",
        "attack sigrun reaver-1", "attack ada reaver-1", "phase ranged --pass-rest", "phase",
        "resolve --allow x --dice 12,5,3,2", "phase end", "round", "amend e9 --name end --apply",
    )  # fmt: skip
    assert [one["verb"] for one in declared(shell)[8:]] == ["phase", "resolve", "phase", "round"]
    assert fallen(16) == [("Sigrun", (12,)), ("ada", (5,)), ("Reaver-1", (3,)), ("Sigrun", (2,))]


def test_who_did_not_fight_passes_where_the_round_goes_on_after_all(shell: Shell):
    """paraverse.phase.order: the round that cut the Thrall's attack off was none. It has fought nobody, so it does not
    fight Hakon now, though he is free for it: nobody throws a die.
    """
    shell.done("init", "x", "--system", "paraverse", "--key", "00" * 31 + "07")
    play(
        shell, "join sigrun hakon reaver thrall", "begin", "round", "adjust sigrun engaged reaver x",
        "attack thrall sigrun", "round --allow x", "phase end --pass-rest", "round",
    )  # fmt: skip
    told = shell.facts("amend", "e7", "--drop", "--apply", "--lose", "1")
    assert [(loss["entry"], loss["hint"]) for loss in told["losses"]] == [
        (6, "affray amend e13 --as 'skirmish Thrall Hakon' --apply")
    ]
    ended = [(one["verb"], one["said"].get("who")) for one in declared(shell)[6:]]
    assert [one for one in ended if one[0] != "phase"] == [("pass", "Thrall"), ("round", None)]
    assert shell.facts("status")["values"]["round"] == "2"
    assert not any(fallen(8 + nth) for nth, _ in enumerate(ended, 1))


def test_the_end_of_a_turn_is_not_taken_before_what_was_done_in_it(shell: Shell):
    """arkm.attacks.all-at-one-time: Bo's further attacks are lost once another acts, so that Ada waits for him; he
    passes, the turn of both does not end before hers, and her 3 is thrown.
    """
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called bo", "join fighter --called ada", "join crossbowman --count 2", "begin",
        "initiative --dice 6,2", "phase melee --pass-rest", "adjust bo engaged arbalist-1 x",
        "adjust ada engaged arbalist-2 x", "attack bo arbalist-1 --dice 2", "pass bo", "attack ada arbalist-2 --dice 3",
        "done --pass-rest", "round --dice 1,2 --pass-rest",
    )  # fmt: skip
    assert shell.facts("amend", "e11", "--who", "ada", "--apply")["losses"] == []
    assert [(one["verb"], one["said"].get("who")) for one in declared(shell)[-5:-1]] == [
        ("pass", ["bo"]), ("pass", ["ada"]), ("attack", "ada"), ("done", None),
    ]  # fmt: skip
    assert fallen(18) == [("ada", (3,))]
    assert late(shell) == [("attack", "ada")]


def test_nobody_passes_for_the_end_of_the_last_turn_of_the_round(shell: Shell):
    """arkm.phase.next-initiative: when 5 is before 2 nothing follows Hod's turn in the melee phase, so that his `done`
    ends nothing, and Bo's 14 + 3 is struck in his own.
    """
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called bo", "join orc --called hod", "begin", "initiative --dice 2,5", "phase movement",
        "done", "move bo --feet 90", "phase melee", "parry hod", "done", "adjust bo engaged hod x",
        "attack bo hod --allow all:x --dice 14,3", "end", "amend e5 --dice 5,2 --because x --apply",
    )  # fmt: skip
    assert [one["verb"] for one in declared(shell)[-4:]] == ["parry", "adjust", "attack", "end"]
    assert late(shell) == []


def test_what_was_allowed_in_a_phase_stays_in_it_where_an_act_waits_for_the_next(shell: Shell):
    """arkm.phase.order: unpaired, Bo strikes in the melee phase, and by then Nar has moved in the missile phase."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called bo", "join crossbowman --called ada", "join orc --called hod",
        "join orc --called nar", "begin", "adjust bo engaged hod x", "pair bo --against hod",
        "initiative --dice 5,2,2,1", "phase movement", "attack bo hod --dice 14,3", "phase missile --pass-rest",
        "move nar --feet 5 --allow all:x", "phase melee --pass-rest", "end",
        "amend e8 --drop --dice e9:6 --apply",
    )  # fmt: skip
    assert [one["verb"] for one in declared(shell)[8:]] == ["phase", *["done"] * 4, "move", "done", "attack", "end"]
    assert late(shell) == []


def test_what_was_said_in_a_phase_is_said_before_another_one_opens(shell: Shell):
    """arkm.phase.order: unpaired, Bo strikes in the melee phase; Nar, who cannot shoot, spoke in the missile phase."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called bo", "join crossbowman --called ada", "join orc --called hod",
        "join orc --called nar", "begin", "adjust bo engaged hod x", "pair bo --against hod",
        "initiative --dice 5,2,2,1", "phase movement", "attack bo hod --dice 14,3", "phase missile --pass-rest",
        "done --pass-rest", "declare nar waits", "phase melee --pass-rest", "end",
        "amend e8 --drop --dice e9:6 --apply",
    )  # fmt: skip
    assert [one["verb"] for one in declared(shell)[-3:]] == ["declare", "attack", "end"]
    assert late(shell) == []


def test_a_turn_that_is_somebody_elses_comes_when_those_before_have_acted(shell: Shell):
    """dungeoneers.turn.order: Freya's 9 and the Skeleton's 7 are before Suori's 4, though Freya's turn cannot be ended
    until she has moved off the Skeleton's tile: dungeoneers.size.sharing.
    """
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join freya --at 0,0", "join skeleton --at 4,0", "join suori --at 8,0", "begin",
        "round --set freya=9,skeleton=7,suori=4", "adjust skeleton at 0,0 x --allow x", "turn",
        "move freya N --opportune none", "done", "turn", "move skeleton W --opportune none", "done", "turn",
        "ready suori defend --before skeleton", "done", "round --set freya=9,skeleton=7,suori=4",
        "amend e8 --who suori --apply",
    )  # fmt: skip
    assert [one["verb"] for one in declared(shell)[7:-1]] == [*["turn", "move", "done"] * 2, "turn", "ready", "done"]
    assert late(shell) == []


def test_a_die_that_was_set_aside_is_found_for_one_who_is_meant_in_place_of_several(shell: Shell):
    """arkm.damage.order: 16 and 3 + 1 at Hod; at Rog, also after Nar, who is dead, and Zog were named instead."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called bo", *(f"join orc --called {orc}" for orc in ORCS), "begin",
        "initiative --dice 5,2", *(f"adjust bo engaged {orc} x" for orc in ORCS), "adjust nar down dead x",
        "morale orc --dice 1,1", "phase melee", "attack bo hod --dice 16,3",
        "amend e16 --target nar,zog --dice -,-,15,2 --because x --apply",
    )  # fmt: skip
    assert fallen(18) == [("bo", (15,)), ("bo", (2,))]
    shell.done("amend", "e18", "--target", "rog", "--apply")
    assert fallen(20) == [("bo", (16,)), ("bo", (3,))]


def test_an_answer_is_moved_without_what_settles_the_window_of_another(shell: Shell):
    """dungeoneers.reaction.trigger: e11 resolves the move of the Skeleton; Freya answers that, also behind a note."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join freya --at 1,1", "join suori --at 1,0", "join skeleton --at 0,0", "begin",
        "round --set skeleton=9,freya=5,suori=4", "turn", "move skeleton W", "note between",
        "opportune freya --dice 4,1,1,1,1", "resolve", "done", "turn", "done",
    )  # fmt: skip
    shell.refused("amend", "e10", "--after", "e13", clause="dungeoneers.reaction.trigger")


def test_a_turn_is_not_moved_into_another_behind_the_wall_of_the_round(shell: Shell):
    """dungeoneers.turn.one-each: Freya's e7 lets her turn go, and the Skeleton's move waits for her answer at e10."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join freya --at 0,0", "join skeleton --at 1,0", "begin", "round --set freya=9,skeleton=4", "turn",
        "done", "turn", "move skeleton E", "adjust skeleton at 4,0 x", "done", "round",
    )  # fmt: skip
    shell.refused("amend", "e6", "--before", "e10", clause="dungeoneers.opportune.window")


def test_the_turn_of_somebody_who_has_had_it_is_not_moved_to_the_end_of_the_round(shell: Shell):
    """dungeoneers.turn.one-each: Freya lets her turn go at e7, and has no other in this round."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join freya --at 0,0", "join skeleton --at 4,0", "begin", "round --set freya=9,skeleton=4", "turn",
        "done", "turn", "done", "round",
    )  # fmt: skip
    shell.refused("amend", "e6", "--after", "e9", clause="dungeoneers.turn.one-each")


def test_a_beginning_of_a_name_means_who_was_meant_by_it(shell: Shell):
    """dungeoneers.initiative.order: with two skeletons the first has the 7 of the one; `skel` might be either."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join freya --at 0,0", "join skeleton --at 4,0", "begin", "round --set fr=9,skel=7",
        "amend e3 --count 2 --apply",
    )  # fmt: skip
    assert declared(shell)[4]["said"]["set_"] == ["Freya=9", "Skeleton-1=7"]
    assert late(shell) == []


def two_turns(shell: Shell, *second: str) -> None:
    """Freya had 9 and the Skeleton 4: her turn, and then its own; it had 10, is said later."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join freya --at 0,0", "join skeleton --at 2,0", "begin", "round --set freya=9,skeleton=4", "turn",
        "move freya E", "done", "turn", *second, "amend e5 --set freya=9,skeleton=10 --apply",
    )  # fmt: skip


@pytest.mark.parametrize("acts", [[], ["defend skeleton"], ["note quiet", "defend skeleton"]])
def test_a_turn_is_taken_forward_whose_acts_are_possible_there(shell: Shell, acts: list[str]):
    """dungeoneers.turn.order: the Skeleton defends and ends its turn, and Freya is next. What nobody does stays."""
    two_turns(shell, *acts, "done")
    own, notes = ["defend"] * ("defend skeleton" in acts), ["note"] * ("note quiet" in acts)
    assert [said["verb"] for said in declared(shell)[5:]] == ["turn", *own, "done", "turn", "move", "done", *notes]
    assert late(shell) == []


def test_a_turn_is_not_taken_forward_for_its_end_alone(shell: Shell):
    """dungeoneers.attack.requires-threat: the blow that was struck before `done` reaches nobody yet."""
    two_turns(shell, "attack skeleton freya --dice 6,1,1,1", "done")
    assert [said["verb"] for said in declared(shell)[5:]] == ["turn", "move", "done", "turn", "attack", "done"]


@pytest.mark.parametrize("blow", [["attack skeleton freya --dice 6,1,1,1"], [], ["note quiet"]])
def test_a_turn_is_taken_forward_with_what_was_done_in_it(shell: Shell, blow: list[str]):
    """dungeoneers.turn.order: when the Skeleton's 10 comes, Freya's 9 has not yet brought her within its reach."""
    two_turns(shell, *blow)
    assert late(shell) == [("turn", "Freya")]
    assert by(shell, "attack") == ["Skeleton"] * ("attack" in "".join(blow))
    assert shell.facts("status")["turn"] == "Skeleton"


def test_an_answer_is_taken_forward_with_what_it_answers(shell: Shell):
    """dungeoneers.opportune.window: the Skeleton's 9 is before Suori's 4, and its move waits for her strike, 2 against
    4 - 1; what was noted meanwhile stays between them.
    """
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join suori --at 0,0", "join skeleton --at 1,0", "begin", "round --set suori=9,skeleton=4", "turn",
        "defend suori", "done", "turn", "move skeleton E", "note creaks", "opportune suori --dice 1,1,4,1", "done",
    )  # fmt: skip
    assert order(shell, "e5", "--set", "suori=4,skeleton=9") == ["e5", "e9 to e13", "e6 to e8"]
    shell.done("verify")


def test_the_course_goes_on_to_the_moment_that_a_readied_action_waits_for(shell: Shell):
    """dungeoneers.ready.trigger-window: Suori defends before the Skeleton's turn, which is after her own."""
    shell.done("init", "x", "--system", "dungeoneers", "--key", "00" * 31 + "07")
    play(
        shell, "join suori --at 0,0", "join skeleton --at 2,0", "begin", "round --set suori=9,skeleton=4", "turn",
        "ready suori defend --before skeleton", "done", "trigger suori", "amend e8 --drop --apply",
    )  # fmt: skip
    assert [said["verb"] for said in declared(shell)[6:]] == ["ready", "done", "trigger"]


@pytest.mark.parametrize(("phase", "lost"), [("e7", [8, 10]), ("e9", [10])])
def test_a_phase_that_is_said_to_be_a_later_one_takes_its_acts_with_it(shell: Shell, phase: str, lost: list[int]):
    """arkm.phase.order: where the first phase was melee nobody moved or shot, and nobody was out of their turn."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter --called bo", "join crossbowman --called ada", "join orc --called hod", "begin",
        "initiative --dice 5,1,2", "phase movement", "move bo --feet 10", "phase missile --pass-rest",
        "shoot ada hod --range medium --dice 3", "phase magic --pass-rest", "phase melee --pass-rest", "parry bo",
        "round --pass-rest --dice 4,1,3",
    )  # fmt: skip
    told = shell.facts("amend", phase, "--name", "melee", "--apply", "--lose", str(len(lost)))
    assert [one["entry"] for one in told["losses"]] == lost
    kept = [("phase", "movement"), ("move", None)][: 2 * (phase == "e9")]
    assert [(one["verb"], one["said"].get("name")) for one in declared(shell)[6:]] == [
        *kept, ("phase", "melee"), ("parry", None), ("round", None),
    ]  # fmt: skip
    assert late(shell) == []
    shell.done("verify")


def test_no_round_is_put_in_for_what_is_put_in_again(shell: Shell):
    """arkm.attacks.all-at-one-time: Tessa has struck, so her other blow is lost; no other round is opened for it."""
    tell(FIXTURES / "arkm" / "the-ambush.fight", Path("test.affray"))
    shell.done("amend", "e10", "--target", "Finn", "--apply")
    instead = ("--insert", "attack Tessa Ogre --allow 'he did'")
    shell.done("amend", "e37", "--drop", *instead, "--dice", "roll", "--apply", "--lose", "1")
    again = ("amend", "e38", "--insert", "phase melee --pass-rest", "--apply")
    assert [one["entry"] for one in shell.facts(*again, "--lose", "1")["losses"]] == [38]
    shell.done("verify")


def test_whose_place_would_be_passed_over_acts_before_it_is(shell: Shell):
    """arkm.initiative.highest-first, arkm.whip.reach: nobody waits for Tessa, who is ten feet away, and in no melee."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter ogre", "join thief --group scouts", "begin --engaged aldric:ogre",
        "initiative --dice 2,6,4", "phase melee --pass-rest", "attack ogre aldric --dice 2",
        "attack tessa ogre --with whip --distance 10 --entangle --part legs --then hold --dice 2",
        "attack aldric ogre --dice 3", "round --dice 3,2,1",
    )  # fmt: skip
    told = shell.facts("amend", "e5", "--dice", "6,2,4", "--because", "misread", "--apply")
    assert told["losses"] == []
    assert [act["entry"] for act in told["course"]] == [5, 6, 9, 8, 7, 10]
    assert late(shell) == []
    shell.done("verify")


def test_those_whom_a_move_goes_by_have_moved_before_it(shell: Shell):
    """arkm.initiative.highest-first: nobody waits for who does not move, but both had moved: with 5 and 3 before 1."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter ogre", "join thief --group scouts", "begin --distance 60", "initiative --dice 4,6,2",
        "move ogre --feet 10", "move aldric --feet 10", "move tessa --feet 10", "phase melee --pass-rest",
    )  # fmt: skip
    told = shell.facts("amend", "e5", "--dice", "5,1,3", "--because", "misread", "--apply")
    assert told["losses"] == []
    assert by(shell, "move") == ["Aldric", "Tessa", "Ogre"]
    shell.done("verify")


@pytest.mark.parametrize("seat", ["Rust", "John"])
def test_a_seat_that_is_called_as_its_player_was_keeps_its_name(seat: str, shell: Shell):
    """freepg.initiative.clockwise: the sheet of Rust was the sergeant's. The seat, with its die, is as it was."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    for name in ("Rust", "Sergeant"):
        Path(f"{name.lower()}.toml").write_text(f'name = "{name}"\nkind = "enemy"\nseat = "{seat}"\n')
    play(
        shell, "join jane rust.toml", f"begin --seats Jane,{seat}", "initiative --dice 15,9,1",
        "attack jane rust --dice 15,5", "done", "attack rust jane --dice 9,12", "done",
    )  # fmt: skip
    told = shell.facts("amend", "e2", "--sheets", "jane,sergeant.toml", "--because", "it was he", "--apply")
    assert told["losses"] == []
    assert shell.facts("status")["values"]["order"] == f"Jane, {seat}, gm"
    assert by(shell, "attack") == ["Jane", "Sergeant"]
    shell.done("verify")


def test_the_die_of_a_group_stays_that_of_the_group(shell: Shell):
    """arkm.initiative.monster-groups: the one orc was two, and they have his die: 5 against 3."""
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter", "join orc", "begin", "initiative --dice 3,5", "declare orc charge",
        "save orc wands --mod save@orc:1:luck --dice 9",
    )  # fmt: skip
    told = shell.facts("amend", "e3", "--count", "2", "--dice", "4", "--because", "two", "--apply")
    assert told["losses"] == []
    assert shell.facts("status")["values"]["order"] == "Orc, party"
    assert by(shell, "declare") == by(shell, "save") == ["Orc-1"]
    assert rulings("arkm.save.roll", told["last"])[0][1][0] == 10
    shell.done("verify")


def test_what_the_rules_forbid_besides_is_told_and_not_the_order(shell: Shell):
    """freepg.attack.legal-target: it is Boffin's turn no more, and Grub-1, whom he had attacked, is dead by then."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    play(
        shell, "join boffin jane", "join grub --count 2", "begin", "initiative --dice 15,9,1",
        "attack boffin grub-1 --dice 3,9", "done", "attack jane grub-1 --dice 20,1", "done",
    )  # fmt: skip
    told = shell.facts("amend", "e5", "--dice", "1,15,9", "--because", "misread")
    assert [(loss["entry"], loss["clause"]) for loss in told["losses"]] == [(6, "freepg.attack.legal-target")]


def test_a_die_that_a_group_threw_is_found_again_when_there_is_a_group_again(shell: Shell):
    """arkm.initiative.one-die-per-group: of two wolves, of whom one is dead, the other one throws for the group.
    Without the other nobody does, and the 4 lies aside; of three wolves two throw it.
    """
    shell.done("init", "x", "--system", "arkm", "--key", "00" * 31 + "07")
    play(
        shell, "join fighter", "join ogre", "join wolf --count 2", "begin", "adjust wolf-1 down dead trap",
        "initiative --dice 3,5,4",
    )  # fmt: skip
    shell.done("amend", "e4", "--count", "1", "--because", "it was one", "--apply")
    assert shell.facts("status")["values"]["order"] == "Ogre, party"
    told = shell.facts("amend", "e4", "--count", "3", "--because", "there were three", "--apply")
    assert told["losses"] == []
    assert shell.facts("status")["values"]["order"] == "Ogre, Wolf, party"
    assert [one.faces for one in recorded() if isinstance(one, Rolled)] == [(3,), (5,), (4,)]
