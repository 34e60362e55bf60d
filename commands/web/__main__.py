"""Writes the page: python -m commands.web DIR."""

import sys
import time
from pathlib import Path

from .build import build, packed


def main() -> None:
    """Builds the page, and says how large it is and how to look at it."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("Usage: python -m commands.web DIR\n\nWrites the page for any browser into a folder.")
    folder, began = Path(sys.argv[1]), time.monotonic()
    build(folder)
    sizes = packed(folder)
    print(f"The page is in {folder}, after {time.monotonic() - began:.0f} s.")
    print(
        f"Packed, Python and all wheels are {sizes['all'] / 1e6:.2f} MB, of which Pyodide itself"
        f" is {sizes['pyodide'] / 1e6:.2f} MB."
    )
    print(f"To look at it: python -m http.server -d {folder}")


main()
