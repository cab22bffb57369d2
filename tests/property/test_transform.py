"""Transformations preserve meaning: on random programs, the interpreter gives the same outputs before and after."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.checks.check import check
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.node_numbers import Site, sites
from alphaz.analysis.texts.show import ashow
from alphaz.codegen.demand.write_c import write_c
from alphaz.diagnostics import Rejected, Source, rules
from alphaz.mapping.design import Design
from alphaz.mapping.statement import labelled_uses
from alphaz.mapping.target_mapping import SpaceTimeMap, TargetMapping
from alphaz.model.expression import Access, Constant, IndexValue, Reduce
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.model.walk import copy
from alphaz.poly import Affine, AffineFunction, Domain, at_least
from alphaz.poly.algorithms.bounds import box_of
from alphaz.transform.normal.branch_domains import lift_auto_restrict, split_union
from alphaz.transform.normal.dependence_functions import raise_dependence, standardize_names, uniformize_in_context
from alphaz.transform.normal.normalize import normalize
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.normal.simplify import simplify
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
from alphaz.transform.reductions.reuse_simplification import simplifying_reduction_at
from alphaz.transform.reductions.search import optimal_simplifying_reductions
from alphaz.transform.reductions.serialize import serialize_reduction_at
from alphaz.transform.systems.inline_system import inline_subsystem
from alphaz.transform.systems.outline_system import outline_subsystem
from alphaz.transform.variables.add_local import add_local, add_local_expression, add_local_unique
from alphaz.transform.variables.basis_change import (
    aligned_dimensions,
    apply_space_time_maps,
    change_of_basis,
    force_change_of_basis,
    reduced_dimensions,
)
from alphaz.transform.variables.inline import inline, inline_all, inline_all_force, inline_force
from alphaz.transform.variables.remove import propagate_simple_equations, remove_unused_variables
from alphaz.transform.variables.rename import rename_system, rename_variable
from alphaz.transform.variables.split import merge, split
from tests.analysis.same_facts import same_facts
from tests.strategies.rewritable import program
from tests.thinning import thinned
from tests.transform.programs import domain, function

pytestmark = pytest.mark.slow

INTEGERS = ("int",)
MIXED = ("int", "int", "unsigned int", "short", "long", "float", "double")
LINES = ("(i->i+1)", "(i->N-i)", "(i->i,2i)", "(i->3i,2i+1)", "(i->-i,i)")
PLANES = ("(i,j->i+j,j)", "(i,j->j,i,i-j)", "(i,j->i,j-i)", "(i,j->2i+j,i+j)", "(i,j->-j,i)")
SCALED_LINES = ("(i->2i)", "(i->N-3i)", "(i->2i,3i)")
SCALED_PLANES = ("(i,j->i+j,i-j)", "(i,j->2i,j)", "(i,j->2j+1,N-3i)")

Outcome = Mapping[str, np.ndarray] | str


def _basis(d: Design, r: Random) -> Design:
    d = change_of_basis(d, "test", r.choice(("L", "S")), function(r.choice(LINES)))
    return change_of_basis(d, "test", "M", function(r.choice(PLANES)))


def _scaled(d: Design, r: Random) -> Design:
    d = change_of_basis(d, "test", r.choice(("L", "S")), function(r.choice(SCALED_LINES)))
    return change_of_basis(d, "test", "M", function(r.choice(SCALED_PLANES)))


def _forced_basis(d: Design, r: Random) -> Design:
    back = function("(i,j->j,i)")
    return force_change_of_basis(force_change_of_basis(d, "test", "W", back), "test", "W", back)


def _split(d: Design, r: Random) -> Design:
    d = split(d, "test", r.choice(("L", "S")), domain(r.choice(("{i | i<=1}", "{i | 2i>=N && i<7}"))))
    return split(d, "test", "M", domain(r.choice(("{i,j | i>=j}", "{i,j | i==1}"))), "H")


def _merge(d: Design, r: Random) -> Design:
    name = r.choice(("L", "S"))
    d = split(d, "test", name, domain("{i | i<=1}"))
    first, second = r.sample((name, f"{name}_split"), 2)
    return merge(d, "test", first, second, r.choice(("Q", name)))


def _merge_apart(d: Design, r: Random) -> Design:
    """Two variables that have nothing to do with each other, once their domains are apart."""
    return merge(change_of_basis(d, "test", "L", function("(i->i+N)")), "test", "S", "L", "S")


def _inline(d: Design, r: Random) -> Design:
    return inline(d, "test", r.choice(("Y", "Z", "W", "M", "S")), r.choice(("L", "M")))


def _propagate(d: Design, r: Random) -> Design:
    """Some expressions get names, and lose them again."""
    for name in ("P", "Q", "R"):
        chosen = [site for site in sites(d.program) if isinstance(site.expression, Access | Constant | IndexValue)]
        with suppress(Rejected):
            d = add_local(d, "test", name, r.choice(chosen).text)
    return propagate_simple_equations(d)


def _reduction(d: Design, r: Random) -> Site:
    results = [site for site in sites(d.program) if isinstance(site.expression, Reduce)]
    if not results:
        raise NothingToDo
    return r.choice(results)


class NothingToDo(Exception):
    """The program has nothing that this transformation is for."""


def _serialize(d: Design, r: Random) -> Design:
    site = _reduction(d, r)
    assert isinstance(site.expression, Reduce)
    space = site.expression.projection.domain
    outputs = [Affine.name(name) for name in space.names]
    outputs = r.choice((outputs, outputs[::-1], [*outputs[:-1], -outputs[-1]]))
    return serialize_reduction_at(d, site.text, AffineFunction(space, tuple(outputs)))


def _add_local(d: Design, r: Random) -> Design:
    return add_local(d, "test", "Q", r.choice(list(sites(d.program))).text)


def _add_local_expression(d: Design, r: Random) -> Design:
    chosen = r.choice(list(sites(d.program))).expression
    names = d.checked.facts.context_domain[chosen].space.names
    return add_local_expression(d, "test", "Q", copy(chosen), names)


def _split_body(d: Design, r: Random) -> Design:
    site = _reduction(d, r)
    assert isinstance(site.expression, Reduce)
    space = site.expression.projection.domain
    name = r.choice(space.names)
    where = Domain.where(space, [at_least(Affine.name(name), r.choice((0, 1, 2)))])
    return split_reduction_body(d, site.text, where)


def _transform_body(d: Design, r: Random) -> Design:
    site = _reduction(d, r)
    assert isinstance(site.expression, Reduce)
    space = site.expression.projection.domain
    outputs = [Affine.name(name) for name in space.names]
    last = outputs[-1] * r.choice((1, -1)) + r.choice((Affine(constant=1), Affine.name("N"), outputs[0]))
    outputs = [*outputs[:-1], last if len(outputs) > 1 or last.coefficient(space.names[0]) else -outputs[-1]]
    if r.random() < 0.3:
        outputs = outputs[::-1]
    return transform_reduction_body(d, site.text, AffineFunction(space, tuple(outputs)))


def _decompose(d: Design, r: Random) -> Design:
    site = _reduction(d, r)
    assert isinstance(site.expression, Reduce)
    projection = site.expression.projection
    first = AffineFunction(projection.domain, projection.outputs)
    d = reduction_decomposition(d, site.text, first, AffineFunction.identity(projection.domain))
    return reduction_composition(d, site.text) if r.random() < 0.5 else d


def _merge_split(d: Design, r: Random) -> Design:
    site = _reduction(d, r)
    d = _split_body_at(d, site, r)
    return merge_reductions(d, site.text)


def _split_body_at(d: Design, site: Site, r: Random) -> Design:
    assert isinstance(site.expression, Reduce)
    space = site.expression.projection.domain
    where = Domain.where(space, [at_least(Affine.name(r.choice(space.names)), 1)])
    return split_reduction_body(d, site.text, where)


def _simplifying(d: Design, r: Random) -> Design:
    site = _reduction(d, r)
    assert isinstance(site.expression, Reduce)
    vector = [r.choice((0, 0, 1, -1)) for _ in site.expression.projection.domain.names]
    return simplifying_reduction_at(d, site.text, tuple(vector))


def _outline(d: Design, r: Random) -> Design:
    return outline_subsystem(d, "test", r.sample(("L", "M", "S", "Y", "Z", "W"), r.choice((1, 2, 3))))


def _outline_and_inline(d: Design, r: Random) -> Design:
    d = _outline(d, r)
    (label,) = labelled_uses(d.system("test"))
    return inline_subsystem(d, "test", label)


def _with_map(d: Design, result: Callable[[Design, str, str], AffineFunction]) -> Design:
    """Every local at the indices that are proposed for it."""
    for name in ("L", "M", "S"):
        d = change_of_basis(d, "test", name, result(d, "test", name))
    return d


def _applied_dates(d: Design, r: Random) -> Design:
    """Some locals at dates, some of which are scaled."""
    names = r.sample(("L", "M", "S"), 2)
    dates = tuple(
        SpaceTimeMap(name, function(r.choice(PLANES + SCALED_PLANES if name == "M" else LINES + SCALED_LINES)))
        for name in names
    )
    after = apply_space_time_maps(replace(d, mappings={"test": TargetMapping(space_time=dates)}), "test")
    assert all(m.function.is_identity for m in after.mapping("test").space_time)
    return after


def _detect(d: Design, r: Random) -> Design:
    if r.random() < 0.5:
        site = _reduction(d, r)
        assert isinstance(site.expression, Reduce)
        d = serialize_reduction_at(d, site.text, AffineFunction.identity(site.expression.projection.domain))
    result = detect_reductions(d, "test")
    if not result.reductions:
        raise NothingToDo
    return result.design


TRANSFORMATIONS: dict[str, Callable[[Design, Random], Design]] = {
    "Normalize": lambda d, _: normalize(d),
    "NormalizeReduction": lambda d, _: normalize_reduction(d),
    "NormalizeReduction at a node": lambda d, r: normalize_reduction(d, node=_reduction(d, r).text),
    "Normalize, NormalizeReduction, Normalize": lambda d, _: normalize(normalize_reduction(normalize(d))),
    "Simplify": lambda d, _: simplify(d),
    "CoB": _basis,
    "CoB, scaled": _scaled,
    "CoB, scaled, Normalize, Simplify": lambda d, r: simplify(normalize(_scaled(d, r))),
    "ForceCoB": _forced_basis,
    "Split": _split,
    "Merge": _merge,
    "CoB and Merge": _merge_apart,
    "Split and Simplify": lambda d, r: simplify(_split(d, r)),
    "Split, SplitUnion": lambda d, r: split_union(_split(d, r)),
    "Inline": _inline,
    "InlineAll": lambda d, r: inline_all(d, "test", r.choice(("L", "M"))),
    "InlineAllForce": lambda d, _: inline_all_force(d, "test", "S"),
    "AddLocal": _add_local,
    "AddLocalUnique": lambda d, r: add_local_unique(d, "test", "Q", r.choice(list(sites(d.program))).text),
    "AddLocal by expression": _add_local_expression,
    "LiftAutoRestrict": lambda d, _: lift_auto_restrict(d),
    "LiftAutoRestrict, Normalize": lambda d, _: normalize(lift_auto_restrict(d)),
    "PropagateSimpleEquations": _propagate,
    "SubstituteByDef": _inline,
    "RaiseDependence": lambda d, _: raise_dependence(d),
    "RaiseDependence, Normalize": lambda d, _: normalize(raise_dependence(normalize(d))),
    "StandardizeNames": lambda d, _: standardize_names(d),
    "CoB, StandardizeNames": lambda d, r: standardize_names(_basis(d, r)),
    "HoistOutOfReduction": lambda d, r: hoist_out_of_reduction(d, _reduction(d, r).text),
    "HigherOrderOperator": lambda d, r: higher_order_operator(d, _reduction(d, r).text),
    "RemoveIdenticalAnswers": lambda d, r: remove_identical_answers(d, _reduction(d, r).text),
    "SerializeReduction": _serialize,
    "DetectReductions": _detect,
    "OutlineSubSystem": _outline,
    "OutlineSubSystem, InlineSubSystem": _outline_and_inline,
    "UniformizeInContext": lambda d, _: uniformize_in_context(d),
    "SplitReductionBody": _split_body,
    "TransformReductionBody": _transform_body,
    "PermutationCaseReduce": lambda d, _: permutation_case_reduce(d),
    "ReductionDecomposition": _decompose,
    "MergeReductions": _merge_split,
    "FactorOutFromReduction": lambda d, r: factor_out_from_reduction(d, _reduction(d, r).text),
    "SameOperatorSimplification": lambda d, r: same_operator_simplification(d, _reduction(d, r).text),
    "Idempotence": lambda d, r: idempotence(d, _reduction(d, r).text),
    "SimplifyingReduction": _simplifying,
    "OptimalSimplifyingReductions": lambda d, _: optimal_simplifying_reductions(d),
    "RemoveUnusedVariables": lambda d, _: remove_unused_variables(d),
    "RenameSystem": lambda d, _: rename_system(rename_system(d, "test", "other"), "other", "test"),
    "reduceDimVariable": lambda d, _: _with_map(d, reduced_dimensions),
    "alignDimVariable": lambda d, _: _with_map(d, aligned_dimensions),
    "ApplySTMap": _applied_dates,
    "InlineForce": lambda d, r: inline_force(d, "test", r.choice(("Y", "Z", "W", "S")), "S"),
    "RenameVariable": lambda d, _: rename_variable(d, "test", "L", "longer"),
}


def _outcome(d: Design, size: int, seed: int) -> Outcome:
    """The outputs on random inputs, or the code of what stopped the run."""
    random = np.random.default_rng(seed)
    given_: dict[str, np.ndarray] = {}
    for variable in d.system("test").inputs:
        shape = box_of(variable.domain, {"N": size}).shape
        least = -5 if variable.type.signed else 0
        given_[variable.name] = random.integers(least, 6, shape).astype(variable.type.numpy)
    try:
        return evaluate(d.program, d.checked.facts, "test", {"N": size}, given_)
    except Rejected as rejected:
        return rejected.diagnostics[0].rule.code


@pytest.mark.parametrize("name", thinned(TRANSFORMATIONS, 8))
@given(seed=st.integers(0, 2**20), types=st.sampled_from((INTEGERS, MIXED)))
@settings(max_examples=1, deadline=None)
def test_a_transformation_preserves_meaning(name: str, seed: int, types: tuple[str, ...]) -> None:
    random = Random(seed)
    before = Design(read_program(Source("test.ab", program(random, types))))
    try:
        after = TRANSFORMATIONS[name](before, random)
    except NothingToDo:
        return
    except Rejected as rejected:
        if {d.rule for d in rejected.diagnostics} != {rules.PRECONDITION}:
            raise
        return
    read_program(Source("after.ab", ashow(after.program)))
    write_c(after.checked, "test")
    same_facts(after.program, after.checked.facts, check(after.program).facts)
    for size in (1, 3):
        expected = _outcome(before, size, seed)
        if expected == rules.RUN_TIME.code:  # a value without meaning may get one
            continue
        result = _outcome(after, size, seed)
        assert isinstance(result, str) == isinstance(expected, str), (size, expected, result)
        if not isinstance(expected, str) and not isinstance(result, str):
            for output, values in expected.items():
                np.testing.assert_array_equal(result[output], values, err_msg=f"{output} at N={size}")


@given(seed=st.integers(0, 2**20))
@settings(max_examples=3, deadline=None)
def test_a_normal_form_is_its_own(seed: int) -> None:
    once = normalize(Design(read_program(Source("test.ab", program(Random(seed), MIXED)))))
    assert ashow(normalize(once).program) == ashow(once.program)
