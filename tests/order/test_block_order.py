"""The order of the threads of a GPU by its tree, against the barriers that each thread passes."""

from itertools import pairwise, product

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.barrier_passages import BarrierPassages
from alphaz.equivalence.concrete_instances import Point
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.order.happens_before import Verdict
from alphaz.order.kernel_order import statement_order
from alphaz.poly import Affine, Domain, Space
from alphaz.scop import CKernel, parse, read_kernel
from alphaz.scop.c_model import KernelLoop, LoopKind
from tests.thinning import thinned

HOST = "\nvoid f(int N, double *A)\n{\n    k<<<2, 3>>>(N, A);\n    k<<<N, dim3(2, 2)>>>(N, A);\n}\n"
EXACT = [
    "t[0] = A[0]; __syncthreads(); A[i] = t[0];",
    "if (N > 1) { t[i] = 0; __syncthreads(); A[i] = t[0]; } if (i < N) A[i] += 2;",
    "for (int d = 2; d > 0; d /= 2) { if (i < d) t[i] += t[i + d]; __syncthreads(); } A[i] = t[0];",
    "A[i] = 0; for (int j = 0; j < N; j++) { t[i] = A[j]; __syncthreads(); A[i] = t[j]; }",
    "for (int j = N; j > 0; j--) { t[i] = A[j]; __syncthreads(); A[i] = t[j]; __syncthreads(); } A[i] += 1;",
]
# Barriers in loops without one of the instances, and those whose conditions need a quotient, are not counted.
KERNELS = [
    *EXACT,
    "for (int j = 0; j < N; j++) { A[i] = j; for (int l = 0; l < j; l++) { t[i] = 1; __syncthreads(); A[j] = 2; } }",
    "for (int j = 0; j < N; j++) { t[i] = A[j]; if (j % 2 == 0) __syncthreads(); A[i] = t[j]; }",
    "for (int j = N - 1; j >= 0; j--) { t[i] = A[j]; if (j != 1) { A[2] = 1; __syncthreads(); } A[i] = t[j]; }",
    "for (int j = 0; j < N; j++) for (int l = 0; l < 2; l++) { t[i] = A[j]; if (l < j) __syncthreads(); A[i] = t[j]; }",
]
_OPPOSITE = {Verdict.BEFORE: Verdict.AFTER, Verdict.AFTER: Verdict.BEFORE}
Instance = tuple[ConcreteStep, Point]


def kernel_of(body: str) -> CKernel:
    head = "__global__ void k(int N, double *A)\n{\n    __shared__ double t[9];\n"
    body = f"    int i = threadIdx.x + 2 * threadIdx.y;\n{body}"
    source = Source("f.cu", f"{head}{body}\n}}\n{HOST}")
    context = Domain.universe(Space(("N",)))
    shapes = {"A": (Affine.name("N"),)}
    return read_kernel(source, parse(source, source.text), "f", context, {"N": "N"}, shapes)


def by_tree(one: Instance, other: Instance) -> Verdict:
    (step, here), (another, there) = one, other
    names, others = (
        {name: f"{name}.{role}" for name in item.statement.iterators} for role, item in (("x", step), ("y", another))
    )
    values = {names[name]: value for name, value in zip(step.statement.iterators, here, strict=True)}
    values |= {others[name]: value for name, value in zip(another.statement.iterators, there, strict=True)}
    values |= step.parameters
    results = [
        case.verdict
        for case in statement_order(step.statement, another.statement, names, others)
        if all(constraint.holds(values) for constraint in case.where)
    ]
    (verdict,) = results
    return verdict


def by_passages(one: Instance, other: Instance, passages: BarrierPassages) -> Verdict:
    (step, here), (another, there) = one, other
    left, right = step.statement, another.statement
    values, others = step.instance(here), another.instance(there)
    block = left.block
    assert block is not None
    if block is not right.block:
        return Verdict.BEFORE if left.date[:2] < right.date[:2] else Verdict.AFTER
    loops = [part for part in left.date[: block.depth] if isinstance(part, KernelLoop)]
    apart = next((loop for loop in loops if values[loop.iterator] != others[loop.iterator]), None)
    if apart is None:
        places = [
            [part.step * at[part.iterator] if isinstance(part, KernelLoop) else part for part in statement.date]
            for statement, at in ((left, values), (right, others))
        ]
        return Verdict.SAME if places[0] == places[1] else Verdict.BEFORE if places[0] < places[1] else Verdict.AFTER
    counts = passages.passed(left, values), passages.passed(right, others)
    if apart.kind is LoopKind.GRID or counts[0] == counts[1]:
        return Verdict.UNORDERED
    return Verdict.BEFORE if counts[0] < counts[1] else Verdict.AFTER


@pytest.mark.parametrize("body", EXACT)
def test_the_tree_orders_as_barriers_do(body: str) -> None:
    kernel = kernel_of(body)
    steps, _ = in_order(kernel, {"N": 2})
    passages = BarrierPassages.of(kernel, {"N": 2})
    for one, other in product(steps[::3], steps[::5]):
        assert by_tree(one, other) is by_passages(one, other, passages)


@pytest.mark.parametrize("body", thinned(KERNELS, 3))
def test_the_tree_orders_nothing_else(body: str) -> None:
    kernel = kernel_of(body)
    steps, _ = in_order(kernel, {"N": 3})
    passages = BarrierPassages.of(kernel, {"N": 3})
    for one, other in product(steps[::9], steps[::8]):
        verdict = by_tree(one, other)
        assert verdict is Verdict.UNORDERED or verdict is by_passages(one, other, passages)


@pytest.mark.parametrize("body", KERNELS)
def test_instances_are_listed_in_an_order_that_may_happen(body: str) -> None:
    kernel = kernel_of(body)
    steps, _ = in_order(kernel, {"N": 2})
    passages = BarrierPassages.of(kernel, {"N": 2})
    assert len(steps) > 20
    for one, other in (*pairwise(steps), *product(steps[:40:2], steps[40::3])):
        assert by_passages(one, other, passages) is not Verdict.AFTER
