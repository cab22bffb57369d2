"""Lines of OpenMP as nodes with clauses, and the statements that they are about."""

import pytest

from alphaz.c import tree as c
from alphaz.c.printer import statements_text
from tests.c.trees import inside

a, n, s = c.Name("a"), c.Name("n"), c.Name("s")
LOOP = "for (int i = 0; i < n; i++) { s += i; }"


def directive(line: str, statement: str = LOOP) -> c.Omp:
    (omp,) = inside(f"#pragma omp {line}\n{statement}\n")
    assert isinstance(omp, c.Omp)
    assert inside(statements_text([omp])) == (omp,)
    return omp


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("nowait", c.Clause("nowait")),
        ("collapse(2)", c.Clause("collapse", (c.Literal("2"),))),
        ("schedule(dynamic, 4)", c.Clause("schedule", (c.Name("dynamic"), c.Literal("4")))),
        ("schedule(simd: static)", c.Clause("schedule", (c.Name("static"),), "simd")),
        ("reduction(+:s, a)", c.Clause("reduction", (s, a), "+")),
        ("reduction(max : s)", c.Clause("reduction", (s,), "max")),
        ("reduction(+:a[0:n])", c.Clause("reduction", (c.Section(a, c.ZERO, n),), "+")),
        ("reduction(+:a[:n][n:])", c.Clause("reduction", (c.Section(c.Section(a, None, n), n, None),), "+")),
        ("depend(in: a[n][0:n])", c.Clause("depend", (c.Section(c.Index(a, n), c.ZERO, n),), "in")),
        ("aligned(a, s: 32)", c.Clause("aligned", (a, s), last=c.Literal("32"))),
        ("linear(n)", c.Clause("linear", (n,))),
        ("if(n > 0 ? a : s)", c.Clause("if", (c.Ternary(c.Binary(">", n, c.ZERO), a, s),))),
        ("if(parallel: n)", c.Clause("if", (n,), "parallel")),
        ("num_threads(f(n, 2))", c.Clause("num_threads", (c.Call("f", (n, c.Literal("2"))),))),
    ],
)  # fmt: skip
def test_clauses(text: str, clause: c.Clause) -> None:
    assert directive(f"parallel for {text}").clauses == (clause,)


def test_clauses_follow_one_another_with_or_without_commas() -> None:
    two = (c.Clause("private", (a,)), c.Clause("nowait"))
    assert directive("for private(a), nowait").clauses == directive("for private ( a )   nowait").clauses == two


def test_words_and_lock() -> None:
    assert directive("parallel for simd").directive == "parallel for simd"
    assert directive("for ordered").clauses == (c.Clause("ordered"),)
    assert directive("critical (lock)", "{ s += n; }").clauses == (c.Clause("", (c.Name("lock"),)),)
    assert directive("atomic update", "s += n;") == c.Omp(
        "atomic", (c.Clause("update"),), (c.Assign(s, n, "+="),)
    )  # fmt: skip


def test_a_directive_has_its_statements() -> None:
    outer = directive("parallel", f"{{\n#pragma omp for\n{LOOP}\n#pragma omp barrier\ns = n;\n}}")
    assert outer.body is not None
    inner, barrier, last = outer.body
    assert isinstance(inner, c.Omp)
    assert inner.body is not None
    assert [type(one) for one in inner.body] == [c.For]
    assert barrier == c.Omp("barrier", (), None)
    assert last == c.Assign(s, n)


def test_directives_in_a_row_nest() -> None:
    outer = directive("parallel", f"#pragma omp for\n{LOOP}")
    assert outer.body is not None
    assert [one.directive for one in outer.body if isinstance(one, c.Omp)] == ["for"]


def test_sections() -> None:
    result = directive("sections", "{\n#pragma omp section\ns = n;\n#pragma omp section\n{ a = n; s = 0; }\n}")
    one, two = (c.Assign(s, n),), (c.Assign(a, n), c.Assign(s, c.ZERO))
    assert result.body == (c.Omp("section", (), one), c.Omp("section", (), two))


def test_hints_stand_between_a_directive_and_its_loop() -> None:
    result = directive("simd", f"#pragma GCC ivdep\n{LOOP}")
    assert result.body is not None
    assert result.body[0] == c.Pragma("GCC ivdep")
    assert "{\n    #pragma GCC" not in statements_text([result])


@pytest.mark.parametrize(
    "text", ["GCC unroll 4", "omp target update to(a)", "omp flush(a)", "omp cancel for", "omp for if(n +)"]
)
def test_other_lines_stay_text(text: str) -> None:
    assert inside(f"#pragma {text}\ns = n;\n") == (c.Pragma(text), c.Assign(s, n))


def test_a_line_goes_on_behind_its_end() -> None:
    (omp,) = inside(f"#pragma omp parallel for \\\n    private(a) \\\n    nowait\n{LOOP}\n")
    assert isinstance(omp, c.Omp)
    assert [clause.name for clause in omp.clauses] == ["private", "nowait"]
    assert omp.body is not None
    assert omp.body[0].at == c.SourcePlace("", 5, 1)
