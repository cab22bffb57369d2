"""Builder of the set of counterexamples of one obligation: the participating operations over one space.

The reader's indices keep their names; those of other operations get primes, which no name of a program has.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from alphaz.mapping.cells import Union, one_cell
from alphaz.mapping.statement import Cell
from alphaz.model.program import System
from alphaz.order.operations import StatementInstances, SymbolicInstance
from alphaz.order.precedence import Conjunction
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Formula, Piece, Space, equal


@dataclass(frozen=True, slots=True, eq=False)
class ViolationSpace:
    """Operations with their own dimensions (`roles`) and the constraints of the counterexamples.

    `domains`, `constraints` and one conjunction of each of `choices` hold at every counterexample, which lies in no
    piece of `without`. Where one conjunction of each of `sure` holds as well, outside every piece of `perhaps`, the
    point is certainly a counterexample.
    """

    system: System
    roles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    auxiliary: tuple[str, ...] = ()
    domains: tuple[Domain, ...] = ()
    constraints: Conjunction = ()
    choices: tuple[Union, ...] = ()
    sure: tuple[Union, ...] = ()
    without: tuple[Piece, ...] = ()
    perhaps: tuple[Piece, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, names in self.roles for name in names)

    @property
    def space(self) -> Space:
        return self.system.space(self.names)

    def having(self, role: str, domain: Domain) -> "ViolationSpace":
        """Adds the points of a domain, whose names are new in this space."""
        return replace(self, roles=(*self.roles, (role, domain.space.names)), domains=(*self.domains, domain))

    def with_any(self, role: str, family: StatementInstances) -> tuple["ViolationSpace", SymbolicInstance]:
        """Adds any operation of the family."""
        names = _primed_names(family.names, {*self.names, *self.system.parameters})
        violation_space = self.having(role, family.domain.renamed(names))
        return violation_space, SymbolicInstance(family, tuple(Affine.name(n) for n in names))

    def with_writer_of(
        self, role: str, family: StatementInstances, index: Sequence[Affine]
    ) -> tuple["ViolationSpace", SymbolicInstance]:
        """Adds an operation of the family that writes its variable at `index` (which lies in the variable's domain)."""
        if not family.target.is_identity:
            violation_space, occurrence = self.with_any(role, family)
            return violation_space.where(equal(x, y) for x, y in zip(occurrence.target, index, strict=True)), occurrence
        occurrence = SymbolicInstance(family, tuple(index))
        if not family.partial:
            return self, occurrence
        there = family.domain.preimage(AffineFunction(self.space, tuple(index)))
        return replace(self, domains=(*self.domains, there)), occurrence

    def where(self, constraints: Iterable[Constraint]) -> "ViolationSpace":
        return replace(self, constraints=(*self.constraints, *constraints))

    def where_some(self, names: Iterable[str], constraints: Iterable[Constraint]) -> "ViolationSpace":
        """Restricts to points with integers of these names (new, or with the same meaning as before) that satisfy the
        constraints.
        """
        return replace(self.where(constraints), auxiliary=tuple(dict.fromkeys((*self.auxiliary, *names))))

    def in_one_cell(self, a: Cell, at: Sequence[Affine], b: Cell, there: Sequence[Affine]) -> "ViolationSpace":
        """Restricts to points where `a[at]` and `b[there]` share a cell."""
        used_names = (*self.system.parameters, *self.names, *self.auxiliary)
        cell = one_cell(a, at, b, there, used_names)
        violation_space = self.where_some(cell.auxiliary, cell.constraints)
        return replace(violation_space, choices=(*self.choices, *cell.choices), sure=(*self.sure, *cell.sure))

    def outside(self, domain: Domain) -> "ViolationSpace":
        """Excludes the points of a domain with the same names."""
        return replace(self, without=(*self.without, *domain.pieces()))

    def in_two_cells(self, a: Cell, at: Sequence[Affine], b: Cell, there: Sequence[Affine]) -> "ViolationSpace":
        """Restricts to points where `a[at]` and `b[there]` may have different cells."""
        if a.space != b.space:
            return self
        cell = one_cell(a, at, b, there, (*self.system.parameters, *self.names, *self.auxiliary))
        perhaps = cell.pieces() if cell.choices else ()
        return replace(self, without=(*self.without, *cell.pieces(surely=True)), perhaps=(*self.perhaps, *perhaps))

    @property
    def certain(self) -> "ViolationSpace | None":
        """Restricts to points that are certainly counterexamples; None where all points are."""
        if not self.choices and not self.perhaps:
            return None
        return replace(self, choices=self.sure, without=(*self.without, *self.perhaps))

    def counterexamples(self, *alternatives: Sequence[Conjunction]) -> Domain:
        """Returns the points of the space at which one conjunction of each of the alternatives holds."""
        if not all(alternatives):
            return Domain.empty(self.space)
        whole = self.space.with_names((*self.names, *self.auxiliary))
        points = Domain.where(whole, self.constraints).in_context(self.system.context)
        for domain in self.domains:
            points &= domain.embedded(whole)
        for alternative in (*self.choices, *alternatives):
            if () not in alternative:
                points &= Domain.where(whole, *alternative)
        points = points.onto(self.names) if self.auxiliary else points
        return points - Formula(self.space, (), (self.without,)).domain() if self.without else points

    def formula(self, *alternatives: Sequence[Conjunction]) -> Formula:
        """Returns the same set as a formula, without simplification."""
        domains = tuple(domain.pieces() for domain in (self.system.context, *self.domains))
        cases = tuple(tuple(map(Piece, alternative)) for alternative in (*self.choices, *alternatives))
        return Formula(self.space, self.auxiliary, (*domains, (Piece(self.constraints),), *cases), self.without)


def _primed_names(names: Sequence[str], used_names: set[str]) -> tuple[str, ...]:
    """Returns the same names with as many primes as make all of them new."""
    fresh = tuple(f"{name}'" for name in names)
    while used_names & set(fresh):
        fresh = tuple(f"{name}'" for name in fresh)
    return fresh
