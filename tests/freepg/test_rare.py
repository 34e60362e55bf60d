"""What seldom comes up at the table: a clock that nobody else runs down, and a modifier for the check of another."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.action.declaration import Declaration
from commands.action.stat_blocks import SheetSet
from commands.action.view import View
from commands.rules.freepg import board
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.checks import Check
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.gear import Stow
from commands.rules.freepg.movement import Move
from commands.rules.freepg.traps import Pass
from commands.rules.freepg.turns import Done, Initiative
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Felled, HpSet, PointsSpent, Rolled, Unequipped
from tests.hints import offered_by
from tests.kit import Told, no
from tests.shell import Shell

from .table import MAIL, SWORD, boffin, brak, fight, grub, impossible, jane, someone, table
from .test_enemies import FLAMES

Place = tuple[int, int] | None


def hint(told: Told, declaration: Declaration) -> str:
    """What a declaration is answered with that is not carried out."""
    with pytest.raises(AffrayError) as error:
        told.when(declaration)
    return offered_by(error.value)


def test_a_trap_is_answered_with_the_command_that_works():
    """The square of the first who has a place; no second trigger on the game master's turn."""
    told = fight(jane(at=(2, 3)), FLAMES, first="Jane")
    assert hint(told, Pass("Flames", triggered=True)) == "affray pass Flames --triggered --at 2,3"
    told = told.when(Pass("Flames", triggered=True, at=(2, 2, 0)))
    assert hint(told.when(Done()), Attack("Flames", ("Jane",), triggered=True)) == "affray attack Flames Jane"


def test_who_dies_alone_is_shown_with_the_turn_that_ends_it():
    """freepg.dying.death: nobody else ends a turn, so the present seat does, one round on."""
    told = fight(someone("Ann", hp=3), grub(at=(1, 0)), first="gm").when(Attack("Grub", ("Ann",), distance=1), [15, 4])
    assert (
        board.row(View(told.state), "Ann")["conditions"]
        == "mortally wounded, will die at the end of the GM's turn in round 2"
    )
    assert "Ann is mortally wounded and will die at the end of the GM's turn in round 2 unless helped" in [
        one.told() for one in told.events
    ]
    told = told.when(Done()).when(Done())
    assert (told.state.turns.round, told.state.harm.down["Ann"].how) == (2, "dying")
    assert told.when(Done()).state.harm.down["Ann"].how == "dead"


def test_who_was_rescued_is_shown_so_until_the_turn_ends():
    told = fight(someone("Ann", hp=3), boffin(), grub(), first="gm").when(Attack("Grub", ("Ann",), distance=1), [15, 4])
    told = told.when(Done()).when(Adjust("Ann", "hp", "4", "a potion"))
    assert "rescued" in told.state.conditions.of["Ann"]
    assert "rescued" not in told.when(Done()).state.conditions.of.get("Ann", {})


def test_a_modifier_of_a_check_is_for_who_makes_it():
    """The check of Boffin, 8 and 3: 11 against 11."""
    told = table(boffin(), grub())
    told.when(Check("Boffin", dt=11, mod=("@Boffin:3:light",)), [8]).ruled("freepg.check.skill", "success", [11, 11])
    with pytest.raises(UsageError, match=r"The check is Boffin's, not Grub's\."):
        told.when(Check("Boffin", dt=11, mod=("check@Grub:3:light",)), [8])


def test_a_trap_whose_place_nobody_knows_is_placed_where_its_attack_goes():
    """freepg.trap.attack: it was triggered before anybody was on the mat."""
    told = fight(jane(), FLAMES, first="gm").when(Attack("Flames", ("Jane",), triggered=True), [2, 9])
    told = told.when(Adjust("Jane", "at", "4,3", "the mat comes out"))
    assert hint(told, Attack("Flames", ("Jane",))).startswith("affray adjust Flames at 4,3,0 ")


def test_one_declined_opportunity_leaves_the_next():
    """freepg.opportunity-attack: Grub lets him go, Brak beside him does not."""
    joining = (boffin(at=(0, 0)), grub(at=(1, 0)), brak(at=(-2, -2)))
    told = fight(*joining, first="Boffin", opportunity_attacks=True)
    told = told.when(Move("Boffin", to=(0, 4, 0), decline=("Grub",)), [2, 9])
    assert [event.who for event in told.events if isinstance(event, Rolled)] == ["Brak", "Boffin"]


@pytest.mark.parametrize(("boffin_at", "grub_at", "lost"), [((0, 0), None, "Grub"), (None, (0, 0), "Boffin")])
def test_a_refusal_names_the_one_who_has_no_place(boffin_at: Place, grub_at: Place, lost: str):
    """freepg.range.definition"""
    with pytest.raises(Refused) as refused:
        table(boffin(at=boffin_at), grub(at=grub_at)).when(Attack("Boffin", ("Grub",)))
    assert (refused.value.clause, f"{lost} has no place" in refused.value.message) == ("freepg.range.definition", True)


def test_only_a_weapon_falls_for_nothing():
    """freepg.turn.item-swap: mail is taken off, which costs an action; then it is carried and gives nothing."""
    told = fight(boffin(MAIL, SWORD), grub(), first="Boffin")
    told.refused(Stow("Boffin", "mail", drop=True), "freepg.turn.item-swap")
    told.when(Stow("Boffin", "mail")).then(PointsSpent("Boffin", "action", 1, 1), Unequipped("Boffin", "mail"))
    told.when(Stow("Boffin", "sword", drop=True)).then(Unequipped("Boffin", "sword"), no(PointsSpent))


def test_who_leaves_is_said_to_take_along_what_lies_on_the_ground(shell: Shell):
    """What is given to another first stays at the table: the bow is Grub's, and Jane leaves with nothing."""
    shell.done("init", "x", "--system", "freepg")
    for line in ("join jane", "join grub", "begin", "initiative --dice 14,2", "stow jane bow --drop"):
        shell.done(*line.split())
    said = shell.done("leave", "jane", "--dry-run")
    assert "Jane takes along what lies on the ground: bow; affray adjust NAME item 'bow@Jane' WHY" in said
    shell.done("adjust", "grub", "item", "bow@Jane", "found")
    assert "takes along" not in shell.done("leave", "jane")


def test_to_pick_up_what_was_dropped_costs_an_action(shell: Shell):
    """freepg.turn.drop, freepg.turn.weapon-swap: the change of weapons that is free is none from the ground."""
    shell.done("init", "x", "--system", "freepg")
    for line in ("join jane", "join grub", "begin", "initiative --dice 14,2", "stow jane bow --drop"):
        shell.done(*line.split())
    assert shell.facts("status")["rows"]["Jane"]["actions"] == "2 (1 attack)"
    shell.done("draw", "jane", "bow")
    assert shell.facts("status")["rows"]["Jane"]["actions"] == "1 (1 attack)"


def test_a_new_seat_takes_the_place_of_one_that_plays_nobody_any_more():
    """freepg.initiative.clockwise: a seat that plays has its own, and so has one that goes on without Fritz."""
    fritz = {"name": "Fritz", "kind": "ally", "seat": "John"}
    joined = table(boffin(seat="John"), jane(), someone(**fritz), grub())
    told = joined.when(Begin(seats=("John", "Jane"))).when(Initiative(), [9, 3, 2])
    assert told.state.turns.order == ("John", "Jane", "gm")
    for seat, order in (("Jane", ("John", "Jane", "gm")), ("Sam", ("John", "Jane", "Sam", "gm"))):
        assert told.when(SheetSet("Fritz", {**fritz, "seat": seat})).state.turns.order == order
    alone = told.when(Leave(("Boffin",))).when(SheetSet("Fritz", {**fritz, "seat": "Sam"}))
    assert alone.state.turns.order == ("Sam", "Jane", "gm")


def test_no_turn_ends_where_none_are_counted():
    """freepg.initiative.clockwise: in an encounter without turns, and before the first one."""
    impossible(table(boffin(), grub()).when(Begin(unordered=True)), Done(), "without turns")
    impossible(table(boffin(), grub()).when(Begin()), Done(), "No turn")


def test_an_enemy_lives_on_with_another_stat_block():
    """freepg.enemy.dies-at-zero: but one who becomes an enemy while dying is dead."""
    told = table(grub()).when(SheetSet("Grub", {"name": "Grub", "kind": "enemy", "size": "small", "hp_max": 25}))
    told.then(HpSet("Grub", 20, 25), no(Felled))
    dying = fight(someone("Ann"), first="Ann").when(Adjust("Ann", "hp", "0", "a rock"))
    turned = dying.when(SheetSet("Ann", {"name": "Ann", "kind": "enemy", "size": "small"}))
    turned.then(Felled("Ann", "dead"))


def test_what_a_new_stat_block_has_no_slot_for_is_put_away():
    """freepg.bonus.head-count: one head, and two things that were for other places."""
    hats = [{"name": name, "slot": "head", "equipped": nth == 0} for nth, name in enumerate(("helm", "crown"))]
    told = table(someone("Ann", items=[hats[0], {"name": "crown", "slot": "ring", "equipped": True}]))
    assert told.state.gear.equipped["Ann"] == ("helm", "crown")
    told = told.when(SheetSet("Ann", {"name": "Ann", "items": hats})).then(Unequipped("Ann", "crown"))
    assert told.state.gear.equipped["Ann"] == ("helm",)
