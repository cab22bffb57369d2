"""alphaz: equational programs over polyhedra, mapped, verified and compiled.

    import alphaz

    design = alphaz.run("mcm.cs")           # interpret a command script; nothing is written
    verdict = alphaz.verify(design)         # prove or refute its mapping
    shown = alphaz.trace(design, "MCM")     # every operation, read and cell at small parameters, as plain data
    kernel = alphaz.compile(design)         # generate, compile and load the code of a proved mapping
    kernel(N=100, A=array)                  # NumPy arrays in and out
    alphaz.prove("mm.ab", "tuned.c")        # whether C that anybody wrote computes the equations

Every command of scripts is a function here, and a method of designs: `alphaz.read("mcm.ab").normalize()` returns the
new design, and `print(design.history)` the script that makes it. Whatever is wrong raises `alphaz.Rejected`, whose
`diagnostics` say what and where.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from alphaz.commands.python import CommandWarning, Design
    from alphaz.commands.verdict import Report
    from alphaz.diagnostics import Rejected
    from alphaz.execution.c_proof import CVerdict
    from alphaz.execution.kernel import Kernel
    from alphaz.script.python import compile, matrix, prove, read, run, verify  # noqa: A004 - the words of the main job
    from alphaz.trace.tracing import trace
    from alphaz.verify.verified import Verified

# Nothing is loaded before it is asked for: `import alphaz` costs nothing.
_HOMES = {
    "CommandWarning": "alphaz.commands.python",
    "Design": "alphaz.commands.python",
    "Kernel": "alphaz.execution.kernel",
    "Rejected": "alphaz.diagnostics",
    "Report": "alphaz.commands.verdict",
    "Verified": "alphaz.verify.verified",
    "CVerdict": "alphaz.execution.c_proof",
    "Imported": "alphaz.execution.c_import",
    "compile": "alphaz.script.python",
    "from_c": "alphaz.script.python",
    "matrix": "alphaz.script.python",
    "prove": "alphaz.script.python",
    "read": "alphaz.script.python",
    "run": "alphaz.script.python",
    "trace": "alphaz.trace.tracing",
    "verify": "alphaz.script.python",
}

__all__ = [
    "CVerdict",
    "CommandWarning",
    "Design",
    "Imported",
    "Kernel",
    "Rejected",
    "Report",
    "Verified",
    "compile",
    "from_c",
    "matrix",
    "prove",
    "read",
    "run",
    "trace",
    "verify",
]


class _Package(ModuleType):
    """The package, in which a public function is never hidden by the room that has its name."""

    def __setattr__(self, name: str, value: object) -> None:
        # So does Python say, when it has loaded `alphaz.matrix`, that this is what `matrix` means here.
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """The exports above, and the commands by their Python names."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if not name.startswith("_"):
        found = _commands().get(name)
        if found is not None:
            return found
    raise AttributeError(f"module 'alphaz' has no attribute {name!r}")


def _commands() -> dict[str, Any]:
    functions: dict[str, Any] = importlib.import_module("alphaz.commands.python").functions()
    return functions


def __dir__() -> list[str]:
    return sorted({*__all__, *_commands()})
