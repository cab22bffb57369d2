"""The printed model of a C function: one line for each statement, with its instances, its date and its value."""

from alphaz.scop import CKernel, KernelLoop, LoopKind
from alphaz.scop.c_model import ArrayAccess, CopyEvent, KernelStatement
from alphaz.scop.index_polynomials import Condition
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree

_INFIX = frozenset(["+", "-", "*", "/", "%", "<", "<=", "==", "!=", "and", "or", "xor"])


def model_text(kernel: CKernel) -> str:
    """Returns the statements of a kernel, its dividends and barriers, and the assumptions of the reader."""
    return "\n".join(
        [
            *map(_statement, kernel.statements),
            *dict.fromkeys(f"{dividend.value} >= 0" for dividend in kernel.dividends),
            *(f"barrier {_date(barrier.date)}" for barrier in kernel.barriers),
            *map(_copy_event, kernel.copy_events),
            *(f"private until ({', '.join(reduction.shared)})" for reduction in kernel.collected),
            *(f"assumes {assumption}" for assumption in kernel.assumed),
        ]
    )


def _statement(statement: KernelStatement) -> str:
    instances = " and ".join(text for text in map(_condition, statement.conditions) if text)
    value = _value(statement.value, statement.reads)
    own = [word for word, holds in (("there", statement.is_there), ("in flight", statement.is_asynchronous)) if holds]
    marks = [*own, *_protection(statement), *_members(statement)]
    notes = f"  [{', '.join(marks)}]" if marks else ""
    return f"{_date(statement.date)} {{{instances}}} {_access(statement.target)} = {value}{notes}"


def _copy_event(event: CopyEvent) -> str:
    word = "group ends" if event.pending is None else f"waits for all groups but {event.pending}"
    return f"{word} {_date(event.date)}"


def _protection(statement: KernelStatement) -> list[str]:
    write = statement.write
    locks = [] if write.mutex is None else [f"lock {write.mutex.name}"]
    return [*locks, *(f"reduction over {loop.iterator}" for loop in write.reductions)]


def _members(statement: KernelStatement) -> list[str]:
    if statement.share is None:
        return []
    if statement.share.is_private:
        return ["private"]
    return ["all threads" if statement.is_of_every_thread else "one thread"]


def _date(date: tuple[int | KernelLoop, ...]) -> str:
    return f"({', '.join(str(part) if isinstance(part, int) else _loop(part) for part in date)})"


def _loop(loop: KernelLoop) -> str:
    kind = "" if loop.kind is LoopKind.SEQUENTIAL else f" {loop.kind.value}"
    stride = "" if loop.stride == 1 else f" by {loop.stride}"
    return f"{'-' if loop.step < 0 else ''}{loop.iterator}{stride}{kind}"


def _condition(condition: Condition) -> str:
    conjunctions = [" and ".join(map(str, conjunction)) for conjunction in condition]
    return conjunctions[0] if len(conjunctions) == 1 else f"({' or '.join(conjunctions) or 'never'})"


def _access(access: ArrayAccess) -> str:
    return access.array.name + "".join(f"[{subscript}]" for subscript in access.subscripts)


def _value(tree: Tree, reads: tuple[ArrayAccess, ...]) -> str:
    match tree:
        case LiteralValue(value):
            return str(value)
        case IndexLeaf(affine):
            return f"<{affine}>"
        case ReadValue(number):
            return _access(reads[number])
        case OperationValue(operator, (left, right)) if operator in _INFIX:
            return f"({_value(left, reads)} {operator} {_value(right, reads)})"
        case OperationValue(operator, operands):
            return f"{operator}({', '.join(_value(operand, reads) for operand in operands)})"
