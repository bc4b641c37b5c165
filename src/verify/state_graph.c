#include "verify/state_graph.h"

#include "base/hash.h"
#include "verify/explain/explain.h"

#include <string.h>

// A state, and the process that must go on alone from there.
struct gy_graph_key {
    gy_word *state;
    uint32_t words;
    int32_t exclusive;
};

static uint64_t hash_of(const gy_word *state, uint32_t words, int32_t exclusive)
{
    return gy_hash_bytes(state, words * sizeof *state, (uint64_t)(uint32_t)exclusive);
}

static bool find(const gy_graph_maker *maker, const gy_word *state, uint32_t words,
                 int32_t exclusive, uint32_t *number)
{
    uint64_t hash = hash_of(state, words, exclusive);
    for (gy_map_probe p = gy_map_first(&maker->map, hash); p.found; gy_map_next(&maker->map, &p)) {
        const struct gy_graph_key *key = &maker->keys[p.number];
        if (key->words == words && key->exclusive == exclusive &&
            memcmp(key->state, state, words * sizeof *state) == 0) {
            *number = p.number;
            return true;
        }
    }
    return false;
}

// False: there are too many. A node without a state stands for a step that fails and leads nowhere.
static bool add(gy_graph_maker *maker, const gy_transition *transition, uint32_t *number)
{
    const gy_word *state = transition->state;
    if (state && find(maker, state, transition->words, transition->exclusive, number))
        return true;
    if (maker->node_count == GY_GRAPH_STATES) {
        maker->too_large = true;
        return false;
    }
    *number = maker->node_count++;
    maker->nodes[*number] = (gy_state_node){.text = ""};
    struct gy_graph_key *key = &maker->keys[*number];
    *key = (struct gy_graph_key){.exclusive = transition->exclusive};
    if (!state)
        return true;
    key->words = transition->words;
    key->state = GY_NEW_ARRAY(maker->arena, gy_word, key->words + 1);
    memcpy(key->state, state, key->words * sizeof *state);
    gy_map_add(&maker->map, hash_of(state, key->words, key->exclusive), *number);
    return true;
}

static int visit_initial(void *user, const gy_transition *transition)
{
    gy_graph_maker *maker = user;
    gy_transition first = *transition;
    uint32_t number;
    first.exclusive = -1;
    if (!first.state || !add(maker, &first, &number))
        return 1;
    maker->nodes[number].initial = true;
    return 0;
}

enum { LABEL_COLUMNS = 200 }; // of a long d_step

// "P(0) c!1 → Q(1)": who, which statement, and who receives.
static const char *label_of(gy_graph_maker *maker, const gy_step *step)
{
    gy_text text = {0};
    const gy_system *system = maker->path->system;
    if (!system->model) {
        char *statement = gy_step_text(maker->path->worker, step);
        gy_name_statement(statement ? statement : "", LABEL_COLUMNS, &text);
        gy_free(statement);
        return gy_keep(maker->arena, &text);
    }
    const gy_edge *edges = system->model->edges;
    gy_name_process(system->model, edges[step->edge].tmpl, step->pid, &text);
    gy_text_char(&text, ' ');
    gy_name_statement(edges[step->edge].text, LABEL_COLUMNS, &text);
    if (step->partner >= 0) {
        gy_text_add(&text, " → ");
        gy_name_process(system->model, edges[step->partner_edge].tmpl, step->partner, &text);
    }
    return gy_keep(maker->arena, &text);
}

static int visit(void *user, const gy_transition *transition)
{
    gy_graph_maker *maker = user;
    uint32_t to;
    if (!add(maker, transition, &to))
        return 1;
    if (maker->edge_count == maker->edge_room) {
        uint32_t room = maker->edge_room ? 2 * maker->edge_room : 64;
        gy_state_edge *edges = GY_NEW_ARRAY(maker->arena, gy_state_edge, room);
        if (maker->edge_count)
            memcpy(edges, maker->edges, maker->edge_count * sizeof *edges);
        maker->edges = edges;
        maker->edge_room = room;
    }
    const gy_step *step = &transition->steps[0];
    maker->edges[maker->edge_count++] = (gy_state_edge){
        .from = maker->from,
        .to = to,
        .pid = step->pid,
        .text = label_of(maker, step),
        .fault = transition->fault != NULL,
    };
    if (!transition->state && transition->fault)
        maker->nodes[to].text = gy_arena_strdup(
            maker->arena, transition->fault->message ? transition->fault->message : "");
    maker->nodes[to].fault = maker->nodes[to].fault || transition->fault;
    return 0;
}

static void expand(gy_graph_maker *maker)
{
    const struct gy_graph_key key = maker->keys[maker->from];
    uint32_t before = maker->edge_count;
    gy_worker *worker = maker->path->worker;
    if (!key.state)
        return;
    gy_single_steps(worker, key.state, key.words, key.exclusive, visit, maker);
    gy_state_node *node = &maker->nodes[maker->from];
    if (maker->edge_count == before && !maker->too_large) {
        node->end = true;
        node->invalid = !gy_is_end_state(worker, key.state, key.words, maker->empty_channels);
    }
    node->text = gy_tell_state_lines(maker->arena, worker, key.state, key.words);
}

const gy_state_graph *gy_graph_of_states(gy_graph_maker *maker, gy_arena *arena, gy_system *system,
                                         bool empty_channels, gy_limits *limits)
{
    *maker = (gy_graph_maker){
        .arena = arena, .path = gy_path_new(system), .empty_channels = empty_channels};
    maker->nodes = GY_NEW_ARRAY(arena, gy_state_node, GY_GRAPH_STATES);
    maker->keys = GY_NEW_ARRAY(arena, struct gy_graph_key, GY_GRAPH_STATES);
    gy_initial(maker->path->worker, visit_initial, maker);
    for (; maker->from < maker->node_count && !maker->too_large; maker->from++) {
        if (gy_limits_enough(limits))
            return NULL;
        expand(maker);
    }
    if (maker->too_large)
        return NULL;
    gy_state_graph *graph = GY_NEW(arena, gy_state_graph);
    *graph = (gy_state_graph){maker->nodes, maker->node_count, maker->edges, maker->edge_count};
    return graph;
}

void gy_graph_maker_free(gy_graph_maker *maker)
{
    gy_path_free(maker->path);
    gy_map_free(&maker->map);
}

// Where a step fails and leads nowhere: the node that stands for that.
static bool find_failed(const gy_graph_maker *maker, uint32_t from, int32_t pid, uint32_t *number)
{
    for (uint32_t e = 0; e < maker->edge_count; e++) {
        const gy_state_edge *edge = &maker->edges[e];
        if (edge->from == from && edge->pid == pid && !maker->keys[edge->to].state) {
            *number = edge->to;
            return true;
        }
    }
    return false;
}

const uint32_t *gy_graph_walk(const gy_graph_maker *maker, const gy_path *path, gy_arena *arena)
{
    uint32_t *nodes = GY_NEW_ARRAY(arena, uint32_t, path->moments.n);
    for (size_t i = 0; i < path->moments.n; i++) {
        const gy_path_state *moment = &path->moments.at[i];
        bool found = moment->stuck && i > 0
                         ? find_failed(maker, nodes[i - 1], moment->step.pid, &nodes[i])
                         : find(maker, moment->state, moment->words, moment->exclusive, &nodes[i]);
        if (!found)
            return NULL;
    }
    return nodes;
}
