#include "verify/request.h"

#include "base/number.h"

#include <stddef.h>
#include <string.h>

// What a setting takes, and what it is kept in.
typedef enum {
    FLAG,    // nothing: bool
    COUNT,   // a whole number: gy_optional, as are the next four
    MAYBE,   // a whole number or nothing
    SIZE,    // bytes
    WORD,    // one of several
    WORDS,   // some of several, with commas; repeated ones add up
    SECONDS, // double
    STRING,  // char *
    STRINGS, // gy_strings; repeated ones add up
} kind;

typedef struct setting {
    const char *name;
    kind kind;
    size_t at; // where it is kept in a request
    uint64_t least, most;
    const char *words;
} setting;

#define AT(field) offsetof(gy_request, field)

static const setting settings[] = {
    {"check", WORDS, AT(checks), 0, 0, GY_WORDS_CHECK},
    {"ltl", STRINGS, AT(formulas), 0, 0, NULL},
    {"fairness", WORD, AT(fairness), 0, 0, GY_WORDS_FAIRNESS},
    {"shortest", FLAG, AT(shortest), 0, 0, NULL},
    {"no-deadlock", FLAG, AT(no_deadlock), 0, 0, NULL},
    {"no-assert", FLAG, AT(no_assert), 0, 0, NULL},
    {"end-empty", FLAG, AT(end_empty), 0, 0, NULL},
    {"all-errors", MAYBE, AT(all_errors), 1, 0, NULL},
    {"witnesses", COUNT, AT(witnesses), 0, 0, NULL},
    {"trail", STRING, AT(trail), 0, 0, NULL},
    {"time", SECONDS, AT(time), 0, 0, NULL},
    {"memory", SIZE, AT(memory), 1, 0, NULL},
    {"depth", COUNT, AT(depth), 1, 0, NULL},
    {"search", WORD, AT(search), 0, 0, GY_WORDS_SEARCH},
    {"cycles", WORD, AT(cycles), 0, 0, GY_WORDS_CYCLES},
    {"store", WORD, AT(store), 0, 0, GY_WORDS_STORE},
    {"threads", COUNT, AT(threads), 1, 1024, NULL},
    {"seed", COUNT, AT(seed), 0, 0, NULL},
    {"hashes", COUNT, AT(hashes), 1, 64, NULL},
    {"bitstate-size", SIZE, AT(bitstate_bytes), 1, 0, NULL},
    {"walks", COUNT, AT(walks), 1, 0, NULL},
    {"walk-length", COUNT, AT(walk_length), 1, 0, NULL},
    {"checkpoint", STRING, AT(checkpoint), 0, 0, NULL},
    {"resume", STRING, AT(resume), 0, 0, NULL},
    {"exact", FLAG, AT(exact), 0, 0, NULL},
    {"reduce", WORD, AT(reduce), 0, 0, GY_WORDS_REDUCE},
    {"no-por", FLAG, AT(no_por), 0, 0, NULL},
    {"check-reduction", FLAG, AT(check_reduction), 0, 0, NULL},
    {"symmetry", FLAG, AT(symmetry), 0, 0, NULL},
    {"no-symmetry", FLAG, AT(no_symmetry), 0, 0, NULL},
    {"no-merge", FLAG, AT(no_merge), 0, 0, NULL},
    {"no-dead", FLAG, AT(no_dead), 0, 0, NULL},
    {"no-slice", FLAG, AT(no_slice), 0, 0, NULL},
    {"no-ranges", FLAG, AT(no_ranges), 0, 0, NULL},
    {"backend", WORD, AT(backend), 0, 0, GY_WORDS_BACKEND},
    {"no-c", FLAG, AT(no_c), 0, 0, NULL},
    {"D", STRINGS, AT(defines), 0, 0, NULL},
    {"I", STRINGS, AT(include_dirs), 0, 0, NULL},
    {"lossy", FLAG, AT(lossy), 0, 0, NULL},
    {"no-exclusive", FLAG, AT(unchecked_exclusive), 0, 0, NULL},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static const setting *find(const char *name)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

bool gy_request_knows(const char *option)
{
    return find(option) != NULL;
}

static char *copy(const char *text, size_t n)
{
    char *made = gy_alloc(n + 1);
    memcpy(made, text, n);
    made[n] = '\0';
    return made;
}

static void push(gy_strings *strings, const char *text)
{
    strings->at = gy_realloc(strings->at, (strings->n + 2) * sizeof *strings->at);
    strings->at[strings->n++] = copy(text, strlen(text));
    strings->at[strings->n] = NULL;
}

// The position among "a|b|c" of the first n characters of the text, or -1.
static int position_of(const char *words, const char *text, size_t n)
{
    for (int position = 0;; position++) {
        size_t length = strcspn(words, "|");
        if (length == n && memcmp(words, text, n) == 0)
            return position;
        if (words[length] == '\0')
            return -1;
        words += length + 1;
    }
}

static bool put_words(const setting *row, const char *text, gy_optional *kept, gy_text *problem)
{
    uint64_t number = 0;
    for (const char *at = text;;) {
        size_t n = row->kind == WORD ? strlen(at) : strcspn(at, ",");
        int position = position_of(row->words, at, n);
        if (position < 0) {
            gy_text_printf(problem, "`%.*s` is no value of %s (%s)", (int)n, at, row->name,
                           row->words);
            return false;
        }
        number = row->kind == WORD ? (uint64_t)position : number | 1ull << position;
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    kept->number = row->kind == WORDS ? kept->number | number : number;
    kept->set = true;
    return true;
}

static bool put_number(const setting *row, const char *text, gy_optional *kept, gy_text *problem)
{
    uint64_t number = 0;
    bool good = row->kind == SIZE    ? gy_number_size(text, &number)
                : row->kind == MAYBE ? !*text || gy_number_count(text, &number)
                                     : gy_number_count(text, &number);
    bool counts = row->kind != MAYBE || *text;
    if (!good || (counts && number < row->least)) {
        gy_text_printf(problem, "%s needs %s, not `%s`", row->name,
                       row->kind == SIZE ? "a size such as 800K, 500M or 2G"
                       : row->least == 0 ? "a whole number"
                                         : "a whole number from 1 on",
                       text);
        return false;
    }
    if (row->most && number > row->most) {
        gy_text_printf(problem, "--%s %s: at most %llu", row->name, text,
                       (unsigned long long)row->most);
        return false;
    }
    *kept = (gy_optional){true, number};
    return true;
}

static bool is_set(const setting *row, const void *kept)
{
    switch (row->kind) {
    case COUNT:
    case MAYBE:
    case SIZE:
    case WORD:
        return ((const gy_optional *)kept)->set;
    case SECONDS:
        return *(const double *)kept > 0;
    case STRING:
        return *(char *const *)kept != NULL;
    case FLAG: // once more says nothing new
    case WORDS:
    case STRINGS:
        break;
    }
    return false;
}

static bool put(const setting *row, const char *text, void *kept, gy_text *problem)
{
    switch (row->kind) {
    case FLAG:
        *(bool *)kept = true;
        return true;
    case COUNT:
    case MAYBE:
    case SIZE:
        return put_number(row, text, kept, problem);
    case WORD:
    case WORDS:
        return put_words(row, text, kept, problem);
    case SECONDS:
        if (gy_number_seconds(text, kept))
            return true;
        *(double *)kept = 0;
        gy_text_printf(problem, "%s needs a number of seconds above 0, such as 60 or 0.5, not `%s`",
                       row->name, text);
        return false;
    case STRING:
        *(char **)kept = copy(text, strlen(text));
        return true;
    case STRINGS:
        push(kept, text);
        return true;
    }
    return false;
}

bool gy_request_put(gy_request *request, const char *option, const char *value, gy_text *problem)
{
    const setting *row = find(option);
    if (!row) {
        gy_text_printf(problem, "there is no setting `%s`", option);
        return false;
    }
    void *kept = (char *)request + row->at;
    if (row->kind == FLAG ? value != NULL : !value && row->kind != MAYBE) {
        gy_text_printf(problem, row->kind == FLAG ? "%s takes no value" : "%s needs a value",
                       option);
        return false;
    }
    if (is_set(row, kept)) {
        gy_text_printf(problem, "%s was set before", option);
        return false;
    }
    return put(row, value ? value : "", kept, problem);
}

bool gy_request_set(gy_request *request, const char *option, const char *value, char **problem)
{
    gy_text text = {0};
    bool good = gy_request_put(request, option, value, &text);
    if (problem)
        *problem = good ? NULL : gy_text_take(&text);
    gy_text_free(&text);
    return good;
}

gy_request *gy_request_new(void)
{
    return gy_alloc_zero(sizeof(gy_request));
}

static void free_strings(gy_strings *strings)
{
    for (size_t i = 0; i < strings->n; i++)
        free(strings->at[i]);
    free(strings->at);
}

void gy_request_free(gy_request *request)
{
    if (!request)
        return;
    for (size_t i = 0; i < SETTINGS; i++) {
        void *kept = (char *)request + settings[i].at;
        if (settings[i].kind == STRING)
            free(*(char **)kept);
        else if (settings[i].kind == STRINGS)
            free_strings(kept);
    }
    free(request->path);
    free(request->text);
    free(request);
}

void gy_request_file(gy_request *request, const char *path)
{
    free(request->path);
    free(request->text);
    request->path = copy(path, strlen(path));
    request->text = NULL;
    request->system = NULL;
}

void gy_request_text(gy_request *request, const char *name, const char *text, size_t bytes)
{
    gy_request_file(request, name);
    request->text = copy(text, bytes);
    request->bytes = bytes;
}

void gy_request_system(gy_request *request, gy_system *system)
{
    gy_request_file(request, gy_system_name(system));
    request->system = system;
}

void gy_request_stop(gy_request *request)
{
    request->stop = 1;
}
