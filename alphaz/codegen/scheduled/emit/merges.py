"""Reduction dimensions: contributions of a loop to a reduction are collected in accumulators, and merged into the
result after the whole loop.

A sequential loop needs one accumulator for each result. In a parallel loop every thread has its own: by the reduction
clause of OpenMP where there is one result and the clause knows the operator, else by hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import array_over, claimed, succeeded
from alphaz.codegen.c.comments import line_of
from alphaz.codegen.c.expressions import CValue, identity
from alphaz.codegen.c.integers import bound, in_c, integer
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import (
    GridMerging,
    MergedCell,
    bind,
    counting,
    loops_in_c,
    reached_instances,
    with_used,
)
from alphaz.codegen.c.readable_c import one_by_one
from alphaz.codegen.scheduled.memory.emit_context import Accumulator, ScratchMemory
from alphaz.codegen.scheduled.statements.lowering import TOTALS, ScheduledLowering, accumulate
from alphaz.codegen.scheduled.statements.statement_templates import FirstContributions
from alphaz.loops.modes import Reduction
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Merge, MergeGrid, Scan
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.expression import Expression
from alphaz.model.program import External
from alphaz.poly import Affine, AffineFunction, Domain, fresh_names

Statements = tuple[c.Statement, ...]


@dataclass(frozen=True, slots=True)
class Merging:
    """Writes the loops of one nest that have reduction dimensions. `at`: an iterator over accumulators."""

    mapping: ResolvedMapping
    first_contributions: FirstContributions
    externals: Mapping[str, External]
    parameters: Mapping[str, Affine]
    names: Identifiers
    at: str

    # --- the whole loop -------------------------------------------------------------------------------------------

    def collection(self, node: Merge, by_name: Mapping[str, Statement], lowering: ScheduledLowering) -> "Collection":
        """Returns the code around the loop; `lowering` is that of the code after it."""
        scans = _contributing(node, by_name)
        statements = {name: self.mapping.statement(name) for name in scans}
        made = [self._accumulator(s, scans[n], node.assumptions, self._name(s)) for n, s in statements.items()]
        merged = [
            s
            for accumulator in made
            for s in self._merged(accumulator, scans[accumulator.statement.name], node.assumptions, lowering)
        ]
        return Collection(tuple(made), self._memory(made), tuple(merged))

    def in_one(self, node: Merge, by_name: Mapping[str, Statement]) -> frozenset[str]:
        """Returns the statements whose contributions are collected in one variable each."""
        return frozenset(
            accumulator.statement.name for accumulator in self.collected(node, by_name) if accumulator.is_scalar
        )

    def collected(self, node: Merge, by_name: Mapping[str, Statement]) -> Iterator[Accumulator]:
        """Yields the accumulators of a loop, named after their statements."""
        for name, scans in _contributing(node, by_name).items():
            yield self._accumulator(self.mapping.statement(name), scans, node.assumptions, name)

    def _accumulator(self, statement: Statement, scans: Sequence[Scan], known: Domain, name: str) -> Accumulator:
        type_ = self.mapping.system.variable(statement.variable).type
        values = {**{p: Affine.name(p) for p in known.space.parameters}, **self.parameters}
        results = _results(statement, scans)
        array = array_over(name, type_, results, known, values, is_filled=len(results.space.names) > 1)
        return Accumulator(statement, statement.reduction.operator, array)

    def _name(self, statement: Statement) -> str:
        stem = TOTALS.get(statement.reduction.operator, "total")
        return self.names.new(f"{stem}_{identifier(statement.variable)}")

    def _merged(
        self, accumulator: Accumulator, scans: Sequence[Scan], known: Domain, lowering: ScheduledLowering
    ) -> Statements:
        """Returns the merge: the accumulated values become the result, or are combined with the result of earlier
        loops.
        """
        statement, variable = accumulator.statement, accumulator.statement.variable
        results = _results(statement, scans)
        first = results & Domain.empty(results.space)
        if not any(s.role is Role.INIT and s.variable == variable for s in self.mapping.statements):
            first = _results(statement, self._earliest(statement, scans))
        names = results.space.names
        date = tuple(map(Affine.name, names))
        parts = [Scan("first", first, date), Scan("more", (results - first).simplify(), date)]
        iterators = [self.names.new(f"{identifier(variable)}_{position}") for position in range(len(names))]
        tree = readable_scan(parts, known, iterators)
        moved: dict[Instance, Statements] = {}
        for call, arguments in reached_instances(tree, self.parameters):
            declared, scope = bind(names, arguments, self.names.new)
            target, value = (
                lowering.cells.element(variable, scope.values),
                CValue(accumulator.element(scope.values), accumulator.type),
            )
            more = accumulate(accumulator.operator, CValue(target, accumulator.type), value, self.externals)
            assign = c.Assign(target, value.code) if call.name == "first" else more
            moved[call] = with_used(declared, (replace(assign, about=c.ValueAnnotation(variable, scope.values)),))
        comment = c.Comment(line_of(variable, "=", _equation(statement), names))
        return (comment, *loops_in_c(tree, self.parameters, moved))

    def _earliest(self, statement: Statement, scans: Sequence[Scan]) -> list[Scan]:
        """Returns the contributions of the first loop that has any, for each result."""
        first = self.first_contributions.contributions(statement)
        earliest = []
        for scan in scans:
            space = scan.domain.space
            more = [p for p in space.parameters if p not in first.space.parameters]
            earliest.append(replace(scan, domain=scan.domain & first.renamed(space.names).with_parameters(more)))
        return earliest

    # --- a parallel loop in it ------------------------------------------------------------------------------------

    def collects(self, node: Merge, by_name: Mapping[str, Statement]) -> dict[str, Reduction | None]:
        """Returns how a parallel loop in it combines its accumulations, by the names of statements; None where it
        cannot.
        """
        collected = self.collected(node, by_name)
        return {
            accumulator.statement.name: accumulator.reduction if accumulator.by_clause else None
            for accumulator in collected
        }

    def of_thread(self, shared: Sequence[Accumulator]) -> tuple[tuple[Accumulator, ...], ScratchMemory]:
        """Returns private accumulators of a thread that replace the shared ones, and their allocation."""
        own = tuple(
            replace(accumulator, array=replace(accumulator.array, name=self.names.new(f"own_{accumulator.array.name}")))
            for accumulator in shared
        )
        return own, replace(self._memory(own), constants=())

    def combined(self, total: Accumulator, own: Accumulator) -> c.Statement:
        """Returns the statement that combines a thread's accumulator with the shared one."""

        def combined(one: c.Expression, two: c.Expression, about: c.ValueAnnotation | None) -> c.Statement:
            accumulated = accumulate(total.operator, CValue(one, total.type), CValue(two, own.type), self.externals)
            return replace(accumulated, about=about)

        one, two = c.Name(total.array.name), c.Name(own.array.name)
        if total.is_scalar:
            return combined(one, two, total.about(Affine()))
        at = c.Name(self.at)
        return self._each(own, at, combined(c.Index(one, at), c.Index(two, at), total.about(Affine.name(self.at))))

    # --- blocks ---------------------------------------------------------------------------------------------------

    def by_blocks(self, collection: "Collection", grid: MergeGrid, body: Statements) -> GridMerging:
        """Returns the parts of a loop whose accumulators blocks merge."""
        blocks, runs = (integer(in_c(value, self.parameters)) for value in (grid.blocks, grid.runs))
        new = self.names.new
        return GridMerging(
            blocks=blocks,
            threads=grid.threads,
            runs=runs,
            cells=tuple(map(self._cell, collection.accumulators)),
            made=collection.provision.made,
            body=body,
            merged=collection.merged,
            names=(new("blocks"), new("part"), new("distance"), new("count"), new("is_last")),
            merge=grid.merge,
        )

    def _cell(self, accumulator: Accumulator) -> MergedCell:
        def combined(one: c.Expression, two: c.Expression) -> c.Statement:
            return accumulate(
                accumulator.operator, CValue(one, accumulator.type), CValue(two, accumulator.type), self.externals
            )

        name = accumulator.array.name
        shared, partial = (self.names.new(f"{name}_of_{of}") for of in ("threads", "blocks"))
        return MergedCell(name=name, type=c.scalar(accumulator.type), shared=shared, partial=partial, combined=combined)

    # --- memory ---------------------------------------------------------------------------------------------------

    def _memory(self, these: Sequence[Accumulator]) -> ScratchMemory:
        """Returns the allocation of the accumulators, filled with the neutral element."""
        made: list[c.Statement] = []
        arrays = [accumulator for accumulator in these if not accumulator.is_scalar]
        failed = self.names.new("failed") if arrays else None
        if failed is not None:
            made.append(c.Declare(c.INT, failed, c.ZERO))
        for accumulator in these:
            start = identity(accumulator.operator, accumulator.type, self.externals).code
            if failed is None or accumulator.is_scalar:
                made.append(
                    c.Declare(
                        c.scalar(accumulator.type), accumulator.array.name, start, about=accumulator.about(Affine())
                    )
                )
                continue
            made.append(claimed(accumulator.array, failed))
            at = c.Name(self.at)
            about = accumulator.about(Affine.name(self.at))
            filled = self._each(
                accumulator, at, c.Assign(c.Index(c.Name(accumulator.array.name), at), start, about=about)
            )
            made.append(c.If(succeeded(failed), (filled,)))
        constants = tuple(constant for accumulator in these for constant in accumulator.array.constants)
        return ScratchMemory(tuple(made), tuple(array.array for array in arrays), failed, constants)

    def _each(self, accumulator: Accumulator, at: c.Name, body: c.Statement) -> c.Statement:
        return counting(at.name, integer(bound(accumulator.size, {})), (body,))


@dataclass(frozen=True, slots=True)
class Collection:
    """The accumulators of a loop, their allocation, and the merge after the loop."""

    accumulators: tuple[Accumulator, ...]
    provision: ScratchMemory
    merged: Statements

    def around(self, body: Statements) -> Statements:
        """Returns the loop between the two."""
        whole = one_by_one((body, self.merged))
        return (c.Block(self.provision.around(whole)),) if self.accumulators else whole


def _contributing(node: Merge, by_name: Mapping[str, Statement]) -> dict[str, list[Scan]]:
    """Returns the scans that are merged after a loop, by the names of statements."""
    scans: dict[str, list[Scan]] = {}
    for scan in node.scans:
        if by_name[scan.name].role is Role.BODY:
            scans.setdefault(by_name[scan.name].name, []).append(scan)
    return scans


def _equation(statement: Statement) -> Expression:
    assert statement.equation is not None
    return statement.equation.expression


def _results(statement: Statement, scans: Sequence[Scan]) -> Domain:
    """Returns the results to which the scans contribute."""

    def images() -> Iterator[Domain]:
        for scan in scans:
            space = scan.domain.space
            function = AffineFunction(space, statement.target.renamed(space.names).outputs)
            names = fresh_names(len(function.outputs), "z", space.parameters)
            yield scan.domain.image(function, names)

    return reduce(Domain.__or__, images()).simplify()
