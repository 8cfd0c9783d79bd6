#pragma once
// The names of the standard library that kernels use, for NVRTC, which has none: whatever standard header is
// included there is this one (host/compilation/nvrtc.cpp).

#define __builtin_nan(text) __builtin_bit_cast(double, 0x7ff8000000000000ull)
#define __builtin_huge_val() __builtin_bit_cast(double, 0x7ff0000000000000ull)

namespace std {

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  constexpr operator T() const { return v; }
};
template <bool v>
using bool_constant = integral_constant<bool, v>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T>
struct type_identity {
  using type = T;
};
template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class A, class B>
concept same_as = is_same_v<A, B> && is_same_v<B, A>;
template <class A, class B>
inline constexpr bool is_base_of_v = __is_base_of(A, B);
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T>
inline constexpr bool is_empty_v = __is_empty(T);

template <bool condition, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool condition, class A, class B>
using conditional_t = typename conditional<condition, A, B>::type;

template <class T>
struct remove_cvref : type_identity<T> {};
template <class T>
struct remove_cvref<const T> : type_identity<T> {};
template <class T>
struct remove_cvref<T&> : remove_cvref<T> {};
template <class T>
struct remove_cvref<T&&> : remove_cvref<T> {};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;

template <class T>
T&& declval() noexcept;
template <class From, class To>
concept convertible_to = __is_convertible_to(From, To) && requires {
  static_cast<To>(declval<From>());
};

template <class T, T... of>
struct integer_sequence {};
template <class T, T... low, T... high>
constexpr auto joined(integer_sequence<T, low...>, integer_sequence<T, high...>) {
  return integer_sequence<T, low..., (static_cast<T>(sizeof...(low)) + high)...>{};
}
/// 0, 1, ..., count - 1, from its two halves: instantiations nest as deep as count has bits.
template <class T, T count>
constexpr auto counted() {
  if constexpr (count == 0)
    return integer_sequence<T>{};
  else if constexpr (count == 1)
    return integer_sequence<T, 0>{};
  else
    return joined(counted<T, count / 2>(), counted<T, count - count / 2>());
}
template <class T, T count>
using make_integer_sequence = decltype(counted<T, count>());

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<double> {
  static constexpr double epsilon() { return 0x1p-52; }
  static constexpr double infinity() { return __builtin_huge_val(); }
  static constexpr double max() { return 0x1.fffffffffffffp1023; }
  static constexpr double quiet_NaN() { return __builtin_nan(""); }
};

constexpr int popcount(unsigned int bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

template <class T>
constexpr const T& clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}

template <class T, size_t count>
constexpr size_t size(const T (&)[count]) {
  return count;
}

template <class T, size_t count>
struct array {
  T values[count];
  constexpr const T* begin() const { return values; }
  constexpr const T* end() const { return values + count; }
  constexpr size_t size() const { return count; }
  constexpr const T& operator[](size_t i) const { return values[i]; }
};
template <class T>
struct array<T, 0> {
  constexpr const T* begin() const { return nullptr; }
  constexpr const T* end() const { return nullptr; }
  constexpr size_t size() const { return 0; }
};
template <class T, class... More>
array(T, More...) -> array<T, 1 + sizeof...(More)>;

/// Over arrays: the tables that descriptions hold.
template <class T>
class span {
 public:
  constexpr span() = default;
  constexpr span(T* first, size_t count) : first_(first), count_(count) {}
  template <class Other, size_t count>
  constexpr span(Other (&all)[count]) : first_(all), count_(count) {}
  template <class Other, size_t count>
  constexpr span(const array<Other, count>& all) : first_(all.begin()), count_(count) {}
  constexpr T* begin() const { return first_; }
  constexpr T* end() const { return first_ + count_; }
  constexpr size_t size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  constexpr T& operator[](size_t i) const { return first_[i]; }

 private:
  T* first_ = nullptr;
  size_t count_ = 0;
};

class string_view {
 public:
  constexpr string_view(const char* text) : text_(text) {}
  friend constexpr bool operator==(string_view a, string_view b) {
    while (*a.text_ != 0 && *a.text_ == *b.text_) ++a.text_, ++b.text_;
    return *a.text_ == *b.text_;
  }

 private:
  const char* text_;
};

}  // namespace std
