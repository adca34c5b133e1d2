// Longbox
// SPDX-License-Identifier: MIT

// The messages between longbox and longbox-pictures, over the program's standard input and output.
//
// The program sends a greeting, then one reply for each request. Both sides run on one machine and come from one build,
// so a message is a structure in the machine's byte order, followed by bytes where it says so.

#ifndef LONGBOX_PICTURE_MESSAGES_H
#define LONGBOX_PICTURE_MESSAGES_H

#include <stdint.h>

/// The version of the messages below: raise it when they change.
enum { LONGBOX_PICTURE_MESSAGES = 0x4C425003 };

/// What confines the program besides its resource limits, as bits of a greeting.
enum {
  /// Only system calls on a list succeed: none opens a file, a socket or another program.
  LONGBOX_PICTURE_SECCOMP = 1,
  /// The kernel denies all access to files.
  LONGBOX_PICTURE_LANDLOCK = 2,
};

/// The program is ready.
typedef struct longbox_picture_greeting {
  uint32_t version;
  uint32_t protections;
} longbox_picture_greeting;

/// What a request asks for.
enum {
  /// The facts, and a thumbnail if the request has a width for one.
  LONGBOX_PICTURE_INSPECT = 0,
  /// The picture as a terminal shows it; of the facts, only format, size and frames.
  LONGBOX_PICTURE_DRAW = 1,
  /// A PNG file of a given size; of the facts, only format, size and frames.
  ///
  /// The picture keeps its proportions. With both sides given it is enlarged or reduced until it fits, and in the middle of a white
  /// canvas; with one, it gets that side. A side that isn't given is at most LONGBOX_CANVAS_SIDE.
  LONGBOX_PICTURE_CANVAS = 2,
};

/// The longest side of a canvas in pixels.
enum { LONGBOX_CANVAS_SIDE = 2048 };

/// How a terminal shows pictures.
enum {
  /// Characters in colours, which every terminal has.
  LONGBOX_DRAWING_SYMBOLS = 0,
  /// DEC's sixels.
  LONGBOX_DRAWING_SIXEL = 1,
  /// kitty's protocol.
  LONGBOX_DRAWING_KITTY = 2,
  /// iTerm2's protocol.
  LONGBOX_DRAWING_ITERM2 = 3,
  /// What the environment variables of this process say of the terminal.
  LONGBOX_DRAWING_AUTO = 4,
};

/// The colours of symbols.
enum {
  LONGBOX_COLOURS_NONE = 0,
  LONGBOX_COLOURS_16 = 1,
  LONGBOX_COLOURS_256 = 2,
  LONGBOX_COLOURS_ALL = 3,
  /// What the environment variables of this process say of the terminal.
  LONGBOX_COLOURS_AUTO = 4,
};

/// A request to decode a picture; the picture's bytes follow.
typedef struct longbox_picture_request {
  /// How many bytes follow.
  uint64_t length;
  /// The most pixels that one frame may have; checked before any is decoded.
  uint64_t pixel_limit;
  /// A pixel counts as coloured if its greatest and least channel differ by more than this.
  uint32_t colour_distance;
  /// The greatest width of the thumbnail; 0 for no thumbnail. The width of a canvas; 0 if it isn't given.
  uint32_t thumbnail_width;
  /// The greatest height of the thumbnail; a taller one is cropped to its top. The height of a canvas; 0 if it isn't given.
  uint32_t thumbnail_height;
  /// Inspect, draw, or make a canvas.
  uint32_t operation;
  /// The area on the terminal, in cells, 1 to 1000 each.
  uint32_t columns, rows;
  /// The size of a cell in pixels, 1 to 64 each.
  uint32_t cell_width, cell_height;
  /// How to draw, and the colours of symbols; for a canvas, `colours` is how many greys it has, 2 to 256, or 0 for the picture's
  /// own colours.
  uint32_t drawing, colours;
} longbox_picture_request;

/// How a request ended.
enum {
  LONGBOX_PICTURE_OK = 0,
  /// The bytes don't begin as a PNG, JPEG or GIF file does.
  LONGBOX_PICTURE_FOREIGN = 1,
  /// The picture has more pixels than it may have; the reply has its width and height.
  LONGBOX_PICTURE_TOO_LARGE = 2,
  /// The bytes begin as a picture does, but can't be decoded to the end.
  LONGBOX_PICTURE_DAMAGED = 3,
};

/// The formats that are decoded, with the numbers that the store uses.
enum {
  LONGBOX_PICTURE_PNG = 1,
  LONGBOX_PICTURE_JPEG = 2,
  LONGBOX_PICTURE_GIF = 3,
};

/// The reply to a request; the bytes of the thumbnail, the drawing or the canvas follow.
///
/// Colour, lightness and transparency are those of an animation's first frame.
typedef struct longbox_picture_reply {
  /// How many bytes follow: a WebP file, a PNG file, or what a terminal is sent.
  uint64_t output_length;
  /// Width and height as displayed, after the EXIF rotation.
  uint64_t width, height;
  uint32_t result;
  uint32_t format;
  uint32_t frames;
  /// 1 if any pixel is not opaque; an alpha channel alone doesn't count.
  uint32_t is_transparent;
  /// The share of visibly coloured pixels over a white page, in thousandths, rounded up.
  uint32_t colour_permille;
  /// The mean luma over a white page (ITU-R BT.601): 0 black, 255 white.
  uint32_t lightness;
  /// Why the picture is damaged, in libvips' words; ends with a zero byte.
  char reason[256];
} longbox_picture_reply;

#endif
