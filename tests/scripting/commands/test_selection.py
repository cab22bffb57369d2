"""Parts of programs as values of scripts."""

from pathlib import Path

import alphaz
from alphaz.mapping.design import Design
from alphaz.scripting.commands.reference import EXAMPLE_PROGRAM
from alphaz.scripting.interpreter.run import Settings
from tests.scripting.commands.scripts import READ, run


def _printed(text: str, folder: Path) -> str:
    messages: list[str] = []
    session = run(READ + text, folder, Settings(say=messages.append))
    assert session.is_clean, session.findings
    return "".join(messages)


def _refused(text: str, folder: Path) -> list[tuple[str, str]]:
    return [(f.rule.code, f.message) for f in run(READ + text, folder).findings]


def test_parts_print_as_they_are_written(tmp_path: Path) -> None:
    text = """
        system = GetSystem(prog, "sums");
        print(GetVariable(system, "A"));
        print(GetEquation(system, "C"));
        print(GetExpression(GetBody(system, 0), "C"));
        print(GetNode(prog, "0,0,0,1,0,1"));
    """
    whole = "reduce(+, [k], {| 0<=k<=i}: A[k])"
    assert _printed(text, tmp_path) == f"input int A {{i | 0<=i<N}};\nC[i] = {whole};\n{whole}\nA[i]\n"


def test_a_part_stands_for_its_name_or_number(tmp_path: Path) -> None:
    text = """
        system = GetSystem(prog, "sums");
        sum = GetExpression(system, "C");
        AddLocal(prog, system, "S", GetNode(prog, "0,0,0,1,0,1"));
        SerializeReduction(prog, sum, "(i,k -> i,k)");
        RenameVariable(prog, system, GetVariable(system, "B"), "P");
        print("a name: " + system);
    """
    assert _printed(text, tmp_path) == "a name: sums\n"


def test_a_selected_expression_is_the_same_when_numbers_change(tmp_path: Path) -> None:
    text = """
        AddLocal(prog, "sums", "P", "0,0,0,1,0,1");
        AddLocal(prog, "sums", "S", "0,1,0,0");
        term = GetExpression(GetSystem(prog, "sums"), "S");
        before = "" + term;
        InlineAll(prog, "sums", "P");
        RemoveUnusedVariables(prog);
        print(before + " " + term);
        print(term);
    """
    assert _printed(text, tmp_path) == "0,3,0 0,2,0\n{| 0<=k<=i}: A[k]\n"


def test_a_part_that_is_gone_is_said_so(tmp_path: Path) -> None:
    text = """
        sum = GetExpression(GetSystem(prog, "sums"), "C");
        SerializeReduction(prog, sum, "(i,k -> i,k)");
        print(sum);
    """
    expected = "the program has changed since an expression was selected, and has it no more"
    assert _refused(text, tmp_path) == [("AZ403", expected)]


def test_wrong_names_and_parts_are_refused(tmp_path: Path) -> None:
    assert _refused('GetVariable(GetSystem(prog, "sums"), "D");', tmp_path) == [
        ("AZ403", "system `sums` has no variable `D`")
    ]
    assert _refused('GetBody(GetSystem(prog, "sums"), 1);', tmp_path) == [
        ("AZ402", "system `sums` has one body, number 0")
    ]
    assert _refused('GetEquation(GetVariable(GetSystem(prog, "sums"), "B"), "B");', tmp_path) == [
        ("AZ402", "GetEquation: the body must be a system or a body, as GetSystem and the others give it")
    ]
    assert _refused('SubstituteByDef(prog, "A", "B");', tmp_path) == [
        ("AZ403", "no equation of the program defines `A`")
    ]


def test_parts_in_python() -> None:
    design = alphaz.read(text=EXAMPLE_PROGRAM)
    assert isinstance(design, Design)
    system = design.get_system("sums")
    assert repr(system) == "<system sums>"
    assert alphaz.get_equation(system, "B").text.startswith("B[i] = case")
    local = design.add_local(system, "S", design.get_node("0,0,0,1,0,1"))
    assert local.history[-1] == 'AddLocal(prog, "sums", "S", "0,0,0,1,0,1");'
