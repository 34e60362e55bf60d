"""How Affray was installed: what to type for a newer one, or for an extra."""

import os
import sys

_EXTRAS = {
    "archive": ("duckdb", "pyarrow"),
    "live": ("jinja2", "segno", "starlette", "uvicorn"),
    "mcp": ("mcp",),
    "parquet": ("pyarrow",),
    "play": ("prompt_toolkit",),
    "postgres": ("psycopg",),
    "report": ("jinja2",),
}
"""The extras, each with the packages that it brings."""


def _by() -> str:
    """The tool that made the environment in which this program runs: pipx, uv, or pip."""
    if os.path.isfile(os.path.join(sys.prefix, "pipx_metadata.json")):
        return "pipx"
    return "uv" if os.path.isfile(os.path.join(sys.prefix, "uv-receipt.toml")) else "pip"


def adding(extra: str) -> str:
    """The command that adds an extra. pipx and uv make the environment anew, so the extras that are there are named."""
    there = [name for name, packages in _EXTRAS.items() if name == extra or all(map(_is_there, packages))]
    return {
        "pipx": f"pipx install --force 'affray[{','.join(there)}]'",
        "uv": f"uv tool install 'affray[{','.join(there)}]'",
        "pip": f"pip install 'affray[{extra}]'",
    }[_by()]


def _is_there(package: str) -> bool:
    return any(os.path.isdir(os.path.join(folder, package)) for folder in sys.path)


def upgrading() -> str:
    """The command that brings a newer version."""
    return {"pipx": "pipx upgrade affray", "uv": "uv tool upgrade affray", "pip": "pip install --upgrade affray"}[_by()]
