"""Names that a tree declares, changes, or gives away the address of."""

import pytest

from alphaz.c import tree as c
from alphaz.scop.tree_queries import assigned, changed_in_head, names_declared, targets
from tests.c.trees import inside


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a = 1;", ["a"]),
        ("a += 1;", ["a"]),
        ("a++;", ["a"]),
        ("--a;", ["a"]),
        ("b = (a = 1) + 2;", ["b", "a"]),
        ("f(a = 1, b--);", ["a", "b"]),
        ("if (a++ > 0) c = 0; else d = 0;", ["c", "d", "a"]),
        ("for (a = 0; a < n; a += 2) ;", ["a", "a"]),
        ("#pragma omp critical\na = 1;", ["a"]),
        ("int a = 1; -a; !a;", []),
    ],
)
def test_targets_are_those_of_assignments_and_steps(text: str, changed: list[str]) -> None:
    assert [target.name for target in targets(inside(text)) if isinstance(target, c.Name)] == changed


def test_assigned_names_are_those_that_change_outside_of_heads() -> None:
    assert assigned(inside("a = 1; b++; c += d; e[0] = 1; f = (g = 2);")) == {"a", "b", "c", "f", "g"}
    assert assigned(inside("p(&a, &b[0], -c);")) == {"a"}
    assert assigned(inside("for (a = 0; a < n; a += 1) b = 0;")) == {"b"}
    assert assigned(inside("for (a = 0; a < n; a += 1) a = 0;")) == {"a"}


def test_heads_change_what_they_start_and_step() -> None:
    (loop,) = inside("for (a = 0; b++ < n; c += 1, --d) e = 0;")
    assert isinstance(loop, c.For)
    assert changed_in_head(loop) == {"a", "b", "c", "d"}


def test_a_block_declares_the_names_of_its_own_statements() -> None:
    assert names_declared(inside("int a, *b; typedef int t; double f(int g); { int c; } d = 0;")) == {
        "a",
        "b",
        "t",
        "f",
    }
