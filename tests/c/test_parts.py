"""The parts of a tree, those in types and directives among them."""

from alphaz.c import tree as c
from alphaz.c.walk import children, nodes
from tests.c.trees import inside, read


def names(text: str) -> list[str]:
    return [node.name for node in nodes(inside(text), c.Name)]


def test_the_parts_of_types_are_parts() -> None:
    assert {*names("double a[n][m + 1];")} == {"n", "m"}
    assert names("x = (double (*)[n])y;") == ["x", "n", "y"]
    assert names("x = sizeof(double[n]);") == ["x", "n"]
    (function,) = read("void f(int n, double a[n]) { }").items
    assert [node.name for node in nodes(function, c.Name)] == ["n"]


def test_all_branches_are_parts() -> None:
    assert names("if (a) b = c; else d = e;") == ["a", "b", "c", "d", "e"]
    assert names("x = a ? b : c;") == ["x", "a", "b", "c"]
    assert names("switch (a) { case 1: b++; default: c++; }") == ["a", "b", "c"]
    assert names("for (i = a; i < b; i += c) d = 0;") == ["i", "a", "i", "b", "i", "c", "d"]
    assert names("do a = b; while (c);") == ["a", "b", "c"]


def test_the_statements_of_a_directive_are_parts_and_its_clauses_are_not() -> None:
    (omp,) = inside("#pragma omp parallel for private(a) schedule(static, n)\nfor (i = 0; i < b; i++) c[i] = d;")
    assert [node.name for node in nodes(omp, c.Name)] == ["i", "i", "b", "i", "c", "i", "d"]
    assert all(isinstance(part, c.For) for part in children(omp))
    assert nodes(inside("#pragma omp barrier\n"), c.Name) == []


def test_values_in_lists_and_arguments_are_parts() -> None:
    assert names("f(a, b)(c);") == ["a", "b", "c"]
    assert names("int v[] = {a, [b] = c};") == ["a", "b", "c"]
    assert names("x = (int[]){a, b};") == ["x", "a", "b"]
