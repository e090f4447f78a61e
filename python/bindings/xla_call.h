// What XLA hands to a function that it calls ("foreign function interface", version 0.1 and later of its C
// interface): as much of the layout as a function on buffers of the host or of a GPU reads. It is stable by XLA's promise:
// structs begin with their size and only grow at their ends. tests/learning/test_xla_layout.py compares
// every member with the header that jaxlib ships.

#ifndef SINEW_XLA_CALL_H_
#define SINEW_XLA_CALL_H_

#include <stddef.h>
#include <stdint.h>

namespace xla_call {

enum { METADATA = 1, EXECUTE = 3, INVALID_ARGUMENT = 3, FLOAT = 11, DOUBLE = 12 };

struct Extension {
  size_t struct_size;
  int type;
  Extension* next;
};

struct Version {
  size_t struct_size;
  Extension* extensions;
  int major, minor;
};

struct Metadata {
  size_t struct_size;
  Version version;
  uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct Buffer {
  size_t struct_size;
  Extension* extensions;
  int type;
  void* data;
  int64_t rank;
  int64_t* dims;
};

struct Text {
  const char* data;
  size_t length;
};

struct Scalar {
  int type;
  void* value;
};

// arguments or results
struct Buffers {
  size_t struct_size;
  Extension* extensions;
  int64_t count;
  int* types;
  void** values;
};

struct Attributes {
  size_t struct_size;
  Extension* extensions;
  int64_t count;
  int* types;
  Text** names;
  void** values;
};

struct Error;

struct ErrorArguments {
  size_t struct_size;
  Extension* extensions;
  const char* message;
  int code;
};

struct Interface {
  size_t struct_size;
  Extension* extensions;
  Version version;
  const void* internal;
  Error* (*makeError)(ErrorArguments*);
};

struct Frame {
  size_t struct_size;
  Extension* extensions;
  const Interface* interface;
  void* context;
  int stage;
  Buffers arguments;
  Buffers results;
  Attributes attributes;
};

}  // namespace xla_call

#endif  // SINEW_XLA_CALL_H_
