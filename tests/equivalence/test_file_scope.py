"""Arrays and numbers that stand outside of functions, and sizes that are macros."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.scop.macros import array_sizes, sizes_in, with_sizes
from tests.cases.proofs import proof_of, verdict_of
from tests.thinning import thinned

ALL = proof_of("file-scope", "all in the file")


@pytest.mark.slow
def test_sizes_that_are_parameters_are_told() -> None:
    said = ("no index exceeds the 32 bits of its type", "`N`, which is 1024 in the text, may be any N")
    assert verdict_of(ALL).assumed == said
    equations, named = read_program(Source("p.ab", ALL.equations)), Source("k.c", ALL.text.replace("N", "SIZE"))
    assert not prove_c(equations, named, ProofTask(executes=False)).is_proved
    assert prove_c(equations, named, ProofTask(executes=False, names={"SIZE": "N"})).is_proved


@pytest.mark.slow
def test_an_execution_says_which_number_stood_in_the_place_of_a_macro() -> None:
    (found,) = verdict_of(proof_of("file-scope", "one product less"), executes=True).findings
    assert "the macro `N` was 1 then" in found.notes


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", thinned(["all in the file", "arguments of a size that is a macro", "functions that clear it"], 3)
)
def test_sizes_of_arrays_are_parameters_of_the_equations(name: str) -> None:
    made = from_c(Source("k.c", proof_of("file-scope", name).text))
    assert made.is_proved
    assert made.checked.program.systems[0].parameters == ("N",)


def test_macros_that_are_numbers_are_sizes_where_any_number_would_do() -> None:
    text = (
        "#define N 8\n#define M (9) // rows\n#define L 010\n#define K N\ndouble a[M][N];\nvoid f(int n) { int b[N]; }\n"
    )
    assert sizes_in(text) == {"N": 8, "M": 9}
    assert array_sizes(text) == ("M", "N")
    assert with_sizes(text, {"M": "5"}) == text.replace("(9)", "5")
    for more in ("#if N > 3\n#endif\n", "#define J(x) x##N\n"):
        assert sizes_in(text + more) == {}
    assert sizes_in(f"{text}#undef N\n#ifdef M\n#endif\n#if defined(M)\n#endif\n") == {"M": 9}
