"""WriteC: a program as C that needs no schedule: values are computed on demand and stored.

The functions of a system come from `evaluation`, those of its calls from `calls`, and the loop that serves requests
from `text`; this module adds the memory of a run and the entry points. Every variable has a cell for each of its
points, for all memory maps: no value is ever overwritten. A value that is requested while it is being computed depends
on itself: status 4, and its point is named on stderr.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.c import tree as c
from alphaz.c.printer import WIDTH, declaration, fitting
from alphaz.codegen.c.arrays import FlatArray, allocate, array_over, stored_array
from alphaz.codegen.c.comments import promises, usage
from alphaz.codegen.c.expressions import STATUS, parameter_values
from alphaz.codegen.c.frame import (
    checks,
    file_stem,
    header_file,
    interface,
    reporting,
    source_file,
    stub_of_externals,
)
from alphaz.codegen.c.helpers import with_runtime
from alphaz.codegen.c.integers import integer
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.c.readable_c import INDEX, in_a_row
from alphaz.codegen.demand.calls import (
    DemandCall,
    called_systems,
    given_input,
    has_points,
    instance,
    is_called,
    output,
    place_of,
    start,
)
from alphaz.codegen.demand.evaluation import INSTANCE, MEMORY, SELF, Demand, fetched_status, offset
from alphaz.codegen.demand.text import ALL_FINAL, CALLER, CALLS, EVALUATE, RELEASE, REQUEST, START, STATES, WANT
from alphaz.codegen.sources import EXTERNALS, Sources
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import UNBOUNDED
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.model.interpreter.externals import not_executable
from alphaz.model.program import Equation, Kind, System, UseEquation, Variable
from alphaz.model.types import LONG
from alphaz.poly import Affine, Unbounded
from alphaz.poly.plain.integer_expression import IntegerConstant

Cases = list[tuple[c.Expression | None, tuple[c.Statement, ...]]]


def write_c(checked: Checked, system: str, name: str | None = None) -> Sources:
    """Returns `<name>.c` and `<name>.h` with the functions `<name>` and `<name>_status`; the default name is the
    system's.

    The systems that it calls are in the same file. Raises Rejected: AZ307 when a variable has infinitely many points,
    AZ805 for a `while` system.
    """
    with deep():
        return _Writer(checked, checked.program.system(system), name or system).sources()


class _Writer:
    """The state of the generator for a system and the systems that it calls."""

    def __init__(self, checked: Checked, root: System, name: str) -> None:
        self.program = checked.program
        self.root = root
        self.name = identifier(name)
        self.stem = file_stem(name)
        self.systems = called_systems(root, {s.name: s for s in self.program.systems})
        for system in self.systems:
            if system.loop is not None:
                raise Rejected(not_executable(system))
        equations = [
            (s, e) for s in self.systems for e in s.equations if isinstance(e, UseEquation) and is_called(s, e)
        ]
        self.called = frozenset(e.system for _, e in equations)
        every = [n for s in self.systems for n in (*s.parameters, *(v.name for v in s.variables))]
        own = {name, f"{name}_status", *(e.name for e in self.program.externals)}
        self.names = Identifiers(every, own)
        tables: dict[str, list[FlatArray]] = {s.name: [] for s in self.systems}
        for system, equation in equations:
            tables[system.name].append(self._table(system, equation))
        self.places: dict[tuple[str, str], c.Function] = {}
        self.demands = {s.name: self._demand(checked, s, tables[s.name]) for s in self.systems}
        self.uses = tuple(self._use(number, *both, tables) for number, both in enumerate(equations))
        computed = [(d.system, d.system.variable(v)) for d in self.demands.values() for v in d.numbers]
        # A variable without points has a cell, which is never requested.
        self.tries = {
            (s.name, v.name): self.names.new(f"compute_{identifier(v.name)}") for s, v in computed if has_points(s, v)
        }

    def _demand(self, checked: Checked, system: System, tables: Sequence[FlatArray]) -> Demand:
        prefix = "" if len(self.systems) == 1 else f"{identifier(system.name)}_"
        arrays = {v.name: self._array(system, v) for v in system.variables}
        computed = [v for v in system.variables if v.kind is not Kind.INPUT or system.name in self.called]
        numbers = {v.name: self.names.new(f"cell_{prefix}{identifier(v.name)}") for v in computed}
        externals = {e.name: e for e in self.program.externals}
        memory = self.names.new(f"{identifier(system.name)}_memory")
        parameters = parameter_values(system.parameters)
        return Demand(system, checked.facts, externals, parameters, arrays, numbers, self.names, memory, tables)

    def _array(self, system: System, variable: Variable) -> FlatArray:
        constant = variable.kind is Kind.INPUT and system.name not in self.called
        parameters = parameter_values(system.parameters)
        return stored_array(variable, identifier(variable.name), system.context, parameters, constant)

    def _table(self, system: System, equation: UseEquation) -> FlatArray:
        """Returns the places of the calls; only the shape of the array matters."""
        name = self.names.new(f"calls_{identifier(equation.outputs[0])}")
        try:
            return array_over(name, LONG, equation.extension, system.context, parameter_values(system.parameters))
        except Unbounded:
            message = f"`{equation.system}` is called infinitely often"
            place = Label(equation.span, "bound every index of this extension")
            raise Rejected(Diagnostic(UNBOUNDED, message, place)) from None

    def _use(
        self, number: int, system: System, equation: UseEquation, tables: dict[str, list[FlatArray]]
    ) -> DemandCall:
        callee = self.demands[equation.system]
        position = [e for e in system.equations if isinstance(e, UseEquation) and is_called(system, e)].index(equation)
        inputs = tuple(self.names.new(f"input_{identifier(v.name)}") for v in callee.system.inputs)
        function = self.names.new(f"instance_{identifier(equation.outputs[0])}")
        return DemandCall(
            number=number,
            caller=self.demands[system.name],
            callee=callee,
            equation=equation,
            table=tables[system.name][position],
            instance=function,
            inputs=inputs,
        )

    def sources(self) -> Sources:
        callers = self._callers()
        parameters = interface(self.root, callers)
        problem = c.Parameter(c.Pointer(c.Scalar("char", const=True)), "problem")
        point_failed = self.by_system(c.VOID, "point_failed", self._point_failed, problem)
        functions = [*self.calls(), *self.computing(), *self.by_system(c.BOOL, "compute", self._compute)]
        everything: list[c.Function | c.Opaque] = [
            *point_failed, c.Opaque(WANT), *self._texts(), *functions, c.Opaque(EVALUATE),
            self.status_function(parameters, callers), reporting(self.name, parameters),
        ]  # fmt: skip
        comment = usage(self.root, self.name, callers)
        heading = [f"System {self.root.name}, on demand: every value is computed once, when it is first needed."]
        heading += promises(self.program, self.systems)
        files = {
            f"{self.stem}.c": source_file(self.stem, "\n".join(heading), self.program, everything, self.types()),
            f"{self.stem}.h": header_file(self.name, comment, parameters),
        }
        return with_runtime(
            Sources(files, {EXTERNALS: stub_of_externals(self.program)} if self.program.externals else {})
        )

    def _callers(self) -> tuple[FlatArray, ...]:
        """Returns the arrays of the interface."""
        arrays = self._root.arrays
        inputs = [replace(arrays[v.name], is_constant=True) for v in self.root.inputs]
        return (*inputs, *(arrays[v.name] for v in self.root.outputs))

    @property
    def _root(self) -> Demand:
        return self.demands[self.root.name]

    @property
    def _is_recursive(self) -> bool:
        """Returns True if the system takes part in its own run again: then its inputs are computed, too."""
        return self.root.name in self.called

    # --- functions that compute ---------------------------------------------------------------------------------

    def calls(self) -> list[c.Function]:
        """Returns the functions that begin calls, and pass inputs."""
        functions: list[c.Function] = []
        starting = {name: self.names.new(f"start_{identifier(name)}") for name in self.demands if name in self.called}
        for number, (name, demand) in enumerate(self.demands.items()):
            if name in self.called:
                functions.append(start(demand, starting[name], number, self._filled(demand, demand.system.variables)))
        functions += [instance(use, starting[use.callee.system.name]) for use in self.uses]
        for use in self.uses:
            for variable, body, name in zip(use.callee.system.inputs, use.equation.inputs, use.inputs, strict=True):
                names = (*use.equation.extension.space.names, *variable.domain.space.names)
                if has_points(use.callee.system, variable):
                    use.caller.input(body, names, variable, name)
        return functions + self._taken()

    def computing(self) -> list[c.Function]:
        """Returns a function for every variable that is computed, after those for the places of the results
        of calls.
        """
        places = [
            self._place(use, inner)
            for use in self.uses
            for name, inner in zip(use.equation.outputs, use.callee.system.outputs, strict=True)
            if (use.caller.system.name, name) in self.tries
        ]
        for (name, variable), function in self.tries.items():
            self._computes(self.demands[name], self.demands[name].system.variable(variable), function)
        return [*dict.fromkeys(places), *self._taken()]

    def _place(self, use: DemandCall, inner: Variable) -> c.Function:
        key = use.callee.system.name, inner.name
        if key not in self.places:
            name = self.names.new(f"place_{identifier(inner.name)}")
            self.places[key] = place_of(use.callee, inner, name)
        return self.places[key]

    def _computes(self, demand: Demand, variable: Variable, function: str) -> None:
        if variable.kind is Kind.INPUT:
            uses = [use for use in self.uses if use.callee is demand]
            demand.functions.append(given_input(demand, variable, uses, function))
            return
        equation = demand.system.equation(variable.name)
        if isinstance(equation, Equation):
            demand.compute(equation, function)
            return
        use = next(use for use in self.uses if use.equation is equation)
        inner = use.callee.system.outputs[equation.outputs.index(variable.name)]
        demand.functions.append(output(use, variable, inner, self._place(use, inner).name, function))

    def _taken(self) -> list[c.Function]:
        """Returns the functions added since the last call."""
        functions: list[c.Function] = []
        for demand in self.demands.values():
            functions += demand.functions
            demand.functions = []
        return functions

    # --- the memory of a run ------------------------------------------------------------------------------------

    def types(self) -> str:
        cells = ", ".join(number for demand in self.demands.values() for number in demand.numbers.values())
        rank = max((use.table.rank for use in self.uses), default=0)
        shared = REQUEST.replace("@CALLS@", CALLS if self.uses else "")
        caller = CALLER.replace("@RANK@", str(max(1, rank))) if self.uses else ""
        shared = self._sized(shared.replace("@CALLER@", caller))
        memories = "\n\n".join(map(_memory_type, self.demands.values()))
        places = "\n".join(fitting(f"enum {{ {cells}, CELLS }};"))
        return f"{places}\n{STATES}\n\n{shared}\n\n{memories}"

    def _texts(self) -> list[c.Opaque]:
        chosen = [RELEASE, *([START] if self.uses else []), *([ALL_FINAL] if self._is_recursive else [])]
        return [c.Opaque(self._sized(text)) for text in chosen]

    def _sized(self, text: str) -> str:
        return text.replace("@OWNED@", str(max(1, *map(self._owned, self.demands.values()))))

    @staticmethod
    def _owned(demand: Demand) -> int:
        """Returns the largest number of arrays of a call of the system."""
        return len(demand.arrays) + len(demand.numbers) + len(demand.tables)

    def _filled(self, demand: Demand, own: Sequence[Variable]) -> tuple[c.Statement, ...]:
        """Returns the allocation of the arrays of the system's `own` variables, the states of all that it computes, and
        the places of its calls.
        """
        wanted: list[tuple[c.Expression, FlatArray, str]] = []
        for variable in own:
            array = demand.arrays[variable.name]
            wanted.append((c.Member(MEMORY, array.name), array, "allocate"))
        for name, number in demand.numbers.items():
            state = c.Index(c.Member(c.Name("self"), "state"), c.Name(number))
            wanted.append((state, demand.arrays[name], "allocate_zero"))
        wanted += [(c.Member(MEMORY, table.name), table, "allocate_zero") for table in demand.tables]
        statements: list[c.Statement] = []
        for position, (target, array, function) in enumerate(wanted):
            size = c.SizeOf(c.Unary("*", target))
            call = allocate(array, STATUS, size, function)
            slot = c.Index(c.Member(c.Name("self"), "owned"), c.Literal(str(position)))
            statements += [c.Assign(target, call), c.Assign(slot, target)]
        used = c.names_used(statements)
        constants = dict.fromkeys(d for _, array, _ in wanted for d in array.constants if d.name in used)
        return (*constants, *statements)

    # --- all variables of all systems ---------------------------------------------------------------------------

    def by_system(
        self, type_: c.Type, name: str, write: Callable[[Demand], Cases], *more: c.Parameter
    ) -> list[c.Function]:
        """Returns `name(self, cell, at)`: a choice by cell, under a choice by system where there are several."""
        parameters = (SELF, c.Parameter(c.INT, "cell"), c.Parameter(INDEX, "at"), *more)
        end: c.Statement = c.Return(c.Name("false")) if type_ == c.BOOL else c.Break()
        functions: list[c.Function] = []
        chosen: Cases = []
        for number, (system, demand) in enumerate(self.demands.items()):
            one = name if len(self.demands) == 1 else self.names.new(f"{name}_{identifier(system)}")
            body = (c.Switch(c.Name("cell"), (*write(demand), (None, (end,)))),)
            functions.append(demand.function(type_, one, parameters, body, ""))
            call = c.Call(one, tuple(c.Name(p.name) for p in parameters))
            done = (c.Return(call),) if type_ == c.BOOL else (c.Evaluate(call), c.Break())
            chosen.append((c.Literal(str(number)), done))
        if len(self.demands) > 1:
            switch = c.Switch(c.Member(c.Name("self"), "system"), (*chosen, (None, (end,))))
            functions.append(c.Function(type_, name, parameters, (switch,), "static", ""))
        return functions

    def _compute(self, demand: Demand) -> Cases:
        """Returns the cases that try to compute a value; false when a requested value is missing."""
        return [
            (c.Name(number), (c.Return(c.Call(self.tries[demand.system.name, name], (c.Name("self"), *point))),))
            for name, number in self._asked(demand)
            for point in [_point(demand.arrays[name])]
        ]

    def _asked(self, demand: Demand) -> list[tuple[str, str]]:
        """Returns the variables that have points, with their numbers."""
        return [(name, number) for name, number in demand.numbers.items() if (demand.system.name, name) in self.tries]

    def _point_failed(self, demand: Demand) -> Cases:
        """Returns the cases that name the value."""
        parameters = demand.system.parameters if self.uses else ()
        formats = ", ".join(f"{p}=%lld" for p in parameters)
        call = f" of {demand.system.name}({formats})" if self.uses else ""
        values = [c.Cast(c.LONG_LONG, c.Name(identifier(p))) for p in parameters]
        cases: Cases = []
        for name, number in self._asked(demand):
            point = _point(demand.arrays[name])
            shown = f"[{','.join('%lld' for _ in point)}]" if point else ""
            text = c.String(f'"{self.name}: {name}{shown}{call} %s\\n"')
            indices: list[c.Expression] = [c.Cast(c.LONG_LONG, p) for p in point]
            arguments = (*indices, *values, c.Name("problem"))
            say = c.Evaluate(c.Call("fprintf", (c.Name("stderr"), text, *arguments)))
            cases.append((c.Name(number), (say, c.Break())))
        return cases

    # --- the entry point ----------------------------------------------------------------------------------------

    def status_function(self, parameters: tuple[c.Parameter, ...], callers: tuple[FlatArray, ...]) -> c.Function:
        """Returns the function that checks, allocates, evaluates every point of every output, and frees."""
        demand = self._root
        body: list[c.Statement] = list(checks(self.root, callers, demand.parameters))
        declared = {s.name for s in body if isinstance(s, c.Declare)}
        others = [d for array in demand.arrays.values() for d in array.constants if d.name not in declared]
        inside = [s for s in (*self._set_up(demand), *self._demands(demand)) if s not in body]
        used = c.names_used(inside)
        placed = {s.name for s in inside if isinstance(s, c.Declare)}
        body += [d for d in others if d.name in used and d.name not in placed]
        body += inside
        return c.Function(c.INT, f"{self.name}_status", parameters, tuple(body))

    def _set_up(self, demand: Demand) -> list[c.Statement]:
        names = self.names.copy()
        everything, held, top = (names.new(stem) for stem in ("everything", "held", "root"))
        initialisers = [f".{n} = {n}" for n in map(identifier, self.root.parameters)]
        for variable in (*self.root.inputs, *self.root.outputs):
            array = demand.arrays[variable.name]
            cast = f"({array.type.c_name} *)" if variable.kind is Kind.INPUT and not array.is_constant else ""
            initialisers.append(f".{array.name} = {cast}{array.name}")
        number = f", .system = {list(self.demands).index(self.root.name)}" if self.uses else ""
        memory = fitting(f"{demand.memory} {held} = {{{', '.join(initialisers) or '0'}}};", WIDTH - 4)
        statements: list[c.Statement] = [
            c.Declare(c.Named("run"), everything, c.Init((((), c.ZERO),))),
            c.Opaque("\n".join(memory)),
            c.Opaque(f"instance {top} = {{.run = &{everything}, .memory = &{held}{number}}};"),
            c.Declare(INSTANCE, "self", c.Unary("&", c.Name(top))),
            fetched_status(),
        ]
        filled = self._filled(demand, self.root.locals)
        if MEMORY.name in c.names_used(filled):
            statements.append(c.Declare(c.Pointer(c.Named(demand.memory)), MEMORY.name, c.Unary("&", c.Name(held))))
        return [*statements, *filled, *self._given(demand)]

    def _given(self, demand: Demand) -> list[c.Statement]:
        statements: list[c.Statement] = []
        for variable in self.root.inputs if self._is_recursive else ():
            array = demand.arrays[variable.name]
            state = c.Index(c.Member(c.Name("self"), "state"), c.Name(demand.numbers[variable.name]))
            arguments = (state, c.Literal(str(array.rank)), array.extents_code)
            statements.append(c.Evaluate(c.Call("all_final", arguments)))
        return statements

    def _demands(self, demand: Demand) -> list[c.Statement]:
        asked = in_a_row([self._all_points(demand, v) for v in self.root.outputs])
        # Without points of outputs no value is requested; this avoids compiler warnings.
        asked = asked or (c.Evaluate(c.Cast(c.VOID, c.Name("evaluate"))),)
        ready = c.Binary("==", c.Unary("*", STATUS), c.ZERO)
        run = c.Member(c.Name("self"), "run")
        statements: list[c.Statement] = [c.If(ready, asked)]
        statements += [c.Evaluate(c.Call("release_calls", (run,)))] if self.uses else []
        statements.append(c.Evaluate(c.Call("release", (c.Name("self"),))))
        statements.append(c.Evaluate(c.Call("free", (c.Member(run, "stack"),))))
        statements.append(c.Return(c.Unary("*", STATUS)))
        return statements

    def _all_points(self, demand: Demand, variable: Variable) -> tuple[c.Statement, ...]:
        names = self.names.copy()
        space = variable.domain.space
        iterators = [names.new(identifier(n)) for n in space.names]
        date = tuple(map(Affine.name, space.names))
        tree = readable_scan([Scan(variable.name, variable.domain, date)], self.root.context, iterators)
        asked: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, demand.parameters):
            declared, scope = bind(space.names, arguments, names.copy().new)
            at = offset(demand.arrays[variable.name], scope.values)
            evaluate = c.Call("evaluate", (c.Name("self"), c.Name(demand.numbers[variable.name]), at))
            asked[call] = with_used(declared, (c.Evaluate(evaluate),))
        return loops_in_c(tree, demand.parameters, asked)


def _memory_type(demand: Demand) -> str:
    """Returns the type of the memory of a system."""
    fields = [f"int64_t {identifier(p)};" for p in demand.system.parameters]
    for array in demand.arrays.values():
        fields.append(declaration(c.pointer(array.type, const=array.is_constant), array.name) + ";")
    fields += [f"instance **{table.name};" for table in demand.tables]
    inside = "\n".join(f"    {field}" for field in fields or ["int nothing;"])
    return f"/* What {demand.system.name} holds. */\ntypedef struct {{\n{inside}\n}} {demand.memory};"


def _point(array: FlatArray) -> list[c.Expression]:
    """Returns the indices of the element `at`: quotients and remainders by the extents, plus the lower corner."""
    coordinates: list[c.Expression] = []
    rest: c.Expression = c.Name("at")
    for dimension in reversed(range(array.rank)):
        extent = integer(array.extents[dimension])
        index = rest if dimension == 0 else c.Binary("%", rest, extent)
        rest = c.Binary("/", rest, extent)
        low = array.lower[dimension]
        coordinates.insert(0, index if low == IntegerConstant(0) else c.Binary("+", index, integer(low)))
    return coordinates
