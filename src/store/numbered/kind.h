// What a kind of store implements: the functions behind store.h. Private to src/store.
//
// Each kind embeds a gy_numbered as its first member, and a gy_numbered_view in its views.
// Functions that may be NULL: warm; enter_all; state if the kind does not give back; and, together,
// unsettled, plan, spell and rename.
#ifndef GYRE_STORE_NUMBERED_KIND_H
#define GYRE_STORE_NUMBERED_KIND_H

#include "store/numbered/numbered.h"

typedef struct gy_numbered_kind_table {
    gy_numbered_traits traits;
    void (*free)(gy_numbered *store);
    void (*look)(const gy_numbered *store, gy_numbered_figures *figures);
    gy_numbered_view *(*new_view)(gy_numbered *store);
    void (*free_view)(gy_numbered_view *view);
    bool (*prepare)(gy_numbered_view *view, const uint32_t *state, uint32_t words, gy_key *key);
    void (*rekey)(gy_numbered_view *view, gy_key *key, const uint32_t *state);
    void (*warm)(gy_numbered_view *view, const gy_key *key);
    gy_numbered_answer (*enter)(gy_numbered_view *view, const gy_key *key, const uint32_t *state,
                                uint64_t *id);
    uint32_t (*enter_all)(gy_numbered_view *view, gy_numbered_entry *entries, uint32_t count);
    bool (*has)(gy_numbered_view *view, const gy_key *key, const uint32_t *state, uint64_t *id);
    const uint32_t *(*state)(gy_numbered_view *view, uint64_t id, uint32_t *words);
    bool (*unsettled)(const gy_numbered *store);
    bool (*plan)(gy_numbered_view *view);
    const uint32_t *(*spell)(gy_numbered_view *view, const gy_key *key);
    void (*rename)(gy_numbered_view *view);
    void (*save)(const gy_numbered *store, gy_writer *writer);
    bool (*load)(gy_numbered *store, gy_reader *reader);
} gy_numbered_kind_table;

struct gy_numbered {
    const gy_numbered_kind_table *kind;
};

struct gy_numbered_view {
    const gy_numbered_kind_table *kind;
    gy_numbered *store;
};

#endif
