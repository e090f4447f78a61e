// Colours of constraints: those of one colour share no vertex.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "compile/deform.h"

enum { BATCH = 64 };  // colours that are tried at once: bits of a word

// constraints of a kind of all deformables, with vertices of the model
static int gather(snCompiler* c, int kind, snDeformCons* all) {
  size_t n = 0;
  for (int i = 0; i < c->ndeformable; i++) n += (size_t)c->deformables[i].con[kind].n;
  if (n > (size_t)1 << 28) return sn_itemError(c, NULL, "the model is too large");
  all->item = SN_ITEMS(c, snDeformCon, n + 1);
  if (!all->item) return -1;
  all->n = 0;
  for (int i = 0; i < c->ndeformable; i++) {
    const snDeformItem* item = c->deformables + i;
    for (int k = 0; k < item->con[kind].n; k++) {
      snDeformCon* con = all->item + all->n++;
      *con = item->con[kind].item[k];
      for (int v = 0; v < (sn_deformWidth(kind)); v++) con->vert[v] += item->first;
    }
  }
  SN_ASSERT(all->n == (int)n);
  return 0;
}

// Give each constraint the first colour that none of its vertices has, in batches of colours; returns how
// many there are.
static int paint(const snDeformCons* all, int width, uint64_t* used, int nvert, int* color) {
  int left = all->n, ncolor = 0;
  for (int i = 0; i < all->n; i++) color[i] = -1;
  for (int base = 0; left; base += BATCH) {
    memset(used, 0, (size_t)nvert * sizeof(uint64_t));
    for (int i = 0; i < all->n; i++) {
      uint64_t taken = 0;
      int bit = 0;
      if (color[i] >= 0) continue;
      for (int k = 0; k < width; k++) SN_ASSERT_INDEX(all->item[i].vert[k], nvert);
      for (int k = 0; k < width; k++) taken |= used[all->item[i].vert[k]];
      while (bit < BATCH && taken >> bit & 1) bit++;
      if (bit == BATCH) continue;
      for (int k = 0; k < width; k++) used[all->item[i].vert[k]] |= (uint64_t)1 << bit;
      color[i] = base + bit;
      if (color[i] >= ncolor) ncolor = color[i] + 1;
      left--;
    }
  }
  return ncolor;
}

static int colorKind(snCompiler* c, int kind, int nvert) {
  struct snDeformColors_* colors = c->deformcolors;
  snDeformCons all = {NULL, 0}, *sorted = colors->con + kind;
  SN_TRY(gather(c, kind, &all));
  uint64_t* used = SN_ITEMS(c, uint64_t, nvert + 1);
  int* color = SN_ITEMS(c, int, all.n + 1);
  sorted->item = SN_ITEMS(c, snDeformCon, all.n + 1);
  if (!used || !color || !sorted->item) return -1;
  int ncolor = paint(&all, sn_deformWidth(kind), used, nvert, color);
  int* place = SN_ITEMS(c, int, ncolor + 2);
  colors->colornum[kind] = SN_ITEMS(c, int, ncolor + 1);
  if (!place || !colors->colornum[kind]) return -1;
  for (int i = 0; i < all.n; i++) {
    colors->colornum[kind][color[i]]++;
    place[color[i] + 1]++;
  }
  for (int i = 0; i < ncolor; i++) place[i + 1] += place[i];
  for (int i = 0; i < all.n; i++) sorted->item[place[color[i]]++] = all.item[i];
  SN_ASSERT(!ncolor || place[ncolor - 1] == all.n);
  sorted->n = all.n;
  colors->ncolor[kind] = ncolor;
  return 0;
}

int sn_colorDeformables(snCompiler* c) {
  snSize nvert = 0;
  c->deformcolors = SN_ITEMS(c, struct snDeformColors_, 1);
  if (!c->deformcolors) return -1;
  for (int i = 0; i < c->ndeformable; i++) {
    c->deformables[i].first = (int)nvert;
    nvert += c->deformables[i].nvert;
    if (nvert > (snSize)1 << 28) return sn_itemError(c, NULL, "the model is too large");
  }
  for (int kind = 0; kind < snDEFORM_KINDS; kind++) SN_TRY(colorKind(c, kind, (int)nvert));
  return 0;
}
