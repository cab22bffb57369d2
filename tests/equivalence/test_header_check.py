"""`alphaz.h` has a meaning only where the compiler takes exactly that text, and the file leaves it as it is."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import alphaz
from alphaz.analysis.read import read_program
from alphaz.c.alphaz_header import RUNTIME, runtime_text
from alphaz.codegen.c.helpers import self_contained
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.registry import target_of
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verify import certify
from alphaz.run.kernel import compile_kernel
from alphaz.scop.c_model import OtherFile
from tests.equivalence.asking import DOUBLED, KERNELS

pytestmark = pytest.mark.slow
OURS = runtime_text()
INCLUDED = '#include "alphaz.h"\n'
S = "void s(int64_t N, const double *A, double *B)\n"
BODY = "{\n    for (int64_t i = 0; i < N; i++) {\n        B[i] = 2.0 * A[floor_div(2 * i + 1, 2)];\n    }\n}\n"
MINE = "static int64_t floor_div(int64_t a, int64_t b) { return a / b + 1; }\n"
RIGHT = f"{INCLUDED}{S}{BODY}"


def judged(folder: Path, text: str, header: str | None = OURS, more: Mapping[str, str] | None = None) -> CVerdict:
    """Returns the verdict on a file next to these others."""
    files = {**({} if header is None else {RUNTIME: header}), **(more or {}), "s.c": text}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, newline="")
    source = Source(str(folder / "s.c"), text)
    return prove_c(read_program(Source("s.ab", DOUBLED)), source, ProofTask(executes=False))


@pytest.mark.parametrize("text", [RIGHT, f"#define TWO 2\n#include <math.h>\n/* first */\n{RIGHT}", RIGHT + INCLUDED])
def test_the_header_of_this_version_is_known(tmp_path: Path, text: str) -> None:
    found = judged(tmp_path, text)
    assert found.is_proved, found.findings
    assert not any(RUNTIME in note for note in found.assumed)


def test_line_ends_of_windows_are_the_same(tmp_path: Path) -> None:
    assert judged(tmp_path, RIGHT, OURS.replace("\n", "\r\n")).is_proved


TAMPERED = {
    "floor division": OURS.replace("a / b - (a % b < 0)", "a / b + (a % b > 0)"),
    "one byte less": OURS.replace("((size_t)bytes / page + 1) * page", "((size_t)bytes / page) * page"),
    "a word more": OURS.replace("#endif\n", "#define i (i + 1)\n#endif\n", 1),
    "a lone carriage return": OURS.replace(" * does not fit)", "\r * does not fit)"),
    "a line joined": OURS.replace('extern "C" {\n#else\n', 'extern "C" {\n#else\r'),
    "a text behind it": f"{OURS}#define floor_div(a, b) ((a) / (b) + 1)\n",
    "nothing": "",
    "prototypes": "#include <stdint.h>\nint64_t floor_div(int64_t, int64_t);\n",
    "a link to another": None,
}


@pytest.mark.parametrize("header", TAMPERED.values(), ids=TAMPERED)
def test_another_header_is_not_believed(tmp_path: Path, header: str | None) -> None:
    found = judged(tmp_path, RIGHT, header)
    assert (found.verdict, found.findings[0].rule.code) == ("undecided", "AZ832")
    assert "--self-contained" in str(found.findings[0].help)


WRONG = {
    "defined before": f"#include <stdint.h>\n{MINE}{RIGHT}",
    "defined after": f"{INCLUDED}{MINE}{S}{BODY}",
    "declared again": f"{INCLUDED}int64_t floor_div(int64_t, int64_t);\n{S}{BODY}",
    "an object of this name": f"{INCLUDED}static int64_t (*floor_div)(int64_t, int64_t);\n{S}{BODY}",
    "a constant of this name": f"{INCLUDED}enum {{ floor_div = 1 }};\n{S}{BODY}",
    "an unused name": f"{INCLUDED}static int64_t report(int64_t a) {{ return a; }}\n{S}{BODY}",
    "renamed": f"#include <stdint.h>\n{MINE.replace('floor_div', 'mine')}#define floor_div mine\n{RIGHT}",
    "renamed behind": f"{INCLUDED}{MINE.replace('floor_div', 'mine')}#define floor_div mine\n{S}{BODY}",
    "a macro with arguments": f"#define floor_div(a, b) ((a) / (b) + 1)\n{RIGHT}",
    "a macro for a word of the header": f"#define inline inline __attribute__((weak))\n{RIGHT}",
    "a macro for a parameter": f"#define b 3\n{RIGHT}",
    "a macro for a type": f"#define int64_t short\n{RIGHT}",
    "the guard": f"#define ALPHAZ_H_INCLUDED\n#include <stdint.h>\n{RIGHT}",
    "a continued macro": f"#define \\\nfloor_div(a, b) ((a) / (b) + 1)\n{RIGHT}",
    "left out": f"#include <stdint.h>\n#if 0\n{INCLUDED}#endif\n{MINE}{S}{BODY}",
    "left out by a name": f"#include <stdint.h>\n#ifdef THERE\n{INCLUDED}#endif\n{S}{BODY}",
    "in a comment": f"#include <stdint.h>\n/* {INCLUDED} */\n{S}{BODY}",
    "behind declarations": f"#include <stdint.h>\n{S}{BODY}{INCLUDED}",
    "behind a pragma": f'#pragma GCC optimize("fast-math")\n{RIGHT}',
    "in angles": RIGHT.replace('"alphaz.h"', "<alphaz.h>"),
    "of another folder": RIGHT.replace("alphaz.h", "sub/alphaz.h"),
    "in a function": f"#include <stdint.h>\n{S}{{\n{INCLUDED}{BODY}}}\n",
    "through a macro": f'#define HEADER "alphaz.h"\n#include HEADER\n{S}{BODY}',
    "a pointer of this name": RIGHT.replace(
        "{\n    for", "{\n    int64_t (*floor_div)(int64_t, int64_t) = 0;\n    for"
    ),
    "an argument of this name": RIGHT.replace("double *B)", "double *B, int64_t (*floor_div)(int64_t, int64_t))"),
    "a wrong call": RIGHT.replace("2 * i + 1", "2 * i + 2"),
    "a divisor that is not positive": RIGHT.replace("2 * i + 1, 2", "-2 * i - 1, -2"),
}
MORE = {"sub/alphaz.h": OURS}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_the_meaning_of_the_header_cannot_be_changed(tmp_path: Path, text: str) -> None:
    assert not judged(tmp_path, text, more=MORE).is_proved


@pytest.mark.parametrize(
    "other",
    [
        "#define floor_div(a, b) ((a) / (b) + 1)\n",
        "#define int64_t short\n",
        "#define extents sizes\n",
        "#define ALPHAZ_H_INCLUDED\n",
        "typedef short bytes;\n",
        '#include "alphaz.h"\n',
    ],
)
def test_headers_in_front_cannot_change_it_either(tmp_path: Path, other: str) -> None:
    assert not judged(tmp_path, f'#include "k.h"\n{RIGHT}', more={"k.h": other}).is_proved


def test_a_header_that_is_not_used_may_be_missing(tmp_path: Path) -> None:
    found = judged(tmp_path, f"#include <stdint.h>\n{RIGHT.replace('floor_div(2 * i + 1, 2)', 'i')}", None)
    assert found.is_proved
    assert f"`{RUNTIME}` defines no macro or function that this text uses" in found.assumed


def test_a_text_that_is_no_file_assumes_the_header(tmp_path: Path) -> None:
    """There is no folder that could have it; a header that is there counts."""
    checked, task = read_program(Source("s.ab", DOUBLED)), ProofTask(executes=False)
    source = Source(str(tmp_path / "s.c"), RIGHT)
    found = prove_c(checked, source, task)
    assert found.is_proved
    assert found.assumed == (f"`{RUNTIME}` is that of this version of alphaz",)
    (tmp_path / RUNTIME).write_text(str(TAMPERED["floor division"]))
    assert not prove_c(checked, source, task).is_proved
    assert prove_c(checked, source, replace(task, is_generated=True)).is_proved


def test_each_file_takes_the_header_of_its_folder(tmp_path: Path) -> None:
    """Of two files, one has a header that was changed."""
    step = (
        f"{INCLUDED}void step(int64_t i, const double *A, double *B) {{ B[i] = 2.0 * A[floor_div(2 * i + 1, 2)]; }}\n"
    )
    loop = f'#include <stdint.h>\n#include "step.h"\n{S}{{ for (int64_t i = 0; i < N; i++) step(i, A, B); }}\n'
    for header, is_proved in ((OURS, True), (TAMPERED["floor division"], False)):
        assert header is not None
        (tmp_path / "sub").mkdir(exist_ok=True)
        (tmp_path / "sub" / RUNTIME).write_text(header)
        (tmp_path / RUNTIME).write_text(OURS)
        (tmp_path / "step.h").write_text("#include <stdint.h>\nvoid step(int64_t, const double *, double *);\n")
        other = OtherFile(Source(str(tmp_path / "sub" / "step.c"), step), {})
        task = ProofTask(executes=False, others=(other,))
        for text in (loop, INCLUDED + loop):
            source = Source(str(tmp_path / "s.c"), text)
            assert prove_c(read_program(Source("s.ab", DOUBLED)), source, task).is_proved is is_proved


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "target"),
    [
        ("trisolv", "openmp"),
        ("trisolv", "cuda"),
        pytest.param("nussinov", "openmp", marks=pytest.mark.long),
        pytest.param("nussinov", "cuda", marks=pytest.mark.long),
    ],
)
def test_self_contained_code_has_the_same_verdict(kernel: str, target: str) -> None:
    design = alphaz.run(KERNELS / kernel / f"{kernel}.cs")
    (system,) = [one.name for one in design.program.systems]
    sources = scheduled_c(certify(alphaz.verify(design)), system, target=target_of(target))
    (alone, first), (together, second) = [
        (files.files, prove_generated(files, design.checked, system, jobs=1).verdict)
        for files in (self_contained(sources), sources)
    ]
    assert RUNTIME in together
    assert RUNTIME not in alone
    assert not any(INCLUDED in text for text in alone.values())
    assert str(first) == str(second)
    assert first.verdict == second.verdict
    assert first.assumed != ()
    assert len(first.assumed) == len(second.assumed)


@pytest.mark.slow
def test_self_contained_code_has_the_same_results() -> None:
    design = alphaz.run(KERNELS / "trisolv" / "trisolv.cs")
    sources = scheduled_c(certify(alphaz.verify(design)), "trisolv")
    rng = np.random.default_rng(1)
    inputs = {"L": rng.random((9, 9)) + 1.0, "b": rng.random(9)}
    first, second = (
        compile_kernel(files, design.checked, "trisolv").run({"N": 9}, inputs).outputs
        for files in (sources, self_contained(sources))
    )
    assert all((first[name] == second[name]).all() for name in first)
    refused = compile_kernel(self_contained(sources), design.checked, "trisolv")
    with pytest.raises(Rejected):
        refused.run({"N": 0}, {"L": np.zeros((0, 0)), "b": np.zeros(0)})
