"""Aachen: two sides, one d20 against an Armor Class, and shock. Names and summaries only; no rule is imported here."""

from commands.action.cards import Option, System, Verb
from commands.action.common_verbs import shared

SYSTEM = System(
    package=__name__,
    title="Aachen",
    credit="Aachen by John Mettraux, chapter Combat (a draft, 2021), CC BY-SA 4.0; what it leaves open is"
    " filled from the game's other chapters and from the classic games it is modelled on. Set out here in our own"
    " words.",
    about="Two sides take turns: d20 against armor class, shock, morale.",
    verbs={
        "begin": shared("begin", "encounter"),
        "reaction": Verb("rolls:reaction", "Roll the reaction of the other party.", "parley, negotiate", "gm"),
        "surprise": Verb("encounter:surprise", "Roll whether a side surprises the other.", "ambush", "gm repeated"),
        "initiative": shared("initiative", "rounds"),
        "round": shared("round", "rounds:round_"),
        "turn": Verb(
            "rounds:turn",
            "Begin a turn, or delay it until after another's.",
            "next, delay",
            "turn often repeated",
            told="begins their turn",
        ),
        "done": shared("done", "rounds"),
        "pass": shared("pass", "rounds:pass_"),
        "move": shared("move", "movement"),
        "withdraw": Verb("movement:withdraw", "Make a fighting withdrawal: leave contact safely this turn.", "back"),
        "stand": shared("stand", "movement"),
        "prone": shared("prone", "movement"),
        "attack": shared("attack", "attack"),
        "shoot": shared("shoot", "attack"),
        "charge": Verb("attack:charge", "Run at somebody and attack.", "ram, rush"),
        "defend": shared("defend", "instants"),
        "push": Verb("hands:push", "Shove somebody back, or to the ground.", "shove, trip, knock"),
        "grapple": shared("grapple", "hands"),
        "ready": Verb("instants:ready", "Hold the main action for later in the round.", "prepare, overwatch"),
        "trigger": Verb(
            "instants:trigger", "Take a held action, or use fighter's luck.", "unleash", told="acts: {action}"
        ),
        "draw": shared("draw", "hands"),
        "stow": shared("stow", "hands"),
        "reload": Verb("hands:reload", "Reload a weapon.", "load"),
        "cast": shared("cast", "deeds", told=""),
        "act": Verb("deeds:act", "Do something else, described in words.", "do, use", "repeated"),
        "check": shared("check", "rolls"),
        "save": shared("save", "rolls", told="rolls a saving throw"),
        "heal": shared("heal", "hands", told="tends"),
        "rest": shared("rest", "encounter"),
        "morale": Verb(
            "rolls:morale",
            "Check the morale of the game master's characters.",
            traits="gm owed",
            told="checks morale; result retreat: checks morale (or retreat);"
            " result surrender: checks morale (or surrender)",
        ),
        "retreat": Verb("movement:retreat", "Leave the fight.", "flee, escape"),
        "effect": shared("effect", "deeds"),
        "end": shared("end", "encounter"),
    },
    options={
        "individual_initiative": Option(
            False, "Every member of the player side rolls for initiative; one roll for the opponents."
        ),
        "free_attacks": Option(True, "Anyone who leaves contact without a withdrawal may be struck."),
        "opposed_ties": Option(
            "pc", "Who wins a tie of opposed checks: the player character, or both roll again.", ("pc", "reroll")
        ),
        "short_range_inclusive": Option(False, "A shot at exactly the short distance has no -2."),
        "naturals": Option(True, "A natural 1 misses and a natural 20 hits."),
        "min_hit_damage": Option(0, "The least damage of a hit."),
        "charge_min": Option(
            "rate", "The least distance of a charge: the movement rate, or ten feet.", ("rate", "ten-feet")
        ),
    },
    elsewhere={
        "phase": "a round has turns and no phases; use done, pass and round.",
        "declare": "actions are carried out at once; use ready to hold one, act for one without rules.",
        "resolve": "actions are carried out at once.",
        "disengage": "use withdraw, then move --leave all.",
        "parry": "use defend.",
        "pursue": "use move, or check --against NAME for a race.",
        "disarm": "use check --against NAME, then stow NAME ITEM --drop.",
        "set": "there is no weapon to set against a charge; use ready.",
        "face": "facing does not matter.",
        "opportune": "move --leave makes the free attacks; --decline waives them.",
        "sprint": "use move twice, or act for running.",
        "misc": "use act.",
        "pray": "use cast, or act.",
        "terrain": "the game master describes the ground; use move --difficult.",
        "skirmish": "fights are not divided into skirmishes.",
        "pair": "combatants are not paired; contact follows from attacks and moves.",
        "survivors": "there is no mass combat.",
    },
    players=("pc",),
)
