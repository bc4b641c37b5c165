// Recursive descent: processes and their transitions.
#include "lang/dve/read/dve_parser.h"

typedef GY_VEC(gy_name) name_list;

// names := name { ',' name } ';'
static void parse_names(dve_parser *p, name_list *names, const char *what)
{
    do {
        gy_name name;
        if (!gy_take_name(&p->in, &name, what)) {
            dve_skip_to(p, ';', '}', DVE_T_TRANS);
            break;
        }
        gy_vec_push(names, name);
    } while (gy_accept(&p->in, ','));
    if (!gy_expect(&p->in, ';', "after the list of states"))
        dve_skip_to(p, ';', '}', DVE_T_TRANS);
    gy_accept(&p->in, ';');
}

// states := 'state' names
static void parse_states(dve_parser *p, dve_process *process)
{
    name_list names = {0};
    if (!gy_expect(&p->in, DVE_T_STATE, "after the declarations of the process")) {
        dve_skip_to(p, DVE_T_STATE, DVE_T_TRANS, '}');
        if (!gy_accept(&p->in, DVE_T_STATE))
            return;
    }
    parse_names(p, &names, "the name of a state");
    process->state_count = (uint32_t)names.n;
    process->states = GY_NEW_ARRAY(p->arena, dve_state, names.n);
    for (size_t i = 0; i < names.n; i++)
        process->states[i] = (dve_state){.name = names.at[i].name, .place = names.at[i].place};
    gy_vec_free(&names);
}

static bool is_word(const gy_token *token, const char *word)
{
    return token->kind == GY_T_NAME && strcmp(token->text, word) == 0;
}

// accept := 'accept' [ 'buchi' ] names
static void parse_accept(dve_parser *p, name_list *accepts)
{
    static const char *const others[] = {"genbuchi", "muller", "rabin", "streett"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_word(p->in.at, others[i]) && p->in.at[1].kind == '(') {
            gy_diag *diag = gy_error(p->in.diags, p->in.at->place,
                                     "acceptance by `%s` conditions is not supported", others[i]);
            diag->length = p->in.at->length;
            gy_hint(diag, "accepting states can be listed: accept q1, q2;");
            dve_skip_to(p, DVE_T_TRANS, DVE_T_ASSERT, DVE_T_INIT);
            return;
        }
    if (is_word(p->in.at, "buchi") && p->in.at[1].kind == GY_T_NAME)
        p->in.at++;
    parse_names(p, accepts, "the name of a state");
}

// roles := { 'init' name ';' | 'commit' names | accept }
static void parse_roles(dve_parser *p, dve_process *process)
{
    name_list commits = {0}, accepts = {0}, inits = {0};
    for (;;) {
        if (gy_accept(&p->in, DVE_T_COMMIT))
            parse_names(p, &commits, "the name of a state");
        else if (gy_accept(&p->in, DVE_T_ACCEPT))
            parse_accept(p, &accepts);
        else if (gy_accept(&p->in, DVE_T_INIT))
            parse_names(p, &inits, "the name of a state");
        else
            break;
    }
    if (inits.n)
        process->init_name = inits.at[0];
    if (inits.n > 1) {
        gy_diag *diag = gy_error(p->in.diags, inits.at[1].place,
                                 "process `%s` has a second initial state", process->name);
        gy_hint(diag, "a process begins in one state");
    }
    gy_vec_free(&inits);
    gy_keep(p->arena, &commits, gy_name, process->commits, process->commit_count);
    gy_keep(p->arena, &accepts, gy_name, process->accepts, process->accept_count);
}

// assertions := 'assert' name ':' expression { ',' name ':' expression } ';'
static void parse_assertions(dve_parser *p, dve_process *process)
{
    GY_VEC(dve_assertion) list = {0};
    bool good;
    do {
        dve_assertion assertion = {.state = -1};
        good = gy_take_name(&p->in, &assertion.at, "the name of a state") &&
               gy_expect(&p->in, ':', "after the state of the assertion") &&
               (assertion.expr = dve_parse_expr(p));
        if (good)
            gy_vec_push(&list, assertion);
    } while (good && gy_accept(&p->in, ','));
    if (!good || !gy_expect(&p->in, ';', "after the assertions"))
        dve_skip_to(p, ';', '}', DVE_T_TRANS);
    gy_accept(&p->in, ';');
    gy_keep(p->arena, &list, dve_assertion, process->asserts, process->assert_count);
}

// ---- transitions ------------------------------------------------------------------------------

// guard := 'guard' expression { ',' expression } ';'
static bool parse_guard(dve_parser *p, dve_transition *t)
{
    dve_expr_list list = {0};
    bool good = true;
    do {
        dve_expr *expr = dve_parse_expr(p);
        if ((good = expr != NULL))
            gy_vec_push(&list, expr);
    } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &list, dve_expr *, t->guards, t->guard_count);
    if (!good)
        return false;
    if (p->in.at->kind == '=') {
        gy_diag *diag = gy_unexpected(&p->in, "`;`", "after the guard");
        if (diag)
            gy_hint(diag, "a comparison is written `==`");
        return false;
    }
    return gy_expect(&p->in, ';', "after the guard");
}

// sync := 'sync' name ( '!' | '?' ) [ expression | '{' expression { ',' expression } '}' ] ';'
static bool parse_sync(dve_parser *p, dve_transition *t)
{
    if (!gy_take_name(&p->in, &t->channel_name, "the name of a channel"))
        return false;
    if (!gy_accept(&p->in, '!') && !gy_accept(&p->in, '?')) {
        gy_unexpected(&p->in, "`!` or `?`", "after the name of the channel");
        return false;
    }
    t->sync = p->in.at[-1].kind == '!' ? DVE_SEND : DVE_RECEIVE;
    dve_expr_list list = {0};
    bool good = true;
    if (p->in.at->kind != ';') {
        bool braces = gy_accept(&p->in, '{');
        do {
            dve_expr *expr = dve_parse_expr(p);
            if ((good = expr != NULL))
                gy_vec_push(&list, expr);
        } while (good && braces && gy_accept(&p->in, ','));
        good = good && (!braces || gy_expect(&p->in, '}', "after the values of the message"));
    }
    gy_keep(p->arena, &list, dve_expr *, t->values, t->value_count);
    return good && gy_expect(&p->in, ';', "after the synchronisation");
}

// effect := 'effect' assignment { ',' assignment } ';'
// assignment := operand '=' expression
static bool parse_effect(dve_parser *p, dve_transition *t)
{
    GY_VEC(dve_assignment) list = {0};
    bool good = true;
    do {
        dve_assignment assignment = {.place = p->in.at->place};
        assignment.target = dve_parse_operand(p);
        good = assignment.target != NULL;
        if (good && p->in.at->kind == DVE_T_EQ) {
            gy_diag *diag = gy_unexpected(&p->in, "`=`", "after the variable of the assignment");
            if (diag)
                gy_hint(diag, "`==` compares; an assignment is written `=`");
            good = false;
        }
        good = good && gy_expect(&p->in, '=', "after the variable of the assignment") &&
               (assignment.value = dve_parse_expr(p));
        if (good)
            gy_vec_push(&list, assignment);
    } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &list, dve_assignment, t->effects, t->effect_count);
    return good && gy_expect(&p->in, ';', "after the effect");
}

static void skip_part(dve_parser *p)
{
    dve_skip_to(p, ';', '}', '}');
    gy_accept(&p->in, ';');
}

// parts := '{' [ guard ] [ sync ] [ effect ] '}'
static void parse_parts(dve_parser *p, dve_transition *t)
{
    int last = 0;
    while (p->in.at->kind == DVE_T_GUARD || p->in.at->kind == DVE_T_SYNC ||
           p->in.at->kind == DVE_T_EFFECT) {
        int order = p->in.at->kind == DVE_T_GUARD ? 1 : p->in.at->kind == DVE_T_SYNC ? 2 : 3;
        if (order <= last) {
            gy_diag *diag = gy_unexpected(&p->in, "`}`", "after this part of the transition");
            if (diag)
                gy_hint(diag, "a transition has one guard, then one sync, then one effect");
        }
        last = order;
        p->in.at++;
        if (!(order == 1 ? parse_guard(p, t) : order == 2 ? parse_sync(p, t) : parse_effect(p, t)))
            skip_part(p);
    }
    if (!gy_expect(&p->in, '}', "at the end of the transition")) {
        dve_skip_to(p, '}', DVE_T_TRANS, DVE_T_TRANS);
        gy_accept(&p->in, '}');
    }
}

// transition := [ name ] '->' name parts
static bool parse_transition(dve_parser *p, gy_name *source, dve_transition *t)
{
    *t = (dve_transition){.place = p->in.at->place, .from = -1, .to = -1};
    if (p->in.at->kind != DVE_T_ARROW || !source->name) {
        if (!gy_take_name(&p->in, source, "the state that the transition leaves"))
            return false;
    }
    t->from_name = *source;
    if (p->in.at->kind == DVE_T_WIDE_ARROW) {
        gy_diag *diag =
            gy_error(p->in.diags, p->in.at->place, "probabilistic transitions are not supported");
        gy_hint(diag, "write one transition with `->` for each target");
        return false;
    }
    if (!gy_expect(&p->in, DVE_T_ARROW, "after the state that the transition leaves") ||
        !gy_take_name(&p->in, &t->to_name, "the state that the transition leads to"))
        return false;
    if (!gy_expect(&p->in, '{', "after the states of the transition"))
        return false;
    parse_parts(p, t);
    return true;
}

// transitions := 'trans' transition { ',' transition } ';'
static void parse_transitions(dve_parser *p, dve_process *process)
{
    GY_VEC(dve_transition) list = {0};
    gy_name source = {0};
    while (!gy_diags_full(p->in.diags)) {
        dve_transition t;
        if (parse_transition(p, &source, &t))
            gy_vec_push(&list, t);
        else
            dve_skip_to(p, ',', ';', '}');
        if (gy_accept(&p->in, ','))
            continue;
        if (p->in.at->kind == GY_T_NAME && p->in.at[1].kind == DVE_T_ARROW) {
            gy_diag *diag = gy_unexpected(&p->in, "`,`", "between two transitions");
            if (diag)
                gy_hint(diag, "a comma separates transitions; `;` comes after the last one");
            continue;
        }
        break;
    }
    if (!gy_expect(&p->in, ';', "after the last transition"))
        dve_skip_to(p, ';', '}', '}');
    gy_accept(&p->in, ';');
    gy_keep(p->arena, &list, dve_transition, process->transitions, process->transition_count);
}

// process := 'process' name '{' { variables } states roles [ assertions ] [ roles ]
//            [ transitions ] '}'
dve_process *dve_parse_process(dve_parser *p)
{
    dve_process *process = GY_NEW(p->arena, dve_process);
    gy_name name;
    gy_take_name(&p->in, &name, "the name of the process");
    process->name = name.name;
    process->place = name.place;
    process->init = -1;
    if (!gy_expect(&p->in, '{', "after the name of the process")) {
        dve_skip_to(p, '{', DVE_T_PROCESS, DVE_T_SYSTEM);
        if (!gy_accept(&p->in, '{'))
            return process;
    }
    dve_var_list vars = {0};
    while (p->in.at->kind == DVE_T_CONST || p->in.at->kind == DVE_T_BYTE ||
           p->in.at->kind == DVE_T_INT)
        dve_parse_variables(p, process, &vars);
    gy_keep(p->arena, &vars, dve_var *, process->vars, process->var_count);
    parse_states(p, process);
    parse_roles(p, process);
    if (gy_accept(&p->in, DVE_T_ASSERT))
        parse_assertions(p, process);
    if (gy_accept(&p->in, DVE_T_TRANS))
        parse_transitions(p, process);
    if (!gy_expect(&p->in, '}', "at the end of the process")) {
        dve_skip_to(p, '}', DVE_T_PROCESS, DVE_T_SYSTEM);
        gy_accept(&p->in, '}');
    }
    return process;
}
