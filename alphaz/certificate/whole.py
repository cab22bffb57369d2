"""A certificate as a whole: what took part, the texts, and the verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.certificate.c_program import CRecord
from alphaz.certificate.certificate import Record


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text that was verified, and the SHA-256 of its UTF-8 bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """`versions` of everything that took part, by name. `systems` are about mappings, `programs` about C."""

    versions: Mapping[str, str]
    files: tuple[SourceFile, ...]
    systems: tuple[Record, ...]
    programs: tuple[CRecord, ...] = ()
