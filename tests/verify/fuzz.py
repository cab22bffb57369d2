"""`scripts/fuzz-verifier --cases N --seed S [--largest 6] [-o DIR]`: the verifier against brute force, for long.

With `--executed N` so many proved samples are executed instead.

Prints the share of each verdict and of each rule. A disagreement is shrunk (commands, then branches and equations are
left out while it stays) and written as a runnable pair of files.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.differential.proved_mappings import disagreements, proved_cases
from tests.strategies.mapped_programs import Sample, sample
from tests.verify.agreement import Agreement, compare


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    if options.executed:
        return _execute(options)
    counts: Counter[str] = Counter()
    bad = 0
    for case in range(options.cases):
        found = sample(Random(f"{options.seed}/{case}"))
        agreement = _compared(found, options.largest)
        counts[agreement.kind] += 1
        counts.update(agreement.codes)
        if agreement.complaints:
            bad += 1
            _write(_shrunk(found, options.largest), case, options)
        if case % 1000 == 999:
            _say(f"{case + 1} cases, {bad} disagreements")
    _summary(counts, options.cases, bad)
    return 1 if bad else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz-verifier", description="The verifier against brute force.")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--largest", type=int, default=5, help="the largest N that is enumerated")
    parser.add_argument("--executed", type=int, default=0, metavar="N", help="execute so many proved samples instead")
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="where disagreements are written")
    return parser.parse_args(arguments)


def _execute(options: argparse.Namespace) -> int:
    """Proved samples, 40 compiled at a time."""
    done = bad = 0
    while done < options.executed:
        cases = list(proved_cases(f"{options.seed}/{done}", samples=400, most=min(40, options.executed - done)))
        found = disagreements(cases, options.seed)
        _say(*found)
        done, bad = done + len(cases), bad + len(found)
        _say(f"{done} proved samples executed, {bad} disagreements")
    return 1 if bad else 0


def _compared(found: Sample, largest: int) -> Agreement:
    """An exception is a complaint like any other."""
    try:
        return compare(found, largest)
    except Exception as error:
        return Agreement("failed", complaints=(f"{type(error).__name__}: {error}",))


def _shrunk(found: Sample, largest: int) -> Sample:
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(found):
            if _compared(candidate, largest).complaints:
                found, smaller = candidate, True
                break
    return found


def _smaller(found: Sample) -> Iterator[Sample]:
    for at in range(len(found.steps)):
        yield replace(found, steps=(*found.steps[:at], *found.steps[at + 1 :]))
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
    program, script = (options.output / f"disagreement-{options.seed}-{case}.{end}" for end in ("ab", "cs"))
    options.output.mkdir(parents=True, exist_ok=True)
    program.write_text(found.program, encoding="utf-8")
    script.write_text(found.script(program.name), encoding="utf-8")
    _say(f"case {case}: {'; '.join(_compared(found, options.largest).complaints)}\n  {script}")


def _summary(counts: Counter[str], cases: int, bad: int) -> None:
    for name in sorted(counts):
        _say(f"{name:>10} {counts[name]:7d}  {100 * counts[name] / max(cases, 1):5.1f} %")
    _say(f"{cases} cases, {bad} disagreements")


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
