#include "search/hunt/record.h"

#include "search/hunt/party.h"
#include "search/hunt/strategies.h"

gy_hunt_record *gy_hunt_record_new(const gy_pack *pack, const gy_pack_figures *figures)
{
    gy_hunt_record *record = gy_alloc_zero(sizeof *record);
    uint32_t count = gy_pack_shares(pack);
    record->shares = gy_alloc_zero((count + (size_t)1) * sizeof *record->shares);
    for (uint32_t i = 0; i < count; i++) {
        gy_pack_share share = gy_pack_share_at(pack, i);
        if (share.generated == 0)
            continue;
        record->shares[record->count++] = (gy_hunt_share){
            .strategy = share.strategy->name,
            .title = share.strategy->title,
            .guide = share.guide ? share.guide->name : NULL,
            .generated = share.generated,
            .states = share.states,
            .depth = share.depth,
            .runs = share.runs,
            .errors = share.errors,
        };
    }
    record->pct_runs = figures->pct_runs;
    record->pct_steps = figures->pct_steps;
    record->pct_processes = figures->pct_processes;
    record->pct_depth = GY_PCT_DEPTH;
    record->pct_chance = 1 - figures->pct_miss;
    return record;
}

void gy_hunt_record_free(gy_hunt_record *record)
{
    if (!record)
        return;
    free(record->shares);
    free(record);
}
