// Longbox
// SPDX-License-Identifier: MIT

#include <seccomp.h>
