"""Programs of installed Python packages that are not on PATH: nvcc of the extra `cuda`."""

import importlib.util
import shutil
from pathlib import Path

# Packages of the CUDA toolkit share this namespace, with a folder for each version.
_NAMESPACE, _PATTERN = "nvidia", "cu*/bin"


def located(name: str) -> str:
    """Returns the command of a program: its name where it is on PATH or in no package, else its path in one."""
    if shutil.which(name) is not None or Path(name).name != name:
        return name
    spec = importlib.util.find_spec(_NAMESPACE)
    places = () if spec is None else spec.submodule_search_locations or ()
    found = [path for place in places for path in Path(place).glob(f"{_PATTERN}/{name}") if shutil.which(path)]
    return str(max(found)) if found else name
