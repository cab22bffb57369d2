"""Mistakes from habits of other languages, with the notation of this one.

Each function recognises one mistake, shown in its docstring, and returns None for any other."""

from collections.abc import Callable

from alphaz.syntax.affine_mistakes import in_parentheses, index_from_data, power
from alphaz.syntax.unexpected_word import Advice, Repair, Situation
from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT, REDUCTION_OPERATORS

# Names of types in other languages.
_TYPES = {
    "integer": "int", "int32": "int", "int64": "long", "uint": "unsigned int", "unsigned_int": "unsigned int",
    "real": "double", "number": "double", "float64": "double", "float32": "float", "boolean": "bool", "byte": "char",
}  # fmt: skip
_BEGINNINGS = frozenset(("system", "program", "module", "function", "def", "procedure", "kernel"))
_SECTIONS = frozenset(word.upper() for word in (*FAMILY_OF_INPUT, *FAMILY_OF_GIVEN))


def _comparison_in_parentheses(situation: Situation) -> Advice | None:
    """`{i | (0<=i) && (i<N)}`."""
    opener = situation.opener()
    if situation.found.type != "RELATION" or opener is None or opener.type != "LPAR":
        return None
    before = situation.lexemes[situation.lexemes.index(opener) - 1]
    if before.type not in ("BAR", "ALSO"):
        return None
    return Advice(
        "comparisons of a domain are written without parentheses", "write `{| 0<=i && i<N}`, or the chain `{| 0<=i<N}`"
    )


def _indices_in_parentheses(situation: Situation) -> Advice | None:
    """`x(i) = ..`."""
    before = situation.previous
    if situation.found.type != "LPAR" or before is None or before.type != "NAME" or "EQUALS" not in situation.expected:
        return None
    return Advice("indices are written in brackets", f"write `{before.text}[..] = ..`")


def _brackets_apart(situation: Situation) -> Advice | None:
    """`a[i][j]`."""
    before = situation.previous
    if situation.found.type != "LSQB" or before is None or before.type != "RSQB" or "OR" not in situation.expected:
        return None
    return Advice("all indices are written in one pair of brackets", "write `a[i,j]`")


def _size_in_brackets(situation: Situation) -> Advice | None:
    """`int a[N];`."""
    if situation.found.type != "LSQB" or not {"COMMA", "SEMICOLON", "LBRACE"} <= situation.expected:
        return None
    return Advice("a variable is declared with its points, not with a size", "write a domain: `{i | 0<=i<N}`")


def _parameters_in_brackets(situation: Situation) -> Advice | None:
    """`affine s [N] -> {..}`, `affine s(N)`."""
    if situation.found.type not in ("LSQB", "LPAR") or not situation.inside().startswith(("system", "the head of")):
        return None
    if situation.expected - {"LBRACE", "INT", "NAME", "MINUS"} or "LBRACE" not in situation.expected:
        return None
    return Advice(
        "the parameters of a system are written in braces", "write `affine s {N | N>=1}`, or `{|}` without any"
    )


def _foreign_type(situation: Situation) -> Advice | None:
    """`integer a;`."""
    meant = _TYPES.get(situation.found.text.lower())
    if meant is None or "SCALAR_TYPE" not in situation.expected:
        return None
    types = tuple("UNSIGNED" if word == "unsigned" else "SCALAR_TYPE" for word in meant.split())
    return Advice(f"`{situation.found.text}` is no type", f"did you mean `{meant}`?", repair=Repair(1, types))


def _foreign_beginning(situation: Situation) -> Advice | None:
    """`system s {N | ..}`."""
    here = situation.found
    if here.type != "NAME" or here.text.lower() not in _BEGINNINGS or "AFFINE" not in situation.expected:
        return None
    return Advice("a system begins with the word `affine`", "write `affine`", repair=Repair(1, ("AFFINE",)))


def _else_of_a_case(situation: Situation) -> Advice | None:
    """`case {| i==0} : a; else : b; esac`."""
    if situation.found.type != "ELSE" or not situation.opener_is("CASE") or "ESAC" not in situation.expected:
        return None
    return Advice("a `case` has no `else`", "write the domain of the remaining points: `{| i>0} : ..;`")


def _condition_of_a_branch(situation: Situation) -> Advice | None:
    """`case i==0 : a; ..`, and `case {i==0} : a; ..`."""
    opener, at = situation.opener(), situation.at
    is_bare = situation.found.type == "COLON" and situation.opener_is("CASE")
    if opener is not None and opener.type == "LBRACE" and situation.found.type == "RELATION":
        before = situation.lexemes[situation.lexemes.index(opener) - 1]
        is_bare = before.type in ("CASE", "SEMICOLON") and "BAR" in situation.expected
    if not is_bare:
        return None
    first = at
    while first and situation.lexemes[first - 1].type not in ("CASE", "SEMICOLON"):
        first -= 1
    place = situation.lexemes[first].span.to(situation.found.span)
    return Advice("a branch of a `case` begins with a domain", "write it as in `{| i==0} : ..;`", span=place)


def _base_case(situation: Situation) -> Advice | None:
    """`y[0] = a; y[i] = ..;`."""
    at = situation.at
    heads = [lexeme.type for lexeme in situation.lexemes[max(at - 3, 0) : at]]
    if (
        situation.found.type != "INT"
        or heads[-2:] != ["NAME", "LSQB"]
        or heads[0] not in ("LET", "THROUGH", "SEMICOLON")
    ):
        return None
    name, value = situation.lexemes[at - 2].text, situation.found.text
    return Advice(
        "an equation is for all points of its variable, and names their indices",
        f"say both in one: `{name}[i] = case {{| i=={value}}} : ..; {{| i>{value}}} : ..; esac;`",
    )


def _loop(situation: Situation) -> Advice | None:
    """`for i: y[i] = ..;`."""
    before, at = situation.previous, situation.at
    if before is None or before.text not in ("for", "forall", "foreach", "while", "do") or at < 2:
        return None
    if situation.lexemes[at - 2].type not in ("LET", "THROUGH", "SEMICOLON"):
        return None
    remedy = "an equation holds for all points of its variable; when they are computed is for a script to say"
    return Advice(f"equations have no `{before.text}`", remedy, span=before.span)


def _operator_of_a_reduction(situation: Situation) -> Advice | None:
    """`reduce(-, [k], a[k])`."""
    if situation.at < 2 or situation.lexemes[situation.at - 2].type != "REDUCE":
        return None
    if situation.found.type not in ("MINUS", "SLASH", "PERCENT", "NAND", "RELATION", "NOT"):
        return None
    operators = " ".join(REDUCTION_OPERATORS)
    return Advice(
        f"`{situation.found.text}` is not a reduction operator",
        f"the operators are {operators}, and declared functions of two arguments",
        repair=Repair(1, ("PLUS",)),
    )


def _question_mark(situation: Situation) -> Advice | None:
    """`c ? a : b`."""
    if situation.found.text != "?":
        return None
    return Advice("there is no operator `?`", "write `if c then a else b`")


def _sections(situation: Situation) -> Advice | None:
    """`output ..; input ..;`, or `input` twice."""
    word = situation.found.text
    if situation.found.type not in _SECTIONS or "DOT" not in situation.expected or "OR" in situation.expected:
        return None
    families = " or ".join(", ".join(family) for family in (FAMILY_OF_INPUT, FAMILY_OF_GIVEN))
    return Advice(
        f"the section `{word}` cannot stand here",
        f"the sections of a system are {families}: in this order, and each once",
        repair=Repair(1),
    )


HABITS: tuple[Callable[[Situation], Advice | None], ...] = (
    power,
    index_from_data,
    _comparison_in_parentheses,
    _indices_in_parentheses,
    _brackets_apart,
    _size_in_brackets,
    _parameters_in_brackets,
    in_parentheses,
    _foreign_type,
    _foreign_beginning,
    _else_of_a_case,
    _condition_of_a_branch,
    _base_case,
    _loop,
    _operator_of_a_reduction,
    _question_mark,
)

# After the functions that recognise a misspelt word.
ORDER = (_sections,)
