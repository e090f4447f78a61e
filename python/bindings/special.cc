// Functions whose form in Python differs from that in C.

#include "arrays.h"
#include "guard.h"
#include "sinew/plugin.h"
#include "spec/container.h"

#include <algorithm>
#include <functional>

// what help() shows of arguments, as in the reference package
#define MODEL "m: mujoco._structs.MjModel"
#define DATA "d: mujoco._structs.MjData"
#define MATRIX                                                         \
  "typing.Annotated[numpy.typing.NDArray[numpy.float64], \"[m, n]\", " \
  "\"flags.c_contiguous\"]"
#define MATRIX_OUT                                                     \
  "typing.Annotated[numpy.typing.NDArray[numpy.float64], \"[m, n]\", " \
  "\"flags.writeable\", \"flags.c_contiguous\"]"

static void bindPluginLibraries(nb::module_& module) {
  module.def(
      "mj_loadPluginLibrary",
      [](const FileName& path) {
        char error[1000] = "";
        if (snp_loadLibrary(path.c_str(), error, sizeof(error)) < 0) throw FatalError(error);
      },
      nb::arg("path"),
      "Load a library that registers plugins. It must be built with sinew/plugin.h.");
  module.def(
      "mj_loadAllPluginLibraries",
      [](const std::string& directory) {
        char error[1000] = "";
        if (snp_loadAllLibraries(directory.c_str(), nullptr, error, sizeof(error)) < 0)
          throw FatalError(error);
      },
      nb::arg("directory"), "Load all libraries of a folder that register plugins.");
}

static void bindFiles(nb::module_& module) {
  module.def(
      "set_xml_precision", [](int digits) { sn_setXMLPrecision(digits); }, nb::arg("digits"),
      "Significant digits of the numbers in saved XML; 0: all of them.");
  module.def(
      "mj_saveLastXML",
      [](const FileName& filename, Model& m) {
        char error[1000] = "";
        if (!sn_saveLastXML(filename.c_str(), m.m, error, sizeof(error))) throw FatalError(error);
      },
      nb::arg("filename"), nb::arg("m"),
      nb::sig("def mj_saveLastXML(filename: str, " MODEL ") -> None"),
      "Write last loaded XML from model.\n");
  module.def(
      "mj_saveModel",
      [](Model& m, const nb::object& filename, OutOptional<snByte> buffer) {
        std::string path = filename.is_none() ? "" : nb::cast<FileName>(filename);
        Guard guard;
        sn_saveModel(m.m, path.empty() ? nullptr : path.c_str(), buffer.data, (int)buffer.size);
      },
      nb::arg("m"), nb::arg("filename") = nb::none(), nb::arg("buffer") = nb::none(),
      "Write binary model to file or buffer.");
  module.def(
      "mj_printSchema",
      [](Truth flg_html, Truth flg_pad) {
        std::string text(1 << 20, '\0');
        int size = sn_printSchema(nullptr, text.data(), (int)text.size(), flg_html, flg_pad);
        text.resize(size > 0 ? (size_t)size : 0);
        return text;
      },
      nb::arg("flg_html").none(), nb::arg("flg_pad").none(), "MJCF schema as text or HTML.");
  module.def(
      "mju_getXMLDependencies",
      [](const FileName& filename) {
        snStringVec found = {};
        {
          Guard guard;
          snu_getXMLDependencies(filename.c_str(), &found);
        }
        nb::list names;
        for (int i = 0; i < found.size; i++) names.append(sns_getString(found.data + i));
        sn_boxFree((snBox*)&found, snBOX_STRINGVEC);
        return names;
      },
      nb::arg("filename"), "Files referenced by MJCF, recursively.");
}

static snSize expectRows(const Out<double>& x, const In<double>& y, snSize columns) {
  if (x.ndim != 2 || y.ndim != 2 || x.rows() != y.rows() || (snSize)x.columns() != columns ||
      (snSize)y.columns() != columns) {
    throw nb::type_error("x and y should be of the same shape (n, nv)");
  }
  return (snSize)x.rows();
}

// Refuses a sparse matrix whose rows cannot take those of M: each row is ascending, ends before the
// next begins, and has room for the columns of both
static void expectRoomForM(const snModel* m, const OutOptional<int>& rownnz,
                           const OutOptional<int>& rowadr, const OutOptional<int>& colind) {
  snSize end = 0, room = (snSize)colind.size;
  for (int i = 0; i < m->nv; i++) {
    snSize adr = rowadr.data[i], nnz = rownnz.data[i];
    bool inside = adr >= end && nnz >= 0 && adr <= room && nnz <= room - adr;
    const int* row = colind.data + (inside ? adr : 0);
    if (!inside || std::adjacent_find(row, row + nnz, std::greater_equal<int>()) != row + nnz) {
      throw nb::type_error(
          "rownnz, rowadr and colind should be a sparse matrix: rows in order, "
          "columns ascending");
    }
    const int* columns = m->M_colind + m->M_rowadr[i];
    end = adr + nnz;
    for (int j = 0; j < m->M_rownnz[i]; j++) end += !std::binary_search(row, row + nnz, columns[j]);
    if (end > room) throw nb::type_error("dst and colind have no room for the rows of M");
  }
}

static void bindInertia(nb::module_& module) {
  module.def(
      "mj_solveM",
      [](Model& m, Data& d, Out<double> x, In<double> y) {
        snSize n = expectRows(x, y, m.m->nv);
        Guard guard;
        sn_solveM(m.m, d.of(m), x.data, y.data, (int)n);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("x"), nb::arg("y"),
      nb::sig("def mj_solveM(" MODEL ", " DATA ", x: " MATRIX_OUT ", y: " MATRIX ") -> None"),
      "Solve with factored inertia matrix.\n");
  module.def(
      "mj_solveM2",
      [](Model& m, Data& d, Out<double> x, In<double> y, In<double> sqrtInvD) {
        snSize n = expectRows(x, y, m.m->nv);
        expect(sqrtInvD, m.m->nv, "sqrtInvD", "nv");
        Guard guard;
        sn_solveM2(m.m, d.of(m), x.data, y.data, sqrtInvD.data, (int)n);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("x"), nb::arg("y"), nb::arg("sqrtInvD"),
      nb::sig("def mj_solveM2(" MODEL ", " DATA ", x: " MATRIX_OUT ", y: " MATRIX
              ", sqrtInvD: " MATRIX ") -> None"),
      "Half solve with factored inertia.\n");
  module.def(
      "mj_addM",
      [](Model& m, Data& d, Out<double> dst, OutOptional<int> rownnz, OutOptional<int> rowadr,
         OutOptional<int> colind) {
        bool dense = rownnz.none() || rowadr.none() || colind.none();
        expect(rownnz, m.m->nv, "rownnz", "nv");
        expect(rowadr, m.m->nv, "rowadr", "nv");
        expect(dst, dense ? m.m->nv * m.m->nv : (snSize)colind.size, "dst",
               dense ? "nv * nv" : "colind");
        snData* data = d.of(m);
        if (!dense) expectRoomForM(m.m, rownnz, rowadr, colind);
        Guard guard;
        sn_addM(m.m, data, dst.data, rownnz.data, rowadr.data, colind.data);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("dst"), nb::arg("rownnz").none(),
      nb::arg("rowadr").none(), nb::arg("colind").none(),
      "Accumulate inertia into dense or sparse matrix.");
}

static void bindDynamics(nb::module_& module) {
  module.def(
      "mj_step",
      [](Model& m, Data& d, int nstep) {
        DataLock lock(d);
        snData* data = d.of(m);
        StackGuard stack(data);
        Guard guard;
        Interrupts interrupts;
        for (int i = 0; i < nstep; i++) {
          sn_step(m.m, data);
          if (nstep > 1) interrupts.ask();
        }
      },
      nb::arg("m"), nb::arg("d"), nb::arg("nstep") = 1,
      nb::sig("def mj_step(" MODEL ", " DATA ", nstep: typing.SupportsInt = 1) -> None"),
      "Advance simulation, use control callback to obtain external force and control. "
      "Optionally, repeat nstep times.\n");
  module.def(
      "mj_setLengthRange",
      [](Model& m, Data& d, int index, snLROpt& opt) {
        char error[1000] = "";
        Guard guard;
        if (!sn_setLengthRange(m.m, d.of(m), index, &opt, error, sizeof(error)))
          throw FatalError(error);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("index"), nb::arg("opt"),
      nb::sig("def mj_setLengthRange(" MODEL ", " DATA
              ", index: typing.SupportsInt, opt: mujoco._structs.MjLROpt) -> None"),
      "Estimate one actuator's length range.\n");
  module.def(
      "mj_copyData",
      [](Data& dest, Model& m, Data& src) {
        Guard guard;
        sn_copyData(dest.of(m), m.m, src.of(m));
      },
      nb::arg("dest"), nb::arg("m"), nb::arg("src"),
      nb::sig("def mj_copyData(dest: mujoco._structs.MjData, " MODEL
              ", src: mujoco._structs.MjData) -> None"),
      "Copy simulation data of the same model.\n");
  module.def(
      "mj_addContact",
      [](Model& m, Data& d, snContact& con) {
        Guard guard;
        return sn_addContact(m.m, d.of(m), &con);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("con"),
      nb::sig("def mj_addContact(" MODEL ", " DATA ", con: mujoco._structs.MjContact) -> int"),
      "Append user contact to contact list.\n");
}

static void bindHistory(nb::module_& module) {
  module.def(
      "mj_readSensor",
      [](Model& m, Data& d, int id, double time, const nb::object& result, int interp) {
        if (id < 0 || id >= m.m->nsensor) throw FatalError("mj_readSensor: invalid sensor id");
        Out<double> out = nb::cast<Out<double>>(result);
        expect(out, m.m->sensor_dim[id], "result", "sensor_dim");
        {
          Guard guard;
          const snReal* value = sn_readSensor(m.m, d.of(m), id, time, out.data, interp);
          if (value && value != out.data) {
            memcpy(out.data, value, out.size * sizeof(snReal));
          }
        }
        return result;
      },
      nb::arg("m"), nb::arg("d"), nb::arg("id"), nb::arg("time"), nb::arg("result"),
      nb::arg("interp"), "Sensor value, possibly delayed or interpolated.");
  module.def(
      "mj_initCtrlHistory",
      [](Model& m, Data& d, int id, InOptional<double> times, In<double> values) {
        if (id < 0 || id >= m.m->nu) throw FatalError("mj_initCtrlHistory: invalid actuator id");
        expect(times, m.m->actuator_history[2 * id], "times", "nsample");
        expect(values, m.m->actuator_history[2 * id], "values", "nsample");
        Guard guard;
        sn_initCtrlHistory(m.m, d.of(m), id, times.data, values.data);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("id"), nb::arg("times").none(), nb::arg("values"),
      "Preload delay buffer of one actuator.");
  module.def(
      "mj_initSensorHistory",
      [](Model& m, Data& d, int id, InOptional<double> times, In<double> values, double phase) {
        if (id < 0 || id >= m.m->nsensor)
          throw FatalError("mj_initSensorHistory: invalid sensor id");
        int nsample = m.m->sensor_history[2 * id];
        expect(times, nsample, "times", "nsample");
        expect(values, nsample * m.m->sensor_dim[id], "values", "(nsample, dim)");
        Guard guard;
        sn_initSensorHistory(m.m, d.of(m), id, times.data, values.data, phase);
      },
      nb::arg("m"), nb::arg("d"), nb::arg("id"), nb::arg("times").none(), nb::arg("values"),
      nb::arg("phase"), "Preload delay buffer of one sensor.");
}

static nb::object stringOrNone(const char* text) {
  return text ? nb::object(nb::str(text)) : nb::object(nb::none());
}

static void bindNames(nb::module_& module) {
  module.def(
      "mj_id2name",
      [](Model& m, int type, int id) { return stringOrNone(sn_id2name(m.m, type, id)); },
      nb::arg("m"), nb::arg("type"), nb::arg("id"),
      nb::sig("def mj_id2name(" MODEL ", type: typing.SupportsInt, id: typing.SupportsInt) -> str"),
      "Object name from type and index.\n");
  module.def(
      "mju_type2Str", [](int type) { return stringOrNone(snu_type2Str(type)); }, nb::arg("type"),
      nb::sig("def mju_type2Str(type: typing.SupportsInt) -> str"),
      "Object type name from enum.\n");
  module.def(
      "mju_standardNormal",
      [](const nb::object&) {
        snReal second;
        return snu_standardNormal(&second);
      },
      nb::arg("num2").none(),
      nb::sig("def mju_standardNormal(num2: typing.SupportsFloat | None) -> float"),
      "Gaussian random number.\n");
  module.def(
      "mj_defaultVisual", [](snVisual& vis) { sn_defaultVisual(&vis); }, nb::arg("vis"),
      nb::sig("def mj_defaultVisual(vis: mujoco._structs.MjVisual) -> None"),
      "Set visual options to default values.\n");
  module.def(
      "mj_defaultSolRefImp", [](double, double) {}, nb::arg("solref"), nb::arg("solimp"),
      nb::sig("def mj_defaultSolRefImp(solref: typing.SupportsFloat, solimp: typing.SupportsFloat) "
              "-> None"),
      "Default solref and solimp constraint parameters.\n");
}

static snCache* cache(const nb::capsule& capsule) { return (snCache*)capsule.data(); }

static void bindCache(nb::module_& module) {
  module.def("mj_getCache", []() { return nb::capsule(sn_getCache(), "mjCache"); });
  module.def(
      "mj_getCacheSize", [](nb::capsule c) { return sn_getCacheSize(cache(c)); }, nb::arg("cache"));
  module.def(
      "mj_getCacheCapacity", [](nb::capsule c) { return sn_getCacheCapacity(cache(c)); },
      nb::arg("cache"));
  module.def(
      "mj_setCacheCapacity",
      [](nb::capsule c, size_t size) { return sn_setCacheCapacity(cache(c), size); },
      nb::arg("cache"), nb::arg("size"));
  module.def(
      "mj_clearCache", [](nb::capsule c) { sn_clearCache(cache(c)); }, nb::arg("cache"));
}

// ---- errors ----

thread_local int guarded_calls = 0;

// functions go by MuJoCo's names here
static void raiseError(const char* text) {
  if (!guarded_calls) return;
  std::string message = text;
  if (message.compare(0, 2, "sn") == 0) message.replace(0, 2, "mj");
  throw FatalError(message);
}

static void bindErrors(nb::module_& module) {
  nb::exception<FatalError>(module, "FatalError");
  sn_setErrorHandler(raiseError);
}

void bindSpecial(nb::module_& module) {
  module.def(
      "_whole", [](long number) { return number; }, nb::arg("number"),
      "The int that a number stands for.\n");
  bindErrors(module);
  bindPluginLibraries(module);
  bindFiles(module);
  bindInertia(module);
  bindDynamics(module);
  bindHistory(module);
  bindNames(module);
  bindCache(module);
}
