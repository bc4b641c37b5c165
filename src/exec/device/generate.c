// The code of a model for a device: prelude, tables of places, the generated functions, kernels.
#include "exec/device/generate.h"

#include "device/code.h"
#include "exec/device/orbit_code.h"
#include "exec/device/stubborn_code.h"

#include "exec/native/gen.h"

#include "base/fatal.h"
#include "model/atoms.h"

#include <stdlib.h>

// The texts, as they are in the source tree. The assembler finds the files.
__asm__(".section .rodata\n"
        ".hidden gyre_device_prelude\n.global gyre_device_prelude\n"
        "gyre_device_prelude:\n.incbin \"src/exec/device/prelude.cu\"\n.byte 0\n"
        ".hidden gyre_device_choice\n.global gyre_device_choice\n"
        "gyre_device_choice:\n.incbin \"src/exec/device/stubborn.cu\"\n.byte 0\n"
        ".hidden gyre_device_kernels\n.global gyre_device_kernels\n"
        "gyre_device_kernels:\n.incbin \"src/exec/device/kernels.cu\"\n.byte 0\n"
        ".previous\n");
extern const char gyre_device_prelude[], gyre_device_choice[], gyre_device_kernels[];

enum { MOST_SHAPES = 64, MOST_SOURCE = 4 << 20 };

static void table(gy_text *out, const char *type, const char *name, const uint32_t *at, size_t n)
{
    gy_text_printf(out, "TABLE %s %s[] = {", type, name);
    for (size_t i = 0; i < n; i++)
        gy_text_printf(out, "%s%u", i ? "," : "", at[i]);
    gy_text_add(out, "};\n");
}

// Runs of bits of a word that stand together on the device too.
static void write_runs(const gy_device_layout *l, gy_text *out)
{
    size_t most = (size_t)l->words * 32 + 1, runs = 0;
    uint32_t *first = gy_alloc_zero((l->words + 1) * sizeof *first);
    uint32_t *pos = gy_alloc_zero(most * sizeof *pos), *shift = gy_alloc_zero(most * sizeof *shift);
    uint32_t *length = gy_alloc_zero(most * sizeof *length);
    for (uint32_t w = 0; w < l->words; w++) {
        first[w] = (uint32_t)runs;
        for (uint32_t bit = 0; bit < 32; bit++) {
            uint32_t at = l->pos[w * 32 + bit];
            if (at == GY_DEVICE_NO_BIT)
                continue;
            bool joins = runs > first[w] && shift[runs - 1] + length[runs - 1] == bit &&
                         pos[runs - 1] + length[runs - 1] == at;
            if (!joins) {
                pos[runs] = at;
                shift[runs++] = bit;
            }
            length[runs - 1]++;
        }
    }
    first[l->words] = (uint32_t)runs;
    runs += !runs; // an array has an element
    table(out, "unsigned short", "run_first", first, l->words + 1);
    table(out, "unsigned short", "run_pos", pos, runs);
    table(out, "unsigned char", "run_shift", shift, runs);
    table(out, "unsigned char", "run_length", length, runs);
    table(out, "unsigned int", "fixed", l->fixed, l->words);
    free(first);
    free(pos);
    free(shift);
    free(length);
}

static void write_places(const gy_device_layout *l, gy_text *out)
{
    uint32_t *pos = gy_alloc_zero((size_t)l->words * 32 * sizeof *pos);
    for (size_t i = 0; i < (size_t)l->words * 32; i++)
        pos[i] = l->pos[i];
    table(out, "unsigned short", "pos", pos, (size_t)l->words * 32);
    free(pos);
    write_runs(l, out);
}

// Its next state, by the values of what it watches.
static void write_monitor(const gy_device_layout *l, const gy_device_monitor *monitor, gy_text *out)
{
    size_t rows = (size_t)1 << (monitor->bits + monitor->watched_count);
    gy_text_add(out, "\nTABLE unsigned short monitor_next[] = {");
    for (size_t i = 0; i < rows; i++)
        gy_text_printf(out, "%s%u", i ? "," : "", monitor->next[i]);
    gy_text_add(out, "};\nDEVICE inline word monitored(struct run *r, const st *s)\n{\n"
                     "    word letter = 0;\n");
    for (uint32_t i = 0; i < l->shape_count; i++)
        gy_text_printf(out, "    if ((s->x[0] & %uu) == %u) letter = letter_%u(r, s);\n",
                       (1u << l->shape_bits) - 1, i, i);
    gy_text_printf(out,
                   "    return monitor_next[(word)(s->x[0] >> MONITOR_SHIFT & MONITOR_MASK) << %u "
                   "| letter];\n}\n",
                   monitor->watched_count);
}

// Tables come before the functions that use them, but their macros come with the prelude: it is cut
// where it says so.
// True: with choices.
static bool write_source(const gy_vm *vm, gy_native_facts *facts, const gy_device_layout *l,
                         const gy_device_wants *asked, gy_text *out)
{
    gy_device_wants given = *asked, *wants = &given;
    gy_text choices = {0};
    if (wants->choices && !gy_choice_write(l, vm->model, wants->choices, &choices))
        wants->choices = NULL;
    const gy_device_monitor *monitor = wants->monitor;
    static const char cut[] = "// ---- bits";
    const char *rest = strstr(gyre_device_prelude, cut);
    gy_text_printf(out, "#define PARTS %u\n#define USES_MARK\n", l->parts);
    if (monitor)
        gy_text_printf(out, "#define MONITOR_SHIFT %u\n#define MONITOR_MASK 0x%llxull\n",
                       l->shape_bits, (1ull << monitor->bits) - 1);
    if (wants->compact && l->parts > 1)
        gy_text_add(out, "#define COMPACT\n");
    if (wants->choices)
        gy_choice_write_limits(l, vm->model, wants->choices, out);
    gy_text_bytes(out, gyre_device_prelude, (size_t)(rest - gyre_device_prelude));
    write_places(l, out);
    gy_text_add(out, rest);
    if (wants->choices) {
        gy_text_add(out, gyre_device_choice);
        gy_text_add(out, gy_text_str(&choices));
    }
    gy_text_free(&choices);
    gy_device_write(vm, facts, l, wants, out);
    if (monitor)
        write_monitor(l, monitor, out);
    if (wants->orbits) {
        gy_text_add(out, "#define FOLDS\n");
        gy_orbit_write(l, wants->orbits, out);
    }
    // One shape after the other, so that a block stays together whatever its states are.
    gy_text_add(out, "\nDEVICE inline int successors(struct run *r, const st *s, word mine)\n{\n"
                     "    int any = 0;\n");
    for (uint32_t i = 0; i < l->shape_count; i++) {
        gy_text_printf(out, "    word in_%u = mine && (s->x[0] & %uu) == %u;\n", i,
                       (1u << l->shape_bits) - 1, i);
        gy_text_printf(out, "    if (ANY_IN_SHAPE(in_%u)) any |= gyre_shape_%u(r, s, in_%u);\n", i,
                       i, i);
    }
    gy_text_add(out, "    return any;\n}\n");
    gy_text_add(out, gyre_device_kernels);
    return wants->choices != NULL;
}

// What no code on a device can do. Static text, or NULL.
static const char *refusal(const gy_system *system)
{
    const gy_model *model = system->model;
    bool lossy;
    if (!model || !gy_system_layouts(system, &lossy))
        return "its states are not Gyre's own";
    if (model->c_code_count || model->c_unit_count)
        return "it contains embedded C";
    if (model->last_fades)
        return "it reads _last";
    if (model->uses_choice)
        return "nondeterministic values are executed in the VM";
    if (model->trace != GY_NONE && !gy_gen_covers_trace(model))
        return "this trace assertion is executed in the VM";
    // Who may take an offer is asked by code that no device has run.
    for (uint32_t t = 0; t < model->channel_type_count; t++)
        if (!model->channel_types[t].capacity && (model->uses_priority || model->uses_enabled))
            return "it has rendezvous in addition to priorities or enabled()";
    for (uint32_t v = 0; v < model->var_count; v++)
        if (model->vars[v].hidden && !model->vars[v].removed)
            return "it has hidden variables";
    return NULL;
}

typedef struct model_code {
    gy_device_code code; // first
    gy_device_layout *layout;
} model_code;

static bool pack(const gy_device_code *code, const gy_word *state, uint32_t words, uint64_t *packed)
{
    const gy_device_layout *l = ((const model_code *)code)->layout;
    uint32_t own = l->monitor_bits ? 1 : 0;
    if (!gy_device_pack(l, state, words - own, packed))
        return false;
    if (own)
        packed[0] |= (uint64_t)state[words - 1] << l->shape_bits;
    return true;
}

static uint32_t unpack(const gy_device_code *code, const uint64_t *packed, gy_word *state)
{
    const gy_device_layout *l = ((const model_code *)code)->layout;
    uint32_t words = gy_device_unpack(l, packed, state);
    if (l->monitor_bits)
        state[words++] = (gy_word)(packed[0] >> l->shape_bits & ((1ull << l->monitor_bits) - 1));
    return words;
}

static void free_code(gy_device_code *code)
{
    gy_device_layout_free(((model_code *)code)->layout);
    gy_text_free(&code->source);
    free(code);
}

// What only the VM can say of a state.
static bool is_for_machine(const gy_expr *expr)
{
    return expr && (expr->op == GY_E_ENABLED || expr->op == GY_E_C || expr->op == GY_E_TIMEOUT ||
                    is_for_machine(expr->a) || is_for_machine(expr->b) || is_for_machine(expr->c));
}

static const char *monitor_refusal(const gy_model *model, const gy_device_monitor *monitor)
{
    for (uint32_t i = 0; monitor && i < monitor->watched_count; i++)
        if (is_for_machine(gy_atom_expr(model, monitor->watched[i])))
            return "the atomic propositions of the formula are evaluated in the VM";
    return NULL;
}

gy_device_code *gy_device_code_new(gy_system *system, const gy_device_wants *wants, char **problem)
{
    const gy_device_monitor *monitor = wants->monitor;
    const char *why = refusal(system);
    why = why ? why : monitor_refusal(system->model, monitor);
    gy_native_facts *facts =
        why ? NULL : gy_native_facts_find(system->impl, MOST_SHAPES, NULL, NULL);
    gy_device_layout *layout = NULL;
    if (facts && wants->orbits)
        gy_orbit_loosen(facts, wants->orbits);
    if (facts && !facts->shape_count)
        why = "it has no states to learn from";
    else if (facts && !(layout = gy_device_layout_new(facts, wants)))
        why = "its states have too many bits";
    gy_device_code *code = NULL;
    if (layout) {
        model_code *model = gy_alloc_zero(sizeof *model);
        code = &model->code;
        *code = (gy_device_code){.parts = layout->parts,
                                 .most_words = layout->words + (monitor != NULL),
                                 .pack = pack,
                                 .unpack = unpack,
                                 .free = free_code};
        model->layout = layout;
        code->compact = wants->compact && layout->parts > 1;
        code->chooses = write_source(system->impl, facts, layout, wants, &code->source);
        if (code->source.n > MOST_SOURCE) {
            gy_device_code_free(code);
            code = NULL;
            why = "its code is too long";
        }
    }
    gy_native_facts_free(facts);
    if (!code)
        *problem = strdup(why);
    return code;
}

void gy_device_source(gy_system *system, gy_text *out)
{
    char *problem = NULL;
    gy_device_code *code = gy_device_code_new(system, &(gy_device_wants){0}, &problem);
    if (code)
        gy_text_add(out, gy_text_str(&code->source));
    else
        gy_text_printf(out, "// no code for a device: %s\n", problem);
    gy_device_code_free(code);
    free(problem);
}
