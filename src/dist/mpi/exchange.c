#include "dist/mpi/exchange.h"

#include "base/fatal.h"

enum { CREDIT = 8 }; // batches of a rank that another one may hold

enum { BATCH = 1, GIVE_CREDIT, END, STOP };

typedef struct head {
    uint32_t kind, phase, count;
} head;

_Static_assert(sizeof(head) == GY_EXCHANGE_HEAD, "as the header says");

static void tell(gy_exchange *x, unsigned to, uint32_t kind, uint32_t count)
{
    head h = {kind, x->phase, count};
    x->transport->send(x->transport, to, &h, sizeof h);
}

void gy_exchange_init(gy_exchange *x, gy_transport *transport)
{
    *x = (gy_exchange){.transport = transport};
    x->peers = gy_alloc_zero(transport->size * sizeof *x->peers);
    pthread_mutex_init(&x->lock, NULL);
}

static void free_list(gy_packet *first)
{
    for (gy_packet *next; first; first = next) {
        next = first->next;
        free(first);
    }
}

void gy_exchange_free(gy_exchange *x)
{
    for (unsigned i = 0; i < x->transport->size; i++)
        free_list(x->peers[i].first);
    free_list(x->first);
    free(x->peers);
    pthread_mutex_destroy(&x->lock);
}

void gy_exchange_begin(gy_exchange *x)
{
    x->phase = ++x->transport->phases;
    x->ended = 0;
    x->finishing = x->told = false;
    for (unsigned i = 0; i < x->transport->size; i++)
        x->peers[i] = (gy_exchange_peer){.credit = CREDIT};
}

// ---- with the lock held ---------------------------------------------------------------

static void put_last(gy_packet **first, gy_packet **last, gy_packet *m)
{
    m->next = NULL;
    if (*last)
        (*last)->next = m;
    else
        *first = m;
    *last = m;
}

static gy_packet *take_first(gy_packet **first, gy_packet **last)
{
    gy_packet *m = *first;
    if (m) {
        *first = m->next;
        if (!*first)
            *last = NULL;
        m->next = NULL;
    }
    return m;
}

static void send_waiting(gy_exchange *x, unsigned to)
{
    gy_exchange_peer *peer = &x->peers[to];
    while (peer->credit && peer->first) {
        gy_packet *m = take_first(&peer->first, &peer->last);
        x->transport->send(x->transport, to, m->at, m->bytes);
        peer->credit--;
        free(m);
        atomic_fetch_sub(&x->waiting, 1);
    }
}

// What was said in a phase that is over has been taken into account when it ended.
static void hear_one(gy_exchange *x, gy_packet *m)
{
    gy_exchange_peer *peer = &x->peers[m->from];
    head h = {0};
    if (m->bytes >= sizeof h)
        memcpy(&h, m->at, sizeof h);
    bool old = h.phase != x->phase;
    if (old && (h.kind == BATCH || h.kind == END || (int32_t)(h.phase - x->phase) > 0))
        gy_fatal("rank %u speaks of phase %u in phase %u", m->from, h.phase, x->phase);
    if (h.kind == BATCH) {
        peer->received++;
        put_last(&x->first, &x->last, m);
        return;
    }
    if (!old && h.kind == GIVE_CREDIT) {
        peer->credit += h.count;
        send_waiting(x, m->from);
    } else if (h.kind == END) {
        peer->promised = h.count;
        x->ended++;
    } else if (!old && h.kind == STOP) {
        atomic_store(&x->stop, true);
    }
    free(m);
}

static void hear(gy_exchange *x)
{
    gy_transport *t = x->transport;
    for (gy_packet *m; t->size > 1 && (m = t->poll(t));)
        hear_one(x, m);
    if (x->finishing && !x->told && atomic_load(&x->waiting) == 0) {
        x->told = true;
        for (unsigned i = 0; i < t->size; i++)
            if (i != t->rank)
                tell(x, i, END, (uint32_t)x->peers[i].sent);
    }
}

// ---- for all --------------------------------------------------------------------------

void gy_exchange_send(gy_exchange *x, unsigned to, void *batch, uint32_t bytes, uint32_t states)
{
    gy_exchange_peer *peer = &x->peers[to];
    head h = {BATCH, x->phase, states};
    memcpy(batch, &h, sizeof h);
    pthread_mutex_lock(&x->lock);
    peer->sent++;
    x->figures.batches++;
    x->figures.bytes += bytes;
    x->figures.states += states;
    if (peer->credit && !peer->first) {
        peer->credit--;
        x->transport->send(x->transport, to, batch, bytes);
    } else {
        gy_packet *m = gy_alloc(sizeof *m + bytes);
        *m = (gy_packet){.bytes = bytes};
        memcpy(m->at, batch, bytes);
        put_last(&peer->first, &peer->last, m);
        atomic_fetch_add(&x->waiting, 1);
    }
    pthread_mutex_unlock(&x->lock);
}

gy_packet *gy_exchange_take(gy_exchange *x)
{
    if (x->transport->size == 1 || pthread_mutex_trylock(&x->lock))
        return NULL; // another is at it
    if (!x->first)
        hear(x);
    gy_packet *m = take_first(&x->first, &x->last);
    x->in_work += m != NULL;
    pthread_mutex_unlock(&x->lock);
    return m;
}

void gy_exchange_done(gy_exchange *x, gy_packet *batch)
{
    pthread_mutex_lock(&x->lock);
    x->in_work--;
    tell(x, batch->from, GIVE_CREDIT, 1);
    pthread_mutex_unlock(&x->lock);
    free(batch);
}

void gy_exchange_finish(gy_exchange *x)
{
    pthread_mutex_lock(&x->lock);
    x->finishing = true;
    pthread_mutex_unlock(&x->lock);
}

static bool all_came(const gy_exchange *x)
{
    for (unsigned i = 0; i < x->transport->size; i++)
        if (i != x->transport->rank && x->peers[i].received != x->peers[i].promised)
            return false;
    return true;
}

bool gy_exchange_is_over(gy_exchange *x)
{
    pthread_mutex_lock(&x->lock);
    hear(x);
    bool over = x->told && x->ended == x->transport->size - 1 && !x->first && !x->in_work;
    over = over && all_came(x);
    pthread_mutex_unlock(&x->lock);
    return over;
}

void gy_exchange_stop(gy_exchange *x)
{
    if (atomic_exchange(&x->stop, true))
        return;
    pthread_mutex_lock(&x->lock);
    for (unsigned i = 0; i < x->transport->size; i++)
        if (i != x->transport->rank)
            tell(x, i, STOP, 0);
    pthread_mutex_unlock(&x->lock);
}
