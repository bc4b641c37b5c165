// In the file, after the states of the system: nodes (pairs and the observer's states, or how many
// states of it there are), fairness, counters, the search. States are examined before any of them
// is expanded.
#include "search/liveness/product_file.h"

#include "search/checkpoint.h"
#include "search/liveness/emptiness_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct written {
    gy_product *p;
    gy_arc_graph_stack *stack; // NULL: it has not begun
    uint32_t nodes;            // of what was read
} written;

static uint64_t count_of(const gy_numbered *store)
{
    gy_store_figures figures;
    gy_numbered_look(store, &figures);
    return figures.states;
}

// ---- the observer ---------------------------------------------------------------------

// States of an observer whose numbers are given as they turn up, in the order of these.
static void save_contents(gy_product *p, gy_writer *writer)
{
    const gy_observer *observer = p->observer;
    uint64_t pairs = count_of(p->pairs), most = 0;
    uint32_t words;
    for (uint64_t i = 0; i < pairs; i++) {
        uint32_t at = gy_numbered_state(p->pairs, i, &words)[1];
        most = at >= most ? at + 1 : most;
    }
    gy_word *content = gy_alloc_zero((observer->content_words + (size_t)1) * sizeof *content);
    gy_write_u64(writer, most);
    for (uint64_t i = 0; i < most; i++) {
        const gy_word *state = gy_numbered_state(p->run->store, 0, &words);
        observer->content(observer->self, p->run->worker, state, words, (uint32_t)i, content);
        gy_write(writer, content, observer->content_words * sizeof *content);
    }
    free(content);
}

// Each must have the number here that it had there. *states: so many.
static bool load_contents(gy_product *p, gy_reader *reader, uint64_t *states)
{
    const gy_observer *observer = p->observer;
    size_t bytes = observer->content_words * sizeof(gy_word);
    gy_word *content = gy_alloc_zero(bytes + sizeof *content);
    uint32_t words;
    *states = gy_read_u64(reader);
    bool fine = *states < UINT32_MAX && (!*states || count_of(p->run->store));
    if (fine && *states) { // it begins in the first state of all
        const gy_word *state = gy_numbered_state(p->run->store, 0, &words);
        observer->content(observer->self, p->run->worker, state, words, observer->initial, content);
    }
    for (uint64_t i = 0; fine && i < *states; i++)
        fine = gy_read(reader, content, bytes) && observer->number(observer->self, content) == i;
    free(content);
    return fine;
}

// ---- nodes ----------------------------------------------------------------------------

static bool states_are_sound(gy_product *p)
{
    uint64_t count = count_of(p->run->store);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t words;
        const gy_word *state = gy_numbered_state(p->run->store, i, &words);
        if (!gy_is_state(p->run->worker, state, words))
            return false;
    }
    return true;
}

static bool pairs_are_sound(gy_product *p, uint64_t observer_states)
{
    uint64_t pairs = count_of(p->pairs), states = count_of(p->run->store);
    for (uint64_t i = 0; i < pairs; i++) {
        uint32_t words;
        const uint32_t *pair = gy_numbered_state(p->pairs, i, &words);
        if (words != 2 || pair[0] >= states || pair[1] >= observer_states)
            return false;
    }
    return pairs < UINT32_MAX;
}

static void save_nodes(gy_product *p, gy_writer *writer)
{
    gy_write_u64(writer, p->spread);
    if (p->spread)
        return;
    gy_numbered_save(p->pairs, writer);
    if (!p->observer->bounded)
        save_contents(p, writer);
}

static bool load_nodes(gy_product *p, gy_reader *reader, uint32_t *nodes)
{
    uint64_t states = p->observer->states, count = count_of(p->run->store);
    if (gy_read_u64(reader) != p->spread || !states_are_sound(p))
        return false;
    if (p->spread) {
        *nodes = (uint32_t)(count * p->spread);
        return count < UINT32_MAX / p->spread;
    }
    if (!gy_numbered_load(p->pairs, reader) ||
        (!p->observer->bounded && !load_contents(p, reader, &states)) ||
        !pairs_are_sound(p, states))
        return false;
    *nodes = (uint32_t)count_of(p->pairs);
    return true;
}

// ---- the whole ------------------------------------------------------------------------

static void save(const void *engine, gy_writer *writer)
{
    const written *w = engine;
    gy_product *p = w->p;
    save_nodes(p, writer);
    gy_fair_save(&p->fair, writer);
    gy_write_u64(writer, p->count);
    gy_write_u64(writer, p->expanded.n);
    gy_write(writer, p->expanded.at, p->expanded.n);
    gy_write_u64(writer, w->stack != NULL);
    if (w->stack)
        gy_arc_graph_stack_save(w->stack, writer);
}

static bool load(void *engine, gy_reader *reader)
{
    written *w = engine;
    gy_product *p = w->p;
    if (!load_nodes(p, reader, &w->nodes) || !gy_fair_load(&p->fair, reader))
        return false;
    if (p->fair.wide)
        gy_product_widen(p);
    p->count = p->run->states_so_far = gy_read_u64(reader);
    uint64_t expanded = gy_read_u64(reader);
    if (expanded > gy_reader_left(reader))
        return false;
    gy_vec_reserve(&p->expanded, expanded + 1);
    gy_read(reader, p->expanded.at, expanded);
    p->expanded.n = expanded;
    return gy_read_u64(reader) == 0 || gy_arc_graph_stack_load(w->stack, reader, w->nodes);
}

static void write_down(void *self, gy_arc_graph_stack *stack)
{
    gy_product *p = self;
    gy_checkpoint_write(p->run, save, &(written){p, stack, 0});
}

static void write_last(void *self, gy_arc_graph_stack *stack, uint32_t node)
{
    gy_product *p = self;
    if (stack->result->full)
        gy_run_stop(p->run, GY_LIMIT_MEMORY);
    if (node < p->expanded.n)
        p->expanded.at[node] = 0;
    if (gy_checkpoint_last_wanted(p->run) ||
        (p->run->options->checkpoint_file && p->run->result->completeness == GY_LIMIT_MEMORY))
        write_down(self, stack);
}

// The nodes in which the product begins; what was counted so far stays as it is.
static void list_initial(gy_product *p, gy_product_start *start)
{
    uint64_t transitions = p->run->result->transitions;
    gy_product_begin(p, start);
    p->run->result->transitions = transitions;
}

// What was read begins with the nodes with which every search of the product does.
static bool begins_the_same(gy_product *p, const gy_product_start *start)
{
    gy_product_start again = {0};
    list_initial(p, &again);
    bool same = again.nodes.n == start->nodes.n &&
                (!again.nodes.n || memcmp(again.nodes.at, start->nodes.at,
                                          again.nodes.n * sizeof *again.nodes.at) == 0);
    gy_vec_free(&again.nodes);
    gy_vec_free(&again.ordinals);
    if (!same && !p->run->stopped)
        gy_run_fail(p->run, "%s: the contents of this checkpoint are invalid",
                    p->run->options->resume_file);
    return same && !p->run->stopped;
}

// Into fresh stores: the current ones have the initial nodes.
static bool restore(void *self, gy_arc_graph_stack *stack)
{
    gy_product *p = self;
    gy_product_start start = {0};
    list_initial(p, &start);
    gy_run_free_store(p->run);
    bool fine = gy_run_new_store(p->run) && gy_product_restart(p) &&
                gy_checkpoint_read(p->run, load, &(written){p, stack, 0}) &&
                begins_the_same(p, &start);
    gy_vec_free(&start.nodes);
    gy_vec_free(&start.ordinals);
    return fine;
}

gy_arc_graph_keeper gy_product_keeper(const gy_product *p)
{
    return (gy_arc_graph_keeper){.due = &p->run->checkpoint_due,
                                 .save = write_down,
                                 .broken_off = write_last,
                                 .restore =
                                     p->run->options->resume_file && !p->afresh ? restore : NULL};
}

void gy_product_write_nothing(gy_product *p)
{
    gy_product_start start = {0};
    if (gy_checkpoint_last_wanted(p->run) && gy_run_new_store(p->run) && gy_product_restart(p)) {
        gy_product_begin(p, &start);
        write_down(p, NULL);
    }
    gy_vec_free(&start.nodes);
    gy_vec_free(&start.ordinals);
}
