// The narrow phase: distances of geoms, and single pairs for tests.

#include "bindings.h"
#include "engine/collision.h"

using Vector6 = nb::ndarray<double, nb::shape<6>, nb::c_contig, nb::device::cpu>;

// (dist, pos, normal) of the contacts of one ordered pair of geoms, as rows of 7 numbers
static nb::object collidePair(Model& m, Data& d, int g1, int g2, double margin, bool convex) {
  snContactPoint points[snMAXCONPAIR];
  int n = convex ? sn_collideConvex(m.m, d.d, points, g1, g2, margin)
                 : sn_collideGeoms(m.m, d.d, points, g1, g2, margin);
  nb::list rows;
  for (int i = 0; i < n; i++) {
    const snContactPoint& p = points[i];
    rows.append(nb::make_tuple(p.dist, p.pos[0], p.pos[1], p.pos[2], p.normal[0], p.normal[1],
                               p.normal[2]));
  }
  return rows;
}

void bindNarrow(nb::module_& module) {
  module.def(
      "mj_geomDistance",
      [](Model& m, Data& d, int geom1, int geom2, double distmax, nb::object fromto) {
        if (fromto.is_none()) return sn_geomDistance(m.m, d.d, geom1, geom2, distmax, nullptr);
        Vector6 segment = nb::cast<Vector6>(fromto);
        return sn_geomDistance(m.m, d.d, geom1, geom2, distmax, segment.data());
      },
      nb::arg("m"), nb::arg("d"), nb::arg("geom1"), nb::arg("geom2"), nb::arg("distmax"),
      nb::arg("fromto") = nb::none());
  module.def("_collide_pair", collidePair, nb::arg("m"), nb::arg("d"), nb::arg("g1"),
             nb::arg("g2"), nb::arg("margin"), nb::arg("convex") = false);
  module.def("_time_pair", [](Model& m, Data& d, int g1, int g2, double margin, int repeat) {
    snContactPoint points[snMAXCONPAIR];
    int n = 0;
    for (int i = 0; i < repeat; i++) n += sn_collideConvex(m.m, d.d, points, g1, g2, margin);
    return n;
  });
}
