// Rounding to a format and back: round to nearest, ties to even; an element or a scale beyond its range becomes its largest value. Of the
// scales that the format can state, the one with the least squared error.
#pragma once

#include <roofline/accuracy/accuracy.hpp>
#include <variant>

#include "accuracy/elements.hpp"

namespace roofline {

struct FittedScale;

/// `x` in a floating format of its own exponent and mantissa bits, no scale applied.
[[nodiscard]] double round_to(const Format& format, double x);

class Quantiser {
 public:
  using Elements = std::variant<IntegerElements, FloatingElements, CodeElements>;

  /// A scale per tensor is the best one for `values`, part or all of a tensor whose largest magnitude is `max_abs`.
  Quantiser(const Format& format, double max_abs, std::span<const double> values);

  /// Whole rows of `row` values, or a piece of one row that begins at a block. `out` may be `values`.
  void quantise(std::span<const double> values, std::size_t row, std::span<double> out) const;

 private:
  /// The scale nearest to this one that the format can state; of powers of two the one below.
  [[nodiscard]] double stated(double scale) const;
  template <class E>
  [[nodiscard]] FittedScale fitted(const E& elements, std::span<const double> values, double covering) const;
  template <class E>
  static void round(const E& elements, std::span<const double> values, double scale, double* out);
  void round_with_zero_point(std::span<const double> values, double* out) const;

  const Format& format_;
  Elements elements_;
  const Format* scale_format_ = nullptr;  ///< null: a power of two, or no scale
  double unit_ = 1;                       ///< what scales are multiples of (NVFP4)
  double scale_ = 1;                      ///< of formats with one per tensor, or with none
};

}  // namespace roofline
