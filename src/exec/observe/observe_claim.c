// Never claims as observers. A claim without variables is in the state that its control location
// has; one with variables has a list of all blocks (control location and variables) that it was
// found in, and is in the state that a block's position in the list is.
//
// A global variable that nothing but the claim mentions is one of its variables, too: in the states
// of the system it keeps its initial value for ever, and after a block there are the bits that its
// elements have where the claim is. To take a step, the claim gets a copy of the system's state
// that has these. If it assigns to variables that others mention as well, its transitions say what
// is left of the system's state.
#include "base/fatal.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/observe/claim_memo.h"
#include "exec/observe/observe_table.h"
#include "model/visit.h"

#include <pthread.h>

typedef struct move {
    int32_t edge;
    gy_fault_kind fault;
    uint32_t to;    // state
    size_t changed; // in `changed`: the system's state that it leaves, plus one; 0: it is as it was
} move;

// An element of a global variable of the claim, and where it is in a state: known when there is
// one, as the model may be laid out again before.
typedef struct own_global {
    int32_t var;
    uint32_t element, word;
    uint8_t shift;
    gy_word mask; // before it is shifted
} own_global;

typedef struct claim {
    const gy_model *model;
    int32_t tmpl;
    uint32_t size;      // of a block, in words
    uint32_t own_words; // of these, the claim's variables; elements of its globals are after them
    GY_VEC(own_global) globals;
    const gy_model *placed; // whose states these are in: a system may have the model in fewer bits
    GY_VEC(gy_word) state;  // the copy
    bool changes;           // variables that others mention
    const gy_word *before;  // the system's state, and its length
    uint32_t words;
    GY_VEC(gy_word) changed; // see move
    gy_word *after;          // scratch: a block
    gy_word mask;            // of the control location in it
    bool others_accept;      // processes have accept labels too
    bool uses_timeout; // timeout or enabled() occurs in it, and timeout in a process or formula;
                       // else timeout is false, as in Spin
    bool has_variables;
    GY_VEC(gy_word) blocks;  // has_variables: one after the other
    gy_map numbers;          // of them, by hash
    GY_VEC(move) moves;      // that can be taken
    GY_VEC(uint32_t) inside; // states inside an atomic sequence of the claim, still to be left
    gy_word *block;          // scratch
    gy_claim_memo *memo;     // or NULL
    pthread_mutex_t lock;    // for the lists and the scratch
} claim;

static void claim_free(void *self)
{
    claim *c = self;
    gy_vec_free(&c->blocks);
    gy_map_free(&c->numbers);
    gy_vec_free(&c->moves);
    gy_vec_free(&c->inside);
    gy_vec_free(&c->globals);
    gy_vec_free(&c->state);
    gy_vec_free(&c->changed);
    free(c->after);
    free(c->block);
    gy_claim_memo_free(c->memo);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

// ---- states -------------------------------------------------------------------------------

static uint32_t state_count(const claim *c)
{
    return (uint32_t)(c->blocks.n / c->size);
}

static uint32_t state_of(claim *c, const gy_word *block)
{
    if (!c->has_variables)
        return block[0] & c->mask;
    uint64_t hash = gy_hash_words(block, c->size, 0);
    for (gy_map_probe p = gy_map_first(&c->numbers, hash); p.found; gy_map_next(&c->numbers, &p))
        if (!memcmp(&c->blocks.at[(size_t)p.number * c->size], block, c->size * sizeof *block))
            return p.number;
    uint32_t number = state_count(c);
    for (uint32_t i = 0; i < c->size; i++)
        gy_vec_push(&c->blocks, block[i]);
    gy_map_add(&c->numbers, hash, number);
    return number;
}

static const gy_word *block_of(claim *c, uint32_t state)
{
    if (c->has_variables) {
        memcpy(c->block, &c->blocks.at[(size_t)state * c->size], c->size * sizeof *c->block);
    } else {
        memset(c->block, 0, c->size * sizeof *c->block);
        c->block[0] = state;
    }
    return c->block;
}

// ---- global variables of its own ----------------------------------------------------------

static void place_globals(claim *c, const gy_model *model)
{
    c->placed = model;
    for (size_t i = 0; i < c->globals.n; i++) {
        own_global *g = &c->globals.at[i];
        const gy_variable *v = &model->vars[g->var];
        uint32_t bit = v->shift + g->element * v->stride;
        g->word = v->word + bit / 32;
        g->shift = (uint8_t)(bit % 32);
        g->mask = v->hidden ? 0 : v->bits >= 32 ? UINT32_MAX : (1u << v->bits) - 1;
    }
}

static void read_globals(const claim *c, const gy_word *state, gy_word *block)
{
    for (size_t i = 0; i < c->globals.n; i++) {
        own_global g = c->globals.at[i];
        block[c->own_words + i] = state[g.word] >> g.shift & g.mask;
    }
}

static void write_globals(const claim *c, gy_word *state, const gy_word *block)
{
    for (size_t i = 0; i < c->globals.n; i++) {
        own_global g = c->globals.at[i];
        state[g.word] = (state[g.word] & ~(g.mask << g.shift)) | block[c->own_words + i] << g.shift;
    }
}

// ---- transitions --------------------------------------------------------------------------------

// The step has changed the copy, which the next one must not see.
static const gy_word *take_globals(claim *c, const gy_word *block)
{
    memcpy(c->after, block, c->own_words * sizeof *block);
    read_globals(c, c->state.at, c->after);
    write_globals(c, c->state.at, c->block);
    return c->after;
}

// What the step has left of the system's state, in which the claim's own variables stay as they
// are. The copy is as it was before.
static size_t take_change(claim *c)
{
    size_t at = c->changed.n;
    gy_vec_reserve(&c->changed, at + c->words);
    gy_word *left = c->changed.at + at;
    memcpy(left, c->state.at, c->words * sizeof *left);
    for (size_t i = 0; i < c->globals.n; i++) {
        own_global g = c->globals.at[i];
        gy_word mask = g.mask << g.shift;
        left[g.word] = (left[g.word] & ~mask) | (c->before[g.word] & mask);
    }
    memcpy(c->state.at, c->before, c->words * sizeof *left);
    write_globals(c, c->state.at, c->block);
    if (memcmp(left, c->before, c->words * sizeof *left) == 0)
        return 0;
    c->changed.n += c->words;
    return at + 1;
}

static int keep_move(void *user, int32_t edge, const gy_word *block, gy_fault_kind fault)
{
    claim *c = user;
    move found = {edge, fault, state_of(c, c->globals.n ? take_globals(c, block) : block), 0};
    if (c->changes)
        found.changed = take_change(c);
    gy_vec_push(&c->moves, found);
    return 0;
}

static gy_sight sight_of(const claim *c, const move *found)
{
    const gy_edge *edge = &c->model->edges[found->edge];
    if (found->fault != GY_FAULT_NONE)
        return found->fault == GY_FAULT_ASSERTION ? GY_SEES_ASSERTION : GY_SEES_FAULT;
    return c->model->templates[c->tmpl].nodes[edge->to].flags & (GY_NODE_END | GY_NODE_FINAL)
               ? GY_SEES_END
               : GY_SEES_NOTHING;
}

static void go_on_inside(claim *c, uint32_t state)
{
    for (size_t i = 0; i < c->inside.n; i++)
        if (c->inside.at[i] == state)
            return;
    gy_vec_push(&c->inside, state);
}

static void claim_from(claim *c, gy_worker *worker, const gy_word *state, uint32_t words,
                       uint32_t from, uint64_t marks, bool timeout, gy_observer_visit *visit,
                       void *user)
{
    c->moves.n = 0;
    const gy_word *block = block_of(c, from);
    c->before = state;
    c->words = words;
    if (c->globals.n || c->changes) {
        gy_vec_reserve(&c->state, words);
        memcpy(c->state.at, state, words * sizeof *state);
        write_globals(c, c->state.at, block);
        state = c->state.at;
    }
    gy_claim_moves(worker, state, words, c->tmpl, block, timeout, keep_move, c);
    for (size_t i = 0; i < c->moves.n; i++) {
        const move *m = &c->moves.at[i];
        gy_observer_move found = {.to = m->to, .marks = marks, .edge = m->edge};
        found.state = m->changed ? c->changed.at + m->changed - 1 : NULL;
        found.sight = sight_of(c, m);
        if (found.sight == GY_SEES_NOTHING && c->model->edges[m->edge].keeps_atomic)
            go_on_inside(c, m->to);
        else
            visit(user, &found);
    }
}

// In this state of the system, if it has not begun yet.
static void begin(claim *c, gy_worker *worker, const gy_word *state, uint32_t words)
{
    if (c->globals.n && c->placed != worker->system->model)
        place_globals(c, worker->system->model);
    if (c->has_variables && c->blocks.n == 0) { // the first state of all
        gy_claim_start(worker, state, words, c->tmpl, c->block);
        read_globals(c, state, c->block);
        state_of(c, c->block);
    }
}

static void claim_content(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                          uint32_t at, gy_word *out)
{
    claim *c = self;
    pthread_mutex_lock(&c->lock);
    begin(c, worker, state, words);
    memcpy(out, block_of(c, at), c->size * sizeof *out);
    pthread_mutex_unlock(&c->lock);
}

static uint32_t claim_number(void *self, const gy_word *content)
{
    claim *c = self;
    if ((content[0] & c->mask) >= c->model->templates[c->tmpl].node_count)
        return UINT32_MAX;
    pthread_mutex_lock(&c->lock);
    uint32_t number = state_of(c, content);
    pthread_mutex_unlock(&c->lock);
    return number;
}

// What is reported, and remembered for the next time.
typedef struct telling {
    gy_claim_answer *answer;
    gy_observer_visit *visit;
    void *user;
} telling;

static void tell(void *user, const gy_observer_move *found)
{
    const telling *t = user;
    if (t->answer && t->answer->count < GY_MEMO_MOVES)
        t->answer->moves[t->answer->count] = *found;
    if (t->answer)
        t->answer->count++;
    t->visit(t->user, found);
}

static void find_moves(claim *c, gy_worker *worker, const gy_word *state, uint32_t words,
                       uint32_t at, telling *t)
{
    uint32_t flags = c->model->templates[c->tmpl].nodes[block_of(c, at)[0] & c->mask].flags;
    uint64_t marks = flags & GY_NODE_ACCEPT ? 1 : 0;
    bool timeout = false;
    if (!marks && c->others_accept)
        marks = gy_state_flags(worker, state, words) & GY_NODE_ACCEPT ? 1 : 0;
    if (c->uses_timeout)
        timeout = gy_is_stuck(worker, state, words);
    c->inside.n = c->changed.n = 0;
    claim_from(c, worker, state, words, at, marks, timeout, tell, t);
    for (size_t i = 0; i < c->inside.n; i++)
        claim_from(c, worker, state, words, c->inside.at[i], marks, timeout, tell, t);
    if (t->answer)
        t->answer->used = t->answer->count <= GY_MEMO_MOVES;
}

static void claim_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                        uint32_t at, gy_observer_visit *visit, void *user)
{
    claim *c = self;
    telling t = {NULL, visit, user};
    pthread_mutex_lock(&c->lock);
    begin(c, worker, state, words);
    if (c->memo)
        t.answer = gy_claim_memo_find(c->memo, worker->system->model, state, at);
    if (t.answer && t.answer->used)
        for (uint32_t i = 0; i < t.answer->count; i++)
            visit(user, &t.answer->moves[i]);
    else
        find_moves(c, worker, state, words, at, &t);
    pthread_mutex_unlock(&c->lock);
}

static uint64_t claim_passed(const void *self, const gy_transition *transition)
{
    const claim *c = self;
    return gy_passed_flags(c->model, transition) & GY_NODE_ACCEPT ? 1 : 0;
}

// ---- making one ---------------------------------------------------------------------------

typedef struct mention {
    int32_t var;
    bool found;
} mention;

static gy_visit_next look_for_var(void *user, const gy_expr *expr)
{
    mention *m = user;
    m->found =
        m->found || ((expr->op == GY_E_VAR || expr->op == GY_E_REMOTE_VAR) && expr->var == m->var);
    return m->found ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

static void look_for_store(void *user, int32_t var, const gy_expr *index)
{
    mention *m = user;
    (void)index;
    m->found = m->found || var == m->var;
}

// A global variable that a claim may assign to.
static bool is_assignable(const gy_model *model, int32_t var)
{
    const gy_variable *v = &model->vars[var];
    return v->owner == GY_NONE && !v->hidden && !v->removed && v->type.kind != GY_CHAN && v->bits &&
           !model->c_code_count;
}

// Is this a global variable that nothing but the claim mentions?
static bool is_own_global(const gy_model *model, int32_t var, int32_t tmpl)
{
    mention m = {.var = var};
    gy_visitor visitor = {&m, look_for_var, look_for_store};
    if (!is_assignable(model, var))
        return false;
    for (uint32_t t = 0; t < model->template_count && !m.found; t++)
        if ((int32_t)t != tmpl)
            gy_visit_template(&visitor, model, &model->templates[t]);
    for (uint32_t l = 0; l < model->ltl_count && !m.found; l++)
        gy_visit_formula(&visitor, model, model->ltls[l].formula);
    return !m.found;
}

static bool changes_only(const gy_model *model, const gy_program *program, int32_t tmpl)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        switch (action->kind) {
        case GY_A_ASSIGN:
            if (model->vars[action->var].owner != tmpl && !is_assignable(model, action->var))
                return false;
            break;
        case GY_A_ASSERT:
        case GY_A_PRINTF:
        case GY_A_PRINTM:
        case GY_A_TEST:
        case GY_A_SELECT:
        case GY_A_JUMP:
            break;
        default:
            return false;
        }
    }
    return true;
}

static const gy_edge *find_change(const gy_model *model, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        if (edge->kind != GY_EDGE_END &&
            (edge->sync != GY_SYNC_NONE || !changes_only(model, edge->effect, number)))
            return edge;
    }
    return NULL;
}

static bool can_run(const gy_model *model, int32_t number, gy_text *problem)
{
    const gy_template *tmpl = &model->templates[number];
    const gy_edge *change = find_change(model, number);
    if (!change && changes_only(model, tmpl->init, number))
        return true;
    gy_location_info place = gy_location_user(model->sources, change ? change->place : tmpl->place);
    if (change)
        gy_text_printf(problem, "line %u: a never claim that changes something (%s)", place.line,
                       change->text ? change->text : "");
    else
        gy_text_printf(problem, "line %u: a never claim that makes channels", place.line);
    return false;
}

static void add_global(claim *c, int32_t var)
{
    for (size_t i = 0; i < c->globals.n; i++)
        if (c->globals.at[i].var == var)
            return;
    for (uint32_t i = 0; i < c->model->vars[var].count; i++)
        gy_vec_push(&c->globals, ((own_global){.var = var, .element = i}));
}

// Those that it changes: what it only reads stays as it is.
static void find_globals(claim *c)
{
    const gy_template *tmpl = &c->model->templates[c->tmpl];
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_program *effect = c->model->edges[tmpl->first_edge + k].effect;
        for (uint32_t i = 0; effect && i < effect->count; i++)
            if (effect->actions[i].kind == GY_A_ASSIGN &&
                c->model->vars[effect->actions[i].var].owner != c->tmpl) {
                if (is_own_global(c->model, effect->actions[i].var, c->tmpl))
                    add_global(c, effect->actions[i].var);
                else
                    c->changes = true;
            }
    }
}

static bool mentions_timeout(const gy_model *model, const gy_template *tmpl)
{
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (model->edges[tmpl->first_edge + k].needs_timeout)
            return true;
    return false;
}

static gy_visit_next stop_at_enabled(void *user, const gy_expr *expr)
{
    (void)user;
    return expr->op == GY_E_ENABLED ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

static gy_visit_next stop_at_timeout(void *user, const gy_expr *expr)
{
    (void)user;
    return expr->op == GY_E_TIMEOUT ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

static bool others_mention_timeout(const gy_model *model)
{
    for (uint32_t l = 0; l < model->ltl_count; l++)
        if (gy_visit_formula(&(gy_visitor){.expr = stop_at_timeout}, model, model->ltls[l].formula))
            return true;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if ((tmpl->kind == GY_TMPL_PROCESS || tmpl->kind == GY_TMPL_INIT) &&
            mentions_timeout(model, tmpl))
            return true;
    }
    return false;
}

static bool leads_to(const gy_model *model, const gy_template *tmpl, int32_t from, int32_t to)
{
    GY_VEC(int32_t) todo = {0};
    uint8_t *seen = gy_alloc_zero(tmpl->node_count);
    bool found = false;
    gy_vec_push(&todo, from);
    seen[from] = 1;
    while (todo.n > 0 && !found) {
        const gy_node *node = &tmpl->nodes[todo.at[--todo.n]];
        found = node == &tmpl->nodes[to];
        for (int32_t k = 0; k < node->edge_count; k++) {
            int32_t next = model->edges[node->first_edge + k].to;
            if (next != GY_NONE && !seen[next]) {
                seen[next] = 1;
                gy_vec_push(&todo, next);
            }
        }
    }
    gy_vec_free(&todo);
    free(seen);
    return found;
}

// Do all nodes of each cycle agree on acceptance? (Not examined in very large claims.)
static bool is_weak(const gy_model *model, const gy_template *tmpl)
{
    enum { MOST_NODES = 500 };
    if (tmpl->node_count > MOST_NODES)
        return false;
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        if (edge->to != GY_NONE &&
            ((tmpl->nodes[edge->from].flags ^ tmpl->nodes[edge->to].flags) & GY_NODE_ACCEPT) &&
            leads_to(model, tmpl, edge->to, edge->from))
            return false;
    }
    return true;
}

// What is inside an atomic sequence of a claim is not reported: so it must not change anything
// there.
static bool changes_inside(const gy_model *model, const gy_template *tmpl, gy_text *problem)
{
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        if (!edge->keeps_atomic)
            continue;
        gy_text_printf(problem,
                       "line %u: a never claim that changes something has an atomic sequence",
                       gy_location_user(model->sources, edge->place).line);
        return true;
    }
    return false;
}

gy_observer *gy_observe_claim(const gy_model *model, int32_t number, gy_text *problem)
{
    const gy_template *tmpl = &model->templates[number];
    if (!can_run(model, number, problem))
        return NULL;
    gy_observer *simple = gy_observe_by_table(model, number);
    if (simple) {
        simple->weak = is_weak(model, tmpl);
        return simple;
    }
    claim *c = gy_alloc_zero(sizeof *c);
    c->model = model;
    c->tmpl = number;
    c->own_words = tmpl->words;
    pthread_mutex_init(&c->lock, NULL);
    find_globals(c);
    if (c->changes && changes_inside(model, tmpl, problem)) {
        claim_free(c);
        return NULL;
    }
    c->size = tmpl->words + (uint32_t)c->globals.n;
    c->mask = tmpl->pc_bits >= 32 ? UINT32_MAX : (1u << tmpl->pc_bits) - 1;
    c->block = gy_alloc_zero(c->size * sizeof *c->block);
    c->after = gy_alloc_zero(c->size * sizeof *c->after);
    c->has_variables = tmpl->var_count > 0 || c->globals.n > 0;
    c->others_accept = gy_model_has_flag(model, GY_NODE_ACCEPT);
    bool asks = mentions_timeout(model, tmpl) ||
                gy_visit_template(&(gy_visitor){.expr = stop_at_enabled}, model, tmpl);
    c->uses_timeout = asks && others_mention_timeout(model);
    if (!c->others_accept && !c->uses_timeout && !c->changes)
        c->memo = gy_claim_memo_new(model, number);
    bool inside = gy_model_passes_flag(model, GY_NODE_ACCEPT);
    return gy_observer_of((gy_observer){.self = c,
                                        .states = tmpl->node_count,
                                        .initial = c->has_variables ? 0 : (uint32_t)tmpl->initial,
                                        .sets = 1,
                                        .stutters = true,
                                        .changes = c->changes,
                                        .weak = !c->others_accept && is_weak(model, tmpl),
                                        .moves = claim_moves,
                                        .passed = inside ? claim_passed : NULL,
                                        .content_words = c->size,
                                        .content = claim_content,
                                        .number = claim_number,
                                        .free = claim_free});
}
