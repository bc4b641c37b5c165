// What the page of `gyre ui` and reports as pages have in common: scripts and styles, which are
// part of the program. The stepper, above all, is the same in both.
#ifndef GYRE_REPORT_PAGE_PAGE_FILES_H
#define GYRE_REPORT_PAGE_PAGE_FILES_H

#include "base/text.h"

typedef struct gy_page_file {
    const char *name, *type;
    const char *begin, *end;
} gy_page_file;

// NULL: there is no file of that name.
const gy_page_file *gy_page_file_find(const char *name);
// All scripts as one, for a page that consists of one file: modules without `import` and `export`.
void gy_page_scripts(gy_text *out);

#endif
