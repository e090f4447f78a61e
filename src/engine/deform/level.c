// Contacts of faces in levels, so that a team solves some at the same time.
//
// Faces share vertices, and what touches a body that can move shares the body. A contact stands in the first level behind
// those of all contacts before it with which it shares anything: level after level gives the same bits as one
// contact after the other.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/deform/deform.h"

// the level of contact i: behind all levels of those before it that it has something in common with
static int levelOf(const snModel* m, const snData* d, const snDeform* s, int i) {
  const int* vert = m->deformface_vert + 3 * d->deformcon_face[i];
  int body = m->geom_bodyid[d->deformcon_geom[i]], level = 0;
  int *last = s->levels.last, *bodyLast = last + m->ndeformvert + body;
  for (int c = 0; c < 3 && vert[c] >= 0; c++) {
    if (last[vert[c]] > level) level = last[vert[c]];
  }
  if (s->mover[body].invmass != 0 && *bodyLast > level) level = *bodyLast;
  for (int c = 0; c < 3 && vert[c] >= 0; c++) last[vert[c]] = level + 1;
  *bodyLast = level + 1;
  return level;
}

// by one lane: levels, and their contacts in the order of these
static void sortLevels(const snModel* m, const snData* d, const snDeform* s) {
  const snDeformLevels* levels = &s->levels;
  int first = s->nvertcon, n = 0, *start = levels->start;
  for (int i = first; i < d->ndeformcon; i++) {
    int level = levelOf(m, d, s, i);
    if (level == n) start[++n] = 0;
    start[level + 1]++;
    levels->level[i - first] = level;
  }
  start[0] = 0;
  for (int level = 0; level < n; level++) start[level + 1] += start[level];
  for (int i = d->ndeformcon - 1; i >= first; i--) {  // from the end of each level
    levels->item[--start[levels->level[i - first] + 1]] = i;
  }
  for (int level = 0; level < n; level++) start[level] = start[level + 1];
  start[n] = d->ndeformcon - first;
  levels->n[0] = n;
}

int sn_takeDeformLevels(const snModel* m, snData* d, snDeform* s) {
  snDeformLevels* levels = &s->levels;
  int n = d->ndeformcon - s->nvertcon, nlast = (int)(m->ndeformvert + m->nbody);
  if (SN_LANES == 1 || !n) return 1;
  levels->n = SN_STACK(d, int, 1);
  levels->last = SN_STACK(d, int, nlast);
  levels->level = SN_STACK(d, int, n);
  levels->item = SN_STACK(d, int, n);
  levels->start = SN_STACK(d, int, n + 1);
  if (!levels->n || !levels->last || !levels->level || !levels->item || !levels->start) return 0;
  SN_FOR(i, nlast) levels->last[i] = 0;
  SN_SYNC();
  SN_SOLO(sortLevels(m, d, s));
  return 1;
}
