"""Commands that read C: as a program, or to count the memory that it uses."""

from alphaz.diagnostics import Rejected
from alphaz.equivalence.driver.equations_from_c import ImportedOrder, from_c, read_alone
from alphaz.frontends.from_c.program import memory_text
from alphaz.mapping.design import Design, History
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.scripting.commands.kinds.parameter_types import FileName
from alphaz.scripting.commands.outcome import Outcome, Saving


@command(Topic.BASIC, name="CtoAlphabets", forms="file [output] [lower_bound]")
def c_to_alphabets(
    file: FileName, output: FileName | None = None, lower_bound: int | None = None, *, call: BoundCall
) -> Outcome:
    """Make a program from a C function, and prove that the C computes its equations.

    The function must be the only one of the file that is not static. With an output, the program is written to a file
    of that name. All parameters have this lower bound; values for which the C has undefined behaviour are excluded in
    any case. `alphaz from-c` does the same, and writes a script that keeps the order and the memory of the C.

    Checks: the C is supported; the equations are proved. Without a proof there is no program.

    Example:
        again = CtoAlphabets("kernel.c", "total.ab", 1);"""
    source = call.reader.read(file, call.at("file"))
    imported_c = from_c(source, ImportedOrder(program=output, least=lower_bound))
    if not imported_c.is_proved:
        raise Rejected(*imported_c.verdict.findings)
    design = Design(imported_c.checked, history=History([f"prog = CtoAlphabets({literal(file)});"]))
    requests = () if output is None else (Saving(call.span, output, imported_c.program),)
    return Outcome(design, f"{imported_c.verdict}\n", imported_c.checked.warnings, requests)


@command(Topic.ANALYSIS, name="AnalyzeScopMemoryUsage")
def analyze_scop_memory_usage(file: FileName, *, call: BoundCall) -> Outcome:
    """Print the memory that a C function uses: for each array its elements, the accessed ones, and its bytes.

    Counts are polynomials in the parameters; an array declared inside loops counts once.

    Checks: the C is supported.

    Example:
        AnalyzeScopMemoryUsage("kernel.c");"""
    return Outcome(printed=memory_text(read_alone(call.reader.read(file, call.at("file")))))
