// See build_stubborn_table.h. What stubborn.c and stubborn_profile.c find out when it is asked for,
// all of it at once.
#include "reduce/build_stubborn_table.h"

#include "exec/stubborn_table.h"
#include "reduce/wait_condition.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROW_WORDS = 1 << 16 }; // more is too much for a table

typedef struct making {
    const gy_reduction *r;
    gy_process_classes *classes;
    const gy_process_class *class;
    uint32_t pid;
    gy_choice_table *table;
    GY_VEC(uint32_t) row; // the current one
} making;

// ---- rows ---------------------------------------------------------------------------------------

// The places of others at which one may come to do something that row `which` of an edge is about.
static bool fill_row(making *m, uint32_t edge, uint32_t which)
{
    const gy_process_class *class = m->class;
    bool any = false;
    memset(m->row.at, 0, m->table->row_words * sizeof *m->row.at);
    for (uint32_t pid = 0; pid < class->count; pid++) {
        const gy_instance *other = class->members[pid].instance;
        const uint64_t *nodes =
            pid == m->pid ? NULL
                          : gy_process_classes_row(m->classes, class->members[m->pid].instance,
                                                   edge, which, other);
        for (uint32_t n = 0; nodes && n < other->node_count; n++)
            if (gy_bits_has(nodes, n)) {
                uint32_t at = m->table->place.at[pid] + n;
                m->row.at[at / 32] |= 1u << at % 32;
                any = true;
            }
    }
    return any;
}

// Equal rows are one.
static uint32_t row_of(making *m, uint32_t edge, uint32_t which)
{
    gy_choice_table *t = m->table;
    size_t bytes = t->row_words * sizeof *m->row.at;
    if (!fill_row(m, edge, which))
        return GY_CHOICE_NO_ROW;
    for (uint32_t i = 0; i < t->row_count; i++)
        if (!memcmp(t->rows.at + (size_t)i * t->row_words, m->row.at, bytes))
            return i;
    for (uint32_t w = 0; w < t->row_words; w++)
        gy_vec_push(&t->rows, m->row.at[w]);
    return t->row_count++;
}

// ---- questions ----------------------------------------------------------------------------------

static gy_choice_question value_question(const gy_wait_condition *q)
{
    const gy_wait *wait = q->wait;
    const gy_variable *var = wait->var;
    uint32_t bit = var->shift + wait->element * var->stride;
    return (gy_choice_question){
        .word = q->at + var->word + bit / 32,
        .shift = bit % 32,
        .bits = var->bits,
        .is_signed = var->min < 0,
        .low = wait->low,
        .span = wait->span,
        .if_so = wait->inverted ? GY_CHOICE_FAILS : GY_CHOICE_HOLDS,
        .if_not = wait->inverted ? GY_CHOICE_HOLDS : GY_CHOICE_FAILS,
    };
}

// About how many messages there are, as gy_wait_condition_channel has it.
static gy_choice_question channel_question(const making *m, const gy_wait_condition *q)
{
    gy_choice_question is = {
        .word = q->at + q->type->length_word,
        .shift = q->type->length_shift,
        .bits = q->type->length_bits,
        .if_so = GY_CHOICE_HOLDS,
        .if_not = GY_CHOICE_FAILS,
    };
    switch (q->wait->kind) {
    case GY_WAIT_MESSAGE:
        is.low = 1;
        is.span = q->type->capacity;
        break;
    case GY_WAIT_NOTHING:
        break;
    case GY_WAIT_ROOM:
        is.span = q->type->capacity - 1;
        is.if_not = m->r->lossy ? GY_CHOICE_PERHAPS : GY_CHOICE_FAILS;
        break;
    case GY_WAIT_FULL:
        is.low = q->type->capacity;
        break;
    default:
        is.if_not = GY_CHOICE_PERHAPS;
        break;
    }
    return is;
}

static uint32_t question_of(making *m, const gy_wait *wait)
{
    gy_wait_condition q;
    gy_choice_table *t = m->table;
    if (!gy_wait_condition_pose(m->r, m->class, m->pid, wait, &q))
        return GY_CHOICE_NO_QUESTION;
    gy_choice_question is = q.type ? channel_question(m, &q) : value_question(&q);
    if (!q.type && !wait->var->bits) { // it has one value
        bool so = (uint32_t)wait->var->min - is.low <= is.span;
        is.if_so = is.if_not = so ? is.if_so : is.if_not;
    }
    for (size_t i = 0; i < t->questions.n; i++) {
        const gy_choice_question *old = &t->questions.at[i];
        if (old->word == is.word && old->shift == is.shift && old->bits == is.bits &&
            old->low == is.low && old->span == is.span && old->if_so == is.if_so &&
            old->if_not == is.if_not)
            return (uint32_t)i;
    }
    gy_vec_push(&t->questions, is);
    return (uint32_t)t->questions.n - 1;
}

// ---- edges --------------------------------------------------------------------------------------

static void add_edge(making *m, uint32_t edge, bool alone)
{
    const gy_edge_view *view = &m->class->members[m->pid].instance->edges[edge];
    gy_choice_edge is = {
        .flags = (view->visible ? GY_CHOICE_EVERYONE : 0) |
                 (view->needs_timeout ? GY_CHOICE_TIMEOUT : 0) |
                 (view->is_else ? GY_CHOICE_ELSE : 0) | (view->is_end ? GY_CHOICE_END : 0) |
                 (view->may_fail ? GY_CHOICE_MAY_FAIL : 0) | (view->always ? GY_CHOICE_MEETS : 0) |
                 (alone ? GY_CHOICE_ALONE : 0),
        .conflicts = row_of(m, edge, GY_ROW_CONFLICTS),
        .always = view->always ? row_of(m, edge, GY_ROW_ALWAYS) : GY_CHOICE_NO_ROW,
        .first_wait = (uint32_t)m->table->waits.n,
        .wait_count = view->wait_count,
    };
    for (uint32_t i = 0; i < view->wait_count; i++) {
        gy_choice_wait wait = {row_of(m, edge, GY_ROW_WAITS + i), question_of(m, &view->waits[i])};
        gy_vec_push(&m->table->waits, wait);
    }
    gy_vec_push(&m->table->edges, is);
}

static void add_process(making *m)
{
    const gy_process_class_member *member = &m->class->members[m->pid];
    for (uint32_t n = 0; n < member->instance->node_count; n++) {
        const gy_node *node = &member->nodes[n];
        gy_vec_push(&m->table->node, (uint32_t)m->table->edges.n);
        for (int32_t k = 0; k < node->edge_count; k++)
            add_edge(m, (uint32_t)(node->first_edge + k - member->first_edge),
                     gy_process_class_is_alone(m->class, m->pid, n));
    }
}

typedef struct choices {
    gy_choice_maker choices; // first
    const gy_reduction *r;
} choices;

static bool fits(const gy_choice_table *t)
{
    return t->rows.n <= MOST_ROW_WORDS && t->row_count < GY_CHOICE_NO_ROW &&
           t->questions.n < GY_CHOICE_NO_QUESTION;
}

static bool make_table(void *self, const gy_word *state, uint32_t words, gy_choice_table *table)
{
    const choices *c = self;
    gy_process_classes *classes = gy_process_classes_new(c->r);
    const gy_process_class *class = gy_process_class_of(classes, state, words);
    making m = {.r = c->r, .classes = classes, .class = class, .table = table};
    *table = (gy_choice_table){0};
    if (class && class->count > 1) {
        uint32_t places = 0;
        table->processes = class->count;
        table->escapes = c->r->model->has_escapes;
        for (uint32_t pid = 0; pid < class->count; pid++) {
            gy_vec_push(&table->place, places);
            places += class->members[pid].instance->node_count;
        }
        table->row_words = (places + 31) / 32;
        gy_vec_reserve(&m.row, table->row_words + 1);
        for (m.pid = 0; m.pid < class->count && fits(table); m.pid++)
            add_process(&m);
        gy_vec_push(&table->node, (uint32_t)table->edges.n);
        for (uint32_t i = 0; i < class->mask_count; i++)
            gy_vec_push(&table->masks,
                        ((gy_choice_mask){class->masks[i].word, class->masks[i].bits}));
    }
    bool good = table->processes && fits(table);
    gy_vec_free(&m.row);
    gy_process_classes_free(classes);
    return good;
}

gy_choice_maker *gy_choice_maker_new(const gy_reduction *reduction, uint32_t most_kept,
                                     const char **why)
{
    *why = reduction->groups     ? "the model is a shared object"
           : reduction->triggers ? "the model uses priorities"
                                 : NULL;
    if (*why)
        return NULL;
    choices *c = gy_alloc_zero(sizeof *c);
    c->r = reduction;
    c->choices = (gy_choice_maker){.self = c, .most_kept = most_kept, .table = make_table};
    return &c->choices;
}

void gy_choice_maker_free(gy_choice_maker *c)
{
    free(c);
}
