"""The verbs that every rule system has, and those that several have with the same meaning."""

from typing import Any

from .cards import Verb


def _decree(where: str, summary: str, words: str = "", traits: str = "repeated", beside: str = "") -> Verb:
    """The card of what the game master says. A module without dots is one of this room."""
    module = f"commands.{where}" if "." in where else f"commands.action.{where}"
    return Verb(module, summary, words, f"gm {traits}", beside=beside)


_CASES = "commands.look.precedents"
"""What looks for the disputes of the past."""


COMMON: dict[str, Verb] = {
    "init": _decree("common:init", "Open a new ledger.", traits="seldom there repeated"),
    "option": _decree("common:option", "Set a house rule.", "houserule, setting"),
    "join": _decree(
        "common:join",
        "Bring combatants into play.",
        "add, spawn, summon, enter, create, monster",
        "listed there repeated",
    ),
    "unmask": _decree(
        "common:unmask", "Open somebody's true name to the players.", "reveal, unveil, uncover, expose, identify"
    ),
    "rename": _decree("common:rename", "Give a combatant another name.", "call, name"),
    "sheet set": _decree(
        "stat_blocks:sheet_set", "Give somebody at the table a different stat block.", traits="sets repeated"
    ),
    "leave": _decree(
        "common:leave", "Take combatants off the table.", "remove, delete, dismiss, kick", "there repeated"
    ),
    "seat": _decree(
        "seats:seat",
        "Say whom a player plays, from their own phone.",
        "player, plays, assign, controls",
        "seldom there repeated",
        beside="commands.seats.links",
    ),
    "set-aside": _decree(
        "seats:set_aside", "Record dice that were thrown and not used.", traits="seldom aside repeated"
    ),
    "roll": Verb("commands.action.rolling:roll", "Roll dice for anything else.", "dice", "aside repeated"),
    "note": _decree(
        "common:note", "Write a note into the record.", "#, say, write, remember, loot, give", "aside repeated"
    ),
    "mark": _decree(
        "marks:mark",
        "Set a bookmark at an entry, or comment on it.",
        "bookmark, comment",
        "seldom aside repeated",
        beside="commands.look.marked",
    ),
    "adjust": _decree(
        "adjust:adjust",
        "Set a value of a combatant, with a reason.",
        "set, change, place, put, teleport, carry",
        "sets",
    ),
    "damage": _decree("damage:damage", "Harm somebody, with a reason.", "hurt, harm, pain, wound, dmg, injure", "harm"),
    "dispute": _decree("dispute:dispute", "Dispute what an entry says.", traits="aside repeated", beside=_CASES),
    "settle": _decree(
        "dispute:settle",
        "Settle a dispute.",
        "overrule, decide, judge, rule, close, uphold",
        "aside repeated",
        beside=_CASES,
    ),
    "assert": _decree(
        "dispute:assert_", "Compare a value with a player's sheet.", traits="aside repeated", beside=_CASES
    ),
}
"""The recorded verbs that every rule system has."""
COURSE: dict[str, Verb] = {
    "undo": _decree(
        "past.undo:undo",
        "Take back the last entry, or a given one and all later ones.",
        "oops, back, revert, cancel, mistake, wrong",
        "jumps often tells repeated",
    ),
    "redo": _decree("past.undo:redo", "Bring back what undo took back.", "restore, reapply", "jumps tells repeated"),
    "amend": _decree(
        "past.amend_report:amend",
        "Correct an entry, and resolve all later ones again with the same dice.",
        "fix, correct, repair, change, edit, delete",
        "amends",
    ),
    "stir": _decree(
        "past.secrets:stir", "Begin a new epoch of the dice, with words of the players.", traits="lasts tells repeated"
    ),
    "reveal": _decree(
        "past.secrets:reveal", "Open to the players what was hidden from them.", traits="lasts tells repeated"
    ),
}
"""The verbs that are recorded and are no play: they change the course, or what anybody knows of the dice."""
_SHARED: dict[str, tuple[str, str, str]] = {
    "attack": ("Attack somebody in melee, or execute somebody.", "hit, strike, stab, slash, kill, fight", "often"),
    "begin": ("Begin an encounter.", "start, combat, encounter", "gm listed repeated"),
    "cast": ("Cast a spell, described in words.", "spell, conjure, zap", "listed"),
    "check": ("Make a skill check, perhaps against somebody.", "test, skill", ""),
    "defend": ("Total defense: +2 to Armor Class this round.", "dodge, block, guard", ""),
    "disengage": ("Leave melee while every foe fights somebody else.", "escape, struggle", ""),
    "done": ("End the turn that is under way.", "finish, skip, stop, over, end turn", "turn often repeated turn-end"),
    "draw": ("Ready an item, or pick it up.", "equip, take, wield, wear, get, grab", "repeated"),
    "effect": ("Give somebody an effect for a while, or end one.", "condition", "gm"),
    "end": ("End the encounter.", "stop, finish, over", "gm repeated"),
    "grapple": ("Take hold of somebody; escape, drag, let go.", "grab, wrestle, seize, tackle", ""),
    "heal": (
        "Stabilise the mortally wounded, or heal by magic.",
        "cure, treat, bandage, stabilise, mend",
        "begun repeated helps",
    ),
    "initiative": ("Roll which side acts first.", "init", "turn begun repeated"),
    "move": ("Move, into contact or out of it.", "walk, go, step, run, climb, march", "often repeated"),
    "pass": ("Give up the turns of some combatants.", "wait, skip, hold", "waiver"),
    "prone": ("Drop prone.", "lie, duck", "repeated"),
    "rest": ("Rest for ten minutes, or for a week.", "sleep, camp", "gm repeated"),
    "round": ("Begin the next round.", "next", "turn begun repeated"),
    "save": ("Make a saving throw.", "resist", ""),
    "shoot": ("Shoot or throw at somebody.", "throw, fire, loose, hurl, volley, lob", "listed"),
    "stand": ("Stand up.", "rise", "repeated"),
    "stow": ("Stow an item, or drop it.", "sheathe, unequip, drop", "repeated"),
}
"""The verbs that three rule systems or more have: what each does, its other words, and its traits."""
_TOLD = {
    "cast": "{spell}",
    "shoot": "shoots at",
    "prone": "drops prone",
    "grapple": "; contest: contests the hold; escape: tries to break free; release: lets go"
    "; drag back: tries to drag the one they hold; drag throw: tries to throw the one they hold",
}
"""How they are told, where not by their names."""


def shared(name: str, module: str, summary: str = "", **traits: Any) -> Verb:
    """A verb that several rule systems have, in a module of one of them, which may say in its own words what it does,
    and differ in other fields of its card. A procedure of another name stands behind the module: `stances:wait`.
    """
    does, words, usual = _SHARED[name]
    where = module if ":" in module else f"{module}:{name}"
    told = _TOLD.get(name, "")
    return Verb(where, summary or does, **{"words": words, "traits": usual, "told": told, **traits})


def ends_turn(name: str) -> bool:
    """Whether a verb ends a turn, or gives way to the next place in the order, in any rule system."""
    return name in _SHARED and "turn-end" in _SHARED[name][2]
