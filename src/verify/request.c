#include "verify/request.h"

#include "base/number.h"
#include "search/engines.h"
#include "store/kinds.h"

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
    PERCENT, // gy_optional, in hundredths
} kind;

typedef struct setting {
    const char *name;
    kind kind;
    size_t at; // where it is kept in a request
    uint64_t least, most;
    const char *words;
    const char *(*word)(unsigned number); // instead: of a table; NULL: no more, "": not this one
} setting;

static const char *engine_word(unsigned number)
{
    const gy_engine *engine = gy_engine_at(number);
    return !engine                                                            ? NULL
           : engine->is_reduction || engine->is_backend || engine->is_command ? ""
                                                                              : engine->name;
}

static const char *store_word(unsigned number)
{
    const gy_store_kind_row *store = gy_store_kind_at(number);
    return store ? store->traits.name : NULL;
}

#define AT(field) offsetof(gy_request, field)

static const setting settings[] = {
    {"check", WORDS, AT(checks), 0, 0, GY_WORDS_CHECK, NULL},
    {"ltl", STRINGS, AT(formulas), 0, 0, NULL, NULL},
    {"ef", STRINGS, AT(states), 0, 0, NULL, NULL},
    {"ef-sum", STRINGS, AT(sums), 0, 0, NULL, NULL},
    {"ef-file", STRING, AT(states_file), 0, 0, NULL, NULL},
    {"cover", FLAG, AT(cover), 0, 0, NULL, NULL},
    {"fairness", WORD, AT(fairness), 0, 0, GY_WORDS_FAIRNESS, NULL},
    {"state-graph", FLAG, AT(state_graph), 0, 0, NULL, NULL},
    {"simplify", FLAG, AT(simplify), 0, 0, NULL, NULL},
    {"partial-deadlock", FLAG, AT(partial_deadlock), 0, 0, NULL, NULL},
    {"shortest", FLAG, AT(shortest), 0, 0, NULL, NULL},
    {"deterministic", FLAG, AT(deterministic), 0, 0, NULL, NULL},
    {"no-deadlock", FLAG, AT(no_deadlock), 0, 0, NULL, NULL},
    {"no-assert", FLAG, AT(no_assert), 0, 0, NULL, NULL},
    {"end-empty", FLAG, AT(end_empty), 0, 0, NULL, NULL},
    {"all-errors", MAYBE, AT(all_errors), 1, 0, NULL, NULL},
    {"witnesses", COUNT, AT(witnesses), 0, 0, NULL, NULL},
    {"expect", STRINGS, AT(expectations), 0, 0, NULL, NULL},
    {"min-coverage", PERCENT, AT(least_coverage), 0, 0, NULL, NULL},
    {"trail", STRING, AT(trail), 0, 0, NULL, NULL},
    {"time", SECONDS, AT(time), 0, 0, NULL, NULL},
    {"memory", SIZE, AT(memory), 1, 0, NULL, NULL},
    {"depth", COUNT, AT(depth), 1, 0, NULL, NULL},
    {"hunt", FLAG, AT(hunt), 0, 0, NULL, NULL},
    {"goal", STRINGS, AT(goals), 0, 0, NULL, NULL},
    {"heuristic", STRINGS, AT(heuristics), 0, 0, NULL, NULL},
    {"prefer", STRINGS, AT(prefer), 0, 0, NULL, NULL},
    {"strategy", STRINGS, AT(strategies), 0, 0, NULL, NULL},
    {"queue-limit", COUNT, AT(queue_limit), 1, 0, NULL, NULL},
    {"random-ties", WORD, AT(ties), 0, 0, GY_WORDS_TIES, NULL},
    {"explore", COUNT, AT(explore), 0, 100, NULL, NULL},
    {"effort", COUNT, AT(effort), 1, 0, NULL, NULL},
    {"search", WORD, AT(search), 0, 0, NULL, engine_word},
    {"cycles", WORD, AT(cycles), 0, 0, GY_WORDS_CYCLES, NULL},
    {"formulas", WORD, AT(together), 0, 0, GY_WORDS_FORMULAS, NULL},
    {"store", WORD, AT(store), 0, 0, NULL, store_word},
    {"threads", COUNT, AT(threads), 1, 1024, NULL, NULL},
    {"seed", COUNT, AT(seed), 0, 0, NULL, NULL},
    {"hashes", COUNT, AT(hashes), 1, 64, NULL, NULL},
    {"bitstate-size", SIZE, AT(bitstate_bytes), 1, 0, NULL, NULL},
    {"walks", COUNT, AT(walks), 1, 0, NULL, NULL},
    {"walk-length", COUNT, AT(walk_length), 1, 0, NULL, NULL},
    {"mpi", FLAG, AT(mpi), 0, 0, NULL, NULL},
    {"disk", STRING, AT(disk), 0, 0, NULL, NULL},
    {"disk-states", COUNT, AT(disk_states), 1, 0, NULL, NULL},
    {"checkpoint", STRING, AT(checkpoint), 0, 0, NULL, NULL},
    {"resume", STRING, AT(resume), 0, 0, NULL, NULL},
    {"exact", FLAG, AT(exact), 0, 0, NULL, NULL},
    {"reduce", WORD, AT(reduce), 0, 0, GY_WORDS_REDUCE, NULL},
    {"no-por", FLAG, AT(no_por), 0, 0, NULL, NULL},
    {"check-reduction", FLAG, AT(check_reduction), 0, 0, NULL, NULL},
    {"symmetry", FLAG, AT(symmetry), 0, 0, NULL, NULL},
    {"no-symmetry", FLAG, AT(no_symmetry), 0, 0, NULL, NULL},
    {"no-merge", FLAG, AT(no_merge), 0, 0, NULL, NULL},
    {"no-dead", FLAG, AT(no_dead), 0, 0, NULL, NULL},
    {"no-slice", FLAG, AT(no_slice), 0, 0, NULL, NULL},
    {"no-ranges", FLAG, AT(no_ranges), 0, 0, NULL, NULL},
    {"backend", WORD, AT(backend), 0, 0, GY_WORDS_BACKEND, NULL},
    {"no-c", FLAG, AT(no_c), 0, 0, NULL, NULL},
    {"D", STRINGS, AT(defines), 0, 0, NULL, NULL},
    {"I", STRINGS, AT(include_dirs), 0, 0, NULL, NULL},
    {"lossy", FLAG, AT(lossy), 0, 0, NULL, NULL},
    {"no-exclusive", FLAG, AT(unchecked_exclusive), 0, 0, NULL, NULL},
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

// The position of the first n characters of the text among the words of a setting, or -1.
static int position_of(const setting *row, const char *text, size_t n)
{
    const char *words = row->words;
    for (unsigned position = 0;; position++) {
        const char *word = row->word ? row->word(position) : words;
        if (!word)
            return -1;
        size_t length = strcspn(word, "|");
        if (length == n && memcmp(word, text, n) == 0)
            return (int)position;
        if (!row->word)
            words = word[length] ? word + length + 1 : NULL;
    }
}

void gy_setting_words(const char *option, gy_text *out)
{
    const setting *row = find(option);
    const char *word, *between = "";
    if (row && row->words)
        gy_text_add(out, row->words);
    for (unsigned i = 0; row && row->word && (word = row->word(i)); i++) {
        if (!*word)
            continue;
        gy_text_printf(out, "%s%s", between, word);
        between = "|";
    }
}

static bool put_words(const setting *row, const char *text, gy_optional *kept, gy_text *problem)
{
    uint64_t number = 0;
    for (const char *at = text;;) {
        size_t n = row->kind == WORD ? strlen(at) : strcspn(at, ",");
        int position = position_of(row, at, n);
        if (position < 0) {
            gy_text_printf(problem, "`%.*s` is no value of %s (", (int)n, at, row->name);
            gy_setting_words(row->name, problem);
            gy_text_char(problem, ')');
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

static bool put_percent(const setting *row, const char *text, gy_optional *kept, gy_text *problem)
{
    char *end;
    double percent = strtod(text, &end);
    if (end == text || strcmp(*end == '%' ? end + 1 : end, "") != 0 || !(percent >= 0) ||
        percent > 100) {
        gy_text_printf(problem, "--%s needs a percentage such as 95%%, not `%s`", row->name, text);
        return false;
    }
    *kept = (gy_optional){true, (uint64_t)(percent * 100 + 0.5)};
    return true;
}

static bool is_set(const setting *row, const void *kept)
{
    switch (row->kind) {
    case PERCENT:
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
    case PERCENT:
        return put_percent(row, text, kept, problem);
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
