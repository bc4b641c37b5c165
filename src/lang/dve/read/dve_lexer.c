// From text to tokens. Names may contain $ and # after their first character; numbers are decimal;
// comments are // and /* */; a backslash at the end of a line is white space.
#include "lang/dve/read/dve_token.h"

static const gy_lexeme words[] = {
    {"accept", DVE_T_ACCEPT}, {"and", DVE_T_AND},         {"assert", DVE_T_ASSERT},
    {"async", DVE_T_ASYNC},   {"byte", DVE_T_BYTE},       {"channel", DVE_T_CHANNEL},
    {"commit", DVE_T_COMMIT}, {"const", DVE_T_CONST},     {"effect", DVE_T_EFFECT},
    {"false", DVE_T_FALSE},   {"guard", DVE_T_GUARD},     {"imply", DVE_T_IMPLY},
    {"init", DVE_T_INIT},     {"int", DVE_T_INT},         {"not", DVE_T_NOT},
    {"or", DVE_T_OR},         {"process", DVE_T_PROCESS}, {"property", DVE_T_PROPERTY},
    {"state", DVE_T_STATE},   {"sync", DVE_T_SYNC},       {"system", DVE_T_SYSTEM},
    {"trans", DVE_T_TRANS},   {"true", DVE_T_TRUE},       {0},
};

static const gy_lexeme signs[] = {
    {"<->", DVE_T_EQUIV},     {"->", DVE_T_ARROW},
    {"=>", DVE_T_WIDE_ARROW}, {"<<", DVE_T_SHL},
    {">>", DVE_T_SHR},        {"<=", DVE_T_LE},
    {">=", DVE_T_GE},         {"==", DVE_T_EQ},
    {"!=", DVE_T_NE},         {"||", DVE_T_OR},
    {"&&", DVE_T_AND},        {"[]", DVE_T_BOX},
    {"<>", DVE_T_DIAMOND},    {0},
};

// A backslash at the end of a line.
static size_t continuation(const char *at, size_t left)
{
    size_t i = 1;
    while (i < left && (at[i] == ' ' || at[i] == '\t' || at[i] == '\r'))
        i++;
    return *at == '\\' && i < left && at[i] == '\n' ? i : 0;
}

const gy_lexicon dve_lexicon = {
    .language = "DVE",
    .words = words,
    .signs = signs,
    .characters = ".,;:{}[]()?!~=+-*/%|&^<>",
    .in_names = "$#",
    .skips = continuation,
};
