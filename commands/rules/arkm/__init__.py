"""Arkm: house rules of the classic family. Names and summaries only; no rule is imported here."""

from commands.action.cards import Option, System, Verb
from commands.action.common_verbs import shared

SYSTEM = System(
    package=__name__,
    title="Arkm",
    credit="Combat by ARKM, house rules for the classic editions of 1974 to 1983, no licence stated; set out here in"
    " our own words. Tables that they do not print are filled from those editions.",
    about="The classic d20 game: phases, THAC0, charges, massed foes, morale.",
    verbs={
        "attack": shared("attack", "attack", "Attack one or more foes in melee."),
        "shoot": shared("shoot", "ranged"),
        "move": shared("move", "movement", "Move, or run."),
        "charge": Verb("charge:charge", "Charge a foe; the blow falls in the melee phase.", "ram, rush"),
        "set": Verb("charge:set_", "Set a spear against a charge.", "brace"),
        "withdraw": Verb("movement:withdraw", "Back away, fighting.", "back"),
        "retreat": Verb("movement:retreat", "Turn and flee from melee.", "flee, escape"),
        "disengage": shared("disengage", "movement"),
        "face": Verb("stances:face", "Turn to a foe, or stand with the back to a wall.", "turn, look", "repeated"),
        "defend": shared("defend", "stances", "Choose against whom the shield helps, or fight with two weapons."),
        "mount": Verb("stances:mount", "Mount, or get down.", "dismount"),
        "prone": shared("prone", "stances"),
        "stand": shared("stand", "stances"),
        "draw": shared("draw", "gear", "Take a weapon in hand."),
        "stow": shared("stow", "gear", "Put a weapon away."),
        "begin": shared("begin", "encounter", "Begin an encounter: who you meet, and where they come from."),
        "distance": Verb("meeting:distance", "How far apart the parties are when they meet.", traits="gm"),
        "surprise": Verb("surprise:surprise", "Roll for surprise.", "ambush", "gm repeated"),
        "initiative": shared("initiative", "rounds", "Roll initiative for the first round."),
        "reaction": Verb("meeting:reaction", "How monsters react.", "parley, negotiate", "gm"),
        "declare": Verb("meeting:declare", "Say what somebody will do: talk, wait, cast.", "plan, intend"),
        "morale": Verb("throws:morale", "Check the morale of a group, or waive a check.", traits="gm owed"),
        "round": shared("round", "rounds:round_", "End the round, and roll initiative for the next."),
        "phase": Verb("rounds:phase", "Open the next phase, or a later one.", "next, continue", "turn often repeated"),
        "done": shared("done", "rounds", "Go on to the next in initiative order.", traits="turn often repeated"),
        "pass": shared("pass", "rounds:pass_", "Give up the action of this round."),
        "parry": Verb("stances:parry", "Parry for the rest of the round.", "block"),
        "disarm": Verb("grapple:disarm", "Strike a weapon out of a foe's hand."),
        "grapple": shared("grapple", "grapple", "Take hold of somebody, alone or together."),
        "reload": Verb("gear:reload", "Load a crossbow or a flintlock.", "load"),
        "cast": shared("cast", "casting", "Cast a spell, maintain one, or fire a wand."),
        "save": shared("save", "throws", "Roll a saving throw.", told="rolls a saving throw"),
        "check": shared("check", "casting", "Two casters contend for control."),
        "pair": Verb("formations:pair", "Set a small fight apart from the large one.", traits="gm"),
        "group": Verb("formations:group", "Put some of a group into another, or back.", traits="gm repeated"),
        "pursue": Verb("pursuit:pursue", "Run after those who flee.", "chase, follow"),
        "survivors": Verb("formations:survivors", "Count the men who are left in a unit.", "casualties", "gm"),
        "rest": shared("rest", "recovery", "Rest, and heal temporary damage."),
        "heal": shared("heal", "recovery", "Give hit points back.", told="is healed"),
        "end": shared("end", "encounter"),
        "table": Verb(
            "commands.action.rule_tables:table", "Use a table from a file of your own.", traits="gm repeated"
        ),
    },
    options={
        # to-hit, damage and Normal Men
        "ability_penalties": Option(True, "Low ability scores give penalties."),
        "fighter_group": Option(
            "fighter,ranger,barbarian,dwarf,hobbit,paladin,pirate", "Classes that fight as fighters do."
        ),
        "swashbuckler_classes": Option("fighter,pirate", "Classes that may fight by DEX in light armour."),
        "swashbuckler_armour": Option(
            "light", "Armour in which they may do so.", ("light", "none+light", "light+medium")
        ),
        "dex_to_hit_kinds": Option(
            "bow,thrown,crossbow,sling,firearm", "Kinds of missiles that DEX helps to hit with."
        ),
        "crossbow_damage_dex": Option(False, "DEX adds to the damage of crossbows and firearms."),
        "double_damage": Option("dice", "Double damage throws the dice twice, or doubles the sum.", ("dice", "total")),
        "stack_doubling": Option("add", "Several doublings add a set of dice each, or count once.", ("add", "once")),
        "minimum_damage": Option(1, "What a hit does at least."),
        "normal_men_attackers": Option(
            "any-pc",
            "Which player characters have an attack for each level on Normal Men.",
            ("any-pc", "fighter-types"),
        ),
        "sweep_rounding": Option("up", "How the expected number slain is rounded.", ("up", "down", "nearest")),
        "fumbles": Option(True, "A natural 1 can be a fumble."),
        "special_replaces_critical": Option(False, "A monster's special attack comes in place of the critical hit."),
        "whip_damage": Option(False, "An entangling whip does its damage too."),
        "untrained_keeps_class_bonus": Option(False, "With an untrained weapon the bonuses of the class still count."),
        # position and movement
        "shield_vs_missiles": Option(True, "Shields count against missiles."),
        "withdraw_divisor": Option(2, "By what the Turn movement is divided for a fighting withdrawal.", (1, 2, 3, 4)),
        "hobbit_fire_into_melee": Option(True, "Hobbits throw and sling into a melee without risk to friends."),
        "fire_into_melee": Option(
            "d6", "Whether a miss at a foe in melee may hit a friend; gm: the game master says.", ("d6", "gm", "off")
        ),
        "missiles_in_melee": Option(False, "Those in melee may shoot."),
        "retreat_tie": Option("safe", "A tie in a retreat's contest.", ("safe", "struck")),
        "passing_contest": Option(False, "Foes that a retreat passes contest before they strike."),
        "reach_advantage_ft": Option(4, "How many feet longer a weapon must be to strike first in the first round."),
        "mounted_missiles": Option(False, "The mounted bonus counts for missiles too."),
        "high_ground_missiles": Option(True, "High ground counts for missiles too."),
        "backstab_ranged": Option(False, "A shot from behind can be a backstab."),
        "charge_max": Option("full", "How far a charge may go, of the Turn movement.", ("full", "half")),
        "charge_bonus_for": Option("all", "Who has the bonus and the first blow of a charge.", ("all", "lance")),
        # special attacks, reloading, empty hands, grappling
        "stun_counting": Option("following", "The first round of a stun: the next, or this.", ("following", "current")),
        "stunned_moves": Option(False, "The stunned may move."),
        "parry_scope": Option("all", "Against which attacks a parry helps.", ("all", "melee")),
        "disarm_damage": Option(False, "A disarming hit does damage too."),
        "pickup_action": Option(True, "Picking up a weapon is the action of the round."),
        "auto_reload": Option(False, "A whole round without an action reloads."),
        "subdue_share": Option("none", "How much of a subduing blow is actual damage.", ("none", "as-empty-hand")),
        "zero_hp": Option("down", "What happens when ordinary damage takes the last hit point.", ("down", "out")),
        "turn_minutes": Option(10, "Minutes of a Turn."),
        "grapple_reroll": Option(
            "next", "Initiative after a throw-off: of the next round, or the round ends at once.", ("next", "now")
        ),
        # the round
        "tie_scope": Option("round", "How long groups of equal initiative act at the same time.", ("round", "phase")),
        "morale_to_death": Option(2, "Morale rolls made after which a group fights to the death."),
        "haste_double_attacks": Option(False, "The hasted attack in the missile phase and in the melee phase."),
        "caster_threat": Option(
            "initiative",
            "Which foe that closes in prevents a spell: one with better initiative, or any.",
            ("initiative", "any"),
        ),
        "missile_saves": Option("per-round", "Saves of a caster who was shot.", ("per-round", "per-hit")),
        "opposed_roll": Option("d20+skill", "The roll of casters who contend.", ("d20+skill", "2d6+skill")),
        "strict_phases": Option(False, "Phases are opened by `phase` alone."),
        # saves, pursuit, mass combat
        "save_naturals": Option(False, "A natural 20 saves and a natural 1 fails."),
        "reflex_dex": Option(False, "DEX adds to REFLEX saves."),
        "caught_gap": Option(5, "At how many feet pursuers have caught up."),
        "bait_chance": Option(5, "The highest roll of a D6 at which pursuers stop for bait.", (1, 2, 3, 4, 5, 6)),
        "mass_min_men": Option(5, "The fewest men of a unit."),
        "mass_individuals": Option(False, "A unit can fight a single combatant."),
    },
    elsewhere={
        "effect": "use adjust NAME condition WORD for what somebody is, and --mod for what it gives.",
        "ready": "use draw for a weapon, and set for a spear against a charge.",
        "skirmish": "use pair for a fight of its own.",
        "trigger": "actions are not kept for later; act in your phase.",
        "opportune": "free strikes are part of the move that provokes them.",
        "push": "the rules have no push; use note and adjust for what comes of it.",
        "turn": "groups act in the order of their initiative; just act.",
    },
    tables={
        "to-hit": "THAC0 by class and level, and by Hit Dice; hi = 0 and up_to = 0 are for ever.",
        "abilities": "The modifier of each ability score.",
        "armour": "Armour class: lower is harder to hit.",
        "shields": "How much a shield lowers the armour class, and against how many attackers in a round.",
        "weapons": "Every weapon, with its damage, length in feet, and ranges in feet indoors and yards outdoors.",
        "surround": "How many can attack one target of each size.",
        "backstab": "Sets of damage dice of a thief's blow from behind, by level.",
        "critical": "What a critical hit does; no die: double damage. Effects: double, triple, max, or free words.",
        "fumble": "What a fumble does. Effects: drop, off-balance, fall, break, hurt-self, hit-friend, or free words.",
        "miscast": "What a miscast spell does. Effects: dazed, backlash, stun, rebound, wild, feeble, or free words.",
        "reaction": "How monsters react, and whether they pursue.",
        "morale": "Scores by kind, and what a group does by how far its throw is above its score; hi = 0 is for ever.",
        "saves": "Saving throws of the lowest levels; after each band of levels they are 2 lower, 2 at least.",
    },
)
