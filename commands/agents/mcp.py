"""`affray mcp`: serves the ledger to a program."""

import gc
import os
import sys
from typing import Annotated

from commands.action.declaration import Declaration, says
from commands.words.console import Console
from commands.words.discovery import find_ledger, is_address
from commands.words.installed import adding
from ledger.errors import UsageError

from .table import Table


class Mcp(Declaration):
    """Serve the ledger to a language model by the Model Context Protocol, on standard input and output. The tools look,
    act and needs show the fight, carry out actions by the rules, and say what dice an action needs. The program that
    uses the model starts this command; docs/models.md says how it is set up.
    """

    gm: Annotated[
        bool, says("Give the model the game master's powers too: to bring in, overrule, correct, and type dice.")
    ] = False
    player: Annotated[
        str, says("Serve as the player in this seat, who sees and proposes what a phone of the seat would.")
    ] = ""
    sheets: Annotated[
        str, says("A folder of stat blocks and encounters that the model may name, besides the examples.")
    ] = ""


def mcp(console: Console, said: Mcp) -> None:
    """Serves until the client goes away."""
    if console.json:
        raise UsageError("The server speaks its own protocol on standard output, so it takes no --json.", "affray mcp")
    if said.sheets and not os.path.isdir(said.sheets):
        raise UsageError(f"{said.sheets[:80]!r} is not a folder.", "affray mcp --help")
    if said.player and (said.gm or said.sheets):
        raise UsageError("A player has neither the game master's powers nor their files.", "affray mcp --help")
    console.book.present()
    console.close()
    try:
        from .protocol import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UsageError("The server needs the SDK of MCP, which is not installed.", adding("mcp")) from None
    if sys.stdin.isatty():
        console.whisper("This waits for a program that speaks MCP, as docs/models.md says. Ctrl-C ends it.")
    path = find_ledger(console.ledger)
    path = path if is_address(path) else os.path.abspath(path)
    gc.enable()
    assert console.own_shell
    shell = console.own_shell()
    if said.player:
        from .player import Player

        player = Player(path, said.player, shell)
        player.sit()
        player.leave()
        serve(player, path)
    else:
        serve(Table(shell, said.gm, os.path.abspath(said.sheets) if said.sheets else ""), path)
