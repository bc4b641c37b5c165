// Macro expansion: collecting arguments, # and ##, and the replacement as a new context.
#include "lang/promela/read/pp_state.h"

#include <stdio.h>
#include <string.h>

struct argument {
    size_t from, count; // in the list of all argument tokens
    pp_list expanded;
    bool is_expanded;
};

struct call {
    pp_list tokens;
    GY_VEC(struct argument) arguments;
    size_t given; // arguments read; beyond what the macro takes, only counted
    pp_token name;
    bool variable_missing; // nothing at all was given for `...`
};

static void free_call(pp *p, struct call *call)
{
    p->argument_tokens -= call->tokens.n;
    for (size_t i = 0; i < call->arguments.n; i++)
        gy_vec_free(&call->arguments.at[i].expanded);
    gy_vec_free(&call->arguments);
    gy_vec_free(&call->tokens);
}

static bool is_punct(const pp_token *token, unsigned punct)
{
    return token->kind == PP_PUNCT && token->punct == punct;
}

// A token of the arguments: not expanded yet, but names of macros whose replacement is being
// read right now are painted, because that context may end before the arguments are used.
static pp_token read_argument_token(pp *p)
{
    pp_token token = pp_read(p);
    if (token.kind == PP_NAME) {
        const pp_macro *macro = pml_word_from_text(token.text)->macro;
        if (macro && macro->disabled)
            token.flags |= PP_NO_EXPAND;
    }
    if (token.flags & PP_NEWLINE)
        token.flags = (uint8_t)((token.flags & ~PP_NEWLINE) | PP_SPACE);
    return token;
}

// Is the name followed by `(`? If not, what was read goes back.
static bool read_parenthesis(pp *p)
{
    bool crossed = p->crossed;
    int args = (int)p->args;
    p->args = PP_ARGS_PAREN;
    pp_token token = pp_read(p);
    p->args = args;
    if (is_punct(&token, PML_P_LPAREN))
        return true;
    p->crossed = crossed;
    if (crossed && p->contexts.n == 0) {
        token.flags |= PP_NEWLINE | PP_SPACE;
        p->crossed = false;
    }
    if (token.kind != PP_END)
        pp_push(p, &token, 1);
    return false;
}

static void end_argument(const pp_macro *macro, struct call *call, struct argument *argument)
{
    argument->count = call->tokens.n - argument->from;
    if (call->given++ <= macro->param_count)
        gy_vec_push(&call->arguments, *argument);
    *argument = (struct argument){.from = call->tokens.n};
}

// Reads the arguments up to the closing parenthesis.
static bool read_arguments(pp *p, const pp_macro *macro, struct call *call)
{
    int args = (int)p->args;
    p->args = PP_ARGS_INSIDE;
    unsigned depth = 0;
    struct argument argument = {0};
    bool closed = false;
    while (!p->stopped) {
        pp_token token = read_argument_token(p);
        if (token.kind == PP_END)
            break;
        if (is_punct(&token, PML_P_RPAREN) && depth-- == 0) {
            closed = true;
            break;
        }
        if (is_punct(&token, PML_P_LPAREN))
            depth++;
        bool in_rest = macro->variadic && call->given + 1 >= macro->param_count;
        if (is_punct(&token, PML_P_COMMA) && depth == 0 && !in_rest) {
            end_argument(macro, call, &argument);
            continue;
        }
        gy_vec_push(&call->tokens, token);
        if (++p->argument_tokens > PP_MAX_EXPANDED_TOKENS)
            pp_stop(p, call->name.place, "the arguments of a macro are too long",
                    PP_MAX_EXPANDED_TOKENS);
    }
    p->args = args;
    end_argument(macro, call, &argument);
    if (!closed && !p->stopped) {
        gy_error(p->diags, call->name.place, "the arguments of macro `%s` are never closed",
                 macro->name)
            ->length = call->name.length;
    }
    return closed;
}

static bool check_count(pp *p, const pp_macro *macro, struct call *call)
{
    size_t given = call->given, wanted = macro->param_count;
    if (wanted == 0 && given == 1 && call->tokens.n == 0)
        return true;
    if (macro->variadic && given + 1 == wanted) {
        call->variable_missing = true;
        gy_vec_push(&call->arguments, ((struct argument){.from = call->tokens.n}));
        return true;
    }
    if (given == wanted) {
        call->variable_missing = given == 1 && call->tokens.n == 0;
        return true;
    }
    if (given == 1 && call->tokens.n == 0)
        given = 0;
    gy_diag *diag =
        gy_error(p->diags, call->name.place, "macro `%s` takes %zu argument%s%s, not %zu",
                 macro->name, macro->variadic ? wanted - 1 : wanted,
                 (macro->variadic ? wanted - 1 : wanted) == 1 ? "" : "s",
                 macro->variadic ? " or more" : "", given);
    diag->length = call->name.length;
    gy_note(p->diags, macro->place, "`%s` is defined here", macro->name)->length =
        (uint32_t)strlen(macro->name);
    return false;
}

void pp_expand_list(pp *p, const pp_token *tokens, size_t count, pp_list *out)
{
    unsigned pending = p->pending;
    p->pending = 0;
    pp_push_context(
        p, (struct pp_context){.tokens = (pp_token *)tokens, .count = count, .barrier = true});
    for (pp_token token; (token = pp_next(p)).kind != PP_END;)
        gy_vec_push(out, token);
    pp_pop_context(p);
    p->pending = pending;
}

// ---- # and ## -----------------------------------------------------------------------------

static bool may_make_bytes(pp *p, gy_location place, size_t bytes)
{
    p->expanded_bytes += bytes;
    if (p->expanded_bytes <= PP_MAX_EXPANDED_BYTES)
        return true;
    pp_stop(p, place, "macros make too long a text", PP_MAX_EXPANDED_BYTES);
    return false;
}

static pp_token stringize(pp *p, const pp_token *tokens, size_t count, gy_location place)
{
    gy_text text = {0};
    gy_text_char(&text, '"');
    for (size_t i = 0; i < count; i++) {
        const pp_token *token = &tokens[i];
        if (i && (token->flags & PP_SPACE))
            gy_text_char(&text, ' ');
        if (token->kind != PP_STRING && token->kind != PP_CHAR) {
            gy_text_bytes(&text, token->text, token->length);
            continue;
        }
        for (uint32_t k = 0; k < token->length; k++) {
            if (token->text[k] == '"' || token->text[k] == '\\')
                gy_text_char(&text, '\\');
            gy_text_char(&text, token->text[k]);
        }
    }
    gy_text_char(&text, '"');
    pp_token result = {.kind = PP_STRING, .place = place};
    if (may_make_bytes(p, place, text.n)) {
        result.text = gy_arena_strndup(p->arena, text.at, text.n);
        result.length = (uint32_t)text.n;
    } else {
        result.text = "\"\"";
        result.length = 2;
    }
    gy_text_free(&text);
    return result;
}

// C's own operators that Promela does not have may still be made by ##.
static bool is_c_operator(const char *text)
{
    static const char *const operators[] = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<:", "<<=", ">>=", "..."};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(text, operators[i]) == 0)
            return true;
    return false;
}

// *left becomes left##right. False: the two tokens are side by side.
static bool paste(pp *p, pp_token *left, const pp_token *right, const pp_macro *macro)
{
    size_t bytes = (size_t)left->length + right->length;
    if (!may_make_bytes(p, left->place, bytes))
        return true;
    char *text = gy_arena_alloc(p->arena, bytes + 1);
    memcpy(text, left->text, left->length);
    memcpy(text + left->length, right->text, right->length);
    pp_scanner scanner = {.text = text,
                          .at = text,
                          .end = text + bytes,
                          .fixed = left->place,
                          .in_directive = true,
                          .words = p->words};
    pp_token token = pp_scan(&scanner);
    if (token.kind != PP_END && token.kind != PP_OTHER && token.length == bytes &&
        !(token.flags & (PP_SPACE | PP_UNCLOSED))) {
        token.flags = left->flags & (PP_SPACE | PP_NEWLINE);
        *left = token;
        return true;
    }
    if (!is_c_operator(text))
        gy_error(p->diags, left->place, "`##` in macro `%s` makes `%.100s`, which is not one token",
                 macro->name, text);
    return false;
}

// ---- the replacement ------------------------------------------------------------------------

static struct argument *expanded_argument(pp *p, struct call *call, struct argument *argument)
{
    if (!argument->is_expanded) {
        argument->is_expanded = true;
        if (p->nesting >= PP_MAX_MACRO_NESTING) {
            pp_stop(p, call->name.place, "macro calls are nested too deeply", PP_MAX_MACRO_NESTING);
            return argument;
        }
        p->nesting++;
        pp_expand_list(p, call->tokens.at + argument->from, argument->count, &argument->expanded);
        p->nesting--;
    }
    return argument;
}

struct replacement {
    pp_list out;
    bool pasting;    // the item before was followed by ##
    bool left_empty; // and was nothing
};

// Adds one item of the body (what a token or a parameter stands for) to the replacement.
static void add_item(pp *p, struct replacement *r, const pp_macro *macro, const pp_token *item,
                     size_t count, unsigned space)
{
    size_t from = 0;
    if (r->pasting && !r->left_empty && count)
        from = paste(p, &r->out.at[r->out.n - 1], &item[0], macro);
    for (size_t i = from; i < count; i++) {
        gy_vec_push(&r->out, item[i]);
        if (i == 0) {
            pp_token *first = &r->out.at[r->out.n - 1];
            first->flags = (uint8_t)((first->flags & ~PP_SPACE) | space);
        }
    }
    r->left_empty = count == 0 && (!r->pasting || r->left_empty);
}

static void add_param(pp *p, struct replacement *r, const pp_macro *macro, struct call *call,
                      const pp_token *param)
{
    struct argument *argument = &call->arguments.at[param->length];
    unsigned space = param->flags & PP_SPACE;
    const pp_token *raw = call->tokens.at ? call->tokens.at + argument->from : NULL;
    if (param->flags & PP_STRINGIZE) {
        gy_location place = gy_location_expanded(p->sources, param->place, GY_FROM_MACRO,
                                                 macro->name, call->name.place);
        pp_token string = stringize(p, raw, argument->count, place);
        add_item(p, r, macro, &string, 1, space);
        return;
    }
    bool is_rest = macro->variadic && param->length + 1 == macro->param_count;
    if (is_rest && r->pasting && r->out.n && is_punct(&r->out.at[r->out.n - 1], PML_P_COMMA)) {
        // GNU: `, ## __VA_ARGS__` drops the comma when there are no further arguments.
        r->pasting = false;
        if (call->variable_missing)
            r->out.n--;
        add_item(p, r, macro, raw, argument->count, space);
    } else if (r->pasting || (param->flags & PP_PASTE)) {
        add_item(p, r, macro, raw, argument->count, space);
    } else {
        expanded_argument(p, call, argument);
        argument = &call->arguments.at[param->length];
        add_item(p, r, macro, argument->expanded.at, argument->expanded.n, space);
    }
}

static void replace(pp *p, pp_macro *macro, struct call *call)
{
    struct replacement r = {0};
    gy_vec_reserve(&r.out, macro->body_count + 1);
    for (size_t i = 0; i < macro->body_count && !p->stopped; i++) {
        const pp_token *body = &macro->body[i];
        if (body->kind == PP_PARAM) {
            add_param(p, &r, macro, call, body);
        } else {
            pp_token token = *body;
            token.place = gy_location_expanded(p->sources, body->place, GY_FROM_MACRO, macro->name,
                                               call->name.place);
            token.flags &= (uint8_t)~PP_PASTE;
            add_item(p, &r, macro, &token, 1, body->flags & PP_SPACE);
        }
        r.pasting = body->flags & PP_PASTE;
        if (p->expanded_tokens + r.out.n > PP_MAX_EXPANDED_TOKENS)
            pp_stop(p, call->name.place, "macros expand to too many tokens",
                    PP_MAX_EXPANDED_TOKENS);
    }
    p->expanded_tokens += r.out.n + 1;
    unsigned flags = call->name.flags & (PP_SPACE | PP_NEWLINE);
    if (r.out.n == 0 || p->stopped) {
        p->pending |= flags;
        gy_vec_free(&r.out);
        return;
    }
    r.out.at[0].flags = (uint8_t)((r.out.at[0].flags & ~PP_SPACE) | flags);
    pp_push_context(p, (struct pp_context){
                           .tokens = r.out.at, .count = r.out.n, .macro = macro, .owned = true});
}

static void expand_builtin(pp *p, const pp_token *name, const pp_macro *macro)
{
    gy_location_info info = gy_location_user(p->sources, name->place);
    pp_token token = *name;
    char number[32];
    token.kind = PP_NUMBER;
    switch (macro->builtin) {
    case PP_B_LINE:
        snprintf(number, sizeof number, "%u", info.line);
        break;
    case PP_B_COUNTER:
        snprintf(number, sizeof number, "%u", p->counter++);
        break;
    case PP_B_LEVEL:
        snprintf(number, sizeof number, "%zu", p->files.n - 1);
        break;
    default: {
        const char *file = name->place ? gy_source_name(p->sources, info.file) : "";
        pp_token path = {.kind = PP_STRING, .text = file, .length = (uint32_t)strlen(file)};
        pp_token quoted = stringize(p, &path, 1, name->place);
        quoted.flags = name->flags;
        pp_push(p, &quoted, 1);
        return;
    }
    }
    token.text = gy_arena_strdup(p->arena, number);
    token.length = (uint32_t)strlen(number);
    pp_push(p, &token, 1);
}

bool pp_expand(pp *p, const pp_token *name, pp_macro *macro)
{
    if (macro->builtin) {
        expand_builtin(p, name, macro);
        return true;
    }
    struct call call = {.name = *name};
    if (p->reading && p->reading->stop && atomic_load(p->reading->stop))
        p->stopped = true;
    if (macro->function_like) {
        if (!read_parenthesis(p))
            return false;
        if (!read_arguments(p, macro, &call) || !check_count(p, macro, &call)) {
            free_call(p, &call);
            return false;
        }
    }
    if (p->names)
        gy_names_use(p->names, macro, name->place, name->length, GY_USE_CALLED);
    replace(p, macro, &call);
    free_call(p, &call);
    return true;
}
