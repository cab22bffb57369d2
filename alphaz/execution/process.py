"""Other programs: started without a shell, never waited for longer than a limit."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended. `status` is None when it could not be started or did not end in time; `errors` says why."""

    status: int | None
    output: str
    errors: str

    @property
    def succeeded(self) -> bool:
        return self.status == 0


def run(command: Sequence[str], folder: Path, seconds: float) -> Outcome:
    """Runs a program in a folder, its output captured as text. Never raises for what the program does."""
    try:
        done = subprocess.run(
            list(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return Outcome(None, "", f"{command[0]} did not end within {seconds:g} seconds")
    except (OSError, ValueError) as problem:
        return Outcome(None, "", f"{command[0]} cannot be started: {problem}")
    return Outcome(done.returncode, done.stdout, done.stderr)
