"""Compiles generated C to a kernel."""

from collections.abc import Sequence
from pathlib import Path

from alphaz.analysis.checks.checked import Checked
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import COMPILATION
from alphaz.mapping.axes import TileSize
from alphaz.processes.external import remedy_for
from alphaz.run.compiler import Compiler, find_compiler
from alphaz.run.kernel import Kernel
from alphaz.run.library import NotCompiled, load

OPTIMISE = ("-O3",)


def compile_kernel(
    sources: Sources,
    checked: Checked,
    system: str,
    *,
    name: str | None = None,
    flags: Sequence[str] = OPTIMISE,
    include: Path | None = None,
    compiler: Compiler | None = None,
    sizes: Sequence[TileSize] = (),
) -> Kernel:
    """Compiles generated sources and loads them.

    `name` is the generated function where that is not the system's (`<system>_verify`). `include` is the folder of the
    user's `external_functions.h`, `sizes` are the tile sizes that are parameters of the function. Raises
    Rejected(NO_COMPILER or COMPILATION).
    """
    chosen = compiler or find_compiler()
    target = checked.program.system(system)
    try:
        library = load(sources, chosen, flags, include)
    except NotCompiled as problem:
        message = f"the C compiler refused the code of `{system}`"
        usual = "external functions must be defined with exactly the declared types; otherwise please report this"
        remedy = remedy_for(str(problem), usual)
        finding = Diagnostic(COMPILATION, message, Label(target.span), notes=problem.first_lines(), help=remedy)
        raise Rejected(finding) from None
    return Kernel(
        system=target,
        symbol=f"{identifier(name or system)}_status",
        compiler=chosen,
        library=library,
        sizes=tuple(sizes),
        layouts=sources.layouts,
        overwritten=sources.overwritten,
    )
