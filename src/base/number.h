// Numbers as people write them on a command line. Each returns false if the text is none.
#ifndef GYRE_BASE_NUMBER_H
#define GYRE_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool gy_number_count(const char *text, uint64_t *number);  // 12
bool gy_number_size(const char *text, uint64_t *bytes);    // 800K, 500M, 2GiB
bool gy_number_seconds(const char *text, double *seconds); // 60, 0.5, 2s; above 0

#endif
