"""A few hundred random programs: `scripts/fuzz-language` tries as many as one likes."""

import pytest

from tools.fuzz_language import fuzz

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_the_checker_answers_and_the_code_computes_what_the_interpreter_does() -> None:
    outcome = fuzz(cases=240, start=20)
    assert outcome.failures == []
    assert outcome.tried == 240
    assert outcome.ran >= 20
