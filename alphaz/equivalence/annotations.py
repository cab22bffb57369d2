"""Annotations of statements: used where they agree with the sample runs, as claims that must be proved."""

from collections.abc import Sequence

from alphaz.equivalence.affine_fitting import Sample
from alphaz.equivalence.value_graph import Item
from alphaz.poly import Affine
from alphaz.scop.kernel import Annotation, KernelStatement


def is_of(told: Annotation, key: str) -> bool:
    """Returns True if the annotation is about the value: the variable, an operation in its equation, or a part of a
    sum."""
    return told.variable == key.partition(".")[0]


def told_point(
    statement: KernelStatement, key: str, count: int, samples: Sequence[Sample]
) -> tuple[Affine, ...] | None:
    """Returns the annotated point of a value with `count` indices, or of an operation inside its equation."""
    told = statement.told
    if told is None or not is_of(told, key) or len(told.point) != count:
        return None
    return told.point if _agrees(told.point, samples) else None


def told_body(
    statement: KernelStatement, key: str, item: Item, samples: Sequence[Sample], before: Sequence[Affine] = ()
) -> tuple[Affine, ...] | None:
    """Returns the annotated body point of the added term. For a part of a sum, the indices start at `before`."""
    told = statement.told
    if told is None or not is_of(told, key) or not told.body:
        return None
    body = told.body if len(told.body) == len(item.names) else (*before, *told.body)
    return body if len(body) == len(item.names) and _agrees(body, samples) else None


def told_taker(
    taker: KernelStatement, loops: Sequence[str], worker: KernelStatement, samples: Sequence[Sample]
) -> tuple[Affine, ...] | None:
    """Returns the instance, over its loops, that adds the result of a worker: the one at the same point, in the loops
    of both; and of the same cell, if it reads that cell."""
    if taker.told is None or worker.told is None or taker.told.variable != worker.told.variable:
        return None
    known = {name: Affine.name(name) for name in loops if name in worker.iterators}
    read = next((each for each in taker.reads if each.array is worker.target.array), None)
    cells = [] if read is None else list(zip(read.subscripts, worker.target.subscripts, strict=True))
    for mine, its in (*cells, *zip(taker.told.point, worker.told.point, strict=False)):
        unknown = [name for name in mine.names if name in loops and name not in known]
        if len(unknown) == 1 and abs(factor := mine.coefficient(unknown[0])) == 1:
            rest = (mine - Affine.name(unknown[0]) * factor).substitute(known)
            known[unknown[0]] = (its - rest) * factor
    if not {*loops} <= known.keys():
        return None
    found = tuple(known[name] for name in loops)
    return found if _agrees(found, samples) else None


def _agrees(point: tuple[Affine, ...], samples: Sequence[Sample]) -> bool:
    return all(tuple(each.at(instance) for each in point) in points for instance, points in samples)
