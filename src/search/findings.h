// The errors that a search has found, kept apart from its result while another search looks for the
// same ones: no error once found is lost, and of two paths to the same error the shorter one stays.
//
// Private to src/search. Owner: what gy_findings_take returns is given to gy_findings_merge, which
// frees it.
#ifndef GYRE_SEARCH_FINDINGS_H
#define GYRE_SEARCH_FINDINGS_H

#include "search/search.h"

typedef struct gy_findings {
    gy_witness *witnesses;
    uint32_t count;
    uint64_t errors;
} gy_findings;

// Moves them out of the result, which then has none.
gy_findings gy_findings_take(gy_search_result *result);
// Joins them to what the result has found meanwhile. `complete`: that is all there is, so that end
// states which were not reached again are others under which symmetry has reached the same ones. At
// most `most` witnesses are kept, the shortest; 0: all.
void gy_findings_merge(gy_search_result *result, gy_findings found, bool complete, uint64_t most);

// The statements that it executes; a rendezvous is two.
uint64_t gy_witness_cost(const gy_witness *witness);
void gy_witness_free(gy_witness *witness); // what it owns
// Shorter ones first.
void gy_witnesses_sort(gy_search_result *result);

#endif
