/* Runs generated functions: driver PLAN DATA. Each sample has a process of its own, which may die or not end.
 *
 * A plan is a text:
 *   sample LIBRARY SECONDS MEGABYTES ERRORS   what follows is a sample: its library, its limits, the file for its stderr
 *   run SYMBOL THREADS SEED DELAYS STATUS INTEGERS n... ARRAYS (i|c|o BYTES PLACE | p INPUT PLACE)...
 * An array is an input, an input that may be changed, an output, or an output in the array of the input of that number. STATUS and PLACE are offsets in the file of data, which has the inputs and gets the outputs and, as an int32, what the
 * function returned. For each sample a line is printed: how its process ended, as waitpid says it.
 *
 * Around each array stand guard zones: those of AddressSanitizer, or some of our own.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 32, ZONE = 512, MARK = 0xA5, UNSET = 0xFE, CHANGED_INPUT = 1001, OUTSIDE = 1002 };

void omp_set_num_threads(int count);
void permute_threads(uint64_t seed, unsigned delays);

#if defined(__SANITIZE_ADDRESS__)
enum { HAS_ZONES = 0 };
#else
enum { HAS_ZONES = ZONE };
#endif

struct array {
    char kind;
    size_t bytes;
    long place;
    unsigned char *at;
};

static unsigned char *data;

static void give_up(const char *why)
{
    fprintf(stderr, "driver: %s\n", why);
    _exit(70);
}

static void allocate(struct array *array)
{
    unsigned char *block = malloc(array->bytes + 2 * HAS_ZONES + !array->bytes);
    if (!block)
        give_up("no memory for an array");
    memset(block, MARK, array->bytes + 2 * HAS_ZONES);
    array->at = block + HAS_ZONES;
    memcpy(array->at, data + array->place, array->bytes);
}

static bool is_whole(const struct array *array)
{
    for (size_t at = 0; at < HAS_ZONES; at++)
        if (array->at[-1 - (long)at] != MARK || array->at[array->bytes + at] != MARK)
            return false;
    return true;
}

static int checked(struct array *array)
{
    if (!is_whole(array))
        return OUTSIDE;
    if (array->kind == 'i')
        return memcmp(array->at, data + array->place, array->bytes) ? CHANGED_INPUT : 0;
    if (array->kind == 'o' || array->kind == 'p')
        memcpy(data + array->place, array->at, array->bytes);
    return 0;
}

/* All arguments of generated functions are integers of 64 bits, or pointers. */
typedef int (*generated)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

static void run_one(void *library, FILE *plan)
{
    char symbol[200];
    int threads, integers, arrays, used = 0;
    unsigned delays;
    uint64_t seed;
    long status;
    struct array each[MOST];
    int64_t a[40] = {0};
    if (fscanf(plan, "%199s %d %" SCNu64 " %u %ld %d", symbol, &threads, &seed, &delays, &status, &integers) != 6 ||
        integers > 32)
        give_up("a run cannot be read");
    for (; used < integers; used++)
        if (fscanf(plan, "%" SCNd64, &a[used]) != 1)
            give_up("an integer cannot be read");
    if (fscanf(plan, "%d", &arrays) != 1 || arrays > MOST || used + arrays > 40)
        give_up("there are too many arguments");
    for (int at = 0; at < arrays; at++) {
        if (fscanf(plan, " %c %zu %ld", &each[at].kind, &each[at].bytes, &each[at].place) != 3)
            give_up("an array cannot be read");
        if (each[at].kind == 'p') {
            const struct array *input = &each[each[at].bytes];
            each[at].bytes = input->bytes;
            each[at].at = input->at;
        } else {
            allocate(&each[at]);
        }
        a[used++] = (int64_t)(intptr_t)each[at].at;
    }
    generated function = (generated)dlsym(library, symbol);
    if (!function)
        give_up(dlerror());
    omp_set_num_threads(threads);
    permute_threads(seed, delays);
    int32_t said = function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
                            a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19],
                            a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29],
                            a[30], a[31], a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39]);
    for (int at = 0; at < arrays; at++) {
        int wrong = checked(&each[at]);
        said = said ? said : wrong;
    }
    for (int at = 0; at < arrays; at++)
        if (each[at].kind != 'p')
            free(each[at].at - HAS_ZONES);
    memcpy(data + status, &said, sizeof said);
}

/* An array that generated code allocates: nothing of it lies behind its last element, and what is in it is no value. */
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *begin, size_t size);

void *tight(size_t alignment, size_t whole, size_t bytes)
{
    unsigned char *array = aligned_alloc(alignment, whole);
    if (array)
        memset(array, UNSET, bytes);
    if (array && __asan_poison_memory_region)
        __asan_poison_memory_region(array + bytes, whole - bytes);
    return array;
}

static void limit(int seconds, long megabytes)
{
    long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    if (sizes && fscanf(sizes, "%ld", &pages) != 1)
        pages = 0;
    if (sizes)
        fclose(sizes);
    rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)megabytes << 20);
    struct rlimit processor = {(rlim_t)seconds, (rlim_t)seconds + 1}, memory = {bytes, bytes}, no_core = {0, 0};
    setrlimit(RLIMIT_CPU, &processor);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &no_core);
    alarm((unsigned)seconds * 6);
}

/* The runs up to the next sample, in this process, or none of them. */
static bool runs(void *library, FILE *plan, bool skipped)
{
    char word[16];
    while (fscanf(plan, "%15s", word) == 1) {
        if (strcmp(word, "run") != 0)
            return true;
        if (!skipped)
            run_one(library, plan);
        else if (fscanf(plan, "%*[^\n]") < 0)
            return false;
    }
    return false;
}

/* In the child: it reads the plan by a description of its own, from where the parent stands. */
static void live(const char *path, long place, const char *library, int seconds, long megabytes, const char *errors)
{
    int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0)
        dup2(file, 2);
    FILE *plan = fopen(path, "r");
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!plan || !loaded || fseek(plan, place, SEEK_SET))
        give_up(loaded ? "no plan" : dlerror());
    limit(seconds, megabytes);
    runs(loaded, plan, false);
    _exit(0);
}

int main(int count, char **words)
{
    if (count != 3)
        give_up("driver PLAN DATA");
    FILE *plan = fopen(words[1], "r");
    int file = open(words[2], O_RDWR);
    struct stat about;
    if (!plan || file < 0 || fstat(file, &about))
        give_up("no plan, or no data");
    data = mmap(NULL, (size_t)about.st_size + 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED)
        give_up("the data cannot be mapped");
    char word[16], library[500], errors[500];
    int seconds;
    long megabytes;
    bool more = fscanf(plan, "%15s", word) == 1;
    while (more && fscanf(plan, "%499s %d %ld %499s", library, &seconds, &megabytes, errors) == 4) {
        int how = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            give_up("no process");
        if (child == 0)
            live(words[1], ftell(plan), library, seconds, megabytes, errors);
        waitpid(child, &how, 0);
        printf("%d\n", how);
        more = runs(NULL, plan, true);
    }
    return 0;
}
