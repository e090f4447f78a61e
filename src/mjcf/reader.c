// The reader: documents, includes, the order of sections, and what all elements have in common.

#include "mjcf/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "asset/resource.h"
#include "base/error.h"
#include "mjcf/hint.h"

// whether an element stands in a file that the main one includes
static int isIncluded(const snReader* r, const snXmlNode* node) {
  return node->file && r->file && strcmp(node->file, r->file) != 0;
}

int sn_mjcfFail(snReader* r, const snXmlNode* node, const char* format, ...) {
  if (r->failed) return 0;
  r->failed = 1;
  char text[700];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  if (sn_plainMessages()) r->hint[0] = 0;
  if (!node) {
    sn_formatError(r->error, r->error_sz, "XML Error: %s%s%s", text, *r->hint ? "\n" : "", r->hint);
  } else if (sn_plainMessages()) {
    sn_formatError(r->error, r->error_sz, "XML Error: %s\nElement '%s', line %d\n", text,
                   node->name, isIncluded(r, node) ? 0 : node->line);
  } else if (node->file && *node->file) {
    sn_formatError(r->error, r->error_sz, "XML Error: %s\nElement '%s', line %d, file '%s'\n%s",
                   text, node->name, node->line, node->file, r->hint);
  } else {
    sn_formatError(r->error, r->error_sz, "XML Error: %s\nElement '%s', line %d\n%s", text,
                   node->name, node->line, r->hint);
  }
  return 0;
}

// ---- what elements have in common ----

void sn_mjcfName(snReader* r, const snXmlNode* node, snElem* e, snString* info) {
  const char* name = sn_xmlAttr(node, "name");
  char line[32];
  sn_elemSetSource(e, node->file, node->line);
  e->included = (snByte)isIncluded(r, node);
  snprintf(line, sizeof(line), "line %d", node->line);
  sns_setString(info, line);
  if (r->failed || !name) return;
  snObj type = e->head.elemtype;
  // the compiler finds those of plugins
  if (type != snOBJ_PLUGIN && sn_findName(r->spec, type, name)) {
    sn_mjcfFail(r, node, "Error: repeated name '%s' in %s", name, sn_typeName(type));
  } else if (sns_setName(&e->head, name) && type != snOBJ_PLUGIN) {
    sn_mjcfFail(r, node, "out of memory");
  }
}

const snsDefault* sn_mjcfClass(snReader* r, const snXmlNode* node, const snsDefault* other) {
  const char* name = sn_xmlAttr(node, "class");
  if (!name) return other;
  const snsDefault* def = sns_findDefault(r->spec, name);
  if (!def) {
    sn_hintName(r, snOBJ_DEFAULT, name);
    sn_mjcfFail(r, node, "unknown default class name '%s'", name);
  }
  return def ? def : other;
}

snObj sn_objectType(const char* name) {
  for (int type = snOBJ_UNKNOWN + 1; type < snNOBJECT; type++) {
    if (!strcmp(sn_typeName((snObj)type), name)) return (snObj)type;
  }
  return !strcmp(name, "frame") ? snOBJ_FRAME : snOBJ_UNKNOWN;
}

// ---- sections ----

static const struct {
  const char* name;
  void (*read)(snReader*, const snXmlNode*);
} sections[] = {
    {"compiler", sn_mjcfCompiler},
    {"option", sn_mjcfOption},
    {"size", sn_mjcfSize},
    {"visual", sn_mjcfVisual},
    {"statistic", sn_mjcfStatistic},
    {"default", sn_mjcfDefault},
    {"extension", sn_mjcfExtension},
    {"custom", sn_mjcfCustom},
    {"asset", sn_mjcfAsset},
    {"contact", sn_mjcfContact},
    {"deformable", sn_mjcfDeformable},
    {"equality", sn_mjcfEquality},
    {"tendon", sn_mjcfTendon},
    {"actuator", sn_mjcfActuator},
    {"sensor", sn_mjcfSensor},
    {"keyframe", sn_mjcfKeyframe},
    {"worldbody", sn_mjcfWorld},
};

static void readModel(snReader* r, const snXmlNode* root) {
  const char* name = sn_xmlAttr(root, "model");
  if (name) sns_setString(r->spec->modelname, name);
  if (root->comment) sns_setString(r->spec->comment, root->comment);
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
    for (const snXmlNode* node = root->first; node && !r->failed; node = node->next) {
      if (!strcmp(node->name, sections[i].name)) sections[i].read(r, node);
    }
  }
}

static void readDocument(snReader* r, const char* text, size_t length, const char* file) {
  snXmlNode* root = sn_xmlParse(&r->pool, text, length, file, r->error, r->error_sz);
  if (!root) {
    r->failed = 1;
    return;
  }
  if (!strcasecmp(root->name, "robot")) {
    sn_readUrdf(r, root);
    return;
  }
  if (strcasecmp(root->name, "mujoco")) {
    sn_mjcfFail(r, sn_plainMessages() ? NULL : root, "Unrecognized XML model type: '%s'",
                root->name);
    return;
  }
  r->file = root->file;
  if (sn_mjcfIncludes(r, root, file) && sn_validate(r, root)) readModel(r, root);
}

static snSpec* parseText(const char* text, size_t length, const char* file, const snVFS* vfs,
                         int depth, char* error, int error_sz) {
  char folder[1024] = "";
  if (error && error_sz > 0) error[0] = 0;
  snReader r = {.vfs = vfs, .folder = folder, .depth = depth, .error = error, .error_sz = error_sz};
  if (file) sn_pathDirectory(file, folder, sizeof(folder));
  r.spec = sn_makeSpec();
  if (!r.spec) {
    sn_formatError(error, error_sz, "out of memory");
    return NULL;
  }
  sns_setString(r.spec->modelfiledir, folder);
  readDocument(&r, text, length, file);
  sn_poolRelease(&r.pool);
  if (r.nan) snu_warning("XML contains a 'NaN'. Please check it carefully.");
  if (!r.failed) return r.spec;
  sn_deleteSpec(r.spec);
  return NULL;
}

static snSpec* parseFile(const char* filename, const snVFS* vfs, int depth, char* error,
                         int error_sz) {
  snResource resource = {0};
  char why[500] = "";
  if (!filename) {
    sn_formatError(error, error_sz, "ParseXML: filename argument required\n");
    return NULL;
  }
  if (sn_openResource(&resource, vfs, NULL, filename, why, sizeof(why))) {
    sn_formatError(error, error_sz, "ParseXML: %s", why);
    return NULL;
  }
  snSpec* spec = NULL;
  if (!resource.bytes.size) {
    sn_formatError(error, error_sz, "ParseXML: empty file '%s'", filename);
  } else {
    spec = parseText((const char*)resource.bytes.data, resource.bytes.size, filename, vfs, depth,
                     error, error_sz);
  }
  sn_closeResource(&resource);
  return spec;
}

static snDecodeHook decode_hook;
void sn_setDecodeHook(snDecodeHook hook) { decode_hook = hook; }

// whether a file is read as XML: by its type, by its extension, and without anyone who decodes others always
static int isXml(const char* file, const char* type) {
  const char* dot = strrchr(file, '.');
  if (!decode_hook || (type && !strcmp(type, "text/xml"))) return 1;
  return dot && (!strcasecmp(dot, ".xml") || !strcasecmp(dot, ".urdf"));
}

snSpec* sn_mjcfModel(snReader* r, const snXmlNode* node, const char* file) {
  const char* type = sn_xmlAttr(node, "content_type");
  enum { MAX_MODELS = 20 };
  char folder[1024] = "", path[2048], error[600] = "";
  if (r->depth >= MAX_MODELS) {
    sn_mjcfFail(r, node, "models are nested too deeply (a model that contains itself?)");
    return NULL;
  }
  if (node->file) sn_pathDirectory(node->file, folder, sizeof(folder));
  if (!sn_pathJoin(folder, file, path, sizeof(path))) {
    sn_mjcfFail(r, node, "name of file is too long");
    return NULL;
  }
  snSpec* spec = isXml(path, type) ? parseFile(path, r->vfs, r->depth + 1, error, sizeof(error))
                                   : sn_parse(path, type, r->vfs, error, sizeof(error));
  if (spec) return spec;
  if (r->depth == 0) {
    sn_mjcfFail(r, node, "could not parse model file with error: %s", error);
  } else {
    // the innermost message is the one that helps
    sn_formatError(r->error, r->error_sz, "%s", error);
    r->failed = 1;
  }
  return NULL;
}

// ---- public ----

snSpec* sn_parseXML(const char* filename, const snVFS* vfs, char* error, int error_sz) {
  return parseFile(filename, vfs, 0, error, error_sz);
}

snSpec* sn_parseXMLString(const char* xml, const snVFS* vfs, char* error, int error_sz) {
  if (!xml || !*xml) {
    sn_formatError(error, error_sz, "%s",
                   sn_plainMessages() ? "XML parse error 13:\nError=XML_ERROR_EMPTY_DOCUMENT "
                                        "ErrorID=13 (0xd) Line number=0\n"
                                      : "ParseXML: empty string");
    return NULL;
  }
  return parseText(xml, strlen(xml), NULL, vfs, 0, error, error_sz);
}

snSpec* sn_parse(const char* filename, const char* content_type, const snVFS* vfs, char* error,
                 int error_sz) {
  if (filename && !isXml(filename, content_type)) {
    return decode_hook(filename, content_type, vfs, error, error_sz);
  }
  if (content_type && *content_type && !strstr(content_type, "xml")) {
    sn_formatError(error, error_sz, "content type '%s' is not supported", content_type);
    return NULL;
  }
  return parseFile(filename, vfs, 0, error, error_sz);
}

// ---- dependencies ----

static void addDependency(snStringVec* list, const char* folder, const char* file) {
  char path[2048];
  if (!sn_pathJoin(folder, file, path, sizeof(path))) return;
  for (int i = 0; i < list->size; i++) {
    if (sn_stringIs(list->data + i, path)) return;
  }
  sns_appendString(list, path);
}

// attributes that name files, with the folder that applies to them
static void collectFiles(const snXmlNode* node, const char* folder, const char* meshdir,
                         const char* texturedir, snStringVec* list) {
  for (const snXmlAttr* attr = node->attr; attr; attr = attr->next) {
    if (strncmp(attr->name, "file", 4)) continue;
    int plain = !strcmp(node->name, "include") || !strcmp(node->name, "model");
    int texture = !strcmp(node->name, "texture");
    char path[2048];
    const char* assets = plain ? "" : texture ? texturedir : meshdir;
    if (sn_pathJoin(assets, attr->value, path, sizeof(path))) addDependency(list, folder, path);
  }
  for (const snXmlNode* child = node->first; child; child = child->next) {
    collectFiles(child, folder, meshdir, texturedir, list);
  }
}

static void addFiles(const snXmlNode* root, const char* folder, snStringVec* list) {
  const char* meshdir = "";
  const char* texturedir = "";
  for (const snXmlNode* node = root->first; node; node = node->next) {
    if (strcmp(node->name, "compiler")) continue;
    const char* all = sn_xmlAttr(node, "assetdir");
    const char* mesh = sn_xmlAttr(node, "meshdir");
    const char* texture = sn_xmlAttr(node, "texturedir");
    if (all) meshdir = texturedir = all;
    if (mesh) meshdir = mesh;
    if (texture) texturedir = texture;
  }
  collectFiles(root, folder, meshdir, texturedir, list);
}

void snu_getXMLDependencies(const char* filename, snStringVec* dependencies) {
  if (!filename || !dependencies) return;
  sns_appendString(dependencies, filename);
  // XML files that are found are read in turn; none is listed twice, so this ends
  for (int i = 0; i < dependencies->size; i++) {
    char folder[1024], path[2048];
    snprintf(path, sizeof(path), "%s", sns_getString(dependencies->data + i));
    size_t length = strlen(path);
    if (i && (length < 4 || strcasecmp(path + length - 4, ".xml"))) continue;
    snResource resource = {0};
    snPool pool = {0};
    if (sn_openResource(&resource, NULL, NULL, path, NULL, 0)) {
      snu_error(
          "Problem reading XML file '%s': Error=XML_ERROR_FILE_NOT_FOUND ErrorID=3 (0x3) Line "
          "number=0: filename=%s",
          path, path);
      return;
    }
    const snXmlNode* root =
        sn_xmlParse(&pool, (const char*)resource.bytes.data, resource.bytes.size, path, NULL, 0);
    sn_pathDirectory(path, folder, sizeof(folder));
    if (root) addFiles(root, folder, dependencies);
    sn_poolRelease(&pool);
    sn_closeResource(&resource);
  }
}
