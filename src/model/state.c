// State vectors: parts of the data, packed in the order of their bits.

#include "base/misuse.h"
#include "math/math.h"

typedef struct Component_ {
  int size;
  snReal* values;  // NULL for the byte array eq_active
} Component;

// part number bit; d may be NULL when only the size is wanted
static Component component(const snModel* m, const snData* d, int bit) {
  Component c = {0, NULL};
#define PART(flag, count, field)      \
  case flag:                          \
    c.size = (int)(count);            \
    if (d) c.values = (snReal*)field; \
    break;
  switch (1 << bit) {
    PART(snSTATE_TIME, 1, &d->time)
    PART(snSTATE_QPOS, m->nq, d->qpos)
    PART(snSTATE_QVEL, m->nv, d->qvel)
    PART(snSTATE_ACT, m->na, d->act)
    PART(snSTATE_HISTORY, m->nhistory, d->history)
    PART(snSTATE_WARMSTART, m->nv, d->qacc_warmstart)
    PART(snSTATE_CTRL, m->nu, d->ctrl)
    PART(snSTATE_QFRC_APPLIED, m->nv, d->qfrc_applied)
    PART(snSTATE_XFRC_APPLIED, 6 * m->nbody, d->xfrc_applied)
    PART(snSTATE_EQ_ACTIVE, m->neq, NULL)
    PART(snSTATE_MOCAP_POS, 3 * m->nmocap, d->mocap_pos)
    PART(snSTATE_MOCAP_QUAT, 4 * m->nmocap, d->mocap_quat)
    PART(snSTATE_USERDATA, m->nuserdata, d->userdata)
    PART(snSTATE_PLUGIN, m->npluginstate, d->plugin_state)
    default: break;
  }
#undef PART
  return c;
}

static int validNamed(const char* function, const char* what, int sig) {
  if (sig >= 0 && sig < (1 << snNSTATE)) return 1;
  if (sig < 0) {
    snu_error("%s: invalid %s %d < 0", function, what, sig);
  } else {
    snu_error("%s: invalid %s %d >= 2^mjNSTATE", function, what, sig);
  }
  return 0;
}

static int validSignature(const char* function, int sig) {
  return validNamed(function, "state signature", sig);
}

int sn_stateSize(const snModel* m, int sig) {
  if (!validSignature("sn_stateSize", sig)) return 0;
  int size = 0;
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (sig & (1 << bit)) size += component(m, NULL, bit).size;
  }
  return size;
}

void sn_getState(const snModel* m, const snData* d, snReal* state, int sig) {
  if (!SN_IS_DATA_OF(m, d, "sn_getState")) return;
  if (!validSignature("sn_getState", sig)) return;
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (!(sig & (1 << bit))) continue;
    Component c = component(m, d, bit);
    if (c.values) {
      snu_copy(state, c.values, c.size);
    } else {
      for (int i = 0; i < c.size; i++) state[i] = d->eq_active[i];
    }
    state += c.size;
  }
}

// low eight bits of the integer part; a number that is no integer at all is off
static snByte toByte(snReal x) {
  if (!(x > -9e15 && x < 9e15)) return 0;
  return (snByte)(int64_t)x;
}

void sn_setState(const snModel* m, snData* d, const snReal* state, int sig) {
  if (!SN_IS_DATA_OF(m, d, "sn_setState")) return;
  if (!validSignature("sn_setState", sig)) return;
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (!(sig & (1 << bit))) continue;
    Component c = component(m, d, bit);
    if (c.values) {
      snu_copy(c.values, state, c.size);
    } else {
      for (int i = 0; i < c.size; i++) d->eq_active[i] = toByte(state[i]);
    }
    state += c.size;
  }
}

void sn_extractState(const snModel* m, const snReal* src, int srcsig, snReal* dst, int dstsig) {
  if (!validNamed("sn_extractState", "srcsig", srcsig)) return;
  if ((srcsig & dstsig) != dstsig) {
    snu_error("sn_extractState: dstsig is not a subset of srcsig");
    return;
  }
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (!(srcsig & (1 << bit))) continue;
    int size = component(m, NULL, bit).size;
    if (dstsig & (1 << bit)) {
      snu_copy(dst, src, size);
      dst += size;
    }
    src += size;
  }
}

void sn_copyState(const snModel* m, const snData* src, snData* dst, int sig) {
  if (!SN_IS_DATA_OF(m, src, "sn_copyState") || !SN_IS_DATA_OF(m, dst, "sn_copyState")) return;
  if (!validSignature("sn_copyState", sig)) return;
  for (int bit = 0; bit < snNSTATE; bit++) {
    if (!(sig & (1 << bit))) continue;
    Component from = component(m, src, bit), to = component(m, dst, bit);
    if (from.values) {
      snu_copy(to.values, from.values, from.size);
    } else {
      memcpy(dst->eq_active, src->eq_active, (size_t)from.size);
    }
  }
}
