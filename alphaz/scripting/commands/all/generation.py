"""Commands that generate C."""

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import IGNORED
from alphaz.mapping.design import Design
from alphaz.scripting.commands.all.tiling import with_recursive_tiles
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import Flag, FolderName, Options, SystemName
from alphaz.scripting.commands.kinds.options import GeneratorOptions
from alphaz.scripting.commands.outcome import Generation, Generator, Outcome


@command(Topic.CODE, aliases=("generateScheduledC",))
def generate_scheduled_code(
    design: Design,
    system: SystemName,
    options: Options | None = None,
    folder: FolderName = "",
    verification: Flag = False,
    *,
    call: BoundCall,
) -> Outcome:
    """Generate C with OpenMP that computes the system at the dates, and in the cells, of its mapping.

    With `verification` 1, also the program that generateVerificationCode gives.

    Checks: the mapping is proved. (`--assume-legal` generates without that, and the generated header says so.)

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        generateScheduledCode(prog, "sums");
    """
    return _generation(
        Generation(
            design=design,
            system=system,
            span=call.span,
            generator=Generator.SCHEDULED,
            folder=folder,
            verification=verification,
        )
    )


@command(Topic.CODE, name="generatePCOTCode")
def generate_pcot_code(
    design: Design,
    system: SystemName,
    options: Options | None = None,
    folder: FolderName = "",
    verification: Flag = False,
    *,
    call: BoundCall,
) -> Outcome:
    """Generate the code of generateScheduledCode with recursive tiles, which is oblivious of the caches.

    Rewrites: the mapping of the system, as setTilingType with `"recursive"` does: the outermost tiles of every band
    become recursive; where nothing is tiled, all dimensions are, with sizes that are parameters.

    With `verification` 1, also the program that generateVerificationCode gives.

    Checks: the mapping is proved, wherever boxes of tiles are halved.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionsForPCOT();
        generatePCOTCode(prog, "sums", options);
    """
    halved = with_recursive_tiles(design, system, call)
    wanted = Generation(
        design=halved,
        system=system,
        span=call.span,
        generator=Generator.SCHEDULED,
        folder=folder,
        verification=verification,
    )
    return Outcome(value=halved, requests=(wanted,))


@command(Topic.CODE, name="generateWriteC")
def generate_write_c(
    design: Design, system: SystemName, options: Options | None = None, folder: FolderName = "", *, call: BoundCall
) -> Outcome:
    """Generate demand-driven, memoised C, which needs no mapping.

    Example:
        generateWriteC(prog, "sums");
    """
    return _generation(
        Generation(design=design, system=system, span=call.span, generator=Generator.DEMAND_DRIVEN, folder=folder)
    )


@command(Topic.CODE)
def generate_verification_code(
    design: Design, system: SystemName, options: Options | None = None, folder: FolderName = "", *, call: BoundCall
) -> Outcome:
    """Generate the code of generateWriteC under the name `<system>_verify`, to compare with.

    Example:
        generateVerificationCode(prog, "sums");
    """
    return _generation(
        Generation(design=design, system=system, span=call.span, generator=Generator.VERIFICATION, folder=folder)
    )


@command(Topic.CODE)
def generate_wrapper(
    design: Design, system: SystemName, options: Options | None = None, folder: FolderName = "", *, call: BoundCall
) -> Outcome:
    """Generate a main program: parameters from the command line, inputs made or read, times and outputs printed.

    Example:
        generateWrapper(prog, "sums");
    """
    return _generation(
        Generation(design=design, system=system, span=call.span, generator=Generator.WRAPPER, folder=folder)
    )


@command(Topic.CODE)
def generate_makefile(
    design: Design,
    system: SystemName,
    options: Options | None = None,
    folder: FolderName = "",
    verification: Flag = False,
    *,
    call: BoundCall,
) -> Outcome:
    """Generate a Makefile for the generated code and its main program; with `verification` 1, for comparing too.

    Example:
        generateMakefile(prog, "sums");
    """
    return _generation(
        Generation(
            design=design,
            system=system,
            span=call.span,
            generator=Generator.MAKEFILE,
            folder=folder,
            verification=verification,
        )
    )


def _generation(wanted: Generation) -> Outcome:
    return Outcome(requests=(wanted,))


# --- options ----------------------------------------------------------------------------------------------------------


@command(Topic.CODE, name="createCGOptionForWriteC")
def create_cg_option_for_write_c(*, call: BoundCall) -> GeneratorOptions:
    """Make options for generateWriteC.

    Example:
        options = createCGOptionForWriteC();
        generateWriteC(prog, "sums", options);
    """
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="createCGOptionForScheduledC")
def create_cg_option_for_scheduled_c(*, call: BoundCall) -> GeneratorOptions:
    """Make options for generateScheduledCode; the mapping says all that its code depends on.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionForScheduledC();
        generateScheduledCode(prog, "sums", options);
    """
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="createTiledCGOptionForScheduledC")
def create_tiled_cg_option_for_scheduled_c(*, call: BoundCall) -> GeneratorOptions:
    """Make options for tiled code; code is tiled wherever the mapping has bands, with or without them.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, 16);
        options = createTiledCGOptionForScheduledC();
        generateScheduledCode(prog, "sums", options);
    """
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="createCGOptionsForPCOT")
def create_cg_options_for_pcot(*, call: BoundCall) -> GeneratorOptions:
    """Make options for generatePCOTCode; the mapping says all that its code depends on.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionsForPCOT();
        generatePCOTCode(prog, "sums", options);
    """
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="setCGOptionFlattenArrays")
def set_cg_option_flatten_arrays(options: Options, flat: Flag, *, call: BoundCall) -> Outcome:
    """Choose flat arrays (1) or arrays of pointers (0); all arrays are flat, and 0 is accepted with a warning.

    Example:
        options = createCGOptionForScheduledC();
        setCGOptionFlattenArrays(options, 1);
    """
    return _always(flat, "0 would make arrays of pointers; here every array is flat", call)


@command(Topic.CODE, name="setTiledCGOptionOptimize")
def set_tiled_cg_option_optimize(options: Options, split: Flag, *, call: BoundCall) -> Outcome:
    """Split full tiles from partial ones (1) or not (0); they always are, and 0 is accepted with a warning.

    Example:
        options = createTiledCGOptionForScheduledC();
        setTiledCGOptionOptimize(options, 1);
    """
    return _always(
        split, "0 would leave full tiles among partial ones; here they are split where code gets simpler", call
    )


def _always(wanted: bool, note: str, call: BoundCall) -> Outcome:
    """What is done in any case: a warning where it is not wanted."""
    if wanted:
        return Outcome()
    return Outcome(
        findings=(Diagnostic(IGNORED, f"{call.command} has no effect here", Label(call.span), notes=(note,)),)
    )
