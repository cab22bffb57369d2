"""Names in trees, and whether they keep their meaning."""

from alphaz.c import tree as c
from alphaz.scop.substitution import count, is_steady, mentioned, names_in, substitute_names, touched
from tests.c.trees import inside

x, y = c.Name("x"), c.Name("y")


def test_the_names_of_called_functions_are_names() -> None:
    assert names_in(inside("a = f(b) + (*g)(c);")) == {"a", "f", "b", "g", "c"}
    assert count(inside("f(f, g(f));"), "f") == 3


def test_declared_names_are_mentioned_and_touched() -> None:
    text = "{ double a[n]; b = 0; } for (int c = 0; c < m; c++) g(&d);"
    assert mentioned(inside(text)) == {"a", "n", "b", "c", "m", "g", "d"}
    assert touched(inside(text)) == {"a", "b", "c", "d"}
    assert touched(inside("for (; a < n; f(&b), c += 1) ;")) == {"b", "c"}


def test_names_are_steady_where_nothing_changes_or_redeclares_them() -> None:
    assert is_steady({"x", "n"}, inside("y = x + n; { int z; z = f(x); }"))
    for text in ("x = 1;", "x++;", "g(&x);", "{ int x; }", "y = (x = 1);", "for (; y < n; x += 1) ;"):
        assert not is_steady({"x", "n"}, inside(text)), text


def test_names_in_directives_are_not_steady() -> None:
    loop = "for (i = 0; i < n; i++) a[i] = 0;"
    for clause in ("private(x)", "firstprivate(y, x)", "reduction(+ : x)", "num_threads(x + 1)"):
        assert not is_steady({"x"}, inside(f"#pragma omp parallel for {clause}\n{loop}")), clause
    assert not is_steady({"x"}, inside(f"#pragma omp cancel if (x)\n{loop}"))
    assert is_steady({"x"}, inside(f"#pragma omp parallel for private(z)\n{loop}"))


def test_names_are_replaced_at_once_and_everywhere() -> None:
    swapped = substitute_names(inside("double a[x]; if (x) x = f(y)[x]; else x(y);")[1], {"x": y, "y": x})
    assert (swapped,) == inside("if (y) y = f(x)[y]; else x(x);")
