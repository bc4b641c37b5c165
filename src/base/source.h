// Source files and positions in them, with the way a position came about.
//
// A gy_sources owns the text of every file that was read and a table of places. A place
// (gy_location) is a 32-bit handle: the file, line and column where the text is, plus, if
// the text got there through a macro or an inline call, the place of that use. Place 0 is
// "nowhere". Tokens, tree nodes and edges carry a gy_location, so that any message can be
// traced back to what the user wrote.
// Thread rule: filled by one thread while a model is read, read-only afterwards.
#ifndef GYRE_BASE_SOURCE_H
#define GYRE_BASE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t gy_location;

typedef struct gy_sources gy_sources;

typedef enum { GY_FROM_FILE, GY_FROM_MACRO, GY_FROM_INLINE } gy_origin;

typedef struct gy_location_info {
    uint32_t file;   // index for gy_source_name/gy_source_text
    uint32_t line;   // from 1
    uint32_t column; // from 1, in bytes
    gy_origin origin;
    gy_location used_at; // for macro and inline: where it was used; 0 otherwise
    const char *via;     // for macro and inline: its name; NULL otherwise
} gy_location_info;

gy_sources *gy_sources_new(void);
void gy_sources_free(gy_sources *sources);

// Adds a text under a name; copies both. `included_at` is the #include (0 for the first file).
uint32_t gy_sources_add(gy_sources *sources, const char *name, const char *text, size_t bytes,
                        gy_location included_at);
uint32_t gy_sources_count(const gy_sources *sources);
const char *gy_source_name(const gy_sources *sources, uint32_t file);
const char *gy_source_text(const gy_sources *sources, uint32_t file, size_t *bytes);
gy_location gy_source_included_at(const gy_sources *sources, uint32_t file);

gy_location gy_location_in_file(gy_sources *sources, uint32_t file, uint32_t line, uint32_t column);
// The same from an offset in bytes: costs no memory. For scanners.
gy_location gy_place_at(gy_sources *sources, uint32_t file, size_t offset);
// From `offset` on, the text of `file` counts as line `line` of a file called `name` (#line).
// Must be called in the order of offsets. Lookups then give that line, and a file index
// that has this name and the text of `file`.
void gy_source_mark_line(gy_sources *sources, uint32_t file, size_t offset, uint32_t line,
                         const char *name);
// The text is at `written` (inside a macro or inline body) and was used at `used_at`.
gy_location gy_location_expanded(gy_sources *sources, gy_location written, gy_origin origin,
                                 const char *via, gy_location used_at);
gy_location_info gy_location_lookup(const gy_sources *sources, gy_location place);
// The `written` of a macro or inline place; 0 for a place that is simply in a file.
gy_location gy_location_written(const gy_sources *sources, gy_location place);
// Where the text of a place really is, whatever #line said: index of the file, offset of
// the place and of the start of its line. Returns 0 if the text is not known.
int gy_location_text(const gy_sources *sources, gy_location place, uint32_t *file, size_t *offset,
                     size_t *line_start);
// The outermost place: where the user's own text is, after undoing all macro uses
// (not inline calls). This is the file and line that Spin would name.
gy_location_info gy_location_user(const gy_sources *sources, gy_location place);
// The calls of inlines through which the text came to this place, the innermost first: where each
// is, with `via` for its name. Returns how many, `most` at most.
uint32_t gy_location_calls(const gy_sources *sources, gy_location place, gy_location_info *calls,
                           uint32_t most);
// Where the text of that outermost place really is, as gy_location_text says.
int gy_location_user_text(const gy_sources *sources, gy_location place, uint32_t *file,
                          size_t *offset);

#endif
