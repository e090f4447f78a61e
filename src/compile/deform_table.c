// Writes deformables into the model.

#include <string.h>

#include "base/assert.h"
#include "compile/deform.h"
#include "math/math.h"

void sn_countDeformables(const snCompiler* c, snModel* sizes) {
  sizes->ndeformable = c->ndeformable;
  if (!c->ndeformable) return;
  sizes->ndeformbody = sizes->nbody;
  for (int i = 0; i < c->ndeformable; i++) {
    sizes->ndeformvert += c->deformables[i].nvert;
    sizes->ndeformelem += c->deformables[i].nelem;
    sizes->ndeformface += c->deformables[i].nface;
    sizes->ndeformside += c->deformables[i].nside;
  }
  sizes->ndeformtether = c->deformcolors->con[snDEFORM_TETHER].n;
  sizes->ndeformedge = c->deformcolors->con[snDEFORM_LENGTH].n;
  sizes->ndeformbend = c->deformcolors->con[snDEFORM_BEND].n;
  sizes->ndeformtet = c->deformcolors->con[snDEFORM_VOLUME].n;
  sizes->ndeformtwist = c->deformcolors->con[snDEFORM_TWIST].n;
  for (int kind = 0; kind < snDEFORM_KINDS; kind++) {
    sizes->ndeformcolor += c->deformcolors->ncolor[kind];
  }
}

// contacts of all vertices with geoms and with deformables, tables of faces, the scratch of the substeps
snSize sn_deformArenaBytes(const snModel* m) {
  if (!m->ndeformable) return 0;
  return 2816 * m->ndeformvert + 256 * m->ndeformface + 128 * m->ndeformside + 512 * m->nflexvert +
         256 * m->nflexelem + 512 * m->nbody + 8 * m->ngeom * (1 + m->ndeformable);
}

static void fillSettings(snModel* m, int i, const snsDeformable* spec) {
  sn_fillCopied(m, snOBJ_DEFORMABLE, i, spec);
  m->deformable_selfcollide[i] = spec->selfcollide != 0;
  m->deformable_registered[i] = spec->registered != 0;
}

static void fillShape(snModel* m, int i, const snDeformItem* item, int elem, int face, int side) {
  int first = item->first;
  SN_ASSERT_PART(first, item->nvert, m->ndeformvert);
  m->deformable_vertadr[i] = first;
  m->deformable_vertnum[i] = item->nvert;
  m->deformable_elemadr[i] = elem;
  m->deformable_elemnum[i] = item->nelem;
  m->deformable_faceadr[i] = face;
  m->deformable_facenum[i] = item->nface;
  sn_toReal(m->deformvert_pos + 3 * (snSize)first, item->spec.vert->data, 3 * item->nvert);
  for (int k = 0; k < item->nvert; k++) {
    m->deformvert_deformid[first + k] = i;
    m->deformvert_invmass[first + k] = item->pinned[k] ? 0 : (snReal)(1 / item->mass[k]);
    m->deformvert_bodyid[first + k] = item->body[k];
  }
  for (int e = 0; e < item->nelem; e++) {
    for (int k = 0; k < 4; k++) {
      m->deformelem_vert[4 * (snSize)(elem + e) + k] =
          k < item->corners ? first + item->element[(size_t)item->corners * e + k] : -1;
    }
  }
  for (int k = 0; k < 3 * item->nface; k++) {
    m->deformface_vert[3 * (snSize)face + k] = item->face[k] < 0 ? -1 : first + item->face[k];
  }
  for (int k = 0; k < 2 * item->nside; k++) {
    m->deformside_vert[2 * (snSize)side + k] = first + item->side[k];
  }
}

static void fillFour(const snDeformCons* cons, int* vert, snReal* rest, snReal* compliance) {
  for (int i = 0; i < cons->n; i++) {
    const snDeformCon* con = cons->item + i;
    for (int k = 0; k < 4; k++) vert[4 * (size_t)i + k] = con->vert[k];
    rest[i] = (snReal)con->rest;
    compliance[i] = (snReal)con->compliance;
  }
}

static void fillConstraints(snModel* m, const struct snDeformColors_* colors) {
  const snDeformCons *edges = colors->con + snDEFORM_LENGTH, *bends = colors->con + snDEFORM_BEND;
  const snDeformCons* tethers = colors->con + snDEFORM_TETHER;
  for (int i = 0; i < tethers->n; i++) {
    for (int k = 0; k < 2; k++) m->deformtether_vert[2 * (size_t)i + k] = tethers->item[i].vert[k];
    m->deformtether_rest[i] = (snReal)tethers->item[i].rest;
  }
  for (int i = 0; i < edges->n; i++) {
    const snDeformCon* con = edges->item + i;
    for (int k = 0; k < 2; k++) m->deformedge_vert[2 * (size_t)i + k] = con->vert[k];
    m->deformedge_shear[i] = (snByte)con->shear;
    m->deformedge_rest[i] = (snReal)con->rest;
    m->deformedge_compliance[i] = (snReal)con->compliance;
  }
  for (int i = 0; i < bends->n; i++) sn_toReal(m->deformbend_coef + 4 * i, bends->item[i].coef, 4);
  fillFour(bends, m->deformbend_vert, m->deformbend_rest, m->deformbend_compliance);
  fillFour(colors->con + snDEFORM_VOLUME, m->deformtet_vert, m->deformtet_rest,
           m->deformtet_compliance);
  fillFour(colors->con + snDEFORM_TWIST, m->deformtwist_vert, m->deformtwist_rest,
           m->deformtwist_compliance);
}

static void fillColors(snModel* m, const struct snDeformColors_* colors) {
  int color = 0;
  for (int kind = 0; kind < snDEFORM_KINDS; kind++) {
    int adr = 0;
    for (int i = 0; i < colors->ncolor[kind]; i++, color++) {
      m->deformcolor_kind[color] = kind;
      m->deformcolor_adr[color] = adr;
      m->deformcolor_num[color] = colors->colornum[kind][i];
      adr += colors->colornum[kind][i];
    }
    SN_ASSERT(adr == colors->con[kind].n);
  }
  SN_ASSERT(color == m->ndeformcolor);
}

void sn_fillDeformables(snCompiler* c) {
  int elem = 0, face = 0, side = 0;
  if (!c->ndeformable) return;
  for (int i = 0; i < c->ndeformable; i++) {
    fillSettings(c->m, i, &c->deformables[i].spec);
    fillShape(c->m, i, c->deformables + i, elem, face, side);
    elem += c->deformables[i].nelem;
    face += c->deformables[i].nface;
    side += c->deformables[i].nside;
  }
  SN_ASSERT(elem == c->m->ndeformelem && face == c->m->ndeformface && side == c->m->ndeformside);
  fillConstraints(c->m, c->deformcolors);
  fillColors(c->m, c->deformcolors);
}

// where vertices are attached, in the reference pose
void sn_placeAttachments(snModel* m, snData* d) {
  if (!m->ndeformable) return;
  snu_copy(d->qpos, m->qpos0, (int)m->nq);
  sn_kinematics(m, d);
  for (int i = 0; i < (int)m->ndeformvert; i++) {
    int body = m->deformvert_bodyid[i];
    snReal offset[3];
    if (body < 0) continue;
    snu_sub3(offset, m->deformvert_pos + 3 * i, d->xpos + 3 * body);
    snu_mulMatTVec3(m->deformvert_bodypos + 3 * i, d->xmat + 9 * body, offset);
  }
}
