#include "cli/beem/beem_xml.h"

#include "base/file.h"
#include "base/vec.h"

#include <string.h>

#ifdef GYRE_EXPAT
#include <expat.h>

typedef struct reader {
    gy_arena *arena;
    beem_element *root;
    GY_VEC(beem_element *) open;
    GY_VEC(gy_text) texts; // of those that are open
} reader;

static void begin(void *user, const XML_Char *name, const XML_Char **attributes)
{
    reader *r = user;
    size_t count = 0;
    gy_text empty = {0};
    beem_element *element = GY_NEW(r->arena, beem_element);
    while (attributes[count])
        count++;
    const char **copies = GY_NEW_ARRAY(r->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        copies[i] = gy_arena_strdup(r->arena, attributes[i]);
    element->name = gy_arena_strdup(r->arena, name);
    element->attributes = copies;
    if (r->open.n > 0) {
        beem_element *parent = r->open.at[r->open.n - 1];
        if (parent->last)
            parent->last->next = element;
        else
            parent->first = element;
        parent->last = element;
    } else {
        r->root = element;
    }
    gy_vec_push(&r->open, element);
    gy_vec_push(&r->texts, empty);
}

static void end(void *user, const XML_Char *name)
{
    reader *r = user;
    (void)name;
    gy_text *text = &r->texts.at[--r->texts.n];
    r->open.at[--r->open.n]->text = gy_arena_strdup(r->arena, gy_text_str(text));
    gy_text_free(text);
}

static void characters(void *user, const XML_Char *text, int n)
{
    reader *r = user;
    if (r->texts.n > 0)
        gy_text_bytes(&r->texts.at[r->texts.n - 1], text, (size_t)n);
}

// In an encoding, or (NULL) the one that the text says.
static beem_element *parse(gy_arena *arena, const gy_file *file, const char *encoding,
                           enum XML_Error *error, unsigned long *line)
{
    reader r = {.arena = arena};
    XML_Parser parser = XML_ParserCreate(encoding);
    XML_SetUserData(parser, &r);
    XML_SetElementHandler(parser, begin, end);
    XML_SetCharacterDataHandler(parser, characters);
    bool good = XML_Parse(parser, file->text, (int)file->bytes, 1) == XML_STATUS_OK;
    *error = XML_GetErrorCode(parser);
    *line = XML_GetCurrentLineNumber(parser);
    XML_ParserFree(parser);
    for (size_t i = 0; i < r.texts.n; i++)
        gy_text_free(&r.texts.at[i]);
    gy_vec_free(&r.texts);
    gy_vec_free(&r.open);
    return good ? r.root : NULL;
}

bool beem_xml_is_there(void)
{
    return true;
}

static beem_element *read_file(gy_arena *arena, const char *path, const gy_file *file,
                               gy_text *problem)
{
    enum XML_Error error;
    unsigned long line;
    beem_element *root = parse(arena, file, NULL, &error, &line);
    // Old files have names of people in Latin-1 without saying so.
    if (!root && error == XML_ERROR_INVALID_TOKEN)
        root = parse(arena, file, "ISO-8859-1", &error, &line);
    if (!root)
        gy_text_printf(problem, "%s:%lu: %s", path, line, XML_ErrorString(error));
    return root;
}

#else

bool beem_xml_is_there(void)
{
    return false;
}

static beem_element *read_file(gy_arena *arena, const char *path, const gy_file *file,
                               gy_text *problem)
{
    (void)arena;
    (void)file;
    gy_text_printf(problem, "%s: this program was built without a reader of XML", path);
    return NULL;
}

#endif

beem_element *beem_xml_read(gy_arena *arena, const char *path, gy_text *problem)
{
    gy_file_rules rules = {.most_bytes = 64u << 20, .regular_only = true}; // nobody named it
    gy_file file;
    if (!gy_file_read(path, &rules, &file)) {
        gy_text_printf(problem, "cannot read %s: %s", path, file.problem);
        return NULL;
    }
    beem_element *root = read_file(arena, path, &file, problem);
    gy_file_free(&file);
    return root;
}

const char *beem_attribute(const beem_element *element, const char *name)
{
    for (const char *const *a = element->attributes; *a; a += 2)
        if (!strcmp(a[0], name))
            return a[1];
    return NULL;
}

const beem_element *beem_child(const beem_element *element, const char *name)
{
    for (const beem_element *e = element->first; e; e = e->next)
        if (!strcmp(e->name, name))
            return e;
    return NULL;
}

const char *beem_child_text(gy_arena *arena, const beem_element *element, const char *name)
{
    static const char blanks[] = " \t\r\n";
    const beem_element *child = beem_child(element, name);
    if (!child)
        return "";
    const char *from = child->text + strspn(child->text, blanks);
    size_t n = strlen(from);
    while (n > 0 && strchr(blanks, from[n - 1]))
        n--;
    return gy_arena_strndup(arena, from, n);
}
