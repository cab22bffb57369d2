"""Use equations on demand: a call of a system begins when one of its values is first needed.

For the point e of the extension of `use {E} s[q](x..) returns (Y..)`:

    instance_u(self, e)    the call of s for e, which holds its own arrays; begun with the parameters q(e) if need be
    input_x(self, e, z)    the point z of input x, which the caller passes; the call requests it when it is needed
    compute_Y(self, e, z)  the point z of the callee's output

Calls live until the run ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import STATUS, CValue, convert
from alphaz.codegen.c.frame import any_of, outside_context
from alphaz.codegen.c.integers import affine
from alphaz.codegen.c.names import identifier
from alphaz.codegen.c.readable_c import INDEX
from alphaz.codegen.demand.evaluation import FALSE, INSTANCE, MEMORY, SELF, TRUE, Demand, lowering_in, offset
from alphaz.model.program import System, UseEquation, Variable
from alphaz.poly import Affine

NULL = c.Name("NULL")


@dataclass(frozen=True, slots=True)
class DemandCall:
    """A use equation, its number among all of the run, and the names of its functions.

    `table` has the caller's calls; `inputs` are the functions of the inputs.
    """

    number: int
    caller: Demand
    callee: Demand
    equation: UseEquation
    table: FlatArray
    instance: str
    inputs: tuple[str, ...]


def start(demand: Demand, name: str, number: int, setting_up: Sequence[c.Statement]) -> c.Function:
    """Returns `instance *start_s(caller, use, q)`: a call of the system; NULL where it cannot begin, with the status
    set.
    """
    system = demand.system
    names = [identifier(p) for p in system.parameters]
    status = c.Unary("*", STATUS)
    caller = c.Name("caller")
    body: list[c.Statement] = [
        c.Declare(c.Pointer(c.INT), STATUS.name, c.Unary("&", c.Member(c.Member(caller, "run"), STATUS.name)))
    ]
    huge = any_of([c.Call("too_large", (c.Name(n),)) for n in names])
    for test, code in ((huge, "2"), (outside_context(system, demand.parameters), "1")):
        if test is not None:
            body.append(c.If(test, (c.Assign(status, c.Literal(code)), c.Return(NULL))))
    size = c.Call("sizeof", (c.Name(demand.memory),))
    new = c.Call("new_instance", (caller, c.Literal(str(number)), c.Name("use"), size))
    body += [
        c.Declare(INSTANCE, "self", new),
        c.If(c.Binary("==", c.Name("self"), NULL), (c.Return(NULL),)),
        c.Declare(c.Pointer(c.Named(demand.memory)), MEMORY.name, c.Member(c.Name("self"), MEMORY.name)),
        *(c.Assign(c.Member(MEMORY, n), c.Name(n)) for n in names),
        *setting_up,
        c.Return(c.Ternary(c.Binary("==", status, c.ZERO), c.Name("self"), NULL)),
    ]
    parameters = (c.Parameter(INSTANCE, "caller"), c.Parameter(c.INT, "use"), *(c.Parameter(INDEX, n) for n in names))
    return c.Function(INSTANCE, name, parameters, tuple(body), "static", f"Begins a call of {system.name}.")


def instance(use: DemandCall, starting: str) -> c.Function:
    """Returns `instance *instance_u(self, e)`: the call for a point of the extension."""
    demand, equation = use.caller, use.equation
    names = demand.names.copy()
    indices = [names.new(identifier(n)) for n in equation.extension.space.names]
    scope = {**demand.parameters, **dict(zip(equation.extension.space.names, map(Affine.name, indices), strict=True))}
    arguments = [affine(a.substitute(scope)) for a in equation.parameters]
    place = c.Index(c.Member(MEMORY, use.table.name), offset(use.table, [Affine.name(n) for n in indices]))
    inside = c.Name(names.new("inside"))
    point = [
        c.Assign(c.Index(c.Member(inside, "point"), c.Literal(str(position))), c.Name(n))
        for position, n in enumerate(indices)
    ]
    begun = c.Call(starting, (c.Name("self"), c.Literal(str(use.number)), *arguments))
    assignment = c.If(c.Binary("!=", inside, NULL), (*point, c.Assign(place, inside)))
    body = (
        c.Declare(INSTANCE, inside.name, place),
        c.If(c.Binary("==", inside, NULL), (c.Assign(inside, begun), assignment)),
        c.Return(inside),
    )
    parameters = (SELF, *(c.Parameter(INDEX, n) for n in indices))
    comment = f"The call of {equation.system} for {', '.join(equation.outputs)}."
    return demand.function(INSTANCE, use.instance, parameters, body, comment)


def place_of(demand: Demand, variable: Variable, name: str) -> c.Function:
    """Returns `int64_t place_y(self, z)`: the position of the point z of an output in the system."""
    lowering = lowering_in(demand, variable)
    scope, parameters = lowering.indices(variable.domain.space.names)
    body = (c.Return(offset(demand.arrays[variable.name], scope.values)),)
    comment = f"The position of a point of {variable.name} of {demand.system.name}."
    return demand.function(INDEX, name, (SELF, *parameters), body, comment)


def output(use: DemandCall, variable: Variable, inner: Variable, place: str, name: str) -> c.Function:
    """Returns `bool compute_Y(self, e, z)`: an output of the call."""
    demand = use.caller
    lowering = lowering_in(demand, variable)
    scope, parameters = lowering.indices(variable.domain.space.names)
    split = use.equation.extension.space.dimensions
    values = [affine(a) for a in scope.values]
    inside, at = c.Name(lowering.new_name("inside")), c.Name(lowering.new_name("there"))
    wanted = c.Call("want", (inside, c.Name(use.callee.numbers[inner.name]), at))
    memory = c.Cast(c.Pointer(c.Named(use.callee.memory, const=True)), c.Member(inside, MEMORY.name))
    value = CValue(c.Index(c.Member(memory, use.callee.arrays[inner.name].name), at), inner.type)
    body = (
        c.Declare(INSTANCE, inside.name, c.Call(use.instance, (c.Name("self"), *values[:split]))),
        c.If(c.Binary("==", inside, NULL), (FALSE,)),
        c.Declare(INDEX, at.name, c.Call(place, (inside, *values[split:]))),
        c.If(c.Unary("!", wanted), (FALSE,)),
        c.Assign(demand.arrays[variable.name].element(scope.values), convert(value, variable.type).code),
        TRUE,
    )
    comment = f"{variable.name}, by a call of {use.equation.system}"
    return demand.function(c.BOOL, name, (SELF, *parameters), body, comment)


def given_input(demand: Demand, variable: Variable, uses: Sequence[DemandCall], name: str) -> c.Function:
    """Returns `bool compute_x(self, z)`: an input of a call, computed by its caller."""
    lowering = lowering_in(demand, variable)
    scope, parameters = lowering.indices(variable.domain.space.names)
    element = demand.arrays[variable.name].element(scope.values)
    position = [v.name for v in demand.system.inputs].index(variable.name)
    cases: list[tuple[c.Expression | None, tuple[c.Statement, ...]]] = []
    for use in uses:
        extension = range(use.equation.extension.space.dimensions)
        point = [c.Index(c.Member(c.Name("self"), "point"), c.Literal(str(k))) for k in extension]
        arguments = (c.Member(c.Name("self"), "caller"), *point, *map(affine, scope.values), c.Unary("&", element))
        cases.append((c.Literal(str(use.number)), (c.Return(c.Call(use.inputs[position], arguments)),)))
    cases.append((None, (FALSE,)))
    body = (c.Switch(c.Member(c.Name("self"), "use"), tuple(cases)),)
    comment = f"The input {variable.name} of a call."
    return demand.function(c.BOOL, name, (SELF, *parameters), body, comment)


def is_called(system: System, equation: UseEquation) -> bool:
    """Returns True if the extension has a point for some parameters."""
    return not equation.extension.in_context(system.context).is_empty()


def has_points(system: System, variable: Variable) -> bool:
    """Returns True if the domain has a point for some parameters."""
    return not variable.domain.in_context(system.context).is_empty()


def called_systems(root: System, systems: Mapping[str, System]) -> tuple[System, ...]:
    """Returns the system and all systems that take part in a run of it, in the order of the calls."""
    called = {root.name: root}
    waiting = [root]
    while waiting:
        here = waiting.pop(0)
        for equation in here.equations:
            if isinstance(equation, UseEquation) and is_called(here, equation) and equation.system not in called:
                called[equation.system] = systems[equation.system]
                waiting.append(systems[equation.system])
    return tuple(called.values())


__all__ = [
    "DemandCall",
    "called_systems",
    "given_input",
    "has_points",
    "instance",
    "is_called",
    "output",
    "place_of",
    "start",
]
