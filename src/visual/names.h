// Names of the flags of visualisation and of rendering: name, whether it is on at first, key.

#ifndef SINEW_VISUAL_NAMES_H_
#define SINEW_VISUAL_NAMES_H_

// clang-format off
#define SN_VISUAL_NAMES \
  {"Convex Hull", "0", "H"},   {"Texture", "1", "X"},        {"Joint", "0", "J"}, \
  {"Camera", "0", "Q"},        {"Actuator", "0", "U"},       {"Activation", "0", ","}, \
  {"Light", "0", "Z"},         {"Tendon", "1", "V"},         {"Range Finder", "1", "Y"}, \
  {"Equality", "0", "E"},      {"Inertia", "0", "I"},        {"Scale Inertia", "0", "'"}, \
  {"Perturb Force", "0", "B"}, {"Perturb Object", "1", "O"}, {"Contact Point", "0", "C"}, \
  {"Island", "0", "N"},        {"Contact Force", "0", "F"},  {"Contact Split", "0", "P"}, \
  {"Transparent", "0", "T"},   {"Auto Connect", "0", "A"},   {"Center of Mass", "0", "M"}, \
  {"Select Point", "0", ""},   {"Static Body", "1", "D"},    {"Skin", "1", ";"}, \
  {"Flex Vert", "0", ""},      {"Flex Edge", "1", ""},       {"Flex Face", "0", ""}, \
  {"Flex Skin", "1", ""},      {"Body Tree", "0", "`"},      {"Mesh Tree", "0", "\\"}, \
  {"SDF iters", "0", ""}

#define SN_RENDER_NAMES \
  {"Shadow", "1", "S"},   {"Wireframe", "0", "W"}, {"Reflection", "1", "R"}, \
  {"Additive", "0", "L"}, {"Skybox", "1", "K"},    {"Fog", "0", "G"}, \
  {"Haze", "1", "/"},     {"Depth", "0", ""},      {"Segment", "0", ","}, \
  {"Id Color", "0", ""},  {"Cull Face", "1", ""}
// clang-format on

#endif  // SINEW_VISUAL_NAMES_H_
