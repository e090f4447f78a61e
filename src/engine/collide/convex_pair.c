#include "base/assert.h"
#include "engine/collide/collision.h"
#include "engine/collide/convex_query.h"
#include "engine/collide/mpr.h"
#include "engine/collide/primitive.h"
#include "sinew/sinew.h"

// one penetration query by the legacy pipeline
static int penetrateLegacy(snCcd* ccd, snContactPoint* points, snReal margin) {
  snReal depth, direction[3], pos[3];
  if (!sn_mpr(ccd->object1, ccd->object2, ccd->tolerance, ccd->iterations, &depth, direction,
              pos)) {
    return 0;
  }
  sn_setPoint(points, margin - depth, pos, direction);
  if (ccd->object1->kind != snCONVEX_FLEX && ccd->object2->kind != snCONVEX_FLEX) {
    sn_fixNormal(points->normal, pos, ccd->object1, ccd->object2);
  }
  return 1;
}

int sn_penetrate(snCcd* ccd, snContactPoint* points, snReal margin) {
  ccd = SN_OWN(snCcd, ccd);
  if (ccd->m->opt.disableflags & snDSBL_NATIVECCD) return penetrateLegacy(ccd, points, margin);
  snReal dist = sn_ccd(ccd);
  if (!(dist < 0)) return 0;
  for (int i = 0; i < ccd->npoint; i++) {
    snReal pos[3], normal[3];
    snu_sub3(normal, ccd->x1[i], ccd->x2[i]);
    snu_normalize3(normal);
    snu_add3(pos, ccd->x1[i], ccd->x2[i]);
    snu_scl3(pos, pos, (snReal)0.5);
    sn_setPoint(points + i, margin + dist, pos, normal);
  }
  return ccd->npoint;
}

typedef struct Pose_ {
  snReal pos[3];
  snReal mat[9];
} Pose;

// pose of an object after a rotation about a point
static void rotateAbout(Pose* pose, const snConvex* object, const snReal origin[3],
                        const snReal rotation[9]) {
  snReal relative[3], moved[3];
  sn_mulMatMat3(pose->mat, rotation, object->mat);
  snu_sub3(relative, origin, object->pos);
  snu_mulMatVec3(moved, rotation, relative);
  snu_subFrom3(moved, relative);
  snu_sub3(pose->pos, object->pos, moved);
}

static int isKnown(const snContactPoint* points, int n, const snReal pos[3], snReal tolerance) {
  for (int i = 0; i < n; i++) {
    if (!(snu_dist3(points[i].pos, pos) > tolerance)) return 1;
  }
  return 0;
}

// More contacts of a flat pair: turn the objects a little against each other and ask again.
static int perturb(snCcd* ccd, snContactPoint* points, snReal margin, snReal tolerance) {
  const snReal kAngle = (snReal)1e-3;
  snConvex original1 = *ccd->object1, original2 = *ccd->object2;
  Pose pose1, pose2;
  snReal frame[9];
  int n = 1;
  snu_copy3(frame, points[0].normal);
  snu_copy3(frame + 3, points[0].tangent);
  sn_makeFrame(frame);
  ccd->maxpoints = 1;
  for (int i = 0; i < 4; i++) {
    snReal quat[4], mat[9], inverse[9];
    snu_axisAngle2Quat(quat, frame + (i < 2 ? 3 : 6), i % 2 ? kAngle : -kAngle);
    snu_quat2Mat(mat, quat);
    sn_transpose3(inverse, mat);
    rotateAbout(&pose1, &original1, points[0].pos, mat);
    rotateAbout(&pose2, &original2, points[0].pos, inverse);
    ccd->object1->pos = pose1.pos;
    ccd->object1->mat = pose1.mat;
    ccd->object2->pos = pose2.pos;
    ccd->object2->mat = pose2.mat;
    if (sn_penetrate(ccd, points + n, margin) && !isKnown(points, n, points[n].pos, tolerance)) {
      points[n].dist = points[0].dist;
      n++;
    }
  }
  return n;
}

static int hasFaces(const snConvex* object) {
  return object->kind == snGEOM_BOX || object->kind == snGEOM_MESH;
}

static int mayBeFlat(const snConvex* object) {
  return object->kind != snGEOM_ELLIPSOID && object->kind != snGEOM_SPHERE;
}

static int collide(snCcd* ccd, snContactPoint* points, snReal margin, snReal rbound) {
  const snModel* m = ccd->m;
  int multi = (m->opt.enableflags & snENBL_MULTICCD) != 0;
  int native = !(m->opt.disableflags & snDSBL_NATIVECCD);
  if (multi && native && margin <= 0 && hasFaces(ccd->object1) && hasFaces(ccd->object2)) {
    ccd->maxpoints = 4;
    return sn_penetrate(ccd, points, margin);
  }
  ccd->maxpoints = 1;
  int n = sn_penetrate(ccd, points, margin);
  if (n == 1 && multi && mayBeFlat(ccd->object1) && mayBeFlat(ccd->object2)) {
    n = perturb(ccd, points, margin, (snReal)1e-3 * rbound);
  }
  return n;
}

// ---- ellipsoids

// support of an ellipsoid: |S R^T n| for half sizes S
SN_KERNEL snReal reachAlong(const snReal size[3], const snReal mat[9], const snReal n[3]) {
  snReal sum = 0;
  for (int k = 0; k < 3; k++) {
    snReal along = size[k] * (mat[k] * n[0] + mat[3 + k] * n[1] + mat[6 + k] * n[2]);
    sum += along * along;
  }
  return snu_sqrt(sum);
}

// Are two ellipsoids farther apart than gap along n = (A + B)^-1 r, where x^T A^-1 x = 1 is the surface of one about its
// centre and r points from one centre to the other? If they have the same shape, this normal separates
// them whenever one does (J. W. Perram, M. S. Wertheim, Statistical mechanics of hard ellipsoids, J.
// Computational Physics 58, 1985). A query takes ten times as long.
static int areApart(const snModel* m, const snData* d, int g1, int g2, snReal gap) {
  const int geom[2] = {g1, g2};
  snReal xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0, r[3];
  for (int i = 0; i < 2; i++) {
    const snReal *mat = d->geom_xmat + 9 * geom[i], *size = m->geom_size + 3 * geom[i];
    for (int k = 0; k < 3; k++) {
      snReal x = size[k] * mat[k], y = size[k] * mat[3 + k], z = size[k] * mat[6 + k];
      xx += x * x, yy += y * y, zz += z * z;
      xy += x * y, xz += x * z, yz += y * z;
    }
  }
  snReal scale = 1 / (xx + yy + zz);  // so that nothing below underflows
  xx *= scale, yy *= scale, zz *= scale, xy *= scale, xz *= scale, yz *= scale;
  snu_sub3(r, d->geom_xpos + 3 * g2, d->geom_xpos + 3 * g1);
  // the adjugate of the matrix times r
  snReal ax = xz * yz - xy * zz, ay = xy * yz - xz * yy, az = xy * xz - xx * yz;
  snReal n[3] = {(yy * zz - yz * yz) * r[0] + ax * r[1] + ay * r[2],
                 ax * r[0] + (xx * zz - xz * xz) * r[1] + az * r[2],
                 ay * r[0] + az * r[1] + (xx * yy - xy * xy) * r[2]};
  snReal reach = gap * (snu_abs(n[0]) + snu_abs(n[1]) + snu_abs(n[2]));
  for (int i = 0; i < 2; i++) {
    reach += reachAlong(m->geom_size + 3 * geom[i], d->geom_xmat + 9 * geom[i], n);
  }
  return reach < snu_dot3(n, r);
}

// Ellipsoids that are so far apart that a query, which stops at its tolerance, finds no contact.
static int ellipsoidsApart(const snModel* m, const snData* d, int g1, int g2, snReal margin) {
  if (m->geom_type[g1] != snGEOM_ELLIPSOID || m->geom_type[g2] != snGEOM_ELLIPSOID) return 0;
  snReal rounding = sizeof(snReal) == 4 ? (snReal)1e-3 : (snReal)1e-6;
  snReal inexact = rounding * (m->geom_rbound[g1] + m->geom_rbound[g2]) + 2 * m->opt.ccd_tolerance;
  return areApart(m, d, g1, g2, snu_max(margin, 0) + inexact);
}

int sn_collideConvex(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                     snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  if (ellipsoidsApart(m, d, g1, g2, margin)) return 0;
  snConvex object1, object2;
  snCcd ccd;
  snReal rbound = snu_min(m->geom_rbound[g1], m->geom_rbound[g2]);
  sn_convexGeom(&object1, m, d, g1, margin);
  sn_convexGeom(&object2, m, d, g2, margin);
  sn_ccdBegin(&ccd, m, d, &object1, &object2);
  int n = collide(&ccd, points, margin, rbound);
  if (ccd.full) sn_missContact(d);
  return n;
}
