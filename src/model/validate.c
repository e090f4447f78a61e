// Soundness of a model: every index that the engine will follow stays inside its array.
//
// The rules are tables: an id is in [low, size), a span of num entries from adr lies inside its
// target. What a rule cannot say has a small function of its own.

#include <math.h>

#include "base/error.h"
#include "model/binary.h"

// ids: every entry of the field lies in [low, size)
// clang-format off
#define ID_RULES(R) \
  R(body_rootid, nbody, 1, 0, SN_M(nbody)) \
  R(body_weldid, nbody, 1, 0, SN_M(nbody)) \
  R(body_mocapid, nbody, 1, -1, SN_M(nmocap)) \
  R(body_treeid, nbody, 1, -1, SN_M(ntree)) \
  R(body_plugin, nbody, 1, -1, SN_M(nplugin)) \
  R(bvh_child, nbvh, 2, -1, SN_M(nbvh)) \
  R(oct_child, noct, 8, -1, SN_M(noct)) \
  R(jnt_type, njnt, 1, 0, snJNT_HINGE + 1) \
  R(jnt_bodyid, njnt, 1, 0, SN_M(nbody)) \
  R(dof_bodyid, nv, 1, 0, SN_M(nbody)) \
  R(dof_jntid, nv, 1, 0, SN_M(njnt)) \
  R(dof_treeid, nv, 1, 0, SN_M(ntree)) \
  R(dof_Madr, nv, 1, 0, SN_M(nM)) \
  R(geom_bodyid, ngeom, 1, 0, SN_M(nbody)) \
  R(geom_type, ngeom, 1, 0, snNGEOMTYPES) \
  R(geom_matid, ngeom, 1, -1, SN_M(nmat)) \
  R(geom_plugin, ngeom, 1, -1, SN_M(nplugin)) \
  R(site_bodyid, nsite, 1, 0, SN_M(nbody)) \
  R(site_matid, nsite, 1, -1, SN_M(nmat)) \
  R(cam_bodyid, ncam, 1, 0, SN_M(nbody)) \
  R(cam_targetbodyid, ncam, 1, -1, SN_M(nbody)) \
  R(light_bodyid, nlight, 1, 0, SN_M(nbody)) \
  R(light_targetbodyid, nlight, 1, -1, SN_M(nbody)) \
  R(light_texid, nlight, 1, -1, SN_M(ntex)) \
  R(flex_matid, nflex, 1, -1, SN_M(nmat)) \
  R(flex_nodebodyid, nflexnode, 1, 0, SN_M(nbody)) \
  R(flex_vertbodyid, nflexvert, 1, -1, SN_M(nbody)) \
  R(skin_matid, nskin, 1, -1, SN_M(nmat)) \
  R(skin_bonebodyid, nskinbone, 1, 0, SN_M(nbody)) \
  R(mat_texid, nmat, snNTEXROLE, -1, SN_M(ntex)) \
  R(pair_geom1, npair, 1, 0, SN_M(ngeom)) \
  R(pair_geom2, npair, 1, 0, SN_M(ngeom)) \
  R(eq_type, neq, 1, 0, snEQ_DISTANCE + 1) \
  R(tendon_matid, ntendon, 1, -1, SN_M(nmat)) \
  R(tendon_treeid, ntendon, 2, -1, SN_M(ntree)) \
  R(wrap_type, nwrap, 1, 0, snWRAP_CYLINDER + 1) \
  R(actuator_plugin, nu, 1, -1, SN_M(nplugin)) \
  R(sensor_type, nsensor, 1, 0, snSENS_USER + 1) \
  R(sensor_plugin, nsensor, 1, -1, SN_M(nplugin)) \
  R(B_colind, nB, 1, 0, SN_M(nv)) \
  R(M_colind, nC, 1, 0, SN_M(nv)) \
  R(mapM2M, nC, 1, 0, SN_M(nM)) \
  R(D_colind, nD, 1, 0, SN_M(nv)) \
  R(flexedge_J_colind, nJfe, 1, 0, SN_M(nv)) \
  R(mapM2D, nD, 1, -1, SN_M(nC)) \
  R(mapD2M, nC, 1, 0, SN_M(nD)) \
  R(mesh_pathadr, nmesh, 1, -1, SN_M(npaths)) \
  R(skin_pathadr, nskin, 1, -1, SN_M(npaths)) \
  R(hfield_pathadr, nhfield, 1, -1, SN_M(npaths)) \
  R(tex_pathadr, ntex, 1, -1, SN_M(npaths)) \
  R(mesh_graphadr, nmesh, 1, -1, SN_M(nmeshgraph)) \
  R(mesh_polyvert, nmeshpolyvert, 1, 0, SN_M(nmeshvert)) \
  R(plugin_attradr, nplugin, 1, -1, SN_M(npluginattr)) \
  R(name_bodyadr, nbody, 1, 0, SN_M(nnames)) \
  R(name_jntadr, njnt, 1, 0, SN_M(nnames)) \
  R(name_geomadr, ngeom, 1, 0, SN_M(nnames)) \
  R(name_siteadr, nsite, 1, 0, SN_M(nnames)) \
  R(name_camadr, ncam, 1, 0, SN_M(nnames)) \
  R(name_lightadr, nlight, 1, 0, SN_M(nnames)) \
  R(name_flexadr, nflex, 1, 0, SN_M(nnames)) \
  R(name_meshadr, nmesh, 1, 0, SN_M(nnames)) \
  R(name_skinadr, nskin, 1, 0, SN_M(nnames)) \
  R(name_hfieldadr, nhfield, 1, 0, SN_M(nnames)) \
  R(name_texadr, ntex, 1, 0, SN_M(nnames)) \
  R(name_matadr, nmat, 1, 0, SN_M(nnames)) \
  R(name_pairadr, npair, 1, 0, SN_M(nnames)) \
  R(name_excludeadr, nexclude, 1, 0, SN_M(nnames)) \
  R(name_eqadr, neq, 1, 0, SN_M(nnames)) \
  R(name_tendonadr, ntendon, 1, 0, SN_M(nnames)) \
  R(name_actuatoradr, nu, 1, 0, SN_M(nnames)) \
  R(name_sensoradr, nsensor, 1, 0, SN_M(nnames)) \
  R(name_numericadr, nnumeric, 1, 0, SN_M(nnames)) \
  R(name_textadr, ntext, 1, 0, SN_M(nnames)) \
  R(name_tupleadr, ntuple, 1, 0, SN_M(nnames)) \
  R(name_keyadr, nkey, 1, 0, SN_M(nnames)) \
  R(name_pluginadr, nplugin, 1, 0, SN_M(nnames))

// spans: entries [adr, adr + num) lie inside [0, size); an empty span may start anywhere
#define SPAN_RULES(R) \
  R(body_jntadr, body_jntnum, nbody, njnt)          R(body_dofadr, body_dofnum, nbody, nv) \
  R(body_geomadr, body_geomnum, nbody, ngeom)       R(body_bvhadr, body_bvhnum, nbody, nbvh) \
  R(tree_bodyadr, tree_bodynum, ntree, nbody)       R(tree_dofadr, tree_dofnum, ntree, nv) \
  R(mesh_vertadr, mesh_vertnum, nmesh, nmeshvert)   R(mesh_faceadr, mesh_facenum, nmesh, nmeshface) \
  R(mesh_bvhadr, mesh_bvhnum, nmesh, nbvh)          R(mesh_octadr, mesh_octnum, nmesh, noct) \
  R(mesh_normaladr, mesh_normalnum, nmesh, nmeshnormal) \
  R(mesh_texcoordadr, mesh_texcoordnum, nmesh, nmeshtexcoord) \
  R(mesh_polyadr, mesh_polynum, nmesh, nmeshpoly) \
  R(mesh_polyvertadr, mesh_polyvertnum, nmeshpoly, nmeshpolyvert) \
  R(mesh_polymapadr, mesh_polymapnum, nmeshvert, nmeshpolymap) \
  R(flex_vertadr, flex_vertnum, nflex, nflexvert)   R(flex_nodeadr, flex_nodenum, nflex, nflexnode) \
  R(flex_edgeadr, flex_edgenum, nflex, nflexedge)   R(flex_elemadr, flex_elemnum, nflex, nflexelem) \
  R(flex_evpairadr, flex_evpairnum, nflex, nflexevpair) \
  R(flex_bvhadr, flex_bvhnum, nflex, nbvh)          R(skin_vertadr, skin_vertnum, nskin, nskinvert) \
  R(skin_faceadr, skin_facenum, nskin, nskinface)   R(skin_boneadr, skin_bonenum, nskin, nskinbone) \
  R(skin_bonevertadr, skin_bonevertnum, nskinbone, nskinbonevert) \
  R(tendon_adr, tendon_num, ntendon, nwrap)         R(actuator_actadr, actuator_actnum, nu, na) \
  R(sensor_adr, sensor_dim, nsensor, nsensordata)   R(numeric_adr, numeric_size, nnumeric, nnumericdata) \
  R(text_adr, text_size, ntext, ntextdata)          R(tuple_adr, tuple_size, ntuple, ntupledata) \
  R(plugin_stateadr, plugin_statenum, nplugin, npluginstate) \
  R(B_rowadr, B_rownnz, nbody, nB)                  R(M_rowadr, M_rownnz, nv, nC) \
  R(D_rowadr, D_rownnz, nv, nD) \
  R(flexedge_J_rowadr, flexedge_J_rownnz, nflexedge, nJfe)

// an address that tells whether there is anything: -1 where the span is empty
#define EMPTY_RULES(R) \
  R(body_jntadr, body_jntnum, nbody)                R(body_dofadr, body_dofnum, nbody) \
  R(body_geomadr, body_geomnum, nbody)              R(body_bvhadr, body_bvhnum, nbody) \
  R(actuator_actadr, actuator_actnum, nu)           R(mesh_octadr, mesh_octnum, nmesh)

// partitions: the members of a span say whose they are, and nobody is left out
#define PARTITION_RULES(R) \
  R(body_jntadr, body_jntnum, nbody, jnt_bodyid, njnt) \
  R(body_dofadr, body_dofnum, nbody, dof_bodyid, nv) \
  R(body_geomadr, body_geomnum, nbody, geom_bodyid, ngeom) \
  R(tree_dofadr, tree_dofnum, ntree, dof_treeid, nv)
// clang-format on

static int idsInside(const int* ids, snSize count, snSize low, snSize size) {
  for (snSize i = 0; i < count; i++) {
    if (ids[i] < low || ids[i] >= size) return 0;
  }
  return 1;
}

static int spansInside(const int* adr, const int* num, snSize count, snSize size) {
  for (snSize i = 0; i < count; i++) {
    if (num[i] < 0) return 0;
    if (num[i] > 0 && (adr[i] < 0 || (snSize)adr[i] + num[i] > size)) return 0;
  }
  return 1;
}

static int emptyAreMarked(const int* adr, const int* num, snSize count) {
  for (snSize i = 0; i < count; i++) {
    if (num[i] == 0 && adr[i] != -1) return 0;
  }
  return 1;
}

static int isPartition(const int* adr, const int* num, snSize count, const int* owner,
                       snSize size) {
  snSize members = 0;
  for (snSize i = 0; i < count; i++) {
    for (int k = 0; k < num[i]; k++) {
      if (owner[adr[i] + k] != i) return 0;
    }
    members += num[i];
  }
  return members == size;
}

// sizes that are limits or settings and may be -1; all others count something
static const char* checkSizes(const snModel* m) {
#define X(name, meaning) \
  if (m->name < -1 || m->name > INT64_MAX / 2) return #name " is out of range";
  SN_MODEL_SIZES(X)
#undef X
  if (m->nbody < 1) return "there is no world body";
  if (m->nv > INT32_MAX || m->nq > INT32_MAX || m->nbody > INT32_MAX) return "too many elements";
  return NULL;
}

static snSize total(const int* counts, snSize n) {
  snSize sum = 0;
  for (snSize i = 0; i < n; i++) sum += counts[i];
  return sum;
}

// sizes that no array of the model vouches for, but the data is made from
static const char* checkCounts(const snModel* m) {
  enum { MOST = 1 << 26 };  // numbers that nobody but the model's author counts
  snSize mocaps = 0, entries = 0;
  for (int i = 0; i < m->nbody; i++) mocaps += m->body_mocapid[i] >= 0;
  for (int i = 0; i < m->nv; i++) {
    for (int j = i; j >= 0 && entries <= m->nM; j = m->dof_parentid[j]) entries++;
  }
  if (m->na != total(m->actuator_actnum, m->nu)) return "na is not that of the actuators";
  if (m->nmocap != mocaps) return "nmocap is not that of the bodies";
  if (m->nM != entries) return "nM is not that of the dofs";
  if (m->nsensordata != total(m->sensor_dim, m->nsensor))
    return "nsensordata is not that of the sensors";
  if (m->npluginstate != total(m->plugin_statenum, m->nplugin))
    return "npluginstate is not that of the plugins";
  if (m->nJmom > m->nu * m->nv) return "nJmom is larger than a full matrix";
  if (m->ngravcomp > m->nbody) return "ngravcomp out of range";
  if (m->nuserdata > MOST || m->nhistory > MOST) return "nuserdata or nhistory out of range";
  return NULL;
}

// does the parent of a dof with more than one entry in M have the same place in the row before?
static int continuesRow(const snModel* m, int dof) {
  int place = m->M_rownnz[dof] - 2;
  return dof > 0 && place < m->M_rownnz[dof - 1] &&
         m->M_colind[m->M_rowadr[dof] + place] == m->M_colind[m->M_rowadr[dof - 1] + place];
}

static const char* checkTree(const snModel* m) {
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_parentid[i] < 0 || m->body_parentid[i] >= i) return "body_parentid out of bounds";
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_parentid[i] < -1 || m->dof_parentid[i] >= i) return "dof_parentid out of bounds";
    if (m->dof_Madr[i] < 0) return "dof_Madr out of bounds";
    int diagonal = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    if (m->M_rownnz[i] < 1 || m->M_colind[diagonal] != i) return "M_colind has no diagonal";
    for (int k = m->M_rowadr[i]; k < diagonal; k++) {
      if (m->M_colind[k] >= m->M_colind[k + 1]) return "M_colind is not increasing";
    }
    if (m->M_rownnz[i] > 1 && !continuesRow(m, i)) return "M_colind is not depth first";
    if (m->dof_simplenum[i] < 0 || i + (snSize)m->dof_simplenum[i] > m->nv)
      return "dof_simplenum out of bounds";
    if (m->D_diag[i] < 0 || m->D_diag[i] >= m->D_rownnz[i]) return "D_diag out of bounds";
  }
  return NULL;
}

// coordinates and dofs follow one another joint by joint
static const char* checkJoints(const snModel* m) {
  static const int nq[4] = {7, 4, 1, 1}, nv[4] = {6, 3, 1, 1};
  snSize q = 0, v = 0;
  for (int i = 0; i < m->njnt; i++) {
    int type = m->jnt_type[i];
    if (m->jnt_qposadr[i] != q || q + nq[type] > m->nq) return "jnt_qposadr out of bounds";
    if (m->jnt_dofadr[i] != v || v + nv[type] > m->nv) return "jnt_dofadr out of bounds";
    for (int k = 0; k < nv[type]; k++) {
      if (m->dof_jntid[v + k] != i) return "dof_jntid disagrees with jnt_dofadr";
    }
    q += nq[type];
    v += nv[type];
  }
  return q == m->nq && v == m->nv ? NULL : "nq or nv is not that of the joints";
}

static int isContactDimension(int dim) { return dim == 1 || dim == 3 || dim == 4 || dim == 6; }

static const char* checkContacts(const snModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    if (!isContactDimension(m->geom_condim[i])) return "geom_condim is not 1, 3, 4 or 6";
  }
  for (int i = 0; i < m->npair; i++) {
    if (!isContactDimension(m->pair_dim[i])) return "pair_dim is not 1, 3, 4 or 6";
  }
  for (int i = 0; i < m->nflex; i++) {
    if (!isContactDimension(m->flex_condim[i])) return "flex_condim is not 1, 3, 4 or 6";
  }
  return NULL;
}

// a path runs over joints alone, or from site to site, over at most one geom at a time
static const char* checkPath(const snModel* m, int adr, int num) {
  for (int j = adr; j < adr + num; j++) {
    int type = m->wrap_type[j], isGeom = type == snWRAP_SPHERE || type == snWRAP_CYLINDER;
    if ((type == snWRAP_JOINT) != (m->wrap_type[adr] == snWRAP_JOINT)) return "wrap_type is mixed";
    if (!isGeom) continue;
    if (j == adr || j == adr + num - 1 || m->wrap_type[j - 1] != snWRAP_SITE ||
        m->wrap_type[j + 1] != snWRAP_SITE) {
      return "a wrapping geom is not between sites";
    }
    if (!(m->wrap_prm[j] >= -1 && m->wrap_prm[j] < (snReal)m->nsite))
      return "wrap_prm out of bounds";
  }
  return NULL;
}

// number of objects that an id of this object type may refer to; -1 for other types
static snSize objectCount(const snModel* m, int type) {
  switch (type) {
    case snOBJ_BODY:
    case snOBJ_XBODY: return m->nbody;
    case snOBJ_JOINT: return m->njnt;
    case snOBJ_DOF: return m->nv;
    case snOBJ_GEOM: return m->ngeom;
    case snOBJ_SITE: return m->nsite;
    case snOBJ_CAMERA: return m->ncam;
    case snOBJ_LIGHT: return m->nlight;
    case snOBJ_FLEX: return m->nflex;
    case snOBJ_MESH: return m->nmesh;
    case snOBJ_TENDON: return m->ntendon;
    case snOBJ_ACTUATOR: return m->nu;
    case snOBJ_SENSOR: return m->nsensor;
    default: return -1;
  }
}

static int refersInside(const snModel* m, int type, int id) {
  snSize count = objectCount(m, type);
  return count < 0 || (id >= -1 && id < count);
}

static const char* checkGeoms(const snModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    int type = m->geom_type[i], id = m->geom_dataid[i];
    snSize count = type == snGEOM_HFIELD ? m->nhfield : m->nmesh;
    if (id < -1 || (id >= 0 && id >= count)) return "geom_dataid out of bounds";
    if (id < 0 && (type == snGEOM_MESH || type == snGEOM_HFIELD)) return "geom has no data";
  }
  for (int i = 0; i < m->nhfield; i++) {
    snSize rows = m->hfield_nrow[i], columns = m->hfield_ncol[i], adr = m->hfield_adr[i];
    if (rows < 1 || columns < 1 || adr < 0 || adr + rows * columns > m->nhfielddata) {
      return "hfield_adr out of bounds";
    }
  }
  for (int i = 0; i < m->nmesh; i++) {
    for (int f = m->mesh_faceadr[i]; f < m->mesh_faceadr[i] + m->mesh_facenum[i]; f++) {
      if (!idsInside(m->mesh_face + 3 * f, 3, 0, m->mesh_vertnum[i]))
        return "mesh_face out of bounds";
    }
  }
  return NULL;
}

static const char* checkObjects(const snModel* m) {
  for (int i = 0; i < m->neq; i++) {
    int type = m->eq_type[i];
    int objtype = type == snEQ_JOINT    ? snOBJ_JOINT
                  : type == snEQ_TENDON ? snOBJ_TENDON
                  : type >= snEQ_FLEX   ? snOBJ_FLEX
                                        : m->eq_objtype[i];
    if (m->eq_obj1id[i] < 0 || !refersInside(m, objtype, m->eq_obj1id[i]) ||
        !refersInside(m, objtype, m->eq_obj2id[i])) {
      return "eq_obj1id or eq_obj2id out of bounds";
    }
  }
  for (int i = 0; i < m->nwrap; i++) {
    int type = m->wrap_type[i], id = m->wrap_objid[i];
    snSize count = type == snWRAP_JOINT ? m->njnt : type == snWRAP_SITE ? m->nsite : m->ngeom;
    if (type >= snWRAP_JOINT && type != snWRAP_PULLEY && (id < 0 || id >= count)) {
      return "wrap_objid out of bounds";
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    const char* problem = checkPath(m, m->tendon_adr[i], m->tendon_num[i]);
    if (problem) return problem;
  }
  for (int i = 0; i < m->nu; i++) {
    int trn = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
    snSize count = trn <= snTRN_JOINTINPARENT ? m->njnt
                   : trn == snTRN_TENDON      ? m->ntendon
                   : trn == snTRN_BODY        ? m->nbody
                                              : m->nsite;
    if (trn < 0 || (trn > snTRN_BODY && trn != snTRN_UNDEFINED)) return "actuator_trntype";
    if (trn != snTRN_UNDEFINED && (id < 0 || id >= count)) return "actuator_trnid out of bounds";
    int second = m->actuator_trnid[2 * i + 1];
    if (second < -1 || second >= (m->nsite > 0 ? m->nsite : 0))
      return "actuator_trnid out of bounds";
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (!refersInside(m, m->sensor_objtype[i], m->sensor_objid[i]))
      return "sensor_objid out of bounds";
    if (!refersInside(m, m->sensor_reftype[i], m->sensor_refid[i]))
      return "sensor_refid out of bounds";
  }
  if (m->npluginattr && m->plugin_attr[m->npluginattr - 1]) return "plugin_attr does not end";
  return NULL;
}

static int quaternionsAreUnit(const snReal* quat, snSize count) {
  for (snSize i = 0; i < count; i++, quat += 4) {
    snReal square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    if (!(fabs((double)square - 1) < 1e-3)) return 0;
  }
  return 1;
}

static const char* checkQuaternions(const snModel* m) {
  if (!quaternionsAreUnit(m->body_quat, m->nbody)) return "body_quat is not unit";
  if (!quaternionsAreUnit(m->body_iquat, m->nbody)) return "body_iquat is not unit";
  if (!quaternionsAreUnit(m->geom_quat, m->ngeom)) return "geom_quat is not unit";
  if (!quaternionsAreUnit(m->site_quat, m->nsite)) return "site_quat is not unit";
  if (!quaternionsAreUnit(m->cam_quat, m->ncam)) return "cam_quat is not unit";
  return NULL;
}

#define SN_M(size) m->size

static const char* checkTables(const snModel* m) {
#define R(field, rows, columns, low, size) \
  if (!idsInside(m->field, m->rows * (columns), low, size)) return #field " out of bounds";
  ID_RULES(R)
#undef R
#define R(adr, num, rows, size) \
  if (!spansInside(m->adr, m->num, m->rows, m->size)) return #adr " out of bounds";
  SPAN_RULES(R)
#undef R
#define R(adr, num, rows) \
  if (!emptyAreMarked(m->adr, m->num, m->rows)) return #adr " of an empty span is not -1";
  EMPTY_RULES(R)
#undef R
#define R(adr, num, rows, owner, size)                          \
  if (!isPartition(m->adr, m->num, m->rows, m->owner, m->size)) \
    return #adr " disagrees with " #owner;
  PARTITION_RULES(R)
#undef R
  return NULL;
}

const char* sn_validateModel(const snModel* m, char* reason, int reason_sz) {
  const char* problem = checkSizes(m);
  if (!problem) problem = checkTables(m);
  if (!problem) problem = checkTree(m);
  if (!problem) problem = checkCounts(m);
  if (!problem) problem = checkJoints(m);
  if (!problem) problem = checkGeoms(m);
  if (!problem) problem = checkContacts(m);
  if (!problem) problem = sn_checkShapes(m);
  if (!problem) problem = checkObjects(m);
  if (!problem) problem = sn_checkSensors(m);
  if (!problem) problem = checkQuaternions(m);
  if (!problem) return NULL;
  sn_formatError(reason, reason_sz, "%s", problem);
  return problem;
}
