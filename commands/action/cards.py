"""The cards of verbs and rule systems: all that is to be known of one before it is carried out, or loaded."""

from msgspec import Struct
from msgspec.structs import force_setattr, replace


class Verb(Struct, frozen=True):
    """A verb: where it is found, and what is to be known of it before it is carried out. It is a line of a table, and
    most of it is words.
    """

    where: str
    """The module and the procedure in it, `attack:strike`; a module without dots is one of the system's package. The
    declaration has the procedure's name in CamelCase."""
    summary: str
    """What it does, in one line of help."""
    words: str = ""
    """Other words that mean it, six at most, with commas between: it is offered for them. One that only shows something
    is carried out."""
    traits: str = ""
    """What is so of it, each in a word. Whose it is at the table, if not an action of a combatant, which a player may
    say for their own:

    - `turn`: takes the turn on, for the table;
    - `gm`: a word of the game master alone.

    What it does to the ledger, if it does not append an entry of its own:

    - `looks`: only shows what is there, so that it changes no ledger, writes no file and does not stay;
    - `handles`: does anything else with ledgers and files;
    - `jumps`, `amends`, `lasts`: what it records goes to another place of the course, corrects an entry, or lasts,
      whatever is undone.

    Where and when it may be said:

    - `anywhere`: also where no ledger is;
    - `not-script`, `not-prompt`, `not-browser`: neither in a script nor at the prompt, because it opens a ledger or a
      prompt, or stays; not in a browser, because it needs a server, another process or a folder of the user;
    - `terminal`: none of these three;
    - `answers`: also while a window is open, which stops every other verb of the rule system.

    How it is found and told:

    - `often`: used most; the help of the program lists it, and it is meant by a beginning that others have too;
    - `listed`, `begun`: of these only the one or the other;
    - `seldom`: only meant by a beginning that no other verb has;
    - `repeated`: the events that it records say all that the declaration says, so that a story leaves it out;
    - `tells`: tells entries, and therefore has --brief. A verb of the table has it in any case.

    What it is to the fight, if it is not done against somebody:

    - `helps`: done for those of the own side;
    - `aside`: changes nothing in the fight, so that an instant may still answer the action before it;
    - `there`, `sets`, `harm`: the game master says who is there, how somebody is (no harm in it was suffered in play),
      or what harm was suffered; it is so at once, also in a phase whose actions all happen at the end;
    - `waiver`: somebody does nothing, so that a correction loses nothing by it;
    - `turn-end`: ends the turn, also by the word of the player whose turn it is;
    - `owed`: the board asks for it, and only who owes it is `@due` behind it;
    - `massed`: carries out what many declared, each of several fights told on a line without arithmetic."""
    told: str = ""
    """How it is told where not in its third person: `takes the opportunity`; with `is`, of somebody who does nothing
    but to whom it is done: `is healed`. A field in braces says what is done to the target, and stands before it:
    `{spell}` for `casts spark on Grub`. Behind it what an option makes of it: `; release: lets go; drag back: ...`."""
    beside: str = ""
    """The module of what belongs to it and is done beside the fight: its `check` looks into the ledger first for what
    no state holds, unless `--allow` is said; its `follow` comes once it is recorded."""

    def _one_of(self, words: str) -> str:
        return next((word for word in self.traits.split() if word in words.split()), "")

    @property
    def also(self) -> tuple[str, ...]:
        """Other words that mean it."""
        return tuple(self.words.split(", ")) if self.words else ()

    @property
    def by(self) -> str:
        """Whose it is: combatant, turn or gm."""
        return self._one_of("turn gm") or "combatant"

    @property
    def kind(self) -> str:
        """What it does with the ledger: records, looks or handles."""
        return self._one_of("looks handles") or "records"

    @property
    def past(self) -> str:
        """What it does to the record: jumps, amends or lasts; "" for what is played."""
        return self._one_of("jumps amends lasts")

    @property
    def rank(self) -> str:
        """How often it is used: often, listed, begun or seldom; "" for neither often nor seldom."""
        return self._one_of("often listed begun seldom")

    @property
    def role(self) -> str:
        """What it is to the fight; "" for most."""
        return self._one_of("helps aside there sets harm waiver turn-end owed massed")

    def has(self, trait: str) -> bool:
        """Whether it has a trait."""
        return trait in self.traits.replace("terminal", "not-script not-prompt not-browser").split()

    @property
    def module(self) -> str:
        """The full name of its module."""
        return self.where.partition(":")[0]

    @property
    def procedure(self) -> str:
        """The name of its procedure."""
        return self.where.partition(":")[2]

    @property
    def lets_go(self) -> bool:
        """Whether nobody does anything by it: it takes the turn on, or somebody gives something up."""
        return self.by == "turn" or self.role == "waiver"

    @property
    def passive(self) -> bool:
        """Whether its `who` does nothing, but something is done to them: `adjust Boffin`, not `Boffin adjusts`."""
        decreed = self.by == "gm" and (not self.has("repeated") or self.role == "sets")
        return decreed or self.told.startswith("is ") or self.role == "massed"


class Option(Struct, frozen=True):
    """A house rule of a rule system."""

    default: str | int | bool
    meaning: str
    choices: tuple[str | int | bool, ...] = ()
    """What it can be set to; empty for any whole number that is not negative. One that is on or off says none."""
    hands: bool = False
    """Whether it names those who throw their dice by hand: a side, a seat, or all seats; "" for nobody."""

    def __post_init__(self) -> None:
        if isinstance(self.default, bool):
            force_setattr(self, "choices", (True, False))


HOUSE_RULES = {
    "hidden_dice": Option(False, "Only the game master sees the dice of the other sides fall."),
    "hand_dice": Option(
        "",
        "Whose dice are rolled by hand, and asked for at a terminal: a side, a seat, seats for every seat, or none. "
        "The program rolls all others.",
        hands=True,
    ),
}
"""The options that every rule system has."""


class Window(Struct, frozen=True):
    """How the rules speak of an open window: an action that waits until others have answered it."""

    clause: str = "table.window"
    """The clause by which it stops every other action."""
    answer: str = ""
    """The verb by which somebody who is asked answers; "" for none in particular."""
    go_on: str = ""
    """The verb that goes on with what waits; "" for none."""
    module: str = ""
    """The module whose `review` measures anew, after each action while a window is open, who may still answer it, and
    goes on with what it holds up when nobody may; "" for none. It is loaded only then."""


class System(Struct, frozen=True, kw_only=True):
    """A rule system, as far as it is known without loading its rules."""

    package: str
    """The package that holds its modules: its own `__name__`."""
    title: str
    credit: str
    """Where the rules come from."""
    about: str = ""
    """What a fight is like, in one line, for somebody who chooses a rule system; by default the credit up to `;`."""
    verbs: dict[str, Verb]
    options: dict[str, Option] = {}
    """Its house rules; those that every system has are added."""
    elsewhere: dict[str, str] = {}
    """Verbs that this system does not have, with the reason or the verb to use. A clause that refuses the verb comes
    first, with a colon."""
    window: Window = Window()
    players: tuple[str, ...] = ("party",)
    """The sides that players usually fight for. An export for players tells all about them."""
    tables: dict[str, str] = {}
    """The tables that a campaign may replace by its own files, with what they hold; each comes with the system as
    `tables/NAME.json`, and its module `tables` has `read`, which checks their content."""
    opens: str = ""
    """The verb that begins somebody's turn, where an action of the one whose turn is next says it, too: the verb is
    then recorded before the action. "" where a turn begins in another way."""
    version: int = 1
    """The version of its rules; every entry names it. It rises when the rules would resolve an older entry
    differently."""

    def __post_init__(self) -> None:
        own = {
            name: verb if "." in verb.module else replace(verb, where=f"{self.package}.{verb.where}")
            for name, verb in self.verbs.items()
        }
        force_setattr(self, "verbs", own)
        force_setattr(self, "options", {**self.options, **HOUSE_RULES})
        force_setattr(self, "about", self.about or self.credit.partition(";")[0])
