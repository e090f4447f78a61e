// Text in images, in a font of our own with the metrics of MuJoCo's.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/context.h"
#include "render/font.h"

// heights of the normal and the big font, by scale 50, 100, ..., 300
static const int kHeight[2][6] = {{11, 18, 28, 37, 45, 54}, {18, 37, 54, 71, 89, 106}};
// widths of letters of one stem (i, l), of most, of wide ones (m, w), of spaces
static const int kNarrow[2][6] = {{3, 4, 5, 7, 9, 11}, {4, 7, 11, 14, 15, 18}};
static const int kUsual[2][6] = {{8, 10, 15, 19, 24, 28}, {10, 19, 28, 36, 46, 54}};
static const int kWide[2][6] = {{10, 14, 21, 26, 33, 40}, {14, 26, 40, 51, 64, 77}};
static const int kSpace[2][6] = {{3, 4, 6, 8, 10, 11}, {4, 8, 11, 15, 18, 22}};

static int charWidth(int c, int big, int scale) {
  if (c == ' ') return kSpace[big][scale];
  if (strchr("ijl!'|.,:;", c)) return kNarrow[big][scale];
  return strchr("mwMW@%", c) ? kWide[big][scale] : kUsual[big][scale];
}

void snr_changeFont(int fontscale, snrContext* con) {
  if (fontscale < 50 || fontscale > 300 || fontscale % 50) {
    snu_error("Invalid fontscale");
    return;
  }
  int scale = fontscale / 50 - 1;
  con->fontScale = fontscale;
  con->charHeight = kHeight[0][scale];
  con->charHeightBig = kHeight[1][scale];
  for (int c = 32; c < 127; c++) {
    con->charWidth[c] = charWidth(c, 0, scale);
    con->charWidthBig[c] = charWidth(c, 1, scale);
  }
}

static int isPrinted(char c) { return c >= 32 && c < 127; }

// sizes are in the context, where a program may write any number
static int bounded(int pixels) { return pixels < 0 ? 0 : pixels > 1000 ? 1000 : pixels; }

static int widthOf(const snrContext* con, int font, char c) {
  if (!isPrinted(c)) return 0;
  return bounded(font == snFONT_BIG ? con->charWidthBig[(int)c] : con->charWidth[(int)c]);
}

static int heightOf(const snrContext* con, int font) {
  return bounded(font == snFONT_BIG ? con->charHeightBig : con->charHeight);
}

// width of a line: up to its end
static int lineWidth(const snrContext* con, int font, const char* text, int length) {
  int width = 0;
  for (int i = 0; i < length; i++) width += widthOf(con, font, text[i]);
  return width;
}

// ---- glyphs ----

typedef struct Pen_ {
  State* s;
  const snrContext* con;
  int font;
  snByte rgb[3];
} Pen;

static void setColor(Pen* pen, float r, float g, float b) {
  const float rgb[3] = {r, g, b};
  for (int c = 0; c < 3; c++) pen->rgb[c] = snr_toByte(rgb[c]);
}

// dots of a glyph as rectangles of pixels; letters stand on a quarter of the height
static void drawGlyph(const Pen* pen, char c, int left, int bottom) {
  const snByte* rows = kGlyph[c - 32];
  int width = widthOf(pen->con, pen->font, c), height = heightOf(pen->con, pen->font);
  int base = height / 4, tall = height - base - height / 8;
  for (int y = 0; y < tall; y++) {
    int row = 6 - y * 7 / tall;
    for (int x = 0; x < width - 1; x++) {
      int column = x * 5 / (width - 1), px = left + x, py = bottom + base + y;
      if (!(rows[row] >> (4 - column) & 1)) continue;
      if (px < 0 || py < 0 || px >= pen->s->width || py >= pen->s->height) continue;
      memcpy(pen->s->rgb + 3 * ((size_t)py * pen->s->width + px), pen->rgb, 3);
    }
  }
}

static void drawLine(const Pen* pen, const char* text, int length, int left, int bottom) {
  for (int i = 0; i < length; i++) {
    if (isPrinted(text[i])) drawGlyph(pen, text[i], left, bottom);
    left += widthOf(pen->con, pen->font, text[i]);
  }
}

// text, with a halo of black dots for the font with a shadow
static void drawText(Pen* pen, const char* text, int length, int left, int bottom) {
  if (pen->font == snFONT_SHADOW) {
    Pen halo = *pen;
    setColor(&halo, 0, 0, 0);
    for (int k = 0; k < 9; k++) drawLine(&halo, text, length, left + k % 3 - 1, bottom + k / 3 - 1);
  }
  drawLine(pen, text, length, left, bottom);
}

static int lineLength(const char* text) {
  int n = 0;
  while (text[n] && text[n] != '\n') n++;
  return n;
}

// ---- functions ----

int snr_textWidth(const snrContext* con, int font, const char* text) {
  return lineWidth(con, font, text, (int)strlen(text));
}

int snr_textHeight(const snrContext* con, int font) { return heightOf(con, font); }

void snr_drawString(State* s, const snrContext* con, int font, const char* text, int left,
                    int bottom, const float rgb[3]) {
  Pen pen = {s, con, font, {0}};
  setColor(&pen, rgb[0], rgb[1], rgb[2]);
  drawText(&pen, text, (int)strlen(text), left, bottom);
}

void snr_text(int font, const char* txt, const snrContext* con, float x, float y, float r, float g,
              float b) {
  Pen pen = {snr_state(con, "snr_text"), con, font, {0}};
  if (!pen.s || !(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return;
  const snrRect* v = &pen.s->viewport;
  setColor(&pen, r, g, b);
  drawText(&pen, txt, (int)strlen(txt), v->left + (int)(x * v->width),
           v->bottom + (int)(y * v->height));
}

void snr_label(snrRect viewport, int font, const char* txt, float r, float g, float b, float a,
               float rt, float gt, float bt, const snrContext* con) {
  Pen pen = {snr_state(con, "snr_label"), con, font, {0}};
  const float rgba[4] = {r, g, b, a};
  if (!pen.s) return;
  snr_fill(pen.s, viewport, rgba);
  setColor(&pen, rt, gt, bt);
  int length = (int)strlen(txt), width = lineWidth(con, font, txt, length);
  drawText(&pen, txt, length, viewport.left + (viewport.width - width) / 2,
           viewport.bottom + (viewport.height - heightOf(con, font)) / 2);
}

// size of the box of a text of several lines
static void boxSize(const snrContext* con, int font, const char* text, int* width, int* height) {
  int widest = 0, lines = 1;
  for (const char* at = text;; at++) {
    int length = lineLength(at), w = lineWidth(con, font, at, length);
    if (w > widest) widest = w;
    at += length;
    if (!*at) break;
    lines++;
  }
  *width = 13 + widest;
  *height = 5 + heightOf(con, font) + (lines - 1) * (heightOf(con, font) + 5);
}

// lower left corner of a box in the grid of a rectangle
static void boxPlace(int gridpos, snrRect rect, int width, int height, int skip, int* left,
                     int* bottom) {
  int right =
      gridpos == snGRID_TOPRIGHT || gridpos == snGRID_BOTTOMRIGHT || gridpos == snGRID_RIGHT;
  int center = gridpos == snGRID_TOP || gridpos == snGRID_BOTTOM;
  int top = gridpos == snGRID_TOPLEFT || gridpos == snGRID_TOPRIGHT || gridpos == snGRID_TOP;
  int middle = gridpos == snGRID_LEFT || gridpos == snGRID_RIGHT;
  *left = rect.left + 5 + skip;
  if (right) *left = rect.left + rect.width - 6 - width - skip;
  if (center) *left = rect.left + (rect.width - width) / 2 - 6 + skip;
  *bottom = rect.bottom + 5;
  if (top) *bottom = rect.bottom + rect.height - 6 - height;
  if (middle) *bottom = rect.bottom + (rect.height - height) / 2 - 6;
}

// one column of an overlay; its width
static int drawColumn(Pen* pen, int gridpos, snrRect rect, const char* text, int skip) {
  char kept[snMAXOVERLAY + 1];
  static const float kShade[4] = {0, 0, 0, 0.5f};
  int width, height, left, bottom;
  snprintf(kept, sizeof(kept), "%s", text);
  boxSize(pen->con, pen->font, kept, &width, &height);
  boxPlace(gridpos, rect, width, height, skip, &left, &bottom);
  snrRect box = {left, bottom, width, height};
  snr_fill(pen->s, box, kShade);
  int line = heightOf(pen->con, pen->font), y = bottom + height - line - 2;
  for (const char* at = kept;; at++, y -= line + 5) {
    int length = lineLength(at);
    drawText(pen, at, length, left + 3, y);
    at += length;
    if (!*at) break;
  }
  return width;
}

void snr_overlay(int font, int gridpos, snrRect viewport, const char* overlay, const char* overlay2,
                 const snrContext* con) {
  Pen pen = {snr_state(con, "snr_overlay"), con, font, {0}};
  if (!pen.s || !overlay) return;
  if (!overlay2 || !overlay2[0]) {
    setColor(&pen, 1, 1, 1);
    drawColumn(&pen, gridpos, viewport, overlay, 0);
    return;
  }
  // the column nearer to the border comes first
  int left = gridpos == snGRID_TOPLEFT || gridpos == snGRID_BOTTOMLEFT;
  float shade[2] = {left ? 0.7f : 1, left ? 1 : 0.7f};
  setColor(&pen, shade[0], shade[0], shade[0]);
  int width = drawColumn(&pen, gridpos, viewport, left ? overlay : overlay2, 0);
  setColor(&pen, shade[1], shade[1], shade[1]);
  drawColumn(&pen, gridpos, viewport, left ? overlay2 : overlay, width - 2);
}

void snr_drawLabels(State* s, const snrContext* con, const snvScene* scn, snrRect viewport) {
  Pen pen = {s, con, snFONT_SHADOW, {255, 255, 255}};
  const View* view = &s->frame.view;
  for (int i = 0; i < scn->ngeom; i++) {
    const snvGeom* g = scn->geoms + i;
    double h[4];
    if (!g->label[0]) continue;
    snr_project(view, g->pos, h);
    if (!(h[3] > 0) || !(h[2] <= h[3])) continue;
    double x = h[0] / h[3], y = h[1] / h[3];
    if (!(x >= 0 && y >= 0 && x < viewport.width && y < viewport.height)) continue;
    int length = 0;
    while (length < (int)sizeof(g->label) && g->label[length]) length++;
    drawText(&pen, g->label, length, viewport.left + (int)x, viewport.bottom + (int)y);
  }
}
