// Descriptions in XML as a tree: what the driver of a benchmark set needs of them. Read with expat,
// if the program was built with it.
//
// Owner: the tree lives in the arena that it was read into.
#ifndef GYRE_CLI_BEEM_BEEM_XML_H
#define GYRE_CLI_BEEM_BEEM_XML_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

typedef struct beem_element {
    const char *name;
    const char *const *attributes;            // name, value, name, value, NULL
    char *text;                               // all of it that is directly in the element
    struct beem_element *first, *last, *next; // children; the next sibling
} beem_element;

bool beem_xml_is_there(void); // was the program built with a reader of XML?
// NULL: *problem says why.
beem_element *beem_xml_read(gy_arena *arena, const char *path, gy_text *problem);

// NULL: there is none.
const char *beem_attribute(const beem_element *element, const char *name);
const beem_element *beem_child(const beem_element *element, const char *name);
// The text of a child without spaces around it; "" if there is none.
const char *beem_child_text(gy_arena *arena, const beem_element *element, const char *name);

#endif
