"""`alphaz bench`: what it reports, and what it refuses. No test looks at how long anything took."""

import json
import sys
from pathlib import Path

import pytest

from alphaz.cli import bench
from alphaz.machine import Ceiling
from alphaz.run.bench.fork_server import ForkedFunction
from alphaz.run.ceilings import ceilings
from tests.cli.command_line import ask

pytestmark = pytest.mark.slow

PEER = """
#include <stdint.h>
void sums(int64_t N, const int *restrict A, int *restrict B, int *restrict C)
{
    for (int64_t i = 0; i < N; i++) {
        B[i] = A[i] + (i > 0 ? B[i - 1] : 0);
        C[i] = 1 * B[i];
    }
}
"""


def test_the_code_alone() -> None:
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1)
    assert answer.code == 0
    head, columns, one, two, plain, remark = answer.out.splitlines()[:6]
    assert head.startswith("sums, N=50: ")
    assert "threads" in columns
    assert one.split()[:2] == ["alphaz", "1"]
    assert two.split()[:2] == ["alphaz", "2"]
    assert plain.split()[:2] == ["plain", "1"]
    assert remark.endswith("by gcc for one thread, since there is no sums-peer.c")


@pytest.mark.long
def test_plain_loops_need_no_mapping_of_the_user() -> None:
    """They are the base of speed-ups, and agree; a peer in C does not hide them where they are named."""
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--format", "json")
    (bench,) = json.loads(answer.out)["benches"]
    assert bench["base"] == {"name": "plain", "threads": 1}
    assert all(contestant["agrees"] for contestant in bench["contestants"])
    Path("sums-peer.c").write_text(PEER, encoding="utf-8")
    more = ("--threads", 1, "--against", "gcc,plain")
    assert "schedule --strategy none`, by gcc for one thread\n" in ask("bench", "right.cs", "-p", "N=50", *more).out


def test_plain_c_beside_the_program_has_a_row() -> None:
    Path("sums-peer.c").write_text(PEER, encoding="utf-8")
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 1)
    assert answer.out.splitlines()[3].split()[:2] == ["gcc", "1"]
    assert "gcc" not in ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 1, "--against", "").out


@pytest.mark.long
def test_a_band_is_measured_whose_box_fits_into_no_memory() -> None:
    """As it is passed; a peer that takes boxes is left out."""
    Path("far.ab").write_text(
        "affine far {n | n>=1} input double A {i,j | 0<=i<n && 0<=j<n && j-1<=i<=j}; output double B {i,j | 0<=i<n && "
        "0<=j<n && j-1<=i<=j}; let B[i,j] = 2 * A[i,j]; .",
        encoding="utf-8",
    )
    Path("far.cs").write_text(
        'prog = ReadAlphabets("far.ab"); setSpaceTimeMap(prog, "far", "B", "(i,j->i,j)");\n'
        'setStorageFormat(prog, "far", "A, B", "banded row");\n',
        encoding="utf-8",
    )
    Path("far-peer.py").write_text("def peer(p, v):\n    return {'B': 2 * v.A}\n", encoding="utf-8")
    more = ("--rounds", 1, "--threads", 1, "--against", "gcc,numpy", "--format", "json")
    for n, left_out in ((100_000, True), (9, False)):
        (bench,) = json.loads(ask("bench", "far.cs", "-p", f"n={n}", *more).out)["benches"]
        assert ("would take 10000000000 cells" in bench["remarks"].get("numpy", "")) == left_out
        assert {contestant["name"] for contestant in bench["contestants"]} == {
            "alphaz",
            "gcc",
            *([] if left_out else ["numpy"]),
        }
        assert all(contestant["agrees"] for contestant in bench["contestants"])


@pytest.mark.long
def test_the_document() -> None:
    Path("sums-peer.c").write_text(PEER, encoding="utf-8")
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 3, "--against", "gcc,numpy", "--format", "json")
    (bench,) = json.loads(answer.out)["benches"]
    assert bench["parameters"] == {"N": 50}
    assert bench["bytes"] == 3 * 50 * 4
    assert bench["base"] == {"name": "gcc", "threads": 1}
    assert [(contestant["name"], contestant["threads"]) for contestant in bench["contestants"]] == [
        ("alphaz", 1), ("alphaz", 2), ("gcc", 1),
    ]  # fmt: skip
    (rounds,) = {len(contestant["seconds"]) for contestant in bench["contestants"]}
    assert 3 <= rounds <= 9
    assert all(
        low <= contestant["median"] <= high
        for contestant in bench["contestants"]
        for low, high in [contestant["range"]]
    )
    assert bench["machine"].keys() == {"instructions", "cores", "waited", "busy", "is_idle"}
    assert all(contestant["agrees"] for contestant in bench["contestants"])
    assert "left out" in bench["remarks"]["numpy"]
    assert answer.code == 0


def test_without_a_peer_the_generated_code_is_compiled() -> None:
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 1, "--against", "gcc")
    assert "gcc: the generated code itself, since there is no sums-peer.c" in answer.out
    assert answer.code == 0


@pytest.mark.long
def test_programs_of_one_system_share_its_peers() -> None:
    Path("sums.ab").rename("fast.ab")
    script = Path("right.cs").read_text(encoding="utf-8")
    Path("right.cs").write_text(script.replace("sums.ab", "fast.ab"), encoding="utf-8")
    command = ("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 1, "--against", "gcc")
    Path("sums-peer.c").write_text(PEER, encoding="utf-8")
    assert "gcc: sums-peer.c" in ask(*command).out
    Path("fast-peer.c").write_text(PEER, encoding="utf-8")
    assert "gcc: fast-peer.c" in ask(*command).out


def test_a_peer_that_computes_something_else_is_a_finding() -> None:
    Path("sums-peer.c").write_text(PEER.replace("1 *", "3 *"), encoding="utf-8")
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--against", "gcc")
    assert "DIFFERS: C[0] is " in answer.out
    assert answer.code == 1


def test_another_c_file_is_a_peer_with_the_threads_that_it_uses() -> None:
    parallel = PEER.replace("    for", "#pragma omp parallel for num_threads(1)\n    for")
    Path("fused.c").write_text(parallel, encoding="utf-8")
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 2, "--against", "fused.c,none.c")
    assert answer.out.splitlines()[3].split()[:2] == ["fused", "2"]
    assert "none.c: left out: none.c: [Errno 2]" in answer.out
    assert answer.code == 0


@pytest.mark.long
def test_inputs_of_the_file_beside_the_program() -> None:
    text = "def data(p, rng):\n    return {'A': [1] * p.N}\n\n\ndef peer(p, v):\n    return {'B': v.A, 'C': no}\n"
    Path("sums-peer.py").write_text(text, encoding="utf-8")
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1)
    assert "inputs: A from sums-peer.py, the others random" in answer.out
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--against", "numpy")
    assert answer.code == 0
    assert "numpy with 1 thread: left out: peer() raised NameError" in answer.out


def test_what_is_refused() -> None:
    assert "`gc` is no peer: did you mean `gcc`?" in ask("bench", "right.cs", "-p", "N=5", "--against", "gc").err
    assert "needs a value for `N`" in ask("bench", "right.cs").err
    wrong = ask("bench", "wrong.cs", "-p", "N=5")
    assert wrong.code == 1
    assert "sums: refuted" in wrong.out
    Path("no.cs").write_text('prog = ReadAlphabets("sums.ab");\n', encoding="utf-8")
    assert "`sums` has no mapping" in ask("bench", "no.cs", "-p", "N=5").err


def test_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(bench, "ceilings", lambda threads: [Ceiling(n, n * 1e10, n * 4e10) for n in threads])
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--plot", "roof.svg")
    assert answer.code == 0
    assert answer.err.endswith("wrote roof.svg\n")
    assert "<!-- alphaz, 2 threads -->" in Path("roof.svg").read_text(encoding="utf-8")


def test_a_mapping_that_stops_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ForkedFunction, "_asked", lambda *_: 3)
    answer = ask("bench", "right.cs", "-p", "N=20", "--threads", "1", "--rounds", "1")
    assert answer.code != 0
    assert "stopped for N = 20: there is not enough memory" in answer.err


def test_a_figure_that_cannot_be_is_refused_at_once() -> None:
    assert "`roof.txt` is no .png, .svg or .pdf file" in ask("bench", "right.cs", "--plot", "roof.txt").err
    assert "no is no folder" in ask("bench", "right.cs", "--plot", "no/roof.png").err


def test_what_the_machine_can_do() -> None:
    """More than nothing; how much is not looked at."""
    (ceiling,) = ceilings([1])
    assert ceiling.threads == 1
    assert ceiling.bytes > 0
    assert ceiling.operations > 0


def test_a_peer_that_crashes_is_said_and_the_others_are_measured() -> None:
    Path("sums-peer.c").write_text(PEER.replace("B[i] =", "__builtin_trap(), B[i] ="), encoding="utf-8")
    Path("other.c").write_text(PEER, encoding="utf-8")
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 1, "--against", "gcc,other.c")
    assert "  gcc with 1 thread: left out: it crashed (SIG" in answer.out
    assert "  gcc  " not in answer.out
    assert answer.out.splitlines()[3].split()[:2] == ["other", "1"]
    assert answer.code == 0


@pytest.mark.long
def test_several_scripts_of_one_system_are_one_table(folder: Path) -> None:
    script = Path("right.cs").read_text(encoding="utf-8")
    Path("late.cs").write_text(script.replace('"(i->i)"', '"(i->2i)"'), encoding="utf-8")
    Path("sums-peer.c").write_text(PEER, encoding="utf-8")
    command = ("bench", "right.cs", "late.cs", "-p", "N=50", "--rounds", 2, "--threads", 1)
    answer = ask(*command)
    assert answer.code == 0
    rows = [line.split()[:2] for line in answer.out.splitlines()[2:]]
    assert rows[:3] == [["right", "1"], ["late", "1"], ["gcc", "1"]]
    (bench,) = json.loads(ask(*command, "--against", "gcc", "--format", "json").out)["benches"]
    assert [contestant["name"] for contestant in bench["contestants"]] == ["right", "late", "gcc"]
    assert bench["base"]["name"] == "gcc"
    assert all(contestant["agrees"] for contestant in bench["contestants"])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("int A", "double A", "their inputs differ"),
        ("affine sums", "affine other", "maps only `other`"),
        ("int A {i | 0 <= i < N}", "int A {i | 0 <= i <= N}", "the domains of A differ"),
    ],
)
def test_scripts_of_different_systems_are_not_compared(folder: Path, old: str, new: str, told: str) -> None:
    text = Path("sums.ab").read_text(encoding="utf-8")
    assert old in text
    Path("other.ab").write_text(text.replace(old, new, 1), encoding="utf-8")
    script = Path("right.cs").read_text(encoding="utf-8").replace("sums.ab", "other.ab")
    Path("other.cs").write_text(script.replace('"sums"', f'"{new.split()[1] if "affine" in new else "sums"}"'))
    answer = ask("bench", "right.cs", "other.cs", "-p", "N=50", "--rounds", 1)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err


COMMAND = """
import os, sys
for line in sys.stdin:
    print(f"{len(line)}e-3" if os.environ["OMP_NUM_THREADS"] == "2" else LINE, flush=True)
"""


@pytest.mark.parametrize(("line", "reason"), [("0.5", ""), ('"done"', "must write the seconds of a run on a line")])
def test_any_program_is_a_peer(line: str, reason: str) -> None:
    Path("mine.py").write_text(COMMAND.replace("LINE", line), encoding="utf-8")
    command = ("bench", "right.cs", "-p", "N=50", "--rounds", 2, "--format", "json", "--against")
    (bench,) = json.loads(ask(*command, f"command:{sys.executable} mine.py").out)["benches"]
    results = {contestant["threads"]: contestant for contestant in bench["contestants"] if not contestant["compared"]}
    assert results[2]["seconds"] == [0.005, 0.005], "the line is `N=50` and its end"
    assert (1 in results) == (not reason)
    assert any(reason in remark for remark in bench["remarks"].values())


def test_a_command_that_cannot_be_started_is_left_out() -> None:
    answer = ask("bench", "right.cs", "-p", "N=50", "--rounds", 1, "--threads", 1, "--against", "command:./none -x")
    assert "none with 1 thread: left out: ./none: No such file or directory" in answer.out
    assert answer.code == 0
