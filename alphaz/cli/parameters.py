"""Values of parameters on the command line: `-p N=20 -p N=33`, `-p N=20,M=3 -p M=5`.

Assignments are read from left to right. A repeated name begins the next set of values; a later set inherits missing
values from the set before it.
"""

import re
from collections.abc import Iterable, Iterator

import click

Parameters = dict[str, int]

_ASSIGNMENT = re.compile(r"\s*(\^?[A-Za-z_]\w*)\s*=\s*([+-]?\d{1,19})\s*")

HELP = (
    "Values of parameters. A name that is given again begins another run, which keeps the values that it does not "
    "change: `-p N=20 -p N=33` is two runs, `-p N=20 -p M=3` (or `-p N=20,M=3`) is one."
)


def parameter_sets(options: Iterable[str], name: str = "-p") -> list[Parameters]:
    """Returns the sets of values of the option of this name, at least one (possibly empty). Raises click.BadParameter
    for an invalid text.
    """
    sets: list[Parameters] = [{}]
    fresh: set[str] = set()
    for parameter, value in _assignments(options, name):
        if parameter in fresh:
            sets.append(dict(sets[-1]))
            fresh = set()
        fresh.add(parameter)
        sets[-1][parameter] = value
    return sets


def _assignments(options: Iterable[str], name: str) -> Iterator[tuple[str, int]]:
    for option in options:
        for text in option.split(","):
            found = _ASSIGNMENT.fullmatch(text)
            if found is None:
                raise click.BadParameter(f"`{text.strip()}` is not of the form NAME=INTEGER", param_hint=f"'{name}'")
            yield found[1].removeprefix("^"), int(found[2])
