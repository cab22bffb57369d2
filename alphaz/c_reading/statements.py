"""Statements: loops, conditions, blocks and calls are walked, assignments collected on the way."""

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from alphaz.c_reading.cells import flat, view
from alphaz.c_reading.condition import FALSE
from alphaz.c_reading.declarations import Declarer
from alphaz.c_reading.functions import assigned, base, changes, nodes, scalar_type
from alphaz.c_reading.indices import Asides, NoIndex, condition, index
from alphaz.c_reading.kernel import Array, Beside, Kind, Lock, Loop
from alphaz.c_reading.loops import LoopHead, loop_head
from alphaz.c_reading.number import named
from alphaz.c_reading.outside import outside
from alphaz.c_reading.phases import Phases
from alphaz.c_reading.pragmas import Pragma, read_pragma
from alphaz.c_reading.scope import Given, Meaning, Nest, Number, Status, Unset, View
from alphaz.c_reading.shapes import declared_extents
from alphaz.c_reading.shorter import has_nowait, is_hint, is_quiet, items, merged, only_reports
from alphaz.c_reading.team import Shared, Team
from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType

_DEEPEST = 8
# The operators of reduction clauses.
_COMBINED = frozenset({"+", "*", "min", "max", "and", "or"})
_MOST_STATEMENTS = 2000


def _writes_behind_pointers(body: Any) -> bool:
    targets = [each.lvalue for each in nodes(body, c_ast.Assignment)]
    targets += [each.expr for each in nodes(body, c_ast.UnaryOp) if each.op in ("++", "--", "p++", "p--")]
    return any(not isinstance(each, c_ast.ID) for each in targets)


class Maker(Declarer):
    """Walks what a function does; what its callees do is put in the place of the calls."""

    # --- blocks -------------------------------------------------------------------------------------------------------

    def body(self, node: Any, nest: Nest, *, is_entry: bool = False) -> None:
        """A function's body, put here."""
        words = self.words
        (changed, words.changed), (around, words.body) = (words.changed, assigned(node)), (words.body, node)
        self.block(node.block_items or [], nest, is_entry=is_entry)
        words.changed, words.body = changed, around

    def block(self, items: list[Any], nest: Nest, *, is_entry: bool = False) -> None:
        """Statements one after the other. In a parallel region their dates say behind which barriers they stand."""
        pragma: Pragma | None = None
        phases = Phases()
        for at, item in enumerate(items):
            if isinstance(item, c_ast.Pragma):
                pragma = self._directive(item, pragma, phases, nest)
                continue
            deeds = self.deeds()
            here = nest.at(phases.number, Beside(at)) if nest.region and not nest.working else nest.at(at)
            if isinstance(item, c_ast.Return):
                if at != len(items) - 1 or not is_entry or pragma is not None:
                    raise outside(self.words.span(item), "a return from inside is not understood")
            elif isinstance(item, c_ast.Decl):
                if pragma is not None:
                    raise outside(pragma.span, "this directive stands before no statement")
                nest = self.declaration(item, nest, here)
            elif is_entry and pragma is None and (left := self._left(item, nest)) is not None:
                nest = left
            else:
                behind = self.statement(item, here, pragma)
                nest = nest if behind is None else replace(nest, names=behind.names)
            phases.over(item, pragma, is_merge=self.deeds() > deeds)
            pragma = None
        if pragma is not None:
            raise outside(pragma.span, "this directive stands before no statement")

    def _directive(self, item: Any, pragma: Pragma | None, phases: "Phases", nest: Nest) -> Pragma | None:
        """The directive that waits for its statement."""
        if not isinstance(item.string, str):
            raise outside(self.words.span(item), "`_Pragma` is not understood", "write `#pragma`")
        found = read_pragma(item.string, self.words.span(item))
        if found is None:
            return pragma
        if pragma is not None:
            raise outside(found.span, "two directives before one statement")
        if found.directive != "barrier":
            return found
        if nest.working:
            raise outside(found.span, "one thread waits here for others that never come")
        phases.barrier()
        return None

    def _left(self, item: Any, nest: Nest) -> Nest | None:
        """`if (c) return ..;`: what follows runs where c does not hold. None for any other statement."""
        if not isinstance(item, c_ast.If) or item.iffalse is not None:
            return None
        inside = items(item.iftrue)
        if not inside or not isinstance(inside[-1], c_ast.Return) or not all(map(is_quiet, inside[:-1])):
            return None
        asides = Asides()
        try:
            rest = condition(self.words, nest, item.cond, asides, is_wanted=False)
        except NoIndex as problem:
            value = inside[-1].expr
            if not isinstance(value, c_ast.Constant) or value.value == "0" or not self._is_pure(item.cond):
                raise outside(problem.span, f"this return is not understood: {problem.why}") from None
            self.words.assumed.append(f"the function returns 0 (line {item.coord.line} does not return)")
            return nest
        return asides.added(nest).where(rest)

    def _is_pure(self, node: Any) -> bool:
        """Whether its functions change nothing: none assigns through a pointer."""
        if changes(node):
            return False
        for call in nodes(node, c_ast.FuncCall):
            definition = self.words.functions.defined.get(call.name.name)
            if call.name.name == "INT64_C":
                continue
            if definition is None or nodes(definition.body, c_ast.FuncCall) != [
                each for each in nodes(definition.body, c_ast.FuncCall) if each.name.name == "INT64_C"
            ]:
                return False
            if _writes_behind_pointers(definition.body):
                return False
        return True

    def free(self, arguments: list[Any], nest: Nest, span: Span) -> None:
        """What is released is used no more: neither behind this, nor in another iteration."""
        meaning = nest.names.get(arguments[0].name) if isinstance(arguments[0], c_ast.ID) else None
        is_start = isinstance(meaning, View) and meaning.is_start and meaning.array.name in self.allocated
        if not isinstance(meaning, View) or not is_start or meaning.array.name in self.released:
            raise outside(span, "what is released here is not understood")
        if meaning.array.prefix != nest.iterators:
            raise outside(span, f"`{meaning.array.label}` is released in a loop around which it was made")
        self.released.add(meaning.array.name)

    def statement(self, item: Any, nest: Nest, pragma: Pragma | None) -> Nest | None:
        """One statement; the nest behind it where it changes what names mean."""
        if pragma is not None:
            nest, pragma = self.directed(item, nest, pragma)
        if nest.region and self.team is None:
            self.region(item, nest)
            return None
        return self.plain(item, nest, pragma)

    def plain(self, item: Any, nest: Nest, pragma: Pragma | None) -> Nest | None:
        """One statement whose directive, if it is not for its loop, has been read."""
        match item:
            case None | c_ast.EmptyStatement():
                return None
            case c_ast.Compound():
                self.block(item.block_items or [], nest)
            case c_ast.For():
                return self.loop(item, nest, pragma)
            case c_ast.If():
                self.choice(item, nest)
            case c_ast.Assignment():
                self.assignment(item, nest)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                one = c_ast.Constant("int", "1", item.coord)
                self.assignment(c_ast.Assignment(item.op[-1] + "=", item.expr, one, item.coord), nest)
            case c_ast.FuncCall():
                self.call(item, nest)
            case c_ast.Cast() if isinstance(item.expr, c_ast.ID | c_ast.Constant):
                return None
            case c_ast.ExprList():
                for at, each in enumerate(item.exprs):
                    self.statement(each, nest.at(at), None)
            case _:
                raise outside(self.words.span(item), f"`{type(item).__name__.lower()}` statements are not understood")
        return None

    def region(self, item: Any, nest: Nest) -> None:
        """What the threads of a parallel region do."""
        team = Team(nest, len(self.statements))
        self.team = team
        self.plain(item, nest, None)
        self.team = None
        self.join(team)

    def directed(self, item: Any, nest: Nest, pragma: Pragma) -> tuple[Nest, Pragma | None]:
        """What a directive does to the statement behind it; what is left of it for a loop."""
        words = pragma.words
        if "parallel" in words and nest.region and not nest.working:
            raise outside(pragma.span, "each thread of the region does this, with threads of its own")
        if nest.working and "parallel" not in words and words & {"for", "single"}:
            raise outside(pragma.span, "work that one thread does is shared out again")
        if pragma.nowait and nest.depth > nest.region_depth:
            raise outside(pragma.span, "the caller of this function does not see that nothing waits here")
        if words & {"for", "simd"}:
            if not isinstance(item, c_ast.For):
                raise outside(pragma.span, "this directive stands before no loop")
            return nest, pragma
        if pragma.directive == "parallel":
            if pragma.reductions or pragma.copied:
                raise outside(
                    pragma.span, "these clauses of a parallel region are not understood", "put them at its loops"
                )
            if nest.region or nest.mutex is not None or pragma.private:
                raise outside(
                    pragma.span, "regions in regions or locks, and private variables of a region, are not understood"
                )
            return replace(nest, region=True, region_depth=nest.depth, working=False), None
        if pragma.directive in ("critical", "atomic"):
            lock = Lock(f"{pragma.directive} {pragma.name}".strip(), len(nest.date))
            return replace(nest, mutex=lock), None
        return replace(nest, working=True), None

    # --- control ------------------------------------------------------------------------------------------------------

    def loop(self, item: Any, nest: Nest, pragma: Pragma | None) -> Nest | None:
        head = loop_head(self.words, nest, item)
        is_for = pragma is not None and "for" in pragma.words
        kind = Kind.SEQUENTIAL if pragma is None else Kind.PARALLEL if is_for else Kind.SIMD
        if nest.region and not nest.working and not is_for and has_nowait(item.stmt):
            kind = Kind.PARALLEL
        is_loose = pragma is not None and pragma.nowait
        loop = Loop(
            iterator=head.iterator,
            step=head.step,
            kind=kind,
            span=self.words.span(item),
            nowait=is_loose,
            stride=head.stride,
        )
        inside = self._iterations(head, nest, loop, is_for)
        if not self._domain(inside).is_bounded():
            raise outside(loop.span, "this loop may never end")
        if pragma is not None:
            inside = self._clauses(pragma, inside, loop, head.name)
        body = item.stmt
        if pragma is not None and pragma.collapse > 1:
            inner = items(body)
            if len(inner) != 1 or not isinstance(inner[0], c_ast.For):
                raise outside(pragma.span, "collapse needs loops that stand directly in each other")
            rest = replace(pragma, collapse=pragma.collapse - 1, private=(), copied=(), reductions=(), nowait=False)
            self.loop(inner[0], replace(inside, working=nest.working), rest)
            return None
        if is_for and nest.region and not nest.working and pragma is not None and "simd" not in pragma.words:
            inside = self._of_this_thread(inside, len(items(body)))
        is_round = nest.region and not inside.working and self.team is not None
        if self.team is not None:
            self.team.rounds += is_round
        self.block(items(body), inside)
        if self.team is not None:
            self.team.rounds -= is_round
        return nest.knowing({head.name: Unset(head.type)}) if head.is_outer else None

    def _iterations(self, head: LoopHead, nest: Nest, loop: Loop, is_for: bool) -> Nest:
        around = head.asides.added(nest)
        names = {**around.names, head.name: Number(named(head.iterator), head.type)}
        return replace(
            around, iterators=(*around.iterators, head.iterator), names=names, date=(*around.date, loop),
            conditions=(*around.conditions, *head.conditions), working=around.working or is_for,
        )  # fmt: skip

    def _of_this_thread(self, inside: Nest, end: int) -> Nest:
        """What each thread of a region has of its own holds nothing when an iteration begins, as far as is known."""
        names = dict(inside.names)
        owned: dict[str, Array] = {}
        for name, meaning in names.items():
            if isinstance(meaning, View) and (array := meaning.array).name in self.per_thread:
                if array.name not in owned:
                    own = replace(array, name=self.array_name(array.label), prefix=inside.iterators, is_stale=True)
                    self.arrays[own.name] = owned[array.name] = own
                names[name] = replace(meaning, array=owned[array.name])
        if self.team is not None:
            self.team.loops.append(Shared(inside, end, owned, self.team.rounds > 0))
        return replace(inside, names=names)

    def _clauses(self, pragma: Pragma, inside: Nest, loop: Loop, iterator: str) -> Nest:
        """Private variables are objects of each iteration, and have no value when it begins."""
        names = dict(inside.names)
        for name in pragma.private:
            meaning = names.get(name)
            if name == iterator:
                continue
            if isinstance(meaning, Given):
                names[name] = self.local(name, meaning.type, (), inside, pragma.span)
                continue
            if isinstance(meaning, Number):
                names[name] = Unset(meaning.type)
                continue
            if isinstance(meaning, View):
                names[name] = self.local(name, meaning.array.type, meaning.array.extents, inside, meaning.array.span)
            elif meaning is None:
                raise outside(pragma.span, f"`{name}` is not known here")
        for name in pragma.copied:
            if isinstance(names.get(name), View):
                raise outside(pragma.span, f"`firstprivate({name})` of data is not understood")
        reductions = list(inside.reductions)
        for name, operator in pragma.reductions:
            meaning = names.get(name)
            if not isinstance(meaning, View) or meaning.extents:
                raise outside(pragma.span, f"`{name}` is no scalar: such reductions are not understood")
            reductions.append((meaning.array, self._combined_by(operator, meaning.array.type, pragma.span), loop))
        return replace(inside, names=names, reductions=tuple(reductions))

    def _combined_by(self, operator: str, type_: ScalarType, span: Span) -> str:
        """The operator of programs, by which threads combine what they have."""
        declared, of = self.words.combiners.get(operator, (operator, type_))
        if declared not in _COMBINED or of != type_:
            raise outside(span, f"what the reduction `{operator}` does to {type_.name} values is not known")
        return declared

    def choice(self, item: Any, nest: Nest) -> None:
        """An affine condition restricts what is inside; one on data chooses between values of one cell."""
        asides = Asides()
        try:
            then = condition(self.words, nest, item.cond, asides)
            otherwise = condition(self.words, nest, item.cond, Asides(), is_wanted=False) if item.iffalse else FALSE
        except NoIndex as problem:
            self._choice_of_values(item, nest, problem)
            return
        around = asides.added(nest)
        if then == FALSE and not asides.iterators:
            self.block(items(item.iffalse), nest.at(1))
            return
        if item.iffalse is not None and asides.iterators:
            otherwise = condition(self.words, nest, item.cond, (more := Asides()), is_wanted=False)
            self.block(items(item.iffalse), more.added(nest).where(otherwise).at(1))
        elif item.iffalse is not None and otherwise != FALSE:
            self.block(items(item.iffalse), around.where(otherwise).at(1))
        self.block(items(item.iftrue), around.where(then).at(0))

    def _choice_of_values(self, item: Any, nest: Nest, problem: NoIndex) -> None:
        test = item.cond
        if isinstance(test, c_ast.BinaryOp) and test.op == "&&" and item.iffalse is None:
            inner = c_ast.If(test.right, item.iftrue, None, item.coord)
            self.choice(c_ast.If(test.left, c_ast.Compound([inner], item.coord), None, item.coord), nest)
            return
        span = self.words.span(item)
        found = merged(item)
        if found is None:
            raise outside(
                problem.span, f"this condition is not affine ({problem.why}), and its branches do not assign one cell"
            )
        target, value = found
        pointer = self._target(target, nest, asides := Asides())
        self.assign(pointer, value, asides.added(nest), span)

    # --- assignments --------------------------------------------------------------------------------------------------

    def assignment(self, item: Any, nest: Nest) -> None:
        span = self.words.span(item)
        value = item.rvalue
        if isinstance(value, c_ast.Assignment):
            self.assignment(value, nest.at(0))
            value, nest = value.lvalue, nest.at(1)
        if item.op != "=":
            value = c_ast.BinaryOp(item.op[:-1], item.lvalue, value, item.coord)
        if isinstance(item.lvalue, c_ast.ID) and isinstance(nest.names.get(item.lvalue.name), Number | Unset | Status):
            raise outside(span, f"`{item.lvalue.name}` changes outside the head of a loop")
        pointer = self._target(item.lvalue, nest, asides := Asides())
        self.assign_lanes(pointer, value, asides.added(nest), span)

    def _target(self, node: Any, nest: Nest, asides: Asides) -> View:
        pointer = view(self.words, nest, node, asides)
        if pointer is None:
            raise outside(self.words.span(node), "nothing is known that could be assigned here")
        return pointer

    # --- calls --------------------------------------------------------------------------------------------------------

    def call(self, item: Any, nest: Nest) -> None:
        span = self.words.span(item)
        name = item.name.name if isinstance(item.name, c_ast.ID) else ""
        arguments = item.args.exprs if item.args is not None else []
        if is_hint(item):
            return
        if name == "free" and len(arguments) == 1:
            self.free(arguments, nest, span)
            return
        if name in ("memcpy", "memmove") and len(arguments) == 3:
            self.copy(arguments, nest, span)
            return
        if name == "memset" and len(arguments) == 3:
            self.clear(arguments, nest, span)
            return
        definition = self.words.functions.defined.get(name)
        if definition is None or nest.depth >= _DEEPEST:
            raise outside(span, f"`{name}` is not known, or calls itself")
        if only_reports(definition):
            for each in arguments:
                if isinstance(each, c_ast.FuncCall):
                    self.call(each, nest)
                elif changes(each) or nodes(each, c_ast.FuncCall):
                    raise outside(span, "what is told here is not understood")
            return
        self.put(definition, arguments, nest, span)

    def put(self, definition: Any, arguments: list[Any], nest: Nest, span: Span) -> None:
        """The body of a function in the place of its call."""
        parameters = definition.decl.type.args.params if definition.decl.type.args is not None else []
        if len(parameters) != len(arguments):
            raise outside(span, "another number of arguments than the function has")
        names: dict[str, Meaning] = {}
        inside = replace(nest, depth=nest.depth + 1)
        for at, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
            names[parameter.name] = self.passed(parameter, argument, nest.at(-1, at), names)
        if _breaks_promise(parameters, names):
            raise outside(span, "two arguments are one array, and the function promises that they are not (`restrict`)")
        inside = replace(inside, names=names)
        changed = assigned(definition.body)
        if changed & {name for name, meaning in names.items() if not isinstance(meaning, View)}:
            raise outside(span, "the called function changes an argument")
        self.body(definition.body, inside.at(0), is_entry=True)

    def passed(self, parameter: Any, argument: Any, nest: Nest, names: dict[str, Meaning]) -> Meaning:
        span = self.words.span(argument)
        type_ = scalar_type(base(parameter.type))
        if type_ is None:
            raise outside(span, "the type of this argument is not known")
        if isinstance(parameter.type, c_ast.TypeDecl):
            asides = Asides()
            try:
                value = index(self.words, nest, argument, asides)
                if type_.kind == "int" and type_.signed and type_.bits >= 32 and not asides.iterators:
                    return Number(value, type_)
            except NoIndex:
                pass
            pointer = self.local(parameter.name, type_, (), nest, span)
            self.assign(pointer, argument, nest, span)
            return pointer
        if isinstance(argument, c_ast.UnaryOp) and argument.op == "&" and isinstance(argument.expr, c_ast.ID):
            known = nest.names.get(argument.expr.name)
            if isinstance(known, Status):
                return known
        asides = Asides()
        target = view(self.words, nest, argument, asides)
        if target is None or asides.iterators:
            raise outside(span, "what is passed here is not understood")
        if target.array.type != type_:
            raise outside(span, "the argument points to another type")
        extents = declared_extents(self.words, replace(nest, names=names), parameter.type)
        if extents[1:] == target.extents[1:] and (target.offset is None or len(extents) == len(target.extents)):
            return View(
                target.array, extents if target.offset is not None else target.extents, target.lead, target.offset
            )
        return View(target.array, (None, *extents[1:]), (), flat(target))


def _breaks_promise(parameters: list[Any], names: dict[str, Meaning]) -> bool:
    """Whether an array is passed twice, and can be changed through one name although another one is its only one."""
    held: dict[str, list[Any]] = {}
    for each in parameters:
        meaning = names[each.name]
        if isinstance(meaning, View) and isinstance(each.type, c_ast.PtrDecl | c_ast.ArrayDecl):
            held.setdefault(meaning.array.name, []).append(each.type)
    for types in (types for types in held.values() if len(types) > 1):
        is_alone = any("restrict" in (getattr(t, "quals", None) or getattr(t, "dim_quals", None) or []) for t in types)
        is_changed = any("const" not in (base(t).quals or []) for t in types)
        if is_alone and is_changed:
            return True
    return False
