"""The version of isl in use, as far as it is known."""

from importlib import metadata

import islpy as isl


def versions() -> dict[str, str]:
    """Returns the versions of islpy and of the isl inside it, which only reports how it was built."""
    return {"islpy": metadata.version("islpy"), "isl": str(isl.isl_version()).strip()}
