// Printing: numbers, sections, pictures of sparse matrices; models as text.

#include "model/print.h"

#include <string.h>

#include "base/assert.h"
#include "model/field.h"

const char* const sn_defaultFormat = "% -9.2g";
enum { FORMAT_SIZE = 20 };

// a format that prints exactly one floating-point number: flags, width, precision, one of eEfgG
static int isFloatFormat(const char* format) {
  static const char flags[] = "-+ #0";
  const char* c = format;
  int seen[sizeof(flags)] = {0};
  if (!c) return 0;
  if (strlen(c) > FORMAT_SIZE) {
    snu_warning("Format string longer than limit of %d.", FORMAT_SIZE);
    return 0;
  }
  if (*c++ != '%') {
    snu_warning("Format string must start with '%%'.");
    return 0;
  }
  for (const char* flag; *c && (flag = strchr(flags, *c)); c++) {
    if (!seen[flag - flags]++) continue;
    snu_warning("Format string contains repeated flag.");
    return 0;
  }
  c += strspn(c, "0123456789");
  if (*c == '.') c += 1 + strspn(c + 1, "0123456789");
  if (!*c || !strchr("fgGeE", *c)) {
    snu_warning("Format string specifier must be one of \"fgGeE\".");
    return 0;
  }
  if (!c[1]) return 1;
  snu_warning("Unable to match format string %s with expected pattern for a single float.", format);
  return 0;
}

static const char* checkedFormat(const char* format) {
  if (isFloatFormat(format)) return format;
  snu_warning("WARNING: Received invalid float_format. Using default instead.");
  return sn_defaultFormat;
}

int sn_openPrinter(snPrinter* printer, const char* filename, const char* float_format) {
  printer->file = filename ? fopen(filename, "w") : stdout;
  if (!printer->file) {
    snu_warning("Could not open file '%s' for writing mjModel", filename);
    return 0;
  }
  printer->format = checkedFormat(float_format);
  return 1;
}

void sn_closePrinter(snPrinter* printer) {
  if (printer->file != stdout) fclose(printer->file);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void sn_printReal(const snPrinter* printer, double value) {
  fprintf(printer->file, printer->format, value);
}
#pragma GCC diagnostic pop

void sn_printReals(const snPrinter* printer, const snReal* values, snSize count) {
  for (snSize i = 0; i < count; i++) {
    if (i) fputc(' ', printer->file);
    sn_printReal(printer, (double)values[i]);
  }
}

void sn_printTitle(const snPrinter* printer, const char* name) {
  for (const char* c = name; *c; c++) {
    fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, printer->file);
  }
  fputc('\n', printer->file);
}

void sn_printIntegers(const snPrinter* printer, const char* name, const int* values, snSize count) {
  if (count <= 0) return;
  sn_printTitle(printer, name);
  fputc(' ', printer->file);
  for (snSize i = 0; i < count; i++) fprintf(printer->file, " %d", values[i]);
  fputs("\n\n", printer->file);
}

void sn_printSparse(const snPrinter* printer, const char* name, const snPattern* pattern,
                    const snReal* values) {
  if (!pattern->rows || pattern->rows > snPRINT_MOST) return;
  sn_printTitle(printer, name);
  for (int i = 0; i < pattern->rows; i++) {
    fputs("  ", printer->file);
    for (int k = 0; k < pattern->rownnz[i]; k++) {
      int entry = pattern->rowadr[i] + k;
      SN_ASSERT_INDEX(pattern->colind[entry], pattern->columns);
      fprintf(printer->file, "  %2d: ", pattern->colind[entry]);
      sn_printReal(printer, (double)values[entry]);
    }
    fputc('\n', printer->file);
  }
  fputc('\n', printer->file);
}

void sn_printRuler(const snPrinter* printer, int columns) {
  for (int i = 0; i < columns + 2; i++) fputc('-', printer->file);
  fputc('\n', printer->file);
}

void sn_printPicture(const snPrinter* printer, const char* title, const snPattern* pattern) {
  if (!pattern->rows || !pattern->columns || pattern->columns > snPRINT_MOST) return;
  fprintf(printer->file, "%s\n", title);
  sn_printRuler(printer, pattern->columns);
  for (int i = 0; i < pattern->rows; i++) {
    int column = 0;
    fputc(' ', printer->file);
    for (int k = 0; k < pattern->rownnz[i]; k++) {
      int next = pattern->colind[pattern->rowadr[i] + k];
      SN_ASSERT_INDEX(next, pattern->columns);
      for (; column < next; column++) fputc(' ', printer->file);
      fputc(pattern->diagonal && next == i ? 'D' : 'x', printer->file);
      column++;
    }
    for (; column < pattern->columns; column++) fputc(' ', printer->file);
    fputs(" |", printer->file);
    if (pattern->rowsuper && pattern->rowsuper[i]) {
      fprintf(printer->file, " %d", pattern->rowsuper[i]);
    }
    fputc('\n', printer->file);
  }
  sn_printRuler(printer, pattern->columns);
  fputc('\n', printer->file);
}

// ---- model ----

// count entries on one line
static void printReals(const snPrinter* printer, const snReal* x, snSize count) {
  for (snSize i = 0; i < count; i++) {
    sn_printReal(printer, (double)x[i]);
    fputc(' ', printer->file);
  }
}

// an entry by the letter of its type
static void printEntry(const snPrinter* printer, char letter, const char* entry, int first) {
  FILE* file = printer->file;
  switch (letter) {
    case 'd': sn_printReal(printer, *(const double*)(const void*)entry), fputc(' ', file); break;
    case 'f':
      sn_printReal(printer, (double)*(const float*)(const void*)entry), fputc(' ', file);
      break;
    case 'i': fprintf(file, first ? "%d " : " %d ", *(const int*)(const void*)entry); break;
    case 'B': fprintf(file, first ? "%d " : " %d ", *(const snByte*)entry); break;
    case 'q': fprintf(file, "%lld ", (long long)*(const snSize*)(const void*)entry); break;
    default: fputc(*entry ? *entry : ' ', file);
  }
}

// the row of a field, one line; real numbers bring a space for their sign
static void printRow(const snPrinter* printer, const snField* f, const char* row, snSize columns) {
  int width = f->letter == 'd' || f->letter == 'f' ? 20 : 21;
  fprintf(printer->file, "  %-*s ", width, f->name);
  for (snSize i = 0; i < columns; i++) printEntry(printer, f->letter, row + i * f->bytes, !i);
  fputc('\n', printer->file);
}

static void printBytes(const snPrinter* printer, const char* name, snSize bytes) {
  if (bytes >= 1024) {
    fprintf(printer->file, "  %-9s %9lld KB\n", name, (long long)(bytes / 1024));
  } else if (bytes > 0) {
    fprintf(printer->file, "  %-9s %7lld bytes\n", name, (long long)bytes);
  }
}

// bytes of all arrays whose names begin so
static snSize arrayBytes(const snModel* m, const char* prefix) {
  snSize bytes = 0;
  for (int i = 0; i < snMODEL_FIELDS; i++) {
    const snField* f = sn_modelFields + i;
    if (!strncmp(f->name, prefix, strlen(prefix))) bytes += sn_fieldBytes(f, m);
  }
  return bytes;
}

// bytes of all arrays that are counted by a size that begins so, those of objects (the size itself) left out
static snSize partBytes(const snModel* m, const char* size) {
  snSize bytes = 0;
  for (int i = 0; i < snMODEL_FIELDS; i++) {
    const snField* f = sn_modelFields + i;
    int part = !strncmp(f->rows_name, size, strlen(size)) && strcmp(f->rows_name, size);
    if (part) bytes += sn_fieldBytes(f, m);
  }
  return bytes;
}

// the large parts; tables that have one row per object count as other
static void printMemory(const snPrinter* printer, const snModel* m) {
  snSize total = arrayBytes(m, "") + (snSize)(sizeof(m->opt) + sizeof(m->vis) + sizeof(m->stat));
  snSize meshes = partBytes(m, "nmesh"), skins = partBytes(m, "nskin");
  snSize trees = arrayBytes(m, "bvh_") + arrayBytes(m, "oct_");
  snSize textures = arrayBytes(m, "tex_data");
  fprintf(printer->file, "MEMORY\n");
  printBytes(printer, "total", total);
  printBytes(printer, "meshes", meshes);
  printBytes(printer, "bvhs", trees);
  printBytes(printer, "skins", skins);
  printBytes(printer, "textures", textures);
  printBytes(printer, "other", total - meshes - trees - skins - textures);
  fputc('\n', printer->file);
}

static void printModelHead(const snPrinter* printer, const snModel* m) {
  FILE* file = printer->file;
  fprintf(file, "MuJoCo version %s\nmodel name     %s\n\n", sn_versionString(),
          m->nnames ? m->names : "");
  printMemory(printer, m);
  fprintf(file, "SIZES\n");
#define X(name, rule, meaning) \
  if (m->name) fprintf(file, "  %-18s  %lld\n", #name, (long long)m->name);
  SN_MODEL_SIZES(X)
#undef X
}

// scalars first, then integers, then vectors
static void printOption(const snPrinter* printer, const snOption* opt) {
  FILE* file = printer->file;
  fprintf(file, "\nOPTION\n");
#define NOTHING(...)
#define R(name)                             \
  fprintf(file, "  %-18s ", #name);         \
  sn_printReal(printer, (double)opt->name); \
  fputc('\n', file);
#define I(name, rule) fprintf(file, "  %-18s  %d\n", #name, opt->name);
#define V(name, count)                   \
  fprintf(file, "  %-18s ", #name);      \
  printReals(printer, opt->name, count); \
  fputc('\n', file);
  SN_OPTION_FIELDS(R, NOTHING, NOTHING)
  SN_OPTION_FIELDS(NOTHING, NOTHING, I)
  SN_OPTION_FIELDS(NOTHING, V, NOTHING)
#undef R
#undef V
#undef I
#undef NOTHING
}

static void printStatistic(const snPrinter* printer, const snModel* m) {
  FILE* file = printer->file;
  fprintf(file, "\ntotalmass            ");
  sn_printReal(printer, (double)sn_getTotalmass(m));
  fprintf(file, "\n\nSTATISTIC\n");
#define R(name)                                \
  fprintf(file, "  %-18s ", #name);            \
  sn_printReal(printer, (double)m->stat.name); \
  fputc('\n', file);
#define V(name, count)                                                            \
  fprintf(file, "  %-18s ", #name);                                               \
  for (int i = 0; i < count; i++) sn_printReal(printer, (double)m->stat.name[i]); \
  fputc('\n', file);
  SN_STATISTIC_FIELDS(R, V)
#undef R
#undef V
}

// objects that are printed one by one, with their names: size, title, object type
// clang-format off
#define MODEL_GROUPS(G) \
  G(nbody, BODY, snOBJ_BODY)          G(njnt, JOINT, snOBJ_JOINT)       G(nv, DOF, snOBJ_DOF) \
  G(ntree, TREE, snOBJ_UNKNOWN)       G(ngeom, GEOM, snOBJ_GEOM)        G(nsite, SITE, snOBJ_SITE) \
  G(ncam, CAMERA, snOBJ_CAMERA)       G(nlight, LIGHT, snOBJ_LIGHT)     G(nflex, FLEX, snOBJ_FLEX) \
  G(nmesh, MESH, snOBJ_MESH)          G(nskin, SKIN, snOBJ_SKIN)        G(nhfield, HEIGHTFIELD, snOBJ_HFIELD) \
  G(ntex, TEXTURE, snOBJ_TEXTURE)     G(nmat, MATERIAL, snOBJ_MATERIAL) G(npair, PAIR, snOBJ_PAIR) \
  G(nexclude, EXCLUDE, snOBJ_EXCLUDE) G(neq, EQUALITY, snOBJ_EQUALITY)  G(ntendon, TENDON, snOBJ_TENDON) \
  G(nu, ACTUATOR, snOBJ_ACTUATOR)   G(nsensor, SENSOR, snOBJ_SENSOR) \
  G(nnumeric, NUMERIC, snOBJ_NUMERIC) G(ntext, TEXT, snOBJ_TEXT)        G(ntuple, TUPLE, snOBJ_TUPLE)
// clang-format on

// rows of sparse matrices and lists of our own have the sizes of objects and are not theirs
static int belongs(const char* field) {
  static const char* const own[] = {"flexdof_",          "flexedge_JT_",      "flex_elasticmodel",
                                    "flex_bendingmodel", "flex_elasticparam", "flex_bendingparam",
                                    "mesh_hull",         "actuator_model"};
  for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
    if (!strncmp(field, own[i], strlen(own[i]))) return 0;
  }
  return strncmp(field, "name_", 5) && strncmp(field, "qpos", 4) && strncmp(field, "B_", 2) &&
         strncmp(field, "M_", 2) && strncmp(field, "D_", 2);
}

static void printPath(const snPrinter* printer, const snModel* m, int tendon) {
  SN_ASSERT_INDEX(tendon, m->ntendon);
  fprintf(printer->file, "  path\n    type  objid  prm\n");
  for (int k = 0; k < m->tendon_num[tendon]; k++) {
    int wrap = m->tendon_adr[tendon] + k;
    fprintf(printer->file, "    %-5d %-5d ", m->wrap_type[wrap], m->wrap_objid[wrap]);
    sn_printReal(printer, (double)m->wrap_prm[wrap]);
    fputc('\n', printer->file);
  }
  fputc('\n', printer->file);
}

// counts of the convex hull
static void printHull(const snPrinter* printer, const snModel* m, int mesh) {
  SN_ASSERT_INDEX(mesh, m->nmesh);
  int adr = m->mesh_graphadr[mesh];
  if (adr < 0) return;
  fprintf(printer->file, "  qhull face            %d\n", m->mesh_graph[adr + 1]);
  fprintf(printer->file, "  qhull vert            %d\n", m->mesh_graph[adr]);
}

static void printObject(const snPrinter* printer, const snModel* m, const char* size, int i) {
  for (int k = 0; k < snMODEL_FIELDS; k++) {
    const snField* f = sn_modelFields + k;
    snSize columns = sn_fieldColumns(f, m);
    if (strcmp(f->rows_name, size) || !belongs(f->name) || columns <= 0) continue;
    const char* row = (const char*)sn_fieldArray(f, m) + i * columns * f->bytes;
    printRow(printer, f, row, columns);
  }
}

static void printStructure(const snPrinter* printer, const snModel* m) {
  snPattern body = {(int)m->nbody, (int)m->nv, m->B_rownnz, m->B_rowadr, m->B_colind, NULL, 0};
  sn_printPicture(printer, "B: body-dof matrix", &body);
  sn_printIntegers(printer, "B_rownnz", m->B_rownnz, m->nbody);
  sn_printIntegers(printer, "B_rowadr", m->B_rowadr, m->nbody);
  sn_printIntegers(printer, "B_colind", m->B_colind, m->nB);
  snPattern inertia = {(int)m->nv, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, NULL, 0};
  sn_printPicture(printer, "M: reduced inertia matrix", &inertia);
  sn_printIntegers(printer, "M_rownnz", m->M_rownnz, m->nv);
  sn_printIntegers(printer, "M_rowadr", m->M_rowadr, m->nv);
  sn_printIntegers(printer, "M_colind", m->M_colind, m->nC);
  sn_printIntegers(printer, "mapM2M", m->mapM2M, m->nC);
  snPattern dofs = {(int)m->nv, (int)m->nv, m->D_rownnz, m->D_rowadr, m->D_colind, NULL, 1};
  sn_printPicture(printer, "D: dof-dof matrix", &dofs);
  sn_printIntegers(printer, "D_rownnz", m->D_rownnz, m->nv);
  sn_printIntegers(printer, "D_rowadr", m->D_rowadr, m->nv);
  sn_printIntegers(printer, "D_colind", m->D_colind, m->nD);
  sn_printIntegers(printer, "mapM2D", m->mapM2D, m->nD);
  sn_printIntegers(printer, "mapD2M", m->mapD2M, m->nC);
}

static void printTail(const snPrinter* printer, const snModel* m) {
  FILE* file = printer->file;
  fprintf(file, "\nSIGNATURE\n  %llu\n\n", (unsigned long long)m->signature);
  fprintf(file, "BVH:\n  id      depth   nodeid  child[0]  child[1]\n");
  for (int i = 0; i < m->nbvh; i++) {
    fprintf(file, "  %-6d  %-6d  % -6d  % -8d  % d\n", i, m->bvh_depth[i], m->bvh_nodeid[i],
            m->bvh_child[2 * i], m->bvh_child[2 * i + 1]);
  }
  fputc('\n', file);
}

// ---- custom numbers, texts, tuples; keyframes ----

static void printShortReals(const snPrinter* printer, const snReal* values, snSize count) {
  for (snSize i = 0; i < count; i++) sn_printReal(printer, (double)values[i]);
  fputc('\n', printer->file);
}

static void printNumeric(const snPrinter* printer, const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nnumeric);
  fprintf(printer->file, "  size         %d\n  value       ", m->numeric_size[i]);
  printShortReals(printer, m->numeric_data + m->numeric_adr[i], m->numeric_size[i]);
}

static void printText(const snPrinter* printer, const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->ntext);
  fprintf(printer->file, "  size         %d\n  value        %s\n", m->text_size[i],
          m->text_data + m->text_adr[i]);
}

static void printTuple(const snPrinter* printer, const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->ntuple);
  fprintf(printer->file, "  size         %d\n  elements\n", m->tuple_size[i]);
  for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
    const char* type = snu_type2Str(m->tuple_objtype[k]);
    fprintf(printer->file, "       %s %d, prm = ", type ? type : "", m->tuple_objid[k]);
    printShortReals(printer, m->tuple_objprm + k, 1);
  }
}

// custom elements have fields of varying size; returns 0 for objects of other kinds
static int printCustom(const snPrinter* printer, const snModel* m, int objtype, int i) {
  const char* name = sn_id2name(m, objtype, i);
  if (objtype != snOBJ_NUMERIC && objtype != snOBJ_TEXT && objtype != snOBJ_TUPLE) return 0;
  fprintf(printer->file, "  name         %s\n", name ? name : "");
  if (objtype == snOBJ_NUMERIC) printNumeric(printer, m, i);
  if (objtype == snOBJ_TEXT) printText(printer, m, i);
  if (objtype == snOBJ_TUPLE) printTuple(printer, m, i);
  return 1;
}

// an array of a keyframe where it differs from the default (NULL: zero); returns if it does
static int printKeyArray(const snPrinter* printer, const char* name, int key, const snReal* values,
                         const snReal* usual, snSize count) {
  int differs = 0;
  for (snSize i = 0; i < count; i++) differs |= values[i] != (usual ? usual[i] : 0);
  if (!differs) return 0;
  fprintf(printer->file, "key_%s%d   ", name, key);
  printShortReals(printer, values, count);
  return 1;
}

static int printKeyMocap(const snPrinter* printer, const snModel* m, int key) {
  SN_ASSERT_INDEX(key, m->nkey);
  int moved = 0, turned = 0;
  for (int b = 0; b < m->nbody; b++) {
    int k = m->body_mocapid[b];
    if (k < 0) continue;
    const snReal* pos = m->key_mpos + 3 * (key * m->nmocap + k);
    const snReal* quat = m->key_mquat + 4 * (key * m->nmocap + k);
    for (int c = 0; c < 3; c++) moved |= pos[c] != m->body_pos[3 * b + c];
    for (int c = 0; c < 4; c++) turned |= quat[c] != m->body_quat[4 * b + c];
  }
  if (moved) {
    fprintf(printer->file, "key_mpos%d   ", key);
    printShortReals(printer, m->key_mpos + 3 * key * m->nmocap, 3 * m->nmocap);
  }
  if (turned) {
    fprintf(printer->file, "key_mquat%d   ", key);
    printShortReals(printer, m->key_mquat + 4 * key * m->nmocap, 4 * m->nmocap);
  }
  return moved || turned;
}

static void printKey(const snPrinter* printer, const snModel* m, int i) {
  const char* name = sn_id2name(m, snOBJ_KEY, i);
  int any = 0;
  if (name && *name) fprintf(printer->file, "key_name%d    %s\n", i, name);
  if (m->key_time[i] != 0) {
    fprintf(printer->file, "key_time%d    %.4f\n", i, (double)m->key_time[i]);
  }
  any |= printKeyArray(printer, "qpos", i, m->key_qpos + i * m->nq, m->qpos0, m->nq);
  any |= printKeyArray(printer, "qvel", i, m->key_qvel + i * m->nv, NULL, m->nv);
  any |= printKeyArray(printer, "act", i, m->key_act + i * m->na, NULL, m->na);
  any |= printKeyMocap(printer, m, i);
  any |= printKeyArray(printer, "ctrl", i, m->key_ctrl + i * m->nu, NULL, m->nu);
  snSize nvert = 3 * m->ndeformvert;
  any |= printKeyArray(printer, "deformpos", i, m->key_deformpos + i * nvert, m->deformvert_pos,
                       nvert);
  any |= printKeyArray(printer, "deformvel", i, m->key_deformvel + i * nvert, NULL, nvert);
  if (any) fputc('\n', printer->file);
}

static int isNamed(int objtype) { return objtype != snOBJ_UNKNOWN && objtype != snOBJ_DOF; }

void sn_printFormattedModel(const snModel* m, const char* filename, const char* float_format) {
  snPrinter printer;
  if (!sn_openPrinter(&printer, filename, float_format)) return;
  printModelHead(&printer, m);
  printOption(&printer, &m->opt);
  printStatistic(&printer, m);
  fprintf(printer.file, "\nqpos0                ");
  printReals(&printer, m->qpos0, m->nq);
  fprintf(printer.file, "\n\nqpos_spring          ");
  printReals(&printer, m->qpos_spring, m->nq);
  fprintf(printer.file, "\n\n");
#define G(size, title, objtype)                                                              \
  for (int i = 0; i < m->size; i++) {                                                        \
    fprintf(printer.file, "\n" #title " %d:\n", i);                                          \
    if (!printCustom(&printer, m, objtype, i)) {                                             \
      const char* name = sn_id2name(m, objtype, i);                                          \
      if (isNamed(objtype)) fprintf(printer.file, "  %-21s %s\n", "name", name ? name : ""); \
      printObject(&printer, m, #size, i);                                                    \
    }                                                                                        \
    if (objtype == snOBJ_MESH) printHull(&printer, m, i);                                    \
    if (objtype == snOBJ_TENDON) printPath(&printer, m, i);                                  \
    if (i + 1 == m->size) fputc('\n', printer.file);                                         \
  }
  MODEL_GROUPS(G)
#undef G
  for (int i = 0; i < m->nkey; i++) printKey(&printer, m, i);
  printStructure(&printer, m);
  printTail(&printer, m);
  sn_closePrinter(&printer);
}

void sn_printModel(const snModel* m, const char* filename) {
  sn_printFormattedModel(m, filename, sn_defaultFormat);
}
