"""Rules of `grammar/alpha.lark` -> nodes of `tree.py`: one method for each rule, called at each reduction.

Variables of the successor language have no types: they are double, unless a line `//@ type A, B = int` states another
type.
Source: the published grammar of the Alpha language of Colorado State University (Xtext)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from alphaz.diagnostics import Span
from alphaz.syntax import tree
from alphaz.syntax.alpha_bodies import Body, Statement, join_bodies
from alphaz.syntax.alpha_sets import (
    AlphaPiece,
    Condition,
    Defined,
    Linear,
    SetBuilder,
    Union,
    domain,
    name_of,
    plain,
    system_name_of,
    typed_function,
    typed_system,
    unreadable,
)
from alphaz.syntax.build import (
    Children,
    EquationHead,
    OperatorToken,
    Section,
    Several,
    integer,
    is_word,
    items,
    of_kind,
)
from alphaz.syntax.lexeme import whole

_OPERATORS = {"sum": "+", "prod": "*"}
_REAL = "double"


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a system during parsing."""

    name: tree.Name
    parameters: tree.DomainText
    definitions: dict[str, tree.DomainText]
    span: Span


@dataclass(frozen=True, slots=True)
class AlphaCall:
    """The part of a call before its results."""

    extension: "tree.DomainText | Defined | None"
    names: tuple[tree.Name, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class AlphaDefinition:
    """`name = set`, in the head of a system."""

    name: str
    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Definitions:
    """The named sets in the head of a system."""

    values: dict[str, tree.DomainText]
    span: Span


@dataclass(frozen=True, slots=True)
class CallText:
    """A call with its extension."""

    head: AlphaCall | None
    use: tree.UseText
    span: Span


@dataclass(frozen=True, slots=True)
class BodyText:
    """A body before the sets that the head defines are inserted in its calls."""

    when: Condition | None
    otherwise: bool
    equations: tuple[tree.EquationText | CallText, ...]
    span: Span

    def settled(self, head: Head) -> Body:
        equations = tuple(_statement(equation, head) for equation in self.equations)
        return Body(self.when, self.otherwise, equations, self.span)


class AlphaBuilder(SetBuilder):
    """Expressions, systems and whole files."""

    def restricting(self, children: Children) -> tree.DomainText:
        only = children[0]
        return domain([AlphaPiece(None, only, only.span)], only.span) if isinstance(only, Condition) else only

    def restricted(self, children: Children) -> tree.ExpressionNode:
        text, _, body = children
        names = bool(text.polyhedra[0].names)
        return tree.RestrictExpression(text, body, replaces=names, span=whole(children))

    def automatic(self, children: Children) -> tree.ExpressionNode:
        return tree.AutoExpression(children[2], span=whole(children))

    def everywhere(self, children: Children) -> tree.ExpressionNode:
        constant: tree.ExpressionNode = children[0]
        return replace(constant, span=whole(children))

    def call(self, children: Children) -> tree.ExpressionNode:
        name, arguments = name_of(children[0]), items(children)
        if name.text in _OPERATORS and len(arguments) > 1:
            return tree.OperatorCall(_OPERATORS[name.text], arguments, span=whole(children))
        return tree.FunctionCall(name, arguments, span=whole(children))

    def operator_call(self, children: Children) -> tree.ExpressionNode:
        arguments = of_kind(tree.ExpressionNode, children)
        if len(arguments) == 1:
            only: tree.ExpressionNode = replace(arguments[0], span=whole(children))
            return only
        return tree.OperatorCall(children[0].text, arguments, span=whole(children))

    def reduction_operator(self, children: Children) -> OperatorToken:
        text = plain(children[0])
        return OperatorToken(_OPERATORS.get(text, text), children[0].span)

    def access(self, children: Children) -> tree.ExpressionNode:
        indices = tuple(child.text() for child in items(children))
        return tree.Reference(name_of(children[0]), indices, span=whole(children))

    def variable(self, children: Children) -> tree.ExpressionNode:
        return tree.Reference(name_of(children[0]), span=whole(children))

    def index(self, children: Children) -> tree.ExpressionNode:
        (value,) = of_kind(Linear, children)
        return tree.IndexExpression(value.text(), span=whole(children))

    def val(self, children: Children) -> tree.ExpressionNode:
        function: tree.FunctionText = children[1]
        if len(function.outputs) != 1:
            raise unreadable("`val` takes a function with one value", function.span, "write one index expression")
        return tree.ValExpression(function.names, function.outputs[0], span=whole(children))

    def case(self, children: Children) -> tree.ExpressionNode:
        return tree.CaseExpression(of_kind(tree.ExpressionNode, children), span=whole(children))

    def binary(self, children: Children) -> tree.ExpressionNode:
        left, operator, right = children
        return tree.BinaryExpression(operator.text, left, right, span=whole(children))

    # --- systems ------------------------------------------------------------------------------------------------

    def qualified(self, children: Children) -> tree.Name:
        """Returns the last word of a qualified name: packages are dropped."""
        return replace(system_name_of(children[-1]), span=whole(children))

    def external(self, children: Children) -> tree.ExternalNode:
        real = tree.TypeName(_REAL, span=children[0].span)
        return tree.ExternalNode(real, name_of(children[1]), (real,) * integer(children[3]), span=whole(children))

    def parameters(self, children: Children) -> tree.DomainText:
        condition: Condition = children[-1]
        cases = condition.cases or ((),)
        polyhedra = tuple(tree.Polyhedron(items(children), case, span=whole(children)) for case in cases)
        return tree.DomainText(polyhedra, span=whole(children))

    def definition(self, children: Children) -> AlphaDefinition:
        return AlphaDefinition(plain(children[0]), children[2], whole(children))

    def definitions(self, children: Children) -> Definitions:
        domains: dict[str, tree.DomainText] = {}
        for definition in of_kind(AlphaDefinition, children):
            domains[definition.name] = _settled(definition.value, domains)
        return Definitions(domains, whole(children))

    def system_head(self, children: Children) -> Head:
        definitions = of_kind(Definitions, children)
        known = definitions[0].values if definitions else {}
        span = children[0].span.to(children[2].span)
        return Head(system_name_of(children[1]), children[2], known, span)

    def equation_head(self, children: Children) -> EquationHead:
        indices = items(children) if len(children) > 2 else None
        return EquationHead(name_of(children[0]), indices, whole(children))

    def standard_equation(self, children: Children) -> tree.EquationText:
        head, body, _ = children
        return tree.EquationText(head.name, head.indices, body, span=whole(children))

    def declaration(self, children: Children) -> Section:
        """Returns a declaration whose set may still be a name."""
        return Section("", (items(children), children[2]), whole(children))

    def loop(self, children: Children) -> Section:
        return Section("over", (children[1], children[4]), whole(children))

    def over(self, children: Children) -> Section:
        return Section("over", (children[1],), whole(children))

    def dimensions(self, children: Children) -> Section:
        return Section("with", (items(children),), whole(children))

    def use_head(self, children: Children) -> AlphaCall:
        sections = {section.keyword: section.items[0] for section in of_kind(Section, children)}
        return AlphaCall(sections.get("over"), sections.get("with"), whole(children))

    def when(self, children: Children) -> Section:
        return Section(children[0].text, of_kind(Condition, children), whole(children))

    def body(self, children: Children) -> BodyText:
        heads = of_kind(Section, children)
        condition = heads[0].items[0] if heads and heads[0].items else None
        otherwise = bool(heads) and heads[0].keyword == "else"
        equations = tuple(child for child in children if isinstance(child, tree.EquationText | CallText))
        return BodyText(condition, otherwise, equations, whole(children))

    def use_equation(self, children: Children) -> CallText:
        heads = of_kind(AlphaCall, children)
        equals = next(position for position, child in enumerate(children) if is_word(child, "EQUALS"))
        results = next((c.items for c in children[:equals] if isinstance(c, Several)), ())
        if not results:
            raise unreadable("this call has no results", whole(children), "leave it out: nothing can read it")
        behind = children[equals + 1 :]
        bracket = next(position for position, child in enumerate(behind) if is_word(child, "RSQB"))
        parameters = tuple(parameter.text() for parameter in items(behind[:bracket]))
        inputs = items(behind[bracket:])
        name: tree.Name = behind[0]
        outputs = tuple(map(_result, results))
        use = tree.UseText(None, name, parameters, inputs, outputs, span=whole(children))
        return CallText(heads[0] if heads else None, use, whole(children))

    def system(self, children: Children) -> tree.SystemText:
        head: Head = children[0]
        sections = {s.keyword: s.items for s in of_kind(Section, children)}
        inputs, outputs, local = (
            tuple(_declared(declaration, head) for declaration in sections.get(keyword, ()))
            for keyword in ("inputs", "outputs", "locals")
        )
        loop = None
        if "over" in sections:
            where, condition = sections["over"]
            loop = tree.WhileText(_settled(where, head.definitions), condition, span=whole(children))
        bodies = [body.settled(head) for body in of_kind(BodyText, children)]
        together = (
            join_bodies(bodies, outputs, local)
            if bodies
            else join_bodies([Body(None, False, (), head.span)], (), local)
        )
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
        """Ignores imports: systems of other files are not loaded, and a call of one is a finding."""
        return Several((), whole(children))

    def _section(self, children: Children) -> Section:
        return Section(children[0].text, tuple(children[1:]), whole(children))

    inputs = outputs = locals = _section

    def bundle(self, children: Children) -> tree.ProgramText:
        elements = list(_elements(children))
        if not elements:
            return tree.ProgramText((), ())
        source = elements[0].span.source
        systems = tuple(typed_system(system, source.text) for system in of_kind(tree.SystemText, elements))
        externals = tuple(typed_function(function, source.text) for function in of_kind(tree.ExternalNode, elements))
        return tree.ProgramText(externals, systems, span=whole(children))


def _elements(children: Children) -> Iterable[Any]:
    for child in children:
        if isinstance(child, Several):
            yield from child.items
        elif isinstance(child, tree.ExternalNode | tree.SystemText):
            yield child


def _settled(value: Any, known: dict[str, tree.DomainText]) -> tree.DomainText:
    """A set with every name replaced by its definition in the head of the system."""
    match value:
        case Defined(name, span):
            if name not in known:
                raise unreadable(f"no set is called `{name}`", span, "define it in the head of the system")
            return replace(known[name], span=span)
        case Union(parts, span):
            resolved = [_settled(part, known) for part in parts]
            return tree.DomainText(tuple(p for part in resolved for p in part.polyhedra), span=span)
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
    """A call with its extension, and names for the indices of its inputs."""
    if isinstance(item, tree.EquationText):
        return item
    call, use = item.head, item.use
    if call is None:
        return use
    extension = None if call.extension is None else _settled(call.extension, head.definitions)
    names = (*(extension.polyhedra[0].names if extension else ()), *(call.names or ()))
    inputs = tuple(_in_names(input_, names) if call.names else input_ for input_ in use.inputs)
    return replace(use, extension=extension, inputs=inputs)


def _in_names(body: tree.ExpressionNode, names: tuple[tree.Name, ...]) -> tree.ExpressionNode:
    """An input of a call with these index names; a bare variable needs none."""
    if isinstance(body, tree.Reference) and body.indices is None:
        return body
    everywhere = tree.DomainText((tree.Polyhedron(names, (), span=body.span),), span=body.span)
    return tree.RestrictExpression(everywhere, body, replaces=True, span=body.span)


def _result(expression: tree.ExpressionNode) -> tree.Name:
    """The variable of a result of a call: a variable, or one with exactly its indices."""
    if isinstance(expression, tree.Reference) and all(map(_is_name, expression.indices or ())):
        return expression.name
    remedy = "give it a local, and compute from that"
    raise unreadable("a result of a call is a variable of its own", expression.span, remedy)


def _is_name(affine: tree.AffineText) -> bool:
    (first, *others) = affine.terms
    return not others and first.name is not None and first.coefficient == 1
