"""Operations of a mapped system in C: they read cells, and accumulate the reductions inside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce

from alphaz.analysis.facts.data_guarded_reductions import GuardDecision, GuardedReduction
from alphaz.c import tree as c
from alphaz.codegen.c.expressions import (
    CScope,
    CValue,
    Lowered,
    Lowering,
    combine,
    convert,
    first_step,
    identity,
    truth,
)
from alphaz.codegen.c.names import identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.c.readable_c import CONSTANT
from alphaz.codegen.scheduled.memory.emit_context import OperandCells
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.expression import Access, Expression, IndexValue, Reduce
from alphaz.model.program import External
from alphaz.poly import Affine, Domain, fresh_names
from alphaz.poly.algorithms.smallest import as_context, preimage_of

TOTALS = {"+": "sum", "*": "product", "min": "least", "max": "greatest", "and": "every", "or": "some", "xor": "odd"}


@dataclass(frozen=True, slots=True)
class ScheduledLowering(Lowering):
    """Lowers expressions to reads of cells; a reduction becomes a loop with an accumulator before the expression, which
    visits only the points that it selects.
    """

    mapping: ResolvedMapping
    cells: OperandCells
    guarded_of: Callable[[Reduce], GuardedReduction | None]

    def value(self, node: Expression, scope: CScope) -> Lowered:
        """Returns the value, in the type that the facts give it."""
        leaves = self.leaves(node, scope, self.cells.buffers)
        return self.lowered(node, scope, {(leaf, at): self._leaf(leaf, at) for leaf, at in leaves})

    def _leaf(self, node: Expression, scope: CScope) -> Lowered:
        """Returns the value of a leaf; packed values are read from their buffers."""
        match node:
            case _ if node in self.cells.buffers:
                return Lowered(CValue(self.cells.packed(node, scope.values), self.facts.types[node]))
            case Access(variable, function):
                code = self.cells.read(node, self.image(function, scope))
                return Lowered(CValue(code, self.mapping.system.variable(variable).type))
            case IndexValue():
                return Lowered(self.cells.index(self.index(node, scope)))
            case Reduce():
                return self._reduction(node, scope)
        raise TypeError(f"{type(node).__name__} is no leaf")

    def _reduction(self, node: Reduce, scope: CScope) -> Lowered:
        """`T total = identity; for (body points of this result) total = total op body;`, in lexicographic order."""
        guarded = self.guarded_of(node)
        if guarded is not None:
            return self._selecting(guarded, scope)
        total = self._total(node)
        space = node.projection.domain
        outer = fresh_names(len(scope.names), "outer", (*space.parameters, *space.names))
        domain = self.facts.expression_domain[node.body] & self.facts.context_domain[node.body]
        points = preimage_of(domain, node.projection, outer)
        iterators = [self.new_name(identifier(n)) for n in space.names]
        date = tuple(map(Affine.name, points.space.names))
        known = as_context(self.facts.context_domain[node].in_context(self.mapping.system.context), outer)
        tree = readable_scan([Scan("body", points, date)], known, iterators)
        values = {**self.parameters, **dict(zip(outer, scope.values, strict=True))}
        contributions: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, values):
            declared, inner = bind(space.names, arguments, self.new_name)
            contributions[call] = with_used(declared, self._added(node, total, self.value(node.body, inner)))
        return Lowered(total, (self._begun(node, total), *loops_in_c(tree, values, contributions)))

    def _total(self, node: Reduce) -> CValue:
        """A local variable."""
        return CValue(c.Name(self.new_name(TOTALS.get(node.operator, "total"))), self.facts.types[node])

    def _begun(self, node: Reduce, total: CValue, start: CValue | None = None) -> c.Declare:
        """Returns the declaration of the total, with the neutral element where no other start is given."""
        assert isinstance(total.code, c.Name)
        begin = start or identity(node.operator, total.type, self.externals)
        return c.Declare(c.scalar(total.type), total.code.name, begin.code)

    def _added(self, node: Reduce, total: CValue, found: Lowered) -> tuple[c.Statement, ...]:
        return (*found.before, accumulate(node.operator, total, found.value, self.externals))

    # --- reductions that select points ----------------------------------------------------------------------------

    def _selecting(self, it: GuardedReduction, scope: CScope) -> Lowered:
        """Returns the same loops over only the selected points."""
        decision = self.cells.around.decisions.get(it.node)
        if decision is not None:
            return self._decided(it, decision, scope)
        total = self._total(it.node)
        names, declared = self.wanted(it, scope)
        values = CScope((*it.outer, *it.names), (*scope.values, *map(Affine.name, names)))
        known = it.over_values(it.known)
        inner: list[c.Statement] = [*declared]
        test = self.test(it.others, known, values)
        if test != c.ZERO:
            once = self._added(it.node, total, self._otherwise(it, scope))
            inner += once if test is None else [c.If(test, once)]
        inner += self._visited(it, known, total, values)
        test = self.test(it.filled, it.known, CScope(it.outer, scope.values))
        return Lowered(total, (self._begun(it.node, total), *(inner if test is None else [c.If(test, tuple(inner))])))

    def _decided(self, it: GuardedReduction, decision: GuardDecision, scope: CScope) -> Lowered:
        """Returns the reduction in a loop that was split by the selected points."""
        start = Lowered(identity(it.node.operator, self.facts.types[it.node], self.externals))
        if decision.others:
            other = self._otherwise(it, scope)
            first = first_step(it.node.operator, start.value.type, other.value, self.externals)
            start = Lowered(first, other.before)
        if not decision.selected:
            return start
        total = self._total(it.node)
        values = CScope((*it.outer, *it.names), (*scope.values, *map(Affine.name, decision.names)))
        visited = self._visited(it, it.over_values(it.known) & it.selected, total, values)
        return Lowered(total, (*start.before, self._begun(it.node, total, start.value), *visited))

    def wanted(self, it: GuardedReduction, scope: CScope) -> tuple[tuple[str, ...], tuple[c.Statement, ...]]:
        """Returns the compared values, each in a constant: their names, and their declarations."""
        body = CScope(it.node.projection.domain.names, it.body_point(scope.values))
        names: list[str] = []
        made: list[c.Statement] = []
        for node in it.values:
            lowered = self.value(node, body)
            code = lowered.value.code if lowered.value.type.bits < 64 else c.Call("as_index", (lowered.value.code,))
            names.append(self.new_name("wanted"))
            made += [*lowered.before, c.Declare(CONSTANT, names[-1], code)]
        return tuple(names), tuple(made)

    def _visited(self, it: GuardedReduction, known: Domain, total: CValue, values: CScope) -> tuple[c.Statement, ...]:
        """Returns the loops over the selected points."""
        names = it.node.projection.domain.names
        iterators = [self.new_name(identifier(n)) for n in names]
        date = tuple(map(Affine.name, names))
        tree = readable_scan([Scan("body", it.points, date)], as_context(known, values.names), iterators)
        around = self.names(values.names, values)
        contributions: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, around):
            declared, scope = bind(names, arguments, self.new_name)
            contributions[call] = with_used(declared, self._added(it.node, total, self._picked(it, scope)))
        return loops_in_c(tree, around, contributions)

    def _picked(self, it: GuardedReduction, scope: CScope) -> Lowered:
        type_, then = self.facts.types[it.node.body], self.value(it.then, scope)
        if not it.rest:
            return Lowered(convert(then.value, type_), then.before)
        tests = [self.value(condition, scope) for condition in it.rest]
        test = reduce(lambda left, right: c.Binary("&&", left, right), [truth(test.value) for test in tests])
        chosen = self.choice(type_, [(test, then), (None, self.value(it.otherwise, scope))])
        return Lowered(chosen.value, (*(s for test in tests for s in test.before), *chosen.before))

    def _otherwise(self, it: GuardedReduction, scope: CScope) -> Lowered:
        lowered = self.value(it.otherwise, scope)
        return Lowered(convert(lowered.value, self.facts.types[it.node.body]), lowered.before)


def accumulate(operator: str, total: CValue, value: CValue, externals: Mapping[str, External]) -> c.Assign:
    """Returns `total += value` where C has such an operator, else `total = combine(total, value)`."""
    result = combine(operator, total, value, externals).code
    if operator in ("+", "*") and isinstance(result, c.Binary) and result.left == total.code:
        return c.Assign(total.code, result.right, operator + "=")
    return c.Assign(total.code, result)
