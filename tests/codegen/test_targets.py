"""Targets say how teams and modes of loops are executed; what a program does they leave alone."""

import re
import shutil
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import ALL
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.target import SEQUENTIAL_C
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.run.compiler import find_compiler
from alphaz.scripting.interpreter.run import run_script
from tests.architecture.source_tree import modules
from tests.cli.command_line import ask
from tests.codegen.generated_kernels import ROOT, STRICT, proved, run, sample, write
from tests.codegen.test_threads import BOTH, DATES, PROGRAM
from tests.thinning import thinned

SCRIPTS = (
    "kernels/gemm/gemm-tuned.cs",
    "kernels/jacobi-2d/jacobi-2d-tuned.cs",
    "kernels/nussinov/nussinov-tuned.cs",
    "kernels/bicg/bicg-tuned.cs",
    "kernels/correlation/correlation-tuned.cs",
    "matrix-chain/mcm-parallel.cs",
)
# Their texts take long to prove.
LONG = tuple(f"kernels/{name}/{name}-tuned.cs" for name in ("nussinov", "correlation", "jacobi-2d"))


@pytest.mark.slow
def test_one_file_knows_how_directives_are_written() -> None:
    """Only the target of OpenMP chooses directives: `c` has them as nodes, `scop` and `equivalence` read and repair
    those of users; that of CUDA, and the code of triangles, unroll loops.
    """
    writers = [module for module in modules() if module.room not in ("c", "scop", "equivalence")]
    found = [module.place for module in writers if "pragma" in module.path.read_text(encoding="utf-8").lower()]
    targets = ["alphaz/codegen/targets/cuda.py", "alphaz/codegen/targets/openmp.py"]
    assert found == ["alphaz/codegen/scheduled/emit/triangles.py", *targets]


def test_long_directives_and_comments_are_broken_between_words(tmp_path: Path) -> None:
    program = """affine f {N | N>=1}
    input char first_of_the_factors, second_of_the_factors {i | 0<=i<N};
    output char y;
    let y = reduce(*, [i], first_of_the_factors[i] * second_of_the_factors[N-1-i] + second_of_the_factors[i]
      * first_of_the_factors[N-1-i] + first_of_the_factors[i] * second_of_the_factors[i]); ."""
    commands = 'setSpaceTimeMap(prog, "f", "y", "(i -> i)"); setReductionDimension(prog, "f", "", 0);'
    lines = scheduled_c(proved(tmp_path, program, commands), "f").files["f.c"].splitlines()
    assert max(map(len, lines)) <= 110
    at = next(at for at, line in enumerate(lines) if "declare reduction(product_char" in line)
    assert (lines[at][-1], lines[at + 1]) == ("\\", "    initializer(omp_priv = 1)")
    last = next(line for line in lines if line.endswith(" ..."))
    assert all(re.fullmatch(r"[/*]+|[=+*.]+|y|(first|second)_of_the_factors\[[^]]*\]", word) for word in last.split())


@pytest.mark.slow
@pytest.mark.parametrize("script", thinned(SCRIPTS, 6))
def test_the_sequential_target_has_no_teams(script: str) -> None:
    """No directives, no memory of each thread: loops that are proved to compute the same."""
    verified = sample(script)
    system = next(iter(verified.mappings))
    parallel, alone = scheduled_c(verified, system), scheduled_c(verified, system, target=SEQUENTIAL_C)
    assert any("#pragma" in text for text in parallel.files.values())
    text = alone.files[f"{system}.c"]
    assert not any(word in text for word in ("pragma", "own_", "of each thread", "all threads"))
    assert script in LONG or prove_generated(alone, verified.design.checked, system, jobs=1).verdict.is_proved


def test_the_sequential_target_needs_no_openmp(tmp_path: Path) -> None:
    """Compiled without it, and without a warning."""
    verified = sample("kernels/bicg/bicg-tuned.cs")
    (system,) = verified.mappings
    write(scheduled_c(verified, system, target=SEQUENTIAL_C), tmp_path)
    compiled = run(tmp_path, *find_compiler().command, *STRICT, "-c", "bicg.c", "-o", "bicg.o")
    assert (compiled.returncode, compiled.stderr) == (0, "")


def test_the_command_line_chooses_one(tmp_path: Path) -> None:
    for name in ("bicg.ab", "bicg-tuned.cs"):
        shutil.copy(ROOT / "samples/kernels/bicg" / name, tmp_path)
    script, out = tmp_path / "bicg-tuned.cs", tmp_path / "out"
    assert ask("run", script, "-o", out, "--target", "sequential").code == 0
    assert "pragma" not in (tmp_path / "out/bicg.c").read_text()


def test_a_script_chooses_one(tmp_path: Path) -> None:
    """For all that generates code of the mapping, unless the command line chooses another one."""
    chosen = 'setTarget(prog, "f", "Sequential");'
    verified = proved(tmp_path, PROGRAM, DATES + BOTH + chosen)
    assert "pragma" not in scheduled_c(verified, "f").files["f.c"]
    assert "pragma" in scheduled_c(verified, "f", target=OPENMP).files["f.c"]
    assert "team" not in tree_text(verified, "f", ALL)
    script, out = tmp_path / "script.cs", tmp_path / "out" / "f.c"
    commands = f'{DATES}{BOTH}{chosen}generateScheduledCode(prog, "f");'
    script.write_text(f'prog = ReadAlphabets("program.ab");\n{commands}\n')
    assert ask("run", script, "-o", out.parent).code == 0
    assert "pragma" not in out.read_text()
    assert ask("run", script, "-o", out.parent, "--target", "openmp").code == 0
    assert "pragma" in out.read_text()


def test_an_unknown_target_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "program.ab").write_text(PROGRAM)
    text = 'prog = ReadAlphabets("program.ab");\nsetTarget(prog, "f", "opencl");\n'
    (finding,) = run_script(Source("script.cs", text), tmp_path).findings
    assert "one of cuda, mpi, mpi-openmp, openmp, sequential" in finding.message
