"""The certificates of `alphaz verify`, `alphaz prove` and `alphaz run`."""

import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from alphaz.c.alphaz_header import INCLUSION, RUNTIME
from alphaz.certificate.c_inventory import CRecord
from alphaz.certificate.document import Certificate, SourceFile, write
from alphaz.certificate.mapping_inventory import UNDECIDED, Record
from alphaz.cli.files import write_file
from alphaz.cli.output import progress
from alphaz.cli.proofs_option import proofs_name
from alphaz.cli.verdict_output import digest
from alphaz.cli.verification import ScriptVerdict, TaskPlan
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import Proof
from alphaz.equivalence.certificate_record import entries_of, inventory_of
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.legality.reporting.certificate_record import record
from alphaz.poly.versions import versions
from alphaz.proof.refute.document import proofs_of
from alphaz.version import VERSION

__all__ = ["c_certificate_text", "mapping_certificate_text", "record", "write_with_proofs"]


# Sets without a proof that are listed.
_MOST_MISSING = 10


def write_with_proofs(name: str, text: str, proofs: bool) -> None:
    """Writes a certificate, and next to it the proofs for the kernel where they are requested. Raises InputError."""
    write_file(name, text)
    if not proofs:
        return
    target = proofs_name(name)
    written_proofs = proofs_of(text, lambda place: progress(f"proof of {place}"))
    progress("")
    write_file(target, written_proofs.text)
    from_inventory = len(written_proofs.derived) + len(written_proofs.shared)
    count = len(written_proofs.proofs) + from_inventory
    derived = f", {from_inventory} of them derived from the inventory" if from_inventory else ""
    click.echo(f"wrote {target}: proofs of {count} of {count + len(written_proofs.missing)} sets{derived}", err=True)
    for place, reason in list(written_proofs.missing.items())[:_MOST_MISSING]:
        click.echo(f"  no proof of {place}: {reason}", err=True)
    if len(written_proofs.missing) > _MOST_MISSING:
        click.echo(
            f"  and of {len(written_proofs.missing) - _MOST_MISSING} more: `recheck --kernel` lists all", err=True
        )


def mapping_certificate_text(plans: Sequence[TaskPlan], verdicts: Sequence[ScriptVerdict]) -> str:
    """Returns the text of the certificate. A mapping without a final verdict has no record: it is undecided."""
    records = (
        verdict.record
        or Record(
            script=verdict.file,
            system=verdict.system,
            verdict=UNDECIDED,
            inventory=None,
            separations=(),
            obligations=(),
        )
        for verdict in verdicts
    )
    files = dict.fromkeys(SourceFile(*file) for plan in plans for file in plan.files)
    return write(Certificate(_versions(), tuple(files), tuple(records)))


def c_certificate_text(
    verdicts: Sequence[CVerdict], programs: Sequence[Source], mappings: Sequence[Record] = ()
) -> str:
    """Returns the certificate of C, each verdict with the text of its program, and of the `mappings` of generated C."""
    read = [verdict.source for verdict in verdicts]
    sources = (*programs, *read, *filter(None, map(_runtime_of, read)))
    files = dict.fromkeys(SourceFile(*digest(source)) for source in sources)
    records = (_record(c_verdict, program.name) for c_verdict, program in zip(verdicts, programs, strict=True))
    return write(Certificate(_versions(), tuple(files), tuple(mappings), tuple(records)))


def _runtime_of(source: Source) -> Source | None:
    """Returns the `alphaz.h` that a file includes, if it is next to it."""
    path = Path(source.name).parent / RUNTIME
    return Source(str(path), path.read_text(encoding="utf-8")) if INCLUSION in source.text and path.is_file() else None


def _is_beyond_text(proof: Proof) -> bool:
    kernel = proof.kernel
    is_in_flight = any(statement.is_asynchronous for statement in kernel.statements)
    return proof.proof_context.text is not None or _has_warps(proof) or bool(kernel.streams.pairs) or is_in_flight


def _record(verdict: CVerdict, program: str) -> CRecord:
    proof = verdict.proof
    if proof is not None and _is_beyond_text(proof):
        # The sets are about a kernel without trees, about warps, about operations of several streams, or about copies
        # in flight: a certificate can compare none of these with the text.
        reason = (
            "there is no certificate of reductions by trees of threads, of warps, of several streams, and of "
            "asynchronous copies in kernels"
        )
        unproved = replace(verdict, verdict=UNDECIDED, proof=None)
        return replace(_record(unproved, program), assumed=(reason,))
    return CRecord(
        source=verdict.source.name,
        program=program,
        system=verdict.system,
        function=verdict.function,
        verdict=verdict.verdict,
        assumed=verdict.assumed,
        inventory=None if proof is None else inventory_of(proof),
        obligations=() if proof is None else entries_of(proof),
    )


def _has_warps(proof: Proof) -> bool:
    return any(barrier.is_of_warp for barrier in proof.kernel.barriers)


def _versions() -> dict[str, str]:
    return {"alphaz": VERSION, "python": platform.python_version(), **versions()}
