"""Completion in the shells themselves: each offers Jane for `affray adjust ja`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell import Shell, environment

BASH = """
eval "$(affray completion bash)"
COMP_WORDS=(affray adjust ja) COMP_CWORD=2
_affray_completion affray ja adjust
echo "$COMPREPLY"
"""
FISH = 'affray completion fish | source; complete -C "affray adjust ja"'
ZSH = r"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; eval "$(affray completion zsh)"; echo rea""dy'
repeat 600 { zpty -r -t shell line && [[ $line == *ready* ]] && break; sleep 0.05 }
zpty -w -n shell $'affray adjust ja\t'
repeat 600 { zpty -r -t shell line && print -rn -- "$line" && [[ $line == *Jane* ]] && break; sleep 0.05 }
zpty -d shell
"""


SHELLS = (("bash", "--norc", "-c", BASH), ("zsh", "-f", "-c", ZSH), ("fish", "--no-config", "-c", FISH))


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=pytest.mark.skipif(not shutil.which(words[0]), reason=f"install {words[0]}"))
        for words in SHELLS
    ],
)
def test_the_shell_completes_the_name_of_somebody_at_the_table(table: Shell, words: tuple[str, ...], tmp_path: Path):
    """Its script is what `affray completion` prints, and it asks the program for the words."""
    table.done("join", "jane")
    program = tmp_path / "bin" / "affray"
    program.parent.mkdir()
    env = environment({"AFFRAY_LEDGER": str(Path("test.affray").resolve()), "TERM": "xterm", "HOME": str(tmp_path)})
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m affray "$@"\n')
    program.chmod(0o755)
    env["PATH"] = f"{program.parent}:{env['PATH']}"
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
    assert "Jane" in done.stdout, done
