"""`alphaz complexity`."""

from pathlib import Path

from click.testing import CliRunner

from alphaz.cli.show import complexity
from tests.transform.programs import sums


def test_operations_are_polynomials_in_the_parameters(tmp_path: Path) -> None:
    file = tmp_path / "sums.ab"
    file.write_text(sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]);"), encoding="utf-8")
    answer = CliRunner().invoke(complexity, [str(file), "--system", "sums"])
    assert (answer.exit_code, answer.output) == (0, "sums\n  B: N values, (N^2+N)/2 operations\n")
