"""Calls as scripts of the language write them: orders of arguments, flags, levels, options; and values in words."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import alphaz
from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.declaration import Command, CommandStatus
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.kinds.argument_values import OTHER, description, text_of
from alphaz.scripting.commands.reference import EXAMPLE_CALLER, EXAMPLE_PROGRAM
from alphaz.scripting.interpreter.run import Settings
from tests.scripting.commands.scripts import READ, design_of, error_of, run
from tests.thinning import thinned

pytestmark = pytest.mark.slow

DOMAIN, SUM = '"{i,j | 0<=i<=j<N}"', '"(i,j -> i+j)"'


def printed(expression: str, folder: Path) -> str:
    """Returns the output of a valid expression of a script."""
    messages: list[str] = []
    session = run(f"{READ}print({expression});", folder, Settings(say=messages.append))
    assert [finding.message for finding in session.findings] == []
    return "".join(messages).strip()


@pytest.mark.parametrize(
    ("command", "domain", "function"),
    [
        ("calc_Image", DOMAIN, SUM),
        ("calc_PreImage", '"{x | 0<=x<M}"', SUM),
        ("calc_InverseInContext", '"{i,j | j==2}"', SUM),
        ("calc_Image", f"calc_ReadDomain({DOMAIN})", f"calc_ReadFunction({SUM})"),
        ("calc_InverseInContext", '"{i,j | i==j+N}"', 'calc_Compose("(i -> -i)", "(i,j -> j)")'),
    ],
)
def test_domain_and_function_stand_in_either_order(command: str, domain: str, function: str, tmp_path: Path) -> None:
    value = printed(f"{command}({domain}, {function})", tmp_path)
    assert value == printed(f"{command}({function}, {domain})", tmp_path)
    assert "->" in value or "|" in value


def test_domain_and_function_stand_in_either_order_in_python() -> None:
    domain, function = "{i,j | 0<=i<=j<N}", "(i,j -> j)"
    expected = "{j | 0<=j<N}"
    assert str(alphaz.calc_image(domain, function)) == expected
    assert str(alphaz.calc_image(function, domain)) == expected
    assert str(alphaz.calc_image(function=function, domain=domain)) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('calc_ReadDomain("{N | N>0}", "{i | 0<=i<N}")', "{i | 0<=i<N}"),
        ('calc_ReadDomain("{N,M | N>3}", "{i | i<M}")', "{i | i<M && N>=4}"),
        ('calc_ReadDomain("{ | N>3}", "{i | i<N}")', "{i | i<N && N>=4}"),
        ('calc_ReadDomain(calc_ReadDomain("{N | N<0}"), "{i | 0<=i<N}")', "{i | 0==1}"),
        ('calc_ReadDomain("{N | N>0}", calc_ReadDomain("{i | i<N}"))', "{i | i<N && N>=1}"),
        ('calc_ReadFunction("{N | N>0}", "(i -> N-i)")', "(i->N-i)"),
        ('calc_ReadFunction(calc_ReadDomain("{N,M|}"), "(i -> N-i,M)")', "(i->N-i,M)"),
    ],
)
def test_parameters_are_given_as_a_domain(call: str, expected: str, tmp_path: Path) -> None:
    assert printed(call, tmp_path) == expected


def test_there_are_no_other_parameters_than_those_given(tmp_path: Path) -> None:
    error = error_of('d = calc_ReadDomain("{N | N>0}", "{i | i<M}");', tmp_path)
    assert (error.rule.code, error.primary.span.text) == ("AZ201", "M")
    error = error_of('f = calc_ReadFunction("{N | N>0}", "(i -> M-i)");', tmp_path)
    assert (error.rule.code, error.primary.span.text) == ("AZ201", "M")


def test_a_level_of_mappings_is_listed(tmp_path: Path) -> None:
    messages: list[str] = []
    maps = 'setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");\n'
    run(READ + maps + 'listSpaceTimeMaps(prog, "sums", 0);', tmp_path, Settings(say=messages.append))
    assert messages == ["sums:\n  B: (i -> i)\n  C: (i -> i)\n"]
    messages.clear()
    run(f'{READ}{maps}listSpaceTimeMaps(prog, "sums", 1);\nprint("on");', tmp_path, Settings(say=messages.append))
    assert "".join(messages).split("\n")[:2] == [
        "sums: no space-time maps of level 1, a mapping has level 0 alone",
        "on",
    ]


def files(calls: str, folder: Path) -> Sequence[str]:
    """The files that the calls generate, by name."""
    start = 'setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");\n'
    session = run(READ + start + calls, folder, Settings(generate))
    assert [finding.message for finding in session.findings if finding.is_error] == []
    return sorted(f"{path.name}/{name}" for path, sources in session.files.items() for name in sources.files)


@pytest.mark.parametrize("flag", ["1", "true", "True()", '"true"'])
def test_a_flag_is_a_truth_value_too(flag: str, tmp_path: Path) -> None:
    assert "out/sums_verify.c" in files(f'generateScheduledCode(prog, "sums", "out", {flag});', tmp_path)
    calls = f'generatePCOTCode(prog, "sums", createCGOptionsForPCOT(), "out", {flag});'
    assert {"out/sums.c", "out/sums_verify.c"} <= set(files(calls, tmp_path))
    if flag != '"true"':
        assert any(
            name.endswith("sums_verify.c") for name in files(f'generatePCOTCode(prog, "sums", {flag});', tmp_path)
        )


@pytest.mark.parametrize("flag", ["0", "false", "False()"])
def test_a_flag_may_be_false(flag: str, tmp_path: Path) -> None:
    assert "out/sums_verify.c" not in files(f'generatePCOTCode(prog, "sums", "out", {flag});', tmp_path)


def test_a_variable_may_be_called_true(tmp_path: Path) -> None:
    assert printed("true", tmp_path) == "true"
    session = run('true = "yes";\nx = "" + true;', tmp_path)
    assert session.values["x"] == "yes"


def test_verification_code_takes_options(tmp_path: Path) -> None:
    calls = 'generateVerificationCode(prog, "sums", createCGOptionForWriteC(), "out");'
    assert "out/sums_verify.c" in files(calls, tmp_path)


def test_options_and_flags_stand_in_the_history_as_a_script_gives_them(tmp_path: Path) -> None:
    maps = 'setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");\n'
    call = 'generatePCOTCode(prog, "sums", createCGOptionsForPCOT(), "", true);'
    assert design_of(maps + call, tmp_path).history[-1] == call.replace("true", "1")


# --- values in words ------------------------------------------------------------------------------------------------

DONE = [command for command in commands() if command.status is CommandStatus.DONE]


@pytest.mark.parametrize("command", thinned(DONE, 6), ids=lambda item: item.name)
def test_no_value_is_said_by_the_name_of_a_class(command: Command, tmp_path: Path) -> None:
    """Every value that the scripts of the reference make: as a wrong argument, and printed."""
    example = re.sub(
        rf"^{command.name}\(", f"value = {command.name}(", command.documentation.example, flags=re.MULTILINE
    )
    session = run(READ + example, tmp_path, Settings(generate), f"{EXAMPLE_PROGRAM}\n{EXAMPLE_CALLER}")
    assert not session.has_errors
    for value in session.values.values():
        assert description(value) != OTHER
        assert type(value).__name__ not in (description(value), *re.findall(r"\w+", text_of(value)))
