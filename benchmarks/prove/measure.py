"""The C of every script of `samples/kernels`, proved: `.venv/bin/python -m benchmarks.prove.measure [NAME ..]`.

Each is generated and proved in a process of its own, with a limit of processor time; a line says what came of it.
Stage A: accesses, values and parts of sums are there. Stage B: what happens in between, too.
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
from alphaz.execution.c_proof import CVerdict, Task, prove_c
from alphaz.verify.verify import certify

KERNELS = Path(__file__).parents[2] / "samples" / "kernels"
SECONDS = 20
STAGE_A = frozenset({"C0", "C1", "R1", "R5"})


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
    files = scheduled_c(certify(alphaz.verify(design)), system).files
    ((name, text),) = ((name, text) for name, text in files.items() if name.endswith(".c"))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    start = time.process_time()
    verdict = prove_c(design.checked, Source(name, text), Task(executes=False))
    seconds = time.process_time() - start
    sys.stdout.write(f"{script.stem:36} {_said(verdict):12} {seconds:5.1f} s  {_why(verdict)}\n")


def _said(verdict: CVerdict) -> str:
    if verdict.is_proved:
        return "A and B"
    asked = [each for each in verdict.obligations if each.question.family in STAGE_A]
    return "A" if asked and all(each.is_proved for each in asked) else "undecided"


def _why(verdict: CVerdict) -> str:
    return f"{len(verdict.obligations)} obligations" if verdict.is_proved else verdict.findings[0].message


if __name__ == "__main__":
    main(sys.argv[1:])
