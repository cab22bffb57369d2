"""Findings for the tests of the renderers, built as the stages build them."""

from alphaz.diagnostics import Diagnostic, Label, Rule, Severity, Source, Span, Witness, WitnessPoint

CAUSALITY = Rule("AZ502", "causality", Severity.ERROR, "A value is read before it is written.")
UNUSED = Rule("AZ207", "unused-variable", Severity.WARNING, "A variable is declared but never used.")
ALIAS = Rule("AZ410", "alias", Severity.NOTE, "A copy is dropped.")

PROGRAM = Source(
    "chain.ab",
    "affine chain {N | N>0}\noutput float A {i | 0<=i<N};\nlet\n"
    "  A[i] = case\n    {| i==0} : 1.0;\n    {| i>0} : A[i-1];\n  esac;\n.\n",
)
SCRIPT = Source(
    "chain.cs",
    'prog = ReadAlphabets("chain.ab");\n\nsetSpaceTimeMap(prog, "chain", "A", "(i->-i)");\n',
)


def span(source: Source, text: str, occurrence: int = 0) -> Span:
    """The place of `text` in a source: its first occurrence, or a later one."""
    start = -1
    for _ in range(occurrence + 1):
        start = source.text.index(text, start + 1)
    return Span(source, start, start + len(text))


WITNESS = Witness(
    (("N", 2),),
    (WitnessPoint("reader", "A", (1,), (-1,)), WitnessPoint("producer", "A", (0,), (0,))),
    "for N = 2, A[1] at date (-1) reads A[0], which is written at date (0)",
)

LEGALITY = Diagnostic(
    CAUSALITY,
    "`A` is read before it is written",
    Label(span(SCRIPT, "setSpaceTimeMap"), "under this map"),
    (Label(span(PROGRAM, "A[i-1]"), "read here"), Label(span(PROGRAM, "A[i]"), "written here")),
    WITNESS,
    ("dimension 1 decides the order",),
    "let the date of `A[i-1]` come first, as with (i->i)",
)


def at(source: Source, text: str, said: str = "", rule: Rule = UNUSED, occurrence: int = 0) -> Diagnostic:
    """A finding of one label on `text`."""
    return Diagnostic(rule, "a phrase", Label(span(source, text, occurrence), said))
