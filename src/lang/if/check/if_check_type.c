// Names, constants and types.
#include "lang/if/check/if_check.h"

#include <errno.h>
#include <stdlib.h>

gy_diag *if_error(const if_checker *c, gy_location place, uint32_t length, const char *format, ...)
{
    va_list args;
    gy_text text = {0};
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    gy_diag *diag = gy_error(c->diags, place, "%s", gy_text_str(&text));
    diag->length = length;
    gy_text_free(&text);
    return diag;
}

// ---- names ------------------------------------------------------------------------------------

static const if_symbol *find_in(const if_symbols *symbols, const char *name)
{
    for (uint32_t i = 0; i < symbols->count; i++)
        if (strcmp(symbols->at[i]->name.name, name) == 0)
            return symbols->at[i];
    return NULL;
}

const if_symbol *if_find(const if_checker *c, const char *name)
{
    const if_symbol *found = c->procedure ? find_in(&c->procedure->vars, name) : NULL;
    if (!found && c->process)
        found = find_in(&c->process->vars, name);
    if (!found && c->process)
        found = find_in(&c->process->symbols, name);
    return found ? found : find_in(&c->system->symbols, name);
}

static void offer(const if_symbols *symbols, int kind, const char *name, const char **best,
                  unsigned *distance)
{
    for (uint32_t i = 0; i < symbols->count; i++)
        if ((int)symbols->at[i]->kind == kind)
            gy_nearest_offer(name, symbols->at[i]->name.name, best, distance);
}

void if_unknown(const if_checker *c, gy_name name, if_symbol_kind kind, const char *what)
{
    const if_symbol *found = if_find(c, name.name);
    uint32_t length = (uint32_t)strlen(name.name);
    const char *best = NULL;
    unsigned distance = 0;
    gy_diag *diag = found ? if_error(c, name.place, length, "`%s` is not %s", name.name, what)
                          : if_error(c, name.place, length, "unknown %s `%s`",
                                     strncmp(what, "a ", 2) ? what + 3 : what + 2, name.name);
    if (c->procedure)
        offer(&c->procedure->vars, (int)kind, name.name, &best, &distance);
    if (c->process) {
        offer(&c->process->vars, (int)kind, name.name, &best, &distance);
        offer(&c->process->symbols, (int)kind, name.name, &best, &distance);
    }
    offer(&c->system->symbols, (int)kind, name.name, &best, &distance);
    static const char *const types[] = {"boolean", "integer", "pid"};
    for (size_t i = 0; kind == IF_D_TYPE && i < sizeof types / sizeof *types; i++)
        gy_nearest_offer(name.name, types[i], &best, &distance);
    if (found)
        gy_note(c->diags, found->name.place, "it is declared here");
    else if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
}

const if_symbol *if_find_kind(const if_checker *c, gy_name name, if_symbol_kind kind,
                              const char *what)
{
    const if_symbol *found = if_find(c, name.name);
    if (found && found->kind == kind)
        return found;
    if_unknown(c, name, kind, what);
    return NULL;
}

int32_t if_find_state(const if_process *process, const char *name)
{
    for (uint32_t i = 0; i < process->state_count; i++)
        if (strcmp(process->states[i].name.name, name) == 0)
            return (int32_t)i;
    return -1;
}

// ---- types ------------------------------------------------------------------------------------

bool if_fits(const if_type *from, const if_type *to)
{
    return from == to ||
           (from->kind == to->kind &&
            (from->kind == IF_NUMBER || from->kind == IF_BOOLEAN || from->kind == IF_PID));
}

bool if_is_within(const if_type *from, const if_type *to)
{
    return from->kind != IF_NUMBER || (from->low >= to->low && from->high <= to->high);
}

const char *if_type_text(const if_type *type)
{
    static const char *const kinds[] = {
        [IF_BOOLEAN] = "a boolean", [IF_NUMBER] = "a number", [IF_ENUM] = "a value of an enum",
        [IF_PID] = "a pid",         [IF_ARRAY] = "an array",  [IF_RECORD] = "a record",
    };
    return kinds[type->kind];
}

static if_type *new_type(if_checker *c, if_type_kind kind, const char *name)
{
    if_type *type = GY_NEW(c->arena, if_type);
    *type = (if_type){.kind = kind, .name = name, .cells = 1};
    return type;
}

// The values of an enumeration become names next to it.
static const if_type *resolve_enum(if_checker *c, const if_syntax *syntax, const char *name)
{
    if_type *type = new_type(c, IF_ENUM, name);
    if_symbols *scope = c->process ? &c->process->symbols : &c->system->symbols;
    if (syntax->count > IF_MOST_MEMBERS) {
        if_error(c, syntax->name.place, 4, "this enumeration has %u values (the limit is %d)",
                 syntax->count, IF_MOST_MEMBERS);
        return NULL;
    }
    type->low = 1;
    type->high = (int32_t)syntax->count;
    type->count = syntax->count;
    type->names = syntax->names;
    if_symbols all = {GY_NEW_ARRAY(c->arena, if_symbol *, scope->count + syntax->count),
                      scope->count};
    if (scope->count)
        memcpy(all.at, scope->at, scope->count * sizeof *all.at);
    for (uint32_t i = 0; i < syntax->count; i++) {
        if_symbol *member = GY_NEW(c->arena, if_symbol);
        *member = (if_symbol){.kind = IF_D_MEMBER,
                              .name = syntax->names[i],
                              .type = type,
                              .number = (int32_t)i + 1,
                              .resolved = 2};
        const if_symbol *other = find_in(&all, member->name.name);
        if (other) {
            if_error(c, member->name.place, (uint32_t)strlen(member->name.name),
                     "`%s` is declared twice", member->name.name);
            gy_note(c->diags, other->name.place, "first declared here");
        }
        all.at[all.count++] = member;
    }
    *scope = all;
    return type;
}

static const if_type *resolve_bounds(if_checker *c, const if_syntax *syntax, if_type *type)
{
    if (!if_check_number(c, syntax->low, INT32_MIN, INT32_MAX, "a bound", &type->low) ||
        !if_check_number(c, syntax->high, INT32_MIN, INT32_MAX, "a bound", &type->high))
        return NULL;
    if (type->low > type->high || (int64_t)type->high - type->low >= INT32_MAX) {
        if_error(c, syntax->low->place, syntax->low->length,
                 type->low > type->high ? "this range is empty: %d .. %d"
                                        : "this range is too wide: %d .. %d",
                 type->low, type->high);
        return NULL;
    }
    return type;
}

static const if_type *resolve_array(if_checker *c, const if_syntax *syntax, const char *name)
{
    if_type *type = new_type(c, IF_ARRAY, name);
    if (!resolve_bounds(c, syntax, type) || !(type->item = if_resolve(c, syntax->item)))
        return NULL;
    int64_t count = (int64_t)type->high - type->low + 1;
    if (count * type->item->cells > IF_MOST_CELLS) {
        if_error(c, syntax->low->place, syntax->low->length,
                 "this array has %lld numbers in it (the limit is %d)",
                 (long long)count * type->item->cells, IF_MOST_CELLS);
        return NULL;
    }
    type->count = (uint32_t)count;
    type->cells = type->count * type->item->cells;
    return type;
}

static const if_type *resolve_record(if_checker *c, const if_syntax *syntax, const char *name)
{
    if_type *type = new_type(c, IF_RECORD, name);
    bool good = true;
    type->count = syntax->count;
    type->names = syntax->names;
    type->types = GY_NEW_ARRAY(c->arena, const if_type *, syntax->count + 1);
    type->cells = 0;
    for (uint32_t i = 0; i < syntax->count; i++) {
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(type->names[k].name, type->names[i].name) == 0) {
                if_error(c, type->names[i].place, (uint32_t)strlen(type->names[i].name),
                         "there are two fields `%s`", type->names[i].name);
                good = false;
            }
        type->types[i] = if_resolve(c, syntax->types[i]);
        good = good && type->types[i];
        type->cells += type->types[i] ? type->types[i]->cells : 0;
        if (type->cells > IF_MOST_CELLS) {
            if_error(c, type->names[i].place, 0, "this record is too large");
            return NULL;
        }
    }
    return good ? type : NULL;
}

static const if_type *resolve_name(if_checker *c, const if_syntax *syntax)
{
    const char *name = syntax->name.name;
    uint32_t length = (uint32_t)strlen(name);
    if (strcmp(name, "clock") == 0 || strcmp(name, "timer") == 0) {
        gy_diag *diag =
            if_error(c, syntax->name.place, length, "`%s` is not supported (time)", name);
        gy_hint(diag, "remove clocks, delays and deadlines: Gyre reads IF without time");
        return NULL;
    }
    if (strcmp(name, "float") == 0 || strcmp(name, "real") == 0) {
        gy_diag *diag = if_error(c, syntax->name.place, length, "`%s` is not supported", name);
        gy_hint(diag, "numbers are integers");
        return NULL;
    }
    const if_symbol *found = if_find(c, name);
    if (!found && strcmp(name, "boolean") == 0)
        return c->system->boolean;
    if (!found && strcmp(name, "integer") == 0)
        return c->system->integer;
    if (!found && strcmp(name, "pid") == 0)
        return c->system->pid;
    if (!found || found->kind != IF_D_TYPE) {
        if_unknown(c, syntax->name, IF_D_TYPE, "a type");
        return NULL;
    }
    return if_resolve_symbol(c, (if_symbol *)found) ? found->type : NULL;
}

static const if_type *resolve(if_checker *c, const if_syntax *syntax, const char *name)
{
    switch (syntax->kind) {
    case IF_Y_NAME:
        return resolve_name(c, syntax);
    case IF_Y_ENUM:
        return resolve_enum(c, syntax, name);
    case IF_Y_RANGE:
        return resolve_bounds(c, syntax, new_type(c, IF_NUMBER, name));
    case IF_Y_ARRAY:
        return resolve_array(c, syntax, name);
    default:
        return resolve_record(c, syntax, name);
    }
}

const if_type *if_resolve(if_checker *c, const if_syntax *syntax)
{
    return resolve(c, syntax, NULL);
}

// ---- constants and variables ------------------------------------------------------------------

// What the command line says about a constant: its text, or NULL.
static const char *given(const if_checker *c, const char *name)
{
    size_t n = strlen(name);
    for (const char *const *d = c->defines; d && *d; d++)
        if (strncmp(*d, name, n) == 0 && ((*d)[n] == '=' || (*d)[n] == 0))
            return (*d)[n] ? *d + n + 1 : "";
    return NULL;
}

static bool resolve_const(if_checker *c, if_symbol *symbol)
{
    const char *text = c->process ? NULL : given(c, symbol->name.name);
    if (text) {
        char *end;
        errno = 0;
        long number = strtol(text, &end, 10);
        bool truth = strcmp(text, "true") == 0;
        if (truth || strcmp(text, "false") == 0) {
            symbol->number = truth;
            symbol->type = c->system->boolean;
            return true;
        }
        if (!*text || *end || errno || number < INT32_MIN || number > INT32_MAX) {
            gy_error(c->diags, symbol->name.place, "-D %s=%s does not give a number or a boolean",
                     symbol->name.name, text);
            return false;
        }
        symbol->number = (int32_t)number;
        symbol->type = c->system->integer;
        return true;
    }
    if (!symbol->value) {
        gy_diag *diag = if_error(c, symbol->name.place, (uint32_t)strlen(symbol->name.name),
                                 "the constant `%s` has no value", symbol->name.name);
        gy_hint(diag, c->process ? "const %s = …;" : "-D %s=… on the command line gives it one",
                symbol->name.name);
        return false;
    }
    if (!if_check_expr(c, symbol->value))
        return false;
    if (!symbol->value->constant) {
        if_error(c, symbol->value->place, symbol->value->length, "this is not a constant");
        return false;
    }
    symbol->number = symbol->value->value;
    symbol->type = symbol->value->type;
    return true;
}

bool if_check_nesting(const if_checker *c, gy_location place)
{
    if (c->depth >= IF_MOST_NESTED)
        if_error(c, place, 0, "this is nested too deeply, or leads on through too many names");
    return c->depth < IF_MOST_NESTED;
}

bool if_resolve_symbol(if_checker *c, if_symbol *symbol)
{
    if (symbol->resolved == 2)
        return symbol->type != NULL;
    if (symbol->resolved == 1) {
        if_error(c, symbol->name.place, (uint32_t)strlen(symbol->name.name),
                 "`%s` is defined by itself", symbol->name.name);
        symbol->resolved = 2;
        return false;
    }
    if (!if_check_nesting(c, symbol->name.place)) {
        symbol->resolved = 2;
        return false;
    }
    // A symbol of the system is resolved in the names of the system, the code that asks.
    if_checker outer = *c;
    outer.depth++;
    bool inner = false;
    for (uint32_t i = 0; c->process && i < c->process->symbols.count; i++)
        inner = inner || c->process->symbols.at[i] == symbol;
    if (!inner && symbol->kind != IF_D_VAR)
        outer.process = NULL;
    if (symbol->kind != IF_D_VAR)
        outer.procedure = NULL;
    symbol->resolved = 1;
    if (symbol->kind == IF_D_CONST)
        resolve_const(&outer, symbol);
    else
        symbol->type =
            resolve(&outer, symbol->syntax, symbol->kind == IF_D_TYPE ? symbol->name.name : NULL);
    symbol->resolved = 2;
    if (symbol->kind == IF_D_VAR && symbol->type && symbol->value &&
        if_check_expr_as(c, symbol->value, symbol->type, "the first value") &&
        !symbol->value->constant)
        if_error(c, symbol->value->place, symbol->value->length, "this is not a constant");
    return symbol->type != NULL;
}
