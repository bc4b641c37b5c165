// Recursive descent: processes, their states and transitions, and procedures.
#include "lang/if/read/if_parser.h"

// ---- procedures -------------------------------------------------------------------------------

// name ';' [ 'fpar' … ';' ] [ 'returns' type ';' ] { 'var' … ';' } { statement } | '{#' C '#}'
// 'endprocedure' ';'
if_procedure *if_parse_procedure(if_parser *p)
{
    static const int ends[] = {IF_T_ENDPROCEDURE, 0};
    static const int always[] = {IF_T_ENDPROCESS, IF_T_ENDSYSTEM, IF_T_PROCESS, 0};
    if_procedure *procedure = GY_NEW(p->arena, if_procedure);
    if_symbol_list vars = {0};
    bool good = gy_take_name(&p->in, &procedure->name, "the name of a procedure") &&
                gy_expect(&p->in, ';', "after the name of the procedure") &&
                (!gy_accept(&p->in, IF_T_FPAR) || if_parse_fpar(p, &vars));
    procedure->param_count = (uint32_t)vars.n;
    if (good && gy_accept(&p->in, IF_T_RETURNS))
        good = (procedure->returns = if_parse_type_name(p)) &&
               gy_expect(&p->in, ';', "after the type of the result");
    while (good && gy_accept(&p->in, IF_T_VAR))
        good = if_parse_var(p, &vars);
    if (good && p->in.at->kind == IF_T_OPEN_CODE)
        if_parse_code(p, procedure, &vars);
    else if (good)
        good = if_parse_statements(p, &procedure->body);
    if (!good || p->in.at->kind != IF_T_ENDPROCEDURE) {
        if (good)
            gy_unexpected(&p->in, "a statement or `endprocedure`", "here");
        gy_skip_to(&p->in, ends, always);
    }
    if (gy_accept(&p->in, IF_T_ENDPROCEDURE))
        gy_expect(&p->in, ';', "after `endprocedure`");
    gy_keep(p->arena, &vars, if_symbol *, procedure->vars.at, procedure->vars.count);
    for (uint32_t i = 0; i < procedure->vars.count; i++)
        procedure->vars.at[i]->procedure = procedure;
    return procedure;
}

// ---- states -----------------------------------------------------------------------------------

// 'nextstate' ( name | '-' ) ';' | 'stop' ';'
static bool parse_end_of_transition(if_parser *p, if_transition *t)
{
    t->target = (gy_name){"-", p->in.at->place};
    if (gy_accept(&p->in, IF_T_STOP))
        t->stops = true;
    else if (!gy_expect(&p->in, IF_T_NEXTSTATE, "(or `stop` or a statement) in a transition"))
        return false;
    else if (!gy_accept(&p->in, '-') && !gy_take_name(&p->in, &t->target, "the name of a state"))
        return false;
    return gy_expect(&p->in, ';', "at the end of the transition");
}

// [ 'provided' expression ';' ] [ 'input' name '(' … ')' ';' ] { statement } end
static bool parse_transition(if_parser *p, if_transition *t)
{
    t->place = p->in.at->place;
    if (gy_accept(&p->in, IF_T_PROVIDED) &&
        (!(t->provided = if_parse_expr(p)) || !gy_expect(&p->in, ';', "after the condition")))
        return false;
    if (p->in.at->kind == IF_T_WHEN || p->in.at->kind == IF_T_DEADLINE) {
        if_refuse(p, "time", "remove clocks, delays and deadlines: Gyre reads IF without time");
        return false;
    }
    if (gy_accept(&p->in, IF_T_INPUT)) {
        t->has_input = true;
        if (!gy_take_name(&p->in, &t->input, "the name of a signal") ||
            !if_parse_arguments(p, &t->inputs, "after the name of the signal") ||
            !gy_expect(&p->in, ';', "after the input"))
            return false;
    }
    return if_parse_statements(p, &t->body) && parse_end_of_transition(p, t);
}

static bool parse_state_option(if_parser *p, if_state *state)
{
    const gy_token *token = ++p->in.at;
    const char *word = token->kind == GY_T_NAME ? token->text : "";
    if (!strcmp(word, "start"))
        state->start = true;
    else if (!strcmp(word, "unstable"))
        state->unstable = true;
    else if (strcmp(word, "stable") != 0) {
        gy_unexpected(&p->in, "`start`, `stable` or `unstable`", "after `#`");
        return false;
    }
    p->in.at++;
    return true;
}

// After an error: after the end of the transition, or at the end of the state.
static void skip_transition(if_parser *p)
{
    static const int ends[] = {IF_T_NEXTSTATE, IF_T_STOP, 0};
    static const int always[] = {IF_T_ENDSTATE,  IF_T_ENDPROCESS, IF_T_STATE,
                                 IF_T_ENDSYSTEM, IF_T_PROCESS,    0};
    gy_skip_to(&p->in, ends, always);
    if (p->in.at->kind == IF_T_NEXTSTATE || p->in.at->kind == IF_T_STOP) {
        while (p->in.at->kind != ';' && p->in.at->kind != GY_T_END &&
               p->in.at->kind != IF_T_ENDSTATE)
            p->in.at++;
        gy_accept(&p->in, ';');
    }
}

static bool refuse_in_state(if_parser *p)
{
    switch (p->in.at->kind) {
    case IF_T_TPC:
        if_refuse(p, "time", "remove clocks, delays and deadlines: Gyre reads IF without time");
        break;
    case IF_T_SAVE:
        if_refuse(p, "deferred signals", "an `input` takes the signal at the head of the queue");
        break;
    case IF_T_STATE:
        if_refuse(p, "a state inside of another one", "states of a process cannot be nested");
        break;
    default:
        return false;
    }
    return true;
}

// All of a state, with those that are inside of it.
static void skip_state(if_parser *p)
{
    unsigned open = 0;
    do {
        open += p->in.at->kind == IF_T_STATE;
        open -= p->in.at->kind == IF_T_ENDSTATE;
        p->in.at++;
    } while (open && p->in.at->kind != GY_T_END && p->in.at->kind != IF_T_ENDPROCESS);
    gy_accept(&p->in, ';');
}

// name { '#' option } ';' { transition } 'endstate' ';'
static bool parse_state(if_parser *p, if_state *state)
{
    GY_VEC(if_transition *) list = {0};
    bool good = gy_take_name(&p->in, &state->name, "the name of a state");
    while (good && p->in.at->kind == '#')
        good = parse_state_option(p, state);
    good = good && gy_expect(&p->in, ';', "after the name of the state");
    while (good && p->in.at->kind != IF_T_ENDSTATE && p->in.at->kind != GY_T_END &&
           p->in.at->kind != IF_T_ENDPROCESS && !gy_diags_full(p->in.diags)) {
        if (refuse_in_state(p)) {
            if (p->in.at->kind == IF_T_STATE) {
                skip_state(p);
                continue;
            }
            while (p->in.at->kind != ';' && p->in.at->kind != GY_T_END &&
                   p->in.at->kind != IF_T_ENDSTATE)
                p->in.at++;
            gy_accept(&p->in, ';');
            continue;
        }
        if_transition *t = GY_NEW(p->arena, if_transition);
        const gy_token *from = p->in.at;
        p->in.depth = 0;
        if (parse_transition(p, t))
            gy_vec_push(&list, t);
        else
            skip_transition(p);
        if (p->in.at == from)
            p->in.at++;
    }
    gy_keep(p->arena, &list, if_transition *, state->transitions, state->count);
    static const int always[] = {IF_T_ENDPROCESS, IF_T_ENDSYSTEM, IF_T_PROCESS, 0};
    static const int ends[] = {IF_T_ENDSTATE, 0};
    if (!good)
        gy_skip_to(&p->in, ends, always);
    return gy_expect(&p->in, IF_T_ENDSTATE, "at the end of the state") &&
           gy_expect(&p->in, ';', "after `endstate`");
}

// ---- processes --------------------------------------------------------------------------------

static bool parse_process_option(if_parser *p, if_process *process)
{
    const gy_token *token = ++p->in.at;
    const char *word = token->kind == GY_T_NAME ? token->text : "";
    if_expr **to = !strcmp(word, "queue")       ? &process->queue
                   : !strcmp(word, "instances") ? &process->most
                                                : NULL;
    if (!to) {
        gy_unexpected(&p->in, "`queue` or `instances`", "after `#`");
        return false;
    }
    p->in.at++;
    return (*to = if_parse_options(p)) != NULL;
}

typedef struct process_parts {
    if_symbol_list symbols, vars;
    GY_VEC(if_state) states;
} process_parts;

static bool parse_part(if_parser *p, if_process *process, process_parts *parts)
{
    int kind = p->in.at->kind;
    if_state state = {0};
    if_symbol *symbol;
    p->in.at++;
    switch (kind) {
    case IF_T_STATE:
        if (parse_state(p, &state) || *(state.name.name ? state.name.name : ""))
            gy_vec_push(&parts->states, state);
        return true;
    case IF_T_VAR:
        return if_parse_var(p, &parts->vars);
    case IF_T_CONST:
        return if_parse_const(p, &parts->symbols);
    case IF_T_TYPE:
        return if_parse_type_definition(p, &parts->symbols);
    case IF_T_PROCEDURE:
        symbol = if_new_symbol(p, IF_D_PROCEDURE);
        symbol->procedure = if_parse_procedure(p);
        symbol->name = symbol->procedure->name;
        symbol->procedure->process = process;
        if (*symbol->name.name)
            gy_vec_push(&parts->symbols, symbol);
        return true;
    default:
        p->in.at--;
        gy_unexpected(&p->in, "a declaration, a state or `endprocess`", "here");
        return false;
    }
}

// name '(' number ')' { '#' option } ';' [ 'fpar' … ';' ] { part } 'endprocess' ';'
if_process *if_parse_process(if_parser *p)
{
    static const int begin[] = {
        IF_T_STATE,      IF_T_VAR,     IF_T_CONST,     IF_T_TYPE,        IF_T_PROCEDURE,
        IF_T_ENDPROCESS, IF_T_PROCESS, IF_T_ENDSYSTEM, IF_T_SIGNALROUTE, 0};
    if_process *process = GY_NEW(p->arena, if_process);
    process_parts parts = {0};
    bool good = gy_take_name(&p->in, &process->name, "the name of a process") &&
                gy_expect(&p->in, '(', "after the name of the process") &&
                (process->number = if_parse_expr(p)) &&
                gy_expect(&p->in, ')', "after the number of instances");
    while (good && p->in.at->kind == '#')
        good = parse_process_option(p, process);
    good = good && gy_expect(&p->in, ';', "after the number of instances");
    if (good && gy_accept(&p->in, IF_T_FPAR))
        good = if_parse_fpar(p, &parts.vars);
    process->param_count = (uint32_t)parts.vars.n;
    while (p->in.at->kind != IF_T_ENDPROCESS && p->in.at->kind != GY_T_END &&
           p->in.at->kind != IF_T_ENDSYSTEM && p->in.at->kind != IF_T_PROCESS &&
           p->in.at->kind != IF_T_SIGNALROUTE && !gy_diags_full(p->in.diags)) {
        p->in.depth = 0;
        if (good && parse_part(p, process, &parts))
            continue;
        gy_skip_to(&p->in, NULL, begin);
        good = true;
    }
    if (gy_expect(&p->in, IF_T_ENDPROCESS, "at the end of the process"))
        gy_expect(&p->in, ';', "after `endprocess`");
    gy_keep(p->arena, &parts.symbols, if_symbol *, process->symbols.at, process->symbols.count);
    gy_keep(p->arena, &parts.vars, if_symbol *, process->vars.at, process->vars.count);
    gy_keep(p->arena, &parts.states, if_state, process->states, process->state_count);
    for (uint32_t i = 0; i < process->vars.count; i++)
        process->vars.at[i]->process = process;
    return process;
}
