// Model statistics at qpos0: centre and extent, mean mass, size and inertia, and dof_length.

#include "base/arena.h"
#include "base/assert.h"
#include "compile/constants.h"
#include "math/math.h"

static void addPoint(snReal low[3], snReal high[3], const snReal point[3], snReal radius) {
  for (int k = 0; k < 3; k++) {
    low[k] = snu_min(low[k], point[k] - radius);
    high[k] = snu_max(high[k], point[k] + radius);
  }
}

// radius with which a geom enters the bounding box; planes count a tenth of what is drawn
static snReal geomRadius(const snModel* m, int geom) {
  const snReal* size = m->geom_size + 3 * geom;
  if (m->geom_rbound[geom] > 0) return m->geom_rbound[geom];
  if (m->geom_type[geom] == snGEOM_PLANE) {
    return size[0] > 0 || size[1] > 0 ? snu_max(size[0], size[1]) * (snReal)0.1 : 1;
  }
  if (m->geom_type[geom] == snGEOM_HFIELD && m->geom_dataid[geom] >= 0) {
    const snReal* extent = m->hfield_size + 4 * m->geom_dataid[geom];
    snReal largest = snu_max(snu_max(extent[0], extent[1]), snu_max(extent[2], extent[3]));
    return largest * (snReal)0.1;
  }
  return 0;
}

static void setCenter(snModel* m, const snData* d) {
  snReal low[3] = {snMAXVAL, snMAXVAL, snMAXVAL}, high[3] = {-snMAXVAL, -snMAXVAL, -snMAXVAL};
  for (int i = 1; i < m->nbody; i++) {
    addPoint(low, high, d->xpos + 3 * i, 0);
    addPoint(low, high, d->xipos + 3 * i, 0);
  }
  for (int i = 0; i < m->njnt; i++) addPoint(low, high, d->xanchor + 3 * i, 0);
  for (int i = 0; i < m->nsite; i++) addPoint(low, high, d->site_xpos + 3 * i, 0);
  for (int i = 0; i < m->ngeom; i++) addPoint(low, high, d->geom_xpos + 3 * i, geomRadius(m, i));

  for (int k = 0; k < 3; k++) m->stat.center[k] = (low[k] + high[k]) * (snReal)0.5;
  if (high[0] > low[0]) {
    snReal side = snu_max(snu_max(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    m->stat.extent = snu_max((snReal)1e-5, side);
  }
}

// length of a body: the farthest reach of its joints, of its children's joints and of its geoms
static void setBodyLength(const snModel* m, const snData* d, snReal* length) {
  for (int i = 0; i < m->nbody; i++) length[i] = 0;
  for (int i = 0; i < m->njnt; i++) {
    int body = m->jnt_bodyid[i], parent = m->body_parentid[body];
    SN_ASSERT(body > 0 && body < m->nbody && parent < body);
    length[body] = snu_max(length[body], snu_dist3(d->xipos + 3 * body, d->xanchor + 3 * i));
    length[parent] = snu_max(length[parent], snu_dist3(d->xipos + 3 * parent, d->xanchor + 3 * i));
  }
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    if (m->geom_rbound[i] <= 0) continue;
    length[body] = snu_max(
        length[body], m->geom_rbound[i] + snu_dist3(d->xipos + 3 * body, d->geom_xpos + 3 * i));
  }
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f]) {
      const int* node = m->flex_nodebodyid + m->flex_nodeadr[f];
      for (int i = 0; i < m->flex_nodenum[f]; i++) {
        for (int j = 0; j < m->flex_nodenum[f]; j++) {
          snReal reach = snu_dist3(d->xpos + 3 * node[i], d->xpos + 3 * node[j]);
          length[node[i]] = snu_max(length[node[i]], reach);
        }
      }
      continue;
    }
    const int* vertbody = m->flex_vertbodyid + m->flex_vertadr[f];
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      for (int k = 0; k < 2; k++) {
        int body = vertbody[m->flex_edge[2 * e + k]];
        SN_ASSERT_INDEX(body, m->nbody);
        length[body] = snu_max(length[body], m->flexedge_length0[e]);
      }
    }
  }
  for (int i = 1; i < m->nbody; i++) length[i] = snu_max(length[i], (snReal)1e-5);
}

static int isTranslation(const snModel* m, int dof) {
  int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
  return type == snJNT_SLIDE || (type == snJNT_FREE && dof - m->jnt_dofadr[joint] < 3);
}

void sn_setStatistic(snModel* m, snData* d) {
  setCenter(m, d);

  sn_markStack(d);
  snReal* length = SN_STACK(d, snReal, m->nbody);
  if (!length) {
    snu_error("sn_setConst: arena too small");
    sn_freeStack(d);
    return;
  }
  setBodyLength(m, d, length);
  for (int i = 0; i < m->nv; i++) {
    m->dof_length[i] = isTranslation(m, i) ? 1 : length[m->dof_bodyid[i]];
  }

  if (m->nbody > 1) {
    m->stat.meansize = m->stat.meanmass = 0;
    for (int i = 1; i < m->nbody; i++) {
      m->stat.meansize += length[i];
      m->stat.meanmass += m->body_mass[i];
    }
    m->stat.meansize /= (snReal)(m->nbody - 1);
    m->stat.meanmass /= (snReal)(m->nbody - 1);
  }
  sn_freeStack(d);

  m->stat.extent = snu_max(m->stat.extent, 2 * m->stat.meansize);
  if (m->nv > 0) {
    m->stat.meaninertia = 0;
    for (int i = 0; i < m->nv; i++) {
      SN_ASSERT(m->M_colind[m->M_rowadr[i] + m->M_rownnz[i] - 1] == i);
      m->stat.meaninertia += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
    }
    m->stat.meaninertia /= (snReal)m->nv;
  }
}
