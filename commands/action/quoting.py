"""A word as a shell takes it. Apart from the names, so that help need not load the state."""


def quoted(word: str) -> str:
    """The word, as a shell takes it. Like `shlex.quote`, which is dear to import."""
    plain = word.isascii() and word.replace("-", "").replace("_", "").replace("/", "").replace(".", "").replace(",", "")
    if plain and all(sign.isalnum() or sign in "@%+=:" for sign in plain):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"
