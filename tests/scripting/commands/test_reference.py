"""Everything that is derived from a declaration: names, forms, help, the reference page, the examples."""

import re
from pathlib import Path

import pytest

from alphaz.resources import resource_folder
from alphaz.scripting.commands.catalogue import FAMILIES, commands, find, names
from alphaz.scripting.commands.declaring.declaration import Command, CommandStatus, script_name
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.reference import EXAMPLE_CALLER, EXAMPLE_PROGRAM, entry, overview, page
from alphaz.scripting.interpreter.run import Settings
from tests.scripting.commands.scripts import READ, run

DONE = [command for command in commands() if command.status is CommandStatus.DONE]
# They say in a warning that they do less than the original.
LEAVE_TILES = ("monoparametricTiling_Outlining", "monoparametricTiling_Outlining_noSubsystem")


def test_the_reference_page_is_up_to_date() -> None:
    reference = Path(__file__).parents[3] / "docs" / "commands.md"
    assert reference.read_text(encoding="utf-8") == page(), "run: alphaz commands --markdown > docs/commands.md"


def test_every_family_is_in_the_catalogue() -> None:
    """Nothing else loads it."""
    declares = re.compile(r"^from alphaz\.scripting\.commands\.declaring\.registry import ", re.MULTILINE)
    files = (resource_folder("alphaz") / "scripting" / "commands" / "all").glob("*.py")
    assert {file.stem for file in files if declares.search(file.read_text(encoding="utf-8"))} == set(FAMILIES)


@pytest.mark.slow
@pytest.mark.parametrize("command", DONE, ids=lambda item: item.name)
def test_each_command_has_an_example_that_runs(command: Command, tmp_path: Path) -> None:
    example = command.documentation.example
    assert any(f"{name}(" in example for name in (command.name, *command.aliases))
    messages: list[str] = []
    program = f"{EXAMPLE_PROGRAM}\n{EXAMPLE_CALLER}"
    session = run(READ + example, tmp_path, Settings(generate, say=messages.append), program)
    warned = [f"{command.name} leaves tiles in place"] if command.name in LEAVE_TILES else []
    assert [finding.message for finding in session.findings] == warned
    # A mapping that is assumed is not proved.
    assert session.is_clean == (command.name != "assume")
    if command.name in (
        "Show",
        "AShow",
        "PrintAST",
        "print",
        "listSpaceTimeMaps",
        "listMemoryMaps",
        "VerifyTargetMapping",
    ):
        assert "".join(messages).strip()


@pytest.mark.parametrize("command", commands(), ids=lambda item: item.name)
def test_each_command_has_a_sentence_for_a_summary(command: Command) -> None:
    summary = command.documentation.summary
    assert summary[0].isupper()
    assert summary.endswith(".")
    assert f"`{command.name}(" in page()
    assert command.name in overview()
    assert entry(command).startswith(f"{command.name}(")


def test_names_follow_from_python_names() -> None:
    assert script_name("set_space_time_map") == "setSpaceTimeMap"
    assert find("generateScheduledC") is find("generateScheduledCode")
    assert find("setspacetimemap") is None


def test_the_forms_follow_from_the_declaration() -> None:
    command = find("setMemoryMap")
    assert command is not None
    assert list(command.signatures()) == [
        "setMemoryMap(program, system, variables, map)",
        "setMemoryMap(program, system, variables, map, moduli)",
        "setMemoryMap(program, system, variables, space, map)",
        "setMemoryMap(program, system, variables, space, map, moduli)",
    ]


# Section by section, the commands that scripts of the language use.
LANGUAGE = """
ReadAlphabets Show AShow Save ASave SaveSystem ASaveSystem PrintAST Normalize RenameSystem RenameVariable
RemoveUnusedVariables print echo WriteToFile CheckProgram CheckSystem VerifyTargetMapping BuildPRDG ExportPRDG
Farkas1DScheduler FarkasMDScheduler PlutoScheduler printScheduledStatements revertPRDGEdges setSchedule CoB ForceCoB
Split Merge Inline InlineForce InlineAll InlineAllForce InlineSubSystem OutlineSubSystem AddLocal AddLocalUnique
Simplify SplitUnion ApplySTMap UniformizeInContext reduceDimVariable alignDimVariable createFreeScheduler
DetectReductions NormalizeReduction SerializeReduction ReductionDecomposition ReductionComposition
FactorOutFromReduction PermutationCaseReduce SplitReductionBody TransformReductionBody MergeReductions
SimplifyingReduction setSpaceTimeMap setMemoryMap setMemorySpace setStatementOrdering setParallel
setOrderingDimensions setBandForTiling setSubTilingWithinBand setDefaultDTilerConfiguration CreateSpaceTimeLevel
listSpaceTimeMaps listMemoryMaps setSpaceTimeMapForMemoryAllocation setSpaceTimeMapForValueCopy
setSpaceTimeMapForMemoryFree setSpaceTimeMapForUseEquationOptimization setMemorySpaceForUseEquationOptimization
setDimensionType setTiling setTilingType generateWriteC generateScheduledCode generateScheduledC generateWrapper
generateVerificationCode generateMakefile generatePCOTCode generateFMPPCode generateScanC createCGOptionForWriteC
createCGOptionForScheduledC createCGOptionForHybridScheduledC createCGOptionForHybridScheduledCGPU
createTiledCGOptionForScheduledC createCGOptionsForPCOT setCGOptionFlattenArrays setTiledCGOptionOptimize
setVecOptionForTiledC setVecVarForTiledC setVecVarsForTiledC addRecursionDepthForPCOT calc_ReadDomain
calc_ReadFunction calc_Inverse calc_InverseInContext calc_Compose calc_Join calc_Intersection calc_Union
calc_Difference calc_Image calc_PreImage calc_IsEmpty calc_IsEquivalent calc_SimplifyInContext
monoparametricTiling_noOutlining monoparametricTiling_Outlining monoparametricTiling_Outlining_noSubsystem setRatio
setMinParamValues setTileGroup setCoBPreprocess CtoAlphabets AnalyzeScopMemoryUsage
"""


@pytest.mark.parametrize("name", re.findall(r"\w+", LANGUAGE))
def test_every_command_of_the_language_is_known(name: str) -> None:
    assert name in names()


def test_options_are_accepted_with_a_warning(tmp_path: Path) -> None:
    text = """
        options = createTiledCGOptionForScheduledC();
        setTiledCGOptionOptimize(options, 1);
        setTiledCGOptionOptimize(options, 0);
        setCGOptionFlattenArrays(options, 1);
        setCGOptionFlattenArrays(options, 0);
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        generateScheduledCode(prog, "sums", options);
        generateWriteC(prog, "sums", options, "out");
        generateMakefile(prog, "sums", options, "out", 1);
    """
    session = run(READ + text, tmp_path)
    assert [(finding.rule.code, finding.primary.span.text) for finding in session.findings] == [
        ("AZ408", "setTiledCGOptionOptimize(options, 0)"),
        ("AZ408", "setCGOptionFlattenArrays(options, 0)"),
    ]
    assert session.findings[0].notes[0].startswith("0 would leave full tiles among partial ones")
    assert session.findings[1].notes == ("0 would make arrays of pointers; here every array is flat",)
    assert session.is_clean
