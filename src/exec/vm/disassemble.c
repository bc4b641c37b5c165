// The readable listing of bytecode: one instruction per line, with names where there are some.
#include "exec/vm/bytecode.h"

#include "exec/vm/vm.h"

typedef enum { FORMAT_N, FORMAT_C, FORMAT_J, FORMAT_Q, FORMAT_B, FORMAT_F, FORMAT_A } op_format;

static const struct {
    const char *name;
    op_format format;
} ops[] = {
#define GY_OP_TEXT(name, format, height) {#name, FORMAT_##format},
    GY_OPS(GY_OP_TEXT)
#undef GY_OP_TEXT
};

const char *gy_op_name(gy_op op)
{
    return (unsigned)op < GY_OP_COUNT ? ops[op].name : "?";
}

static void list_instruction(const gy_code *code, uint32_t at, gy_text *out)
{
    gy_instr i = code->ins.at[at];
    gy_op op = GY_OP_OF(i);
    gy_text_printf(out, "    %5u  %-9s", at, gy_op_name(op));
    switch (ops[op].format) {
    case FORMAT_N:
        break;
    case FORMAT_C:
        if (GY_A_OF(i) || GY_B_OF(i))
            gy_text_printf(out, " %d, %u, %u", i.c, GY_A_OF(i), GY_B_OF(i));
        else
            gy_text_printf(out, " %d", i.c);
        break;
    case FORMAT_J:
        gy_text_printf(out, " -> %d", (int32_t)at + 1 + i.c);
        break;
    case FORMAT_Q:
        gy_text_printf(out, " %d -> %d", i.c, (int32_t)at + 1 + GY_JUMP_OF(i));
        break;
    case FORMAT_B:
        gy_text_printf(out, " %d", i.c);
        break;
    case FORMAT_F:
        gy_text_printf(out, " word %d bits %u..%u", i.c, GY_B_OF(i) - GY_A_OF(i), 31 - GY_A_OF(i));
        break;
    case FORMAT_A:
        gy_text_printf(out, " word %d bit %u width %u stride %u", i.c, GY_B_OF(i) & 255, GY_A_OF(i),
                       1u << (GY_B_OF(i) >> 8));
        break;
    }
    gy_text_char(out, '\n');
}

static void list_range(const gy_code *code, const char *title, uint32_t from, uint32_t end,
                       gy_text *out)
{
    if (!from)
        return;
    gy_text_printf(out, "  %s\n", title);
    for (uint32_t at = from; at < end; at++)
        list_instruction(code, at, out);
}

// Entry points in the order of the code; each range ends where the next one starts.
typedef GY_VEC(uint32_t) entry_list;

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static entry_list all_entries(const gy_program_code *program)
{
    entry_list entries = {0};
    gy_vec_push(&entries, program->init);
    for (uint32_t i = 0; i < program->model->template_count; i++) {
        gy_vec_push(&entries, program->templates[i].provided);
        gy_vec_push(&entries, program->templates[i].init);
    }
    for (uint32_t i = 0; i < program->model->edge_count; i++) {
        gy_vec_push(&entries, program->edges[i].guard);
        gy_vec_push(&entries, program->edges[i].effect);
    }
    gy_vec_push(&entries, (uint32_t)program->code.ins.n);
    qsort(entries.at, entries.n, sizeof *entries.at, by_number);
    return entries;
}

static uint32_t end_of(const entry_list *entries, uint32_t start)
{
    for (size_t i = 0; i < entries->n; i++)
        if (entries->at[i] > start)
            return entries->at[i];
    return start;
}

static void list_edge(const gy_program_code *program, const entry_list *entries,
                      const gy_edge *edge, gy_text *out)
{
    const gy_model *model = program->model;
    const gy_vm_edge *code = &program->edges[edge->id];
    uint32_t line =
        edge->place && model->sources ? gy_location_user(model->sources, edge->place).line : 0;
    gy_text_printf(out, " edge %d: %d -> %d, line %u: %s%s\n", edge->id, edge->from, edge->to, line,
                   edge->text ? edge->text : "", edge->keeps_atomic ? "  [atomic]" : "");
    list_range(&program->code, "guard", code->guard, end_of(entries, code->guard), out);
    list_range(&program->code, "effect", code->effect, end_of(entries, code->effect), out);
}

void gy_bytecode_list(gy_system *system, gy_text *out)
{
    if (system->backend != &gy_vm_backend) {
        gy_text_printf(out, "%s has no bytecode\n", system->name);
        return;
    }
    const gy_vm *vm = system->impl;
    const gy_program_code *program = vm->program;
    entry_list entries = all_entries(program);
    gy_text_printf(out, "%zu instructions\n", program->code.ins.n);
    list_range(&program->code, "start", program->init, end_of(&entries, program->init), out);
    for (uint32_t i = 0; i < vm->model->template_count; i++) {
        const gy_template *tmpl = &vm->model->templates[i];
        const gy_vm_template *code = &program->templates[i];
        gy_text_printf(out, "%s\n", tmpl->name);
        list_range(&program->code, "provided", code->provided, end_of(&entries, code->provided),
                   out);
        list_range(&program->code, "on creation", code->init, end_of(&entries, code->init), out);
        for (int32_t k = 0; k < tmpl->edge_count; k++)
            list_edge(program, &entries, &vm->model->edges[tmpl->first_edge + k], out);
    }
    gy_vec_free(&entries);
}
