"""Phones that play, in a real browser: what a player taps becomes what the game master would have typed."""

import re
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from commands.action.systems import SYSTEMS
from commands.live.posts import form_of
from commands.words.discovery import opened
from tests.browser import AXE, Browser, lacking, started, violations
from tests.engines import Postgres
from tests.kit import KEY
from tests.phones import SECONDS, Phone, Throw, asking
from tests.shell import Shell, command, environment
from tests.test_seats_served import LEDGER, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


@pytest.fixture
def bridge(table: Shell) -> Shell:
    """A fight at a bridge, in which Jane plays two and John one."""
    for line in ("join boffin jane tilda", "join grub --count 2", "seat jane jane tilda", "seat john boffin", "begin"):
        table.done(*line.split())
    table.done("initiative", "--dice", "9,14,3")
    return table


def test_an_ordinary_attack_takes_three_taps_and_the_game_master_one(bridge: Shell, browser: Browser):
    """The verb, the target, the dice; the same line from the shell gives the same events."""
    with served(LEDGER) as server:
        jane, gm = Phone(browser, server, "Jane"), Phone(browser, server, "gm")
        jane.tap("attack")
        jane.tap("Grub-1")
        jane.tap("Roll for me")
        jane.says("attack Jane Grub-1: waits for the game master")
        assert jane.taps == 3
        gm.tap("Accept", "#desk")
        jane.says("recorded, e")
        jane.close()
        gm.close()
    with closing(opened(LEDGER)) as store:
        last = store.entry(store.head().entry)
    assert last.by == "Jane, accepted by tester"
    bridge.done("verify")


def test_what_sends_is_on_the_first_screen_of_a_phone(bridge: Shell, browser: Browser):
    """Without scrolling, at 390 x 844, however many may be aimed at."""
    bridge.done("join", "grub", "--count", "12")
    with served(LEDGER) as server:
        phone = Phone(browser, server, "Jane")
        phone.tap("attack")
        phone.tap("Grub-1")
        phone.tap("Options")
        bottom = "const one = document.querySelector('.sends .send'); return one && !one.disabled"
        phone.until(bottom)
        phone.ask("scrollTo(0, 0)")
        assert phone.ask("return document.querySelector('.sends').getBoundingClientRect().bottom <= innerHeight")
        phone.close()


def test_a_declaration_of_paraverse_takes_four_taps(shell: Shell, browser: Browser):
    """What is tried, and upon whom, is tapped; all that is tapped is large enough for a thumb."""
    shell.done("init", "Live", "--system", "paraverse")
    for line in ("begin --from gatehouse", "seat jane sigrun", "round"):
        shell.done(*line.split())
    (ledger,) = Path().glob("*.affray")
    with served(str(ledger)) as server:
        jane = Phone(browser, server, "Jane")
        jane.tap("declare")
        jane.tap("attack", "#seat-do form")
        jane.tap("Reaver", "#seat-do form")
        small = jane.ask(
            "return [...document.querySelectorAll('#seat button, #seat input, #seat select, #seat summary')]"
            ".filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)"
            ".map((one) => one.outerHTML)"
        )
        assert small == []
        assert jane.ask("return document.documentElement.scrollWidth") <= 390
        jane.tap("Send", "#seat-do form")
        jane.says("declare Sigrun attack Reaver: waits for the game master")
        assert jane.taps == 4
        jane.close()


def test_dice_from_the_table_are_typed_and_wrong_ones_are_not_sent(bridge: Shell, browser: Browser):
    with served(LEDGER) as server:
        jane = Phone(browser, server, "Jane")
        jane.tap("attack")
        jane.tap("Grub-1")
        face = "document.querySelector('#seat-send input.face')"
        jane.until(f"return {face}").send_keys("9")
        for target in ("Grub-1", "Grub-2"):
            jane.tap(target)
        jane.until(f"return {face}?.value === '9'")  # the die lies on the table still
        for typed in ("21", "14"):
            jane.ask(f"{face}.value = arguments[0]; {face}.dispatchEvent(new Event('input'))", typed)
            jane.tap("Send my dice")
        jane.says("attack Jane Grub-2: waits for the game master")
        jane.until("return document.querySelectorAll('#seat-proposals li').length === 1")
        bridge.done("accept")
        jane.says("recorded, e")
        jane.close()
    assert "d20 14*" in bridge.done("log", "--arithmetic", "--last", "1")


def test_what_was_sent_while_nobody_listened_is_sent_again_and_recorded_once(bridge: Shell, browser: Browser):
    """The answer is lost, and the page is closed; it has the proposal still when it is opened again."""
    with served(LEDGER) as server:
        jane = Phone(browser, server, "Jane")
        jane.ask(
            "window.real = window.fetch; window.fetch = async (path, how) => { const answer = await real(path, how);"
            "if (path === '/propose') throw new TypeError('lost'); return answer; }"
        )
        jane.types("stand jane")
        jane.says("Not sent yet")
        jane.browser.driver.refresh()
        jane.says("stand Jane: waits for the game master")
        jane.until("return document.querySelectorAll('#seat-proposals li').length === 1")
        jane.tap("Take back")
        jane.says("stand Jane: taken back")
        jane.close()


def test_a_question_is_answered_by_one_tap_also_after_the_phone_was_closed(bridge: Shell, browser: Browser):
    """Two phones of one seat see it; it is gone from both when one has answered."""
    bridge.done("done", "--pass-rest")
    with served(LEDGER) as server:
        john = Phone(browser, server, "John")
        attack = asking(LEDGER, "attack", "grub-1", "boffin", "--dice", "ask:seats")
        john.says("Boffin: d20 for defense")
        john.close()
        john, other = Phone(browser, server, "John"), Phone(browser, server, "John")
        other.says("Boffin: d20 for defense")
        john.tap("7", "#seat-questions")
        told, _ = attack.communicate(timeout=SECONDS)
        assert attack.returncode == 0, told
        other.until("return document.getElementById('seat-questions').hidden")
        john.close()
        other.close()
    assert re.search(r"defense \d+ \(d20 7\*", bridge.done("log", "--arithmetic", "--last", "1")), told


def test_the_game_master_answers_by_a_tap_for_a_player_who_does_not(bridge: Shell, browser: Browser):
    """The command is given up, or the program rolls."""
    bridge.done("done", "--pass-rest")
    with served(LEDGER) as server:
        gm = Phone(browser, server, "gm")
        for words, code in (("Give up", 2), ("Roll it", 0)):
            attack = asking(LEDGER, "attack", "grub-1", "boffin", "--dice", "ask:seats")
            gm.says("Waiting for John: Boffin, d20 for defense", "#desk")
            gm.tap(words, "#desk-questions")
            told, _ = attack.communicate(timeout=SECONDS)
            assert attack.returncode == code, told
            gm.until("return document.getElementById('desk-questions').hidden")
        gm.close()
    bridge.done("verify")


def test_a_link_that_was_replaced_is_out_at_once(bridge: Shell, browser: Browser):
    with served(LEDGER) as server:
        jane = Phone(browser, server, "Jane")
        bridge.done("seat", "jane", "--new-link")
        jane.until("return document.getElementById('seat').hidden")
        jane.until("return document.getElementById('live').textContent.startsWith('This address is not good')")
        assert jane.ask("return location.hash") == ""
        jane.browser.complaints()
        jane.close()


# What happens while somebody proposes something


def test_somebody_is_given_to_another_player_while_something_is_proposed_for_them(bridge: Shell, browser: Browser):
    with served(LEDGER) as server:
        jane, john, gm = (Phone(browser, server, seat) for seat in ("Jane", "John", "gm"))
        jane.choose("Tilda", "stand")
        jane.send([])
        jane.says("stand Tilda: waits for the game master")
        bridge.done("seat", "john", "boffin", "tilda")
        theirs = "return document.getElementById('seat-do').textContent.includes('Tilda') === arguments[0]"
        john.until(theirs, True)
        jane.until(theirs, False)
        gm.tap("Accept", "#desk")
        gm.says("Jane no longer plays Tilda.", "#hand-told")
        gm.tap("Decline", "#desk")
        jane.says("stand Tilda: declined")
        for phone in (jane, john, gm):
            phone.close()
    bridge.done("verify")


def test_the_target_dies_while_an_attack_on_it_is_proposed(bridge: Shell, browser: Browser):
    """The game master reads why it cannot be; the player is told to ask, and attacks another one."""
    with served(LEDGER) as server:
        jane, gm = Phone(browser, server, "Jane"), Phone(browser, server, "gm")
        jane.choose("Jane", "attack")
        jane.fill("target", "Grub-1")
        jane.send([Throw("Jane", "attack", "", [14])])
        jane.says("attack Jane Grub-1: waits for the game master")
        bridge.done("adjust", "grub-1", "down", "dead", "a rock falls")
        gm.tap("Accept", "#desk")
        gm.until("return document.querySelector('#desk-proposals .why')")
        jane.says("Ask the game master.")
        gm.tap("Decline", "#desk")
        jane.says("attack Jane Grub-1: declined")
        jane.choose("Jane", "attack")
        jane.says("Grub-1 (dead)")
        jane.fill("target", "Grub-2")
        jane.send([])
        gm.tap("Accept", "#desk")
        jane.says("attack Jane Grub-2: recorded")
        jane.close()
        gm.close()
    assert "Jane: 14* for attack set aside" in bridge.done("log")
    assert bridge("verify", "--json").json["grades"]["set_aside"] == 1


def test_undo_and_amend_under_a_proposal_also_of_its_seat(bridge: Shell, browser: Browser):
    """It waits as it was said, and is decided by the fight as it is then."""
    note = bridge("note", "it rains", "--json").json["entry"]
    with served(LEDGER) as server:
        jane, john, gm = (Phone(browser, server, seat) for seat in ("Jane", "John", "gm"))
        jane.choose("Jane", "attack")
        jane.fill("target", "Grub-1")
        jane.send([Throw("Jane", "attack", "", [14])])
        jane.says("attack Jane Grub-1: waits for the game master")
        bridge.done("undo")
        bridge.done("redo")
        bridge.done("amend", f"e{note}", "--text", "it pours", "--apply")
        john.choose("Boffin", "roll")
        john.fill("dice", "1d20")
        john.send([Throw("Boffin", "roll", "", [11])])
        john.says("waits for the game master")
        initiative, seat = f"e{note - 1}", f"e{note - 4}"
        bridge.done("amend", seat, "--who", "jane", "--dice", f"{initiative}:-", "--apply")  # Tilda never was hers
        jane.until("return !document.getElementById('seat-do').textContent.includes('Tilda')")
        gm.tap("Accept", "#desk-proposals li:first-child")
        jane.says("attack Jane Grub-1: recorded")
        gm.tap("Accept", "#desk-proposals li:first-child")
        john.says(": recorded")
        for phone in (jane, john, gm):
            phone.close()
    assert "it pours" in bridge.done("log")
    bridge.done("verify")


def test_a_phone_plays_where_the_game_master_sits_at_another_machine(shell: Shell, browser: Browser):
    """They share the database, and nothing else."""
    ledger = Postgres().place()
    shell.done("--ledger", ledger, "init", "Club", "--system", "freepg", "--key", KEY.hex())
    for line in ("join boffin", "join grub", "seat jane boffin", "begin", "initiative --dice 17,4"):
        shell.done("--ledger", ledger, *line.split())
    with served(ledger) as server:
        jane = Phone(browser, server, "Jane")
        jane.choose("Boffin", "attack")
        jane.fill("target", "Grub")
        jane.send([Throw("Boffin", "attack", "", [14])])
        jane.says("attack Boffin Grub: waits for the game master")
        far = subprocess.run(
            command("--ledger", ledger, "accept"), env=environment(), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=SECONDS,
        )  # fmt: skip
        assert far.returncode == 0, far
        jane.says("attack Boffin Grub: recorded")
        waits = asking(ledger, "attack", "grub", "boffin", "--allow", "now", "--dice", "ask:seats")
        jane.says("Boffin: d20 for defense")
        jane.answer([Throw("Boffin", "defense", "", [7])])
        told, _ = waits.communicate(timeout=SECONDS)
        assert waits.returncode == 0, told
        jane.close()
    shell.done("--ledger", ledger, "verify")


# The page


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.skipif(not AXE, reason="AFFRAY_AXE names no axe.min.js")
def test_axe_finds_nothing_on_the_page_of_a_seat(dark: bool, bridge: Shell, browser: Browser):
    """With a form that is open, a proposal, and a question."""
    with served(LEDGER) as server:
        jane = Phone(browser, server, "Jane")
        jane.types("stand jane")
        jane.says("stand Jane: waits")
        browser.open_address(f"http://{server.host}/?#{server.tokens['Jane']}", 390, 844, dark=dark)
        jane.tap("attack")
        jane.tap("Grub-1")
        jane.says("Roll for me")
        assert violations(browser) == []
        gm = Phone(browser, server, "gm")
        gm.says("stand Jane", "#desk")
        assert violations(browser) == []
        gm.close()
        jane.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_with_its_form_is_sent_in_64_kib(system: str):
    """Packed, as browsers take it."""
    from commands.live.site import _files

    packed = [zlib.compress(one._body, 9, wbits=31) for one in _files().values()]
    assert sum(map(len, packed)) + len(zlib.compress(form_of(system).encode(), 9)) < 64 * 1024
