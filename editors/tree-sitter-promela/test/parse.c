// For the tests: parse FILE... prints a line for each node that is an error, FILE:LINE:COLUMN; parse - prints the
// tree of standard input; parse -q FILE... reads queries.
#include <tree_sitter/api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const TSLanguage *tree_sitter_promela(void);

static char *read_all(FILE *file, size_t *n)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *n = 0;
    for (size_t got; (got = fread(text + *n, 1, room - *n, file)) > 0;)
        if ((*n += got) == room)
            text = realloc(text, room *= 2);
    return text;
}

static unsigned tell_query(const char *name)
{
    size_t n;
    uint32_t at;
    TSQueryError error;
    FILE *file = fopen(name, "rb");
    if (!file)
        exit(2);
    char *text = read_all(file, &n);
    TSQuery *query = ts_query_new(tree_sitter_promela(), text, (uint32_t)n, &at, &error);
    if (!query)
        printf("%s: byte %u: error %d: %.30s\n", name, at, (int)error, text + at);
    else
        printf("%s: %u patterns\n", name, ts_query_pattern_count(query));
    unsigned wrong = !query;
    if (query)
        ts_query_delete(query);
    free(text);
    fclose(file);
    return wrong;
}

static unsigned tell_errors(const char *name, TSNode node)
{
    unsigned count = 0;
    TSPoint at = ts_node_start_point(node);
    if (strcmp(ts_node_type(node), "ERROR") == 0 || ts_node_is_missing(node)) {
        printf("%s:%u:%u: %s\n", name, at.row + 1, at.column + 1, ts_node_is_missing(node) ? "MISSING" : "ERROR");
        return 1;
    }
    for (uint32_t i = 0; ts_node_has_error(node) && i < ts_node_child_count(node); i++)
        count += tell_errors(name, ts_node_child(node, i));
    return count;
}

int main(int argc, char **argv)
{
    unsigned errors = 0;
    if (argc > 1 && strcmp(argv[1], "-q") == 0) {
        for (int i = 2; i < argc; i++)
            errors += tell_query(argv[i]);
        return errors > 0;
    }
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_promela()))
        return 2;
    for (int i = 1; i < argc; i++) {
        int shown = strcmp(argv[i], "-") == 0;
        size_t n;
        FILE *file = shown ? stdin : fopen(argv[i], "rb");
        if (!file)
            return 2;
        char *text = read_all(file, &n);
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)n);
        if (shown) {
            char *string = ts_node_string(ts_tree_root_node(tree));
            puts(string);
            free(string);
        } else {
            errors += tell_errors(argv[i], ts_tree_root_node(tree));
            fclose(file);
        }
        ts_tree_delete(tree);
        free(text);
    }
    ts_parser_delete(parser);
    return errors > 0;
}
