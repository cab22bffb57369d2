"""What an operation of a mapped system does, in C: it reads cells, and accumulates reductions that stand inside it."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from alphaz.analysis.facts.guarded_reductions import Decision, GuardedReduction
from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.binding import bind, with_used
from alphaz.codegen.c.expressions import Lowering, Scope, Value, combine, convert, first_step, identity, truth
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.names import Names, identifier
from alphaz.codegen.c.nest import loops_in_c, reached
from alphaz.codegen.scheduled.buffers import Buffer
from alphaz.codegen.scheduled.storage import Storage
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Call, Scan
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Expression, Reduce
from alphaz.model.program import External
from alphaz.poly import Affine, Domain, fresh_names
from alphaz.poly.plain.integer import Integer
from alphaz.poly.questions.lexicographic_minimum import as_context, preimage_of

TOTALS = {"+": "sum", "*": "product", "min": "least", "max": "greatest", "and": "every", "or": "some", "xor": "odd"}


class ScheduledLowering(Lowering):
    """Reads from the cells; a reduction becomes a loop with an accumulator in front of the expression.

    `around` is what surrounds the operation; what `buffers` have is read from there, and reductions visit only the
    points that they select.
    """

    def __init__(
        self,
        mapping: ResolvedMapping,
        storage: Storage,
        externals: Mapping[str, External],
        parameters: Mapping[str, Affine],
        names: Names,
        around: Surroundings,
        buffers: Mapping[Expression, Buffer],
        guarded_of: Callable[[Reduce], GuardedReduction | None],
    ) -> None:
        super().__init__(mapping.facts, externals, parameters)
        self._mapping = mapping
        self._storage = storage
        self._names = names
        self.around = around
        self._buffers = buffers
        self._guarded_of = guarded_of

    def new_name(self, stem: str) -> str:
        return self._names.new(stem)

    def element(self, variable: str, point: Sequence[Affine]) -> c.Expression:
        return self._storage.places[variable].element(point, self.parameters)

    def collected(self, statement: Statement, point: Sequence[Affine]) -> c.Expression:
        """Where contributions to a result go: to the result, or to an accumulator."""
        place = self.around.accumulators.get(statement.name)
        return place.element(point) if place else self.element(statement.variable, point)

    def value(self, node: Expression, scope: Scope) -> Value:
        """What is packed is read from its buffer."""
        buffer = self._buffers.get(node)
        if buffer is None:
            return super().value(node, scope)
        return Value(self.packed_element(buffer, scope.values), self.facts.types[node])

    def packed_element(self, buffer: Buffer, point: Sequence[Affine]) -> c.Expression:
        return buffer.element(point)

    def read(self, variable: str, point: tuple[Affine, ...]) -> Value:
        return Value(self.element(variable, point), self._mapping.system.variable(variable).type)

    def reduction(self, node: Reduce, scope: Scope) -> Value:
        """`T total = identity; for (body points of this result) total = total op body;`, in lexicographic order."""
        guarded = self._guarded_of(node)
        if guarded is not None:
            return self._selecting(guarded, scope)
        type_ = self.facts.types[node]
        total = c.Name(self.new_name(TOTALS.get(node.operator, "total")))
        space = node.projection.domain
        outer = fresh_names(len(scope.names), "outer", (*space.parameters, *space.names))
        domain = self.facts.expression_domain[node.body] & self.facts.context_domain[node.body]
        points = preimage_of(domain, node.projection, outer)
        iterators = [self.new_name(identifier(n)) for n in space.names]
        date = tuple(map(Affine.name, points.space.names))
        known = as_context(self.facts.context_domain[node].in_context(self._mapping.system.context), outer)
        tree = readable_scan([Scan("body", points, date)], known, iterators)
        values = {**self.parameters, **dict(zip(outer, scope.values, strict=True))}
        contributions = {
            call: self._contribution(node, Value(total, type_), space.names, at) for call, at in reached(tree, values)
        }
        start = identity(node.operator, type_, self.externals).code
        self.before.append(c.Declare(type_.c_name, total.name, start))
        self.before.extend(loops_in_c(tree, values, contributions))
        return Value(total, type_)

    def _contribution(
        self, node: Reduce, total: Value, names: tuple[str, ...], arguments: tuple[Integer, ...]
    ) -> tuple[c.Statement, ...]:
        inside = self.inside()
        declared, scope = bind(names, arguments, self._names.new)
        value = inside.value(node.body, scope)
        return with_used(declared, (*inside.take(), accumulate(node.operator, total, value, self.externals)))

    # --- reductions that select points ----------------------------------------------------------------------------

    def _selecting(self, it: GuardedReduction, scope: Scope) -> Value:
        """The same, where only the points that are selected are visited."""
        decision = self.around.decisions.get(it.node)
        if decision is not None:
            return self._decided(it, decision, scope)
        local, type_ = c.Name(self.new_name(TOTALS.get(it.node.operator, "total"))), self.facts.types[it.node]
        total = Value(local, type_)
        names, declared = self.wanted(it, scope)
        values = Scope((*it.outer, *it.names), (*scope.values, *map(Affine.name, names)))
        known = it.over_values(it.known)
        inner: list[c.Statement] = [*declared]
        if not it.others.is_empty():
            once = accumulate(it.node.operator, total, self._otherwise(it, scope), self.externals)
            test = self.test(it.others, known, values)
            inner.append(once if test is None else c.If(test, (once,)))
        inner += self._visited(it, known, total, values)
        test = self.test(it.filled, it.known, Scope(it.outer, scope.values))
        start = identity(it.node.operator, type_, self.externals).code
        self.before.append(c.Declare(type_.c_name, local.name, start))
        self.before += inner if test is None else [c.If(test, tuple(inner))]
        return total

    def _decided(self, it: GuardedReduction, decision: Decision, scope: Scope) -> Value:
        """In a loop that has been parted by what there is to select."""
        operator, type_ = it.node.operator, self.facts.types[it.node]
        start = identity(operator, type_, self.externals)
        if decision.others:
            start = first_step(operator, type_, self._otherwise(it, scope), self.externals)
        if not decision.selected:
            return start
        local = c.Name(self.new_name(TOTALS.get(operator, "total")))
        values = Scope((*it.outer, *it.names), (*scope.values, *map(Affine.name, decision.names)))
        self.before.append(c.Declare(type_.c_name, local.name, start.code))
        self.before += self._visited(it, it.over_values(it.known) & it.selected, Value(local, type_), values)
        return Value(local, type_)

    def wanted(self, it: GuardedReduction, scope: Scope) -> tuple[tuple[str, ...], tuple[c.Declare, ...]]:
        """What is compared with, each in a constant of its own."""
        body = Scope(it.node.projection.domain.names, it.placed(scope.values))
        names, declared = [], []
        for node in it.values:
            value = self.value(node, body)
            code = value.code if value.type.bits < 64 else c.Call("as_index", (value.code,))
            names.append(self.new_name("wanted"))
            declared.append(c.Declare(CONSTANT, names[-1], code))
        return tuple(names), tuple(declared)

    def _visited(self, it: GuardedReduction, known: Domain, total: Value, values: Scope) -> tuple[c.Statement, ...]:
        """The loops over the points that are selected."""
        names = it.node.projection.domain.names
        iterators = [self.new_name(identifier(n)) for n in names]
        date = tuple(map(Affine.name, names))
        tree = readable_scan([Scan("body", it.points, date)], as_context(known, values.names), iterators)
        around = self.names(values.names, values)
        contributions: dict[Call, tuple[c.Statement, ...]] = {}
        for call, arguments in reached(tree, around):
            inside = self.inside()
            declared, scope = bind(names, arguments, self._names.new)
            step = accumulate(it.node.operator, total, inside._picked(it, scope), self.externals)
            contributions[call] = with_used(declared, (*inside.take(), step))
        return loops_in_c(tree, around, contributions)

    def _picked(self, it: GuardedReduction, scope: Scope) -> Value:
        type_ = self.facts.types[it.node.body]
        if not it.rest:
            return convert(self.value(it.then, scope), type_)
        tests = [truth(self.value(condition, scope)) for condition in it.rest]
        test = reduce(lambda left, right: c.Binary("&&", left, right), tests)
        return self._choice(type_, [(test, it.then), (None, it.otherwise)], scope)

    def _otherwise(self, it: GuardedReduction, scope: Scope) -> Value:
        return convert(self.value(it.otherwise, scope), self.facts.types[it.node.body])


def accumulate(operator: str, total: Value, value: Value, externals: Mapping[str, External]) -> c.Assign:
    """`total += value` where C has such an operator, else `total = combine(total, value)`."""
    result = combine(operator, total, value, externals).code
    if operator in ("+", "*") and isinstance(result, c.Binary) and result.left == total.code:
        return c.Assign(total.code, result.right, operator + "=")
    return c.Assign(total.code, result)
