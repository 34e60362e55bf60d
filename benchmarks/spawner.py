"""Starts processes, and measures how long each takes and how much memory it holds at most.

The memory that Linux reports for a process is at least that of the process which started it. So a benchmark, which
holds much, does not start them itself: a bare Python that runs this file does.
"""

import json
import os
import sys
import time


class Spawner:
    """A bare Python that starts processes. Use it in a `with` statement."""

    def __init__(self) -> None:
        import subprocess

        words = [sys.executable, "-I", "-S", os.path.abspath(__file__)]
        self._bare = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Spawner":
        return self

    def __exit__(self, *_: object) -> None:
        self._bare.communicate()

    def spend(self, words: list[str], folder: str) -> tuple[float, int]:
        """Seconds, and KiB of memory at most, that a process takes. Raises RuntimeError when it fails."""
        assert self._bare.stdin
        assert self._bare.stdout
        self._bare.stdin.write(json.dumps([folder, *words]) + "\n")
        self._bare.stdin.flush()
        status, took, held = self._bare.stdout.readline().split()
        if status != "0":
            raise RuntimeError(f"{' '.join(words)} failed: {os.waitstatus_to_exitcode(int(status))}")
        return float(took), int(held)


def serve() -> None:
    """Starts a process for each line of standard input, and says how it went."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    for line in sys.stdin:
        folder, *words = json.loads(line)
        os.chdir(folder)
        began = time.perf_counter()
        child = os.posix_spawn(words[0], words, os.environ, file_actions=quiet)
        _, status, used = os.wait4(child, 0)
        print(status, time.perf_counter() - began, used.ru_maxrss, flush=True)


if __name__ == "__main__":
    serve()
