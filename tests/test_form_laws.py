"""What a line may be answered with that was typed wrongly, as laws: over the right lines of every fight that is kept,
each made wrong by chance.
"""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from random import Random

import pytest

from commands.action.book import events_of
from commands.agents.table import Table as ModelTable
from commands.live.views import Watched
from commands.odds.choices import tree
from commands.seats.hand import Hand, Tap
from commands.seats.phone import for_seat
from commands.seats.trays import tray_at
from commands.shell.cli import shell as own_shell
from commands.shell.offers import Completions
from commands.shell.tools import TOOLS
from commands.words.command import order_of
from commands.words.console import Console
from commands.words.costs import cost_of
from commands.words.discovery import opened
from commands.words.form import Table
from commands.words.next_steps import completed, next_steps
from commands.words.possible import Deeds
from ledger.errors import AffrayError
from projections.state import State
from tests import misspelt, tables
from tests.kit import KEY
from tests.misspelt import NUMBERS, Right, people, played, right, works, wronged
from tests.sample import WHOLE
from tests.shell import Shell

SYSTEMS = ("aachen", "arkm", "dungeoneers", "freepg", "paraverse")
GO_ON = ("pass", "done", "phase")
STEPS = ("pass", "done", "phase", "round", "turn", "resolve", "initiative")


def answered(state: State, words: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """The lines that a failed one is answered with, and all that is said: nothing where the only one is carried out."""
    table = Table(state, TOOLS)
    try:
        tables.done(state, shlex.join(words), KEY)
    except AffrayError as error:
        whole = completed(Table(state), words)
        if whole and works(state, whole):
            return [whole], []
        error.ways = ()  # what is meant is asked, not what the rules hand over
        found = [one for one in next_steps(table, words, error) if one.works or one.kind == "advice"]
        lines = [line for one in found for line in str(one).splitlines()]
        return [shlex.split(line)[1:] for line in lines if line.startswith("affray ")], lines
    return [], []


def lines_of(system: str, many: int) -> list[Right]:
    """Some of the right lines of a system: of the fights that are kept, and of one by chance."""
    every = right(system)
    return [*Random(system).sample(every, min(many, len(every))), *played(system, many // 2)]


def numbers(words: Sequence[str]) -> Counter[tuple[str, str]]:
    """The numbers that are typed without a name, each with the option before it; "" for an argument and dice apart."""
    found: Counter[tuple[str, str]] = Counter()
    for before, word in zip(("", *words), words, strict=False):
        low = word.casefold()
        if re.fullmatch(r"-?\d+", word) or low in NUMBERS:
            unit = before if before.startswith("--") and before != "--dice" else ""
            found[unit, str(NUMBERS.index(low)) if low in NUMBERS else word] += 1
    return found


def dice_of(words: Sequence[str]) -> list[str]:
    """The faces behind `--dice`, without the dashes that stand for more."""
    faces = [one for at, word in enumerate(words) if word == "--dice" for one in words[at + 1].split(",") if one != "-"]
    return [str(NUMBERS.index(one)) if one in NUMBERS else one for one in faces]


def sized(small: int, large: int) -> pytest.MarkDecorator:
    """Runs a test on a few lines of each system, and as a slow one on half of many, or all."""
    usual, many = [(system, small) for system in SYSTEMS], large if WHOLE else large // 2
    return pytest.mark.parametrize(
        ("system", "many"), [*usual, *(pytest.param(one, many, marks=pytest.mark.slow) for one in SYSTEMS)]
    )


@sized(50, 400)
def test_a_line_with_one_misspelt_word_is_answered_by_the_line_that_was_meant(system: str, many: int):
    """In at least 90 of 100, first."""
    dice, met, meant = Random(f"misspelt {system}"), 0, 0
    for line in lines_of(system, many):
        wrong = misspelt.misspelt(dice, line)
        if not wrong or works(line.state, wrong):
            continue
        offered, _ = answered(line.state, wrong)
        met += 1
        meant += bool(offered) and same(line, offered[0])
    assert met > 30
    assert meant * 100 >= 90 * met, f"{meant} of {met}"


def same(line: Right, offered: Sequence[str]) -> bool:
    """Whether a line is the right one, in whatever order its options stand."""
    system = line.state.campaign.system
    one, other = order_of(line.words, system), order_of(offered, system)
    return one.verb == other.verb and sorted(plain(line.state, line.words)) == sorted(plain(line.state, offered))


def plain(state: State, words: Sequence[str]) -> list[str]:
    """The words with names in full and without dashes for dice."""
    return [",".join(people(state, [word])) or re.sub(",-$", "", word).casefold() for word in words if word.strip("-,")]


@sized(16, 400)
def test_what_is_offered_keeps_the_laws(system: str, many: int):
    dice, met = Random(f"laws {system}"), Counter[str]()
    for line in lines_of(system, many):
        for how, wrong in wronged(dice, line):
            offered, said = answered(line.state, wrong)
            met[how] += bool(offered)
            assert len(offered) <= 3
            for one in offered:
                keeps_the_laws(line, how, wrong, one, said)
    assert all(met[how] for how in ("letter", "another word"))


@sized(16, 400)
def test_a_step_is_no_reading_of_a_line(system: str, many: int):
    """Where none was typed, nor another word for one, `pass`, `done` and `phase` are offered only by the rules, with
    the reason why what was meant is impossible.
    """
    dice = Random(f"steps {system}")
    for line in lines_of(system, many):
        for how, wrong in wronged(dice, line):
            offered, said = answered(line.state, wrong)
            if line.verb not in GO_ON and not any(one.startswith("If you mean ") for one in said):
                verbs = Table(line.state).verbs
                steps = [one for one in offered if one[0] in GO_ON and wrong[0] not in verbs[one[0]].also]
                assert not steps, (how, wrong, offered)


def keeps_the_laws(line: Right, how: str, wrong: Sequence[str], offered: Sequence[str], said: Sequence[str]) -> None:
    """An offer works; acts upon those who were named, in that order, and nobody else where none was left out; keeps
    each number in its unit, and all dice; and is no step that nobody spoke of.
    """
    about = f"{how}: {shlex.join(wrong)} -> {shlex.join(offered)}\n{said}"
    state = line.state
    if offered[0] in TOOLS:
        return
    assert works(state, offered), about
    assert not said or given_up_by(state, offered) == cost_beside(offered, said), about
    if any(one.startswith("If you mean ") for one in said) or offered[0] in STEPS:
        return  # what the rules offer instead is no reading of the line
    named, names = people(state, wrong), people(state, offered)
    kept = [who for who in names if who in named]
    if how in ("letter", "another word", "number"):
        assert names == people(state, line.words) or set(names) <= {*people(state, line.words), *named}, about
    else:
        assert [who for who in kept if kept.count(who) == named.count(who)] == [
            who for who in named if named.count(who) == kept.count(who)
        ], about
        assert not is_complete(state, wrong) or {*names} <= {*named}, about
    assert not numbers_lost(wrong, offered), about
    assert dice_of(wrong) == dice_of(offered)[: len(dice_of(wrong))], about


def is_complete(state: State, words: Sequence[str]) -> bool:
    """Whether a line says all that its verb asks for, and those whom it names are at the table."""
    try:
        said = order_of(words, state.campaign.system).declaration
    except AffrayError:
        return False
    target = getattr(said, "target", words[1])
    return all(people(state, [word]) for word in (words[1], *([target] if isinstance(target, str) else target or [""])))


def given_up_by(state: State, words: Sequence[str]) -> str:
    """What a line costs others, as it is said."""
    return cost_of(tables.done(state, shlex.join(words), KEY))


def cost_beside(offered: Sequence[str], said: Sequence[str]) -> str:
    """What is said below an offered line of what it costs."""
    at = [shlex.split(one)[1:] for one in said if one.startswith("affray ")].index([*offered])
    place = [nth for nth, one in enumerate(said) if one.startswith("affray ")][at]
    below = said[place + 1] if place + 1 < len(said) else ""
    return below if below.startswith("(") else ""


def numbers_lost(wrong: Sequence[str], offered: Sequence[str]) -> Counter[tuple[str, str]]:
    """The numbers of a line that an offered one has not, each in its unit, and as often; one without any may get one,
    or be a die.
    """
    lost = numbers(wrong) - numbers(offered)
    return Counter({one: many for one, many in lost.items() if one[0]}) + (every(wrong) - every(offered))


def every(words: Sequence[str]) -> Counter[tuple[str, str]]:
    """The numbers of a line in whatever unit, and its dice."""
    others = [word for before, word in zip(("", *words), words, strict=False) if before != "--dice"]
    return Counter(("", one) for one in (*dice_of(words), *(number for _, number in numbers(others).elements())))


FREEPG = (
    "join boffin jane", "join grub --count 3", "begin", "initiative --dice 14,12,11", "adjust boffin at 0,0 set",
    "adjust jane at 0,2 set", "adjust grub-1 at 1,0 set", "adjust grub-2 at 1,1 set", "adjust grub-3 at 9,9 set",
)  # fmt: skip
PARAVERSE = ("join sigrun ildar reaver", "begin", "round")
AACHEN = ("join brun goblin", "begin", "initiative --dice 5,1")
DUNGEONEERS = ("join suori freya --at 1,1/9,9", "join goblin --count 2 --at 1,0/4,4", "begin", "round --dice 9,1,2")


@pytest.fixture
def table(request: pytest.FixtureRequest, shell: Shell) -> Shell:
    """A fight of a system that has begun."""
    system, lines = request.param
    shell.done("init", "test", "--system", system, "--key", KEY.hex())
    for line in lines:
        shell.done(*line.split())
    return shell


freepg = pytest.mark.parametrize("table", [("freepg", FREEPG)], indirect=True, ids=["freepg"])
aachen = pytest.mark.parametrize("table", [("aachen", AACHEN)], indirect=True, ids=["aachen"])
dungeoneers = pytest.mark.parametrize("table", [("dungeoneers", DUNGEONEERS)], indirect=True, ids=["dungeoneers"])
paraverse = pytest.mark.parametrize("table", [("paraverse", PARAVERSE)], indirect=True, ids=["paraverse"])


def offers(table: Shell, line: str) -> list[str]:
    """What is offered for a line that is refused; `Shell` types each."""
    answer = table(*shlex.split(line))
    assert answer.code, f"{line} was carried out: {answer.out}"
    assert "Traceback" not in answer.err
    return [one.partition("affray ")[2] for one in answer.err.splitlines() if "affray " in one]


@aachen
def test_who_acts_upon_whom_is_never_turned_round(table: Shell):
    assert not [one for one in offers(table, "attack goblin brun") if one.casefold().startswith("attack brun goblin")]


@paraverse
def test_a_number_keeps_its_unit(table: Shell):
    assert not [one for one in offers(table, "reaver 3 pain") if "--damage" in one or one.startswith("damage reaver 3")]


@freepg
@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("initiative boffin 14 jane 12", "attack"),
        ("attack boffin --at 3,0", "grub"),
        ("boffin moves two squares up", "--to"),
        ("boffin moves two squares up", "--path"),
        ("attack jane grub-7", "grub-1"),
        ("attack boffin grub-1 --cover half", "attack boffin grub-1"),
        ("damage grub-1 -3", "damage grub-1 3"),
    ],
)
def test_what_was_not_said_is_not_offered(line: str, never: str, table: Shell):
    assert not [one for one in offers(table, line) if never in one.casefold()]


@freepg
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("attack jane grub-7", "Nobody at the table is called 'grub-7'."),
        ("attack boffin grub-1 --cover half", "--cover"),
        ("--ledgr ../saturday.affray log", "--ledgr"),
        ("move boffin cellar", "cellar"),
        ("attack boffin grub-1 with axe", "Boffin has no weapon 'axe' in hand."),
    ],
)
def test_what_is_not_there_is_named(line: str, says: str, table: Shell):
    answer = table(*line.split())
    assert answer.code
    assert says in answer.err


@dungeoneers
def test_a_name_of_nobody_is_never_replaced(table: Shell):
    """`dragon` is nobody at the table; nor is `goblin-7`, which is another than Goblin-1."""
    for line in ("grapple suori dragon", "grapple suori goblin-7"):
        assert not [one for one in offers(table, line) if one.startswith("grapple")]


@paraverse
def test_a_place_that_is_not_there_is_never_replaced(table: Shell):
    assert not [one for one in offers(table, "move sigrun cellar") if one.startswith("move")]


@freepg
@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("boffin attacks grub-1", "attack boffin grub-1"),
        ("attack boffin at grub-1 14 6", "attack boffin grub-1 --dice 14,6"),
        ("attack grub 14 6", "attack Boffin Grub-1 --dice 14,6"),
        ("boffin attakc grub-1", "attack boffin grub-1"),
        ("boffin attacks grub-1 with his sword 14 6", "attack boffin grub-1 --with sword --dice 14,6"),
        ("atack boffin grub-1 fourteen against six", "attack boffin grub-1 --dice 14,6"),
        ("damage grubs 3 fire", "damage @grub 3 fire"),
        ("check boffin climb dt 12 9", "check boffin --dt 12 --skill climb --dice 9"),
        ("shoot boffin grub-1 --dice 14,6", "attack boffin grub-1 --dice 14,6"),
    ],
)
def test_what_is_meant_is_offered_first(line: str, first: str, table: Shell):
    assert offers(table, line)[:1] == [first]


@aachen
@pytest.mark.parametrize("line", ["move brun 20 feet", "move brun twenty feet", "move brun 20ft"])
def test_a_number_and_its_unit_are_a_number(line: str, table: Shell):
    assert offers(table, line)[:1] == ["move brun 20"]


@aachen
def test_a_unit_says_which_option_a_number_is_of(table: Shell):
    assert offers(table, "heal brun brun 5 hp")[:1] == ["heal brun brun --magic 5"]


@aachen
def test_a_refusal_offers_no_number_that_nobody_typed(table: Shell):
    assert not [one for one in offers(table, "heal brun goblin") if "--magic" in one]
    assert not [one for one in offers(table, "check brun STR exert") if "--difficulty" in one]


def test_several_names_behind_an_action_are_all_meant(shell: Shell):
    shell.done("init", "test", "--system", "arkm", "--key", KEY.hex())
    for line in ("join magic-user", "join goblin --count 2", "begin", "initiative --dice 6,1", "phase magic"):
        shell.done(*line.split())
    assert offers(shell, "cast wystan sleep goblin-1 goblin-2")[:1] == ["cast wystan sleep --target goblin-1,goblin-2"]


@freepg
def test_who_may_act_is_meant_before_one_who_may_not(table: Shell):
    """It is John's turn: Boffin has struck, and no grub strikes now."""
    table.done("attack", "boffin", "grub-1", "--dice", "2,18")
    table.refused("attack", "grub-2", "13", "8", code=3)


@freepg
def test_the_rules_say_why_what_was_meant_is_impossible(table: Shell):
    """Boffin moves only so far, whatever stands before the square."""
    answer = table("move", "boffin", "to", "30,0")
    assert answer.code
    assert "If you mean move boffin --to 30,0:" in answer.err


WINDOWS = {
    "freepg": FREEPG, "aachen": AACHEN, "dungeoneers": DUNGEONEERS, "paraverse": PARAVERSE,
    "arkm": ("join fighter --called Aldric", "join goblin --count 2", "begin", "initiative --dice 6,1"),
}  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_tab_desk_phone_model_and_choices_offer_the_same_words(system: str, shell: Shell):
    """In the field behind who acts, of every action of somebody at the table."""
    shell.done("init", "test", "--system", system, "--key", KEY.hex())
    for line in WINDOWS[system]:
        shell.done(*line.split())
    with closing(Console("test.affray")) as console:
        table, tab = Table(console.book.present()[1]), Completions(console)
        who = table.state.roster.order[0]
        shell.done("seat", "Jo", who)
        desk = Hand("test.affray", own_shell()).choices(Tap(who=who))["words"]
        phone = for_seat_of("Jo")
        model, could = ModelTable(own_shell()).choices(who).data["choices"][who], Deeds(table, who)
        assert model == [*tree(table, who)]
        for verb in could.verbs():
            behind = [one for one in table.form(verb) if not one.option and one.name != "who"][:1]
            for field in [one for one in behind if not one.is_open]:
                listed = set(table.words(field, {"who": (who,)}))
                if field.kind != "choice":
                    assert set(desk.get(field.kind, ())) == set(phone.get(field.kind, ())) == listed, (verb, field.name)
                assert {one.shown for one in tab.at(f"{verb} {who} ")} >= listed, (verb, field.name)
                said = [
                    one.reading.said[field.name]
                    for one in could.of(verb)
                    if field.name in {*one.reading.said} - one.open
                ]
                assert {word for words in said for word in words} <= listed, (verb, field.name)


def for_seat_of(name: str) -> dict[str, list[str]]:
    """What a phone is sent that may stand in each kind of field, for the one who is played from its seat."""
    with closing(opened("test.affray")) as store:
        view = Watched(store, (), name)
        for entry, digest in store.entries(1, store.head().entry):
            view.take(entry, digest, events_of(entry))
        seat = view.state.seats.named(name)
        assert seat
        with closing(tray_at("test.affray", view.state)) as tray:
            words: dict[str, list[str]] = for_seat(tray, view.state, view.board, seat.plays, seat)["words"][
                seat.plays[0]
            ]
    return words


def test_a_phone_whose_fighter_joined_in_secret_is_sent_no_words_before_they_are_shown(shell: Shell):
    for line in ("init test --system dungeoneers", "join suori troll", "join freya --secret", "seat Jo Freya"):
        shell.done(*line.split())
    assert for_seat_of("Jo") == {}
    shell.done("reveal", "e3")
    things = for_seat_of("Jo")["thing"]
    assert "mace" in things
    assert "battleaxe" not in things
