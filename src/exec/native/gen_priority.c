// Priorities and enabled() in C: which processes are enabled at all.
//
// e<i> (gen_edge.c) says whether process i is enabled, as Spin's enabled() has it. A process tries
// its edges only if no other one of higher priority is enabled; the highest such priority is looked
// for once in a state (`highest`).
#include "exec/native/gen.h"

static uint32_t shift_of(const gy_gen *g, const gy_state_layout_process *process)
{
    return g->model->templates[process->tmpl].priority_shift;
}

uint32_t gy_gen_first_priority(const gy_gen *g, int32_t tmpl, int32_t given)
{
    if (!g->model->uses_priority)
        return 0;
    return (uint32_t)(given > 0 ? given : 1) << g->model->templates[tmpl].priority_shift;
}

static void become(gy_gen *g, uint32_t pid)
{
    const gy_state_layout_process *process = &g->shape->shape->process[pid];
    g->pid = (int32_t)pid;
    g->tmpl = process->tmpl;
    g->base = process->offset;
}

// Of the current process: if it could move, as e<i> or f<i> says, `best` is its priority at least.
static void ask_process(gy_gen *g, char question, const char *arguments)
{
    const gy_state_layout_process *process = &g->shape->shape->process[g->pid];
    const gy_expr *provided = g->model->templates[process->tmpl].provided;
    gy_gen_open(g, "if (GET(s, %u, %u, 0xffu) > best)", process->offset, shift_of(g, process));
    if (provided && !gy_gen_covers(g, provided)) {
        gy_gen_line(g, "goto vm;");
    } else {
        char *text = provided ? gy_gen_text(g, provided) : NULL;
        gy_gen_line(g, "if ((got = %s%s%s%c%d(r, s, %s)) < 0) return VM;", text ? "!TRUTH(" : "",
                    text ? text : "", text ? ") ? 0 : " : "", question, g->pid, arguments);
        gy_gen_line(g, "if (got) best = GET(s, %u, %u, 0xffu);", process->offset,
                    shift_of(g, process));
        free(text);
    }
    gy_gen_close(g);
}

// Of those that could take a message on offer, the highest priority.
static void write_top_taker(gy_gen *g, bool declare)
{
    static const char taker[] = "FUNCTION int highest_taker(struct run *r, SOURCE s, int chan, "
                                "const int *m)%s";
    const gy_state_layout *shape = g->shape->shape;
    gy_gen_line(g, taker, declare ? ";" : "");
    if (declare)
        return;
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "const unsigned depth = 1; const int moved = 0;");
    gy_gen_line(g, "int best = 0, got; (void)got; (void)chan; (void)m; (void)depth; (void)moved;");
    gy_gen_hidden_here(g);
    g->offer = "chan";
    for (uint32_t pid = shape->process_count; pid-- > 0;)
        if (become(g, pid), gy_gen_takes(g))
            ask_process(g, 'f', "chan, m");
    g->offer = "0";
    gy_gen_line(g, "return best;");
    gy_gen_line(g, "vm: return VM;");
    gy_gen_close(g);
}

void gy_gen_top(gy_gen *g, bool declare)
{
    static const char highest[] = "FUNCTION int highest(struct run *r, SOURCE s, unsigned depth)%s";
    const gy_state_layout *shape = g->shape->shape;
    if (!g->model->uses_priority)
        return;
    if (!declare)
        gy_gen_line(g, "\n// The highest priority of a process that could move.");
    write_top_taker(g, declare);
    gy_gen_line(g, highest, declare ? ";" : "");
    if (declare)
        return;
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int best = 0, moved = 0, got; (void)moved;");
    gy_gen_hidden_here(g);
    for (uint32_t pid = shape->process_count; pid-- > 0;) {
        become(g, pid);
        ask_process(g, 'e', "depth, 0");
    }
    gy_gen_line(g, "return best;");
    gy_gen_line(g, "vm: return VM;");
    gy_gen_close(g);
}

void gy_gen_priority_check(gy_gen *g)
{
    const gy_state_layout_process *process = &g->shape->shape->process[g->pid];
    if (strcmp(g->offer, "0"))
        gy_gen_line(g, "int top_ = highest_taker(r, s, chan, m);");
    else
        gy_gen_line(g, "int top_ = depth ? highest(r, s, depth) : r->top;");
    gy_gen_line(g, "if (top_ < 0) return VM;");
    gy_gen_line(g, "if (GET(s, %u, %u, 0xffu) < top_) return 0;", process->offset,
                shift_of(g, process));
}

// ---- expressions ------------------------------------------------------------------------

void gy_gen_priority(gy_gen *g, const gy_expr *expr)
{
    const gy_state_layout *now = g->now;
    if (!g->model->uses_priority) {
        gy_text_add(g->out, "((void)(");
        if (expr->op == GY_E_GET_PRIORITY)
            gy_gen_expr(g, expr->a);
        else
            gy_text_char(g->out, '0');
        gy_text_add(g->out, "), 0)");
        return;
    }
    if (expr->op == GY_E_PRIORITY) {
        gy_text_printf(g->out, "GET(%s, %u, %u, 0xffu)", g->s, now->process[g->pid].offset,
                       shift_of(g, &now->process[g->pid]));
        return;
    }
    gy_text_add(g->out, "(BLOCK word who_ = (word)(");
    gy_gen_expr(g, expr->a);
    gy_text_add(g->out, "); int is_ = 0; switch (who_) { ");
    for (uint32_t pid = 0; pid < now->process_count; pid++)
        gy_text_printf(g->out, "case %u: is_ = GET(%s, %u, %u, 0xffu); break; ", pid, g->s,
                       now->process[pid].offset, shift_of(g, &now->process[pid]));
    gy_text_add(g->out, "} YIELD(is_) END_BLOCK)");
}

// Of the process that asks, and inside a step, it is for the VM.
void gy_gen_enabled(gy_gen *g, const gy_expr *expr)
{
    const gy_state_layout *shape = g->shape->shape;
    gy_text_add(g->out, "(BLOCK word who_ = (word)(");
    gy_gen_expr(g, expr->a);
    gy_text_add(g->out, "); int is_ = 0; switch (who_) { ");
    for (uint32_t pid = 0; pid < shape->process_count; pid++)
        if ((int32_t)pid == g->pid || g->s[0] != 's' || g->asks || strcmp(g->offer, "0"))
            gy_text_printf(g->out, "case %u: GIVE_UP; break; ", pid);
        else
            gy_text_printf(g->out, "case %u: is_ = e%u(r, s, depth, moved); break; ", pid, pid);
    gy_text_add(g->out, "} if (is_ < 0) GIVE_UP; YIELD(is_) END_BLOCK)");
}

void gy_gen_set_priority(gy_gen *g, const gy_action *action)
{
    const gy_state_layout *now = g->now;
    char *who = gy_gen_text(g, action->expr), *value = gy_gen_text(g, action->index);
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "word who_ = (word)(%s), to_ = (word)(%s);", who, value);
    gy_gen_line(g, "if (to_ - 1 >= 255) goto vm;");
    gy_gen_open(g, "switch (who_)");
    for (uint32_t pid = 0; pid < now->process_count; pid++)
        gy_gen_line(g, "case %u: PUT(o, %u, %u, 0xffu, to_); break;", pid, now->process[pid].offset,
                    shift_of(g, &now->process[pid]));
    gy_gen_close(g);
    gy_gen_close(g);
    free(who);
    free(value);
}
