"""The pictures of the documents are those that alphaz draws now."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_pictures_are_of_today() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "pictures"))["pictures"]()
    assert {p.name for p in (ROOT / "docs" / "pictures").iterdir()} == set(made)
    for name, svg in made.items():
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == svg, "run scripts/pictures"
