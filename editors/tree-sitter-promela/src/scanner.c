// Line breaks inside sequences separate statements, as Spin's lexer has it: where the parser can end a statement, a
// line break does, unless `unless` follows. What `#if 0` leaves out is one token. Called by the generated parser alone; keeps no state.
#include <tree_sitter/parser.h>

#include <string.h>
#include <wctype.h>

enum { LINE_BREAK, LEFT_OUT };

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

static void skip_blanks(TSLexer *lexer)
{
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r')
        lexer->advance(lexer, false);
}

// The word that stands here, or as much of it as has room.
static void read_word(TSLexer *lexer, char *word, size_t room)
{
    size_t n = 0;
    while (iswalnum((wint_t)lexer->lookahead)) {
        if (n + 1 < room)
            word[n++] = (char)lexer->lookahead;
        lexer->advance(lexer, false);
    }
    word[n] = '\0';
}

// At a `#`: is it `#if 0`? Then up to the line of its #else, #elif or #endif.
static bool scan_left_out(TSLexer *lexer)
{
    char word[8];
    unsigned depth = 0;
    lexer->advance(lexer, false);
    skip_blanks(lexer);
    read_word(lexer, word, sizeof word);
    if (strcmp(word, "if") != 0)
        return false;
    skip_blanks(lexer);
    read_word(lexer, word, sizeof word);
    skip_blanks(lexer);
    if (strcmp(word, "0") != 0 || lexer->lookahead != '\n')
        return false;
    while (!lexer->eof(lexer)) {
        lexer->advance(lexer, false); // the line break
        lexer->mark_end(lexer);
        skip_blanks(lexer);
        if (lexer->lookahead == '#') {
            lexer->advance(lexer, false);
            skip_blanks(lexer);
            read_word(lexer, word, sizeof word);
            bool ends = strcmp(word, "endif") == 0;
            if (depth == 0 && (ends || strcmp(word, "else") == 0 || strcmp(word, "elif") == 0))
                break;
            depth += strncmp(word, "if", 2) == 0;
            depth -= ends;
        }
        while (lexer->lookahead != '\n' && !lexer->eof(lexer))
            lexer->advance(lexer, false);
    }
    lexer->result_symbol = LEFT_OUT;
    return true;
}

bool tree_sitter_promela_external_scanner_scan(void *payload, TSLexer *lexer,
                                               const bool *valid_symbols)
{
    (void)payload;
    bool seen = false;
    while (iswspace((wint_t)lexer->lookahead)) {
        seen |= lexer->lookahead == '\n';
        lexer->advance(lexer, true);
    }
    if (!valid_symbols[LINE_BREAK] || !seen)
        return valid_symbols[LEFT_OUT] && lexer->lookahead == '#' && scan_left_out(lexer);
    if (lexer->eof(lexer))
        return false;
    lexer->mark_end(lexer); // the token is empty: what was skipped is white space
    lexer->result_symbol = LINE_BREAK;
    return !goes_on(lexer);
}
