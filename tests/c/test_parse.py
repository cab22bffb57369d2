"""From text to the tree: each construct, the texts of the repository, places, and findings."""

import shutil
from pathlib import Path

import pytest

from alphaz.c import tree as c
from alphaz.c.parse import parse
from alphaz.c.preparation import without_includes
from alphaz.c.printer import file_text, statements_text, type_text
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import C_OUTSIDE, C_SYNTAX
from alphaz.equivalence.driver.preprocessing import preprocessed
from alphaz.scop.macros import needs_preprocessor
from tests.c.trees import inside, read

ROOT = Path(__file__).parents[2]
TEXTS = sorted(path for folder in ("samples", "tests") for path in (ROOT / folder).rglob("*.c"))
EXCERPTS = {"gemm-tuned.c": ("double4",)}
i, x, y = c.Name("i"), c.Name("x"), c.Name("y")


def declared(text: str) -> c.Type:
    (item,) = read(text).items
    assert isinstance(item, c.Declare)
    return item.type


@pytest.mark.slow
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_texts_of_the_repository(path: Path) -> None:
    """Read, printed and read again they are the same trees."""
    source = Source(path.name, path.read_text())
    is_plain = not needs_preprocessor(without_includes(source.text))
    if not is_plain and shutil.which("gcc") is None:
        pytest.skip("needs a compiler")
    types = EXCERPTS.get(path.name, ())
    file = parse(source, None if is_plain else preprocessed(source), types)
    assert file.items
    assert parse(Source("printed.c", file_text(file)), types=types) == file


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("long unsigned int x;", c.Scalar("unsigned long")),
        ("char signed const x;", c.Scalar("signed char", const=True)),
        ("unsigned x;", c.Scalar("unsigned int")),
        ("long double x;", c.Scalar("long double")),
        ("const double *restrict x;", c.Pointer(c.Scalar("double", const=True), restrict=True)),
        ("double (*x)[3];", c.Pointer(c.Array(c.DOUBLE, c.Literal("3")))),
        ("double *x[3];", c.Array(c.Pointer(c.DOUBLE), c.Literal("3"))),
        ("int (*const x)(int, double *);", c.Pointer(c.Signature(c.INT, (c.INT, c.Pointer(c.DOUBLE))), const=True)),
        ("int (*(*x)(void))[2];", c.Pointer(c.Signature(c.Pointer(c.Array(c.INT, c.Literal("2")))))),
        ("int64_t x[2][3];", c.Array(c.Array(c.INT64, c.Literal("3")), c.Literal("2"))),
        ("struct cell { int a; double b[2]; } x;",
         c.Record("cell", (c.Parameter(c.INT, "a"), c.Parameter(c.Array(c.DOUBLE, c.Literal("2")), "b")))),
        ("enum { A, B = 3 } x;", c.Enumeration("", (("A", None), ("B", c.Literal("3"))))),
    ],
)  # fmt: skip
def test_types(text: str, type_: c.Type) -> None:
    assert declared(text) == type_
    assert declared(f"{file_text(read(text))}") == type_


def test_parameters_keep_the_words_between_brackets() -> None:
    (function,) = read("void f(int n, double A[restrict const n][3], int B[static 4], ...);").items
    assert isinstance(function, c.Function)
    assert function.variadic
    n, rows = c.Name("n"), c.Array(c.DOUBLE, c.Literal("3"))
    assert function.parameters[1].type == c.Array(rows, n, restrict=True, const=True)
    assert function.parameters[2].type == c.Array(c.INT, c.Literal("4"), static=True)
    assert read(file_text(c.File((function,)))).items == (function,)


def test_expressions_with_effects() -> None:
    up, pointed = c.Step("++", False, x), c.Unary("*", c.Step("++", False, y))
    assert inside("*y++ = *y++;") == (c.Assign(pointed, pointed),)
    assert inside("x = y = 0;") == (c.Assign(x, c.Set("=", y, c.ZERO)),)
    assert inside("x++, --y;") == (c.Evaluate(c.Comma((up, c.Step("--", True, y)))),)
    assert inside("f((x, y), x);") == (c.Evaluate(c.Call("f", (c.Comma((x, y)), x))),)


def test_literals_keep_their_spelling() -> None:
    for text in ("0x1Fu", "1e-3", "017", "1.5f", "10ULL", "'\\n'"):
        assert inside(f"x = {text};") == (c.Assign(x, c.Literal(text)),)
    assert inside('f("a\\n");') == (c.Evaluate(c.Call("f", (c.String('"a\\n"'),))),)


def test_values_with_designators() -> None:
    cell = c.Init((((), c.ZERO), (("a", c.Literal("1")), x), ((c.Literal("2"),), c.Init((((), y),)))))
    (statement,) = inside("struct s v = {0, .a[1] = x, [2] = {y}};")
    assert statement == c.Declare(c.Record("s"), "v", cell)
    assert inside("x = (int[]){0, y};") == (c.Assign(x, c.compound(c.Array(c.INT), c.ZERO, y)),)


def test_sizeof_of_types_and_expressions() -> None:
    size = c.SizeOf(c.Pointer(c.DOUBLE))
    assert inside("f(sizeof(double *), sizeof x, sizeof(*x));") == (
        c.Evaluate(c.Call("f", (size, c.SizeOf(x), c.SizeOf(c.Unary("*", x))))),
    )


def test_loops_in_general() -> None:
    declare = c.Declare(c.INT, "i", c.ZERO), c.Declare(c.Pointer(c.INT), "p", x)
    test, steps = c.Binary("<", i, y), (c.Step("++", False, i), c.Set("+=", c.Name("p"), y))
    loop = c.For(start=declare, test=test, steps=steps, body=(c.Continue(),))
    assert inside("for (int i = 0, *p = x; i < y; i++, p += y) continue;") == (loop,)
    assert statements_text([loop]).startswith("for (int i = 0, *p = x; i < y; i++, p += y) {")
    assert inside("for (i = 0, x = y;;) ;") == (
        c.For(start=(c.Assign(i, c.ZERO), c.Assign(x, y)), test=None, steps=(), body=()),
    )
    assert inside("do x--; while (x);") == (c.DoWhile((c.Evaluate(c.Step("--", False, x)),), x),)


def test_an_else_belongs_to_the_last_if() -> None:
    (outer,) = inside("if (x) { if (y) return; } else break;")
    assert outer == c.If(x, (c.If(y, (c.Return(),)),), (c.Break(),))
    assert inside(statements_text([outer])) == (outer,)


def test_each_declarator_is_a_declaration() -> None:
    three = (c.Declare(c.INT, "a"), c.Declare(c.INT, "b", c.ZERO), c.Declare(c.Pointer(c.INT), "p"))
    assert inside("int a, b = 0, *p;") == three


def test_jumps_and_labels() -> None:
    result = inside("switch (x) { case 1: case A: y = 0; break; default: goto out; } out: return;")
    cases = ((c.Literal("1"), ()), (c.Name("A"), (c.Assign(y, c.ZERO), c.Break())), (None, (c.Goto("out"),)))
    assert result == (c.Switch(x, cases), c.Label("out"), c.Return())


def test_a_directive_applies_to_one_statement() -> None:
    one, two = c.Assign(x, c.ZERO), c.Assign(y, c.ZERO)

    def locked(*body: c.Statement) -> c.Omp:
        return c.Omp("critical", (), body)

    line = "#pragma omp critical\n"
    assert inside(f"{line}x = 0; y = 0;") == (locked(one), two)
    assert inside(f"{line}{{ x = 0; y = 0; }}") == (locked(one, two),)
    assert inside(f"{line}; x = 0;") == (locked(), one)
    assert inside(f"{line}#pragma GCC ivdep\nx = 0; y = 0;") == (locked(c.Pragma("GCC ivdep"), one), two)
    assert inside(f"if (x)\n{line}x = 0; y = 0;") == (c.If(x, (locked(one),)), two)
    assert inside(f"{{\n{line}x = 0;\n}} y = 0;") == (c.Block((locked(one),)), two)
    assert inside(f"here:\n{line}x = 0; y = 0;") == (c.Label("here"), locked(one), two)


def test_includes_and_constants() -> None:
    text = "#include <math.h>\n#define N 100\n\ndouble x[N];\n"
    file = read(text)
    assert file.includes == ("<math.h>",)
    assert file.constants == (("N", "100"),)
    assert file.items == (c.Declare(c.Array(c.DOUBLE, c.Name("N")), "x"),)
    assert read(file_text(file)) == file


def test_vectors() -> None:
    text = "typedef double v4 __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));\nv4 x;\n"
    file = read(text)
    assert file.items == (c.Typedef(c.Vector(c.DOUBLE, 32), "v4"), c.Declare(c.Named("v4"), "x"))
    assert read(file_text(file)) == file
    with pytest.raises(Rejected):
        read("typedef double v4 __attribute__((vector_size(32)));")


def test_places_are_those_of_the_text() -> None:
    (function,) = read("/* one\n   two */ int f(int n)\n{\n    return\n        n + 1;\n}\n").items
    assert isinstance(function, c.Function)
    assert function.at == c.SourcePlace("", 2, 15)
    (last,) = function.body or ()
    assert isinstance(last, c.Return)
    assert last.at == c.SourcePlace("", 4, 5)
    assert last.value is not None
    assert last.value.at == c.SourcePlace("", 5, 9)


def test_line_marks_lead_to_the_source() -> None:
    source = Source("f.c", "#define T int\nT x;\nT y;\n")
    file = parse(source, '# 1 "f.c"\n\nint x;\n# 7 "other.h"\nint z;\n# 3 "f.c"\nint y;\n')
    assert [item.at for item in file.items] == [
        c.SourcePlace("f.c", 2, 5), c.SourcePlace("other.h", 7, 5), c.SourcePlace("f.c", 3, 5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("int f(void)\n{\n    return 1 1;\n}\n", 3, 14),
        ("int f(void)\n{\n    x = (missing_t *)&y;\n}\n", 3, 21),
        ("/* a\n   b */ int f( {\n", 2, 16),
        ("void f(void)\n{\n#pragma omp parallel\n}\n", 3, 9),
    ],
)
def test_a_syntax_error_is_a_finding(text: str, line: int, column: int) -> None:
    with pytest.raises(Rejected) as rejected:
        read(text)
    (finding,) = rejected.value.diagnostics
    assert finding.rule is C_SYNTAX
    assert finding.primary.span.position == (line, column)
    assert finding.primary.span.source.name == "text.c"


def test_a_text_that_ends_early_has_its_finding_in_the_last_line() -> None:
    with pytest.raises(Rejected) as rejected:
        read("int x;\nint y\n\n")
    assert rejected.value.diagnostics[0].primary.span.position[0] == 2


@pytest.mark.parametrize(
    "text",
    [
        "int f(a) int a; { return a; }",
        "struct s { int a : 3; };",
        "struct { int a; } x, y;",
        "_Atomic int *_Atomic x;",
        "_Atomic int x;",
        'void f(void) { _Pragma("omp parallel") x = 1; }',
        '_Pragma("omp parallel") int x;',
        "#ifdef A\nint x;\n#endif\n",
        "#define f(x) x\n",
        "// a ??/\nint x;",
        "// a \\ \nint x;",
        "void f(void) { switch (x) { int y; case 1: break; } }",
    ],
)
def test_what_the_tree_lacks_is_refused(text: str) -> None:
    with pytest.raises(Rejected) as rejected:
        read(text)
    assert rejected.value.diagnostics[0].rule is C_OUTSIDE


def test_a_type_is_defined_once() -> None:
    file = read("struct s { int a; } x, y;")
    assert [type_text(item.type) for item in file.items if isinstance(item, c.Declare)] == [
        "struct s { int a; }", "struct s",
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["*/", "*\\\n/", "*\\\n\\\n/"])
def test_a_comment_may_end_over_several_lines(end: str) -> None:
    """Compilers join lines before they look for comments; what follows is no comment."""
    (function,) = parse(Source("f.c", f"void f(int *a) {{ /* first {end} a[0] = 1; /* second */ }}")).items
    assert isinstance(function, c.Function)
    assert function.body == (c.Assign(c.Index(c.Name("a"), c.ZERO), c.Literal("1")),)


def test_bare_trees_have_no_comments() -> None:
    text = (
        "/* about f */\nvoid f(void)\n{\n    // nothing\n    if (x) {\n        /* here */\n        return;\n    }\n}\n"
    )
    inner = c.If(x, (c.Comment("here"), c.Blank(), c.Return()))
    made = c.Function(c.VOID, "f", (), (c.Comment("nothing"), inner), comment="about f")
    assert c.bare([made]) == read(text).items
    assert read(file_text(c.File((made,)))).items == c.bare([made])
