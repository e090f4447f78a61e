#include "engine/actuate/history.h"

#include "base/assert.h"
#include "engine/actuate/actuation.h"
#include "math/math.h"

#define MINVAL ((snReal)snMINVAL)

enum { USER = 0, CURSOR = 1, TIMES = 2 };
enum { SHORT = 16 };

// ---- one buffer

// A buffer of n samples of dim numbers, in a ring; logical indices count from the oldest one.
typedef struct Ring_ {
  const snReal *times, *values;
  int n, dim, oldest;
} Ring;

static inline Ring ringOf(const snReal* buffer, int n, int dim) {
  SN_ASSERT(n > 0);
  Ring ring = {buffer + TIMES, buffer + TIMES + n, n, dim, 0};
  unsigned place = (unsigned)((int)buffer[CURSOR] + 1);
  ring.oldest = (int)(place < (unsigned)n ? place : place % (unsigned)n);
  return ring;
}

static inline int physical(const Ring* ring, int logical) {
  SN_ASSERT(logical >= 0 && logical < ring->n);
  int place = ring->oldest + logical;
  return place < ring->n ? place : place - ring->n;
}

static inline snReal timeAt(const Ring* ring, int logical) {
  return ring->times[physical(ring, logical)];
}

static inline const snReal* valueAt(const Ring* ring, int logical) {
  return ring->values + (size_t)ring->dim * physical(ring, logical);
}

// Smallest logical index whose time is not before the given one, n when all are. Of a short list it is the number of
// those before, which are counted without branches: each buffer would take others.
static inline int findTime(const Ring* ring, snReal time) {
  int n = ring->n;
  if (n <= SHORT) {
    int before = 0;
    for (int k = 0; k < n; k++) before += ring->times[k] < time;
    return before;
  }
  if (time <= timeAt(ring, 0)) return 0;
  if (time > timeAt(ring, n - 1)) return n;
  int low = 0, high = n - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (timeAt(ring, middle) >= time) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

// make room for a sample at a time and return where its dim values go
static snReal* insertSample(snReal* buffer, int n, int dim, snReal time) {
  Ring ring = ringOf(buffer, n, dim);
  snReal *times = buffer + TIMES, *values = times + n;
  int newest = time > timeAt(&ring, n - 1), at = newest ? n : findTime(&ring, time), slot;
  if (at < n && snu_abs(time - timeAt(&ring, at)) < MINVAL) {
    slot = physical(&ring, at);
  } else if (at == 0) {
    slot = ring.oldest;
  } else if (at == n) {
    // newer than all: the oldest one goes
    slot = ring.oldest;
    buffer[CURSOR] = slot;
  } else {
    // in between: older samples move down by one, the oldest one goes
    for (int k = 1; k < at; k++) {
      int to = physical(&ring, k - 1), from = physical(&ring, k);
      times[to] = times[from];
      snu_copy(values + (size_t)dim * to, values + (size_t)dim * from, dim);
    }
    slot = physical(&ring, at - 1);
  }
  times[slot] = time;
  return values + (size_t)dim * slot;
}

// Hermite interpolation between logical samples i-1 and i with slopes from their neighbours
static void cubic(const Ring* ring, int i, snReal alpha, snReal* result) {
  const snReal *v0 = valueAt(ring, i - 1), *v1 = valueAt(ring, i);
  const snReal* before = i > 1 ? valueAt(ring, i - 2) : NULL;
  const snReal* after = i < ring->n - 1 ? valueAt(ring, i + 1) : NULL;
  snReal t0 = timeAt(ring, i - 1), t1 = timeAt(ring, i), dt = t1 - t0;
  snReal a2 = alpha * alpha, a3 = a2 * alpha;
  snReal h00 = 2 * a3 - 3 * a2 + 1, h10 = a3 - 2 * a2 + alpha;
  snReal h01 = -2 * a3 + 3 * a2, h11 = a3 - a2;
  for (int k = 0; k < ring->dim; k++) {
    snReal m0 = before ? (v1[k] - before[k]) / (t1 - timeAt(ring, i - 2)) : 0;
    snReal m1 = after ? (after[k] - v0[k]) / (timeAt(ring, i + 1) - t0) : 0;
    result[k] = h00 * v0[k] + h10 * dt * m0 + h01 * v1[k] + h11 * dt * m1;
  }
}

// value at a time: a pointer into the buffer when a sample answers, else NULL with the interpolated
// value (interp 0 hold, 1 linear, 2 cubic) in result
static const snReal* readSample(const snReal* buffer, int n, int dim, snReal time, int interp,
                                snReal* result) {
  Ring ring = ringOf(buffer, n, dim);
  if (time <= timeAt(&ring, 0) + MINVAL) return valueAt(&ring, 0);
  if (time >= timeAt(&ring, n - 1) - MINVAL) return valueAt(&ring, n - 1);
  int i = findTime(&ring, time);
  snReal t0 = timeAt(&ring, i - 1), t1 = timeAt(&ring, i);
  if (snu_abs(time - t1) < MINVAL) return valueAt(&ring, i);
  if (interp == 0) return valueAt(&ring, i - 1);

  snReal alpha = (time - t0) / (t1 - t0);
  if (interp == 1) {
    const snReal *v0 = valueAt(&ring, i - 1), *v1 = valueAt(&ring, i);
    for (int k = 0; k < dim; k++) result[k] = v0[k] + alpha * (v1[k] - v0[k]);
  } else {
    cubic(&ring, i, alpha, result);
  }
  return NULL;
}

// fill a buffer with given samples, oldest first
static void initBuffer(snReal* buffer, int n, int dim, const snReal* times, const snReal* values) {
  const snReal* check = times ? times : buffer + TIMES;
  for (int k = 1; k < n; k++) {
    if (!(check[k] - check[k - 1] >= MINVAL)) {
      snu_error(
          "snu_historyInit: times must be strictly increasing, got times[%d]=%g >= times[%d]=%g",
          k - 1, (double)check[k - 1], k, (double)check[k]);
      return;
    }
  }
  buffer[CURSOR] = n - 1;
  if (times) snu_copy(buffer + TIMES, times, n);
  if (values) snu_copy(buffer + TIMES + n, values, n * dim);
}

// ---- controls

// buffer of an actuator or of a sensor, NULL when it has none
static snReal* ctrlBuffer(const snModel* m, const snData* d, int id, int* n) {
  SN_ASSERT_INDEX(id, m->nu);
  *n = m->actuator_history[2 * id];
  return *n > 0 ? d->history + m->actuator_historyadr[id] : NULL;
}

static snReal* sensorBuffer(const snModel* m, const snData* d, int id, int* n) {
  SN_ASSERT_INDEX(id, m->nsensor);
  *n = m->sensor_history[2 * id];
  return *n > 0 ? d->history + m->sensor_historyadr[id] : NULL;
}

snReal sn_readCtrl(const snModel* m, const snData* d, int id, snReal time, int interp) {
  if (id < 0 || id >= (int)m->nu) {
    snu_error("sn_readCtrl: invalid actuator id %d", id);
    return 0;
  }
  int n;
  const snReal* buffer = ctrlBuffer(m, d, id, &n);
  if (!buffer) return d->ctrl[id];
  if (interp < 0) interp = m->actuator_history[2 * id + 1];
  snReal result = 0;
  const snReal* stored = readSample(buffer, n, 1, time - m->actuator_delay[id], interp, &result);
  return stored ? *stored : result;
}

void sn_initCtrlHistory(const snModel* m, snData* d, int id, const snReal* times,
                        const snReal* values) {
  int n = 0;
  if (id < 0 || id >= (int)m->nu) {
    snu_error("sn_initCtrlHistory: invalid actuator id %d", id);
    return;
  }
  snReal* buffer = ctrlBuffer(m, d, id, &n);
  if (!buffer) {
    snu_error("sn_initCtrlHistory: actuator %d has no history buffer", id);
    return;
  }
  initBuffer(buffer, n, 1, times, values);
}

// ---- sensors

const snReal* sn_readSensor(const snModel* m, const snData* d, int id, snReal time, snReal* result,
                            int interp) {
  if (id < 0 || id >= (int)m->nsensor) {
    snu_error("sn_readSensor: invalid sensor id %d", id);
    return NULL;
  }
  int n;
  const snReal* buffer = sensorBuffer(m, d, id, &n);
  if (!buffer) return d->sensordata + m->sensor_adr[id];
  if (interp < 0) interp = m->sensor_history[2 * id + 1];
  return readSample(buffer, n, m->sensor_dim[id], time - m->sensor_delay[id], interp, result);
}

void sn_initSensorHistory(const snModel* m, snData* d, int id, const snReal* times,
                          const snReal* values, snReal phase) {
  int n = 0;
  if (id < 0 || id >= (int)m->nsensor) {
    snu_error("sn_initSensorHistory: invalid sensor id %d", id);
    return;
  }
  snReal* buffer = sensorBuffer(m, d, id, &n);
  if (!buffer) {
    snu_error("sn_initSensorHistory: sensor %d has no history buffer", id);
    return;
  }
  initBuffer(buffer, n, m->sensor_dim[id], times, values);
  buffer[USER] = phase;
}

// record one sensor: on its own schedule if it has one, else on every step
static void recordSensor(const snModel* m, snData* d, int id) {
  SN_ASSERT_INDEX(id, m->nsensor);
  int n, dim = m->sensor_dim[id];
  snReal* buffer = sensorBuffer(m, d, id, &n);
  if (!buffer) return;
  snReal period = m->sensor_interval[2 * id];
  if (period > 0) {
    if (buffer[USER] + period > d->time) return;
    buffer[USER] += period;
  }
  snReal* slot = insertSample(buffer, n, dim, d->time);
  if (m->sensor_delay[id] > 0) {
    sn_computeSensor(m, d, id, slot);
  } else {
    snu_copy(slot, d->sensordata + m->sensor_adr[id], dim);
  }
}

// ---- reset and advance

static void resetBuffer(snReal* buffer, int n, int dim, snReal user) {
  buffer[USER] = user;
  buffer[CURSOR] = n - 1;
  snu_zero(buffer + TIMES + n, n * dim);
}

void sn_resetHistory(const snModel* m, snData* d) {
  if (!m->nhistory) return;
  snReal h = m->opt.timestep;
  int n;
  if (!(h > 0)) {
    snu_error("sn_resetData: history needs a positive timestep");
    return;
  }
  for (int i = 0; i < (int)m->nu; i++) {
    snReal* buffer = ctrlBuffer(m, d, i, &n);
    if (!buffer) continue;
    resetBuffer(buffer, n, 1, 0);
    for (int k = 0; k < n; k++) buffer[TIMES + k] = -(n - k) * h;
  }
  for (int i = 0; i < (int)m->nsensor; i++) {
    snReal* buffer = sensorBuffer(m, d, i, &n);
    if (!buffer) continue;
    snReal period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
    snReal last = phase == 0 ? -period : phase;
    resetBuffer(buffer, n, m->sensor_dim[i], period > 0 ? last : -h);
    for (int k = 0; k < n; k++) {
      buffer[TIMES + k] =
          period > 0 ? snu_ceil((last - (n - 1 - k) * period) / h) * h : -(n - k) * h;
    }
  }
}

void sn_advanceHistory(const snModel* m, snData* d) {
  if (!m->nhistory) return;
  SN_FOR(i, m->nu) {
    int n;
    snReal* buffer = ctrlBuffer(m, d, i, &n);
    if (buffer) *insertSample(buffer, n, 1, d->time) = d->ctrl[i];
  }
  SN_ONE for (int i = 0; i < (int)m->nsensor; i++) recordSensor(m, d, i);
  SN_SYNC();
}
