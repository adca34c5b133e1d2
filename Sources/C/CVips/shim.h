// Longbox
// SPDX-License-Identifier: MIT

#include <vips/vips.h>
