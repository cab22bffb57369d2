"""Fills the array of an input of a call, and copies that of an output to the caller's variable, point by point."""

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import CScope, CValue, convert
from alphaz.codegen.c.names import identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.scheduled.lowering import ScheduledLowering
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.uses import Argument
from alphaz.model.expression import Access, Expression
from alphaz.poly import Affine, Domain, Space, fresh_names, instantiate
from alphaz.poly.algorithms.smallest import as_context


def copies(
    mapping: ResolvedMapping, argument: Argument, array: FlatArray, lowering: ScheduledLowering, scope: CScope
) -> tuple[c.Statement, ...]:
    """Returns, for the call at `scope`, `array[x] = expression` for the x that are read, or `variable[e,x]
    = array[x]`.
    """
    outer, points, known = _points(mapping, argument, len(scope.values))
    own = points.space.names
    iterators = [lowering.new_name(identifier(n)) for n in own]
    tree = readable_scan([Scan("copy", points, tuple(map(Affine.name, own)))], known, iterators)
    values = {**lowering.parameters, **dict(zip(outer, scope.values, strict=True))}
    names = argument.domain.space.names
    moves: dict[Instance, tuple[c.Statement, ...]] = {}
    for call, arguments in reached_instances(tree, values):
        declared, inner = bind(own, arguments, lowering.new_name)
        here = CScope(names, (*scope.values, *inner.values))
        moves[call] = with_used(declared, _copy_element(mapping, argument, array.element(inner.values), lowering, here))
    return loops_in_c(tree, values, moves)


def _points(mapping: ResolvedMapping, argument: Argument, extra: int) -> tuple[tuple[str, ...], Domain, Domain]:
    """Returns the x of one call, with names for its e as further parameters, and the constraints on these."""
    space = argument.used.space
    own = space.names[extra:]
    outer = fresh_names(extra, "outer", (*space.parameters, *space.names))
    inside = Space((*space.parameters, *outer), own)
    parameters = tuple(map(Affine.name, space.parameters))
    points = instantiate(argument.used, inside, parameters, tuple(map(Affine.name, (*outer, *own))))
    calls = mapping.statement(argument.label).domain
    return outer, points, as_context(calls.in_context(mapping.system.context), outer)


def _copy_element(
    mapping: ResolvedMapping, argument: Argument, element: c.Expression, lowering: ScheduledLowering, here: CScope
) -> tuple[c.Statement, ...]:
    if argument.body is not None:
        found = lowering.value(argument.body, here)
        passed = convert(found.value, argument.theirs.type).code
        return (
            *found.before,
            c.Assign(element, passed, about=_passed_value(mapping, argument, argument.body, lowering, here)),
        )
    assert argument.variable is not None
    variable = mapping.system.variable(argument.variable)
    value = convert(CValue(element, argument.theirs.type), variable.type)
    about = c.About(variable.name, here.values)
    return (c.Assign(lowering.cells.element(variable.name, here.values), value.code, about=about),)


def _passed_value(
    mapping: ResolvedMapping, argument: Argument, body: Expression, lowering: ScheduledLowering, here: CScope
) -> c.About:
    """Returns the value that is passed: the callee's variable, unless it is read unchanged from a variable of the
    caller.
    """
    if isinstance(body, Access) and mapping.system.variable(body.variable).type == argument.theirs.type:
        return c.About(body.variable, lowering.image(body.function, here))
    return c.About(f"{argument.label}.{argument.theirs.name}", here.values)
