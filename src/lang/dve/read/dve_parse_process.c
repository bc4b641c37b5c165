// Recursive descent: processes and their transitions.
#include "lang/dve/read/dve_parser.h"

typedef GY_VEC(dve_name) name_list;

// names := name { ',' name } ';'
static void parse_names(dve_parser *p, name_list *names, const char *what)
{
    do {
        dve_name name;
        if (!dve_take_name(p, &name, what)) {
            dve_skip_to(p, ';', '}', DVE_T_TRANS);
            break;
        }
        gy_vec_push(names, name);
    } while (dve_accept(p, ','));
    if (!dve_expect(p, ';', "after the list of states"))
        dve_skip_to(p, ';', '}', DVE_T_TRANS);
    dve_accept(p, ';');
}

// states := 'state' names
static void parse_states(dve_parser *p, dve_process *process)
{
    name_list names = {0};
    if (!dve_expect(p, DVE_T_STATE, "after the declarations of the process")) {
        dve_skip_to(p, DVE_T_STATE, DVE_T_TRANS, '}');
        if (!dve_accept(p, DVE_T_STATE))
            return;
    }
    parse_names(p, &names, "the name of a state");
    process->state_count = (uint32_t)names.n;
    process->states = GY_NEW_ARRAY(p->arena, dve_state, names.n);
    for (size_t i = 0; i < names.n; i++)
        process->states[i] = (dve_state){.name = names.at[i].name, .place = names.at[i].place};
    gy_vec_free(&names);
}

static bool is_word(const dve_token *token, const char *word)
{
    return token->kind == DVE_T_NAME && strcmp(token->text, word) == 0;
}

// accept := 'accept' [ 'buchi' ] names
static void parse_accept(dve_parser *p, name_list *accepts)
{
    static const char *const others[] = {"genbuchi", "muller", "rabin", "streett"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_word(p->at, others[i]) && p->at[1].kind == '(') {
            gy_diag *diag = gy_error(p->diags, p->at->place,
                                     "acceptance by `%s` conditions is not supported", others[i]);
            diag->length = p->at->length;
            gy_hint(diag, "accepting states can be listed: accept q1, q2;");
            dve_skip_to(p, DVE_T_TRANS, DVE_T_ASSERT, DVE_T_INIT);
            return;
        }
    if (is_word(p->at, "buchi") && p->at[1].kind == DVE_T_NAME)
        p->at++;
    parse_names(p, accepts, "the name of a state");
}

// roles := { 'init' name ';' | 'commit' names | accept }
static void parse_roles(dve_parser *p, dve_process *process)
{
    name_list commits = {0}, accepts = {0}, inits = {0};
    for (;;) {
        if (dve_accept(p, DVE_T_COMMIT))
            parse_names(p, &commits, "the name of a state");
        else if (dve_accept(p, DVE_T_ACCEPT))
            parse_accept(p, &accepts);
        else if (dve_accept(p, DVE_T_INIT))
            parse_names(p, &inits, "the name of a state");
        else
            break;
    }
    if (inits.n)
        process->init_name = inits.at[0];
    if (inits.n > 1) {
        gy_diag *diag = gy_error(p->diags, inits.at[1].place,
                                 "process `%s` has a second initial state", process->name);
        gy_hint(diag, "a process begins in one state");
    }
    gy_vec_free(&inits);
    dve_keep(p, &commits, dve_name, process->commits, process->commit_count);
    dve_keep(p, &accepts, dve_name, process->accepts, process->accept_count);
}

// assertions := 'assert' name ':' expression { ',' name ':' expression } ';'
static void parse_assertions(dve_parser *p, dve_process *process)
{
    GY_VEC(dve_assertion) list = {0};
    bool good;
    do {
        dve_assertion assertion = {.state = -1};
        good = dve_take_name(p, &assertion.at, "the name of a state") &&
               dve_expect(p, ':', "after the state of the assertion") &&
               (assertion.expr = dve_parse_expr(p));
        if (good)
            gy_vec_push(&list, assertion);
    } while (good && dve_accept(p, ','));
    if (!good || !dve_expect(p, ';', "after the assertions"))
        dve_skip_to(p, ';', '}', DVE_T_TRANS);
    dve_accept(p, ';');
    dve_keep(p, &list, dve_assertion, process->asserts, process->assert_count);
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
    } while (good && dve_accept(p, ','));
    dve_keep(p, &list, dve_expr *, t->guards, t->guard_count);
    if (!good)
        return false;
    if (p->at->kind == '=') {
        gy_diag *diag = dve_unexpected(p, "`;`", "after the guard");
        if (diag)
            gy_hint(diag, "a comparison is written `==`");
        return false;
    }
    return dve_expect(p, ';', "after the guard");
}

// sync := 'sync' name ( '!' | '?' ) [ expression | '{' expression { ',' expression } '}' ] ';'
static bool parse_sync(dve_parser *p, dve_transition *t)
{
    if (!dve_take_name(p, &t->channel_name, "the name of a channel"))
        return false;
    if (!dve_accept(p, '!') && !dve_accept(p, '?')) {
        dve_unexpected(p, "`!` or `?`", "after the name of the channel");
        return false;
    }
    t->sync = p->at[-1].kind == '!' ? DVE_SEND : DVE_RECEIVE;
    dve_expr_list list = {0};
    bool good = true;
    if (p->at->kind != ';') {
        bool braces = dve_accept(p, '{');
        do {
            dve_expr *expr = dve_parse_expr(p);
            if ((good = expr != NULL))
                gy_vec_push(&list, expr);
        } while (good && braces && dve_accept(p, ','));
        good = good && (!braces || dve_expect(p, '}', "after the values of the message"));
    }
    dve_keep(p, &list, dve_expr *, t->values, t->value_count);
    return good && dve_expect(p, ';', "after the synchronisation");
}

// effect := 'effect' assignment { ',' assignment } ';'
// assignment := operand '=' expression
static bool parse_effect(dve_parser *p, dve_transition *t)
{
    GY_VEC(dve_assignment) list = {0};
    bool good = true;
    do {
        dve_assignment assignment = {.place = p->at->place};
        assignment.target = dve_parse_operand(p);
        good = assignment.target != NULL;
        if (good && p->at->kind == DVE_T_EQ) {
            gy_diag *diag = dve_unexpected(p, "`=`", "after the variable of the assignment");
            if (diag)
                gy_hint(diag, "`==` compares; an assignment is written `=`");
            good = false;
        }
        good = good && dve_expect(p, '=', "after the variable of the assignment") &&
               (assignment.value = dve_parse_expr(p));
        if (good)
            gy_vec_push(&list, assignment);
    } while (good && dve_accept(p, ','));
    dve_keep(p, &list, dve_assignment, t->effects, t->effect_count);
    return good && dve_expect(p, ';', "after the effect");
}

static void skip_part(dve_parser *p)
{
    dve_skip_to(p, ';', '}', '}');
    dve_accept(p, ';');
}

// parts := '{' [ guard ] [ sync ] [ effect ] '}'
static void parse_parts(dve_parser *p, dve_transition *t)
{
    int last = 0;
    while (p->at->kind == DVE_T_GUARD || p->at->kind == DVE_T_SYNC || p->at->kind == DVE_T_EFFECT) {
        int order = p->at->kind == DVE_T_GUARD ? 1 : p->at->kind == DVE_T_SYNC ? 2 : 3;
        if (order <= last) {
            gy_diag *diag = dve_unexpected(p, "`}`", "after this part of the transition");
            if (diag)
                gy_hint(diag, "a transition has one guard, then one sync, then one effect");
        }
        last = order;
        p->at++;
        if (!(order == 1 ? parse_guard(p, t) : order == 2 ? parse_sync(p, t) : parse_effect(p, t)))
            skip_part(p);
    }
    if (!dve_expect(p, '}', "at the end of the transition")) {
        dve_skip_to(p, '}', DVE_T_TRANS, DVE_T_TRANS);
        dve_accept(p, '}');
    }
}

// transition := [ name ] '->' name parts
static bool parse_transition(dve_parser *p, dve_name *source, dve_transition *t)
{
    *t = (dve_transition){.place = p->at->place, .from = -1, .to = -1};
    if (p->at->kind != DVE_T_ARROW || !source->name) {
        if (!dve_take_name(p, source, "the state that the transition leaves"))
            return false;
    }
    t->from_name = *source;
    if (p->at->kind == DVE_T_WIDE_ARROW) {
        gy_diag *diag =
            gy_error(p->diags, p->at->place, "probabilistic transitions are not supported");
        gy_hint(diag, "write one transition with `->` for each target");
        return false;
    }
    if (!dve_expect(p, DVE_T_ARROW, "after the state that the transition leaves") ||
        !dve_take_name(p, &t->to_name, "the state that the transition leads to"))
        return false;
    if (!dve_expect(p, '{', "after the states of the transition"))
        return false;
    parse_parts(p, t);
    return true;
}

// transitions := 'trans' transition { ',' transition } ';'
static void parse_transitions(dve_parser *p, dve_process *process)
{
    GY_VEC(dve_transition) list = {0};
    dve_name source = {0};
    while (!gy_diags_full(p->diags)) {
        dve_transition t;
        if (parse_transition(p, &source, &t))
            gy_vec_push(&list, t);
        else
            dve_skip_to(p, ',', ';', '}');
        if (dve_accept(p, ','))
            continue;
        if (p->at->kind == DVE_T_NAME && p->at[1].kind == DVE_T_ARROW) {
            gy_diag *diag = dve_unexpected(p, "`,`", "between two transitions");
            if (diag)
                gy_hint(diag, "a comma separates transitions; `;` comes after the last one");
            continue;
        }
        break;
    }
    if (!dve_expect(p, ';', "after the last transition"))
        dve_skip_to(p, ';', '}', '}');
    dve_accept(p, ';');
    dve_keep(p, &list, dve_transition, process->transitions, process->transition_count);
}

// process := 'process' name '{' { variables } states roles [ assertions ] [ roles ]
//            [ transitions ] '}'
dve_process *dve_parse_process(dve_parser *p)
{
    dve_process *process = GY_NEW(p->arena, dve_process);
    dve_name name;
    dve_take_name(p, &name, "the name of the process");
    process->name = name.name;
    process->place = name.place;
    process->init = -1;
    if (!dve_expect(p, '{', "after the name of the process")) {
        dve_skip_to(p, '{', DVE_T_PROCESS, DVE_T_SYSTEM);
        if (!dve_accept(p, '{'))
            return process;
    }
    dve_var_list vars = {0};
    while (p->at->kind == DVE_T_CONST || p->at->kind == DVE_T_BYTE || p->at->kind == DVE_T_INT)
        dve_parse_variables(p, process, &vars);
    dve_keep(p, &vars, dve_var *, process->vars, process->var_count);
    parse_states(p, process);
    parse_roles(p, process);
    if (dve_accept(p, DVE_T_ASSERT))
        parse_assertions(p, process);
    if (dve_accept(p, DVE_T_TRANS))
        parse_transitions(p, process);
    if (!dve_expect(p, '}', "at the end of the process")) {
        dve_skip_to(p, '}', DVE_T_PROCESS, DVE_T_SYSTEM);
        dve_accept(p, '}');
    }
    return process;
}
