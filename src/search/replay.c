#include "search/replay.h"

#include "reduce/lift.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct replay {
    uint32_t wanted, seen; // ordinals
    GY_VEC(gy_word) state;
    gy_lifted_steps steps;
    uint64_t step_count; // of the path itself
    gy_lift *lift;       // or NULL
    bool has_state;
    gy_fault_kind kind; // of the fault that is looked for
    bool fails;         // it is there
    int32_t edge;       // of it
    char *message;
} replay;

static int visit(void *user, const gy_transition *transition)
{
    replay *r = user;
    if (r->seen++ != r->wanted)
        return 0;
    const gy_word *state = transition->state;
    r->step_count += transition->step_count;
    if (r->lift)
        state = gy_lift_take(r->lift, transition, &r->steps);
    for (uint32_t i = 0; i < transition->step_count && !r->lift; i++)
        gy_vec_push(&r->steps, transition->steps[i]);
    free(r->message);
    r->message = NULL;
    const gy_fault *fault = gy_fault_find(transition->fault, r->kind);
    r->fails = fault;
    if (fault) {
        r->edge = fault->edge;
        r->message = strdup(fault->message ? fault->message : "");
    }
    r->has_state = state != NULL;
    r->state.n = 0;
    if (r->has_state) {
        gy_vec_reserve(&r->state, (size_t)transition->words + 1);
        if (transition->words)
            memcpy(r->state.at, state, transition->words * sizeof *state);
        r->state.n = transition->words;
    }
    return 1;
}

bool gy_replay(gy_worker *worker, const gy_symmetry *symmetry, const gy_route *path,
               gy_fault_kind kind, gy_witness *witness)
{
    replay r = {.kind = kind, .lift = symmetry ? gy_lift_new(symmetry) : NULL};
    GY_VEC(gy_word) from = {0};
    bool found = path->n > 0;
    for (size_t i = 0; i < path->n && found; i++) {
        r.wanted = path->at[i];
        r.seen = 0;
        if (i == 0) {
            found = gy_initial(worker, visit, &r) == 1;
            continue;
        }
        found = r.has_state;
        if (!found)
            break;
        gy_vec_reserve(&from, r.state.n + 1);
        if (r.state.n)
            memcpy(from.at, r.state.at, r.state.n * sizeof *from.at);
        from.n = r.state.n;
        found = gy_successors(worker, from.at, (uint32_t)from.n, visit, &r) == 1;
    }
    found = found && (kind == GY_FAULT_NONE ? r.has_state : r.fails);
    if (found && r.lift && kind == GY_FAULT_NONE)
        gy_lift_rest(r.lift, &r.steps);
    gy_lift_free(r.lift);
    uint64_t where = kind != GY_FAULT_NONE ? (uint64_t)kind << 32 | (uint32_t)r.edge
                     : found               ? gy_hash_words(r.state.at, (uint32_t)r.state.n, 1)
                                           : 0;
    gy_vec_free(&from);
    gy_vec_free(&r.state);
    if (!found) {
        gy_vec_free(&r.steps);
        free(r.message);
        return false;
    }
    if (kind == GY_FAULT_NONE) {
        free(r.message);
        r.message = NULL;
    }
    *witness = (gy_witness){
        .error = kind == GY_FAULT_NONE ? GY_ERROR_END_STATE : GY_ERROR_FAULT,
        .fault = kind,
        .message = r.message ? r.message : strdup(""),
        .steps = r.steps.at ? r.steps.at : gy_alloc(sizeof(gy_step)),
        .step_count = r.steps.n,
        .depth = path->n - 1,
        .stretched = r.steps.n > r.step_count,
        .where = where,
    };
    return true;
}
