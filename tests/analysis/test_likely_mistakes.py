"""Texts that the grammar accepts but that probably do not have the intended meaning: AZ104, AZ105."""

import pytest

from alphaz.diagnostics import Diagnostic
from tests.analysis.programs import found


def _domain(domain: str, parameters: str = "{N,M,L | N>=3 && M>=3 && L>=1}") -> list[Diagnostic]:
    text = (
        f"affine s {parameters} input int A {domain}; output int B; let B = A[{'0,0' if 'i,j' in domain else '0'}]; ."
    )
    return [d for d in found(text) if d.rule.code in ("AZ104", "AZ105")]


@pytest.mark.parametrize(
    ("domain", "meaning", "instead"),
    [
        ("{i,j | 0<=i, 0<=j && i<N && j<N}", "0<=i && 0<=0 && i<=j && 0<=j", "0<=i && 0<=j"),
        ("{i,j | i>=0, j<=N && i<=N && j>=0}", "i>=0 && i>=j && 0<=N && j<=N", "i>=0 && j<=N"),
        ("{i,j | 0<=i,j && i<N, j<N}", "i<N && i<j && N<N && j<N", "i<N && j<N"),
        ("{i,j | i==0, j==0}", "i==0 && i==j && 0==0 && j==0", "i==0 && j==0"),
        ("{i,j | i==j, N==M && 0<=i<N}", "i==j && i==N && j==M && N==M", "i==j && N==M"),
    ],
)
def test_a_list_between_comparisons_is_explained(domain: str, meaning: str, instead: str) -> None:
    (diagnostic,) = _domain(domain)
    assert diagnostic.rule.code == "AZ105"
    assert diagnostic.message.endswith(f"this means {meaning}")
    assert f"`{instead}`" in (diagnostic.help or "")


@pytest.mark.parametrize(
    "domain",
    [
        "{i,j | 0<=i,j<N}",
        "{i,j | 0 <= i, j < N}",
        "{i,j | 0<=(i,j)<N}",
        "{i,j | 0<=i,j && i,j<N,M}",
        "{i,j | N>i,j>=0}",
        "{i,j | 0<=i<=j<N}",
        "{i,j | 0<=i,j,i+j<N}",
    ],
)
def test_a_list_that_means_what_it_says_is_not_warned_of(domain: str) -> None:
    assert _domain(domain) == []


def test_parameters_in_a_row_are_warned_of() -> None:
    (diagnostic,) = _domain("{i | 0<=i<N}", "{N,T | N>=3, T>=1}")
    assert (diagnostic.rule.code, diagnostic.primary.span.text) == ("AZ105", "N>=3, T>=1")
    assert _domain("{i | 0<=i<N}", "{N,T | 3<=N,T<=9}") == []


@pytest.mark.parametrize(
    ("domain", "place"), [("{i | 0<=i<2^L}", "2^L"), ("{i | 0<=i<N+3 ^M}", "3 ^M"), ("{i | 0<=i<=-2^L+N}", "2^L")]
)
def test_a_caret_behind_a_number_is_no_power(domain: str, place: str) -> None:
    (diagnostic,) = _domain(domain)
    assert (diagnostic.rule.code, diagnostic.primary.span.text) == ("AZ104", place)
    assert f"means {place.strip('-')[0]} times `{place[-1]}`" in diagnostic.message


@pytest.mark.parametrize("domain", ["{i | 0<=i<^N}", "{i | 0<=i<2^min+N}", "{^min | 0<=2^min<2N}"])
def test_a_caret_that_escapes_a_word_is_not_warned_of(domain: str) -> None:
    assert _domain(domain, "{N,^min | N>=3 && ^min>=3}" if domain[1] == "i" else "{N | N>=3}") == []


def test_it_is_told_with_the_error_that_it_causes() -> None:
    text = "affine s {L | L>=0} input int A {i | 0<=i<2^L}; output int B; let B = A[0]; ."
    assert [d.rule.code for d in found(text)] == ["AZ104", "AZ306"]
