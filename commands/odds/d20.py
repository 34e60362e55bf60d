"""Odds: the chance of a d20 against a target, plain, with advantage and with disadvantage, exactly."""

from msgspec import Struct

_WHOLE = 400
"""All throws of two d20; chances are counted in these."""
_FACES = 20
_LEAST, _MOST = 2, 20
"""aachen.odds.limits: a natural 1 misses and a natural 20 hits."""


class Row(Struct, frozen=True):
    """A row of the 1d20 table."""

    target: int
    single: int
    """Chance of one d20, in 1/400."""
    advantage: int
    """Chance of the higher of two, in 1/400."""
    disadvantage: int
    """Chance of the lower of two, in 1/400."""
    like_advantage: int
    """The plain modifier closest to advantage."""
    like_disadvantage: int
    """The plain modifier closest to disadvantage, negative."""


def target_of(ac: int, bonus: int) -> int:
    """aachen.odds.from-attack: the number that the die must show."""
    return ac - bonus


def _faces(target: int, naturals: bool) -> int:
    """How many faces of the d20 reach the target: 21 - target, within aachen.odds.limits."""
    least, most = (_LEAST, _MOST) if naturals else (1, _FACES + 1)
    return _FACES + 1 - min(max(target, least), most)


def single(target: int, naturals: bool = True) -> int:
    """aachen.odds.single: (21 - target) / 20, in 1/400."""
    return _faces(target, naturals) * _FACES


def advantage(target: int, naturals: bool = True) -> int:
    """aachen.odds.advantage: 1 - (1 - p)^2, in 1/400."""
    return _WHOLE - (_FACES - _faces(target, naturals)) ** 2


def disadvantage(target: int, naturals: bool = True) -> int:
    """aachen.odds.disadvantage: p^2, in 1/400."""
    return _faces(target, naturals) ** 2


def equivalent(chance: int, plain: int) -> int:
    """aachen.odds.equivalent: the difference of two chances in steps of 5%, to the nearest whole number."""
    steps, rest = divmod(abs(chance - plain), _FACES)
    rounded = steps + (2 * rest > _FACES)
    return rounded if chance >= plain else -rounded


def row(target: int, naturals: bool = True) -> Row:
    """Everything about one target."""
    plain, better, worse = single(target, naturals), advantage(target, naturals), disadvantage(target, naturals)
    return Row(target, plain, better, worse, equivalent(better, plain), equivalent(worse, plain))


def table(naturals: bool = True) -> list[Row]:
    """The 1d20 table: the targets 2 to 20; where natural rolls mean nothing, 1 and 21 too."""
    more = 0 if naturals else 1
    return [row(target, naturals) for target in range(_LEAST - more, _MOST + more + 1)]
