// The files of the page, which are part of the program: nothing is read from a disk or a network.
#ifndef GYRE_SERVE_UI_ASSETS_H
#define GYRE_SERVE_UI_ASSETS_H

#include "report/page/page_files.h"

// Also of those that reports have, too. NULL: there is no file of that name.
const gy_page_file *gy_asset_find(const char *name);

#endif
