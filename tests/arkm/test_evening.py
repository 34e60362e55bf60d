"""An evening at close quarters, `fixtures/arkm/the-mill.fight`, with the numbers of the book computed by hand."""

import re
from pathlib import Path

from commands.action.book import Book
from commands.shell.cli import run
from ledger.events import Overruled, Ruled, decode
from ledger.sqlite import SqliteStore
from tests.test_golden import FIXTURES, tell

WORDS = (
    # round 1: a thief of level 5 from behind: 17 - AC 5 - DEX 2 - 4 = 6; three sets of a D4 and DEX 2
    "attack 12 (d20*) >= needed 6 (17 THAC0 -5 AC -2 DEX -4 backstab): hit",
    "3 sets of dice", "damage 11 (3d4 [2*+3*+4*] 9 +2 DEX)", "Ogre loses 11 hp, now 11/22",
    # two weapons on a surprised orc: 19 - 7 - DEX 3 - 2 = 7, of two dice the better, and a D6 says which
    "Finn rolls 2d20 for attack: 3*+15*", "15 counts",
    "which weapon 2 (d6*): sword", "damage 5 (d6 1* +1 sword +3 DEX)",
    # a surprise attack to subdue throws twice the dice: 2 + 1 + 3 of 5 hp
    "double damage", "damage 6 (2d8 [1*+1*] 2 +1 battle-axe +3 STR)", "temporary damage 6",
    "is unconscious",
    # one throw for ten men: 20 - 7 - 2; a 3 times 10
    "Militia attacks Bandits: hit; Bandits loses 30 hp, now 12/42", "one throw for all",
    "attack 14 (d20*) >= needed 11", "damage 30 (d6 3* x10 men)",
    # round 2: from the saddle 17 - 7 + 3 + 1 - 2 - 1 = 11; the one who lies there is struck, and dies
    "needed 11 (17 THAC0 -7 light armour +3 DEX +1 two weapons -2 STR -1 mounted): miss",
    "attack 10 (d20*) >= needed 7 (17 THAC0 -7 AC -3 STR): hit",
    "Orc-2 loses 5 hp, now 0/5, and dies",
    # a disarm with two weapons, by DEX: 19 - 7 - 3 = 9; the orc is two levels below: 16 - 2 of 15
    "Finn rolls 2d20 for attack: 4*+12*", "12 counts", "attack 12 (d20) >= needed 9",
    "hit; saves with -2 for the levels", "reflex save 14 (d20 16* -2 levels)",
    "short-sword is struck from Orc-3's hand", "Orc-3 drops the short-sword",
    # round 3: four dice of the ogre against five of the thief; the game master lets her strike from the front
    "Ogre grapples Tessa: hit; has hold of Tessa; Tessa is pinned by Ogre",
    "Ogre 18 (4d6 [6*+5*+4*+3*] Ogre)", "Tessa 15 (5d6 [1*+2*+3*+4*+5*] Tessa)",
    "overruled arkm.grapple.pinned: Tessa is pinned",
    "needed 10 (17 THAC0 -5 AC -2 DEX): miss",
    "Bandits loses 12 hp, now 0/42, and dies; slain to a man",
    "survivors 5 (20 hit points left x10 men /40 original)",
    # round 4: out at 2 hp and 5 temporary, and then slain from behind; a unit strikes a single man for one D6
    "is unconscious", "no longer holding",
    "Tessa: free; is no longer pinned",
    "Tessa attacks Ogre (backstab): hit", "attack 8 (d20*) >= needed 6",
    "overruled arkm.mass.units: Militia and Lancer are not both units",
    "damage 4 (d6*)", "Lancer loses 4 hp, now 18/30",
    # round 5: three are on the lancer: 17 - 3 - 2 + 1 - 1 = 12 for the whip; the save less STR 2
    "needed 12 (17 THAC0 -3 heavy armour -2 DEX +1 on foot -1 more than two attackers): hit",
    "paralysis save 12 (d20 14* -2 target's STR) >= paralysis 12 (sheet): saved",
    "body: prone; out of the saddle; Lancer is no longer mounted",
    "needed 10 (17 THAC0 -3 heavy armour -3 STR -1 more than two attackers): hit", "damage 10 (",
    "which weapon 6 (d6*): dagger", "damage 5 (d4 2* +3 DEX)", "Lancer loses 5 hp, now 3/30",
)  # fmt: skip


def test_the_evening_at_the_mill_is_by_the_book(tmp_path: Path, capsys):
    """Held, disarmed, knocked out and struck, two weapons, from behind, units, two words of the game master."""
    ledger = tmp_path / "mill.affray"
    tell(FIXTURES / "arkm" / "the-mill.fight", ledger)
    told = capsys.readouterr().out
    places = [told.find(words) for words in WORDS]
    assert [words for words, place in zip(WORDS, places, strict=True) if place < 0] == []
    assert run(["--ledger", str(ledger), "verify"]) == 0
    store = SqliteStore.open(str(ledger))
    state = Book(store).present()[1]
    events = [decode(body) for body in store.bodies(sorted(store.course(store.head().entry)))]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Tessa": 8, "Finn": 1, "Corm": 31, "Militia": 20,
        "Ogre": 0, "Orc-1": 0, "Orc-2": 0, "Orc-3": 0, "Lancer": 3, "Bandits": 0,
    }  # fmt: skip
    assert [event.clause for event in events if isinstance(event, Overruled)] == [
        "arkm.grapple.pinned",
        "arkm.mass.units",
    ]
    assert not state.engagement.pairs
    smoke = [event for event in events if isinstance(event, Ruled) and "smoke" in str(event.numbers)]
    assert [event.numbers[1].total for event in smoke] == [11]  # 15 - 5, and the smoke that was forgotten


def test_every_line_of_the_evening_names_somebody(tmp_path: Path, capsys):
    """No line says what happened without saying to whom, but for those that tell of time and place."""
    tell(FIXTURES / "arkm" / "the-mill.fight", tmp_path / "mill.affray")
    names = r"Tessa|Finn|Corm|Militia|Ogre|Orc|Lancer|Bandits|party|raiders|militia"
    time = r" *(encounter|round \d|(movement|melee) phase|skips|the campaign|e\d+ is taken|amend e\d+)"
    assert run(["--ledger", str(tmp_path / "mill.affray"), "log", "--last", "0"]) == 0
    told = capsys.readouterr().out.rpartition("the campaign")[2].splitlines()[1:]
    lines = [line for line in told if not line.startswith("    ")]
    assert len(lines) > 80
    assert [line for line in lines if not re.search(names, line) and not re.match(time, line)] == []
