// Decoration of a scene: what explains the simulation.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "model/object_types.h"
#include "visual/scene.h"

static const float kAxes[3][4] = {{0.9f, 0, 0, 1}, {0, 0.9f, 0, 1}, {0, 0, 0.9f, 1}};

static int isFlag(const Drawing* w, int flag) { return w->option->flags[flag]; }

static void cube(snReal size[3], snReal half) { size[0] = size[1] = size[2] = half; }

// three axes of a frame
static void drawFrame(Drawing* w, int objid, const snReal pos[3], const snReal mat[9],
                      snReal scale) {
  snReal size = w->m->stat.meansize * scale;
  for (int k = 0; k < 3; k++) {
    snReal axis[3] = {mat[k], mat[3 + k], mat[6 + k]}, to[3];
    snu_addScl3(to, pos, axis, w->m->vis.scale.framelength * size);
    drawConnector(w, snGEOM_CYLINDER, snOBJ_UNKNOWN, objid, w->m->vis.scale.framewidth * size, pos,
                  to, kAxes[k]);
  }
}

// ---- bounding volumes ----

// One box of a tree: of a geom in its frame, of several in the frame of the body's inertia.
static void drawBox(Drawing* w, int body, int node) {
  SN_ASSERT_INDEX(body, w->m->nbody);
  const snModel* m = w->m;
  const snData* d = w->d;
  int geom = m->bvh_nodeid[node];
  const snReal* box = geom >= 0 ? m->geom_aabb + 6 * geom : m->bvh_aabb + 6 * node;
  const snReal* pos = geom >= 0 ? d->geom_xpos + 3 * geom : d->xipos + 3 * body;
  const snReal* mat = geom >= 0 ? d->geom_xmat + 9 * geom : d->ximat + 9 * body;
  snReal center[3];
  snu_mulMatVec3(center, mat, box);
  snu_addTo3(center, pos);
  drawShape(w, snGEOM_LINEBOX, snOBJ_UNKNOWN, node, box + 3, center, mat,
            d->bvh_active[node] ? m->vis.rgba.bvactive : m->vis.rgba.bv);
}

// a node of the chosen depth, or a leaf above it
static int isNodeShown(const Drawing* w, int node) {
  int depth = w->m->bvh_depth[node];
  return depth == w->option->bvh_depth ||
         (w->m->bvh_nodeid[node] >= 0 && depth < w->option->bvh_depth);
}

static void drawTrees(Drawing* w) {
  const snModel* m = w->m;
  for (int i = 0; isFlag(w, snVIS_BODYBVH) && i < m->nbody; i++) {
    for (int k = 0; k < m->body_bvhnum[i]; k++) {
      int node = m->body_bvhadr[i] + k;
      if (isNodeShown(w, node)) drawBox(w, i, node);
    }
  }
}

// The cage of an interpolated flex: lines between neighbouring nodes. Nodes lie in a grid whose last
// index runs fastest; a line has the first index of its first node as number.
static void drawCage(Drawing* w, int flex) {
  static const float kPlain[4] = {0.5f, 0.5f, 0.5f, 1};
  const snModel* m = w->m;
  int side = m->flex_interp[flex] + 1, stride[3] = {side * side, side, 1};
  for (int node = 0; side > 1 && node < m->flex_nodenum[flex]; node++) {
    for (int axis = 0; axis < 3; axis++) {
      if (node / stride[axis] % side == side - 1) continue;
      snReal end[2][3];
      for (int k = 0; k < 2; k++) {
        int at = m->flex_nodeadr[flex] + node + k * stride[axis], body = m->flex_nodebodyid[at];
        snu_mulMatVec3(end[k], w->d->xmat + 9 * body, m->flex_node + 3 * at);
        snu_addTo3(end[k], w->d->xpos + 3 * body);
      }
      drawConnector(w, snGEOM_LINE, snOBJ_UNKNOWN, node / stride[0], 3, end[0], end[1], kPlain);
    }
  }
}

// boxes of flexes are in the frame of the world
static void drawFlexTrees(Drawing* w) {
  const snModel* m = w->m;
  for (int i = 0; isFlag(w, snVIS_MESHBVH) && i < m->nflex; i++) {
    if (!isGroupShown(w->option->flexgroup, m->flex_group[i])) continue;
    for (int k = 0; k < m->flex_bvhnum[i]; k++) {
      int node = m->flex_bvhadr[i] + k;
      if (!isNodeShown(w, node)) continue;
      const snReal* box = w->d->bvh_aabb_dyn + 6 * (node - m->nbvhstatic);
      drawShape(w, snGEOM_LINEBOX, snOBJ_UNKNOWN, node, box + 3, box, NULL,
                w->d->bvh_active[node] ? m->vis.rgba.bvactive : m->vis.rgba.bv);
    }
    drawCage(w, i);
  }
}

// octrees of meshes, in the frames of the geoms that have them
static void drawOctrees(Drawing* w) {
  const snModel* m = w->m;
  for (int i = 0; isFlag(w, snVIS_MESHBVH) && i < m->ngeom; i++) {
    int mesh = m->geom_type[i] == snGEOM_HFIELD ? -1 : m->geom_dataid[i];
    for (int k = 0; mesh >= 0 && k < m->mesh_octnum[mesh]; k++) {
      int node = m->mesh_octadr[mesh] + k;
      if (m->oct_depth[node] != w->option->bvh_depth) continue;
      const snReal* mat = w->d->geom_xmat + 9 * i;
      snReal center[3];
      snu_mulMatVec3(center, mat, m->oct_aabb + 6 * node);
      snu_addTo3(center, w->d->geom_xpos + 3 * i);
      drawShape(w, snGEOM_LINEBOX, snOBJ_UNKNOWN, node, m->oct_aabb + 6 * node + 3, center, mat,
                m->vis.rgba.bv);
    }
  }
}

// ---- bodies ----

// half sizes of the box or ellipsoid with the inertia of a body
static void inertiaSize(snReal size[3], const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  const snReal* inertia = m->body_inertia + 3 * body;
  snReal factor = m->vis.global.ellipsoidinertia ? 2.5 : 1.5;
  for (int i = 0; i < 3; i++) {
    snReal sum = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
    size[i] = sqrt(snu_max(sum, 0) * factor / m->body_mass[body]);
  }
}

// the same shape, as large as the mass of the body is in water
static void scaleToMass(snReal size[3], const snModel* m, int body) {
  snReal unit = m->vis.global.ellipsoidinertia ? 4 * snPI / 3 : 8;
  snReal mass = 1000 * unit * size[0] * size[1] * size[2];
  if (mass > snMINVAL) snu_scl3(size, size, cbrt(m->body_mass[body] / mass));
}

static int hasInertiaShape(const Drawing* w, int body) {
  return isFlag(w, snVIS_INERTIA) && w->m->body_mass[body] > snMINVAL;
}

static int isBodyLabelled(const Drawing* w, int body) {
  int label = w->option->label;
  return label == snLABEL_BODY || (label == snLABEL_SELECTION && isSelected(w, body));
}

static void drawInertias(Drawing* w) {
  const snModel* m = w->m;
  for (int i = 1; i < m->nbody; i++) {
    if (!isBodyShown(w, i) || !hasInertiaShape(w, i)) continue;
    snReal size[3];
    inertiaSize(size, m, i);
    if (isFlag(w, snVIS_SCLINERTIA)) scaleToMass(size, m, i);
    snvGeom* shape =
        drawShape(w, m->vis.global.ellipsoidinertia ? snGEOM_ELLIPSOID : snGEOM_BOX, snOBJ_BODY, i,
                  size, w->d->xipos + 3 * i, w->d->ximat + 9 * i, m->vis.rgba.inertia);
    if (shape && isSelected(w, i)) shape->emission += m->vis.global.glow;
    if (shape && isBodyLabelled(w, i)) labelShape(w, shape, snOBJ_BODY, i);
  }
}

static const float kPlain[4] = {0.5f, 0.5f, 0.5f, 1};  // of labels without a shape

// names of bodies where inertias are not drawn
static void labelBodies(Drawing* w) {
  for (int i = 1; !isFlag(w, snVIS_INERTIA) && i < w->m->nbody; i++) {
    if (!isBodyShown(w, i) || !isBodyLabelled(w, i)) continue;
    snvGeom* shape = drawShape(w, snGEOM_LABEL, snOBJ_UNKNOWN, i, NULL, w->d->xpos + 3 * i,
                               w->d->xmat + 9 * i, kPlain);
    if (shape) labelShape(w, shape, snOBJ_BODY, i);
  }
}

// the number of the island at the centre of mass of each body in one
static void labelIslands(Drawing* w) {
  for (int i = 1; w->option->label == snLABEL_ISLAND && i < w->m->nbody; i++) {
    int island = isBodyShown(w, i) ? islandOf(w, i) : -1;
    snvGeom* shape = island < 0 ? NULL
                                : drawShape(w, snGEOM_LABEL, snOBJ_UNKNOWN, i, NULL,
                                            w->d->xipos + 3 * i, w->d->ximat + 9 * i, kPlain);
    if (shape) snprintf(shape->label, sizeof(shape->label), "%d", island);
  }
}

static void drawPerturbObject(Drawing* w) {
  const snModel* m = w->m;
  const snvPerturb* pert = w->perturb;
  int body = pert ? pert->select : 0, active = pert ? pert->active | pert->active2 : 0;
  if (body <= 0 || body >= m->nbody || !isFlag(w, snVIS_PERTOBJ)) return;
  snReal point[3], mat[9], size[3];
  snu_quat2Mat(mat, pert->refquat);
  // red for the first kind of perturbation, green for the second
  int red = pert->active, green = pert->active2;
  const float rgba[4] = {red & snPERT_TRANSLATE ? 0.9f : 0, green & snPERT_TRANSLATE ? 0.9f : 0, 0,
                         1};
  const float turned[4] = {red & snPERT_ROTATE ? 0.8f : 0.2f, green & snPERT_ROTATE ? 0.8f : 0.2f,
                           0.2f, 0.6f};
  if (active & snPERT_TRANSLATE) {
    snu_mulMatVec3(point, w->d->xmat + 9 * body, pert->localpos);
    snu_addTo3(point, w->d->xpos + 3 * body);
    drawConnector(w, snGEOM_CAPSULE, snOBJ_UNKNOWN, body,
                  m->vis.scale.constraint * m->stat.meansize, point, pert->refselpos, rgba);
    cube(size, m->vis.scale.selectpoint * m->stat.meansize);
    drawShape(w, snGEOM_SPHERE, snOBJ_UNKNOWN, body, size, pert->refselpos, mat, rgba);
  }
  if (active & snPERT_ROTATE) {
    snReal mean = m->stat.meansize, around[6] = {0, 0, 0, mean, mean, mean};
    int tree = m->body_bvhadr[body];
    const snReal* box = tree >= 0 ? m->bvh_aabb + 6 * tree : around;
    snu_mulMatVec3(point, w->d->ximat + 9 * body, box);
    snu_addTo3(point, w->d->xipos + 3 * body);
    drawShape(w, snGEOM_BOX, snOBJ_UNKNOWN, body, box + 3, point, mat, turned);
  }
}

// frames of geoms and sites
static void drawShapeFrames(Drawing* w) {
  const snData* d = w->d;
  for (int i = 0; w->option->frame == snFRAME_GEOM && i < w->m->ngeom; i++) {
    if (isGeomVisible(w, i)) drawFrame(w, i, d->geom_xpos + 3 * i, d->geom_xmat + 9 * i, 1);
  }
  for (int i = 0; w->option->frame == snFRAME_SITE && i < w->m->nsite; i++) {
    if (isSiteVisible(w, i)) drawFrame(w, i, d->site_xpos + 3 * i, d->site_xmat + 9 * i, 1);
  }
}

// frames of the world and of bodies
static void drawBodyFrames(Drawing* w) {
  const snData* d = w->d;
  static const snReal kOrigin[3] = {0, 0, 0}, kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (w->option->frame == snFRAME_WORLD) drawFrame(w, 0, kOrigin, kIdentity, 2);
  for (int i = 1; w->option->frame == snFRAME_BODY && i < w->m->nbody; i++) {
    int inertial = isFlag(w, snVIS_INERTIA);  // where its inertia is drawn, so is its frame
    if (isBodyShown(w, i)) {
      drawFrame(w, i, (inertial ? d->xipos : d->xpos) + 3 * i,
                (inertial ? d->ximat : d->xmat) + 9 * i, 1);
    }
  }
}

static void drawSelection(Drawing* w) {
  const snvPerturb* pert = w->perturb;
  int body = pert ? pert->select : 0;
  if (!isFlag(w, snVIS_SELECT) || body <= 0 || body >= w->m->nbody) return;
  snReal point[3], size[3];
  snu_mulMatVec3(point, w->d->xmat + 9 * body, pert->localpos);
  snu_addTo3(point, w->d->xpos + 3 * body);
  cube(size, w->m->vis.scale.selectpoint * w->m->stat.meansize);
  snvGeom* shape = drawShape(w, snGEOM_SPHERE, snOBJ_UNKNOWN, body, size, point, NULL,
                             w->m->vis.rgba.selectpoint);
  if (shape && w->option->label == snLABEL_SELPNT) {
    snprintf(shape->label, sizeof(shape->label), "%.3f %.3f %.3f (local %.3f %.3f %.3f)", point[0],
             point[1], point[2], pert->localpos[0], pert->localpos[1], pert->localpos[2]);
  }
}

// ---- joints and actuators ----

// how hard the limit of a joint pushes
static snReal limitImpedance(const snData* d, int joint) {
  int row = limitRow(d, snCNSTR_LIMIT_JOINT, joint);
  return row < 0 ? 0 : d->efc_KBIP[4 * row + 2];
}

static snvGeom* drawJoint(Drawing* w, int joint, int objtype, int objid, snReal width,
                          snReal length, snReal block, const float rgba[4]) {
  SN_ASSERT_INDEX(joint, w->m->njnt);
  const snModel* m = w->m;
  const snReal *anchor = w->d->xanchor + 3 * joint, *axis = w->d->xaxis + 3 * joint;
  const snReal* mat = w->d->xmat + 9 * m->jnt_bodyid[joint];
  snReal size[3], to[3];
  cube(size, block);
  switch (m->jnt_type[joint]) {
    case snJNT_FREE: return drawShape(w, snGEOM_BOX, objtype, objid, size, anchor, mat, rgba);
    case snJNT_BALL: return drawShape(w, snGEOM_SPHERE, objtype, objid, size, anchor, mat, rgba);
    default:
      snu_addScl3(to, anchor, axis, length);
      return drawConnector(w, m->jnt_type[joint] == snJNT_HINGE ? snGEOM_ARROW1 : snGEOM_ARROW,
                           objtype, objid, width, anchor, to, rgba);
  }
}

static void drawJoints(Drawing* w) {
  const snModel* m = w->m;
  snReal width = m->vis.scale.jointwidth * m->stat.meansize;
  for (int i = 0; isFlag(w, snVIS_JOINT) && i < m->njnt; i++) {
    if (!isGroupShown(w->option->jointgroup, m->jnt_group[i])) continue;
    float rgba[4];
    mixColors(rgba, m->vis.rgba.joint, m->vis.rgba.constraint, limitImpedance(w->d, i));
    snvGeom* shape = drawJoint(w, i, snOBJ_JOINT, i, width,
                               m->vis.scale.jointlength * m->stat.meansize, 3 * width, rgba);
    if (shape && w->option->label == snLABEL_JOINT) labelShape(w, shape, snOBJ_JOINT, i);
  }
}

// colour between rest and full control, or activation
static void actuatorColor(const Drawing* w, int i, float rgba[4]) {
  SN_ASSERT_INDEX(i, w->m->nu);
  const snModel* m = w->m;
  snReal value = w->d->ctrl[i], low = -1, high = 1, rest = 0;
  int activation = isFlag(w, snVIS_ACTIVATION) && m->actuator_actnum[i] > 0;
  if (activation) value = w->d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
  // the range of the control goes before that of the activation, as in MuJoCo
  int ofctrl = m->actuator_ctrllimited[i];
  const snReal* range = (ofctrl ? m->actuator_ctrlrange : m->actuator_actrange) + 2 * i;
  if (ofctrl || (activation && m->actuator_actlimited[i])) {
    // rest is what is nearest to zero; a side without a range ends at one
    rest = snu_clip(0, range[0], range[1]);
    if (range[0] < rest) low = range[0];
    if (range[1] > rest) high = range[1];
  }
  snReal weight = (value - rest) / ((value > rest ? high : low) - rest);
  mixColors(rgba, m->vis.rgba.actuator,
            value > rest ? m->vis.rgba.actuatorpositive : m->vis.rgba.actuatornegative,
            snu_clip(weight, 0, 1));
}

// what sticks: the geoms of a body, slightly enlarged; meshes and fields have no size
static void drawAdhesion(Drawing* w, int body, int actuator, const float rgba[4]) {
  const snModel* m = w->m;
  for (int k = 0; k < m->body_geomnum[body]; k++) {
    int geom = m->body_geomadr[body] + k, type = m->geom_type[geom];
    snReal size[3];
    if (!sn_isGeomOf(type, snFAMILY_SOLID)) continue;
    snu_scl3(size, m->geom_size + 3 * geom, 1.05);
    drawShape(w, type, snOBJ_ACTUATOR, actuator, size, w->d->geom_xpos + 3 * geom,
              w->d->geom_xmat + 9 * geom, rgba);
  }
}

static void drawActuators(Drawing* w) {
  const snModel* m = w->m;
  snReal meansize = m->stat.meansize, enlarged[3];
  for (int i = 0; isFlag(w, snVIS_ACTUATOR) && i < m->nu; i++) {
    if (!isGroupShown(w->option->actuatorgroup, m->actuator_group[i])) continue;
    if (sn_actuatorDisabled(m, i)) continue;
    int target = m->actuator_trnid[2 * i], first = w->scene->ngeom;
    float rgba[4];
    actuatorColor(w, i, rgba);
    switch (m->actuator_trntype[i]) {
      case snTRN_JOINT:
      case snTRN_JOINTINPARENT:
        drawJoint(w, target, snOBJ_ACTUATOR, i, m->vis.scale.actuatorwidth * meansize,
                  m->vis.scale.actuatorlength * meansize, 3.3 * m->vis.scale.jointwidth * meansize,
                  rgba);
        break;
      case snTRN_TENDON:
        drawTendon(w, target, snOBJ_ACTUATOR, i, snCAT_DECOR,
                   m->vis.map.actuatortendon * m->tendon_width[target], rgba,
                   m->tendon_matid[target]);
        break;
      case snTRN_SITE:
        snu_scl3(enlarged, m->site_size + 3 * target, 1.05);
        drawShape(w, m->site_type[target], snOBJ_ACTUATOR, i, enlarged,
                  w->d->site_xpos + 3 * target, w->d->site_xmat + 9 * target, rgba);
        break;
      case snTRN_BODY: drawAdhesion(w, target, i, rgba); break;
      default: break;
    }
    if (w->option->label == snLABEL_ACTUATOR && w->scene->ngeom > first &&
        m->actuator_trntype[i] != snTRN_BODY) {
      labelShape(w, w->scene->geoms + first, snOBJ_ACTUATOR, i);
    }
  }
}

// ---- cameras and lights ----

// What a camera with a resolution sees: near and far corners, and two triangles and three edges for each wall between
// them. Parallel rays end where the view is as deep as its half sizes are large, in the mean.
static int drawFrustum(Drawing* w, int camera) {
  const snModel* m = w->m;
  const int* resolution = m->cam_resolution + 2 * camera;
  if (resolution[0] <= 1 && resolution[1] <= 1) return 0;
  int parallel = m->cam_projection[camera] == snPROJ_ORTHOGRAPHIC;
  snvCamera fixed;
  snv_defaultCamera(&fixed);
  fixed.type = snCAMERA_FIXED;
  fixed.fixedcamid = camera;
  float ver[2], hor[2], clip[2];
  snv_cameraFrustum(ver, hor, clip, m, &fixed);
  if (hor[0] == 0 && hor[1] == 0) {
    for (int i = 0; i < 2; i++) hor[i] = ver[i] * (float)resolution[0] / (float)resolution[1];
  }
  snReal far = parallel ? 0.5 * (hor[1] + ver[1]) : m->vis.scale.frustum * m->stat.meansize;
  snReal corner[2][4][3];
  for (int k = 0; k < 8; k++) {
    int side = k % 4, isFar = k / 4, right = side == 1 || side == 2, top = side > 1;
    snReal depth = isFar ? far : clip[0], scale = parallel ? 1 : depth / clip[0];
    snReal local[3] = {scale * (right ? hor[1] : -hor[0]), scale * (top ? ver[1] : -ver[0]),
                       -depth};
    snu_mulMatVec3(corner[isFar][side], w->d->cam_xmat + 9 * camera, local);
    snu_addTo3(corner[isFar][side], w->d->cam_xpos + 3 * camera);
  }
  const float* rgba = m->vis.rgba.frustum;
  for (int k = 0; k < 4; k++) {
    const snReal *near = corner[0][k], *next = corner[0][(k + 1) % 4];
    const snReal *away = corner[1][k], *nextAway = corner[1][(k + 1) % 4];
    drawTriangle(w, snOBJ_CAMERA, camera, near, away, next, rgba);
    drawTriangle(w, snOBJ_CAMERA, camera, away, nextAway, next, rgba);
    drawConnector(w, snGEOM_LINE, snOBJ_CAMERA, camera, 3, near, next, rgba);
    drawConnector(w, snGEOM_LINE, snOBJ_CAMERA, camera, 3, away, nextAway, rgba);
    drawConnector(w, snGEOM_LINE, snOBJ_CAMERA, camera, 3, near, away, rgba);
  }
  return 1;
}

static void drawCameras(Drawing* w) {
  const snModel* m = w->m;
  snReal unit = m->vis.scale.camera * m->stat.meansize;
  for (int i = 0; isFlag(w, snVIS_CAMERA) && i < m->ncam; i++) {
    const snReal *pos = w->d->cam_xpos + 3 * i, *mat = w->d->cam_xmat + 9 * i;
    snReal size[3] = {unit, 0.8 * unit, 0.4 * unit}, lens[3] = {0.4 * unit, 0.3 * unit, 0}, at[3];
    float rgba[4], dark[4];
    memcpy(rgba, m->vis.rgba.camera, sizeof(rgba));
    if (drawFrustum(w, i)) rgba[3] = 0.3f;
    snvGeom* shape = drawShape(w, snGEOM_BOX, snOBJ_CAMERA, i, size, pos, mat, rgba);
    if (shape && w->option->label == snLABEL_CAMERA) labelShape(w, shape, snOBJ_CAMERA, i);
    for (int k = 0; k < 4; k++) dark[k] = (k < 3 ? 0.5f : 1) * rgba[k];
    for (int k = 0; k < 3; k++) at[k] = pos[k] - 0.6 * unit * mat[3 * k + 2];
    drawShape(w, snGEOM_CYLINDER, snOBJ_CAMERA, i, lens, at, mat, dark);
    if (w->option->frame == snFRAME_CAMERA) drawFrame(w, i, pos, mat, 1);
  }
}

static void drawLights(Drawing* w) {
  const snModel* m = w->m;
  snReal unit = m->vis.scale.light * m->stat.meansize;
  for (int i = 0; isFlag(w, snVIS_LIGHT) && i < m->nlight; i++) {
    const snReal *pos = w->d->light_xpos + 3 * i, *dir = w->d->light_xdir + 3 * i;
    snReal size[3] = {0.8 * unit, unit, 0}, quat[4], mat[9], at[3];
    snu_quatZ2Vec(quat, dir);
    snu_quat2Mat(mat, quat);
    snu_addScl3(at, pos, dir, -unit - 1e-4);
    snvGeom* shape =
        drawShape(w, snGEOM_CYLINDER, snOBJ_LIGHT, i, size, at, mat, m->vis.rgba.light);
    if (shape && w->option->label == snLABEL_LIGHT) labelShape(w, shape, snOBJ_LIGHT, i);
    if (w->option->frame == snFRAME_LIGHT) drawFrame(w, i, pos, mat, 1);
  }
}

// ---- forces and constraints ----

static void drawCenters(Drawing* w) {
  const snModel* m = w->m;
  snReal size[3];
  cube(size, m->vis.scale.com * m->stat.meansize);
  for (int i = 1; isFlag(w, snVIS_COM) && i < m->nbody; i++) {
    if (m->body_parentid[i]) continue;
    drawShape(w, snGEOM_SPHERE, snOBJ_UNKNOWN, i, size, w->d->subtree_com + 3 * i, NULL,
              m->vis.rgba.com);
  }
}

static void drawConnections(Drawing* w) {
  const snModel* m = w->m;
  const snData* d = w->d;
  snReal width = m->vis.scale.connect * m->stat.meansize;
  for (int i = 1; isFlag(w, snVIS_AUTOCONNECT) && i < m->nbody; i++) {
    int parent = m->body_parentid[i];
    if (!parent) continue;
    const snReal* from = d->xipos + 3 * i;
    for (int j = m->body_jntnum[i] - 1; j >= 0; j--) {
      const snReal* anchor = d->xanchor + 3 * (m->body_jntadr[i] + j);
      drawConnector(w, snGEOM_CAPSULE, snOBJ_UNKNOWN, i, width, from, anchor, m->vis.rgba.connect);
      from = anchor;
    }
    drawConnector(w, snGEOM_CAPSULE, snOBJ_UNKNOWN, i, width, from, d->xipos + 3 * parent,
                  m->vis.rgba.connect);
  }
}

static snvGeom* drawForce(Drawing* w, int objid, const snReal pos[3], const snReal force[3],
                          const float rgba[4]) {
  const snModel* m = w->m;
  snReal to[3];
  snu_addScl3(to, pos, force, m->vis.map.force / m->stat.meanmass);
  return drawConnector(w, snGEOM_ARROW, snOBJ_UNKNOWN, objid,
                       m->vis.scale.forcewidth * m->stat.meansize, pos, to, rgba);
}

static void drawPerturbForces(Drawing* w) {
  for (int i = 1; isFlag(w, snVIS_PERTFORCE) && i < w->m->nbody; i++) {
    const snReal* force = w->d->xfrc_applied + 6 * i;
    if (snu_isZero(force, 3)) continue;
    drawForce(w, i, w->d->xipos + 3 * i, force, w->m->vis.rgba.force);
  }
}

static void drawEqualities(Drawing* w) {
  const snModel* m = w->m;
  snReal size[3], point[3];
  cube(size, m->vis.scale.constraint * m->stat.meansize);
  for (int i = 0; isFlag(w, snVIS_CONSTRAINT) && i < m->neq; i++) {
    int weld = m->eq_type[i] == snEQ_WELD;
    if (!w->d->eq_active[i] || (!weld && m->eq_type[i] != snEQ_CONNECT)) continue;
    for (int side = 0; side < 2; side++) {
      int id = side ? m->eq_obj2id[i] : m->eq_obj1id[i];
      const snReal *pos = w->d->xpos + 3 * id, *mat = w->d->xmat + 9 * id;
      if (m->eq_objtype[i] == snOBJ_SITE) {
        snu_copy3(point, w->d->site_xpos + 3 * id);
        mat = w->d->site_xmat + 9 * id;
      } else {
        // anchors in both bodies; of a weld that of the second body comes first
        snu_mulMatVec3(point, mat, m->eq_data + snNEQDATA * i + 3 * (weld ? 1 - side : side));
        snu_addTo3(point, pos);
      }
      snvGeom* shape = drawShape(w, snGEOM_SPHERE, snOBJ_EQUALITY, i, size, point, mat,
                                 side ? m->vis.rgba.constraint : m->vis.rgba.connect);
      if (shape && w->option->label == snLABEL_CONSTRAINT) {
        labelShape(w, shape, snOBJ_EQUALITY, i);
      }
    }
  }
}

static void contactLabel(const Drawing* w, snvGeom* shape, const snContact* contact) {
  char part[2][50];
  for (int k = 0; k < 2; k++) {
    const char* name =
        contact->geom[k] >= 0 ? sn_id2name(w->m, snOBJ_GEOM, contact->geom[k]) : NULL;
    if (name) {
      snprintf(part[k], sizeof(part[k]), "%s", name);
    } else {
      snprintf(part[k], sizeof(part[k]), "g%d", contact->geom[k]);
    }
  }
  snprintf(shape->label, sizeof(shape->label), "%.47s | %.47s", part[0], part[1]);
}

// of two bodies, none of them the world (flexes are never it): the arrow has two heads
static int isBetweenBodies(const snModel* m, const snContact* contact) {
  for (int k = 0; k < 2; k++) {
    if (contact->geom[k] >= 0 && !m->geom_bodyid[contact->geom[k]]) return 0;
  }
  return 1;
}

static void drawContactForce(Drawing* w, int i, const snContact* contact) {
  SN_ASSERT_INDEX(i, w->d->ncon);
  const snModel* m = w->m;
  snReal wrench[6], force[3], normal[3], friction[3];
  if (contact->efc_address < 0) return;
  sn_contactForce(m, w->d, i, wrench);
  if (contact->geom[0] >= 0 && contact->geom[1] >= 0 &&
      m->geom_bodyid[contact->geom[0]] > m->geom_bodyid[contact->geom[1]]) {
    snu_scl3(wrench, wrench, -1);
  }
  snu_mulMatTVec3(force, contact->frame, wrench);
  if (snu_norm3(force) < snMINVAL) return;
  snvGeom* shape;
  if (isFlag(w, snVIS_CONTACTSPLIT) && contact->dim > 1) {
    snu_scl3(normal, contact->frame, wrench[0]);
    snu_sub3(friction, force, normal);
    shape = drawForce(w, i, contact->pos, normal, m->vis.rgba.contactforce);
    drawForce(w, i, contact->pos, friction, m->vis.rgba.contactfriction);
  } else {
    shape = drawForce(w, i, contact->pos, force, m->vis.rgba.contactforce);
    if (shape && isBetweenBodies(m, contact)) shape->type = snGEOM_ARROW2;
  }
  if (shape && w->option->label == snLABEL_CONTACTFORCE) {
    snprintf(shape->label, sizeof(shape->label), "%-.3g", snu_norm3(force));
  }
}

static void drawContacts(Drawing* w) {
  const snModel* m = w->m;
  snReal meansize = m->stat.meansize;
  for (int i = 0; i < w->d->ncon; i++) {
    const snContact* contact = w->d->contact + i;
    const snReal* f = contact->frame;
    snReal mat[9] = {f[3], f[6], f[0], f[4], f[7], f[1], f[5], f[8], f[2]}, rows[9];
    if (isFlag(w, snVIS_CONTACTPOINT)) {
      snReal size[3] = {m->vis.scale.contactwidth * meansize,
                        snu_max(m->vis.scale.contactheight * meansize, -contact->dist / 2), 0};
      snvGeom* shape =
          drawShape(w, snGEOM_CYLINDER, snOBJ_UNKNOWN, i, size, contact->pos, mat,
                    contact->efc_address >= 0 ? m->vis.rgba.contactpoint : m->vis.rgba.contactgap);
      if (shape && isFlag(w, snVIS_ISLAND) && contact->efc_address >= 0) {
        paintRowIsland(w, shape, contact->efc_address);
      }
      if (shape && w->option->label == snLABEL_CONTACTPOINT) contactLabel(w, shape, contact);
    }
    if (w->option->frame == snFRAME_CONTACT) {
      snu_transpose(rows, f, 3, 3);
      drawFrame(w, i, contact->pos, rows, 0.5);
    }
    if (isFlag(w, snVIS_CONTACTFORCE)) drawContactForce(w, i, contact);
  }
}

void drawDecoration(Drawing* w) {
  drawShapeFrames(w);
  drawTrees(w);
  drawFlexTrees(w);
  drawOctrees(w);
  drawTaxels(w);
  drawInertias(w);
  drawPerturbObject(w);
  drawBodyFrames(w);
  drawSelection(w);
  labelBodies(w);
  drawJoints(w);
  drawActuators(w);
  labelIslands(w);
  drawCameras(w);
  drawLights(w);
  drawCenters(w);
  drawConnections(w);
  drawSensors(w);
  drawPerturbForces(w);
  drawEqualities(w);
  drawContacts(w);
}
