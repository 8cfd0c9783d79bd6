#pragma once
// Loops over what a plan lists. Where the plan is data (taylor/plan.hpp) they are loops; where it is a type
// (taylor/fixed_plan.hpp) they are written out by the compiler, one item after another, and every number that
// an item has is a constant of the code.

#include <utility>

#include "kernels/math/scalar.hpp"
#include "taylor/plan.hpp"

/// Behind the parameters of a lambda: its body goes where it is called. Only there its constants are some.
#if defined(__OPTIMIZE__) && !defined(__CUDACC__) && !defined(__SANITIZE_ADDRESS__)
#define LIVENS_IN_PLACE __attribute__((always_inline))
#else
#define LIVENS_IN_PLACE
#endif

namespace livens::inline LIVENS_ISA {

template <int n>
struct Constant {
  LIVENS_HD constexpr operator int() const { return n; }
};
template <int a, int b>
LIVENS_HD constexpr Constant<a + b> operator+(Constant<a>, Constant<b>) {
  return {};
}

/// Items that are known when the code is compiled.
template <class Item, int n>
struct Items {
  Item of[n > 0 ? n : 1];
  LIVENS_HD constexpr const Item& operator[](int i) const { return of[i]; }
};
template <class Item, int n>
LIVENS_HD constexpr Constant<n> length_of(const Items<Item, n>&) {
  return {};
}

/// d + m.
LIVENS_HD int unknowns(const taylor::Plan& plan) { return plan.d + plan.m; }
template <class Fixed>
LIVENS_HD constexpr auto unknowns(const Fixed& fixed) {
  return fixed.d + fixed.m;
}

template <class Body>
LIVENS_HD void for_count(int count, const Body& body) {
  for (int i = 0; i < count; ++i) body(i);
}
template <int count, class Body>
LIVENS_HD void for_count(Constant<count>, const Body& body) {
  [&]<int... i>(std::integer_sequence<int, i...>) LIVENS_IN_PLACE { (body(Constant<i>()), ...); }
  (std::make_integer_sequence<int, count>());
}

/// The last first.
template <class Body>
LIVENS_HD void for_count_down(int count, const Body& body) {
  for (int i = count - 1; i >= 0; --i) body(i);
}
template <int count, class Body>
LIVENS_HD void for_count_down(Constant<count> all, const Body& body) {
  for_count(all, [&]<int i>(Constant<i>) LIVENS_IN_PLACE { body(Constant<count - 1 - i>()); });
}

template <class Item, class Body>
LIVENS_HD void for_each(const taylor::List<Item>& list, const Body& body) {
  for (const Item* item = list.first; item != list.last; ++item) body(*item);
}
template <class Item, int n, class Body>
LIVENS_HD void for_each(const Items<Item, n>& items, const Body& body) {
  for_count(Constant<n>(), [&](auto i) LIVENS_IN_PLACE { body(items.of[i]); });
}

/// Over the items of group g.
template <class Item, class Body>
LIVENS_HD void for_each_of(const taylor::Groups<Item>& groups, int g, const Body& body) {
  for (int i = groups.begin[g]; i < groups.begin[g + 1]; ++i) body(groups.of[i]);
}
template <class Fixed, int g, class Body>
LIVENS_HD void for_each_of(const Fixed& groups, Constant<g>, const Body& body) {
  constexpr int first = Fixed::begin[g], last = Fixed::begin[g + 1];
  for_count(Constant<last - first>(), [&](auto i) LIVENS_IN_PLACE { body(groups.of[first + i]); });
}

/// The pattern of a matrix of n rows of which nothing is left out.
struct Everything {
  struct Below {
    int n;
  } below;
  struct Left {
  } left = {};
};
template <class Body>
LIVENS_HD void for_each_of(const Everything::Below& all, int column, const Body& body) {
  for (int i = column + 1; i < all.n; ++i) body(i);
}
template <class Body>
LIVENS_HD void for_each_of(const Everything::Left&, int row, const Body& body) {
  for (int j = 0; j < row; ++j) body(j);
}

}  // namespace livens::inline LIVENS_ISA
