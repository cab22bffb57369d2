"""Equal quotients of a nest have one name."""

from tests.scop.reading import kernel


def minimum(one: str, other: str) -> str:
    """The expansion of a macro, which repeats its arguments."""
    return f"(({one}) < ({other}) ? ({one}) : ({other}))"


def test_repeated_quotients_have_one_name() -> None:
    bound = minimum(minimum("N / 3", "(N + 4) / 7"), "N / 3")
    (statement,) = kernel(f"for (long i = 0; i < {bound}; i++) A[i + N / 3 - N / 3] = 1.0;").statements
    quotients = [name for name in statement.iterators if name != "i"]
    assert len(quotients) == 2
    points = statement.domain.points({"N": 10})
    assert sorted({point[statement.iterators.index("i")] for point in points}) == [0, 1]


def test_quotients_of_two_loops_are_not_mixed() -> None:
    text = "for (long i = 0; i < N; i++) A[i / 2] = 0.0;\nfor (long i = 0; i < N; i++) A[(i + 1) / 2] = 1.0;"
    first, second = kernel(text).statements
    for statement, offset in ((first, 0), (second, 1)):
        (subscript,) = statement.target.subscripts
        for point in statement.domain.points({"N": 7}):
            values = {"N": 7, **dict(zip(statement.iterators, point, strict=True))}
            (iterator,) = [name for name in statement.iterators if name.startswith("i")]
            assert subscript.at(values) == (values[iterator] + offset) // 2
