"""The C of every script of `samples/kernels`, proved: `.venv/bin/python -m benchmarks.prove.measure [NAME ..]`.

Each is generated, and then proved by `--jobs` processes, one for each core, in `--seconds` by the clock; a line says
what came of it, and how long it took: by the clock, and of the processor in both stages, in all processes together.
Stage A: accesses, values and parts of sums are there; to find claims belongs to it. Stage B: what happens in between.
"""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing import Process
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import STAGE_A
from alphaz.equivalence.driver.claim_files import annotations_by_line
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verify import certify
from alphaz.processes.copies import cores

KERNELS = Path(__file__).parents[2] / "samples" / "kernels"
SECONDS = 60


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--seconds", type=int, default=SECONDS)
    chosen = parser.parse_args(words)
    for script in sorted(KERNELS.glob("*/*.cs")):
        if not chosen.names or script.stem in chosen.names:
            process = Process(target=_measured, args=(script, chosen.jobs, chosen.seconds))
            process.start()
            process.join()
            if process.exitcode == -signal.SIGALRM:
                sys.stdout.write(f"{script.stem:36} undecided    more than {chosen.seconds} s\n")
            sys.stdout.flush()


def _measured(script: Path, jobs: int, limit: int) -> None:
    design = alphaz.run(script)
    (system,) = (each.name for each in design.program.systems)
    sources = scheduled_c(certify(alphaz.verify(design)), system)
    ((name, text),) = ((name, text) for name, text in sources.files.items() if name.endswith(".c"))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit)
    before, start = _processor(), time.perf_counter()
    annotations = annotations_by_line(sources.claims.get(name, {}))
    verdict = prove_c(design.checked, Source(name, text), ProofTask(executes=False, annotations=annotations, jobs=jobs))
    elapsed, worked = time.perf_counter() - start, _processor() - before
    later = _share_of_b(verdict) * worked
    said = f"{_said(verdict):12} {elapsed:5.1f} s  A {worked - later:5.1f} s  B {later:5.1f} s"
    sys.stdout.write(f"{script.stem:36} {said}  {_why(verdict)}\n")


def _processor() -> float:
    """Seconds that this process has worked, and those that it has ended."""
    return sum(each.ru_utime + each.ru_stime for each in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def _share_of_b(verdict: CVerdict) -> float:
    """How much of the work the questions of stage B were; to find claims belongs to stage A."""
    if verdict.proof is None:
        return 0.0
    asked = sum(obligation.seconds for obligation in verdict.obligations if obligation.question.family not in STAGE_A)
    worked = verdict.seconds - verdict.proof.seconds + sum(obligation.seconds for obligation in verdict.obligations)
    return asked / worked


def _said(verdict: CVerdict) -> str:
    if verdict.is_proved:
        return "A and B"
    asked = [obligation for obligation in verdict.obligations if obligation.question.family in STAGE_A]
    return "A" if asked and all(each.is_proved for each in asked) else "undecided"


def _why(verdict: CVerdict) -> str:
    return f"{len(verdict.obligations)} obligations" if verdict.is_proved else verdict.findings[0].message


if __name__ == "__main__":
    main(sys.argv[1:])
