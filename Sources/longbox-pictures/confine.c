// Longbox
// SPDX-License-Identifier: MIT

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "confine.h"

#include "CPictureMessages.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The largest need is 610 MB of addresses: for a progressive JPEG of 50 million pixels, rotated.
static const rlim_t memory_limit = (rlim_t)1 << 30;

// For all pictures of a process together. The server limits the time of each; this ends a process whose server hangs.
static const rlim_t seconds_limit = 120;

// The server may have files open that are not marked as close-on-exec.
static void close_other_files(void) {
#ifdef __linux__
  syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
}

static int limit(int resource, rlim_t most) {
  struct rlimit value = {most, most};
  return setrlimit(resource, &value);
}

int confine_resources(void) {
  close_other_files();
#ifdef __GLIBC__
  // Otherwise each thread reserves 64 MB of addresses, which count.
  mallopt(M_ARENA_MAX, 1);
#endif
  return limit(RLIMIT_AS, memory_limit) || limit(RLIMIT_CPU, seconds_limit) || limit(RLIMIT_FSIZE, 0)
                 || limit(RLIMIT_CORE, 0)
             ? -1
             : 0;
}

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>

// All that the first version of Landlock can deny. Without rules, it is denied for all files.
static const uint64_t file_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE
    | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
    | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
    | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
    | LANDLOCK_ACCESS_FS_MAKE_SYM;

static int deny_files(void) {
  struct landlock_ruleset_attr rights = {.handled_access_fs = file_rights};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0);
  if (rules < 0)
    return -1;
  int failed = (int)syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return failed;
}

// What glibc, GLib and libvips call while they decode: bytes, memory, threads, clocks. No file, socket, process.
static const int allowed_calls[] = {
    SCMP_SYS(read),           SCMP_SYS(write),        SCMP_SYS(close),         SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),     SCMP_SYS(lseek),        SCMP_SYS(poll),          SCMP_SYS(ppoll),
    SCMP_SYS(brk),            SCMP_SYS(munmap),       SCMP_SYS(mremap),        SCMP_SYS(madvise),
    SCMP_SYS(futex),          SCMP_SYS(set_robust_list), SCMP_SYS(rseq),       SCMP_SYS(membarrier),
    SCMP_SYS(rt_sigaction),   SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_yield),    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getattr), SCMP_SYS(sched_setattr),
    SCMP_SYS(clock_gettime),  SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),   SCMP_SYS(getrandom),    SCMP_SYS(getpid),        SCMP_SYS(gettid),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit),       SCMP_SYS(exit_group),
};

// All other calls fail with EPERM. A library that tries one, such as GLib asking for a file, goes on without.
static int deny_other_calls(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL)
    return -1;
  int failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; i < sizeof allowed_calls / sizeof *allowed_calls && !failed; i++)
    failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed_calls[i], 0);
  // Memory is never made executable.
  const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  failed = failed || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, no_code)
           || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code)
           // abort() signals this process; no other may be signalled.
           || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()))
           // A thread's name.
           || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME))
           // Threads, but no processes. A filter can't see the flags of clone3; without it glibc uses clone.
           || seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0)
           || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                               SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
           || seccomp_load(filter);
  seccomp_release(filter);
  return failed;
}

uint32_t confine_access(void) {
  uint32_t protections = 0;
  // Standard input, output and error are open; the fourth is for Landlock's rules.
  limit(RLIMIT_NOFILE, 4);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return 0;
  if (deny_files() == 0)
    protections |= LONGBOX_PICTURE_LANDLOCK;
  limit(RLIMIT_NOFILE, 3);
  if (deny_other_calls() == 0)
    protections |= LONGBOX_PICTURE_SECCOMP;
  return protections;
}

#else

uint32_t confine_access(void) {
  limit(RLIMIT_NOFILE, 3);
  return 0;
}

#endif
