// Longbox
// SPDX-License-Identifier: MIT

// Pictures as a terminal shows them, by libchafa.

#ifndef LONGBOX_DRAW_H
#define LONGBOX_DRAW_H

#include "CPictureMessages.h"

#include <chafa.h>
#include <stddef.h>
#include <stdint.h>

/// A terminal: its area in cells, the size of a cell in pixels, and what it can show.
typedef struct terminal {
  int columns, rows, cell_width, cell_height;
  /// One of LONGBOX_DRAWING_..., never AUTO.
  int drawing;
  ChafaCanvasMode colours;
  /// The escape sequences; NULL if there is no terminal.
  ChafaTermInfo *sequences;
} terminal;

/// Finds out what a request's terminal can show; reads the environment variables where the request says so.
/// - Returns: 0, or -1 if the request is malformed. The caller frees the terminal in both cases.
int terminal_of(const longbox_picture_request *request, terminal *terminal);

/// Frees what a terminal holds.
void terminal_free(terminal *terminal);

/// Draws pixels of three bytes each: red, green, blue.
/// - Parameters:
///   - width: how many pixels a row has; at most columns * cell_width.
///   - height: how many rows there are; at most rows * cell_height.
///   - length: is set to how many bytes the drawing has.
/// - Returns: what to send to the terminal, to be given to g_free, or NULL.
uint8_t *draw(const terminal *terminal, const uint8_t *pixels, int width, int height, size_t *length);

#endif
