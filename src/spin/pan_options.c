#include "spin/pan_options.h"

#include "base/number.h"
#include "spin/pan_run.h"

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
    static const char *const words[] = {"-rhash",     "-hash",     "-t_reverse", "-p_permute",
                                        "-p_reverse", "-p_normal", "-permuted",  "-I",
                                        "-v",         "-X",        "-b",         "-z"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(option, words[i]) == 0)
            return true;
    unsigned long long number;
    if (strncmp(option, "-RS", 3) == 0)
        return number_of(option + 3, &number);
    if (strncmp(option, "-p_rotate", 9) == 0)
        return true;
    return strchr("mwhMGu", option[1]) && option[1] && number_of(option + 2, &number);
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
    case 'J':
        return &pan->inside_out;
    case 'd':
        return &pan->table;
    case 'D':
        return &pan->dot;
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

// -r, -C, -g, -S, -PN: the name of a trail may follow.
static bool take_replay(gy_pan *pan, int argc, char **argv, int *at)
{
    const char *rest = argv[*at] + 2;
    unsigned long long number = 0;
    bool numbered = number_of(rest, &number);
    if (*rest && !numbered)
        return false;
    pan->replay = true;
    switch (argv[*at][1]) {
    case 'r':
        pan->replay_number = number;
        break;
    case 'C':
        pan->columnated = true;
        break;
    case 'g':
        pan->with_values = true;
        break;
    case 'S':
        pan->silent = true;
        break;
    default:
        pan->only_process = (long long)number;
        break;
    }
    if (*at + 1 < argc && argv[*at + 1][0] != '-' && !pan->running)
        pan->replay_file = argv[++*at];
    return true;
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
        if (flag == &pan->every_trail)
            pan->stop_at = 0; // unless -cN follows
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
    case 'r':
    case 'C':
    case 'g':
    case 'S':
    case 'P':
        good = take_replay(pan, argc, argv, at);
        break;
    default:
        return GY_PAN_UNKNOWN;
    }
    return good ? GY_PAN_TAKEN : GY_PAN_UNKNOWN;
}

bool gy_pan_optimisation(gy_pan *pan, const char *option)
{
    if (option[1] != 'o' || option[2] < '1' || option[2] > '7' || option[3])
        return false;
    if (option[2] == '1')
        pan->keeps_dead = true;
    if (option[2] == '2')
        pan->keeps_unused = true;
    if (option[2] == '3')
        pan->no_merging = true;
    return true;
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
    if (strcmp(option, "-bit") == 0)
        return gy_pan_macro(pan, "BITSTATE");
    if (gy_pan_optimisation(pan, option) || option[1] == 'O') // how the verifier is compiled
        return GY_PAN_TAKEN;
    return GY_PAN_UNKNOWN;
}

static bool is_macro(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && (text[n] == '\0' || text[n] == '=');
}

static gy_pan_answer take_store(gy_pan *pan, const char *store, bool takes_hashes)
{
    pan->store = store;
    pan->takes_hashes = takes_hashes;
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
        return take_store(pan, "bitstate", true);
    if (is_macro(text, "COLLAPSE"))
        return take_store(pan, "tree", false);
    if (is_macro(text, "MA"))
        return take_store(pan, "automaton", false);
    if (is_macro(text, "HC") || is_macro(text, "HC0") || is_macro(text, "HC1") ||
        is_macro(text, "HC2") || is_macro(text, "HC3") || is_macro(text, "HC4"))
        return take_store(pan, "compact", false);
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
                   "saw option %.2s\n%s\nValid Options are:\n"
                   "\t-a  find acceptance cycles\n"
                   "\t-A  ignore assert() violations\n"
                   "\t-b  consider it an error to exceed the depth-limit\n"
                   "\t-cN stop at Nth error (defaults to -c1)\n"
                   "\t-D  print state tables in dot-format and stop\n"
                   "\t-d  print state tables and stop\n"
                   "\t-e  create trails for all errors\n"
                   "\t-E  ignore invalid end states\n"
                   "\t-f  add weak fairness (to -a or -l)\n"
                   "\t-hN use different hash-seed N:0..499 (defaults to -h0)\n"
                   "\t-hash generate a random hash-polynomial for -h0 (see also -rhash)\n"
                   "\t      using a seed set with -RSn (default 12345)\n"
                   "\t-i  search for shortest path to error\n"
                   "\t-I  like -i, but approximate and faster\n"
                   "\t-J  reverse eval order of nested unlesses\n",
                   saw, GY_SPIN_VERSION);
    gy_text_add(out,
                "\t-l  find non-progress cycles -> disabled, requires compilation with -DNP\n"
                "\t-mN max depth N steps (default=10k)\n"
                "\t-n  no listing of unreached states\n"
                "\t-QN set time-limit on execution of N minutes\n"
                "\t-q  require empty chans in valid end states\n"
                "\t-r  read and execute trail - can add -v,-n,-PN,-g,-C\n"
                "\t-r trailfilename  read and execute trail in file\n"
                "\t-rN read and execute N-th error trail\n"
                "\t-C  read and execute trail - columnated output (can add -v,-n)\n"
                "\t-r -PN read and execute trail - restrict trail output to proc N\n"
                "\t-g  read and execute trail + msc gui support\n"
                "\t-S  silent replay: only user defined printfs show\n"
                "\t-RSn use randomization seed n\n"
                "\t-rhash use random hash-polynomial and randomly choose -p_rotateN, -p_permute, "
                "or p_reverse\n"
                "\t-T  create trail files in read-only mode\n"
                "\t-t_reverse  reverse order in which transitions are explored\n"
                "\t-tsuf replace .trail with .suf on trailfiles\n"
                "\t-V  print SPIN version number\n"
                "\t-v  verbose -- filenames in unreached state listing\n"
                "\t-wN hashtable of 2^N entries (defaults to -w24)\n"
                "\t-x  do not overwrite an existing trail file\n"
                "\n\toptions -r, -C, -PN, -g, and -S can optionally be followed by\n"
                "\ta filename argument, as in '-r filename', naming the trailfile\n");
}
