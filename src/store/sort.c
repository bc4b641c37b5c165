// From the lowest byte to the highest; bytes that are the same everywhere cost nothing.
#include "store/sort.h"

#include <string.h>

enum { FEW = 48, BYTES = 8 };

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

static void sort_by_byte(gy_sortable from, gy_sortable to, size_t n, unsigned shift)
{
    size_t start[257] = {0};
    for (size_t i = 0; i < n; i++)
        start[(from.number[i] >> shift & 255) + 1]++;
    for (unsigned b = 0; b < 256; b++)
        start[b + 1] += start[b];
    if (from.beside)
        for (size_t i = 0; i < n; i++) {
            size_t at = start[from.number[i] >> shift & 255]++;
            to.number[at] = from.number[i];
            to.beside[at] = from.beside[i];
        }
    else
        for (size_t i = 0; i < n; i++)
            to.number[start[from.number[i] >> shift & 255]++] = from.number[i];
}

void gy_sort(gy_sortable list, gy_sortable room, size_t n)
{
    uint64_t differ = 0;
    gy_sortable at = list, other = room;
    if (n < FEW) {
        sort_few(list, n);
        return;
    }
    for (size_t i = 1; i < n; i++)
        differ |= list.number[i] ^ list.number[0];
    for (unsigned b = 0; b < BYTES; b++) {
        if (!(differ >> (8 * b) & 255))
            continue;
        sort_by_byte(at, other, n, 8 * b);
        gy_sortable swapped = at;
        at = other;
        other = swapped;
    }
    if (at.number == list.number)
        return;
    memcpy(list.number, at.number, n * sizeof *at.number);
    if (at.beside)
        memcpy(list.beside, at.beside, n * sizeof *at.beside);
}
