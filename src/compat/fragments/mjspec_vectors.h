// Strings and vectors of the editable model.
//
// C sees opaque pointers. C++ sees containers with the members of std::string and std::vector, over
// the memory that the library keeps: {items, size, capacity}, taken from mju_malloc. They convert to
// and from the standard types, so that `std::string name = *mjs_getName(e)`,
// `*mesh->uservert = std::vector<float>{...}` and `for (int i : *vector)` mean what they say.
#ifdef __cplusplus
#if __cplusplus < 201703L
#error "MuJoCo's interface in C++ needs C++17: compile with -std=c++17 or later"
#endif
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

extern "C" void* mju_malloc(size_t size);
extern "C" void mju_free(void* ptr);

template <typename T>
class mjVector_ {
  template <typename Iterator>
  using IfIterator_ = typename std::iterator_traits<Iterator>::iterator_category;

 public:
  typedef T value_type;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  typedef T& reference;
  typedef const T& const_reference;
  typedef T* pointer;
  typedef const T* const_pointer;
  typedef T* iterator;
  typedef const T* const_iterator;
  typedef std::reverse_iterator<iterator> reverse_iterator;
  typedef std::reverse_iterator<const_iterator> const_reverse_iterator;

  mjVector_() = default;
  mjVector_(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  explicit mjVector_(size_type count, const T& item = T()) { resize(count, item); }
  template <typename Iterator, typename = IfIterator_<Iterator>>
  mjVector_(Iterator first, Iterator last) {
    append(first, last);
  }
  mjVector_(const mjVector_& other) { append(other.begin(), other.end()); }
  mjVector_(mjVector_&& other) noexcept { swap(other); }
  template <typename U>
  mjVector_(const std::vector<U>& other) {
    append(other.begin(), other.end());
  }
  ~mjVector_() {
    clear();
    mju_free(items_);
  }

  mjVector_& operator=(const mjVector_& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  mjVector_& operator=(mjVector_&& other) noexcept {
    swap(other);
    return *this;
  }
  template <typename U>
  mjVector_& operator=(const std::vector<U>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  mjVector_& operator=(std::initializer_list<T> items) {
    assign(items.begin(), items.end());
    return *this;
  }

  template <typename Iterator, typename = IfIterator_<Iterator>>
  void assign(Iterator first, Iterator last) {
    mjVector_ fresh;
    fresh.append(first, last);
    swap(fresh);
  }
  void assign(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  void assign(size_type count, const T& item) {
    mjVector_ fresh(count, item);
    swap(fresh);
  }

  T* data() { return items_; }
  const T* data() const { return items_; }
  size_type size() const { return static_cast<size_type>(size_); }
  size_type capacity() const { return static_cast<size_type>(capacity_); }
  bool empty() const { return size_ == 0; }
  T& operator[](size_type i) { return items_[i]; }
  const T& operator[](size_type i) const { return items_[i]; }
  T& at(size_type i) { return items_[checked(i)]; }
  const T& at(size_type i) const { return items_[checked(i)]; }
  T& front() { return items_[0]; }
  const T& front() const { return items_[0]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }

  iterator begin() { return items_; }
  iterator end() { return items_ + size_; }
  const_iterator begin() const { return items_; }
  const_iterator end() const { return items_ + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const { return rbegin(); }
  const_reverse_iterator crend() const { return rend(); }

  void reserve(size_type count) {
    if (count <= capacity()) return;
    T* fresh = static_cast<T*>(mju_malloc(count * sizeof(T)));
    if (!fresh) throw std::bad_alloc();
    // items own at most a pointer to their memory: moving their bytes moves them
    if (size_)
      std::memcpy(static_cast<void*>(fresh), static_cast<const void*>(items_), size() * sizeof(T));
    mju_free(items_);
    items_ = fresh;
    capacity_ = static_cast<int>(count);
  }
  void push_back(const T& item) {
    T copy(item);
    emplace_back(std::move(copy));
  }
  template <typename... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size_ == capacity_) reserve(capacity_ ? 2 * capacity() : 4);
    return *new (items_ + size_++) T(std::forward<Arguments>(arguments)...);
  }
  void pop_back() { items_[--size_].~T(); }
  void clear() {
    while (size_) pop_back();
  }
  void resize(size_type count, const T& item = T()) {
    while (size() > count) pop_back();
    reserve(count);
    while (size() < count) emplace_back(item);
  }
  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    iterator target = items_ + (first - items_);
    iterator source = items_ + (last - items_);
    size_type removed = static_cast<size_type>(source - target);
    for (; source != end(); ++source, ++target) *target = std::move(*source);
    for (; removed; removed--) pop_back();
    return items_ + (first - items_);
  }
  template <typename... Arguments>
  iterator emplace(const_iterator position, Arguments&&... arguments) {
    std::ptrdiff_t index = position - items_;
    T item(std::forward<Arguments>(arguments)...);
    emplace_back(std::move(item));
    for (std::ptrdiff_t i = size_ - 1; i > index; i--) std::swap(items_[i], items_[i - 1]);
    return items_ + index;
  }
  iterator insert(const_iterator position, const T& item) { return emplace(position, item); }
  iterator insert(const_iterator position, size_type count, const T& item) {
    mjVector_ items(count, item);
    return insert(position, items.begin(), items.end());
  }
  iterator insert(const_iterator position, std::initializer_list<T> items) {
    return insert(position, items.begin(), items.end());
  }
  template <typename Iterator, typename = IfIterator_<Iterator>>
  iterator insert(const_iterator position, Iterator first, Iterator last) {
    std::ptrdiff_t index = position - items_, at = index;
    for (; first != last; ++first) emplace(items_ + at++, T(*first));
    return items_ + index;
  }
  size_type max_size() const { return static_cast<size_type>(0x7fffffff); }
  void shrink_to_fit() {}
  void swap(mjVector_& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  template <typename U, typename = std::enable_if_t<std::is_convertible_v<const T&, U>>>
  operator std::vector<U>() const {
    return std::vector<U>(begin(), end());
  }

  friend bool operator==(const mjVector_& a, const mjVector_& b) { return equal(a, b); }
  friend bool operator!=(const mjVector_& a, const mjVector_& b) { return !equal(a, b); }
  template <typename U>
  friend bool operator==(const mjVector_& a, const std::vector<U>& b) {
    return equal(a, b);
  }
  template <typename U>
  friend bool operator!=(const mjVector_& a, const std::vector<U>& b) {
    return !equal(a, b);
  }
#if __cplusplus < 202002L
  template <typename U>
  friend bool operator==(const std::vector<U>& a, const mjVector_& b) {
    return equal(b, a);
  }
  template <typename U>
  friend bool operator!=(const std::vector<U>& a, const mjVector_& b) {
    return !equal(b, a);
  }
#endif
  friend bool operator<(const mjVector_& a, const mjVector_& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator>(const mjVector_& a, const mjVector_& b) { return b < a; }
  friend bool operator<=(const mjVector_& a, const mjVector_& b) { return !(b < a); }
  friend bool operator>=(const mjVector_& a, const mjVector_& b) { return !(a < b); }
  friend void swap(mjVector_& a, mjVector_& b) noexcept { a.swap(b); }

 private:
  size_type checked(size_type i) const {
    if (i >= size()) throw std::out_of_range("index of a vector of the spec");
    return i;
  }
  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    for (; first != last; ++first) emplace_back(*first);
  }
  template <typename A, typename B>
  static bool equal(const A& a, const B& b) {
    if (a.size() != b.size()) return false;
    for (size_type i = 0; i < a.size(); i++) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }

  T* items_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

class mjString {
  typedef std::string_view View_;

 public:
  typedef char value_type;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  typedef char& reference;
  typedef const char& const_reference;
  typedef char* pointer;
  typedef const char* const_pointer;
  typedef char* iterator;
  typedef const char* const_iterator;
  typedef std::reverse_iterator<iterator> reverse_iterator;
  typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
  static const size_type npos = static_cast<size_type>(-1);

  mjString() = default;
  mjString(const char* text) { *this = View_(text ? text : ""); }
  mjString(const std::string& text) { *this = View_(text); }
  explicit mjString(std::string_view text) { *this = text; }
  mjString(size_type count, char letter) { *this = std::string(count, letter); }
  mjString(const mjString& other) { *this = other.view(); }
  mjString(mjString&& other) noexcept { swap(other); }
  ~mjString() { mju_free(text_); }

  mjString& operator=(std::string_view text) {
    char* fresh = static_cast<char*>(mju_malloc(text.size() + 1));
    if (!fresh) throw std::bad_alloc();
    if (!text.empty()) std::memcpy(fresh, text.data(), text.size());
    fresh[text.size()] = 0;
    mju_free(text_);
    text_ = fresh;
    size_ = static_cast<int>(text.size());
    capacity_ = size_ + 1;
    return *this;
  }
  mjString& operator=(const mjString& other) {
    return this == &other ? *this : *this = other.view();
  }
  mjString& operator=(mjString&& other) noexcept {
    swap(other);
    return *this;
  }
  mjString& operator=(const std::string& text) { return *this = View_(text); }
  mjString& operator=(const char* text) { return *this = View_(text ? text : ""); }
  mjString& operator=(char letter) { return *this = View_(&letter, 1); }

  const char* c_str() const { return text_ ? text_ : ""; }
  const char* data() const { return c_str(); }
  char* data() { return letters(); }
  size_type size() const { return static_cast<size_type>(size_); }
  size_type length() const { return size(); }
  size_type capacity() const { return capacity_ ? static_cast<size_type>(capacity_) - 1 : 0; }
  size_type max_size() const { return static_cast<size_type>(0x7ffffffe); }
  bool empty() const { return size_ == 0; }
  void clear() { *this = View_(); }
  void reserve(size_type = 0) {}  // a text is as long as it has to be
  void shrink_to_fit() {}
  iterator begin() { return letters(); }
  iterator end() { return letters() + size_; }
  const_iterator begin() const { return c_str(); }
  const_iterator end() const { return c_str() + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  char& operator[](size_type i) { return letters()[i]; }
  const char& operator[](size_type i) const { return c_str()[i]; }
  char& at(size_type i) { return letters()[checked(i)]; }
  const char& at(size_type i) const { return c_str()[checked(i)]; }
  char& front() { return letters()[0]; }
  const char& front() const { return c_str()[0]; }
  char& back() { return letters()[size_ - 1]; }
  const char& back() const { return c_str()[size_ - 1]; }

  size_type find(View_ part, size_type from = 0) const { return view().find(part, from); }
  size_type find(char part, size_type from = 0) const { return view().find(part, from); }
  size_type rfind(View_ part, size_type from = npos) const { return view().rfind(part, from); }
  size_type rfind(char part, size_type from = npos) const { return view().rfind(part, from); }
  size_type find_first_of(View_ set, size_type from = 0) const {
    return view().find_first_of(set, from);
  }
  size_type find_last_of(View_ set, size_type from = npos) const {
    return view().find_last_of(set, from);
  }
  size_type find_first_not_of(View_ set, size_type from = 0) const {
    return view().find_first_not_of(set, from);
  }
  size_type find_last_not_of(View_ set, size_type from = npos) const {
    return view().find_last_not_of(set, from);
  }
  size_type find_first_of(char c, size_type from = 0) const { return find(c, from); }
  size_type find_last_of(char c, size_type from = npos) const { return rfind(c, from); }
  bool starts_with(View_ part) const { return view().substr(0, part.size()) == part; }
  bool starts_with(char part) const { return size_ && front() == part; }
  bool ends_with(View_ part) const {
    return size() >= part.size() && view().substr(size() - part.size()) == part;
  }
  bool ends_with(char part) const { return size_ && back() == part; }
  bool contains(View_ part) const { return find(part) != npos; }
  bool contains(char part) const { return find(part) != npos; }
  std::string substr(size_type from = 0, size_type count = npos) const {
    return std::string(view().substr(from, count));
  }
  size_type copy(char* dest, size_type count, size_type from = 0) const {
    return view().copy(dest, count, from);
  }
  int compare(View_ other) const { return view().compare(other); }
  int compare(size_type from, size_type count, View_ other) const {
    return view().compare(from, count, other);
  }

  // what changes a text goes through a standard one
  mjString& assign(View_ text) { return *this = std::string(text); }
  mjString& assign(size_type count, char letter) { return *this = std::string(count, letter); }
  template <typename Iterator, typename = typename std::iterator_traits<Iterator>::reference>
  mjString& assign(Iterator first, Iterator last) {
    return *this = std::string(first, last);
  }
  mjString& append(View_ text) { return *this = standard().append(text); }
  mjString& append(size_type count, char letter) { return append(std::string(count, letter)); }
  template <typename Iterator, typename = typename std::iterator_traits<Iterator>::reference>
  mjString& append(Iterator first, Iterator last) {
    return append(std::string(first, last));
  }
  mjString& operator+=(View_ text) { return append(text); }
  mjString& operator+=(char text) { return append(View_(&text, 1)); }
  void push_back(char letter) { append(View_(&letter, 1)); }
  void pop_back() { resize(size() - 1); }
  void resize(size_type count, char letter = 0) {
    std::string text = standard();
    text.resize(count, letter);
    *this = text;
  }
  mjString& insert(size_type at, View_ text) { return *this = standard().insert(at, text); }
  mjString& insert(size_type at, size_type count, char letter) {
    return *this = standard().insert(at, count, letter);
  }
  iterator insert(const_iterator at, char letter) {
    size_type index = static_cast<size_type>(at - c_str());
    insert(index, 1, letter);
    return begin() + index;
  }
  mjString& erase(size_type from = 0, size_type count = npos) {
    return *this = standard().erase(from, count);
  }
  iterator erase(const_iterator at) { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    size_type index = static_cast<size_type>(first - c_str());
    erase(index, static_cast<size_type>(last - first));
    return begin() + index;
  }
  mjString& replace(size_type from, size_type count, View_ text) {
    return *this = standard().replace(from, count, text);
  }
  mjString& replace(const_iterator first, const_iterator last, View_ text) {
    return replace(static_cast<size_type>(first - c_str()), static_cast<size_type>(last - first),
                   text);
  }
  void swap(mjString& other) noexcept {
    std::swap(text_, other.text_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  operator std::string() const { return standard(); }
  operator std::string_view() const { return view(); }
  std::string_view view() const { return std::string_view(c_str(), size()); }

  friend std::string operator+(const mjString& a, const mjString& b) {
    return a.standard().append(b.view());
  }
  friend std::string operator+(const mjString& a, const std::string& b) { return a.standard() + b; }
  friend std::string operator+(const mjString& a, const char* b) { return a.standard() + b; }
  friend std::string operator+(const mjString& a, char b) { return a.standard() + b; }
  friend std::string operator+(const std::string& a, const mjString& b) { return a + b.standard(); }
  friend std::string operator+(const char* a, const mjString& b) { return a + b.standard(); }
  friend std::string operator+(char a, const mjString& b) { return a + b.standard(); }
  friend bool operator==(const mjString& a, const mjString& b) { return a.view() == b.view(); }
  friend bool operator==(const mjString& a, const std::string& b) { return a.view() == b; }
  friend bool operator==(const mjString& a, View_ b) { return a.view() == b; }
  friend bool operator==(const mjString& a, const char* b) { return a.view() == b; }
  friend bool operator!=(const mjString& a, const mjString& b) { return a.view() != b.view(); }
  friend bool operator!=(const mjString& a, const std::string& b) { return a.view() != b; }
  friend bool operator!=(const mjString& a, View_ b) { return a.view() != b; }
  friend bool operator!=(const mjString& a, const char* b) { return a.view() != b; }
#if __cplusplus < 202002L
  friend bool operator==(const std::string& a, const mjString& b) { return b == a; }
  friend bool operator==(View_ a, const mjString& b) { return b == a; }
  friend bool operator==(const char* a, const mjString& b) { return b == a; }
  friend bool operator!=(const std::string& a, const mjString& b) { return b != a; }
  friend bool operator!=(View_ a, const mjString& b) { return b != a; }
  friend bool operator!=(const char* a, const mjString& b) { return b != a; }
#endif
#define SN_ORDERED_(op)                                                                          \
  friend bool operator op(const mjString& a, const mjString& b) { return a.view() op b.view(); } \
  friend bool operator op(const mjString& a, const std::string& b) {                             \
    return a.view() op View_(b);                                                                 \
  }                                                                                              \
  friend bool operator op(const std::string& a, const mjString& b) {                             \
    return View_(a) op b.view();                                                                 \
  }                                                                                              \
  friend bool operator op(const mjString& a, const char* b) { return a.view() op View_(b); }     \
  friend bool operator op(const char* a, const mjString& b) { return View_(a) op b.view(); }
  SN_ORDERED_(<)
  SN_ORDERED_(>)
  SN_ORDERED_(<=)
  SN_ORDERED_(>=)
#undef SN_ORDERED_
  friend void swap(mjString& a, mjString& b) noexcept { a.swap(b); }
  friend std::ostream& operator<<(std::ostream& out, const mjString& text) {
    return out << text.view();
  }

 private:
  std::string standard() const { return std::string(c_str(), size()); }
  size_type checked(size_type i) const {
    if (i >= size()) throw std::out_of_range("index of a text of the spec");
    return i;
  }
  char* letters() {
    if (!text_) *this = View_();
    return text_;
  }

  char* text_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

template <>
struct std::hash<mjString> {
  std::size_t operator()(const mjString& text) const {
    return std::hash<std::string_view>()(text.view());
  }
};

typedef mjVector_<mjString> mjStringVec;
typedef mjVector_<std::byte> mjByteVec;
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
