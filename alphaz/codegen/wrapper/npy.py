"""The parts of a generated main program that read and write arrays of NumPy (`.npy`, versions 1 to 3 of the format).

A file holds an array over the bounding box of a domain, as the arrays of the program do. A value that the type of the
variable cannot hold exactly is rejected, as by the interpreter.
"""

FILES = """\
/* The type of an element: its kind, as NumPy names it (b, i, u or f), and its bytes. */
typedef struct {
    char kind;
    int size;
} value_type;

static void refuse_file(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\\n", path, why);
    exit(2);
}

static bool is_npy(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *const file = fopen(path, mode);
    if (file == NULL) {
        fprintf(stderr, "cannot %s %s: %s\\n", mode[0] == 'r' ? "read" : "write", path, strerror(errno));
        exit(2);
    }
    return file;
}

static inline int64_t count_of(int rank, const int64_t *extents)
{
    int64_t count = 1;
    for (int d = 0; d < rank; d++) {
        count *= extents[d] > 0 ? extents[d] : 0;
    }
    return count;
}
"""

READING = """\
/* A number of a file, as its kind says. */
typedef struct {
    char kind;
    double real;
    int64_t whole;
    uint64_t natural;
} number;

static number decoded(const unsigned char *bytes, value_type is)
{
    uint64_t bits = 0;
    for (int at = is.size - 1; at >= 0; at--) {
        bits = bits << 8 | bytes[at];
    }
    number found = {is.kind == 'b' ? 'u' : is.kind, 0, 0, bits};
    if (is.kind == 'f' && is.size == 8) {
        memcpy(&found.real, &bits, 8);
    } else if (is.kind == 'f') {
        const uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, 4);
        found.real = (double)single;
    } else if (is.kind == 'i') {
        const uint64_t sign = UINT64_C(1) << (8 * is.size - 1);
        found.whole = (int64_t)((bits ^ sign) - sign);
    }
    return found;
}

static bool real_of(number from, double *to)
{
    if (from.kind == 'f') {
        *to = from.real;
        return true;
    }
    if (from.kind == 'i') {
        *to = (double)from.whole;
        return *to < 0x1p63 && (int64_t)*to == from.whole;
    }
    *to = (double)from.natural;
    return *to < 0x1p64 && (uint64_t)*to == from.natural;
}

/* Whether an integer fits into so many bytes; its bits. */
static bool bits_of(number from, value_type wanted, uint64_t *bits)
{
    const bool negative = from.kind == 'i' && from.whole < 0;
    *bits = from.kind == 'i' ? (uint64_t)from.whole : from.natural;
    if (wanted.kind == 'b') {
        return *bits <= 1;
    }
    const int width = 8 * wanted.size - (wanted.kind == 'i');
    const uint64_t size = negative ? ~*bits : *bits;
    return !(negative && wanted.kind == 'u') && (width == 64 || size >> width == 0);
}

/* Whether the type can hold the number exactly; if so it is stored. */
static bool stored(number from, value_type wanted, unsigned char *to)
{
    if (wanted.kind == 'f') {
        double real;
        const bool is_exact = real_of(from, &real);
        const float single = (float)real;
        memcpy(to, wanted.size == 8 ? (const void *)&real : (const void *)&single, (size_t)wanted.size);
        return is_exact && (wanted.size == 8 || (double)single == real || isnan(real));
    }
    uint64_t bits = 0;
    const bool is_exact = from.kind != 'f' && bits_of(from, wanted, &bits);
    const uint8_t one = (uint8_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    const void *const sized[] = {&one, &two, &four, &bits};
    memcpy(to, sized[wanted.size == 1 ? 0 : wanted.size == 2 ? 1 : wanted.size == 4 ? 2 : 3], (size_t)wanted.size);
    return is_exact;
}

/* What stands behind a key of the header. */
static const char *entry(const char *path, const char *header, const char *key)
{
    const char *found = strstr(header, key);
    found = found == NULL ? NULL : strchr(found, ':');
    if (found == NULL) {
        refuse_file(path, "its header is damaged");
    }
    return found + 1 + strspn(found + 1, " ");
}

static char *read_header(const char *path, FILE *file)
{
    unsigned char start[12] = {0};
    const bool is_whole = fread(start, 1, 10, file) == 10 && memcmp(start, "\\x93NUMPY", 6) == 0;
    if (!is_whole || (start[6] > 1 && fread(start + 10, 1, 2, file) != 2)) {
        refuse_file(path, "it is no array of NumPy");
    }
    const size_t low = start[8] + 256u * start[9];
    const size_t length = low + (start[6] > 1 ? 65536u * start[10] + 16777216u * start[11] : 0u);
    char *const header = length < 1000000 ? calloc(length + 1, 1) : NULL;
    if (header == NULL || fread(header, 1, length, file) != length) {
        refuse_file(path, "its header is damaged");
    }
    return header;
}

static void check_shape(const char *path, const char *shape, int rank, const int64_t *extents)
{
    shape += *shape == '(';
    for (int d = 0; d < rank; d++) {
        char *end;
        const long long given = strtoll(shape, &end, 10);
        if (end == shape || given != (extents[d] > 0 ? extents[d] : 0)) {
            refuse_file(path, "its shape is not that of the box around the domain");
        }
        shape = end + strspn(end, ", ");
    }
    if (*shape != ')') {
        refuse_file(path, "its shape is not that of the box around the domain");
    }
}

static void read_npy(const char *path, void *to, value_type wanted, int rank, const int64_t *extents)
{
    FILE *const file = open_file(path, "rb");
    char *const header = read_header(path, file);
    const char *const type = entry(path, header, "'descr'");
    const value_type is = {type[2], type[1] == '\\0' || type[2] == '\\0' ? 0 : (int)strtol(type + 3, NULL, 10)};
    const bool is_float = is.kind == 'f' && (is.size == 4 || is.size == 8);
    const bool is_whole = (is.kind == 'i' || is.kind == 'u' || is.kind == 'b') && is.size >= 1 && is.size <= 8;
    if (type[0] != '\\'' || !(is_float || is_whole)) {
        refuse_file(path, "its elements are no numbers");
    }
    const uint16_t one = 1;
    const bool is_little = *(const unsigned char *)&one == 1;
    const bool is_reversed = type[1] == '>' || (type[1] == '=' && !is_little);
    const bool by_columns = *entry(path, header, "'fortran_order'") == 'T';
    check_shape(path, entry(path, header, "'shape'"), rank, extents);
    int64_t index[64] = {0};
    const int64_t count = count_of(rank, extents);
    for (int64_t read = 0; read < count; read++) {
        unsigned char bytes[8], turned[8];
        if (fread(bytes, 1, (size_t)is.size, file) != (size_t)is.size) {
            refuse_file(path, "there are fewer values than its header says");
        }
        for (int at = 0; at < is.size; at++) {
            turned[at] = bytes[is_reversed ? is.size - 1 - at : at];
        }
        int64_t position = 0;
        for (int d = 0; d < rank; d++) {
            position = position * extents[d] + index[d];
        }
        if (!stored(decoded(turned, is), wanted, (unsigned char *)to + position * wanted.size)) {
            refuse_file(path, "a value does not fit into the type of the input");
        }
        for (int d = 0; d < rank; d++) {
            const int turn = by_columns ? d : rank - 1 - d;
            index[turn] = index[turn] + 1 < extents[turn] ? index[turn] + 1 : 0;
            if (index[turn] != 0) {
                break;
            }
        }
    }
    free(header);
    fclose(file);
}
"""

WRITING = """\
static void close_written(const char *path, FILE *file)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        refuse_file(path, "it could not be written");
    }
}

static void write_npy(const char *path, const void *from, value_type is, int rank, const int64_t *extents)
{
    const uint16_t one = 1;
    const char order = is.size == 1 ? '|' : *(const unsigned char *)&one == 1 ? '<' : '>';
    char header[2048];
    int length = snprintf(header, sizeof header, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (", order,
        is.kind, is.size);
    for (int d = 0; d < rank; d++) {
        length += snprintf(header + length, sizeof header - (size_t)length, "%lld, ",
            (long long)(extents[d] > 0 ? extents[d] : 0));
    }
    length += snprintf(header + length, sizeof header - (size_t)length, "), }");
    while ((10 + length + 1) % 64 != 0) {
        header[length++] = ' ';
    }
    header[length++] = '\\n';
    FILE *const file = open_file(path, "wb");
    const unsigned char start[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(length % 256), (unsigned char)(length / 256)};
    fwrite(start, 1, sizeof start, file);
    fwrite(header, 1, (size_t)length, file);
    fwrite(from, (size_t)is.size, (size_t)count_of(rank, extents), file);
    close_written(path, file);
}
"""
