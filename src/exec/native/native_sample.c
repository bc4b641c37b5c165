// The sample: some states in breadth-first order, then random walks from the start with a fixed
// seed, so that long start-ups do not hide what comes after them. The same model always gives
// the same sample; the cache of compiled code depends on it.
#include "exec/native/native_sample.h"

#include "base/hash.h"
#include "base/numbering.h"
#include "base/random.h"
#include "exec/vm/inline_fields.h"
#include "model/visit.h"

enum { BREADTH = 400, WALKS = 12, WALK_LENGTH = 250, EXTRA_WEIGHT = 20 };
enum { MOST_MET = 1 << 14 }; // successors of one state: an atomic sequence may have any number

typedef struct sampler {
    gy_native_facts *facts;
    const gy_vm *vm;
    const _Atomic int *child; // NULL, or below 0: nothing waits for the sample any more
    gy_worker *worker;
    GY_VEC(gy_native_shape) shapes;
    GY_VEC(gy_word) queue; // length, then the state
    gy_numbering seen;     // hashes of states
    uint32_t queued;
    uint32_t met; // successors of the current state
    uint32_t noted;
    // a path
    uint64_t random;
    uint32_t choices;
    GY_VEC(gy_word) chosen;
    GY_VEC(gy_word) start;
} sampler;

// ---- which variables are assigned -----------------------------------------------------

static void assign(void *user, int32_t var, const gy_expr *index)
{
    gy_native_facts *facts = user;
    (void)index;
    facts->assigned[var] = true;
}

static void assign_global(void *user, int32_t var, const gy_expr *index)
{
    const gy_native_facts *facts = user;
    if (facts->model->vars[var].owner == GY_NONE)
        assign(user, var, index);
}

static void find_assigned(gy_native_facts *facts)
{
    const gy_model *model = facts->model;
    gy_visitor edges = {.user = facts, .store = assign};
    gy_visitor starts = {.user = facts, .store = assign_global};
    for (uint32_t i = 0; i < model->var_count; i++)
        facts->assigned[i] = model->vars[i].hidden || model->c_code_count > 0;
    for (uint32_t i = 0; i < model->edge_count; i++)
        gy_visit_edge(&edges, &model->edges[i]);
    // Locals are set by the init code of their template, before anybody looks; a global that is
    // set there changes while the system runs.
    for (uint32_t t = 0; t < model->template_count; t++)
        gy_visit_program(&starts, model->templates[t].init);
}

static void number_elements(gy_native_facts *facts)
{
    const gy_model *model = facts->model;
    uint32_t next = 0;
    int32_t owner = GY_NONE;
    for (uint32_t i = 0; i < model->var_count; i++) {
        if (model->vars[i].owner != owner)
            next = 0;
        owner = model->vars[i].owner;
        facts->element[i] = next;
        next += model->vars[i].count;
    }
}

static uint32_t element_count(const gy_native_facts *facts, int32_t tmpl)
{
    const gy_template *t = &facts->model->templates[tmpl];
    if (!t->var_count)
        return 0;
    uint32_t last = (uint32_t)(t->first_var + t->var_count - 1);
    return facts->element[last] + facts->model->vars[last].count;
}

// A state may take long to be expanded.
static bool is_given_up(const sampler *a)
{
    return a->child && atomic_load_explicit(a->child, memory_order_relaxed) < 0;
}

// ---- states of the sample -------------------------------------------------------------

static gy_native_shape *find_shape(sampler *a, const gy_state_layout *shape)
{
    for (size_t i = 0; i < a->shapes.n; i++)
        if (a->shapes.at[i].shape == shape)
            return &a->shapes.at[i];
    gy_native_shape fresh = {.shape = shape};
    fresh.first = gy_alloc_zero((shape->process_count + 1) * sizeof *fresh.first);
    uint32_t total = 0;
    for (uint32_t pid = 0; pid < shape->process_count; pid++) {
        fresh.first[pid] = total;
        total += element_count(a->facts, shape->process[pid].tmpl);
    }
    fresh.locals = gy_alloc_zero((total + 1) * sizeof *fresh.locals);
    gy_vec_push(&a->shapes, fresh);
    return &a->shapes.at[a->shapes.n - 1];
}

static void note_constants(sampler *a, gy_native_shape *at, const gy_word *state)
{
    const gy_model *model = a->facts->model;
    for (uint32_t pid = 0; pid < at->shape->process_count; pid++) {
        const gy_state_layout_process *process = &at->shape->process[pid];
        const gy_template *tmpl = &model->templates[process->tmpl];
        for (int32_t v = tmpl->first_var; v < tmpl->first_var + tmpl->var_count; v++) {
            if (a->facts->assigned[v])
                continue;
            for (uint32_t i = 0; i < model->vars[v].count; i++) {
                gy_native_constant *constant =
                    &at->locals[at->first[pid] + a->facts->element[v] + i];
                int32_t value = gy_get_var(state + process->offset, &model->vars[v], i);
                constant->known = at->seen ? constant->known && constant->value == value : true;
                constant->value = value;
            }
        }
    }
    at->seen = true;
}

static void note_state(sampler *a, const gy_word *state, uint32_t words)
{
    gy_native_shape *at = find_shape(a, gy_state_layout_find(a->vm->shapes, state, words));
    enum { FIRST = 300, SELDOM = 10, MOST_WORDS = 1 << 20 };
    if ((a->noted++ < FIRST || a->noted % SELDOM == 0) && a->facts->sample.n < MOST_WORDS)
        gy_state_list_add(&a->facts->sample, state, at->shape->words);
    at->weight++;
    note_constants(a, at, state);
}

static bool is_new(sampler *a, const gy_word *state, uint32_t words)
{
    size_t before = a->seen.keys.n;
    gy_number(&a->seen, gy_hash_words(state, words, 1));
    return a->seen.keys.n > before;
}

static int enqueue(void *user, const gy_transition *transition)
{
    sampler *a = user;
    if (a->met++ >= MOST_MET)
        return 1;
    if (!transition->state || a->queued >= BREADTH ||
        !is_new(a, transition->state, transition->words))
        return a->queued >= BREADTH;
    a->queued++;
    gy_vec_reserve(&a->queue, a->queue.n + transition->words + 1);
    a->queue.at[a->queue.n++] = transition->words;
    memcpy(a->queue.at + a->queue.n, transition->state, transition->words * sizeof(gy_word));
    a->queue.n += transition->words;
    return 0;
}

static void sample_breadth(sampler *a)
{
    gy_initial(a->worker, enqueue, a);
    GY_VEC(gy_word) state = {0};
    for (size_t at = 0; at < a->queue.n && !is_given_up(a);) {
        uint32_t words = a->queue.at[at++];
        state.n = 0;
        gy_vec_reserve(&state, words);
        memcpy(state.at, a->queue.at + at, words * sizeof(gy_word));
        at += words;
        note_state(a, state.at, words);
        a->met = 0;
        if (a->queued < BREADTH)
            gy_successors(a->worker, state.at, words, enqueue, a);
    }
    gy_vec_free(&state);
}

static int choose(void *user, const gy_transition *transition)
{
    sampler *a = user;
    if (!transition->state || a->choices >= MOST_MET)
        return a->choices >= MOST_MET;
    if (gy_random_step(&a->random) % ++a->choices)
        return 0;
    a->chosen.n = transition->words;
    gy_vec_reserve(&a->chosen, transition->words);
    memcpy(a->chosen.at, transition->state, transition->words * sizeof(gy_word));
    return 0;
}

static void walk(sampler *a)
{
    GY_VEC(gy_word) state = {0};
    a->choices = 0;
    gy_initial(a->worker, choose, a);
    for (uint32_t i = 0; i < WALK_LENGTH && a->choices && !is_given_up(a); i++) {
        state.n = a->chosen.n;
        gy_vec_reserve(&state, state.n);
        memcpy(state.at, a->chosen.at, state.n * sizeof(gy_word));
        note_state(a, state.at, (uint32_t)state.n);
        a->choices = 0;
        gy_successors(a->worker, state.at, (uint32_t)state.n, choose, a);
    }
    gy_vec_free(&state);
}

// ---- the facts ------------------------------------------------------------------------

static int keep_globals(void *user, const gy_transition *transition)
{
    gy_native_facts *facts = user;
    for (uint32_t v = 0; transition->state && v < facts->model->global_count; v++)
        for (uint32_t i = 0; !facts->model->vars[v].hidden && i < facts->model->vars[v].count; i++)
            facts->globals[facts->element[v] + i] =
                gy_get_var(transition->state, &facts->model->vars[v], i);
    return 0;
}

static int by_weight(const void *a, const void *b)
{
    const gy_native_shape *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->shape->words < y->shape->words ? -1 : x->shape->words > y->shape->words;
}

static void free_shape(gy_native_shape *shape)
{
    free(shape->locals);
    free(shape->first);
}

// Rare shapes are not worth compiling for.
static void keep_shapes(gy_native_facts *facts, uint32_t most)
{
    uint64_t total = 0;
    if (!facts->shape_count)
        return;
    qsort(facts->shapes, facts->shape_count, sizeof *facts->shapes, by_weight);
    for (uint32_t i = 0; i < facts->shape_count; i++)
        total += facts->shapes[i].weight;
    uint32_t kept = facts->shape_count < most ? facts->shape_count : most;
    while (kept > 1 && facts->shapes[kept - 1].weight * 50 < total)
        kept--;
    for (uint32_t i = kept; i < facts->shape_count; i++)
        free_shape(&facts->shapes[i]);
    facts->shape_count = kept;
}

void gy_state_list_add(gy_state_list *list, const gy_word *state, uint32_t words)
{
    if (list->n + words + 1 > list->room) {
        list->room = 2 * list->room + words + 1;
        list->words = gy_realloc(list->words, list->room * sizeof *list->words);
    }
    list->words[list->n++] = words;
    memcpy(list->words + list->n, state, words * sizeof *state);
    list->n += words;
    list->count++;
}

void gy_state_list_add_all(gy_state_list *list, const gy_state_list *more)
{
    for (size_t at = 0; at < more->n; at += 1 + more->words[at])
        gy_state_list_add(list, more->words + at + 1, more->words[at]);
}

void gy_state_list_free(gy_state_list *list)
{
    free(list->words);
    *list = (gy_state_list){0};
}

gy_native_facts *gy_native_facts_find(const gy_vm *vm, uint32_t most, const gy_state_list *extra,
                                      const _Atomic int *child)
{
    // The VM itself, whatever precedes it.
    gy_system machine = {.backend = &gy_vm_backend, .impl = (void *)vm, .model = vm->model};
    gy_system *system = &machine;
    const gy_model *model = system->model;
    gy_native_facts *facts = gy_alloc_zero(sizeof *facts);
    facts->model = model;
    facts->assigned = gy_alloc_zero(model->var_count + 1);
    facts->element = gy_alloc_zero((model->var_count + 1) * sizeof *facts->element);
    uint32_t globals = 0;
    for (uint32_t v = 0; v < model->global_count; v++)
        globals += model->vars[v].count;
    facts->globals = gy_alloc_zero((globals + 1) * sizeof *facts->globals);
    find_assigned(facts);
    number_elements(facts);

    sampler *a = gy_alloc_zero(sizeof *a);
    a->facts = facts;
    a->vm = vm;
    a->child = child;
    a->worker = gy_worker_new(system);
    a->random = 1;
    gy_initial(a->worker, keep_globals, facts);
    sample_breadth(a);
    for (uint32_t i = 0; i < WALKS; i++)
        walk(a);
    for (size_t at = 0; extra && at < extra->n; at += 1 + extra->words[at])
        for (uint32_t i = 0; i < EXTRA_WEIGHT; i++)
            note_state(a, extra->words + at + 1, extra->words[at]);
    gy_worker_free(a->worker);
    facts->shapes = a->shapes.at;
    facts->shape_count = (uint32_t)a->shapes.n;
    gy_numbering_free(&a->seen);
    gy_vec_free(&a->queue);
    gy_vec_free(&a->chosen);
    free(a);
    keep_shapes(facts, most);
    return facts;
}

void gy_native_facts_free(gy_native_facts *facts)
{
    if (!facts)
        return;
    for (uint32_t i = 0; i < facts->shape_count; i++)
        free_shape(&facts->shapes[i]);
    free(facts->shapes);
    free(facts->assigned);
    free(facts->element);
    free(facts->globals);
    gy_state_list_free(&facts->sample);
    free(facts);
}
