"""The verbs that every rule system has, and those that several have with the same meaning."""

from typing import Any

from msgspec.structs import replace

from .cards import Verb


def _card(where: str, summary: str, also: str = "", **traits: Any) -> Verb:
    """A card, with commas between the other words that mean its verb."""
    return Verb(where, summary, also=tuple(also.split(", ")) if also else (), **traits)


def _decree(where: str, summary: str, also: str = "", **traits: Any) -> Verb:
    """The card of what the game master says, and of which its events say all, unless its traits say otherwise. A module
    without dots is one of this room.
    """
    module = f"commands.{where}" if "." in where else f"commands.action.{where}"
    return _card(module, summary, also, **{"by": "gm", "repeated": True, **traits})


_CASES = "commands.look.precedents"
"""What looks for the disputes of the past."""


COMMON: dict[str, Verb] = {
    "init": _decree("common:init", "Open a new ledger.", rank="seldom", role="there"),
    "option": _decree("common:option", "Set a house rule.", "houserule, setting"),
    "join": _decree("common:join", "Bring combatants into play.", "add, spawn, summon, enter, create, monster",
        rank="listed", role="there"),
    "unmask": _decree("common:unmask", "Open somebody's true name to the players.",
        "reveal, unveil, uncover, expose, identify"),
    "rename": _decree("common:rename", "Give a combatant another name.", "call, name"),
    "sheet set": _decree("stat_blocks:sheet_set", "Give somebody at the table a different stat block.", role="sets"),
    "leave": _decree("common:leave", "Take combatants off the table.", "remove, delete, dismiss, kick", role="there"),
    "seat": _decree("seats:seat", "Say whom a player plays, from their own phone.", "player, plays, assign, controls",
        rank="seldom", role="there", beside="commands.seats.links"),
    "set-aside": _decree("seats:set_aside", "Record dice that were thrown and not used.", rank="seldom", role="aside"),
    "roll": _decree("rolling:roll", "Roll dice for anything else.", "dice", by="combatant", role="aside"),
    "note": _decree("common:note", "Write a note into the record.", "#, say, write, remember, loot, give",
        role="aside"),
    "mark": _decree("marks:mark", "Set a bookmark at an entry, or comment on it.", "bookmark, comment", rank="seldom",
        role="aside", beside="commands.look.marked"),
    "adjust": _decree("adjust:adjust", "Set a value of a combatant, with a reason.",
        "set, change, place, put, teleport, carry", repeated=False, role="sets"),
    "damage": _decree("damage:damage", "Harm somebody, with a reason.", "hurt, harm, pain, wound, dmg, injure",
        repeated=False, role="harm"),
    "dispute": _decree("dispute:dispute", "Dispute what an entry says.", role="aside", beside=_CASES),
    "settle": _decree("dispute:settle", "Settle a dispute.", "overrule, decide, judge, rule, close, uphold",
        role="aside", beside=_CASES),
    "assert": _decree("dispute:assert_", "Compare a value with a player's sheet.", role="aside", beside=_CASES),
}  # fmt: skip
"""The recorded verbs that every rule system has."""
COURSE: dict[str, Verb] = {
    "undo": _decree("past.undo:undo", "Take back the last entry, or a given one and all later ones.",
        "oops, back, revert, cancel, mistake, wrong", past="jumps", rank="often", tells=True),
    "redo": _decree("past.undo:redo", "Bring back what undo took back.", "restore, reapply", past="jumps", tells=True),
    "amend": _decree("past.amend_report:amend",
        "Correct an entry, and resolve all later ones again with the same dice.",
        "fix, correct, repair, change, edit, delete", past="amends", repeated=False),
    "stir": _decree("past.secrets:stir", "Begin a new epoch of the dice, with words of the players.", past="lasts",
        tells=True),
    "reveal": _decree("past.secrets:reveal", "Open to the players what was hidden from them.", past="lasts",
        tells=True),
}  # fmt: skip
"""The verbs that are recorded and are no play: they change the course, or what anybody knows of the dice."""
_SHARED: dict[str, Verb] = {
    "attack": _card(":attack", "Attack somebody hand to hand, or execute somebody.",
        "hit, strike, stab, slash, kill, fight", rank="often"),
    "begin": _card(":begin", "Begin an encounter.", "start, combat, encounter", by="gm", rank="listed",
        repeated=True),
    "cast": _card(":cast", "Cast a spell, described in words.", "spell, conjure, zap", rank="listed", told="{spell}"),
    "check": _card(":check", "Make a skill check, perhaps against somebody.", "test, skill"),
    "defend": _card(":defend", "Total defense: +2 to Armor Class this round.", "dodge, block, guard"),
    "disengage": _card(":disengage", "Leave melee while every foe fights somebody else.", "escape, struggle"),
    "done": _card(":done", "End the turn that is under way.", "finish, skip, stop, over, end turn", by="turn",
        rank="often", repeated=True, role="turn-end"),
    "draw": _card(":draw", "Ready an item, or pick it up.", "equip, take, wield, wear, get, grab", repeated=True),
    "effect": _card(":effect", "Give somebody an effect for a while, or end one.", "condition", by="gm"),
    "end": _card(":end", "End the encounter.", "stop, finish, over", by="gm", repeated=True),
    "grapple": _card(":grapple", "Take hold of somebody; escape, drag, let go.", "grab, wrestle, seize, tackle",
        told="; contest: contests the hold; escape: tries to break free; release: lets go"
            "; drag back: tries to drag the one they hold; drag throw: tries to throw the one they hold"),
    "heal": _card(":heal", "Stabilise the mortally wounded, or heal by magic.", "cure, treat, bandage, stabilise, mend",
        rank="begun", repeated=True, role="helps"),
    "initiative": _card(":initiative", "Roll which side acts first.", "init", by="turn", rank="begun", repeated=True),
    "move": _card(":move", "Move, into contact or out of it.", "walk, go, step, run, climb, march", rank="often",
        repeated=True),
    "pass": _card(":pass_", "Give up the turns of some combatants.", "wait, skip, hold", role="waiver"),
    "prone": _card(":prone", "Drop prone.", "lie, duck", repeated=True),
    "rest": _card(":rest", "Rest for ten minutes, or for a week.", "sleep, camp", by="gm", repeated=True),
    "round": _card(":round_", "Begin the next round.", "next", by="turn", rank="begun", repeated=True),
    "save": _card(":save", "Make a saving throw.", "resist"),
    "shoot": _card(":shoot", "Shoot or throw at somebody.", "throw, fire, loose, hurl, volley, lob", rank="listed"),
    "stand": _card(":stand", "Stand up.", "rise", repeated=True),
    "stow": _card(":stow", "Stow an item, or drop it.", "sheathe, unequip, drop", repeated=True),
}  # fmt: skip
"""The verbs that three rule systems or more have, each with its procedure."""


def shared(name: str, module: str, summary: str = "", **traits: Any) -> Verb:
    """A verb that several rule systems have, in a module of one of them, which may say what it does in its own words,
    and differ in other `traits`. A procedure of another name stands behind the module: `stances:wait`.
    """
    card = _SHARED[name]
    where = module if ":" in module else module + card.where
    return replace(card, where=where, summary=summary or card.summary, **traits)


def ends_turn(name: str) -> bool:
    """Whether a verb ends a turn, or gives way to the next place in the order, in any rule system."""
    return name in _SHARED and _SHARED[name].role == "turn-end"
