"""Certificates on disk, and the files that they are about."""

import hashlib
from pathlib import Path

from alphaz.certificate.document import Certificate, Unusable, read
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
