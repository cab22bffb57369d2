"""`alphaz schedule`: what is written, where, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import ask, files

GEMM = Path(__file__).parents[2] / "samples" / "kernels" / "gemm" / "gemm.ab"


def test_the_script_is_printed_with_its_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gemm.ab").write_bytes(GEMM.read_bytes())
    outcome = ask("schedule", "gemm.ab", "--explain", "--strategy", "none")
    assert (outcome.code, outcome.err) == (0, "")
    assert (
        outcome.out
        == """\
# Found by `alphaz schedule gemm.ab --strategy none`, and proved.
prog = ReadAlphabets("gemm.ab");
NormalizeReduction(prog);

system = "gemm";
# tried goal tile, fusion smart: proved
# parallel C: i, NR_C: i
#   parallel C: j, NR_C: j
#     reduction C: NK, NR_C: k; distances 1..max(NK, 1); carries NR_C->C, NR_C->NR_C
#       C, NR_C
# loops: parallel, parallel, reduction
setSpaceTimeMap(prog, system, "C", "(i,j -> i,j,NK)");
setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> i,j,k)");
setParallel(prog, system, "", 0);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
"""
    )


@pytest.mark.slow
def test_what_is_written_is_proved_and_runs_from_where_it_lies(tmp_path: Path) -> None:
    target = tmp_path / "found.cs"
    outcome = ask("schedule", GEMM, "-o", target, "--goal", "parallel", "--fuse", "no", "--strategy", "none")
    assert (outcome.code, outcome.out) == (0, f"wrote {target}\n")
    assert "`alphaz schedule gemm.ab --goal parallel --fuse no --strategy none`" in target.read_text(encoding="utf-8")
    assert ask("verify", target).code == 0
    assert ask("test", target, "-p", "NI=7,NJ=6,NK=5", "--threads", "1,2").code == 0


def test_nothing_is_replaced_without_being_asked(tmp_path: Path) -> None:
    target = tmp_path / "found.cs"
    target.write_text("mine", encoding="utf-8")
    refused = ask("schedule", GEMM, "-o", target)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"alphaz: {target} exists already: --force replaces it\n"
    assert target.read_text(encoding="utf-8") == "mine"
    assert ask("schedule", GEMM, "-o", target, "--force").code == 0
    assert target.read_text(encoding="utf-8").startswith("# Found by")


def test_the_file_has_to_be_a_script(tmp_path: Path) -> None:
    assert "is no name of a command script" in ask("schedule", GEMM, "-o", tmp_path / "found.txt").err
    assert "there is no folder" in ask("schedule", GEMM, "-o", tmp_path / "none" / "found.cs").err


def test_without_a_schedule_nothing_is_written(tmp_path: Path) -> None:
    program = tmp_path / "outwards.ab"
    program.write_text("""affine outwards {N | N>=1}
input int a {i | -N<=i<=N};
output int x {i | -N<=i<=N};
let x[i] = case {| i==0} : a[0]; {| i>0} : x[-i] + a[i]; {| i<0} : 2 * x[-i-1] - a[i]; esac;
.
""")
    target = tmp_path / "found.cs"
    refused = ask("schedule", program, "-o", target, "--strategy", "none")
    assert refused.code == 1
    assert "error[AZ511]: no affine schedule of x in one piece was found" in refused.err
    assert not target.exists()


def test_names_of_systems_and_odd_names(tmp_path: Path) -> None:
    files(tmp_path)
    assert "did you mean `sums`?" in ask("schedule", tmp_path / "sums.ab", "--system", "sum").err
    assert ask("schedule", tmp_path / "sums.ab", "--system", "sums").code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--gpu", "h100"), "`--gpu` is for mappings for a GPU: give --target cuda"),
        (
            ("--target", "cuda", "--ranks", 4),
            "`--ranks` and `--network` are for distributed mappings: give --target mpi",
        ),
        (("--target", "cuda", "--gpu", "h10"), "`h10` is no GPU: did you mean `h100`?, or name a file, GPU.json"),
        (("--target", "cuda", "--strategy", "product"), "strategies have no mappings for a GPU"),
        (("--target", "cuda", "--gpu", "mine.json"), "mine.json lacks `architecture`"),
        (("--target", "cuda", "--gpu", "zero.json"), "zero.json: `bytes` is 0, and a positive number is needed"),
        (("--target", "cuda", "--gpu", "more.json"), "more.json has `cores`, and a GPU has `name`"),
    ],
)
def test_what_does_not_fit_a_gpu_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[object, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    known = json.loads(ask("machine", "--gpu", "h100", "--format", "json").out)
    files_ = {"mine": {"name": "mine"}, "zero": {**known, "bytes": 0}, "more": {**known, "cores": 1}}
    for name, values in files_.items():
        Path(f"{name}.json").write_text(json.dumps(values), encoding="utf-8")
    refused = ask("schedule", GEMM, *options)
    assert (refused.code, refused.out) == (2, "")
    assert message in refused.err
