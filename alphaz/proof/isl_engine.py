"""isl as an engine for certificates: it decides the formulas in the certificate, not the sets that the verifier built.

The text for isl is generated again from the plain data. One in the certificate must be equal, and is never parsed."""

from collections.abc import Mapping

from alphaz.certificate.engine_answer import Decide, Decision
from alphaz.certificate.mapping_inventory import Stated
from alphaz.poly import Affine, Domain, OutOfBudget, budget, equal
from alphaz.poly.versions import versions
from alphaz.proof.certificate_formulas import formula_of
from alphaz.proof.discharge import BUDGET


def engine() -> tuple[str, Decide]:
    """Returns the name of the engine with its version, and the engine."""
    return f"isl of islpy {versions()['islpy']}", decide


def decide(entry: Stated, values: Mapping[str, int] | None = None) -> Decision:
    """Returns the decision that the violations are empty or not; with values, whether that point is not a violation."""
    try:
        formula = formula_of(entry.violations)
        if entry.isl and entry.isl != formula.text():
            return Decision(None, "its isl text and its plain data are not the same set", is_odd=True)
        with budget(BUDGET):
            domain = formula.domain()
            if values is not None:
                point = [
                    equal(Affine.name(name), values[name]) for name in (*domain.space.parameters, *domain.space.names)
                ]
                domain &= Domain.where(domain.space, point)
            return Decision(domain.is_empty())
    except OutOfBudget as limit:
        return Decision(None, str(limit))
