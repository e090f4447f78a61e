// Tools that walk over all fields with the X macros.
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

static int count;

static void show(const char* name, int size, long rows, long columns) {
  std::printf("%s %d %ld %ld\n", name, size, rows, columns);
  count++;
}

int main() {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><size nuser_body='2' nkey='1'/><worldbody><geom type='plane' size='1 1 1'/><body "
      "pos='0 0 .05'><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>",
      nullptr, error, sizeof(error));
  mjModel* m = mj_compile(spec, nullptr);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
#define X(type, name) std::printf(#name " %g\n", (double)m->opt.name);
  MJOPTION_FLOATS
  MJOPTION_INTS
#undef X
#define X(name, n) std::printf(#name " %g %d\n", (double)m->opt.name[0], n);
  MJOPTION_VECTORS
#undef X
#define X(name) show(#name, sizeof(m->name), 0, 0);
  MJMODEL_SIZES
#undef X
  {
    MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) show(#name, sizeof(type), m->nr, nc);
    MJMODEL_POINTERS
#undef X
  }
  {
    MJDATA_POINTERS_PREAMBLE(m)
    mjData* copy = mj_copyData(nullptr, m, d);
    int different = 0;
#define X(type, name, nr, nc)           \
  show(#name, sizeof(type), m->nr, nc); \
  if (m->nr * (nc) > 0)                 \
    different += std::memcmp(d->name, copy->name, sizeof(type) * m->nr * nc) != 0;
    MJDATA_POINTERS
#undef X
    std::printf("different %d\n", different);
    mj_deleteData(copy);
  }
#undef MJ_D
#define MJ_D(n) d->n
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nr, nc) show(#name, sizeof(type), -1, nc);
  MJDATA_ARENA_POINTERS_CONTACT
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
#define X(type, name) show(#name, sizeof(type), 0, 0);
  MJDATA_SCALAR
#undef X
#define X(type, name, r, c) show(#name, sizeof(type), r, c);
  MJDATA_VECTOR
#undef X
  std::printf("%d fields\n", count);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
