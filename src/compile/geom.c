// Geoms: size, pose, bounds, mass.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"
#include "model/plugin.h"

static int isMeshType(snGeom type) { return type == snGEOM_MESH || type == snGEOM_SDF; }

// number of size entries that must be positive
static int sizeCount(snGeom type) {
  switch (type) {
    case snGEOM_SPHERE: return 1;
    case snGEOM_CAPSULE:
    case snGEOM_CYLINDER: return 2;
    case snGEOM_ELLIPSOID:
    case snGEOM_BOX: return 3;
    default: return 0;
  }
}

// numbers that are not a number pass: geoms refuse them later, sites keep them
int sn_checkSize(snCompiler* c, const snElem* elem, snGeom type, const double size[3]) {
  if (type == snGEOM_PLANE && size[2] <= 0) {
    return sn_itemError(c, elem, "plane size(3) must be positive");
  }
  for (int k = 0; k < sizeCount(type); k++) {
    if (size[k] <= 0) {
      return sn_itemError(c, elem, "size %d must be positive in geom", k);  // sites, too
    }
  }
  return 0;
}

// has the shape two ends?
static int checkFromTo(snCompiler* c, const snElem* elem, snGeom type) {
  if (type == snGEOM_CAPSULE || type == snGEOM_CYLINDER || type == snGEOM_ELLIPSOID ||
      type == snGEOM_BOX) {
    return 0;
  }
  // sites, too
  return sn_itemError(c, elem, "fromto requires capsule, cylinder, box or ellipsoid in geom");
}

// length and orientation from two end points; the z axis points from the second to the first
int sn_compileFromTo(snCompiler* c, const snElem* elem, snGeom type, const double fromto[6],
                     double pos[3], double quat[4], double size[3]) {
  SN_TRY(checkFromTo(c, elem, type));
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) {
    return sn_itemError(c, elem, "both pos and fromto defined in geom");
  }
  double axis[3];
  sn_sub3(axis, fromto, fromto + 3);
  double half = sn_normalizeVec(axis, 3) / 2;
  if (half < SN_EPS) return sn_itemError(c, elem, "fromto points too close in geom");
  size[type == snGEOM_CAPSULE || type == snGEOM_CYLINDER ? 1 : 2] = half;
  if (type == snGEOM_ELLIPSOID || type == snGEOM_BOX) size[1] = size[0];
  for (int k = 0; k < 3; k++) pos[k] = (fromto[k] + fromto[3 + k]) / 2;
  sn_zToQuat(quat, axis);
  return 0;
}

static int checkGeom(snCompiler* c, const snGeomItem* geom) {
  const snsGeom* spec = &geom->spec;
  if (spec->type < 0 || spec->type >= snNGEOMTYPES) {
    return sn_itemError(c, geom->elem, "invalid type in geom");
  }
  if (spec->condim != 1 && spec->condim != 3 && spec->condim != 4 && spec->condim != 6) {
    return sn_itemError(c, geom->elem, "invalid condim in geom");
  }
  if (isMeshType(spec->type) && !geom->mesh) {
    return sn_itemError(c, geom->elem, "mesh geom '%.100s' (id = %d) must have valid meshid",
                        sn_elemName(geom->elem), geom->elem->id);
  }
  if ((spec->type == snGEOM_HFIELD) != (geom->hfield != NULL)) {
    return sn_itemError(c, geom->elem, "hfield geom '%.100s' (id = %d) must have valid hfieldid",
                        sn_elemName(geom->elem), geom->elem->id);
  }
  if (spec->type == snGEOM_PLANE && geom->body->weld->id != 0) {
    return sn_itemError(c, geom->elem, "plane only allowed in static bodies");
  }
  return 0;
}

// put the mesh's own frame behind the geom's; fit a primitive when the type asks for it
static int compileMeshFrame(snCompiler* c, snGeomItem* geom) {
  snsGeom* spec = &geom->spec;
  const snMesh* mesh = &geom->mesh->mesh;
  double center[3] = {0, 0, 0}, offset[3];
  if (!isnan(spec->fromto[0])) {
    SN_TRY(checkFromTo(c, geom->elem, spec->type));
    return sn_itemError(c, geom->elem, "fromto cannot be used with mesh geom");
  }
  if (!isMeshType(spec->type)) {
    char error[200];
    if (sn_fitMesh(mesh, spec->type, c->settings->fitaabb, spec->fitscale, spec->size, center,
                   error, sizeof(error))) {
      const snElem* asset = geom->mesh->elem;
      return sn_itemError(c, asset, "%s %s", error, sn_elemName(asset));
    }
  } else if (spec->typeinertia == snINERTIA_SHELL) {
    return sn_itemError(c, geom->elem,
                        "for mesh geoms, inertia should be specified in the mesh asset");
  }
  sn_rotateVec(offset, center, mesh->quat);
  for (int k = 0; k < 3; k++) offset[k] += mesh->pos[k];
  sn_frameAccum(spec->pos, spec->quat, offset, mesh->quat);
  return 0;
}

static int compilePose(snCompiler* c, snGeomItem* geom) {
  snsGeom* spec = &geom->spec;
  sn_normalizeVec(spec->quat, 4);
  if (!isnan(spec->fromto[0]) && !geom->mesh) {
    SN_TRY(sn_compileFromTo(c, geom->elem, spec->type, spec->fromto, spec->pos, spec->quat,
                            spec->size));
  } else {
    SN_TRY(sn_resolveQuat(c, geom->elem, spec->quat, &spec->alt));
  }
  if (geom->mesh) SN_TRY(compileMeshFrame(c, geom));
  return sn_checkSize(c, geom->elem, spec->type, spec->size);
}

// sizes of shapes whose extent comes from an asset
static int compileAssetSize(snCompiler* c, snGeomItem* geom) {
  double* size = geom->spec.size;
  if (geom->hfield) {
    const double* extent = geom->hfield->spec.size;
    size[0] = extent[0];
    size[1] = extent[1];
    size[2] = 0.25 * extent[2] + 0.5 * extent[3];
  } else if (isMeshType(geom->spec.type)) {
    const double* bounds = geom->mesh->mesh.aabb;
    for (int k = 0; k < 3; k++) size[k] = fmax(fabs(bounds[k]), fabs(bounds[3 + k]));
  }
  for (int k = 0; k < 3; k++) {
    if (isnan(size[k])) return sn_itemError(c, geom->elem, "nan size in geom");
  }
  return 0;
}

static void setBox(double aabb[6], double x, double y, double z) {
  aabb[3] = x;
  aabb[4] = y;
  aabb[5] = z;
  for (int k = 0; k < 3; k++)
    aabb[k] = aabb[k + 3] - aabb[k + 3];  // of infinite sizes not a number
}

static void setBoxFromBounds(double aabb[6], const double min[3], const double max[3]) {
  for (int k = 0; k < 3; k++) {
    aabb[k] = (max[k] + min[k]) / 2;
    aabb[3 + k] = (max[k] - min[k]) / 2;
  }
}

// axis-aligned box in the geom's frame and radius of the sphere around its origin
static void setBounds(snGeomItem* geom) {
  const double* size = geom->spec.size;
  switch (geom->spec.type) {
    case snGEOM_PLANE:
      setBox(geom->aabb, snMAXVAL, snMAXVAL, snMAXVAL / 2);
      geom->aabb[2] = -snMAXVAL / 2;
      geom->rbound = 0;
      break;
    case snGEOM_HFIELD: {
      const double* extent = geom->hfield->spec.size;
      double min[3] = {-extent[0], -extent[1], -extent[3]};
      double max[3] = {extent[0], extent[1], extent[2]};
      setBoxFromBounds(geom->aabb, min, max);
      double height = fmax(extent[2] * extent[2], extent[3] * extent[3]);
      geom->rbound = sqrt(extent[0] * extent[0] + extent[1] * extent[1] + height);
      break;
    }
    case snGEOM_SPHERE:
      setBox(geom->aabb, size[0], size[0], size[0]);
      geom->rbound = size[0];
      break;
    case snGEOM_CAPSULE:
      setBox(geom->aabb, size[0], size[0], size[0] + size[1]);
      geom->rbound = size[0] + size[1];
      break;
    case snGEOM_CYLINDER:
      setBox(geom->aabb, size[0], size[0], size[1]);
      geom->rbound = sqrt(size[0] * size[0] + size[1] * size[1]);
      break;
    case snGEOM_ELLIPSOID:
      setBox(geom->aabb, size[0], size[1], size[2]);
      geom->rbound = fmax(fmax(size[0], size[1]), size[2]);
      break;
    case snGEOM_BOX:
      setBox(geom->aabb, size[0], size[1], size[2]);
      geom->rbound = sqrt(sn_dot3(size, size));
      break;
    default:
      setBoxFromBounds(geom->aabb, geom->mesh->mesh.aabb, geom->mesh->mesh.aabb + 3);
      geom->rbound = sqrt(sn_dot3(size, size));
      break;
  }
}

// Whether the geom has a mass, which is saved: that of a body without an inertial has one even if the body does not infer
// its inertia.
static int isMassive(const snGeomItem* geom) {
  const snsCompiler* settings = sn_elemCompiler(geom->body->elem);
  int counts =
      settings->inertiafromgeom == snINERTIAFROMGEOM_TRUE || isnan(geom->body->spec.ipos[0]);
  return geom->body->id > 0 && counts && geom->spec.group >= settings->inertiagrouprange[0] &&
         geom->spec.group <= settings->inertiagrouprange[1];
}

static int compileMass(snCompiler* c, snGeomItem* geom) {
  const snsGeom* spec = &geom->spec;
  geom->mass = 0;
  memset(geom->inertia, 0, sizeof(geom->inertia));
  if (!isMassive(geom)) return 0;
  double volume = sn_geomVolume(geom);
  if (!isnan(spec->mass)) {
    if (spec->mass != 0 && volume > SN_EPS) {
      geom->mass = spec->mass;
      sn_geomInertia(geom, geom->mass, geom->inertia);
    }
  } else if (spec->density != 0) {
    geom->mass = spec->density * volume;
    sn_geomInertia(geom, geom->mass, geom->inertia);
  }
  if (geom->mass < 0 || geom->inertia[0] < 0 || geom->inertia[1] < 0 || geom->inertia[2] < 0 ||
      spec->density < 0) {
    return sn_itemError(c, geom->elem, "mass, inertia or density are negative in geom");
  }
  return 0;
}

int sn_compileGeom(snCompiler* c, snGeomItem* geom) {
  SN_TRY(sn_checkUser(c, geom->elem));
  SN_TRY(checkGeom(c, geom));
  SN_TRY(compilePose(c, geom));
  SN_TRY(compileAssetSize(c, geom));
  setBounds(geom);
  SN_TRY(compileMass(c, geom));
  if (geom->spec.fluid_ellipsoid > 0) sn_fluidCoefficients(geom, geom->fluid);
  sn_applyFrame(geom->elem, geom->spec.pos, geom->spec.quat);
  return sn_checkPluginUse(c, geom->elem, &geom->spec.plugin, snCAP_SDF, "sign distance fields");
}

// which frame of the body an object's frame coincides with
int sn_objectSameFrame(const snBodyItem* body, const double pos[3], const double quat[4]) {
  static const double zero[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
  if (sn_sameQuat(quat, identity)) {
    return sn_samePose(pos, zero, 3) ? snSAMEFRAME_BODY : snSAMEFRAME_BODYROT;
  }
  if (!sn_sameQuat(quat, body->spec.iquat)) return snSAMEFRAME_NONE;
  return sn_samePose(pos, body->spec.ipos, 3) ? snSAMEFRAME_INERTIA : snSAMEFRAME_INERTIAROT;
}

void sn_fillGeoms(snCompiler* c) {
  snModel* m = c->m;
  for (int i = 0; i < c->ngeom; i++) {
    const snGeomItem* geom = c->geoms[i];
    const snsGeom* spec = &geom->spec;
    SN_ASSERT(geom->id == i);
    SN_ASSERT_INDEX(geom->body->id, m->nbody);
    SN_ASSERT_REFERENCE(geom->matid, m->nmat);
    sn_fillCopied(m, snOBJ_GEOM, i, spec);
    m->geom_bodyid[i] = geom->body->id;
    m->geom_dataid[i] = geom->mesh ? geom->mesh->id : geom->hfield ? geom->hfield->elem->id : -1;
    m->geom_matid[i] = geom->matid;
    m->geom_plugin[i] = -1;
    m->geom_sameframe[i] = (snByte)sn_objectSameFrame(geom->body, spec->pos, spec->quat);
    sn_toReal(m->geom_aabb + 6 * i, geom->aabb, 6);
    m->geom_rbound[i] = (snReal)geom->rbound;
    sn_toReal(m->geom_fluid + snNFLUID * i, geom->fluid, snNFLUID);
  }
}
