"""The kernel in C: compiled, and its answers."""

import subprocess
from pathlib import Path
from shutil import which

from alphaz.kernel import checker

SOURCE = Path(checker.__file__).with_name("kernel.c")
FLAGS = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror")


def compiled(folder: Path) -> Path | None:
    """Returns the binary; None where there is no compiler."""
    compiler = which("cc")
    if compiler is None:
        return None
    binary = folder / "kernel"
    subprocess.run([compiler, *FLAGS, "-o", str(binary), str(SOURCE)], check=True)
    return binary


def refused(binary: Path, folder: Path, certificate: bytes, proofs: bytes) -> tuple[set[str], str]:
    """Returns the places that are not confirmed, and the last line of the answer."""
    names = [folder / "c.json", folder / "c.proofs.json"]
    for path, text in zip(names, (certificate, proofs), strict=True):
        path.write_bytes(text)
    command = [str(binary), *map(str, names)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600).stdout.splitlines()
    return {line.split(":")[0] for line in lines[:-1]}, lines[-1] if lines else ""
