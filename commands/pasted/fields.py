"""Readers of single fields. Each takes a value in plain signs and gives what it says, or why it says nothing."""

import re

from msgspec import Struct

_ASCENDING = {"ascending": 19, "ascending11": 20}
"""What a descending and an ascending armour class come to together: 19 where 10 is unarmoured, 20 where 11 is."""
SCALES = ("descending", "ascending", "ascending11")
PACES = {"turn": 1, "round": 3, "tens": 10}
"""Feet in a turn for each unit: of feet in a turn, of feet in a round, of tens of feet in a turn."""
SAVES = ("death", "wands", "paralysis", "breath", "spells")
"""Saving throws, in the order in which five numbers stand."""


class Found(Struct, frozen=True):
    """What a value says."""

    value: object = None
    """None for nothing."""
    rest: str = ""
    """The words behind the value, which it does not hold."""
    asks: str = ""
    """Why it says nothing; "" where that is no question."""
    scale: str = ""
    """The option that would tell, such as ac."""
    more: dict[str, object] = {}
    """Other fields that stand in the same value."""


def armour_class(text: str, scale: str, paired: bool = True) -> Found:
    """Armour class, descending. A lone number is read by its scale, "" for an unknown one; of a pair such as 6 [13] the
    first number is the descending one.

    >>> armour_class("6 [13]", "").value, armour_class("14 (11)", "ascending11").value, armour_class("[14]", "").value
    (6, 6, 5)
    >>> armour_class("14", "").asks
    'armour class 14: descending, ascending, or ascending11?'
    """
    alone = re.match(r"\[ ?([0-9]{1,2}) ?\]", text)
    if alone:
        return _classed(19 - int(alone[1]), text[alone.end() :], text)
    found = re.match(r"(-?[0-9]{1,2})(?![0-9])", text)
    if not found:
        return Found(asks=f"armour class: {text!r} is not a number")
    number, rest = int(found[1]), text[found.end() :]
    pair = re.match(r"\*{0,3} ?(?:\[ ?(-?[0-9]{1,2}) ?\]|\( ?([0-9]{1,2}) ?\))", rest)
    if pair and paired and (pair[1] or number + int(pair[2]) == 19):
        if re.match(r" ?(?:[-/]|or\b|to\b)", rest[pair.end() :]):
            return Found(asks=f"armour class: {text!r} is more than one number")
        if number + int(pair[1] or pair[2]) != 19:
            return Found(asks=f"armour class {text}: the two do not come to 19 together")
        return _classed(number, rest[pair.end() :], text)
    if re.match(r" ?(?:[-/+]|or\b|to\b|and\b)", rest):
        return Found(asks=f"armour class: {text!r} is more than one number")
    if scale not in SCALES:
        return Found(asks=f"armour class {number}: descending, ascending, or ascending11?", scale="ac")
    classed = _classed(number if scale == "descending" else _ASCENDING[scale] - number, rest, text)
    needs = re.match(r"\*{0,3} ?\( ?([ms]) ?\)", rest) if scale == "ascending11" else None
    if needs and classed.value is not None:
        requires = ("magic",) if needs[1] == "m" else ("magic", "silver")
        return Found(classed.value, rest[needs.end() :], more={"requires": requires})
    return classed


def _classed(number: int, rest: str, text: str) -> Found:
    """A descending armour class, if there can be one."""
    if not -20 <= number <= 10:
        said = re.match(r"-?[0-9]*", text)
        number_said = said[0] if said and said[0] else text
        return Found(asks=f"armour class {number_said}: descending, ascending, or ascending11?", scale="ac")
    return Found(number, rest)


_FRACTIONS = {"1/2": "1/2", "\u00bd": "1/2", "1/4": "1/4", "\u00bc": "1/4"}
_DICE_OF_HD = {"1/2": "1d4", "1-1": "1d8-1"}


def hit_dice(text: str) -> Found:
    """Hit Dice, and the hit points or the dice for them that stand with them.

    >>> hit_dice("3+1** (14hp)")
    Found(value='3+1', rest='', asks='', scale='', more={'hp': 14})
    >>> hit_dice("1d4 hp").more, hit_dice("60hp (15HD)").more, hit_dice("5-12").asks
    ({'hp_dice': '1d4'}, {'hp': 60}, "Hit Dice: '5-12' is not a single number")
    """
    low = text.lower()
    if thrown := re.match(r"([0-9]{0,2}d[0-9]{1,3}(?: ?[-+] ?[0-9]{1,3})?) ?(?:hp|hit points?)\b\.?", low):
        return Found(None, text[thrown.end() :], more={"hp_dice": dice(thrown[1])})
    if points := re.match(r"([0-9]{1,3}) ?(?:hp|hit points?) ?\( ?([0-9]{1,2}) ?(?:hd|hit dice) ?\)", low):
        return Found(points[2], text[points.end() :], more={"hp": int(points[1])})
    if alone := re.match(r"([0-9]{1,3}) ?(?:hp|hit points?)\b\.?", low):
        return Found(None, text[alone.end() :], more={"hp": int(alone[1])} if int(alone[1]) else {})
    if eights := re.match(r"([0-9]{1,2})d8\b", low):
        text, low = f"{eights[1]}{text[eights.end() :]}", f"{eights[1]}{low[eights.end() :]}"
    found = re.match(r"(1/[24]|[\u00bd\u00bc])(?![0-9/])", low)
    if found:
        value = _FRACTIONS[found[1]]
    else:
        found = re.match(r"([0-9]{1,2})(?: ?([-+]) ?([0-9]{1,2}))?(?![0-9/.,d\u00bd\u00bc])", low)
        if not found or (found[2] == "-" and int(found[3]) > int(found[1])) or not int(found[1]):
            return Found(asks=f"Hit Dice: {text!r} is not a single number")
        value = str(int(found[1])) + (f"{found[2]}{int(found[3])}" if found[2] and int(found[3]) else "")
    rest = re.sub(r"^ ?\*{1,20}", "", text[found.end() :])
    rest = re.sub(r"^ ?(?:HD|hit dice|hit die)\b", "", rest, flags=re.I)
    more: dict[str, object] = {}
    points = re.match(r"[ ,]{0,3}\(? ?(?:hp:? ?)?([0-9]{1,3}) ?(?:hp|hit points?)?\b\.? ?\)?", rest, re.I)
    if thrown := _THROWN.match(rest):
        more["hp_dice"] = dice(thrown[1])
        rest = rest[thrown.end() :]
    elif points and int(points[1]) and re.search(r"hp|hit point", points[0], re.I):
        more["hp"] = int(points[1])
        rest = rest[points.end() :]
    elif bonus := re.match(r" ?\( ?\+([0-9]{1,2}) ?\)", rest):
        more["bonus"] = int(bonus[1])
        rest = rest[bonus.end() :]
    if _SEVERAL.search(rest):
        return Found(asks=f"Hit Dice: {text!r} is not a single number")
    return Found(value, rest, more=more)


_THROWN = re.compile(r" ?\(? ?([0-9]{0,2}d[0-9]{1,3}(?: ?[-+] ?[0-9]{1,3})?) ?(?:hp|hit points?)\b\.? ?\)?", re.I)
_SEVERAL = re.compile(
    r"^ ?(?:[-+/]|or\b|to\b|up\b)|\b(?:or|to|and) (?:more|less|up|[0-9])|\bvar(?:y|ies|iable)\b|\bdepend|, ?[0-9]", re.I
)
"""What tells, behind a number, that it is not the only one."""


def dice_of(value: str) -> str:
    """The eight-sided dice of so many Hit Dice; "" where nothing says how many.

    >>> dice_of("3+1"), dice_of("1-1"), dice_of("1/2"), dice_of("1/4")
    ('3d8+1', '1d8-1', '1d4', '')
    """
    if value in ("1/2", "1/4"):
        return _DICE_OF_HD.get(value, "")
    number, sign, more = value.partition("-" if "-" in value else "+")
    return f"{number}d8{sign}{more}"


def hit_points(text: str) -> Found:
    """Hit points: one number, or dice.

    >>> hit_points("14").value, hit_points("2d8").more, hit_points("3, 6, 2x9").asks
    (14, {'hp_dice': '2d8'}, "hit points: '3, 6, 2x9' is not a single number")
    """
    if thrown := re.fullmatch(r"([0-9]{0,2}d[0-9]{1,3}(?: ?[-+] ?[0-9]{1,3})?)\.?", text.lower()):
        return Found(more={"hp_dice": dice(thrown[1])})
    found = re.match(r"([0-9]{1,3})(?: ?hp\b)?(?= ?$| ?[(.;]| each\b)", text)
    if not found or not int(found[1]):
        return Found(asks=f"hit points: {text!r} is not a single number")
    return Found(int(found[1]), text[found.end() :])


def dice(text: str) -> str:
    """Dice as they are written in sheets.

    >>> dice("D6 + 1"), dice("2d4")
    ('1d6+1', '2d4')
    """
    tight = text.replace(" ", "").lower()
    return f"1{tight}" if tight.startswith("d") else tight


def to_hit(text: str) -> Found:
    """THAC0, and the attack bonus in brackets behind it. A bonus alone is no THAC0.

    >>> to_hit("19 [0]"), to_hit("[+3]").more
    (Found(value=19, rest='', asks='', scale='', more={'bonus': 0}), {'bonus': 3})
    """
    found = re.match(r"(-?[0-9]{1,2})(?![0-9])(?: ?\[ ?([-+]?[0-9]{1,2}) ?\])?", text)
    if not found:
        alone = re.fullmatch(r"\[ ?([-+]?[0-9]{1,2}) ?\]", text)
        return Found(more={"bonus": int(alone[1])}) if alone else Found(asks=f"THAC0: {text!r} is not a number")
    number, bonus = int(found[1]), int(found[2]) if found[2] else None
    if not -10 <= number <= 20 or (bonus is not None and number + bonus not in (19, 20)):
        return Found(asks=f"THAC0: {text!r} cannot be")
    return Found(number, text[found.end() :], more={} if bonus is None else {"bonus": bonus})


def attack_bonus(text: str) -> Found:
    """An attack bonus, such as +3."""
    found = re.match(r"([-+]?[0-9]{1,2})(?![0-9]| ?[-/])", text)
    return Found(int(found[1]), text[found.end() :]) if found else Found(asks=f"attack bonus: {text!r} is not a number")


def morale(text: str) -> Found:
    """The morale score, 2 to 12.

    >>> morale("7 (9 with king)"), morale("7-9").asks
    (Found(value=7, rest=' (9 with king)', asks='', scale='', more={}), "morale: '7-9' is not a single number")
    """
    found = re.match(r"([0-9]{1,2})(?![0-9%]|\.[0-9]| ?[-/]| ?or\b| ?to\b)", text)
    if re.fullmatch(r"-|n/a|none|nil", text, re.I):
        return Found(rest=text)
    if not found:
        return Found(asks=f"morale: {text!r} is not a single number")
    if not 2 <= int(found[1]) <= 12:
        return Found(asks=f"morale: {text!r} is not from 2 to 12")
    return Found(int(found[1]), text[found.end() :])


_LETTERS = re.compile("[ ,;/]{0,3}".join(rf"{letter}[a-z/ ]{{0,24}}:? ?([0-9]{{1,2}})(?![0-9])" for letter in "DWPBS"))
_NAMED = re.compile(
    "".join(
        rf"[^0-9]{{0,40}}?\b{name}[^0-9]{{0,40}}?([0-9]{{1,2}})(?![0-9])"
        for name in ("(?:death|poison)", "wand", "paraly", "breath", "spell")
    ),
    re.I,
)
_FIVE = re.compile(r"\[? ?" + " ?[,/] ?".join(["([0-9]{1,2})"] * 5) + r" ?\]?(?! ?[,/0-9])")


def saves(text: str, in_order: bool) -> Found:
    """Five saving throws; `in_order` where five numbers without letters stand in the usual order. One number for all,
    and a class with a level, are no five numbers.

    >>> saves("D12 W13 P14 B15 S16 (NH)", False).value
    {'death': 12, 'wands': 13, 'paralysis': 14, 'breath': 15, 'spells': 16}
    >>> saves("F2", False)
    Found(value=None, rest='F2', asks='', scale='', more={})
    """
    found = _LETTERS.match(text) or _NAMED.match(text)
    five = None if found else _FIVE.match(text)
    if five and not in_order:
        return Found(asks=f"saving throws {text}: which is which?")
    found = found or five
    if not found:
        return Found(rest=text)
    numbers = [int(one) for one in found.groups()]
    if not all(2 <= one <= 20 for one in numbers):
        return Found(asks=f"saving throws {text}: each is from 2 to 20")
    return Found(dict(zip(SAVES, numbers, strict=True)), text[found.end() :])


_FLIES = re.compile(
    r" ?\(? ?(?:fly|flying|flight|swim|swimming|burrow|burrowing|climb|climbing|hop|web|jet|human form)\b", re.I
)
_UNWALKED = re.compile(rf"[^0-9]*$|{_FLIES.pattern}", re.I)
_NUMBER = re.compile(r"([0-9]{1,3})(?![0-9.]) ?(\"|''|'|ft\b\.?|feet\b|(?=[ (/,;.]|$))")


def movement(text: str, pace: str) -> Found:
    """Movement on foot, in feet in a turn. `pace` says what the number is, "" where nothing does.

    >>> movement("120' (40')", "").value, movement("30' Fly 60'", "round"), movement("Fly 120'", "round").value
    (120, Found(value=90, rest=" Fly 60'", asks='', scale='', more={}), None)
    >>> movement("40'", "").asks, movement('12"', "").value
    ("movement 40': in a turn, in a round, or in tens of feet?", 120)
    """
    found = _NUMBER.match(text)
    if not found:
        return Found(rest=text) if _UNWALKED.match(text) else Found(asks=f"movement: {text!r} is not a single number")
    number, unit, rest = int(found[1]), found[2], text[found.end() :]
    if _is_flight(rest):
        return Found(rest=text)
    if re.match(r" ?(?:-|or\b|to\b|x|[0-9])", rest):
        return Found(asks=f"movement: {text!r} is not a single number")
    third = re.match(r" ?\( ?([0-9]{1,3}) ?(?:'|ft\b\.?|feet\b)? ?\)", rest)
    slashed = re.fullmatch(r" ?/ ?([0-9]{1,3}) ?'?", rest)
    said = re.match(r" ?(?:/|per|a|each) ?(turn|round)\b", rest, re.I)
    if said:
        pace, rest = said[1].lower(), rest[said.end() :]
    elif unit in ('"', "''"):
        pace = "tens"
    elif not number or (not pace and third and int(third[1]) == number // 3):
        pace = "turn"
    elif not pace and slashed and int(slashed[1]) * 3 == number:
        return Found(number)
    if pace not in PACES or (pace == "tens" and unit in ("'", "ft", "ft.", "feet")):
        return Found(asks=f"movement {found[0]}: in a turn, in a round, or in tens of feet?", scale="move")
    if third and pace == "turn":
        rest = rest[third.end() :]
        if _is_flight(rest):
            return Found(rest=text)
    return Found(number * PACES[pace], rest)


def _is_flight(rest: str) -> bool:
    """Whether the words behind a number say that it is no movement on foot, and no other number follows them."""
    return bool(_FLIES.match(rest) and not re.match(r" ?\(? ?[a-z ]{3,12} ?[0-9]", rest, re.I))


def name(text: str) -> tuple[str, str]:
    """A name as one word, and what of the text it leaves out.

    >>> name("Ant, Giant"), name("Lizard, Monitor, Huge"), name("Leopard (Panther)"), name("Golem, Clay*")
    (('Giant-Ant', ''), ('Huge-Monitor-Lizard', ''), ('Leopard', '(Panther)'), ('Clay-Golem', ''))
    """
    left = " ".join(re.findall(r"\([^()]*\)", text))
    whole = re.sub(r"\([^()]*\)", " ", text)
    if many := re.match(r"\s*([0-9]{1,3})x?\s+(?=[^\W\d])", whole):
        left, whole = f"{many[1]} {left}".strip(), whole[many.end() :]
    parts = [part.strip() for part in whole.split(",") if part.strip()]
    if len(parts) > 1 and not any(part[0].isdigit() for part in parts[1:]) and len(parts) <= 4:
        parts = parts[::-1]
    joined = " ".join(parts)
    made = "-".join("".join(sign if sign.isalnum() or sign in "'_" else " " for sign in joined).split()).strip("'_-")
    return made[:40].rstrip("-"), left or (joined if len(made) > 40 else "")
