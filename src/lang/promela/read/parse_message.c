// Sends and receives.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

static void check_channel(pml_parser *p, const pml_ref *ref, const pml_token *first)
{
    const pml_var *var = pml_ref_var(ref);
    if (var && var->type.kind != PML_TY_CHAN)
        pml_error_at(p, first, "`%s` is not a channel", var->name);
    if (p->proc && p->proc->p.kind == PML_PROC_NEVER)
        pml_error_at(p, first, "a never claim cannot send or receive");
}

pml_stmt *pml_parse_send(pml_parser *p, pml_ref ref, const pml_token *first)
{
    pml_token op = pml_advance(p);
    pml_stmt *s = pml_new_stmt(p, PML_S_SEND, first->place);
    s->ref = ref;
    s->sorted = op.punct == PML_P_SNDSORT;
    check_channel(p, &ref, first);
    if (p->noted)
        pml_note_role(p, &ref, GY_USE_SENT);
    pml_parse_send_args(p, &s->args, &s->arg_count);
    if (ref.part_count && pml_ref_var(&ref)->type.kind == PML_TY_CHAN && !p->panic) {
        pml_message_use use = {.channel = ref,
                               .args = s->args,
                               .arg_count = s->arg_count,
                               .place = first->place,
                               .send = true,
                               .trace = p->in_trace};
        gy_vec_push(&p->messages, use);
    }
    return s;
}

static void check_twice(pml_parser *p, const pml_stmt *s)
{
    if (p->d_step_depth)
        return;
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const pml_expr *a = s->args[i];
        if (a->kind != PML_X_VAR || a->ref.part_count != 1 || a->ref.parts[0].var->is_array ||
            a->ref.parts[0].var->type.kind == PML_TY_STRUCT ||
            pml_ref_is_builtin(&a->ref, PML_BI_UNDERSCORE))
            continue;
        for (uint32_t j = i + 1; j < s->arg_count && j < i + 256; j++) {
            const pml_expr *b = s->args[j];
            if (b->kind == PML_X_VAR && b->ref.part_count == 1 &&
                b->ref.parts[0].var == a->ref.parts[0].var) {
                gy_diag *d =
                    gy_error(p->diags, b->place, "`%s` cannot take two fields of the same message",
                             a->ref.parts[0].var->name);
                d->length = b->length;
            }
        }
    }
}

// channel ('?' | '??') ( args | '<' args '>' ), after which '[' was ruled out
pml_stmt *pml_parse_receive(pml_parser *p, pml_ref ref, const pml_token *first, bool random)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_RECV, first->place);
    s->ref = ref;
    s->random = random;
    check_channel(p, &ref, first);
    if (p->noted)
        pml_note_role(p, &ref, GY_USE_RECEIVED);
    if (pml_look_is(p, PML_P_LT)) {
        pml_advance(p);
        s->keep = true;
        pml_parse_receive_args(p, &s->args, &s->arg_count);
        pml_expect(p, PML_P_GT, "after the arguments of the receive");
    } else {
        pml_parse_receive_args(p, &s->args, &s->arg_count);
    }
    if (p->panic)
        return s;
    check_twice(p, s);
    for (uint32_t i = 0; i < s->arg_count; i++) {
        if (s->args[i]->kind == PML_X_VAR)
            pml_mark_written(p, &s->args[i]->ref);
    }
    if (ref.part_count && pml_ref_var(&ref)->type.kind == PML_TY_CHAN) {
        pml_message_use use = {.channel = ref,
                               .args = s->args,
                               .arg_count = s->arg_count,
                               .place = first->place,
                               .random = random,
                               .trace = p->in_trace};
        gy_vec_push(&p->messages, use);
    }
    return s;
}
