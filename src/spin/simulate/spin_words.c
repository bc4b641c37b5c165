// What Spin says while it reads a model.
#include "spin/simulate/sim.h"

#include "lang/promela/lower/spin_text.h"

// ---- formulas -----------------------------------------------------------------------------

static void put_formula(const pml_model *tree, const pml_expr *e, gy_text *out);

// In a formula P@label is not yet what it becomes in a statement.
static void put_atom(const pml_model *tree, const pml_expr *e, gy_text *out)
{
    gy_text text = {0};
    const char *at, *found;
    pml_spin_expr(tree, e, &text);
    for (at = gy_text_str(&text); (found = strstr(at, "._p==")); at = found + strlen("._p==")) {
        gy_text_bytes(out, at, (size_t)(found - at));
        gy_text_char(out, '@');
    }
    gy_text_add(out, at);
    gy_text_free(&text);
}

static void put_unary(const pml_model *tree, const char *word, const pml_expr *a, gy_text *out)
{
    gy_text_printf(out, "%s (", word);
    put_formula(tree, a, out);
    gy_text_char(out, ')');
}

static void put_binary(const pml_model *tree, const char *word, const pml_expr *e, gy_text *out)
{
    gy_text_char(out, '(');
    put_formula(tree, e->a, out);
    gy_text_printf(out, ") %s (", word);
    put_formula(tree, e->b, out);
    gy_text_char(out, ')');
}

static void put_formula(const pml_model *tree, const pml_expr *e, gy_text *out)
{
    switch (e->kind) {
    case PML_X_ALWAYS:
        put_unary(tree, "[]", e->a, out);
        break;
    case PML_X_EVENTUALLY:
        put_unary(tree, "<>", e->a, out);
        break;
    case PML_X_NEXT:
        put_unary(tree, "X", e->a, out);
        break;
    case PML_X_NOT:
        put_unary(tree, "!", e->a, out);
        break;
    case PML_X_AND:
        put_binary(tree, "&&", e, out);
        break;
    case PML_X_OR:
        put_binary(tree, "||", e, out);
        break;
    case PML_X_UNTIL:
        put_binary(tree, "U", e, out);
        break;
    case PML_X_RELEASE:
        put_binary(tree, "V", e, out);
        break;
    case PML_X_EQUIV:
        put_binary(tree, "<->", e, out);
        break;
    case PML_X_IMPLIES:
        gy_text_char(out, '(');
        put_unary(tree, "!", e->a, out);
        gy_text_add(out, ") || (");
        put_formula(tree, e->b, out);
        gy_text_char(out, ')');
        break;
    case PML_X_WEAK_UNTIL:
        gy_text_char(out, '(');
        put_unary(tree, "[]", e->a, out);
        gy_text_add(out, ") || (");
        put_binary(tree, "U", e, out);
        gy_text_char(out, ')');
        break;
    default:
        put_atom(tree, e, out);
        break;
    }
}

void pml_spin_formulas(const pml_model *tree, gy_text *out)
{
    for (uint32_t i = 0; i < tree->ltl_count; i++) {
        gy_text_printf(out, "ltl %s: ", tree->ltls[i].name);
        put_formula(tree, tree->ltls[i].formula, out);
        gy_text_char(out, '\n');
    }
}

// ---- warnings -----------------------------------------------------------------------------

typedef struct scan {
    const pml_model *tree;
    bool never, enabled, pc_value;
    gy_text *out;
} scan;

static void scan_expr(scan *s, const pml_expr *e)
{
    if (!e)
        return;
    if (e->kind == PML_X_ENABLED && !s->enabled && !s->never) {
        gy_text_add(s->out, "spin: Warning, using enabled() outside never claim\n");
        s->enabled = true;
    }
    if (e->kind == PML_X_PC_VALUE && !s->pc_value && !s->never) {
        gy_text_add(s->out, "spin: Warning, using pc_value() outside never claim\n");
        s->pc_value = true;
    }
    scan_expr(s, e->a);
    scan_expr(s, e->b);
    scan_expr(s, e->c);
}

static void warn_of_label(scan *s, const pml_stmt *stmt)
{
    gy_location_info place = gy_location_user(s->tree->sources, stmt->body.at[0]->place);
    gy_text_printf(s->out, "error: (%s:%u) label %s placed incorrectly\n",
                   gy_source_name(s->tree->sources, place.file), place.line, stmt->label->name);
    gy_text_add(s->out, "=====> instead of\n\tdo (or if)\n\t:: ...\n\t:: Label: statement\n"
                        "\tod (of fi)\n=====> use\nLabel:\tdo (or if)\n\t:: ...\n"
                        "\t:: statement\n\tod (or fi)\n");
}

static void scan_seq(scan *s, const pml_seq *seq)
{
    for (uint32_t i = 0; i < seq->n; i++) {
        const pml_stmt *stmt = seq->at[i];
        if (s->never && stmt->kind == PML_S_ASSIGN)
            gy_text_add(s->out, "spin: Warning, never claim has side-effect\n");
        scan_expr(s, stmt->expr);
        for (uint32_t o = 0; o < stmt->option_count; o++) {
            scan_seq(s, &stmt->options[o]);
            if (stmt->options[o].n && stmt->options[o].at[0]->kind == PML_S_LABELLED)
                warn_of_label(s, stmt->options[o].at[0]);
        }
        scan_seq(s, &stmt->body);
        scan_seq(s, &stmt->escape);
    }
}

void pml_spin_warn(const pml_model *tree, uint32_t proc, gy_text *out)
{
    scan s = {.tree = tree, .never = tree->procs[proc]->kind == PML_PROC_NEVER, .out = out};
    scan_seq(&s, &tree->procs[proc]->body);
}

void sim_tell_unused(pml_sim *sim)
{
    unsigned claims = 0, traces = 0;
    for (uint32_t i = 0; i < sim->tree->proc_count; i++) {
        pml_proc_kind kind = sim->tree->procs[i]->kind;
        claims += kind == PML_PROC_NEVER;
        traces += kind == PML_PROC_TRACE || kind == PML_PROC_NOTRACE;
    }
    if (sim->has_c)
        gy_text_add(&sim->out, "spin: warning: c_code fragments remain uninterpreted\n"
                               "      in random simulations with spin; use ./pan -r instead\n");
    if (claims > 0)
        gy_text_add(&sim->out, "warning: never claim not used in random simulation\n");
    if (traces > 0)
        gy_text_add(&sim->out, "warning: trace assertion not used in random simulation\n");
}

void pml_spin_read(gy_model *model, gy_text *out)
{
    const pml_model *tree = model->syntax;
    for (uint32_t i = 0; i < tree->proc_count; i++)
        pml_spin_warn(tree, i, out);
    pml_spin_formulas(tree, out);
}
