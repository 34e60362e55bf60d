"""Melee attacks: one or more blows, and the whip that entangles."""

from collections.abc import Iterator

from msgspec.structs import replace

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import ConditionGained, Counted, whose

from . import ability, acting, holding, mass, normal_men, order, pace, position, scores, strike_order
from .ability import is_dead
from .aim import Arms, Attack, aimed, arms_used, check_ability, check_near, manner, take_up
from .blows import rolled, strike
from .conditions import ENTANGLED
from .damage import does_any, roll, take
from .hands import in_hand
from .holding import check_may_strike, check_space
from .losses import lose_weapon
from .saves import saved
from .stat_block import Sheet, Weapon, names


def attack(fight: Resolution, said: Attack) -> None:
    """One roll for each target that stands; one that has gone down meanwhile is skipped."""
    who = said.who
    alive = [target for target in said.target if not is_dead(fight, target)]
    if who in said.target:
        fight.impossible("Nobody can attack themselves.")
    if not alive:
        dead = tuple(dict.fromkeys(said.target))
        fight.impossible(f"{names(dead)} {'are' if dead[1:] else 'is'} already dead.")
    _check_words(fight, said)
    for target in alive:
        position.comes_near(fight, who, target)
    ability.check(fight, who, said.empty_hand, target=alive[0])
    arms = improvised(fight, said) if said.empty_hand or said.object else take_up(fight, who, said.with_, said.off_hand)
    for target in dict.fromkeys(alive):
        check_near(fight, who, target, arms, said.distance)
    arms_used(fight, who, arms)
    acting.may_act(fight, who, "empty-hand" if said.empty_hand else "attack", "melee", alive[0], able=True)
    check_may_strike(fight, who)
    _check_manner(fight, said, arms)
    pace.check_after(fight, who, "attack")
    acting.use_action(fight, who, order.ATTACK)
    _check_units(fight, said, alive)
    if said.expected:
        _sweep(fight, said, arms, alive)
        return
    if not said.all_ and not fight.sheet(who).men:
        normal_men.check(fight, who, alive, arms)
    _strike_each(fight, said, arms, alive)
    if not fight.sheet(who).men:
        fight.record(Counted(who, order.ATTACKS, max(normal_men.left(fight, who, [], arms), 0)))


def _check_units(fight: Resolution, said: Attack, alive: list[str]) -> None:
    """arkm.mass.one-throw: what a unit cannot do, and who cannot strike at one."""
    who, unit = said.who, mass.is_unit(fight, said.who)
    if not any(fight.sheet(one).men for one in (who, *alive)):
        return
    for target in dict.fromkeys(alive):
        mass.check_pair(fight, who, target)
    hint = "Name one target, and nothing else."
    if unit and (said.entangle or said.dismount or said.expected or manner(fight, said)):
        fight.refuse("arkm.mass.one-throw", f"{who} is a unit, and only strikes as one man.", hint)
    if unit and len(alive) > 1:
        fight.refuse("arkm.mass.one-throw", f"{who} is a unit, and makes one throw in a round.", hint)


def _strike_each(fight: Resolution, said: Attack, arms: Arms, alive: list[str]) -> None:
    """Blow by blow, until there is none left, or a fumble ends them; who has gone down meanwhile is skipped."""
    who, skipped = said.who, dict[str, None]()
    stood, out = fight.state.stands(who), {target for target in alive if not fight.state.stands(target)}
    for target in _all_of(fight, said, arms, alive) if said.all_ else alive:
        if not _may_be_struck(fight, target, out):
            skipped[target] = None
            continue
        if _is_undone(fight, who, arms, stood):
            break
        with fight.upon(who, target):
            if said.entangle:
                entangle(fight, said, arms, target)
            else:
                strike(fight, aimed(fight, said, arms, target), said.slots)
    for target in skipped:
        with fight.upon(who, target):
            fight.rule("arkm.normal-men.down-target", "is already down: no blow", who=who, about=target)


def _may_be_struck(view: View, who: str, out: set[str]) -> bool:
    """Whether a blow is made at somebody: one who stands, or who was `out` when the blows were declared."""
    return view.state.stands(who) or (who in out and not is_dead(view, who))


def _check_words(fight: Resolution, said: Attack) -> None:
    """Refuses two ways of one blow, and the shortcut for blows that slay nobody."""
    ways = {"--entangle": said.entangle, "--dismount": said.dismount, "--expected": said.expected}
    ways["--pull, --subdue and --empty-hand"] = said.expected and (said.pull or said.subdue or said.empty_hand)
    wanted = [way for way, meant in ways.items() if meant]
    if len(wanted) > 1:
        fight.impossible(f"{wanted[0]} cannot be combined with {wanted[-1]}.", "Say one of them.")


def _is_undone(view: View, who: str, arms: Arms, stood: bool) -> bool:
    """Whether a fumble has felled who attacks, or taken a weapon out of his hand: the other blows are not made.

    arkm.fumble.table: its effect comes at once.
    """
    held = view.state.gear.equipped.get(who, ())
    lost = [weapon for weapon in arms.weapons if weapon.id not in held and "improvised" not in weapon.tags]
    return bool(lost) or (stood and not view.state.stands(who))


def improvised(fight: Resolution, said: Attack) -> Arms:
    """The bare hand, or a thing that is no weapon and needs no training.

    arkm.empty-hand.d4, arkm.object-as-weapon.d4
    """
    if said.with_ or said.off_hand or (said.empty_hand and said.object):
        fight.impossible("Say only one of --empty-hand, --object and --with.")
    if said.empty_hand:
        return Arms(None, ())
    return Arms(Weapon(said.object, "1d4", length=2, tags=("improvised",)), ())


def _check_manner(fight: Resolution, said: Attack, arms: Arms) -> None:
    """Refuses what cannot be done with these weapons."""
    who = said.who
    check_space(fight, who, arms.weapons)
    if (said.part or said.then) and not said.entangle:
        fight.impossible("--part and --then say what a whip entangles.", "Add --entangle: --entangle --part legs.")
    check_ability(fight, said, arms)
    if said.no_room:
        message = f"There is no room for {whose(who)} weapon."
        fight.refuse("arkm.surround.weapon-room", message, "Say another weapon after --with.")


def _all_of(fight: Resolution, said: Attack, arms: Arms, standing: list[str]) -> Iterator[str]:
    """All attacks that are left in the round, going round the targets that stand."""
    rest = normal_men.left(fight, said.who, standing, arms)
    if rest < 1:
        normal_men.check(fight, said.who, standing, arms)
    at, out = 0, {target for target in standing if not fight.state.stands(target)}
    for _ in range(rest):
        still = [*range(at, len(standing)), *range(at)]
        found = next((nth for nth in still if _may_be_struck(fight, standing[nth], out)), None)
        if found is None:
            return
        yield standing[found]
        at = (found + 1) % len(standing)


def _sweep(fight: Resolution, said: Attack, arms: Arms, standing: list[str]) -> None:
    targets = list(dict.fromkeys(standing))
    for target in targets:
        strike_order.check(fight, said.who, target, said.surprise or said.backstab)
    blow = aimed(fight, said, arms, targets[0])
    blow = blow.plain(surprise=blow.surprise or blow.backstab)
    normal_men.sweep(fight, blow, targets, arms, said.rounding or str(fight.option("sweep_rounding")))


SIZES = ("tiny", "small", "human", "ogre", "huge")
BODY = ("body", "legs", "arm")


def entangle(fight: Resolution, said: Attack, arms: Arms, target: str) -> None:
    """A hit, then the wielder's saving throw vs Paralysis less the target's STR; no damage and nothing critical.

    Who is held by body or legs does not leave, and by arm, weapon or item does not use the weapon in hand, until the
    wielder does something else.

    arkm.whip.area: named beforehand.
    """
    who = said.who
    then = _result(fight, said, arms, target)
    blow = replace(aimed(fight, said, arms, target), harmless=not fight.option("whip_damage"))
    outcome = rolled(fight, blow, said.slots)
    if not outcome.hit:
        return
    if fight.option("whip_damage") and does_any(fight, blow):
        take(fight, target, roll(fight, blow, outcome), who)
    # arkm.whip.entangle-save, arkm.whip.target-str
    strength = [scores.Term(-scores.modifier(fight, target, "str"), "target's STR", "arkm.whip.target-str")]
    with fight.upon("", who):
        caught = saved(fight, who, "paralysis", strength, target)
    fight.rule("arkm.whip.entangle-save", "entangled" if caught else "not entangled", who=who, about=target)
    if not caught:
        return
    fight.rule("arkm.whip.result", f"{said.part}: {then}", who=who, about=target)
    if then == "prone":
        position.fall(fight, target)
    elif then == "hold":
        holding.free_of_whips(fight, target)
        fight.record(ConditionGained(target, ENTANGLED, "encounter-end", whom=(who,), modifies=said.part or ""))
    elif held := in_hand(fight, target):
        lose_weapon(fight, target, held[0].id, who)


def _result(fight: Resolution, said: Attack, arms: Arms, target: str) -> str:
    """arkm.whip.result, arkm.whip.size-limit: refuses what a whip cannot do."""
    if arms.weapon is None or "whip" not in arms.weapon.tags:
        message = f"{said.who} has no whip in use."
        fight.refuse("arkm.whip.entangle-save", message, "Name it if it is carried: --with whip.")
    sheet: Sheet = fight.sheet(target)
    if SIZES.index(sheet.size) > SIZES.index("ogre"):
        fight.refuse("arkm.whip.size-limit", f"{target} is {sheet.size}, larger than an ogre.")
    if said.part is None:
        fight.impossible("What is to be entangled?", "Say it: --part legs, body, arm, weapon or item.")
    body = said.part in BODY
    then = said.then or ("prone" if body else "pull")
    if then == ("pull" if body else "prone"):
        message = f"A whip at the {said.part} can {'prone' if body else 'pull'} or hold, not {then}."
        fight.refuse("arkm.whip.result", message)
    if then == "pull" and not in_hand(fight, target):
        fight.refuse("arkm.whip.result", f"{target} has nothing in hand.", "Say what else: --part legs, body or arm.")
    return then
