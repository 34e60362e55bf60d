#!python
"""Starts Affray: `python -m affray`, and installed as the script `affray`.

Until the program's own handler stands, Ctrl-C ends the process without a word: nothing has been done yet.
"""

import _signal

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

import affray

leave = affray.quicken() if __spec__ is None else None  # `python -m` begins with another path in each folder
from commands.shell.main import main  # noqa: E402

main(leave)
