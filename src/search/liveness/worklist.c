#include "search/liveness/worklist.h"

#include <stdlib.h>

enum { PIECE = 64, FEW = 2000 };

void gy_sweep_init(gy_sweep *sweep, gy_space *space)
{
    *sweep = (gy_sweep){.space = space};
    sweep->next = gy_alloc_zero(space->size * sizeof *sweep->next);
    sweep->kept = gy_alloc_zero(space->size * sizeof *sweep->kept);
    sweep->arcs = gy_alloc_zero(space->size * sizeof *sweep->arcs);
}

void gy_sweep_free(gy_sweep *sweep)
{
    for (unsigned i = 0; i < sweep->space->size; i++) {
        gy_vec_free(&sweep->next[i]);
        gy_vec_free(&sweep->kept[i]);
        gy_vec_free(&sweep->arcs[i]);
    }
    free(sweep->next);
    free(sweep->kept);
    free(sweep->arcs);
}

void gy_sweep_push(gy_sweep *sweep, const gy_space_view *view, gy_ref node)
{
    gy_vec_push(&sweep->next[view->member], node);
}

void gy_sweep_keep(gy_sweep *sweep, const gy_space_view *view, gy_ref node)
{
    gy_vec_push(&sweep->kept[view->member], node);
}

static void append(gy_refs *to, gy_refs *from)
{
    if (from->n) {
        gy_vec_reserve(to, to->n + from->n);
        memcpy(to->at + to->n, from->at, from->n * sizeof *to->at);
        to->n += from->n;
    }
    from->n = 0;
}

void gy_sweep_take_kept(gy_sweep *sweep, gy_refs *out)
{
    for (unsigned i = 0; i < sweep->space->size; i++)
        append(out, &sweep->kept[i]);
}

static void work(void *user, gy_space_view *view)
{
    gy_sweep *sweep = user;
    size_t count = sweep->now->n, piece = sweep->space->hostile ? 1 : PIECE, from;
    while (!gy_space_ends(sweep->space) &&
           (from = atomic_fetch_add_explicit(&sweep->cursor, piece, memory_order_relaxed)) < count)
        for (size_t i = from; i < from + piece && i < count && !gy_space_ends(sweep->space); i++)
            sweep->visit(sweep, view, sweep->now->at[i]);
}

void gy_sweep_run(gy_sweep *sweep, const gy_refs *start, gy_sweep_visit *visit)
{
    gy_space *s = sweep->space;
    gy_refs turn = {0};
    sweep->visit = visit;
    sweep->now = start;
    do {
        atomic_store(&sweep->cursor, 0);
        if (sweep->now->n < (s->hostile ? 2 : FEW))
            work(sweep, &s->views[0]);
        else
            gy_space_run(s, work, sweep);
        turn.n = 0;
        for (unsigned i = 0; i < s->size; i++)
            append(&turn, &sweep->next[i]);
        sweep->now = &turn;
    } while (turn.n && !gy_space_ends(s));
    gy_vec_free(&turn);
}
