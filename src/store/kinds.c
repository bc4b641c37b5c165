#include "store/kinds.h"

#include "store/frontier.h"

#include <string.h>

static const gy_store_kind_row kinds[] = {
    [GY_STORE_TREE] = {{.name = "tree",
                        .exact = true,
                        .gives_back = true,
                        .takes_notes = true,
                        .reencodes = true,
                        .empties = true},
                       gy_tree_store,
                       gy_tree_advise},
    [GY_STORE_PLAIN] = {{.name = "plain",
                         .exact = true,
                         .gives_back = true,
                         .quick = true,
                         .takes_notes = true,
                         .most_words = (1 << 16) - 1,
                         .ref_bits = 40},
                        gy_plain_store,
                        gy_plain_advise},
    [GY_STORE_COMPACT] = {{.name = "compact",
                           .hashes = true,
                           .gives_once = true,
                           .most_words = GY_FRONTIER_MOST_WORDS,
                           .bytes = 7.5},
                          gy_compact_store,
                          gy_compact_advise},
    [GY_STORE_BITSTATE] = {{.name = "bitstate",
                            .bits = true,
                            .gives_once = true,
                            .most_words = GY_FRONTIER_MOST_WORDS},
                           gy_bitstate_store,
                           gy_bitstate_advise},
    [GY_STORE_AUTOMATON] = {{.name = "automaton",
                             .exact = true,
                             .gives_once = true,
                             .most_words = GY_FRONTIER_MOST_WORDS},
                            gy_automaton_store,
                            gy_tree_advise},
};

const gy_store_kind_row *gy_store_kind_at(unsigned number)
{
    return number < sizeof kinds / sizeof *kinds ? &kinds[number] : NULL;
}

const gy_store_kind_row *gy_store_kind_named(const char *name)
{
    const gy_store_kind_row *row;
    for (unsigned i = 0; (row = gy_store_kind_at(i)); i++)
        if (!strcmp(row->traits.name, name))
            return row;
    return NULL;
}

unsigned gy_store_kind_dense(void)
{
    return GY_STORE_TREE;
}

unsigned gy_store_kind_quick(void)
{
    return GY_STORE_PLAIN;
}

unsigned gy_store_kind_giving_back(unsigned number)
{
    return kinds[number].traits.gives_back ? number : gy_store_kind_dense();
}
