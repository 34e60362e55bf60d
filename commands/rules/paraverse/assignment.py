"""Assignment: which character is in which skirmish."""

from collections.abc import Iterator

from msgspec import Struct

from commands.action.resolution import STATUS, Remedies, Remedy, Resolution
from ledger.events import Overruled, SkirmishJoined, SkirmishLeft
from projections.pending import Waiting

from . import actions, hands, places


class Objection(Struct, frozen=True):
    """What a rule has against a pick."""

    clause: str
    message: str
    hint: str | Remedies = ""


def pick(fight: Resolution, who: str, target: str) -> None:
    """A pick by name in the melee phase, unless a rule has something against it."""
    for one in (who, target):
        actions.check_alive(fight, fight.opening, one)
    _players_pick(fight, who, target)
    for objection in _objections(fight, who, target):
        fight.refuse(objection.clause, objection.message, objection.hint)
        if objection.clause == "paraverse.action.one":
            hands.check_melee(fight, who)
            _let_fight(fight, who, target)
    join(fight, who, target)


def _players_pick(fight: Resolution, who: str, target: str) -> None:
    """paraverse.assign.players-first: before one of the game master's characters picks, the players' pick as they
    declared, where nothing stands against it and this is all that the pick waits for.
    """
    if not any(_players_first(fight, who)):
        return
    for one in (fight.trial(), fight):
        for waiting in one.state.pending.waiting:
            declared = waiting.said.get("target", "")
            mine = _picks(one, waiting) and one.sheet(waiting.who).player and declared in one.state.roster.members
            if mine and not any(_objections(one, waiting.who, declared)):
                join(one, waiting.who, declared)
        if any(_objections(one, who, target)):
            return


def let_go(fight: Resolution, who: str) -> bool:
    """In the melee phase somebody lets their fight go, and only fights back; false when there is none to let go."""
    waiting = [one for one in fight.state.pending.waiting if one.who == who and _picks(fight, one)]
    if fight.state.turns.phase != "melee" or not waiting or fight.state.skirmishes.with_(who):
        return False
    for one in waiting:
        actions.lose(fight, "paraverse.assign.single-opponent", one, f"{who} lets the fight go")
    return True


def _let_fight(fight: Resolution, who: str, target: str) -> None:
    """Whom the game master lets pick besides its action attacks, and does not only defend."""
    allowed = [event.clause for event in fight.events if isinstance(event, Overruled)]
    fight.wait(actions.ENGAGE, who, "attack", {"target": target, "allowed": allowed}, until="melee")


def check_late(fight: Resolution, who: str, target: str) -> None:
    """Refuses, when the melee has begun, an attack that would be nobody's pick any more."""
    _check_free(fight, who)
    for objection in (*_already_assigned(fight, who, target), *_many_on_many(fight, who, target)):
        fight.refuse(objection.clause, objection.message, objection.hint)


def check_attacks(fight: Resolution, who: str) -> None:
    """Refuses an attack of somebody who has none to make, and at most fights back or evades. Who is let through, and is
    picked, fights.
    """
    if _let_through(fight, who):
        return
    for objection in _other_action(fight, who):
        actions.check_able(fight, fight.opening, who)
        fight.refuse(objection.clause, objection.message, objection.hint)
        assign_all(fight)
        if foes := against(fight, who):
            hands.check_melee(fight, who)
            _let_fight(fight, who, foes[0])


def join(fight: Resolution, who: str, target: str) -> None:
    """The two form a skirmish, or one joins the side against the other."""
    fights = fight.state.skirmishes
    if who == target:
        fight.impossible(f"{who} cannot fight themselves.", "Name an opponent.")
    _check_free(fight, who)
    if number := _unfought(fight, target):
        fight.record(SkirmishJoined(who, number, 0 if target in fights.number(number).sides[1] else 1))
    else:
        number = len(fights.of) + 1
        fight.record(SkirmishJoined(who, number, 0))
        fight.record(SkirmishJoined(target, number, 1))


def _check_free(fight: Resolution, who: str) -> None:
    """Stops somebody who is in a skirmish that is not fought yet."""
    if own := _unfought(fight, who):
        fight.impossible(f"{who} is in skirmish {own}, which is not fought yet.", actions.onward(fight))


def _unfought(fight: Resolution, who: str) -> int:
    """The skirmish of somebody that is not fought yet; 0 for none."""
    number = fight.state.skirmishes.with_(who)
    return 0 if fight.state.skirmishes.number(number).done else number


def against(fight: Resolution, who: str) -> tuple[str, ...]:
    """The opponents of somebody in a skirmish that is not fought yet; nobody without one."""
    skirmish = fight.state.skirmishes.number(fight.state.skirmishes.with_(who))
    first, second = skirmish.sides
    return () if skirmish.done else second if who in first else first


def drop_out(fight: Resolution, who: str) -> None:
    """The game master's word takes somebody out of a skirmish that is not fought yet."""
    if number := _unfought(fight, who):
        fight.record(SkirmishLeft(who, number))


# What the rules have against a pick, in the order of refusal


def _objections(fight: Resolution, who: str, target: str) -> Iterator[Objection]:
    """Everything that the rules have against a pick by name."""
    down = fight.opening.harm.down
    if who in down:
        yield Objection("paraverse.incapacitated.cannot-act", f"{who} is {down[who].how} and cannot fight.")
    if target in down:
        message = f"{target} is {down[target].how}; the game master decides what happens to the helpless."
        yield Objection("paraverse.incapacitated.target", message, actions.at_mercy(target, down[target].how))
    if who == target or side(fight, who) == side(fight, target):
        yield Objection("paraverse.action.attack-another", f"{who} and {target} are on one side.", _others(fight, who))
    yield from _other_action(fight, who)
    if not places.shared(fight.opening, who, target):
        message = f"{target} is {places.at(places.of(fight.opening, target))}, {who} is not."
        yield Objection("paraverse.assign.same-area", message, _others(fight, who))
    yield from _already_assigned(fight, who, target)
    yield from _players_first(fight, who)
    yield from gang_up(fight, who, target)
    yield from _many_on_many(fight, who, target)
    yield from _nobody_fights(fight, who, target)


def side(fight: Resolution, who: str) -> str:
    """The side that somebody is on."""
    return fight.state.roster.members[who].side


def _other_action(fight: Resolution, who: str) -> Iterator[Objection]:
    """Only attackers, disengagers, and movers who have arrived, pick; and none whose pick is lost already."""
    verb = actions.verb(fight.state, who)
    outcome = fight.state.pending.outcome(actions.KIND, who)
    picking = fight.state.pending.outcome(actions.ENGAGE, who) or outcome
    arrived = outcome is not None and outcome.how == "done"
    if verb not in ("attack", "disengage") and not (verb == "move" and arrived and fight.option("move_and_melee")):
        message = f"{who} declared {verb}, and has no attack to make; opponents may pick {who}."
        yield Objection("paraverse.action.one", message, actions.onward(fight))
    elif picking and picking.how == "lost":
        message = f"{who} has lost their {verb} this round; opponents may pick {who}."
        yield Objection("paraverse.action.one", message, actions.onward(fight))


def _already_assigned(fight: Resolution, who: str, target: str) -> Iterator[Objection]:
    """Nobody is in two skirmishes of a round, and a skirmish that was fought takes nobody in."""
    fights = fight.state.skirmishes
    own, other = fights.with_(who), fights.with_(target)
    if own:
        yield Objection("paraverse.assign.one-skirmish", f"{who} is already in skirmish {own}.", actions.onward(fight))
    elif other and fights.number(other).done:
        message = f"{target} has already fought this round."
        yield Objection("paraverse.assign.one-skirmish", message, _others(fight, who))


def _players_first(fight: Resolution, who: str) -> Iterator[Objection]:
    """The game master's characters wait until the players' have picked, as far as they can."""
    if fight.sheet(who).player or not fight.option("players_first"):
        return
    able = [one for one in fight.state.pending.waiting if fight.sheet(one.who).player and fight.opening.stands(one.who)]
    picking = [one for one in able if one.kind == actions.ENGAGE or (one.kind == actions.KIND and one.verb == "attack")]
    free = (one for one in picking if not fight.state.skirmishes.with_(one.who))
    waiting = [one for one in free if not _is_over(fight, one) and _choice(fight, one)]
    if waiting:
        picks: Remedies = [("skirmish", {"who": waiting[0].who, "target": _choice(fight, waiting[0])})]
        message = f"{', '.join(one.who for one in waiting)} may pick before {who}."
        yield Objection("paraverse.assign.players-first", message, picks)


def _is_over(fight: Resolution, waiting: Waiting) -> bool:
    """Whether the one whom somebody declared to fight is a friend by now or elsewhere, so that nobody waits for this
    pick. Whose foe has fallen picks another: paraverse.phase.target-gone.
    """
    target = waiting.said.get("target", "")
    gone = _gone(fight, waiting.who, target) if target in fight.state.roster.members else ()
    return any(not actions.allowed(waiting, found.clause) for found in gone)


def _choice(fight: Resolution, waiting: Waiting) -> str:
    """Whom a player's character may pick: the one declared, else any other; "" for nobody."""
    near = _opponents_near(fight, waiting.who)
    near.sort(key=lambda other: other != waiting.said.get("target", ""))
    return next((other for other in near if not any(_objections(fight, waiting.who, other))), "")


def _opponents_near(fight: Resolution, who: str) -> list[str]:
    """Able opponents in the same area, in roster order."""
    near = [one for one in fight.state.roster.order if places.shared(fight.opening, who, one)]
    return [one for one in near if side(fight, one) != side(fight, who) and fight.opening.stands(one)]


def _others(fight: Resolution, who: str) -> Remedies:
    """Whom somebody may pick instead."""
    return [*(("skirmish", {"who": who, "target": one}) for one in _opponents_near(fight, who)), STATUS]


def gang_up(fight: Resolution, who: str, target: str) -> Iterator[Objection]:
    """A second one may pick an opponent only when no free opponent whom it could fight is near; not asked of those
    engaged already.
    """
    engaged = places.opponents(fight.opening, target)
    if who in engaged or not (fight.state.skirmishes.with_(target) or engaged):
        return
    others = [one for one in _opponents_near(fight, who) if one != target and not fight.state.skirmishes.with_(one)]
    apart = [one for one in others if not places.opponents(fight.opening, one)]
    if free := [one for one in apart if not any(_nobody_fights(fight, who, one))]:
        first: list[Remedy] = [*(("skirmish", {"who": who, "target": one}) for one in free), ("pass", {"who": who})]
        message = f"{target} is taken, and {free[0]} is free for {who} to fight."
        yield Objection("paraverse.assign.gang-up", message, [first, *actions.picks(fight)])


def _many_on_many(fight: Resolution, who: str, target: str) -> Iterator[Objection]:
    """More than one on both sides needs the game master's word."""
    if not (number := _unfought(fight, target)):
        return
    sides = fight.state.skirmishes.number(number).sides
    joined, other = sides if target in sides[1] else sides[::-1]
    if joined and len(other) > 1:
        message = f"{target} is one of several against {', '.join(joined)}."
        line: Remedies = [("skirmish", {"who": who, "target": target}, "battle line")]
        yield Objection("paraverse.assign.many-on-many", message, line)


def _nobody_fights(fight: Resolution, who: str, target: str) -> Iterator[Objection]:
    """A skirmish in which everybody only evades is none: paraverse.skirmish.rolls."""
    number = _unfought(fight, target)
    members = fight.state.skirmishes.number(number).members if number else (target,)
    if all(role(fight, one) == "evades" for one in (who, *members)):
        yield Objection("paraverse.skirmish.rolls", f"Neither {who} nor {target} would fight.", _others(fight, who))


def role(fight: Resolution, who: str) -> str:
    """What somebody does in a skirmish: fights, evades or disengages.

    The busy and those without a melee weapon evade, and so do the helpless; attackers,
    movers and those who pass fight.
    """
    verb = actions.verb(fight.state, who)
    if not fight.opening.stands(who):
        return "evades"
    if _let_through(fight, who):
        return "fights"
    if verb == "disengage":
        return "disengages"
    busy = verb in actions.BUSY or (verb == "move" and not fight.option("move_and_melee"))
    if busy or not hands.has_melee_weapon(fight, who):
        return "evades"
    return "evades" if verb in ("shoot", *actions.MAGIC) and fight.option("busy_defence") == "evade" else "fights"


def _let_through(fight: Resolution, who: str) -> bool:
    """Whether somebody attacks by the game master's word, with whatever is in hand or besides another action."""
    outcome = fight.state.pending.outcome(actions.ENGAGE, who)
    pick = fight.state.pending.of(actions.ENGAGE, who) or (outcome.what if outcome else None)
    if pick and actions.allowed(pick, "paraverse.action.one") and hands.has_melee_weapon(fight, who):
        return True
    attack = actions.declared(fight.state, who)
    clause = "paraverse.weapon.in-hand"
    return any(one and one.verb == "attack" and actions.allowed(one, clause) for one in (pick, attack))


# Picks from declarations


def assign_all(fight: Resolution) -> None:
    """Everybody who declared to fight picks; whose pick has to be another is asked for it at last."""
    for waiting in form(fight):
        if not _unfought(fight, waiting.who):
            _pick(fight, waiting, ask=True)


def form(fight: Resolution) -> list[Waiting]:
    """Everybody who declared to fight picks: the players' characters first, then the others, as they declared. Gives
    the picks that cannot be made while a free opponent is near.
    """
    picking = [one for one in fight.state.pending.waiting if _picks(fight, one)]
    if fight.option("players_first"):
        picking.sort(key=lambda one: not fight.sheet(one.who).player)
    picking.sort(key=_waits_to_be_picked)
    unclear = [one for one in picking if _let_pick(fight, one)]
    while len(unclear) > len(left := [one for one in unclear if _let_pick(fight, one)]):
        unclear = left  # whom they would pick may be the only one left by now
    return unclear


def _let_pick(fight: Resolution, waiting: Waiting) -> bool:
    """Lets somebody pick who is in no skirmish that is to be fought; whether the pick has to wait."""
    return not _unfought(fight, waiting.who) and not _pick(fight, waiting)


def _picks(fight: Resolution, waiting: Waiting) -> bool:
    """Whether an action is a pick of this phase."""
    return waiting.verb in ("attack", "disengage") and waiting in actions.due_now(fight.state)


def _waits_to_be_picked(waiting: Waiting) -> bool:
    """Whether somebody wants to get away from anyone who picks it, being engaged with nobody yet."""
    return actions.allowed(waiting, "paraverse.disengage.needs-engagement")


def _pick(fight: Resolution, waiting: Waiting, ask: bool = False) -> bool:
    """A declared pick: made or lost. Where a free opponent should be picked instead it waits, and is asked for at last:
    then it is refused. False while it waits.
    """
    who, at_the_table = waiting.who, fight.state.roster.members
    engaged = (one for one in places.opponents(fight.opening, who) if one in at_the_table)
    target = waiting.said.get("target") or next(engaged, "")
    if not target and _waits_to_be_picked(waiting):
        actions.lose(fight, "paraverse.disengage.needs-engagement", waiting, "there is nobody to get away from")
        return True
    if target not in at_the_table or not actions.can_be_struck(fight, waiting, target):
        actions.lose(fight, "paraverse.phase.target-gone", waiting, "the target is down or gone")
        return True
    for objection in _gone(fight, who, target):
        if not actions.let_through(fight, waiting, objection.clause, objection.message):
            actions.lose(fight, objection.clause, waiting, objection.message.rstrip("."))
            return True
    for objection in gang_up(fight, who, target):
        if not ask and not actions.allowed(waiting, objection.clause):
            return False
        if not actions.let_through(fight, waiting, objection.clause, objection.message):
            fight.hold(objection.clause, objection.message, objection.hint, [("pass", {"who": who})])
    taken = (*_already_assigned(fight, who, target), *_many_on_many(fight, who, target))
    for objection in (*taken, *_nobody_fights(fight, who, target)):
        if not actions.let_through(fight, waiting, objection.clause, objection.message):
            actions.lose(fight, objection.clause, waiting, objection.message.rstrip("."))
            return True
    join(fight, who, target)
    return True


def _gone(fight: Resolution, who: str, target: str) -> Iterator[Objection]:
    """An opponent who is no more to be fought where somebody is: a friend by now, or elsewhere."""
    if side(fight, who) == side(fight, target):
        yield Objection("paraverse.action.attack-another", f"{who} and {target} are on one side.")
    if not places.shared(fight.opening, who, target):
        yield Objection("paraverse.assign.same-area", f"{target} is elsewhere.")
