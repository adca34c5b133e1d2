// Longbox
// SPDX-License-Identifier: MIT
//
// Keeps the database as a power cut would leave it. It stands before fsync(2) and fdatasync(2) by LD_PRELOAD: each sync of a
// file of the database in the folder SYNCED_FROM copies the file into the folder SYNCED_TO, and adds a byte to SYNCED_LOG.
// What was written after a file's last sync is missing there. A folder's sync adds its path to SYNCED_FOLDERS.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void keep(int file) {
  const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO"), *log = getenv("SYNCED_LOG");
  char link[64], path[4096], kept[8192], fresh[8224];
  if (!from || !to || !log) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  size_t start = strlen(from);
  if (strncmp(path, from, start)) return;
  struct stat facts;
  const char *folders = getenv("SYNCED_FOLDERS");
  if (folders && fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    int list = open(folders, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (list < 0 || dprintf(list, "%s\n", path) < 0) abort();
    close(list);
  }
  if (strncmp(path + start, "/longbox.sqlite", 15)) return;
  if (strchr(path + start + 1, '/')) return;
  snprintf(kept, sizeof kept, "%s%s", to, path + start);
  snprintf(fresh, sizeof fresh, "%s.%d.new", kept, file);
  int copy = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (copy < 0) abort();
  // The file isn't opened again: closing it would drop SQLite's locks.
  char bytes[1 << 16];
  ssize_t count;
  for (off_t at = 0; (count = pread(file, bytes, sizeof bytes, at)) > 0; at += count)
    if (write(copy, bytes, count) != count) abort();
  if (count < 0) abort();
  close(copy);
  if (rename(fresh, kept)) abort();
  int counter = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (counter < 0 || write(counter, ".", 1) != 1) abort();
  close(counter);
}

static int sync_by(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(file);
  if (result == 0) keep(file);
  return result;
}

int fsync(int file) { return sync_by("fsync", file); }

int fdatasync(int file) { return sync_by("fdatasync", file); }
