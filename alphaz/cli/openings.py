"""What `alphaz tune` is given: a script that leaves something open, or a kernel of linear algebra."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.read import read_program
from alphaz.cli.files import InputError, read_source
from alphaz.cli.subjects import Subject, mapped_subjects
from alphaz.cli.verify import interpret
from alphaz.commands.carrying import carry_out
from alphaz.commands.kinds.written import literal
from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.design import Design
from alphaz.schedule.line import Line
from alphaz.tuning.choices import space_of
from alphaz.tuning.fusion import Operations
from alphaz.tuning.kernels import KernelSpace
from alphaz.tuning.space import Space, Unproved

KERNEL = ".m"


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """A space, and the system that its scripts map; these find their program in `folder`.

    `program` is the text of the equations, where they are nobody's file yet, and `beside` the file that holds peers.
    """

    name: str
    space: Space
    folder: Path
    checked: Checked
    system: str
    beside: Path
    program: str | None = None

    @property
    def reference(self) -> str:
        """What the others are compared with."""
        name = Path(self.name).name
        return f"{name} as it stands" if self.program is None else f"{name}, each operation sharing what it may"

    @property
    def subject(self) -> Subject:
        return self.system, self.checked, None


@contextmanager
def opening(name: str, system: str | None) -> Iterator[Opening]:
    """Of a script or of a kernel, by its name. Raises Rejected and InputError."""
    if not name.endswith(KERNEL):
        yield _of_script(name, system)
        return
    with TemporaryDirectory(prefix="alphaz-") as folder:
        yield _of_kernel(name, Path(folder))


def _of_script(name: str, system: str | None) -> Opening:
    source = read_source(name, ".cs")
    session = interpret(source)
    errors = [finding for finding in session.findings if finding.is_error]
    if errors:
        raise Rejected(*errors)
    space = space_of(source)
    if not space.axes:
        raise InputError(f'{name} leaves nothing open: write choose("rows", 2, 4, 6) in the place of a number or text')
    subjects = list(mapped_subjects(session, system))
    if len(subjects) != 1:
        raise InputError(f"{name} maps {', '.join(each for each, _, _ in subjects)}: say which with --system")
    mapped, checked, _ = subjects[0]
    return Opening(
        name=name,
        space=space,
        folder=Path(name).parent,
        checked=checked,
        system=mapped,
        beside=Path(checked.program.source.name),
    )


def _of_kernel(name: str, folder: Path) -> Opening:
    text, operations, given = operations_of(name)
    program = Path(name).with_suffix(".ab").name
    (folder / program).write_text(text, encoding="utf-8")
    head = f'prog = ReadAlphabets({literal(program)});\nNormalizeReduction(prog);\nsystem = "{operations.system}";\n'
    head += "".join(f"{line}\n" for line in given) + "\n"
    try:
        space = KernelSpace.of(operations, Source(Path(program).with_suffix(".cs").name, head), carry_out)
    except Unproved as reason:
        raise InputError(f"the operations of {name} are not proved one after the other: {reason}") from None
    checked = read_program(Source(program, text))
    return Opening(
        name=name,
        space=space,
        folder=folder,
        checked=checked,
        system=operations.system,
        beside=Path(name).with_suffix(".ab"),
        program=text,
    )


def operations_of(name: str) -> tuple[str, Operations, tuple[Line, ...]]:
    """The equations of a kernel file as text, its operations, and the lines of its storage formats."""
    # Loaded here, since scripts have no need of the grammar of kernels.
    reading, kernel, equations, formats = (
        importlib.import_module(f"alphaz.matrix.{each}") for each in ("reading", "kernel", "equations", "formats")
    )
    checked = kernel.check_kernel(reading.read_kernel(read_source(name, KERNEL)))
    text = equations.program_text(checked)
    design = carry_out(Design(read_program(Source(name, text))), "", Line("NormalizeReduction", of_system=False))
    given = tuple(Line("setStorageFormat", each) for each in formats.formats(checked))
    for line in given:
        design = carry_out(design, checked.name, line)
    return text, Operations.of(design, checked.name), given
