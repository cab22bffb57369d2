"""The operations of several streams that nothing orders."""

import pytest

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Source
from alphaz.scop import parse
from alphaz.scop.several_streams import UNORDERED
from alphaz.scop.tree_queries import definitions

HEAD = """
__global__ void k(double *x) { x[threadIdx.x] = 1; }
void f(double *h, double *d)
{
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
"""
COPY, BACK = (
    "cudaMemcpyAsync(d, h, 8, cudaMemcpyHostToDevice, s);",
    "cudaMemcpyAsync(h, d, 8, cudaMemcpyDeviceToHost, t);",
)
IN_S, IN_T, ALONE = "k<<<1, 1, 0, s>>>(d);", "k<<<1, 1, 0, t>>>(d);", "k<<<1, 1>>>(d);"
RECORD, WAIT = "cudaEventRecord(e, s);", "cudaStreamWaitEvent(t, e, 0);"
ALL = "cudaDeviceSynchronize();"

CASES = {
    (IN_S, IN_T): {(1, 2)},
    (IN_S, IN_S): set(),
    (IN_S, RECORD, WAIT, IN_T): set(),
    (IN_S, RECORD, IN_S, WAIT, IN_T): {(2, 3)},
    (RECORD, IN_S, WAIT, IN_T): {(1, 2)},
    (IN_S, WAIT, RECORD, IN_T): {(1, 2)},
    (IN_S, RECORD, "cudaStreamWaitEvent(s, e, 0);", IN_T): {(1, 2)},
    (IN_S, "cudaStreamSynchronize(s);", IN_T): set(),
    (IN_S, "cudaStreamSynchronize(t);", IN_T): {(1, 2)},
    (IN_S, RECORD, "cudaEventSynchronize(e);", IN_T): set(),
    (IN_S, ALL, IN_T): set(),
    (IN_S, ALONE, IN_T): set(),
    (ALONE, IN_S, IN_T): {(2, 3)},
    # A wait of the default stream is none of the others.
    (IN_S, RECORD, "cudaStreamWaitEvent(0, e, 0);", IN_T): {(1, 2)},
    (ALONE, "cudaStreamSynchronize(s);", "h[0] = 1;"): {(1, 2)},
    (COPY, "h[0] = 1;"): {(1, 2)},
    (COPY, "cudaStreamSynchronize(s);", "h[0] = 1;"): set(),
    ("h[0] = 1;", COPY, IN_T): {(2, 3)},
    (IN_S, "cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);", "h[0] = 1;", IN_T): set(),
    (IN_S, "cudaMemset(d, 0, 8);", IN_T, "h[0] = 1;"): {(1, 4), (2, 4), (3, 4)},
    ("for (int i = 0; i < 5; i++) {", IN_S, IN_T, "}"): {(1, 2)},
    ("for (int i = 0; i < 5; i++) {", IN_S, RECORD, WAIT, IN_T, "}"): {(1, 2)},
    ("for (int i = 0; i < 5; i++) {", IN_S, RECORD, WAIT, IN_T, "cudaStreamSynchronize(t);", "}"): set(),
    ("for (int i = 0; i < 5; i++) {", IN_S, RECORD, "}", WAIT, IN_T): set(),
    (IN_S, "if (h != d) {", RECORD, WAIT, "}", IN_T): {(1, 2)},
    (IN_S, "if (h != d) {", ALL, "} else {", ALL, "}", IN_T): set(),
    # Branches order it in different ways, which is not seen.
    (IN_S, "if (h != d) {", ALL, "} else {", RECORD, WAIT, "}", IN_T): {(1, 2)},
}
UNREAD = [
    (COPY,),
    (BACK, "return;", ALL),
    (COPY, "if (h[0] > 0) {", IN_T, "}", ALL),
    ("double v;", "cudaMemcpyAsync(&v, d, 8, cudaMemcpyDeviceToHost, s);", "k<<<1, 1, 0, t>>>(d + (v > 0));", ALL),
    (IN_S, "cudaFree(d);", ALL),
    (IN_S, "g(s);", ALL),
    (IN_S, "cudaStreamWaitEvent(t, e, 1);", ALL),
    ("for (int i = 0; i < 5; i++) {", IN_S, "if (i > d - h)", "break;", ALL, "}", ALL),
]


def _body(statements: tuple[str, ...]) -> tuple[c.Statement, ...]:
    text = HEAD + "\n".join(statements) + "\n}\n"
    return definitions(parse(Source("f.cu", text), text))["f"].body or ()


@pytest.mark.parametrize("statements", CASES)
def test_what_nothing_orders(statements: tuple[str, ...]) -> None:
    (stated,) = [node for node in nodes(_body((*statements, ALL)), c.Call) if node.function == UNORDERED]
    _, *numbers = (int(argument.text) for argument in stated.arguments if isinstance(argument, c.Literal))
    assert {*zip(numbers[::2], numbers[1::2], strict=True)} == CASES[statements]


@pytest.mark.parametrize("statements", UNREAD)
def test_unknown_orders_are_refused(statements: tuple[str, ...]) -> None:
    assert any(isinstance(one, c.Unsupported) for one in _body(statements))
