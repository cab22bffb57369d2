"""What reductions in a loop select, as obligations of the one engine (V).

Where a reduction selects points by a value that is the same in a whole loop, that value is read once, in front of it.
Let D be the operations of a statement with such a reduction, K the results that the reduction computes, F those for
which it has a point:
    D - K and D - F
are empty: what is read in front of the loop is what each operation would have compared with.
"""

from collections.abc import Iterator

from alphaz.analysis.checks.question import given, point_text
from alphaz.analysis.facts.guarded_reductions import GuardedReduction
from alphaz.diagnostics import Place, Witness
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.mapping.statement import Statement
from alphaz.poly import Domain
from alphaz.proof import Obligation, Values


def selecting(where: str, statement: Statement, domain: Domain, guarded: GuardedReduction) -> Iterator[Obligation]:
    """Every operation of the domain computes the reduction, over some point. `where` says which they are."""
    yield _within(f"{where}: every operation computes what it selects by", statement, domain, guarded.known)
    yield _within(f"{where}: every operation has something to select from", statement, domain, guarded.filled)


def _within(claim: str, statement: Statement, domain: Domain, results: Domain) -> Obligation:
    names, parameters = domain.space.names, domain.space.parameters
    there = results.renamed(names)

    def explain(values: Values) -> Witness:
        at = tuple(values[name] for name in names)
        known = tuple((name, values[name]) for name in parameters)
        sentence = f"{given(values, parameters)}{point_text(statement.name, at)} does not"
        return Witness(known, (Place("point", statement.name, at),), sentence)

    return Obligation(
        rule=CAUSALITY,
        claim=claim,
        violations=lambda: domain - there,
        roles=(("point", names),),
        explain=explain,
        recheck=lambda values: domain.contains(values) and not there.contains(values),
        span=statement.span,
    )
