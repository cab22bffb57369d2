"""Indices that neighbouring statements share."""

from alphaz.c import tree as c
from alphaz.codegen.c.readable_c import CONSTANT, INDEX, hoisted, in_a_row, one_by_one, without_repeated_indices


def index(name: str, value: str) -> c.Declare:
    return c.Declare(CONSTANT, name, c.Binary("-", c.Name(value), c.Literal("1")))


def write(*names: str) -> c.Assign:
    return c.Assign(c.Index(c.Name("X"), c.Name(names[0])), c.Name(names[-1]))


def loop(iterator: str, *body: c.Statement) -> c.For:
    end = c.Binary("<", c.Name(iterator), c.Name("N"))
    return c.counted(INDEX, iterator, c.Literal("0"), end, c.Literal("1"), body)


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
    held = (c.Declare(INDEX, "sum", c.Literal("0")), index("i", "sum"), write("i"))
    assert in_a_row([held, (write("t"),)]) == (c.Block(held), write("t"))
    read = c.Declare(CONSTANT, "i", c.Index(c.Name("A"), c.Literal("0")))
    assert in_a_row([(read, write("i")), (write("t"),)]) == (c.Block((read, write("i"))), write("t"))


def test_one_alone_stays_as_it_is() -> None:
    nest = (index("i", "t"), write("i"))
    assert in_a_row([nest]) == nest


def test_what_is_declared_around_is_not_declared_again() -> None:
    i, other = index("i", "t"), index("i", "N")
    assert without_repeated_indices((i, loop("k", c.Block((i, write("i"))), write("k")))) == (
        i,
        loop("k", write("i"), write("k")),
    )
    kept = (i, loop("k", c.Block((other, write("i")))))
    assert without_repeated_indices(kept) == kept
    # Another t.
    anew = (i, loop("t", c.Block((i, write("i")))))
    assert without_repeated_indices(anew) == anew
    region = (i, c.Omp("parallel", (), (i, write("i"), write("t"))))
    assert without_repeated_indices(region) == (i, c.Omp("parallel", (), (write("i"), write("t"))))


def block(*body: c.Statement) -> c.Block:
    return c.Block(body)


def test_what_stands_in_braces_shares_its_indices() -> None:
    i, j = index("i", "t"), index("j", "i")
    apart = one_by_one([(i, j, write("i", "j")), (write("t"),), (i, write("i"))])
    assert apart == (block(i, j, write("i", "j")), write("t"), block(i, write("i")))
    assert hoisted(apart) == (i, j, write("i", "j"), write("t"), write("i"))
    assert hoisted((loop("k", *apart),)) == (loop("k", *hoisted(apart)),)


def test_what_is_declared_in_front_keeps_its_name() -> None:
    """Another index of that name stays in its braces."""
    i, other = index("i", "t"), index("i", "N")
    rest = (block(other, write("i")), block(other, write("t", "i")))
    assert hoisted((i, *rest)) == (i, *rest)
    assert hoisted((index("h", "t"), *rest)) == (index("h", "t"), other, write("i"), write("t", "i"))


def test_a_value_that_changes_in_between_is_no_index() -> None:
    """A constant of a sum is that of the sum where it stands."""
    total, grows = c.Declare(INDEX, "sum", c.Literal("0")), c.Assign(c.Name("sum"), c.Name("N"), "+=")
    here = block(index("i", "sum"), write("i"))
    assert hoisted((total, here, grows, here)) == (total, here, grows, here)
    assert without_repeated_indices((total, index("i", "sum"), grows, here)) == (total, index("i", "sum"), grows, here)
    again = (total, index("i", "sum"), loop("k", here, grows))
    assert without_repeated_indices(again) == again
    same = (total, grows, index("i", "sum"), loop("k", here))
    assert without_repeated_indices(same) == (total, grows, index("i", "sum"), loop("k", write("i")))


def test_what_may_have_effects_stays_where_it_is() -> None:
    """A function of the user may be called once less, or once more."""
    asked = c.Declare(CONSTANT, "i", c.Call("chosen", (c.Name("N"),)))
    here = block(asked, write("i"))
    assert hoisted((write("t"), here, here)) == (write("t"), here, here)
    assert without_repeated_indices((asked, loop("k", here))) == (asked, loop("k", here))
