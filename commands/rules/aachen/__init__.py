"""Aachen: two sides, one d20 against an Armor Class, and shock. Names and summaries only; no rule is imported here."""

from commands.action.systems import Option, System, Verb

SYSTEM = System(
    package=__name__,
    title="Aachen",
    pasted="pasted",
    credit="Aachen by John Mettraux, chapter Combat (a draft, 2021), CC BY-SA 4.0; what it leaves open is"
    " filled from the game's other chapters and from the family of games it is modelled on. Told here in our own"
    " words.",
    about="Two sides take turns: d20 against armor class, shock, morale.",
    rests="rest {who} --days {days}",
    verbs={
        "begin": Verb(
            "encounter",
            "begin",
            "Begin an encounter.",
            by="referee",
            repeated=True,
            usual=True,
            ideas=("fight-begins",),
        ),
        "reaction": Verb(
            "rolls", "reaction", "Roll the reaction of the other party.", by="referee", passive=True, ideas=("parley",)
        ),
        "surprise": Verb(
            "encounter", "surprise", "Roll whether a side surprises the other.", by="referee", ideas=("ambush",)
        ),
        "initiative": Verb(
            "rounds",
            "initiative",
            "Roll which side acts first.",
            by="turn",
            repeated=True,
            often=True,
            ideas=("first-turn",),
        ),
        "round": Verb(
            "rounds", "round_", "Begin the next round.", by="turn", repeated=True, often=True, ideas=("new-round",)
        ),
        "turn": Verb(
            "rounds",
            "turn",
            "Begin a turn, or delay it until after another's.",
            by="turn",
            repeated=True,
            often=True,
            usual=True,
            ideas=("new-turn",),
        ),
        "done": Verb(
            "rounds",
            "done",
            "End the turn that is under way.",
            by="turn",
            ends_turn=True,
            repeated=True,
            often=True,
            usual=True,
            ideas=("turn-over",),
        ),
        "pass": Verb("rounds", "pass_", "Give up the turns of some combatants.", gives_up=True, ideas=("idling",)),
        "move": Verb(
            "movement",
            "move",
            "Move, into contact or out of it.",
            repeated=True,
            often=True,
            usual=True,
            ideas=("step",),
        ),
        "withdraw": Verb(
            "movement", "withdraw", "Make a fighting withdrawal: leave contact safely this turn.", ideas=("backing",)
        ),
        "stand": Verb("movement", "stand", "Stand up.", repeated=True, ideas=("rising",)),
        "prone": Verb("movement", "prone", "Drop prone.", repeated=True, ideas=("lying",)),
        "attack": Verb(
            "attack",
            "attack",
            "Attack somebody hand to hand, or execute somebody.",
            often=True,
            usual=True,
            blow=True,
            near="shoot",
            ideas=("blow",),
        ),
        "shoot": Verb("attack", "shoot", "Shoot or throw at somebody.", usual=True, near="attack", ideas=("shot",)),
        "charge": Verb("attack", "charge", "Run at somebody and attack.", ideas=("onrush",)),
        "defend": Verb("instants", "defend", "Total defense: +2 to Armor Class this round.", ideas=("guard",)),
        "push": Verb("hands", "push", "Shove somebody back, or to the ground.", ideas=("shoving",)),
        "grapple": Verb("hands", "grapple", "Take hold of somebody; escape, drag, let go.", ideas=("holding",)),
        "ready": Verb("instants", "ready", "Hold the main action for later in the round.", ideas=("waiting",)),
        "trigger": Verb("instants", "trigger", "Take a held action, or use fighter's luck.", ideas=("release",)),
        "draw": Verb("hands", "draw", "Ready an item, or pick it up.", repeated=True, ideas=("taking",)),
        "stow": Verb("hands", "stow", "Stow an item, or drop it.", repeated=True, ideas=("stowing",)),
        "reload": Verb("hands", "reload", "Reload a weapon.", ideas=("loading",)),
        "cast": Verb("deeds", "cast", "Cast a spell, described in words.", usual=True, ideas=("magic",)),
        "act": Verb("deeds", "act", "Do something else, described in words.", repeated=True, ideas=("deed",)),
        "check": Verb("rolls", "check", "Make a skill check, perhaps against somebody.", ideas=("trial",)),
        "save": Verb("rolls", "save", "Make a saving throw.", ideas=("saving",)),
        "heal": Verb(
            "hands",
            "heal",
            "Stabilise the mortally wounded, or heal by magic.",
            repeated=True,
            often=True,
            friendly=True,
            ideas=("healing",),
        ),
        "rest": Verb(
            "encounter", "rest", "Rest for ten minutes, or for a week.", by="referee", repeated=True, ideas=("sleep",)
        ),
        "morale": Verb(
            "rolls",
            "morale",
            "Check the morale of the referee's characters.",
            by="referee",
            passive=True,
            owed=True,
            ideas=("courage",),
        ),
        "retreat": Verb("movement", "retreat", "Leave the fight.", ideas=("flight",)),
        "effect": Verb(
            "deeds",
            "effect",
            "Give somebody an effect for a while, or end one.",
            by="referee",
            passive=True,
            ideas=("curse",),
        ),
        "end": Verb("encounter", "end", "End the encounter.", by="referee", repeated=True, ideas=("fight-over",)),
    },
    options={
        "individual_initiative": Option(
            False, (True, False), "Every member of the player side rolls for initiative; the opposition rolls once."
        ),
        "free_attacks": Option(True, (True, False), "Anyone who leaves contact without a withdrawal may be struck."),
        "opposed_ties": Option(
            "pc", ("pc", "reroll"), "Who wins a tie of opposed checks: the player character, or both roll again."
        ),
        "short_range_inclusive": Option(False, (True, False), "A shot at exactly the short distance has no -2."),
        "naturals": Option(True, (True, False), "A natural 1 misses and a natural 20 hits."),
        "min_hit_damage": Option(0, (), "The least damage of a hit."),
        "charge_min": Option(
            "rate", ("rate", "ten-feet"), "The least distance of a charge: the movement rate, or ten feet."
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
        "terrain": "the ground is the referee's; use move --difficult.",
        "skirmish": "fights are not divided into skirmishes.",
        "pair": "combatants are not paired; contact follows from attacks and moves.",
        "survivors": "there is no mass combat.",
    },
    phrases={
        "swooning": "adjust down unconscious",
        "lying": "adjust condition prone",
        "giving-up": "adjust condition surrendered",
        "all-pass": "pass @due",
        "stealth": "check DEX sneak",
        "noticing": "check WIS notice",
        "climbing": "check STR exert",
        "swimming": "check STR exert",
        "leaping": "check STR exert",
        "getting-free": "grapple --escape",
        "letting-go": "grapple --release",
    },
    players=("pc",),
)
