"""All strategies: those of alphaz in the order in which they are tried, and those of other packages, by name alone."""

from alphaz.diagnostics.plugins import load_provided, provided
from alphaz.search.schedule.request import AUTO, NONE
from alphaz.search.schedule.strategies import (
    default,
    factorization,
    interval_programs,
    matrix_vector,
    product,
    stencil,
    triangular_solve,
)
from alphaz.search.schedule.strategy import Strategy

STRATEGIES = tuple(
    strategy.STRATEGY
    for strategy in (product, factorization, interval_programs, triangular_solve, stencil, matrix_vector, default)
)

_GROUP = "alphaz.strategies"
"""The group of the entry points of other packages, each from the name of a strategy to a `Strategy`."""


def strategy_names() -> list[str]:
    """Returns the possible strategies of a request: AUTO, NONE, and the name of each."""
    own = [AUTO, NONE, *(strategy.name for strategy in STRATEGIES)]
    return [*own, *sorted(set(provided(_GROUP)) - {*own})]


def strategies_of(name: str) -> tuple[Strategy, ...]:
    """Returns the strategies to try for the name of a request. Raises Rejected(CONFIGURATION) if the package of one
    cannot be loaded."""
    if name == AUTO:
        return STRATEGIES
    named = tuple(strategy for strategy in STRATEGIES if strategy.name == name)
    return named or (load_provided(_GROUP, name, Strategy, "strategy"),)
