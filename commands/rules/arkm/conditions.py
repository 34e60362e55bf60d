"""The names of conditions, each in one place."""

# Who cannot act, or not as others do
STUNNED, PINNED, STRUGGLING, SURPRISED = "stunned", "pinned", "struggling", "surprised"
UNAWARE = "unaware"
"""One who does not see a blow coming."""
BARRED = "barred from attacking"
"""One who was struck from behind in this round."""
CONFINED, STATIONARY = "confined", "stationary"
"""One who has no room for a long weapon, and one who dodges nothing: by the game master's word."""
BLOW_DUE = "last blow"
"""One who was put out of action by a group that acts at the same time: he still acts this round."""
DISARMED = "disarmed"
"""One whose weapon falls when the round ends: a tie leaves it to him until then."""
OFF_BALANCE, DAZED = "off-balance", "dazed"
"""What a fumble, and what a miscast spell leaves behind."""

# Holds
HOLDING = "holding"
"""One who has hold of another."""
ENTANGLED = "entangled"
"""One whom a whip holds; it says by what."""

# How somebody stands and fights
MOUNTED, PRONE, ELEVATION, HASTED = "mounted", "prone", "elevation", "hasted"
WALL = "back to the wall"
FLORENTINE, PARRYING, WITHDRAWING = "florentine", "parrying", "withdrawing"
CHARGING, SET = "charging", "set"
FLEEING = "fleeing"
"""One who has turned his back; with the foes from whom he fled, or all when nobody is named."""
RELOADING = "reloading"
"""One who loads a weapon to the end of the round."""
TEMPORARY = "temporary damage"
"""The condition whose amount is the temporary damage of its bearer."""

# Spells
CASTING = "casting"
"""One who has said that he will cast this round."""
MAINTAINING = "maintaining"
"""One who keeps up a spell by concentration."""
CONTROLS = "controls"
"""A caster who controls a creature or thing."""

# Groups
IN_GROUP = "in group"
"""One who was put into another group than that of his sheet: which, as `whom`."""
PURSUING, IN_FLIGHT = "pursuing", "in flight"
"""Groups that run."""
TO_THE_DEATH, BROKEN = "to the death", "broken"
"""Groups that check their morale no more."""

# Weapons
EMPTY = " unloaded"
"""After the name of a weapon: that it must be loaded."""

BY_WORD = (PRONE, MOUNTED, HASTED, UNAWARE, STUNNED, FLEEING, ELEVATION, ENTANGLED)
"""Conditions that the game master can give by their names alone."""


def broken(weapon: str) -> str:
    """That a weapon of somebody is broken."""
    return f"broken {weapon}"


def empty(weapon: str) -> str:
    """That a weapon of somebody must be loaded before it shoots."""
    return weapon + EMPTY
