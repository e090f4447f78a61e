// Ray casting: one ray, many rays, filters.
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><worldbody><geom type='plane' size='5 5 1'/><geom name='s' type='sphere' size='.3' "
      "pos='1 0 .5' group='1'/>"
      "<geom name='b' type='box' size='.2 .3 .4' pos='2 0 .5' euler='0 0 30' group='2'/>"
      "<body name='c' pos='3 0 .5'><geom name='c' type='capsule' size='.2 .3'/></body>"
      "<geom name='e' type='ellipsoid' size='.2 .3 .4' pos='4 0 .5'/><geom type='cylinder' "
      "size='.2 .3' pos='0 2 .5'/>"
      "</worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjtNum origin[3] = {0, 0, 0.5}, x[3] = {1, 0, 0}, down[3] = {0, 0.1, -1}, up[3] = {0, 0, 1};
  int geom;
  mjtNum normal[3];
  mjtNum hit = mj_ray(m, d, origin, x, NULL, 1, -1, &geom, normal);
  printf("x %.7f %d normal %.5f\n", hit, geom, normal[0]);
  mjtByte groups[mjNGROUP] = {1, 0, 1, 1, 1, 1};
  hit = mj_ray(m, d, origin, x, groups, 1, -1, &geom, normal);
  printf("group %.7f %d\n", hit, geom);
  hit = mj_ray(m, d, origin, x, NULL, 0, -1, &geom, NULL);
  printf("moving %.7f %d\n", hit, geom);
  hit = mj_ray(m, d, origin, down, NULL, 1, -1, &geom, NULL);
  printf("down %.7f %d\n", hit, geom);
  hit = mj_ray(m, d, origin, up, NULL, 1, -1, &geom, NULL);
  printf("up %.7f %d\n", hit, geom);
  enum { N = 24 };
  mjtNum directions[3 * N], distances[N], normals[3 * N];
  int geoms[N];
  for (int i = 0; i < N; i++) {
    directions[3 * i] = mju_cos(2 * mjPI * i / N);
    directions[3 * i + 1] = mju_sin(2 * mjPI * i / N);
    directions[3 * i + 2] = -0.02;
  }
  mj_multiRay(m, d, origin, directions, NULL, 1, -1, geoms, distances, normals, N, 10);
  for (int i = 0; i < N; i++) printf("%d: %.6f %d\n", i, distances[i], geoms[i]);
  mjtNum size[3] = {0.5, 0.5, 0.5}, pos[3] = {2, 0, 0}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
         zero[3] = {0};
  printf("box %.7f\n", mju_rayGeom(pos, mat, size, zero, x, mjGEOM_BOX, normal));
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
