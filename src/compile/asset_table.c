// Writes meshes, height fields, textures, skins and materials into the model.

#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

void sn_countAssets(const snCompiler* c, snModel* sizes) {
  snSize bvh = sn_countBodyBvh(c);
  for (int i = 0; i < c->nmesh; i++) {
    const snMesh* mesh = &c->meshes[i].mesh;
    if (c->meshes[i].id < 0) continue;
    sizes->nmesh++;
    sizes->nmeshvert += mesh->nvert;
    sizes->nmeshnormal += mesh->nnormal;
    sizes->nmeshtexcoord += mesh->ntexcoord;
    sizes->nmeshface += mesh->nface;
    sizes->nmeshgraph += mesh->ngraph;
    sizes->nmeshpoly += mesh->npoly;
    sizes->nmeshpolyvert += mesh->npolyvert;
    sizes->nmeshpolymap += mesh->npolymap;
    sizes->noct += mesh->octree.nnode;
    bvh += mesh->bvh.nnode;
  }
  sizes->nbvh = sizes->nbvhstatic = bvh;
  sizes->nhfield = c->nhfield;
  for (int i = 0; i < c->nhfield; i++) {
    sizes->nhfielddata += (snSize)c->hfields[i].hfield.nrow * c->hfields[i].hfield.ncol;
  }
  sizes->ntex = c->ntex;
  for (int i = 0; i < c->ntex; i++) sizes->ntexdata += (snSize)c->textures[i].texture.ndata;
  sizes->nmat = c->nmat;
  sizes->nskin = c->nskin;
  for (int i = 0; i < c->nskin; i++) {
    const snSkin* skin = &c->skins[i].skin;
    sizes->nskinvert += skin->nvert / 3;
    sizes->nskintexvert += skin->ntexcoord / 2;
    sizes->nskinface += skin->nface / 3;
    sizes->nskinbone += skin->nbone;
    for (int k = 0; k < skin->nbone; k++) sizes->nskinbonevert += skin->bones[k].nvertid;
  }
}

static void copyInts(int* dest, const int* source, snSize n) {
  if (n) memcpy(dest, source, (size_t)n * sizeof(int));
}

static void copyFloats(float* dest, const float* source, snSize n) {
  if (n) memcpy(dest, source, (size_t)n * sizeof(float));
}

static void copyShifted(int* dest, const int* source, snSize n, int shift) {
  for (snSize i = 0; i < n; i++) dest[i] = source[i] + shift;
}

// running addresses into the arrays that meshes share
typedef struct Cursor_ {
  int vert, normal, texcoord, face, graph, poly, polyvert, polymap, bvh, oct;
} Cursor;

static void fillPolygons(snModel* m, int i, const snMesh* mesh, const Cursor* at) {
  m->mesh_polynum[i] = mesh->npoly;
  m->mesh_polyadr[i] = at->poly;
  sn_toReal(m->mesh_polynormal + 3 * (snSize)at->poly, mesh->polynormal, 3 * mesh->npoly);
  copyShifted(m->mesh_polyvertadr + at->poly, mesh->polyvertadr, mesh->npoly, at->polyvert);
  copyInts(m->mesh_polyvertnum + at->poly, mesh->polyvertnum, mesh->npoly);
  copyInts(m->mesh_polyvert + at->polyvert, mesh->polyvert, mesh->npolyvert);
  copyShifted(m->mesh_polymapadr + at->vert, mesh->polymapadr, mesh->nvert, at->polymap);
  copyInts(m->mesh_polymapnum + at->vert, mesh->polymapnum, mesh->nvert);
  copyInts(m->mesh_polymap + at->polymap, mesh->polymap, mesh->npolymap);
}

static void fillTrees(snModel* m, int i, const snMesh* mesh, const Cursor* at) {
  const snOctree* octree = &mesh->octree;
  m->mesh_bvhadr[i] = mesh->bvh.nnode ? at->bvh : -1;
  m->mesh_bvhnum[i] = mesh->bvh.nnode;
  if (mesh->bvh.nnode) sn_copyBvh(m, at->bvh, &mesh->bvh);
  m->mesh_octadr[i] = octree->nnode ? at->oct : -1;
  m->mesh_octnum[i] = octree->nnode;
  copyInts(m->oct_depth + at->oct, octree->depth, octree->nnode);
  copyInts(m->oct_child + 8 * (snSize)at->oct, octree->child, 8 * (snSize)octree->nnode);
  sn_toReal(m->oct_aabb + 6 * (snSize)at->oct, octree->aabb, 6 * octree->nnode);
  sn_toReal(m->oct_coeff + 8 * (snSize)at->oct, octree->coeff, 8 * octree->nnode);
}

static void fillMesh(snModel* m, const snMeshItem* item, const Cursor* at) {
  const snMesh* mesh = &item->mesh;
  int i = item->id;
  m->mesh_vertadr[i] = at->vert;
  m->mesh_vertnum[i] = mesh->nvert;
  m->mesh_normaladr[i] = at->normal;
  m->mesh_normalnum[i] = mesh->nnormal;
  m->mesh_texcoordadr[i] = mesh->ntexcoord ? at->texcoord : -1;
  m->mesh_texcoordnum[i] = mesh->ntexcoord;
  m->mesh_faceadr[i] = at->face;
  m->mesh_facenum[i] = mesh->nface;
  m->mesh_graphadr[i] = mesh->ngraph ? at->graph : -1;
  float* vert = m->mesh_vert + 3 * (snSize)at->vert;
  for (snSize k = 0; k < 3 * (snSize)mesh->nvert; k++) vert[k] = (float)mesh->vert[k];
  copyFloats(m->mesh_normal + 3 * (snSize)at->normal, mesh->normal, 3 * (snSize)mesh->nnormal);
  copyFloats(m->mesh_texcoord + 2 * (snSize)at->texcoord, mesh->texcoord,
             2 * (snSize)mesh->ntexcoord);
  copyInts(m->mesh_face + 3 * (snSize)at->face, mesh->face, 3 * (snSize)mesh->nface);
  copyInts(m->mesh_facenormal + 3 * (snSize)at->face, mesh->facenormal, 3 * (snSize)mesh->nface);
  copyInts(m->mesh_facetexcoord + 3 * (snSize)at->face, mesh->facetexcoord,
           3 * (snSize)mesh->nface);
  copyInts(m->mesh_graph + at->graph, mesh->graph, mesh->ngraph);
  sn_toReal(m->mesh_scale + 3 * i, mesh->scale, 3);
  sn_toReal(m->mesh_pos + 3 * i, mesh->pos, 3);
  sn_toReal(m->mesh_quat + 4 * i, mesh->quat, 4);
  fillPolygons(m, i, mesh, at);
  fillTrees(m, i, mesh, at);
}

void sn_fillMeshes(snCompiler* c) {
  Cursor at = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  at.bvh = (int)sn_bodyBvhEnd(c);
  for (int i = 0; i < c->nmesh; i++) {
    const snMesh* mesh = &c->meshes[i].mesh;
    if (c->meshes[i].id < 0) continue;
    fillMesh(c->m, c->meshes + i, &at);
    at.vert += mesh->nvert;
    at.normal += mesh->nnormal;
    at.texcoord += mesh->ntexcoord;
    at.face += mesh->nface;
    at.graph += mesh->ngraph;
    at.poly += mesh->npoly;
    at.polyvert += mesh->npolyvert;
    at.polymap += mesh->npolymap;
    at.bvh += mesh->bvh.nnode;
    at.oct += mesh->octree.nnode;
  }
  SN_ASSERT(at.vert == c->m->nmeshvert && at.normal == c->m->nmeshnormal);
  SN_ASSERT(at.texcoord == c->m->nmeshtexcoord && at.face == c->m->nmeshface);
  SN_ASSERT(at.graph == c->m->nmeshgraph && at.oct == c->m->noct && at.bvh <= c->m->nbvh);
  SN_ASSERT(at.poly == c->m->nmeshpoly && at.polyvert == c->m->nmeshpolyvert);
}

void sn_fillHFields(snCompiler* c) {
  snModel* m = c->m;
  int address = 0;
  for (int i = 0; i < c->nhfield; i++) {
    const snHField* hfield = &c->hfields[i].hfield;
    int n = hfield->nrow * hfield->ncol;
    sn_toReal(m->hfield_size + 4 * i, c->hfields[i].spec.size, 4);
    m->hfield_nrow[i] = hfield->nrow;
    m->hfield_ncol[i] = hfield->ncol;
    m->hfield_adr[i] = address;
    copyFloats(m->hfield_data + address, hfield->data, n);
    address += n;
  }
  SN_ASSERT(address == m->nhfielddata);
}

void sn_fillTextures(snCompiler* c) {
  snModel* m = c->m;
  snSize address = 0;
  for (int i = 0; i < c->ntex; i++) {
    const snTextureData* texture = &c->textures[i].texture;
    m->tex_type[i] = c->textures[i].spec.type;
    m->tex_colorspace[i] = texture->colorspace;
    m->tex_height[i] = texture->height;
    m->tex_width[i] = texture->width;
    m->tex_nchannel[i] = texture->nchannel;
    m->tex_adr[i] = address;
    if (texture->ndata) memcpy(m->tex_data + address, texture->data, texture->ndata);
    address += (snSize)texture->ndata;
  }
  SN_ASSERT(address == m->ntexdata);
}

void sn_fillSkins(snCompiler* c) {
  snModel* m = c->m;
  int vert = 0, texcoord = 0, face = 0, bone = 0, bonevert = 0;
  for (int i = 0; i < c->nskin; i++) {
    const snSkinItem* item = c->skins + i;
    const snSkin* skin = &item->skin;
    m->skin_matid[i] = item->matid;
    sn_fillCopied(m, snOBJ_SKIN, i, &item->spec);
    m->skin_vertadr[i] = vert;
    m->skin_vertnum[i] = skin->nvert / 3;
    m->skin_texcoordadr[i] = skin->ntexcoord ? texcoord : -1;
    m->skin_faceadr[i] = face;
    m->skin_facenum[i] = skin->nface / 3;
    m->skin_boneadr[i] = bone;
    m->skin_bonenum[i] = skin->nbone;
    copyFloats(m->skin_vert + 3 * (snSize)vert, skin->vert, skin->nvert);
    copyFloats(m->skin_texcoord + 2 * (snSize)texcoord, skin->texcoord, skin->ntexcoord);
    copyInts(m->skin_face + 3 * (snSize)face, skin->face, skin->nface);
    for (int k = 0; k < skin->nbone; k++, bone++) {
      const snSkinBone* from = skin->bones + k;
      m->skin_bonevertadr[bone] = bonevert;
      m->skin_bonevertnum[bone] = from->nvertid;
      memcpy(m->skin_bonebindpos + 3 * (snSize)bone, from->bindpos, sizeof(from->bindpos));
      memcpy(m->skin_bonebindquat + 4 * (snSize)bone, from->bindquat, sizeof(from->bindquat));
      m->skin_bonebodyid[bone] = item->body[k];
      copyInts(m->skin_bonevertid + bonevert, from->vertid, from->nvertid);
      copyFloats(m->skin_bonevertweight + bonevert, from->vertweight, from->nvertid);
      bonevert += from->nvertid;
    }
    vert += skin->nvert / 3;
    texcoord += skin->ntexcoord / 2;
    face += skin->nface / 3;
  }
  SN_ASSERT(vert == m->nskinvert && texcoord == m->nskintexvert && face == m->nskinface);
  SN_ASSERT(bone == m->nskinbone && bonevert == m->nskinbonevert);
}

void sn_fillMaterials(snCompiler* c) {
  snModel* m = c->m;
  for (int i = 0; i < c->nmat; i++) {
    copyInts(m->mat_texid + snNTEXROLE * i, c->materials[i].texid, snNTEXROLE);
    sn_fillCopied(m, snOBJ_MATERIAL, i, &c->materials[i].spec);
  }
}
