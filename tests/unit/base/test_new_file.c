// New files: whole or not there, with nothing else left behind, and nothing of others in danger.
#include "base/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gyre-test-new-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void assert_content(const char *name, const char *wanted)
{
    char text[200] = "";
    FILE *file = fopen(path_of(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

static void old_files_stay_until_the_end(void **unused)
{
    static const gy_file_origin origins[] = {GY_NAMED, GY_IMPLIED, GY_SOURCE};
    (void)unused;
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        gy_new_file file;
        assert_true(gy_new_file_put(path_of("file"), origins[i], "old", 3));
        assert_int_equal(chmod(path_of("file"), 0640), 0);
        assert_true(gy_new_file_open(&file, path_of("file"), origins[i]));
        assert_true(fputs("new", file.file) >= 0 && fflush(file.file) == 0);
        assert_content("file", "old");
        gy_new_file_drop(&file);
        assert_content("file", "old");
        assert_true(gy_new_file_put(path_of("file"), origins[i], "new", 3));
        assert_content("file", "new");
        assert_int_equal(count_files(), 1);
        struct stat info;
        assert_int_equal(stat(path_of("file"), &info), 0);
        assert_int_equal(info.st_mode & 0777, 0640);
        unlink(path_of("file"));
    }
}

// Names that the file could have until it is whole may be taken, by files that are not ours.
static void files_of_others_stay(void **unused)
{
    enum { TAKEN = 5 };
    char name[60];
    (void)unused;
    for (int i = 0; i < TAKEN; i++) {
        snprintf(name, sizeof name, ".gyre-%d-%d.new", (int)getpid(), i);
        assert_int_equal(symlink("elsewhere", path_of(name)), 0);
    }
    assert_true(gy_new_file_put(path_of("file"), GY_NAMED, "new", 3));
    assert_content("file", "new");
    assert_int_equal(count_files(), TAKEN + 1);
    for (int i = 0; i < TAKEN; i++) {
        snprintf(name, sizeof name, ".gyre-%d-%d.new", (int)getpid(), i);
        unlink(path_of(name));
    }
    unlink(path_of("file"));
}

// Not asked of file systems that cannot do it.
static void killed_processes_leave_nothing(void **unused)
{
    (void)unused;
    int nameless = open(folder, O_TMPFILE | O_RDWR, 0600);
    if (nameless < 0)
        skip();
    close(nameless);
    pid_t child = fork();
    if (child == 0) {
        gy_new_file file;
        if (!gy_new_file_open(&file, path_of("file"), GY_NAMED) || fputs("half", file.file) < 0 ||
            fflush(file.file) != 0)
            _exit(1);
        raise(SIGKILL);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_files(), 0);
}

// What cannot be replaced as a whole is left alone.
static void sources_are_never_written_to(void **unused)
{
    (void)unused;
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    int pipe = open(path_of("pipe"), O_RDWR | O_NONBLOCK);
    assert_false(gy_new_file_put(path_of("pipe"), GY_SOURCE, "new", 3));
    assert_true(gy_new_file_put(path_of("pipe"), GY_NAMED, "new", 3));
    char text[8] = "";
    assert_int_equal(read(pipe, text, sizeof text - 1), 3);
    close(pipe);
    unlink(path_of("pipe"));
    assert_int_equal(count_files(), 0);
}

static void assert_link(const char *name)
{
    struct stat info;
    assert_int_equal(lstat(path_of(name), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

// Links that the user names stay links, also if they lead to nothing yet, or to a file that is
// closed.
static void links_stay(void **unused)
{
    (void)unused;
    assert_int_equal(mkdir(path_of("inner"), 0700), 0);
    assert_int_equal(symlink("inner/second", path_of("first")), 0);
    assert_int_equal(symlink("third", path_of("inner/second")), 0);
    for (int turn = 0; turn < 2; turn++) {
        assert_true(gy_new_file_put(path_of("first"), GY_NAMED, turn ? "b" : "a", 1));
        assert_content("inner/third", turn ? "b" : "a");
        assert_link("first");
        assert_link("inner/second");
    }
    static const char *const nowhere[] = {"/proc/self/fd/977", "missing/file", "first"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        unlink(path_of("first"));
        assert_int_equal(symlink(nowhere[i], path_of("first")), 0);
        assert_false(gy_new_file_put(path_of("first"), GY_NAMED, "a", 1));
        assert_link("first");
    }
    unlink(path_of("first"));
    unlink(path_of("inner/second"));
    unlink(path_of("inner/third"));
    rmdir(path_of("inner"));
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_files_stay_until_the_end),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(links_stay),
        cmocka_unit_test(killed_processes_leave_nothing),
        cmocka_unit_test(sources_are_never_written_to),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) != 0 || failed;
}
