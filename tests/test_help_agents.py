"""The page for programs that have a shell: short, and all that it says works."""

import json
import shlex

from commands.shell.manual import for_programs
from tests.shell import Shell


def test_the_page_has_at_most_400_words(shell: Shell):
    assert shell.done("help", "agents").strip() == for_programs()
    assert shell("help", "agents", "--json").json["text"] == for_programs()
    assert len(for_programs().split()) <= 400


def test_its_commands_run_a_fight_from_the_first_to_the_last(shell: Shell):
    """In their order, in an empty folder; each answers with JSON, and with exit code 0."""
    lines = [shlex.split(line) for line in for_programs().splitlines() if line.startswith("  affray ")]
    assert len(lines) > 15
    for _, *words in lines:
        answer = shell(*words)
        assert answer.code == 0, (words, answer)
        assert all(isinstance(json.loads(line), dict) for line in answer.out.splitlines()), words
    assert shell("verify").code == 0


def test_it_names_every_exit_code_that_a_command_of_the_table_has():
    for code in ("0 done", "1 the rules", "2 the words", "3 a name", "4 busy", "5 the ledger", "6 recorded"):
        assert code in for_programs().replace("\n", " ")
