"""Loops over the points of a domain, and tests of membership, as Python text.

Only the constraints of the pieces are used. Loops run in lexicographic order (or, dimension by dimension, backwards),
over each point once, though the pieces of a union may overlap.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from alphaz.poly import Affine, Constraint, Piece


class Text:
    """Lines of Python with their indentation, and names that are used once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0
        self._names = 0

    def line(self, text: str) -> None:
        self.lines.append(" " * self._depth + text)

    def fresh(self, stem: str = "t") -> str:
        self._names += 1
        return f"{stem}{self._names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """What is written inside stands under `head`, indented."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1
        if self.lines[-1] == " " * self._depth + head:
            self.lines[-1] += " pass"

    @contextmanager
    def inside(self, depth: int) -> Iterator[None]:
        """What is written inside is indented `depth` further."""
        self._depth += depth
        yield
        self._depth -= depth

    def __str__(self) -> str:
        return "\n".join(self.lines)


def affine_text(affine: Affine, texts: Mapping[str, str] | None = None) -> str:
    """The expression over Python names; `texts` replaces some of them."""
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


def substituted(piece: Piece, values: Mapping[str, Affine]) -> Piece:
    """The piece over other names; its floors keep theirs."""
    floors = tuple(type(f)(f.name, f.affine.substitute(values), f.denominator) for f in piece.floors)
    return Piece(tuple(c.substitute(values) for c in piece.constraints), floors)


def holds_text(pieces: Iterable[Piece]) -> str:
    """A condition that is true in the union of the pieces."""
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


def open_loops(
    text: Text,
    pieces: Sequence[Piece],
    names: Sequence[str],
    bounds: Sequence[tuple[int, int]],
    backwards: Sequence[bool],
) -> int:
    """Writes the heads of the loops that bind `names`; returns how much deeper the body is to be indented.

    `bounds` are constant bounds of each dimension, which are used where the constraints give none.
    """
    if not pieces:
        text.line("if False:")
        return 1
    depth = 0
    whole = len(pieces) == 1 and not pieces[0].floors
    if whole:
        depth += _guard(text, depth, [c for c in pieces[0].constraints if not _uses(c, names)])
    for at, name in enumerate(names):
        levels = [[c for c in piece.constraints if _level(c, names) == at] for piece in pieces]
        limits = [_limits(level, name, bounds[at]) for level in levels]
        with text.inside(depth):
            text.line(_head(name, limits, backwards[at]))
        depth += 1
    if not whole:
        with text.inside(depth):
            text.line(f"if {holds_text(pieces)}:")
        depth += 1
    return depth


def _guard(text: Text, depth: int, constraints: list[Constraint]) -> int:
    test = _piece_text(Piece(tuple(constraints)))
    if test == "True":
        return 0
    with text.inside(depth):
        text.line(f"if {test}:")
    return 1


def _uses(constraint: Constraint, names: Sequence[str]) -> bool:
    return any(name in names for name in constraint.affine.names)


def _level(constraint: Constraint, names: Sequence[str]) -> int:
    """The last of `names` that it constrains; -1 for none, and for floors, which are tested in the innermost loop."""
    if any(name.startswith("floor.") for name in constraint.affine.names):
        return -1
    return max((at for at, name in enumerate(names) if constraint.affine.coefficient(name)), default=-1)


def _limits(constraints: list[Constraint], name: str, bounds: tuple[int, int]) -> tuple[str, str]:
    """The least and the greatest value that the constraints leave."""
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
