// Longbox
// SPDX-License-Identifier: MIT

#include "pictures.h"

#include "draw.h"

#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>
// Needs the one above.
#include <vips/vector.h>

// ---------------------------------------------------------------------------------------------- start and errors

// libvips' messages about a picture; what matters comes back as an error.
static void ignore_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)message, (void)data;
}

int pictures_start(const char *program) {
  // libvips looks there for modules that read further formats, and finds none.
  g_setenv("VIPSHOME", "/nonexistent", TRUE);
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO, ignore_message, NULL);
  if (VIPS_INIT(program))
    return -1;
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeign", TRUE);
  static const char *const wanted[] = {"VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadNsgif",
                                       "VipsForeignSaveWebp", "VipsForeignSavePng"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    vips_operation_block_set(wanted[i], FALSE);
  // One picture at a time on one thread is fast enough, and needs the memory of one.
  vips_concurrency_set(1);
  // Every picture is different, so cached results would waste memory.
  vips_cache_set_max(0);
  // Otherwise libvips compiles loops while it runs, and memory can't become executable here.
  vips_vector_set_enabled(FALSE);
  return 0;
}

// Copies the reason from libvips' buffer into a reply.
static void take_reason(longbox_picture_reply *reply) {
  char *text = vips_error_buffer_copy();
  g_strchomp(text);
  g_strlcpy(reply->reason, text, sizeof reply->reason);
  g_free(text);
}

// ------------------------------------------------------------------------------------------------------- loading

// The format that the first bytes show; 0 if it is none of ours.
static int format_of(const uint8_t *bytes, size_t length) {
  static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF};
  if (length >= sizeof png && memcmp(bytes, png, sizeof png) == 0)
    return LONGBOX_PICTURE_PNG;
  if (length >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0)
    return LONGBOX_PICTURE_JPEG;
  if (length >= 6 && (memcmp(bytes, "GIF87a", 6) == 0 || memcmp(bytes, "GIF89a", 6) == 0))
    return LONGBOX_PICTURE_GIF;
  return 0;
}

// Opens a picture without decoding pixels. Reading the pixels fails if the file is cut short or broken. Rows are read once,
// from top to bottom.
static VipsImage *open_picture(const uint8_t *bytes, size_t length, int format) {
  VipsImage *image = NULL;
  void *buffer = (void *)bytes; // libvips doesn't write to it, though its type says so.
  int failed = -1;
  switch (format) {
  case LONGBOX_PICTURE_PNG:
    failed = vips_pngload_buffer(buffer, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                 VIPS_FAIL_ON_TRUNCATED, NULL);
    break;
  case LONGBOX_PICTURE_JPEG:
    failed = vips_jpegload_buffer(buffer, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                  VIPS_FAIL_ON_TRUNCATED, NULL);
    break;
  case LONGBOX_PICTURE_GIF:
    failed = vips_gifload_buffer(buffer, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                 VIPS_FAIL_ON_TRUNCATED, NULL);
    break;
  }
  return failed ? NULL : image;
}

// Opens a picture within the pixel limit, and writes its size into the reply; NULL if that fails, with the reason in the
// reply. The caller unrefs the image.
static VipsImage *load(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply) {
  int format = format_of(bytes, request->length);
  if (format == 0) {
    reply->result = LONGBOX_PICTURE_FOREIGN;
    return NULL;
  }
  VipsImage *image = open_picture(bytes, request->length, format);
  if (image == NULL) {
    take_reason(reply);
    reply->result = LONGBOX_PICTURE_DAMAGED;
    return NULL;
  }
  uint64_t width = (uint64_t)vips_image_get_width(image), height = (uint64_t)vips_image_get_page_height(image);
  int is_turned = vips_image_get_orientation_swap(image);
  reply->format = (uint32_t)format;
  reply->width = is_turned ? height : width;
  reply->height = is_turned ? width : height;
  reply->frames = (uint32_t)vips_image_get_n_pages(image);
  if (width * height <= request->pixel_limit)
    return image;
  reply->result = LONGBOX_PICTURE_TOO_LARGE;
  g_object_unref(image);
  return NULL;
}

// ----------------------------------------------------------------------------------------------------- inspecting

// Sums over the pixels read so far.
typedef struct sums {
  uint64_t pixels, coloured, luma;
  int is_transparent;
} sums;

static inline int over_white(int value, int alpha) { return (value * alpha + 255 * (255 - alpha) + 127) / 255; }

// Adds a row of pixels of three or four bytes each: red, green, blue and perhaps alpha.
static void add_row(const VipsPel *row, int width, int bands, int colour_distance, sums *sums) {
  for (int x = 0; x < width; x++, row += bands) {
    int alpha = bands == 4 ? row[3] : 255;
    int red = row[0], green = row[1], blue = row[2];
    if (alpha < 255) {
      sums->is_transparent = 1;
      red = over_white(red, alpha), green = over_white(green, alpha), blue = over_white(blue, alpha);
    }
    int greatest = VIPS_MAX(red, VIPS_MAX(green, blue)), least = VIPS_MIN(red, VIPS_MIN(green, blue));
    sums->coloured += greatest - least > colour_distance;
    sums->luma += (uint64_t)(299 * red + 587 * green + 114 * blue);
  }
  sums->pixels += (uint64_t)width;
}

// Sums up an image, a few rows at a time, so that it is never in memory as a whole.
static int add_image(VipsImage *image, int colour_distance, sums *sums) {
  const int rows = 32;
  int width = vips_image_get_width(image), height = vips_image_get_height(image);
  VipsRegion *region = vips_region_new(image);
  int failed = 0;
  for (int top = 0; top < height && !failed; top += rows) {
    VipsRect strip = {0, top, width, VIPS_MIN(rows, height - top)};
    failed = vips_region_prepare(region, &strip);
    for (int y = top; y < top + strip.height && !failed; y++)
      add_row(VIPS_REGION_ADDR(region, 0, y), width, vips_image_get_bands(image), colour_distance, sums);
  }
  g_object_unref(region);
  return failed;
}

// Converts an image to a byte per channel: red, green, blue, and alpha if it has that.
static int as_bytes(VipsImage *image, VipsImage **result) {
  VipsImage *colours = NULL;
  if (vips_colourspace(image, &colours, VIPS_INTERPRETATION_sRGB, NULL))
    return -1;
  int failed = vips_cast_uchar(colours, result, NULL);
  g_object_unref(colours);
  if (failed || vips_image_get_bands(*result) == 3 || vips_image_get_bands(*result) == 4)
    return failed;
  vips_error("longbox", "the picture has %d channels", vips_image_get_bands(*result));
  g_object_unref(*result);
  return -1;
}

// Finds the facts about a picture; returns -1 if that fails, with the reason in the reply.
static int inspect(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply) {
  VipsImage *image = load(request, bytes, reply), *pixels = NULL;
  if (image == NULL)
    return -1;
  sums sums = {0};
  int failed = as_bytes(image, &pixels);
  if (!failed) {
    failed = add_image(pixels, (int)request->colour_distance, &sums);
    g_object_unref(pixels);
  }
  g_object_unref(image);
  if (failed) {
    take_reason(reply);
    reply->result = LONGBOX_PICTURE_DAMAGED;
    return -1;
  }
  reply->is_transparent = (uint32_t)sums.is_transparent;
  reply->colour_permille = (uint32_t)((sums.coloured * 1000 + sums.pixels - 1) / sums.pixels);
  reply->lightness = (uint32_t)((sums.luma / sums.pixels + 500) / 1000);
  return 0;
}

// ----------------------------------------------------------------------------------------------------- thumbnails

// Replaces an image by the result of a step, or by NULL if the step failed.
static int step(int failed, VipsImage **image, VipsImage *next) {
  g_object_unref(*image);
  *image = failed ? NULL : next;
  return failed;
}

// Copies an image without metadata. "strip" alone leaves a colour profile of 3 kB, which is more than many thumbnails have.
static int without_metadata(VipsImage *image, VipsImage **result) {
  VipsImage *plain = NULL;
  if (vips_copy(image, &plain, NULL))
    return -1;
  static const char *const fields[] = {VIPS_META_ICC_NAME, VIPS_META_EXIF_NAME, VIPS_META_XMP_NAME,
                                       VIPS_META_IPTC_NAME};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    vips_image_remove(plain, fields[i]);
  *result = plain;
  return 0;
}

static int save(VipsImage *image, void **file, size_t *length) {
  VipsImage *plain = NULL;
  if (without_metadata(image, &plain))
    return -1;
  int failed = vips_webpsave_buffer(plain, file, length, "Q", 80, "strip", TRUE, NULL);
  g_object_unref(plain);
  return failed;
}

// Makes an upright image that fits into a box. Rotation reads rows out of order, so it needs the whole picture in memory.
static int upright(VipsImage *image, int width, int height, VipsSize size, VipsImage **result) {
  VipsImage *source = image;
  if (vips_image_get_orientation(image) > 1)
    source = vips_image_copy_memory(image);
  if (source == NULL)
    return -1;
  int failed = vips_thumbnail_image(source, result, width, "height", height, "size", size, NULL);
  if (source != image)
    g_object_unref(source);
  return failed;
}

// Puts a transparent image on white.
static int on_white(VipsImage **image) {
  if (!vips_image_hasalpha(*image))
    return 0;
  VipsImage *next = NULL;
  VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
  int failed = vips_flatten(*image, &next, "background", white, NULL);
  vips_area_unref(VIPS_AREA(white));
  return step(failed, image, next);
}

// Makes a small upright image on white.
static int shrink(VipsImage *image, int width, int height, VipsImage **result) {
  VipsImage *small = NULL, *next = NULL;
  if (upright(image, width, VIPS_MAX_COORD, VIPS_SIZE_DOWN, &small))
    return -1;
  if (vips_image_get_height(small) > height) {
    int failed = vips_crop(small, &next, 0, 0, vips_image_get_width(small), height, NULL);
    if (step(failed, &small, next))
      return -1;
  }
  if (on_white(&small))
    return -1;
  *result = small;
  return 0;
}

// Makes a thumbnail; NULL if that fails, with the reason in the reply.
static uint8_t *thumbnail(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply) {
  VipsImage *image = load(request, bytes, reply), *small = NULL;
  if (image == NULL)
    return NULL;
  void *file = NULL;
  size_t length = 0;
  int failed = shrink(image, (int)request->thumbnail_width, (int)request->thumbnail_height, &small);
  if (!failed) {
    failed = save(small, &file, &length);
    g_object_unref(small);
  }
  g_object_unref(image);
  if (failed) {
    take_reason(reply);
    reply->result = LONGBOX_PICTURE_DAMAGED;
    return NULL;
  }
  reply->output_length = length;
  return file;
}

// ------------------------------------------------------------------------------------------------------- drawings

// Makes an upright image on white, of red, green and blue, that fits into a number of pixels. Symbols gain from more pixels
// than the picture has; other drawings would only get larger.
static int fit(VipsImage *image, int width, int height, int may_grow, VipsImage **result) {
  VipsImage *fitted = NULL, *next = NULL;
  if (upright(image, width, height, may_grow ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN, &fitted) || on_white(&fitted))
    return -1;
  int failed = as_bytes(fitted, &next);
  if (step(failed, &fitted, next))
    return -1;
  *result = fitted;
  return 0;
}

// Draws a picture, or an animation's first frame, for a terminal; NULL if that fails, with the reason in the reply.
static uint8_t *drawing(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply) {
  VipsImage *image = load(request, bytes, reply), *fitted = NULL;
  if (image == NULL)
    return NULL;
  terminal terminal;
  uint8_t *output = NULL;
  if (terminal_of(request, &terminal)) {
    vips_error("longbox", "%s", "the request to draw is malformed");
  } else if (fit(image, terminal.columns * terminal.cell_width, terminal.rows * terminal.cell_height,
                 terminal.drawing == LONGBOX_DRAWING_SYMBOLS, &fitted) == 0) {
    size_t length = 0;
    void *pixels = vips_image_write_to_memory(fitted, &length);
    if (pixels != NULL && length == (size_t)fitted->Xsize * (size_t)fitted->Ysize * 3)
      output = draw(&terminal, pixels, fitted->Xsize, fitted->Ysize, &length);
    g_free(pixels);
    g_object_unref(fitted);
    if (output != NULL)
      reply->output_length = length;
  }
  terminal_free(&terminal);
  g_object_unref(image);
  if (output == NULL) {
    take_reason(reply);
    reply->result = LONGBOX_PICTURE_DAMAGED;
  }
  return output;
}

// ------------------------------------------------------------------------------------------------------- canvases

// Gives grey pixels so few levels that a screen of electronic ink has. What a pixel gets too much or too little of, its neighbours
// make up for (Floyd and Steinberg, 1976), in rows that go forth and back, so that no pattern runs to one side.
static int dither(uint8_t *pixels, int width, int height, int levels) {
  // A row's errors in sixteenths, with a pixel more at each end.
  size_t length = (size_t)width + 2;
  int *errors = calloc(2 * length, sizeof *errors);
  if (errors == NULL)
    return -1;
  int *here = errors + 1, *below = errors + length + 1;
  for (int y = 0; y < height; y++) {
    int step = y % 2 == 0 ? 1 : -1;
    memset(below - 1, 0, length * sizeof *below);
    for (int n = 0; n < width; n++) {
      int x = step == 1 ? n : width - 1 - n;
      uint8_t *pixel = pixels + (size_t)y * (size_t)width + x;
      int wanted = VIPS_CLIP(0, *pixel + here[x] / 16, 255);
      int shown = (wanted * (levels - 1) + 127) / 255 * 255 / (levels - 1);
      *pixel = (uint8_t)shown;
      int error = wanted - shown;
      here[x + step] += 7 * error;
      below[x - step] += 3 * error;
      below[x] += 5 * error;
      below[x + step] += error;
    }
    int *next = here;
    here = below;
    below = next;
  }
  free(errors);
  return 0;
}

// Saves a picture of red, green and blue as PNG in so many greys, with no more bits than they need.
static int save_grey(VipsImage *image, int levels, void **file, size_t *length) {
  VipsImage *grey = NULL, *result = NULL;
  if (vips_colourspace(image, &grey, VIPS_INTERPRETATION_B_W, NULL))
    return -1;
  int width = vips_image_get_width(grey), height = vips_image_get_height(grey);
  size_t count = 0;
  uint8_t *pixels = vips_image_write_to_memory(grey, &count);
  g_object_unref(grey);
  int failed = pixels == NULL || count != (size_t)width * (size_t)height
               || (levels < 256 && dither(pixels, width, height, levels));
  if (!failed)
    result = vips_image_new_from_memory(pixels, count, width, height, 1, VIPS_FORMAT_UCHAR);
  if (result != NULL) {
    int bits = levels == 2 ? 1 : levels == 4 ? 2 : levels == 16 ? 4 : 8;
    failed = vips_pngsave_buffer(result, file, length, "bitdepth", bits, "strip", TRUE, NULL);
    g_object_unref(result);
  }
  g_free(pixels);
  return failed || result == NULL ? -1 : 0;
}

// Saves a picture of red, green and blue as PNG.
static int save_colours(VipsImage *image, void **file, size_t *length) {
  VipsImage *plain = NULL;
  if (without_metadata(image, &plain))
    return -1;
  int failed = vips_pngsave_buffer(plain, file, length, "strip", TRUE, NULL);
  g_object_unref(plain);
  return failed;
}

// Makes a picture, or an animation's first frame, of a given size; NULL if that fails, with the reason in the reply.
static uint8_t *canvas(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply) {
  VipsImage *image = load(request, bytes, reply), *fitted = NULL;
  if (image == NULL)
    return NULL;
  int width = (int)request->thumbnail_width, height = (int)request->thumbnail_height, levels = (int)request->colours;
  const int most = LONGBOX_CANVAS_SIDE;
  void *file = NULL;
  size_t length = 0;
  int failed = width < 0 || width > most || height < 0 || height > most || levels < 0 || levels == 1 || levels > 256;
  if (failed)
    vips_error("longbox", "%s", "the request for a canvas is malformed");
  else
    failed = fit(image, width ? width : most, height ? height : most, width || height, &fitted);
  if (!failed && width && height) {
    VipsImage *next = NULL;
    int left = (width - vips_image_get_width(fitted)) / 2, top = (height - vips_image_get_height(fitted)) / 2;
    failed = vips_embed(fitted, &next, left, top, width, height, "extend", VIPS_EXTEND_WHITE, NULL);
    step(failed, &fitted, next);
  }
  if (!failed)
    failed = levels ? save_grey(fitted, levels, &file, &length) : save_colours(fitted, &file, &length);
  if (fitted != NULL)
    g_object_unref(fitted);
  g_object_unref(image);
  if (failed) {
    take_reason(reply);
    reply->result = LONGBOX_PICTURE_DAMAGED;
    return NULL;
  }
  reply->output_length = length;
  return file;
}

uint8_t *pictures_decode(const longbox_picture_request *request, const uint8_t *bytes, longbox_picture_reply *reply) {
  vips_error_clear();
  if (request->operation == LONGBOX_PICTURE_DRAW)
    return drawing(request, bytes, reply);
  if (request->operation == LONGBOX_PICTURE_CANVAS)
    return canvas(request, bytes, reply);
  if (inspect(request, bytes, reply) || request->thumbnail_width == 0)
    return NULL;
  return thumbnail(request, bytes, reply);
}

void pictures_free(uint8_t *output) { g_free(output); }
