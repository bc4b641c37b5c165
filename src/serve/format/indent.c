// How far lines are indented.
//
// A stack of frames says what is open: blocks, `do` and `if`, their options, parentheses. A frame
// knows the column of the statements in it and the column of what closes it. `::` stands below `do`
// or `if` (or where the first one is, if that follows on the same line), statements of an option
// below its first one, labels below the block that they are in. A line that goes on with the
// statement of the line before keeps its distance from the line where that began.
#include "serve/format/parts.h"

#include <string.h>

typedef struct frame {
    fmt_frame_kind kind;
    size_t base;     // column of what closes it
    size_t level;    // column of statements in it
    size_t line;     // where it was opened
    bool leads;      // it opened at the start of that line
    bool as_written; // the arguments of a macro
    bool round;      // PAREN: not a bracket
} frame;

typedef GY_VEC(frame) frames;
typedef GY_VEC(frames) branches;

typedef struct layout {
    fmt_text *f;
    frames open;
    branches kept;           // of each open #if: what was open before it
    size_t old_col, new_col; // the line where the current statement began: before, now
    size_t comment_from;     // lines from here on, up to the current one, are comments alone
    const fmt_item *last;    // token
    const fmt_item *before_last;
    bool formula_head; // `ltl` was read, its block did not begin yet
} layout;

static frame *top(layout *l)
{
    return &l->open.at[l->open.n - 1];
}

static void push(layout *l, frame fr)
{
    gy_vec_push(&l->open, fr);
}

static void pop(layout *l)
{
    if (l->open.n > 1)
        l->open.n--;
}

static bool in_formula(const layout *l)
{
    for (size_t i = l->open.n; i-- > 0;)
        if (l->open.at[i].kind == FMT_FORMULA)
            return true;
    return false;
}

// Closes what is open down to one of these kinds, which is left open; false: there is none.
static bool unwind(layout *l, fmt_frame_kind a, fmt_frame_kind b, fmt_frame_kind c)
{
    for (size_t i = l->open.n; i-- > 1;) {
        fmt_frame_kind kind = l->open.at[i].kind;
        if (kind == a || kind == b || kind == c) {
            l->open.n = i + 1;
            return true;
        }
        if (kind == FMT_BLOCK || kind == FMT_LIST || kind == FMT_FORMULA)
            return false; // macros may hide what it closes
    }
    return false;
}

static bool unwind_braces(layout *l)
{
    return unwind(l, FMT_BLOCK, FMT_LIST, FMT_FORMULA);
}

static bool unwind_choice(layout *l)
{
    return unwind(l, FMT_CHOICE, FMT_CHOICE, FMT_CHOICE);
}

// ---- directives -----------------------------------------------------------------------------

static frames copy_of(const frames *from)
{
    frames copy = {0};
    for (size_t i = 0; i < from->n; i++)
        gy_vec_push(&copy, from->at[i]);
    return copy;
}

static bool says(const fmt_item *directive, const char *word)
{
    const char *at = directive->text + 1, *end = directive->text + directive->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return (size_t)(end - at) >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

// Each branch of a condition starts with what was open before it.
static void pass_directive(layout *l, const fmt_item *directive)
{
    if (says(directive, "if")) {
        gy_vec_push(&l->kept, copy_of(&l->open));
    } else if (l->kept.n > 0 && (says(directive, "else") || says(directive, "elif"))) {
        gy_vec_free(&l->open);
        l->open = copy_of(&l->kept.at[l->kept.n - 1]);
    } else if (l->kept.n > 0 && says(directive, "endif")) {
        gy_vec_free(&l->kept.at[l->kept.n - 1]);
        l->kept.n--;
    }
}

// ---- the first token of a line --------------------------------------------------------------

static bool begins_label(const layout *l, const fmt_item *item, const fmt_item *next)
{
    fmt_frame_kind kind = l->open.at[l->open.n - 1].kind;
    return item->kind == FMT_TOKEN && item->token == PP_NAME && item->keyword == 0 &&
           (kind == FMT_BLOCK || kind == FMT_OPTION) && fmt_is(next, PML_P_COLON);
}

static bool goes_on(layout *l, const fmt_item *item)
{
    fmt_frame_kind kind = top(l)->kind;
    if (kind == FMT_PAREN)
        return true;
    if (fmt_is(item, PML_P_LBRACE) || kind == FMT_LIST)
        return false;
    if (kind == FMT_FORMULA)
        return !fmt_is(l->last, PML_P_LBRACE);
    if (fmt_is(item, PML_P_COMMA) || fmt_is(item, PML_P_ANDAND) || fmt_is(item, PML_P_OROR) ||
        fmt_is(item, PML_P_ASSIGN) || fmt_is_keyword(item, PML_T_PROVIDED) ||
        fmt_is_keyword(item, PML_T_PRIORITY) || fmt_is_keyword(item, PML_T_OF))
        return true;
    if (l->last && l->last->kind == FMT_TOKEN && l->last->token == PP_STRING &&
        item->kind == FMT_TOKEN && item->token == PP_STRING)
        return true;
    return fmt_goes_on(l->last);
}

static size_t moved(layout *l, size_t column)
{
    if (column >= l->old_col)
        return l->new_col + (column - l->old_col);
    return l->new_col + (top(l)->kind == FMT_FORMULA ? 0 : l->f->style.indent);
}

// Labels are where the block that they are in is closed.
static size_t label_column(const layout *l)
{
    size_t i = l->open.n - 1;
    while (i > 0 && l->open.at[i].kind != FMT_BLOCK)
        i--;
    return l->open.at[i].base;
}

// Comments on lines of their own go with the line below, unless what is there closes something
// and they are further right.
static void place_comments(layout *l, const fmt_line *line, size_t inner, bool outer)
{
    size_t here = (size_t)(line - l->f->lines.at);
    for (size_t i = l->comment_from; i < here; i++) {
        fmt_line *comment = &l->f->lines.at[i];
        if (l->f->items.at[comment->first].kind == FMT_COMMENT)
            comment->indent = outer && comment->column > line->column ? inner : line->indent;
    }
    l->comment_from = here + 1;
}

// The column of the line that begins with `item`.
static void indent_line(layout *l, fmt_line *line, fmt_item *item, const fmt_item *next)
{
    size_t inner = top(l)->level;
    bool outer = true, statement = true;
    if (fmt_is(item, PML_P_RBRACE) && unwind_braces(l)) {
        line->indent = top(l)->base;
    } else if ((fmt_is_keyword(item, PML_T_OD) || fmt_is_keyword(item, PML_T_FI)) &&
               unwind_choice(l)) {
        line->indent = top(l)->base;
    } else if (fmt_is(item, PML_P_SEP) && unwind_choice(l)) {
        line->indent = top(l)->level;
    } else if (goes_on(l, item)) {
        line->indent = moved(l, line->column);
        outer = statement = false;
    } else if (begins_label(l, item, next)) {
        line->indent = label_column(l);
    } else {
        line->indent = inner;
        outer = false;
    }
    place_comments(l, line, inner, outer);
    if (statement) {
        l->old_col = line->column;
        l->new_col = line->indent;
    }
}

// ---- opening and closing --------------------------------------------------------------------

static void open_brace(layout *l, size_t line, bool leads)
{
    frame *around = top(l);
    bool list = fmt_is(l->last, PML_P_ASSIGN) || fmt_is_keyword(l->last, PML_T_OF);
    frame fr = {.kind = l->formula_head ? FMT_FORMULA
                        : list          ? FMT_LIST
                                        : FMT_BLOCK,
                .base = around->level,
                .level = around->level + l->f->style.indent,
                .line = line,
                .leads = leads};
    l->formula_head = false;
    // `init { atomic {`: one level for both
    if (around->kind == FMT_BLOCK && around->line == line && !around->leads) {
        fr.base = around->base;
        fr.level = around->level;
    }
    push(l, fr);
}

static void open_option(layout *l, size_t line)
{
    if (!unwind_choice(l))
        return;
    frame *choice = top(l);
    unsigned width = 3; // of `:: `
    if (choice->line == line && choice->level == choice->base)
        choice->level += width; // do :: …
    size_t level = choice->level + width;
    if (l->f->style.tabs)
        level = (choice->level / FMT_TAB + 1) * FMT_TAB;
    push(l, (frame){.kind = FMT_OPTION, .base = choice->level, .level = level, .line = line});
}

static bool is_macro(const fmt_text *f, const fmt_item *name)
{
    if (!name || name->kind != FMT_TOKEN || name->token != PP_NAME)
        return false;
    for (size_t i = 0; i < f->macros.n; i++)
        if (strlen(f->macros.at[i]) == name->length &&
            memcmp(f->macros.at[i], name->text, name->length) == 0)
            return true;
    return false;
}

static void open_paren(layout *l, size_t line, bool round)
{
    const frame *around = top(l);
    bool as_written = around->as_written || is_macro(l->f, l->last);
    push(l, (frame){.kind = FMT_PAREN,
                    .base = around->base,
                    .level = around->level,
                    .line = line,
                    .as_written = as_written,
                    .round = round});
}

static void pass_token(layout *l, fmt_item *item, size_t line, bool leads)
{
    if (item->kind != FMT_TOKEN)
        return;
    if (fmt_is(item, PML_P_LBRACE))
        open_brace(l, line, leads);
    else if (fmt_is(item, PML_P_RBRACE) && unwind_braces(l))
        pop(l);
    else if (fmt_is(item, PML_P_LPAREN) || fmt_is(item, PML_P_LBRACKET))
        open_paren(l, line, fmt_is(item, PML_P_LPAREN));
    else if ((fmt_is(item, PML_P_RPAREN) || fmt_is(item, PML_P_RBRACKET)) &&
             top(l)->kind == FMT_PAREN)
        pop(l);
    else if (fmt_is_keyword(item, PML_T_DO) || fmt_is_keyword(item, PML_T_IF))
        push(l,
             (frame){
                 .kind = FMT_CHOICE, .base = top(l)->level, .level = top(l)->level, .line = line});
    else if ((fmt_is_keyword(item, PML_T_OD) || fmt_is_keyword(item, PML_T_FI)) && unwind_choice(l))
        pop(l);
    else if (fmt_is(item, PML_P_SEP))
        open_option(l, line);
    else if (item->keyword == PML_T_LTL)
        l->formula_head = true;
}

// ---- inside a line --------------------------------------------------------------------------

// The closing `>` of a receive that copies, `q?<x, y>`.
static void close_copy(fmt_text *f, size_t from)
{
    unsigned depth = 0;
    for (size_t i = from; i < f->items.n; i++) {
        fmt_item *item = &f->items.at[i];
        if (fmt_is(item, PML_P_LPAREN) || fmt_is(item, PML_P_LBRACKET)) {
            depth++;
        } else if (fmt_is(item, PML_P_RPAREN) || fmt_is(item, PML_P_RBRACKET)) {
            if (depth-- == 0)
                return;
        } else if (depth == 0 && fmt_is(item, PML_P_GT)) {
            item->copies = true;
            return;
        } else if (fmt_is(item, PML_P_SEMI) || fmt_is(item, PML_P_ARROW)) {
            return;
        }
    }
}

// After a label, and after the brace that a body begins with, a statement can be where those
// of the next lines will.
static void reach_level(layout *l, const fmt_item *prev, fmt_item *cur, const fmt_line *line)
{
    const fmt_item *first = &l->f->items.at[line->first];
    bool brace = fmt_is(prev, PML_P_LBRACE) && prev == first && top(l)->kind == FMT_BLOCK;
    bool label = prev->is_label && prev == first + 1 && prev->gap == 0;
    if (!(brace && cur->blanks > 1 && cur->gap > 0) && !label) // a statement, and no `;`
        return;
    size_t column = line->indent + first->length + (label ? prev->length : 0);
    if (column < top(l)->level && !fmt_is(cur, PML_P_RBRACE))
        cur->gap = top(l)->level - column;
}

static const fmt_item *next_token(const fmt_text *f, size_t i)
{
    for (i++; i < f->items.n; i++)
        if (f->items.at[i].kind == FMT_TOKEN || f->items.at[i].kind == FMT_VERBATIM)
            return &f->items.at[i];
    return NULL;
}

static bool begins_statement(layout *l, const fmt_item *item)
{
    fmt_frame_kind kind = top(l)->kind;
    return item->breaks > 0 && (kind == FMT_BLOCK || kind == FMT_OPTION) && !fmt_goes_on(l->last);
}

static void lay_item(layout *l, fmt_line *line, size_t i, bool leads)
{
    fmt_text *f = l->f;
    fmt_item *item = &f->items.at[i];
    const fmt_item *next = next_token(f, i);
    const fmt_item *beside = i > line->first ? item - 1 : NULL;
    if (item->kind == FMT_COMMENT) {
        item->gap = item->blanks > 0 ? item->blanks : 1;
        if (f->plain || top(l)->as_written)
            item->gap = item->blanks;
        return;
    }
    if (leads && !item->joined)
        indent_line(l, line, item, next);
    fmt_context context = {.list = top(l)->kind == FMT_LIST || top(l)->round,
                           .formula = in_formula(l),
                           .statement = begins_statement(l, item)};
    item->as_written = top(l)->as_written;
    if (fmt_is(item, PML_P_COLON) && top(l)->kind != FMT_PAREN && l->last &&
        l->last->token == PP_NAME && l->last->keyword == 0 &&
        !(fmt_is(next, PML_P_ASSIGN) && next->blanks == 0) && !fmt_goes_on(l->before_last) &&
        !fmt_is_keyword(l->before_last, PML_T_MTYPE) && top(l)->kind != FMT_TOP)
        item->is_label = true;
    if (item->kind == FMT_VERBATIM)
        line->base = top(l)->level;
    fmt_space(f, l->last, item, next, &context);
    if (beside && beside->kind == FMT_COMMENT)
        item->gap = f->plain ? item->blanks : item->blanks > 0;
    else if (beside && !f->plain)
        reach_level(l, beside, item, line);
    fmt_settle(item);
    if (item->copies && fmt_is(item, PML_P_LT))
        close_copy(f, i + 1);
    pass_token(l, item, (size_t)(line - f->lines.at), leads);
    l->before_last = l->last;
    l->last = item;
}

static void lay_line(layout *l, fmt_line *line)
{
    fmt_text *f = l->f;
    bool leads = true;
    for (size_t i = line->first; i < line->end; i++) {
        fmt_item *item = &f->items.at[i];
        if (item->kind == FMT_DIRECTIVE) {
            pass_directive(l, item);
            item->gap = item->blanks;
        } else if (!item->whole_lines) {
            lay_item(l, line, i, leads);
            leads = leads && item->kind == FMT_COMMENT;
        }
    }
}

void fmt_layout(fmt_text *f)
{
    layout l = {.f = f};
    push(&l, (frame){.kind = FMT_TOP, .line = SIZE_MAX});
    for (size_t i = 0; i < f->lines.n; i++)
        lay_line(&l, &f->lines.at[i]);
    for (size_t i = l.comment_from; i < f->lines.n; i++)
        f->lines.at[i].indent = 0;
    for (size_t i = 0; i < l.kept.n; i++)
        gy_vec_free(&l.kept.at[i]);
    gy_vec_free(&l.kept);
    gy_vec_free(&l.open);
}
