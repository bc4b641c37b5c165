#include "exec/native/native_object.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Are `count` entries of `each` bytes from `at` on within `size` bytes?
static bool is_within(uint64_t at, uint64_t count, uint64_t each, uint64_t size)
{
    return at <= size && count * each <= size - at; // count and each are 16 bits, or each is 1
}

static bool is_segment_there(int file, const ElfW(Ehdr) * header, unsigned i, uint64_t size)
{
    ElfW(Phdr) segment;
    off_t at = (off_t)(header->e_phoff + (uint64_t)i * sizeof segment);
    return pread(file, &segment, sizeof segment, at) == sizeof segment &&
           (segment.p_type != PT_LOAD || is_within(segment.p_offset, segment.p_filesz, 1, size));
}

static bool is_whole(int file, uint64_t size)
{
    ElfW(Ehdr) header;
    if (pread(file, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr)) ||
        !is_within(header.e_phoff, header.e_phnum, header.e_phentsize, size) ||
        !is_within(header.e_shoff, header.e_shnum, header.e_shentsize, size))
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++)
        if (!is_segment_there(file, &header, i, size))
            return false;
    return true;
}

bool gy_native_object_is_whole(const char *path)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &info) == 0 && fsync(file) == 0 &&
                is_whole(file, (uint64_t)info.st_size);
    if (file >= 0)
        close(file);
    return good;
}
