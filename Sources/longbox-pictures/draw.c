// Longbox
// SPDX-License-Identifier: MIT

#include "draw.h"

#include <string.h>

// How a terminal shows pictures, by what its database entry can do; the best comes first.
static int best_drawing(ChafaTermInfo *info) {
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
    return LONGBOX_DRAWING_KITTY;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE))
    return LONGBOX_DRAWING_ITERM2;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS))
    return LONGBOX_DRAWING_SIXEL;
  return LONGBOX_DRAWING_SYMBOLS;
}

static ChafaCanvasMode best_colours(ChafaTermInfo *info) {
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT))
    return CHAFA_CANVAS_MODE_TRUECOLOR;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256))
    return CHAFA_CANVAS_MODE_INDEXED_240;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16))
    return CHAFA_CANVAS_MODE_INDEXED_16;
  return CHAFA_CANVAS_MODE_FGBG;
}

static int is_prefix(const char *prefix, const char *text) { return strncmp(text, prefix, strlen(prefix)) == 0; }

// Inside tmux and screen, the variables of the terminal around them may still be there, but pictures don't get through.
static int is_multiplexed(void) {
  const char *name = g_getenv("TERM");
  return g_getenv("TMUX") != NULL || (name != NULL && (is_prefix("tmux", name) || is_prefix("screen", name)));
}

static ChafaCanvasMode mode_of(uint32_t colours, ChafaTermInfo *info) {
  switch (colours) {
  case LONGBOX_COLOURS_NONE:
    return CHAFA_CANVAS_MODE_FGBG;
  case LONGBOX_COLOURS_16:
    return CHAFA_CANVAS_MODE_INDEXED_16;
  case LONGBOX_COLOURS_256:
    return CHAFA_CANVAS_MODE_INDEXED_240;
  case LONGBOX_COLOURS_ALL:
    return CHAFA_CANVAS_MODE_TRUECOLOR;
  default:
    return best_colours(info);
  }
}

int terminal_of(const longbox_picture_request *request, terminal *terminal) {
  memset(terminal, 0, sizeof *terminal);
  if (request->columns < 1 || request->columns > 1000 || request->rows < 1 || request->rows > 1000
      || request->cell_width < 1 || request->cell_width > 64 || request->cell_height < 1 || request->cell_height > 64
      || request->drawing > LONGBOX_DRAWING_AUTO || request->colours > LONGBOX_COLOURS_AUTO)
    return -1;
  terminal->columns = (int)request->columns;
  terminal->rows = (int)request->rows;
  terminal->cell_width = (int)request->cell_width;
  terminal->cell_height = (int)request->cell_height;
  ChafaTermDb *database = chafa_term_db_get_default();
  gchar **environment = g_get_environ();
  terminal->sequences = chafa_term_db_detect(database, environment);
  g_strfreev(environment);
  terminal->drawing = (int)request->drawing;
  if (request->drawing == LONGBOX_DRAWING_AUTO)
    terminal->drawing = is_multiplexed() ? LONGBOX_DRAWING_SYMBOLS : best_drawing(terminal->sequences);
  terminal->colours = mode_of(request->colours, terminal->sequences);
  // A reader may know better than the variables what the terminal can show.
  ChafaTermInfo *all = chafa_term_db_get_fallback_info(database);
  chafa_term_info_supplement(terminal->sequences, all);
  chafa_term_info_unref(all);
  return 0;
}

void terminal_free(terminal *terminal) {
  if (terminal->sequences != NULL)
    chafa_term_info_unref(terminal->sequences);
  terminal->sequences = NULL;
}

static ChafaPixelMode pixel_mode(int drawing) {
  switch (drawing) {
  case LONGBOX_DRAWING_SIXEL:
    return CHAFA_PIXEL_MODE_SIXELS;
  case LONGBOX_DRAWING_KITTY:
    return CHAFA_PIXEL_MODE_KITTY;
  case LONGBOX_DRAWING_ITERM2:
    return CHAFA_PIXEL_MODE_ITERM2;
  default:
    return CHAFA_PIXEL_MODE_SYMBOLS;
  }
}

// Rounds up, so that the last row or column of pixels has a cell.
static int cells(int pixels, int size, int most) {
  int count = (pixels + size - 1) / size;
  return count < 1 ? 1 : count > most ? most : count;
}

// Copies rows of red, green and blue so that each begins at a multiple of four bytes. libchafa's scaler rounds other distances
// between rows down, which slants the picture.
static uint8_t *aligned_rows(const uint8_t *pixels, int width, int height, int *stride) {
  size_t row = (size_t)width * 3;
  *stride = (int)((row + 3) / 4 * 4);
  uint8_t *rows = g_malloc0_n((size_t)height, (size_t)*stride);
  for (int y = 0; y < height; y++)
    memcpy(rows + (size_t)y * (size_t)*stride, pixels + (size_t)y * row, row);
  return rows;
}

uint8_t *draw(const terminal *terminal, const uint8_t *pixels, int width, int height, size_t *length) {
  // One thread is fast enough, and needs no second stack.
  chafa_set_n_threads(1);
  ChafaSymbolMap *symbols = chafa_symbol_map_new();
  chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_QUAD);
  if (terminal->colours == CHAFA_CANVAS_MODE_FGBG)
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BRAILLE);
  ChafaCanvasConfig *config = chafa_canvas_config_new();
  chafa_canvas_config_set_geometry(config, cells(width, terminal->cell_width, terminal->columns),
                                   cells(height, terminal->cell_height, terminal->rows));
  chafa_canvas_config_set_cell_geometry(config, terminal->cell_width, terminal->cell_height);
  chafa_canvas_config_set_pixel_mode(config, pixel_mode(terminal->drawing));
  chafa_canvas_config_set_canvas_mode(
      config, terminal->drawing == LONGBOX_DRAWING_SYMBOLS ? terminal->colours : CHAFA_CANVAS_MODE_TRUECOLOR);
  chafa_canvas_config_set_symbol_map(config, symbols);
  chafa_canvas_config_set_work_factor(config, 0.5f);
  if (terminal->colours == CHAFA_CANVAS_MODE_FGBG) {
    // Ink is dark on paper; without colours the terminal's own ink draws it.
    chafa_canvas_config_set_fg_color(config, 0x000000);
    chafa_canvas_config_set_bg_color(config, 0xFFFFFF);
  }
  ChafaCanvas *canvas = chafa_canvas_new(config);
  int stride;
  uint8_t *rows = aligned_rows(pixels, width, height, &stride);
  chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGB8, rows, width, height, stride);
  GString *text = chafa_canvas_print(canvas, terminal->sequences);
  chafa_canvas_unref(canvas);
  g_free(rows);
  chafa_canvas_config_unref(config);
  chafa_symbol_map_unref(symbols);
  *length = text->len;
  return (uint8_t *)g_string_free(text, FALSE);
}
