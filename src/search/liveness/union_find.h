// A concurrent union-find structure for parts of strongly connected components: after V. Bloemen,
// A. Laarman, J. van de Pol, "Multi-core on-the-fly SCC decomposition" (PPoPP 2016).
//
// Each element is in one set. A set knows which workers have reached it, the marks of the arcs
// inside it, and which of its elements are still to be searched (busy): these are on a ring, from
// which elements that are done with are taken out when a worker comes along. A set without busy
// elements is dead: a whole component that nothing has to examine again.
//
// Any number of threads, each with a spare (gy_uf_spare), call anything at the same time, except
// that gy_uf_members wants a set that is dead, or no unions at the same time. Memory comes from the
// budget, element by element.
//
// Owner: gy_uf_init and gy_uf_free. Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_UNION_FIND_H
#define GYRE_SEARCH_LIVENESS_UNION_FIND_H

#include "search/liveness/space.h"

enum { GY_UF_WORKERS = 64, GY_UF_CHUNK_BITS = 12 };
#define GY_UF_NONE UINT32_MAX

typedef struct gy_uf_element {
    _Atomic uint32_t parent; // itself: it stands for its set; otherwise larger
    _Atomic uint32_t next;   // on the ring
    // The elements that were once put directly under this one: the first, and the next of its own
    // parent's. GY_UF_NONE: no more.
    _Atomic uint32_t child, sibling;
    _Atomic uint8_t status;   // of a set, where it stands for one
    _Atomic uint8_t list;     // on the ring
    _Atomic bool looped;      // an arc inside the set was found here
    _Atomic bool expanded;    // for the engine
    _Atomic uint64_t workers; // that have reached the set
    _Atomic uint64_t marks;   // of arcs inside it
    gy_ref ref;
} gy_uf_element;

typedef struct gy_uf {
    gy_budget *budget;
    _Atomic(gy_uf_element *) *chunks;
    _Atomic uint32_t count; // of elements given away
} gy_uf;

// Elements that a thread may give away.
typedef struct gy_uf_spare {
    uint32_t next, end;
} gy_uf_spare;

typedef enum { GY_UF_NEW, GY_UF_MET, GY_UF_DEAD } gy_uf_claim;

void gy_uf_init(gy_uf *uf, gy_budget *budget);
void gy_uf_free(gy_uf *uf);

static inline gy_uf_element *gy_uf_at(const gy_uf *uf, uint32_t element)
{
    return &atomic_load_explicit(&uf->chunks[element >> GY_UF_CHUNK_BITS],
                                 memory_order_acquire)[element & ((1u << GY_UF_CHUNK_BITS) - 1)];
}

// The element of a node, whose note it is (plus one; at least 4 bytes). GY_UF_NONE: no memory.
uint32_t gy_uf_element_of(gy_uf *uf, gy_uf_spare *spare, gy_store_view *view, gy_ref node);
uint32_t gy_uf_find(const gy_uf *uf, uint32_t element); // what stands for its set
bool gy_uf_same(const gy_uf *uf, uint32_t a, uint32_t b);
// A worker comes to an element: had it met the set before? Now it has.
gy_uf_claim gy_uf_make_claim(const gy_uf *uf, uint32_t element, unsigned worker);
void gy_uf_unite(const gy_uf *uf, uint32_t a, uint32_t b); // neither is dead
// Marks of an arc inside the set; returns all of them.
uint64_t gy_uf_add_marks(const gy_uf *uf, uint32_t element, uint64_t marks);
void gy_uf_done(const gy_uf *uf, uint32_t element); // it has been searched
// A busy element of the set; GY_UF_NONE: there is none, the set is dead, and *died says whether
// this call has found out.
uint32_t gy_uf_pick(const gy_uf *uf, uint32_t element, bool *died);
void gy_uf_members(const gy_uf *uf, uint32_t element, gy_refs *out); // appends

#endif
