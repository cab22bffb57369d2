"""Links that hold texts: the fragment of an address, which no browser sends to a server."""

import base64
import json
import zlib
from collections.abc import Mapping

from alphaz.ide.studio.request import MOST, BadRequest, checked_texts

_MARK = "#t="


def is_link(text: str) -> bool:
    """Returns True for an address with texts."""
    return _MARK in text


def fragment_of(files: Mapping[str, str]) -> str:
    """Returns the fragment: JSON, compressed with a checksum (RFC 1950), in base64url. The page adds what it shows."""
    packed = zlib.compress(json.dumps({"files": dict(files)}).encode())
    return _MARK + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def texts_of(link: str) -> dict[str, str]:
    """Returns the texts of a link. Raises BadRequest for an address that is none."""
    code = link.partition(_MARK)[2].strip()
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        unpacker = zlib.decompressobj()
        # A small link can be a large text.
        text = unpacker.decompress(packed, 10 * MOST)
        value: object = json.loads(text) if unpacker.eof and not unpacker.unused_data else None
    except (ValueError, zlib.error, RecursionError):
        value = None
    if value is None:
        raise BadRequest("the link is damaged: copy all of it")
    return checked_texts(value.get("files") if isinstance(value, dict) else None)
