"""Runs other programs without a shell, with a limit of processor time."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from alphaz.usage import Limits, Usage, usage

# Seconds between two checks of the usage of a program.
_LOOK = 0.1


# Prefixes of the variables that MPICH and Open MPI give their ranks.
_OF_RANKS = ("PMI_", "PMIX_", "HYDI_", "MPI_LOCALN", "MPI_LOCALR", "OMPI_COMM_WORLD_")


@dataclass(frozen=True, slots=True)
class ProcessOutcome:
    """The end of a program. `status` is None when it could not be started or did not end in time; `errors` gives the
    reason.
    """

    status: int | None
    output: str
    errors: str

    @property
    def succeeded(self) -> bool:
        return self.status == 0


def run(command: Sequence[str], folder: Path, seconds: float) -> ProcessOutcome:
    """Runs a program in a folder, with its output captured as text. Never raises for failures of the program.

    The seconds are processor time of the program and all its children: on a busy machine the run may take longer.
    Ending the program also ends its children: a compiler starts other programs.
    """
    try:
        with subprocess.Popen(
            list(command),
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        ) as program:
            try:
                output, errors = _communicated(program, Limits(seconds))
            except BaseException:
                with suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)
                raise
    except TimeoutError:
        return ProcessOutcome(None, "", f"{command[0]} did not end within {seconds:g} seconds of processor time")
    except (OSError, ValueError) as problem:
        return ProcessOutcome(None, "", f"{command[0]} cannot be started: {problem}")
    return ProcessOutcome(program.returncode, output, errors)


def _environment() -> dict[str, str]:
    """Returns the variables of this process, without those by which a program joins the MPI program of this process."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OF_RANKS)}


def _communicated(program: "subprocess.Popen[str]", limits: Limits) -> tuple[str, str]:
    """Returns the output of the program. Raises TimeoutError where it exceeds the limits."""
    begun = monotonic()
    while True:
        try:
            return program.communicate(timeout=_LOOK)
        except subprocess.TimeoutExpired:
            used, clock = usage(program.pid), monotonic() - begun
            used = used or Usage(clock, 0, 0)
            if limits.exceeded(used) or limits.exceeded_by_the_clock(clock):
                raise TimeoutError from None
