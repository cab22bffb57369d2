"""Indices that neighbouring statements share."""

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.hoisting import CONSTANT, INDEX, in_a_row, said_once


def index(name: str, value: str) -> c.Declare:
    return c.Declare(CONSTANT, name, c.Binary("-", c.Name(value), c.Literal("1")))


def write(*names: str) -> c.Assign:
    return c.Assign(c.Index(c.Name("X"), c.Name(names[0])), c.Name(names[-1]))


def loop(iterator: str, *body: c.Statement) -> c.For:
    end = c.Binary("<", c.Name(iterator), c.Name("N"))
    return c.For(INDEX, iterator, c.Literal("0"), end, c.Literal("1"), body)


def test_what_all_mean_alike_is_declared_once() -> None:
    i, j = index("i", "t"), index("j", "i")
    found = in_a_row([(i, j, write("i", "j")), (write("t"),), (i, write("i"))])
    assert found == (i, j, write("i", "j"), write("t"), write("i"))


def test_what_means_two_things_keeps_its_braces() -> None:
    one, two = (index("i", "t"), write("i")), (index("i", "N"), write("i"))
    assert in_a_row([one, two]) == (c.Block(one), c.Block(two))
    turns = (loop("i", write("i")),)
    assert in_a_row([one, turns]) == (c.Block(one), *turns)


def test_loops_take_part_with_what_is_the_same_in_all_their_turns() -> None:
    i, k = index("i", "t"), index("k", "j")
    found = in_a_row([(i, write("i")), (loop("j", i, k, write("i", "k")),)])
    assert found == (i, write("i"), loop("j", k, write("i", "k")))
    alone = (loop("j", i, write("i", "j")),)
    assert in_a_row([(write("t"),), alone]) == (write("t"), *alone)


def test_a_value_that_is_made_inside_stays_there() -> None:
    held = (c.Declare("int64_t", "sum", c.Literal("0")), index("i", "sum"), write("i"))
    assert in_a_row([held, (write("t"),)]) == (c.Block(held), write("t"))
    read = c.Declare(CONSTANT, "i", c.Index(c.Name("A"), c.Literal("0")))
    assert in_a_row([(read, write("i")), (write("t"),)]) == (c.Block((read, write("i"))), write("t"))


def test_one_alone_stays_as_it_is() -> None:
    nest = (index("i", "t"), write("i"))
    assert in_a_row([nest]) == nest


def test_what_is_declared_around_is_not_declared_again() -> None:
    i, other = index("i", "t"), index("i", "N")
    assert said_once((i, loop("k", c.Block((i, write("i"))), write("k")))) == (i, loop("k", write("i"), write("k")))
    kept = (i, loop("k", c.Block((other, write("i")))))
    assert said_once(kept) == kept
    # Another t.
    anew = (i, loop("t", c.Block((i, write("i")))))
    assert said_once(anew) == anew
    region = (i, c.Region((i, write("i"), write("t"))))
    assert said_once(region) == (i, c.Region((write("i"), write("t"))))
