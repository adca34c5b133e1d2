/* Longbox
 * SPDX-License-Identifier: MIT
 *
 * The requests to Callgrind that Swift needs; they are macros (https://valgrind.org/docs/manual/cl-manual.html). Outside
 * Valgrind, or without its header, they do nothing. */

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

/* Begins or ends counting instructions. */
static inline void callgrind_toggle_collect(void) { CALLGRIND_TOGGLE_COLLECT; }

/* Writes the instructions counted since the last time to a file, under a name. */
static inline void callgrind_dump(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
