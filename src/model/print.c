// Models and data as text: every row of the field tables, grouped as people read them.

#include <stdio.h>
#include <string.h>

#include "model/memory.h"

static const char* const DEFAULT_FORMAT = "% -9.2g";
enum { FORMAT_SIZE = 20 };

typedef struct Printer_ {
  FILE* file;
  const char* format;  // of one real number
} Printer;

// a format that prints exactly one floating-point number: flags, width, precision, one of eEfFgG
int sn_isFloatFormat(const char* format) {
  if (!format || strlen(format) > FORMAT_SIZE || *format++ != '%') return 0;
  format += strspn(format, "-+ #0");
  format += strspn(format, "0123456789");
  if (*format == '.') format += 1 + strspn(format + 1, "0123456789");
  return *format && strchr("eEfFgG", *format) && !format[1 + strspn(format + 1, " ")];
}

static int openPrinter(Printer* printer, const char* filename, const char* float_format) {
  printer->format = float_format;
  if (!sn_isFloatFormat(float_format)) {
    snu_warning("Received invalid float_format '%s', using '%s'", float_format ? float_format : "",
                DEFAULT_FORMAT);
    printer->format = DEFAULT_FORMAT;
  }
  printer->file = filename ? fopen(filename, "w") : stdout;
  if (!printer->file) snu_warning("Could not open file '%s' for writing", filename);
  return printer->file != NULL;
}

static void closePrinter(Printer* printer) {
  if (printer->file != stdout) fclose(printer->file);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void printReal(const Printer* printer, double value) {
  fprintf(printer->file, printer->format, value);
}
#pragma GCC diagnostic pop

// one function per type of the table: count entries on one line
static void print_real(const Printer* printer, const snReal* x, snSize count) {
  for (snSize i = 0; i < count; i++) {
    if (i) fputc(' ', printer->file);
    printReal(printer, (double)x[i]);
  }
}
static void print_float(const Printer* printer, const float* x, snSize count) {
  for (snSize i = 0; i < count; i++) {
    if (i) fputc(' ', printer->file);
    printReal(printer, (double)x[i]);
  }
}
static void print_int(const Printer* printer, const int* x, snSize count) {
  for (snSize i = 0; i < count; i++) fprintf(printer->file, i ? " %d " : "%d ", x[i]);
}
static void print_byte(const Printer* printer, const snByte* x, snSize count) {
  for (snSize i = 0; i < count; i++) fprintf(printer->file, i ? " %d " : "%d ", x[i]);
}
static void print_size(const Printer* printer, const snSize* x, snSize count) {
  for (snSize i = 0; i < count; i++) fprintf(printer->file, "%lld ", (long long)x[i]);
}
static void print_ptr(const Printer* printer, const uintptr_t* x, snSize count) {
  for (snSize i = 0; i < count; i++) fprintf(printer->file, "%llu ", (unsigned long long)x[i]);
}
static void print_char(const Printer* printer, const char* x, snSize count) {
  for (snSize i = 0; i < count; i++) fputc(x[i] ? x[i] : ' ', printer->file);
}

// numbers bring a space for their sign
enum {
  width_real = 20,
  width_float = 20,
  width_int = 21,
  width_byte = 21,
  width_size = 21,
  width_ptr = 21,
  width_char = 21
};

// ---- model ----

#define SN_M(size) m->size

static void printModelHead(const Printer* printer, const snModel* m) {
  FILE* file = printer->file;
  fprintf(file, "MuJoCo version %s\nmodel name     %s\n\n", sn_versionString(),
          m->nnames ? m->names : "");
  fprintf(file, "MEMORY\n  total      %8lld KB\n\nSIZES\n", (long long)(m->nbuffer / 1024));
#define X(name, meaning) \
  if (m->name) fprintf(file, "  %-18s  %lld\n", #name, (long long)m->name);
  SN_MODEL_SIZES(X)
#undef X
}

static void printOption(const Printer* printer, const snOption* opt) {
  FILE* file = printer->file;
  fprintf(file, "\nOPTION\n");
#define REAL(name, count)                \
  fprintf(file, "  %-18s ", #name);      \
  print_real(printer, opt->name, count); \
  fputc('\n', file);
#define SCALAR(name)                  \
  fprintf(file, "  %-18s ", #name);   \
  print_real(printer, &opt->name, 1); \
  fputc('\n', file);
#define INT(name) fprintf(file, "  %-18s  %d\n", #name, opt->name);
  SCALAR(timestep)
  SCALAR(impratio)
  SCALAR(tolerance)
  SCALAR(ls_tolerance)
  SCALAR(noslip_tolerance)
  SCALAR(ccd_tolerance)
  SCALAR(sleep_tolerance)
  SCALAR(density)
  SCALAR(viscosity)
  SCALAR(o_margin)
  INT(integrator)
  INT(cone)
  INT(jacobian)
  INT(solver)
  INT(iterations)
  INT(ls_iterations)
  INT(noslip_iterations)
  INT(ccd_iterations)
  INT(disableflags)
  INT(enableflags)
  INT(disableactuator)
  INT(sdf_initpoints)
  INT(sdf_iterations)
  REAL(gravity, 3)
  REAL(wind, 3)
  REAL(magnetic, 3)
  REAL(o_solref, 2)
  REAL(o_solimp, 5)
  REAL(o_friction, 5)
#undef REAL
#undef SCALAR
#undef INT
}

static void printStatistic(const Printer* printer, const snModel* m) {
  FILE* file = printer->file;
  fprintf(file, "\ntotalmass            ");
  printReal(printer, (double)sn_getTotalmass(m));
  fprintf(file, "\n\nSTATISTIC\n");
#define SCALAR(name, count)                                 \
  fprintf(file, "  %-18s ", #name);                         \
  print_real(printer, (const snReal*)&m->stat.name, count); \
  fputc('\n', file);
  SCALAR(meaninertia, 1)
  SCALAR(meanmass, 1)
  SCALAR(meansize, 1)
  SCALAR(extent, 1)
  SCALAR(center, 3)
#undef SCALAR
}

// objects that are printed one by one, with their names: size, title, object type
// clang-format off
#define MODEL_GROUPS(G) \
  G(nbody, BODY, snOBJ_BODY)          G(njnt, JOINT, snOBJ_JOINT)       G(nv, DOF, snOBJ_DOF) \
  G(ntree, TREE, snOBJ_UNKNOWN)       G(ngeom, GEOM, snOBJ_GEOM)        G(nsite, SITE, snOBJ_SITE) \
  G(ncam, CAMERA, snOBJ_CAMERA)       G(nlight, LIGHT, snOBJ_LIGHT)     G(nflex, FLEX, snOBJ_FLEX) \
  G(nmesh, MESH, snOBJ_MESH)          G(nskin, SKIN, snOBJ_SKIN)        G(nhfield, HFIELD, snOBJ_HFIELD) \
  G(ntex, TEXTURE, snOBJ_TEXTURE)     G(nmat, MATERIAL, snOBJ_MATERIAL) G(npair, PAIR, snOBJ_PAIR) \
  G(nexclude, EXCLUDE, snOBJ_EXCLUDE) G(neq, EQUALITY, snOBJ_EQUALITY)  G(ntendon, TENDON, snOBJ_TENDON) \
  G(nu, ACTUATOR, snOBJ_ACTUATOR)   G(nsensor, SENSOR, snOBJ_SENSOR) \
  G(nnumeric, NUMERIC, snOBJ_NUMERIC) G(ntext, TEXT, snOBJ_TEXT)        G(ntuple, TUPLE, snOBJ_TUPLE) \
  G(nkey, KEY, snOBJ_KEY)             G(nplugin, PLUGIN, snOBJ_PLUGIN)
// clang-format on

// rows of sparse matrices have the sizes of objects and are not theirs
static int belongs(const char* field) {
  return strncmp(field, "name_", 5) && strncmp(field, "qpos", 4) && strncmp(field, "B_", 2) &&
         strncmp(field, "M_", 2) && strncmp(field, "D_", 2);
}

static void printPath(const Printer* printer, const snModel* m, int tendon) {
  fprintf(printer->file, "  path\n    type  objid  prm\n");
  for (int k = 0; k < m->tendon_num[tendon]; k++) {
    int wrap = m->tendon_adr[tendon] + k;
    fprintf(printer->file, "    %-5d %-5d ", m->wrap_type[wrap], m->wrap_objid[wrap]);
    printReal(printer, (double)m->wrap_prm[wrap]);
    fputc('\n', printer->file);
  }
  fputc('\n', printer->file);
}

static void printObject(const Printer* printer, const snModel* m, const char* size, int i) {
  FILE* file = printer->file;
#define X(type, name, rows, columns, stage, meaning)             \
  if (!strcmp(#rows, size) && belongs(#name) && (columns) > 0) { \
    fprintf(file, "  %-*s ", width_##type, #name);               \
    print_##type(printer, m->name + i * (columns), columns);     \
    fputc('\n', file);                                           \
  }
  SN_MODEL_FIELDS(X)
#undef X
}

static int isNamed(int objtype) { return objtype != snOBJ_UNKNOWN && objtype != snOBJ_DOF; }

void sn_printFormattedModel(const snModel* m, const char* filename, const char* float_format) {
  Printer printer;
  if (!openPrinter(&printer, filename, float_format)) return;
  printModelHead(&printer, m);
  printOption(&printer, &m->opt);
  printStatistic(&printer, m);
  fprintf(printer.file, "\nqpos0                ");
  print_real(&printer, m->qpos0, m->nq);
  fprintf(printer.file, "\n\nqpos_spring          ");
  print_real(&printer, m->qpos_spring, m->nq);
  fprintf(printer.file, "\n\n");
#define G(size, title, objtype)                                                            \
  for (int i = 0; i < m->size; i++) {                                                      \
    const char* name = sn_id2name(m, objtype, i);                                          \
    fprintf(printer.file, "\n" #title " %d:\n", i);                                        \
    if (isNamed(objtype)) fprintf(printer.file, "  %-21s %s\n", "name", name ? name : ""); \
    printObject(&printer, m, #size, i);                                                    \
    if (objtype == snOBJ_TENDON) printPath(&printer, m, i);                                \
    if (i + 1 == m->size) fputc('\n', printer.file);                                       \
  }
  MODEL_GROUPS(G)
#undef G
  closePrinter(&printer);
}

void sn_printModel(const snModel* m, const char* filename) {
  sn_printFormattedModel(m, filename, DEFAULT_FORMAT);
}

// ---- data ----

static void printTitle(FILE* file, const char* name) {
  fputc('\n', file);
  for (const char* c = name; *c; c++) fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, file);
  fputc('\n', file);
}

// iterations of the solver, one island after the other
static void printSolver(const Printer* printer, const snData* d) {
  FILE* file = printer->file;
  int nisland = d->nisland > 0 ? d->nisland : 1;
  fprintf(file, "\nSOLVER STAT\n  solver_fwdinv =  ");
  print_real(printer, d->solver_fwdinv, 2);
  fputc('\n', file);
  for (int k = 0; k < nisland && k < snNISLAND; k++) {
    int count = d->solver_niter[k] < snNSOLVER ? d->solver_niter[k] : snNSOLVER;
    if (!count) continue;
    fprintf(file, "  ISLAND %d\n    solver_niter = %d\n    solver_nnz = %d\n", k,
            d->solver_niter[k], d->solver_nnz[k]);
    for (int i = 0; i < count; i++) {
      const snSolverStat* stat = d->solver + k * snNSOLVER + i;
      fprintf(file, "      %d:  improvement = ", i);
      printReal(printer, (double)stat->improvement);
      fprintf(file, "    gradient = ");
      printReal(printer, (double)stat->gradient);
      fprintf(file, "    lineslope = ");
      printReal(printer, (double)stat->lineslope);
      fprintf(file, "\n          nactive = %d   nchange = %d   neval = %d   nupdate = %d\n",
              stat->nactive, stat->nchange, stat->neval, stat->nupdate);
    }
  }
}

static void printDataHead(const Printer* printer, const snData* d) {
  FILE* file = printer->file;
  fprintf(file, "MEMORY\n  buffer      %8lld KB\n  arena       %8lld KB, used %.1f%%\n\nSIZES\n",
          (long long)(d->nbuffer / 1024), (long long)(d->narena / 1024),
          d->narena ? 100.0 * (double)d->maxuse_arena / (double)d->narena : 0.0);
#define X(ctype, name, meaning)                                                        \
  if (strcmp(#name, "time") && strcmp(#name, "signature") && strncmp(#name, "p", 1) && \
      strcmp(#name, "nJs") && strcmp(#name, "nMs") && strcmp(#name, "niM")) {          \
    fprintf(file, "  %-20s  %lld\n", #name, (long long)d->name);                       \
  }
#define A(ctype, name, count, meaning)
  SN_DATA_SCALARS(X, A)
#undef A
#undef X
  printSolver(printer, d);
  fprintf(file, "\nENERGY =  ");
  print_real(printer, d->energy, 2);
  fprintf(file, "\n\nTIME = ");
  printReal(printer, (double)d->time);
  fputc('\n', file);
}

static void printContacts(const Printer* printer, const snData* d) {
  FILE* file = printer->file;
  if (d->ncon) fprintf(file, "\nCONTACT\n");
  for (int i = 0; i < d->ncon; i++) {
    const snContact* contact = d->contact + i;
    fprintf(file, "  %d:\n     dim           %d\n     geom          %d %d\n", i, contact->dim,
            contact->geom[0], contact->geom[1]);
#define LINE(name, count)                                    \
  fprintf(file, "     %-13s", #name);                        \
  print_real(printer, (const snReal*)&contact->name, count); \
  fputc('\n', file);
    LINE(dist, 1)
    LINE(pos, 3)
    LINE(frame, 9)
    LINE(includemargin, 1)
    LINE(friction, 5)
    LINE(solref, 2)
    LINE(solreffriction, 2)
    LINE(solimp, 5)
    LINE(mu, 1)
#undef LINE
    fprintf(file, "     efc_address   %d\n", contact->efc_address);
  }
}

#define SN_D(size) d->size

// rows of one array, one line each
#define PRINT_ROWS(type, name, count, columns)                 \
  if (d->name && (count) > 0 && (columns) > 0) {               \
    printTitle(printer->file, #name);                          \
    for (snSize i = 0; i < (count); i++) {                     \
      fputs("  ", printer->file);                              \
      print_##type(printer, d->name + i * (columns), columns); \
      fputc('\n', printer->file);                              \
    }                                                          \
  }

static void printArrays(const Printer* printer, const snModel* m, const snData* d) {
#define X(type, name, rows, columns, stage, meaning) PRINT_ROWS(type, name, m->rows, columns)
  SN_DATA_FIELDS(X)
#undef X
}

static void printArena(const Printer* printer, const snModel* m, const snData* d) {
  printContacts(printer, d);
#define X(type, name, rows, columns, stage, meaning) PRINT_ROWS(type, name, rows, columns)
  SN_DATA_ARENA_ROWS(X)
  SN_DATA_ARENA_ISLAND(X)
  SN_DATA_ARENA_DUAL(X)
#undef X
}

void sn_printFormattedData(const snModel* m, const snData* d, const char* filename,
                           const char* float_format) {
  if (d->pstack) {
    snu_error("sn_printData: the stack is in use");
    return;
  }
  Printer printer;
  if (!openPrinter(&printer, filename, float_format)) return;
  printDataHead(&printer, d);
  printArrays(&printer, m, d);
  printArena(&printer, m, d);
  closePrinter(&printer);
}

void sn_printData(const snModel* m, const snData* d, const char* filename) {
  sn_printFormattedData(m, d, filename, DEFAULT_FORMAT);
}
