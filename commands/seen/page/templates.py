"""Templates: what the page of an export and the live page are made of. Imported only where one of them is made."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_FOLDER = Path(__file__).parent
SCENES = ("check.js", "scene.js", "map.js", "steer.js")
"""The scripts that both pages have."""
_LONG = 40
"""Names longer than this are cut in a legend."""


@cache
def template(name: str, *folders: Path) -> Any:
    """A template of this folder, or of other ones that build on it."""
    plain: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    environment = Environment(loader=FileSystemLoader([_FOLDER, *folders]), autoescape=True, **plain)
    environment.filters["counted"] = "{:,}".format
    environment.filters["short"] = lambda name: name if len(name) <= _LONG else f"{name[: _LONG - 1]}…"
    return environment.get_template(name)


def bundle(*names: str | Path) -> str:
    """Some scripts of this folder, or of others given by their whole paths, as one."""
    return "\n".join(['"use strict";', *((_FOLDER / name).read_text(encoding="utf-8") for name in names)])


def style_sheet() -> str:
    """The style of both pages."""
    return (_FOLDER / "page.css").read_text(encoding="utf-8")
