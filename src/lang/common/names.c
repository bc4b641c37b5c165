#include "lang/common/names.h"

void gy_names_init(gy_names *names)
{
    *names = (gy_names){.arena = gy_arena_new(), .process = GY_NO_NAME};
}

void gy_names_free(gy_names *names)
{
    if (!names->arena)
        return;
    gy_vec_free(&names->list);
    gy_vec_free(&names->keys);
    gy_vec_free(&names->uses);
    gy_vec_free(&names->arguments);
    gy_map_free(&names->map);
    gy_arena_free(names->arena);
    *names = (gy_names){0};
}

uint32_t gy_names_find(const gy_names *names, const void *key)
{
    uint32_t newest = GY_NO_NAME;
    uint64_t hash = (uintptr_t)key;
    for (gy_map_probe p = gy_map_first(&names->map, hash); p.found; gy_map_next(&names->map, &p))
        if (names->keys.at[p.number] == key && (newest == GY_NO_NAME || p.number > newest))
            newest = p.number;
    return newest;
}

uint32_t gy_names_define(gy_names *names, const void *key, const gy_name *name, uint32_t length)
{
    uint32_t number = (uint32_t)names->list.n;
    gy_vec_push(&names->list, *name);
    gy_name *kept = &names->list.at[number];
    kept->suffix = kept->suffix ? kept->suffix : "";
    kept->type = kept->type ? kept->type : "";
    gy_vec_push(&names->keys, key);
    gy_map_add(&names->map, (uintptr_t)key, number);
    if (name->place)
        gy_names_use(names, key, name->place, length, GY_USE_DEFINED);
    return number;
}

void gy_names_use(gy_names *names, const void *key, gy_location place, uint32_t length,
                  gy_name_role role)
{
    uint32_t number = gy_names_find(names, key);
    if (number == GY_NO_NAME || place == 0)
        return;
    gy_name_use use = {
        .name = number, .place = place, .length = length, .role = role, .process = names->process};
    gy_vec_push(&names->uses, use);
}

void gy_names_become(gy_names *names, gy_location place, gy_name_role role)
{
    enum { FAR = 200 };
    for (size_t i = names->uses.n, left = FAR; i-- > 0 && left-- > 0;) {
        gy_name_use *use = &names->uses.at[i];
        if (use->place == place && use->role == GY_USE_READ) {
            use->role = role;
            return;
        }
    }
}
