// Files that are whole or not there: several writers to one, and what others have put in the way.
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gyre-test-atomic-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// More than a writer keeps in memory, so that it is written before the end.
enum { MANY = 200000 };

static void fill(gy_writer *writer, uint64_t value)
{
    for (int i = 0; i < MANY; i++)
        gy_write_u64(writer, value);
}

static void assert_filled(uint64_t value)
{
    const char *why = NULL;
    gy_reader *reader = gy_reader_open(path_of("file"), &why);
    if (!reader)
        fail_msg("%s", why);
    assert_int_equal(gy_reader_left(reader), MANY * sizeof value);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(gy_read_u64(reader), value);
    gy_reader_close(reader);
}

// Whichever ends first: there is a whole file, of a writer that says that it has written it.
static void two_writers_are_not_mixed(void **unused)
{
    (void)unused;
    for (int order = 0; order < 2; order++) {
        gy_writer *first = gy_writer_open(path_of("file"));
        fill(first, 1);
        gy_writer *second = gy_writer_open(path_of("file"));
        fill(second, 2);
        if (order == 0)
            assert_true(gy_writer_commit(first));
        assert_false(gy_writer_commit(second));
        assert_int_equal(errno, EBUSY);
        if (order == 1)
            assert_true(gy_writer_commit(first));
        assert_filled(1);
        gy_writer *third = gy_writer_open(path_of("file"));
        fill(third, 3);
        assert_true(gy_writer_commit(third));
        assert_filled(3);
        unlink(path_of("file"));
    }
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static off_t size_of(const char *name)
{
    struct stat info;
    return lstat(path_of(name), &info) == 0 ? info.st_size : -1;
}

// It is not the search that has asked first whether something is in the way.
static void files_of_others_stay(void **unused)
{
    (void)unused;
    put("file.tmp", "somebody's, and longer than a number");
    off_t size = size_of("file.tmp");
    gy_writer *writer = gy_writer_open(path_of("file"));
    fill(writer, 1);
    assert_false(gy_writer_commit(writer));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(size_of("file.tmp"), size);
    assert_int_equal(size_of("file"), -1);
    unlink(path_of("file.tmp"));
}

// What is put there while a search goes on is not the search's, either.
static void what_has_come_meanwhile_stays(void **unused)
{
    (void)unused;
    gy_writer *writer = gy_writer_open(path_of("file"));
    fill(writer, 1);
    put("file", "somebody's, and longer than a number");
    off_t size = size_of("file");
    assert_false(gy_writer_commit(writer));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(size_of("file"), size);
    assert_int_equal(size_of("file.tmp"), -1);
    unlink(path_of("file"));
}

// A writer that was killed leaves a part of a file.
static void what_is_left_is_replaced(void **unused)
{
    (void)unused;
    gy_writer *writer = gy_writer_open(path_of("file"));
    fill(writer, 1);
    assert_true(gy_writer_commit(writer));
    char from[200];
    snprintf(from, sizeof from, "%s", path_of("file"));
    assert_int_equal(rename(from, path_of("file.tmp")), 0);
    assert_int_equal(truncate(path_of("file.tmp"), 5000), 0);
    writer = gy_writer_open(path_of("file"));
    fill(writer, 2);
    assert_true(gy_writer_commit(writer));
    assert_filled(2);
    assert_int_equal(size_of("file.tmp"), -1);
    unlink(path_of("file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_writers_are_not_mixed),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(what_has_come_meanwhile_stays),
        cmocka_unit_test(what_is_left_is_replaced),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) != 0 || failed;
}
