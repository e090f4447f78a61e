#if defined(__GNUC__)
#define MUJOCO_HELPER_DLL_IMPORT __attribute__((visibility("default")))
#define MUJOCO_HELPER_DLL_EXPORT __attribute__((visibility("default")))
#define MUJOCO_HELPER_DLL_LOCAL __attribute__((visibility("hidden")))
#else
#define MUJOCO_HELPER_DLL_IMPORT
#define MUJOCO_HELPER_DLL_EXPORT
#define MUJOCO_HELPER_DLL_LOCAL
#endif
#define MJAPI MUJOCO_HELPER_DLL_EXPORT
#define MJLOCAL MUJOCO_HELPER_DLL_LOCAL
