"""The desk in a real browser: an evening by tapping gives the events that the same lines give from a shell."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec import structs
from selenium.webdriver.common.keys import Keys

from commands.action import systems
from commands.seats.hand import Tap
from ledger.events import Declared, Overruled
from tests.browser import AXE, Browser, lacking, started, violations
from tests.kit import KEY
from tests.phones import Phone
from tests.sample import WHOLE
from tests.shell import Shell
from tests.test_desk import by_hand, form_of, head, lines, recorded
from tests.test_live import Site
from tests.test_live import served as shown
from tests.test_seats_served import Server, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
SHORT = None if WHOLE else 12
"""How many commands of the evenings of the later systems are tapped."""
_FIELD = """
const titled = (title) => [...document.querySelectorAll("#hand-form fieldset, #hand-form label.field")].find(
  (one) => one.querySelector("legend, span").textContent.replace(/ \\(tap .*/, "") === title);
"""
_THROWN = "[...document.querySelectorAll('.sends label')].find((one) => one.textContent.startsWith('We'))?.control"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


def server_of(site: Site) -> Server:
    """A server without seats, as a phone connects to it."""
    return cast("Server", SimpleNamespace(host=f"127.0.0.1:{site.port}", tokens={"gm": site.token}))


class Desk(Phone):
    """The game master's page, as somebody taps on it."""

    def __init__(self, browser: Browser, server: Server) -> None:
        super().__init__(browser, server, "gm")
        self.until("return document.querySelector('#hand:not([hidden]) [data-verb]')")

    def head(self) -> str:
        return str(self.ask("return document.getElementById('head').textContent"))

    def fresh(self) -> str:
        """Waits until what can be tapped belongs to what is shown, and gives its head."""
        return str(self.until(
            "const hand = document.getElementById('hand');"
            "const head = document.getElementById('head').textContent;"
            "return !hand.hasAttribute('aria-busy') && hand.dataset.head === head && head"
        ))  # fmt: skip

    def opened(self, script: str, *words: Any) -> None:
        """Opens what is folded around something, and taps it."""
        self.opens(script, *words)
        self.touch(f"{script} return one?.checkVisibility() && !one.disabled && one", *words)

    def opens(self, script: str, *words: Any) -> None:
        """Waits for something, and opens what is folded around it."""
        folds = "for (let at = one; (at = at?.parentElement.closest('details'));) at.open = true;"
        self.until(f"{script} {folds} return one", *words)

    def plays(self, tap: Tap) -> None:
        """Taps a form together, throws the dice that are asked for, and waits for what is recorded."""
        before = self.fresh()
        who = tap.said.get("who", ())
        acts = bool(who) and bool(self.ask("return document.querySelector('.choosing')")) and self._acts(tap.verb)
        if acts and not self.ask(
            "return !!document.querySelector(`.choosing [data-who='${arguments[0]}' i][aria-pressed=true]`)", who[0]
        ):
            self.opened("const one = document.querySelector(`.choosing [data-who='${arguments[0]}' i]`);", who[0])
        self.opened("const one = document.querySelector(`#hand-do [data-verb='${arguments[0]}']`);", tap.verb)
        self.until("return document.querySelector(`#hand-form form[aria-label='${arguments[0]}']`)", tap.verb)
        for field, words in tap.said.items():
            if field != "who" or self.ask(f"{_FIELD} return !!titled('who')"):
                self.fills(field.replace("_", " ").strip(), words)
        if self.ask(f"return {_THROWN} && {_THROWN}.checked !== arguments[0]", bool(tap.dice)):
            self.touch(f"return {_THROWN}")
        cells, sent = list[Any](), False
        while True:
            asked = "document.querySelectorAll('#hand-dice input').length"
            known = self.ask(f"return {asked}") if not sent else len(cells)
            if not sent:
                self.touch("return document.querySelector('.sends .send')")
            self.until(
                "return document.getElementById('head').textContent !== arguments[0]"
                f" || document.querySelector('#hand-told .refused') || {asked} > arguments[1]",
                before, known,
            )  # fmt: skip
            if self.head() != before:
                return
            assert not self.ask("return document.querySelector('#hand-told .refused')"), (tap, self.text("#hand-told"))
            cells, sent = self.ask("return [...document.querySelectorAll('#hand-dice input')]"), False
            for cell, face in zip(cells, tap.dice, strict=False):
                if face is not None and not cell.get_property("value"):
                    whole = len(tap.dice) >= len(cells) and None not in tap.dice[: len(cells)]
                    sent = whole and 10 * face > int(cell.get_property("max"))
                    self.throws(cell, face)

    def throws(self, cell: Any, face: int) -> None:
        """Types a face. The last one sends them, if nothing can follow it."""
        cell.send_keys(str(face))

    def plays_line(self, line: str) -> None:
        """Types a line."""
        cell = self.until("return document.getElementById('hand-line')")
        cell.send_keys(line, Keys.ENTER)

    def _acts(self, verb: str) -> bool:
        """Whether it stands among what somebody does."""
        return bool(self.ask(
            "const one = document.querySelector(`#hand-do [data-verb='${arguments[0]}']`);"
            "return one.closest('fieldset')?.querySelector('legend').textContent.startsWith('What ')", verb,
        ))  # fmt: skip

    def fills(self, title: str, words: tuple[str, ...]) -> None:
        """Fills in a field of the form."""
        script = f"{_FIELD} const one = titled(arguments[0])"
        self.opens(f"{script};", title)
        cell = self.ask(f"{script}?.querySelector('input'); return one", title)
        if cell is None:
            for word in (one for said in words for one in said.split(",")):
                chip = f'{script}?.querySelector(`[data-word="${{arguments[1]}}" i]`); return one'
                self.touch(chip, title, word)
        elif not words:
            self.touch(f"{script}?.querySelector('input'); return one", title)
        else:
            apart = self.ask("return arguments[0].placeholder", cell)
            cell.send_keys(("; " if apart else " ").join(words))


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_an_evening_by_tapping_gives_the_events_of_the_shell(system: str, browser: Browser, shell: Shell):
    """From the prepared encounter on, with the dice of the demo, without one typed line."""
    for name in ("typed", "test"):
        shell.done("--ledger", f"{name}.affray", "init", "Live", "--system", system, "--key", KEY.hex())
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        for words in [*lines(system)][:SHORT]:
            desk.plays(form_of(system, words))
            shell.done("--ledger", "typed.affray", *words)
        assert desk.ask("return document.getElementById('hand-line').value") == ""
        if AXE:
            assert violations(browser) == []
        desk.close()
    assert recorded("test.affray") == recorded("typed.affray")
    shell.done("--ledger", "test.affray", "verify")


def test_two_phones_propose_and_the_desk_accepts(browser: Browser, shell: Shell):
    """Three rounds at the bridge: Jane and John tap on their phones, all others are played from the desk."""
    for name in ("typed", "test"):
        shell.done("--ledger", f"{name}.affray", "init", "Live", "--system", "freepg", "--key", KEY.hex())
        for line in ("seat jane jane", "seat john boffin"):
            begin, *_ = lines("freepg")
            if line.endswith("jane"):
                shell.done("--ledger", f"{name}.affray", *begin)
            shell.done("--ledger", f"{name}.affray", *line.split())
    _, *rest = lines("freepg")
    names = ("jane", "tilda", "boffin", "brak", "grub-1", "grub-2")
    with served("test.affray") as server:
        desk, phones = Desk(browser, server), {seat: Phone(browser, server, seat) for seat in ("Jane", "John")}
        plays = {"jane": phones["Jane"], "boffin": phones["John"]}
        for words in rest:
            tap, phone = form_of("freepg", words), plays.get((*words, "")[1])
            before = desk.head()
            if phone is None or systems.find_verb("freepg", tap.verb).by != "combatant" or tap.dice:
                desk.plays(tap)
            else:
                phone.choose(words[1].capitalize(), tap.verb)
                for field, said in tap.said.items():
                    if field != "who":
                        told = [one.capitalize() if one in names else one for one in said]
                        assert phone.fill(field, told or [""]), words
                phone.send([])
                phone.says("waits for the game master")
                desk.tap("Accept", "#desk")
                desk.until("return document.getElementById('head').textContent !== arguments[0]", before)
            shell.done("--ledger", "typed.affray", *words)
        desk.close()
        for phone in phones.values():
            phone.close()
    assert recorded("test.affray") == recorded("typed.affray")


def test_a_proposal_that_lacks_something_is_accepted_in_other_words(browser: Browser, shell: Shell):
    """How far a shot goes is the game master's to say: by a tap on a distance, or in the form of what is proposed."""
    shell.done("--ledger", "test.affray", "init", "Live", "--system", "aachen")
    for line in ("begin --from bridge", "seat ada gerlind hedwig", "initiative --dice 6,1"):
        shell.done("--ledger", "test.affray", *line.split())
    with served("test.affray") as server:
        desk, phone = Desk(browser, server), Phone(browser, server, "Ada")
        for words, feet in (("95", 95), ("Something else", 40)):
            before = desk.head()
            phone.types("shoot gerlind goblin-1")
            desk.tap("Accept", "#desk")
            desk.says("How far away is Goblin-1?", "#hand-told")
            desk.tap(words, "#hand-told")
            if feet == 40:
                desk.until(f"{_FIELD} return titled('target')?.querySelector('[aria-pressed=true]')")
                desk.fills("distance", ("40",))
                desk.touch("return document.querySelector('.sends .send')")
            desk.until("return document.getElementById('head').textContent !== arguments[0]", before)
            (said,) = [event for event in recorded("test.affray")[-1] if isinstance(event, Declared)]
            assert said.said["distance"] == feet
            shell.done("--ledger", "test.affray", "undo")
            desk.fresh()
        desk.close()
        phone.close()


@pytest.fixture
def bridge(table: Shell) -> Shell:
    """A fight in which it is Jane's turn."""
    for line in ("join boffin jane", "join grub --count 2", "begin", "initiative --dice 9,14,3"):
        table.done(*line.split())
    return table


def test_the_first_system_is_played_by_keyboard_alone(browser: Browser, bridge: Shell):
    """Tab, space and Enter; the focus stays where the next step is."""
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))

        def presses(what: str, key: str) -> None:
            for _ in range(200):
                if desk.ask("return document.activeElement.matches(arguments[0])", what):
                    return browser.press(key)
                browser.press(Keys.TAB)
            raise AssertionError(what)

        for verb, field in (("attack", "Grub-1"), ("done", ""), ("undo", "")):
            desk.fresh()
            seen = desk.head()
            presses(f"[data-verb={verb}]", Keys.SPACE)
            if field:
                presses(f"#hand-form [data-word={field}]", Keys.SPACE)
            presses(".sends .send", Keys.ENTER)
            desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
            desk.until("return !document.querySelector('#hand-form form')")
        desk.close()
    bridge.done("verify")


def test_a_refusal_offers_buttons_and_one_of_them_does_it(browser: Browser, bridge: Shell):
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.plays_line("attack boffin grub-1")
        desk.says("It is Jane's turn; Boffin acts on John's turn.", "#hand-told")
        seen = desk.head()
        desk.touch(
            "const offers = [...document.querySelectorAll('#hand-told .chip')];"
            "return offers.find((one) => one.textContent.startsWith('done'))"
        )
        desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
        desk.close()


def test_a_secret_attack_is_shown_to_the_players_when_it_is_revealed(browser: Browser, bridge: Shell):
    """By taps alone: Secret beside what sends the form, and the entry among what can be revealed."""
    bridge.done("seat", "jane", "jane")
    with served("test.affray") as server:
        desk, phone = Desk(browser, server), Phone(browser, server, "Jane")
        for verb, word in (("attack", "Grub-1"), ("reveal", "e7")):
            desk.fresh()
            before = desk.head()
            desk.opened(f"const one = document.querySelector('#hand-do [data-verb={verb}]');")
            desk.touch("return document.querySelector(`#hand-form [data-word=${arguments[0]}]`)", word)
            if verb == "attack":
                secret = "[...document.querySelectorAll('.sends label')].find((one) => one.textContent === 'Secret')"
                desk.touch(f"return {secret}.control")
            desk.touch("return document.querySelector('.sends .send')")
            desk.until("return document.getElementById('head').textContent !== arguments[0]", before)
            desk.says("Jane attacks Grub-1", "#log")
            phone.until("return document.getElementById('head').textContent === arguments[0]", desk.head())
            assert ("Jane attacks" in phone.text("body")) == (verb == "reveal")
        desk.close()
        phone.close()


def test_what_overrules_a_rule_asks_for_the_reason(browser: Browser, bridge: Shell):
    """The words that stand for it in the offer are not recorded."""
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.plays_line("attack boffin grub-1")
        seen = desk.head()
        offer = "return [...document.querySelectorAll('#hand-told .chip')].find((one) => one.title.includes('--allow'))"
        desk.touch(offer)
        desk.until("return document.querySelector('#hand-told input')").send_keys("It's his charge", Keys.ENTER)
        desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
        desk.close()
    (overruled,) = [event for event in recorded("test.affray")[-1] if isinstance(event, Overruled)]
    assert overruled.reason == "It's his charge"


def test_an_offer_that_lacks_dice_is_put_where_it_is_typed(browser: Browser, bridge: Shell):
    """The program throws no die that fell at the table. What was refused is gone when the form is closed."""
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        seen = desk.head()
        desk.plays_line("attack jane grub-1 --dice 18")
        desk.touch("return document.querySelector('#hand-told .chip')")
        desk.until("return document.getElementById('hand-line').value === 'attack jane grub-1 --dice 18,-'")
        assert desk.head() == seen
        desk.opened("const one = document.querySelector('#hand-do [data-verb=attack]');")
        desk.touch(
            "return [...document.querySelectorAll('#hand-form button')].find((one) => one.textContent === 'Close')"
        )
        desk.until("return !document.querySelector('#hand-told .chip')")
        desk.close()


def test_what_is_offered_or_typed_asks_for_dice_where_the_table_throws(browser: Browser, bridge: Shell):
    """3 for Jane and 9 for Grub-1; the program throws none."""
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        seen = desk.head()
        desk.opened("const one = document.querySelector('#hand-do [data-verb=attack]');")
        desk.touch(f"return {_THROWN}")
        desk.tap("Close", "#hand-form")
        desk.plays_line("attck jane grub-1")
        desk.tap("attack jane grub-1", "#hand-told")
        cells = "[...document.querySelectorAll('#hand-told input')]"
        desk.until(f"return {cells}.map((one) => one.ariaLabel).join() === 'd20 for attack, 1,d20 for defense, 1'")
        desk.ask(
            "document.getElementById('hand-line').value = ''; document.getElementById('hand-told').textContent = ''"
        )
        assert desk.head() == seen
        desk.plays_line("attack jane grub-1")
        for cell, face in zip(desk.until(f"const all = {cells}; return all.length && all"), (3, 9), strict=True):
            desk.throws(cell, face)
        desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
        desk.close()
    assert by_hand() == {"Jane": (3,), "Grub-1": (9,)}


def test_an_entry_is_disputed_by_tapping_it_in_the_log(browser: Browser, bridge: Shell):
    """And settled by tapping it among those that are in dispute. A field that is left out is asked for."""
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        for verb in ("dispute", "settle"):
            seen = desk.head()
            desk.opened(f"const one = document.querySelector('#hand-do [data-verb={verb}]');")
            desk.fills("why", ("Grub", "stumbled"))
            desk.touch("return document.querySelector('.sends .send')")
            desk.says("Say also: entry.", "#hand-told")
            if verb == "dispute":
                desk.touch("return document.querySelector('#e5 .line')")
            else:
                desk.fills("entry", ("e5",))
                desk.fills("how", ("stands",))
            desk.touch("return document.querySelector('.sends .send')")
            desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
            desk.fresh()
        desk.says("e5 stands: Grub stumbled", "#hand-told")
        desk.close()


def test_players_in_seats_are_asked_for_their_dice_on_their_phones(browser: Browser, bridge: Shell):
    """Where the campaign says so: the desk waits, and names for whom; it gives up, or lets the program roll."""
    for line in ("seat jane jane", "option hand_dice seats"):
        bridge.done(*line.split())
    with served("test.affray") as server:
        desk, phone = Desk(browser, server), Phone(browser, server, "Jane")
        for how in ("Give up", "14"):
            seen = desk.head()
            desk.fresh()
            desk.touch("return document.querySelector('#hand-do [data-verb=attack][aria-pressed=false]')")
            desk.fills("target", ("Grub-1",))
            desk.touch("return document.querySelector('.sends .send')")
            desk.says("Waiting for Jane: d20 for attack", "#desk")
            if how == "14":
                phone.tap(how, "#seat-questions")
                desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
            else:
                desk.tap(how, "#desk-questions")
                desk.says("Jane is no longer asked; nothing was recorded.", "#hand-told")
                desk.touch("return document.querySelector('#hand-do [data-verb=attack][aria-pressed=true]')")
        desk.says("Jane attacks Grub-1", "#hand-told")
        desk.close()
        phone.close()
    assert "d20 14" in bridge.done("log", "--last", "1")


def test_an_entry_of_the_log_is_put_right_by_tapping(browser: Browser, bridge: Shell):
    """Its form is filled in; what would change is shown before it is appended."""
    bridge.done("attack", "jane", "grub-1", "--dice", "18,2")
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.fresh()
        desk.touch("return document.querySelector('#e6 > .amend')")
        desk.until(f"{_FIELD} return titled('target')?.querySelector('[data-word=\"Grub-1\"][aria-pressed=true]')")
        desk.fills("target", ("Grub-1", "Grub-2"))
        desk.says("Jane attacks Grub-2: hit", "#hand-told")
        seen = desk.head()
        desk.tap("Amend e6 like this", "#hand-form")
        desk.until("return document.getElementById('head').textContent !== arguments[0]", seen)
        desk.says("Jane attacks Grub-2: hit", "#log")
        if AXE:
            assert violations(browser) == []
        desk.close()


def test_what_would_change_is_told_of_the_form_as_it_is_however_late_an_answer_comes(browser: Browser, bridge: Shell):
    bridge.done("attack", "jane", "grub-1", "--dice", "18,2")
    late = """
    const sent = window.fetch, delays = [0, 1500, 0], busy = [false, false, true];
    window.fetch = async (path, words) => {
      if (path !== "/look") return sent(path, words);
      const delay = delays.shift() ?? 0;
      if (busy.shift()) return new Response('{"again": true}');
      const answer = await sent(path, words);
      await new Promise((done) => { setTimeout(done, delay); });
      return answer;
    };
    """
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.fresh()
        desk.ask(late)
        desk.touch("return document.querySelector('#e6 > .amend')")
        desk.says("e6", "#hand-told")
        desk.fills("target", ("Grub-1", "Grub-2"))
        desk.says("Jane attacks Grub-2: hit", "#hand-told")
        desk.until("return new Promise((done) => { setTimeout(() => done(true), arguments[0]); })", 2000)
        assert "Jane attacks Grub-2: hit" in desk.text("#hand-told")
        desk.close()


def test_a_token_and_a_square_move_somebody(browser: Browser, shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Live", "--system", "freepg", "--key", KEY.hex())
    for words in [*lines("freepg")][:3]:
        shell.done("--ledger", "test.affray", *words)
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.fresh()
        desk.touch("return document.querySelector('#map .token[data-card=Jane]')")
        desk.until("return document.querySelector('.choosing [data-who=Jane][aria-pressed=true]')")
        before = desk.head()
        desk.ask(
            "const map = document.querySelector('#map svg'), { west, north } = map.dataset;"
            "const at = new DOMPoint(24 * (1 - west) + 12, 24 * (north - 5) + 12).matrixTransform(map.getScreenCTM());"
            "map.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: at.x, clientY: at.y }))"
        )
        desk.until(f"{_FIELD} return titled('to')?.querySelector('input').value === '1,5'")
        desk.touch("return document.querySelector('.sends .send')")
        desk.until("return document.getElementById('head').textContent !== arguments[0]", before)
        desk.says("Jane walks", "#log")
        desk.close()


def test_a_tap_whose_answer_is_lost_is_recorded_once(browser: Browser, bridge: Shell):
    seen = len(recorded("test.affray"))
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.ask(
            "window.real = window.fetch; window.lost = 1; window.fetch = async (path, how) => {"
            " const answer = await real(path, how);"
            " if (path === '/say' && window.lost-- > 0) throw new TypeError('lost'); return answer; }"
        )
        desk.plays(structs.replace(form_of("freepg", ["attack", "Jane", "Grub-1"])))
        desk.until("return window.lost < 0")
        desk.until("return !document.getElementById('hand').hasAttribute('aria-busy')")
        desk.close()
    assert len(recorded("test.affray")) == seen + 1


def test_a_line_that_is_begun_before_the_answer_to_another_stays(browser: Browser, bridge: Shell):
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.ask(
            "window.real = window.fetch; window.fetch = async (path, how) => {"
            " const answer = await real(path, how);"
            " if (path === '/say') await new Promise((done) => { window.answer = done; }); return answer; }"
        )
        desk.plays_line("note It rains.")
        line = desk.until("return window.answer && document.getElementById('hand-line')")
        line.clear()
        line.send_keys("note It pours.")
        desk.ask("window.answer()")
        desk.until("return !document.getElementById('hand').hasAttribute('aria-busy')")
        desk.says("It rains.", "#hand-told")
        assert line.get_property("value") == "note It pours."
        desk.close()


def test_who_is_chosen_before_the_choices_of_the_next_entry_are_here_stays_chosen(browser: Browser, bridge: Shell):
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.fresh()
        desk.ask(
            "window.real = window.fetch; window.fetch = async (path, how) => {"
            " const answer = await real(path, how);"
            " const late = path === '/choices' && !JSON.parse(how.body).who;"
            " if (late) await new Promise((done) => { window.answer = done; }); return answer; }"
        )
        bridge.done("note", "It rains.")
        desk.until("return window.answer && true")
        desk.opened("const one = document.querySelector('.choosing [data-who=Boffin]');")
        chosen = "[...document.querySelectorAll('.choosing [aria-pressed=true]')].map((one) => one.dataset.who).join()"
        desk.until(f"return {chosen} === 'Boffin'")
        desk.ask("window.answer()")
        desk.fresh()
        assert desk.ask(f"return {chosen}") == "Boffin"
        desk.close()


def test_a_tap_on_what_is_no_longer_shown_is_refused_and_shown_anew(browser: Browser, bridge: Shell):
    with shown("test.affray") as site:
        desk = Desk(browser, server_of(site))
        desk.ask(
            "window.real = window.fetch;"
            "window.fetch = (path, how) => (path === '/choices' ? new Promise(() => {}) : real(path, how))"
        )
        bridge.done("note", "It rains.")
        last = head()
        desk.until("return document.getElementById('head').textContent === arguments[0]", last)
        desk.plays_line("attack jane grub-1")
        desk.says("Something else was recorded meanwhile", "#hand-told")
        assert head() == last
        desk.close()
