// Names. One pml_name per spelling, found by the pointer of the interned text; from it hang
// the symbol that is visible now. There is at most one: as in Spin 6 a name may be declared
// again in a block next to, but not in a block inside, and never if a global has the name
// already. A block that closes takes its symbols off.
#include "lang/promela/read/parser.h"

// ---- (owner, name) maps -------------------------------------------------------------

static uint64_t pair_hash(const void *owner, const void *name)
{
    return gy_hash_pair((uintptr_t)owner, (uintptr_t)name);
}

void *pml_pair_get(const pml_pair_map *pairs, const void *owner, const void *name)
{
    const gy_map *map = &pairs->map;
    uint64_t hash = pair_hash(owner, name);
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p)) {
        const pml_pair *pair = &pairs->list.at[p.number];
        if (pair->owner == owner && pair->name == name)
            return pair->value;
    }
    return NULL;
}

// False if the pair is there already; the first value stays.
bool pml_pair_put(pml_pair_map *pairs, const void *owner, const void *name, void *value)
{
    pml_pair pair = {owner, name, value};
    if (pml_pair_get(pairs, owner, name))
        return false;
    gy_map_add(&pairs->map, pair_hash(owner, name), (uint32_t)pairs->list.n);
    gy_vec_push(&pairs->list, pair);
    return true;
}

static void free_pairs(pml_pair_map *pairs)
{
    gy_vec_free(&pairs->list);
    gy_map_free(&pairs->map);
}

// ---- names --------------------------------------------------------------------------

pml_name *pml_name_of(pml_parser *p, const char *text)
{
    const gy_map *map = &p->name_map;
    uint64_t hash = (uintptr_t)text;
    for (gy_map_probe q = gy_map_first(map, hash); q.found; gy_map_next(map, &q))
        if (p->names.at[q.number]->text == text)
            return p->names.at[q.number];
    pml_name *name = GY_NEW(p->arena, pml_name);
    name->text = text;
    gy_map_add(&p->name_map, hash, (uint32_t)p->names.n);
    gy_vec_push(&p->names, name);
    return name;
}

pml_class pml_classify(pml_parser *p, const pml_token *token)
{
    if (token->kind == PML_T_NUMBER || token->kind == PML_T_SKIP)
        return PML_C_CONST;
    if (token->kind != PML_T_NAME)
        return PML_C_OTHER;
    const pml_name *name = pml_name_of(p, token->text);
    if (name->mtype)
        return PML_C_CONST;
    if (name->type)
        return PML_C_TYPE;
    if (name->proc)
        return PML_C_PROC;
    if (name->inl)
        return PML_C_INLINE;
    return PML_C_NAME;
}

pml_symbol *pml_lookup(pml_parser *p, pml_name *name, gy_location place)
{
    if (name->symbol)
        return name->symbol;
    pml_symbol *s = GY_NEW(p->arena, pml_symbol);
    s->name = name;
    s->place = place;
    s->scope = p->scope;
    name->symbol = s;
    s->scope_next = p->scope->symbols;
    p->scope->symbols = s;
    return s;
}

pml_scope *pml_scope_open(pml_parser *p)
{
    pml_scope *s = GY_NEW(p->arena, pml_scope);
    s->parent = p->scope;
    s->id = ++p->scope_count;
    p->scope = s;
    return s;
}

void pml_scope_close(pml_parser *p)
{
    for (pml_symbol *s = p->scope->symbols; s; s = s->scope_next) {
        s->name->symbol = NULL;
    }
    p->scope = p->scope->parent;
}

void pml_scopes_init(pml_parser *p)
{
    static const struct {
        const char *name;
        pml_builtin builtin;
        pml_type_kind type;
    } builtins[] = {
        {"_", PML_BI_UNDERSCORE, PML_TY_INT}, {"_pid", PML_BI_PID, PML_TY_PID},
        {"_last", PML_BI_LAST, PML_TY_PID},   {"_nr_pr", PML_BI_NR_PR, PML_TY_BYTE},
        {"_p", PML_BI_NONE, PML_TY_INT},      {"_priority", PML_BI_PRIORITY, PML_TY_BYTE},
    };
    p->scope = &p->global;
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const char *text = pml_intern(p->tokens, builtins[i].name, strlen(builtins[i].name));
        pml_symbol *s = pml_lookup(p, pml_name_of(p, text), 0);
        s->kind = PML_SYM_VAR;
        s->var = pml_new_var(p, text, 0, PML_VAR_BUILTIN);
        s->var->type.kind = builtins[i].type;
        s->var->builtin = builtins[i].builtin;
        p->builtins[i] = s->var;
    }
}

void pml_scopes_free(pml_parser *p)
{
    gy_vec_free(&p->names);
    gy_map_free(&p->name_map);
    free_pairs(&p->members);
    free_pairs(&p->remotes);
    free_pairs(&p->labels);
}

// ---- types --------------------------------------------------------------------------

// Both are computed once, when the typedef is complete: structures nest, so that asking
// repeatedly would take exponential time.
void pml_measure_typedef(pml_typedef *record)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < record->member_count; i++) {
        const pml_var *m = record->members[i];
        XTYPEDEF(record)->has_array |= m->is_array;
        if (m->type.kind == PML_TY_STRUCT && m->type.record) {
            uint32_t inner = pml_flat_count(m->type.record);
            XTYPEDEF(record)->has_array |= pml_has_array(m->type.record);
            XTYPEDEF(record)->unsendable |= m->is_array || inner == 0;
            count += inner;
        } else {
            count += m->count;
        }
    }
    XTYPEDEF(record)->flat_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

uint32_t pml_flat_count(const pml_typedef *record)
{
    return XTYPEDEF(record)->unsendable ? 0 : XTYPEDEF(record)->flat_count;
}

bool pml_has_array(const pml_typedef *record)
{
    return XTYPEDEF(record)->has_array;
}

const char *pml_type_name(pml_parser *p, const pml_type *type)
{
    static const char *names[] = {"nothing", "bit",      "bool",  "byte", "pid",   "short",
                                  "int",     "unsigned", "mtype", "chan", "struct"};
    if (type->kind == PML_TY_STRUCT && type->record)
        return type->record->name;
    if (type->kind == PML_TY_UNSIGNED)
        return gy_arena_printf(p->arena, "unsigned : %u", type->width);
    if (type->kind == PML_TY_MTYPE && type->subtype)
        return gy_arena_printf(p->arena, "mtype:%s", type->subtype);
    return names[type->kind];
}

// "did you mean …?" over everything that is visible by name.
void pml_suggest_name(pml_parser *p, gy_diag *diag, const char *text)
{
    const char *best = NULL;
    unsigned distance = 0;
    for (size_t i = 0; i < p->names.n; i++) {
        const pml_name *n = p->names.at[i];
        if (n->text == text)
            continue;
        if (n->mtype || (n->symbol && n->symbol->kind == PML_SYM_VAR))
            gy_nearest_offer(text, n->text, &best, &distance);
    }
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
}
