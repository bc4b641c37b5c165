// gyre ui [MODEL|DIR]
#include "cli/command.h"
#include "serve/ui/folder.h"
#include "serve/ui/http.h"

#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_JOBS = 2, DEFAULT_SECONDS = 3600 };

// The directory, and the model in it that is shown first (NULL: none): both to be freed. False: see
// errno.
static bool find(const char *path, char **folder, char **model)
{
    struct stat info;
    *model = NULL;
    *folder = realpath(path, NULL);
    if (!*folder || stat(*folder, &info) != 0)
        return false;
    if (S_ISDIR(info.st_mode))
        return true;
    char *file = *folder;
    *model = strdup(gy_ui_directory_base(file));
    *folder = strdup(dirname(file));
    free(file);
    return true;
}

// Half of what the computer has: for all verifications together.
static uint64_t default_memory(unsigned jobs)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    uint64_t all = pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : (uint64_t)2 << 30;
    return all / 2 / jobs;
}

static void print_address(const gy_http *http, const char *folder)
{
    gy_text out = {0};
    gy_text_printf(&out, "%s\nserving %s; Ctrl-C ends it\n", gy_http_address(http), folder);
    gy_put(&out);
    gy_text_free(&out);
}

// Until the user ends it. The signals are blocked in all threads, so that one comes out here.
static void serve(const gy_arguments *arguments, gy_http *http, const sigset_t *signals,
                  const char *folder)
{
    int which;
    (void)arguments;
    print_address(http, folder);
    sigwait(signals, &which);
    pthread_sigmask(SIG_UNBLOCK, signals, NULL); // a second one ends it at once
    gy_http_stop(http);
}

int gy_command_ui(const gy_arguments *arguments)
{
    const char *path = arguments->file_count ? arguments->files[0] : ".";
    char *folder = NULL, *model = NULL;
    gy_text problem = {0};
    sigset_t signals;
    int status = GY_EXIT_HOLDS;
    uint64_t port = arguments->value[GY_OPT_PORT].number;
    uint64_t jobs = gy_given(arguments, GY_OPT_JOBS) ? arguments->value[GY_OPT_JOBS].number : 0;
    jobs = jobs ? jobs : DEFAULT_JOBS;
    if (port > 65535)
        return gy_complain(arguments, "--port %llu: at most 65535", (unsigned long long)port);
    if (jobs > 64)
        return gy_complain(arguments, "--jobs: 64 at most");
    if (!find(path, &folder, &model)) {
        free(folder);
        return gy_complain(arguments, "cannot open %s: %s", path, strerror(errno));
    }
    gy_ui_api_options options = {
        .folder = folder,
        .model = model,
        .allow_c = gy_given(arguments, GY_OPT_ALLOW_C),
        .most_jobs = (unsigned)jobs,
        .most_seconds = gy_given(arguments, GY_OPT_TIME) ? arguments->value[GY_OPT_TIME].seconds
                                                         : DEFAULT_SECONDS,
        .most_memory = gy_given(arguments, GY_OPT_MEMORY) ? arguments->value[GY_OPT_MEMORY].number
                                                          : default_memory((unsigned)jobs),
    };
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    gy_http *http = NULL;
    if (model && !gy_ui_directory_is_model(model))
        status = gy_complain(arguments, "%s is not a model that can be edited here", path);
    else if (!(http = gy_http_start(&options, (unsigned)port, &problem)))
        status = gy_complain(arguments, "%s", gy_text_str(&problem));
    else
        serve(arguments, http, &signals, folder);
    gy_text_free(&problem);
    free(folder);
    free(model);
    return status;
}
