// Route path prefix to resource provider.
MJAPI int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider);
// Open shared library registering plugins.
MJAPI void mj_loadPluginLibrary(const char* path);
// Open every plugin library in folder.
MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback);
// Distance-field plugin of given geom.
MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id);
// Evaluate signed distance at point.
MJAPI mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]);
// Gradient of signed distance at point.
MJAPI void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                        const mjtNum x[3]);
// Blank plugin definition.
MJAPI void mjp_defaultPlugin(mjpPlugin* plugin);
// Add plugin to global table.
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin);
// Number of registered plugins.
MJAPI int mjp_pluginCount(void);
// Find plugin by name.
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot);
// Find plugin by slot number.
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot);
// Blank resource provider definition.
MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider);
// Add resource provider to table.
MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider);
// Number of registered resource providers.
MJAPI int mjp_resourceProviderCount(void);
// Find provider matching resource name.
MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name);
// Find provider by slot number.
MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot);
// Add file decoder to table.
MJAPI void mjp_registerDecoder(const mjpDecoder* decoder);
// Blank file decoder definition.
MJAPI void mjp_defaultDecoder(mjpDecoder* decoder);
// Find decoder for resource type.
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type);
// Open resource by name or path. Nullable: dir, vfs, error.
MJAPI mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
                                   size_t nerror);
// Close an opened resource.
MJAPI void mju_closeResource(mjResource* resource);
// Get bytes of opened resource.
MJAPI int mju_readResource(mjResource* resource, const void** buffer);
// Directory part of resource name.
MJAPI void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir);
// Compare resource timestamp with given.
MJAPI int mju_isModifiedResource(const mjResource* resource, const char* timestamp);
// Decode resource into editable spec. Nullable: vfs.
MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs);
// Attach user pointer with destructor.
MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                       void (*cleanup)(const void*));
