"""What an extra needs is told in the words of how Affray was installed."""

import sys
from pathlib import Path

import pytest

from commands.words import installed


@pytest.mark.parametrize(
    ("receipt", "adding", "upgrading"),
    [
        ("", "pip install 'affray[parquet]'", "pip install --upgrade affray"),
        ("pipx_metadata.json", "pipx install --force 'affray[parquet,report]'", "pipx upgrade affray"),
        ("uv-receipt.toml", "uv tool install 'affray[parquet,report]'", "uv tool upgrade affray"),
    ],
)
def test_the_command_is_one_of_the_tool_that_installed_affray(
    receipt: str, adding: str, upgrading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The extras that are there already stay."""
    if receipt:
        (tmp_path / receipt).write_text("")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "jinja2").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert installed.adding("parquet") == adding
    assert installed.upgrading() == upgrading
    (tmp_path / "jinja2").rmdir()
    assert "[parquet]" in installed.adding("parquet")
