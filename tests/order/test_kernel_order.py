"""The order of C texts: the tree of two statements says what their dates say, component by component."""

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import read_alone
from alphaz.order.happens_before import Verdict
from alphaz.order.kernel_order import statement_order
from alphaz.scop import CKernel
from alphaz.scop.kernel import Beside, KernelLoop, KernelStatement, LoopKind

FOR = "#pragma omp for\nfor (long i = 0; i < N; i++)"
LOOSE = FOR.replace("for\n", "for nowait\n")
TEXTS = {
    "one thread": "for (long i = N - 1; i >= 0; i--) { x[i] = 1.0; for (long j = 0; j < i; j++) y[j] = x[i]; }",
    "parallel": "#pragma omp parallel for\nfor (long i = 0; i < N; i++) { x[i] = 1.0; y[i] = x[i]; }",
    "lanes": "#pragma omp simd\nfor (long i = 0; i < N; i++) { x[i] = 1.0; y[i] = x[i]; }",
    "barriers": f"#pragma omp parallel\n{{ {FOR} x[i] = 1.0;\n{FOR} y[i] = 2.0; }}",
    "no barrier": f"#pragma omp parallel\n{{ {LOOSE} x[i] = 1.0;\n{LOOSE} y[i] = 2.0;\n"
    f"#pragma omp barrier\n{FOR} x[i] = 3.0; }}",
    "loop of all": f"#pragma omp parallel\nfor (int t = 0; t < 3; t++) {{ {FOR} x[i] = 1.0;\n{FOR} y[i] = 2.0; }}",
    "left early": f"#pragma omp parallel\nfor (int t = 0; t < 3; t++) {{ {FOR} x[i] = 1.0;\n{LOOSE} y[i] = 2.0; }}",
    "single": f"#pragma omp parallel\n{{\n#pragma omp single\n{{ x[0] = 1.0; x[1] = 2.0; }}\n{FOR} y[i] = x[0]; }}",
    "sections": "#pragma omp parallel sections\n{\n#pragma omp section\n{ x[0] = 1.0; x[1] = 2.0; }\n"
    "#pragma omp section\ny[0] = 1.0;\n}\nx[2] = 3.0;",
    "merged": f"x[0] = 0.0;\n#pragma omp parallel\n{{ double own = 0.0;\n{FOR} own += y[i];\n"
    "#pragma omp critical\nx[0] += own; }",
}


def kernel(body: str) -> CKernel:
    return read_alone(Source("kernel.c", f"void f(long N, double x[N], double y[N]) {{\n{body}\n}}\n"))


def instances(of: CKernel) -> Iterator[tuple[KernelStatement, Mapping[str, int]]]:
    for statement in of.statements:
        for point in statement.domain.points({"N": 4}):
            yield statement, dict(zip(statement.iterators, point, strict=True))


def by_dates(one: KernelStatement, at: Mapping[str, int], other: KernelStatement, there: Mapping[str, int]) -> Verdict:
    for here, behind in zip(one.date, other.date, strict=False):
        match here, behind:
            case KernelLoop(iterator, step, kind), KernelLoop():
                distance = (there[iterator] - at[iterator]) * step
                if distance and kind is not LoopKind.SEQUENTIAL:
                    return Verdict.UNORDERED
            case Beside(a), Beside(b) if a != b:
                return Verdict.UNORDERED
            case int(a), int(b):
                distance = b - a
            case _:
                continue
        if distance:
            return Verdict.BEFORE if distance > 0 else Verdict.AFTER
    return Verdict.SAME


@pytest.mark.parametrize("text", TEXTS)
def test_the_tree_says_what_the_dates_say(text: str) -> None:
    found = list(instances(kernel(TEXTS[text])))
    for (one, at), (other, there) in product(found, found):
        names, others = (
            {name: f"{name}.{role}" for name in each.iterators} for role, each in (("x", one), ("y", other))
        )
        values = {**{names[n]: v for n, v in at.items()}, **{others[n]: v for n, v in there.items()}}
        cases = statement_order(one, other, names, others)
        (case,) = (case for case in cases if all(each.holds({"N": 4, **values}) for each in case.where))
        assert case.verdict is by_dates(one, at, other, there)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one thread", {Verdict.BEFORE, Verdict.AFTER, Verdict.SAME}),
        ("barriers", {*Verdict}),
        ("no barrier", {*Verdict}),
        ("single", {*Verdict}),
    ],
)
def test_a_text_has_such_pairs(text: str, expected: set[Verdict]) -> None:
    found = list(instances(kernel(TEXTS[text])))
    assert {by_dates(*one, *other) for one, other in product(found, found)} == expected
