"""FReePG: one opposed roll decides an attack and its damage. Names and summaries only; no rule is imported here."""

from commands.action.cards import Option, System, Verb
from commands.action.common_verbs import shared

SYSTEM = System(
    package=__name__,
    title="FReePG",
    credit="FReePG by John Wilger, chapter Combat (2012), CC BY-SA 3.0; set out here in our own words.",
    about="A square mat: one d20 each decides an attack and its damage.",
    verbs={
        "begin": shared("begin", "encounter"),
        "initiative": shared("initiative", "turns", "Roll for the first seat.", traits="turn repeated often"),
        "attack": shared("attack", "attack", "Attack one or more targets, or an area."),
        "move": shared("move", "movement", "Move: walk, run, shift, fly, dive or swim."),
        "stand": shared("stand", "movement"),
        "prone": shared("prone", "movement", "Record that somebody is prone."),
        "draw": shared("draw", "gear", "Draw a weapon or put on an item."),
        "stow": shared("stow", "gear", "Put a weapon or an item away."),
        "check": shared("check", "checks", "Make a skill check or an opposed roll."),
        "heal": shared(
            "heal", "healing", "Heal somebody, by skill or with a potion.", traits="repeated helps often", told="tends"
        ),
        "act": Verb("turns:act", "Take a mundane action, described in words.", "do, use", "listed repeated"),
        "pass": shared("pass", "traps:pass_", "Let a continuous trap wait for a stronger attack."),
        "done": shared("done", "turns", "End the turn of the current seat."),
        "effect": shared("effect", "effects"),
        "terrain": Verb("encounter:terrain", "Change the ground: walls, amplifiers, drains.", traits="gm repeated"),
        "end": shared("end", "encounter"),
    },
    options={
        "critical_ignores_range": Option(True, "A natural 20 waives the range penalty."),
        "area_radius": Option(
            "counting-origin",
            "Whether radius 1 is the origin square alone or the 3x3 squares around it.",
            ("counting-origin", "beyond-origin"),
        ),
        "min_hit_damage": Option(0, "The least damage of a hit."),
        "defender_naturals": Option(
            False,
            "A defender's natural 20 escapes and its natural 1 is hit, unless the attacker's natural die decides.",
        ),
        "weapon_slots": Option(2, "How many weapons may be in hand.", (1, 2)),
        "heal_bonus_from": Option(
            "total", "What decides how much is healed: the total or the bare die.", ("total", "die")
        ),
        "opportunity_attacks": Option(False, "Anyone who leaves an enemy's side may be struck at once."),
    },
    elsewhere={
        "shoot": "every attack is the same here; use attack, with places on the map or --distance.",
        "cast": "a spell is an attack like any other; use attack --as 'a spell'.",
        "charge": "use move --mode run, then attack.",
        "grapple": "use check --against NAME, and prone or effect for the result.",
        "push": "use check --against NAME, then adjust NAME at X,Y.",
        "disarm": "use check --against NAME, then adjust NAME no-equipped ITEM with the reason.",
        "parry": "a defender rolls its die by itself and chooses nothing.",
        "defend": "a defender rolls its die by itself and chooses nothing.",
        "disengage": "use move --mode shift: it provokes nobody.",
        "withdraw": "use move --mode shift: it provokes nobody.",
        "retreat": "use move --mode run.",
        "pursue": "use move, or check --against NAME for a race.",
        "morale": "the game master decides who flees; nothing is rolled.",
        "surprise": "there is no surprise round; use begin --unordered for an ambush.",
        "reaction": "the game master decides how strangers react; use note to record it.",
        "reload": "weapons need no reloading.",
        "ready": "actions are not kept for later; draw takes a weapon in hand.",
        "trigger": "use attack TRAP NAME --triggered for a trap.",
        "set": "there is no weapon to set against a charge.",
        "declare": "actions are carried out at once; use act for a mundane one.",
        "resolve": "actions are carried out at once.",
        "turn": "turns follow the seats; use done to end one.",
        "round": "a round begins by itself after the last seat; use done.",
        "phase": "a round has turns and no phases; use done.",
        "face": "facing does not matter.",
        "rest": "resting is outside combat; use adjust NAME hp N with the reason.",
        "save": "there are no saving throws; use check --dt N --free.",
        "opportune": "with the option opportunity_attacks they follow from move by themselves.",
        "skirmish": "fights are not divided into skirmishes.",
        "pair": "combatants are not paired; everybody may attack everybody.",
        "survivors": "there is no mass combat.",
    },
)
