// Functions of mathematics at zeros, tiny and huge numbers, infinities and what is not a number.
#include <functional>
#include <limits>

#include "sample.h"

static const double kOdd[] = {0,
                              -0.0,
                              1,
                              -1,
                              1e-16,
                              1e-300,
                              1e20,
                              1e300,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN(),
                              0.5,
                              1e-8,
                              2};

static unsigned state = 1;

static double any() {
  state = state * 1664525u + 1013904223u;
  return kOdd[(state >> 16) % 14];
}

static void showOdd(const char* name, const double* values, int n) {
  std::printf("%s", name);
  for (int i = 0; i < n; i++) {
    std::isnan(values[i]) ? std::printf(" nan")
                          : std::printf(" %.7g", values[i] == 0 ? 0 : values[i]);
  }
  std::printf("\n");
}

struct Call {
  const char* name;
  int size;  // of the result
  std::function<void(double* x, const double* a, const double* b, const double* c)> run;
};

#define CALL(size, name, ...)                                                    \
  {                                                                              \
#name, size,                                                                 \
        [](double* x, const double* a, const double* b,                          \
           const double* c) { (void)x, (void)a, (void)b, (void)c, __VA_ARGS__; } \
  }

// clang-format off
static const Call kCalls[] = {
    CALL(4, mju_normalize3, x[3] = mju_normalize3(x)),
    CALL(5, mju_normalize4, x[4] = mju_normalize4(x)),
    CALL(6, mju_normalize, x[5] = mju_normalize(x, 5)),
    CALL(3, mju_quat2Vel, mju_quat2Vel(x, a, b[0])),
    CALL(3, mju_subQuat, mju_subQuat(x, a, b)),
    CALL(4, mju_mat2Quat, mju_mat2Quat(x, a)),
    CALL(4, mju_quatZ2Vec, mju_quatZ2Vec(x, a)),
    CALL(4, mju_axisAngle2Quat, mju_axisAngle2Quat(x, a, b[0])),
    CALL(1, mju_springDamper, x[0] = mju_springDamper(a[0], a[1], b[0], b[1], c[0])),
    CALL(1, mju_sigmoid, x[0] = mju_sigmoid(a[0])),
    CALL(1, mju_sign, x[0] = mju_sign(a[0])),
    CALL(1, mju_clip, x[0] = mju_clip(a[0], b[0], b[1])),
    CALL(2, mju_min, x[0] = mju_min(a[0], b[0]), x[1] = mju_max(a[0], b[0])),
    CALL(2, mju_isBad, x[0] = mju_isBad(a[0]), x[1] = mju_isZero(a, 2)),
    CALL(4, mju_quatIntegrate, mju_quatIntegrate(x, b, c[0])),
    CALL(3, mju_rotVecQuat, mju_rotVecQuat(x, a, b)),
    CALL(4, mju_mulQuat, mju_mulQuat(x, a, b)),
    CALL(4, mju_mulQuatAxis, mju_mulQuatAxis(x, a, b)),
    CALL(4, mju_derivQuat, mju_derivQuat(x, a, b)),
    CALL(9, mju_quat2Mat, mju_quat2Mat(x, a)),
    CALL(1, mju_dist3, x[0] = mju_dist3(a, b)),
    CALL(3, mju_cross, mju_cross(x, a, b)),
    CALL(1, mju_cholFactor, x[0] = mju_cholFactor(x, 3, 1e-10)),
    CALL(4, mju_encodePyramid, mju_encodePyramid(x, a, b, 3)),
    CALL(3, mju_decodePyramid, mju_decodePyramid(x, a, b, 3)),
    CALL(1, mju_muscleGain, x[0] = mju_muscleGain(a[0], a[1], b, c[0], c + 1)),
    CALL(1, mju_muscleBias, x[0] = mju_muscleBias(a[0], b, c[0], c + 1)),
    CALL(1, mju_muscleDynamics, x[0] = mju_muscleDynamics(a[0], a[1], b)),
    CALL(4, mju_euler2Quat, mju_euler2Quat(x, a, "xyz")),
    CALL(1, mju_L1, x[0] = mju_L1(a, 4)),
    CALL(1, mju_norm, x[0] = mju_norm(a, 4)),
    CALL(18, mjd_subQuat, mjd_subQuat(a, b, x, x + 9)),
    CALL(21, mjd_quatIntegrate, mjd_quatIntegrate(a, b[0], x, x + 9, x + 18)),
    CALL(3, mju_trnVecPose, mju_trnVecPose(x, a, b, c)),
    CALL(7, mju_mulPose, mju_mulPose(x, x + 3, a, b, c, c + 4)),
    CALL(7, mju_negPose, mju_negPose(x, x + 3, a, b)),
    CALL(6, mju_transformSpatial, mju_transformSpatial(x, a, 1, b, c, nullptr)),
    CALL(6, mju_insertionSort, mju_insertionSort(x, 6)),
};
// clang-format on

int main() {
  catchMessages();
  for (int round = 0; round < 60; round++) {
    for (const Call& call : kCalls) {
      double a[20], b[20], c[20], x[30] = {};
      for (int i = 0; i < 20; i++) {
        a[i] = any();
        b[i] = any();
        c[i] = any();
      }
      std::memcpy(x, a, sizeof(a));
      call.run(x, a, b, c);
      showOdd(call.name, x, call.size);
    }
  }
}
