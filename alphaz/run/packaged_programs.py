"""Programs of installed Python packages that are not on PATH: mpicc of the extra `mpi`, nvcc of the extra `cuda`."""

import importlib.util
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path

# Packages of the CUDA toolkit share this namespace, with a folder for each version.
_NAMESPACE, _PATTERN = "nvidia", "cu*/bin"


def located(name: str) -> str:
    """Returns the command of a program: its name where it is on PATH or in no package, else its path in one."""
    if shutil.which(name) is not None or Path(name).name != name:
        return name
    return next((str(path) for path in _places(name) if shutil.which(path)), name)


def _places(name: str) -> Iterator[Path]:
    """Yields the possible places: the programs of this environment, then the newest toolkit of CUDA."""
    yield Path(sysconfig.get_path("scripts"), name)
    spec = importlib.util.find_spec(_NAMESPACE)
    folders = () if spec is None else spec.submodule_search_locations or ()
    yield from sorted((path for folder in folders for path in Path(folder).glob(f"{_PATTERN}/{name}")), reverse=True)
