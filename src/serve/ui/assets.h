// The files of the page, which are part of the program: nothing is read from a disk or a network.
#ifndef GYRE_SERVE_UI_ASSETS_H
#define GYRE_SERVE_UI_ASSETS_H

#include <stddef.h>

typedef struct gy_asset {
    const char *name, *type;
    const char *begin, *end;
} gy_asset;

// NULL: there is no file of that name.
const gy_asset *gy_asset_find(const char *name);

#endif
