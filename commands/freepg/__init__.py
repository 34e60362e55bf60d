"""FReePG: one opposed roll decides an attack and its damage. Names and summaries only; no rule is imported here."""

from commands.systems import Option, System, Verb

SYSTEM = System(
    title="FReePG",
    credit="FReePG by John Wilger, chapter Combat (2012), CC BY-SA 3.0; told here in our own words.",
    verbs={
        "begin": Verb("commands.freepg.encounter", "begin", "Begin an encounter."),
        "end": Verb("commands.freepg.encounter", "end", "End the encounter."),
        "initiative": Verb("commands.freepg.encounter", "initiative", "Roll for the first seat."),
        "done": Verb("commands.freepg.encounter", "done", "End the turn of the current seat."),
        "attack": Verb("commands.freepg.attack", "attack", "Attack one or more targets, or an area."),
        "heal": Verb("commands.freepg.health", "heal", "Heal somebody."),
        "move": Verb("commands.freepg.movement", "move", "Move."),
    },
    options={
        "critical_ignores_range": Option(True, (True, False), "A natural 20 waives the range penalty."),
    },
    elsewhere={},
)
