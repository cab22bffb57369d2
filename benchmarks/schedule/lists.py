"""What the lists of terms of the engine `ilp` find for all kernels, as a page: docs/schedules.md.

.venv/bin/python -m benchmarks.schedule.lists > docs/schedules.md     # some minutes
.venv/bin/python -m benchmarks.schedule.lists gemm lu                 # the rows of some kernels
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.ilp.cost import COSTS, Cost
from alphaz.search.schedule.propose import Proposal, propose
from alphaz.search.schedule.request import NONE, ScheduleEngine, ScheduleRequest
from benchmarks.kernels.measure import SAMPLES, SIZES

HEAD = """# Four lists on all kernels

What `alphaz schedule --engine ilp --strategy none --cost LIST` finds, for the lists of [scheduling.md](scheduling.md):
the loops of the statement with the most of them (the first, if there are several), outermost first. A loop is parallel
(**p**), one over contributions (**r**), or sequential (s). Behind them stands how many loops of all statements are
parallel, and the seconds of processor time for the schedule and its proof. All of them are proved. This page is made by
`python -m benchmarks.schedule.lists`.

What to see in it:

- *pluto* wants short distances, so that bands are wide: what is parallel comes first, and reductions last. Of stencils
  all loops are one band.
- *feautrier* carries as much as one loop can: mostly one loop is sequential, and all inside parallel. Of what has no
  dependences but those of sums, nothing is sequential.
- *spatial* has a parallel loop outermost where there is one; then the loops along which nothing lies side by side in
  memory, and the one along lines last: the loop over contributions of matrix products and of `lu` is in the middle.
  Where a band would need too many registers (`adi`, `fdtd-2d`, `gramschmidt`), it takes steps of time instead.
- *simple* has no skewed loop where a band without one is legal.

"""
_KINDS = {"parallel": "**p**", "reduction": "**r**", "sequential": "s"}


def page(kernels: list[str]) -> Iterator[str]:
    names = list(COSTS)
    yield f"| kernel | statement | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}\n"
    for kernel in kernels:
        cells, statement = [], ""
        for cost in COSTS.values():
            statement, shown = cell(kernel, cost)
            cells.append(shown)
        yield f"| {kernel} | {statement} | {' | '.join(cells)} |\n"


def cell(kernel: str, cost: Cost) -> tuple[str, str]:
    """The statement, and its loops by this list."""
    program = SAMPLES / kernel / f"{kernel}.ab"
    design = Design(read_program(Source(str(program), Path(program).read_text(encoding="utf-8"))))
    (system,) = design.program.systems
    start = time.process_time()
    try:
        found = propose(
            design, system.name, ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP, cost=cost), carry_out
        )
    except Rejected as refused:
        return "", refused.diagnostics[0].message
    took = time.process_time() - start
    name = deepest(found)
    loops = [c for c in found.dates[name] if c.is_row]
    shown = ", ".join(f"`{c.value}` {_KINDS[c.kind.value]}" for c in loops)
    parallel = sum(c.kind.value == "parallel" for components in found.dates.values() for c in components if c.is_row)
    return name, f"{shown}; {parallel}; {took:.2f}"


def deepest(found: Proposal) -> str:
    domains = found.problem.domains
    return max(domains, key=lambda name: domains[name].space.dimensions)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: the whole page")
    options = parser.parse_args()
    if not options.kernels:
        sys.stdout.write(HEAD)
    for line in page(options.kernels or sorted(SIZES)):
        sys.stdout.write(line)


if __name__ == "__main__":
    main()
