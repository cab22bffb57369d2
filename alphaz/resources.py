"""Paths of the project's data files: in a checkout, or inside an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(folder: str, name: str) -> str:
    """Returns the text of data file `name` of top-level `folder` (`grammar`, `docs/rules`, ...).

    A wheel carries those folders under `alphaz/_data`; a checkout and an editable install read them in place.
    """
    return (resource_folder(folder) / name).read_text(encoding="utf-8")


def resource_folder(folder: str) -> Path:
    """Returns the folder itself; raises FileNotFoundError when neither place has it."""
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        if (root / folder).is_dir():
            return root / folder
    raise FileNotFoundError(f"the installation of alphaz is incomplete: no folder {folder!r} next to {_PACKAGE}")


def package_text(name: str) -> str:
    """Returns the text of a data file inside the package, next to the modules that use it."""
    return (_PACKAGE / name).read_text(encoding="utf-8")
