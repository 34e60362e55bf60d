"""The one name of Affray in site-packages. Importing it puts the folder that holds its packages first on the path.

Installed, `ledger`, `projections` and `commands` lie beside this file; in the source tree they lie three folders above.
"""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
PACKAGES = _here if os.path.isdir(os.path.join(_here, "ledger")) else os.path.abspath(os.path.join(_here, "../../.."))
"""The folder that holds the packages."""

if sys.path[:1] != [PACKAGES]:
    sys.path.insert(0, PACKAGES)
