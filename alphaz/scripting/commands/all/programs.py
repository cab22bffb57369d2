"""Commands that read, print, save and check programs."""

from collections.abc import Callable

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.print_ast import print_ast as tree_text
from alphaz.analysis.texts.show import alpha as successor_form
from alphaz.analysis.texts.show import ashow as array_form
from alphaz.analysis.texts.show import show as point_free_form
from alphaz.lazy import lazy_import
from alphaz.mapping.design import Design, History
from alphaz.model.expression import Facts
from alphaz.model.program import System
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import literal, text_of
from alphaz.scripting.commands.kinds.parameter_types import Anything, FileName, HowMuch, SystemName, Text
from alphaz.scripting.commands.kinds.program_parts import SelectedPart, require_there
from alphaz.scripting.commands.outcome import Detail, Outcome, Saving, VerificationRequest


@command(Topic.BASIC, name="ReadAlphabets")
def read_alphabets(file: FileName, *, call: BoundCall) -> Outcome:
    """Read and check the programs of a file.

    A relative name is searched in the folder of the script, then in the working directory.

    Checks: all that CheckProgram checks; a program with errors is rejected.

    Example:
        prog = ReadAlphabets("sums.ab");"""
    checked = read_program(call.reader.read(file, call.at("file")))
    design = Design(checked, history=History([f"prog = ReadAlphabets({literal(file)});"]))
    return Outcome(design, findings=checked.warnings)


@command(Topic.BASIC, name="ReadAlphaBundle")
def read_alpha_bundle(file: FileName, *, call: BoundCall) -> Outcome:
    """Read and check the programs of a file in the successor language (`*.alpha`).

    ReadAlphabets reads them, too: it recognises the language. Variables are double, unless a line of the system, `//@
    type A, B = int`, states their type; bodies (`when`) become cases, and `auto` becomes the domain that the other
    branches leave.

    Checks: all that CheckProgram checks; constructs without a counterpart (fuzzy variables, `select`, `conv`, integer
    divisions) are reported.

    Example:
        Save(prog, "copy.alpha");
        again = ReadAlphaBundle("copy.alpha");"""
    return read_alphabets(file, call=call)


@command(Topic.BASIC, name="Show")
def show(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Print the program, or one system, in point-free form: functions precede their operands.

    Example:
        Show(prog, "sums");"""
    return Outcome(printed=point_free_form(design.program, system))


@command(Topic.BASIC, name="AShow")
def ashow(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Print the program, or one system, in array form: indices follow variables.

    Example:
        AShow(prog);"""
    return Outcome(printed=array_form(design.program, system))


@command(Topic.BASIC, name="PrintAST")
def print_ast(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Print the tree of the program, or of one system, with the number and the domains of each node.

    Commands take these numbers as names of nodes: system, equation, then the position inside, level by level.

    Example:
        PrintAST(prog, "sums");"""
    return Outcome(printed=tree_text(design.program, design.checked.facts, system))


@command(Topic.BASIC, name="Save")
def save(design: Design, file: FileName | None = None, *, call: BoundCall) -> Outcome:
    """Write the program to a file in point-free form; without a name, to `<its first system>.ab`.

    A file named `*.alpha` is written in the successor language.

    Checks: the file that the program was read from is not overwritten.

    Example:
        Save(prog, "copy.ab");"""
    return _saved(design, None, file, point_free_form(design.program), call)


@command(Topic.BASIC, name="ASave")
def asave(design: Design, file: FileName | None = None, *, call: BoundCall) -> Outcome:
    """Write the program to a file in array form; without a name, to `<its first system>.ab`.

    A file named `*.alpha` is written in the successor language.

    Checks: the file that the program was read from is not overwritten.

    Example:
        ASave(prog, "copy.ab");
        again = ReadAlphabets("copy.ab");"""
    return _saved(design, None, file, array_form(design.program), call)


@command(Topic.BASIC, name="SaveSystem")
def save_system(
    design: Design, system: SystemName | None = None, file: FileName | None = None, *, call: BoundCall
) -> Outcome:
    """Write one system (the first, if none is named) to a file in point-free form; without a name, to `<system>.ab`.

    A single text is the name of a system, if there is one of that name.

    Checks: the file that the program was read from is not overwritten.

    Example:
        SaveSystem(prog, "sums", "copy.ab");
    """
    chosen, file = _what_and_where(design, system, file)
    return _saved(design, chosen, file, point_free_form(design.program, chosen), call)


@command(Topic.BASIC, name="ASaveSystem")
def asave_system(
    design: Design, system: SystemName | None = None, file: FileName | None = None, *, call: BoundCall
) -> Outcome:
    """Write one system (the first, if none is named) to a file in array form; without a name, to `<system>.ab`.

    A single text is the name of a system, if there is one of that name.

    Checks: the file that the program was read from is not overwritten.

    Example:
        ASaveSystem(prog, "sums", "copy.ab");
    """
    chosen, file = _what_and_where(design, system, file)
    return _saved(design, chosen, file, array_form(design.program, chosen), call)


def _what_and_where(design: Design, system: str | None, file: str | None) -> tuple[str, str | None]:
    """The system and the file: a single text is the name of a system, if there is one of that name, and else that of a
    file."""
    names = [system_.name for system_ in design.program.systems]
    if system is None and file is not None and file.strip() in names:
        return file.strip(), None
    return system or names[0], file


@command(Topic.BASIC, name="print", aliases=("echo",))
def print_value(value: Anything, *, call: BoundCall) -> Outcome:
    """Print a text or a number; a program, or a part of one, is printed as AShow does.

    Example:
        print("tile size " + 32);
    """
    match value:
        case Design():
            return Outcome(printed=array_form(value.program))
        case SelectedPart():
            require_there(value, call.at("value"))
            return Outcome(printed=value.text)
    return Outcome(printed=f"{text_of(value)}\n")


@command(Topic.BASIC, name="True")
def true(*, call: BoundCall) -> Outcome:
    """Return 1 for commands that take 0 or 1; `true` without parentheses is the same.

    Example:
        generateMakefile(prog, "sums", True());"""
    return Outcome(True)


@command(Topic.BASIC, name="False")
def false(*, call: BoundCall) -> Outcome:
    """Return 0 for commands that take 0 or 1; `false` without parentheses is the same.

    Example:
        generateMakefile(prog, "sums", False());"""
    return Outcome(False)


@command(Topic.BASIC, name="WriteToFile")
def write_to_file(file: FileName, text: Text, *, call: BoundCall) -> Outcome:
    """Write a text to a file.

    Example:
        WriteToFile("notes.txt", "mapped by rows");
    """
    return Outcome(requests=(Saving(call.at("file"), file, text),))


def _saved(design: Design, system: str | None, file: str | None, text: str, call: BoundCall) -> Outcome:
    name = file or f"{system or design.program.systems[0].name}.ab"
    if name.endswith(".alpha"):
        text = successor_form(design.program, system)
    return Outcome(requests=(Saving(call.at("file"), name, text, original=design.program.source.name),))


@command(Topic.ANALYSIS, name="CheckProgram")
def check_program(design: Design, *, call: BoundCall) -> Outcome:
    """Check that every variable is defined exactly once at each point, and read only where it is defined.

    A program from ReadAlphabets or from a transformation has passed these checks; only warnings remain.

    Checks: types, arities, coverage and overlap of equations, reads inside domains, bounded reductions, dependence
    cycles of one point.

    Example:
        CheckProgram(prog);"""
    return Outcome(findings=design.checked.warnings)


@command(Topic.ANALYSIS, name="CheckSystem")
def check_system(design: Design, system: SystemName, *, call: BoundCall) -> Outcome:
    """Check one system, as CheckProgram does for all.

    Example:
        CheckSystem(prog, "sums");
    """
    span = design.system(system).span
    inside = [
        warning
        for warning in design.checked.warnings
        if warning.primary.span.source is not span.source or span.start <= warning.primary.span.start < span.end
    ]
    return Outcome(findings=tuple(inside))


@command(Topic.ANALYSIS, name="VerifyTargetMapping")
def verify_target_mapping(
    design: Design, system: SystemName, detail: HowMuch = Detail.MIN, *, call: BoundCall
) -> Outcome:
    """Prove or refute, for all parameters at once, that the mapping computes what the equations say.

    `NONE` prints the verdict, `MIN` also the findings, `MAX` every obligation.

    Checks: one date for each operation; every value written before it is read and kept until its last read; outputs
    kept to the end; no two unordered writes of one cell; all of this for every order that the tiling allows.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        VerifyTargetMapping(prog, "sums", "MIN");"""
    return Outcome(requests=(VerificationRequest(design, system, call.span, detail),))


@command(Topic.ANALYSIS, name="ComplexityCalculator")
def complexity_calculator(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Print the number of values and operations of each equation, as polynomials in the parameters.

    A number that is not a polynomial is reported as such.

    Example:
        ComplexityCalculator(prog, "sums");"""
    # Point counting is loaded for this command alone: most scripts only verify.
    work_text: Callable[[Facts, System], str] = lazy_import("alphaz.analysis.facts.work_and_traffic").work_text
    chosen = [system_ for system_ in design.program.systems if system in (None, system_.name)]
    return Outcome(printed="".join(work_text(design.checked.facts, system_) for system_ in chosen))
