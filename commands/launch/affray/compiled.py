"""One file with the code of the modules that commands load: a start reads it in place of two hundred.

The code of a module is taken from it only while its source has the time and the size that it had, as Python judges its
`.pyc` files, and on the same path: so what an upgrade, another Python or another path brings is never missed. The file
lies in the `__pycache__` of the installation, where its owner writes it. Without it, modules load as usual.

It begins with the place of its table, which stands behind the codes: only the table is read whole.
"""

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader

MOST = 250
"""A command that loads more modules than these takes long anyway; none of them are kept."""
_FIRST = 8
"""Where the codes begin, behind the place of the table."""


class _Kept(SourceFileLoader):
    code: object

    def exec_module(self, module: object) -> None:
        module.__dict__["__file__"] = self.path
        exec(self.__dict__.pop("code"), module.__dict__)


class Compiled:
    """The file: how modules are found in it, and come into it."""

    def __init__(self, folder: str) -> None:
        self.folder, self.file = folder, f"{folder}/affray.{sys.implementation.cache_tag}"
        self.key = [_stamp(__file__), sys.version, sys.flags.optimize, *sys.path]
        self.before = {*sys.modules}
        self.modules: dict[str, tuple[str, tuple[int, int] | None, bool, int, int]] = {}
        try:
            self.opened = os.open(self.file, os.O_RDONLY)
            table = int.from_bytes(os.pread(self.opened, _FIRST, 0), "big")
            key, modules = marshal.loads(os.pread(self.opened, os.fstat(self.opened).st_size - table, table))
            if key == self.key:
                self.modules = modules
        except (OSError, EOFError, ValueError, TypeError, OverflowError, AttributeError):  # Windows has no `pread`
            pass

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """How a module is loaded whose source is as it was; None for every other one."""
        source, stamp, package, place, size = self.modules.get(name, ("", None, False, 0, 0))
        if not source or _stamp(source) != stamp:
            return None
        (loader := _Kept(name, source)).code = marshal.loads(os.pread(self.opened, size, place))
        spec = ModuleSpec(name, loader, origin=source, is_package=package)
        if package:
            spec.submodule_search_locations = [source[: source.rindex(os.sep)]]
        return spec

    def keep(self) -> None:
        """Writes the file anew if modules were loaded that are not in it, and the folder is the user's own."""
        loaded = [getattr(sys.modules[name], "__spec__", None) for name in {*sys.modules} - self.before]
        new = [spec for spec in loaded if spec and type(spec.loader) is SourceFileLoader]
        try:
            if not new or len(sys.modules) > MOST or os.stat(self.folder).st_uid != os.geteuid():
                return
            found = {name: (kept[:3], os.pread(self.opened, kept[4], kept[3])) for name, kept in self.modules.items()}
            for spec in new:
                at = _stamp(spec.origin), spec.submodule_search_locations is not None  # before the code is read
                found[spec.name] = (spec.origin, *at), marshal.dumps(spec.loader.get_code(spec.name))
            places, codes = {}, bytearray(_FIRST)
            for name, (about, code) in found.items():
                places[name] = (*about, len(codes), len(code))
                codes += code
            codes[:_FIRST] = len(codes).to_bytes(_FIRST, "big")
            with open(own := f"{self.file}.{os.getpid()}", "xb") as file:
                file.write(codes + marshal.dumps((self.key, places)))
                os.fsync(file.fileno())
            os.replace(own, self.file)
        except (OSError, ValueError, ImportError, AttributeError):  # Windows has no `geteuid`
            return


def _stamp(source: str) -> tuple[int, int] | None:
    try:
        seen = os.stat(source)
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size
