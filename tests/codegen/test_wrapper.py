"""The main program and its Makefile, as a user meets them."""

import shutil
from pathlib import Path

import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.makefile import makefile
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.wrapper.main_program import wrapper
from tests.codegen.generated_kernels import checked, compile_program, run, write

PROGRAM = """affine scale {N | N>=2}
input double a {i | 0<=i<N}; int k;
output double b {i | 0<=i<N};
let b[i] = k * a[i];
.
"""


def made(folder: Path, *flags: str, spoil: tuple[str, str] = ("", "")) -> Path:
    """The program, which compares with itself under another name where it is compiled with -DVERIFY."""
    program = checked(PROGRAM)
    sources = write_c(program, "scale") | write_c(program, "scale", "scale_verify") | wrapper(program, "scale")
    files = {name: text.replace(*spoil) if name == "scale.c" else text for name, text in sources.files.items()}
    write(Sources(files), folder)
    compile_program(folder, "scale", ["scale.c", "scale_verify.c", "scale-wrapper.c"], flags)
    return folder


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("plain"))


def test_constant_inputs(plain: Path) -> None:
    done = run(plain, "./scale", "3", "--print")
    assert done.stdout.startswith("Execution time : ")
    assert done.stdout.splitlines()[1:] == ["b[0] = 1", "b[1] = 1", "b[2] = 1"]


def test_a_scalar_is_printed_by_its_name(tmp_path: Path) -> None:
    program = checked("affine twice {|} input int a; output int b; let b = 2 * a; .")
    write(write_c(program, "twice") | wrapper(program, "twice"), tmp_path)
    compile_program(tmp_path, "twice", ["twice.c", "twice-wrapper.c"], ())
    assert run(tmp_path, "./twice", "--constant", "4", "--print").stdout.splitlines()[1:] == ["b = 8"]


def test_random_inputs_are_reproducible(plain: Path) -> None:
    first, again, other = (run(plain, "./scale", "4", "--random", s, "--print", "--bare").stdout for s in "112")
    assert first.splitlines()[1:] == again.splitlines()[1:]
    assert first.splitlines()[1:] != other.splitlines()[1:]


def test_inputs_from_a_file_and_from_standard_input(plain: Path, tmp_path: Path) -> None:
    values = tmp_path / "a.txt"
    values.write_text("1.5\n-2\n")
    done = run(plain, "./scale", "2", "--input", f"a={values}", "--read", "--print", "--bare", text="3")
    assert done.stdout.splitlines()[1:] == ["4.5", "-6"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no value for parameter: N"),
        (["1"], "the parameters must satisfy"),
        (["x"], "not an integer: x"),
        (["99999999999999999999"], "not an integer"),
        (["3", "4"], "one parameter too many: 4"),
        (["3", "--what", "1"], "unknown option: --what"),
        (["3", "--input", "c=/dev/null"], "not NAME=FILE for an input"),
        (["3", "--input", "a=/nowhere"], "cannot read /nowhere"),
        (["3", "--input", "a=/dev/null"], "a: there are fewer values than points"),
        (["100000000000000"], "parameters lie between -2^40 and 2^40"),
    ],
)
def test_bad_arguments(plain: Path, arguments: list[str], said: str) -> None:
    done = run(plain, "./scale", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_verification_passes(tmp_path: Path) -> None:
    done = run(made(tmp_path, "-DVERIFY", "-DRANDOM"), "./scale", "5")
    assert done.returncode == 0
    assert "TEST for b PASSED" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["2 * *k * a[i]", "(a[0] - a[0]) / (a[0] - a[0])", "-a[0] / (a[0] - a[0])"])
def test_verification_finds_what_differs(tmp_path: Path, wrong: str) -> None:
    folder = made(tmp_path, "-DVERIFY", spoil=("b[i] = *k * a[i];", f"b[i] = i == 1 ? {wrong} : *k * a[i];"))
    done = run(folder, "./scale", "5")
    assert done.returncode == 1
    assert "first difference: b[1] is" in done.stdout
    assert "TEST for b FAILED. #Errors: 1" in done.stdout


def test_values_that_are_no_numbers_fail_with_advice(tmp_path: Path) -> None:
    done = run(made(tmp_path, "-DVERIFY"), "./scale", "5", "--constant", "nan")
    assert done.returncode == 1
    assert done.stdout.count("nan is no number: these data do not suit the program") == 1
    assert "TEST for b FAILED. #Errors: 5" in done.stdout


def test_checking_prompts_and_timing_traces(tmp_path: Path) -> None:
    done = run(made(tmp_path, "-DCHECKING", "-DTIMING"), "./scale", "2", text="1 2 10")
    assert "Input for a:" in done.stdout
    assert "b[1] = 20" in done.stdout
    assert (tmp_path / "trace.dat").read_text().startswith("2 ")
    bare = run(made(tmp_path, "-DCHECKING", "-DNO_PROMPT"), "./scale", "2", text="1 2 10")
    assert bare.stdout.splitlines()[1:] == ["10", "20"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_the_makefile_has_the_targets_that_users_know(tmp_path: Path) -> None:
    program = checked(PROGRAM)
    sources = write_c(program, "scale") | write_c(program, "scale", "scale_verify") | wrapper(program, "scale")
    write(sources | makefile(program, "scale", DEFAULT.toolchain, with_verify=True), tmp_path)
    done = run(tmp_path, "make", "-s", "OPTIMISE=-O0", "plain", "check", "verify", "verify-rand")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "PASSED" in run(tmp_path, "./scale.verify-rand", "3").stdout
    run(tmp_path, "make", "-s", "clean")
    assert sorted(p.name for p in tmp_path.iterdir() if not p.suffix and p.name != "Makefile") == []
