"""The indices of an equation, with their sizes: the domain of its expressions."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.analysis.texts.domain_texts import domain_text
from alphaz.diagnostics import NOWHERE
from alphaz.frontends.matrix.storage import Form, MatrixStorage
from alphaz.poly import Affine, Constraint, Domain, Space, at_least, equal, less
from alphaz.syntax.printer import print_domain


@dataclass(frozen=True, slots=True)
class IndexScope:
    """Indices with sizes: `sizes` are parameters, those of `names` in order."""

    parameters: tuple[str, ...]
    names: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()

    @property
    def space(self) -> Space:
        return Space(self.parameters, self.names)

    @property
    def context(self) -> Domain:
        """Returns the context: every parameter is at least 0."""
        return Domain.where(
            Space(self.parameters), [at_least(Affine.name(parameter), 0) for parameter in self.parameters]
        )

    @property
    def everywhere(self) -> Domain:
        return Domain.universe(self.space)

    @property
    def box(self) -> Domain:
        """Returns the box: every index from 0 to its size, exclusive."""
        return self.bounds(self.names)

    def bounds(self, names: Sequence[str]) -> Domain:
        """Returns the bounds of some of the indices."""
        constraints: list[Constraint] = []
        for name, size in zip(self.names, self.sizes, strict=True):
            if name in names:
                constraints += [at_least(Affine.name(name), 0), less(Affine.name(name), Affine.name(size))]
        return Domain.where(self.space, constraints)

    def with_index(self, name: str, size: str) -> "IndexScope":
        return IndexScope(self.parameters, (*self.names, name), (*self.sizes, size))

    def stored(self, storage: MatrixStorage, row: str, column: str) -> Domain:
        """Returns the domain where the element of a row and a column is stored."""
        i, j = Affine.name(row), Affine.name(column)
        match storage.form:
            case Form.TRIANGULAR if storage.unit:
                return self.where(less(i, j) if storage.upper else less(j, i))
            case Form.TRIANGULAR | Form.SYMMETRIC:
                return self.where(at_least(j, i) if storage.upper else at_least(i, j))
            case Form.BAND:
                return self.where(at_least(_size(storage.below), i - j), at_least(_size(storage.above), j - i))
        return self.everywhere

    def diagonal(self, row: str, column: str) -> Domain:
        return self.where(equal(Affine.name(row), Affine.name(column)))

    def where(self, *constraints: Constraint) -> Domain:
        return Domain.where(self.space, constraints)

    def declared(self, domain: Domain, names: Sequence[str]) -> str:
        """Returns `{i,j | 0<=i<m && 0<=j<n}`, the indices in this order."""
        condition = domain.onto(names).within(self.context).simplify()
        return print_domain(domain_text(condition, tuple(names), NOWHERE))

    def restrict(self, domain: Domain, known: Domain) -> str:
        """Returns `{| i<=j}`: the constraints of a part that `known` does not imply."""
        condition = domain.gist(known.in_context(self.context)).simplify()
        return print_domain(domain_text(condition, (), NOWHERE))


def _size(text: str) -> Affine:
    """A number of diagonals: a number, or the name of a parameter."""
    return Affine(constant=int(text)) if text.isdigit() else Affine.name(text)
