"""`alphaz recheck`: decides the obligations of a certificate again."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import compress
from pathlib import Path

import click

from alphaz.certificate import proof_kernel_engine
from alphaz.certificate.c_inventory import CRecord
from alphaz.certificate.document import Certificate
from alphaz.certificate.engine_answer import Decide
from alphaz.certificate.mapping_inventory import PROVED, REFUTED, Record, Separation, Stated
from alphaz.certificate.recheck import Check, RecheckOutcome, recheck
from alphaz.certificate.smt import smt_text
from alphaz.cli.certificate_files import changed_files, read_certificate
from alphaz.cli.files import InputError, file_names, folder_names, read_file
from alphaz.cli.output import CLEAN, FINDINGS, progress
from alphaz.cli.proofs_option import proofs_name
from alphaz.cli.resource_limits import limited
from alphaz.kernel.certificate_check import derived_outcomes
from alphaz.kernel.checker import NotConfirmed, outcomes
from alphaz.lazy import lazy_import

EPILOG = """\b
Examples:
  alphaz verify --certificate mcm.json mcm.cs
  alphaz recheck mcm.json
  alphaz prove --certificate lu.json lu.ab lu.c && alphaz recheck lu.json
  alphaz recheck mcm.json --engine smt
  alphaz recheck mcm.json --kernel
  alphaz recheck mcm.json --smt-lib obligations
  alphaz recheck mcm.json --leaves leaves

\b
The engine smt is z3, given SMT-LIB text that is made from the certificate and
from nothing else; isl is not loaded. With --kernel no solver is used: a set is
empty if FILE.proofs.json has a proof of it. docs/certificates.md says what to
look for when the verifier itself is not trusted, docs/trust.md what is trusted."""

# Each is loaded only on use: the second engine shares nothing with the first.
ENGINES = {"isl": "alphaz.proof.isl_engine", "smt": "alphaz.certificate.smt"}


@click.command("recheck", epilog=EPILOG)
@click.argument("certificate", metavar="CERTIFICATE.json", shell_complete=file_names)
@click.option("--engine", type=click.Choice(list(ENGINES)), default="isl", help="The decision procedure (isl).")
@click.option(
    "--kernel", is_flag=True, help="Check the proofs in FILE.proofs.json instead; a set without one: unknown."
)
@click.option(
    "--proofs", metavar="FILE", shell_complete=file_names, help="With --kernel or --leaves: another file of proofs."
)
@click.option("--list", "listing", is_flag=True, help="Also list every obligation with its result.")
@click.option("--sources", is_flag=True, help="Also require that the verified files are unchanged.")
@click.option(
    "--smt-lib",
    "folder",
    metavar="DIR",
    shell_complete=folder_names,
    help="Only write each obligation as SMT-LIB 2, for other solvers.",
)
@click.option(
    "--leaves",
    metavar="DIR",
    shell_complete=folder_names,
    help="Only write the leaves of the proofs as SMT-LIB 2: linear real arithmetic.",
)
@limited
@click.pass_context
def command(
    ctx: click.Context,
    certificate: str,
    engine: str,
    kernel: bool,
    proofs: str | None,
    listing: bool,
    sources: bool,
    folder: str | None,
    leaves: str | None,
) -> None:
    """Decide the obligations of a certificate again, with isl, z3 or proofs, and compare the verdicts.

    Every obligation that the mapping requires must be listed, every verdict must follow, and every witness must be a
    violation. Exit code 1 where something disagrees, and where the engine cannot decide: unknown is not agreement.
    """
    _check_options(ctx, kernel, proofs, folder, leaves)
    document, intact = read_certificate(certificate)
    if folder is not None:
        _write_smt(document, Path(folder))
        ctx.exit(CLEAN)
    if leaves is not None:
        ctx.exit(_write_leaves(document, certificate, proofs or proofs_name(certificate), Path(leaves)))
    faults = [] if intact else [f"{certificate} was changed since it was written: its digest is another"]
    faults += list(changed_files(document).values()) if sources else []
    records = _records(document)
    faults += [] if records else ["the certificate lists no mapping and no C: nothing is proved by it"]
    name, engine_of = (
        _by_kernel(document, certificate, proofs or proofs_name(certificate)) if kernel else _engine(engine)
    )
    counts: Counter[RecheckOutcome] = Counter()
    for record in records:
        counts += _system(record, engine_of(record), listing)
    for fault in faults:
        click.echo(fault)
    click.echo(_summary(name, counts))
    if kernel and counts[RecheckOutcome.UNKNOWN]:
        click.echo(f"write certificate and proofs again by {_WAY}; `--engine smt` decides sets that have no proof")
    ctx.exit(FINDINGS if faults or set(counts) - {RecheckOutcome.AGREES} else CLEAN)


def _check_options(
    ctx: click.Context, kernel: bool, proofs: str | None, folder: str | None, leaves: str | None
) -> None:
    """Raises UsageError for options of which one would be ignored."""
    is_engine_named = ctx.get_parameter_source("engine") is click.core.ParameterSource.COMMANDLINE
    is_given = (is_engine_named, kernel, folder is not None, leaves is not None)
    ways = [*compress(("--engine", "--kernel", "--smt-lib", "--leaves"), is_given)]
    if len(ways) > 1:
        raise click.UsageError(f"{' and '.join(ways)} exclude each other: give one of them")
    if proofs is not None and not kernel and leaves is None:
        raise click.UsageError("--proofs goes with --kernel or --leaves: engines need no proofs")


# What writes a certificate with its proofs.
_WAY = "`alphaz verify`, `prove` or `run --prove` with --certificate and --proofs"
EngineOf = Callable[[Record | CRecord], Decide]


def _engine(name: str) -> tuple[str, EngineOf]:
    engine: tuple[str, Decide] = lazy_import(ENGINES[name]).engine()
    return engine[0], lambda record: engine[1]


def _by_kernel(document: Certificate, certificate: str, proofs: str) -> tuple[str, EngineOf]:
    """Returns the kernel as an engine for each record. Raises InputError."""
    reasons = _reasons(certificate, proofs, *_with_proofs(certificate, proofs))
    return "kernel", lambda record: proof_kernel_engine.engine(
        _places(document, record), reasons, _place(document, record)
    )


def _reasons(certificate: str, proofs: str, *texts: bytes) -> dict[str, str]:
    """Returns why the kernel does not confirm a set, by its place; "" for those that it confirms. Raises InputError."""
    try:
        reasons = dict(outcomes(*texts))
        derived = derived_outcomes(*texts)
        return reasons | {place: reason for place, reason in derived if not reasons.get(place)}
    except NotConfirmed as reason:
        raise InputError(f"{proofs} cannot be used for {certificate}: {reason}; write both by {_WAY}") from None


def _with_proofs(certificate: str, proofs: str) -> list[bytes]:
    """Returns the contents of both files. Raises InputError."""
    if not Path(proofs).exists():
        raise InputError(f"{proofs} does not exist: write the proofs of {certificate} by {_WAY}")
    return [read_file(name).text.encode("utf-8") for name in (certificate, proofs)]


def _records(document: Certificate) -> tuple[Record | CRecord, ...]:
    return *document.systems, *document.programs


def _place(document: Certificate, record: Record | CRecord) -> str:
    where = "systems" if isinstance(record, Record) else "programs"
    numbers = (position for position, other in enumerate(getattr(document, where)) if other is record)
    return f"{where}[{next(numbers)}]"


def _places(document: Certificate, record: Record | CRecord) -> Iterator[tuple[Stated, str]]:
    """Yields the entries of a record, each with its place in the document."""
    place = _place(document, record)
    separations = record.separations if isinstance(record, Record) else ()
    yield from ((entry, f"{place}.separations[{position}]") for position, entry in enumerate(separations))
    yield from ((entry, f"{place}.obligations[{position}]") for position, entry in enumerate(record.obligations))


def _system(record: Record | CRecord, decide: Decide, listing: bool) -> "Counter[RecheckOutcome]":
    checks = []
    for check in recheck(record, decide):
        checks.append(check)
        progress(f"{record.system}: {len(checks)} of {len(record.stated)}")
    progress("")
    outcomes = Counter(check.outcome for check in checks)
    counts = ", ".join(f"{outcomes[outcome]} {_WORDS[outcome]}" for outcome in RecheckOutcome if outcomes[outcome])
    settled = sum(separation.settles for separation in record.separations) if isinstance(record, Record) else 0
    more = f", and settle {settled} obligations more" if settled else ""
    click.echo(f"{_title(record)}: {record.verdict}; {counts or 'no obligations'}{more}")
    for check in checks:
        if listing or check.outcome is not RecheckOutcome.AGREES:
            click.echo(f"  {_line(check)}")
    return outcomes


_WORDS = {RecheckOutcome.AGREES: "agree", RecheckOutcome.DISAGREES: "disagree", RecheckOutcome.UNKNOWN: "unknown"}


def _line(check: Check) -> str:
    text = f"{check.outcome}: {check.text}" if check.text else str(check.outcome)
    if check.entry is None:
        return text
    if isinstance(check.entry, Separation):
        return f"{check.entry.id} {check.entry.claim} (settles {check.entry.settles}): {text}"
    return f"{check.entry.id} {check.entry.rule} {check.entry.claim} ({check.entry.verdict}): {text}"


def _summary(name: str, outcomes: "Counter[RecheckOutcome]") -> str:
    agreed, total = outcomes[RecheckOutcome.AGREES], outcomes.total()
    return f"{name}: {agreed} of {total} verdicts agree" if agreed < total else f"{name}: all {total} verdicts agree"


def _write_smt(document: Certificate, folder: Path) -> None:
    """Writes a file for each obligation, with the answer that agrees with the certificate."""
    records = _records(document)
    if not any(record.stated for record in records):
        reasons = [f"{_title(record)} was {record.verdict}" for record in records] or ["nothing was judged"]
        raise InputError(f"the certificate lists no obligation: {'; '.join(reasons)}")
    texts = {
        f"{number}-{_plain(record.system)}-{_plain(stated.id)}": smt_text(
            stated.violations, comment=_comment(record, stated)
        )
        for number, record in enumerate(records, 1)
        for stated in record.stated
    }
    _write_texts(texts, folder)
    click.echo(f"wrote {len(texts)} obligations to {folder}")


def _write_leaves(document: Certificate, certificate: str, proofs: str, folder: Path) -> int:
    """Writes a file for each proof, with its leaves. Returns the exit code: FINDINGS if a set is not confirmed.

    Raises InputError."""
    contents = _with_proofs(certificate, proofs)
    reasons = _reasons(certificate, proofs, *contents)
    try:
        texts = dict(lazy_import("alphaz.proof.refute.leaf_texts").texts_of_leaves(*contents))
    except NotConfirmed as reason:
        raise InputError(f"{proofs} cannot be used for {certificate}: {reason}; write both by {_WAY}") from None
    _write_texts({_plain(place): text for place, text in texts.items()}, folder)
    click.echo(f"wrote the leaves of {len(texts)} proofs to {folder}")
    proved = [
        place
        for record in _records(document)
        for entry, place in _places(document, record)
        if isinstance(entry, Separation) or entry.verdict == PROVED
    ]
    unproved = [place for place in proved if reasons.get(place)]
    if unproved:
        click.echo(f"of {len(proved)} sets the kernel does not confirm {len(unproved)}")
    return FINDINGS if unproved or not proved else CLEAN


def _write_texts(texts: Mapping[str, str], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / f"{name}.smt2").write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _title(record: Record | CRecord) -> str:
    return f"{record.script}: {record.system}" if isinstance(record, Record) else record.title


def _comment(record: Record | CRecord, stated: Stated) -> str:
    verdict, rule = (PROVED, stated.by) if isinstance(stated, Separation) else (stated.verdict, stated.rule)
    expected = {PROVED: "unsat", REFUTED: "sat"}.get(verdict, "unknown")
    about = f"{_title(record)}: {rule} {stated.claim}"
    return f"{about}\nin the certificate: {verdict} ({expected})"


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name)
