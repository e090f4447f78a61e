// Decoration of a scene: what explains the simulation.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compat/scene.h"

static const float kAxes[3][4] = {{0.9f, 0, 0, 1}, {0, 0.9f, 0, 1}, {0, 0, 0.9f, 1}};

static int isFlag(const Drawing* w, int flag) { return w->option->flags[flag]; }

static void cube(mjtNum size[3], mjtNum half) { size[0] = size[1] = size[2] = half; }

// weighted mean of two colours
static void mix(float res[4], const float a[4], const float b[4], mjtNum weight) {
  for (int i = 0; i < 4; i++) res[i] = (float)((1 - weight) * a[i] + weight * b[i]);
}

// three axes of a frame
static void drawFrame(Drawing* w, int objid, const mjtNum pos[3], const mjtNum mat[9],
                      mjtNum scale) {
  mjtNum size = w->m->stat.meansize * scale;
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3] = {mat[k], mat[3 + k], mat[6 + k]}, to[3];
    mju_addScl3(to, pos, axis, w->m->vis.scale.framelength * size);
    drawConnector(w, mjGEOM_CYLINDER, mjOBJ_UNKNOWN, objid, w->m->vis.scale.framewidth * size, pos,
                  to, kAxes[k]);
  }
}

// ---- bodies ----

// half sizes of the box or ellipsoid with the inertia of a body
static void inertiaSize(mjtNum size[3], const mjModel* m, int body) {
  const mjtNum* inertia = m->body_inertia + 3 * body;
  mjtNum factor = m->vis.global.ellipsoidinertia ? 2.5 : 1.5;
  for (int i = 0; i < 3; i++) {
    mjtNum sum = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
    size[i] = mju_sqrt(mju_max(sum, 0) * factor / m->body_mass[body]);
  }
}

static void drawBodies(Drawing* w) {
  const mjModel* m = w->m;
  int label = w->option->label;
  for (int i = 1; i < m->nbody; i++) {
    mjvGeom* shape = NULL;
    int labelled = label == mjLABEL_BODY || (label == mjLABEL_SELECTION && isSelected(w, i));
    if (isFlag(w, mjVIS_INERTIA) && m->body_weldid[i] && m->body_mass[i] > mjMINVAL) {
      mjtNum size[3];
      inertiaSize(size, m, i);
      shape =
          drawShape(w, m->vis.global.ellipsoidinertia ? mjGEOM_ELLIPSOID : mjGEOM_BOX, mjOBJ_BODY,
                    i, size, w->d->xipos + 3 * i, w->d->ximat + 9 * i, m->vis.rgba.inertia);
      if (shape && isSelected(w, i)) shape->emission += m->vis.global.glow;
    } else if (labelled) {
      static const float kPlain[4] = {0.5f, 0.5f, 0.5f, 1};
      shape = drawShape(w, mjGEOM_LABEL, mjOBJ_UNKNOWN, i, NULL, w->d->xpos + 3 * i,
                        w->d->xmat + 9 * i, kPlain);
    }
    if (shape && labelled) labelShape(w, shape, mjOBJ_BODY, i);
  }
}

static void drawPerturbObject(Drawing* w) {
  const mjModel* m = w->m;
  const mjvPerturb* pert = w->perturb;
  int body = pert ? pert->select : 0, active = pert ? pert->active | pert->active2 : 0;
  if (body <= 0 || body >= m->nbody || !isFlag(w, mjVIS_PERTOBJ)) return;
  mjtNum point[3], mat[9], size[3];
  mju_quat2Mat(mat, pert->refquat);
  const float* rgba = pert->active ? kAxes[0] : kAxes[1];
  if (active & mjPERT_TRANSLATE) {
    mju_mulMatVec3(point, w->d->xmat + 9 * body, pert->localpos);
    mju_addTo3(point, w->d->xpos + 3 * body);
    drawConnector(w, mjGEOM_CAPSULE, mjOBJ_UNKNOWN, body,
                  m->vis.scale.constraint * m->stat.meansize, point, pert->refselpos, rgba);
    cube(size, m->vis.scale.selectpoint * m->stat.meansize);
    drawShape(w, mjGEOM_SPHERE, mjOBJ_UNKNOWN, body, size, pert->refselpos, mat, rgba);
  }
  if ((active & mjPERT_ROTATE) && m->body_bvhadr[body] >= 0) {
    const mjtNum* box = m->bvh_aabb + 6 * m->body_bvhadr[body];
    mju_mulMatVec3(point, w->d->ximat + 9 * body, box);
    mju_addTo3(point, w->d->xipos + 3 * body);
    drawShape(w, mjGEOM_BOX, mjOBJ_UNKNOWN, body, box + 3, point, mat, m->vis.rgba.inertia);
  }
}

static void drawFrames(Drawing* w) {
  const mjModel* m = w->m;
  const mjData* d = w->d;
  static const mjtNum kOrigin[3] = {0, 0, 0}, kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  switch (w->option->frame) {
    case mjFRAME_WORLD: drawFrame(w, 0, kOrigin, kIdentity, 2); break;
    case mjFRAME_BODY:
      for (int i = 1; i < m->nbody; i++) drawFrame(w, i, d->xpos + 3 * i, d->xmat + 9 * i, 1);
      break;
    case mjFRAME_GEOM:
      for (int i = 0; i < m->ngeom; i++) {
        drawFrame(w, i, d->geom_xpos + 3 * i, d->geom_xmat + 9 * i, 1);
      }
      break;
    case mjFRAME_SITE:
      for (int i = 0; i < m->nsite; i++) {
        drawFrame(w, i, d->site_xpos + 3 * i, d->site_xmat + 9 * i, 1);
      }
      break;
    default: break;
  }
}

static void drawSelection(Drawing* w) {
  const mjvPerturb* pert = w->perturb;
  int body = pert ? pert->select : 0;
  if (!isFlag(w, mjVIS_SELECT) || body <= 0 || body >= w->m->nbody) return;
  mjtNum point[3], size[3];
  mju_mulMatVec3(point, w->d->xmat + 9 * body, pert->localpos);
  mju_addTo3(point, w->d->xpos + 3 * body);
  cube(size, w->m->vis.scale.selectpoint * w->m->stat.meansize);
  mjvGeom* shape = drawShape(w, mjGEOM_SPHERE, mjOBJ_UNKNOWN, body, size, point, NULL,
                             w->m->vis.rgba.selectpoint);
  if (shape && w->option->label == mjLABEL_SELPNT) {
    snprintf(shape->label, sizeof(shape->label), "%.3f %.3f %.3f (local %.3f %.3f %.3f)", point[0],
             point[1], point[2], pert->localpos[0], pert->localpos[1], pert->localpos[2]);
  }
}

// ---- joints and actuators ----

// how hard the limit of a joint pushes
static mjtNum limitImpedance(const mjModel* m, const mjData* d, int joint) {
  (void)m;
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_type[i] == mjCNSTR_LIMIT_JOINT && d->efc_id[i] == joint) {
      return d->efc_KBIP[4 * i + 2];
    }
  }
  return 0;
}

static mjvGeom* drawJoint(Drawing* w, int joint, int objtype, int objid, mjtNum width,
                          mjtNum length, mjtNum block, const float rgba[4]) {
  const mjModel* m = w->m;
  const mjtNum *anchor = w->d->xanchor + 3 * joint, *axis = w->d->xaxis + 3 * joint;
  const mjtNum* mat = w->d->xmat + 9 * m->jnt_bodyid[joint];
  mjtNum size[3], to[3];
  cube(size, block);
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE: return drawShape(w, mjGEOM_BOX, objtype, objid, size, anchor, mat, rgba);
    case mjJNT_BALL: return drawShape(w, mjGEOM_SPHERE, objtype, objid, size, anchor, mat, rgba);
    default:
      mju_addScl3(to, anchor, axis, length);
      return drawConnector(w, m->jnt_type[joint] == mjJNT_HINGE ? mjGEOM_ARROW1 : mjGEOM_ARROW,
                           objtype, objid, width, anchor, to, rgba);
  }
}

static void drawJoints(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum width = m->vis.scale.jointwidth * m->stat.meansize;
  for (int i = 0; isFlag(w, mjVIS_JOINT) && i < m->njnt; i++) {
    if (!isGroupShown(w->option->jointgroup, m->jnt_group[i])) continue;
    float rgba[4];
    mix(rgba, m->vis.rgba.joint, m->vis.rgba.constraint, limitImpedance(m, w->d, i));
    mjvGeom* shape = drawJoint(w, i, mjOBJ_JOINT, i, width,
                               m->vis.scale.jointlength * m->stat.meansize, 3 * width, rgba);
    if (shape && w->option->label == mjLABEL_JOINT) labelShape(w, shape, mjOBJ_JOINT, i);
  }
}

// colour between rest and full control, or activation
static void actuatorColor(const Drawing* w, int i, float rgba[4]) {
  const mjModel* m = w->m;
  mjtNum value = w->d->ctrl[i], low = -1, high = 1;
  int activation = isFlag(w, mjVIS_ACTIVATION) && m->actuator_actnum[i] > 0;
  if (activation) value = w->d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
  const mjtByte* limited = activation ? m->actuator_actlimited : m->actuator_ctrllimited;
  const mjtNum* range = (activation ? m->actuator_actrange : m->actuator_ctrlrange) + 2 * i;
  if (limited[i]) low = range[0], high = range[1];
  mjtNum weight = value > 0 ? (high > 0 ? value / high : 1) : (low < 0 ? value / low : 1);
  if (value == 0) weight = 0;
  mix(rgba, m->vis.rgba.actuator,
      value > 0 ? m->vis.rgba.actuatorpositive : m->vis.rgba.actuatornegative,
      mju_clip(weight, 0, 1));
}

static void drawActuators(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum meansize = m->stat.meansize, enlarged[3];
  for (int i = 0; isFlag(w, mjVIS_ACTUATOR) && i < m->nu; i++) {
    if (!isGroupShown(w->option->actuatorgroup, m->actuator_group[i])) continue;
    int target = m->actuator_trnid[2 * i], first = w->scene->ngeom;
    float rgba[4];
    actuatorColor(w, i, rgba);
    switch (m->actuator_trntype[i]) {
      case mjTRN_JOINT:
      case mjTRN_JOINTINPARENT:
        drawJoint(w, target, mjOBJ_ACTUATOR, i, m->vis.scale.actuatorwidth * meansize,
                  m->vis.scale.actuatorlength * meansize, 3.3 * m->vis.scale.jointwidth * meansize,
                  rgba);
        break;
      case mjTRN_TENDON:
        drawTendon(w, target, mjOBJ_ACTUATOR, i, mjCAT_DECOR,
                   m->vis.map.actuatortendon * m->tendon_width[target], rgba,
                   m->tendon_matid[target]);
        break;
      case mjTRN_SITE:
        mju_scl3(enlarged, m->site_size + 3 * target, 1.05);
        drawShape(w, m->site_type[target], mjOBJ_ACTUATOR, i, enlarged,
                  w->d->site_xpos + 3 * target, w->d->site_xmat + 9 * target, rgba);
        break;
      default: break;
    }
    if (w->option->label == mjLABEL_ACTUATOR && w->scene->ngeom > first) {
      labelShape(w, w->scene->geoms + first, mjOBJ_ACTUATOR, i);
    }
  }
}

// ---- cameras and lights ----

static void drawCameras(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum unit = m->vis.scale.camera * m->stat.meansize;
  for (int i = 0; isFlag(w, mjVIS_CAMERA) && i < m->ncam; i++) {
    const mjtNum *pos = w->d->cam_xpos + 3 * i, *mat = w->d->cam_xmat + 9 * i;
    mjtNum size[3] = {unit, 0.8 * unit, 0.4 * unit}, lens[3] = {0.4 * unit, 0.3 * unit, 0}, at[3];
    mjvGeom* shape = drawShape(w, mjGEOM_BOX, mjOBJ_CAMERA, i, size, pos, mat, m->vis.rgba.camera);
    if (shape && w->option->label == mjLABEL_CAMERA) labelShape(w, shape, mjOBJ_CAMERA, i);
    float dark[4];
    for (int k = 0; k < 4; k++) dark[k] = (k < 3 ? 0.5f : 1) * m->vis.rgba.camera[k];
    for (int k = 0; k < 3; k++) at[k] = pos[k] - 0.6 * unit * mat[3 * k + 2];
    drawShape(w, mjGEOM_CYLINDER, mjOBJ_CAMERA, i, lens, at, mat, dark);
  }
}

static void drawLights(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum unit = m->vis.scale.light * m->stat.meansize;
  for (int i = 0; isFlag(w, mjVIS_LIGHT) && i < m->nlight; i++) {
    const mjtNum *pos = w->d->light_xpos + 3 * i, *dir = w->d->light_xdir + 3 * i;
    mjtNum size[3] = {0.8 * unit, unit, 0}, quat[4], mat[9], at[3];
    mju_quatZ2Vec(quat, dir);
    mju_quat2Mat(mat, quat);
    mju_addScl3(at, pos, dir, -unit - 1e-4);
    mjvGeom* shape =
        drawShape(w, mjGEOM_CYLINDER, mjOBJ_LIGHT, i, size, at, mat, m->vis.rgba.light);
    if (shape && w->option->label == mjLABEL_LIGHT) labelShape(w, shape, mjOBJ_LIGHT, i);
  }
}

// ---- forces and constraints ----

static void drawCenters(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum size[3];
  cube(size, m->vis.scale.com * m->stat.meansize);
  for (int i = 1; isFlag(w, mjVIS_COM) && i < m->nbody; i++) {
    if (m->body_parentid[i] || !m->body_weldid[i]) continue;
    drawShape(w, mjGEOM_SPHERE, mjOBJ_UNKNOWN, i, size, w->d->subtree_com + 3 * i, NULL,
              m->vis.rgba.com);
  }
}

static void drawConnections(Drawing* w) {
  const mjModel* m = w->m;
  const mjData* d = w->d;
  mjtNum width = m->vis.scale.connect * m->stat.meansize;
  for (int i = 1; isFlag(w, mjVIS_AUTOCONNECT) && i < m->nbody; i++) {
    int parent = m->body_parentid[i];
    if (!parent) continue;
    const mjtNum* from = d->xipos + 3 * i;
    for (int j = m->body_jntnum[i] - 1; j >= 0; j--) {
      const mjtNum* anchor = d->xanchor + 3 * (m->body_jntadr[i] + j);
      drawConnector(w, mjGEOM_CAPSULE, mjOBJ_UNKNOWN, i, width, from, anchor, m->vis.rgba.connect);
      from = anchor;
    }
    drawConnector(w, mjGEOM_CAPSULE, mjOBJ_UNKNOWN, i, width, from, d->xipos + 3 * parent,
                  m->vis.rgba.connect);
  }
}

static mjvGeom* drawForce(Drawing* w, int objid, const mjtNum pos[3], const mjtNum force[3],
                          const float rgba[4]) {
  const mjModel* m = w->m;
  mjtNum to[3];
  mju_addScl3(to, pos, force, m->vis.map.force / m->stat.meanmass);
  return drawConnector(w, mjGEOM_ARROW, mjOBJ_UNKNOWN, objid,
                       m->vis.scale.forcewidth * m->stat.meansize, pos, to, rgba);
}

static void drawPerturbForces(Drawing* w) {
  for (int i = 1; isFlag(w, mjVIS_PERTFORCE) && i < w->m->nbody; i++) {
    const mjtNum* force = w->d->xfrc_applied + 6 * i;
    if (mju_isZero(force, 3)) continue;
    drawForce(w, i, w->d->xipos + 3 * i, force, w->m->vis.rgba.force);
  }
}

static void drawEqualities(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum size[3], point[3];
  cube(size, m->vis.scale.constraint * m->stat.meansize);
  for (int i = 0; isFlag(w, mjVIS_CONSTRAINT) && i < m->neq; i++) {
    if (!w->d->eq_active[i] || m->eq_type[i] != mjEQ_CONNECT) continue;
    for (int side = 0; side < 2; side++) {
      int id = side ? m->eq_obj2id[i] : m->eq_obj1id[i];
      const mjtNum *pos = w->d->xpos + 3 * id, *mat = w->d->xmat + 9 * id;
      if (m->eq_objtype[i] == mjOBJ_SITE) {
        mju_copy3(point, w->d->site_xpos + 3 * id);
        mat = w->d->site_xmat + 9 * id;
      } else {
        mju_mulMatVec3(point, mat, m->eq_data + mjNEQDATA * i + 3 * side);
        mju_addTo3(point, pos);
      }
      mjvGeom* shape = drawShape(w, mjGEOM_SPHERE, mjOBJ_EQUALITY, i, size, point, mat,
                                 side ? m->vis.rgba.constraint : m->vis.rgba.connect);
      if (shape && w->option->label == mjLABEL_CONSTRAINT) {
        labelShape(w, shape, mjOBJ_EQUALITY, i);
      }
    }
  }
}

static void contactLabel(const Drawing* w, mjvGeom* shape, const mjContact* contact) {
  char part[2][50];
  for (int k = 0; k < 2; k++) {
    const char* name =
        contact->geom[k] >= 0 ? mj_id2name(w->m, mjOBJ_GEOM, contact->geom[k]) : NULL;
    if (name) {
      snprintf(part[k], sizeof(part[k]), "%s", name);
    } else {
      snprintf(part[k], sizeof(part[k]), "g%d", contact->geom[k]);
    }
  }
  snprintf(shape->label, sizeof(shape->label), "%.47s | %.47s", part[0], part[1]);
}

static void drawContactForce(Drawing* w, int i, const mjContact* contact) {
  const mjModel* m = w->m;
  mjtNum wrench[6], force[3], normal[3], friction[3];
  if (contact->efc_address < 0) return;
  mj_contactForce(m, w->d, i, wrench);
  if (contact->geom[0] >= 0 && contact->geom[1] >= 0 &&
      m->geom_bodyid[contact->geom[0]] > m->geom_bodyid[contact->geom[1]]) {
    mju_scl3(wrench, wrench, -1);
  }
  mju_mulMatTVec3(force, contact->frame, wrench);
  mjvGeom* shape;
  if (isFlag(w, mjVIS_CONTACTSPLIT)) {
    mju_scl3(normal, contact->frame, wrench[0]);
    mju_sub3(friction, force, normal);
    shape = drawForce(w, i, contact->pos, normal, m->vis.rgba.contactforce);
    if (mju_norm3(friction) > mjMINVAL) {
      drawForce(w, i, contact->pos, friction, m->vis.rgba.contactfriction);
    }
  } else {
    shape = drawForce(w, i, contact->pos, force, m->vis.rgba.contactforce);
  }
  if (shape && w->option->label == mjLABEL_CONTACTFORCE) {
    snprintf(shape->label, sizeof(shape->label), "%-.3g", mju_norm3(force));
  }
}

static void drawContacts(Drawing* w) {
  const mjModel* m = w->m;
  mjtNum meansize = m->stat.meansize;
  for (int i = 0; i < w->d->ncon; i++) {
    const mjContact* contact = w->d->contact + i;
    const mjtNum* f = contact->frame;
    mjtNum mat[9] = {f[3], f[6], f[0], f[4], f[7], f[1], f[5], f[8], f[2]}, rows[9];
    if (isFlag(w, mjVIS_CONTACTPOINT)) {
      mjtNum size[3] = {m->vis.scale.contactwidth * meansize,
                        mju_max(m->vis.scale.contactheight * meansize, fabs(contact->dist) / 2), 0};
      mjvGeom* shape =
          drawShape(w, mjGEOM_CYLINDER, mjOBJ_UNKNOWN, i, size, contact->pos, mat,
                    contact->efc_address >= 0 ? m->vis.rgba.contactpoint : m->vis.rgba.contactgap);
      if (shape && w->option->label == mjLABEL_CONTACTPOINT) contactLabel(w, shape, contact);
    }
    if (w->option->frame == mjFRAME_CONTACT) {
      mju_transpose(rows, f, 3, 3);
      drawFrame(w, i, contact->pos, rows, 0.5);
    }
    if (isFlag(w, mjVIS_CONTACTFORCE)) drawContactForce(w, i, contact);
  }
}

void drawDecoration(Drawing* w) {
  drawBodies(w);
  drawPerturbObject(w);
  drawFrames(w);
  drawSelection(w);
  drawJoints(w);
  drawActuators(w);
  drawCameras(w);
  drawLights(w);
  drawCenters(w);
  drawConnections(w);
  drawPerturbForces(w);
  drawEqualities(w);
  drawContacts(w);
}
