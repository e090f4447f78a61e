// The contacts of each body, for what goes through bodies or sites and would otherwise look through all contacts.
//
// Those of body b are contact[start[b]], ..., contact[start[b + 1] - 1], in ascending order: a sum over them has the order
// of a loop over all contacts. A contact of two geoms of one body is listed once, and so is one of a geom and a flex.

#ifndef SINEW_ENGINE_CONSTRAIN_CONTACT_LISTS_H_
#define SINEW_ENGINE_CONSTRAIN_CONTACT_LISTS_H_

#include "base/arena.h"
#include "base/assert.h"
#include "sinew/sinew.h"

typedef struct snContactLists_ {
  const int *start, *contact;
} snContactLists;

// the bodies that list a contact; -1: none
static inline void sn_listingBodies(const snModel* m, const snContact* con, int body[2]) {
  for (int s = 0; s < 2; s++) body[s] = con->geom[s] < 0 ? -1 : m->geom_bodyid[con->geom[s]];
  if (body[0] == body[1]) body[1] = -1;
}

// On the stack, in the caller's frame, by one lane; returns 0 when it is full. Counting sort: start[b + 2] counts, then
// start[b + 1] is the next place of body b.
static inline int sn_listContacts(const snModel* m, snData* d, snContactLists* lists) {
  int n = (int)m->nbody, *start = SN_STACK(d, int, n + 2 + 2 * d->ncon), body[2];
  if (!start) return 0;
  int* contact = start + n + 2;
  for (int b = 0; b < n + 2; b++) start[b] = 0;
  for (int i = 0; i < d->ncon; i++) {
    sn_listingBodies(m, d->contact + i, body);
    for (int s = 0; s < 2; s++) {
      if (body[s] >= 0) start[body[s] + 2]++;
    }
  }
  for (int b = 1; b < n; b++) start[b + 2] += start[b + 1];
  for (int i = 0; i < d->ncon; i++) {
    sn_listingBodies(m, d->contact + i, body);
    for (int s = 0; s < 2; s++) {
      if (body[s] >= 0) contact[start[body[s] + 1]++] = i;
    }
  }
  SN_ASSERT(!start[0] && start[n] <= 2 * d->ncon);
  lists->start = start;
  lists->contact = contact;
  return 1;
}

#endif  // SINEW_ENGINE_CONSTRAIN_CONTACT_LISTS_H_
