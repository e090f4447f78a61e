// Attributes that are copied unchanged between spec and model, one row each. The table serves both directions: filling a
// compiled model, and copying a model's values back to its spec.

#include <stddef.h>
#include <string.h>

#include "compile/compiler.h"

// Numbers keep their type, or are double and snReal, or int and byte.
enum { KEPT, REAL, BYTE };

typedef struct Row_ {
  int object;  // type of the element; those of a dof are attributes of its joint
  int how;
  int returns;                 // does sn_copyBack take it from the model?
  size_t member, size, entry;  // in the spec: where it is; how large there and in the model
  size_t array;                // in the model: where the pointer to the entries is
} Row;

// clang-format off
#define ROW(...) ROW_LIST(T, __VA_ARGS__)
#define ROW_LIST(...) ROW_OF(__VA_ARGS__)
#define ROW_OF(object, Type, how, returns, unit, member, field)                                     \
  {object, how, returns, offsetof(Type, member), sizeof(((Type*)0)->member),                        \
   sizeof(((Type*)0)->member) / (unit) * sizeof(*((snModel*)0)->field), offsetof(snModel, field)}
#define SAME(member, field) ROW(KEPT, 1, sizeof(*((snModel*)0)->field), member, field)
#define NUM(member, field) ROW(REAL, 1, sizeof(double), member, field)
// only from the spec to the model
#define SET(member, field) ROW(KEPT, 0, sizeof(*((snModel*)0)->field), member, field)
#define SET_NUM(member, field) ROW(REAL, 0, sizeof(double), member, field)
#define SET_BYTE(member, field) ROW(BYTE, 0, sizeof(int), member, field)

// in ascending order of the elements' types
static const Row kRows[] = {
#define T snOBJ_BODY, snsBody
  SET_NUM(pos, body_pos), SET_NUM(quat, body_quat), NUM(ipos, body_ipos), NUM(iquat, body_iquat),
  NUM(inertia, body_inertia), NUM(mass, body_mass), SET_NUM(gravcomp, body_gravcomp),
#undef T
#define T snOBJ_JOINT, snsJoint
  SET(type, jnt_type), SET(group, jnt_group), SET_BYTE(limited, jnt_limited),
  SET_BYTE(actfrclimited, jnt_actfrclimited), SET(actgravcomp, jnt_actgravcomp),
  SAME(solref_limit, jnt_solref), SAME(solimp_limit, jnt_solimp), NUM(pos, jnt_pos),
  NUM(axis, jnt_axis), NUM(range, jnt_range), SET_NUM(actfrcrange, jnt_actfrcrange),
  NUM(stiffness, jnt_stiffness), NUM(margin, jnt_margin),
#undef T
#define T snOBJ_DOF, snsJoint
  SAME(solref_friction, dof_solref), SAME(solimp_friction, dof_solimp),
  NUM(frictionloss, dof_frictionloss), NUM(armature, dof_armature), NUM(damping, dof_damping),
#undef T
#define T snOBJ_GEOM, snsGeom
  SET(type, geom_type), SET(contype, geom_contype), SET(conaffinity, geom_conaffinity),
  SET(condim, geom_condim), SET(group, geom_group), SET(priority, geom_priority),
  NUM(solmix, geom_solmix), SAME(solref, geom_solref), SAME(solimp, geom_solimp),
  SET_NUM(size, geom_size), SET_NUM(pos, geom_pos), SET_NUM(quat, geom_quat),
  NUM(friction, geom_friction), NUM(margin, geom_margin), NUM(gap, geom_gap),
  SAME(rgba, geom_rgba),
#undef T
#define T snOBJ_SITE, snsSite
  SET(type, site_type), SET(group, site_group), NUM(size, site_size), SET_NUM(pos, site_pos),
  SET_NUM(quat, site_quat), SAME(rgba, site_rgba),
#undef T
#define T snOBJ_CAMERA, snsCamera
  SET(mode, cam_mode), SET_NUM(pos, cam_pos), SET_NUM(quat, cam_quat), SET(proj, cam_projection),
  SET_NUM(fovy, cam_fovy), NUM(ipd, cam_ipd), SAME(resolution, cam_resolution),
  SET(output, cam_output), SET(sensor_size, cam_sensorsize), SET(intrinsic, cam_intrinsic),
#undef T
#define T snOBJ_LIGHT, snsLight
  SET(mode, light_mode), SET(type, light_type), SET(castshadow, light_castshadow),
  SET(active, light_active), SET(bulbradius, light_bulbradius), SET(intensity, light_intensity),
  SET(range, light_range), NUM(pos, light_pos), NUM(dir, light_dir),
  SAME(attenuation, light_attenuation), SAME(cutoff, light_cutoff), SAME(exponent, light_exponent),
  SAME(ambient, light_ambient), SAME(diffuse, light_diffuse), SAME(specular, light_specular),
#undef T
#define T snOBJ_FLEX, snsFlex
  SET(contype, flex_contype), SET(conaffinity, flex_conaffinity), SET(condim, flex_condim),
  SET(priority, flex_priority), SET_NUM(solmix, flex_solmix), SET(solref, flex_solref),
  SET(solimp, flex_solimp), SET_NUM(friction, flex_friction), SET_NUM(margin, flex_margin),
  SET_NUM(gap, flex_gap), SET(internal, flex_internal), SET(selfcollide, flex_selfcollide),
  SET(activelayers, flex_activelayers), SET(passive, flex_passive), SET(dim, flex_dim),
  SET(group, flex_group), SET_NUM(radius, flex_radius), SET_NUM(damping, flex_damping),
  SET_NUM(edgestiffness, flex_edgestiffness), SET_NUM(edgedamping, flex_edgedamping),
  SET(flatskin, flex_flatskin), SET(rgba, flex_rgba),
#undef T
#define T snOBJ_SKIN, snsSkin
  SET(group, skin_group), SET(rgba, skin_rgba), SET(inflate, skin_inflate),
#undef T
#define T snOBJ_MATERIAL, snsMaterial
  SET(texuniform, mat_texuniform), SAME(texrepeat, mat_texrepeat), SAME(emission, mat_emission),
  SAME(specular, mat_specular), SAME(shininess, mat_shininess), SAME(reflectance, mat_reflectance),
  SET(metallic, mat_metallic), SET(roughness, mat_roughness), SAME(rgba, mat_rgba),
#undef T
#define T snOBJ_PAIR, snsPair
  SET(condim, pair_dim), SAME(solref, pair_solref), SAME(solreffriction, pair_solreffriction),
  SAME(solimp, pair_solimp), NUM(margin, pair_margin), NUM(gap, pair_gap),
  NUM(friction, pair_friction),
#undef T
#define T snOBJ_EQUALITY, snsEquality
  SET(type, eq_type), SET(objtype, eq_objtype), SET(active, eq_active0), SAME(solref, eq_solref),
  SAME(solimp, eq_solimp), NUM(data, eq_data),
#undef T
#define T snOBJ_TENDON, snsTendon
  SET(group, tendon_group), SET_BYTE(limited, tendon_limited),
  SET_BYTE(actfrclimited, tendon_actfrclimited), NUM(width, tendon_width),
  SAME(solref_limit, tendon_solref_lim), SAME(solimp_limit, tendon_solimp_lim),
  SAME(solref_friction, tendon_solref_fri), SAME(solimp_friction, tendon_solimp_fri),
  NUM(range, tendon_range), NUM(actfrcrange, tendon_actfrcrange), NUM(margin, tendon_margin),
  NUM(stiffness, tendon_stiffness), NUM(damping, tendon_damping), NUM(armature, tendon_armature),
  NUM(frictionloss, tendon_frictionloss), SET_NUM(springlength, tendon_lengthspring),
  SAME(rgba, tendon_rgba),
#undef T
#define T snOBJ_ACTUATOR, snsActuator
  SET(trntype, actuator_trntype), SET(dyntype, actuator_dyntype), SET(gaintype, actuator_gaintype),
  SET(biastype, actuator_biastype), SET(actdim, actuator_actnum), SET(group, actuator_group),
  SET_BYTE(ctrllimited, actuator_ctrllimited), SET_BYTE(forcelimited, actuator_forcelimited),
  SET_BYTE(actlimited, actuator_actlimited), SET(actearly, actuator_actearly),
  NUM(dynprm, actuator_dynprm), NUM(gainprm, actuator_gainprm), NUM(biasprm, actuator_biasprm),
  NUM(ctrlrange, actuator_ctrlrange), NUM(forcerange, actuator_forcerange),
  NUM(actrange, actuator_actrange), NUM(lengthrange, actuator_lengthrange),
  NUM(gear, actuator_gear), NUM(cranklength, actuator_cranklength), SET_NUM(delay, actuator_delay),
#undef T
#define T snOBJ_SENSOR, snsSensor
  SET(type, sensor_type), SET(datatype, sensor_datatype), SET(needstage, sensor_needstage),
  SET(objtype, sensor_objtype), SET(reftype, sensor_reftype), SET(intprm, sensor_intprm),
  SET(dim, sensor_dim), NUM(cutoff, sensor_cutoff), NUM(noise, sensor_noise),
  SET_NUM(delay, sensor_delay), SET_NUM(interval, sensor_interval),
#undef T
#define T snOBJ_DEFORMABLE, snsDeformable
  SET(type, deformable_type), SET(contype, deformable_contype),
  SET(conaffinity, deformable_conaffinity), SET(condim, deformable_condim),
  SET(solref, deformable_solref), SET(solimp, deformable_solimp),
  SET_NUM(friction, deformable_friction), SET_NUM(margin, deformable_margin),
  SET_NUM(young, deformable_young), SET_NUM(poisson, deformable_poisson),
  SET_NUM(density, deformable_density), SET_NUM(damping, deformable_damping),
  SET_NUM(sleep, deformable_sleep), SET(substeps, deformable_substeps),
  SET(repeats, deformable_repeats), SET(group, deformable_group), SET(rgba, deformable_rgba),
#undef T
};
// clang-format on

static char* entryOf(const Row* row, const snModel* m, int i) {
  char* array;
  memcpy(&array, (const char*)m + row->array, sizeof(array));
  return array + (size_t)i * row->entry;
}

#define EACH_ROW(row, type)                                                     \
  for (const Row *row = kRows, *end = kRows + sizeof(kRows) / sizeof(kRows[0]); \
       row < end && row->object <= (int)(type); row++)                          \
    if (row->object == (int)(type))

void sn_fillCopied(snModel* m, snObj type, int i, const void* spec) {
  EACH_ROW(row, type) {
    const char* from = (const char*)spec + row->member;
    char* to = entryOf(row, m, i);
    switch (row->how) {
      case REAL:
        sn_toReal((snReal*)to, (const double*)from, (int)(row->size / sizeof(double)));
        break;
      case BYTE: to[0] = (char)((const int*)from)[0]; break;
      default: memcpy(to, from, row->size); break;
    }
  }
}

void sn_takeCopied(const snModel* m, snObj type, int i, void* spec) {
  EACH_ROW(row, type) {
    const char* from = entryOf(row, m, i);
    char* to = (char*)spec + row->member;
    if (row->returns && row->how == KEPT) memcpy(to, from, row->size);
    for (size_t k = 0; row->returns && row->how == REAL && k < row->size / sizeof(double); k++) {
      ((double*)to)[k] = (double)((const snReal*)from)[k];
    }
  }
}
