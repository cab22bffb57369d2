"""The main program of a system: parameters from the command line, inputs made or read, outputs printed or written.

Inputs and outputs are in files with one value a line, in the order of the domain, or in arrays of NumPy (`.npy`).
Compiled with -DVERIFY it runs `<system>_verify` too and compares all outputs, point by point. Exit codes: 0, 1
(outputs differ), 2 (bad arguments or data, out of memory).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c import tree as c
from alphaz.c.alphaz_header import INCLUSION
from alphaz.c.printer import comment_lines, file_text
from alphaz.codegen.c.arrays import FlatArray, stored_array
from alphaz.codegen.c.expressions import parameter_values
from alphaz.codegen.c.frame import allocation, file_stem, outside_context
from alphaz.codegen.c.helpers import is_clash, with_functions, with_runtime
from alphaz.codegen.c.integers import affine
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.c.readable_c import CONSTANT
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import Harness
from alphaz.codegen.wrapper.main_template import CLOSE, INCLUDES, NEXT, NOW, OPTIONS, SOURCE, VERDICT
from alphaz.codegen.wrapper.npy import FILES, READING, WRITING
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.mapping.storage_formats import Layout
from alphaz.model.program import Kind, System, Variable
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.algorithms.congruence import set_text

# Writes the statements at a point over C identifiers.
Write = Callable[[tuple[Affine, ...]], tuple[c.Statement, ...]]

_OPTIONS = c.Named("options", const=True)
_FILE = c.Pointer(c.Named("FILE"), const=True)
GIVEN = c.Parameter(c.Pointer(_OPTIONS), "given")
_TOO_LARGE = "parameters lie between -2^40 and 2^40"
_PRINTED = (c.Parameter(c.Pointer(c.Named("FILE")), "to"), c.Parameter(c.BOOL, "bare"))
_FORMATS = {"float": "%.9g", "double": "%.17g"}


def wrapper(
    checked: Checked,
    system: str,
    sizes: Sequence[TileSize] = (),
    layouts: Mapping[str, Layout] | None = None,
    overwritable: Collection[str] = (),
    harness: Harness | None = None,
) -> Sources:
    """Returns `<system>-wrapper.c`; `sizes` are the tile sizes that are arguments of the system: the command line may
    have them after the parameters. `layouts` are those of the variables that have a storage format; for inputs that
    are `overwritable` the reference program gets copies. `harness`: that of the target. Raises Rejected (AZ307) when an
    input or output has infinitely many points.
    """
    target = checked.program.system(system)
    text = _Wrapper(target, tuple(sizes), layouts or {}, overwritable, harness or Harness()).text()
    file = f"{file_stem(target.name)}-wrapper.c"
    called = f"{identifier(target.name)}_status"
    if is_clash([called]):
        text = with_functions(file, text, [called])
    return with_runtime(Sources({file: text}))


class _Wrapper:
    """The state of the writer of one main program."""

    def __init__(
        self,
        system: System,
        sizes: tuple[TileSize, ...],
        layouts: Mapping[str, Layout],
        overwritable: Collection[str],
        harness: Harness,
    ) -> None:
        self.system = system
        self.harness = harness
        self.sizes = sizes
        self.layouts = layouts
        self.name = identifier(system.name)
        self.parameters = parameter_values(system.parameters)
        self.variables = (*system.inputs, *system.outputs)
        self.arrays = {v.name: self._array(v, identifier(v.name), layouts.get(v.name)) for v in self.variables}
        self.names = Identifiers((*system.parameters, *(v.name for v in self.variables)), (size.name for size in sizes))
        self.numbers = [c.Parameter(c.INT64, identifier(p)) for p in system.parameters]
        self.boxes = {
            v.name: self._array(v, self.names.new(f"{identifier(v.name)}_box"))
            for v in system.inputs
            if v.name in layouts or v.name in overwritable
        }
        self.expected = {
            v.name: self._array(v, self.names.new(f"{identifier(v.name)}_expected")) for v in system.outputs
        }
        self.functions: dict[str, c.Function] = {}

    def _array(self, variable: Variable, name: str, layout: Layout | None = None) -> FlatArray:
        return stored_array(variable, name, self.system.context, self.parameters, layout=layout)

    def text(self) -> str:
        functions = [f for v in self.variables for f in self.exchanging(v)]
        comparing = [self.boxing(v) for v in self.system.inputs if v.name in self.boxes]
        comparing += [self.comparison(v) for v in self.system.outputs]
        main = self.main()
        fixed = [c.Opaque(self.options())]
        needed = sorted({_source(v.type) for v in self.system.inputs})
        fixed += [c.Opaque(FILES)] * bool(self.variables) + [c.Opaque(READING), c.Opaque(SOURCE)] * bool(needed)
        fixed += (
            [c.Opaque(NEXT[kind]) for kind in needed]
            + [c.Opaque(WRITING)] * bool(self.system.outputs)
            + [c.Opaque(NOW)]
        )
        checking = [c.Opaque(CLOSE)] * any(v.type.is_float for v in self.system.outputs) + [c.Opaque(VERDICT)]
        items: tuple[c.Function | c.Opaque, ...] = (
            c.Opaque("\n".join(comment_lines(f"Main program of system {self.system.name}."))),
            c.Opaque(self.includes()),
            c.Opaque(self.counts()),
            *fixed,
            *functions,
            c.Opaque("#ifdef VERIFY"),
            *checking,
            *comparing,
            c.Opaque("#endif"),
            main,
        )
        return file_text(c.File(items))

    def counts(self) -> str:
        inputs, outputs = len(self.system.inputs), len(self.system.outputs)
        sizes = len(self.sizes)
        parameters = f"PARAMETERS = {len(self.numbers) + sizes}, SIZES = {sizes}"
        return f"enum {{ {parameters}, INPUTS = {inputs}, OUTPUTS = {outputs} }};"

    def options(self) -> str:
        names = {
            "@PARAMETER_NAMES@": (*self.system.parameters, *(size.name for size in self.sizes)),
            "@INPUT_NAMES@": [v.name for v in self.system.inputs],
            "@OUTPUT_NAMES@": [v.name for v in self.system.outputs],
        }
        text = OPTIONS
        for mark, texts in names.items():
            text = text.replace(mark, _strings(texts))
        defaults = ", ".join(
            f"[{position}] = {size.default}" for position, size in enumerate(self.sizes, len(self.numbers))
        )
        return text.replace("@SIZES@", f".parameters = {{{defaults}}}, " if self.sizes else "")

    def includes(self) -> str:
        stem = file_stem(self.system.name)
        verify = file_stem(f"{self.system.name}_verify")
        headers = "\n".join(filter(None, (INCLUDES, self.harness.includes)))
        return f'#include "{stem}.h"\n{INCLUSION}\n#ifdef VERIFY\n#include "{verify}.h"\n#endif\n\n{headers}'

    # --- one variable -------------------------------------------------------------------------------------------

    def exchanging(self, variable: Variable) -> list[c.Function]:
        """Returns the functions that read or make an input, or that print and write an output."""
        if variable.kind is Kind.INPUT:
            return [self.filling(variable)]
        return [self.printing(variable), self.saving(variable)]

    def filling(self, variable: Variable) -> c.Function:
        """Returns a function that sets every point of an input."""
        array, type_ = self.arrays[variable.name], variable.type
        source = c.Unary("&", c.Name("from"))

        def write(point: tuple[Affine, ...]) -> tuple[c.Statement, ...]:
            bits = (c.Literal(str(type_.bits)),) if type_.kind == "int" else ()
            value: c.Expression = c.Call(f"next_{_source(type_)}", (source, *bits))
            if type_.c_name not in ("double", "bool"):
                value = c.Cast(c.scalar(type_), value)
            return (c.Assign(array.element(point), value),)

        number = c.Literal(str(self.system.inputs.index(variable)))
        path = c.Index(c.Member(c.Name("given"), "files"), number)
        read = c.Evaluate(c.Call("read_npy", (path, *_whole(array))))
        opened = c.Declare(c.Named("source"), "from", c.Call("open_source", (c.Name("given"), number)))
        body = (_if_npy(path, read), opened, *self.over(variable, write), c.Evaluate(c.Call("close_source", (source,))))
        return self.function(c.VOID, f"fill_{identifier(variable.name)}", [GIVEN, _writable(array)], body)

    def printing(self, variable: Variable) -> c.Function:
        """Returns a function that writes every point of an output as a line: `C[1,2] = 3`, or the value alone."""
        array = self.arrays[variable.name]

        def write(point: tuple[Affine, ...]) -> tuple[c.Statement, ...]:
            head = c.String(f'"{_element(variable)} = "')
            say = c.Evaluate(c.Call("fprintf", (c.Name("to"), head, *map(_long_long, point))))
            format_, value = _print_format(variable.type, array.element(point))
            line = c.Evaluate(c.Call("fprintf", (c.Name("to"), c.String(f'"{format_}\\n"'), value)))
            return (c.If(c.Unary("!", c.Name("bare")), (say,)), line)

        name = f"print_{identifier(variable.name)}"
        return self.function(c.VOID, name, [*_PRINTED, _readable(array)], self.over(variable, write))

    def saving(self, variable: Variable) -> c.Function:
        """Returns a function that writes an output into the file named on the command line, if there is one."""
        array = self.arrays[variable.name]
        path = c.Index(c.Member(c.Name("given"), "results"), c.Literal(str(self.system.outputs.index(variable))))
        written = c.Evaluate(c.Call("write_npy", (path, *_whole(array))))
        printed = self._called("print", variable, "file", "true")
        body = (
            c.If(c.Binary("==", path, c.Name("NULL")), (c.Return(),)),
            _if_npy(path, written),
            c.Declare(_FILE, "file", c.Call("open_file", (path, c.String('"w"')))),
            c.Evaluate(printed),
            c.Evaluate(c.Call("close_written", (path, c.Name("file")))),
        )
        return self.function(c.VOID, f"save_{identifier(variable.name)}", [GIVEN, _readable(array)], body)

    def boxing(self, variable: Variable) -> c.Function:
        """Returns a function that copies an input to the box of its domain, as the reference program takes it: one that
        has a storage format, or that is overwritten.
        """
        array, box = self.arrays[variable.name], self.boxes[variable.name]

        def write(point: tuple[Affine, ...]) -> tuple[c.Statement, ...]:
            return (c.Assign(box.element(point), array.element(point)),)

        name = f"box_{identifier(variable.name)}"
        return self.function(c.VOID, name, [_readable(array), _writable(box)], self.over(variable, write))

    def comparison(self, variable: Variable) -> c.Function:
        """Returns a function that counts and reports the points where an output differs from the reference."""
        array = self.arrays[variable.name]
        over_box = self.expected[variable.name] if variable.name in self.layouts else array
        expected = replace(over_box, name="expected")
        errors = c.Name("errors")

        def write(point: tuple[Affine, ...]) -> tuple[c.Statement, ...]:
            here, there = array.element(point), expected.element(point)
            differs: c.Expression = c.Binary("!=", here, there)
            if variable.type.is_float:
                tolerance = c.Literal("1e-4" if variable.type.bits == 32 else "1e-9")
                differs = c.Unary("!", c.Call("is_close", (c.Name("given"), here, there, tolerance)))
            count = c.Assign(errors, c.Literal("1"), "+=")
            return (c.If(differs, (self._first_error(variable, array, expected, point), count)),)

        verdict = c.Return(c.Call("verdict", (c.String(f'"{variable.name}"'), errors)))
        body = (c.Declare(c.INT64, "errors", c.ZERO), *self.over(variable, write), verdict)
        parameters = [GIVEN, _readable(array), _readable(expected)]
        return self.function(c.BOOL, f"compare_{identifier(variable.name)}", parameters, body)

    def _first_error(
        self, variable: Variable, array: FlatArray, expected: FlatArray, point: tuple[Affine, ...]
    ) -> c.Statement:
        format_, value = _print_format(variable.type, array.element(point))
        _, wanted = _print_format(variable.type, expected.element(point))
        text = c.String(f'"first difference: {_element(variable)} is {format_}, expected {format_}\\n"')
        say = c.Evaluate(c.Call("printf", (text, *map(_long_long, point), value, wanted)))
        advise: tuple[c.Statement, ...] = ()
        if variable.type.is_float:
            is_nan = c.Call("isnan", (expected.element(point),))
            advise = (c.If(is_nan, (c.Evaluate(c.Call("advise_numbers", ())),)),)
        return c.If(c.Binary("==", c.Name("errors"), c.ZERO), (say, *advise))

    def function(
        self, type_: c.Type, name: str, parameters: list[c.Parameter], body: tuple[c.Statement, ...]
    ) -> c.Function:
        """Returns a static function with the parameters of the system that it uses, for `_called`."""
        used = c.names_used(body)
        every = (*self.arrays.values(), *self.boxes.values(), *self.expected.values())
        constants = [d for array in every for d in array.constants if d.name in used]
        used |= c.names_used(constants)
        silent = [c.Evaluate(c.Cast(c.VOID, c.Name(p.name))) for p in parameters if p.name not in used]
        numbers = [p for p in self.numbers if p.name in used]
        made = c.Function(type_, name, (*parameters, *numbers), (*silent, *constants, *body), "static")
        self.functions[name] = made
        return made

    def over(self, variable: Variable, write: Write) -> tuple[c.Statement, ...]:
        """Returns a loop over the points of a variable, in lexicographic order."""
        names = self.names.copy()
        space = variable.domain.space
        iterators = [names.new(identifier(n)) for n in space.names]
        date = tuple(map(Affine.name, space.names))
        tree = readable_scan([Scan(variable.name, variable.domain, date)], self.system.context, iterators)
        statements: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, self.parameters):
            declared, scope = bind(space.names, arguments, names.copy().new)
            statements[call] = with_used(declared, write(scope.values))
        return loops_in_c(tree, self.parameters, statements)

    # --- main ---------------------------------------------------------------------------------------------------

    def main(self) -> c.Function:
        body: list[c.Statement] = [
            *_text(self.harness.start),
            c.Declare(_OPTIONS, "choices", c.Call("read_options", (c.Name("argc"), c.Name("argv")))),
            c.Declare(c.Pointer(_OPTIONS, const=True), GIVEN.name, c.Unary("&", c.Name("choices"))),
        ]
        for position, parameter in enumerate(self.numbers):
            value = c.Index(c.Member(c.Name("given"), "parameters"), c.Literal(str(position)))
            body.append(c.Declare(CONSTANT, parameter.name, value))
        for position, size in enumerate(self.sizes, len(self.numbers)):
            value = c.Index(c.Member(c.Name("given"), "parameters"), c.Literal(str(position)))
            body.append(c.Declare(CONSTANT, size.name, value))
        body += self._refusals()
        arrays = list(self.arrays.values())
        body += [c.Declare(c.INT, "status", c.ZERO), *self._made(arrays), *self._give_up()]
        body += [c.Evaluate(self._called("fill", v, "given")) for v in self.system.inputs]
        body += [*self._boxed(), *self._timed()]
        printed = (self._called("print", v, "stdout", "given->bare") for v in self.system.outputs)
        body.append(c.If(c.Member(c.Name("given"), "print"), tuple(map(c.Evaluate, printed))))
        body += [c.Evaluate(self._called("save", v, "given")) for v in self.system.outputs]
        body += self._verification()
        body += [*self._freed(), *_text(self.harness.end)]
        body.append(c.Return(c.Ternary(c.Name("agree"), c.ZERO, c.Literal("1"))))
        parameters = (c.Parameter(c.INT, "argc"), c.Parameter(c.Pointer(c.Pointer(c.Scalar("char"))), "argv"))
        return c.Function(c.INT, "main", parameters, tuple(body))

    def _freed(self) -> list[c.Statement]:
        return [c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in self.arrays.values()]

    def _left_by_others(self) -> list[c.Statement]:
        """Returns the end of processes whose outputs do not count."""
        if not self.harness.is_first:
            return []
        end = (*self._freed(), *_text(self.harness.end), c.Return(c.ZERO))
        return [c.If(c.Unary("!", c.Name(f"({self.harness.is_first})")), end)]

    def _refusals(self) -> list[c.Statement]:
        """Returns the checks of parameters beyond the range of indices, or outside the context, before
        any allocation.
        """
        refusals = [self._refusal(c.Call("too_large", (c.Name(p.name),)), _TOO_LARGE) for p in self.numbers]
        outside = outside_context(self.system, self.parameters)
        if outside is not None:
            context = " ".join(set_text(self.system.context).split()).replace("\\", "")
            refusals.append(self._refusal(outside, f"the parameters must satisfy {context}"))
        return refusals

    @staticmethod
    def _refusal(test: c.Expression, message: str) -> c.Statement:
        text = c.String(f'"{message}\\n"'.replace("%", "%%"))
        return c.If(test, (c.Evaluate(c.Call("fprintf", (c.Name("stderr"), text))), c.Return(c.Literal("2"))))

    def _give_up(self) -> list[c.Statement]:
        failed = c.Binary("!=", c.Name("status"), c.ZERO)
        report = c.Evaluate(c.Call("report", (c.String(f'"{self.name}"'), c.Name("status"))))
        return [c.If(failed, (report, c.Return(c.Literal("2"))))]

    def _called(self, what: str, variable: Variable, *first: str, other: str | None = None) -> c.Expression:
        """Returns a call of a function above: with its first arguments, the array, another array, and the parameters
        of the system that it takes.
        """
        name = f"{what}_{identifier(variable.name)}"
        arguments = [*first, self.arrays[variable.name].name, *([] if other is None else [other])]
        arguments += [parameter.name for parameter in self.functions[name].parameters[len(arguments) :]]
        return c.Call(name, tuple(map(c.Name, arguments)))

    def _timed(self) -> list[c.Statement]:
        sizes = [size.name for size in self.sizes]
        arguments = [*(p.name for p in self.numbers), *sizes, *(array.name for array in self.arrays.values())]
        run = c.Call(f"{self.name}_status", tuple(c.Name(n) for n in arguments))
        columns = "".join("%lld " for _ in self.numbers)
        values = tuple(c.Cast(c.LONG_LONG, c.Name(p.name)) for p in self.numbers)
        opened = c.Declare(_FILE, "trace", c.Call("fopen", (c.String('"trace.dat"'), c.String('"a"'))))
        trace: tuple[c.Expression, ...] = (c.Name("trace"), c.String(f'"{columns}%lf\\n"'), *values, c.Name("seconds"))
        written = (c.Evaluate(c.Call("fprintf", trace)), c.Evaluate(c.Call("fclose", (c.Name("trace"),))))
        return [
            c.Declare(c.Scalar("double", const=True), "begin", c.Call("now", ())),
            c.Assign(c.Name("status"), run),
            c.Declare(c.Scalar("double", const=True), "seconds", c.Binary("-", c.Call("now", ()), c.Name("begin"))),
            *self._give_up(),
            *self._left_by_others(),
            c.Evaluate(c.Call("printf", (c.String('"Execution time : %lf sec.\\n"'), c.Name("seconds")))),
            c.Conditional("ifdef TIMING", (opened, c.If(c.Binary("!=", c.Name("trace"), c.Name("NULL")), written))),
        ]

    def _made(self, arrays: Sequence[FlatArray]) -> list[c.Statement]:
        """Returns allocations, after the constants of their sizes."""
        used = c.names_used([c.Evaluate(array.extents_code) for array in arrays])
        constants = [d for array in arrays for d in array.constants if d.name in used]
        return [*constants, *(allocation(array, "allocate_zero") for array in arrays)]

    def _boxed(self) -> list[c.Statement]:
        """Returns, under VERIFY, copies of inputs for the reference program, before they are overwritten."""
        if not self.boxes:
            return []
        copied = [
            c.Evaluate(self._called("box", v, other=self.boxes[v.name].name))
            for v in self.system.inputs
            if v.name in self.boxes
        ]
        made = self._made(list(self.boxes.values()))
        return [c.Conditional("ifdef VERIFY", (*made, *self._give_up(), *copied))]

    def _verification(self) -> list[c.Statement]:
        """Returns, under VERIFY, the reference program, and the comparison of each output."""
        new = [*self.boxes.values(), *self.expected.values()]
        made = self._made(list(self.expected.values()))
        inputs = [self.boxes.get(v.name, self.arrays[v.name]) for v in self.system.inputs]
        arrays = [input_.name for input_ in (*inputs, *self.expected.values())]
        arguments = tuple(c.Name(n) for n in (*(p.name for p in self.numbers), *arrays))
        verify = identifier(f"{self.system.name}_verify")
        run = c.Assign(c.Name("status"), c.Call(f"{verify}_status", arguments))
        compared: list[c.Statement] = []
        for variable in self.system.outputs:
            call = self._called("compare", variable, "given", other=self.expected[variable.name].name)
            compared.append(c.Assign(c.Name("agree"), c.Binary("&&", call, c.Name("agree"))))
        freed = [c.Evaluate(c.Call("free", (c.Name(a.name),))) for a in new]
        allocated = c.Binary("==", c.Name("status"), c.ZERO)
        return [
            c.Declare(c.BOOL, "agree", c.Name("true")),
            c.Conditional("ifdef VERIFY", (*made, c.If(allocated, (run,)), *self._give_up(), *compared, *freed)),
        ]


def _text(statements: str) -> list[c.Statement]:
    """Returns statements that are given as text."""
    return [c.Opaque(statements)] if statements else []


def _element(variable: Variable) -> str:
    """Returns the printf format of an element: `C[%lld,%lld]`, or `s` for a scalar."""
    rank = len(variable.domain.space.names)
    return f"{variable.name}[{','.join(['%lld'] * rank)}]" if rank else variable.name


def _strings(names: Iterable[str]) -> str:
    return "".join(f'"{name}", ' for name in names)


def _source(type_: ScalarType) -> str:
    if type_.kind != "int":
        return "real" if type_.is_float else "bool"
    return "signed" if type_.signed else "unsigned"


def _print_format(type_: ScalarType, value: c.Expression) -> tuple[str, c.Expression]:
    """Returns a format, and the value as its argument."""
    if type_.is_float:
        return _FORMATS[type_.name], c.Cast(c.DOUBLE, value) if type_.bits == 32 else value
    if type_.kind == "int" and not type_.signed:
        return "%llu", c.Cast(c.UNSIGNED_LONG_LONG, value)
    return "%lld", c.Cast(c.LONG_LONG, value)


def _long_long(index: Affine) -> c.Expression:
    return c.Cast(c.LONG_LONG, affine(index))


def _whole(array: FlatArray) -> tuple[c.Expression, ...]:
    """Returns the arguments for a whole array in a NumPy file: address, element type, rank and extents."""
    kind = {"float": "f", "bool": "b"}.get(array.type.kind, "i" if array.type.signed else "u")
    size = c.SizeOf(c.BOOL) if kind == "b" else c.Literal(str(array.type.bits // 8))
    element = c.compound(c.Named("value_type"), c.Literal(f"'{kind}'"), size)
    return (c.Name(array.name), element, c.Literal(str(array.rank)), array.extents_code)


def _if_npy(path: c.Expression, then: c.Statement) -> c.Statement:
    """Returns the statement that handles only files with a NumPy array."""
    there = c.Binary("&&", c.Binary("!=", path, c.Name("NULL")), c.Call("is_npy", (path,)))
    return c.If(there, (then, c.Return()))


def _writable(array: FlatArray) -> c.Parameter:
    return c.Parameter(c.pointer(array.type), array.name)


def _readable(array: FlatArray) -> c.Parameter:
    return c.Parameter(c.pointer(array.type, const=True), array.name)
