"""Whom a command names: those who were named, and those who go without saying."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile, islice, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from commands.action import cards, systems
from commands.words.parameters import is_option
from projections.changes import values

from .amounts import HARMED

if TYPE_CHECKING:
    from .option_words import Field
    from .tokens import Reader, Token

PEOPLE = ("fighter", "fighters", "blows", "group", "groups", "shown")
"""The kinds of words that name somebody."""
_UPON = frozenset({"on", "upon", "for"})
"""Words before the one upon whom somebody acts."""
STRANGE = 4
"""How far it is that somebody acts upon a friend where it is done to foes."""
UNLIKELY = 5
"""How far a goal is that no word leads to."""
_FEW = 4
"""How many are tried where somebody was left out or is misspelt."""


def _stem(name: str) -> str:
    """A name without its number."""
    return name.rstrip("0123456789")


class Named(NamedTuple):
    """Names in the order in which a verb takes them."""

    names: list[str]
    guessed: bool = False
    """Whether they hold what nobody said."""
    filled: bool = False
    """Whether they hold somebody whom nobody named, and who is not the only one who may act."""
    far: int = 0
    """How unlikely the order of the names is."""


class Company:
    """Finds whom a verb names."""

    def __init__(self, reader: "Reader", verb: cards.Verb, deed: bool) -> None:
        self.reader, self.state, self.verb, self._deed = reader, reader.state, verb, deed

    def _acts(self) -> bool:
        """Whether the first who is named does something by the verb."""
        return self.verb.by == "combatant" and not self.verb.passive

    def of(
        self,
        fields: Sequence["Field"],
        tokens: Sequence["Token"],
        said: dict[str, list[str]],
        goal: int,
        subject: bool,
        lost: int,
    ) -> Iterator[Named]:
        """The names in their order: those who were named, and where one is lacking, who acts before them, or on whom
        behind them. `goal` is how far it is that the one who is named is the goal;
        `subject` says whether somebody was named before the verb, and `lost` how many names nobody has.
        """
        named = [token.people for token in tokens if token.people]
        acting = self.reader.acting
        unsure = any(names[1:] for names in named)
        places = [
            field.name
            for field, shape in fields
            if shape.word in PEOPLE and not is_option(field, shape) and field.name not in said
        ]
        several = any(shape.word in ("fighters", "groups") for field, shape in fields if field.name in places)
        required = sum(field.required for field, shape in fields if field.name in places)
        listed = several or any(shape.word == "blows" for _, shape in fields)
        if left := [token.people for token in tokens if token.people and "from" in token.before]:
            only = all(shape.word in PEOPLE for field, shape in fields if field.required)
            if self.verb.by == "referee" and only and len(named) == len(places) == 1:
                return  # `flee from the troll` takes no troll away
            if self._acts() and not {"escaping", "backing", "flight", "step"}.isdisjoint(self.verb.hints.ideas):
                named = [one for one in named if one not in left]  # `disengage reaver from hakon`, `20 from the wolf`
        from_first = [*dropwhile(lambda one: not one.people, tokens)]  # `pray maelis Mending ysolde` names no list
        apart = any(
            one.people and (not before.people or not _UPON.isdisjoint(one.before))
            for before, one in pairwise(from_first)
        )  # nor does `pray maelis on ysolde mending`
        if len(named) > len(places) and not listed:
            named = [*dict.fromkeys(named)]  # `unmask pale --as Hesk`, who is the same
        if not any(shape.word in PEOPLE for _, shape in fields) or (self.verb.by == "turn" and not places and named):
            if self.verb.kind == "looks" and named:  # `status freya`
                yield Named([], True, False, 2)
                return
            ends = self.verb.by == "referee" and named and not fields  # `end boffin` ends no fight
            able = {*acting, "@due", "@all"}
            others = not all({*names} & able for names in named)
            if not ends and (self.verb.by != "referee" or not others):
                yield Named([], others, others)  # `done boffin` on Boffin's turn
            return
        for chosen in islice(product(*named), _FEW):
            if len(chosen) == len(places) > required and not all(said.values()):  # `grapple guard adalger --escape`
                yield Named([*chosen[:-1]], not subject)
            if len(chosen) >= required and chosen:
                upon = len(chosen) < len(places) and self._acts() and acting and chosen[0] not in acting
                between = {self.side(one) for one in chosen}
                several_named = len(between) > 1 or (subject and len(chosen) > 1)
                foes = required > 0 and self.verb.passive and self.verb.by != "turn" and several_named
                yield from [Named([*chosen[-1:]], True)] * foes  # `brun hits wolf for 5 damage`
                yield Named(
                    [*chosen], unsure or bool(upon) or foes, False, 2 * (several and apart and len(places) == 1)
                )
            at_foes = [*chosen[:1], *(one for one in chosen[1:] if self.fits(chosen[0], one))]
            if self._acts() and 1 < len(at_foes) < len(chosen) and not self.verb.hints.friendly:
                yield Named(at_foes, True)  # a friend among foes is hardly meant
            if len(chosen) > len(places) > 1 and not several and all(self.fits(chosen[0], one) for one in chosen[1:]):
                yield Named([*chosen[: len(places)]], True)  # one blow is for one of them
            if len(chosen) == len(places) == 1 and self._acts() and not subject:
                sure = len(acting) == 1
                yield from (  # `move to brak` on Jane's turn
                    Named([who, *chosen], True, not sure, goal if not goal or self.fits(who, chosen[0]) else STRANGE)
                    for who in acting[:_FEW]
                    if chosen[0] not in acting
                )
            reversed_ = [*chosen[1::-1], *chosen[2:]]
            goes = "step" in self.verb.hints.ideas  # who is named first goes to the other
            if len(chosen) > 1 and not subject and self._acts() and chosen[0] not in acting and not goes:
                down = self.state.harm.down
                if chosen[1] in acting or (chosen[0] in down and chosen[1] not in down):
                    yield Named(reversed_, True)  # `aim at wolf gerlind`, `heal brun hedwig` with Brun dying
            if len(chosen) == len(places) > 1 and "," in chosen[-1] and not several:
                yield Named([*chosen[:-1], chosen[-1].partition(",")[0]], True)  # one blow is for one of them
            if len(chosen) == len(places) > 1 and chosen[-1] in self.state.harm.down and self._acts():
                alike = [other for other in self.others(chosen[0]) if _stem(other) == _stem(chosen[-1])]
                yield from (Named([*chosen[:-1], other], True, True, 1) for other in alike)  # the next of the dead one
            if len(chosen) > len(places) == 1 and self._acts() and not (subject or apart):
                yield Named([",".join(chosen)], True)  # `pass reaver hound`
            if len(chosen) > len(places) == 1:
                if self.verb.by == "turn":
                    yield Named([*chosen[:1]], True)  # `resolve hakon against thrall`
                elif not self._acts() or "healing" in self.verb.hints.ideas:
                    hurt = [one for one in chosen if "healing" in self.verb.hints.ideas and self._is_hurt(one)]
                    yield Named([(*hurt, chosen[-1])[0 if len(hurt) == 1 else -1]], True)  # `maelis heals ildar`
                elif subject:  # `maelis flees the hound`, `maelis hides from the hound`
                    away = not {"escaping", "backing", "flight"}.isdisjoint(self.verb.hints.ideas)
                    yield Named([*chosen[:1]], True, False, 0 if away else STRANGE)
            if len(chosen) > len(places) == 1 and self._acts() and not subject and len({*map(self.side, chosen)}) > 1:
                yield Named([*chosen[:1]], True, False, 1)  # `opportune snik kaela`
            elif len(chosen) > required == 1 and self._acts() and len({self.side(one) for one in chosen}) == 1:
                yield Named([*chosen[:1]], True, False, 2)  # `hedwig runs 20 feet to brun`, who is no foe
            if self.verb.by == "referee":
                if not chosen and not required:
                    yield Named([])
                elif not chosen and self._deed:
                    ours = systems.players_sides(self.state)
                    sides = self.state.roster.sides()
                    yield from (Named([f"@{side}"], True, False, int(side not in ours)) for side in sides)
                    if "courage" in self.verb.hints.ideas:  # each foe says their group
                        standing = filter(self.state.stands, self.state.roster.order)
                        theirs = (who for who in standing if self.side(who) not in ours)
                        yield from (Named([who], True, False, 2) for who in islice(theirs, 2 * _FEW))
                continue  # the referee says to whom something happens
            for many in dict.fromkeys((required, len(places))):
                if len(chosen) < many or (not chosen and not many):
                    far = goes and goal > 0 and many > required and any(token.number for token in tokens)
                    yield from self._filled(chosen, many, unsure, lost, subject or far)  # `move hedwig 20`

    def _filled(self, chosen: tuple[str, ...], many: int, unsure: bool, lost: int, subject: bool) -> Iterator[Named]:
        """Those who were named with others, so that they are so many."""
        if not many:
            yield Named([])
            return
        acting = self.reader.acting
        able = [who for who in self.state.roster.order if self.state.stands(who)]
        able = [who for who in able if not chosen or self.fits(who, chosen[0])]
        doers = acting[:_FEW] or able[:_FEW]
        if (
            self.verb.hints.friendly and chosen
        ):  # somebody heals their friends, those first who know how, later if not now
            acting = [who for who in acting if who in able]
            others = sorted(able, key=lambda who: self.verb.procedure not in self.reader.skills(who))
            doers = [*dict.fromkeys((*acting, *others))][:_FEW]
        if chosen and "release" in self.verb.hints.ideas:
            doers = [who for who in doers if any(one.who == who for one in self.state.pending.waiting)]
        only = doers[:1] if len(acting or doers) == 1 else []
        before = [
            Named([who, *chosen], unsure or who not in only or not fit, who not in only, 0 if fit else STRANGE)
            for who in doers
            for fit in [not chosen or self.fits(who, chosen[0])]
            if many - len(chosen) == 1 and not (lost and chosen) and (self.verb.hints.friendly or who not in chosen)
        ]
        if many == 1 and not chosen:  # a readied action is taken out of turn
            rest = [who for who in self.state.roster.order if who not in doers and self.state.stands(who)]
            down = [who for who in self.state.harm.down if who in self.state.roster.order]  # and so is a death check
            before += [Named([who], True, True, UNLIKELY) for who in (*rest[:_FEW], *down[:_FEW])]
        firsts = [*chosen] if chosen else doers
        behind = [
            Named([one, *others], True, True)
            for one in firsts[:_FEW]
            for others in product(self.others(one), repeat=many - 1)
        ]
        own_first = (
            bool(chosen) and chosen[0] in acting and not self.verb.hints.friendly and many > 1
            and (only or self.side(chosen[0]) in systems.players_sides(self.state))
        )  # fmt: skip
        if subject and chosen:  # nobody else does what `gerlind moves 20` says
            yield from behind
        else:
            yield from [*behind, *before] if own_first else [*before, *behind]

    def others(self, who: str) -> list[str]:
        """Those on whom somebody may act, the nearest first: of another side, or of the same one where it is done for
        friends.
        """
        down = self.state.harm.down
        dying = {other for other, one in down.items() if self.verb.hints.friendly and one.how == "dying"}
        fit = [other for other in self.state.roster.order if other in dying or self.state.stands(other)]
        fit = [other for other in fit if self.fits(who, other)]
        locked, at = self.state.engagement.of(who), self.state.positions.at

        def far(other: str) -> int:
            """How far they are apart in squares, where both have a place; 0 in close combat, less for the dying."""
            if other in dying:
                return -1
            if other in locked or who not in at or other not in at:
                return 0 if other in locked else 1
            return max(abs(one - two) for one, two in zip(at[who], at[other], strict=True))

        return sorted(fit, key=far)[:_FEW]

    def _is_hurt(self, who: str) -> bool:
        """Whether somebody is down, or lacks hit points, or has what harm gives."""
        told = values(self.state)
        harm = {name: told.get(f"{who}.{name}", "0") for name in HARMED}
        return (
            who in self.state.harm.down
            or harm.pop("hp") != told.get(f"{who}.hp-max", "0")
            or any(value != "0" for value in harm.values())
        )

    def fits(self, who: str, other: str) -> bool:
        """Whether somebody may be the one upon whom the other acts."""
        return (self.side(who) == self.side(other)) is self.verb.hints.friendly

    def side(self, who: str) -> str:
        """The side of somebody; "" where a word names no single one."""
        return self.state.roster.members[who].side if who in self.state.roster.members else ""
