"""Tables of chance: evenings that a game master types, sensible and not, in every rule system.

What is said is text, as it is typed; a table knows of a system only the words of `LINES`. It stands in memory: a
command is recorded when it is not refused.
"""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import chdir, suppress
from pathlib import Path
from random import Random

import click

from commands.action import rulebook
from commands.action.dice_sources import Dice, stream
from commands.action.names import resolve_names
from commands.action.procedures import after_opening, resolve
from commands.action.resolution import Again, Resolution
from commands.action.view import View
from commands.shell.group import GROUP
from commands.words.command import order_of
from ledger.dice import committed
from ledger.errors import AffrayError, UsageError
from ledger.events import CampaignBegan
from projections.state import State, fold
from tests.hints import Table as Known
from tests.hints import taken
from tests.kit import KEY

EVENINGS = Path(__file__).parent / "evenings"
"""Prepared encounters, with the party."""
DEEDS = {
    "freepg": ("attack {me} {foe}", "act {me} waits", "move {me} --to {at}", "heal {me} {me}"),
    "aachen": (
        "attack {me} {foe}", "shoot {me} {foe} 40", "act {me} waits", "move {me} 10 --to {foe}", "move {me} 5",
        "stand {me}", "reload {me}", "grapple {me} --release",
    ),
    "arkm": (
        "attack {me} {foe}", "shoot {me} {foe} --distance 10", "move {me} --feet 10", "move {me} --to {foe} --feet 20",
        "cast {me} web --target {foe}", "cast {me} light", "stand {me}", "withdraw {me}", "retreat {me}", "reload {me}",
        "grapple {me} {foe}",
    ),
    "dungeoneers": (
        "attack {me} {foe}", "move {me} {way}", "defend {me}", "sprint {me}", "cast {me} firebolt {foe}",
        "trigger {me} {foe}", "opportune {me}", "stand {me}", "shoot {me} {foe}",
    ),
    "paraverse": (
        "attack {me} {foe}", "shoot {me} {foe}", "move {me} {area}", "misc {me} waits", "cast {me} Ward", "pass {me}",
        "pray {me} Mercy", "check {me} stealth --difficulty 12", "disengage {me}", "resolve {me}",
    ),
}  # fmt: skip
"""What somebody may do where they may act at all."""
LINES = {
    "freepg": (
        "draw {me} sword", "stow {me} sword", "prone {me}", "stand {me}", "done", "done", "done --pass-rest",
        "initiative", "check {me} --dt 12", "effect {me} blessing --amount 2", "attack {me} --at {at} --radius 2",
        "move {me} --to {at} --mode run", "pass {me}", "heal {me} {foe}", "terrain obstacle --at {at}",
    ),
    "aachen": (
        "charge {me} {foe} 30", "defend {me}", "withdraw {me}", "prone {me}", "push {me} {foe}", "grapple {me} {foe}",
        "ready {me} waits",
        "grapple {me} --escape", "draw {me} sword", "stow {me} sword --drop", "heal {me} {foe}", "cast {me} fog",
        "turn {me}", "turn {me} --after {foe}", "done", "pass {me}", "round", "initiative", "morale {foe}",
        "retreat {me}", "shoot {me} {foe} 30", "move {me} 30 --leave all", "trigger {me} --luck",
        "defend {me} --after-roll",
        "shoot {me} {foe}", "save {me} luck", "trigger {me} attack {foe}", "surprise pc",
    ),
    "arkm": (
        "phase", "phase movement", "phase missile", "phase magic", "phase melee", "done", "round", "initiative",
        "phase melee --pass-rest", "pass {me}", "parry {me}", "draw {me} dagger", "stow {me} sword",
        "disengage {me}", "set {me}",
        "charge {me} {foe} --feet 60", "face {me} {foe}", "disarm {me} {foe}", "morale {foe}", "move {me} --feet 90",
        "move {me} --to-rear {foe} --feet 20", "reaction {foe}", "surprise", "distance --feet 60", "prone {me}",
        "pair {me} {foe}", "pursue {me} {foe} --gap 40", "shoot {me} {foe} --range short", "move {me} --feet 60 --run",
    ),
    "dungeoneers": (
        "turn", "turn", "turn {me}", "done", "round", "resolve", "prone {me}", "disengage {me}", "grapple {me} {foe}",
        "push {me} {foe}", "ready {me} attack --before {foe}", "ready {me} attack",
        "stow {me} sword",
        "draw {me} sword", "face {me} n", "heal {me} --wounds 1", "rest {me} short", "move {me} {way} {way}",
        "cast {me} wither {foe}", "grapple {me} --release",
    ),
    "paraverse": (
        "round", "phase", "phase", "phase melee", "phase --pass-rest", "resolve", "skirmish {me} {foe}",
        "draw {me} dagger", "pass {me}", "heal {me} --pain 2", "save {me}", "cast {me} Ward --target {foe}", "rest",
        "move {me} {area} --engage {foe}", "effect {me} --name blessed --gives all:+1", "cast {me}", "attack {me}",
    ),
}  # fmt: skip
"""What else is said, at the right time or not."""
GM = (
    "leave {me}", "adjust {me} {harm} 3 luck", "damage {me} 2 fate", "adjust {me} down no mercy", "note it rains",
    "attack {foe} {me}", "attack nobody {foe}", "done", "adjust {me} side {side} bribed", "sheet set {me} nobody",
)  # fmt: skip
"""What is said in any system, and words that the hand mistypes."""
HARM = {"freepg": "hp", "aachen": "hp", "arkm": "hp", "dungeoneers": "wounds", "paraverse": "pain"}
WAYS, AREAS = ("n", "ne", "e", "se", "s", "sw", "w", "nw"), ("yard", "gate", "wall")
GOES_ON = {
    "freepg": ("initiative", "done", "done --pass-rest"),
    "aachen": ("initiative", "done", "round", "round --pass-rest"),
    "arkm": ("initiative", "phase movement", "done", "phase", "phase --pass-rest", "round", "round --pass-rest"),
    "dungeoneers": ("resolve", "turn", "done", "round", "round --pass-rest"),
    "paraverse": ("round", "resolve", "phase", "phase --pass-rest"),
}
"""By what a table goes on that waits for nobody, the mildest first."""


class Table:
    """A fight of a prepared encounter, which a seed plays."""

    def __init__(self, system: str, seed: int) -> None:
        self.system, self.random = system, Random(f"{system} {seed}")
        self.state = fold(State(), [CampaignBegan("chance", system, committed(KEY))])
        self.said: list[str] = []
        """What was recorded, in order."""
        with chdir(EVENINGS):
            assert self.say(f"begin --from {system}.toml")
        assert any(self.say(line) for line in GOES_ON[system])

    def say(self, line: str) -> bool:
        """Types a line; whether it was recorded."""
        try:
            self.state = done(self.state, line, self.random.randbytes(32)).state
        except click.ClickException:
            return False
        except AffrayError as error:
            self.refused(error)
            return False
        self.said.append(line)
        return True

    def refused(self, error: AffrayError) -> None:
        """What is done about a refusal: nothing."""

    def filled(self, line: str, me: str, foe: str) -> str:
        """A line with its names, and with squares, areas and ways by chance."""
        choose, some = self.random.choice, self.random.randint
        at = f"{some(-1, 8)},{some(-1, 7)}"
        side = choose(list(self.state.roster.sides()) or ["party"])
        return line.format(
            me=me, foe=foe, at=at, way=choose(WAYS), area=choose(AREAS), harm=HARM[self.system], side=side
        )

    def pair(self) -> tuple[str, str]:
        """Somebody, mostly who may act, and somebody else, mostly a foe."""
        choose, members = self.random.choice, self.state.roster.members
        now = [*rulebook.of(self.system).board.acting(View(self.state))] * 3
        me = choose(now + list(members))
        foes = [who for who in members if members[who].side != members[me].side and self.state.stands(who)] * 4
        return me, choose(foes + list(members))

    def play(self, turns: int) -> Iterator[State]:
        """Something is said so many times; then the table goes on. Gives the state after each line."""
        choose = self.random.choice
        for _ in range(turns):
            if not self.state.roster.order or not self.state.encounter.running:
                return
            lines = choose((DEEDS[self.system],) * 5 + (LINES[self.system],) * 3 + (GM,))
            self.say(self.filled(choose(lines), *self.pair()))
            yield self.state
            if self.random.random() < 0.25:
                any(self.say(line) for line in GOES_ON[self.system])
                yield self.state


def deed(state: State, who: str, foes: Sequence[str]) -> str:
    """What somebody can do now without taking anything from anybody else; "" for nothing. Tried in a copy."""
    members, (x, y, _) = state.roster.members, state.positions.at.get(who, (0, 0, 0))
    if state.turns.phase == "planning" and state.pending.of("declared", who):
        return ""  # another declaration would only replace the first
    near = [f"{x + dx},{y + dy}" for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    for words in DEEDS[state.campaign.system]:
        some = {"{at}": near, "{way}": WAYS, "{area}": AREAS}
        places = next((some[word] for word in some if word in words), ("",))
        if words.startswith("move") and state.counts.get(who, "feet"):
            continue  # whoever has moved has had the movement, though a second stretch can be said
        for foe in [foe for foe in foes if members[foe].side != members[who].side] if "{foe}" in words else [""]:
            for there in places:
                line = words.format(me=who, foe=foe, at=there, way=there, area=there)
                with suppress(AffrayError, click.ClickException):
                    found = done(state, line, KEY)
                    if not taken(state, found.events, found.state) - {who}:
                        return line
    return ""


def done(state: State, line: str, key: bytes) -> Resolution:
    """What comes of a line in a state. Raises what refuses it, or click's own error."""
    words = shlex.split(line)
    with click.Context(GROUP, info_name="affray", obj=Known(state.campaign.system)):
        order = order_of(words, state.campaign.system)
    try:
        now = after_opening(state, order.verb, order.declaration)
        said = resolve_names(now, order.declaration)
        return resolve(Resolution(now, order.verb, said, Dice(stream(key)), order.allow))
    except Again:
        raise UsageError("It answers the last action, which a state alone does not hold.") from None
