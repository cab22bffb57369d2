"""Joins the bodies of a system in the successor language into one, by the conditions of the bodies.

    when {: P} let X = e;  when {: Q} let X = f;     becomes     X = case {| P} : e; {| Q} : f; esac
A call in a body is a call for the points where the body holds; if several bodies define its results, these become
locals, and the variable reads the one that applies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from alphaz.diagnostics import Span
from alphaz.syntax import tree
from alphaz.syntax.alpha_sets import Condition, restrict_domain, unreadable

Statement = tree.EquationText | tree.UseText


@dataclass(frozen=True, slots=True)
class Body:
    """A body. `when` is None if it always holds; `otherwise`: it holds where no other body does."""

    when: Condition | None
    otherwise: bool
    equations: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Joined:
    """The joined bodies: equations, the locals with the points where they are defined, and further ones."""

    equations: tuple[Statement, ...]
    locals: tuple[tree.Declaration, ...]


def join_bodies(
    bodies: Sequence[Body], outputs: Sequence[tree.Declaration], locals_: Sequence[tree.Declaration]
) -> Joined:
    """Returns one body from all. Raises Rejected if more than one of them is for all parameters."""
    settled = _settled(bodies)
    if len(settled) == 1 and (settled[0][0] is None or () in settled[0][0].cases):
        return Joined(settled[0][1].equations, tuple(locals_))
    sorter = _Sorter([(when or Condition(((),), body.span), body) for when, body in settled], [*outputs, *locals_])
    equations = tuple(sorter.equations())
    return Joined(equations, (*(sorter.narrowed(declaration) for declaration in locals_), *sorter.further))


def _settled(bodies: Sequence[Body]) -> list[tuple[Condition | None, Body]]:
    """Each body with its condition; that of `else` is the complement of the others."""
    conditions = [body.when for body in bodies if body.when is not None]
    result: list[tuple[Condition | None, Body]] = []
    for body in bodies:
        when = body.when
        if body.otherwise:
            when = Condition(((),), body.span)
            for other in conditions:
                when = when.both(other.opposite(body.span), body.span)
        result.append((when, body))
    free = [body for when, body in result if when is None]
    if len(result) > 1 and free:
        remedy = "give each body a condition, `when {: N>3} let`, or the last one `else`"
        raise unreadable("one of several bodies is for all parameters", free[0].span, remedy)
    return result


@dataclass(slots=True)
class _Sorter:
    """The statements of all bodies by the variables that they define."""

    bodies: list[tuple[Condition, Body]]
    declared: list[tree.Declaration]
    further: list[tree.Declaration] = field(default_factory=list)

    def equations(self) -> Iterable[Statement]:
        names = list(dict.fromkeys(n for _, body in self.bodies for e in body.equations for n in _defined(e)))
        branches: dict[str, list[tuple[Condition, tree.EquationText]]] = {name: [] for name in names}
        calls: list[tree.UseText] = []
        for when, body in self.bodies:
            for equation in body.equations:
                if isinstance(equation, tree.EquationText):
                    branches[equation.name.text].append((when, equation))
                else:
                    calls.append(self._call(equation, when, branches))
        yield from calls
        for name in names:
            if branches[name]:
                yield _case(branches[name])

    def _call(
        self, text: tree.UseText, when: Condition, branches: dict[str, list[tuple[Condition, tree.EquationText]]]
    ) -> tree.UseText:
        """The call where its body holds; its results are locals that the variables read."""
        every = text.extension or tree.DomainText((tree.Polyhedron((), ()),), span=text.span)
        outputs: list[tree.Name] = []
        for name in text.outputs:
            mine = self._fresh(name.text)
            declaration = self._declaration(name)
            domain = declaration.domain or tree.DomainText((tree.Polyhedron((), ()),), span=name.span)
            local = tree.Name(mine, span=name.span)
            self.further.append(replace(declaration, names=(local,), domain=restrict_domain(domain, when)))
            read = tree.Reference(local, span=name.span)
            branches[name.text].append((when, tree.EquationText(name, None, read, span=name.span)))
            outputs.append(local)
        return replace(text, extension=restrict_domain(every, when), outputs=tuple(outputs))

    def _declaration(self, name: tree.Name) -> tree.Declaration:
        for declaration in self.declared:
            if name.text in (n.text for n in declaration.names):
                return declaration
        remedy = "declare it under `outputs` or `locals`"
        raise unreadable(f"`{name.text}` is computed by a call, and is no output or local", name.span, remedy)

    def _fresh(self, stem: str) -> str:
        taken = {n.text for declaration in (*self.declared, *self.further) for n in declaration.names}
        count = 1
        while f"{stem}_{count}" in taken:
            count += 1
        return f"{stem}_{count}"

    def narrowed(self, declaration: tree.Declaration) -> tree.Declaration:
        """Returns a local where the bodies hold that define it; one without a definition is unchanged."""
        names = {n.text for n in declaration.names}
        conditions = [w for w, body in self.bodies if names & {n for e in body.equations for n in _defined(e)}]
        if not conditions or len(conditions) == len(self.bodies):
            return declaration
        whole = conditions[0]
        for condition in conditions[1:]:
            whole = whole.either(condition, condition.span)
        domain = declaration.domain or tree.DomainText((tree.Polyhedron((), ()),), span=declaration.span)
        return replace(declaration, domain=restrict_domain(domain, whole))


def _defined(text: Statement) -> tuple[str, ...]:
    return (text.name.text,) if isinstance(text, tree.EquationText) else tuple(n.text for n in text.outputs)


def _case(branches: list[tuple[Condition, tree.EquationText]]) -> tree.EquationText:
    """A branch for each body, with the names of its own left-hand side."""
    first = branches[0][1]
    parts: list[tree.ExpressionNode] = []
    for when, text in branches:
        names = text.indices or ()
        everywhere = tree.DomainText((tree.Polyhedron(names, (), span=when.span),), span=when.span)
        where = restrict_domain(everywhere, when)
        parts.append(tree.RestrictExpression(where, text.body, replaces=bool(names), span=text.span))
    indices = next((text.indices for _, text in branches if text.indices is not None), None)
    body = parts[0] if len(parts) == 1 else tree.CaseExpression(tuple(parts), span=first.span)
    return replace(first, indices=indices, body=body)
