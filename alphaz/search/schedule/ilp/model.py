"""Integer linear programs as data, and HiGHS, which solves them (the extra `schedule`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_SCHEDULE

Terms = Mapping[str, int]


@dataclass(slots=True)
class Model:
    """Variables with bounds, and constraints `sum(coefficient * variable) + constant >= 0` (or `== 0`)."""

    variables: dict[str, tuple[float, float]] = field(default_factory=dict)
    constraints: list[tuple[dict[str, int], int, bool]] = field(default_factory=list)

    def add(self, name: str, low: float = 0, high: float = inf) -> None:
        self.variables[name] = (low, high)

    def require(self, terms: Terms, constant: int = 0, equality: bool = False) -> None:
        kept = {name: coefficient for name, coefficient in terms.items() if coefficient}
        if kept or constant < 0 or (equality and constant):
            self.constraints.append((kept, constant, equality))


def solve(model: Model, objectives: Sequence[Terms], seconds: float) -> dict[str, int] | None:
    """Returns values that minimise the objectives lexicographically.

    None if the constraints are infeasible. Raises Rejected (AZ511) if HiGHS is not installed, TimeoutError after
    `seconds` for one objective."""
    try:
        import highspy  # noqa: PLC0415 - optional, and slow to load
    except ImportError:
        message = "this engine needs HiGHS"
        raise Rejected(Diagnostic(NO_SCHEDULE, message, Label(NOWHERE), help="pip install highspy")) from None
    names = list(model.variables)
    if not names:
        return {} if all(not c for _, c, _ in model.constraints) else None
    place = {name: at for at, name in enumerate(names)}

    class Silent(highspy.Highs):
        """HiGHS without its banner on stdout, which it prints if callbacks are enabled in the constructor."""

        def enableCallbacks(self) -> None:  # noqa: N802
            self.silent()

    highs: Any = Silent()  # type: ignore[no-untyped-call]
    for option, value in (("threads", 1), ("time_limit", seconds), ("mip_rel_gap", 0.0), ("random_seed", 0)):
        highs.setOptionValue(option, value)
    every = np.arange(len(names), dtype=np.int32)
    low, high = (np.array([model.variables[name][side] for name in names], dtype=float) for side in (0, 1))
    highs.addVars(len(names), low, high)
    highs.changeColsIntegrality(len(names), every, np.array([highspy.HighsVarType.kInteger] * len(names)))

    def add(terms: Terms, lower: float, upper: float) -> None:
        columns = np.array([place[name] for name in terms], dtype=np.int32)
        highs.addRow(lower, upper, len(terms), columns, np.array(list(terms.values()), dtype=float))

    for terms, constant, equality in model.constraints:
        add(terms, -constant, -constant if equality else inf)
    solution: dict[str, int] | None = None
    for objective in objectives or ({},):
        costs = np.zeros(len(names))
        for name, coefficient in objective.items():
            costs[place[name]] = coefficient
        highs.changeColsCost(len(names), every, costs)
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise TimeoutError
        if status != highspy.HighsModelStatus.kOptimal:
            return None
        found = highs.getSolution().col_value
        solution = {name: round(found[at]) for name, at in place.items()}
        if objective:
            add(objective, -inf, sum(coefficient * solution[name] for name, coefficient in objective.items()))
    return solution
