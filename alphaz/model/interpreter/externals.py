"""External functions: the Python functions that replace the C ones."""

from collections.abc import Callable, Container, Iterator, Mapping

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import INPUT_DATA, RUN_TIME
from alphaz.model.expression import Call, Expression, Reduce
from alphaz.model.interpreter.arithmetic import Stop, from_python
from alphaz.model.interpreter.demand_driven import Value
from alphaz.model.interpreter.evaluation_order import expressions_of
from alphaz.model.program import External, Program, System, UseEquation
from alphaz.model.walk import walk


def _called_systems(program: Program, system: System) -> list[System]:
    called = {system.name: system}
    waiting = [system]
    while waiting:
        for equation in waiting.pop().equations:
            if isinstance(equation, UseEquation) and equation.system not in called:
                called[equation.system] = program.system(equation.system)
                waiting.append(called[equation.system])
    return list(called.values())


def external_functions(
    program: Program, system: System, functions: Mapping[str, Callable[..., object]]
) -> list[Callable[..., Value]]:
    """Returns one function for each declared one, in order; unused ones may be missing."""
    if system.loop is not None:
        raise Rejected(not_executable(system))
    require_functions(program, system, functions)
    return [_guard_call(e, functions.get(e.name)) for e in program.externals]


def require_functions(program: Program, system: System, names: Container[str]) -> None:
    """Raises Rejected (AZ807) with every missing function that the system uses, directly or in called systems."""
    called = _called_systems(program, system)
    used = {name for s in called for e in s.equations for x in expressions_of(e) for name in _functions(x)}
    missing = [e for e in program.externals if e.name in used and e.name not in names]
    if missing:
        raise Rejected(*(_no_function(e) for e in missing))


def _functions(expression: Expression) -> Iterator[str]:
    for node in walk(expression):
        if isinstance(node, Call):
            yield node.function
        elif isinstance(node, Reduce):
            yield node.operator


def _guard_call(external: External, function: Callable[..., object] | None) -> Callable[..., Value]:
    def call(*arguments: Value) -> Value:
        assert function is not None
        try:
            result = function(*arguments)
        except Exception as problem:
            raise Stop(f"external function `{external.name}` failed: {problem!r}") from None
        return from_python(result, external.type)

    return call


def _no_function(external: External) -> Diagnostic:
    return Diagnostic(
        INPUT_DATA,
        f"external function `{external.name}` has no implementation here",
        Label(external.span, "declared here"),
        help="write its body in `external_functions.h` beside the program (generating code makes one with prototypes), "
        "or in another file, `--functions FILE.h`; or, from Python, give a function for it: "
        f"externals={{{external.name!r}: ...}}",
    )


def not_executable(system: System) -> Diagnostic:
    assert system.loop is not None
    return Diagnostic(
        RUN_TIME,
        f"`{system.name}` is a `while` system, which is checked but not executable",
        Label(system.loop.span, "over this loop"),
    )
