"""Bindings of the indices of a point in C, at the place that the loops have reached."""

from collections.abc import Callable, Sequence

from alphaz.c import tree as c
from alphaz.codegen.c.annotations import without
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.integers import integer
from alphaz.codegen.c.names import identifier
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer import Integer, IntegerName, as_affine


def bind(
    names: Sequence[str], arguments: Sequence[Integer], new_name: Callable[[str], str], inline: bool = False
) -> tuple[tuple[c.Declare, ...], CScope]:
    """Returns the indices of a point: as the iterator that they equal, as their constant value, or by a declaration;
    with `inline` only non-affine indices are declared.
    """
    declared: list[c.Declare] = []
    values: list[Affine] = []
    for name, argument in zip(names, arguments, strict=True):
        affine = as_affine(argument)
        if affine is not None and (inline or affine.is_constant or isinstance(argument, IntegerName)):
            values.append(affine)
            continue
        local = new_name(identifier(name))
        declared.append(c.Declare(CONSTANT, local, integer(argument)))
        values.append(Affine.name(local))
    return tuple(declared), CScope(tuple(names), tuple(values))


def with_used(declared: Sequence[c.Declare], body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """Returns the declarations that the body needs, then the body."""
    used = c.names_used(body)
    return (*(d for d in declared if d.name in used), *without(body, [d for d in declared if d.name not in used]))
