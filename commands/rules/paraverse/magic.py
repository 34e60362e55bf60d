"""Magic, prayer, and effects of whatever cause: the game master says what happens."""

from typing import Annotated, Literal

from commands.action import effects
from commands.action.declaration import AnyOrder, Count, Declaration, Fighter, Fighters, says
from commands.action.modifiers import DICE
from commands.action.resolution import Resolution
from ledger.events import ConditionGained, number

from . import actions, declarations, harm
from .stat_block import GOVERNING, WORDS

_SOMETHING = "what happens: --damage, --pain or --heal and how much, or --name"
_Location = Literal["none", "roll", "head", "torso", "arms", "legs"]


class Works(Declaration, kw_only=True):
    """What an effect does."""

    pain: Annotated[Count, says("Pain it causes at once.")] = 0
    heal: Annotated[Count, says("Pain it heals at once.")] = 0
    damage: Annotated[Count, says("Damage it does at once: pain, and a wound if you give --location.")] = 0
    location: Annotated[_Location, says("Which location the damage hits.")] = "none"
    armour: Annotated[bool, says("Armour stops some of the damage.")] = False
    name: Annotated[str, says("A name for the lasting effect.", max_length=40)] = ""
    each: Annotated[Count, says("Pain it causes in every end phase.")] = 0
    gives: Annotated[AnyOrder, says("A bonus to a skill, or to all: SKILL:+N, SKILL:adv or SKILL:dis.")] = ()
    rounds: Annotated[Count, says("How many rounds it lasts, counting this one; 0 for the whole fight.")] = 0
    attack: Annotated[bool, says("It counts as an attack on anyone who makes a check.")] = False


class Cast(Works):
    """Declare a spell in planning; record its effect in the magic phase. If you give no effect, the spell failed."""

    who: Annotated[Fighter, says("Who casts.")]
    spell: Annotated[str, says("Which spell. Needed in planning only.", max_length=100, positional=True)] = ""
    target: Annotated[Fighters, says("Whom it affects.")] = ()


def cast(fight: Resolution, said: Cast) -> None:
    """Declares the spell, or records its outcome."""
    _invoke(fight, "cast", said.who, said.spell, said.target, said)


class Pray(Works):
    """Declare a prayer in planning; record its effect in the magic phase. If you give no effect, it failed."""

    who: Annotated[Fighter, says("Who prays.")]
    prayer: Annotated[str, says("Which prayer. Needed in planning only.", max_length=100, positional=True)] = ""
    target: Annotated[Fighters, says("Whom it affects.")] = ()


def pray(fight: Resolution, said: Pray) -> None:
    """Declares the prayer, or records its outcome."""
    _invoke(fight, "pray", said.who, said.prayer, said.target, said)


_DOES = {"cast": "casts", "pray": "prays for"}


def _invoke(fight: Resolution, verb: str, who: str, what: str, targets: tuple[str, ...], said: Works) -> None:
    word = actions.TOLD[verb]
    if not actions.is_resolved(fight, who, verb, **{word: what}):
        actions.announce_told(fight, who, verb, what)
        if targets or _works(said):
            fight.impossible(f"What a {word} does is said in the magic phase.", [(verb, {"who": who, word: what})])
        return
    waiting = actions.due(fight, who, verb)
    if not what and word in waiting.said:
        fight.rule("paraverse.magic.referee", f"{_DOES[verb]} {waiting.said[word]}", who=who)
    if not (targets and _works(said)):
        # paraverse.magic.referee: no effects, no success
        if targets or _works(said):
            fight.impossible(f"What does the {word} do, and to whom?", f"Say --target and a name, and {_SOMETHING}.")
        actions.settle(fight, who, "failed")
        return
    action = actions.declared(fight.state, who)
    _check_whole(fight, said)
    for target in targets:
        with fight.upon(who, target):
            apply(fight, who, target, said, action.said[word] if action else word)
    actions.settle(fight, who)


class Effect(Works):
    """Give somebody an effect, from any cause: fire, poison, a trap; or end one."""

    who: Annotated[Fighters, says("Whom it affects.")]
    end: Annotated[bool, says("End the effect called --name.")] = False


def effect(fight: Resolution, said: Effect) -> None:
    """Applies or ends it: paraverse.magic.effect."""
    if not said.who or not (_works(said) or said.end):
        fight.impossible("What does the effect do, and to whom?", f"Say a name, and {_SOMETHING}.")
    if said.end and said != Effect(who=said.who, name=said.name or "effect", end=True):
        held = [(who, name) for who in said.who for name, _ in fight.state.conditions.held(who)]
        ends = [("effect", {"who": [who], "name": effects.called(name), "end": True}) for who, name in held]
        fight.impossible("--end takes the name of what ends, and nothing else.", ends)
    _check_whole(fight, said)
    for who in said.who:
        if said.end:
            fight.no_longer(who, *effects.every_part(fight, who, said.name))
        else:
            with fight.upon("", who):
                apply(fight, "", who, said, _unnamed(fight, who))
    if not fight.state.turns.phase:
        harm.settle(fight)
    declarations.check_means(fight)


def _unnamed(fight: Resolution, who: str) -> str:
    """What an effect without a name is called, so that a second one does not take the place of the first."""
    held = fight.state.conditions.of.get(who, {})
    return next(name for name in ("effect", *(f"effect-{nth}" for nth in range(2, len(held) + 2))) if name not in held)


def _check_whole(fight: Resolution, said: Works) -> None:
    """Stops words that nothing comes of."""
    if said.rounds and not (said.name or _lasting(fight, said)):
        ways = [fight.otherwise(rounds=0), "Say --each for pain in each end phase, --gives, or --name."]
        fight.impossible(f"What lasts {said.rounds} rounds?", ways)
    if (said.location != "none" or said.armour) and not said.damage:
        fight.impossible("--location and --armour need --damage.", "Say --damage and how much, too.")


def _works(said: Works) -> bool:
    """Whether any effect was named."""
    return bool(said.pain or said.heal or said.damage or said.attack or said.name or said.each or said.gives)


def apply(fight: Resolution, by: str, who: str, said: Works, called: str) -> None:
    """What an effect does now, and what lasts of it; it acts from the next phase on. The dead feel nothing."""
    actions.check_alive(fight, fight.state, who)
    if said.attack:
        actions.mark_attacked(fight, who)
    before = harm.stamina(fight, fight.state, who)
    if said.damage:
        _damage(fight, by, who, said)
    harm.hurt(fight, who, said.pain)
    if said.heal:
        harm.ease(fight, who, said.heal)
    if before.total > 0 and fight.state.turns.phase and not fight.state.pending.of(harm.FALL, who):
        harm.use_up(fight, who)
    lasting = _lasting(fight, said) or ([(0, "")] if said.name else [])
    name = said.name or called
    for amount, modifies in lasting:
        _last(fight, who, effects.part(fight, who, name, modifies), amount, modifies, said.rounds)


def _damage(fight: Resolution, by: str, who: str, said: Works) -> None:
    """Like a hit, but armour counts only if it is said, and without a location there is no wound."""
    place = harm.hit_location(fight, by, who) if said.location == "roll" else said.location
    damage = number("damage", said.damage, "effect")
    if said.armour:
        damage = damage.minus(fight.sheet(who).av, "armour").at_least(0, "damage")
    told = "" if place == "none" else place
    fight.rule("paraverse.magic.effect-damage", told, [damage], who=by, about=who, aside=True)
    harm.suffer_pain(fight, who, damage.total)
    if place != "none":
        harm.suffer_wound(fight, who, damage.total, place)


def _lasting(fight: Resolution, said: Works) -> list[tuple[int, str]]:
    """The amount of each lasting part, and what it changes."""
    parts: list[tuple[int, str]] = [(said.each, "pain")] if said.each else []
    given = [one.partition(":") for one in said.gives]
    for dice, word in zip(DICE, ("advantage", "disadvantage"), strict=True):
        if skills := sorted(_skill(fight, skill) for skill, _, value in given if value == dice):
            parts.append((0, f"{word} {','.join(skills)}"))
    for one, (skill, _, value) in zip(said.gives, given, strict=True):
        if value in DICE:
            continue
        digits = value.removeprefix("-").removeprefix("+")
        if not (skill and digits.isascii() and digits.isdigit() and len(digits) <= 4):
            message = f"{one[:40]!r} is not a modifier."
            fight.impossible(message, "Write it like --gives marksman:+2, or --gives all:dis.")
        parts.append((int(value), _skill(fight, skill)))
    return parts


def _skill(fight: Resolution, word: str) -> str:
    """The skill, or the word for several, if anybody here has it; the beginning of a single one stands for it."""
    skill = word.strip().casefold()
    begun = [one for one in (*WORDS, *GOVERNING) if skill and one.startswith(skill)]
    skill = begun[0] if len(begun) == 1 else skill
    sheets = [fight.sheet(who) for who in fight.state.roster.order]
    if skill not in WORDS and all(sheet.modifier(skill) is None for sheet in sheets):
        fight.impossible(f"{word[:40]!r} is not a skill.", f"A skill of somebody here, or {', '.join(WORDS)}.")
    return skill


def _last(fight: Resolution, who: str, name: str, amount: int, modifies: str, rounds: int) -> None:
    """A lasting effect; its count of rounds goes down in every end phase, the next one first."""
    if name == actions.ATTACKED:
        fight.impossible(f"The rules use the name {name!r} themselves.", "Choose another name.")
    turns = fight.state.turns
    if not fight.state.encounter.running:
        if rounds:
            fight.impossible("Rounds are counted in an encounter only.", [fight.otherwise(rounds=0)])
        fight.record(ConditionGained(who, name, amount=amount, modifies=modifies))
    elif rounds:
        last = turns.round + (turns.phase in ("", "end")) + rounds - 1
        fight.record(ConditionGained(who, name, "round-end", round=last, amount=amount, modifies=modifies))
    else:
        fight.record(ConditionGained(who, name, "encounter-end", amount=amount, modifies=modifies))
