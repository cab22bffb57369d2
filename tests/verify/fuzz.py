"""`scripts/fuzz-verifier --cases N --seed S [--largest 6] [-o DIR]`: the verifier against brute force, for long.

Prints the share of each verdict, of each rule that refutes, and of what the mappings have; a rule that never refuted is
a failure. Every fourth program has use equations.

With `--executed N` so many proved samples are executed instead; `--sanitized` does that under AddressSanitizer and
UndefinedBehaviorSanitizer, `--strict` takes a warning of the compiler for a disagreement. What dies, does not end, or
is not generated is one as well.

A disagreement is shrunk (commands, then branches and equations are left out while it stays) and written as a runnable
pair of files.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from random import Random

from tests.differential.execution import STRICT, Disagreement, Way, disagreements, sanitized
from tests.differential.proved_mappings import Proved, proved, proved_sample
from tests.strategies import mapped_calls, mapped_programs
from tests.strategies.dressing import HEADER
from tests.strategies.mapped_programs import Sample
from tests.verify.agreement import Agreement, compare

RULES = ("AZ501", "AZ502", "AZ503", "AZ601", "AZ602", "AZ603", "AZ604", "AZ701", "AZ702")
# So few cases need not meet every rule.
ENOUGH = 1000
# So many changes are tried of each sample that is executed.
CHANGES = 8


@dataclass
class Shares:
    """How often what was met."""

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
        found = drawn(options.seed, case)
        agreement = _compared(found, options.largest)
        shares.add(agreement)
        if agreement.complaints:
            bad += 1
            _write(found, case, options)
        if case % 1000 == 999:
            _say(f"{case + 1} cases, {bad} disagreements")
    missing = shares.missing(options.cases)
    _say(*shares.lines(options.cases), *(f"no mapping was refuted by {rule}" for rule in missing))
    _say(f"{options.cases} cases, {bad} disagreements")
    return 1 if bad or missing else 0


def drawn(seed: object, case: int) -> Sample:
    """The sample of this number."""
    random = Random(f"{seed}/{case}")
    return mapped_calls.sample(random) if case % 4 == 3 else mapped_programs.sample(random)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz-verifier", description="The verifier against brute force.")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--largest", type=int, default=6, help="the largest N that is enumerated")
    parser.add_argument("--executed", type=int, default=0, metavar="N", help="execute so many proved samples instead")
    parser.add_argument("--sanitized", action="store_true", help="execute them under sanitizers")
    parser.add_argument("--strict", action="store_true", help="and accept no warning of the compiler")
    parser.add_argument("--as-drawn", action="store_true", help="and do not shrink what disagrees")
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="where disagreements are written")
    return parser.parse_args(arguments)


def _execute(options: argparse.Namespace) -> int:
    """Proved samples, 40 compiled at a time."""
    way = sanitized() if options.sanitized else Way()
    way = way.with_flags(*STRICT) if options.strict else way
    waiting, kinds = proved_samples(options.seed), Counter[str]()
    done = bad = 0
    while done < options.executed:
        cases = list(islice(waiting, min(40, options.executed - done)))
        kinds.update(feature for case in cases for feature in case.features)
        for wrong in disagreements(cases, options.seed, way):
            bad += 1
            _write_executed(wrong, bad, options, way)
        done += len(cases)
        _say(f"{done} proved samples executed, {bad} disagreements")
    _say(*(f"{name:>22} {count:7d}" for name, count in sorted(kinds.items())))
    return 1 if bad else 0


def proved_samples(seed: object, changes: int = CHANGES) -> Iterator[Proved]:
    """Without an end; 40 that follow each other have different names."""
    proved_so_far = 0
    for at in count():
        case = proved_sample(f"S{proved_so_far % 40}", Random(f"{seed}/{at}"), changes)
        if case is not None:
            proved_so_far += 1
            yield case


def _write_executed(wrong: Disagreement, number: int, options: argparse.Namespace, way: Way) -> None:
    def complaint(candidate: Sample) -> str | None:
        case = proved(candidate, wrong.case.plain)
        return next((each.said for each in disagreements([case], options.seed, way)), None) if case else None

    _say(f"{wrong.case.name}: {wrong.said}")
    small = wrong.case.sample if options.as_drawn else _shrunk(wrong.case.sample, complaint)
    script = _files(small, f"executed-{options.seed}-{number}", options.output)
    plain = " --plain" if wrong.case.plain else ""
    _say(f"  alphaz test{plain} --seed {options.seed} {script}")


def _compared(found: Sample, largest: int) -> Agreement:
    """An exception is a complaint like any other."""
    try:
        return compare(found, largest)
    except Exception as error:
        return Agreement("failed", complaints=(f"{type(error).__name__}: {error}",))


def _shrunk(found: Sample, complaint: Callable[[Sample], object]) -> Sample:
    """The same with less, of which there is still a complaint."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(found):
            if complaint(candidate):
                found, smaller = candidate, True
                break
    return found


def _smaller(found: Sample) -> Iterator[Sample]:
    for at in range(len(found.steps)):
        yield replace(found, steps=(*found.steps[:at], *found.steps[at + 1 :]))
    for at in range(len(found.lines)):
        yield replace(found, lines=(*found.lines[:at], *found.lines[at + 1 :]))
    lines = found.program.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if " = " in line or line.lstrip().startswith("int "):
            yield replace(found, program="".join([*lines[:at], *lines[at + 1 :]]))
    for part in (" + ", "; {|"):
        pieces = found.program.split(part)
        for at in range(1, len(pieces)):
            end = pieces[at].find("; ") if part == "; {|" else min(_ends(pieces[at]))
            if end > 0:
                kept = [*pieces[: at - 1], pieces[at - 1] + pieces[at][end:], *pieces[at + 1 :]]
                yield replace(found, program=part.join(kept))


def _ends(text: str) -> list[int]:
    """Where a summand may end."""
    return [at for at in (text.find(";"), text.find(" + "), text.find(")")) if at >= 0] or [0]


def _write(found: Sample, case: int, options: argparse.Namespace) -> None:
    def complaints(candidate: Sample) -> tuple[str, ...]:
        return _compared(candidate, options.largest).complaints

    small = _shrunk(found, complaints)
    script = _files(small, f"disagreement-{options.seed}-{case}", options.output)
    _say(f"case {case}: {'; '.join(complaints(small))}\n  alphaz verify {script}")


def _files(found: Sample, stem: str, folder: Path) -> Path:
    """The script of a pair, which is written."""
    folder.mkdir(parents=True, exist_ok=True)
    program, script = (folder / f"{stem}.{end}" for end in ("ab", "cs"))
    program.write_text(found.program, encoding="utf-8")
    script.write_text(found.script(program.name), encoding="utf-8")
    if "//@ identity" in found.program:
        (folder / "external_functions.h").write_text(HEADER, encoding="utf-8")
    return script


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
