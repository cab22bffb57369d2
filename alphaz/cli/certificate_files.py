"""Certificates on disk, the files that they are about, and the text of `alphaz show` for them."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from alphaz.certificate.c_inventory import CRecord
from alphaz.certificate.document import Certificate, Unusable, read
from alphaz.certificate.inventory_text import inventory_text
from alphaz.certificate.mapping_inventory import PlaceRecord, Record
from alphaz.cli.files import InputError, read_file


def read_certificate(name: str) -> tuple[Certificate, bool]:
    """Returns the certificate, and whether its digest is right. Raises InputError."""
    try:
        return read(read_file(name).text)
    except Unusable as reason:
        raise InputError(f"{name} cannot be used: {reason}") from None


def changed_files(document: Certificate) -> dict[str, str]:
    """Returns the files that differ from the verified ones, each with a text about its state."""
    changes: dict[str, str] = {}
    for file in document.files:
        try:
            now = hashlib.sha256(Path(file.name).read_bytes()).hexdigest()
        except OSError as error:
            changes[file.name] = f"{file.name} cannot be compared: {(error.strerror or str(error)).lower()}"
            continue
        if now != file.sha256:
            changes[file.name] = f"{file.name} is not the text that was verified"
    return changes


def inventories(name: str, system: str | None) -> Iterator[str]:
    """Yields the lines for all records of a certificate, or those of one system. Raises InputError."""
    document, intact = read_certificate(name)
    if not intact:
        yield f"{name} was changed since it was written: its digest is another"
    changed = changed_files(document)
    yield from changed.values()
    texts = _texts(document, changed)

    def line_of(place: PlaceRecord) -> str:
        lines = texts.get(place.file, [])
        text = lines[place.line - 1].strip() if place.line <= len(lines) else ""
        return f"{place.file}:{place.line} | {text}"

    every: tuple[Record | CRecord, ...] = (*document.systems, *document.programs)
    records = [record for record in every if system in (None, record.system)]
    if not records:
        raise InputError(f"{name} has no system {system}" if system else f"{name} lists no mapping and no C")
    for record in records:
        yield from inventory_text(record, line_of)


def _texts(document: Certificate, changed: dict[str, str]) -> dict[str, list[str]]:
    """Returns the lines of the files that are those that were verified."""
    names = (file.name for file in document.files if file.name not in changed)
    return {name: read_file(name).text.splitlines() for name in names}
