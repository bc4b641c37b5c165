// Formulas as text, in Spin's notation and in that of other tools.
//
// Every operand that is not a name, a constant or the operand of a prefix operator stands in
// parentheses: the two notations differ in their precedences, and readers differ more.
// Spin has no strong release: a M b is printed as b U (a && b).
#include "lang/ltl/formula/formula_pool.h"

#include <ctype.h>

static const char *symbol(gy_ltl_op op, gy_ltl_style style)
{
    bool spin = style != GY_LTL_PLAIN;
    switch (op) {
    case GY_LTL_OP_NOT:
        return "!";
    case GY_LTL_OP_AND:
        return spin ? " && " : " & ";
    case GY_LTL_OP_OR:
        return spin ? " || " : " | ";
    case GY_LTL_OP_IMPLIES:
        return " -> ";
    case GY_LTL_OP_EQUIV:
        return " <-> ";
    case GY_LTL_OP_X:
        return "X ";
    case GY_LTL_OP_F:
        return spin ? "<> " : "F ";
    case GY_LTL_OP_G:
        return spin ? "[] " : "G ";
    case GY_LTL_OP_U:
        return " U ";
    case GY_LTL_OP_R:
        return spin ? " V " : " R ";
    case GY_LTL_OP_W:
        return " W ";
    case GY_LTL_OP_M:
        return " M ";
    default:
        return "?";
    }
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

// Can this be an operand without parentheses? A name, an element, a macro with its arguments.
static bool is_operand(const char *text)
{
    size_t depth = 0;
    for (const char *c = text; *c; c++) {
        bool opens = *c == '(' || *c == '[', closes = *c == ')' || *c == ']';
        bool is_part = isalnum((unsigned char)*c) || strchr("_.:@)]", *c);
        if (!depth && !is_part && (!opens || c == text || !isalnum((unsigned char)c[-1])))
            return false;
        depth += opens;
        depth -= closes && depth;
    }
    return true;
}

static void print_atom(const gy_ltl_pool *pool, uint32_t atom, gy_ltl_style style, gy_text *out)
{
    const char *text = pool->atoms.at[atom].text, *written = pool->atoms.at[atom].written;
    if (style == GY_LTL_WRITTEN)
        gy_text_add(out, written ? written : text);
    else if (is_name(text))
        gy_text_add(out, text);
    else if (style != GY_LTL_PLAIN)
        gy_text_printf(out, "(%s)", text);
    else {
        gy_text_char(out, '"');
        for (; *text; text++) {
            if (*text == '"' || *text == '\\')
                gy_text_char(out, '\\');
            gy_text_char(out, *text);
        }
        gy_text_char(out, '"');
    }
}

static const char *name_of(const gy_ltl_pool *pool, gy_ltl f)
{
    for (size_t i = 0; i < pool->names.n; i++)
        if (pool->names.at[i].formula == f)
            return pool->names.at[i].written;
    return NULL;
}

static void print(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_style style, gy_text *out);

static bool stands_alone(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_style style)
{
    const struct ltl_node *node = &pool->nodes.at[f];
    const char *text = NULL;
    if (style == GY_LTL_WRITTEN && node->op == GY_LTL_OP_ATOM) {
        const struct ltl_atom *atom = &pool->atoms.at[pool->parts.at[node->first]];
        text = atom->written ? atom->written : atom->text;
    } else if (style == GY_LTL_WRITTEN && node->count > 1) {
        text = name_of(pool, f);
    }
    return text ? is_operand(text) : node->count <= 1;
}

static void print_operand(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_style style, gy_text *out)
{
    bool bare = stands_alone(pool, f, style);
    if (!bare)
        gy_text_char(out, '(');
    print(pool, f, style, out);
    if (!bare)
        gy_text_char(out, ')');
}

static void print(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_style style, gy_text *out)
{
    const char *name = style == GY_LTL_WRITTEN ? name_of(pool, f) : NULL;
    if (name) {
        gy_text_add(out, name);
        return;
    }
    const struct ltl_node *node = &pool->nodes.at[f];
    const gy_ltl *parts = &pool->parts.at[node->first];
    if (node->op == GY_LTL_OP_CONST)
        gy_text_add(out, f == GY_LTL_TRUE ? "true" : "false");
    else if (node->op == GY_LTL_OP_ATOM)
        print_atom(pool, parts[0], style, out);
    else if (node->count == 1) {
        gy_text_add(out, symbol(node->op, style));
        print_operand(pool, parts[0], style, out);
    } else if (node->op == GY_LTL_OP_M && style != GY_LTL_PLAIN) {
        print_operand(pool, parts[1], style, out);
        gy_text_add(out, " U (");
        print_operand(pool, parts[0], style, out);
        gy_text_add(out, " && ");
        print_operand(pool, parts[1], style, out);
        gy_text_char(out, ')');
    } else {
        for (uint32_t i = 0; i < node->count; i++) {
            if (i)
                gy_text_add(out, symbol(node->op, style));
            print_operand(pool, parts[i], style, out);
        }
    }
}

// A shared formula may be exponentially longer as text than in memory.
void gy_ltl_print(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_style style, gy_text *out)
{
    enum { MAX_PRINTED = 1000000 };
    uint32_t length = gy_ltl_length(pool, f);
    if (length > MAX_PRINTED)
        gy_text_add(out, "<formula too long to print>");
    else
        print(pool, f, style, out);
}
