#include "cli/spin/pan_options.h"

#include "base/number.h"

#include <string.h>

static bool number_of(const char *text, unsigned long long *value)
{
    uint64_t number;
    if (!gy_number_count(text, &number))
        return false;
    *value = number;
    return true;
}

// Those that only tune pan's tables, or the order of its search: -m10000, -w24, -h3, -RS5 …
static bool only_tunes(const char *option)
{
    static const char *const words[] = {
        "-rhash", "-hash", "-t_reverse", "-p_permute", "-p_reverse", "-p_normal", "-I", "-v", "-X"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(option, words[i]) == 0)
            return true;
    unsigned long long number;
    if (strncmp(option, "-RS", 3) == 0)
        return number_of(option + 3, &number);
    if (strncmp(option, "-p_rotate", 9) == 0)
        return true;
    return strchr("mwhMG", option[1]) && option[1] && number_of(option + 2, &number);
}

static bool *flag_of(gy_pan *pan, char letter)
{
    switch (letter) {
    case 'a':
        return &pan->acceptance;
    case 'f':
        return &pan->fair;
    case 'l':
        return &pan->non_progress;
    case 'A':
        return &pan->no_assert;
    case 'E':
        return &pan->no_end_states;
    case 'q':
        return &pan->empty_ends;
    case 'n':
        return &pan->no_unreached;
    case 'e':
        return &pan->every_trail;
    case 'i':
        return &pan->shortest;
    case 'x':
        return &pan->keep_trail;
    case 'T':
        return &pan->read_only;
    default:
        return NULL;
    }
}

static gy_pan_answer take_claim(gy_pan *pan, const char *glued, int argc, char **argv, int *at)
{
    if (!*glued && *at + 1 >= argc)
        return GY_PAN_UNKNOWN;
    pan->claim = *glued ? glued : argv[++*at];
    return GY_PAN_TAKEN;
}

gy_pan_answer gy_pan_option(gy_pan *pan, int argc, char **argv, int *at)
{
    const char *option = argv[*at], *rest = option + 2;
    bool good;
    if (option[0] != '-' || !option[1])
        return GY_PAN_UNKNOWN;
    if (only_tunes(option))
        return GY_PAN_TAKEN;
    bool *flag = *rest ? NULL : flag_of(pan, option[1]);
    if (flag) {
        *flag = true;
        return GY_PAN_TAKEN;
    }
    switch (option[1]) {
    case 'c':
        good = number_of(rest, &pan->stop_at);
        break;
    case 'k':
        good = number_of(rest, &pan->hashes) && pan->hashes > 0;
        break;
    case 'Q':
        good = number_of(rest, &pan->minutes);
        break;
    case 'N':
        return take_claim(pan, rest, argc, argv, at);
    case 't':
        pan->suffix = rest;
        good = *rest != '\0' && !strchr(rest, '/');
        break;
    case 'V':
        return GY_PAN_VERSION;
    default:
        return strchr("bCDdgJPrSsuz", option[1]) ? GY_PAN_REFUSED : GY_PAN_UNKNOWN;
    }
    return good ? GY_PAN_TAKEN : GY_PAN_UNKNOWN;
}

gy_pan_answer gy_pan_run_option(gy_pan *pan, int argc, char **argv, int *at)
{
    static const struct {
        const char *name, *macro;
    } words[] = {{"-safety", "SAFETY"},
                 {"-bfs", "BFS"},
                 {"-bitstate", "BITSTATE"},
                 {"-collapse", "COLLAPSE"},
                 {"-hc", "HC4"},
                 {"-noclaim", "NOCLAIM"},
                 {"-noreduce", "NOREDUCE"},
                 {"-np", "NP"},
                 {"-bfspar", "BFS_PAR"},
                 {"-dfspar", "NCORE"},
                 {"-ma", "MA"},
                 {"-bcs", "BCS"},
                 {"-swarm", "SWARM"},
                 {"-biterate", "BITERATE"},
                 {"-link", "LINK"}};
    const char *option = argv[*at];
    if (strcmp(option, "-run") == 0 || strcmp(option, "-search") == 0)
        return GY_PAN_TAKEN;
    if (strcmp(option, "-ltl") == 0)
        return take_claim(pan, "", argc, argv, at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(option, words[i].name) == 0)
            return gy_pan_macro(pan, words[i].macro);
    if (option[1] == 'D' && option[2]) {
        gy_pan_answer answer = gy_pan_macro(pan, option + 2);
        if (answer == GY_PAN_UNKNOWN)
            gy_vec_push(&pan->defines, option + 2);
        return answer == GY_PAN_REFUSED ? answer : GY_PAN_TAKEN;
    }
    if (option[1] == 'I' && option[2]) {
        gy_vec_push(&pan->includes, option + 2);
        return GY_PAN_TAKEN;
    }
    // How Spin optimises, and how its verifier is compiled: of no matter here.
    if ((option[1] == 'o' || option[1] == 'O') && strspn(option + 2, "0123456789"))
        return GY_PAN_TAKEN;
    return GY_PAN_UNKNOWN;
}

static bool is_macro(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && (text[n] == '\0' || text[n] == '=');
}

static gy_pan_answer take_store(gy_pan *pan, const char *store)
{
    pan->store = store;
    return GY_PAN_TAKEN;
}

gy_pan_answer gy_pan_macro(gy_pan *pan, const char *text)
{
    static const char *const none[] = {"VECTORSZ", "NFAIR",  "REACH",  "NOFAIR", "NCORE",
                                       "BFS_PAR",  "MEMCNT", "PRINTF", "SPACE",  "NOBOUNDCHECK"};
    static const char *const refused[] = {"BCS", "SWARM", "BITERATE", "LINK", "NOSTUTTER"};
    const char *value = strchr(text, '=');
    struct {
        const char *name;
        bool *flag;
    } flags[] = {{"SAFETY", &pan->safety},         {"NP", &pan->np},
                 {"NOREDUCE", &pan->no_reduction}, {"NOCLAIM", &pan->no_claim},
                 {"BFS", &pan->breadth_first},     {"XUSAFE", &pan->unchecked_exclusive}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is_macro(text, refused[i]))
            return GY_PAN_REFUSED;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (is_macro(text, flags[i].name)) {
            *flags[i].flag = true;
            return GY_PAN_TAKEN;
        }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (is_macro(text, none[i]))
            return GY_PAN_TAKEN;
    if (is_macro(text, "BITSTATE"))
        return take_store(pan, "bitstate");
    if (is_macro(text, "COLLAPSE"))
        return take_store(pan, "tree");
    if (is_macro(text, "MA"))
        return take_store(pan, "automaton");
    if (is_macro(text, "HC") || is_macro(text, "HC0") || is_macro(text, "HC1") ||
        is_macro(text, "HC2") || is_macro(text, "HC3") || is_macro(text, "HC4"))
        return take_store(pan, "compact");
    if (is_macro(text, "MEMLIM") && value)
        return number_of(value + 1, &pan->megabytes) ? GY_PAN_TAKEN : GY_PAN_REFUSED;
    return GY_PAN_UNKNOWN;
}

void gy_pan_free(gy_pan *pan)
{
    gy_vec_free(&pan->defines);
    gy_vec_free(&pan->includes);
}

void gy_pan_usage(const char *saw, gy_text *out)
{
    gy_text_printf(out,
                   "saw option %.2s\n"
                   "Valid Options are:\n"
                   "\t-a  find acceptance cycles\n"
                   "\t-A  ignore assert() violations\n"
                   "\t-cN stop at Nth error (defaults to -c1)\n"
                   "\t-e  create trails for all errors\n"
                   "\t-E  ignore invalid end states\n"
                   "\t-f  add weak fairness (to -a or -l)\n"
                   "\t-i  search for shortest path to error\n"
                   "\t-I  like -i (an error is shortened anyway)\n"
                   "\t-kN with -DBITSTATE: N hash functions\n"
                   "\t-l  find non-progress cycles (requires compilation with -DNP)\n"
                   "\t-N cn -- use the claim named cn\n"
                   "\t-n  no listing of unreached states\n"
                   "\t-QN set time-limit on execution of N minutes\n"
                   "\t-q  require empty chans in valid end states\n"
                   "\t-T  create trail files in read-only mode\n"
                   "\t-tsuf replace .trail with .suf on trailfiles\n"
                   "\t-V  print the version\n"
                   "\t-x  do not overwrite an existing trail file\n"
                   "\t-mN -wN -hN -v -hash -rhash -RSn: taken, and of no effect\n",
                   saw);
}
