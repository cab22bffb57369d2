"""Compares the data races of random CUDA executions with those by brute force: `python -m tools.compare_races 3000`.

The exit code is 1 if an execution finds another set of kinds of races than the paths between its steps give.
"""

import sys
from collections import Counter

from tests.run.cuda.happens_before import found_races, races, table
from tools.command_line import parser


def main(arguments: list[str]) -> int:
    command = parser(
        "python -m tools.compare_races", "Races of CUDA against brute force.", "python -m tools.compare_races 3000"
    )
    command.add_argument("count", nargs="?", type=int, default=3_000, help="the number of tables of steps (3000)")
    command.add_argument("--seed", type=int, default=1, help="the number of the first table (1)")
    chosen = command.parse_args(arguments)
    seen: Counter[str] = Counter()
    wrong = 0
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        expected = races(table(seed))
        seen["by order" if expected is None else " and ".join(sorted(expected)) or "none"] += 1
        result = None if expected is None else found_races(table(seed), seed)
        if result != expected:
            wrong += 1
            sys.stdout.write(f"table {seed}: {result} in the execution, {expected} by brute force\n")
    sys.stdout.write(f"{chosen.count} tables, {wrong} disagreements; races: {dict(seen)}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
