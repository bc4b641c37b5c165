// From the highest byte in which they differ to the lowest, each time in place: every number goes
// to the part of the list for its byte, and pushes out one that goes to its own (the American flag
// sort of P. McIlroy, K. Bostic and D. McIlroy, Engineering radix sort, 1993).
#include "store/sort.h"

enum { FEW = 48 };

static void sort_few(gy_sortable l, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t number = l.number[i], beside = l.beside ? l.beside[i] : 0;
        size_t k = i;
        for (; k && l.number[k - 1] > number; k--) {
            l.number[k] = l.number[k - 1];
            if (l.beside)
                l.beside[k] = l.beside[k - 1];
        }
        l.number[k] = number;
        if (l.beside)
            l.beside[k] = beside;
    }
}

// The shift of the highest byte in which some differ; -1: none do.
static int highest_difference(const uint64_t *number, size_t n)
{
    uint64_t differ = 0;
    for (size_t i = 1; i < n; i++)
        differ |= number[i] ^ number[0];
    return differ ? (63 - __builtin_clzll(differ)) / 8 * 8 : -1;
}

// Puts them into the parts [next[b], end[b]); next[b] becomes end[b].
static void permute(gy_sortable l, unsigned shift, size_t next[256], const size_t end[256])
{
    for (unsigned b = 0; b < 256; b++)
        while (next[b] < end[b]) {
            uint64_t number = l.number[next[b]], beside = l.beside ? l.beside[next[b]] : 0;
            for (unsigned to; (to = number >> shift & 255) != b;) {
                size_t at = next[to]++;
                uint64_t other = l.number[at];
                l.number[at] = number;
                number = other;
                if (l.beside) {
                    other = l.beside[at];
                    l.beside[at] = beside;
                    beside = other;
                }
            }
            l.number[next[b]] = number;
            if (l.beside)
                l.beside[next[b]] = beside;
            next[b]++;
        }
}

void gy_sort(gy_sortable l, size_t n)
{
    size_t next[256] = {0}, end[256], from = 0;
    int shift = n < FEW ? -1 : highest_difference(l.number, n);
    if (n < FEW)
        sort_few(l, n);
    if (shift < 0)
        return;
    for (size_t i = 0; i < n; i++)
        next[l.number[i] >> shift & 255]++;
    for (unsigned b = 0; b < 256; b++) {
        size_t count = next[b];
        next[b] = from;
        end[b] = from += count;
    }
    permute(l, (unsigned)shift, next, end);
    from = 0;
    for (unsigned b = 0; b < 256; b++) {
        if (end[b] - from > 1)
            gy_sort((gy_sortable){l.number + from, l.beside ? l.beside + from : NULL},
                    end[b] - from);
        from = end[b];
    }
}
