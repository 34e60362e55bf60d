"""Puts the launcher into the wheel as the package `affray`.

In `sources` of pyproject.toml, `commands` comes before any folder below it. An editable install finds the launcher by
`dev-mode-dirs`.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Launcher(BuildHookInterface[Any]):
    """Called by hatchling before it builds the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the launcher, unless the install is editable."""
        if version == "standard":
            build_data["force_include"]["commands/launch/affray"] = "affray"
