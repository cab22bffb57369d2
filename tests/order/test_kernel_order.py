"""The order of C texts: their trees, and pairs of statements in them as in the whole text by plain integers."""

from itertools import product
from random import Random

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import read_alone
from alphaz.order.happens_before import (
    BarrierNode,
    LeafNode,
    LoopNode,
    OrderCase,
    OrderNode,
    SequentialNode,
    SingleNode,
    TeamNode,
    Verdict,
)
from alphaz.order.kernel_order import StatementPlace, order_tree
from alphaz.scop import CKernel
from tests.order.regions import Region

FOR = "#pragma omp for\nfor (long i = 0; i < N; i++)"
LOOSE = FOR.replace("for\n", "for nowait\n")
TEXTS = {
    "one thread": "for (long i = N - 1; i >= 0; i--) { x[i] = 1.0; for (long j = 0; j < i; j++) y[j] = x[i]; }",
    "parallel": "#pragma omp parallel for\nfor (long i = 0; i < N; i++) { x[i] = 1.0; y[i] = x[i]; }",
    "lanes": "#pragma omp simd\nfor (long i = 0; i < N; i++) { x[i] = 1.0; y[i] = x[i]; }",
    "barriers": f"#pragma omp parallel\n{{\n{FOR} x[i] = 1.0;\n{FOR} y[i] = 2.0; }}",
    "no barrier": f"#pragma omp parallel\n{{\n{LOOSE} x[i] = 1.0;\n{LOOSE} y[i] = 2.0;\n"
    f"#pragma omp barrier\n{FOR} x[i] = 3.0; }}",
    "loop of all": f"#pragma omp parallel\nfor (int t = 0; t < 3; t++) {{\n{FOR} x[i] = 1.0;\n{FOR} y[i] = 2.0; }}",
    "left early": f"#pragma omp parallel\nfor (int t = 0; t < 3; t++) {{\n{FOR} x[i] = 1.0;\n{LOOSE} y[i] = 2.0; }}",
    "branch": f"#pragma omp parallel\n{{\n{LOOSE} x[i] = 1.0;\nif (N > 3) {{\n{FOR} y[i] = 2.0; }}\n"
    f"{FOR} x[i] = 3.0; }}",
    "single": f"#pragma omp parallel\n{{\n#pragma omp single\n{{ x[0] = 1.0; x[1] = 2.0; }}\n{FOR} y[i] = x[0]; }}",
    "master": f"#pragma omp parallel\n{{\n#pragma omp master\nx[0] = 1.0;\n{FOR} y[i] = 2.0; }}",
    "sections": "#pragma omp parallel sections\n{\n#pragma omp section\n{ x[0] = 1.0; x[1] = 2.0; }\n"
    "#pragma omp section\ny[0] = 1.0;\n}\nx[2] = 3.0;",
    "merged": f"x[0] = 0.0;\n#pragma omp parallel\n{{ double own = 0.0;\n{FOR} own += y[i];\n"
    "#pragma omp critical\nx[0] += own; }",
}
TREES = {
    "one thread": "(i- sequential (. j sequential (.)))",
    "parallel": "(i parallel (. .))",
    "lanes": "(i vector (. .))",
    "barriers": "(team (i parallel shared (.) | i_2 parallel shared (.) |))",
    "no barrier": "(team (i parallel shared (.) i_2 parallel shared (.) | i_3 parallel shared (.) |))",
    "loop of all": "(team (t sequential (i parallel shared (.) | i_2 parallel shared (.) |)))",
    "left early": "(team (t sequential (i parallel shared (.) | i_2 parallel shared (.))))",
    "branch": "(team (i parallel shared (.) ((i_2 parallel shared (.) |)) i_3 parallel shared (.) |))",
    "single": "(team (single (. .) | i parallel shared (.) |))",
    "master": "(team (single (.) i parallel shared (.) |))",
    "sections": "(team (single (. .) single (.)) .)",
    "merged": "(. team (single . i parallel shared ((.) . ((.))) | (single .)))",
}


def kernel(body: str) -> CKernel:
    return read_alone(Source("kernel.c", f"void f(long N, double x[N], double y[N]) {{\n{body}\n}}\n"))


def drawn(node: OrderNode) -> str:
    match node:
        case LeafNode():
            return "."
        case BarrierNode():
            return "|"
        case SequentialNode(children):
            return f"({' '.join(map(drawn, children))})"
        case LoopNode(name, body, mode, direction, shared):
            return f"{name}{'-' * (direction < 0)} {mode.value}{' shared' * (shared is not None)} {drawn(body)}"
        case TeamNode(_, body):
            return f"team {drawn(body)}"
        case SingleNode(_, body):
            return f"single {drawn(body)}"


@pytest.mark.parametrize("text", TEXTS)
def test_the_tree_of_a_text(text: str) -> None:
    tree, _ = order_tree([StatementPlace.of(statement) for statement in kernel(TEXTS[text]).statements])
    assert drawn(tree) == TREES[text]


@pytest.mark.slow
def test_two_statements_are_ordered_as_in_the_whole_text() -> None:
    random = Random(1)
    seen: set[Verdict] = set()
    pairs = 0
    while pairs < 4_000:
        region = Region.drawn(random)
        executions, events = region.events()
        if len(events) > 40:
            continue
        known: dict[tuple[int, int], tuple[OrderCase, ...]] = {}
        for (one, here), (other, there) in product(events, events):
            if (one, other) not in known:
                known[one, other] = region.cases(one, other)
            at = {f"{name}.{role}": v for event, role in ((here, "x"), (there, "y")) for name, v in event.values}
            (case,) = (case for case in known[one, other] if all(item.holds(at) for item in case.where))
            assert case.verdict is region.verdict(executions, (one, here), (other, there)), region
            seen.add(case.verdict)
            pairs += 1
    assert seen == {*Verdict}
