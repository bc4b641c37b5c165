#include "verify/swarm_outcome.h"

#include "dist/swarm/swarm.h"
#include "verify/explain/explain.h"

uint64_t gy_swarm_jobs(const gy_request *request)
{
    const gy_swarm *swarm = request->engine_data;
    return request->engine == &gy_engine_swarm ? swarm->figures.jobs_done : 0;
}

void gy_tell_swarm(const gy_request *request, gy_arena *arena, gy_figures *figures)
{
    if (request->engine != &gy_engine_swarm)
        return;
    const gy_swarm *swarm = request->engine_data;
    const gy_swarm_figures *f = &swarm->figures;
    gy_swarm_stats *told = GY_NEW(arena, gy_swarm_stats);
    *told = (gy_swarm_stats){
        .guide = gy_arena_strdup(arena, f->guide ? f->guide : ""),
        .why = gy_arena_strdup(arena, f->why ? f->why : ""),
        .traces = gy_arena_strdup(arena, f->traces ? f->traces : "0"),
        .parts = f->parts,
        .levels = f->levels,
        .stages = f->stages,
        .divided = f->divided_parts,
        .jobs = f->jobs_done,
        .failed = f->jobs_failed,
        .split = f->jobs_split,
        .pruned = f->jobs_pruned,
        .visited = f->visited,
        .exact = f->exact,
        .redundancy = f->redundancy,
        .settled = f->settled,
        .largest = f->largest,
        .largest_memory = f->largest_memory,
        .longest = f->longest,
        .error_met = f->error_met,
        .error_job = f->error_job,
        .error_asked = f->error_asked,
        .folder = gy_keep_string(arena, swarm->folder),
        .note = gy_keep_string(arena, swarm->note),
    };
    figures->swarm = told;
}
