"""Instants: total defense, a main action held for later in the round, and fighter's luck."""

from typing import Annotated, Any, Literal

from msgspec.structs import fields

from commands.action.declaration import Declaration, Fighter, Text, says
from commands.action.resolution import STATUS, Remedies, Resolution
from ledger.events import ConditionGained, Noted, Ruled, whose

from . import actions, healing, melee, ranged, struggles
from .actions import MAIN, MOVE
from .fighters import HELD, LUCK, LUCK_SPENT, TOTAL_DEFENSE, enemies
from .strike import answerable
from .struggles import Struggle

_BONUS = 2
_NEAR = 30
"""Feet that are offered where nobody has said how far it is."""
_CLAUSE = "aachen.actions.hold"
_AT_ONCE = "Luck answers at once: undo what was recorded since."


class Defend(Declaration):
    """Total defense: +2 to Armor Class and no shock until the round ends, for the main action, at any time."""

    who: Annotated[Fighter, says("Who defends.")]
    after_roll: Annotated[
        bool, says("It answers the attack just made, which is resolved again with the same dice.")
    ] = False


def defend(fight: Resolution, said: Defend) -> None:
    """aachen.actions.total-defense, an instant; aachen.actions.instant-after-roll: even when the dice have fallen."""
    who, clause = said.who, "aachen.actions.total-defense"
    if said.after_roll:
        after = "aachen.actions.instant-after-roll"
        attack = next((attack for attack in answerable(fight) if attack.about == who), None)
        if attack is None:
            ways = [fight.otherwise(after_roll=False), STATUS]
            fight.refuse(after, f"The last action was no attack on {who}.", ways)
            fight.impossible(f"There is no attack on {who} to answer.", ways)
        fight.again()
        fight.rule(after, f"answers {whose(attack.who)} attack", who=who)
    if fight.state.conditions.has(who, TOTAL_DEFENSE):
        fight.refuse(clause, f"{who} is already in total defense.")
    actions.instant(fight, who, clause)
    _take_guard(fight, who)


def _take_guard(fight: Resolution, who: str) -> None:
    """+2 until the end of the round, and aachen.shock.total-defense."""
    fight.record(ConditionGained(who, TOTAL_DEFENSE, "round-end", amount=_BONUS, modifies="AC"))


class Ready(Declaration):
    """Hold the main action for later in the round. It costs the move action and ends the turn."""

    who: Annotated[Fighter, says("Who waits.")]
    text: Annotated[Text, says("What they wait for, such as: shoot the wolf when it comes.")]


def ready(fight: Resolution, said: Ready) -> None:
    """aachen.actions.hold: with a main action left, which is spent when it is triggered."""
    if not actions.take_turn(fight, said.who):
        fight.impossible("No round is under way.", actions.onward(fight.before))
    allowed = {}
    if not fight.state.points.left(said.who, MAIN):
        fight.refuse(_CLAUSE, f"{said.who} has no main action left to hold.", actions.after_turn(fight, said.who))
        allowed = {"allowed": [_CLAUSE]}
    actions.spend(fight, said.who, MOVE)
    fight.settle(HELD, said.who, "lost", f"{said.who} holds another")
    fight.wait(HELD, said.who, "act:", {"text": said.text, **allowed}, until="until the end of the round")
    actions.close_turn(fight)


class Trigger(Struggle):
    """Take a held action, before the action that it answers; or (--luck) change the last attack by fighter's luck."""

    who: Annotated[Fighter, says("Who acts.")]
    action: (
        Annotated[
            Literal["attack", "shoot", "push", "grapple", "heal", "defend", "act"],
            says("attack, shoot, push, grapple, heal, defend or act.", positional=True),
        ]
        | None
    ) = None
    target: Annotated[Fighter, says("The target.", positional=True)] = ""
    distance: Annotated[int, says("Feet to the target.", ge=0, le=100_000, positional=True)] | None = None
    luck: Annotated[
        bool, says("Fighter's luck, instead of a held action; --against says which of several attacks.")
    ] = False
    against: Annotated[Fighter, says("With --luck: who made the attack, or who was attacked.")] = ""
    off_hand: Annotated[str, says("A second weapon, in the other hand.", players=True)] = ""
    cover: Annotated[Literal["none", "half", "full"], says("half: at least half in cover; full: almost all.")] = "none"
    result: Annotated[Literal["back", "prone"], says("What a shove tries.")] | None = None
    heal_attr: Annotated[Literal["DEX", "INT"], says("The attribute of a Heal check.")] = "INT"
    magic: Annotated[int, says("Hit points that magic heals.", ge=0, le=1_000_000)] | None = None
    text: Annotated[str, says("What they do, for an act.", max_length=2000)] = ""


def trigger(fight: Resolution, said: Trigger) -> None:
    """The held main action as an instant: aachen.actions.hold; or aachen.fighters-luck.window."""
    who = said.who
    if said.luck:
        if said != Trigger(who, luck=True, against=said.against):
            message = "Luck takes no held action, no roll, and nothing else."
            fight.impossible(message, "Say only who, --luck and, of several attacks, --against.")
        _call_luck(fight, who, said.against)
        return
    if said.against:
        fight.impossible("--against is for --luck.", "Name the target after the action.")
    if said.action is None:
        ways = [*_ways(fight, who), "Name one of attack, shoot, push, grapple, heal, defend and act."]
        fight.impossible("Which action?", ways)
    if not said.target and said.action not in ("defend", "act"):
        fight.impossible(f"Who is the target of {whose(who)} {said.action}?", "Name the target after the action.")
    if said.distance is not None and said.action not in ("attack", "shoot"):
        ways = [fight.otherwise(distance=None)]
        if said.action == "heal" and said.magic is None:
            ways.append(fight.otherwise(distance=None, magic=said.distance))
        fight.impossible(f"The action {said.action} takes no distance.", ways)
    if fight.state.pending.of(HELD, who) is None:
        fight.refuse(_CLAUSE, f"{who} holds no action.", STATUS)
    if _CLAUSE in fight.settle(HELD, who, "taken").get("allowed", ()):
        actions.check_able(fight, who)
        actions.check_phase(fight, who)
    else:
        actions.instant(fight, who, _CLAUSE)
    _carry_out(fight, said)


def _ways(fight: Resolution, who: str) -> Remedies:
    """The held action, as far as its words say it, on each enemy."""
    held = fight.state.pending.of(HELD, who)
    words = held.said["text"].casefold().split() if held else []
    action = next((word for word in words if word in actions.HOLDABLE), "")
    foes = [other for other in fight.state.roster.order if enemies(fight.state, who, other)]
    distance = {"distance": _NEAR} if action == "shoot" else {}
    return [fight.otherwise(action=action, target=foe, **distance) for foe in foes if action]


def _carry_out(fight: Resolution, said: Trigger) -> None:
    match said.action:
        case "attack":
            melee.carry_out(fight, _as(melee.Attack, said, distance=5 if said.distance is None else said.distance))
        case "shoot":
            ranged.carry_out(fight, _as(ranged.Shoot, said))
        case "push":
            struggles.shove(fight, _as(struggles.Push, said))
        case "grapple":
            struggles.grapple(fight, _as(struggles.Grapple, said))
        case "heal":
            healing.carry_out(fight, healing.Heal(said.who, said.target, said.heal_attr, said.magic, said.mod))
        case _ if said.mod:
            fight.impossible(f"The action {said.action} takes no roll.", "Leave out --mod.")
        case "defend":
            _take_guard(fight, said.who)
        case _:
            fight.record(Noted(said.text or "acts", said.who))


def _as(kind: type[Any], said: Trigger, **given: int) -> Any:
    """The declaration of the action, with all that was said of it."""
    names = {field.name for field in fields(kind)}
    return kind(**{**{field.name: getattr(said, field.name) for field in fields(said) if field.name in names}, **given})


def _call_luck(fight: Resolution, who: str, other: str) -> None:
    """An instant on the most recent attack: the fighter's own miss, or a hit on the fighter; of several in one action,
    the one on or by the `other`.

    aachen.fighters-luck.window: that attack and no other is resolved again, as aachen.actions.instant-after-roll says.
    """
    sheet = fight.sheet(who)
    if not (sheet.luck or (sheet.kind == "pc" and sheet.class_ == "fighter")):
        fight.refuse("aachen.fighters-luck.who", f"{who} is not a fighter; only fighters have that luck.")
    if fight.state.conditions.has(who, LUCK_SPENT):
        fight.refuse("aachen.fighters-luck.once", f"{who} has already used their luck in this fight.")
    attack = next((one for one in answerable(fight) if _turnable(one, who, other)), None)
    if attack is None:
        message, hint = f"The last action was not a miss by {who}, nor a hit on {who}.", _AT_ONCE
        if one := next((one for one in answerable(fight) if {one.who, one.about} >= {who, other or who}), None):
            message = f"{whose(one.who)} attack on {one.about} is already a {one.outcome.rpartition(' ')[2]}."
            hint = "Luck makes a fighter's own miss a hit, or a hit on the fighter a miss."
        fight.refuse("aachen.fighters-luck.window", message, hint)
        fight.impossible("Luck can change no attack now.")
    fight.again()
    actions.check_able(fight, who)
    fight.rule("aachen.fighters-luck.window", f"uses fighter's luck on {whose(attack.who)} attack", who=who)
    fight.record(ConditionGained(who, LUCK_SPENT, "encounter-end"))
    fight.wait(LUCK, who, "use fighter's luck", {"by": attack.who, "on": attack.about})


def _turnable(attack: Ruled, who: str, other: str) -> bool:
    """Whether it is the fighter's own miss, or a hit on the fighter."""
    if who not in (attack.who, attack.about) or (other and {attack.who, attack.about} != {who, other}):
        return False
    return attack.outcome.endswith("miss" if attack.who == who else "hit")
