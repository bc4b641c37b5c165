// Assignments, and what is checked about them.
#include "lang/promela/read/parser.h"

static const char *subtype_text(const char *subtype)
{
    return subtype && *subtype ? subtype : "";
}

// Spin keeps track of the mtype that a variable holds: constants of another one are errors.
static void check_mtype(pml_parser *p, const pml_ref *ref, const pml_expr *value)
{
    if (!value->mtype || ref->part_count != 1 || ref->parts[0].var->role == PML_VAR_BUILTIN)
        return;
    const pml_var *var = ref->parts[0].var;
    pml_symbol *s = pml_name_of(p, var->name)->symbol;
    if (!s || s->var != var)
        return;
    const pml_mtype_name *m = &p->model->mtypes[pml_name_of(p, value->mtype)->mtype - 1];
    const char *right = m->subtype ? m->subtype : "";
    if (!s->subtype) {
        s->subtype = right;
    } else if (strcmp(s->subtype, right) != 0) {
        gy_diag *d = gy_error(p->diags, value->place,
                              "`%s` is of type mtype%s%s, but `%s` holds "
                              "mtype%s%s",
                              value->mtype, *right ? ":" : "", right, var->name,
                              *subtype_text(s->subtype) ? ":" : "", subtype_text(s->subtype));
        d->length = value->length;
    }
}

// Channels inside arithmetic: nothing may be computed from them.
static bool channel_inside(const pml_expr *e, bool top)
{
    if (!e)
        return false;
    switch (e->kind) {
    case PML_X_LEN:
    case PML_X_RUN:
    case PML_X_FULL:
    case PML_X_NFULL:
    case PML_X_EMPTY:
    case PML_X_NEMPTY:
    case PML_X_POLL:
        return false;
    case PML_X_VAR:
        return !top && e->ref.part_count == 1 && e->ref.parts[0].var->type.kind == PML_TY_CHAN;
    default:
        return channel_inside(e->a, false) || channel_inside(e->b, false) ||
               channel_inside(e->c, false);
    }
}

void pml_check_assignment(pml_parser *p, const pml_ref *ref, const pml_expr *value,
                          gy_location place)
{
    const pml_var *var = pml_ref_var(ref);
    if (!var)
        return;
    pml_refuse_builtin(p, ref);
    const pml_var *root = ref->parts[0].var;
    if (root->type.kind != PML_TY_STRUCT) {
        check_mtype(p, ref, value);
        if (root->type.kind == PML_TY_CHAN && value->kind == PML_X_NUMBER) {
            gy_diag *d = gy_error(p->diags, value->place,
                                  "a number cannot be assigned to the "
                                  "channel `%s`",
                                  root->name);
            d->length = value->length;
        } else if (channel_inside(value, true)) {
            gy_diag *d = gy_error(p->diags, value->place, "nothing can be computed from a channel");
            d->length = value->length;
        }
    }
    if (p->proc && p->proc->p.kind == PML_PROC_NEVER && !p->warned_claim) {
        gy_warn(p->diags, place, "a never claim should not change variables");
        p->warned_claim = true;
    }
    pml_warn_truncation(p, &var->type, value, gy_arena_printf(p->arena, "`%s`", var->name));
}

pml_stmt *pml_assignment(pml_parser *p, pml_ref ref, pml_expr *value, gy_location place)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_ASSIGN, place);
    s->ref = ref;
    s->expr = value;
    pml_mark_written(p, &ref);
    pml_check_assignment(p, &ref, value, place);
    return s;
}

void pml_forbid_step(pml_parser *p, const pml_token *word)
{
    if (p->in_trace)
        pml_error_at(p, word, "only sends, receives and control flow can be in a trace");
}
