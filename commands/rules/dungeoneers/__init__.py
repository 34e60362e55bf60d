"""Dungeoneers: tiles, facing, and dice by the handful. Names and summaries only; no rule is imported here."""

from commands.action.cards import Option, System, Verb, Window
from commands.action.common_verbs import shared

SYSTEM = System(
    package=__name__,
    title="Dungeoneers",
    credit="Dungeoneers by J. Longnecker, chapter Combat (2024), no licence stated; with its chapters on creatures,"
    " modifications and equipment; set out here in our own words.",
    about="A tile grid: action points, pools of dice, few wounds, stress.",
    verbs={
        "begin": shared("begin", "encounter"),
        "initiative": shared(
            "initiative", "encounter", "Give creatures another initiative score.", traits="begun repeated gm"
        ),
        "round": shared("round", "encounter:round_", "Begin a round."),
        "turn": Verb("encounter:turn", "Begin the next turn.", "next", "turn often repeated", told="begins their turn"),
        "done": shared("done", "encounter"),
        "move": shared("move", "movement", "Move, tile by tile."),
        "face": Verb("movement:face", "Turn to another direction.", "turn, look", "repeated"),
        "prone": shared("prone", "movement"),
        "stand": shared("stand", "movement"),
        "attack": shared("attack", "attack", "Attack somebody with a weapon."),
        "shoot": shared("shoot", "attack", "Attack somebody from afar.", traits=""),
        "cast": shared("cast", "spells", "Cast a spell."),
        "disengage": shared(
            "disengage",
            "basics",
            "Lose threatened, or break free.",
            words="escape, struggle, flee",
            told="disengages",
        ),
        "defend": shared("defend", "basics", "Dodge better until the next turn."),
        "sprint": Verb("basics:sprint", "Gain two movement points.", "dash, hurry, run"),
        "grapple": shared("grapple", "basics", "Take hold of somebody, or let go."),
        "push": Verb("basics:push", "Push somebody back by a tile.", "shove, trip, knock"),
        "ready": Verb(
            "ready:ready",
            "Ready an action for a gap between turns.",
            "prepare, overwatch, delay",
            "listed",
            told="{spell}",
        ),
        "trigger": Verb("ready:trigger", "Take a readied action.", "unleash", told="acts {spell}"),
        "opportune": Verb(
            "answers:opportune",
            "Strike while a window is open.",
            "opportunity, riposte, react",
            "answers begun",
            told="takes the opportunity",
        ),
        "resolve": Verb(
            "movement:resolve", "Go on with the action that an open window holds up.", "continue, skip", "turn answers"
        ),
        "draw": shared("draw", "hands", "Take a carried item in hand, or put it on."),
        "stow": shared("stow", "hands", "Put away an equipped item."),
        "effect": shared("effect", "aid", "Give somebody an effect, or end one.", traits="gm answers"),
        "heal": shared(
            "heal", "aid", "Heal wounds or relieve stress.", traits="begun repeated helps answers", told="is healed"
        ),
        "rest": shared("rest", "aid", "Take a short, long or full rest."),
        "end": shared("end", "encounter"),
    },
    options={
        "initiative_ties": Option(
            "each-round", "Whether ties of initiative are rolled anew each round.", ("each-round", "once")
        ),
        "default_action_points": Option(1, "Action points of a creature whose sheet says nothing."),
        "default_reaction_points": Option(1, "Reaction points of a creature whose sheet says nothing."),
        "minimum_dice": Option(0, "The least number of dice in any pool.", (0, 1)),
        "rear_arc": Option("tile", "Whether the rear is one direction, or that and both beside it.", ("tile", "arc")),
        "stress_hit_die": Option("weapon", "Which dice stress buys: the weapon's hit dice, or d4s.", ("weapon", "d4")),
        "forced_moves_provoke": Option(False, "Anyone who is pushed or dragged out of reach may be struck."),
        "spell_resistance_base": Option("zero", "What natural spell resistance starts from.", ("zero", "resistance")),
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
        "morale": "the game master decides who flees; nothing is rolled.",
        "reaction": "use opportune for the strike that a window offers, trigger for what was readied.",
        "declare": "actions are carried out at once; use ready to keep one for later.",
        "save": "a spell's save is rolled by cast.",
        "check": "checks are outside combat; use roll and note.",
        "pass": "use done to end a turn.",
        "act": "the game master decides what abilities do; use note and adjust NAME action N.",
        "terrain": "the game master describes the ground; do not declare a move into a wall.",
        "skirmish": "fights are not divided into skirmishes.",
        "pair": "creatures are not paired.",
        "survivors": "there is no mass combat.",
    },
    window=Window("dungeoneers.opportune.window", answer="opportune", go_on="resolve", module="walking"),
    players=("dungeoneers",),
    opens="turn",
)
