// Custom fields: numbers, texts and tuples.

#include <string.h>

#include "base/assert.h"
#include "compile/compiler.h"

static const snsNumeric* numericSpec(const snPlainItem* item) {
  return (const snsNumeric*)item->elem->object;
}

static const snsText* textSpec(const snPlainItem* item) {
  return (const snsText*)item->elem->object;
}

static const snsTuple* tupleSpec(const snPlainItem* item) {
  return (const snsTuple*)item->elem->object;
}

static int numericSize(const snsNumeric* spec) {
  return spec->size > spec->data->size ? spec->size : spec->data->size;
}

static int textSize(const snsText* spec) { return (int)strlen(sns_getString(spec->data)) + 1; }

static int compileTuple(snCompiler* c, snPlainItem* item) {
  const snsTuple* spec = tupleSpec(item);
  int n = spec->objtype->size;
  if (!n) {
    return sn_itemError(c, item->elem, "tuple '%s' (id = %d) is empty", sn_elemName(item->elem),
                        item->elem->id);
  }
  if (spec->objname->size != n || spec->objprm->size != n) {
    return sn_itemError(c, item->elem,
                        "tuple '%s' (id = %d) has object arrays with different sizes",
                        sn_elemName(item->elem), item->elem->id);
  }
  item->objects = SN_ITEMS(c, void*, n);
  if (!item->objects) return -1;
  for (int k = 0; k < n; k++) {
    snObj type = (snObj)spec->objtype->data[k];
    const char* name = sns_getString(spec->objname->data + k);
    void* object = sn_findItem(c, type, name);
    if (!object) {
      return sn_itemError(c, item->elem, "unrecognized object '%s' in tuple %d", name,
                          item->elem->id);
    }
    if (type == snOBJ_GEOM) ((snGeomItem*)object)->referenced = 1;
    item->objects[k] = object;
  }
  return 0;
}

int sn_compileCustom(snCompiler* c) {
  for (int i = 0; i < c->nnumeric; i++) {
    const snsNumeric* spec = numericSpec(c->numerics + i);
    if (!numericSize(spec)) {
      return sn_itemError(c, c->numerics[i].elem, "numeric '%s' (id = %d): size cannot be zero",
                          sn_elemName(c->numerics[i].elem), i);
    }
    if (spec->size > 0 && spec->data->size > spec->size) {
      return sn_itemError(
          c, c->numerics[i].elem,
          "numeric '%s' (id = %d): specified size smaller than initialization array",
          sn_elemName(c->numerics[i].elem), i);
    }
  }
  for (int i = 0; i < c->ntext; i++) {
    if (textSize(textSpec(c->texts + i)) > 1) continue;
    return sn_itemError(c, c->texts[i].elem, "text '%s' (id = %d): size cannot be zero",
                        sn_elemName(c->texts[i].elem), i);
  }
  for (int i = 0; i < c->ntuple; i++) SN_TRY(compileTuple(c, c->tuples + i));
  return 0;
}

void sn_countCustom(const snCompiler* c, snModel* sizes) {
  sizes->nnumeric = c->nnumeric;
  sizes->ntext = c->ntext;
  sizes->ntuple = c->ntuple;
  for (int i = 0; i < c->nnumeric; i++) {
    sizes->nnumericdata += numericSize(numericSpec(c->numerics + i));
  }
  for (int i = 0; i < c->ntext; i++) sizes->ntextdata += textSize(textSpec(c->texts + i));
  for (int i = 0; i < c->ntuple; i++) sizes->ntupledata += tupleSpec(c->tuples + i)->objtype->size;
}

void sn_fillCustom(snCompiler* c) {
  snModel* m = c->m;
  int address = 0;
  for (int i = 0; i < c->nnumeric; i++) {
    const snsNumeric* spec = numericSpec(c->numerics + i);
    m->numeric_adr[i] = address;
    m->numeric_size[i] = numericSize(spec);
    sn_toReal(m->numeric_data + address, spec->data->data, spec->data->size);
    address += m->numeric_size[i];
  }
  SN_ASSERT(address == m->nnumericdata);
  address = 0;
  for (int i = 0; i < c->ntext; i++) {
    const snsText* spec = textSpec(c->texts + i);
    m->text_adr[i] = address;
    m->text_size[i] = textSize(spec);
    memcpy(m->text_data + address, sns_getString(spec->data), (size_t)m->text_size[i]);
    address += m->text_size[i];
  }
  SN_ASSERT(address == m->ntextdata);
  address = 0;
  for (int i = 0; i < c->ntuple; i++) {
    const snsTuple* spec = tupleSpec(c->tuples + i);
    m->tuple_adr[i] = address;
    m->tuple_size[i] = spec->objtype->size;
    for (int k = 0; k < spec->objtype->size; k++, address++) {
      snObj type = (snObj)spec->objtype->data[k];
      m->tuple_objtype[address] = type;
      m->tuple_objid[address] = sn_itemId(type, c->tuples[i].objects[k]);
      m->tuple_objprm[address] = (snReal)spec->objprm->data[k];
    }
  }
  SN_ASSERT(address == m->ntupledata);
}
