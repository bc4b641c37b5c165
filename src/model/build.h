// A builder of MODELs, for front ends and tests: things are made in any order that suits the
// language, and finishing puts them where model.h wants them.
//
//     gy_model *model = gy_model_new();
//     gy_builder *b = gy_build_new(model);
//     int32_t x = gy_build_variable(b, GY_NONE, "x", gy_type_of(GY_BYTE), 0);
//     int32_t p = gy_build_template(b, "P", GY_TMPL_PROCESS);
//     int32_t here = gy_build_node(b, p, NULL), there = gy_build_node(b, p, "done");
//     gy_edge *edge = gy_build_edge(b, p, here, there);
//     edge->guard = gy_build_binary(b, GY_E_LT, gy_build_read(b, x, NULL), gy_build_const(b, 3));
//     gy_build_assign(b, edge, x, NULL, gy_build_const(b, 7));
//     gy_build_start(b, p);
//     gy_build_finish(b);
//
// Order: globals before the first template, the variables of a template (parameters first) before
// the next template. Everything else comes when it comes: a template may have edges when it has
// nodes, and the edges of a node keep the order in which they were made.
//
// What is made carries `place`, which the front end moves along. Pointers to variables, templates,
// channel types and edges are good until the builder is finished; those to nodes and actions until
// the next one of the same template, edge or program is made. Numbers are those of the model.
//
// Owner: all that is made belongs to the model; finish and abandon release the builder. One thread.
#ifndef GYRE_MODEL_BUILD_H
#define GYRE_MODEL_BUILD_H

#include "base/vec.h"
#include "model/model.h"

typedef GY_VEC(gy_action) gy_action_list;

typedef struct gy_builder {
    gy_model *model;
    gy_location place;
    gy_action_list init; // the initial program of the model
    // Only build.c examines the rest.
    GY_VEC(gy_variable *) vars;
    GY_VEC(gy_channel_type *) channel_types;
    GY_VEC(struct gy_built_template *) templates;
    GY_VEC(struct gy_built_edge *) edges;
    GY_VEC(int32_t) started;
    GY_VEC(struct gy_built_event *) events;
} gy_builder;

gy_builder *gy_build_new(gy_model *model);
// Fills the model, but for what the passes add, and sets the `uses_…` and `has_…` flags that its
// expressions show, besides those that are set already.
void gy_build_finish(gy_builder *builder);
void gy_build_abandon(gy_builder *builder); // after an error; NULL is fine

// ---- variables and channels ---------------------------------------------------------------

gy_type gy_type_of(gy_type_kind kind); // the usual one; GY_UNSIGNED: of 32 bits
gy_type gy_type_bits(uint8_t width, bool is_signed);

// count 0: a scalar. `owner` is the last template made, or GY_NONE for a global.
int32_t gy_build_variable(gy_builder *b, int32_t owner, const char *name, gy_type type,
                          uint32_t count);
int32_t gy_build_parameter(gy_builder *b, int32_t tmpl, const char *name, gy_type type);
int32_t gy_build_add_variable(gy_builder *b, const gy_variable *variable);
gy_variable *gy_built_variable(gy_builder *b, int32_t var);
int32_t gy_build_channel_type(gy_builder *b, int32_t owner, const char *name, uint32_t capacity,
                              const gy_type *fields, uint32_t count);
// A global variable that holds, from the start, a channel of this type.
int32_t gy_build_channel(gy_builder *b, const char *name, int32_t type);

// ---- templates ----------------------------------------------------------------------------

int32_t gy_build_template(gy_builder *b, const char *name, gy_template_kind kind);
gy_template *gy_built_template(gy_builder *b, int32_t tmpl);
gy_action_list *gy_built_template_init(gy_builder *b, int32_t tmpl); // runs when one is made
// The first node is the initial one unless template->initial says otherwise. With a label it can
// be referred to by that name.
int32_t gy_build_node(gy_builder *b, int32_t tmpl, const char *label);
gy_node *gy_built_node(gy_builder *b, int32_t tmpl, int32_t node);
void gy_build_label(gy_builder *b, int32_t tmpl, int32_t node, const char *label);
gy_edge *gy_build_edge(gy_builder *b, int32_t tmpl, int32_t from, int32_t to);
gy_edge *gy_build_end(gy_builder *b, int32_t tmpl, int32_t from); // the process ends
void gy_build_start(gy_builder *b, int32_t tmpl);                 // one more at the start

// ---- steps of several processes ---------------------------------------------------------------

// An event is a step that all its parties take together; docs/internals/model.md says what it
// means. The parties are processes of the start, by pid (the first gy_build_start makes number 0),
// and the effects of their edges run in this order. Events are made before the first template.
int32_t gy_build_event(gy_builder *b, const char *name, const int32_t *pids, uint32_t count);
// This edge is taken in that event, and only there, by the parties that are of its template.
gy_edge *gy_build_takes_part(gy_edge *edge, int32_t event);
// What is wrong with the events of a builder that is about to be finished, in words; NULL: nothing.
// (gy_build_finish relies on it.)
const char *gy_build_events_wrong(const gy_builder *b);

// ---- expressions --------------------------------------------------------------------------

gy_expr *gy_build_expr(gy_builder *b, gy_expr_op op);
gy_expr *gy_build_const(gy_builder *b, int32_t value);
gy_expr *gy_build_unary(gy_builder *b, gy_expr_op op, gy_expr *operand);
gy_expr *gy_build_binary(gy_builder *b, gy_expr_op op, gy_expr *left, gy_expr *right);
// An index, checked when it is evaluated unless it is a constant within bounds.
gy_expr *gy_build_index(gy_builder *b, int32_t var, gy_expr *index);
gy_expr *gy_build_read(gy_builder *b, int32_t var, gy_expr *index); // index NULL: a scalar
// Process number pid (NULL: the only one) of the template is at the node.
gy_expr *gy_build_at(gy_builder *b, int32_t tmpl, gy_expr *pid, int32_t node);

// ---- effects ------------------------------------------------------------------------------

gy_action *gy_build_action(gy_builder *b, gy_edge *edge, gy_action_kind kind);
gy_action *gy_build_action_in(gy_builder *b, gy_action_list *list, gy_action_kind kind);
gy_edge *gy_build_assign(gy_builder *b, gy_edge *edge, int32_t var, gy_expr *index, gy_expr *value);
gy_edge *gy_build_assert(gy_builder *b, gy_edge *edge, gy_expr *condition, const char *text);
// Simultaneously: one more target of an action of kind GY_A_ASSIGN_ALL.
void gy_build_target(gy_builder *b, gy_action *all, int32_t var, gy_expr *index, gy_expr *value);
// Into var [index] any value from first to last; `list`: of an edge (gy_built_effect), of a
// template, of the model (several initial states).
void gy_build_choose(gy_builder *b, gy_action_list *list, int32_t var, gy_expr *index,
                     gy_expr *first, gy_expr *last);
gy_action_list *gy_built_effect(gy_edge *edge);
gy_field *gy_build_fields(gy_builder *b, uint32_t count); // to be filled in
gy_edge *gy_build_send(gy_builder *b, gy_edge *edge, gy_expr *chan, gy_field *fields,
                       uint32_t count);
gy_edge *gy_build_receive(gy_builder *b, gy_edge *edge, gy_expr *chan, gy_field *fields,
                          uint32_t count);
// A list as a program of the model; NULL if it is empty. Frees the list.
gy_program *gy_build_program(gy_builder *b, gy_action_list *list);

#endif
