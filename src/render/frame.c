// What is constant while an image is drawn: paints, instances of shapes, lights.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "render/render.h"

// ---- instances ----

// shape, scale and offset along z in the geom's frame
typedef struct Part_ {
  int kind;
  float scale[3];
  float lift;
} Part;

static void setPart(Part* part, int kind, float x, float y, float z, float lift) {
  SN_ASSERT_INDEX(kind, kUnitShapes);
  part->kind = kind;
  part->scale[0] = x;
  part->scale[1] = y;
  part->scale[2] = z;
  part->lift = lift;
}

static int roundParts(const snvGeom* g, Part* part) {
  float x = g->size[0], y = g->size[1], z = g->size[2], cap = 0.5f * (x + y);
  switch (g->type) {
    case snGEOM_SPHERE:
    case snGEOM_ELLIPSOID: setPart(part, kSphere, x, y, z, 0); return 1;
    case snGEOM_CYLINDER:
      setPart(part, kTube, x, y, z, 0);
      setPart(part + 1, kDiskTop, x, y, z, 0);
      setPart(part + 2, kDiskBottom, x, y, z, 0);
      return 3;
    default:  // capsule; its caps are unit half spheres one unit off
      setPart(part, kTube, x, y, z, 0);
      setPart(part + 1, kCapTop, x, y, cap, z - cap);
      setPart(part + 2, kCapBottom, x, y, cap, cap - z);
      return 3;
  }
}

static int arrowParts(const snvGeom* g, Part* part) {
  float x = g->size[0], y = g->size[1], third = g->size[2] / 3, tip = g->size[2] / 6;
  float wide = g->type == snGEOM_ARROW1 ? 1 : 1.75f;
  if (g->type == snGEOM_ARROW2) {
    setPart(part, kTube, x, y, third, 0);
    setPart(part + 1, kCone, wide * x, wide * y, tip, third);
    setPart(part + 2, kConeBase, wide * x, wide * y, tip, third);
    setPart(part + 3, kCone, wide * x, -wide * y, -tip, -third);
    setPart(part + 4, kConeBase, wide * x, -wide * y, -tip, -third);
    return 5;
  }
  setPart(part, kTube, x, y, 0.5f * third, 0.5f * third);
  setPart(part + 1, kDiskBottom, x, y, 0.5f * third, 0.5f * third);
  setPart(part + 2, kCone, wide * x, wide * y, tip, third);
  setPart(part + 3, kConeBase, wide * x, wide * y, tip, third);
  return 4;
}

// parts that consist of unit shapes; 0: none
static int unitParts(const snvGeom* g, Part* part) {
  float x = g->size[0], y = g->size[1], z = g->size[2];
  switch (g->type) {
    case snGEOM_SPHERE:
    case snGEOM_ELLIPSOID:
    case snGEOM_CAPSULE:
    case snGEOM_CYLINDER: return roundParts(g, part);
    case snGEOM_ARROW:
    case snGEOM_ARROW1:
    case snGEOM_ARROW2: return arrowParts(g, part);
    case snGEOM_BOX: setPart(part, kBox, x, y, z, 0); return 1;
    case snGEOM_PLANE: setPart(part, kQuad, x, y, 1, 0); return 1;
    case snGEOM_TRIANGLE: setPart(part, kTriangle, x, y, 1, 0); return 1;
    default: return 0;
  }
}

// shape of the model that a geom shows, or NULL
static const Shape* modelShape(const snvGeom* g, const Assets* a) {
  int i = g->dataid;
  switch (g->type) {
    case snGEOM_PLANE: return i >= 0 && i < a->nplane && a->plane[i].ntri ? a->plane + i : NULL;
    case snGEOM_MESH:
    case snGEOM_SDF: return i >= 0 && i < 2 * a->nmesh ? a->mesh + i : NULL;
    case snGEOM_HFIELD: return i >= 0 && i < a->nhfield ? a->hfield + i : NULL;
    default: return NULL;
  }
}

// place of a flex or deformable in the arrays of the scene
static int flexSlot(const snvGeom* g) { return g->dataid >= 0 ? g->dataid : g->objid; }

static int flexBeads(const snvScene* scn, const snvGeom* g, int* edges) {
  int i = flexSlot(g), count = 0;
  *edges = 0;
  if (i < 0 || i >= scn->nflex || !(g->size[0] > 0)) return 0;
  if (scn->flexskinopt && scn->flexfaceused[i]) return 0;
  if (scn->flexvertopt) count += scn->flexvertnum[i];
  if (scn->flexedgeopt) *edges = scn->flexedgenum[i];
  return count + *edges;
}

int snr_countInstances(const snvScene* scn, const Assets* assets, int* nline) {
  size_t count = 0, lines = 0;
  (void)assets;
  for (int i = 0; i < scn->ngeom; i++) {
    int edges;
    const snvGeom* g = scn->geoms + i;
    if (g->type == snGEOM_FLEX)
      count += 1 + (size_t)flexBeads(scn, g, &edges);
    else if (g->type == snGEOM_LINE)
      lines++;
    else if (g->type == snGEOM_LINEBOX)
      lines += 12;
    else
      count += 5;
  }
  *nline = (int)lines;
  return count > 100000000 ? -1 : (int)count;
}

static int isFinite(const float* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) return 0;
  }
  return 1;
}

static Instance* addInstance(Frame* f, int geom, const Shape* shape, const float pos[3],
                             const float mat[9], const float scale[3], float lift) {
  Instance* in = f->instance + f->ninstance;
  const Instance* last = f->ninstance ? in - 1 : NULL;
  unsigned most_tri = 0x7fffffffu, so_far = last ? last->tri + last->shape->ntri : 0;
  if (so_far > most_tri - (unsigned)shape->ntri) return NULL;
  if (!shape->ntri || !isFinite(pos, 3) || !isFinite(mat, 9) || !isFinite(scale, 3)) return NULL;
  memset(in, 0, sizeof(*in));
  in->shape = shape;
  in->geom = geom;
  in->tri = so_far;
  in->vert = last ? last->vert + last->shape->nvert : 0;
  float most = 0;
  for (int j = 0; j < 3; j++) {
    float inverse = scale[j] != 0 ? 1 / scale[j] : 0;
    if (fabsf(scale[j]) > most) most = fabsf(scale[j]);
    for (int i = 0; i < 3; i++) {
      in->mat[3 * i + j] = mat[3 * i + j] * scale[j];
      in->normal[3 * i + j] = mat[3 * i + j] * inverse;
    }
  }
  for (int i = 0; i < 3; i++) in->pos[i] = pos[i] + mat[3 * i + 2] * lift;
  mulMat3f(in->center, in->mat, shape->center);
  for (int i = 0; i < 3; i++) in->center[i] += in->pos[i];
  in->radius = shape->radius * most;
  f->ninstance++;
  return in;
}

static const float kUnit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const float kOnes[3] = {1, 1, 1}, kOrigin[3] = {0, 0, 0};

// tube between two points
static void addEdge(Frame* f, int geom, const float a[3], const float b[3], float radius) {
  snvGeom g;
  snReal from[3], to[3];
  for (int i = 0; i < 3; i++) {
    from[i] = a[i];
    to[i] = b[i];
  }
  memset(&g, 0, sizeof(g));
  snv_connector(&g, snGEOM_CAPSULE, radius, from, to);
  addInstance(f, geom, f->assets->unit + kTube, g.pos, g.mat, g.size, 0);
}

static void addFlex(Frame* f, int geom) {
  const snvScene* scn = f->scene;
  const snvGeom* g = scn->geoms + geom;
  int i = flexSlot(g), edges;
  if (i < 0 || i >= scn->nflex) return;
  if (flexBeads(scn, g, &edges)) {
    float ball[3] = {g->size[0], g->size[0], g->size[0]};
    const float* vert = scn->flexvert + 3 * scn->flexvertadr[i];
    for (int k = 0; scn->flexvertopt && k < scn->flexvertnum[i]; k++) {
      addInstance(f, geom, f->assets->unit + kSphere, vert + 3 * k, kUnit, ball, 0);
    }
    for (int k = 0; k < edges; k++) {
      const int* end = scn->flexedge + 2 * (scn->flexedgeadr[i] + k);
      addEdge(f, geom, vert + 3 * end[0], vert + 3 * end[1], g->size[0]);
    }
  }
  int used = scn->flexfaceused[i], at = scn->flexfaceadr[i];
  Shape* shape = f->dynamic + i;
  memset(shape, 0, sizeof(*shape));
  shape->nvert = 3 * used;
  shape->ntri = used;
  shape->pos = scn->flexface + 9 * (size_t)at;
  shape->normal = scn->flexnormal + 9 * (size_t)at;
  shape->texcoord = g->texcoord ? scn->flextexcoord + 6 * (size_t)at : NULL;
  shape->radius = 1e10f;
  addInstance(f, geom, shape, kOrigin, kUnit, kOnes, 0);
}

static void addSkin(Frame* f, int geom) {
  const snvScene* scn = f->scene;
  const snvGeom* g = scn->geoms + geom;
  int i = g->objid;
  if (i < 0 || i >= scn->nskin || i >= f->assets->nskin) return;
  Shape* shape = f->dynamic + scn->nflex + i;
  *shape = f->assets->skin[i];
  shape->pos = scn->skinvert + 3 * (size_t)scn->skinvertadr[i];
  shape->normal = scn->skinnormal + 3 * (size_t)scn->skinvertadr[i];
  shape->radius = 1e10f;
  addInstance(f, geom, shape, kOrigin, kUnit, kOnes, 0);
}

static void addLines(Frame* f, int geom) {
  const snvGeom* g = f->scene->geoms + geom;
  int box = g->type == snGEOM_LINEBOX;
  for (int k = 0; k < (box ? 12 : 1); k++) {
    Line* line = f->line + f->nline++;
    float a[3] = {0, 0, 0}, b[3] = {0, 0, g->size[2]};
    if (box) {
      int axis = k / 4;
      for (int i = 0; i < 3; i++) {
        int bit = i == (axis + 1) % 3 ? k & 1 : k >> 1 & 1;
        a[i] = b[i] = bit ? g->size[i] : -g->size[i];
      }
      a[axis] = -g->size[axis];
      b[axis] = g->size[axis];
    }
    mulMat3f(line->from, g->mat, a);
    mulMat3f(line->to, g->mat, b);
    for (int i = 0; i < 3; i++) {
      line->from[i] += g->pos[i];
      line->to[i] += g->pos[i];
    }
    line->width = f->assets->line_width * (box ? 1.5f : g->size[0]);
    line->geom = geom;
    if (!isFinite(line->from, 3) || !isFinite(line->to, 3)) f->nline--;
  }
}

static void addGeom(Frame* f, int geom) {
  SN_ASSERT_INDEX(geom, f->scene->ngeom);
  const snvGeom* g = f->scene->geoms + geom;
  const Shape* shape = modelShape(g, f->assets);
  Part part[5];
  if (g->type == snGEOM_FLEX) {
    addFlex(f, geom);
  } else if (g->type == snGEOM_SKIN) {
    addSkin(f, geom);
  } else if (g->type == snGEOM_LINE || g->type == snGEOM_LINEBOX) {
    addLines(f, geom);
  } else if (shape) {
    addInstance(f, geom, shape, g->pos, g->mat, kOnes, 0);
  } else {
    int count = unitParts(g, part);
    for (int i = 0; i < count; i++) {
      addInstance(f, geom, f->assets->unit + part[i].kind, g->pos, g->mat, part[i].scale,
                  part[i].lift);
    }
  }
}

// ---- paints ----

static void mapTexture(Paint* p, const snvGeom* g, const Assets* a) {
  int material = g->matid,
      texture = material >= 0 && material < a->nmat ? a->mat_texid[material] : -1;
  if (texture < 0 || texture >= a->ntex || !a->texture[texture].nlevel) return;
  const Texture* t = a->texture + texture;
  int uniform = a->mat_texuniform[material], cube = t->type != snTEXTURE_2D;
  if (g->texcoord && cube) return;
  p->texture = t;
  p->map = g->texcoord ? kMapStored : cube ? kMapCube : kMapPlane;
  for (int i = 0; i < 3; i++) {
    float size = g->size[i], scale = 1;
    if (!cube) {
      scale = (i == 0 ? 0.5f : -0.5f) * (i < 2 ? a->mat_texrepeat[2 * material + i] : 0);
      if (g->dataid >= 0 && size > 0) scale /= size;
    }
    if (uniform && size > 0) scale *= size;
    p->scale[i] = scale;
  }
  p->offset[0] = p->offset[1] = cube ? 0 : -0.5f;
}

static void setPaint(Frame* f, int geom) {
  SN_ASSERT_INDEX(geom, f->scene->ngeom);
  const snvScene* scn = f->scene;
  snvGeom* g = scn->geoms + geom;
  Paint* p = f->paint + geom;
  memset(p, 0, sizeof(*p));
  memcpy(p->rgba, g->rgba, sizeof(p->rgba));
  p->emission = g->emission;
  p->specular = g->specular;
  p->exponent = 128 * g->shininess;
  p->cull = scn->flags[snRND_CULL_FACE] && g->type != snGEOM_TRIANGLE;
  double over = 0;
  for (int i = 0; i < 3; i++) over += (f->view.eye[i] - g->pos[i]) * g->mat[3 * i + 2];
  int behind = g->type == snGEOM_PLANE && over < 0;
  if (behind) {
    p->rgba[3] *= 0.3f;
    p->cull = -p->cull;
  }
  p->transparent = g->rgba[3] < 0.995f || behind;
  g->transparent = (snByte)p->transparent;
  if (f->segment) p->transparent = 0;
  if (!f->segment) mapTexture(p, g, f->assets);
}

// distance of a geom's surface from the camera, for the order of transparent ones
static float cameraDistance(const Frame* f, const snvGeom* g) {
  double square = 0;
  if (g->type == snGEOM_PLANE) return 1e10f;
  for (int i = 0; i < 3; i++) square += (g->pos[i] - f->view.eye[i]) * (g->pos[i] - f->view.eye[i]);
  const float* s = g->size;
  float radius = s[0] > s[1] ? s[0] : s[1];
  if (s[2] > radius) radius = s[2];
  if (g->modelrbound > 0)
    radius = g->modelrbound;
  else if (g->type == snGEOM_SPHERE)
    radius = s[0];
  else if (g->type == snGEOM_CAPSULE)
    radius = s[0] + s[2];
  else if (g->type == snGEOM_CYLINDER)
    radius = sqrtf(s[0] * s[0] + s[2] * s[2]);
  else if (g->type == snGEOM_BOX)
    radius = sqrtf(dot3f(s, s));
  return (float)sqrt(square) - radius;
}

// shell sort: no recursion, and few geoms are transparent
static void sortTransparent(Frame* f) {
  snvScene* scn = (snvScene*)f->scene;
  int n = 0;
  for (int i = 0; i < scn->ngeom; i++) {
    scn->geoms[i].camdist = cameraDistance(f, scn->geoms + i);
    if (f->paint[i].transparent) scn->geomorder[n++] = i;
  }
  f->has_transparent = n;
  int gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (int i = gap; i < n; i++) {
      int moved = scn->geomorder[i], j = i;
      float key = scn->geoms[moved].camdist;
      for (; j >= gap && scn->geoms[scn->geomorder[j - gap]].camdist > key; j -= gap) {
        scn->geomorder[j] = scn->geomorder[j - gap];
      }
      scn->geomorder[j] = moved;
    }
  }
}

// ---- lights ----

static void setLamp(Frame* f, const snvLight* light, int shadows) {
  SN_ASSERT_INDEX(f->nlamp, kMaxLamps);
  SN_ASSERT_INDEX(f->npass, kMaxPasses);
  Lamp* lamp = f->lamp + f->nlamp++;
  double length = 0;
  memset(lamp, 0, sizeof(*lamp));
  lamp->type = light->type == snLIGHT_SPOT ? snLIGHT_SPOT : snLIGHT_DIRECTIONAL;
  int known = light->type == snLIGHT_SPOT || light->type == snLIGHT_DIRECTIONAL;
  for (int i = 0; i < 3; i++) length += light->dir[i] * light->dir[i];
  length = length > 0 ? sqrt(length) : 1;
  for (int i = 0; i < 3; i++) {
    lamp->pos[i] = light->pos[i];
    lamp->dir[i] = known ? (float)(light->dir[i] / length) : (float)f->view.forward[i];
  }
  memcpy(lamp->attenuation, light->attenuation, sizeof(lamp->attenuation));
  memcpy(lamp->ambient, light->ambient, sizeof(lamp->ambient));
  memcpy(lamp->diffuse, light->diffuse, sizeof(lamp->diffuse));
  memcpy(lamp->specular, light->specular, sizeof(lamp->specular));
  lamp->cos_cutoff = light->cutoff >= 180 ? -2 : cosf(light->cutoff * 3.14159265f / 180);
  lamp->exponent = light->exponent;
  if (shadows && light->castshadow && known) lamp->pass = f->npass++;
}

// light of a vertex by pass: emission and lights without shadow first
void snr_light(const Frame* f, const View* view, const Paint* paint, float reduce, int passes,
               const float pos[3], const float normal[3], float lit[][3]) {
  float toward[3], length = 0, rgba[3];
  for (int c = 0; c < 3; c++) rgba[c] = paint->rgba[c] * reduce;
  for (int i = 0; i < 3; i++) {
    toward[i] = (float)(view->eye[i] - pos[i]);
    length += toward[i] * toward[i];
  }
  length = length > 0 ? 1 / sqrtf(length) : 0;
  for (int i = 0; i < 3; i++) toward[i] *= length;
  memset(lit, 0, passes * sizeof(*lit));
  for (int c = 0; c < 3; c++) lit[0][c] = (paint->emission + f->glow) * rgba[c];
  SN_PLAIN_LOOP for (int k = 0; k < f->nlamp; k++) {
    const Lamp* lamp = f->lamp + k;
    float to[3], strength = 1, half[3], square = 0;
    for (int i = 0; i < 3; i++) to[i] = -lamp->dir[i];
    if (lamp->type == snLIGHT_SPOT) {
      for (int i = 0; i < 3; i++) to[i] = lamp->pos[i] - pos[i];
      float d = sqrtf(dot3f(to, to)), inverse = d > 0 ? 1 / d : 0;
      for (int i = 0; i < 3; i++) to[i] *= inverse;
      float c = -dot3f(to, lamp->dir);
      if (lamp->cos_cutoff > -1.5f && c < lamp->cos_cutoff) continue;
      const float* a = lamp->attenuation;
      strength = 1 / (a[0] + a[1] * d + a[2] * d * d);
      if (lamp->cos_cutoff > -1.5f && lamp->exponent != 0)
        strength *= powf(c > 0 ? c : 0, lamp->exponent);
    }
    float* out = lit[lamp->pass < passes ? lamp->pass : 0];
    float diffuse = dot3f(normal, to), shine = 0;
    if (diffuse > 0) {
      for (int i = 0; i < 3; i++) {
        half[i] = to[i] + toward[i];
        square += half[i] * half[i];
      }
      float h = square > 0 ? dot3f(normal, half) / sqrtf(square) : 0;
      if (h > 0) shine = paint->exponent > 0 ? powf(h, paint->exponent) : 1;
    } else {
      diffuse = 0;
    }
    for (int c = 0; c < 3; c++) {
      out[c] += strength * (rgba[c] * (lamp->ambient[c] + diffuse * lamp->diffuse[c]) +
                            shine * paint->specular * lamp->specular[c]);
    }
  }
  for (int k = 0; k < passes; k++) {
    for (int c = 0; c < 3; c++) lit[k][c] = lit[k][c] < 1 ? lit[k][c] > 0 ? lit[k][c] : 0 : 1;
  }
}

// ---- mirror ----

// the first opaque plane or box that reflects, when the camera is in front of it
static void findReflector(Frame* f) {
  const snvScene* scn = f->scene;
  f->reflector = -1;
  if (!scn->flags[snRND_REFLECTION] || scn->flags[snRND_DEPTH] || f->segment) return;
  for (int i = 0; i < scn->ngeom; i++) {
    const snvGeom* g = scn->geoms + i;
    int box = g->type == snGEOM_BOX;
    if ((!box && g->type != snGEOM_PLANE) || !(g->reflectance > 0) || f->paint[i].transparent)
      continue;
    double normal[3], point[3], over = 0;
    for (int k = 0; k < 3; k++) {
      normal[k] = g->mat[3 * k + 2];
      point[k] = g->pos[k] + (box ? g->size[2] * normal[k] : 0);
      over += normal[k] * (f->view.eye[k] - point[k]);
    }
    if (over > 0) {
      f->reflector = i;
      f->paint[i].reflectance = g->reflectance;
      snr_mirrorView(&f->mirror, &f->view, normal, point);
    }
    return;
  }
}

void snr_prepareFrame(Frame* f) {
  const snvScene* scn = f->scene;
  f->segment = scn->flags[snRND_SEGMENT];
  f->fog = scn->flags[snRND_FOG] && !f->segment;
  f->wire = scn->flags[snRND_WIREFRAME] && !f->segment ? fmaxf(f->assets->line_width, 1) : 0;
  f->npass = 1;
  f->nlamp = f->ninstance = f->nline = 0;
  f->glow = scn->nlight ? 0 : 0.3f;
  int shadows = scn->flags[snRND_SHADOW] && f->shadow && !f->segment;
  for (int i = 0; !f->segment && i < scn->nlight && i < kMaxLamps; i++)
    setLamp(f, scn->lights + i, shadows);
  for (int i = 0; i < scn->ngeom; i++) setPaint(f, i);
  for (int i = 0; i < scn->ngeom; i++) {
    f->first[i] = f->ninstance;
    if (!f->segment || scn->geoms[i].segid >= 0) addGeom(f, i);
  }
  f->first[scn->ngeom] = f->ninstance;
  sortTransparent(f);
  findReflector(f);
}
