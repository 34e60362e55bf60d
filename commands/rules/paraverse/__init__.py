"""Paraverse: everybody acts at once, in six phases. Names and summaries only; no rule is imported here."""

from commands.action.cards import Option, System, Verb
from commands.action.common_verbs import shared

SYSTEM = System(
    package=__name__,
    title="Paraverse",
    credit="Paraverse by seance, chapter Combat (2018), CC BY-SA 4.0; what it leaves open is filled from the game's"
    " other chapters. Told here in our own words.",
    about="No initiative: all declare, then act at once; pain and wounds.",
    verbs={
        "begin": shared("begin", "encounter", "Begin an encounter, in one or more areas."),
        "round": shared(
            "round", "phases:round_", "Open the next round, in its planning phase.", traits="turn repeated often"
        ),
        "draw": shared("draw", "drawing", "Draw a weapon or switch to another: free, once a round."),
        "declare": Verb("combat:declare", "Declare what somebody tries to do this round.", "plan, intend"),
        "attack": shared("attack", "combat", "Attack somebody in melee."),
        "shoot": shared("shoot", "combat"),
        "move": shared("move", "combat", "Move to an adjacent area."),
        "cast": shared("cast", "magic", "Cast a spell, and record what comes of it.", traits=""),
        "pray": Verb("magic:pray", "Pray, and record what comes of it.", "invoke", told="prays for {prayer}"),
        "check": shared("check", "combat", "Try a skill."),
        "misc": Verb("combat:misc", "Do something else, described in words.", "do, use", told="acts: {outcome}"),
        "disengage": shared(
            "disengage", "combat", "Try to get away from all opponents.", words="escape, struggle, flee"
        ),
        "pass": shared("pass", "combat:pass_", "Do nothing but fight back."),
        "defend": shared("defend", "combat:pass_", "The same as pass."),
        "phase": Verb("phases:phase", "Open the next phase, or a later one.", "next, continue", "turn often repeated"),
        "skirmish": Verb(
            "combat:skirmish", "Pick an opponent in the melee phase.", "pick, choose, pair, match, face", told="fights"
        ),
        "resolve": Verb(
            "resolve:resolve", "Resolve what was declared for this phase.", "fight", "turn listed massed repeated"
        ),
        "effect": shared("effect", "magic", "Give somebody an effect, from any cause, or end one."),
        "heal": shared("heal", "healing", "Ease pain, or treat a critical wound.", traits="begun helps gm"),
        "end": shared("end", "encounter"),
        "rest": shared("rest", "healing", "Rest for a watch or more."),
        "save": shared("save", "healing", "Roll the death check of somebody who is dying.", told="rolls a death check"),
    },
    options={
        "engagement": Option(True, "Opponents of a skirmish stay engaged, and cannot just walk away."),
        "critical_wound_effects": Option(True, "Critical wounds hinder, bleed, knock out and kill."),
        "wound_table": Option("seed", "Whether only a bleeder bleeds, or other wounds too.", ("seed", "later")),
        "incapacitation": Option(True, "Anyone whose pain uses up their Endurance falls."),
        "watches_a_day": Option(6, "Watches in a day of rest."),
        "bleeding_pain": Option(1, "Pain of a bleeding character in each end phase."),
        "shield_soak": Option(False, "A shield in use lessens damage too."),
        "critical_hits": Option(False, "A natural 20 on one side alone wins a skirmish."),
        "skirmish_difference": Option(
            "sides", "Whether the loser's result is its side's best or the victim's own.", ("sides", "victim")
        ),
        "tie_multiplier": Option(1, "Damage multiplier of a skirmish that is won on natural dice."),
        "move_and_melee": Option(True, "Anyone who moved into an area may fight there in the same round."),
        "busy_defence": Option(
            "evade",
            "What shooters and casters do when attacked in melee; with nothing but a bow in hand they evade.",
            ("evade", "fight"),
        ),
        "ranged_targeting": Option(True, "How far arrows and thrown weapons reach, in areas."),
        "stray_shots": Option(False, "A miss at somebody engaged may hit another."),
        "fatigue_in_checks": Option(True, "Pain is subtracted from checks."),
        "players_first": Option(True, "Player characters pick their opponents first."),
    },
    elsewhere={
        "initiative": "paraverse.round.simultaneous: everybody acts at the same time; use round, then declare.",
        "turn": "paraverse.round.simultaneous: everybody acts at the same time; use declare, phase and resolve.",
        "done": "paraverse.round.simultaneous: everybody acts at the same time, without turns; use phase.",
        "surprise": "use effect NAME --name surprised --gives all:dis --rounds 1.",
        "charge": "use attack, or move AREA --engage NAME to get into another area first.",
        "parry": "everybody in a skirmish defends by rolling; there is nothing to choose.",
        "push": "use misc or check for the attempt, and adjust NAME area for the result.",
        "grapple": "use misc or check for the attempt, and effect for the result.",
        "disarm": "use misc for the attempt, and adjust NAME no-equipped WEAPON for the result.",
        "morale": "the game master decides who flees; nothing is rolled.",
        "reaction": "the game master decides how strangers react; use note to record it.",
        "pursue": "there are no chases; use move.",
        "retreat": "use disengage, and move in the next round.",
        "withdraw": "use disengage, and move in the next round.",
        "reload": "weapons need no reloading.",
        "ready": "actions are declared in planning and not kept for later; use draw for a weapon.",
        "stow": "a weapon is put away by drawing another; use draw.",
        "trigger": "actions are declared in planning and not kept for later; use declare.",
        "set": "there is no weapon to set against a charge.",
        "face": "facing does not matter.",
        "prone": "posture does not matter; use effect for what hinders somebody.",
        "stand": "posture does not matter; use effect NAME --end EFFECT for what hindered somebody.",
        "opportune": "leaving a skirmish needs disengage; nobody strikes in between.",
        "pair": "use skirmish, or let resolve form them.",
        "survivors": "there is no mass combat.",
    },
)
