"""Order: in which order the acts of a course are resolved again when a correction has changed who is when.

An act belongs to its person, and to the round and phase in which it was done. Between two walls the recorded order
stands where the book allows it; where the course waits for somebody, or would end their turn, their next act comes.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, takewhile

from msgspec.structs import replace

from commands.action import systems
from commands.action.common_verbs import ends_turn
from commands.action.names import acting
from commands.action.procedures import any_dice, offers_on, tried, way_on
from commands.action.whose_dice import stood_for
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.events import Declared, Joined, TurnBegan, whose
from projections.persons import Names
from projections.state import State

from .acts import Act, in_order, renamed, said_by, sets_up, under, without
from .people import called_now, named_after, names_of, seats_among, the_same_persons
from .rerun import Result, Supply, as_recorded, impossible, resolved
from .thrown import Falls
from .walls import MOST_PASSES, Moment, Near, Segment, Walls, round_of, said_itself, segment_of, waited_for


class Course:
    """The acts of a course that are still to come, resolved one after another from a state, each on its own dice, and
    those that `new` gives.

    With `when`, the moments of the acts as they stood, this is the course of a table that went on: the law of order
    holds, and somebody who joins under another name than before is meant by all that was said later under the old one.
    """

    def __init__(
        self, acts: Sequence[Act], thrown: Falls, new: Supply, when: Mapping[int, Moment] | None = None
    ) -> None:
        self.rest = [*acts] if when is None else [in_order(act) for act in acts]
        """The acts that are still to come, in order."""
        self._thrown, self._new, self._goes_on = thrown, new, when is not None
        self._walls = Walls(when or {}, acts)
        self._when = self._walls.when
        self._waits = {entry for entry, one in self._when.items() if one.waits}
        """The entries after which something waits for an answer."""
        self._placed = {entry for entry, one in self._when.items() if one.placed}
        """Those that are moved: they stand where they are put, or nowhere."""
        self._stood = self._when.keys() - self._placed
        """Those that were done, and are not moved."""
        self._answered: Act | None = None
        """What the next act answers, if it is an instant."""
        self._forward = set[int]()
        """The entries that were taken forward since the last result."""
        self._put_in = 0
        self._names: Names | None = None

    def step(self, state: State) -> Result | None:
        """The result of what comes next: of an act, or of what is passed or done before it; None at the end."""
        self._system, self._now, self._state = state.campaign.system, segment_of(state), state
        self._names = self._names or names_of(state)
        while self.rest:
            act = self._opening(state, self._meant(self.rest[0]))
            self._answered = next((self._meant(one) for one in self.rest[1:] if not one.declared.instant), None)
            kept = None if act.kept is None else as_recorded(state, act, act.kept, self._thrown)
            if result := kept or self._gone_with(state, act) or self._next(state, act):
                return self._took(result, state)
        return None

    def results(self, state: State) -> Iterator[Result]:
        """The results of all that comes, up to the first action that lacks dice, because later ones depend on them."""
        while result := self.step(state):
            yield result
            if result.lacking:
                return
            state = result.state

    def _next(self, state: State, act: Act) -> Result | None:
        """The result of the next act, or of what comes before it; None when the order of the acts has changed."""
        answered = self._answered
        if self._goes_on and act.declared.instant and answered and answered.kept is None:
            first = self._trial(state, answered)  # before an answer, as before the action itself
            held = self._held_up(state, first) if first.waits else first
            if held is None or held.act.puts_in is not None:
                return held
            if held is not first and held.act.declared.out_of_order:
                at = [one.entry for one in self.rest].index(held.act.entry)  # and so does what answers it
                declared = replace(self.rest[at].declared, out_of_order=True)
                self.rest[at] = replace(self.rest[at], declared=declared, why=held.act.why)
                return None
        result = None if self._cuts_short(state, act) else self._of_turn(state, act)
        if result and result.unseen and answered and (lacks := self._resolved(state, answered)).lacking:
            return lacks  # nobody knows yet what the instant answers
        if not result or not self._goes_on:
            return result
        if act.entry in self._stood and self._card(act).by == "combatant" and self._left_open(state, act, result.state):
            return None
        return self._held_up(state, result) if result.waits else result

    def _resolved(self, state: State, act: Act, keep: bool = True) -> Result:
        """The result of an act, or without `keep` of a trial of it. The dead fall away from several."""
        new = self._new if keep or act.puts_in is None else lambda _: any_dice()  # those of its entry are for it alone
        result = resolved(state, act, self._answered, self._thrown, new, keep)
        if result.refused and not result.refused.on and self._goes_on and act.entry and not act.said_now:
            dead = {who for who, fall in state.harm.down.items() if fall.how == "dead"}
            if living := without(dead, act.declared.said):
                act = replace(act, declared=replace(act.declared, said={**act.declared.said, **living}))
                rest = resolved(state, act, self._answered, self._thrown, self._new, keep)
                result = result if rest.refused else rest
        return result

    def _trial(self, state: State, act: Act) -> Result:
        """The result of an act that is only tried: its dice stay where they are."""
        return self._resolved(state, act, keep=False)

    def _took(self, result: Result, state: State) -> Result:
        """The result that comes next."""
        if result.lacking:
            return result
        if result.act.puts_in is None:
            said = self.rest.pop(0)
            result = replace(result, act=replace(result.act, before=said.before), meant=result.meant or result.act)
            if isinstance(result.refused, NameUnknown):
                names = {now: name for name, now in self._otherwise(said).items()}
                result.refused.message = under(names, result.refused.message)  # it is told under the names of then
                result = replace(result, act=said)
        if result.events:
            self._forward.clear()
            if self._goes_on and any(isinstance(event, Joined) for event in result.events):
                result = replace(result, events=the_same_persons(result.act.before, result.events))
            self._put_in += not result.act.origin
            self._names = named_after(self._names or Names(), result.events, result.act.origin or -self._put_in)
        if self._goes_on and result.act.puts_in is None:
            self._walls.went(result.act.entry, segment_of(state), segment_of(result.state), self.rest)
        return result

    def _gone_with(self, state: State, meant: Act) -> Result | None:
        """The result of an act that is lost, or falls away, because the round is gone in which it was done."""
        act = self._answered if meant.declared.instant and self._answered else meant
        moment, card = self._when.get(act.entry), self._card(act)
        if moment is None or card.passive or (card.by == "gm" and not moment.opens):
            return None
        gone = self._walls.gone_with(moment, segment_of(state), card.lets_go)
        return replace(impossible(state, self.rest[0], gone, self._thrown), meant=meant) if gone else None

    def _otherwise(self, act: Act) -> dict[str, str]:
        """Those who bear another name than when an act was said, each with the name of now."""
        moment = self._when.get(act.entry)
        return called_now(moment.names, self._names) if moment and self._names else {}

    def _meant(self, act: Act) -> Act:
        """An act, said of the same persons as then under the names of now."""
        names = self._otherwise(act)
        return renamed(act, names, self._system, seats_among(self._state, names)) if names else act

    def _turn(self, act: Act) -> tuple[str, str]:
        """Whose turn it was before an act as it stood, and after it, under the names of now; "" where nobody knows."""
        moment = self._when.get(act.entry)
        names = self._otherwise(act)
        names = {**names, **{name: name for name in seats_among(self._state, names)}}
        return (names.get(moment.began, moment.began), names.get(moment.ended, moment.ended)) if moment else ("", "")

    def _doers(self, act: Act) -> set[str]:
        """Those whose act it is: who does it, and the seat whose turn it is; of a turn the one whose it is."""
        card, said = self._card(act), act.declared.said.get("who", ())
        began, ended = self._turn(act)
        ends, names = ends_turn(act.declared.verb), {said} if isinstance(said, str) else {*said}
        turn = {began or ended if ends else ended}
        if card.by == "turn":
            return (turn if ends else names or turn) - {""} if self._is_of_turn(act) else set()
        if card.by != "combatant" or card.passive:
            return set()
        return names | {who for who in turn - {""} if self._names and who not in self._names.of}

    def _is_of_turn(self, act: Act) -> bool:
        """Whether an act is of somebody's turn, and no wall: a round or a phase is nobody's."""
        return self._card(act).by == "turn" and (ends_turn(act.declared.verb) or not self._walls.is_wall(act.entry))

    def _opens_turn(self, act: Act) -> bool:
        """Whether an act, which may say whose, began a turn."""
        began, ended = self._turn(act)
        return ended not in ("", began) and not ends_turn(act.declared.verb) and self._says(act, "who")

    def _card(self, act: Act) -> systems.Verb:
        return systems.find_verb(self._system, act.declared.verb)

    def _of_turn(self, state: State, act: Act) -> Result | None:
        """The result of an act; of what opens or ends a turn, said of the one whose that is. None when others are
        before it.
        """
        (began, ended), now = self._turn(act), state.turns.who
        if not self._is_of_turn(act) or not (began or ended):
            return self._resolved(state, act)
        if self._names and {began, ended} & ({*self._otherwise(act).values()} - {*self._names.of}):
            return Result(act, state, refused=UsageError(f"{began or ended} has no turn."))
        if self._ends_another(state, act):
            return self._end_of_turn(state, act, began)
        if self._opens_turn(act) and (act.declared.said.get("who") or ended) == now:
            return Result(act, state, refused=UsageError(f"It is already {whose(now)} turn."))
        return self._resolved(state, self._theirs(state, act))

    def _theirs(self, state: State, act: Act) -> Act:
        """An act; one that opened a turn, and would open another one now, said of the one whose it was."""
        who, said = self._turn(act)[1], act.declared.said
        if not self._opens_turn(act) or said.get("who"):
            return act
        begun = [event.who for event in self._trial(state, act).events if isinstance(event, TurnBegan)]
        return act if begun[-1:] == [who] else replace(act, declared=replace(act.declared, said={**said, "who": who}))

    def _opening(self, state: State, act: Act) -> Act:
        """An act; one that opened a phase and did not name it, said of that where it would open another one now."""
        moment, said = self._when.get(act.entry), act.declared.said
        if not moment or not moment.opens or not moment.after[3] or moment.before == segment_of(state):
            return act
        if self._card(act).by != "turn" or said.get("name") not in (None, "next") or not self._says(act, "name"):
            return act
        return replace(act, declared=replace(act.declared, said={**said, "name": moment.after[3]}))

    def _says(self, act: Act, field: str) -> bool:
        """Whether the words of an act have a field."""
        return field in systems.procedure(self._card(act))[1].__struct_fields__

    def _ends_another(self, state: State, act: Act) -> bool:
        """Whether an act ended a turn, and another is under way now. What ended one that had not begun before it may do
        so again: it is nobody's turn, and they may act, or theirs, as that of their side or group, is the one that it
        begins.
        """
        began = self._turn(act)[0]
        if not self._is_of_turn(act) or not ends_turn(act.declared.verb) or began in ("", state.turns.who):
            return False
        if state.turns.who or began in acting(state):
            return bool(state.turns.who)
        begins = (event.who for event in self._trial(state, act).events if isinstance(event, TurnBegan))
        return next(begins, "") != began

    def _end_of_turn(self, state: State, act: Act, began: str) -> Result | None:
        """The end of a turn that is not under way: it falls away, or where that turn is still to come the one that is
        under way ends before it. None when others are before it.
        """
        here, there = segment_of(state), self._when[act.entry].before
        later, not_theirs = round_of(there) > round_of(here), UsageError(f"It is not {whose(began)} turn.")
        ends = Act(Declared(act.declared.verb, {}), puts_in=act.entry)
        if (later or there == here) and self._comes(state, ends, began, there):  # behind the wall of its round none is
            some = {state.turns.who, *acting(state)}
            if self._stays(state, some, act):
                return impossible(state, act, not_theirs, self._thrown)
            if self._take_forward(state, some, act):
                return None
            if later or self._walls.ahead(here, self.rest):
                due = state.turns.who or "".join(acting(state)[:1])
                return self._resolved(state, self._ending(state, replace(ends, why=f"It is {whose(due)} turn.")))
        return impossible(state, act, not_theirs, self._thrown)

    def _comes(self, state: State, ends: Act, who: str, there: Segment) -> bool:
        """Whether a turn comes, and can end, between some walls, as turns end one by one; behind the last, at once."""
        for _ in range(MOST_PASSES):
            result = self._trial(state, self._ending(state, ends))
            here, begun = segment_of(result.state), {one.who for one in result.events if isinstance(one, TurnBegan)}
            if who in begun:
                ended = self._trial(result.state, self._ending(result.state, ends))  # the last turn of a round has none
                return bool(ended.events) and (here == there or round_of(here) < round_of(there))
            over = here == there and not self._walls.ahead(there, self.rest)
            if not result.events or over or round_of(here) > round_of(there):
                break
            state = result.state
        return False

    def _ending(self, state: State, ends: Act) -> Act:
        """The end of the turn that is under way, so that it ends though some could still act in it."""
        found = way_on(state, self._trial(state, ends).refused)
        return replace(ends, declared=said_by(found)) if found else ends

    def _cuts_short(self, state: State, act: Act) -> bool:
        """Whether an act would end another turn, or go by others, and what is possible only before is taken forward."""
        act, now = self._answered if act.declared.instant and self._answered else act, state.turns.who
        stays = self._turn(act)[0] == now if now else self._card(act).by != "combatant"
        if stays or act.entry not in self._stood or ends_turn(act.declared.verb):
            return False
        done, said = self._trial(state, act), act.declared
        over = tried(state, said.verb, said.said, said.allow) if done.lacking else done
        places = ({one, *stood_for(state, one)} for one in state.turns.order)
        who = {now, *chain(*takewhile(self._doers(act).isdisjoint, places))} - {""}
        return over is not None and over.state.turns.who != now and self._take_forward(state, who, act, then=over.state)

    def _held_up(self, state: State, held: Result) -> Result | None:
        """The result of what comes before an act that is only held up, or of the act out of order; None when an act of
        those for whom the course waits was taken forward.
        """
        act, error = held.act, held.refused
        assert error
        late = self._walls.is_late(act.entry, segment_of(state), error.on)
        if act.entry in self._placed or not late:
            found = way_on(state, error)
            waited = waited_for(state, found) if found else {*acting(state)}
            some = waited | {state.turns.who} if waited else set[str]()
            if late or self._stays(state, some, act):
                return held
            due = {*acting(state), state.turns.who} & some  # a turn is over before another begins
            if self._take_forward(state, due, act) or self._take_forward(state, some, act):
                return None
            if found and (self._left_open(state, act, found.state) or self._put_behind(state, act, error)):
                return None
            if found and self._may_go_on(state, act, waited - self._doers(act)):
                first = self._went_on(state, held)
                if first.act.puts_in is not None or not first.refused:
                    return first
                held = first
        declared = replace(act.declared, out_of_order=True)
        overruled = self._resolved(state, replace(act, declared=declared, why=error.message))
        return replace(held, refused=overruled.refused) if overruled.refused else overruled

    def _put_behind(self, state: State, act: Act, held: AffrayError) -> bool:
        """Puts an act behind what is said later between the same walls, by which the table goes on; whether any is."""
        near, on = self._near(act, {segment_of(state)}), {verb for verb, *_ in offers_on(held)}
        near = ((at, one) for at, one in near if one.declared.verb in on and not self._doers(one))
        at = next((at for at, one in near if not self._walls.is_wall(one.entry)), 0)
        if not at or self.rest[0].entry != act.entry:
            return False
        self._forward |= {one.entry for one in self.rest[1 : at + 1]}
        self.rest[: at + 1] = [*self.rest[1 : at + 1], self.rest[0]]
        return True

    def _went_on(self, state: State, held: Result) -> Result:
        """The result of what is passed before an act, or of the act that says so itself; its dice stay where they are
        when something is passed, or nothing makes it possible.
        """
        dice = [self._new(one) for one in (held.act, Act(held.act.declared, puts_in=held.act.entry))]
        first = self._going_on(held)
        put_in = first.act.puts_in is not None
        for one in dice if put_in or first.refused else ():
            one.back()
        return self._resolved(state, first.act) if put_in else first

    def _may_go_on(self, state: State, act: Act, waited: set[str]) -> bool:
        """Whether the table went on: a recorded wall comes, or nobody passes by it, as for a seat that nobody plays."""
        said = self._card(act).by == "turn" and not self._opens_turn(act)
        nobody = set() if acting(state) else {state.turns.who}
        return self._walls.ahead(segment_of(state), self.rest) or said or waited <= nobody

    def _stays(self, state: State, some: set[str], act: Act) -> bool:
        """Whether an act stands where it is put or nowhere, because an act of others is before it: where it is moved,
        of any who may act or would be passed over, or a round; where it did not stand, what opens a round.
        """
        if act.entry in self._placed:
            then = self._reached(state, act)
            later = round_of(segment_of(then)) != round_of(segment_of(state)) and not self._walls.is_wall(act.entry)
            over = self._near(act, self._walls.between(segment_of(state), segment_of(then)))
            ended = self._near(act, {segment_of(state)}) if ends_turn(act.declared.verb) else ()  # and what it cuts off
            late = chain(over, ((at, one) for at, one in ended if self._doers(self._meant(one)) & {*acting(state)}))
            overtakes = any(self._card(one).by == "combatant" and self._doers(one) for _, one in late)
            near, some = {segment_of(state), segment_of(then)}, {*some, *acting(state), state.turns.who}
            return later or overtakes or bool(self._next_of(state, some, act, near))
        if act.entry in self._when or not (first := self._next_of(state, some, act)):
            return False
        wall = self._when[self.rest[first].entry]
        return round_of(wall.before) != round_of(wall.after)

    def _left_open(self, state: State, act: Act, then: State) -> bool:
        """Whether an act of the phase that is open is taken forward before another phase of the round opens."""
        here, there = segment_of(state), segment_of(then)
        leaves = here != there and round_of(here) == round_of(there)
        return leaves and self._take_forward(state, {*state.roster.order}, act, {here})

    def _take_forward(self, state: State, of: set[str], act: Act, near: Near = None, then: State | None = None) -> bool:
        """Whether the next act is taken forward, with what answers it and what changes its people before it."""
        if not (first := self._next_of(state, of, act, near, then)):
            return False
        rest, last, act = self.rest, first + 1, self._meant(self.rest[first])
        ends, doers = ends_turn(act.declared.verb), self._doers(act) & of
        if ends and round_of(segment_of(self._trial(state, act).state)) != round_of(segment_of(state)):
            return False  # no act crosses the end of a round
        while first and rest[first - 1].declared.instant:
            first -= 1
        while last < len(rest) and rest[last - 1].entry in self._waits and rest[last].entry in self._when:
            last += 1
        moved = [*(one for one in rest[:first] if sets_up(self._meant(one), self._system, doers)), *rest[first:last]]
        self._forward |= {one.entry for one in moved}
        self.rest = [*moved, *(one for one in rest if one not in moved)]
        return True

    def _next_of(self, state: State, some: set[str], act: Act, near: Near = None, then: State | None = None) -> int:
        """Where the next act of some stands that the book allows before an act, and not `then`; 0 for none. It was done
        `near`, by default in the phase that is open, or that the act opened. What somebody does keeps its order.
        """
        side = {state.turns.who} - {*(self._names or Names()).of}  # each of several has acts of their own
        here, own = {segment_of(state)}, self._doers(act)
        theirs = not own.isdisjoint(stood_for(state, state.turns.who))  # the end of a turn is not before what is in it
        if self._card(act).by != "turn":
            own -= side
            here |= {self._when[act.entry].after} if act.entry in self._when else set()
        for at, one in self._near(act, near or here):
            meant = self._meant(one)
            doers, acts, ends = self._doers(meant), self._card(one).by != "turn", ends_turn(one.declared.verb)
            keeps = acts or ends
            if not doers & some or (keeps and doers & own & {*some, *state.roster.order}) or (ends and theirs):
                continue
            if self._fits_before(state, meant) and self._has_its_acts(state, at, meant):
                if then is None or self._trial(then, meant).refused:
                    return at
                own |= doers & {*state.roster.order}
            if keeps and self._trial(state, meant).waits:
                own |= doers - (side if acts else set())  # and so does the next
        return 0

    def _has_its_acts(self, state: State, at: int, act: Act) -> bool:
        """Whether what somebody did in the turn that an act opens is possible there; also while a wall is to come."""
        if self._card(act).by != "turn" or not self._opens_turn(act) or self._walls.ahead(segment_of(state), self.rest):
            return True
        who, state = self._turn(act)[1], self._trial(state, act).state
        own = [one for one in map(self._meant, self.rest[at:]) if self._turn(one)[0] == who and who in self._doers(one)]
        for one in own:
            result = self._trial(state, one)
            if result.refused and not result.waits:
                return False
            state = result.state
        return bool(own)

    def _near(self, act: Act, near: set[Segment]) -> Iterator[tuple[int, Act]]:
        """The other acts of a round that belong between some walls, with their places; none that answers another."""
        waits, own = self._waits - {act.entry}, self.rest if self._state.pending.window else ()
        for one in takewhile(lambda one: one.entry in self._waits | {act.entry}, own):
            waits.discard(one.entry)  # what answers now is no later act's answer
        for at, (last, one) in enumerate(zip([act, *self.rest], self.rest, strict=False)):
            if (moment := self._when.get(one.entry)) and moment.opens and len(moment.opened) < 3:
                return  # what came in the round that it opens
            if last.entry not in waits and one.entry != act.entry and self._belongs(one, near):
                yield at, one

    def _reached(self, state: State, act: Act) -> State:
        """The state after an act, once all have passed for whom it waits, or it says that itself."""
        for _ in range(MOST_PASSES):
            result = self._trial(state, act)
            if not (found := way_on(state, result.refused)) or said_itself(act, found, None):
                return found.state if found else result.state
            state = found.state
        return state

    def _fits_before(self, state: State, act: Act) -> bool:
        """Whether the book allows an act between the walls between which it was done."""
        result = self._trial(state, self._theirs(state, act))
        if result.refused or self._ends_another(state, act):
            return False
        return segment_of(result.state) == self._when[act.entry].after or self._belongs(act, {segment_of(state)})

    def _belongs(self, act: Act, here: set[Segment]) -> bool:
        """Whether an act that may be taken forward belongs between some walls; one that lets go only where all are."""
        moment = self._when.get(act.entry)
        if moment is None or act.kept is not None or act.declared.instant or act.entry in self._forward:
            return False
        return moment.before in here & {self._now} if self._card(act).lets_go else moment.after in here

    def _going_on(self, first: Result) -> Result:
        """The first result of what is passed or done before an act that was held up, or of the act that says so itself;
        that of the act as it was held up where nothing, or only another round, makes it possible: nobody passes for it.
        """
        state, act, result, before, moment = first.state, first.act, first, None, self._when.get(first.act.entry)
        here = segment_of(state)[:3]
        own = moment.after[:3] if moment else here if act.origin and self._card(act).by == "combatant" else ()
        for _ in range(MOST_PASSES):
            if (error := result.refused) is None:
                return before or result
            if not error.on:
                return replace(first, refused=error)
            if not (found := way_on(state, error)):  # unless those whose turn it is have an act that lets it end
                return before if before and self._next_of(state, {state.turns.who}, act) else first
            if own == here != segment_of(found.state)[:3]:
                break
            if itself := said_itself(act, found, moment):
                act = replace(itself, why=error.message)
            else:
                one = Act(said_by(found), puts_in=first.act.said_for, why=error.message)
                passes = self._passes(state, one, act, not before)
                if passes is None or passes.refused:
                    break
                before = before or passes
                if passes.lacking:
                    return before
                state = passes.state
            result = self._resolved(state, act)
        return first

    def _passes(self, state: State, puts_in: Act, act: Act, first: bool) -> Result | None:
        """The result of what is passed before an act, at first only by those who have no act to come in this round;
        None where all have, and the act is moved.
        """
        idle = self._without_act(state, puts_in)
        if idle is None and act.entry in self._placed:
            return None
        rest = self._resolved(state, idle) if first and idle else None
        return rest if rest and not rest.refused else self._resolved(state, puts_in)

    def _without_act(self, state: State, act: Act) -> Act | None:
        """What some do who are waited for, of those only who have no act to come in this round; None where all have."""
        here, said = round_of(segment_of(state)), act.declared.said
        ahead = (one for one in self.rest if one.entry in self._when and round_of(self._when[one.entry].after) == here)
        busy = set[str]().union(*(self._doers(self._meant(one)) for one in ahead if self._card(one).by != "turn"))
        if idle := without(busy, said):
            return replace(act, declared=replace(act.declared, said={**said, **idle}))
        who = said.get("who") or ()
        return None if busy.intersection([who] if isinstance(who, str) else who) else act
