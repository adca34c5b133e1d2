#include <sys/vfs.h>

/* glibc has these since 2.28, but Swift doesn't see glibc's own declarations. */
int renameat2(int one_folder, const char *one, int other_folder, const char *other, unsigned int flags);

enum { longbox_rename_exchange = 1 << 1 };

/* The kind of the file system at a path, as in statfs(2), whose declaration Swift doesn't see; 0 if it is unknown. */
static inline unsigned long longbox_file_system(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (unsigned long)status.f_type : 0;
}
