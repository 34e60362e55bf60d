"""The desk: what the game master's page says goes through the shell, once, on the head that the page showed."""

import random
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.declaration import shapes
from commands.live.follow import Follower
from commands.live.seating import Usher
from commands.seats.hand import Hand, Tap
from commands.seats.proposals import Body
from commands.seats.worker import _offered
from commands.shell.cli import shell as own_shell
from commands.words.discovery import opened
from commands.words.orders import read
from ledger.errors import UsageError
from ledger.events import Event, Overruled, Rolled
from tests.kit import KEY
from tests.sample import WHOLE
from tests.shell import ROOT, Shell, rulings
from tests.test_seats_served import served

SHORT = None if WHOLE else 16
"""How many commands of each evening are tapped."""
LOOKS = ("init", "status", "map", "due", "show")


@pytest.fixture
def bridge(table: Shell) -> Shell:
    """A fight at a bridge, in which it is Jane's turn."""
    for line in ("join boffin jane", "join grub --count 2", "begin", "initiative --dice 9,14,3"):
        table.done(*line.split())
    return table


@pytest.fixture
def hand() -> Hand:
    return Hand("test.affray", own_shell())


def by_hand() -> dict[str, tuple[int, ...]]:
    """The dice of the last entry that were thrown by hand."""
    rolls = [event for event in recorded("test.affray")[-1] if isinstance(event, Rolled)]
    return {roll.who: roll.faces for roll in rolls if not any(roll.places)}


def head() -> str:
    with closing(opened("test.affray")) as store:
        end = store.head()
    return f"affray e{end.entry} {end.digest}"


def lines(system: str) -> Iterator[list[str]]:
    """The commands of the demo of a rule system that record something."""
    script = (ROOT / "commands" / "rules" / system / "demo.fight").read_text(encoding="utf-8")
    for line in script.splitlines():
        if (words := shlex.split(line, comments=True)) and words[0] not in LOOKS:
            yield words


def form_of(system: str, words: Sequence[str]) -> Tap:
    """A line as a form that is filled in."""
    verb = systems.verb_of(words, systems.COMMON)
    verb = systems.begun(verb, {**systems.COMMON, **systems.load(system).verbs}) or verb
    declaration = systems.procedure(systems.find_verb(system, verb))[1]
    values = read(verb, declaration, words[len(verb.split()) :])
    said = {
        field.name: () if value is True else tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)
        for field, _ in shapes(declaration)
        if (value := values.get(field.name)) not in (None, (), False, field.default)
    }
    faces = [face for face in str(values["_dice"] or "").split(",") if face]
    return Tap(verb=verb, said=said, dice=tuple(None if face == "-" else int(face) for face in faces))


def recorded(ledger: str) -> list[tuple[Event, ...]]:
    with closing(opened(ledger)) as store:
        return [events_of(entry) for entry, _ in store.entries(1, store.head().entry)]


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_what_is_tapped_gives_the_same_events_as_what_is_typed(system: str, shell: Shell):
    """The evening of the demo, form by form and line by line, with the dice as they are asked for."""
    for name in ("tapped", "typed"):
        shell.done("--ledger", f"{name}.affray", "init", "Live", "--system", system, "--key", KEY.hex())
    hand = Hand("tapped.affray", own_shell())
    for nth, words in enumerate([*lines(system)][:SHORT]):
        tap = structs.replace(form_of(system, words), id=f"evening-{nth:04}")
        answer = hand.say(tap)
        assert answer["ok"], (words, answer)
        shell.done("--ledger", "typed.affray", *words)
    assert recorded("tapped.affray") == recorded("typed.affray")
    shell.done("--ledger", "tapped.affray", "verify")


def test_the_one_whose_turn_it_is_is_chosen_and_foes_come_first(bridge: Shell, hand: Hand):
    now = hand.choices(Tap())
    assert (now["who"], now["able"], now["head"]) == ("Jane", ["Jane"], head())
    assert now["words"]["fighters"] == ["Grub-1", "Grub-2", "Boffin", "Jane", "@party", "@foes"]
    assert "brak" in now["words"]["sheet"]
    assert hand.choices(Tap(who="Boffin"))["who"] == "Boffin"


def test_what_is_possible_now_is_said_and_every_verb_has_a_form(bridge: Shell, hand: Hand):
    assert {"attack", "done"} <= {*hand.possible(Tap(who="Jane"))["possible"]}
    assert "attack" not in hand.possible(Tap(who="Boffin"))["possible"]
    forms = {one["verb"]: one for one in msgspec.json.decode(msgspec.json.encode(hand.forms(Tap())))["verbs"]}
    assert {"attack", "done", "undo", "damage", "join"} <= forms.keys()


@pytest.mark.parametrize(
    ("system", "joins", "kinds"),
    [
        ("freepg", {"at"}, False), ("aachen", set(), False), ("arkm", {"group"}, True),
        ("dungeoneers", {"at", "facing"}, True), ("paraverse", {"area"}, True),
    ],
)  # fmt: skip
def test_a_form_has_no_field_that_the_rule_system_has_nothing_for(
    system: str, joins: set[str], kinds: bool, shell: Shell, hand: Hand
):
    """Neither on the desk, nor in the help or behind Tab; what is typed all the same is refused in a sentence."""
    shell.done("--ledger", "test.affray", "init", "Live", "--system", system)
    forms = {one["verb"]: {field["name"] for field in one["fields"]} for one in hand.forms(Tap())["verbs"]}
    somewhere = {"at", "area", "group", "facing"}
    assert forms["join"] & somewhere == joins
    assert ("kind" in forms["damage"]) == kinds
    told = shell.done("help", "join", "--all")
    assert {one for one in somewhere if f"--{one} " in told} == joins
    offered = {shown for _, shown, _ in hand.complete(Tap(line="join x --"))["offers"]}
    assert {one for one in somewhere if f"--{one}" in offered} == joins


def test_what_is_hidden_from_the_players_is_offered_to_be_revealed(bridge: Shell, hand: Hand):
    """A secret attack of the desk, and a name that they do not know, as long as it is hidden."""
    bridge.done("join", "ogre", "--seen-as", "shape")
    tap = Tap("secret-123", verb="attack", said={"who": ("Jane",), "target": ("Grub-1",)}, dice=(18, 2), secret=True)
    assert hand.say(tap)["entry"] == 7
    assert hand.choices(Tap())["words"]["hidden"] == ["shape", "e7"]
    assert [whole for whole, *_ in hand.complete(Tap(line="reveal e"))["offers"]] == ["reveal e7 "]
    for word in ("e7", "shape"):
        assert hand.say(Tap(f"reveal-{word}", verb="reveal", said={"what": (word,)}))["ok"]
    bridge.done("stir", "rain")
    assert hand.choices(Tap())["words"]["hidden"] == ["dice"]


def test_a_secret_attack_is_seen_by_the_game_master_alone_until_it_is_revealed(bridge: Shell, hand: Hand):
    """On the players' page neither the line nor what it did; then both, as the game master's has them all along."""
    bridge.done("seat", "jane", "jane")

    def pages() -> dict[str, str]:
        audiences = {"players": (), "gm": None}
        follower = Follower("test.affray", audiences, lambda _: None, Usher("test.affray", *audiences))
        seen = follower.look()
        follower._close()
        phone = seen.seating.sittings["Jane"]
        return {name: view.whole.decode() for name, view in seen.views.items()} | {
            "phone": seen.views[phone.view].whole.decode() + phone.sent.decode()
        }

    said = {"who": ("Jane",), "target": ("Grub-1",)}
    assert hand.say(Tap("secret-123", verb="attack", said=said, dice=(18, 2), secret=True))["ok"]
    for name, shown in pages().items():
        assert ("Jane attacks Grub-1" in shown) == (name == "gm"), name
        assert ("3/20" in shown) == (name == "gm"), name
    assert hand.say(Tap("reveal-123", verb="reveal", said={"what": ("e7",)}))["ok"]
    assert all("Jane attacks Grub-1" in shown for shown in pages().values())


def test_each_who_may_be_the_target_has_the_odds_beside_them(bridge: Shell, hand: Hand):
    odds = hand.odds(Tap(verb="attack", said={"who": ("Jane",)}, field="target"))["odds"]
    assert {*odds} == {"Grub-1", "Grub-2"}
    assert odds["Grub-1"] == odds["Grub-2"]
    assert hand.odds(Tap(verb="attack", said={"who": ("Jane",), "target": ("Grub-1",)}))["odds"] == {"": odds["Grub-1"]}


def test_a_tap_is_recorded_once_however_often_it_comes(bridge: Shell, hand: Hand):
    """Also after something else was recorded."""
    tap = Tap("only-once-1", head(), verb="attack", said={"who": ("Jane",), "target": ("Grub-1",)}, dice=(18, 2))
    first = hand.say(tap)
    last = head()
    bridge.done("note", "It rains.")
    again = hand.say(tap)
    assert first["entry"] == again["entry"]
    bridge.done("undo")
    assert head() != last
    assert len(recorded("test.affray")) == first["entry"] + 2


@pytest.mark.parametrize("line", ["attack jane grub-1", "undo", "done", "damage grub-1 3"])
def test_a_tap_on_another_head_is_refused(line: str, bridge: Shell, hand: Hand):
    seen = head()
    bridge.done("note", "It rains.")
    last = head()
    answer = hand.say(Tap("old-head-1", seen, line=line))
    assert (answer["ok"], answer["error"], head()) == (False, "busy", last)
    assert hand.say(Tap("new-head-1", last, line=line))["ok"]


def test_the_dice_that_are_sure_to_fall_are_asked_first(bridge: Shell, hand: Hand):
    """Nothing is recorded before all are there; a dash leaves one to the program."""
    seen = head()
    tap = Tap("dice-1234", seen, verb="attack", said={"who": ("Jane",), "target": ("Grub-1",)}, thrown=True)
    needs = hand.say(tap)["needs"]
    assert [(one["who"], one["dice"], one["purpose"]) for one in needs] == [
        ("Jane", "1d20", "attack"), ("Grub-1", "1d20", "defense"),
    ]  # fmt: skip
    assert head() == seen
    answer = hand.say(Tap("dice-1234", seen, verb=tap.verb, said=tap.said, thrown=True, dice=(18, None)))
    assert answer["ok"]
    assert answer["needs"] == []
    assert by_hand() == {"Jane": (18,)}


def test_only_those_are_asked_whose_dice_the_campaign_says_are_thrown(bridge: Shell, hand: Hand):
    """The program rolls Grub's, whether or not the page says that dice are thrown; none falls to somebody else."""
    bridge.done("option", "hand_dice", "party")
    tap = Tap("side-12345", head(), verb="attack", said={"who": ("Jane",), "target": ("Grub-1",)})
    assert [one["who"] for one in hand.say(tap)["needs"]] == ["Jane"]
    answer = hand.say(structs.replace(tap, dice=(2,)))
    assert answer["ok"], answer
    assert by_hand() == {"Jane": (2,)}
    bridge.done("undo")
    tap = structs.replace(tap, id="side-12346", head=head(), thrown=True)
    assert [one["who"] for one in hand.say(tap)["needs"]] == ["Jane"]
    assert hand.say(structs.replace(tap, dice=(None,)))["ok"]


def test_a_line_asks_for_the_dice_that_it_does_not_give(bridge: Shell, hand: Hand):
    """Where the campaign says whose are thrown by hand; what is typed with --dice is taken."""
    bridge.done("option", "hand_dice", "party")
    tap = Tap("line-12345", head(), line="attack jane grub-1")
    assert [one["who"] for one in hand.say(tap)["needs"]] == ["Jane"]
    hand.say(structs.replace(tap, dice=(2,)))
    assert by_hand() == {"Jane": (2,)}
    bridge.done("undo")
    hand.say(Tap("line-12346", head(), line="attack jane grub-1 --dice 3"))
    assert by_hand() == {"Jane": (3,)}


@pytest.mark.parametrize(("says", "asked"), [("ask", ["Jane", "Grub-1"]), ("ask:party", ["Jane"])])
def test_the_variable_says_whose_dice_the_desk_asks_for(
    says: str, asked: list[str], bridge: Shell, hand: Hand, monkeypatch: pytest.MonkeyPatch
):
    """Those of one side, while the program rolls the others', or everybody's."""
    monkeypatch.setenv("AFFRAY_DICE", says)
    tap = Tap("side-12347", head(), verb="attack", said={"who": ("Jane",), "target": ("Grub-1",)})
    assert hand.choices(Tap())["asks"]
    assert [one["who"] for one in hand.say(tap)["needs"]] == asked
    hand.say(structs.replace(tap, dice=(2, 19)[: len(asked)]))
    assert by_hand() == {"Jane": (2,), **({"Grub-1": (19,)} if says == "ask" else {})}


def test_an_offer_to_a_line_with_too_few_dice_is_carried_out(bridge: Shell, hand: Hand):
    answer = hand.say(Tap("few-123456", head(), line="attack jane grub-1 --dice 18"))
    (offer,) = answer["offers"]
    assert offer["line"] == "attack jane grub-1 --dice 18,-"
    assert answer["error"] == "dice"  # so the page puts it where it is typed: the die may have been thrown
    assert hand.say(Tap("few-123457", head(), line=offer["line"]))["ok"]


def test_a_refusal_shows_its_offers_with_what_they_cost(bridge: Shell, hand: Hand):
    answer = hand.say(Tap("refused-1", head(), line="attack boffin grub-1"))
    assert not answer["ok"]
    (step, anyway) = answer["offers"]
    assert step == {"line": "done", "cost": "(gives up Jane's turn)", "asks": False}
    assert anyway == {"line": "attack Boffin Grub-1 --allow 'the reason'", "cost": "", "asks": True}
    assert hand.say(Tap("offered-1", head(), line=step["line"]))["ok"]


def test_what_overrules_a_rule_is_recorded_with_the_reason_that_the_page_asked_for(bridge: Shell, hand: Hand):
    seen = head()
    (_, anyway) = hand.say(Tap("refused-1", seen, line="attack boffin grub-1"))["offers"]
    answer = hand.say(Tap("allowed-1", seen, line=anyway["line"], why="It's a charge"))
    assert answer["ok"], answer
    (overruled,) = [event for event in recorded("test.affray")[-1] if isinstance(event, Overruled)]
    assert overruled.reason == "It's a charge"


def test_what_overrules_a_rule_in_an_amendment_is_carried_out_as_it_is_offered(bridge: Shell, hand: Hand):
    """Also what is offered for a form that was only looked at, and with an id of its own."""
    bridge.done("attack", "jane", "grub-1", "--dice", "18,2")
    said = {"who": ("Jane",), "target": ("Grub-1",), "with_": ("sword",)}
    for nth, asked in enumerate((hand.look, hand.say)):
        refused = asked(Tap(f"refused-{nth}", verb="attack", said=said, entry=6))
        assert not refused["ok"]
        (offer,) = [one for one in refused["offers"] if "--allow" in one["line"]]
        assert offer["line"].endswith(" --apply")
        answer = hand.say(Tap(f"allowed-{nth}", line=offer["line"], why="It's her father's"))
        assert answer["ok"], answer
        bridge.done("undo")


def test_a_stat_block_that_is_tapped_twice_joins_twice(bridge: Shell, hand: Hand):
    """They are numbered, as with a count."""
    answer = hand.say(Tap("join-twice-1", verb="join", said={"sheets": ("ogre", "brak", "ogre")}))
    assert answer["ok"], answer
    assert {"Ogre-1", "Ogre-2", "Brak"} <= {*hand.choices(Tap())["everybody"]}


def test_before_an_encounter_those_who_join_and_its_beginning_are_asked_for_first(table: Shell, hand: Hand):
    assert {*hand.choices(Tap())["first"]} == {"join", "begin"}


def test_undo_says_first_what_it_takes_back(bridge: Shell, hand: Hand):
    bridge.done("attack", "jane", "grub-1", "--dice", "18,2")
    seen = head()
    shown = hand.look(Tap(verb="undo"))
    assert shown["text"].startswith("undoes e6: Jane attacks Grub-1: hit")
    assert head() == seen
    assert hand.say(Tap("take-back-1", seen, verb="undo"))["ok"]


@pytest.mark.parametrize(
    "line",
    [
        "export page.html", "copy other.affray", "run demo.fight", "play", "serve", "mcp", "init Other", "archive here",
        "join /etc/passwd", "join ../test", "begin --from ./bridge", "begin --party party.toml", "option --json",
        "--ledger other.affray note x", "note \x1b[2J", "note 'open", "shell",
    ],
)  # fmt: skip
def test_nothing_but_the_fight_is_said_from_the_desk(line: str, bridge: Shell, hand: Hand):
    """No file, no other program, no other ledger; and what cannot be read is one sentence."""
    seen, files = head(), {*Path().iterdir()}
    answer = hand.say(Tap("forbidden-1", seen, line=line))
    assert not answer["ok"]
    assert answer["text"]
    assert "fault" not in answer["text"]
    assert head() == seen
    assert {*Path().iterdir()} == files


def test_a_look_records_nothing(bridge: Shell, hand: Hand):
    seen = head()
    assert hand.look(Tap(line="status"))["text"].startswith("Encounter 1")
    for line in ("attack jane grub-1", "note it rains", "done", "undo", "option hidden_dice foes"):
        hand.look(Tap(line=line))
    assert head() == seen


def test_the_line_is_completed_as_at_the_prompt(bridge: Shell, hand: Hand):
    assert [whole for whole, *_ in hand.complete(Tap(line="att"))["offers"]] == ["attack "]
    assert ["attack jane Grub-1 ", "Grub-1", ""] in hand.complete(Tap(line="attack jane "))["offers"]


@pytest.mark.slow
def test_hostile_requests_to_the_door_of_the_desk_get_nothing(bridge: Shell):
    """Three hundred, of players, a seat, strangers, and pages elsewhere: nothing is recorded, nothing is told."""
    bridge.done("seat", "jane", "jane")
    bridge.done("join", "ogre", "--seen-as", "shape")
    chance, seen = random.Random(53), head()
    with served("test.affray") as server:
        tap = {"id": "hostile-0001", "line": "damage jane 3", "head": seen}
        tokens = ["Jane", "", "x" * 32, server.tokens["gm"][:-1], "Jane"]
        ill: list[dict[str, str | None]] = [
            {"Origin": "http://elsewhere"}, {"Origin": None}, {"Content-Type": "text/plain"}, {"Host": "elsewhere"},
            {"Authorization": None}, {"Authorization": "Basic Og=="}, {"Transfer-Encoding": "chunked"},
        ]  # fmt: skip
        for nth in range(300):
            path = chance.choice(["/say", "/look", "/choices", "/forms", "/odds", "/possible", "/complete", "/filled"])
            if nth % 2:
                status, said = server.ask(path, chance.choice(tokens), {**tap, "id": f"hostile-{nth:04}"})
            else:
                headers = chance.choice(ill)
                status, said = server.ask(path, "gm", {**tap, "id": f"hostile-{nth:04}"}, **headers)
            assert status in (400, 401, 403, 411, 413, 415, 421, 429), (status, path, said)
            assert b"Ogre" not in said
            assert len(said) < 200
        for body in (b"[" * 4000, b"{}" * 3000, b"\xff", b'{"id": 3}', b'{"other": "x"}', b""):
            assert server.ask("/say", "gm", body)[0] in (400, 411, 413)
        assert server.ask("/say?line=note", "gm", tap)[0] == 400
        assert server.ask("/say", "gm", method="GET")[0] in (404, 405)
        assert head() == seen
        assert server.told("/say", "gm", tap)["ok"]
    assert head() != seen


def test_an_entry_is_put_right_in_its_own_form(bridge: Shell, hand: Hand):
    """The form has what was said; what it would change is shown first."""
    bridge.done("attack", "jane", "grub-1", "--dice", "18,2")
    form = hand.filled(Tap(entry=6))
    assert form == {"verb": "attack", "said": {"who": ("Jane",), "target": ("Grub-1",)}}
    seen = head()
    said = {**form["said"], "target": ("Grub-2",)}
    tap = Tap(verb="attack", said=said, entry=6, dice=(18, 4))
    assert hand.look(tap)["text"] == "A correction of dice needs a reason."
    tap = structs.replace(tap, why="the 2 was a 4")
    assert "Jane attacks Grub-2: hit" in hand.look(tap)["text"]
    assert head() == seen
    answer = hand.say(structs.replace(tap, id="amended-1", head=seen))
    assert answer["ok"], answer
    assert rulings("freepg.attack.hit-test") == [("hit", [18 + 1, 4])]
    assert hand.filled(Tap(entry=999)) == {"verb": "", "said": {}}


def test_a_join_is_put_right_in_its_own_form(bridge: Shell, hand: Hand):
    """A stat block is the word that it was typed as; of a tapped one too."""
    assert hand.filled(Tap(entry=3)) == {"verb": "join", "said": {"sheets": ("grub",), "count": ("2",)}}
    bridge.done("undo", "--times", "2")
    answer = hand.say(Tap("join-again-1", verb="join", said={"sheets": ("brak", "grub")}))
    form = hand.filled(Tap(entry=answer["entry"]))
    assert form == {"verb": "join", "said": {"sheets": ("brak", "grub")}}
    tap = Tap("amended-2", head(), verb="join", said={"sheets": ("grub", "grub")}, entry=answer["entry"])
    assert hand.look(tap)["text"].startswith("in the end  Grub-4 is at the table")
    assert hand.say(tap)["ok"]
    assert [one for one in hand.choices(Tap())["everybody"] if one.startswith(("Brak", "Grub"))] == [
        "Grub-1", "Grub-2", "Grub-3", "Grub-4",
    ]  # fmt: skip


def test_what_is_tapped_may_be_secret(bridge: Shell, hand: Hand):
    answer = hand.say(Tap("secret-01", head(), verb="note", said={"text": ("A", "spy", "listens")}, secret=True))
    assert answer["ok"], answer
    with closing(opened("test.affray")) as store:
        assert store.entry(answer["entry"]).typed.startswith("note A spy listens --secret")


def test_the_desk_offers_what_ends_a_page_of_the_fight(bridge: Shell, hand: Hand):
    """Notes, disputes, what was secret, prepared encounters; and no option that the page says by itself."""
    forms = {one["verb"]: {field["name"]: field for field in one["fields"]} for one in hand.forms(Tap())["verbs"]}
    assert {"note", "dispute", "settle", "reveal", "stir", "begin"} <= forms.keys()
    assert forms["begin"]["from_"]["front"]
    assert hand.choices(Tap())["words"]["encounter"] == ["bridge"]
    assert not {"once", "apply", "yes", "dry_run"} & {name for fields in forms.values() for name in fields}


def test_an_offer_that_only_drops_words_is_the_proposal_itself(bridge: Shell):
    body = Body("attack", {}, "attack Jane Grub-1 --with bow --radius 2")
    with closing(opened("test.affray")) as store:
        found = _offered(Book(store), body, UsageError("No.", "affray attack Jane Grub-1 --with bow\naffray done"))
    (way, done) = found["offers"]
    assert way["line"] == way["instead"] == "attack Jane Grub-1 --with bow"
    assert (done["line"], done["instead"]) == ("done", "")


@pytest.mark.slow
def test_a_proposal_in_other_words_is_accepted_only_on_the_head_that_was_shown(bridge: Shell):
    bridge.done("seat", "jane", "jane")
    seen = head()
    with served("test.affray") as server:
        server.told("/propose", "Jane", {"id": "proposal-1", "line": "attack jane grub-1", "dice": None})
        bridge.done("note", "It rains.")
        other = {"number": 1, "verb": "attack", "said": {"who": ["Jane"], "target": ["Grub-2"]}}
        answer = server.told("/accept", "gm", {**other, "head": seen})
        assert answer["state"] == "waits"
        assert answer["say"].startswith("Something else was recorded meanwhile")
        assert answer["offers"] == []
        assert server.told("/accept", "gm", {**other, "head": head()})["state"] == "recorded"


def test_a_place_on_the_map_is_where_somebody_moves(shell: Shell):
    """A square, or an area, whatever the field of the move is called."""
    evenings = {
        "freepg": ("Jane", "3,1", "to"),
        "paraverse": ("Sigrun", "gate", "to"),
        "dungeoneers": ("Suori", "3,1", "directions"),
    }
    for system, (who, place, field) in evenings.items():
        ledger = f"{system}.affray"
        shell.done("--ledger", ledger, "init", "Live", "--system", system)
        begin, *_ = lines(system)
        shell.done("--ledger", ledger, *begin)
        moves = Hand(ledger, own_shell()).filled(Tap(who=who, field=place))
        assert moves == {"verb": "move", "said": {"who": (who,), field: (place,)}}


def test_where_all_can_be_meant_all_is_offered(shell: Shell):
    """In Aachen a move may leave the contact of all."""
    shell.done("--ledger", "test.affray", "init", "Live", "--system", "aachen")
    forms = Hand("test.affray", own_shell()).forms(Tap())["verbs"]
    fields = {field["name"]: field for verb in forms if verb["verb"] == "move" for field in verb["fields"]}
    assert fields["leave"]["offers"] == ["all"]
    assert fields["engage"]["offers"] == []


def test_a_word_that_is_left_out_before_others_is_asked_for(bridge: Shell, hand: Hand):
    """What follows is not taken for it: `dispute Grub stumbled` would dispute the entry Grub."""
    answer = hand.say(Tap("dispute-1", head(), verb="dispute", said={"why": ("Grub", "stumbled")}))
    assert (answer["ok"], answer["text"]) == (False, "Say also: entry.")
