// Longbox
// SPDX-License-Identifier: MIT

#include <chafa.h>
