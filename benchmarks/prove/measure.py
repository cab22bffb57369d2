"""The C of every script of `samples/kernels`, proved: `.venv/bin/python -m benchmarks.prove.measure [NAME ..]`.

Each is generated and proved in a process of its own, with a limit of processor time; a line says what came of it.
Stage A: accesses, values and parts of sums are there; to find claims belongs to it. Stage B: what happens in between.
"""

import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing import Process
from pathlib import Path

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.execution.c_claims import told_of
from alphaz.execution.c_proof import CVerdict, Task, prove_c
from alphaz.verify.c.prove import STAGE_A
from alphaz.verify.verify import certify

KERNELS = Path(__file__).parents[2] / "samples" / "kernels"
SECONDS = 60


def main(names: Sequence[str]) -> None:
    for script in sorted(KERNELS.glob("*/*.cs")):
        if not names or script.stem in names:
            process = Process(target=_measured, args=(script,))
            process.start()
            process.join()
            if process.exitcode == -signal.SIGPROF:
                sys.stdout.write(f"{script.stem:36} undecided    more than {SECONDS} s of processor time\n")
            sys.stdout.flush()


def _measured(script: Path) -> None:
    design = alphaz.run(script)
    (system,) = (each.name for each in design.program.systems)
    sources = scheduled_c(certify(alphaz.verify(design)), system)
    ((name, text),) = ((name, text) for name, text in sources.files.items() if name.endswith(".c"))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    start = time.process_time()
    told = told_of(sources.claims.get(name, {}))
    verdict = prove_c(design.checked, Source(name, text), Task(executes=False, told=told))
    seconds = time.process_time() - start
    later = _share_of_b(verdict) * seconds
    said = f"{_said(verdict):12} A {seconds - later:5.1f} s  B {later:5.1f} s"
    sys.stdout.write(f"{script.stem:36} {said}  {_why(verdict)}\n")


def _share_of_b(verdict: CVerdict) -> float:
    """How much of the time the questions of stage B took; to find claims belongs to stage A."""
    asked = sum(each.seconds for each in verdict.obligations if each.question.family not in STAGE_A)
    return asked / verdict.seconds if verdict.seconds else 0.0


def _said(verdict: CVerdict) -> str:
    if verdict.is_proved:
        return "A and B"
    asked = [each for each in verdict.obligations if each.question.family in STAGE_A]
    return "A" if asked and all(each.is_proved for each in asked) else "undecided"


def _why(verdict: CVerdict) -> str:
    return f"{len(verdict.obligations)} obligations" if verdict.is_proved else verdict.findings[0].message


if __name__ == "__main__":
    main(sys.argv[1:])
