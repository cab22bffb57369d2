"""Generated files, before they are written to disk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from alphaz.codegen.toolchain import Harness, Toolchain
from alphaz.diagnostics import Diagnostic
from alphaz.poly.plain.affine import Affine

if TYPE_CHECKING:
    from alphaz.mapping.storage_formats import Layout

EXTERNALS = "external_functions.h"
"""The header that declares the external functions of a program."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Generated files. `files` are relative names and their text.

    `if_absent` are files that belong to the user: written only where they do not exist yet (`external_functions.h`).
    `findings`: warnings of the generation. `layouts`: the inputs and outputs that the generated function takes in a
    storage format. `claims`: the annotations of the lines of a C file. `overwritten`: the inputs in whose arrays the
    generated function stores other values. `in_place`: pairs of an input and an output that may be passed as one
    array. `places` are those of the computed values of ranks, over the indices of their variables (claims, too).
    `toolchain` and `harness`: those of the target; None for C that is for no target.
    """

    files: Mapping[str, str]
    if_absent: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    layouts: "Mapping[str, Layout]" = field(default_factory=dict)
    claims: Mapping[str, Mapping[int, Mapping[str, object]]] = field(default_factory=dict)
    overwritten: frozenset[str] = frozenset()
    in_place: tuple[tuple[str, str], ...] = ()
    places: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)
    toolchain: Toolchain | None = None
    harness: Harness | None = None

    def __or__(self, other: "Sources") -> "Sources":
        """Returns both; where both have a file, that of the right operand."""
        return Sources(
            files={**self.files, **other.files},
            if_absent={**self.if_absent, **other.if_absent},
            findings=(*self.findings, *other.findings),
            layouts={**self.layouts, **other.layouts},
            claims={**self.claims, **other.claims},
            overwritten=self.overwritten | other.overwritten,
            in_place=(*self.in_place, *other.in_place),
            places={**self.places, **other.places},
            toolchain=other.toolchain or self.toolchain,
            harness=other.harness or self.harness,
        )
