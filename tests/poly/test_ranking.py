"""Ranks: what counting finds is what enumeration finds, and a wrong rank is not proved."""

from dataclasses import replace
from itertools import product

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.model.program import System
from alphaz.poly.algorithms import counted_positions as module
from alphaz.poly.algorithms.counted_positions import ranking
from alphaz.poly.algorithms.counting import count
from alphaz.poly.plain.integer_expression import value_of
from alphaz.poly.plain.polynomial import Polynomial, integer_of
from tests.thinning import thinned

DOMAINS = [
    "i,j | 0<=i<=j<n",
    "i,j | 0<=j<=i<n",
    "i,j | 0<=i && i+2<=j && j<n",
    "i,j | 0<=i<n && 0<=j<m",
    "i,j | m<=i<=j<m+n",
    "i,j,k | 0<=i<=j<=k<n",
    "i,j,k | 0<=k<=j<=i<n",
    "i,j | 0<=j<m && 0<=i<n && i<=j",
    "i | 0<=i<n",
]


def system_of(domain: str) -> System:
    names = domain.partition("|")[0].strip()
    head = f"affine s {{n,m | n>=0 && m>=0}} input double A {{{domain}}}; output double y;"
    text = f"{head} let y[] = reduce(+, [{names}], A); ."
    return read_program(Source("s.ab", text)).program.system("s")


@pytest.mark.parametrize("domain", DOMAINS)
def test_ranks_are_positions_in_lexicographic_order(domain: str) -> None:
    system = system_of(domain)
    points = system.inputs[0].domain
    ranks = ranking(points, system.context)
    assert ranks is not None
    assert len(ranks.rank.parts) == 1
    for n, m in product(range(6), range(4)):
        parameters = {"n": n, "m": m}
        every = list(points.in_context(system.context).points(parameters))
        values = [{**parameters, **dict(zip(points.space.names, point, strict=True))} for point in every]
        assert [ranks.rank.at(value) for value in values] == list(range(len(every)))
        assert ranks.size.at(parameters) == len(every)


@pytest.mark.slow
@pytest.mark.parametrize("domain", thinned(DOMAINS, 9))
def test_integer_arithmetic_has_the_value_of_the_polynomial(domain: str) -> None:
    system = system_of(domain)
    ranks = ranking(system.inputs[0].domain, system.context)
    assert ranks is not None
    names = (*system.parameters, *system.inputs[0].domain.space.names)
    for _, value in (*ranks.rank.parts, *ranks.size.parts):
        for point in product(range(-2, 4), repeat=len(names)):
            values = dict(zip(names, point, strict=True))
            if value.at(values).denominator == 1:
                assert value_of(integer_of(value), values) == value.at(values)


@pytest.mark.parametrize("wrong", ["i", "n", "1"])
def test_a_wrong_rank_is_not_proved(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    extra = Polynomial.constant(1) if wrong == "1" else Polynomial.of([(((wrong, 1),), 1)])
    right = count

    def miscounted(*value: object) -> object:
        result = right(*value)  # type: ignore[arg-type]
        assert result is not None
        is_rank = "i" in result.parts[0][0].space.parameters
        return replace(result, parts=tuple((w, v + extra) for w, v in result.parts)) if is_rank else result

    monkeypatch.setattr(module, "count", miscounted)
    system = system_of("i,j | 0<=i<=j<n")
    assert ranking(system.inputs[0].domain, system.context) is None
