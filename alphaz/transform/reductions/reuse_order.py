"""Checks that a self-dependent reduction still has an evaluation order if its answers are reused.

An order remains if a linear form of the indices of an answer is greater at y than at y + s, and than at every answer
that the body needs for y, directly or through other variables. Paths through variables that depend on themselves are
not followed."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from alphaz.analysis.facts.dependences import Dependence, dependences
from alphaz.diagnostics import Label
from alphaz.model.program import System, defined_by
from alphaz.model.walk import reads
from alphaz.poly import Affine, Domain, at_least, equal, fresh_names
from alphaz.transform.engine.edit import roots
from alphaz.transform.engine.refusals import refusal
from alphaz.transform.reductions.site import ReductionSite

Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """At each point of the domain, the answer at `here` needs the value of `producer` at `there`."""

    domain: Domain
    here: tuple[Affine, ...]
    producer: str
    there: tuple[Affine, ...]


def require_order(whole: ReductionSite, step: Vector) -> None:
    """Raises Rejected if reading the answer at y + `step` for every answer y might close a cycle."""
    name = whole.owner
    if name not in _needed_by(whole.system, reads(whole.node.body)):
        return
    ways = list(_ways(whole))
    if not any(_grows(ways, step, form) for form in _forms(len(step))):
        raise refusal(
            f"the body needs `{name}` itself, and no linear form of the indices grows along both this and the reuse",
            whole.span,
            secondary=(Label(whole.node.span, "the reduction"),),
            help="reuse in the other direction, or along another vector",
        )


def _needed_by(system: System, names: frozenset[str]) -> set[str]:
    """The transitive dependences of these variables, themselves included."""
    needed_names = set(names)
    while True:
        more = set(needed_names)
        for equation in system.equations:
            if needed_names & set(defined_by(equation)):
                more.update(*(reads(root) for root in roots(equation)))
        if more == needed_names:
            return needed_names
        needed_names = more


def _ways(whole: ReductionSite) -> Iterator[_Way]:
    """Every path from an answer to an answer that it needs, with no answer between."""
    edges: dict[str, list[Dependence]] = {}
    for edge in dependences(whole.system, whole.facts):
        if whole.owner in _needed_by(whole.system, frozenset((edge.producer,))):
            edges.setdefault(edge.consumer, []).append(edge)
    waiting: list[tuple[_Way, tuple[str, ...]]]
    waiting = [(_first(edge), (edge.producer,)) for edge in edges.get(whole.owner, ())]
    while waiting:
        way, passed = waiting.pop()
        if way.domain.is_empty():
            continue
        if way.producer == whole.owner:
            yield way
            continue
        if way.producer in passed[:-1] or way.producer not in edges:
            raise refusal(
                f"the body depends on `{whole.owner}` through `{way.producer}`, which depends on itself or on a call: "
                f"it is not known that an order of evaluation remains",
                whole.span,
                secondary=(Label(whole.node.span, "the reduction"),),
            )
        waiting += [(_longer(way, edge), (*passed, edge.producer)) for edge in edges[way.producer]]


def _first(edge: Dependence) -> _Way:
    names = edge.domain.space.names
    return _Way(
        edge.domain, edge.projection.renamed(names).outputs, edge.producer, edge.function.renamed(names).outputs
    )


def _longer(way: _Way, edge: Dependence) -> _Way:
    """The path extended by the reads of its last value."""
    old = way.domain.space
    new = fresh_names(edge.domain.space.dimensions, "s", (*old.parameters, *old.names))
    space = old.with_names((*old.names, *new))
    meets = [equal(a, b) for a, b in zip(way.there, edge.projection.renamed(new).outputs, strict=True)]
    domain = way.domain.embedded(space) & edge.domain.renamed(new).embedded(space) & Domain.where(space, meets)
    return _Way(domain, way.here, edge.producer, edge.function.renamed(new).outputs)


def _forms(count: int) -> Iterator[Vector]:
    """Linear forms with small coefficients, the simplest first."""
    yield from sorted(product((0, 1, -1, 2, -2), repeat=count), key=lambda form: sum(map(abs, form)))


def _grows(ways: list[_Way], step: Vector, form: Vector) -> bool:
    """Returns True if the form decreases along the step, and increases from each needed answer to its reader."""
    if sum(a * b for a, b in zip(form, step, strict=True)) >= 0:
        return False
    for way in ways:
        grows = [at_least(_value(way.here, form) - _value(way.there, form), 1)]
        if not way.domain.is_subset(Domain.where(way.domain.space, grows)):
            return False
    return True


def _value(point: tuple[Affine, ...], form: Vector) -> Affine:
    total = Affine()
    for output, coefficient in zip(point, form, strict=True):
        total = total + output * coefficient
    return total
