#include <spawn.h>

/* glibc has it since 2.34, but Swift doesn't see glibc's own declaration. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
