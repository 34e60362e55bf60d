"""What the lines say: who did it, and no comparison that does not hold."""

from commands.rules.freepg.attack import Attack
from commands.rules.freepg.healing import Heal
from commands.rules.freepg.movement import Move
from tests.kit import lines

from .table import boffin, fight, grub, jane, table


def test_a_comparison_is_told_as_it_came_out():
    """freepg.attack.hit-test: 12 against 14 is less, 14 against 14 is equal, 15 against 14 is more."""
    told = table(boffin(), grub())
    for face, sign, outcome in ((12, "<", "miss"), (14, "=", "miss"), (15, ">", "hit")):
        said = lines(told.when(Attack("Boffin", ("Grub",)), [face, 14]).events)
        assert said[0].startswith(f"Boffin attacks Grub: {outcome}")
        assert said[1] == f"    attack {face} (d20*) {sign} defense 14 (d20*): {outcome}"


def test_healing_names_who_heals_whom():
    told = table(boffin(hp=20), jane(hp=20))
    assert lines(told.when(Heal("Boffin", "Jane"), [14]).events, "freepg") == [
        "Boffin tends Jane: success; Jane regains 6 hp, now 26/52",
        "    check 14 (d20*) >= target 13 (healing): success",
        "    healing 6 (5 base +1 margin)",
    ]
    assert lines(told.when(Heal("Boffin", "Jane", potion=True)).events, "freepg") == [
        "Boffin tends Jane (potion): Jane regains 10 hp, now 30/52",
        "    healing 10 (potion)",
    ]


def test_an_opportunity_attack_names_who_strikes():
    """freepg.opportunity-attack"""
    told = fight(boffin(at=(0, 0)), grub((1, 0)), first="Boffin", opportunity_attacks=True)
    said = lines(told.when(Move("Boffin", to=(-3, 0, 0)), [14, 6]).events)
    assert said[:2] == ["Boffin walks 3 squares to -3,0", "    squares 3 (walk) <= speed 5: yes"]
    assert said[2].startswith("Grub strikes at Boffin: hit; Boffin loses 8 hp, now ")
    assert said[3] == "    attack 14 (d20*) > defense 6 (d20*): hit"
