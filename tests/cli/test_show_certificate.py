"""`show` of a certificate: the inventory next to the lines of the equations, the mapping and the C."""

from pathlib import Path

import pytest

from alphaz.certificate import document
from alphaz.certificate.inventory_text import inventory_text
from alphaz.certificate.mapping_inventory import PlaceRecord
from alphaz.legality.reporting.certificate_record import record
from tests.certificate.sample_certificates import SAMPLES, records
from tests.cli.command_line import ask
from tests.legality.mapped import Mapped


def test_a_mapping(folder: Path) -> None:
    assert ask("verify", "right.cs", "--certificate", "proof.json").code == 0
    answer = ask("show", "proof.json")
    assert answer.code == 0, answer.err
    text = answer.out.splitlines()
    assert text[0] == "right.cs: sums (proved)"
    read, _ = document.read((folder / "proof.json").read_text())
    inventory = read.systems[0].inventory
    assert inventory is not None
    places = [line.split(" | ", 1)[1] for line in text if " | " in line]
    for reference in (read for read in inventory.reads if read.text):
        assert any(reference.text in line for line in places)
    assert any(line.startswith("setSpaceTimeMap") for line in places)
    (folder / "right.cs").write_text((folder / "right.cs").read_text() + "# changed\n")
    changed = ask("show", "proof.json").out.splitlines()
    assert changed[0] == "right.cs is not the text that was verified"
    assert not any("setSpaceTimeMap" in line for line in changed)


def test_c(folder: Path) -> None:
    program, source = (SAMPLES / "kernels" / "lu" / name for name in ("lu.ab", "lu-peer.c"))
    (folder / "lu.ab").write_text(program.read_text())
    (folder / "lu.c").write_text(source.read_text())
    assert ask("prove", "--certificate", "proof.json", "lu.ab", "lu.c").code == 0
    text = ask("show", "proof.json", "--system", "lu").out
    assert "   2  LU[i][j] = (LU[i][j] /:double LU[j][j])\n" in text
    assert "lu.c:12 | LU[i][j] /= LU[j][j];\n      is L[i,j] for " in text
    assert "        needs U[j,j] in LU[j][j]\n" in text
    assert "    = (L.2[i,j] /:double U[j,j]), for " in text


def test_what_is_no_certificate(folder: Path) -> None:
    (folder / "proof.json").write_text("[]")
    assert ask("show", "proof.json").err == (
        'alphaz: proof.json cannot be used: it is no certificate: it has no "format": "alphaz-certificate"\n'
    )
    assert ask("verify", "right.cs", "--certificate", "proof.json").code == 0
    assert ask("show", "proof.json", "--system", "none").err == "alphaz: proof.json has no system none\n"
    (folder / "proof.json").write_text((folder / "proof.json").read_text().replace("proved", "refuted"))
    assert ask("show", "proof.json").out.splitlines()[0] == (
        "proof.json was changed since it was written: its digest is another"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "lines"),
    [
        ("kernels/2mm/2mm-tuned.cs", ["buffers", "tiles", "  register tiles of dimensions "]),
        (
            "kernels/jacobi-1d/jacobi-1d-tuned.cs",
            [" to 2: 32 x 1024, in wavefronts of dimensions 1, 2"],
        ),
        ("subsystems/filter-in-place.cs", ["computed in place", ", in place"]),
        ("subsystems/matrix-vector.cs", ["arrays of arguments", ", part of operation ", "dropped copies"]),
    ],
)
def test_all_of_an_inventory_is_shown(script: str, lines: list[str]) -> None:
    def line_of(place: PlaceRecord) -> str:
        return f"line {place.line}"

    text = "\n".join(line for record in records(SAMPLES / script) for line in inventory_text(record, line_of))
    assert [line for line in lines if line not in text] == []


def test_factors_of_cells() -> None:
    mapping = Mapped("affine s {N | N>=9} input int a {i | 0<=i<N}; output int b {i | 0<=i<N}; let b[i] = a[i]; .")
    report = mapping.time("b", "(i -> i)").memory("b", "(i -> i)", "b", [3]).report()
    assert "  b[i] in b[i] modulo [3]" in inventory_text(record("s.cs", report), str)
