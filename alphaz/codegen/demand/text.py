"""The fixed part of demand-driven C: requests, calls of systems, and the loop that serves them.

There are no global variables, so that runs may go on at the same time. All requests are on one stack on the heap, for
every call of a system: neither long chains of values nor deep recursion of systems use the stack of the thread.
"""

STATES = "enum { MISSING, IN_PROGRESS, FINAL };"

# How deep calls of systems may nest: status 7 beyond, as the interpreter has it.
DEEPEST_CALL = 10_000

REQUEST = """\
typedef struct instance instance;

/* A value that is wanted: the element `at` of variable `cell` of a system, which has been tried so often. */
typedef struct {
    instance *of;
    int64_t at;
    int cell;
    int tries;
} request;

/* What is shared by all systems that take part in a run. */
typedef struct {
    request *stack;
    int64_t depth;
    int64_t capacity;
    int64_t budget; /* how many values this attempt may still ask for */
@CALLS@    int status;
} run;

/* A system at work: `memory` holds its parameters and arrays. */
struct instance {
    run *run;
    void *memory;
    unsigned char *state[CELLS];
    void *owned[@OWNED@];
@CALLER@};"""

CALLS = "    instance *calls; /* all of them, to be freed in the end */\n"
CALLER = """\
    int system;
    int use; /* which use equation has called it, at which point of its extension */
    int64_t point[@RANK@];
    instance *caller;
    instance *next;
    int level;
"""

WANT = """\
/* Whether a value is there. If it is not, it is asked for, unless this attempt has asked for enough. */
static bool want(instance *self, int cell, int64_t at)
{
    const unsigned char state = self->state[cell][at];
    if (state == FINAL) {
        return true;
    }
    run *const all = self->run;
    if (state == IN_PROGRESS) {
        all->status = 4;
        point_failed(self, cell, at, "depends on itself");
    }
    if (all->status != 0 || all->budget == 0) {
        all->budget = 0;
        return false;
    }
    if (all->depth == all->capacity) {
        const int64_t capacity = all->capacity + all->capacity / 2 + 1024;
        request *stack = realloc(all->stack, (size_t)capacity * sizeof(*stack));
        if (stack == NULL) {
            all->status = 3;
            return false;
        }
        all->stack = stack;
        all->capacity = capacity;
    }
    all->budget--;
    all->stack[all->depth++] = (request){self, at, cell, 0};
    return false;
}
"""

EVALUATE = """\
/* Computes a value and everything that it needs. */
static void evaluate(instance *self, int cell, int64_t at)
{
    run *const all = self->run;
    all->budget = 1;
    want(self, cell, at);
    while (all->depth > 0 && all->status == 0) {
        request *const top = &all->stack[all->depth - 1];
        const request now = *top;
        unsigned char *const state = &now.of->state[now.cell][now.at];
        if (*state == FINAL) {
            all->depth--;
            continue;
        }
        *state = IN_PROGRESS;
        all->budget = INT64_C(1) << now.tries;
        top->tries += now.tries < 40;
        if (compute(now.of, now.cell, now.at)) {
            *state = FINAL;
            all->depth--;
        }
        if (all->status == 5 || all->status == 6) {
            const char *const why = all->status == 5 ? "divides by zero" : "needs too large an integer";
            point_failed(now.of, now.cell, now.at, why);
        }
    }
}
"""

RELEASE = """\
/* Frees the arrays of a system. */
static void release(instance *self)
{
    for (int k = 0; k < @OWNED@; k++) {
        free(self->owned[k]);
    }
}
"""

START = f"""\
/* A call of a system, without its arrays yet; NULL when there is no memory, or when calls nest too deeply. */
static instance *new_instance(instance *caller, int system, int use, size_t size)
{{
    run *const all = caller->run;
    if (caller->level >= {DEEPEST_CALL}) {{
        all->status = 7;
        return NULL;
    }}
    instance *self = calloc(1, sizeof(*self));
    void *memory = calloc(1, size);
    if (self == NULL || memory == NULL) {{
        all->status = 3;
        free(self);
        free(memory);
        return NULL;
    }}
    self->run = all;
    self->memory = memory;
    self->system = system;
    self->use = use;
    self->caller = caller;
    self->level = caller->level + 1;
    self->next = all->calls;
    all->calls = self;
    return self;
}}

/* Frees all calls. */
static void release_calls(run *all)
{{
    while (all->calls != NULL) {{
        instance *done = all->calls;
        all->calls = done->next;
        release(done);
        free(done->memory);
        free(done);
    }}
}}
"""

ALL_FINAL = """\
/* The values of an input that is given are there from the start. */
static void all_final(unsigned char *state, int rank, const int64_t *extents)
{
    const int64_t count = bytes_of(1, rank, extents);
    for (int64_t k = 0; state != NULL && k < count; k++) {
        state[k] = FINAL;
    }
}
"""
