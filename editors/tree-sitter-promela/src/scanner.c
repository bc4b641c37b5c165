// Line breaks inside sequences separate statements, as Spin's lexer has it: where the parser can end a statement, a
// line break does, unless `unless` follows. Called by the generated parser alone; keeps no state.
#include <tree_sitter/parser.h>

#include <string.h>
#include <wctype.h>

enum { LINE_BREAK };

void *tree_sitter_promela_external_scanner_create(void);
void tree_sitter_promela_external_scanner_destroy(void *payload);
unsigned tree_sitter_promela_external_scanner_serialize(void *payload, char *buffer);
void tree_sitter_promela_external_scanner_deserialize(void *payload, const char *buffer, unsigned length);
bool tree_sitter_promela_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols);

void *tree_sitter_promela_external_scanner_create(void)
{
    return NULL;
}

void tree_sitter_promela_external_scanner_destroy(void *payload)
{
    (void)payload;
}

unsigned tree_sitter_promela_external_scanner_serialize(void *payload, char *buffer)
{
    (void)payload, (void)buffer;
    return 0;
}

void tree_sitter_promela_external_scanner_deserialize(void *payload, const char *buffer,
                                                      unsigned length)
{
    (void)payload, (void)buffer, (void)length;
}

// Does the word that stands here go on with the statement before?
static bool goes_on(TSLexer *lexer)
{
    for (const char *word = "unless"; *word; word++) {
        if (lexer->lookahead != *word)
            return false;
        lexer->advance(lexer, false);
    }
    return !iswalnum((wint_t)lexer->lookahead) && lexer->lookahead != '_';
}

bool tree_sitter_promela_external_scanner_scan(void *payload, TSLexer *lexer,
                                               const bool *valid_symbols)
{
    (void)payload;
    bool seen = false;
    if (!valid_symbols[LINE_BREAK])
        return false;
    while (iswspace((wint_t)lexer->lookahead)) {
        seen |= lexer->lookahead == '\n';
        lexer->advance(lexer, true);
    }
    if (!seen || lexer->eof(lexer))
        return false;
    lexer->mark_end(lexer); // the token is empty: what was skipped is white space
    lexer->result_symbol = LINE_BREAK;
    return !goes_on(lexer);
}
