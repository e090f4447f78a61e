#include "engine/collide/convex_query.h"

#include "base/arena.h"
#include "sinew/sinew.h"

void sn_ccdBegin(snCcd* ccd, const snModel* m, snData* d, snConvex* object1, snConvex* object2) {
  ccd->object1 = object1;
  ccd->object2 = object2;
  ccd->m = m;
  ccd->d = d;
  ccd->tolerance = m->opt.ccd_tolerance;
  ccd->iterations = m->opt.ccd_iterations < 0 ? 0 : m->opt.ccd_iterations;
  if (ccd->iterations > SN_CCD_MOST) ccd->iterations = SN_CCD_MOST;
  ccd->cutoff = 0;
  ccd->maxpoints = 1;
  ccd->bytes = sn_epaBytes(ccd->iterations);
  int several = m->opt.enableflags & snENBL_MULTICCD;  // the polytope is followed by polygons
  if (several && ccd->bytes < SN_MANIFOLD_BYTES) ccd->bytes = SN_MANIFOLD_BYTES;
  ccd->full = 0;
}

static int isRound(const snConvex* object) {
  return object->kind == snGEOM_SPHERE || object->kind == snGEOM_CAPSULE;
}

// Replace a sphere by its centre, a capsule by its segment; returns the thickness taken away.
static snReal shrink(snConvex* object) {
  if (!isRound(object)) return 0;
  snReal thickness = object->size[0] + (snReal)0.5 * object->margin;
  object->kind = object->kind == snGEOM_SPHERE ? snCONVEX_POINT : snCONVEX_SEGMENT;
  object->margin = 0;
  return thickness;
}

// Distance of the shrunk objects; returns 1 when they are separate and the query is answered.
static int shrunkDistance(snCcd* ccd) {
  snConvex* object1 = ccd->object1;
  snConvex* object2 = ccd->object2;
  int kind1 = object1->kind, kind2 = object2->kind;
  snReal margin1 = object1->margin, margin2 = object2->margin, cutoff = ccd->cutoff;
  snReal thick1 = shrink(object1);
  snReal thick2 = shrink(object2);
  ccd->cutoff = cutoff + thick1 + thick2;
  sn_gjk(ccd);
  ccd->cutoff = cutoff;
  object1->kind = kind1;
  object2->kind = kind2;
  object1->margin = margin1;
  object2->margin = margin2;

  if (!(ccd->dist > ccd->tolerance)) return 0;
  if (ccd->npoint == 0) return 1;
  snReal normal[3];
  snu_sub3(normal, ccd->x2[0], ccd->x1[0]);
  snu_normalize3(normal);
  if (thick1 != 0) snu_addToScl3(ccd->x1[0], normal, thick1);
  if (thick2 != 0) snu_addToScl3(ccd->x2[0], normal, -thick2);
  ccd->dist -= thick1 + thick2;
  if (ccd->dist > cutoff) ccd->dist = SN_CCD_FAR;
  return 1;
}

// Returns 0, with the vertices of the objects as they were, when there is too little memory.
static int findDepthIn(snCcd* ccd, void* memory, size_t bytes) {
  snConvex* object[2] = {ccd->object1, ccd->object2};
  int vertex[2], start[2], tied[2];
  snMinkowski face[3];
  for (int i = 0; i < 2; i++) {
    vertex[i] = object[i]->vertex;
    start[i] = object[i]->start;
    tied[i] = object[i]->tied;
  }
  ccd->dist = 0;
  snEpaResult result = sn_epa(ccd, memory, bytes, face);
  if (result == snEPA_FOUND && ccd->maxpoints > 1) sn_manifold(ccd, memory, face);
  if (result != snEPA_MORE) return 1;
  for (int i = 0; i < 2; i++) {
    object[i]->vertex = vertex[i];
    object[i]->start = start[i];
    object[i]->tied = tied[i];
  }
  return 0;
}

#ifdef SN_TEAM
enum { FEW_ITERATIONS = 16 };

// Most queries need few iterations, whose polytope fits a slot of the fast memory; others start again with one of the
// arena. Lanes of a team take turns where there are too few slots for all of them (base/arena.h).
static void findDepth(snCcd* ccd) {
  size_t small = ccd->maxpoints > 1 ? 0 : sn_epaBytes(FEW_ITERATIONS);
  if (!sn_hasSlot(ccd->d, ccd->bytes)) ccd->full = 1;
  for (int slot, done = 0; !done && !ccd->full;) {
    size_t size = ccd->bytes;
    void* memory = sn_takeSlot(ccd->d, &size, small, &slot);
    if (!memory) continue;
    done = findDepthIn(ccd, memory, size);
    sn_giveSlot(ccd->d, slot);
    small = 0;
  }
}
#else
// Local memory for the default number of iterations, so that queries may run in parallel.
static void findDepth(snCcd* ccd) {
  double local[1875];
  if (ccd->bytes <= sizeof(local)) {
    findDepthIn(ccd, local, ccd->bytes);
    return;
  }
  sn_markStack(ccd->d);
  void* memory = sn_stackAlloc(ccd->d, ccd->bytes, sizeof(double));
  if (memory) {
    findDepthIn(ccd, memory, ccd->bytes);
  } else {
    ccd->full = 1;
  }
  sn_freeStack(ccd->d);
}
#endif

snReal sn_ccd(snCcd* ccd) {
  ccd = SN_OWN(snCcd, ccd);
  if (isRound(ccd->object1) || isRound(ccd->object2)) {
    if (shrunkDistance(ccd)) return ccd->dist;
    if (ccd->maxpoints == 0) return ccd->dist = 0;
  }
  sn_gjk(ccd);
  if (ccd->maxpoints == 0) return ccd->dist;
  if (ccd->dist <= ccd->tolerance && ccd->nsimplex > 1) {
    findDepth(ccd);
  }
  return ccd->dist;
}
