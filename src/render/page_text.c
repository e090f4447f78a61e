// Recordings as text: a description in JSON and arrays, packed by zlib, in base64, inside of the page that plays them.
//
// A track of positions is x of all frames, then y, then z, as 16-bit numbers in the box that the shape moves in:
// an error of at most 1/131070 of the box. Quaternions are 16-bit numbers too. Both are stored as differences from
// the frame before, modulo 2^16, which pack well.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "page_html.h"
#include "render/page.h"

enum { kMostTexels = 512, kSkyRows = 16, kRoleRgb = 1 };

// the text and the arrays that are being written, and which assets are in them already
typedef struct Writer_ {
  Bytes json, arrays;
  const snPage* page;
  const snModel* m;
  int *mesh_at, *hfield_at, *texture_at;  // place in the page, -1: not there yet
  int nmesh, ntexture;
  Bytes meshes, textures;  // JSON of each
} Writer;

// ---- JSON ----

static void put(Bytes* text, const char* word) { snr_appendBytes(text, word, strlen(word)); }

// a number that JSON can hold, whatever the locale
static void putNumber(Bytes* text, double value) {
  char word[40];
  snprintf(word, sizeof(word), "%.7g", isfinite(value) ? value : 0.0);
  for (char* c = word; *c; c++) {
    if (*c == ',') *c = '.';
  }
  put(text, word);
}

static void putKey(Bytes* text, const char* key, double value) {
  put(text, "\"");
  put(text, key);
  put(text, "\":");
  putNumber(text, value);
  put(text, ",");
}

static void putList(Bytes* text, const char* key, const float* values, int count) {
  put(text, "\"");
  put(text, key);
  put(text, "\":[");
  for (int i = 0; i < count; i++) {
    if (i) put(text, ",");
    putNumber(text, values[i]);
  }
  put(text, "],");
}

// letters, digits and a few signs of a name
static void putName(Bytes* text, const char* name) {
  put(text, "\"name\":\"");
  for (int i = 0; name[i] && i < 100; i++) {
    char c = name[i];
    int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                strchr(" _-.:()", c);
    char word[2] = {plain ? c : '?', 0};
    put(text, word);
  }
  put(text, "\",");
}

// the place of an array in the blob, aligned for numbers of four bytes
static double putArray(Writer* w, const void* data, size_t size) {
  static const char zeros[4] = {0};
  snr_appendBytes(&w->arrays, zeros, (4 - w->arrays.size % 4) % 4);
  double at = (double)w->arrays.size;
  snr_appendBytes(&w->arrays, data, size);
  return at;
}

// ---- 16 bits ----

static void boxOf(const float* points, size_t count, size_t stride, float box[6]) {
  for (int k = 0; k < 3; k++) box[k] = box[3 + k] = count ? points[k] : 0;
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      float x = points[i * stride + k];
      if (x < box[k]) box[k] = x;
      if (x > box[3 + k]) box[3 + k] = x;
    }
  }
}

static uint16_t inBox(const float box[6], int axis, float x) {
  float width = box[3 + axis] - box[axis];
  float part = width > 0 ? (x - box[axis]) / width : 0;
  return (uint16_t)lrintf(65535 * (part < 0 ? 0 : part > 1 ? 1 : part));
}

// points in their box, with its key
static double putPoints(Writer* w, Bytes* text, const float* points, size_t count) {
  float box[6];
  Bytes packed = {0};
  boxOf(points, count, 3, box);
  for (size_t i = 0; i < 3 * count; i++) {
    uint16_t x = inBox(box, (int)(i % 3), points[i]);
    snr_appendBytes(&packed, &x, sizeof(x));
  }
  w->arrays.failed |= packed.failed;
  putList(text, "box", box, 6);
  double at = putArray(w, packed.data, packed.size);
  snu_free(packed.data);
  return at;
}

// ---- assets ----

static double putFaces(Writer* w, const int* faces, int count) {
  return putArray(w, faces, 3 * (size_t)count * sizeof(int));
}

// texture coordinates of every corner of a mesh; -1 where it has none
static double putCoordinates(Writer* w, int id) {
  const snModel* m = w->m;
  if (m->mesh_texcoordadr[id] < 0) return -1;
  Bytes corners = {0};
  const float* table = m->mesh_texcoord + 2 * m->mesh_texcoordadr[id];
  for (int i = 0; i < 3 * m->mesh_facenum[id]; i++) {
    // files may name coordinates that they do not have
    static const float none[2] = {0, 0};
    int k = m->mesh_facetexcoord[3 * m->mesh_faceadr[id] + i];
    int exists = k >= 0 && k < m->mesh_texcoordnum[id];
    snr_appendBytes(&corners, exists ? table + 2 * k : none, sizeof(none));
  }
  double at = putArray(w, corners.data, corners.size);
  w->arrays.failed |= corners.failed;
  snu_free(corners.data);
  return at;
}

static void putMeshEntry(Writer* w, const float* points, int nvert, const int* faces, int nface,
                         double uv) {
  Bytes* text = &w->meshes;
  put(text, w->nmesh++ ? ",{" : "{");
  double vert = putPoints(w, text, points, (size_t)nvert);
  putKey(text, "vert", vert);
  putKey(text, "nvert", nvert);
  putKey(text, "face", putFaces(w, faces, nface));
  putKey(text, "nface", nface);
  putKey(text, "uv", uv);
  put(text, "\"x\":0}");
}

static int meshAt(Writer* w, int id) {
  const snModel* m = w->m;
  if (w->mesh_at[id] < 0) {
    w->mesh_at[id] = w->nmesh;
    double uv = putCoordinates(w, id);
    putMeshEntry(w, m->mesh_vert + 3 * m->mesh_vertadr[id], m->mesh_vertnum[id],
                 m->mesh_face + 3 * m->mesh_faceadr[id], m->mesh_facenum[id], uv);
  }
  return w->mesh_at[id];
}

// the surface of a height field as a mesh
static int hfieldAt(Writer* w, int id) {
  const snModel* m = w->m;
  if (w->hfield_at[id] >= 0) return w->hfield_at[id];
  int rows = m->hfield_nrow[id], columns = m->hfield_ncol[id];
  const snReal* size = m->hfield_size + 4 * id;
  Bytes points = {0}, faces = {0};
  for (int i = 0; i < rows * columns; i++) {
    int r = i / columns, c = i % columns;
    float p[3] = {(float)(size[0] * (2.0 * c / (columns - 1) - 1)),
                  (float)(size[1] * (2.0 * r / (rows - 1) - 1)),
                  (float)(size[2] * m->hfield_data[m->hfield_adr[id] + i])};
    int face[6] = {i, i + 1, i + columns + 1, i, i + columns + 1, i + columns};
    snr_appendBytes(&points, p, sizeof(p));
    if (r + 1 < rows && c + 1 < columns) snr_appendBytes(&faces, face, sizeof(face));
  }
  w->arrays.failed |= points.failed | faces.failed;
  w->hfield_at[id] = w->nmesh;
  if (!w->arrays.failed) {
    putMeshEntry(w, (const float*)points.data, rows * columns, (const int*)faces.data,
                 (int)(faces.size / (3 * sizeof(int))), -1);
  }
  snu_free(points.data);
  snu_free(faces.data);
  return w->hfield_at[id];
}

static void pixelAt(const snModel* m, int texture, int row, int column, snByte rgb[3]) {
  int channels = m->tex_nchannel[texture];
  const snByte* pixel =
      m->tex_data + m->tex_adr[texture] + ((size_t)row * m->tex_width[texture] + column) * channels;
  for (int k = 0; k < 3; k++) rgb[k] = pixel[channels < 3 ? 0 : k];
}

// a texture of at most 512 pixels a side
static int textureAt(Writer* w, int id) {
  const snModel* m = w->m;
  if (w->texture_at[id] >= 0) return w->texture_at[id];
  int width = m->tex_width[id], height = m->tex_height[id], step = 1;
  while (width / step > kMostTexels || height / step > kMostTexels) step++;
  Bytes pixels = {0};
  for (int r = 0; r < height / step; r++) {
    for (int c = 0; c < width / step; c++) {
      snByte rgb[3];
      pixelAt(m, id, r * step, c * step, rgb);
      snr_appendBytes(&pixels, rgb, 3);
    }
  }
  w->arrays.failed |= pixels.failed;
  put(&w->textures, w->ntexture ? ",{" : "{");
  putKey(&w->textures, "w", width / step);
  putKey(&w->textures, "h", height / step);
  putKey(&w->textures, "o", putArray(w, pixels.data, pixels.size));
  put(&w->textures, "\"x\":0}");
  snu_free(pixels.data);
  return w->texture_at[id] = w->ntexture++;
}

static void meanColor(const snModel* m, int id, float rgba[4]) {
  double sum[3] = {0, 0, 0};
  int height = m->tex_height[id], width = m->tex_width[id];
  long count = 0;
  for (int r = 0; r < height; r += 1 + height / 64) {
    for (int c = 0; c < width; c += 1 + width / 64, count++) {
      snByte rgb[3];
      pixelAt(m, id, r, c, rgb);
      for (int k = 0; k < 3; k++) sum[k] += rgb[k];
    }
  }
  for (int k = 0; k < 3 && count; k++) rgba[k] *= (float)(sum[k] / (255.0 * count));
}

// ---- slots ----

// how a shape looks: its mesh, its texture and how often that repeats over a unit shape
static void putLook(Writer* w, const snvGeom* g, const float size[3]) {
  const snModel* m = w->m;
  Bytes* text = &w->json;
  int mesh = -1, texture = -1;
  float rgba[4] = {g->rgba[0], g->rgba[1], g->rgba[2], g->rgba[3]}, repeat[2] = {1, 1};
  int shaped = g->dataid >= 0 && g->dataid / 2 < m->nmesh;
  if (shaped && (g->type == snGEOM_MESH || g->type == snGEOM_SDF)) mesh = meshAt(w, g->dataid / 2);
  if (g->type == snGEOM_HFIELD && g->dataid >= 0 && g->dataid < m->nhfield) {
    mesh = hfieldAt(w, g->dataid);
  }
  int id =
      g->matid >= 0 && g->matid < m->nmat ? m->mat_texid[snNTEXROLE * g->matid + kRoleRgb] : -1;
  if (id >= 0) {
    int stored = shaped && g->type == snGEOM_MESH && m->mesh_texcoordadr[g->dataid / 2] >= 0;
    if (m->tex_type[id] == snTEXTURE_2D && (mesh < 0 || stored)) {
      texture = textureAt(w, id);
    } else {
      meanColor(m, id, rgba);
    }
    int infinite = g->type == snGEOM_PLANE && g->size[0] <= 0;
    for (int k = 0; k < 2 && !stored; k++) {
      repeat[k] = m->mat_texrepeat[2 * g->matid + k];
      if (m->mat_texuniform[g->matid] || infinite) repeat[k] *= size[k];
    }
  }
  float shine[2] = {g->specular, g->shininess};
  putKey(text, "type", g->type == snGEOM_LINE ? snGEOM_CYLINDER : g->type);
  putKey(text, "mesh", mesh);
  putKey(text, "tex", texture);
  putList(text, "rgba", rgba, 4);
  putList(text, "repeat", repeat, 2);
  putList(text, "shine", shine, 2);
}

// sizes as the player takes them: half extents; lines are thin cylinders, infinite planes reach far
static void drawnSize(const Writer* w, const snvGeom* g, const Moment* moment, float size[3]) {
  float far = 20 * (float)w->m->stat.extent;
  memcpy(size, moment->size, 3 * sizeof(float));
  if (g->type == snGEOM_LINE) size[0] = size[1] = 0.001f * (float)w->m->stat.extent;
  for (int k = 0; k < 2 && g->type == snGEOM_PLANE; k++) size[k] = size[k] > 0 ? size[k] : far;
  if (g->type == snGEOM_PLANE) size[2] = 1;
}

static int isStill(const Moment* moments, int count) {
  for (int i = 1; i < count; i++) {
    if (memcmp(moments + i, moments, sizeof(Moment))) return 0;
  }
  return moments[0].seen;
}

// a column of a track as differences, modulo 2^16
static void putDifferences(Bytes* track, const uint16_t* values, int count) {
  uint16_t last = 0;
  for (int i = 0; i < count; i++) {
    uint16_t step = (uint16_t)(values[i] - last);
    snr_appendBytes(track, &step, sizeof(step));
    last = values[i];
  }
}

static void putTrack(Writer* w, const Moment* moments, int count, uint16_t* column) {
  Bytes places = {0}, turns = {0};
  float box[6];
  boxOf(moments->pos, (size_t)count, sizeof(Moment) / sizeof(float), box);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < count; i++) column[i] = inBox(box, k, moments[i].pos[k]);
    putDifferences(&places, column, count);
  }
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < count; i++)
      column[i] = (uint16_t)(int16_t)lrintf(32767 * moments[i].quat[k]);
    putDifferences(&turns, column, count);
  }
  w->arrays.failed |= places.failed | turns.failed;
  putList(&w->json, "box", box, 6);
  putKey(&w->json, "pos", putArray(w, places.data, places.size));
  putKey(&w->json, "quat", putArray(w, turns.data, turns.size));
  snu_free(places.data);
  snu_free(turns.data);
}

// sizes and whether it is seen, where they change
static void putChanges(Writer* w, const snvGeom* g, const Moment* moments, int count) {
  Bytes sizes = {0}, seen = {0};
  int stretched = 0, hidden = 0;
  for (int i = 0; i < count; i++) {
    float size[3];
    snByte flag = moments[i].seen != 0;
    drawnSize(w, g, moments + i, size);
    snr_appendBytes(&sizes, size, sizeof(size));
    snr_appendBytes(&seen, &flag, 1);
    hidden |= !flag;
    stretched |= memcmp(moments[i].size, moments[0].size, sizeof(moments[0].size)) != 0;
  }
  w->arrays.failed |= sizes.failed | seen.failed;
  putKey(&w->json, "sizes", stretched ? putArray(w, sizes.data, sizes.size) : -1);
  putKey(&w->json, "seen", hidden ? putArray(w, seen.data, seen.size) : -1);
  snu_free(sizes.data);
  snu_free(seen.data);
}

static void putSlot(Writer* w, const Slot* slot, uint16_t* column) {
  const Moment* moments = (const Moment*)slot->moments.data;
  int count = w->page->frames, shown = 0;
  float size[3];
  while (shown < count - 1 && !moments[shown].seen) shown++;
  drawnSize(w, &slot->first, moments + shown, size);
  put(&w->json, "{");
  putLook(w, &slot->first, size);
  putList(&w->json, "size", size, 3);
  if (isStill(moments, count)) {
    putList(&w->json, "p", moments->pos, 3);
    putList(&w->json, "q", moments->quat, 4);
    put(&w->json, "\"still\":1}");
    return;
  }
  putTrack(w, moments, count, column);
  putChanges(w, &slot->first, moments, count);
  put(&w->json, "\"still\":0}");
}

static void putSoft(Writer* w, const Soft* soft) {
  const snModel* m = w->m;
  Bytes* text = &w->json;
  put(text, "{");
  double at =
      putPoints(w, text, (const float*)soft->points.data, (size_t)soft->count * w->page->frames);
  putKey(text, "vert", at);
  putKey(text, "n", soft->count);
  putList(text, "rgba", soft->rgba, 4);
  if (soft->type == snGEOM_SKIN) {
    putKey(text, "face",
           putFaces(w, m->skin_face + 3 * m->skin_faceadr[soft->id], m->skin_facenum[soft->id]));
    putKey(text, "nface", m->skin_facenum[soft->id]);
  } else {
    Bytes faces = {0};
    for (int i = 0; i < soft->count; i++) snr_appendBytes(&faces, &i, sizeof(i));
    w->arrays.failed |= faces.failed;
    putKey(text, "face", putArray(w, faces.data, faces.size));
    putKey(text, "nface", soft->count / 3);
    snu_free(faces.data);
  }
  put(text, "\"x\":0}");
}

// ---- the whole ----

static void putCamera(Writer* w) {
  const snPage* page = w->page;
  const snvCamera* c = &page->free_camera;
  float lookat[3] = {(float)c->lookat[0], (float)c->lookat[1], (float)c->lookat[2]};
  put(&w->json, "\"camera\":{");
  putList(&w->json, "lookat", lookat, 3);
  putKey(&w->json, "distance", (double)c->distance);
  putKey(&w->json, "azimuth", (double)c->azimuth);
  putKey(&w->json, "elevation", (double)c->elevation);
  putKey(&w->json, "fovy", w->m->vis.global.fovy);
  int fixed = page->camera_slot >= 0 && page->slots[page->camera_slot].first.dataid >= 0;
  putKey(&w->json, "trackfovy",
         fixed ? (double)w->m->cam_fovy[page->camera.fixedcamid] : w->m->vis.global.fovy);
  putKey(&w->json, "slot", page->camera_slot);
  put(&w->json, "\"x\":0},");
}

// colours of the sky from above to below: one side of the skybox
static void putSky(Writer* w) {
  const snModel* m = w->m;
  int sky = -1;
  for (int i = 0; i < m->ntex; i++) {
    int empty = !m->tex_width[i] || !m->tex_height[i];
    if (m->tex_type[i] == snTEXTURE_SKYBOX && sky < 0 && !empty) sky = i;
  }
  put(&w->json, "\"sky\":[");
  for (int i = 0; i < kSkyRows; i++) {
    snByte rgb[3] = {(snByte)(200 - 5 * i), (snByte)(205 - 5 * i), (snByte)(215 - 5 * i)};
    char word[40];
    if (sky >= 0) {
      int side = m->tex_width[sky], first = m->tex_height[sky] / 6 >= side ? 4 * side : 0;
      if (side > m->tex_height[sky]) side = m->tex_height[sky];
      pixelAt(m, sky, first + i * (side - 1) / (kSkyRows - 1), side / 2, rgb);
    }
    snprintf(word, sizeof(word), "%s[%d,%d,%d]", i ? "," : "", rgb[0], rgb[1], rgb[2]);
    put(&w->json, word);
  }
  put(&w->json, "],");
}

static void putLight(Writer* w) {
  const snvScene* s = &w->page->scene;
  float light[3] = {0.2f, -0.3f, 1}, length = 0;
  for (int i = s->nlight - 1; i >= 0; i--) {
    for (int k = 0; k < 3 && !s->lights[i].headlight; k++) light[k] = -s->lights[i].dir[k];
  }
  for (int k = 0; k < 3; k++) length += light[k] * light[k];
  for (int k = 0; k < 3; k++) light[k] /= length > 0 ? sqrtf(length) : 1;
  putList(&w->json, "light", light, 3);
}

static void putAll(Writer* w, uint16_t* column) {
  const snPage* page = w->page;
  put(&w->json, "{");
  putName(&w->json, w->m->names);
  putKey(&w->json, "rate", page->rate);
  putKey(&w->json, "start", page->start);
  putKey(&w->json, "frames", page->frames);
  putKey(&w->json, "extent", (double)w->m->stat.extent);
  putCamera(w);
  putSky(w);
  putLight(w);
  put(&w->json, "\"slots\":[");
  for (int i = 0; i < page->nslot; i++) {
    if (i) put(&w->json, ",");
    putSlot(w, page->slots + i, column);
  }
  put(&w->json, "],\"soft\":[");
  for (int i = 0; i < page->nsoft; i++) {
    if (i) put(&w->json, ",");
    putSoft(w, page->softs + i);
  }
  put(&w->json, "],\"meshes\":[");
  snr_appendBytes(&w->json, w->meshes.data, w->meshes.size);
  put(&w->json, "],\"textures\":[");
  snr_appendBytes(&w->json, w->textures.data, w->textures.size);
  put(&w->json, "]}");
}

// length of the text, the text, zeros to four bytes, the arrays: packed
static Bytes pack(const Writer* w) {
  Bytes plain = {0}, packed = {0};
  static const char zeros[4] = {0};
  uint32_t length = (uint32_t)w->json.size;
  snr_appendBytes(&plain, &length, sizeof(length));
  snr_appendBytes(&plain, w->json.data, w->json.size);
  snr_appendBytes(&plain, zeros, (4 - plain.size % 4) % 4);
  snr_appendBytes(&plain, w->arrays.data, w->arrays.size);
  uLongf room = compressBound((uLong)plain.size);
  packed.failed =
      plain.failed || w->json.failed || w->arrays.failed || w->meshes.failed || w->textures.failed;
  packed.data = packed.failed ? NULL : snu_malloc(room);
  if (packed.data && compress2(packed.data, &room, plain.data, (uLong)plain.size, 9) == Z_OK) {
    packed.size = room;
  } else {
    packed.failed = 1;
  }
  snu_free(plain.data);
  return packed;
}

static void putBase64(Bytes* text, const unsigned char* data, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    uint32_t x = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                 (left > 2 ? data[i + 2] : 0);
    char word[4] = {digits[x >> 18], digits[x >> 12 & 63], left > 1 ? digits[x >> 6 & 63] : '=',
                    left > 2 ? digits[x & 63] : '='};
    snr_appendBytes(text, word, 4);
  }
}

// numbers of assets that are not in the page yet
static int* noPlaces(int count) {
  int* at = snu_malloc((count + 1) * sizeof(int));
  for (int i = 0; at && i < count; i++) at[i] = -1;
  return at;
}

static char* finish(Writer* w, size_t* size) {
  static const char mark[] = "@DATA@";
  uint16_t* column = snu_malloc(w->page->frames * sizeof(uint16_t));
  Bytes text = {0}, packed = {0};
  packed.failed = !column || !w->mesh_at || !w->hfield_at || !w->texture_at;
  if (!packed.failed) {
    putAll(w, column);
    packed = pack(w);
  }
  const char* html = (const char*)kPageHtml;
  const char* data = strstr(html, mark);
  if (!packed.failed && data) {
    snr_appendBytes(&text, html, (size_t)(data - html));
    putBase64(&text, packed.data, packed.size);
    snr_appendBytes(&text, data + strlen(mark), strlen(data + strlen(mark)) + 1);
  }
  snu_free(column);
  snu_free(packed.data);
  if (size) *size = text.size ? text.size - 1 : 0;
  if (!text.failed && text.size) return (char*)text.data;
  snu_free(text.data);
  return NULL;
}

char* sn_finishPage(snPage* page, const snModel* m, size_t* size) {
  if (!page->frames || page->broken) {
    snu_error(page->broken ? "no memory for a recording" : "a recording without a frame");
    return NULL;
  }
  Writer w = {.page = page, .m = m};
  w.mesh_at = noPlaces(m->nmesh);
  w.hfield_at = noPlaces(m->nhfield);
  w.texture_at = noPlaces(m->ntex);
  char* text = finish(&w, size);
  snu_free(w.mesh_at);
  snu_free(w.hfield_at);
  snu_free(w.texture_at);
  snu_free(w.json.data);
  snu_free(w.arrays.data);
  snu_free(w.meshes.data);
  snu_free(w.textures.data);
  if (!text) snu_error("no memory for a recording");
  return text;
}
