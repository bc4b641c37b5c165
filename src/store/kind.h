// What a kind of store implements: the functions behind store.h. Private to src/store.
//
// Each kind embeds a gy_store as its first member, and a gy_store_view in its views. Functions
// that may be NULL: warm; enter_all; state if the kind does not give back; and, together,
// unsettled, plan, spell and rename.
#ifndef GYRE_STORE_KIND_H
#define GYRE_STORE_KIND_H

#include "store/store.h"

typedef struct gy_store_kind_table {
    gy_store_traits traits;
    void (*free)(gy_store *store);
    void (*look)(const gy_store *store, gy_store_figures *figures);
    gy_store_view *(*new_view)(gy_store *store);
    void (*free_view)(gy_store_view *view);
    bool (*prepare)(gy_store_view *view, const uint32_t *state, uint32_t words, gy_key *key);
    void (*rekey)(gy_store_view *view, gy_key *key, const uint32_t *state);
    void (*warm)(gy_store_view *view, const gy_key *key);
    gy_store_answer (*enter)(gy_store_view *view, const gy_key *key, const uint32_t *state,
                             uint64_t *id);
    uint32_t (*enter_all)(gy_store_view *view, gy_store_entry *entries, uint32_t count);
    bool (*has)(gy_store_view *view, const gy_key *key, const uint32_t *state, uint64_t *id);
    const uint32_t *(*state)(gy_store_view *view, uint64_t id, uint32_t *words);
    bool (*unsettled)(const gy_store *store);
    bool (*plan)(gy_store_view *view);
    const uint32_t *(*spell)(gy_store_view *view, const gy_key *key);
    void (*rename)(gy_store_view *view);
    void (*save)(const gy_store *store, gy_writer *writer);
    bool (*load)(gy_store *store, gy_reader *reader);
} gy_store_kind_table;

struct gy_store {
    const gy_store_kind_table *kind;
};

struct gy_store_view {
    const gy_store_kind_table *kind;
    gy_store *store;
};

#endif
