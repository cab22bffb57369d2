"""Arguments that are pointers to sizes."""

import pytest

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Source
from alphaz.scop import parse
from alphaz.scop.sizes_by_address import pointers_to_bounds
from alphaz.scop.tree_queries import definitions, is_simple

LOOP = "for (int i = 0; i < *n; i++) x[i] = 0;"


def _definition(text: str, *names: str) -> c.Function:
    source = Source("f.c", text)
    return definitions(parse(source, text, sizes=("f", frozenset(names))))["f"]


@pytest.mark.parametrize(
    ("argument", "body"),
    [
        ("const int *n", LOOP),
        ("long *restrict n", LOOP),
        ("unsigned n[1]", "for (unsigned i = 0; i < n[0]; i++) x[i] = n[0];"),
        ("int *n", "double t[(*n)]; int k = *n; for (int i = 0; i < k; i++) x[i] = 0;"),
        ("int *n", f"#pragma omp parallel for shared(n) if (*n > 9)\n{LOOP}"),
    ],
)
def test_a_pointer_to_an_integer_that_is_only_read_is_this_integer(argument: str, body: str) -> None:
    function = _definition(f"void f({argument}, double *x) {{\n{body}\n}}", "n", "x")
    size, array = function.parameters
    assert is_simple(size.type)
    assert not is_simple(array.type)
    assert not any(node.operator == "*" for node in nodes(function.body, c.Unary))
    assert size.member is not None
    assert not is_simple(size.member.structure.type)


@pytest.mark.parametrize(
    ("argument", "statement"),
    [
        ("int *n", "*n = 3;"),
        ("int *n", "(*n)--;"),
        ("int *n", "n[0] += 1;"),
        ("int *n", "n++;"),
        ("int *n", "x[0] = n[1];"),
        ("int *n", "x[0] = *(n + 0);"),
        ("int *n", "0[n] = 1;"),
        ("int *n", "int *m = n; *m = 1;"),
        ("int *n", "int *m = &*n; *m = 1;"),
        ("int *n", "int *m = &n[0]; *m = 1;"),
        ("int *n", "int k, *m; m = x[0] > 0 ? n : &k; *m = 1;"),
        ("int *n", "g(n);"),
        ("int *n", "g(&*n);"),
        ("int *n", "*(char *)n = 1;"),
        ("int *n", "{ int k = 2, *n = &k; x[*n] = 0; }"),
        ("int *n", "{ typedef int n; }"),
        ("int *n", "f(n, x);"),
        ("int *n", "if (n) x[0] = 0;"),
        ("int *n", f"\n#pragma omp parallel for private(n)\n{LOOP}"),
        ("int *n", f"\n#pragma omp parallel for reduction(+: n)\n{LOOP}"),
        ("int *n", f"\n#pragma omp target map(to: n)\n{LOOP}"),
        ("volatile int *n", ""),
        ("int *volatile n", ""),
        ("const short *n", ""),
        ("float *n", ""),
        ("int **n", "x[0] = **n;"),
        ("int n[static 2]", ""),
    ],
)
def test_another_pointer_stays(argument: str, statement: str) -> None:
    head = f"void g(int *); void f({argument}, double *x)"
    body = LOOP if argument not in ("int **n", "float *n") else ""
    assert not is_simple(_definition(f"{head} {{ {statement} {body} }}", "n").parameters[0].type)


@pytest.mark.parametrize(
    ("text", "is_by_value"),
    [
        ("void f(int *n, double *x) { int z = 0; h(&z, n); }", True),
        ("void f(int *n, double *x) { int z = 0; h(&z, n); z = 1; h(&z, n); }", True),
        ("void f(int *n, double *x) { int z = 0; h(&z, n);\n#pragma omp barrier\nz = 1; }", False),
        ("void f(int *n, double *x) { int z = 0, *p = &z; h(&z, n); }", False),
        ("void f(int *n, double *x) { int z = 0; h(&z, z++ ? n : n); }", False),
        ("void f(int *n, double *x) { int z[1] = {0}; h(z, n); }", False),
        ("void f(int *n, double *x) { static int z = 0; h(&z, n); }", False),
        ("int z; void f(int *n, double *x) { h(&z, n); }", False),
        ("void f(int *n, double *x) { int z = 0; { int z = 1; h(&z, n); } }", False),
        ("void f(int *n, double *x) { int z = 0; h(&z, n); void (*g)(int *, int *) = h; g(&z, n); }", False),
    ],
)
def test_the_address_of_a_local_integer_that_stays_is_this_integer(text: str, *, is_by_value: bool) -> None:
    text = f"void h(int *k, int *m) {{ int s = *k + *m; }} {text}"
    helper = definitions(parse(Source("f.c", text), text, sizes=("f", frozenset({"n"}))))["h"]
    assert is_simple(helper.parameters[0].type) == is_by_value


def test_only_the_named_arguments_of_the_named_function_change() -> None:
    text = f"void f(int *n, double *x) {{ {LOOP} }}"
    assert not is_simple(_definition(text).parameters[0].type)
    other = definitions(parse(Source("f.c", text), text, sizes=("g", frozenset({"n"}))))["f"]
    assert not is_simple(other.parameters[0].type)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (LOOP, {"n"}),
        ("int m = *n; int k; k = m + 1; int i = 0; while (i < k) { x[i] = *a; i++; }", {"n"}),
        ("x[*a] = *n;", {"a"}),
        ("double t[(*n)]; x[0] = *a;", {"n"}),
        ("x[0] = *a + *n;", set()),
        ("h(n, x, a);", {"n"}),
    ],
)
def test_an_integer_that_bounds_a_loop_or_finds_an_element_is_a_size(body: str, names: set[str]) -> None:
    helper = "void h(int *k, double *x, int *b) { for (int i = 0; i < *k; i++) x[i] = *b; }"
    text = f"{helper} void f(int *n, int *a, double *x) {{ {body} }}"
    assert pointers_to_bounds("f", definitions(parse(Source("f.c", text), text))) == names
