// A driver from before the functions that we need.

__attribute__((visibility("default"))) int cuInit(unsigned flags) { return (int)flags; }
