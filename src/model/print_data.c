// Data as text: the arrays in the order of their table, with a layout of their own for those that
// are matrices, buffers or lists of objects; the arena stands where its stage does.

#include <string.h>

#include "base/assert.h"
#include "model/print.h"

typedef void (*Section)(const snPrinter* printer, const snModel* m, const snData* d);

// ---- head ----

static int isOwnScalar(const char* name) {
  return !strcmp(name, "nJs") || !strcmp(name, "nMs") || !strcmp(name, "niM") ||
         !strcmp(name, "nlostframe") || !strcmp(name, "ndeformcon") || !strcmp(name, "ndeformpair");
}

static void printMemory(const snPrinter* printer, const snData* d) {
  FILE* file = printer->file;
  snSize header = (snSize)sizeof(snData);
  snSize total = header + d->nbuffer + d->narena;
  double used = d->narena ? 100.0 * (double)d->maxuse_arena / (double)d->narena : 0.0;
  fprintf(file, "MEMORY\n");
  fprintf(file, "  total     %11lld KB\n", (long long)(total / 1024));
  fprintf(file, "  struct    %11lld KB\n", (long long)(header / 1024));
  fprintf(file, "  buffer    %11lld KB\n", (long long)(d->nbuffer / 1024));
  fprintf(file, "  arena     %11lld KB, used %.1f%%\n\n", (long long)(d->narena / 1024), used);
}

static void printSizes(const snPrinter* printer, const snData* d) {
  FILE* file = printer->file;
  fprintf(file, "SIZES\n");
#define X(ctype, name, meaning)                                                        \
  if (strcmp(#name, "time") && strcmp(#name, "signature") && strncmp(#name, "p", 1) && \
      !isOwnScalar(#name)) {                                                           \
    fprintf(file, "  %-20s  %lld\n", #name, (long long)d->name);                       \
  }
#define A(ctype, name, count, meaning)
  SN_DATA_SCALARS(X, A)
#undef A
#undef X
  fputc('\n', file);
}

static void printWarnings(const snPrinter* printer, const snData* d) {
  FILE* file = printer->file;
  int any = 0;
  for (int i = 0; i < snNWARNING; i++) {
    if (!d->warning[i].number) continue;
    if (!any++) fprintf(file, "WARNING\n");
    fprintf(file, "    %d:  lastinfo = %d   number = %d\n", i, d->warning[i].lastinfo,
            d->warning[i].number);
  }
  if (any) fputc('\n', file);
}

static void printTimers(const snPrinter* printer, const snData* d) {
  FILE* file = printer->file;
  int any = 0;
  for (int i = 0; i < snNTIMER; i++) any |= d->timer[i].duration != 0;
  if (!any) return;
  fprintf(file, "TIMER\n");
  for (int i = 0; i < snNTIMER; i++) {
    fprintf(file, "    %d:  duration = ", i);
    sn_printReal(printer, (double)d->timer[i].duration);
    fprintf(file, "   number = %d\n", d->timer[i].number);
  }
  fputc('\n', file);
}

static void printIteration(const snPrinter* printer, int i, const snSolverStat* stat) {
  FILE* file = printer->file;
  fprintf(file, "      %d:  improvement = ", i);
  sn_printReal(printer, (double)stat->improvement);
  fprintf(file, "    gradient = ");
  sn_printReal(printer, (double)stat->gradient);
  fprintf(file, "    lineslope = ");
  sn_printReal(printer, (double)stat->lineslope);
  fprintf(file, "\n          nactive = %d   nchange = %d   neval = %d   nupdate = %d\n",
          stat->nactive, stat->nchange, stat->neval, stat->nupdate);
}

// iterations of the solver, one island after the other
static void printSolver(const snPrinter* printer, const snData* d) {
  FILE* file = printer->file;
  int nisland = d->nisland > 0 ? d->nisland : 1;
  if (!d->nefc) return;
  fprintf(file, "SOLVER STAT\n  solver_fwdinv =  ");
  sn_printReals(printer, d->solver_fwdinv, 2);
  fputc('\n', file);
  for (int k = 0; k < nisland && k < snNISLAND; k++) {
    int count = d->solver_niter[k] < snNSOLVER ? d->solver_niter[k] : snNSOLVER;
    if (!count) continue;
    fprintf(file, "  ISLAND %d\n    solver_niter = %d\n    solver_nnz = %d\n", k,
            d->solver_niter[k], d->solver_nnz[k]);
    for (int i = 0; i < count; i++) printIteration(printer, i, d->solver + k * snNSOLVER + i);
    fputc('\n', file);
  }
}

static void printHead(const snPrinter* printer, const snData* d) {
  printMemory(printer, d);
  printSizes(printer, d);
  printWarnings(printer, d);
  printTimers(printer, d);
  printSolver(printer, d);
  fprintf(printer->file, "ENERGY =  ");
  sn_printReals(printer, d->energy, 2);
  fprintf(printer->file, "\n\nTIME = ");
  sn_printReal(printer, (double)d->time);
  fputs("\n\n", printer->file);
}

// ---- arrays: one function per type of the table ----

// one row per line
static void printRows(const snPrinter* printer, const char* name, const snReal* values, snSize rows,
                      snSize columns) {
  if (rows <= 0 || columns <= 0 || !values) return;
  sn_printTitle(printer, name);
  for (snSize i = 0; i < rows; i++) {
    fputs("  ", printer->file);
    sn_printReals(printer, values + i * columns, columns);
    fputc('\n', printer->file);
  }
  fputc('\n', printer->file);
}

// one integer per line
static void printColumn(const snPrinter* printer, const char* name, const int* values,
                        snSize count) {
  if (count <= 0 || !values) return;
  sn_printTitle(printer, name);
  for (snSize i = 0; i < count; i++) fprintf(printer->file, "  %d\n", values[i]);
  fputc('\n', printer->file);
}

// a name in capitals, with its values beside it
static void printInlineName(const snPrinter* printer, const char* name) {
  int width = 21;
  for (; *name; name++, width--) {
    fputc(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name, printer->file);
  }
  fprintf(printer->file, "%*s", width > 0 ? width : 0, "");
}

// integers beside their name; a bar where the next one is of another group (nullable, by value)
static void printInline(const snPrinter* printer, const char* name, const int* values, snSize count,
                        const int* group) {
  if (count <= 0 || !values) return;
  printInlineName(printer, name);
  for (snSize i = 0; i < count; i++) {
    if (group && i && group[values[i]] != group[values[i - 1]]) fputs(" |", printer->file);
    fprintf(printer->file, " %d", values[i]);
  }
  fputs("\n\n", printer->file);
}

static void print_real(const snPrinter* printer, const char* name, const snReal* values,
                       snSize rows, snSize columns) {
  printRows(printer, name, values, rows, columns);
}
static void print_int(const snPrinter* printer, const char* name, const int* values, snSize rows,
                      snSize columns) {
  sn_printIntegers(printer, name, values, rows * columns);
}
static void print_byte(const snPrinter* printer, const char* name, const snByte* values,
                       snSize rows, snSize columns) {
  if (rows * columns <= 0) return;
  printInlineName(printer, name);
  for (snSize i = 0; i < rows * columns; i++) fprintf(printer->file, " %d", values[i]);
  fputs("\n\n", printer->file);
}
// handles mean nothing to a reader
static void print_ptr(const snPrinter* printer, const char* name, const uintptr_t* values,
                      snSize rows, snSize columns) {
  (void)printer, (void)name, (void)values, (void)rows, (void)columns;
}

// ---- arrays with a layout of their own ----

// buffer of a delay: phase (or period), cursor, times, values
static void printBuffer(const snPrinter* printer, const snReal* buffer, int count, int dim) {
  SN_ASSERT(count > 0 && dim > 0);
  FILE* file = printer->file;
  const snReal* values = buffer + 2 + count;
  fprintf(file, "    phase  = ");
  sn_printReal(printer, (double)buffer[0]);
  fprintf(file, "\n    cursor =  %d\n    times  = ", (int)buffer[1]);
  for (int i = 0; i < count; i++) sn_printReal(printer, (double)buffer[2 + i]);
  fprintf(file, dim == 1 ? "\n    values = " : "\n    values:\n");
  for (int i = 0; i < count; i++) {
    if (dim > 1) fprintf(file, "      [%d] =", i);
    for (int k = 0; k < dim; k++) sn_printReal(printer, (double)values[i * dim + k]);
    if (dim > 1) fputc('\n', file);
  }
  if (dim == 1) fputc('\n', file);
}

static void printDelays(const snPrinter* printer, const snModel* m, const snData* d) {
  if (!m->nhistory) return;
  fprintf(printer->file, "DELAY\n");
  for (int i = 0; i < m->nu; i++) {
    int count = m->actuator_history[2 * i];
    if (!count) continue;
    const char* name = sn_id2name(m, snOBJ_ACTUATOR, i);
    fprintf(printer->file, "  actuator %d '%s':\n", i, name ? name : "");
    printBuffer(printer, d->history + m->actuator_historyadr[i], count, 1);
  }
  for (int i = 0; i < m->nsensor; i++) {
    int count = m->sensor_history[2 * i];
    if (!count) continue;
    const char* name = sn_id2name(m, snOBJ_SENSOR, i);
    fprintf(printer->file, "  sensor %d  '%s':\n", i, name ? name : "");
    printBuffer(printer, d->history + m->sensor_historyadr[i], count, m->sensor_dim[i]);
  }
  fputc('\n', printer->file);
}

static void printSensors(const snPrinter* printer, const snModel* m, const snData* d) {
  printRows(printer, "SENSOR", d->sensordata, m->nsensordata, 1);
}

static void printAsleep(const snPrinter* printer, const snModel* m, const snData* d) {
  printColumn(printer, "tree_asleep", d->tree_asleep, m->ntree);
}

static void printBodiesAwake(const snPrinter* printer, const snModel* m, const snData* d) {
  (void)m;
  sn_printIntegers(printer, "body_awake_ind", d->body_awake_ind, d->nbody_awake);
}
static void printParentsAwake(const snPrinter* printer, const snModel* m, const snData* d) {
  (void)m;
  sn_printIntegers(printer, "parent_awake_ind", d->parent_awake_ind, d->nparent_awake);
}

static snPattern pattern(snSize rows, snSize columns, const int* rownnz, const int* rowadr,
                         const int* colind) {
  snPattern result = {(int)rows, (int)columns, rownnz, rowadr, colind, NULL, 0};
  return result;
}

static snPattern inertiaPattern(const snModel* m) {
  return pattern(m->nv, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
}

static void printEdges(const snPrinter* printer, const snModel* m, const snData* d) {
  snPattern edges = pattern(m->nflexedge, m->nv, m->flexedge_J_rownnz, m->flexedge_J_rowadr,
                            m->flexedge_J_colind);
  sn_printPicture(printer, "FLEXEDGE_J: flex edge connectivity", &edges);
  sn_printSparse(printer, "flexedge_J", &edges, d->flexedge_J);
}

static void printPaths(const snPrinter* printer, const snModel* m, const snData* d) {
  FILE* file = printer->file;
  for (int i = 0; i < m->ntendon; i++) {
    fprintf(file, "TENDON %d: %d wrap points\n", i, d->ten_wrapnum[i]);
    for (int k = 0; k < d->ten_wrapnum[i]; k++) {
      int point = d->ten_wrapadr[i] + k;
      SN_ASSERT_INDEX(point, 2 * m->nwrap);
      fprintf(file, "    %d:   ", d->wrap_obj[point]);
      sn_printReals(printer, d->wrap_xpos + 3 * point, 3);
      fputc('\n', file);
    }
    fputc('\n', file);
  }
}

static void printTendons(const snPrinter* printer, const snModel* m, const snData* d) {
  if (!m->ntendon) return;
  printRows(printer, "ten_length", d->ten_length, m->ntendon, 1);
  if (sn_isSparse(m)) {
    snPattern rows = pattern(m->ntendon, m->nv, d->ten_J_rownnz, d->ten_J_rowadr, d->ten_J_colind);
    sn_printPicture(printer, "TEN_J: tendon moments", &rows);
    printColumn(printer, "ten_J_rownnz", d->ten_J_rownnz, m->ntendon);
    printColumn(printer, "ten_J_rowadr", d->ten_J_rowadr, m->ntendon);
    sn_printSparse(printer, "ten_J", &rows, d->ten_J);
  } else {
    printRows(printer, "ten_moment", d->ten_J, m->ntendon, m->nv);
  }
  printPaths(printer, m, d);
}

static void printMoments(const snPrinter* printer, const snModel* m, const snData* d) {
  snPattern rows = pattern(m->nu, m->nv, d->moment_rownnz, d->moment_rowadr, d->moment_colind);
  sn_printPicture(printer, "actuator_moment", &rows);
  sn_printSparse(printer, "actuator_moment", &rows, d->actuator_moment);
}

// width of a number
static int numberWidth(const snPrinter* printer) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return snprintf(NULL, 0, printer->format, 0.0);
#pragma GCC diagnostic pop
}

// lower triangle; entries of dofs that are not ancestors stay blank
static void printInertia(const snPrinter* printer, const snModel* m, const snData* d) {
  int* entry =
      m->nv && m->nv <= snPRINT_MOST ? (int*)snu_malloc((size_t)m->nv * sizeof(int)) : NULL;
  if (!entry) return;
  int width = numberWidth(printer);
  sn_printTitle(printer, "qM");
  for (int i = 0; i < m->nv; i++) {
    for (int j = 0; j <= i; j++) entry[j] = -1;
    for (int j = i, k = m->dof_Madr[i]; j >= 0; j = m->dof_parentid[j]) entry[j] = k++;
    fputc(' ', printer->file);
    for (int j = 0; j <= i; j++) {
      if (entry[j] < 0) {
        fprintf(printer->file, " %*s", width, "");
      } else {
        fputc(' ', printer->file);
        sn_printReal(printer, (double)d->qM[entry[j]]);
      }
    }
    fputc('\n', printer->file);
  }
  fputc('\n', printer->file);
  snu_free(entry);
}

static void printM(const snPrinter* printer, const snModel* m, const snData* d) {
  snPattern rows = inertiaPattern(m);
  sn_printSparse(printer, "M", &rows, d->M);
}
static void printFactor(const snPrinter* printer, const snModel* m, const snData* d) {
  snPattern rows = inertiaPattern(m);
  sn_printSparse(printer, "qLD", &rows, d->qLD);
}

static int anyNonzero(const snReal* values, snSize count) {
  for (snSize i = 0; i < count; i++) {
    if (values[i] != 0) return 1;
  }
  return 0;
}

static void printDerivatives(const snPrinter* printer, const snModel* m, const snData* d) {
  snPattern rows = pattern(m->nv, m->nv, m->D_rownnz, m->D_rowadr, m->D_colind);
  if (anyNonzero(d->qDeriv, m->nD)) sn_printSparse(printer, "qDeriv", &rows, d->qDeriv);
  if (anyNonzero(d->qLU, m->nD)) sn_printSparse(printer, "qLU", &rows, d->qLU);
}

// ---- islands ----

static char islandDigit(int island) { return (char)('0' + island % 10); }

// inertia in the order of islands: entries are the island's number
static void printIslandInertia(const snPrinter* printer, const snModel* m, const snData* d) {
  if (d->nidof > snPRINT_MOST) return;
  fprintf(printer->file, "iM: block-diagonal inertia (nnzs are island ids)\n");
  sn_printRuler(printer, d->nidof);
  for (int i = 0; i < d->nidof; i++) {
    int dof = d->map_idof2dof[i], column = 0;
    SN_ASSERT_INDEX(dof, m->nv);
    fputc(' ', printer->file);
    for (int k = 0; k < m->M_rownnz[dof]; k++) {
      int next = d->map_dof2idof[m->M_colind[m->M_rowadr[dof] + k]];
      for (; column < next; column++) fputc(' ', printer->file);
      fputc(islandDigit(d->dof_island[dof]), printer->file);
      column++;
    }
    fprintf(printer->file, "%*s |\n", d->nidof - column, "");
  }
  sn_printRuler(printer, d->nidof);
  fputc('\n', printer->file);
}

// the end of the factor of M, its pattern by islands, then the factor of M + h D
static void printAfterFactor(const snPrinter* printer, const snModel* m, const snData* d) {
  snPattern rows = inertiaPattern(m);
  printRows(printer, "qLDiagInv", d->qLDiagInv, m->nv, 1);
  if (d->nisland > 0) {
    sn_printPicture(printer, "M: inertia structure", &rows);
    printIslandInertia(printer, m, d);
  }
  if (anyNonzero(d->qHDiagInv, m->nv)) {
    sn_printSparse(printer, "qH", &rows, d->qH);
    printRows(printer, "qHDiagInv", d->qHDiagInv, m->nv, 1);
  }
}

// rows by island: dots where the columns are of another one
static void printIslandRows(const snPrinter* printer, const snModel* m, const snData* d) {
  char dots[64];
  int width = numberWidth(printer);
  if (width > (int)sizeof(dots) - 1) width = (int)sizeof(dots) - 1;
  memset(dots, '.', (size_t)width);
  dots[width] = 0;
  sn_printTitle(printer, "iefc_J");
  for (int i = 0; i < d->nefc; i++) {
    int row = d->map_iefc2efc[i];
    SN_ASSERT_INDEX(row, d->nefc);
    fputc(' ', printer->file);
    for (int j = 0; j < d->nidof; j++) {
      int dof = d->map_idof2dof[j];
      if (d->dof_island[dof] == d->efc_island[row]) {
        fputc(' ', printer->file);
        sn_printReal(printer, (double)d->efc_J[row * m->nv + dof]);
      } else {
        fprintf(printer->file, "%s ", dots);
      }
    }
    fputc('\n', printer->file);
  }
  fputc('\n', printer->file);
}

static void printIslandPicture(const snPrinter* printer, const snData* d) {
  if (d->nidof > snPRINT_MOST) return;
  fprintf(printer->file, "IEFC_J: block-diagonalized constraint Jacobian (nnzs are island ids)\n");
  sn_printRuler(printer, d->nidof);
  for (int i = 0; i < d->nefc; i++) {
    int row = d->map_iefc2efc[i], column = 0;
    SN_ASSERT_INDEX(row, d->nefc);
    fputc(' ', printer->file);
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
      int next = d->map_dof2idof[d->efc_J_colind[d->efc_J_rowadr[row] + k]];
      for (; column < next; column++) fputc(' ', printer->file);
      fputc(islandDigit(d->efc_island[row]), printer->file);
      column++;
    }
    fprintf(printer->file, "%*s |", d->nidof - column, "");
    if (d->iefc_J_rowsuper[i]) fprintf(printer->file, " %d", d->iefc_J_rowsuper[i]);
    fputc('\n', printer->file);
  }
  sn_printRuler(printer, d->nidof);
  fputc('\n', printer->file);
}

static void printIslands(const snPrinter* printer, const snModel* m, const snData* d) {
  int nisland = d->nisland;
  if (nisland > 0) {
    sn_printIntegers(printer, "tree_island", d->tree_island, m->ntree);
    sn_printIntegers(printer, "island_ntree", d->island_ntree, nisland);
    sn_printIntegers(printer, "island_itreeadr", d->island_itreeadr, nisland);
    sn_printIntegers(printer, "map_itree2tree", d->map_itree2tree, m->ntree);
    printInline(printer, "dof_island", d->dof_island, m->nv, NULL);
    printInline(printer, "island_nv", d->island_nv, nisland, NULL);
    printInline(printer, "island_idofadr", d->island_idofadr, nisland, NULL);
    printInline(printer, "map_idof2dof", d->map_idof2dof, m->nv, d->dof_island);
    printInline(printer, "efc_island", d->efc_island, d->nefc, NULL);
    printInline(printer, "island_nefc", d->island_nefc, nisland, NULL);
    printInline(printer, "island_iefcadr", d->island_iefcadr, nisland, NULL);
    printInline(printer, "map_iefc2efc", d->map_iefc2efc, d->nefc, d->efc_island);
  }
  if (d->nefc > 0) {
    printInline(printer, "tendon_efcadr", d->tendon_efcadr, m->ntendon, NULL);
  } else if (m->ntendon) {
    printInlineName(printer, "tendon_efcadr");
    for (int i = 0; i < m->ntendon; i++) fputs(" -1", printer->file);
    fputs("\n\n", printer->file);
  }
}

// ---- contacts and constraint rows ----

static void printGeomName(const snPrinter* printer, const snModel* m, int geom) {
  const char* name = sn_id2name(m, snOBJ_GEOM, geom);
  if (name && *name) {
    fputs(name, printer->file);
  } else {
    fprintf(printer->file, "%d", geom);
  }
}

static void printSides(const snPrinter* printer, const snModel* m, const snContact* contact) {
  FILE* file = printer->file;
  if (contact->geom[0] >= 0 && contact->geom[1] >= 0) {
    fprintf(file, "     geoms         ");
    printGeomName(printer, m, contact->geom[0]);
    fprintf(file, " : ");
    printGeomName(printer, m, contact->geom[1]);
    fputc('\n', file);
    return;
  }
  fprintf(file, "     gfev          %d %d %d %d : %d %d %d %d\n", contact->geom[0],
          contact->flex[0], contact->elem[0], contact->vert[0], contact->geom[1], contact->flex[1],
          contact->elem[1], contact->vert[1]);
}

static void printContacts(const snPrinter* printer, const snModel* m, const snData* d) {
  SN_ASSERT(!d->ncon || d->contact);
  FILE* file = printer->file;
  if (!d->ncon) return;
  fprintf(file, "CONTACT\n");
  for (int i = 0; i < d->ncon; i++) {
    const snContact* contact = d->contact + i;
    snReal force[6];
    sn_contactForce(m, d, i, force);
    fprintf(file, "  %d:\n     dim           %d\n", i, contact->dim);
    printSides(printer, m, contact);
    fprintf(file, "     exclude       %d\n     efc_address   %d\n", contact->exclude,
            contact->efc_address);
#define LINE(name, values, count)                         \
  fprintf(file, "     %-13s ", name);                     \
  sn_printReals(printer, (const snReal*)(values), count); \
  fputc('\n', file);
    LINE("solref", contact->solref, 2)
    LINE("solimp", contact->solimp, 5)
    LINE("dist", &contact->dist, 1)
    LINE("includemargin", &contact->includemargin, 1)
    LINE("pos", contact->pos, 3)
    LINE("frame", contact->frame, 9)
    LINE("friction", contact->friction, 5)
    LINE("mu", &contact->mu, 1)
    LINE("force", force, 6)
#undef LINE
  }
  fputc('\n', file);
}

static void printJacobian(const snPrinter* printer, const snModel* m, const snData* d) {
  if (!sn_isSparse(m)) {
    printRows(printer, "efc_J", d->efc_J, d->nefc, m->nv);
    if (d->nisland > 0) printIslandRows(printer, m, d);
    return;
  }
  snPattern rows = pattern(d->nefc, m->nv, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_colind);
  rows.rowsuper = d->efc_J_rowsuper;
  printColumn(printer, "efc_J_rownnz", d->efc_J_rownnz, d->nefc);
  printColumn(printer, "efc_J_rowadr", d->efc_J_rowadr, d->nefc);
  sn_printSparse(printer, "efc_J", &rows, d->efc_J);
  sn_printPicture(printer, "J: constraint Jacobian", &rows);
  if (d->nisland > 0) printIslandPicture(printer, d);
}

static void printDual(const snPrinter* printer, const snModel* m, const snData* d) {
  if (!sn_isDual(m) || !d->nA) return;
  if (!sn_isSparse(m)) {
    printRows(printer, "efc_AR", d->efc_AR, d->nefc, d->nefc);
    return;
  }
  snPattern rows = pattern(d->nefc, d->nefc, d->efc_AR_rownnz, d->efc_AR_rowadr, d->efc_AR_colind);
  printColumn(printer, "efc_AR_rownnz", d->efc_AR_rownnz, d->nefc);
  printColumn(printer, "efc_AR_rowadr", d->efc_AR_rowadr, d->nefc);
  sn_printSparse(printer, "efc_AR", &rows, d->efc_AR);
  sn_printPicture(printer, "efc_AR: inverse constraint inertia", &rows);
}

// the derivatives of the velocity stage, then what the position stage leaves in the arena
static void printConstraints(const snPrinter* printer, const snModel* m, const snData* d) {
  sn_printIntegers(printer, "dof_awake_ind", d->dof_awake_ind, d->nv_awake);
  printDerivatives(printer, m, d);
  printContacts(printer, m, d);
  if (d->nefc > 0) {
    printColumn(printer, "efc_type", d->efc_type, d->nefc);
    printColumn(printer, "efc_id", d->efc_id, d->nefc);
    printJacobian(printer, m, d);
    printDual(printer, m, d);
    printRows(printer, "efc_pos", d->efc_pos, d->nefc, 1);
    printRows(printer, "efc_margin", d->efc_margin, d->nefc, 1);
    printRows(printer, "efc_frictionloss", d->efc_frictionloss, d->nefc, 1);
    printRows(printer, "efc_diagApprox", d->efc_diagApprox, d->nefc, 1);
    printRows(printer, "efc_KBIP", d->efc_KBIP, d->nefc, 4);
    printRows(printer, "efc_D", d->efc_D, d->nefc, 1);
    printRows(printer, "efc_R", d->efc_R, d->nefc, 1);
  }
}

static void printPassive(const snPrinter* printer, const snModel* m, const snData* d) {
  printRows(printer, "qfrc_passive", d->qfrc_passive, m->nv, 1);
  printRows(printer, "efc_vel", d->efc_vel, d->nefc, 1);
  printRows(printer, "efc_aref", d->efc_aref, d->nefc, 1);
}

static void printSmooth(const snPrinter* printer, const snModel* m, const snData* d) {
  printRows(printer, "qacc_smooth", d->qacc_smooth, m->nv, 1);
  printRows(printer, "efc_b", d->efc_b, d->nefc, 1);
  printRows(printer, "efc_force", d->efc_force, d->nefc, 1);
  printColumn(printer, "efc_state", d->efc_state, d->nefc);
}

// ---- all ----

// arrays that are not printed row by row: what is printed in their place (NULL: nothing)
static const struct {
  const char* name;
  Section print;
} SPECIAL[] = {
    {"history", printDelays},
    {"plugin_state", NULL},
    {"sensordata", printSensors},
    {"tree_asleep", printAsleep},
    {"plugin", NULL},
    {"plugin_data", NULL},
    {"flexedge_J", printEdges},
    {"flexvert_J", NULL},
    {"flexvert_length", NULL},
    {"bvh_aabb_dyn", NULL},
    {"ten_wrapadr", NULL},
    {"ten_wrapnum", NULL},
    {"ten_J_rownnz", NULL},
    {"ten_J_rowadr", NULL},
    {"ten_J_colind", NULL},
    {"ten_J", NULL},
    {"ten_length", printTendons},
    {"wrap_obj", NULL},
    {"wrap_xpos", NULL},
    {"moment_rownnz", NULL},
    {"moment_rowadr", NULL},
    {"moment_colind", NULL},
    {"actuator_moment", printMoments},
    {"qM", printInertia},
    {"M", printM},
    {"qLD", printFactor},
    {"qLDiagInv", printAfterFactor},
    {"bvh_active", NULL},
    {"body_awake_ind", printBodiesAwake},
    {"parent_awake_ind", printParentsAwake},
    {"dof_awake_ind", printConstraints},
    {"qfrc_passive", printPassive},
    {"qH", NULL},
    {"qHDiagInv", NULL},
    {"qDeriv", NULL},
    {"qLU", NULL},
    {"qacc_smooth", printSmooth},
    {"ten_force", NULL},
    {"jnt_limit_frc", NULL},
    {"qvel_shift", NULL},
};

// returns 0 where the array has no layout of its own
static int printSpecial(const snPrinter* printer, const char* name, const snModel* m,
                        const snData* d) {
  for (size_t i = 0; i < sizeof(SPECIAL) / sizeof(*SPECIAL); i++) {
    if (strcmp(SPECIAL[i].name, name)) continue;
    if (SPECIAL[i].print) SPECIAL[i].print(printer, m, d);
    return 1;
  }
  return 0;
}

void sn_printFormattedData(const snModel* m, const snData* d, const char* filename,
                           const char* float_format) {
  if (d->pstack) {
    snu_error("sn_printData: the stack is in use");
    return;
  }
  snPrinter printer;
  if (!sn_openPrinter(&printer, filename, float_format)) return;
  printHead(&printer, d);
#define SN_M(size) m->size
#define X(type, name, rows, columns, stage, meaning) \
  if (!printSpecial(&printer, #name, m, d))          \
    print_##type(&printer, #name, d->name, m->rows, columns);
  SN_DATA_FIELDS(X)
#undef X
#undef SN_M
  printIslands(&printer, m, d);
  sn_closePrinter(&printer);
}

void sn_printData(const snModel* m, const snData* d, const char* filename) {
  sn_printFormattedData(m, d, filename, sn_defaultFormat);
}
