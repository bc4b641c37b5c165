// Writing C: lines, blocks, comments, and the whole file.
//
// The file: the prelude, then for each shape its channels as tables, its processes from the
// youngest to the oldest as functions, and the function that tries them all.
#include "exec/native/gen.h"
#include "exec/native/gen_prelude.h"
#include "exec/native/native.h"
#include "model/atoms.h"

#include <stdio.h>

static void indent(gy_gen *g)
{
    for (uint32_t i = 0; i < g->indent; i++)
        gy_text_add(g->out, "    ");
}

static void write_numbers(gy_gen *g)
{
    if (!g->numbers.mask)
        return;
    indent(g);
    gy_text_printf(g->out, "PUT_NUMBER(o, %u, 0x%xu, 0x%xu); // %s\n", g->numbers.word,
                   g->numbers.mask, g->numbers.value, g->numbers.comment);
    g->numbers.mask = 0;
}

void gy_gen_number(gy_gen *g, gy_gen_place place, uint32_t value, const char *comment)
{
    uint32_t mask = ~0u >> (32 - place.bits);
    size_t used;
    if (g->numbers.mask && g->numbers.word != place.word)
        write_numbers(g);
    if (!g->numbers.mask) {
        g->numbers.word = place.word;
        g->numbers.value = 0;
        g->numbers.comment[0] = 0;
    }
    g->numbers.value &= ~(mask << place.shift);
    g->numbers.value |= (value & mask) << place.shift;
    g->numbers.mask |= mask << place.shift;
    used = strlen(g->numbers.comment);
    snprintf(g->numbers.comment + used, sizeof g->numbers.comment - used, "%s%s", used ? " " : "",
             comment);
}

void gy_gen_line(gy_gen *g, const char *format, ...)
{
    va_list args;
    write_numbers(g);
    indent(g);
    va_start(args, format);
    gy_text_vprintf(g->out, format, args);
    va_end(args);
    gy_text_char(g->out, '\n');
}

void gy_gen_open(gy_gen *g, const char *format, ...)
{
    va_list args;
    write_numbers(g);
    indent(g);
    va_start(args, format);
    gy_text_vprintf(g->out, format, args);
    va_end(args);
    gy_text_add(g->out, *format ? " {\n" : "{\n");
    g->indent++;
}

void gy_gen_close(gy_gen *g)
{
    write_numbers(g);
    g->indent--;
    gy_gen_line(g, "}");
}

// Text for a // comment: one line, and no backslash at its end.
static void add_comment(gy_text *out, const char *text)
{
    for (; *text; text++)
        gy_text_char(out, *text == '\n' || *text == '\r' || *text == '\\' ? ' ' : *text);
}

void gy_gen_edge_comment(gy_gen *g, const gy_edge *edge)
{
    write_numbers(g);
    indent(g);
    gy_text_printf(g->out, "// edge %d, ", gy_gen_edge(g, edge));
    if (edge->place && g->model->sources) {
        gy_location_info place = gy_location_user(g->model->sources, edge->place);
        const char *file = gy_source_name(g->model->sources, place.file);
        const char *slash = strrchr(file, '/'); // the directory does not matter to the cache
        add_comment(g->out, slash ? slash + 1 : file);
        gy_text_printf(g->out, ":%u: ", place.line);
    }
    add_comment(g->out, edge->text ? edge->text : "");
    gy_text_char(g->out, '\n');
}

// ---- one shape ------------------------------------------------------------------------

// In instructions. Longer ones are left to the library.
static void write_told_copy(gy_gen *g, uint32_t words)
{
    enum { MOST = 64 };
    uint32_t w = 0;
    gy_text_add(g->out, "#ifdef TOLD\n#define COPY_WORDS(o, s) ");
    if (words > MOST) {
        gy_text_add(g->out, "memcpy(o, s, W * sizeof(word));\n#endif\n");
        return;
    }
    gy_text_add(g->out, "__asm__(\"");
    for (; w + 4 <= words; w += 4)
        gy_text_printf(g->out, "movups %u(%%1), %%%%xmm0\\n movups %%%%xmm0, %u(%%0)\\n ", 4 * w,
                       4 * w);
    for (; w + 2 <= words; w += 2)
        gy_text_printf(g->out, "movq %u(%%1), %%%%rdx\\n movq %%%%rdx, %u(%%0)\\n ", 4 * w, 4 * w);
    if (w < words)
        gy_text_printf(g->out, "movl %u(%%1), %%%%edx\\n movl %%%%edx, %u(%%0)\\n ", 4 * w, 4 * w);
    gy_text_add(g->out, "\" : : \"D\"(o), \"S\"(s) : \"rdx\");\n#endif\n");
}

// How to copy a state. In pieces, since compilers make slow string instructions of a longer
// memcpy; not in line if there are many, since compilers take their time over them.
static void write_copy(gy_gen *g, uint32_t number)
{
    enum { FEW = 20, MANY = 32, TOO_MANY = 400 };
    uint32_t words = g->shape->shape->words, w = 0;
    bool in_pieces = words > FEW && words <= TOO_MANY;
    gy_text_add(g->out, "#undef COPY_WORDS\n");
    write_told_copy(g, words);
    gy_text_add(g->out,
                "#ifdef __TINYC__\n#ifndef TOLD\n"
                "#define COPY_WORDS(o, s) memcpy(o, s, W * sizeof(word));\n#endif\n#else\n");
    if (words > MANY) {
        gy_gen_line(g, "static __attribute__((noinline)) void copy_%u(word *o, const word *s)",
                    number);
        gy_text_add(g->out, "{ ");
    } else
        gy_text_add(g->out, "#define COPY_WORDS(o, s) ");
    for (; in_pieces && w + 4 <= words; w += 4)
        gy_text_printf(g->out, "QUAD(o, s, %u) ", w);
    for (; in_pieces && w < words; w++)
        gy_text_printf(g->out, "(o)[%u] = (s)[%u]; ", w, w);
    if (!in_pieces)
        gy_text_add(g->out, "memcpy(o, s, W * sizeof(word));");
    gy_text_add(g->out, words > MANY ? "}\n" : "\n");
    if (words > MANY)
        gy_gen_line(g, "#define COPY_WORDS(o, s) copy_%u(o, s);", number);
    gy_text_add(g->out, "#endif\n");
}

static void write_tables(gy_gen *g, uint32_t number)
{
    const gy_state_layout *shape = g->shape->shape;
    gy_gen_line(g, "#undef W");
    gy_gen_line(g, "#define W %u // words of a state", shape->words);
    gy_gen_line(g, "#undef K");
    gy_gen_line(g, "#define K %u // see WROTE", gy_written_shift(shape->words));
    if (!g->device)
        write_copy(g, number);
    if (!shape->channel_count)
        return;
    gy_text_printf(g->out, "TABLE word channel_at_%u[] = {0", number);
    for (uint32_t i = 0; i < shape->channel_count; i++)
        gy_text_printf(g->out, ", %u", shape->channel[i].offset);
    gy_text_printf(g->out, "};\nTABLE word channel_type_%u[] = {~0u", number);
    for (uint32_t i = 0; i < shape->channel_count; i++)
        gy_text_printf(g->out, ", %d", shape->channel[i].type);
    gy_text_printf(g->out, "};\nTABLE word channel_capacity_%u[] = {0", number);
    for (uint32_t i = 0; i < shape->channel_count; i++)
        gy_text_printf(g->out, ", %u", g->model->channel_types[shape->channel[i].type].capacity);
    gy_text_printf(g->out, "};\nTABLE word channel_length_%u[][3] = {{0}", number);
    for (uint32_t i = 0; i < shape->channel_count; i++) {
        const gy_channel_type *type = &g->model->channel_types[shape->channel[i].type];
        gy_text_printf(g->out, ", {%u, %u, 0x%xu}", shape->channel[i].offset + type->length_word,
                       type->length_shift, ~(~0u << type->length_bits));
    }
    gy_text_printf(g->out, "};\n");
    gy_gen_line(g, "#undef CHANNELS\n#undef channel_at\n#undef channel_type\n"
                   "#undef channel_capacity\n#undef channel_length");
    gy_gen_line(g, "#define CHANNELS %uu", shape->channel_count);
    gy_gen_line(g, "#define channel_at channel_at_%u", number);
    gy_gen_line(g, "#define channel_type channel_type_%u", number);
    gy_gen_line(g, "#define channel_capacity channel_capacity_%u", number);
    gy_gen_line(g, "#define channel_length channel_length_%u", number);
}

static void become(gy_gen *g, uint32_t pid)
{
    g->pid = (int32_t)pid;
    g->tmpl = g->shape->shape->process[pid].tmpl;
    g->base = g->shape->shape->process[pid].offset;
}

// The assumptions about local variables that the code relies on, word by word.
static void write_checks(gy_gen *g)
{
    const gy_state_layout *shape = g->shape->shape;
    gy_word *mask = gy_alloc_zero((shape->words + 1) * sizeof *mask);
    gy_word *value = gy_alloc_zero((shape->words + 1) * sizeof *value);
    for (uint32_t pid = 0; pid < shape->process_count; pid++) {
        const gy_template *tmpl = &g->model->templates[shape->process[pid].tmpl];
        for (int32_t v = tmpl->first_var; v < tmpl->first_var + tmpl->var_count; v++)
            for (uint32_t i = 0; i < g->model->vars[v].count; i++) {
                const gy_variable *var = &g->model->vars[v];
                const gy_native_constant *constant =
                    &g->shape->locals[g->shape->first[pid] + g->facts->element[v] + i];
                if (!constant->used || !var->bits)
                    continue;
                uint32_t bit = var->shift + i * var->stride;
                uint32_t word = shape->process[pid].offset + var->word + bit / 32;
                uint32_t bits = ~0u >> (32 - var->bits);
                mask[word] |= bits << bit % 32;
                value[word] |= ((uint32_t)constant->value & bits) << bit % 32;
            }
    }
    for (uint32_t w = 0; w < shape->words; w++)
        if (mask[w] && !(g->device && !(mask[w] & g->device->mask[w])))
            gy_gen_line(g, "if ((WORD(s, %u) & 0x%xu) != 0x%xu) %s", w, mask[w], value[w],
                        g->device ? "{ if (mine) r->bad = 1; r->on = 0; }" : "return VM;");
    free(mask);
    free(value);
}

// What a process can do, as a part of the function of the shape or by a call.
static void write_process(gy_gen *g, uint32_t pid)
{
    const gy_text *body = &g->bodies[pid];
    if (!body->n) {
        gy_gen_line(g, "if ((got = p%u(r, s, 0, 0)) < 0) return got; any |= got;", pid);
        return;
    }
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "enum { depth = 0, before = 0 };");
    gy_text_bytes(g->out, body->at, body->n);
    gy_gen_line(g, "any |= moved;");
    gy_gen_close(g);
}

// One process alone: it is begun with that, and left after it. The many ways in cost some percent.
static void write_one_or_all(gy_gen *g)
{
    gy_gen_open(g, "switch (only)");
    gy_gen_line(g, "default:");
    for (uint32_t pid = g->shape->shape->process_count; pid-- > 0;) {
        gy_gen_line(g, "case %u:;", pid + 1);
        write_process(g, pid);
        gy_gen_line(g, "if (only) return any;");
    }
    gy_gen_line(g, "case 0xffff: break;");
    gy_gen_close(g);
}

static void write_all_processes(gy_gen *g, uint32_t number)
{
    gy_gen_line(g, "\n// All successors of a state of this shape.");
    gy_gen_line(g, "int gyre_shape_%u(struct run *r, SOURCE s)", number);
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int any = 0, got;%s", g->singles ? " uint32_t only = r->only;" : "");
    write_checks(g);
    gy_gen_line(g, "r->timeout = 0;");
    if (g->model->uses_timeout)
        gy_gen_line(g, "again:");
    if (g->model->uses_priority)
        gy_gen_line(g, "if ((r->top = highest(r, s, 0)) < 0) return VM;");
    if (g->singles)
        write_one_or_all(g);
    for (uint32_t pid = g->shape->shape->process_count; !g->singles && pid-- > 0;)
        write_process(g, pid);
    if (g->model->uses_timeout)
        gy_gen_line(g, "if (!any && !r->timeout) { r->timeout = 1; goto again; }");
    gy_gen_line(g, "return any;");
    gy_gen_line(g, "vm: return VM;");
    gy_gen_close(g);
}

// If no process would be enabled, once more with timeouts. (Which threads of a block have them is
// theirs to know.)
static void write_device_timeout(gy_gen *g)
{
    if (!g->model->uses_timeout)
        return;
    gy_gen_line(g, "r->on = r->on && !any && !r->timeout;");
    gy_gen_line(g, "if (ANY(r->on)) { %sr->timeout = 1; goto again; }",
                g->chooses ? "timeout = r->on; " : "");
}

// What all processes can do was noted: now those that suffice do it. By the same code, since there
// is much of it. What is noted of the states of other threads, which are in other shapes, stays.
static void write_device_choice(gy_gen *g, uint32_t number)
{
    gy_gen_open(g, "if (noting)");
    write_device_timeout(g);
    gy_gen_line(g, "noting = 0;");
    gy_gen_line(g, "r->on = mine && !r->bad;");
    gy_gen_line(g, "r->timeout = timeout;");
    gy_gen_line(g, "if (mine) keep = kept(r, r->on ? choice_%u(r, s) : EVERYONE);", number);
    gy_gen_line(g, "goto again;");
    gy_gen_close(g);
}

// The threads of a block go through it together, each with a state of its own or none.
static void write_device_shape(gy_gen *g, uint32_t number)
{
    gy_gen_line(g, "\n// All successors of a state of this shape.");
    gy_gen_line(g, "FUNCTION int gyre_shape_%u(struct run *r, SOURCE s, word mine)", number);
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int any = 0, got;");
    gy_gen_line(g, "r->timeout = 0;");
    gy_gen_line(g, "r->on = mine;");
    write_checks(g);
    if (g->chooses)
        gy_gen_line(g,
                    "int timeout = 0, noting = 1; u64 keep = EVERYONE; if (mine) begin_notes(r);");
    if (g->chooses || g->model->uses_timeout)
        gy_gen_line(g, "again:");
    if (g->model->uses_priority) {
        gy_gen_line(g, "r->top = r->on ? highest(r, s, 0) : 0;");
        gy_gen_line(g, "if (r->top < 0 || r->bad) r->bad |= r->on, r->on = 0;");
    }
    for (uint32_t pid = g->shape->shape->process_count; pid-- > 0;) {
        if (g->chooses)
            gy_gen_line(g, "got = r->on && (keep >> %u & 1) ? p%u(r, s, 0, 0) : 0;", pid & 63, pid);
        else
            gy_gen_line(g, "got = r->on ? p%u(r, s, 0, 0) : 0;", pid);
        gy_gen_line(g, "TRIED(any);");
    }
    if (g->chooses)
        write_device_choice(g, number);
    else
        write_device_timeout(g);
    gy_gen_line(g, "return any;");
    gy_gen_close(g);
}

static void write_shape(gy_gen *g, uint32_t number)
{
    const gy_state_layout *shape = g->shape->shape;
    gy_gen_line(g, "\n// ---- shape %u: %u processes, %u channels ----", number,
                shape->process_count, shape->channel_count);
    write_tables(g, number);
    g->bodies = g->device ? NULL : gy_alloc_zero((shape->process_count + 1) * sizeof *g->bodies);
    gy_gen_top(g, true);
    for (int declare = 1; declare >= 0; declare--)
        for (uint32_t pid = shape->process_count; pid-- > 0;) {
            become(g, pid);
            gy_gen_process(g, declare);
        }
    gy_gen_top(g, false);
    if (g->device)
        write_device_shape(g, number);
    else
        write_all_processes(g, number);
    for (uint32_t pid = 0; g->bodies && pid < shape->process_count; pid++)
        gy_text_free(&g->bodies[pid]);
    free(g->bodies);
    g->bodies = NULL;
    // Names of functions are per shape.
    for (uint32_t pid = shape->process_count; pid-- > 0;)
        gy_gen_line(g, "#undef p%u\n#undef q%u\n#undef e%u\n#undef f%u", pid, pid, pid, pid);
    gy_gen_line(g, "#undef highest\n#undef highest_taker");
}

// Names of functions: p3 of shape 2 is p3_2.
static void write_named(gy_gen *g, gy_native_shape *shape, uint32_t number)
{
    g->shape = shape;
    g->now = shape->shape;
    for (uint32_t pid = 0; pid < shape->shape->process_count; pid++)
        gy_text_printf(g->out,
                       "#define p%u p%u_%u\n#define q%u q%u_%u\n#define e%u e%u_%u\n"
                       "#define f%u f%u_%u\n",
                       pid, pid, number, pid, pid, number, pid, pid, number, pid, pid, number);
    gy_text_printf(g->out, "#define highest highest_%u\n#define highest_taker highest_taker_%u\n",
                   number, number);
    write_shape(g, number);
}

static gy_gen start(const gy_vm *vm, const gy_native_facts *facts, gy_text *out)
{
    return (gy_gen){
        .model = vm->model,
        .program = vm->program,
        .shapes = vm->shapes,
        .facts = facts,
        .out = out,
        .lossy = vm->lossy,
        .s = "s",
        .offer = "0",
        .timeout = "0",
    };
}

void gy_native_write(const gy_vm *vm, gy_native_facts *facts, size_t enough, bool singles,
                     gy_text *out)
{
    gy_gen g = start(vm, facts, out);
    g.singles = singles;
    gy_text_add(out, gy_native_prelude);
    if (facts->shape_count) {
        g.shape = &facts->shapes[0];
        g.now = g.shape->shape;
        gy_gen_trace(&g);
    }
    facts->written = 0;
    for (uint32_t i = 0; i < facts->shape_count && out->n <= enough; i++) {
        write_named(&g, &facts->shapes[i], i);
        facts->written++;
    }
}

// The values of what a monitor watches in a state of this shape, the first one in bit 0.
static void write_letter(gy_gen *g, const gy_device_monitor *monitor, uint32_t number)
{
    if (g->shape->shape->process_count)
        become(g, 0);
    gy_gen_line(g, "\nFUNCTION word letter_%u(struct run *r, SOURCE s)", number);
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "word letter = 0; (void)r;");
    for (uint32_t i = 0; i < monitor->watched_count; i++) {
        const gy_expr *expr = gy_atom_expr(g->model, monitor->watched[i]);
        if (!gy_gen_covers(g, expr)) {
            gy_gen_line(g, "GIVE_UP;");
            continue;
        }
        char *text = gy_gen_text(g, expr);
        gy_gen_line(g, "letter |= (word)((%s) != 0) << %u;", text, i);
        free(text);
    }
    gy_gen_line(g, "return letter;");
    gy_gen_close(g);
}

void gy_device_write(const gy_vm *vm, gy_native_facts *facts, const gy_device_layout *layout,
                     const gy_device_wants *wants, gy_text *out)
{
    gy_gen g = start(vm, facts, out);
    g.device = layout;
    g.chooses = wants->choices != NULL;
    for (uint32_t i = 0; i < layout->shape_count; i++)
        for (uint32_t k = 0; k < facts->shape_count; k++)
            if (facts->shapes[k].shape == layout->shapes[i].layout) {
                if (!i) {
                    g.now = layout->shapes[i].layout;
                    g.shape = &facts->shapes[k];
                    gy_gen_trace(&g);
                }
                write_named(&g, &facts->shapes[k], i);
                if (wants->monitor)
                    write_letter(&g, wants->monitor, i);
            }
}
