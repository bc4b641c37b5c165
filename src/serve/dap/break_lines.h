// Where a path can stop in the text of a model: which edges stand for a line, or for the call of an
// inline. Edges are found by their places; all results are by number of the edge, in memory that
// belongs to the caller (free).
#ifndef GYRE_SERVE_DAP_BREAK_LINES_H
#define GYRE_SERVE_DAP_BREAK_LINES_H

#include "model/model.h"

// Was the model read from this file, among others?
bool gy_is_file_of(const gy_model *model, const char *file);

// The first line from `line` on at which a statement is, or an inline is called; *edges gets a
// byte for each edge: whether it is there (of a call: the first statement of the inline). 0:
// there is none.
uint32_t gy_break_line(const gy_model *model, const char *file, uint32_t line, uint8_t **edges);
// The same for every call of the inline of this name. False: no process calls one.
bool gy_break_inline(const gy_model *model, const char *name, uint8_t **edges);
// The lines of a file that gy_break_line could give, from `first` to `last`, ascending; returns how
// many there are.
size_t gy_break_lines(const gy_model *model, const char *file, uint32_t first, uint32_t last,
                      uint32_t *lines, size_t room);

#endif
