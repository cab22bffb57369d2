"""Gives the kernel changed proofs of sets that have a point: `scripts/fuzz-kernel 10000`.

Each set is random, and its point is found by brute force. The proofs are those of the set with further rows, which has
no point, with one to three changes. The exit code is 1 if one is accepted.
"""

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from alphaz.kernel.checker import NotConfirmed
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel.random_sets import mutated, narrowed, points, random_set
from tests.kernel.small_sets import SmallSet, is_confirmed
from tools.command_line import parser

# Changed proofs of one set.
_CHANGES = 20


def main(arguments: list[str]) -> int:
    command = parser("scripts/fuzz-kernel", "Changed proofs of sets that have a point.", "scripts/fuzz-kernel 10000")
    command.add_argument("count", nargs="?", type=int, default=10_000, help="the number of changed proofs (10000)")
    command.add_argument("--seed", type=int, default=1, help="the start of the random numbers (1)")
    chosen = command.parse_args(arguments)
    random = Random(chosen.seed)
    tried = accepted = 0
    for given, steps in proofs(random):
        for _ in range(_CHANGES):
            changed = mutated(random, steps)
            tried += 1
            if _is_accepted(given, changed):
                accepted += 1
                sys.stdout.write(f"accepted: {given} {changed}\n")
        if tried >= chosen.count:
            sys.stdout.write(f"{tried} changed proofs, {accepted} accepted\n")
            return 1 if accepted else 0
    return 0


def proofs(random: Random) -> Iterator[tuple[SmallSet, list[Any]]]:
    """Yields sets that have a point, each with a proof of a smaller set."""
    while True:
        given = random_set(random)
        if next(points(given), None) is not None:
            try:
                yield given, proof_of(narrowed(random, given).goal)
            except NotRefuted:
                continue


def _is_accepted(given: SmallSet, steps: list[Any]) -> bool:
    try:
        is_confirmed(given, steps)
    except NotConfirmed:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
