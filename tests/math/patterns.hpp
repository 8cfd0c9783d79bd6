#pragma once
// Patterns of zeros to eliminate with.

namespace livens {

template <int N>
struct Full {
  static constexpr int size = N;
  static constexpr bool nonzero(int, int) { return true; }
};
template <int N>
struct Band {
  static constexpr int size = N;
  static constexpr bool nonzero(int i, int j) { return i - j <= 3 && j - i <= 2; }
};
/// Every entry touches few others, and zeros on the diagonal fill before they are pivots.
template <int N>
struct Saddle {
  static constexpr int size = N;
  static constexpr bool nonzero(int i, int j) {
    constexpr int forces = 2 * N / 3;
    if (i < forces && j < forces) return i == j || (i + j) % 7 == 0;
    return !(i >= forces && j >= forces) && (i + j) % 5 == 0;
  }
};

}  // namespace livens
