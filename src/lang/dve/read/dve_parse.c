// Recursive descent: declarations, channels and the system line. Each function has its rule above
// it. After an error the parser goes on behind the next place where something new can begin.
#include "lang/dve/read/dve_parser.h"

// ---- tokens ---------------------------------------------------------------------------------

bool dve_accept(dve_parser *p, int kind)
{
    if (p->at->kind != kind)
        return false;
    if (kind != DVE_T_END)
        p->at++;
    return true;
}

gy_diag *dve_unexpected(dve_parser *p, const char *expected, const char *where)
{
    if (p->last_error == p->at || p->at->kind == DVE_T_BAD)
        return NULL;
    p->last_error = p->at;
    gy_text found = {0};
    dve_token_text(p->at, &found);
    gy_diag *diag = gy_error(p->diags, p->at->place, "%s was expected %s, but here is %s", expected,
                             where, gy_text_str(&found));
    diag->length = p->at->length;
    gy_text_free(&found);
    return diag;
}

bool dve_expect(dve_parser *p, int kind, const char *where)
{
    if (dve_accept(p, kind))
        return true;
    dve_unexpected(p, dve_kind_text(kind), where);
    return false;
}

bool dve_take_name(dve_parser *p, dve_name *name, const char *what)
{
    if (p->at->kind != DVE_T_NAME) {
        gy_diag *diag = dve_unexpected(p, what, "here");
        if (diag && p->at->kind >= DVE_T_ACCEPT && p->at->kind <= DVE_T_TRUE)
            gy_hint(diag, "`%.*s` is a word of the language", (int)p->at->length, p->at->text);
        *name = (dve_name){"", p->at->place};
        return false;
    }
    *name = (dve_name){p->at->text, p->at->place};
    p->at++;
    return true;
}

void dve_skip_to(dve_parser *p, int a, int b, int c)
{
    unsigned open = 0;
    for (; p->at->kind != DVE_T_END; p->at++) {
        int kind = p->at->kind;
        if (!open && (kind == a || kind == b || kind == c))
            return;
        if (kind == '{' || kind == '(' || kind == '[')
            open++;
        else if ((kind == '}' || kind == ')' || kind == ']') && open)
            open--;
        else if (kind == DVE_T_PROCESS || kind == DVE_T_SYSTEM)
            return; // never inside anything
    }
}

// ---- variables ------------------------------------------------------------------------------

// initialiser := expression | '{' expression { ',' expression } '}'
static void parse_initialiser(dve_parser *p, dve_var *var)
{
    dve_expr_list list = {0};
    var->has_list = dve_accept(p, '{');
    do {
        dve_expr *expr = dve_parse_expr(p);
        if (!expr)
            break;
        gy_vec_push(&list, expr);
    } while (var->has_list && dve_accept(p, ','));
    if (var->has_list && !dve_expect(p, '}', "at the end of the list of initial values")) {
        dve_skip_to(p, '}', ';', ';');
        dve_accept(p, '}');
    }
    dve_keep(p, &list, dve_expr *, var->initial, var->initial_count);
}

// declarator := name [ '[' expression ']' ] [ '=' initialiser ]
static dve_var *parse_declarator(dve_parser *p)
{
    dve_name name;
    if (!dve_take_name(p, &name, "the name of a variable"))
        return NULL;
    dve_var *var = GY_NEW(p->arena, dve_var);
    var->name = name.name;
    var->place = name.place;
    var->copy = -1;
    if (dve_accept(p, '[')) {
        var->is_array = true;
        var->size = dve_parse_expr(p);
        if (!var->size || !dve_expect(p, ']', "after the size of the array"))
            return NULL;
    } else if (p->at->kind == DVE_T_BOX) {
        dve_unexpected(p, "the size of the array", "between the brackets");
        return NULL;
    }
    if (dve_accept(p, '='))
        parse_initialiser(p, var);
    return var;
}

// variables := [ 'const' ] ( 'byte' | 'int' ) declarator { ',' declarator } ';'
void dve_parse_variables(dve_parser *p, dve_process *owner, dve_var_list *vars)
{
    bool is_const = dve_accept(p, DVE_T_CONST);
    dve_type type = p->at->kind == DVE_T_INT ? DVE_INT : DVE_BYTE;
    if (!dve_accept(p, DVE_T_BYTE) && !dve_accept(p, DVE_T_INT)) {
        dve_unexpected(p, "`byte` or `int`", "after `const`");
        dve_skip_to(p, ';', '}', '}');
        dve_accept(p, ';');
        return;
    }
    do {
        dve_var *var = parse_declarator(p);
        if (!var) {
            dve_skip_to(p, ';', '}', '}');
            break;
        }
        var->type = type;
        var->is_const = is_const;
        var->owner = owner;
        gy_vec_push(vars, var);
    } while (dve_accept(p, ','));
    if (!dve_expect(p, ';', "after the declaration")) {
        dve_skip_to(p, ';', '}', DVE_T_STATE);
        dve_accept(p, ';');
    }
}

// ---- channels -------------------------------------------------------------------------------

// types := '{' ( 'byte' | 'int' ) { ',' ( 'byte' | 'int' ) } '}'
static bool parse_types(dve_parser *p, dve_type **types, uint32_t *count)
{
    GY_VEC(dve_type) list = {0};
    bool good = true;
    do {
        dve_type type = p->at->kind == DVE_T_INT ? DVE_INT : DVE_BYTE;
        good = dve_accept(p, DVE_T_BYTE) || dve_accept(p, DVE_T_INT);
        if (good)
            gy_vec_push(&list, type);
        else
            dve_unexpected(p, "`byte` or `int`", "in the type of the channel");
    } while (good && dve_accept(p, ','));
    good = good && dve_expect(p, '}', "after the types of the channel");
    dve_keep(p, &list, dve_type, *types, *count);
    return good;
}

// channels := 'channel' [ types ] channel { ',' channel } ';'
// channel  := name [ '[' expression ']' ]
static void parse_channels(dve_parser *p, void *to)
{
    GY_VEC(dve_channel *) *channels = to;
    dve_type *types = NULL;
    uint32_t type_count = 0;
    bool typed = dve_accept(p, '{');
    bool good = !typed || parse_types(p, &types, &type_count);
    if (good)
        do {
            dve_name name;
            if (!(good = dve_take_name(p, &name, "the name of a channel")))
                break;
            dve_channel *channel = GY_NEW(p->arena, dve_channel);
            *channel = (dve_channel){.name = name.name, .place = name.place, .typed = typed};
            channel->types = types;
            channel->type_count = type_count;
            gy_vec_push(channels, channel);
            if (dve_accept(p, '[')) {
                channel->size = dve_parse_expr(p);
                good = channel->size && dve_expect(p, ']', "after the capacity of the channel");
            }
        } while (good && dve_accept(p, ','));
    if (!good || !dve_expect(p, ';', "after the declaration of channels")) {
        dve_skip_to(p, ';', '}', '}');
        dve_accept(p, ';');
    }
}

// ---- the system -----------------------------------------------------------------------------

// system := 'system' ( 'async' | 'sync' ) [ 'property' name ] ';'
static void parse_system(dve_parser *p)
{
    dve_model *model = p->model;
    model->system_place = p->at[-1].place;
    model->synchronous = p->at->kind == DVE_T_SYNC;
    if (!dve_accept(p, DVE_T_ASYNC) && !dve_accept(p, DVE_T_SYNC))
        dve_unexpected(p, "`async` or `sync`", "after `system`");
    else if (dve_accept(p, DVE_T_PROPERTY) &&
             !dve_take_name(p, &model->property_name, "the name of the property process"))
        model->property_name.name = NULL;
    if (p->last_error != p->at)
        dve_expect(p, ';', "at the end of the system line");
    if (p->at->kind != DVE_T_END && !gy_diags_errors(p->diags))
        dve_unexpected(p, "the end of the file", "after the system line");
}

// model := { variables | channels } process { process } system
static void parse_model(dve_parser *p)
{
    dve_model *model = p->model;
    dve_var_list vars = {0};
    GY_VEC(dve_channel *) channels = {0};
    GY_VEC(dve_process *) processes = {0};
    bool has_system = false;
    while (p->at->kind != DVE_T_END && !gy_diags_full(p->diags)) {
        int kind = p->at->kind;
        if (kind == DVE_T_CONST || kind == DVE_T_BYTE || kind == DVE_T_INT) {
            dve_parse_variables(p, NULL, &vars);
        } else if (dve_accept(p, DVE_T_CHANNEL)) {
            parse_channels(p, &channels);
        } else if (dve_accept(p, DVE_T_PROCESS)) {
            dve_process *process = dve_parse_process(p);
            gy_vec_push(&processes, process);
        } else if (dve_accept(p, DVE_T_SYSTEM)) {
            has_system = true;
            parse_system(p);
            break;
        } else {
            gy_diag *diag =
                dve_unexpected(p, "a declaration, a process or the system line", "here");
            if (diag && kind == DVE_T_NAME && strcmp(p->at->text, "bool") == 0)
                gy_hint(diag, "the types of DVE are byte and int");
            p->at++;
            while (p->at->kind != DVE_T_END && p->at->kind != DVE_T_PROCESS &&
                   p->at->kind != DVE_T_SYSTEM && p->at[-1].kind != ';')
                p->at++;
        }
    }
    if (!has_system && !gy_diags_full(p->diags)) {
        gy_diag *diag = gy_error(p->diags, p->at->place, "the system line is missing");
        gy_hint(diag, "a model ends with `system async;`");
    }
    dve_keep(p, &vars, dve_var *, model->vars, model->var_count);
    dve_keep(p, &channels, dve_channel *, model->channels, model->channel_count);
    dve_keep(p, &processes, dve_process *, model->processes, model->process_count);
}

dve_model *dve_read(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file)
{
    dve_model *model = GY_NEW(arena, dve_model);
    *model = (dve_model){.arena = arena, .sources = sources, .diags = diags};
    dve_tokens tokens = dve_lex(arena, sources, diags, file);
    dve_parser p = {.arena = arena, .diags = diags, .at = tokens.at, .model = model};
    parse_model(&p);
    // The checker looks at whatever was understood, so that one run shows as much as it can.
    dve_check(model);
    return model;
}

dve_expr *dve_read_formula(dve_model *model, const char *text, bool temporal)
{
    uint32_t file = gy_sources_add(model->sources, "formula", text, strlen(text), 0);
    dve_tokens tokens = dve_lex(model->arena, model->sources, model->diags, file);
    dve_parser p = {.arena = model->arena,
                    .diags = model->diags,
                    .at = tokens.at,
                    .model = model,
                    .in_formula = true};
    dve_expr *expr = dve_parse_expr(&p);
    if (expr && p.at->kind != DVE_T_END)
        dve_unexpected(&p, "the end of the formula", "here");
    dve_scope scope = {.model = model};
    if (gy_diags_errors(model->diags) || !expr || !dve_check_expr(&scope, expr))
        return NULL;
    if (!temporal && expr->kind >= DVE_X_NEXT) {
        gy_error(model->diags, expr->place, "a predicate over states has no temporal operators");
        return NULL;
    }
    return expr;
}
