// The names of one model as a language server looks them up: by file and offset.
//
// Made of the record that the front end left (lang/common/names.h) by resolving its places: what a
// macro or an inline stands for is found where it is written, once, and a variable that an inline
// declares is one symbol however often the inline is called. Holds copies of all texts, so that it
// needs neither the model nor its sources. Read-only once made; the last that lets go of it
// frees it.
#ifndef GYRE_SERVE_LSP_INDEX_H
#define GYRE_SERVE_LSP_INDEX_H

#include "lang/common/names.h"
#include "serve/document/lines.h"

#include <stdatomic.h>

typedef struct lsp_file {
    const char *path; // absolute and clean
    const char *text;
    size_t bytes;
    gy_lines lines;
    uint32_t first_use, use_count; // of the uses that are in it
} lsp_file;

enum { LSP_NOWHERE = UINT32_MAX };

typedef struct lsp_symbol {
    gy_name name;    // owner: a symbol, or GY_NO_NAME
    uint32_t file;   // where it is defined, or LSP_NOWHERE
    uint32_t offset; // of its name
} lsp_symbol;

typedef struct lsp_use {
    uint32_t symbol, file, offset, length;
    gy_name_role role;
    uint32_t process; // symbol, or GY_NO_NAME
    bool exact;       // the text there is the name: not made by ##, say
} lsp_use;

typedef struct lsp_argument {
    uint32_t file, offset;
    const char *label;
} lsp_argument;

typedef struct lsp_index {
    atomic_uint holders;
    gy_arena *arena;
    GY_VEC(lsp_file) files; // the first is the model itself
    GY_VEC(lsp_symbol) symbols;
    GY_VEC(lsp_use) uses; // by file, offset, symbol; no two the same but for their roles
    GY_VEC(lsp_argument) arguments;
} lsp_index;

lsp_index *lsp_index_new(const gy_names *names, const gy_sources *sources);
lsp_index *lsp_index_hold(lsp_index *index);
void lsp_index_drop(lsp_index *index);
// The file of this name has this text: before others have the index, and where no names are in it.
void lsp_index_show(lsp_index *index, const char *path, const char *text, size_t bytes);

// The number of the file, or LSP_NOWHERE.
uint32_t lsp_index_file(const lsp_index *index, const char *path);
// The uses of the word at an offset (or that ends there): their number, and the first of them. A
// word that stands for several things has several.
uint32_t lsp_uses_at(const lsp_index *index, uint32_t file, size_t offset, const lsp_use **first);

#endif
