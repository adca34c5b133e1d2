// Longbox
// SPDX-License-Identifier: MIT

// What Longbox asks of libvips, as plain functions: libvips' own take variable arguments, which Swift can't call.
//
// Only the loaders of PNG, JPEG and GIF are ever called, by name, after the first bytes were found to be of that
// format; all loaders that libvips holds for unsafe are blocked besides.

#ifndef LONGBOX_VIPS_H
#define LONGBOX_VIPS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum longbox_picture_result {
  LONGBOX_PICTURE_OK = 0,
  /// libvips could not be started.
  LONGBOX_PICTURE_UNAVAILABLE = 1,
  /// The bytes don't begin as a PNG, JPEG or GIF file does.
  LONGBOX_PICTURE_FOREIGN = 2,
  /// The picture has more pixels than it may have; its width and height are told.
  LONGBOX_PICTURE_TOO_LARGE = 3,
  /// The bytes begin well, but can't be decoded to the end.
  LONGBOX_PICTURE_DAMAGED = 4,
} longbox_picture_result;

/// The formats that are decoded.
typedef enum longbox_picture_format {
  LONGBOX_PICTURE_PNG = 1,
  LONGBOX_PICTURE_JPEG = 2,
  LONGBOX_PICTURE_GIF = 3,
} longbox_picture_format;

/// What was found in a picture. Colour, lightness and transparency are those of an animation's first frame.
typedef struct longbox_picture_facts {
  /// Width and height as displayed, after the EXIF rotation.
  int64_t width, height;
  int32_t frames;
  longbox_picture_format format;
  /// 1 where any pixel is not opaque; an alpha channel alone doesn't count.
  int32_t is_transparent;
  /// The share of visibly coloured pixels over a white page, in thousandths, rounded up.
  int32_t colour_permille;
  /// The mean luma over a white page (ITU-R BT.601), 0 black to 255 white.
  int32_t lightness;
} longbox_picture_facts;

/// The reason of a failure, in the words of libvips; ends with a zero byte.
typedef struct longbox_picture_reason {
  char text[256];
} longbox_picture_reason;

/// Decodes a picture and tells what is in it.
/// - pixel_limit: how many pixels one frame may have; asked before any is decoded.
/// - colour_distance: how far the greatest and the least channel of a pixel lie apart, above which it counts as coloured.
longbox_picture_result longbox_picture_inspect(const uint8_t *bytes, size_t length, int64_t pixel_limit,
                                               int32_t colour_distance, longbox_picture_facts *facts,
                                               longbox_picture_reason *reason);

/// Makes a small WebP file of a picture, or of an animation's first frame: no wider than told, in proportion, never
/// enlarged, upright, on white where it is transparent, without metadata. Of one that is then higher than told it is the top:
/// the whole of a comic of 740 by 14957 pixels would be a thread.
/// - facts: of these only width, height, frames and format are told.
/// - result: the file, to be given to longbox_picture_free; untouched unless the call went well.
longbox_picture_result longbox_picture_thumbnail(const uint8_t *bytes, size_t length, int64_t pixel_limit,
                                                 int32_t width, int32_t height,
                                                 longbox_picture_facts *facts, uint8_t **result,
                                                 size_t *result_length, longbox_picture_reason *reason);

/// Frees what longbox_picture_thumbnail made.
void longbox_picture_free(uint8_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
