"""Rules of `grammar/alpha.lark` -> nodes of `tree.py`: one method a rule, called at each reduction.

Variables of the successor have no types: they are double, where no line `//@ type A, B = int` says otherwise.
Source: the published grammar of the Alpha language of Colorado State University (Xtext).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from alphaz.diagnostics import Span
from alphaz.syntax import tree
from alphaz.syntax.alpha_bodies import Body, Statement, joined
from alphaz.syntax.alpha_sets import (
    Condition,
    Linear,
    Piece,
    domain,
    product,
    quotient,
    side,
    unreadable,
)  # fmt: skip
from alphaz.syntax.build import Children, EquationHead, ExpressionBuilder, Operator, Section, Several, integer
from alphaz.syntax.lexeme import Lexeme, whole

_NAME_ONLY = re.compile(r"[0-9A-Za-z_-]*[A-Za-z_][A-Za-z_0-9]*")
_OPERATORS = {"sum": "+", "prod": "*"}
_REAL = "double"


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a system, on the way to it."""

    name: tree.Name
    parameters: tree.DomainText
    definitions: dict[str, tree.DomainText]
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """What stands in front of the results of a call."""

    extension: "tree.DomainText | Defined | None"
    names: tuple[tree.Name, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class Defined:
    """The name of a set that the head of the system defines."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """`name = set`, in the head of a system."""

    name: str
    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Definitions:
    """The sets that the head of a system gives names."""

    values: dict[str, tree.DomainText]
    span: Span


@dataclass(frozen=True, slots=True)
class Range:
    """`low:high`, the ends included, or `count` from 0."""

    low: Linear | None
    high: Linear
    span: Span


@dataclass(frozen=True, slots=True)
class CallText:
    """A call and what stands in front of it."""

    head: Call | None
    use: tree.UseText
    span: Span


@dataclass(frozen=True, slots=True)
class Union:
    """Several sets, of which some may be names still."""

    parts: tuple[Any, ...]
    span: Span


def _of(kind: type[Any], children: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _is(child: object, *types: str) -> bool:
    return isinstance(child, Lexeme) and child.type in types


def _text(lexeme: Lexeme) -> str:
    return lexeme.text.removeprefix("^").strip("'")


def _name(lexeme: Lexeme) -> tree.Name:
    text = _text(lexeme)
    if not _NAME_ONLY.fullmatch(text):
        raise unreadable(f"the name `{text}` has letters that names cannot have", lexeme.span, "choose another name")
    return tree.Name(text, span=lexeme.span)


def _items(children: Children) -> tuple[Any, ...]:
    lists = _of(Several, children)
    return lists[0].items if lists else ()


def _several(children: Children) -> Several:
    return Several(tuple(child for child in children if not isinstance(child, Lexeme)), whole(children))


@dataclass(frozen=True, slots=True)
class BodyText:
    """A body as it is written: calls may speak of sets that the head defines."""

    when: Condition | None
    otherwise: bool
    equations: tuple[tree.EquationText | CallText, ...]
    span: Span

    def settled(self, head: Head) -> Body:
        equations = tuple(_statement(each, head) for each in self.equations)
        return Body(self.when, self.otherwise, equations, self.span)


class SetBuilder(ExpressionBuilder):
    """Index expressions, conditions and sets."""

    def names(self, children: Children) -> Several:
        return Several(tuple(_name(child) for child in children if _is(child, "NAME")), whole(children))

    def number(self, children: Children) -> Linear:
        return Linear((tree.Term(integer(children[0]), span=children[0].span),), whole(children))

    def index_name(self, children: Children) -> Linear:
        return Linear((tree.Term(1, _text(children[0]), span=children[0].span),), whole(children))

    def multiple_of(self, children: Children) -> Linear:
        factor = integer(children[0])
        for inner in _of(Linear, children):
            scaled: Linear = inner.scaled(factor, whole(children))
            return scaled
        return Linear((tree.Term(factor, _text(children[1]), span=whole(children)),), whole(children))

    def floor(self, children: Children) -> Linear:
        inner: Linear = children[2]
        exact: Linear = replace(inner.plain(), span=whole(children))
        return exact

    def times(self, children: Children) -> Linear:
        return product(children[0], children[2], whole(children))

    def divided(self, children: Children) -> Linear:
        return quotient(children[0], integer(children[2]), whole(children))

    def remainder(self, children: Children) -> Linear:
        value: Linear = children[0]
        return replace(value.plain(), modulus=integer(children[2]), span=whole(children))

    def enclosed(self, children: Children) -> Any:
        inner = children[1]
        return replace(inner, span=whole(children))

    def first(self, children: Children) -> Linear:
        negative = sum(_is(child, "MINUS") for child in children) % 2 == 1
        form: Linear = children[-1]
        return form.scaled(-1, whole(children)) if negative else form

    later = first

    def sum(self, children: Children) -> Linear:
        if len(children) == 1:
            only: Linear = children[0]
            return only
        return Linear(tuple(term for each in children for term in each.plain().terms), whole(children))

    def sums(self, children: Children) -> Several:
        return _several(children)

    def side(self, children: Children) -> tree.Side:
        return side(_of(Linear, children), whole(children))

    def relation(self, children: Children) -> Operator:
        text = children[0].text
        return Operator("==" if text == "=" else text, children[0].span)

    def chain(self, children: Children) -> Condition:  # type: ignore[override]
        operators = tuple(each.text for each in children[1::2])
        chain = tree.Chain(tuple(children[::2]), operators, span=whole(children))
        return Condition(((chain,),), whole(children))

    def both(self, children: Children) -> Condition:
        left, _, right = children
        together: Condition = left.both(right, whole(children))
        return together

    def either(self, children: Children) -> Condition:
        left, _, right = children
        together: Condition = left.either(right, whole(children))
        return together

    def negation(self, children: Children) -> Condition:
        opposite: Condition = children[2].opposite(whole(children))
        return opposite

    def condition_set(self, children: Children) -> Condition:
        found = _of(Condition, children)
        return replace(found[0], span=whole(children)) if found else Condition(((),), whole(children))

    def piece(self, children: Children) -> Piece:
        found = _of(Condition, children)
        condition = found[0] if found else Condition(((),), whole(children))
        return Piece(_items(children), condition, whole(children))

    def set(self, children: Children) -> tree.DomainText:
        pieces = _of(Piece, children)
        if not pieces:
            return tree.DomainText((tree.Polyhedron((), (), span=whole(children)),), span=whole(children))
        return domain(pieces, whole(children))

    def range(self, children: Children) -> Range:
        found = _of(Linear, children)
        low = found[0] if len(found) == 2 else None
        return Range(low, found[-1], whole(children))

    def ranges(self, children: Children) -> Several:
        return _several(children)

    def rectangle(self, children: Children) -> tree.DomainText:
        """`[N,M]` is 0<=i0<N and 0<=i1<M, and `[1:N]` is 1<=i0<=N."""
        span, ranges = whole(children), children[1].items
        given = _items(children[2:])
        names = given or tuple(tree.Name(f"i{at}", span=span) for at in range(len(ranges)))
        if len(names) != len(ranges):
            raise unreadable(f"{len(ranges)} ranges have {len(names)} names", span, "give each range a name")
        chains = tuple(_range(name, each) for name, each in zip(names, ranges, strict=True))
        return tree.DomainText((tree.Polyhedron(names, chains, span=span),), span=span)

    def defined(self, children: Children) -> Defined:
        return Defined(_text(children[0]), whole(children))

    def calculated(self, children: Children) -> Any:
        parts = tuple(child for child in children if not isinstance(child, Lexeme))
        return parts[0] if len(parts) == 1 else Union(parts, whole(children))

    def function(self, children: Children) -> tree.FunctionText:
        arrow = next(at for at, child in enumerate(children) if _is(child, "ARROW"))
        outputs = tuple(each.text() for each in _items(children[arrow:]))
        return tree.FunctionText(_items(children[:arrow]), outputs, span=whole(children))


def _range(name: tree.Name, said: Range) -> tree.Chain:
    here = tree.Side((tree.AffineText((tree.Term(1, name.text),), span=name.span),), span=name.span)
    low = said.low or Linear((tree.Term(0),), said.span)
    sides = (side((low,), said.span), here, side((said.high,), said.span))
    return tree.Chain(sides, ("<=", "<" if said.low is None else "<="), span=said.span)


class AlphaBuilder(SetBuilder):
    """Expressions, systems and whole files."""

    def restricting(self, children: Children) -> tree.DomainText:
        only = children[0]
        return domain([Piece(None, only, only.span)], only.span) if isinstance(only, Condition) else only

    def restricted(self, children: Children) -> tree.Expression:
        text, _, body = children
        names = bool(text.polyhedra[0].names)
        return tree.RestrictExpression(text, body, replaces=names, span=whole(children))

    def automatic(self, children: Children) -> tree.Expression:
        return tree.AutoExpression(children[2], span=whole(children))

    def everywhere(self, children: Children) -> tree.Expression:
        constant: tree.Expression = children[0]
        return replace(constant, span=whole(children))

    def call(self, children: Children) -> tree.Expression:
        name, arguments = _name(children[0]), _items(children)
        if name.text in _OPERATORS and len(arguments) > 1:
            return tree.OperatorCall(_OPERATORS[name.text], arguments, span=whole(children))
        return tree.FunctionCall(name, arguments, span=whole(children))

    def operator_call(self, children: Children) -> tree.Expression:
        arguments = _of(tree.Expression, children)
        if len(arguments) == 1:
            only: tree.Expression = replace(arguments[0], span=whole(children))
            return only
        return tree.OperatorCall(children[0].text, arguments, span=whole(children))

    def reduction_operator(self, children: Children) -> Operator:
        text = _text(children[0])
        return Operator(_OPERATORS.get(text, text), children[0].span)

    def access(self, children: Children) -> tree.Expression:
        indices = tuple(each.text() for each in _items(children))
        return tree.Reference(_name(children[0]), indices, span=whole(children))

    def variable(self, children: Children) -> tree.Expression:
        return tree.Reference(_name(children[0]), span=whole(children))

    def index(self, children: Children) -> tree.Expression:
        (value,) = _of(Linear, children)
        return tree.IndexExpression(value.text(), span=whole(children))

    def val(self, children: Children) -> tree.Expression:
        function: tree.FunctionText = children[1]
        if len(function.outputs) != 1:
            raise unreadable("`val` takes a function with one value", function.span, "write one index expression")
        return tree.ValExpression(function.names, function.outputs[0], span=whole(children))

    def case(self, children: Children) -> tree.Expression:
        return tree.CaseExpression(_of(tree.Expression, children), span=whole(children))

    def binary(self, children: Children) -> tree.Expression:
        left, operator, right = children
        return tree.BinaryExpression(operator.text, left, right, span=whole(children))

    # --- systems ------------------------------------------------------------------------------------------------

    def qualified(self, children: Children) -> tree.Name:
        """Packages leave no trace: the last word is the name."""
        return replace(_name(children[-1]), span=whole(children))

    def external(self, children: Children) -> tree.External:
        real = tree.TypeName(_REAL, span=children[0].span)
        return tree.External(real, _name(children[1]), (real,) * integer(children[3]), span=whole(children))

    def parameters(self, children: Children) -> tree.DomainText:
        condition: Condition = children[-1]
        cases = condition.cases or ((),)
        polyhedra = tuple(tree.Polyhedron(_items(children), case, span=whole(children)) for case in cases)
        return tree.DomainText(polyhedra, span=whole(children))

    def definition(self, children: Children) -> Definition:
        return Definition(_text(children[0]), children[2], whole(children))

    def definitions(self, children: Children) -> Definitions:
        found: dict[str, tree.DomainText] = {}
        for each in _of(Definition, children):
            found[each.name] = _settled(each.value, found)
        return Definitions(found, whole(children))

    def system_head(self, children: Children) -> Head:
        definitions = _of(Definitions, children)
        known = definitions[0].values if definitions else {}
        span = children[0].span.to(children[2].span)
        return Head(_name(children[1]), children[2], known, span)

    def equation_head(self, children: Children) -> EquationHead:
        indices = _items(children) if len(children) > 2 else None
        return EquationHead(_name(children[0]), indices, whole(children))

    def standard_equation(self, children: Children) -> tree.EquationText:
        head, body, _ = children
        return tree.EquationText(head.name, head.indices, body, span=whole(children))

    def declaration(self, children: Children) -> Section:
        """A declaration whose set may be a name still."""
        return Section("", (_items(children), children[2]), whole(children))

    def loop(self, children: Children) -> Section:
        return Section("over", (children[1], children[4]), whole(children))

    def over(self, children: Children) -> Section:
        return Section("over", (children[1],), whole(children))

    def dimensions(self, children: Children) -> Section:
        return Section("with", (_items(children),), whole(children))

    def use_head(self, children: Children) -> Call:
        said = {each.keyword: each.items[0] for each in _of(Section, children)}
        return Call(said.get("over"), said.get("with"), whole(children))

    def when(self, children: Children) -> Section:
        return Section(children[0].text, _of(Condition, children), whole(children))

    def body(self, children: Children) -> BodyText:
        heads = _of(Section, children)
        condition = heads[0].items[0] if heads and heads[0].items else None
        otherwise = bool(heads) and heads[0].keyword == "else"
        equations = tuple(child for child in children if isinstance(child, tree.EquationText | CallText))
        return BodyText(condition, otherwise, equations, whole(children))

    def use_equation(self, children: Children) -> CallText:
        heads = _of(Call, children)
        equals = next(at for at, child in enumerate(children) if _is(child, "EQUALS"))
        results = next((c.items for c in children[:equals] if isinstance(c, Several)), ())
        if not results:
            raise unreadable("this call has no results", whole(children), "leave it out: nothing can read it")
        behind = children[equals + 1 :]
        bracket = next(at for at, child in enumerate(behind) if _is(child, "RSQB"))
        parameters = tuple(each.text() for each in _items(behind[:bracket]))
        inputs = _items(behind[bracket:])
        name: tree.Name = behind[0]
        outputs = tuple(map(_result, results))
        use = tree.UseText(None, name, parameters, inputs, outputs, span=whole(children))
        return CallText(heads[0] if heads else None, use, whole(children))

    def system(self, children: Children) -> tree.SystemText:
        head: Head = children[0]
        sections = {s.keyword: s.items for s in _of(Section, children)}
        inputs, outputs, local = (
            tuple(_declared(each, head) for each in sections.get(keyword, ()))
            for keyword in ("inputs", "outputs", "locals")
        )
        loop = None
        if "over" in sections:
            where, condition = sections["over"]
            loop = tree.WhileText(_settled(where, head.definitions), condition, span=whole(children))
        bodies = [each.settled(head) for each in _of(BodyText, children)]
        together = joined(bodies, outputs, local) if bodies else joined([Body(None, False, (), head.span)], (), local)
        return tree.SystemText(
            head.name,
            head.parameters,
            inputs,
            outputs,
            together.locals,
            loop,
            together.equations,
            span=whole(children),
        )

    def package(self, children: Children) -> Several:
        return Several(tuple(_elements(children)), whole(children))

    def imported(self, children: Children) -> Several:
        """The systems of other files are not looked for: a call of one is a finding of its own."""
        return Several((), whole(children))

    def _section(self, children: Children) -> Section:
        return Section(children[0].text, tuple(children[1:]), whole(children))

    inputs = outputs = locals = _section

    def bundle(self, children: Children) -> tree.ProgramText:
        found = list(_elements(children))
        if not found:
            return tree.ProgramText((), ())
        source = found[0].span.source
        systems = tuple(_typed(each, source.text) for each in _of(tree.SystemText, found))
        externals = tuple(_typed_function(each, source.text) for each in _of(tree.External, found))
        return tree.ProgramText(externals, systems, span=whole(children))


def _elements(children: Children) -> Iterable[Any]:
    for child in children:
        if isinstance(child, Several):
            yield from child.items
        elif isinstance(child, tree.External | tree.SystemText):
            yield child


def _settled(value: Any, known: dict[str, tree.DomainText]) -> tree.DomainText:
    """A set in which every name is replaced by what the head of the system defines it to be."""
    match value:
        case Defined(name, span):
            if name not in known:
                raise unreadable(f"no set is called `{name}`", span, "define it in the head of the system")
            return replace(known[name], span=span)
        case Union(parts, span):
            found = [_settled(part, known) for part in parts]
            return tree.DomainText(tuple(p for each in found for p in each.polyhedra), span=span)
    settled: tree.DomainText = value
    return settled


def _declared(section: Section | tree.Declaration, head: Head) -> tree.Declaration:
    if isinstance(section, tree.Declaration):
        return section
    names, where = section.items
    domain = _settled(where, head.definitions)
    bare = not domain.polyhedra[0].names and not domain.polyhedra[0].constraints
    real = tree.TypeName(_REAL, span=names[0].span)
    return tree.Declaration(real, names, None if bare else domain, span=section.span)


def _statement(item: tree.EquationText | CallText, head: Head) -> Statement:
    """A call with its extension, and names for the indices of what it is given."""
    if isinstance(item, tree.EquationText):
        return item
    call, use = item.head, item.use
    if call is None:
        return use
    extension = None if call.extension is None else _settled(call.extension, head.definitions)
    names = (*(extension.polyhedra[0].names if extension else ()), *(call.names or ()))
    inputs = tuple(_in_names(each, names) if call.names else each for each in use.inputs)
    return replace(use, extension=extension, inputs=inputs)


def _in_names(body: tree.Expression, names: tuple[tree.Name, ...]) -> tree.Expression:
    """An input of a call, whose indices have these names; a bare variable needs none."""
    if isinstance(body, tree.Reference) and body.indices is None:
        return body
    everywhere = tree.DomainText((tree.Polyhedron(names, (), span=body.span),), span=body.span)
    return tree.RestrictExpression(everywhere, body, replaces=True, span=body.span)


def _result(expression: tree.Expression) -> tree.Name:
    """A result of a call is a variable, or one with just its indices."""
    if isinstance(expression, tree.Reference) and all(map(_is_name, expression.indices or ())):
        return expression.name
    remedy = "give it a local, and compute from that"
    raise unreadable("a result of a call is a variable of its own", expression.span, remedy)


_TYPE = re.compile(r"//@[ \t]*type[ \t]+(?P<names>[^=\n]+)=[ \t]*(?P<type>[a-z ]+?)[ \t\r]*$", re.M)


def _is_name(affine: tree.AffineText) -> bool:
    (first, *others) = affine.terms
    return not others and first.name is not None and first.coefficient == 1


# `//@ type f = int(int, double)`
_FUNCTION = re.compile(
    r"//@[ \t]*type[ \t]+(?P<name>\w+)[ \t]*=[ \t]*(?P<type>[a-z ]+?)[ \t]*\((?P<types>[a-z ,\t]*)\)[ \t\r]*$", re.M
)


def _typed_function(external: tree.External, text: str) -> tree.External:
    """The function with the types that a line for it says; an empty place has none."""
    for found in _FUNCTION.finditer(text):
        types = [each.strip() for each in found["types"].split(",")] if found["types"].strip() else []
        if found["name"] == external.name.text and len(types) == len(external.arguments):
            arguments = tuple(tree.TypeName(each, span=external.span) if each else None for each in types)
            return replace(external, type=tree.TypeName(found["type"], span=external.span), arguments=arguments)
    return external


def _typed(system: tree.SystemText, text: str) -> tree.SystemText:
    """The system with the types that its lines `//@ type A, B = int` say."""
    inside = text[system.span.start : system.span.end]
    types = {name.strip(): found["type"] for found in _TYPE.finditer(inside) for name in found["names"].split(",")}
    if not types:
        return system

    def typed(declarations: tuple[tree.Declaration, ...]) -> tuple[tree.Declaration, ...]:
        return tuple(
            replace(each, names=(name,), type=replace(each.type, text=types.get(name.text, each.type.text)))
            for each in declarations
            for name in each.names
        )

    return replace(system, inputs=typed(system.inputs), outputs=typed(system.outputs), locals=typed(system.locals))
