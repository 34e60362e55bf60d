"""The verbs that every rule system has, and those that several have with the same meaning."""

from typing import Any

from msgspec.structs import replace

from .cards import Hints, Verb

PHRASES = {
    "unseating": "seat --nobody",
    "house-rules": "rules options",
    "creatures": "sheets",
    "every-verb": "help all",
    "saving-all": "copy",
    "toll": "stats damage",
    "order-of-turns": "status",
    "record": "log",
    "whole-record": "log --last 0",
    "seats": "seats",
}
"""What sayings of the table mean in every rule system, as `System.phrases`."""
COMMON: dict[str, Verb] = {
    "init": Verb(
        "commands.action.common:init", "Open a new ledger.", by="referee", rank="seldom", repeated=True, role="there"
    ),
    "option": Verb(
        "commands.action.common:option",
        "Set a house rule.",
        by="referee",
        repeated=True,
        hints=Hints(perhaps=("house rule", "houserule", "setting"), lists="rules options"),
    ),
    "join": Verb(
        "commands.action.common:join",
        "Bring combatants to the table.",
        by="referee",
        also=("add", "spawn", "summon"),
        rank="listed",
        repeated=True,
        role="there",
        hints=Hints(
            perhaps=("enter", "create", "monster", "put", "bring in", "init add"),
            alone=("count", "called"),
            lists="sheets",
        ),
    ),
    "unmask": Verb(
        "commands.action.common:unmask",
        "Open somebody's true name to the players.",
        by="referee",
        repeated=True,
        hints=Hints(perhaps=("reveal", "unveil", "uncover", "expose", "identify")),
    ),
    "rename": Verb(
        "commands.action.common:rename",
        "Give a combatant another name.",
        by="referee",
        repeated=True,
        hints=Hints(perhaps=("call", "name")),
    ),
    "sheet set": Verb(
        "commands.action.stat_blocks:sheet_set",
        "Give somebody at the table another stat block.",
        by="referee",
        repeated=True,
        role="sets",
    ),
    "leave": Verb(
        "commands.action.common:leave",
        "Take combatants off the table.",
        by="referee",
        also=("remove", "delete", "dismiss"),
        repeated=True,
        role="there",
        hints=Hints(perhaps=("kick", "kick out", "flee", "escape", "clear", "off")),
    ),
    "seat": Verb(
        "commands.action.seats:seat",
        "Say whom a player plays, from their own phone.",
        by="referee",
        rank="seldom",
        repeated=True,
        role="there",
        beside="commands.seats.links",
        hints=Hints(perhaps=("player", "plays", "assign", "played by", "controls")),
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
        "commands.action.rolling:roll",
        "Roll dice for anything else.",
        repeated=True,
        role="aside",
        hints=Hints(perhaps=("dice", "throw dice", "roll dice")),
    ),
    "note": Verb(
        "commands.action.common:note",
        "Write a note into the record.",
        by="referee",
        also=("#", "say", "write"),
        repeated=True,
        role="aside",
        hints=Hints(perhaps=("write down", "remember", "loot", "give", "xp", "gold", "treasure")),
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
        also=("set", "change"),
        role="sets",
        hints=Hints(
            perhaps=(
                "place",
                "put",
                "teleport",
                "carry",
                "heal",
                "regain",
                "has",
                "hp",
                "gain",
                "give",
                "get",
                "edit",
                "restore",
                "level up",
            )
        ),
    ),
    "damage": Verb(
        "commands.action.damage:damage",
        "Harm somebody, with a reason.",
        by="referee",
        also=("hurt", "harm", "pain", "wound", "dmg", "injure"),
        role="harm",
        hints=Hints(
            perhaps=("take damage", "takes", "burn", "deal", "deal damage", "lose", "loses", "hp", "bleed", "poison")
        ),
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
        hints=Hints(
            perhaps=(
                "overrule",
                "decide",
                "judge",
                "rule",
                "close",
                "uphold",
                "upheld",
                "close dispute",
                "uphold the dispute",
                "dispute is upheld",
                "close the dispute",
                "end dispute",
                "reject dispute",
                "resolve dispute",
            ),
            lists="disputes",
        ),
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
        hints=Hints(
            perhaps=(
                "oops",
                "back",
                "take back",
                "go back",
                "revert",
                "cancel",
                "mistake",
                "wrong",
                "undo that",
                "rewind",
                "rollback",
                "roll back",
                "reroll",
                "restart",
                "take that back",
                "take it back",
            )
        ),
    ),
    "redo": Verb(
        "commands.past.undo:redo",
        "Bring back what undo took back.",
        by="referee",
        past="jumps",
        repeated=True,
        tells=True,
        hints=Hints(perhaps=("restore", "reapply")),
    ),
    "amend": Verb(
        "commands.past.amend:amend",
        "Correct an entry, and resolve all later ones again on the same dice.",
        by="referee",
        past="amends",
        hints=Hints(perhaps=("fix", "correct", "repair", "change entry", "change", "edit", "delete", "remove")),
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
        hints=Hints(ideas=("blow",), near="shoot", blow=True),
    ),
    "begin": Verb(
        ":begin",
        "Begin an encounter.",
        by="referee",
        rank="listed",
        repeated=True,
        hints=Hints(ideas=("fight-begins",)),
    ),
    "cast": Verb(
        ":cast", "Cast a spell, described in words.", rank="listed", told="{spell}", hints=Hints(ideas=("magic",))
    ),
    "check": Verb(":check", "Make a skill check, perhaps against somebody.", hints=Hints(ideas=("trial",))),
    "defend": Verb(":defend", "Total defense: +2 to Armor Class this round.", hints=Hints(ideas=("guard",))),
    "disengage": Verb(
        ":disengage", "Leave melee while every foe fights somebody else.", hints=Hints(ideas=("escaping",))
    ),
    "done": Verb(
        ":done",
        "End the turn that is under way.",
        by="turn",
        rank="often",
        repeated=True,
        role="turn-end",
        hints=Hints(ideas=("turn-over",)),
    ),
    "draw": Verb(":draw", "Ready an item, or pick it up.", repeated=True, hints=Hints(ideas=("taking",))),
    "effect": Verb(
        ":effect", "Give somebody an effect for a while, or end one.", by="referee", hints=Hints(ideas=("curse",))
    ),
    "end": Verb(":end", "End the encounter.", by="referee", repeated=True, hints=Hints(ideas=("fight-over",))),
    "grapple": Verb(":grapple", "Take hold of somebody; escape, drag, let go.", hints=Hints(ideas=("holding",))),
    "heal": Verb(
        ":heal",
        "Stabilise the mortally wounded, or heal by magic.",
        rank="begun",
        repeated=True,
        hints=Hints(ideas=("healing",), friendly=True),
    ),
    "initiative": Verb(
        ":initiative",
        "Roll which side acts first.",
        by="turn",
        rank="begun",
        repeated=True,
        hints=Hints(ideas=("first-turn",)),
    ),
    "move": Verb(
        ":move", "Move, into contact or out of it.", rank="often", repeated=True, hints=Hints(ideas=("step", "flight"))
    ),
    "pass": Verb(":pass_", "Give up the turns of some combatants.", role="waiver", hints=Hints(ideas=("idling",))),
    "prone": Verb(":prone", "Drop prone.", repeated=True, hints=Hints(ideas=("lying",))),
    "rest": Verb(
        ":rest", "Rest for ten minutes, or for a week.", by="referee", repeated=True, hints=Hints(ideas=("sleep",))
    ),
    "round": Verb(
        ":round_", "Begin the next round.", by="turn", rank="begun", repeated=True, hints=Hints(ideas=("new-round",))
    ),
    "save": Verb(":save", "Make a saving throw.", hints=Hints(ideas=("saving",))),
    "shoot": Verb(":shoot", "Shoot or throw at somebody.", rank="listed", hints=Hints(ideas=("shot",), near="attack")),
    "stand": Verb(":stand", "Stand up.", repeated=True, hints=Hints(ideas=("rising",))),
    "stow": Verb(":stow", "Stow an item, or drop it.", repeated=True, hints=Hints(ideas=("stowing",))),
}
"""The verbs that three rule systems or more have, each with its procedure."""


def shared(name: str, module: str, summary: str = "", **traits: Any) -> Verb:
    """A verb that several rule systems have, in a module of one of them, which may say what it does in its own words,
    and differ in other `traits`. A procedure of another name stands behind the module: `stances:wait`.
    """
    card = _SHARED[name]
    where = module if ":" in module else module + card.where
    return replace(card, where=where, summary=summary or card.summary, **traits)
