"""Reduction dimensions: what a loop contributes to a reduction is collected in accumulators, and merged into the result
behind the whole loop.

A sequential loop needs one accumulator for each result. In a parallel loop every thread has its own: by the reduction
clause of OpenMP where there is one result and the clause knows the operator, else by hand.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.arrays import Array, array_over
from alphaz.codegen.c.binding import bind, with_used
from alphaz.codegen.c.comments import line_of
from alphaz.codegen.c.expressions import Value, identity
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.memory import claimed, failing, released, succeeded
from alphaz.codegen.c.names import Names, identifier
from alphaz.codegen.c.nest import counting, loops_in_c
from alphaz.codegen.scheduled.accumulators import Accumulator
from alphaz.codegen.scheduled.first_contribution import Firsts
from alphaz.codegen.scheduled.lowering import TOTALS, ScheduledLowering, accumulate
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.loops.modes import Mode, Parallel
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import For, Merge, Scan, called
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.expression import Expression
from alphaz.model.program import External
from alphaz.poly import Affine, AffineFunction, Domain, fresh_names
from alphaz.poly.plain.integer import Integer

Statements = tuple[c.Statement, ...]


@dataclass(frozen=True, slots=True)
class Merging:
    """Writes the loops of one nest that have reduction dimensions. `at`: an iterator over accumulators."""

    mapping: ResolvedMapping
    firsts: Firsts
    externals: Mapping[str, External]
    parameters: Mapping[str, Affine]
    names: Names
    at: str

    # --- the whole loop -------------------------------------------------------------------------------------------

    def around(
        self,
        node: Merge,
        by_name: Mapping[str, Statement],
        around: Surroundings,
        lowering: ScheduledLowering,
        inner: Callable[[Surroundings], Statements],
    ) -> Statements:
        """The loop between its accumulators and what is done with them; `lowering` is that behind the loop."""
        scans = _contributing(node, by_name)
        statements = {name: self.mapping.statement(name) for name in scans}
        made = [self._accumulator(s, scans[n], node.known, self._name(s)) for n, s in statements.items()]
        merged = [s for each in made for s in self._merged(each, scans[each.statement.name], node.known, lowering)]
        memory = self._memory(made)
        body = (*inner(around.collecting(made)), *merged)
        return (c.Block(memory.provided(body)),) if made else body

    def in_one(self, node: Merge, by_name: Mapping[str, Statement]) -> frozenset[str]:
        """The statements whose contributions are collected in one variable each."""
        scans = _contributing(node, by_name)
        found = (self._accumulator(self.mapping.statement(n), some, node.known, n) for n, some in scans.items())
        return frozenset(each.statement.name for each in found if each.is_scalar)

    def _accumulator(self, statement: Statement, scans: Sequence[Scan], known: Domain, name: str) -> Accumulator:
        type_ = self.mapping.system.variable(statement.variable).type
        values = {**{p: Affine.name(p) for p in known.space.parameters}, **self.parameters}
        array = array_over(name, type_, _results(statement, scans), known, values)
        return Accumulator(statement, statement.reduction.operator, array)

    def _name(self, statement: Statement) -> str:
        stem = TOTALS.get(statement.reduction.operator, "total")
        return self.names.new(f"{stem}_{identifier(statement.variable)}")

    def _merged(
        self, each: Accumulator, scans: Sequence[Scan], known: Domain, lowering: ScheduledLowering
    ) -> Statements:
        """What is collected becomes the result, or is combined with what earlier loops have made of it."""
        statement, variable = each.statement, each.statement.variable
        results = _results(statement, scans)
        first = results & Domain.empty(results.space)
        if not any(s.role is Role.INIT and s.variable == variable for s in self.mapping.statements):
            first = _results(statement, self._earliest(statement, scans))
        names = results.space.names
        date = tuple(map(Affine.name, names))
        parts = [Scan("first", first, date), Scan("more", (results - first).simplify(), date)]
        iterators = [self.names.new(f"{identifier(variable)}_{at}") for at in range(len(names))]
        tree = readable_scan(parts, known, iterators)

        def body(part: str, arguments: tuple[Integer, ...]) -> Statements:
            declared, scope = bind(names, arguments, self.names.new)
            target, value = lowering.element(variable, scope.values), Value(each.element(scope.values), each.type)
            if part == "first":
                return with_used(declared, (c.Assign(target, value.code),))
            more = accumulate(each.operator, Value(target, each.type), value, self.externals)
            return with_used(declared, (more,))

        said = c.Comment(line_of(variable, "=", _equation(statement), names))
        return (said, *loops_in_c(tree, self.parameters, body))

    def _earliest(self, statement: Statement, scans: Sequence[Scan]) -> list[Scan]:
        """The contributions of the first loop that has any, for each result."""
        first = self.firsts.contributions(statement)
        found = []
        for one in scans:
            space = one.domain.space
            more = [p for p in space.parameters if p not in first.space.parameters]
            found.append(replace(one, domain=one.domain & first.renamed(space.names).with_parameters(more)))
        return found

    # --- a parallel loop in it ------------------------------------------------------------------------------------

    def parallel(
        self,
        loop: For,
        by_name: Mapping[str, Statement],
        around: Surroundings,
        write: Callable[[Mode, Surroundings], Statements],
    ) -> Statements | None:
        """A parallel loop in which each thread has accumulators of its own; None where it needs none.

        `write` writes the loop in a mode.
        """
        inside = {by_name[name].name for name in called(loop)}
        shared = [each for name, each in around.accumulators.items() if name in inside]
        if not shared:
            return None
        mode = Parallel(uneven=loop.uneven, reductions=tuple(each.reduction for each in shared if each.by_clause))
        by_hand = [each for each in shared if not each.by_clause]
        if not by_hand:
            return write(mode, around)
        own = [
            replace(each, array=replace(each.array, name=self.names.new(f"own_{each.array.name}"))) for each in by_hand
        ]
        memory = self._memory(own)
        run = write(replace(mode, in_region=True, nowait=True), around.collecting(own))
        collected = [self._collected(total, mine) for total, mine in zip(by_hand, own, strict=True)]
        return (c.Region(memory.provided_to_thread(run, collected)),)

    def _collected(self, total: Accumulator, own: Accumulator) -> c.Statement:
        """What one thread has is combined with what all have."""

        def combined(one: c.Expression, two: c.Expression) -> c.Statement:
            return accumulate(total.operator, Value(one, total.type), Value(two, own.type), self.externals)

        one, two = c.Name(total.array.name), c.Name(own.array.name)
        if total.is_scalar:
            return combined(one, two)
        at = c.Name(self.at)
        return self._each(own, at, combined(c.Index(one, at), c.Index(two, at)))

    # --- memory ---------------------------------------------------------------------------------------------------

    def _memory(self, these: Sequence[Accumulator]) -> "_Memory":
        """The accumulators, filled with the identity."""
        made: list[c.Statement] = []
        arrays = [each for each in these if not each.is_scalar]
        failed = self.names.new("failed") if arrays else None
        if failed is not None:
            made.append(c.Declare("int", failed, c.ZERO))
        for each in these:
            start = identity(each.operator, each.type, self.externals).code
            if failed is None or each.is_scalar:
                made.append(c.Declare(each.type.c_name, each.array.name, start))
                continue
            made.append(claimed(each.array, failed))
            at = c.Name(self.at)
            filled = self._each(each, at, c.Assign(c.Index(c.Name(each.array.name), at), start))
            made.append(c.If(succeeded(failed), (filled,)))
        return _Memory(tuple(made), tuple(each.array for each in these), tuple(each.array for each in arrays), failed)

    def _each(self, each: Accumulator, at: c.Name, body: c.Statement) -> c.Statement:
        return counting(at.name, integer(bound(each.size, {})), (body,))


@dataclass(frozen=True, slots=True)
class _Memory:
    """Accumulators as they are made. `failed`: the variable that says whether one of `arrays` is missing."""

    made: Statements
    accumulators: tuple[Array, ...]
    arrays: tuple[Array, ...]
    failed: str | None

    def provided(self, body: Statements) -> Statements:
        """The body, where there is memory, between what is made for it and what is released."""
        if self.failed is not None:
            body = (c.If(succeeded(self.failed), body, (failing(self.failed),)), *released(self.arrays))
        used = c.names_used([*self.made, *body])
        constants = (d for array in self.accumulators for d in array.constants)
        return (*(d for d in constants if d.name in used), *self.made, *body)

    def provided_to_thread(self, run: Statements, collected: Sequence[c.Statement]) -> Statements:
        """A loop that all threads must reach, whether or not they have got their memory."""
        merge = (c.Critical(tuple(collected)),)
        if self.failed is None:
            return (*self.made, *run, *merge)
        (loop,) = [s for s in run if isinstance(s, c.For)]
        guarded = replace(loop, body=(c.If(succeeded(self.failed), loop.body),))
        merged = c.If(succeeded(self.failed), merge, (failing(self.failed),))
        return (*self.made, guarded, merged, *released(self.arrays))


def _contributing(node: Merge, by_name: Mapping[str, Statement]) -> dict[str, list[Scan]]:
    """What is merged behind a loop, by the names of statements."""
    found: dict[str, list[Scan]] = {}
    for one in node.scans:
        if by_name[one.name].role is Role.BODY:
            found.setdefault(by_name[one.name].name, []).append(one)
    return found


def _equation(statement: Statement) -> Expression:
    assert statement.equation is not None
    return statement.equation.expression


def _results(statement: Statement, scans: Sequence[Scan]) -> Domain:
    """The results to which the scans contribute."""

    def images() -> Iterator[Domain]:
        for one in scans:
            space = one.domain.space
            function = AffineFunction(space, statement.target.renamed(space.names).outputs)
            names = fresh_names(len(function.outputs), "z", space.parameters)
            yield one.domain.image(function, names)

    return reduce(Domain.__or__, images()).simplify()
