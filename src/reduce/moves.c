// See moves.h. Where the backend does not give all at once, they are copied one by one; pointers
// are put in at the end, when nothing moves any more.
#include "reduce/moves.h"

#include "exec/system.h"

void gy_faults_copy(gy_faults *to, const gy_fault *first)
{
    for (; first; first = first->also) {
        gy_vec_push(to, *first);
        to->at[to->n - 1].message = ""; // lives no longer than the visit
    }
}

const gy_fault *gy_faults_next(gy_faults *all, size_t *at)
{
    gy_fault *first = &all->at[(*at)++], *last = first;
    while (last->also)
        last = last->also = &all->at[(*at)++];
    return first;
}

static int copy(void *user, const gy_transition *transition)
{
    gy_moves *m = user;
    gy_vec_reserve(&m->words, m->words.n + transition->words + 1);
    if (transition->words)
        memcpy(m->words.at + m->words.n, transition->state,
               transition->words * sizeof *transition->state);
    m->words.n += transition->words;
    for (uint32_t i = 0; i < transition->step_count; i++)
        gy_vec_push(&m->steps, transition->steps[i]);
    gy_faults_copy(&m->faults, transition->fault);
    gy_vec_push(&m->list, *transition);
    m->cut = m->most && m->list.n >= m->most;
    return m->cut;
}

static void put_pointers_in(gy_moves *m)
{
    size_t word = 0, step = 0, fault = 0;
    for (size_t i = 0; i < m->list.n; i++) {
        gy_transition *t = &m->list.at[i];
        if (t->state)
            t->state = m->words.at + word;
        t->steps = m->steps.at + step;
        if (t->fault)
            t->fault = gy_faults_next(&m->faults, &fault);
        word += t->words;
        step += t->step_count;
    }
}

const gy_transition *gy_moves_find(gy_moves *m, gy_worker *worker, const gy_word *state,
                                   uint32_t words, uint32_t *count)
{
    const gy_transition *all = gy_successors_batch(worker, state, words, count);
    m->cut = false;
    if (!all) {
        m->list.n = m->words.n = m->steps.n = m->faults.n = 0;
        gy_successors(worker, state, words, copy, m);
        put_pointers_in(m);
        all = m->list.at;
        *count = (uint32_t)m->list.n;
    }
    gy_vec_reserve(&m->keep, (size_t)*count + 1);
    return all;
}

void gy_moves_free(gy_moves *m)
{
    gy_vec_free(&m->list);
    gy_vec_free(&m->words);
    gy_vec_free(&m->steps);
    gy_vec_free(&m->faults);
    gy_vec_free(&m->keep);
}

const gy_transition *gy_moves_only(gy_worker *worker, const gy_word *state, uint32_t words,
                                   uint32_t pid, bool append)
{
    return gy_only_successor(worker, state, words, pid, append);
}
