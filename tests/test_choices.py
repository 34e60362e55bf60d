"""What somebody can do now: what is listed in closed fields is accepted, and what is accepted there is listed."""

import json
import shlex
from collections.abc import Iterator
from random import Random

import pytest

from commands.action.procedures import ANY_DICE
from commands.words.form import FLAG, Field, Table
from commands.words.possible import Deed, Deeds
from commands.words.reading import Reading, Said
from ledger.errors import AffrayError
from tests import tables
from tests.kit import KEY
from tests.sample import WHOLE
from tests.shell import Shell

SYSTEMS = ("aachen", "arkm", "dungeoneers", "freepg", "paraverse")
GOBLINS = ("join brun", "join goblin --count 12", "begin", "initiative --dice 8,1")
FIGHT = ("join boffin jane", "join grub --count 3", "begin", "initiative --dice 14,12,11",
         "adjust boffin at 0,0 set", "adjust grub-1 at 1,0 set")  # fmt: skip


def accepted(table: Table, verb: str, said: Said) -> bool:
    """Whether the rules take a line."""
    try:
        tables.done(table.state, shlex.join(Reading(0, verb, said).line(table.form(verb))), ANY_DICE)
    except AffrayError:
        return False
    return True


def every_word(table: Table, field: Field, said: Said) -> set[str]:
    """All that could be said in a closed field by anybody: names at the table, things of everybody, what is chosen."""
    everybody = ["", *table.state.roster.order]
    words = {word for who in everybody for word in table.words(field, {**said, "who": (who,), field.name: ()})}
    if field.kind in ("thing", "skill"):
        words |= {word for who in everybody for kind in ("thing", "skill") for word in table.of_kind(kind, who)}
    return {word for word in words if word[:1] != "@"}


def turns(system: str, many: int) -> Iterator[tuple[Random, Deeds, str]]:
    """Turns by chance, each with one who may act, mostly, and a verb."""
    dice, seed = Random(f"choices {system}"), 0
    while many > 0:
        seed += 1
        for state in tables.Table(system, seed).play(30):
            table = Table(state)
            who = dice.choice([*able(table) * 3, *state.roster.order]) if state.roster.order else ""
            could = Deeds(table, who)
            if who and many > 0:
                many -= 1
                yield dice, could, dice.choice([*could.verbs()])


def able(table: Table) -> list[str]:
    """Who may act now."""
    try:
        return table.acting
    except AffrayError:
        return []


@pytest.fixture(autouse=True)
def faults_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in a rule is no refusal."""
    monkeypatch.setenv("AFFRAY_DEBUG", "1")


@pytest.mark.parametrize(
    ("system", "many"),
    [
        *((system, 40) for system in SYSTEMS),
        *(pytest.param(system, 1000 if WHOLE else 150, marks=pytest.mark.slow) for system in SYSTEMS),
    ],
)
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(system: str, many: int):
    for dice, could, verb in turns(system, many):
        deeds = [*could.of(verb)]
        for deed in deeds:
            assert accepted(could.table, verb, deed.reading.said), deed.reading
        if deeds:
            arguments_are_whole(could, dice.choice(deeds), deeds)
            options_are_whole(dice, could, dice.choice(deeds))


def arguments_are_whole(could: Deeds, deed: Deed, deeds: list[Deed]) -> None:
    """In the last closed field of a deed all words are listed that the rules take, given those before."""
    verb, said = deed.reading.verb, deed.reading.said
    closed = [one for one in could.table.form(verb) if one.name in said and one.name not in ("who", *deed.open)]
    if not closed or closed[-1].kind == FLAG:
        return
    last = closed[-1].name
    listed = [
        one.reading.said
        for one in deeds
        if last in one.reading.said
        and all(said.get(name) == words for name, words in one.reading.said.items() if name not in (last, *one.open))
    ]
    words = every_word(could.table, closed[-1], said)
    taken = {(word,) for word in words if accepted(could.table, verb, {**said, last: (word,)})}
    assert taken <= {one[last] for one in listed}, (verb, said, last)
    assert taken >= {one[last] for one in listed if one.keys() == said.keys()}, (verb, said, last)


def options_are_whole(dice: Random, could: Deeds, deed: Deed) -> None:
    """Of an option all words are listed that the rules take, or it is open."""
    verb, said = deed.reading.verb, deed.reading.said
    found = could.options(deed)
    fields = [one for one in could.table.form(verb) if one.option and not one.is_open and one.name not in said]
    for field in dice.sample(fields, min(3, len(fields))):
        ways = found.get(field, [])
        if any(field.name in one.open for one in ways):
            continue
        listed = {one.reading.said[field.name] for one in ways}
        words = {()} if field.kind == FLAG else {(word,) for word in every_word(could.table, field, said)}
        taken = {one for one in words if accepted(could.table, verb, {**said, field.name: one})}
        assert listed == taken, (verb, said, field.name)


@pytest.fixture
def fight(shell: Shell) -> Shell:
    """Boffin stands beside one of three grubs, and it is his turn."""
    shell.done("init", "test", "--system", "freepg", "--key", KEY.hex())
    for line in FIGHT:
        shell.done(*line.split())
    return shell


def test_what_can_be_done_is_a_tree_in_which_what_goes_on_alike_stands_together(fight: Shell):
    lines = fight.done("choices").splitlines()
    assert lines[0] == "Boffin"
    assert "  attack Grub-1; rolls 1d20, their 1d20" in lines
    assert "  attack Grub-2|Grub-3|Jane --distance N; rolls 1d20, their 1d20" in lines
    assert "  move --to X,Y" in lines
    assert "  done (gives up Boffin's turn)" in lines


def test_a_verb_is_shown_with_its_options(fight: Shell):
    lines = fight.done("choices", "bof", "att").splitlines()
    assert all(line == "Boffin" or line.startswith(("  attack", "      --")) for line in lines)
    assert "      --with sword" in lines


def test_what_is_declared_and_the_way_of_a_move_are_listed_though_other_words_are_taken(shell: Shell):
    for line in ("init test --system paraverse", "begin --from gatehouse", "round"):
        shell.done(*line.split())
    lines = shell.done("choices", "sigrun", "declare").splitlines()
    assert "  declare attack Reaver|Vasko|Thrall" in lines
    assert "  declare move gate" in lines
    for line in ("init other --system dungeoneers", "join suori troll", "begin", "round", "turn"):
        shell.done("--ledger", "other.affray", *line.split())
    lines = shell.done("--ledger", "other.affray", "choices", "suori", "move").splitlines()
    assert "  move N|NE|E|SE|S|SW|W|NW" in lines


def test_as_json_it_names_the_head_that_it_is_true_of(fight: Shell):
    told = json.loads(fight.done("choices", "boffin", "stow", "--json"))
    assert told["head"] == json.loads(fight.done("verify", "--json"))["head"]
    assert told["choices"]["Boffin"][0] == {
        "verb": "stow", "said": {"who": ["Boffin"], "item": ["sword"]}, "open": [], "line": "stow Boffin sword",
        "needs": [], "gives_up": "", "options": {"drop": []}, "open_options": [],
    }  # fmt: skip


def test_nobody_can_do_anything_where_nobody_may_act(shell: Shell):
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin")
    assert shell.done("choices").splitlines()[:2] == ["Nobody may act now.", "No encounter is under way."]
    shell.done("begin")
    assert "Next: initiative" in shell.done("choices").splitlines()
    shell.refused("choices", "nobody", code=3)
    shell.refused("choices", "boffin", "fly", code=2)


def test_blows_have_their_chance_and_their_mean(shell: Shell):
    """A d20 with +3 against AC 13 hits with 10 or more: 11 of 20. A goblin has 3 hit points; a blow of 1d8, at least
    the shock of 2, takes 2, 2 and six times 3 of 8: 2.75; a miss takes the shock. 0.55 x 2.75 + 0.45 x 2 is 2.4125.
    """
    shell.done("init", "test", "--system", "aachen", "--key", KEY.hex())
    for line in GOBLINS:
        shell.done(*line.split())
    blows = json.loads(shell.done("choices", "--odds", "--json"))["choices"]["Brun"]
    assert [blow["target"] for blow in blows] == [f"Goblin-{nth}" for nth in range(1, 13)]
    for blow in blows:
        assert blow["exact"]
        assert blow["chances"] == pytest.approx({"hit": 0.55, "miss": 0.45})
        assert blow["means"] == pytest.approx({"hp": -2.4125})
    assert "attack Brun Goblin-1: hit 55.00%, miss 45.00%, -2.41 hp" in shell.done("choices", "--odds")
