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

// What setting it can do besides changing the answer: it decides who may (gy_setting_may).
typedef enum {
    GY_TOUCHES_ANSWER, // nothing else
    GY_TOUCHES_LIMIT,  // how long it may take and how much: may be lowered by all
    GY_TOUCHES_READS,  // files are read
    GY_TOUCHES_WRITES, // files are written
    GY_TOUCHES_RUNS,   // other programs run
    GY_TOUCHES_STATUS, // what counts as a success
} touch;

typedef struct setting {
    const char *name;
    kind kind;
    touch touches;
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
    {"check", WORDS, GY_TOUCHES_ANSWER, AT(checks), 0, 0, GY_WORDS_CHECK, NULL},
    {"ltl", STRINGS, GY_TOUCHES_ANSWER, AT(formulas), 0, 0, NULL, NULL},
    {"ef", STRINGS, GY_TOUCHES_ANSWER, AT(states), 0, 0, NULL, NULL},
    {"ef-sum", STRINGS, GY_TOUCHES_ANSWER, AT(sums), 0, 0, NULL, NULL},
    {"ef-file", STRING, GY_TOUCHES_READS, AT(states_file), 0, 0, NULL, NULL},
    {"cover", FLAG, GY_TOUCHES_ANSWER, AT(cover), 0, 0, NULL, NULL},
    {"fairness", WORD, GY_TOUCHES_ANSWER, AT(fairness), 0, 0, GY_WORDS_FAIRNESS, NULL},
    {"state-graph", FLAG, GY_TOUCHES_ANSWER, AT(state_graph), 0, 0, NULL, NULL},
    {"simplify", FLAG, GY_TOUCHES_ANSWER, AT(simplify), 0, 0, NULL, NULL},
    {"partial-deadlock", FLAG, GY_TOUCHES_ANSWER, AT(partial_deadlock), 0, 0, NULL, NULL},
    {"shortest", FLAG, GY_TOUCHES_ANSWER, AT(shortest), 0, 0, NULL, NULL},
    {"deterministic", FLAG, GY_TOUCHES_ANSWER, AT(deterministic), 0, 0, NULL, NULL},
    {"no-deadlock", FLAG, GY_TOUCHES_ANSWER, AT(no_deadlock), 0, 0, NULL, NULL},
    {"no-assert", FLAG, GY_TOUCHES_ANSWER, AT(no_assert), 0, 0, NULL, NULL},
    {"end-empty", FLAG, GY_TOUCHES_ANSWER, AT(end_empty), 0, 0, NULL, NULL},
    {"all-errors", MAYBE, GY_TOUCHES_ANSWER, AT(all_errors), 1, 0, NULL, NULL},
    {"witnesses", COUNT, GY_TOUCHES_ANSWER, AT(witnesses), 0, 0, NULL, NULL},
    {"expect", STRINGS, GY_TOUCHES_STATUS, AT(expectations), 0, 0, NULL, NULL},
    {"min-coverage", PERCENT, GY_TOUCHES_STATUS, AT(least_coverage), 0, 0, NULL, NULL},
    {"trail", STRING, GY_TOUCHES_WRITES, AT(trail), 0, 0, NULL, NULL},
    {"time", SECONDS, GY_TOUCHES_LIMIT, AT(time), 0, 0, NULL, NULL},
    {"memory", SIZE, GY_TOUCHES_LIMIT, AT(memory), 1, 0, NULL, NULL},
    {"depth", COUNT, GY_TOUCHES_ANSWER, AT(depth), 1, 0, NULL, NULL},
    {"hunt", FLAG, GY_TOUCHES_ANSWER, AT(hunt), 0, 0, NULL, NULL},
    {"goal", STRINGS, GY_TOUCHES_ANSWER, AT(goals), 0, 0, NULL, NULL},
    {"heuristic", STRINGS, GY_TOUCHES_ANSWER, AT(heuristics), 0, 0, NULL, NULL},
    {"prefer", STRINGS, GY_TOUCHES_ANSWER, AT(prefer), 0, 0, NULL, NULL},
    {"strategy", STRINGS, GY_TOUCHES_ANSWER, AT(strategies), 0, 0, NULL, NULL},
    {"queue-limit", COUNT, GY_TOUCHES_ANSWER, AT(queue_limit), 1, 0, NULL, NULL},
    {"random-ties", WORD, GY_TOUCHES_ANSWER, AT(ties), 0, 0, GY_WORDS_TIES, NULL},
    {"explore", COUNT, GY_TOUCHES_ANSWER, AT(explore), 0, 100, NULL, NULL},
    {"effort", COUNT, GY_TOUCHES_ANSWER, AT(effort), 1, 0, NULL, NULL},
    {"search", WORD, GY_TOUCHES_ANSWER, AT(search), 0, 0, NULL, engine_word},
    {"cycles", WORD, GY_TOUCHES_ANSWER, AT(cycles), 0, 0, GY_WORDS_CYCLES, NULL},
    {"formulas", WORD, GY_TOUCHES_ANSWER, AT(together), 0, 0, GY_WORDS_FORMULAS, NULL},
    {"store", WORD, GY_TOUCHES_ANSWER, AT(store), 0, 0, NULL, store_word},
    {"threads", COUNT, GY_TOUCHES_LIMIT, AT(threads), 1, 1024, NULL, NULL},
    {"seed", COUNT, GY_TOUCHES_ANSWER, AT(seed), 0, 0, NULL, NULL},
    {"hashes", COUNT, GY_TOUCHES_ANSWER, AT(hashes), 1, 64, NULL, NULL},
    {"bitstate-size", SIZE, GY_TOUCHES_ANSWER, AT(bitstate_bytes), 1, 0, NULL, NULL},
    {"walks", COUNT, GY_TOUCHES_ANSWER, AT(walks), 1, 0, NULL, NULL},
    {"walk-length", COUNT, GY_TOUCHES_ANSWER, AT(walk_length), 1, 0, NULL, NULL},
    {"mpi", FLAG, GY_TOUCHES_RUNS, AT(mpi), 0, 0, NULL, NULL},
    {"disk", STRING, GY_TOUCHES_WRITES, AT(disk), 0, 0, NULL, NULL},
    {"disk-states", COUNT, GY_TOUCHES_ANSWER, AT(disk_states), 1, 0, NULL, NULL},
    {"checkpoint", STRING, GY_TOUCHES_WRITES, AT(checkpoint), 0, 0, NULL, NULL},
    {"resume", STRING, GY_TOUCHES_READS, AT(resume), 0, 0, NULL, NULL},
    {"exact", FLAG, GY_TOUCHES_ANSWER, AT(exact), 0, 0, NULL, NULL},
    {"reduce", WORD, GY_TOUCHES_ANSWER, AT(reduce), 0, 0, GY_WORDS_REDUCE, NULL},
    {"no-por", FLAG, GY_TOUCHES_ANSWER, AT(no_por), 0, 0, NULL, NULL},
    {"check-reduction", FLAG, GY_TOUCHES_ANSWER, AT(check_reduction), 0, 0, NULL, NULL},
    {"symmetry", FLAG, GY_TOUCHES_ANSWER, AT(symmetry), 0, 0, NULL, NULL},
    {"no-symmetry", FLAG, GY_TOUCHES_ANSWER, AT(no_symmetry), 0, 0, NULL, NULL},
    {"no-merge", FLAG, GY_TOUCHES_ANSWER, AT(no_merge), 0, 0, NULL, NULL},
    {"no-dead", FLAG, GY_TOUCHES_ANSWER, AT(no_dead), 0, 0, NULL, NULL},
    {"no-slice", FLAG, GY_TOUCHES_ANSWER, AT(no_slice), 0, 0, NULL, NULL},
    {"no-ranges", FLAG, GY_TOUCHES_ANSWER, AT(no_ranges), 0, 0, NULL, NULL},
    {"backend", WORD, GY_TOUCHES_ANSWER, AT(backend), 0, 0, GY_WORDS_BACKEND, NULL},
    {"no-c", FLAG, GY_TOUCHES_ANSWER, AT(no_c), 0, 0, NULL, NULL},
    {"D", STRINGS, GY_TOUCHES_ANSWER, AT(defines), 0, 0, NULL, NULL},
    {"I", STRINGS, GY_TOUCHES_READS, AT(include_dirs), 0, 0, NULL, NULL},
    {"lossy", FLAG, GY_TOUCHES_ANSWER, AT(lossy), 0, 0, NULL, NULL},
    {"no-exclusive", FLAG, GY_TOUCHES_ANSWER, AT(unchecked_exclusive), 0, 0, NULL, NULL},
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

bool gy_setting_takes(const char *option, bool value)
{
    const setting *row = find(option);
    return row && (value ? row->kind != FLAG : row->kind == FLAG || row->kind == MAYBE);
}

bool gy_setting_may(const char *option, gy_set_by who)
{
    const setting *row = find(option);
    if (!row)
        return false;
    if (who == GY_BY_USER)
        return true;
    return row->touches == GY_TOUCHES_ANSWER || row->touches == GY_TOUCHES_LIMIT;
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

const char *gy_set_by_text(gy_set_by who)
{
    switch (who) {
    case GY_BY_COMMENT:
        return "in a comment of a model";
    case GY_BY_PAGE:
        return "from the page";
    case GY_BY_EDITOR:
        return "in the options of a launch";
    case GY_BY_JOURNAL:
        return "by the journal of a swarm";
    case GY_BY_USER:
        break;
    }
    return "on the command line";
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
            gy_text_printf(problem, "`%.*s` is not a value of %s (", (int)n, at, row->name);
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
                                         : "a whole number above 0",
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
        gy_text_printf(problem, "--%s needs a percentage, such as 95%%, not `%s`", row->name, text);
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
        gy_text_printf(problem, "unknown setting `%s`", option);
        return false;
    }
    void *kept = (char *)request + row->at;
    if (row->kind == FLAG ? value != NULL : !value && row->kind != MAYBE) {
        gy_text_printf(problem, row->kind == FLAG ? "%s takes no value" : "%s needs a value",
                       option);
        return false;
    }
    if (is_set(row, kept)) {
        gy_text_printf(problem, "%s is given twice", option);
        return false;
    }
    return put(row, value ? value : "", kept, problem);
}

// Of a limit that is set already: the smaller one holds.
static void lower(const setting *row, void *kept, const gy_request *before)
{
    const void *old = (const char *)before + row->at;
    if (row->kind == SECONDS && *(const double *)old > 0 && *(const double *)old < *(double *)kept)
        *(double *)kept = *(const double *)old;
    const gy_optional *size = old;
    if (row->kind != SECONDS && size->set && size->number < ((gy_optional *)kept)->number)
        *(gy_optional *)kept = *size;
}

bool gy_request_put_by(gy_request *request, gy_set_by who, const char *option, const char *value,
                       gy_text *problem)
{
    const setting *row = find(option);
    if (row && !gy_setting_may(option, who)) {
        gy_text_printf(problem, "--%s cannot be set %s", option, gy_set_by_text(who));
        return false;
    }
    if (!row || who == GY_BY_USER || row->touches != GY_TOUCHES_LIMIT)
        return gy_request_put(request, option, value, problem);
    gy_request before = *request;
    void *kept = (char *)request + row->at;
    memset(kept, 0, row->kind == SECONDS ? sizeof(double) : sizeof(gy_optional));
    bool good = gy_request_put(request, option, value, problem);
    if (good)
        lower(row, kept, &before);
    return good;
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
