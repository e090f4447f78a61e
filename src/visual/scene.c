// Scenes from a model and its state: flexes, skins, geoms, sites, tendons, lights, cameras.

#include "visual/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "sinew/plugin.h"

// ---- shapes ----

snvGeom* nextShape(Drawing* w, int objtype, int objid, int category) {
  snvScene* scene = w->scene;
  if (scene->ngeom >= scene->maxgeom) {
    if (!scene->status) sn_warning(w->d, snWARN_VGEOMFULL, scene->maxgeom);
    scene->status = 1;
    return NULL;
  }
  snvGeom* shape = scene->geoms + scene->ngeom;
  snv_initGeom(shape, snGEOM_NONE, NULL, NULL, NULL, NULL);
  shape->objtype = objtype;
  shape->objid = objid;
  shape->category = category;
  shape->segid = scene->ngeom;
  return shape;
}

void keepShape(Drawing* w) {
  SN_ASSERT_INDEX(w->scene->ngeom, w->scene->maxgeom);
  w->scene->ngeom++;
}

// the same as snv_initGeom, for a shape that exists
static void setShape(snvGeom* shape, int type, const snReal size[3], const snReal pos[3],
                     const snReal mat[9]) {
  snvGeom fresh;
  snv_initGeom(&fresh, type, size, pos, mat, NULL);
  shape->type = type;
  memcpy(shape->size, fresh.size, sizeof(fresh.size));
  memcpy(shape->pos, fresh.pos, sizeof(fresh.pos));
  memcpy(shape->mat, fresh.mat, sizeof(fresh.mat));
}

snvGeom* drawShape(Drawing* w, int type, int objtype, int objid, const snReal size[3],
                   const snReal pos[3], const snReal mat[9], const float rgba[4]) {
  snvGeom* shape = nextShape(w, objtype, objid, snCAT_DECOR);
  if (!shape) return NULL;
  setShape(shape, type, size, pos, mat);
  memcpy(shape->rgba, rgba, sizeof(shape->rgba));
  keepShape(w);
  return shape;
}

snvGeom* drawConnector(Drawing* w, int type, int objtype, int objid, snReal width,
                       const snReal from[3], const snReal to[3], const float rgba[4]) {
  snvGeom* shape = nextShape(w, objtype, objid, snCAT_DECOR);
  if (!shape) return NULL;
  snv_connector(shape, type, width, from, to);
  memcpy(shape->rgba, rgba, sizeof(shape->rgba));
  keepShape(w);
  return shape;
}

// a corner, the unit vectors along two sides and the normal; sizes are their lengths and twice the area
void drawTriangle(Drawing* w, int objtype, int objid, const snReal corner[3], const snReal first[3],
                  const snReal second[3], const float rgba[4]) {
  snReal side[3][3], size[3], mat[9];
  snu_sub3(side[0], first, corner);
  snu_sub3(side[1], second, corner);
  snu_cross(side[2], side[0], side[1]);
  for (int k = 0; k < 3; k++) {
    size[k] = snu_normalize3(side[k]);
    for (int i = 0; i < 3; i++) mat[3 * i + k] = side[k][i];
  }
  drawShape(w, snGEOM_TRIANGLE, objtype, objid, size, corner, mat, rgba);
}

void labelShape(const Drawing* w, snvGeom* shape, int type, int id) {
  const char* name = sn_id2name(w->m, type, id);
  if (name) {
    snprintf(shape->label, sizeof(shape->label), "%s", name);
  } else {
    snprintf(shape->label, sizeof(shape->label), "%s %d", snu_type2Str(type), id);
  }
}

void paintShape(const Drawing* w, snvGeom* shape, const float rgba[4], int material) {
  static const float kPlain[4] = {0.5f, 0.5f, 0.5f, 1};
  const snModel* m = w->m;
  memcpy(shape->rgba, rgba, sizeof(shape->rgba));
  if (material < 0) return;
  if (!memcmp(rgba, kPlain, sizeof(kPlain))) {
    memcpy(shape->rgba, m->mat_rgba + 4 * material, sizeof(shape->rgba));
  }
  if (w->option->flags[snVIS_TEXTURE]) shape->matid = material;
  shape->emission = m->mat_emission[material];
  shape->specular = m->mat_specular[material];
  shape->shininess = m->mat_shininess[material];
  shape->reflectance = m->mat_reflectance[material];
}

static int categoryOf(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int weld = m->body_weldid[body];
  return weld == 0 && m->body_mocapid[m->body_rootid[body]] < 0 ? snCAT_STATIC : snCAT_DYNAMIC;
}

static int isShown(const Drawing* w, int category) {
  if (category == snCAT_STATIC && !w->option->flags[snVIS_STATIC]) return 0;
  return w->categories & category;
}

int isBodyShown(const Drawing* w, int body) { return isShown(w, categoryOf(w->m, body)); }

int isGeomShown(const Drawing* w, int geom) {
  SN_ASSERT_INDEX(geom, w->m->ngeom);
  return isBodyShown(w, w->m->geom_bodyid[geom]) &&
         isGroupShown(w->option->geomgroup, w->m->geom_group[geom]);
}

int isSiteShown(const Drawing* w, int site) {
  SN_ASSERT_INDEX(site, w->m->nsite);
  return isBodyShown(w, w->m->site_bodyid[site]) &&
         isGroupShown(w->option->sitegroup, w->m->site_group[site]);
}

// shown, and not transparent altogether
int isGeomVisible(const Drawing* w, int geom) {
  snvGeom probe;
  paintShape(w, &probe, w->m->geom_rgba + 4 * geom, w->m->geom_matid[geom]);
  return isGeomShown(w, geom) && probe.rgba[3] != 0;
}

int isSiteVisible(const Drawing* w, int site) {
  snvGeom probe;
  paintShape(w, &probe, w->m->site_rgba + 4 * site, w->m->site_matid[site]);
  return isSiteShown(w, site) && probe.rgba[3] != 0;
}

void fadeShape(const Drawing* w, snvGeom* shape) {
  if (w->option->flags[snVIS_TRANSPARENT] && shape->category == snCAT_DYNAMIC) {
    shape->rgba[3] *= w->m->vis.map.alpha;
  }
}

// ---- islands ----

// first dof that moves a body, -1 when it is fixed
static int dofOf(const snModel* m, int body) {
  SN_ASSERT_INDEX(body, m->nbody);
  int weld = m->body_weldid[body];
  return m->body_dofnum[weld] ? m->body_dofadr[weld] : -1;
}

int islandOf(const Drawing* w, int body) {
  int dof = dofOf(w->m, body);
  return w->d->nisland > 0 && dof >= 0 ? w->d->dof_island[dof] : -1;
}

// red, green or blue (n = 5, 3, 1) of a hue, saturation and value
static float hsvPart(int n, snReal hue, snReal saturation, snReal value) {
  snReal k = fmod(n + 6 * hue, 6);
  return (float)(value - value * saturation * snu_clip(snu_min(k, 4 - k), 0, 1));
}

// First dof of what is coloured as one: an island, or trees that fell asleep together, or a tree; -1: nothing.
static int firstDof(const Drawing* w, int body, int* asleep) {
  SN_ASSERT(dofOf(w->m, body) >= 0);
  const snModel* m = w->m;
  int island = islandOf(w, body), tree = m->dof_treeid[dofOf(m, body)], first = tree;
  *asleep = 0;
  if (island >= 0) return w->d->map_idof2dof[w->d->island_idofadr[island]];
  if (!(m->opt.enableflags & snENBL_SLEEP)) return -1;
  for (int at = w->d->tree_asleep[tree]; at >= 0; at = w->d->tree_asleep[at]) {
    *asleep = 1;
    first = at < first ? at : first;
    if (at == tree) break;
  }
  return m->tree_dofadr[first];
}

// Halton sequences spread hues, saturations and values over the dofs; what sleeps is dull and dark. -1: grey.
static void paintDof(snvGeom* shape, int dof, int asleep) {
  int seed = 1 + dof;
  snReal hue = snu_Halton(seed, 7), saturation = 0.5 + 0.5 * snu_Halton(seed, 3);
  snReal value = 0.6 + 0.4 * snu_Halton(seed, 5);
  if (asleep) {
    saturation *= 0.7;
    value *= 0.6;
  }
  for (int k = 0; k < 3; k++) {
    shape->rgba[k] = seed ? hsvPart(5 - 2 * k, hue, saturation, value) : 0.7f;
  }
  shape->rgba[3] = 1;
  shape->matid = -1;
}

static void paintIsland(const Drawing* w, snvGeom* shape, int body) {
  if (dofOf(w->m, body) < 0) return;
  int asleep, dof = firstDof(w, body, &asleep);
  paintDof(shape, dof, asleep);
}

int limitRow(const snData* d, int type, int id) {
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_type[i] == type && d->efc_id[i] == id) return i;
  }
  return -1;
}

void paintRowIsland(const Drawing* w, snvGeom* shape, int row) {
  const snData* d = w->d;
  int island = d->nisland && row >= 0 ? d->efc_island[row] : -1;
  paintDof(shape, island < 0 ? -1 : d->map_idof2dof[d->island_idofadr[island]], 0);
}

// ---- model elements ----

static int planesBefore(const snModel* m, int geom) {
  int count = 0;
  for (int i = 0; i < geom; i++) count += m->geom_type[i] == snGEOM_PLANE;
  return count;
}

static void drawGeom(Drawing* w, int i) {
  SN_ASSERT_INDEX(i, w->m->ngeom);
  const snModel* m = w->m;
  int category = categoryOf(m, m->geom_bodyid[i]), type = m->geom_type[i];
  if (!isGeomShown(w, i)) return;
  int material = m->geom_matid[i];
  int painted = w->option->flags[snVIS_ISLAND] && dofOf(m, m->geom_bodyid[i]) >= 0;
  if (!painted && !isGeomVisible(w, i)) return;
  snvGeom* shape = nextShape(w, snOBJ_GEOM, i, category);
  if (!shape) return;
  snReal size[3];
  snu_copy3(size, m->geom_size + 3 * i);
  shape->dataid = m->geom_dataid[i];
  if (type == snGEOM_MESH || type == snGEOM_SDF) {
    shape->dataid = 2 * shape->dataid + (w->option->flags[snVIS_CONVEXHULL] &&
                                         m->mesh_graphadr[shape->dataid] >= 0 &&
                                         (m->geom_contype[i] || m->geom_conaffinity[i]));
  }
  setShape(shape, type, size, w->d->geom_xpos + 3 * i, w->d->geom_xmat + 9 * i);
  paintShape(w, shape, m->geom_rgba + 4 * i, material);
  fadeShape(w, shape);
  if (w->option->flags[snVIS_ISLAND]) paintIsland(w, shape, m->geom_bodyid[i]);
  if (type == snGEOM_PLANE) shape->dataid = planesBefore(m, i);
  if (type == snGEOM_MESH && m->mesh_texcoordadr[m->geom_dataid[i]] >= 0) shape->texcoord = 1;
  shape->modelrbound = (float)m->geom_rbound[i];
  if (isSelected(w, m->geom_bodyid[i])) shape->emission += m->vis.global.glow;
  if (w->option->label == snLABEL_GEOM) labelShape(w, shape, snOBJ_GEOM, i);
  keepShape(w);
}

static void drawSite(Drawing* w, int i) {
  SN_ASSERT_INDEX(i, w->m->nsite);
  const snModel* m = w->m;
  int category = categoryOf(m, m->site_bodyid[i]);
  if (!isSiteVisible(w, i)) return;
  snvGeom* shape = nextShape(w, snOBJ_SITE, i, category);
  if (!shape) return;
  setShape(shape, m->site_type[i], m->site_size + 3 * i, w->d->site_xpos + 3 * i,
           w->d->site_xmat + 9 * i);
  paintShape(w, shape, m->site_rgba + 4 * i, m->site_matid[i]);
  if (isSelected(w, m->site_bodyid[i])) shape->emission += m->vis.global.glow;
  if (w->option->label == snLABEL_SITE) labelShape(w, shape, snOBJ_SITE, i);
  fadeShape(w, shape);
  keepShape(w);
}

static int drawTendonPart(Drawing* w, int tendon, int objtype, int objid, int category,
                          snReal width, const snReal from[3], const snReal to[3],
                          const float rgba[4], int material, int labelled) {
  snvGeom* shape = nextShape(w, objtype, objid, category);
  if (!shape) return 0;
  snv_connector(shape, snGEOM_CAPSULE, width, from, to);
  paintShape(w, shape, rgba, material);
  fadeShape(w, shape);
  if (w->option->flags[snVIS_ISLAND] && objtype == snOBJ_TENDON) {
    // their first rows are listed where there are rows
    paintRowIsland(w, shape, w->d->nisland ? w->d->tendon_efcadr[tendon] : -1);
  }
  if (w->option->label == snLABEL_TENDON && objtype == snOBJ_TENDON && labelled) {
    labelShape(w, shape, snOBJ_TENDON, tendon);
  }
  keepShape(w);
  return 1;
}

void drawTendon(Drawing* w, int tendon, int objtype, int objid, int category, snReal width,
                const float rgba[4], int material) {
  const snData* d = w->d;
  snReal curve[SLACK_POINTS][3];
  int points = slackTendon(w->m, d, tendon, curve);
  for (int i = 0; i + 1 < points; i++) {
    if (!drawTendonPart(w, tendon, objtype, objid, category, width, curve[i], curve[i + 1], rgba,
                        material, 1)) {
      return;
    }
  }
  if (points) return;
  int start = d->ten_wrapadr[tendon], end = start + d->ten_wrapnum[tendon];
  for (int j = start; j + 1 < end; j++) {
    const int* object = d->wrap_obj + j;
    if (object[0] == -2 || object[1] == -2) continue;  // a pulley
    int inside = object[0] >= 0 && object[1] >= 0;
    const snReal* from = d->wrap_xpos + 3 * j;
    if (!drawTendonPart(w, tendon, objtype, objid, category, inside ? 0.5 * width : width, from,
                        from + 3, rgba, material, j == start)) {
      return;
    }
  }
}

static void drawSkin(Drawing* w, int i) {
  SN_ASSERT_INDEX(i, w->m->nskin);
  const snModel* m = w->m;
  if (!isGroupShown(w->option->skingroup, m->skin_group[i])) return;
  snvGeom* shape = nextShape(w, snOBJ_SKIN, i, snCAT_DYNAMIC);
  if (!shape) return;
  const snReal* at = w->d->xpos + 3 * m->skin_bonebodyid[m->skin_boneadr[i]];
  setShape(shape, snGEOM_SKIN, NULL, at, NULL);
  paintShape(w, shape, m->skin_rgba + 4 * i, m->skin_matid[i]);
  fadeShape(w, shape);
  if (m->skin_texcoordadr[i] >= 0) shape->texcoord = 1;
  if (w->option->label == snLABEL_SKIN) labelShape(w, shape, snOBJ_SKIN, i);
  keepShape(w);
}

// The slider and the rod of a crank. The rod of length r from the crank's site, at v from the slider's, meets the
// slider's axis a at a.v - sqrt((a.v)^2 + r^2 - v^2); one that is too short is broken and shown where it would end.
static void drawCrank(Drawing* w, int actuator) {
  const snModel* m = w->m;
  const int* site = m->actuator_trnid + 2 * actuator;
  const snReal *crank = w->d->site_xpos + 3 * site[0], *slider = w->d->site_xpos + 3 * site[1];
  const snReal *mat = w->d->site_xmat + 9 * site[1], axis[3] = {mat[2], mat[5], mat[8]};
  snReal along, rod = m->actuator_cranklength[actuator], v[3], end[3];
  snu_sub3(v, crank, slider);
  along = snu_dot3(v, axis);
  snReal square = along * along + rod * rod - snu_dot3(v, v);
  snu_addScl3(end, slider, axis, square > 0 ? along - sqrt(square) : along);
  snReal width = m->vis.scale.slidercrank * m->stat.meansize;
  for (int part = 0; part < 2; part++) {
    snvGeom* shape = nextShape(w, snOBJ_ACTUATOR, actuator, snCAT_DYNAMIC);
    if (!shape) return;
    snv_connector(shape, part ? snGEOM_CAPSULE : snGEOM_CYLINDER, part ? 0.5 * width : width,
                  part ? end : slider, part ? crank : end);
    paintShape(w, shape, part && square <= 0 ? m->vis.rgba.crankbroken : m->vis.rgba.slidercrank,
               -1);
    if (!part && w->option->label == snLABEL_ACTUATOR) {
      labelShape(w, shape, snOBJ_ACTUATOR, actuator);
    }
    keepShape(w);
  }
}

void snv_addGeoms(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                  int catmask, snvScene* scn) {
  Drawing drawing = {m, d, opt, pert, catmask, scn}, *w = &drawing;
  int moving = catmask & snCAT_DYNAMIC;
  int fits = moving && sn_sceneFits(m, scn);
  for (int i = 0; fits && i < m->nflex; i++) drawFlex(w, i);
  for (int i = 0; fits && i < m->ndeformable; i++) drawDeformable(w, i);
  for (int i = 0; fits && opt->flags[snVIS_SKIN] && i < m->nskin; i++) drawSkin(w, i);
  for (int i = 0; i < m->ngeom; i++) drawGeom(w, i);
  for (int i = 0; i < m->nsite; i++) drawSite(w, i);
  for (int i = 0; moving && opt->flags[snVIS_TENDON] && i < m->ntendon; i++) {
    if (!isGroupShown(opt->tendongroup, m->tendon_group[i])) continue;
    float rgba[4];
    int row = limitRow(d, snCNSTR_LIMIT_TENDON, i);  // red where the limit is felt
    mixColors(rgba, m->tendon_rgba + 4 * i, m->vis.rgba.constraint,
              row < 0 ? 0 : d->efc_KBIP[4 * row + 2]);
    drawTendon(w, i, snOBJ_TENDON, i, snCAT_DYNAMIC, m->tendon_width[i], rgba, m->tendon_matid[i]);
  }
  for (int i = 0; moving && i < m->nu; i++) {
    int shown = isGroupShown(opt->actuatorgroup, m->actuator_group[i]);
    if (shown && m->actuator_trntype[i] == snTRN_SLIDERCRANK) drawCrank(w, i);
  }
  if (catmask & snCAT_DECOR) drawDecoration(w);
}

// ---- skins ----

// vertices of one skin, moved by its bones
static void bendSkin(const snModel* m, const snData* d, int skin, float* vert) {
  int nvert = m->skin_vertnum[skin];
  const float* rest = m->skin_vert + 3 * m->skin_vertadr[skin];
  memset(vert, 0, 3 * (size_t)nvert * sizeof(float));
  for (int k = 0; k < m->skin_bonenum[skin]; k++) {
    int bone = m->skin_boneadr[skin] + k, body = m->skin_bonebodyid[bone];
    SN_ASSERT_INDEX(bone, m->nskinbone);
    SN_ASSERT_INDEX(body, m->nbody);
    snReal pos[3], quat[4], bindpos[3], bindquat[4], inverse[4], mat[9], turned[3];
    snu_f2n(bindpos, m->skin_bonebindpos + 3 * bone, 3);
    snu_f2n(bindquat, m->skin_bonebindquat + 4 * bone, 4);
    snu_negQuat(inverse, bindquat);
    snu_mulQuat(quat, d->xquat + 4 * body, inverse);
    snu_quat2Mat(mat, quat);
    snu_mulMatVec3(turned, mat, bindpos);
    snu_sub3(pos, d->xpos + 3 * body, turned);
    for (int j = 0; j < m->skin_bonevertnum[bone]; j++) {
      int at = m->skin_bonevertadr[bone] + j, id = m->skin_bonevertid[at];
      SN_ASSERT_INDEX(id, nvert);
      snReal weight = m->skin_bonevertweight[at], from[3], to[3];
      snu_f2n(from, rest + 3 * id, 3);
      snu_mulMatVec3(to, mat, from);
      for (int i = 0; i < 3; i++) vert[3 * id + i] += (float)(weight * (to[i] + pos[i]));
    }
  }
}

// normals of the vertices: mean of those of the faces around, by area
static void skinNormals(const snModel* m, int skin, const float* vert, float* normal) {
  int nvert = m->skin_vertnum[skin];
  memset(normal, 0, 3 * (size_t)nvert * sizeof(float));
  for (int k = 0; k < m->skin_facenum[skin]; k++) {
    const int* face = m->skin_face + 3 * (m->skin_faceadr[skin] + k);
    snReal a[3], b[3], n[3];
    for (int i = 0; i < 3; i++) {
      a[i] = vert[3 * face[1] + i] - vert[3 * face[0] + i];
      b[i] = vert[3 * face[2] + i] - vert[3 * face[0] + i];
    }
    snu_cross(n, a, b);
    for (int v = 0; v < 3; v++) {
      for (int i = 0; i < 3; i++) normal[3 * face[v] + i] += (float)n[i];
    }
  }
  for (int v = 0; v < nvert; v++) {
    snReal n[3] = {normal[3 * v], normal[3 * v + 1], normal[3 * v + 2]};
    snu_normalize3(n);
    snu_n2f(normal + 3 * v, n, 3);
  }
}

void snv_updateSkin(const snModel* m, const snData* d, snvScene* scn) {
  if (!sn_sceneFits(m, scn)) return;
  for (int skin = 0; skin < m->nskin; skin++) {
    float *vert = scn->skinvert + 3 * m->skin_vertadr[skin], inflate = m->skin_inflate[skin];
    float* normal = scn->skinnormal + 3 * m->skin_vertadr[skin];
    bendSkin(m, d, skin, vert);
    skinNormals(m, skin, vert, normal);
    for (int i = 0; inflate != 0 && i < 3 * m->skin_vertnum[skin]; i++) {
      vert[i] += inflate * normal[i];
    }
  }
}

// ---- lights ----

static void addHeadlight(const snModel* m, snvScene* scn) {
  snvLight* light = scn->lights + scn->nlight++;
  snReal head[3], forward[3], up[3];
  memset(light, 0, sizeof(*light));
  light->id = light->texid = -1;
  light->type = snLIGHT_DIRECTIONAL;
  light->headlight = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  memcpy(light->ambient, m->vis.headlight.ambient, sizeof(light->ambient));
  memcpy(light->diffuse, m->vis.headlight.diffuse, sizeof(light->diffuse));
  memcpy(light->specular, m->vis.headlight.specular, sizeof(light->specular));
  snv_cameraInModel(head, forward, up, scn);
  snu_n2f(light->pos, head, 3);
  snu_n2f(light->dir, forward, 3);
}

void snv_makeLights(const snModel* m, const snData* d, snvScene* scn) {
  scn->nlight = 0;
  if (m->vis.headlight.active) addHeadlight(m, scn);
  for (int i = 0; i < m->nlight && scn->nlight < snMAXLIGHT; i++) {
    if (!m->light_active[i]) continue;
    snvLight* light = scn->lights + scn->nlight++;
    memset(light, 0, sizeof(*light));
    light->id = i;
    light->type = m->light_type[i];
    light->texid = m->light_texid[i];
    light->castshadow = m->light_castshadow[i];
    light->bulbradius = m->light_bulbradius[i];
    light->intensity = m->light_intensity[i];
    light->range = m->light_range[i];
    if (light->type != snLIGHT_DIRECTIONAL) {
      light->cutoff = m->light_cutoff[i];
      light->exponent = m->light_exponent[i];
      memcpy(light->attenuation, m->light_attenuation + 3 * i, sizeof(light->attenuation));
    }
    memcpy(light->ambient, m->light_ambient + 3 * i, sizeof(light->ambient));
    memcpy(light->diffuse, m->light_diffuse + 3 * i, sizeof(light->diffuse));
    memcpy(light->specular, m->light_specular + 3 * i, sizeof(light->specular));
    snu_n2f(light->pos, d->light_xpos + 3 * i, 3);
    snu_n2f(light->dir, d->light_xdir + 3 * i, 3);
  }
}

// shapes of plugins stand before all others, whatever the categories
static void drawPlugins(const snModel* m, snData* d, const snvOption* opt, snvScene* scn) {
  for (int i = 0; i < m->nplugin; i++) {
    const snpPlugin* plugin = snp_getPluginAtSlot(m->plugin[i]);
    if (plugin && plugin->visualize) plugin->visualize(m, d, opt, scn, i);
  }
}

void snv_updateScene(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                     snvCamera* cam, int catmask, snvScene* scn) {
  scn->ngeom = 0;
  scn->status = 0;
  drawPlugins(m, d, opt, scn);
  scn->flexvertopt = opt->flags[snVIS_FLEXVERT];
  scn->flexedgeopt = opt->flags[snVIS_FLEXEDGE];
  scn->flexfaceopt = opt->flags[snVIS_FLEXFACE];
  scn->flexskinopt = opt->flags[snVIS_FLEXSKIN];
  snv_updateCamera(m, d, cam, scn);
  snv_addGeoms(m, d, opt, pert, catmask, scn);
  snv_makeLights(m, d, scn);
  if (opt->flags[snVIS_SKIN]) snv_updateSkin(m, d, scn);
}
