"""A C file that watches the messages of a program under MPI, by the profiling interface: for tests of generated code.

Delays come from a seed (ALPHAZ_RANK_SEED), and so does the choice between synchronous and buffered sends. A process
ends with a fault if a send buffer changes before its wait, a received message is shorter than its buffer, ranks
disagree about a broadcast, a message is not received or a request not waited for when its communicator is freed, or
a wait takes more than ALPHAZ_RANK_WAIT seconds. Receive buffers are filled with NaN first.
"""

CHECKS = """\
#undef malloc
#undef realloc
#undef free
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sched_yield(void); /* of POSIX, which strict headers leave out */

struct pending {
    MPI_Request *request;
    const unsigned char *data;
    size_t bytes;
    uint64_t sum;
    int sends;
};

static struct pending *pending;
static int count_pending, room;
static uint64_t state;
static double longest = 300.0;

/* What this rank has sent so far: messages and bytes. */
long long watched_messages, watched_bytes;

static void fault(const char *text)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s\\n", rank, text);
    fflush(stderr);
    PMPI_Abort(MPI_COMM_WORLD, 3);
}

static uint64_t next(void)
{
    if (state == 0) {
        int rank;
        const char *seed = getenv("ALPHAZ_RANK_SEED"), *wait = getenv("ALPHAZ_RANK_WAIT");
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        state = (uint64_t)(seed ? atoll(seed) : 1) * 1000003u + (uint64_t)rank * 7919u + 12345u;
        longest = wait ? atof(wait) : longest;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void delay(void)
{
    if (next() % 8 == 0) {
        const double until = PMPI_Wtime() + 1e-6 * (double)(next() % 300);
        while (PMPI_Wtime() < until) {
        }
    }
}

static uint64_t sum_of(const unsigned char *data, size_t bytes)
{
    uint64_t sum = UINT64_C(1469598103934665603);
    for (size_t at = 0; at < bytes; at++) {
        sum = (sum ^ data[at]) * UINT64_C(1099511628211);
    }
    return sum;
}

static size_t size_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (size_t)count * (size_t)size;
}

static void keep(MPI_Request *request, const void *data, size_t bytes, int sends)
{
    if (count_pending == room) {
        room = 2 * room + 8;
        pending = realloc(pending, (size_t)room * sizeof *pending);
        if (pending == NULL) {
            fault("no memory to watch messages");
        }
    }
    pending[count_pending++] = (struct pending){request, data, bytes, sum_of(data, bytes), sends};
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    delay();
    watched_messages += 1;
    watched_bytes += (long long)size_of(count, type);
    const int failed = next() % 2 ? PMPI_Issend(data, count, type, to, tag, comm, request)
                                  : PMPI_Isend(data, count, type, to, tag, comm, request);
    keep(request, data, size_of(count, type), 1);
    return failed;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    delay();
    memset(data, 0xff, size_of(count, type));
    const int failed = PMPI_Irecv(data, count, type, from, tag, comm, request);
    keep(request, data, size_of(count, type), 0);
    return failed;
}

/* Removes a request; returns the bytes that it receives, -1 for others. */
static long long waited(MPI_Request *request)
{
    for (int at = 0; at < count_pending; at++) {
        if (pending[at].request == request) {
            const struct pending found = pending[at];
            pending[at] = pending[--count_pending];
            if (found.sends && sum_of(found.data, found.bytes) != found.sum) {
                fault("the buffer of a message was changed before it was sent");
            }
            return found.sends ? -1 : (long long)found.bytes;
        }
    }
    return -1;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *given)
{
    (void)given;
    delay();
    MPI_Status *statuses = malloc(((size_t)count + 1) * sizeof *statuses);
    long long *bytes = malloc(((size_t)count + 1) * sizeof *bytes);
    if (statuses == NULL || bytes == NULL) {
        fault("no memory to watch messages");
    }
    for (int at = 0; at < count; at++) {
        bytes[at] = waited(&requests[at]);
    }
    int is_done = 0, failed = MPI_SUCCESS;
    const double until = PMPI_Wtime() + longest;
    while (!is_done && failed == MPI_SUCCESS) {
        failed = PMPI_Testall(count, requests, &is_done, statuses);
        if (!is_done && failed == MPI_SUCCESS) {
            if (PMPI_Wtime() > until) {
                fault("a message does not arrive");
            }
            sched_yield();
        }
    }
    for (int at = 0; at < count && failed == MPI_SUCCESS; at++) {
        int got = 0;
        if (bytes[at] >= 0 && (PMPI_Get_count(&statuses[at], MPI_BYTE, &got), got != bytes[at])) {
            fault("a message is shorter than expected");
        }
    }
    free(bytes);
    free(statuses);
    return failed;
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank, size, mine[4] = {count, -count, root, -root}, all[4];
    delay();
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    PMPI_Allreduce(mine, all, 4, MPI_INT, MPI_MAX, comm);
    if (all[0] != -all[1] || all[2] != -all[3]) {
        fault("ranks disagree about a broadcast");
    }
    if (rank == root) {
        watched_messages += size - 1;
        watched_bytes += (long long)(size - 1) * (long long)size_of(count, type);
    } else {
        memset(data, 0xff, size_of(count, type));
    }
    return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    int is_there = 0;
    PMPI_Barrier(*comm);
    for (int at = 0; at < 20 && !is_there; at++) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, *comm, &is_there, MPI_STATUS_IGNORE);
    }
    if (is_there) {
        fault("a message is not received");
    }
    if (count_pending > 0) {
        fault("a message is not waited for");
    }
    return PMPI_Comm_free(comm);
}
"""
