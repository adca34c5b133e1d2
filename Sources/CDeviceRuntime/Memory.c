// Longbox
// SPDX-License-Identifier: MIT

// Memory by sizes. Up to 32 KiB a block is of one of 23 sizes, powers of two and the halves between them; each size has
// pages of 64 KiB of its own, and a list of the blocks that were given back. What is larger has whole pages, the first
// free ones that lie side by side. A map with a byte for each page says whose it is, so that a block needs no header.
//
// There is one thread.

#include "CDeviceRuntime.h"

#include <stdint.h>

enum {
  page_size = 65536,
  alignment = 16,
  greatest_small = 32768,
  class_count = 23,
  // So many pages are asked for at once, since each time the host has to look at the memory anew.
  growth = 16,
  // What the map says of a page, besides the class of its blocks, which is 1 to 23; 0 is not ours.
  page_free = 32,
  page_run = 33,
  page_in_run = 34,
};

#ifdef __wasm__
// 1 GiB.
enum { page_limit = 16384 };

static char *start_of(size_t page) { return (char *)(page * page_size); }

static size_t page_of(void *pointer) { return (size_t)pointer / page_size; }

/// The first of some new pages, or `page_limit` where there are none to be had.
static size_t grow(size_t count) {
  size_t first = __builtin_wasm_memory_grow(0, count);
  return first < page_limit - count ? first : page_limit;
}
#else
enum { page_limit = 256 };

static _Alignas(page_size) char arena[page_limit * page_size];
static size_t grown;

static char *start_of(size_t page) { return arena + page * page_size; }

static size_t page_of(void *pointer) { return (size_t)((char *)pointer - arena) / page_size; }

static size_t grow(size_t count) {
  size_t first = grown;
  if (count > page_limit - first) return page_limit;
  grown += count;
  return first;
}
#endif

typedef struct block {
  struct block *next;
} block;

static uint8_t map[page_limit];
/// Where the map ends.
static size_t map_end;
/// For each class the blocks that were given back, and the part of its last page that was never handed out.
static block *given_back[class_count + 1];
static char *fresh[class_count + 1];
static char *fresh_end[class_count + 1];

/// The first of some free pages side by side, or `page_limit` where there is no room.
static size_t take_pages(size_t count) {
  size_t found = 0;
  size_t page = 0;
  while (page < map_end && found < count) found = map[page++] == page_free ? found + 1 : 0;
  size_t first = page - found;
  if (found < count) {
    // The free pages at the end go on in the new ones: nobody else asks for memory.
    size_t wanted = count - found;
    if (wanted < growth) wanted = growth;
    size_t start = grow(wanted);
    if (start == page_limit) return page_limit;
    if (found == 0) first = start;
    map_end = start + wanted;
    for (page = start; page < map_end; page++) map[page] = page_free;
  }
  map[first] = page_run;
  for (page = first + 1; page < first + count; page++) map[page] = page_in_run;
  return first;
}

/// The class of the smallest blocks with room for a size; odd ones are powers of two from 16 on.
static unsigned class_of(unsigned size) {
  if (size <= 16) return 1;
  unsigned power = 31 - (unsigned)__builtin_clz(size - 1);
  unsigned is_upper_half = (size - 1) >> (power - 1) & 1;
  return 2 * (power - 4) + 2 + is_upper_half;
}

static size_t room_in(unsigned class) {
  size_t room = (size_t)(class % 2 ? 4 : 3) << (class / 2 + 2);
  return (room + alignment - 1) & -(size_t)alignment;
}

static void *allocate(size_t size) {
  if (size > greatest_small) {
    if (size > (size_t)(page_limit - growth) * page_size) return 0;
    size_t first = take_pages((size + page_size - 1) / page_size);
    return first == page_limit ? 0 : start_of(first);
  }
  unsigned class = class_of((unsigned)size);
  block *taken = given_back[class];
  if (taken) {
    given_back[class] = taken->next;
    return taken;
  }
  size_t room = room_in(class);
  if ((size_t)(fresh_end[class] - fresh[class]) < room) {
    size_t page = take_pages(1);
    if (page == page_limit) return 0;
    map[page] = (uint8_t)class;
    fresh[class] = start_of(page);
    fresh_end[class] = fresh[class] + page_size;
  }
  taken = (block *)fresh[class];
  fresh[class] += room;
  return taken;
}

static void give_back(void *pointer) {
  if (!pointer) return;
  size_t page = page_of(pointer);
  if (map[page] == page_run) {
    do map[page++] = page_free;
    while (page < map_end && map[page] == page_in_run);
    return;
  }
  block *given = pointer;
  given->next = given_back[map[page]];
  given_back[map[page]] = given;
}

#ifdef __wasm__
void *malloc(size_t size) { return allocate(size); }

void free(void *pointer) { give_back(pointer); }

int posix_memalign(void **pointer, size_t wanted, size_t size) {
  // Whole pages are aligned as anything can ask for.
  *pointer = allocate(wanted > alignment && size <= greatest_small ? greatest_small + 1 : size);
  return *pointer ? 0 : 12;  // ENOMEM
}
#else
void *longbox_memory_allocate(size_t size) { return allocate(size); }

void longbox_memory_free(void *pointer) { give_back(pointer); }

size_t longbox_memory_page_count(void) { return grown; }
#endif
