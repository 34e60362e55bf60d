"""The server: the tools and the prompt of the Model Context Protocol, on standard input and output."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import mcp_types as types
from jsonschema import Draft202012Validator
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from msgspec import Struct

from commands.action.book import PROGRAM
from commands.words.screen import harmless

from .table import Answered, Table, named

if TYPE_CHECKING:
    from .player import Player

_MOST_LINES, _LONGEST_LINE, _LONGEST_ID = 50, 4000, 200
"""The most lines of one call, the most characters of a line, and of the id of a call."""
_LINE = {"type": "string", "maxLength": _LONGEST_LINE}
_SHOWN = 120
"""The most characters that are said of a wrong argument."""
_HEAD = "head"
"""The argument that may be left out."""
Context = ServerRequestContext[Any, Any]


class _Tool(Struct, frozen=True):
    """A tool: what it says of itself, and what it takes."""

    title: str
    description: str
    takes: dict[str, dict[str, Any]]
    """The schema of each argument. All are required but `head`."""
    acts: bool = False
    """Whether it appends to the ledger."""


_TOOLS = {
    "look": _Tool(
        "Look",
        "Shows something and records nothing. `line` is a verb that only looks: status (the board, and who may act), "
        "show NAME, show e12, log --last 10, map, why NAME.hp, rules CLAUSE, odds attack A B, sheets, help, help VERB.",
        {"line": _LINE},
    ),
    "act": _Tool(
        "Act",
        "Carries out actions by the rules and records them, with the program's own dice. `lines` are command lines, "
        "such as 'attack jane grub' or 'done', carried out in order up to the first that fails. `once` is an id of "
        "your own for this call: sent again with the same lines it records nothing twice. `head` is the line that "
        "choices ended with: where something else was recorded since, nothing is done.",
        {
            "lines": {"type": "array", "items": _LINE, "minItems": 1, "maxItems": _MOST_LINES},
            "once": {"type": "string", "minLength": 1, "maxLength": _LONGEST_ID},
            _HEAD: {"type": "string", "maxLength": _LONGEST_ID},
        },
        acts=True,
    ),
    "choices": _Tool(
        "Choices",
        "Says what `who` can do now, or with an empty `who` all who may act: each verb with the words that may stand "
        "behind it, | between those of which one is said, CAPITALS for words of your own; the dice that fall, and what "
        "it gives up. It names the head that it is true of, for act. Records nothing.",
        {"who": {"type": "string", "maxLength": _LONGEST_ID}},
    ),
    "needs": _Tool(
        "Needs",
        "Says what dice an action needs, or what comes of one that needs none. Records nothing.",
        {"line": _LINE},
    ),
}


def serve(table: "Table | Player", ledger: str) -> None:
    """Serves a ledger to one client until that goes away. What it has begun by then is recorded whole."""
    os.environ["AFFRAY_LEDGER"] = ledger
    hands = ThreadPoolExecutor(1, "table")
    if not os.environ.get("AFFRAY_DEBUG"):
        logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # clients show what a server writes there

    def leave() -> None:
        hands.shutdown(wait=True, cancel_futures=True)
        os._exit(0)

    asyncio.run(_serve(table, hands, leave))
    leave()


async def _serve(table: "Table | Player", hands: ThreadPoolExecutor, leave: Callable[[], None]) -> None:
    """A signal waits until the loop is at leisure: a handler at once might hold up a call that is just handed over."""
    with suppress(NotImplementedError):  # Windows ends the process at once
        for one in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(one, leave)
    server = _server(table, hands)
    async with stdio_server() as (heard, said):
        await server.run(heard, said, server.create_initialization_options())


class _Answers:
    """Answers one client. What it asks for is done one after the other, in one thread; what was cancelled before its
    turn is not done, and what has begun is done to its end.
    """

    def __init__(self, table: "Table | Player", hands: ThreadPoolExecutor) -> None:
        self.table, self.hands = table, hands
        about = f"Tells a model how to be the {table.role}."
        self.prompt = types.Prompt(name=table.role, title=table.role.title(), description=about)

    async def carry_out(self, ctx: Context, call: Callable[[], Answered]) -> Answered:
        """Carries out a call of a client, when its turn comes."""
        client = ctx.session.client_params
        by = named(client.client_info.name if client else "")
        return await asyncio.get_running_loop().run_in_executor(self.hands, self._by, by, call)

    def _by(self, by: str, call: Callable[[], Answered]) -> Answered:
        """What a call answers that somebody made."""
        self.table.by = by
        return call()

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """The tools."""
        tools = [_described(name, tool, self.table.says.get(name, tool.description)) for name, tool in _TOOLS.items()]
        return types.ListToolsResult(tools=tools)

    async def call_tool(self, ctx: Context, said: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool answers."""
        if said.name not in _TOOLS:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {said.name[:40]!r}; there are {', '.join(_TOOLS)}.")
        given = said.arguments or {}
        if fault := _fault(_TOOLS[said.name].takes, given):
            return types.CallToolResult(content=[types.TextContent(text=fault)], is_error=True)
        answered = await self.carry_out(ctx, partial(getattr(self.table, said.name), **given))
        content: list[Any] = [types.TextContent(text=answered.text)]
        return types.CallToolResult(content=content, structured_content=answered.data, is_error=answered.failed)

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """The prompt."""
        return types.ListPromptsResult(prompts=[self.prompt])

    async def get_prompt(self, _: Context, said: types.GetPromptRequestParams) -> types.GetPromptResult:
        """How the tools are used."""
        if said.name != self.prompt.name:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {said.name[:40]!r}; there is {self.prompt.name}.")
        message = types.PromptMessage(role="user", content=types.TextContent(text=self.table.guide))
        return types.GetPromptResult(description=self.prompt.description, messages=[message])


def _server(table: "Table | Player", hands: ThreadPoolExecutor) -> Server[Any]:
    """The server with its answers."""
    answers = _Answers(table, hands)
    return Server(
        "affray",
        version=PROGRAM.partition(" ")[2],
        title="Affray",
        instructions=table.guide,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )


def _described(name: str, tool: _Tool, description: str) -> types.Tool:
    """A tool as a client reads it."""
    needed = [name for name in tool.takes if name != _HEAD]
    schema = {"type": "object", "properties": tool.takes, "required": needed, "additionalProperties": False}
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=not tool.acts,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    return types.Tool(name=name, title=tool.title, description=description, input_schema=schema, annotations=hints)


def _fault(takes: dict[str, dict[str, Any]], given: dict[str, Any]) -> str:
    """What is wrong with the arguments of a call, by their schemas; "" for nothing."""
    for name in given:
        if name not in takes:
            return f"There is no argument {name[:40]!r}; it takes {' and '.join(takes)}."
    for name, schema in takes.items():
        if name not in given and name == _HEAD:
            continue
        if name not in given:
            return f"The argument {name} is missing."
        if wrong := next(Draft202012Validator(schema).iter_errors(given[name]), None):
            return f"The argument {name} is wrong: {harmless(wrong.message[-_SHOWN:])}."
    return ""
