// Recursive descent: declarations, channels and the system line. Each function has its rule above
// it. After an error the parser goes on after the next place where something new can begin.
#include "lang/dve/read/dve_parser.h"

void dve_skip_to(dve_parser *p, int a, int b, int c)
{
    static const int always[] = {DVE_T_PROCESS, DVE_T_SYSTEM, 0}; // never inside anything
    gy_skip_to(&p->in, (const int[]){a, b, c, 0}, always);
}

// ---- variables ------------------------------------------------------------------------------

// initialiser := expression | '{' expression { ',' expression } '}'
static void parse_initialiser(dve_parser *p, dve_var *var)
{
    dve_expr_list list = {0};
    var->has_list = gy_accept(&p->in, '{');
    do {
        dve_expr *expr = dve_parse_expr(p);
        if (!expr)
            break;
        gy_vec_push(&list, expr);
    } while (var->has_list && gy_accept(&p->in, ','));
    if (var->has_list && !gy_expect(&p->in, '}', "at the end of the list of initial values")) {
        dve_skip_to(p, '}', ';', ';');
        gy_accept(&p->in, '}');
    }
    gy_keep(p->arena, &list, dve_expr *, var->initial, var->initial_count);
}

// declarator := name [ '[' expression ']' ] [ '=' initialiser ]
static dve_var *parse_declarator(dve_parser *p)
{
    gy_name name;
    if (!gy_take_name(&p->in, &name, "the name of a variable"))
        return NULL;
    dve_var *var = GY_NEW(p->arena, dve_var);
    var->name = name.name;
    var->place = name.place;
    var->copy = -1;
    if (gy_accept(&p->in, '[')) {
        var->is_array = true;
        var->size = dve_parse_expr(p);
        if (!var->size || !gy_expect(&p->in, ']', "after the size of the array"))
            return NULL;
    } else if (p->in.at->kind == DVE_T_BOX) {
        gy_unexpected(&p->in, "the size of the array", "between the brackets");
        return NULL;
    }
    if (gy_accept(&p->in, '='))
        parse_initialiser(p, var);
    return var;
}

// variables := [ 'const' ] ( 'byte' | 'int' ) declarator { ',' declarator } ';'
void dve_parse_variables(dve_parser *p, dve_process *owner, dve_var_list *vars)
{
    bool is_const = gy_accept(&p->in, DVE_T_CONST);
    dve_type type = p->in.at->kind == DVE_T_INT ? DVE_INT : DVE_BYTE;
    if (!gy_accept(&p->in, DVE_T_BYTE) && !gy_accept(&p->in, DVE_T_INT)) {
        gy_unexpected(&p->in, "`byte` or `int`", "after `const`");
        dve_skip_to(p, ';', '}', '}');
        gy_accept(&p->in, ';');
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
    } while (gy_accept(&p->in, ','));
    if (!gy_expect(&p->in, ';', "after the declaration")) {
        dve_skip_to(p, ';', '}', DVE_T_STATE);
        gy_accept(&p->in, ';');
    }
}

// ---- channels -------------------------------------------------------------------------------

// types := '{' ( 'byte' | 'int' ) { ',' ( 'byte' | 'int' ) } '}'
static bool parse_types(dve_parser *p, dve_type **types, uint32_t *count)
{
    GY_VEC(dve_type) list = {0};
    bool good = true;
    do {
        dve_type type = p->in.at->kind == DVE_T_INT ? DVE_INT : DVE_BYTE;
        good = gy_accept(&p->in, DVE_T_BYTE) || gy_accept(&p->in, DVE_T_INT);
        if (good)
            gy_vec_push(&list, type);
        else
            gy_unexpected(&p->in, "`byte` or `int`", "in the type of the channel");
    } while (good && gy_accept(&p->in, ','));
    good = good && gy_expect(&p->in, '}', "after the types of the channel");
    gy_keep(p->arena, &list, dve_type, *types, *count);
    return good;
}

// channels := 'channel' [ types ] channel { ',' channel } ';'
// channel  := name [ '[' expression ']' ]
static void parse_channels(dve_parser *p, void *to)
{
    GY_VEC(dve_channel *) *channels = to;
    dve_type *types = NULL;
    uint32_t type_count = 0;
    bool typed = gy_accept(&p->in, '{');
    bool good = !typed || parse_types(p, &types, &type_count);
    if (good)
        do {
            gy_name name;
            if (!(good = gy_take_name(&p->in, &name, "the name of a channel")))
                break;
            dve_channel *channel = GY_NEW(p->arena, dve_channel);
            *channel = (dve_channel){.name = name.name, .place = name.place, .typed = typed};
            channel->types = types;
            channel->type_count = type_count;
            gy_vec_push(channels, channel);
            if (gy_accept(&p->in, '[')) {
                channel->size = dve_parse_expr(p);
                good = channel->size && gy_expect(&p->in, ']', "after the capacity of the channel");
            }
        } while (good && gy_accept(&p->in, ','));
    if (!good || !gy_expect(&p->in, ';', "after the declaration of channels")) {
        dve_skip_to(p, ';', '}', '}');
        gy_accept(&p->in, ';');
    }
}

// ---- the system -----------------------------------------------------------------------------

// system := 'system' ( 'async' | 'sync' ) [ 'property' name ] ';'
static void parse_system(dve_parser *p)
{
    dve_model *model = p->model;
    model->system_place = p->in.at[-1].place;
    model->synchronous = p->in.at->kind == DVE_T_SYNC;
    if (!gy_accept(&p->in, DVE_T_ASYNC) && !gy_accept(&p->in, DVE_T_SYNC))
        gy_unexpected(&p->in, "`async` or `sync`", "after `system`");
    else if (gy_accept(&p->in, DVE_T_PROPERTY) &&
             !gy_take_name(&p->in, &model->property_name, "the name of the property process"))
        model->property_name.name = NULL;
    if (p->in.last_error != p->in.at)
        gy_expect(&p->in, ';', "at the end of the system line");
    if (p->in.at->kind != GY_T_END && !gy_diags_errors(p->in.diags))
        gy_unexpected(&p->in, "the end of the file", "after the system line");
}

// model := { variables | channels } process { process } system
static void parse_model(dve_parser *p)
{
    dve_model *model = p->model;
    dve_var_list vars = {0};
    GY_VEC(dve_channel *) channels = {0};
    GY_VEC(dve_process *) processes = {0};
    bool has_system = false;
    while (p->in.at->kind != GY_T_END && !gy_diags_full(p->in.diags)) {
        int kind = p->in.at->kind;
        if (kind == DVE_T_CONST || kind == DVE_T_BYTE || kind == DVE_T_INT) {
            dve_parse_variables(p, NULL, &vars);
        } else if (gy_accept(&p->in, DVE_T_CHANNEL)) {
            parse_channels(p, &channels);
        } else if (gy_accept(&p->in, DVE_T_PROCESS)) {
            dve_process *process = dve_parse_process(p);
            gy_vec_push(&processes, process);
        } else if (gy_accept(&p->in, DVE_T_SYSTEM)) {
            has_system = true;
            parse_system(p);
            break;
        } else {
            gy_diag *diag =
                gy_unexpected(&p->in, "a declaration, a process or the system line", "here");
            if (diag && kind == GY_T_NAME && strcmp(p->in.at->text, "bool") == 0)
                gy_hint(diag, "the types of DVE are byte and int");
            p->in.at++;
            while (p->in.at->kind != GY_T_END && p->in.at->kind != DVE_T_PROCESS &&
                   p->in.at->kind != DVE_T_SYSTEM && p->in.at[-1].kind != ';')
                p->in.at++;
        }
    }
    if (!has_system && !gy_diags_full(p->in.diags)) {
        gy_diag *diag = gy_error(p->in.diags, p->in.at->place, "the system line is missing");
        gy_hint(diag, "a model ends with `system async;`");
    }
    gy_keep(p->arena, &vars, dve_var *, model->vars, model->var_count);
    gy_keep(p->arena, &channels, dve_channel *, model->channels, model->channel_count);
    gy_keep(p->arena, &processes, dve_process *, model->processes, model->process_count);
}

dve_model *dve_read(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file)
{
    dve_model *model = GY_NEW(arena, dve_model);
    *model = (dve_model){.arena = arena, .sources = sources, .diags = diags};
    dve_parser p = {.arena = arena, .model = model};
    p.in = gy_read_tokens(&dve_lexicon, arena, sources, diags, file);
    parse_model(&p);
    // The checker examines whatever was understood, so that one run shows as much as it can.
    dve_check(model);
    return model;
}

dve_expr *dve_read_formula(dve_model *model, const char *text, bool temporal)
{
    uint32_t file = gy_sources_add(model->sources, "formula", text, strlen(text), 0);
    dve_parser p = {.arena = model->arena, .model = model, .in_formula = true};
    p.in = gy_read_tokens(&dve_lexicon, model->arena, model->sources, model->diags, file);
    dve_expr *expr = dve_parse_expr(&p);
    if (expr && p.in.at->kind != GY_T_END)
        gy_unexpected(&p.in, "the end of the formula", "here");
    dve_scope scope = {.model = model};
    if (gy_diags_errors(model->diags) || !expr || !dve_check_expr(&scope, expr))
        return NULL;
    if (!temporal && expr->kind >= DVE_X_NEXT) {
        gy_error(model->diags, expr->place, "a predicate over states has no temporal operators");
        return NULL;
    }
    return expr;
}
