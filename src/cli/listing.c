#include "cli/listing.h"

#include "exec/vm/bytecode.h"

void gy_listing(gy_system *system, gy_text *out)
{
    gy_bytecode_list(system, out);
}
