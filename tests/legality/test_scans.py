"""Scans of blocks: which values of lower places MPI_Exscan may give, and the reasons why others are refused."""

import pytest

from alphaz.diagnostics import Diagnostic
from alphaz.mapping.resolution import resolve
from tests.legality.mapped import Mapped

LINES = """//@ identity g = 0
long g(long, long); long h(long, long); int k(int, int);
affine S {N,M | N>3 && M>0}
input long A {i,j | 0<=i<N && 0<=j<M};
output long B {i,j | 0<=i<N && 0<=j<M};
local long X {i,j | 0<=i<N && 0<=j<M}; long P {i,j | 0<=i<N && 0<=j<M};
let
  X[i,j] = A[i,j];
  P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] + X[i,j]; esac;
  B[i,j] = P[i,j];
.
"""
PREFIX = "P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] + X[i,j]; esac;"


def _mapped(
    text: str = LINES, x: str = "(i,j -> 0,i,j,0)", p: str = "(i,j -> 1,i,j,0)", b: str = "(i,j -> 1,i,j,1)"
) -> Mapped:
    return Mapped(text).time("X", x).time("P", p).time("B", b).distributed(1).communication("scan")


def _changed(equation: str, other: str = "B[i,j] = P[i,j];", **dates: str) -> Mapped:
    return _mapped(LINES.replace(PREFIX, equation).replace("B[i,j] = P[i,j];", other), **dates)


def _finding(mapped: Mapped) -> Diagnostic:
    """Returns the only finding, whose rule is that of scans."""
    (finding,) = mapped.report().findings
    assert finding.rule.code == "AZ523"
    return finding


@pytest.mark.parametrize(
    ("mapped", "operator"),
    [
        (_mapped(), "+"),
        (_changed("P[i,j] = case {| i==0} : 1; {| i>0} : max(X[i,j] * 2, P[i-1,j]); esac;"), "max"),
        (_changed("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : g(P[i-1,j], X[i,j] + 1); esac;"), "g"),
        (_changed("P[i,j] = case {| i==0} : 0; {| 0<i<3} : P[i-1,j] + 1; {| i>=3} : P[i-1,j] + X[i,j]; esac;"), "+"),
        (_changed(PREFIX, "B[i,j] = case {| i<N-1} : P[i,j] + X[i+1,j]; {| i==N-1} : P[i,j]; esac;"), "+"),
    ],
)
def test_prefixes_of_an_operator_are_scans(mapped: Mapped, operator: str) -> None:
    assert mapped.report().is_proved
    distribution = resolve(mapped.design, mapped.system).distribution
    assert distribution is not None
    scans = distribution.scans
    assert [(scan.variable, scan.operator, scan.index) for scan in scans] == [("P", operator, 0)]


_REFUSED = [
    # Operators that are not associative, have no neutral element, or other operands.
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] - X[i,j]; esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] / 2; esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : h(P[i-1,j], X[i,j]); esac;", "h has no neutral element"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : g(X[i,j], P[i-1,j]); esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] + P[i-1,j]; esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : 2 * P[i-1,j] + X[i,j]; esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] + X[i,j] + 1; esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j]; esac;", "P is no prefix of an operator"),
    ("P[i,j] = case {| i==0} : X[i,j]; {| i>0} : P[i-1,j] + 0.5 * X[i,j]; esac;", "+ does not combine values"),
    (
        "P[i,j] = case {| i==0} : X[i,j]; {| i>0} : if X[i,j] > 0 then P[i-1,j] + X[i,j] else P[i-1,j]; esac;",
        "P is no prefix of an operator",
    ),
    (
        "P[i,j] = case {| i==0} : X[i,j]; {| 0<i<3} : P[i-1,j] + X[i,j]; {| i>=3} : max(P[i-1,j], X[i,j]); esac;",
        "P is combined by 2 operators: +, max",
    ),
    # Lines.
    ("P[i,j] = case {| i<=1} : X[i,j]; {| i>1} : P[i-1,j] + X[i,j]; esac;", "P begins again in the middle of a line"),
    (
        "P[i,j] = case {| i==0} || {| i==3} : X[i,j]; {| 0<i<3} || {| i>3} : P[i-1,j] + X[i,j]; esac;",
        "P begins again in the middle of a line",
    ),
    (
        "P[i,j] = case {| i<=1} : X[i,j]; {| i>1} : P[i-2,j] + X[i,j]; esac;",
        "P reads a value of its own that is not the one before in one index",
    ),
    (
        "P[i,j] = case {| i==0} || {| j==0} : X[i,j]; {| i>0 && j>0} : P[i-1,j-1] + X[i,j]; esac;",
        "P reads a value of its own that is not the one before in one index",
    ),
    (
        "P[i,j] = case {| i==0} : X[i,j]; {| i>0 && j==0} : P[i-1,j] + X[i,j]; {| i>0 && j>0} : P[i-1,j-1] + X[i,j];"
        " esac;",
        "P reads a value of its own that is not the one before in one index",
    ),
    (
        "P[i,j] = case {| i==0 && j==0} : X[i,j]; {| i==0 && j>0} : P[i,j-1] + X[i,j]; {| i>0} : P[i-1,j] + X[i,j];"
        " esac;",
        "the values before those of P lie in several directions",
    ),
]


@pytest.mark.parametrize(("equation", "reason"), _REFUSED)
def test_other_recurrences_are_refused(equation: str, reason: str) -> None:
    finding = _finding(_changed(equation))
    assert finding.message.startswith(reason)
    is_of_points = "again" in reason
    assert (finding.witness is not None) == is_of_points
    assert (finding.primary.span.text in equation) != is_of_points, "the place is that of the branch, or of the read"


@pytest.mark.parametrize(
    ("mapped", "messages", "reads"),
    [
        # A term is known only in the step itself.
        (
            _mapped(x="(i,j -> 1,i,j,0)", p="(i,j -> 1,i,j,1)", b="(i,j -> 1,i,j,2)"),
            ["a term of P reads X of the same step"] * 2,
            "P[0,0], at (1,0,0,1) on rank [0,1), reads X[0,0] of rank [0,1), which is written at (1,0,0,0)",
        ),
        (
            _mapped(p="(i,j -> i+1,i,j,0)", b="(i,j -> N+2,i,j,1)"),
            ["the next value of P is not at the next place, in the same step"],
            "",
        ),
        (
            _mapped(x="(i,j -> 0,2i,j,0)", p="(i,j -> 1,2i,j,0)", b="(i,j -> 1,2i,j,1)"),
            ["the next value of P is not at the next place, in the same step"],
            "",
        ),
        # Other reads of lower places: they would wait for the rank before.
        (
            _changed("P[i,j] = case {| i<3} : 0; {| i>=3} : P[i-1,j] + X[i-3,j]; esac;"),
            ["P reads X of lower places, and is no prefix of it", "P begins again in the middle of a line"],
            "P[3,0], at (1,3,0,0) on rank [3,4), reads X[0,0] of rank [0,1), which is written at (0,0,0,0)",
        ),
        (
            _changed(PREFIX, "B[i,j] = case {| i==0} : P[i,j]; {| i>0} : P[i-1,j]; esac;"),
            ["B reads P of lower places, and is no prefix of it"],
            "B[1,0], at (1,1,0,1) on rank [1,2), reads P[0,0] of rank [0,1), which is written at (1,0,0,0)",
        ),
        (
            _changed(PREFIX, "B[i,j] = P[0,j];", b="(i,j -> 2,i,j,1)"),
            ["B reads P of lower places, and is no prefix of it"],
            "B[1,0], at (2,1,0,1) on rank [1,2), reads P[0,0] of rank [0,1), which is written at (1,0,0,0)",
        ),
        (
            _changed(PREFIX, "B[i,j] = case {| i==0} : P[i,j]; {| i>0} : X[i-1,j]; esac;"),
            ["B reads X of lower places, and is no prefix of it"],
            "B[1,0], at (1,1,0,1) on rank [1,2), reads X[0,0] of rank [0,1), which is written at (0,0,0,0)",
        ),
        (
            _changed("P[i,j] = X[i,j];"),
            ["no variable of S has prefixes of an operator: no equation reads its own variable"],
            "",
        ),
    ],
)
def test_mappings_without_scans(mapped: Mapped, messages: list[str], reads: str) -> None:
    findings = mapped.report().findings
    assert [finding.rule.code for finding in findings] == ["AZ523"] * len(messages)
    assert [finding.message for finding in findings] == messages
    assert (findings[0].witness.sentence if findings[0].witness else "") == (reads and f"N=4, M=1: {reads}")


def test_the_reason_of_another_prefix_is_named() -> None:
    """Values that are no scan are named where others of the system are one."""
    both = LINES.replace("long P {", "long Q {i,j | 0<=i<N && 0<=j<M}; long P {").replace(
        "  B[i,j]", "  Q[i,j] = case {| i==0} : X[i,j]; {| i>0} : Q[i-1,j] - X[i,j]; esac;\n  B[i,j]"
    )
    finding = _finding(_mapped(both).time("Q", "(i,j -> 1,i,j,0)"))
    assert finding.message == "Q reads Q of lower places: Q is no prefix of an operator: its form is `Q[..] op t`"


def test_steps_that_are_tiles_have_no_scan() -> None:
    tiled = _mapped(p="(i,j -> 1,i+j,j,0)", b="(i,j -> 1,i+j,j,1)").band(0, 2, sizes=(4, 0, 0))
    assert tiled.codes() == ["AZ411"]


@pytest.mark.parametrize("ownership", ["cyclic", "block-cyclic"])
def test_places_that_are_dealt_out_have_no_scan(ownership: str) -> None:
    mapped = Mapped(LINES).time("X,P,B", "(i,j -> 0,i,j)")
    dealt = mapped.distributed(1, ownership, 2 if ownership != "cyclic" else 0).communication("scan")
    assert dealt.codes() == ["AZ411"]
