// Room in the store of the reachability search, whichever store it is.
#include "search/safety/reach_parts.h"

void gy_reach_tell_store(gy_reach_member *m)
{
    if (m->reach->forest)
        gy_forest_note(&m->forest);
    else
        gy_pile_note(&m->pile);
}

void gy_reach_grow(gy_reach *r)
{
    if (!(r->forest ? gy_forest_grow(r->forest, &r->team) : gy_pile_grow(r->pile, &r->team)))
        gy_reach_out_of_memory(r);
}

bool gy_reach_make_room(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    if (r->solo) {
        gy_reach_tell_store(m);
        gy_reach_grow(r);
    } else {
        gy_reach_meet(m);
    }
    return !gy_reach_is_up(&r->stop);
}
