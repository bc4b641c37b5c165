// The cache of compiled C: it never serves the code of another model, never touches what is not
// its own, and is not used where others could put something into it.
#include "base/vec.h"
#include "exec/native/native.h"
#include "load/load.h"

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

static char root[] = "/tmp/gyre-test-cache-XXXXXX";

static char *path_in(const char *name)
{
    static char path[4][256];
    static int next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", root, name);
    return to;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static uint32_t count_files(const char *folder, const char *ending)
{
    uint32_t n = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        n += length > tail && !strcmp(entry->d_name + length - tail, ending);
    }
    if (dir)
        closedir(dir);
    return n;
}

typedef GY_VEC(gy_word) word_list;

static int take_state(void *user, const gy_transition *transition)
{
    word_list *state = user;
    state->n = 0;
    for (uint32_t i = 0; i < transition->words; i++)
        gy_vec_push(state, transition->state[i]);
    return 0;
}

// Runs the first step of a model and examines x.
static int32_t x_after(gy_system *system)
{
    word_list state = {0};
    gy_worker *worker = gy_worker_new(system);
    gy_initial(worker, take_state, &state);
    word_list next = {0};
    gy_successors(worker, state.at, (uint32_t)state.n, take_state, &next);
    int32_t x = -1;
    char *text = gy_state_text(worker, next.at, (uint32_t)next.n);
    const char *at = strstr(text, "x = ");
    assert_non_null(at);
    sscanf(at, "x = %d", &x);
    free(text);
    gy_vec_free(&state);
    gy_vec_free(&next);
    gy_worker_free(worker);
    return x;
}

static int32_t run(const char *text)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test.pml", text, strlen(text), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    gy_native_options options = {.mode = GY_NATIVE_OFF, .cache_dir = root};
    char *problem = NULL;
    gy_system *system = gy_system_native(model, true, NULL, &options, &problem);
    if (!system)
        fail_msg("%s", problem);
    int32_t x = x_after(system);
    gy_system_free(system);
    return x;
}

static int make_root(void **unused)
{
    (void)unused;
    strcpy(root, "/tmp/gyre-test-cache-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **unused)
{
    (void)unused;
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

// Two models that differ in a line that begins with // but is none of a comment.
static void lines_that_look_like_comments(void **unused)
{
    (void)unused;
    assert_int_equal(run("byte x; active proctype P() { c_code { int k = 1; /*\n"
                         "// */ k = 2; /*\n*/ now.x = k; } }"),
                     2);
    assert_int_equal(run("byte x; active proctype P() { c_code { int k = 1; /*\n"
                         "// */ k = 3; /*\n*/ now.x = k; } }"),
                     3);
    assert_int_equal(run("byte x; active proctype P() { c_code { now.x = sizeof(\"\\\n"
                         "//one\"); } }"),
                     6);
    assert_int_equal(run("byte x; active proctype P() { c_code { now.x = sizeof(\"\\\n"
                         "//three\"); } }"),
                     8);
}

// The same model, and another header.
static void included_files(void **unused)
{
    (void)unused;
    char model[400], inner[300];
    char *outer_path = path_in("outer file.h"), *inner_path = path_in("inner.h");
    snprintf(inner, sizeof inner, "#include \"%s\"\n", inner_path);
    write_text(outer_path, inner);
    snprintf(model, sizeof model,
             "c_decl { \\#include \"%s\"\n }; byte x; "
             "active proctype P() { c_code { now.x = VALUE; } }",
             outer_path);
    write_text(inner_path, "#define VALUE 5\n");
    usleep(300000); // files that changed just now are not relied on
    assert_int_equal(run(model), 5);
    uint32_t kept = count_files(path_in("native"), ".so");
    write_text(inner_path, "#define VALUE 6\n");
    assert_int_equal(run(model), 6);
    assert_int_equal(kept, 1); // it is kept, nevertheless
    usleep(300000);
    assert_int_equal(run(model), 6);
    assert_int_equal(count_files(path_in("native"), ".so"), 1);
    // What is asked of the file system besides is not in the compiler's list.
    snprintf(model, sizeof model,
             "c_decl {\n\\#if __has_include(\"%s\")\n\\#define VALUE 8\n\\#else\n"
             "\\#define VALUE 7\n\\#endif\n}; byte x; "
             "active proctype P() { c_code { now.x = VALUE; } }",
             path_in("late.h"));
    assert_int_equal(run(model), 7);
    write_text(path_in("late.h"), "");
    assert_int_equal(run(model), 8);
}

static void make_old(const char *path)
{
    struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

// Whatever is not of our own making survives, however old and however many.
static void foreign_files(void **unused)
{
    (void)unused;
    static const char *const folders[] = {
        "tmp-abcdef",       "tmp-mine",           "native",
        "native/tmp-notes", "native/tmp-ABC123x", "native/tmp-abc123"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char inside[100];
        mkdir(path_in(folders[i]), 0700);
        snprintf(inside, sizeof inside, "%s/precious", folders[i]);
        write_text(path_in(inside), "mine");
    }
    char name[100];
    for (int i = 0; i < 350; i++) {
        snprintf(name, sizeof name, i % 2 ? "libmine%d.so" : "native/libmine%d.so.bak", i);
        write_text(path_in(name), "mine");
        make_old(path_in(name));
    }
    // The name is ours, what it names is not.
    snprintf(name, sizeof name, "native/%032d.so", 0);
    mkdir(path_in("elsewhere"), 0700);
    write_text(path_in("elsewhere/model.c"), "mine");
    assert_int_equal(symlink(path_in("elsewhere/model.c"), path_in(name)), 0);
    assert_int_equal(symlink(path_in("elsewhere"), path_in("native/tmp-symbol")), 0);
    make_old(path_in("native/tmp-symbol"));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        make_old(path_in(folders[i]));
    assert_int_equal(run("byte x; active proctype P() { c_code { int y = 3; now.x = y; } }"), 3);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char inside[100];
        snprintf(inside, sizeof inside, "%s/precious", folders[i]);
        assert_true(exists(path_in(inside)));
    }
    assert_true(exists(path_in("elsewhere/model.c")) && exists(path_in("native/tmp-symbol")));
    assert_int_equal(count_files(root, ".so"), 175);
    assert_int_equal(count_files(path_in("native"), ".bak"), 175);
}

// What is ours goes: builds that crashed, and the oldest of too many entries.
static void own_files(void **unused)
{
    (void)unused;
    char name[100];
    mkdir(path_in("native"), 0700);
    mkdir(path_in("native/tmp-abc123"), 0700);
    write_text(path_in("native/tmp-abc123/model.c"), "left");
    write_text(path_in("native/tmp-abc123/model.so"), "left");
    mkdir(path_in("native/tmp-abc123/scratch"), 0700); // of a compiler
    write_text(path_in("native/tmp-abc123/scratch/cc1234.s"), "left");
    make_old(path_in("native/tmp-abc123"));
    for (int i = 0; i < 301; i++) {
        snprintf(name, sizeof name, "native/%032d.so", i);
        write_text(path_in(name), "old");
        chmod(path_in(name), 0600);
        if (i == 77)
            make_old(path_in(name));
    }
    run("byte x; active proctype P() { c_code { int y = 3; now.x = y; } }");
    assert_false(exists(path_in("native/tmp-abc123")));
    snprintf(name, sizeof name, "native/%032d.so", 77);
    assert_false(exists(path_in(name)));
    assert_int_equal(count_files(path_in("native"), ".so"), 301);
}

// A directory that others may write is not used: what lies there could be anybody's.
static void unsafe_folders(void **unused)
{
    (void)unused;
    static const char text[] = "byte x; active proctype P() { c_code { int y = 3; now.x = y; } }";
    chmod(root, 0777);
    assert_int_equal(run(text), 3);
    chmod(root, 0770);
    assert_int_equal(run(text), 3);
    assert_int_equal(count_files(path_in("native"), ".so"), 0);
    chmod(root, 0700);
    mkdir(path_in("native"), 0700);
    chmod(path_in("native"), 0770);
    assert_int_equal(run(text), 3);
    assert_int_equal(count_files(path_in("native"), ".so"), 0);
    rmdir(path_in("native"));
    mkdir(path_in("other"), 0700);
    assert_int_equal(symlink(path_in("other"), path_in("native")), 0);
    assert_int_equal(run(text), 3);
    assert_int_equal(count_files(path_in("other"), ".so"), 0);
    unlink(path_in("native"));
    assert_int_equal(run(text), 3);
    assert_int_equal(count_files(path_in("native"), ".so"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_that_look_like_comments, make_root, remove_root),
        cmocka_unit_test_setup_teardown(included_files, make_root, remove_root),
        cmocka_unit_test_setup_teardown(foreign_files, make_root, remove_root),
        cmocka_unit_test_setup_teardown(own_files, make_root, remove_root),
        cmocka_unit_test_setup_teardown(unsafe_folders, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
