// Channels: messages are sent, received and reported.
#include "spin/simulate/sim.h"

enum { MOST_QUEUES = 2500 };

static void flatten_type(pml_sim *sim, const pml_type *type, uint32_t times, sim_queue *queue)
{
    for (uint32_t t = 0; t < times; t++) {
        if (type->kind == PML_TY_STRUCT) {
            for (uint32_t m = 0; m < type->record->member_count; m++)
                flatten_type(sim, &type->record->members[m]->type, type->record->members[m]->count,
                             queue);
            continue;
        }
        queue->types =
            gy_arena_grow(sim->arena, (void *)queue->types, queue->fields * sizeof *queue->types,
                          (queue->fields + 1) * sizeof *queue->types);
        queue->types[queue->fields++] = type;
    }
}

int sim_queue_new(pml_sim *sim, const pml_chan_init *chan)
{
    if (sim->queues.n >= MOST_QUEUES)
        sim_fatal(sim, "too many queues (%s)", "2500 max");
    sim_queue *queue = GY_NEW(sim->arena, sim_queue);
    queue->slots = chan->capacity;
    for (uint32_t i = 0; i < chan->field_count; i++)
        flatten_type(sim, &chan->fields[i], 1, queue);
    size_t room = (size_t)(chan->capacity > 0 ? chan->capacity : 1);
    queue->contents = GY_NEW_ARRAY(sim->arena, int32_t, room * queue->fields + 1);
    queue->step_of = GY_NEW_ARRAY(sim->arena, long, room + 1);
    gy_vec_push(&sim->queues, queue);
    queue->id = (int)sim->queues.n;
    queue->set_at = sim->depth;
    return queue->id;
}

static sim_queue *queue_numbered(const pml_sim *sim, int32_t id)
{
    return id > 0 && (size_t)id <= sim->queues.n ? sim->queues.at[id - 1] : NULL;
}

sim_queue *sim_queue_of(pml_sim *sim, const pml_ref *channel)
{
    return queue_numbered(sim, sim_get(sim, channel));
}

bool sim_is_sync(pml_sim *sim, const pml_ref *channel)
{
    const sim_queue *queue = sim_queue_of(sim, channel);
    return queue && queue->slots == 0;
}

bool sim_is_full(pml_sim *sim, const pml_ref *channel)
{
    const sim_queue *queue = sim_queue_of(sim, channel);
    return !sim->options.lossy && queue && (int32_t)queue->length >= queue->slots;
}

// ---- fields -------------------------------------------------------------------------------

static void add_leaves(const pml_type *type, uint32_t times, int32_t **cell, sim_var *var,
                       sim_fields *fields)
{
    for (uint32_t t = 0; t < times; t++) {
        if (type->kind == PML_TY_STRUCT) {
            for (uint32_t m = 0; m < type->record->member_count; m++)
                add_leaves(&type->record->members[m]->type, type->record->members[m]->count, cell,
                           var, fields);
            continue;
        }
        sim_field field = {NULL, (*cell)++, var, type};
        gy_vec_push(fields, field);
    }
}

// The arguments of a statement; a structure stands for all its members.
static sim_fields fields_of(pml_sim *sim, pml_expr *const *args, uint32_t count)
{
    sim_fields fields = {0};
    for (uint32_t i = 0; i < count; i++) {
        const pml_ref *ref = &args[i]->ref;
        if (args[i]->kind == PML_X_VAR &&
            ref->parts[ref->part_count - 1].var->type.kind == PML_TY_STRUCT) {
            const pml_type *type;
            sim_var *var;
            int32_t *cell = sim_cell(sim, ref, &type, &var);
            if (cell)
                add_leaves(type, 1, &cell, var, &fields);
        } else {
            sim_field field = {.expr = args[i]};
            gy_vec_push(&fields, field);
        }
    }
    return fields;
}

static int32_t field_value(pml_sim *sim, const sim_field *field)
{
    return field->expr ? sim_eval(sim, field->expr) : sim_cast(sim, field->type, *field->cell);
}

static bool is_underscore(const sim_field *field)
{
    return field->expr && field->expr->kind == PML_X_VAR &&
           field->expr->ref.parts[0].var->builtin == PML_BI_UNDERSCORE;
}

// A value that a message must have, rather than a place for one.
static bool is_wanted(const sim_field *field)
{
    return field->expr && field->expr->kind != PML_X_VAR;
}

static void keep_field(pml_sim *sim, const sim_field *field, int32_t value)
{
    if (!field->expr)
        sim_set_cell(sim, field->cell, field->var, field->type, value);
    else if (!is_wanted(field))
        sim_set(sim, &field->expr->ref, value);
}

// ---- sending ------------------------------------------------------------------------------

static void talk_rest(pml_sim *sim, const sim_event *event, uint32_t from)
{
    for (uint32_t i = from; i < event->queue->fields; i++)
        sim_talk_field(sim, event, i, 0);
}

static uint32_t sorted_place(pml_sim *sim, sim_queue *queue, const sim_fields *fields)
{
    uint32_t i, n = queue->fields;
    for (i = 0; i < queue->length; i++) {
        bool before = false;
        for (uint32_t j = 0; j < n && j < fields->n; j++) {
            int32_t new = sim_cast(sim, queue->types[j], field_value(sim, &fields->at[j]));
            int32_t old = queue->contents[i * n + j];
            if (new != old) {
                before = new < old;
                break;
            }
        }
        if (before)
            break;
    }
    for (uint32_t m = queue->length; m > i; m--) {
        memcpy(&queue->contents[m * n], &queue->contents[(m - 1) * n], n * sizeof(int32_t));
        queue->step_of[m] = queue->step_of[m - 1];
    }
    return i;
}

static bool shows(const pml_sim *sim, unsigned what)
{
    return (sim->show & what) && sim->depth >= sim->options.skip;
}

static bool send_buffered(pml_sim *sim, sim_queue *queue, const pml_stmt *stmt)
{
    if ((int32_t)queue->length >= queue->slots)
        return sim->options.lossy;
    if (sim->test_only)
        return true;
    sim_event event = {&stmt->ref, stmt->place, "Send ", queue};
    sim_fields fields = fields_of(sim, stmt->args, stmt->arg_count);
    uint32_t at = stmt->sorted ? sorted_place(sim, queue, &fields) : queue->length, j;
    queue->step_of[at] = sim->depth;
    for (j = 0; j < fields.n && j < queue->fields; j++) {
        int32_t value = field_value(sim, &fields.at[j]);
        queue->contents[at * queue->fields + j] = sim_cast(sim, queue->types[j], value);
        if (shows(sim, PML_SHOW_SENDS))
            sim_talk_field(sim, &event, j, value);
    }
    if (shows(sim, PML_SHOW_SENDS)) {
        talk_rest(sim, &event, j);
        if (j < queue->fields)
            gy_text_printf(&sim->out, "%3ld: warning: missing params in send\n", sim->depth);
        if (j < fields.n)
            gy_text_printf(&sim->out, "%3ld: warning: too many params in send\n", sim->depth);
    }
    queue->length++;
    gy_vec_free(&fields);
    return true;
}

static void tell_rendezvous(pml_sim *sim, sim_queue *queue, const pml_stmt *stmt, sim_proc *sender)
{
    sim_proc *receiver = sim->x;
    sim_event sent = {&stmt->ref, stmt->place, "Sent ", queue};
    sim_fields fields;
    uint32_t j;
    sim->x = sender;
    fields = fields_of(sim, stmt->args, stmt->arg_count);
    for (j = 0; j < fields.n && j < queue->fields; j++)
        sim_talk_field(sim, &sent, j, field_value(sim, &fields.at[j]));
    talk_rest(sim, &sent, j);
    gy_vec_free(&fields);
    sim->x = receiver;
    if (sim->options.guided || !sim->rv_stmt)
        return;
    sim_event received = {&sim->rv_stmt->ref, sim->rv_stmt->place, "Recv ", sim->rv_queue};
    fields = fields_of(sim, sim->rv_stmt->args, sim->rv_stmt->arg_count);
    for (j = 0; j < fields.n && j < queue->fields; j++) {
        int32_t value = is_underscore(&fields.at[j]) ? 0 : field_value(sim, &fields.at[j]);
        if (sim->show & PML_SHOW_RECEIVES)
            sim_talk_field(sim, &received, j, value);
    }
    if (sim->show & PML_SHOW_RECEIVES)
        talk_rest(sim, &received, j);
    gy_vec_free(&fields);
    if (sim->options.columns == PML_CHART)
        sim_mark_arrow(sim, sim->depth, sim->depth);
}

static bool send_sync(pml_sim *sim, sim_queue *queue, const pml_stmt *stmt)
{
    sim_proc *sender = sim->x;
    sim_fields fields = fields_of(sim, stmt->args, stmt->arg_count);
    for (uint32_t j = 0; j < fields.n && j < queue->fields; j++)
        queue->contents[j] = sim_cast(sim, queue->types[j], field_value(sim, &fields.at[j]));
    gy_vec_free(&fields);
    queue->length = 1;
    if (!sim_rendezvous(sim)) {
        queue->length = 0;
        return false;
    }
    if (sim->test_only) {
        queue->length = 0;
        return true;
    }
    queue->step_of[0] = sim->depth;
    if (shows(sim, PML_SHOW_SENDS))
        tell_rendezvous(sim, queue, stmt, sender);
    sim->rv_stmt = NULL;
    sim->rv_queue = NULL;
    return true;
}

bool sim_send(pml_sim *sim, const pml_stmt *stmt)
{
    int32_t id = sim_get(sim, &stmt->ref);
    sim_queue *queue = queue_numbered(sim, id);
    if (id == 0)
        gy_text_add(&sim->out, "Error: sending to an uninitialized chan\n");
    if (!queue)
        return false;
    queue->set_at = sim->depth;
    return queue->slots > 0 ? send_buffered(sim, queue, stmt) : send_sync(sim, queue, stmt);
}

// ---- receiving ----------------------------------------------------------------------------

typedef struct request {
    const pml_ref *channel;
    gy_location place;
    sim_fields fields;
    bool random, keep, poll;
} request;

// The message that fits: the first, or any one. False: there is none.
static bool find_message(pml_sim *sim, const sim_queue *queue, const request *r, uint32_t *found)
{
    for (uint32_t i = 0; i < queue->length; i++) {
        bool fits = true;
        for (uint32_t j = 0; j < r->fields.n && j < queue->fields && fits; j++)
            if (is_wanted(&r->fields.at[j]))
                fits = queue->contents[i * queue->fields + j] == field_value(sim, &r->fields.at[j]);
        if (fits) {
            *found = i;
            return true;
        }
        if (!r->random)
            return false;
    }
    return false;
}

static void remove_field(sim_queue *queue, uint32_t i, uint32_t j)
{
    for (uint32_t k = i; k + 1 < queue->length; k++) {
        queue->contents[k * queue->fields + j] = queue->contents[(k + 1) * queue->fields + j];
        if (j == 0)
            queue->step_of[k] = queue->step_of[k + 1];
    }
}

static bool receive(pml_sim *sim, sim_queue *queue, request *r, const pml_stmt *stmt, bool full)
{
    uint32_t i, j;
    bool columns = sim->options.columns != PML_NO_COLUMNS, takes = full && !r->keep && !r->poll;
    if (queue->length == 0 || !find_message(sim, queue, r, &i))
        return false;
    if (sim->test_only)
        return true;
    if ((sim->show & PML_SHOW_RECEIVES) && r->fields.n != queue->fields)
        gy_text_printf(&sim->out, "%3ld: warning: %s params in next recv\n", sim->depth,
                       r->fields.n < queue->fields ? "missing" : "too many");
    if (sim->rendezvous) {
        sim->rv_stmt = stmt;
        sim->rv_queue = queue;
    }
    bool told = shows(sim, PML_SHOW_RECEIVES) && !sim->rendezvous && (!columns || full);
    long sent_at = queue->step_of[i];
    sim_event event = {r->channel, r->place, takes ? "Recv " : "[Recv] ", queue};
    for (j = 0; j < r->fields.n && j < queue->fields; j++) {
        int32_t value = queue->contents[i * queue->fields + j];
        if (told)
            sim_talk_field(sim, &event, j, value);
        if (!full)
            continue;
        keep_field(sim, &r->fields.at[j], value);
        if (takes)
            remove_field(queue, i, j);
    }
    if (told)
        talk_rest(sim, &event, j);
    if (sim->options.columns == PML_CHART && full && !sim->rendezvous &&
        sim->depth >= sim->options.skip)
        sim_mark_arrow(sim, sent_at, sim->depth);
    if (takes)
        queue->length--;
    return true;
}

static bool receive_from(pml_sim *sim, request *r, const pml_stmt *stmt, bool full)
{
    int32_t id = sim_get(sim, r->channel);
    sim_queue *queue = queue_numbered(sim, id);
    if (id == 0)
        gy_text_printf(&sim->out, "Error: receiving from an uninitialized chan %s\n",
                       r->channel->parts[0].var->name);
    if (!queue)
        return false;
    queue->set_at = sim->depth;
    return receive(sim, queue, r, stmt, full);
}

bool sim_receive(pml_sim *sim, const pml_stmt *stmt, bool full)
{
    request r = {.channel = &stmt->ref,
                 .place = stmt->place,
                 .fields = fields_of(sim, stmt->args, stmt->arg_count),
                 .random = stmt->random,
                 .keep = stmt->keep};
    bool received = receive_from(sim, &r, stmt, full);
    gy_vec_free(&r.fields);
    return received;
}

bool sim_poll(pml_sim *sim, const pml_expr *expr)
{
    request r = {.channel = &expr->ref,
                 .place = expr->place,
                 .fields = fields_of(sim, expr->args, expr->arg_count),
                 .random = expr->random,
                 .poll = true};
    bool found = receive_from(sim, &r, NULL, false);
    gy_vec_free(&r.fields);
    return found;
}
