// Reading files: all of it, from what can be read, and a clear word about what cannot.
#include "base/file.h"

#include "base/fatal.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gyre-test-file-XXXXXX";
static char path[200];

static void write_bytes(const char *name, size_t bytes, mode_t mode)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < bytes; i++)
        fputc((int)(i * 7 % 251), file);
    fclose(file);
    chmod(path, mode);
}

static bool is_right(const gy_file *file, size_t bytes)
{
    bool right = file->bytes == bytes && file->text && file->text[bytes] == '\0';
    for (size_t i = 0; right && i < bytes; i++)
        right = (unsigned char)file->text[i] == i * 7 % 251;
    return right;
}

static void whole_files_are_read(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    gy_file file;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_bytes("plain", sizes[i], 0600);
        for (int rules = 0; rules < 2; rules++) {
            gy_file_rules strict = {.most_bytes = sizes[i], .regular_only = true, .own_only = true};
            assert_true(gy_file_read(path, rules ? &strict : NULL, &file));
            assert_true(is_right(&file, sizes[i]));
            assert_string_equal(file.problem, "");
            struct stat info;
            assert_int_equal(stat(path, &info), 0);
            assert_true(file.inode == info.st_ino && file.device == info.st_dev);
            gy_file_free(&file);
        }
    }
}

// What cannot be told apart from its size: pipes, and files of /proc, which say that they have
// none.
static void what_has_no_size_is_read(void **unused)
{
    (void)unused;
    gy_file file;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        for (size_t i = 0; i < 200000; i++) {
            unsigned char byte = (unsigned char)(i * 7 % 251);
            if (write(ends[1], &byte, 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_true(gy_file_read(path, NULL, &file));
    assert_true(is_right(&file, 200000));
    gy_file_free(&file);
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_true(gy_file_read("/proc/self/status", NULL, &file));
    assert_non_null(strstr(file.text, "VmRSS"));
    gy_file_free(&file);
}

static void expect_refusal(const char *name, const gy_file_rules *rules, int error,
                           const char *words)
{
    gy_file file;
    assert_false(gy_file_read(name, rules, &file));
    assert_null(file.text);
    assert_int_equal(file.bytes, 0);
    assert_int_equal(file.error, error);
    assert_non_null(strstr(file.problem, words));
    gy_file_free(&file);
}

static void refusals_say_why(void **unused)
{
    (void)unused;
    gy_file_rules small = {.most_bytes = 100}, regular = {.regular_only = true};
    gy_file_rules own = {.own_only = true}, endless = {.most_bytes = 3 << 20};
    char link[250];
    expect_refusal("/nowhere/at/all", NULL, ENOENT, "No such file");
    expect_refusal(folder, NULL, EISDIR, "it is a directory");
    expect_refusal("/dev/null", &regular, EINVAL, "it is not a regular file");
    expect_refusal("/dev/zero", &endless, 0, "it is larger than 3 MB");
    write_bytes("large", 101, 0600);
    expect_refusal(path, &small, 0, "it is larger than 100 bytes");
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink(path, link), 0);
    expect_refusal(link, &own, ELOOP, "");
    write_bytes("open", 5, 0622);
    expect_refusal(path, &own, 0, "other users can write to it");
    snprintf(path, sizeof path, "%s/fifo", folder); // nothing will ever write to it
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refusal(path, &regular, EINVAL, "it is not a regular file");
}

// GYRE_WITHIN: links and dots do not lead out of the directory.
static void names_of_the_same_file(void **unused)
{
    (void)unused;
    char plain[250], again[250], other[250];
    snprintf(plain, sizeof plain, "%s/plain", folder);
    snprintf(again, sizeof again, "%s/./again", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    write_bytes("plain", 3, 0600);
    write_bytes("other", 3, 0600);
    assert_int_equal(symlink(plain, again), 0);
    assert_true(gy_is_same_file(plain, plain));
    assert_true(gy_is_same_file(plain, again));
    assert_false(gy_is_same_file(plain, other));
    assert_false(gy_is_same_file("/dev/null", "/dev/null")); // nothing is lost there
    assert_true(gy_is_same_file("<stdin>", "<stdin>"));
    assert_false(gy_is_same_file("<stdin>", plain));
}

static void only_one_folder_is_read(void **unused)
{
    (void)unused;
    gy_file file;
    char within[PATH_MAX], link[260], dots[PATH_MAX + 30];
    write_bytes("inside", 10, 0600);
    assert_non_null(realpath(folder, within));
    snprintf(link, sizeof link, "%s/out", folder);
    snprintf(dots, sizeof dots, "%s/../../etc/passwd", within);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_true(gy_file_read(link, NULL, &file)); // without it
    gy_file_free(&file);
    setenv("GYRE_WITHIN", within, 1);
    assert_true(gy_file_read(path, NULL, &file));
    gy_file_free(&file);
    const char *const outside[] = {link, dots, "/etc/passwd", "/dev/null"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        assert_false(gy_file_read(outside[i], NULL, &file));
        assert_null(file.text);
        assert_int_equal(file.error, EACCES);
    }
    within[strlen(within) - 1] = '\0'; // the beginning of a name is another directory
    setenv("GYRE_WITHIN", within, 1);
    assert_false(gy_file_read(path, NULL, &file));
    unsetenv("GYRE_WITHIN");
    unlink(link);
}

static int set_up(void **unused)
{
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    static const char *const names[] = {"plain",  "large", "open",  "link", "fifo",
                                        "inside", "out",   "other", "again"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_files_are_read),    cmocka_unit_test(what_has_no_size_is_read),
        cmocka_unit_test(refusals_say_why),        cmocka_unit_test(names_of_the_same_file),
        cmocka_unit_test(only_one_folder_is_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
