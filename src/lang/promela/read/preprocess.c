// The stream itself: contexts over files. See pp_state.h for the idea.
#include "lang/promela/read/preprocess.h"

#include "lang/promela/read/pp_state.h"

#include <string.h>

pp *pp_new(gy_arena *arena, gy_sources *sources, gy_diags *diags, pml_words *words,
           const pml_input *input)
{
    pp *p = gy_alloc_zero(sizeof *p);
    p->arena = arena;
    p->sources = sources;
    p->diags = diags;
    p->words = words;
    p->include_dirs = input->include_dirs;
    p->reading = input->reading;
    p->names = input->reading ? input->reading->names : NULL;
    p->word_defined = pml_word_of(words, "defined", 7)->text;
    p->word_va_args = pml_word_of(words, "__VA_ARGS__", 11)->text;
    pp_define_builtins(p);
    return p;
}

void pp_free(pp *p)
{
    if (!p)
        return;
    while (p->contexts.n)
        pp_pop_context(p);
    for (size_t i = 0; i < p->buffers.n; i++) {
        free(p->buffers.at[i].copy);
        free(p->buffers.at[i].splices);
    }
    gy_vec_free(&p->contexts);
    gy_vec_free(&p->files);
    gy_vec_free(&p->conditionals);
    gy_vec_free(&p->buffers);
    gy_vec_free(&p->once);
    free(p);
}

void pp_inside_c(pp *p, bool on)
{
    p->inside_c = on;
}

void pp_stop(pp *p, gy_location place, const char *what, unsigned long limit)
{
    if (p->stopped)
        return;
    p->stopped = true;
    gy_error(p->diags, place, "%s (the limit is %lu); reading stops here", what, limit);
}

void pp_push_context(pp *p, struct pp_context context)
{
    if (context.macro)
        context.macro->disabled = true;
    gy_vec_push(&p->contexts, context);
}

void pp_pop_context(pp *p)
{
    struct pp_context *top = &p->contexts.at[--p->contexts.n];
    if (top->macro)
        top->macro->disabled = false;
    if (top->owned)
        free(top->tokens);
}

void pp_push(pp *p, const pp_token *tokens, size_t count)
{
    pp_token *copy = gy_alloc(count * sizeof *copy);
    memcpy(copy, tokens, count * sizeof *copy);
    pp_push_context(p, (struct pp_context){.tokens = copy, .count = count, .owned = true});
}

static void report_open_comment(pp *p, struct pp_file *file)
{
    if (!file->scan.open_comment)
        return;
    gy_location place = pp_scanner_place(&file->scan, file->scan.open_comment);
    gy_error(p->diags, place, "this comment is never closed")->length = 2;
    file->scan.open_comment = NULL;
}

// The next token of the current file; goes on with the including file at its end. Directives
// are obeyed on the way.
static pp_token read_from_files(pp *p)
{
    for (;;) {
        if (p->stopped || p->files.n == 0)
            return (pp_token){.kind = PP_END};
        struct pp_file *file = pp_file_now(p);
        const char *before = file->scan.at;
        pp_token token = pp_scan(&file->scan);
        if (file->fresh) {
            token.flags |= PP_NEWLINE | PP_SPACE;
            file->fresh = false;
        }
        if (token.kind == PP_PUNCT && token.punct == PML_P_HASH && (token.flags & PP_NEWLINE)) {
            if (p->args == PP_ARGS_PAREN) {
                file->scan.at = before;
                file->fresh = true;
                return (pp_token){.kind = PP_END, .place = token.place};
            }
            if (p->args)
                p->crossed = true;
            pp_directive(p);
            if (gy_diags_full(p->diags))
                p->stopped = true;
            if (p->contexts.n) // a line passed through
                return pp_read(p);
            continue;
        }
        if (token.kind == PP_END) {
            report_open_comment(p, file);
            if (p->args || p->files.n == 1) {
                if (!p->args)
                    pp_end_conditionals(p, file);
                return token;
            }
            pp_end_conditionals(p, file);
            p->files.n--;
            continue;
        }
        if (token.flags & PP_JOINED) // where Spin gets its text from, this is a line break too
            token.flags = (uint8_t)((token.flags & ~PP_JOINED) | PP_NEWLINE);
        if (p->args)
            p->crossed |= (token.flags & PP_NEWLINE) != 0;
        else if (p->crossed) {
            token.flags |= PP_NEWLINE | PP_SPACE;
            p->crossed = false;
        }
        return token;
    }
}

pp_token pp_read(pp *p)
{
    while (p->contexts.n) {
        struct pp_context *top = &p->contexts.at[p->contexts.n - 1];
        if (top->at < top->count && !p->stopped)
            return top->tokens[top->at++];
        if (top->barrier)
            return (pp_token){.kind = PP_END};
        pp_pop_context(p);
    }
    return read_from_files(p);
}

pp_token pp_next(pp *p)
{
    for (;;) {
        pp_token token = pp_read(p);
        if (p->pending) {
            token.flags |= (uint8_t)p->pending;
            p->pending = 0;
        }
        if (token.kind == PP_NAME && !(token.flags & PP_NO_EXPAND)) {
            pp_macro *macro = pml_word_from_text(token.text)->macro;
            if (macro && macro->disabled)
                token.flags |= PP_NO_EXPAND;
            else if (macro && pp_expand(p, &token, macro))
                continue;
        }
        return token;
    }
}
