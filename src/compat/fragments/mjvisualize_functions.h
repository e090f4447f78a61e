// Duplicate data minus arrays unneeded visually.
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);
// Dump abstract scene to text file.
MJAPI void mj_printScene(const mjvScene* s, const char* filename);
// Dump scene text with chosen format.
MJAPI void mj_printFormattedScene(const mjvScene* s, const char* filename,
                                  const char* float_format);
// Default abstract camera settings.
MJAPI void mjv_defaultCamera(mjvCamera* cam);
// Default free camera from model.
MJAPI void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam);
// Default mouse perturbation settings.
MJAPI void mjv_defaultPerturb(mjvPerturb* pert);
// Pose from room space to model.
MJAPI void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                          const mjtNum roomquat[4], const mjvScene* scn);
// Pose from model space to room.
MJAPI void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                          const mjtNum modelquat[4], const mjvScene* scn);
// Camera axes in model space.
MJAPI void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                             const mjvScene* scn);
// Camera axes in room space.
MJAPI void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                            const mjvScene* scn);
// View frustum height at unit distance.
MJAPI mjtNum mjv_frustumHeight(const mjvScene* scn);
// Turn horizontal vector to camera heading.
MJAPI void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]);
// Mouse motion applied to camera.
MJAPI void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                          const mjvScene* scn, mjvCamera* cam);
// Mouse motion applied to perturbation.
MJAPI void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx,
                           mjtNum reldy, const mjvScene* scn, mjvPerturb* pert);
// Mouse motion applied to model.
MJAPI void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                         const mjtNum roomup[3], mjvScene* scn);
// Start perturbation at selected body.
MJAPI void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert);
// Write perturbation pose into data.
MJAPI void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert,
                                int flg_paused);
// Write perturbation wrench into data.
MJAPI void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert);
// Mean of two stereo cameras.
MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2);
// Pick object under mouse cursor.
MJAPI int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio,
                     mjtNum relx, mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1],
                     int flexid[1], int skinid[1]);
// Default abstract visualisation options.
MJAPI void mjv_defaultOption(mjvOption* opt);
// Default two-dimensional figure settings.
MJAPI void mjv_defaultFigure(mjvFigure* fig);
// Fill one abstract visual geom.
MJAPI void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3],
                        const mjtNum mat[9], const float rgba[4]);
// Shape visual geom between two points.
MJAPI void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3],
                         const mjtNum to[3]);
// Zeroed abstract scene structure.
MJAPI void mjv_defaultScene(mjvScene* scn);
// Allocate abstract scene buffers.
MJAPI void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom);
// Release abstract scene buffers.
MJAPI void mjv_freeScene(mjvScene* scn);
// Rebuild scene from model state.
MJAPI void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt,
                           const mjvPerturb* pert, mjvCamera* cam, int catmask, mjvScene* scn);
// Duplicate model minus large visual arrays.
MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src);
// Append visual geoms by category.
MJAPI void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                        int catmask, mjvScene* scn);
// Collect lights into the scene.
MJAPI void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn);
// Refresh scene cameras from camera.
MJAPI void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn);
// Refresh deformed skin vertices.
MJAPI void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn);
// Position and axes of camera.
MJAPI void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
                           const mjData* d, const mjvCamera* cam);
// Extents and clip planes of camera.
MJAPI void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m,
                             const mjvCamera* cam);
// Draw two-dimensional line figure.
MJAPI void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con);
// Draw the abstract scene.
MJAPI void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con);
