// The stages of deformables in a build without them (SN_DEFORM OFF): no model has any.

#include "engine/deform/deform.h"

void sn_deformCollision(const snModel* m, snData* d) { (void)m, (void)d; }
void sn_deformForces(const snModel* m, snData* d) { (void)m, (void)d; }
void sn_deformStep(const snModel* m, snData* d, snReal back) { (void)m, (void)d, (void)back; }
