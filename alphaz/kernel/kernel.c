/* checker.py once more, in C: checks proofs that the sets of a certificate are empty. It shares nothing with checker.py.

       cc -O2 -o kernel kernel.c && ./kernel c.json c.proofs.json

   The steps are described in checker.py. Integers have 128 bits, with checks: what is larger is refused. The SHA-256 of
   the certificate is not compared; a proof of another certificate is refused where it proves nothing. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 Integer;

static jmp_buf refused;
static const char *reason;

static _Noreturn void refuse(const char *text)
{
    reason = text;
    longjmp(refused, 1);
}

/* Memory is given back for all proofs of one set at once: `keep` is for the documents. */
enum { CHUNK = 1 << 22 };
typedef struct Chunk { struct Chunk *next; char bytes[]; } Chunk;
typedef struct { Chunk *first; size_t left; } Arena;
static Arena documents, proof, *arena = &documents;

static void *take(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > arena->left) {
        size_t room = size > CHUNK ? size : CHUNK;
        Chunk *chunk = malloc(sizeof(Chunk) + room + 16);
        if (chunk == NULL)
            exit(3);
        chunk->next = arena->first;
        arena->first = chunk;
        arena->left = room;
    }
    arena->left -= size;
    char *bytes = (char *)(((size_t)arena->first->bytes + 15) & ~(size_t)15);
    return memset(bytes + arena->left, 0, size);
}

static void drop(Arena *old)
{
    while (old->first != NULL) {
        Chunk *next = old->first->next;
        free(old->first);
        old->first = next;
    }
    old->left = 0;
}

/* --- JSON ---------------------------------------------------------------------------------------------------------- */

typedef enum { OBJECT, LIST, TEXT, NUMBER, BOOLEAN, NOTHING } Kind;
typedef struct Json { Kind kind; int count; long long number; char *text; struct Json **values; char **keys; } Json;
static const char *at;
enum { DEEPEST = 1000 };

static void skip(void)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
}

static void expect(char c)
{
    skip();
    if (*at != c)
        refuse("it is no JSON");
    at++;
}

/* Escapes stay as they are written. */
static char *read_text(void)
{
    expect('"');
    const char *start = at;
    while (*at != '\0' && *at != '"')
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    size_t length = (size_t)(at - start);
    expect('"');
    return memcpy(take(length + 1), start, length);
}

static void add(Json *to, char *key, Json *value)
{
    if ((to->count & (to->count - 1)) == 0) {
        size_t room = to->count == 0 ? 1 : 2 * (size_t)to->count;
        Json **values = take(room * sizeof *values);
        char **keys = take(room * sizeof *keys);
        if (to->count > 0) {
            memcpy(values, to->values, (size_t)to->count * sizeof *values);
            memcpy(keys, to->keys, (size_t)to->count * sizeof *keys);
        }
        to->values = values;
        to->keys = keys;
    }
    to->values[to->count] = value;
    to->keys[to->count++] = key;
}

static Json *read_number(Json *found)
{
    const char *start = at;
    found->kind = NUMBER;
    at += *at == '-';
    if (*at < '0' || *at > '9' || (*at == '0' && at[1] >= '0' && at[1] <= '9'))
        refuse("it is no JSON");
    while (*at >= '0' && *at <= '9')
        at++;
    if (*at == '.' || *at == 'e' || *at == 'E' || at - start > 18)
        refuse("a number is no integer, or too large");
    found->number = strtoll(start, NULL, 10);
    return found;
}

static Json *read_json(int depth)
{
    static const struct { const char *word; Kind kind; int number; } words[] = {
        {"true", BOOLEAN, 1}, {"false", BOOLEAN, 0}, {"null", NOTHING, 0}};
    Json *found = take(sizeof *found);
    if (depth > DEEPEST)
        refuse("it is nested too deeply");
    skip();
    if (*at == '{' || *at == '[') {
        char end = *at == '{' ? '}' : ']';
        found->kind = *at++ == '{' ? OBJECT : LIST;
        for (skip(); *at != end; skip()) {
            char *key = NULL;
            if (found->count > 0)
                expect(',');
            if (found->kind == OBJECT) {
                key = (skip(), read_text());
                expect(':');
            }
            add(found, key, read_json(depth + 1));
        }
        at++;
        return found;
    }
    if (*at == '"') {
        found->kind = TEXT;
        found->text = read_text();
        return found;
    }
    for (int word = 0; word < 3; word++)
        if (strncmp(at, words[word].word, strlen(words[word].word)) == 0) {
            at += strlen(words[word].word);
            found->kind = words[word].kind;
            found->number = words[word].number;
            return found;
        }
    return read_number(found);
}

static Json *find(Json *in, const char *key)
{
    Json *found = NULL;
    for (int number = 0; number < in->count; number++)
        if (strcmp(in->keys[number], key) == 0) {
            if (found != NULL)
                refuse("a key stands twice");
            found = in->values[number];
        }
    return found;
}

static Json *object(Json *value)
{
    if (value->kind != OBJECT)
        refuse("an object is missing");
    return value;
}

static Json *member(Json *in, const char *key)
{
    Json *found = find(object(in), key);
    if (found == NULL)
        refuse("a key is missing");
    return found;
}

/* An object with this number of keys; each is read by `member`, so it has no others. */
static Json *members(Json *value, int count)
{
    if (object(value)->count != count)
        refuse("an object has other keys");
    return value;
}

static Json *list(Json *value)
{
    if (value->kind != LIST)
        refuse("a list is missing");
    return value;
}

static Json *pair(Json *value)
{
    if (list(value)->count != 2)
        refuse("a pair is missing");
    return value;
}

static Integer integer(Json *value)
{
    if (value->kind != NUMBER)
        refuse("an integer is missing");
    return value->number;
}

static int number_below(Json *value, int end)
{
    Integer number = integer(value);
    if (number < 0 || number >= end)
        refuse("there is no such number");
    return (int)number;
}

static int boolean(Json *value)
{
    if (value->kind != BOOLEAN)
        refuse("true or false is missing");
    return (int)value->number;
}

static char *name(Json *value)
{
    if (value->kind != TEXT || strchr(value->text, '\\') != NULL)
        refuse("a name is missing, or has an escape");
    return value->text;
}

/* --- forms and facts ----------------------------------------------------------------------------------------------- */

typedef struct { int count; Integer constant, terms[]; } Form;
typedef struct { Form *form; int is_equality; } Fact;
typedef struct Environment { const char *name; Form *form; const struct Environment *around; } Environment;

static Form *constant_form(int count, Integer constant)
{
    Form *form = take(sizeof *form + (size_t)count * sizeof *form->terms);
    form->count = count;
    form->constant = constant;
    return form;
}

static Integer sum(Integer one, Integer factor, Integer other)
{
    Integer product, total;
    if (__builtin_mul_overflow(factor, other, &product) || __builtin_add_overflow(one, product, &total))
        refuse("a number is too large");
    return total;
}

static Form *plus(const Form *one, Integer factor, const Form *other)
{
    Form *form = constant_form(one->count > other->count ? one->count : other->count,
                               sum(one->constant, factor, other->constant));
    for (int v = 0; v < form->count; v++)
        form->terms[v] = sum(v < one->count ? one->terms[v] : 0, factor, v < other->count ? other->terms[v] : 0);
    return form;
}

static Integer gcd(Integer one, Integer other)
{
    while (other != 0) {
        Integer rest = one % other;
        one = other;
        other = rest;
    }
    return one < 0 ? -one : one;
}

static Integer floor_of(Integer value, Integer by)
{
    return value / by - (value % by < 0);
}

/* What is known on the path of the present goal; an alternative that is still to be added is in `Goal`. */
enum { MOST = 20000 };
struct Alternative;
typedef struct { int count; struct Alternative *alternatives; } Choice;
typedef struct { const Environment *around; Json *stated; } Absence;
typedef struct Alternative { enum { CASE, CASES_FAIL, POINT, FORM } kind; const Environment *around; Json *json; Form *form; } Alternative;
typedef struct { int facts, choices, absences, variables; Alternative added; } Goal;
static Fact facts[MOST];
static Choice choices[MOST];
static Absence absences[MOST];
static Goal goals[MOST];
static int fact_count, choice_count, absence_count, variable_count, goal_count;
static Json *table, *table_of_steps; /* the parts that sets have by number, and the steps that proofs have */

static int next_of(int *count)
{
    if (*count == MOST)
        refuse("it is too large");
    return (*count)++;
}

static void add_fact(const Form *given, int is_equality)
{
    Integer divisor = 0, constant = given->constant;
    Form *form = constant_form(given->count, -1);
    for (int v = 0; v < given->count; v++)
        divisor = gcd(divisor, given->terms[v]);
    if (divisor == 0)
        form->constant = constant < 0 || (is_equality && constant > 0) ? -1 : 0;
    else if (!is_equality || constant % divisor == 0) {
        for (int v = 0; v < given->count; v++)
            form->terms[v] = given->terms[v] / divisor;
        form->constant = floor_of(constant, divisor);
    } else
        divisor = 0;
    facts[next_of(&fact_count)] = (Fact){form, divisor != 0 && is_equality};
}

static Form *new_variable(void)
{
    Form *form = constant_form(variable_count + 1, 0);
    form->terms[next_of(&variable_count)] = 1;
    return form;
}

static Form *new_quotient(const Form *form, Integer by)
{
    if (by < 1)
        refuse("a divisor is less than 1");
    Form *quotient = new_variable(), *rest = plus(form, -by, quotient);
    add_fact(rest, 0);
    add_fact(plus(constant_form(0, by - 1), -1, rest), 0);
    return quotient;
}

/* --- sets ---------------------------------------------------------------------------------------------------------- */

static Form *form_named(const Environment *around, const char *text)
{
    for (; around != NULL; around = around->around)
        if (strcmp(around->name, text) == 0)
            return around->form;
    return NULL;
}

static const Environment *extended(const Environment *around, Json *text, Form *form)
{
    Environment *inner = take(sizeof *inner);
    *inner = (Environment){name(text), form, around};
    if (form_named(around, inner->name) != NULL)
        refuse("a name stands twice");
    return inner;
}

static Form *form_of(const Environment *around, Json *value)
{
    Json *terms = object(member(members(value, 2), "terms"));
    Form *form = constant_form(0, integer(member(value, "constant")));
    for (int number = 0; number < terms->count; number++) {
        Form *other = form_named(around, terms->keys[number]);
        if (other == NULL || find(terms, terms->keys[number]) == NULL)
            refuse("nothing declares a name");
        form = plus(form, integer(terms->values[number]), other);
    }
    return form;
}

static const Environment *add_divisions(const Environment *around, Json *given)
{
    Json *divisions = list(member(members(given, 2), "divisions"));
    list(member(given, "rows"));
    for (int number = 0; number < divisions->count; number++) {
        Json *division = members(divisions->values[number], 3);
        Form *form = form_of(around, member(division, "sum"));
        around = extended(around, member(division, "name"), new_quotient(form, integer(member(division, "by"))));
    }
    return around;
}

static void add_case(const Environment *around, Json *given)
{
    around = add_divisions(around, given);
    Json *rows = member(given, "rows");
    for (int number = 0; number < rows->count; number++) {
        Json *row = members(rows->values[number], 2);
        add_fact(form_of(around, member(row, "sum")), boolean(member(row, "equal")));
    }
}

static void add_alternative(const Alternative *added);

static void add_choice(Alternative *alternatives, int count)
{
    if (count == 1)
        add_alternative(alternatives);
    else
        choices[next_of(&choice_count)] = (Choice){count, alternatives};
}

static void add_failing_cases(const Environment *around, Json *cases)
{
    for (int number = 0; number < list(cases)->count; number++) {
        const Environment *inner = add_divisions(around, cases->values[number]);
        Json *rows = member(cases->values[number], "rows");
        Alternative *found = take((2 * (size_t)rows->count + 1) * sizeof *found);
        int count = 0;
        for (int at_row = 0; at_row < rows->count; at_row++) {
            Json *row = members(rows->values[at_row], 2);
            Form *form = form_of(inner, member(row, "sum")), *less = constant_form(0, -1);
            if (boolean(member(row, "equal")))
                found[count++] = (Alternative){FORM, NULL, NULL, plus(less, 1, form)};
            found[count++] = (Alternative){FORM, NULL, NULL, plus(less, -1, form)};
        }
        add_choice(found, count);
    }
}

static const Environment *add_names(const Environment *around, Json *names)
{
    for (int number = 0; number < list(names)->count; number++)
        around = extended(around, names->values[number], new_variable());
    return around;
}

static Json *part_of(Json *number)
{
    return list(table->values[number_below(number, table->count)]);
}

static void add_part(const Environment *around, Json *cases)
{
    Alternative *found = take(((size_t)cases->count + 1) * sizeof *found);
    for (int number = 0; number < cases->count; number++)
        found[number] = (Alternative){CASE, around, cases->values[number], NULL};
    add_choice(found, cases->count);
}

static void add_parts(const Environment *around, Json *parts)
{
    for (int number = 0; number < list(parts)->count; number++)
        add_part(around, part_of(parts->values[number]));
}

static void add_absences(const Environment *around, Json *stated)
{
    Json *without = list(member(stated, "without"));
    for (int number = 0; number < without->count; number++)
        add_failing_cases(around, part_of(without->values[number]));
    Json *absent = list(member(stated, "absent"));
    for (int number = 0; number < absent->count; number++)
        absences[next_of(&absence_count)] = (Absence){around, members(absent->values[number], 4)};
}

static void add_point(const Environment *around, Json *stated)
{
    const Environment *inner = add_names(around, member(members(stated, 4), "names"));
    add_parts(inner, member(stated, "parts"));
    add_absences(inner, stated);
}

static void add_alternative(const Alternative *added)
{
    if (added->kind == CASE)
        add_case(added->around, added->json);
    else if (added->kind == CASES_FAIL)
        add_failing_cases(added->around, added->json);
    else if (added->kind == POINT)
        add_point(added->around, added->json);
    else
        add_fact(added->form, 0);
}

/* --- proofs -------------------------------------------------------------------------------------------------------- */

static Form *form_given(Json *pairs, Integer constant)
{
    Form *form = constant_form(variable_count, constant);
    char *stands = take((size_t)variable_count + 1);
    for (int number = 0; number < list(pairs)->count; number++) {
        Json *given = pair(pairs->values[number]);
        int variable = number_below(given->values[0], variable_count);
        if (stands[variable]++)
            refuse("a variable stands twice");
        form->terms[variable] = integer(given->values[1]);
    }
    return form;
}

static void open_goal(Alternative added)
{
    goals[next_of(&goal_count)] = (Goal){fact_count, choice_count, absence_count, variable_count, added};
}

static void check_sum(Json *step)
{
    Form *total = constant_form(0, 0);
    for (int number = 1; number < step->count; number += 2) {
        Fact *fact = &facts[number_below(step->values[number], fact_count)];
        Integer factor = integer(step->values[number + 1]);
        if (factor < 0 && !fact->is_equality)
            refuse("a factor is negative");
        total = plus(total, factor, fact->form);
    }
    for (int v = 0; v < total->count; v++)
        if (total->terms[v] != 0)
            refuse("a sum is no contradiction");
    if (total->constant >= 0)
        refuse("a sum is no contradiction");
}

/* Goals are opened in reverse, so that the first one is closed first. */
static void open_instance(const Absence *absence, Json *values)
{
    Json *names = list(member(absence->stated, "names")), *parts = list(member(absence->stated, "parts"));
    Json *without = list(member(absence->stated, "without")), *absent = list(member(absence->stated, "absent"));
    const Environment *inner = absence->around;
    if (list(values)->count != names->count)
        refuse("there is to be a value for each name");
    for (int number = 0; number < names->count; number++) {
        Json *value = pair(values->values[number]);
        inner = extended(inner, names->values[number], form_given(value->values[0], integer(value->values[1])));
    }
    for (int number = absent->count - 1; number >= 0; number--)
        open_goal((Alternative){POINT, inner, absent->values[number], NULL});
    for (int number = without->count - 1; number >= 0; number--) {
        Json *cases = part_of(without->values[number]);
        for (int which = cases->count - 1; which >= 0; which--)
            open_goal((Alternative){CASE, inner, cases->values[which], NULL});
    }
    for (int number = parts->count - 1; number >= 0; number--)
        open_goal((Alternative){CASES_FAIL, inner, part_of(parts->values[number]), NULL});
}

static void take_step(Json *step)
{
    if (list(step)->count < 1 || step->values[0]->kind != TEXT)
        refuse("there is no such step");
    const char *word = step->values[0]->text;
    Json *first = step->count > 1 ? step->values[1] : NULL, *second = step->count > 2 ? step->values[2] : NULL;
    if (strcmp(word, "sum") == 0 && step->count % 2 == 1)
        check_sum(step);
    else if (strcmp(word, "case") == 0 && step->count == 2) {
        Choice *choice = &choices[number_below(first, choice_count)];
        for (int number = choice->count - 1; number >= 0; number--)
            open_goal(choice->alternatives[number]);
    } else if (strcmp(word, "split") == 0 && step->count == 3) {
        Form *form = form_given(first, 0);
        Integer most = integer(second);
        open_goal((Alternative){FORM, NULL, NULL, plus(form, 1, constant_form(0, -most - 1))});
        open_goal((Alternative){FORM, NULL, NULL, plus(constant_form(0, most), -1, form)});
    } else if (strcmp(word, "let") == 0 && step->count == 4) {
        new_quotient(form_given(first, integer(second)), integer(step->values[3]));
        open_goal((Alternative){FORM, NULL, NULL, NULL});
    } else if (strcmp(word, "instance") == 0 && step->count == 3)
        open_instance(&absences[number_below(first, absence_count)], second);
    else
        refuse("there is no such step");
}

static void check(Json *steps)
{
    open_goal((Alternative){FORM, NULL, NULL, NULL});
    for (int number = 0; number < list(steps)->count; number++) {
        if (goal_count == 0)
            refuse("no goal is open, and there are more steps");
        Goal goal = goals[--goal_count];
        fact_count = goal.facts;
        choice_count = goal.choices;
        absence_count = goal.absences;
        variable_count = goal.variables;
        if (goal.added.kind != FORM || goal.added.form != NULL)
            add_alternative(&goal.added);
        take_step(table_of_steps->values[number_below(steps->values[number], table_of_steps->count)]);
    }
    if (goal_count > 0)
        refuse("a goal stays open");
}

/* --- documents ----------------------------------------------------------------------------------------------------- */

static void check_set(Json *violations, Json *steps)
{
    fact_count = choice_count = absence_count = variable_count = goal_count = 0;
    const Environment *plain = add_names(NULL, member(members(violations, 6), "parameters"));
    plain = add_names(plain, member(violations, "names"));
    const Environment *inner = add_names(plain, member(violations, "auxiliary"));
    add_parts(inner, member(violations, "parts"));
    add_absences(plain, violations);
    check(steps);
}

static void confirm(Json *entry, Json *steps)
{
    Json *verdict = find(entry, "verdict");
    if (verdict != NULL && (verdict->kind != TEXT || strcmp(verdict->text, "proved") != 0))
        refuse("the certificate does not call it empty");
    if (steps == NULL)
        refuse("it has no proof");
    check_set(member(entry, "violations"), steps);
}

static int is_confirmed(Json *entry, Json *steps)
{
    jmp_buf around;
    volatile int result = 0;
    memcpy(&around, &refused, sizeof around);
    drop(&proof);
    arena = &proof;
    if (setjmp(refused) == 0) {
        confirm(entry, steps);
        result = 1;
    }
    memcpy(&refused, &around, sizeof around);
    return result;
}

static Json *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        refuse("a file cannot be read");
    long size = ftell(file);
    char *text = take((size_t)size + 1);
    rewind(file);
    if (fread(text, 1, (size_t)size, file) != (size_t)size)
        refuse("a file cannot be read");
    fclose(file);
    at = text;
    Json *found = read_json(0);
    skip();
    if (*at != '\0')
        refuse("there is more behind the end");
    return object(found);
}

int main(int count, char **names)
{
    static const char *const kinds[2] = {"systems", "programs"}, *const lists[2] = {"separations", "obligations"};
    volatile int confirmed = 0, total = 0;
    if (count != 3 || setjmp(refused)) {
        printf("nothing is confirmed: %s\n", count == 3 ? reason : "usage: kernel c.json c.proofs.json");
        return 1;
    }
    Json *certificate = load(names[1]), *found = members(load(names[2]), 6);
    Json *proofs = object(member(found, "proofs"));
    table_of_steps = list(member(found, "steps"));
    for (int kind = 0; kind < 2; kind++) {
        Json *records = list(member(certificate, kinds[kind]));
        for (int number = 0; number < records->count; number++)
            for (int which = kind; which < 2; which++) {
                Json *entries = list(member(records->values[number], lists[which]));
                table = list(member(records->values[number], "parts"));
                for (int entry = 0; entry < entries->count; entry++, total++) {
                    char place[100];
                    snprintf(place, sizeof place, "%s[%d].%s[%d]", kinds[kind], number, lists[which], entry);
                    Json *steps = find(proofs, place);
                    if (is_confirmed(object(entries->values[entry]), steps))
                        confirmed++;
                    else
                        printf("%s: %s\n", place, reason);
                }
            }
    }
    printf("kernel: %d of %d sets are empty\n", confirmed, total);
    return confirmed == total && total > 0 ? 0 : 1;
}
