// Rounding to a format and back: round to nearest, ties to even; an element or a scale beyond its range becomes its largest value.
#pragma once

#include <roofline/accuracy/accuracy.hpp>

namespace roofline {

/// What a scale is made from: of a tensor or of a block.
struct Extent {
  double min = 0, max = 0;  ///< 0 is among them
  double mean_abs = 0;
  [[nodiscard]] double max_abs() const { return max > -min ? max : -min; }
};

/// `x` in a floating format of its own exponent and mantissa bits, no scale applied.
[[nodiscard]] double round_to(const Format& format, double x);

class Quantiser {
 public:
  Quantiser(const Format& format, const Extent& tensor);

  /// Whole rows of `row` values, or a piece of one row that begins at a block. `out` may be `values`.
  void quantise(std::span<const double> values, std::size_t row, std::span<double> out) const;

 private:
  [[nodiscard]] double scale_of(const Extent& extent) const;
  void quantise_block(std::span<const double> values, const Extent& extent, double scale, double* out) const;

  const Format& format_;
  Extent tensor_;
  const Format* scale_format_ = nullptr;  ///< null: a power of two, or no scale
  double tensor_scale_ = 1;
};

}  // namespace roofline
