"""Scheduled C: the operations of a proved mapping in the order of their dates, in the cells of their memory maps.

{ (s, e) -> date(s, e) } is scanned; dimensions that are parallel become OpenMP loops.
"""

from collections.abc import Mapping, Sequence

from alphaz.analysis.depth import deep
from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.comments import promises, shape_text, usage
from alphaz.codegen.c.expressions import STATUS, parameter_values
from alphaz.codegen.c.frame import (
    EXTERNALS,
    allocation,
    checks,
    file_stem,
    header_file,
    interface,
    passed,
    reporting,
    source_file,
    stub_of_externals,
)
from alphaz.codegen.c.hoisting import said_once
from alphaz.codegen.c.names import Names, identifier
from alphaz.codegen.c.nest import loop_in_c, loops_in_c
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.axes import Layout, layout_of, ranks
from alphaz.codegen.scheduled.buffers import buffers_of, named
from alphaz.codegen.scheduled.calls import call_works, tables_of
from alphaz.codegen.scheduled.first_contribution import Firsts
from alphaz.codegen.scheduled.independence import Vectors
from alphaz.codegen.scheduled.index_set_splitting import in_pieces
from alphaz.codegen.scheduled.merges import Merging
from alphaz.codegen.scheduled.operations import Operations
from alphaz.codegen.scheduled.packing import Packing
from alphaz.codegen.scheduled.register_tiles import Boxes, boxes_of, whole, whole_tiles
from alphaz.codegen.scheduled.statements import Work, Works, works_of
from alphaz.codegen.scheduled.storage import Storage, storage_of
from alphaz.codegen.scheduled.unpeeling import started
from alphaz.codegen.scheduled.vectorisation import in_lanes
from alphaz.codegen.scheduled.vectors import definition
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.target import Target
from alphaz.loops.modes import Mode
from alphaz.loops.nonempty import Reached
from alphaz.loops.passes.parallelise import parallelised
from alphaz.loops.passes.vectorise import vectorised
from alphaz.loops.scanning import readable_scan, short_scan
from alphaz.loops.tiling import tiled_scan
from alphaz.loops.tree import For, Merge, Node, Pack, Scan, called
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.model.program import Program
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer
from alphaz.verify.verified import Verified

STATUS_PARAMETER = c.Parameter("int *", STATUS.name)


def scheduled_c(verified: Verified, system: str, *, plain: bool = False, target: Target = OPENMP) -> Sources:
    """`<system>.c` and `<system>.h`, and the same for the systems that it calls: scheduled where they have a mapping,
    else demand-driven. `plain`: only the loops and modes that the mapping asks for, nothing for speed.

    Raises Rejected (AZ307) for what cannot be generated.
    """
    found, waiting = Sources({}), [system]
    done: set[str] = set()
    with deep():
        while waiting:
            name = waiting.pop()
            if name in done:
                continue
            done.add(name)
            if name not in verified.mappings:
                found |= write_c(verified.design.checked, name)
                continue
            mapping = verified.mappings[name]
            waiting.extend(use.callee.name for use in mapping.uses)
            found |= _Generator(verified, mapping, plain, target).sources()
    return found


class _Generator:
    """Everything that one system needs while its code is written."""

    def __init__(self, verified: Verified, mapping: ResolvedMapping, plain: bool, target: Target) -> None:
        self.verified = verified
        self.plain = plain
        self.target = target
        self.program: Program = verified.design.program
        self.mapping = mapping
        self.system = mapping.system
        self.name = identifier(self.system.name)
        self.stem = file_stem(self.system.name)
        self.parameters = parameter_values(self.system.parameters)
        every = (*self.system.parameters, *(v.name for v in (*self.system.inputs, *self.system.outputs)))
        self.sizes = tuple(size.name for size in mapping.tile_sizes)
        own = {*self.sizes, self.name, f"{self.name}_status", *(e.name for e in self.program.externals)}
        self.names = Names(every, own)
        self.storage: Storage = storage_of(mapping, self.names, self.parameters)
        self.vectors: set[ScalarType] = set()
        self.callers = tuple(self.storage.callers.values())
        self.tables = tables_of(mapping, self.names, self.parameters)

    def sources(self) -> Sources:
        loops = self.loops_function()
        parameters = interface(self.system, self.callers, self.sizes)
        functions = (self.target.function(loops), self.status_function(loops), reporting(self.name, parameters))
        comment = usage(self.system, self.name, self.callers, self.mapping.tile_sizes)
        headers = [f"{file_stem(name)}.h" for name in dict.fromkeys(use.callee.name for use in self.mapping.uses)]
        headers = [header for header in headers if header != f"{self.stem}.h"]
        types = "\n".join(definition(t) for t in sorted(self.vectors, key=lambda t: t.name))
        text = source_file(self.stem, self.file_comment(), self.program, functions, types, headers, self.target.atomic)
        files = {f"{self.stem}.c": text, f"{self.stem}.h": header_file(self.name, comment, parameters)}
        stub = {EXTERNALS: stub_of_externals(self.program)} if self.program.externals else {}
        return Sources(files, stub)

    def file_comment(self) -> str:
        lines = [f"System {self.system.name}, scheduled."]
        if not self.verified.assumed:
            scope = self.verified.scopes.get(self.system.name, "")
            lines.append(f"The mapping is proved legal for all parameter values{scope and f', for {scope} only'}.")
        else:
            lines.append("ASSUMED LEGAL, not proved:")
            lines.extend(f"  {d.rule.code} {d.message}" for d in self.verified.assumed)
        if not self.target.threads:
            lines.append("For one thread: loops that are parallel run one iteration after the other.")
        lines.extend(promises(self.program, (self.system,)))
        if self.storage.allocated:
            lines.append("Allocated:")
        for array in self.storage.allocated:
            tenants = [name for name, place in self.storage.places.items() if place.array is array]
            lines.append(f"  {array.name}: {shape_text(array)}, holds {', '.join(tenants)}")
        return "\n".join(lines)

    @property
    def firsts(self) -> Firsts:
        return Firsts.of(self.mapping, self.verified.scopes.get(self.system.name, ""))

    # --- functions ----------------------------------------------------------------------------------------------

    def status_function(self, loops: c.Function) -> c.Function:
        """Checks, allocates, computes, frees: one way out once something is allocated."""
        parameters = interface(self.system, self.callers, self.sizes)
        body: list[c.Statement] = list(checks(self.system, self.callers, self.parameters, self.sizes))
        arguments = [c.Unary("&", a) if a == STATUS else a for a in passed(loops.parameters)]
        run = c.Evaluate(c.Call(loops.name, tuple(arguments)))
        if not self.storage.allocated and not self.tables:
            may_fail = STATUS_PARAMETER in loops.parameters
            declared = [c.Declare("int", STATUS.name, c.Literal("0"))] if may_fail else []
            body += [*declared, run, c.Return(STATUS if may_fail else c.Literal("0"))]
            return self._status(parameters, body)
        tables = tuple(self.tables.values())
        made = [*map(allocation, self.storage.allocated), *(table.declaration() for table in tables)]
        constants = (d for array in (*self.storage.allocated, *(t.array for t in tables)) for d in array.constants)
        used = c.names_used(made)
        body += [d for d in constants if d.name in used]
        body.append(c.Declare("int", STATUS.name, c.Literal("0")))
        body += made
        body.append(c.If(c.Binary("==", c.Name("status"), c.Literal("0")), (run,)))
        body += [table.release() for table in reversed(tables)]
        body += [c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in reversed(self.storage.allocated)]
        body.append(c.Return(c.Name("status")))
        return self._status(parameters, body)

    def _status(self, parameters: tuple[c.Parameter, ...], body: list[c.Statement]) -> c.Function:
        """Parameters that the program never uses are no warning of the compiler."""
        used = c.names_used(body)
        silent = [c.Evaluate(c.Cast("void", c.Name(p.name))) for p in parameters if p.name not in used]
        return c.Function("int", f"{self.name}_status", parameters, (*silent, *body))

    def loops_function(self) -> c.Function:
        """All that is computed; it gets only the parameters and arrays that it uses."""
        sizes = {name: mapping.tile_sizes for name, mapping in self.verified.mappings.items()}
        calls = call_works(self.mapping, self.storage, self.tables, sizes)
        works = works_of(self.mapping, self.storage, self.firsts, calls)
        body = said_once(self.body(works))
        used = c.names_used(body)
        tables = tuple(self.tables.values())
        every = (*self.storage.constants, *(d for table in tables for d in table.array.constants))
        constants = [d for d in every if d.name in used]
        used |= c.names_used(constants)
        numbers = [c.Parameter("int64_t", identifier(p)) for p in (*self.system.parameters, *self.sizes)]
        arrays = [*(array.parameter for array in self.storage.arrays), *(table.parameter for table in tables)]
        parameters = tuple(p for p in (*numbers, *arrays, STATUS_PARAMETER) if p.name in used)
        return c.Function("void", self.names.new(f"{self.name}_loops"), parameters, (*constants, *body), "static")

    def body(self, works: Works) -> tuple[c.Statement, ...]:
        parts = [
            *(self.copying(work) for work in works.first),
            self.nest(works.main),
            *(self.copying(work) for work in works.last),
        ]
        filled = [part for part in parts if part]
        if len(filled) > 1:
            filled = [(c.Block(p),) if any(isinstance(s, c.Declare) for s in p) else p for p in filled]
        return tuple(s for at, part in enumerate(filled) for s in ((c.Blank(), *part) if at else part))

    # --- loops --------------------------------------------------------------------------------------------------

    def copying(self, work: Work) -> tuple[c.Statement, ...]:
        """A nest of its own, in the order of the points."""
        names = self.names.copy()
        iterators = [names.new(identifier(n)) for n in work.domain.space.names]
        date = tuple(map(Affine.name, work.domain.space.names))
        tree = readable_scan([Scan(work.name, work.domain, date)], self.system.context, iterators)
        writer = self.operations(names)
        return loops_in_c(tree, self.parameters, lambda _, arguments: writer.operation(work, arguments))

    def nest(self, works: Sequence[Work]) -> tuple[c.Statement, ...]:
        """The loops of the mapping."""
        dated = {work.name: work.statement for work in works if work.statement is not None}
        names, tied = self.names.copy(), max((len(work.tie) for work in works), default=0)
        packed = {} if self.plain else named(self.mapping, names)
        layout = layout_of(self.mapping, dated, tied, names, packed)
        boxes = (
            {}
            if self.plain
            else boxes_of(self.mapping, works, {read for each in packed.values() for read in each.reads})
        )
        by_name = {work.name: work for work in (*works, *whole_tiles(works, boxes))}
        tree, starts = self.tree(self.scans(works, layout, boxes, tied), layout, by_name)
        by_name |= starts
        statements = {name: work.statement for name, work in by_name.items() if work.statement is not None}
        context = self.system.context

        def is_parallel(loop: For) -> bool:
            return all(layout.is_parallel(loop.iterator, statements[name]) for name in called(loop))

        buffers = buffers_of(self.mapping, packed, layout, self.parameters)
        padded = frozenset(s.name for name, s in statements.items() if (b := by_name[name].box) and b.mask is not None)
        packing = Packing(self.mapping, self.parameters, names, layout, buffers, padded)
        writer = self.operations(names, packing)

        def operation(name: str, arguments: tuple[Integer, ...]) -> tuple[c.Statement, ...]:
            return writer.operation(by_name[name], arguments)

        marked = packing.where_read(parallelised(tree, is_parallel), by_name)
        vectors = Vectors(self.mapping, layout, by_name)
        if not self.plain:
            marked = vectorised(marked, vectors.is_independent)
        reached = Reached.inside(marked, context)

        def special(node: For | Merge | Pack) -> tuple[c.Statement, ...] | None:
            def inner() -> tuple[c.Statement, ...]:
                return loops_in_c(node.body, self.parameters, operation, special)

            if isinstance(node, Pack):
                return (*packing.filled(node, by_name, writer.lowering(names)), *inner())
            if isinstance(node, Merge):
                return writer.merging.around(node, statements, writer.lowering(names), inner)

            def under(mode: Mode) -> tuple[c.Statement, ...]:
                return (loop_in_c(node, self.parameters, operation, special, lambda *_: mode),)

            shared = None
            if node.is_parallel:
                shared = writer.merging.parallel(node, statements, under) or packing.to_each_thread(node, under)
            if shared or self.plain:
                return shared
            return in_pieces(node, by_name, writer, reached, once) or once(node)

        def once(node: For) -> tuple[c.Statement, ...] | None:
            lanes = in_lanes(node, layout, by_name, writer, reached, vectors.is_strip)
            return lanes or writer.accumulating(node, layout, by_name, reached)

        return packing.provided(marked, lambda: loops_in_c(marked, self.parameters, operation, special))

    def tree(
        self, scans: Sequence[Scan], layout: Layout, by_name: Mapping[str, Work]
    ) -> tuple[Node, Mapping[str, Work]]:
        """The loops, and what stands in them besides the works given."""
        scanner = short_scan if self.plain else readable_scan
        context, iterators = self.system.context, layout.iterators
        tree = tiled_scan(scans, layout.levels, context, iterators, scanner, apart=not self.plain)
        if self.plain:
            return tree, {}
        return started(tree, self.mapping, by_name, {e.name: e for e in self.program.externals})

    def scans(self, works: Sequence[Work], layout: Layout, boxes: Boxes, tied: int) -> list[Scan]:
        """The works at their dates in the order of the loops, then by the statement ordering, then by their ties."""
        order, found = ranks(self.mapping), []
        for work in works:
            assert work.statement is not None
            outputs = work.statement.date.renamed(work.domain.space.names).outputs
            rank, more = Affine(constant=order[work.statement.name]), (Affine(),) * (tied - len(work.tie))
            date = (*(outputs[at] for at in layout.orders[work.statement.name]), rank, *work.tie, *more)
            found.append(Scan(work.name, work.domain, date, whole(work, boxes)))
        return found

    def operations(self, names: Names, packing: Packing | None = None) -> Operations:
        externals = {e.name: e for e in self.program.externals}
        merging = Merging(self.mapping, self.firsts, externals, self.parameters, names)
        return Operations(
            self.mapping,
            self.storage,
            externals,
            self.parameters,
            names,
            merging,
            packing,
            self.vectors,
            selecting=not self.plain,
        )
