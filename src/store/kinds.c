#include "store/kinds.h"

#include "store/frontier.h"

#include <string.h>

static const gy_store_kind_row kinds[] = {
    {{.name = "tree",
      .exact = true,
      .gives_back = true,
      .takes_notes = true,
      .reencodes = true,
      .empties = true},
     gy_tree_store},
    {{.name = "plain",
      .exact = true,
      .gives_back = true,
      .takes_notes = true,
      .most_words = (1 << 16) - 1,
      .ref_bits = 40},
     gy_plain_store},
    {{.name = "compact", .gives_once = true, .most_words = GY_FRONTIER_MOST_WORDS, .bytes = 7.5},
     gy_compact_store},
    {{.name = "bitstate", .gives_once = true, .most_words = GY_FRONTIER_MOST_WORDS},
     gy_bitstate_store},
    {{.name = "automaton", .exact = true, .gives_once = true, .most_words = GY_FRONTIER_MOST_WORDS},
     gy_automaton_store},
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
