// The search of a product by components (emptiness.h) in a checkpoint, and how it goes on from one.
//
// What is written: the states of the system, in which of them the observer was, whom
// fairness is about, and the search in depth itself. With a reduction, the reduced graph is not: it
// is the same each time, and made again.
//
// Owner: the product and the run are borrowed. Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_PRODUCT_FILE_H
#define GYRE_SEARCH_LIVENESS_PRODUCT_FILE_H

#include "search/liveness/product_graph.h"

// Who writes the search of a product down, if the options say so; a product is the self of the
// graph.
gy_arc_graph_keeper gy_product_keeper(const gy_product *p);
// A search that was ended before it began: the code that goes on from there begins.
void gy_product_write_nothing(gy_product *p);

#endif
