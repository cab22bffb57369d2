"""A whole certificate: versions, texts, and verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.certificate.c_program import CRecord
from alphaz.certificate.certificate import Record


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A verified text, and the SHA-256 of its UTF-8 bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate. `versions` of all components, by name. `systems` are about mappings, `programs` about C."""

    versions: Mapping[str, str]
    files: tuple[SourceFile, ...]
    systems: tuple[Record, ...]
    programs: tuple[CRecord, ...] = ()
