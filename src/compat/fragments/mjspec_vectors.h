// Strings and vectors of the editable model. C sees opaque pointers; C++ sees containers with the
// members of std::string and std::vector that programs use, over the same memory.
#ifdef __cplusplus
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

extern "C" {
void mjs_setString(struct mjString* dest, const char* text);
}

struct mjString {
  char* data_;
  int size_, capacity_;

  const char* c_str() const { return data_ ? data_ : ""; }
  const char* data() const { return c_str(); }
  std::size_t size() const { return (std::size_t)size_; }
  std::size_t length() const { return size(); }
  bool empty() const { return size_ == 0; }
  operator std::string() const { return std::string(c_str(), size()); }
  mjString& operator=(const std::string& text) {
    mjs_setString(this, text.c_str());
    return *this;
  }
  friend bool operator==(const mjString& a, const std::string& b) { return std::string(a) == b; }
  friend bool operator==(const mjString& a, const char* b) { return std::string(a) == b; }
  friend bool operator!=(const mjString& a, const std::string& b) { return !(a == b); }
  friend bool operator!=(const mjString& a, const char* b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& out, const mjString& text) { return out << text.c_str(); }
};

template <typename T>
struct mjVector_ {
  typedef T value_type;
  T* data_;
  int size_, capacity_;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return (std::size_t)size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& at(std::size_t i) { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  operator std::vector<T>() const { return std::vector<T>(begin(), end()); }
};
typedef mjVector_<mjString> mjStringVec;
typedef mjVector_<unsigned char> mjByteVec;
typedef mjVector_<int> mjIntVec;
typedef mjVector_<float> mjFloatVec;
typedef mjVector_<double> mjDoubleVec;
typedef mjVector_<mjIntVec> mjIntVecVec;
typedef mjVector_<mjFloatVec> mjFloatVecVec;
#else
typedef struct snString_ mjString;
typedef struct snStringVec_ mjStringVec;
typedef struct snByteVec_ mjByteVec;
typedef struct snIntVec_ mjIntVec;
typedef struct snIntVecVec_ mjIntVecVec;
typedef struct snFloatVec_ mjFloatVec;
typedef struct snFloatVecVec_ mjFloatVecVec;
typedef struct snDoubleVec_ mjDoubleVec;
#endif
