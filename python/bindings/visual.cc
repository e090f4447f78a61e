// Abstract visualisation. The structs live in NumPy records of MuJoCo's layout (visual.py), which
// hand over their addresses.

#include "sinew/visual.h"

#include "bindings.h"
#include "guard.h"

using Real = nb::ndarray<snReal, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

template <typename T>
static T* at(uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

template <typename A>
static auto* numbers(A& array, size_t n) {
  if (array.size() < n) throw nb::value_error("array is too small");
  return array.data();
}

static void bindScenes(nb::module_& module) {
  module.def("_snv_makeScene", [](Model& m, uintptr_t scene, int maxgeom) {
    Guard guard;
    snv_makeScene(m.m, at<snvScene>(scene), maxgeom);
  });
  module.def("_snv_makeEmptyScene", [](uintptr_t scene, int maxgeom) {
    Guard guard;
    snv_makeScene(nullptr, at<snvScene>(scene), maxgeom);
  });
  module.def("_snv_freeScene", [](uintptr_t scene) { snv_freeScene(at<snvScene>(scene)); });
  module.def("_snv_updateScene", [](Model& m, Data& d, uintptr_t option, uintptr_t perturb,
                                    uintptr_t camera, int categories, uintptr_t scene) {
    Guard guard;
    snv_updateScene(m.m, d.of(m), at<snvOption>(option), at<snvPerturb>(perturb),
                    at<snvCamera>(camera), categories, at<snvScene>(scene));
  });
  module.def("_snv_addGeoms", [](Model& m, Data& d, uintptr_t option, uintptr_t perturb,
                                 int categories, uintptr_t scene) {
    Guard guard;
    snv_addGeoms(m.m, d.of(m), at<snvOption>(option), at<snvPerturb>(perturb), categories,
                 at<snvScene>(scene));
  });
  module.def("_snv_makeLights", [](Model& m, Data& d, uintptr_t scene) {
    Guard guard;
    snv_makeLights(m.m, d.of(m), at<snvScene>(scene));
  });
  module.def("_snv_updateSkin", [](Model& m, Data& d, uintptr_t scene) {
    Guard guard;
    snv_updateSkin(m.m, d.of(m), at<snvScene>(scene));
  });
  module.def("_snv_connector", [](uintptr_t geom, int type, snReal width, Real from, Real to) {
    Guard guard;
    snv_connector(at<snvGeom>(geom), type, width, numbers(from, 3), numbers(to, 3));
  });
  module.def("_sn_printScene",
             [](uintptr_t scene, const FileName& filename, const std::string& format) {
               Guard guard;
               sn_printFormattedScene(at<snvScene>(scene), filename.c_str(), format.c_str());
             });
  module.def("_snv_select", [](Model& m, Data& d, uintptr_t option, snReal aspect, snReal x,
                               snReal y, uintptr_t scene, Real selpnt) {
    int geom = -1, flex = -1, skin = -1, body = -1;
    {
      Guard guard;
      body = snv_select(m.m, d.of(m), at<snvOption>(option), aspect, x, y, at<snvScene>(scene),
                        numbers(selpnt, 3), &geom, &flex, &skin);
    }
    return nb::make_tuple(body, geom, flex, skin);
  });
}

static void bindCameras(nb::module_& module) {
  module.def("_snv_updateCamera", [](Model& m, Data& d, uintptr_t camera, uintptr_t scene) {
    Guard guard;
    snv_updateCamera(m.m, d.of(m), at<snvCamera>(camera), at<snvScene>(scene));
  });
  module.def("_snv_moveCamera",
             [](Model& m, int action, snReal dx, snReal dy, uintptr_t scene, uintptr_t camera) {
               Guard guard;
               snv_moveCamera(m.m, action, dx, dy, at<snvScene>(scene), at<snvCamera>(camera));
             });
  module.def("_snv_averageCamera", [](uintptr_t result, uintptr_t a, uintptr_t b) {
    *at<snvGLCamera>(result) = snv_averageCamera(at<snvGLCamera>(a), at<snvGLCamera>(b));
  });
  module.def("_snv_cameraFrame",
             [](Real pos, Real forward, Real up, Real right, Data& d, uintptr_t camera) {
               Guard guard;
               snv_cameraFrame(numbers(pos, 3), numbers(forward, 3), numbers(up, 3),
                               numbers(right, 3), d.d, at<snvCamera>(camera));
             });
  module.def("_snv_cameraFrustum",
             [](Floats zver, Floats zhor, Floats zclip, Model& m, uintptr_t camera) {
               Guard guard;
               snv_cameraFrustum(numbers(zver, 2), numbers(zhor, 2), numbers(zclip, 2), m.m,
                                 at<snvCamera>(camera));
             });
  module.def("_snv_cameraInModel", [](Real pos, Real forward, Real up, uintptr_t scene) {
    Guard guard;
    snv_cameraInModel(numbers(pos, 3), numbers(forward, 3), numbers(up, 3), at<snvScene>(scene));
  });
  module.def("_snv_cameraInRoom", [](Real pos, Real forward, Real up, uintptr_t scene) {
    Guard guard;
    snv_cameraInRoom(numbers(pos, 3), numbers(forward, 3), numbers(up, 3), at<snvScene>(scene));
  });
  module.def("_snv_frustumHeight", [](uintptr_t scene) {
    Guard guard;
    return snv_frustumHeight(at<snvScene>(scene));
  });
  module.def("_snv_alignToCamera", [](Real res, Real vec, Real forward) {
    Guard guard;
    snv_alignToCamera(numbers(res, 3), numbers(vec, 3), numbers(forward, 3));
  });
  module.def("_snv_room2model", [](Real p, Real q, Real rp, Real rq, uintptr_t scene) {
    Guard guard;
    snv_room2model(numbers(p, 3), numbers(q, 4), numbers(rp, 3), numbers(rq, 4),
                   at<snvScene>(scene));
  });
  module.def("_snv_model2room", [](Real p, Real q, Real mp, Real mq, uintptr_t scene) {
    Guard guard;
    snv_model2room(numbers(p, 3), numbers(q, 4), numbers(mp, 3), numbers(mq, 4),
                   at<snvScene>(scene));
  });
}

static void bindPerturbations(nb::module_& module) {
  module.def("_snv_moveModel",
             [](Model& m, int action, snReal dx, snReal dy, Real up, uintptr_t scene) {
               Guard guard;
               snv_moveModel(m.m, action, dx, dy, numbers(up, 3), at<snvScene>(scene));
             });
  module.def("_snv_movePerturb", [](Model& m, Data& d, int action, snReal dx, snReal dy,
                                    uintptr_t scene, uintptr_t perturb) {
    Guard guard;
    snv_movePerturb(m.m, d.of(m), action, dx, dy, at<snvScene>(scene), at<snvPerturb>(perturb));
  });
  module.def("_snv_initPerturb", [](Model& m, Data& d, uintptr_t scene, uintptr_t perturb) {
    Guard guard;
    snv_initPerturb(m.m, d.of(m), at<snvScene>(scene), at<snvPerturb>(perturb));
  });
  module.def("_snv_applyPerturbPose", [](Model& m, Data& d, uintptr_t perturb, int paused) {
    Guard guard;
    snv_applyPerturbPose(m.m, d.of(m), at<snvPerturb>(perturb), paused);
  });
  module.def("_snv_applyPerturbForce", [](Model& m, Data& d, uintptr_t perturb) {
    Guard guard;
    snv_applyPerturbForce(m.m, d.of(m), at<snvPerturb>(perturb));
  });
}

void bindVisual(nb::module_& module) {
  bindScenes(module);
  bindCameras(module);
  bindPerturbations(module);
}
