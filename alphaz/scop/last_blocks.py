"""Kernels whose last block merges the results of all blocks, as two kernels.

__global__ void sum(..)                                     __global__ void sum(..)
{                                                           {
    FIRST                                                       FIRST
    if (threadIdx.x == 0) {                                     if (threadIdx.x == 0) {
        part[blockIdx.x] = w[0];                                    part[blockIdx.x] = w[0];
        __threadfence();                                        }
        last = atomicAdd(&count, 1) == gridDim.x - 1;       }
    }                                                       __global__ void sum$last(.., unsigned int blocks$)
    __syncthreads();                                        {
    if (last) { MERGE }                                         MERGE
}                                                           }
sum<<<g, b>>>(..);                                          sum<<<g, b>>>(..);
                                                            if (g >= 1)
                                                                sum$last<<<1, b>>>(.., g);

One block finds the number of blocks minus one in the counter, if the counter is 0 at the launch and each block adds 1
once: the last one to do so. What the threads of a block do before is ordered before MERGE, if it is before the fence of
the thread that counts, in that thread or by a barrier. So MERGE follows the first parts of all blocks, as in a launch
of its own. It may use nothing that depends on the block that executes it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import EXTENTS_TYPE
from alphaz.c.walk import Part, nodes, rebuilt, with_blocks
from alphaz.scop.block_counters import Counting, NotCounted, check_counters
from alphaz.scop.cuda_builtins import BLOCK, GRID_SIZE
from alphaz.scop.device_memory import with_plain_memory
from alphaz.scop.fences import FENCES, Fences, arrays_of, is_first_thread, numbers_of_threads, without_wide_casts
from alphaz.scop.substitution import count, mentioned, names_in
from alphaz.scop.tree_queries import Statements, assigned, body_of, definitions, is_wide_integer, scalar_type

LAST, COUNTED = "$last", "$counted"
"""The names of the kernels of one block end so: that of a variable of the file, and of a parameter, as the counter."""
_BLOCKS = "blocks$"
_TICKETS = ("atomicInc", "atomicAdd")
_BLOCKS_OF_GRID = c.Member(c.Name(GRID_SIZE), "x", False)
_UNSIGNED, _COUNTERS = c.Scalar("unsigned int"), ("unsigned int", "unsigned", "int")
_FORM = (
    "write `if (threadIdx.x == 0) { ..; __threadfence(); last = atomicAdd(&count, 1) == gridDim.x - 1; }`, "
    "`__syncthreads();`, `if (last) { .. }` at the end of the kernel"
)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The statements of a kernel: FIRST, further ones `inside` the condition `guard`, what the first thread does to
    count, and MERGE."""

    first: Statements
    inside: Statements
    counts: c.If
    test: c.Expression
    merge: Statements
    guard: c.Expression | None

    @property
    def before(self) -> Statements:
        return (*self.first, *self.inside)


@dataclass(frozen=True, slots=True)
class _Ticket:
    """The statements of the first thread before it takes the ticket, the variable that says whether it is the last
    one, and the counter: a variable of the file, or (`is_pointer`) a parameter. `wraps`: the last ticket sets it to 0.
    """

    before: Statements
    flag: str
    counter: str
    is_pointer: bool
    wraps: bool


@dataclass(frozen=True, slots=True)
class _Split:
    """The two kernels of one, and its counter."""

    first: c.Function
    last: c.Function
    counting: Counting


def with_last_blocks(tree: c.File) -> c.File:
    """Returns the file with two kernels for each one whose last block merges the results of all blocks, and with two
    launches. A kernel that uses the value of an atomic operation in another way has the reason as its body."""
    kernels = {name: one for name, one in definitions(tree).items() if _is_candidate(one)}
    if not kernels:
        return tree
    tree = replace(
        tree, items=tuple(with_plain_memory(item) if isinstance(item, c.Function) else item for item in tree.items)
    )
    splits, problems = dict[str, _Split](), dict[str, NotCounted]()
    for name, kernel in kernels.items():
        try:
            splits[name] = _split(tree, kernel)
        except NotCounted as problem:
            problems[name] = problem
    try:
        check_counters(tree, {name: one.counting for name, one in splits.items()})
        for launch in nodes(tree, c.Launch):
            if launch.kernel in splits:
                _check_sizes(tree, launch)
    except NotCounted as problem:
        problems |= dict.fromkeys(splits, problem)
        splits = {}
    return _without_unused(replace(tree, items=tuple(_rewritten(tree, splits, problems))))


def launches(tree: c.File, launch: c.Launch) -> Statements:
    """Returns the launches of a kernel of `with_last_blocks`, and of the one that merges its results, if there is one.
    Raises NotCounted where the counter is a parameter, and for several dimensions."""
    defined = definitions(tree)
    if f"{launch.kernel}{COUNTED}" in defined:
        message = f"`{launch.kernel}` counts its blocks in a parameter, which may not be 0 at first"
        raise NotCounted(launch, message, "add a function of the host that clears it and launches the kernel")
    if f"{launch.kernel}{LAST}" not in defined:
        return (launch,)
    _check_sizes(tree, launch)
    return (_two_launches(launch, f"{launch.kernel}{LAST}", None),)


def _two_launches(launch: c.Launch, last: str, parameter: int | None) -> c.Block:
    """Returns the launches of a kernel, and of the one that merges its results."""
    blocks = launch.grid[0]
    arguments = tuple(argument for position, argument in enumerate(launch.arguments) if position != parameter)
    one = c.Literal("1", at=launch.at)
    merging = replace(launch, kernel=last, grid=(one,), arguments=(*arguments, blocks))
    runs = c.If(c.Binary(">=", blocks, one, at=launch.at), (merging,), at=launch.at)
    return c.Block((replace(launch, arguments=arguments), runs), at=launch.at)


def _is_candidate(function: c.Function) -> bool:
    return "__global__" in function.qualifiers and bool(_tickets(body_of(function)))


def _tickets(body: Statements) -> list[c.Call]:
    """Returns the atomic operations on counters whose values are used."""
    alone = {id(node.expression) for node in nodes(body, c.Evaluate)}
    return [node for node in nodes(body, c.Call) if node.function in _TICKETS and id(node) not in alone]


def _rewritten(tree: c.File, splits: dict[str, _Split], problems: dict[str, NotCounted]) -> Iterator[c.Item]:
    def change(part: Part) -> Part | None:
        match part:
            case c.Launch(kernel=name) if name in splits:
                return _two_launches(part, splits[name].last.name, splits[name].counting.parameter)
        return None

    for item in tree.items:
        if not isinstance(item, c.Function) or item.body is None:
            yield item
        elif item.name in splits:
            yield splits[item.name].first
            yield splits[item.name].last
        elif item.name in problems:
            problem = problems[item.name]
            yield replace(item, body=(c.Unsupported(problem.message, problem.remedy, at=problem.node.at),))
        else:
            yield rebuilt(item, change)


def _without_unused(tree: c.File) -> c.File:
    """Returns the file without the variables of a GPU that nothing names."""
    used = names_in([item for item in tree.items if isinstance(item, c.Function)])
    return replace(
        tree,
        items=tuple(
            item for item in tree.items
            if not (isinstance(item, c.Declare) and item.space is not c.AddressSpace.HOST and item.name not in used)
        ),
    )  # fmt: skip


def _check_sizes(tree: c.File, launch: c.Launch) -> None:
    """Raises NotCounted for blocks or grids of several dimensions."""
    extents = {node.name for node in nodes(tree, c.Declare) if node.type == c.Named(EXTENTS_TYPE)}
    for sizes in (launch.grid, launch.block):
        if any(size != c.Literal("1") for size in sizes[1:]) or names_in(sizes[:1]) & extents:
            raise NotCounted(launch, "a kernel whose last block merges needs a grid and blocks of one dimension")
    if nodes(launch.grid, (c.Call, c.Step, c.Set, c.Index)):
        raise NotCounted(launch, "the number of blocks is no expression of numbers", "assign it to a variable")


# --- kernels ----------------------------------------------------------------------------------------------------------


def _split(tree: c.File, kernel: c.Function) -> _Split:
    parts = _parts(kernel)
    outer = frozenset({item.name for item in tree.items if isinstance(item, c.Declare)})
    inner = outer | {parameter.name for parameter in kernel.parameters}
    numbers = numbers_of_threads(parts.before, (), inner) - assigned(body_of(kernel))
    ticket = _ticket(parts, numbers)
    counted = next(
        (position for position, parameter in enumerate(kernel.parameters) if parameter.name == ticket.counter), None
    )
    _check_objects(tree, kernel, ticket, counted)
    if nodes(parts.before, c.Return) or nodes(parts.counts, c.Return):
        raise NotCounted(parts.counts, "a thread may return before its block is counted", "use conditions")
    fences, shared = Fences(definitions(tree), outer), arrays_of(body_of(kernel)) - inner
    fences.pass_all(parts.before, shared, numbers, is_first=False)
    fences.pass_all(ticket.before, shared, numbers, is_first=True)
    if fences.of_first or fences.of_others:
        message = "accesses to memory may not be done when this block is counted"
        raise NotCounted(parts.counts, message, "`__threadfence();` in front, and `__syncthreads();` before that")
    merge, resets = _without_reset(parts.merge, ticket, numbers)
    uses = sum(count(one, ticket.counter) for one in (*parts.before, *parts.counts.then, *merge))
    if uses != 1 or count(body_of(kernel), ticket.flag) != 2:
        raise NotCounted(parts.counts, f"`{ticket.counter}` or `{ticket.flag}` is used elsewhere, too", _FORM)
    if counted is None and not (resets or ticket.wraps):
        remedy = f"`if (threadIdx.x == 0) {ticket.counter} = 0;`"
        raise NotCounted(
            parts.counts, f"the last block does not set `{ticket.counter}` to 0 for the next launch", remedy
        )
    parameters = tuple(
        _plain_parameter(parameter) for position, parameter in enumerate(kernel.parameters) if position != counted
    )
    without_counter = replace(kernel, parameters=parameters)
    name = f"{kernel.name}{LAST if counted is None else COUNTED}"
    last = _merging(tree, replace(without_counter, name=name), parts, merge)
    then = (replace(parts.counts, then=ticket.before),) if ticket.before else ()
    inside = (*parts.inside, *then)
    guarded = inside if parts.guard is None else (c.If(parts.guard, inside, at=parts.counts.at),)
    first = _without((*parts.first, *guarded), ticket.flag)
    return _Split(replace(without_counter, body=first), last, Counting(counted, resets or ticket.wraps))


def _parts(kernel: c.Function) -> _Parts:
    """Returns the parts of a kernel. Raises NotCounted if it has another form."""
    body = list[c.Statement](one for one in body_of(kernel) if not isinstance(one, c.Pragma))
    (call, *others), first = _tickets(body_of(kernel)), list[c.Statement]()
    guard: c.Expression | None = None
    match body[-1]:
        case c.If(c.Binary(">", left, c.Literal("1")) as several, then, ()) if (
            without_wide_casts(left) == _BLOCKS_OF_GRID
        ):
            first, guard = body[:-1], several
            body = list[c.Statement](then)
    place = next((position for position, one in enumerate(body) if _tickets((one,))), None)
    counts = None if place is None else body[place]
    if others or place is None or not isinstance(counts, c.If) or counts.otherwise:
        raise NotCounted(call, "the value of an atomic operation is not supported here", _FORM)
    test: c.Expression
    match body[place + 1 :]:
        case [c.Evaluate(c.Call("__syncthreads", ())), c.If(is_last, then, ())] if not _is_return(then):
            test, merge = is_last, then
        case [c.Evaluate(c.Call("__syncthreads", ())), c.If(c.Unary("!", is_last), (c.Return(None),), ()), *rest]:
            test, merge = is_last, rest[0].body if len(rest) == 1 and isinstance(rest[0], c.Block) else tuple(rest)
        case [c.Evaluate(c.Call("__syncthreads", ())), *_]:
            raise NotCounted(counts, "this is not followed by a test for the last block, which ends the kernel", _FORM)
        case _:
            raise NotCounted(counts, "no `__syncthreads();` follows the ticket of this block", _FORM)
    inside: Statements = tuple(body[:place])
    return _Parts(first=tuple(first), inside=inside, counts=counts, test=test, merge=merge, guard=guard)


def _is_return(block: Statements) -> bool:
    return len(block) == 1 and isinstance(block[0], c.Return)


def _flag(expression: c.Expression) -> str:
    """Returns the name of a variable, or of an array of one element; "" for other expressions."""
    match without_wide_casts(expression):
        case c.Name(name) | c.Index(c.Name(name), c.Literal("0")):
            return name
        case c.Binary("!=", inner, c.Literal("0" | "false")) | c.Binary("==", inner, c.Literal("1" | "true")):
            return _flag(inner)
    return ""


def _ticket(parts: _Parts, numbers: Iterable[str]) -> _Ticket:
    """Returns the ticket of a block. Raises NotCounted if it is none."""
    counts = parts.counts
    if not is_first_thread(counts.condition, numbers):
        raise NotCounted(counts, "the ticket of a block is not taken by its first thread alone", _FORM)
    *before, last = counts.then
    match last, before:
        case c.Assign(flag, test, "="), [*earlier, c.Declare(type_, name, value)] if value is not None and _tickets(
            (before[-1],)
        ):
            if not is_wide_integer(scalar_type(type_)):
                raise NotCounted(counts, f"`{name}` is too small for the number of a block")
            call, compared, before = value, _named(name), earlier
        case c.Assign(flag, test, "="), _ if len(calls := _tickets((last,))) == 1:
            call = compared = calls[0]
        case _:
            raise NotCounted(counts, "the ticket of this block is not compared at once", _FORM)
    match without_wide_casts(call):
        case c.Call("atomicAdd", (place, c.Literal("1" | "1u" | "1U"))):
            wraps = False
        case c.Call("atomicInc", (place, most)) if without_wide_casts(most) == _BLOCKS_OF_GRID or _is_last_of_grid(
            most
        ):
            wraps = _is_last_of_grid(most)
        case _:
            raise NotCounted(counts, "this does not count the blocks of a grid", _FORM)
    if not _is_last(test, compared) or not _flag(flag) or _flag(flag) != _flag(parts.test):
        raise NotCounted(counts, "the last block is not the one with the ticket `gridDim.x - 1`", _FORM)
    match without_wide_casts(place):
        case c.Unary("&", c.Name(counter)):
            is_pointer = False
        case c.Name(counter) | c.Unary("&", c.Index(c.Name(counter), c.Literal("0"))):
            is_pointer = True
        case _:
            raise NotCounted(counts, "the counter of blocks is no variable", _FORM)
    return _Ticket(before=tuple(before), flag=_flag(flag), counter=counter, is_pointer=is_pointer, wraps=wraps)


def _named(name: str) -> c.Expression:
    return c.Name(name)


def _is_last(test: c.Expression, compared: c.Expression) -> bool:
    """Returns True for a comparison with the number of the last ticket."""
    match without_wide_casts(test):
        case c.Binary("==", left, right):
            pair = (without_wide_casts(left), without_wide_casts(right))
            if any(one == compared and _is_last_of_grid(other) for one, other in (pair, pair[::-1])):
                return True
            match pair[0]:
                case c.Binary("+", ticket, c.Literal("1" | "1u" | "1U")):
                    return without_wide_casts(ticket) == compared and pair[1] == _BLOCKS_OF_GRID
    return False


def _is_last_of_grid(expression: c.Expression) -> bool:
    match without_wide_casts(expression):
        case c.Binary("-", blocks, c.Literal("1" | "1u" | "1U")):
            return without_wide_casts(blocks) == _BLOCKS_OF_GRID
    return False


def _check_objects(tree: c.File, kernel: c.Function, ticket: _Ticket, counted: int | None) -> None:
    """Raises NotCounted if the counter is none, or the variable is not in shared memory."""
    body = body_of(kernel)
    declared = [node for node in nodes(body, c.Declare) if node.name in (ticket.flag, ticket.counter)]
    outer = [item for item in tree.items if isinstance(item, c.Declare) and item.name in (ticket.flag, ticket.counter)]
    flags = [one for one in (*declared, *outer) if one.name == ticket.flag]
    if len(flags) != 1 or flags[0].space is not c.AddressSpace.SHARED or flags[0].value is not None:
        raise NotCounted(flags[0] if flags else kernel, f"`{ticket.flag}` is not in shared memory", "write __shared__")
    counters = [one for one in (*declared, *outer) if one.name == ticket.counter]
    if counted is not None:
        type_ = kernel.parameters[counted].type
        is_number = isinstance(type_, c.Pointer) and _is_counter(type_.to)
        is_counter = ticket.is_pointer and is_number and not counters
    else:
        is_counter = not ticket.is_pointer and len(counters) == 1 and counters[0] in outer
        is_counter &= all(_is_zero(counter) and _is_counter(counter.type) for counter in counters)
    if not is_counter or kernel.parameters != tuple(
        {parameter.name: parameter for parameter in kernel.parameters}.values()
    ):
        message = f"`{ticket.counter}` is no integer of 32 bits in the memory of the GPU that is 0 at first"
        raise NotCounted(counters[0] if counters else kernel, message)
    names = [ticket.flag] if counted is not None else [ticket.flag, ticket.counter]
    for name in names:
        if any(one.name == name for one in outer) and count(tree.items, name) != count(body, name):
            raise NotCounted(kernel, f"`{name}` is used elsewhere, too")


def _is_counter(type_: c.Type) -> bool:
    return isinstance(type_, c.Scalar | c.Named) and type_.name in _COUNTERS


def _is_zero(declared: c.Declare) -> bool:
    return declared.space is c.AddressSpace.GLOBAL and declared.value in (None, c.ZERO, c.Literal("0u"))


def _without_reset(merge: Statements, ticket: _Ticket, numbers: Iterable[str]) -> tuple[Statements, bool]:
    """Returns MERGE without the statement that sets the counter to 0, and whether the first thread executes one."""
    name = c.Name(ticket.counter)
    places = (c.Unary("*", name), c.Index(name, c.ZERO)) if ticket.is_pointer else (name,)
    is_left = bool(nodes(merge, c.Return))

    def is_reset(statement: c.Statement) -> bool:
        return (
            isinstance(statement, c.Assign)
            and statement.operator == "="
            and (statement.target in places and statement.value in (c.ZERO, c.Literal("0u")))
        )

    statements, resets = list[c.Statement](), False
    for statement in merge:
        match statement:
            case c.If(test, then, ()) if is_first_thread(test, numbers) and any(map(is_reset, then)) and not is_left:
                resets, then = True, tuple(one for one in then if not is_reset(one))
                statement = replace(statement, then=then)
        if not isinstance(statement, c.If) or statement.then:
            statements.append(statement)
    return tuple(statements), resets


def _without(block: Statements, flag: str) -> Statements:
    """Returns a block without fences, and without the declaration of the variable that names the last block."""
    statements = list[c.Statement]()
    for statement in block:
        match statement:
            case c.Evaluate(c.Call(str() as function, ())) if function in FENCES:
                continue
            case c.Declare(name=name) if name == flag:
                continue
        statements.append(with_blocks(statement, lambda inside: _without(inside, flag)))
    return tuple(statements)


def _plain_parameter(parameter: c.Parameter) -> c.Parameter:
    """Returns a parameter without `volatile`, which orders nothing."""
    type_ = parameter.type
    if isinstance(type_, c.Pointer) and isinstance(type_.to, c.Scalar | c.Named):
        return replace(parameter, type=replace(type_, to=replace(type_.to, volatile=False)))
    return parameter


# --- MERGE ------------------------------------------------------------------------------------------------------------


def _merging(tree: c.File, kernel: c.Function, parts: _Parts, merge: Statements) -> c.Function:
    """Returns the kernel of one block that executes MERGE. Raises NotCounted if that depends on the block."""
    own = {node.name for node in nodes(merge, c.Declare)}
    before = [one for one in parts.before if isinstance(one, c.Declare)]
    known = {one.name: one for one in before}
    needed, waiting = dict[str, c.Declare](), [*_free(merge)]
    while waiting:
        name = waiting.pop()
        if name in needed or name in {parameter.name for parameter in kernel.parameters} - assigned(body_of(kernel)):
            continue
        if name in known and name not in own and [one.name for one in before].count(name) == 1:
            needed[name] = _carried(known[name], parts, merge)
            waiting += names_in(needed[name].value) if needed[name].value is not None else ()
        elif name in known or name in assigned(body_of(kernel)) - own or name == BLOCK:
            raise NotCounted(parts.counts, f"`{name}` may not be the same in each block that is the last one")
    _check_functions(tree, parts, merge)
    declared = tuple(known[name] if needed[name] is known[name] else needed[name] for name in known if name in needed)
    body = merge if parts.guard is None else (c.If(parts.guard, merge, at=parts.counts.at),)

    def change(part: Part) -> Part | None:
        return c.Name(_BLOCKS, at=part.at) if isinstance(part, c.Member) and part == _BLOCKS_OF_GRID else None

    body = tuple(rebuilt(one, change) for one in (*declared, *_without(body, "")))
    if GRID_SIZE in names_in(body):
        raise NotCounted(parts.counts, f"`{GRID_SIZE}` is supported in x only")
    return replace(kernel, parameters=(*kernel.parameters, c.Parameter(_UNSIGNED, _BLOCKS)), body=body)


def _free(block: Statements) -> set[str]:
    """Returns the names that a block uses, except those that it declares before any use."""
    free, declared = set[str](), set[str]()
    for statement in block:
        if isinstance(statement, c.Declare):
            free |= names_in((statement,)) - declared
            declared.add(statement.name)
        else:
            inner = [node.name for node in nodes(statement, c.Declare)]
            free |= names_in((statement,)) - declared - set(inner)
            free |= {name for name in inner if name not in declared and _is_outer(statement, name)}
    return free


def _is_outer(statement: c.Statement, name: str) -> bool:
    """Returns True if a statement may use a name outside of the scope of its declarations of it."""
    match statement:
        case c.For(start=(c.Declare(name=own, value=value),)) if own == name:
            return value is not None and name in names_in(value)
    return True


def _carried(declared: c.Declare, parts: _Parts, merge: Statements) -> c.Declare:
    """Returns the declaration of a variable in front of MERGE, as there is one in front of FIRST."""
    name, value = declared.name, declared.value
    if declared.space is c.AddressSpace.SHARED:
        return declared
    if isinstance(declared.type, c.Array) or declared.storage:
        raise NotCounted(declared, f"the values of `{name}` in the last block are not supported")
    is_pure = (
        value is not None
        and not nodes(value, (c.Call, c.Index, c.Step, c.Set, c.Comma, c.Compound))
        and not any(node.operator in "*&" for node in nodes(value, c.Unary))
    )
    if is_pure and name not in assigned((*parts.before, parts.counts)):
        return declared
    first = next((one for one in merge if name in mentioned((one,))), None)
    match first:
        case c.Assign(c.Name(target), again, "=") if target == name and name not in names_in(again):
            return replace(declared, value=None)
    raise NotCounted(declared, f"`{name}` has a value of the last block where that merges")


def _check_functions(tree: c.File, parts: _Parts, merge: Statements) -> None:
    """Raises NotCounted if a function that MERGE calls depends on the block."""
    defined, seen = definitions(tree), set[str]()
    waiting = [*names_in(merge)]
    while waiting:
        name = waiting.pop()
        if name in defined and name not in seen:
            seen.add(name)
            used = names_in(body_of(defined[name]))
            if used & {BLOCK, GRID_SIZE}:
                raise NotCounted(parts.counts, f"`{name}`, which the last block calls, uses `{BLOCK}` or `{GRID_SIZE}`")
            waiting += used
