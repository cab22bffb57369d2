"""Names, arities and declarations: AZ201, AZ202, AZ203, AZ205, with the place and the remedy."""

import pytest

from alphaz.model.types import SCALAR_TYPES
from tests.analysis.programs import codes, found, only, prefix, read, values


@pytest.mark.parametrize(
    ("body", "code", "place", "message", "remedy"),
    [
        ("B[i] = C[i];", "AZ201", "C", "the variable `C` is not declared", None),
        ("B[i] = a[i];", "AZ201", "a", "the variable `a` is not declared", "did you mean `A`?"),
        ("B[i] = A[j];", "AZ201", "j", "`j` is neither an index nor a parameter here", "the names that mean something"),
        ("B[i] = A[n];", "AZ201", "n", "`n` is neither an index nor a parameter here", "did you mean `N`?"),
        ("B[i] = i;", "AZ201", "i", "the variable `i` is not declared", "its value is written `[i]`"),
        ("B[i] = N;", "AZ201", "N", "the variable `N` is not declared", "its value is written `[N]`"),
        ("B[i] = f(A[i]);", "AZ201", "f", "the function `f` is not declared", "declare it before the systems"),
        ("B[i] = A(i);", "AZ201", "A", "the function `A` is not declared", "its points are `A[..]`"),
        ("B[i] = reduce(g, [k], A[k]);", "AZ201", "reduce(g, [k], A[k])", "`g` is no operator", None),
        ("D[i] = 0; B[i] = A[i];", "AZ201", "D", "the variable `D` is not declared", None),
        ("B[i] = A[i,0];", "AZ202", "A[i,0]", "`A` has 1 index, not 2", None),
        ("B[i,j] = A[i];", "AZ202", "i,j", "`B` has 1 index, not 2", None),
        ("B[i] = (i->i,i)@A;", "AZ202", "(i->i,i)@A", "`A` has 1 index, not 2", None),
        ("B[i] = (i,j->i)@A;", "AZ202", "(i,j->i)", "this function has 2 indices, but stands where there is 1", None),
        ("B[i] = {i,j | i>0}: A;", "AZ202", "i,j", "this domain has 2 indices, but 1 are needed here", "1 index"),
        ("B[i] = reduce(+, (i,k->), A[k]);", "AZ202", "(i,k->)", "this projection leads to 0 indices", None),
        ("B[i] = reduce(+, [j,k], {| 0<=j,k<N}: A);", "AZ202", "A", "`A` has 1 index, but stands where", "A[i]"),
        ("B[i] = reduce(+, [i], A[i]);", "AZ203", "i", "the index name `i` is already in use here", None),
        ("B[N] = A[N];", "AZ203", "N", "the index name `N` is a parameter", None),
        ("B[i] = (i,i->i)@A;", "AZ203", "i", "the index name `i` stands twice", None),
        ("B = A[j];", "AZ201", "j", "`j` is neither an index nor a parameter here", "the names that mean something"),
        ("B[i] = (i->i,0)@({| i>=0}: 1);", "AZ205", "i", "the index `i` has no meaning here", "a restrict names them"),
        ("B = reduce(+, [i], A[i]);", "AZ203", "i", "the index name `i` is already in use here", None),
        ("B[i] = (i->i,i)@reduce(+, [k], A[k]);", "AZ205", "k", "these have no names here", "(i,j,k -> i,j)"),
        ("B = (i->i,i)@(A[i] + 1);", "AZ205", "i", "the index `i` has no meaning here", None),
    ],
)
def test_a_wrong_name_is_one_finding_at_its_place(
    body: str, code: str, place: str, message: str, remedy: str | None
) -> None:
    diagnostic = only(prefix(body))
    assert (diagnostic.rule.code, diagnostic.primary.span.text) == (code, place)
    assert message in diagnostic.message
    text = (diagnostic.help or "") + diagnostic.primary.text
    assert remedy is None or remedy in text


def test_every_wrong_name_of_a_file_is_found_in_source_order() -> None:
    text = prefix("B[i] = C[i] + A[j] * f(A[k]);")
    assert [d.primary.span.text for d in found(text)] == ["C", "j", "f", "k"]
    assert codes(text) == ["AZ201"] * 4


def test_wrong_names_do_not_hide_wrong_domains_of_other_equations() -> None:
    text = prefix("B[i] = A[i-1]; C[i] = D[i];", "local int C {i | 0<=i<N};")
    assert codes(text) == ["AZ306", "AZ201"]


def test_a_wrong_declaration_is_not_reported_at_every_use() -> None:
    text = prefix("B[i] = C[i] + C[i];", "local int C {i | 0<=i<M};")
    assert [(d.rule.code, d.primary.span.text) for d in found(text)] == [("AZ201", "M")]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("affine a {N | N>0} input int A, A; output int B; let B = A; .", "A"),
        ("affine a {N | N>0} input int N; output int B; let B = N; .", "N"),
        ("affine a {|} output int B; let B = 0; . affine a {|} output int B; let B = 0; .", "a"),
        ("int f(int); int f(int); affine a {|} output int B; let B = f(1); .", "f"),
        ("affine a {N,N | N>0} output int B; let B = 0; .", "N"),
    ],
)
def test_a_second_declaration_is_reported_with_the_first(text: str, place: str) -> None:
    diagnostic = found(text)[0]
    assert (diagnostic.rule.code, diagnostic.primary.span.text) == ("AZ203", place)
    assert diagnostic.primary.span.start > text.index(place)


def test_the_declaration_is_shown_beside_a_wrong_arity() -> None:
    (label,) = only(prefix("B[i] = A[i,0];")).secondary
    assert (label.span.text, label.text) == ("A", "declared here")


@pytest.mark.parametrize(
    "body",
    [
        "B[i] = A;",
        "B = A;",
        "B = (i->i)@A;",
        "B = A + 1 + val(i->i);",
        "B = {a | a>=0}: A;",
        "B[i] = {a | a>=0}: A[a];",
        "B[i] = A[0] + (i->N-1)@A + (i->i)@(a->a)@A;",
        "B[i] = reduce(+, [j], {| 0<=j<=i}: A[i-j]);",
        "B = reduce(+, (i,j->i), {i,j | 0<=j<=i}: (i,j->i-j)@A);",
        "B[x] = reduce(max, (i,j->i), {| 0<=j<=i}: A[i-j]);",
        "B[i] = (i->i)@(A + 1);",
        "B[i] = (i->i)@({z | z>=0}: A[z] + [z]);",
    ],
)
def test_both_notations_mean_what_they_say(body: str) -> None:
    assert codes(prefix(body)) == []


def test_scalars_and_constants_stand_in_every_context() -> None:
    assert codes(prefix("B[i] = A[i] * s + 1; s = A[0] + s2; s2[] = 4;", "local int s, s2;")) == []


def test_the_identity_of_a_function_is_read_from_its_comment() -> None:
    text = "int f(int,int);\n//@ identity f = -2147483648\n" + prefix("B[i] = reduce(f, [j], {| 0<=j<=i}: A[j]);")
    assert read(text).program.external("f").identity == "-2147483648"
    assert codes(text.replace("identity f", "identity g")) == ["AZ201", "AZ201"]


@pytest.mark.parametrize(
    ("body", "meaning"),
    [
        ("B = A[i] + A[N-1-i];", "B[i] = A[i] + A[N-i-1];"),
        ("B = {a | a>=0}: A[a] + [i];", "B[i] = A[i] + [i];"),
        ("B[i] = {a | a>=0}: A[a] + [i];", "B[i] = A[i] + [i];"),
        ("B[i] = (i->N-1-i)@({| i>=0}: A[i] + [i]);", "B[i] = A[N-1-i] + [N-1-i];"),
        ("B = (k->N-1-k)@({| i>=0}: A[i] + [i]);", "B[i] = A[N-1-i] + [N-1-i];"),
        ("B[i] = (i->i,i)@((a,b->b)@(A[i]));", "B[i] = A[i];"),
        ("B[i] = (x->0,x)@({a,b | a==0}: A[a+b]);", "B[i] = A[i];"),
        (
            "B[i] = reduce(+, [k], (a,b->b,a)@({| 0<=i<N}: A[k] - A[0]));",
            "B[i] = reduce(+, [k], {| 0<=k<N}: A[i] - A[0]);",
        ),
    ],
)
def test_a_name_means_the_same_as_written_out(body: str, meaning: str) -> None:
    assert values(prefix(body)) == values(prefix(meaning))


def test_a_name_of_the_equation_that_a_restrict_gives_to_another_index_keeps_its_meaning_with_a_warning() -> None:
    matrix = "input int A {i,j | 0<=(i,j)<2}; output int B {i,j | 0<=(i,j)<2}; let"
    own = f"affine s {{|}} {matrix} B[i,j] = {{j,i | i>=0}}: A[i,j]; ."
    assert [(w.rule.code, w.primary.span.text) for w in read(own).warnings] == [("AZ208", "i"), ("AZ208", "j")]
    assert values(own) == values(f"affine s {{|}} {matrix} B[i,j] = A[i,j]; .")
    declared = f"affine s {{|}} {matrix} B = {{j,i | i>=0}}: A[i,j]; ."
    assert read(declared).warnings == ()
    assert values(declared) == values(f"affine s {{|}} {matrix} B[i,j] = A[j,i]; .")


def test_an_empty_place_of_a_declaration_is_ignored_with_a_warning() -> None:
    text = "int f(, int); " + prefix("B[i] = f(A[i]);")
    assert [(w.rule.code, w.primary.span.text) for w in read(text).warnings] == [("AZ103", "int f(, int);")]
    assert read(text).program.externals[0].arguments == (SCALAR_TYPES["int"],)
    assert codes("int f(int,, int,); " + prefix("B[i] = f(A[i], 1);")) == ["AZ103"]
    assert codes("int f(, int); " + prefix("B[i] = f(A[i], A[i], 1);")) == ["AZ202"]


def test_an_empty_place_counts_where_the_program_gives_an_argument_for_it() -> None:
    text = "int f(, int); " + prefix("B[i] = f(A[i], 1);")
    assert read(text).warnings == ()
    assert read(text).program.externals[0].arguments == (None, SCALAR_TYPES["int"])


def test_a_reduction_without_indices_is_its_body() -> None:
    assert values(prefix("B[i] = reduce(+, [], A[i] * 2) - reduce(max, [k], reduce(min, [], {| 0<=k<N}: A[k]));")) == (
        values(prefix("B[i] = A[i] * 2 - reduce(max, [k], {| 0<=k<N}: A[k]);"))
    )
    assert codes(prefix("B[i] = reduce(nothing, [], A[i]);")) == ["AZ201"]
