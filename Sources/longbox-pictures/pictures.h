// Longbox
// SPDX-License-Identifier: MIT

// What Longbox asks of libvips and libchafa.
//
// Only the loaders of PNG, JPEG and GIF are called, by name, after the first bytes were found to be of that format. All
// other loaders are blocked besides.

#ifndef LONGBOX_PICTURES_H
#define LONGBOX_PICTURES_H

#include "CPictureMessages.h"

#include <stddef.h>
#include <stdint.h>

/// Starts libvips.
/// - Returns: 0, or -1.
int pictures_start(const char *program);

/// Decodes a picture, and makes a thumbnail, a drawing for a terminal or a canvas if the request asks for one.
///
/// The thumbnail is a small WebP file of the picture or of an animation's first frame: in proportion, never enlarged,
/// upright, on white where the picture is transparent, without metadata.
/// - Parameters:
///   - bytes: the file.
///   - reply: the reply to fill in; the caller has set it to zero.
/// - Returns: the thumbnail, the drawing or the canvas, to be given to pictures_free, or NULL.
uint8_t *pictures_decode(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply);

/// Frees what pictures_decode has returned.
void pictures_free(uint8_t *output);

#endif
