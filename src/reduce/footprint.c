// What the edges of an instance read, write and mark. See footprint.h.
//
// The first edge of a transition is treated with care, since its guard is known to hold when it
// goes: `nempty(c)` can be made false by a receive only, so it reads the head alone; a send to a
// buffered channel is never made impossible by a receive. Inside an atomic sequence a guard that
// does not hold merely ends the sequence, so everything it reads is read in both directions,
// and a channel operation touches both ends.
#include "reduce/footprint.h"

#include "base/fatal.h"
#include "model/instances.h"
#include "model/operators.h"
#include "model/visit.h"

#include <stdlib.h>
#include <string.h>

const gy_who GY_ANYONE = {.pid = -1, .values = NULL};

// ---- sets ---------------------------------------------------------------------------

gy_footprint gy_footprint_new(const gy_reduction *r, gy_arena *arena)
{
    uint64_t *sets = GY_NEW_ARRAY(arena, uint64_t, 3 * (size_t)r->words);
    return (gy_footprint){sets, sets + r->words, sets + 2 * r->words};
}

void gy_footprint_add(const gy_reduction *r, gy_footprint to, gy_footprint from)
{
    for (uint32_t w = 0; w < 3 * r->words; w++)
        to.reads[w] |= from.reads[w]; // the three sets are adjacent
}

// True: there was something new in it.
static bool grow(const gy_reduction *r, gy_footprint to, gy_footprint from)
{
    bool grew = false;
    for (uint32_t w = 0; w < 3 * r->words; w++)
        grew |= (from.reads[w] & ~to.reads[w]) != 0;
    gy_footprint_add(r, to, from);
    return grew;
}

bool gy_footprint_conflict(const gy_reduction *r, gy_footprint a, gy_footprint b)
{
    uint64_t both = 0;
    for (uint32_t w = 0; w < r->words; w++)
        both |= (a.writes[w] & (b.writes[w] | b.reads[w])) |
                (a.reads[w] & (b.writes[w] | b.marks[w])) | (a.marks[w] & b.reads[w]);
    return both != 0;
}

bool gy_cells_meet(const gy_reduction *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t both = 0;
    for (uint32_t w = 0; w < r->words; w++)
        both |= a[w] & b[w];
    return both != 0;
}

// ---- variables and channels ---------------------------------------------------------

static void variable_cells(const gy_reduction *r, gy_who who, int32_t var, const gy_expr *index,
                           uint64_t *set)
{
    if (var == GY_NONE || r->var_cell[var] == GY_NO_CELL)
        return;
    const gy_variable *v = &r->model->vars[var];
    uint32_t first = r->var_cell[var];
    int32_t element = 0;
    if (v->count > r->split_limit)
        gy_bits_add(set, first);
    else if (!index || (gy_known_value(r, who, index, &element) && element >= 0 &&
                        (uint32_t)element < v->count))
        gy_bits_add(set, first + (uint32_t)element);
    else
        for (uint32_t e = 0; e < v->count; e++)
            gy_bits_add(set, first + e);
}

// Nothing but its own process can change a local variable: reading it does not matter to others.
static void read_variable(const gy_reduction *r, gy_who who, int32_t var, const gy_expr *index,
                          uint64_t *set)
{
    if (var != GY_NONE && r->model->vars[var].owner == GY_NONE)
        variable_cells(r, who, var, index, set);
}

static void write_variable(const gy_reduction *r, gy_who who, int32_t var, const gy_expr *index,
                           gy_footprint to)
{
    if (var == GY_NONE)
        return;
    bool global = r->model->vars[var].owner == GY_NONE;
    variable_cells(r, who, var, index, global ? to.writes : to.marks);
}

// Edges that come after the variable is set to 0 do not use it.
static bool named_channel(const gy_reduction *r, gy_who who, const gy_expr *chan, int32_t *id)
{
    if (gy_known_value(r, who, chan, id))
        return true;
    const gy_variable *var = chan->op == GY_E_VAR ? &r->model->vars[chan->var] : NULL;
    if (!var || !r->channel_once[chan->var] || !who.values)
        return false;
    int32_t local = chan->var - r->model->templates[var->owner].first_var;
    *id = who.values[local];
    return r->relevant[var->owner][local];
}

gy_channel_use gy_channel_used(const gy_reduction *r, gy_who who, const gy_expr *chan)
{
    chan = gy_bare_channel(chan);
    int32_t id, own = chan->op == GY_E_VAR && !chan->a ? r->own_type[chan->var] : GY_NONE;
    bool meets = own != GY_NONE && r->model->channel_types[own].capacity == 0;
    if (own != GY_NONE && !who.values && !r->made_at_large)
        return (gy_channel_use){.is_new = true, .may_meet = meets, .may_buffer = !meets};
    if (!named_channel(r, who, chan, &id) || id < 1 || (uint32_t)id > r->channels)
        return (gy_channel_use){.may_meet = r->some_rendezvous, .may_buffer = r->some_buffered};
    if ((uint32_t)id <= r->static_count) {
        meets = r->model->channel_types[r->static_type[id - 1]].capacity == 0;
        return (gy_channel_use){.id = id, .may_meet = meets, .may_buffer = !meets};
    }
    if (own != GY_NONE)
        return (gy_channel_use){.id = id, .may_meet = meets, .may_buffer = !meets};
    return (gy_channel_use){.id = id,
                            .may_die = true,
                            .may_meet = r->later_rendezvous,
                            .may_buffer = r->later_buffered};
}

static void end_cells(const gy_reduction *r, uint32_t id, bool head, bool tail, uint64_t *set)
{
    if (head)
        gy_bits_add(set, r->head_cell + 2 * (id - 1));
    if (tail)
        gy_bits_add(set, r->head_cell + 2 * (id - 1) + 1);
}

void gy_channel_cells(const gy_reduction *r, gy_channel_use use, bool head, bool tail,
                      uint64_t *set)
{
    if (use.id)
        end_cells(r, (uint32_t)use.id, head, tail, set);
    else if (!use.is_new)
        for (uint32_t id = 1; id <= r->channels; id++)
            end_cells(r, id, head, tail, set);
    if (use.is_new || use.may_die || !use.id)
        end_cells(r, r->channels + 1, head, tail, set);
}

// ---- claims (xr, xs) ------------------------------------------------------------------

// Claims on the channel that an instance names.
static void claim_cells(const gy_reduction *r, gy_who who, const gy_expr *chan, bool receive,
                        uint64_t *set)
{
    gy_reduction cells = *r;
    cells.head_cell = r->claim_cell;
    gy_channel_cells(&cells, gy_channel_used(r, who, chan), receive, !receive, set);
}

// Another process comes to claim the channel, or ceases to: by its start or end, or since the
// variable is assigned to.
static void read_claims(const gy_reduction *r, gy_who who, const gy_expr *expr, uint64_t *set)
{
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        int32_t var = expr->args[i].expr->var;
        claim_cells(r, who, expr->a, r->model->exclusive[expr->args[i].expr->value].receive, set);
        if (!r->stable[var])
            variable_cells(r, who, var, NULL, set);
    }
}

static void mark_claims(const gy_reduction *r, gy_who who, int32_t tmpl, gy_footprint to)
{
    for (uint32_t i = 0; r->claims_matter && i < r->model->exclusive_count; i++) {
        const gy_exclusive_use *claim = &r->model->exclusive[i];
        gy_expr var = {.op = GY_E_VAR, .var = claim->var};
        if (claim->tmpl == tmpl && claim->var != GY_NONE)
            claim_cells(r, who, &var, claim->receive, to.marks);
    }
}

static void both_ends(const gy_reduction *r, gy_who who, const gy_expr *chan, uint64_t *set)
{
    gy_channel_cells(r, gy_channel_used(r, who, chan), true, true, set);
}

// ---- expressions --------------------------------------------------------------------

typedef struct cell_reader {
    const gy_reduction *r;
    gy_who who;
    uint64_t *set;
} cell_reader;

// Where processes of the template are, or if that is GY_NONE, of any.
static void read_control(const gy_reduction *r, int32_t tmpl, uint64_t *set)
{
    for (uint32_t t = 0; t < r->model->template_count; t++)
        if ((tmpl == GY_NONE || tmpl == (int32_t)t) && r->control_cell[t] != GY_NO_CELL)
            gy_bits_add(set, r->control_cell[t]);
}

static gy_visit_next read_cell(void *user, const gy_expr *expr)
{
    const cell_reader *c = user;
    const gy_reduction *r = c->r;
    if (gy_op_asks_channel(expr->op))
        both_ends(r, c->who, expr->a, c->set);
    switch (expr->op) {
    case GY_E_VAR:
        read_variable(r, c->who, expr->var, expr->a, c->set);
        break;
    case GY_E_EXCLUSIVE:
        read_claims(r, c->who, expr, c->set);
        gy_read_cells(r, c->who, expr->a, c->set);
        return GY_VISIT_NEXT;
    case GY_E_NR_PR:
    case GY_E_GET_PRIORITY: // which never changes: see triggers.h
        gy_bits_add(c->set, r->system_cell);
        break;
    case GY_E_REMOTE_LABEL:
        gy_bits_add(c->set, r->system_cell);
        // no cell: no edge reads it, nor what is observed
        if (expr->tmpl != GY_NONE && r->control_cell[expr->tmpl] != GY_NO_CELL)
            gy_bits_add(c->set, r->control_cell[expr->tmpl]);
        break;
    case GY_E_PC_VALUE:
        gy_bits_add(c->set, r->system_cell);
        read_control(r, gy_template_of_pid(r->model, expr->a), c->set);
        break;
    case GY_E_ENABLED:
    case GY_E_LAST:
        gy_bits_add(c->set, r->step_cell);
        break;
    case GY_E_REMOTE_VAR: // the index is that of the process that asks
        gy_bits_add(c->set, r->system_cell);
        variable_cells(r, c->who, expr->var, expr->b, c->set);
        break;
    default:
        break;
    }
    return GY_VISIT_PARTS;
}

static void read_fields(const gy_reduction *r, gy_who who, const gy_field *fields, uint32_t count,
                        uint64_t *set)
{
    cell_reader c = {r, who, set};
    gy_visit_fields(&(gy_visitor){.user = &c, .expr = read_cell}, fields, count);
}

void gy_read_cells(const gy_reduction *r, gy_who who, const gy_expr *expr, uint64_t *set)
{
    cell_reader c = {r, who, set};
    gy_visit_expr(&(gy_visitor){.user = &c, .expr = read_cell}, expr);
}

// A conjunct that holds when the edge goes: what can make it false?
static void read_conjunct(void *user, const gy_expr *expr)
{
    cell_reader *c = user;
    bool by_receive = expr->op == GY_E_NEMPTY || expr->op == GY_E_FULL || expr->op == GY_E_POLL;
    bool by_send = expr->op == GY_E_EMPTY || expr->op == GY_E_NFULL;
    if (expr->op == GY_E_TIMEOUT)
        return;
    if (!by_receive && !by_send) {
        gy_read_cells(c->r, c->who, expr, c->set);
        return;
    }
    gy_channel_cells(c->r, gy_channel_used(c->r, c->who, expr->a), by_receive, by_send, c->set);
    gy_read_cells(c->r, c->who, expr->a, c->set);
    read_fields(c->r, c->who, expr->args, expr->arg_count, c->set);
}

// ---- trace assertions ---------------------------------------------------------------

// May a send (or receive) on the channel be an event of this edge? A rendezvous is both.
static bool may_be_event(const gy_reduction *r, gy_channel_use use, bool sends, const gy_edge *edge)
{
    int32_t id;
    if (edge->sync == GY_SYNC_NONE || (!use.may_meet && (edge->sync == GY_SYNC_SEND) != sends))
        return false;
    if (!gy_known_value(r, GY_ANYONE, edge->chan, &id) || id < 1 || (uint32_t)id > r->static_count)
        return true;
    return use.id ? use.id == id : !use.is_new;
}

// A channel operation moves the trace automaton only if it is one of its events. Which that are may
// depend on variables that hold channels.
static void move_trace(const gy_reduction *r, gy_channel_use use, bool sends, gy_footprint to)
{
    const gy_template *tmpl =
        r->model->trace == GY_NONE ? NULL : &r->model->templates[r->model->trace];
    for (int32_t k = 0; tmpl && k < tmpl->edge_count; k++) {
        const gy_edge *edge = &r->model->edges[tmpl->first_edge + k];
        if (edge->sync != GY_SYNC_NONE)
            gy_read_cells(r, GY_ANYONE, edge->chan, to.reads);
        if (may_be_event(r, use, sends, edge)) {
            gy_bits_add(to.writes, r->trace_cell);
            read_fields(r, GY_ANYONE, edge->fields, edge->field_count, to.reads);
        }
    }
}

// ---- effects ------------------------------------------------------------------------

static void write_fields(const gy_reduction *r, gy_who who, const gy_field *fields, uint32_t count,
                         gy_footprint to)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_STORE)
            write_variable(r, who, fields[f].var, fields[f].index, to);
}

static void visit_program(const gy_reduction *r, gy_who who, const gy_program *program,
                          gy_footprint to);

// Processes and channels are numbered in the order of their creation.
static void start_process(const gy_reduction *r, int32_t tmpl, gy_footprint to)
{
    gy_bits_add(to.reads, r->system_cell);
    gy_bits_add(to.writes, r->system_cell);
    if (tmpl == GY_NONE)
        return;
    const gy_template *t = &r->model->templates[tmpl];
    if (r->may_post[tmpl][t->initial])
        gy_bits_add(to.marks, r->post_cell);
    if (gy_reads_last(r, tmpl, t->initial))
        gy_bits_add(to.reads, r->step_cell);
    mark_claims(r, GY_ANYONE, tmpl, to);
    visit_program(r, GY_ANYONE, t->init, to);
}

typedef struct action_reader {
    cell_reader reads;
    gy_footprint to;
} action_reader;

static gy_visit_next read_in_action(void *user, const gy_expr *expr)
{
    action_reader *a = user;
    return read_cell(&a->reads, expr);
}

static void write_in_action(void *user, int32_t var, const gy_expr *index)
{
    action_reader *a = user;
    write_variable(a->reads.r, a->reads.who, var, index, a->to);
}

static void visit_action(const gy_reduction *r, gy_who who, const gy_action *action,
                         gy_footprint to)
{
    action_reader a = {{r, who, to.reads}, to};
    gy_visit_action(&(gy_visitor){.user = &a, .expr = read_in_action, .store = write_in_action},
                    action);
    if (action->kind == GY_A_SEND || action->kind == GY_A_RECV) {
        both_ends(r, who, action->chan, to.writes);
        move_trace(r, gy_channel_used(r, who, action->chan), action->kind == GY_A_SEND, to);
    }
    if (action->kind == GY_A_RUN || action->kind == GY_A_NEW_CHANNEL)
        start_process(r, action->kind == GY_A_RUN ? action->tmpl : GY_NONE, to);
}

static void note_stored(gy_who who, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; who.now && f < count; f++)
        if (fields[f].kind == GY_FIELD_STORE && fields[f].var != GY_NONE)
            who.now->written[fields[f].var] = 1;
}

static void note_written(gy_who who, const gy_action *action)
{
    note_stored(who, action->fields, action->field_count);
    if (gy_action_has_result(action))
        who.now->written[action->var] = 1;
}

static bool jumps_back(const gy_action *action, uint32_t at)
{
    bool back = action->kind == GY_A_JUMP && action->target <= at;
    for (uint32_t i = 0; action->kind == GY_A_SELECT && i < action->option_count; i++)
        back |= action->options[i].target <= at;
    return back;
}

// In a given state, a variable has its value until an action stores into it. Unless actions may
// be repeated, that is one before it in the text.
static void visit_program(const gy_reduction *r, gy_who who, const gy_program *program,
                          gy_footprint to)
{
    uint32_t count = program ? program->count : 0;
    bool repeats = false;
    for (uint32_t i = 0; who.now && i < count; i++)
        repeats |= jumps_back(&program->actions[i], i);
    for (uint32_t i = 0; repeats && i < count; i++)
        note_written(who, &program->actions[i]);
    for (uint32_t i = 0; i < count; i++) {
        note_stored(who, program->actions[i].fields, program->actions[i].field_count);
        visit_action(r, who, &program->actions[i], to);
        if (who.now)
            note_written(who, &program->actions[i]);
    }
}

// The youngest process goes: run and _nr_pr see it, and the channels that it made die. (Should
// channels be made at other times, it may take any that is younger.)
static void end_process(const gy_reduction *r, gy_who who, int32_t tmpl, gy_footprint to)
{
    const gy_template *t = &r->model->templates[tmpl];
    gy_bits_add(to.marks, r->system_cell);
    mark_claims(r, who, tmpl, to);
    for (uint32_t id = r->static_count + 1; r->made_at_large && id <= r->channels + 1; id++)
        end_cells(r, id, true, true, to.writes);
    for (int32_t v = t->first_var; v < t->first_var + t->var_count; v++) {
        gy_expr var = {.op = GY_E_VAR, .var = v};
        if (r->own_type[v] != GY_NONE)
            gy_channel_cells(r, gy_channel_used(r, who, &var), true, true, to.writes);
    }
}

static void move_control(const gy_reduction *r, const gy_edge *edge, gy_footprint to)
{
    const uint8_t *watched = r->watched[edge->tmpl], *post = r->may_post[edge->tmpl];
    bool seen = watched[edge->from] || (edge->to != GY_NONE && watched[edge->to]);
    bool posts = post[edge->from] || (edge->to != GY_NONE && post[edge->to]);
    if (seen && edge->to != edge->from)
        gy_bits_add(to.marks, r->control_cell[edge->tmpl]);
    if (r->step_cell != GY_NO_CELL)
        gy_bits_add(to.marks, r->step_cell);
    if (gy_reads_last(r, edge->tmpl, edge->from) || gy_reads_last(r, edge->tmpl, edge->to))
        gy_bits_add(to.reads, r->step_cell);
    if (posts)
        gy_bits_add(to.marks, r->post_cell);
}

static void visit_effect(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to)
{
    visit_program(r, who, edge->effect, to);
    if (edge->kind == GY_EDGE_END)
        end_process(r, who, edge->tmpl, to);
    move_control(r, edge, to);
}

// ---- sending and receiving ----------------------------------------------------------

void gy_match_cells(const gy_reduction *r, gy_who who, const gy_edge *edge, uint64_t *set)
{
    if (edge->sync == GY_SYNC_NONE)
        return;
    gy_read_cells(r, who, edge->chan, set);
    read_fields(r, who, edge->fields, edge->field_count, set);
}

static void synchronise(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to,
                        bool inner)
{
    if (edge->sync == GY_SYNC_NONE)
        return;
    bool sends = edge->sync == GY_SYNC_SEND;
    gy_channel_use use = gy_channel_used(r, who, edge->chan);
    note_stored(who, edge->fields, edge->field_count);
    gy_match_cells(r, who, edge, to.reads);
    write_fields(r, who, edge->fields, edge->field_count, to);
    move_trace(r, use, sends, to);
    if (use.may_meet)
        gy_channel_cells(r, use, !sends, sends, to.marks);
    if (use.may_buffer) {
        // A sorted send may put its message first; to a full lossy channel it sends nothing.
        bool both = inner || (sends && (edge->sorted || r->lossy));
        uint64_t *set = edge->keep && !both ? to.reads : to.writes;
        gy_channel_cells(r, use, !sends || both, sends || both, set);
    }
    if (inner && sends && use.may_meet) {
        // The partner, if there is one, moves too, and goes on if it is in an atomic sequence.
        gy_channel_cells(r, use, true, false, to.reads);
        gy_bits_add(to.reads, r->post_cell);
        gy_footprint_add(r, to, r->meeting);
    }
}

// ---- guards -------------------------------------------------------------------------

// All on which it depends whether the edge can fire.
static void read_test(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to)
{
    gy_read_cells(r, who, edge->guard, to.reads);
    if (edge->sync == GY_SYNC_NONE)
        return;
    gy_channel_use use = gy_channel_used(r, who, edge->chan);
    gy_match_cells(r, who, edge, to.reads);
    gy_channel_cells(r, use, true, true, to.reads);
    if (edge->sync == GY_SYNC_SEND && use.may_meet) {
        gy_bits_add(to.reads, r->post_cell);
        for (uint32_t w = 0; w < r->words; w++)
            to.reads[w] |= r->meeting.reads[w];
    }
}

// Edges that read their neighbours: else, what must be alone, and everything next to an escape.
static void read_neighbours(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to)
{
    const gy_node *node = &r->model->templates[edge->tmpl].nodes[edge->from];
    bool looks = edge->kind == GY_EDGE_ELSE || edge->alone;
    for (int32_t k = 0; k < node->edge_count; k++)
        looks |= r->model->edges[node->first_edge + k].escape > 0;
    for (int32_t k = 0; looks && k < node->edge_count; k++)
        read_test(r, who, &r->model->edges[node->first_edge + k], to);
}

void gy_footprint_first(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to)
{
    cell_reader reader = {r, who, to.reads};
    gy_read_cells(r, who, r->model->templates[edge->tmpl].provided, to.reads);
    gy_conjunct_each(edge->guard, read_conjunct, &reader);
    read_neighbours(r, who, edge, to);
    synchronise(r, who, edge, to, false);
    visit_effect(r, who, edge, to);
}

void gy_footprint_test(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to)
{
    gy_read_cells(r, who, r->model->templates[edge->tmpl].provided, to.reads);
    read_test(r, who, edge, to);
    read_neighbours(r, who, edge, to);
}

void gy_footprint_inner(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to)
{
    gy_read_cells(r, who, r->model->templates[edge->tmpl].provided, to.reads);
    read_test(r, who, edge, to);
    read_neighbours(r, who, edge, to);
    synchronise(r, who, edge, to, true);
    visit_effect(r, who, edge, to);
}

// ---- atomic sequences ---------------------------------------------------------------

static bool goes_on(const gy_edge *edge)
{
    return edge->keeps_atomic && edge->to != GY_NONE;
}

// By node that an atomic sequence may pass: all that it may go on to do from there. One fixed point
// for the template; in the order of the text, backwards, it is reached in a few rounds.
static gy_footprint *find_sequences(const gy_reduction *r, gy_who who, const gy_template *tmpl,
                                    gy_arena *scratch)
{
    gy_footprint *from = GY_NEW_ARRAY(scratch, gy_footprint, tmpl->node_count + 1);
    const gy_edge *edges = r->model->edges + tmpl->first_edge;
    bool grew = true;
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (goes_on(&edges[k]) && !from[edges[k].to].reads)
            from[edges[k].to] = gy_footprint_new(r, scratch);
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (from[edges[k].from].reads)
            gy_footprint_inner(r, who, &edges[k], from[edges[k].from]);
    while (grew) {
        grew = false;
        for (int32_t k = tmpl->edge_count - 1; k >= 0; k--)
            if (goes_on(&edges[k]) && from[edges[k].from].reads)
                grew |= grow(r, from[edges[k].from], from[edges[k].to]);
    }
    return from;
}

void gy_footprint_chains(const gy_reduction *r, gy_who who, int32_t template, gy_footprint *chains,
                         gy_footprint *rests)
{
    const gy_template *tmpl = &r->model->templates[template];
    gy_arena *scratch = gy_arena_new();
    gy_footprint *from = find_sequences(r, who, tmpl, scratch);
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &r->model->edges[tmpl->first_edge + k];
        gy_footprint_first(r, who, edge, chains[k]);
        if (goes_on(edge))
            gy_footprint_add(r, rests[k], from[edge->to]);
        gy_footprint_add(r, chains[k], rests[k]);
    }
    gy_arena_free(scratch);
}

// ---- what is the same for all -------------------------------------------------------

static bool may_receive_from_partner(const gy_reduction *r, const gy_edge *edge)
{
    return edge->sync == GY_SYNC_RECV && gy_channel_used(r, GY_ANYONE, edge->chan).may_meet;
}

static void find_posts(gy_reduction *r)
{
    const gy_model *model = r->model;
    r->may_post = GY_NEW_ARRAY(r->arena, uint8_t *, model->template_count + 1);
    for (uint32_t i = 0; i < model->template_count; i++) {
        const gy_template *tmpl = &model->templates[i];
        r->may_post[i] = GY_NEW_ARRAY(r->arena, uint8_t, tmpl->node_count + 1);
        for (int32_t k = 0; k < tmpl->edge_count; k++) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + k];
            r->may_post[i][edge->from] |= may_receive_from_partner(r, edge);
        }
    }
}

// While this is filled in, inner sends already add it: any order ends with the same union,
// since all that a partner's partner may do is in it as well.
static void find_meeting_in(gy_reduction *r, const gy_template *tmpl)
{
    gy_arena *scratch = gy_arena_new();
    gy_footprint *from = find_sequences(r, GY_ANYONE, tmpl, scratch);
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &r->model->edges[tmpl->first_edge + k];
        if (!may_receive_from_partner(r, edge))
            continue;
        gy_footprint_inner(r, GY_ANYONE, edge, r->meeting);
        if (goes_on(edge))
            gy_footprint_add(r, r->meeting, from[edge->to]);
    }
    gy_arena_free(scratch);
}

static void find_meeting(gy_reduction *r)
{
    r->meeting = gy_footprint_new(r, r->arena);
    for (unsigned pass = 0; pass < 2 && r->some_rendezvous; pass++)
        for (uint32_t i = 0; i < r->model->template_count; i++)
            if (gy_is_process(&r->model->templates[i]))
                find_meeting_in(r, &r->model->templates[i]);
}

static bool add_started(const gy_reduction *r, uint32_t tmpl)
{
    const gy_model *model = r->model;
    bool grew = false;
    for (int32_t k = 0; k < model->templates[tmpl].edge_count; k++) {
        const gy_program *effect = model->edges[model->templates[tmpl].first_edge + k].effect;
        for (uint32_t i = 0; effect && i < effect->count; i++)
            if (effect->actions[i].kind == GY_A_RUN)
                grew |= grow(r, r->life[tmpl], r->life[effect->actions[i].tmpl]);
    }
    return grew;
}

static void find_lives(gy_reduction *r)
{
    const gy_model *model = r->model;
    bool grew = true;
    r->life = GY_NEW_ARRAY(r->arena, gy_footprint, model->template_count + 1);
    for (uint32_t i = 0; i < model->template_count; i++) {
        const gy_template *tmpl = &model->templates[i];
        r->life[i] = gy_footprint_new(r, r->arena);
        for (int32_t k = 0; gy_is_process(tmpl) && k < tmpl->edge_count; k++)
            gy_footprint_inner(r, GY_ANYONE, &model->edges[tmpl->first_edge + k], r->life[i]);
    }
    while (grew) {
        grew = false;
        for (uint32_t i = 0; i < model->template_count; i++)
            if (gy_is_process(&model->templates[i]))
                grew |= add_started(r, i);
    }
}

void gy_footprints_init(gy_reduction *r)
{
    find_posts(r);
    find_meeting(r);
    find_lives(r);
    gy_relevance_init(r);
}
