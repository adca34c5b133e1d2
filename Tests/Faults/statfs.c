/* Longbox
 * SPDX-License-Identifier: MIT
 *
 * Preloaded, it says that all files are on a file system of the kind in STATFS_KIND, such as 0x6969 for NFS.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/vfs.h>

int statfs(const char *path, struct statfs *status) {
  int (*real)(const char *, struct statfs *) = (int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs");
  const char *kind = getenv("STATFS_KIND");
  int result = real(path, status);
  if (result == 0 && kind) status->f_type = strtol(kind, NULL, 0);
  return result;
}
