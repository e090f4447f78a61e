// What the C++ samples share: models from text, arrays shown with nine digits, errors as exceptions.
#ifndef SINEW_TESTS_COMPAT_SAMPLES_SAMPLE_H_
#define SINEW_TESTS_COMPAT_SAMPLES_SAMPLE_H_

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Deleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};
using Model = std::unique_ptr<mjModel, Deleter>;
using Data = std::unique_ptr<mjData, Deleter>;
using Spec = std::unique_ptr<mjSpec, Deleter>;

inline void title(const char* text) { std::printf("== %s\n", text); }

template <typename T>
void show(const char* name, const T* values, int n) {
  std::printf("%s", name);
  for (int i = 0; i < n; i++) {
    double value = static_cast<double>(values[i]);
    std::printf(" %.9g", std::fabs(value) < 1e-12 ? 0 : value);
  }
  std::printf("\n");
}

template <typename T>
void show(const char* name, T value) {
  show(name, &value, 1);
}

inline void show(const char* name, const char* text) {
  std::printf("%s '%s'\n", name, text ? text : "(null)");
}

inline void show(const char* name, char* text) { show(name, static_cast<const char*>(text)); }

// What becomes of the content of a model: "compiles", or the message on one line.
inline void tryModel(const std::string& content) {
  char error[1000] = "";
  Spec spec(mj_parseXMLString(("<mujoco>" + content + "</mujoco>").c_str(), nullptr, error,
                              sizeof(error)));
  Model m(spec ? mj_compile(spec.get(), nullptr) : nullptr);
  std::string text = m ? "compiles" : spec ? mjs_getError(spec.get()) : error;
  for (char& c : text) c = c == '\n' ? '~' : c;
  std::printf("%s\n", text.c_str());
}

// Errors are thrown, warnings are printed.
inline void catchMessages() {
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
  mju_user_error = [](const char* text) { throw std::runtime_error(text); };
  mju_user_warning = [](const char* text) { std::printf("warning: %s\n", text); };
}

template <typename F>
void expectError(const char* what, F call) {
  try {
    call();
    std::printf("%s: no error\n", what);
  } catch (const std::runtime_error& error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

inline Spec parse(const char* xml, const mjVFS* vfs = nullptr) {
  char error[1000] = "";
  Spec spec(mj_parseXMLString(xml, vfs, error, sizeof(error)));
  if (!spec) std::printf("parse: %s\n", error);
  return spec;
}

inline Model compile(mjSpec* spec, const mjVFS* vfs = nullptr) {
  Model m(mj_compile(spec, vfs));
  if (!m) std::printf("compile: %s (warning %d)\n", mjs_getError(spec), mjs_isWarning(spec));
  return m;
}

inline Model load(const char* xml) {
  Spec spec = parse(xml);
  return spec ? compile(spec.get()) : nullptr;
}

inline const char* nameOf(mjsElement* element) {
  return element ? mjs_getString(mjs_getName(element)) : "(none)";
}

#endif  // SINEW_TESTS_COMPAT_SAMPLES_SAMPLE_H_
