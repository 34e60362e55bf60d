"""Words of the table by what they mean. Loaded only where a word begins no verb.

The card of a verb names the ideas that it carries out, so that a word means the same in every rule system. What
somebody types for a verb that their system does not have means the verb that the system says to use instead.
"""

from collections.abc import Iterable

_WORDS: dict[str, tuple[str, str]] = {
    "blow": (
        "hit strike stab slash kill punch kick smash bash swing cut chop thrust lunge bite claw smite "
        "slay whack smack wallop clobber pummel thump jab hack swing-at lash-out maul gore savage rend angriff",
        "k att atk finish finish-off execute duel engage fight use target",
    ),
    "shot": (
        "volley throw loose fire snipe hurl fling lob toss aim sling fire-at shoot-at open-fire let-fly lets-fly",
        "",
    ),
    "step": (
        "walk go step run north south east west advance approach march crawl swim fly jump leap",
        "come back flank circle sneak",
    ),
    "flight": ("flee run-away", "back-off back-away fall-back pull-back draw-back"),
    "backing": ("back-away back-off fall-back pull-back draw-back", "retreat"),
    "onrush": ("ram rush", ""),
    "saddle": ("dismount get-on get-off", ""),
    "rising": ("rise get-up stand-up", ""),
    "lying": ("lie duck lie-down drop-prone go-prone fall-prone", ""),
    "taking": ("equip take wield unsheathe wear switch swap pick-up put-on switch-to", "grab get use"),
    "stowing": ("drop sheathe unequip put-away take-off", "remove rem"),
    "healing": ("cure stabilise stabilize treat bandage bind mend tend patch-up first-aid", "drink rescue quaff"),
    "idling": ("wait nothing stay do-nothing", "skip hold delay next done end"),
    "turn-over": (
        "skip end end-turn next-turn finish-turn turn-over next-player skip-turn",
        "next finish finished stop over wait delay pass nothing hold stay weiter fertig",
    ),
    "guard": ("dodge block guard full-defense total-defense", "parry"),
    "warding": ("ward-off", ""),
    "knocking-away": ("knock-away", ""),
    "holding": ("grab wrestle seize tackle clinch", "hold release escape"),
    "shoving": ("shove trip knock knock-back knock-down bull-rush", ""),
    "escaping": (
        "escape struggle wriggle wriggle-free break-free break-away get-away get-free slip-away",
        "break flee run-away",
    ),
    "waiting": ("overwatch prepare hold-action", "hold wait delay"),
    "loading": ("load", ""),
    "magic": ("zap conjure cast-spell", "spell use"),
    "prayer": ("invoke", ""),
    "saving": ("saving-throw roll-save death-save", "resist"),
    "courage": ("roll-morale check-morale morale-check ml", "surrender courage rout afraid scared fear"),
    "chase": ("chase follow", ""),
    "dash": ("dash hurry", "run"),
    "looking": ("turn-to look-at", "look turn rotate"),
    "ambush": ("ambush roll-surprise surprise-round", ""),
    "parley": ("roll-reaction", "parley negotiate react"),
    "range": ("roll-distance encounter-distance", ""),
    "first-turn": ("roll-initiative roll-init roll-for-initiative init", "start begin next round combat ready go"),
    "new-round": (
        "next-round new-round end-round start-round begin-round",
        "next start begin turn init initiative combat plan roll-initiative roll-init roll-for-initiative",
    ),
    "new-phase": ("next-phase end-phase", "next ready continue go-on done resolve"),
    "fight-begins": (
        "start start-fight start-combat start-encounter begin-fight begin-combat new-fight setup set-up",
        "combat encounter load fight scene",
    ),
    "fight-over": (
        "end-fight end-combat end-encounter stop-fight fight-over combat-over",
        "stop finish finished victory won over",
    ),
    "sleep": ("sleep camp make-camp short-rest long-rest full-rest", "night"),
    "deed": (
        "",
        "say talk shout open search loot give speak hide help drink interact climb disarm take-cover light aid assist",
    ),
    "trial": ("", "test skill climb search perception skill-check roll"),
    "release": (
        "readied-attack readied-action readied-shot held-action held-shot held-attack unleash",
        "luck use-luck release go goes react",
    ),
    "opening": (
        "",
        "ok okay sure riposte opportunity aoo reaction reacts yes strike attack hit opportunity-attack "
        "attack-of-opportunity",
    ),
    "plan": ("", "plan intend will wait talk hold"),
    "curse": ("", "condition buff debuff status spell-effect"),
    "new-turn": ("", "next go goes start-turn"),
    "losses": ("", "casualties losses dead"),
    "bracing": ("", "brace"),
    "letting-by": (
        "",
        "skip skip-reaction continue no nope dont decline next pass done go-on let-it-go let-go carry-on",
    ),
    "outcome": ("fight resolve-all", "roll dice roll-dice continue next done go-on"),
}
"""For each idea the words that mean it and those that may mean it, with a hyphen for a space. One word of the former is
carried out as the verb; all others are only offered."""

_PHRASES = {
    "all-pass": "all-pass everyone-passes everybody-passes everyone-else-passes everybody-else-passes others-pass "
    "all-others-pass rest-passes rest-pass pass-all pass-everyone pass-everybody pass-rest pass-others skip-all "
    "skip-everyone skip-rest everyone-waits all-wait others-wait everyone-skips",
    "stealth": "hide hide-behind hides-behind sneak sneak-up sneak-past stealth move-silently",
    "climbing": "climb climb-up climb-over scale climb-down",
    "swimming": "swim swim-across",
    "leaping": "jump-over jump-across leap-over leap-across vault",
    "noticing": "perception notice spot listen look-around",
    "getting-free": "escape escape-from break-free break-away get-free get-away wriggle-free wriggle struggle "
    "slip-away breaks-the-grapple break-the-grapple break-grapple break-hold break-the-hold",
    "lying": "is-prone is-knocked-prone is-knocked-down is-tripped is-floored lies-prone",
    "flooring": "knock-down knock-over knock-prone knocks-down knocks-over trip trip-up throw-down",
    "giving-up": "surrender surrenders gives-up yields yield",
    "letting-go": "let-go let-go-of release let-loose lets-go",
    "placing": "place put carry drag bring teleport relocate reposition set-down pull is-pulled is-moved is-pushed "
    "is-dragged is-carried is-thrown is-blown",
    "unseating": "unseat",
    "dismounting": "dismount get-off get-down climb-off",
    "house-rules": "list-options options-list list-rules show-options show-settings settings config",
    "creatures": "list-monsters monster-list list-creatures list-sheets stat-blocks",
    "every-verb": "list-commands all-commands list-verbs command-list",
    "saving-all": "save-game save-fight save-combat save-session save-campaign save-state save-all save-file",
    "toll": "damage-dealt top-damage total-damage most-damage damage-totals damage-done damage-stats most-hits "
    "most-kills",
    "order-of-turns": "initiative-order turn-order show-initiative show-order show-turns",
    "record": "print-log view-log list-log show-log list-entries show-entries show-history",
    "whole-record": "log-all log-everything full-log whole-log entire-log complete-log all-entries",
    "seats": "seat-list list-seats show-seats seats-list seats-show",
    "swooning": "fall-unconscious falls-unconscious is-unconscious knocked-out knock-out knocks-out pass-out "
    "passes-out faints is-out is-down goes-down",
}
"""Words of the table that say more than a verb, by what is meant: a rule system says what that is in it."""
_CONDITIONS = {
    "asleep": "sleeping slept put-to-sleep",
    "blessed": "bless blesses blessing",
    "blinded": "blind blinds blindness",
    "bleeding": "bleed bleeds bled",
    "burning": "burn burns burnt on-fire catches-fire ignites",
    "charmed": "charm charms",
    "confused": "confuse confuses dazed daze dazes",
    "cursed": "curse curses",
    "deafened": "deafen deaf",
    "entangled": "entangle tangled netted",
    "exhausted": "tired fatigued",
    "frightened": "frighten frightens terrified",
    "frozen": "freeze freezes",
    "hasted": "haste hastes",
    "helpless": "bound tied",
    "hidden": "invisible",
    "paralysed": "paralyse paralyses paralyze paralyzes paralyzed",
    "petrified": "petrify stoned",
    "poisoned": "poison poisons venom",
    "shielded": "",
    "silenced": "silence silences",
    "slowed": "slow slows",
    "stunned": "stun stuns",
    "surprised": "surprise surprises unaware",
    "weakened": "weaken weakens weak",
}
"""For each condition the words that mean it, also as what is done to somebody."""


_ARMS = {
    "dagger": "knife dirk stiletto",
    "sword": "cutlass scimitar sabre saber blade rapier claymore katana",
    "axe": "hatchet tomahawk",
    "spear": "lance pike halberd glaive trident",
    "club": "mace cudgel flail hammer maul",
    "bow": "",
    "javelin": "dart",
    "staff": "stick pole",
    "sling": "",
    "whip": "",
}
"""Kinds of weapons, each with others like it: with what the names of weapons end."""
_OF_BEASTS = "bite claw claws maul gore savage rend sting jaws teeth fangs horns tusks beak talons"
"""Words for what beasts strike with, and for what they do with it."""
_CHOICES = {
    "back": "away backward backwards",
    "breath": "dragon",
    "unconscious": "stable stabilised stabilized asleep",
    "damage": "hits harm misses kills",
    "dice": "rolls throws",
    "pace": "time duration",
    "death": "poison poisoned",
    "difficult": "hard tough mud water swamp rough rubble snow",
    "extreme": "insane",
    "evasion": "reflex reflexes ref dodge agility",
    "full": "total complete",
    "half": "partial",
    "missile": "shooting shots shoot ranged archery",
    "mental": "will willpower mind",
    "ranged": "shooting shots shoot missile archery",
    "obstacle": "wall walls tree rock pillar boulder",
    "paralysis": "petrification petrify stone",
    "physical": "fortitude fort poison disease",
    "prone": "over down ground floor trip tripped",
    "removed": "permanent permanently forever",
    "spells": "magic staff",
    "amended": "granted accepted corrected",
    "upheld": "overruled rejected denied dismissed stands kept confirmed settled closed resolved",
    "wands": "wand rod ray",
}
"""For what may be chosen somewhere the words that mean it."""


def is_weapon(thing: str) -> bool:
    """Whether a thing is called like a weapon, as `short-bow` is."""
    return bool(arms_like(thing))


def arms_like(thing: str) -> list[str]:
    """The words for weapons of the kind of a thing, as `dagger` and `knife` for a hunting-knife; none for others."""
    low = thing.casefold()
    kinds = ([kind, *words.split()] for kind, words in _ARMS.items())
    return next((kind for kind in kinds if low.endswith(tuple(kind))), [])


def of_beasts(said: str) -> list[str]:
    """The words for what beasts strike with, where one of these is said: `maul` of a beast that bites."""
    return _apart(_OF_BEASTS) if said in _apart(_OF_BEASTS) else []


def choice(word: str, choices: Iterable[object]) -> str:
    """The one of some choices that a word means; "" for none, and for a word that is one of them."""
    low = word.casefold()
    every = [*map(str, choices)]
    return "" if low in every else next((one for one in every if low in _apart(_CHOICES.get(one, ""))), "")


def condition(word: str) -> str:
    """The condition that words mean; "" for none."""
    return next((name for name, words in _CONDITIONS.items() if word == name or word in _apart(words)), "")


def phrases(meaning: str) -> list[str]:
    """The words of the table that mean something; none where it is no meaning of this page."""
    return _apart(_PHRASES.get(meaning, ""))


def means(ideas: Iterable[str]) -> list[str]:
    """The words that mean one of some ideas."""
    return [word for idea in ideas for word in _apart(_WORDS[idea][0])]


def may_mean(ideas: Iterable[str]) -> list[str]:
    """The words that may mean one of them."""
    return [word for idea in ideas for word in _apart(_WORDS[idea][1])]


def _apart(text: str) -> list[str]:
    return [word.replace("-", " ") for word in text.split()]
