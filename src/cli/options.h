// The command line, parsed. The table of all options is options.def.
#ifndef GYRE_CLI_OPTIONS_H
#define GYRE_CLI_OPTIONS_H

#include "base/text.h"
#include "base/vec.h"
#include "verify/request.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GY_ON_VERIFY = 1,
    GY_ON_SIM = 2,
    GY_ON_REPLAY = 4,
    GY_ON_INFO = 8,
    GY_ON_LTL = 16,
    GY_ON_TEST = 32,
    GY_ON_SPIN = 64, // has options of its own (src/spin)
    GY_ON_STATS = 128,
    GY_ON_BEEM = 256,
    GY_ON_CONVERT = 512,
    GY_ON_HUNT = 1024,
    GY_ON_FORMAT = 2048,
    GY_ON_LSP = 4096,
    GY_ON_DAP = 8192,
    GY_ON_UI = 32768,
    GY_ON_SWARM = 16384,
    GY_ON_LAST = GY_ON_UI,
};

typedef enum {
#define OPTION(id, name, kind, argument, least, commands, group, help) GY_OPT_##id,
#include "cli/options.def"
    GY_OPT_COUNT
} gy_option_id;

typedef enum {
    GY_KIND_FLAG,
    GY_KIND_COUNT,
    GY_KIND_MAYBE,
    GY_KIND_SIZE,
    GY_KIND_SECONDS,
    GY_KIND_CHOICE,
    GY_KIND_CHOICES,
    GY_KIND_FILE,
    GY_KIND_TEXT,
    GY_KIND_LIST,
} gy_option_kind;

typedef enum {
    GY_GROUP_PROPERTIES,
    GY_GROUP_SEARCHING,
    GY_GROUP_HUNTING,
    GY_GROUP_SWARMING,
    GY_GROUP_SIMULATING,
    GY_GROUP_INSPECTING,
    GY_GROUP_FORMULAS,
    GY_GROUP_COMPARING,
    GY_GROUP_SERVING,
    GY_GROUP_READING,
    GY_GROUP_REPORTING,
    GY_GROUP_HIDDEN,
} gy_option_group;

typedef struct gy_option_info {
    const char *name;
    gy_option_kind kind;
    const char *argument;
    uint64_t least;
    unsigned commands;
    gy_option_group group;
    const char *help;
} gy_option_info;

extern const gy_option_info gy_option_table[GY_OPT_COUNT];

typedef struct gy_option_value {
    bool set;
    const char *text;
    uint64_t number; // COUNT, MAYBE, SIZE; CHOICE: which word; CHOICES: a bit for each word
    double seconds;
} gy_option_value;

// An option as it was given, for those that may be given several times.
typedef struct gy_given_option {
    gy_option_id id;
    const char *text; // NULL if it takes no argument
} gy_given_option;

typedef struct gy_arguments {
    double started;   // on gy_clock
    unsigned command; // one of GY_ON_…
    const char *files[2];
    unsigned file_count;
    GY_VEC(const char *) paths; // gyre test, gyre MODEL...: all of them
    gy_option_value value[GY_OPT_COUNT];
    GY_VEC(gy_given_option) given; // all of them, in order
    const char *input;             // what came from standard input: the model called input_name
    const char *input_name;        // GY_STDIN, or the argument of --stdin-name
    size_t input_bytes;
    // Called with the request of a verification before it begins, or NULL.
    void (*prepare)(void *user, gy_request *request);
    void *prepare_user;
} gy_arguments;

// What `-` is called where a model is meant.
#define GY_STDIN "<stdin>"

// False: the command line is wrong; *problem says why, in one or two lines without "gyre:".
// Strings in the result point into argv. Free the list with gy_arguments_free.
bool gy_arguments_parse(gy_arguments *arguments, int argc, char **argv, gy_text *problem);
// What is read must not be written over: a slip of the hand would cost the model. False: an option
// names `file`, called `what` in *problem, to write to. Parsing does this for the files named on
// the command line; who reads others (included ones) asks for them.
bool gy_arguments_spare(const gy_arguments *arguments, const char *file, const char *what,
                        gy_text *problem);
void gy_arguments_free(gy_arguments *arguments);
bool gy_given(const gy_arguments *arguments, gy_option_id option);

// What an option takes: "N", "a|b|c".
void gy_option_argument(const gy_option_info *info, gy_text *out);
const char *gy_command_text(unsigned command); // "gyre sim"
bool gy_takes_nothing(unsigned command);       // but options: models come from an editor

#endif
