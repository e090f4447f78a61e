// Functions that read and write arrays given by the caller.

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings.h"
#include "engine/step/sleep.h"

using Array = nb::ndarray<snReal, nb::c_contig, nb::device::cpu>;
using Nullable = std::optional<Array>;
using IntArray = std::optional<nb::ndarray<int, nb::c_contig, nb::device::cpu>>;

// memory of an array of at least n numbers
static snReal* real(Array& array, snSize n) {
  if ((snSize)array.size() < n) throw nb::value_error("array is too small");
  return array.data();
}
static snReal* real(Nullable& array, snSize n) { return array ? real(*array, n) : nullptr; }
static int* integer(IntArray& array) { return array ? array->data() : nullptr; }

static void bindJacobians(nb::module_& module) {
  using Jacobian = void (*)(const snModel*, const snData*, snReal*, snReal*, int);
  auto bind = [&](const char* name, Jacobian jacobian) {
    module.def(
        name,
        [jacobian](Model& m, Data& d, Nullable jacp, Nullable jacr, int id) {
          snSize n = 3 * m.m->nv;
          jacobian(m.m, d.d, real(jacp, n), real(jacr, n), id);
        },
        nb::arg("m"), nb::arg("d"), nb::arg("jacp").none(), nb::arg("jacr").none(), nb::arg("id"));
  };
  bind("mj_jacBody", sn_jacBody);
  bind("mj_jacBodyCom", sn_jacBodyCom);
  bind("mj_jacGeom", sn_jacGeom);
  bind("mj_jacSite", sn_jacSite);

  using PointJacobian =
      void (*)(const snModel*, const snData*, snReal*, snReal*, const snReal*, int);
  auto bindPoint = [&](const char* name, PointJacobian jacobian) {
    module.def(
        name,
        [jacobian](Model& m, Data& d, Nullable jacp, Nullable jacr, Array point, int body) {
          snSize n = 3 * m.m->nv;
          jacobian(m.m, d.d, real(jacp, n), real(jacr, n), real(point, 3), body);
        },
        nb::arg("m"), nb::arg("d"), nb::arg("jacp").none(), nb::arg("jacr").none(),
        nb::arg("point"), nb::arg("body"));
  };
  bindPoint("mj_jac", sn_jac);
  bindPoint("mj_jacDot", sn_jacDot);

  module.def("mj_jacSubtreeCom", [](Model& m, Data& d, Array jacp, int body) {
    sn_jacSubtreeCom(m.m, d.d, real(jacp, 3 * m.m->nv), body);
  });
  module.def("mj_angmomMat", [](Model& m, Data& d, Array mat, int body) {
    sn_angmomMat(m.m, d.d, real(mat, 3 * m.m->nv), body);
  });
  module.def(
      "mj_jacPointAxis",
      [](Model& m, Data& d, Nullable jac_point, Nullable jac_axis, Array point, Array axis,
         int body) {
        snSize n = 3 * m.m->nv;
        sn_jacPointAxis(m.m, d.d, real(jac_point, n), real(jac_axis, n), real(point, 3),
                        real(axis, 3), body);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("jacPoint").none(), nb::arg("jacAxis").none(),
      nb::arg("point"), nb::arg("axis"), nb::arg("body"));
}

static void bindInertia(nb::module_& module) {
  module.def("mj_fullM", [](Model& m, Array dst, Array M) {
    sn_fullM(m.m, real(dst, m.m->nv * m.m->nv), real(M, m.m->nM));
  });
  module.def("mj_mulM", [](Model& m, Data& d, Array res, Array vec) {
    sn_mulM(m.m, d.d, real(res, m.m->nv), real(vec, m.m->nv));
  });
  module.def("mj_mulM2", [](Model& m, Data& d, Array res, Array vec) {
    sn_mulM2(m.m, d.d, real(res, m.m->nv), real(vec, m.m->nv));
  });
  module.def("mj_solveM", [](Model& m, Data& d, Array x, Array y) {
    if (x.size() != y.size()) throw nb::value_error("x and y have different sizes");
    if (m.m->nv) sn_solveM(m.m, d.d, x.data(), y.data(), (int)(x.size() / (size_t)m.m->nv));
  });
  module.def("mj_solveM2", [](Model& m, Data& d, Array x, Array y, Array sqrt_inv_d) {
    if (x.size() != y.size()) throw nb::value_error("x and y have different sizes");
    if (m.m->nv) {
      sn_solveM2(m.m, d.d, x.data(), y.data(), real(sqrt_inv_d, m.m->nv),
                 (int)(x.size() / (size_t)m.m->nv));
    }
  });
  module.def(
      "mj_addM",
      [](Model& m, Data& d, Array dst, IntArray rownnz, IntArray rowadr, IntArray colind) {
        sn_addM(m.m, d.d, dst.data(), integer(rownnz), integer(rowadr), integer(colind));
      },
      nb::arg("m"), nb::arg("d"), nb::arg("dst"), nb::arg("rownnz").none(),
      nb::arg("rowadr").none(), nb::arg("colind").none());
  module.def("mj_rne", [](Model& m, Data& d, int flg_acc, Array result) {
    sn_rne(m.m, d.d, flg_acc, real(result, m.m->nv));
  });
}

static void bindPositions(nb::module_& module) {
  module.def("mj_integratePos", [](Model& m, Array qpos, Array qvel, snReal dt) {
    sn_integratePos(m.m, real(qpos, m.m->nq), real(qvel, m.m->nv), dt);
  });
  module.def("mj_differentiatePos", [](Model& m, Array qvel, snReal dt, Array qpos1, Array qpos2) {
    sn_differentiatePos(m.m, real(qvel, m.m->nv), dt, real(qpos1, m.m->nq), real(qpos2, m.m->nq));
  });
  module.def("mj_normalizeQuat",
             [](Model& m, Array qpos) { sn_normalizeQuat(m.m, real(qpos, m.m->nq)); });
  module.def("mj_local2Global",
             [](Data& d, Array xpos, Array xmat, Array pos, Array quat, int body, int sameframe) {
               sn_local2Global(d.d, real(xpos, 3), real(xmat, 9), real(pos, 3), real(quat, 4), body,
                               (snByte)sameframe);
             });
  using Object = void (*)(const snModel*, const snData*, int, int, snReal*, int);
  auto bind = [&](const char* name, Object object) {
    module.def(name, [object](Model& m, Data& d, int type, int id, Array res, int flg_local) {
      object(m.m, d.d, type, id, real(res, 6), flg_local);
    });
  };
  bind("mj_objectVelocity", sn_objectVelocity);
  bind("mj_objectAcceleration", sn_objectAcceleration);
  module.def(
      "mj_applyFT",
      [](Model& m, Data& d, Nullable force, Nullable torque, Array point, int body, Array qfrc) {
        sn_applyFT(m.m, d.d, real(force, 3), real(torque, 3), real(point, 3), body,
                   real(qfrc, m.m->nv));
      },
      nb::arg("m"), nb::arg("d"), nb::arg("force").none(), nb::arg("torque").none(),
      nb::arg("point"), nb::arg("body"), nb::arg("qfrc_target"));
}

static void bindState(nb::module_& module) {
  module.def("mj_stateSize", [](Model& m, int sig) { return sn_stateSize(m.m, sig); });
  module.def("mj_getState", [](Model& m, Data& d, Array state, int sig) {
    sn_getState(m.m, d.d, real(state, sn_stateSize(m.m, sig)), sig);
  });
  module.def("mj_setState", [](Model& m, Data& d, Array state, int sig) {
    sn_setState(m.m, d.d, real(state, sn_stateSize(m.m, sig)), sig);
  });
  module.def("mj_extractState", [](Model& m, Array src, int srcsig, Array dst, int dstsig) {
    sn_extractState(m.m, real(src, sn_stateSize(m.m, srcsig)), srcsig,
                    real(dst, sn_stateSize(m.m, dstsig)), dstsig);
  });
  module.def("mj_copyState",
             [](Model& m, Data& src, Data& dst, int sig) { sn_copyState(m.m, src.d, dst.d, sig); });
  module.def("mj_setKeyframe", [](Model& m, Data& d, int k) { sn_setKeyframe(m.m, d.d, k); });
  module.def("mj_resetDataDebug", [](Model& m, Data& d, int value) {
    sn_resetDataDebug(m.m, d.d, (unsigned char)value);
  });
  module.def("mj_getTotalmass", [](Model& m) { return sn_getTotalmass(m.m); });
  module.def("mj_setTotalmass", [](Model& m, snReal mass) { sn_setTotalmass(m.m, mass); });
  module.def("mj_name2id", [](Model& m, int type, const std::string& name) {
    return sn_name2id(m.m, type, name.c_str());
  });
  module.def("mj_id2name", [](Model& m, int type, int id) -> nb::object {
    const char* name = sn_id2name(m.m, type, id);
    return name ? nb::object(nb::str(name)) : nb::none();
  });
  module.def("mj_saveModel", [](Model& m, const FileName& filename) {
    sn_saveModel(m.m, filename.c_str(), nullptr, 0);
  });
  module.def("_update_sleep", [](Model& m, Data& d) { sn_updateSleep(m.m, d.d); });
  module.def("mj_RungeKutta", [](Model& m, Data& d, int n) { sn_RungeKutta(m.m, d.d, n); });
}

static void bindConstraints(nb::module_& module) {
  module.def("mj_mulJacVec", [](Model& m, Data& d, Array res, Array vec) {
    sn_mulJacVec(m.m, d.d, real(res, d.d->nefc), real(vec, m.m->nv));
  });
  module.def("mj_mulJacTVec", [](Model& m, Data& d, Array res, Array vec) {
    sn_mulJacTVec(m.m, d.d, real(res, m.m->nv), real(vec, d.d->nefc));
  });
  module.def("mj_contactForce", [](Model& m, Data& d, int id, Array result) {
    sn_contactForce(m.m, d.d, id, real(result, 6));
  });
  module.def(
      "mj_constraintUpdate",
      [](Model& m, Data& d, Array jar, Nullable cost, int flg_coneHessian) {
        sn_constraintUpdate(m.m, d.d, real(jar, d.d->nefc), real(cost, 1), flg_coneHessian);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("jar"), nb::arg("cost").none(),
      nb::arg("flg_coneHessian"));
}

void bindSupport(nb::module_& module) {
  bindConstraints(module);
  bindJacobians(module);
  bindInertia(module);
  bindPositions(module);
  bindState(module);
}
