"""Dependences: evaluation spaces, projections and domains, against what the equations say."""

from alphaz.analysis.facts.dependences import Dependence, dependences
from tests.analysis.programs import prefix, read


def _of(text: str) -> tuple[Dependence, ...]:
    checked = read(text)
    return dependences(checked.program.systems[0], checked.facts)


def _shown(text: str) -> list[tuple[str, str, str, str]]:
    return [(d.consumer, str(d.projection), d.producer, str(d.function)) for d in _of(text)]


def test_a_read_in_a_branch_has_its_domain() -> None:
    first, second = _of(prefix("B[i] = case {| i==0}: A[i]; {| i>0}: B[i-1]; esac;"))
    assert list(first.domain.points({"N": 3})) == [(0,)]
    assert list(second.domain.points({"N": 3})) == [(1,), (2,)]
    assert (second.producer, str(second.function), second.reference.span.text) == ("B", "(i -> i-1)", "B[i-1]")


def test_a_reduction_that_is_the_right_hand_side_is_evaluated_in_its_body() -> None:
    assert _shown(prefix("B[i] = reduce(+, (a,k->a), {| 0<=k<=a}: A[a-k]);")) == [
        ("B", "(a,k -> a)", "A", "(a,k -> a-k)")
    ]


def test_the_indices_of_an_inner_reduction_join_those_around_it() -> None:
    text = prefix("B[i] = A[i] + reduce(+, [k], {| 0<=k<=i}: A[i-k]);")
    assert _shown(text) == [("B", "(i -> i)", "A", "(i -> i)"), ("B", "(i,k -> i)", "A", "(i,k -> i-k)")]
    assert list(_of(text)[1].domain.points({"N": 2})) == [(0, 0), (1, 0), (1, 1)]


def test_other_names_in_an_inner_reduction_are_tied_to_those_outside() -> None:
    (_, inner) = _of(prefix("B[i] = A[i] + reduce(+, (i,k->i-k), {| 0<=k && i<N}: A[i]);"))
    assert (inner.projection.domain.names, str(inner.function)) == (("i", "i_", "k"), "(i,i_,k -> i_)")
    expected = [(a - k, a, k) for a in range(3) for k in range(a + 1)]
    assert sorted(inner.domain.points({"N": 3})) == sorted(expected)


def test_a_composition_adds_no_indices() -> None:
    text = prefix("B[i] = case {| i>0}: (i->i-1)@({a | a>=0}: A + (a->0)@A); {| i==0}: 0; esac;")
    assert _shown(text) == [("B", "(i -> i)", "A", "(i -> i-1)"), ("B", "(i -> i)", "A", "(i -> 0)")]
    assert list(_of(text)[0].domain.points({"N": 3})) == [(1,), (2,)]
