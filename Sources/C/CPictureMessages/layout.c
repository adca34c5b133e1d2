// Longbox
// SPDX-License-Identifier: MIT

#include "CPictureMessages.h"

// A gap between fields would send bytes without a value.
_Static_assert(sizeof(longbox_picture_greeting) == 8, "the greeting has a gap");
_Static_assert(sizeof(longbox_picture_request) == 56, "the request has a gap");
_Static_assert(sizeof(longbox_picture_reply) == 304, "the reply has a gap");
