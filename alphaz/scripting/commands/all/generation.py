"""Commands that generate C, and options of the original generators without effect."""

import re
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import ARGUMENT, IGNORED, PRECONDITION
from alphaz.legality.verdicts import ASSUMABLE
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import Assumption, TargetChoice
from alphaz.scripting.commands.all.tiling import with_recursive_tiles
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import CommandRow, command, declare_ignored
from alphaz.scripting.commands.kinds.parameter_types import (
    Architecture,
    Flag,
    FolderName,
    GeneratorOptions,
    Options,
    SystemName,
    TargetName,
    Text,
)
from alphaz.scripting.commands.outcome import Generation, Generator, Outcome


@command(Topic.CODE)
def set_target(
    design: Design, system: SystemName, target: TargetName, architecture: Architecture = "", *, call: BoundCall
) -> Design:
    """Set the target of the code that is generated for a system: `openmp` (the default), `sequential`, `mpi` or `cuda`.

    Code for one thread (`sequential`) has no directives and no memory of each thread: parallel dimensions run one value
    after the other. Code for `mpi` (with threads: `mpi-openmp`) executes a distributed mapping (setDistributed), which
    the other targets refuse. Code for `cuda` has kernels of a GPU (setBlockDimensions, setThreadDimensions), which nvcc
    compiles for the given architecture, such as `sm_90`. Other packages can provide more targets. `alphaz run --target`
    takes precedence.

    Rewrites: the mapping of the system.

    Checks: only `cuda` has architectures.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTarget(prog, "sums", "sequential");
        generateScheduledCode(prog, "sums");"""
    if architecture and target != "cuda":
        message = f"the target `{target}` has no architectures"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.at("architecture")), help="leave it out"))
    choice = TargetChoice(target, architecture, span=call.at("target"))
    return design.with_mapping(system, replace(design.mapping(system), target=(choice,)))


@command(Topic.MAPPING)
def assume(design: Design, system: SystemName, name: Text, rules: Text, *, call: BoundCall) -> Design:
    """Assume by name that obligations of some rules hold, although they are not proved.

    The verdict of the mapping is then not `proved` but `proved under the assumption NAME`, its findings about these
    rules are warnings (AZ815), `alphaz verify` and `alphaz run` exit with 3, and the header of generated code repeats
    the assumption. The rules are codes, such as `"AZ502, AZ601"`. Rules without which code could access other memory
    cannot be assumed. A certificate records the verdict without assumptions.

    Rewrites: the mapping of the system.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->0)");
        assume(prog, "sums", "one element", "AZ501, AZ502");
        VerifyTargetMapping(prog, "sums", "MIN");"""
    codes = tuple(dict.fromkeys(code for code in re.split(r"[\s,]+", rules.upper()) if code))
    known = [rule.code for rule in ASSUMABLE]
    wrong = [code for code in codes if code not in known]
    if wrong or not codes:
        message = f"`{wrong[0]}` cannot be assumed" if wrong else "this assumes no rule"
        help_ = f"the rules that can be assumed are {listing(known)}"
        if name.strip().upper() in known:
            message, help_ = "the rules stand before the name of the assumption", "write the name, then the rules"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("rules")), help=help_))
    if not name.strip() or "\n" in name:
        raise Rejected(Diagnostic(ARGUMENT, "an assumption has a name, of one line", Label(call.at("name"))))
    mapping = design.mapping(system)
    entry = Assumption(name.strip(), codes, span=call.span)
    return design.with_mapping(system, replace(mapping, assumptions=(*mapping.assumptions, entry)))


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
    """Generate C for a system, at the dates and in the cells of its mapping, for OpenMP or the target of setTarget.

    With `verification` 1, also generate the program of generateVerificationCode.

    Checks: the mapping is proved. (`--assume-legal` generates code without a proof, and the generated header says so.)

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        generateScheduledCode(prog, "sums");"""
    return _generation(
        Generation(
            design=design,
            system=system,
            span=call.span,
            generator=Generator.SCHEDULED,
            folder=folder,
            verification=verification,
        ),
        options,
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
    """Generate the code of generateScheduledCode with recursive tiles, which is cache-oblivious.

    Rewrites: the mapping of the system, as setTilingType with `"recursive"` does: the outermost tiles of every band
    become recursive; without any tiling, all dimensions are tiled, with sizes that are parameters.

    With `verification` 1, also generate the program of generateVerificationCode.

    Checks: the mapping is proved for every way of halving boxes of tiles.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionsForPCOT();
        generatePCOTCode(prog, "sums", options);"""
    halved = with_recursive_tiles(design, system, call)
    generated = _generation(
        Generation(
            design=halved,
            system=system,
            span=call.span,
            generator=Generator.SCHEDULED,
            folder=folder,
            verification=verification,
        ),
        options,
    )
    return replace(generated, value=halved)


@command(Topic.CODE, name="generateWriteC")
def generate_write_c(
    design: Design, system: SystemName, options: Options | None = None, folder: FolderName = "", *, call: BoundCall
) -> Outcome:
    """Generate demand-driven, memoised C, which needs no mapping.

    Example:
        generateWriteC(prog, "sums");
    """
    return _generation(
        Generation(
            design=design,
            system=system,
            span=call.span,
            generator=Generator.DEMAND_DRIVEN,
            folder=folder,
        ),
        options,
    )


@command(Topic.CODE)
def generate_verification_code(
    design: Design, system: SystemName, options: Options | None = None, folder: FolderName = "", *, call: BoundCall
) -> Outcome:
    """Generate the code of generateWriteC under the name `<system>_verify`, as a reference for comparison.

    Example:
        generateVerificationCode(prog, "sums");"""
    return _generation(
        Generation(
            design=design,
            system=system,
            span=call.span,
            generator=Generator.VERIFICATION,
            folder=folder,
        ),
        options,
    )


@command(Topic.CODE)
def generate_wrapper(
    design: Design, system: SystemName, options: Options | None = None, folder: FolderName = "", *, call: BoundCall
) -> Outcome:
    """Generate a main program: it reads parameters and inputs, runs the code, and prints times and outputs.

    Example:
        generateWrapper(prog, "sums");"""
    return _generation(
        Generation(
            design=design,
            system=system,
            span=call.span,
            generator=Generator.WRAPPER,
            folder=folder,
        ),
        options,
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
    """Generate a Makefile for the code and its main program; with `verification` 1, also for the comparison.

    Example:
        generateMakefile(prog, "sums");"""
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


def _generation(generation: Generation, options: GeneratorOptions | None = None) -> Outcome:
    is_self_contained = options is not None and options.is_self_contained
    return Outcome(requests=(replace(generation, is_self_contained=is_self_contained),))


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
    """Make options for generateScheduledCode; the code depends on the mapping alone.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionForScheduledC();
        generateScheduledCode(prog, "sums", options);"""
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="createTiledCGOptionForScheduledC")
def create_tiled_cg_option_for_scheduled_c(*, call: BoundCall) -> GeneratorOptions:
    """Make options for tiled code; bands of the mapping are tiled with or without these options.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, 16);
        options = createTiledCGOptionForScheduledC();
        generateScheduledCode(prog, "sums", options);"""
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="createCGOptionsForPCOT")
def create_cg_options_for_pcot(*, call: BoundCall) -> GeneratorOptions:
    """Make options for generatePCOTCode; the code depends on the mapping alone.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionsForPCOT();
        generatePCOTCode(prog, "sums", options);"""
    return GeneratorOptions(call.command)


@command(Topic.CODE, name="createCGOptionForSelfContainedC")
def create_cg_option_for_self_contained_c(*, call: BoundCall) -> GeneratorOptions:
    """Make options for C files that contain the functions that they use, instead of including `alphaz.h`.

    All generators of C take them. `alphaz run --self-contained` does so for a whole script.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        options = createCGOptionForSelfContainedC();
        generateScheduledCode(prog, "sums", options);"""
    return GeneratorOptions(call.command, is_self_contained=True)


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


def _always(generation: bool, note: str, call: BoundCall) -> Outcome:
    """A warning if the user turns off an option that is always on."""
    if generation:
        return Outcome()
    return Outcome(
        findings=(Diagnostic(IGNORED, f"{call.command} has no effect here", Label(call.span), notes=(note,)),)
    )


def _options(row: CommandRow) -> GeneratorOptions:
    return GeneratorOptions(row.name)


def _nothing(_: CommandRow) -> None:
    return None


declare_ignored(
    Topic.CODE,
    _options,
    CommandRow(
        "createCGOptionForHybridScheduledC(dim)",
        "Make the loops from dimension `dim` on functions of their own.",
    ),
    CommandRow("createCGOptionForHybridScheduledCGPU(dim)", "Run the loops from dimension `dim` on on a GPU."),
)
declare_ignored(
    Topic.CODE,
    _nothing,
    CommandRow(
        "setVecOptionForTiledC(options, set, strategy, regblock)",
        "Choose how to vectorise and block for registers.",
    ),
    CommandRow("setVecVarForTiledC(options, variable)", "Name the variable that is vectorised."),
    CommandRow("setVecVarsForTiledC(options, variables)", "Name the variables that are vectorised."),
    CommandRow(
        "addRecursionDepthForPCOT(options, depth)",
        "Bound the recursion of cache-oblivious code; here the sizes of its tiles do.",
    ),
    CommandRow(
        "generateFMPPCode(program, system, [options], [folder])", "Generate C that passes several times over the data."
    ),
    CommandRow("generateScanC(program, system, [options], [folder])", "Generate C that computes recurrences by scans."),
)
declare_ignored(
    Topic.TRANSFORM,
    _nothing,
    CommandRow(
        "setRatio(program, system, variable, ratios)", "Give the ratios of the sides of a tile; here all are one."
    ),
    CommandRow("setMinParamValues(program, system, values)", "Leave out cases by least values of the parameters."),
    CommandRow("setTileGroup(program, system, variables)", "Put tiles of several variables into one system."),
)
declare_ignored(
    Topic.MAPPING,
    _nothing,
    CommandRow(
        "CreateSpaceTimeLevel(program, system, levels)",
        "Make further levels of space-time maps; here a mapping has one, and tiles have levels of their own "
        "(setBandForTiling).",
    ),
)
