"""Reads C: from text to the tree. Headers are not read; a text with macros is preprocessed before."""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser, ParseError

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import BRACES, EXTENTS, EXTENTS_TYPE, NUMBERS, is_device, space_of
from alphaz.c.pragmas import is_about_statement, is_standalone, read_directive
from alphaz.c.preparation import PreparedText, prepare
from alphaz.c.printer import expression_text
from alphaz.diagnostics import Diagnostic, Label, Rejected, Rule, Source
from alphaz.diagnostics.rules import C_OUTSIDE, C_SYNTAX

Statements = tuple[c.Statement, ...]

_FILE = "text"
_SIZES = ("char", "short", "int", "float", "double", "void", "bool", "_Bool", "__int128", "_Complex")
_OF_OTHERS = re.compile(r"\b(?:template|namespace|using|class)\b")
_WORDS = frozenset({"unsigned", "signed", "long", *_SIZES})
_CONVERSIONS = {f"{name[:-1]}$": name for name in NUMBERS}


class _Lexer(CLexer):  # type: ignore[misc]
    """Knows the last token, which some messages of pycparser do not name.

    Gives `[*n]` as `[(*n)]`: pycparser takes the star of `[*` for an array of unknown length.
    """

    last: Any = None

    def input(self, *arguments: str) -> None:
        super().input(*arguments)
        self.tokens = self._tokens()

    def token(self) -> Any:
        token = next(self.tokens, None)
        if token is not None:
            self.last = token
        return token

    def _tokens(self) -> Iterator[Any]:
        """Yields the tokens. `added`: for each open bracket, whether a parenthesis was added behind it."""
        before, added = "", list[bool]()
        while (token := super().token()) is not None:
            if token.type == "TIMES" and before == "LBRACKET" and (after := super().token()) is not None:
                added[-1] = after.type != "RBRACKET"
                yield from (_parenthesis("LPAREN", "(", token), token) if added[-1] else (token,)
                token = after
            if token.type == "LBRACKET":
                added.append(False)
            elif token.type == "RBRACKET" and added and added.pop():
                yield _parenthesis("RPAREN", ")", token)
            yield token
            before = token.type


def _parenthesis(kind: str, text: str, token: Any) -> Any:
    parenthesis = copy(token)
    parenthesis.type, parenthesis.value = kind, text
    return parenthesis


def parse(source: Source, text: str | None = None, types: Iterable[str] = (), *, is_partial: bool = False) -> c.File:
    """Returns the tree of a source, or of its preprocessed `text`, whose line marks lead to the source.

    `types` are names that headers define, besides those of the standard. `is_partial`: a declaration of file scope, or
    the body of a function, that has a construct that the tree lacks is Unsupported.

    Raises Rejected: AZ831 for a syntax error, AZ832 for constructs that the tree lacks.
    """
    prepared = prepare(source.text if text is None else text)
    reader, parser = _Reader(source, prepared, is_partial=is_partial), CParser(lexer=_Lexer)
    if prepared.splice is not None:
        raise reader.refuse(prepared.splice, "compilers differ about the end of this line")
    if prepared.directive is not None:
        raise reader.refuse(prepared.directive, "a macro or a condition is not supported here", "preprocess the text")
    if prepared.stray is not None:
        raise reader.refuse(
            prepared.stray, "this is no C: a directive needs a line of its own, between statements", rule=C_SYNTAX
        )
    try:
        typedefs = [f"typedef int {name};" for name in (*prepared.types, *types)]
        tree = parser.parse(f'{" ".join(typedefs)}\n# 1 "{_FILE}"\n{prepared.text}', _FILE)
        items = reader.items(tree.ext[len(typedefs) :])
        reader.check_qualifiers()
    except ParseError as problem:
        raise reader.fail(str(problem), parser.clex.last) from None
    except RecursionError:
        raise reader.fail("nesting is too deep", parser.clex.last) from None
    return c.File(items, prepared.includes, prepared.constants)


def parse_expression(text: str) -> c.Expression | None:
    """Returns an expression, of names that are no types; None if the text is none."""
    source = Source("expression", f"void f(void) {{ {text}; }}")
    try:
        (function,) = parse(source).items
    except (Rejected, ValueError):
        return None
    match function:
        case c.Function(body=(c.Evaluate(expression),)):
            return expression
        case c.Function(body=(c.Assign(target, value, operator),)):
            return c.Set(operator, target, value)
    return None


class _Reader:
    """The conversion of the nodes of pycparser. `device`: inside a function of a GPU."""

    def __init__(self, source: Source, prepared: PreparedText, *, is_partial: bool) -> None:
        self.source = source
        self.prepared = prepared
        self.is_partial = is_partial
        self.device = False
        self.defined: set[int] = set()
        self.qualified: set[int] = set()

    # --- places ---------------------------------------------------------------------------------------------------

    def at(self, node: Any) -> c.SourcePlace | None:
        coord = node.coord
        return None if coord is None else self.prepared.place(coord.line, coord.column or 1)

    def place(self, node: Any) -> c.SourcePlace:
        return self.at(node) or c.SourcePlace("", 1, 1)

    def offset(self, node: Any) -> int:
        coord = node.coord
        return 0 if coord is None else self.prepared.offset(coord.line, coord.column or 1)

    def refuse(self, place: c.SourcePlace, what: str, remedy: str | None = None, rule: Rule = C_OUTSIDE) -> Rejected:
        return Rejected(Diagnostic(rule, what, Label(self.source.word_at(place.line, place.column)), help=remedy))

    def outside(self, node: Any, what: str, remedy: str | None = None) -> Rejected:
        return self.refuse(self.place(node), f"{what} is not supported", remedy)

    def fail(self, problem: str, last: Any) -> Rejected:
        """Returns the finding for a message of pycparser, `text:3:5: before: x`, or one without a place."""
        file, *rest = problem.split(":", 3)
        is_placed = file == _FILE and len(rest) == 3 and rest[0].isdigit() and rest[1].isdigit()
        line, column = (rest[0], rest[1]) if is_placed else (getattr(last, "lineno", 1), getattr(last, "column", 1))
        place = self.prepared.place(int(line), int(column))
        what = rest[2].strip() if is_placed else problem.rpartition(": ")[2]
        remedy = "templates, namespaces and classes of C++ are not supported: write C, with one function for each type"
        is_other = _OF_OTHERS.search(self.prepared.plain) is not None
        return self.refuse(place, f"cannot parse this C: {what}", remedy if is_other else None, rule=C_SYNTAX)

    # --- types ----------------------------------------------------------------------------------------------------

    def type(self, node: Any) -> c.Type:
        qualifiers = getattr(node, "quals", None) or getattr(node, "dim_quals", None) or []
        if not {*qualifiers} <= {"const", "volatile", "restrict", "static"}:
            raise self.outside(node, f"`{' '.join(qualifiers)}`")
        const, volatile, restrict = (word in qualifiers for word in ("const", "volatile", "restrict"))
        match node:
            case c_ast.Typename(type=inner):
                return self.type(inner)
            case c_ast.PtrDecl(type=to):
                return c.Pointer(self.type(to), restrict, const=const, volatile=volatile)
            case c_ast.ArrayDecl(type=of, dim=dim):
                extent, static = None if dim is None else self.value(dim), "static" in qualifiers
                return c.Array(self.type(of), extent, restrict, static, const=const, volatile=volatile)
            case c_ast.FuncDecl(type=result):
                parameters, variadic = self.parameters(node)
                return c.Signature(self.type(result), tuple(parameter.type for parameter in parameters), variadic)
            case c_ast.TypeDecl(type=inner) if not restrict:
                return self.base(inner, const, volatile)
        raise self.outside(node, "this type")

    def base(self, node: Any, const: bool = False, volatile: bool = False) -> c.Type:
        match node:
            case c_ast.IdentifierType(names=[name]) if name not in _WORDS:
                return c.Named(name, const=const, volatile=volatile)
            case c_ast.IdentifierType(names=names) if {*names} <= _WORDS:
                return c.Scalar(_spelled(names), const=const, volatile=volatile)
            case c_ast.Struct(name=name, decls=fields) | c_ast.Union(name=name, decls=fields):
                own = None if fields is None or self.is_again(node) else tuple(map(self.field, fields))
                word = "struct" if isinstance(node, c_ast.Struct) else "union"
                return c.Record(name or "", own, word, const=const, volatile=volatile)
            case c_ast.Enum(name=name, values=values):
                constants = (
                    None if values is None or self.is_again(node) else tuple(map(self.constant, values.enumerators))
                )
                return c.Enumeration(name or "", constants, const=const, volatile=volatile)
        raise self.outside(node, "this type")

    def is_again(self, node: Any) -> bool:
        """Returns True for a definition that a declaration in front shares."""
        if id(node) not in self.defined:
            self.defined.add(id(node))
            return False
        if not node.name:
            raise self.outside(node, "one type without a name for several names", "give the type a name")
        return True

    def field(self, node: Any) -> c.Parameter:
        if not isinstance(node, c_ast.Decl) or node.bitsize is not None:
            raise self.outside(node, "this member of a structure")
        return c.Parameter(
            self.type(node.type) if node.name else self.base(node.type), node.name or "", at=self.at(node)
        )

    def constant(self, node: Any) -> tuple[str, c.Expression | None]:
        return node.name, None if node.value is None else self.value(node.value)

    def parameters(self, function: Any) -> tuple[tuple[c.Parameter, ...], bool]:
        listed = [] if function.args is None else list(function.args.params)
        variadic = bool(listed) and isinstance(listed[-1], c_ast.EllipsisParam)
        parameters = tuple(self.parameter(one) for one in (listed[:-1] if variadic else listed))
        return (
            () if [(parameter.type, parameter.name) for parameter in parameters] == [(c.VOID, "")] else parameters
        ), variadic

    def parameter(self, node: Any) -> c.Parameter:
        if not isinstance(node, c_ast.Decl | c_ast.Typename):
            raise self.outside(node, "an old-style (K&R) parameter declaration", "use a prototype: `f(long n)`")
        return c.Parameter(self.type(node.type), node.name or "", at=self.at(node))

    # --- expressions ----------------------------------------------------------------------------------------------

    def value(self, node: Any) -> c.Expression:
        place = self.at(node)
        match node:
            case c_ast.Constant(type="string", value=text):
                return c.String(text, at=place)
            case c_ast.Constant(value=text):
                return c.Literal(text, at=place)
            case c_ast.ID(name=name):
                return c.Name(name, at=place)
            case c_ast.BinaryOp(op=operator, left=left, right=right):
                return c.Binary(operator, self.value(left), self.value(right), at=place)
            case c_ast.ArrayRef(name=base, subscript=index):
                return c.Index(self.value(base), self.value(index), at=place)
            case c_ast.StructRef(name=base, type=sign, field=field):
                return c.Member(self.value(base), field.name, sign == "->", at=place)
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=arguments):
                return self.call(name, self.listed(arguments), place)
            case c_ast.FuncCall(name=function, args=arguments) if not self.is_launch(node):
                return c.Call(self.value(function), self.listed(arguments), at=place)
            case c_ast.UnaryOp():
                return self.unary(node)
        return self.other_value(node)

    def call(self, name: str, arguments: tuple[c.Expression, ...], at: c.SourcePlace | None) -> c.Expression:
        """Returns a call by a name, or the conversion of C that it stands for."""
        match _CONVERSIONS.get(name), arguments:
            case str(to), (operand,):
                return c.Cast(c.Scalar(_spelled([to])) if to in _WORDS else c.Named(to), operand, at=at)
        return c.Call("dim3" if name in (EXTENTS, BRACES) else name, arguments, at=at)

    def other_value(self, node: Any) -> c.Expression:
        place = self.at(node)
        match node:
            case c_ast.TernaryOp(cond=test, iftrue=then, iffalse=otherwise):
                return c.Ternary(self.value(test), self.value(then), self.value(otherwise), at=place)
            case c_ast.Cast(to_type=type_, expr=operand):
                return c.Cast(self.type(type_), self.value(operand), at=place)
            case c_ast.Assignment(op=operator, lvalue=target, rvalue=value):
                return c.Set(operator, self.value(target), self.value(value), at=place)
            case c_ast.ExprList(exprs=values):
                return c.Comma(tuple(map(self.value, values)), at=place)
            case c_ast.CompoundLiteral(type=type_, init=values):
                return c.Compound(self.type(type_), self.init(values), at=place)
            case c_ast.InitList():
                return self.init(node)
        raise self.outside(node, "this expression")

    def unary(self, node: Any) -> c.Expression:
        at, operator = self.at(node), node.op
        if operator == "sizeof":
            is_type = isinstance(node.expr, c_ast.Typename)
            return c.SizeOf(self.type(node.expr) if is_type else self.value(node.expr), at=at)
        operand = self.value(node.expr)
        if operator in ("++", "--", "p++", "p--"):
            return c.Step(operator.removeprefix("p"), not operator.startswith("p"), operand, at=at)
        if operator not in "-+!~&*":
            raise self.outside(node, f"`{operator}`")
        return c.Unary(operator, operand, at=at)

    def listed(self, arguments: Any) -> tuple[c.Expression, ...]:
        return () if arguments is None else tuple(map(self.value, arguments.exprs))

    def init(self, node: Any) -> c.Init:
        values: list[tuple[tuple[str | c.Expression, ...], c.Expression]] = []
        for expr in node.exprs or []:
            if isinstance(expr, c_ast.NamedInitializer):
                values.append((tuple(map(self.designator, expr.name)), self.value(expr.expr)))
            else:
                values.append(((), self.value(expr)))
        return c.Init(tuple(values), at=self.at(node))

    def designator(self, node: Any) -> str | c.Expression:
        """Returns a field, or a subscript, which only some versions of pycparser put into a node of its own."""
        if isinstance(node, c_ast.ID) and self.prepared.plain[: self.offset(node)].rstrip().endswith("."):
            return str(node.name)
        return self.value(node.expr if hasattr(node, "expr") and not hasattr(node, "op") else node)

    def is_launch(self, node: Any) -> bool:
        return (
            isinstance(node.name, c_ast.FuncCall)
            and isinstance(node.name.name, c_ast.ID)
            and self.offset(node.name.name) in self.prepared.words.launches
        )

    def is_sizes(self, node: Any) -> bool:
        """Returns True for the declaration of the sizes of a launch, `dim3 name(x, y)`."""
        is_call = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
        return is_call and self.offset(node.name) in self.prepared.words.sizes

    # --- statements -----------------------------------------------------------------------------------------------

    def row(self, nodes: Sequence[Any]) -> Statements:
        """Returns statements, each directive with the one behind it."""
        statements: list[c.Statement] = []
        left = [part for node in nodes for part in _unwrapped(node)]
        while left:
            statements += self.next(left)
        return tuple(statements)

    def next(self, left: list[Any]) -> Statements:
        """Takes the first statement, and returns it: with a directive, the statement that it is about, too."""
        node = left.pop(0)
        if not isinstance(node, c_ast.Pragma):
            return self.statement(node)
        text = self.pragma_text(node)
        read = read_directive(text, parse_expression)
        if read is None:
            return (c.Pragma(text, at=self.at(node)),)
        directive, clauses = read
        if is_standalone(directive):
            return (c.Omp(directive, clauses, None, at=self.at(node)),)
        if not left:
            raise self.refuse(self.place(node), "a directive must be followed by a statement", rule=C_SYNTAX)
        body: Statements = ()
        while left:
            is_line = isinstance(left[0], c_ast.Pragma)
            here = self.next(left)
            body = (*body, *here)
            if not is_line or not all(isinstance(one, c.Pragma) for one in here):
                break
        if "sections" in directive.split() and not (body and isinstance(body[-1], c.Block)):
            raise self.refuse(self.place(node), f"this is no C: `omp {directive}` needs a block", rule=C_SYNTAX)
        body = body if is_about_statement(directive) else _inside(body)
        return (c.Omp(directive, clauses, body, at=self.at(node)),)

    def pragma_text(self, node: Any) -> str:
        if not isinstance(node.string, str):
            raise self.outside(node, "`_Pragma`", "write `#pragma`")
        return " ".join(node.string.split())

    def body(self, node: Any) -> Statements:
        if node is None:
            return ()
        if not isinstance(node, c_ast.Compound):
            return self.row([node])
        statements = self.row(node.block_items or [])
        has_braces = self.prepared.plain[self.offset(node)] == "{"
        if not has_braces and any(isinstance(statement, c.Omp) and statement.body is None for statement in statements):
            raise self.refuse(self.place(node), "this is no C: this directive needs a block around it", rule=C_SYNTAX)
        return statements

    def statement(self, node: Any) -> Statements:
        place = self.at(node)
        match node:
            case c_ast.EmptyStatement():
                return ()
            case c_ast.Decl() | c_ast.Typedef() | c_ast.FuncDef() | c_ast.StaticAssert():
                return (self.declared(node),)
            case c_ast.DeclList(decls=declarations):
                return tuple(map(self.declared, declarations))
            case c_ast.Assignment(op=operator, lvalue=target, rvalue=value):
                return (c.Assign(self.value(target), self.value(value), operator, at=place),)
            case c_ast.If(cond=test, iftrue=then, iffalse=otherwise):
                return (c.If(self.value(test), self.body(then), self.body(otherwise), at=place),)
            case c_ast.For():
                return (self.loop(node),)
            case c_ast.While(cond=test, stmt=body):
                return (c.While(self.value(test), self.body(body), at=place),)
            case c_ast.DoWhile(cond=test, stmt=body):
                return (c.DoWhile(self.body(body), self.value(test), at=place),)
            case c_ast.Compound():
                return (c.Block(self.body(node), at=place),)
            case c_ast.FuncCall() if self.is_launch(node):
                return (self.launch(node),)
        return self.jump(node)

    def jump(self, node: Any) -> Statements:
        place = self.at(node)
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=sizes) if self.is_sizes(node):
                return (
                    c.Declare(
                        c.Named(EXTENTS_TYPE), name, c.Call(EXTENTS_TYPE, self.listed(sizes), at=place), at=place
                    ),
                )
            case c_ast.ExprList(exprs=several) if any(map(self.is_sizes, several)):
                return self.row(several)
            case c_ast.Return(expr=value):
                return (c.Return(None if value is None else self.value(value), at=place),)
            case c_ast.Break():
                return (c.Break(at=place),)
            case c_ast.Continue():
                return (c.Continue(at=place),)
            case c_ast.Goto(name=label):
                return (c.Goto(label, at=place),)
            case c_ast.Label(name=name, stmt=statement):
                return (c.Label(name, at=place), *(() if statement is None else self.row([statement])))
            case c_ast.Switch(cond=value, stmt=body):
                return (c.Switch(self.value(value), tuple(self.cases(body)), at=place),)
        return (c.Evaluate(self.value(node), at=place),)

    def cases(self, body: Any) -> Iterator[tuple[c.Expression | None, Statements]]:
        for one in (body.block_items or []) if isinstance(body, c_ast.Compound) else [body]:
            match one:
                case c_ast.Case(expr=value, stmts=statements):
                    yield self.value(value), self.row(statements or [])
                case c_ast.Default(stmts=statements):
                    yield None, self.row(statements or [])
                case _:
                    raise self.outside(one, "a statement of `switch` in front of its cases")

    def loop(self, node: Any) -> c.For:
        start = self.row(_apart(node.init)) if node.init is not None else ()
        test = None if node.cond is None else self.value(node.cond)
        steps = tuple(map(self.value, _apart(node.next))) if node.next is not None else ()
        return c.For(start=start, test=test, steps=steps, body=self.body(node.stmt), at=self.at(node))

    def launch(self, node: Any) -> c.Launch:
        shape = self.listed(node.name.args)
        if not 2 <= len(shape) <= 4:
            raise self.outside(node, "a launch without grid and block")
        bytes_, stream = (shape[at] if at < len(shape) else None for at in (2, 3))
        return c.Launch(
            kernel=node.name.name.name, grid=_extents(shape[0]), block=_extents(shape[1]),
            arguments=self.listed(node.args), bytes=bytes_, stream=stream, at=self.at(node),
        )  # fmt: skip

    # --- declarations ---------------------------------------------------------------------------------------------

    def items(self, nodes: Sequence[Any]) -> tuple[c.Item, ...]:
        pragmas = (c_ast.Pragma, c_ast.EmptyStatement)
        items: list[c.Item] = []
        for node in nodes:
            if isinstance(node, c_ast.Pragma):
                items.append(c.Pragma(self.pragma_text(node), at=self.at(node)))
            elif not isinstance(node, pragmas):
                items.append(self.item(node))
        return tuple(items)

    def item(self, node: Any) -> c.Item:
        try:
            return self.declared(node)
        except Rejected as problem:
            return self.unsupported(problem, tuple(_declared_names(node)))

    def unsupported(self, problem: Rejected, names: tuple[str, ...] = ()) -> c.Unsupported:
        """Returns the node for a refused construct. Raises the problem again if the whole text must be read."""
        (only,) = problem.diagnostics
        if not self.is_partial or only.rule is not C_OUTSIDE or only.primary is None:
            raise problem
        line, column = only.primary.span.position
        return c.Unsupported(only.message, only.help, names, at=c.SourcePlace("", line, column))

    def declared(self, node: Any) -> c.Function | c.Declare | c.Typedef | c.Opaque:
        place = self.at(node)
        match node:
            case c_ast.FuncDef(decl=head, body=body):
                if node.param_decls:
                    raise self.outside(node, "an old-style (K&R) parameter declaration", "use a prototype: `f(long n)`")
                return self.function(head, body)
            case c_ast.Typedef(name=name, type=type_):
                size, read = self.prepared.vectors.get(name), self.type(type_)
                if size is not None and isinstance(read, c.Scalar | c.Named):
                    read = c.Vector(read, size)
                return c.Typedef(read, name, at=place)
            case c_ast.Decl(type=c_ast.FuncDecl()):
                return self.function(node, None)
            case c_ast.Decl():
                return self.variable(node)
            case c_ast.StaticAssert(cond=test, message=message):
                reason = f", {message.value}" if message is not None else ""
                return c.Opaque(f"_Static_assert({expression_text(self.value(test))}{reason});", at=place)
        raise self.outside(node, "this declaration")

    def variable(self, node: Any) -> c.Declare:
        type_ = self.type(node.type) if node.name else self.base(node.type)
        if node.funcspec or node.bitsize is not None or len(node.align or []) > 1:
            raise self.outside(node, "this declaration")
        align = self.value(node.align[0].alignment) if node.align else None
        space = space_of(self.qualifiers(node))
        if space is c.AddressSpace.HOST and self.device and not node.storage:
            space = c.AddressSpace.REGISTER
        value = None if node.init is None else self.value(node.init)
        return c.Declare(
            type=type_, name=node.name or "", value=value, storage=" ".join(node.storage), space=space, align=align,
            at=self.at(node),
        )  # fmt: skip

    def qualifiers(self, node: Any) -> tuple[str, ...]:
        """Returns the words of CUDA in a declaration in front of this name."""
        offset = self.offset(node)
        begin = max(self.prepared.plain.rfind(sign, 0, offset) for sign in ";{}")
        words = self.prepared.words.of(begin, offset)
        self.qualified |= words.keys()
        return tuple(words.values())

    def check_qualifiers(self) -> None:
        """Raises Rejected for a word of CUDA that belongs to no function and no variable."""
        for at, word in self.prepared.words.qualifiers:
            if at not in self.qualified:
                raise self.refuse(self.prepared.place_at(at), f"`{word}` is not supported here")

    def whole_body(self, body: Any) -> Statements:
        try:
            return self.body(body)
        except Rejected as problem:
            return (self.unsupported(problem),)

    def function(self, head: Any, body: Any) -> c.Function:
        parameters, variadic = self.parameters(head.type)
        qualifiers = (*self.qualifiers(head), *head.funcspec)
        around, self.device = self.device, is_device(qualifiers)
        inside = None if body is None else self.whole_body(body)
        self.device = around
        return c.Function(
            type=self.type(head.type.type), name=head.name, parameters=parameters, body=inside,
            storage=" ".join(head.storage), qualifiers=qualifiers, variadic=variadic, at=self.at(head),
        )  # fmt: skip


def _declared_names(node: Any) -> Iterator[str]:
    """Yields the names that a declaration of file scope gives to objects, functions, types and constants."""
    if isinstance(node, c_ast.FuncDef):
        node = node.decl
    if isinstance(node, c_ast.Decl | c_ast.Typedef) and node.name:
        yield node.name
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, c_ast.Struct | c_ast.Union | c_ast.Enum | c_ast.Enumerator) and part.name:
            yield part.name
        # The names of parameters end with them.
        waiting += [inside for _, inside in part.children() if not isinstance(inside, c_ast.ParamList)]


def _spelled(words: Sequence[str]) -> str:
    """Returns a type of the words of C in one spelling: `unsigned long` for `long unsigned int`."""
    rest = [word for word in words if word in _SIZES]
    sign = "unsigned" if "unsigned" in words else "signed" if "signed" in words and "char" in words else ""
    size = [word for word in rest if word != "int"] or ([] if "long" in words else ["int"])
    return " ".join(filter(None, (sign, *(word for word in words if word == "long"), *size)))


def _unwrapped(node: Any) -> list[Any]:
    """Returns a directive and its statement, which pycparser puts into a block where there must be one statement."""
    match node:
        case c_ast.Compound(block_items=[c_ast.Pragma() as first, *_] as items) if node.coord.line == first.coord.line:
            return list(items)
    return [node]


def _inside(body: Statements) -> Statements:
    match body:
        case (c.Block(inside),):
            return inside
    return body


def _apart(node: Any) -> list[Any]:
    return list(node.exprs) if isinstance(node, c_ast.ExprList) else [node]


def _extents(shape: c.Expression) -> tuple[c.Expression, ...]:
    match shape:
        case c.Call("dim3", arguments) if arguments:
            return arguments
    return (shape,)
