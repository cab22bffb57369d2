"""An independent verifier for systems with use equations, for given parameters: every operation is enumerated with all
that it reads and writes, the order is computed by its definition, and every obligation is looked at pair by pair.

What a called system reads of its inputs is found by evaluating all of its equations point by point. No tiling, no
bodies of reductions, no copies that do nothing: those are the business of `bruteforce`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from alphaz.mapping.design import Design
from alphaz.mapping.target import Moment
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, System, UseEquation, Variable
from alphaz.model.walk import children
from alphaz.poly import AffineFunction

Point = tuple[int, ...]
Element = tuple[str, Point]
Values = Mapping[str, int]


@dataclass(eq=False)
class Operation:
    """`reads` and `writes` are elements, each with whether the called system itself does it, in place."""

    moment: int
    statement: str
    date: Point = ()
    kinds: str = ""
    reads: list[tuple[Element, bool]] = field(default_factory=list)
    writes: list[tuple[Element, bool]] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.statement} at {self.date}"


class Reader:
    """Evaluates expressions of a program, as far as what they read goes."""

    def __init__(self, design: Design) -> None:
        self.program, self.facts = design.program, design.checked.facts

    def reads(self, node: Expression, scope: dict[str, int], parameters: Values) -> Iterator[Element]:
        match node:
            case Access():
                yield node.variable, node.function.at(scope)
            case Case():
                for branch in node.branches:
                    if self.facts.expression_domain[branch].contains(scope):
                        yield from self.reads(branch, scope, parameters)
            case Compose():
                inner = {**parameters, **dict(zip(node.names, node.function.at(scope), strict=True))}
                yield from self.reads(node.body, inner, parameters)
            case Reduce():
                here = tuple(scope[n] for n in self.facts.context_domain[node].space.names)
                for point in self.facts.context_domain[node.body].points(parameters):
                    inner = {**parameters, **dict(zip(node.projection.domain.names, point, strict=True))}
                    if node.projection.at(inner) == here:
                        yield from self.reads(node.body, inner, parameters)
            case Restrict():
                yield from self.reads(node.body, scope, parameters)
            case _:
                for child in children(node):
                    yield from self.reads(child, scope, parameters)

    def of_a_run(self, system: System, parameters: Values) -> set[Element]:
        """All that the equations of a system read, those of systems that it calls included."""
        found: set[Element] = set()
        for equation in system.equations:
            if isinstance(equation, Equation):
                domain = system.variable(equation.variable).domain
                for z in domain.points(parameters):
                    scope = {**parameters, **dict(zip(equation.indices, z, strict=True))}
                    found.update(self.reads(equation.expression, scope, parameters))
            else:
                for e in equation.extension.points(parameters):
                    for number in range(len(equation.inputs)):
                        found.update(
                            element for _, element in self.of_an_input(system, equation, e, number, parameters)
                        )
        return found

    def of_an_input(
        self, system: System, use: UseEquation, e: Point, number: int, parameters: Values
    ) -> Iterator[tuple[Point, Element]]:
        """For each point x of the input that is read, what the caller's expression reads there."""
        for x in self.used(use, e, number, parameters):
            names = self.facts.context_domain[use.inputs[number]].space.names
            scope = {**parameters, **dict(zip(names, (*e, *x), strict=True))}
            for element in self.reads(use.inputs[number], scope, parameters):
                yield x, element

    def used(self, use: UseEquation, e: Point, number: int, parameters: Values) -> list[Point]:
        """The points of an input that the called system reads; all where it calls itself."""
        callee = self.program.system(use.system)
        inner = passed(callee, use, e, parameters)
        variable = callee.inputs[number]
        if any(isinstance(q, UseEquation) and q.system == callee.name for q in callee.equations):
            return list(variable.domain.points(inner))
        return sorted(z for name, z in self.of_a_run(callee, inner) if name == variable.name)


def passed(callee: System, use: UseEquation, e: Point, parameters: Values) -> dict[str, int]:
    scope = {**parameters, **dict(zip(use.extension.space.names, e, strict=True))}
    return {n: q.at(scope) for n, q in zip(callee.parameters, use.parameters, strict=True)}


class World:
    """All operations of a system, for some parameters."""

    def __init__(self, design: Design, name: str, parameters: Values) -> None:
        self.design, self.system, self.parameters = design, design.system(name), dict(parameters)
        self.mapping, self.reader = design.mapping(name), Reader(design)
        self.length = max(len(m.function.outputs) for m in self.mapping.space_time)
        self.keys: dict[str, dict[Point, Point]] = {}
        self.before: set[tuple[str, str]] = set()
        self.parts: dict[str, list[str]] = defaultdict(list)
        self.operations: list[Operation] = []
        self.complaints: dict[str, list[str]] = defaultdict(list)
        self.later: list[tuple[Operation, Operation, str]] = []
        for variable in self.system.variables:
            self._start_or_end(variable)
        for equation in self.system.equations:
            if isinstance(equation, Equation):
                self._values(equation)
            else:
                self._calls(equation)
        for order in self.mapping.ordering:
            first, second = (self.parts.get(n, [n]) for n in (order.before, order.after))
            self.before |= {(a, b) for a in first for b in second}
        while more := {(a, d) for a, b in self.before for c, d in self.before if b == c} - self.before:
            self.before |= more

    # --- operations ----------------------------------------------------------------------------------------------

    def _dated(self, statement: str, variable: str, function: AffineFunction | None, z: Point) -> Operation:
        date = z
        if function is not None:
            date = function.at({**self.parameters, **dict(zip(function.domain.names, z, strict=True))})
        date = (*date, *(0,) * (self.length - len(date)))
        kinds = ["S"] * self.length
        for setting in self.mapping.kinds:
            if setting.variable in (None, variable):
                for at in setting.dimensions:
                    kinds[at] = setting.kind.value[0]
        made = Operation(1, statement, date, "".join(kinds))
        self.operations.append(made)
        return made

    def _start_or_end(self, variable: Variable) -> None:
        for z in variable.domain.points(self.parameters):
            if variable.kind is Kind.INPUT:
                self.operations.append(Operation(0, variable.name, writes=[((variable.name, z), False)]))
            elif variable.kind is Kind.OUTPUT:
                self.operations.append(Operation(2, variable.name, reads=[((variable.name, z), False)]))

    def _values(self, equation: Equation) -> None:
        name = equation.variable
        entry = self.mapping.space_time_of(name)
        for z in self.system.variable(name).domain.points(self.parameters):
            made = self._dated(name, name, entry.function if entry else None, z)
            scope = {**self.parameters, **dict(zip(equation.indices, z, strict=True))}
            made.reads = [(e, False) for e in self.reader.reads(equation.expression, scope, self.parameters)]
            made.writes = [((name, z), False)]

    def _calls(self, use: UseEquation) -> None:
        label = f"UseEquation_{use.outputs[0]}"
        entry = self.mapping.space_time_of(label)
        calls = {e: self._dated(label, label, entry.function if entry else None, e) for e in self._extension(use)}
        self.parts[label] = [label]
        for is_output, count in ((False, len(use.inputs)), (True, len(use.outputs))):
            for number in range(count):
                self._argument(use, label, is_output, number, calls)

    def _extension(self, use: UseEquation) -> list[Point]:
        return list(use.extension.points(self.parameters))

    def _argument(
        self, use: UseEquation, label: str, is_output: bool, number: int, calls: dict[Point, Operation]
    ) -> None:
        name = f"{label}.{'out' if is_output else 'in'}{number}"
        dates = {m: self.mapping.argument_date(label, is_output, number, m) for m in Moment}
        space = self.mapping.argument_space(label, is_output, number)
        spaces = {self.space(v.name) for v in self.system.variables}
        direct = space is not None and space.space in spaces
        has_array = not direct and any(dates[m] is not None for m in (Moment.ALLOCATION, Moment.COPY))
        steps: dict[Moment, dict[Point, Operation]] = {}
        for moment, date in dates.items():
            if has_array and date is not None:
                steps[moment] = {e: self._dated(f"{name}.{moment}", label, date.function, e) for e in calls}
                self.parts[label].append(f"{name}.{moment}")
        order = [Moment.ALLOCATION, None, Moment.COPY, Moment.FREE]
        if not is_output:
            order[1:3] = [Moment.COPY, None]
        present = [label if m is None else f"{name}.{m}" for m in order if m is None or m in steps]
        self.before |= set(combinations(present, 2))
        copies = steps.get(Moment.COPY, calls)
        if has_array:
            self._key(use, name, is_output, number, steps)
            self._lifetimes(name, steps, copies, calls)
        for e, call in calls.items():
            self._moves(use, (name, is_output, number), e, (copies[e], call), (direct, has_array))

    def _moves(
        self,
        use: UseEquation,
        argument: tuple[str, bool, int],
        e: Point,
        operations: tuple[Operation, Operation],
        how: tuple[bool, bool],
    ) -> None:
        name, is_output, number = argument
        (copy, call), (direct, has_array) = operations, how
        callee = self.design.program.system(use.system)
        if is_output:
            theirs = callee.outputs[number].domain.points(passed(callee, use, e, self.parameters))
            mine = set(self.system.variable(use.outputs[number]).domain.points(self.parameters))
            here = [y for y in theirs if (*e, *y) in mine]
            copy.writes += [((use.outputs[number], (*e, *y)), direct) for y in here]
            if has_array:
                all_of_them = callee.outputs[number].domain.points(passed(callee, use, e, self.parameters))
                call.writes += [((name, (*e, *y)), False) for y in all_of_them]
                copy.reads += [((name, (*e, *y)), False) for y in here if copy is not call]
            return
        used = self.reader.used(use, e, number, self.parameters)
        found = self.reader.of_an_input(self.system, use, e, number, self.parameters)
        copy.reads += [(element, direct) for _, element in found]
        if has_array:
            copy.writes += [((name, (*e, *x)), False) for x in used]
            call.reads += [((name, (*e, *x)), False) for x in used if copy is not call]

    def _key(
        self,
        use: UseEquation,
        name: str,
        is_output: bool,
        number: int,
        steps: dict[Moment, dict[Point, Operation]],
    ) -> None:
        """Which array each call has: one for each date of allocation, if all calls give the argument one box."""
        callee = self.design.program.system(use.system)
        variable = (callee.outputs if is_output else callee.inputs)[number]
        boxes = set()
        for e in self._extension(use):
            points = list(variable.domain.points(passed(callee, use, e, self.parameters)))
            boxes.add(tuple((min(p), max(p)) for p in zip(*points, strict=True)))
        allocations = steps.get(Moment.ALLOCATION)
        shared = allocations is not None and len(boxes) == 1
        self.keys[name] = {e: allocations[e].date if shared and allocations else e for e in self._extension(use)}

    def _lifetimes(
        self,
        name: str,
        steps: dict[Moment, dict[Point, Operation]],
        copies: dict[Point, Operation],
        calls: dict[Point, Operation],
    ) -> None:
        free = steps.get(Moment.FREE, {})
        for e in calls:
            for user in {copies[e], calls[e]}:
                if Moment.ALLOCATION in steps:
                    self.later.append((steps[Moment.ALLOCATION][e], user, "AZ604"))
                if e in free:
                    self.later.append((user, free[e], "AZ604"))
        for one, two in combinations(free, 2):
            if self.keys[name][one] == self.keys[name][two] and free[one].date != free[two].date:
                self.complaints["AZ604"].append(f"{name} of {one} and {two} is freed twice")

    # --- cells and order -----------------------------------------------------------------------------------------

    def space(self, variable: str) -> str:
        entry = self.mapping.memory_of(variable)
        return variable if entry is None else entry.space

    def cell(self, element: Element) -> tuple[str, Point]:
        name, z = element
        if name in self.keys:
            e = next(e for e in self.keys[name] if z[: len(e)] == e)
            return name, (*self.keys[name][e], *z[len(e) :])
        entry = self.mapping.memory_of(name)
        if entry is None or entry.function is None:
            return self.space(name), z
        function = entry.function
        return entry.space, function.at({**self.parameters, **dict(zip(function.domain.names, z, strict=True))})

    def precedes(self, a: Operation, b: Operation) -> bool:
        if a is b:
            return False
        if a.moment != b.moment:
            return a.moment < b.moment
        for x, y, kind in zip(a.date, b.date, a.kinds, strict=True):
            if x != y:
                return x < y and kind != "P"
        return a.moment == 1 and (a.statement, b.statement) in self.before

    # --- obligations ---------------------------------------------------------------------------------------------

    def violations(self) -> dict[str, list[str]]:
        found = self.complaints
        writers: dict[Element, list[Operation]] = defaultdict(list)
        by_cell: dict[tuple[str, Point], list[tuple[Operation, Element, bool]]] = defaultdict(list)
        for operation in self.operations:
            for element, direct in operation.writes:
                writers[element].append(operation)
                by_cell[self.cell(element)].append((operation, element, direct))
        self._one_date(found)
        for early, late, code in self.later:
            if not self.precedes(early, late):
                found[code].append(f"{early} does not precede {late}")
        for reader in self.operations:
            for element, direct in reader.reads:
                self._read(found, reader, element, direct, writers[element], by_cell[self.cell(element)])
        for writes in by_cell.values():
            self._races(found, writes)
        return dict(found)

    def _one_date(self, found: dict[str, list[str]]) -> None:
        seen: dict[tuple[str, Point], Operation] = {}
        for operation in self.operations:
            if operation.moment == 1 and not operation.statement.endswith((".alloc", ".free")):
                other = seen.setdefault((operation.statement, operation.date), operation)
                if other is not operation:
                    found["AZ501"].append(f"{other} and {operation}")

    def _read(
        self,
        found: dict[str, list[str]],
        reader: Operation,
        element: Element,
        direct: bool,
        writers: Sequence[Operation],
        in_cell: Sequence[tuple[Operation, Element, bool]],
    ) -> None:
        for writer in writers:
            if not self.precedes(writer, reader):
                found["AZ502"].append(f"{reader} reads {element} of {writer}")
        for other, written, in_place in in_cell:
            if written == element or self.precedes(reader, other):
                continue
            if other is reader and not (direct and in_place):
                continue
            if all(self.precedes(other, writer) for writer in writers):
                continue
            is_input = any(v.name == element[0] and v.kind is Kind.INPUT for v in self.system.variables)
            code = "AZ602" if reader.moment == 2 else "AZ603" if is_input else "AZ601"
            found[code].append(f"{reader} reads {element}, overwritten by {other}")

    def _races(self, found: dict[str, list[str]], writes: list[tuple[Operation, Element, bool]]) -> None:
        for (one, element, direct), (two, other, also) in combinations(writes, 2):
            if element == other or (one is two and not (direct and also)):
                continue
            if not self.precedes(one, two) and not self.precedes(two, one):
                found["AZ701"].append(f"{one} and {two}")
