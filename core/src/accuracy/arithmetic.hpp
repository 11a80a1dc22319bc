// Arithmetic whose digits do not depend on a C library.
#pragma once

#include <cstdint>

#include "base/bit_cast.hpp"

namespace roofline {

/// floor(log2(|x|)) of a normal number; below all of them for 0 and subnormal ones.
inline int binary_exponent(double x) { return static_cast<int>(bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023; }

/// 2^e for e from -1022 to 1023.
inline double power_of_two(int e) { return bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52); }

/// Natural logarithm of a positive normal number, to about 1e-15: ln(2^e m) = e ln 2 + 2 artanh((m - 1) / (m + 1)), 2/3 < m <= 4/3.
inline double natural_log(double x) {
  int e = binary_exponent(x);
  double m = x * power_of_two(-e);
  if (m > 4.0 / 3) m /= 2, ++e;
  const double z = (m - 1) / (m + 1), z2 = z * z;
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
  return e * 0.693147180559945309417 + 2 * z * sum;
}

/// 10 log10 of a positive normal number.
inline double decibels(double ratio) { return natural_log(ratio) * (10 / 2.30258509299404568402); }

}  // namespace roofline
