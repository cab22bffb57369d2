"""Trees of texts, and random trees that a text can have: only places are assigned, and types are no variables."""

from hypothesis import strategies as st

from alphaz.c import tree as c
from alphaz.c.parse import parse
from alphaz.diagnostics import Source


def read(text: str) -> c.File:
    """Returns the tree of a text."""
    return parse(Source("text.c", text))


def inside(text: str) -> tuple[c.Statement, ...]:
    """Returns the statements of a text."""
    (function,) = read(f"void f(void) {{\n{text}\n}}").items
    assert isinstance(function, c.Function)
    assert function.body is not None
    return function.body


NAMES = st.sampled_from(["a", "b", "i", "n", "x_1", "sum"])
LITERALS = st.sampled_from(
    ["0", "1", "42", "017", "0x1Fu", "10UL", "7LL", "0.5", "1e-3", "2.5f", "0x1.8p3", "1.L", "'a'", "'\\n'", "'\"'"]
).map(c.Literal)
STRINGS = st.sampled_from(['""', '"a, b"', '"\\"x\\" + y\\n"', '"/* no comment */"']).map(c.String)
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"]
ASSIGNING = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]

_SCALARS = ["void", "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
            "long", "unsigned long", "long long", "unsigned long long", "float", "double", "long double"]  # fmt: skip
FLAGS = st.booleans()


def _base(names: list[str]) -> st.SearchStrategy[c.Type]:
    return st.one_of(
        st.builds(c.Scalar, st.sampled_from(names), const=FLAGS, volatile=FLAGS),
        st.builds(c.Named, st.sampled_from(["int64_t", "size_t", "FILE"]), const=FLAGS),
        st.builds(c.Record, st.sampled_from(["point", "cell"]), word=st.sampled_from(["struct", "union"]), const=FLAGS),
        st.builds(c.Enumeration, st.just("kind")),
    )


def _around(inner: st.SearchStrategy[c.Type]) -> st.SearchStrategy[c.Type]:
    """Types of inner ones: no function returns an array or a function, and there are no arrays of functions."""
    values = inner.filter(lambda type_: not isinstance(type_, c.Array | c.Signature))
    extents = st.one_of(st.none(), LITERALS, NAMES.map(c.Name))
    return st.one_of(
        st.builds(c.Pointer, inner, FLAGS, const=FLAGS, volatile=FLAGS),
        st.builds(c.Array, inner.filter(lambda type_: not isinstance(type_, c.Signature)), extents),
        st.builds(c.Signature, values, st.lists(values.filter(_is_complete), max_size=2).map(tuple)),
        st.builds(c.Signature, values, st.tuples(values.filter(_is_complete)), st.just(True)),
    )


def _is_complete(type_: c.Type) -> bool:
    return not (isinstance(type_, c.Scalar) and type_.name == "void")


TYPES = st.recursive(_base(_SCALARS), _around, max_leaves=4)
OBJECTS = TYPES.filter(lambda type_: not isinstance(type_, c.Signature))


def _values(inner: st.SearchStrategy[c.Expression]) -> st.SearchStrategy[c.Expression]:
    places = _places(inner)
    rows = st.lists(inner, max_size=2).map(tuple)
    return st.one_of(
        places,
        st.builds(c.Unary, st.sampled_from("-+!~"), inner),
        st.builds(c.Unary, st.just("&"), places),
        st.builds(c.Binary, st.sampled_from(BINARY), inner, inner),
        st.builds(c.Ternary, inner, inner, inner),
        st.builds(c.Call, NAMES, rows),
        st.builds(c.Call, st.builds(c.Unary, st.just("*"), inner), rows),
        st.builds(c.Cast, OBJECTS, inner),
        st.builds(c.SizeOf, st.one_of(OBJECTS, inner)),
        st.builds(c.Compound, OBJECTS, _init(inner)),
        st.builds(c.Step, st.sampled_from(["++", "--"]), FLAGS, places),
        st.builds(c.Set, st.sampled_from(ASSIGNING), places, inner),
        st.lists(inner, min_size=2, max_size=3).map(lambda values: c.Comma(tuple(values))),
    )


def _places(inner: st.SearchStrategy[c.Expression]) -> st.SearchStrategy[c.Expression]:
    return st.one_of(
        NAMES.map(c.Name),
        st.builds(c.Index, inner, inner),
        st.builds(c.Member, inner, NAMES, FLAGS),
        st.builds(c.Unary, st.just("*"), inner),
    )


def _init(inner: st.SearchStrategy[c.Expression]) -> st.SearchStrategy[c.Init]:
    designators = st.lists(st.one_of(NAMES, inner), max_size=2).map(tuple)
    return st.lists(st.tuples(designators, inner), min_size=1, max_size=3).map(lambda values: c.Init(tuple(values)))


EXPRESSIONS = st.recursive(st.one_of(LITERALS, STRINGS, NAMES.map(c.Name)), _values, max_leaves=8)
PLACES = _places(EXPRESSIONS)


def _is_set(value: c.Expression) -> bool:
    """As a statement it would be an assignment; in the head of a loop, several expressions."""
    return isinstance(value, c.Set | c.Comma)


DECLARES = st.builds(
    c.Declare, OBJECTS, NAMES, st.one_of(st.none(), EXPRESSIONS, _init(EXPRESSIONS)), st.sampled_from(["", "static"])
)
ASSIGNS = st.builds(c.Assign, PLACES, EXPRESSIONS, st.sampled_from(ASSIGNING))
EVALUATES = EXPRESSIONS.filter(lambda value: not _is_set(value)).map(c.Evaluate)
STEPS = st.lists(EXPRESSIONS.filter(lambda value: not isinstance(value, c.Comma)), max_size=2).map(tuple)


def _counters(type_: c.Type, names: list[str], value: c.Expression | None) -> tuple[c.Statement, ...]:
    """Returns declarations that share a type: `int i = 0, *a = 0`."""
    return tuple(c.Declare(c.Pointer(type_) if at else type_, name, value) for at, name in enumerate(names))


COUNTERS = st.builds(
    _counters, _base(["int", "long"]), st.lists(NAMES, min_size=1, max_size=2, unique=True),
    st.one_of(st.none(), EXPRESSIONS),
)  # fmt: skip
STARTS = st.one_of(st.just(()), COUNTERS, st.lists(st.one_of(ASSIGNS, EVALUATES), min_size=1, max_size=2).map(tuple))
CLAUSES = st.one_of(
    st.just(c.Clause("nowait")),
    st.builds(lambda n: c.Clause("collapse", (c.Literal(str(n)),)), st.integers(1, 3)),
    st.builds(lambda name: c.Clause("reduction", (c.Name(name),), "+"), NAMES),
    st.builds(lambda name, n: c.Clause("aligned", (c.Name(name),), last=c.Literal(str(n))), NAMES, st.integers(8, 64)),
    st.builds(lambda value: c.Clause("if", (value,)), st.builds(c.Binary, st.just(">"), NAMES.map(c.Name), LITERALS)),
)


def _loop(body: st.SearchStrategy[tuple[c.Statement, ...]]) -> st.SearchStrategy[c.For]:
    return st.builds(c.For, start=STARTS, test=st.one_of(st.none(), EXPRESSIONS), steps=STEPS, body=body)


def _nested(inner: st.SearchStrategy[c.Statement]) -> st.SearchStrategy[c.Statement]:
    body = st.lists(inner, max_size=3).map(tuple)
    some = st.lists(CLAUSES, max_size=2).map(tuple)
    # pycparser wants a statement behind a directive in a case.
    case = st.builds(lambda statements: (*statements, c.Break()), body)
    return st.one_of(
        st.builds(c.If, EXPRESSIONS, body, body),
        _loop(body),
        st.builds(c.While, EXPRESSIONS, body),
        st.builds(c.DoWhile, body, EXPRESSIONS),
        st.builds(c.Block, body),
        st.builds(c.Switch, EXPRESSIONS, st.lists(st.tuples(LITERALS, case), max_size=2).map(tuple)),
        st.builds(c.Omp, st.sampled_from(["parallel", "single", "critical", "task"]), some, body),
        st.builds(c.Omp, st.sampled_from(["parallel for", "for simd", "simd"]), some, _loop(body).map(lambda f: (f,))),
    )


_SIMPLE = st.one_of(
    DECLARES,
    ASSIGNS,
    EVALUATES,
    st.builds(c.Return, st.one_of(st.none(), EXPRESSIONS)),
    st.sampled_from([c.Break(), c.Continue(), c.Goto("end"), c.Label("end"), c.Pragma("GCC ivdep")]),
    st.just(c.Omp("barrier", (), None)),
)
_EXTENTS = st.lists(EXPRESSIONS, min_size=1, max_size=3).map(tuple)
_MORE = st.one_of(st.just((None, None)), st.tuples(EXPRESSIONS, st.one_of(st.none(), EXPRESSIONS)))
LAUNCHES = st.builds(
    lambda grid, block, arguments, more: c.Launch("kernel", grid, block, arguments, *more),
    _EXTENTS, _EXTENTS, st.lists(EXPRESSIONS, max_size=2).map(tuple), _MORE,
)  # fmt: skip
STATEMENTS = st.recursive(st.one_of(_SIMPLE, LAUNCHES), _nested, max_leaves=6)
PARAMETERS = st.builds(c.Parameter, OBJECTS.filter(_is_complete), NAMES)
FUNCTIONS = st.builds(
    c.Function,
    type=TYPES.filter(lambda type_: not isinstance(type_, c.Array | c.Signature)),
    name=st.just("f"),
    parameters=st.lists(PARAMETERS, max_size=3).map(tuple),
    body=st.one_of(st.none(), st.lists(STATEMENTS, max_size=3).map(tuple)),
    storage=st.sampled_from(["", "static", "extern"]),
    qualifiers=st.sampled_from([(), ("inline",), ("__host__",), ("__host__", "inline")]),
)
FILES = st.lists(st.one_of(FUNCTIONS, DECLARES, st.builds(c.Typedef, TYPES, st.just("own"))), max_size=2).map(
    lambda items: c.File(tuple(items))
)
