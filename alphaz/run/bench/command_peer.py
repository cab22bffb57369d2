"""Any program as a peer.

The program is started once for each number of threads, with this number in OMP_NUM_THREADS. For each run it reads a
line of parameters from its standard input, `N=1000 M=20`, computes once with data of its own, and writes a line with
the seconds of the computation to its standard output. At the end of its input it ends. Results are not compared.
"""

import os
import shlex
import signal
import subprocess
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median

from alphaz.run.bench.contest import LASTING, SPINNING_BLAS, Contestant, NoPeer

PREFIX = "command:"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS")


def command_contestants(command: str, parameters: Mapping[str, int], threads: Sequence[int]) -> Iterator[Contestant]:
    """Yields a contestant for each number of threads. Raises NoPeer for a text that is no command."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise NoPeer(f"`{command}` is no command: {problem}") from None
    if not words:
        raise NoPeer("the command is empty")
    line = " ".join(f"{name}={value}" for name, value in parameters.items())
    for count in threads:
        program = _Program(words, line, count)
        run = partial(program.run, LASTING)
        yield Contestant(name=Path(words[0]).name, threads=count, run=run, outputs=None, spinning=SPINNING_BLAS)


class _Program:
    """The program, started on the first run. Between runs it is stopped."""

    def __init__(self, words: Sequence[str], line: str, threads: int) -> None:
        self._words, self._line, self._threads = words, line, threads
        self._process: subprocess.Popen[str] | None = None

    def run(self, lasting: float) -> float:
        """Returns the seconds that the program writes; of short ones, the median of several. Raises NoPeer."""
        times: list[float] = []
        try:
            process = self._process = self._process or self._started()
            os.killpg(process.pid, signal.SIGCONT)
            while not times or sum(times) < lasting:
                times.append(self._answer(process))
            os.killpg(process.pid, signal.SIGSTOP)
        except OSError as problem:
            raise NoPeer(f"{self._words[0]}: {problem.strerror or problem}") from None
        return median(times)

    def _answer(self, process: "subprocess.Popen[str]") -> float:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{self._line}\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        try:
            seconds = float(answer)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            raise NoPeer(f"{self._words[0]} must write the seconds of a run on a line, and wrote `{answer}`")
        return seconds

    def _started(self) -> "subprocess.Popen[str]":
        variables = {**os.environ, **dict.fromkeys(_THREADS, str(self._threads))}
        process = subprocess.Popen(
            list(self._words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=variables,
            process_group=0,
        )
        weakref.finalize(self, _end, process)
        return process


def _end(process: "subprocess.Popen[str]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(BrokenPipeError), process:
        pass
