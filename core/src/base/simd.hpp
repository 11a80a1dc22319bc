// Two doubles side by side: the width that SSE2, NEON and WebAssembly share, spelled by the vector extension of GCC and Clang. Written out
// where a loop is hot and compilers would branch on values or look them up instead; every lane computes what the scalar spelling would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#define ROOFLINE_INLINE __attribute__((always_inline))
// Stands before a loop. Clang does not vectorise wasm comparisons of two lanes by itself; vectorised, such loops take a third of the time.
#ifdef __clang__
#define ROOFLINE_SIMD _Pragma("clang loop vectorize(enable)")
#else
#define ROOFLINE_SIMD
#endif

namespace roofline::simd {

using Pair = double __attribute__((vector_size(16)));
using Mask = decltype(Pair{} > Pair{});  ///< per lane all ones, or zero; also whole numbers
using Lane = decltype(Mask{}[0] + 0);

inline Pair both(double v) { return Pair{v, v}; }
inline Mask both_whole(std::int64_t v) { return Mask{static_cast<Lane>(v), static_cast<Lane>(v)}; }
inline Mask select(Mask where, Mask a, Mask b) { return (where & a) | (~where & b); }
inline Pair select(Mask where, Pair a, Pair b) { return (Pair)select(where, (Mask)a, (Mask)b); }
inline Pair keep(Mask where, Pair a) { return (Pair)(where & (Mask)a); }  ///< 0 elsewhere
inline Pair known(Pair a) { return keep(a == a, a); }                     ///< 0 for NaN
inline double sum(Pair a) { return a[0] + a[1]; }
inline Pair firsts(Pair a, Pair b) { return Pair{a[0], b[0]}; }
inline Pair seconds(Pair a, Pair b) { return Pair{a[1], b[1]}; }

/// Elements j and j + 1 of columns; at an odd end element j alone, in both lanes.
template <bool alone>
struct At {
  std::size_t j;
  [[nodiscard]] std::size_t second() const { return alone ? j : j + 1; }
  [[nodiscard]] Pair load(const double* column) const {
    if constexpr (alone) return both(column[j]);
    Pair v;
    std::memcpy(&v, column + j, sizeof v);
    return v;
  }
  /// Ints numbers as doubles.
  [[nodiscard]] Pair load(const std::int32_t* column) const { return __builtin_convertvector(load_ints(column), Pair); }
  /// As integers: a mask, if the column holds only 0 (false) and -1 (true).
  [[nodiscard]] Mask load_whole(const std::int32_t* column) const { return __builtin_convertvector(load_ints(column), Mask); }
  void store(double* column, Pair v) const {
    if constexpr (alone)
      column[j] = v[0];
    else
      std::memcpy(column + j, &v, sizeof v);
  }
  void store(std::int32_t* column, Mask v) const {
    using Halves = std::int32_t __attribute__((vector_size(16)));
#ifdef __wasm_simd128__  // LLVM lowers the other one to a shuffle of bytes here, which engines compile to ten instructions
    const auto low = (Halves)wasm_i32x4_shuffle((v128_t)v, (v128_t)v, 0, 2, 0, 2);
#else
    const Halves low = __builtin_shufflevector((Halves)v, (Halves)v, 0, 2, 0, 2);
#endif
    std::memcpy(column + j, &low, alone ? 4 : 8);
  }
  /// What counts of v when lanes are added up.
  [[nodiscard]] Pair once(Pair v) const { return alone ? Pair{v[0], 0} : v; }
  [[nodiscard]] Mask once(Mask v) const { return alone ? Mask{v[0], 0} : v; }

 private:
  using Ints = std::int32_t __attribute__((vector_size(8)));
  [[nodiscard]] Ints load_ints(const std::int32_t* column) const {
    if constexpr (alone) return Ints{column[j], column[j]};
    Ints v;
    std::memcpy(&v, column + j, sizeof v);
    return v;
  }
};

/// body(At) for all of 0..count-1. Compilers would leave a long body as a function of its own, with what it adds up in memory.
template <class Body>
ROOFLINE_INLINE inline void in_pairs(std::size_t count, const Body& body) {
  std::size_t j = 0;
  for (; j + 2 <= count; j += 2) body(At<false>{j});
  if (j < count) body(At<true>{j});
}

}  // namespace roofline::simd
