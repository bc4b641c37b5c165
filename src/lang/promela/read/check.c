// What only the whole model can show: runs against proctypes, messages against channels, and
// the warnings about what is never used.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

#include <ctype.h>

// ---- lists in which a structure stands for all its fields ---------------------------

// The i-th value of a structure, as a type; *i is counted down to 0 or below.
static const pml_var *nth_member(const pml_typedef *record, uint32_t *i)
{
    for (uint32_t k = 0; k < record->member_count; k++) {
        const pml_var *m = record->members[k];
        if (m->type.kind == PML_TY_STRUCT && m->type.record) {
            uint32_t flat = pml_flat_count(m->type.record);
            if (*i < flat)
                return nth_member(m->type.record, i);
            *i -= flat;
        } else {
            if (*i < m->count)
                return m;
            *i -= m->count;
        }
    }
    return NULL;
}

static uint32_t type_values(const pml_type *type)
{
    return type->kind == PML_TY_STRUCT && type->record ? pml_flat_count(type->record) : 1;
}

static uint32_t arg_values(const pml_expr *arg)
{
    if (arg->kind != PML_X_VAR)
        return 1;
    return type_values(&pml_ref_var(&arg->ref)->type);
}

static uint32_t count_values(pml_parser *p, pml_expr **args, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t values = arg_values(args[i]);
        if (values == 0) {
            gy_diag *d = gy_error(p->diags, args[i]->place,
                                  "this structure contains an array of structures: it cannot "
                                  "be passed as a whole");
            d->length = args[i]->length;
        }
        total += values;
    }
    return total < UINT32_MAX ? (uint32_t)total : UINT32_MAX;
}

// ---- run ----------------------------------------------------------------------------

static const char *mtype_of(pml_parser *p, const pml_expr *e)
{
    const pml_mtype_name *m = &p->model->mtypes[pml_name_of(p, e->mtype)->mtype - 1];
    return m->subtype ? m->subtype : "";
}

// Spin wants mtype parameters to be given as constants of that very mtype.
static void check_parameter(pml_parser *p, const pml_proc *proc, const pml_var *param,
                            const pml_expr *arg)
{
    if (param->type.kind == PML_TY_MTYPE) {
        const char *want = param->type.subtype ? param->type.subtype : "";
        gy_diag *d = NULL;
        switch (arg->kind) {
        case PML_X_VAR:
        case PML_X_LEN:
        case PML_X_POLL:
        case PML_X_RUN:
        case PML_X_REMOTE_VAR:
            d = gy_error(p->diags, arg->place,
                         "the parameter `%s` of `%s` is an mtype: it can only be given as a "
                         "constant",
                         param->name, proc->name);
            gy_hint(d, "declare the parameter as `byte`");
            break;
        case PML_X_NUMBER:
            if (arg->mtype && strcmp(mtype_of(p, arg), want) != 0)
                d = gy_error(p->diags, arg->place, "`%s` is of another mtype than `%s` of `%s`",
                             arg->mtype, param->name, proc->name);
            break;
        default:
            break;
        }
        if (d)
            d->length = arg->length;
        return;
    }
    bool channel = arg->kind == PML_X_VAR && pml_ref_var(&arg->ref)->type.kind == PML_TY_CHAN;
    bool wants = param->type.kind == PML_TY_CHAN;
    if (wants && !channel && arg->kind != PML_X_REMOTE_VAR && arg->kind != PML_X_COND &&
        arg->kind != PML_X_C_EXPR) {
        gy_diag *d = gy_warn(p->diags, arg->place, "the parameter `%s` of `%s` is a channel",
                             param->name, proc->name);
        d->length = arg->length;
    } else if (!wants && channel && param->type.kind != PML_TY_STRUCT) {
        gy_diag *d = gy_warn(p->diags, arg->place, "the parameter `%s` of `%s` is not a channel",
                             param->name, proc->name);
        d->length = arg->length;
    }
    pml_warn_truncation(p, &param->type, arg,
                        gy_arena_printf(p->arena, "the parameter `%s`", param->name));
}

static void check_run(pml_parser *p, const pml_run_use *use)
{
    pml_expr *e = use->expr;
    pml_proc *proc = use->name->proc;
    if (!proc) {
        gy_diag *d = gy_error(p->diags, use->place, "unknown proctype `%s`", use->name->text);
        d->length = use->length;
        const char *best = NULL;
        unsigned distance = 0;
        for (uint32_t i = 0; i < p->model->proc_count; i++) {
            if (p->model->procs[i]->kind == PML_PROC_TYPE)
                gy_nearest_offer(use->name->text, p->model->procs[i]->name, &best, &distance);
        }
        if (best)
            gy_hint(d, "a similar name exists: `%s`", best);
        return;
    }
    if (p->noted && use->early)
        gy_names_use(p->noted, proc, use->place, use->length, GY_USE_CALLED);
    if (p->noted)
        pml_note_run(p, use);
    e->proc = proc;
    proc->is_run = true;
    if (XPROC(proc)->bad_header)
        return;
    uint32_t given = count_values(p, e->args, e->arg_count), wanted = 0;
    for (uint32_t i = 0; i < proc->param_count; i++)
        wanted += type_values(&proc->params[i]->type);
    if (given != wanted) {
        gy_diag *d =
            gy_error(p->diags, use->place, "proctype `%s` has %u parameter%s, but %u %s given",
                     proc->name, wanted, wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are");
        d->length = use->length;
        gy_note(p->diags, proc->place, "it is defined here");
        return;
    }
    for (uint32_t i = 0; i < proc->param_count && i < e->arg_count; i++) {
        bool record = proc->params[i]->type.kind == PML_TY_STRUCT;
        bool passed = arg_values(e->args[i]) != 1;
        if (record || passed)
            break; // positions may differ from here on
        check_parameter(p, proc, proc->params[i], e->args[i]);
    }
}

// ---- messages -----------------------------------------------------------------------

static void check_fields(pml_parser *p, const pml_message_use *use, const pml_chan_init *chan,
                         const char *name)
{
    uint32_t field = 0, inside = 0; // position in chan->fields, and in a structure there
    for (uint32_t i = 0; i < use->arg_count && field < chan->field_count; i++) {
        const pml_expr *arg = use->args[i];
        const pml_type *type = &chan->fields[field];
        const pml_type *want = type;
        uint32_t values = type_values(type);
        if (type->kind == PML_TY_STRUCT) {
            uint32_t at = inside;
            const pml_var *m = nth_member(type->record, &at);
            if (!m)
                return;
            want = &m->type;
        }
        uint32_t given = arg_values(arg);
        if (given == 1) {
            const pml_var *var = arg->kind == PML_X_VAR ? pml_ref_var(&arg->ref) : NULL;
            bool channel = var && var->type.kind == PML_TY_CHAN;
            bool any = var && var->role == PML_VAR_BUILTIN;
            if (var && var->type.kind != PML_TY_STRUCT && !any &&
                channel != (want->kind == PML_TY_CHAN)) {
                gy_diag *d = gy_warn(p->diags, arg->place,
                                     "field %u of the messages of `%s` is "
                                     "of type %s, but `%s` is of type %s",
                                     i + 1, name, pml_type_name(p, want), var->name,
                                     pml_type_name(p, &var->type));
                d->length = arg->length;
            } else if (arg->kind == PML_X_NUMBER && arg->mtype && want->kind == PML_TY_MTYPE &&
                       strcmp(mtype_of(p, arg), want->subtype ? want->subtype : "") != 0) {
                gy_diag *d = gy_warn(p->diags, arg->place,
                                     "field %u of the messages of `%s` is of type %s, but `%s` "
                                     "is not one of its names",
                                     i + 1, name, pml_type_name(p, want), arg->mtype);
                d->length = arg->length;
            } else {
                pml_warn_truncation(
                    p, want, arg,
                    gy_arena_printf(p->arena, "field %u of the messages of `%s`", i + 1, name));
            }
        }
        inside += given;
        while (field < chan->field_count &&
               inside >= (values = type_values(&chan->fields[field])) && values > 0) {
            inside -= values;
            field++;
        }
        if (values == 0)
            return;
    }
}

static void check_message(pml_parser *p, const pml_message_use *use)
{
    uint32_t given = count_values(p, use->args, use->arg_count);
    const pml_var *var = pml_ref_var(&use->channel);
    if (given > p->max_fields && (use->send || use->random) && !use->trace) {
        gy_diag *d = gy_error(p->diags, use->place,
                              p->max_fields ? "a message of %u values: no channel has that many "
                                              "fields"
                                            : "a message of %u values, but the model has no "
                                              "channel",
                              given);
        d->length = (uint32_t)strlen(var->name);
        return;
    }
    const pml_chan_init *chan = var->chan;
    if (!chan || var->is_written) // it may hold another channel
        return;
    if (p->noted)
        pml_note_message(p, use, chan);
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < chan->field_count; i++)
        wanted += type_values(&chan->fields[i]);
    // To test only the first fields is common.
    if (given != wanted && !(use->poll && given < wanted)) {
        gy_diag *d = gy_warn(p->diags, use->place,
                             "the messages of `%s` have %llu value%s, but "
                             "%u %s given",
                             var->name, (unsigned long long)wanted, wanted == 1 ? "" : "s", given,
                             given == 1 ? "is" : "are");
        d->length = (uint32_t)strlen(var->name);
        gy_note(p->diags, chan->place, "the channel is declared here");
    }
    check_fields(p, use, chan, var->name);
}

// ---- never used ---------------------------------------------------------------------

static unsigned distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > 12 || m > 12)
        return 99;
    unsigned row[13], before[13] = {0};
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned corner = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned above = row[j];
            unsigned best = corner + (a[i - 1] != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            before[j - 1] = corner;
            corner = above;
            row[j] = best;
        }
        before[m] = corner;
    }
    return row[m];
}

// The word that a label nothing jumps to may have been meant to begin with.
static const char *misspelt(const char *label)
{
    char word[13] = {0};
    size_t n = 0;
    while (n < 12 && isalpha((unsigned char)label[n])) {
        word[n] = (char)tolower((unsigned char)label[n]);
        n++;
    }
    if (!strcmp(word, "end") || !strcmp(word, "ned") || !strcmp(word, "edn"))
        return "end";
    if (distance(word, "accept") <= 2)
        return "accept";
    if (distance(word, "progress") <= 2)
        return "progress";
    return NULL;
}

static void check_unused(pml_parser *p)
{
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        const pml_proc *proc = p->model->procs[i];
        if (proc->kind == PML_PROC_TYPE && proc->active == 0 && !proc->is_run) {
            gy_diag *d = gy_warn(p->diags, proc->place, "proctype `%s` is never run", proc->name);
            d->length = (uint32_t)strlen(proc->name);
        }
        for (uint32_t j = 0; j < proc->label_count; j++) {
            const pml_label *label = proc->labels[j];
            const char *meant;
            if (label->used || pml_label_is_special(label->name) ||
                !(meant = misspelt(label->name)))
                continue;
            gy_diag *d =
                gy_warn(p->diags, label->place, "the label `%s` is never used", label->name);
            d->length = (uint32_t)strlen(label->name);
            gy_hint(d, "labels that begin with `%s` mean something: was it meant to be one?",
                    meant);
        }
    }
}

// A process is started with its arguments in one instruction of the VM.
static void check_parameters(pml_parser *p)
{
    enum { MOST = 255 };
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        const pml_proc *proc = p->model->procs[i];
        if (proc->param_count <= MOST)
            continue;
        gy_diag *d = gy_error(p->diags, proc->place, "proctype `%s` has %u parameters (at most %d)",
                              proc->name, proc->param_count, MOST);
        d->length = (uint32_t)strlen(proc->name);
    }
}

// Said at the first proctype, or where the model ends.
static void check_started(pml_parser *p)
{
    const pml_proc *first = NULL;
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        const pml_proc *proc = p->model->procs[i];
        if (proc->active > 0)
            return;
        if (proc->kind == PML_PROC_TYPE && !first)
            first = proc;
    }
    if (gy_diags_errors(p->diags) > 0)
        return;
    gy_diag *d =
        gy_error(p->diags, first ? first->place : p->last_place, "no process is ever started");
    d->length = first ? (uint32_t)strlen(first->name) : p->last_length;
    gy_hint(d, "add an `init` or an `active proctype`");
}

void pml_check_model(pml_parser *p)
{
    unsigned errors = gy_diags_errors(p->diags);
    for (size_t i = 0; i < p->runs.n; i++)
        check_run(p, &p->runs.at[i]);
    check_parameters(p);
    pml_check_c_states(p);
    for (size_t i = 0; i < p->messages.n && errors == 0; i++)
        check_message(p, &p->messages.at[i]);
    if (p->enabled_place && p->synchronous > 0) {
        gy_diag *d = gy_error(p->diags, p->enabled_place,
                              "`enabled` cannot be used in a model with rendezvous channels");
        d->length = 7;
    }
    check_started(p);
    if (gy_diags_errors(p->diags) == 0) {
        check_unused(p);
        pml_warn_habits(p);
    }
}
