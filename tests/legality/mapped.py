"""Designs for the tests of the verifier, without the script language: `Mapped(text).time("A", "(i -> i)").report()`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from alphaz.analysis.elaborate.programs import elaborate_function
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source, Span
from alphaz.legality.verdicts import DesignVerdict, Options, SystemVerdict
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.mapping.factors import Factor
from alphaz.mapping.target_mapping import (
    Band,
    Communication,
    CommunicationChoice,
    DimensionKind,
    DistributedDimension,
    GhostMap,
    KindSetting,
    MemoryMap,
    Overwritable,
    Ownership,
    ProcessorShape,
    RegisterTile,
    SpaceTimeMap,
    StatementOrder,
    TargetMapping,
)
from alphaz.poly import AffineFunction
from alphaz.proof import Refuted
from alphaz.syntax.parser import parse_function_at

KINDS = {kind.value[0]: kind for kind in DimensionKind}


class Mapped:
    """A program of one system and its mapping, built step by step."""

    def __init__(self, text: str, mapping: TargetMapping | None = None, checked: object = None) -> None:
        self.text = text
        self.checked = checked or read_program(Source("program.ab", text))
        self.mapping = mapping or TargetMapping()

    def _with(self, **changes: object) -> "Mapped":
        return Mapped(self.text, replace(self.mapping, **changes), self.checked)  # type: ignore[arg-type]

    def _function(self, text: str) -> tuple[AffineFunction, Span]:
        span = Span(Source("script.cs", text), 0, len(text))
        return elaborate_function(parse_function_at(span), self.design.program.systems[0].parameters), span

    def time(self, variables: str, text: str, init: str | None = None) -> "Mapped":
        function, span = self._function(text)
        first = self._function(init)[0] if init is not None else None
        mapping = self.mapping
        for variable in variables.split(","):
            mapping = mapping.with_space_time(SpaceTimeMap(variable, function, first, span))
        return Mapped(self.text, mapping, self.checked)

    def memory(
        self, variable: str, text: str | None, space: str | None = None, moduli: Sequence[Factor] = ()
    ) -> "Mapped":
        function, span = self._function(text) if text is not None else (None, self._span("setMemorySpace"))
        entry = MemoryMap(variable, space or variable, function, tuple(moduli), span)
        return Mapped(self.text, self.mapping.with_memory(entry), self.checked)

    def overwritable(self, *inputs: str) -> "Mapped":
        """The caller needs these inputs no more."""
        return self._with(overwritable=tuple(Overwritable(name, self._span("setOverwritable")) for name in inputs))

    def kind(self, dimensions: str, kind: str, variable: str | None = None, prefix: Sequence[int] = ()) -> "Mapped":
        numbers = tuple(int(d) for d in dimensions.split(","))
        setting = KindSetting(variable, tuple(prefix), numbers, KINDS[kind], self._span("setParallel"))
        return self._with(kinds=(*self.mapping.kinds, setting))

    def named(self, system: str) -> "Mapped":
        """The same under another name of the system, which is `S`."""
        return Mapped(self.text.replace("affine S ", f"affine {system} "), self.mapping)

    def distributed(
        self, dimension: int, ownership: str = "block", size: int = 0, prefix: Sequence[int] = ()
    ) -> "Mapped":
        span = self._span("setDistributed")
        entry = DistributedDimension(tuple(prefix), dimension, Ownership(ownership), size, span)
        return self._with(distribution=(*self.mapping.distribution, entry))

    def communication(self, way: str) -> "Mapped":
        return self._with(communication=(CommunicationChoice(Communication(way), self._span("setCommunication")),))

    def processors(self, *numbers: int) -> "Mapped":
        return self._with(processors=(ProcessorShape(numbers, self._span("setProcessors")),))

    def ghosts(self, variable: str, text: str, space: str | None = None, moduli: Sequence[Factor] = ()) -> "Mapped":
        function, span = self._function(text)
        entry = GhostMap(variable, space or f"{variable}_ghost", function, tuple(moduli), span)
        return Mapped(self.text, self.mapping.with_ghosts(entry), self.checked)

    def order(self, *names: str) -> "Mapped":
        pairs = (StatementOrder(a, b, self._span("setStatementOrdering")) for a, b in pairwise(names))
        return self._with(ordering=(*self.mapping.ordering, *pairs))

    def band(
        self,
        start: int,
        end: int,
        prefix: Sequence[int] = (),
        sizes: Sequence[int] = (),
        wavefront: bool | tuple[bool, ...] = False,
        recursive: bool = False,
    ) -> "Mapped":
        count = end - start + 1
        item = (tuple(sizes) or (None,) * count,)
        waves = ((wavefront,) * count if isinstance(wavefront, bool) else wavefront,)
        band = Band("band", tuple(prefix), start, end, item, waves, span=self._span("setTiling"))
        band = replace(band, recursive=frozenset({0} if recursive else ()))
        return self._with(tiling=(*self.mapping.tiling, band))

    def register(self, dimension: int, size: int, prefix: Sequence[int] = ()) -> "Mapped":
        tile = RegisterTile(tuple(prefix), dimension, size, self._span("setRegisterTile"))
        return self._with(registers=(*self.mapping.registers, tile))

    @staticmethod
    def _span(text: str) -> Span:
        return Span(Source("script.cs", text), 0, len(text))

    @property
    def system(self) -> str:
        return self.design.program.systems[0].name

    @property
    def design(self) -> Design:
        from_text = Design(self.checked)  # type: ignore[arg-type]
        return from_text.with_mapping(from_text.program.systems[0].name, self.mapping)

    def verified(self, **options: bool) -> DesignVerdict:
        return verify(self.design, [self.system], Options(**options))

    def report(self, **options: bool) -> SystemVerdict:
        return self.verified(**options).systems[0]

    def refuted(self, **options: bool) -> dict[str, list[str]]:
        """The witnesses of all refuted obligations, by rule code."""
        results: dict[str, list[str]] = {}
        for result in self.report(**options).results:
            if isinstance(result.verdict, Refuted):
                results.setdefault(result.rule.code, []).append(result.verdict.witness.sentence)
        return results

    def codes(self) -> list[str]:
        """The codes of all findings."""
        return [finding.rule.code for finding in self.report().findings]
