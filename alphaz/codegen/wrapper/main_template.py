"""The parts of a generated main program that are the same for every system."""

INCLUDES = """\
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>"""

OPTIONS = """\
typedef enum { CONSTANT, RANDOM_VALUES, READ } filling;

/* What the command line says. */
typedef struct {
    int64_t parameters[PARAMETERS + 1]; /* the last SIZES of them are tile sizes */
    filling fill;
    double constant;
    uint64_t seed;
    const char *files[INPUTS + 1];
    const char *results[OUTPUTS + 1];
    bool print;
    bool bare;
    double relative;
    double absolute;
} options;

static const char *const parameter_names[PARAMETERS + 1] = {@PARAMETER_NAMES@NULL};
static const char *const input_names[INPUTS + 1] = {@INPUT_NAMES@NULL};
static const char *const output_names[OUTPUTS + 1] = {@OUTPUT_NAMES@NULL};

static void usage(FILE *stream, const char *program)
{
    fprintf(stream, "usage: %s", program);
    for (int p = 0; p < PARAMETERS; p++) {
        fprintf(stream, p < PARAMETERS - SIZES ? " %s" : " [%s]", parameter_names[p]);
    }
    fprintf(stream,
        " [options]\\n"
        "  --constant VALUE   every element of every input is VALUE (default: 1)\\n"
        "  --random SEED      random inputs, the same for the same seed\\n"
        "  --read             inputs from standard input, point by point in lexicographic order\\n"
        "  --input NAME=FILE  one input from a file, in the same order\\n"
        "  --output NAME=FILE one output into a file, a value a line, in the same order\\n"
        "  --print            print the outputs\\n"
        "  --bare             no prompts, and values only\\n"
        "  --relative X       relative tolerance of a comparison (default: 1e-4 for float, 1e-9 for double)\\n"
        "  --absolute X       absolute tolerance of a comparison (default: 1e-12)\\n"
        "A FILE that ends in .npy is an array of NumPy over the box around the domain.\\n");
}

static void fail(const char *program, const char *message, const char *what)
{
    fprintf(stderr, "%s: %s: %s\\n", program, message, what);
    usage(stderr, program);
    exit(2);
}

static int64_t integer_argument(const char *program, const char *text)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\\0' || errno != 0) {
        fail(program, "not an integer", text);
    }
    return value;
}

static double real_argument(const char *program, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\\0') {
        fail(program, "not a number", text);
    }
    return value;
}

/* NAME=FILE for one of the names */
static void file_argument(const char *program, const char *text, const char *wanted, int count,
    const char *const *names, const char **files)
{
    const char *const equals = strchr(text, '=');
    for (int at = 0; equals != NULL && at < count; at++) {
        const size_t length = strlen(names[at]);
        if ((size_t)(equals - text) == length && strncmp(text, names[at], length) == 0) {
            files[at] = equals + 1;
            return;
        }
    }
    fail(program, wanted, text);
}

static bool flag_argument(const char *text, options *given)
{
    if (strcmp(text, "--read") == 0) {
        given->fill = READ;
    } else if (strcmp(text, "--print") == 0) {
        given->print = true;
    } else if (strcmp(text, "--bare") == 0) {
        given->bare = true;
    } else {
        return false;
    }
    return true;
}

static void valued_argument(const char *program, const char *name, const char *value, options *given)
{
    if (value == NULL) {
        fail(program, "an unknown option, or one without its value", name);
    } else if (strcmp(name, "--constant") == 0) {
        given->fill = CONSTANT;
        given->constant = real_argument(program, value);
    } else if (strcmp(name, "--random") == 0) {
        given->fill = RANDOM_VALUES;
        given->seed = (uint64_t)integer_argument(program, value);
    } else if (strcmp(name, "--input") == 0) {
        file_argument(program, value, "not NAME=FILE for an input", INPUTS, input_names, given->files);
    } else if (strcmp(name, "--output") == 0) {
        file_argument(program, value, "not NAME=FILE for an output", OUTPUTS, output_names, given->results);
    } else if (strcmp(name, "--relative") == 0) {
        given->relative = real_argument(program, value);
    } else if (strcmp(name, "--absolute") == 0) {
        given->absolute = real_argument(program, value);
    } else {
        fail(program, "unknown option", name);
    }
}

static options read_options(int argc, char **argv)
{
    options given = {@SIZES@.constant = 1, .seed = 1, .relative = -1, .absolute = 1e-12};
#ifdef RANDOM
    given.fill = RANDOM_VALUES;
#endif
#ifdef CHECKING
    given.fill = READ;
    given.print = true;
#endif
#ifdef NO_PROMPT
    given.bare = true;
#endif
    int count = 0;
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--help") == 0) {
            usage(stdout, argv[0]);
            exit(0);
        }
        if (strncmp(argv[at], "--", 2) != 0) {
            if (count == PARAMETERS) {
                fail(argv[0], "one parameter too many", argv[at]);
            }
            given.parameters[count++] = integer_argument(argv[0], argv[at]);
        } else if (!flag_argument(argv[at], &given)) {
            valued_argument(argv[0], argv[at], at + 1 < argc ? argv[at + 1] : NULL, &given);
            at++;
        }
    }
    if (count < PARAMETERS - SIZES) {
        fail(argv[0], "no value for parameter", parameter_names[count]);
    }
    return given;
}
"""

SOURCE = """\
/* Where the values of an input come from. */
typedef struct {
    filling fill;
    double constant;
    uint64_t state;
    FILE *file;
    const char *name;
} source;

static source open_source(const options *given, int input)
{
    const uint64_t seed = given->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)input;
    source from = {given->fill, given->constant, seed, stdin, input_names[input]};
    if (given->files[input] != NULL) {
        from.fill = READ;
        from.file = open_file(given->files[input], "r");
    } else if (from.fill == READ && !given->bare) {
        printf("Input for %s:\\n", from.name);
        fflush(stdout);
    }
    return from;
}

static void close_source(source *from)
{
    char more[2];
    if (from->file == stdin) {
        return;
    }
    if (fscanf(from->file, "%1s", more) == 1) {
        fprintf(stderr, "%s: there are more values than points\\n", from->name);
        exit(2);
    }
    fclose(from->file);
}

/* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static inline uint64_t next_random(source *from)
{
    uint64_t z = from->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The next word of the file, which must be a number. */
static inline void next_word(source *from, char word[128])
{
    if (fscanf(from->file, "%127s", word) != 1) {
        fprintf(stderr, "%s: there are fewer values than points\\n", from->name);
        exit(2);
    }
}

static inline void check_number(const source *from, const char *word, const char *end)
{
    if (end == word || *end != '\\0' || errno != 0) {
        fprintf(stderr, "%s: not a value of its type: %s\\n", from->name, word);
        exit(2);
    }
}
"""

NEXT = {
    "real": """\
static double next_real(source *from)
{
    if (from->fill == CONSTANT) {
        return from->constant;
    }
    if (from->fill == RANDOM_VALUES) {
        return (double)(next_random(from) >> 11) * 0x1p-52 - 1.0;
    }
    char word[128];
    char *end;
    next_word(from, word);
    const double value = strtod(word, &end);
    errno = 0;
    check_number(from, word, end);
    return value;
}
""",
    "signed": """\
static int64_t next_signed(source *from, int bits)
{
    if (from->fill == CONSTANT) {
        return (int64_t)from->constant;
    }
    if (from->fill == RANDOM_VALUES) {
        const int64_t size = (int64_t)(next_random(from) % 9) + 1;
        return next_random(from) % 2 == 0 ? size : -size;
    }
    char word[128];
    char *end;
    next_word(from, word);
    errno = 0;
    const long long value = strtoll(word, &end, 10);
    const long long most = (long long)(UINT64_MAX >> (65 - bits));
    check_number(from, word, value > most || value < -most - 1 ? word : end);
    return value;
}
""",
    "unsigned": """\
static uint64_t next_unsigned(source *from, int bits)
{
    if (from->fill == CONSTANT) {
        return (uint64_t)from->constant;
    }
    if (from->fill == RANDOM_VALUES) {
        return next_random(from) % 9 + 1;
    }
    char word[128];
    char *end;
    next_word(from, word);
    errno = 0;
    const unsigned long long value = strtoull(word, &end, 10);
    check_number(from, word, word[0] == '-' || value > UINT64_MAX >> (64 - bits) ? word : end);
    return value;
}
""",
    "bool": """\
static bool next_bool(source *from)
{
    if (from->fill == CONSTANT) {
        return from->constant != 0;
    }
    if (from->fill == RANDOM_VALUES) {
        return next_random(from) % 2 == 1;
    }
    char word[128];
    next_word(from, word);
    const bool value = strcmp(word, "1") == 0 || strcmp(word, "true") == 0;
    const bool is_false = strcmp(word, "0") == 0 || strcmp(word, "false") == 0;
    errno = 0;
    check_number(from, word, value || is_false ? word + strlen(word) : word);
    return value;
}
""",
}

NOW = """\
static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
"""

CLOSE = """\
/* Whether two values agree. What is no number agrees with nothing. */
static bool is_close(const options *given, double value, double expected, double relative)
{
    if (value == expected) {
        return true;
    }
    const double larger = fabs(value) > fabs(expected) ? fabs(value) : fabs(expected);
    const double allowed = given->relative >= 0 ? given->relative : relative;
    return isfinite(larger) && fabs(value - expected) <= given->absolute + allowed * larger;
}

/* Where what is expected is no number, nothing can be compared. */
static void advise_numbers(void)
{
    printf("nan is no number: these data do not suit the program (the root of a negative number? 0/0?).\\n"
           "Give others, with --input NAME=FILE, --constant VALUE or --random SEED.\\n");
}
"""

VERDICT = """\
/* Says how a comparison went. */
static bool verdict(const char *name, int64_t errors)
{
    if (errors == 0) {
        printf("TEST for %s PASSED\\n", name);
    } else {
        printf("TEST for %s FAILED. #Errors: %lld\\n", name, (long long)errors);
    }
    return errors == 0;
}
"""
