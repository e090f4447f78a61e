// which sanitizer the program is built with
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#if __has_feature(memory_sanitizer)
#define MEMORY_SANITIZER
#endif
#endif
