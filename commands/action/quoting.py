"""Quotes a word for a shell. A file of its own, so that help does not load the state."""


def quoted(word: str) -> str:
    """A word, quoted for a shell: in double quotes if it holds single ones and nothing special for double ones.

    `shlex.quote` is slow to import.
    """
    plain = word.isascii() and word.replace("-", "").replace("_", "").replace("/", "").replace(".", "").replace(",", "")
    if plain and all(sign.isalnum() or sign in "@%+=:" for sign in plain):
        return word
    if "'" in word and not any(sign in word for sign in '"$`\\!'):
        return f'"{word}"'
    return "'" + word.replace("'", "'\"'\"'") + "'"
