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

int sn_collideConvex(const snModel* m, snData* d, snContactPoint* points, int g1, int g2,
                     snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
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
