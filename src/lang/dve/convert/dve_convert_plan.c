// What has to be seen from where.
#include "lang/dve/convert/dve_convert_internal.h"
#include "lang/dve/lower/dve_lower_internal.h"

#include <string.h>

bool dve_is_joint(const dve_conversion *c, const dve_channel *channel)
{
    for (size_t i = 0; i < c->joint.n; i++)
        if (c->joint.at[i] == channel)
            return true;
    return false;
}

bool dve_is_global(const dve_conversion *c, const dve_var *var)
{
    if (!var->owner)
        return true;
    for (size_t i = 0; i < c->global.n; i++)
        if (c->global.at[i] == var)
            return true;
    return false;
}

static void make_global(dve_conversion *c, const dve_var *var)
{
    if (!dve_is_global(c, var))
        gy_vec_push(&c->global, var);
}

// ---- channels -------------------------------------------------------------------------------

static bool has_extras(const dve_transition *t)
{
    return t->guard_count || t->effect_count;
}

// Could a value that is sent not arrive as it is?
static bool is_plain_message(const dve_channel *channel, const dve_transition *send,
                             const dve_transition *receive)
{
    for (uint32_t i = 0; i < send->value_count && i < receive->value_count; i++) {
        dve_bounds bounds = dve_expr_bounds(send->values[i]);
        if (!dve_fits(bounds, receive->values[i]->var->type) ||
            (channel->typed && !dve_fits(bounds, channel->types[i])))
            return false;
    }
    return true;
}

// Is every rendezvous on the channel nothing but a message that arrives as it was sent?
static bool is_plain(const dve_model *tree, const dve_channel *channel)
{
    GY_VEC(const dve_transition *) sends = {0}, receives = {0};
    bool plain = true;
    for (uint32_t p = 0; p < tree->process_count; p++) {
        for (uint32_t i = 0; i < tree->processes[p]->transition_count; i++) {
            const dve_transition *t = &tree->processes[p]->transitions[i];
            if (t->channel != channel)
                continue;
            plain = plain && !has_extras(t);
            if (t->sync == DVE_SEND)
                gy_vec_push(&sends, t);
            else
                gy_vec_push(&receives, t);
        }
    }
    for (size_t s = 0; s < sends.n && plain; s++)
        for (size_t r = 0; r < receives.n && plain; r++)
            plain = is_plain_message(channel, sends.at[s], receives.at[r]);
    gy_vec_free(&sends);
    gy_vec_free(&receives);
    return plain;
}

// ---- who examines what ----------------------------------------------------------------------

// `moves`: what processes do depends on it (and not only what a property says).
static void look_at(dve_conversion *c, const dve_process *viewer, const dve_expr *expr, bool moves)
{
    if (!expr)
        return;
    if (expr->kind == DVE_X_AT && expr->process != viewer && moves)
        dve_shape_of(c, expr->process)->asked = true;
    if (expr->var && expr->var->owner && expr->var->owner != viewer)
        make_global(c, expr->var);
    look_at(c, viewer, expr->a, moves);
    look_at(c, viewer, expr->b, moves);
}

static void look_at_transition(dve_conversion *c, const dve_process *viewer,
                               const dve_transition *t)
{
    bool moves = !viewer->is_property;
    for (uint32_t i = 0; i < t->guard_count; i++)
        look_at(c, viewer, t->guards[i], moves);
    for (uint32_t i = 0; i < t->value_count; i++)
        look_at(c, viewer, t->values[i], moves);
    for (uint32_t i = 0; i < t->effect_count; i++) {
        look_at(c, viewer, t->effects[i].target, moves);
        look_at(c, viewer, t->effects[i].value, moves);
    }
}

static void look_around(dve_conversion *c)
{
    for (uint32_t p = 0; p < c->tree->process_count; p++) {
        const dve_process *process = c->tree->processes[p];
        for (uint32_t i = 0; i < process->transition_count; i++)
            look_at_transition(c, process, &process->transitions[i]);
        for (uint32_t i = 0; i < process->assert_count; i++)
            look_at(c, NULL, process->asserts[i].expr, false);
    }
}

static bool receives_jointly(const dve_conversion *c, const dve_process *process)
{
    for (uint32_t i = 0; i < process->transition_count; i++) {
        const dve_transition *t = &process->transitions[i];
        if (t->sync == DVE_RECEIVE && dve_is_joint(c, t->channel))
            return true;
    }
    return false;
}

// A process whose place is in a variable cannot take part in a rendezvous that does nothing else.
static bool is_used_by_placed(const dve_conversion *c, const dve_channel *channel)
{
    for (uint32_t p = 0; p < c->tree->process_count; p++) {
        const dve_process *process = c->tree->processes[p];
        for (uint32_t i = 0; i < process->transition_count; i++)
            if (process->transitions[i].channel == channel &&
                (c->shapes[p].asked || c->shapes[p].driven))
                return true;
    }
    return false;
}

// Adds channels to the joint ones until no process is in the way.
static void settle_channels(dve_conversion *c)
{
    const dve_model *tree = c->tree;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < tree->process_count; p++)
            c->shapes[p].driven = receives_jointly(c, tree->processes[p]);
        for (uint32_t i = 0; i < tree->channel_count; i++) {
            const dve_channel *channel = tree->channels[i];
            if (!channel->capacity && !dve_is_joint(c, channel) && is_used_by_placed(c, channel)) {
                gy_vec_push(&c->joint, channel);
                changed = true;
            }
        }
    }
}

void dve_plan(dve_conversion *c)
{
    dve_model *tree = c->tree;
    for (uint32_t p = 0; p < tree->process_count; p++) {
        c->shapes[p].process = tree->processes[p];
        for (uint32_t s = 0; s < tree->processes[p]->state_count; s++)
            if (tree->processes[p]->states[s].committed)
                c->committed = c->shapes[p].asked = true;
    }
    for (uint32_t i = 0; i < tree->channel_count; i++) {
        const dve_channel *channel = tree->channels[i];
        if (!channel->capacity && (c->committed || !is_plain(tree, channel)))
            gy_vec_push(&c->joint, channel);
    }
    look_around(c);
    settle_channels(c);
    for (uint32_t p = 0; p < tree->process_count; p++) {
        const dve_process *process = tree->processes[p];
        for (uint32_t i = 0; c->shapes[p].driven && i < process->var_count; i++)
            make_global(c, process->vars[i]);
    }
}
