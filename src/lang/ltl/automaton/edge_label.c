// Labels of edges as text.
#include "lang/ltl/automaton/output.h"
#include "lang/ltl/automaton/steps.h"

#include <ctype.h>

struct printer {
    gy_ltl_context *context;
    gy_label_style style;
    const uint32_t *number;
    gy_text *out;
    uint32_t cubes;
    bool alone; // there is one cube only
};

static void count_cube(void *context, gy_cube cube)
{
    (void)cube;
    ++*(uint32_t *)context;
}

static bool is_name(const char *text)
{
    if (!*text || isdigit((unsigned char)*text))
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

static void print_atom(struct printer *p, uint32_t var)
{
    const char *text = gy_ltl_atom_text(p->context->pool, p->context->atoms.at[var]);
    if (p->style == GY_LABEL_NUMBERS)
        gy_text_printf(p->out, "%u", p->number ? p->number[var] : var);
    else if (is_name(text))
        gy_text_add(p->out, text);
    else if (p->style == GY_LABEL_PROMELA)
        gy_text_printf(p->out, "(%s)", text);
    else
        gy_text_printf(p->out, "\"%s\"", text);
}

static void print_cube(void *context, gy_cube cube)
{
    struct printer *p = context;
    bool promela = p->style == GY_LABEL_PROMELA;
    if (p->cubes++)
        gy_text_add(p->out, promela ? " || " : " | ");
    uint64_t both = cube.positive | cube.negative;
    bool several = both & (both - 1), enclose = promela && several && !p->alone;
    if (enclose)
        gy_text_char(p->out, '(');
    bool first = true;
    for (uint32_t v = 0; v < 64; v++) {
        if (!(both >> v & 1))
            continue;
        if (!first)
            gy_text_add(p->out, promela ? " && " : p->style == GY_LABEL_NUMBERS ? "&" : " & ");
        first = false;
        if (cube.negative >> v & 1)
            gy_text_char(p->out, '!');
        print_atom(p, v);
    }
    if (enclose)
        gy_text_char(p->out, ')');
}

void gy_label_print(gy_ltl_context *context, gy_bdd label, gy_label_style style,
                    const uint32_t *number, gy_text *out)
{
    bool promela = style == GY_LABEL_PROMELA;
    if (label <= GY_BDD_TRUE) {
        gy_text_add(out, label == GY_BDD_TRUE ? (promela ? "1" : "t") : (promela ? "0" : "f"));
        return;
    }
    uint32_t count = 0;
    gy_bdd_cubes(context->labels, label, count_cube, &count);
    struct printer p = {context, style, number, out, 0, count == 1};
    gy_bdd_cubes(context->labels, label, print_cube, &p);
}
