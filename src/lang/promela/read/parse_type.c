// mtype lists and typedefs.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

// mtype [ ':' name ] [ '=' ] '{' name { [','] name } '}': the brace is next
void pml_parse_mtype_names(pml_parser *p, const char *subtype, const pml_token *vis)
{
    pml_token open = pml_advance(p);
    pml_model *m = p->model;
    uint32_t first = m->mtype_count, before = 0;
    for (uint32_t i = 0; i < first; i++)
        before += m->mtypes[i].subtype == subtype;
    while (!p->panic) {
        pml_token t = *pml_look(p);
        if (pml_is(&t, PML_P_RBRACE) && m->mtype_count > first)
            break;
        if (pml_is(&t, PML_P_COMMA) && m->mtype_count > first) {
            pml_advance(p);
            continue;
        }
        if (pml_classify(p, &t) != PML_C_NAME) {
            if (t.kind == PML_T_NAME && !p->panic) {
                gy_diag *d = pml_error_at(p, &t, "`%s` is declared already", t.text);
                const pml_name *name = pml_name_of(p, t.text);
                if (name->mtype)
                    gy_note(p->diags, m->mtypes[name->mtype - 1].place, "first declared here");
                else
                    gy_hint(d, "choose another name for the constant");
                p->panic = true;
            } else {
                pml_syntax_error(p, "expected a name in the mtype list, found %s",
                                 pml_describe(p, &t));
            }
            break;
        }
        pml_advance(p);
        bool twice = false;
        pml_symbol *s = pml_name_of(p, t.text)->symbol;
        if (s && s->kind == PML_SYM_VAR) {
            pml_error_at(p, &t, "`%s` is declared already", t.text);
            gy_note(p->diags, s->place, "first declared here");
        }
        twice = pml_pair_get(&p->members, &m->mtypes, t.text) != NULL;
        if (twice)
            pml_error_at(p, &t, "`%s` occurs twice among the mtype names", t.text);
        pml_mtype_name name = {.name = t.text, .subtype = subtype, .place = t.place};
        PML_PUSH(p, m->mtypes, m->mtype_count, name);
        if (!twice)
            pml_pair_put(&p->members, &m->mtypes, t.text, p);
    }
    pml_expect(p, PML_P_RBRACE, "after the mtype names");
    uint32_t count = m->mtype_count - first;
    for (uint32_t i = 0; i < count; i++) {
        pml_mtype_name *name = &m->mtypes[first + i];
        name->value = (int32_t)(before + count - i);
        pml_name_of(p, name->name)->mtype = (int32_t)(first + i) + 1;
        if (p->noted)
            pml_note_constant(p, name, (uint32_t)strlen(name->name));
    }
    if (before + count > 255)
        pml_error_at(p, &open, "too many mtype names: at most 255");
    if (vis)
        pml_error_at(p, vis, "an mtype list cannot be `%s`", vis->text);
    if (p->proc)
        pml_error_at(p, &open, "an mtype list must be global");
}

static bool next_field(pml_parser *p)
{
    if (pml_accept(p, PML_P_SEMI))
        return true;
    const pml_token *t = pml_look(p);
    if (!pml_starts_declaration(p, t))
        return false;
    pml_token copy = *t;
    pml_error_at(p, &copy, "missing `;` before %s", pml_describe(p, &copy));
    return true;
}

// typedef: typedef name '{' declaration { ';' declaration } '}'
void pml_parse_typedef(pml_parser *p)
{
    pml_advance(p);
    pml_token name = *pml_look(p);
    pml_class c = pml_classify(p, &name);
    if (c != PML_C_NAME) {
        if (name.kind == PML_T_NAME && !p->panic) {
            pml_error_at(p, &name, "`%s` is declared already", name.text);
            if (c == PML_C_TYPE)
                gy_note(p->diags, pml_name_of(p, name.text)->type->place, "first declared here");
        } else {
            pml_syntax_error(p, "expected a name after `typedef`, found %s",
                             pml_describe(p, &name));
            return;
        }
    }
    pml_advance(p);
    pml_typedef *record = &GY_NEW(p->arena, pml_xtypedef)->t;
    record->name = name.text;
    record->place = name.place;
    if (p->noted)
        pml_note_type(p, record, name.length);
    if (!pml_look_is(p, PML_P_LBRACE)) {
        pml_syntax_error(p, "expected `{` after the name of the type, found %s",
                         pml_describe(p, pml_look(p)));
        return;
    }
    pml_token open = pml_advance(p);
    pml_open_push(p, open.place, "{");
    p->in_sequence = true;
    do {
        if (!pml_starts_declaration(p, pml_look(p)) && !pml_take_foreign_type(p)) {
            const pml_token *t = pml_look(p);
            gy_diag *d = pml_syntax_error(p, "expected the declaration of a field, found %s",
                                          pml_describe(p, t));
            if (d && t->kind == PML_T_NAME && t->text == record->name)
                gy_hint(d, "a type cannot contain itself");
            break;
        }
        pml_parse_declaration(p, PML_D_MEMBER, record);
    } while (!p->panic && next_field(p));
    if (!p->panic && !pml_look_is(p, PML_P_RBRACE))
        pml_syntax_error(p, "missing `;` before %s", pml_describe(p, pml_look(p)));
    unsigned depth = 0;
    while (p->panic && !p->gave_up) { // skip to the end of the type
        const pml_token *t = pml_look(p);
        if (t->kind == PML_T_END || pml_starts_unit(t))
            break;
        if (pml_is(t, PML_P_RBRACE) && depth-- == 0)
            p->panic = false;
        else if (pml_is(t, PML_P_LBRACE))
            depth++;
        if (p->panic)
            pml_advance(p);
    }
    p->parens = 0;
    if (!p->panic)
        pml_advance(p);
    p->in_sequence = false;
    if (p->open.n > 0)
        pml_open_pop(p);
    pml_measure_typedef(record);
    pml_name_of(p, name.text)->type = record;
    PML_PUSH(p, p->model->typedefs, p->model->typedef_count, record);
}
