"""Compares the verdicts on random distributed mappings with executions on random ranks: `scripts/fuzz-distributed`.

Every mapping is verified, then executed with tokens instead of values, by plain integers, on random partitions of its
places (`tests/legality/distributed_execution.py`). A proved mapping that goes wrong is a failure. A refuted mapping
that goes right on these partitions is counted: its witness may be too large, or another partition shows it.

With `--executed N` so many proved mappings with code are compiled and run under MPI, with sanitizers: outputs are those
of the interpreter, messages and bytes those of the exact flow of values.

With `--scheduled N` the mappings are those that `alphaz schedule --target mpi` finds for so many random recurrences.

With `--rechecked N` the certificates of so many mappings are decided again by isl, and compared with the sets that the
kernel derives; the messages of proved mappings that `explain-cost` counts are those of an enumeration.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from alphaz.analysis.read import read_program
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI
from alphaz.diagnostics import Rejected, Source
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verify import certify, verify
from alphaz.machine import Network
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.proof import isl_engine
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.cost.messages import rank_cost
from alphaz.search.schedule.distributed.search import RankRequest, propose_ranks
from alphaz.search.schedule.request import ScheduleRequest
from tests.codegen.mpi_programs import MpiCase, Scripted, build, expected, run
from tests.kernel.derived_sets import disagreements
from tests.legality.distributed_agreement import compare_distributed
from tests.search.cost.counted_messages import counted_messages
from tests.search.schedule.random_recurrences import recurrence
from tests.strategies.distributed_mappings import distributed_sample
from tools.command_line import parser

RULES = ("AZ501", "AZ502", "AZ521", "AZ522", "AZ601", "AZ621", "AZ622")
# So few cases need not meet every rule.
ENOUGH = 1000

# Mappings in one program, and the numbers of ranks.
_TOGETHER, _RANKS = 12, (1, 2, 3, 4, 5)


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    if options.executed:
        return _execute(islice(_programs(options.seed, options.first), options.executed))
    if options.scheduled:
        return _execute(_scheduled(options))
    if options.rechecked:
        return _recheck(options)
    kinds, alone, codes, wrong = Counter[str](), Counter[str](), Counter[str](), 0
    for case in range(options.first, options.first + options.cases):
        random = Random(f"{options.seed}/{case}")
        sample = distributed_sample(random)
        result = compare_distributed(sample, random)
        way = ", tiles" if sample.mapped.mapping.tiling else ""
        way += ", pipeline" if result.is_pipeline else ", overlap" if result.is_overlapped else ""
        shown = "" if result.kind != "refuted" else ", shown" if result.fault else ", not shown"
        kinds[f"{result.kind}{way}{shown}"] += 1
        codes.update(result.codes)
        alone.update(result.codes if len(result.codes) == 1 else ())
        if result.is_wrong or (options.not_shown and shown == ", not shown"):
            wrong += result.is_wrong
            text = "proved and wrong" if result.is_wrong else f"not shown ({', '.join(result.codes)})"
            lines = "\n  ".join(sample.lines)
            _say(f"case {case}: {text}: {result.fault} at {sample.sizes}\n{sample.mapped.text}\n  {lines}")
    for name, counter in (("verdict", kinds), ("refuted by", codes), ("by this rule alone", alone)):
        _say(f"{name}: " + ", ".join(f"{key} {count}" for key, count in sorted(counter.items())))
    missing = [rule for rule in RULES if not codes[rule]] if options.cases >= ENOUGH else []
    _say(*(f"no mapping was refuted by {rule}" for rule in missing))
    _say(f"{options.cases} mappings, {wrong} proved and wrong")
    return 1 if wrong or missing else 0


def _execute(programs: Iterator[MpiCase]) -> int:
    """Runs proved mappings under MPI, several of them in one program, and compares outputs, messages and bytes."""
    done, wrong = 0, 0
    while cases := tuple(islice(programs, _TOGETHER)):
        with TemporaryDirectory(prefix="alphaz-mpi-") as folder:
            program = build(cases, Path(folder))
            for ranks in _RANKS:
                for case, item in zip(cases, run(program, cases, ranks), strict=True):
                    wanted = expected(case, case.sizes[0], ranks)
                    same = all(np.array_equal(item.outputs[name], values) for name, values in wanted.outputs.items())
                    if not same or (item.messages, item.sent) != (wanted.messages, wanted.sent):
                        wrong += 1
                        _say(f"{case.mapped.system} on {ranks} ranks at {case.sizes[0]}: {item} instead of {wanted}")
        done += len(cases)
        _say(f"{done} programs on {_RANKS} ranks, {wrong} wrong")
    return 1 if wrong else 0


def _recheck(options: argparse.Namespace) -> int:
    """Decides certificates again, and counts messages."""
    numbers, wrong = Counter[str](), 0
    _, decide = isl_engine.engine()
    for case in range(options.first, options.first + options.rechecked):
        sample = distributed_sample(Random(f"{options.seed}/{case}"))
        try:
            report = sample.mapped.report()
        except Rejected:
            continue
        if report.mapping is None:
            continue
        certificate = record("script.cs", report)
        numbers[f"{report.plain_word} mappings"] += 1
        numbers["obligations"] += len(certificate.obligations)
        faults = [check.text for check in recheck(certificate, decide) if check.outcome is not RecheckOutcome.AGREES]
        faults += [f"derived set of {e['key']} is empty" for e, empty in disagreements(certificate) if empty]
        for ranks in _RANKS if report.is_proved else ():
            result = rank_cost(report.mapping).numbers(sample.sizes, ranks)
            wanted = counted_messages(sample.mapped.design, sample.mapped.system, sample.sizes, ranks)
            numbers["counted messages"] += result is not None
            if result not in (None, wanted):
                faults.append(f"{result} on {ranks} ranks at {sample.sizes} instead of {wanted}")
        wrong += bool(faults)
        if faults:
            lines = "\n  ".join(sample.lines)
            _say(f"case {case}: {faults[0]}\n{sample.mapped.text}\n  {lines}")
    _say(", ".join(f"{key}: {number}" for key, number in sorted(numbers.items())))
    _say(f"{options.rechecked} mappings, {wrong} wrong")
    return 1 if wrong else 0


def _programs(seed: int, first: int) -> Iterator[MpiCase]:
    """Yields proved mappings for which the target has code."""
    for case in count(first):
        sample = distributed_sample(Random(f"{seed}/{case}"))
        named = sample.mapped.named(f"S{case}")
        try:
            if named.report().is_proved:
                program = MpiCase(named, (sample.sizes,))
                scheduled_c(program.verified, named.system, target=MPI)
                yield program
        except Rejected:
            continue


def _scheduled(options: argparse.Namespace) -> Iterator[MpiCase]:
    """Yields the mappings that are found for random recurrences; those without one are counted."""
    numbers = Counter[str]()
    for case in range(options.first, options.first + options.scheduled):
        random = Random(f"{options.seed}/{case}")
        name, size = f"S{case}", {"N": random.randint(4, 7)}
        text = recurrence(random).replace("affine random ", f"affine {name} ")
        request = RankRequest(3, Network(*random.choice(((2e-6, 10e9), (1e-3, 10e9), (0.0, 1e6)))), generates=_generate)
        try:
            design = Design(read_program(Source("random.ab", text)))
            proposal = propose_ranks(design, name, ScheduleRequest(bounded=bounded), request, carry_out)
        except Rejected as reason:
            numbers[reason.diagnostics[0].message.replace(name, "S")] += 1
            continue
        numbers["found"] += 1
        yield MpiCase(Scripted(proposal.design, name), (size,))
    _say(", ".join(f"{number} {outcome}" for outcome, number in numbers.most_common()))


def _generate(design: Design, system: str) -> object:
    return scheduled_c(certify(verify(design, [system])), system, target=MPI)


def _options(arguments: list[str]) -> argparse.Namespace:
    command = parser(
        "scripts/fuzz-distributed",
        "Compares verdicts on random distributed mappings with executions on random ranks.",
        "scripts/fuzz-distributed --cases 20000 --seed 1",
        "scripts/fuzz-distributed --executed 200 --seed 1",
        "scripts/fuzz-distributed --scheduled 100 --seed 1",
        "scripts/fuzz-distributed --rechecked 500 --seed 1",
    )
    command.add_argument("--cases", type=int, default=1000, help="the number of mappings (default: 1000)")
    command.add_argument("--first", type=int, default=0, help="the number of the first one")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--executed", type=int, default=0, metavar="N", help="run so many proved mappings under MPI")
    command.add_argument("--scheduled", type=int, default=0, metavar="N", help="find and run mappings of recurrences")
    command.add_argument("--rechecked", type=int, default=0, metavar="N", help="recheck so many certificates")
    command.add_argument("--not-shown", action="store_true", help="print refuted mappings that no execution showed")
    return command.parse_args(arguments)


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
