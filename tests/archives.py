"""Archives as the tests read them: through their manifests, or as any program that knows Parquet does."""

import os
from pathlib import Path
from typing import Any

import msgspec

from commands.archive.archived import CAMPAIGNS, STATISTICS, Manifest
from commands.files.exports.tidy import TABLES

Rows = list[dict[str, Any]]


def manifests(folder: str) -> list[Manifest]:
    """The manifests of an archive, by system and name."""
    found = [msgspec.json.decode(path.read_bytes(), type=Manifest) for path in Path(folder, CAMPAIGNS).glob("*.json")]
    return sorted(found, key=lambda one: (one.system, one.name, one.campaign))


def rows(folder: str | Path, table: str, campaign: str = "") -> Rows:
    """The rows of a table that count, campaign after campaign."""
    from pyarrow import parquet

    found: Rows = []
    for one in manifests(str(folder)):
        if campaign in ("", one.campaign):
            for file in (file for file in one.files if file.startswith(f"{table}/")):
                found += parquet.ParquetFile(os.path.join(folder, file)).read().to_pylist()
    return found


def everything(folder: str | Path) -> dict[str, Any]:
    """All that an archive says, but for the names of its files."""
    heads = [(one.campaign, one.name, one.system, one.entries, one.head, one.sides) for one in manifests(str(folder))]
    return {"campaigns": heads, **{table: rows(folder, table) for table in (*TABLES, STATISTICS)}}


def strays(folder: str | Path) -> set[str]:
    """The files that do not count."""
    counted = {os.path.join(folder, file) for one in manifests(str(folder)) for file in one.files}
    kept = {"affray-archive.json", "tables.sql", *(f"{one.campaign}.json" for one in manifests(str(folder)))}
    every = (os.path.join(root, name) for root, _, names in os.walk(folder) for name in names)
    return {path for path in every if path not in counted and os.path.basename(path) not in kept}


def text(folder: str | Path) -> str:
    """Everything that is in the folder, unpacked."""
    from pyarrow import parquet

    found = []
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            found.append(path)
            if name.endswith(".parquet"):
                table = parquet.ParquetFile(path).read()
                found.append(f"{table.to_pylist()} {table.schema.metadata}")
            else:
                found.append(Path(path).read_text(encoding="utf-8"))
    return "\n".join(found)
