// From the tree that the parser built to a formula of the pool.
#include "lang/ltl/formula/parse_tree.h"

#include <ctype.h>

// Quotes or braces around an atom do not count, nor spaces inside them.
static gy_ltl atom_of(parser *p, const node *n)
{
    const char *text = p->scanner.text;
    size_t start = n->core + n->verbatim, end = n->rim - n->verbatim;
    while (start < end && isspace((unsigned char)text[start]))
        start++;
    while (end > start && isspace((unsigned char)text[end - 1]))
        end--;
    gy_text copy = {0};
    for (size_t i = start; i < end; i++) {
        if (n->verbatim && text[n->core] == '"' && text[i] == '\\' && i + 1 < end)
            i++;
        gy_text_char(&copy, text[i]);
    }
    gy_ltl f = gy_ltl_atom(p->pool, gy_ltl_atom_named(p->pool, gy_text_str(&copy)));
    gy_text_free(&copy);
    return f;
}

// All members of a chain of the same operator at once.
static gy_ltl many_of(parser *p, uint32_t root, const gy_ltl *made)
{
    gy_ltl_op op = p->nodes.at[root].op;
    GY_VEC(uint32_t) chain = {0};
    GY_VEC(gy_ltl) members = {0};
    gy_vec_push(&chain, root);
    while (chain.n) {
        uint32_t i = chain.at[--chain.n];
        if (p->nodes.at[i].op == op) {
            gy_vec_push(&chain, p->nodes.at[i].a);
            gy_vec_push(&chain, p->nodes.at[i].b);
        } else {
            gy_vec_push(&members, made[i]);
        }
    }
    gy_ltl f = gy_ltl_many(p->pool, op, members.at, (uint32_t)members.n);
    gy_vec_free(&chain);
    gy_vec_free(&members);
    return f;
}

// Nodes are made before the nodes that use them: one pass down to see which are needed (not
// the inside of a comparison, not a link of a chain), one pass up to build those.
gy_ltl ltl_parse_build(parser *p)
{
    uint32_t root = p->operands.at[0];
    bool *needed = gy_alloc_zero((root + 1) * sizeof *needed);
    gy_ltl *made = gy_alloc_zero((root + 1) * sizeof *made);
    needed[root] = true;
    bool *link = gy_alloc_zero((root + 1) * sizeof *link);
    for (uint32_t i = root + 1; i-- > 0;) {
        const node *n = &p->nodes.at[i];
        if ((!needed[i] && !link[i]) || n->op == GY_LTL_OP_ATOM || n->op == GY_LTL_OP_CONST)
            continue;
        bool many = n->op == GY_LTL_OP_AND || n->op == GY_LTL_OP_OR;
        for (int k = 0; k < 2; k++) {
            uint32_t part = k ? n->b : n->a;
            if (many && p->nodes.at[part].op == n->op)
                link[part] = true;
            else
                needed[part] = true;
        }
    }
    for (uint32_t i = 0; i <= root && !p->failed; i++) {
        const node *n = &p->nodes.at[i];
        if (!needed[i])
            continue;
        if (n->op == GY_LTL_OP_CONST)
            made[i] = n->value ? GY_LTL_TRUE : GY_LTL_FALSE;
        else if (n->op == GY_LTL_OP_ATOM)
            made[i] = atom_of(p, n);
        else if (n->op == GY_LTL_OP_AND || n->op == GY_LTL_OP_OR)
            made[i] = many_of(p, i, made);
        else if (n->a == n->b)
            made[i] = gy_ltl_unary(p->pool, n->op, made[n->a]);
        else
            made[i] = gy_ltl_binary(p->pool, n->op, made[n->a], made[n->b]);
        if (gy_ltl_depth(p->pool, made[i]) > GY_LTL_MAX_DEPTH)
            ltl_parse_fail(p, n->start, n->start + 1, "operators are nested too deeply here");
    }
    gy_ltl f = made[root];
    free(needed);
    free(link);
    free(made);
    return f;
}
