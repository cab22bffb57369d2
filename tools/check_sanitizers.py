"""Runs the code of proved samples under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer."""

import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from alphaz.diagnostics import Rejected
from alphaz.legality.verify import certify, verify
from alphaz.scripting.interpreter.python_api import run
from tests.safety.sanitizers import MEMORY, RACES, is_parallel, largest_sizes, race_checker, run_generated
from tools.command_line import parser


def main(arguments: list[str]) -> int:
    command = parser(
        "scripts/check-sanitizers",
        "Runs the code of proved scripts under AddressSanitizer and UndefinedBehaviorSanitizer, parallel code under\n"
        "ThreadSanitizer as well.",
        "scripts/check-sanitizers samples/kernels/lu/lu-tuned.cs --jobs 2",
    )
    command.add_argument("scripts", nargs="*", type=Path, help="default: all samples that are not meant to be wrong")
    command.add_argument("--jobs", type=int, default=2, help="the number of processes (default: 2)")
    options = command.parse_args(arguments)
    every = (path for path in sorted((Path(__file__).parents[1] / "samples").rglob("*.cs")) if "wrong" not in path.name)
    scripts = options.scripts or list(every)
    if race_checker() is None:
        _say("no clang with ThreadSanitizer and LLVM's OpenMP runtime reports a race here: races are NOT looked for")
    bad = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for lines in pool.map(checked, scripts):
            bad += sum("REPORTED" in line for line in lines)
            _say(*lines)
    _say(f"{len(scripts)} scripts, {bad} reports")
    return 1 if bad else 0


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def checked(script: Path) -> list[str]:
    """A line for each system of a script and each sanitizer."""
    return list(_checked(script))


def _checked(script: Path) -> Iterator[str]:
    try:
        verified = certify(verify(run(script)))
    except Rejected as problem:
        yield f"{script.stem}: left out: {problem.diagnostics[0].message}"
        return
    called = {use.callee.name for mapping in verified.mappings.values() for use in mapping.uses}
    for system in verified.mappings.keys() - called:
        sizes = largest_sizes(script.read_text(encoding="utf-8"), verified.design.program.system(system).parameters)
        kinds: list[tuple[str, tuple[str, ...]]] = [("memory and undefined behaviour", MEMORY)]
        if race_checker() is not None and is_parallel(verified, system):
            kinds.append(("races", RACES))
        for what, flags in kinds:
            with tempfile.TemporaryDirectory() as name:
                ran = run_generated(verified, system, sizes, flags, Path(name))
            message = "clean" if ran.code == 0 else f"REPORTED\n{ran.errors}"
            yield f"{script.stem} {system} {','.join(f'{n}={v}' for n, v in sizes.items())}: {what}: {message}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
