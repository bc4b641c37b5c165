// Finds out what was asked of Spin, and does it.
#include "spin/spin.h"

#include "cli/command.h"
#include "spin/pan_replay.h"
#include "spin/pan_run.h"
#include "spin/pan_source.h"
#include "spin/pan_table.h"
#include "spin/spin_simulate.h"

#include <errno.h>
#include <stdio.h>

typedef enum { SIMULATE, GENERATE, VERIFY, VERSION } spin_job;

typedef struct spin_line {
    spin_job job;
    gy_pan pan;
    gy_simulation simulation;
    const char *formula_file;
    char *formula_text;          // what is in that file
    bool optimises;              // -o1 …
    GY_VEC(const char *) passed; // -D, -I and -o, as they were given: for pan.c
} spin_line;

static int say(const char *format, const char *text)
{
    printf(format, text);
    return 1;
}

static int refuse(const char *option)
{
    return say("spin: option %s is not supported by gyre spin (see docs/spin.md)\n", option);
}

// Spin answers an option that it does not know with its usage.
static int unknown(const char *option)
{
    printf("spin: unknown option %s\n", option);
    fputs("use: spin [-option] ... [-option] file\n"
          "\tNote: file must always be the last argument\n"
          "\t-a generate a verifier in pan.c\n"
          "\t-B no final state details in simulations\n"
          "\t-b don't execute printfs in simulation\n"
          "\t-c columnated -s -r simulation output\n"
          "\t-Dyyy pass -Dyyy to the preprocessor\n"
          "\t-Eyyy pass yyy to the preprocessor\n"
          "\t-f \"..formula..\"  translate LTL into never claim\n"
          "\t-F file  like -f, but with the LTL formula stored in a 1-line file\n"
          "\t-g print all global variables\n"
          "\t-h at end of run, print value of seed for random nr generator used\n"
          "\t-i interactive (random simulation)\n"
          "\t-J reverse eval order of nested unlesses\n"
          "\t-jN skip the first N steps in simulation trail\n"
          "\t-k fname use the trailfile stored in file fname, see also -t\n"
          "\t-l print all local variables\n"
          "\t-M generate msc-flow in tcl/tk format\n"
          "\t-m lose msgs sent to full queues\n"
          "\t-N fname use never claim stored in file fname\n"
          "\t-nN seed for random nr generator\n"
          "\t-o1 .. -o6 optimizations of the verifier\n"
          "\t-p print all statements\n"
          "\t-qN suppress io for queue N in printouts\n"
          "\t-r print receive events\n"
          "\t-replay  replay an error trail-file found earlier\n"
          "\t-run  (or -search) generate a verifier, and compile and run it\n"
          "\t-s print send events\n"
          "\t-T do not indent printf output\n"
          "\t-t[N] follow [Nth] simulation trail, see also -k\n"
          "\t-Uyyy pass -Uyyy to the preprocessor\n"
          "\t-uN stop a simulation run after N steps\n"
          "\t-v verbose, more warnings\n"
          "\t-w very verbose (when combined with -l or -g)\n"
          "\t-X reserved for use by the graphical interfaces\n"
          "\t-V print version number and exit\n",
          stdout);
    return 1;
}

static bool needs_value(const char *option)
{
    return option[2] == '\0' && option[1] && strchr("kfFN", option[1]);
}

static void take_value(spin_line *line, char letter, const char *value)
{
    switch (letter) {
    case 'k':
        line->simulation.trail = value;
        line->simulation.sim.guided = true;
        break;
    case 'N':
        line->pan.never_file = value;
        break;
    case 'f':
        line->pan.formula = value;
        break;
    default:
        line->formula_file = value;
        break;
    }
}

// -Dname, -Idir, -Uname, and the same after -E.
static bool take_for_preprocessor(spin_line *line, const char *option)
{
    if (option[1] == 'E') // other arguments of a preprocessor are of no effect
        return strncmp(option + 2, "-D", 2) == 0 || strncmp(option + 2, "-I", 2) == 0
                   ? take_for_preprocessor(line, option + 2)
                   : true;
    if (option[1] == 'P' || option[1] == 'U')
        return option[2] != '\0';
    if ((option[1] != 'D' && option[1] != 'I') || !option[2])
        return false;
    gy_vec_push(&line->passed, option);
    if (option[1] == 'D')
        gy_vec_push(&line->pan.defines, option + 2);
    else
        gy_vec_push(&line->pan.includes, option + 2);
    return true;
}

// An option before -run. -1: taken; else the exit status.
static int take_option(spin_line *line, const char *option)
{
    if (strcmp(option, "-a") == 0) {
        line->job = GENERATE;
        return -1;
    }
    if (strcmp(option, "-V") == 0) {
        line->job = VERSION;
        return -1;
    }
    if (strcmp(option, "-m") == 0) {
        line->pan.lossy = true;
        return -1;
    }
    if (strcmp(option, "-replay") == 0) {
        line->simulation.sim.guided = true;
        return -1;
    }
    if (gy_pan_optimisation(&line->pan, option)) {
        line->optimises = true;
        gy_vec_push(&line->passed, option);
        return -1;
    }
    if (take_for_preprocessor(line, option) || option[1] == 'O' || strcmp(option, "-Y") == 0 ||
        strcmp(option, "-simulate") == 0 || gy_simulation_option(&line->simulation, option))
        return -1;
    return option[1] && strchr("ACdeILSWxZ", option[1]) ? refuse(option) : unknown(option);
}

static int take_pan_option(spin_line *line, int argc, char **argv, int *at)
{
    const char *option = argv[*at];
    gy_pan_answer answer = gy_pan_run_option(&line->pan, argc, argv, at);
    if (answer == GY_PAN_UNKNOWN)
        answer = gy_pan_option(&line->pan, argc, argv, at);
    gy_text usage = {0};
    switch (answer) {
    case GY_PAN_TAKEN:
        return -1;
    case GY_PAN_VERSION:
        line->job = VERSION;
        return -1;
    case GY_PAN_REFUSED:
        return refuse(option);
    case GY_PAN_UNKNOWN:
        break;
    }
    gy_pan_usage(option, &usage);
    gy_put(&usage);
    gy_text_free(&usage);
    return 1;
}

static int parse(spin_line *line, int argc, char **argv)
{
    for (int at = 1; at < argc; at++) {
        const char *option = argv[at];
        int status = -1;
        if (option[0] != '-' || !option[1]) {
            if (line->pan.model)
                return say("spin: error, more than one model: %s\n", option);
            line->pan.model = option;
        } else if (strcmp(option, "-run") == 0 || strcmp(option, "-search") == 0) {
            line->job = VERIFY;
            line->pan.running = true;
        } else if (line->job == VERIFY) {
            status = take_pan_option(line, argc, argv, &at);
        } else if (needs_value(option)) {
            if (at + 1 >= argc)
                return say("spin: option %s needs an argument\n", option);
            take_value(line, option[1], argv[++at]);
        } else {
            status = take_option(line, option);
        }
        if (status >= 0)
            return status;
    }
    return -1;
}

// What pan, compiled with or without these macros, would not do.
static int check_pan(const gy_pan *pan)
{
    if (pan->running)
        return -1; // Spin compiles it as it needs it
    if (pan->safety && (pan->acceptance || pan->non_progress || pan->fair)) {
        puts("pan: -a, -l and -f are disabled by -DSAFETY");
        return 1;
    }
    if (pan->non_progress && !pan->np) {
        puts("pan: -l requires compilation with -DNP");
        return 1;
    }
    return -1;
}

// -F: the formula is the first line of a file. False: it cannot be read.
static bool read_formula(spin_line *line)
{
    size_t bytes;
    char *text = gy_read_file(line->formula_file, GY_NAMED, &bytes);
    if (!text)
        return false;
    line->formula_text = memcpy(gy_alloc_zero(bytes + 1), text, bytes);
    free(text);
    line->formula_text[strcspn(line->formula_text, "\r\n")] = '\0';
    line->pan.formula = line->formula_text;
    return true;
}

// A formula as a never claim: gyre ltl prints one.
static int translate(const char *formula)
{
    char *argv[] = {"gyre", "ltl", "--never", "--", (char *)formula, NULL};
    gy_arguments arguments;
    gy_text problem = {0};
    int status = gy_arguments_parse(&arguments, 5, argv, &problem) ? gy_command_ltl(&arguments) : 1;
    gy_arguments_free(&arguments);
    gy_text_free(&problem);
    return status ? 1 : 0;
}

static int perform(spin_line *line, const char *program)
{
    if (line->job == VERSION) {
        puts(GY_SPIN_VERSION);
        return 0;
    }
    if (line->formula_file && !read_formula(line))
        return say("spin: cannot open %s\n", line->formula_file);
    if (line->pan.formula && !line->pan.model)
        return translate(line->pan.formula);
    if (!line->pan.model) {
        puts(GY_SPIN_VERSION);
        fputs("spin: error, no filename specified\n", stderr);
        return 1;
    }
    if (line->optimises && line->job == SIMULATE)
        puts("spin: warning -o[1..5] option ignored in simulations");
    switch (line->job) {
    case GENERATE:
        return gy_pan_generate(&line->pan, line->passed.at, line->passed.n, program);
    case VERIFY: {
        if (line->pan.table || line->pan.dot)
            return gy_pan_table(&line->pan, line->pan.dot);
        if (line->pan.replay)
            return gy_pan_replay(&line->pan);
        int status = check_pan(&line->pan);
        return status >= 0 ? status : gy_pan_verify(&line->pan);
    }
    default:
        return gy_simulation_run(&line->pan, &line->simulation);
    }
}

// gyre spin --pan MODEL [-Dname …] -- [options]: what pan.c calls.
static int run_as_pan(spin_line *line, int argc, char **argv)
{
    int at = 3;
    line->job = VERIFY;
    if (argc < 3)
        return 1;
    line->pan.model = argv[2];
    for (; at < argc && strcmp(argv[at], "--") != 0; at++)
        if (strcmp(argv[at], "-m") == 0)
            line->pan.lossy = true;
        else if (strcmp(argv[at], "-never") == 0 && at + 1 < argc)
            line->pan.never_file = argv[++at];
        else if (strcmp(argv[at], "-formula") == 0 && at + 1 < argc)
            line->pan.formula = argv[++at];
        else if (gy_pan_run_option(&line->pan, argc, argv, &at) != GY_PAN_TAKEN)
            return refuse(argv[at]);
    for (at++; at < argc; at++) {
        gy_pan_answer answer = gy_pan_option(&line->pan, argc, argv, &at);
        if (answer == GY_PAN_VERSION) {
            line->job = VERSION;
        } else if (answer == GY_PAN_REFUSED) {
            return say("pan: option %s is not supported by gyre (see docs/spin.md)\n", argv[at]);
        } else if (answer == GY_PAN_UNKNOWN) {
            gy_text usage = {0};
            gy_pan_usage(at < argc ? argv[at] : argv[argc - 1], &usage);
            gy_put(&usage);
            gy_text_free(&usage);
            return 1;
        }
    }
    return -1;
}

int gy_command_spin(int argc, char **argv)
{
    gy_output_exact();
    spin_line line = {.pan = {.stop_at = 1, .only_process = -1}};
    bool pan = argc > 1 && strcmp(argv[1], "--pan") == 0;
    int status = pan ? run_as_pan(&line, argc, argv) : parse(&line, argc, argv);
    if (status < 0)
        status = perform(&line, argv[0]);
    gy_pan_free(&line.pan);
    gy_simulation_free(&line.simulation);
    gy_vec_free(&line.passed);
    free(line.formula_text);
    return status;
}
