"""A command line as one text: in a script, at the prompt, and from a program."""

import shlex

from ledger.errors import UsageError


def words_of(line: str) -> list[str]:
    """The words of a line, without `affray` in front and without a comment. Raises UsageError when its quotes do not
    match.
    """
    plain = line.strip(" \t\r\n")
    try:
        easy = plain.isprintable() and not any(sign in plain for sign in "'\"\\#")
        words = plain.split() if easy else shlex.split(line, comments=True)
    except ValueError as error:
        raise UsageError(f"The quotes do not match ({error}).") from None
    return words[1:] if words[:1] == ["affray"] else words
