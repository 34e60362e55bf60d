"""Quotes a word for a shell. A file of its own, so that help does not load the state."""


def quoted(word: str) -> str:
    """The word, quoted for a shell. Like `shlex.quote`, which is slow to import."""
    plain = word.isascii() and word.replace("-", "").replace("_", "").replace("/", "").replace(".", "").replace(",", "")
    if plain and all(sign.isalnum() or sign in "@%+=:" for sign in plain):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"
