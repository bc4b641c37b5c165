// Order: what leaves the state first, since the rest need not examine it; then resets; then
// ranges, which count what all of these store; then assignments to what left, where these cannot
// fail; merging last, which sees the final effects, and
// which indices cannot be out of bounds.
#include "model/passes/passes.h"

#include "model/access.h"
#include "model/layout.h"
#include "model/passes/dead.h"
#include "model/passes/dead_last.h"
#include "model/passes/dead_stores.h"
#include "model/passes/merge.h"
#include "model/passes/ranges.h"
#include "model/passes/slice.h"
#include "model/validate.h"

#include <string.h>

static void *copy_of(gy_arena *arena, const void *list, size_t bytes)
{
    void *copy = gy_arena_alloc(arena, bytes + 1);
    if (bytes)
        memcpy(copy, list, bytes);
    return copy;
}

gy_model *gy_model_copy(const gy_model *exact)
{
    gy_arena *arena = exact->arena;
    gy_model *model = copy_of(arena, exact, sizeof *exact);
    model->vars = copy_of(arena, exact->vars, exact->var_count * sizeof *exact->vars);
    model->edges = copy_of(arena, exact->edges, exact->edge_count * sizeof *exact->edges);
    model->templates =
        copy_of(arena, exact->templates, exact->template_count * sizeof *exact->templates);
    model->channel_types = copy_of(arena, exact->channel_types,
                                   exact->channel_type_count * sizeof *exact->channel_types);
    return model;
}

static gy_model *model_done(gy_model *model)
{
    gy_model_layout(model);
    gy_model_access(model);
    gy_validate(model, GY_STAGE_COMPLETE, "the last pass");
    return model;
}

static void narrow(gy_model *model, gy_saved *saved)
{
    gy_narrowed narrowed = gy_model_ranges(model);
    saved->narrowed_variables = narrowed.variables;
    saved->narrowed_bits = narrowed.bits;
}

bool gy_saved_any(const gy_saved *saved)
{
    return saved->dead_resets || saved->path_resets || saved->sliced_variables ||
           saved->sliced_fields || saved->merged_edges || saved->narrowed_variables ||
           saved->last_fades;
}

gy_model *gy_model_reduced(const gy_model *exact, const gy_passes *passes,
                           const gy_watched *watched, gy_saved *saved)
{
    gy_model *model = gy_model_copy(exact);
    memset(saved, 0, sizeof *saved);
    if (gy_has_c(exact)) // which can read anything
        return model_done(model);
    if (passes->slice)
        gy_model_slice(model, watched, saved);
    gy_validate(model, GY_STAGE_BUILT, "slicing");
    if (passes->dead)
        gy_model_dead(model, watched, saved);
    gy_validate(model, GY_STAGE_BUILT, "the pass for dead variables");
    gy_model_access(model); // of the effects as they are now
    if (passes->ranges)
        narrow(model, saved);
    gy_validate(model, GY_STAGE_BUILT, "narrowing ranges");
    if (passes->slice && passes->ranges) {
        gy_model_drop_lost(model);
        gy_model_access(model);
        gy_validate(model, GY_STAGE_BUILT, "dropping what is lost");
    }
    if (passes->dead) // of the statements that are left
        gy_model_fade_last(model, watched, saved);
    if (passes->merge && !watched->claims)
        saved->merged_edges = gy_model_merge(model, watched);
    saved->reorders = saved->merged_edges > 0;
    return model_done(model);
}
