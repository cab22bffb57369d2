"""The formatter of the successor language: white space alone changes, and a formatted text stays as it is."""

from pathlib import Path
from random import Random

import pytest

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import alpha
from alphaz.diagnostics import Rejected, Source, Span
from alphaz.syntax.formatting import format_program
from alphaz.syntax.formatting.pieces import is_same_text, pieces
from alphaz.syntax.grammar import alpha_grammar

ROOT = Path(__file__).parents[2]
PROGRAMS = ("prefix-sum/prefix-sum", "matrix-chain/mcm", "subsystems/filter", "kernels/nussinov/nussinov")


def formatted(text: str) -> str:
    return format_program(Source("text.alpha", text))


def printed(name: str) -> str:
    path = ROOT / "samples" / f"{name}.ab"
    return alpha(read_program(Source(str(path), path.read_text(encoding="utf-8"))).program, None)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_printed_program_has_the_layout(name: str) -> None:
    """As far as the printer does not break lines: it indents these by the depth of the expression."""
    text = printed(name)
    once = formatted(text)
    assert formatted(once) == once
    assert [line.strip() for line in once.splitlines()] == [line.strip() for line in text.splitlines()]
    if "nussinov" not in name:
        assert once == text


@pytest.mark.parametrize("name", PROGRAMS)
def test_any_white_space_and_comments(name: str) -> None:
    random, grammar = Random(name), alpha_grammar()
    text = printed(name)
    words = [piece.text for piece in pieces(Source("", text), grammar.lexemes(Span(Source("", text), 0, len(text))))]
    blanks = [" ", "  ", "\t", "\n", "\n\n\n", " // a remark\n", " /* inside */ ", "\n/* two\n   lines */\n"]
    spread = "".join(f"{word}\n" if word.startswith("//") else word + random.choice(blanks) for word in words)
    once = formatted(spread)
    assert formatted(once) == once
    read = [pieces(Source("", t), grammar.lexemes(Span(Source("", t), 0, len(t)))) for t in (spread, once)]
    assert is_same_text(*read)


def test_the_layout_of_a_bundle() -> None:
    text = (
        "package a.b{import x.y.*\nexternal f( 2 )affine   smooth [N]->{ : N>=1}\n//@ type A = int\n"
        "define P={[ i ]:0<=i and i mod 2=0}\n"
        "inputs A,C:{[i]:0<= i<N} D : { [i , j] : 0<=i,j<N and (i=0 or j < 2 i ) };"
        "E:[ 0:N ] as[i]\n"
        "outputs\n\n B:{[i]: 0<=i<N} // out\nlocals y,z:P\nover { [t] : t>=0 }while(A[0]>0[ ])\nwhen {: N>=3}   let\n\n"
        "B[i]=case{ {: i=0||i=N-1}:val[i]*A[i];\n// others\nauto:(A[i-1]\n+A[i])/3.0[ ]; };\n\n\n"
        "over {[k]:0<=k<3} with[k]:(y,z)=a.b.g[3]( y,(k->k)@y );else let\nB[i]=-A[i]+reduce( + ,[k],{:0<=k<i}:"
        "max(A[ i ],not C[i]))+ +(D,val(i->i));\n. affine g {:}let . }"
    )
    assert formatted(text) == (
        "package a.b {\n"
        "    import x.y.*\n"
        "    external f(2)\n"
        "    affine smooth [N] -> {: N>=1}\n"
        "        //@ type A = int\n"
        "    define\n"
        "        P = {[i]: 0<=i and i mod 2=0}\n"
        "    inputs\n"
        "        A,C : {[i]: 0<=i<N}\n"
        "        D : {[i,j]: 0<=i,j<N and (i=0 or j<2i)};\n"
        "        E : [0:N] as [i]\n"
        "    outputs\n"
        "        B : {[i]: 0<=i<N}  // out\n"
        "    locals\n"
        "        y,z : P\n"
        "    over {[t]: t>=0} while (A[0] > 0[])\n"
        "    when {: N>=3} let\n"
        "        B[i] = case {\n"
        "            {: i=0 || i=N-1} : val[i] * A[i];\n"
        "            // others\n"
        "            auto : (A[i-1]\n"
        "                + A[i]) / 3.0[];\n"
        "        };\n"
        "\n"
        "        over {[k]: 0<=k<3} with [k] : (y, z) = a.b.g[3](y, (k->k)@y);\n"
        "    else let\n"
        "        B[i] = -A[i] + reduce(+, [k], {: 0<=k<i} : max(A[i], not C[i])) + +(D, val(i->i));\n"
        "    .\n"
        "\n"
        "    affine g {:}\n"
        "    let\n"
        "    .\n"
        "}\n"
    )


def test_a_bundle_with_an_error_is_not_formatted() -> None:
    with pytest.raises(Rejected):
        formatted("affine f {: N>")
