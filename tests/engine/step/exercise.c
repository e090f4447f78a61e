// Every model under many options, a few steps each: what the assertions and the sanitizers of a test
// build are to see. Nothing is compared; a step must leave the stack empty.
//
//     exercise [--steps N] MODEL.xml...     models that cannot be read are counted and passed over

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/derivatives.h"
#include "sinew/sinew.h"

static int steps = 3;

typedef struct Variant_ {
  const char* name;
  int integrator, solver, cone, jacobian, disable, enable, noslip;
} Variant;

static const Variant variants[] = {
    {"Euler, Newton, pyramids", snINT_EULER, snSOL_NEWTON, snCONE_PYRAMIDAL, snJAC_AUTO, 0, 0, 0},
    {"dense, cones", snINT_IMPLICIT, snSOL_NEWTON, snCONE_ELLIPTIC, snJAC_DENSE, 0, 0, 0},
    {"sparse, cones", snINT_IMPLICITFAST, snSOL_NEWTON, snCONE_ELLIPTIC, snJAC_SPARSE, 0,
     snENBL_ENERGY, 0},
    {"CG, no islands", snINT_RK4, snSOL_CG, snCONE_PYRAMIDAL, snJAC_SPARSE, snDSBL_ISLAND, 0, 0},
    {"PGS, noslip", snINT_EULER, snSOL_PGS, snCONE_ELLIPTIC, snJAC_DENSE, snDSBL_WARMSTART, 0, 3},
    {"PGS, pyramids", snINT_IMPLICITSPRINGDAMPER, snSOL_PGS, snCONE_PYRAMIDAL, snJAC_SPARSE, 0,
     snENBL_FWDINV, 2},
    {"sleep", snINT_EULER, snSOL_NEWTON, snCONE_PYRAMIDAL, snJAC_AUTO, snDSBL_MIDPHASE,
     snENBL_SLEEP, 0},
    {"XPBD", snINT_EULER, snSOL_XPBD, snCONE_PYRAMIDAL, snJAC_AUTO, 0, 0, 0},
    {"XPBD, cones", snINT_IMPLICITFAST, snSOL_XPBD, snCONE_ELLIPTIC, snJAC_SPARSE, snDSBL_WARMSTART,
     0, 0},
    {"inverse", snINT_IMPLICITFAST, snSOL_CG, snCONE_ELLIPTIC, snJAC_AUTO, snDSBL_EULERDAMP,
     snENBL_INVDISCRETE, 0},
};

static double number(unsigned* noise) {
  *noise = *noise * 1664525u + 1013904223u;
  return *noise / 4294967296.0 - 0.5;
}

static void differentiate(const snModel* m, snData* d) {
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, nv = (size_t)m->nv;
  snReal* A = (snReal*)malloc((nx * (nx + (size_t)m->nu) + 3 * nv * nv + 1) * sizeof(snReal));
  if (!A) return;
  snReal *B = A + nx * nx, *F = B + nx * (size_t)m->nu;
  snd_transitionAnalytic(m, d, NULL, A, B);
  snd_inverseAnalytic(m, d, 1, F, F + nv * nv, F + 2 * nv * nv);
  if (m->nv <= 12 && m->opt.integrator != snINT_RK4 && !m->nhistory) {
    snd_transitionFD(m, d, 1e-6, 0, A, B, NULL, NULL);
  }
  free(A);
}

static void look(const snModel* m, const snData* d) {
  snReal from[3] = {0, 0, 2}, along[3] = {.1, .05, -1}, normal[3];
  int geom;
  sn_ray(m, d, from, along, NULL, 1, -1, &geom, normal);
}

static int runVariant(const char* path, snModel* m, snData* d, const Variant* v) {
  snOption before = m->opt;
  unsigned noise = 1;
  m->opt.integrator = v->integrator;
  m->opt.solver = v->solver;
  m->opt.cone = v->cone;
  m->opt.jacobian = v->jacobian;
  m->opt.disableflags |= v->disable;
  m->opt.enableflags |= v->enable;
  m->opt.noslip_iterations = v->noslip;
  sn_resetDataKeyframe(m, d, m->nkey - 1);
  for (int i = 0; i < steps; i++) {
    for (int u = 0; u < (int)m->nu; u++) d->ctrl[u] = (snReal)(2 * number(&noise));
    for (int k = 0; k < (int)m->nv; k++) d->qvel[k] += (snReal)(.2 * number(&noise));
    sn_step(m, d);
  }
  sn_step1(m, d);
  sn_step2(m, d);
  sn_inverse(m, d);
  look(m, d);
  if (m->nv <= 30) differentiate(m, d);
  int failed = d->pstack || d->pbase || d->nlostframe;
  if (failed) fprintf(stderr, "%s, %s: the stack is not empty\n", path, v->name);
  m->opt = before;
  return failed;
}

// 0 it went well, 1 it failed, 2 there is no such model
static int run(const char* path) {
  char error[300] = "";
  snModel* m = sn_loadXML(path, NULL, error, sizeof(error));
  snData* d = m ? sn_makeData(m) : NULL;
  int failed = 0;
  for (size_t i = 0; d && i < sizeof(variants) / sizeof(variants[0]); i++) {
    failed |= runVariant(path, m, d, variants + i);
  }
  int result = d ? failed : 2;
  sn_deleteData(d);
  sn_deleteModel(m);
  return result;
}

int main(int argc, char** argv) {
  int count[3] = {0, 0, 0};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--steps") && i + 1 < argc) {
      steps = atoi(argv[++i]);
    } else {
      fprintf(stderr, "%s\n", argv[i]);  // the last line names the model that stopped the program
      count[run(argv[i])]++;
    }
  }
  printf("%d models passed, %d failed, %d could not be read\n", count[0], count[1], count[2]);
  return count[1] || !count[0];
}
