// Rollouts of all worlds, and their gradients backwards in time.
//
// Forwards x+ = f(x, u), x = (qpos, qvel, act). Backwards, with A and B of each step,
//
//   g_t = A' g_(t+1) + d(loss)/d(state at t)      by the state, in the tangent space
//   u_t = B' g_(t+1)                              by the controls
//
// Gradients by qpos are in coordinates: a unit quaternion q that turns by w in its own frame changes by
// dq = J w = q (0, w) / 2, so that gradients by w are J' times those by q, and back with the
// pseudo-inverse of J, which is 4 J'.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "batch/batch.h"
#include "model/object_types.h"

// turn = J' g, or quaternion gradient g = 4 J turn
static void turnGradient(const snReal q[4], const snReal g[4], snReal turn[3]) {
  turn[0] = 0.5 * (-q[1] * g[0] + q[0] * g[1] + q[3] * g[2] - q[2] * g[3]);
  turn[1] = 0.5 * (-q[2] * g[0] - q[3] * g[1] + q[0] * g[2] + q[1] * g[3]);
  turn[2] = 0.5 * (-q[3] * g[0] + q[2] * g[1] - q[1] * g[2] + q[0] * g[3]);
}

static void quatGradient(const snReal q[4], const snReal turn[3], snReal g[4]) {
  g[0] = 2 * (-q[1] * turn[0] - q[2] * turn[1] - q[3] * turn[2]);
  g[1] = 2 * (q[0] * turn[0] - q[3] * turn[1] + q[2] * turn[2]);
  g[2] = 2 * (q[3] * turn[0] + q[0] * turn[1] - q[1] * turn[2]);
  g[3] = 2 * (-q[2] * turn[0] + q[1] * turn[1] + q[0] * turn[2]);
}

static void addTangent(const snModel* m, const snReal* qpos, const snReal* by_qpos, snReal* by_dq) {
  for (int j = 0; j < m->njnt; j++) {
    int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j], type = m->jnt_type[j],
        plain = sn_plainCoordinates(type);
    for (int k = 0; k < plain; k++) by_dq[v + k] += by_qpos[q + k];
    if (sn_hasQuaternion(type)) {
      snReal turn[3];
      turnGradient(qpos + q + plain, by_qpos + q + plain, turn);
      for (int k = 0; k < 3; k++) by_dq[v + plain + k] += turn[k];
    }
  }
}

static void setCoordinates(const snModel* m, const snReal* qpos, const snReal* by_dq,
                           snReal* by_qpos) {
  for (int j = 0; j < m->njnt; j++) {
    int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j], type = m->jnt_type[j],
        plain = sn_plainCoordinates(type);
    for (int k = 0; k < plain; k++) by_qpos[q + k] = by_dq[v + k];
    if (sn_hasQuaternion(type)) {
      quatGradient(qpos + q + plain, by_dq + v + plain, by_qpos + q + plain);
    }
  }
}

// rows of all worlds between their data and a packed array
static void copyRows(const snBatch* b, int count, snReal* (*field)(snData*), snReal* packed,
                     int out) {
  SN_ASSERT(b->worlds && count >= 0);
  for (int i = 0; i < b->nworld; i++) {
    snReal* row = packed + (size_t)i * (size_t)count;
    snReal* own = field(b->worlds[i].data);
    if (count) memcpy(out ? row : own, out ? own : row, (size_t)count * sizeof(snReal));
  }
}

static snReal* qposOf(snData* d) { return d->qpos; }
static snReal* qvelOf(snData* d) { return d->qvel; }
static snReal* actOf(snData* d) { return d->act; }

static int refuse(const snBatch* b, int nstep) {
  if (!b->gpu && nstep >= 0) return 0;
  snu_error("no rollout with derivatives: %s",
            b->gpu ? "the worlds lie on a GPU" : "negative steps");
  return -1;
}

static void copyPath(const snBatch* b, const snBatchPath* path, int step, int out) {
  const snModel* m = b->model;
  size_t row = (size_t)step * (size_t)b->nworld;
  copyRows(b, (int)m->nq, qposOf, path->qpos + row * (size_t)m->nq, out);
  copyRows(b, (int)m->nv, qvelOf, path->qvel + row * (size_t)m->nv, out);
  if (m->na) copyRows(b, (int)m->na, actOf, path->act + row * (size_t)m->na, out);
}

int sn_batchRollout(snBatch* b, int nstep, const snBatchPath* start, const snReal* ctrl,
                    const snBatchPath* path, snReal* states) {
  if (refuse(b, nstep)) return -1;
  size_t width = (size_t)b->nworld * (size_t)b->state_size,
         inputs = (size_t)b->nworld * (size_t)b->model->nu;
  copyPath(b, start, 0, 0);
  for (int i = 0; i < b->nworld; i++) {
    snReal* warm = b->worlds[i].data->qacc_warmstart;
    memset(warm, 0, (size_t)b->model->nv * sizeof(snReal));
    b->failed[i] = 0;  // the state is new
  }
  for (int t = 0; t < nstep; t++) {
    if (states && sn_batchGetState(b, states + (size_t)t * width, snBATCH_STATE)) return -1;
    if (sn_batchStepControls(b, 1, ctrl + (size_t)t * inputs)) return -1;
    copyPath(b, path, t, 1);
  }
  return 0;
}

// g = A' g and u = B' g of one world; scratch holds ndx numbers
static void pullBack(snSize ndx, snSize nu, const snReal* A, const snReal* B, snReal* g, snReal* u,
                     snReal* scratch) {
  SN_ASSERT(scratch != g);
  memset(scratch, 0, (size_t)ndx * sizeof(snReal));
  for (snSize k = 0; k < nu; k++) u[k] = 0;
  for (snSize r = 0; r < ndx; r++) {
    for (snSize k = 0; k < nu; k++) u[k] += B[r * nu + k] * g[r];
    for (snSize c = 0; c < ndx; c++) scratch[c] += A[r * ndx + c] * g[r];
  }
  memcpy(g, scratch, (size_t)ndx * sizeof(snReal));
}

typedef struct Sweep_ {
  snSize ndx;
  snReal* A;
  snReal* B;
  snReal* g;  // nworld x ndx
  snReal* scratch;
  snReal* now;  // states before
} Sweep;

// one step backwards: the worlds are in the state before it
static void sweepStep(snBatch* b, const Sweep* s, int t, const snBatchPath* path,
                      const snBatchPath* gradient, snReal* ctrl_gradient) {
  SN_ASSERT(s->ndx == 2 * b->model->nv + b->model->na && t >= 0);
  const snModel* m = b->model;
  for (int i = 0; i < b->nworld; i++) {
    size_t row = (size_t)t * (size_t)b->nworld + (size_t)i;
    snReal* g = s->g + (size_t)i * (size_t)s->ndx;
    addTangent(m, path->qpos + row * (size_t)m->nq, gradient->qpos + row * (size_t)m->nq, g);
    for (int k = 0; k < m->nv; k++) g[m->nv + k] += gradient->qvel[row * (size_t)m->nv + (size_t)k];
    for (int k = 0; k < m->na; k++)
      g[2 * m->nv + k] += gradient->act[row * (size_t)m->na + (size_t)k];
    pullBack(s->ndx, m->nu, s->A + (size_t)i * (size_t)(s->ndx * s->ndx),
             s->B + (size_t)i * (size_t)(s->ndx * m->nu), g, ctrl_gradient + row * (size_t)m->nu,
             s->scratch);
  }
}

static void finishSweep(const snBatch* b, const Sweep* s, const snBatchPath* start_gradient) {
  const snModel* m = b->model;
  for (int i = 0; i < b->nworld; i++) {
    const snReal* g = s->g + (size_t)i * (size_t)s->ndx;
    size_t row = (size_t)i;
    setCoordinates(m, b->worlds[i].data->qpos, g, start_gradient->qpos + row * (size_t)m->nq);
    memcpy(start_gradient->qvel + row * (size_t)m->nv, g + m->nv, (size_t)m->nv * sizeof(snReal));
    if (m->na)
      memcpy(start_gradient->act + row * (size_t)m->na, g + 2 * m->nv,
             (size_t)m->na * sizeof(snReal));
  }
}

static int sweep(snBatch* b, const Sweep* s, int method, int nstep, const snReal* states,
                 const snReal* ctrl, const snBatchPath* path, const snBatchPath* gradient,
                 const snBatchPath* start_gradient, snReal* ctrl_gradient) {
  size_t width = (size_t)b->nworld * (size_t)b->state_size, nu = (size_t)b->model->nu;
  for (int t = nstep - 1; t >= 0; t--) {
    if (sn_batchSetState(b, states + (size_t)t * width, snBATCH_STATE)) return -1;
    for (int i = 0; i < b->nworld; i++) {
      const snReal* u = ctrl + ((size_t)t * (size_t)b->nworld + (size_t)i) * nu;
      if (nu) memcpy(b->worlds[i].data->ctrl, u, nu * sizeof(snReal));
    }
    if (sn_batchTransition(b, method, NULL, s->A, s->B)) return -1;
    sweepStep(b, s, t, path, gradient, ctrl_gradient);
  }
  finishSweep(b, s, start_gradient);
  return 0;
}

int sn_batchRolloutBack(snBatch* b, int method, int nstep, const snReal* states, const snReal* ctrl,
                        const snBatchPath* path, const snBatchPath* gradient,
                        const snBatchPath* start_gradient, snReal* ctrl_gradient) {
  if (refuse(b, nstep)) return -1;
  const snModel* m = b->model;
  size_t n = (size_t)b->nworld, ndx = (size_t)(2 * m->nv + m->na),
         width = n * (size_t)b->state_size;
  size_t count = n * ndx * (ndx + (size_t)m->nu + 1) + ndx + width;
  snReal* memory = (snReal*)snu_malloc((count + 1) * sizeof(snReal));
  if (!memory) {
    snu_error("no memory for the gradients of a rollout");
    return -1;
  }
  Sweep s = {(snSize)ndx, memory, memory + n * ndx * ndx, memory + n * ndx * (ndx + (size_t)m->nu),
             NULL,        NULL};
  s.scratch = s.g + n * ndx;
  s.now = s.scratch + ndx;
  memset(s.g, 0, n * ndx * sizeof(snReal));
  int code = sn_batchGetState(b, s.now, snBATCH_STATE);
  if (!code)
    code = sweep(b, &s, method, nstep, states, ctrl, path, gradient, start_gradient, ctrl_gradient);
  if (sn_batchSetState(b, s.now, snBATCH_STATE)) code = -1;
  snu_free(memory);
  return code;
}
