// From a spec to a model: the order of work.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/constants.h"
#include "engine/step/sleep.h"
#include "model/binary.h"
#include "model/memory.h"
#include "model/object_types.h"
#include "model/plugin.h"

// largest arrays of a model and of its data, so that a small file cannot ask for all memory
static const snSize kMaxBytes = (snSize)1 << 32;

// ---- resolve: names to objects, poses, masses, checks ----

// what only rendering uses
static void dropVisualAssets(snCompiler* c) {
  for (int i = 0; i < c->nmat; i++) c->materials[i].elem->scratch = NULL;
  for (int i = 0; i < c->ntex; i++) c->textures[i].elem->scratch = NULL;
  for (int i = 0; i < c->nmat; i++) c->materials[i].elem->id = -1;
  for (int i = 0; i < c->ntex; i++) c->textures[i].elem->id = -1;
  c->nmat = c->ntex = 0;
}

static int keepMeshes(snCompiler* c) {
  c->keptmeshes = SN_ITEMS(c, snMeshItem*, c->nmesh);
  if (!c->keptmeshes) return -1;
  c->nkeptmesh = 0;
  for (int i = 0; i < c->nmesh; i++) {
    if (c->meshes[i].id >= 0) c->keptmeshes[c->nkeptmesh++] = c->meshes + i;
  }
  return 0;
}

static int checkNames(snCompiler* c) {
  const snElem* e = sn_findRepeatedName(c->spec);
  if (!e) return 0;
  return sn_itemError(c, NULL, "repeated name '%s' in %s", sn_elemName(e),
                      sn_typeName(e->head.elemtype));
}

static int resolve(snCompiler* c) {
  SN_TRY(checkNames(c));
  SN_TRY(sn_makeItems(c));
  sn_adoptPlugins(c);
  SN_TRY(sn_nameAssets(c));
  if (c->settings->discardvisual) dropVisualAssets(c);
  SN_TRY(sn_linkAssets(c));
  SN_TRY(sn_resolvePairs(c));
  SN_TRY(sn_measureUser(c));
  SN_TRY(sn_compileMeshes(c));
  SN_TRY(sn_compileTextures(c));
  if (c->settings->fusestatic) SN_TRY(sn_readSkins(c));  // bodies that they name stay
  SN_TRY(sn_compileBodies(c));
  if (c->settings->fusestatic) SN_TRY(sn_fuseStatic(c));
  SN_TRY(sn_compileFlexes(c));
  SN_TRY(sn_compileDeformables(c));
  SN_TRY(sn_compileSkins(c));
  SN_TRY(sn_compileHFields(c));
  SN_TRY(sn_compilePairs(c));
  SN_TRY(sn_compileEqualities(c));
  SN_TRY(sn_compileTendons(c));
  SN_TRY(sn_compileActuators(c));
  SN_TRY(sn_compileSensors(c));
  SN_TRY(sn_compileCustom(c));
  SN_TRY(sn_compilePlugins(c));
  SN_TRY(sn_linkMaterials(c));
  SN_TRY(sn_linkTextures(c));
  if (c->settings->discardvisual) SN_TRY(sn_discardVisual(c));
  SN_TRY(keepMeshes(c));
  SN_TRY(sn_buildBodyTrees(c));
  SN_TRY(sn_checkMovingMass(c));
  SN_TRY(sn_checkFreeJoints(c));
  return sn_checkSleepPolicies(c);
}

// ---- build: sizes, memory, contents ----

static void countElements(const snCompiler* c, snModel* sizes) {
  const snSpec* spec = c->spec;
  sizes->npair = c->npair;
  sizes->nexclude = c->nexclude;
  sizes->neq = c->neq;
  sizes->ntendon = c->ntendon;
  sizes->nu = c->nu;
  sizes->nsensor = c->nsensor;
  sizes->nkey = c->nkey;
  sizes->nuserdata = spec->nuserdata;
  sizes->nconmax = spec->nconmax;
  sizes->njmax = spec->njmax;
  sizes->nxpbd =
      spec->option.solver == snSOL_XPBD || spec->xpbd_substeps != 1 || spec->xpbd_compliance != 0;
  sizes->nactmodel = c->nactmodel;
  for (int i = 0; i < c->ntendon; i++) {
    sizes->nwrap += c->tendons[i].nwrap;
    sizes->ncapstan += sn_countCapstans(c->tendons + i);
  }
  for (int i = 0; i < c->neq; i++) {
    snEq type = c->equalities[i].spec.type;
    sizes->nemax += type == snEQ_CONNECT ? 3 : type == snEQ_WELD ? 7 : 1;
  }
  for (int i = 0; i < c->nu; i++) {
    const snsActuator* actuator = &c->actuators[i].spec;
    sizes->na += actuator->actdim;
    sizes->nhistory += sn_historySize(actuator->nsample, 1);
    int isJoint = sn_transmissionObject(actuator->trntype) == snOBJ_JOINT;
    int joint = c->actuators[i].trnid[0];
    sizes->nJmom += isJoint ? sn_jointDofs(c->joints[joint]->spec.type) : c->nv;
  }
  for (int i = 0; i < c->nsensor; i++) {
    const snsSensor* sensor = &c->sensors[i].spec;
    sizes->nsensordata += sensor->dim;
    sizes->nhistory += sn_historySize(sensor->nsample, sensor->dim);
  }
}

// Bytes that contacts, rows and temporaries of a large model can take: what MuJoCo sets aside grows with
// the square of the dofs, as its dense matrices do; ours are sparse. Memory that is not used is not taken.
// A model that names its rows (njmax) asks for more.
static snSize mostBytes(const snModel* m) {
  snSize most = (snSize)(m->njmax >= 0 ? 8 : 2) << 30;
  return most + ((snSize)1 << 18) * (m->nbody + m->nflexvert + m->ndeformvert);
}

// bytes for contacts, constraint rows and temporaries when the model does not say
static snSize arenaBytes(const snSpec* spec, const snModel* m) {
  if (spec->memory >= 0) return spec->memory;
  snSize contacts = m->nconmax < 0 ? 100 : m->nconmax, rows = m->njmax < 0 ? 500 : m->njmax;
  snSize all = rows + m->neq + m->nv, bytes;
  if (spec->nstack >= 0) {
    bytes = 8 * spec->nstack;
  } else {
    snSize things = m->nq + m->nv + m->nu + m->na + m->nbody + m->njnt + m->ngeom + m->nsite +
                    m->neq + m->ntendon + m->nwrap;
    snSize numbers = 5 * all * all + 20 * things;
    bytes = 8 * (numbers > 1000 ? numbers : 1000);
  }
  bytes += contacts * (snSize)sizeof(snContact) + rows * (8 * 4 + 14 * 8) + m->nv * 3 * 4 +
           rows * m->nv * (2 * 4 + 2 * 8) + rows * rows * (4 + 8) + sn_deformArenaBytes(m);
  snSize mebi = (snSize)1 << 20, most = mostBytes(m);
  return ((bytes < most ? bytes : most) + mebi - 1) / mebi * mebi;
}

static int checkSpec(snCompiler* c) {
  const snSpec* spec = c->spec;
  if (spec->nuserdata < 0 && sn_plainMessages()) {
    return sn_itemError(c, NULL, "could not create mjData\nInvalid data: userdata too large.");
  }
  if (spec->nuserdata < 0) {
    return sn_itemError(c, NULL,
                        sn_plainMessages() ? "could not create mjData" : "nuserdata must be >= 0");
  }
  if (spec->nconmax < -1) return sn_itemError(c, NULL, "nconmax must be >= -1");
  if (spec->njmax > 100000000) return sn_itemError(c, NULL, "njmax is too large");
  if (spec->nstack > (snSize)1 << 40) return sn_itemError(c, NULL, "nstack is too large");
  return 0;
}

static int checkSizes(snCompiler* c, const snModel* sizes) {
  if (sizes->nsensordata > 1 << 30 || sizes->nhistory > 1 << 30 || sizes->na > 1 << 30 ||
      sizes->nJmom > 1 << 30 || sizes->nkey > 1 << 30) {
    return sn_itemError(c, NULL, "the model is too large");
  }
  snSize bytes = sn_modelArrayBytes(sizes);
  if (bytes < 0 || bytes > kMaxBytes) return sn_itemError(c, NULL, "the model is too large");
  bytes = sn_dataBlockBytes(sizes);  // without the arena, whose size is not yet known
  if (bytes < 0 || bytes > kMaxBytes) {
    return sn_itemError(c, NULL, "the data of the model would be too large");
  }
  return 0;
}

// what stays where the statistics of a model are undefined
static void defaultStatistic(snStatistic* stat) {
  stat->meaninertia = 1;
  stat->meanmass = 1;
  stat->meansize = (snReal)0.2;
  stat->extent = 2;
}

static int allocate(snCompiler* c) {
  snModel sizes;
  memset(&sizes, 0, sizeof(sizes));
  SN_TRY(checkSpec(c));
  SN_TRY(sn_countTree(c, &sizes));
  sn_countAssets(c, &sizes);
  SN_TRY(sn_countFlexes(c, &sizes));
  sn_countDeformables(c, &sizes);
  countElements(c, &sizes);
  sn_countCustom(c, &sizes);
  sn_countUser(c, &sizes);
  sn_countPlugins(c, &sizes);
  sn_countNames(c, &sizes);
  SN_TRY(checkSizes(c, &sizes));
  if (c->spec->xpbd_substeps < 1 || c->spec->xpbd_substeps > 1000) {
    return sn_itemError(c, NULL, "xpbd_substeps must be between 1 and 1000");
  }
  if (!(c->spec->xpbd_compliance >= 0)) {
    return sn_itemError(c, NULL, "xpbd_compliance must not be negative");
  }
  sizes.narena = arenaBytes(c->spec, &sizes);
  c->m = sn_allocModel(&sizes);
  if (!c->m) return sn_itemError(c, NULL, "could not allocate memory for the model");
  c->m->opt = c->spec->option;
  if (c->m->nxpbd) {
    c->m->xpbd_substeps[0] = c->spec->xpbd_substeps;
    c->m->xpbd_compliance[0] = (snReal)c->spec->xpbd_compliance;
  }
  c->m->vis = c->spec->visual;
  defaultStatistic(&c->m->stat);
  return 0;
}

static int build(snCompiler* c) {
  SN_TRY(allocate(c));
  sn_fillTree(c);
  sn_fillGeoms(c);
  sn_fillSites(c);
  sn_fillCameras(c);
  sn_fillBvh(c);
  sn_fillMeshes(c);
  sn_fillHFields(c);
  sn_fillTextures(c);
  sn_fillSkins(c);
  sn_fillFlexes(c);
  sn_fillDeformables(c);
  sn_fillMaterials(c);
  sn_fillPairs(c);
  sn_fillEqualities(c);
  sn_fillTendons(c);
  sn_fillActuators(c);
  sn_fillSensors(c);
  sn_fillCustom(c);
  sn_fillUser(c);
  sn_fillPlugins(c);
  sn_fillNames(c);
  SN_TRY(sn_fillKeys(c));
  if (c->settings->settotalmass > 0) sn_setTotalmass(c->m, (snReal)c->settings->settotalmass);
  return 0;
}

// ---- finish: derived constants ----

// While length ranges are found only limits, equalities and the applied force act. Sensors do nothing to them, and those of
// plugins have not started.
enum {
  RANGE_DISABLED = snDSBL_FRICTIONLOSS | snDSBL_CONTACT | snDSBL_SPRING | snDSBL_DAMPER |
                   snDSBL_GRAVITY | snDSBL_ACTUATION | snDSBL_SENSOR
};

// An error of the engine while a model is compiled: under MuJoCo's name of the function, with the last warning before it,
// twice as there.
static int engineError(snCompiler* c, const char* error, const char* warning) {
  const char* line = *warning ? "\n" : "";
  int ours = !strncmp(error, "sn", 2);
  return sn_itemError(c, NULL, "engine error: %s%s%s%s%s%s", ours ? "mj" : "",
                      ours ? error + 2 : error, line, warning, line, warning);
}

static int setLengthRanges(snCompiler* c, snData* d) {
  const snLROpt* opt = &c->settings->LRopt;
  snOption saved = c->m->opt;
  c->m->opt.disableflags = RANGE_DISABLED;
  c->m->opt.enableflags &= ~snENBL_SLEEP;
  if (opt->timestep > 0) c->m->opt.timestep = opt->timestep;
  char error[300] = "", raised[snMESSAGE_SIZE], warning[snMESSAGE_SIZE];
  int done = 1;
  sn_holdMessages(raised, warning);
  for (int i = 0; i < c->m->nu && done && !raised[0]; i++) {
    done = sn_setLengthRange(c->m, d, i, opt, error, sizeof(error));
  }
  if (!raised[0] && warning[0]) sn_specError(c->spec, 1, "%s", warning);
  if (!raised[0]) warning[0] = 0;
  sn_releaseMessages();
  c->m->opt = saved;
  if (raised[0]) return engineError(c, raised, warning);
  return done ? 0 : sn_itemError(c, NULL, "%s", error);
}

static int checkSleep(snCompiler* c) {
  const snModel* m = c->m;
  for (int i = 0; i < m->ntendon; i++) {
    int passive = m->tendon_stiffness[i] != 0 || m->tendon_damping[i] != 0;
    if (m->tendon_treenum[i] < 2 || (m->tendon_treenum[i] == 2 && !passive)) continue;
    for (int k = 0; k < 2; k++) {
      int policy = m->tree_sleep_policy[m->tendon_treeid[2 * i + k]];
      if (policy == snSLEEP_ALLOWED || policy == snSLEEP_INIT) {
        return sn_itemError(c, NULL,
                            "engine error: setFixed: tree %d connected to tendon %d %s, sleeping "
                            "not allowed",
                            m->tendon_treeid[2 * i + k], i,
                            m->tendon_treenum[i] > 2 ? "which spans more than 2 trees"
                                                     : "with non-zero stiffness or damping");
      }
    }
  }
  return 0;
}

// Trees that start asleep must be able to: nothing that is awake may touch them.
static int checkInitialSleep(snCompiler* c) {
  snModel* m = c->m;
  int wanted = 0, awake;
  for (int i = 0; i < (int)m->ntree; i++) wanted += m->tree_sleep_policy[i] == snSLEEP_INIT;
  if (!wanted || !(m->opt.enableflags & snENBL_SLEEP)) return 0;
  m->opt.enableflags &= ~snENBL_SLEEP;  // making data would try it, too
  snData* d = sn_makeData(m);
  m->opt.enableflags |= snENBL_SLEEP;
  if (!d) return sn_itemError(c, NULL, "could not allocate memory for the data");
  // a reset puts trees to sleep before it places mocap bodies
  snu_zero(d->mocap_pos, 3 * (int)m->nmocap);
  snu_zero(d->mocap_quat, 4 * (int)m->nmocap);
  sn_updateSleepInit(m, d, 1);
  int slept = sn_sleepInitially(m, d, &awake);
  sn_deleteData(d);
  if (awake < 0) return 0;
  int body = m->tree_bodyadr[awake];
  return sn_itemError(c, NULL,
                      "engine error: _resetData: %d trees were marked as sleep='init' but only %d "
                      "could be slept.\nBody '%s' (id=%d) is the root of the first tree that could "
                      "not be slept.",
                      wanted, slept, m->names + m->name_bodyadr[body], body);
}

static void overrideStatistic(snModel* m, const snStatistic* user) {
  if (!isnan(user->meaninertia)) m->stat.meaninertia = user->meaninertia;
  if (!isnan(user->meanmass)) m->stat.meanmass = user->meanmass;
  if (!isnan(user->meansize)) m->stat.meansize = user->meansize;
  if (!isnan(user->extent)) m->stat.extent = user->extent;
  if (!isnan(user->center[0])) memcpy(m->stat.center, user->center, sizeof(user->center));
}

// One step without contacts, as MuJoCo takes it: plugins and callbacks see it, and the last of its warnings is the
// compiler's.
static int tryStep(snCompiler* c, snData* d) {
  char error[snMESSAGE_SIZE], warning[snMESSAGE_SIZE], text[snMESSAGE_SIZE];
  sn_holdMessages(error, warning);
  snu_copy(d->qpos, c->m->qpos0, (int)c->m->nq);  // the constants are those of the springs
  sn_step(c->m, d);
  memcpy(text, warning, sizeof(text));
  warning[0] = 0;
  sn_releaseMessages();
  if (error[0]) return engineError(c, error, text);
  if (text[0]) sn_specError(c->spec, 1, "%s", text);
  return 0;
}

static int setConstants(snCompiler* c) {
  snModel* m = c->m;
  double* springdamper = SN_ITEMS(c, double, 2 * (size_t)c->njnt);
  if (!springdamper) return -1;
  for (int i = 0; i < c->njnt; i++) {
    memcpy(springdamper + 2 * i, c->joints[i]->spec.springdamper, 2 * sizeof(double));
  }
  // an arena of its own: the user's may be too small for anything, or too large to be had
  const snSize plenty = (snSize)1 << 30;
  snSpec automatic;
  memset(&automatic, 0, sizeof(automatic));
  automatic.memory = automatic.nstack = -1;
  snModel plain = *m;
  plain.nconmax = plain.njmax = -1;
  snSize arena = m->narena, enough = arenaBytes(&automatic, &plain);
  if (m->narena < enough) m->narena = enough;
  if (m->narena > plenty) m->narena = plenty;
  char error[snMESSAGE_SIZE], warning[snMESSAGE_SIZE];
  sn_holdMessages(error, warning);
  snData* d = sn_makeData(m);
  sn_releaseMessages();
  m->narena = arena;
  if (!d && error[0]) return engineError(c, error, warning);
  if (!d) return sn_itemError(c, NULL, "could not allocate memory for the data");
  int failed = 0;
  sn_setConst(m, d);
  sn_setSpringDamper(m, springdamper);
  sn_placeAttachments(m, d);
  failed = checkSleep(c) || setLengthRanges(c, d) || sn_startPlugins(c) || tryStep(c, d);
  sn_deleteData(d);
  return failed;
}

// sn_setConst would fail
static int checkFlat(snCompiler* c) {
  for (int i = 0; i < c->nflex; i++) {
    if (!sn_flexIsFlat(c->m, i)) {
      return sn_itemError(c, NULL,
                          "engine error: makeFlexSparse: flex vertices are not in the same plane");
    }
  }
  return 0;
}

static int finish(snCompiler* c) {
  snModel* m = c->m;
  SN_TRY(checkFlat(c));
  SN_TRY(sn_fitPlugins(c));
  if (m->nhistory > 0 && !(m->opt.timestep > 0)) {
    return sn_itemError(
        c, NULL, "engine error: _resetData: history buffers require positive timestep, got %g",
        (double)m->opt.timestep);
  }
  snOption saved = m->opt;
  m->opt.disableflags |= snDSBL_CONTACT;
  m->opt.enableflags &= ~snENBL_SLEEP;
  int failed = setConstants(c);
  m->opt = saved;
  if (failed) return -1;
  c->data->computed = m->stat;
  overrideStatistic(m, &c->spec->stat);
  return checkInitialSleep(c);
}

// hash of the sizes and the tree, which sn_copyBack needs to be equal; names may change
static uint64_t layoutSignature(const snModel* m) {
  uint64_t hash = 14695981039346656037u;
#define MIX(value) hash = (hash ^ (uint64_t)(value)) * 1099511628211u
#define X(name, rule, meaning) \
  if ((const void*)&m->name != (const void*)&m->nnames) MIX(m->name);
  SN_MODEL_SIZES(X)
#undef X
  for (snSize i = 0; i < m->nbody; i++) MIX(m->body_parentid[i]);
  for (snSize i = 0; i < m->njnt; i++) MIX(m->jnt_type[i]);
  for (snSize i = 0; i < m->ngeom; i++) MIX(m->geom_bodyid[i]);
#undef MIX
  return hash;
}

snModel* sn_compile(snSpec* s, const snVFS* vfs) {
  if (!s) return NULL;
  if (sn_specData(s)->given) {
    sn_specError(s, 0,
                 "Error: cannot compile child spec if attached by reference to a parent spec");
    return NULL;
  }
  snCompiler c;
  memset(&c, 0, sizeof(c));
  c.spec = s;
  c.data = sn_specData(s);
  c.vfs = vfs;
  c.settings = &s->compiler;
  sn_forgetResolved(s);
  c.data->error[0] = 0;
  c.data->iswarning = 0;
  int failed = resolve(&c) || build(&c) || finish(&c) || sn_captureResolved(&c);
  if (failed) {
    sn_forgetResolved(s);
    sn_deleteModel(c.m);
    c.m = NULL;
    c.data->structure = 0;
  } else {
    c.m->signature = layoutSignature(c.m);
    c.data->element->head.signature = c.m->signature;
    if (!c.data->whole) sn_pruneSpec(&c);
    sn_settleKeys(&c);
    c.data->structure = sn_specSignature(s);
    sn_specBuilt(s);
    sn_rememberPlaces(&c);
    char reason[200] = "";
    // what is compiled can be loaded, as far as there is memory to see it
    SN_ASSERT(!sn_validateModel(c.m, reason, sizeof(reason)) || strstr(reason, "out of memory"));
    (void)reason;
  }
  sn_namesSettle(s);
  sn_clearItems(&c);
  sn_freeAssets(&c);
  sn_poolRelease(&c.pool);
  return c.m;
}
