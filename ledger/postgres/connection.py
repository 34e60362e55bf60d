"""A connection that does not wait for ever for a server that has fallen silent."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen

PATIENCE = 8.0
"""Seconds after which a server is given up that has not answered."""
AT_ONCE = 4.0
"""Seconds for which a server may be asked to wait for others at once: so its silence is never that."""
COMMITTING = 3.5
"""The same of one that is to commit: the rest of the time is for asking another connection what came of it."""
ASKING_AGAIN = 2.0
"""The same of that other connection."""
LONG = 60.0
"""The same where it has to look through a whole campaign."""


class Silent(psycopg.OperationalError):
    """The server has not answered for a long time. The connection is closed."""


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection whose server may take so long for an answer and no longer. Raises Silent after that."""

    patience = 0.0
    """Seconds; 0 for what is usual."""

    def wait(self, gen: PQGen[RV], *how: Any, **also: Any) -> RV:
        """The result of a conversation with the server."""
        return super().wait(self._heard(gen), *how, **also)

    def _heard(self, gen: Generator[Any, Any, RV]) -> Generator[Any, Any, RV]:
        """The same conversation, one round trip. psycopg goes on with it ten times a second even where nothing came."""
        seconds = self.patience or PATIENCE
        began, ready = monotonic(), None
        try:
            while True:
                ready = yield gen.send(ready)
                if monotonic() - began > seconds:
                    self.close()
                    raise Silent(f"it has not answered for {seconds:.0f} seconds")
        except StopIteration as done:
            result: RV = done.value
            return result

    @contextmanager
    def patient(self, seconds: float) -> Iterator[None]:
        """Waits so many seconds meanwhile."""
        before, self.patience = self.patience, seconds
        try:
            yield
        finally:
            self.patience = before
