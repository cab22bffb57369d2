"""Generated code with its main program, compiled with sanitizers and run.

Data races are found by ThreadSanitizer, which knows what OpenMP orders only where the runtime tells it: LLVM's does
(Archer), gcc's does not (every loop would be reported, as valgrind's tools report them). So the checker is a clang that
has been seen to report a race, and to be silent where there is none.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alphaz.codegen.scheduled.pipeline import THREADED
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.wrapper.main_program import wrapper
from alphaz.legality.verdicts import Verified
from alphaz.run.compiler import find_compiler
from tests.codegen.generated_kernels import write

RACES = ("-fsanitize=thread",)
MEMORY = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_FLAGS = ("-g", "-O1", "-std=c11", "-ffp-contract=off", "-fopenmp")
_CLANG = ("clang", *(f"clang-{version}" for version in range(24, 10, -1)))
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "4",
    "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 exitcode=66 halt_on_error=1",
    # The OpenMP runtime keeps its threads' memory to the end.
    "ASAN_OPTIONS": "detect_leaks=0",
}
_LOOPS = """
#include <stdlib.h>
int main(int argc, char **argv)
{
    double *a = calloc(1000, sizeof(double));
    int distance = argc > 1 ? 1 : 0;
    for (int time = 0; time < 3; time++) {
#pragma omp parallel for
        for (int i = 1; i < 1000; i++) a[i] = a[i - distance] + 1.0;
    }
    free(a);
    return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """The exit status of a program, and its standard error."""

    code: int
    errors: str

    @property
    def reports_a_race(self) -> bool:
        return "WARNING: ThreadSanitizer: data race" in self.errors


@cache
def race_checker() -> str | None:
    """The clang that really reports a race, and nothing else; None where there is none."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "loops.c").write_text(_LOOPS, encoding="utf-8")
        for compiler in _CLANG:
            if _compiled(compiler, folder, ["loops.c"], RACES) != "":
                continue
            right, racy = execute(folder), execute(folder, "racy")
            if right.code == 0 and racy.reports_a_race:
                return compiler
    return None


def preloaded() -> dict[str, str]:
    """The environment in which a Python process can load a library that was compiled with MEMORY by gcc."""
    command = find_compiler().command
    places = [_output(*command, f"-print-file-name={name}") for name in ("libasan.so", "libstdc++.so.6")]
    options = f"{_ENVIRONMENT['ASAN_OPTIONS']}:verify_asan_link_order=0"
    return {"LD_PRELOAD": " ".join(places), "ASAN_OPTIONS": options}


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def _compiled(compiler: str, folder: Path, units: list[str], flags: tuple[str, ...], *include: str) -> str:
    """Returns the messages of the compiler; empty if it succeeded."""
    command = [*compiler.split(), *_FLAGS, *flags, *include, *units, "-o", "program", "-lm"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    except OSError as problem:
        return str(problem)
    return done.stderr or "it failed" if done.returncode else ""


def execute(folder: Path, *arguments: str) -> Ran:
    environment = {**os.environ, **_ENVIRONMENT}
    command = [str(folder / "program"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    return Ran(done.returncode, done.stderr)


def run_generated(
    verified: Verified, system: str, parameters: Mapping[str, int], flags: tuple[str, ...], folder: Path
) -> Ran:
    """The scheduled code of a system, on random inputs."""
    checked = verified.design.checked
    sizes = verified.mappings[system].tile_sizes
    write(scheduled_c(verified, system, pipeline=THREADED) | wrapper(checked, system, sizes), folder)
    compiler = race_checker() if flags is RACES else " ".join(find_compiler().command)
    assert compiler is not None
    beside = Path(checked.program.source.name).resolve().parent
    header = beside / "external_functions.h"
    if header.exists():
        (folder / header.name).write_bytes(header.read_bytes())
    units = sorted(path.name for path in folder.glob("*.c"))
    complaint = _compiled(compiler, folder, units, flags)
    assert complaint == "", complaint
    values = [str(parameters[name]) for name in checked.program.system(system).parameters]
    return execute(folder, *values, "--random", "1")


def is_parallel(verified: Verified, system: str) -> bool:
    return any("#pragma omp parallel" in text for text in scheduled_c(verified, system).files.values())


def largest_sizes(script: str, names: tuple[str, ...]) -> dict[str, int]:
    """The last of the line `# sizes: N=2 N=9,M=3` of a script; 24 where it says nothing."""
    match_ = re.search(r"^# sizes: (?:.* )?(\S+)$", script, re.MULTILINE)
    message = dict(part.split("=") for part in match_[1].split(",")) if match_ else {}
    return {name: int(message.get(name, 24)) for name in names}
