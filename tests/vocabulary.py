"""The words of each rule system that stand in ledgers, besides those that somebody said: what is held, counted, awaited
and rolled for.

Rules look for them in what was recorded, so one that changes makes older ledgers play on differently.
"""

import re

ALWAYS = {"removed", "round-end", "turn-end", "turn-start", "encounter-end", "done", "dead", "a roll"}
WORDS = {
    "aachen": {
        "arbalest empty", "broken", "charging", "crossbow empty", "delaying", "frail", "gone", "grappled", "grappling",
        "mortally wounded", "out of luck", "prone", "retreating", "shock blocked", "stable", "surprised",
        "surrendered", "total defense", "unaware", "withdrawing", "AC", "difficulty",
        "main", "move", "turn", "morale reports", "surprise", "dying", "unconscious",
        "hold", "act:", "check morale:", "until the round ends", "lost", "taken",
        "grapple damage", "initiative", "morale", "reaction", "evasion save", "luck save", "mental save",
        "physical save",
    },
    "arkm": {
        "back to the wall", "barred from attacking", "blow due", "broken", "casting", "charging", "controls", "dazed",
        "disarmed", "entangled", "fleeing", "florentine", "holding", "in flight", "in group", "maintaining", "mounted",
        "off-balance", "parrying", "pinned", "prone", "pursuing", "reloading", "set", "struggling", "stunned",
        "surprised", "temporary damage", "to the death", "unaware", "withdrawing",
        "acted", "after", "ambushed", "apart", "at the flank", "at the rear", "attacked by", "attacks", "attacks left",
        "charge ended short", "closed", "contest", "dissolved", "distance", "distance at least", "drawn",
        "empty-hand dice", "empty-hand points", "faced", "feet", "fights with", "first death", "gap", "half lost",
        "has left", "in hand since", "maintained", "may follow", "met before round", "missiles", "morale made",
        "moved since they met", "number", "parted", "pursuit rolled", "seized", "shield for", "shot before moving",
        "shot from where it stood", "struck twice", "surprise rolled",
        "unconscious", "magic", "melee", "missile", "movement", "morale", "check morale after", "let pass", "over",
        "attack", "attack with two weapons", "breath save", "critical hit", "damage", "damage to self", "death save",
        "footwork", "fumble", "fumble check", "grapple", "hit points", "initiative", "miscast", "morale: start",
        "morale: the first death", "morale: the first death and the loss of half", "morale: upset", "paralysis save",
        "pursuit", "reaction", "reflex save", "spell lost or miscast", "spells save", "stray shot", "stun", "surprise",
        "wands save", "which friend", "which weapon", "wild spell",
    },
    "dungeoneers": {
        "defensive", "grappled", "grappling", "prone", "sprinting", "threatened",
        "armor value", "dodge dice", "dodge die", "movement points", "resistance", "spell pierce dice",
        "spell pierce die", "spell resistance", "threat range", "action", "movement", "reaction", "turn",
        "readied", "window", "attack", "cast", "move", "push", "between turns",
        "gone", "lapsed", "lost", "replaced by another", "resolved", "triggered",
        "dodge", "hit", "overstress", "pierce", "rear", "save", "spell-hit", "spell-pierce", "stress-hit", "tie",
    },
    "freepg": {
        "aloft", "difficult", "fired", "mortally wounded", "opportunity taken", "prone", "rescued", "waiting",
        "attack", "untyped", "action", "swap", "dying", "check", "defense", "initiative", "opposition",
    },
    "paraverse": {
        "attacked", "effect", "advantage all", "advantage ranged", "disadvantage all", "pain", "unconscious",
        "planning", "misc", "magic", "ranged", "melee", "end", "change", "death-check", "death-failure",
        "declared", "fall", "fight", "when the phase closes", "attack", "cast", "check", "disengage", "move", "pass",
        "shoot", "failed", "lost", "the referee says no", "withdrawn",
        "death check", "hit location", "stabilization", "athletics", "cog", "lock-picking", "mercantile",
        "weapon-and-shield", "wil",
    },
}  # fmt: skip
MADE_OF = re.compile(
    r"dropped .+|broken .+|.+ unloaded|before .+|after .+|effect on .+|effect-\d+|waived: .+|(dis)?advantage [a-z,]+"
    r"|[A-Z]{3}/[A-Z][a-z]+|morale: upset, .+"
)
"""Words that hold somebody's name, a thing, or a word of the table."""


def is_known(system: str, word: str) -> bool:
    """Whether a word is one of the rules' own, or is made of one. A system that is listed nowhere can use any word."""
    return system not in WORDS or word in ALWAYS or word in WORDS[system] or bool(MADE_OF.fullmatch(word))
