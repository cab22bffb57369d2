"""Domains and definitions: AZ301 to AZ312, with the place and the smallest witness."""

import pytest

from tests.analysis.programs import codes, found, only, prefix

_LOCAL = "local int C {i | 0<=i<N};"


def _said(body: str, declarations: str = "") -> tuple[str, str, str]:
    diagnostic = only(prefix(body, declarations))
    return diagnostic.rule.code, diagnostic.primary.span.text, diagnostic.witness.sentence if diagnostic.witness else ""


@pytest.mark.parametrize(
    ("body", "code", "place", "sentence"),
    [
        ("B[i] = case {| i==0}: A[i]; {| i>1}: A[i]; esac;", "AZ304", "B[i]", "N=2: B[1] is never defined"),
        ("B[i] = {| i<3}: A[i];", "AZ304", "B[i]", "N=4: B[3] is never defined"),
        ("B[i] = case A[i-1]; esac;", "AZ304", "B[i]", "N=1: B[0] is never defined"),
        (
            "B[i] = case {| i<=2}: 0; {| i>=2}: A[i]; esac;",
            "AZ305",
            "{| i>=2}",
            "N=3: B[2] is defined by both branches",
        ),
        ("B[i] = case {| i==0}: 0; A[i]; esac;", "AZ305", "A[i]", "N=1: B[0] is defined by both branches"),
        ("B[i] = A[i-1];", "AZ306", "A[i-1]", "N=1: B[0] reads A[-1], which is outside {i | i>=0 && i<N}"),
        ("B[i] = A[i] + A[i+1];", "AZ306", "A[i+1]", "N=1: B[0] reads A[1], which is outside {i | i>=0 && i<N}"),
        (
            "B[i] = case {| i<2}: 0; {| i>=2}: A[i-3]; esac;",
            "AZ306",
            "A[i-3]",
            "N=3: B[2] reads A[-1], which is outside {i | i>=0 && i<N}",
        ),
        (
            "B[i] = reduce(+, [k], {| k>=i}: 1);",
            "AZ307",
            "reduce(+, [k], {| k>=i}: 1)",
            "N=1: the reduction for B[0] has infinitely many points, i=0, k=0 among them",
        ),
        ("B[i] = reduce(max, [k], {| 0<=k<i}: A[k]);", "AZ309", "reduce(max, [k], {| 0<=k<i}: A[k])", "has no points"),
        ("B[i] = reduce(+, [k], {| i<=k<=i+1}: A[k]);", "AZ312", "{| i<=k<=i+1}", "at k=1: A[1] does not exist"),
        ("B[i] = case {| i>=0}: A[i]; {| i<0}: 1; esac;", "AZ308", "{| i<0}: 1", ""),
    ],
)
def test_a_wrong_domain_is_one_finding_with_the_smallest_witness(
    body: str, code: str, place: str, sentence: str
) -> None:
    found_code, found_place, found_sentence = _said(body)
    assert (found_code, found_place) == (code, place)
    assert sentence in found_sentence


@pytest.mark.parametrize(
    "body",
    [
        "B[i] = case {| i<3}: A[i]; {| i>=3}: 0; esac;",
        "B[i] = case A[i-1]; {| i==0}: 0; esac;",
        "B[i] = case {| i>=0}: A[i-1]; {| i==0}: 0; esac;",
        "B[i] = {| i>=0}: case {| i==0}: 1; {| i>0}: A[i-1]; esac;",
        "B[i] = reduce(+, [k], {| k<=i}: A[k]);",
        "B[i] = reduce(max, [k], A[k]);",
        "B[i] = if A[i] > 0 then A[i] else 0;",
        "B[i] = case {| i!=2}: A[i]; {| i==2}: 0; esac;",
        "B[i] = case {| i<1} || {| i>2}: A[i]; {| 1<=i<=2}: 0; esac;",
        "B[i] = (i->i,0)@({a,b | a>=b}: (a,b->a)@A);",
    ],
)
def test_a_right_domain_is_no_finding(body: str) -> None:
    assert codes(prefix(body)) == []


def test_a_read_outside_is_not_reported_as_an_undefined_point_too() -> None:
    text = prefix("B[i] = case {| i==0}: A[i]; {| i>0}: B[i+1]; esac;")
    assert codes(text) == ["AZ306"]


def test_what_no_branch_claims_is_reported_beside_a_read_outside() -> None:
    text = prefix("B[i] = case {| i==0}: A[i-1]; {| i>1}: A[i]; esac;")
    assert codes(text) == ["AZ304", "AZ306"]


def test_the_other_branch_and_the_declaration_are_shown() -> None:
    overlap = only(prefix("B[i] = case {| i<=2}: 0; {| i>=2}: A[i]; esac;"))
    assert [(label.span.text, label.text) for label in overlap.secondary] == [("{| i<=2}", "the other branch")]
    outside = only(prefix("B[i] = A[i-1];"))
    assert [(label.span.text, label.text) for label in outside.secondary] == [("A", "declared here")]


def test_equations_are_counted() -> None:
    assert codes(prefix("B[i] = A[i]; B[i] = 0;")) == ["AZ302"]
    assert codes(prefix("B[i] = A[i]; A[i] = 0;")) == ["AZ303"]
    missing = only(prefix("B[i] = A[i] + C[i];", _LOCAL))
    assert (missing.rule.code, missing.primary.span.text) == ("AZ301", "C")


def test_unused_variables_are_warnings() -> None:
    unused = only(prefix("B[i] = A[i]; C[i] = A[i];", _LOCAL))
    assert (unused.rule.code, unused.primary.span.text) == ("AZ207", "C")
    itself = only(prefix("B[i] = A[i]; C[i] = case {| i==0}: 0; {| i>0}: C[i-1]; esac;", _LOCAL))
    assert (itself.rule.code, itself.primary.span.text) == ("AZ207", "C")


def test_empty_domains_are_warnings() -> None:
    text = prefix("B[i] = A[i] + case {| i<0}: E[i]; {| i>=0}: 0; esac; E[i] = 0;", "local int E {i | 0<=i<0};")
    assert [(d.rule.code, d.primary.span.text) for d in found(text)] == [("AZ308", "E"), ("AZ308", "{| i<0}: E[i]")]


def test_every_error_of_a_file_is_reported_once() -> None:
    text = prefix("B[i] = A[i-1]; C[i] = {| i>0}: A[i]; D[i] = A[i] + C[i] + D[i-1];", "local int C, D {i | 0<=i<N};")
    assert codes(text) == ["AZ306", "AZ304", "AZ306"]


# --- cycles -----------------------------------------------------------------------------------------------------


def test_a_cycle_at_one_point_is_reported_with_its_points() -> None:
    text = prefix(
        "B[i] = case {| i>0}: C[i-1]; {| i==0}: A[i]; esac; C[i] = case {| i<N-1}: C[i+1]; {| i==N-1}: B[i]; esac;",
        _LOCAL,
    )
    cycle = only(text)
    assert cycle.rule.code == "AZ310"
    assert cycle.witness is not None
    assert cycle.witness.sentence == "N=2: B[1] needs C[0] needs C[1] needs B[1]"
    assert cycle.notes == ("B[1] reads C[0]", "C[0] reads C[1]", "C[1] reads B[1]")
    assert {cycle.primary.span.text, *(label.span.text for label in cycle.secondary)} == {"C[i-1]", "C[i+1]", "B[i]"}


@pytest.mark.parametrize("body", ["B[i] = B[i] + A[i];", "B[i] = reduce(+, [k], {| i<=k<N}: B[k]) + A[i];"])
def test_a_value_that_needs_itself_is_a_cycle(body: str) -> None:
    cycle = only(prefix(body))
    assert cycle.rule.code == "AZ310"
    assert cycle.witness is not None
    assert cycle.witness.sentence == "N=1: B[0] needs B[0]"


def test_only_the_point_of_a_mirror_is_its_own_image() -> None:
    text = prefix("B[i] = case {| 2i<N-1}: A[i]; {| 2i>=N-1}: B[N-1-i] + A[i]; esac;")
    cycle = only(text)
    assert cycle.rule.code == "AZ310"
    assert cycle.witness is not None
    assert cycle.witness.sentence == "N=1: B[0] needs B[0]"
    assert codes(text.replace("2i<N-1", "2i<N").replace("2i>=N-1", "2i>=N")) == []


def test_a_circle_of_variables_with_an_order_of_each_branch_has_no_cycle() -> None:
    """It is asked of all parameters at once: no search of small ones could say so."""
    outwards = "{i | -N<=i<=N}"
    text = f"affine p {{N | N>0}} output int X {outwards};" + (
        "let X[i] = case {| i==0}: 1; {| i>0}: X[-i] + 1; {| i<0}: X[-i-1] + 1; esac; ."
    )
    assert codes(text) == []


_FAR = "B[i] = case {| i<50}: A[i]; {| 50<=i<=100}: B[100-i] + A[i]; {| i>100}: A[i]; esac;"


def test_a_loop_at_one_point_is_found_wherever_it_is() -> None:
    cycle = only(prefix(_FAR))
    assert cycle.rule.code == "AZ310"
    assert cycle.witness is not None
    assert cycle.witness.sentence == "N=51: B[50] needs B[50]"


@pytest.mark.parametrize(
    ("context", "witness"),
    [
        ("N==2M && M>=1", "N=6, M=3: a[4] needs b[4] needs a[5] needs b[5] needs a[4]"),
        ("M==0 && N>=1", "N=5, M=0: a[4] needs b[4] needs a[4]"),
        ("8M==N && N>=8", "N=8, M=1: a[4] needs b[4] needs a[7] needs b[7] needs a[4]"),
        ("M<=2 && N>=4 && M>=2", "N=5, M=2: a[4] needs b[4] needs a[4]"),
    ],
)
def test_a_cycle_is_looked_for_at_parameters_of_their_own(context: str, witness: str) -> None:
    ends = "{{| i<4}}: 1; {{| i>=4}}: {}; esac"
    text = (
        f"affine c {{N,M | {context}}} output int a {{i | 0<=i<N}}; local int b {{i | 0<=i<N}}; "
        f"let a[i] = case {ends.format('b[i]')}; b[i] = case {ends.format('a[N+3-i]')}; ."
    )
    cycle = only(text)
    assert cycle.rule.code == "AZ310"
    assert cycle.witness is not None
    assert cycle.witness.sentence == witness


@pytest.mark.parametrize(
    ("equations", "witness"),
    [
        (
            "a[i] = case {| i+7<M && i==N+2K}: b[i]; {| i+7>=M} || {| i!=N+2K}: 1; esac; "
            "b[i] = case {| i+9<=M}: a[i]+1; {| i+9>M}: 2; esac; c = a;",
            "N=1, M=12, K=1: a[3] needs b[3] needs a[3]",
        ),
        (
            "a[i] = case {| i>60}: b[i-2]; {| i<=60}: 1; esac; b[i] = reduce(+, [k], {| i<k<=i+1<=N}: c[k]); "
            "c[i] = case {| i<N}: a[i+1]; {| i>=N}: 1; esac;",
            "N=61, M=1, K=1: a[61] needs b[59] needs c[60] needs a[61]",
        ),
    ],
)
def test_a_cycle_of_few_steps_is_found_wherever_it_is(equations: str, witness: str) -> None:
    domain = "{i | 0<=i<=N+M}"
    cycle = only(
        f"affine c {{N,M,K | N>=1 && M>=1 && K>=1}} output int a {domain}; int b {domain}; int c {domain}; "
        f"let {equations} ."
    )
    assert cycle.rule.code == "AZ310"
    assert cycle.witness is not None
    assert cycle.witness.sentence == witness


# A cycle of sixteen steps.
_LONG = (
    "B[i] = case {| i<50} || {| i>=66} || {| 50<=i<59 && i>=N-7}: A[i]; {| 50<=i<59 && i<N-7}: B[i+7]; "
    "{| 59<=i<66}: B[i-9]; esac;"
)


def test_the_parameters_that_were_searched_are_counted() -> None:
    doubt = only(prefix(_LONG).replace("{N | N>0}", "{N,M | N>0 && M>0}"))
    assert doubt.rule.code == "AZ315"
    assert doubt.notes[0].startswith("a bounded search of points found no cycle at N=1, M=1; N=1, M=2; N=2, M=1; ")
    assert doubt.notes[0].endswith(" and 12 other choices of parameters")


def test_a_cycle_beyond_the_search_is_not_silently_passed() -> None:
    doubt = only(prefix(_LONG))
    assert doubt.rule.code == "AZ315"
    assert not doubt.is_error
    assert {doubt.primary.span.text, *(label.span.text for label in doubt.secondary)} == {"B[i+7]", "B[i-9]"}
    assert doubt.notes[0] == "a bounded search of points found no cycle at N=1; N=2; N=3; N=4; N=5"
