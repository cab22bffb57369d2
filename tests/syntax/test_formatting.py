"""The formatter: white space alone changes, and a formatted text stays as it is."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from alphaz.diagnostics import Rejected, Source, Span
from alphaz.syntax.alpha_printer import print_bundle
from alphaz.syntax.formatting import format_program, format_script
from alphaz.syntax.formatting.pieces import is_same_text, pieces
from alphaz.syntax.grammar import program_grammar, script_grammar
from alphaz.syntax.parser import parse_program
from alphaz.syntax.printer import print_program

ROOT = Path(__file__).parents[2]
FOLDERS = ("samples/kernels", "samples/subsystems", "samples/matrix-chain", "tests/cases/programs/language")
LAID_OUT = ("samples", "starter", "docs", "benchmarks")
FORMATTERS: dict[str, Callable[[Source], str]] = {".ab": format_program, ".cs": format_script}
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in FORMATTERS)[::4]


def formatted(text: str, suffix: str = ".ab") -> str:
    return FORMATTERS[suffix](Source(f"text{suffix}", text))


@pytest.mark.slow
def test_samples_are_laid_out() -> None:
    paths = [path for folder in LAID_OUT for path in (ROOT / folder).rglob("*") if path.suffix in FORMATTERS]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    untidy = [str(path) for path, text in texts.items() if formatted(text, path.suffix) != text]
    assert not untidy, "run `alphaz fmt samples starter docs benchmarks`"


@pytest.mark.parametrize("path", [path for path in FILES if "cases" in path.parts], ids=lambda path: path.name)
def test_a_formatted_text_stays(path: Path) -> None:
    once = formatted(path.read_text(encoding="utf-8"), path.suffix)
    assert formatted(once, path.suffix) == once


@pytest.mark.parametrize("path", FILES[::3], ids=lambda path: path.name)
def test_any_white_space_and_comments(path: Path) -> None:
    random = Random(path.name)
    grammar, sign = (program_grammar(), "//") if path.suffix == ".ab" else (script_grammar(), "#")
    text = path.read_text(encoding="utf-8")
    words = [piece.text for piece in pieces(Source("", text), grammar.lexemes(Span(Source("", text), 0, len(text))))]
    blanks = [" ", "  ", "\t", "\n", "\n\n\n", f" {sign} a remark\n", f"\n  {sign} alone\n\n"]
    if path.suffix == ".ab":
        blanks += [" /* inside */ ", "\n/* two\n   lines */\n"]
    spread = "".join(f"{word}\n" if word.startswith(sign) else word + random.choice(blanks) for word in words)
    once = formatted(spread, path.suffix)
    assert formatted(once, path.suffix) == once
    read = [pieces(Source("", t), grammar.lexemes(Span(Source("", t), 0, len(t)))) for t in (spread, once)]
    assert is_same_text(*read)


def test_the_layout_of_a_program() -> None:
    text = (
        "double exp( double ) ;affine  2mm  {N|N>=1&&2 N<9}input double A,B{ i , j |0 <= i,j < N}; // data\n"
        "unsigned   int c{|};output int y{i|0<=i<N};local\n\n int q;\nlet\n\n"
        " y[ i ]=case{|i==0}||{|i>1}:-A[ 0,i+1 ]*2;\n// the rest\n"
        "{|i==1}:reduce( max ,[k],exp( -B[k,2 i-1] ))min(i , j->2,i)@q;esac;\n\n\n"
        "q=\n- +(1,2)+(if c==1 then 1 else -q);\n."
    )
    assert formatted(text) == (
        "double exp(double);\n"
        "affine 2mm {N | N>=1 && 2N<9}\n"
        "input\n"
        "    double A, B {i,j | 0<=i,j<N};  // data\n"
        "    unsigned int c {|};\n"
        "output\n"
        "    int y {i | 0<=i<N};\n"
        "local\n"
        "    int q;\n"
        "let\n"
        "    y[i] = case\n"
        "        {| i==0} || {| i>1}: -A[0,i+1] * 2;\n"
        "        // the rest\n"
        "        {| i==1}: reduce(max, [k], exp(-B[k,2i-1])) min (i,j -> 2,i)@q;\n"
        "    esac;\n"
        "\n"
        "    q =\n"
        "        -+(1, 2) + (if c == 1 then 1 else -q);\n"
        ".\n"
    )


def test_a_printed_case_in_a_reduction_is_laid_out() -> None:
    text = (
        "affine s {N | N>=1}\n"
        "input\n"
        "    double A {i,j | 0<=i<=j<N};\n"
        "output\n"
        "    double y {i | 0<=i<N};\n"
        "let\n"
        "    y[i] = 2.0 * reduce(+, [j], case\n"
        "        {| i<=j<N}: A[i,j];\n"
        "        {| 0<=j<i}: A[j,i] + (case\n"
        "            {| j==0}: 1.0;\n"
        "            {| j>0}: max(A[0,j], 2.0);\n"
        "        esac);\n"
        "    esac);\n"
        ".\n"
    )
    words = " ".join(text.replace("\n", " ").split())
    assert formatted(words) == text
    assert formatted(words.replace("case", "case // first\n")).replace("  // first", "") == text
    tree = parse_program(Source("text.ab", words))
    printed = print_program(tree)
    assert formatted(printed) == printed
    assert print_program(parse_program(Source("text.ab", printed))) == printed
    bundle = print_bundle(tree)
    assert format_program(Source("text.alpha", bundle)) == bundle


def test_the_layout_of_a_script() -> None:
    text = 'p=ReadAlphabets( "a.ab" ) ;# read\n\n\n\n# next\nf(p,\n"x" , 3) ;g( );x = "a"+"b";'
    assert formatted(text, ".cs") == (
        'p = ReadAlphabets("a.ab");  # read\n\n# next\nf(p,\n    "x", 3);\ng();\nx = "a" + "b";\n'
    )


@pytest.mark.parametrize("suffix", FORMATTERS)
def test_a_text_with_an_error_is_not_formatted(suffix: str) -> None:
    with pytest.raises(Rejected):
        formatted("affine {", suffix)


def test_line_ends_stay() -> None:
    assert formatted("f( 1 );\r\ng();\r\n", ".cs") == "f(1);\r\ng();\r\n"
