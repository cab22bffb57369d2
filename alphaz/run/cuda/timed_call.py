"""A call of generated CUDA that is timed by events of the GPU, without the copies of its arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.model.program import System

_FEWEST, _MOST, _ENOUGH = 3, 25, 0.2


@dataclass(frozen=True, slots=True)
class TimedArray:
    """An argument of the function for arrays of the GPU. `by_value`: a number, which stays in the memory of the
    host.
    """

    is_input: bool
    by_value: bool = False


def timed_arrays(sources: Sources, system: System) -> tuple[TimedArray, ...]:
    """Returns the arguments of a system that is generated for `cuda`."""
    inputs = (
        TimedArray(True, not v.domain.space.names and v.name not in {*sources.overwritten, *sources.layouts})
        for v in system.inputs
    )
    return (*inputs, *(TimedArray(False) for _ in system.outputs))


def timed_call(system: System, numbers: int, arrays: Sequence[TimedArray], header: str = "") -> str:
    """Returns the function `call__` of a harness, whose numbers are those of the system and the bytes of the arrays.
    After a call that is not timed, it calls the function several times, and writes the median of the seconds into one
    more array. The arrays keep the values of the last call.
    """
    passed = [f"numbers[{position}]" for position in range(numbers)]
    for position, array in enumerate(arrays):
        passed.append(f"arrays[{position}]" if array.by_value else f"there[{position}]")
    names = {
        "@INCLUDES@": f'#include <cuda_runtime.h>\n#include <stdlib.h>\n#include "{header}"\n' if header else "",
        "@ARRAYS@": str(len(arrays)),
        "@COPIED@": ", ".join(str(int(not array.by_value)) for array in arrays),
        "@OUTPUT@": ", ".join(str(int(not array.is_input)) for array in arrays),
        "@NUMBERS@": str(numbers),
        "@LIMITS@": f"enum {{ FEWEST = {_FEWEST}, MOST = {_MOST} }};\nstatic const double ENOUGH = {_ENOUGH};",
        "@FUNCTION@": f"{identifier(system.name)}_device_status",
        "@PASSED@": ", ".join((*_typed(system, passed, numbers), "(cudaStream_t)0")),
    }
    text = _CALL
    for mark, value in names.items():
        text = text.replace(mark, value)
    return text


def _typed(system: System, passed: Sequence[str], numbers: int) -> list[str]:
    """Returns the arguments with the types of the parameters: C++ converts no `void *`."""
    types = [variable.type.c_name for variable in (*system.inputs, *system.outputs)]
    return [*passed[:numbers], *(f"({type_} *){name}" for type_, name in zip(types, passed[numbers:], strict=True))]


_CALL = """\
@INCLUDES@
@LIMITS@
static const int is_copied[@ARRAYS@] = {@COPIED@}, is_output[@ARRAYS@] = {@OUTPUT@};

static int is_before(const void *one, const void *other)
{
    double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

static int copied_in(void **there, void **arrays, const long long *bytes)
{
    for (int at = 0; at < @ARRAYS@; at++) {
        if (is_copied[at] && cudaMemcpy(there[at], arrays[at], bytes[at], cudaMemcpyHostToDevice) != cudaSuccess) {
            return 9;
        }
    }
    return 0;
}

static int timed(const long long *numbers, void **arrays, void **there, const long long *bytes)
{
    double seconds[MOST], total = 0;
    int count = 0, status = copied_in(there, arrays, bytes);
    cudaEvent_t begin, end;
    if (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess) {
        return 9;
    }
    if (status == 0) {
        status = @FUNCTION@(@PASSED@);
    }
    while (status == 0 && count < MOST && (count < FEWEST || total < ENOUGH)) {
        float milliseconds = 0;
        status = copied_in(there, arrays, bytes);
        if (status != 0 || cudaDeviceSynchronize() != cudaSuccess || cudaEventRecord(begin) != cudaSuccess) {
            return 9;
        }
        status = @FUNCTION@(@PASSED@);
        if (cudaEventRecord(end) != cudaSuccess || cudaEventSynchronize(end) != cudaSuccess ||
            cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess) {
            return 9;
        }
        seconds[count] = 1e-3 * milliseconds;
        total += seconds[count++];
    }
    if (status == 0) {
        qsort(seconds, count, sizeof *seconds, is_before);
        *(double *)arrays[@ARRAYS@] = seconds[count / 2];
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return status;
}

extern "C" int call__(const long long *numbers, void **arrays)
{
    const long long *bytes = numbers + @NUMBERS@;
    void *there[@ARRAYS@] = {};
    int status = 0;
    for (int at = 0; at < @ARRAYS@ && status == 0; at++) {
        if (is_copied[at] && cudaMalloc(&there[at], bytes[at] > 0 ? bytes[at] : 1) != cudaSuccess) {
            status = 3;
        }
    }
    if (status == 0) {
        status = timed(numbers, arrays, there, bytes);
    }
    for (int at = 0; at < @ARRAYS@; at++) {
        if (status == 0 && is_output[at] &&
            cudaMemcpy(arrays[at], there[at], bytes[at], cudaMemcpyDeviceToHost) != cudaSuccess) {
            status = 9;
        }
        cudaFree(there[at]);
    }
    return status;
}
"""
