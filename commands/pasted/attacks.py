"""Attacks and their damage: routines such as `[2 claws (1d4), 1 bite (2d4)] or 6 spikes (1d6)`.

What cannot be read for certain is a question, and then no attack of the stat block is read: half a routine would be a
wrong one.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec import Struct

from commands.action.as_written import Blow

MOST = 20
"""The most attacks of a routine."""
_LONGEST = 600
"""The most characters of attacks or damage that are read."""
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NONE = re.compile(r"(?:none|nil|no attacks?|0|-|n/a|\u2014)(?=$|[ ,;.(])", re.I)
_UNKNOWN = re.compile(r"(?:varies|variable|special|see\b|as\b|by (?!weapon)|any\b)", re.I)
_DICE = re.compile(
    r"(?<![0-9a-z+])([0-9]{0,2}d[0-9]{1,3})(?![0-9a-z])(?: ?([-+]) ?([0-9]{1,3})(?![0-9d]|-[0-9]))?", re.I
)
_RANGE = re.compile(r"(?<![0-9a-z])([0-9]{1,3})-([0-9]{1,3})(?![0-9a-z])", re.I)
_ADDED = re.compile(r" ?\+ ?([0-9]{0,2}d[0-9]{1,3}|[0-9]{1,3})(?![0-9a-z/])", re.I)
"""What is added to dice: other dice, or a number."""
_KIND = re.compile(r" ?(?:of )?(?:fire|cold|frost|acid|lightning|electric\w*|damage)?(?: damage)?(?=$|[,;)+])", re.I)
"""What may stand behind a sum so that it is one: nothing, or the kind of the damage."""
_TIMES = re.compile(r" ?[x*] ?[0-9]|(?<=[0-9]) ?[x*] ?$", re.I)
"""What multiplies dice, or says how often they strike."""
_LASTS = re.compile(r" ?(?:rounds?|turns?|minutes?|hours?|days?|levels?|points?|segments?)\b", re.I)
_FLAT = re.compile(r"([0-9]{1,3}) ?(?:hp\b|hit points?\b|points?\b|damage\b)?(?=$|[ ,;+*(])", re.I)
_ALL = re.compile(r"[,;]? *\b(?:all|each|every one) +(?:plus|with|\+)[^,;()]*", re.I)
"""What is said of all attacks at once."""
_PLUS = re.compile(r" +plus +", re.I)
_SIDES = (2, 3, 4, 6, 8, 10, 12, 20)
_COUNT = re.compile(r"([0-9]{1,2})(?![0-9d]) ?(?:x ?)?", re.I)
_HARM = ("poison", "special", "disease", "paralysis", "drain", "acid", "fire", "stun", "charm", "grab", "see below")
"""Words of what a hit does besides, which are no attack of their own."""


class Routines(Struct, frozen=True):
    """What a stat block says of its attacks."""

    routines: tuple[tuple[Blow, ...], ...] = ()
    rest: str = ""
    """Words that no attack holds."""
    asks: str = ""
    """Why nothing is read; "" where that is no question."""


class _Unsure(Exception):
    """The words may mean several things."""


class _Item(Struct):
    """One attack as it stands in a routine."""

    count: int
    name: str
    damage: str | None = None
    """The words in brackets behind it; None without any."""
    tail: str = ""
    """What stands behind the brackets, such as `+ poison`."""
    bare: bool = False
    """Whether it is a word alone, without number and damage: perhaps no attack at all."""


def attacks(said: str, damage: str = "") -> Routines:
    """The routines in the words about attacks and, where they stand apart, about damage; in plain signs.

    >>> attacks("2 x claw (1d4), 1 x bite (2d4)").routines[0][1:]
    (Blow(name='claw', dice='1d4', besides=''), Blow(name='bite', dice='2d4', besides=''))
    >>> [[blow.name for blow in routine] for routine in attacks("1 bite or 1 spit", "1d2 bite, special spit").routines]
    [['bite'], ['spit']]
    >>> attacks("2", "1-6/1-6").routines
    ((Blow(name='', dice='1d6', besides=''), Blow(name='', dice='1d6', besides='')),)
    """
    said, damage = said.strip(" .;,"), damage.strip(" .;,")
    for_all = " ".join(dict.fromkeys(one[0].strip(" ,;") for words in (said, damage) for one in _ALL.finditer(words)))
    said, damage = (_PLUS.sub(" + ", _ALL.sub("", words)) for words in (said, damage))
    if len(said) > _LONGEST or len(damage) > _LONGEST:
        return Routines(asks="attacks: they are too long to be read for certain")
    none = _NONE.match(said)
    if none and (said != "-" or not _DICE.search(damage)):
        return Routines(rest=said[none.end() :].strip(" ,;"))
    if said in ("", "-"):
        said = "1" if damage else ""
    if not said or (_UNKNOWN.match(said) and not _DICE.search(said)):
        return Routines(asks=f"attacks: {said!r}" if said else "")
    try:
        made = _with_damage([list(map(_item, parts)) for parts in _split(said)], damage)
    except _Unsure as unsure:
        return Routines(asks=f"attacks: {unsure}")
    if any(len(routine) > MOST for routine in made):
        return Routines(asks=f"attacks: more than {MOST} in {said!r}")
    return Routines(tuple(map(tuple, made)), for_all)


# Words to items


def _depths(text: str) -> Iterator[tuple[int, str, int]]:
    """Each sign with its place and how many brackets it stands in."""
    depth = 0
    for at, sign in enumerate(text):
        if sign in ")]":
            depth = max(depth - 1, 0)
        yield at, sign, depth
        if sign in "([":
            depth += 1


def _outside(text: str, pattern: "re.Pattern[str]") -> Iterator["re.Match[str]"]:
    """Where a pattern matches outside of brackets."""
    outside = {at for at, _, depth in _depths(text) if depth == 0}
    return (found for found in pattern.finditer(text) if found.start() in outside)


def _parted(text: str, pattern: "re.Pattern[str]") -> list[str]:
    """A text, parted where a pattern matches outside of brackets."""
    parts, begin = [], 0
    for found in _outside(text, pattern):
        if found.start() >= begin:
            parts.append(text[begin : found.start()])
            begin = found.end()
    return [part.strip() for part in [*parts, text[begin:]] if part.strip(" ,;")]


_OR = re.compile(r"[,;]? +or +", re.I)
_AND = re.compile(
    r" *[,;] *(?:and +)?| +and +|(?<=[a-z)]) */ *(?=[0-9])|(?<=[a-z)]) +/ +| *\+ *(?=[0-9]{1,2} ?(?:x ?)?[a-z]{3})",
    re.I,
)
_BONUS = re.compile(r"(?<=[a-z]) *\+[0-9]{1,2} [a-z]{3}\w*", re.I)
"""A bonus to hit, as in `sword +2 melee`; or two more attacks, as in `bite +2 claws`."""
_ASIDE = re.compile(r" *[,;] *(see (?:below|above|text|description)|special)(?=$|[ ,;])", re.I)
"""What stands in a list of attacks and is none."""
_UNDELIMITED = re.compile(r"(?<=\)) +(?=[A-Z0-9][^()]{0,60}\()")


def _split(said: str) -> list[list[str]]:
    """The words of each attack of each routine."""
    if bonus := next(_outside(said, _BONUS), None):
        raise _Unsure(f"is {bonus[0].strip()!r} a bonus to hit, or so many attacks?")
    said = re.sub(r"^\(([^()]*)\)$", r"\1", said)
    if (either := re.fullmatch(r"1 ?\(([^()]*)\)", said)) and not _DICE.search(said) and _OR.search(said):
        said = either[1]
    sides = _parted(_ASIDE.sub(r" + \1", said), _OR)
    bare = [re.sub(r"^\[(.*)\]$", r"\1", side) for side in sides]
    parts = [_with_tails(item for one in _parted(side, _AND) for item in _parted(one, _UNDELIMITED)) for side in bare]
    if len(sides) == 1 or any(side.startswith("[") for side in sides):
        return parts
    if len(sides) == 2 and len(parts[1]) > 1 and len(parts[0]) > 1 and _COUNT.match(parts[1][1]):
        # 2 claws, 1 bite or breath, 1 tail: the bite or the breath, between the claws and the tail
        if _COUNT.match(parts[1][0]):
            raise _Unsure(f"{said!r} may be several routines")
        begin, end = parts[0][:-1], parts[1][1:]
        return [[*begin, parts[0][-1], *end], [*begin, parts[1][0], *end]]
    return parts


def _with_tails(items: Iterable[str]) -> list[str]:
    """Attacks, with what begins with a plus behind the one before: `1 bite, + hug`."""
    found: list[str] = []
    for item in items:
        if found and item.startswith("+"):
            found[-1] = f"{found[-1]} {item}"
        else:
            found.append(item)
    return found


def _item(words: str) -> _Item:
    """One attack, from its words."""
    rest = words.strip()
    for number, word in enumerate(_NUMBERS, 1):
        if rest[: len(word) + 1].lower() == f"{word} ":
            rest = f"{number}{rest[len(word) :]}"
    if re.match(r"[0-9]{1,2} ?(?:-|to) ?[0-9]{1,2}\b(?! ?\))", rest):
        raise _Unsure(f"how many are {words!r}?")
    found = _COUNT.match(rest)
    count = int(found[1]) if found else 1
    rest = rest[found.end() :] if found else rest
    if not 1 <= count <= MOST:
        raise _Unsure(f"how many are {words!r}?")
    if by := re.match(r"by (?=[a-z]{3})", rest, re.I):
        if "(" not in rest:
            return _Item(count, _name(rest[by.end() :]), None, rest)
        rest = rest[by.end() :]
    if times := re.search(r" x ?([0-9]{1,2})(?= ?$| ?\()", rest):
        if count != 1:
            raise _Unsure(f"how many are {words!r}?")
        count, rest = int(times[1]), f"{rest[: times.start()]} {rest[times.end() :]}"
    bracket = rest.find("(")
    if bracket < 0 and (rolled := _DICE.search(rest)):
        return _Item(count, _name(rest[: rolled.start()]), rest[rolled.start() :].strip(), "")
    if bracket < 0:
        named, plus, tail = rest.partition("+")
        return _Item(count, _name(named), None, f"{plus}{tail}".strip(), found is None)
    close = next((at for at, sign, depth in _depths(rest[bracket:]) if sign == ")" and depth == 0), -1)
    if close < 0:
        raise _Unsure(f"a bracket is open in {words!r}")
    close += bracket
    tail = rest[close + 1 :].strip(" ,;.")
    if "(" in tail:
        raise _Unsure(f"{words!r} may be several attacks")
    return _Item(count, _name(rest[:bracket]), rest[bracket + 1 : close].strip(), tail)


def _name(words: str) -> str:
    """The name of an attack. Raises _Unsure for what is none."""
    name = re.sub(r"\*+", "", words).strip(" ,;.:x").lower() if words.strip() != "x" else ""
    if re.search(r"[0-9]", name) or len(name) > 40 or len(name.split()) > 5:
        raise _Unsure(f"{words!r} is not a name of an attack")
    return name


# Damage


def harm(words: str) -> tuple[str, str]:
    """Dice, a sum of them, or a flat number, and what it does besides. Ranges are dice: 1-6 is 1d6.

    >>> harm("1d6 + poison"), harm("2-8"), harm("1hp + poison"), harm("by weapon"), harm("1d6 or by weapon")
    (('1d6', '+ poison'), ('2d4', ''), ('1', '+ poison'), ('', 'by weapon'), ('1d6', 'or by weapon'))
    >>> harm("1d8+1d6"), harm("1d8 + 1d6 fire"), harm("1d6 + paralysis for 1d4 rounds")
    (('1d8+1d6', ''), ('1d8+1d6', 'fire'), ('1d6', '+ paralysis for 1d4 rounds'))
    """
    words = words.strip()
    end = 0
    if found := _DICE.search(words):
        if _TIMES.match(words[found.end() :]) or _TIMES.search(words[: found.start()]):
            raise _Unsure(f"is {words!r} one roll, or several?")
        if _DICE.search(words[found.end() :]) and re.match(r" ?(?:or|to|-|/)", words[found.end() :]):
            raise _Unsure(f"{words!r} is more than one roll")
        made = f"{'1' if found[1][0] in 'dD' else ''}{found[1].lower()}"
        if int(made.partition("d")[0]) < 1 or not 2 <= int(made.partition("d")[2]) <= 100:
            raise _Unsure(f"{words!r} are not dice")
        made += f"{found[2]}{int(found[3])}" if found[2] and int(found[3]) else ""
        more, end = _added(words, found.end())
        made += more
    elif found := _RANGE.search(words):
        made = _of_range(int(found[1]), int(found[2]))
    elif found := _FLAT.match(words):
        made = str(int(found[1]))
    elif re.search(r"[0-9]d[0-9]", words, re.I):
        raise _Unsure(f"is {words!r} one roll, or several?")
    else:
        return "", words
    end = end or found.end()
    return made, f"{words[: found.start()].strip()} {words[end:].strip()}".strip(" ,;")


def _added(words: str, at: int) -> tuple[str, int]:
    """What is added to dice that end at this place, and where that ends. Raises _Unsure for dice that may be added."""
    made, end = "", at
    while (found := _ADDED.match(words, end)) and not _LASTS.match(words, found.end()):
        made += f"+{'1' if found[1][0] in 'dD' else ''}{found[1].lower()}"
        end = found.end()
    if end > at and "d" in made and not _KIND.match(words, end):
        raise _Unsure(f"is {words!r} one roll?")
    return (made, end) if "d" in made else ("", at)


def _of_range(least: int, most: int) -> str:
    """The dice of a range: least is the number of dice, where that fits."""
    if 0 < least < most and most % least == 0 and most // least in _SIDES:
        return f"{least}d{most // least}"
    if 0 < least < most and most - least + 1 in _SIDES:
        return f"1d{most - least + 1}+{least - 1}"
    raise _Unsure(f"damage of {least}-{most}")


def _with_damage(routines: list[list[_Item]], damage: str) -> list[list[Blow]]:
    """The blows of each routine."""
    inner = [_inner(routine) for routine in routines]
    if _rolls(damage):
        inner = [[_without_dice(item) for item in routine] for routine in inner]
    items = [*chain.from_iterable(inner)]
    apart = damage and not _NONE.fullmatch(damage)
    if apart and all(item.damage is None for item in items):
        return _apart(inner, damage)
    if not apart and (bare := [item.name for routine in inner for item in routine[1:] if item.bare]):
        raise _Unsure(f"is {bare[0]!r} one?")
    own = [[*chain.from_iterable(map(_own, routine))] for routine in inner]
    if not apart:
        return _shared(inner, own)
    if not _rolls(damage) <= {*chain.from_iterable(_rolls(item.damage or "") for item in items)}:
        raise _Unsure(f"the damage {damage!r} is another one than in the brackets")
    return own


def _rolls(words: str) -> set[tuple[str, str]]:
    """The dice in words, each with what is added to them."""
    return {(found[1].lower(), found[3]) for found in _DICE.finditer(words)}


def _without_dice(item: _Item) -> _Item:
    """An attack whose brackets hold no damage, because that stands apart: they are words about it."""
    if item.damage is None or _rolls(item.damage) or _FLAT.match(item.damage) or _RANGE.search(item.damage):
        return item
    return _Item(item.count, item.name, None, f"({item.damage}) {item.tail}".strip())


def _inner(routine: list[_Item]) -> list[_Item]:
    """Attacks that stand in the brackets of a lone number: `2 (claw, claw)`."""
    told = routine[0].damage if len(routine) == 1 and not routine[0].name else ""
    if not told or not re.match(r"(?:[0-9]{1,2} )?[a-z]", told, re.I):
        return routine
    item = routine[0]
    words = _parted(item.damage or "", re.compile(r" *[,;/] *| +and +"))
    if _DICE.search(item.damage or ""):
        return routine
    if len(words) == 1:
        return [_Item(item.count, _name(words[0]))]
    each = [_item(word) for word in words]
    return each if sum(one.count for one in each) == item.count else routine


def _own(item: _Item) -> list[Blow]:
    """The blows of an attack with the damage in its brackets."""
    if item.damage is None:
        return [Blow(item.name, "", item.tail)] * item.count
    parts = [part.strip() for part in item.damage.split("/")]
    if 1 < len(parts) == item.count and all(harm(part)[0] for part in parts):
        return [Blow(item.name, *_joined(harm(part), item.tail)) for part in parts]
    made, besides = harm(item.damage)
    if len(_DICE.findall(item.damage)) > 1 and re.search(r"[0-9] ?[,/] ?[0-9]", item.damage):
        raise _Unsure(f"{item.damage!r} is more than one roll")
    return [Blow(item.name, *_joined((made, besides), item.tail))] * item.count


def _joined(harm_: tuple[str, str], tail: str) -> tuple[str, str]:
    return harm_[0], " ".join(filter(None, (harm_[1], tail if tail not in harm_[1] else "")))


def _shared(inner: list[list[_Item]], made: list[list[Blow]]) -> list[list[Blow]]:
    """Alternatives that share what one of them says: `1 fist or sword (1d8+5)`, `1 bite/spit (1 + poison)`, and
    `1 (fist 3d8 or water jet)`.
    """
    first, *others = flat = [*chain.from_iterable(inner)]
    if len(inner) == len(flat) == 2 and first.count == others[0].count == 1:
        dice = next((blow for blow in made[1] if blow.dice), None)
        if dice and others[0].damage and first.name and first.damage is None and not first.tail:
            return [[Blow(first.name, dice.dice, dice.besides)], made[1]]
    if others:
        return made
    if first.count == 1 and "/" in first.name:
        return [[Blow(name.strip(), blow.dice, blow.besides)] for name in first.name.split("/") for blow in made[0]]
    if first.name or not first.damage or not re.match(r"[a-z]", first.damage, re.I):
        return made
    if first.count > 1:
        raise _Unsure(f"{first.damage!r} for {first.count} attacks")
    return [[_named(part)] for part in _parted(first.damage, _OR)]


def _named(words: str) -> Blow:
    """An attack with its damage and without brackets: `fist 3d8`."""
    made, besides = harm(words)
    if not made:
        return Blow(_name(words), "")
    head = words[: next(iter([*_DICE.finditer(words), *_RANGE.finditer(words)])).start()].strip()
    return Blow(_name(head), made, besides.removeprefix(head).strip())


_OR_WEAPON = re.compile(r"\b(?:by|or) weapon", re.I)
_SEGMENT = re.compile(
    r" *[,;] *(?:and +)?| +and +| *, *or +| +or +(?!by )| */ *(?!round|turn|level|day|hour|hit|HD)", re.I
)


def _apart(inner: list[list[_Item]], damage: str) -> list[list[Blow]]:
    """The blows where damage stands apart: by the name of each attack, else by the place."""
    items = [*chain.from_iterable(inner)]
    parts = _parted(damage, _SEGMENT)
    unsure = _Unsure(f"the damage {damage!r} of which attack?")
    if len({item.name for item in items}) == 1 and len(_DICE.findall(damage)) + len(_RANGE.findall(damage)) <= 1:
        made, besides = harm(damage)
        all_alike = made, _without(besides, items[0].name)
        return _each(inner, lambda _: all_alike)
    named = [_about(part, items) for part in parts]
    if any(named):
        told = [*zip(parts, named, strict=True)]
        whose = {name for part, name in told if not _OR_WEAPON.search(part)}
        lost = whose != {*named} and any(item.name not in named for item in items)
        if lost or any(not name and _rolls(part) for part, name in told):
            raise unsure
        return [[blow for item in routine for blow in _by_name(item, parts, named)] for routine in inner]
    if len(parts) == 1 == len(inner[0]):
        alone = harm(damage)
        return _each(inner, lambda item: alone if item is items[0] else ("", ""))
    if len(parts) == 1:
        raise unsure
    return _each(inner, _in_order(items, parts, unsure))


def _in_order(items: list[_Item], parts: list[str], unsure: _Unsure) -> Callable[[_Item], tuple[str, str]]:
    """What is told of each attack in turn, where damage has no names: one for each, or one for each kind."""
    each = [harm(part) for part in parts]
    if any(not made and "weapon" not in besides and "special" not in besides for made, besides in each):
        raise unsure
    if len(parts) == len(items):
        each = [one for one, item in zip(each, items, strict=True) for _ in range(item.count)]
    if len(each) != sum(item.count for item in items):
        raise unsure
    flow = iter(each)
    return lambda _: next(flow)


def _each(inner: list[list[_Item]], told: Callable[[_Item], tuple[str, str]]) -> list[list[Blow]]:
    """The blows of each routine, by what is told of an attack."""
    items = [[item for item in routine for _ in range(item.count)] for routine in inner]
    return [[Blow(item.name, *_joined(told(item), item.tail)) for item in each] for each in items]


def _stem(word: str) -> str:
    """A word without the ending of many.

    >>> _stem("claws"), _stem("touches"), _stem("hooves"), _stem("bite")
    ('claw', 'touch', 'hoof', 'bite')
    """
    if word.endswith("ves"):
        return f"{word[:-3]}f"
    return word if word.endswith("ss") else re.sub(r"(?<=ch|sh|ss)es$|(?<=[a-z]{2})s$", "", word)


def _about(part: str, items: list[_Item]) -> str:
    """The name of the attack that a part of the damage is about; "" for none."""
    words = [_stem(word) for word in re.findall(r"[a-z]+", part.lower()) if word != "d"]
    names = {item.name: [_stem(word) for word in re.findall(r"[a-z]+", item.name)] for item in items}
    whole = [name for name, parts in names.items() if parts and set(parts) <= set(words)]
    last = [name for name, parts in names.items() if parts and parts[-1] in words]
    if whole or len(last) == 1:
        return max(whole or last, key=len)
    for item in items:
        tails = [_stem(word) for word in re.findall(r"[a-z]+", item.tail.lower())]
        if tails and set(tails) <= set(words) and not set(tails) & set(_HARM):
            return item.tail
    return ""


def _by_name(item: _Item, parts: list[str], named: list[str]) -> Iterator[Blow]:
    """The blows of an attack whose name stands with its damage, and those of what stands behind a plus."""
    own = [nth for nth, name in enumerate(named) if name == item.name]
    extra = [nth for nth, name in enumerate(named) if name and name == item.tail]
    if len(own) > 1 and any(harm(parts[nth])[0] for nth in own[1:]):
        if len(own) != item.count:
            raise _Unsure(f"{item.name} has more than one damage")
        for nth in own:
            made, besides = harm(parts[nth])
            yield Blow(item.name, made, _without(besides, item.name))
        return
    made, besides = harm(parts[own[0]]) if own else ("", "")
    tail = "" if extra else item.tail
    words = " ".join([_without(besides, item.name), *(parts[nth] for nth in own[1:])]).strip()
    yield from (Blow(item.name, *_joined((made, words), tail)) for _ in range(item.count))
    for nth in extra:
        made, besides = harm(parts[nth])
        name = item.tail.strip(" +")
        yield Blow(_name(name), made, _without(besides, name))


def _without(words: str, name: str) -> str:
    """Words without the name of the attack in them; `by weapon` and `or weapon` stay.

    >>> _without("+ poison sting", "sting"), _without("or by weapon", "weapon")
    ('+ poison', 'or by weapon')
    """
    names = {_stem(word) for word in name.lower().split()}
    told = words.split()
    pairs = zip(["", *(word.lower() for word in told)], told, strict=False)
    kept = (word for before, word in pairs if before in ("by", "or") or _stem(word.lower().strip(",")) not in names)
    return " ".join(kept)
