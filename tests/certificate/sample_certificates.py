"""Certificates of scripts, made as the command line makes them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from alphaz.certificate.document import Certificate, write
from alphaz.certificate.mapping_inventory import Record
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


def older(new: Certificate, version: int) -> Any:
    """The document with the form that sets had before version 12: only their own parts have numbers.

    Domains of C have one part, as before version 15.
    """
    document = json.loads(write(new))
    document["version"] = version
    for record in (*document["systems"], *document["programs"]):
        for entry in (*record.get("separations", ()), *record["obligations"]):
            _take_cases(entry["violations"], record["parts"])
    for program in document["programs"]:
        for entry in (e for name in ("statements", "claims", "readers") for e in program["inventory"][name]):
            (entry["domain"],) = entry["domain"]
    return document


def _take_cases(stated: Any, table: Any) -> None:
    stated["without"] = [case for number in stated["without"] for case in table[number]]
    for absent in stated["absent"]:
        absent["parts"] = [table[number] for number in absent["parts"]]
        _take_cases(absent, table)
