"""Melee: skirmishes, fought one after another and all at once."""

from typing import NamedTuple

from commands.action.resolution import STATUS, Resolution
from ledger.events import Number, SkirmishEnded, number

from . import actions, assignment, hands, places
from .harm import strike
from .rolls import Choices, Circumstances, Throw

Sides = tuple[tuple[str, ...], tuple[str, ...]]


def announce(fight: Resolution, who: str, target: str) -> None:
    """Refuses an attack that cannot be made, or declares it."""
    actions.check_time(fight, who)
    actions.check_target(fight, who, target)
    actions.check_sides(fight, who, target)
    hands.check_melee(fight, who)
    if not places.shared(fight.state, who, target) and not places.adjacent(fight.state, who, target):
        there = places.of(fight.state, target)
        fight.refuse(
            "paraverse.assign.same-area", f"{target} is far away, {places.at(there)}.", places.ways_out(fight, who)
        )
    if fight.state.turns.phase != "planning":
        assignment.check_late(fight, who, target)
    actions.announce(fight, who, "attack", {"target": target}, actions.PHASE_OF["attack"])


def announce_disengaging(fight: Resolution, who: str) -> None:
    """Refuses it to anyone who is engaged with nobody, or declares it."""
    actions.check_time(fight, who)
    if not places.opponents(fight.state, who):
        hint = places.ways_out(fight, who)
        fight.refuse("paraverse.disengage.needs-engagement", f"{who} is engaged with nobody.", hint)
    actions.announce(fight, who, "disengage", {}, actions.PHASE_OF["disengage"])


# Resolving


def check_verb(fight: Resolution, who: str, attacking: bool) -> None:
    """Refuses `attack` for who disengages or has no attack to make, and `disengage` for anybody else; `resolve` serves
    all.
    """
    if not _is_time(fight, who):
        return
    if attacking == (actions.verb(fight.state, who) == "disengage"):
        actions.refuse_undeclared(fight, who, "attack" if attacking else "disengage", done=False)
    elif attacking:
        assignment.check_attacks(fight, who)


def _is_time(fight: Resolution, who: str) -> bool:
    """Whether it is the melee phase, or one in which somebody fights who came too late for it."""
    return any(one.who == who for one in actions.due_now(fight.state)) or fight.state.turns.phase == "melee"


def resolve_one(fight: Resolution, who: str, said: Choices, target: str = "") -> None:
    """Assigns everybody, then fights the skirmish that one is in; against the target, where one is said."""
    if not _is_time(fight, who):
        actions.wait_for_melee(fight, "Skirmishes are fought in the melee phase.")
    before = fight.state.pending
    assignment.assign_all(fight)
    skirmish = fight.state.skirmishes.with_(who)
    if not skirmish:
        if before.of(actions.KIND, who) != fight.state.pending.of(actions.KIND, who):
            return
        if before.of(actions.ENGAGE, who):
            return
        actions.check_able(fight, fight.opening, who)
        actions.refuse_undeclared(fight, who, "an attack", done=False)
    if fight.state.skirmishes.number(skirmish).done:
        actions.refuse_undeclared(fight, who, "an attack", done=True)
    foes = assignment.against(fight, who)
    if target and target not in foes:
        message = f"{who} is in skirmish {skirmish}, against {' and '.join(foes)}, and does not fight {target}."
        fight.impossible(message, [fight.otherwise(target=""), STATUS])
    _fight_out(fight, skirmish, said)
    _check_choices(fight, said, (skirmish,))


def resolve_all(fight: Resolution, said: Choices) -> None:
    """Assigns everybody, then fights every skirmish in the order in which it was formed."""
    assignment.assign_all(fight)
    due = tuple(nth for nth, skirmish in enumerate(fight.state.skirmishes.of, 1) if not skirmish.done)
    for skirmish in due:
        _fight_out(fight, skirmish, said)
    _check_choices(fight, said, due)


def _check_choices(fight: Resolution, said: Choices, fought: tuple[int, ...]) -> None:
    """Stops when a choice names somebody who is in none of the skirmishes fought."""
    there = {who for skirmish in fought for who in fight.state.skirmishes.number(skirmish).members}
    for choice, named in (("dealer", said.dealer), ("victim", said.victim)):
        if named and named not in there:
            ways = [fight.otherwise(**{choice: ""}), STATUS]
            fight.impossible(f"{named} is in no skirmish that is fought now.", ways)


def _fight_out(fight: Resolution, nth: int, said: Choices) -> None:
    """Melee Skirmish Resolution, steps 1 to 6."""
    sides = fight.state.skirmishes.number(nth).sides
    throws = _throw_all(fight, sides, said)  # 1
    scores = {who: Score(throw.number().called(who), throw.natural) for who, throw in throws.items()}
    results = [score.result for score in scores.values()]
    also = dict.fromkeys(clause for throw in throws.values() for clause in throw.also)
    if any(_is_drawn_in(fight, who) for who in throws):
        also["paraverse.assign.single-opponent"] = None
    first = [_best(side, scores) for side in sides if side]
    best = sorted(first, key=lambda who: (scores[who].total, scores[who].natural))
    about, who = ("", *best)[-2:] if best else ("", "")
    with fight.upon(who, about):
        fight.rule("paraverse.skirmish.rolls", f"skirmish {nth}", results, who, about, [*also], aside=True)
    won = winner(fight, sides, scores) if all(sides) else None  # 2
    freed: set[str] = set()
    if won:
        losers = sides[1 - won.side]
        freed = _free_disengagers(fight, sides[won.side], scores)
        dealer = _dealer(fight, won.among, scores, said.dealer)
        victim = _victim(fight, losers, scores, said.victim)
        if assignment.role(fight, dealer) != "fights":
            best_loser = _best(losers, scores)
            with fight.upon(dealer, best_loser):
                fight.rule("paraverse.skirmish.evader-no-damage", "nobody is hurt", who=dealer, about=best_loser)
        else:
            several = ("paraverse.skirmish.victim", "paraverse.skirmish.one-victim") if len(losers) > 1 else ()
            by = "paraverse.skirmish.dealer" if len(won.among) > 1 else ""
            margin = difference(fight, scores, dealer, losers, victim, by)
            with fight.upon(dealer, victim):
                strike(fight, dealer, victim, margin, "paraverse.skirmish.sequence", won.least, several)  # 3 to 6
    _tell_held(fight, sides, freed)
    _engage(fight, sides, freed)
    for who in throws:
        _settle(fight, who)
    fight.record(SkirmishEnded(nth))


def _best(side: tuple[str, ...], scores: dict[str, "Score"]) -> str:
    """Who of a side has the highest total."""
    return max(side, key=lambda who: scores[who].total)


class Score(NamedTuple):
    """What somebody rolled in a skirmish."""

    result: Number
    natural: int

    @property
    def total(self) -> int:
        """The roll value."""
        return self.result.total


class Won(NamedTuple):
    """Which side won, who of it may have done so, and the least multiplier of the damage."""

    side: int
    among: tuple[str, ...]
    least: int = 0


def _throw_all(fight: Resolution, sides: Sides, said: Circumstances) -> dict[str, Throw]:
    """A d20 of everybody, the side that picked the fight first; anyone who is at something else is now attacked."""
    foes = {who: others for side, others in (sides, sides[::-1]) for who in side}
    attacked = {who: any(assignment.role(fight, other) == "fights" for other in foes[who]) for who in foes}
    throws = {}
    for who in foes:
        about, by = _faced(fight, who, foes[who]), _ROLL[assignment.role(fight, who)]
        throws[who] = Throw(fight, who, _skill_of(fight, who), said, about, by, attacked[who])
    for who in throws:
        if attacked[who]:
            actions.mark_attacked(fight, who)
    return throws


def _faced(fight: Resolution, who: str, foes: tuple[str, ...]) -> str:
    """Whom somebody's roll is about: the one whom they attack, else the first of their foes; "" without any."""
    waiting = actions.declared(fight.state, who)
    target = waiting.said.get("target", "") if waiting else ""
    return target if target in foes else next(iter(foes), "")


_ROLL = {
    "fights": "paraverse.skirmish.skill-by-weapon",
    "evades": "paraverse.skirmish.evader",
    "disengages": "paraverse.disengage.roll",
}
"""The clause by which somebody rolls what it does in a skirmish."""


def _is_drawn_in(fight: Resolution, who: str) -> bool:
    """Whether somebody is in a skirmish that it did not pick."""
    picks = actions.verb(fight.state, who) in ("attack", "disengage")
    return not picks and fight.state.pending.of(actions.ENGAGE, who) is None


def _skill_of(fight: Resolution, who: str) -> str:
    """The Melee skill goes with the weapon in hand; anyone who evades or disengages uses Evasion."""
    weapon = hands.weapon(fight, who)
    if assignment.role(fight, who) != "fights":
        return "evasion"
    if weapon and weapon.use == "melee" and weapon.hands == 2:
        return "two-handed"
    return "weapon-and-shield" if hands.has_shield_up(fight, who) else "one-handed"


def winner(fight: Resolution, sides: Sides, scores: dict[str, Score]) -> Won | None:
    """The side with the highest total; on equal totals the one with the highest natural roll; or none."""
    twenties = [tuple(who for who in side if scores[who].natural == 20) for side in sides]
    if fight.option("critical_hits") and bool(twenties[0]) != bool(twenties[1]):
        side = 0 if twenties[0] else 1
        who = twenties[side][0]
        with fight.upon(who, _best(sides[1 - side], scores)):
            fight.rule("paraverse.skirmish.critical-hit", f"{who} wins", who=who)
        return Won(side, twenties[side], least=2)
    bare = not fight.option("critical_hits") and any(score.natural in (1, 20) for score in scores.values())
    also = ("paraverse.combat.no-natural-effects",) if bare else ()
    best = [_best(side, scores) for side in sides]
    totals = [number(who, scores[who].total) for who in best]
    if totals[0].total != totals[1].total:
        return Won(side := _higher(fight, "paraverse.skirmish.winner", best, totals, also), sides[side])
    best = [max(side, key=lambda who: scores[who].natural) for side in sides]
    naturals = [number(who, scores[who].natural, "natural") for who in best]
    if naturals[0].total != naturals[1].total:
        return Won(side := _higher(fight, "paraverse.skirmish.tie-natural", best, naturals), sides[side])
    with fight.upon(*best):
        fight.rule("paraverse.skirmish.tie-none", "nobody wins", naturals, who=best[0], about=best[1])
    return None


def _higher(fight: Resolution, clause: str, who: list[str], numbers: list[Number], also: tuple[str, ...] = ()) -> int:
    """Records by which numbers a side wins, and gives the side."""
    won = 0 if numbers[0].total > numbers[1].total else 1
    lost = 1 - won
    wins = f"{who[won]} wins"
    with fight.upon(who[won], who[lost]):
        fight.compare(clause, numbers[won], ">", numbers[lost], who=who[won], about=who[lost], yes=wins, also=also)
    return won


def _dealer(fight: Resolution, among: tuple[str, ...], scores: dict[str, Score], named: str) -> str:
    """Who rolled the winning side's best total; of several, the one with the higher natural roll, or as chosen."""
    best = max((scores[who].total, scores[who].natural) for who in among)
    equals = [who for who in among if (scores[who].total, scores[who].natural) == best]
    return _choose(fight, "paraverse.skirmish.dealer-tie", equals, named if named in scores else "", "deals the damage")


def _victim(fight: Resolution, losers: tuple[str, ...], scores: dict[str, Score], named: str) -> str:
    """The loser with the lowest natural roll; of several, the one with the lower total, or as chosen."""
    worst = min((scores[who].natural, scores[who].total) for who in losers)
    equals = [who for who in losers if (scores[who].natural, scores[who].total) == worst]
    clause, said = "paraverse.skirmish.victim-tie", named if named in scores else ""
    return _choose(fight, clause, equals, said, "suffers the damage")


def _choose(fight: Resolution, clause: str, equals: list[str], named: str, does: str) -> str:
    """The one whom the winner names among equals; without a word the first to have joined the skirmish."""
    if named and named not in equals:
        fight.refuse(clause, f"{equals[0]} {does}, not {named}.", f"To choose from: {', '.join(equals)}.")
    chosen = named if named in equals else equals[0]
    others = [who for who in equals if who != chosen]
    if others:
        fight.rule(clause, f"{chosen} {does}; {' and '.join(others)} rolled the same", who=chosen)
    return chosen


def difference(
    fight: Resolution, scores: dict[str, Score], dealer: str, losers: tuple[str, ...], victim: str, by: str
) -> Number:
    """The winning side's result less the losing side's; an option takes the victim's own.

    `by` is the clause by which it is this dealer's result.
    """
    best = max(losers, key=lambda who: scores[who].total)
    against = victim if fight.option("skirmish_difference") == "victim" else best
    result = number("difference", scores[dealer].total, dealer, by)
    return result.minus(scores[against].total, against, "paraverse.skirmish.difference")


def _free_disengagers(fight: Resolution, winners: tuple[str, ...], scores: dict[str, Score]) -> set[str]:
    """Disengagers whose side wins are free of all their opponents, by their own result or by a friend's."""
    best = max(scores[who].total for who in winners)
    freed = {who for who in winners if assignment.role(fight, who) == "disengages"}
    for who in winners:
        if who in freed:
            also = ("paraverse.disengage.side-wins",) if scores[who].total < best else ()
            fight.rule("paraverse.disengage.win", "free", who=who, also=also)
            places.free(fight, who)
    return freed


def _tell_held(fight: Resolution, sides: Sides, freed: set[str]) -> None:
    """paraverse.disengage.win: disengagers whose side does not win stay engaged."""
    for who in (*sides[0], *sides[1]):
        if who not in freed and assignment.role(fight, who) == "disengages":
            fight.rule("paraverse.disengage.win", "does not get away", who=who)


def _engage(fight: Resolution, sides: Sides, freed: set[str]) -> None:
    """Every pair of opponents is engaged now, but for those who got away and the helpless."""
    for one in sides[0]:
        for other in sides[1]:
            if not {one, other} & freed and fight.opening.stands(one) and fight.opening.stands(other):
                places.engage(fight, one, other)


def _settle(fight: Resolution, who: str) -> None:
    """Anyone who declared to fight has done so, against any enemy."""
    for kind in (actions.KIND, actions.ENGAGE):
        waiting = fight.state.pending.of(kind, who)
        if waiting and waiting.verb in ("attack", "disengage"):
            actions.settle(fight, who, kind=kind)
