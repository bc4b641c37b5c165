// Advice: what a user meant who wrote what other languages, or other tools, would take.
//
// Two parts. Hints for errors: a name that is not declared, a word of another language. And
// warnings about models that are right, but hardly mean what was meant: an `else` without `::`, an
// assignment as a guard next to an `else`, statements after a loop that nothing leaves, two
// `init`s.
#include "lang/promela/read/parser.h"

#include <strings.h>

// ---- names --------------------------------------------------------------------------

// A local variable of some process by that name.
static const pml_proc *owner_of_local(const pml_parser *p, const char *text)
{
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        const pml_proc *proc = p->model->procs[i];
        if (proc->kind != PML_PROC_TYPE && proc->kind != PML_PROC_INIT)
            continue;
        for (uint32_t j = 0; j < proc->local_count; j++)
            if (!strcmp(proc->locals[j]->name, text))
                return proc;
        for (uint32_t j = 0; j < proc->param_count; j++)
            if (!strcmp(proc->params[j]->name, text))
                return proc;
    }
    return NULL;
}

static bool is_global(const pml_parser *p, const char *text)
{
    for (uint32_t i = 0; i < p->model->global_count; i++)
        if (!strcmp(p->model->globals[i]->name, text))
            return true;
    return false;
}

// Words that mean something elsewhere.
static const char *translation(const char *text)
{
    static const char *words[][2] = {{"true", "true"},     {"false", "false"},  {"and", "&&"},
                                     {"or", "||"},         {"not", "!"},        {"null", "0"},
                                     {"nil", "0"},         {"boolean", "bool"}, {"integer", "int"},
                                     {"eventually", "<>"}, {"always", "[]"},    {"until", "U"},
                                     {"globally", "[]"},   {"finally", "<>"},   {"next", "X"},
                                     {"mod", "%"},         {"implies", "->"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(text, words[i][0]))
            return words[i][1];
    return NULL;
}

const char *pml_operator_meant(const pml_token *t)
{
    return t->kind == PML_T_NAME ? translation(t->text) : NULL;
}

// `Fq`, `Gp`, `Xr` in a formula: an operator that has grown together with its operand.
static const char *glued_operator(const pml_parser *p, const char *text)
{
    if (!p->ltl_mode || !text[0] || !is_global(p, text + 1))
        return NULL;
    return text[0] == 'F' ? "<>" : text[0] == 'G' ? "[]" : text[0] == 'X' ? "X" : NULL;
}

// A temporal operator written as a word, with a slip.
static const char *misspelt_operator(const pml_parser *p, const char *text)
{
    static const char *words[] = {"always",    "eventually", "until",      "release",
                                  "weakuntil", "implies",    "equivalent", "next"};
    const char *best = NULL;
    unsigned distance = 0;
    for (size_t i = 0; p->ltl_mode && i < sizeof words / sizeof *words; i++)
        gy_nearest_offer(text, words[i], &best, &distance);
    return best;
}

void pml_advise_name(pml_parser *p, gy_diag *d, const char *text)
{
    const char *slip = misspelt_operator(p, text);
    if (slip) { // what follows makes no sense without it
        gy_hint(d, "a similar name exists: `%s`", slip);
        p->panic = true;
        return;
    }
    const pml_proc *owner = owner_of_local(p, text);
    const char *meant = translation(text), *glued = glued_operator(p, text);
    if (glued)
        gy_hint(d, "write `%s %s`", glued, text + 1);
    else if (owner && (p->ltl_mode || (p->proc && p->proc->p.kind == PML_PROC_NEVER)) &&
             owner->kind == PML_PROC_TYPE)
        gy_hint(d, "it is a local variable of `%s`: write `%s:%s`", owner->name, owner->name, text);
    else if (meant)
        gy_hint(d, "write `%s`", meant);
    else if (owner && (!p->proc || owner != &p->proc->p))
        gy_hint(d, "`%s` has a local variable of that name, which only it can use", owner->name);
    else
        pml_suggest_name(p, d, text);
}

// ---- models that are right but hardly meant -----------------------------------------

static void check_sequence(pml_parser *p, const pml_seq *seq, bool option);

static void warn_at(pml_parser *p, const pml_stmt *s, uint32_t length, const char *message,
                    const char *hint)
{
    gy_diag *d = gy_warn(p->diags, s->place, "%s", message);
    d->length = length;
    gy_hint(d, "%s", hint);
}

// The statement that decides whether an option can be taken.
static const pml_stmt *guard_of(const pml_stmt *s)
{
    s = pml_unlabelled(s);
    while ((s->kind == PML_S_ATOMIC || s->kind == PML_S_D_STEP || s->kind == PML_S_BLOCK) &&
           s->body.n)
        s = pml_unlabelled(s->body.at[0]);
    return s;
}

// `x = y -> ...`: an assignment never waits.
static void check_arrow(pml_parser *p, const pml_stmt *guard)
{
    if (guard->kind == PML_S_ASSIGN && guard->arrow)
        warn_at(p, guard, 1, "an assignment as a guard can always be executed",
                "`=` assigns; `==` compares");
}

static void check_arrows(pml_parser *p, const pml_stmt *choice)
{
    for (uint32_t i = 0; i < choice->option_count; i++)
        if (choice->options[i].n)
            check_arrow(p, guard_of(choice->options[i].at[0]));
}

// An assignment, printf … is executable at any time: the `else` next to it never is.
static void check_guards(pml_parser *p, const pml_stmt *choice)
{
    const pml_stmt *assignment = NULL;
    bool has_else = false;
    for (uint32_t i = 0; i < choice->option_count; i++) {
        if (!choice->options[i].n)
            continue;
        const pml_stmt *first = pml_unlabelled(choice->options[i].at[0]);
        has_else |= first->kind == PML_S_ELSE;
        if (first->kind == PML_S_ASSIGN && !assignment)
            assignment = first;
    }
    if (has_else && assignment)
        warn_at(p, assignment, 1,
                "an assignment as a guard can always be executed: the `else` never is",
                "`=` assigns; `==` compares");
    else
        check_arrows(p, choice);
}

// Can control leave a loop from inside? A break of a loop inside it does not count, a goto does.
static bool can_leave(const pml_stmt *s, bool inner);

static bool can_leave_from(const pml_seq *seq, bool inner)
{
    for (uint32_t i = 0; i < seq->n; i++)
        if (can_leave(seq->at[i], inner))
            return true;
    return false;
}

static bool can_leave(const pml_stmt *s, bool inner)
{
    bool loop = s->kind == PML_S_DO || s->kind == PML_S_FOR_RANGE || s->kind == PML_S_FOR_ARRAY ||
                s->kind == PML_S_FOR_CHAN;
    if (s->kind == PML_S_GOTO || s->kind == PML_S_C_CODE)
        return true;
    if (s->kind == PML_S_BREAK)
        return !inner;
    // In the escape of a loop, `break` leaves what is around that loop.
    if (can_leave_from(&s->body, inner || loop) || can_leave_from(&s->escape, inner))
        return true;
    for (uint32_t i = 0; i < s->option_count; i++)
        if (can_leave_from(&s->options[i], inner || loop))
            return true;
    return false;
}

static bool is_endless_loop(const pml_stmt *s)
{
    s = pml_unlabelled(s);
    if (s->kind != PML_S_DO)
        return false;
    for (uint32_t i = 0; i < s->option_count; i++)
        if (can_leave_from(&s->options[i], false))
            return false;
    return true;
}

// `first`: of an option.
static void check_stmt(pml_parser *p, const pml_stmt *s, bool first)
{
    if (s->kind == PML_S_IF || s->kind == PML_S_DO)
        check_guards(p, s);
    for (uint32_t i = 0; i < s->option_count; i++)
        check_sequence(p, &s->options[i], true);
    check_sequence(p, &s->body, first);
    check_sequence(p, &s->escape, false);
}

// `option`: of an `if` or `do`; there an `else` may be first.
static void check_sequence(pml_parser *p, const pml_seq *seq, bool option)
{
    for (uint32_t i = 0; i < seq->n; i++) {
        const pml_stmt *s = seq->at[i], *inner = pml_unlabelled(s);
        if (inner->kind == PML_S_ELSE && (i > 0 || !option))
            warn_at(p, inner, 4, "this `else` is a step of its own, not an option",
                    "an option begins with `::`: write `:: else`");
        if (i > 0 || !option)
            check_arrow(p, inner);
        if (i > 0 && s->kind != PML_S_LABELLED && is_endless_loop(seq->at[i - 1]) &&
            inner->kind != PML_S_INIT)
            warn_at(p, s, 1, "this is never reached: the loop before it has no `break`",
                    "leave a loop by `:: condition -> break`");
        check_stmt(p, s, option && i == 0);
    }
}

void pml_warn_habits(pml_parser *p)
{
    const pml_proc *init = NULL;
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        const pml_proc *proc = p->model->procs[i];
        if (proc->kind == PML_PROC_TRACE || proc->kind == PML_PROC_NOTRACE)
            continue;
        check_sequence(p, &proc->body, false);
        if (proc->kind != PML_PROC_INIT)
            continue;
        if (init) {
            gy_diag *d = gy_warn(p->diags, proc->place, "a second `init`: both run");
            d->length = 4;
            gy_note(p->diags, init->place, "the first `init` is here");
        }
        init = proc;
    }
}
