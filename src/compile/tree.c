// The kinematic tree: numbering, frames, and the index arrays of bodies, joints and dofs.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"
#include "compile/sparse.h"
#include "model/object_types.h"

// next body of the item tree in depth-first order
static snBodyItem* nextBody(const snBodyItem* body) {
  if (body->firstchild) return body->firstchild;
  while (body && !body->next) body = body->parent;
  return body ? body->next : NULL;
}

static void numberBody(snCompiler* c, snBodyItem* body) {
  body->id = c->nbody++;
  body->elem->id = body->id;
  body->dofnum = 0;
  body->weld = !body->parent || body->njoint ? body : body->parent->weld;
  body->mocapid = body->spec.mocap ? c->nmocap++ : -1;
  for (snJointItem* joint = body->joints; joint; joint = joint->next) {
    joint->id = joint->elem->id = c->njnt++;
    joint->qposadr = c->nq;
    joint->dofadr = c->nv;
    body->dofnum += sn_jointDofs(joint->spec.type);
    c->nq += sn_jointPositions(joint->spec.type);
    c->nv += sn_jointDofs(joint->spec.type);
  }
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) geom->id = c->ngeom++;
  for (snSiteItem* site = body->sites; site; site = site->next) site->id = c->nsite++;
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) cam->id = c->ncam++;
  for (snLightItem* light = body->lights; light; light = light->next) light->id = c->nlight++;
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) geom->elem->id = geom->id;
  for (snSiteItem* site = body->sites; site; site = site->next) site->elem->id = site->id;
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) cam->elem->id = cam->id;
  for (snLightItem* light = body->lights; light; light = light->next) light->elem->id = light->id;
}

static void listBody(snCompiler* c, snBodyItem* body) {
  c->bodies[body->id] = body;
  for (snJointItem* joint = body->joints; joint; joint = joint->next) c->joints[joint->id] = joint;
  for (snGeomItem* geom = body->geoms; geom; geom = geom->next) c->geoms[geom->id] = geom;
  for (snSiteItem* site = body->sites; site; site = site->next) c->sites[site->id] = site;
  for (snCameraItem* cam = body->cameras; cam; cam = cam->next) c->cameras[cam->id] = cam;
  for (snLightItem* light = body->lights; light; light = light->next) c->lights[light->id] = light;
}

int sn_numberTree(snCompiler* c) {
  snBodyItem* world = (snBodyItem*)sn_world(c->spec)->scratch;
  c->nbody = c->njnt = c->ngeom = c->nsite = c->ncam = c->nlight = 0;
  c->nq = c->nv = c->nmocap = 0;
  for (snBodyItem* body = world; body; body = nextBody(body)) numberBody(c, body);
  sn_specData(c->spec)->numbered = 1;
  int first = !c->bodies;
  if (first) {
    c->bodies = SN_ITEMS(c, snBodyItem*, c->nbody);
    c->joints = SN_ITEMS(c, snJointItem*, c->njnt);
    c->geoms = SN_ITEMS(c, snGeomItem*, c->ngeom);
    c->sites = SN_ITEMS(c, snSiteItem*, c->nsite);
    c->cameras = SN_ITEMS(c, snCameraItem*, c->ncam);
    c->lights = SN_ITEMS(c, snLightItem*, c->nlight);
    if (!c->bodies || !c->joints || !c->geoms || !c->sites || !c->cameras || !c->lights) return -1;
  }
  for (snBodyItem* body = world; body; body = nextBody(body)) listBody(c, body);
  if (first) {
    for (int i = 0; i < c->ngeom; i++) c->geoms[i]->firstid = i;
    for (int i = 0; i < c->nsite; i++) c->sites[i]->firstid = i;
  }
  return 0;
}

// ---- frames ----

static int compileFrame(snCompiler* c, snElem* elem) {
  const snsFrame* spec = (const snsFrame*)elem->object;
  snFrameItem* frame = SN_ITEMS(c, snFrameItem, 1);
  if (!frame) return -1;
  memcpy(frame->pos, spec->pos, sizeof(frame->pos));
  memcpy(frame->quat, spec->quat, sizeof(frame->quat));
  sn_normalizeVec(frame->quat, 4);
  SN_TRY(sn_resolveQuat(c, elem, frame->quat, &spec->alt));
  sn_applyFrame(elem, frame->pos, frame->quat);
  sn_normalizeVec(frame->quat, 4);
  elem->scratch = frame;
  return 0;
}

int sn_compileFrames(snCompiler* c, snBodyItem* body) {
  SN_EACH(e, sn_bodyList(body->elem, snOBJ_FRAME)) {
    // enclosing frames first; they come first in the list unless a program moved them
    while (!e->scratch) {
      snElem* outermost = e;
      while (outermost->frame && !outermost->frame->scratch) outermost = outermost->frame;
      SN_TRY(compileFrame(c, outermost));
    }
  }
  return 0;
}

void sn_applyFrame(const snElem* elem, double pos[3], double quat[4]) {
  if (!elem->frame || !elem->frame->scratch) return;
  const snFrameItem* frame = (const snFrameItem*)elem->frame->scratch;
  sn_composeOnto(frame->pos, frame->quat, pos, quat);
}

// ---- simple bodies ----

static const double kZero[3] = {0, 0, 0};
static const double kIdentity[4] = {1, 0, 0, 0};

static int bodySameFrame(const snBodyItem* body) {
  if (!sn_sameQuat(body->spec.iquat, kIdentity)) return snSAMEFRAME_NONE;
  return sn_samePose(body->spec.ipos, kZero, 3) ? snSAMEFRAME_BODY : snSAMEFRAME_BODYROT;
}

static int isSimpleJoint(const snJointItem* joint) {
  if (!sn_samePose(joint->spec.pos, kZero, 3)) return 0;
  if (joint->spec.type != snJNT_HINGE && joint->spec.type != snJNT_SLIDE) return 1;
  int nonzero = 0;
  for (int k = 0; k < 3; k++) nonzero += fabs(joint->spec.axis[k]) > SN_EPS;
  return nonzero == 1;
}

// bodies whose rows of the inertia matrix are diagonal and constant
static int bodySimple(const snBodyItem* body) {
  if (bodySameFrame(body) != snSAMEFRAME_BODY) return 0;
  const snBodyItem* parent = body->parent;
  if (parent && parent->parent && (parent->parent->parent || parent->njoint)) return 0;
  if (parent && body->firstchild) return 0;
  int rotated = 0, onlyslides = 1;
  for (const snJointItem* joint = body->joints; joint; joint = joint->next) {
    if (rotated || !isSimpleJoint(joint)) return 0;
    rotated = joint->spec.type == snJNT_HINGE || joint->spec.type == snJNT_BALL;
    if (joint->spec.type != snJNT_SLIDE) onlyslides = 0;
  }
  return body->njoint && onlyslides ? 2 : 1;
}

static void setSimple(snCompiler* c) {
  for (int i = 0; i < c->nbody; i++) c->bodies[i]->simple = bodySimple(c->bodies[i]);
  for (int i = 0; i < c->ntendon; i++) {
    const snTendonItem* tendon = c->tendons + i;
    if (tendon->spec.armature == 0) continue;
    for (int k = 0; k < tendon->nwrap; k++) {
      const snWrapItem* wrap = tendon->wraps + k;
      if (wrap->type == snWRAP_SITE) ((snSiteItem*)wrap->object)->body->simple = 0;
      if (wrap->type == snWRAP_SPHERE || wrap->type == snWRAP_CYLINDER) {
        ((snGeomItem*)wrap->object)->body->simple = 0;
      }
    }
  }
}

// ---- index arrays ----

static int lastDofAbove(const snModel* m, int body) {
  for (int b = m->body_parentid[body]; b > 0; b = m->body_parentid[b]) {
    if (m->body_dofnum[b]) return m->body_dofadr[b] + m->body_dofnum[b] - 1;
  }
  return -1;
}

static void setDofs(snModel* m, const snBodyItem* body) {
  int previous = lastDofAbove(m, body->id);
  for (const snJointItem* joint = body->joints; joint; joint = joint->next) {
    for (int k = 0; k < sn_jointDofs(joint->spec.type); k++) {
      int dof = joint->dofadr + k;
      m->dof_bodyid[dof] = body->id;
      m->dof_jntid[dof] = joint->id;
      m->dof_parentid[dof] = previous;
      m->dof_treeid[dof] = previous < 0 ? (int)m->ntree++ : m->dof_treeid[previous];
      previous = dof;
    }
  }
}

// tree arrays into a model that has them allocated; sets ntree
static void setTree(snCompiler* c, snModel* m) {
  m->ntree = 0;
  for (int i = 0; i < c->nbody; i++) {
    const snBodyItem* body = c->bodies[i];
    m->body_parentid[i] = body->parent ? body->parent->id : 0;
    m->body_rootid[i] = !i ? 0 : !body->parent->id ? i : m->body_rootid[body->parent->id];
    m->body_weldid[i] = body->weld->id;
    m->body_jntnum[i] = body->njoint;
    m->body_jntadr[i] = body->joints ? body->joints->id : -1;
    m->body_dofnum[i] = body->dofnum;
    m->body_dofadr[i] = body->dofnum ? body->joints->dofadr : -1;
    m->body_simple[i] = (snByte)body->simple;
    setDofs(m, body);
    const snBodyItem* weld = body->weld;
    m->body_treeid[i] = weld->dofnum ? m->dof_treeid[weld->joints->dofadr] : -1;
  }
  int run = 0;
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    m->dof_simplenum[i] = run;
  }
}

// sizes that follow from the tree; the arrays are made in the pool and thrown away
int sn_countTree(snCompiler* c, snModel* sizes) {
  setSimple(c);
  sizes->nq = c->nq;
  sizes->nv = c->nv;
  sizes->nbody = c->nbody;
  sizes->njnt = c->njnt;
  sizes->ngeom = c->ngeom;
  sizes->nsite = c->nsite;
  sizes->ncam = c->ncam;
  sizes->nlight = c->nlight;
  sizes->nmocap = c->nmocap;
  snModel m = *sizes;
  int** bodyarrays[] = {&m.body_parentid, &m.body_rootid, &m.body_weldid, &m.body_jntnum,
                        &m.body_jntadr,   &m.body_dofnum, &m.body_dofadr, &m.body_treeid};
  int** dofarrays[] = {&m.dof_bodyid, &m.dof_jntid, &m.dof_parentid, &m.dof_treeid,
                       &m.dof_simplenum};
  for (size_t k = 0; k < sizeof(bodyarrays) / sizeof(bodyarrays[0]); k++) {
    *bodyarrays[k] = SN_ITEMS(c, int, c->nbody);
    if (!*bodyarrays[k]) return -1;
  }
  for (size_t k = 0; k < sizeof(dofarrays) / sizeof(dofarrays[0]); k++) {
    *dofarrays[k] = SN_ITEMS(c, int, c->nv);
    if (!*dofarrays[k]) return -1;
  }
  m.body_simple = SN_ITEMS(c, snByte, c->nbody);
  if (!m.body_simple) return -1;
  setTree(c, &m);
  if (sn_countSparse(&m)) return sn_itemError(c, NULL, "the model has too many dofs");
  sizes->ntree = m.ntree;
  sizes->nM = m.nM;
  sizes->nC = m.nC;
  sizes->nD = m.nD;
  sizes->nB = m.nB;
  return 0;
}

static void fillBody(snModel* m, const snBodyItem* body) {
  SN_ASSERT_INDEX(body->id, m->nbody);
  int i = body->id, ngeom = 0;
  for (const snGeomItem* geom = body->geoms; geom; geom = geom->next) ngeom++;
  m->body_mocapid[i] = body->mocapid;
  m->body_geomnum[i] = ngeom;
  m->body_geomadr[i] = body->geoms ? body->geoms->id : -1;
  m->body_sameframe[i] = (snByte)bodySameFrame(body);
  sn_fillCopied(m, snOBJ_BODY, i, &body->spec);
  m->body_margin[i] = (snReal)body->margin;
  m->body_contype[i] = body->contype;
  m->body_conaffinity[i] = body->conaffinity;
  m->body_plugin[i] = -1;
}

static void fillJoint(snModel* m, const snJointItem* joint) {
  SN_ASSERT_INDEX(joint->id, m->njnt);
  SN_ASSERT_PART(joint->qposadr, sn_jointPositions(joint->spec.type), m->nq);
  SN_ASSERT_PART(joint->dofadr, sn_jointDofs(joint->spec.type), m->nv);
  int i = joint->id;
  const snsJoint* spec = &joint->spec;
  snReal* qpos0 = m->qpos0 + joint->qposadr;
  sn_fillCopied(m, snOBJ_JOINT, i, spec);
  m->jnt_qposadr[i] = joint->qposadr;
  m->jnt_dofadr[i] = joint->dofadr;
  m->jnt_bodyid[i] = joint->body->id;
  if (spec->type == snJNT_FREE) {
    sn_toReal(qpos0, joint->body->spec.pos, 3);
    sn_toReal(qpos0 + 3, joint->body->spec.quat, 4);
  } else if (spec->type == snJNT_BALL) {
    sn_toReal(qpos0, kIdentity, 4);
  } else {
    qpos0[0] = (snReal)spec->ref;
  }
  int n = sn_jointPositions(spec->type);
  memcpy(m->qpos_spring + joint->qposadr, qpos0, (size_t)n * sizeof(snReal));
  if (n == 1) m->qpos_spring[joint->qposadr] = (snReal)spec->springref;
  for (int k = joint->dofadr; k < joint->dofadr + sn_jointDofs(spec->type); k++) {
    sn_fillCopied(m, snOBJ_DOF, k, spec);
  }
}

void sn_fillTree(snCompiler* c) {
  snModel* m = c->m;
  setTree(c, m);
  for (int i = 0; i < c->nbody; i++) fillBody(m, c->bodies[i]);
  for (int i = 0; i < c->njnt; i++) fillJoint(m, c->joints[i]);
  for (int i = 0; i < c->nv; i++) {
    if (m->dof_parentid[i] >= 0) continue;
    m->tree_sleep_policy[m->dof_treeid[i]] = (int)c->bodies[m->dof_bodyid[i]]->spec.sleep;
  }
  sn_setSparse(m);
}
