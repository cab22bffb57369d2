"""Loops over the points of a domain, and tests of membership, as Python text.

Only the constraints of the pieces are used. Loops run in lexicographic order (or, dimension by dimension, backwards),
over each point once, though the pieces of a union may overlap.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count

from alphaz.poly import Affine, Constraint, Piece

# Python compiles at most 20 loops in each other, and reads at most 100 levels of indentation.
_LOOPS = 8
_LEVELS = 40


class ScanText:
    """Lines of Python with their indentation, and unique names. `parts` are separate functions for text that would nest
    too deep in the current one."""

    def __init__(self, around: "ScanText | None" = None) -> None:
        self.lines: list[str] = []
        self.parts: list[ScanText] = [] if around is None else around.parts
        self._depth = 0
        self._loops = 0
        self._names: Iterator[int] = count(1) if around is None else around._names

    def line(self, text: str) -> None:
        self.lines.append(" " * self._depth + text)

    def fresh(self, stem: str = "t") -> str:
        return f"{stem}{next(self._names)}"

    def part(self) -> "ScanText":
        """Returns the text of another function."""
        self.parts.append(ScanText(self))
        return self.parts[-1]

    def flush(self) -> None:
        """Writes the other functions here."""
        for part in self.parts:
            for line in part.lines:
                self.line(line)
        self.parts.clear()

    def is_deep(self, loops: int) -> bool:
        """Returns True if `loops` further loops require another function."""
        return self._depth >= _LEVELS or (self._loops > 0 and self._loops + loops > _LOOPS)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Indents the lines written inside under `head`."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1
        if self.lines[-1] == " " * self._depth + head:
            self.lines[-1] += " pass"

    @contextmanager
    def inside(self, heads: Sequence[str]) -> Iterator[None]:
        """Indents the lines written inside under these nested heads."""
        for head in heads:
            self.line(head)
            self._depth += 1
        loops = sum(head.startswith("for ") for head in heads)
        self._loops += loops
        yield
        self._loops -= loops
        self._depth -= len(heads)

    def __str__(self) -> str:
        return "\n".join(self.lines)


def affine_text(affine: Affine, texts: Mapping[str, str] | None = None) -> str:
    """Returns the expression over Python names; `texts` replaces some of them."""
    known = texts or {}
    parts = [_term(known.get(name, name), coefficient) for name, coefficient in affine.terms]
    if affine.constant or not parts:
        parts.append(f"{affine.constant:+d}")
    joined = " ".join(parts).removeprefix("+")
    return joined if len(parts) == 1 and affine.terms == () else f"({joined})"


def _term(name: str, coefficient: int) -> str:
    if abs(coefficient) == 1:
        return f"{'+' if coefficient > 0 else '-'}{name}"
    return f"{coefficient:+d}*{name}"


def substitute_piece(piece: Piece, values: Mapping[str, Affine]) -> Piece:
    """Returns the piece over other names; its floors keep theirs."""
    floors = tuple(type(f)(f.name, f.affine.substitute(values), f.denominator) for f in piece.floors)
    return Piece(tuple(c.substitute(values) for c in piece.constraints), floors)


def holds_text(pieces: Iterable[Piece]) -> str:
    """Returns a condition that is true in the union of the pieces."""
    return " or ".join(f"({_piece_text(piece)})" for piece in pieces) or "False"


def _piece_text(piece: Piece) -> str:
    floors: dict[str, str] = {}
    for floor in piece.floors:
        floors[floor.name] = f"({affine_text(floor.affine, floors)} // {floor.denominator})"
    tests = []
    for constraint in piece.constraints:
        if not constraint.affine.is_constant:
            tests.append(f"{affine_text(constraint.affine, floors)} {'==' if constraint.equality else '>='} 0")
        elif not constraint.holds({}):
            return "False"
    return " and ".join(tests) or "True"


def loops(
    text: ScanText,
    pieces: Sequence[Piece],
    names: Sequence[str],
    bounds: Sequence[tuple[int, int]],
    backwards: Sequence[bool],
) -> list[str]:
    """Returns the heads of the loops that bind `names`, and of the tests of their points.

    `bounds` are constant bounds of each dimension, used if the constraints have none. Many names are bound in groups,
    by functions that list them."""
    if not pieces:
        return ["if False:"]
    whole = len(pieces) == 1 and not pieces[0].floors
    before = _guard([c for c in pieces[0].constraints if not _uses(c, names)]) if whole else []
    heads = []
    for position, name in enumerate(names):
        levels = [[c for c in piece.constraints if _level(c, names) == position] for piece in pieces]
        limits = [_limits(level, name, bounds[position]) for level in levels]
        heads.append(_head(name, limits, backwards[position]))
    if len(names) > _LOOPS:
        free = sorted({n for piece in pieces for c in piece.constraints for n in c.affine.names} - {*names})
        heads = [
            _listed(
                text,
                heads[position : position + _LOOPS],
                names[position : position + _LOOPS],
                [*free, *names[:position]],
            )
            for position in range(0, len(names), _LOOPS)
        ]
    return [*before, *heads, *([] if whole else [f"if {holds_text(pieces)}:"])]


def _listed(text: ScanText, heads: Sequence[str], names: Sequence[str], free: Sequence[str]) -> str:
    """The head of one loop over several names, which a separate function lists."""
    function, part = text.fresh("points"), text.part()
    point = f"({', '.join(names)},)"
    known = ", ".join(name for name in free if not name.startswith("floor."))
    with part.inside([f"def {function}({known}):", *heads]):
        part.line(f"yield {point}")
    return f"for {point} in {function}({known}):"


def _guard(constraints: list[Constraint]) -> list[str]:
    test = _piece_text(Piece(tuple(constraints)))
    return [] if test == "True" else [f"if {test}:"]


def _uses(constraint: Constraint, names: Sequence[str]) -> bool:
    return any(name in names for name in constraint.affine.names)


def _level(constraint: Constraint, names: Sequence[str]) -> int:
    """The last of `names` that it constrains; -1 for none, and for floors, which are tested in the innermost loop."""
    if any(name.startswith("floor.") for name in constraint.affine.names):
        return -1
    return max((position for position, name in enumerate(names) if constraint.affine.coefficient(name)), default=-1)


def _limits(constraints: list[Constraint], name: str, bounds: tuple[int, int]) -> tuple[str, str]:
    """The least and the greatest value under the constraints."""
    lower, upper = [], []
    for constraint in constraints:
        factor = constraint.affine.coefficient(name)
        rest = constraint.affine - Affine.name(name) * factor
        if constraint.equality or factor > 0:
            lower.append(_ceiling(rest if factor > 0 else -rest, abs(factor)))
        if constraint.equality or factor < 0:
            upper.append(_floor(-rest if factor > 0 else rest, abs(factor)))
    return _most("max", lower or [str(bounds[0])]), _most("min", upper or [str(bounds[1])])


def _ceiling(rest: Affine, factor: int) -> str:
    """The least x with `factor*x + rest >= 0`."""
    return affine_text(-rest) if factor == 1 else f"(-({affine_text(rest)} // {factor}))"


def _floor(rest: Affine, factor: int) -> str:
    """The greatest x with `factor*x <= rest`."""
    return affine_text(rest) if factor == 1 else f"({affine_text(rest)} // {factor})"


def _most(function: str, texts: list[str]) -> str:
    different = list(dict.fromkeys(texts))
    return different[0] if len(different) == 1 else f"{function}({', '.join(different)})"


def _head(name: str, limits: list[tuple[str, str]], backwards: bool) -> str:
    low = _most("min", [low for low, _ in limits])
    high = _most("max", [high for _, high in limits])
    if low == high:
        return f"for {name} in ({low},):"
    if backwards:
        return f"for {name} in range({high}, {low} - 1, -1):"
    return f"for {name} in range({low}, {high} + 1):"
