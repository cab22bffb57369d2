"""The clauses of directives of OpenMP: names that exist, expressions without effects, numbers that are positive.

A proof does not depend on the number of threads or the schedule, but only where these have a meaning: a chunk of 0
iterations is undefined, and a condition that reads outside of an array is as wrong there as elsewhere.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Rejected
from alphaz.scop.assignments import is_certain
from alphaz.scop.index_polynomials import NotAffineCondition, TooComplicated
from alphaz.scop.reader_state import NoIndex, ReaderState
from alphaz.scop.scope import Context, Meaning, PointerView, Undefined
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import assigned
from alphaz.scop.unsupported import outside

_DATA = frozenset({"private", "firstprivate", "lastprivate", "reduction"})
_OF = {
    "parallel": _DATA | {"if", "num_threads", "default", "shared", "proc_bind"},
    "for": _DATA | {"schedule", "collapse", "nowait", "ordered"},
    "sections": _DATA | {"nowait"},
    "simd": _DATA | {"safelen", "simdlen", "aligned", "collapse", "if", "nontemporal", "linear"},
    "single": frozenset({"private", "firstprivate", "nowait", "copyprivate"}),
    "atomic": frozenset({"update", "read", "write", "capture", "seq_cst", "relaxed"}),
    "critical": frozenset({"", "hint"}),
}
_ONCE = frozenset({
    "if", "num_threads", "default", "proc_bind", "schedule", "collapse", "nowait", "ordered", "safelen", "simdlen",
})  # fmt: skip
_NAMING = _DATA | {"shared", "aligned", "nontemporal", "linear", "copyprivate"}
_KINDS = {
    "schedule": {"static", "dynamic", "guided", "auto", "runtime"},
    "proc_bind": {"master", "primary", "close", "spread"},
    "default": {"none", "shared"},
}
# The words before a colon, of clauses that have one; that of a reduction is an operator.
_MODIFIERS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys((_DATA - {"reduction"}) | {"shared", "num_threads", "default", "proc_bind"}, ()),
    "if": ("parallel", "simd"),
    "schedule": ("monotonic", "nonmonotonic", "simd"),
}
_WITHOUT_CHUNK = frozenset({"auto", "runtime"})
_POSITIVE_CALLS = frozenset({
    "omp_get_max_threads", "omp_get_num_procs", "omp_get_num_threads", "omp_get_thread_limit",
})  # fmt: skip
_ARITHMETIC = (c.Name, c.Literal, c.Binary, c.Unary, c.Ternary, c.Cast)


def check_clauses(state: ReaderState, omp: c.Omp, nest: Context) -> None:
    """Raises Rejected for clauses that no compiler accepts, or whose expressions may be undefined."""
    words = omp.directive.split()
    allowed = frozenset[str]().union(*(_OF.get(word, frozenset()) for word in words))
    if "parallel" in words:
        allowed -= {"nowait"}
    counts = Counter(clause.name for clause in omp.clauses)
    for clause in omp.clauses:
        if clause.name not in allowed or (clause.name == "firstprivate" and words == ["simd"]):
            _refuse(state, omp, f"`omp {omp.directive}` has no clause `{clause.name}`")
        if clause.name in _ONCE and counts[clause.name] > 1:
            _refuse(state, omp, f"`omp {omp.directive}` has more than one clause `{clause.name}`")
        if clause.operator and clause.operator not in _MODIFIERS.get(clause.name, (clause.operator,)):
            _refuse(state, omp, f"`{clause.operator}:` in the clause `{clause.name}` is not supported")
        _check(state, omp, clause, nest)
    listed = Counter(
        _name(argument) for clause in omp.clauses if clause.name in _NAMING for argument in clause.arguments
    )
    repeated = next((name for name, count in listed.items() if name and count > 1), None)
    if repeated is not None and not any(clause.name == "aligned" for clause in omp.clauses):
        _refuse(state, omp, f"`{repeated}` is in two clauses of `omp {omp.directive}`")
    if any(clause.name == "default" and [*map(_name, clause.arguments)] == ["none"] for clause in omp.clauses):
        _check_listed(state, omp, nest, {*listed})


def _refuse(state: ReaderState, omp: c.Omp, message: str, remedy: str | None = None) -> None:
    raise outside(state.span(omp), message, remedy)


def _check(state: ReaderState, omp: c.Omp, clause: c.Clause, nest: Context) -> None:
    name, arguments = clause.name, clause.arguments
    if name in _KINDS and (not arguments or _name(arguments[0]) not in _KINDS[name]):
        _refuse(state, omp, f"`{name}` has to be one of {', '.join(sorted(_KINDS[name]))}")
    numbers: Sequence[c.Expression] = ()
    match name:
        case "schedule":
            numbers = arguments[1:]
            if len(numbers) > 1 or (numbers and _name(arguments[0]) in _WITHOUT_CHUNK):
                _refuse(state, omp, f"`schedule({_name(arguments[0])})` has no chunk")
        case "num_threads" | "simdlen" | "safelen" | "collapse":
            numbers = arguments
            if len(numbers) != 1:
                _refuse(state, omp, f"`{name}` needs one number")
            if name != "num_threads" and not isinstance(numbers[0], c.Literal):
                _refuse(state, omp, f"the number of `{name}` must be a constant")
        case "if":
            for argument in arguments:
                _check_readable(state, omp, argument, nest)
        case _ if name in _NAMING:
            _check_names(state, omp, clause)
            _check_variables(state, omp, clause, nest)
    for number in numbers:
        _check_positive(state, omp, name, number, nest)


def _check_variables(state: ReaderState, omp: c.Omp, clause: c.Clause, nest: Context) -> None:
    """Raises Rejected for names that are no variables here, and for alignments of numbers."""
    for argument in clause.arguments:
        name = _variable(argument)
        if not _is_known(state, name, nest):
            _refuse(state, omp, f"`{name}` in `{clause.name}` is no variable here")
        if clause.name == "aligned" and not _is_address(nest.meaning(argument)):
            _refuse(state, omp, f"this is no OpenMP: `{name}` in `aligned` is neither a pointer nor an array")


def _check_names(state: ReaderState, omp: c.Omp, clause: c.Clause) -> None:
    """Raises Rejected unless all arguments are variables, or sections of arrays in a reduction."""
    if not clause.arguments:
        _refuse(state, omp, f"this is no OpenMP: `{clause.name}` needs names of variables")
    for argument in clause.arguments:
        base = argument
        while clause.name == "reduction" and isinstance(base, c.Section | c.Index):
            base = base.base
        if not isinstance(base, c.Name):
            _refuse(state, omp, f"this is no OpenMP: `{clause.name}` needs names of variables")


def _is_address(meaning: Meaning | None) -> bool:
    """Returns True for arrays, and pointers to elements."""
    return isinstance(meaning, PointerView) and (meaning.is_pointer or bool(meaning.extents))


def _variable(argument: c.Expression) -> str:
    """Returns the name in `y`, `y[0:n]` and `y[k]`."""
    while isinstance(argument, c.Section | c.Index):
        argument = argument.base
    return _name(argument)


def _name(expression: c.Expression) -> str:
    return expression.name if isinstance(expression, c.Name) else ""


def _is_known(state: ReaderState, name: str, nest: Context) -> bool:
    return name in nest.names or name in state.around


def _check_readable(state: ReaderState, omp: c.Omp, expression: c.Expression, nest: Context) -> None:
    """Raises Rejected unless an expression is arithmetic over scalars, without effects and without division by 0."""
    for node in nodes(expression, c.Node):
        is_call = isinstance(node, c.Call) and str(node.function).startswith("omp_get_") and not node.arguments
        if isinstance(node, c.Binary) and node.operator in ("/", "%") and not _is_nonzero(node.right):
            _refuse(state, omp, "a clause divides by what may be 0", "divide by a constant")
        if isinstance(node, c.Binary) and node.operator in ("<<", ">>"):
            _refuse(state, omp, "a clause shifts by what may be too far", "multiply or divide by a constant")
        if not is_call and not isinstance(node, _ARITHMETIC):
            _refuse(state, omp, "only scalars and numbers are supported in clauses")
        if isinstance(node, c.Name) and (
            not _is_known(state, node.name, nest) or isinstance(nest.names.get(node.name), Undefined)
        ):
            _refuse(state, omp, f"`{node.name}` in a clause has no known value here")


def _is_nonzero(divisor: c.Expression) -> bool:
    return isinstance(divisor, c.Literal) and divisor.text.strip("0uUlL.") != ""


def _check_positive(state: ReaderState, omp: c.Omp, clause: str, expression: c.Expression, nest: Context) -> None:
    if isinstance(expression, c.Call) and expression.function in _POSITIVE_CALLS and not expression.arguments:
        return
    with suppress(NoIndex, NotAffineCondition, TooComplicated, Rejected):
        if is_certain(state, nest, c.Binary(">=", expression, c.Literal("1"), at=omp.at)):
            return
    message = f"the number in `{clause}` is not known to be positive: 0 is undefined"
    _refuse(state, omp, message, "use a positive constant")


def _check_listed(state: ReaderState, omp: c.Omp, nest: Context, listed: set[str]) -> None:
    """Raises Rejected if a variable of the text around is used without being in a clause."""
    body = omp.body or ()
    own = {declared.name for declared in nodes(body, c.Declare)}
    own |= {name for loop in nodes(body, c.For) for name in assigned(loop.start)}
    missing = sorted(name for name in names_in(body) & {*nest.names} if name not in listed | own)
    if missing:
        _refuse(state, omp, f"`default(none)`, and `{missing[0]}` is in no clause", f"add `shared({missing[0]})`")
