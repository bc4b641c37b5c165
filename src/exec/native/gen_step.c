// One step in C: the copy, the move, and where it leads.
//
// A step that keeps an atomic sequence going is followed in line, on the same copy, for as long
// as there is no choice: one edge, or one and an else. Beyond that, the process's function is
// called for the state reached.
#include "exec/native/gen.h"
#include "model/operators.h"

#include <stdio.h>

// ---- what can go wrong in an expression -------------------------------------------------

bool gy_gen_may_fault(gy_gen *g, const gy_expr *expr)
{
    int32_t value;
    if (!expr || gy_gen_constant(g, expr, &value))
        return false;
    switch (expr->op) {
    case GY_E_VAR:
        return expr->a != NULL; // an index that is not known
    case GY_E_INDEX:
    case GY_E_DIV:
    case GY_E_MOD:
    case GY_E_EXCLUSIVE:
    case GY_E_REMOTE_VAR:
    case GY_E_ENABLED:
    case GY_E_C:
        return true;
    default:
        return gy_op_asks_channel(expr->op) || gy_gen_may_fault(g, expr->a) ||
               gy_gen_may_fault(g, expr->b) || gy_gen_may_fault(g, expr->c);
    }
}

bool gy_gen_fields_may_fault(gy_gen *g, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (gy_gen_may_fault(g, fields[f].expr))
            return true;
    return false;
}

// ---- what is covered --------------------------------------------------------------------

// Everything that decides whether the edge can fire.
bool gy_gen_covers_test(const gy_gen *g, const gy_edge *edge)
{
    if ((edge->guard && !gy_gen_covers(g, edge->guard)) ||
        (edge->chan && !gy_gen_covers(g, edge->chan)))
        return false;
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_MATCH && !gy_gen_covers(g, edge->fields[f].expr))
            return false;
    return true;
}

bool gy_gen_covers_effect(const gy_gen *g, const gy_edge *edge)
{
    return gy_gen_covers_field_list(g, edge->fields, edge->field_count) &&
           gy_gen_covers_program(g, edge->effect);
}

// ---- a step -------------------------------------------------------------------------------

static const char *number(int32_t value, char text[16])
{
    snprintf(text, 16, "%d", value);
    return text;
}

// Control moves on in state o.
void gy_gen_move(gy_gen *g, const gy_edge *edge)
{
    char text[16];
    if (edge->kind == GY_EDGE_END && g->device)
        gy_gen_device_end(g);
    else if (edge->kind == GY_EDGE_END)
        gy_gen_line(g, "END(o, 0x%xu);", g->shape->shape->before_process->code);
    else if (edge->to != edge->from)
        gy_gen_put(g, gy_gen_pc_of(g, (uint32_t)g->pid), number(edge->to, text), "");
    if (g->model->uses_last)
        gy_gen_put(g, (gy_gen_place){g->model->last_word, g->model->last_shift, 8, false},
                   number(g->pid, text), "");
}

// ---- where a step leads -----------------------------------------------------------------

static void trail_steps(const gy_gen *g, uint32_t from, gy_text *out)
{
    for (uint32_t i = from; i < g->trail_count; i++)
        gy_text_printf(out, "%s{%d, %d, -1, -1}", i > from ? ", " : "", g->pid, g->trail[i]);
}

// Puts the statements of the trail into the path.
static void record_trail(gy_gen *g)
{
    if (g->offered)
        gy_gen_line(g, "PARTNER(depth, %d, %d);", g->pid, g->trail[0]);
    for (uint32_t i = g->offered; i < g->trail_count; i++)
        gy_gen_line(g, "PATH(depth + %u, %d, %d);", i, g->pid, g->trail[i]);
}

// State o is a state of the system.
static void emit(gy_gen *g, uint32_t words)
{
    gy_text steps = {0};
    trail_steps(g, 0, &steps);
    for (uint32_t i = 0; i < g->trail_count; i++)
        gy_gen_cover(g, g->trail[i]);
    if (g->offered) {
        record_trail(g);
        gy_gen_line(g, "KEEP(o, %u);", words);
        gy_gen_line(g, "if ((got = emit_path(r, o, %u, depth + %u, written)) < 0) return got;",
                    words, g->trail_count);
    } else if (g->trail_count == 1)
        gy_gen_line(g, "EMIT(o, %u, %d, %d, -1, -1);", words, g->pid, g->trail[0]);
    else
        gy_gen_line(g, "EMIT_ALL(o, %u, %u, %s);", words, g->trail_count, gy_text_str(&steps));
    gy_text_free(&steps);
}

// Can the atomic sequence go on from this node in line: one edge, or one and an else, that
// need nothing but reading the state?
static bool is_simple(gy_gen *g, const gy_edge *edge)
{
    const gy_template *tmpl = &g->model->templates[g->tmpl];
    const gy_node *node = &tmpl->nodes[edge->to];
    if (g->program->edges[gy_gen_edge(g, edge)].loop_head || tmpl->provided ||
        g->model->uses_priority || node->edge_count < 1 || node->edge_count > 2 ||
        g->trail_count + 1 >= GY_NATIVE_TAIL || g->budget < (uint32_t)node->edge_count)
        return false;
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *next = &g->model->edges[node->first_edge + k];
        if (next->kind != (k ? GY_EDGE_ELSE : GY_EDGE_NORMAL) || next->sync != GY_SYNC_NONE ||
            next->escape || !gy_gen_covers_test(g, next) || !gy_gen_covers_effect(g, next) ||
            (k && next->guard))
            return false;
    }
    return true;
}

static void arrive(gy_gen *g, const gy_edge *edge);

// Executes an edge on state o itself.
static void go_on(gy_gen *g, const gy_edge *edge)
{
    uint32_t count = g->trail_count;
    const gy_state_layout *before = g->now;
    g->trail[g->trail_count++] = gy_gen_edge(g, edge);
    gy_gen_edge_comment(g, edge);
    gy_gen_program(g, edge->effect);
    gy_gen_move(g, edge);
    arrive(g, edge);
    g->trail_count = count;
    g->now = before;
}

static void go_on_from(gy_gen *g, const gy_node *node)
{
    const gy_edge *first = &g->model->edges[node->first_edge];
    const char *timeout = g->timeout;
    int32_t value = 1;
    g->timeout = "0";
    g->budget -= (uint32_t)node->edge_count;
    if (!first->guard || (gy_gen_constant(g, first->guard, &value) && value)) {
        go_on(g, first);
        g->timeout = timeout;
        return;
    }
    char *guard = gy_gen_condition_text(g, first->guard);
    gy_gen_open(g, "if (%s)", guard);
    go_on(g, first);
    gy_gen_close(g);
    gy_gen_open(g, "else");
    if (node->edge_count == 2)
        go_on(g, first + 1);
    else // it blocks: others may execute here
        emit(g, g->now->words);
    gy_gen_close(g);
    free(guard);
    g->timeout = timeout;
}

// The edge was executed, and state o is where it led.
static void arrive(gy_gen *g, const gy_edge *edge)
{
    if (edge->kind == GY_EDGE_END) {
        emit(g, g->shape->shape->before_process->words);
        return;
    }
    if (!edge->keeps_atomic) {
        emit(g, g->now->words);
        return;
    }
    if (is_simple(g, edge)) {
        go_on_from(g, &g->model->templates[g->tmpl].nodes[edge->to]);
        return;
    }
    if (g->now != g->shape->shape) { // the code for that shape is another
        gy_gen_line(g, "goto vm;");
        return;
    }
    record_trail(g);
    gy_gen_line(g, "if (depth + %u >= DEPTH) goto vm;", g->trail_count);
    gy_gen_line(g, "NEST(o);");
    bool mark = g->program->edges[gy_gen_edge(g, edge)].loop_head;
    if (mark)
        gy_gen_line(g, "if ((got = mark(r, o, %d, W)) < 0) return got;", g->pid);
    gy_gen_hidden_pass(g, false);
    gy_gen_line(g, "if ((got = p%d(r, o, depth + %u, written)) < 0) return got;", g->pid,
                g->trail_count);
    gy_gen_hidden_pass(g, true);
    if (mark)
        gy_gen_line(g, "r->seen_count--;");
    gy_gen_line(g, "if (!got && (got = emit_path(r, o, W, depth + %u, written)) < 0) return got;",
                g->trail_count);
}

// The first step: an edge has been executed on a copy. `offered`: see gy_gen.
void gy_gen_finish(gy_gen *g, const gy_edge *edge, bool offered)
{
    enum { IN_LINE = 24 };
    g->s = "o";
    g->trail[0] = gy_gen_edge(g, edge);
    g->trail_count = 1;
    g->offered = offered;
    g->budget = IN_LINE;
    const char *offer_before = g->offer;
    g->offer = "0"; // whatever was on offer is taken
    arrive(g, edge);
    g->offer = offer_before;
    g->s = "s";
    g->now = g->shape->shape;
}

void gy_gen_begin_copy(gy_gen *g)
{
    gy_gen_line(g, "COPY(o, s);");
    gy_gen_hidden_copy(g);
    g->s = "o";
}

// An edge that is a fault next to another one that fired: the VM reports it.
void gy_gen_check_alone(gy_gen *g, const gy_edge *edge)
{
    if (edge->alone)
        gy_gen_line(g, "if (moved) goto vm;");
}

void gy_gen_note_moved(gy_gen *g, const gy_edge *edge, bool escapes)
{
    g->s = "s";
    gy_gen_line(g, "moved = 1;");
    if (escapes)
        gy_gen_line(g, "esc = %u;", edge->escape);
}
