"""The types that commands are declared with: what Python sees, and the kind of argument that the script gives."""

from enum import StrEnum
from typing import Annotated

from alphaz.commands.kinds.kind import (
    AnyKind,
    ChoiceKind,
    CountKind,
    DimensionKindOf,
    DimensionsKind,
    FileKind,
    FlagKind,
    FolderKind,
    IntegerKind,
    LevelKind,
    NaturalKind,
    NodeKind,
    PieceKind,
    PositiveKind,
    PrefixKind,
    TextKind,
    TileSizesKind,
)  # fmt: skip
from alphaz.commands.kinds.names import (
    EquatedKind,
    IndexNamesKind,
    InputsKind,
    LabelKind,
    NewNameKind,
    OneNameKind,
    StatementKind,
    StatementsKind,
    SystemKind,
    SystemTitleKind,
    VariableKind,
    VariablesKind,
)  # fmt: skip
from alphaz.commands.kinds.options import GeneratorOptions, OptionsKind
from alphaz.commands.kinds.polyhedral import CellMapKind, Map, MapKind, ModuliKind
from alphaz.commands.kinds.storage import FormatKind
from alphaz.commands.outcome import Detail
from alphaz.mapping.factors import Factor
from alphaz.mapping.target import DimensionKind, Format

Anything = Annotated[object, AnyKind()]
Text = Annotated[str, TextKind()]
FileName = Annotated[str, FileKind()]
FolderName = Annotated[str, FolderKind()]
Flag = Annotated[bool, FlagKind()]
Integer = Annotated[int, IntegerKind()]
Natural = Annotated[int, NaturalKind()]
Dimension = Annotated[int, DimensionKindOf()]
Dimensions = Annotated[tuple[int, ...], DimensionsKind()]
Prefix = Annotated[tuple[int, ...], PrefixKind()]
ParallelPrefix = Annotated[tuple[int, ...], PrefixKind("PARALLEL")]
ReductionPrefix = Annotated[tuple[int, ...], PrefixKind("REDUCTION")]
VectorPrefix = Annotated[tuple[int, ...], PrefixKind("VECTOR")]
Moduli = Annotated[tuple[Factor, ...], ModuliKind()]
SystemName = Annotated[str, SystemKind()]
SystemTitle = Annotated[str, SystemTitleKind()]
OneName = Annotated[str, OneNameKind()]
VariableName = Annotated[str, VariableKind()]
EquatedName = Annotated[str, EquatedKind()]
InputNames = Annotated[tuple[str, ...], InputsKind()]
VariableNames = Annotated[tuple[str, ...], VariablesKind()]
StatementName = Annotated[str, StatementKind()]
StatementNames = Annotated[tuple[str, ...], StatementsKind()]
IndexNames = Annotated[tuple[str, ...], IndexNamesKind()]
LabelName = Annotated[str, LabelKind()]
Side = Annotated[bool, FlagKind()]
NewName = Annotated[str, NewNameKind()]
AffineMap = Annotated[Map, MapKind()]
CellMap = Annotated[Map, CellMapKind()]
FormatName = Annotated[Format, FormatKind()]
Options = Annotated[GeneratorOptions, OptionsKind()]

TileSizes = Annotated[tuple[tuple[int, ...], ...], TileSizesKind()]
TileSize = Annotated[int, PositiveKind()]
PieceSize = Annotated[int | None, PieceKind()]
Times = Annotated[int, CountKind()]
Level = Annotated[int, LevelKind()]
NodeNumber = Annotated[str, NodeKind()]


class TileOrder(StrEnum):
    """How the tiles of a band follow each other."""

    SEQUENTIAL = "SEQUENTIAL"
    WAVEFRONT = "OPENMP"
    RECURSIVE = "RECURSIVE"


TileOrderName = Annotated[
    TileOrder,
    ChoiceKind(
        {
            "SEQUENTIAL": TileOrder.SEQUENTIAL,
            "OPENMP": TileOrder.WAVEFRONT,
            "RECURSIVE": TileOrder.RECURSIVE,
            "SEQ": TileOrder.SEQUENTIAL,
            "OMP": TileOrder.WAVEFRONT,
        }
    ),
]

_KINDS = {kind.value: kind for kind in DimensionKind}
DimensionType = Annotated[DimensionKind, ChoiceKind({**_KINDS, **{word[0]: kind for word, kind in _KINDS.items()}})]
HowMuch = Annotated[Detail, ChoiceKind({detail.value: detail for detail in Detail})]
