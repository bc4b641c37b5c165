// Code for GPUs: who compiles it, and what is kept of it. The compilers here are
// small scripts in nvcc's place, which write down that they were called.
#include "device/cuda_compile.h"

#include "base/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gyre-test-cuda-XXXXXX";
static char compiler[200], calls[200];

// A compiler that ends with `end` (a line of shell) after it has copied its source.
static void have_compiler(const char *end)
{
    char text[600];
    snprintf(text, sizeof text,
             "#!/bin/sh\necho call >> %s\nwhile [ $# -gt 1 ]; do\n  [ \"$1\" = -o ] && out=$2\n"
             "  [ \"$1\" = model.cu ] && break\n  shift\ndone\n{ echo compiled; cat \"$1\"; } > "
             "\"$out\"\n%s\n",
             calls, end);
    unlink(compiler);
    assert_true(gy_write_whole(compiler, text, strlen(text), O_CREAT | O_EXCL));
    chmod(compiler, 0700);
}

static int called(void)
{
    size_t bytes = 0;
    char *text = gy_read_whole(calls, true, &bytes);
    free(text);
    unlink(calls);
    return (int)bytes / 5;
}

static void *compile(gy_cuda_build *build, const char *source)
{
    build->source = source;
    build->major = 9;
    build->minor = 0;
    return gy_cuda_compile(build);
}

static void is_compiled(const char *source, int times)
{
    gy_cuda_build build = {0};
    char *code = compile(&build, source);
    assert_non_null(code);
    assert_memory_equal(code, "compiled\n", 9);
    assert_memory_equal(code + 9, source, strlen(source));
    assert_int_equal(called(), times);
    assert_string_equal(build.made_by, times ? "nvcc" : "");
    free(code);
}

static int begin(void **unused)
{
    (void)unused;
    if (!mkdtemp(folder))
        return -1;
    snprintf(compiler, sizeof compiler, "%s/nvcc", folder);
    snprintf(calls, sizeof calls, "%s/calls", folder);
    setenv("GYRE_NVRTC", "", 1);
    setenv("GYRE_NVCC", compiler, 1);
    setenv("GYRE_CACHE", folder, 1);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void what_was_compiled_is_kept(void **unused)
{
    (void)unused;
    have_compiler("");
    is_compiled("one\n", 1);
    is_compiled("one\n", 0);
    is_compiled("two\n", 1);
    is_compiled("one\n", 0);
    gy_cuda_build other = {.source = "one\n", .major = 8, .minor = 6};
    free(gy_cuda_compile(&other));
    assert_int_equal(called(), 1); // another kind of device
    other = (gy_cuda_build){.source = "one\n", .major = 9, .hasty = true};
    free(gy_cuda_compile(&other));
    assert_int_equal(called(), 1); // compiled in another way
    have_compiler("# a newer one");
    is_compiled("one\n", 1);
    is_compiled("one\n", 0);
}

// The file of the cache that was written last, changed somewhere.
static void spoil(long at)
{
    char path[500] = "", name[400];
    struct stat info;
    time_t newest = 0;
    snprintf(name, sizeof name, "%s/device", folder);
    DIR *list = opendir(name);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        snprintf(name, sizeof name, "%s/device/%.250s", folder, entry->d_name);
        if (strstr(name, ".cubin") && stat(name, &info) == 0 && info.st_mtime >= newest) {
            newest = info.st_mtime;
            snprintf(path, sizeof path, "%s", name);
        }
    }
    closedir(list);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    int byte = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void a_spoilt_entry_is_not_used(void **unused)
{
    (void)unused;
    static const long places[] = {0, 12, 30, -1, -20, -50};
    char command[300];
    have_compiler("");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(command, sizeof command, "rm -r '%s/device'", folder);
        assert_int_equal(system(command), 0);
        is_compiled("some text of a model\n", 1);
        spoil(places[i]);
        is_compiled("some text of a model\n", 1);
    }
}

static void an_unsafe_folder_is_not_used(void **unused)
{
    (void)unused;
    char path[300];
    have_compiler("");
    is_compiled("safe\n", 1);
    snprintf(path, sizeof path, "%s/device", folder);
    chmod(path, 0777);
    is_compiled("safe\n", 1);
    chmod(path, 0700);
    is_compiled("safe\n", 0);
}

// An old nvcc knows no option for that.
static void a_quick_compilation_may_not_be_known(void **unused)
{
    (void)unused;
    gy_cuda_build build = {.hasty = true};
    have_compiler("[ $# = 1 ] || exit 1");
    char *code = compile(&build, "quick\n");
    assert_non_null(code);
    assert_int_equal(called(), 2);
    free(code);
}

static void failures_are_told(void **unused)
{
    (void)unused;
    gy_cuda_build build = {0};
    have_compiler("echo 'model.cu(3): error: no such thing'\nexit 1");
    assert_null(compile(&build, "wrong\n"));
    assert_string_equal(build.problem,
                        "the GPU compiler reports: model.cu(3): error: no such thing");
    assert_null(compile(&build, "wrong\n")); // and nothing is kept of it
    assert_int_equal(called(), 2);
    setenv("GYRE_NVCC", "", 1);
    assert_null(compile(&build, "wrong\n"));
    assert_non_null(strstr(build.problem, "libnvrtc.so) nor nvcc was found"));
    setenv("GYRE_NVCC", compiler, 1);
}

static bool give_up(void *of)
{
    ++*(int *)of;
    return true;
}

static void it_can_be_given_up(void **unused)
{
    (void)unused;
    int asked = 0;
    gy_cuda_build build = {.given_up = give_up, .of = &asked};
    have_compiler("sleep 1000");
    assert_null(compile(&build, "long\n"));
    assert_true(asked > 0);
    assert_string_equal(build.problem, "compiling for the GPU was cancelled");
    called();
}

// The real one, where it is: it needs no device.
static void nvrtc_compiles(void **unused)
{
    (void)unused;
    gy_cuda_build build = {0};
    unsetenv("GYRE_NVRTC");
    char *code = compile(&build, "extern \"C\" __global__ void f(int *x) { *x = 1; }\n");
    if (code && !strcmp(build.made_by, "NVRTC")) {
        assert_memory_equal(code, "\177ELF", 4);
        free(code);
        code = compile(&build, "extern \"C\" __global__ void f(int *x) { *x = 1; }\n");
        assert_non_null(code);
        assert_string_equal(build.made_by, "");
        assert_null(compile(&build, "nonsense\n"));
        assert_non_null(strstr(build.problem, "error"));
    }
    free(code);
    setenv("GYRE_NVRTC", "", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_compiled_is_kept),
        cmocka_unit_test(a_spoilt_entry_is_not_used),
        cmocka_unit_test(an_unsafe_folder_is_not_used),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(it_can_be_given_up),
        cmocka_unit_test(a_quick_compilation_may_not_be_known),
        cmocka_unit_test(nvrtc_compiles),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
