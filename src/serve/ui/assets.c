#include "serve/ui/assets.h"

#include <string.h>

// The bytes of a file, as they are in the source tree. The assembler finds it.
#define FILE_OF(id, name)                                                                          \
    __asm__(".section .rodata\n"                                                                   \
            ".global gyre_page_" #id "\n.hidden gyre_page_" #id "\n"                               \
            ".global gyre_page_" #id "_end\n.hidden gyre_page_" #id "_end\n"                       \
            "gyre_page_" #id ":\n.incbin \"src/serve/ui/page/" name "\"\n"                         \
            "gyre_page_" #id "_end:\n.byte 0\n.previous\n");                                       \
    extern const char gyre_page_##id[], gyre_page_##id##_end[];
#define PAGE(id, name, type) FILE_OF(id, name)
#include "serve/ui/assets.def"

static const gy_page_file assets[] = {
#define PAGE(id, name, type) {name, type, gyre_page_##id, gyre_page_##id##_end},
#include "serve/ui/assets.def"
};

const gy_page_file *gy_asset_find(const char *name)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (strcmp(assets[i].name, name) == 0)
            return &assets[i];
    return gy_page_file_find(name);
}
