"""Drift: another version of the rules resolved an entry. What it recorded stands; nothing of it is damage."""

from pathlib import Path

import pytest

from commands.action import systems
from commands.action.book import Book
from commands.past.audit import audit
from commands.past.findings import Finding
from commands.past.soundness import examine
from ledger.errors import LedgerDamaged
from ledger.events import HpLost, decode
from ledger.sqlite import SqliteStore
from tests.sample import sampled
from tests.shell import Shell, chain_anew, forge
from tests.test_amend import FIGHT, play

pytestmark = pytest.mark.slow

OLD = "affray 0.0.9 freepg-0"
"""A program with an older version of the rules."""


@pytest.fixture
def drifted(table: Shell) -> Shell:
    """The attack of e4, recorded by older rules, under which Boffin's 16 against 5 hurt Grub-1 by 10 and not by 12.

    So 10 of its 20 hp were left, and 5 after e6, which this version recorded.
    """
    for line in FIGHT:
        play(table, line)
    older(4, '"points":12,"left":8', '"points":10,"left":10')
    change(6, '"left":3', '"left":5')
    return table


def older(entry: int, old: str, new: str) -> None:
    """The entry was recorded by the older rules, and says something else."""
    forge("test.affray", ("UPDATE entries SET program = ? WHERE entry = ?", (OLD, entry)))
    change(entry, old, new)


def change(entry: int, old: str, new: str) -> None:
    said = ("UPDATE events SET body = replace(body, ?, ?) WHERE entry = ? AND instr(body, ?)", (old, new, entry, old))
    forge("test.affray", said)
    chain_anew("test.affray")


def book() -> Book:
    return Book(SqliteStore.open("test.affray"))


def findings(sort: str) -> list[Finding]:
    return list(examine(book()).of(sort))


def hurt(entry: int) -> list[object]:
    """The hit points that were lost in an entry."""
    return [event for event in map(decode, book().store.entry(entry).bodies) if isinstance(event, HpLost)]


def test_every_entry_names_the_version_of_its_rules(table: Shell):
    """Entries of the verbs that every system has, and those of undo, too."""
    table.done("note", "hi")
    table.done("undo")
    programs = {book().store.entry(number).program for number in (1, 2, 3)}
    assert programs == {f"affray 0.1.0 freepg-{systems.load('freepg').version}"}


def test_drift_is_not_damage(drifted: Shell):
    """Both readings stand side by side, and the record is sound."""
    (found,) = examine(book()).findings
    assert (found.sort, found.entry, found.rules) == ("drift", 4, "freepg-0")
    assert found.recorded != found.now
    told = drifted.done("verify")
    assert "1 entry comes out differently under today's rules; what was recorded stands." in told
    recorded, today = told.index("  recorded "), told.index("  today ")
    assert "loses 10 hp" in told[recorded:today]
    assert "loses 12 hp" in told[today:]
    assert told.splitlines()[-1].startswith("affray e7 ")


def test_with_strict_drift_is_an_error(drifted: Shell):
    drifted.refused("verify", "--strict", code=5)


def test_the_findings_are_data(drifted: Shell):
    answer = drifted("verify", "--json")
    assert (answer.code, answer.json["ok"]) == (0, True)
    (found,) = answer.json["findings"]
    assert (found["sort"], found["entry"], found["rules"]) == ("drift", 4, "freepg-0")
    strict = drifted("verify", "--strict", "--json")
    assert (strict.code, strict.json["ok"], strict.json["error"]["code"]) == (5, False, 5)
    assert strict.json["findings"] == answer.json["findings"]


def test_what_this_version_wrote_is_a_fault_and_says_so(drifted: Shell):
    """The same difference in an entry of the running version is nobody's rules."""
    forge("test.affray", f"UPDATE entries SET program = '{current()}' WHERE entry = 4")
    chain_anew("test.affray")
    (found,) = findings("fault")
    assert found.entry == 4
    drifted.refused("verify", code=5)


def current() -> str:
    return book().store.entry(1).program


def test_an_action_that_the_rules_refuse_today_is_drift(drifted: Shell):
    """So is one of a verb that they do not have any more."""
    older(5, '"verb":"note"', '"verb":"hum"')
    refused = findings("drift")[1]
    assert (refused.entry, refused.now) == (5, ())
    assert "e5 would be refused by this version's rules: There is no verb 'hum'" in refused.message


def test_an_undo_that_listed_other_entries_then_is_drift(drifted: Shell):
    """Where it leads is in the chain, and has to be right."""
    drifted.done("undo")
    older(8, '"entries":[7]', '"entries":[6,7]')
    assert [found.entry for found in findings("drift")] == [4, 8]


def test_damage_is_found_beside_drift(drifted: Shell):
    """A changed byte of an old entry is damage: only the rules may differ."""
    forge("test.affray", "UPDATE events SET body = replace(body, 'creaks', 'breaks') WHERE entry = 5")
    assert [found.entry for found in findings("damage")] == [5]
    assert [found.entry for found in findings("drift")] == [4]
    drifted.refused("verify", code=5)


def test_a_drifted_ledger_is_played_on_undone_and_exported(drifted: Shell):
    """Grub-1 has 5 hp, as recorded; a blow of 13 + 3 - 12 = 4 leaves 1."""
    play(drifted, "attack boffin grub-1 --dice 11,11")
    drifted.done("undo")
    drifted.done("undo", "e4")
    drifted.done("redo")
    assert book().present()[1].harm.hp["Grub-1"].now == 5
    for target in ("f.jsonl", "f.md", "f.csv"):
        drifted.done("export", target)
    drifted.done("import", "f.jsonl", "again.affray")
    (found,) = drifted.facts("--ledger", "again.affray", "verify")["findings"]
    assert (found["sort"], found["entry"]) == ("drift", 4)


def test_an_amendment_leaves_a_drifted_entry_as_it_was_recorded(drifted: Shell):
    """Boffin joins with 50 hp, and the blow of e4 still costs 10. The entry keeps the name of its rules."""
    play(drifted, "amend e2 --side heroes --apply")
    store = book().store
    assert [store.entry(number).origin for number in range(9, 14)] == [2, 3, 4, 5, 6]
    assert hurt(11) == [HpLost("Grub-1", 10, 10, 20)]
    assert store.entry(11).program == OLD
    assert store.entry(12).program == current()
    assert [(found.sort, found.entry) for found in examine(book()).findings] == [("drift", 4), ("drift", 11)]
    assert drifted.course("e9", "--side", "others")[11][0] == "as recorded"


def test_the_outcome_of_a_kept_entry_is_data(drifted: Shell):
    course = drifted("amend", "e2", "--side", "heroes", "--json").json["course"]
    assert [(one["entry"], one["outcome"]) for one in course] == [
        (2, "different"), (3, "same"), (4, "as recorded"), (5, "same"), (6, "same"), (7, "same"),
    ]  # fmt: skip


def test_what_is_amended_is_resolved_by_todays_rules(drifted: Shell):
    """The attack has +1 now: 17 against 5, damage 17 + 1 - 5 = 13, 7 left; then 5 more, 2 left."""
    drifted.done("amend", "e4", "--mod", "hit:+1:luck", "--apply")
    assert hurt(9) == [HpLost("Grub-1", 13, 7, 20)]
    assert book().store.entry(9).program == current()
    assert hurt(11) == [HpLost("Grub-1", 5, 2, 20)]
    assert [(found.sort, found.entry) for found in examine(book()).findings] == [("drift", 4)]


def test_what_is_put_before_a_drifted_entry_does_not_amend_it(drifted: Shell):
    drifted.done("amend", "e4", "--insert", "note before", "--apply")
    assert hurt(10) == [HpLost("Grub-1", 10, 10, 20)]
    assert [(found.sort, found.entry) for found in examine(book()).findings] == [("drift", 4), ("drift", 10)]


def test_a_drifted_entry_goes_when_somebody_in_it_was_never_there(drifted: Shell):
    """Without Grub-1 and Grub-2 nobody was hit."""
    course = drifted.course("e3", "--drop", "--apply", "--lose", "3")
    assert course[4] == ("no longer possible", None)
    assert [(found.sort, found.entry) for found in examine(book()).findings] == [("drift", 4)]


def test_who_is_named_in_the_facts_of_a_kept_entry_must_be_at_the_table(drifted: Shell):
    """The older rules gave Grub-2 8 hp, and no ruling names it: without Grub-2 that never was."""
    drifted.done("adjust", "grub-2", "hp", "9", "a test")
    older(8, '"left":9', '"left":8')
    assert drifted.course("e3", "--drop", "--apply", "--lose", "4")[8] == ("no longer possible", None)
    assert "Grub-2" not in book().present()[1].harm.hp


def test_an_old_entry_that_comes_out_the_same_is_resolved_again(drifted: Shell):
    """The note of e5 was recorded by older rules, too, but they say the same; so it has no need to be kept."""
    forge("test.affray", f"UPDATE entries SET program = '{OLD}' WHERE entry = 5")
    chain_anew("test.affray")
    play(drifted, "amend e2 --side heroes --apply")
    assert book().store.entry(12).program == current()


def test_an_amendment_by_older_rules_may_have_come_out_otherwise(drifted: Shell):
    """Each of its entries is compared from the state that the record gives it."""
    drifted.done("amend", "e6", "--mod", "hit:+1:luck", "--apply")
    assert hurt(9) == [HpLost("Grub-1", 6, 4, 20)]
    for entry in (8, 9, 10):
        forge("test.affray", f"UPDATE entries SET program = '{OLD}' WHERE entry = {entry}")
    change(9, '"points":6,"left":4', '"points":7,"left":3')
    assert [(found.sort, found.entry) for found in examine(book()).findings] == [("drift", 4), ("drift", 9)]


def test_an_amendment_that_cannot_be_said_today_is_drift(drifted: Shell):
    """Its entries are still compared, each by itself."""
    drifted.done("amend", "e6", "--mod", "hit:+1:luck", "--apply")
    forge("test.affray", f"UPDATE entries SET program = '{OLD}' WHERE entry >= 8")
    change(8, '"change":', '"alter":')
    found = findings("drift")
    assert [one.entry for one in found] == [4, 8]
    assert found[1].now == ()
    change(9, '"points":6,"left":4', '"points":7,"left":3')
    assert [found.entry for found in findings("drift")] == [4, 8, 9]


def test_a_checkpoint_of_the_same_state_in_other_bytes_is_not_damage(table: Shell):
    """An older program may have written what this one leaves out."""
    from ledger.store import seal
    from projections.state import VERSION
    from tests.shell import foreign

    table.done("note", "hi")
    head, state = book().present()
    text = state.encoded()
    other = text[:-1] + ',"stress":{"of":{}}}'
    db = foreign("test.affray")
    changed = "UPDATE checkpoints SET state = ?, seal = ? WHERE entry = 2"
    assert db.execute(changed, (other, seal(head.digest, VERSION, other))).rowcount
    db.close()
    assert audit(book()).findings == ()
    table.done("verify")


@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_the_current_version_resolves_its_own_ledger_the_same(system: str, tmp_path: Path):
    """`fixtures/formats` holds a ledger of each version of the rules; if this one differs, the version rises.

    Then a ledger of the new version is added (`python -m tests.formats`), and the older ones stay as they are.
    """
    from tests.formats import copied, path_of

    assert path_of(system).is_file()
    store = SqliteStore.open(copied(path_of(system), tmp_path))
    found = examine(Book(store))
    assert found.findings == ()
    assert found.entries > 50
    programs = {entry.program for entry, _ in store.entries(1, found.entries)}
    assert {systems.rules_named(program) for program in programs} == {systems.rules(system)}


def test_older_versions_are_not_damage(tmp_path: Path):
    """Their ledgers open for ever; what today's rules would do otherwise is drift."""
    from tests.formats import FORMATS, copied

    for path in sorted(FORMATS.glob("*.affray")):
        found = examine(Book(SqliteStore.open(copied(path, tmp_path))))
        assert not found.of("damage", "fault", "unchecked"), path
        assert found.state_digest == path.with_suffix(".state").read_text().strip()


def test_damage_keeps_only_what_depends_on_it_from_being_checked(drifted: Shell):
    """e4 cannot be read, so nobody knows what e5 to e7 stand on; their bytes and dice are checked all the same."""
    change(4, '"event":"hp-lost"', '"event":"hp-lust"')
    found = examine(book())
    assert [(one.sort, one.entry) for one in found.findings] == [("damage", 4), ("unchecked", 5)]
    assert found.findings[1].message == "e5 to e7 could not be resolved again because of e4."
    assert found.state_digest == ""
    with pytest.raises(LedgerDamaged, match="e4 holds an event that this program does not know"):
        audit(book())
