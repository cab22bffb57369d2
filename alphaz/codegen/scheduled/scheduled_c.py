"""Scheduled C: the operations of a proved mapping in the order of their dates, in the cells of their memory maps.

The relation { (s, e) -> date(s, e) } is scanned; parallel dimensions become OpenMP loops.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from alphaz.analysis.depth import deep
from alphaz.c import tree as c
from alphaz.c.printer import function_text
from alphaz.codegen.c.arrays import FlatArray, stored_array
from alphaz.codegen.c.comments import begins_with_zero, promises, shape_text, usage
from alphaz.codegen.c.expressions import STATUS, parameter_values
from alphaz.codegen.c.frame import (
    allocation,
    as_arguments,
    checks,
    file_stem,
    interface,
    reporting,
    stub_of_externals,
)
from alphaz.codegen.c.helpers import with_runtime
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import loops_in_c, reached_instances
from alphaz.codegen.c.readable_c import Hoist, ShortenNames
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.copy_functions import MovedPoints
from alphaz.codegen.scheduled.emit.instances import Instances
from alphaz.codegen.scheduled.emit.merges import Merging
from alphaz.codegen.scheduled.emit.packing import PackingPlan
from alphaz.codegen.scheduled.emit.vectors import vector_types
from alphaz.codegen.scheduled.emit.walk import Emission
from alphaz.codegen.scheduled.expressible import (
    check_loops,
    check_mapping,
    check_packed_values,
    check_private_memory,
    not_launched,
    unvectorised_warnings,
)
from alphaz.codegen.scheduled.length import LEFT_OUT, LONGEST, PATIENCE, is_hopeless, statements_in, too_long, too_slow
from alphaz.codegen.scheduled.loop_levels import LoopNames, layout_of, ranks, rows_in_vectors
from alphaz.codegen.scheduled.loop_nest import LoopNest, obstacles
from alphaz.codegen.scheduled.memory.buffers import buffer_names, buffers_of
from alphaz.codegen.scheduled.memory.storage import Storage, StoragePlace, storage_of
from alphaz.codegen.scheduled.passes.innermost_loops import ScalarReplace, SplitIndexSets, VectorDimensions
from alphaz.codegen.scheduled.passes.triangles import Triangles
from alphaz.codegen.scheduled.passes.unpeel import Unpeel
from alphaz.codegen.scheduled.pipeline import ALL, OF_C, Pipeline
from alphaz.codegen.scheduled.rank_combined_values import combined_values
from alphaz.codegen.scheduled.ranks import rank_mapping
from alphaz.codegen.scheduled.statements.final_value_buffers import final_copies
from alphaz.codegen.scheduled.statements.independence import (
    IndependenceOracle,
    OracleQuery,
    VectorLoops,
)
from alphaz.codegen.scheduled.statements.iteration_groups import GuardedReductions
from alphaz.codegen.scheduled.statements.register_tiles import Boxes, boxes_of, rows_agree, whole_of, whole_tiles
from alphaz.codegen.scheduled.statements.statement_templates import (
    FirstContributions,
    StatementTemplate,
    StatementTemplates,
    actions_of,
    needed_operations,
    start_of,
)
from alphaz.codegen.scheduled.statements.use_equation_calls import call_actions, tables_of
from alphaz.codegen.sources import EXTERNALS, Sources
from alphaz.codegen.targets.loop_program import LoopProgram
from alphaz.codegen.targets.rank_program import CommonMessage, ExchangedArray, RankProgram
from alphaz.codegen.targets.registry import target_of
from alphaz.codegen.targets.target import Target
from alphaz.diagnostics import Diagnostic, Rejected, Span
from alphaz.legality.obligations.rank_communication import ranks_of
from alphaz.legality.verdicts import Verified
from alphaz.loops.loop_text import text_of
from alphaz.loops.modes import Blocks, Vector
from alphaz.loops.passes.interchange import Interchange
from alphaz.loops.passes.launches import Unlaunchable
from alphaz.loops.passes.private_arrays import PlaceArrays
from alphaz.loops.passes.scan import FULL_TILES, PACK, REGISTER_TILES, SEPARATE, Pass, ScanDates
from alphaz.loops.passes.simplify import Fold, Guards
from alphaz.loops.passes.vectorise import Vectorise
from alphaz.loops.scanning import TimeBudget, readable_scan
from alphaz.loops.tree import Dates, Node, Scan
from alphaz.machine import Machine
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.mapping.target_mapping import DEFAULT_TARGET, Ownership
from alphaz.model.program import Kind, Program, Variable
from alphaz.order.operation_table import operations
from alphaz.poly import Affine, Constraint, Domain, at_least
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.integer_expression import as_affine
from alphaz.proof import Obligation

STATUS_PARAMETER = c.Parameter(c.Pointer(c.INT), STATUS.name)


def scheduled_c(
    verified: Verified,
    system: str,
    *,
    pipeline: Pipeline = ALL,
    target: Target | None = None,
    machine: Machine | None = None,
) -> Sources:
    """Returns `<system>.c` and `<system>.h`, and the same for the systems that it calls: scheduled where they have a
    mapping, else demand-driven. `pipeline`: the passes to run; without a `target`, that of the mapping.

    Raises Rejected (AZ307) for systems that cannot be generated.
    """
    chosen = _target(verified, system, target, machine)
    sources, waiting = Sources({}), [system]
    done: set[str] = set()
    with deep():
        while waiting:
            name = waiting.pop()
            if name in done:
                continue
            done.add(name)
            if name not in verified.mappings:
                sources |= write_c(verified.design.checked, name)
                continue
            mapping = needed_operations(verified.mappings[name])
            waiting.extend(use.callee.name for use in mapping.uses)
            if mapping.distribution is not None and chosen.distribute is not None:
                made = chosen.distribute(_rank_program(verified, mapping, pipeline, chosen))
                sources |= replace(made, if_absent=_stub(verified.design.program))
                continue
            made = _Generator(verified, mapping, pipeline, chosen).sources()
            sources |= made if name == system else replace(made, layouts={}, overwritten=frozenset(), in_place=())
    return replace(with_runtime(sources), toolchain=chosen.toolchain, harness=chosen.harness)


def _stub(program: Program) -> dict[str, str]:
    return {EXTERNALS: stub_of_externals(program)} if program.externals else {}


def _rank_program(verified: Verified, mapping: ResolvedMapping, pipeline: Pipeline, target: Target) -> RankProgram:
    """Returns the parts of a distributed system."""
    ranks = rank_mapping(verified, mapping.system.name)
    generator = _Generator(ranks.verified, ranks.mapping, pipeline, target, ranks.storage, ranks.table.mapping)
    # That of the proof: operations that no output needs take part in the choice.
    communication = ranks_of(operations(verified.mappings[mapping.system.name]))
    system, storage = mapping.system, generator.storage
    assert communication is not None
    parameters, names = parameter_values(system.parameters), generator.names
    whole = {
        v.name: stored_array(v, identifier(v.name), system.context, parameters, is_constant=v.kind is Kind.INPUT)
        for v in (*system.inputs, *system.outputs)
    }
    loops, totals = generator.loops_function(), None
    if ranks.scans:
        of_totals = _Generator(ranks.verified, ranks.totals, pipeline, target, lambda _: storage, ranks.table.mapping)
        totals = replace(of_totals.loops_function(), name=names.new(f"{generator.name}_totals"))
    exchanged = []
    for variable in (*ranks.system.inputs, *ranks.system.outputs):
        points, block = ranks.exchanged(variable), storage.callers[variable.name]
        sides = (("whole", StoragePlace(whole[variable.name])), ("block", storage.places[variable.name].own))
        one, other = (
            ranks.mover.moving(
                f"{generator.name}_{side}_{block.name}_points", [MovedPoints(variable, points, place)], names
            )
            for side, place in sides
        )
        is_input = variable.kind is Kind.INPUT
        exchanged.append(
            ExchangedArray(
                name=block.name,
                whole=whole[variable.name],
                block=block,
                is_input=is_input,
                of_whole=one,
                of_block=other,
                is_by_parts=ranks.is_by_parts(variable),
                on_all=ranks.is_combined(variable),
            )
        )
    step_call = names.new(f"{generator.name}_visit")
    common: tuple[CommonMessage, ...] = ()
    if not communication.is_pipeline and ranks.border is None:
        common = ranks.common(generator.name, storage, names)
    callers = tuple(whole.values())
    return RankProgram(
        name=generator.name,
        system=system.name,
        stem=generator.stem,
        program=verified.design.program,
        comment=generator.file_comment(loops),
        parameters=(*system.parameters, *generator.sizes),
        names=ranks.names,
        is_pipeline=communication.is_pipeline and not ranks.scans,
        block=ranks.block,
        places=ranks.places(),
        shape=ranks.distribution.shape,
        border=ranks.border,
        is_given=ranks.distribution.ownership is Ownership.GIVEN,
        checks=checks(system, callers, parameters, generator.sizes),
        loops=loops,
        totals=totals,
        message=ranks.message(f"{generator.name}_message", storage, names),
        common=common,
        combined=combined_values(ranks, generator.name, storage, names),
        exchanged=tuple(exchanged),
        local=storage.allocated,
        steps=ranks.step_loops(step_call, names.copy()),
        step_call=step_call,
        interface=interface(system, callers, generator.sizes),
        usage=usage(system, generator.name, callers, generator.mapping.tile_sizes),
        types="\n".join(vector.definition for vector in vector_types(loops.body or (), target.vectors)),
        owners=ranks.owners,
    )


def _target(verified: Verified, system: str, target: Target | None, machine: Machine | None) -> Target:
    """Returns the given target, else that of the mapping, for the machine."""
    mapping = verified.mappings.get(system)
    chosen = target or target_of(mapping.target if mapping else DEFAULT_TARGET)
    chosen = chosen.of_architecture(mapping.architecture if mapping else "")
    return chosen if machine is None else chosen.on(machine)


def tree_text(
    verified: Verified, system: str, pipeline: Pipeline, *, target: Target | None = None, machine: Machine | None = None
) -> str:
    """Returns the loops of the system's mapping after the last of these passes, as text; after a pass over C, the C
    text.
    """
    with deep():
        chosen = _target(verified, system, target, machine)
        generator = _Generator(verified, verified.mappings[system], pipeline, chosen)
        if any(pass_.name == pipeline.until for pass_ in OF_C):
            return function_text(generator.loops_function()) + "\n"
        nest = generator.nest_of(generator.actions().main)
        return text_of(nest.tree, nest.comments)


@dataclass(frozen=True, slots=True)
class Explained:
    """The obligations that passes put to the engine beyond the mapping, with results; and the innermost loops that are
    not vectorised after them, with reasons.
    """

    answers: tuple[tuple[Obligation, bool], ...]
    obstacles: tuple[str, ...]


def explained(
    verified: Verified, system: str, pipeline: Pipeline, *, target: Target | None = None, machine: Machine | None = None
) -> Explained:
    """Returns this information about the loops of the system's mapping."""
    with deep():
        chosen = _target(verified, system, target, machine)
        generator = _Generator(verified, verified.mappings[system], pipeline, chosen)
        nest = generator.nest_of(generator.actions().main)
        asked = nest.writer.effects.asked
        answers = tuple(asked.answers)
        vectors = VectorLoops(generator.mapping, nest.layout, nest.actions, asked)
        return Explained(answers, tuple(obstacles(nest, vectors)) if pipeline.has(Vectorise.name) else ())


class _Generator:
    """The state of the generator for one system. `whole`: its mapping with all operations, if the code has a part."""

    def __init__(
        self,
        verified: Verified,
        mapping: ResolvedMapping,
        pipeline: Pipeline,
        target: Target,
        storage: Callable[[Identifiers], Storage] | None = None,
        whole: ResolvedMapping | None = None,
    ) -> None:
        self.verified = verified
        self.pipeline = replace(pipeline, without=pipeline.without | target.without)
        self.target = target
        self.program: Program = verified.design.program
        self.mapping = mapping = needed_operations(mapping) if whole is None else mapping
        self.whole = whole or mapping
        self.system = mapping.system
        self.name = identifier(self.system.name)
        self.stem = file_stem(self.system.name)
        self.parameters = parameter_values(self.system.parameters)
        every = (*self.system.parameters, *(v.name for v in (*self.system.inputs, *self.system.outputs)))
        self.sizes = tuple(size.name for size in mapping.tile_sizes)
        own = {*self.sizes, self.name, f"{self.name}_status", *(e.name for e in self.program.externals)}
        self.names = Identifiers(every, own)
        self.storage = storage_of(mapping, self.names, self.parameters) if storage is None else storage(self.names)
        self.callers = tuple(self.storage.callers.values())
        self.tables = tables_of(mapping, self.names, self.parameters)
        self.findings: tuple[Diagnostic, ...] = ()
        self.packed_at: dict[str, Span] = {}
        self.asked = OracleQuery()

    def sources(self) -> Sources:
        passed = {name: self.mapping.layouts[name] for name in self.storage.callers if name in self.mapping.layouts}
        return replace(
            self.target.lower(self.loop_program()),
            if_absent=_stub(self.program),
            findings=self.findings,
            layouts=passed,
            overwritten=frozenset(v.name for v in self.storage.overwritten),
            in_place=self.in_place,
        )

    def loop_program(self) -> LoopProgram:
        """Returns the C of the system."""
        loops, parameters = self.loops_function(), interface(self.system, self.callers, self.sizes)
        headers = (f"{file_stem(name)}.h" for name in dict.fromkeys(use.callee.name for use in self.mapping.uses))
        vectors = vector_types(loops.body or (), self.target.vectors)
        return LoopProgram(
            name=self.name,
            stem=self.stem,
            program=self.program,
            system=self.system,
            comment=self.file_comment(loops),
            usage="\n".join([*self.assumed_lines(), self.usage()]),
            interface=parameters,
            loops=loops,
            entries=(self.status_function(loops), reporting(self.name, parameters)),
            types="\n".join(vector.definition for vector in vectors),
            headers=tuple(header for header in headers if header != f"{self.stem}.h"),
            checks=checks(self.system, self.callers, self.parameters, self.sizes, self.storage.limit),
            callers=self.callers,
            allocated=self.storage.allocated,
            outputs=frozenset(self.storage.callers[v.name].name for v in self.system.outputs),
            partial=frozenset(self.storage.callers[v.name].name for v in self.system.outputs if not self.fills(v)),
            commands={**self.packed_at, **self.private_at},
        )

    @property
    def private_at(self) -> dict[str, Span]:
        """Returns the places of the commands that give iterations memory of their own, by the names of its arrays."""
        spans = {cell.space: cell.span for cell in self.mapping.cells.values() if cell.outer}
        return {array.name: spans[space] for space, array in self.storage.private.items() if space in spans}

    def usage(self) -> str:
        return usage(self.system, self.name, self.callers, self.mapping.tile_sizes, tuple(self.lent), self.in_place)

    def assumed_lines(self) -> list[str]:
        """Returns the lines about obligations that are not proved; none where all are."""
        assumed = self.verified.assumed
        return ["ASSUMED LEGAL, not proved:", *(f"  {d.rule.code} {d.message}" for d in assumed)] if assumed else []

    def fills(self, output: Variable) -> bool:
        """Returns True if every element of the caller's array has a value of the output."""
        domain, context = output.domain, self.system.context
        if output.name in self.mapping.layouts:
            return False
        box = bounding_box(domain, context)
        lower, upper = ([as_affine(side) for side in sides] for sides in (box.lower, box.upper))
        names = map(Affine.name, domain.space.names)
        inside: list[Constraint] = []
        for name, low, high in zip(names, lower, upper, strict=True):
            if low is None or high is None:
                return False
            inside += (at_least(name - low, 0), at_least(high - name, 0))
        return Domain.where(domain.space, inside).in_context(context).is_subset(domain)

    def file_comment(self, loops: c.Function) -> str:
        lines = [f"System {self.system.name}, scheduled."]
        if not self.verified.assumed:
            scope = self.verified.scopes.get(self.system.name, "")
            lines.append(f"The mapping is proved legal for all parameter values{scope and f', for {scope} only'}.")
        lines.extend(self.assumed_lines())
        if not self.target.has_threads:
            lines.append("For one thread: loops that are parallel run one iteration after the other.")
        lines.extend(promises(self.program, (self.system,)))
        if begins_with_zero(loops.body or ()):
            lines.append("`0 + x` makes 0.0 of -0.0, as a sum does that begins with its identity.")
        if self.storage.allocated or self.storage.private:
            lines.append("Allocated:")
        for array in self.storage.allocated:
            lines.append(f"  {array.name}: {shape_text(array)}, holds {', '.join(self.occupants(array))}")
        for array in self.storage.private.values():
            lines.append(
                f"  {array.name}: {shape_text(array)} in each iteration, holds {', '.join(self.occupants(array))}"
            )
        if self.lent:
            lines.append("Overwritten, since the caller does not need them after the call:")
        for name, others in self.lent.items():
            lines.append(f"  {name}: holds {', '.join(others)} as well")
        return "\n".join(lines)

    def occupants(self, array: FlatArray) -> list[str]:
        places = self.storage.places.items()
        return [name for name, place in places if array in (place.array, place.ghost and place.ghost.array)]

    @property
    def in_place(self) -> tuple[tuple[str, str], ...]:
        return tuple((one.name, other.name) for one, other in self.storage.in_place)

    @property
    def lent(self) -> dict[str, list[str]]:
        """Returns inputs that are overwritten, and the other variables in their arrays."""
        callers = {v.name: self.storage.callers[v.name] for v in self.storage.overwritten}
        return {
            name: [occupant for occupant in self.occupants(array) if occupant != name]
            for name, array in callers.items()
        }

    @property
    def first_contributions(self) -> FirstContributions:
        return FirstContributions(self.whole, self.verified.scopes.get(self.system.name, ""))

    # --- functions ----------------------------------------------------------------------------------------------

    def status_function(self, loops: c.Function) -> c.Function:
        """Returns the function that checks, allocates, computes and frees, with a single exit once memory
        is allocated.
        """
        parameters = interface(self.system, self.callers, self.sizes)
        body: list[c.Statement] = list(
            checks(self.system, self.callers, self.parameters, self.sizes, self.storage.limit)
        )
        arguments = [c.Unary("&", a) if a == STATUS else a for a in as_arguments(loops.parameters)]
        run = c.Evaluate(c.Call(loops.name, tuple(arguments)))
        if not self.storage.allocated and not self.tables:
            may_fail = STATUS_PARAMETER in loops.parameters
            declared = [c.Declare(c.INT, STATUS.name, c.ZERO)] if may_fail else []
            body += [*declared, run, c.Return(STATUS if may_fail else c.ZERO)]
            return self._status(parameters, body)
        tables = tuple(self.tables.values())
        made = [*map(allocation, self.storage.allocated), *(table.declaration() for table in tables)]
        constants = (d for array in (*self.storage.allocated, *(t.array for t in tables)) for d in array.constants)
        used = c.names_used(made)
        body += [d for d in constants if d.name in used]
        body.append(c.Declare(c.INT, STATUS.name, c.ZERO))
        body += made
        body.append(c.If(c.Binary("==", c.Name("status"), c.ZERO), (run,)))
        body += [table.release() for table in reversed(tables)]
        body += [c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in reversed(self.storage.allocated)]
        body.append(c.Return(c.Name("status")))
        return self._status(parameters, body)

    def _status(self, parameters: tuple[c.Parameter, ...], body: list[c.Statement]) -> c.Function:
        """Returns the function; parameters that the program never uses cause no compiler warning."""
        used = c.names_used(body)
        silent = [c.Evaluate(c.Cast(c.VOID, c.Name(p.name))) for p in parameters if p.name not in used]
        return c.Function(c.INT, f"{self.name}_status", parameters, (*silent, *body))

    def loops_function(self) -> c.Function:
        """Returns the function with the whole computation; its parameters are only the parameters and arrays that it
        uses.
        """
        made = self.body(self.actions())
        around = self.names.taken - {array.name for array in self.storage.private.values()}
        body = self.pipeline.run((Hoist(), ShortenNames(around)), made)
        used = c.names_used(body)
        tables = tuple(self.tables.values())
        every = (*self.storage.constants, *(d for table in tables for d in table.array.constants))
        constants = [d for d in every if d.name in used]
        used |= c.names_used(constants)
        numbers = [c.Parameter(c.INT64, identifier(p)) for p in (*self.system.parameters, *self.sizes)]
        arrays = [*(array.parameter for array in self.storage.arrays), *(table.parameter for table in tables)]
        parameters = tuple(p for p in (*numbers, *arrays, STATUS_PARAMETER) if p.name in used)
        return c.Function(c.VOID, self.names.new(f"{self.name}_loops"), parameters, (*constants, *body), "static")

    def actions(self) -> StatementTemplates:
        sizes = {name: mapping.tile_sizes for name, mapping in self.verified.mappings.items()}
        calls = call_actions(self.mapping, self.storage, self.tables, sizes)
        templates = actions_of(self.mapping, self.storage, self.first_contributions, self.asked.nothing, calls)
        # A step of a rank has no other results to initialise: every value has a place (D0).
        return templates if self.mapping.distribution is None else replace(templates, first=())

    def body(self, actions: StatementTemplates) -> tuple[c.Statement, ...]:
        parts = [
            *(self.copying(action) for action in actions.first),
            self.nest(actions.main),
            *(self.copying(action) for action in actions.last),
        ]
        filled = [part for part in parts if part]
        if len(filled) > 1:
            filled = [(c.Block(p),) if any(isinstance(s, c.Declare) for s in p) else p for p in filled]
        return tuple(s for position, part in enumerate(filled) for s in ((c.Blank(), *part) if position else part))

    # --- loops --------------------------------------------------------------------------------------------------

    def copying(self, action: StatementTemplate) -> tuple[c.Statement, ...]:
        """Returns a nest of its own, in the order of the points."""
        names = self.names.copy()
        iterators = [names.new(identifier(n)) for n in action.domain.space.names]
        date = tuple(map(Affine.name, action.domain.space.names))
        tree = readable_scan([Scan(action.name, action.domain, date)], self.system.context, iterators)
        writer = self.operations(names)
        copies = {
            call: writer.operation(action, arguments) for call, arguments in reached_instances(tree, self.parameters)
        }
        tree = tree if self.target.copies is None else self.target.copies(tree)
        return loops_in_c(tree, self.parameters, copies, self.target.forms)

    def nest(self, actions: Sequence[StatementTemplate]) -> tuple[c.Statement, ...]:
        """Returns the loops of the mapping."""
        nest = self.nest_of(actions)
        self.packed_at = {name: buffer.packed.span for name, buffer in nest.packing.buffers.items()}
        emission = Emission(
            actions=nest.actions,
            layout=nest.layout,
            names=nest.names,
            parameters=self.parameters,
            instances=nest.writer,
            packing=nest.packing,
        )
        return emission.written(nest.tree)

    def nest_of(self, actions: Sequence[StatementTemplate]) -> LoopNest:
        """Returns its loops; where these would be too long, without passes that copy them."""
        check_mapping(self.mapping, self.target)
        try:
            return self._short_nest(actions)
        except Unlaunchable as problem:
            raise Rejected(not_launched(self.mapping, str(problem))) from None

    def _short_nest(self, actions: Sequence[StatementTemplate]) -> LoopNest:
        patience = TimeBudget(PATIENCE if self.pipeline.until is None else inf)
        nest = self._nest(actions, self.pipeline, patience)
        if patience.is_lost:
            self.findings = (too_slow(self.mapping),)
        longest = self._length(nest)
        for without in LEFT_OUT:
            if self.pipeline.until is not None or self._length(nest) <= LONGEST:
                break
            self.findings = (too_long(self.mapping, longest, without),)
            pipeline = Pipeline(self.pipeline.without | without)
            nest = self._nest(actions, pipeline, patience, is_last=without is LEFT_OUT[-1])
        check_loops(nest.tree, self.mapping, self.target)
        check_packed_values(nest.tree, nest.packing.buffers)
        check_private_memory(nest.tree, self.mapping, self.storage)
        if Vector in self.target.modes and self.pipeline.has(VectorDimensions.name) and not self.findings:
            self.findings = tuple(unvectorised_warnings(self.mapping, nest.tree, nest.actions))
        return nest

    def _length(self, nest: LoopNest) -> int:
        return statements_in(nest.tree, nest.actions, self.system, self.target.vectors)

    def _nest(
        self, actions: Sequence[StatementTemplate], pipeline: Pipeline, patience: TimeBudget, *, is_last: bool = False
    ) -> LoopNest:
        """Returns its loops; passes end where the loops are far too long, except in the last attempt."""
        dated = {action.name: action.statement for action in actions if action.statement is not None}
        names, tied = self.names.copy(), max((len(action.tie) for action in actions), default=0)
        options = pipeline.scan_options(patience.is_over)
        packed = buffer_names(self.mapping, names) if PACK in options else {}
        asked = OracleQuery([*self.asked.answers])
        of_blocks = c.AddressSpace.SHARED in self.target.spaces
        final = None if of_blocks else final_copies(self.mapping, packed, asked)
        resized = frozenset[str]()
        if final is None:
            packed = {name: copy for name, copy in packed.items() if not copy.is_final}
        else:
            actions = tuple(final.versions(actions))
            is_for_all_sizes = not self.verified.scopes.get(self.system.name, "")
            resized = final.resized(actions) if is_for_all_sizes else resized
            dated = {action.name: action.statement for action in actions if action.statement is not None}
        apart: frozenset[str] = frozenset()
        if any(rows_in_vectors(self.mapping, statement) for statement in dated.values()):
            trial = layout_of(self.mapping, dated, tied, names.copy(), packed, resized=resized)
            apart = frozenset(_tiles_apart(VectorLoops(self.mapping, trial, {a.name: a for a in actions}, asked)))
        layout = layout_of(self.mapping, dated, tied, names, packed, apart, resized)
        if final is not None:
            layout = final.placed(self.mapping, layout)
        reads = {read for copy in packed.values() for read in copy.reads}
        boxes = boxes_of(self.mapping, actions, asked, reads, resized) if REGISTER_TILES in options else {}
        every = (*actions, *whole_tiles(actions, boxes))
        starts = [start_of(self.mapping, action) for action in actions if action.assigns]
        by_name = {action.name: action for action in (*every, *starts)}
        buffers = buffers_of(
            self.mapping, packed, layout, self.parameters, of_blocks=of_blocks, first=final.first if final else {}
        )
        padded = frozenset(s.name for w in every if (s := w.statement) and w.box and w.box.mask is not None)
        packing = PackingPlan(
            mapping=self.mapping,
            parameters=self.parameters,
            names=names,
            layout=layout,
            buffers=buffers,
            forms=self.target.forms,
            padded=padded,
            of_blocks=of_blocks,
        )
        writer = self.operations(names, packing, pipeline, asked)
        first = Dates(
            scans=tuple(self.scans(actions, layout, tied, boxes)),
            levels=layout.levels,
            full_tiles=FULL_TILES in options,
            apart=SEPARATE in options,
        )
        nest = LoopNest(actions=by_name, layout=layout, names=names, writer=writer, packing=packing, tree=first)
        passes = tuple(self.passes(nest, patience))
        if is_last or pipeline.until is not None:
            return replace(nest, tree=pipeline.run(passes, nest.tree, is_late=patience.is_over))
        ends = partial(is_hopeless, actions=nest.actions, system=self.system, longest=self.target.vectors)
        return replace(nest, tree=pipeline.run(passes, nest.tree, ends, patience.is_over))

    def passes(self, nest: LoopNest, patience: TimeBudget) -> Iterator[Pass[Node]]:
        """Yields all passes, with their options for this nest."""
        context, layout, actions = self.system.context, nest.layout, nest.actions
        vectors = VectorLoops(self.mapping, layout, actions, nest.writer.effects.asked)
        yield ScanDates(
            context=context, iterators=layout.iterators, reads=nest.reads, never=nest.never, joint=nest.joint,
            patience=patience,
        )  # fmt: skip
        yield Unpeel(self.mapping, actions, {e.name: e for e in self.program.externals}, nest.runs)
        yield from self.target.passes(nest)
        yield PlaceArrays(nest.private_arrays(), Blocks in self.target.modes)
        if Vector in self.target.modes:
            yield Interchange(nest.is_in_registers, vectors.is_independent)
            yield Vectorise(vectors.is_independent, nest.may_fail, nest.lanes)
        asked = nest.writer.effects.asked
        yield SplitIndexSets(
            mapping=self.mapping,
            actions=actions,
            guarded_of=nest.writer.guarded.of,
            hold=asked.all_hold,
            nothing=asked.nothing,
        )
        scalar = ScalarReplace(layout, actions, nest.writer.effects, nest.in_one)
        if Vector in self.target.modes:
            yield VectorDimensions(
                layout=layout,
                actions=actions,
                is_independent=vectors.is_strip,
                scalar=scalar,
                new_name=nest.new_name,
                fits=nest.fits_vectors,
                collects=nest.accumulators,
                answering=nest.answering,
            )
        yield scalar
        if Vector in self.target.modes:
            yield Triangles(
                context=context, actions=actions, effects=nest.writer.effects, adds=scalar.adds, fits=nest.fits_triangle
            )
        yield Guards(context, nest.runs)
        yield Fold(context)

    def scans(self, actions: Sequence[StatementTemplate], layout: LoopNames, tied: int, boxes: Boxes) -> Iterator[Scan]:
        """Yields the actions at their dates in the order of the loops, then by the statement ordering, then by their
        ties; with their register tiles.
        """
        order = ranks(self.mapping)
        for action in actions:
            assert action.statement is not None
            outputs = action.statement.date.renamed(action.domain.space.names).outputs
            rank, more = Affine(constant=order[action.statement.name]), (Affine(),) * (tied - len(action.tie))
            date = (*(outputs[at] for at in layout.orders[action.statement.name]), rank, *action.tie, *more)
            yield Scan(action.name, action.domain, date, whole_of(action, boxes))

    def operations(
        self,
        names: Identifiers,
        packing: PackingPlan | None = None,
        pipeline: Pipeline | None = None,
        asked: OracleQuery | None = None,
    ) -> Instances:
        externals = {e.name: e for e in self.program.externals}
        merging = Merging(
            mapping=self.mapping,
            first_contributions=self.first_contributions,
            externals=externals,
            parameters=self.parameters,
            names=names,
            at=names.new("at"),
        )
        return Instances(
            mapping=self.mapping,
            storage=self.storage,
            externals=externals,
            parameters=self.parameters,
            names=names,
            merging=merging,
            effects=IndependenceOracle(self.mapping, asked or OracleQuery()),
            packing=packing,
            target=self.target,
            guarded=GuardedReductions(
                self.mapping.facts, self.system.context, (pipeline or self.pipeline).has(SplitIndexSets.name)
            ),
        )


def _tiles_apart(vectors: VectorLoops) -> Iterator[str]:
    """Yields the statements whose iterations along a vector dimension around a register tile are independent in a tile
    only, or are not those of all of its rows.
    """
    for action in vectors.actions.values():
        statement = action.statement
        if statement is not None and statement.role is Role.BODY and not action.assigns:
            rows = rows_in_vectors(vectors.mapping, statement)
            if not all(vectors.is_strip_alone(action, at) and rows_agree(vectors.mapping, action, at) for at in rows):
                yield statement.name
