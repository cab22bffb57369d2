"""Scheduling constraints stated by the user, and the dependences in conflict with them."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from alphaz.diagnostics.message_words import listing
from alphaz.poly import Affine
from alphaz.poly.scheduling.band_schedules import DependenceEdge, NoSchedule


class Conflict(NoSchedule):
    """The constraints are infeasible with these edges; without any one of the edges they are feasible."""

    def __init__(self, constraint_text: str, edges: tuple[DependenceEdge, ...]) -> None:
        between = ", ".join(dict.fromkeys(f"{edge.source} -> {edge.target}" for edge in edges))
        super().__init__(f"{constraint_text} is in conflict with {between or 'the other rows'}")
        self.asked = constraint_text
        self.edges = edges


@dataclass(frozen=True, slots=True)
class Steering:
    """Scheduling constraints. `given[S]` are the outermost rows of a statement. `parallel`: a statement and a row of it
    (from 0, outermost) that must be parallel; `fused`: two statements and the number of loops that they share;
    `apart`: two that share none."""

    fixed_rows: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)
    parallel: tuple[tuple[str, int], ...] = ()
    fused: tuple[tuple[str, str, int], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    def gives(self, names: Collection[str], level: int) -> bool:
        """Returns True if the row at this level is given for some of these statements."""
        return any(level < len(self.fixed_rows.get(name, ())) for name in names)

    def constraint_text(self, names: Collection[str], level: int) -> str:
        """Returns the constraints on these statements at this level in words; empty if there are none."""
        return " and ".join(self._words(names, level))

    def _words(self, names: Collection[str], level: int) -> Iterator[str]:
        for name in names:
            if level < len(self.fixed_rows.get(name, ())):
                yield f"the row {self.fixed_rows[name][level]} of {name}"
        for name, row in self.parallel:
            if name in names and row == level:
                yield f"parallel {name} {row}"
        for one, two, depth in self.fused:
            if one in names and two in names and level < depth:
                yield f"fuse {one}, {two} {depth}"

    def keeps_apart(self, one: Collection[str], two: Collection[str]) -> tuple[str, str] | None:
        """Returns a pair, one of each group, that must not share loops."""
        for a, b in self.apart:
            if (a in one and b in two) or (b in one and a in two):
                return a, b
        return None

    def joins(self, names: Collection[str], level: int) -> Iterator[tuple[str, str]]:
        """Yields the pairs that share their loops at this level."""
        for one, two, depth in self.fused:
            if one in names and two in names and level < depth:
                yield one, two


NOTHING = Steering()
_CONSTRAINT = re.compile(
    r"\s*(?:(?P<parallel>parallel)\s+(?P<name>[\w.-]+)\s+(?P<row>\d+)"
    r"|(?P<fuse>fuse)\s+(?P<one>[\w.-]+)\s*,\s*(?P<two>[\w.-]+)\s+(?P<depth>\d+)"
    r"|(?P<separate>separate)\s+(?P<this>[\w.-]+)\s*,\s*(?P<that>[\w.-]+))\s*$"
)
EXPECTED = "parallel X 1; fuse X, Y 2; separate X, Z"


class Misread(ValueError):
    """A constraint that cannot be parsed; `constraint` is its text."""

    def __init__(self, constraint: str, why: str) -> None:
        super().__init__(why)
        self.constraint = constraint


def read_steering(text: str, statements: Collection[str]) -> Steering:
    """Parses constraints separated by `;`, as in `parallel X 1; fuse X, Y 2; separate X, Z`. Raises Misread."""
    parallel: list[tuple[str, int]] = []
    fused: list[tuple[str, str, int]] = []
    apart: list[tuple[str, str]] = []
    for constraint in filter(str.strip, text.split(";")):
        match = _CONSTRAINT.match(constraint)
        if match is None:
            raise Misread(constraint.strip(), f"`{constraint.strip()}` is not a constraint, such as {EXPECTED}")
        names = [match[group] for group in ("name", "one", "two", "this", "that") if match[group]]
        for name in names:
            if name not in statements:
                raise Misread(
                    constraint.strip(), f"there is no statement {name} to be scheduled; there are {listing(statements)}"
                )
        if match["parallel"]:
            parallel.append((match["name"], int(match["row"])))
        elif match["fuse"]:
            fused.append((match["one"], match["two"], int(match["depth"])))
        else:
            apart.append((match["this"], match["that"]))
    return Steering({}, tuple(parallel), tuple(fused), tuple(apart))
