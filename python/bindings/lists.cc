#include "lists.h"

template <typename T>
static void addList(nb::class_<Data>& cls, const char* name, T* (*items)(snData*),
                    snSize (*count)(const snData*)) {
  cls.def_prop_ro(name, [items, count](Data& self) {
    return StructList<T>{self.memory, self.d, items, count};
  });
}

static void bindContacts(nb::module_& module) {
  auto list = bindList<snContact>(module, "_MjContactList");
#define COLUMN(name) bindColumn(list, #name, &snContact::name);
  COLUMN(dist)
  COLUMN(pos)
  COLUMN(frame)
  COLUMN(includemargin)
  COLUMN(friction)
  COLUMN(solref)
  COLUMN(solreffriction)
  COLUMN(solimp)
  COLUMN(mu)
  COLUMN(H)
  COLUMN(dim)
  COLUMN(geom1)
  COLUMN(geom2)
  COLUMN(geom)
  COLUMN(flex)
  COLUMN(elem)
  COLUMN(vert)
  COLUMN(exclude)
  COLUMN(efc_address)
#undef COLUMN
}

static void bindStatistics(nb::module_& module) {
  auto warnings = bindList<snWarningStat>(module, "_MjWarningStatList");
  bindColumn(warnings, "lastinfo", &snWarningStat::lastinfo);
  bindColumn(warnings, "number", &snWarningStat::number);
  auto timers = bindList<snTimerStat>(module, "_MjTimerStatList");
  bindColumn(timers, "duration", &snTimerStat::duration);
  bindColumn(timers, "number", &snTimerStat::number);
  auto solver = bindList<snSolverStat>(module, "_MjSolverStatList");
#define COLUMN(name) bindColumn(solver, #name, &snSolverStat::name);
  COLUMN(improvement)
  COLUMN(gradient)
  COLUMN(lineslope)
  COLUMN(nactive)
  COLUMN(nchange)
  COLUMN(neval)
  COLUMN(nupdate)
#undef COLUMN
}

void bindLists(nb::module_& module, nb::class_<Data>& cls) {
  bindContacts(module);
  bindStatistics(module);
  addList<snContact>(
      cls, "contact", [](snData* d) { return d->contact; },
      [](const snData* d) { return (snSize)d->ncon; });
  addList<snWarningStat>(
      cls, "warning", [](snData* d) { return d->warning + 0; },
      [](const snData*) { return (snSize)snNWARNING; });
  addList<snTimerStat>(
      cls, "timer", [](snData* d) { return d->timer + 0; },
      [](const snData*) { return (snSize)snNTIMER; });
  addList<snSolverStat>(
      cls, "solver", [](snData* d) { return d->solver + 0; },
      [](const snData*) { return (snSize)(snNISLAND * snNSOLVER); });
}
