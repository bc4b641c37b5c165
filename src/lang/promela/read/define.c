// #define: reading a macro's parameters and body. `#` and `##` are taken out of the body and
// kept as flags of their operands, so that expansion need not look for them.
#include "lang/promela/read/pp_state.h"

#include <string.h>

static bool is_punct(const pp_token *token, unsigned punct)
{
    return token->kind == PP_PUNCT && token->punct == punct;
}

typedef GY_VEC(const char *) name_list;

static bool add_param(pp *p, name_list *params, const char *name, const pp_token *token)
{
    pml_word *word = pml_word_from_text(name);
    if (word->param) {
        gy_error(p->diags, token->place, "parameter `%s` appears twice", name)->length =
            token->length;
        return false;
    }
    if (params->n >= PP_MAX_MACRO_PARAMS) {
        gy_error(p->diags, token->place, "a macro cannot have more than %d parameters",
                 PP_MAX_MACRO_PARAMS);
        return false;
    }
    gy_vec_push(params, name);
    word->param = (uint16_t)params->n;
    return true;
}

// `...` arrives as `..` and `.`.
static bool read_ellipsis(pp_scanner *scan, const pp_token *token)
{
    if (!is_punct(token, PML_P_DOTDOT) || *scan->at != '.')
        return false;
    pp_scan(scan);
    return true;
}

// After the opening parenthesis, up to the closing one.
static bool read_params(pp *p, pp_scanner *scan, pp_macro *macro, name_list *params)
{
    pp_token token = pp_scan(scan);
    if (is_punct(&token, PML_P_RPAREN))
        return true;
    for (;;) {
        if (read_ellipsis(scan, &token)) {
            macro->variadic = true;
            if (!add_param(p, params, p->word_va_args, &token))
                return false;
        } else if (token.kind == PP_NAME && token.text != p->word_va_args) {
            if (!add_param(p, params, token.text, &token))
                return false;
        } else {
            break;
        }
        token = pp_scan(scan);
        if (!macro->variadic && read_ellipsis(scan, &token)) {
            macro->variadic = true;
            token = pp_scan(scan);
        }
        if (is_punct(&token, PML_P_RPAREN))
            return true;
        if (!is_punct(&token, PML_P_COMMA) || macro->variadic)
            break;
        token = pp_scan(scan);
    }
    gy_diag *diag = gy_error(p->diags, token.place,
                             "the parameters of macro `%s` should be names with commas between "
                             "them, closed by `)`",
                             macro->name);
    diag->length = token.length;
    return false;
}

static bool read_body(pp *p, pp_scanner *scan, pp_macro *macro, pp_list *body)
{
    bool stringize = false, after_paste = false;
    unsigned hash_space = 0;
    gy_location hash_place = 0;
    for (pp_token token; (token = pp_scan(scan)).kind != PP_END;) {
        token.flags &= (uint8_t)~PP_JOINED;
        if (is_punct(&token, PP_P_HASHHASH)) {
            if (body->n == 0 || stringize) {
                gy_error(p->diags, token.place, "`##` needs a token on its left side")->length = 2;
                return false;
            }
            body->at[body->n - 1].flags |= PP_PASTE;
            after_paste = true;
            hash_place = token.place;
            continue;
        }
        if (macro->function_like && is_punct(&token, PML_P_HASH) && !stringize) {
            stringize = true;
            hash_space = token.flags & PP_SPACE;
            hash_place = token.place;
            continue;
        }
        unsigned param = token.kind == PP_NAME ? pml_word_from_text(token.text)->param : 0;
        if (param) {
            token.kind = PP_PARAM;
            token.length = param - 1;
        }
        if (stringize) {
            if (!param)
                break;
            token.flags = (uint8_t)(hash_space | PP_STRINGIZE);
            stringize = false;
        }
        if (body->n == 0)
            token.flags &= (uint8_t)~PP_SPACE;
        after_paste = false;
        gy_vec_push(body, token);
    }
    if (stringize) {
        gy_error(p->diags, hash_place, "`#` in a macro is followed by one of its parameters");
        return false;
    }
    if (after_paste) {
        gy_error(p->diags, hash_place, "`##` needs a token on its right side")->length = 2;
        return false;
    }
    return true;
}

static bool same_definition(const pp_macro *a, const pp_macro *b)
{
    if (a->function_like != b->function_like || a->variadic != b->variadic ||
        a->param_count != b->param_count || a->body_count != b->body_count ||
        a->builtin != b->builtin)
        return false;
    for (size_t i = 0; i < a->body_count; i++) {
        const pp_token *x = &a->body[i], *y = &b->body[i];
        if (x->kind != y->kind || x->flags != y->flags || x->length != y->length ||
            (x->kind != PP_PARAM && memcmp(x->text, y->text, x->length) != 0))
            return false;
    }
    return true;
}

static void enter(pp *p, pp_macro *macro, uint32_t name_length)
{
    pml_word *word = pml_word_from_text(macro->name);
    if (word->macro && !same_definition(word->macro, macro)) {
        gy_warn(p->diags, macro->place, "macro `%s` is defined again, differently", macro->name)
            ->length = name_length;
        if (word->macro->place)
            gy_note(p->diags, word->macro->place, "the definition before is here")->length =
                name_length;
    }
    word->macro = macro;
    if (p->names)
        pp_note_macro(p, macro, name_length);
}

void pp_read_define(pp *p, struct pp_file *file)
{
    pp_scanner *scan = &file->scan;
    pp_token name = pp_scan(scan);
    if (name.kind != PP_NAME) {
        gy_error(p->diags, name.place, "#define needs the name of a macro")->length = name.length;
        return;
    }
    if (name.text == p->word_defined || name.text == p->word_va_args) {
        gy_error(p->diags, name.place, "`%s` cannot be defined as a macro", name.text)->length =
            name.length;
        return;
    }
    pp_macro *macro = GY_NEW(p->arena, pp_macro);
    macro->name = name.text;
    macro->place = name.place;
    macro->function_like = *scan->at == '(';
    name_list params = {0};
    pp_list body = {0};
    bool good = true;
    if (macro->function_like) {
        scan->at++;
        good = read_params(p, scan, macro, &params);
    }
    good = good && read_body(p, scan, macro, &body);
    if (good) {
        macro->param_count = (uint32_t)params.n;
        macro->body_count = body.n;
        macro->body = GY_NEW_ARRAY(p->arena, pp_token, body.n);
        if (body.n)
            memcpy(macro->body, body.at, body.n * sizeof *body.at);
        enter(p, macro, name.length);
    }
    for (size_t i = 0; i < params.n; i++)
        pml_word_from_text(params.at[i])->param = 0;
    gy_vec_free(&params);
    gy_vec_free(&body);
}

void pp_define_builtins(pp *p)
{
    static const struct {
        const char *name, *value;
        pp_builtin kind;
    } builtins[] = {
        {"__LINE__", NULL, PP_B_LINE},       {"__FILE__", NULL, PP_B_FILE},
        {"__COUNTER__", NULL, PP_B_COUNTER}, {"__INCLUDE_LEVEL__", NULL, PP_B_LEVEL},
        {"__STDC__", "1", PP_B_NONE},        {"__STDC_HOSTED__", "1", PP_B_NONE},
        {"__linux__", "1", PP_B_NONE},       {"__STDC_VERSION__", "199901L", PP_B_NONE},
        {"__unix__", "1", PP_B_NONE},        {"__GNUC__", "12", PP_B_NONE},
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        pp_macro *macro = GY_NEW(p->arena, pp_macro);
        pml_word *word = pml_word_of(p->words, builtins[i].name, strlen(builtins[i].name));
        macro->name = word->text;
        macro->builtin = builtins[i].kind;
        if (builtins[i].value) {
            macro->body = GY_NEW(p->arena, pp_token);
            macro->body_count = 1;
            *macro->body = (pp_token){.kind = PP_NUMBER,
                                      .text = builtins[i].value,
                                      .length = (uint32_t)strlen(builtins[i].value)};
        }
        word->macro = macro;
    }
}
