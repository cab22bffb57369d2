"""alphaz: equational programs over polyhedra, mapped, verified and compiled.

    import alphaz

    design = alphaz.run("mcm.cs")           # interpret a command script; nothing is written
    verdict = alphaz.verify(design)         # prove or refute its mapping
    shown = alphaz.trace(design, "MCM")     # every operation, read and cell at small parameters, as plain data
    kernel = alphaz.compile(design)         # generate, compile and load the code of a proved mapping
    kernel(N=100, A=array)                  # NumPy arrays in and out
    alphaz.prove("mm.ab", "tuned.c")        # whether handwritten C computes the equations

Every command of scripts is a function here, and a method of designs: `alphaz.read("mcm.ab").normalize()` returns the
new design, and `print(design.history)` the script that makes it. Every mistake raises `alphaz.Rejected`, whose
`diagnostics` describe it and its place.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from alphaz.lazy import lazy_import
from alphaz.version import VERSION

if TYPE_CHECKING:
    from alphaz.diagnostics import Rejected
    from alphaz.equivalence.driver.prove_c import CVerdict
    from alphaz.figures.trace.tracing import trace
    from alphaz.legality.verdicts import Verified
    from alphaz.run.kernel import Kernel
    from alphaz.scripting.commands.python import CommandWarning, Design
    from alphaz.scripting.commands.python_verdict import Report
    from alphaz.scripting.interpreter.python_api import compile, matrix, prove, read, run, verify  # noqa: A004 - the words of the main job

# Modules are loaded on first use, so that `import alphaz` is fast.
_HOMES = {
    "CommandWarning": "alphaz.scripting.commands.python",
    "Design": "alphaz.scripting.commands.python",
    "Kernel": "alphaz.run.kernel",
    "Rejected": "alphaz.diagnostics",
    "Report": "alphaz.scripting.commands.python_verdict",
    "Verified": "alphaz.legality.verdicts",
    "CVerdict": "alphaz.equivalence.driver.prove_c",
    "Imported": "alphaz.equivalence.driver.equations_from_c",
    "compile": "alphaz.scripting.interpreter.python_api",
    "from_c": "alphaz.scripting.interpreter.python_api",
    "load_ipython_extension": "alphaz.ide.notebook",
    "matrix": "alphaz.scripting.interpreter.python_api",
    "prove": "alphaz.scripting.interpreter.python_api",
    "read": "alphaz.scripting.interpreter.python_api",
    "run": "alphaz.scripting.interpreter.python_api",
    "trace": "alphaz.figures.trace.tracing",
    "verify": "alphaz.scripting.interpreter.python_api",
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
    """The package, in which a public function is never hidden by the subpackage of the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        # Python sets `alphaz.matrix` to the subpackage after loading it; the public function has precedence.
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
__version__ = VERSION


def __getattr__(name: str) -> Any:
    """Returns the exports above, and the commands by their Python names."""
    if name in _HOMES:
        return getattr(lazy_import(_HOMES[name]), name)
    if not name.startswith("_"):
        command = _commands().get(name)
        if command is not None:
            return command
    raise AttributeError(f"module 'alphaz' has no attribute {name!r}")


def _commands() -> dict[str, Any]:
    functions: dict[str, Any] = lazy_import("alphaz.scripting.commands.python").functions()
    return functions


def __dir__() -> list[str]:
    return sorted({*__all__, *_commands()})
