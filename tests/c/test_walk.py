"""Parts of trees, and copies with parts exchanged, against a walk of all fields of random trees."""

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.c import tree as c
from alphaz.c.printer import file_text, statements_text
from alphaz.c.walk import Part, blocks, children, copied, difference, nodes, placed, rebuilt, with_blocks
from tests.c.trees import EXPRESSIONS, FILES, STATEMENTS, TYPES, inside, read

TREES: st.SearchStrategy[Part] = st.one_of(EXPRESSIONS, STATEMENTS, TYPES, FILES)
VALUES = (c.Name, c.Literal, c.String)
slow = pytest.mark.slow


def every(value: object, *, clauses: bool = True) -> Iterator[Part]:
    """Yields the tree and its parts, each in front of those inside it; without `clauses` none in a directive."""
    if isinstance(value, tuple):
        for one in value:
            yield from every(one, clauses=clauses)
    elif isinstance(value, Part):
        yield value
        for field in fields(value):
            if clauses or field.name != "clauses":
                yield from every(getattr(value, field.name), clauses=clauses)


def renamed(part: Part) -> Part | None:
    return replace(part, name=f"{part.name}_") if isinstance(part, c.Name) else None


def written(part: Part) -> list[c.SourcePlace]:
    """The places of names and constants, but for those in types, in the order of the walk."""
    own = [part.at] if isinstance(part, VALUES) and part.at is not None else []
    return [*own, *(at for child in children(part) if not isinstance(child, c.Qualified) for at in written(child))]


@slow
@settings(max_examples=60, deadline=None)
@given(TREES)
def test_nodes_are_all_parts_of_a_kind(tree: Part) -> None:
    parts = list(every(tree, clauses=False))
    for kind in (c.Name, c.Node, c.Qualified, c.Declare):
        assert [*map(id, nodes(tree, kind))] == [id(part) for part in parts if isinstance(part, kind)]
    both = nodes(tree, (c.Index, c.Pointer))
    assert [*map(id, both)] == [id(part) for part in parts if isinstance(part, c.Index | c.Pointer)]


@slow
@settings(max_examples=60, deadline=None)
@given(TREES)
def test_children_are_the_parts_directly_inside(tree: Part) -> None:
    inner = {id(part) for child in children(tree) for part in every(child, clauses=False)}
    assert inner == {id(part) for part in every(tree, clauses=False)} - {id(tree)}
    assert not any(isinstance(part, c.Clause) for part in children(tree))


@slow
@settings(max_examples=60, deadline=None)
@given(STATEMENTS.filter(lambda statement: not nodes(statement, c.Launch)))
def test_values_follow_one_another_as_in_the_text(statement: c.Statement) -> None:
    for read_again in inside(statements_text([statement])):
        places = [(at.line, at.column) for at in written(read_again)]
        assert places == sorted(places)


@slow
@settings(max_examples=60, deadline=None)
@given(TREES)
def test_a_tree_without_changes_is_itself(tree: Part) -> None:
    assert rebuilt(tree, lambda part: None) is tree


@slow
@settings(max_examples=60, deadline=None)
@given(TREES)
def test_only_what_holds_a_changed_part_is_new(tree: Part) -> None:
    before, after = list(every(tree)), list(every(rebuilt(tree, renamed)))
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        assert type(old) is type(new)
        assert (new is old) == (not any(isinstance(part, c.Name) for part in every(old)))
        if isinstance(old, c.Name):
            assert new == c.Name(f"{old.name}_")


@slow
@settings(max_examples=60, deadline=None)
@given(TREES)
def test_a_copy_is_equal_and_shares_no_part(tree: Part) -> None:
    copy = copied(tree)
    assert copy == tree
    assert {id(part) for part in every(copy)}.isdisjoint({id(part) for part in every(tree)})


@slow
@settings(max_examples=20, deadline=None)
@given(FILES)
def test_all_places_get_the_file(tree: c.File) -> None:
    read_again = read(file_text(tree))
    there = placed(read_again, "7")
    assert there == read_again
    for old, new in zip(every(read_again), every(there), strict=True):
        if isinstance(old, c.Node) and isinstance(new, c.Node):
            assert new.at == (None if old.at is None else replace(old.at, file="7"))


def test_the_parts_of_one_statement() -> None:
    (loop,) = inside("for (int i = a; i < n; i++) { if (x) y[i] = (long)f(i); }")
    assert [node.name for node in nodes(loop, c.Name)] == ["a", "i", "n", "i", "x", "y", "i", "i"]
    assert [node.name for node in nodes(loop, c.Scalar)] == ["int", "long"]
    assert [type(part) for part in nodes(loop, c.Node)[:3]] == [c.For, c.Declare, c.Name]
    assert nodes([loop, loop], c.For) == [loop, loop]
    assert nodes(None, c.For) == []


def test_what_takes_the_place_of_a_part_is_not_looked_into() -> None:
    (assigned,) = inside("x = x + 1;")
    more = c.Binary("*", c.Name("x"), c.Name("x"))
    changed = rebuilt(assigned, lambda part: more if part == c.Name("x") else None)
    assert changed == c.Assign(more, c.Binary("+", more, c.Literal("1")))


def test_clauses_are_changed_but_are_no_children() -> None:
    (omp,) = inside("#pragma omp parallel for reduction(+:s)\nfor (int i = 0; i < n; i++) s += i;")
    assert isinstance(omp, c.Omp)
    assert c.Clause not in map(type, nodes(omp, c.Node))
    changed = rebuilt(omp, renamed)
    assert changed.clauses == (c.Clause("reduction", (c.Name("s_"),), "+"),)
    assert {node.name for node in nodes(changed, c.Name)} == {"i_", "n_", "s_"}


@slow
@settings(max_examples=60, deadline=None)
@given(STATEMENTS)
def test_blocks_are_those_of_bodies(statement: c.Statement) -> None:
    own = [one for block in blocks(statement) for one in block]
    heads = (*statement.start, *statement.steps) if isinstance(statement, c.For) else ()
    directly = [child for child in children(statement) if isinstance(child, c.Statement) and child not in heads]
    if not isinstance(statement, c.Switch):
        assert own == directly
    assert with_blocks(statement, lambda block: block) == statement
    emptied = with_blocks(statement, lambda block: ())
    assert not any(blocks(emptied))
    assert (emptied is statement) == (not list(blocks(statement)))


@pytest.mark.parametrize(
    ("changed", "column"),
    [
        ("a = b + 1; c = 3;", None),
        ("a = b + 2; c = 3;", 20),
        ("a = b + 1; c = 3; d = 4;", 30),
        ("a = b + 1; e = 3;", 23),
    ],
)
def test_the_place_of_a_difference(changed: str, column: int | None) -> None:
    place = difference(read(f"void f() {{ {changed} }}"), read("void f() { a = b + 1; c = 3; }"))
    assert place == (None if column is None else c.SourcePlace("", 1, column))
