// Names and what they stand for. A call keeps the macro that it began with, even if it is defined
// again while its arguments are read.
#include "lang/dve/m4/m4_internal.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *name, size_t n)
{
    return gy_hash_bytes(name, n, 0);
}

// UINT32_MAX: there is none.
static uint32_t find(const m4 *m, const char *name, size_t n)
{
    for (gy_map_probe p = gy_map_first(&m->by_name, hash_of(name, n)); p.found;
         gy_map_next(&m->by_name, &p)) {
        const m4_symbol *symbol = &m->symbols.at[p.number];
        if (symbol->n == n && memcmp(symbol->name, name, n) == 0)
            return p.number;
    }
    return UINT32_MAX;
}

m4_macro *m4_find(const m4 *m, const char *name, size_t n)
{
    uint32_t number = find(m, name, n);
    return number == UINT32_MAX ? NULL : m->symbols.at[number].top;
}

static char *copy(m4_span text)
{
    char *own = gy_alloc(text.n + 1);
    memcpy(own, text.at, text.n);
    own[text.n] = '\0';
    return own;
}

static m4_symbol *symbol_of(m4 *m, m4_span name)
{
    uint32_t number = find(m, name.at, name.n);
    if (number == UINT32_MAX) {
        number = (uint32_t)m->symbols.n;
        gy_vec_push(&m->symbols, ((m4_symbol){.name = copy(name), .n = name.n}));
        gy_map_add(&m->by_name, hash_of(name.at, name.n), number);
        m->defined += name.n + sizeof(m4_symbol);
    }
    return &m->symbols.at[number];
}

void m4_release(m4 *m, m4_macro *macro)
{
    if (--macro->references)
        return;
    m->defined -= macro->n + sizeof *macro;
    free(macro->text);
    free(macro);
}

static void pop(m4 *m, m4_symbol *symbol)
{
    m4_macro *macro = symbol->top;
    symbol->top = macro->below;
    m4_release(m, macro);
}

static void add(m4 *m, m4_symbol *symbol, m4_macro new, bool push)
{
    if (!push && symbol->top)
        pop(m, symbol);
    m4_macro *macro = gy_alloc(sizeof *macro);
    *macro = new;
    macro->references = 1;
    macro->below = symbol->top;
    symbol->top = macro;
    m->defined += macro->n + sizeof *macro;
}

void m4_define(m4 *m, m4_span name, m4_span text, bool push)
{
    if (m4_work(m, text.n) && m4_room(m, name.n + text.n))
        add(m, symbol_of(m, name), (m4_macro){.text = copy(text), .n = text.n}, push);
}

void m4_define_builtin(m4 *m, const m4_builtin *builtin)
{
    add(m, symbol_of(m, (m4_span){builtin->name, strlen(builtin->name)}),
        (m4_macro){.builtin = builtin}, false);
}

void m4_undefine(m4 *m, m4_span name, bool all)
{
    uint32_t number = find(m, name.at, name.n);
    if (number == UINT32_MAX)
        return;
    m4_symbol *symbol = &m->symbols.at[number];
    while (symbol->top) {
        pop(m, symbol);
        if (!all)
            return;
    }
}

void m4_symbols_free(m4 *m)
{
    for (size_t i = 0; i < m->symbols.n; i++) {
        while (m->symbols.at[i].top)
            pop(m, &m->symbols.at[i]);
        free(m->symbols.at[i].name);
    }
    gy_vec_free(&m->symbols);
    gy_map_free(&m->by_name);
}
