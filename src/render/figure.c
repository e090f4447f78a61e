// Figures: lines over axes with a grid, tick labels, title and legend, drawn into the image of a context.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/context.h"

enum { kGridMost = 20, kLabelRoom = 64 };

// A figure while it is drawn. Pixels are those of the image.
typedef struct Plot_ {
  State* s;
  const snrContext* con;
  snvFigure* fig;
  snrRect rect;            // all of it
  snrRect pane;            // the axes
  double low[2], high[2];  // what they show
  int border;
} Plot;

static int lineCount(const snvFigure* fig, int line) {
  int n = fig->linepnt[line];
  return n < 0 ? 0 : n > snMAXLINEPNT ? snMAXLINEPNT : n;
}

// ---- ranges ----

static void extendRange(const snvFigure* fig, int axis, double* low, double* high) {
  for (int line = 0; line < snMAXLINE; line++) {
    for (int i = 0; i < lineCount(fig, line); i++) {
      double value = fig->linedata[line][2 * i + axis];
      if (!isfinite(value)) continue;
      if (value < *low) *low = value;
      if (value > *high) *high = value;
    }
  }
}

// the range that is asked for, with the data if they extend it or there is none; never empty
static void findRange(Plot* p, int axis) {
  const snvFigure* fig = p->fig;
  double low = fig->range[axis][0], high = fig->range[axis][1];
  int empty = !(low < high);
  if (empty) {
    low = INFINITY;
    high = -INFINITY;
  }
  if (empty || fig->flg_extend) extendRange(fig, axis, &low, &high);
  if (!(low <= high) || !isfinite(low) || !isfinite(high)) low = high = 0;
  if (high - low < 1e-10 * (1 + fabs(low))) {
    low -= axis ? 0.5 : 0;
    high = low + 1;
  }
  p->low[axis] = low;
  p->high[axis] = high;
}

// to multiples of the power of ten below the range
static void widenRange(double* low, double* high) {
  double unit = pow(10, floor(log10(*high - *low)));
  if (!(unit > 0) || !isfinite(unit)) return;
  *low = unit * floor(*low / unit + 1e-6);
  *high = unit * ceil(*high / unit - 1e-6);
}

static void findRanges(Plot* p) {
  findRange(p, 0);
  findRange(p, 1);
  widenRange(p->low + 1, p->high + 1);
  if (p->fig->flg_symmetric) {
    double most = fmax(fabs(p->low[1]), fabs(p->high[1]));
    p->low[1] = -most;
    p->high[1] = most;
  }
  for (int k = 0; k < 2; k++) {
    float* data = k ? p->fig->yaxisdata : p->fig->xaxisdata;
    data[0] = (float)p->low[k];
    data[1] = (float)p->high[k];
  }
}

// ---- labels ----

static int gridLines(const snvFigure* fig, int axis) {
  int n = fig->gridsize[axis];
  return n < 2 ? 0 : n > kGridMost ? kGridMost : n;
}

static int isLabelled(const snvFigure* fig, int axis) {
  return fig->flg_ticklabel[axis] && gridLines(fig, axis) > 0;
}

// A format of the figure with one number, as text. A program may have written any format: only those with a single
// conversion of a real number are used.
static void printTick(char text[kLabelRoom], const char* format, double value) {
  const char* at = strchr(format, '%');
  int sane = at && strlen(format) < 20;
  if (sane) {
    at += 1 + strspn(at + 1, "-+ #0");
    at += strspn(at, "0123456789");
    if (*at == '.') at += 1 + strspn(at + 1, "0123456789");
    sane = *at && strchr("eEfFgG", *at) && !strchr(at, '%') && strlen(format) < 20;
  }
  char kept[20];
  snprintf(kept, sizeof(kept), "%s", sane ? format : "%.2g");
  // a width or precision of three digits would not fit
  for (int i = 0, digits = 0; kept[i]; i++) {
    digits = kept[i] >= '0' && kept[i] <= '9' ? digits + 1 : 0;
    if (digits > 2) snprintf(kept, sizeof(kept), "%%.2g");
  }
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
  snprintf(text, kLabelRoom, kept, value);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}

static double tickValue(const Plot* p, int axis, int i) {
  int n = gridLines(p->fig, axis);
  return p->low[axis] + (p->high[axis] - p->low[axis]) * i / (n - 1);
}

static void tickText(const Plot* p, int axis, int i, char text[kLabelRoom]) {
  printTick(text, axis ? p->fig->yformat : p->fig->xformat, tickValue(p, axis, i));
}

static int textWidth(const Plot* p, const char* text) {
  return snr_textWidth(p->con, snFONT_NORMAL, text);
}

// of the labels beside the vertical axis
static int labelWidth(const Plot* p) {
  char text[kLabelRoom];
  snprintf(text, sizeof(text), "%.19s", p->fig->minwidth);
  int widest = textWidth(p, text);
  for (int i = 0; i < gridLines(p->fig, 1); i++) {
    tickText(p, 1, i, text);
    int width = textWidth(p, text);
    if (width > widest) widest = width;
  }
  return widest;
}

// ---- layout ----

// the axes, from the border inwards: labels of ticks and of the axis, the title
static void layPane(Plot* p) {
  snvFigure* fig = p->fig;
  int height = snr_textHeight(p->con, snFONT_NORMAL), left, bottom, top;
  p->border = height / 2;
  left = p->border + (isLabelled(fig, 1) ? labelWidth(p) + p->border : 0);
  bottom = p->border + (isLabelled(fig, 0) ? height + p->border : 0) +
           (fig->xlabel[0] ? height + height / 4 : 0);
  top = p->border + (fig->title[0] ? height + p->border : 0);
  p->pane.left = p->rect.left + left;
  p->pane.bottom = p->rect.bottom + bottom;
  p->pane.width = p->rect.width - left - p->border;
  p->pane.height = p->rect.height - bottom - top;
  fig->xaxispixel[0] = p->pane.left;
  fig->xaxispixel[1] = p->pane.left + p->pane.width - 1;
  fig->yaxispixel[0] = p->pane.bottom;
  fig->yaxispixel[1] = p->pane.bottom + p->pane.height - 1;
}

// pixel of a value, not rounded
static double place(const Plot* p, int axis, double value) {
  int first = axis ? p->pane.bottom : p->pane.left, count = axis ? p->pane.height : p->pane.width;
  return first + (count - 1) * (value - p->low[axis]) / (p->high[axis] - p->low[axis]);
}

// ---- strokes ----

static snrRect intersect(snrRect a, snrRect b) {
  int right = a.left + a.width < b.left + b.width ? a.left + a.width : b.left + b.width;
  int top = a.bottom + a.height < b.bottom + b.height ? a.bottom + a.height : b.bottom + b.height;
  if (a.left < b.left) a.left = b.left;
  if (a.bottom < b.bottom) a.bottom = b.bottom;
  a.width = right - a.left;
  a.height = top - a.bottom;
  return a;
}

static void fillInside(const Plot* p, snrRect box, const float rgb[3]) {
  const float rgba[4] = {rgb[0], rgb[1], rgb[2], 1};
  snrRect inside = intersect(box, p->pane);
  if (inside.width > 0 && inside.height > 0) snr_fill(p->s, inside, rgba);
}

static int strokeWidth(float width) {
  return width >= 1 ? width < 100 ? (int)(width + 0.5f) : 100 : 1;
}

// A line steps along its longer axis, and is as wide as asked for along the other.
static void drawStroke(const Plot* p, const double a[2], const double b[2], int wide,
                       const float rgb[3]) {
  int along = fabs(b[1] - a[1]) > fabs(b[0] - a[0]), across = !along;
  const double *from = a[along] <= b[along] ? a : b, *to = from == a ? b : a;
  double least = along ? p->pane.bottom : p->pane.left;
  double most = least + (along ? p->pane.height : p->pane.width);
  if (!isfinite(from[0] + from[1] + to[0] + to[1])) return;
  double first = floor(fmax(from[along], least)), last = ceil(fmin(to[along], most));
  for (double k = first; k <= last; k++) {
    double length = to[along] - from[along], t = length > 0 ? (k - from[along]) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double middle = from[across] + t * (to[across] - from[across]);
    if (!(fabs(middle) < 1e6)) continue;
    int start = (int)floor(middle - 0.5 * (wide - 1) + 0.5);
    snrRect box = {along ? start : (int)k, along ? (int)k : start, along ? wide : 1,
                   along ? 1 : wide};
    fillInside(p, box, rgb);
  }
}

static void drawGrid(const Plot* p) {
  int wide = strokeWidth(p->fig->gridwidth);
  for (int axis = 0; axis < 2; axis++) {
    for (int i = 0; i < gridLines(p->fig, axis); i++) {
      int at = (int)floor(place(p, axis, tickValue(p, axis, i)) + 0.5) - wide / 2;
      snrRect box = p->pane;
      *(axis ? &box.bottom : &box.left) = at;
      *(axis ? &box.height : &box.width) = wide;
      fillInside(p, box, p->fig->gridrgb);
    }
  }
}

// bars are separate strokes between each two points
static void drawCurve(const Plot* p, int line) {
  const snvFigure* fig = p->fig;
  int wide = strokeWidth(fig->linewidth), step = fig->flg_barplot ? 2 : 1;
  if (line == fig->highlightid) wide = 3 * wide < 100 ? 3 * wide : 100;
  for (int i = 0; i + 1 < lineCount(fig, line); i += step) {
    const float* data = fig->linedata[line] + 2 * i;
    double a[2] = {place(p, 0, data[0]), place(p, 1, data[1])};
    double b[2] = {place(p, 0, data[2]), place(p, 1, data[3])};
    drawStroke(p, a, b, wide, fig->linergb[line]);
  }
}

// ---- words ----

static void drawWord(const Plot* p, int font, const char* text, int left, int bottom,
                     const float rgb[3]) {
  snr_drawString(p->s, p->con, font, text, left, bottom, rgb);
}

static void drawTicks(const Plot* p) {
  char text[kLabelRoom];
  int height = snr_textHeight(p->con, snFONT_NORMAL), right = p->pane.left + p->pane.width;
  for (int i = 0; isLabelled(p->fig, 0) && i < gridLines(p->fig, 0); i++) {
    tickText(p, 0, i, text);
    int width = textWidth(p, text), left = (int)place(p, 0, tickValue(p, 0, i)) - width / 2;
    if (left < p->pane.left) left = p->pane.left;
    if (left > right - width) left = right - width;
    drawWord(p, snFONT_NORMAL, text, left, p->pane.bottom - p->border - height, p->fig->textrgb);
  }
  for (int i = 0; isLabelled(p->fig, 1) && i < gridLines(p->fig, 1); i++) {
    tickText(p, 1, i, text);
    drawWord(p, snFONT_NORMAL, text, p->pane.left - p->border - textWidth(p, text),
             (int)place(p, 1, tickValue(p, 1, i)) - height / 2, p->fig->textrgb);
  }
}

// One line of a title of several, each of a subplot; the first where there is no such line.
static void titleLine(const snvFigure* fig, char text[200]) {
  const char* from = fig->title;
  for (int k = 0; k < fig->subplot; k++) {
    const char* next = memchr(from, '\n', sizeof(fig->title) - (size_t)(from - fig->title));
    if (!next) break;
    from = next + 1;
  }
  size_t n = 0;
  while (n < 199 && from + n < fig->title + sizeof(fig->title) && from[n] && from[n] != '\n') {
    text[n] = from[n];
    n++;
  }
  text[n] = 0;
}

static void drawTitles(const Plot* p) {
  char text[200];
  int height = snr_textHeight(p->con, snFONT_NORMAL), middle = p->rect.left + p->rect.width / 2;
  titleLine(p->fig, text);
  drawWord(p, snFONT_NORMAL, text, middle - textWidth(p, text) / 2,
           p->rect.bottom + p->rect.height - p->border - height, p->fig->textrgb);
  snprintf(text, sizeof(text), "%.99s", p->fig->xlabel);
  drawWord(p, snFONT_NORMAL, text, middle - textWidth(p, text) / 2, p->rect.bottom + p->border,
           p->fig->textrgb);
}

// names of lines, right aligned; the first ones are left out by an offset
static void drawLegend(const Plot* p) {
  const snvFigure* fig = p->fig;
  int height = snr_textHeight(p->con, snFONT_SHADOW), first = fig->legendoffset, widest = 0, n = 0;
  if (!fig->flg_legend) return;
  if (first < 0) first = 0;
  for (int line = first; line < snMAXLINE; line++) {
    char name[100];
    if (!lineCount(fig, line) || !fig->linename[line][0]) continue;
    snprintf(name, sizeof(name), "%.99s", fig->linename[line]);
    int width = snr_textWidth(p->con, snFONT_SHADOW, name);
    if (width > widest) widest = width;
    n++;
  }
  if (!n) return;
  int right = p->pane.left + p->pane.width, top = p->pane.bottom + p->pane.height;
  snrRect box = {right - widest - 2 * p->border, top - n * height - 2 * p->border,
                 widest + 2 * p->border, n * height + 2 * p->border};
  snr_fill(p->s, intersect(box, p->pane), fig->legendrgba);
  for (int line = first, row = 1; line < snMAXLINE; line++) {
    char name[100];
    if (!lineCount(fig, line) || !fig->linename[line][0]) continue;
    snprintf(name, sizeof(name), "%.99s", fig->linename[line]);
    drawWord(p, snFONT_SHADOW, name, right - p->border - snr_textWidth(p->con, snFONT_SHADOW, name),
             top - p->border - height * row++, fig->linergb[line]);
  }
}

// the point of the highlighted line that is nearest to the mouse, in x
static void drawHighlight(const Plot* p) {
  const snvFigure* fig = p->fig;
  int line = fig->highlightid, nearest = -1;
  static const float kWhite[3] = {1, 1, 1};
  if (line < 0 || line >= snMAXLINE) return;
  double best = INFINITY;
  for (int i = 0; i < lineCount(fig, line); i++) {
    double off = fabs(place(p, 0, fig->linedata[line][2 * i]) - p->rect.left - fig->highlight[0]);
    if (off < best) {
      best = off;
      nearest = i;
    }
  }
  if (nearest < 0) return;
  char text[2 * kLabelRoom + 8], x[kLabelRoom], y[kLabelRoom];
  const float* point = fig->linedata[line] + 2 * nearest;
  printTick(x, fig->xformat, point[0]);
  printTick(y, fig->yformat, point[1]);
  snprintf(text, sizeof(text), "(%s : %s)", x, y);
  drawWord(p, snFONT_SHADOW, text, (int)place(p, 0, point[0]), (int)place(p, 1, point[1]), kWhite);
}

static void drawSelection(const Plot* p) {
  static const float kWhite[3] = {1, 1, 1};
  double x = place(p, 0, p->fig->selection);
  if (!p->fig->flg_selection || !(fabs(x) < 1e6)) return;
  int wide = strokeWidth(p->fig->linewidth);
  snrRect box = {(int)floor(x + 0.5) - wide / 2, p->pane.bottom, wide, p->pane.height};
  fillInside(p, box, kWhite);
}

void snr_figure(snrRect viewport, snvFigure* fig, const snrContext* con) {
  Plot p;
  memset(&p, 0, sizeof(p));
  p.s = snr_state(con, "snr_figure");
  p.con = con;
  p.fig = fig;
  p.rect = viewport;
  if (!p.s || viewport.width <= 0 || viewport.height <= 0) return;
  findRanges(&p);
  layPane(&p);
  snr_fill(p.s, viewport, fig->figurergba);
  if (p.pane.width < 2 || p.pane.height < 2) return;  // no room for axes
  snr_fill(p.s, p.pane, fig->panergba);
  drawGrid(&p);
  for (int line = 0; line < snMAXLINE; line++) drawCurve(&p, line);
  drawSelection(&p);
  drawLegend(&p);
  drawTicks(&p);
  drawTitles(&p);
  drawHighlight(&p);
}
