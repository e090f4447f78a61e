// The contact list: parameters of contacts, mixed from those of their geoms; add one, read the force
// of one.

#include <stddef.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/misuse.h"
#include "engine/collide/collision.h"
#include "engine/collide/flex.h"
#include "engine/constrain/constraint.h"
#include "math/math.h"

// ---- contact parameters --------------------------------------------------------------------------

// parameters shared by the contacts of one pair of geoms
struct Mixed_ {
  int condim;
  snReal gap;
  snReal friction[5], solref[2], solreffriction[2], solimp[5];
};
typedef struct Mixed_ Mixed;

static void unpackFriction(snReal friction[5], const snReal f[3]) {
  friction[0] = friction[1] = f[0];
  friction[2] = f[1];
  friction[3] = friction[4] = f[2];
}

// weight of geom 1
static snReal mixWeight(snReal mix1, snReal mix2) {
  int small1 = mix1 < (snReal)snMINVAL, small2 = mix2 < (snReal)snMINVAL;
  if (!small1 && !small2) return mix1 / (mix1 + mix2);
  if (small1 && small2) return (snReal)0.5;
  return small1 ? 0 : 1;
}

// what a geom or a flex brings to a contact
struct Surface_ {
  int priority, condim;
  snReal gap, solmix;
  const snReal *solref, *solimp, *friction;
};
typedef struct Surface_ Surface;

// parameters of the object with this id and kind, geom or flex
#define SURFACE_OF(m, kind, id)                                                                    \
  {                                                                                                \
    (m)->kind##_priority[id], (m)->kind##_condim[id], (m)->kind##_gap[id], (m)->kind##_solmix[id], \
        (m)->kind##_solref + snNREF*(id), (m)->kind##_solimp + snNIMP*(id),                        \
        (m)->kind##_friction + 3 * (id)                                                            \
  }

static Surface geomSurface(const snModel* m, int g) {
  Surface surface = SURFACE_OF(m, geom, g);
  return surface;
}

static Surface flexSurface(const snModel* m, int f) {
  Surface surface = SURFACE_OF(m, flex, f);
  return surface;
}

static void mixSurfaces(const Surface* first, const Surface* second, Mixed* mixed) {
  // the surface of higher priority is mixed with itself, which gives the same numbers
  const Surface* s1 = first->priority < second->priority ? second : first;
  const Surface* s2 = first->priority > second->priority ? first : second;
  const snReal *ref1 = s1->solref, *ref2 = s2->solref, *imp1 = s1->solimp, *imp2 = s2->solimp;
  snReal weight = mixWeight(s1->solmix, s2->solmix), friction[3];
  mixed->gap = first->gap + second->gap;
  mixed->condim = s1->condim > s2->condim ? s1->condim : s2->condim;
  for (int k = 0; k < snNREF; k++) mixed->solreffriction[k] = 0;
  for (int k = 0; k < 3; k++) friction[k] = snu_max(s1->friction[k], s2->friction[k]);
  unpackFriction(mixed->friction, friction);
  int blend = ref1[0] > 0 && ref2[0] > 0;
  for (int k = 0; k < snNREF; k++) {
    mixed->solref[k] =
        blend ? weight * ref1[k] + (1 - weight) * ref2[k] : snu_min(ref1[k], ref2[k]);
  }
  for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = weight * imp1[k] + (1 - weight) * imp2[k];
}

static void copyPair(const snModel* m, int p, Mixed* mixed) {
  mixed->condim = m->pair_dim[p];
  mixed->gap = m->pair_gap[p];
  for (int k = 0; k < 5; k++) mixed->friction[k] = m->pair_friction[5 * p + k];
  for (int k = 0; k < snNREF; k++) {
    mixed->solref[k] = m->pair_solref[snNREF * p + k];
    mixed->solreffriction[k] = m->pair_solreffriction[snNREF * p + k];
  }
  for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = m->pair_solimp[snNIMP * p + k];
}

static void overrideMixed(const snModel* m, Mixed* mixed) {
  if (m->opt.enableflags & snENBL_OVERRIDE) {
    for (int k = 0; k < 5; k++) mixed->friction[k] = m->opt.o_friction[k];
    for (int k = 0; k < snNREF; k++) {
      mixed->solref[k] = mixed->solreffriction[k] = m->opt.o_solref[k];
    }
    for (int k = 0; k < snNIMP; k++) mixed->solimp[k] = m->opt.o_solimp[k];
  }
  for (int k = 0; k < 5; k++) {
    mixed->friction[k] = snu_max((snReal)snMINMU, mixed->friction[k]);
  }
}

static void mixPair(const snModel* m, int g1, int g2, int p, Mixed* mixed) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  if (p < 0) {
    Surface surface1 = geomSurface(m, g1), surface2 = geomSurface(m, g2);
    mixSurfaces(&surface1, &surface2, mixed);
  } else {
    copyPair(m, p, mixed);
  }
  overrideMixed(m, mixed);
}

// all but the distance, the position, the frame and what the solver computes
static void fillContact(snContact* con, const Mixed* mixed, snReal includemargin, int g1, int g2) {
  con->includemargin = includemargin;
  for (int k = 0; k < 5; k++) {
    con->friction[k] = mixed->friction[k];
    con->solimp[k] = mixed->solimp[k];
  }
  for (int k = 0; k < 2; k++) {
    con->solref[k] = mixed->solref[k];
    con->solreffriction[k] = mixed->solreffriction[k];
    con->flex[k] = con->elem[k] = con->vert[k] = -1;
  }
  con->dim = mixed->condim;
  con->geom1 = con->geom[0] = g1;
  con->geom2 = con->geom[1] = g2;
  con->exclude = con->dist >= includemargin;
  con->efc_address = -1;
}

static int isEqual3(const snReal a[3], const snReal b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// contacts of one pair often share their frame
void sn_placeContact(snContact* con, const snContactPoint* point, int index) {
  con->dist = point->dist;
  snu_copy3(con->pos, point->pos);
  if (index && isEqual3(point->normal, point[-1].normal) &&
      isEqual3(point->tangent, point[-1].tangent)) {
    for (int k = 0; k < 9; k++) con->frame[k] = con[-1].frame[k];
    return;
  }
  snu_copy3(con->frame, point->normal);
  snu_copy3(con->frame + 3, point->tangent);
  sn_makeFrame(con->frame);
}

// contact number `index` of a pair
static void makeContact(snContact* con, const snContactPoint* point, int index, const Mixed* mixed,
                        snReal margin, int g1, int g2) {
  sn_placeContact(con, point, index);
  fillContact(con, mixed, margin - mixed->gap, g1, g2);
  con->mu = 0;
  snu_zero(con->H, 36);
}

void sn_fillContacts(const snModel* m, snContact* con, const snContactPoint* points, int n, int g1,
                     int g2, int p, snReal margin) {
  SN_ASSERT_INDEX2(g1, g2, m->ngeom);
  Mixed mixed;
  mixPair(m, g1, g2, p, &mixed);
  for (int i = 0; i < n; i++) {
    makeContact(con + i, points + i, i, &mixed, margin, g1, g2);
  }
}

static void fillFlexContacts(const snModel* m, snContact* con, const snContactPoint* points, int n,
                             const snSides* sides, snReal margin, int condim) {
  Mixed mixed;
  Surface surface[2];
  for (int s = 0; s < 2; s++) {
    int geom = sides->geom[s];
    surface[s] = geom >= 0 ? geomSurface(m, geom) : flexSurface(m, sides->flex[s]);
  }
  mixSurfaces(surface, surface + 1, &mixed);
  overrideMixed(m, &mixed);
  if (sides->flex[0] == sides->flex[1]) mixed.gap = 0;
  if (condim) mixed.condim = condim;
  for (int i = 0; i < n; i++) {
    makeContact(con + i, points + i, i, &mixed, margin, sides->geom[0], sides->geom[1]);
    for (int s = 0; s < 2; s++) {
      con[i].flex[s] = sides->flex[s];
      con[i].elem[s] = sides->element[s];
      con[i].vert[s] = sides->vertex[s];
    }
  }
}

int sn_addFlexContacts(const snModel* m, snData* d, const snContactPoint* points, int n,
                       const snSides* sides, snReal margin, int condim) {
  int total, place = sn_teamScan(n, &total);
  if (!total) return 1;
  snContact* con = (snContact*)sn_arenaAlloc(d, (size_t)total * sizeof(snContact), sizeof(snReal));
  if (!con) {
    SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, d->ncon));
    return 0;
  }
  if (n) fillFlexContacts(m, con + place, points, n, sides, margin, condim);
  SN_SYNC();
  if (SN_LANE == 0) d->ncon += total;
  return 1;
}

#ifdef SN_TEAM
enum { MISSED = 1 << 31 };  // a bit of d->slots beside those of the slots

void sn_missContact(snData* d) { SN_SET_BITS(d->slots, MISSED); }

static SN_OUTLINE void warnOfMissed(snData* d) {
  SN_SYNC();  // all lanes have read the bit
  SN_ONE {
    d->slots = 0;
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
  }
  SN_SYNC();
}

void sn_warnOfMissed(snData* d) {
  SN_SYNC();
  if (SN_PEEK(d->slots) & MISSED) warnOfMissed(d);
}
#else
void sn_missContact(snData* d) { sn_warning(d, snWARN_CONTACTFULL, d->ncon); }
void sn_warnOfMissed(snData* d) { (void)d; }
#endif

int sn_hasRoomForPair(snData* d) {
  int room = SN_LANE == 0 && sn_hasContactRoom(d);  // the first lane records the use of the arena
  if (sn_teamFromInt(room, 0)) return 1;
  SN_SOLO(sn_warning(d, snWARN_CONTACTFULL, d->ncon));
  return 0;
}

static void completeContact(const snModel* m, snContact* con) {
  Mixed mixed;
  snReal frame[9], margin = con->includemargin;
  int g1 = con->geom[0], g2 = con->geom[1], p = con->exclude;
  SN_UNROLL for (int k = 0; k < 6; k++) frame[k] = con->frame[k];
  mixPair(m, g1, g2, p, &mixed);
  fillContact(con, &mixed, margin - mixed.gap, g1, g2);
  sn_makeFrame(frame);
  SN_UNROLL for (int k = 0; k < 9; k++) con->frame[k] = frame[k];
}

// Zeros mu and H of the contacts. They are contiguous in a contact, and all lanes of a team share them.
static void zeroContacts(snContact* con, int n) {
  enum { ZEROS = 1 + 36 };
  SN_FOR(i, n * ZEROS) {
    snReal* mu = (snReal*)((char*)(con + i / ZEROS) + offsetof(snContact, mu));
    mu[i % ZEROS] = 0;
  }
}

void sn_completeContacts(const snModel* m, snContact* con, int n) {
  zeroContacts(con, n);
  SN_FOR(i, n) completeContact(m, con + i);
}

// ---- the list from outside -----------------------------------------------------------------------

static int inRange(int i, snSize count) { return i >= -1 && i < (int)count; }

// Do the objects and sizes that the rows of a contact refer to exist?
static int isContact(const snModel* m, const snContact* con) {
  int sound = con->dim >= 1 && con->dim <= 6;
  for (int side = 0; side < 2; side++) {
    int flex = con->flex[side], known = flex >= 0 && flex < (int)m->nflex;
    sound &= inRange(con->geom[side], m->ngeom) && inRange(flex, m->nflex);
    if (known) sound &= inRange(con->elem[side], m->flex_elemnum[flex]);
    if (known) sound &= inRange(con->vert[side], m->flex_vertnum[flex]);
    sound &= con->geom[side] >= 0 || (known && (con->elem[side] >= 0 || con->vert[side] >= 0));
  }
  return sound;
}

int sn_addContact(const snModel* m, snData* d, const snContact* con) {
  if (!SN_IS_DATA_OF(m, d, "sn_addContact")) return 1;
  if (!isContact(m, con)) {
    snu_error("sn_addContact: the contact has no dimension from 1 to 6, or no such geoms");
    return 1;
  }
  sn_clearConstraints(d);
  snContact* slot = (snContact*)sn_arenaAlloc(d, sizeof(snContact), sizeof(snReal));
  if (!slot) {
    sn_warning(d, snWARN_CONTACTFULL, d->ncon);
    return 1;
  }
  if (d->ncon == 0) d->contact = slot;
  *slot = *con;
  d->ncon++;
  return 0;
}

// Force of a deformable's contact on its vertex, in a frame whose first axis is the normal.
static void deformForce(const snData* d, int i, snReal result[6]) {
  snReal frame[9];
  snu_copy3(frame, d->deformcon_normal + 3 * i);
  snu_zero3(frame + 3);
  sn_makeFrame(frame);
  snu_mulMatVec3(result, frame, d->deformcon_force + 3 * i);
}

void sn_contactForce(const snModel* m, const snData* d, int id, snReal result[6]) {
  snu_zero(result, 6);
  if (id >= d->ncon && id - d->ncon < d->ndeformcon) deformForce(d, id - d->ncon, result);
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0 || !d->efc_force) return;
  const snContact* con = d->contact + id;
  const snReal* force = d->efc_force + con->efc_address;
  if (sn_isPyramidal(m)) {
    snu_decodePyramid(result, force, con->friction, con->dim);
  } else {
    snu_copy(result, force, con->dim);
  }
}
