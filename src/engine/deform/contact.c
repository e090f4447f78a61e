// Contacts of vertices and faces with geoms, and attachments of vertices to bodies.
//
// All exchange momentum with the body: an impulse p on the vertex is -p on the body at the same point. An impulse on a
// point of a face is shared by its corners as the point is, with the coefficients c: sum of c is one, so that the
// shares add up to p, and the inverse mass of the point is the sum of c^2 w.
//
// Vertices whose contacts are all with fixed bodies are shared by the lanes. The others are solved one after the other,
// each with the velocities after the ones before it; then the faces, which share vertices: in levels of faces that share
// no vertex and no moving body, a level at the same time.

#include "base/assert.h"
#include "engine/constrain/impedance.h"
#include "engine/deform/deform.h"
#include "math/math.h"

// contact of a vertex or of a point of a face, where it is now
typedef struct Touch_ {
  int n;  // vertices that share it
  int vertex[3];
  snReal coef[3];
  snReal weight;  // inverse mass of the point
  snMover* body;
  snReal arm[3];     // from the body's centre of mass
  snReal normal[3];  // turned with the body
  snReal depth;      // positive: the vertex is too deep
} Touch;

// inverse mass of a body's point along a direction
static snReal bodyWeight(const snMover* body, const snReal arm[3], const snReal direction[3]) {
  snReal lever[3];
  if (body->invmass == 0) return 0;
  snu_cross(lever, arm, direction);
  return body->invmass + body->invinertia * snu_dot3(lever, lever);
}

static void pointVelocity(const snMover* body, const snReal arm[3], snReal velocity[3]) {
  snu_cross(velocity, body->spin, arm);
  snu_addTo3(velocity, body->vel);
}

// Applies -impulse to the body at the end of the arm; with time > 0 the body also moves as far as the impulse takes it
// in that time. Several lanes may push a fixed body: those impulses are summed when the step is done.
static void pushBody(snMover* body, const snReal arm[3], const snReal impulse[3], snReal time) {
  snReal moment[3];
  if (body->invmass == 0) return;
  snu_cross(moment, arm, impulse);
  for (int k = 0; k < 3; k++) {
    snReal speed = -body->invmass * impulse[k], spin = -body->invinertia * moment[k];
    body->vel[k] += speed;
    body->spin[k] += spin;
    body->shift[k] += time * speed;
    body->turn[k] += time * spin;
    body->impulse[k] -= impulse[k];
    body->moment[k] -= moment[k];
  }
}

// the vertices that share the contact
static void loadPoint(const snModel* m, const snData* d, const snDeform* s, int i, Touch* t) {
  int face = d->deformcon_face[i];
  t->n = 1;
  t->vertex[0] = d->deformcon_vert[i];
  t->coef[0] = 1;
  t->weight = s->w[t->vertex[0]];
  if (face < 0) return;
  t->weight = 0;
  for (t->n = 0; t->n < 3 && m->deformface_vert[3 * face + t->n] >= 0; t->n++) {
    snReal coef = d->deformcon_coef[3 * i + t->n];
    t->vertex[t->n] = m->deformface_vert[3 * face + t->n];
    t->coef[t->n] = coef;
    t->weight += coef * coef * s->w[t->vertex[t->n]];
  }
}

// sum of coefficient times row
static void pointOf(const Touch* t, const snReal* array, snReal point[3]) {
  const snReal* first = array + 3 * t->vertex[0];
  for (int k = 0; k < 3; k++) point[k] = t->coef[0] * first[k];
  for (int c = 1; c < t->n; c++) snu_addToScl3(point, array + 3 * t->vertex[c], t->coef[c]);
}

// row += scale * inverse mass * coefficient * direction, of all vertices
static void addToPoint(const snDeform* s, const Touch* t, snReal* array, const snReal direction[3],
                       snReal scale) {
  for (int c = 0; c < t->n; c++) {
    int vertex = t->vertex[c];
    snu_addToScl3(array + 3 * vertex, direction, s->w[vertex] * (t->coef[c] * scale));
  }
}

// the plane of the contact where its body is now: a point of it, and its normal
static void setPlane(const snModel* m, const snData* d, const snDeform* s, int i, Touch* t,
                     snReal point[3]) {
  SN_ASSERT_INDEX(d->deformcon_geom[i], m->ngeom);
  int number = m->geom_bodyid[d->deformcon_geom[i]];
  const snReal *pos = d->deformcon_pos + 3 * i, *normal = d->deformcon_normal + 3 * i;
  snReal turned[3];
  t->body = s->mover + number;
  snu_sub3(t->arm, pos, d->xipos + 3 * number);
  snu_cross(turned, t->body->turn, normal);
  snu_add3(t->normal, normal, turned);
  snu_normalize3(t->normal);
  snu_cross(turned, t->body->turn, t->arm);
  for (int k = 0; k < 3; k++) point[k] = pos[k] + t->body->shift[k] + turned[k];
}

// A body that rests and that nothing moves: what touches it finds the same plane in all substeps.
static int isStill(const snMover* body) {
  snReal speed = 0;
  for (int k = 0; k < 3; k++) speed += snu_abs(body->vel[k]) + snu_abs(body->spin[k]);
  return body->invmass == 0 && speed == 0;
}

void sn_setDeformPlanes(const snModel* m, const snData* d, const snDeform* s) {
  SN_ASSERT(s->plane);
  SN_FOR(i, d->ndeformcon) {
    snDeformPlane* plane = s->plane + i;
    Touch t;
    plane->margin = m->deformable_margin[m->deformvert_deformid[d->deformcon_vert[i]]];
    plane->still = isStill(s->mover + m->geom_bodyid[d->deformcon_geom[i]]);
    if (!plane->still) continue;
    setPlane(m, d, s, i, &t, plane->point);
    snu_copy3(plane->normal, t.normal);
  }
  SN_SYNC();
}

// What does not move is as good as the world.
static void locate(const snModel* m, const snData* d, const snDeform* s, int i, Touch* t) {
  SN_ASSERT_INDEX(i, d->ndeformcon);
  SN_ASSERT_INDEX(d->deformcon_vert[i], m->ndeformvert);
  const snDeformPlane* plane = s->plane + i;
  snReal point[3], offset[3];
  loadPoint(m, d, s, i, t);
  if (plane->still) {
    t->body = s->mover;
    snu_zero3(t->arm);
    snu_copy3(t->normal, plane->normal);
    snu_copy3(point, plane->point);
  } else {
    setPlane(m, d, s, i, t, point);
  }
  pointOf(t, s->x, offset);
  for (int k = 0; k < 3; k++) offset[k] -= point[k];
  t->depth = plane->margin - snu_dot3(t->normal, offset);
}

// move the point along a direction by an impulse times the substep
static void moveVertex(const snDeform* s, const Touch* t, int i, const snReal direction[3],
                       snReal multiplier) {
  SN_ASSERT(s->h > 0);
  snReal impulse[3];
  addToPoint(s, t, s->x, direction, multiplier);
  snu_scl3(impulse, direction, multiplier / s->h);
  snu_addTo3(s->total + 3 * i, impulse);
  pushBody(t->body, t->arm, impulse, s->h);
}

// how far the vertex came in this substep, seen from the surface that it touches
static void relativePath(const snDeform* s, const Touch* t, snReal path[3]) {
  snReal velocity[3], before[3];
  pointVelocity(t->body, t->arm, velocity);
  pointOf(t, s->x, path);
  pointOf(t, s->before, before);
  for (int k = 0; k < 3; k++) path[k] = path[k] - before[k] - s->h * velocity[k];
}

// Coulomb friction: what the vertex slid over the surface in this substep is taken back, up to the
// coefficient times the pressure
static void slide(const snDeform* s, const snData* d, const Touch* t, int i, snReal pressure) {
  snReal path[3];
  relativePath(s, t, path);
  snu_addToScl3(path, t->normal, -snu_dot3(path, t->normal));
  snReal length = snu_normalize3(path);
  if (length < snMINVAL) return;
  snReal weight = t->weight + bodyWeight(t->body, t->arm, path);
  moveVertex(s, t, i, path, -snu_min(length / weight, d->deformcon_friction[i] * pressure));
}

// Standard solref (time constant, damping ratio): what came together in this substep is undone, and of an
// overlap that was there before the share h / (h + 2 timeconst dampratio), times the impedance. A vertex that
// another geom holds does not throw a body off. Direct solref (-stiffness, -damping): the compliance of XPBD,
//
//   multiplier = (depth - g path) / ((1 + g) w + a), a = 1 / (k h^2), g = b / (k h).
int sn_deformIsSpring(const snModel* m, int deform) {
  return m->deformable_solref[snNREF * deform] < 0;
}

snReal sn_deformPush(const snModel* m, const snDeform* s, int deform, snReal depth, snReal path,
                     snReal weight) {
  const snReal *ref = m->deformable_solref + snNREF * deform, h = s->h;
  snReal impedance, slope;
  if (sn_deformIsSpring(m, deform)) {
    snReal rate = 1 / (-ref[0] * h), damped = snu_max(0, -ref[1]) * rate;
    return snu_max(0, (depth - damped * path) / ((1 + damped) * weight + rate / h));
  }
  sn_impedance(m->deformable_solimp + snNIMP * deform, depth, &impedance, &slope, 0);
  snReal share = h / (h + 2 * ref[0] * snu_max(0, ref[1]));
  snReal old = share * depth * snu_max(0, snu_min(1, impedance));
  return snu_min(depth, snu_max(-path, 0) + old) / weight;
}

static SN_OUTLINE void solvePosition(const snModel* m, snData* d, const snDeform* s, int i) {
  SN_ASSERT_INDEX(i, d->ndeformcon);
  Touch t;
  locate(m, d, s, i, &t);
  s->pressure[i] = 0;
  if (!(t.depth > 0) || (t.weight == 0 && (t.n == 1 || t.body->invmass == 0))) return;
  snReal weight = t.weight + bodyWeight(t.body, t.arm, t.normal);
  snReal path[3];
  relativePath(s, &t, path);
  s->pressure[i] = sn_deformPush(m, s, m->deformvert_deformid[t.vertex[0]], t.depth,
                                 snu_dot3(path, t.normal), weight);
  moveVertex(s, &t, i, t.normal, s->pressure[i]);
  if (d->deformcon_friction[i] > 0) slide(s, d, &t, i, s->pressure[i]);
}

// Speed at which the two separate where they overlap. Displacements of a body are dropped at the end of the step, so
// that a light body would sink into heavy vertices: its share of an overlap is removed by velocity, with the time
// constant of the contact.
static snReal recovery(const snModel* m, const Touch* t, snReal weight) {
  const snReal* ref = m->deformable_solref + snNREF * m->deformvert_deformid[t->vertex[0]];
  if (t->body->invmass == 0 || !(t->depth > 0)) return 0;
  snReal time = snu_max(2 * ref[0] * snu_max(0, ref[1]), m->opt.timestep);
  return (weight - t->weight) / weight * t->depth / time;
}

// A vertex that was pushed out leaves with the velocity of the surface, without rebound. Contacts do not pull: the sum
// of the impulses of the substep stays non-negative.
static SN_OUTLINE void solveVelocity(const snModel* m, snData* d, const snDeform* s, int i) {
  SN_ASSERT_INDEX(i, d->ndeformcon);
  Touch t;
  snReal velocity[3], point[3], impulse[3];
  if (!(s->pressure[i] > 0)) return;
  locate(m, d, s, i, &t);
  if (sn_deformIsSpring(m, m->deformvert_deformid[t.vertex[0]])) return;
  pointVelocity(t.body, t.arm, velocity);
  pointOf(&t, s->v, point);
  snu_sub3(velocity, point, velocity);
  snReal speed = snu_dot3(velocity, t.normal);
  snReal weight = t.weight + bodyWeight(t.body, t.arm, t.normal);
  snReal push = snu_max((recovery(m, &t, weight) - speed) / weight, -s->pressure[i] / s->h);
  snu_scl3(impulse, t.normal, push);
  addToPoint(s, &t, s->v, impulse, 1);
  snu_addTo3(s->total + 3 * i, impulse);
  pushBody(t.body, t.arm, impulse, 0);
}

// ---- attachments

static void attachmentPoint(const snModel* m, const snData* d, const snMover* body, int vertex,
                            snReal arm[3], snReal point[3]) {
  SN_ASSERT_INDEX(vertex, m->ndeformvert);
  int number = m->deformvert_bodyid[vertex];
  snReal turned[3];
  snu_mulMatVec3(arm, d->xmat + 9 * number, m->deformvert_bodypos + 3 * vertex);
  snu_addTo3(arm, d->xpos + 3 * number);
  snu_subFrom3(arm, d->xipos + 3 * number);
  snu_cross(turned, body->turn, arm);
  for (int k = 0; k < 3; k++) {
    point[k] = d->xipos[3 * number + k] + arm[k] + body->shift[k] + turned[k];
  }
}

// the vertex and the point of its body meet
static void attach(const snModel* m, snData* d, const snDeform* s, int vertex) {
  SN_ASSERT_INDEX(vertex, m->ndeformvert);
  snMover* body = s->mover + m->deformvert_bodyid[vertex];
  snReal arm[3], point[3], impulse[3];
  attachmentPoint(m, d, body, vertex, arm, point);
  if (s->w[vertex] == 0) return;
  snu_subFrom3(point, s->x + 3 * vertex);
  snReal length = snu_normalize3(point);
  if (length < snMINVAL) return;
  snReal multiplier = length / (s->w[vertex] + bodyWeight(body, arm, point));
  snu_addToScl3(s->x + 3 * vertex, point, s->w[vertex] * multiplier);
  snu_scl3(impulse, point, multiplier / s->h);
  pushBody(body, arm, impulse, s->h);
}

// ---- all of them: those of vertices

static int isFirst(const snData* d, int i) {
  SN_ASSERT_INDEX(i, d->ndeformcon);
  return i == 0 || d->deformcon_vert[i] != d->deformcon_vert[i - 1];
}

// does any contact of this vertex, of which i is the first, move a body?
static int movesBody(const snModel* m, const snData* d, const snDeform* s, int i) {
  SN_ASSERT_INDEX(i, d->ndeformcon);
  int vertex = d->deformcon_vert[i], moves = 0;
  for (; i < s->nvertcon && d->deformcon_vert[i] == vertex; i++) {
    moves |= s->mover[m->geom_bodyid[d->deformcon_geom[i]]].invmass != 0;
  }
  return moves;
}

// velocities, or positions
static void solveContact(const snModel* m, snData* d, const snDeform* s, int i, int velocities) {
  if (velocities) {
    solveVelocity(m, d, s, i);
  } else {
    solvePosition(m, d, s, i);
  }
}

// the contacts of one vertex, of which i is the first
static void solveVertex(const snModel* m, snData* d, const snDeform* s, int i, int velocities) {
  int vertex = d->deformcon_vert[i];
  for (; i < s->nvertcon && d->deformcon_vert[i] == vertex; i++) {
    solveContact(m, d, s, i, velocities);
  }
}

static void solveFixed(const snModel* m, snData* d, const snDeform* s, int velocities) {
  SN_FOR(i, s->nvertcon) {
    if (isFirst(d, i) && !movesBody(m, d, s, i)) solveVertex(m, d, s, i, velocities);
  }
  SN_SYNC();
}

static void solveMoving(const snModel* m, snData* d, const snDeform* s, int velocities) {
  for (int i = 0; i < s->nvertcon; i++) {
    if (isFirst(d, i) && movesBody(m, d, s, i)) solveVertex(m, d, s, i, velocities);
  }
}

// those of faces, with the result that one after the other would have: those of a level have nothing in common
static void solveFaces(const snModel* m, snData* d, const snDeform* s, int velocities) {
  const snDeformLevels* levels = &s->levels;
  if (SN_LANES == 1) {
    for (int i = s->nvertcon; i < d->ndeformcon; i++) solveContact(m, d, s, i, velocities);
    return;
  }
  for (int level = 0, n = levels->n[0]; level < n; level++) {
    int first = levels->start[level];
    SN_FOR(k, levels->start[level + 1] - first) {
      solveContact(m, d, s, levels->item[first + k], velocities);
    }
    SN_SYNC();
  }
}

static void attachAll(const snModel* m, snData* d, const snDeform* s) {
  for (int vertex = 0; vertex < (int)m->ndeformvert; vertex++) {
    if (m->deformvert_bodyid[vertex] >= 0) attach(m, d, s, vertex);
  }
}

void sn_solveDeformPositions(const snModel* m, snData* d, const snDeform* s) {
  SN_ASSERT(s->pressure && s->total);
  if (d->ndeformpair) sn_solveDeformPairs(m, d, s, 0);
  if (s->nvertcon) solveFixed(m, d, s, 0);
  if (s->moving) SN_SOLO(solveMoving(m, d, s, 0));
  if (s->nvertcon < d->ndeformcon) solveFaces(m, d, s, 0);
  if (s->attached) SN_SOLO(attachAll(m, d, s));
}

void sn_solveDeformVelocities(const snModel* m, snData* d, const snDeform* s) {
  if (d->ndeformpair) sn_solveDeformPairs(m, d, s, 1);
  if (s->nvertcon) solveFixed(m, d, s, 1);
  if (s->moving) SN_SOLO(solveMoving(m, d, s, 1));
  if (s->nvertcon < d->ndeformcon) solveFaces(m, d, s, 1);
}

int sn_deformMovesBodies(const snModel* m, const snData* d, const snDeform* s) {
  int moves = 0;
  SN_FOR(i, d->ndeformcon) moves |= s->mover[m->geom_bodyid[d->deformcon_geom[i]]].invmass != 0;
  return sn_teamAny(moves);
}

// by one lane
void sn_endDeformContacts(const snModel* m, snData* d, const snDeform* s) {
  SN_ASSERT(SN_LANES == 1 && s->total);
  for (int i = 0; i < d->ndeformcon; i++) {
    int number = m->geom_bodyid[d->deformcon_geom[i]];
    snMover* body = s->mover + number;
    const snReal* impulse = s->total + 3 * i;
    snu_scl3(d->deformcon_force + 3 * i, impulse, 1 / m->opt.timestep);
    Touch t;
    loadPoint(m, d, s, i, &t);
    for (int c = 0; c < t.n; c++) {
      snu_addToScl3(d->deformvert_xfrc + 3 * t.vertex[c], d->deformcon_force + 3 * i, t.coef[c]);
    }
    if (body->invmass != 0) continue;
    snReal arm[3], moment[3];
    snu_sub3(arm, d->deformcon_pos + 3 * i, d->xipos + 3 * number);
    snu_cross(moment, arm, impulse);
    snu_subFrom3(body->impulse, impulse);
    snu_subFrom3(body->moment, moment);
  }
}
