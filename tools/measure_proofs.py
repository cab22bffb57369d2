"""Measures proofs for the kernel over scripts, C and certificates: `scripts/measure-proofs`.

For each file: the sets that the certificate calls empty (as stated, and as derived from the inventory),
those with an accepted proof; processor seconds of the finder, of the kernel for the sets as stated and as derived, and
of `recheck` by isl; bytes of the certificate and of the proofs; the greatest multiplier of a proof. Where there is a
compiler, kernel.c checks the sets as stated as well. With `--generated` the sets are those of the C that scripts
generate, and `recheck` is not timed. Each file has a limit of processor time for its certificate, and another one for
the finder: the sets that are not reached are counted, and the files without a certificate are listed with the reason.
The exit code is 1 unless every set has a proof, both kernels agree, and all files have a certificate.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeVar

from alphaz.analysis.read import read_program
from alphaz.certificate import document
from alphaz.certificate.c_inventory import CRecord
from alphaz.certificate.mapping_inventory import Record
from alphaz.certificate.recheck import recheck
from alphaz.cli.certificate_documents import c_certificate_text
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_graph import LAWS
from alphaz.kernel.certificate_check import derived_outcomes
from alphaz.kernel.checker import outcomes
from alphaz.proof import isl_engine
from alphaz.proof.refute.document import NOT_REACHED, FoundProofs, greatest_multiplier, proofs_of
from tests.certificate.sample_certificates import SAMPLES, certificate
from tests.kernel.kernel_in_c import compiled, refused
from tools.command_line import parser

T = TypeVar("T")
Counts = Counter[str]
PEER = "-peer.c"
_DERIVED = "derived", "derived sets"
# Processor seconds for the certificate of a file, and again for its proofs.
_SECONDS = 1800


class NoCertificate(Exception):
    """There is no certificate of proved C; the text is the reason."""


def main(arguments: list[str]) -> int:
    command = parser(
        "scripts/measure-proofs",
        "Counts and times proofs that sets of certificates are empty: of mappings (.cs), of C next to its program"
        " (NAME-peer.c, NAME.ab), and of certificates (.json).",
        "scripts/measure-proofs samples/kernels",
    )
    command.add_argument(
        "paths", nargs="*", type=Path, help="files and folders (default: samples, without .json; tuned kernels)"
    )
    command.add_argument("--generated", action="store_true", help="measure the C that scripts generate")
    command.add_argument("--totals", action="store_true", help="only the totals, and files with sets without a proof")
    command.add_argument("--markdown", action="store_true", help="print a row of a table for each file")
    command.add_argument("--no-isl", action="store_true", help="do not time `recheck` by isl")
    command.add_argument(
        "--timeout", type=float, default=_SECONDS, help=f"processor seconds for the proofs of a file ({_SECONDS})"
    )
    chosen = command.parse_args(arguments)
    default = sorted(SAMPLES.glob("kernels/*/*-tuned.cs")) if chosen.generated else [SAMPLES]
    whole: dict[str, Counts] = {}
    without: dict[Path, str] = {}
    with TemporaryDirectory() as folder:
        kernel = compiled(Path(folder))
        for path in _files(chosen.paths or default):
            try:
                text = _generated(path, chosen.timeout) if chosen.generated else _text(path)
            except NoCertificate as reason:
                without[path] = str(reason)
                continue
            counts = measured(text, kernel, not chosen.no_isl and not chosen.generated, chosen.timeout)
            kind = "C" if path.name.endswith(PEER) else path.suffix
            whole[kind] = whole.get(kind, Counter()) | counts | _added(whole.get(kind, Counter()), counts)
            if chosen.markdown:
                _say(row(path.stem, counts))
            elif not chosen.totals or counts["accepted"] < counts["sets"] or counts["differences"]:
                _say(f"{path}: {summary(counts)}")
    for kind, counts in whole.items():
        if chosen.markdown:
            _say(row("together", counts))
        _say(f"{counts['files']} files {kind}: {summary(counts)}")
    for path, reason_ in without.items():
        _say(f"{path} has no certificate: {reason_}")
    is_right = all(counts["accepted"] == counts["sets"] and not counts["differences"] for counts in whole.values())
    return 0 if is_right and whole and not without else 1


def _added(one: Counts, other: Counts) -> Counts:
    """Returns the sums of all counts except the greatest multiplier, of which `|` has the maximum."""
    return Counter({name: one[name] + other[name] for name in {*one, *other} if name != "multiplier"})


def _files(paths: Iterable[Path]) -> list[Path]:
    results = [
        [*sorted(path.rglob("*.cs")), *sorted(path.rglob(f"*{PEER}"))] if path.is_dir() else [path] for path in paths
    ]
    return [path for paths_ in results for path in paths_]


def measured(text: str, kernel: Path | None = None, times_isl: bool = True, seconds: float = _SECONDS) -> Counts:
    """Returns the counts of a certificate: sets, accepted, those that the finder does not reach in its seconds;
    microseconds of each program, bytes of each document.
    """
    counts: Counts = Counter(files=1)
    end = process_time() + seconds
    result = _timed(counts, "finder", lambda: proofs_of(text, lambda place: None, goes_on=lambda: process_time() < end))
    contents = text.encode(), result.text.encode()
    results = _timed(counts, "kernel", lambda: list(outcomes(*contents)))
    stated = [(place, reason) for place, reason in results if place in result.proofs or place in result.missing]
    derived = _timed(counts, "derived", lambda: list(derived_outcomes(*contents)))
    if times_isl:
        read, _ = document.read(text)
        records: tuple[Record | CRecord, ...] = (*read.systems, *read.programs)
        _timed(counts, "isl", lambda: [list(recheck(record, isl_engine.decide)) for record in records])
    counts["stated"], counts["derived sets"] = len(stated), len(derived)
    counts["sets"] = len(stated) + len(derived)
    counts["accepted stated"], counts["accepted derived"] = (
        sum(not reason for _, reason in entries) for entries in (stated, derived)
    )
    counts["accepted"] = counts["accepted stated"] + counts["accepted derived"]
    counts["certificate"], counts["proofs"] = map(len, contents)
    counts["multiplier"] = _multiplier(result)
    if kernel is not None:
        with TemporaryDirectory() as folder:
            places, _ = refused(kernel, Path(folder), *contents)
        counts["differences"] = len(places ^ {place for place, reason in results if reason})
    tried = {place: reason for place, reason in result.missing.items() if not reason.endswith(f"({NOT_REACHED})")}
    counts["not reached"] = len(result.missing) - len(tried)
    for place, reason in tried.items():
        _say(f"  {place}: {reason}")
    return counts


def _text(path: Path) -> str:
    """Returns the certificate of a script or of C, or the one in a file."""
    if path.suffix == ".json":
        return path.read_text(encoding="utf-8")
    if path.suffix == ".cs":
        return document.write(certificate(path))
    program, source = (
        Source(str(file), file.read_text(encoding="utf-8"))
        for file in (path.with_name(path.name.removesuffix(PEER) + ".ab"), path)
    )
    task = ProofTask(laws=Laws(frozenset(LAWS)), executes=False)
    return c_certificate_text([prove_c(read_program(program), source, task)], [program])


def _generated(path: Path, seconds: float) -> str:
    """Returns the certificate of the C that a script generates, or of one that `alphaz run --prove` wrote, without that
    of its mapping. Raises NoCertificate.
    """
    if path.suffix == ".json":
        return _of_c(path.read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        target = Path(folder) / "c.json"
        options = ["--prove", "--timeout", f"{seconds:g}", "--output", folder, "--certificate", str(target)]
        command = [sys.executable, "-m", "alphaz", "run", *options, str(path)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if not target.exists():
            lines = (result.stderr or result.stdout).strip().splitlines()
            raise NoCertificate(f"`alphaz run` ended with {result.returncode}: {lines[-1] if lines else 'no message'}")
        return _of_c(target.read_text(encoding="utf-8"))


def _of_c(text: str) -> str:
    """Returns a certificate without mappings. Raises NoCertificate unless all of its C is proved."""
    certificate = json.loads(text)
    open_ = {program["function"]: program["verdict"] for program in certificate["programs"]}
    if set(open_.values()) != {"proved"}:
        raise NoCertificate(f"not all C is proved: {', '.join(map(' is '.join, open_.items())) or 'there is none'}")
    return json.dumps({**certificate, "systems": []})


def _multiplier(result: FoundProofs) -> int:
    """Returns the greatest multiplier of a sum."""
    proofs = (*result.proofs.values(), *result.derived.values())
    return max(map(greatest_multiplier, proofs), default=0)


def _timed(counts: Counts, name: str, work: Callable[[], T]) -> T:
    start = process_time()
    result = work()
    counts[name] = round((process_time() - start) * 1e6)
    return result


def row(name: str, counts: Counts) -> str:
    """Returns the row of a table: sets with proofs, as stated and as derived; seconds of finder and kernel; sizes."""
    sets = (f"{counts[f'accepted {kind}']} of {counts[sets]}" for kind, sets in (("stated", "stated"), _DERIVED))
    seconds = (counts["finder"] / 1e6, (counts["kernel"] + counts["derived"]) / 1e6)
    percent = f"{100 * counts['proofs'] / counts['certificate']:.0f} %"
    cells = [name, *sets, *(f"{value:.1f} s" for value in seconds), f"{counts['certificate'] / 1e6:.2f} MB", percent]
    return f"| {' | '.join(cells)} |"


def summary(counts: Counts) -> str:
    """Returns the counts in words."""
    sets = f"{counts['accepted']} of {counts['sets']} sets proved ({counts['stated']} as stated)"
    sets += f", {counts['not reached']} not reached" if counts["not reached"] else ""
    differences = f", kernel.c differs in {counts['differences']}" if counts["differences"] else ""
    seconds = ", ".join(f"{name} {counts[name] / 1e6:.2f} s" for name in ("finder", "kernel", "derived", "isl"))
    percent = 100 * counts["proofs"] / counts["certificate"]
    sizes = f"certificate {counts['certificate']} bytes, proofs {counts['proofs']} ({percent:.1f} %)"
    return f"{sets}{differences}; {seconds}; {sizes}; greatest multiplier {counts['multiplier']}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
