"""The one name of Affray in site-packages. Importing it puts the folder that holds its packages first on the path.

Installed, `ledger`, `projections` and `commands` lie beside this file; in the source tree they lie three folders above.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_here = os.path.dirname(os.path.abspath(__file__))
PACKAGES = _here if os.path.isdir(os.path.join(_here, "ledger")) else os.path.abspath(os.path.join(_here, "../../.."))
"""The folder that holds the packages."""

if sys.path[:1] != [PACKAGES]:
    sys.path.insert(0, PACKAGES)


def quicken() -> "Callable[[], None] | None":
    """Lets modules load by the code that was kept of them; the answer keeps that of others. None in a source tree."""
    if _here != PACKAGES:
        return None
    from .compiled import Compiled

    compiled = Compiled(os.path.join(_here, "__pycache__"))
    sys.meta_path.insert(0, compiled)
    return compiled.keep
