"""Notation of other languages: one finding each, which gives the notation here, and no follow-up errors."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source

PROGRAM = """affine s {N | N>=2}
input
    int a {i | 0<=i<N};
output
    int x {i | 0<=i<N};
let
    x[i] = case {| i==0}: 1; {| i>0}: a[i]; esac;
.
affine t {N | N>=1}
output
    int y {i | 0<=i<N};
let
    y[i] = [i];
.
"""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("{| i>0}", "{| (i>0) && (i<N)}", "comparisons of a domain are written without parentheses"),
        ("x[i] =", "x(i) =", "indices are written in brackets"),
        ("a[i]; esac", "a[N(i+1)/2]; esac", "`N(i+1)/2` is not affine"),
        ("a[i]; esac", "a[(i+1)*i]; esac", "`(i+1)*i` is not affine"),
        ("a[i]; esac", "a[max(i,0)]; esac", "`max(i,0)` is not affine"),
        ("a[i]; esac", "a[i min 3]; esac", "`i min 3` is not affine"),
        ("a[i]; esac", "a[2(i-1)-i]; esac", "write `2(i-1)` out"),
        ("a[i]; esac", "a[-(i-N)-1]; esac", "write `(i-N)` out"),
        ("{| i>0}", "{| 0<i<(N+1)*N/2}", "`(N+1)*N/2` is not affine"),
        ("{| i>0}", "{| 0<(i+1)*2<N}", "write `(i+1)*2` out"),
        ("{| i>0}", "{| i>0 && i<(N)/2}", "affine expressions have no `/`"),
        ("a[i]; esac", "a[i][i]; esac", "all indices are written in one pair of brackets"),
        ("int a {i | 0<=i<N}", "int a[N]", "a variable is declared with its points, not with a size"),
        ("affine s {N | N>=2}", "affine s [N] -> {N>=2}", "the parameters of a system are written in braces"),
        ("affine s {N | N>=2}", "affine s(N)", "the parameters of a system are written in braces"),
        ("int a", "integer a", "did you mean `int`?"),
        ("int a", "uint a", "did you mean `unsigned int`?"),
        ("affine s", "system s", "a system begins with the word `affine`"),
        ("{| i>0}:", "else:", "a `case` has no `else`"),
        ("{| i>0}:", "i>0 :", "a branch of a `case` begins with a domain"),
        ("{| i>0}:", "{i>0}:", "a branch of a `case` begins with a domain"),
        ("y[i] = [i]", "y[0] = 1", "`y[i] = case {| i==0} : ..; {| i>0} : ..; esac;`"),
        ("y[i] = [i]", "for i : y[i] = [i]", "equations have no `for`"),
        ("a[i]; esac", "reduce(-, [k], a[k]); esac", "`-` is not a reduction operator"),
        ("a[i]; esac", "a[i]>0 ? 1 : 0; esac", "there is no operator `?`"),
        ("output\n    int x", "input\n    int x", "the section `input` cannot stand here"),
        ("let\n    y", "input int z; let\n    y", "the section `input` cannot stand here"),
    ],
)
def test_a_habit(right: str, wrong: str, said: str) -> None:
    text = PROGRAM.replace(right, wrong, 1)
    assert text != PROGRAM
    with pytest.raises(Rejected) as caught:
        read_program(Source("habit.ab", text))
    syntax = [diagnostic for diagnostic in caught.value.diagnostics if diagnostic.rule.code != "AZ207"]
    assert [item.rule.code for item in syntax] == ["AZ101"], [item.message for item in syntax]
    assert said in f"{syntax[0].message} {syntax[0].help}"


def test_a_system_without_its_head_is_one_mistake() -> None:
    with pytest.raises(Rejected) as caught:
        read_program(Source("habit.ab", PROGRAM.replace("affine s {N | N>=2}", "affine s => ")))
    assert [diagnostic.primary.span.position for diagnostic in caught.value.diagnostics] == [(1, 10)]


@pytest.mark.parametrize(("name", "operator"), [("sum", "+"), ("product", "*"), ("maximum", "max")])
def test_a_sum_is_a_reduction(name: str, operator: str) -> None:
    with pytest.raises(Rejected) as caught:
        read_program(Source("habit.ab", PROGRAM.replace("y[i] = [i]", f"y[i] = {name}([i])")))
    assert caught.value.diagnostics[0].help == f"over an index, this is written `reduce({operator}, [k], ..)`"
