"""Acting: the pointer comes to the phase and place of one who acts, and the action of the round is used."""

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Counted, PhaseBegan, whose

from . import ability, holding, order, ways
from .concentration import lapse, threats
from .conditions import BLOW_DUE, HASTED, MAINTAINING
from .flight import turns
from .hands import end_florentine
from .losses import comes_first, drop_late
from .morale import check_due
from .order import ATTACK, ATTACKS, PARRY, PASS, PHASES, SHOT, acted, attacks_left, begin_place, is_decided, pair_of
from .pace import check_after
from .strike_order import between
from .tohit import ROLLS
from .waiting import check_left, check_place, goes_on, lose_attacks, stand_still

_WRONG_PHASE = {
    "movement": "arkm.phase.movement-free",
    "missile": "arkm.phase.missile-attacks",
    "magic": "arkm.phase.magic-cast",
    "melee": "arkm.phase.melee-within-five-feet",
}
"""The clause that says what belongs to a phase, and to no other."""
_OUT_OF_TURN = {
    "arkm.phase.missile-hasted-melee": "strikes in the missile phase",
    "arkm.phase.threatened-caster-choices": "gets away in the magic phase",
}
"""What is done in another phase than its own."""
_ON_THE_MOVE = (ATTACK, SHOT, order.SPELL, PASS, "run", "retreat")
"""What has limits of its own for how far somebody has moved before; all else comes after half the Turn movement."""
_WITH_TWO_WEAPONS = (ATTACK, "disarm", PARRY, PASS)
"""What may be done with a weapon in each hand; everything else ends that stance."""
_TWICE = "struck twice"
"""What is counted of one of the hasted who has begun a second set of attacks."""
_TURNING = (ATTACK, SHOT, PARRY, "grapple", "disarm")
"""Actions of one who has turned to his foes again."""
_LEAVING = ("withdraw", "retreat", "disengage")
"""What a threatened caster can do in the magic phase."""
_MOVES = ("move", "withdraw", "retreat", "disengage", "charge", "mount")
"""What lets go of one who is held."""
_FREE_IN_A_GRAPPLE = ("empty-hand", "contest", "melee spell")
"""What can be done while struggling."""


def may_act(
    fight: Resolution, who: str, verb: str, phase: str = "", target: str = "", able: bool = False, at_once: bool = False
) -> None:
    """Somebody acts, in a phase or ("") in whatever phase this is; the pointer moves there, or it is refused.

    `able`: it is known that he can act at all. `at_once`: whatever his place in the order.
    """
    if not able:
        ability.check(fight, who, verb in _FREE_IN_A_GRAPPLE, phase == "movement", target)
    order.check_decided_or_open(fight)
    if verb in _MOVES:
        holding.check_whip(fight, who, moving=True)
        holding.let_go(fight, who)
    if pair_of(fight, who):
        _take_place(fight, who, target)
        return
    if phase:
        at, clause = _phase_of(fight, who, verb, phase)
        _come_to(fight, at, who, clause)
    if fight.state.turns.phase and not at_once and not _comes_first(fight, who, target):
        come_to_place(fight, who)


def _phase_of(view: View, who: str, verb: str, phase: str) -> tuple[str, str]:
    """The phase in which somebody does what belongs to a phase, and the clause that says so; three exceptions.

    The hasted strike in the missile phase; those who shot before moving move in the missile phase; a threatened caster
    gets away in the magic phase.
    """
    now = view.state.turns.phase
    if phase == "melee" and view.state.conditions.has(who, HASTED) and now != "melee" and now != "magic":
        return "missile", "arkm.phase.missile-hasted-melee"
    if phase == "movement" and view.state.counts.get(who, order.REVERSED):
        return "missile", "arkm.phase.reversed-for-archers"
    if phase == "movement" and now == "magic" and verb in _LEAVING and threats(view, who) and not acted(view, who):
        return "magic", "arkm.phase.threatened-caster-choices"
    return phase, _WRONG_PHASE[phase]


def _come_to(fight: Resolution, phase: str, who: str, clause: str) -> None:
    """Moves on to a phase, for what `who` does in it by a clause; refuses one that is over."""
    if clause in _OUT_OF_TURN:
        fight.rule(clause, _OUT_OF_TURN[clause], who=who)
    now = fight.state.turns.phase
    if phase == now:
        return
    if now and phase in PHASES[: PHASES.index(now)]:
        message = f"The {phase} phase is over; this is the {now} phase."
        fight.hold(_WRONG_PHASE[phase], message, ways.next_round(fight), [("round", {})])
        return
    if fight.option("strict_phases"):
        message = f"This is the {now} phase." if now else "No phase is open."
        fight.refuse("arkm.phase.order", message, [("phase", {"name": phase, "pass_rest": bool(now)})])
    open_phase(fight, phase, who, clause=clause)


def open_phase(fight: Resolution, phase: str, actor: str = "", pass_rest: bool = False, clause: str = "") -> None:
    """Leaves the phases before it, and opens one for the first place, for what `actor` does in it by a clause.

    Others who can still act in what is left, and not later, hold that up, unless they let it go by (`pass_rest`).
    """
    now = fight.state.turns.phase
    if not now:
        order.check_decided(fight)
        if fight.state.pending.waiting:
            check_due(fight)
    over = PHASES[PHASES.index(now) + 1 if now else 0 : PHASES.index(phase)]
    passed = (*filter(None, [now]), *over)
    if is_decided(fight) and passed and not check_left(fight, passed, phase, actor, pass_rest):
        return
    if is_decided(fight) and "movement" in passed:
        stand_still(fight, actor)
    for left in (now, *over):
        leave_phase(fight, left)
    fight.record(PhaseBegan(phase))
    if over:
        also = [clause] if clause and clause not in _OUT_OF_TURN else []
        fight.rule("arkm.phase.order", f"skips {', '.join(over)}", also=also)
    if every := order.places(fight):
        begin_place(fight, every[order.next_place(fight, 0) or 0])


def leave_phase(fight: Resolution, phase: str) -> None:
    """What ends with a phase: spells that nobody maintained, and with tie_scope `phase` what a tie kept back."""
    if phase == "magic":
        lapse_unkept(fight, paired=False)
    if phase and fight.option("tie_scope") == "phase":
        for who in fight.state.roster.order:
            fight.no_longer(who, BLOW_DUE)
        for who in fight.state.roster.order:
            drop_late(fight, who)


def lapse_unkept(fight: Resolution, paired: bool) -> None:
    """Ends the spells that nobody maintained: with the magic phase, in a paired fight with the round."""
    for who in fight.state.roster.order:
        if fight.state.conditions.has(who, MAINTAINING) and (paired or not pair_of(fight, who)):
            lapse(fight, who)


def _comes_first(fight: Resolution, who: str, target: str) -> bool:
    """Whether a pair's own order of blows lets somebody strike in the melee phase, whatever the initiative."""
    in_melee = fight.state.turns.phase == "melee" and target
    return bool(in_melee) and between(fight, who, target) in ("first", "simultaneous")


def come_to_place(fight: Resolution, who: str, pass_rest: bool = False) -> None:
    """arkm.initiative.highest-first: in every phase. Those before somebody go first, unless they let it go by
    (`pass_rest`). Who has begun his attacks before his place makes them at one time: arkm.attacks.all-at-one-time.
    """
    mine, now = order.place(fight, who), order.pointer(fight)
    if mine < now:
        turns, clause = fight.state.turns, "arkm.initiative.highest-first"
        message = f"{whose(who)} place in the {turns.phase} phase has passed; now it is {whose(turns.who)} turn."
        fight.refuse(clause, message, ways.next_place(fight))
    elif mine > now and not goes_on(fight, who) and check_place(fight, who, mine, pass_rest):
        begin_place(fight, order.places(fight)[mine])


def use_action(fight: Resolution, who: str, what: str) -> None:
    """The one action of a round: refuses a second one, and anything of one who parries or reloads.

    arkm.attacks.all-at-one-time: attacks that somebody else had left are lost, once that is allowed.
    """
    done = acted(fight, who)
    if done and not (done == what == ATTACK and fight.state.counts.get(who, ATTACKS)) and not _again(fight, who, what):
        clause = "arkm.attacks.all-at-one-time" if done == what == ATTACK else order.SPENT.get(done, "arkm.phase.order")
        order.check_not_acted(fight, who, clause)
    for other in fight.state.roster.order:
        if other != who and fight.state.counts.get(other, ATTACKS):
            if goes_on(fight, other):  # the table is asked before attacks are lost for which there is a foe
                words = f"{other} has {attacks_left(fight.state.counts.get(other, ATTACKS))}, lost once another acts."
                fight.hold("arkm.attacks.all-at-one-time", words, [("pass", {"who": [other]})])
            lose_attacks(fight, other)
    if not done and what not in _ON_THE_MOVE:
        check_after(fight, who, what)
    if not done:
        fight.record(Counted(who, order.ACTED, 1, what))
    if what not in ("grapple", PASS):
        holding.let_go(fight, who)
    if what not in _WITH_TWO_WEAPONS:
        end_florentine(fight, who)
    if what in _TURNING:
        turns(fight, who)


def _again(fight: Resolution, who: str, what: str) -> bool:
    """The option haste_double_attacks: who struck in the missile phase strikes in the melee phase, too, all over."""
    if what != ATTACK or not fight.option("haste_double_attacks") or not fight.state.conditions.has(who, HASTED):
        return False
    if fight.state.turns.phase != "melee" or fight.state.counts.get(who, _TWICE):
        return False
    fight.record(Counted(who, _TWICE, 1))
    for target in fight.state.counts.of(who, ROLLS):
        fight.record(Counted(who, ROLLS, 0, target))
    return True


def _take_place(fight: Resolution, who: str, target: str = "") -> None:
    """arkm.paired.no-phases: the side with initiative makes all its attacks, then the other one does.

    Reach holds: anyone who strikes first at `target` by it waits for nobody.
    """
    if target and comes_first(fight, who, target):
        return
    one = fight.state.skirmishes.number(order.pair_number(fight, who))
    for foe in next(side for side in one.sides if who not in side):
        if order.before_in_pair(fight, foe, who) < 0 and ability.is_able(fight, foe) and not acted(fight, foe):
            message = f"{foe} has initiative and has not acted yet."
            fight.hold("arkm.paired.no-phases", message, [("pass", {"who": [foe]})])
