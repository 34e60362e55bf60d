"""How everybody is: hit points, who is down, pain, wounds, stress, magica, and conditions."""

from operator import itemgetter

from msgspec.structs import replace

from ledger import events

from . import Aspect, Levels, Part, Said, forget, put, take, without


class Hp(Part):
    """Hit points."""

    now: int
    most: int


class Down(Part):
    """How somebody is down."""

    how: str
    """dying, unconscious or dead."""


class Harm(Aspect):
    """Everybody's health."""

    WORDS = ("hp", "hp-max", "down")
    HARM = {"hp": "-", "down": "stands"}
    PLACE = 40

    hp: dict[str, Hp] = {}
    down: dict[str, Down] = {}
    """Those who are down; anyone who is missing stands."""

    def how(self, who: str) -> str:
        """How somebody is down: dying, unconscious or dead; "" when they stand."""
        down = self.down.get(who)
        return down.how if down else ""

    def board(self, who: str) -> Said:
        """Hit points, their maximum, and how somebody is down."""
        if hp := self.hp.get(who):
            yield "hp", str(hp.now), ""
            yield "hp-max", str(hp.most), ""
        if down := self.down.get(who):
            yield "down", down.how, ""

    def _set(self, event: events.HpSet) -> "Harm":
        return Harm({**self.hp, event.who: Hp(event.left, event.most)}, self.down)

    def _lost(self, event: events.HpLost) -> "Harm":
        return self._changed(event.who, -event.points)

    def _gained(self, event: events.HpGained) -> "Harm":
        return self._changed(event.who, event.points)

    def _changed(self, who: str, points: int) -> "Harm":
        hp = self.hp.get(who, Hp(0, 0))
        return Harm({**self.hp, who: Hp(hp.now + points, hp.most)}, self.down)

    def _felled(self, event: events.Felled) -> "Harm":
        return Harm(self.hp, {**self.down, event.who: Down(event.how)})

    REDUCERS = {
        events.HpSet: _set,
        events.HpLost: _lost,
        events.HpGained: _gained,
        events.Felled: _felled,
        events.Rose: forget("down"),
    }


class Pain(Levels):
    """Everybody's pain."""

    WORDS = ("pain",)
    HARM = {"pain": "0"}

    REDUCERS = {events.PainSuffered: put("of", "total"), events.PainEased: put("of", "total")}


class Wound(Part):
    """A wound, and where it is."""

    name: str
    place: str


class Wounds(Aspect):
    """Everybody's wounds."""

    WORDS = ("wound",)
    HARM = {"wound": "none"}

    of: dict[str, tuple[Wound, ...]] = {}
    """For each combatant its wounds, in the order of suffering them; anyone who is whole is missing."""

    def board(self, who: str) -> Said:
        """The wounds, each with its place."""
        held = ", ".join(f"{wound.name} ({wound.place})" for wound in self.of.get(who, ()))
        return [("wound", held, "")] if held else ()

    def names(self, who: str) -> tuple[str, ...]:
        """The wounds of one combatant."""
        return tuple(wound.name for wound in self.of.get(who, ()))

    def _besides(self, event: events.WoundSuffered | events.WoundTreated) -> tuple[Wound, ...]:
        return tuple(one for one in self.of.get(event.who, ()) if one.name != event.wound)

    def _suffered(self, event: events.WoundSuffered) -> "Wounds":
        return Wounds({**self.of, event.who: (*self._besides(event), Wound(event.wound, event.place))})

    def _treated(self, event: events.WoundTreated) -> "Wounds":
        rest, others = self._besides(event), without(self.of, event.who)
        return Wounds({**others, event.who: rest} if rest else others)

    REDUCERS = {events.WoundSuffered: _suffered, events.WoundTreated: _treated}


class Stress(Levels):
    """Everybody's stress."""

    WORDS = ("stress",)
    HARM = {"stress": "0"}
    PLACE = 10

    REDUCERS = {events.StressGained: put("of", "total"), events.StressEased: put("of", "total")}


class Injuries(Levels):
    """Everybody's counted wounds."""

    WORDS = ("wounds",)
    HARM = {"wounds": "0"}
    PLACE = 20

    REDUCERS = {events.WoundsSustained: put("of", "total"), events.WoundsHealed: put("of", "total")}


class Magica(Levels):
    """Everybody's magica, and that of the place."""

    WORDS = ("magica",)
    PLACE = 30

    ambient: int | None = None
    """What the place has; none when nobody counts it."""

    def left(self, who: str) -> int:
        """What a combatant has."""
        return self.of.get(who, 0)

    def _ended(self, event: events.Event) -> "Magica":
        return self if self.ambient is None else replace(self, ambient=None)

    REDUCERS = {
        events.MagicaGained: put("of", "left"),
        events.MagicaSpent: put("of", "left"),
        events.AmbientMagicaSet: take("ambient", "left"),
        events.AmbientMagicaSpent: take("ambient", "left"),
        events.EncounterEnded: _ended,
    }


class Condition(Part):
    """A condition that holds; the fields are those of `ConditionGained`."""

    NAMES = ("whose", "whom")

    until: str = "removed"
    whose: str = ""
    round: int = 0
    amount: int = 0
    modifies: str = ""
    whom: tuple[str, ...] = ()


class Conditions(Aspect):
    """Everybody's conditions."""

    of: dict[str, dict[str, Condition]] = {}
    """For each combatant its conditions by name; anyone who has none is missing."""

    def has(self, who: str, name: str) -> bool:
        """Whether somebody has a condition."""
        return name in self.of.get(who, {})

    def get(self, who: str, name: str) -> Condition | None:
        """Somebody's condition of that name; None without it."""
        return self.of.get(who, {}).get(name)

    def whom(self, who: str, name: str) -> tuple[str, ...]:
        """Whom somebody's condition concerns; nobody without it."""
        held = self.get(who, name)
        return held.whom if held else ()

    def amount(self, who: str, name: str) -> int:
        """The amount of somebody's condition; 0 without it."""
        held = self.get(who, name)
        return held.amount if held else 0

    def held(self, who: str) -> list[tuple[str, Condition]]:
        """The conditions of one combatant, in the order of their names."""
        return sorted(self.of.get(who, {}).items(), key=itemgetter(0))

    def _gained(self, event: events.ConditionGained) -> "Conditions":
        condition = Condition(event.until, event.whose, event.round, event.amount, event.modifies, event.whom)
        return Conditions({**self.of, event.who: {**self.of.get(event.who, {}), event.condition: condition}})

    def _ended(self, event: events.ConditionEnded) -> "Conditions":
        rest, others = without(self.of.get(event.who, {}), event.condition), without(self.of, event.who)
        return Conditions({**others, event.who: rest} if rest else others)

    REDUCERS = {events.ConditionGained: _gained, events.ConditionEnded: _ended}
