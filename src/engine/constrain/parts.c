// Parts of the contacts and rows that threads share.
//
// A thread has the same trees in every stage, so that their data are in its cache. Contacts are in the order of their
// bodies (a, b), a < b: first those with the world, by b, then those between other bodies, by a. In both lists the
// contacts of neighbouring bodies are contiguous, and a binary search finds the ends of a part. Where contacts have
// another order, as those of flexes, parts are still disjoint and complete, because the search is monotonic in its
// target.

#include "base/assert.h"
#include "engine/constrain/constraint.h"

static uint32_t signatureOf(const snModel* m, const snContact* con) {
  if (con->geom[0] < 0 || con->geom[1] < 0) return UINT32_MAX;
  uint32_t a = (uint32_t)m->geom_bodyid[con->geom[0]], b = (uint32_t)m->geom_bodyid[con->geom[1]];
  return a < b ? a << 16 | b : b << 16 | a;
}

static int contactsBefore(const snModel* m, const snData* d, uint32_t signature) {
  int low = 0, high = d->ncon;
  while (low < high) {
    int middle = (low + high) / 2;
    if (signatureOf(m, d->contact + middle) < signature) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// where a part begins among the contacts of the world, or among the others
static int contactOfPart(const snModel* m, const snData* d, int part, int count, int world) {
  uint32_t body = 1 + (uint32_t)((m->nbody - 1) * part / count);
  if (part == 0) return world ? 0 : contactsBefore(m, d, 1 << 16);
  if (part == count) return world ? contactsBefore(m, d, 1 << 16) : d->ncon;
  return contactsBefore(m, d, world ? body : body << 16);
}

static int isWhole(int begin, int end, int count) { return begin == 0 && end == count; }

void sn_contactsOfParts(const snModel* m, const snData* d, int begin, int end, int count,
                        snRange range[2]) {
  SN_ASSERT(begin >= 0 && begin <= end && end <= count);
  for (int other = 0; other < 2; other++) {
    if (isWhole(begin, end, count)) {
      range[other].begin = other ? d->ncon : 0;
      range[other].end = d->ncon;
    } else {
      range[other].begin = contactOfPart(m, d, begin, count, !other);
      range[other].end = contactOfPart(m, d, end, count, !other);
    }
  }
}

// the first row of a contact or of one after it
static int rowOfContact(const snData* d, int contact) {
  while (contact < d->ncon && d->contact[contact].efc_address < 0) contact++;
  return contact < d->ncon ? d->contact[contact].efc_address : d->nefc;
}

// where a part of the rows without contacts begins; blocks stay together
static int plainRowOfPart(const snData* d, int part, int count) {
  int plain = d->ne + d->nf + d->nl, row = (int)((long)plain * part / count);
  while (row > 0 && row < plain && d->efc_J_rowsuper[row - 1]) row++;
  return row;
}

void sn_rowsOfParts(const snModel* m, const snData* d, int begin, int end, int count,
                    snRange range[3]) {
  if (isWhole(begin, end, count)) {
    range[0].begin = 0;
    range[0].end = d->nefc;
    for (int k = 1; k < 3; k++) range[k].begin = range[k].end = d->nefc;
    return;
  }
  range[0].begin = plainRowOfPart(d, begin, count);
  range[0].end = plainRowOfPart(d, end, count);
  sn_contactsOfParts(m, d, begin, end, count, range + 1);
  for (int k = 1; k < 3; k++) {
    range[k].begin = rowOfContact(d, range[k].begin);
    range[k].end = rowOfContact(d, range[k].end);
  }
}
