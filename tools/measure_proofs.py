"""Measures proofs for the kernel over the mappings of scripts: `scripts/measure-proofs`.

For each script: the sets that must be empty (as stated, and once more where the kernel derives them), those with an
accepted proof; processor seconds of the finder, of the kernel for the sets as stated and as derived, and of
`recheck` by isl; bytes of the certificate and of the proofs. The exit code is 1 unless every set has a proof.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TypeVar

from alphaz.certificate import document
from alphaz.certificate.recheck import recheck
from alphaz.kernel.checker import outcomes
from alphaz.kernel.derive import derived_outcomes
from alphaz.proof import isl_engine
from alphaz.proof.refute.document import proofs_of
from tests.certificate.sample_certificates import SAMPLES, certificate
from tools.command_line import parser

T = TypeVar("T")
Counts = Counter[str]


def main(arguments: list[str]) -> int:
    command = parser(
        "scripts/measure-proofs",
        "Counts and times proofs that sets of certificates are empty, over scripts.",
        "scripts/measure-proofs samples/kernels",
    )
    command.add_argument(
        "paths", nargs="*", type=Path, default=[SAMPLES], help="scripts and folders (default: samples)"
    )
    paths = command.parse_args(arguments).paths
    scripts = [script for path in paths for script in (sorted(path.rglob("*.cs")) if path.is_dir() else [path])]
    whole: Counts = Counter()
    for script in scripts:
        counts = measured(script)
        whole += counts
        _say(f"{script}: {_told(counts)}")
    _say(f"{len(scripts)} scripts: {_told(whole)}")
    return 0 if whole["accepted"] == whole["sets"] else 1


def measured(script: Path) -> Counts:
    """Returns the counts of a script: sets, accepted, microseconds of each program, bytes of each document."""
    counts: Counts = Counter()
    text = document.write(certificate(script))
    found = _timed(counts, "finder", lambda: proofs_of(text, lambda place: None))
    results = _timed(counts, "kernel", lambda: list(outcomes(text.encode(), found.text.encode())))
    results += _timed(counts, "derived", lambda: list(derived_outcomes(text.encode(), found.text.encode())))
    read, _ = document.read(text)
    _timed(counts, "isl", lambda: [list(recheck(record, isl_engine.decide)) for record in read.systems])
    counts["sets"] = len(found.proofs) + len(found.derived) + len(found.missing)
    counts["accepted"] = sum(not reason for _, reason in results)
    counts["certificate"], counts["proofs"] = len(text.encode()), len(found.text.encode())
    return counts


def _timed(counts: Counts, name: str, work: Callable[[], T]) -> T:
    start = process_time()
    result = work()
    counts[name] = round((process_time() - start) * 1e6)
    return result


def _told(counts: Counts) -> str:
    times = ", ".join(f"{name} {counts[name] / 1e6:.2f} s" for name in ("finder", "kernel", "derived", "isl"))
    sizes = f"certificate {counts['certificate']} bytes, proofs {counts['proofs']} bytes"
    return f"{counts['accepted']} of {counts['sets']} sets proved; {times}; {sizes}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
