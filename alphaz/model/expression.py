"""Expressions: right-hand sides of equations, names resolved; and tables of results about their nodes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.diagnostics import NOWHERE, Span
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, AffineFunction, Domain


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """Any expression; a rewritten node keeps the span of its origin."""

    span: Span = field(default=NOWHERE, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Expression):
    """A literal: an int, a bool, or a real as text (so that no digit is lost), `0.1` or a float `0.1f`. Defined
    in every context."""

    value: int | bool | str


@dataclass(frozen=True, slots=True, eq=False)
class IndexValue(Expression):
    """The value of an affine expression of the indices and parameters: `[i+j]`, `val(i,j -> i+j)`."""

    affine: Affine


@dataclass(frozen=True, slots=True, eq=False)
class Access(Expression):
    """`variable` at `function(z)`; the function is from the context space to the indices of the variable."""

    variable: str
    function: AffineFunction


@dataclass(frozen=True, slots=True, eq=False)
class Compose(Expression):
    """`function @ body`: at z, the value of body at function(z). The body's context space has `names` as indices."""

    function: AffineFunction
    names: tuple[str, ...]
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`-` or `not`."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expression):
    """An infix operator: or xor and nand == != < <= > >= + - % * / min max."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Nary(Expression):
    """A prefix operator over two or more operands: min max + * and or xor; it associates to the left."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Case(Expression):
    """The branch whose expression domain has z; branches never overlap in a checked program."""

    branches: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Restrict(Expression):
    """`body`, defined only on `domain` (over the context space)."""

    domain: Domain
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class If(Expression):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expression):
    """An external function, applied to values."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reduce(Expression):
    """`reduce(operator, projection, body)`: at z, the body combined over all z' with projection(z') = z.

    The projection is from the space of the body (its names are in scope there) to the context space. `operator` is one
    of + * min max and or xor, or the name of an external function.
    """

    operator: str
    projection: AffineFunction
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Domains and types: `expression_domain[e]` is where e has a value, `context_domain[e]` where it is needed; both
    over the context space of e. `types[e]` is the C type of its value (after C's conversions; an integer literal
    that fits is INT)."""

    expression_domain: Mapping[Expression, Domain]
    context_domain: Mapping[Expression, Domain]
    types: Mapping[Expression, ScalarType]
