"""The texts of generated comments."""

from collections.abc import Iterable, Iterator, Sequence

from alphaz.analysis.texts.show import expression_text as shown
from alphaz.c import tree as c
from alphaz.c.printer import expression_text
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.integers import flat_index, integer
from alphaz.diagnostics import NOWHERE
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.mapping.storage_formats import index
from alphaz.model.expression import Expression, Reduce
from alphaz.model.program import Equation, Program, System, Variable
from alphaz.model.walk import walk, without_restricts
from alphaz.poly import Affine
from alphaz.poly.algorithms.congruence import set_text
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant

# About two lines.
_WIDTH = 160
_FORMATS = " Those with a storage format lie as it says."


def line_of(left: str, sign: str, expression: Expression, indices: tuple[str, ...]) -> str:
    """Returns `M[i,j] = SR_M[i,j,j-1]`, truncated where it is long; the surrounding loops show the points.

    The text is the program's, unless a transformation has changed the expression.
    """
    expression = without_restricts(expression)
    right = " ".join(shown(expression, indices).split())
    if expression.span != NOWHERE and _letters(expression.span.text) == _letters(right):
        right = " ".join(expression.span.text.split())
    text = f"{left} {sign} {right}"
    if len(text) <= _WIDTH:
        return text
    words, _, rest = text[: _WIDTH - 3].rpartition(" ")
    return f"{words or rest[:-1]} ..."


def _letters(text: str) -> str:
    """Returns a text without its layout, for comparison."""
    return "".join(sign for sign in text if not sign.isspace() and sign not in "()")


def variables_text(variables: Iterable[Variable], arrays: Sequence[FlatArray]) -> str:
    """Returns one line for each variable of the interface: its domain, its extents and its origin."""
    lines = []
    for variable, array in zip(variables, arrays, strict=True):
        lines.append(
            f"  {array.name:<12} {variable.kind} {variable.name} {variable.domain}, "
            f"{shape_text(array, variable.domain.space.names)}"
        )
    return "\n".join(lines)


def shape_text(array: FlatArray, names: Sequence[str] = ()) -> str:
    """Returns `float[N][M] from (1, 1)`; the indices of a point have these names."""
    if not array.extents:
        return f"{array.type.c_name}, one value"
    named = {d.name: d.value for d in array.constants}

    def text_of(value: Integer) -> str:
        code = integer(value)
        text = expression_text(code)
        known = named.get(text)
        return text if known is None else expression_text(known)

    extents = "".join(f"[{text_of(e)}]" for e in array.extents)
    if array.layout is not None:
        return f"{array.type.c_name}{extents}, {array.layout.format}: {_position(array, names)}"
    if all(low == IntegerConstant(0) for low in array.lower):
        return f"{array.type.c_name}{extents}"
    return f"{array.type.c_name}{extents} from ({', '.join(text_of(low) for low in array.lower)})"


def _position(array: FlatArray, names: Sequence[str]) -> str:
    """Returns `(i,j) is element i*n + j`."""
    assert array.layout is not None
    names = names or tuple(f"z{at}" for at in sorted(array.layout.order))
    values = {index(position): Affine.name(name) for position, name in enumerate(names)}
    components = array.layout.replaced(values).places
    return f"({','.join(names)}) is element {expression_text(flat_index(components, array.extents))}"


def promises(program: Program, systems: Iterable[System]) -> list[str]:
    """Returns the laws that the program declares for the functions of its reductions."""
    used = {
        node.operator
        for system in systems
        for equation in system.equations
        for expression in ((equation.expression,) if isinstance(equation, Equation) else equation.inputs)
        for node in walk(expression)
        if isinstance(node, Reduce)
    }
    return [
        f"The program promises that {e.name} is associative and commutative, with the identity {e.identity}."
        for e in program.externals
        if e.name in used
    ]


def begins_with_zero(statements: Sequence[c.Statement]) -> bool:
    """Returns True if some statement computes `0 + x`, which looks redundant."""
    zero = c.ZERO
    return any(isinstance(e, c.Binary) and (e.operator, e.left) == ("+", zero) for e in c.expressions_in(statements))


def _sizes_text(sizes: Sequence[TileSize]) -> tuple[str, ...]:
    if not sizes:
        return ()
    return ("Tile sizes: " + ", ".join(f"{size.name} (such as {size.default})" for size in sizes) + ".",)


def _overwritten_lines(overwritten: Sequence[str], in_place: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yields the lines for callers about overwritten inputs."""
    if overwritten:
        yield f"Overwritten, what they hold after the call means nothing: {', '.join(overwritten)}."
    for one, other in in_place:
        yield f"{other} may be the array {one} itself: in place, {one} before the call and {other} after it."


def usage(
    system: System,
    name: str,
    arrays: Sequence[FlatArray],
    sizes: Sequence[TileSize] = (),
    overwritten: Sequence[str] = (),
    in_place: Sequence[tuple[str, str]] = (),
) -> str:
    """Returns the comment above the interface of a generated system; inputs that are `overwritten` hold no values after
    it, of pairs `in_place` both may be one array.
    """
    interface = (*system.inputs, *system.outputs)
    parameters = ", ".join(system.parameters) or "none"
    formats = _FORMATS * any(array.layout is not None for array in arrays)
    lines = [
        f"System {system.name}. Parameters: {parameters}, with {set_text(system.context)}.",
        *_sizes_text(sizes),
        "",
        "Arrays are flat and row-major over the bounding box of their variable's domain; the element of the point",
        f"z is that of z minus the origin.{formats} They must not overlap.",
        variables_text(interface, arrays),
        *_overwritten_lines(overwritten, in_place),
        "",
        f"{name}_status returns 0, or 1: the parameters are not valid, 2: a size is too large, 3: out of memory,",
        "4: a value depends on itself, 5: an integer is divided by zero, 6: a float does not fit into an integer type,",
        f"7: calls of systems nest too deeply{', 8: a tile size is not positive' if sizes else ''}.",
        f"{name} does the same and reports a failure on stderr.",
    ]
    return "\n".join(line.rstrip() for line in lines)
