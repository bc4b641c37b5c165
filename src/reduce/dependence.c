// See dependence.h. Footprints are those of the stubborn sets, with what they leave out.
#include "reduce/dependence.h"

#include "reduce/point.h"

#include "base/hash.h"
#include "exec/system.h"
#include "model/atoms.h"
#include "model/instances.h"
#include "model/visit.h"

#include <stdlib.h>
#include <string.h>

struct gy_dependence {
    const gy_reduction *r;
    gy_process_classes *classes;
    gy_arena *arena;
    uint8_t *written;
    gy_footprint tests, next;
    // The current state.
    const gy_process_class *class;
    const gy_word *state;
};

bool gy_dependence_can(const gy_system *system, const char **why)
{
    *why = !system->model                 ? "the model is a shared object"
           : system->model->uses_priority ? "the model uses priorities"
           : gy_looks_far(system->model)  ? "the model uses enabled(), pc_value() or _last"
                                          : NULL;
    return !*why;
}

// Three sets, and a word that says whether the transition waits for a timeout.
uint32_t gy_dependence_words(const gy_dependence *d)
{
    return 3 * d->r->words + 1;
}

static gy_footprint at(const gy_dependence *d, uint64_t *words)
{
    return (gy_footprint){words, words + d->r->words, words + 2 * (size_t)d->r->words};
}

gy_dependence *gy_dependence_new(const gy_reduction *reduction)
{
    gy_dependence *d = gy_alloc_zero(sizeof *d);
    d->r = reduction;
    d->classes = gy_process_classes_new(reduction);
    d->arena = gy_arena_new();
    d->written = GY_NEW_ARRAY(d->arena, uint8_t, reduction->model->var_count + 1);
    d->tests = gy_footprint_new(reduction, d->arena);
    uint64_t *next = GY_NEW_ARRAY(d->arena, uint64_t, gy_dependence_words(d));
    d->next = at(d, next);
    return d;
}

void gy_dependence_free(gy_dependence *d)
{
    if (!d)
        return;
    gy_process_classes_free(d->classes);
    gy_arena_free(d->arena);
    free(d);
}

uint32_t gy_dependence_cell_words(const gy_dependence *d)
{
    return d->r->words;
}

// ---- footprints -----------------------------------------------------------------------

static void clear(const gy_dependence *d, gy_footprint footprint)
{
    memset(footprint.reads, 0, 3 * (size_t)d->r->words * sizeof *footprint.reads);
}

// What touches one end of a channel touches both: a send makes a receive possible, and a receive
// makes room for a send.
static void join_ends(const gy_dependence *d, uint64_t *set)
{
    const gy_reduction *r = d->r;
    for (uint32_t id = 1; id <= r->channels + 1; id++) {
        uint32_t head = r->head_cell + 2 * (id - 1);
        if (gy_bits_has(set, head) || gy_bits_has(set, head + 1)) {
            gy_bits_add(set, head);
            gy_bits_add(set, head + 1);
        }
    }
}

static void close_over_channels(const gy_dependence *d, gy_footprint footprint)
{
    join_ends(d, footprint.reads);
    join_ends(d, footprint.writes);
    join_ends(d, footprint.marks);
}

static gy_point point_of(const gy_dependence *d, uint32_t pid)
{
    return (gy_point){d->r, d->class, d->state, pid, d->written};
}

static bool waits(const gy_dependence *d, int32_t edge)
{
    return d->r->model->edges[edge].needs_timeout;
}

// Adds one edge of the point. Processes end in an order: each looks whether it is the youngest.
static void add_edge(const gy_dependence *d, const gy_point *point, int32_t edge, gy_footprint to)
{
    gy_point_begin(point, edge, to);
    if (d->r->model->edges[edge].kind == GY_EDGE_END)
        gy_bits_add(to.reads, d->r->system_cell);
}

static void add_side(const gy_dependence *d, int32_t pid, int32_t edge, gy_footprint to)
{
    gy_point point = point_of(d, (uint32_t)pid);
    gy_point_tests(&point, to);
    add_edge(d, &point, edge, to);
}

bool gy_dependence_look(gy_dependence *d, const gy_word *state, uint32_t words, uint32_t *processes)
{
    d->class = gy_process_class_of(d->classes, state, words);
    d->state = state;
    *processes = d->class ? d->class->count : 0;
    return d->class != NULL;
}

bool gy_dependence_waits(const gy_dependence *d, const gy_transition *transition)
{
    for (uint32_t i = 0; i < transition->step_count; i++)
        if (waits(d, transition->steps[i].edge))
            return true;
    return false;
}

void gy_dependence_taken(gy_dependence *d, const gy_transition *transition, uint64_t *footprint)
{
    const gy_step *step = &transition->steps[0];
    gy_footprint to = at(d, footprint);
    clear(d, to);
    footprint[3 * (size_t)d->r->words] = gy_dependence_waits(d, transition);
    add_side(d, step->pid, step->edge, to);
    if (step->partner >= 0)
        add_side(d, step->partner, step->partner_edge, to);
    close_over_channels(d, to);
}

void gy_dependence_next(gy_dependence *d, uint32_t pid, gy_dependence_visit *visit, void *user)
{
    gy_point point = point_of(d, pid);
    const gy_node *node = gy_point_node(&point);
    clear(d, d->tests);
    gy_point_tests(&point, d->tests);
    for (int32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
        if (waits(d, k))
            continue;
        clear(d, d->next);
        gy_footprint_add(d->r, d->next, d->tests);
        add_edge(d, &point, k, d->next);
        close_over_channels(d, d->next);
        const gy_edge *edge = &d->r->model->edges[k];
        gy_half half = edge->sync == GY_SYNC_SEND ? GY_HALF_SENDS : GY_HALF_RECEIVES;
        visit(user, d->next.reads, k, gy_point_meets(&point, k) ? half : GY_ALONE);
    }
}

void gy_dependence_anywhere(const gy_dependence *d, uint32_t pid, int32_t edge, uint64_t *footprint)
{
    const gy_reduction *r = d->r;
    const gy_process_class_member *member = &d->class->members[pid];
    gy_point point = point_of(d, pid);
    const gy_node *node = gy_point_node(&point);
    gy_footprint to = at(d, footprint);
    for (int32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++)
        gy_footprint_test(r, member->instance->who, &r->model->edges[k], to);
    gy_footprint_add(r, to, member->instance->edges[edge - member->first_edge].chain);
    close_over_channels(d, to);
}

// Variables come first among the cells.
bool gy_dependence_diverts(const gy_dependence *d, const uint64_t *taken, const uint64_t *next)
{
    const uint64_t *writes = taken + d->r->words;
    uint32_t variables = d->r->system_cell;
    uint64_t both = 0;
    for (uint32_t w = 0; w < variables / 64; w++)
        both |= writes[w] & next[w];
    if (variables % 64)
        both |= writes[variables / 64] & next[variables / 64] & ((1ull << variables % 64) - 1);
    return both != 0;
}

bool gy_dependence_meet(const gy_dependence *d, const uint64_t *a, const uint64_t *b)
{
    size_t waits = 3 * (size_t)d->r->words;
    return a[waits] || b[waits] ||
           gy_footprint_conflict(d->r, at(d, (uint64_t *)a), at(d, (uint64_t *)b));
}

uint64_t gy_dependence_movers(const gy_transition *transition)
{
    uint64_t movers = 0;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        movers |= UINT64_C(1) << (step->pid & 63);
        if (step->partner >= 0)
            movers |= UINT64_C(1) << (step->partner & 63);
    }
    return movers;
}

uint64_t gy_dependence_own(gy_dependence *d, const gy_word *state, uint32_t words,
                           uint64_t processes)
{
    uint64_t hash = processes;
    d->class = gy_process_class_of(d->classes, state, words);
    for (uint64_t left = processes; left && d->class; left &= left - 1) {
        uint32_t pid = (uint32_t)__builtin_ctzll(left);
        if (pid >= d->class->count)
            continue; // it has ended
        const gy_process_class_member *member = &d->class->members[pid];
        uint32_t own = d->r->model->templates[member->instance->tmpl].words;
        hash = gy_hash_bytes(state + member->offset, own * sizeof *state, hash);
    }
    return hash;
}

// ---- expressions ------------------------------------------------------------------------

typedef struct support {
    const gy_dependence *d;
    uint64_t *processes;
    bool known, counts;
} support;

// The only instance of a process type, which is there from the start.
static uint64_t only_instance(const gy_dependence *d, int32_t tmpl)
{
    uint64_t found = 0;
    if (tmpl == GY_NONE || !d->class || gy_template_is_started(d->r->model, tmpl))
        return UINT64_MAX;
    for (uint32_t pid = 0; pid < d->class->count; pid++)
        if (d->class->members[pid].instance->tmpl == tmpl)
            found |= UINT64_C(1) << pid;
    return found ? found : UINT64_MAX;
}

static uint64_t remote_process(const gy_dependence *d, const gy_expr *expr)
{
    if (!expr->a)
        return only_instance(d, expr->tmpl);
    return expr->a->op == GY_E_CONST && expr->a->value >= 0 &&
                   expr->a->value < GY_DEPENDENCE_PROCESSES
               ? UINT64_C(1) << expr->a->value
               : UINT64_MAX;
}

static gy_visit_next look_at(void *user, const gy_expr *expr)
{
    support *s = user;
    switch (expr->op) {
    case GY_E_REMOTE_LABEL:
    case GY_E_REMOTE_VAR:
        *s->processes |= remote_process(s->d, expr);
        break;
    case GY_E_NR_PR:
        s->counts = true;
        break;
    case GY_E_LAST:
    case GY_E_NP:
    case GY_E_TIMEOUT:
    case GY_E_ENABLED:
    case GY_E_PC_VALUE:
    case GY_E_C:
        s->known = false;
        break;
    default:
        break;
    }
    return GY_VISIT_PARTS;
}

static void drop_variable(const gy_reduction *r, uint32_t v, uint64_t *cells)
{
    uint32_t count = r->model->vars[v].count > r->split_limit ? 1 : r->model->vars[v].count;
    for (uint32_t e = 0; e < count && r->var_cell[v] != GY_NO_CELL; e++)
        gy_bits_drop(cells, r->var_cell[v] + e);
}

// Cells of what processes have for themselves, and others read; and of what stays as it is, such
// as the names of channels.
static void drop_own(const gy_reduction *r, uint64_t *cells)
{
    const gy_model *model = r->model;
    for (uint32_t v = 0; v < model->global_count; v++)
        if (r->stable[v])
            drop_variable(r, v, cells);
    for (uint32_t t = 0; t < model->template_count; t++)
        if (r->control_cell[t] != GY_NO_CELL)
            gy_bits_drop(cells, r->control_cell[t]);
    for (uint32_t v = model->global_count; v < model->var_count; v++)
        drop_variable(r, v, cells);
}

const gy_model *gy_dependence_model(const gy_dependence *d)
{
    return d->r->model;
}

bool gy_dependence_support(const gy_dependence *d, gy_atom atom, uint64_t *cells,
                           uint64_t *processes)
{
    const gy_reduction *r = d->r;
    const gy_expr *expr = gy_atom_expr(r->model, atom);
    support s = {.d = d, .processes = processes, .known = true};
    memset(cells, 0, r->words * sizeof *cells);
    *processes = 0;
    gy_read_cells(r, GY_ANYONE, expr, cells);
    join_ends(d, cells);
    gy_visit_expr(&(gy_visitor){.user = &s, .expr = look_at}, expr);
    // Which process begins, executes or ends shows in what it has for itself.
    if (!s.counts)
        gy_bits_drop(cells, r->system_cell);
    drop_own(r, cells);
    return s.known;
}

// The second cell of a channel: both ends are in a set, or none.
static bool is_tail(const gy_reduction *r, uint32_t cell)
{
    uint32_t behind = r->head_cell + 2 * (r->channels + 1);
    return cell >= r->head_cell && cell < behind && (cell - r->head_cell) % 2 == 1;
}

uint32_t gy_dependence_objects(const gy_dependence *d, const uint64_t *cells)
{
    uint32_t objects = 0;
    for (uint32_t c = 0; c < d->r->cells; c++)
        objects += gy_bits_has(cells, c) && !is_tail(d->r, c);
    return objects;
}

bool gy_dependence_object(const gy_dependence *d, const uint64_t *cells, uint32_t n, uint64_t *one)
{
    memset(one, 0, d->r->words * sizeof *one);
    for (uint32_t c = 0; c < d->r->cells; c++) {
        if (!gy_bits_has(cells, c) || is_tail(d->r, c) || n-- > 0)
            continue;
        gy_bits_add(one, c);
        join_ends(d, one);
        return true;
    }
    return false;
}

const uint64_t *gy_dependence_writes(const gy_dependence *d, const uint64_t *footprint)
{
    return footprint + d->r->words;
}

bool gy_dependence_changes(const gy_dependence *d, const uint64_t *footprint, const uint64_t *cells)
{
    const uint64_t *writes = footprint + d->r->words, *marks = writes + d->r->words;
    uint32_t system = d->r->system_cell;
    return gy_cells_meet(d->r, writes, cells) ||
           (gy_bits_has(marks, system) && gy_bits_has(cells, system));
}
