"""Which isl answers here, as far as it can be known."""

from importlib import metadata

import islpy as isl


def versions() -> dict[str, str]:
    """The versions of islpy and of the isl inside it, which says of itself only how it was built."""
    return {"islpy": metadata.version("islpy"), "isl": str(isl.isl_version()).strip()}
