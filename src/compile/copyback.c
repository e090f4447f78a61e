// Pushes the numbers of a model back into the spec that it was compiled from.
//
// Poses come back as the model has them: in the body, without frames and alternative orientations,
// so that compiling again gives the same numbers. Names, topology and flags are not touched.

#include <math.h>
#include <string.h>

#include "asset/algebra.h"
#include "base/assert.h"
#include "compile/compiler.h"

static void fromReal(double* dest, const snReal* source, int n) {
  for (int i = 0; i < n; i++) dest[i] = (double)source[i];
}

// the pose of an element without its frame
static void setPose(snElem* elem, double pos[3], double quat[4], snsOrientation* alt,
                    const snReal* newpos, const snReal* newquat) {
  fromReal(pos, newpos, 3);
  fromReal(quat, newquat, 4);
  alt->type = snORIENTATION_QUAT;
  elem->frame = NULL;
}

// Resolved attributes are refreshed, not those that the program sees.
static int isResolved(const snElem* elem) { return elem->object == elem->resolved; }

// Resolved numbers have a vector of their own, of the size that they have in the model.
static void copyUser(const snElem* elem, snDoubleVec** vec, const snReal* user, snSize n) {
  snDoubleVec* own =
      isResolved(elem) ? sn_resolvedNumbers(&sn_specData(elem->spec)->resolved, user, n) : NULL;
  if (own) *vec = own;
  for (int i = 0; !own && i < (*vec)->size && i < n; i++) (*vec)->data[i] = (double)user[i];
}

static void copyBody(const snModel* m, snElem* elem) {
  snsBody* spec = (snsBody*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->nbody);
  if (i > 0) {
    setPose(elem, spec->pos, spec->quat, &spec->alt, m->body_pos + 3 * i, m->body_quat + 4 * i);
    sn_takeCopied(m, snOBJ_BODY, i, spec);
    spec->ialt.type = snORIENTATION_QUAT;
    spec->fullinertia[0] = NAN;
    spec->explicitinertial = 1;
    if (!isResolved(elem)) spec->gravcomp = (double)m->body_gravcomp[i];
  }
  copyUser(elem, &spec->userdata, m->body_user + i * m->nuser_body, m->nuser_body);
}

static void copyJoint(const snModel* m, snElem* elem) {
  snsJoint* spec = (snsJoint*)elem->object;
  int i = elem->id, dof = m->jnt_dofadr[i], qpos = m->jnt_qposadr[i];
  SN_ASSERT_INDEX(i, m->njnt);
  int degree = sn_elemCompiler(elem)->degree && !isResolved(elem);
  double degrees = degree ? 180 / snPI : 1;
  int hinge = spec->type == snJNT_HINGE, ball = spec->type == snJNT_BALL;
  sn_takeCopied(m, snOBJ_JOINT, i, spec);
  elem->frame = NULL;
  if (m->jnt_limited[i] && (hinge || ball)) {
    for (int k = 0; k < 2; k++) spec->range[k] *= degrees;
  }
  if (hinge || spec->type == snJNT_SLIDE) {
    spec->ref = (double)m->qpos0[qpos] * (hinge ? degrees : 1);
    spec->springref = (double)m->qpos_spring[qpos] * (hinge ? degrees : 1);
  } else if (spec->type == snJNT_FREE && elem->parent && !isResolved(elem)) {
    // what is written has the pose of the body, whatever the joint refers to
    snsBody* body = (snsBody*)elem->parent->object;
    fromReal(body->pos, m->qpos0 + qpos, 3);
    fromReal(body->quat, m->qpos0 + qpos + 3, 4);
    spec->align = snALIGNFREE_FALSE;  // the poses above are those of the aligned frame
  }
  if (!isResolved(elem)) fromReal(spec->actfrcrange, m->jnt_actfrcrange + 2 * i, 2);
  spec->springdamper[0] = spec->springdamper[1] = 0;
  sn_takeCopied(m, snOBJ_DOF, dof, spec);
  copyUser(elem, &spec->userdata, m->jnt_user + i * m->nuser_jnt, m->nuser_jnt);
}

static void removeMeshFrame(const snModel* m, int geom, snsGeom* spec) {
  int mesh = m->geom_dataid[geom];
  SN_ASSERT_INDEX(mesh, m->nmesh);
  double meshpos[3], meshquat[4];
  fromReal(meshpos, m->mesh_pos + 3 * mesh, 3);
  fromReal(meshquat, m->mesh_quat + 4 * mesh, 4);
  sn_removeMeshFrame(spec, meshpos, meshquat);
}

static void copyGeom(const snModel* m, snElem* elem) {
  snsGeom* spec = (snsGeom*)elem->object;
  int i = elem->id, type = m->geom_type[i];
  SN_ASSERT_INDEX(i, m->ngeom);
  setPose(elem, spec->pos, spec->quat, &spec->alt, m->geom_pos + 3 * i, m->geom_quat + 4 * i);
  if (type == snGEOM_MESH || type == snGEOM_SDF) {
    removeMeshFrame(m, i, spec);
  } else if (!sn_stringEmpty(spec->meshname)) {
    sns_setString(spec->meshname, "");  // a fitted primitive is now given by its size
    spec->fromto[0] = NAN;
  } else {
    spec->fromto[0] = NAN;
  }
  if (type != snGEOM_MESH && type != snGEOM_SDF && type != snGEOM_HFIELD) {
    fromReal(spec->size, m->geom_size + 3 * i, 3);
  }
  sn_takeCopied(m, snOBJ_GEOM, i, spec);
  copyUser(elem, &spec->userdata, m->geom_user + i * m->nuser_geom, m->nuser_geom);
}

static void copySite(const snModel* m, snElem* elem) {
  snsSite* spec = (snsSite*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->nsite);
  setPose(elem, spec->pos, spec->quat, &spec->alt, m->site_pos + 3 * i, m->site_quat + 4 * i);
  spec->fromto[0] = NAN;
  sn_takeCopied(m, snOBJ_SITE, i, spec);
  copyUser(elem, &spec->userdata, m->site_user + i * m->nuser_site, m->nuser_site);
}

static void copyCamera(const snModel* m, snElem* elem) {
  snsCamera* spec = (snsCamera*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->ncam);
  setPose(elem, spec->pos, spec->quat, &spec->alt, m->cam_pos + 3 * i, m->cam_quat + 4 * i);
  if (!(spec->sensor_size[0] > 0 && spec->sensor_size[1] > 0)) {
    spec->fovy = (double)m->cam_fovy[i];
  }
  sn_takeCopied(m, snOBJ_CAMERA, i, spec);
  copyUser(elem, &spec->userdata, m->cam_user + i * m->nuser_cam, m->nuser_cam);
}

static void copyLight(const snModel* m, snElem* elem) {
  snsLight* spec = (snsLight*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->nlight);
  sn_takeCopied(m, snOBJ_LIGHT, i, spec);
  elem->frame = NULL;
  if (isResolved(elem)) return;
  spec->bulbradius = m->light_bulbradius[i];
  spec->intensity = m->light_intensity[i];
  spec->range = m->light_range[i];
}

static void copyMaterial(const snModel* m, snElem* elem) {
  snsMaterial* spec = (snsMaterial*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->nmat);
  sn_takeCopied(m, snOBJ_MATERIAL, i, spec);
  if (!isResolved(elem)) {
    spec->metallic = m->mat_metallic[i];
    spec->roughness = m->mat_roughness[i];
  }
}

// pairs and equalities
static void copyPlain(const snModel* m, snElem* elem) {
  sn_takeCopied(m, elem->head.elemtype, elem->id, elem->object);
}

static void copyTendon(const snModel* m, snElem* elem) {
  snsTendon* spec = (snsTendon*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->ntendon);
  sn_takeCopied(m, snOBJ_TENDON, i, spec);
  if (!isResolved(elem)) {
    fromReal(spec->springlength, m->tendon_lengthspring + 2 * i, 2);
  }
  copyUser(elem, &spec->userdata, m->tendon_user + i * m->nuser_tendon, m->nuser_tendon);
}

static void copyActuator(const snModel* m, snElem* elem) {
  snsActuator* spec = (snsActuator*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->nu);
  sn_takeCopied(m, snOBJ_ACTUATOR, i, spec);
  spec->inheritrange = 0;  // its result is in the ranges
  copyUser(elem, &spec->userdata, m->actuator_user + i * m->nuser_actuator, m->nuser_actuator);
}

static void copySensor(const snModel* m, snElem* elem) {
  snsSensor* spec = (snsSensor*)elem->object;
  int i = elem->id;
  SN_ASSERT_INDEX(i, m->nsensor);
  sn_takeCopied(m, snOBJ_SENSOR, i, spec);
  copyUser(elem, &spec->userdata, m->sensor_user + i * m->nuser_sensor, m->nuser_sensor);
}

static void copyNumeric(const snModel* m, snElem* elem) {
  snsNumeric* spec = (snsNumeric*)elem->object;
  SN_ASSERT_INDEX(elem->id, m->nnumeric);
  copyUser(elem, &spec->data, m->numeric_data + m->numeric_adr[elem->id],
           m->numeric_size[elem->id]);
}

static void copyTuple(const snModel* m, snElem* elem) {
  snsTuple* spec = (snsTuple*)elem->object;
  SN_ASSERT_INDEX(elem->id, m->ntuple);
  copyUser(elem, &spec->objprm, m->tuple_objprm + m->tuple_adr[elem->id], m->tuple_size[elem->id]);
}

static void setVec(snDoubleVec* vec, const snReal* values, snSize n) {
#ifdef SN_SINGLE
  (void)vec, (void)values, (void)n;
#else
  sns_setDouble(vec, values, (int)n);
#endif
}

static void copyKey(const snModel* m, snElem* elem) {
  snsKey* spec = (snsKey*)elem->object;
  snSize i = elem->id;
  SN_ASSERT_INDEX(i, m->nkey);
  spec->time = (double)m->key_time[i];
  setVec(spec->qpos, m->key_qpos + i * m->nq, m->nq);
  setVec(spec->qvel, m->key_qvel + i * m->nv, m->nv);
  setVec(spec->act, m->key_act + i * m->na, m->na);
  setVec(spec->ctrl, m->key_ctrl + i * m->nu, m->nu);
  setVec(spec->mpos, m->key_mpos + i * 3 * m->nmocap, 3 * m->nmocap);
  setVec(spec->mquat, m->key_mquat + i * 4 * m->nmocap, 4 * m->nmocap);
  setVec(spec->deformpos, m->key_deformpos + i * 3 * m->ndeformvert, 3 * m->ndeformvert);
  setVec(spec->deformvel, m->key_deformvel + i * 3 * m->ndeformvert, 3 * m->ndeformvert);
}

// elements that the compiler removed have no id
#define COPY_LIST(list, function)   \
  SN_EACH(e, list) {                \
    if (e->id >= 0) function(m, e); \
  }

static void copyTree(snSpec* s, const snModel* m) {
  for (snElem* body = sn_world(s); body; body = sn_nextBody(body)) {
    if (body->id >= 0) copyBody(m, body);
    COPY_LIST(sn_bodyList(body, snOBJ_JOINT), copyJoint)
    COPY_LIST(sn_bodyList(body, snOBJ_GEOM), copyGeom)
    COPY_LIST(sn_bodyList(body, snOBJ_SITE), copySite)
    COPY_LIST(sn_bodyList(body, snOBJ_CAMERA), copyCamera)
    COPY_LIST(sn_bodyList(body, snOBJ_LIGHT), copyLight)
  }
}

// elements whose attributes are refreshed one by one
static void copyElement(const snModel* m, snElem* e) {
  switch (e->head.elemtype) {
    case snOBJ_BODY: copyBody(m, e); break;
    case snOBJ_JOINT: copyJoint(m, e); break;
    case snOBJ_GEOM: copyGeom(m, e); break;
    case snOBJ_SITE: copySite(m, e); break;
    case snOBJ_CAMERA: copyCamera(m, e); break;
    case snOBJ_LIGHT: copyLight(m, e); break;
    case snOBJ_MATERIAL: copyMaterial(m, e); break;
    case snOBJ_PAIR:
    case snOBJ_EQUALITY: copyPlain(m, e); break;
    case snOBJ_TENDON: copyTendon(m, e); break;
    case snOBJ_ACTUATOR: copyActuator(m, e); break;
    case snOBJ_SENSOR: copySensor(m, e); break;
    case snOBJ_NUMERIC: copyNumeric(m, e); break;
    case snOBJ_TUPLE: copyTuple(m, e); break;
    default: break;
  }
}

// what compilation leaves as it is has resolved attributes from the first time that they change
static void keepCustom(snElem* e) {
  size_t size = e->head.elemtype == snOBJ_NUMERIC ? sizeof(snsNumeric)
                : e->head.elemtype == snOBJ_TUPLE ? sizeof(snsTuple)
                                                  : 0;
  if (e->resolved || !size) return;
  e->resolved = sn_poolTake(&sn_specData(e->spec)->resolved, 1, size);
  if (e->resolved) memcpy(e->resolved, e->object, size);
}

// the same into the resolved attributes; the element itself stays as it is
static void refreshList(const snElemList* list, const snModel* m) {
  SN_EACH(e, list) {
    snObj type = e->head.elemtype;
    keepCustom(e);
    if (e->id < 0 || !e->resolved || type == snOBJ_KEY) continue;
    void* object = e->object;
    snElem* frame = e->frame;
    e->object = e->resolved;
    int explicit = type == snOBJ_BODY && ((snsBody*)e->object)->explicitinertial;
    copyElement(m, e);
    if (type == snOBJ_BODY) ((snsBody*)e->object)->explicitinertial = (snByte) explicit;
    e->object = object;
    e->frame = frame;
  }
}

static int isCompiledFrom(const snSpec* s, const snModel* m) {
  uint64_t signature = sn_specData(s)->element->head.signature;
  return signature && signature == m->signature && sn_specData(s)->structure == sn_specSignature(s);
}

// what differs from what the compiler computed
static void refreshStatistic(snSpec* sizes, const snStatistic* computed, const snModel* m) {
  const snStatistic* stat = &m->stat;
  if (stat->meaninertia != computed->meaninertia) sizes->stat.meaninertia = stat->meaninertia;
  if (stat->meanmass != computed->meanmass) sizes->stat.meanmass = stat->meanmass;
  if (stat->meansize != computed->meansize) sizes->stat.meansize = stat->meansize;
  if (stat->extent != computed->extent) sizes->stat.extent = stat->extent;
  for (int k = 0; k < 3; k++) {
    if (stat->center[k] == computed->center[k]) continue;
    memcpy(sizes->stat.center, stat->center, sizeof(stat->center));
  }
}

int sn_refreshResolved(snSpec* s, const snModel* m) {
  snSpecData* data = sn_specData(s);
  if (!isCompiledFrom(s, m) || !data->sizes) return 0;
  data->sizes->option = m->opt;
  data->sizes->visual = m->vis;
  refreshStatistic(data->sizes, &data->computed, m);
  for (snElem* body = sn_world(s); body; body = sn_nextBody(body)) {
    for (int k = 0; k < sn_kind(snOBJ_BODY)->nlist; k++) refreshList(body->lists + k, m);
  }
  for (int type = 0; type < snNLIST; type++) refreshList(sn_specData(s)->lists + type, m);
  return sn_refreshLists(s, m);
}

// clang-format off
#define SN_COPYBACK_SIZES(X) \
  X(nq) X(nv) X(nu) X(na) X(nbody) X(njnt) X(ngeom) X(nsite) X(ncam) X(nlight) X(nmesh) X(nskin) \
  X(nhfield) X(nmat) X(ntex) X(npair) X(nexclude) X(neq) X(ntendon) X(nwrap) X(nsensor) \
  X(nnumeric) X(nnumericdata) X(ntext) X(ntextdata) X(nnames) X(nM) X(nD) X(nC) X(nB) X(nJmom) \
  X(nconmax) X(njmax) X(npaths)
// clang-format on

static int hasSizes(const snModel* m, const snModel* own) {
#define X(name) &&own->name == m->name
  return 1 SN_COPYBACK_SIZES(X);
#undef X
}

int sn_copyBackCompiled(snSpec* s, const snModel* m) {
  if (!s) return 0;
  const snModel* own = sn_specData(s)->layout;
  const char* problem = !m                          ? "mjModel pointer is null"
                        : !own                      ? "mjCModel has not been compiled"
                        : !hasSizes(m, own)         ? "incompatible models"
                        : !sn_refreshResolved(s, m) ? "incompatible signatures"
                                                    : NULL;
  if (problem) sn_specError(s, 0, "Error: %s in CopyBack", problem);
  return !problem;
}

int sn_copyBack(snSpec* s, const snModel* m) {
  if (!s || !m) return 0;
  if (!isCompiledFrom(s, m)) {
    sn_specError(s, 0, "Error: incompatible signatures in CopyBack");
    return 0;
  }
  s->option = m->opt;
  if (m->nxpbd) {
    s->xpbd_substeps = m->xpbd_substeps[0];
    s->xpbd_compliance = (double)m->xpbd_compliance[0];
  }
  s->visual = m->vis;
  copyTree(s, m);
  COPY_LIST(sn_specList(s, snOBJ_MATERIAL), copyMaterial)
  COPY_LIST(sn_specList(s, snOBJ_PAIR), copyPlain)
  COPY_LIST(sn_specList(s, snOBJ_EQUALITY), copyPlain)
  COPY_LIST(sn_specList(s, snOBJ_TENDON), copyTendon)
  COPY_LIST(sn_specList(s, snOBJ_ACTUATOR), copyActuator)
  COPY_LIST(sn_specList(s, snOBJ_SENSOR), copySensor)
  COPY_LIST(sn_specList(s, snOBJ_NUMERIC), copyNumeric)
  COPY_LIST(sn_specList(s, snOBJ_TUPLE), copyTuple)
  COPY_LIST(sn_specList(s, snOBJ_KEY), copyKey)
  return 1;
}
