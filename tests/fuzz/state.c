// libFuzzer target: any state under any options. The input is read as: model, options, then numbers of the
// state, each by a byte that says what kind of number it is. The data must stay usable: a reset gives the
// state and the step that new data have.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/render.h"
#include "sinew/sinew.h"

// a small arena: to poison a large one takes the sanitizer longer than a step
#define OBJECTS                                                                              \
  "<option timestep='.005'/><size memory='1M'/><worldbody><geom type='plane' size='1 1 1'/>" \
  "<body name='a' pos='0 0 .2'><freejoint/><geom type='box' size='.1 .1 .1'/>"               \
  "<body name='b' pos='.2 0 0'><joint name='ball' type='ball' range='0 1' damping='.1'/>"    \
  "<geom type='capsule' size='.05 .1'/><body pos='.2 0 0'>"                                  \
  "<joint name='hinge' axis='0 1 0' range='-1 1' frictionloss='.1' stiffness='1'/>"          \
  "<geom size='.05' condim='6'/><site name='s'/></body></body></body>"                       \
  "<body name='c' pos='.5 0 .3'><joint name='slide' type='slide' axis='0 0 1'/>"             \
  "<geom type='ellipsoid' size='.1 .2 .1'/><site name='t'/></body></worldbody>"

static const char* const kModels[] = {
    "<mujoco>" OBJECTS
    "<equality><connect body1='a' body2='c' anchor='0 0 0'/></equality>"
    "<actuator><motor joint='hinge'/><position joint='slide' kp='5'/>"
    "<general joint='hinge' dyntype='filter' dynprm='.1'/></actuator>"
    "<sensor><touch site='s'/><accelerometer site='s'/><subtreeangmom body='a'/></sensor></mujoco>",
    "<mujoco>" OBJECTS
    "<tendon><spatial name='t' range='0 .4'><site site='s'/><site site='t'/></spatial>"
    "<fixed name='f' frictionloss='.1'><joint joint='hinge' coef='1'/><joint joint='slide' "
    "coef='2'/>"
    "</fixed></tendon><actuator><muscle tendon='f' lengthrange='0 1'/></actuator></mujoco>",
    "<mujoco><size memory='1M'/><worldbody><geom type='plane' size='1 1 1'/><flexcomp name='f' "
    "type='grid' count='3 3 "
    "1' "
    "spacing='.1 .1 .1' dim='2' radius='.01' mass='1' pos='0 0 .05'><edge equality='true'/>"
    "<contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco>" OBJECTS
    "<deformable><sinew:cloth name='k' count='3 3 1' spacing='.1 .1 .1' pos='0 0 .5'/>"
    "<sinew:softbody name='m' count='2 2 2' spacing='.1 .1 .1' pos='.5 0 .1'/>"
    "<sinew:chain name='r' count='4 1 1' spacing='.1 1 1' pos='0 .5 .2'/></deformable></mujoco>",
};
enum { MODELS = sizeof(kModels) / sizeof(kModels[0]) };

// ---- the input

typedef struct Input_ {
  const uint8_t* next;
  size_t left;
} Input;

static int byte(Input* in) {
  if (!in->left) return 0;
  in->left--;
  return *in->next++;
}

static snReal number(Input* in) {
  static const double special[] = {0, 1, -1, 1e-300, 1e300, -1e300, 1e10, 5e-324, 1e-8, 3.14159};
  int kind = byte(in);
  if (kind < 10) return (snReal)special[kind];
  if (kind == 10) return (snReal)NAN;
  if (kind == 11) return (snReal)INFINITY;
  if (kind < 200) return (snReal)((kind - 105) / 32.0);
  double value = 0;
  for (size_t i = 0; i < sizeof(value); i++) ((uint8_t*)&value)[i] = (uint8_t)byte(in);
  return (snReal)value;
}

static void setOptions(snOption* opt, Input* in) {
  opt->integrator = byte(in) % (snINT_IMPLICITSPRINGDAMPER + 1);
  opt->cone = byte(in) % 2;
  opt->jacobian = byte(in) % 3;
  opt->solver = byte(in) % (snSOL_XPBD + 1);
  opt->iterations = byte(in) % 30;
  opt->ls_iterations = byte(in) % 30;
  opt->noslip_iterations = byte(in) % 4;
  opt->disableflags = byte(in) | byte(in) << 8 | byte(in) << 16;
  opt->enableflags = byte(in);
  opt->timestep = number(in);
  opt->density = number(in);
  opt->viscosity = number(in);
  opt->impratio = number(in);
  opt->tolerance = number(in);
  for (int i = 0; i < 3; i++) opt->gravity[i] = number(in);
}

static void fill(snReal* values, snSize n, Input* in) {
  for (snSize i = 0; i < n && in->left; i++) values[i] = number(in);
}

// ---- the run

static void run(const snModel* m, snData* d, Input* in) {
  fill(d->qpos, m->nq, in);
  fill(d->qvel, m->nv, in);
  fill(d->act, m->na, in);
  fill(d->ctrl, m->nu, in);
  fill(d->qfrc_applied, m->nv, in);
  fill(d->xfrc_applied, 6 * m->nbody, in);
  fill(d->qacc_warmstart, m->nv, in);
  fill(d->deformvert_xpos, 3 * m->ndeformvert, in);
  fill(d->deformvert_xvel, 3 * m->ndeformvert, in);
  for (int i = 0; i < 4; i++) sn_step(m, d);
  sn_forward(m, d);
  sn_inverse(m, d);
}

// an image of poses that are any numbers, with everything on that can be shown
static void draw(const snModel* m, snData* d, snrContext* con, Input* in) {
  const snrRect rect = {0, 0, 32, 24};
  snvScene scene;
  snvOption option;
  snvCamera camera;
  fill(d->geom_xpos, 3 * m->ngeom, in);
  fill(d->geom_xmat, 9 * m->ngeom, in);
  fill(d->xipos, 3 * m->nbody, in);
  fill(d->flexvert_xpos, 3 * m->nflexvert, in);
  snv_defaultScene(&scene);
  snv_makeScene(m, &scene, 1000);
  snv_defaultOption(&option);
  for (int i = 0; i < snNVISFLAG; i++) option.flags[i] = 1;
  option.frame = byte(in) % snNFRAME;
  option.label = byte(in) % snNLABEL;
  snv_defaultFreeCamera(m, &camera);
  camera.distance = number(in);
  camera.lookat[0] = number(in);
  snv_updateScene(m, d, &option, NULL, &camera, snCAT_ALL, &scene);
  for (int i = 0; i < snNRNDFLAG; i++) scene.flags[i] = byte(in) % 2;
  snr_render(rect, &scene, con);
  snv_freeScene(&scene);
}

// a reset leaves nothing behind: the step of used data is that of new data
static void checkReset(const snModel* m, snData* used) {
  snData* fresh = sn_makeData(m);
  if (!fresh) return;
  sn_resetData(m, used);
  sn_step(m, used);
  sn_step(m, fresh);
  if (memcmp(used->qpos, fresh->qpos, (size_t)m->nq * sizeof(snReal))) abort();
  if (memcmp(used->qvel, fresh->qvel, (size_t)m->nv * sizeof(snReal))) abort();
  size_t bytes = 3 * (size_t)m->ndeformvert * sizeof(snReal);
  if (memcmp(used->deformvert_xpos, fresh->deformvert_xpos, bytes)) abort();
  sn_deleteData(fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static snModel* models[MODELS];
  static snrContext contexts[MODELS];
  Input in = {bytes, size};
  int which = byte(&in) % MODELS;
  char error[500] = "";
  if (!models[which]) {
    snSpec* spec = sn_parseXMLString(kModels[which], NULL, error, sizeof(error));
    models[which] = spec ? sn_compile(spec, NULL) : NULL;
    sn_deleteSpec(spec);
    if (!models[which]) abort();  // a mistake above
    models[which]->vis.quality.shadowsize = 64;
    snr_makeContext(models[which], contexts + which, snFONTSCALE_100);
  }
  snModel* m = models[which];
  snOption opt = m->opt;
  setOptions(&m->opt, &in);
  snData* d = sn_makeData(m);
  if (d) run(m, d, &in);
  m->opt = opt;
  if (d) draw(m, d, contexts + which, &in);
  if (d) checkReset(m, d);
  sn_deleteData(d);
  return 0;
}
