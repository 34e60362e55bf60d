"""Passages: who acts upon whom, as it is recorded, told, and counted."""

from collections.abc import Sequence
from pathlib import Path

from commands.action.common import Leave
from commands.rules.arkm.conditions import BROKEN
from commands.rules.arkm.throws import Morale
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack as Strike
from commands.rules.dungeoneers.basics import Grapple, Push
from commands.rules.dungeoneers.movement import Resolve as Close
from commands.rules.dungeoneers.spells import Cast
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.healing import Heal
from commands.rules.freepg.movement import Move
from commands.rules.paraverse.combat import Attack as Fight
from commands.rules.paraverse.resolve import Resolve
from ledger.events import (
    ConditionEnded,
    Declared,
    Event,
    Felled,
    HpGained,
    HpLost,
    OrderSet,
    Passage,
    Rolled,
    Rose,
    Ruled,
)
from ledger.hurting import harm
from projections.blows import Hands, blows, strokes
from projections.passages import passages
from projections.statistics import Statistics
from tests.arkm import rounds as arkm
from tests.arkm.table import marcus
from tests.arkm.test_morale import fight as goblins
from tests.arkm.test_movement import AXE, brawl
from tests.arkm.test_pursuit import chase
from tests.arkm.test_rounds import slain
from tests.arkm.test_special import fumbling
from tests.dungeoneers import table as dungeoneers
from tests.dungeoneers.test_grapple import holding
from tests.dungeoneers.test_spells import mage
from tests.freepg import table as freepg
from tests.freepg.test_enemies import DARTS
from tests.freepg.test_movement import provoked
from tests.kit import Told, lines
from tests.paraverse import table as paraverse
from tests.paraverse.test_skirmish import DAGGER, duel
from tests.shell import Shell, recorded, rulings
from tests.test_ground import play


def pairs(events: Sequence[Event]) -> list[tuple[str, str]]:
    """Who acts upon whom, in the order of the record; two empty names where it belongs to the declaration again."""
    return [(event.who, event.target) for event in events if isinstance(event, Passage)]


def outcomes(told: Told) -> list[str]:
    """The outcome lines, without their arithmetic."""
    return [line for line in lines(told.events) if not line.startswith(" ")]


def dealt(told: Told) -> list[tuple[str, str, str, int, bool]]:
    """Who did how much harm to whom, and whether it felled them."""
    return [(one.doer, one.victim, one.unit, one.points, one.felled) for one in blows(1, told.events)]


def test_a_blow_belongs_to_a_pair_and_an_empty_passage_leaves_nothing():
    """Boffin 15 against 4: what the blow does is his; what it cost before is the declaration's."""
    told = freepg.fight(freepg.boffin(), freepg.grub(), first="Boffin").when(Attack("Boffin", ("Grub",)), [15, 4])
    assert pairs(told.events) == [("Boffin", "Grub")]
    assert dealt(told) == [("Boffin", "Grub", "hp", 11, False)]


def test_a_strike_inside_a_move_is_the_strikers_and_the_move_goes_on():
    """freepg.opportunity-attack: Grub 14, Boffin 6: defense 7, armored 9, damage 5; then Boffin moves."""
    told = provoked().when(Move("Boffin", to=(0, 4, 0)), [14, 6])
    assert pairs(told.events) == [("Grub", "Boffin"), ("", "")]
    assert outcomes(told) == [
        "Boffin walks 4 squares to 0,4",
        "Grub strikes at Boffin: hit; Boffin loses 5 hp, now 50/55",
        "Grub has no more opportunity against Boffin until the end of Boffin's turn",
    ]
    assert dealt(told) == [("Grub", "Boffin", "hp", 5, False)]


def test_an_opportunity_attack_that_fells_the_mover_is_the_strikers_deed():
    """freepg.opportunity-attack: Grub 20, Boffin 1, of 1 hp: 20 + 5 - 1 = 24 damage; nobody moves."""
    told = freepg.table(freepg.grub(at=(0, 0), name="Orc"), freepg.jane(at=(1, 0)), opportunity_attacks=True)
    told = told.when(Attack("Jane", ("Orc",)), [19, 2])  # 17 damage: 3 of 20 are left
    told = told.when(Move("Orc", to=(0, 4, 0)), [20, 1])
    assert dealt(told) == [("Jane", "Orc", "hp", 3, True)]
    assert told.state.positions.at["Orc"] == (0, 0, 0)
    counted = Statistics({})
    counted.take(1, told.events, True, 0)
    assert {who: score.felled for (who, _), score in counted.fighters.items()} == {"Orc": 0, "Jane": 1}


def test_a_fumble_at_a_friend_is_a_pair_of_its_own():
    """arkm.fumble.table, 6: the same attack at Marcus: 17 hits; a D6 of 4 and the sword's 1 are 5."""
    told = fumbling(6, 17, 4, joining=(marcus(),))
    (who, foe), *rest = pairs(told.events)
    assert who == "Hero"
    assert rest[:3] == [("", "Hero"), ("Hero", "Marcus"), ("", "")]  # what a fumble does is nobody's
    assert dealt(told) == [("Hero", "Marcus", "hp", 5, False)]
    assert outcomes(told) == [
        f"Hero attacks {foe}: miss; fumble",
        "Hero: the same attack on a friend within 5 feet; if nobody is there, the weapon is dropped",
        "Hero strikes at Marcus: hit; Marcus loses 5 hp, now 11/16",
    ]


def test_what_a_fumble_does_to_the_fumbler_is_nobodys_deed():
    """arkm.fumble.table, 3 and 5: the hero falls; or a D6 of 5, halved, costs 2 of 12."""
    assert pairs(fumbling(3).events)[1:] == [("", "Hero"), ("", "")]
    assert "prone" in arkm.conditions(fumbling(3), "Hero")
    assert dealt(fumbling(5, 5)) == [("", "Hero", "hp", 2, False)]


def test_a_miss_that_flies_at_a_friend_is_a_pair_of_its_own():
    """arkm.move.fire-into-melee-risk: 8 misses the orc, 2 strays, 18 hits Bran: a D6 of 3, 1 by STR and 1 more."""
    told = brawl(marcus()).when(AXE, [8, 2, 18, 3])
    assert pairs(told.events)[0] == ("Marcus", "Orc")
    assert dealt(told) == [("Marcus", "Bran", "hp", 5, False)]


def test_a_condition_of_somebody_else_behind_an_outcome_names_them(shell: Shell):
    """Orc is barred, not Tessa."""
    play(shell, "arkm", "join thief orc", "begin --distance 10", "surprise --dice 4,1")
    shell.done("move", "tessa", "--to", "orc", "--to-rear", "orc")
    told = shell.done("attack", "tessa", "orc", "--backstab", "--dice", "2")
    assert "Tessa attacks Orc (backstab): miss; Orc is barred from attacking until the end of the round\n" in told


def test_a_spell_is_not_told_as_the_name_of_what_lasts_of_it(shell: Shell):
    """paraverse.magic.referee: the spell is flash; who is asked to resolve it learns how, not only to give it up."""
    play(shell, "paraverse", "join maelis thrall", "begin", "round", "cast maelis flash", "phase magic --pass-rest")
    shell.refused("phase", code=1)
    told = shell.done("cast", "maelis", "--target", "thrall", "--name", "dazzled")
    assert told.startswith("Maelis casts flash on Thrall: Thrall is dazzled until the end of the encounter")


def test_what_is_thrown_lies_near_its_target_and_is_its_owners_again(shell: Shell):
    """Nothing of it is lost."""
    play(shell, "arkm", "join thief ogre", "begin --distance 10", "initiative --dice 5,2")
    told = shell.done("shoot", "tessa", "ogre", "--with", "dagger", "--dice", "15,2")
    assert told.splitlines()[-1] == "Tessa's dagger lies near Ogre"
    assert shell.done("end").startswith("Tessa has the dagger again")


def test_a_pursuit_is_of_two_groups():
    """arkm.pursuit.catch: a gap of 60, of which 30 go in a round; what is told of it stands in one line."""
    told = chase(60, party=90)
    assert pairs(told.events)[0] == ("Wolf", "party")
    assert outcomes(told)[0].endswith("; the party is in flight from Wolf; caught in round 2")


def test_an_area_has_a_passage_for_each_whom_it_reaches():
    """freepg.area.everyone: one die of 15, less 4 for the range and 1 for the radius: 6 beyond Grub's 4, 1 beyond 9."""
    table = freepg.table(freepg.boffin(at=(0, 5)), freepg.grub(at=(0, 0)), freepg.grub(at=(1, 1), name="Orc"))
    told = table.when(Attack("Boffin", ("Grub",), radius=2, distance=None), [15, 4, 9])
    assert [pair for pair in pairs(told.events) if all(pair)] == [("Boffin", "Grub"), ("Boffin", "Orc")]
    assert dealt(told) == [("Boffin", "Grub", "hp", 6, False), ("Boffin", "Orc", "hp", 1, False)]


def test_a_trap_acts_upon_whom_it_catches():
    """freepg.trap.attack: 13 and 5 for a single trap against 9: 9 damage."""
    told = freepg.table(freepg.jane(), DARTS).when(Attack("Darts", ("Jane",), triggered=True), [13, 9])
    assert pairs(told.events)[0] == ("Darts", "Jane")
    assert dealt(told) == [("Darts", "Jane", "hp", 9, False)]


def test_healing_is_a_passage():
    """freepg.heal.potion: 10 points, of which Grub's blow took 9."""
    told = freepg.table(freepg.boffin(), freepg.jane(), freepg.grub()).when(Attack("Grub", ("Jane",)), [13, 4])
    told = told.when(Heal("Boffin", "Jane", potion=True))
    assert pairs(told.events) == [("Boffin", "Jane")]
    told.then(Passage("Boffin", "Jane"), HpGained("Jane", 9, 52))


def test_the_dice_of_a_skirmish_stand_before_the_winners_blow():
    """paraverse.skirmish.victim: Sigrun 8+6 and Ildar 8+1 against Reaver 9+4: 14 against 13; 7-3 = 4, 1 pain."""
    joining = (paraverse.sigrun(), paraverse.ildar(hand="dagger"), paraverse.reaver())
    told = paraverse.said(paraverse.planning(*joining), Fight("Sigrun", "Reaver"), Fight("Ildar", "Reaver"))
    told = paraverse.opened(told, "melee").when(Resolve(), [8, 8, 9, 2])
    thrown = [(event.who, passage) for passage, event in passages(told.events) if isinstance(event, Rolled)]
    assert thrown[:3] == [("Sigrun", Passage()), ("Ildar", Passage()), ("Reaver", Passage())]
    assert dealt(told) == [("Sigrun", "Reaver", "pain", 1, False)]


def test_four_in_two_skirmishes_do_each_their_own():
    """paraverse.skirmish.winner: Sigrun 14 against Reaver 13; Vasko 15 + 1 against Ildar 2 + 1: x3 of 5 less AV 2."""
    joining = (paraverse.sigrun(), paraverse.ildar(hand="dagger"), paraverse.reaver(), paraverse.vasko(hand="club"))
    told = paraverse.said(paraverse.planning(*joining), Fight("Sigrun", "Reaver"), Fight("Vasko", "Ildar"))
    told = paraverse.opened(told, "melee").when(Resolve(), [8, 9, 2, 15, 2, 4])
    assert [(by, victim, unit) for by, victim, unit, *_ in dealt(told)] == [
        ("Sigrun", "Reaver", "pain"),
        ("Vasko", "Ildar", "pain"),
        ("Vasko", "Ildar", "wounds"),
    ]


def test_nobody_bleeds_anybody():
    """paraverse.end.bleeding: Vasko suffers 1 pain, by nobody's hand."""
    told = paraverse.opened(paraverse.planning(paraverse.sigrun(), paraverse.vasko(wounds=["bleeder"])), "end")
    assert ("", "Vasko") in pairs(told.events)
    assert dealt(told) == [("", "Vasko", "pain", 1, False)]


def test_stress_by_choice_is_nobodys_deed():
    """dungeoneers.stress.triple-wound: 9 and 2, doubled, are 13, above 9: 1 wound, doubled; the blow is deflected."""
    told = dungeoneers.fight(dungeoneers.freya((0, 0), stress=9), dungeoneers.skeleton())
    told = told.when(Strike("Freya", "Skeleton", stress=2), [1, 1, 1, 1, 4, 1, 1, 1])
    assert pairs(told.events)[0] == ("", "Freya")
    assert dealt(told) == [("", "Freya", "stress", 4, False), ("", "Freya", "wounds", 2, False)]


def test_the_end_of_a_grapple_is_nobodys_deed():
    """dungeoneers.grapple.release: it is told of the one who was held."""
    told = holding().when(Grapple("Suori", release=True))
    told.then(Passage("", "Skeleton"), ConditionEnded("Skeleton", "grappled"))
    assert pairs(told.events) == [("", "Skeleton")]


def test_a_natural_20_is_a_hit_of_the_one_who_wins_by_it():
    """paraverse.skirmish.critical-hit: 21 against 23, and Ildar wins."""
    told = duel([20, 19, 2], DAGGER, paraverse.reaver(), critical_hits=True)
    counted = Statistics({})
    counted.take(1, told.events, True, 0)
    assert {who: (one.hits, one.misses) for (who, _), one in counted.fighters.items()} == {
        "Ildar": (1, 0),
        "Reaver": (0, 1),
    }


def test_morale_is_of_a_group_and_nobodys_deed():
    """arkm.morale.trigger-first-death: a dead goblin; a roll of 12 is more than 7: they lose heart."""
    told = slain(goblins(), "Goblin-1", "Hero")
    told = told.when(Morale("Goblin"), [6, 6])
    assert pairs(told.events) == [("", "Goblin")]
    assert BROKEN in arkm.conditions(told, "Goblin")
    assert dealt(told) == []


def test_a_push_goes_on_after_its_window_and_is_the_pushers():
    """dungeoneers.opportune.forced-move by the house rule: Suori 4 and 4 against 1; Freya 4 and 4 against 1, and her 1
    and 1 do not pierce 4; then the skeleton is pushed from 1,0 to 2,0.
    """
    joining = (dungeoneers.suori(), dungeoneers.freya((0, 1)), dungeoneers.skeleton((1, 0)))
    told = dungeoneers.fight(*joining, forced_moves_provoke=True).when(Push("Suori", "Skeleton"), [4, 4, 1])
    assert told.state.positions.at["Skeleton"] == (1, 0, 0)
    told = told.when(Opportune("Freya"), [4, 4, 1, 1, 1])
    assert pairs(told.events)[0] == ("Freya", "Skeleton")
    told = told.when(Close())
    assert pairs(told.events) == [("Suori", "Skeleton")]
    assert told.state.positions.at["Skeleton"] == (2, 0, 0)


def test_the_blow_of_a_pusher_who_strikes_is_another_deed_than_the_push():
    """Suori strikes 1 and 1 against 4 and misses; then Freya lets it pass, and the skeleton is pushed."""
    joining = (dungeoneers.suori(), dungeoneers.freya((0, 1)), dungeoneers.skeleton((1, 0)))
    told = dungeoneers.fight(*joining, forced_moves_provoke=True).when(Push("Suori", "Skeleton"), [4, 4, 1])
    told = told.when(Opportune("Freya"), [1, 1, 4]).when(Opportune("Suori"), [1, 1, 4])
    assert pairs(told.events) == [("Suori", "Skeleton"), ("", ""), ("Suori", "Skeleton")]
    assert (dealt(told), told.state.positions.at["Skeleton"]) == ([], (2, 0, 0))


def test_a_push_ends_when_the_pushed_leave_while_it_waits():
    """dungeoneers.opportune.window: there is nobody left to strike or to push."""
    joining = (dungeoneers.suori(), dungeoneers.freya((0, 1)), dungeoneers.skeleton((1, 0)))
    told = dungeoneers.fight(*joining, forced_moves_provoke=True).when(Push("Suori", "Skeleton"), [4, 4, 1])
    told = told.when(Leave(("Skeleton",)))
    assert told.state.pending.window is None


def test_a_spell_on_several_is_told_and_counted_for_each():
    """dungeoneers.spellcast.several: Skeleton and Freya are hit, Bones is missed; only Freya gains stress."""
    told = mage(dungeoneers.skeleton((3, 1), "Bones"), dungeoneers.freya((0, -1)))
    said = Cast("Ulfarmi", "firebolt", ("Skeleton", "Bones", "Freya"), extra=1, mod=("dodge@freya:1", "dodge@bones:1"))
    told = told.when(said, [2, 2, 4, 1, 1, 2, 3, 3, 3, 3, 2, 2, 2, 1])
    acted = [pair for pair in pairs(told.events) if all(pair)]
    assert list(dict.fromkeys(acted)) == [("Ulfarmi", "Skeleton"), ("Ulfarmi", "Bones"), ("Ulfarmi", "Freya")]
    assert ("Ulfarmi", "Freya", "stress", 1, False) in dealt(told)
    casts = [line.partition(":")[0] for line in outcomes(told) if line.startswith("Ulfarmi casts")]
    assert [words.split(" on ")[1].split(" ")[0] for words in casts] == ["Skeleton", "Bones", "Freya"]


def test_harm_by_the_word_of_the_game_master_is_nobodys():
    """Outside of all passages an event belongs to the declaration."""
    told = Told(freepg.table(freepg.jane()).state, [HpLost("Jane", 5, 47, 52), Felled("Jane", "dying")])
    assert dealt(told) == [("", "Jane", "hp", 5, True)]


def test_who_did_it_follows_a_person_who_is_renamed(shell: Shell):
    """Boffin 15 and 2 against 4: 11 and more by the person who is called Bilbo afterwards."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    shell.done("attack", "boffin", "grub", "--distance", "1", "--dice", "15,4")
    shell.done("rename", "boffin", "Bilbo")
    shell.done("rename", "grub", "Gnasher")
    (score,) = shell("stats", "--name", "bilbo", "--json").json["fighters"]
    assert score["dealt"]["hp"] == 14  # sword 2 and ring 1, besides 15 - 4
    (victim,) = shell("stats", "--name", "gnasher", "--json").json["fighters"]
    assert victim["taken"]["hp"] == 14


AB = Passage("A", "B")


def ruled(outcome: str, who: str = "A", about: str = "B") -> Ruled:
    return Ruled("x.y", who, about, outcome, (), "")


def test_a_hit_is_of_the_one_who_acts_also_where_the_ruling_names_another():
    """A miss that luck turns takes the miss away; who wins hits, and the other misses; oneself nobody hits."""
    assert list(strokes(AB, ruled("hit", "B", "A"))) == [("A", 1, 0)]
    assert list(strokes(AB, ruled("miss", about=""))) == [("A", 0, 1)]
    assert list(strokes(AB, ruled("by luck a hit"))) == [("A", 1, -1)]
    assert list(strokes(AB, ruled("A wins"))) == [("A", 1, 0), ("B", 0, 1)]
    assert list(strokes(Passage("", "B"), ruled("hit"))) == list(strokes(Passage("A", "A"), ruled("hit"))) == []


def test_who_falls_when_a_phase_closes_falls_by_the_last_harm():
    """By the hand of A; not again while down; by nobody's, once the last harm was nobody's."""
    hands, outside = Hands(), Passage()

    def falls(passage: Passage, event: Event) -> str | None:
        return hands.of(passage, event, harm(event))

    assert falls(AB, HpLost("B", 3, 0)) is None
    assert falls(outside, Felled("B", "dying")) == "A"
    assert falls(outside, Felled("B", "dead")) is None
    falls(outside, Rose("B"))
    falls(AB, HpLost("B", 3, 1))
    falls(Passage("", "B"), HpLost("B", 1, 0))
    assert falls(outside, Felled("B", "dying")) == ""


def test_a_name_in_the_midst_of_a_word_is_no_name():
    """A combatant who is called It is not named by a hit."""
    assert lines([Declared("opportune", {}), Passage("A", "it"), ruled("hit", about="it")])[-1] == "A hits it"


def test_what_is_about_nobody_is_not_told_of_the_one_before():
    """The order is nobody's, though Grub fell just before it."""
    found = lines([Declared("round", {}), Felled("Grub", "dead"), OrderSet(("gm", "John"))])
    assert found[-2:] == ["Grub is dead", "order: GM, John"]


def test_the_table_of_damage_names_who_dealt_it(shell: Shell):
    """freepg.opportunity-attack: Boffin moves, and Grub's 14 against 6 + 1 does 7, less 2 for mail."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("option", "opportunity_attacks", "yes")
    shell.done("join", "boffin", "--at", "0,0")
    shell.done("join", "grub", "--at", "1,0")
    shell.done("begin")
    shell.done("initiative", "--dice", "14,3")
    shell.done("move", "boffin", "--to", "0,4", "--dice", "14,6")
    assert rulings("freepg.attack.hit-test") == [("hit", [14, 6 + 1])]
    assert HpLost("Boffin", 5, 50, 55) in recorded()
    shell.done("export", "damage.csv", "--table", "damage")
    head, row = (line.split(",") for line in Path("damage.csv").read_text(encoding="utf-8").splitlines())
    told = dict(zip(head, row, strict=True))
    assert (told["who"], told["amount"], told["verb"], told["dealt_by"]) == ("Boffin", "5", "move", "Grub")
    shown = shell.done("show", "e7")
    assert "what Grub does to Boffin:" in shown
    assert "what was declared:" in shown
