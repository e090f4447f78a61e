// Sensors of contacts: touch, and reports of matching contacts.

#include "base/arena.h"
#include "base/assert.h"
#include "engine/sense/sensor.h"
#include "math/math.h"

static int geomBody(const snModel* m, int geom) { return geom < 0 ? -1 : m->geom_bodyid[geom]; }

// ---- touch

// normal force of a contact of a deformable with the site's body, if its line of force meets the site
static snReal deformTouch(const snModel* m, const snData* d, int site, int i) {
  if (m->site_bodyid[site] != geomBody(m, d->deformcon_geom[i])) return 0;
  const snReal* normal = d->deformcon_normal + 3 * i;
  snReal force = snu_dot3(d->deformcon_force + 3 * i, normal);
  if (!(force > 0)) return 0;
  snReal at = snu_rayGeom(d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_size + 3 * site,
                          d->deformcon_pos + 3 * i, normal, m->site_type[site], NULL);
  return at >= 0 ? force : 0;
}

// the geoms of a body follow one another
static inline int isGeomOf(const snModel* m, int geom, int body) {
  return (unsigned)(geom - m->body_geomadr[body]) < (unsigned)m->body_geomnum[body];
}

// normal force of a contact of the site's body, if its line of force meets the site
static snReal contactTouch(const snModel* m, const snData* d, int site, int k) {
  const snContact* con = d->contact + k;
  int second = isGeomOf(m, con->geom[1], m->site_bodyid[site]);
  if (con->efc_address < 0) return 0;
  snReal force[6], ray[3];
  sn_contactForce(m, d, k, force);
  if (!(force[0] > 0)) return 0;
  snu_scl3(ray, con->frame, force[0]);
  snu_normalize3(ray);
  if (second) snu_scl3(ray, ray, -1);
  snReal at = snu_rayGeom(d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_size + 3 * site,
                          con->pos, ray, m->site_type[site], NULL);
  return at >= 0 ? force[0] : 0;
}

// the sum over the contacts of the site's body
void sn_sensorTouch(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(i, m->nsensor);
  int site = m->sensor_objid[i], body = m->site_bodyid[site];
  snReal sum = 0;
  for (int k = 0; k < d->ncon; k++) {
    const int* geom = d->contact[k].geom;
    int first = isGeomOf(m, geom[0], body), second = isGeomOf(m, geom[1], body);
    if (first | second) sum += contactTouch(m, d, site, k);
  }
  for (int k = 0; k < d->ndeformcon; k++) sum += deformTouch(m, d, site, k);
  *out = sum;
}

void sn_sensorTouchListed(const snModel* m, const snData* d, const snContactLists* lists, int i,
                          snReal* out) {
  SN_ASSERT_INDEX(i, m->nsensor);
  int site = m->sensor_objid[i], body = m->site_bodyid[site];
  snReal sum = 0;
  for (int k = lists->start[body]; k < lists->start[body + 1]; k++) {
    sum += contactTouch(m, d, site, lists->contact[k]);
  }
  for (int k = 0; k < d->ndeformcon; k++) sum += deformTouch(m, d, site, k);
  *out = sum;
}

// ---- contacts of geoms, then those of deformables with geoms

static int countContacts(const snData* d) { return d->ncon + d->ndeformcon; }

// That of a deformable, made in own, has its geom first and none second; one that is near but does not touch is NULL.
static const snContact* deformContact(const snData* d, int i, snContact* own) {
  SN_ASSERT_INDEX(i, d->ndeformcon);
  const snReal* force = d->deformcon_force + 3 * i;
  if (!(d->deformcon_dist[i] < 0) && snu_dot3(force, force) == 0) return NULL;
  own->dist = d->deformcon_dist[i];
  own->geom[0] = d->deformcon_geom[i];
  own->geom[1] = -1;
  snu_copy3(own->pos, d->deformcon_pos + 3 * i);
  snu_copy3(own->frame, d->deformcon_normal + 3 * i);
  snu_zero3(own->frame + 3);
  sn_makeFrame(own->frame);
  return own;
}

// a contact by number
static inline const snContact* contactAt(const snData* d, int k, snContact* own) {
  return k < d->ncon ? d->contact + k : deformContact(d, k - d->ncon, own);
}

// ---- matching

// What the two sides of a contact are to be: the object of the sensor and its reference.
typedef struct Wanted_ {
  int type1, id1, type2, id2;
} Wanted;

static Wanted wantedBy(const snModel* m, int i) {
  SN_ASSERT_INDEX(i, m->nsensor);
  Wanted wanted = {m->sensor_objtype[i], m->sensor_objid[i], m->sensor_reftype[i],
                   m->sensor_refid[i]};
  return wanted;
}

static int isInSubtree(const snModel* m, int body, int id) {
  while (body > id) body = m->body_parentid[body];
  return body == id;
}

// is this side of a contact the object, or part of it?
static inline int isSide(const snModel* m, int geom, int type, int id) {
  SN_ASSERT_REFERENCE(geom, m->ngeom);
  switch (type) {
    case snOBJ_GEOM: return geom == id;
    case snOBJ_BODY: return geomBody(m, geom) == id;
    case snOBJ_XBODY: return isInSubtree(m, geomBody(m, geom), id);
    default: return 1;
  }
}

// 0: no match; 1: the contact's normal points from the object to the reference; -1: the reverse
static inline int match(const snModel* m, const snData* d, const Wanted* wanted,
                        const snContact* con) {
  int type1 = wanted->type1, id1 = wanted->id1, type2 = wanted->type2, id2 = wanted->id2;
  int object1 = isSide(m, con->geom[0], type1, id1), object2 = isSide(m, con->geom[1], type1, id1);
  if (!(object1 || object2)) return 0;
  if (type1 == snOBJ_UNKNOWN && type2 == snOBJ_UNKNOWN) return 1;
  if (type1 == snOBJ_SITE && !sn_insideSite(m, d, id1, con->pos)) return 0;
  int reference1 = isSide(m, con->geom[0], type2, id2);
  int reference2 = isSide(m, con->geom[1], type2, id2);
  if (!(reference1 || reference2)) return 0;
  if (type2 == snOBJ_UNKNOWN) return object1 ? 1 : -1;
  if (type1 == snOBJ_UNKNOWN) return reference2 ? 1 : -1;
  if (object1 && reference2) return 1;
  return object2 && reference1 ? -1 : 0;
}

// ---- reports

enum { REDUCE_NONE, REDUCE_MINDIST, REDUCE_MAXFORCE, REDUCE_NETFORCE };

// what a slot of the sensor says
typedef struct Report_ {
  snReal found;
  snReal wrench[6];
  snReal dist;
  snReal pos[3];
  snReal frame[6];  // normal, tangent
} Report;

static snReal* write3(snReal* out, const snReal vec[3]) {
  snu_copy3(out, vec);
  return out + 3;
}

static snReal* writeReport(const Report* report, int bits, snReal* out) {
  if (bits & 1 << snCONDATA_FOUND) *out++ = report->found;
  if (bits & 1 << snCONDATA_FORCE) out = write3(out, report->wrench);
  if (bits & 1 << snCONDATA_TORQUE) out = write3(out, report->wrench + 3);
  if (bits & 1 << snCONDATA_DIST) *out++ = report->dist;
  if (bits & 1 << snCONDATA_POS) out = write3(out, report->pos);
  if (bits & 1 << snCONDATA_NORMAL) out = write3(out, report->frame);
  if (bits & 1 << snCONDATA_TANGENT) out = write3(out, report->frame + 3);
  return out;
}

// a reversed contact has its frame turned by half a turn about the second tangent
static void contactReport(const snModel* m, const snData* d, int contact, int direction,
                          Report* report) {
  SN_ASSERT_INDEX(contact, countContacts(d));
  SN_ASSERT(direction == 1 || direction == -1);
  snContact own;
  const snContact* con = contactAt(d, contact, &own);
  SN_ASSERT(con);
  sn_contactForce(m, d, contact, report->wrench);
  report->wrench[2] *= direction;
  report->wrench[5] *= direction;
  report->dist = con->dist;
  snu_copy3(report->pos, con->pos);
  snu_scl(report->frame, con->frame, direction, 6);
}

// ---- the sum of all matching contacts, in the frame of the world

static void netPoint(const snModel* m, const snData* d, int i, Report* report) {
  Wanted wanted = wantedBy(m, i);
  snReal total = 0;
  snu_zero3(report->pos);
  report->found = 0;
  for (int k = 0; k < countContacts(d); k++) {
    snContact own;
    const snContact* con = contactAt(d, k, &own);
    if (!con || !match(m, d, &wanted, con)) continue;
    snReal wrench[6];
    sn_contactForce(m, d, k, wrench);
    snReal weight = snu_norm3(wrench);
    snu_addToScl3(report->pos, con->pos, weight);
    total += weight;
    report->found++;
  }
  snu_scl3(report->pos, report->pos, 1 / snu_max(total, (snReal)snMINVAL));
}

static void netReport(const snModel* m, const snData* d, int i, Report* report) {
  SN_ASSERT_INDEX(i, m->nsensor);
  Wanted wanted = wantedBy(m, i);
  netPoint(m, d, i, report);
  snu_zero(report->wrench, 6);
  for (int k = 0; k < countContacts(d); k++) {
    snContact own;
    const snContact* con = contactAt(d, k, &own);
    int direction = con ? match(m, d, &wanted, con) : 0;
    if (!direction) continue;
    snReal local[6], force[3], torque[3], arm[3], moment[3];
    sn_contactForce(m, d, k, local);
    snu_scl(local, local, direction, 6);
    snu_mulMatTVec3(force, con->frame, local);
    snu_mulMatTVec3(torque, con->frame, local + 3);
    snu_sub3(arm, con->pos, report->pos);
    snu_cross(moment, arm, force);
    snu_addTo3(report->wrench, force);
    snu_addTo3(report->wrench + 3, torque);
    snu_addTo3(report->wrench + 3, moment);
  }
  report->dist = 0;
  snu_zero(report->frame, 6);
  report->frame[0] = report->frame[4] = 1;
}

// ---- selection

// a matching contact and what it is ordered by
typedef struct Match_ {
  snReal key;
  int contact;
  int direction;
} Match;

static snReal sortKey(const snModel* m, const snData* d, const snContact* con, int contact,
                      int reduce) {
  SN_ASSERT_INDEX(contact, countContacts(d));
  if (reduce == REDUCE_MINDIST) return con->dist;
  if (reduce != REDUCE_MAXFORCE) return 0;
  snReal wrench[6];
  sn_contactForce(m, d, contact, wrench);
  return -snu_dot3(wrench, wrench);
}

// the best matches in order, at most limit of them; returns how many matched in all
static int selectMatches(const snModel* m, const snData* d, int i, Match* best, int limit) {
  SN_ASSERT_INDEX(i, m->nsensor);
  SN_ASSERT(limit > 0);
  int reduce = m->sensor_intprm[snNSENS * i + 1], nmatch = 0;
  Wanted wanted = wantedBy(m, i);
  for (int k = 0; k < countContacts(d); k++) {
    snContact own;
    const snContact* con = contactAt(d, k, &own);
    int direction = con ? match(m, d, &wanted, con) : 0;
    if (!direction) continue;
    Match candidate = {sortKey(m, d, con, k, reduce), k, direction};
    int slot = nmatch < limit ? nmatch : limit;
    nmatch++;
    if (slot == limit && !(candidate.key < best[limit - 1].key)) continue;
    if (slot == limit) slot--;
    for (; slot > 0 && candidate.key < best[slot - 1].key; slot--) best[slot] = best[slot - 1];
    best[slot] = candidate;
  }
  return nmatch;
}

static void reportMatches(const snModel* m, const snData* d, int i, Match* best, int limit,
                          snReal* out) {
  SN_ASSERT(limit > 0);
  Report report;
  int nmatch = selectMatches(m, d, i, best, limit);
  report.found = nmatch;
  for (int k = 0; k < limit && k < nmatch; k++) {
    contactReport(m, d, best[k].contact, best[k].direction, &report);
    out = writeReport(&report, m->sensor_intprm[snNSENS * i], out);
  }
}

// A sensor of one contact needs no memory, not even a frame: lanes compute several at once.
void sn_sensorContact(const snModel* m, snData* d, int i, snReal* out) {
  SN_ASSERT_INDEX(i, m->nsensor);
  const int* param = m->sensor_intprm + snNSENS * i;
  snu_zero(out, m->sensor_dim[i]);
  if (param[1] == REDUCE_NETFORCE) {
    Report report;
    netReport(m, d, i, &report);
    writeReport(&report, param[0], out);
    return;
  }
  int limit = param[2] < countContacts(d) ? param[2] : countContacts(d);
  if (limit <= 0) return;
  if (limit == 1) {
    Match best;
    reportMatches(m, d, i, &best, 1, out);
    return;
  }
  sn_markStack(d);
  Match* best = SN_STACK(d, Match, limit);
  if (best) {
    reportMatches(m, d, i, best, limit, out);
  } else {
    sn_warning(d, snWARN_CNSTRFULL, (int)d->narena);
  }
  sn_freeStack(d);
}
