"""Options and experiments of the original generators: accepted, and what they would have done is said."""

from alphaz.commands.declaration import Topic
from alphaz.commands.options import GeneratorOptions
from alphaz.commands.table import Row, ignored


def _options(row: Row) -> GeneratorOptions:
    return GeneratorOptions(row.name)


def _nothing(_: Row) -> None:
    return None


ignored(
    Topic.CODE,
    _options,
    Row(
        "createCGOptionForHybridScheduledC(dim)",
        "Make the loops from dimension `dim` on functions of their own.",
    ),
    Row("createCGOptionForHybridScheduledCGPU(dim)", "Run the loops from dimension `dim` on on a GPU."),
    Row("createCGOptionsForPCOT()", "Make options for generatePCOTCode."),
)
ignored(
    Topic.CODE,
    _nothing,
    Row("setTiledCGOptionOptimize(options, 0|1)", "Split full tiles from partial ones."),
    Row(
        "setVecOptionForTiledC(options, set, strategy, regblock)",
        "Choose how to vectorise and block for registers.",
    ),
    Row("setVecVarForTiledC(options, variable)", "Name the variable that is vectorised."),
    Row("setVecVarsForTiledC(options, variables)", "Name the variables that are vectorised."),
    Row("addRecursionDepthForPCOT(options, depth)", "Bound the recursion of cache-oblivious code."),
    Row("generatePCOTCode(program, system, [options], [folder])", "Generate recursive, cache-oblivious C."),
    Row(
        "generateFMPPCode(program, system, [options], [folder])", "Generate C that passes several times over the data."
    ),
    Row("generateScanC(program, system, [options], [folder])", "Generate C that computes recurrences by scans."),
)
