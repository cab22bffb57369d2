"""All strategies, in the order in which they are tried."""

from alphaz.search.schedule.strategies import (
    default,
    dynamic,
    factorization,
    matrix_vector,
    product,
    stencil,
    substitution,
)

STRATEGIES = tuple(
    strategy.STRATEGY for strategy in (product, factorization, dynamic, substitution, stencil, matrix_vector, default)
)
