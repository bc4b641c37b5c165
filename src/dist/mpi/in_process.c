#include "dist/mpi/in_process.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/random.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct queue { // of one pair of ranks
    gy_packet *first, *last;
} queue;

typedef struct rank_thread {
    gy_transport transport; // first
    struct gy_in_process *all;
    pthread_mutex_t lock; // of the queues that lead to it
    queue *from;          // by rank
    uint64_t waiting;     // messages
    uint64_t dice;        // its own thread's
} rank_thread;

struct gy_in_process {
    unsigned size;
    uint64_t seed;
    rank_thread *ranks;
    pthread_mutex_t lock;
    pthread_cond_t met;
    unsigned arrived;
    uint64_t meetings;
    uint64_t *numbers; // of the current meeting
    unsigned count;
    char *bytes;
};

static void send_message(gy_transport *transport, unsigned to, const void *bytes, uint32_t n)
{
    rank_thread *me = (rank_thread *)transport, *other = &me->all->ranks[to];
    gy_packet *m = gy_alloc(sizeof *m + n);
    *m = (gy_packet){.from = transport->rank, .bytes = n};
    memcpy(m->at, bytes, n);
    pthread_mutex_lock(&other->lock);
    queue *q = &other->from[transport->rank];
    if (q->last)
        q->last->next = m;
    else
        q->first = m;
    q->last = m;
    other->waiting++;
    pthread_mutex_unlock(&other->lock);
}

static gy_packet *poll_message(gy_transport *transport)
{
    rank_thread *me = (rank_thread *)transport;
    unsigned size = me->all->size;
    gy_packet *m = NULL;
    uint64_t dice = gy_random_step(&me->dice);
    if (me->all->seed && dice % 4 == 0)
        return NULL; // none has arrived yet
    pthread_mutex_lock(&me->lock);
    for (unsigned i = 0; me->waiting && i < size && !m; i++) {
        queue *q = &me->from[(dice / 4 + i) % size];
        m = q->first;
        if (m) {
            q->first = m->next;
            q->last = q->first ? q->last : NULL;
            me->waiting--;
            m->next = NULL;
        }
    }
    pthread_mutex_unlock(&me->lock);
    return m;
}

// All ranks come here; the last one lets the others go on.
static void meet(gy_in_process *all)
{
    uint64_t meeting = all->meetings;
    if (++all->arrived == all->size) {
        all->arrived = 0;
        all->meetings++;
        pthread_cond_broadcast(&all->met);
    }
    while (all->meetings == meeting)
        pthread_cond_wait(&all->met, &all->lock);
}

static void reduce_numbers(gy_transport *transport, uint64_t *numbers, unsigned n,
                           gy_transport_how how)
{
    gy_in_process *all = ((rank_thread *)transport)->all;
    pthread_mutex_lock(&all->lock);
    if (all->arrived == 0) {
        all->numbers = gy_realloc(all->numbers, (n + (size_t)1) * sizeof *numbers);
        memcpy(all->numbers, numbers, n * sizeof *numbers);
        all->count = n;
    } else {
        if (all->count != n)
            gy_fatal("ranks reduce %u and %u numbers", all->count, n);
        for (unsigned i = 0; i < n; i++)
            if (how == GY_TRANSPORT_SUM)
                all->numbers[i] += numbers[i];
            else if (numbers[i] < all->numbers[i])
                all->numbers[i] = numbers[i];
    }
    meet(all);
    memcpy(numbers, all->numbers, n * sizeof *numbers);
    meet(all); // all have read them
    pthread_mutex_unlock(&all->lock);
}

static void broadcast_bytes(gy_transport *transport, unsigned root, void *bytes, uint32_t n)
{
    gy_in_process *all = ((rank_thread *)transport)->all;
    pthread_mutex_lock(&all->lock);
    if (transport->rank == root) {
        all->bytes = gy_realloc(all->bytes, n + (size_t)1);
        memcpy(all->bytes, bytes, n);
    }
    meet(all);
    memcpy(bytes, all->bytes, n);
    meet(all);
    pthread_mutex_unlock(&all->lock);
}

static void close_nothing(gy_transport *transport)
{
    (void)transport;
}

gy_in_process *gy_in_process_new(unsigned size, uint64_t seed)
{
    gy_in_process *all = gy_alloc_zero(sizeof *all);
    all->size = size;
    all->seed = seed;
    all->ranks = gy_alloc_zero(size * sizeof *all->ranks);
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->met, NULL);
    for (unsigned i = 0; i < size; i++) {
        rank_thread *r = &all->ranks[i];
        r->transport = (gy_transport){.rank = i,
                                      .size = size,
                                      .name = "threads",
                                      .send = send_message,
                                      .poll = poll_message,
                                      .reduce = reduce_numbers,
                                      .broadcast = broadcast_bytes,
                                      .close = close_nothing};
        r->all = all;
        r->dice = gy_hash_pair(seed, i);
        r->from = gy_alloc_zero(size * sizeof *r->from);
        pthread_mutex_init(&r->lock, NULL);
    }
    return all;
}

gy_transport *gy_in_process_rank(gy_in_process *all, unsigned rank)
{
    return &all->ranks[rank].transport;
}

void gy_in_process_free(gy_in_process *all)
{
    for (unsigned i = 0; i < all->size; i++) {
        rank_thread *r = &all->ranks[i];
        for (unsigned k = 0; k < all->size; k++)
            for (gy_packet *m = r->from[k].first, *next; m; m = next) {
                next = m->next;
                free(m);
            }
        free(r->from);
        pthread_mutex_destroy(&r->lock);
    }
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->met);
    free(all->ranks);
    free(all->numbers);
    free(all->bytes);
    free(all);
}
