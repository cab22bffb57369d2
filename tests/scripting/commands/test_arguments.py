"""Valid arguments of commands, and the findings about wrong arguments: rule, phrase, position, remedy."""

from pathlib import Path

import pytest

from tests.scripting.commands.scripts import READ, error_of, mapping_of, run

MAP = 'setSpaceTimeMap(prog, "sums", {}, {});'

# lines, rule, message, marked text, part of the help or the notes
WRONG = [
    ('setSpaceTimeMp(prog, "sums", "B", "(i->i)");', "AZ401", "there is no command `setSpaceTimeMp`", "setSpaceTimeMp",
     "did you mean `setSpaceTimeMap`?"),
    ('SetParallel(prog, "sums", "", 0);', "AZ401", "there is no command `SetParallel`", "SetParallel",
     "did you mean `setParallel`?"),
    ('verify(prog, "sums");', "AZ401", "there is no command `verify`", "verify",
     "did you mean `VerifyTargetMapping`? Write VerifyTargetMapping(program, system, [detail])"),
    ('alpha(prog);', "AZ401", "there is no command `alpha`", "alpha", "`alphaz commands` lists those that there are"),
    ('setSpaceTimeMap(prog, "sums", "B");', "AZ402", "setSpaceTimeMap takes 4, 5 or 6 arguments, and is given 3",
     'setSpaceTimeMap(prog, "sums", "B")', "setSpaceTimeMap(program, system, variables, map)"),
    ("CheckProgram();", "AZ402", "CheckProgram takes 1 argument, and is given 0", "CheckProgram()",
     "write CheckProgram(program)"),
    ('CheckProgram("sums.ab");', "AZ402", "CheckProgram: the program must be a program, as ReadAlphabets gives it",
     '"sums.ab"', "write CheckProgram(program)"),
    (MAP.format('"C"', '"(i->i)"').replace("sums", "sum"), "AZ403", "the program has no system `sum`", '"sum"',
     "did you mean `sums`?"),
    (MAP.format('"A, BB"', '"(i->i)"'), "AZ403", "system `sums` has no variable `BB`", "BB", "did you mean `B`?"),
    ('setOverlap(prog, "sums", "", "B, B", 0, 2, "4");', "AZ402", "the variables must be variables", '"B, B"',
     "name `B` once"),
    (MAP.format('"A; B"', '"(i->i)"'), "AZ402",
     'setSpaceTimeMap: the variables must be variables of the system, separated by commas, as in "A, B"', '"A; B"', ""),
    (MAP.format('"B"', '"(i,j->i)"'), "AZ404",
     "the space-time map of `B` takes 1 index (i); this one has 2", "(i,j->i)", ""),
    (MAP.format('"C"', '"(i,j,k->i)"'), "AZ404",
     "the space-time map of `C` takes 1 index (i) for its result or 2 indices (i,k) for the body of its reduction; "
     "this one has 3", "(i,j,k->i)", ""),
    ('setSpaceTimeMap(prog, "sums", "B", "(i->i)", "(i->i)");', "AZ404",
     "`B` is not a reduction: it has no initialisation to be mapped", "(i->i)", ""),
    (MAP.format('"NR_C"', '"(i,k->i)"'), "AZ403", "system `sums` has no variable `NR_C`", "NR_C",
     "NormalizeReduction makes `NR_C`, unless `C` is one reduction: then `C` is meant"),
    (MAP.format('"B"', '"(i->j)"'), "AZ201", "`j` is neither an index nor a parameter here", "j", ""),
    ('setMemoryMap(prog, "sums", "B", "(i->i)", "2,3");', "AZ404",
     "2 mod factors are given for a memory map with 1 dimension", '"2,3"', ""),
    ('setMemoryMap(prog, "sums", "B", "(i->i)", "-2");', "AZ402",
     'setMemoryMap: the moduli must be mod factors, as in "2,0,0" or "(N+2,0)" (0 is none)', '"-2"', ""),
    ('setMemoryMap(prog, "sums", "B", "", "(i->i)");', "AZ402", "setMemoryMap: the space must be a name", '""', ""),
    ('setDimensionType(prog, "sums", "B", "x", "P");', "AZ402",
     "setDimensionType: the dimension must be a dimension: a number from 0, or a text that holds one", '"x"', ""),
    ('setSpaceTimeMap(prog, "sums", "B", "(i->0,0,i)"); setParallel(prog, "sums", "B", "2");', "AZ402",
     'setParallel: the prefix must be an ordering prefix, as in "" or "0,1"', '"B"',
     'to say it of one variable, write setDimensionType(prog, "sums", "B", 2, "PARALLEL")'),
    ('setParallel(prog, "sums", "B", "2");', "AZ402",
     'setParallel: the prefix must be an ordering prefix, as in "" or "0,1"', '"B"',
     'to say it of one variable, write setDimensionType(prog, "sums", "B", 0, "PARALLEL")'),
    ('setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)"); setReductionDimension(prog, "sums", "C", "0,1");', "AZ402",
     'setReductionDimension: the prefix must be an ordering prefix, as in "" or "0,1"', '"C"',
     'write setDimensionType(prog, "sums", "C", 0, "REDUCTION"), setDimensionType(prog, "sums", "C", 1, "REDUCTION")'),
    ('setPacking(prog, "sums", "C", "A", "finall");', "AZ402", "setPacking: the time must be FINAL", '"finall"',
     "or setPacking(program, system, statements, variables, time)"),
    ('setPacking(prog, "sums", "C", "A", prog);', "AZ402",
     "setPacking: the dimension must be a dimension: a number from 0, or a text that holds one", "prog", ""),
    ('setDimensionType(prog, "sums", "B", 0, "Q");', "AZ402",
     "setDimensionType: the type must be one of SEQUENTIAL, PARALLEL, ORDERING, REDUCTION, VECTOR, S, P, O, R, V",
     '"Q"', ""),
    ('setStatementOrdering(prog, "sums", "B", "B");', "AZ406", "`B` cannot precede itself", '"B"', ""),
    ('setTiling(prog, "sums", 0, 0);', "AZ402", "setTiling: the size must be a positive number", "0", ""),
    ('setTilingType(prog, "sums", "omp");', "AZ406",
     "without a space-time map, the number of dimensions to tile is unknown", 'setTilingType(prog, "sums", "omp")',
     "set the space-time maps first"),
    ('setBandForTiling(prog, "sums", "b", 0, 0); setTiling(prog, "sums", "omp");', "AZ406",
     "there are no tiles of setTiling to be put in order", 'setTiling(prog, "sums", "omp")',
     "setSubTilingWithinBand puts those of a band in order"),
    ('setBandForTiling(prog, "sums", "b", 2, 1);', "AZ402",
     "the band would end (at dimension 1) before it starts (at 2)", "1", ""),
    ('setSubTilingWithinBand(prog, "sums", "b", 0, "openmp");', "AZ403", "there is no band `b`", '"b"',
     "setBandForTiling makes one"),
    ('setBandForTiling(prog, "sums", "b", 1, 3); setSubTilingWithinBand(prog, "sums", "b", 1, 0, 1, "openmp");',
     "AZ402", "band `b` is 1..3, and has no part 0..1", "0", ""),
    ('setBandForTiling(prog, "sums", "b", 1, 3); setSubTilingWithinBand(prog, "sums", "b", 1, 3, 2, "openmp");',
     "AZ402", "band `b` is 1..3, and has no part 3..2", "3", ""),
    ('setBandForTiling(prog, "sums", "b", 0, 0); setSubTilingWithinBand(prog, "sums", "b", 2, "openmp");', "AZ402",
     "band `b` has 1 level of tiles, counted from 1", "2", ""),
    ('setBandForTiling(prog, "sums", "b", 0, 0); setSubTilingWithinBand(prog, "sums", "b", 0, "openmp"); '
     'setSubTilingWithinBand(prog, "sums", "b", 1, "openmp");', "AZ402",
     "band `b` has 1 level of tiles, counted from 0", "1", ""),
    ('setSpaceTimeMap(prog, "sums", 1, "B", "(i->i)");', "AZ407", "a mapping of level 1 is not implemented yet", "1",
     "leave the level out"),
    ('CoB(prog, "sums", "B", "(i->i)");', "AZ406", "`B` is an output of sums, and this would change the interface of "
     "the system", "(i->i)", "add a local that copies `B` (AddLocal) and work on that"),
    ('NormalizeReduction(prog, "0,7");', "AZ403", "there is no node `0,7`", '"0,7"',
     "PrintAST shows the numbers of all nodes"),
    ("Normalize(prg);", "AZ403", "the script has no variable `prg` here", "prg", "did you mean `prog`?"),
    ('print("N = " + prog);', "AZ402", "`+` joins texts and numbers", "prog", ""),
    ('NormalizeReduction(prog, "sums", "A");', "AZ402",
     "NormalizeReduction: the variable must be a local or output variable of the system", '"A"', ""),
    ('NormalizeReduction(prog, "9,9,9");', "AZ403", "there is no node `9,9,9`", "", "PrintAST"),
    ('ReadAlphabets("sum.ab");', "AZ405", "the file `sum.ab` does not exist", '"sum.ab"', "did you mean `sums.ab`?"),
    ('ReadAlphabets(".");', "AZ405", "is a folder, not a file", '"."', ""),
    (f'ReadAlphabets("{"x" * 300}");', "AZ405", "cannot be read: file name too long", "", ""),
    ('ReadAlphabets("");', "AZ402", "ReadAlphabets: the file must be the name of a file", '""', ""),
    ('generateWriteC(prog, "sums", 7);', "AZ402", "generateWriteC", "7", ""),
    ('setCGOptionFlattenArrays("flat", 1);', "AZ402", "options of a code generator", '"flat"', ""),
    ('setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k+1)", "(i->i,0)", 1);', "AZ402",
     "the results of `C` start at the identity of `+`, not at 1", "1", "leave the value out"),
    ('setSchedule(prog, "sums", "B (i->i)");', "AZ402", "the schedules must be schedules", '"B (i->i)"', ""),
    ('setSchedule(prog, "sums", "B: (i->i); X: (i->i)");', "AZ403", "no variable `X`", "X", ""),
    ('setSchedule(prog, "sums", "B: (i,j->i)");', "AZ404", "takes 1 index (i)", "(i,j->i)", ""),
    ('graph = BuildPRDG(prog, "sums"); setSchedule(prog, "sums", PlutoScheduler(graph, "nearness"));', "AZ514",
     "there is no term `nearness`", "nearness", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message", "marked", "remedy"), WRONG, ids=[item[0] for item in WRONG])
def test_a_wrong_argument_is_located(
    text: str, code: str, message: str, marked: str, remedy: str, tmp_path: Path
) -> None:
    error = error_of(text, tmp_path)
    assert error.rule.code == code
    assert message in error.message
    if marked:
        assert error.primary.span.text == marked
        assert error.primary.span.source.name == "test.cs"
    assert remedy in " ".join([error.help or "", *error.notes])


INNER = """affine half {N | N>0}
input int a {i | 0<=i<N};
output int s;
let s = 2 * reduce(+, [i], a[i]);
.
"""


@pytest.mark.parametrize("arguments", ['"(i->i)"', '"(i->i)", "(->-1)"'])
def test_a_map_for_a_reduction_inside_an_expression_is_told_how_to_get_one(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "half.ab").write_text(INNER)
    text = f'p = ReadAlphabets("half.ab");\nsetSpaceTimeMap(p, "half", "s", {arguments});'
    (finding,) = run(text, tmp_path).findings
    assert finding.rule.code == "AZ404"
    assert finding.help == "NormalizeReduction gives the reduction in its equation a variable of its own, `NR_s`"


def test_every_independent_mistake_is_reported_in_order(tmp_path: Path) -> None:
    text = """
        setSpaceTimeMap(prog, "sums", "X", "(i->j)");
        setParallel(prog, "sums", "", "one");
        setMemoryMap(prog, "sum", "B", "(i->i)");
    """
    session = run(READ + text, tmp_path)
    assert [finding.rule.code for finding in session.findings] == ["AZ403", "AZ201", "AZ402", "AZ403"]
    assert session.design_verdicts == ()


def test_what_follows_from_a_failed_transformation_is_not_reported(tmp_path: Path) -> None:
    text = 'NormalizeReduction(prog, "sums", "X");\nsetSpaceTimeMap(prog, "sums", "NR_X", "(i->i)");'
    assert "`X`" in error_of(text, tmp_path).message


@pytest.mark.parametrize("variables", ['"B,C"', '"B, C"', '" B ,C "', '"C"+", B"'])
def test_lists_of_variables_may_have_spaces(variables: str, tmp_path: Path) -> None:
    mapping = mapping_of(MAP.format(variables, '"(i->i)"'), tmp_path)
    assert {item.variable for item in mapping.space_time} == {"B", "C"}


@pytest.mark.parametrize("dimensions", ["1", '"1"', '" 1 "', '"(1)"'])
def test_dimensions_may_be_numbers_or_texts(dimensions: str, tmp_path: Path) -> None:
    mapping = mapping_of(f'setParallel(prog, "sums", "", {dimensions});', tmp_path)
    assert mapping.kinds[0].dimensions == (1,)


def test_a_text_with_an_escape_is_read_as_its_value(tmp_path: Path) -> None:
    mapping = mapping_of(MAP.format('"B"', r'"(i\n->\ti)"'), tmp_path)
    assert str(mapping.space_time[0].function) == "(i -> i)"


def test_a_map_is_marked_where_it_is_assigned(tmp_path: Path) -> None:
    error = error_of('m = "(i->q)";\n' + MAP.format('"B"', "m"), tmp_path)
    assert (error.primary.span.source.name, error.primary.span.text) == ("test.cs", "q")


def test_a_map_put_together_is_a_text_of_its_own(tmp_path: Path) -> None:
    error = error_of(MAP.format('"B"', '"(i->" + "q)"'), tmp_path)
    assert error.primary.span.source.name == "<text> at test.cs:2:36"
    assert error.primary.span.source.text == "(i->q)"
