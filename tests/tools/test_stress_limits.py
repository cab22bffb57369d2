"""A few of the texts that are made to take long (`tools.stress_limits` has hundreds)."""

from itertools import islice
from pathlib import Path

import pytest

from tests.thinning import thinned
from tools.stress_limits import KINDS, Text, complaint, texts, verbs_of

pytestmark = pytest.mark.slow

SOME = list(islice(texts(), len(KINDS)))


@pytest.mark.parametrize("text", thinned(SOME, 4), ids=[text.name for text in SOME])
def test_it_ends_within_its_limits(text: Text, tmp_path: Path) -> None:
    assert complaint(text, verbs_of(text)[0], tmp_path) is None
