// What the compilation found out stays with the elements, for writing: every element keeps a copy
// of its attributes as they were resolved (poses in the body, radians, computed masses), until the
// next compilation. Containers are shared with the element, unless they changed.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

static void* keep(snCompiler* c, snElem* elem, const void* spec, size_t size) {
  void* copy = sn_poolTake(&c->data->resolved, 1, size);
  if (copy) memcpy(copy, spec, size);
  elem->resolved = copy;
  return copy;
}

#define KEEP(c, item) keep(c, (item)->elem, &(item)->spec, sizeof((item)->spec))

static const snString kNothing = {NULL, 0, 0};

snDoubleVec* sn_resolvedNumbers(snPool* pool, const snReal* source, snSize n) {
  snDoubleVec* vec = SN_TAKE(pool, snDoubleVec, 1);
  double* values = SN_TAKE(pool, double, n + 1);
  if (!vec || !values) return NULL;
  for (snSize i = 0; i < n; i++) values[i] = (double)source[i];
  vec->data = values;
  vec->size = vec->capacity = (int)n;
  return vec;
}

static int captureBody(snCompiler* c, const snBodyItem* body) {
  snsBody* spec = (snsBody*)KEEP(c, body);
  if (!spec) return 0;
  const snsBody* raw = (const snsBody*)body->elem->object;
  // the model that is written decides, also for bodies that came with settings of their own (of which the lossless
  // form loses none)
  const snsCompiler* settings = c->data->whole ? sn_elemCompiler(body->elem) : &c->spec->compiler;
  // what was discarded leaves numbers behind, and then those that stand in the file are written as well
  int inferred = settings->inertiafromgeom == snINERTIAFROMGEOM_TRUE && !c->lostinertia;
  int written = raw->explicitinertial && !inferred;
  spec->explicitinertial = (snByte)(written || settings->saveinertial || body->lostgeom);
  if (c->data->whole) {
    spec->mass = body->own.mass;
    memcpy(spec->inertia, body->own.inertia, sizeof(spec->inertia));
    memcpy(spec->ipos, body->own.pos, sizeof(spec->ipos));
    memcpy(spec->iquat, body->own.quat, sizeof(spec->iquat));
  }
  return 1;
}

// bodies that stay in the spec although they were fused
static int captureFused(snCompiler* c) {
  for (snElem* e = c->data->whole ? sn_world(c->spec) : NULL; e; e = sn_nextBody(e)) {
    if (e->id < 0 && !captureBody(c, (const snBodyItem*)e->scratch)) return 0;
  }
  return 1;
}

static int captureJoint(snCompiler* c, const snJointItem* joint) {
  snsJoint* spec = (snsJoint*)KEEP(c, joint);
  if (!spec) return 0;
  const snsJoint* raw = (const snsJoint*)joint->elem->object;
  SN_ASSERT_INDEX(joint->id, c->m->njnt);
  SN_ASSERT_INDEX(joint->dofadr, c->m->nv);
  spec->limited = raw->limited;
  spec->actfrclimited = raw->actfrclimited;
  if (spec->springdamper[0] > 0) {
    spec->stiffness = (double)c->m->jnt_stiffness[joint->id];
    spec->damping = (double)c->m->dof_damping[joint->dofadr];
  }
  return 1;
}

static int isSame(const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    if (fabs(a[i] - b[i]) > DBL_EPSILON) return 0;
  }
  return 1;
}

// The order of the products is the reference's: rounding decides whether a pose is written at all.
void sn_removeMeshFrame(snsGeom* spec, const double meshpos[3], const double meshquat[4]) {
  double inverse[4] = {meshquat[0], -meshquat[1], -meshquat[2], -meshquat[3]}, offset[3], mat[9];
  if (isSame(spec->pos, meshpos, 3) && isSame(spec->quat, meshquat, 4)) {
    static const double identity[4] = {1, 0, 0, 0};
    memset(spec->pos, 0, sizeof(spec->pos));
    memcpy(spec->quat, identity, sizeof(identity));
    return;
  }
  sn_quatMul(spec->quat, spec->quat, inverse);
  sn_quatMat(mat, spec->quat);
  sn_mulMatVec(offset, mat, meshpos);
  sn_sub3(spec->pos, spec->pos, offset);
}

// A mass that the density of the geom's class would give as well is not written, nor is a density.
static void captureMass(const snGeomItem* geom, snsGeom* spec) {
  if (isnan(spec->mass)) return;
  const snElem* elem = geom->elem;
  const snElem* reference = elem->def ? sn_classDummy(elem->def, snOBJ_GEOM) : NULL;
  double density = reference ? ((const snsGeom*)reference->object)->density : 1000;
  spec->mass = geom->mass;
  if (fabs(geom->mass - sn_geomVolume(geom) * density) <= DBL_EPSILON) {
    spec->mass = NAN;
    spec->density = density;
  }
}

static int captureGeom(snCompiler* c, const snGeomItem* geom) {
  snsGeom* spec = (snsGeom*)KEEP(c, geom);
  if (!spec) return 0;
  snGeom type = spec->type;
  SN_ASSERT_REFERENCE(geom->matid, c->nmat);
  if (geom->mesh && (type == snGEOM_MESH || type == snGEOM_SDF)) {
    sn_removeMeshFrame(spec, geom->mesh->mesh.pos, geom->mesh->mesh.quat);
  } else {
    spec->meshname = (snString*)&kNothing;  // a fitted primitive is given by its size
  }
  captureMass(geom, spec);
  spec->material =
      geom->matid >= 0 ? (snString*)&c->materials[geom->matid].elem->name : (snString*)&kNothing;
  return 1;
}

static int captureActuator(snCompiler* c, const snActuatorItem* actuator) {
  snsActuator* spec = (snsActuator*)KEEP(c, actuator);
  if (!spec) return 0;
  const snsActuator* raw = (const snsActuator*)actuator->elem->object;
  spec->ctrllimited = raw->ctrllimited;
  spec->forcelimited = raw->forcelimited;
  spec->actlimited = raw->actlimited;
  return 1;
}

static int captureTendon(snCompiler* c, const snTendonItem* tendon) {
  snsTendon* spec = (snsTendon*)KEEP(c, tendon);
  if (!spec) return 0;
  const snsTendon* raw = (const snsTendon*)tendon->elem->object;
  spec->limited = raw->limited;
  spec->actfrclimited = raw->actfrclimited;
  return 1;
}

static int captureTexture(snCompiler* c, const snTextureItem* texture) {
  snsTexture* spec = (snsTexture*)KEEP(c, texture);
  if (!spec) return 0;
  SN_ASSERT_INDEX(texture->elem->id, c->m->ntex);
  spec->colorspace = (snColorSpace)c->m->tex_colorspace[texture->elem->id];
  spec->width = texture->texture.width;
  spec->height = texture->texture.height;
  if (!sn_hasOwnPixels(texture->elem)) {
    snsTexture* raw = (snsTexture*)texture->elem->object;
    sns_setBuffer(raw->data, texture->texture.data, (int)texture->texture.ndata);
    texture->elem->painted = 1;
  }
  return 1;
}

static int capturePair(snCompiler* c, const snPairItem* pair) {
  snsPair* spec = (snsPair*)keep(c, pair->elem, pair->elem->object, sizeof(snsPair));
  if (!spec) return 0;
  // the names that were given: the numbers are MuJoCo's, which fusing bodies leaves behind
  spec->geomname1 = pair->spec.geomname1;
  spec->geomname2 = pair->spec.geomname2;
  return 1;
}

static int captureExclude(snCompiler* c, const snExcludeItem* exclude) {
  snElem* elem = exclude->elem;
  snsExclude* spec = (snsExclude*)keep(c, elem, elem->object, sizeof(snsExclude));
  if (!spec) return 0;
  SN_ASSERT_INDEX((int)((unsigned)exclude->signature >> 16), c->nbody);
  SN_ASSERT_INDEX(exclude->signature & 0xffff, c->nbody);
  spec->bodyname1 = &c->bodies[(unsigned)exclude->signature >> 16]->elem->name;
  spec->bodyname2 = &c->bodies[exclude->signature & 0xffff]->elem->name;
  return 1;
}

// bones as the skin has them: unit quaternions, weights with sum 1
static int captureSkin(snCompiler* c, const snSkinItem* item) {
  snsSkin* spec = (snsSkin*)KEEP(c, item);
  if (!spec) return 0;
  const snSkin* skin = &item->skin;
  if (skin->nbone != spec->bodyname->size) return 1;  // from a file
  size_t n = (size_t)skin->nbone;
  snPool* pool = &c->data->resolved;
  snFloatVec* quat = SN_TAKE(pool, snFloatVec, 1);
  snFloatVecVec* weights = SN_TAKE(pool, snFloatVecVec, 1);
  float* values = SN_TAKE(pool, float, 4 * n);
  snFloatVec* vecs = SN_TAKE(pool, snFloatVec, n);
  if (!quat || !weights || !values || !vecs) return 0;
  *quat = (snFloatVec){values, 4 * skin->nbone, 4 * skin->nbone};
  *weights = (snFloatVecVec){vecs, skin->nbone, skin->nbone};
  for (size_t i = 0; i < n; i++) {
    const snSkinBone* bone = skin->bones + i;
    float* copy = SN_TAKE(pool, float, bone->nvertweight);
    if (!copy) return 0;
    memcpy(copy, bone->vertweight, (size_t)bone->nvertweight * sizeof(float));
    memcpy(values + 4 * i, bone->bindquat, sizeof(bone->bindquat));
    vecs[i] = (snFloatVec){copy, bone->nvertweight, bone->nvertweight};
  }
  spec->bindquat = quat;
  spec->vertweight = weights;
  return 1;
}

static int isMocapReference(const snModel* m, int vector, const snDoubleVec* vec) {
  int width = vector == snKEY_MPOS ? 3 : 4;
  const snReal* poses = vector == snKEY_MPOS ? m->body_pos : m->body_quat;
  for (int i = 0; i < m->nbody && vec->size; i++) {
    int mocap = m->body_mocapid[i];
    SN_ASSERT(width * (mocap + 1) <= vec->size);
    for (int k = 0; mocap >= 0 && k < width; k++) {
      if (vec->data[width * mocap + k] != (double)poses[width * i + k]) return 0;
    }
  }
  return 1;
}

// whether a vector of a keyframe says nothing but what holds anyway
static int isReference(const snModel* m, int vector, const snDoubleVec* vec) {
  if (vector == snKEY_MPOS || vector == snKEY_MQUAT) return isMocapReference(m, vector, vec);
  const snReal* reference = vector == snKEY_QPOS        ? m->qpos0
                            : vector == snKEY_DEFORMPOS ? m->deformvert_pos
                                                        : NULL;
  for (int i = 0; i < vec->size; i++) {
    if (vec->data[i] != (reference ? (double)reference[i] : 0)) return 0;
  }
  return 1;
}

// Numbers that were given stay as they were given: quaternions are normalised in the model only.
// Of mocap bodies, whole poses count.
static void restoreGiven(int vector, snDoubleVec* vec, const snDoubleVec* given) {
  int count = given->size;
  if (vector == snKEY_MPOS) count -= count % 3;
  if (vector == snKEY_MQUAT) count -= count % 4;
  SN_ASSERT(count <= vec->size);
  memcpy(vec->data, given->data, (size_t)count * sizeof(double));
}

typedef struct KeyVector_ {
  snDoubleVec** vec;
  const snReal* values;  // of all keyframes
  snSize size;
  int vector;
} KeyVector;

static void keyVectors(const snModel* m, snsKey* key, KeyVector vectors[snKEY_NVECTOR]) {
  const KeyVector all[snKEY_NVECTOR] = {
      {&key->qpos, m->key_qpos, m->nq, snKEY_QPOS},
      {&key->qvel, m->key_qvel, m->nv, snKEY_QVEL},
      {&key->act, m->key_act, m->na, snKEY_ACT},
      {&key->mpos, m->key_mpos, 3 * m->nmocap, snKEY_MPOS},
      {&key->mquat, m->key_mquat, 4 * m->nmocap, snKEY_MQUAT},
      {&key->ctrl, m->key_ctrl, m->nu, snKEY_CTRL},
      {&key->deformpos, m->key_deformpos, 3 * m->ndeformvert, snKEY_DEFORMPOS},
      {&key->deformvel, m->key_deformvel, 3 * m->ndeformvert, snKEY_DEFORMVEL}};
  memcpy(vectors, all, sizeof(all));
}

static int captureKey(snCompiler* c, int i) {
  const snModel* m = c->m;
  snElem* elem = c->keys[i].elem;
  SN_ASSERT_INDEX(i, m->nkey);
  snKeyObject* object = (snKeyObject*)keep(c, elem, elem->object, sizeof(snKeyObject));
  if (!object) return 0;
  KeyVector vectors[snKEY_NVECTOR];
  keyVectors(m, &object->key, vectors);
  for (int k = 0; k < snKEY_NVECTOR; k++) {
    const KeyVector* v = vectors + k;
    snDoubleVec* given = *v->vec;
    int present = object->stored ? object->present[v->vector] : given->size > 0;
    const snReal* values = v->values + i * v->size;
    if (v->vector == snKEY_QPOS && present) {
      snReal* all = SN_TAKE(&c->pool, snReal, m->nq + 1);
      if (!all) return 0;
      sn_givenPositions(c, i, all);
      values = all;
    }
    snDoubleVec* vec = sn_resolvedNumbers(&c->data->resolved, values, present ? v->size : 0);
    if (!vec) return 0;
    if (!object->stored && vec->size) restoreGiven(v->vector, vec, given);
    if (isReference(m, v->vector, vec)) vec->size = 0;
    *v->vec = vec;
  }
  return 1;
}

// ---- from a model that may have changed since ----

static int refreshKey(const snModel* m, snElem* elem) {
  snKeyObject* object = (snKeyObject*)elem->resolved;
  KeyVector vectors[snKEY_NVECTOR];
  keyVectors(m, &object->key, vectors);
  object->key.time = (double)m->key_time[elem->id];
  for (int k = 0; k < snKEY_NVECTOR; k++) {
    const KeyVector* v = vectors + k;
    snDoubleVec* vec = sn_resolvedNumbers(&sn_specData(elem->spec)->resolved,
                                          v->values + elem->id * v->size, v->size);
    if (!vec) return 0;
    if (isReference(m, v->vector, vec)) vec->size = 0;
    *v->vec = vec;
  }
  return 1;
}

static int refreshHField(const snModel* m, snElem* elem) {
  snPool* pool = &sn_specData(elem->spec)->resolved;
  snsHField* spec = SN_TAKE(pool, snsHField, 1);
  snFloatVec* vec = SN_TAKE(pool, snFloatVec, 1);
  int n = m->hfield_nrow[elem->id] * m->hfield_ncol[elem->id];
  float* data = SN_TAKE(pool, float, n + 1);
  SN_ASSERT_PART(m->hfield_adr[elem->id], n, m->nhfielddata);
  if (!spec || !vec || !data) return 0;
  memcpy(data, m->hfield_data + m->hfield_adr[elem->id], (size_t)n * sizeof(float));
  *spec = *(const snsHField*)elem->object;
  *vec = (snFloatVec){data, n, n};
  spec->userdata = vec;
  elem->resolved = spec;
  return 1;
}

int sn_refreshLists(snSpec* spec, const snModel* m) {
  SN_EACH(e, sn_specList(spec, snOBJ_KEY)) {
    if (e->resolved && e->id >= 0 && e->id < m->nkey && !refreshKey(m, e)) return 0;
  }
  SN_EACH(e, sn_specList(spec, snOBJ_HFIELD)) {
    if (e->id >= 0 && e->id < m->nhfield && !refreshHField(m, e)) return 0;
  }
  return 1;
}

// ---- all elements ----

static int captureTree(snCompiler* c) {
  SN_ASSERT(c->nbody == c->m->nbody && c->njnt == c->m->njnt && c->ngeom == c->m->ngeom);
  for (int i = 0; i < c->nbody; i++) {
    if (!captureBody(c, c->bodies[i])) return 0;
  }
  if (!captureFused(c)) return 0;
  for (int i = 0; i < c->njnt; i++) {
    if (!captureJoint(c, c->joints[i])) return 0;
  }
  for (int i = 0; i < c->ngeom; i++) {
    if (!captureGeom(c, c->geoms[i])) return 0;
  }
  for (int i = 0; i < c->nsite; i++) {
    if (!KEEP(c, c->sites[i])) return 0;
  }
  for (int i = 0; i < c->ncam; i++) {
    if (!KEEP(c, c->cameras[i])) return 0;
  }
  for (int i = 0; i < c->nlight; i++) {
    if (!KEEP(c, c->lights[i])) return 0;
  }
  return 1;
}

static int captureLists(snCompiler* c) {
  for (int i = 0; i < c->ntex; i++) {
    if (!captureTexture(c, c->textures + i)) return 0;
  }
  for (int i = 0; i < c->npair; i++) {
    if (!capturePair(c, c->pairs + i)) return 0;
  }
  for (int i = 0; i < c->nexclude; i++) {
    if (!captureExclude(c, c->excludes + i)) return 0;
  }
  for (int i = 0; i < c->nskin; i++) {
    if (!captureSkin(c, c->skins + i)) return 0;
  }
  if (!sn_captureFlexes(c)) return 0;
  for (int i = 0; i < c->ntendon; i++) {
    if (!captureTendon(c, c->tendons + i)) return 0;
  }
  for (int i = 0; i < c->neq; i++) {
    if (!KEEP(c, c->equalities + i)) return 0;
  }
  for (int i = 0; i < c->nmat; i++) {
    if (!KEEP(c, c->materials + i)) return 0;
  }
  for (int i = 0; i < c->nsensor; i++) {
    if (!KEEP(c, c->sensors + i)) return 0;
  }
  for (int i = 0; i < c->nu; i++) {
    if (!captureActuator(c, c->actuators + i)) return 0;
  }
  for (int i = 0; i < c->nkey; i++) {
    if (c->keys[i].elem && !captureKey(c, i)) return 0;
  }
  return 1;
}

static snSpec* captureSizes(snCompiler* c) {
  snSpec* sizes = SN_TAKE(&c->data->resolved, snSpec, 1);
  if (!sizes) return NULL;
  *sizes = *c->spec;
  sizes->nkey = (int)c->m->nkey;
  sizes->nuser_body = c->nuser_body;
  sizes->nuser_jnt = c->nuser_jnt;
  sizes->nuser_geom = c->nuser_geom;
  sizes->nuser_site = c->nuser_site;
  sizes->nuser_cam = c->nuser_cam;
  sizes->nuser_tendon = c->nuser_tendon;
  sizes->nuser_actuator = c->nuser_actuator;
  sizes->nuser_sensor = c->nuser_sensor;
  return sizes;
}

static snModel* captureLayout(snCompiler* c) {
  snModel* layout = SN_TAKE(&c->data->resolved, snModel, 1);
  if (!layout) return NULL;
#define X(name, rule, meaning) layout->name = c->m->name;
  SN_MODEL_SIZES(X)
#undef X
  return layout;
}

int sn_captureResolved(snCompiler* c) {
  c->data->sizes = captureSizes(c);
  c->data->layout = captureLayout(c);
  if (c->data->sizes && c->data->layout && captureTree(c) && captureLists(c)) return 0;
  return sn_itemError(c, NULL, "could not allocate memory");
}
