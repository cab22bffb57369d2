"""Decides every obligation of every sample again by isl and by z3: `scripts/compare-engines`.

Each certificate is written, read and rechecked by both engines. Prints, for each script, how many sets are stated
(obligations and separations), how many more obligations are settled, and how often each engine agrees, disagrees and
does not know. The exit code is 1 unless both always agree.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from alphaz.certificate import document, smt
from alphaz.certificate.document import Certificate
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.proof import isl_engine
from tests.certificate.sample_certificates import SAMPLES, records
from tools.command_line import parser

ENGINES = {"isl": isl_engine.engine, "smt": smt.engine}


def main(arguments: list[str]) -> int:
    command = parser(
        "scripts/compare-engines",
        "Decides every obligation of scripts again by isl and by z3, and counts where they agree.",
        "scripts/compare-engines samples/kernels",
    )
    command.add_argument(
        "paths", nargs="*", type=Path, default=[SAMPLES], help="scripts and folders (default: samples)"
    )
    whole: Counter[str] = Counter()
    scripts = _scripts(command.parse_args(arguments).paths)
    for script in scripts:
        counts = compared(script)
        whole += counts
        _say(f"{script}: {_told(counts)}")
    _say(f"{len(scripts)} scripts: {_told(whole)}")
    return 0 if all(whole[f"{name} {RecheckOutcome.AGREES}"] == whole["stated"] for name in ENGINES) else 1


def compared(script: Path) -> "Counter[str]":
    """Returns the counts of outcomes: `stated`, `settled`, and for each engine `isl agrees` and so on."""
    text = document.write(Certificate({}, (), records(script)))
    counts: Counter[str] = Counter()
    for record in document.read(text)[0].systems:
        counts["stated"] += len(record.stated)
        counts["settled"] += sum(separation.settles for separation in record.separations)
        for name, engine in ENGINES.items():
            counts.update(f"{name} {check.outcome}" for check in recheck(record, engine()[1]))
    return counts


def _scripts(paths: Iterable[Path]) -> list[Path]:
    return [script for path in paths for script in (sorted(path.rglob("*.cs")) if path.is_dir() else [path])]


def _told(counts: "Counter[str]") -> str:
    engines = (f"{name} {item} {counts[f'{name} {item}']}" for name in ENGINES for item in RecheckOutcome)
    return f"{counts['stated']} stated, {counts['settled']} more settled; {', '.join(engines)}"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
