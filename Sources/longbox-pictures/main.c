// Longbox
// SPDX-License-Identifier: MIT

// longbox-pictures decodes pictures for longbox, in a process of its own: pictures come from the network, and libvips
// loads about a hundred libraries, the largest part of Longbox that such bytes could attack.
//
// It reads requests from standard input and writes replies to standard output (CPictureMessages.h), until its input ends.
// It confines itself before it reads the first one.

#include "CPictureMessages.h"
#include "confine.h"
#include "pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A longer request is malformed. The server sends pictures of at most 32 MB.
static const uint64_t most_bytes = 256 << 20;

// Fills a buffer from standard input; returns 0, or -1 at the end of the input.
static int read_all(void *buffer, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = read(STDIN_FILENO, (char *)buffer + done, length - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return -1;
    done += (size_t)count;
  }
  return 0;
}

// Writes a buffer to standard output; returns 0, or -1 if it is closed.
static int write_all(const void *buffer, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = write(STDOUT_FILENO, (const char *)buffer + done, length - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return -1;
    done += (size_t)count;
  }
  return 0;
}

// Answers one request; returns 0, or -1 when there are no more.
static int answer(void) {
  longbox_picture_request request;
  if (read_all(&request, sizeof request) || request.length > most_bytes)
    return -1;
  uint8_t *bytes = malloc(request.length ? request.length : 1);
  if (bytes == NULL || read_all(bytes, request.length)) {
    free(bytes);
    return -1;
  }
  longbox_picture_reply reply;
  memset(&reply, 0, sizeof reply);
  uint8_t *output = pictures_decode(&request, bytes, &reply);
  int failed = write_all(&reply, sizeof reply) || write_all(output, reply.output_length);
  pictures_free(output);
  free(bytes);
  return failed ? -1 : 0;
}

int main(int count, char **arguments) {
  if (count != 1 || isatty(STDIN_FILENO)) {
    fputs("longbox-pictures decodes pictures for longbox, which starts it. It takes no arguments.\n", stderr);
    return 64;
  }
  if (confine_resources()) {
    perror("longbox-pictures can't limit its resources");
    return 1;
  }
  if (pictures_start(arguments[0])) {
    fputs("longbox-pictures can't start libvips.\n", stderr);
    return 1;
  }
  // The libraries' messages about pictures would fill the server's log.
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0 && nowhere != STDERR_FILENO) {
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  longbox_picture_greeting greeting = {LONGBOX_PICTURE_MESSAGES, confine_access()};
  if (write_all(&greeting, sizeof greeting))
    return 0;
  while (answer() == 0) {
  }
  return 0;
}
