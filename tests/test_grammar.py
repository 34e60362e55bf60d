"""One grammar in all rule systems: how lists and squares are said, and that one name means one kind of thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from commands.action import systems
from commands.action.declaration import Declaration, Shape, shapes
from commands.words.parameters import declared, is_option, pieces
from ledger.errors import UsageError
from ledger.events import ConditionEnded
from tests.shell import ROOT, Shell, recorded, rulings, terms

RULES = ROOT / "commands" / "rules"


class Field(NamedTuple):
    """One thing that can be said with a verb."""

    system: str
    verb: str
    kind: type[Declaration]
    info: msgspec.structs.FieldInfo
    shape: Shape

    @property
    def name(self) -> str:
        return self.info.name.rstrip("_").replace("_", "-")

    def __str__(self) -> str:
        return f"{self.system} {self.verb} {self.name}"


def everything() -> Iterator[Field]:
    """All that can be said with the verbs of every rule system, and with those that all have."""
    for system in ("", *systems.SYSTEMS):
        verbs = systems.load(system).verbs if system else systems.COMMON
        for verb, found in verbs.items():
            _, kind = systems.procedure(found)
            for info, shape in shapes(kind):
                yield Field(system, verb, kind, info, shape)


FIELDS = [*everything()]
OPTIONS = [field for field in FIELDS if is_option(field.info, field.shape)]
PEOPLE = ("fighter", "fighters", "blows", "group", "groups")


def kind_of(shape: Shape) -> str:
    """What sort of thing a field takes."""
    if shape.word in PEOPLE:
        return "people"
    if shape.word in ("square", "places", "sheet", "toml", "table"):
        return shape.word
    inner = shape.inner or shape
    if inner.base is bool:
        return "flag"
    if inner.base is int:
        return "number"
    return "pairs" if inner.base is dict else "word"


# Lists


WORDS = [field for field in OPTIONS if field.shape.word == "words"]


def only(field: Field, *given: str) -> Any:
    """What a field is when nothing else is said."""
    made = msgspec.defstruct("Only", [(field.info.name, field.info.type, None)], bases=(Declaration,), frozen=True)
    said = declared(made, {field.info.name: given if field.shape.many else given[0]}, field.system)
    return getattr(said, field.info.name)


@pytest.mark.parametrize("field", WORDS, ids=str)
def test_an_option_is_repeated_or_takes_commas(field: Field):
    assert only(field, "a:1, b:2") == only(field, "a:1", "b:2") == ("a:1", "b:2")


def test_every_option_that_takes_several_words_is_of_that_type():
    """No list of texts without a word for how it is split."""
    assert not [str(field) for field in FIELDS if field.shape.many and not kind_of(field.shape)]
    loose = [str(field) for field in OPTIONS if field.shape.many and field.shape.base is tuple and not field.shape.word]
    assert not loose


@pytest.mark.parametrize("field", [field for field in FIELDS if field.shape.word == "square"], ids=str)
def test_squares_in_a_list_are_joined_by_slashes(field: Field):
    if field.shape.many:
        assert only(field, "8,8/9,8,1") == only(field, "8,8", "9,8,1") == ((8, 8, 0), (9, 8, 1))
    else:
        assert only(field, "9,8,1") == (9, 8, 1)


def test_what_stands_between_the_pieces_of_a_word():
    assert pieces("hall, yard") == ["hall", "yard"]
    assert pieces("yard:gate,yard:wall:check=athletics") == ["yard:gate", "yard:wall:check=athletics"]
    assert pieces("2:cold, wet") == ["2:cold, wet"]
    assert pieces("1,2:scope") == ["1", "2:scope"]
    assert pieces("to_hit=bow,thrown") == ["to_hit=bow,thrown"]
    assert pieces("to_hit=1,2") == ["to_hit=1,2"]
    for unclear in ("@ildar:adv:smoke,@reaver:dis:drunk,2", "2:scope,1", "2:scope,-1", "a=1,2,b=3"):
        with pytest.raises(UsageError, match="one value or as several"):
            pieces(unclear)


NOT_TYPED = {
    "aachen/checks.py": "the skills of a check, as the rules name them",
    "aachen/falls.py": "what waits, as it was recorded",
    "arkm/scores.py": "the value of a house rule",
    "dungeoneers/encounter.py": "NAME=X,Y,FACING is one place",
    "paraverse/rolls.py": "what a condition modifies",
}
"""Where a rule module takes a text with commas apart, and that nobody typed it as a list."""


def test_no_rule_splits_what_was_typed():
    splitting = set()
    texts = {file: file.read_text(encoding="utf-8") for file in RULES.rglob("*.py")}
    for file in [file for file, text in texts.items() if re.search(r"(split|partition)\(", text)]:
        for node in ast.walk(ast.parse(texts[file])):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            by = node.args[0]
            cuts = node.func.attr.endswith(("split", "partition"))
            if cuts and isinstance(by, ast.Constant) and str(by.value).strip() in (",", "/"):
                splitting.add(file.relative_to(RULES).as_posix())
    assert splitting == set(NOT_TYPED)


def test_those_who_join_stand_on_squares_of_their_own(shell: Shell):
    shell.done("init", "Words", "--system", "freepg")
    shell.done("join", "grub", "--count", "3", "--at", "8,8/9,8")
    assert [shell.value(f"Grub-{nth}.at") for nth in (1, 2, 3)] == ["8,8", "9,8", None]
    shell.refused("join", "brak", "--at", "1,1/2,2", code=2)
    shell.done("begin")
    shell.done("terrain", "obstacle", "1,1/2,2", "3,3")
    assert '"obstacle":[[1,1],[2,2],[3,3]]' in shell.done("map", "--json")
    shell.refused("terrain", "drain", "1,1/2,2", "--to", "3,3", code=2)


def test_places_in_a_list_are_joined_by_slashes(shell: Shell):
    shell.done("init", "Words", "--system", "dungeoneers")
    shell.done("join", "freya", "suori")
    shell.done("begin", "--at", "freya=0,0,E/suori=3,4")
    assert (shell.value("Freya.at"), shell.value("Suori.at")) == ("0,0", "3,4")


# Names


TWO_KINDS = {
    "at": "a square; at the beginning a place for each name, and in Paraverse that place is an area",
    "cover": "each book has its own scale: a word, or percent",
    "from": "the side from which a blow comes; at the beginning a file",
    "difficulty": "Aachen and FReePG say a number; Paraverse has words for the usual ones",
    "option": "a house rule by its name; at the beginning of an encounter with its value",
    "name": "of an encounter, an effect, a phase, a table or a group",
    "to": "where to, in what the system counts: a square, an area, or people to stand near to",
}
"""Names that take more than one kind of thing, and why."""


def test_one_name_means_one_kind_of_thing():
    kinds: dict[str, set[str]] = defaultdict(set)
    for field in FIELDS:
        kinds[field.name].add(kind_of(field.shape))
    assert {name for name, found in kinds.items() if len(found) > 1} == {
        name for name in TWO_KINDS if len(kinds[name]) > 1
    }


NAMES_OF = {
    "square": {"at", "to", "via", "drift"},
    "places": {"at"},
}
"""Under which names things of a kind are said."""


def test_one_kind_of_thing_has_the_same_names():
    for kind, names in NAMES_OF.items():
        assert {field.name for field in FIELDS if kind_of(field.shape) == kind} == names


SAID_OF = [
    (r"(Feet|Squares) to the target", {"distance"}),
    (r"How far apart they are", {"distance"}),
    (r"How far\b(?! (apart|it is|a ranged))", {"feet", "squares"}),
    (r"How far (it is|a ranged)", {"range"}),
    (r"(The|The first of two) weapons?( used)?(,|\.| whose)(?! or shield)", {"with"}),
    (r"A second weapon", {"off-hand"}),
    (r"(Who|Those who) opposes? it", {"against"}),
    (r"(At whom|On whom|Who is (attacked|shot at|pushed|grappled|shoved|healed))\b", {"target", "who"}),
    (r"Where to[.,]", {"to", "directions"}),
    (r"Whom a miss may hit", {"stray"}),
    (r"A modifier that you give", {"mod"}),
    (r"Extra or fewer dice", {"mod"}),
]
"""How a description begins, and the names that such a thing has."""


@pytest.mark.parametrize(("words", "names"), SAID_OF, ids=[words for words, _ in SAID_OF])
def test_what_is_explained_in_the_same_way_has_the_same_name(words: str, names: set[str]):
    found = [field for field in FIELDS if re.match(words, field.shape.description)]
    assert found
    assert {field.name for field in found} <= names, [str(field) for field in found if field.name not in names]


GONE = {
    "adv",
    "dis",
    "advantage",
    "disadvantage",
    "vs",
    "gap",
    "band",
    "targets",
    "florentine",
    "hit-mod",
    "damage-mod",
}
"""Names that were said in one system alone; the others' name stands in their place."""


def test_no_system_keeps_a_name_of_its_own():
    assert not {field.name for field in FIELDS} & GONE


def test_two_dice_are_said_with_a_modifier(shell: Shell):
    """`adv` and `dis` stand in place of the number, in each system that has them."""
    shell.done("init", "Words", "--system", "aachen")
    shell.done("join", "adalger", "guard")
    shell.done("begin")
    shell.done("initiative", "--dice", "8,1")
    shell.done("attack", "adalger", "guard", "--mod", "adv:the sun,1:height", "--dice", "3,17,4")
    assert rulings("aachen.attack.advantage") == [("the sun", [17])]
    assert rulings("aachen.attack.hit-test") == [("hit", [17 + 4 + 1 + 1 + 1, 14])]
    assert terms("aachen.attack.hit-test")["height"] == 1
    shell.refused("save", "adalger", "evasion", "--mod", "adv", code=2)
    shell.refused("attack", "guard", "adalger", "--mod", "armor:dis", code=2)
    shell.refused("attack", "guard", "adalger", "--mod", "adv,dis", code=1)


def test_what_an_effect_gives_is_said_as_a_modifier_is(shell: Shell):
    shell.done("init", "Words", "--system", "paraverse")
    shell.done("join", "ildar", "reaver")
    shell.done("effect", "reaver", "--name", "dazed", "--gives", "all:dis,melee:-2")
    shell.done("check", "reaver", "athletics", "--mod", "2:rope", "--dice", "5,9")
    assert rulings("paraverse.disadvantage.lower-die") == [("disadvantage: dazed", [5])]
    assert rulings("paraverse.check.partial") == [("athletics: partial failure", [5 + 2 + 2, 10])]
    assert terms("paraverse.check.partial")["rope"] == 2
    shell.done("effect", "reaver", "--name", "slow", "--gives", "all:dis")
    shell.refused("effect", "reaver", "--name", "dazed", "--end", "--pain", "2", code=2)
    shell.done("effect", "reaver", "--name", "dazed", "--end")
    assert ConditionEnded("Reaver", "dazed") in recorded()
    assert "dazed" not in shell.done("show", "reaver")


# What is told


def test_an_action_and_the_log_say_the_same_words(shell: Shell):
    """The words that were said, and the arithmetic, stand in the same order when an action is told and listed."""
    shell.done("init", "Words", "--system", "freepg")
    shell.done("join", "boffin", "jane")
    told = [
        shell.done(
            "attack", "boffin", "jane", "--with", "sword", "--mod", "1:a,hit:2:b", "--distance", "1", "--dice", "9,4"
        ),
        shell.done("check", "boffin", "--dt", "5", "--skill", "climb", "--harmful", "--dice", "9"),
        shell.done("move", "boffin", "--squares", "2", "--mode", "run", "--difficult-squares", "1"),
    ]
    assert shell.done("log", "--last", str(len(told))) == "".join(told)


def test_a_refused_insertion_offers_what_can_be_put_in(shell: Shell):
    """No command that goes on from the present is offered, but the insertion in other words."""
    shell.done("init", "Words", "--system", "freepg")
    shell.done("join", "boffin", "jane", "grub")
    shell.done("begin", "--seats", "John,Jane,gm")
    shell.done("initiative", "--dice", "9,3,2")
    shell.done("act", "boffin", "waits")
    wide = shell("amend", "e5", "--insert", "attack boffin grub,jane", "--dice", "9,3,3", "--json").json["error"]
    assert wide["hints"] == ["affray amend e5 --insert 'attack Boffin Grub,Jane --radius 2' --dice 9,3,3"]
    shell.done("attack", "boffin", "grub", "--dice", "9,4")
    changed = shell("amend", "e6", "--target", "boffin", "--json").json["error"]
    assert changed["hints"] == ["affray amend e6 --target boffin --allow 'the reason'"]


def test_a_claim_is_told_with_its_value(shell: Shell):
    shell.done("init", "Words", "--system", "freepg")
    shell.done("join", "boffin")
    shell.done("assert", "boffin.hp", "55")
    assert "Boffin.hp is 55, as on the sheet" in shell.done("replay", "--since", "e3")


def test_show_is_for_people_and_its_json_for_programs(shell: Shell):
    shell.done("init", "Words", "--system", "freepg")
    shell.done("join", "boffin")
    told = shell.done("show", "boffin")
    assert "sheet items = sword (slot weapon, attack 2), " in told
    assert not set('{}[]"') & set(told)
    assert shell("show", "boffin", "--json").json["sheet"]["items"][0]["name"] == "sword"
    told = shell.done("show", "e2")
    assert not set('{}"') & set(told)
    assert "Boffin: hp set (left 55, most 55)" in told
    assert shell("show", "e2", "--json").json["events"][0]["event"] == "declared"
