"""Transformations of reductions preserve meaning on random reductions, and each of them has something to do."""

from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.node_numbers import sites
from alphaz.analysis.texts.show import ashow
from alphaz.codegen.demand.write_c import write_c
from alphaz.diagnostics import Rejected, Source, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Reduce
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.poly import Affine, AffineFunction, Constraint, Domain
from alphaz.poly.algorithms.bounds import box_of
from alphaz.transform.normal.normalize import normalize
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.reductions.bodies import permutation_case_reduce, split_reduction_body, transform_reduction_body
from alphaz.transform.reductions.body_simplifications import (
    hoist_out_of_reduction,
    idempotence,
    same_operator_simplification,
)  # fmt: skip
from alphaz.transform.reductions.detect import detect_reductions
from alphaz.transform.reductions.factor import factor_out_from_reduction
from alphaz.transform.reductions.higher_order_operator import higher_order_operator
from alphaz.transform.reductions.identical_answers import remove_identical_answers
from alphaz.transform.reductions.nesting import merge_reductions, reduction_composition, reduction_decomposition
from alphaz.transform.reductions.reuse_simplification import simplifying_reduction
from alphaz.transform.reductions.search import optimal_simplifying_reductions
from alphaz.transform.reductions.serialize import serialize_reduction
from tests.strategies.reductions import planes, program
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def _serialize(d: Design, r: Random) -> Design:
    node = _reduce(d)
    first, *others = (Affine.name(n) for n in node.projection.domain.names)
    outputs = [first, *r.sample(others, len(others))]
    outputs[-1] = outputs[-1] * r.choice((1, -1)) + r.choice((Affine(), first))
    return serialize_reduction(d, "test", "Y", AffineFunction(node.projection.domain, tuple(outputs)))


def _detect(d: Design, r: Random) -> Design:
    result = detect_reductions(_serialize(d, r), "test")
    assert len(result.reductions) == 1
    return result.design


def _reduce(d: Design) -> Reduce:
    return next(site.expression for site in sites(d.program) if isinstance(site.expression, Reduce))


def _node(d: Design) -> str:
    return next(site.text for site in sites(d.program) if isinstance(site.expression, Reduce))


def _decompose(d: Design, r: Random) -> Design:
    """By the last index, and the reduction inside by its own again where it has more than one."""
    node = _reduce(d)
    space = node.projection.domain
    names = space.names
    oblique = Affine.name(names[-1]) + r.choice((Affine(), Affine.name(names[0])))
    rest = (Affine.name(names[0]), oblique)
    first = AffineFunction(space.with_names(("p", "q")), (Affine.name("p"),))
    d = reduction_decomposition(d, "0,0,0", first, AffineFunction(space, rest))
    if len(names) == 2:
        return d
    last = AffineFunction(space.with_names(("p", "q", "s")), (Affine.name("p"), Affine.name("q")))
    inner = AffineFunction(space, (*rest, Affine.name(names[1])))
    return reduction_decomposition(d, "0,0,0,0", last, inner)


def _simplify(d: Design, r: Random) -> Design:
    """Along the first short vector that is one of reuse."""
    names = _reduce(d).projection.domain.names
    vectors = [(step, *rest) for step in (1, -1) for rest in product((0, 1, -1), repeat=len(names) - 1)]
    for vector in r.sample(vectors, len(vectors)):
        try:
            return simplifying_reduction(d, "test", "Y", vector)
        except Rejected as rejected:
            if {diagnostic.rule for diagnostic in rejected.diagnostics} != {rules.PRECONDITION}:
                raise
    raise _NothingToDo


def _optimal(d: Design, _: Random) -> Design:
    return _changed(d, optimal_simplifying_reductions(d))


def _changed(before: Design, after: Design) -> Design:
    if ashow(before.program) == ashow(after.program):
        raise _NothingToDo
    return after


def _split_body(d: Design, r: Random) -> Design:
    space = _reduce(d).projection.domain
    bound = Affine.name(r.choice(space.names)) - r.choice((Affine(constant=1), Affine.name("N") - 2))
    return split_reduction_body(d, "0,0,0", Domain.where(space, [Constraint(bound)]))


def _transform_body(d: Design, r: Random) -> Design:
    """Skewed, reversed, shifted or permuted."""
    space = _reduce(d).projection.domain
    outputs = [Affine.name(n) * r.choice((1, -1)) + r.choice((Affine(), Affine.name("N"))) for n in space.names]
    outputs[-1] = outputs[-1] + outputs[0] * r.choice((0, 1))
    return transform_reduction_body(d, "0,0,0", AffineFunction(space, tuple(r.sample(outputs, len(outputs)))))


class _NothingToDo(Exception):
    """There is nothing to improve."""


TRANSFORMATIONS: dict[str, Callable[[Design, Random], Design]] = {
    "SerializeReduction": _serialize,
    "DetectReductions": _detect,
    "PermutationCaseReduce": lambda d, _: _changed(d, permutation_case_reduce(d)),
    "PermutationCaseReduce, MergeReductions": lambda d, _: merge_reductions(permutation_case_reduce(d), "0,0,0"),
    "ReductionDecomposition, ReductionComposition": lambda d, r: reduction_composition(_decompose(d, r), "0,0,0"),
    "SplitReductionBody": _split_body,
    "TransformReductionBody": _transform_body,
    "NormalizeReduction": lambda d, _: _changed(d, normalize_reduction(normalize(d))),
    "ReductionDecomposition": _decompose,
    "FactorOutFromReduction": lambda d, _: factor_out_from_reduction(d, "0,0,0"),
    "SameOperatorSimplification": lambda d, _: same_operator_simplification(d, "0,0,0"),
    "HoistOutOfReduction": lambda d, _: hoist_out_of_reduction(d, "0,0,0"),
    "HigherOrderOperator": lambda d, _: higher_order_operator(d, "0,0,0"),
    "RemoveIdenticalAnswers": lambda d, _: remove_identical_answers(d, _node(d)),
    "Idempotence": lambda d, _: idempotence(d, "0,0,0"),
    "SimplifyingReduction": _simplify,
    "OptimalSimplifyingReductions": _optimal,
}
# They are for answers over two indices.
OF_PLANES = ("RemoveIdenticalAnswers",)
SEEDS = 60
APPLIED = 3


@pytest.mark.parametrize("name", thinned(TRANSFORMATIONS, 8))
def test_reductions_keep_their_meaning(name: str) -> None:
    """The first seeds for which there is something to do; the others are refused, and not for a wrong reason."""
    done = 0
    for seed in range(SEEDS):
        random = Random(seed)
        text = planes if name in OF_PLANES else program
        before = Design(read_program(Source("test.ab", text(random))))
        try:
            after = TRANSFORMATIONS[name](before, random)
        except _NothingToDo:
            continue
        except Rejected as rejected:
            if {d.rule for d in rejected.diagnostics} != {rules.PRECONDITION}:
                raise
            continue
        _compare(before, after, seed)
        done += 1
        if done == APPLIED:
            return
    pytest.fail(f"{name} had something to do for {done} of {SEEDS} programs")


def _compare(before: Design, after: Design, seed: int) -> None:
    write_c(after.checked, "test")
    again = Design(read_program(Source("after.ab", ashow(after.program))))
    for size in (1, 2, 5):
        random = np.random.default_rng(seed)
        inputs = {
            v.name: random.integers(-5, 6, box_of(v.domain, {"N": size}).shape).astype(v.type.numpy)
            for v in before.system("test").inputs
        }
        wanted, *result = (
            evaluate(d.program, d.checked.facts, "test", {"N": size}, inputs)["Y"] for d in (before, after, again)
        )
        for one in result:
            np.testing.assert_array_equal(one, wanted, err_msg=f"seed {seed}, N={size}")
