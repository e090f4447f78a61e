// Mass and inertia of bodies: from geoms, from a full matrix, bounds and checks.

#include <math.h>
#include <string.h>

#include "compile/compiler.h"

// tensor += R diag R' + mass (|d|^2 1 - d d'), as (xx, yy, zz, xy, xz, yz). The order of the
// products is the reference's: where eigenvalues are equal, the last bits decide the axes.
static void addInertia(double tensor[6], const double quat[4], const double diagonal[3],
                       double mass, const double offset[3]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  static const int other[3][2] = {{1, 2}, {0, 2}, {0, 1}};
  double mat[9];
  sn_quatMat(mat, quat);
  for (int e = 0; e < 6; e++) {
    int i = row[e], j = column[e];
    double rotated = 0;
    for (int k = 0; k < 3; k++) rotated += mat[3 * i + k] * (diagonal[k] * mat[3 * j + k]);
    tensor[e] += rotated;
    if (i == j) {
      double a = offset[other[i][0]], b = offset[other[i][1]];
      tensor[e] += mass * (a * a + b * b);
    } else {
      tensor[e] -= mass * offset[i] * offset[j];
    }
  }
}

int sn_fullInertia(snCompiler* c, const snElem* elem, const double full[6], double quat[4],
                   double inertia[3]) {
  double mat[9] = {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]};
  sn_eigen3(inertia, quat, mat);
  if (inertia[2] < SN_EPS) {
    return sn_itemError(c, elem, "error 'inertia must have positive eigenvalues' in fullinertia");
  }
  return 0;
}

static int isSelected(const snBodyItem* body, const snGeomItem* geom) {
  const int* range = sn_elemCompiler(body->elem)->inertiagrouprange;
  return geom->mass > SN_EPS && geom->spec.group >= range[0] && geom->spec.group <= range[1];
}

int sn_inferInertial(snCompiler* c, snBodyItem* body) {
  snsBody* spec = &body->spec;
  int inferred = sn_elemCompiler(body->elem)->inertiafromgeom, selected = 0;
  const snGeomItem* only = NULL;
  if (!body->id || inferred == snINERTIAFROMGEOM_FALSE) return 0;
  if (inferred == snINERTIAFROMGEOM_AUTO && (spec->explicitinertial || !isnan(spec->ipos[0]))) {
    return 0;
  }
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    if (!isSelected(body, geom)) continue;
    selected++;
    only = geom;
  }
  if (!selected) return 0;
  if (selected == 1) {
    memcpy(spec->ipos, only->spec.pos, sizeof(spec->ipos));
    memcpy(spec->iquat, only->spec.quat, sizeof(spec->iquat));
    memcpy(spec->inertia, only->inertia, sizeof(spec->inertia));
    spec->mass = only->mass;
    return 0;
  }

  double mass = 0, com[3] = {0, 0, 0}, tensor[6] = {0, 0, 0, 0, 0, 0};
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    if (!isSelected(body, geom)) continue;
    mass += geom->mass;
    for (int k = 0; k < 3; k++) com[k] += geom->mass * geom->spec.pos[k];
  }
  if (mass < SN_EPS) {
    return sn_itemError(c, body->elem, "body mass is too small, cannot compute center of mass");
  }
  for (int k = 0; k < 3; k++) com[k] /= mass;
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) {
    if (!isSelected(body, geom)) continue;
    double offset[3];
    sn_sub3(offset, geom->spec.pos, com);
    addInertia(tensor, geom->spec.quat, geom->inertia, geom->mass, offset);
  }
  spec->mass = mass;
  memcpy(spec->ipos, com, sizeof(com));
  return sn_fullInertia(c, body->elem, tensor, spec->iquat, spec->inertia);
}

int sn_checkInertial(snCompiler* c, snBodyItem* body) {
  snsBody* spec = &body->spec;
  const snsCompiler* settings = sn_elemCompiler(body->elem);
  double* inertia = spec->inertia;
  if (!body->id) return 0;
  if (spec->mass < settings->boundmass) spec->mass = settings->boundmass;
  for (int k = 0; k < 3; k++) {
    if (inertia[k] < settings->boundinertia) inertia[k] = settings->boundinertia;
  }
  if (spec->mass < 0 || inertia[0] < 0 || inertia[1] < 0 || inertia[2] < 0) {
    return sn_itemError(c, body->elem, "mass and inertia cannot be negative");
  }
  if (inertia[0] + inertia[1] < inertia[2] || inertia[0] + inertia[2] < inertia[1] ||
      inertia[1] + inertia[2] < inertia[0]) {
    if (!settings->balanceinertia) {
      return sn_itemError(c, body->elem,
                          "inertia must satisfy A + B >= C; use 'balanceinertia' to fix");
    }
    inertia[0] = inertia[1] = inertia[2] = (inertia[0] + inertia[1] + inertia[2]) / 3;
  }
  return 0;
}

static int isHeavy(const snBodyItem* body) {
  const double* inertia = body->spec.inertia;
  return body->spec.mass >= snMINVAL && inertia[0] >= snMINVAL && inertia[1] >= snMINVAL &&
         inertia[2] >= snMINVAL;
}

// a moving body needs mass and inertia, of its own or of the bodies that are welded to it
int sn_checkMovingMass(snCompiler* c) {
  snByte* heavy = SN_ITEMS(c, snByte, c->nbody);
  if (!heavy) return -1;
  for (int i = c->nbody - 1; i > 0; i--) {
    snBodyItem* body = c->bodies[i];
    heavy[i] |= (snByte)isHeavy(body);
    if (!body->njoint) heavy[body->parent->id] |= heavy[i];
  }
  for (int i = 1; i < c->nbody; i++) {
    if (c->bodies[i]->njoint && !heavy[i]) {
      return sn_itemError(c, c->bodies[i]->elem,
                          "mass and inertia of moving bodies must be larger than mjMINVAL");
    }
  }
  return 0;
}

// add the inertia of a fused child to its parent. The child's pose enters as MuJoCo has it: its
// position rotated by the inertial orientation, its orientation not at all.
int sn_accumulateInertial(snCompiler* c, snBodyItem* parent, const snBodyItem* child) {
  snsBody* to = &parent->spec;
  const snsBody* from = &child->spec;
  double childcom[3], com[3], offset[3], tensor[6] = {0, 0, 0, 0, 0, 0};
  double mat[9], mass = to->mass + from->mass;
  sn_quatMat(mat, from->iquat);
  sn_mulMatVec(childcom, mat, from->pos);
  for (int k = 0; k < 3; k++) childcom[k] += from->ipos[k];
  if (mass < snMINVAL) {
    to->mass = 0;
    memset(to->ipos, 0, sizeof(to->ipos));
    memset(to->inertia, 0, sizeof(to->inertia));
    to->iquat[0] = 1;
    to->iquat[1] = to->iquat[2] = to->iquat[3] = 0;
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    com[k] = (to->mass * to->ipos[k] + from->mass * childcom[k]) / mass;
  }
  sn_sub3(offset, to->ipos, com);
  addInertia(tensor, to->iquat, to->inertia, to->mass, offset);
  sn_sub3(offset, childcom, com);
  addInertia(tensor, from->iquat, from->inertia, from->mass, offset);
  to->mass = mass;
  memcpy(to->ipos, com, sizeof(com));
  return sn_fullInertia(c, parent->elem, tensor, to->iquat, to->inertia);
}
