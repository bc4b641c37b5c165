// The validator: a model that is as it should be, and one for every way to break it.
#include "model/atoms.h"
#include "model/validate.h"

#include "build_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// Two globals, an array, a channel; a template with a local and four edges, one with an escape.
static gy_model *sound(void)
{
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), a = b_array(b, "a", GY_BYTE, 3);
    int32_t q = b_channel(b, "q", 2, 1, GY_BYTE);
    int32_t p = b_template(b, "P", 3), y = b_local(b, p, "y", GY_BYTE);
    gy_edge *escape = b_edge(b, p, 0, 2);
    escape->escape = 1;
    escape->guard = b_expr(b, GY_E_TIMEOUT, NULL, NULL);
    b_assign(b, b_edge(b, p, 0, 1), x, b_element(b, a, b_var(b, y)));
    b_edge(b, p, 0, 1)->kind = GY_EDGE_ELSE;
    b_receive(b, b_edge(b, p, 1, 2), q, 1, y);
    b_end(b, p, 2);
    int32_t r = b_template(b, "R", 1);
    b_local(b, r, "z", GY_INT);
    b_end(b, r, 0);
    gy_action *run = b_action(b, b_edge(b, p, 1, 2), GY_A_RUN);
    run->tmpl = r;
    b_start(b, p);
    return b_model(b);
}

enum { X, A, Q, Y, Z }; // variables
enum { ESCAPE, ASSIGN, ELSE, RECEIVE, RUN, END, R_END };

static void break_owner(gy_model *m)
{
    m->vars[X].owner = 0;
}
static void break_local_owner(gy_model *m)
{
    m->vars[Y].owner = 1;
}
static void break_param(gy_model *m)
{
    m->vars[Y].is_param = true;
}
static void break_first_var(gy_model *m)
{
    m->templates[1].first_var = Y;
}
static void break_globals(gy_model *m)
{
    m->global_count = 9;
}
static void break_width(gy_model *m)
{
    m->vars[X].type.width = 33;
}
static void break_range(gy_model *m)
{
    m->vars[X].max = 256;
}
static void break_count(gy_model *m)
{
    m->vars[X].count = 2;
}
static void break_dims(gy_model *m)
{
    m->vars[A].dims[0] = 4;
}
static void break_removed(gy_model *m)
{
    m->vars[X].removed = true;
}
static void break_field(gy_model *m)
{
    m->channel_types[0].fields[0].width = 0;
}
static void break_maker(gy_model *m)
{
    m->channel_types[0].owner = 7;
}
static void break_initial(gy_model *m)
{
    m->templates[0].initial = 3;
}
static void break_active(gy_model *m)
{
    m->templates[0].active = 2;
}
static void break_started(gy_model *m)
{
    m->started[0] = 5;
}
static void break_id(gy_model *m)
{
    m->edges[ELSE].id = 0;
}
static void break_from(gy_model *m)
{
    m->edges[ELSE].from = 1;
}
static void break_to(gy_model *m)
{
    m->edges[ASSIGN].to = 3;
}
static void break_end(gy_model *m)
{
    m->edges[END].to = 0;
}
static void break_first_edge(gy_model *m)
{
    m->templates[0].nodes[1].first_edge++;
}
static void break_edge_count(gy_model *m)
{
    m->templates[1].edge_count = 0;
}
static void break_timeout(gy_model *m)
{
    m->edges[ESCAPE].needs_timeout = false;
}
static void break_uses_timeout(gy_model *m)
{
    m->uses_timeout = false;
}
static void break_has_escapes(gy_model *m)
{
    m->has_escapes = false;
}
static void break_escape_order(gy_model *m)
{
    m->edges[ESCAPE].escape = 0, m->edges[ELSE].escape = 1;
}
static void break_sync(gy_model *m)
{
    m->edges[RECEIVE].sync = GY_SYNC_NONE;
}
static void break_channel(gy_model *m)
{
    m->edges[RECEIVE].chan = NULL;
}
static void break_message(gy_model *m)
{
    m->edges[RECEIVE].sync = GY_SYNC_SEND;
}
static void break_store(gy_model *m)
{
    m->edges[RECEIVE].fields[0].var = Z;
}
static void break_run(gy_model *m)
{
    m->edges[RUN].effect->actions[0].tmpl = 2;
}
static void break_assign(gy_model *m)
{
    m->edges[ASSIGN].effect->actions[0].expr = NULL;
}
static void break_index(gy_model *m)
{
    m->edges[ASSIGN].effect->actions[0].expr->a = NULL;
}
static void break_bound(gy_model *m)
{
    m->edges[ASSIGN].effect->actions[0].expr->a->value = 0;
}
static void break_reader(gy_model *m)
{
    m->edges[ASSIGN].effect->actions[0].expr->a->a->var = Z;
}
static void break_operand(gy_model *m)
{
    m->edges[ESCAPE].guard->op = GY_E_NOT;
}
static void break_operator(gy_model *m)
{
    m->edges[ESCAPE].guard->op = GY_E_COUNT;
}
static void break_kind(gy_model *m)
{
    m->edges[ASSIGN].effect->actions[0].kind = 99;
}
static void break_jump(gy_model *m)
{
    gy_action *action = &m->edges[RUN].effect->actions[0];
    action->kind = GY_A_JUMP;
    action->target = 2;
}
static void break_init(gy_model *m)
{
    m->init->actions[0].channel_type = 1;
}
static void break_init_reader(gy_model *m)
{
    m->init->actions[0].var = Y;
}
static void break_fair(gy_model *m)
{
    m->edges[ASSIGN].fair_action = 1;
}
static void break_trace(gy_model *m)
{
    m->trace = 0;
}
static void break_last(gy_model *m)
{
    m->edges[ESCAPE].guard->op = GY_E_LAST;
    m->edges[ESCAPE].needs_timeout = m->uses_timeout = false;
}
static void break_place(gy_model *m)
{
    m->vars[X].word = m->vars[A].word, m->vars[X].shift = m->vars[A].shift;
}
static void break_word(gy_model *m)
{
    m->vars[X].word = 99;
}
static void break_pc(gy_model *m)
{
    m->templates[0].pc_bits = 1;
}
static void break_slot(gy_model *m)
{
    m->channel_types[0].length_word = 0, m->channel_types[0].length_shift = 0;
}

static void break_atom(gy_model *m)
{
    gy_expr *expr = gy_expr_new(m->arena, GY_E_CONST, 0);
    gy_model_atom(m, expr);
    expr->value = 1;
}

#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    void (*breaks)(gy_model *);
} cases[] = {
    CASE(break_owner),        CASE(break_local_owner),  CASE(break_param),
    CASE(break_first_var),    CASE(break_globals),      CASE(break_width),
    CASE(break_range),        CASE(break_count),        CASE(break_dims),
    CASE(break_removed),      CASE(break_field),        CASE(break_maker),
    CASE(break_initial),      CASE(break_active),       CASE(break_started),
    CASE(break_id),           CASE(break_from),         CASE(break_to),
    CASE(break_end),          CASE(break_first_edge),   CASE(break_edge_count),
    CASE(break_timeout),      CASE(break_uses_timeout), CASE(break_has_escapes),
    CASE(break_escape_order), CASE(break_sync),         CASE(break_channel),
    CASE(break_message),      CASE(break_store),        CASE(break_run),
    CASE(break_assign),       CASE(break_index),        CASE(break_bound),
    CASE(break_reader),       CASE(break_operand),      CASE(break_operator),
    CASE(break_kind),         CASE(break_jump),         CASE(break_init),
    CASE(break_init_reader),  CASE(break_fair),         CASE(break_trace),
    CASE(break_last),         CASE(break_place),        CASE(break_word),
    CASE(break_pc),           CASE(break_slot),         CASE(break_atom),
};

static void a_sound_model_is_valid(void **state)
{
    (void)state;
    gy_model *model = sound();
    gy_text why = {0};
    if (gy_model_invalid(model, GY_STAGE_COMPLETE, &why))
        fail_msg("%s", gy_text_str(&why));
    gy_text_free(&why);
    gy_model_free(model);
}

static void every_broken_model_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gy_model *model = sound();
        gy_text why = {0};
        cases[i].breaks(model);
        if (!gy_model_invalid(model, GY_STAGE_COMPLETE, &why))
            fail_msg("%s goes unnoticed", cases[i].name);
        assert_true(why.n > 0);
        gy_text_free(&why);
        gy_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_model_is_valid),
        cmocka_unit_test(every_broken_model_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
