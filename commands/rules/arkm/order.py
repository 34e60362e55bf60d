"""Whose place it is: phases, places in the order of initiative, and the one action of a round.

The pointer, phase and place, only moves forward. Groups with equal numbers share a place.
"""

from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution
from ledger.events import Counted, PhaseBegan, TurnBegan

from . import ability, grips, ways
from .groups import HASTED, group

PHASES = ("movement", "missile", "magic", "melee")
"""arkm.phase.order: after them comes the initiative of the next round."""
WRONG_PHASE = {
    "movement": "arkm.phase.movement-free",
    "missile": "arkm.phase.missile-attacks",
    "magic": "arkm.phase.magic-cast",
    "melee": "arkm.phase.melee-within-five-feet",
}
"""The clause that says what belongs to a phase, and to no other."""
TIE = " and "
"""Between the groups that share a place."""
QUICK = " (hasted)"
"""After the name of a group: those of it who are hasted."""
ATTACK, SHOT, SPELL, PARRY, RELOAD, PASS = "attack", "shot", "spell", "parry", "reload", "pass"
"""Actions that other rules ask for; there are more."""
SPENT = {PARRY: "arkm.parry.no-attacks", RELOAD: "arkm.reload.takes-one-round", "run": "arkm.move.run"}
"""The clause by which an action excludes all others; one action a round in any case."""
ON_THE_MOVE = (ATTACK, SHOT, SPELL, PASS, "run", "retreat")
"""What has limits of its own for how far somebody has moved before; all else comes after half the Turn movement."""
WITH_TWO_WEAPONS = (ATTACK, "disarm", PARRY, PASS)
"""What may be done with a weapon in each hand; everything else ends that stance."""
ACTED = "acted"
"""What is counted of one who has had the action of his round: 1, in regard to what he did."""
ATTACKS = "attacks left"
"""Attacks that can still be made at once, before anybody else acts."""
TWICE = "struck twice"
"""What is counted of one of the hasted who has begun a second set of attacks."""
REVERSED = "shot before moving"
"""What is counted of one who shot in the movement phase: he moves in the missile phase."""
TURNING = (ATTACK, SHOT, PARRY, "grapple", "disarm")
"""Actions of one who has turned to his foes again."""
LEAVING = ("withdraw", "retreat", "disengage")
"""What a threatened caster can do in the magic phase."""
MOVES = ("move", "withdraw", "retreat", "disengage", "charge", "mount")
"""What lets go of one who is held."""
FREE_IN_A_GRAPPLE = ("empty-hand", "contest", "melee spell")
"""What can be done while struggling."""


def may_act(
    fight: Resolution,
    who: str,
    verb: str,
    phase: str = "",
    target: str = "",
    checked: bool = False,
    at_once: bool = False,
) -> None:
    """Somebody acts, in a phase or ("") in whatever phase this is; the pointer moves there, or it is refused.

    `checked`: whether it is known that he can act at all. `at_once`: whatever his place in the order.
    """
    if not checked:
        ability.check(fight, who, verb in FREE_IN_A_GRAPPLE, phase == "movement", target)
    ability.check_running(fight, who)
    check_decided_or_open(fight)
    if verb in MOVES:
        grips.check_whip(fight, who, moving=True)
        grips.let_go(fight, who)
    if pair_of(fight, who):
        from .pairs import take_place

        take_place(fight, who, target)
        return
    if phase:
        come_to(fight, phase_of(fight, who, verb, phase), who)
    if fight.state.turns.phase and not at_once and not _comes_first(fight, who, target):
        _come_to_place(fight, who)


def phase_of(fight: Resolution, who: str, verb: str, phase: str) -> str:
    """The phase in which somebody does what belongs to a phase; three exceptions.

    arkm.phase.missile-hasted-melee: the hasted strike in the missile phase.
    arkm.phase.reversed-for-archers: who has shot before moving moves in the missile phase.
    arkm.phase.threatened-caster-choices: a threatened caster gets away in the magic phase.
    """
    now = fight.state.turns.phase
    if phase == "melee" and HASTED in ability.conditions(fight, who) and now != "melee" and now != "magic":
        return "missile"
    if phase == "movement" and fight.state.counts.get(who, REVERSED):
        return "missile"
    if phase == "movement" and now == "magic" and verb in LEAVING:
        from .casting import threats

        if threats(fight, who) and not acted(fight, who):
            return "magic"
    return phase


def come_to(fight: Resolution, phase: str, who: str) -> None:
    """Moves on to a phase, for what `who` does in it; refuses one that is over."""
    now = fight.state.turns.phase
    if phase == now:
        return
    if now and PHASES.index(phase) < PHASES.index(now):
        fight.refuse(WRONG_PHASE[phase], f"The {phase} phase is over; this is the {now} phase.", ways.next_round(fight))
        return
    if fight.option("strict_phases"):
        fight.refuse(
            "arkm.phase.order",
            f"This is {f'the {now} phase' if now else 'before the phases'}.",
            f"affray phase {phase} --pass-rest" if now else "affray phase",
        )
    open_phase(fight, phase, who)


def open_phase(fight: Resolution, phase: str, actor: str = "", pass_rest: bool = False) -> None:
    """Leaves the phases before it, and opens one for the first place, for what `actor` does in it.

    Others who can still act in what is left, and not later, hold that up, unless they let it go by (`pass_rest`).
    """
    now = fight.state.turns.phase
    if not now:
        check_decided(fight)
        if fight.state.pending.waiting:
            from .morale import check_due

            check_due(fight)
    over = PHASES[PHASES.index(now) + 1 if now else 0 : PHASES.index(phase)]
    if is_decided(fight) and (now or over):
        from .waiting import check_left

        check_left(fight, (*filter(None, [now]), *over), phase, actor, pass_rest)
    for left in (now, *over):
        leave_phase(fight, left)
    if over:
        fight.rule("arkm.phase.order", f"passes over {' and '.join(over)}")
    fight.record(PhaseBegan(phase))
    if every := places(fight):
        fight.record(TurnBegan(every[0]))


def leave_phase(fight: Resolution, phase: str) -> None:
    """What ends with a phase: spells that nobody maintained, and with tie_scope `phase` what a tie kept back."""
    if phase == "magic":
        lapse(fight, paired=False)
    if phase and fight.option("tie_scope") == "phase":
        from .disarm import settle
        from .losses import no_more_owed

        no_more_owed(fight)
        for who in fight.state.roster.order:
            settle(fight, who)


def check_decided_or_open(fight: Resolution) -> None:
    """Refuses what is done in a round, whatever the phase, before there is one."""
    if not fight.state.turns.phase:
        check_decided(fight)


def lapse(fight: Resolution, paired: bool) -> None:
    """Ends the spells that nobody maintained: with the magic phase, in a paired fight with the round."""
    for who in fight.state.roster.order:
        if ability.MAINTAINING in ability.conditions(fight, who) and (paired or not pair_of(fight, who)):
            from .casting import lapse as lapse_of

            lapse_of(fight, who)


def pair_of(fight: Resolution, who: str) -> int:
    """The paired fight in which somebody has initiative of its own; 0 for none."""
    if not fight.state.skirmishes.of:
        return 0
    from .pairs import number

    return number(fight, who)


def is_decided(fight: Resolution) -> bool:
    """Whether initiative is rolled for this round."""
    return bool(fight.state.turns.order or fight.state.initiative.scores)


def check_decided(fight: Resolution) -> None:
    """Refuses to begin a round's movement phase before its initiative is rolled."""
    require_encounter(fight)
    if not is_decided(fight):
        fight.refuse(
            "arkm.initiative.reroll-each-round", "Initiative is not rolled for this round.", "affray initiative"
        )


def seat(fight: Resolution, who: str) -> str:
    """With whom somebody has its place: its group, or those of its group who are hasted.

    arkm.haste.has-initiative: apart from its own group.
    """
    return group(fight, who) + (QUICK if HASTED in ability.conditions(fight, who) else "")


def places(fight: Resolution) -> tuple[str, ...]:
    """The order of this round: as rolled, those hasted since then before all, groups that came since then after all."""
    order = fight.state.turns.order
    seats = dict.fromkeys(seat(fight, who) for who in fight.state.roster.order if not pair_of(fight, who))
    new = [name for name in seats if not any(shares(place, name) for place in order)]
    quick = TIE.join(name for name in new if name.endswith(QUICK))
    late = TIE.join(name for name in new if not name.endswith(QUICK))
    return (*filter(None, [quick]), *order, *filter(None, [late]))


def place(fight: Resolution, who: str) -> int:
    """The place of somebody in the order, 0 for the first."""
    mine = seat(fight, who)
    return next((at for at, names in enumerate(places(fight)) if shares(names, mine)), 0)


def shares(place: str, name: str) -> bool:
    """Whether one has a place, alone or with others."""
    return f"{TIE}{name}{TIE}" in f"{TIE}{place}{TIE}"


def pointer(fight: Resolution) -> int:
    """The place whose time it is, 0 for the first."""
    every, now = places(fight), fight.state.turns.who
    return every.index(now) if now in every else 0


def _comes_first(fight: Resolution, who: str, target: str) -> bool:
    """Whether a pair's own order of blows lets somebody strike in the melee phase, whatever the initiative."""
    if fight.state.turns.phase != "melee" or not target:
        return False
    from .strike_order import between

    return between(fight, who, target) in ("first", "simultaneous")


def _come_to_place(fight: Resolution, who: str) -> None:
    """arkm.initiative.highest-first: in every phase."""
    mine, now = place(fight, who), pointer(fight)
    if mine < now:
        fight.refuse(
            "arkm.initiative.highest-first",
            f"{who}'s place in the {fight.state.turns.phase} phase has passed; it is the turn of"
            f" {fight.state.turns.who}.",
            ways.next_place(fight),
        )
    elif mine > now:
        from .waiting import check_place

        check_place(fight, who, mine)
        fight.record(TurnBegan(places(fight)[mine]))


def acted(fight: Resolution, who: str) -> str:
    """What somebody has done this round; "" for nothing."""
    return next(iter(fight.state.counts.of(who, ACTED)), "")


def use_action(fight: Resolution, who: str, what: str) -> None:
    """The one action of a round: refuses a second one, and anything of one who parries or reloads.

    arkm.attacks.all-at-one-time: attacks that somebody else had left are lost.
    """
    done = acted(fight, who)
    if done and not (done == what == ATTACK and fight.state.counts.get(who, ATTACKS)) and not _again(fight, who, what):
        clause = "arkm.attacks.all-at-one-time" if done == what == ATTACK else SPENT.get(done, "arkm.phase.order")
        fight.refuse(clause, f"{who} has had the action of this round ({done}).", ways.next_round(fight))
    for other in fight.state.roster.order:
        if other != who and fight.state.counts.get(other, ATTACKS):
            lose_attacks(fight, other)
    if not done and what not in ON_THE_MOVE:
        from .movement import check_after

        check_after(fight, who, what)
    if not done:
        fight.record(Counted(who, ACTED, 1, what))
    if what not in ("grapple", PASS):
        grips.let_go(fight, who)
    if what not in WITH_TWO_WEAPONS and "florentine" in ability.conditions(fight, who):
        from .florentine import end

        end(fight, who)
    if what in TURNING and "fleeing" in ability.conditions(fight, who):
        from .flight import turns

        turns(fight, who)


def lose_attacks(fight: Resolution, who: str) -> None:
    """arkm.attacks.all-at-one-time: attacks that somebody had left are lost; said so if there is a foe for them."""
    from .position import foes
    from .tohit import ROLLS

    left, made = fight.state.counts.get(who, ATTACKS), sum(fight.state.counts.of(who, ROLLS).values())
    for_all = len(fight.sheet(who).attacks) > made
    if any(for_all or fight.sheet(foe).is_normal_man for foe in foes(fight, who)):
        words = f"{left} attack{'s' * (left > 1)} left {'are' if left > 1 else 'is'} lost"
        fight.rule("arkm.attacks.all-at-one-time", words, who=who)
    fight.record(Counted(who, ATTACKS, 0))


def _again(fight: Resolution, who: str, what: str) -> bool:
    """The option haste_double_attacks: who struck in the missile phase strikes in the melee phase, too, all over."""
    if what != ATTACK or not fight.option("haste_double_attacks") or HASTED not in ability.conditions(fight, who):
        return False
    if fight.state.turns.phase != "melee" or fight.state.counts.get(who, TWICE):
        return False
    from .tohit import ROLLS

    fight.record(Counted(who, TWICE, 1))
    for target in fight.state.counts.of(who, ROLLS):
        fight.record(Counted(who, ROLLS, 0, target))
    return True


def before(fight: Resolution, who: str, other: str) -> int:
    """Who comes first by haste and initiative: negative for `who`, positive for `other`, 0 for neither."""
    if pair_of(fight, who):
        from .pairs import before as before_in_pair

        return before_in_pair(fight, who, other)
    return place(fight, who) - place(fight, other)


def tied(fight: Resolution, who: str, other: str) -> bool:
    """arkm.initiative.tie-simultaneous: whether two are of different groups that act at the same time."""
    members = fight.state.roster.members
    if not is_decided(fight) or who not in members or other not in members:
        return False
    if pair_of(fight, who) != pair_of(fight, other):
        return False
    return group(fight, who) != group(fight, other) and before(fight, who, other) == 0
