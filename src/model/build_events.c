// Steps of several processes, made of what every backend knows: rendezvous inside an atomic
// sequence. For each choice of one edge per party there is a chain. The first party's edge asks for
// everybody's location and guard and sends the number of the choice to the second party, who goes
// on alone: it runs its effect and sends to the third, and so on. Nothing in between is a state of
// the system, and nothing on the way can fail to be possible, since no other process moves and the
// guards were all asked for at the beginning.
#include "model/build_internal.h"

#include "model/visit.h"

enum { MOST_CHOICES = 10000 };

typedef GY_VEC(built_edge *) edge_list;

int32_t gy_build_event(gy_builder *b, const char *name, const int32_t *pids, uint32_t count)
{
    gy_arena *arena = b->model->arena;
    built_event *event = GY_NEW(arena, built_event);
    *event = (built_event){.name = gy_arena_strdup(arena, name), .count = count};
    event->pids = GY_NEW_ARRAY(arena, int32_t, count + 1);
    event->channels = GY_NEW_ARRAY(arena, int32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        event->pids[i] = pids[i];
    gy_type number = gy_type_of(GY_INT);
    for (uint32_t i = 0; i + 1 < count; i++)
        event->channels[i] =
            gy_build_channel(b, name, gy_build_channel_type(b, GY_NONE, name, 0, &number, 1));
    gy_vec_push(&b->events, event);
    return (int32_t)b->events.n - 1;
}

gy_edge *gy_build_takes_part(gy_edge *edge, int32_t event)
{
    ((built_edge *)edge)->event = event;
    return edge;
}

static int32_t template_of(const gy_builder *b, int32_t pid)
{
    return b->started.at[pid];
}

// The edges that one of the parties may take in an event.
static edge_list edges_of(const gy_builder *b, int32_t event, int32_t tmpl)
{
    edge_list edges = {0};
    for (size_t e = 0; e < b->edges.n; e++)
        if (b->edges.at[e]->event == event && b->edges.at[e]->edge.tmpl == tmpl)
            gy_vec_push(&edges, b->edges.at[e]);
    return edges;
}

// In how many ways can it happen? At most a few more than MOST_CHOICES.
static uint64_t choices_of(const gy_builder *b, int32_t event)
{
    const built_event *made = b->events.at[event];
    uint64_t choices = 1;
    for (uint32_t i = 0; i < made->count && choices <= MOST_CHOICES; i++) {
        edge_list edges = edges_of(b, event, template_of(b, made->pids[i]));
        choices *= edges.n;
        gy_vec_free(&edges);
    }
    return choices;
}

// ---- what cannot be -----------------------------------------------------------------------------

// Guards are asked for by another process.
static gy_visit_next stop_at_own(void *user, const gy_expr *expr)
{
    (void)user;
    switch (expr->op) {
    case GY_E_POLL:
    case GY_E_EXCLUSIVE:
    case GY_E_PRIORITY:
    case GY_E_ENABLED:
    case GY_E_TIMEOUT:
    case GY_E_C:
        return GY_VISIT_STOP;
    default:
        return GY_VISIT_PARTS;
    }
}

static const char *edge_wrong(const gy_builder *b, const built_edge *built)
{
    const gy_edge *edge = &built->edge;
    const gy_template *tmpl = &b->templates.at[edge->tmpl]->tmpl;
    if (built->event < 0 || (size_t)built->event >= b->events.n)
        return "an edge takes part in an event that there is not";
    if (edge->kind != GY_EDGE_NORMAL || edge->sync != GY_SYNC_NONE || edge->escape ||
        edge->keeps_atomic || edge->is_d_step || edge->fair_action)
        return "an edge that takes part in an event is plain but for guard and effect";
    if (tmpl->provided)
        return "a process with a provided clause takes part in an event";
    if (gy_visit_expr(&(gy_visitor){.expr = stop_at_own}, edge->guard))
        return "the guard of an edge that takes part in an event asks what only its process can";
    for (size_t e = 0; e < b->edges.n; e++) {
        const gy_edge *other = &b->edges.at[e]->edge;
        if (other->tmpl == edge->tmpl && other->from == edge->from &&
            (other->kind == GY_EDGE_ELSE || other->escape))
            return "an `else` or an escape stands beside an event";
    }
    return NULL;
}

static const char *event_wrong(const gy_builder *b, int32_t event)
{
    const built_event *made = b->events.at[event];
    if (made->count < 2)
        return "an event has less than two parties";
    for (uint32_t i = 0; i < made->count; i++) {
        if (made->pids[i] < 0 || (size_t)made->pids[i] >= b->started.n)
            return "a party of an event is no process of the start";
        for (uint32_t k = 0; k < i; k++)
            if (made->pids[k] == made->pids[i])
                return "a process is twice a party of an event";
    }
    return choices_of(b, event) > MOST_CHOICES ? "an event can happen in too many ways" : NULL;
}

// Committed nodes would have to be told apart from those in the middle of a chain.
static bool commits(const gy_builder *b)
{
    for (size_t t = 0; t < b->templates.n; t++)
        for (size_t n = 0; n < b->templates.at[t]->nodes.n; n++)
            if (b->templates.at[t]->nodes.at[n].flags & GY_NODE_COMMITTED)
                return true;
    return false;
}

const char *gy_build_events_wrong(const gy_builder *b)
{
    const char *wrong = NULL;
    if (b->events.n && (commits(b) || b->model->uses_priority))
        return "a model with events has committed nodes or priorities";
    for (size_t e = 0; e < b->events.n && !wrong; e++)
        wrong = event_wrong(b, (int32_t)e);
    for (size_t e = 0; e < b->edges.n && !wrong; e++)
        if (b->edges.at[e]->event != GY_NONE)
            wrong = edge_wrong(b, b->edges.at[e]);
    return wrong;
}

// ---- what is asked
// --------------------------------------------------------------------------------

static gy_expr *both(gy_builder *b, gy_expr *left, gy_expr *right)
{
    return !left || !right ? (left ? left : right) : gy_build_binary(b, GY_E_AND, left, right);
}

// The expression as another process has to put it: of the variables of process `pid`.
static gy_expr *from_outside(gy_builder *b, const gy_expr *expr, int32_t pid)
{
    if (!expr)
        return NULL;
    gy_expr *copy = GY_NEW(b->model->arena, gy_expr);
    *copy = *expr;
    copy->a = from_outside(b, expr->a, pid);
    copy->b = from_outside(b, expr->b, pid);
    copy->c = from_outside(b, expr->c, pid);
    if (expr->op == GY_E_PID) {
        *copy = *gy_build_const(b, pid);
        copy->place = expr->place;
    } else if (expr->op == GY_E_VAR && gy_built_variable(b, expr->var)->owner != GY_NONE) {
        copy->op = GY_E_REMOTE_VAR;
        copy->tmpl = gy_built_variable(b, expr->var)->owner;
        copy->b = copy->a; // the index
        copy->a = gy_build_const(b, pid);
    }
    return copy;
}

// Only this one of the processes of a template; NULL if it is the only one.
static gy_expr *is_process(gy_builder *b, int32_t pid)
{
    if (gy_built_template(b, template_of(b, pid))->active == 1)
        return NULL;
    return gy_build_binary(b, GY_E_EQ, gy_build_expr(b, GY_E_PID), gy_build_const(b, pid));
}

// ---- a chain
// --------------------------------------------------------------------------------------

static gy_edge *link_edge(gy_builder *b, const gy_edge *of, int32_t from, int32_t to)
{
    gy_edge *edge = gy_build_edge(b, of->tmpl, from, to);
    edge->place = of->place;
    edge->text = of->text;
    return edge;
}

static void sends(gy_builder *b, gy_edge *edge, int32_t channel, int32_t number)
{
    gy_field *field = gy_build_fields(b, 1);
    field->kind = GY_FIELD_VALUE;
    field->expr = gy_build_const(b, number);
    gy_build_send(b, edge, gy_build_read(b, channel, NULL), field, 1);
}

static void receives(gy_builder *b, gy_edge *edge, int32_t channel, int32_t number)
{
    gy_field *field = gy_build_fields(b, 1);
    field->kind = GY_FIELD_MATCH;
    field->expr = gy_build_const(b, number);
    gy_build_receive(b, edge, gy_build_read(b, channel, NULL), field, 1);
}

static void copy_effect(gy_edge *to, const built_edge *from)
{
    gy_action_list *effect = gy_built_effect(to);
    for (size_t i = 0; i < from->actions.n; i++)
        gy_vec_push(effect, from->actions.at[i]);
}

static void begin_chain(gy_builder *b, const built_event *event, built_edge *const *chosen,
                        int32_t number)
{
    const gy_edge *own = &chosen[0]->edge;
    gy_edge *edge = link_edge(b, own, own->from, own->to);
    edge->guard = both(b, is_process(b, event->pids[0]), own->guard);
    for (uint32_t i = 1; i < event->count; i++) {
        const gy_edge *other = &chosen[i]->edge;
        gy_expr *there =
            gy_build_at(b, other->tmpl, gy_build_const(b, event->pids[i]), other->from);
        edge->guard = both(b, edge->guard, there);
        edge->guard = both(b, edge->guard, from_outside(b, other->guard, event->pids[i]));
    }
    sends(b, edge, event->channels[0], number);
    copy_effect(edge, chosen[0]);
}

// Party i, from the second on: receives, runs its effect, sends on if there is one left.
static void go_on(gy_builder *b, const built_event *event, uint32_t i, const built_edge *chosen,
                  int32_t number)
{
    const gy_edge *own = &chosen->edge;
    bool last = i + 1 == event->count;
    int32_t heard = gy_build_node(b, own->tmpl, NULL);
    int32_t done = last ? own->to : gy_build_node(b, own->tmpl, NULL);
    gy_edge *edge = link_edge(b, own, own->from, heard);
    edge->guard = is_process(b, event->pids[i]);
    edge->keeps_atomic = true;
    receives(b, edge, event->channels[i - 1], number);
    edge = link_edge(b, own, heard, done);
    edge->keeps_atomic = !last;
    copy_effect(edge, chosen);
    if (!last)
        sends(b, link_edge(b, own, done, own->to), event->channels[i], number);
}

static void expand(gy_builder *b, int32_t number)
{
    const built_event *event = b->events.at[number];
    uint64_t choices = choices_of(b, number);
    edge_list *edges = gy_alloc_zero(event->count * sizeof *edges);
    built_edge **chosen = gy_alloc_zero(event->count * sizeof *chosen);
    for (uint32_t i = 0; i < event->count; i++)
        edges[i] = edges_of(b, number, template_of(b, event->pids[i]));
    for (uint64_t n = 0; n < choices; n++) {
        uint64_t left = n;
        for (uint32_t i = event->count; i-- > 0; left /= edges[i].n)
            chosen[i] = edges[i].at[left % edges[i].n];
        begin_chain(b, event, chosen, (int32_t)n);
        for (uint32_t i = 1; i < event->count; i++)
            go_on(b, event, i, chosen[i], (int32_t)n);
    }
    for (uint32_t i = 0; i < event->count; i++)
        gy_vec_free(&edges[i]);
    free(edges);
    free(chosen);
}

void gy_build_expand_events(gy_builder *b)
{
    for (size_t e = 0; e < b->events.n; e++)
        expand(b, (int32_t)e);
    size_t kept = 0;
    for (size_t e = 0; e < b->edges.n; e++) {
        if (b->edges.at[e]->event != GY_NONE)
            gy_vec_free(&b->edges.at[e]->actions);
        else
            b->edges.at[kept++] = b->edges.at[e];
    }
    b->edges.n = kept;
}
