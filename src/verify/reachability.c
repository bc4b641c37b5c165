#include "verify/reachability.h"

#include "base/file.h"
#include "exec/system.h"
#include "exec/view.h"
#include "load/load.h"
#include "model/instances.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct reader {
    const gy_loaded_model *subject;
    gy_bad_states_list *list;
    gy_user_error *complaint;
} reader;

// ---- expressions ------------------------------------------------------------------------

static gy_atom read_predicate(const reader *r, const char *option, const char *shown,
                              const char *text)
{
    gy_diags *diags = NULL;
    gy_atom atom = gy_load_predicate(r->subject->model, text, &diags);
    if (!atom) {
        gy_refuse(r->complaint,
                  "%s: `%s` is not an expression over the variables and labels of the model",
                  option, shown);
        if (diags)
            gy_diags_print(diags, &r->complaint->excerpt, false);
        for (size_t i = 0; diags && i < gy_diags_count(diags); i++)
            gy_text_printf(&r->complaint->message, "%s %s", i == 0 ? ":" : ";",
                           gy_diags_at(diags, i)->message);
    }
    gy_diags_free(diags);
    return atom;
}

static bool read_state(const reader *r, const char *option, const char *text)
{
    gy_text formula = {0};
    gy_bad_states bad = {.option = option, .text = text};
    if (r->subject->model) {
        bad.text = gy_arena_strdup(r->subject->model->arena, text);
        bad.question.atom = read_predicate(r, option, text, text);
        if (!bad.question.atom)
            return false;
    }
    gy_text_printf(&formula, "[] !(%s)", text);
    bad.formula = gy_text_take(&formula);
    gy_vec_push(r->list, bad);
    return true;
}

// ---- sums -------------------------------------------------------------------------------

// "PROCTYPE CONDITION > COUNT", or with pids "PROCTYPE[FIRST..LAST] CONDITION > COUNT".
typedef struct sum {
    const char *text;
    const char *name; // as the model has it
    int32_t tmpl;
    gy_text condition;
    uint32_t over;
    uint64_t pids;
} sum;

static bool bad_sum(const reader *r, const char *text, const char *why)
{
    return gy_refuse(r->complaint,
                     "--ef-sum: `%s`: %s\n  hint: write PROCTYPE CONDITION > COUNT, such as \"P "
                     "critical > 1\" or \"P[1..3] @cs > 1\"",
                     text, why);
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool read_name(const reader *r, sum *s, const char **at)
{
    const gy_model *model = r->subject->model;
    gy_text name = {0}, why = {0};
    *at = skip_blanks(s->text);
    for (; is_part_of_name(**at); (*at)++)
        gy_text_char(&name, **at);
    const char *wanted = gy_text_str(&name);
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t t = 0; t < model->template_count && !s->name; t++) {
        if (!gy_is_process(&model->templates[t]))
            continue;
        gy_nearest_offer(wanted, model->templates[t].name, &best, &distance);
        if (strcmp(model->templates[t].name, wanted) == 0) {
            s->tmpl = (int32_t)t;
            s->name = model->templates[t].name;
        }
    }
    if (!s->name) {
        gy_text_printf(
            &why, *wanted ? "unknown process type `%s`%s%s%s" : "no process type%s%s%s%s", wanted,
            best ? " (a similar name exists: `" : "", best ? best : "", best ? "`)" : "");
        bad_sum(r, s->text, gy_text_str(&why));
    }
    gy_text_free(&why);
    gy_text_free(&name);
    return s->name != NULL;
}

static bool read_pids(const reader *r, sum *s, const char **at)
{
    char *behind;
    if (**at != '[')
        return true;
    unsigned long first = strtoul(*at + 1, &behind, 10), last = first;
    bool good = behind > *at + 1 && isdigit((unsigned char)(*at)[1]);
    if (good && behind[0] == '.' && behind[1] == '.') {
        const char *number = behind + 2;
        last = strtoul(number, &behind, 10);
        good = isdigit((unsigned char)*number);
    }
    if (!good || *behind != ']' || first > last || last >= 64)
        return bad_sum(r, s->text, "the pids must be FIRST..LAST, at most 63");
    for (unsigned long p = first; p <= last; p++)
        s->pids |= UINT64_C(1) << p;
    *at = behind + 1;
    return true;
}

static bool read_condition(const reader *r, sum *s, const char *at)
{
    const char *sign = strrchr(at, '>');
    char *behind;
    at = skip_blanks(at);
    if (!sign || sign <= at)
        return bad_sum(r, s->text, sign ? "the condition is missing" : "no > COUNT");
    const char *number = skip_blanks(sign + 1);
    unsigned long over = strtoul(number, &behind, 10);
    if (!isdigit((unsigned char)*number) || *skip_blanks(behind) || over > 1000)
        return bad_sum(r, s->text, "COUNT must be a whole number from 0 to 1000");
    s->over = (uint32_t)over;
    while (sign > at && isspace((unsigned char)sign[-1]))
        sign--;
    gy_text_bytes(&s->condition, at, (size_t)(sign - at));
    // It is put into parentheses below, which it must not close.
    for (int open = 0; at < sign; at++) {
        open += (*at == '(') - (*at == ')');
        if (open < 0)
            return bad_sum(r, s->text, "the condition has an unmatched `)`");
    }
    return true;
}

typedef struct pid_finder {
    gy_worker *worker;
    int32_t tmpl;
    uint64_t pids;
    bool beyond; // there are some that have no bit
} pid_finder;

static int find_pids(void *user, const gy_transition *initial)
{
    pid_finder *f = user;
    gy_state_view view;
    if (!initial->state)
        return 0;
    gy_state_view_state(f->worker, initial->state, initial->words, &view);
    for (uint32_t p = 0; p < view.process_count; p++) {
        if (view.processes[p].tmpl != f->tmpl)
            continue;
        if (p < 64)
            f->pids |= UINT64_C(1) << p;
        else
            f->beyond = true;
    }
    return 0;
}

// Those that are there from the start, if no others are started.
static bool find_instances(const reader *r, sum *s)
{
    gy_model *model = r->subject->model;
    if (gy_template_is_started(model, s->tmpl))
        return bad_sum(r, s->text,
                       "processes of this type are started by run, so their pids must be given");
    gy_exec_options options = {0};
    gy_system *system = gy_system_vm(model, false, &options);
    pid_finder f = {.worker = gy_worker_new(system), .tmpl = s->tmpl};
    gy_initial(f.worker, find_pids, &f);
    gy_worker_free(f.worker);
    gy_system_free(system);
    s->pids = f.pids;
    if (f.beyond)
        return bad_sum(r, s->text,
                       "processes of this type have pids beyond 63, which cannot be counted");
    return f.pids || bad_sum(r, s->text, "no process of this type exists");
}

static bool is_local(const gy_model *model, int32_t tmpl, const char *name, size_t n)
{
    const gy_template *t = &model->templates[tmpl];
    for (int32_t v = t->first_var; v < t->first_var + t->var_count; v++)
        if (strlen(model->vars[v].name) == n && memcmp(model->vars[v].name, name, n) == 0)
            return true;
    return false;
}

// The condition as it is said of one process from outside.
static void write_term(const reader *r, const sum *s, uint32_t pid, gy_text *out)
{
    const char *at = gy_text_str(&s->condition);
    gy_text_add(out, "((");
    while (*at) {
        size_t n = 0;
        while (is_part_of_name(at[n]))
            n++;
        bool label = *at == '@';
        if (label ||
            (n && !isdigit((unsigned char)*at) && is_local(r->subject->model, s->tmpl, at, n)))
            gy_text_printf(out, "%s[%u]%s", s->name, pid, label ? "" : ":");
        if (label) { // its name is none of a variable
            n = 1;
            while (is_part_of_name(at[n]))
                n++;
        }
        n = n ? n : 1;
        gy_text_bytes(out, at, n);
        at += n;
    }
    gy_text_add(out, ") != 0)");
}

static bool make_terms(const reader *r, const sum *s)
{
    gy_text formula = {0};
    gy_bad_states bad = {.option = "--ef-sum", .question = {.over = s->over}};
    bad.text = gy_arena_strdup(r->subject->model->arena, s->text);
    gy_atom *terms = gy_alloc_zero(64 * sizeof *terms);
    bool good = true;
    bad.question.terms = terms;
    gy_text_add(&formula, "[] !(");
    for (uint32_t pid = 0; pid < 64 && good; pid++) {
        gy_text term = {0};
        if (!(s->pids >> pid & 1))
            continue;
        write_term(r, s, pid, &term);
        gy_text_printf(&formula, "%s%s", bad.question.term_count ? " + " : "", gy_text_str(&term));
        gy_atom atom = read_predicate(r, "--ef-sum", s->text, gy_text_str(&term));
        terms[bad.question.term_count++] = atom;
        good = atom != 0;
        gy_text_free(&term);
    }
    gy_text_printf(&formula, " > %u)", s->over);
    bad.formula = gy_text_take(&formula);
    gy_vec_push(r->list, bad);
    return good;
}

static bool read_sum(const reader *r, const char *text)
{
    sum s = {.text = text};
    const char *at;
    bool good = read_name(r, &s, &at) && read_pids(r, &s, &at) && read_condition(r, &s, at) &&
                (s.pids || find_instances(r, &s)) && make_terms(r, &s);
    gy_text_free(&s.condition);
    return good;
}

// ---- the request --------------------------------------------------------------------------

static bool read_line(const reader *r, char *line)
{
    char *at = (char *)skip_blanks(line), *end = at + strlen(at);
    while (end > at && isspace((unsigned char)end[-1]))
        *--end = 0;
    if (!*at || *at == '#')
        return true;
    return strncmp(at, "sum:", 4) == 0 ? read_sum(r, skip_blanks(at + 4))
                                       : read_state(r, "--ef", at);
}

static bool read_lines(const reader *r, const char *path)
{
    gy_file file;
    gy_file_rules rules = {.most_bytes = 1 << 20};
    if (!gy_file_read(path, &rules, &file))
        return gy_refuse(r->complaint, "--ef-file: cannot read %s: %s", path, file.problem);
    const size_t before = r->list->n;
    bool good = strlen(file.text) == file.bytes ||
                gy_refuse(r->complaint, "--ef-file: %s is not a text file", path);
    char *next = NULL;
    for (char *line = good ? strtok_r(file.text, "\n", &next) : NULL; line && good;
         line = strtok_r(NULL, "\n", &next))
        good = read_line(r, line);
    gy_file_free(&file);
    if (good && r->list->n == before)
        return gy_refuse(r->complaint, "--ef-file: %s contains no expression", path);
    return good;
}

bool gy_bad_states_read(const gy_request *request, const gy_loaded_model *subject,
                        gy_bad_states_list *list, gy_user_error *complaint)
{
    reader r = {subject, list, complaint};
    bool good = true;
    if ((request->states.n || request->sums.n || request->states_file) && !subject->model)
        return gy_refuse(complaint, "--ef cannot be used with a shared object\n  hint: use --ltl "
                                    "with the names of its predicates");
    for (size_t i = 0; i < request->goals.n && good; i++)
        good = read_state(&r, "--goal", request->goals.at[i]);
    for (size_t i = 0; i < request->states.n && good; i++)
        good = read_state(&r, "--ef", request->states.at[i]);
    for (size_t i = 0; i < request->sums.n && good; i++)
        good = read_sum(&r, request->sums.at[i]);
    return good && (!request->states_file || read_lines(&r, request->states_file));
}
