// A part of a tensor's numbers, read by ranges: enough to tell what rounding does to all of them.
#pragma once

#include <roofline/accuracy/accuracy.hpp>
#include <roofline/network/byte_source.hpp>

namespace roofline {

/// Where a tensor of 16- or 32-bit floats is in a file, rows outermost.
struct StoredFloats {
  std::uint64_t offset = 0;             ///< bytes
  std::uint64_t elements = 0, row = 1;  ///< of all; of a row, which divides `elements`
  FormatId format = no_format;          ///< fp32, fp16 or bf16
  bool sample_columns = false;          ///< the sample's rows are columns of the tensor
};

struct WeightSample {
  std::vector<double> values;
  std::size_t row = 1;
};

/// Evenly spaced rows, whole ones if they are shorter than `most` values, or adjacent columns from the middle; infinities and NaN as 0.
/// Fails where the range is not in the file, or the format is another.
[[nodiscard]] Result<WeightSample> sample_weights(const ByteSource& file, const StoredFloats& tensor, std::uint64_t most = 1 << 15);

/// dB. Infinite: every value is exact. NaN: all are 0, or the format has no rule to round by.
[[nodiscard]] double sqnr_db(const WeightSample& sample, FormatId format);

}  // namespace roofline
