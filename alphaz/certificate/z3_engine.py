"""The second engine: z3. Its only input is SMT-LIB text made from the certificate."""

from collections.abc import Mapping
from typing import Any

from alphaz.certificate.certificate import Stated
from alphaz.certificate.decision import Decide, Decision
from alphaz.certificate.smt import logic_of, smt_text

STEPS = 80_000_000
"""The work limit of z3 for one obligation (`rlimit`): about twenty seconds, independent of the load."""


def engine() -> tuple[str, Decide]:
    """Returns the name of the engine with its version, and the engine."""
    import z3  # noqa: PLC0415 - a fifth of a second

    def decide(entry: Stated, at: Mapping[str, int] | None = None) -> Decision:
        return _decide(z3, smt_text(entry.violations, at), logic_of(entry.violations))

    return f"z3 {z3.get_version_string()}", decide


def _decide(z3: Any, text: str, logic: str) -> Decision:
    solver = z3.SolverFor(logic, ctx=z3.Context())
    solver.set("rlimit", STEPS)
    try:
        solver.from_string(text)
    except z3.Z3Exception as error:
        return Decision(None, f"z3 cannot read it: {error}", is_odd=True)
    answer = solver.check()
    if answer == z3.unknown:
        return Decision(None, solver.reason_unknown())
    return Decision(answer == z3.unsat)
