// The elements that a format can state before its scale: each rounds a number to the nearest of them, ties to even, and what is beyond
// the range to its end. Adding and taking away 1.5 * 2^52 steps rounds to a whole step, as a double has 53 bits; it needs no function of
// a library, so that compilers can work on several numbers at once.
#pragma once

#include <algorithm>
#include <roofline/machine/format.hpp>
#include <vector>

#include "accuracy/arithmetic.hpp"

namespace roofline {

inline double clamped(double x, double low, double high) { return std::min(std::max(x, low), high); }

/// Whole numbers.
struct IntegerElements {
  double low, high;
  double operator()(double x) const { return (clamped(x, low, high) + 0x1.8p52) - 0x1.8p52; }
};

/// A sign, an exponent and a mantissa of fewer than 52 bits.
struct FloatingElements {
  explicit FloatingElements(const Format& format)
      : low(-format.max_value),
        high(format.max_value),
        smallest_normal(power_of_two(2 - (1 << (format.exponent_bits - 1)))),
        to_step(1.5 * power_of_two(52 - format.mantissa_bits)) {}
  double operator()(double x) const {
    const double in_range = clamped(x, low, high);
    const auto octave = bit_cast<double>(bit_cast<std::uint64_t>(in_range) & 0x7ff0000000000000u);  // the power of two at or below |x|
    const double steps = std::max(octave, smallest_normal) * to_step;
    return (in_range + steps) - steps;
  }
  double low, high, smallest_normal, to_step;
};

/// A code book; of two equally near the lower one.
struct CodeElements {
  explicit CodeElements(const std::vector<double>& ascending) : codes(ascending), low(codes.front()), high(codes.back()) {
    for (std::size_t i = 1; i < codes.size(); ++i) middles.push_back((codes[i - 1] + codes[i]) / 2);
  }
  double operator()(double x) const {
    std::size_t above = 0;
    for (const double middle : middles) above += x > middle ? 1 : 0;
    return codes[above];
  }
  std::vector<double> codes, middles;
  double low, high;
};

}  // namespace roofline
