// Animated GIF: 255 colours chosen from the first image, pixels that do not change left out.

#include <stdlib.h>
#include <string.h>

#include "film.h"

enum { COLORS = 255, UNCHANGED = 255, CELLS = 1 << 15, CODES = 4096, MIN_BITS = 8 };

struct Gif_ {
  FILE* file;
  int width, height, delay;
  int frames;
  unsigned char palette[256][3];
  unsigned char nearest[CELLS];  // colour of a cell of 5 + 5 + 5 bits
  unsigned char* before;         // colours of the last image
  unsigned char* now;
  unsigned short next[CODES][256];  // code of a code followed by a colour, 0: none
  unsigned char block[256];         // bytes that wait to be written
  int waiting;
  unsigned bits;
  int nbit;
};

static void put16(Gif* g, int value) {
  fputc(value & 255, g->file);
  fputc(value >> 8 & 255, g->file);
}

Gif* gifOpen(FILE* file, int width, int height, int centiseconds) {
  Gif* g = calloc(1, sizeof(*g));
  if (!g) return NULL;
  g->file = file;
  g->width = width;
  g->height = height;
  g->delay = centiseconds;
  g->before = calloc(2, (size_t)width * height);
  if (!g->before) {
    free(g);
    return NULL;
  }
  g->now = g->before + (size_t)width * height;
  return g;
}

// ---- colours: median cut over cells of 5 + 5 + 5 bits ----

typedef struct Box_ {
  int low[3], high[3];
  long count;
} Box;

static int cellOf(const int c[3]) { return c[0] << 10 | c[1] << 5 | c[2]; }

// shrink a box to the cells in use and count their pixels
static void fitBox(Box* b, const unsigned* histogram) {
  Box fit = {{31, 31, 31}, {0, 0, 0}, 0};
  int c[3];
  for (c[0] = b->low[0]; c[0] <= b->high[0]; c[0]++) {
    for (c[1] = b->low[1]; c[1] <= b->high[1]; c[1]++) {
      for (c[2] = b->low[2]; c[2] <= b->high[2]; c[2]++) {
        unsigned n = histogram[cellOf(c)];
        if (!n) continue;
        fit.count += n;
        for (int i = 0; i < 3; i++) {
          if (c[i] < fit.low[i]) fit.low[i] = c[i];
          if (c[i] > fit.high[i]) fit.high[i] = c[i];
        }
      }
    }
  }
  *b = fit;
}

static int longestSide(const Box* b) {
  int best = 0;
  for (int i = 1; i < 3; i++) {
    if (b->high[i] - b->low[i] > b->high[best] - b->low[best]) best = i;
  }
  return best;
}

// pixels of a box with a coordinate up to the given one
static long countUpTo(const Box* b, const unsigned* histogram, int side, int limit) {
  Box part = *b;
  part.high[side] = limit;
  fitBox(&part, histogram);
  return part.count;
}

static void splitBox(Box* b, Box* other, const unsigned* histogram) {
  int side = longestSide(b), cut = b->low[side];
  while (cut + 1 < b->high[side] && 2 * countUpTo(b, histogram, side, cut) < b->count) cut++;
  *other = *b;
  b->high[side] = cut;
  other->low[side] = cut + 1;
  fitBox(b, histogram);
  fitBox(other, histogram);
}

static void findNearest(Gif* g, int ncolor) {
  for (int cell = 0; cell < CELLS; cell++) {
    int rgb[3] = {cell >> 10 << 3 | 4, (cell >> 5 & 31) << 3 | 4, (cell & 31) << 3 | 4},
        best = 1 << 30;
    for (int k = 0; k < ncolor; k++) {
      int far = 0;
      for (int i = 0; i < 3; i++) far += (rgb[i] - g->palette[k][i]) * (rgb[i] - g->palette[k][i]);
      if (far < best) {
        best = far;
        g->nearest[cell] = (unsigned char)k;
      }
    }
  }
}

static int cellOfPixel(const unsigned char* p) {
  return p[0] >> 3 << 10 | p[1] >> 3 << 5 | p[2] >> 3;
}

static void choosePalette(Gif* g, const unsigned char* rgb) {
  static unsigned histogram[CELLS];
  Box box[COLORS] = {{{0, 0, 0}, {31, 31, 31}, 0}};
  int n = 1;
  memset(histogram, 0, sizeof(histogram));
  for (long i = 0; i < (long)g->width * g->height; i++) histogram[cellOfPixel(rgb + 3 * i)]++;
  fitBox(box, histogram);
  while (n < COLORS) {
    int best = -1;
    double most = 0;
    for (int k = 0; k < n; k++) {  // many pixels and a long side
      int side = longestSide(box + k), length = box[k].high[side] - box[k].low[side];
      if (length * (double)box[k].count > most) {
        most = length * (double)box[k].count;
        best = k;
      }
    }
    if (best < 0) break;
    splitBox(box + best, box + n++, histogram);
  }
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 3; i++) {
      int middle = (box[k].low[i] + box[k].high[i] + 1) * 4;
      g->palette[k][i] = (unsigned char)(middle > 255 ? 255 : middle);
    }
  }
  findNearest(g, n);
}

// ---- compression ----

static void flushBlock(Gif* g) {
  if (!g->waiting) return;
  fputc(g->waiting, g->file);
  fwrite(g->block, 1, (size_t)g->waiting, g->file);
  g->waiting = 0;
}

static void putCode(Gif* g, int code, int size) {
  g->bits |= (unsigned)code << g->nbit;
  for (g->nbit += size; g->nbit >= 8; g->nbit -= 8) {
    g->block[g->waiting++] = (unsigned char)g->bits;
    g->bits >>= 8;
    if (g->waiting == 255) flushBlock(g);
  }
}

static void compress(Gif* g, const unsigned char* pixels) {
  const int clear = 1 << MIN_BITS;
  int size = MIN_BITS + 1, last = clear + 1, code = pixels[0];
  fputc(MIN_BITS, g->file);
  memset(g->next, 0, sizeof(g->next));
  putCode(g, clear, size);
  for (long i = 1; i < (long)g->width * g->height; i++) {
    unsigned short* next = &g->next[code][pixels[i]];
    if (*next) {
      code = *next;
      continue;
    }
    putCode(g, code, size);
    code = pixels[i];
    if (last + 1 < CODES) {
      *next = (unsigned short)++last;
      if (last == 1 << size && size < 12) size++;
    } else {
      putCode(g, clear, size);
      memset(g->next, 0, sizeof(g->next));
      size = MIN_BITS + 1;
      last = clear + 1;
    }
  }
  putCode(g, code, size);
  putCode(g, clear + 1, size);
  if (g->nbit) putCode(g, 0, 8 - g->nbit);
  flushBlock(g);
  fputc(0, g->file);
}

static void writeHeader(Gif* g) {
  fputs("GIF89a", g->file);
  put16(g, g->width);
  put16(g, g->height);
  fputs("\xf7", g->file);  // 256 colours
  fputc(0, g->file);
  fputc(0, g->file);
  fwrite(g->palette, 1, sizeof(g->palette), g->file);
  fwrite("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", 1, 19, g->file);  // for ever
}

void gifFrame(Gif* g, const unsigned char* rgb) {
  if (!g->frames) {
    choosePalette(g, rgb);
    writeHeader(g);
  }
  long count = (long)g->width * g->height;
  for (long i = 0; i < count; i++) {
    int color = g->nearest[cellOfPixel(rgb + 3 * i)];
    g->now[i] = (unsigned char)(g->frames && color == g->before[i] ? UNCHANGED : color);
    g->before[i] = (unsigned char)color;
  }
  fwrite("\x21\xf9\x04\x05", 1, 4, g->file);  // keep what is there, one colour is transparent
  put16(g, g->delay);
  fputc(UNCHANGED, g->file);
  fputc(0, g->file);
  fputc(0x2c, g->file);
  put16(g, 0);
  put16(g, 0);
  put16(g, g->width);
  put16(g, g->height);
  fputc(0, g->file);
  compress(g, g->now);
  g->frames++;
}

void gifClose(Gif* g) {
  if (!g) return;
  fputc(0x3b, g->file);
  free(g->before);
  free(g);
}
