"""Compares schedules of random recurrences with an exhaustive search: `scripts/fuzz-schedules`.

Where the search finds an affine schedule, one has to be found and proved. Where it finds none and nothing else is
found, the finding has to be the one that says so (AZ511).
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.problem import problem_of
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import NONE, ScheduleEngine, ScheduleRequest
from tests.search.schedule.random_recurrences import has_small_schedule, recurrence
from tools.command_line import parser

ENGINES = {"isl": ScheduleRequest(strategy=NONE), "ilp": ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP)}


def verdict(text: str, engine: str) -> str:
    """`found`, `found, and not by force`, `none`, `no program`; or `missed`, which is wrong."""
    try:
        design = Design(read_program(Source("random.ab", text)))
    except Rejected:
        return "no program"
    expected = has_small_schedule(problem_of(design, "random"))
    try:
        proposal = propose(design, "random", ENGINES[engine], carry_out)
    except Rejected as refused:
        (finding,) = refused.diagnostics
        return "missed" if expected or finding.rule.code != "AZ511" else "none"
    if not proposal.report.is_proved:
        return "missed"
    return "found" if expected else "found, and not by force"


def main(arguments: Sequence[str]) -> int:
    command = parser(
        "scripts/fuzz-schedules",
        "Schedules random recurrences, and compares the result with an exhaustive search for a small schedule.",
        "scripts/fuzz-schedules --count 2000 --seed 100 --engine ilp",
    )
    command.add_argument("--count", type=int, default=500, help="the number of recurrences (default: 500)")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--engine", choices=ENGINES, default="isl", help="the engine of the scheduler (default: isl)")
    options = command.parse_args(arguments)
    seen: Counter[str] = Counter()
    start, seed = time.process_time(), options.seed
    while sum(seen.values()) - seen["no program"] < options.count:
        text = recurrence(Random(seed))
        message = verdict(text, options.engine)
        seen[message] += 1
        if message == "missed":
            sys.stdout.write(f"# seed {seed}: a schedule is missed\n{text}\n\n")
        seed += 1
    shown = ", ".join(f"{count} {key}" for key, count in sorted(seen.items()))
    took = f"{time.process_time() - start:.0f} s of processor time"
    sys.stdout.write(f"seeds {options.seed} to {seed - 1}: {shown}; {took}\n")
    return 1 if seen["missed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
