"""The verbs that every rule system has, and those that several have with the same meaning."""

from typing import Any

from msgspec.structs import replace

from .cards import Verb

COMMON: dict[str, Verb] = {
    "init": Verb(
        "commands.action.common:init", "Open a new ledger.", by="referee", rank="seldom", repeated=True, role="there"
    ),
    "option": Verb(
        "commands.action.common:option", "Set a house rule.", by="referee", repeated=True, also=("houserule", "setting")
    ),
    "join": Verb(
        "commands.action.common:join",
        "Bring combatants to the table.",
        by="referee",
        rank="listed",
        repeated=True,
        role="there",
        also=("add", "spawn", "summon", "enter", "create", "monster"),
    ),
    "unmask": Verb(
        "commands.action.common:unmask",
        "Open somebody's true name to the players.",
        by="referee",
        repeated=True,
        also=("reveal", "unveil", "uncover", "expose", "identify"),
    ),
    "rename": Verb(
        "commands.action.common:rename",
        "Give a combatant another name.",
        by="referee",
        repeated=True,
        also=("call", "name"),
    ),
    "sheet set": Verb(
        "commands.action.stat_blocks:sheet_set",
        "Give somebody at the table a different stat block.",
        by="referee",
        repeated=True,
        role="sets",
    ),
    "leave": Verb(
        "commands.action.common:leave",
        "Take combatants off the table.",
        by="referee",
        repeated=True,
        role="there",
        also=("remove", "delete", "dismiss", "kick"),
    ),
    "seat": Verb(
        "commands.action.seats:seat",
        "Say whom a player plays, from their own phone.",
        by="referee",
        rank="seldom",
        repeated=True,
        role="there",
        beside="commands.seats.links",
        also=("player", "plays", "assign", "controls"),
    ),
    "set-aside": Verb(
        "commands.action.seats:set_aside",
        "Record dice that were thrown and not used.",
        by="referee",
        rank="seldom",
        repeated=True,
        role="aside",
    ),
    "roll": Verb(
        "commands.action.rolling:roll", "Roll dice for anything else.", repeated=True, role="aside", also=("dice",)
    ),
    "note": Verb(
        "commands.action.common:note",
        "Write a note into the record.",
        by="referee",
        repeated=True,
        role="aside",
        also=("#", "say", "write", "remember", "loot", "give"),
    ),
    "mark": Verb(
        "commands.action.marks:mark",
        "Set a bookmark at an entry, or comment on it.",
        by="referee",
        also=("bookmark", "comment"),
        rank="seldom",
        repeated=True,
        role="aside",
        beside="commands.look.marked",
    ),
    "adjust": Verb(
        "commands.action.adjust:adjust",
        "Set a value of a combatant, with a reason.",
        by="referee",
        role="sets",
        also=("set", "change", "place", "put", "teleport", "carry"),
    ),
    "damage": Verb(
        "commands.action.damage:damage",
        "Harm somebody, with a reason.",
        by="referee",
        role="harm",
        also=("hurt", "harm", "pain", "wound", "dmg", "injure"),
    ),
    "dispute": Verb(
        "commands.action.dispute:dispute",
        "Dispute what an entry says.",
        by="referee",
        repeated=True,
        role="aside",
        beside="commands.look.precedents",
    ),
    "settle": Verb(
        "commands.action.dispute:settle",
        "Settle a dispute.",
        by="referee",
        repeated=True,
        role="aside",
        beside="commands.look.precedents",
        also=("overrule", "decide", "judge", "rule", "close", "uphold"),
    ),
    "assert": Verb(
        "commands.action.dispute:assert_",
        "Compare a value with a player's sheet.",
        by="referee",
        repeated=True,
        role="aside",
        beside="commands.look.precedents",
    ),
}
"""The recorded verbs that every rule system has."""
COURSE: dict[str, Verb] = {
    "undo": Verb(
        "commands.past.undo:undo",
        "Take back the last entry, or a given one and all later ones.",
        by="referee",
        past="jumps",
        rank="often",
        repeated=True,
        tells=True,
        also=("oops", "back", "revert", "cancel", "mistake", "wrong"),
    ),
    "redo": Verb(
        "commands.past.undo:redo",
        "Bring back what undo took back.",
        by="referee",
        past="jumps",
        repeated=True,
        tells=True,
        also=("restore", "reapply"),
    ),
    "amend": Verb(
        "commands.past.amend_report:amend",
        "Correct an entry, and resolve all later ones again with the same dice.",
        by="referee",
        past="amends",
        also=("fix", "correct", "repair", "change", "edit", "delete"),
    ),
    "stir": Verb(
        "commands.past.secrets:stir",
        "Begin a new epoch of the dice, with words of the players.",
        by="referee",
        past="lasts",
        repeated=True,
        tells=True,
    ),
    "reveal": Verb(
        "commands.past.secrets:reveal",
        "Open to the players what was hidden from them.",
        by="referee",
        past="lasts",
        repeated=True,
        tells=True,
    ),
}
"""The verbs that are recorded and are no play: they change the course, or what anybody knows of the dice."""
_SHARED: dict[str, Verb] = {
    "attack": Verb(
        ":attack",
        "Attack somebody hand to hand, or execute somebody.",
        rank="often",
        also=("hit", "strike", "stab", "slash", "kill", "fight"),
    ),
    "begin": Verb(
        ":begin",
        "Begin an encounter.",
        by="referee",
        rank="listed",
        repeated=True,
        also=("start", "combat", "encounter"),
    ),
    "cast": Verb(
        ":cast", "Cast a spell, described in words.", rank="listed", told="{spell}", also=("spell", "conjure", "zap")
    ),
    "check": Verb(":check", "Make a skill check, perhaps against somebody.", also=("test", "skill")),
    "defend": Verb(":defend", "Total defense: +2 to Armor Class this round.", also=("dodge", "block", "guard")),
    "disengage": Verb(":disengage", "Leave melee while every foe fights somebody else.", also=("escape", "struggle")),
    "done": Verb(
        ":done",
        "End the turn that is under way.",
        by="turn",
        rank="often",
        repeated=True,
        role="turn-end",
        also=("finish", "skip", "stop", "over", "end turn"),
    ),
    "draw": Verb(
        ":draw", "Ready an item, or pick it up.", repeated=True, also=("equip", "take", "wield", "wear", "get", "grab")
    ),
    "effect": Verb(":effect", "Give somebody an effect for a while, or end one.", by="referee", also=("condition",)),
    "end": Verb(":end", "End the encounter.", by="referee", repeated=True, also=("stop", "finish", "over")),
    "grapple": Verb(
        ":grapple", "Take hold of somebody; escape, drag, let go.", also=("grab", "wrestle", "seize", "tackle")
    ),
    "heal": Verb(
        ":heal",
        "Stabilise the mortally wounded, or heal by magic.",
        rank="begun",
        repeated=True,
        role="helps",
        also=("cure", "treat", "bandage", "stabilise", "mend"),
    ),
    "initiative": Verb(
        ":initiative", "Roll which side acts first.", by="turn", rank="begun", repeated=True, also=("init",)
    ),
    "move": Verb(
        ":move",
        "Move, into contact or out of it.",
        rank="often",
        repeated=True,
        also=("walk", "go", "step", "run", "climb", "march"),
    ),
    "pass": Verb(":pass_", "Give up the turns of some combatants.", role="waiver", also=("wait", "skip", "hold")),
    "prone": Verb(":prone", "Drop prone.", repeated=True, also=("lie", "duck")),
    "rest": Verb(":rest", "Rest for ten minutes, or for a week.", by="referee", repeated=True, also=("sleep", "camp")),
    "round": Verb(":round_", "Begin the next round.", by="turn", rank="begun", repeated=True, also=("next",)),
    "save": Verb(":save", "Make a saving throw.", also=("resist",)),
    "shoot": Verb(
        ":shoot", "Shoot or throw at somebody.", rank="listed", also=("throw", "fire", "loose", "hurl", "volley", "lob")
    ),
    "stand": Verb(":stand", "Stand up.", repeated=True, also=("rise",)),
    "stow": Verb(":stow", "Stow an item, or drop it.", repeated=True, also=("sheathe", "unequip", "drop")),
}
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
