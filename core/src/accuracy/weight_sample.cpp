#include <algorithm>
#include <cmath>
#include <limits>
#include <roofline/accuracy/weight_sample.hpp>

namespace roofline {
namespace {

ElementType element_of(const Format& format) {
  ElementType out;
  out.floating = true;
  out.bytes = static_cast<int>(format.bits) / 8;
  out.exponent_bits = format.exponent_bits;
  out.mantissa_bits = format.mantissa_bits;
  return out;
}

TensorInfo matrix_of(const Format& format, std::uint64_t rows, std::uint64_t columns) {
  TensorInfo out;
  out.element = element_of(format);
  out.shape = {rows, columns};
  out.bytes = rows * columns * static_cast<std::uint64_t>(out.element.bytes);
  return out;
}

double finite_or_zero(double v) { return std::isfinite(v) ? v : 0; }

/// Adjacent columns from the middle of a matrix, of all its rows or as many as one read of the file has: in a browser, a read for each row
/// would take seconds.
Result<WeightSample> sample_columns_of(const ByteSource& file, const StoredFloats& tensor, const Format& format, std::uint64_t most) {
  constexpr std::uint64_t most_bytes = 8 << 20;
  const std::uint64_t matrix_rows = tensor.elements / tensor.row, row_bytes = matrix_of(format, 1, tensor.row).bytes;
  const std::uint64_t length = std::min({matrix_rows, most, std::max<std::uint64_t>(1, most_bytes / row_bytes)});
  if (length == 0) return WeightSample{};
  const TensorInfo band = matrix_of(format, length, tensor.row);
  const Result<std::string> text = file.read(tensor.offset + (matrix_rows - length) / 2 * row_bytes, band.bytes);
  if (!text) return Unexpected(text.error());
  const Values all = tensor_values(band, *text);
  const std::uint64_t columns = std::clamp<std::uint64_t>(most / length, 1, tensor.row), first = (tensor.row - columns) / 2;
  WeightSample out{std::vector<double>(columns * length), static_cast<std::size_t>(length)};
  std::vector<double> values(columns);
  for (std::uint64_t row = 0; row < length; ++row) {
    all.read(row * tensor.row + first, values);
    for (std::uint64_t column = 0; column < columns; ++column) out.values[column * length + row] = finite_or_zero(values[column]);
  }
  return out;
}

}  // namespace

Result<WeightSample> sample_weights(const ByteSource& file, const StoredFloats& tensor, std::uint64_t most) {
  if (tensor.format == no_format) return fail("the tensor's format is not known: expected fp32, fp16 or bf16");
  const Format& format = Formats::catalogue()[tensor.format];
  if (format.family != FormatFamily::floating || (format.bits != 16 && format.bits != 32))
    return fail("the tensor is in " + format.name + ": expected fp32, fp16 or bf16");
  if (tensor.sample_columns) return sample_columns_of(file, tensor, format, most);
  const std::uint64_t piece = std::min({tensor.row, tensor.elements, most});
  if (piece == 0) return WeightSample{};
  const TensorInfo info = matrix_of(format, 1, piece);
  const std::uint64_t rows = tensor.elements / tensor.row, taken = std::clamp<std::uint64_t>(most / piece, 1, rows);
  WeightSample out{{}, static_cast<std::size_t>(piece)};
  out.values.reserve(taken * piece);
  std::vector<double> values(piece);
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::uint64_t row = i * rows / taken;
    const Result<std::string> text = file.read(tensor.offset + row * matrix_of(format, 1, tensor.row).bytes, info.bytes);
    if (!text) return Unexpected(text.error());
    tensor_values(info, *text).read(0, values);
    for (const double v : values) out.values.push_back(finite_or_zero(v));
  }
  return out;
}

double sqnr_db(const WeightSample& sample, FormatId id) {
  const Format& format = Formats::catalogue()[id];
  if (!format.quantises() || sample.values.empty()) return unknown;
  const std::vector<double> rounded = quantised(format, sample.values, sample.row);
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    signal += sample.values[i] * sample.values[i];
    noise += (sample.values[i] - rounded[i]) * (sample.values[i] - rounded[i]);
  }
  if (signal == 0) return unknown;
  return noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

}  // namespace roofline
