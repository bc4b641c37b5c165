// Embedded C, called from the generated code: the host runs fragments by their numbers
// (exec/embedded), on the current state and as the process that is at work.
//
// One that fails leaves the state to the VM, which finds the message.
#include "exec/native/gen.h"

bool gy_gen_covers_c(const gy_gen *g, const gy_c_code *code)
{
    return code && !g->device;
}

static void call(gy_gen *g, const gy_c_code *code, bool is_statement, gy_text *out)
{
    gy_text_printf(out, "r->c(r, %s%s, %d, %d, %d, &c_)", is_statement ? "" : "(word *)", g->s,
                   g->pid, code->id, is_statement);
}

// The host knows the shape that the code is for, and no other.
static bool is_known_shape(const gy_gen *g)
{
    return g->now == g->shape->shape;
}

void gy_gen_c_value(gy_gen *g, const gy_c_code *code)
{
    if (!is_known_shape(g)) {
        gy_text_add(g->out, "NOTHING");
        return;
    }
    gy_text_add(g->out, "(BLOCK int c_; if (unlikely(");
    call(g, code, false, g->out);
    gy_text_add(g->out, ")) GIVE_UP; YIELD(c_) END_BLOCK)");
}

void gy_gen_c_statement(gy_gen *g, const gy_c_code *code)
{
    if (!is_known_shape(g)) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    gy_text text = {0};
    call(g, code, true, &text);
    gy_gen_line(g, "{ int c_; if (unlikely(%s)) goto vm; }", gy_text_str(&text));
    gy_text_free(&text);
    uint32_t words = g->model->templates[g->tmpl].words;
    if (g->model->global_words)
        gy_gen_line(g, "WROTE_RANGE(0, %u);", g->model->global_words - 1);
    if (words)
        gy_gen_line(g, "WROTE_RANGE(%u, %u);", g->base, g->base + words - 1);
}
