// Which instances of a set are run: `type=mutex,states<1e6`.
#ifndef GYRE_CLI_BEEM_BEEM_SELECT_H
#define GYRE_CLI_BEEM_BEEM_SELECT_H

#include "cli/beem/beem_set.h"

typedef struct beem_selection beem_selection;

// Conditions with commas between them, all of which must hold; NULL or "": all instances. NULL is
// returned if it is no selection: *problem says why. Free it with beem_selection_free.
beem_selection *beem_selection_read(const char *text, gy_text *problem);
bool beem_selected(const beem_selection *selection, const beem_instance *instance);
void beem_selection_free(beem_selection *selection);

#endif
