// Finds out what was asked of Spin, and does it.
#include "cli/spin/spin.h"

#include "cli/command.h"
#include "cli/spin/pan_run.h"
#include "cli/spin/pan_source.h"
#include "cli/spin/spin_simulate.h"

#include <errno.h>
#include <stdio.h>

typedef enum { SIMULATE, GENERATE, VERIFY, FORMULA, VERSION } spin_job;

typedef struct spin_line {
    spin_job job;
    gy_pan pan;
    gy_simulation simulation;
    const char *formula, *formula_file;
    GY_VEC(const char *) passed; // -D and -I, as they were given: for pan.c
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
          "\t-a  generate a verifier in pan.c\n"
          "\t-run, -search [options of pan]  verify at once\n"
          "\t-t[N] [-k FILE]  follow a trail\n"
          "\t-p -g -l -r -s -b -B -T  what a simulation prints: statements, globals, locals,\n"
          "\t    receives, sends, no printf, no final state, no indentation\n"
          "\t-nN seed   -uN at most N steps   -m full channels lose messages\n"
          "\t-f FORMULA, -F FILE  a formula as a never claim\n"
          "\t-Dname[=value] -Idir  for the preprocessor   -oN -E… are of no effect\n"
          "\t-V  the version\n",
          stdout);
    return 1;
}

static bool needs_value(const char *option)
{
    return strcmp(option, "-k") == 0 || strcmp(option, "-f") == 0 || strcmp(option, "-F") == 0;
}

static bool take_value(spin_line *line, char letter, const char *value)
{
    switch (letter) {
    case 'k':
        line->simulation.trail = value;
        line->simulation.sim.guided = true;
        return true;
    case 'f':
        line->formula = value;
        line->job = FORMULA;
        return true;
    case 'F':
        line->formula_file = value;
        line->job = FORMULA;
        return true;
    default:
        return false;
    }
}

// An option in front of -run. -1: taken; else the exit status.
static int take_option(spin_line *line, const char *option)
{
    const char *rest = option + 2;
    if (strcmp(option, "-a") == 0) {
        line->job = GENERATE;
        return -1;
    }
    if (strcmp(option, "-V") == 0) {
        line->job = VERSION;
        return -1;
    }
    if ((option[1] == 'D' || option[1] == 'I') && *rest) {
        gy_vec_push(&line->passed, option);
        if (option[1] == 'D')
            gy_vec_push(&line->pan.defines, rest);
        else
            gy_vec_push(&line->pan.includes, rest);
        return -1;
    }
    if (strcmp(option, "-m") == 0) {
        line->pan.lossy = true;
        return -1;
    }
    // How Spin optimises, and arguments of a preprocessor that is not run.
    if ((option[1] == 'o' && *rest >= '1' && *rest <= '6' && !rest[1]) || option[1] == 'O')
        return -1;
    if (gy_simulation_option(&line->simulation, option))
        return -1;
    return strchr("ABCcdEeHhIijJLMNPqSUWwXxyYZ", option[1]) && option[1] ? refuse(option)
                                                                         : unknown(option);
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

// A formula as a never claim: gyre ltl prints one.
static int translate(const spin_line *line)
{
    char *text = NULL;
    size_t bytes = 0;
    if (line->formula_file) {
        char *read = gy_read_file(line->formula_file, &bytes);
        if (!read)
            return say("spin: cannot open %s\n", line->formula_file);
        text = memcpy(gy_alloc_zero(bytes + 1), read, bytes);
        free(read);
        text[strcspn(text, "\r\n")] = '\0';
    }
    char *argv[] = {"gyre", "ltl", "--never", "--", text ? text : (char *)line->formula, NULL};
    gy_arguments arguments;
    gy_text problem = {0};
    int status = gy_arguments_parse(&arguments, 5, argv, &problem) ? gy_command_ltl(&arguments) : 1;
    gy_arguments_free(&arguments);
    gy_text_free(&problem);
    free(text);
    return status ? 1 : 0;
}

static int perform(spin_line *line, const char *program)
{
    if (line->job == VERSION) {
        puts(GY_SPIN_VERSION);
        return 0;
    }
    if (line->job == FORMULA)
        return translate(line);
    if (!line->pan.model)
        return say("spin: error, no filename specified\n%s\n", GY_SPIN_VERSION);
    switch (line->job) {
    case GENERATE:
        return gy_pan_generate(&line->pan, line->passed.at, line->passed.n, program);
    case VERIFY: {
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
    spin_line line = {.pan = {.stop_at = 1}};
    bool pan = argc > 1 && strcmp(argv[1], "--pan") == 0;
    int status = pan ? run_as_pan(&line, argc, argv) : parse(&line, argc, argv);
    if (status < 0)
        status = perform(&line, argv[0]);
    gy_pan_free(&line.pan);
    gy_simulation_free(&line.simulation);
    gy_vec_free(&line.passed);
    return status;
}
