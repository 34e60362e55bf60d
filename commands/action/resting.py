"""Days of rest: what the rules of several systems say alike of them. What heals is each book's own."""

from collections.abc import Callable, Iterable
from typing import Annotated

from ledger.events.sentences import of

from .declaration import says
from .effects import called
from .resolution import Resolution

Days = Annotated[int, says("Whole days of rest instead.", ge=1, le=10_000)]


def note_rest(
    fight: Resolution, names: Iterable[str], way: str, more: Callable[[str], list[str]] = lambda who: []
) -> None:
    """A note on those whom the book leaves as they are: their hit points, what is `more` of them, and what lasts until
    it is ended; `way` says how the game master changes it.
    """
    found = []
    for who in names:
        hp = fight.state.harm.hp.get(who)
        left = [f"{of(hp.now, hp.most)} hp"] if hp and hp.now < hp.most else []
        lasting = dict.fromkeys(called(name) for name, _ in fight.state.conditions.held(who))
        if left := [*left, *more(who), *lasting]:
            found.append(f"{who} {', '.join(left)}")
    if found:
        fight.notes.append(f"The book does no more for: {'; '.join(found)}. The game master may say more: {way}.")
