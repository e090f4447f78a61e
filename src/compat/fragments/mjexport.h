#if defined(__GNUC__)
#define MJAPI __attribute__((visibility("default")))
#define MJLOCAL __attribute__((visibility("hidden")))
#else
#define MJAPI
#define MJLOCAL
#endif
