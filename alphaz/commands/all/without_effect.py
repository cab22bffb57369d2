"""Options and experiments of the original generators: accepted, and what they would have done is said."""

from alphaz.commands.declaring.declaration import Topic
from alphaz.commands.declaring.table import Row, ignored
from alphaz.commands.kinds.options import GeneratorOptions


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
)
ignored(
    Topic.CODE,
    _nothing,
    Row(
        "setVecOptionForTiledC(options, set, strategy, regblock)",
        "Choose how to vectorise and block for registers.",
    ),
    Row("setVecVarForTiledC(options, variable)", "Name the variable that is vectorised."),
    Row("setVecVarsForTiledC(options, variables)", "Name the variables that are vectorised."),
    Row(
        "addRecursionDepthForPCOT(options, depth)",
        "Bound the recursion of cache-oblivious code; here the sizes of its tiles do.",
    ),
    Row(
        "generateFMPPCode(program, system, [options], [folder])", "Generate C that passes several times over the data."
    ),
    Row("generateScanC(program, system, [options], [folder])", "Generate C that computes recurrences by scans."),
)
ignored(
    Topic.TRANSFORM,
    _nothing,
    Row("setRatio(program, system, variable, ratios)", "Give the ratios of the sides of a tile; here all are one."),
    Row("setMinParamValues(program, system, values)", "Leave out cases by least values of the parameters."),
    Row("setTileGroup(program, system, variables)", "Put tiles of several variables into one system."),
)
ignored(
    Topic.MAPPING,
    _nothing,
    Row(
        "CreateSpaceTimeLevel(program, system, levels)",
        "Make further levels of space-time maps; here a mapping has one, and tiles have levels of their own "
        "(setBandForTiling).",
    ),
)
