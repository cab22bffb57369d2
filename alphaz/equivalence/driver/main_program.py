"""The fixed parts of the program that executes a C function once: reading and writing files, and the start of
`main`."""

MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

const char *__asan_default_options(void) { return "detect_leaks=0"; }
void call__(const long long *given, void **at);
void places__(void **at, unsigned long *size);

static int exchanged(const char *name, void *bytes, size_t size, int out)
{
    FILE *file = fopen(name, out ? "wb" : "rb");
    size_t done = file == NULL ? 0 : out ? fwrite(bytes, 1, size, file) : fread(bytes, 1, size, file);
    return file != NULL && fclose(file) == 0 && done == size;
}

static void *apart(const char *bytes, size_t rows, size_t size)
{
    char **found = malloc(rows * sizeof(char *));
    for (size_t i = 0; i < rows; i++) {
        found[i] = malloc(size);
        memcpy(found[i], bytes + i * size, size);
    }
    return found;
}

static void together(void *passed, char *bytes, size_t rows, size_t size)
{
    char **found = passed;
    for (size_t i = 0; i < rows; i++) {
        memcpy(bytes + i * size, found[i], size);
        free(found[i]);
    }
    free(found);
}

int main(int argc, char **argv)
{"""

BEGIN = """\
    if (argc < 2) return 0;
    for (int i = 2; i < argc; i++) given[i - 2] = atoll(argv[i]);
#ifdef _OPENMP
    omp_set_num_threads(atoi(argv[1]));
#endif"""
