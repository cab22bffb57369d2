"""Results of analysis about expressions: tables keyed by node."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.model.expression import Expression
from alphaz.model.types import ScalarType
from alphaz.poly import Domain


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Domains and types: `expression_domain[e]` is where e has a value, `context_domain[e]` where it is needed; both
    over the context space of e. `types[e]` is the C type of its value (after C's conversions; an integer literal
    that fits is INT)."""

    expression_domain: Mapping[Expression, Domain]
    context_domain: Mapping[Expression, Domain]
    types: Mapping[Expression, ScalarType]
