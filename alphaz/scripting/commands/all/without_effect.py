"""Options and experiments of the original generators: accepted without effect, with a warning about their original
effect."""

from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.table import CommandRow, declare_ignored
from alphaz.scripting.commands.kinds.options import GeneratorOptions


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
