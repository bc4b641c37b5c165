// See stubborn_code.h; `chosen` in stubborn.cu reads the tables.
#include "exec/device/stubborn_code.h"

#include "exec/vm/state_layout.h"

#include "base/fatal.h"

#include <stdlib.h>

void gy_choice_write_limits(const gy_device_layout *l, const gy_model *model,
                            const gy_choice_maker *choices, gy_text *out)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < l->shape_count; i++)
        if (l->shapes[i].layout->process_count > most)
            most = l->shapes[i].layout->process_count;
    gy_text_printf(out, "#define CHOOSES\n#define CREW %u\n#define MOST_KEPT %u\n", most,
                   choices->most_kept);
    uint8_t *position = gy_alloc_zero(model->edge_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t n = 0; n < model->templates[t].node_count; n++) {
            const gy_node *node = &model->templates[t].nodes[n];
            for (int32_t k = 0; k < node->edge_count; k++)
                position[node->first_edge + k] = (uint8_t)(k < 255 ? k : 255);
        }
    gy_text_add(out, "#define EDGE_POSITIONS {");
    for (uint32_t e = 0; e < model->edge_count; e++)
        gy_text_printf(out, "%s%u", e ? "," : "", position[e]);
    gy_text_add(out, "}\n");
    free(position);
}

// ---- tables -------------------------------------------------------------------------------------

static void write_processes(const gy_device_layout *l, const gy_state_layout *shape,
                            const gy_model *model, const gy_choice_table *t, uint32_t number,
                            gy_text *out)
{
    gy_text_printf(out, "TABLE word choice_process_%u[][3] = {", number);
    for (uint32_t pid = 0; pid < t->processes; pid++) {
        uint32_t bits = model->templates[shape->process[pid].tmpl].pc_bits;
        uint32_t at = l->pos[(size_t)shape->process[pid].offset * 32];
        bool known = !bits || at == GY_DEVICE_NO_BIT;
        gy_text_printf(out, "{%u,0x%xu,%u},", known ? 0 : at, known ? 0 : ~0u >> (32 - bits),
                       t->place.at[pid]);
    }
    gy_text_add(out, "};\n");
}

static void write_edges(const gy_choice_table *t, uint32_t number, gy_text *out)
{
    gy_text_printf(out, "TABLE word choice_node_%u[] = {", number);
    for (size_t i = 0; i < t->node.n; i++)
        gy_text_printf(out, "%u,", t->node.at[i]);
    gy_text_printf(out, "};\nTABLE word choice_edge_%u[][5] = {", number);
    for (size_t i = 0; i < t->edges.n; i++) {
        const gy_choice_edge *e = &t->edges.at[i];
        gy_text_printf(out, "{%u,%u,%u,%u,%u},", e->flags, e->conflicts, e->always, e->first_wait,
                       e->wait_count);
    }
    gy_text_printf(out, "{0}};\nTABLE word choice_wait_%u[][2] = {", number);
    for (size_t i = 0; i < t->waits.n; i++)
        gy_text_printf(out, "{%u,%u},", t->waits.at[i].row, t->waits.at[i].question);
    gy_text_printf(out, "{0}};\nTABLE word choice_row_%u[] = {", number);
    for (size_t i = 0; i < t->rows.n; i++)
        gy_text_printf(out, "0x%x,", t->rows.at[i]);
    gy_text_add(out, "0};\n");
}

// What never changes is answered here.
static void write_question(const gy_device_layout *l, const gy_choice_question *q, gy_text *out)
{
    uint32_t at = q->bits ? l->pos[(size_t)q->word * 32 + q->shift] : GY_DEVICE_NO_BIT;
    if (at != GY_DEVICE_NO_BIT) {
        gy_text_printf(out, "{%u,%u,%u,0x%xu,0x%xu,%d,%d},", at, 32 - q->bits, q->is_signed, q->low,
                       q->span, q->if_so, q->if_not);
        return;
    }
    gy_choice_answer answer = q->if_so;
    if (q->bits) {
        uint32_t high = l->fixed[q->word] << (32 - q->shift - q->bits);
        uint32_t value =
            q->is_signed ? (uint32_t)((int32_t)high >> (32 - q->bits)) : high >> (32 - q->bits);
        answer = value - q->low <= q->span ? q->if_so : q->if_not;
    }
    gy_text_printf(out, "{0,0,0,0,0xffffffffu,%d,%d},", answer, answer);
}

static void write_table(const gy_device_layout *l, const gy_model *model, const gy_choice_table *t,
                        uint32_t number, gy_text *out)
{
    write_processes(l, l->shapes[number].layout, model, t, number, out);
    write_edges(t, number, out);
    gy_text_printf(out, "TABLE word choice_question_%u[][7] = {", number);
    for (size_t i = 0; i < t->questions.n; i++)
        write_question(l, &t->questions.at[i], out);
    gy_text_printf(out,
                   "{0}};\nDEVICE inline u64 choice_%u(struct run *r, const st *s)\n{\n"
                   "    struct choice c = {choice_process_%u, choice_node_%u, choice_edge_%u, "
                   "choice_wait_%u, choice_question_%u, choice_row_%u, %u, %u, %d};\n"
                   "    return chosen(r, s, &c);\n}\n",
                   number, number, number, number, number, number, number, t->processes,
                   t->row_words, t->escapes);
}

// Are the relevant values the same in all states of the shape?
static bool is_for_all(const gy_device_layout *l, const gy_choice_table *t)
{
    bool all = true;
    for (size_t i = 0; i < t->masks.n; i++)
        all = all && !(l->mask[t->masks.at[i].word] & t->masks.at[i].bits);
    return all;
}

bool gy_choice_write(const gy_device_layout *l, const gy_model *model,
                     const gy_choice_maker *choices, gy_text *out)
{
    gy_word *state = gy_alloc_zero((l->words + 1) * sizeof *state);
    bool any = false;
    for (uint32_t i = 0; i < l->shape_count; i++) {
        uint64_t packed[GY_DEVICE_MOST_PARTS] = {i};
        uint32_t words = gy_device_unpack(l, packed, state);
        gy_choice_table table;
        bool good = choices->table(choices->self, state, words, &table) && is_for_all(l, &table);
        if (good)
            write_table(l, model, &table, i, out);
        else
            gy_text_printf(out,
                           "DEVICE inline u64 choice_%u(struct run *r, const st *s)\n{\n"
                           "    (void)r, (void)s;\n    return EVERYONE;\n}\n",
                           i);
        any = any || good;
        gy_choice_table_free(&table);
    }
    free(state);
    return any;
}
