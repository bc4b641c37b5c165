#include "dist/swarm/guide_graph.h"

#include "dist/swarm/guide_graph_parts.h"

#include "base/hash.h"
#include "exec/vm/inline_fields.h"
#include "search/run.h"

enum { MOST_SLOTS = 1000, MOST_FIRST_STEPS = 1000 };

// ---- states --------------------------------------------------------------------------------

static int32_t control_of(const gy_guide *guide, uint32_t i, const gy_word *block)
{
    uint8_t bits = guide->model->templates[guide->tmpl[i]].pc_bits;
    return bits ? (int32_t)(block[0] & (~0u >> (32 - bits))) : 0;
}

static bool is_alive(const gy_guide *guide, const gy_state_layout *layout, uint32_t i)
{
    return guide->pid[i] < layout->process_count &&
           layout->process[guide->pid[i]].tmpl == guide->tmpl[i];
}

void gy_guide_project(const gy_guide *guide, const gy_state_layout *layout, const gy_word *state,
                      int32_t *slots)
{
    const gy_model *model = guide->model;
    for (uint32_t i = 0; i < guide->slots.n; i++) {
        const gy_guide_slot *slot = &guide->slots.at[i];
        bool alive = slot->guide == GY_NONE || is_alive(guide, layout, (uint32_t)slot->guide);
        const gy_word *block = state;
        if (alive && slot->guide != GY_NONE)
            block += layout->process[guide->pid[slot->guide]].offset;
        slots[i] = !alive                 ? (slot->var == GY_NONE ? GY_GUIDE_GONE : 0)
                   : slot->var == GY_NONE ? control_of(guide, (uint32_t)slot->guide, block)
                                          : gy_get_var(block, &model->vars[slot->var], 0);
    }
}

static uint64_t hash_slots(const int32_t *slots, uint32_t count)
{
    return gy_hash_state((const uint32_t *)slots, count);
}

static uint32_t find_node(const gy_guide_graph *graph, const int32_t *slots)
{
    uint64_t hash = hash_slots(slots, graph->slot_count);
    for (gy_map_probe p = gy_map_first(&graph->index, hash); p.found;
         gy_map_next(&graph->index, &p))
        if (!graph->slot_count || // guides without variables have one node
            memcmp(graph->values.at + (size_t)p.number * graph->slot_count, slots,
                   graph->slot_count * sizeof *slots) == 0)
            return p.number;
    return UINT32_MAX;
}

uint32_t gy_guide_node(gy_guide_graph *graph, const int32_t *slots, bool *is_new)
{
    uint32_t node = find_node(graph, slots);
    *is_new = node == UINT32_MAX;
    if (!*is_new)
        return node;
    gy_vec_reserve(&graph->values, graph->values.n + graph->slot_count);
    if (graph->slot_count)
        memcpy(graph->values.at + graph->values.n, slots, graph->slot_count * sizeof *slots);
    graph->values.n += graph->slot_count;
    gy_map_add(&graph->index, hash_slots(slots, graph->slot_count), graph->node_count);
    return graph->node_count++;
}

uint32_t gy_guide_find(const gy_guide *guide, const gy_word *state, uint32_t words, uint32_t *rank)
{
    int32_t slots[MOST_SLOTS];
    *rank = 0;
    if (!guide->slots.n)
        return 0;
    const gy_state_layout *layout = gy_state_layout_find(guide->layouts, state, words);
    if (!layout)
        return GY_NO_PART;
    gy_guide_project(guide, layout, state, slots);
    uint32_t node = find_node(&guide->graph, slots);
    if (node == UINT32_MAX)
        return GY_NO_PART;
    *rank = guide->rank[node];
    return guide->part_of[node];
}

uint32_t gy_guide_ranks(const gy_guide *guide, uint32_t part)
{
    return guide->ranks[part];
}

uint64_t gy_guide_mask(const gy_guide *guide, const gy_word *state, uint32_t words)
{
    uint32_t shift = gy_written_shift(words);
    uint64_t mask = 1; // which processes there are
    if (!guide->slots.n)
        return 0;
    const gy_state_layout *layout = gy_state_layout_find(guide->layouts, state, words);
    if (!layout || layout->linked) // then word 0 does not say all
        return UINT64_MAX;
    for (uint32_t i = 0; i < guide->slots.n; i++) {
        const gy_guide_slot *slot = &guide->slots.at[i];
        uint32_t word = 0;
        if (slot->guide != GY_NONE) {
            if (!is_alive(guide, layout, (uint32_t)slot->guide))
                continue;
            word = layout->process[guide->pid[slot->guide]].offset;
        }
        if (slot->var != GY_NONE)
            word += guide->model->vars[slot->var].word + guide->model->vars[slot->var].shift / 32;
        mask |= 1ull << (word >> shift);
    }
    return mask;
}

// ---- the first steps -------------------------------------------------------------------------

typedef struct beginning {
    gy_word *state;
    uint32_t words, count;
    bool fault;
} beginning;

static int take_one(void *user, const gy_transition *transition)
{
    beginning *b = user;
    b->fault = b->fault || transition->fault;
    if (!transition->state || b->count++)
        return 0;
    b->words = transition->words;
    b->state = gy_realloc(b->state, transition->words * sizeof *b->state + 1);
    memcpy(b->state, transition->state, transition->words * sizeof *b->state);
    return 0;
}

typedef void see_state(void *user, const gy_word *state, uint32_t words);

// Shows the initial state and, as long as there is a single step, those after it. *only: there is
// one initial state; else just the first is shown.
static void walk_beginning(gy_run *run, see_state *see, void *user, bool *only)
{
    gy_worker *worker = gy_worker_new(run->system);
    beginning b = {0};
    gy_initial(worker, take_one, &b);
    *only = b.count == 1;
    for (uint32_t i = 0; b.state && i < MOST_FIRST_STEPS && !gy_run_tick(run); i++) {
        see(user, b.state, b.words);
        beginning next = {0};
        gy_successors(worker, b.state, b.words, take_one, &next);
        bool goes_on = *only && next.count == 1 && !next.fault;
        if (goes_on) {
            free(b.state);
            b = next;
        } else {
            free(next.state);
            break;
        }
    }
    free(b.state);
    gy_worker_free(worker);
}

typedef struct last_layout {
    gy_state_layouts *layouts;
    const gy_state_layout *layout;
} last_layout;

static void note_layout(void *user, const gy_word *state, uint32_t words)
{
    last_layout *last = user;
    last->layout = gy_state_layout_find(last->layouts, state, words);
}

static const gy_state_layout *first_layout(gy_run *run)
{
    bool lossy, only;
    last_layout last = {.layouts = gy_system_layouts(run->system, &lossy)};
    if (last.layouts)
        walk_beginning(run, note_layout, &last, &only);
    return last.layout;
}

gy_guide_process *gy_guide_processes(gy_run *run, uint32_t *count)
{
    const gy_model *model = run->system->model;
    const gy_state_layout *layout = model ? first_layout(run) : NULL;
    *count = layout ? layout->process_count : 0;
    gy_guide_process *list = gy_alloc_zero((*count + (size_t)1) * sizeof *list);
    for (uint32_t i = 0; i < *count; i++)
        list[i] = (gy_guide_process){i, model->templates[layout->process[i].tmpl].name};
    return list;
}

// ---- making one ------------------------------------------------------------------------------

static void clear_graph(gy_guide_graph *graph)
{
    gy_vec_free(&graph->values);
    gy_vec_free(&graph->from);
    gy_vec_free(&graph->to);
    gy_vec_free(&graph->roots);
    gy_map_free(&graph->index);
    *graph = (gy_guide_graph){0};
}

static void lay_slots(gy_guide *guide)
{
    const gy_model *model = guide->model;
    guide->slots.n = 0;
    for (uint32_t i = 0; i < guide->count; i++) {
        gy_vec_push(&guide->slots, ((gy_guide_slot){GY_NONE, (int32_t)i}));
        for (uint32_t v = 0; v < model->var_count; v++)
            if (guide->tracked[v] && model->vars[v].owner == guide->tmpl[i])
                gy_vec_push(&guide->slots, ((gy_guide_slot){(int32_t)v, (int32_t)i}));
    }
    for (uint32_t v = 0; v < model->var_count; v++)
        if (guide->tracked[v] && model->vars[v].owner == GY_NONE)
            gy_vec_push(&guide->slots, ((gy_guide_slot){(int32_t)v, GY_NONE}));
}

typedef struct chain {
    gy_guide *guide;
    uint32_t last;
} chain;

// The first steps are a chain of nodes.
static void add_link(void *user, const gy_word *state, uint32_t words)
{
    chain *c = user;
    gy_guide_graph *graph = &c->guide->graph;
    int32_t slots[MOST_SLOTS];
    bool is_new;
    gy_guide_project(c->guide, gy_state_layout_find(c->guide->layouts, state, words), state, slots);
    uint32_t node = gy_guide_node(graph, slots, &is_new);
    if (c->last == UINT32_MAX) {
        gy_vec_push(&graph->roots, node);
    } else if (node != c->last) {
        gy_vec_push(&graph->from, c->last);
        gy_vec_push(&graph->to, node);
    }
    c->last = node;
}

static int add_root(void *user, const gy_transition *transition)
{
    chain c = {user, UINT32_MAX};
    if (transition->state)
        add_link(&c, transition->state, transition->words);
    return 0;
}

static void add_roots(gy_guide *guide, gy_run *run)
{
    bool only;
    chain c = {guide, UINT32_MAX};
    clear_graph(&guide->graph);
    guide->graph.slot_count = (uint32_t)guide->slots.n;
    walk_beginning(run, add_link, &c, &only);
    if (!only) {
        gy_worker *worker = gy_worker_new(run->system);
        clear_graph(&guide->graph);
        guide->graph.slot_count = (uint32_t)guide->slots.n;
        gy_initial(worker, add_root, guide);
        gy_worker_free(worker);
    }
}

// The slot of a variable with the most values; its variable is not tracked any more. False: there
// is none.
static bool untrack_widest(gy_guide *guide)
{
    const gy_guide_graph *graph = &guide->graph;
    uint32_t widest = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < guide->slots.n; i++) {
        gy_map seen = {0};
        if (guide->slots.at[i].var == GY_NONE)
            continue;
        for (uint32_t node = 0; node < graph->node_count; node++) {
            uint32_t value = (uint32_t)graph->values.at[(size_t)node * graph->slot_count + i];
            gy_map_probe p = gy_map_first(&seen, value);
            while (p.found && p.number != (value & 0x7fffffff))
                gy_map_next(&seen, &p);
            if (!p.found)
                gy_map_add(&seen, value, value & 0x7fffffff);
        }
        if (seen.n > most) {
            most = seen.n;
            widest = i;
        }
        gy_map_free(&seen);
    }
    if (widest != UINT32_MAX)
        guide->tracked[guide->slots.at[widest].var] = 0;
    return widest != UINT32_MAX;
}

// A guide without processes: all states are one part.
static void make_single(gy_guide *guide)
{
    bool is_new;
    static const int32_t none[1];
    gy_guide_node(&guide->graph, none, &is_new);
    gy_vec_push(&guide->graph.roots, 0);
    gy_guide_condense(guide);
    guide->cyclic[0] = 1;
}

static bool explore(gy_guide *guide, gy_run *run, const gy_guide_options *options, gy_text *why)
{
    for (bool done = false; !done;) {
        bool untracked = false;
        lay_slots(guide);
        if (guide->slots.n > MOST_SLOTS) {
            memset(guide->tracked, 0, guide->model->var_count);
            continue;
        }
        add_roots(guide, run);
        if (run->stopped) {
            gy_text_add(why, "a limit was reached before their graph was complete");
            return false;
        }
        done = gy_guide_explore(guide, options->most_nodes, &untracked);
        if (!done && !untracked && !untrack_widest(guide)) {
            gy_text_printf(why, "their own graph has more than %u states", options->most_nodes);
            return false;
        }
    }
    return true;
}

static bool set_processes(gy_guide *guide, const gy_guide_options *options,
                          const gy_state_layout *layout, gy_text *why)
{
    if (options->count > GY_GUIDE_MOST) {
        gy_text_printf(why, "at most %d processes are supported", GY_GUIDE_MOST);
        return false;
    }
    for (uint32_t i = 0; i < options->count; i++) {
        uint32_t pid = options->pids[i];
        if (!layout || pid >= layout->process_count) {
            gy_text_printf(why, "process %u does not exist at the start", pid);
            return false;
        }
        guide->pid[i] = pid;
        guide->tmpl[i] = layout->process[pid].tmpl;
    }
    guide->count = options->count;
    return true;
}

gy_guide *gy_guide_new(gy_run *run, const gy_guide_options *options, gy_text *why)
{
    bool lossy;
    gy_guide *guide = gy_alloc_zero(sizeof *guide);
    guide->model = run->system->model;
    guide->layouts = guide->model ? gy_system_layouts(run->system, &lossy) : NULL;
    const gy_state_layout *layout = guide->layouts ? first_layout(run) : NULL;
    if (!set_processes(guide, options, layout, why)) {
        gy_guide_free(guide);
        return NULL;
    }
    if (!options->count) {
        make_single(guide);
        return guide;
    }
    guide->tracked = gy_alloc_zero(guide->model->var_count + (size_t)1);
    if (!options->control_only)
        gy_guide_track(guide, layout);
    if (!explore(guide, run, options, why)) {
        gy_guide_free(guide);
        return NULL;
    }
    gy_guide_condense(guide);
    return guide;
}

void gy_guide_free(gy_guide *guide)
{
    if (!guide)
        return;
    clear_graph(&guide->graph);
    gy_vec_free(&guide->slots);
    gy_vec_free(&guide->steps);
    gy_map_free(&guide->ways);
    free(guide->tracked);
    free(guide->part_of);
    free(guide->rank);
    free(guide->ranks);
    free(guide->sample);
    free(guide->level);
    free(guide->cyclic);
    free(guide->root);
    free(guide->first);
    free(guide->next);
    free(guide->way);
    free(guide->before);
    free(guide);
}

// ---- examining it -----------------------------------------------------------------------------

uint32_t gy_guide_parts(const gy_guide *guide)
{
    return guide->part_count;
}

uint32_t gy_guide_levels(const gy_guide *guide)
{
    return guide->level_count;
}

uint32_t gy_guide_level(const gy_guide *guide, uint32_t part)
{
    return guide->level[part];
}

const uint32_t *gy_guide_next(const gy_guide *guide, uint32_t part, uint32_t *count)
{
    *count = guide->first[part + 1] - guide->first[part];
    return guide->next + guide->first[part];
}

bool gy_guide_is_root(const gy_guide *guide, uint32_t part)
{
    return guide->root[part];
}

uint64_t gy_guide_print(const gy_guide *guide)
{
    const gy_guide_graph *graph = &guide->graph;
    uint64_t hash = gy_hash_bytes(guide->pid, guide->count * sizeof *guide->pid, guide->count);
    hash = gy_hash_bytes(graph->values.at, graph->values.n * sizeof *graph->values.at, hash);
    hash = gy_hash_bytes(guide->part_of, graph->node_count * sizeof *guide->part_of, hash);
    return gy_hash_bytes(guide->next, guide->first[guide->part_count] * sizeof *guide->next, hash);
}

void gy_guide_tell(const gy_guide *guide, gy_text *out)
{
    const char *between = " with ";
    if (!guide->count)
        gy_text_add(out, "no process");
    for (uint32_t i = 0; i < guide->count; i++)
        gy_text_printf(out, "%s%s(%u)", i ? ", " : "", guide->model->templates[guide->tmpl[i]].name,
                       guide->pid[i]);
    for (uint32_t v = 0; guide->tracked && v < guide->model->var_count; v++) {
        if (!guide->tracked[v])
            continue;
        gy_text_printf(out, "%s%s", between, guide->model->vars[v].name);
        between = ", ";
    }
}

void gy_guide_tell_part(const gy_guide *guide, uint32_t part, gy_text *out)
{
    if (!guide->count) {
        gy_text_add(out, "everywhere");
        return;
    }
    const int32_t *slots =
        guide->graph.values.at + (size_t)guide->sample[part] * guide->graph.slot_count;
    for (uint32_t i = 0; i < guide->slots.n; i++) {
        const gy_guide_slot *slot = &guide->slots.at[i];
        gy_text_add(out, i ? ", " : "");
        if (slot->var != GY_NONE) {
            gy_text_printf(out, "%s = %d", guide->model->vars[slot->var].name, slots[i]);
            continue;
        }
        const gy_template *tmpl = &guide->model->templates[guide->tmpl[slot->guide]];
        gy_text_printf(out, "%s(%u)", tmpl->name, guide->pid[slot->guide]);
        if (slots[i] == GY_GUIDE_GONE)
            gy_text_add(out, " not there");
        else
            gy_text_printf(out, " at %d", slots[i]);
    }
}

// ---- ways
// ----------------------------------------------------------------------------------------

// Breadth first, over rising edges: the first of the shortest ways.
static uint32_t find_way(gy_guide *guide, uint32_t from, uint32_t to)
{
    GY_VEC(uint32_t) queue = {0};
    uint32_t length = 0;
    if (!guide->before)
        guide->before = gy_alloc(guide->part_count * sizeof *guide->before);
    memset(guide->before, 0xff, guide->part_count * sizeof *guide->before);
    gy_vec_push(&queue, from);
    for (size_t i = 0; i < queue.n && guide->before[to] == UINT32_MAX; i++) {
        uint32_t count;
        const uint32_t *next = gy_guide_next(guide, queue.at[i], &count);
        for (uint32_t e = 0; e < count; e++) {
            if (next[e] > to || guide->before[next[e]] != UINT32_MAX)
                continue;
            guide->before[next[e]] = queue.at[i];
            gy_vec_push(&queue, next[e]);
        }
    }
    if (guide->before[to] != UINT32_MAX)
        for (uint32_t p = to; p != from; p = guide->before[p])
            length++;
    size_t at = guide->steps.n;
    gy_vec_reserve(&guide->steps, at + length);
    guide->steps.n += length;
    for (uint32_t p = to, i = length; i-- > 0; p = guide->before[p])
        guide->steps.at[at + i] = p;
    gy_vec_free(&queue);
    return length;
}

const uint32_t *gy_guide_path(gy_guide *guide, uint32_t from, uint32_t to, uint32_t *count)
{
    uint64_t hash = gy_hash_pair(from, to);
    for (gy_map_probe p = gy_map_first(&guide->ways, hash); p.found;
         gy_map_next(&guide->ways, &p)) {
        const struct gy_guide_path_row *row = &guide->way[p.number];
        if (row->from == from && row->to == to) {
            *count = row->count;
            return row->count ? guide->steps.at + row->at : NULL;
        }
    }
    uint32_t at = (uint32_t)guide->steps.n;
    *count = from < to ? find_way(guide, from, to) : 0;
    if (guide->way_count == guide->way_room) {
        guide->way_room = guide->way_room ? 2 * guide->way_room : 64;
        guide->way = gy_realloc(guide->way, guide->way_room * sizeof *guide->way);
    }
    guide->way[guide->way_count] = (struct gy_guide_path_row){from, to, at, *count};
    gy_map_add(&guide->ways, hash, (uint32_t)guide->way_count++);
    return *count ? guide->steps.at + at : NULL;
}
