// Entries that tests need and users do not: single stages and single pairs.

#include "bindings.h"
#include "engine/collide/collision.h"
#include "engine/collide/distance_field.h"
#include "engine/constrain/resize.h"
#include "engine/differentiate/velocity_derivative.h"
#include "engine/step/sleep.h"
#include "guard.h"

using Collider = int (*)(const snModel*, snData*, snContactPoint*, int, int, snReal);

// which collider a test calls: the one of the pair's types, or one of the iterative ones
static Collider findCollider(const std::string& name) {
  if (name == "convex") return sn_collideConvex;
  if (name == "hfield") return sn_collideHfield;
  if (name == "sdf") return sn_collideSDF;
  return sn_collideGeoms;
}

// (dist, pos, normal) of the contacts of one ordered pair of geoms, as rows of 7 numbers
static nb::object collidePair(Model& m, Data& d, int g1, int g2, double margin,
                              const std::string& collider, int repeat) {
  snContactPoint points[snMAXCONPAIR];
  Collider collide = findCollider(collider);
  int n = 0;
  for (int i = 0; i < repeat; i++) n = collide(m.m, d.of(m), points, g1, g2, margin);
  nb::list rows;
  for (int i = 0; i < n; i++) {
    const snContactPoint& p = points[i];
    rows.append(nb::make_tuple(p.dist, p.pos[0], p.pos[1], p.pos[2], p.normal[0], p.normal[1],
                               p.normal[2]));
  }
  return rows;
}

using Vector3 = nb::ndarray<double, nb::shape<3>, nb::c_contig, nb::device::cpu>;

// distance field of a geom at a point of its frame, and its gradient
static nb::object field(Model& m, Data& d, int geom, Vector3 x) {
  snField f;
  double gradient[3];
  sn_makeField(&f, m.m, d.of(m), geom);
  double distance = sn_fieldDistance(&f, x.data());
  sn_fieldGradient(gradient, &f, x.data());
  return nb::make_tuple(distance, gradient[0], gradient[1], gradient[2]);
}

static void reallocRows(Data& d, int ncon, int nefc, int nJ) {
  if (ncon < 0 || nefc < 0)
    throw nb::value_error("numbers of contacts and rows must not be negative");
  if (sn_reallocRows(d.model->m, d.d, ncon, nefc, nJ)) return;
  arenaFull(d);
}

void bindTesting(nb::module_& module) {
  module.def("_realloc_con_efc", reallocRows, nb::arg("d"), nb::arg("ncon"), nb::arg("nefc"),
             nb::arg("nJ") = -1,
             nb::sig("def _realloc_con_efc(d: mujoco._structs.MjData, ncon: typing.SupportsInt, "
                     "nefc: typing.SupportsInt, nJ: typing.SupportsInt = -1) -> None"),
             "Allocate contacts and rows.\n");
  module.def("_collide_pair", collidePair, nb::arg("m"), nb::arg("d"), nb::arg("g1"), nb::arg("g2"),
             nb::arg("margin"), nb::arg("collider") = "", nb::arg("repeat") = 1);
  module.def("_field", field, nb::arg("m"), nb::arg("d"), nb::arg("geom"), nb::arg("x"));
  module.def("_deriv_smooth_vel",
             [](Model& m, Data& d, bool bias) { sn_derivSmoothVel(m.m, d.of(m), bias); });
  module.def("_update_sleep", [](Model& m, Data& d) { sn_updateSleep(m.m, d.of(m)); });
}
