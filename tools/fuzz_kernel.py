"""Gives the kernel changed proofs of sets that have a point, and compares its derived sets with verdicts:
`scripts/fuzz-kernel 10000`.

Each set is random, and its point is found by brute force. The proofs are those of the set with further rows, which has
no point, with one to three changes. kernel.c gets the same proofs, where there is a compiler. With `--mappings`, the
kernel derives the sets of random mappings (tiles of all and of given sizes, calls): those of the obligations that the
verifier proved must be empty, the others not. The exit code is 1 if a changed proof is accepted, if the two kernels
disagree, or if a derived set disagrees with a verdict.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from alphaz.diagnostics import Rejected
from alphaz.kernel.checker import NotConfirmed
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verdicts import Options
from alphaz.legality.verify import verify
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel import small_sets
from tests.kernel.derived_sets import disagreements
from tests.kernel.kernel_in_c import compiled, refused
from tests.kernel.random_sets import mutated, narrowed, points, random_set
from tests.kernel.small_sets import SmallSet, is_confirmed
from tests.legality.agreement import design_of
from tests.strategies import mapped_calls, mapped_programs
from tools.command_line import parser

# Changed proofs of one set, and sets in one certificate for kernel.c.
_CHANGES, _TOGETHER = 20, 50

Changed = tuple[SmallSet, list[Any]]


def main(arguments: list[str]) -> int:
    command = parser("scripts/fuzz-kernel", "Changed proofs of sets that have a point.", "scripts/fuzz-kernel 10000")
    command.add_argument("count", nargs="?", type=int, default=10_000, help="the number of changed proofs (10000)")
    command.add_argument("--mappings", type=int, default=0, help="the number of random mappings (0)")
    command.add_argument("--seed", type=int, default=1, help="the start of the random numbers (1)")
    chosen = command.parse_args(arguments)
    mistakes = _of_proofs(chosen.seed, chosen.count) + _of_mappings(chosen.seed, chosen.mappings)
    return 1 if mistakes else 0


def _of_proofs(seed: int, count: int) -> int:
    """Returns the number of changed proofs that a kernel accepts, or about which the two kernels disagree."""
    tried = accepted = by_c = 0
    with TemporaryDirectory() as folder:
        kernel = compiled(Path(folder))
        stream = islice(changed_proofs(Random(seed)), count)
        while batch := list(islice(stream, _CHANGES * _TOGETHER)):
            tried += len(batch)
            wrong = [pair for pair in batch if _is_accepted(*pair)]
            accepted += len(wrong)
            sys.stdout.writelines(f"accepted: {item} {steps}\n" for item, steps in wrong)
            by_c += 0 if kernel is None else _accepted_by_c(kernel, Path(folder), batch)
    of_c = "there is no compiler for kernel.c" if kernel is None else f"kernel.c accepts {by_c}"
    sys.stdout.write(f"{tried} changed proofs, {accepted} accepted; {of_c}\n")
    return accepted + by_c


def changed_proofs(random: Random) -> Iterator[Changed]:
    """Yields sets that have a point, each with a changed proof of a smaller set."""
    while True:
        small_set = random_set(random)
        if next(points(small_set), None) is None:
            continue
        try:
            steps = proof_of(narrowed(random, small_set).goal)
        except NotRefuted:
            continue
        for _ in range(_CHANGES):
            yield small_set, mutated(random, steps)


def _is_accepted(small_set: SmallSet, steps: list[Any]) -> bool:
    try:
        is_confirmed(small_set, steps)
    except NotConfirmed:
        return False
    return True


def _accepted_by_c(kernel: Path, folder: Path, batch: list[Changed]) -> int:
    """Returns the number of proofs that kernel.c accepts, of those without floats, which make a document unreadable."""
    plain = [(item, steps) for item, steps in batch if "." not in str(steps)]
    certificate = small_sets.certificate(**{f"s{number}": item for number, (item, _) in enumerate(plain)})
    not_confirmed, last = refused(kernel, folder, certificate, small_sets.proofs(certificate, *(s for _, s in plain)))
    assert last.endswith(f" of {len(plain)} sets are empty"), last
    return len(plain) - len(not_confirmed)


def _of_mappings(seed: int, count: int) -> int:
    """Returns the number of obligations whose derived set disagrees with the verdict."""
    mistakes = judged = 0
    for number in range(count):
        sample = (mapped_calls if number % 3 == 0 else mapped_programs).sample(Random(seed + number))
        try:
            report = verify(design_of(sample), [sample.system], Options(exact_tiles=number % 2 == 0)).systems[0]
        except Rejected:
            continue
        if report.mapping is None:
            continue
        judged += 1
        for entry, is_empty in disagreements(record("script.cs", report)):
            mistakes += 1
            sys.stdout.write(f"{sample.script('program.ab')}{entry['claim']}: {entry['verdict']}, empty: {is_empty}\n")
    if count:
        sys.stdout.write(f"{judged} mappings, {mistakes} obligations whose derived set disagrees with the verdict\n")
    return mistakes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
