"""Demand-driven evaluation in C: each value once, when it is needed, with a stack on the heap.

`compute_v(self, z)` tries to compute v[z]. A read of a missing value requests it (`want` pushes it on the stack) and
the attempt returns false; it is repeated when the requested value has been computed. An attempt requests one value at
first and twice as many each time it is repeated, so that the attempts of one value cost little more than its
computation, and the stack never holds more than twice as many requests as there are values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import STATUS, CScope, CValue, Lowered, Lowering, combine, convert, identity
from alphaz.codegen.c.integers import affine, flat_index
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.c.readable_c import CONSTANT, INDEX
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance as LoopCall
from alphaz.loops.tree import Scan
from alphaz.model.expression import Access, Case, Expression, Facts, IndexValue, Reduce
from alphaz.model.program import Equation, External, System, Variable
from alphaz.model.walk import without_restricts
from alphaz.poly import Affine, Domain, fresh_names
from alphaz.poly.algorithms.smallest import as_context, preimage_of
from alphaz.poly.plain.integer_expression import IntegerOperation as IntegerOperation
from alphaz.poly.plain.integer_expression import of_affine, simplified

INSTANCE = c.Pointer(c.Named("instance"))
SELF = c.Parameter(INSTANCE, "self")
MEMORY = c.Name("memory")
FALSE, TRUE = c.Return(c.Name("false")), c.Return(c.Name("true"))


class Demand:
    """The functions of one system: those that compute its variables, and those of their reductions.

    `arrays` has every variable, `numbers` the enumerator of each variable that is computed, `tables` the places of the
    calls of each use equation, over its extension. `memory` is the type that holds them all.
    """

    def __init__(
        self,
        system: System,
        facts: Facts,
        externals: Mapping[str, External],
        parameters: Mapping[str, Affine],
        arrays: Mapping[str, FlatArray],
        numbers: Mapping[str, str],
        names: Identifiers,
        memory: str,
        tables: Sequence[FlatArray] = (),
    ) -> None:
        self.system = system
        self.facts = facts
        self.externals = externals
        self.parameters = parameters
        self.arrays = arrays
        self.numbers = numbers
        self.names = names
        self.memory = memory
        self.tables = tables
        self.functions: list[c.Function] = []

    def compute(self, equation: Equation, name: str) -> None:
        """Appends the function that tries to compute one point of the variable, and the functions that it needs."""
        variable = self.system.variable(equation.variable)
        lowering = lowering_in(self, variable)
        scope, parameters = lowering.indices(equation.indices)
        body = self._root(equation.expression, variable, lowering, scope)
        comment = f"{variable.name}[{','.join(equation.indices)}]"
        self.functions.append(self.function(c.BOOL, name, (SELF, *parameters), body, comment))

    def input(self, expression: Expression, names: Sequence[str], variable: Variable, name: str) -> None:
        """Appends `bool name(self, e, z, T *value)`: the value passed to an input of another system, at (e, z)."""
        lowering = lowering_in(self, variable)
        scope, parameters = lowering.indices(names)
        result = c.Parameter(c.pointer(variable.type), lowering.new_name("value"))
        lowered = lowering.value(expression, scope)
        value = convert(lowered.value, variable.type)
        body = (*lowered.before, c.Assign(c.Unary("*", c.Name(result.name)), value.code), TRUE)
        comment = f"What {self.system.name} passes as {variable.name}."
        self.functions.append(self.function(c.BOOL, name, (SELF, *parameters, result), body, comment))

    def _root(
        self, expression: Expression, variable: Variable, lowering: "DemandLowering", scope: CScope
    ) -> tuple[c.Statement, ...]:
        """Returns the outermost case as ifs that return."""
        bare = without_restricts(expression)
        if not isinstance(bare, Case):
            lowered, target = lowering.value(bare, scope), self.arrays[variable.name].element(scope.values)
            return (*lowered.before, c.Assign(target, convert(lowered.value, variable.type).code), TRUE)
        statements: list[c.Statement] = []
        for test, branch in lowering.branches(bare, scope):
            inside = self._root(branch, variable, lowering, scope)
            if test is None:
                return (*statements, *inside)
            statements.append(c.If(test, inside))
        return (*statements, FALSE)

    def function(
        self, type_: c.Type, name: str, parameters: tuple[c.Parameter, ...], body: tuple[c.Statement, ...], comment: str
    ) -> c.Function:
        """Returns a static function that fetches the names in its body from its system."""
        used = c.names_used(body)
        constants = [d for array in (*self.arrays.values(), *self.tables) for d in array.constants if d.name in used]
        used |= c.names_used(constants)
        declarations = [d for d in self._fetched() if d.name in used]
        if declarations or MEMORY.name in used:
            memory = c.Pointer(c.Named(self.memory, const=True))
            declarations.insert(0, c.Declare(memory, MEMORY.name, c.Member(c.Name("self"), "memory")))
        if STATUS.name in used:
            declarations.insert(0, fetched_status())
        unused = [p for p in parameters if p.name not in used and not (p is SELF and declarations)]
        silenced = [c.Evaluate(c.Cast(c.VOID, c.Name(p.name))) for p in unused]
        return c.Function(type_, name, parameters, (*silenced, *declarations, *constants, *body), "static", comment)

    def _fetched(self) -> list[c.Declare]:
        fetched = [_fetch(CONSTANT, identifier(p)) for p in self.system.parameters]
        for array in self.arrays.values():
            fetched.append(_fetch(c.pointer(array.type, const=array.is_constant), array.name))
        return fetched


def _fetch(type_: c.Type, name: str) -> c.Declare:
    return c.Declare(type_, name, c.Member(MEMORY, name))


def fetched_status() -> c.Declare:
    """`int *status = &self->run->status;`."""
    run = c.Member(c.Name("self"), "run")
    return c.Declare(c.Pointer(c.INT), STATUS.name, c.Unary("&", c.Member(run, STATUS.name)))


@dataclass(frozen=True, slots=True)
class DemandLowering(Lowering):
    """Lowers expressions: reads request missing values; reductions become functions."""

    demand: Demand
    variable: Variable

    def value(self, node: Expression, scope: CScope) -> Lowered:
        """Returns the value, in the type that the facts give it."""
        leaves = self.leaves(node, scope)
        return self.lowered(node, scope, {(leaf, at): self._leaf(leaf, at) for leaf, at in leaves})

    def _leaf(self, node: Expression, scope: CScope) -> Lowered:
        match node:
            case Access(variable, function):
                return self._read(variable, self.image(function, scope))
            case IndexValue():
                return Lowered(self.index(node, scope))
            case Reduce():
                return self._reduction(node, scope)
        raise TypeError(f"{type(node).__name__} is no leaf")

    def indices(self, names: Sequence[str]) -> tuple[CScope, tuple[c.Parameter, ...]]:
        """Returns the indices as parameters of a function."""
        locals_ = [self.new_name(identifier(n)) for n in names]
        scope = CScope(tuple(names), tuple(Affine.name(n) for n in locals_))
        return scope, tuple(c.Parameter(INDEX, n) for n in locals_)

    def _read(self, variable: str, point: tuple[Affine, ...]) -> Lowered:
        array = self.demand.arrays[variable]
        value = CValue(array.element(point), array.type)
        if variable not in self.demand.numbers:
            return Lowered(value)
        wanted = c.Call("want", (c.Name("self"), c.Name(self.demand.numbers[variable]), offset(array, point)))
        return Lowered(value, (c.If(c.Unary("!", wanted), (FALSE,)),))

    def _reduction(self, node: Reduce, scope: CScope) -> Lowered:
        """Returns `T total; if (!reduce(self, z, &total)) return false;`. Without any terms: the neutral element."""
        type_, domain = self.facts.types[node], self._terms(node)
        if domain.in_context(self.demand.system.context).is_empty():
            return Lowered(identity(node.operator, type_, self.externals))
        function = self._reduce_function(node, scope.names)
        total = self.new_name("total")
        arguments = [*map(affine, scope.values), c.Unary("&", c.Name(total))]
        called = c.Call(function, (c.Name("self"), *arguments))
        before = (c.Declare(c.scalar(type_), total), c.If(c.Unary("!", called), (FALSE,)))
        return Lowered(CValue(c.Name(total), type_), before)

    def _terms(self, node: Reduce) -> Domain:
        return self.facts.expression_domain[node.body] & self.facts.context_domain[node.body]

    def _term_function(self, node: Reduce) -> str:
        """Returns `bool term(self, z', T *value)`, which tries to compute the body at one point."""
        demand, type_ = self.demand, self.facts.types[node.body]
        inner = lowering_in(demand, self.variable)
        scope, parameters = inner.indices(node.projection.domain.names)
        result = c.Parameter(c.pointer(type_), inner.new_name("value"))
        lowered = inner.value(node.body, scope)
        body = (*lowered.before, c.Assign(c.Unary("*", c.Name(result.name)), lowered.value.code), TRUE)
        name = demand.names.new(f"term_{identifier(self.variable.name)}")
        comment = f"One term of the reduction ({node.operator}) in {self.variable.name}."
        demand.functions.append(demand.function(c.BOOL, name, (SELF, *parameters, result), body, comment))
        return name

    def _reduce_function(self, node: Reduce, names: tuple[str, ...]) -> str:
        """Returns `bool reduce(self, z, T *result)`, which combines the terms, once all of them are there."""
        term = self._term_function(node)
        demand, type_ = self.demand, self.facts.types[node]
        inner = lowering_in(demand, self.variable)
        space = node.projection.domain
        outer = fresh_names(len(names), "outer", (*space.parameters, *space.names))
        scope, parameters = inner.indices(names)
        result = c.Parameter(c.pointer(type_), inner.new_name("result"))
        total, value = c.Name(inner.new_name("total")), c.Name(inner.new_name("value"))
        ready = c.Name(inner.new_name("ready"))
        points = preimage_of(self._terms(node), node.projection, outer)
        known = as_context(self.facts.context_domain[node].in_context(demand.system.context), outer)
        iterators = [inner.new_name(identifier(n)) for n in space.names]
        date = tuple(map(Affine.name, points.space.names))
        tree = readable_scan([Scan("term", points, date)], known, iterators)
        step = combine(node.operator, CValue(total, type_), CValue(value, self.facts.types[node.body]), self.externals)
        values = {**self.parameters, **dict(zip(outer, scope.values, strict=True))}
        terms: dict[LoopCall, tuple[c.Statement, ...]] = {}
        for place, arguments in reached_instances(tree, values):
            declared, at = bind(space.names, arguments, inner.new_name)
            tried = c.Call(term, (c.Name("self"), *map(affine, at.values), c.Unary("&", value)))
            left = c.Member(c.Member(c.Name("self"), "run"), "budget")
            used_up = c.If(c.Binary("==", left, c.ZERO), (FALSE,))
            missing = (used_up, c.Assign(ready, c.Name("false")))
            added = (c.If(ready, (c.Assign(total, step.code),)),)
            terms[place] = with_used(declared, (c.If(c.Unary("!", tried), missing, added),))
        statements = (
            c.Declare(c.BOOL, ready.name, c.Name("true")),
            c.Declare(c.scalar(type_), total.name, identity(node.operator, type_, self.externals).code),
            c.Declare(c.scalar(self.facts.types[node.body]), value.name),
            *loops_in_c(tree, values, terms),
            c.Assign(c.Unary("*", c.Name(result.name)), total),
            c.Return(ready),
        )
        name = demand.names.new(f"reduce_{identifier(self.variable.name)}")
        comment = f"A reduction ({node.operator}) in {self.variable.name}."
        demand.functions.append(demand.function(c.BOOL, name, (SELF, *parameters, result), statements, comment))
        return name


def lowering_in(demand: Demand, variable: Variable) -> DemandLowering:
    """Returns the lowering for one function that computes a variable; it has names of its own."""
    return DemandLowering(
        facts=demand.facts,
        externals=demand.externals,
        parameters=demand.parameters,
        new_name=demand.names.copy().new,
        demand=demand,
        variable=variable,
    )


def offset(array: FlatArray, point: Sequence[Affine]) -> c.Expression:
    """Returns the flat position of a point in its array; 0 for a scalar."""
    relative = [
        simplified(IntegerOperation("-", (of_affine(component), low)))
        for component, low in zip(point, array.lower, strict=True)
    ]
    return flat_index(relative, array.extents)
