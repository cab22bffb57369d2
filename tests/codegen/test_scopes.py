"""Scopes that have ended leave their names to those behind them, and no name ever means something else than before."""

import random
from collections.abc import Iterator, Mapping
from itertools import count

from alphaz.c import tree as c
from alphaz.c.printer import statements_text
from alphaz.codegen.c.readable_c import shorten_names

ONE = c.Literal("1")


def loop(name: str, *body: c.Statement) -> c.For:
    return c.counted(c.INT64, name, ONE, c.Binary("<", c.Name(name), c.Name("N")), ONE, body)


def use(*names: str) -> c.Evaluate:
    return c.Evaluate(c.Call("f", tuple(map(c.Name, names))))


def test_loops_in_a_row_have_one_name() -> None:
    assert shorten_names((loop("i", use("i")), loop("i_2", use("i_2"))), {"N"}) == (loop("i", use("i")),) * 2


def test_what_is_inside_keeps_a_name_of_its_own() -> None:
    body = (loop("i", loop("i_2", use("i", "i_2"))),)
    assert shorten_names(body, {"N"}) == body
    hidden = (loop("i", loop("i_3", use("i", "i_3"))),)
    assert shorten_names(hidden, {"N"}) == body


def test_names_of_the_program_stay_what_they_are() -> None:
    body = (loop("i_2", use("i_2")),)
    assert shorten_names(body, {"N", "i"}) == body
    outside = (loop("i_2", use("i", "i_2")),)
    assert shorten_names(outside, {"N"}) == outside


def test_a_declaration_is_seen_to_the_end_of_its_scope() -> None:
    body = (c.Declare(c.INT, "x_2", ONE), use("x_2"), c.Declare(c.INT, "x_3", ONE), use("x_2", "x_3"))
    found = (c.Declare(c.INT, "x", ONE), use("x"), c.Declare(c.INT, "x_2", ONE), use("x", "x_2"))
    assert shorten_names(body, set()) == found


def test_what_hides_a_name_around_it_has_a_name_of_its_own() -> None:
    again = c.Declare(c.INT64, "i", c.Name("N"))
    hidden = (loop("i", c.Block((again, use("i"))), use("i")),)
    own = c.Declare(c.INT64, "i_2", c.Name("N"))
    assert shorten_names(hidden, {"N"}) == (loop("i", c.Block((own, use("i_2"))), use("i")),)
    taken = (loop("i", loop("i", use("i", "i_2"))),)
    assert shorten_names(taken, {"N", "i_2"}) == (loop("i", loop("i_3", use("i_3", "i_2"))),)


def _random(rng: random.Random, new: Iterator[int], visible: tuple[str, ...], depth: int) -> tuple[c.Statement, ...]:
    """Statements in which every declaration has a name that is new in its function, as operations are written."""
    found: list[c.Statement] = []
    for _ in range(rng.randint(1, 3)):
        name = f"{rng.choice('ij')}_{next(new)}"
        kind = rng.randint(0, 3) if depth else 3
        if kind == 0:
            found.append(loop(name, *_random(rng, new, (*visible, name), depth - 1)))
        elif kind == 1:
            found.append(c.Declare(c.INT64, name, c.Name(rng.choice(visible))))
            visible = (*visible, name)
        elif kind == 2:
            found.append(c.If(c.Name(rng.choice(visible)), _random(rng, new, visible, depth - 1)))
        else:
            found.append(use(*rng.choices(visible, k=2)))
    return tuple(found)


def _meanings(body: tuple[c.Statement, ...], known: Mapping[str, int], numbers: Iterator[int]) -> Iterator[object]:
    """For every mention of a name the number of its declaration."""
    here = dict(known)
    for statement in body:
        match statement:
            case c.Declare(_, name, value):
                assert value is not None
                yield from (here.get(n, n) for n in c.names_used([c.Evaluate(value)]))
                here[name] = next(numbers)
            case c.For(iterator=name, body=inside):
                yield from _meanings(inside, {**here, name: next(numbers)}, numbers)
            case c.If(condition, inside):
                yield from (here.get(n, n) for n in c.names_used([c.Evaluate(condition)]))
                yield from _meanings(inside, here, numbers)
            case c.Evaluate(c.Call(_, arguments)):
                yield tuple(here.get(a.name, a.name) for a in arguments if isinstance(a, c.Name))


def test_every_mention_means_the_same_declaration() -> None:
    shorter = 0
    for seed in range(400):
        rng = random.Random(seed)
        body = _random(rng, count(2), ("N", "i"), 4)
        found = shorten_names(body, {"N", "i"})
        before, after = (list(_meanings(each, {}, iter(range(10**6)))) for each in (body, found))
        assert before == after, statements_text(found)
        shorter += found != body
        assert shorten_names(found, {"N", "i"}) == found
    assert shorter > 100
