"""Sets that are left out of loops since they have no points, as obligations of the one engine (V).

What lies in no tile, in no group of iterations, in no branch gets no loops there. Let D be what is left out:
    D
is empty. Where that is not proved it stays: loops over nothing do nothing.
"""

from alphaz.analysis.checks.question import given
from alphaz.diagnostics import Span, Witness
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.poly import Domain
from alphaz.proof import Obligation, Values


def nothing(claim: str, domain: Domain, span: Span) -> Obligation:
    """The set has no points. `claim` says what that means."""
    names, parameters = domain.space.names, domain.space.parameters

    def explain(values: Values) -> Witness:
        known = tuple((name, values[name]) for name in parameters)
        at = ", ".join(f"{name}={values[name]}" for name in names)
        return Witness(known, (), f"{given(values, parameters)}there is something{f' at {at}' if at else ''}")

    return Obligation(
        rule=CAUSALITY,
        claim=claim,
        violations=lambda: domain,
        roles=(("point", names),),
        explain=explain,
        recheck=domain.contains,
        span=span,
    )
