"""`alphaz show` of a certificate: its inventory next to the lines of the files that were verified."""

from collections.abc import Iterator

from alphaz.certificate.c_program import CRecord
from alphaz.certificate.certificate import PlaceRecord, Record
from alphaz.certificate.document import Certificate
from alphaz.certificate.inventory_text import inventory_text
from alphaz.cli.certificate_files import changed_files, read_certificate
from alphaz.cli.files import InputError, read_file


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
