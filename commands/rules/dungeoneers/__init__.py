"""Dungeoneers: tiles, facing, and dice by the handful. Names and summaries only; no rule is imported here."""

from commands.action.systems import Option, System, Verb, Window

SYSTEM = System(
    package=__name__,
    title="Dungeoneers",
    version=1,
    stat_block="stat_block",
    credit="Dungeoneers by J. Longnecker, chapter Combat (2024), no licence stated; with its chapters on creatures,"
    " modifications and equipment; told here in our own words.",
    about="A tile grid: action points, pools of dice, few wounds, stress.",
    verbs={
        "begin": Verb("encounter", "begin", "Begin an encounter.", by="referee", repeated=True, usual=True),
        "initiative": Verb(
            "encounter",
            "initiative",
            "Give creatures another initiative score.",
            by="referee",
            repeated=True,
            often=True,
        ),
        "round": Verb("encounter", "round_", "Begin a round.", by="turn", repeated=True, often=True),
        "turn": Verb("encounter", "turn", "Begin the next turn.", by="turn", repeated=True, often=True, usual=True),
        "done": Verb(
            "encounter", "done", "End the turn that is under way.", by="turn", repeated=True, often=True, usual=True
        ),
        "move": Verb("movement", "move", "Move, tile by tile.", repeated=True, often=True, usual=True),
        "face": Verb("movement", "face", "Turn to another direction.", repeated=True),
        "prone": Verb("movement", "prone", "Drop prone.", repeated=True),
        "stand": Verb("movement", "stand", "Stand up.", repeated=True),
        "attack": Verb("attack", "attack", "Attack somebody with a weapon.", often=True, usual=True),
        "shoot": Verb("attack", "shoot", "Attack somebody from afar."),
        "cast": Verb("spells", "cast", "Cast a spell.", works="spell", usual=True),
        "disengage": Verb("basics", "disengage", "Lose threatened, or break free."),
        "defend": Verb("basics", "defend", "Dodge better until the next turn."),
        "sprint": Verb("basics", "sprint", "Gain two movement points."),
        "grapple": Verb("basics", "grapple", "Take hold of somebody, or let go."),
        "push": Verb("basics", "push", "Push somebody back by a tile."),
        "ready": Verb("ready", "ready", "Ready an action for a gap between turns.", works="spell", usual=True),
        "trigger": Verb("ready", "trigger", "Take a readied action."),
        "opportune": Verb(
            "answers",
            "opportune",
            "Strike while a window is open.",
            does="takes the opportunity",
            answers=True,
            often=True,
        ),
        "resolve": Verb(
            "movement",
            "resolve",
            "Go on with the action that an open window holds up.",
            by="turn",
            passive=True,
            answers=True,
        ),
        "draw": Verb("hands", "draw", "Take a carried item in hand, or put it on.", repeated=True),
        "stow": Verb("hands", "stow", "Put away an equipped item.", repeated=True),
        "effect": Verb(
            "aid", "effect", "Give somebody an effect, or end one.", by="referee", passive=True, answers=True
        ),
        "heal": Verb("aid", "heal", "Heal wounds or relieve stress.", repeated=True, answers=True, often=True),
        "rest": Verb("aid", "rest", "Take a short, long or full rest.", by="referee", repeated=True),
        "end": Verb("encounter", "end", "End the encounter.", by="referee", repeated=True),
    },
    options={
        "initiative_ties": Option(
            "each-round", ("each-round", "once"), "Whether ties of initiative are rolled anew each round."
        ),
        "default_action_points": Option(1, (), "Action points of a creature whose sheet says nothing."),
        "default_reaction_points": Option(1, (), "Reaction points of a creature whose sheet says nothing."),
        "minimum_dice": Option(0, (0, 1), "The least number of dice in any pool."),
        "rear_arc": Option("tile", ("tile", "arc"), "Whether the rear is one direction, or that and both beside it."),
        "stress_hit_die": Option("weapon", ("weapon", "d4"), "Which dice stress buys: the weapon's hit dice, or d4s."),
        "forced_moves_provoke": Option(
            False, (True, False), "Anyone who is pushed or dragged out of reach may be struck."
        ),
        "spell_resistance_base": Option("zero", ("zero", "resistance"), "What natural spell resistance starts from."),
    },
    elsewhere={
        "parry": "a defender dodges by itself; use defend for one more die.",
        "charge": "use sprint and move, then attack.",
        "withdraw": "use disengage, then move.",
        "retreat": "use disengage, then move.",
        "pursue": "use move.",
        "disarm": "nobody is disarmed; use adjust NAME dropped ITEM@X,Y.",
        "reload": "loading costs nothing.",
        "set": "use ready attack --before NAME.",
        "surprise": "there is no surprise; give initiative scores with initiative.",
        "phase": "a round has turns and no phases; use turn and done.",
        "morale": "nobody's courage is rolled for; the referee decides who flees.",
        "reaction": "use opportune for the strike that a window offers, trigger for what was readied.",
        "declare": "actions are carried out at once; use ready to keep one for later.",
        "save": "a spell's save is rolled by cast.",
        "check": "checks are outside combat; use roll and note.",
        "pass": "use done to end a turn.",
        "act": "what abilities do is the referee's; use note, and adjust NAME action N.",
        "terrain": "the ground is the referee's: a move into a wall is not declared.",
        "skirmish": "fights are not divided into skirmishes.",
        "pair": "creatures are not paired.",
        "survivors": "there is no mass combat.",
    },
    window=Window("dungeoneers.opportune.window", answer="opportune", go_on="resolve", module="walking"),
    players=("dungeoneers",),
)
