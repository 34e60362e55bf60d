"""The fight that is running: its ground, its order, rounds, phases and turns, and who fights whom."""

from msgspec.structs import astuple, replace

from ledger import events

from . import Aspect, Part, Said, anew, put, take


class Encounter(Aspect):
    """The fight that is running, or the last one."""

    NAMELESS = ("ground",)

    number: int = 0
    name: str = ""
    running: bool = False
    ordered: bool = True
    """False when the fight is played without turns."""
    ground: dict[str, tuple[tuple[int, int], ...]] = {}
    """For each feature the squares that have it, as x and y, in order."""

    def _began(self, event: events.EncounterBegan) -> "Encounter":
        return Encounter(event.number, event.name, True, event.ordered)

    def _ended(self, event: events.EncounterEnded) -> "Encounter":
        return replace(self, running=False, ground={})

    def _laid(self, event: events.GroundLaid) -> "Encounter":
        squares = {*self.ground.get(event.feature, ()), *event.squares}
        return replace(self, ground={**self.ground, event.feature: tuple(sorted(squares))})

    def _cleared(self, event: events.GroundCleared) -> "Encounter":
        squares = {*self.ground.get(event.feature, ())} - {*event.squares}
        return replace(self, ground={**self.ground, event.feature: tuple(sorted(squares))})

    REDUCERS = {
        events.EncounterBegan: _began,
        events.EncounterEnded: _ended,
        events.GroundLaid: _laid,
        events.GroundCleared: _cleared,
    }


class Turns(Aspect):
    """Round, phase and turn of the running encounter."""

    NAMES = ("order", "who", "last")

    order: tuple[str, ...] = ()
    """Seats, sides or combatants, the first to act first; empty before it is decided."""
    round: int = 0
    """0 before the first round."""
    phase: str = ""
    who: str = ""
    """The seat, side or combatant whose turn it is; "" between turns."""
    last: str = ""
    """The one whose turn ended last; "" before the first turn ends."""

    def _round(self, event: events.RoundBegan) -> "Turns":
        return replace(self, round=event.round, phase="", who="")

    def _turn_ended(self, event: events.TurnEnded) -> "Turns":
        return replace(self, who="", last=event.who)

    REDUCERS = {
        events.EncounterBegan: anew,
        events.EncounterEnded: anew,
        events.OrderSet: take("order", "order"),
        events.RoundBegan: _round,
        events.PhaseBegan: take("phase", "phase"),
        events.TurnBegan: take("who", "who"),
        events.TurnEnded: _turn_ended,
    }


class Tie(events.TieBroken, tag=False):
    """A tie that was broken."""

    NAMES = ("order",)


class Initiative(Aspect):
    """Initiative that differs from the sheet, and broken ties, for the order of this encounter."""

    WORDS = ("initiative",)
    PLACE = 80

    scores: dict[str, int] = {}
    """For each combatant the score that replaces its sheet's."""
    ties: tuple[Tie, ...] = ()
    """In the order in which they were broken."""

    def board(self, who: str) -> Said:
        """The score that replaces the sheet's."""
        return [("initiative", str(self.scores[who]), "")] if who in self.scores else ()

    def _tie(self, event: events.TieBroken) -> "Initiative":
        same = (event.score, set(event.order))
        others = tuple(tie for tie in self.ties if (tie.score, set(tie.order)) != same)
        return replace(self, ties=(*others, Tie(*astuple(event))))

    REDUCERS = {events.InitiativeSet: put("scores", "score"), events.TieBroken: _tie, events.EncounterEnded: anew}


class Engagement(Aspect):
    """All pairs that are locked in combat."""

    WORDS = ("engaged",)
    PLACE = 90
    NAMES = ("pairs",)

    pairs: tuple[tuple[str, str], ...] = ()

    def board(self, who: str) -> Said:
        """Those with whom somebody is engaged."""
        others = self.of(who)
        return [("engaged", ", ".join(others), "")] if others else ()

    def of(self, who: str) -> tuple[str, ...]:
        """Those with whom one combatant is engaged."""
        return tuple([other for pair in self.pairs if who in pair for other in pair if other != who])

    def _others(self, event: events.Engaged | events.Disengaged) -> tuple[tuple[str, str], ...]:
        return tuple(pair for pair in self.pairs if set(pair) != {event.who, event.whom})

    def _engaged(self, event: events.Engaged) -> "Engagement":
        return Engagement((*self._others(event), (event.who, event.whom)))

    def _disengaged(self, event: events.Disengaged) -> "Engagement":
        return Engagement(self._others(event))

    def _left(self, event: events.Left) -> "Engagement":
        return Engagement(tuple([pair for pair in self.pairs if event.who not in pair])) if self.pairs else self

    REDUCERS = {events.Engaged: _engaged, events.Disengaged: _disengaged, events.Left: _left}


class Skirmish(Part):
    """A fight within the fight: who fights on each of its two sides, in the order of joining."""

    NAMES = ("sides",)

    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The side that picked the fight, and the other."""
    done: bool = False
    lasting: bool = False
    """Whether it lasts beyond the round."""

    @property
    def members(self) -> tuple[str, ...]:
        """Everybody in it, the side that picked it first."""
        return (*self.sides[0], *self.sides[1])

    def without(self, who: str) -> "Skirmish":
        """The skirmish without somebody who leaves. A skirmish of this round ends when one of its sides is empty."""
        first, second = (tuple(other for other in side if other != who) for side in self.sides)
        alone = who in self.members and not (first and second) and not self.done and not self.lasting
        return Skirmish(done=True) if alone else replace(self, sides=(first, second))


class Skirmishes(Aspect):
    """All skirmishes of the round, and those that last."""

    of: tuple[Skirmish, ...] = ()
    """In the order of forming."""

    def with_(self, who: str) -> int:
        """The number of the last skirmish that somebody is in, 1 for the first; 0 for none."""
        return max((at for at, skirmish in enumerate(self.of, 1) if who in skirmish.members), default=0)

    def number(self, number: int) -> Skirmish:
        """The skirmish of that number; an empty one if it is not formed yet."""
        return self.of[number - 1] if 0 < number <= len(self.of) else Skirmish()

    def changed(self, number: int, skirmish: Skirmish) -> "Skirmishes":
        """All skirmishes, with this one under that number."""
        return Skirmishes((*self.of[: number - 1], skirmish, *self.of[number:]))

    def _joined(self, event: events.SkirmishJoined) -> "Skirmishes":
        skirmish = self.number(event.skirmish)
        first, second = skirmish.sides
        sides = ((*first, event.who), second) if event.side == 0 else (first, (*second, event.who))
        return self.changed(event.skirmish, replace(skirmish, sides=sides, lasting=event.lasting))

    def _ended(self, event: events.SkirmishEnded) -> "Skirmishes":
        return self.changed(event.skirmish, replace(self.number(event.skirmish), done=True))

    def _quit(self, event: events.SkirmishLeft) -> "Skirmishes":
        return self.changed(event.skirmish, self.number(event.skirmish).without(event.who))

    def _round(self, event: events.RoundBegan) -> "Skirmishes":
        return Skirmishes(tuple([one for one in self.of if one.lasting]))

    def _left(self, event: events.Left) -> "Skirmishes":
        return Skirmishes(tuple(one.without(event.who) for one in self.of)) if self.of else self

    REDUCERS = {
        events.SkirmishJoined: _joined,
        events.SkirmishEnded: _ended,
        events.SkirmishLeft: _quit,
        events.RoundBegan: _round,
        events.EncounterEnded: anew,
        events.Left: _left,
    }
