
#ifdef __cplusplus
// Functions that fill or read containers of the spec take those of the standard library, too.
extern "C++" {
inline void mjs_setBuffer(std::vector<std::byte>* dest, const void* array, int size) {
  mjByteVec own;
  mjs_setBuffer(&own, array, size);
  *dest = own;
}
inline void mjs_setString(std::string* dest, const char* text) {
  mjString own;
  mjs_setString(&own, text);
  *dest = own;
}
inline void mjs_setStringVec(std::vector<std::string>* dest, const char* text) {
  mjStringVec own;
  mjs_setStringVec(&own, text);
  *dest = own;
}
inline mjtByte mjs_setInStringVec(std::vector<std::string>* dest, int i, const char* text) {
  mjStringVec own = *dest;
  mjtByte done = mjs_setInStringVec(&own, i, text);
  *dest = own;
  return done;
}
inline void mjs_appendString(std::vector<std::string>* dest, const char* text) {
  dest->push_back(text);
}
inline void mjs_setInt(std::vector<int>* dest, const int* array, int size) {
  dest->assign(array, array + size);
}
inline void mjs_appendIntVec(std::vector<std::vector<int>>* dest, const int* array, int size) {
  dest->emplace_back(array, array + size);
}
inline void mjs_setFloat(std::vector<float>* dest, const float* array, int size) {
  dest->assign(array, array + size);
}
inline void mjs_appendFloatVec(std::vector<std::vector<float>>* dest, const float* array,
                               int size) {
  dest->emplace_back(array, array + size);
}
inline void mjs_setDouble(std::vector<double>* dest, const double* array, int size) {
  dest->assign(array, array + size);
}
inline const char* mjs_getString(const std::string* source) {
  return source ? source->c_str() : nullptr;
}
inline const double* mjs_getDouble(const std::vector<double>* source, int* size) {
  if (size) *size = static_cast<int>(source->size());
  return source->data();
}
inline void mju_getXMLDependencies(const char* filename, std::vector<std::string>* dependencies) {
  mjStringVec own;
  mju_getXMLDependencies(filename, &own);
  *dependencies = own;
}
}
#endif
