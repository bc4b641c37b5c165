#include "dist/mpi/packing.h"

enum { MOST_OF_NUMBER = 10, MOST_OF_WORD = 5, MOST_WORDS = 1 << 26 };

static uint8_t *put_number(uint8_t *to, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        *to++ = (uint8_t)(value | 128);
    *to++ = (uint8_t)value;
    return to;
}

void gy_packer_begin(gy_packer *p, uint32_t head)
{
    gy_vec_reserve(&p->bytes, head);
    p->bytes.n = head;
    p->count = p->before_words = 0;
}

void gy_packer_add(gy_packer *p, const uint32_t *state, uint32_t words, const uint64_t *tags,
                   unsigned tag_count)
{
    size_t bits = (words + (size_t)7) / 8;
    gy_vec_reserve(&p->bytes, p->bytes.n + MOST_OF_NUMBER * (1 + (size_t)tag_count) + bits +
                                  MOST_OF_WORD * (size_t)words);
    gy_vec_reserve(&p->before, words);
    uint8_t *to = put_number(p->bytes.at + p->bytes.n, words), *mask = to;
    if (bits)
        memset(mask, 0, bits);
    to += bits;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t old = i < p->before_words ? p->before.at[i] : 0;
        if (state[i] == old)
            continue;
        mask[i / 8] |= (uint8_t)(1 << i % 8);
        to = put_number(to, state[i] ^ old);
        p->before.at[i] = state[i];
    }
    for (uint32_t i = p->before_words; i < words; i++)
        p->before.at[i] = state[i];
    for (unsigned i = 0; i < tag_count; i++)
        to = put_number(to, tags[i]);
    p->bytes.n = (size_t)(to - p->bytes.at);
    p->before_words = words;
    p->count++;
}

void gy_packer_free(gy_packer *p)
{
    gy_vec_free(&p->bytes);
    gy_vec_free(&p->before);
}

static uint64_t get_number(gy_unpacker *u)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (u->at == u->end)
            break;
        uint8_t byte = *u->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    u->damaged = true;
    return 0;
}

void gy_unpacker_begin(gy_unpacker *u, const void *bytes, size_t n)
{
    u->at = bytes;
    u->end = u->at + n;
    u->words = 0;
    u->damaged = false;
}

bool gy_unpacker_next(gy_unpacker *u, uint64_t *tags, unsigned tag_count)
{
    if (u->at == u->end || u->damaged)
        return false;
    uint64_t words = get_number(u);
    size_t bits = (size_t)(words + 7) / 8;
    if (u->damaged || words > MOST_WORDS || bits > (size_t)(u->end - u->at)) {
        u->damaged = true;
        return false;
    }
    gy_vec_reserve(&u->state, words + 1);
    const uint8_t *mask = u->at;
    u->at += bits;
    for (uint32_t i = u->words; i < words; i++)
        u->state.at[i] = 0;
    for (uint32_t i = 0; i < words; i++)
        if (mask[i / 8] >> i % 8 & 1)
            u->state.at[i] ^= (uint32_t)get_number(u);
    for (unsigned i = 0; i < tag_count; i++)
        tags[i] = get_number(u);
    u->words = (uint32_t)words;
    return !u->damaged;
}

void gy_unpacker_free(gy_unpacker *u)
{
    gy_vec_free(&u->state);
}
