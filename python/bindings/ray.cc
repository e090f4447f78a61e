// Ray casting.

#include "bindings.h"

using Input = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<int32_t, nb::c_contig, nb::device::cpu>;
using Groups = nb::ndarray<const uint8_t, nb::c_contig, nb::device::cpu>;

// pointer of an array with at least the given number of elements; NULL for None
template <typename Array>
static auto pointer(const nb::object& object, size_t count, const char* name)
    -> decltype(Array().data()) {
  if (object.is_none()) return nullptr;
  Array array = nb::cast<Array>(object);
  if (array.size() < count) {
    throw nb::type_error((std::string(name) + " should have " + std::to_string(count) +
                          " elements").c_str());
  }
  return array.data();
}

static const double* vector(const Input& array, size_t count, const char* name) {
  if (array.size() != count) {
    throw nb::type_error((std::string(name) + " should have " + std::to_string(count) +
                          " elements").c_str());
  }
  return array.data();
}

static double ray(Model& m, Data& d, Input pnt, Input vec, nb::object geomgroup, int flg_static,
                  int bodyexclude, nb::object geomid, nb::object normal) {
  return sn_ray(m.m, d.d, vector(pnt, 3, "pnt"), vector(vec, 3, "vec"),
                pointer<Groups>(geomgroup, snNGROUP, "geomgroup"), (snByte)flg_static, bodyexclude,
                pointer<Ids>(geomid, 1, "geomid"), pointer<Output>(normal, 3, "normal"));
}

static void multiRay(Model& m, Data& d, Input pnt, Input vec, nb::object geomgroup, int flg_static,
                     int bodyexclude, nb::object geomid, Output dist, nb::object normal, int nray,
                     double cutoff) {
  size_t n = nray > 0 ? (size_t)nray : 0;
  if (dist.size() < n) throw nb::type_error("dist should have nray elements");
  const double* v = vector(vec, 3 * n, "vec");
  const snByte* group = pointer<Groups>(geomgroup, snNGROUP, "geomgroup");
  int* ids = pointer<Ids>(geomid, n, "geomid");
  double* normals = pointer<Output>(normal, 3 * n, "normal");
  const double* origin = vector(pnt, 3, "pnt");
  double* distances = dist.data();
  nb::gil_scoped_release nogil;
  sn_multiRay(m.m, d.d, origin, v, group, (snByte)flg_static, bodyexclude, ids, distances, normals,
              (int)n, cutoff);
}

using RayGeom = snReal (*)(const snModel*, const snData*, int, const snReal*, const snReal*, snReal*);

static void bindRayGeom(nb::module_& module, const char* name, RayGeom cast) {
  module.def(
      name,
      [cast](Model& m, Data& d, int geomid, Input pnt, Input vec, nb::object normal) {
        if (geomid < 0 || geomid >= m.m->ngeom) throw nb::index_error("geomid");
        return cast(m.m, d.d, geomid, vector(pnt, 3, "pnt"), vector(vec, 3, "vec"),
                    pointer<Output>(normal, 3, "normal"));
      },
      nb::arg("m"), nb::arg("d"), nb::arg("geomid"), nb::arg("pnt"), nb::arg("vec"),
      nb::arg("normal") = nb::none());
}

void bindRay(nb::module_& module) {
  module.def("mj_ray", ray, nb::arg("m"), nb::arg("d"), nb::arg("pnt"), nb::arg("vec"),
             nb::arg("geomgroup").none(), nb::arg("flg_static"), nb::arg("bodyexclude"),
             nb::arg("geomid").none(), nb::arg("normal") = nb::none());
  module.def("mj_multiRay", multiRay, nb::arg("m"), nb::arg("d"), nb::arg("pnt"), nb::arg("vec"),
             nb::arg("geomgroup").none(), nb::arg("flg_static"), nb::arg("bodyexclude"),
             nb::arg("geomid").none(), nb::arg("dist"), nb::arg("normal").none(), nb::arg("nray"),
             nb::arg("cutoff"));
  bindRayGeom(module, "mj_rayMesh", sn_rayMesh);
  bindRayGeom(module, "mj_rayHfield", sn_rayHfield);
  module.def(
      "mju_rayGeom",
      [](Input pos, Input mat, Input size, Input pnt, Input vec, int geomtype, nb::object normal) {
        return snu_rayGeom(vector(pos, 3, "pos"), vector(mat, 9, "mat"), vector(size, 3, "size"),
                           vector(pnt, 3, "pnt"), vector(vec, 3, "vec"), geomtype,
                           pointer<Output>(normal, 3, "normal"));
      },
      nb::arg("pos"), nb::arg("mat"), nb::arg("size"), nb::arg("pnt"), nb::arg("vec"),
      nb::arg("geomtype"), nb::arg("normal") = nb::none());
}
