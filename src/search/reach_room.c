// Room in the store of the reachability search: the steps of its growth, whichever store it is.
#include "search/reach_parts.h"

void gy_reach_tell_store(gy_reach_member *m)
{
    if (m->reach->forest)
        gy_forest_note(&m->forest);
    else
        gy_pile_note(&m->pile);
}

bool gy_reach_begin_growth(gy_reach *r)
{
    return r->forest ? gy_forest_begin_growth(r->forest) : gy_pile_begin_growth(r->pile);
}

void gy_reach_help_growth(gy_reach *r)
{
    if (r->forest)
        gy_forest_help(r->forest);
    else
        gy_pile_help(r->pile);
}

bool gy_reach_step_growth(gy_reach *r)
{
    return r->forest ? gy_forest_step(r->forest) : gy_pile_step(r->pile);
}

bool gy_reach_end_growth(gy_reach *r)
{
    if (r->pile)
        return gy_pile_end_growth(r->pile);
    if (!gy_forest_end_growth(r->forest))
        gy_reach_out_of_memory(r);
    return true;
}

void gy_reach_grow_alone(gy_reach *r)
{
    bool enough = false;
    while (!enough && !gy_reach_is_up(&r->stop)) {
        if (!gy_reach_begin_growth(r)) {
            gy_reach_out_of_memory(r);
            return;
        }
        do
            gy_reach_help_growth(r);
        while (gy_reach_step_growth(r));
        enough = gy_reach_end_growth(r);
    }
}

bool gy_reach_make_room(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    if (r->solo) {
        gy_reach_tell_store(m);
        gy_reach_grow_alone(r);
    } else {
        gy_reach_meet(m);
    }
    return !gy_reach_is_up(&r->stop);
}
