"""Compares the verifier with brute force on random programs and mappings: `scripts/fuzz-verifier`.

Prints the share of each verdict, of each rule that refutes, and of what the mappings have; a rule that never refuted is
a failure. Every fourth program has use equations, every eighth overlapped tiles.

With `--executed N` so many proved samples are executed instead, on 1, 2, 4 and 13 threads that a seed permutes
(`tools/differential/campaign.py`); `--sanitized` does that under AddressSanitizer and UndefinedBehaviorSanitizer, and
what is parallel under ThreadSanitizer. What dies, does not end, is not generated or not compiled is a disagreement as
well, and so is a warning of the compiler with `--strict`. It ends with the batch in which `--seconds T` are over.
With `--prove` the C of each is proved as well, in both stages with a small budget (`tools/differential/c_proof.py`):
what is proved and goes wrong is a disagreement, and so is what is refuted and agrees. With `--every-pass` each mapping
is executed by every choice of passes: whichever optional ones are left out, and whichever is the last
(`tools/differential/pass_choices.py`).

A disagreement is shrunk (commands, then branches and equations are left out while it stays) and written as a runnable
pair of files.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from tests.legality.agreement import Agreement, compare
from tests.strategies import mapped_calls, mapped_programs
from tests.strategies.mapped_programs import Sample
from tools.command_line import parser
from tools.differential.batch import Way
from tools.differential.campaign import Campaign, execute, pair
from tools.fuzz_tiles import overlapped_tiles, own_tiles

RULES = ("AZ501", "AZ502", "AZ503", "AZ504", "AZ601", "AZ602", "AZ603", "AZ604", "AZ605", "AZ701", "AZ702")
# So few cases need not meet every rule.
ENOUGH = 1000


@dataclass
class Shares:
    """Counts of the features and verdicts of samples."""

    kinds: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    proved: Counter[str] = field(default_factory=Counter)
    refuted: Counter[str] = field(default_factory=Counter)

    def add(self, agreement: Agreement) -> None:
        self.kinds[agreement.kind] += 1
        self.rules.update(agreement.codes)
        (self.proved if agreement.kind.startswith("proved") else self.refuted).update(agreement.features)

    def lines(self, cases: int) -> Iterator[str]:
        def share(name: str, count: int) -> str:
            return f"{name:>22} {count:7d}  {100 * count / max(cases, 1):5.1f} %"

        for kind in ("proved", "proved for tile sizes", "refuted", "undecided", "invalid", "failed"):
            yield share(kind, self.kinds[kind])
        for rule in RULES:
            yield share(f"refuted by {rule}", self.rules[rule])
        for name in sorted({*self.proved, *self.refuted}):
            yield f"{name:>22} {self.proved[name]:7d} proved, {self.refuted[name]} not"

    def missing(self, cases: int) -> list[str]:
        return [rule for rule in RULES if not self.rules[rule]] if cases >= ENOUGH else []


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    if options.executed:
        return _execute(options)
    shares, bad = Shares(), 0
    for case in range(options.cases):
        samples = drawn(options.seed, case)
        agreement = _compared(samples, options.largest)
        shares.add(agreement)
        if agreement.complaints:
            bad += 1
            _write(samples, case, options)
        if case % 1000 == 999:
            _say(f"{case + 1} cases, {bad} disagreements")
    missing = shares.missing(options.cases)
    _say(*shares.lines(options.cases), *(f"no mapping was refuted by {rule}" for rule in missing))
    _say(f"{options.cases} cases, {bad} disagreements")
    return 1 if bad or missing else 0


def drawn(seed: object, case: int) -> Sample:
    """The sample of this number."""
    random = Random(f"{seed}/{case}")
    if case % 8 == 1:
        return own_tiles(random, is_cuda=False) if random.random() < 0.8 else overlapped_tiles(random, is_cuda=False)
    return mapped_calls.sample(random) if case % 4 == 3 else mapped_programs.sample(random)


def _options(arguments: list[str]) -> argparse.Namespace:
    command = parser(
        "scripts/fuzz-verifier",
        "Compares the verifier with brute force on random programs and mappings, or executes what it proves.",
        "scripts/fuzz-verifier --cases 20000 --seed 1",
        "scripts/fuzz-verifier --executed 20000 --seed 1 --sanitized --jobs 16",
    )
    command.add_argument("--cases", type=int, default=1000, help="the number of programs (default: 1000)")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--largest", type=int, default=6, help="the largest N that is enumerated")
    command.add_argument("--executed", type=int, default=0, metavar="N", help="execute so many proved samples instead")
    command.add_argument("--sanitized", action="store_true", help="under sanitizers")
    command.add_argument("--strict", action="store_true", help="and accept no warning of the compiler")
    command.add_argument("--prove", action="store_true", help="and prove the C, which is to agree with executing it")
    command.add_argument("--every-pass", action="store_true", help="and each mapping by every choice of passes")
    command.add_argument("--jobs", type=int, default=1, help="with so many processes")
    command.add_argument("--seconds", type=float, help="and begin nothing after so many seconds")
    command.add_argument("--log", type=Path, help="append a line of JSON for each sample that is executed")
    command.add_argument("--only", type=int, metavar="BATCH", help="execute one batch of 24 samples alone")
    command.add_argument("--as-drawn", action="store_true", help="and do not shrink what disagrees")
    command.add_argument("-o", "--output", type=Path, default=Path(), help="where disagreements are written")
    return command.parse_args(arguments)


def _execute(options: argparse.Namespace) -> int:
    way = Way(options.sanitized, options.strict, options.prove, options.every_pass)
    shrink = None if options.as_drawn else _shrunk
    return execute(
        Campaign(
            options.seed,
            options.executed,
            way,
            options.output,
            options.jobs,
            options.seconds,
            options.log,
            shrink,
            options.only,
        )
    )


def _compared(sample: Sample, largest: int) -> Agreement:
    """An exception is a complaint like any other."""
    try:
        return compare(sample, largest)
    except Exception as error:
        return Agreement("failed", complaints=(f"{type(error).__name__}: {error}",))


def _shrunk(sample: Sample, complaint: Callable[[Sample], object]) -> Sample:
    """The same with less, of which there is still a complaint."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(sample):
            if complaint(candidate):
                sample, smaller = candidate, True
                break
    return sample


def _smaller(sample: Sample) -> Iterator[Sample]:
    for at in range(len(sample.steps)):
        yield replace(sample, steps=(*sample.steps[:at], *sample.steps[at + 1 :]))
    for at in range(len(sample.lines)):
        yield replace(sample, lines=(*sample.lines[:at], *sample.lines[at + 1 :]))
    lines = sample.program.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if " = " in line or line.lstrip().startswith("int "):
            yield replace(sample, program="".join([*lines[:at], *lines[at + 1 :]]))
    for part in (" + ", "; {|"):
        pieces = sample.program.split(part)
        for at in range(1, len(pieces)):
            end = pieces[at].find("; ") if part == "; {|" else min(_ends(pieces[at]))
            if end > 0:
                rest = [*pieces[: at - 1], pieces[at - 1] + pieces[at][end:], *pieces[at + 1 :]]
                yield replace(sample, program=part.join(rest))


def _ends(text: str) -> list[int]:
    """Returns the positions at which a summand may end."""
    return [at for at in (text.find(";"), text.find(" + "), text.find(")")) if at >= 0] or [0]


def _write(sample: Sample, case: int, options: argparse.Namespace) -> None:
    def complaints(candidate: Sample) -> tuple[str, ...]:
        return _compared(candidate, options.largest).complaints

    small = _shrunk(sample, complaints)
    script = pair(small, f"disagreement-{options.seed}-{case}", options.output)
    _say(f"case {case}: {'; '.join(complaints(small))}\n  alphaz verify {script}")


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
