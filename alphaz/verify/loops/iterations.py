"""Loops that have an iteration whenever they are reached, as obligations of the one engine (V).

What is done around such a loop as well (a sum is fetched in front of it, and put back behind it) needs no test. Let K
be what bounds and tests around the loop say, whatever its steps are:
    { (loops around, parameters) : K holds, and the first value of the loop is beyond its bound }
is empty. Where that is not proved the test stays.
"""

from collections.abc import Iterator, Sequence

from alphaz.analysis.checks.question import given
from alphaz.diagnostics import Span, Witness
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.loops.nonempty import Missing
from alphaz.proof import Obligation, Values

# What one loop may cost: its guard costs less than a second of waiting for the code.
FEW = 300_000


def never_empty(where: str, missing: Sequence[Missing], span: Span) -> Iterator[Obligation]:
    """It has an iteration wherever one of `missing` would have a point. `where` says which loop it is."""
    for each in missing:
        yield _obligation(where, each, span)


def _obligation(where: str, missing: Missing, span: Span) -> Obligation:
    around, parameters = missing.place.names, missing.place.context.space.parameters

    def explain(values: Values) -> Witness:
        at = ", ".join(f"{name}={values[name]}" for name in around)
        known = tuple((name, values[name]) for name in parameters)
        sentence = f"nothing around it keeps it from having no iteration{f' at {at}' if at else ''}"
        return Witness(known, (), f"{given(values, parameters)}{sentence}")

    return Obligation(
        rule=CAUSALITY,
        claim=f"{where}: it has an iteration wherever the bounds and tests around it let it be reached",
        violations=missing.points,
        roles=(("loops", missing.space.names),),
        explain=explain,
        recheck=missing.has,
        span=span,
    )
