// What a user can do when the memory was too small for a store of some kind.
#include "store/kinds.h"

void gy_plain_advise(const gy_store_small *small, gy_text *out)
{
    gy_text_printf(out,
                   "use --store tree: it stores the same states without loss, mostly in 5 to 20 "
                   "bytes (this run took %.1f)",
                   small->bytes);
}

// For all that keep whole states in few bytes.
void gy_tree_advise(const gy_store_small *small, gy_text *out)
{
    double compact = gy_store_kind_at(GY_STORE_COMPACT)->traits.bytes;
    if (small->bytes > 1.2 * compact)
        gy_text_printf(out,
                       "use --store compact (%.1f bytes per state; this run took %.1f) or --store "
                       "bitstate (a few bits); both may miss states",
                       compact, small->bytes);
    else
        gy_text_printf(out,
                       "use --store bitstate (a few bits per state; this run took %.1f bytes), "
                       "which may miss states",
                       small->bytes);
    gy_text_add(out, small->more);
}

void gy_compact_advise(const gy_store_small *small, gy_text *out)
{
    (void)small;
    gy_text_add(out,
                "use --store bitstate: it takes a few bits per state, and may miss more states");
}

void gy_bitstate_advise(const gy_store_small *small, gy_text *out)
{
    gy_text_printf(out,
                   "give the pending states more memory, or more room for files in TMPDIR (%.1f%% "
                   "of the bits of the table were set)",
                   100 * small->fill);
}
