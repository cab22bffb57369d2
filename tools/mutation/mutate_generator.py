"""`scripts/mutate-generator [--count N] [--only WORDS] [--jobs N] [--list]`: is a wrong generator of C noticed?

Slips are drawn (`slips.py`) until so many of them give other C for small programs (`family.py`).
Each is put into a process of its own, which generates, proves, and executes under sanitizers with permuted threads what
is proved all the same. What is proved and goes wrong is a hole in the checker: the exit code is then 1.
"""

import ast
import os
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from alphaz.codegen.c.frame import file_stem
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import STAGE_A, Effort
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.proof import Refuted
from tests.strategies.mapped_programs import Sample
from tools.command_line import parser
from tools.differential.batch import Case, Drivers, Way, values_wanted, verifications
from tools.differential.openmp.machine import Look, Machine
from tools.differential.proved_mappings import Proved, proved
from tools.mutation.family import FAMILY
from tools.mutation.slips import Slip, reached, slips

SAME, REFUSED, STAGE, ORDER = (
    "the same text",
    "refused by the generator or the compiler",
    "found by stage A",
    "found by stage B",
)
UNDECIDED, HARMLESS, HOLE = "undecided", "proved, and right when executed", "PROVED, AND WRONG WHEN EXECUTED"
RANK = (HOLE, STAGE, ORDER, HARMLESS, UNDECIDED, REFUSED, SAME)
SECONDS = 120


def main(arguments: list[str]) -> int:
    options_parser = parser(
        "scripts/mutate-generator",
        "Puts one fault at a time into the generator of C, and proves and executes the code: no wrong code is proved.",
        "scripts/mutate-generator --count 20",
    )
    options_parser.add_argument("--count", type=int, default=110, help="so many slips of which there is other C")
    options_parser.add_argument("--only", default="", metavar="WORDS", help="the slips whose name has these words")
    options_parser.add_argument("--jobs", type=int, default=2, help="so many at a time (default: 2)")
    options_parser.add_argument("--list", action="store_true", help="name the slips, and try nothing")
    options = options_parser.parse_args(arguments)
    chosen = [slip for slip in slips() if options.only in slip.name]
    if options.list:
        _say(*(slip.name for slip in chosen))
        return 0
    family = mapped(FAMILY)
    before, there = texts(family), lines(family)
    chosen = [slip for slip in chosen if (slip.place, slip.line) in there]
    _say(f"{len(chosen)} places are reached")
    counts: Counter[str] = Counter()
    with TemporaryDirectory(prefix="alphaz-slips-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        drivers = built(Path(folder))
        waiting = [pool.submit(apart, slip, family, before, drivers) for slip in chosen]
        for slip, answer in zip(chosen, waiting, strict=True):
            what, message = answer.result()
            counts[what] += 1
            if what not in (SAME, REFUSED):
                _say(f"{what}: {slip.name}{f' ({message})' if message else ''}")
            if sum(counts.values()) - counts[SAME] - counts[REFUSED] >= options.count:
                pool.shutdown(cancel_futures=True)
                break
    _say(*(f"{counts[item]:6d} {item}" for item in RANK))
    return 1 if counts[HOLE] else 0


def mapped(family: Mapping[str, Sample]) -> Mapping[str, Proved]:
    """Each with its mapping proved, once: that is no part of the generator."""
    results = {name: proved(sample) for name, sample in family.items()}
    assert all(results.values()), [name for name, value in results.items() if value is None]
    return {name: value for name, value in results.items() if value is not None}


def texts(family: Mapping[str, Proved]) -> dict[str, str]:
    """The C of each, from a process of its own: what the generator remembers is not remembered here."""
    answer = _forked(lambda: "\0".join(f"{name}\1{_text(case)}" for name, case in family.items()), SECONDS)
    assert answer is not None
    pairs = (word.split("\1") for word in answer.split("\0"))
    return dict(pairs)


def lines(family: Mapping[str, Proved]) -> set[tuple[str, int]]:
    """The lines that the generator comes by with the family, also from a process of its own."""
    answer = _forked(lambda: repr(sorted(reached(lambda: [_text(case) for case in family.values()]))), SECONDS)
    assert answer is not None
    return set(ast.literal_eval(answer))


def built(folder: Path) -> Drivers:
    """Returns the compiled drivers that execute the samples."""
    machine = Machine(folder)
    for look in Look:
        machine.driver(look)
    return machine.drivers


def apart(slip: Slip, family: Mapping[str, Proved], before: Mapping[str, str], drivers: Drivers) -> tuple[str, str]:
    """Returns the outcome of the family with the slip: one of the words above, and the position."""
    answer = _forked(lambda: "\1".join(_with(slip, family, before, drivers)), SECONDS)
    if answer is None:
        return REFUSED, "it does not end, or dies"
    what, message = answer.split("\1")
    return what, message


def _with(slip: Slip, family: Mapping[str, Proved], before: Mapping[str, str], drivers: Drivers) -> tuple[str, str]:
    slip.make()
    results: dict[str, str] = {}
    accepted = []
    for name, case in family.items():
        what, message = _judged(case, before[name])
        if what == STAGE:
            return what, f"{name}: {message}"
        if what == HARMLESS:
            accepted.append(case)
        results.setdefault(what, f"{name}: {message}" if message else name)
    if accepted and (wrong := _executed(accepted, drivers)):
        # What no compiler takes computes nothing.
        return (REFUSED if wrong.startswith("it is not compiled") else HOLE), wrong
    what = next(item for item in RANK if item in results)
    return what, "" if what == SAME else results[what]


def _executed(accepted: Sequence[Proved], drivers: Drivers) -> str:
    """Returns the failures of executions of the proved samples."""
    made = [Case(at, item, values_wanted(item, Random(at))) for at, item in enumerate(accepted)]
    verifications(made, Way(is_sanitized=True), Random(1), drivers)
    return next((item.complaints[0].splitlines()[0] for item in made if item.complaints), "")


def _judged(case: Proved, before: str) -> tuple[str, str]:
    try:
        text = _text(case)
    except Exception as problem:
        return REFUSED, f"{type(problem).__name__}: {problem}"[:100]
    if text == before:
        return SAME, ""
    present = _proof(case, text, Effort(STAGE_A))
    if not present.is_proved:
        return (STAGE if _is_found(present) else UNDECIDED), _why(present)
    whole = _proof(case, text, Effort())
    if not whole.is_proved:
        return (ORDER if _is_found(whole) else UNDECIDED), _why(whole)
    return HARMLESS, ""


def _proof(case: Proved, text: str, effort: Effort) -> CVerdict:
    task = ProofTask(system=case.name, effort=effort, executes=False)
    return prove_c(case.verified.design.checked, Source("s.c", text), task)


def _is_found(verdict: CVerdict) -> bool:
    """Returns True if there is a witness, or a wrong run of the model; not only unsupported C."""
    if verdict.proof is None:
        return False
    return bool(verdict.proof.disagreements) or any(
        isinstance(obligation.verdict, Refuted) for obligation in verdict.obligations
    )


def _why(verdict: CVerdict) -> str:
    return verdict.findings[0].message[:110] if verdict.findings else ""


def _text(case: Proved) -> str:
    return case.sources().files[f"{file_stem(case.name)}.c"]


def _forked(work: Callable[[], str], seconds: int) -> str | None:
    """Returns the result of the work in a separate process; None if the process dies or takes too long."""
    here, there = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.close(here)
            signal.alarm(seconds)
            with open(there, "w", encoding="utf-8") as out:
                out.write(work())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(there)
    with open(here, encoding="utf-8") as message:
        text = message.read()
    _, how = os.waitpid(process, 0)
    return text if how == 0 else None


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
