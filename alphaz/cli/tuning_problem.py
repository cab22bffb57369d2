"""The input of `alphaz tune`: a script that leaves choices open, or a kernel of linear algebra."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.cli.files import InputError, read_source
from alphaz.cli.measured_mappings import Subject, interpret, mapped_subjects
from alphaz.diagnostics import Rejected, Source
from alphaz.lazy import lazy_import
from alphaz.machine import USUAL
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.search.cost.estimate import estimate
from alphaz.search.schedule.script_lines import Line
from alphaz.tuning.choices import space_of
from alphaz.tuning.evaluator import proved_mapping
from alphaz.tuning.fusion import FusionOperations
from alphaz.tuning.kernel_space import KernelSpace
from alphaz.tuning.panel_space import PanelSpace
from alphaz.tuning.space import Alternatives, SearchSpace, Unproved

KERNEL = ".m"


@dataclass(frozen=True, slots=True, eq=False)
class TuningProblem:
    """A space of scripts, and the system that they map; they find their program in `folder`.

    `programs` are the equations that its scripts read, by file name, where these files do not exist yet; `beside` is
    the file next to which peers are searched.
    """

    name: str
    space: SearchSpace
    folder: Path
    checked: Checked
    system: str
    beside: Path
    programs: Mapping[str, str] = field(default_factory=dict)

    @property
    def program(self) -> str | None:
        """Returns the equations of a kernel as text; None for a script."""
        return next(iter(self.programs.values()), None)

    @property
    def reference(self) -> str:
        """Returns the script that the others are compared with."""
        name = Path(self.name).name
        return f"{name} as it stands" if self.program is None else f"{name}, each operation sharing what it may"

    @property
    def subject(self) -> Subject:
        return self.system, self.checked, None


@contextmanager
def opening(name: str, system: str | None, *, as_written: bool = False) -> Iterator[TuningProblem]:
    """Yields the problems of a script or of a kernel, by its name; for a kernel all formulations, or the written one.
    Raises Rejected and InputError.
    """
    if not name.endswith(KERNEL):
        yield _of_script(name, system)
        return
    with TemporaryDirectory(prefix="alphaz-") as folder:
        yield _of_kernel(name, Path(folder), as_written)


def _of_script(name: str, system: str | None) -> TuningProblem:
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
        raise InputError(f"{name} maps {', '.join(subject for subject, _, _ in subjects)}: say which with --system")
    mapped, checked, _ = subjects[0]
    return TuningProblem(
        name=name,
        space=space,
        folder=Path(name).parent,
        checked=checked,
        system=mapped,
        beside=Path(checked.program.source.name),
    )


def _of_kernel(name: str, folder: Path, as_written: bool) -> TuningProblem:
    readings = islice(_readings(name), 1 if as_written else None)
    outcomes = [_space(reading, folder, number) for number, reading in enumerate(readings, 1)]
    plain = [(reading.label, space) for reading, space in outcomes if isinstance(space, KernelSpace)]
    spaces: list[tuple[str, SearchSpace]] = [*plain, *(() if as_written else _panels(plain))]
    formulation, first = outcomes[0]
    if isinstance(first, Unproved):
        raise InputError(f"the operations of {name} are not proved one after the other: {first}")
    program = Path(name).with_suffix(".ab").name
    return TuningProblem(
        name=name,
        space=Alternatives.of("formulas", [label for label, _ in spaces], [space for _, space in spaces]),
        folder=folder,
        checked=read_program(Source(program, formulation.text)),
        system=formulation.operations.system,
        beside=Path(name).with_suffix(".ab"),
        programs={_program(name, number): reading_.text for number, (reading_, _) in enumerate(outcomes, 1)},
    )


def _panels(spaces: Sequence[tuple[str, KernelSpace]]) -> Iterator[tuple[str, PanelSpace]]:
    """Yields the spaces whose operations have a matrix in common."""
    for label, space in spaces:
        panels = PanelSpace.of(space.operations, space.source, carry_out)
        if panels is not None:
            yield f"{label}, in panels", panels


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """One formulation of a kernel: equations as text, their operations, and the lines of storage formats."""

    name: str
    label: str
    text: str
    operations: FusionOperations
    format_lines: tuple[Line, ...]


def operations_of(name: str) -> tuple[str, FusionOperations, tuple[Line, ...]]:
    """Returns the equations of a kernel file as text, its operations, and the lines of its storage formats."""
    reading = next(_readings(name))
    return reading.text, reading.operations, reading.format_lines


def _readings(name: str) -> Iterator[_Reading]:
    """Yields the formulation as written, then others. Raises InputError for operations that depend on each other."""
    # Loaded here, since scripts have no need of the grammar of kernels.
    reading, variants, formats = (
        lazy_import(f"alphaz.frontends.matrix.{module}") for module in ("reading", "variants", "headerless_kernels")
    )
    for variant in variants.variants(reading.read_kernel(read_source(name, KERNEL))):
        kernel, text = variant.kernel, variant.program
        design = carry_out(Design(read_program(Source(name, text))), "", Line("NormalizeReduction", of_system=False))
        format_lines = tuple(Line("setStorageFormat", format_) for format_ in formats.formats(kernel))
        for line in format_lines:
            design = carry_out(design, kernel.name, line)
        try:
            operations = FusionOperations.of(design, kernel.name)
        except Unproved as reason:
            raise InputError(f"{name}: {reason}; `alphaz matrix build` finds a mapping of such a kernel") from None
        yield _Reading(name=name, label=variant.change, text=text, operations=operations, format_lines=format_lines)


def _program(name: str, number: int) -> str:
    """Returns the file name of the equations of a formulation."""
    return f"{Path(name).stem}.ab" if number == 1 else f"{Path(name).stem}-{number}.ab"


def _space(reading: _Reading, folder: Path, number: int) -> tuple[_Reading, KernelSpace | Unproved]:
    """Returns the space of a formulation, whose equations are written to the folder; or the reason why there
    is none.
    """
    program, system = _program(reading.name, number), reading.operations.system
    (folder / program).write_text(reading.text, encoding="utf-8")
    head = f'prog = ReadAlphabets({literal(program)});\nNormalizeReduction(prog);\nsystem = "{system}";\n'
    head += "".join(f"{line}\n" for line in reading.format_lines) + "\n"
    source = Source(Path(reading.name).with_suffix(".cs").name, head)
    try:
        return reading, KernelSpace.of(reading.operations, source, carry_out)
    except Unproved as reason:
        return reading, reason


_SIZE, _THREADS = 4000, 2
"""The machine for the comparison of times, the same everywhere, so that the text is the same, too."""
_REGISTERS, _GAIN = "setRegisterTile(", 0.95
"""The required speed-up: values in registers avoid loads from caches, which the least time does not model."""


def with_shared_loops(script: str, kernel: str, program: Path) -> str:
    """Returns the script `script` for the equations at `program`, or one in which loops are shared. Both are proved."""
    try:
        with opening(kernel, None, as_written=True) as problem:
            shared = problem.space.script_of(problem.space.usual)
            name = problem.system
        shared_time, script_time = (_least(text, program, name) for text in (shared, script))
    except (InputError, Unproved):
        return script
    if (
        shared_time is None
        or script_time is None
        or shared_time >= script_time * (_GAIN if _REGISTERS in script else 1)
    ):
        return script
    heading = (
        f"# Found by `alphaz matrix build {Path(kernel).name}`, and proved: operations share the loops that they may.\n"
    )
    return heading + shared


def _least(script: str, program: Path, system: str) -> float | None:
    """Returns the least possible seconds by the model; None for a system without such sizes."""
    verified = proved_mapping(script, str(program.with_suffix(".cs")), program.parent, system)
    mapping = verified.mappings[system]
    sizes = dict.fromkeys(mapping.system.parameters, _SIZE)
    return estimate(mapping, sizes, USUAL, _THREADS).seconds if mapping.system.context.contains(sizes) else None
