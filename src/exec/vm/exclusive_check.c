// Claims (xr, xs) while the system runs: who uses a channel that another process has for itself.
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"

static int32_t held(const gy_machine *m, int32_t var, uint32_t pid)
{
    const gy_variable *v = &m->model->vars[var];
    return gy_get_var(v->owner == GY_NONE ? m->s : m->s + m->shape->process[pid].offset, v, 0);
}

static void add_place(const gy_model *model, gy_location place, gy_text *out)
{
    gy_location_info info = gy_location_user(model->sources, place);
    gy_text_printf(out, " (%s:%u)", gy_source_name(model->sources, info.file), info.line);
}

// Where a process that claims the channel uses it itself, if it does so by the name claimed.
static const gy_edge *own_use(const gy_model *model, const gy_exclusive_use *claim)
{
    const gy_template *tmpl = &model->templates[claim->tmpl];
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        const gy_expr *chan = gy_bare_channel(edge->chan);
        if (edge->sync == (claim->receive ? GY_SYNC_RECV : GY_SYNC_SEND) && chan->op == GY_E_VAR &&
            chan->var == claim->var)
            return edge;
    }
    return NULL;
}

static void add_process(const gy_machine *m, int32_t pid, gy_text *out)
{
    const gy_template *tmpl = &m->model->templates[m->shape->process[pid].tmpl];
    gy_text_printf(out, "%s(%d)", tmpl->kind == GY_TMPL_INIT ? "init" : tmpl->name, pid);
}

static void raise_used(gy_machine *m, const gy_exclusive_use *claim, int32_t claimant)
{
    const gy_model *model = m->model;
    const gy_edge *own = own_use(model, claim);
    const char *does = claim->receive ? "receives from" : "sends to";
    gy_text text = {0};
    gy_text_printf(&text, "`%s %s`", claim->receive ? "xr" : "xs", model->vars[claim->var].name);
    add_place(model, claim->place, &text);
    gy_text_add(&text, " is not kept: ");
    add_process(m, claimant, &text);
    gy_text_printf(&text, " is to be the only process that %s this channel", does);
    if (own && own->text) {
        gy_text_printf(&text, ", by %s", own->text);
        add_place(model, own->place, &text);
    }
    gy_text_add(&text, ", but ");
    add_process(m, m->pid, &text);
    gy_text_add(&text, " uses it too");
    gy_raise(m, GY_FAULT_EXCLUSIVE, "%s", gy_text_str(&text));
    gy_text_free(&text);
}

bool gy_vm_may_use(gy_machine *m, int32_t channel, const uint16_t *claims, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const gy_exclusive_use *claim = &m->model->exclusive[claims[i]];
        for (uint32_t pid = 0; pid < m->shape->process_count; pid++)
            if (m->shape->process[pid].tmpl == claim->tmpl && (int32_t)pid != m->pid &&
                held(m, claim->var, pid) == channel) {
                raise_used(m, claim, (int32_t)pid);
                m->channel = channel;
                return false;
            }
    }
    return true;
}
