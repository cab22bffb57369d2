"""Conditions on loops as obligations (V): empty sets, loops that have an iteration, reductions that select."""

from collections.abc import Iterator, Sequence

from alphaz.analysis.checks.question import parameters_text, point_text
from alphaz.analysis.facts.guarded_reductions import GuardedReduction
from alphaz.diagnostics import Place, Span, Witness
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.loops.nonempty import MissingIteration
from alphaz.mapping.statement import Statement
from alphaz.poly import Domain
from alphaz.proof import Obligation, Values


def nothing(claim: str, domain: Domain, span: Span) -> Obligation:
    """Returns the obligation that the set has no points. `claim` states the meaning of that."""
    names, parameters = domain.space.names, domain.space.parameters

    def explain(values: Values) -> Witness:
        known = tuple((name, values[name]) for name in parameters)
        at = ", ".join(f"{name}={values[name]}" for name in names)
        return Witness(known, (), f"{parameters_text(values, parameters)}there is something{f' at {at}' if at else ''}")

    return Obligation(
        rule=CAUSALITY,
        claim=claim,
        violations=lambda: domain,
        roles=(("point", names),),
        explain=explain,
        recheck=domain.contains,
        span=span,
    )


def selecting(where: str, statement: Statement, domain: Domain, guarded: GuardedReduction) -> Iterator[Obligation]:
    """Yields the obligations that every operation of the domain computes the reduction over at least one point.

    `where` names the operations.
    """
    yield _within(f"{where}: every operation computes what it selects by", statement, domain, guarded.known)
    yield _within(f"{where}: every operation has something to select from", statement, domain, guarded.filled)


def _within(claim: str, statement: Statement, domain: Domain, results: Domain) -> Obligation:
    names, parameters = domain.space.names, domain.space.parameters
    there = results.renamed(names)

    def explain(values: Values) -> Witness:
        at = tuple(values[name] for name in names)
        known = tuple((name, values[name]) for name in parameters)
        sentence = f"{parameters_text(values, parameters)}{point_text(statement.name, at)} does not"
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


# The budget of one loop: keeping its guard costs less than a second of generation time.
FEW = 300_000


def never_empty(where: str, missing: Sequence[MissingIteration], span: Span) -> Iterator[Obligation]:
    """Yields the obligations that the loop has an iteration wherever one of `missing` has a point. `where` names the
    loop.
    """
    for each in missing:
        yield _obligation(where, each, span)


def _obligation(where: str, missing: MissingIteration, span: Span) -> Obligation:
    around, parameters = missing.place.names, missing.place.context.space.parameters

    def explain(values: Values) -> Witness:
        at = ", ".join(f"{name}={values[name]}" for name in around)
        known = tuple((name, values[name]) for name in parameters)
        sentence = f"nothing around it keeps it from having no iteration{f' at {at}' if at else ''}"
        return Witness(known, (), f"{parameters_text(values, parameters)}{sentence}")

    return Obligation(
        rule=CAUSALITY,
        claim=f"{where}: it has an iteration wherever the bounds and tests around it let it be reached",
        violations=missing.points,
        roles=(("loops", missing.space.names),),
        explain=explain,
        recheck=missing.has,
        span=span,
    )
