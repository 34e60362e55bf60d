"""Records half a minute of a fight as a moving picture, for README: python docs/recording.py > docs/pictures/fight.svg.

The commands are carried out as at a terminal, in a folder of their own; what they print becomes the picture.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from html import escape
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent))

from commands.shell.cli import run

COLUMNS, ROWS = 84, 26
COMMANDS = (
    f"affray init 'The toll bridge' --system freepg --key {42:064x}",
    "affray join boffin jane",
    "affray join grub --count 2",
    "affray begin 'At the gate'",
    "affray initiative --dice 14,9,3",
    "affray odds attack boffin grub-1",
    "affray attack boffin grub-1 --dice 14,6",
    "affray status",
    "affray amend e6 --mod defense:2:parapet --because 'he was behind it' --apply",
    "affray why grub-1.hp",
    "affray verify",
)
PAUSE, TYPED = 2.1, 0.7
"""Seconds for which what a command printed is looked at, and for which a command stands alone before."""
LEFT_OUT = re.compile(r"^(state |affray e\d+ |The ledger is )")
"""Lines that differ from day to day, or say nothing here."""
LINE, SIGN = 18, 8.43
"""Height of a line, and width of a sign."""
CODES = {"1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "35": "m", "36": "c", "9": "d"}


class Terminal(io.StringIO):
    """What takes colours."""

    def isatty(self) -> bool:
        """As a terminal."""
        return True


def printed() -> list[tuple[str, list[str]]]:
    """Each command, with the lines that it prints."""
    found = []
    surroundings = {"COLUMNS": str(COLUMNS), "AFFRAY_BY": "gm", "TERM": "xterm-256color"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AFFRAY") and name != "NO_COLOR"}
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, {**kept, **surroundings}, clear=True),
    ):
        for command in COMMANDS:
            said = Terminal()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                assert run(shlex.split(command)[1:]) == 0, said.getvalue()
            found.append((command, [line for line in said.getvalue().splitlines() if not LEFT_OUT.match(line)]))
    return found


def painted(line: str) -> str:
    """A line with its colours, as parts of a text."""
    parts, classes = [], ""
    for piece in re.split(r"(\x1b\[[\d;]*m)", line):
        if piece.startswith("\x1b"):
            classes = " ".join(CODES[code] for code in re.findall(r"\d+", piece) if code in CODES)
        elif piece:
            text = escape(piece)
            parts.append(f'<tspan class="{classes}">{text}</tspan>' if classes else text)
    return "".join(parts)


def picture() -> str:
    """The picture: lines that appear one after another and move up, in CSS alone."""
    lines, steps, clock = list[tuple[str, float]](), list[tuple[float, int]](), 0.4
    for command, output in printed():
        shown = command if len(command) <= COLUMNS - 2 else f"{command[: COLUMNS - 5]}..."
        lines.append((f'<tspan class="b">$ {escape(shown)}</tspan>', clock))
        steps.append((clock, len(lines)))
        clock += TYPED
        lines += [(painted(line), clock) for line in output]
        steps.append((clock, len(lines)))
        clock += PAUSE * min(1.3, 0.5 + len(output) / 12)
    whole = clock + 2
    times = sorted({time for _, time in lines})
    frames = [
        f"@keyframes t{nth}{{0%{{opacity:0}}{100 * time / whole:.2f}%{{opacity:1}}100%{{opacity:1}}}}"
        f".t{nth}{{animation-name:t{nth}}}"
        for nth, time in enumerate(times)
    ]
    ups = [(time, max(0, count - ROWS)) for time, count in steps]
    moves = "".join(f"{100 * time / whole:.2f}%{{transform:translateY(-{up * LINE}px)}}" for time, up in ups)
    last = ups[-1][1] * LINE
    rows = [
        f'<text class="l t{times.index(time)}" y="{(nth + 1) * LINE}">{text}</text>'
        for nth, (text, time) in enumerate(lines)
    ]
    lines_of_text = "\n".join(rows)
    width, height = round(COLUMNS * SIGN) + 32, ROWS * LINE + 54
    what = "A fight at the command line: an attack, its odds, a correction, and verify"
    dots = "".join(
        f'<circle cx="{20 + 18 * nth}" cy="17" r="5" fill="{fill}"/>'
        for nth, fill in enumerate(("#ff9389", "#f0b429", "#7fd48f"))
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{what}">
<style>
svg{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}}
text{{fill:#e7e7ec;white-space:pre}}
.b{{font-weight:700}}.d{{fill:#a9a9b4}}.r{{fill:#ff9389}}.g{{fill:#7fd48f}}.y{{fill:#f0b429}}.m{{fill:#efa9df}}.c{{fill:#7cc0ff}}
.l{{animation-duration:{whole:.1f}s;animation-timing-function:step-end;animation-iteration-count:infinite}}
.u{{animation:u {whole:.1f}s step-end infinite}} @keyframes
u{{0%{{transform:none}}{moves}100%{{transform:translateY(-{last}px)}}}} {"".join(frames)} @media
(prefers-reduced-motion:reduce){{.l{{animation:none}}.u{{animation:none;transform:translateY(-{last}px)}}}} </style>
<rect width="{width}" height="{height}" rx="10" fill="#131316"/> {dots} <svg x="16" y="30" width="{width - 32}"
height="{ROWS * LINE + 8}"><g class="u"> {lines_of_text} </g></svg> </svg>
"""


if __name__ == "__main__":
    sys.stdout.buffer.write(picture().encode())
