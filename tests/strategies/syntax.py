"""Hypothesis strategies: syntax trees of the whole language of programs and of scripts.

Every tree that they give can be written, and every construct of the grammars is among them.
"""

from hypothesis import strategies as st

from alphaz.syntax import script_tree, tree
from alphaz.syntax.words import OPERATORS, REDUCTION_OPERATORS, SCALAR_TYPES

_WORDS = ["i", "j", "k", "N", "M", "A", "x_1", "SR_x", "_", "val", "max", "input", "esac", "int", "affine"]
_SYSTEMS = ["f", "2mm", "jacobi-1d", "given", "2if", "a--1-or-b", "MCM_serialized", "3-4d"]
_INFIX = ("or", "xor", "and", "nand", "==", "!=", "<", "<=", ">", ">=", "+", "-", "%", "*", "/", "min", "max")
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_LARGEST = 2**64 - 1

words = st.sampled_from(_WORDS) | st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,6}", fullmatch=True)
names = st.builds(tree.Name, words)
system_names = st.builds(tree.Name, st.sampled_from(_SYSTEMS) | words)


def several(strategy: st.SearchStrategy, least: int = 0, most: int = 3) -> st.SearchStrategy:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


# --- affine things ---------------------------------------------------------------------------------------------

_coefficients = st.integers(-3, 3) | st.integers(-_LARGEST, _LARGEST)
terms = st.builds(tree.Term, _coefficients, st.none() | words)
positive_terms = st.builds(tree.Term, st.integers(0, 3), st.none() | words)
affines = st.builds(tree.AffineText, several(terms, 1))
sides = st.one_of(
    st.builds(tree.Side, several(affines, 1, 1)),
    st.builds(tree.Side, several(affines, 1, 3), st.booleans()),
    st.builds(tree.Side, several(affines, 1, 3), st.just(True), st.integers(1, _LARGEST)),
    st.builds(
        tree.Side, positive_terms.map(lambda term: (tree.AffineText((term,)),)), st.just(False), st.integers(1, 9)
    ),
)


@st.composite
def chains(draw: st.DrawFn) -> tree.Chain:
    operators = draw(several(st.sampled_from(_RELATIONS), 1))
    return tree.Chain(draw(several(sides, len(operators) + 1, len(operators) + 1)), operators)


polyhedra = st.builds(tree.Polyhedron, several(names), several(chains()))
domains = st.builds(tree.DomainText, several(polyhedra, 1, 2))
functions = st.builds(tree.FunctionText, several(names), several(affines))

# --- expressions -----------------------------------------------------------------------------------------------

leaves = st.one_of(
    st.builds(tree.IntegerLiteral, st.integers(0, _LARGEST)),
    st.builds(tree.RealLiteral, st.from_regex(r"[0-9]{1,4}\.[0-9]{1,4}", fullmatch=True)),
    st.builds(tree.BooleanLiteral, st.booleans()),
    st.builds(tree.Reference, names),
    st.builds(tree.Reference, names, several(affines)),
    st.builds(tree.IndexExpression, affines),
    st.builds(tree.ValExpression, several(names), affines),
)
_own_operators = words.filter(lambda word: word not in OPERATORS)


def _larger(inner: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(
        st.builds(tree.BinaryExpression, st.sampled_from(_INFIX), inner, inner),
        st.builds(tree.UnaryExpression, st.sampled_from(["not", "-"]), inner),
        st.builds(tree.OperatorCall, st.sampled_from(REDUCTION_OPERATORS), several(inner, 2)),
        st.builds(tree.FunctionCall, names, several(inner)),
        st.builds(tree.IfExpression, inner, inner, inner),
        st.builds(tree.RestrictExpression, domains, inner),
        st.builds(tree.CaseExpression, several(inner, 1)),
        st.builds(tree.ComposeExpression, functions, inner),
        st.builds(
            tree.ReduceExpression,
            st.sampled_from(REDUCTION_OPERATORS) | _own_operators,
            functions | several(names, 1),
            inner,
        ),
    )


expressions = st.recursive(leaves, _larger, max_leaves=8)

# --- systems and programs --------------------------------------------------------------------------------------

type_names = st.builds(tree.TypeName, st.sampled_from([*SCALAR_TYPES, *(f"unsigned {item}" for item in SCALAR_TYPES)]))
_argument_types = several(type_names) | several(type_names, 1).map(lambda types: (None, *types))
externals = st.builds(tree.ExternalNode, type_names, names, _argument_types)
declarations = st.builds(tree.Declaration, type_names, several(names, 1), st.none() | domains)
equations = st.builds(tree.EquationText, names, st.none() | several(names), expressions)
uses = st.builds(
    tree.UseText, st.none() | domains, system_names, several(affines), several(expressions), several(names, 1)
)


@st.composite
def systems(draw: st.DrawFn) -> tree.SystemText:
    value = draw(st.booleans())
    loop = None if value else draw(st.none() | st.builds(tree.WhileText, domains, expressions))
    inputs, outputs, local = (draw(several(declarations, 0, 2)) for _ in range(3))
    bodies = draw(several(equations | uses))
    return tree.SystemText(draw(system_names), draw(domains), inputs, outputs, local, loop, bodies, value)


programs = st.builds(tree.ProgramText, several(externals, 0, 2), several(systems(), 1, 2))

# --- scripts ---------------------------------------------------------------------------------------------------

_plain_names = st.builds(tree.Name, words)
_script_leaves = st.one_of(
    st.builds(script_tree.TextLiteral, st.text(max_size=12)),
    st.builds(
        script_tree.TextLiteral, st.sampled_from(['a"b', "c:\\dir\\n", "(i,j -> i+j)", "\r\n\t", "# no comment"])
    ),
    st.builds(script_tree.NumberLiteral, st.integers(0, _LARGEST)),
    st.builds(script_tree.VariableUse, _plain_names),
)


def _calls(inner: st.SearchStrategy) -> st.SearchStrategy:
    # The parts of a concatenation are never concatenations: the language has no parentheses for them.
    call = st.builds(script_tree.CommandCall, _plain_names, several(inner, 0, 4))
    return call | st.builds(script_tree.Concatenation, several(call | _script_leaves, 2))


script_expressions = st.recursive(_script_leaves, _calls, max_leaves=6)
statements = st.builds(script_tree.ScriptStatement, st.none() | _plain_names, script_expressions)
scripts = st.builds(script_tree.ScriptText, several(statements, 0, 5))
