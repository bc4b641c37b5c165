// selection ::= [condition {"," condition}]
// condition ::= ("type" | "class" | "model" | "instance" | "recorded") ("=" | "!=") word {"|" word}
//             | "states" ("=" | "!=" | "<" | "<=" | ">" | ">=") number
// A word may have `*` and `?`.
#include "cli/beem/beem_select.h"

#include "base/diag.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TYPE, CLASS, MODEL, INSTANCE, RECORDED, STATES, FIELDS } field;
static const char *const field_names[FIELDS] = {"type",     "class",    "model",
                                                "instance", "recorded", "states"};

typedef enum { EQUAL, UNEQUAL, BELOW, AT_MOST, ABOVE, AT_LEAST } relation;

typedef struct condition {
    field field;
    relation relation;
    char *words; // "a|b"
    double number;
} condition;

struct beem_selection {
    GY_VEC(condition) conditions;
};

static bool refuse(gy_text *problem, const char *text, size_t n, const char *why)
{
    gy_text_printf(problem, "--select: `%.*s`: %s", (int)n, text, why);
    return false;
}

static bool refuse_field(gy_text *problem, const char *text, size_t n, size_t name)
{
    char *wanted = strndup(text, name);
    const char *best = NULL;
    unsigned distance = 0;
    for (int f = 0; f < FIELDS; f++)
        gy_nearest_offer(wanted, field_names[f], &best, &distance);
    refuse(problem, text, n,
           "a condition begins with type, class, model, instance, recorded or states");
    if (best)
        gy_text_printf(problem, "\n  hint: a similar name exists: `%s`", best);
    free(wanted);
    return false;
}

// Returns how many characters the sign has; 0: it is none.
static size_t read_relation(const char *at, relation *r)
{
    static const struct {
        const char *sign;
        relation relation;
    } signs[] = {{"!=", UNEQUAL}, {"<=", AT_MOST}, {">=", AT_LEAST}, {"==", EQUAL},
                 {"=", EQUAL},    {"<", BELOW},    {">", ABOVE}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!strncmp(at, signs[i].sign, strlen(signs[i].sign))) {
            *r = signs[i].relation;
            return strlen(signs[i].sign);
        }
    }
    return 0;
}

// One condition of n characters.
static bool read_condition(beem_selection *s, const char *text, size_t n, gy_text *problem)
{
    condition c = {.field = FIELDS};
    size_t name = strcspn(text, "=<>!,");
    for (int f = 0; f < FIELDS; f++)
        if (strlen(field_names[f]) == name && !strncmp(text, field_names[f], name))
            c.field = (field)f;
    if (c.field == FIELDS)
        return refuse_field(problem, text, n, name);
    size_t sign = name < n ? read_relation(text + name, &c.relation) : 0;
    if (!sign || name + sign >= n)
        return refuse(problem, text, n, "nothing to compare with");
    c.words = strndup(text + name + sign, n - name - sign);
    if (c.field == STATES) {
        char *end;
        c.number = strtod(c.words, &end);
        if (*end || !(c.number >= 0)) {
            free(c.words);
            return refuse(problem, text, n, "states are compared with a number, such as 1e6");
        }
    } else if (c.relation > UNEQUAL) {
        free(c.words);
        return refuse(problem, text, n, "only states have an order; use = or !=");
    }
    gy_vec_push(&s->conditions, c);
    return true;
}

beem_selection *beem_selection_read(const char *text, gy_text *problem)
{
    beem_selection *s = gy_alloc_zero(sizeof *s);
    bool good = true;
    while (good && text && *text) {
        text += strspn(text, " ");
        size_t n = strcspn(text, ",");
        good = read_condition(s, text, n, problem);
        text += n + (text[n] == ',');
    }
    if (good)
        return s;
    beem_selection_free(s);
    return NULL;
}

static bool matches(const char *value, const char *words)
{
    char *copy = strdup(words), *rest = NULL;
    bool found = false;
    for (char *word = strtok_r(copy, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
        found |= fnmatch(word, value, 0) == 0;
    free(copy);
    return found;
}

static bool compare(double a, relation r, double b)
{
    switch (r) {
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case BELOW:
        return a < b;
    case AT_MOST:
        return a <= b;
    case ABOVE:
        return a > b;
    case AT_LEAST:
        return a >= b;
    }
    return false;
}

bool beem_selected(const beem_selection *s, const beem_instance *instance)
{
    const char *values[FIELDS] = {instance->model->type,
                                  instance->model->class,
                                  instance->model->name,
                                  instance->name,
                                  instance->recorded ? "yes" : "no",
                                  NULL};
    for (size_t i = 0; i < s->conditions.n; i++) {
        const condition *c = &s->conditions.at[i];
        bool holds = c->field == STATES
                         ? compare((double)instance->states, c->relation, c->number)
                         : matches(values[c->field], c->words) == (c->relation == EQUAL);
        if (!holds)
            return false;
    }
    return true;
}

void beem_selection_free(beem_selection *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->conditions.n; i++)
        free(s->conditions.at[i].words);
    gy_vec_free(&s->conditions);
    free(s);
}
