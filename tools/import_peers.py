"""Writes the textbook loops of `samples/kernels` as equations, and proves these: `scripts/import-peers`.

Each has to be proved against its source; the program has to be without findings, and what is generated from it to agree
with the interpreter at the sizes of the kernel's own script.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.command_line import parser

KERNELS = Path(__file__).parents[1] / "samples" / "kernels"
# Its subscripts are data.
REFUSED = ("knapsack",)


def peers() -> list[str]:
    return sorted(path.parent.name for path in KERNELS.glob("*/*-peer.c") if path.parent.name not in REFUSED)


def sizes(kernel: str) -> list[str]:
    """Two of those that the kernel's script names."""
    match_ = re.search(
        r"^# sizes: (.+)$", (KERNELS / kernel / f"{kernel}.cs").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert match_ is not None
    return match_[1].split()[:2]


def faults(kernel: str, folder: Path) -> list[str]:
    """The steps that go wrong."""
    peer = KERNELS / kernel / f"{kernel}-peer.c"
    program, script = folder / f"{peer.stem}.ab", folder / f"{peer.stem}.cs"
    wanted = [part for size in sizes(kernel) for part in ("-p", size)]
    steps = {
        "from-c": ["from-c", str(peer), "-o", str(folder)],
        "check": ["check", str(program)],
        "test": ["test", str(script), *wanted],
    }
    results = []
    for name, arguments in steps.items():
        command = [sys.executable, "-m", "alphaz", *arguments]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        is_silent = name != "check" or "no findings" in answer.stdout
        if answer.returncode != 0 or not is_silent:
            results.append(f"{name}: {answer.stdout}{answer.stderr}")
    return results


def main(arguments: Sequence[str]) -> int:
    command = parser(
        "scripts/import-peers",
        "Writes the textbook loops of kernels as equations, proves these, and runs what is generated from them.",
        "scripts/import-peers gemm lu",
    )
    command.add_argument("kernels", nargs="*", metavar="KERNEL", help="folders of samples/kernels (default: all)")
    wrong = 0
    for kernel in command.parse_args(arguments).kernels or peers():
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="alphaz-peers-") as folder:
            result = faults(kernel, Path(folder))
        wrong += bool(result)
        message = "proved, clean, agrees" if not result else "\n".join(result)
        sys.stdout.write(f"{kernel}: {message} ({time.perf_counter() - start:.1f} s)\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
