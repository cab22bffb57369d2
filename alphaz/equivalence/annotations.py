"""Annotations of statements: used where they agree with the sample runs, as claims that must be proved."""

from collections.abc import Iterable, Mapping, Sequence

from alphaz.equivalence.affine_fitting import Sample
from alphaz.equivalence.value_graph import Item
from alphaz.poly import Affine
from alphaz.scop.c_model import Annotation, KernelStatement


def is_of(annotation: Annotation, key: str) -> bool:
    """Returns True if the annotation is about the value: the variable, an operation in its equation, or a part of a
    sum."""
    return annotation.variable == key.partition(".")[0]


def annotated_point(
    statement: KernelStatement, key: str, count: int, samples: Sequence[Sample]
) -> tuple[Affine, ...] | None:
    """Returns the annotated point of a value with `count` indices, or of an operation inside its equation."""
    annotation = statement.annotation
    if annotation is None or not is_of(annotation, key) or len(annotation.point) != count:
        return None
    return annotation.point if _agrees(annotation.point, samples) else None


def annotated_body(
    statement: KernelStatement, key: str, item: Item, samples: Sequence[Sample], before: Sequence[Affine] = ()
) -> tuple[Affine, ...] | None:
    """Returns the annotated body point of the added term. For a part of a sum, the indices start at `before`."""
    annotation = statement.annotation
    if annotation is None or not is_of(annotation, key) or not annotation.body:
        return None
    body = annotation.body if len(annotation.body) == len(item.names) else (*before, *annotation.body)
    return body if len(body) == len(item.names) and _agrees(body, samples) else None


def annotated_taker(
    taker: KernelStatement, loops: Sequence[str], worker: KernelStatement, samples: Sequence[Sample]
) -> tuple[Affine, ...] | None:
    """Returns the instance, over its loops, that adds the result of a worker: the one at the same point, in the loops
    of both; and of the same cell, if it reads that cell."""
    if taker.annotation is None or worker.annotation is None or taker.annotation.variable != worker.annotation.variable:
        return None
    read = next((access for access in taker.reads if access.array is worker.target.array), None)
    cells = [] if read is None else list(zip(read.subscripts, worker.target.subscripts, strict=True))
    # The cell first: in a loop of both, a later iteration may add the result of an earlier one.
    own = {name: Affine.name(name) for name in loops if name in worker.iterators}
    common_loops = own | _solved(cells, loops, {})
    points = zip(taker.annotation.point, worker.annotation.point, strict=False)
    common_loops = _solved((*cells, *points), loops, common_loops)
    if not {*loops} <= common_loops.keys():
        return None
    instance = tuple(common_loops[name] for name in loops)
    return instance if _agrees(instance, samples) else None


def _solved(
    pairs: Iterable[tuple[Affine, Affine]], loops: Sequence[str], known: Mapping[str, Affine]
) -> dict[str, Affine]:
    """Returns the values of the loops that are not known, for which one side of a pair is equal to the other."""
    solved = dict(known)
    for one, other in pairs:
        unknown = [name for name in one.names if name in loops and name not in solved]
        if len(unknown) == 1 and abs(factor := one.coefficient(unknown[0])) == 1:
            rest = (one - Affine.name(unknown[0]) * factor).substitute(solved)
            solved[unknown[0]] = (other - rest) * factor
    return solved


def _agrees(point: tuple[Affine, ...], samples: Sequence[Sample]) -> bool:
    return all(tuple(affine.at(instance) for affine in point) in points for instance, points in samples)
