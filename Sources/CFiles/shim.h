/* glibc has these since 2.28, but Swift doesn't see glibc's own declarations. */
int renameat2(int one_folder, const char *one, int other_folder, const char *other, unsigned int flags);

enum { longbox_rename_exchange = 1 << 1 };
