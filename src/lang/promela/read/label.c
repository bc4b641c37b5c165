// Labels, and which one a goto means.
//
// Spin's rule, which this follows: a label or goto belongs to the symbol that its name has
// at that place (see pml_lookup). A goto goes to the newest label of its own symbol; else to
// the oldest label of that name in an enclosing block; else to the newest anywhere in the
// process. A reference from another process means the oldest label of that name.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

bool pml_label_is_special(const char *name)
{
    return !strncmp(name, "accept", 6) || !strncmp(name, "end", 3) || !strncmp(name, "progress", 8);
}

bool pml_label_is_fair(const char *name)
{
    return !strncmp(name, "wfair", 5) || !strncmp(name, "sfair", 5);
}

pml_symbol *pml_label_symbol(pml_parser *p, const pml_token *name)
{
    pml_symbol *s = pml_lookup(p, pml_name_of(p, name->text), name->place);
    if (s->kind == PML_SYM_VAR || s->kind == PML_SYM_PROC) {
        pml_error_at(p, name, "`%s` cannot be a label: it is a variable", name->text);
        gy_note(p->diags, s->place, "it is declared here");
        return NULL;
    }
    s->kind = PML_SYM_LABEL;
    return s;
}

// Called when the labelled statement is complete, so that a reference to the label inside
// of it does not see it yet.
void pml_add_label(pml_parser *p, pml_symbol *symbol, pml_stmt *stmt, gy_location place)
{
    (void)pml_look(p); // an inline call that ends here is over now
    pml_name *name = symbol->name;
    pml_label *label = GY_NEW(p->arena, pml_label);
    label->name = name->text;
    label->place = place;
    label->stmt = stmt;
    stmt->label = label;

    uint32_t number = pml_feed_inline_number(p);
    if (symbol->label && (symbol->label_inlines & (1ull << (number & 63))) && !p->panic) {
        for (uint32_t i = 0; i < name->label_count; i++) {
            if (name->label_symbols[i] == symbol && name->label_numbers[i] == number) {
                gy_diag *d = gy_error(p->diags, place, "label `%s` is defined twice", name->text);
                d->length = (uint32_t)strlen(name->text);
                gy_note(p->diags, name->labels[i]->place, "first defined here");
                break;
            }
        }
    }
    symbol->label_inlines |= 1ull << (number & 63);
    symbol->label = label;

    if (name->label_owner != &p->proc->p) {
        name->label_owner = &p->proc->p;
        name->label_count = 0;
        name->labels = NULL;
        name->label_symbols = NULL;
        name->label_numbers = NULL;
    }
    uint32_t n = name->label_count;
    name->label_symbols = pml_grow(p, name->label_symbols, n, sizeof *name->label_symbols);
    name->label_symbols[n] = symbol;
    name->label_numbers = pml_grow(p, name->label_numbers, n, sizeof *name->label_numbers);
    name->label_numbers[n] = number;
    PML_PUSH(p, name->labels, name->label_count, label);
    PML_PUSH(p, p->proc->p.labels, p->proc->p.label_count, label);
    if (p->noted)
        pml_note_label(p, label);
    pml_pair_put(&p->labels, &p->proc->p, name->text, label);
}

static bool encloses(const pml_scope *outer, const pml_scope *inner)
{
    for (; inner; inner = inner->parent) {
        if (inner == outer)
            return true;
    }
    return false;
}

static pml_label *find_label(pml_parser *p, const pml_symbol *symbol)
{
    if (symbol->label)
        return symbol->label;
    const pml_name *name = symbol->name;
    if (name->label_owner != &p->proc->p || name->label_count == 0)
        return NULL;
    for (uint32_t i = 0; i < name->label_count; i++) {
        if (encloses(name->label_symbols[i]->scope, symbol->scope))
            return name->labels[i];
    }
    return name->labels[name->label_count - 1];
}

static uint32_t d_step_of(const pml_stmt *s)
{
    while (s->kind == PML_S_LABELLED && s->body.n)
        s = s->body.at[0];
    return XSTMT(s)->d_step;
}

// Follows gotos to gotos. Labels that mean something are given a state of their own, which
// ends the chain.
static bool is_endless(const pml_stmt *s)
{
    const pml_stmt *slow = s, *fast = s;
    for (;;) {
        for (int i = 0; i < 2; i++) {
            if (!fast->label || !fast->label->stmt)
                return false;
            const pml_stmt *target = fast->label->stmt;
            while (target->kind == PML_S_LABELLED) {
                if (pml_label_is_special(target->label_name))
                    return false;
                target = target->body.at[0];
            }
            if (target->kind != PML_S_GOTO)
                return false;
            fast = target;
        }
        slow = slow->label->stmt;
        while (slow->kind == PML_S_LABELLED)
            slow = slow->body.at[0];
        if (slow == fast)
            return true;
    }
}

void pml_resolve_gotos(pml_parser *p)
{
    for (size_t i = 0; i < p->gotos.n; i++) {
        pml_stmt *s = p->gotos.at[i];
        if (s->kind != PML_S_GOTO)
            continue;
        s->label = find_label(p, XSTMT(s)->symbol);
        if (!s->label) {
            gy_diag *d = gy_error(p->diags, s->place, "undefined label `%s` in this process",
                                  s->label_name);
            d->length = (uint32_t)strlen(s->label_name);
            const char *best = NULL;
            unsigned distance = 0;
            for (uint32_t j = 0; j < p->proc->p.label_count; j++)
                gy_nearest_offer(s->label_name, p->proc->p.labels[j]->name, &best, &distance);
            if (best)
                gy_hint(d, "a similar name exists: `%s`", best);
            continue;
        }
        s->label->used = true;
        if (p->noted)
            pml_note_goto(p, s->label, s->place);
        uint32_t from = XSTMT(s)->d_step, to = d_step_of(s->label->stmt);
        if (from != to) {
            gy_diag *d = gy_error(p->diags, s->place,
                                  from ? "this `goto` leaves its `d_step`"
                                       : "this `goto` jumps into a `d_step`");
            d->length = (uint32_t)strlen(s->label_name);
            gy_note(p->diags, s->label->place, "the label is here");
        }
    }
    for (size_t i = 0; i < p->gotos.n; i++) {
        pml_stmt *s = p->gotos.at[i];
        if (s->kind == PML_S_GOTO && s->label && is_endless(s)) {
            gy_diag *d = gy_error(p->diags, s->place, "this `goto` leads back to itself");
            d->length = (uint32_t)strlen(s->label_name);
            gy_hint(d, "put a statement in between: `%s: skip; goto ...`", s->label_name);
            break;
        }
    }
    p->gotos.n = 0;
}

pml_label *pml_remote_label(pml_parser *p, pml_proc *proc, const pml_token *name)
{
    pml_label *label = pml_pair_get(&p->labels, proc, name->text);
    if (label) {
        label->used = label->remote = true;
        if (p->noted)
            pml_note_goto(p, label, name->place);
        return label;
    }
    gy_diag *d = pml_error_at(p, name, "proctype `%s` has no label `%s`", proc->name, name->text);
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < proc->label_count; i++)
        gy_nearest_offer(name->text, proc->labels[i]->name, &best, &distance);
    if (best)
        gy_hint(d, "a similar name exists: `%s`", best);
    else if (p->proc && &p->proc->p == proc)
        gy_hint(d, "inside a proctype only labels above can be referred to");
    return NULL;
}
