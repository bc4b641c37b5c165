#include "search/liveness/union_find.h"

#include <sched.h>
#include <stdlib.h>

enum { LIVE, LOCKED, DEAD };           // sets
enum { BUSY, HELD, DONE };             // elements
enum { CHUNKS = 1 << 20, GIVEN = 64 }; // elements given to a thread at a time
enum { CHUNK = 1 << GY_UF_CHUNK_BITS };

void gy_uf_init(gy_uf *uf, gy_budget *budget)
{
    *uf = (gy_uf){.budget = budget};
    uf->chunks = gy_alloc_sparse(CHUNKS * sizeof *uf->chunks);
}

void gy_uf_free(gy_uf *uf)
{
    uint32_t chunks = atomic_load(&uf->count) / CHUNK + 1;
    for (uint32_t i = 0; i < chunks && i < CHUNKS; i++) {
        gy_uf_element *chunk = atomic_load_explicit(&uf->chunks[i], memory_order_relaxed);
        if (chunk)
            gy_budget_give(uf->budget, CHUNK * sizeof *chunk);
        free(chunk);
    }
    gy_free_sparse(uf->chunks, CHUNKS * sizeof *uf->chunks);
}

static void relax(void)
{
    sched_yield();
}

// ---- elements -------------------------------------------------------------------------

static bool make_chunk(gy_uf *uf, uint32_t number)
{
    gy_uf_element *none = NULL, *chunk;
    if (number >= CHUNKS)
        return false;
    if (atomic_load_explicit(&uf->chunks[number], memory_order_acquire))
        return true;
    if (!gy_budget_take(uf->budget, CHUNK * sizeof *chunk))
        return false;
    chunk = gy_alloc_zero(CHUNK * sizeof *chunk);
    if (atomic_compare_exchange_strong(&uf->chunks[number], &none, chunk))
        return true;
    gy_budget_give(uf->budget, CHUNK * sizeof *chunk); // another thread was faster
    free(chunk);
    return true;
}

uint32_t gy_uf_element_of(gy_uf *uf, gy_uf_spare *spare, gy_store_view *view, gy_ref node)
{
    uint64_t note = gy_store_note(view, node);
    if (note)
        return (uint32_t)note - 1;
    if (spare->next == spare->end) {
        spare->next = atomic_fetch_add(&uf->count, GIVEN);
        spare->end = spare->next + GIVEN;
        if (spare->next >= GY_UF_NONE - 2 * GIVEN || !make_chunk(uf, spare->next / CHUNK)) {
            spare->next = spare->end = 0;
            return GY_UF_NONE;
        }
    }
    uint32_t number = spare->next;
    gy_uf_element *e = gy_uf_at(uf, number);
    atomic_store_explicit(&e->parent, number, memory_order_relaxed);
    atomic_store_explicit(&e->next, number, memory_order_relaxed);
    atomic_store_explicit(&e->child, GY_UF_NONE, memory_order_relaxed);
    atomic_store_explicit(&e->sibling, GY_UF_NONE, memory_order_relaxed);
    e->ref = node;
    if (!gy_store_swap_note(view, node, &note, (uint64_t)number + 1))
        return (uint32_t)note - 1; // another thread was faster: the element stays a spare
    spare->next++;
    return number;
}

// ---- sets -----------------------------------------------------------------------------

uint32_t gy_uf_find(const gy_uf *uf, uint32_t element)
{
    for (;;) {
        gy_uf_element *e = gy_uf_at(uf, element);
        uint32_t parent = atomic_load(&e->parent);
        if (parent == element)
            return element;
        uint32_t above = atomic_load(&gy_uf_at(uf, parent)->parent);
        if (above != parent) // half of the path is saved for those who come later
            atomic_compare_exchange_strong(&e->parent, &parent, above);
        element = above;
    }
}

static bool stands(const gy_uf *uf, uint32_t element)
{
    return atomic_load(&gy_uf_at(uf, element)->parent) == element;
}

bool gy_uf_same(const gy_uf *uf, uint32_t a, uint32_t b)
{
    for (;;) {
        uint32_t x = gy_uf_find(uf, a), y = gy_uf_find(uf, b);
        if (x == y)
            return true;
        if (stands(uf, x))
            return false;
    }
}

// What is known of the set of `element` is put where it belongs, even if that changes meanwhile: a
// union first links and then moves what it finds, so one of the two sees the other.
static uint64_t spread(const gy_uf *uf, uint32_t element, uint64_t workers, uint64_t marks)
{
    for (;;) {
        gy_uf_element *e = gy_uf_at(uf, element = gy_uf_find(uf, element));
        if (workers & ~atomic_load(&e->workers))
            atomic_fetch_or(&e->workers, workers);
        uint64_t all = atomic_load(&e->marks);
        if (marks & ~all)
            all = atomic_fetch_or(&e->marks, marks) | marks;
        if (atomic_load(&e->parent) == element)
            return all;
    }
}

gy_uf_claim gy_uf_make_claim(const gy_uf *uf, uint32_t element, unsigned worker)
{
    uint32_t root = gy_uf_find(uf, element);
    gy_uf_element *e = gy_uf_at(uf, root);
    if (atomic_load(&e->status) == DEAD)
        return GY_UF_DEAD;
    if (atomic_load(&e->workers) >> worker & 1)
        return GY_UF_MET;
    spread(uf, root, 1ull << worker, 0);
    return GY_UF_NEW;
}

uint64_t gy_uf_add_marks(const gy_uf *uf, uint32_t element, uint64_t marks)
{
    gy_uf_element *e = gy_uf_at(uf, element);
    if (!atomic_load_explicit(&e->looped, memory_order_relaxed))
        atomic_store_explicit(&e->looped, true, memory_order_relaxed);
    return spread(uf, element, 0, marks);
}

// ---- rings ----------------------------------------------------------------------------

void gy_uf_done(const gy_uf *uf, uint32_t element)
{
    gy_uf_element *e = gy_uf_at(uf, element);
    for (;;) {
        uint8_t is = BUSY;
        if (atomic_compare_exchange_strong(&e->list, &is, DONE) || is == DONE)
            return;
        relax();
    }
}

static bool is_busy(const gy_uf *uf, uint32_t element)
{
    uint8_t is;
    while ((is = atomic_load(&gy_uf_at(uf, element)->list)) == HELD)
        relax();
    return is == BUSY;
}

// The set has no busy elements, and never will have.
static bool die(const gy_uf *uf, uint32_t element)
{
    for (;;) {
        uint8_t is = LIVE;
        gy_uf_element *e = gy_uf_at(uf, gy_uf_find(uf, element));
        if (atomic_compare_exchange_strong(&e->status, &is, DEAD))
            return true;
        if (is == DEAD)
            return false;
        relax();
    }
}

uint32_t gy_uf_pick(const gy_uf *uf, uint32_t a, bool *died)
{
    *died = false;
    for (;;) {
        if (is_busy(uf, a))
            return a;
        uint32_t b = atomic_load(&gy_uf_at(uf, a)->next);
        if (a == b) {
            *died = die(uf, a);
            return GY_UF_NONE;
        }
        if (is_busy(uf, b))
            return b;
        // Both are done with, and so their places on the ring change in no other way than here.
        uint32_t c = atomic_load(&gy_uf_at(uf, b)->next);
        atomic_store(&gy_uf_at(uf, a)->next, c);
        a = c;
    }
}

// ---- unions ---------------------------------------------------------------------------

// Of two sets, the one with the smaller number is put under the other, if nothing else is about to.
static bool lock(const gy_uf *uf, uint32_t root)
{
    uint8_t is = LIVE;
    gy_uf_element *e = gy_uf_at(uf, root);
    if (!atomic_compare_exchange_strong(&e->status, &is, LOCKED))
        return false;
    if (stands(uf, root))
        return true;
    atomic_store(&e->status, LIVE);
    return false;
}

// A busy element that nothing takes off the ring. GY_UF_NONE: the set is dead.
static uint32_t hold(const gy_uf *uf, uint32_t element)
{
    bool died;
    for (;;) {
        uint8_t is = BUSY;
        uint32_t picked = gy_uf_pick(uf, element, &died);
        if (picked == GY_UF_NONE ||
            atomic_compare_exchange_strong(&gy_uf_at(uf, picked)->list, &is, HELD))
            return picked;
    }
}

// Two rings become one.
static void join(const gy_uf *uf, uint32_t a, uint32_t b)
{
    gy_uf_element *x = gy_uf_at(uf, a), *y = gy_uf_at(uf, b);
    uint32_t after = atomic_load(&x->next);
    atomic_store(&x->next, atomic_load(&y->next));
    atomic_store(&y->next, after);
}

static void put_under(const gy_uf *uf, uint32_t small, uint32_t large)
{
    gy_uf_element *s = gy_uf_at(uf, small), *l = gy_uf_at(uf, large);
    uint32_t first = atomic_load(&l->child);
    do
        atomic_store(&s->sibling, first);
    while (!atomic_compare_exchange_weak(&l->child, &first, small));
    atomic_store(&s->parent, large);
    spread(uf, large, atomic_load(&s->workers), atomic_load(&s->marks));
}

void gy_uf_unite(const gy_uf *uf, uint32_t a, uint32_t b)
{
    uint32_t small, large, x, y;
    for (;;) {
        x = gy_uf_find(uf, a), y = gy_uf_find(uf, b);
        if (x == y)
            return;
        small = x < y ? x : y;
        large = x < y ? y : x;
        if (lock(uf, small))
            break;
        relax();
    }
    // Both sets have busy elements: an arc leads from each of them to the other, and who has
    // searched all of a set has followed these. So there is no waiting in a circle: of sets that
    // are united at the same time, the smallest is locked once only.
    x = hold(uf, a);
    y = x == GY_UF_NONE ? x : hold(uf, b);
    if (y != GY_UF_NONE) {
        join(uf, x, y);
        put_under(uf, small, large);
        atomic_store(&gy_uf_at(uf, y)->list, BUSY);
    }
    if (x != GY_UF_NONE)
        atomic_store(&gy_uf_at(uf, x)->list, BUSY);
    atomic_store(&gy_uf_at(uf, small)->status, LIVE);
}

void gy_uf_members(const gy_uf *uf, uint32_t element, gy_refs *out)
{
    GY_VEC(uint32_t) todo = {0};
    gy_vec_push(&todo, gy_uf_find(uf, element));
    while (todo.n) {
        const gy_uf_element *e = gy_uf_at(uf, todo.at[--todo.n]);
        gy_vec_push(out, e->ref);
        for (uint32_t c = atomic_load(&e->child); c != GY_UF_NONE;
             c = atomic_load(&gy_uf_at(uf, c)->sibling))
            gy_vec_push(&todo, c);
    }
    gy_vec_free(&todo);
}
