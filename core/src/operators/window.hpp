// The sliding window of convolutions and poolings: kernel, stride, padding and dilation along each spatial dimension.
#pragma once

#include "operators/derivation.hpp"

namespace roofline {

/// [N, C, spatial...], or [N, spatial..., C] where data_format says so.
struct Image {
  double batch = 1, channels = 1;
  Shape spatial;
};
[[nodiscard]] Image read_image(Derivation& d);

struct Window {
  PerDimension kernel, stride, dilation;
  enum class Padding : std::uint8_t { given, same, valid } padding = Padding::given;
  bool ceil_mode = false;

  [[nodiscard]] double padded(std::size_t i) const { return before(i) + after(i); }
  [[nodiscard]] double before(std::size_t i) const;
  [[nodiscard]] double after(std::size_t i) const;
  [[nodiscard]] double reach(std::size_t i) const { return dilation[i] * (kernel[i] - 1) + 1; }  ///< input elements that it spans

  /// Number of positions along dimension i of an input that long.
  [[nodiscard]] double positions(Derivation& d, std::size_t i, double length) const;
  /// Length of a transposed convolution's output along dimension i.
  [[nodiscard]] double transposed_length(Derivation& d, std::size_t i, double length, double output_padding) const;

  // `padding` as a list: one number for every dimension; one per dimension; all befores, then all afters; or pairs.
  const Record* record = nullptr;
  PerDimension symmetric;
  Shape flat;          // 2 * rank numbers
  bool pairs = false;  // [[before, after], ...]
};

/// Stride, padding and dilation for a kernel already read. `default_stride` empty: the kernel's size, as pooling has it.
[[nodiscard]] Window read_window(Derivation& d, PerDimension kernel, std::size_t rank, PerDimension default_stride);

}  // namespace roofline
