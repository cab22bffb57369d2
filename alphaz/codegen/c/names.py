"""From names of a program to C identifiers, without collisions.

`identifier` is an injective function of the name alone, so that every file calls a thing by the same name. Names that
C, its libraries or C++ use get an underscore; characters that C does not have are spelt `_x27_`.
"""

import re
from collections.abc import Iterable

from alphaz.c.alphaz_header import runtime_functions

_KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
asm typeof fortran bool true false and or not xor nand
and_eq bitand bitor catch class compl concept consteval constexpr constinit decltype delete explicit export friend
mutable namespace new noexcept not_eq nullptr operator or_eq private protected public requires template this throw try
typeid typename using virtual wchar_t xor_eq
"""

# The declarations of the included headers, the compiler's built-in names, and the additions of POSIX.
_LIBRARY = """
main errno NULL EOF assert linux unix I complex imaginary noreturn alignas alignof static_assert thread_local
abort abs labs llabs atexit atof atoi atol atoll bsearch calloc div ldiv lldiv exit free getenv malloc qsort rand random
srand srandom realloc aligned_alloc posix_memalign alloca system strtod strtof strtol strtold strtoll strtoul strtoull
index rindex memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strdup strerror strlen
strncat strncmp strncpy strpbrk strrchr strspn strstr strtok bcmp bcopy bzero ffs
acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2
logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma ceil floor nearbyint rint lrint llrint
round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma signgam
j0 j1 jn y0 y1 yn significand drem finite isinf isnan isfinite isnormal signbit fpclassify pow10 scalb
INFINITY NAN HUGE_VAL HUGE_VALF FP_NAN FP_ZERO FP_INFINITE FP_NORMAL FP_SUBNORMAL M_E M_PI M_LN2 M_SQRT2
printf fprintf sprintf snprintf scanf fscanf sscanf vprintf vfprintf puts fputs putc putchar fputc getc getchar fgetc
fgets gets fopen fclose fflush fread fwrite fseek ftell rewind remove rename tmpfile perror setbuf setvbuf ungetc feof
ferror clearerr stdin stdout stderr FILE BUFSIZ getline dprintf open close read write pipe link unlink access dup fork
time clock difftime mktime asctime ctime gmtime localtime strftime timespec clock_gettime clock_t time_t TIME_UTC
CLOCKS_PER_SEC timespec_get size_t ptrdiff_t wchar_t offsetof va_list isalpha isdigit isspace toupper tolower
signal raise sleep select accept bind connect listen socket wait daemon environ truncate madvise
"""

# The names of functions of wrappers and of what generated functions declare besides the user's names.
_GENERATED = """
failed status self at cell tries memory run request state stack depth capacity budget want compute evaluate instance
release release_calls new_instance all_final
MISSING IN_PROGRESS FINAL CELLS
value_type number entry stored decoded bits_of is_npy real_of count_of next_bool next_random next_real next_signed
next_unsigned next_word open_file open_source close_source close_written refuse_file read_header read_npy write_npy
read_options check_number check_shape file_argument flag_argument integer_argument real_argument valued_argument
given from source options choices expected errors agree seconds begin now trace argc argv usage fail verdict is_close
advise_numbers filling CONSTANT RANDOM_VALUES READ PARAMETERS SIZES INPUTS RANDOM CHECKING VERIFY TIMING NO_PROMPT
"""

_CUDA = "threadIdx blockIdx blockDim gridDim warpSize dim3 stream"

RESERVED = frozenset(f"{_KEYWORDS} {_LIBRARY} {_GENERATED} {_CUDA}".split()) | runtime_functions().keys()

_RESERVED_SHAPES = re.compile(
    r"(u?int(_least|_fast)?(8|16|32|64|ptr|max)_t|U?INT(_LEAST|_FAST)?(8|16|32|64|PTR|MAX)_(MIN|MAX|C)|PRI[a-zA-Z0-9]+"
    r"|(CHAR|SCHAR|UCHAR|SHRT|USHRT|INT|UINT|LONG|ULONG|LLONG|ULLONG|SIZE|RAND)_(MIN|MAX|BIT)|(FLT|DBL|LDBL)_[A-Z_0-9]+"
    r"|EXIT_(SUCCESS|FAILURE)|SEEK_(SET|CUR|END)|E[A-Z]{3,}|cuda[A-Z]\w+|omp_\w+|GOMP_\w+|kmp_\w+"
    r"|(min|max|quotient|remainder|whole)_(bool|char|short|int|long|longlong|float|double|unsigned_\w+)"
    r"|(acos|asin|atan|atan2|cos|sin|tan|acosh|asinh|atanh|cosh|sinh|tanh|exp|exp2|expm1|log|log10|log1p|log2|cbrt|fabs"
    r"|hypot|pow|sqrt|erf|erfc|ceil|floor|rint|round|trunc|fmod|fmax|fmin|fma|j0|j1|jn|y0|y1|yn|gamma|ldexp|modf|nan)[fl]"
    r"|(init|compute|want|reduce|start|point)_\w+)"
)
_ESCAPE = re.compile(r"_x[0-9a-f]+_")


def identifier(name: str) -> str:
    """Returns the C identifier for a name of the program: the same name wherever that is possible. Injective."""
    escaped = _ESCAPE.sub(lambda escape: "_x5f_" + escape[0][1:], name)
    escaped = "".join(c if c.isascii() and (c.isalnum() or c == "_") else f"_x{ord(c):x}_" for c in escaped)
    if re.match(r"(n_)*([0-9]|_)", escaped):
        escaped = "n_" + escaped
    return escaped + "_" if _is_reserved(escaped.rstrip("_")) else escaped


def _is_reserved(name: str) -> bool:
    return name in RESERVED or _RESERVED_SHAPES.fullmatch(name) is not None


def fresh(stem: str, taken: Iterable[str]) -> str:
    """Returns the stem, or the stem with the first number from 2 on that makes it new."""
    used = taken if isinstance(taken, set | frozenset) else set(taken)
    if stem not in used:
        return stem
    position = 2
    while f"{stem}_{position}" in used:
        position += 1
    return f"{stem}_{position}"


class Identifiers:
    """The identifiers of one C function: those of the program, and others that differ from them all."""

    def __init__(self, program: Iterable[str], generated: Iterable[str] = ()) -> None:
        self._taken = {*(identifier(n) for n in program), *generated}

    @property
    def taken(self) -> frozenset[str]:
        return frozenset(self._taken)

    def copy(self) -> "Identifiers":
        """Returns the same names for an inner scope, whose additions are not visible outside."""
        return Identifiers((), self._taken)

    def new(self, stem: str) -> str:
        """Returns a new identifier like `stem` (which is an identifier)."""
        name = fresh(stem, self._taken)
        self._taken.add(name)
        return name
