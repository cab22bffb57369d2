"""The parameter types of commands: types in Python, kinds of arguments in scripts, options of generators."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from alphaz.mapping.factors import Factor
from alphaz.mapping.target_mapping import Communication, DimensionKind, Format, MergeKind, Ownership
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import (  # fmt: skip
    AnyKind,
    ArchitectureKind,
    ArgumentKind,
    AxesKind,
    ChoiceKind,
    CountKind,
    DimensionKindOf,
    DimensionsKind,
    EarlierArguments,
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
    ProcessorsKind,
    TargetKind,
    TextKind,
    TileSizesKind,
    Unfit,
)
from alphaz.scripting.commands.kinds.names import (  # fmt: skip
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
)
from alphaz.scripting.commands.kinds.polyhedral import CellMapKind, Map, MapKind, ModuliKind
from alphaz.scripting.commands.kinds.storage import FormatKind
from alphaz.scripting.commands.outcome import Detail


@dataclass(frozen=True, slots=True)
class GeneratorOptions:
    """The result of a command such as createCGOptionForWriteC, which is `made_by`. `is_self_contained`: the code does
    not include `alphaz.h`."""

    noun: ClassVar[str] = "options of a code generator"

    made_by: str
    is_self_contained: bool = False


class OptionsKind(ArgumentKind):
    expected = "options of a code generator, as createCGOptionForScheduledC gives them"

    def fits(self, value: object) -> bool:
        return isinstance(value, GeneratorOptions)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> GeneratorOptions:
        if not isinstance(argument.value, GeneratorOptions):
            raise Unfit
        return argument.value


Anything = Annotated[object, AnyKind()]
Text = Annotated[str, TextKind()]
FileName = Annotated[str, FileKind()]
FolderName = Annotated[str, FolderKind()]
Flag = Annotated[bool, FlagKind()]
Architecture = Annotated[str, ArchitectureKind()]
TargetName = Annotated[str, TargetKind()]
Integer = Annotated[int, IntegerKind()]
Natural = Annotated[int, NaturalKind()]
Dimension = Annotated[int, DimensionKindOf()]
Dimensions = Annotated[tuple[int, ...], DimensionsKind()]
Axes = Annotated[tuple[tuple[str, int], ...], AxesKind()]
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


class DimensionOrder(StrEnum):
    """The order of the tiles of a band."""

    SEQUENTIAL = "SEQUENTIAL"
    WAVEFRONT = "OPENMP"
    RECURSIVE = "RECURSIVE"


TileOrderName = Annotated[
    DimensionOrder,
    ChoiceKind(
        {
            "SEQUENTIAL": DimensionOrder.SEQUENTIAL,
            "OPENMP": DimensionOrder.WAVEFRONT,
            "RECURSIVE": DimensionOrder.RECURSIVE,
            "SEQ": DimensionOrder.SEQUENTIAL,
            "OMP": DimensionOrder.WAVEFRONT,
        }
    ),
]

CopyTime = Annotated[bool, ChoiceKind({"FINAL": True})]

_KINDS = {kind.value: kind for kind in DimensionKind}
DimensionType = Annotated[DimensionKind, ChoiceKind({**_KINDS, **{word[0]: kind for word, kind in _KINDS.items()}})]
HowMuch = Annotated[Detail, ChoiceKind({detail.value: detail for detail in Detail})]
MergeName = Annotated[MergeKind, ChoiceKind({kind.value.upper(): kind for kind in MergeKind})]
OwnershipName = Annotated[Ownership, ChoiceKind({kind.value.upper(): kind for kind in Ownership})]
CommunicationName = Annotated[Communication, ChoiceKind({way.value.upper(): way for way in Communication})]
ProcessorNumbers = Annotated[tuple[int, ...], ProcessorsKind()]
