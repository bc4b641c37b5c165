// See orbit_code.h. A block, and the elements of arrays that go with it, becomes a row of words,
// the first of them that differs decides; rows change places, and go back into the state.
#include "exec/device/orbit_code.h"

#include <stdio.h>

#include "exec/vm/state_layout.h"

// The processes of a template that may change places, in a shape: by pid.
typedef struct group {
    const gy_template *tmpl;
    uint32_t pids[GY_MAX_PROCESSES];
    uint32_t count;
} group;

// False: they keep their places.
static bool find_group(const gy_orbits *orbits, const gy_state_layout *shape, uint32_t t, group *g)
{
    g->tmpl = &orbits->model->templates[t];
    g->count = 0;
    for (uint32_t pid = 0; pid < shape->process_count && pid < orbits->slot_limit; pid++)
        if (orbits->alike[t] && shape->process[pid].tmpl == (int32_t)t)
            g->pids[g->count++] = pid;
    return g->count > 0;
}

// ---- facts --------------------------------------------------------------------------------------

static void loosen_locals(const gy_native_facts *facts, gy_native_shape *shape, const group *g)
{
    uint32_t elements = 0;
    for (int32_t v = 0; v < g->tmpl->var_count; v++)
        elements += facts->model->vars[g->tmpl->first_var + v].count;
    for (uint32_t e = 0; e < elements; e++) {
        const gy_native_constant *first = &shape->locals[shape->first[g->pids[0]] + e];
        bool same = true;
        for (uint32_t i = 0; i < g->count; i++) {
            const gy_native_constant *is = &shape->locals[shape->first[g->pids[i]] + e];
            same = same && is->known && is->value == first->value;
        }
        for (uint32_t i = 0; i < g->count && !same; i++)
            shape->locals[shape->first[g->pids[i]] + e].known = false;
    }
}

void gy_orbit_loosen(gy_native_facts *facts, const gy_orbits *orbits)
{
    group g;
    for (uint32_t i = 0; i < facts->shape_count; i++)
        for (uint32_t t = 0; t < orbits->model->template_count; t++)
            if (find_group(orbits, facts->shapes[i].shape, t, &g))
                loosen_locals(facts, &facts->shapes[i], &g);
    for (uint32_t i = 0; i < orbits->slot_count; i++)
        facts->assigned[orbits->slots[i]] = true; // elements go with their processes
}

void gy_orbit_align(gy_device_layout *l, const gy_state_layout *longest, const gy_orbits *orbits)
{
    group g;
    for (uint32_t t = 0; t < orbits->model->template_count; t++) {
        if (!find_group(orbits, longest, t, &g))
            continue;
        for (uint32_t w = 0; w < g.tmpl->words; w++) {
            uint32_t first = longest->process[g.pids[0]].offset + w, mask = 0;
            for (uint32_t i = 0; i < g.count; i++) {
                uint32_t at = longest->process[g.pids[i]].offset + w;
                mask |= l->mask[at] | (l->fixed[at] ^ l->fixed[first]);
            }
            for (uint32_t i = 0; i < g.count; i++)
                l->mask[longest->process[g.pids[i]].offset + w] = mask;
        }
    }
}

// ---- code ---------------------------------------------------------------------------------------

// Bits of a word that stand together on the device, from bit `from` on.
static uint32_t run_length(const gy_device_layout *l, uint32_t word, uint32_t from)
{
    const uint16_t *pos = l->pos + (size_t)word * 32;
    uint32_t n = 1;
    while (from + n < 32 && pos[from + n] == pos[from] + n)
        n++;
    return n;
}

static bool is_fixed(const gy_device_layout *l, uint32_t word, uint32_t bit)
{
    return l->pos[(size_t)word * 32 + bit] == GY_DEVICE_NO_BIT;
}

// What of a word can differ, or (`back`) that once more from column `column` of row `row`.
static void write_word(const gy_device_layout *l, uint32_t word, uint32_t row, uint32_t column,
                       bool back, gy_text *out)
{
    if (!back)
        gy_text_printf(out, "        row[%u][%u] = 0", row, column);
    for (uint32_t bit = 0, n; bit < 32; bit += n) {
        n = 1;
        if (is_fixed(l, word, bit))
            continue;
        n = run_length(l, word, bit);
        uint32_t at = l->pos[(size_t)word * 32 + bit];
        if (back)
            gy_text_printf(out, "            SET_BITS(s, %u, %u, 0x%xu, row[%u][%u] >> %u);\n",
                           at / 64, at % 64, ~0u >> (32 - n), row, column, bit);
        else
            gy_text_printf(out, " | (word)BITS(s, %u, %u, 0x%xu) << %u", at / 64, at % 64,
                           ~0u >> (32 - n), bit);
    }
    if (!back)
        gy_text_add(out, ";\n");
}

// Element `pid` of an array, in the order of its values. `cell`: where it is in the rows.
static void write_slot(const gy_device_layout *l, const gy_variable *var, uint32_t pid,
                       const char *cell, bool back, gy_text *out)
{
    uint32_t bit = var->shift + pid * var->stride, word = var->word + bit / 32;
    uint32_t at = l->pos[(size_t)word * 32 + bit % 32], mask = ~0u >> (32 - var->bits);
    uint32_t top = var->min < 0 ? 1u << (var->bits - 1) : 0; // the sign: negative ones come first
    if (back)
        gy_text_printf(out, "            SET_BITS(s, %u, %u, 0x%xu, %s ^ 0x%xu);\n", at / 64,
                       at % 64, mask, cell, top);
    else
        gy_text_printf(out, "        %s = (word)BITS(s, %u, %u, 0x%xu) ^ 0x%xu;\n", cell, at / 64,
                       at % 64, mask, top);
}

static bool may_end(const gy_template *tmpl)
{
    bool may = false;
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        may = may || tmpl->nodes[n].flags & GY_NODE_FINAL;
    return may;
}

static void write_ended(const gy_device_layout *l, const gy_template *tmpl, uint32_t offset,
                        uint32_t row, gy_text *out)
{
    uint32_t at = l->pos[(size_t)offset * 32];
    if (!tmpl->pc_bits || at == GY_DEVICE_NO_BIT) {
        gy_text_printf(out, "        row[%u][0] = 1;\n", row);
        return;
    }
    gy_text_printf(out, "        switch (BITS(s, %u, %u, 0x%xu)) {\n", at / 64, at % 64,
                   ~0u >> (32 - tmpl->pc_bits));
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        if (tmpl->nodes[n].flags & GY_NODE_FINAL)
            gy_text_printf(out, "        case %u:\n", n);
    gy_text_printf(out,
                   "            row[%u][0] = 0; break;\n        default: row[%u][0] = 1;\n"
                   "        }\n",
                   row, row);
}

// Row by row, or back. Returns how many columns there are.
static uint32_t write_rows(const gy_device_layout *l, const gy_orbits *orbits,
                           const gy_state_layout *shape, const group *g, bool back, gy_text *out)
{
    bool ends = may_end(g->tmpl);
    uint32_t columns = ends;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t pid = g->pids[i], offset = shape->process[pid].offset;
        columns = ends;
        if (ends && !back)
            write_ended(l, g->tmpl, offset, i, out);
        for (uint32_t w = 0; w < g->tmpl->words; w++)
            if (l->mask[offset + w])
                write_word(l, offset + w, i, columns++, back, out);
        for (uint32_t k = 0; k < orbits->slot_count; k++) {
            const gy_variable *var = &orbits->model->vars[orbits->slots[k]];
            char cell[40];
            if (!var->bits)
                continue;
            snprintf(cell, sizeof cell, "row[%u][%u]", i, columns++);
            write_slot(l, var, pid, cell, back, out);
        }
    }
    return columns;
}

// One of them has ended: by a change of places it could be the youngest, and go.
static void write_ends(const gy_model *model, const group *g, gy_text *out)
{
    gy_text_add(out, "        if (!row[0][0]) {\n");
    for (int32_t k = 0; k < g->tmpl->edge_count; k++)
        if (model->edges[g->tmpl->first_edge + k].kind == GY_EDGE_END)
            gy_text_printf(out, "            j->cover[%d] = 1;\n", g->tmpl->first_edge + k);
    gy_text_add(out, "        }\n");
}

static void write_group(const gy_device_layout *l, const gy_orbits *orbits,
                        const gy_state_layout *shape, const group *g, gy_text *out)
{
    gy_text rows = {0};
    uint32_t columns = write_rows(l, orbits, shape, g, false, &rows);
    bool youngest = g->pids[g->count - 1] + 1 == shape->process_count && may_end(g->tmpl);
    if (columns && (g->count > 1 || youngest)) {
        gy_text_printf(out, "    { // %s\n        word row[%u][%u], moved = 0;\n", g->tmpl->name,
                       g->count, columns);
        gy_text_add(out, gy_text_str(&rows));
        gy_text_printf(out, "        IN_ORDER(row, %u, %u, moved);\n", g->count, columns);
        if (youngest)
            write_ends(orbits->model, g, out);
        gy_text_add(out, "        if (moved) {\n");
        write_rows(l, orbits, shape, g, true, out);
        gy_text_add(out, "        }\n        any |= moved;\n    }\n");
    }
    gy_text_free(&rows);
}

void gy_orbit_write(const gy_device_layout *l, const gy_orbits *orbits, gy_text *out)
{
    group g;
    gy_text_add(out, "\n// Processes that nothing tells apart, in order.\n"
                     "DEVICE inline word folded(const struct job *j, st *s)\n{\n    word any = "
                     "0;\n    (void)j;\n");
    for (uint32_t i = 0; i < l->shape_count; i++) {
        gy_text_printf(out, "    if ((s->x[0] & %uu) == %u) {\n", (1u << l->shape_bits) - 1, i);
        for (uint32_t t = 0; t < orbits->model->template_count; t++)
            if (find_group(orbits, l->shapes[i].layout, t, &g))
                write_group(l, orbits, l->shapes[i].layout, &g, out);
        gy_text_add(out, "    }\n");
    }
    gy_text_add(out, "    return any;\n}\n");
}
