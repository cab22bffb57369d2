"""Certificates of scripts, made as the command line makes them."""

from functools import cache
from pathlib import Path

from alphaz.certificate.certificate import Record
from alphaz.certificate.document import Certificate
from alphaz.cli.verification import ScriptVerdict, VerificationTask, WorkQueue, rule
from alphaz.processes.pool import Pool

SAMPLES = Path(__file__).parents[2] / "samples"
SCRIPTS = sorted(SAMPLES.glob("*/*.cs"))


@cache
def records(script: Path) -> tuple[Record, ...]:
    """The record of each mapping that the script is judged by."""
    task = VerificationTask(str(script), script.read_text(encoding="utf-8"), record=True)
    results = [result for _, result in Pool(rule, WorkQueue().follow).run([task])]
    outcomes = [ruling.record for ruling in results if isinstance(ruling, ScriptVerdict)]
    return tuple(record for record in outcomes if record is not None)


def certificate(script: Path) -> Certificate:
    return Certificate({"alphaz": "test"}, (), records(script))
