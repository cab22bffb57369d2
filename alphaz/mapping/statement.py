"""Statements: families of operations with one date each, used by the verifier and by the generators; and their names.

Source: verifier.md sections 1 and 2; the AlphaZ Verifier thesis 3.1.4 (body or result) and 4 (precedence).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from alphaz.analysis.facts.dependences import call_label
from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.factors import Factor
from alphaz.mapping.target_mapping import DimensionKind, KindSetting
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, System, UseEquation
from alphaz.model.walk import without_restricts
from alphaz.poly import Affine, AffineFunction, Domain


class Role(StrEnum):
    """The role of the operations of a statement."""

    VALUE = "value"  # compute v[z] whole, reductions inside included
    BODY = "body"  # accumulate one contribution into v[projection(z')]
    INIT = "init"  # write the identity of the reduction into v[z]
    INPUT = "input"  # an input that was given dates of its own is written at them
    CALL = "call"  # a use equation calls its system, once for each point of its extension domain
    ALLOCATION = "alloc"  # the array of an argument of a call is made,
    COPY = "copy"  # filled (an input) or copied to the caller's variable (an output),
    FREE = "free"  # and released


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """Operations `(name, e)` for e in `domain`; each writes `variable[target(e)]` at `date(e)`.

    Those of a use equation (CALL and the operations on its arguments) have its label as `variable`, its extension as
    domain, and no target of their own: see `alphaz.mapping.use_equations`.

    `domain`, `target` and `date` share one space. All dates of a system have one length m; `kinds` has m entries.
    `equation` is None for an input. `span` is the command that set the date (the variable's declaration by default),
    `settings` the commands that set the kinds (None by default), one entry for each dimension.
    """

    name: str
    variable: str
    role: Role
    domain: Domain
    target: AffineFunction
    date: AffineFunction
    kinds: tuple[DimensionKind, ...]
    equation: Equation | None = None
    span: Span = field(default=NOWHERE, repr=False)
    settings: tuple[KindSetting | None, ...] = field(default=(), repr=False)

    @property
    def dates(self) -> tuple[Affine, ...]:
        """Returns the components of `date`, over the names of the domain."""
        return self.date.renamed(self.domain.space.names).outputs

    def chunk(self, dimension: int) -> int:
        """Returns the number of iterations of a dimension that a thread takes at a time; 0: each thread has an equal
        share.
        """
        setting = self.settings[dimension] if self.settings else None
        return 0 if setting is None else setting.chunk

    @property
    def reduction(self) -> Reduce:
        """Returns the reduction of an accumulation or its initialisation, which is the whole right-hand side."""
        assert self.equation is not None
        expression = without_restricts(self.equation.expression)
        assert isinstance(expression, Reduce)
        return expression

    @property
    def merged_at(self) -> int | None:
        """Returns the outermost reduction dimension of an accumulation: after its loop the contributions are merged."""
        if self.role is not Role.BODY or DimensionKind.REDUCTION not in self.kinds:
            return None
        return self.kinds.index(DimensionKind.REDUCTION)


def date_text(components: Sequence[object]) -> str:
    """Returns `(2,1,2)`."""
    return f"({','.join(map(str, components))})"


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """The location of `variable[z]`: `space[function(z)]`, each component taken modulo its modulus where that is not 0.

    `moduli` has one entry for each dimension of the function. `span` is the command (the declaration by default). The
    first `outer` components number the iterations that have memory of their own, by the dates of the variable.
    """

    variable: str
    space: str
    function: AffineFunction
    moduli: tuple[Factor, ...]
    span: Span = field(default=NOWHERE, repr=False)
    outer: int = 0

    @property
    def within(self) -> "Cell":
        """Returns the cell in the memory of one iteration."""
        function = replace(self.function, outputs=self.function.outputs[self.outer :])
        return replace(self, function=function, moduli=self.moduli[self.outer :], outer=0)


def labelled_uses(system: System) -> dict[str, UseEquation]:
    """Returns the use equations of a system by label, `UseEquation_<first output>`, in the order of the text."""
    return {call_label(e): e for e in system.equations if isinstance(e, UseEquation)}


def statement_names(system: System) -> tuple[str, ...]:
    """Returns the variables, then the labels."""
    return (*(v.name for v in system.variables), *labelled_uses(system))
