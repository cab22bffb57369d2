"""Claim files next to a C file: the values that its lines compute. They are checked, and may be wrong."""

import json
from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path, PurePosixPath

from alphaz.codegen.c.annotations import FORMAT, VERSION, claims_text
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import FILE
from alphaz.poly import Affine, Floor
from alphaz.scop.c_model import Annotation

_SUFFIX = ".claims.json"
Lines = Mapping[int, Mapping[str, object]]


def with_claims(sources: Sources) -> Sources:
    """Returns the sources with a claim file for each C file."""
    more = {
        str(PurePosixPath(name).with_suffix(_SUFFIX)): claims_text(claims) for name, claims in sources.claims.items()
    }
    return replace(sources, files={**sources.files, **more})


def beside(source: Source) -> Path:
    """Returns the path of the claims for `kernel.c`: `kernel.claims.json`."""
    return Path(source.name).with_suffix(_SUFFIX)


def read_claims(source: Source) -> dict[int, Annotation]:
    """Returns the claims of a file, by lines of the C. Raises Rejected (FILE) if its format is invalid."""
    try:
        document = json.loads(source.text)
        if document["format"] != FORMAT or document["version"] != VERSION:
            raise ValueError(f"it is not `{FORMAT}`, version {VERSION}")
        return annotations_by_line({claim["line"]: claim for claim in document["claims"]})
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        message = f"{source.name} is not a claim file: {problem}"
        raise Rejected(Diagnostic(FILE, message, Label(NOWHERE), help="`alphaz run --claims` writes them")) from None


def moved_claims(claims: Lines, old: str, new: str) -> Lines:
    """Returns the claims of an edited text: of lines that are kept, and of those in the place of other ones."""
    lines = dict[int, Mapping[str, object]]()
    matcher = SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
    for _, begin, end, first, behind in matcher.get_opcodes():
        claimed = [claims.get(line + 1) for line in range(begin, end)]
        last = next((claim for claim in reversed(claimed) if claim is not None), None)
        for offset in range(behind - first):
            claim = claimed[offset] if offset < len(claimed) else last
            if claim is not None:
                lines[first + offset + 1] = claim
    return lines


def annotations_by_line(claims: Lines) -> dict[int, Annotation]:
    """Returns the annotations of these claims, as read with the C."""
    return {line: _annotation(claim) for line, claim in claims.items()}


def _annotation(claim: Mapping[str, object]) -> Annotation:
    point, body = claim["point"], claim.get("adds", [])
    if not isinstance(point, list) or not isinstance(body, list):
        raise TypeError("a point must be a list")
    floors = claim.get("quotients", [])
    if not isinstance(floors, list) or not all(isinstance(floor, dict) for floor in floors):
        raise TypeError("quotients must be a list")
    return Annotation(
        variable=str(claim["calls"] if "calls" in claim else claim["variable"]),
        point=tuple(map(_sum, point)),
        body=tuple(map(_sum, body)),
        floors=tuple(map(_quotient, floors)),
        is_call="calls" in claim,
    )


def _quotient(record: Mapping[str, object]) -> Floor:
    divisor = record["by"]
    if type(divisor) is not int or divisor <= 0:
        raise ValueError("the divisor of a quotient must be a positive integer")
    return Floor(str(record["name"]), _sum(record["of"]), divisor)


def _sum(terms: object) -> Affine:
    if not isinstance(terms, dict) or not all(type(term) is int for term in terms.values()):
        raise TypeError("an index must be a sum of integer multiples of names")
    return Affine.of(((str(name), factor) for name, factor in terms.items() if name), terms.get("", 0))
